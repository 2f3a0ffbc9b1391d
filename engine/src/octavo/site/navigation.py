"""What follows from the sidebars: membership, breadcrumbs, the open branch, previous and next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from octavo.diagnostics import Diagnostic, Level, Span
from octavo.site.draft import EditionDraft
from octavo.site.folding import fold_place, is_large
from octavo.site.model import CategoryNode, DocNode, Page, PageLink, SidebarNode
from octavo.site.sidebar import is_group, is_shown
from octavo.site.suggest import nearest


def link_up(
    edition: EditionDraft, *, membership: Level, elsewhere: Mapping[str, Page] = MappingProxyType({})
) -> list[Diagnostic]:
    """Give each page of an edition its sidebar, breadcrumbs, trail and neighbours.

    Args:
        edition: Its sidebars are complete.
        membership: Level of the finding that a document is in no sidebar, or in two.
        elsewhere: See `SidebarBuilder`.
    """
    diagnostics: list[Diagnostic] = []
    for sidebar_id, nodes in edition.sidebars.items():
        placer = _Placer(edition, sidebar_id, diagnostics, membership, is_folded=is_large(nodes))
        placer.place(nodes, (), ())
        _chain(edition, nodes)
    for page in edition.pages.values():
        _apply_front_matter(edition, page, diagnostics, membership, elsewhere)
    return diagnostics


class _Placer:
    """Writes down where one sidebar has its pages."""

    def __init__(
        self,
        edition: EditionDraft,
        sidebar_id: str,
        diagnostics: list[Diagnostic],
        membership: Level,
        *,
        is_folded: bool,
    ) -> None:
        self._edition = edition
        self._sidebar_id = sidebar_id
        self._diagnostics = diagnostics
        self._membership = membership
        self._is_folded = is_folded

    def place(
        self, nodes: Sequence[SidebarNode], trail: tuple[int, ...], crumbs: tuple[tuple[str, str | None], ...]
    ) -> None:
        shown = 0
        # The sidebar's markup knows ranges where there are very many items; breadcrumbs and cards do not.
        count = sum(map(is_shown, nodes)) if self._is_folded else 0
        siblings = tuple(nodes)
        for node in nodes:
            index = fold_place(shown, count) if self._is_folded else (shown,)
            ranges = (*trail, *index[:-1])
            shown += is_shown(node)
            if isinstance(node, DocNode):
                # A category without a page of its own is not named beside its page of the same name.
                above = crumbs[:-1] if crumbs and crumbs[-1] == (node.label, None) else crumbs
                self._enter(node.page, ranges, (*above, (node.label, node.page.route)), siblings)
            elif isinstance(node, CategoryNode):
                path = (*trail, *index) if is_group(node) else ranges
                inner = (*crumbs, (node.label, node.page.route if node.page else None))
                if node.page:
                    self._enter(node.page, path, inner, node.items)
                self.place(node.items, path, inner)

    def _enter(
        self,
        link: PageLink,
        trail: tuple[int, ...],
        crumbs: tuple[tuple[str, str | None], ...],
        siblings: tuple[SidebarNode, ...],
    ) -> None:
        place = self._edition.place(link.doc_id)
        source = self._edition.pages[link.doc_id].source
        if place.sidebar_id is not None and source is not None:
            where = (
                f'twice in the sidebar "{self._sidebar_id}"'
                if place.sidebar_id == self._sidebar_id
                else f'in two sidebars, "{place.sidebar_id}" and "{self._sidebar_id}"'
            )
            self._diagnostics.append(
                Diagnostic(
                    code="sidebar-membership",
                    level=self._membership,
                    span=Span(source.origin),
                    message=f'The document "{link.doc_id}" is {where}; it must belong to exactly one place.',
                    suggestion="Remove one of the entries, or write a link entry with an href instead.",
                )
            )
        place.sidebar_id, place.trail, place.breadcrumbs, place.siblings = self._sidebar_id, trail, crumbs, siblings


def _chain(edition: EditionDraft, nodes: Sequence[SidebarNode]) -> None:
    """Link the pages of a sidebar to the previous and the next one."""
    before: PageLink | None = None
    for link in _reading_order(nodes):
        if link.is_unlisted or (before is not None and link.doc_id == before.doc_id):
            continue
        if _lists_a_term(edition.pages[link.doc_id]):
            continue  # nobody reads on from the last post to the list of its author
        place = edition.place(link.doc_id)
        place.previous, place.next = before, None
        if before is not None:
            edition.place(before.doc_id).next = link
        before = link


def _lists_a_term(page: Page) -> bool:
    """Return whether a page lists the posts of a tag or an author, or all tags or authors."""
    return page.is_post_list and page.source is not None and page.source.path.split("/")[-2] in ("tags", "authors")


def _reading_order(nodes: Sequence[SidebarNode]) -> Iterator[PageLink]:
    for node in nodes:
        if isinstance(node, DocNode):
            yield node.page
        elif isinstance(node, CategoryNode):
            if node.page:
                yield node.page
            yield from _reading_order(node.items)


def _apply_front_matter(
    edition: EditionDraft,
    page: Page,
    diagnostics: list[Diagnostic],
    membership: Level,
    elsewhere: Mapping[str, Page],
) -> None:
    if page.summary is None or page.source is None or page.kind != "doc":
        return
    front = page.summary.front_matter
    place = edition.place(page.doc_id)

    def report(code: str, level: Level, message: str, suggestion: str = "") -> None:
        span = Span(page.summary.source_path if page.summary else "")
        diagnostics.append(Diagnostic(code=code, level=level, span=span, message=message, suggestion=suggestion))

    if front.displayed_sidebar is not None:
        if front.displayed_sidebar in edition.sidebars:
            if place.sidebar_id != front.displayed_sidebar:
                place.trail = ()
                place.breadcrumbs = ((page.title, page.route),)
            place.sidebar_id = front.displayed_sidebar
        else:
            known = ", ".join(f'"{sidebar}"' for sidebar in edition.sidebars)
            message = f'displayed_sidebar is "{front.displayed_sidebar}", but there is no such sidebar.'
            report("displayed-sidebar", "error", message, f"Known sidebars: {known}.")
    elif front.removes_sidebar:
        place.sidebar_id = None
    elif place.sidebar_id is None and not front.unlisted:
        message = f'The document "{page.doc_id}" is in no sidebar.'
        report(
            "sidebar-membership", membership, message, "Add it to one in octavo.toml, or name one in displayed_sidebar."
        )

    for name, target, removed in (
        ("previous", front.pagination_prev, front.removes_prev),
        ("next", front.pagination_next, front.removes_next),
    ):
        if removed:
            setattr(place, name, None)
        elif target is not None:
            other = edition.pages.get(target) or elsewhere.get(target) or _in_folder_of(page.doc_id, target, edition)
            if other is None and target not in edition.drafts:
                key = "pagination_prev" if name == "previous" else "pagination_next"
                close = nearest(target, edition.pages)
                suggestion = f'Did you mean "{close}"?' if close else ""
                message = f'{key} is "{target}", but there is no document with that id.'
                report("pagination", "error", message, suggestion)
            setattr(place, name, other.link if other is not None else None)


def _in_folder_of(doc_id: str, target: str, edition: EditionDraft) -> Page | None:
    """Find the document that an id means from a folder which holds the page: sites of several parts write ids from the part."""
    folder = doc_id
    while "/" in folder:
        folder = folder.rpartition("/")[0]
        if (found := edition.pages.get(f"{folder}/{target}")) is not None:
            return found
    return None
