"""What forked processes of builds need, loaded once in the process of the tests.

A build draws its pages in a process that it forks, so that V8 starts beside everything else. A single build loses nothing
by that, but a process of tests forks hundreds, and each would import asyncio and load the 70 MB of V8 anew: 0.1 of the
0.3 s of processor time that a site of one page takes. Loading does not start V8, which would make forking unsafe.
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import pytest

_NAMES = {"linux": "libmini_racer.so"}


def load_v8() -> bool:
    """Load the library of V8 without starting it; returns whether it was found."""
    import py_mini_racer

    name = _NAMES.get(sys.platform)
    path = Path(py_mini_racer.__file__).parent / name if name else None
    if path is None or not path.is_file():
        return False
    ctypes.CDLL(str(path))
    return True


def pytest_collection_finish(session: pytest.Session) -> None:
    """Load it where tests build sites; pure tests and the process that only distributes tests do without."""
    is_working = not session.config.getoption("numprocesses", default=None)
    if is_working and any(not {"unit", "site_text"} & set(item.path.parts) for item in session.items):
        load_v8()
