"""`EditionDraft`: an edition while it is assembled. Nothing outside this package sees one."""

from __future__ import annotations

import msgspec

from octavo.site.model import CategoryNode, Edition, EditionInfo, Page, PageLink, SidebarNode


class PagePlace(msgspec.Struct):
    """What the sidebars say of one page; the fields are those of `Page`."""

    sidebar_id: str | None = None
    trail: tuple[int, ...] = ()
    breadcrumbs: tuple[tuple[str, str | None], ...] = ()
    previous: PageLink | None = None
    next: PageLink | None = None
    category: CategoryNode | None = None
    siblings: tuple[SidebarNode, ...] = ()
    also: tuple[str, ...] = ()


class EditionDraft(msgspec.Struct, eq=False):
    """Pages and sidebars of an edition, filled step by step."""

    info: EditionInfo
    pages: dict[str, Page] = {}
    """doc id → page that doesn't know its place yet."""
    by_file: dict[str, str] = {}
    sidebars: dict[str, tuple[SidebarNode, ...]] = {}
    drafts: list[str] = []
    places: dict[str, PagePlace] = {}
    """doc id → place, of the pages that the sidebars name."""

    def add(self, page: Page) -> None:
        """Add a page."""
        self.pages[page.doc_id] = page

    def place(self, doc_id: str) -> PagePlace:
        """Give the place of a page, to be filled."""
        return self.places.setdefault(doc_id, PagePlace())

    def finish(self) -> Edition:
        """Make the edition, with the pages at their places."""
        info = self.info
        return Edition(
            locale=info.locale,
            version=info.version,
            prefix=info.prefix,
            docs_prefix=info.docs_prefix,
            pages={doc_id: self._placed(page) for doc_id, page in self.pages.items()},
            by_file=self.by_file,
            sidebars=self.sidebars,
            drafts=tuple(dict.fromkeys(doc_id for doc_id in self.drafts if doc_id not in self.pages)),
        )

    def _placed(self, page: Page) -> Page:
        place = self.places.get(page.doc_id)
        return page if place is None else msgspec.structs.replace(page, **msgspec.structs.asdict(place))
