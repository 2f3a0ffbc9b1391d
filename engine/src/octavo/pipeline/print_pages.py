"""Which sidebars and sections of a site are also published as one page, for paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from octavo.config import label_in, localized
from octavo.content import slugify
from octavo.site import CategoryNode, Edition, PageLink, SidebarNode, Site, page_links

PRINT_FOLDER = "print"
"""Part of the route in front of them."""


class PrintPage(msgspec.Struct, frozen=True, eq=False):
    """Several pages as one."""

    route: str
    title: str
    edition: Edition
    nodes: Sequence[SidebarNode]
    """What its table of contents lists."""

    @property
    def pages(self) -> list[PageLink]:
        """The pages in the order of the sidebar, each once, without unlisted ones and without lists of posts."""
        links = {link.doc_id: link for link in page_links(self.nodes) if not link.is_unlisted}
        return [link for link in links.values() if not self.edition.pages[link.doc_id].is_post_list]


def list_print_pages(site: Site) -> list[PrintPage]:
    """List them; none where the settings ask for none."""
    if site.config.print_pages == "none":
        return []
    return [page for edition in site.editions for page in _of_edition(site, edition) if page.pages]


def _of_edition(site: Site, edition: Edition) -> Iterator[PrintPage]:
    config = localized(site.config, edition.locale.id)
    labels = {item.sidebar: item.label for item in config.navbar.items if item.sidebar}
    labels |= {
        one.id: label_in(config, edition.locale.id, one.label)
        for one in edition.version.sidebars or config.sidebars
        if one.label
    }
    for sidebar_id, nodes in edition.sidebars.items():
        folder = f"{edition.prefix}/{PRINT_FOLDER}/{sidebar_id}/"
        yield PrintPage(folder, labels.get(sidebar_id) or config.title, edition, nodes)
        if config.print_pages != "sections":
            continue
        taken: set[str] = set()
        for node in nodes:
            if isinstance(node, CategoryNode):
                name = take_unused(slugify(node.label) or "section", taken)
                yield PrintPage(f"{folder}{name}/", node.label, edition, [node])


def take_unused(name: str, taken: set[str]) -> str:
    """Add a name to those that are taken, with a number if it is one of them already, and return it."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    taken.add(free)
    return free
