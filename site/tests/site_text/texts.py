"""What the site's own files say, as text: prose apart from code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tests.support import paths

SITE = paths.SITE
RECORDED = "_recorded"
"""Name of the folders with partials that `site_contract.recordings` writes."""
FENCE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<mark>`{3,}|~{3,})[ \t]*(?P<info>[^\n`]*)\n(?P<code>.*?)^[ \t]*(?P=mark)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
LINK_END = re.compile(r"\]\([^)]*\)")
TAG = re.compile(r"</?[A-Za-z][^>]*>")
WORD = re.compile(r"[a-z0-9](?:[a-z0-9'.-]*[a-z0-9])?")
"""A version or a dotted name is one word."""
STRETCH_END = re.compile(r"\||\n[ \t]*\n|\n[ \t]*(?:[-*+]|\d+\.)[ \t]")


class Fence(msgspec.Struct, frozen=True):
    """A fenced code block."""

    language: str
    code: str
    """Without the fence's own indentation."""
    place: str
    """`path:line`."""


def sources() -> list[Path]:
    """List the Markdown files of the site, partials included; recorded sessions are nobody's text."""
    docs = (path for path in (SITE / "docs").rglob("*.md*") if path.parent.name != RECORDED)
    return sorted(docs) + sorted((SITE / "pages").rglob("*.md*"))


def fences(path: Path) -> Iterator[Fence]:
    """List the code blocks of a file."""
    text = path.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        indent = len(match["indent"])
        code = "".join(
            line[min(indent, len(line) - len(line.lstrip(" "))) :] for line in match["code"].splitlines(True)
        )
        line = text.count("\n", 0, match.start()) + 1
        yield Fence(match["info"].split(" ")[0], code, f"{path.relative_to(SITE).as_posix()}:{line}")


def prose(text: str) -> str:
    """Leave out front matter, code blocks, code words, addresses and tags; a bar stands where code words were."""
    text = FRONT_MATTER.sub("", text)
    text = FENCE.sub("\n\n", text)
    return TAG.sub(" ", LINK_END.sub("]", CODE.sub(" | ", text)))


def runs(text: str, length: int) -> Iterator[str]:
    """List the runs of so many words that no code, table cell, list item or paragraph interrupts."""
    for stretch in STRETCH_END.split(text.lower()):
        words = WORD.findall(stretch)
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])
