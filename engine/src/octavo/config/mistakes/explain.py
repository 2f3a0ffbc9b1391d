"""Say what is wrong with a configuration: file, line, value, what was expected, and the nearest guess.

The validator names a path such as `$.navbar.items[3].position`; the value, its line and the settings that
would have been right are found out here.
"""

from __future__ import annotations

import difflib
import types
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from octavo.diagnostics import Diagnostic, Span, cut_line
from octavo.errors import ConfigError
from octavo.lazy import regex as re
from octavo.text_files import NUL_MISTAKE

UNKNOWN = re.compile(r"Object contains unknown field `(?P<key>[^`]*)`")
MISSING = re.compile(r"Object missing required field `(?P<key>[^`]*)`")
_KEY = r"(?:^|[\s{{,\[.])[\"']?{}[\"']?\s*[=.\]:]"
UNSET = "the environment has no variable"
_IS_MISSING = " is missing; it must be given."
_FEW = 8
"""Settings of a table that a message lists."""
_OTHER_NAMES = {
    "baseUrl": "base_url",
    "css": "styles",
    "favicons": "favicon",
    "findings": "diagnostics",
    "i18n": "locales",
    "language": "locales",
    "languages": "locales",
    "levels": "diagnostics",
    "links": "columns",
    "logo": "navbar",
    "menu": "navbar",
    "name": "title",
    "nav": "navbar",
    "plugins": "extensions",
    "sidebar": "sidebars",
    "site_name": "title",
    "site_url": "url",
    "topbar": "navbar",
    "translations": "locales",
}
"""What other engines call a setting, or authors may guess → its name."""
_NAMES = {
    str: "text in quotes",
    int: "an integer",
    float: "a number",
    bool: "true or false",
    type(None): "nothing",
    list: "a list",
    dict: "a table",
}


def explain(error: msgspec.ValidationError, raw: object, root: type, text: str) -> tuple[int, str]:
    """Turn a validator's error into a sentence with a remedy.

    Args:
        error: What the validator said.
        raw: The parsed file.
        root: The struct that it was to become.
        text: The file's text: TOML, YAML or JSON.

    Returns:
        (1-based line, message).
    """
    what, parts = what_and_where(error)
    return explain_at(what, parts, named_parts(parts, raw, root), raw, root, text)


def explain_at(what: str, parts: list[str], named: list[str], raw: object, root: type, text: str) -> tuple[int, str]:
    """Explain as `explain` does, where the path is known.

    Args:
        what: What the validator said, without the path.
        parts: The path, with `...` for a step into any value of a mapping.
        named: The path, with the keys of mappings.
        raw: The parsed file.
        root: The struct that it was to become.
        text: The file's text.
    """
    # What is written for the whole site is kept under ".".
    where = ".".join(part for part in named if not is_step(part) and part != ".")
    if match := UNKNOWN.fullmatch(what):
        table = _type_at(root, parts)
        known = field_types(table) if table else {}
        close = [name for name in (_OTHER_NAMES.get(match["key"]),) if name in known]
        close = close or difflib.get_close_matches(match["key"], known, n=1)
        place = f" in {where}" if where else ""
        hint = f' Did you mean "{close[0]}"?' if close else ""
        if not close and len(known) <= _FEW:
            hint = f" Known settings: {', '.join(known)}."
        if where and match["key"] in field_types(root):
            # The usual mistake of TOML: a line at the end of the file belongs to its last table.
            hint += " As a setting of the whole file, write it above the first line in brackets."
        return line_of_key(text, match["key"], named), f'"{match["key"]}" is not a setting{place}.{hint}'
    if match := MISSING.fullmatch(what):
        key = match["key"]
        place = f"{where}.{key}" if where else key
        return line_of_table(text, named), f"{place}{_IS_MISSING}"
    hint = hint_at(root, parts)
    value = next((value for value in _values_at(raw, named) if not _fits(value, hint)), None)
    key = next((part for part in reversed(named) if not is_step(part)), "")
    line = line_of_value(text, key, value, named)
    meant = f" Did you mean {show_value(choice)}?" if (choice := _nearest_choice(value, hint)) else ""
    return line, f"{where or 'this'} is {show_value(value)}; expected {_describe(hint)}.{meant}"


def all_mistakes(
    problems: Iterable[tuple[int, str]],
    text: str,
    name: str,
    columns: Mapping[tuple[int, str], int] | None = None,
) -> ConfigError:
    """Make one error of all mistakes of a file.

    Args:
        problems: (1-based line, message) of each.
        text: The file's text.
        name: The file's name in the message; findings name it from the site's folder.
        columns: Problem → 1-based column, where it is known; else that of the first quoted text of the message in the line.
    """
    lines = text.splitlines()
    listed = _without_unset(sorted(_spread(problems, lines)), lines)
    findings = [
        _finding(lines, name, line, (columns or {}).get((line, message)) or _column(lines, line, message), message)
        for line, message in listed
    ]
    return ConfigError("\n".join(f"{name}:{line}: {message}" for line, message in listed), findings)


def _spread(problems: Iterable[tuple[int, str]], lines: list[str]) -> set[tuple[int, str]]:
    """Put a mistake that was found several times on the lines that are written alike.

    Places are found by the value, so they are all on the first of these lines.
    """
    spread: set[tuple[int, str]] = set()
    for line, message in problems:
        place = line
        if (line, message) in spread and line <= len(lines):
            written = lines[line - 1].strip()
            alike = (number for number, other in enumerate(lines, 1) if number > line and other.strip() == written)
            place = next((number for number in alike if (number, message) not in spread), line)
        spread.add((place, message))
    return spread


def _without_unset(problems: list[tuple[int, str]], lines: list[str]) -> list[tuple[int, str]]:
    """Leave out that a setting is missing where it is there, and the variable that it names is not set."""
    unset = "\n".join(lines[line - 1] for line, message in problems if UNSET in message and line <= len(lines))
    return [
        (line, message)
        for line, message in problems
        if not (unset and message.endswith(_IS_MISSING))
        or not re.search(
            _KEY.format(re.escape(message.removesuffix(_IS_MISSING).rpartition(".")[2])), unset, re.MULTILINE
        )
    ]


def _finding(lines: list[str], name: str, line: int, column: int, message: str) -> Diagnostic:
    excerpt, start = cut_line(lines[line - 1] if line <= len(lines) else "", column)
    return Diagnostic("config-error", "error", Span(PurePath(name).name, line, column), message, "", excerpt, start)


def _column(lines: list[str], line: int, message: str) -> int:
    """1-based column of what a message is about: the first of its quoted texts that the line holds, else its setting."""
    shown = lines[line - 1] if line <= len(lines) else ""
    quoted = re.findall(r'"([^"]+)"', message)
    setting = message.split(maxsplit=1)[0].rstrip(":").rpartition(".")[2] if message else ""
    for word in (*quoted, setting):
        pattern = rf"[\"']?(?<![\w-]){re.escape(word)}(?![\w-])"
        if word and (found := re.search(pattern, shown)):
            return found.start() + 1
    return len(shown) - len(shown.lstrip()) + 1


def explain_syntax(message: str, text: str, name: str) -> ConfigError:
    """Explain why a file is not TOML.

    Args:
        message: What the parser said.
        text: The file's text.
        name: The file's name in the message; the finding names it from the site's folder.
    """
    match = re.fullmatch(r"(?P<what>.*) \(at line (?P<line>\d+), column (?P<column>\d+)\)", message, re.DOTALL)
    what = match["what"] if match else message.removesuffix(" (at end of document)")
    line = int(match["line"]) if match else text.count("\n") + 1
    place = f"{line}:{match['column']}" if match else str(line)
    reason = what if what == NUL_MISTAKE else f"this is not valid TOML: {what}"
    explained = f"{reason}.{_remedy(what, text) or _second_remedy(what, text, match)}"
    finding = _finding(text.split("\n"), name, line, int(match["column"]) if match else 1, explained)
    return ConfigError(f"{name}:{place}: {explained}", [finding])


_TWICE = re.compile("Cannot declare|Cannot mutate immutable namespace")


def _remedy(what: str, text: str) -> str:
    """Say what to do about a table or a list that is written in two places."""
    keys = re.findall(r"'([^']*)'", what)
    if not _TWICE.match(what) or not keys:
        return ""
    *above, last = map(re.escape, keys)
    table = re.search(rf"^\[{'[.]'.join(above)}\]", text, re.MULTILINE) if above else None
    value = re.compile(rf"^{last}\s*=", re.MULTILINE).search(text, table.end() if table else 0)
    head = re.search(rf"^\[\[?{'[.]'.join([*above, last])}\]", text, re.MULTILINE)
    start = min((found.start() for found in (value, head) if found), default=None)
    where = "" if start is None else f" in line {text.count(chr(10), 0, start) + 1}"
    return (
        f' "{".".join(keys)}" is written before{where}, and a table or a list has one place: add the new lines there.'
    )


_WRITTEN = re.compile(r"\s*(?:\[\[?\s*(?P<table>[^\]]+?)\s*\]|(?P<key>[\w-]+|\"[^\"]+\"|'[^']+')\s*=)")


def _second_remedy(what: str, text: str, place: re.Match[str] | None) -> str:
    """Say where a setting that is written twice is written first; the parser names the place of the second."""
    if place is None or what != "Cannot overwrite a value":
        return ""
    lines = text.splitlines()
    end = int(place["line"])
    found = _WRITTEN.match(lines[end - 1])
    if found is None:
        return ""
    # A table is at the same place in the whole file, a key in its own table only.
    start = 0
    if found["key"]:
        start = next((number for number in range(end - 1, 0, -1) if lines[number - 1].lstrip().startswith("[")), 0)
    for number in range(start, end - 1):
        other = _WRITTEN.match(lines[number])
        if other is not None and _names(other) == _names(found):
            return f' "{_names(found)}" is written before in line {number + 1}: write it once.'
    return ""


def _names(written: re.Match[str]) -> str:
    return (written["table"] or written["key"]).strip("\"'")


def show_value(value: object) -> str:
    """Show a value as it is written in TOML; tables and long values by their kind."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return "a list"
    return "a table" if isinstance(value, dict) else str(value)


def line_of_key(text: str, key: str, parts: list[str] | None = None) -> int:
    """1-based line on which a key is given; the first one under the table that `parts` name. 1 where it isn't found."""
    lines = _code_lines(text)
    pattern = re.compile(_KEY.format(re.escape(key)))
    start = _table_start(lines, parts or [])
    for first in (start, 0):
        for number, line in enumerate(lines[first:], start=first + 1):
            if pattern.search(line):
                return number
    return 1


def line_of_value(text: str, key: str, value: object, parts: list[str] | None = None) -> int:
    """1-based line on which a key has this value; where that isn't found, the key's."""
    if isinstance(value, (str, int, float)):
        shown = re.escape(show_value(value)).replace('"', "[\"']")
        pattern = re.compile(rf"{_KEY.format(re.escape(key))}.*?{shown}(?![\w.])")
        for number, line in enumerate(_code_lines(text), start=1):
            if pattern.search(line):
                return number
    return line_of_key(text, key, parts)


def line_of_text(text: str, quoted: str, *, nth: int = 1) -> int:
    """1-based line of the *n*th occurrence of a text in quotes, else as a word; 1 if it isn't found."""
    lines = _code_lines(text)
    for pattern in (rf"[\"']{re.escape(quoted)}[\"']", rf"(?<![\w/-]){re.escape(quoted)}(?![\w/-])"):
        seen = 0
        for number, line in enumerate(lines, start=1):
            seen += len(re.findall(pattern, line))
            if seen >= nth:
                return number
    return 1


_LONG_TEXT = re.compile(r"(\"{3}|'{3})(.*?)(?<!\\)\1", re.DOTALL)


def _code_lines(text: str) -> list[str]:
    """Split the file into lines, with comments and the content of multi-line strings emptied: they may look like settings."""
    if '"""' in text or "'''" in text:
        text = _LONG_TEXT.sub(lambda match: match[1] + "\n" * match[2].count("\n") + match[1], text)
    return ["" if line.lstrip().startswith("#") else line for line in text.splitlines()]


def line_of_table(text: str, parts: list[str]) -> int:
    """1-based line on which a table begins; 1 for the file itself and where it isn't found."""
    if not parts:
        return 1
    names = [part for part in parts if not is_step(part)]
    lines = _code_lines(text)
    start = _table_start(lines, parts)
    if not re.search(rf"(?:^|[.\[\s\"']){re.escape(names[-1])}[\"']?\s*\]", lines[start]):
        # It is written in one line: `authors.ada = {}`, or within another one.
        inline = re.compile(rf"(?:^|[.{{,\s])[\"']?{re.escape(names[-1])}[\"']?\s*=")
        within = next((number for number, line in enumerate(lines[start:], start) if inline.search(line)), None)
        if within is not None:
            return within + 1
    return start + 1 if start else line_of_key(text, names[-1], parts[:-1])


def _table_start(lines: list[str], parts: list[str]) -> int:
    """0-based line of the header of the innermost table that has one; 0 where none has."""
    for length in range(len(parts), 0, -1):
        names = [part for part in parts[:length] if not is_step(part)]
        index = int(parts[length - 1]) if parts[length - 1].isdigit() else 0
        header = re.compile(rf"\s*\[+\s*{re.escape('.'.join(names))}\s*\]")
        found = [number for number, line in enumerate(lines) if header.match(line)]
        if index < len(found):
            return found[index]
    return 0


def what_and_where(error: msgspec.ValidationError) -> tuple[str, list[str]]:
    """Split what a validator said into the mistake and its path."""
    what, _, path = str(error).partition(" - at `")
    return what, _parts_of(path.rstrip("`"))


def _parts_of(path: str) -> list[str]:
    """Split `$.navbar.items[3].position` into its steps; a step into any value of a mapping is `...`."""
    return [match[1] or match[2] for match in re.finditer(r"\.([A-Za-z_][\w-]*)|\[(\d+|\.\.\.)\]", path)]


def named_parts(parts: list[str], raw: object, root: type) -> list[str]:
    """Put the key into a path for a step into any value of a mapping: that of the first value that does not fit."""
    hint = hint_at(root, parts)
    named: list[str] = []
    for number, part in enumerate(parts):
        key = part
        if part == "..." and isinstance(raw, dict):
            rest = parts[number + 1 :]
            wrong = (key for key, child in raw.items() if not all(_fits(one, hint) for one in _values_at(child, rest)))
            key = next(wrong, part)
        named.append(key)
        if isinstance(raw, list):
            raw = raw[int(key)] if key.isdigit() and int(key) < len(raw) else None
        else:
            raw = raw.get(key) if isinstance(raw, dict) else None
    return named


def is_step(part: str) -> bool:
    """A step into a list or a mapping, which the file has no name for."""
    return part == "..." or part.isdigit()


def _values_at(raw: object, parts: list[str]) -> Iterator[object]:
    if not parts:
        yield raw
    elif parts[0] == "..." and isinstance(raw, dict):
        for child in raw.values():
            yield from _values_at(child, parts[1:])
    elif isinstance(raw, list) and parts[0].isdigit():
        yield from _values_at(raw[int(parts[0])], parts[1:])
    elif isinstance(raw, dict) and parts[0] in raw:
        yield from _values_at(raw[parts[0]], parts[1:])


def _type_at(root: type, parts: list[str]) -> type[msgspec.Struct] | None:
    hint = hint_at(root, parts)
    return next((member for member in members_of(hint) if _is_struct(member)), None)


def hint_at(root: Any, parts: list[str]) -> Any:
    hint = root
    for part in parts:
        members = members_of(hint)
        if is_step(part):
            hint = next((get_args(member)[-1] for member in members if get_origin(member) in (list, dict)), Any)
        else:
            hint = next((field_types(member)[part] for member in members if part in field_types(member)), Any)
    return hint


def members_of(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)


def _is_struct(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, msgspec.Struct)


def field_types(table: Any) -> dict[str, Any]:
    """Name in the file → type, of the fields of a struct; empty for other types."""
    if not _is_struct(table):
        return {}
    hints = get_type_hints(table)
    fields = msgspec.structs.fields(table)
    return {field.encode_name: hints[field.name] for field in fields if not field.encode_name.startswith("_")}


def _fits(value: object, hint: Any) -> bool:
    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError:
        return False
    return True


def _nearest_choice(value: object, hint: Any) -> str | None:
    """Give the value that was probably meant, where a type takes certain texts only."""
    choices = [choice for member in members_of(hint) if get_origin(member) is Literal for choice in get_args(member)]
    texts = [choice for choice in choices if isinstance(choice, str)]
    if not isinstance(value, str):
        return None
    folded = {re.sub(r"[\W_]", "", choice).lower(): choice for choice in texts}
    close = difflib.get_close_matches(re.sub(r"[\W_]", "", value).lower(), folded, n=1)
    return folded[close[0]] if close else None


def _describe(hint: Any) -> str:
    """Say in words what a type takes."""
    members = [member for member in members_of(hint) if member is not type(None)]
    return " or ".join(_describe_one(member) for member in members)


def _describe_one(hint: Any) -> str:
    if get_origin(hint) is Literal:
        *others, last = (show_value(value) for value in get_args(hint))
        return f"{', '.join(others)} or {last}" if others else last
    if _is_struct(hint):
        return "a table"
    origin = get_origin(hint) or hint
    if origin is list and get_args(hint):
        inner = get_args(hint)[0]
        return "a list of tables" if _is_struct(inner) else "a list of texts" if inner is str else "a list"
    return _NAMES.get(origin, "another value")
