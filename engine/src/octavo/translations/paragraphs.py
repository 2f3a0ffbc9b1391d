"""Paragraphs of Markdown sources, and which of them differ between two states of a file."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_FRONT_MATTER = re.compile(r"---\n.*?\n---\n", re.DOTALL)


class ParagraphChange(NamedTuple):
    """A paragraph that is not as it was."""

    kind: Literal["added", "removed", "changed"]
    line: int
    """1-based line in the new text at which it begins; of what is removed, where it was."""
    old: str
    new: str


class Paragraph(NamedTuple):
    """A stretch of a source between blank lines; a block of code is one, and front matter too."""

    line: int
    """1-based."""
    text: str


def split_paragraphs(text: str) -> list[Paragraph]:
    """Split a source into its paragraphs."""
    text = text.replace("\r\n", "\n")
    front = _FRONT_MATTER.match(text)
    found = [Paragraph(1, front[0].rstrip("\n"))] if front else []
    start = front[0].count("\n") if front else 0
    return [*found, *_blocks(text.split("\n"), start)]


def _blocks(lines: list[str], start: int) -> Iterator[Paragraph]:
    block: list[str] = []
    first = start
    fence = ""
    for number in range(start, len(lines)):
        line = lines[number]
        if not block:
            first = number
        if match := _FENCE.match(line):
            mark = match[1]
            if not fence:
                fence = mark
            elif mark.startswith(fence) and not line[match.end() :].strip():
                fence = ""
        if line.strip() or fence:
            block.append(line)
        elif block:
            yield Paragraph(first + 1, "\n".join(block))
            block = []
    if block:
        yield Paragraph(first + 1, "\n".join(block).rstrip("\n"))


def changed_paragraphs(old: str, new: str) -> list[ParagraphChange]:
    """List the paragraphs that differ, in the order of the new text."""
    before, after = split_paragraphs(old), split_paragraphs(new)
    matcher = difflib.SequenceMatcher(
        None, [_words(one.text) for one in before], [_words(one.text) for one in after], autojunk=False
    )
    found: list[ParagraphChange] = []
    for _, first, last, start, end in (block for block in matcher.get_opcodes() if block[0] != "equal"):
        gone, come = before[first:last], after[start:end]
        for index in range(max(len(gone), len(come))):
            was = gone[index].text if index < len(gone) else ""
            now = come[index].text if index < len(come) else ""
            at = come[min(index, len(come) - 1)] if come else after[min(start, len(after) - 1)] if after else None
            kind: Literal["added", "removed", "changed"] = "changed" if was and now else "added" if now else "removed"
            found.append(ParagraphChange(kind, at.line if at else 1, was, now))
    return found


def _words(text: str) -> str:
    """Compare paragraphs without regard to where their lines end."""
    return " ".join(text.split())
