"""What the build sends to the process of its extensions, and what it makes of the answers. No process is started."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from octavo.extending import process
from octavo.extending.process import HostLostError, HostProcess
from octavo.extending.timing import Cost, Timings
from octavo.extension_host import Answer, Described, Request, Start, read_message, write_message
from tests.support.each import each

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes are polled on POSIX only")


class Started:
    """Stands in for the process: what it says is written into a pipe."""

    pid = 4321

    def __init__(self, command: list[str], **options: Any) -> None:
        self.command = command
        self.options = options
        self.stdin = io.BytesIO()
        reading, self.writing = os.pipe()
        self.stdout = os.fdopen(reading, "rb")
        self.returncode: int | None = None
        self.code = 0
        self.waits = 0

    def say(self, data: bytes) -> None:
        os.write(self.writing, data)

    def end(self, code: int) -> None:
        os.close(self.writing)
        self.writing = -1
        self.code = code

    def wait(self) -> None:
        self.waits += 1
        self.returncode = self.code


class Run:
    """A process that was started, and what was done to it."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch) -> None:
        self.ended: list[Any] = []
        self.is_over = False
        patch.setattr("subprocess.Popen", Started)
        patch.setattr(process, "end_children", lambda pid: self.ended.append(("children", pid)))
        patch.setattr(os, "killpg", lambda pid, number: self.ended.append(("group", pid, number)))
        patch.setattr(os, "waitid", lambda *_: object() if self.is_over else None)
        self.host = HostProcess(root / "x" / "..", ["a.py"], 9, {"kit": {"n": 1}})
        self.process: Started = self.host._process  # type: ignore[assignment]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    (tmp_path / "x").mkdir()
    found = Run(tmp_path, monkeypatch)
    yield found
    found.host.close()
    if found.process.writing >= 0:
        os.close(found.process.writing)


ENDED = [("children", 4321), ("group", 4321, signal.SIGKILL)]
REQUEST = Request("a.py", "field", "x", {"value": 1})


def message(value: object) -> bytes:
    stream = io.BytesIO()
    write_message(stream, value)
    return stream.getvalue()


def sent(started: Started, type_: Any) -> list[Any]:
    stream = io.BytesIO(started.stdin.getvalue())
    return [msgspec.msgpack.decode(data, type=type_) for data in iter(lambda: read_message(stream), None)]


def test_process_is_told_what_to_load(run: Run, tmp_path: Path) -> None:
    assert sent(run.process, Start) == [Start(os.fspath(tmp_path), ["a.py"], 9, {"kit": {"n": 1}})]
    assert run.process.command[:2] == [sys.executable, "-P"]
    assert run.process.options["start_new_session"] is True
    assert run.host.owner == os.getpid()


def test_answers_are_read_however_they_are_cut(run: Run) -> None:
    described = [Described("a.py", "a", "a.py"), Described("b.py", "b", "b.py")]
    first, second = map(message, described)
    run.process.say(first[:2])
    run.process.say(first[2:] + second[:7])
    assert run.host.next_described(9) == described[0]
    run.process.say(second[7:])
    assert run.host.next_described(9) == described[1]
    run.process.say(message(Answer(value=[1])))
    assert run.host.call(REQUEST, 9) == Answer(value=[1])
    assert msgspec.to_builtins(REQUEST) in sent(run.process, Any)
    assert run.ended == []


def test_process_that_takes_too_long_is_ended(run: Run) -> None:
    run.process.say(message(Answer())[:-1])
    with pytest.raises(HostLostError, match=r"^it took longer than 0\.05 s and was ended$"):
        run.host.call(REQUEST, 0.05)
    assert run.ended == ENDED
    assert run.process.waits == 1
    assert run.process.stdin.closed
    assert run.process.stdout.closed


@each("code, how", [(3, "with exit code 3"), (0, "with exit code 0"), (-9, "by signal 9")])
def test_process_that_has_ended_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, how: str
) -> None:
    run = Run(tmp_path, monkeypatch)
    run.process.end(code)
    run.is_over = True
    with pytest.raises(HostLostError, match=f"^its process has ended {how}$"):
        run.host.next_described(9)
    assert run.ended == ENDED


def test_process_that_closes_its_output_and_goes_on_is_too_late(run: Run) -> None:
    run.process.end(0)
    with pytest.raises(HostLostError, match=r"^it took longer than 0\.02 s and was ended$"):
        run.host.next_described(0.02)


@each("data", [b"\xc1", b"\xa5ab", message(["no", "answer"])[4:], b"\x85\xa4name\xa1\xff"])
def test_answer_that_cannot_be_read_ends_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    run = Run(tmp_path, monkeypatch)
    run.process.say(len(data).to_bytes(4, "big") + data)
    with pytest.raises(HostLostError, match=r"^its process has given an answer that cannot be read$"):
        run.host.call(REQUEST, 9)
    assert run.ended == ENDED
    os.close(run.process.writing)


def test_process_is_ended_once_and_by_its_owner_only(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run.host, "owner", -1)
    run.host.close()
    assert run.ended == []
    assert run.process.stdin.closed
    monkeypatch.setattr(run.host, "owner", os.getpid())
    run.host.close()
    run.host.close()
    assert run.ended == ENDED


def test_children_of_a_process_that_was_waited_for_are_not_looked_for(run: Run) -> None:
    """Its number may be that of another process by now."""
    run.process.returncode = 0
    run.host.close()
    assert run.ended == ENDED[1:]


def test_request_to_a_process_that_has_ended_is_no_failure_of_its_own(run: Run) -> None:
    run.process.stdin.close()
    run.process.stdin = _Broken()
    run.process.end(1)
    run.is_over = True
    with pytest.raises(HostLostError, match="exit code 1"):
        run.host.call(REQUEST, 9)


class _Broken(io.BytesIO):
    def write(self, data: object) -> int:
        raise BrokenPipeError(data)


# What functions cost


def test_costs_are_added_up_and_forgotten(tmp_path: Path) -> None:
    timings = Timings()
    timings.note("kit", "field x", 1.0)
    assert timings.take() == []
    timings.file = tmp_path / "costs"
    assert timings.take() == []
    for name, seconds in (("a", 1.0), ("b", 2.0), ("a", 0.5), ("c", 1.75)):
        timings.note("kit", name, seconds)
    timings.note("other", "a", 9.0)
    assert timings.take() == [
        Cost("other", "a", 1, 9.0),
        Cost("kit", "b", 1, 2.0),
        Cost("kit", "c", 1, 1.75),
        Cost("kit", "a", 2, 1.5),
    ]
    assert timings.take() == []
    assert not timings.file.exists()


def test_costs_that_cannot_be_noted_do_not_stop_a_build(tmp_path: Path) -> None:
    timings = Timings()
    timings.file = tmp_path / "gone" / "costs"
    timings.note("kit", "a", 1.0)
    assert timings.take() == []


def test_costs_of_all_processes_are_in_one_file(tmp_path: Path) -> None:
    both = Timings(), Timings()
    for one in both:
        one.file = tmp_path / "costs"
        one.note('k"it', "ä", 0.5)
    assert [json.loads(line) for line in (tmp_path / "costs").read_text().splitlines()] == [['k"it', "ä", 0.5]] * 2
    assert both[0].take() == [Cost('k"it', "ä", 2, 1.0)]
