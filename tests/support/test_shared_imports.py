"""Loading V8 for forked processes leaves the process of the tests as safe to fork as it was."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support import paths

_PROGRAM = """
import os
from pathlib import Path
from tests.support.shared_imports import load_v8

before = len(os.listdir("/proc/self/task"))
found = load_v8()
print(found, "libmini_racer" in Path("/proc/self/maps").read_text(), len(os.listdir("/proc/self/task")) - before)
"""


@pytest.mark.costly
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks processes that draw")
def test_v8_is_loaded_and_starts_no_threads() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM], cwd=paths.REPOSITORY, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True", "True", "0"]
