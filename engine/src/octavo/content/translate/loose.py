"""What Python-Markdown and kramdown read in another way than CommonMark: bold text, text behind HTML, pipes in tables.

CommonMark takes `は**「風」**と` for text, since the stars touch letters on one side and punctuation on the other. It
takes the lines behind the end of an HTML element for HTML, up to the next blank line, and divides the row of a table into
cells before it looks for code.
"""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING

from octavo.content.translate.output import CodeRanges, Edit, fences, replaced
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.source import Fragment

_DOUBTFUL = re.compile(r"\*\*(?:(?<=\w\*\*)[^\w\s*]|(?<=[^\w\s*]\*\*)\w)")
"""Two stars with a letter on one side and punctuation on the other. A pattern that begins with a text is looked for much faster."""
_STARS = re.compile(r"(?<![\\*])\*\*(?!\*)")
_GAP = re.compile(r"\n[ \t>]*\n")
_HTML = (
    "address|article|aside|blockquote|center|details|dialog|div|dl|fieldset|figure|footer|form|header|main|nav|ol|p|section|"
    "table|ul"
)
_START = re.compile(rf"[ ]{{0,3}}<(?P<name>{_HTML})\b", re.IGNORECASE)
_BEHIND = re.compile(rf"</(?:{_HTML})>[ \t]*\n[ \t]*[^\s<]", re.IGNORECASE)
_VOID = re.compile(
    r"^(?:[^\S\n]*|[^\n]*<\w[^<>\n]*\smarkdown\b[^<>\n]*>[ \t]*)\n(?P<indent>[ \t]*)<(?:img|br|input)\b[^<>\n]*>[ \t]*\n"
    r"(?=(?P=indent)?[ ]{0,3}[^\s<])",
    re.MULTILINE | re.IGNORECASE,
)
"""An image or the like on the first line of a paragraph, which begins HTML for CommonMark."""
_ANY_VOID = re.compile(r"<(?:img|br|input)\b[^<>\n]*>[ \t]*\n", re.IGNORECASE)
_COMMENT = re.compile(
    r"^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(?P<comment>(?:<!--(?:(?!-->)[^\n]){0,1000}-->[ \t]*)+)(?=[^\s<])",
    re.MULTILINE,
)
"""Comments at the head of a line with text behind them, such as `<!-- md:version 1.2 -->`: CommonMark reads all of the line as HTML."""
_FENCE_IN_HTML = re.compile(
    rf"^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*</?(?:{_HTML})\b[^<>\n]*>[ \t]*\n(?=[ \t>]*(?:`{{3,}}[^`\n]*|~{{3,}}[^\n]*)\n)",
    re.MULTILINE | re.IGNORECASE,
)
"""HTML with a block of code on the next line: Python-Markdown takes code out before it looks for HTML."""
_DEFINITION = re.compile(
    r"""\n(?=[ ]{0,3}\[(?!\^)[^\[\]\n]+\]:[ \t]*\S+[ \t]*(?:"[^\n]*"|'[^\n]*'|\([^\n]*\))?[ \t]*(?:\n|\Z))"""
)
"""The end of a line, with the definition of a link on the next one, which ends no paragraph for CommonMark."""
_HEADING = re.compile(r"^[ ]{0,3}#{1,6}(?:(?P<space>[^\S\n\t ]+)(?=\S)|(?<=##)(?=[^\s#]))", re.MULTILINE)
"""Marks of a heading with a space that cannot break behind them, or none: Python-Markdown takes these as well."""
_DELIMITERS = re.compile(r"^[ \t>]*\|?(?=[ \t:-]*\|)[ \t|:-]*-[ \t|:-]*$", re.MULTILINE)
_CODE = re.compile(r"(?<![`\\])(?P<ticks>`+)(?!`)(?P<code>[^\n]*?[^`\n])(?P=ticks)(?!`)")
_PIPE = re.compile(r"(?<!\\)\|")
_DEEP = re.compile(r"[ ]{4}|\t")


def translate_loose(fragment: Fragment) -> Fragment:
    """Write bold text that CommonMark would not see as an element, and blank lines where HTML ends for Python-Markdown."""
    text = fragment.text
    edits: list[Edit] = []
    if "**" in text and _DOUBTFUL.search(text):
        edits += _bold(text)
    if "<" in text and _BEHIND.search(text):
        edits += [(at, at, "\n") for at in _ends(text)]
    if "<" in text and _ANY_VOID.search(text):
        edits += [(match.end() - 1, match.end() - 1, "\n") for match in _VOID.finditer(f"\n{text}")]
    if "<" in text and ("```" in text or "~~~" in text):
        edits += [(match.end() - 1, match.end() - 1, "\n") for match in _FENCE_IN_HTML.finditer(text)]
    if "<!--" in text:
        edits += [(*match.span("comment"), "") for match in _COMMENT.finditer(text)]
    if "]:" in text:
        edits += [
            (match.end(), match.end(), "\n")
            for match in _DEFINITION.finditer(text)
            if text[max(text.rfind("\n", 0, match.start()), 0) : match.start()].strip()
        ]
    if "#" in text and "jekyll" not in fragment.source.dialect.extensions:
        edits += [
            (*(match.span("space") if match["space"] else (match.end(), match.end())), " ")
            for match in _HEADING.finditer(text)
        ]
    pipes = _pipes(text) if "|" in text and "`" in text else []
    if not edits and not pipes:
        return fragment
    code = CodeRanges(text)
    return replaced(fragment, sorted([*pipes, *(edit for edit in edits if not code.holds(edit[0]))]))


def _pipes(text: str) -> list[Edit]:
    """Find pipes in code within the rows of tables, which divide no cells there."""
    found: list[Edit] = []
    blocks = fences(text)
    done = 0
    for match in _DELIMITERS.finditer(text):
        if match.start() < done or any(start <= match.start() < end for start, end in blocks):
            continue
        head = text.rfind("\n", 0, max(match.start() - 1, 0)) + 1
        gap = _GAP.search(text, match.end())
        done = gap.start() if gap else len(text)
        for code in _CODE.finditer(text, head, done):
            found += [(pipe.start(), pipe.start(), "\\") for pipe in _PIPE.finditer(text, *code.span("code"))]
    return found


def _bold(text: str) -> list[Edit]:
    """Find pairs of stars that are bold there and would be text here; the others stay as they are."""
    code = CodeRanges(text)
    marks = [match.start() for match in _STARS.finditer(text) if not code.holds(match.start())]
    found: list[Edit] = []
    closed = -1
    for start, end in pairwise(marks):
        if start <= closed or end == start + 2:
            continue
        inner = text[start + 2 : end]
        if inner[0].isspace() or inner[-1].isspace() or inner[-1] == "\\" or _GAP.search(inner):
            continue
        closed = end
        if not _opens(text, start) or not _closes(text, end):
            found += [(start, start + 2, "<strong>"), (end, end + 2, "</strong>")]
    return found


def _opens(text: str, at: int) -> bool:
    """Whether CommonMark lets two stars begin bold text: not where a letter comes before and punctuation after them."""
    return not _is_punctuation(text[at + 2]) or at == 0 or text[at - 1].isspace() or _is_punctuation(text[at - 1])


def _closes(text: str, at: int) -> bool:
    after = text[at + 2 : at + 3]
    return not _is_punctuation(text[at - 1]) or not after or after.isspace() or _is_punctuation(after)


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def _ends(text: str) -> list[int]:
    """Find the lines that follow an HTML element without a blank line: their offsets."""
    found: list[int] = []
    name, depth, tags = "", 0, _START
    at = 0
    for line in text.splitlines(keepends=True):
        after = at + len(line)
        if depth == 0 and (start := _START.match(line)):
            name = start["name"].lower()
            tags = re.compile(rf"<(/?){name}\b", re.IGNORECASE)
        if name:
            depth += sum(-1 if mark == "/" else 1 for mark in tags.findall(line))
            if depth <= 0:
                following = text[after : text.find("\n", after) + 1 or len(text)]
                is_text = following.strip() and not following.lstrip().startswith("<") and not _DEEP.match(following)
                if is_text and line.rstrip().endswith(">"):
                    found.append(after)
                name, depth = "", 0
        at = after
    return found
