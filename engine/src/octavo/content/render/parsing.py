"""The Markdown parser, set up for a dialect; link definitions of a whole file are known in each of its fragments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, cast

import pyromark
from pyromark import Options

from octavo.content.scan.scope import Scope, fold_label
from octavo.content.translate.output import fences
from octavo.lazy import regex as re

_EXTENSIONS = {
    "def_list": Options.ENABLE_DEFINITION_LIST,
    "math": Options.ENABLE_MATH,
    "smart": Options.ENABLE_SMART_PUNCTUATION,
}
"""Extensions that the parser knows itself."""
_TYPED = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "--", "—": "---", "…": "..."})
_PLACE_ID = re.compile(r"[\w.:/-]+")
_MEMBER = re.compile(r"`([A-Za-z_]\w*(?:\.\w+)+)`")
"""A name with dots alone in code: what a reference in square brackets must be when nothing else tells that it is one."""
_OPTIONS = (
    Options.ENABLE_TABLES
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_GFM
)


_DELIMITER_ROW = re.compile(
    r"^(?P<indent>[ \t>]*+)(?P<row>\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*)$", re.MULTILINE
)


def _without_tabs(text: str) -> str:
    """Write spaces for tabs in delimiter rows of tables, where the parser does not know them; offsets stay as they are."""
    code: list[tuple[int, int]] | None = None
    for match in _DELIMITER_ROW.finditer(text):
        row = match["row"]
        if "\t" not in row or "|" not in row:
            continue
        code = fences(text) if code is None else code
        if not any(start <= match.start() < end for start, end in code):
            text = f"{text[: match.start('row')]}{row.replace(chr(9), ' ')}{text[match.end() :]}"
    return text


def as_typed(text: str) -> str:
    """Write the marks that `smart` draws as authors type them."""
    return text.translate(_TYPED)


def parse(text: str, scope: Scope, report: Callable[[Any], None] | None = None) -> Iterator[tuple[Any, Any]]:
    """Parse Markdown; link definitions of the whole file are known in each of its fragments.

    Args:
        text: What is parsed.
        scope: Of its file.
        report: Called for each reference without a definition.
    """
    if "\t" in text and "|" in text:
        text = _without_tabs(text)
    definitions = scope.definitions
    extensions = scope.source.dialect.extensions
    has_places = "autorefs" in extensions and "[" in text
    parser, options = _parser(extensions)
    if not definitions and not has_places and (report is None or "][" not in text):
        return cast("Iterator[tuple[Any, Any]]", parser.events_with_range(text, merge_text=True))

    def resolve(link: Any) -> tuple[str, str] | None:
        found = definitions.get(fold_label(link["reference"]))
        if found is None and has_places:
            found = _place(link)
        if found is None and report is not None:
            report(link)
        return found

    events = pyromark.events_with_range(text, options=options, merge_text=True, broken_link_callback=resolve)
    return cast("Iterator[tuple[Any, Any]]", events)


def _place(link: Any) -> tuple[str, str] | None:
    """Let a reference without a definition lead to the place with this id; see `Target` for the address."""
    label = link["reference"]
    if link["link_type"] in ("Reference", "Collapsed"):
        name = label.strip("`")
        return (f"ref:{name}", "") if _PLACE_ID.fullmatch(name) else None
    member = _MEMBER.fullmatch(label)
    return (f"ref:{member[1]}", "") if member else None


@cache
def _parser(extensions: frozenset[str]) -> tuple[pyromark.Markdown, Options]:
    """Make the parser of a dialect."""
    options = _OPTIONS
    for name, option in _EXTENSIONS.items():
        if name in extensions:
            options |= option
    return pyromark.Markdown(options=options), options
