"""The page without components: as plain Markdown, and the first lines of it as a description."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from octavo.content.document import TextChunk
from octavo.content.source import MARK_CLOSE, MARK_OPEN
from octavo.lazy import regex as re

_EXCERPT_LENGTH = 160
"""Characters, the ellipsis included."""


_MARKUP = re.compile(r"</?(?:[A-Za-z][^<>{}]*(?:\{(?:[^{}]|\{[^{}]*\})*\}[^<>{}]*)*)?>")
"""A tag of an element in an expression, with expressions among its attributes."""
_ELEMENTS = re.compile(r"\{\s*(?:\(\s*)?(?P<markup><.*>)\s*(?:\)\s*)?\}", re.DOTALL)
_TEXT = re.compile(r"""(?<!=)\{\s*(["'`])([^"'`{}<>\\\n]*)\1\s*\}""")
"""A text in braces between elements, such as `{" "}`."""
_PICTURE = re.compile(r"""<img\b[^<>]*?\ssrc=["']([^"']+)["']""")


def markup_in(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Find the elements that are the whole of an expression in braces: offsets; None where it is anything else."""
    match = _ELEMENTS.fullmatch(text, start, end)
    return match.span("markup") if match else None


def markup_end(text: str, start: int, limit: int) -> int:
    """Find the end of the element or the fragment that begins at an offset; -1 where there is none."""
    depth = 0
    position = start
    while (tag := _MARKUP.search(text, position, limit)) and (depth or tag.start() == start):
        depth += -1 if tag[0].startswith("</") else 0 if tag[0].endswith("/>") else 1
        position = tag.end()
        if depth <= 0:
            return position
    return -1


def shown_markup(name: str, markup: str) -> str | None:
    """Give what readers see of an element that is the value of an attribute: its text, or the picture of an icon.

    Args:
        name: Of the attribute.
        markup: The element.

    Returns:
        None where it holds more than elements and text; empty where it has no words and is an icon.
    """
    shown = " ".join(html.unescape(_MARKUP.sub(" ", _TEXT.sub(r"\2", markup))).split())
    if "{" in shown or "<" in shown or ">" in shown:
        return None
    if name != "icon":
        return re.sub(r" (?=[.,;:!?)])", "", shown) or None
    picture = _PICTURE.match(markup)
    return picture[1] if picture else ""


def excerpt(chunks: Iterable[TextChunk]) -> str:
    """Give the first meaningful prose of a page, cut at a word."""
    found: dict[str, str] = {}
    for chunk in chunks:
        found.setdefault(chunk.kind, chunk.text)
        if chunk.kind == "paragraph":
            break
    text = next((found[kind] for kind in ("paragraph", "item", "admonition", "tab", "html") if kind in found), "")
    if len(text) <= _EXCERPT_LENGTH:
        return text
    head = text[:_EXCERPT_LENGTH]
    return f"{(head.rpartition(' ')[0] or head[:-1]).rstrip('.,;:')}…"


_NOT_QUOTE = re.compile(r"[^>]")
_DEEPEST_INDENT = 400
"""Characters in front of a piece that make the indentation of its lines."""
_MARK = re.compile(rf"{MARK_OPEN}([0-9]+){MARK_CLOSE}")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]")
_NESTED = 2
"""Times that marks are resolved: those of a text, and those of the pieces that are put into it."""


def resolve_markdown(text: str, markdown_of: Mapping[int, str]) -> str:
    """Put the lifted pieces back into a fragment's text, each as plain Markdown, indented as its place is."""
    # By the marks, and not by the lines before them: a pattern that begins with a line is tried at every character.
    for _ in range(_NESTED):
        if MARK_OPEN not in text:
            break
        parts: list[str] = []
        done, last_line, last_block = 0, -1, -1
        for match in _MARK.finditer(text):
            start, end = match.span()
            markdown = markdown_of.get(int(match[1]), "")
            line = text.rfind("\n", 0, start) + 1
            is_opened, is_closed = text.startswith("<?", max(start - 2, done)), text.startswith("?>", end)
            if is_opened and is_closed and line != last_line:
                indent = _indent_of(text[line : start - 2])
                first, *others = markdown.strip("\n").split("\n")
                markdown = "\n".join([first, *((indent + other).rstrip() for other in others)])
                # Blocks in lines that follow each other would be one paragraph; items stay one list.
                if first and 0 <= last_block == line - 1 and not _ITEM.match(first) and parts[-1]:
                    markdown = f"\n{indent}{markdown}" if not indent.strip() else markdown
                last_block = end + 2
            last_line = line
            parts += text[done : start - 2 * is_opened], markdown
            done = end + 2 * is_closed
        text = "".join([*parts, text[done:]])
    return text


def _indent_of(before: str) -> str:
    """Give what begins the other lines of a piece: quotation marks, and spaces as wide as all else in front of it."""
    # What is behind a long text would be indented as far in each of its lines.
    before = before if len(before) <= _DEEPEST_INDENT else before[: len(before) - len(before.lstrip(" \t>"))]
    return _NOT_QUOTE.sub(" ", before)


_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})")
_HEADING_ID = re.compile(r"(#{1,6}[ \t].*?)[ \t]*\{#[^{}]+\}[ \t]*")
_ALERT = re.compile(r"((?:[ \t]*>)+[ \t]*)\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*", re.IGNORECASE)


def tidy_markdown(text: str) -> str:
    """Take out what other readers of Markdown would show as it is: heading ids, alert words, comments."""
    if "{#" not in text and "> [!" not in text and "<!--" not in text:
        return text
    lines: list[str] = []
    fence = ""
    is_comment = False
    for line in text.split("\n"):
        opening = _FENCE.match(line)
        if fence:
            if opening and opening[1].startswith(fence) and not line[opening.end() :].strip():
                fence = ""
        elif opening and not is_comment:
            fence = opening[1]
        else:
            tidied, is_comment = _tidy_line(line, is_comment=is_comment)
            if tidied is not None:
                lines.append(tidied)
            continue
        lines.append(line)
    return "\n".join(lines)


def _tidy_line(line: str, *, is_comment: bool) -> tuple[str | None, bool]:
    """Tidy a line of prose; None if only a comment was in it. Also whether a comment continues after it."""
    had_comment = is_comment
    if is_comment:
        _, closing, line = line.partition("-->")
        if not closing:
            return None, True
    if "<!--" in line:
        had_comment = True
        line, is_comment = _without_comments(line)
    else:
        is_comment = False
    if had_comment and not line.strip():
        return None, is_comment
    if heading := _HEADING_ID.fullmatch(line):
        return heading[1], is_comment
    if alert := _ALERT.fullmatch(line):
        return f"{alert[1]}**{alert[2].capitalize()}**", is_comment
    return line, is_comment


def _without_comments(line: str) -> tuple[str, bool]:
    kept: list[str] = []
    place = 0
    for found in _CODE_OR_COMMENT.finditer(line):
        if not found["comment"]:
            continue
        kept.append(line[place : found.start()])
        place = found.end()
        if not found["closed"]:
            return "".join(kept), True
    return "".join([*kept, line[place:]]), False


_CODE_OR_COMMENT = re.compile(
    r"(?<![`\\])(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)|(?P<comment><!--(?:.*?(?P<closed>-->)|.*))"
)
"""Code in a line, in which no comment begins, and a comment, which may go on in the next line."""


_CODE = re.compile(
    r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?P<fence>`{3,}|~{3,})[^\n]*$|(?P<ticks>(?<!`)`+(?!`))", re.MULTILINE
)


class Code(NamedTuple):
    """Code in a text: a fenced block, or a part of a line."""

    start: int
    end: int
    fence: tuple[int, int] | None
    """Where the mark of a block is that opens it."""


def code_in(text: str) -> Iterator[Code]:
    """Find fenced code and code in lines, in a time that grows with the text also where many fences have no end."""
    if "`" not in text and "~~~" not in text:
        return
    position = 0
    unclosed: set[str] = set()
    while match := _CODE.search(text, position):
        mark = match["fence"]
        if mark and mark not in unclosed:
            if closing := _fence_end(mark).search(text, match.end()):
                yield Code(match.start(), closing.end(), match.span("fence"))
                position = closing.end()
                continue
            unclosed.add(mark)
        start, position = match.span("fence" if mark else "ticks")
        line_end = text.find("\n", position)
        if text[start] == "`" and (
            closing := _ticks_end(position - start).search(text, position, line_end if line_end >= 0 else len(text))
        ):
            yield Code(start, closing.end(), None)
            position = closing.end()


@lru_cache(maxsize=32)
def _fence_end(mark: str) -> re.Pattern[str]:
    return re.compile(rf"\n[ \t>]*{mark}[`~]*[ \t]*$", re.MULTILINE)


@lru_cache(maxsize=32)
def _ticks_end(length: int) -> re.Pattern[str]:
    return re.compile(f"(?<!`)`{{{length}}}(?!`)")


def without_code(text: str, *, is_mdx: bool = False) -> str:
    """Write spaces in the place of fenced code and code in lines; every other character stays where it is.

    Args:
        text: Of a page.
        is_mdx: What is in blocks of the language `mdx-code-block` is a part of the page, and stays.
    """
    parts: list[str] = []
    position = 0
    for code in code_in(text):
        lines = text[code.start : code.end].split("\n")
        blank = "\n".join(" " * len(line) for line in lines)
        if is_mdx and code.fence and lines[0].strip("`~ \t") == "mdx-code-block":
            inner = without_code("\n".join(lines[1:-1]))
            blank = f"{' ' * len(lines[0])}\n{inner}\n{' ' * len(lines[-1])}"
        parts += text[position : code.start], blank
        position = code.end
    return "".join([*parts, text[position:]])


class Stretch(NamedTuple):
    """A part of a text, from an opening to its ending."""

    opening: re.Match[str]
    ending: re.Match[str]

    def span(self) -> tuple[int, int]:
        """Give its start, and its end."""
        return self.opening.start(), self.ending.end()

    def inner(self) -> str:
        """Give what is between opening and ending."""
        return self.opening.string[self.opening.end() : self.ending.start()]


def stretches(text: str, opening: re.Pattern[str], ending: str | Callable[[re.Match[str]], str]) -> Iterator[Stretch]:
    """Find stretches that do not overlap, in a time that grows with the text.

    One pattern for the whole of a stretch looks to the end of the text for the ending of each opening that has none.

    Args:
        text: What is searched.
        opening: Matches no part of what is behind an opening.
        ending: A pattern, or what makes one of an opening.
    """
    position = 0
    missing: set[str] = set()
    while match := opening.search(text, position):
        position = match.end()
        wanted = ending if isinstance(ending, str) else ending(match)
        if wanted in missing:
            continue
        found = _ending(wanted).search(text, position)
        if found is None:
            missing.add(wanted)
            continue
        position = found.end()
        yield Stretch(match, found)


@lru_cache(maxsize=32)
def _ending(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE)


_COMMENT = re.compile(r"\{/\*|<!--")
_COMMENT_ENDS = {"{/*": r"\*/\}", "<!--": "-->"}


def without_comments(text: str) -> str:
    """Write spaces in the place of comments of MDX and of HTML; every other character stays where it is."""
    if "{/*" not in text and "<!--" not in text:
        return text
    parts: list[str] = []
    position = 0
    for comment in stretches(text, _COMMENT, lambda opening: _COMMENT_ENDS[opening[0]]):
        start, end = comment.span()
        parts += text[position:start], "\n".join(" " * len(line) for line in text[start:end].split("\n"))
        position = end
    return "".join([*parts, text[position:]])
