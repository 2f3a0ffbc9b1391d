"""The command line, run in this process or as one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from octavo.cli import main
from tests.support.sites import use_small_theme


@pytest.fixture(scope="package", autouse=True)
def _small_theme() -> Iterator[None]:
    yield from use_small_theme()


class Result(NamedTuple):
    """What a command has left behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command as its entry point does: `run("build", site)`."""

    def call(*arguments: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["octavo", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as exit_:
            code = int(exit_.code or 0)
        return Result(code, *capsys.readouterr())

    return call


def run_process(*arguments: object, **environment: str) -> Result:
    """Run a command in a process of its own, without a terminal."""
    done = subprocess.run(
        [sys.executable, "-m", "octavo", *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )
    return Result(done.returncode, done.stdout, done.stderr)
