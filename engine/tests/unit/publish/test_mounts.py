"""What is mounted where, as Linux tells it in /proc/self/mountinfo."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.last_build import is_one_mount, mounts, states_name


@pytest.fixture
def mounted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders of one disk, of which two are mounts of their own."""
    for name in ("site/.octavo/sub", "site/docs", "a b"):
        (tmp_path / name).mkdir(parents=True)
    points = ["/", str(tmp_path / "site/.octavo"), str(tmp_path / "a b").replace(" ", "\\040")]
    table = tmp_path / "mountinfo"
    table.write_text("".join(f"36 25 0:32 /x {point} rw,noatime shared:1 - ext4 /dev/sda rw\n" for point in points))
    monkeypatch.setattr(mounts, "_TABLE", table)
    return tmp_path


@pytest.mark.parametrize(
    ("first", "second", "is_one"),
    [
        ("site", "site/docs", True),
        ("site/.octavo", "site/.octavo/sub", True),
        ("site/.octavo", "site", False),
        ("site/.octavo/sub", "site/docs", False),
        ("a b", "site", False),
        ("a b", "a b", True),
    ],
)
def test_folders_are_on_one_mount(mounted: Path, first: str, second: str, is_one: bool) -> None:
    assert is_one_mount(mounted / first, mounted / second) is is_one


def test_without_a_table_the_device_decides(mounted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mounts, "_TABLE", mounted / "none")
    assert is_one_mount(mounted / "site/.octavo", mounted / "site")


def test_staging_lies_where_it_can_be_renamed_to_the_output(mounted: Path) -> None:
    site = mounted / "site"
    assert states_name(site / "build", site / ".octavo").parent == site
    assert states_name(site / "build", site / "docs").parent == site / "docs"
