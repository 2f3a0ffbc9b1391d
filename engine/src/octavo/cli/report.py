"""What the commands print: progress, and what is wrong with the content."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

import click
import msgspec

from octavo.diagnostics import Diagnostic, Span, count_levels
from octavo.errors import ConfigError, OctavoError
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from pathlib import Path

    from octavo.extending import Cost
    from octavo.last_build import Result
    from octavo.runtime import Report

_STAGES = {
    "compile": "Reading",
    "draw": "Drawing",
    "index": "Indexing",
    "compress": "Compressing",
    "publish": "Publishing",
}


@contextmanager
def make_report(*, is_quiet: bool) -> Iterator[Report]:
    """Give a function that shows progress: bars on a terminal, plain lines elsewhere."""
    if is_quiet:
        from octavo.runtime import say_nothing

        yield say_nothing
    elif sys.stderr.isatty():
        with _bars() as report:
            yield report
    else:
        yield _plain_lines()


@contextmanager
def _bars() -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description:12}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        tasks = {}

        def report(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = progress.add_task(_STAGES.get(stage, stage), total=total)
            progress.update(tasks[stage], completed=done, total=total)

        yield report


def _plain_lines() -> Report:
    finished: set[str] = set()

    def report(stage: str, done: int, total: int) -> None:
        if done >= total and stage not in finished and stage != "publish":
            finished.add(stage)
            click.echo(f"{_STAGES.get(stage, stage)}: {total} done.", err=True)

    return report


MOST_WARNINGS = 10
"""Warnings of one kind that a build lists: an imported site may have thousands, which would hide all others."""
_DIFFERS = re.compile(r'"(?:[^"\\]|\\.){0,400}"|\d+')
"""What differs between messages of the same kind."""


def show_diagnostics(
    diagnostics: Sequence[Diagnostic],
    *,
    format_: Literal["text", "json", "github"] = "text",
    site: Path | None = None,
    most_warnings: int | None = None,
) -> None:
    """Show what is wrong.

    Args:
        diagnostics: In order of place.
        format_: `text` goes to the error stream; `json` and `github` are the command's output.
        site: Folder of the site, which annotations for GitHub name from the root of the repository.
        most_warnings: Warnings of one kind that are listed as `text`; further ones are counted.
    """
    if format_ == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(diagnostics), indent=2).decode())
    elif format_ == "github":
        folder = "" if site is None else _folder_in_repository(site)
        for diagnostic in diagnostics:
            click.echo(_github(diagnostic, folder))
    else:
        listed, more = _first_alike(diagnostics, most_warnings)
        for diagnostic in listed:
            click.echo(_text(diagnostic), err=True)
        for others in more:
            files = count(len({one.span.path for one in others}), "file")
            summary = f"{count(len(others), 'more warning')} of the kind above in {files}: {visible(others[0].message)}"
            click.echo(f"{click.style(summary, fg='yellow')} [{others[0].code}]", err=True)
        if more:
            click.echo("octavo check lists all warnings.", err=True)
        errors, warnings = count_levels(diagnostics)
        if diagnostics:
            click.echo(f"{count(errors, 'error')}, {count(warnings, 'warning')}.", err=True)


def _first_alike(
    diagnostics: Sequence[Diagnostic], most: int | None
) -> tuple[Sequence[Diagnostic], list[list[Diagnostic]]]:
    """Divide findings into those to list, and the further warnings of each kind."""
    if most is None or len(diagnostics) <= most:
        return diagnostics, []
    listed: list[Diagnostic] = []
    kinds: dict[tuple[str, str], list[Diagnostic]] = {}
    for one in diagnostics:
        alike = kinds.setdefault((one.code, _DIFFERS.sub("", one.message)), [])
        alike.append(one)
        if one.level == "error" or len(alike) <= most:
            listed.append(one)
    more = [[one for one in alike if one.level != "error"][most:] for alike in kinds.values() if len(alike) > most]
    return listed, [others for others in more if others]


def show_result(result: Result, out: Path, seconds: float) -> None:
    """Write what a build did to the output, as one JSON object; `octavo build --help` names its fields."""
    errors, warnings = count_levels(result.diagnostics)
    shown = {
        "is_published": result.is_published,
        "out": str(out),
        "build_id": result.build_id,
        "pages": result.pages,
        "rendered": result.drawn,
        "seconds": round(seconds, 3),
        "errors": errors,
        "warnings": warnings,
        "findings": result.diagnostics,
    }
    click.echo(msgspec.json.format(msgspec.json.encode(shown), indent=2).decode())


def show_error(
    error: OctavoError, *, format_: Literal["text", "json", "github"] = "text", site: Path | None = None
) -> None:
    """Show why a command stops: mistakes of the settings like other findings, anything else as a sentence.

    Args:
        error: What was raised.
        format_: As for `show_diagnostics`. For programs every error is a finding, without a place at the first line of octavo.toml.
        site: As for `show_diagnostics`.
    """
    findings = error.findings if isinstance(error, ConfigError) else ()
    if format_ != "text":
        show_diagnostics(findings or [_as_finding(error)], format_=format_, site=site)
    elif findings:
        show_diagnostics(findings)
    else:
        click.echo(f"octavo: {error}", err=True)


def _as_finding(error: OctavoError) -> Diagnostic:
    from octavo.config import CONFIG_NAME

    code = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(error).__name__).lower()
    return Diagnostic(code, "error", Span(CONFIG_NAME), str(error))


def _folder_in_repository(site: Path) -> str:
    """Path of a site from the root of the checkout, which annotations need: GitHub's variable names it, else this folder is it."""
    root = os.path.realpath(os.environ.get("GITHUB_WORKSPACE") or os.curdir)
    try:
        folder = os.path.relpath(os.path.realpath(site), root).replace(os.sep, "/")
    except ValueError:  # on another drive
        return ""
    return "" if folder in (".", "..") or folder.startswith("../") else f"{folder}/"


@contextmanager
def shows_errors(show: Callable[[OctavoError], None] | None) -> Iterator[None]:
    """Show an error in the format that a program reads, and leave with its exit code.

    Args:
        show: Writes it; None where people read the output, for whom it is raised on.
    """
    try:
        yield
    except OctavoError as error:
        if show is None:
            raise
        show(error)
        sys.exit(error.exit_code)


def show_failed_build(error: OctavoError, out: Path, seconds: float) -> None:
    """Write why a build stopped to the output, in the form of `show_result`."""
    from octavo.last_build import Result

    findings = list(error.findings) if isinstance(error, ConfigError) else []
    show_result(Result(0, "", findings or [_as_finding(error)], 0, is_published=False), out, seconds)


def _text(diagnostic: Diagnostic) -> str:
    color = "red" if diagnostic.level == "error" else "yellow"
    word = "error" if diagnostic.level == "error" else "warning"
    place, message = visible(str(diagnostic.span)), visible(diagnostic.message)
    head = f"{click.style(place, bold=True)}: {click.style(word, fg=color)}: {message}"
    if diagnostic.suggestion:
        head += f" {visible(diagnostic.suggestion)}"
    lines = [f"{head} [{diagnostic.code}]"]
    if diagnostic.excerpt.strip():
        number = str(diagnostic.span.line)
        text, column = _window(diagnostic.excerpt, diagnostic.span.column - diagnostic.excerpt_start)
        text = _CONTROL.sub("\ufffd", text)
        lines.append(f"  {number} | {text}")
        lines.append(f"  {' ' * len(number)} | {' ' * (column - 1)}{click.style('^', fg=color)}")
    return "\n".join(lines)


def _window(text: str, column: int, width: int = 110) -> tuple[str, int]:
    """Cut a long line to the part around a column; tabs become spaces so that the mark is aligned with it."""
    text = text.replace("\t", " ").rstrip()
    start = max(0, min(column - 1 - width // 3, len(text) - width))
    return text[start : start + width], max(1, column - start)


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Characters with which a file's name or text could end a line, color the terminal, or show a place as another one."""


def visible(text: str) -> str:
    """Write control characters as escapes: what is printed comes from files that somebody else may have written."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def _github(diagnostic: Diagnostic, folder: str) -> str:
    """Write a workflow command; its escapes are those of GitHub's toolkit."""
    kind = "error" if diagnostic.level == "error" else "warning"
    span = diagnostic.span
    message = _github_text(f"{diagnostic.message} {diagnostic.suggestion}".strip())
    path = _github_text(folder + span.path).replace(",", "%2C").replace(":", "%3A")
    return f"::{kind} file={path},line={span.line},col={span.column},title={diagnostic.code}::{message}"


def _github_text(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def count(number: int, noun: str, plural: str = "") -> str:
    """Write a number of things: `1 page`, `2 pages`."""
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"


def wants_color(environment: Mapping[str, str]) -> bool | None:
    """Return whether the environment asks for colors (no-color.org, force-color.org); None: as the terminal can.

    Args:
        environment: Variables.
    """
    if environment.get("NO_COLOR"):
        return False
    if forced := environment.get("FORCE_COLOR"):
        return forced != "0"
    return False if environment.get("TERM") == "dumb" else None


def show_times(times: Sequence[Cost]) -> None:
    """List what the functions of extensions have cost, on the error stream."""
    if not times:
        click.echo("Extensions: nothing was called.", err=True)
        return
    rows = [("Extension", "Function", "Calls", "Seconds")]
    rows += [(one.extension, one.function, str(one.calls), f"{one.seconds:.3f}") for one in times]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, second, calls, seconds in rows:
        click.echo(
            f"{first:<{widths[0]}}  {second:<{widths[1]}}  {calls:>{widths[2]}}  {seconds:>{widths[3]}}", err=True
        )
