"""Paragraphs of reStructuredText: what of a file is translated, and where the state of its original is written.

Source:
    "reStructuredText Markup Specification" and "reStructuredText Directives", docutils 0.22, read 2026-11-30.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from octavo.lazy import regex as re

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*[ \t]*")
"""The line below a title, and perhaps above it."""
_EXPLICIT = re.compile(r"[ \t]*\.\.(?:[ \t]+(?P<rest>\S.*))?[ \t]*")
_DIRECTIVE = re.compile(r"(?:\|[^|]+\|[ \t]+)?(?P<name>[A-Za-z][\w:.+-]*?)[ \t]*::(?=[ \t]|$)(?P<text>.*)")
_FOOTNOTE = re.compile(r"\[[^\]]+\](?:[ \t]|$)")
_OPTION = re.compile(r"[ \t]*:[\w -]+:(?=[ \t]|$).*")
_DOCINFO = re.compile(
    r"(?:[ \t]*\n)*(?P<fields>(?::[A-Za-z][\w -]*:(?:[ \t][^\n]*)?\n(?:[ \t]+\S[^\n]*\n)*)+)(?=[ \t]*(?:\n|\Z))"
)
"""Fields at the head of a file, which are about the file."""
_BEGUN_BY_TEXT = re.compile(
    r"admonition|attention|card|caution|centered|compound|danger|deprecated|details|dropdown|epigraph|"
    r"error|grid-item-card|highlights|hint|important|list-table|note|pull-quote|replace|rubric|seealso|"
    r"sidebar|tab|tab-item|table|tip|todo|topic|versionadded|versionchanged|versionremoved|warning"
)
"""Directives with prose behind their name, which is a title or already the content."""
_AROUND_TEXT = re.compile(
    r"attribute|class|cmdoption|confval|container|data|describe|directive|envvar|exception|figure|function|"
    r"glossary|grid|grid-item|method|module|object|only|option|program|property|role|tab-set|tabs"
)
"""Directives whose content is prose, but not what is behind their name."""


class RstPiece(NamedTuple):
    """A part of a source: a text, or (with an empty `text`) what is taken over."""

    first: int
    """0-based number of its first line."""
    lines: list[str]
    text: str
    """What is translated; of a title without the lines above and below it."""


def rst_pieces(text: str) -> Iterator[RstPiece]:
    """Divide a source into its texts and what is taken over as it is: code, targets, comments, directives without prose."""
    lines = text.split("\n")
    head = _DOCINFO.match(text)
    number = head[0].count("\n") if head else 0
    literal_in = -1
    while number < len(lines):
        line = lines[number]
        if not line.strip():
            number += 1
            continue
        end, is_text = _end_of_paragraph(lines, number), True
        explicit = _EXPLICIT.fullmatch(line)
        if 0 <= literal_in < _margin(line):
            end, is_text = _end_of_block(lines, number, literal_in), False
        elif line.lstrip().startswith(">>>"):
            is_text = False
        elif number and lines[number - 1].strip() and _OPTION.fullmatch(line):
            end, is_text = number + 1, False  # of the directive above
        elif _is_title(lines, number):
            is_overlined = _ADORNMENT.fullmatch(line) is not None
            own = lines[number : number + (3 if is_overlined else 2)]
            yield RstPiece(number, own, own[is_overlined].strip())
            number += len(own)
            literal_in = -1
            continue
        elif explicit is not None:
            end, is_text = _end_of_explicit(lines, number, explicit["rest"] or "")
        own = lines[number:end]
        yield RstPiece(number, own, textwrap.dedent("\n".join(own)) if is_text else "")
        literal_in = _margin(line) if is_text and own[-1].rstrip().endswith("::") else -1
        number = end


def place_title(own: list[str], target: str) -> list[str]:
    """Write a title with the lines that are below it, and perhaps above it, which must not be shorter than it is."""
    title = " ".join(target.split())
    width = sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in title)
    mark = own[-1][0]
    adornment = mark * max(width, len(own[-1].rstrip()))
    return [adornment, title, adornment] if len(own) > 2 else [title, adornment]


def is_title(own: list[str]) -> bool:
    """Return whether the lines of a piece are a title with what is around it."""
    return len(own) in (2, 3) and _is_title(own, 0)


def revision_in_fields(text: str, key: str) -> str:
    """Give the value of a field at the head of a file; empty where there is none."""
    head = _DOCINFO.match(text)
    found = re.search(rf"^:{key}:[ \t]*(\S*)", head["fields"], re.MULTILINE) if head else None
    return found[1].strip("\"'") if found else ""


def with_field(text: str, key: str, value: str) -> str:
    """Write a field into the head of a file, which is not shown."""
    line = f":{key}: {value}\n"
    head = _DOCINFO.match(text)
    if head is None:
        return f"{line}\n{text}"
    fields, count = re.subn(rf"^:{key}:.*\n", line, head["fields"], count=1, flags=re.MULTILINE)
    fields = fields if count else fields + line
    return text[: head.start("fields")] + fields + text[head.end("fields") :]


def _is_title(lines: list[str], number: int) -> bool:
    """Return whether a title begins at a line: with the line above it, or with itself."""
    first, second = lines[number], lines[number + 1] if number + 1 < len(lines) else ""
    third = lines[number + 2] if number + 2 < len(lines) else ""
    if _ADORNMENT.fullmatch(first):
        is_same = third.rstrip() == first.rstrip()
        return is_same and bool(second.strip()) and not _ADORNMENT.fullmatch(second)
    if first[:1].isspace() or not _ADORNMENT.fullmatch(second):
        return False
    # Short lines below a text are text: `::` begins a block of code.
    return len(second.rstrip()) >= min(len(first.rstrip()), 4) and second.rstrip() != "::"


def _end_of_explicit(lines: list[str], number: int, rest: str) -> tuple[int, bool]:
    """Find where a comment, a target or a directive ends, or the part of it that is a text or none.

    Returns:
        (number of the line behind it, whether it is a text).
    """
    if _FOOTNOTE.match(rest):
        return _end_of_paragraph(lines, number), True
    directive = _DIRECTIVE.fullmatch(rest)
    name = directive["name"].rpartition(":")[2] if directive else ""
    is_begun = _BEGUN_BY_TEXT.fullmatch(name) is not None
    if directive is None or not (is_begun or _AROUND_TEXT.fullmatch(name)):
        return _end_of_block(lines, number + 1, _margin(lines[number])), False
    end = number + 1
    is_text = is_begun and bool(directive["text"].strip())
    while end < len(lines) and lines[end].strip():
        if is_text == (_OPTION.fullmatch(lines[end]) is not None):
            break  # options follow the text, or text follows the options
        end += 1
    return end, is_text


def _end_of_paragraph(lines: list[str], number: int) -> int:
    end = number + 1
    while end < len(lines) and lines[end].strip() and not _is_title(lines, end):
        end += 1
    return end


def _end_of_block(lines: list[str], number: int, margin: int) -> int:
    """Find the line behind those that are further in than a margin; empty lines at the end are left out."""
    last = number
    while number < len(lines) and (not lines[number].strip() or _margin(lines[number]) > margin):
        number += 1
        last = number if lines[number - 1].strip() else last
    return last


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())
