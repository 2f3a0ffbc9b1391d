"""Variables of the site in its texts: `{{ version }}`. Never in code, unless its fence has the word `variables`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from octavo.content.context import CompileContext, nearest
from octavo.content.front_matter import key_offset
from octavo.content.plain import code_in
from octavo.content.scan.buffer import Buffer
from octavo.lazy import regex as re
from octavo.variable_uses import VARIABLE_USE, VARIABLE_USE_IN_FIELD

if TYPE_CHECKING:
    from octavo.content.document import FrontMatter
    from octavo.content.source import DocumentText, Fragment

_ASKS = re.compile(r"[^\n]*(?<!\S)variables(?!\S)")
_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)|<(?P<tag>code|pre|script|style)\b[^<>]*>.*?(?:</(?P=tag)\s*>|\Z)", re.DOTALL)
_INDENTED = re.compile(r"(?:(?<=\n\n)|\A)(?:(?: {4}|\t)[^\n]*(?:\n|\Z)|[ \t]*\n(?=(?:[ \t]*\n){0,100}(?: {4}|\t)))+")
_HOLDS_MORE = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]|[ \t]*(?:<|:::|///|!!!|\?\?\?|===)")
_FIELDS = ("title", "description", "sidebar_label")
"""Keys of the front matter in which variables are replaced, too."""


def fill_variables(fragment: Fragment, context: CompileContext) -> Fragment:
    """Put the values of variables into a text; an unknown name stays as it is and is reported."""
    text = fragment.text
    if not context.options.variables or "{{" not in text:
        return fragment
    buffer = Buffer(fragment)
    position = 0
    starts, ends = _code_ranges(text)
    blocks: list[tuple[int, int]] = []
    for use in VARIABLE_USE.finditer(text):
        start = use.start()
        before = bisect_right(starts, start) - 1
        if before >= 0 and start < ends[before]:
            continue
        if _is_escaped(text, start):
            blocks = blocks or [(code.start, code.end) for code in code_in(text) if code.fence]
            block = bisect_right(blocks, (start, start)) - 1
            if block >= 0 and start < blocks[block][1]:
                # In a text the parser takes the backslash away; in code nobody does.
                buffer.copy(position, start - 1)
                position = start
            continue
        origin = fragment.origin(start)
        value = _value(use["name"], fragment.source, origin, context)
        if value is not None:
            buffer.copy(position, start)
            buffer.write(value, origin)
            position = use.end()
    if not position:
        return fragment
    buffer.copy(position, len(text))
    filled = buffer.fragment(is_contained=False)
    filled.is_contained = fragment.is_contained
    return filled


def fill_front_matter(front_matter: FrontMatter, source: DocumentText, context: CompileContext) -> FrontMatter:
    """Put the values of variables into the texts of a front matter."""
    if not context.options.variables:
        return front_matter
    changed: dict[str, str] = {}
    for field in _FIELDS:
        text = getattr(front_matter, field)
        if text and "{{" in text:
            changed[field] = _filled(text, source, key_offset(field, source), context)
    return msgspec.structs.replace(front_matter, **changed) if changed else front_matter


def _filled(text: str, source: DocumentText, offset: int, context: CompileContext) -> str:
    def value(use: re.Match[str]) -> str:
        if use["escape"]:
            return use[0].removeprefix("\\")
        found = _value(use["name"], source, offset, context)
        return use[0] if found is None else found

    return VARIABLE_USE_IN_FIELD.sub(value, text)


def _value(name: str, source: DocumentText, offset: int, context: CompileContext) -> str | None:
    known = context.options.variables
    if name not in known:
        close = nearest(name, known)
        hint = f'Did you mean "{close}"?' if close else "Write \\{{ where it is meant as it is."
        message = f'The site has no variable "{name}".'
        context.report("warn", "unknown-variable", message, source, offset, suggestion=hint)
    return known.get(name)


def _is_escaped(text: str, start: int) -> bool:
    first = start
    while first and text[first - 1] == "\\":
        first -= 1
    return (start - first) % 2 == 1


def _code_ranges(text: str) -> tuple[list[int], list[int]]:
    """Find what stays as it is: where it starts, and where all that starts up to there has ended."""
    starts: list[int] = []
    ends: list[int] = []
    for start, end in sorted(_ranges(text)):
        starts.append(start)
        ends.append(max(end, ends[-1] if ends else 0))
    return starts, ends


def _ranges(text: str) -> Iterator[tuple[int, int]]:
    # The content of fences that ask for variables is not among them.
    for code in code_in(text):
        if not (code.fence and _ASKS.match(text, code.start, code.end)):
            yield code.start, code.end
    for hidden in _HIDDEN.finditer(text):
        yield hidden.span()
    above = ""
    position = 0
    for block in _INDENTED.finditer(text):
        lines = (line for line in reversed(text[position : block.start()].split("\n")) if line.strip())
        above = next(lines, above)
        position = block.start()
        # What is indented below a list item or within an element is text.
        if not (above[:1] in (" ", "\t") or _HOLDS_MORE.match(above)):
            yield block.span()
