"""Options and arguments that name files and folders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from octavo_sandbox.cli import main

FOLDERS = {"--state-dir", "--mount-root"}
"""All others name files."""


def _paths(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str, click.Path]]:
    """List the parameters of a command and those below it that name a file or a folder."""
    for parameter in command.params:
        if isinstance(parameter.type, click.Path):
            yield words, parameter.opts[0], parameter.type
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below
            yield from _paths(below, (*words, name))


PATHS = list(_paths(main))


@pytest.mark.parametrize(("words", "name", "kind"), PATHS, ids=[" ".join((*words, name)) for words, name, _ in PATHS])
def test_folder_is_no_file_and_file_is_no_folder(
    words: tuple[str, ...], name: str, kind: click.Path, tmp_path: Path
) -> None:
    file, folder = tmp_path / "a file", tmp_path / "a folder"
    file.touch()
    folder.mkdir()
    right, wrong = (folder, file) if name in FOLDERS else (file, folder)

    assert kind.convert(str(right), None, None) == right, words
    with pytest.raises(click.BadParameter, match=r"is a (file|directory)"):
        kind.convert(str(wrong), None, None)


@pytest.mark.parametrize(
    "words",
    [
        ("gateway", "--export-openapi", "{folder}"),
        ("gateway", "backup", "{folder}"),
        ("gateway", "export", "{folder}"),
        ("gateway", "import", "{folder}"),
        ("tool", "--token-file", "{folder}"),
        ("tool", "--secrets-file", "{folder}"),
        ("tool", "--state-dir", "{file}"),
        ("tool", "--mount-root", "{file}"),
        ("tool", "--mount-root", "{folder}/missing"),
    ],
    ids=" ".join,
)
def test_wrong_kind_is_told_before_anything_is_started(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    given = [word.format(folder=tmp_path, file=tmp_path / "file") for word in words]
    done = CliRunner().invoke(main, given, env={"GATEWAY_DATA_DIR": str(tmp_path / "data")})

    assert done.exit_code == 2, done.output
    assert re.search(r"(?i)is a directory|is a file|does not exist", done.stderr)
    assert not (tmp_path / "data").exists()
