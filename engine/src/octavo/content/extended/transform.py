"""Let extensions change the text of a document, and keep the places of what they leave."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from octavo.content.source import Fragment, normalize

if TYPE_CHECKING:
    from octavo.content.context import CompileContext

_MOST_COMPARED = 4_000_000
"""Pairs of lines that are compared; between larger texts only what is the same at both ends keeps its place."""


def transform(fragment: Fragment, context: CompileContext) -> Fragment:
    """Give the text that the transforms of extensions have made of a document's."""
    if context.extender is None:
        return fragment
    given = context.take_extended(context.extender.transform(fragment.source.path, fragment.text, context.fields))
    if given is None or given.value == fragment.text:
        return fragment
    return _placed(fragment, normalize(given.value))


def _placed(fragment: Fragment, text: str) -> Fragment:
    """Make a fragment of a changed text: lines that are as they were keep their places, others have that of the last one."""
    before = fragment.text.splitlines(keepends=True)
    after = text.splitlines(keepends=True)
    offsets = [0]
    for line in before:
        offsets.append(offsets[-1] + len(line))
    lines = _origins(before, after)
    starts: list[int] = []
    origins: list[int] = []
    position = last = 0
    for line, own in zip(after, lines, strict=True):
        last = last if own is None else own
        starts.append(position)
        origins.append(fragment.origin(min(offsets[last], max(len(fragment.text) - 1, 0))))
        position += len(line)
    if not starts:
        starts, origins = [0], [fragment.origin(0)]
    return Fragment(fragment.source, text, starts, origins, is_contained=fragment.is_contained)


def _origins(before: list[str], after: list[str]) -> list[int | None]:
    """Find for each line after its index before; None for lines that are new."""
    found: list[int | None] = [None] * len(after)
    first = 0
    while first < min(len(before), len(after)) and before[first] == after[first]:
        found[first] = first
        first += 1
    end = 0
    while end < min(len(before), len(after)) - first and before[-1 - end] == after[-1 - end]:
        end += 1
        found[-end] = len(before) - end
    old, new = before[first : len(before) - end], after[first : len(after) - end]
    if len(old) * len(new) <= _MOST_COMPARED:
        matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
        for block in matcher.get_matching_blocks():
            for step in range(block.size):
                found[first + block.b + step] = first + block.a + step
    return found
