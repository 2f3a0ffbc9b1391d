"""One API for each state folder: two would both control its servers and their workers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tool_api.errors import StartError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LOCK_NAME = "api.lock"


@contextmanager
def claim(state_dir: Path) -> Iterator[None]:
    """Hold a state folder for the length of a block; the kernel lets go of it when this process dies.

    To be used after the spawner was forked: who shares the open file would hold it, too.

    Raises:
        StartError: Another API has it.
    """
    state_dir.mkdir(parents=True, exist_ok=True)
    file = os.open(state_dir / LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            if fcntl:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            text = (
                f"another tool API uses the state folder {state_dir}; stop it, or choose another one with --state-dir."
            )
            raise StartError(text) from error
        yield
    finally:
        os.close(file)
