"""Read command files: YAML, one document for each command, any number of them in a file."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import yaml

from octavo.config import read_settings, show_value
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
        (commands in the order of the files, without what is wrong in them; what is wrong). A name that is taken is an error.
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
        for raw, node in _documents(text):
            yield from _read_document(raw, node, path, lines)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or "it is not valid YAML"
        # What is missing at the end is missed on a line behind the last one.
        line = min(mark.line + 1, len(lines)) if mark else 1
        yield _problem(Span(path, line), f"This file of commands cannot be read: {reason}.")


def _documents(text: str) -> Iterator[tuple[Any, yaml.Node]]:
    """List the documents of a YAML stream, with their nodes, which know their lines."""
    # libyaml reads eighteen times as fast where PyYAML was built with it.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    try:
        while loader.check_node():
            node = loader.get_node()
            if node is None:
                continue
            value = loader.construct_document(node)
            if value is not None:
                yield value, node
    except RecursionError:
        raise yaml.YAMLError from None
    finally:
        loader.dispose()


def _read_document(raw: object, node: yaml.Node, path: str, lines: list[str]) -> Iterator[CommandEntry | Diagnostic]:
    """Read the command of a document without what is wrong in it, and all that is wrong."""
    span = Span(path, node.start_mark.line + 1)
    if not isinstance(raw, dict):
        yield _problem(span, f"This is {show_value(raw)}; expected a command: a table with its `name`.")
        return
    text = "\n".join(lines[node.start_mark.line : node.end_mark.line + 1])
    try:
        command, mistakes, places, _ = read_settings(raw, Command, text)
    except RecursionError:
        yield _problem(span, "This command contains itself; an alias cannot be used inside of the value that it names.")
        return
    for (_, message), place in zip(mistakes, places, strict=True):
        yield _problem(_span_at(node, place, path), message)
    if command is None:
        return
    if not NAME.fullmatch(command.name):
        message = (
            f'"{command.name}" is not a name of a command; expected words of letters, digits, "-", "_", "." and "+".'
        )
        yield _problem(_span_at(node, ("name",), path), message)
        return
    for options in (command.options, command.inherited_options):
        for option in options:
            if not OPTION_NAME.fullmatch(option.name):
                message = f'"{option.name}" is not a name of an option; write it without dashes.'
                yield _problem(_named_span(node, option.name, path), message)
    yield CommandEntry(
        msgspec.structs.replace(
            command,
            options=[one for one in command.options if OPTION_NAME.fullmatch(one.name)],
            inherited_options=[one for one in command.inherited_options if OPTION_NAME.fullmatch(one.name)],
        ),
        span,
    )


def _span_at(node: yaml.Node, place: Iterable[str], path: str) -> Span:
    """Find the place of a setting: of its key, or of an entry of a list; that of the innermost one that is there."""
    mark = node.start_mark
    for step in place:
        if isinstance(node, yaml.MappingNode):
            found = next(((key, value) for key, value in node.value if key.value == step), None)
            if found is None:
                break
            mark, node = found[0].start_mark, found[1]
        elif isinstance(node, yaml.SequenceNode) and step.isdigit() and int(step) < len(node.value):
            node = node.value[int(step)]
            mark = node.start_mark
        else:
            break
    return Span(path, mark.line + 1, mark.column + 1)


def _named_span(node: yaml.Node, name: str, path: str) -> Span:
    """Find the option of a name."""
    for key, value in node.value:
        if key.value in ("options", "inherited_options") and isinstance(value, yaml.SequenceNode):
            for option in value.value:
                for field, given in option.value if isinstance(option, yaml.MappingNode) else ():
                    if field.value == "name" and given.value == name:
                        return Span(path, given.start_mark.line + 1, given.start_mark.column + 1)
    return Span(path, node.start_mark.line + 1)


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
