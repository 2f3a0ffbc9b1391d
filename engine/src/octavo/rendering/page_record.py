"""`PageJob`: a page to be rendered; `PageRecord`: one that was, as the next build and the link check need it."""

from __future__ import annotations

import html
from typing import NamedTuple, Protocol

import msgspec

from octavo.config import Locale
from octavo.content import COMPONENT_KIND, SLOT, Island
from octavo.diagnostics import Diagnostic
from octavo.documents import Body
from octavo.manifest import ManifestFile
from octavo.pictures import SocialCard
from octavo.site import EditionInfo, Page


class PageJob(NamedTuple):
    """A page that the site must have, with what tells cheaply whether it is still as it was drawn."""

    route: str
    edition: EditionInfo
    page: Page | None
    """None for the not-found page of an edition."""
    quick_key: str
    """See `QuickKeys`."""


class Sink(Protocol):
    """Takes what is drawn."""

    def write(self, address: str, content: bytes) -> ManifestFile:
        """Take a file."""


class PageRecord(msgspec.Struct, frozen=True):
    """A drawn page, as the next build and the link check need it."""

    key: str
    """Hash of everything it was drawn from; empty for a page that is drawn again next time: a component was stopped."""
    quick_key: str
    """Hash of what tells most cheaply that it has not changed; see `QuickKeys`."""
    is_shallow: bool
    """The quick key tells all: it shows no files, whose content counts, and no cards of other pages."""
    files: dict[str, ManifestFile]
    """Address in the published folder → file."""
    copies: dict[str, str]
    """Address in the published folder → path from the site's folder, of files beside the documents."""
    cards: dict[str, SocialCard]
    """Address in the published folder → social card, to be drawn."""
    undrawable: str
    """Characters of its title that a social card cannot show, for which it has none."""
    references: list[str]
    """What its HTML refers to: values of `href`, `src`, `poster`."""
    anchors: list[str]
    """What it can be referred to by: values of `id`, and of `name` on `a`."""
    needs: list[str]
    """What it asks of the content security policy; see `csp.scan_needs`."""
    problems: list[Diagnostic] = []
    """Components of authors that could not be drawn."""

    @property
    def is_passing(self) -> bool:
        """Its HTML may differ the next time although its sources are the same."""
        return not self.key


def not_found_route(edition: EditionInfo, first: Locale) -> str:
    """Name the route of an edition's not-found page; that of the first language is where hosts look for it."""
    return f"{'' if edition.locale.id == first.id else edition.prefix}/404.html"


def name_in_versions(job: PageJob) -> tuple[str, str]:
    """Name what a page is in all versions."""
    return job.page.doc_id if job.page else "", job.edition.locale.id


def has_cards(page: Page) -> bool:
    """Return whether a page shows cards, which say something of other pages."""
    return page.summary is None or "card-list" in page.summary.island_kinds


def has_components(page: Page | None) -> bool:
    """Return whether a page shows components of the site's authors."""
    kinds = page.summary.island_kinds if page and page.summary else ()
    return any(kind.startswith(COMPONENT_KIND) for kind in kinds)


def has_own_image(page: Page) -> bool:
    """Return whether a page names its own picture for previews."""
    return page.summary is not None and page.summary.front_matter.image is not None


def category_body(page: Page) -> Body:
    """Make the body of a generated index: its description, and a card for each item."""
    cards = Island(kind="card-list", props={"items": None})
    intro = f"<p>{html.escape(page.description)}</p>\n" if page.description else ""
    return Body(html=f"{intro}{SLOT}I0{SLOT}", islands=[cards], anchors=[], text=[], markdown="")
