"""Settings whose value comes from the environment: `url = "env:SITE_URL"`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from octavo.config.mistakes import UNSET, line_of_text
from octavo.lazy import regex as re

_NAMED = re.compile(r"env:([A-Za-z_][A-Za-z0-9_]*)")


def fill_in(raw: Any, environment: Mapping[str, str], text: str) -> Iterator[tuple[int, str]]:
    """Put the values of variables into parsed settings, in place.

    Args:
        raw: Tables and lists of the parsed file.
        environment: Variables.
        text: The file's text, for the places of mistakes.

    Yields:
        (1-based line, message) of each value whose variable is not set. It is removed, so that the setting's default
        takes its place while the other mistakes are looked for.
    """
    places = list(raw.items() if isinstance(raw, dict) else enumerate(raw))
    for place, value in reversed(places):
        if isinstance(value, dict | list):
            yield from fill_in(value, environment, text)
        elif isinstance(value, str) and (named := _NAMED.fullmatch(value)):
            if (found := environment.get(named[1])) is not None:
                raw[place] = found
            else:
                del raw[place]
                line = line_of_text(text, value)
                yield line, f'"{value}": {UNSET} {named[1]}; set it, or write the value here.'
