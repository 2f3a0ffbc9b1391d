"""Variables of a site: names that stand for texts in all pages, from the settings and from data files."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from octavo.config.mistakes import all_mistakes, line_of_text, show_value
from octavo.config.schema import CONFIG_NAME, Config
from octavo.errors import ConfigError
from octavo.lazy import regex as re
from octavo.text_files import NotUtf8Error, parse_json, parse_toml, read_utf8
from octavo.variable_uses import VARIABLE_USE_IN_FIELD

_NAME = re.compile(r"[A-Za-z_][\w-]*")
_LITERAL_SETTINGS = {"variables", "variable_files", "markdown", "extension_options", "styles", "scripts", "head"}
"""Tables in which double braces are a text: where variables are made, and where templates of others may be."""


def check_variables(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """Find mistakes in the table of variables; gives (name, message)."""
    for name, value in table.items():
        full = f"{above}{name}"
        if not _NAME.fullmatch(name):
            yield (
                name,
                f'variables: "{full}" is not a name; expected letters, digits and underscores, such as "version".',
            )
        elif isinstance(value, Mapping):
            yield from check_variables(value, f"{full}.")
        elif isinstance(value, float):
            # As a number, 1.10 and 1.1 are the same.
            yield name, f'variables.{full} is {value}; write numbers with a point in quotes: "{value}".'
        elif not isinstance(value, str | int):
            yield name, f"variables.{full} is {show_value(value)}; expected text in quotes, an integer or a table."
        elif isinstance(value, str) and "\n" in value:
            yield name, f"variables.{full} has several lines; expected one."


def fill_settings(raw: dict[str, Any], text: str, site_dir: Path | None) -> Iterator[tuple[int, str]]:
    """Put the values of variables into parsed settings, in place: titles, labels, addresses and all other texts.

    Args:
        raw: Tables of the parsed file.
        text: The file's text, for the places of mistakes.
        site_dir: Folder of the data files that `variable_files` names; None where they are not to be read.

    Yields:
        (1-based line, message) of each name that does not exist; its text stays as it is.

    Raises:
        ConfigError: a data file cannot be read.
    """
    table, files = raw.get("variables", {}), raw.get("variable_files", [])
    if "{{" not in text or not (table or files):
        return
    if not isinstance(table, dict) or not isinstance(files, list) or not all(isinstance(one, str) for one in files):
        # The check of types reports it.
        return
    if files and site_dir is None:
        return
    values = _gather(site_dir or Path(), files, table)
    for name in raw.keys() - _LITERAL_SETTINGS:
        for value, unknown, near in fill_values(raw, name, values):
            hint = f'did you mean "{near}"?' if near else "to show the braces, write '\\{{' in single quotes."
            yield line_of_text(text, value), f'"{value}": the site has no variable "{unknown}"; {hint}'


def fill_values(above: Any, place: Any, values: Mapping[str, str]) -> Iterator[tuple[str, str, str | None]]:
    """Put the values of variables into what is at a place of a table or list, in place.

    Yields:
        (text, name, name most like it) of each name that does not exist; its text stays as it is.
    """
    value = above[place]
    if isinstance(value, dict | list):
        for inner in list(value) if isinstance(value, dict) else range(len(value)):
            yield from fill_values(value, inner, values)
    elif isinstance(value, str) and "{{" in value:
        unknown: list[str] = []

        def fill(use: re.Match[str]) -> str:
            if use["escape"]:
                return use[0].removeprefix("\\")
            if use["name"] not in values:
                unknown.append(use["name"])
            return values.get(use["name"], use[0])

        above[place] = VARIABLE_USE_IN_FIELD.sub(fill, value)
        for name in unknown:
            yield value, name, next(iter(difflib.get_close_matches(name, values, n=1)), None)


def load_variables(site_dir: Path, config: Config) -> dict[str, str]:
    """Gather all variables of a site: those of its data files, and before them those of the settings.

    Returns:
        Name → text; a value of an inner table has the names of all tables above it: `project.version`.

    Raises:
        ConfigError: a data file cannot be read.
    """
    return _gather(site_dir, config.variable_files, config.variables)


def _gather(site_dir: Path, files: Sequence[str], table: Mapping[str, Any]) -> dict[str, str]:
    values: dict[str, str] = {}
    for name in files:
        values |= _flat(_read(site_dir, name))
    return values | _flat(table)


def _read(site_dir: Path, name: str) -> Mapping[str, Any]:
    path = site_dir / name
    try:
        text = read_utf8(path)
        # Numbers as they are written: 1.10 is not a 1.1.
        parse = parse_toml if path.suffix == ".toml" else parse_json
        found: Any = parse(text, parse_float=str, refuses_nul=True)
    except NotUtf8Error as error:
        raise ConfigError(f"{path}:{error.line}:{error.column}: {error}") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise _failure(site_dir, name, f'"{name}" cannot be read: {reason}.') from error
    if not isinstance(found, dict):
        raise _failure(site_dir, name, f'"{name}" is {show_value(found)}; expected an object with names and values.')
    return found


def _failure(site_dir: Path, name: str, message: str) -> ConfigError:
    settings = (site_dir / CONFIG_NAME).read_text(encoding="utf-8", errors="replace")
    problem = (line_of_text(settings, name), f"variable_files: {message}")
    return all_mistakes([problem], settings, str(site_dir / CONFIG_NAME))


def _flat(table: Mapping[str, Any], above: str = "") -> dict[str, str]:
    """Name the single values of a table; lists, and texts of several lines, are left out."""
    found: dict[str, str] = {}
    for name, value in table.items():
        if isinstance(value, Mapping):
            found |= _flat(value, f"{above}{name}.")
        elif isinstance(value, bool):
            found[f"{above}{name}"] = str(value).lower()
        elif isinstance(value, str | int) and "\n" not in str(value):
            found[f"{above}{name}"] = str(value)
    return found
