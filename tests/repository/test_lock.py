"""The lock files install the same files everywhere: hashes, no place of this machine, everything that is declared."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.each import each
from tests.support.paths import REPOSITORY

LOCK = (REPOSITORY / "requirements.lock").read_text(encoding="utf-8")
SERVE_LOCK = (REPOSITORY / "requirements-serve.lock").read_text(encoding="utf-8")
"""What `make serve` installs: a part of the other."""


def entries(lock: str) -> list[str]:
    return [entry for entry in re.split(r"^(?=[a-z0-9])", lock, flags=re.MULTILINE) if not entry.startswith("#")]


ENTRIES = entries(LOCK)


def declared() -> list[Requirement]:
    """List what both distributions and the groups for development require, extras included."""
    found: list[str] = []
    for part in ("engine", "apis"):
        project = tomllib.loads((REPOSITORY / part / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        found += project["dependencies"]
        found += [text for extra in project.get("optional-dependencies", {}).values() for text in extra]
    groups = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    found += [item for group in groups.values() for item in group if isinstance(item, str)]
    return [Requirement(text) for text in found]


def locked() -> dict[str, Requirement]:
    requirements = [Requirement(entry.partition("\\")[0].strip()) for entry in ENTRIES]
    return {canonicalize_name(requirement.name): requirement for requirement in requirements}


def test_every_package_has_hashes() -> None:
    assert ENTRIES
    assert [entry.partition(" ")[0] for entry in ENTRIES if "--hash=sha256:" not in entry] == []


def test_versions_are_exact() -> None:
    wrong = [str(one) for one in locked().values() if [part.operator for part in one.specifier] != ["=="]]
    assert wrong == []


@pytest.mark.parametrize("place", ["://", "--index", "--find-links", "file:", "/home/", "/work/", "-e ", " @ "])
def test_lock_names_no_index_and_no_place_of_a_machine(place: str) -> None:
    assert place not in LOCK
    assert place not in SERVE_LOCK


def test_what_serve_installs_is_a_part_of_what_the_tests_install() -> None:
    # The last lines of an entry may be written in another order; versions and hashes are the same.
    every = {frozenset(entry.split()) for entry in ENTRIES}
    serving = entries(SERVE_LOCK)
    assert [entry.partition(" ")[0] for entry in serving if frozenset(entry.split()) not in every] == []
    assert len(serving) < len(ENTRIES)
    assert "playwright" not in SERVE_LOCK


def test_packages_of_one_platform_are_marked() -> None:
    markers = {name: str(one.marker) for name, one in locked().items()}
    assert "win32" in markers["uvloop"]
    assert "win32" in markers["colorama"]


@each("requirement", declared(), ids=str)
def test_declared_requirement_is_locked_in_a_version_that_it_allows(requirement: Requirement) -> None:
    found = locked().get(canonicalize_name(requirement.name))
    assert found is not None, f"run make lock: {requirement.name} is not in requirements.lock"
    (version,) = found.specifier
    assert version.version in requirement.specifier


@each("requirement", declared(), ids=str)
def test_declared_requirement_has_a_lower_bound(requirement: Requirement) -> None:
    """`make lowest` runs the tests with these bounds, so each must be there."""
    assert ">=" in {part.operator for part in requirement.specifier}
