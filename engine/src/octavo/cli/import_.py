"""`octavo import`."""

from __future__ import annotations

import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from octavo.errors import UsageError

if TYPE_CHECKING:
    from octavo.reference.command_line import Command

_APPLICATION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
_YAML = (".yaml", ".yml")
_PATIENCE_S = 20
"""For one help text of a program."""

Kind = Literal["cobra", "python", "help"]


@click.group(name="import", short_help="Make data files from what other programs know.")
def import_() -> None:
    """Make data files from what other programs know."""


@import_.command(short_help="Describe the commands of a program.")
@click.argument("source")
@click.option(
    "--from", "kind", type=click.Choice(["cobra", "python", "help"]), help="What SOURCE is; guessed if left out."
)
@click.option("--name", help="Name of the program, where SOURCE does not tell.")
@click.option("--out", type=click.Path(path_type=Path), help="File to write; by default the output of this command.")
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
def commands(source: str, kind: Kind | None, name: str | None, out: Path | None, force: bool) -> None:
    """Describe the commands of a program, in the file that `[[commands]]` of octavo.toml names.

    \b
    SOURCE is one of these:
      docs/yaml            a folder (or a file) that cobra's YAML generator has written
      my_package.cli:app   a click or typer application, by its import path
      my-program           a program whose --help is followed through all subcommands
      help.txt, or -       the text of one --help
    """  # noqa: D301 - click's own mark for text that is not to be filled
    from octavo.reference.command_line import write_commands

    if out is not None and out.exists() and not force:
        raise UsageError(f"{out} exists; name another file, or replace it with --force.")
    found = _READERS[kind or _guess(source)](source, name)
    text = write_commands(found)
    if out is None:
        click.echo(text, nl=False)
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text, encoding="utf-8")
    click.echo(f"Wrote {len(found)} command{'' if len(found) == 1 else 's'} to {out}.")


def _guess(source: str) -> Kind:
    path = Path(source)
    if path.is_dir() or (path.is_file() and path.suffix in _YAML):
        return "cobra"
    return "python" if _APPLICATION.fullmatch(source) else "help"


def _read_cobra(source: str, name: str | None) -> list[Command]:
    from octavo.reference.command_line import read_commands

    path = Path(source)
    files = sorted(file for file in path.rglob("*") if file.suffix in _YAML) if path.is_dir() else [path]
    try:
        entries, problems = read_commands((str(file), file.read_text(encoding="utf-8")) for file in files)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{source} cannot be read: {error}.") from error
    if problems:
        raise UsageError("\n".join(f"{problem.span}: {problem.message}" for problem in problems))
    found = [entry.command for entry in entries if name is None or f"{entry.command.name} ".startswith(f"{name} ")]
    if not found:
        raise UsageError(f"{source} describes no command.")
    return sorted(found, key=lambda command: command.name)


def _read_python(source: str, name: str | None) -> list[Command]:
    from octavo.reference.command_line import read_application

    module, _, attributes = source.partition(":")
    # The working folder comes first, as with `python -m`.
    sys.path.insert(0, str(Path.cwd()))
    try:
        found = importlib.import_module(module)
        for attribute in attributes.split("."):
            found = getattr(found, attribute)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"{source} cannot be imported: {error}.") from error
    finally:
        sys.path.remove(str(Path.cwd()))
    return read_application(found, name=name)


def _read_help(source: str, name: str | None) -> list[Command]:
    from octavo.reference.command_line import collect_help, parse_help

    if source == "-":
        return [parse_help(sys.stdin.read(), name=name).command]
    path = Path(source)
    if path.is_file() and not os.access(path, os.X_OK):
        return [parse_help(path.read_text(encoding="utf-8", errors="replace"), name=name).command]
    words = shlex.split(source)
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise UsageError(f"There is no folder, file or program named {source}.")
    return collect_help(lambda more: _help_of([program, *words[1:], *more]), name or Path(words[0]).name)


def _help_of(command: list[str]) -> str:
    """Ask a program for its help, in lines as wide as it will write them and without colors."""
    environment = {**os.environ, "COLUMNS": "160", "NO_COLOR": "1", "TERM": "dumb", "PAGER": "cat"}
    try:
        done = subprocess.run(
            [*command, "--help"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE_S,
            env=environment,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"`{shlex.join(command)} --help` gave no answer: {error}.") from error
    return (done.stdout or done.stderr).decode("utf-8", "replace")


_READERS = {"cobra": _read_cobra, "python": _read_python, "help": _read_help}
