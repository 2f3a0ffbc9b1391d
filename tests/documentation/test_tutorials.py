"""Tutorials do what they say: their blocks are followed in order, in a fresh folder."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from octavo.cli.main import octavo as program
from octavo.errors import OctavoError
from tests.documentation.generate import DOCS
from tests.support.paths import REPOSITORY

TUTORIALS = sorted((DOCS / "learn").glob("*.md"))
FENCE = re.compile(r"^(?P<mark>`{3,})(?P<info>[^\n]*)\n(?P<code>.*?)^(?P=mark)$", re.MULTILINE | re.DOTALL)
TITLE = re.compile(r'title="([^"]*)"')
NOT_RUN = {
    "python3 -m venv .venv": "the environment in which this test runs is another one",
    ".venv/bin/python -m pip install octavo-*.whl": "tests of the packaging install the wheel",
    "pip install 'octavo[openapi]'": "the environment has all extras",
    "pip install 'octavo[python-api]'": "the environment has all extras",
    "make setup": "sets up the checkout in which this test runs",
    "source .venv/bin/activate": "concerns the reader's shell",
    "octavo import handbook --force --verify handbook/build": "needs what Docusaurus built; tests of the importer run it",
    "octavo dev my-docs": "runs until it is stopped; tests of its own start it",
}
CUT = "…"
ADDED = "added to "
"""Begins the title of a block that is added to the end of a file."""


class Block(msgspec.Struct, frozen=True):
    """A block of code of a tutorial."""

    language: str
    title: str
    code: str


def blocks(path: Path) -> Iterator[Block]:
    for match in FENCE.finditer(path.read_text(encoding="utf-8")):
        language, _, rest = match["info"].partition(" ")
        title = TITLE.search(rest)
        yield Block(language, title[1] if title else "", match["code"])


def steps(block: Block) -> Iterator[tuple[str, str]]:
    """List the commands of a block with the output that it shows."""
    if block.language == "console":
        for part in re.split(r"^\$ ", block.code, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output
    else:
        yield from ((line, CUT) for line in block.code.splitlines() if line)


def run(command: str) -> str:
    """Run a command of Octavo as in a terminal; an error of its own is output, too."""
    words = shlex.split(command)
    assert words[0] == "octavo", f"{command}: only commands of Octavo are run"
    done = CliRunner().invoke(program, words[1:])
    if isinstance(done.exception, OctavoError):
        return f"{done.output}octavo: {done.exception}\n"
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.output


def write(folder: Path, block: Block) -> None:
    """Write a file that a block shows, or what it adds to one."""
    file = folder / block.title.removeprefix(ADDED)
    file.parent.mkdir(parents=True, exist_ok=True)
    before = file.read_text(encoding="utf-8") if block.title.startswith(ADDED) else ""
    file.write_text(before + block.code, encoding="utf-8")


def agrees(shown: str, output: str) -> bool:
    """Compare output with what the page shows; a line with an ellipsis alone stands for any lines."""
    pieces = [re.escape(piece) for piece in re.split(rf"^{CUT}\n", shown, flags=re.MULTILINE)]
    return re.fullmatch("(?:.*\n)*".join(pieces), output) is not None


def test_extras_of_the_package_are_named() -> None:
    """Who has the wheel alone learns from the first page what else there is to install."""
    extras = tomllib.loads((REPOSITORY / "engine" / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    table = (DOCS / "learn" / "first-site.md").read_text().partition("{#extras}")[2].partition("\n## ")[0]
    assert sorted(
        re.findall(r"`([a-z-]+)`", "".join(row.split("|")[1] for row in table.splitlines() if row.startswith("|")))
    ) == sorted(extras)


def test_there_are_tutorials() -> None:
    assert [path.name for path in TUTORIALS if path.name == "first-site.md"]


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_tutorial_does_what_it_says(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OCTAVO_CACHE_DIR", str(tmp_path / "cache"))
    wrong = []
    for block in blocks(path):
        if block.title:
            write(tmp_path, block)
            continue
        assert block.language in ("bash", "console"), f"a block of {block.language} is neither a file nor commands"
        for command, shown in steps(block):
            if command not in NOT_RUN:
                output = run(command)
                if shown != f"{CUT}" and not agrees(shown, output):
                    wrong.append(f"{command}\nshown:\n{shown}\nprinted:\n{output}")
    assert wrong == []


@pytest.mark.parametrize(
    ("shown", "is_same"), [("a\n…\nc\n", True), ("a\nb\nc\n", True), ("a\n", False), ("…\nb\n", False)]
)
def test_comparison_knows_what_is_cut(shown: str, is_same: bool) -> None:
    assert agrees(shown, "a\nb\nc\n") is is_same
