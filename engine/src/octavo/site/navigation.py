"""What follows from the sidebars: membership, breadcrumbs, the open branch, previous and next."""

from __future__ import annotations

from collections.abc import Iterator

from octavo.diagnostics import Diagnostic, Level, Span
from octavo.site.folding import fold_place, is_large
from octavo.site.model import CategoryNode, DocNode, Edition, Page, SidebarNode
from octavo.site.sidebar import is_group, is_shown
from octavo.site.suggest import nearest


def link_up(edition: Edition, *, membership: Level) -> list[Diagnostic]:
    """Give each page of an edition its sidebar, breadcrumbs, trail and neighbours.

    Args:
        edition: Its sidebars are complete.
        membership: Level of the finding that a document is in no sidebar, or in two.
    """
    diagnostics: list[Diagnostic] = []
    for sidebar_id, nodes in edition.sidebars.items():
        _place(nodes, sidebar_id, (), [], diagnostics, membership, is_folded=is_large(nodes))
        _chain(nodes)
    for page in edition.pages.values():
        _apply_front_matter(page, diagnostics, membership)
    return diagnostics


def _place(
    nodes: list[SidebarNode],
    sidebar_id: str,
    trail: tuple[int, ...],
    crumbs: list[tuple[str, str | None]],
    diagnostics: list[Diagnostic],
    membership: Level,
    *,
    is_folded: bool,
) -> None:
    shown = 0
    # The sidebar's markup knows ranges where there are very many items; breadcrumbs and cards do not.
    count = sum(map(is_shown, nodes)) if is_folded else 0
    for node in nodes:
        place = fold_place(shown, count) if is_folded else (shown,)
        ranges = (*trail, *place[:-1])
        shown += is_shown(node)
        if isinstance(node, DocNode):
            _enter(node.page, sidebar_id, diagnostics, membership)
            node.page.trail = ranges
            node.page.breadcrumbs = [*crumbs, (node.label, node.page.route)]
            node.page.siblings = nodes
        elif isinstance(node, CategoryNode):
            route = node.page.route if node.page else None
            path = (*trail, *place) if is_group(node) else ranges
            inner = [*crumbs, (node.label, route)]
            if node.page:
                _enter(node.page, sidebar_id, diagnostics, membership)
                node.page.trail = path
                node.page.breadcrumbs = inner
                node.page.siblings = node.items
            _place(node.items, sidebar_id, path, inner, diagnostics, membership, is_folded=is_folded)


def _enter(page: Page, sidebar_id: str, diagnostics: list[Diagnostic], membership: Level) -> None:
    if page.sidebar_id is not None and page.source is not None:
        place = (
            f'twice in the sidebar "{sidebar_id}"'
            if page.sidebar_id == sidebar_id
            else f'in two sidebars, "{page.sidebar_id}" and "{sidebar_id}"'
        )
        diagnostics.append(
            Diagnostic(
                code="sidebar-membership",
                level=membership,
                span=Span(page.source.origin),
                message=f'The document "{page.doc_id}" stands {place}; it must belong to exactly one place.',
                suggestion="Remove one of the entries, or write a link entry with an href instead.",
            )
        )
    page.sidebar_id = sidebar_id


def _chain(nodes: list[SidebarNode]) -> None:
    previous: Page | None = None
    for page in _reading_order(nodes):
        if page.is_unlisted or page is previous:
            continue
        page.previous, page.next = previous, None
        if previous is not None:
            previous.next = page
        previous = page


def _reading_order(nodes: list[SidebarNode]) -> Iterator[Page]:
    for node in nodes:
        if isinstance(node, DocNode):
            yield node.page
        elif isinstance(node, CategoryNode):
            if node.page:
                yield node.page
            yield from _reading_order(node.items)


def _apply_front_matter(page: Page, diagnostics: list[Diagnostic], membership: Level) -> None:
    if page.summary is None or page.source is None or page.kind != "doc":
        return
    front = page.summary.front_matter
    edition = page.edition

    def report(code: str, level: Level, message: str, suggestion: str = "") -> None:
        span = Span(page.summary.source_path if page.summary else "")
        diagnostics.append(Diagnostic(code=code, level=level, span=span, message=message, suggestion=suggestion))

    if front.displayed_sidebar is not None:
        if front.displayed_sidebar in edition.sidebars:
            if page.sidebar_id != front.displayed_sidebar:
                page.trail = ()
                page.breadcrumbs = [(page.title, page.route)]
            page.sidebar_id = front.displayed_sidebar
        else:
            known = ", ".join(f'"{sidebar}"' for sidebar in edition.sidebars)
            message = f'displayed_sidebar is "{front.displayed_sidebar}", but there is no such sidebar.'
            report("displayed-sidebar", "error", message, f"Known sidebars: {known}.")
    elif front.removes_sidebar:
        page.sidebar_id = None
    elif page.sidebar_id is None and not front.unlisted:
        message = f'The document "{page.doc_id}" is in no sidebar.'
        report(
            "sidebar-membership", membership, message, "Add it to one in octavo.toml, or name one in displayed_sidebar."
        )

    for name, target, removed in (
        ("previous", front.pagination_prev, front.removes_prev),
        ("next", front.pagination_next, front.removes_next),
    ):
        if removed:
            setattr(page, name, None)
        elif target is not None:
            other = edition.pages.get(target)
            if other is None and target not in edition.drafts:
                key = "pagination_prev" if name == "previous" else "pagination_next"
                close = nearest(target, edition.pages)
                suggestion = f'Did you mean "{close}"?' if close else ""
                message = f'{key} is "{target}", but there is no document with that id.'
                report("pagination", "error", message, suggestion)
            setattr(page, name, other)
