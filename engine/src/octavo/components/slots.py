"""Named places of a page that a site fills itself: what there is, and what a component in each of them is given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from octavo.contract import PagePayload
from octavo.rendering import LAYOUT_PARTS

FOLDER = "slots"
CONTRACT: Final = 1
"""Version of what slots are given. It rises when a field goes or changes its meaning; a new field or place is no reason."""
CHANGES: Final[Mapping[int, str]] = {
    1: "every place is given what `SlotProps` in the declarations of `octavo types` says",
}
"""Version → what has changed with it, for findings about slots that were written for an earlier one."""
PREFIX = "slot:"
"""Before the name of a place, it is the name of its component."""


class _Props(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Base: camelCase for components."""


class SlotPage(_Props, frozen=True):
    """The page on which the slot is."""

    path: str
    """Address: path from the host's root."""
    layout: str
    """`doc`, `category`, `reference`, `page`, `landing`, `splash`, `blank`, `search` or `not-found`."""
    title: str
    description: str
    tags: list[str]
    last_updated: str | None
    """ISO 8601 date."""
    edit_url: str | None


class SlotSite(_Props, frozen=True):
    """The site."""

    title: str
    base_url: str
    """Path under which it is published."""


class PageSlotProps(_Props, frozen=True):
    """What places around the article are given; as `children`, the footer also what it replaces."""

    page: SlotPage
    site: SlotSite


class LayoutSlotProps(_Props, frozen=True):
    """What the layout of all pages is given, beside the parts that it arranges: `LayoutParts`."""

    page: SlotPage
    site: SlotSite


class AdmonitionSlotProps(_Props, frozen=True):
    """What an admonition is given; its content is `children`."""

    kind: str
    """`note`, `tip`, `info`, `warning`, `danger`, `caution`, `important`, or a word of the author's."""
    title: str


class CodeBlockSlotProps(_Props, frozen=True):
    """What a block of code is given; as `children`, the block as the theme draws it."""

    language: str
    code: str


class CardSlotProps(_Props, frozen=True):
    """What a card, `<DocCard>`, is given; as `children`, the card as the theme draws it."""

    href: str
    title: str
    description: str


PAGE_SLOTS: Final = (
    "top-bar-end",
    "sidebar-top",
    "sidebar-bottom",
    "article-top",
    "article-bottom",
    "contents-bottom",
    "footer",
    "not-found",
    "search-empty",
    "layout",
)
"""Places around the article. `footer`, `not-found` and `layout` take the place of what is there."""
LAYOUT: Final = "layout"
CONTENT_SLOTS: Final = ("admonition", "code-block", "card")
"""What articles consist of; each use of it is drawn by the site's component."""
SLOT_PROPS: Final[Mapping[str, type[msgspec.Struct]]] = {
    **dict.fromkeys(PAGE_SLOTS, PageSlotProps),
    LAYOUT: LayoutSlotProps,
    "admonition": AdmonitionSlotProps,
    "code-block": CodeBlockSlotProps,
    "card": CardSlotProps,
}
"""Name of a place → its props."""


def slots_of(payload: PagePayload) -> Iterator[str]:
    """List the places that a page has."""
    if payload.layout != "blank":
        yield from ("top-bar-end", "footer")
    if payload.sidebar is not None:
        yield from ("sidebar-top", "sidebar-bottom")
    if payload.layout in ("doc", "category", "reference", "page"):
        yield from ("article-top", "article-bottom")
        if payload.toc:
            yield "contents-bottom"
    if payload.layout == "not-found":
        yield "not-found"
    yield "search-empty"
    # Pages without a frame do not show it, but readers go on to others from them.
    yield LAYOUT


def layout_parts(payload: PagePayload) -> dict[str, bool]:
    """Return which of the parts that a layout arranges a page has."""
    return dict.fromkeys(LAYOUT_PARTS, True) | {
        "announcements": bool(payload.announcements),
        "sidebar": payload.sidebar is not None,
    }


def page_props(payload: PagePayload, title: str, base_url: str) -> Any:
    """Give the props of the places around an article, as JSON values."""
    page = SlotPage(
        path=payload.path,
        layout=payload.layout,
        title=payload.title,
        description=payload.description,
        tags=payload.tags,
        last_updated=payload.last_updated.date if payload.last_updated else None,
        edit_url=payload.edit_url,
    )
    return msgspec.to_builtins(PageSlotProps(page=page, site=SlotSite(title=title, base_url=base_url)))


def contract_problem(given: object) -> tuple[str, str] | None:
    """Say what is wrong with the contract version that a slot names, as (message, suggestion); None where it is ours."""
    if given == CONTRACT and not isinstance(given, bool):
        return None
    if not isinstance(given, int) or isinstance(given, bool):
        shown = "does not say" if given is None else f"says {given!r} for"
        return (
            f"The slot {shown} which version of its contract it was written for.",
            f"Write: export const contract = {CONTRACT};",
        )
    if given > CONTRACT:
        return (
            f"The slot was written for version {given} of its contract; this Octavo has version {CONTRACT}.",
            "Use a newer Octavo, or write the slot for this version.",
        )
    changes = "; ".join(f"since {version}, {CHANGES[version]}" for version in range(given + 1, CONTRACT + 1))
    return (
        f"The slot was written for version {given} of its contract; this Octavo has version {CONTRACT}: {changes}.",
        f"Look through it, and write: export const contract = {CONTRACT};",
    )
