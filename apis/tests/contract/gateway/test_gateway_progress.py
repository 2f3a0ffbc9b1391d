"""Numbers that commands of the gateway show on a terminal while they work leave nothing behind."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from gateway_api.database import Database
from gateway_api.migrations import migrate

RECORD = '{"type":"chat","provider":null,"timestamp":"2025-05-01T10:00:00Z","messages":["a"]}\n'


def _screen(said: str) -> list[str]:
    """Show what a terminal shows: after a carriage return, writing covers what is there."""
    lines = []
    for line in said.split("\n"):
        shown = ""
        for part in line.split("\r"):
            shown = part + shown[len(part) :]
        lines.append(shown.rstrip())
    return [line for line in lines if line]


def _at_a_terminal(words: Sequence[str], folder: Path, code: int) -> tuple[str, list[str]]:
    """Run a command of the gateway at a terminal; returns all that it has written there, and what is left on the screen."""
    import tty  # not to be had on Windows

    ours, theirs = os.openpty()
    tty.setraw(theirs)
    environment = os.environ | {"GATEWAY_DATA_DIR": str(folder), "NO_COLOR": "1"}
    command = [sys.executable, "-m", "octavo_sandbox", "gateway", *words]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        written = b""
        try:
            while piece := os.read(ours, 65_536):
                written += piece
        except OSError:  # Linux says the end of a terminal so
            pass
        finally:
            os.close(ours)
    assert process.returncode == code, written
    return written.decode(), _screen(written.decode())


@pytest.mark.skipif(sys.platform == "win32", reason="terminals are made another way there")
@pytest.mark.parametrize(
    ("words", "number", "last", "code"),
    [
        ("backup {folder}/copy", r"[\d,]+ of [\d,]+ pages copied", r"Copied [\d,]+ bytes\. Keep .*", 0),
        ("import {folder}/records.jsonl", "1 conversation stored", r"Imported 1 conversation\.", 0),
        ("import {folder}/wrong.jsonl", "1 conversation checked", r"line 2: .*", 2),
        ("follow --once {folder}/records.jsonl", "1 conversation recorded", r"Recorded 1 conversation\. .*", 0),
    ],
    ids=["backup", "import", "import of wrong lines", "follow"],
)
def test_last_number_does_not_stay_on_the_line_of_the_result(
    words: str, number: str, last: str, code: int, tmp_path: Path
) -> None:
    database = Database(f"sqlite:///{tmp_path}/gateway.sqlite")
    migrate(database)
    database.close()
    (tmp_path / "records.jsonl").write_text(RECORD, encoding="utf-8")
    (tmp_path / "wrong.jsonl").write_text(f"{RECORD}{{}}\n", encoding="utf-8")

    written, screen = _at_a_terminal(words.format(folder=tmp_path).split(), tmp_path, code)

    assert re.search(number, written), written
    assert re.fullmatch(last, screen[-1]), screen
    assert not any(re.search(number, line) for line in screen), screen
