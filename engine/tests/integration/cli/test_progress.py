"""Progress: bars on a terminal, plain lines elsewhere, nothing where it is not wanted."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from octavo.cli.report import make_report
from tests.support.sites import HOME, MakeSite


def test_plain_lines_say_each_stage_once(capsys: pytest.CaptureFixture[str]) -> None:
    with make_report(is_quiet=False) as report:
        for done in (1, 2, 2):
            report("compile", done, 2)
        report("draw", 0, 0)
        report("compress", 1, 2)
        report("publish", 1, 1)
    assert capsys.readouterr() == ("", "Reading: 2 done.\nDrawing: 0 done.\n")


def test_quiet_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with make_report(is_quiet=True) as report:
        report("compile", 2, 2)
    assert capsys.readouterr() == ("", "")


def test_terminal_gets_bars_and_keeps_the_output_clean(make_site: MakeSite) -> None:
    site = make_site(HOME)
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "octavo", "build", str(site.root), "--out", str(site.out)],
        stdout=subprocess.PIPE,
        stderr=slave,
        env={**os.environ, "TERM": "xterm-256color"},
    )
    os.close(slave)
    out, _ = process.communicate()
    shown = read_all(master)
    assert process.returncode == 0
    assert "Reading" in shown
    assert "━" in shown
    assert out.decode().startswith("Built 1 page (1 rendered)")


def read_all(terminal: int) -> str:
    """Read what was written to a terminal whose other end is closed."""
    chunks = []
    try:
        while chunk := os.read(terminal, 65536):
            chunks.append(chunk)
    except OSError:
        pass  # how Linux says that the other end is closed
    finally:
        os.close(terminal)
    return b"".join(chunks).decode(errors="replace")
