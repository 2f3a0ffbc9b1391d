"""Fill the slots of an article: links, assets, islands."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from octavo.content import SLOT, Island
from octavo.documents import Body
from octavo.lazy import regex as re

_SLOT_IN_TEXT = re.compile(f"{SLOT}(.+?){SLOT}")

_ISLAND = re.compile(f"({SLOT}I[0-9]+{SLOT})")
_HREF = ' href="'
_PARAGRAPH = re.compile(r"<p(?=[\s>])")
_ENDS_PARAGRAPH = re.compile(
    "<(?:address|article|aside|blockquote|center|details|dialog|dir|div|dl|fieldset|figcaption|figure|footer|form|h[1-6]"
    r"|header|hgroup|hr|listing|main|menu|nav|ol|p|pre|search|section|summary|table|ul|xmp)(?=[\s/>])"
)
"""Elements at which the parser of HTML ends an open paragraph."""


class Fillings(msgspec.Struct, frozen=True):
    """What belongs into the slots of one page."""

    links: list[str]
    """Addresses, by link index."""
    assets: list[str]
    """Addresses, by asset index."""
    sizes: list[str]
    """Size attributes, by asset index."""
    forms: list[str]
    """Addresses of smaller forms of its pictures, without the base URL."""
    has_files: bool
    """The page shows or offers files of the site, whose content counts as well, or links what may become one."""


def island_props(island: Island, fillings: Fillings, cards: Callable[[], list[Any]]) -> dict[str, Any]:
    """Complete the props of an island: slots in strings, and the cards of a card list that names none."""
    props = {name: _fill_value(value, fillings) for name, value in island.props.items()}
    if island.kind == "card-list" and props.get("items") is None:
        props["items"] = msgspec.to_builtins(cards())
    return props


def fill_article(body: Body, fillings: Fillings, islands: Sequence[str]) -> str:
    """Put the article together.

    Args:
        body: The compiled document's body.
        fillings: Values of the link and asset slots.
        islands: Drawn islands, by island index, with slots for their children and for an id that is unique in the page.
    """
    return _Filler(body, _values(fillings), islands).fill(body.html)


def fill_addresses(text: str, fillings: Fillings) -> str:
    """Put the addresses into a piece of an article; the slots of its islands stay."""
    filler = _Filler(None, _values(fillings), [])
    return "".join(filler.fill(piece) if index % 2 == 0 else piece for index, piece in enumerate(_ISLAND.split(text)))


def _values(fillings: Fillings) -> dict[str, str]:
    values: dict[str, str] = {}
    values |= {f"L{index}": html.escape(url) for index, url in enumerate(fillings.links)}
    values |= {f"A{index}": html.escape(url) for index, url in enumerate(fillings.assets)}
    values |= {f"W{index}": size for index, size in enumerate(fillings.sizes)}
    return values


class _Filler(NamedTuple):
    """Fills the slots of one article. No functions that know each other: while a build runs, nobody collects such circles."""

    body: Body | None
    """None for a piece without islands."""
    values: Mapping[str, str]
    islands: Sequence[str]

    def fill(self, text: str) -> str:
        """Fill the slots of a piece of the article."""
        if SLOT not in text:
            return text
        parts = text.split(SLOT)
        for index in range(1, len(parts), 2):
            key = parts[index]
            parts[index] = self._island(int(key[1:])) if key[0] == "I" else self.values[key]
            if key[0] == "I":
                _widen_paragraph(parts, index)
            if not parts[index] and key[0] == "L" and parts[index - 1].endswith(_HREF):
                # `ref:?id`, and no page has the id: the text stays, without a link.
                parts[index - 1] = parts[index - 1].removesuffix(_HREF)
                parts[index + 1] = parts[index + 1].removeprefix('"')
                _unwrap_link(parts, index)
        return "".join(parts)

    def _island(self, number: int) -> str:
        parts = self.islands[number].split(SLOT)
        children = self.body.islands[number].children if self.body else []
        for index in range(1, len(parts), 2):
            key = parts[index]
            if key == "ID":
                parts[index] = f"island-{number}"
            else:
                # A component that was given its content as elements has drawn it; islands in it are still to be filled in.
                parts[index] = self._island(int(key[1:])) if key[0] == "I" else self.fill(children[int(key[1:])])
        return "".join(parts)


def _unwrap_link(parts: list[str], index: int) -> None:
    """Take away the element of a link without an address, where it has no attributes and its text no slots."""
    before, text = parts[index - 1], parts[index + 1]
    inner, end, rest = text.removeprefix(">").partition("</a>")
    if before.endswith("<a") and text.startswith(">") and end:
        parts[index - 1], parts[index + 1] = before.removesuffix("<a"), inner + rest


def _widen_paragraph(parts: list[str], index: int) -> None:
    """Make a paragraph around an island a `div`, if the island holds blocks.

    A browser ends a paragraph at the first block in it: the rest of its text is outside, and the island is empty.
    """
    before = index - 1
    while before > 0 and "<p" not in parts[before] and "</p>" not in parts[before]:
        before -= 2
    text = parts[before]
    start = max((match.start() for match in _PARAGRAPH.finditer(text)), default=-1)
    if start <= text.rfind("</p>") or _ENDS_PARAGRAPH.search(parts[index]) is None:
        return
    for after in range(index + 1, len(parts), 2):
        stop = parts[after].find("</p>")
        if stop >= 0:
            parts[before] = f"{text[:start]}<div{text[start + len('<p') :]}"
            parts[after] = f"{parts[after][:stop]}</div>{parts[after][stop + len('</p>') :]}"
            return


def fill_slots(text: str, values: Mapping[str, str]) -> str:
    """Fill named slots; each must have a value."""
    parts = text.split(SLOT)
    parts[1::2] = [values[key] for key in parts[1::2]]
    return "".join(parts)


def _fill_value(value: Any, fillings: Fillings) -> Any:
    if isinstance(value, str):
        return _SLOT_IN_TEXT.sub(lambda match: _plain(match[1], fillings), value) if SLOT in value else value
    if isinstance(value, list):
        return [_fill_value(item, fillings) for item in value]
    if isinstance(value, dict):
        return {name: _fill_value(item, fillings) for name, item in value.items()}
    return value


def _plain(key: str, fillings: Fillings) -> str:
    return (fillings.links if key[0] == "L" else fillings.assets)[int(key[1:])]
