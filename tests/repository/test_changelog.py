"""Versions are written in four places and agree; the changelog is dated and in order."""

from __future__ import annotations

import re
from datetime import date

from packaging.version import Version

import octavo_sandbox
from octavo import _version
from tests.support.paths import REPOSITORY

SECTION = re.compile(r"^## (?P<version>\d+\.\d+\.\d+) - (?P<day>\d{4}-\d{2}-\d{2})$", re.MULTILINE)


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
