"""Read command files: YAML, one document for each command, any number of them in a file."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import yaml

from octavo.config import explain
from octavo.diagnostics import Diagnostic, Span
from octavo.reference.command_line.model import NAME, OPTION_NAME, Command


class CommandEntry(msgspec.Struct, frozen=True):
    """A command and its place in the data file."""

    command: Command
    span: Span


def read_commands(files: Iterable[tuple[str, str]]) -> tuple[list[CommandEntry], list[Diagnostic]]:
    """Read the commands of a program.

    Args:
        files: (path from the site's folder, text).

    Returns:
        (commands in the order of the files, what is wrong with the others). A name that is taken is an error.
    """
    entries: dict[str, CommandEntry] = {}
    problems: list[Diagnostic] = []
    for path, text in files:
        for found in _read_file(path, text):
            if isinstance(found, Diagnostic):
                problems.append(found)
            elif first := entries.get(found.command.name):
                place = f"{first.span.path}:{first.span.line}"
                problems.append(_problem(found.span, f'"{found.command.name}" is described already, at {place}.'))
            else:
                entries[found.command.name] = found
    return list(entries.values()), problems


def _read_file(path: str, text: str) -> Iterator[CommandEntry | Diagnostic]:
    lines = text.split("\n")
    try:
        for raw, start, end in _documents(text):
            yield _read_document(raw, "\n".join(lines[start:end]), path, start)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or "it is not valid YAML"
        # What is missing at the end is missed on a line behind the last one.
        line = min(mark.line + 1, len(lines)) if mark else 1
        yield _problem(Span(path, line), f"This file of commands cannot be read: {reason}.")


def _documents(text: str) -> Iterator[tuple[Any, int, int]]:
    """List the documents of a YAML stream with their first line, from 0, and the line after their last."""
    # libyaml reads eighteen times as fast where PyYAML was built with it.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    try:
        while loader.check_node():
            node = loader.get_node()
            if node is None:
                continue
            start, end = node.start_mark.line, node.end_mark.line + 1
            value = loader.construct_document(node)
            if value is not None:
                yield value, start, end
    except RecursionError:
        raise yaml.YAMLError from None
    finally:
        loader.dispose()


def _read_document(raw: object, text: str, path: str, offset: int) -> CommandEntry | Diagnostic:
    span = Span(path, offset + 1)
    try:
        command = msgspec.convert(raw, Command)
    except msgspec.ValidationError as error:
        line, message = explain(error, raw, Command, text)
        return _problem(Span(path, offset + line), message)
    except RecursionError:
        return _problem(
            span, "This command contains itself; an alias cannot be used inside of the value that it names."
        )
    if not NAME.fullmatch(command.name):
        message = f'"{command.name}" is no name of a command; expected words of letters, digits, "-", "_", "." and "+".'
        return _problem(span, message)
    for option in (*command.options, *command.inherited_options):
        if not OPTION_NAME.fullmatch(option.name):
            message = f'"{option.name}" is no name of an option; write it without dashes.'
            return _problem(span, message)
    return CommandEntry(command, span)


def check_commands(entries: Iterable[CommandEntry]) -> Iterator[Diagnostic]:
    """Find options that a command has twice, and commands that it refers to and that are not described.

    Args:
        entries: All commands of a program.
    """
    listed = list(entries)
    known = {entry.command.name for entry in listed}
    programs = {name.partition(" ")[0] for name in known}
    for entry in listed:
        command, seen = entry.command, set[str]()
        for option in command.options:
            for name in option.names:
                if name in seen:
                    message = f'"{command.name}" has the option "{name}" twice.'
                    yield Diagnostic("commands", "warn", entry.span, message, "Join the two, or rename one.")
                seen.add(name)
        for name in map(name_in, command.see_also):
            if name not in known and name.partition(" ")[0] in programs:
                close = difflib.get_close_matches(name, known, 1)
                hint = f'Did you mean "{close[0]}"?' if close else "Take it out of `see_also`."
                message = (
                    f'"{command.name}" refers to "{name}", which is not described: its name is shown without a link.'
                )
                yield Diagnostic("commands", "warn", entry.span, message, hint)


def name_in(entry: str) -> str:
    """Take the name out of `name - synopsis` (cobra writes a tab before the dash)."""
    return entry.replace("\t", " ").partition(" - ")[0].strip()


def _problem(span: Span, message: str) -> Diagnostic:
    return Diagnostic(code="commands", level="error", span=span, message=message)
