"""Processes that another one has started, as Linux lists them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def children_of(process: int | str = "self") -> list[int]:
    """List the processes that the threads of a process have started; threads may end while they are listed."""
    return [int(child) for task in _listed(process) for child in _read(task / "children").split()]


def command_of(process: int) -> bytes:
    """Give the command line of a process; empty where it has ended."""
    return _read(Path(f"/proc/{process}/cmdline"))


def _listed(process: int | str) -> Iterator[Path]:
    try:
        yield from Path(f"/proc/{process}/task").iterdir()
    except (FileNotFoundError, ProcessLookupError):
        return


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""
