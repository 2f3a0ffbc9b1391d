"""Components of a site's authors, as far as the drawing of pages knows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import msgspec

from octavo.content import COMPONENT_KIND, SLOT, Island
from octavo.contract import PagePayload
from octavo.diagnostics import Diagnostic, Span


class Use(NamedTuple):
    """A use of a component in a page."""

    name: str
    props: Mapping[str, Any]
    has_children: bool
    is_inline: bool
    span: Span
    """Of the use."""
    parts: Mapping[str, bool] = MappingProxyType({})
    """Properties that are parts of the page → whether it has them; what is drawn has slots of these names."""


class Drawn(NamedTuple):
    """A use, drawn."""

    html: str
    """With the slots `ID` and `C0`, as islands have them."""
    problem: Diagnostic | None = None
    data: str = ""
    """JSON for the payload in the place of the HTML: a layout is drawn again in the browser."""
    is_passing: bool = False
    """Its HTML may differ the next time: it was stopped at its time limit, or is not done yet."""


class ComponentDrawer(Protocol):
    """Draws components of authors."""

    def page_slots(self, payload: PagePayload) -> dict[str, Use]:
        """List what the site puts around the article of a page: name of the place → use."""

    def key(self, kinds: Iterable[str]) -> str:
        """Hash the components among the kinds of a page's islands; empty where there are none."""

    def share(self, kinds: Iterable[str]) -> None:
        """Prepare for processes that are about to be forked; `kinds` are those of the islands that they draw."""

    def draw(self, uses: Sequence[Use]) -> list[Drawn]:
        """Draw uses, in order; never raises."""


def is_authored(island: Island) -> bool:
    """Return whether an island is a component of an author's."""
    return island.kind.startswith(COMPONENT_KIND)


def use_of(island: Island, props: Mapping[str, Any]) -> Use:
    """Read the use off an island; `props` are the completed ones of the component."""
    path, line, column = island.props["at"]
    return Use(
        name=island.kind.removeprefix(COMPONENT_KIND),
        props=props,
        has_children=bool(island.children),
        is_inline=island.props["isInline"],
        span=Span(path, line, column),
    )


class Around(NamedTuple):
    """What the site puts around the article of a page."""

    html: dict[str, str]
    """Name of the place → HTML."""
    layout: Drawn | None = None
    """The layout of the page, with slots for its parts; None for the theme's."""


LAYOUT_PARTS = ("announcements", "topBar", "sidebar", "main", "footer")
"""What a layout arranges, in the order in which the theme draws it."""
_PIECE = f"{SLOT}PIECE{SLOT}"
_BETWEEN_TEXTS = "<!-- -->"
"""What React writes between two texts, such as two of our marks."""


def with_slots(payload: PagePayload, around: Around, *, is_inside: bool = False) -> PagePayload:
    """Put what the site has drawn around an article into a payload; without any of it the payload stays as it is.

    With `is_inside`, the payload is part of the page itself, where the HTML is in its places already.
    """
    slots = dict.fromkeys(around.html, "") if is_inside else dict(around.html)
    if around.layout is not None:
        slots["layout"] = around.layout.data
    return msgspec.structs.replace(payload, slots=slots) if slots else payload


def lay_out(skeleton: str, layout: Drawn) -> str:
    """Put the parts of a page into its layout; a page without a frame stays as it is.

    Args:
        skeleton: What the theme has drawn: marks, and the parts between them.
        layout: The layout, with slots for parts.
    """
    before, *pieces = skeleton.split(_PIECE)
    if not pieces:
        return skeleton
    after = pieces.pop()
    values = {
        name: piece.removeprefix(_BETWEEN_TEXTS).removesuffix(_BETWEEN_TEXTS)
        for name, piece in zip(LAYOUT_PARTS, pieces, strict=True)
    }
    drawn = layout.html.split(SLOT)
    drawn[1::2] = [values.get(name, "") for name in drawn[1::2]]
    return "".join([before, *drawn, after])
