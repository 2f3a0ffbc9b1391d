"""Titles, labels, terms and ids of a file in reStructuredText, found without a parser: other pages ask for most of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from octavo.lazy import regex as re

_LINE = re.compile(r"([^\w\s])\1+[ \t]*$")
_LABEL = re.compile(r"[ \t]*\.\.[ \t]+_(?P<quote>`?)(?P<label>(?:[^:`\\]|\\.|:(?=\S)(?!$))+)(?P=quote):[ \t]*$")
_ROLE = re.compile(r":[A-Za-z][\w:.+-]*:`(?:([^`<]*?)\s*<[^`>]*>|~?([^`]*))`")
_MARKS = re.compile(r"`{2}(.+?)`{2}|`([^`<]+?)\s*<[^`>]*>`__?|\*{1,2}([^*]+)\*{1,2}|`([^`]+)`_{0,2}")
_CAPTION = re.compile(
    r"[ \t]*\.\.[ \t]+(?:figure|image|table|list-table|csv-table|code-block|toctree)::[ \t]*(?P<text>[^\n]*)"
)


class SectionTitle(NamedTuple):
    """A title of a section."""

    line: int
    """Its line, from 0."""
    title: str
    labels: list[str]
    """Names of the targets before it, in small letters."""


def plain_title(text: str) -> str:
    """Give what readers see of a line with roles and marks."""
    text = _ROLE.sub(
        lambda match: (match[1] or match[2] or "").rpartition("." if match[0].find("`~") > 0 else "\n")[2], text
    )
    text = _MARKS.sub(lambda match: next(filter(None, match.groups()), ""), text)
    return re.sub(r"\\(.)", r"\1", text).strip()


def headings(text: str) -> Iterator[SectionTitle]:
    """Find the titles of a text, in order, with the labels before each."""
    lines = text.split("\n")
    labels: list[str] = []
    for number, line in enumerate(lines):
        if match := _LABEL.match(line):
            labels.append(" ".join(match["label"].replace("\\", "").lower().split()))
            continue
        if not line.strip():
            continue
        below = lines[number + 1] if number + 1 < len(lines) else ""
        above = lines[number - 1] if number else ""
        is_line = _LINE.match(line) is not None
        if not is_line and _is_under(line, below, above):
            yield SectionTitle(number, plain_title(line), labels)
        if not (is_line and number + 1 < len(lines) and not above.strip()):
            labels = []


def _is_under(line: str, below: str, above: str) -> bool:
    """Whether a line is a title: the line below it is a rule of its length or about, and it is not a part of a paragraph."""
    mark = _LINE.match(below)
    if mark is None or len(below.strip()) < min(len(line.strip()), 4):
        return False
    if line[:1].isspace():
        return bool(_LINE.match(above)) and above.strip()[:1] == below.strip()[:1]
    return not above.strip() or _LINE.match(above) is not None


def title_in(text: str, label: str = "") -> str:
    """Title of a file, or the one after a label; empty where there is none."""
    label = " ".join(label.lower().split())
    if not label:
        return next((one.title for one in headings(text)), "")
    return _labeled(text).get(label, "")


@lru_cache(maxsize=256)
def _labeled(text: str) -> dict[str, str]:
    """Find the titles and captions of a file that have labels; many pages refer to the same ones."""
    found: dict[str, str] = {}
    for one in headings(text):
        for label in one.labels:
            found.setdefault(label, one.title)
    return {**_captions(text), **{label: title for label, title in found.items() if title}}


def _captions(text: str) -> dict[str, str]:
    """Find the captions of figures and tables with a label."""
    lines = text.split("\n")
    found: dict[str, str] = {}
    for number, line in enumerate(lines):
        match = _LABEL.match(line)
        after = next((at for at in range(number + 1, len(lines)) if lines[at].strip()), None)
        block = _CAPTION.match(lines[after]) if match and after is not None else None
        if match is None or block is None or after is None:
            continue
        text_below = block["text"]
        if "figure" in block[0]:
            text_below = next(
                (
                    one.strip()
                    for one in lines[after + 1 : after + 12]
                    if one.strip() and not one.strip().startswith(":")
                ),
                "",
            )
        found[" ".join(match["label"].lower().split())] = plain_title(text_below)
    return found


def labels_in(text: str) -> Iterator[str]:
    """Find all labels of a text, in small letters."""
    for line in text.split("\n"):
        if line.lstrip().startswith(".. _") and (match := _LABEL.match(line)):
            yield " ".join(match["label"].replace("\\", "").lower().split())


def terms_of(lines: list[str]) -> Iterator[tuple[list[str], int, int]]:
    """Split a glossary: (terms, number of the line of the first, lines of the meaning)."""
    at = 0
    while at < len(lines):
        if not lines[at].strip() or lines[at].lstrip().startswith(".. "):
            at += 1
            continue
        start = at
        while at < len(lines) and lines[at].strip() and not lines[at][:1].isspace():
            at += 1
        terms = [one.strip() for one in lines[start:at]]
        body = at
        while at < len(lines) and (not lines[at].strip() or lines[at][:1].isspace()):
            at += 1
        yield terms, start, at - body
        at = max(at, start + 1)


METHODS = ("get", "post", "put", "patch", "delete", "head", "options", "any")
"""Methods of sphinxcontrib-httpdomain."""


def http_anchor(method: str, path: str) -> str:
    """Make the id of a resource as sphinxcontrib-httpdomain does."""
    return f"{method}-{re.sub('[{}]', '', re.sub('[<>:/]', '-', path.partition('?')[0].strip()))}"


def holds(expression: str) -> bool:
    """Whether a condition of tags is true for pages in HTML."""
    words = re.findall(r"[()]|[\w-]+", expression)
    known = {"and": "and", "or": "or", "not": "not", "(": "(", ")": ")"}
    written = " ".join(
        known.get(word, "True" if word in ("html", "builder_html", "format_html") else "False") for word in words
    )
    try:
        return _truth(ast.parse(written, mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True


def _truth(node: ast.expr) -> bool:
    """Evaluate a parsed condition.

    Raises:
        ValueError: it holds something else than truth values, `and`, `or` and `not`.
    """
    match node:
        case ast.Constant(value=bool(value)):
            return value
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _truth(operand)
        case ast.BoolOp(op=ast.And(), values=values):
            return all(map(_truth, values))
        case ast.BoolOp(values=values):
            return any(map(_truth, values))
    raise ValueError("no condition")
