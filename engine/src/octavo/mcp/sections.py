"""Parts of a page's Markdown: the text below each heading."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from octavo.lazy import regex as re
from octavo.page_list import PageHeading

_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.+?)(?:[ \t]+#*)?[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})", re.MULTILINE)
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n+", re.DOTALL)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_VERSION_MARKS = re.compile(r"(?:\s*\*\([^()*]+\)\*)+$")
_NO_WORD = re.compile(r"\W+")


class Section(msgspec.Struct, frozen=True):
    """A heading and its text, up to the next heading of any level."""

    level: int
    """1 to 6; 0 for the text before the first heading."""
    title: str
    anchor: str
    """Empty where the heading has none."""
    path: tuple[str, ...]
    """Titles of the headings above it, the page's first, and its own."""
    text: str
    """With its heading."""


def split_sections(markdown: str, headings: Sequence[PageHeading]) -> list[Section]:
    """Divide a page.

    Args:
        markdown: The page as it is published, front matter included.
        headings: Its headings in order, for their anchors; not all of them need to be found.
    """
    text = _FRONT_MATTER.sub("", markdown, count=1)
    found = _headings(text)
    anchors = _Anchors(headings)
    sections: list[Section] = []
    if not found or text[: found[0][0]].strip():
        sections.append(Section(0, "", "", (), text[: found[0][0]] if found else text))
    path: list[tuple[int, str]] = []
    for index, (start, level, title) in enumerate(found):
        end = found[index + 1][0] if index + 1 < len(found) else len(text)
        path = [*(one for one in path if one[0] < level), (level, title)]
        titles = tuple(title for _, title in path)
        sections.append(Section(level, title, anchors.take(title), titles, text[start:end].strip()))
    return sections


def whole_section(sections: Sequence[Section], index: int) -> str:
    """Give a section together with those below it."""
    first = sections[index]
    texts = [first.text]
    for section in sections[index + 1 :]:
        if section.level <= first.level:
            break
        texts.append(section.text)
    return "\n\n".join(texts)


def cut_text(text: str, most: int) -> str:
    """Shorten a text at the end of a line or a word; a block of code that is cut is closed."""
    if len(text) <= most:
        return text
    end = max(text.rfind("\n", most // 2, most), text.rfind(" ", most * 3 // 4, most))
    short = text[: end if end > 0 else most].rstrip()
    open_fences = _FENCE.findall(short)
    return f"{short} …\n{open_fences[-1]}" if len(open_fences) % 2 else f"{short} …"


def _headings(text: str) -> list[tuple[int, int, str]]:
    """List (start, level, title) of the headings outside code."""
    fences: list[tuple[int, int]] = []
    opened, mark = -1, ""
    for match in _FENCE.finditer(text):
        if opened < 0:
            opened, mark = match.start(), match[1]
        elif match[1].startswith(mark):
            fences.append((opened, match.end()))
            opened = -1
    if opened >= 0:
        fences.append((opened, len(text)))
    return [
        (match.start(), len(match[1]), _plain(match[2]))
        for match in _HEADING.finditer(text)
        if not any(start <= match.start() < end for start, end in fences)
    ]


def _plain(title: str) -> str:
    title = _VERSION_MARKS.sub("", title)
    return _LINK.sub(r"\1", title).replace("`", "").replace("**", "").replace("\\", "").strip()


class _Anchors:
    """Finds the anchor of each heading by its words; headings of the same words have theirs in the order of the page."""

    def __init__(self, headings: Sequence[PageHeading]) -> None:
        self._left: dict[str, list[str]] = {}
        for heading in reversed(headings):
            self._left.setdefault(_words(heading.text), []).append(heading.id)

    def take(self, title: str) -> str:
        left = self._left.get(_words(title))
        return left.pop() if left else ""


def _words(title: str) -> str:
    return _NO_WORD.sub(" ", title).strip().casefold()
