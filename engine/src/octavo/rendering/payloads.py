"""From the `Site` to the structs of the contract (`payload.py`)."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Final, TypeGuard

import msgspec

from octavo.config import CONFIG_NAME, Config, label_in, site_words
from octavo.contract import payload as contract
from octavo.lazy import regex as re
from octavo.manifest import markdown_file
from octavo.rendering.page_record import not_found_route
from octavo.rendering.shared_files import (
    WIDE_LAYOUTS,
    PayloadAddresses,
    SharedFiles,
    first_page,
    main_page,
    shown_announcements,
)
from octavo.site import (
    MOST_IN_VIEW,
    CategoryNode,
    DocNode,
    Edition,
    EditionInfo,
    LinkNode,
    LinkResolver,
    Page,
    SidebarNode,
    Site,
    fold_items,
    is_released,
    is_shown,
    sidebar_label,
)
from octavo.words import fill_word


class PayloadMaker:
    """Makes the payloads of a site's pages."""

    def __init__(self, site: Site, resolver: LinkResolver) -> None:
        self._site = site
        self._config = site.config
        self._resolver = resolver
        self._addresses = PayloadAddresses(site.config, resolver)
        shared = SharedFiles(site.config, resolver, self._addresses)
        self.shared = {edition.key: shared.make(edition) for edition in site.editions}

    def use_site(self, site: Site) -> None:
        """Use another site, which has the same pages at the same routes, with other texts."""
        self._site = site

    def page(self, page: Page) -> contract.PagePayload:
        """Make the payload of a page, without its article."""
        front = page.summary.front_matter if page.summary else None
        shared = self.shared[page.edition.key]
        config = self._config
        is_editable = page.source is not None and not (front and front.hides_edit_url)
        is_editable &= page.source is None or page.source.origin != CONFIG_NAME  # lists that the settings ask for
        is_editable &= not is_released(page.edition.version)  # nobody edits what is released
        edit_url = config.edit_url + page.source.origin if config.edit_url and page.source and is_editable else None
        shows_update = config.shows_last_update and page.last_updated is not None
        layout = _layout(page)
        is_alone = layout in WIDE_LAYOUTS
        return contract.PagePayload(
            path=self._addresses.url(page.route),
            layout=layout,
            title=page.title,
            document_title=self._document_title(page),
            description=page.description,
            html="",
            shows_title=not (page.summary and page.summary.has_title) and not (front and front.hide_title),
            toc=[] if is_alone else self._toc(page),
            breadcrumbs=[
                contract.Breadcrumb(
                    label=self._crumb(page, label, route), href=self._addresses.url(route) if route else None
                )
                for label, route in (() if is_alone else page.breadcrumbs)
            ],
            previous=None if is_alone else self._addresses.link(self._site.edition_of(page), page.previous),
            next=None if is_alone else self._addresses.link(self._site.edition_of(page), page.next),
            sidebar=self._addresses.file(shared.sidebars[page.sidebar_id])
            if page.sidebar_id and not is_alone
            else None,
            sidebar_path=self._addresses.url(page.route),
            edit_url=(front.custom_edit_url if front and front.custom_edit_url else edit_url),
            last_updated=contract.LastUpdated(date=page.last_updated or "", author=page.last_author)
            if shows_update
            else None,
            # Further pages of a list of posts are only kept from search engines: readers come to them by the list.
            is_unlisted=page.is_unlisted and not page.is_post_list,
            tags=front.tags if front and not self._is_post(page) else [],
            islands=page.summary.island_kinds if page.summary else ["card-list"],
            versions=self._versions(page),
            locales=self._locales(page),
            version_banner=self._banner(page),
            translation=self._translation(page),
            announcements=self._announcements(page.route.removeprefix(page.edition.prefix)),
            site=self._addresses.file(shared.site),
            markdown=self._addresses.url(f"/{markdown_file(page.route)}") if has_markdown(page, config) else None,
        )

    def _crumb(self, page: Page, label: str, route: str | None) -> str:
        """Write a step of the way to a page."""
        step = self._site.by_route.get(route) if route is not None else None
        return self._addresses.label(self._site.edition_of(page), step.doc_id, label) if step else label

    def _toc(self, page: Page) -> list[contract.TocEntry]:
        entries = _toc(page)
        edition = self._site.edition_of(page)
        return [
            msgspec.structs.replace(one, html=self._addresses.label(edition, page.doc_id, one.html)) for one in entries
        ]

    def _is_post(self, page: Page) -> bool:
        """Return whether a page is a post of a blog, which shows its tags below its title."""
        if page.source is None or posixpath.basename(page.source.path).startswith(("index.", "_index.")):
            return False
        return any(page.source.key.startswith(f"{blog.folder}/") for blog in self._config.blogs)

    def not_found(self, edition: EditionInfo) -> contract.PagePayload:
        """Make the payload of an edition's not-found page."""
        title = site_words(self._config, edition.locale.id)["notFound.title"]
        return contract.PagePayload(
            path=self._addresses.url(not_found_route(edition, self._config.default_locale)),
            layout="not-found",
            title=title,
            document_title=f"{title} {self._config.title_delimiter} {self._label(edition, self._config.title)}",
            description="",
            html="",
            shows_title=True,
            toc=[],
            breadcrumbs=[],
            previous=None,
            next=None,
            sidebar=None,
            sidebar_path="",
            edit_url=None,
            last_updated=None,
            is_unlisted=True,
            tags=[],
            islands=[],
            versions=[],
            locales=[],
            version_banner=None,
            translation=None,
            announcements=self._announcements(None),
            site=self._addresses.file(self.shared[edition.key].site),
        )

    def _announcements(self, route: str | None) -> list[int]:
        """List the places of a page's announcements; its route is that without language and version."""
        return [
            place
            for place, bar in enumerate(shown_announcements(self._config))
            if not bar.routes or (route is not None and any(fnmatchcase(route, pattern) for pattern in bar.routes))
        ]

    def navbar_hrefs(self) -> set[str]:
        """Collect the addresses of the plain links in the top bar."""
        items = [item for top in self._config.navbar.items for item in (top, *top.items)]
        return {
            self._addresses.href(edition, item.href) for edition in self._site.editions for item in items if item.href
        }

    def cards(self, page: Page) -> list[contract.CardData]:
        """List the cards of a card list on a page: the items of its category."""
        pages = self._site.edition_of(page).pages
        own = page.doc_id
        nodes = [node for node in page.siblings if not (isinstance(node, DocNode) and node.page.doc_id == own)]
        others = (pages[doc_id] for doc_id in page.also)
        nodes += [
            other.category
            or DocNode(other.link, sidebar_label(other), None, other.summary.icon if other.summary else "")
            for other in others
        ]
        shown = [node for node in nodes if is_shown(node)]
        if len(shown) > MOST_IN_VIEW:
            # As in the sidebar: each range leads to its first page, beside which the whole range is listed.
            shown = fold_items(shown, _make_range)
        edition = self._site.edition_of(page)
        return [card for node in shown for card in self._card(edition, pages, node)]

    def _card(self, edition: Edition, pages: Mapping[str, Page], node: SidebarNode) -> Iterable[contract.CardData]:
        if isinstance(node, DocNode):
            doc_id = node.page.doc_id
            yield contract.CardData(
                kind="doc",
                href=self._addresses.url(node.page.route),
                label=self._addresses.label(edition, doc_id, node.label),
                description=self._addresses.label(edition, doc_id, pages[doc_id].description),
                icon=node.icon,
            )
        elif isinstance(node, LinkNode):
            yield contract.CardData(
                kind="link", href=self._addresses.href(edition, node.href), label=node.label, description=""
            )
        else:
            count = _count_items(node)
            href = self._way_into(edition, node)
            if href is not None:
                description = node.description or (pages[node.page.doc_id].description if node.page else "")
                yield contract.CardData(
                    kind="category" if count else "doc",
                    href=href,
                    label=node.label,
                    description=description,
                    count=0 if description else count,
                    icon=node.icon,
                )

    def _way_into(self, edition: Edition, category: CategoryNode) -> str | None:
        """Give the address of a category's first page; where it has none, its first link."""
        target = category.page or first_page(category.items)
        if target is not None:
            return self._addresses.url(target.route)
        link = _first_link(category.items)
        return self._addresses.href(edition, link.href) if link is not None else None

    # Editions of a page
    def _versions(self, page: Page) -> list[contract.Alternate]:
        if len(self._config.versions) < 2:
            return []
        editions = [edition for edition in self._site.editions if edition.locale is page.edition.locale]
        return [
            self._alternate(
                page, edition, edition.version.name, self._label(edition, edition.version.label), self._age_note
            )
            for edition in editions
        ]

    def _locales(self, page: Page) -> list[contract.Alternate]:
        if len(self._config.locales) < 2:
            return []
        editions = [edition for edition in self._site.editions if edition.version is page.edition.version]
        return [
            self._alternate(page, edition, edition.locale.id, edition.locale.label, self._main_page_note)
            for edition in editions
        ]

    def _label(self, edition: Edition | EditionInfo, text: str) -> str:
        return label_in(self._config, edition.locale.id, text)

    def _word(self, page: Page, key: str, **values: object) -> str:
        return fill_word(site_words(self._config, page.edition.locale.id)[key], **values)

    def _main_page_note(self, page: Page, _: Edition) -> str:
        return self._word(page, "nav.mainPage")

    def _age_note(self, page: Page, edition: Edition) -> str:
        """Say of a version without this page since which one it is there, or until which one it was."""
        unreleased = [one for one in self._config.versions if one.banner == "unreleased"]
        newest_first = [*unreleased, *(one for one in self._config.versions if one.banner != "unreleased")]
        having = {
            one.version.name for one in self._site.editions if one.locale is edition.locale and page.doc_id in one.pages
        }
        place = newest_first.index(edition.version)
        newer = [one for one in newest_first[:place] if one.name in having]
        older = [one for one in newest_first[place + 1 :] if one.name in having]
        if newer and not older:
            return self._word(page, "version.since", version=self._label(edition, newer[-1].label))
        if older and not newer:
            return self._word(page, "version.until", version=self._label(edition, older[0].label))
        return self._word(page, "nav.mainPage")

    def _translation(self, page: Page) -> contract.TranslationNotice | None:
        if not page.translation:
            return None
        first = self._config.default_locale
        original = next(
            edition
            for edition in self._site.editions
            if edition.locale is first and edition.version is page.edition.version
        )
        target = self._site.counterpart(page, original) or main_page(original)
        is_missing = page.translation == "missing"
        return contract.TranslationNotice(
            kind="untranslated" if is_missing else "outdated",
            href=self._addresses.url(target.route if target else f"{original.prefix}/"),
            lang=first.id if is_missing else None,
            dir=first.direction if is_missing else None,
        )

    def _alternate(
        self, page: Page, edition: Edition, name: str, label: str, note: Callable[[Page, Edition], str]
    ) -> contract.Alternate:
        same = self._site.counterpart(page, edition)
        target = same or main_page(edition)
        return contract.Alternate(
            id=name,
            label=label,
            href=self._addresses.url(target.route if target else f"{edition.prefix}/"),
            is_current=edition.key == page.edition.key,
            is_exact=same is not None,
            note=note(page, edition) if same is None else "",
            is_translated=same is None or same.translation != "missing",
        )

    def _banner(self, page: Page) -> contract.VersionBanner | None:
        kind = page.edition.version.banner
        if kind == "none" or page.kind == "page":
            return None
        latest = next(
            edition
            for edition in self._site.editions
            if edition.locale is page.edition.locale and edition.version is self._config.last_version
        )
        target = self._site.counterpart(page, latest) or main_page(latest)
        return contract.VersionBanner(
            kind=kind,
            version_label=self._label(page.edition, page.edition.version.label),
            latest_label=self._label(page.edition, latest.version.label),
            latest_href=self._addresses.url(target.route if target else f"{latest.prefix}/"),
        )

    def _document_title(self, page: Page) -> str:
        if page.summary is not None and "title" in page.summary.front_matter.metas:
            return page.summary.front_matter.metas["title"]
        title, site_title = page.title, self._label(page.edition, self._config.title)
        return site_title if title == site_title else f"{title} {self._config.title_delimiter} {site_title}"


def has_markdown(page: Page, config: Config) -> bool:
    """Return whether a page is published as Markdown too."""
    return config.programs.markdown and _layout(page) != "search"


def _layout(page: Page) -> contract.Layout:
    if page.summary is None or page.is_post_list:
        return "category"
    name = page.summary.front_matter.layout
    if name in WIDE_LAYOUTS:
        return WIDE_LAYOUTS[name]
    if name == "search":
        return "search"
    if page.kind == "page":
        return "page"
    return "reference" if name == "reference" else "doc"


_LONG_NAME: Final = re.compile(r"(?<![\w&.])[\w.]{22,}(?![^<]*>)")
"""A name that is wider than the contents list may be; not one in a tag."""
_PARTS: Final = re.compile(r"(?<=[_.])(?=\w)|(?<=[a-z0-9])(?=[A-Z])")


def _break_names(html: str) -> str:
    """Let long names, such as those of schemas, break between their words only."""
    return _LONG_NAME.sub(lambda name: _PARTS.sub("<wbr>", name[0]), html)


def _toc(page: Page) -> list[contract.TocEntry]:
    front = page.summary.front_matter if page.summary else None
    if page.summary is None or front is None or front.hide_table_of_contents:
        return []
    levels = range(max(2, front.toc_min_heading_level), front.toc_max_heading_level + 1)
    return [
        contract.TocEntry(level=heading.level, anchor=heading.anchor, html=_break_names(heading.html))
        for heading in page.summary.headings
        if heading.level in levels and heading.text
    ]


# Ranges of cards: the index page of a category with thousands of items shows them as its sidebar does.
_RANGE_CLASS = "sidebar-range"


def _make_range(nodes: list[SidebarNode]) -> SidebarNode:
    """Make one item of several, named by the first and the last of them; ranges of ranges by those of all."""
    label = f"{_ends(nodes[0])[0]} – {_ends(nodes[-1])[1]}"
    return CategoryNode(label, None, None, True, True, _RANGE_CLASS, tuple(nodes))


def _count_items(node: CategoryNode) -> int:
    """Count the shown items of a category; of a range of ranges those of all of them."""
    return sum(_count_items(item) if _is_range(item) else is_shown(item) for item in node.items)


def _first_link(nodes: Iterable[SidebarNode]) -> LinkNode | None:
    for node in nodes:
        found = _first_link(node.items) if isinstance(node, CategoryNode) else node
        if isinstance(found, LinkNode):
            return found
    return None


def _ends(node: SidebarNode) -> tuple[str, str]:
    return (_ends(node.items[0])[0], _ends(node.items[-1])[1]) if _is_range(node) else (node.label, node.label)


def _is_range(node: SidebarNode) -> TypeGuard[CategoryNode]:
    return isinstance(node, CategoryNode) and node.class_name == _RANGE_CLASS
