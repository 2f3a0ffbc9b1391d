"""`octavo dev` follows the tags and branches from which versions are made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.tests.integration.dev.conftest import Dev
from engine.tests.integration.revisions.repositories import SETTINGS, git, release


@pytest.mark.parametrize("folder", ["", "site"])
def test_tags_that_are_made_moved_packed_and_removed_are_followed(
    folder: str, tmp_path: Path, start_dev: Callable[[Path], Dev]
) -> None:
    root = tmp_path / folder
    root.mkdir(exist_ok=True)
    git(tmp_path, "init", "-q")
    (root / "octavo.toml").write_text(SETTINGS, encoding="utf-8")
    release(root, "1.0", {"docs/a.md": "---\nslug: /\n---\n\n# A\n\nFirst.\n"})
    dev = start_dev(root)
    assert b"First." in dev.get("/")[1]
    assert dev.get("/1.0/")[0] == 404
    release(root, "2.0", {"docs/a.md": "---\nslug: /\n---\n\n# A\n\nSecond.\n"})
    dev.wait_until(lambda: b"Second." in dev.get("/")[1])
    assert b"First." in dev.get("/1.0/")[1]
    git(tmp_path, "tag", "-f", "v2.0", "v1.0")
    dev.wait_until(lambda: b"First." in dev.get("/")[1])
    git(tmp_path, "pack-refs", "--all")
    git(tmp_path, "tag", "-d", "v2.0")
    dev.wait_until(lambda: dev.get("/1.0/")[0] == 404)
    assert b"First." in dev.get("/")[1]


def test_branches_are_followed(tmp_path: Path, start_dev: Callable[[Path], Dev]) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    settings = SETTINGS.replace('"tags"', '"branches"\npattern = "release/*"')
    (tmp_path / "octavo.toml").write_text(settings, encoding="utf-8")
    release(tmp_path, "1.0", {"docs/a.md": "---\nslug: /\n---\n\n# A\n\nFirst.\n"})
    git(tmp_path, "branch", "release/1.0")
    dev = start_dev(tmp_path)
    assert dev.get("/1.0/")[0] == 404
    git(tmp_path, "branch", "release/2.0")
    dev.wait_until(lambda: dev.get("/1.0/")[0] == 200)
