"""Versions are written in four places and agree; the changelog is dated and in order."""

from __future__ import annotations

import re
from datetime import date

import pytest
from packaging.version import Version

import octavo_sandbox
from octavo import _version
from tests.repository.release import SECTION, problems_of
from tests.support.paths import REPOSITORY


def sections() -> list[tuple[Version, date]]:
    text = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")
    return [(Version(match["version"]), date.fromisoformat(match["day"])) for match in SECTION.finditer(text)]


def test_every_section_has_a_version_and_a_date_or_is_unreleased() -> None:
    text = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## .*$", text, re.MULTILINE)
    assert [heading for heading in headings[1:] if not SECTION.fullmatch(heading)] == []
    assert headings[0] == "## Unreleased" or SECTION.fullmatch(headings[0])


def test_newest_section_is_first() -> None:
    found = sections()
    assert found == sorted(found, reverse=True)


def test_newest_section_has_the_version_of_both_distributions() -> None:
    newest = str(sections()[0][0])
    assert (_version.__version__, octavo_sandbox.__version__) == (newest, newest)


CHANGELOG = "# Changelog\n\n## 1.2.0 - 2026-01-02\n\n## 1.1.0 - 2026-01-01\n"


def test_tag_that_fits_is_released() -> None:
    assert problems_of("v1.2.0", CHANGELOG, {"a.py": "1.2.0", "b.py": "1.2.0"}) == []


@pytest.mark.parametrize(
    ("tag", "changelog", "version", "problem"),
    [
        ("1.2.0", CHANGELOG, "1.2.0", "expected v and three numbers"),
        ("v1.1.0", CHANGELOG, "1.1.0", "newest dated section of CHANGELOG.md is 1.2.0"),
        ("v1.2.0", CHANGELOG, "1.1.0", "a.py has version 1.1.0"),
        ("v1.2.0", "## Unreleased\n\n" + CHANGELOG, "1.2.0", "still has a section Unreleased"),
        ("v1.2.0", "", "1.2.0", "is missing"),
    ],
)
def test_tag_that_does_not_fit_is_refused(tag: str, changelog: str, version: str, problem: str) -> None:
    assert any(problem in found for found in problems_of(tag, changelog, {"a.py": version}))
