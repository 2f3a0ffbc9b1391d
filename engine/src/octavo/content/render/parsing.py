"""The Markdown parser, set up for a dialect; link definitions of a whole file are known in each of its fragments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, cast

import pyromark
from pyromark import Options

from octavo.content.scan.scope import Scope, fold_label

_EXTENSIONS = {"def_list": Options.ENABLE_DEFINITION_LIST, "math": Options.ENABLE_MATH}
"""Extensions that the parser knows itself."""
_OPTIONS = (
    Options.ENABLE_TABLES
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_GFM
)


def parse(text: str, scope: Scope, report: Callable[[Any], None] | None = None) -> Iterator[tuple[Any, Any]]:
    """Parse Markdown; link definitions of the whole file are known in each of its fragments.

    Args:
        text: What is parsed.
        scope: Of its file.
        report: Called for each reference without a definition.
    """
    definitions = scope.definitions
    parser, options = _parser(scope.source.dialect.extensions)
    if not definitions and (report is None or "][" not in text):
        return cast("Iterator[tuple[Any, Any]]", parser.events_with_range(text, merge_text=True))

    def resolve(link: Any) -> tuple[str, str] | None:
        found = definitions.get(fold_label(link["reference"]))
        if found is None and report is not None:
            report(link)
        return found

    events = pyromark.events_with_range(text, options=options, merge_text=True, broken_link_callback=resolve)
    return cast("Iterator[tuple[Any, Any]]", events)


@cache
def _parser(extensions: frozenset[str]) -> tuple[pyromark.Markdown, Options]:
    """Make the parser of a dialect."""
    options = _OPTIONS
    for name, option in _EXTENSIONS.items():
        if name in extensions:
            options |= option
    return pyromark.Markdown(options=options), options
