"""What the builder tells the server: which build this is, and what is wrong. A file, for they are two processes."""

from __future__ import annotations

from pathlib import Path

import msgspec

from recto.build.cache import write_whole
from recto.diagnostics import Diagnostic


class State(msgspec.Struct, frozen=True):
    """The outcome of the last build."""

    number: int
    """Counts builds, from 1."""
    build: str
    """Id of what is published; empty before the first build that could be published."""
    problems: list[Diagnostic]
    failure: str = ""
    """Why there was no build at all, such as a mistake in `recto.toml`."""


def save_state(path: Path, state: State) -> None:
    """Write it, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, msgspec.json.encode(state))


def load_state(path: Path) -> State | None:
    """Read it; None before the first build."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=State)
    except (OSError, msgspec.DecodeError, msgspec.ValidationError):
        return None
