from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest

from bench.errors import Unavailable
from bench.install import check_integrity


def test_a_package_is_kept_when_it_is_the_one_that_was_looked_at(tmp_path: Path) -> None:
    archive = tmp_path / "program.tgz"
    archive.write_bytes(b"program")
    check_integrity(archive, f"sha512-{base64.b64encode(hashlib.sha512(b'program').digest()).decode()}")
    assert archive.exists()


def test_another_package_is_deleted_before_anything_of_it_can_run(tmp_path: Path) -> None:
    archive = tmp_path / "program.tgz"
    archive.write_bytes(b"something else")
    with pytest.raises(Unavailable, match="not what is wanted"):
        check_integrity(archive, "sha512-AAAA")
    assert not archive.exists()
