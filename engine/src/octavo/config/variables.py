"""Variables of a site: names that stand for texts in all pages, from the settings and from data files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from octavo.config.mistakes import line_of_text, show_value
from octavo.config.schema import CONFIG_NAME, Config
from octavo.errors import ConfigError
from octavo.text_files import NotUtf8Error, parse_json, parse_toml, read_utf8

_NAME = re.compile(r"[A-Za-z_][\w-]*")


def check_variables(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """Find mistakes in the table of variables; gives (name, message)."""
    for name, value in table.items():
        full = f"{above}{name}"
        if not _NAME.fullmatch(name):
            yield name, f'variables: "{full}" is no name; expected letters, digits and underscores, such as "version".'
        elif isinstance(value, Mapping):
            yield from check_variables(value, f"{full}.")
        elif isinstance(value, float):
            # As a number, 1.10 and 1.1 are the same.
            yield name, f'variables.{full} is {value}; write numbers with a point in quotes: "{value}".'
        elif not isinstance(value, str | int):
            yield name, f"variables.{full} is {show_value(value)}; expected text in quotes, an integer or a table."
        elif isinstance(value, str) and "\n" in value:
            yield name, f"variables.{full} has several lines; expected one."


def load_variables(site_dir: Path, config: Config) -> dict[str, str]:
    """Gather all variables of a site: those of its data files, and before them those of the settings.

    Returns:
        Name → text; a value of an inner table has the names of all tables above it: `project.version`.

    Raises:
        ConfigError: a data file cannot be read.
    """
    values: dict[str, str] = {}
    for name in config.variable_files:
        values |= _flat(_read(site_dir, name))
    return values | _flat(config.variables)


def _read(site_dir: Path, name: str) -> Mapping[str, Any]:
    path = site_dir / name
    try:
        text = read_utf8(path)
        # Numbers as they are written: 1.10 is no 1.1.
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
    return ConfigError(f"{site_dir / CONFIG_NAME}:{line_of_text(settings, name)}: variable_files: {message}")


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
