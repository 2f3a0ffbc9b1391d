"""The process that runs extensions. It ends when its parent does, and its parent ends it when a function hangs.

`python -m octavo.extension_host.host`, with `protocol` on its standard streams. What extensions print goes to the error stream.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from octavo.extension_host.audit import Audit
from octavo.extension_host.loading import Loaded, explain, load_extension, set_options
from octavo.extension_host.processes import end_children
from octavo.extension_host.protocol import (
    Answer,
    Described,
    Failure,
    Reported,
    Request,
    Start,
    read_message,
    write_message,
)
from octavo.extension_host.values import UnfitValueError, check_sendable, fit, make_argument, plain_value, take_findings
from octavo.extensions import Inputs
from octavo.revisions import ReleaseReader, release_folder

_PR_SET_CHILD_SUBREAPER = 36


def main() -> None:
    """Answer requests until the parent hangs up."""
    requests, answers = _own_streams()
    first = read_message(requests)
    if first is None:
        return
    start = msgspec.msgpack.decode(first, type=Start)
    _adopt()
    _limit_memory(start.memory)
    # Before an extension is loaded: one that hangs must not outlive its parent either.
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(requests, waiting), daemon=True).start()
    set_options(start.options)
    host, own = _Host(Path(start.site_dir)), os.getpid()
    decode = msgspec.msgpack.decode
    try:
        for spec in start.specs:
            described = host.load(spec)
            _end_copy(own)
            write_message(answers, described)
        while True:
            answer = host.call(decode(waiting.get(), type=Request))
            _end_copy(own)
            write_message(answers, answer)
    except OSError:
        # An extension has closed files that are not its own.
        os._exit(1)


def _end_copy(own: int) -> None:
    """End a process that an extension has forked, and that came back here: the other one answers."""
    if os.getpid() != own:
        os._exit(0)


def _adopt() -> None:
    """Become the parent of what extensions start in the background, so that it can be found and ended with this process."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _own_streams() -> tuple[BinaryIO, BinaryIO]:
    """Take the standard streams for the parent, and give extensions others."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, answers


def _receive(requests: BinaryIO, waiting: queue.SimpleQueue[bytes]) -> None:
    while (message := read_message(requests)) is not None:
        waiting.put(message)
    # With everything that extensions have started, where this process leads a group of its own.
    end_children(os.getpid())
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(0)


def _limit_memory(limit: int) -> None:
    """Let allocations beyond the limit fail, where the system can."""
    if limit and sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


class _ReleaseInputs(Inputs):
    """Reads files for a page of a release: those of that release, and where it has none, those at hand."""

    def __init__(self, site_dir: Path, patterns: Sequence[str], find: Callable[[str], str | None]) -> None:
        super().__init__(site_dir, patterns)
        self._named = tuple(patterns)
        self._find = find

    def read_bytes(self, path: str) -> bytes:
        # The files that match a pattern now need not be those of the release.
        is_allowed = not path.startswith("../") or any(fnmatchcase(path, pattern) for pattern in self._named)
        self.is_reading = True
        try:
            own = self._find(path) if is_allowed else None
        finally:
            self.is_reading = False
        return super().read_bytes(own or path)


class _Host:
    def __init__(self, site_dir: Path) -> None:
        self._site_dir = site_dir
        self._loaded: dict[str, Loaded] = {}
        self._audit = Audit(site_dir)
        self._releases = ReleaseReader(site_dir)

    def load(self, spec: str) -> Described:
        described, loaded = load_extension(spec, self._site_dir)
        if loaded is not None:
            self._loaded[spec] = loaded
        return described

    def call(self, request: Request) -> Answer:
        loaded = self._loaded[request.spec]
        first = self._once(loaded, request)
        if not request.is_audited or first.failure is not None:
            return first
        second = self._once(loaded, request)
        undeclared = dict.fromkeys(first.undeclared)
        if (first.value, first.findings) != (second.value, second.findings):
            undeclared["It gives something else when it is called again with the same argument."] = None
        return msgspec.structs.replace(first, undeclared=list(undeclared))

    def _inputs(self, argument: Mapping[str, Any], patterns: Sequence[str]) -> Inputs:
        page = argument.get("page") or argument.get("path")
        if not isinstance(page, str) or not release_folder(page):
            return Inputs(self._site_dir, patterns)
        return _ReleaseInputs(self._site_dir, patterns, partial(self._releases.find, page))

    def _once(self, loaded: Loaded, request: Request) -> Answer:
        registered = next(
            (one for one in loaded.extension.registered if (one.kind, one.name) == (request.kind, request.name)), None
        )
        if registered is None:
            # This process was started later than the one that has described the extension.
            return Answer(
                failure=Failure("it is gone: the source of the extension has changed meanwhile", is_lost=True)
            )
        inputs = self._inputs(request.argument, loaded.extension.inputs)
        value, failure = None, None
        is_pure = request.kind not in ("after_publish", "command")
        # `declared` walks through folders: what it finds is declared, the walk must not be found out.
        declared = {os.fspath(path.resolve()) for path in inputs.declared()} if request.is_audited else set()
        before = set(sys.modules)
        started = time.perf_counter()
        try:
            argument = make_argument(registered, request.argument, inputs)
            if registered.function is None:
                value = argument
            else:
                with self._audit.watching(declared, inputs, is_on=request.is_audited and is_pure) as audit:
                    given = registered.function(argument)
                    if request.kind == "check":
                        take_findings(given, inputs)
                    else:
                        value = plain_value(request.kind, given)
                    # What cannot be sent is the function's failure, not that of this process.
                    check_sendable(value)
        except UnfitValueError as error:
            failure = Failure(str(error), is_value=True)
        except BaseException as error:  # noqa: BLE001 - one bad extension never takes the build down
            value, failure = None, explain(error, self._site_dir)
        seconds = time.perf_counter() - started
        findings: list[Reported] = []
        for one in inputs.findings:
            try:
                reported = Reported(**fit(one))
                check_sendable(reported)
            except BaseException as error:  # noqa: BLE001 - a message may be of any type
                failure = failure or explain(error, self._site_dir)
            else:
                findings.append(reported)
        undeclared = audit.found if request.is_audited and registered.function is not None and failure is None else []
        return Answer(
            value=value,
            failure=failure,
            reads={**inputs.reads, **loaded.read_modules(before, self._site_dir)},
            findings=findings,
            undeclared=undeclared,
            seconds=seconds,
        )


if __name__ == "__main__":
    main()
