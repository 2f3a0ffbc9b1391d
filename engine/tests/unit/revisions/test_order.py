"""Names, order and choice of versions."""

from __future__ import annotations

from typing import Literal

import pytest

from octavo.revisions import address_part, is_prerelease, keep_newest, version_name


@pytest.mark.parametrize(
    ("ref", "pattern", "name"),
    [
        ("v2.1", "v*", "2.1"),
        ("release/2.x", "release/*", "2.x"),
        ("docs-2-final", "docs-*-final", "2"),
        ("a/b", "*", "a-b"),
    ],
)
def test_star_is_the_version(ref: str, pattern: str, name: str) -> None:
    assert version_name(ref, pattern) == name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("2.0", False),
        ("2.0-rc1", True),
        ("2.0b2", True),
        ("2.0.0-alpha.1", True),
        ("release-2", False),
        ("2024.dev3", True),
    ],
)
def test_versions_before_a_release_are_told_apart(name: str, expected: bool) -> None:
    assert is_prerelease(name) is expected


@pytest.mark.parametrize(
    ("per", "kept"),
    [
        ("patch", ["10.0", "2.1.1", "2.1.0", "2.0", "1.9"]),
        ("minor", ["10.0", "2.1.1", "2.0", "1.9"]),
        ("major", ["10.0", "2.1.1", "1.9"]),
    ],
)
def test_newest_come_first_by_number(per: Literal["patch", "minor", "major"], kept: list[str]) -> None:
    assert keep_newest(["1.9", "2.0", "2.1.0", "10.0", "2.1.1", "2.1.0-rc1"], per) == kept


def test_version_before_a_release_is_kept_until_the_release() -> None:
    assert keep_newest(["2.0", "3.0-rc1", "3.0-rc2", "2.0-rc9"], "patch") == ["3.0-rc2", "2.0"]
    assert keep_newest(["3.0", "3.0-rc2"], "patch") == ["3.0"]


@pytest.mark.parametrize(
    ("name", "per", "expected"),
    [
        ("2.1.4", "patch", "2.1.4"),
        ("2.1.4", "minor", "2.1"),
        ("2.1.4", "major", "2"),
        ("2.1", "minor", "2.1"),
        ("2", "minor", "2"),
        ("1.35.7+k0s.0", "minor", "1.35"),
        ("2024.10-lts.3", "minor", "2024.10"),
        ("2.2.0-rc1", "minor", "2.2.0-rc1"),
        ("stable", "minor", "stable"),
    ],
)
def test_addresses_stay_when_the_next_patch_is_released(
    name: str, per: Literal["patch", "minor", "major"], expected: str
) -> None:
    assert address_part(name, per) == expected
