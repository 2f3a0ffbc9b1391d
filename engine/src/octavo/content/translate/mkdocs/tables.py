"""Tables from files, as the plug-in table-reader of MkDocs writes them: `{{ read_csv('prices.csv') }}`."""

from __future__ import annotations

import ast
import csv
import io
import posixpath
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from octavo.content.translate.output import CodeRanges, Output
from octavo.content.translate.surroundings import find_file
from octavo.lazy import regex as re
from octavo.text_files import SyntaxMistakeError, parse_json, parse_yaml

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment
    from octavo.diagnostics import Level

_CALL = re.compile(
    r"\{\{-?[ \t]*(?:pd_)?read_(?P<kind>csv|table|fwf|json|yaml|excel|feather|raw|spss)\((?P<arguments>(?:[^{}]|\{[^{}]*\})*?)\)"
    r"(?:\s*\|\s*(?:add_indentation|convert_to_md_table|fix_indentation)(?:\([^(){}]*\))?)*[ \t]*-?\}\}"
)
_KINDS = ("csv", "table", "json", "yaml", "raw")
"""What is read here; the others are formats of programs."""
_OPTIONS = frozenset({"sep", "delimiter", "usecols", "nrows", "skiprows", "encoding"})
"""Options that change the table."""
_WITHOUT_EFFECT = frozenset(
    {
        "dtype",
        "keep_default_na",
        "na_filter",
        "na_values",
        "engine",
        "index_col",
        "tablefmt",
        "colalign",
        "disable_numparse",
    }
)
"""Options about types of values and spaces in Markdown, which no reader sees."""
_MOST_CELLS = 100_000


class TableError(Exception):
    """A table cannot be drawn; the message says why."""


class _Call(NamedTuple):
    kind: str
    path: str
    options: dict[str, Any]


def translate_tables(fragment: Fragment, context: CompileContext) -> Fragment:
    """Put the tables in the place of the calls that read them; in code, only files as they are."""
    text = fragment.text
    if "read_" not in text or "{{" not in text:
        return fragment
    output, position, code = Output(fragment), 0, CodeRanges(text)
    for match in _CALL.finditer(text):
        if code.holds(match.start()) and match["kind"] != "raw":
            continue
        at = match.start()
        written = _written(match, fragment, context)
        if written is None:
            continue
        output.copy(position, at)
        head = text.rfind("\n", 0, at) + 1
        position = match.end()
        if code.holds(at):
            indent = text[head:at] if not text[head:at].strip() else ""
            output.write(written.replace("\n", f"\n{indent}"), at)
        else:
            output.block(written, at, position)
    if not position:
        return fragment
    output.copy(position, len(text))
    return output.fragment()


def _written(match: re.Match[str], fragment: Fragment, context: CompileContext) -> str | None:
    """Give the Markdown of a table; None, with a finding, where there is none."""

    def report(code: str, message: str, hint: str) -> None:
        level: Level = "error" if code == "missing-snippet" else "warn"
        context.report(level, code, message, fragment.source, fragment.origin(match.start()), suggestion=hint)

    name = f"read_{match['kind']}"
    try:
        call = _read_call(match)
        dialect = fragment.source.dialect
        folders = (*dialect.snippet_folders, posixpath.dirname(fragment.source.path))
        found, places = find_file(call.path, folders, dialect, context)
        if found is None:
            message = f'The file "{call.path}" of this table does not exist in the site\'s folder.'
            report("missing-snippet", message, f"It is looked for at {' and '.join(places)}.")
            return None
        if call.kind == "raw":
            return found.removesuffix("\n")
        rows = _rows(call, found)
    except TableError as error:
        report("foreign-syntax", f"{name} cannot be drawn: {error}.", "Write the table itself, or keep it as CSV.")
        return None
    for option in sorted(set(call.options) - _OPTIONS - _WITHOUT_EFFECT):
        report(
            "foreign-syntax", f'The option "{option}" of {name} has no effect here.', "Write the table as it is to be."
        )
    return _markdown(rows)


def _read_call(match: re.Match[str]) -> _Call:
    """Read the arguments of a call, which are literals of Python.

    Raises:
        TableError: they are not, or the file is of a kind that is not read here.
    """
    if match["kind"] not in _KINDS:
        raise TableError("files of this kind are read by programs")
    try:
        call = ast.parse(f"f({match['arguments']})", mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise TableError("it is more than one call")
        values = [ast.literal_eval(one) for one in call.args]
        options = {one.arg: ast.literal_eval(one.value) for one in call.keywords if one.arg}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise TableError("its arguments are computed") from None
    path = values[0] if values else options.pop("filepath_or_buffer", options.pop("path_or_buf", None))
    if not isinstance(path, str) or not path:
        raise TableError("it names no file")
    return _Call(match["kind"], path, options)


def _rows(call: _Call, text: str) -> list[list[str]]:
    """Read the rows of a table, the first of which are its titles.

    Raises:
        TableError: the file has another form.
    """
    if call.kind in ("csv", "table"):
        rows = _chosen(_of_csv(call, text), call.options)
    else:
        try:
            value = parse_json(text) if call.kind == "json" else parse_yaml(text)
        except SyntaxMistakeError as error:
            raise TableError(f'"{call.path}" cannot be read: {error}') from None
        try:
            rows = _of_records(_records(value, call.path))
        except RecursionError:
            raise TableError(f'"{call.path}" is too deep') from None
    if not rows or not any(rows):
        raise TableError(f'"{call.path}" is empty')
    _check_size(len(rows), max(map(len, rows)))
    return rows


def _check_size(rows: int, columns: int) -> None:
    """Refuse a table of which a few rows, or a few titles, would make millions of cells.

    Raises:
        TableError: it has too many.
    """
    if rows * columns > _MOST_CELLS:
        raise TableError(f"it has more than {_MOST_CELLS:,} cells")


def _of_csv(call: _Call, text: str) -> list[list[str]]:
    separator = call.options.get("sep") or call.options.get("delimiter") or ("," if call.kind == "csv" else "\t")
    if not isinstance(separator, str) or len(separator) != 1 or separator in '\r\n"':
        raise TableError(f'"{separator}" is not a character that separates')
    skipped = call.options.get("skiprows") or 0
    if not isinstance(skipped, int) or skipped < 0:
        raise TableError('"skiprows" is not a number of rows')
    try:
        rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=separator))
    except csv.Error as error:
        raise TableError(f'"{call.path}" cannot be read: {error}') from None
    return [row for row in rows[skipped:] if row]


def _chosen(rows: list[list[str]], options: dict[str, Any]) -> list[list[str]]:
    """Keep the columns and the number of rows that the options name."""
    number, columns = options.get("nrows"), options.get("usecols")
    if isinstance(number, int) and number >= 0:
        rows = rows[: number + 1]
    if isinstance(columns, list | tuple) and rows:
        kept = [index for index, title in enumerate(rows[0]) if title in columns or index in columns]
        rows = [[row[index] if index < len(row) else "" for index in kept] for row in rows]
    return rows


def _records(value: Any, path: str) -> list[dict[str, Any]]:
    """Read a value as records: a list of them, a table of columns, or one record.

    Raises:
        TableError: it is none of these.
    """
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return [_flat(one) for one in value]
    if isinstance(value, dict) and value and all(isinstance(one, dict | list) for one in value.values()):
        columns = {str(key): _column(one) for key, one in value.items()}
        keys = dict.fromkeys(key for column in columns.values() for key in column)
        _check_size(len(keys), len(columns))
        return [{name: column.get(key) for name, column in columns.items()} for key in keys]
    if isinstance(value, dict) and value:
        return [_flat(value)]
    raise TableError(f'"{path}" holds no records')


def _column(value: dict[Any, Any] | list[Any]) -> dict[str, Any]:
    pairs: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, dict) else enumerate(value)
    return {str(key): one for key, one in pairs}


def _flat(record: dict[Any, Any], prefix: str = "") -> dict[str, Any]:
    """Give the values of a record and of those in it, by their path with dots."""
    found: dict[str, Any] = {}
    for key, value in record.items():
        name = f"{prefix}{key}"
        found |= _flat(value, f"{name}.") if isinstance(value, dict) and value else {name: value}
    return found


def _of_records(records: Sequence[dict[str, Any]]) -> list[list[str]]:
    titles = list(dict.fromkeys(title for record in records for title in record))
    _check_size(len(records), len(titles))
    return [titles, *([_text(record.get(title)) for title in titles] for record in records)]


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    """Write a table; rows that are too short get empty cells."""
    width = max(map(len, rows))
    lines = [_line([*row, *[""] * (width - len(row))]) for row in rows]
    return "\n".join([lines[0], _line(["---"] * width), *lines[1:]])


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    """Write a cell: pipes would end it, and so would the end of a line."""
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))
