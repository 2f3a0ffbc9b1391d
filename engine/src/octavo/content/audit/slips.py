"""Typing mistakes: what is nearly Markdown, and therefore text.

As in `marks.py`, a match counts only where the parser sees text; the caller leaves out code, links and comments.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from html.entities import html5

from octavo.content.audit.marks import CODE, FILE, Candidate, cut
from octavo.content.html_names import is_element
from octavo.lazy import regex as re

_ALERTS = "note|tip|important|warning|caution"
_ADMONITIONS = f"{_ALERTS}|info|danger|success"

_NO_BRACKET = re.compile(
    rf"\[[^\[\]()\n]{{1,100}}(?<! )\((?:\.{{1,2}}/|/\w|https?://|{FILE})[^()\s]*\)(?![^\n\[]*\])(?<!\\)"
)
_IMAGE = re.compile(r"(?:(?<=\s)|^)! \[[^\[\]\n]*\]\([^()\s]+\.(?:avif|gif|jpe?g|png|svg|webp)[^()\n]*\)", re.MULTILINE)
_ADDRESS = re.compile(r"<(?<!\\<)https?://[^\s<>]+(?=\s|\Z)")
_COMMENT = re.compile(r"<!(?:-(?!-)|[ \t]*[\u2013\u2014]|[ \t]+-)[^\n]*")
_TAG = re.compile(r"<(?<!\\<)(?P<name>[a-z][a-z0-9]*)(?=\s+[A-Za-z][\w:-]*\s*=)[^<>\n]*>")
_WHOLE_TAG = re.compile(
    r"""<[a-z][a-z0-9]*(?:\s+[A-Za-z_:@#][\w:.@-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*/?>"""
)
_ENTITY = re.compile(r"&(?P<name>[A-Za-z][A-Za-z0-9]{2,20});")
_OPEN_ENTITY = re.compile(r"&(?<![\w?&=]&)(?P<name>amp|lt|gt|nbsp|quot|mdash|ndash|hellip|times|rarr)(?![\w;=])")
_COMMON_ENTITIES = (
    "amp",
    "lt",
    "gt",
    "nbsp",
    "quot",
    "apos",
    "mdash",
    "ndash",
    "hellip",
    "copy",
    "reg",
    "trade",
    "times",
    "rarr",
    "larr",
    "harr",
    "uarr",
    "darr",
    "laquo",
    "raquo",
    "bull",
    "middot",
    "euro",
    "pound",
    "deg",
    "plusmn",
    "frac12",
    "sect",
    "para",
    "ldquo",
    "rdquo",
    "lsquo",
    "rsquo",
    "emsp",
    "ensp",
    "thinsp",
    "zwnj",
    "check",
)
_BULLETS = re.compile(r"\n(?P<at>(?P<mark>[-*+])(?=[^\W\d_])[^*\n]*)\n(?P=mark)[^\W\d_][^*\n]*(?=\n|\Z)")
_NUMBERS = re.compile(
    r"\n(?P<at>\d{1,3}[.)](?=[A-Z\u0100-\uffff]|[a-z]{2})[^\n]*)\n\d{1,3}[.)](?:[A-Z\u0100-\uffff]|[a-z]{2})"
)
_WIDE_SPACE = r"[\u00a0\u2000-\u200a\u202f\u3000]"
_WIDE = re.compile(
    rf"\n[ \t>]*(?P<at>(?P<item>(?:[-*+]|\d{{1,3}}[.)])(?={_WIDE_SPACE}+[^\s*+-]))|\#{{1,6}}(?={_WIDE_SPACE}))[^\n]*"
)
"""Spaces that keyboards of macOS and of Japanese write: for Markdown they are letters."""
_CURLY_FENCE = re.compile(r"\n[ \t>]*(?P<at>[\u2018\u2019\u00b4\u201c\u201d]{3}[\w+-]*)[ \t]*(?=\n)")
_MERGE = re.compile(r"\n(?P<at><{7}[ \t]+\S[^\n]*)(?=\n)")
_BOX_BESIDE = re.compile(r"\n[ \t]*(?P<at>[-*+]\[[ xX]\])(?=[ \t]+\S)")
_BOX = re.compile(r"\[(?:|[xX] | [xX]| {2,})\](?=[ \t]+[^\s(:])")
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_ALERT = re.compile(
    rf"\n[ \t]*>[ \t]*(?P<at>!(?i:{_ALERTS})|\[!(?i:{_ALERTS})|\[(?:{_ALERTS.upper()})\]!?|"
    rf"\[(?:![ \t]+|[ \t]+![ \t]*|!(?=\w+[ \t]))(?i:{_ALERTS})[ \t]*\])[ \t]*(?=\n|\Z)"
)
_ADMONITION = re.compile(rf"\n {{0,3}}(?P<at>::(?P<kind>{_ADMONITIONS}))[ \t]*(?=\n[ \t]*\S)")
_FRONT_MATTER = re.compile(
    r"\n[ \t]*---[ \t]*\n(?P<at>[A-Za-z_][\w-]*:(?:[ \t]+[^\n]*)?)(?:\n[A-Za-z_ \t-][^\n]*){0,30}\n---[ \t]*(?=\n|\Z)"
)
_DEFINITION = re.compile(r"\n {0,3}(?P<at>\[(?P<label>[^\[\]\n^][^\[\]\n]*)\]):[ \t]*(?P<address>\S+)")


def _links(text: str) -> Iterator[Candidate]:
    for match in _NO_BRACKET.finditer(text):
        message = f'"{cut(match[0])}" is not a link: its text has no end.'
        yield match.start(), CODE, message, 'Close the text with "]".'


def _images(text: str) -> Iterator[Candidate]:
    if "! [" not in text:
        return
    for match in _IMAGE.finditer(text):
        message = f'"{cut(match[0])}" is a link and no image: there is a space behind its mark.'
        yield match.start(), CODE, message, "Take the space out."


def _angles(text: str) -> Iterator[Candidate]:
    """Find addresses and comments whose ends are wrong."""
    for match in _ADDRESS.finditer(text):
        yield match.start(), CODE, f'"{cut(match[0])}" is shown as text: its bracket has no end.', 'Close it with ">".'
    for match in _COMMENT.finditer(text):
        message = f'"{cut(match[0])}" is not a comment: readers see it.'
        yield match.start(), CODE, message, "Write <!-- and -->, with two dashes each."
    opened = text.rfind("<!--")
    if opened >= 0 and text.find("-->", opened) < 0:
        message = "This comment is never closed: readers see it."
        yield opened, "unclosed-comment", message, 'Close it with "-->".'
    for match in _MERGE.finditer(text):
        message = f'"{cut(match["at"])}" is left of a merge: readers see both versions and the marks between them.'
        yield (
            match.start("at"),
            CODE,
            message,
            "Keep one of the two versions, and take the lines with <<<, === and >>> out.",
        )


def malformed_tags(text: str) -> Iterator[Candidate]:
    """Find tags that are not HTML where they are within a line; in a block of HTML, browsers read them all the same."""
    if '="' not in text and "='" not in text:
        return
    for match in _TAG.finditer(text):
        if is_element(match["name"]) and _WHOLE_TAG.match(text, match.start()) is None:
            message = f'"{cut(match[0])}" is not a tag of HTML: its attributes are not written as HTML asks for.'
            yield match.start(), CODE, message, "Put each value between two straight quotation marks."


def _entities(text: str) -> Iterator[Candidate]:
    for match in _ENTITY.finditer(text):
        name = match["name"]
        if f"{name};" in html5 or not (close := difflib.get_close_matches(name.lower(), _COMMON_ENTITIES, 1, 0.6)):
            continue
        message = f'HTML has no "{match[0]}": readers see it as it is written.'
        yield match.start(), CODE, message, f'Did you mean "&{close[0]};"?'
    for match in _OPEN_ENTITY.finditer(text):
        message = f'"{match[0]}" is shown as text: its semicolon is missing.'
        yield match.start(), CODE, message, f'Write "{match[0]};".'


def _lists(text: str) -> Iterator[Candidate]:
    for pattern in (_BULLETS, _NUMBERS, _BOX_BESIDE):
        for match in pattern.finditer(text):
            # Lines within a paragraph may begin with a sign.
            if pattern is not _BOX_BESIDE and text[: match.start()].rpartition("\n")[2].strip():
                continue
            message = f'"{cut(match["at"])}" is not an item of a list: a space is missing after its mark.'
            yield match.start("at"), CODE, message, "Put a space there."


def _wide_spaces(text: str) -> Iterator[Candidate]:
    """Find items and headings whose mark is followed by a space that is none for Markdown, and quotation marks for backticks."""
    for match in _WIDE.finditer(text):
        what = "an item of a list" if match["item"] else "a heading"
        message = f'"{cut(match[0].strip())}" is not {what}: the space after its mark is not the one of the space bar.'
        yield match.start("at"), CODE, message, "Replace it by an ordinary space."
    for match in _CURLY_FENCE.finditer(text):
        message = f'"{match["at"]}" does not start a block of code: these are quotation marks.'
        yield match.start("at"), CODE, message, "Write three backticks: ```."


def _boxes(text: str) -> Iterator[Candidate]:
    for match in _BOX.finditer(text):
        if _ITEM.fullmatch(text, text.rfind("\n", 0, match.start()) + 1, match.start()) is None:
            continue
        message = f'"{match[0]}" is not a box of a task: it is shown as text.'
        yield match.start(), CODE, message, 'Write "[ ]", or "[x]" for what is done.'


def _alerts(text: str) -> Iterator[Candidate]:
    for match in _ALERT.finditer(text):
        message = f'"{match["at"]}" does not start an alert; it is shown as text.'
        yield match.start("at"), "unknown-admonition", message, f'Write "[!{match["at"].strip("[]! ").upper()}]".'


def _admonitions(text: str) -> Iterator[Candidate]:
    for match in _ADMONITION.finditer(text):
        message = f'"{match["at"]}" is shown as text: an admonition begins with three colons.'
        yield match.start("at"), CODE, message, f'Write ":::{match["kind"]}", and ":::" at its end.'


def _front_matter(text: str) -> Iterator[Candidate]:
    for match in _FRONT_MATTER.finditer(text):
        if match[0].lstrip("\n").startswith("---") and not text[: match.start()].strip():
            continue  # below blank lines at the start of the file: found when front matter is read
        message = "This looks like front matter, which begins with the first character of a file; it is shown as text."
        yield (
            match.start("at"),
            "front-matter",
            message,
            "Move it to the start of the file, or put a blank line above ---.",
        )


def _definitions(text: str) -> Iterator[Candidate]:
    """Find definitions of links whose label has another address already."""
    first: dict[str, str] = {}
    for match in _DEFINITION.finditer(text):
        label = " ".join(match["label"].split()).casefold()
        if first.setdefault(label, match["address"]) != match["address"]:
            message = f'The reference "{match["label"]}" is defined above with another address; this one is ignored.'
            yield match.start("at"), "duplicate-definition", message, "Give one of them another name, or take it out."


_KINDS: tuple[tuple[re.Pattern[bytes], Callable[[str], Iterator[Candidate]]], ...] = (
    (re.compile(rb"\[[^\[\]\n(]*\("), _links),
    (re.compile(rb"!\["), _images),
    (re.compile(rb"<(?:!|://|<<<<<<)"), _angles),
    (re.compile(rb"&"), _entities),
    (re.compile(rb"\n[-*+][^\n]*\n[-*+]|\n[.)]|[-*+]\[\]"), _lists),
    (re.compile(rb"[-*+.)]\[\]"), _boxes),
    (re.compile(rb">[!\[]"), _alerts),
    (re.compile(rb"\n::(?!:)"), _admonitions),
    (re.compile(rb"---\n"), _front_matter),
    (re.compile(rb"\]:"), _definitions),
)
"""What the marks of a text must have for a mistake of this kind: they are a tenth of it, and most texts have none."""
MARKS = b"&()>-"
"""Signs that these patterns need."""


def slips(padded: str, marks: bytes) -> Iterator[Candidate]:
    """Find typing mistakes in a fragment.

    Args:
        padded: Its text, with a line end in front: patterns that begin with one are looked for much faster than others.
        marks: What is left of it without letters, digits and spaces.
    """
    if not padded.isascii():
        for at, code, message, suggestion in _wide_spaces(padded):
            yield at - 1, code, message, suggestion
    for sign, find in _KINDS:
        if sign.search(marks):
            for at, code, message, suggestion in find(padded):
                yield at - 1, code, message, suggestion
