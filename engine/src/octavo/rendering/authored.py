"""Components of a site's authors, as far as the drawing of pages knows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from octavo.content import COMPONENT_KIND, Island
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


class Drawn(NamedTuple):
    """A use, drawn."""

    html: str
    """With the slots `ID` and `C0`, as islands have them."""
    problem: Diagnostic | None = None


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
    """Tell whether an island is a component of an author's."""
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


def with_slots(payload: PagePayload, around: dict[str, str]) -> PagePayload:
    """Put what the site has drawn around an article into a payload; without any of it the payload stays as it is."""
    return msgspec.structs.replace(payload, slots=around) if around else payload
