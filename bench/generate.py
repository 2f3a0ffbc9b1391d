"""A corpus made from our own pages, for machines that do not have the real one.

The shape is that of the real one: 36 folders with an index page each and one at the top, about 7 kB a page,
nine headings, five blocks of code, a table on every second page, five links that resolve. Pure: texts in, texts out.
"""

from __future__ import annotations

import posixpath
import random
import re
from collections.abc import Sequence

import msgspec

from bench.errors import BenchError

FOLDERS = 36
SECTIONS = 9
"""Headings of a page."""
PAGE_CHARS = 7_000
LINKS = 5


class Pieces(msgspec.Struct, frozen=True):
    """What pages are made of, as found in the sources."""

    headings: list[str]
    paragraphs: list[str]
    fences: list[str]
    tables: list[str]


def generate_pages(texts: Sequence[str], *, count: int, rng: random.Random) -> dict[str, str]:
    """Make pages out of the pieces of others.

    Args:
        texts: Markdown or MDX sources.
        count: Pages to make, at least one for each folder.
        rng: Same seed, same pages.

    Returns:
        path → Markdown in CommonMark and GFM, with a title in the front matter.

    Raises:
        BenchError: the sources hold no paragraph, no block of code or no table.
    """
    pieces = collect_pieces(texts)
    names = page_names(count)
    return {name: _page(name, names, pieces, rng) for name in names}


def page_names(count: int) -> list[str]:
    """Spread pages over folders, each with an index page."""
    folders = ["", *(f"section-{number:02}/" for number in range(1, FOLDERS + 1))]
    indexes = [f"{folder}index.md" for folder in folders]
    others = [f"{folders[number % len(folders)]}page-{number:04}.md" for number in range(count - len(indexes))]
    return sorted(indexes + others)


def collect_pieces(texts: Sequence[str]) -> Pieces:
    """Take sources apart into plain pieces: links become their text; components, images and directives are dropped.

    Raises:
        BenchError: one kind of piece is missing, so pages would not be typical.
    """
    pieces = Pieces([], [], [], [])
    for text in texts:
        body = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
        pieces.fences.extend(_fences(body))
        for block in re.split(r"\n{2,}", _FENCE.sub("", body)):
            _file_block(block.strip("\n"), pieces)
    for kind in ("headings", "paragraphs", "fences", "tables"):
        if not getattr(pieces, kind):
            raise BenchError(f"The site's pages hold no {kind}, so no corpus can be generated from them.")
    return pieces


_FENCE = re.compile(r"^(`{3,})([^\n`]*)\n(.*?)^\1[ \t]*$", re.MULTILINE | re.DOTALL)


def _fences(body: str) -> list[str]:
    """Take out the blocks of code, with their language and without the rest of the info string."""
    found = []
    for match in _FENCE.finditer(body):
        language = match[2].split()[0] if match[2].split() else "text"
        if language != "mermaid":
            found.append(f"```{language}\n{match[3]}```")
    return found


def _file_block(block: str, pieces: Pieces) -> None:
    if match := re.fullmatch(r"#{2,4} ([^{#\n]+?)(?: \{#[\w-]+\})?", block):
        pieces.headings.append(_neutral(match[1]))
    elif block.startswith("|") and "|\n" in block and "<" not in block:
        pieces.tables.append(_neutral(block))
    elif re.match(r"[A-Z*_`-]", block) and not re.search(r"[<{}]|^\s*(?:import|export|:::)", block, re.MULTILINE):
        pieces.paragraphs.append(_neutral(block))


def _neutral(text: str) -> str:
    """Drop images, keep the text of links, drop footnote marks: their targets stay behind in the source."""
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[\^[^\]]+\]", "", text)
    return re.sub(r"\[([^\]]+)\](?:\([^)]*\)|\[[^\]]*\])?", r"\1", text)


def _page(name: str, names: Sequence[str], pieces: Pieces, rng: random.Random) -> str:
    title = _varied(rng.choice(pieces.headings), rng).replace('"', "'").replace("`", "")
    parts = [f'---\ntitle: "{title}"\n---', _varied(rng.choice(pieces.paragraphs), rng)]
    table_section = rng.randrange(SECTIONS) if rng.random() < 0.5 else None
    for section in range(SECTIONS):
        parts.append(f"{'##' if section % 3 == 0 else '###'} {_varied(rng.choice(pieces.headings), rng)}")
        room = PAGE_CHARS * (section + 1) / SECTIONS - sum(map(len, parts))
        parts += _section(name, names, pieces, rng, room, has_code=section % 2 == 0, has_link=section < LINKS)
        if section == table_section:
            parts.append(_varied(rng.choice(pieces.tables), rng))
    return "\n\n".join(parts) + "\n"


def _section(
    name: str,
    names: Sequence[str],
    pieces: Pieces,
    rng: random.Random,
    room_chars: float,
    *,
    has_code: bool,
    has_link: bool,
) -> list[str]:
    """Write at least one paragraph, then more up to the given length."""
    parts = [_varied(rng.choice(pieces.paragraphs), rng)]
    if has_code:
        parts.append(_varied(rng.choice(pieces.fences), rng))
    if has_link:
        target = posixpath.relpath(rng.choice(names), posixpath.dirname(name) or ".")
        parts.append(f"See also [{_varied(rng.choice(pieces.headings), rng)}]({target}).")
    while sum(map(len, parts)) < room_chars:
        parts.append(_varied(rng.choice(pieces.paragraphs), rng))
    return parts


def _varied(text: str, rng: random.Random) -> str:
    """Change one word, so that no two pieces are equal: memory of pieces seen before must not make a build look fast.

    The first line of a longer piece is left alone: it names the language of a fence, or the columns of a table.
    """
    start = text.find("\n") + 1
    word = _WORD.search(text, rng.randint(start, len(text))) or _WORD.search(text, start)
    if word is None:
        return text
    return f"{text[: word.end()]}{rng.randrange(100_000)}{text[word.end() :]}"


_WORD = re.compile(r"\b[a-z]{4,}\b")
