"""Sidebars: trees of documents and categories, made from folders or as `octavo.toml` writes them out."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TypeGuard

import msgspec

from octavo.config import (
    CONFIG_NAME,
    CategoryLink,
    Config,
    Routing,
    Sidebar,
    SidebarEntry,
    line_of_text,
    load_variables,
)
from octavo.content import Slugger
from octavo.diagnostics import Diagnostic, Level, Span
from octavo.site.categories import CategorySettings, load_category
from octavo.site.draft import EditionDraft, Folder, folders_apart
from octavo.site.model import CategoryNode, DocNode, LinkNode, Page, PageLink, SidebarNode
from octavo.site.naming import label_of_name
from octavo.site.routes import is_folder_index, split_number_prefix, strip_number_prefixes, with_slash
from octavo.site.sources import is_released
from octavo.site.suggest import nearest

_LAST = float("inf")
"""Position of items that have none: behind all that do."""
_ROUTING = Routing()


class SidebarBuilder:
    """Builds the sidebars of one edition, and the pages of its generated indexes."""

    def __init__(
        self,
        edition: EditionDraft,
        *,
        site_dir: Path,
        docs_roots: list[str],
        mounts: Mapping[str, list[str]] = MappingProxyType({}),
        config: Config | None = None,
        elsewhere: Mapping[str, Page] = MappingProxyType({}),
        originals: Mapping[str, Page] = MappingProxyType({}),
    ) -> None:
        """Initialize.

        Args:
            edition: Its `pages` and `by_file` are complete; generated indexes are added to `pages`.
            site_dir: The site's folder; category files are read from it.
            docs_roots: Docs folders of the edition, the translated one first.
            mounts: The same of each mounted folder.
            config: Says how ids and routes are made of files.
            elsewhere: Pages that exist once for all versions, in another edition: doc id → page.
            originals: Pages of the same version in the first language, where this is another one: doc id → page.
        """
        self._edition = edition
        self._elsewhere = elsewhere
        self._originals = originals
        self._config = config
        self.diagnostics: list[Diagnostic] = []
        self._collapses: bool | None = None
        self._site_dir = site_dir
        self._docs_roots = docs_roots
        self._slugger = Slugger()
        self._index_ids = Slugger()
        self._mounts = mounts
        self._apart = folders_apart(config) if config is not None else frozenset[str]()
        self._mounted_routes = config.mounts.values() if config is not None else ()
        routing = config.routing if config is not None else _ROUTING
        self._slashes = config.trailing_slash if config is not None else "ignore"
        self._routing = routing
        self._blogs = [f"{blog.folder}/" for blog in config.blogs] if config is not None else []
        has_variables = config is not None and (config.variables or config.variable_files)
        self._variables = load_variables(site_dir, config) if config is not None and has_variables else None
        self._folders = Folder.of_edition(edition, routing)
        self._labels = config.labels.get(edition.info.locale.id, {}) if config is not None else {}
        self.labels: set[str] = set()
        """Texts that `[labels]` can translate: those of the sidebars that were built, and of their folders."""

    def _label(self, text: str) -> str:
        """Give a text of the settings in the language of the edition."""
        self.labels.add(text)
        return self._labels.get(text, text)

    def _badge(self, entry: SidebarEntry) -> str:
        return self._label(entry.badge) if entry.badge else ""

    def _page_label(self, text: str, page: Page) -> str:
        """Give the label of an entry that leads to a page: what is only the title of the original is that of the translation."""
        if text in self._labels:
            return self._label(text)
        original = self._originals.get(page.doc_id)
        if original is not None and page.translation != "missing" and text in (sidebar_label(original), original.title):
            self.labels.add(text)
            return sidebar_label(page)
        return text if text == sidebar_label(page) else self._label(text)

    def build(self, sidebar: Sidebar) -> tuple[SidebarNode, ...]:
        """Build one sidebar."""
        self._collapses = sidebar.is_collapsed
        return tuple(self._entries(sidebar.items, sidebar.id))

    def _entries(self, entries: Iterable[SidebarEntry], sidebar_id: str) -> Iterator[SidebarNode]:
        for entry in entries:
            yield from self._entry(entry, sidebar_id)

    def _entry(self, entry: SidebarEntry, sidebar_id: str) -> Iterator[SidebarNode]:
        if entry.autogenerated is not None:
            yield from self._autogenerated(entry.autogenerated, sidebar_id)
        elif entry.doc is not None:
            page = self._document(entry.doc, f'sidebar "{sidebar_id}"')
            if isinstance(page, LinkNode):
                yield LinkNode(self._label(entry.label or page.label), page.href, entry.class_name, self._badge(entry))
            elif page:
                yield self._named_document(page, entry, sidebar_id)
        elif entry.category is not None:
            node = self._category(
                key=f"{sidebar_id}/{entry.category}",
                label=entry.category,
                items=tuple(self._entries(entry.items, sidebar_id)),
                link=entry.link,
                page=None,
                settings=CategorySettings(collapsed=entry.is_collapsed, collapsible=entry.is_collapsible),
                class_name=entry.class_name,
                badge=self._badge(entry),
            )
            if node:
                yield node
        elif entry.href is not None:
            yield LinkNode(self._label(entry.label or entry.href), entry.href, entry.class_name, self._badge(entry))

    def _named_document(self, page: Page, entry: SidebarEntry, sidebar_id: str) -> SidebarNode:
        label = self._page_label(entry.label, page) if entry.label else sidebar_label(page)
        if page.source is not None and page.source.doc_id and is_folder_index(page.source.relative, self._routing):
            # The overview of an API brings the pages below it along.
            folder = self._folders.find(page.source.relative.rpartition("/")[0])
            node = folder and self._category(
                key=f"{sidebar_id}/{page.doc_id}",
                label=label,
                items=self._folder_items(folder, page),
                link=None,
                page=page,
                settings=CategorySettings(),
                class_name=entry.class_name,
                badge=self._badge(entry),
            )
            if node:
                return node
        own_class = page.summary.front_matter.sidebar_class_name if page.summary else None
        return DocNode(
            page.link, label, entry.class_name or own_class, _icon(page), self._badge(entry) or _badge_of(page)
        )

    def _autogenerated(self, folder: str, sidebar_id: str) -> Iterator[SidebarNode]:
        found = self._folders.find(folder)
        found = found.without(self._apart) if found is self._folders else found
        shared = [page for page in self._elsewhere.values() if page.source and page.source.key.startswith(f"{folder}/")]
        if found is not None:
            yield from self._folder_items(found)
        elif shared:
            yield from (LinkNode(sidebar_label(page), page.route, None, _badge_of(page)) for page in shared)
        elif not any((self._site_dir / place).is_dir() for place in self._places(folder)):
            self._report(
                f'Sidebar "{sidebar_id}" is generated from the folder "{folder}", which does not exist in '
                f'"{self._docs_roots[-1]}".',
                word=folder,
            )

    def _folder_items(self, folder: Folder, index: Page | None = None) -> tuple[SidebarNode, ...]:
        """List a folder's documents and sub-folders in order; `index` is left out: it is the category's own page."""
        items: list[tuple[float, str, str, SidebarNode]] = []
        for name, page in folder.documents.items():
            if page is index or page.summary is None:
                continue
            front = page.summary.front_matter
            position = front.sidebar_position
            position = split_number_prefix(name)[0] if position is None else position
            if front.date and f"{folder.path}/".startswith(tuple(self._blogs)):
                position = -float(front.date.replace("-", ""))  # the newest post comes first
            elif page is folder.index and f"{folder.path}/" in self._blogs:
                position = -math.inf  # the list of all posts, where it is no category's own page
            node = DocNode(page.link, sidebar_label(page), front.sidebar_class_name, _icon(page), _badge_of(page))
            is_first = not self._routing.folders_as_written and self._is_index(page)
            place = _LAST if position is None else position
            items.append((place, "" if is_first else name, front.sidebar_group or "", node))
        for name, child in folder.folders.items():
            made = self._folder_category(name, child)
            if made:
                summary = child.index.summary if child.index else None
                items.append((made[0], name, (summary and summary.front_matter.sidebar_group) or "", made[1]))
        ordered = [(group, node) for _, _, group, node in sorted(items, key=lambda item: item[:2])]
        return self._grouped(ordered)

    def _grouped(self, items: Sequence[tuple[str, SidebarNode]]) -> tuple[SidebarNode, ...]:
        """Put entries of the same group into one category, at the place of the first; the others stay as they are."""
        found: dict[str | int, list[SidebarNode]] = {}
        for index, (group, node) in enumerate(items):
            found.setdefault(group or index, []).append(node)
        return tuple(
            CategoryNode(self._label(group), None, None, False, True, None, tuple(nodes))
            if isinstance(group, str)
            else nodes[0]
            for group, nodes in found.items()
        )

    def _is_index(self, page: Page) -> bool:
        return page.source is not None and is_folder_index(page.source.relative, self._routing)

    def _label_of_folder(self, name: str) -> str:
        if self._routing.folders_as_written:
            return name
        return label_of_name(name)

    def _folder_category(self, name: str, folder: Folder) -> tuple[float, SidebarNode] | None:
        settings, settings_path = self._settings(folder.path)
        index: Page | LinkNode | None = None
        if settings.link is None and not settings.removes_link:
            index = folder.index
        elif settings.link is not None and settings.link.type == "doc":
            folder_id = strip_number_prefixes(folder.path, self._routing)
            index = self._document(
                settings.link.id or "", f'category "{folder.path}"', folder=folder_id, path=settings_path
            )
        number, plain_name = split_number_prefix(name)
        front = index.summary.front_matter if isinstance(index, Page) and index.summary else None
        position = next(
            (p for p in (settings.position, front.sidebar_position if front else None, number) if p is not None), _LAST
        )
        label = settings.label or (_label_of(index) if index else self._label_of_folder(plain_name))
        node = self._category(
            key=strip_number_prefixes(folder.path, self._routing),
            label=label,
            items=self._folder_items(folder, index if isinstance(index, Page) else None),
            link=settings.link,
            page=index,
            settings=settings,
            class_name=settings.className,
            path=settings_path,
        )
        return (position, node) if node else None

    def _category(
        self,
        *,
        key: str,
        label: str,
        items: tuple[SidebarNode, ...],
        link: CategoryLink | None,
        page: Page | LinkNode | None,
        settings: CategorySettings,
        class_name: str | None,
        path: str = CONFIG_NAME,
        badge: str = "",
    ) -> SidebarNode | None:
        if link is not None and link.type == "doc" and page is None and path == CONFIG_NAME:
            page = self._document(link.id or "", f'category "{label}"')
        if isinstance(page, LinkNode):
            items, page = (page, *items), None
        shown = self._page_label(label, page) if isinstance(page, Page) else self._label(label)
        if not items:
            return DocNode(page.link, shown, class_name, _icon(page), badge or _badge_of(page)) if page else None
        if link is not None and link.type == "generated-index":
            page, links = self._generated_index(key, link, label, settings, path)
            items = (*items, *links)
        is_collapsed = self._collapses if settings.collapsed is None else settings.collapsed
        node = CategoryNode(
            label=shown,
            page=page.link if page else None,
            description=self._label(text) if (text := settings.description or (link and link.description)) else None,
            is_collapsed=is_collapsed if settings.collapsible else False,
            is_collapsible=settings.collapsible,
            class_name=class_name,
            items=items,
            icon=_icon(page),
            badge=badge or _badge_of(page),
        )
        if page:
            self._edition.place(page.doc_id).category = node
        return node

    def _generated_index(
        self, key: str, link: CategoryLink, label: str, settings: CategorySettings, path: str
    ) -> tuple[Page, list[LinkNode]]:
        """Make the page of a category, with links to those pages with a card on it that are in another edition."""
        # A documentation folder at the root (its route is empty) is left out: every slug begins with an empty route.
        is_mounted = any(route and f"{link.slug}/".startswith(f"{route}/") for route in self._mounted_routes)
        info = self._edition.info
        prefix = info.prefix if is_mounted else info.docs_prefix
        slug = link.slug or f"/category/{self._slugger.slug(label)}"
        route = f"{prefix}{slug}" if slug.startswith("/") else f"{prefix}/{slug}"
        route = with_slash(route, f"{info.prefix}/", self._slashes)
        page = Page(
            edition=info,
            kind="category",
            doc_id=self._index_ids.unique(f"category:{key}"),
            route=route,
            title=self._label(link.title or label),
            description=self._label(link.description or settings.description or ""),
            summary=None,
            source=None,
            settings_path=path,
        )
        named = [self._document(doc_id, f'category "{label}"', path=path) for doc_id in link.also]
        self._edition.place(page.doc_id).also = tuple(other.doc_id for other in named if isinstance(other, Page))
        self._edition.add(page)
        return page, [other for other in named if isinstance(other, LinkNode)]

    def _settings(self, folder: str) -> tuple[CategorySettings, str]:
        """Load the settings of a folder, with the path of their file; what a translation leaves out is as in the original."""
        found: list[tuple[CategorySettings, str]] = []
        for place in self._places(folder):
            for suffix in dict.fromkeys((self._edition.info.locale.suffix, "")):
                settings, path, problems = load_category(self._site_dir, place, suffix, self._variables)
                self.diagnostics += problems
                if path is not None:
                    found.append((settings, path))
        if not found:
            return CategorySettings(), CONFIG_NAME
        settings, path = found[0]
        for original, _ in found[1:]:
            settings = settings.completed(original)
        return settings, path

    def _places(self, folder: str) -> list[str]:
        """List the folders, relative to the site's folder, that are read as one folder of documents."""
        for mount, roots in self._mounts.items():
            if folder == mount or folder.startswith(f"{mount}/"):
                return [root + folder[len(mount) :] for root in roots]
        return [f"{root}/{folder}" for root in self._docs_roots]

    def _document(
        self, doc_id: str, where: str, *, folder: str = "", path: str = CONFIG_NAME
    ) -> Page | LinkNode | None:
        """Find the page of a document, or a link to it where it is in another edition."""
        candidates = (doc_id, f"{folder}/{doc_id}")
        for candidate in candidates:
            page = self._edition.pages.get(candidate)
            if page:
                return page
        for candidate in candidates:
            page = self._elsewhere.get(candidate)
            if page:
                return LinkNode(sidebar_label(page), page.route, None)
        if not set(candidates).intersection(self._edition.drafts):
            close = nearest(doc_id, (page.doc_id for page in self._edition.pages.values() if page.kind == "doc"))
            hint = f'Did you mean "{close}"?' if close else ""
            self._report(f'{where}: there is no document with the id "{doc_id}".', hint, word=doc_id, path=path)
        return None

    def _report(self, message: str, suggestion: str = "", *, word: str, path: str = CONFIG_NAME) -> None:
        """Report a problem at the place of a quoted word in a settings file."""
        try:
            line = line_of_text((self._site_dir / path).read_text(encoding="utf-8"), word)
        except OSError:
            line = 1
        level: Level = "error"
        version = self._edition.info.version
        is_old = version.path and is_released(version)
        if path == CONFIG_NAME and self._config is not None and is_old:
            level, line = self._config.diagnostics.released, 1
            message = f"In the settings of version {version.name}: {message}"
        self.diagnostics.append(Diagnostic("sidebar", level, Span(path, line), message, suggestion))


def fit_sidebars(
    sidebars: Iterable[Sidebar], edition: EditionDraft, elsewhere: Mapping[str, Page], documents: Path
) -> list[Sidebar]:
    """Make today's sidebars those of a release that has no settings of its own.

    Entries of documents that it does not have are left out. Documents that have been removed since are added behind those
    of their folder.

    Args:
        sidebars: Those of today.
        edition: Its `pages` are complete.
        elsewhere: Pages that exist once for all versions: doc id → page.
        documents: Today's folder of documents.
    """
    keys = {
        doc_id: page.source.key
        for doc_id, page in [*elsewhere.items(), *edition.pages.items()]
        if page.kind == "doc" and page.source is not None and not page.source.is_page
    }
    fit = _Fitting({*edition.pages, *edition.drafts, *elsewhere}, keys)
    fitted = [msgspec.structs.replace(one, items=fit.entries(one.items)) for one in sidebars]
    if not fit.named:
        return [Sidebar(id="docs", items=[SidebarEntry(autogenerated=".")])]
    for doc_id in sorted(keys.keys() - elsewhere.keys() - fit.named):
        if not (documents / keys[doc_id]).exists():
            fit.place_of(doc_id, fitted[0].items).append(SidebarEntry(doc=doc_id))
    return fitted


class _Fitting:
    """Takes over the entries of sidebars whose documents exist."""

    def __init__(self, known: Collection[str], keys: Mapping[str, str]) -> None:
        """`known`: ids that entries may name; `keys`: id → key of its source, of the documents in lists of folders."""
        self._known, self._keys = known, keys
        self._lists: dict[str, Counter[int]] = defaultdict(Counter)
        """Folder → places in `_places`, with how many of its documents each names."""
        self._places: list[list[SidebarEntry]] = []
        self.named: set[str] = set()

    def entries(self, given: Iterable[SidebarEntry]) -> list[SidebarEntry]:
        """Take over a list of entries."""
        kept: list[SidebarEntry] = []
        place = len(self._places)
        self._places.append(kept)
        for entry in given:
            if entry.doc is not None:
                if entry.doc in self._known:
                    self._name(place, entry.doc)
                    kept.append(entry)
            elif entry.autogenerated is not None:
                folder = entry.autogenerated.removeprefix(".").strip("/")
                found = [one for one, key in self._keys.items() if not folder or key.startswith(f"{folder}/")]
                self._name(place, *found)
                kept += [entry] if found else []
            elif entry.category is not None:
                link = self._link(entry.link)
                own_place = len(self._places)
                items = self.entries(entry.items)
                if link is not None and link.id is not None:
                    self._name(own_place, link.id)
                if items or (link is not None and link.type == "doc"):
                    kept.append(msgspec.structs.replace(entry, items=items, link=link))
            else:
                kept.append(entry)
        return kept

    def _link(self, link: CategoryLink | None) -> CategoryLink | None:
        if link is None or (link.id is not None and link.id not in self._known):
            return None
        return msgspec.structs.replace(link, also=[one for one in link.also if one in self._known])

    def _name(self, place: int, *doc_ids: str) -> None:
        self.named.update(doc_ids)
        for doc_id in doc_ids:
            self._lists[doc_id.rpartition("/")[0]][place] += 1

    def place_of(self, doc_id: str, otherwise: list[SidebarEntry]) -> list[SidebarEntry]:
        """Find the list that names most documents of the same folder."""
        counted = self._lists[doc_id.rpartition("/")[0]].most_common(1)
        return self._places[counted[0][0]] if counted else otherwise


def _label_of(index: Page | LinkNode) -> str:
    return index.label if isinstance(index, LinkNode) else sidebar_label(index)


def sidebar_label(page: Page) -> str:
    """Label of a document in a sidebar."""
    front = page.summary.front_matter if page.summary else None
    return (front.sidebar_label if front else None) or page.title


def is_group(node: SidebarNode) -> TypeGuard[CategoryNode]:
    """Return whether a sidebar shows a node as a group that opens; a category with nothing to show in it is a link."""
    return isinstance(node, CategoryNode) and any(map(is_shown, node.items))


def page_links(nodes: Iterable[SidebarNode]) -> Iterator[PageLink]:
    """Give the pages of a sidebar in its order, those of its categories included."""
    for node in nodes:
        if isinstance(node, DocNode):
            yield node.page
        elif isinstance(node, CategoryNode):
            if node.page is not None:
                yield node.page
            yield from page_links(node.items)


def is_shown(node: SidebarNode) -> bool:
    """Return whether a sidebar shows a node: unlisted documents, and categories of nothing else, are left out."""
    if isinstance(node, DocNode):
        return not node.page.is_unlisted
    if isinstance(node, CategoryNode):
        return (node.page is not None and not node.page.is_unlisted) or any(map(is_shown, node.items))
    return True


def _icon(page: Page | None) -> str:
    return page.summary.icon if page is not None and page.summary is not None else ""


def _badge_of(page: Page | None) -> str:
    return (page.summary.front_matter.sidebar_badge or "") if page is not None and page.summary is not None else ""
