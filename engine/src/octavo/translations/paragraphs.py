"""Paragraphs of Markdown sources, and which of them differ between two states of a file."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Literal, NamedTuple

from octavo.lazy import regex as re

_FENCE = re.compile(r"(?P<before>[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]+)*>?)(?P<mark>`{3,}(?=[^`]*$)|~{3,})")
"""The beginning of a block of code, also in items of lists and in quotes."""
_END_OF_FENCE = re.compile(r"[ \t>]*(?P<mark>`{3,}|~{3,})[ \t]*")
TEXT_FENCE = re.compile(
    r"[ \t]*(?P<mark>`{3,}|~{3,})\{(?:admonition|attention|aside|caution|card|danger|deprecated|details|dropdown|epigraph|error|"
    r"exercise|figure|glossary|grid|grid-item|grid-item-card|hint|important|list-table|margin|note|proof|pull-quote|seealso|"
    r"sidebar|solution|tab-item|tab-set|table|tip|topic|versionadded|versionchanged|warning)\}(?P<title>[^`\n]*)"
)
"""The beginning of a directive of MyST whose content is prose, though it is written as a block of code."""
DIRECTIVE_OPTION = re.compile(r"[ \t]*:[\w-]+:(?:[ \t].*)?")
_RAW = re.compile(r" {0,3}<(?P<name>script|style)\b(?![^\n]*</(?P=name)>)", re.IGNORECASE)
"""The beginning of a script or a style sheet that ends in a later line."""
_ALONE = re.compile(r" {0,3}#{1,6}[ \t]|[ \t]*(?::{3,}|!!!|\?\?\?|===[ \t]+[\"'])")
"""A heading, or the line at which a container begins or ends."""
_FRONT_MATTER = re.compile(r"---\n.*?\n---\n", re.DOTALL)

_MOST_INDENTED = 3
"""Spaces by which the end of a block of code may be indented more than its beginning."""


class ParagraphChange(NamedTuple):
    """A paragraph that is not as it was."""

    kind: Literal["added", "removed", "changed"]
    line: int
    """1-based line in the new text at which it begins; of what is removed, where it was."""
    old: str
    new: str


class Paragraph(NamedTuple):
    """A stretch of a source between blank lines. A block of code is one, whatever surrounds it; front matter, headings and marks of containers too."""

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
    fence: re.Match[str] | None = None
    raw = ""
    has_options = False
    directives: list[str] = []
    for number in range(start, len(lines)):
        line = lines[number]
        if raw:
            block.append(line)
            if raw in line.lower():
                raw = ""
                yield Paragraph(first + 1, "\n".join(block))
                block = []
            continue
        if fence is not None and ">" in fence["before"] and not line.lstrip().startswith(">"):
            fence = None  # the quote has ended, and with it the code
            yield Paragraph(first + 1, "\n".join(block))
            block = []
        if fence is not None:
            block.append(line)
            if _ends_fence(line, fence):
                fence = None
                yield Paragraph(first + 1, "\n".join(block))
                block = []
            continue
        fence, directive, begun = _FENCE.match(line), TEXT_FENCE.fullmatch(line), _RAW.match(line)
        is_alone = _ALONE.match(line) is not None
        # Options are directly below the beginning of their directive.
        has_options = has_options and DIRECTIVE_OPTION.fullmatch(line) is not None
        is_alone = is_alone or has_options
        if directive is not None:
            has_options = True
            directives.append(directive["mark"])
            fence, is_alone = None, True
        elif directives and line.strip().startswith(directives[-1]) and not line.strip().strip(directives[-1][0]):
            directives.pop()
            fence, is_alone = None, True
        if block and (fence or is_alone or begun or not line.strip()):
            yield Paragraph(first + 1, "\n".join(block))
            block = []
        if begun is not None:
            raw = f"</{begun['name'].lower()}>"
        if is_alone:
            yield Paragraph(number + 1, line)
        elif line.strip():
            first = first if block else number
            block.append(line)
    if block:
        yield Paragraph(first + 1, "\n".join(block).rstrip("\n"))


def _ends_fence(line: str, fence: re.Match[str]) -> bool:
    found = _END_OF_FENCE.fullmatch(line)
    return (
        found is not None
        and found["mark"].startswith(fence["mark"])
        and found.start("mark") <= fence.start("mark") + _MOST_INDENTED
    )


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
