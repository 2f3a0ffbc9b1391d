"""`python -m tests.repository.release TAG`: whether a tag fits the versions and the changelog; exit code 1 if not."""

from __future__ import annotations

import re
import sys

from tests.support.paths import REPOSITORY

SECTION = re.compile(r"^## (?P<version>\d+\.\d+\.\d+) - (?P<day>\d{4}-\d{2}-\d{2})$", re.MULTILINE)
VERSION_FILES = ("engine/src/octavo/_version.py", "apis/src/octavo_sandbox/__init__.py")


def problems_of(tag: str, changelog: str, versions: dict[str, str]) -> list[str]:
    """List why a tag cannot be released.

    Args:
        tag: As it is written, `v1.2.3`.
        changelog: Text of the changelog.
        versions: File → version that it holds.
    """
    if not re.fullmatch(r"v\d+\.\d+\.\d+", tag):
        return [f'the tag is "{tag}"; expected v and three numbers, v1.2.3']
    wanted = tag.removeprefix("v")
    found = [f"{file} has version {version}" for file, version in versions.items() if version != wanted]
    newest = SECTION.search(changelog)
    if newest is None or newest["version"] != wanted:
        found.append(f"the newest dated section of CHANGELOG.md is {newest['version'] if newest else 'missing'}")
    if "## Unreleased" in changelog:
        found.append("CHANGELOG.md still has a section Unreleased")
    return found


def main() -> int:
    """Print what is wrong with the tag that the command line names."""
    versions = {}
    for name in VERSION_FILES:
        match = re.search(r'__version__ = "([^"]+)"', (REPOSITORY / name).read_text(encoding="utf-8"))
        versions[name] = match[1] if match else "missing"
    tag = sys.argv[1] if len(sys.argv) > 1 else ""
    problems = problems_of(tag, (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8"), versions)
    for problem in problems:
        print(f"{tag} cannot be released: {problem}.", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
