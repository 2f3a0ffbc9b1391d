"""Blocks of code on the pages outside of the tutorials, which are followed step by step, are right on their own.

Commands are known with their options, settings fit the schema, Python runs, and the files that a page shows make a site
without a finding. Examples with a result beside them are compiled with the page itself.
"""

from __future__ import annotations

import json
import shlex
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import click
import msgspec
import pytest
import yaml
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from octavo.cli.main import octavo as program
from octavo.content import Term
from octavo.manual import search_rules_schema, settings_schema
from tests.documentation.generate import DOCS
from tests.documentation.test_tutorials import Block, blocks, write

PAGES = sorted(
    path
    for path in DOCS.rglob("*.md")
    if not {".octavo", "build", "learn", "decisions", "findings"} & set(path.relative_to(DOCS).parts)
)
SHELLS = ("bash", "sh", "console")
OTHER_PROGRAMS = {"chromium", "cp", "curl", "docker", "git", "jq", "make", "npm", "pip", "python", "uv"}
SHOWN = ("css", "diff", "example", "js", "md", "mdx", "mermaid", "playground", "text", "tsx")
"""Languages whose blocks are shown, drawn or compiled with the page, or make a site with the others of the page."""

MENTIONED = {
    "components.md": ("docs/settings.md", "slots/layout.css"),
    "landing.md": ("docs/start.md",),
}
"""Files that the shown ones refer to, without being shown."""
SETTINGS_OF = {
    "blog.md": '[[blogs]]\nfolder = "blog"\ntitle = "News"\nauthors.ada = {{ name = "Ada Lovelace" }}\n',
    "extend.md": "extensions = {extensions}\n",
}

SETTINGS = Draft202012Validator(settings_schema())
SEARCH_RULES = Draft202012Validator(search_rules_schema())


def found(*languages: str) -> Iterator[tuple[str, Block]]:
    for path in PAGES:
        for block in blocks(path):
            if block.language in languages:
                yield path.relative_to(DOCS).as_posix(), block


def is_file(block: Block) -> bool:
    """Return whether a block shows a file of a site."""
    return "/" in block.title and " " not in block.title and not block.title.startswith("src/")


def parameters(*languages: str) -> list[object]:
    return [pytest.param(block, id=f"{page}-{index}") for index, (page, block) in enumerate(found(*languages))]


def commands(code: str) -> Iterator[list[str]]:
    """List the commands of a block word by word; of a console only what is typed."""
    lines = code.replace("\\\n", " ").splitlines()
    is_console = any(line.startswith("$ ") for line in lines)
    for line in lines:
        if is_console and not line.startswith("$ "):
            continue
        words = shlex.split(line.removeprefix("$ "), comments=True)
        while words:
            end = next((index for index, word in enumerate(words) if word in ("&&", "|", ";")), len(words))
            yield words[:end]
            words = words[end + 1 :]


def parse(words: list[str]) -> None:
    """Parse a command as the program does, without running it.

    Raises:
        click.UsageError: a command, an option or an argument is not known, or one is missing.
    """
    command: click.Command = program
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        context = click.Context(command)
        following = command.get_command(context, words[0])
        # `octavo import DIR` stands for `octavo import site DIR`; others lead nowhere.
        words = words[1:] if following else words
        following = following or command.get_command(context, "site")
        if following is None:
            raise click.UsageError(f"there is no command {words[0]}")
        command = following
    try:
        command.make_context(command.name, list(words))
    except click.BadParameter as error:
        # The files of the reader are not here.
        if not str(error).endswith("does not exist."):
            raise


def test_every_language_is_looked_at() -> None:
    known = {*SHELLS, *SHOWN, "toml", "json", "yaml", "python", ""}
    assert {block.language for path in PAGES for block in blocks(path)} <= known


@pytest.mark.parametrize("block", parameters(*SHELLS))
def test_command_is_known_with_its_options(block: Block) -> None:
    for words in commands(block.code):
        if words[0] == "octavo":
            parse(words[1:])
        else:
            assert words[0] in OTHER_PROGRAMS


@pytest.mark.parametrize("block", parameters("toml"))
def test_settings_fit_the_schema(block: Block) -> None:
    raw = tomllib.loads(block.code)
    if block.title == "terms.toml":
        msgspec.convert(raw, dict[str, str | Term])
    elif block.title == "search.toml":
        assert [error.message for error in SEARCH_RULES.iter_errors(raw)] == []
    else:
        assert block.title in ("", "octavo.toml")
        assert [error.message for error in SETTINGS.iter_errors({"title": "A site", **raw})] == []


@pytest.mark.parametrize("block", parameters("json", "yaml"))
def test_data_is_well_formed(block: Block) -> None:
    assert json.loads(block.code) if block.language == "json" else yaml.safe_load(block.code)


@pytest.mark.parametrize("block", parameters("python"))
def test_python_runs(block: Block) -> None:
    """Definitions run; what they do in a build is tested with extensions."""
    module = ModuleType("shown")
    sys.modules[module.__name__] = module
    try:
        exec(compile(block.code, block.title or "shown.py", "exec"), module.__dict__)
    finally:
        del sys.modules[module.__name__]


@pytest.mark.parametrize(
    "page", sorted({page for page, block in found("md", "mdx", "tsx", "python", "json") if is_file(block)})
)
def test_files_of_a_page_make_a_site(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that a page shows with a name of a file, with the settings of the page, has no finding."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OCTAVO_CACHE_DIR", str(tmp_path / "cache"))
    for block in filter(is_file, blocks(DOCS / page)):
        write(tmp_path, block)
    (tmp_path / "docs").mkdir(exist_ok=True)
    for name in ("docs/index.md", *MENTIONED.get(page, ())):
        if not (tmp_path / name).exists():
            (tmp_path / name).write_text("# Home\n" if name.endswith(".md") else "", encoding="utf-8")
    settings = SETTINGS_OF.get(page, "").format(
        extensions=sorted(f"ext/{path.name}" for path in tmp_path.glob("ext/*.py"))
    )
    (tmp_path / "octavo.toml").write_text(f'title = "A site"\nurl = "https://docs.example.org"\n{settings}')
    done = CliRunner().invoke(program, ["build", ".", "--strict"])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    "words",
    ["chek", "check --externl", "import old-site --vrify build", "versions cut", "build one two", "versions ct 2.2"],
)
def test_mistake_in_a_command_is_noticed(words: str) -> None:
    with pytest.raises(click.UsageError):
        parse(words.split())
