"""`octavo import`."""

from __future__ import annotations

import importlib
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from octavo.errors import UsageError
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.importing import Difference, EngineName, Imported
    from octavo.reference.command_line import Command

_APPLICATION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
_YAML = (".yaml", ".yml")
_PATIENCE_S = 20
"""For one help text of a program."""

_SHOWN = 10
"""Unknown constructs that are listed on the terminal; the report has all."""
_ENGINES = (
    "docusaurus", "mkdocs", "starlight", "vitepress", "vuepress", "docsify", "docfx", "nextra", "fumadocs", "rspress", "vocs", "mdbook", "hugo", "sphinx", "jekyll",
    "hexo",     "mintlify", "gitbook", "nuxt", "zola", "eleventy", "retype", "obsidian", "plain",
)  # fmt: skip

Kind = Literal["cobra", "python", "help"]


class _ImportGroup(click.Group):
    """A group whose first argument may be a folder: `octavo import DIR` stands for `octavo import site DIR`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the name of the default command in front of a folder or an option that is not the group's own."""
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = ["site", *args]
        return super().parse_args(ctx, args)


@click.group(name="import", cls=_ImportGroup, short_help="Bring a site of another engine, or data of other programs.")
def import_() -> None:
    """Bring a site of another engine, or make data files from what other programs know.

    \b
      octavo import DIR              write an octavo.toml for the site in DIR
      octavo import DIR --to FOLDER  convert a copy of the site in FOLDER
      octavo import commands SOURCE  describe the commands of a program
    """  # noqa: D301 - click's own mark for text that is not to be filled


engine_option = click.option(
    "--engine", type=click.Choice(_ENGINES), help="Engine of the site; recognized if left out."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")


@import_.command(short_help="Bring a site of another engine.")
@click.argument("dir", type=click.Path(path_type=Path, exists=True, file_okay=False))
@engine_option
@click.option(
    "--to", type=click.Path(path_type=Path), help="Write the site into this folder, which must be new or empty."
)
@click.option(
    "--in-place/--convert",
    "in_place",
    default=None,
    help="Read the files where they lie (default), or copy the site into the folder of --to and rewrite its pages in Octavo's syntax.",
)
@click.option(
    "--verify",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Compare with the HTML that the old engine has built, page by page.",
)
@click.option("--force", is_flag=True, help="Replace an octavo.toml that is there.")
@json_option
def site(
    dir: Path,  # noqa: A002 - the argument's name in the help
    engine: EngineName | None,
    to: Path | None,
    in_place: bool | None,
    verify: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Bring the site in the folder DIR: recognize its engine, and write an octavo.toml with which it builds.

    The site's own files are not changed. What is not carried over is counted in import-report.md beside octavo.toml.
    """
    from octavo.importing import import_site

    if in_place is False and to is None:
        raise UsageError("--convert rewrites a copy of the site; name the folder for it with --to.")
    if in_place and to is not None:
        raise UsageError("--in-place reads the files where they lie; leave --to out.")
    done = import_site(dir, engine=engine, to=to, force=force)
    differences = _verify(done, verify) if verify else None
    _show_import(done, differences, as_json=as_json)
    if any(one.is_loss for one in differences or ()):
        sys.exit(1)


def _verify(done: Imported, built: Path) -> list[Difference]:
    from octavo.importing import compare_with_built

    return compare_with_built(done.plan.site_dir, built)


def _show_import(done: Imported, differences: list[Difference] | None, *, as_json: bool) -> None:
    from octavo.importing import REPORT_NAME, to_json

    folder = done.plan.site_dir
    if as_json:
        compared = {} if differences is None else {"differences": [one.as_json() for one in differences]}
        click.echo(json.dumps({**to_json(done.report), **compared}, indent=2, ensure_ascii=False))
        return
    report = done.report
    click.echo(f"This is a {report.engine} site: {report.reason}")
    click.echo(
        f"Wrote {folder / 'octavo.toml'}; {report.pages} pages, {report.clean_pages} of them without an unknown construct."
    )
    if not report.pages:
        click.echo("There are no pages; the report says why.", err=True)
    for item in report.items[:_SHOWN]:
        click.echo(f"  {item.pages:5} pages: {item.what}")
    click.echo(f"Everything that is not carried over: {folder / REPORT_NAME}")
    for one in differences or ():
        click.echo(one.text)
    if differences is not None:
        added = sum(not one.is_loss for one in differences)
        click.echo(f"{len(differences) - added} differences from the build of the old engine, and {added} pages more.")
    click.echo(f"Build it with: octavo build {folder}")


@click.command(short_help="Say what an import of a site would lose.")
@click.argument("dir", type=click.Path(path_type=Path, exists=True, file_okay=False))
@engine_option
@json_option
def doctor(dir: Path, engine: EngineName | None, as_json: bool) -> None:  # noqa: A002 - the argument's name in the help
    """Say what `octavo import DIR` would do, and what would be lost. Nothing is written."""
    from octavo.importing import examine_site, to_json, write_markdown

    report = examine_site(dir, engine=engine).report
    click.echo(
        json.dumps(to_json(report), indent=2, ensure_ascii=False) if as_json else write_markdown(report), nl=as_json
    )


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
        raise UsageError(f"No folder, file, or program is named {source}.")

    def read(more: list[str]) -> str:
        try:
            return _help_of([program, *words[1:], *more])
        except UsageError as error:
            if not more:
                raise
            click.echo(f"{error} Only what the help above it says of this command is taken.", err=True)
            return ""

    return collect_help(read, name or Path(words[0]).name)


def _help_of(command: list[str]) -> str:
    """Run a program for its help, in lines as wide as it will write them and without colors.

    Raises:
        UsageError: it cannot be run, or it fails with a message that is not help.
    """
    done = _run_for_help([*command, "--help"])
    if _MANUAL.match(done):  # git shows the manual page, and with `-h` its options
        return _run_for_help([*command, "-h"])
    return done


def _run_for_help(command: list[str]) -> str:
    environment = {**os.environ, "COLUMNS": "160", "NO_COLOR": "1", "TERM": "dumb", "PAGER": "cat", "MANPAGER": "cat"}
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_PATIENCE_S, env=environment, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"`{shlex.join(command)}` gave no answer: {error}.") from error
    text = (done.stdout or done.stderr).decode("utf-8", "replace")
    if done.returncode and not _HELP.search(text):
        first = next((line.strip() for line in text.splitlines() if line.strip()), "nothing")
        raise UsageError(f"`{shlex.join(command)}` ended with code {done.returncode} and printed no help: {first}")
    return text


_MANUAL = re.compile(r"\s*[A-Z][A-Z0-9._-]*\(\d\w*\)\s")
"""First line of a manual page, such as `GIT-ADD(1)`."""
_HELP = re.compile(r"\b(?:usage|options|flags|commands)\b", re.IGNORECASE)
_READERS = {"cobra": _read_cobra, "python": _read_python, "help": _read_help}
