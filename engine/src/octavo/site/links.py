"""What a link leads to. Every kind of link is resolved here, and only here."""

from __future__ import annotations

import posixpath
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Literal
from urllib.parse import quote, unquote

import msgspec

from octavo.content import Link, Slugger, moved_route
from octavo.lazy import regex as re
from octavo.site.assets import AssetStore
from octavo.site.model import Edition, EditionInfo, EditionKey, Page, Site
from octavo.site.redirects import Redirects
from octavo.site.routes import join_route, other_slash_form
from octavo.site.sources import MARKDOWN_SUFFIXES, NOTEBOOK_SUFFIX, PAGE_SUFFIXES, RST_SUFFIX, find_suffix

PLACE = "ref:"
"""Begins addresses of places that are named by their id alone, wherever they are: `ref:package.Class`."""
_ABSOLUTE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_SAFE_IN_ROUTE = "/:@!$&'()*+,;=~-._"
_MOST_REDIRECTS = 10
"""More that lead to one another are a circle."""


class Target(msgspec.Struct, frozen=True):
    """Where a link leads."""

    url: str
    """The address written into the page: with the base URL, fragment and query kept."""
    kind: Literal["external", "page", "file", "broken"]
    route: str = ""
    """Route of the page it leads to."""
    anchor: str = ""
    """Decoded fragment; empty when there is none."""
    path: str = ""
    """Decoded path from the site's root, of a broken link."""


class LinkResolver:
    """Resolves links between the pages of a site."""

    def __init__(self, site: Site, assets: AssetStore) -> None:
        self._site = site
        self._assets = assets
        self._base = site.config.base_url.rstrip("/")
        self._routes: dict[str, str] = {}
        for route in site.by_route:
            self._routes[route] = route
            self._routes.setdefault(other_slash_form(route), route)
        self._redirects = Redirects.of(site.config)
        self._editions = {edition.key: edition for edition in site.editions}
        self._roots = _roots(site)
        self._ending = ".html" if site.config.routing.ending == ".html" else ""
        """What routes end in and authors leave out, as engines that publish `page.html` allow."""
        folders = site.config.markdown_folders.values()
        self._has_myst = any("myst" in one.extensions and one.slugs == "docutils" for one in folders)
        self._has_notebooks = any("notebooks" in one.extensions for one in folders)
        self._has_moved = any(page.summary is not None and page.summary.moved for page in site.pages)
        self._suffixes = frozenset(locale.suffix for locale in site.config.locales if locale.suffix)
        self._urls: dict[str, str] = {}
        """Route → its address, as far as they have been asked for: each is, many times."""

        self._composed: dict[EditionKey, dict[str, str]] = {}
        """Edition → key of a file, in the Unicode form NFC → the key; for names that are not ASCII, when one is asked for."""

        self._composed_routes: dict[str, str] | None = None
        """Route in the Unicode form NFC → route; for those that are not ASCII, when one is asked for."""

        self._places: dict[EditionKey, dict[str, str]] = {}
        """Edition → id of a heading or element → route of the first page that has it; made when it is asked for."""

    def use_site(self, site: Site) -> None:
        """Use another site, which has the same pages at the same routes, with other texts."""
        self._site = site
        self._places = {}
        self._composed = {}
        self._editions = {edition.key: edition for edition in site.editions}

    def resolve(self, page: Page, link: Link) -> Target:
        """Resolve a link of a page's document; its paths are relative to the document's file."""
        return self._resolve(page, link.href, posixpath.dirname(link.span.path))

    def resolve_href(self, page: Page, href: str) -> Target:
        """Resolve an address in a finished page: from the host's root, or relative to the page."""
        if self._base and href.startswith("/") and not href.startswith("//"):
            path = path_of(href)
            if path != self._base and not path.startswith(f"{self._base}/"):
                return Target(href, "external")  # another site of this host
            rest = href[len(self._base) :]
            href = rest if rest.startswith("/") else f"/{rest}"
        return self._resolve(page, href, None)

    def resolve_setting(self, href: str, edition: EditionInfo | None = None) -> Target:
        """Resolve an address given in `octavo.toml`; in a translated edition it leads to that edition's page."""
        edition = edition or self._site.main_edition
        if not href.startswith("/") or href.startswith("//"):
            return Target(href, "external")
        path, ending, anchor = _split(href)
        route = self._typed_route(edition, path)
        if route is not None:
            route = self._moved(self._site.by_route[route], anchor) or route
            return Target(self.url(route) + ending, "page", route, anchor)
        return self._elsewhere(path, ending)

    def _moved(self, page: Page, anchor: str) -> str | None:
        """Find the route of the page to which an anchor of a page has moved; None where it is where it was."""
        if not anchor or page.summary is None or not page.summary.moved:
            return None
        route = moved_route(page.summary.moved, anchor)
        return self._routes.get(f"{page.edition.docs_prefix}{route}") if route else None

    def _anchored(self, page: Page, ending: str, anchor: str) -> tuple[str, str]:
        """Find the heading that a link means which names none of the page's ids.

        MyST may name it by the slug of GitHub, and a notebook by that of Jupyter. Links of a translation, which nobody has
        changed, name it by the id that it has in the original: the id of a heading is made of its text, in its language.

        Args:
            page: The page to which the link leads.
            ending: Query and fragment, as typed.
            anchor: The fragment, decoded.

        Returns:
            Both, of the heading where there is one.
        """
        is_notebook = self._has_notebooks and page.source is not None and page.source.path.endswith(NOTEBOOK_SUFFIX)
        is_translated = page.edition.locale is not self._site.main_edition.locale
        if not anchor or not (self._has_myst or is_notebook or is_translated) or page.summary is None:
            return ending, anchor
        if anchor not in _ids(page):
            slugs = Slugger("jupyter" if is_notebook else "github")
            by_slug = self._has_myst or is_notebook
            named = (one.anchor for one in page.summary.headings if by_slug and slugs.heading(one.text) == anchor)
            found = next(named, "") or (self._translated_anchor(page, anchor) if is_translated else "")
            if found:
                return f"{ending.partition('#')[0]}#{quote(found, safe=_SAFE_IN_ROUTE)}", found
        return ending, anchor

    def _translated_anchor(self, page: Page, anchor: str) -> str:
        """Find the id in a translation of what has another one in its original; empty where the two have other headings."""
        if page.source is None or page.summary is None or page.translation == "missing":
            return ""
        key = posixpath.splitext(page.source.key)[0]
        first = self._site.main_edition.locale
        editions = (one for one in self._site.editions if one.locale is first and one.version is page.edition.version)
        named = (one.pages.get(one.by_file.get(f"{key}{suffix}", "")) for one in editions for suffix in PAGE_SUFFIXES)
        original = next((one for one in named if one is not None), None)
        if original is None or original.summary is None:
            return ""
        there, here = original.summary.headings, page.summary.headings
        if [one.level for one in there] != [one.level for one in here]:
            return ""
        pairs = [(old.anchor, new.anchor) for old, new in zip(there, here, strict=True)]
        names, own = original.summary.names, page.summary.names
        # Ids of titles are among the others.
        pairs += zip(names, own, strict=True) if len(names) == len(own) else ()
        return next((new for old, new in pairs if old == anchor), "")

    def urls_by_content(self, page: Page) -> list[str]:
        """List the addresses of those links of a page that depend on more than the routes of others: on their ids."""
        if page.summary is None:
            return []
        is_translated = page.edition.locale is not self._site.main_edition.locale
        by_anchor = self._has_myst or self._has_notebooks or self._has_moved or is_translated
        return [
            self.resolve(page, link).url
            for link in page.summary.links
            if link.href.startswith(PLACE) or (by_anchor and "#" in link.href)
        ]

    def image_size(self, address: str) -> tuple[int, int] | None:
        """Measure a picture of the static folder, in CSS pixels; None where it is missing or doesn't tell."""
        return self._assets.static_size(address)

    def read_text(self, path: str) -> str | None:
        """Read a file, named from the site's folder; None where it is none of text."""
        return self._assets.read_text(path)

    def canonical(self, path: str) -> str:
        """Give the route that a path from the root leads to, whether or not it is written with a final slash."""
        return self._routes.get(path, path)

    def url(self, route: str) -> str:
        """Give the address of a route: base URL in front, characters that an address can't hold encoded."""
        url = self._urls.get(route)
        if url is None:
            url = self._urls[route] = self._base + quote(route, safe=_SAFE_IN_ROUTE)
        return url

    def _resolve(self, page: Page, href: str, folder: str | None) -> Target:
        """Resolve a link; `folder` is that of the file in which it was typed, None in a finished page."""
        if href.startswith("pathname://"):
            path = href.removeprefix("pathname://")
            return Target(self._base + path if path.startswith("/") else path, "file")
        if href.startswith(PLACE):
            return self._place(page, href)
        if _ABSOLUTE.match(href):
            return Target(href, "external")
        path, ending, anchor = _split(href)
        if not path:
            moved = self._moved(page, anchor) if folder is not None else None
            if folder is not None and moved is None:
                ending, anchor = self._anchored(page, ending, anchor)
            return Target(self.url(moved) + ending if moved else ending or "#", "page", moved or page.route, anchor)
        route = self._route_of(page, path, folder)
        if route is not None:
            moved = self._moved(self._site.by_route[route], anchor) if folder is not None else None
            if folder is not None and moved is None:
                ending, anchor = self._anchored(self._site.by_route[route], ending, anchor)
            return Target(self.url(moved or route) + ending, "page", moved or route, anchor)
        is_document = folder is not None and not path.startswith("/") and path.endswith(MARKDOWN_SUFFIXES)
        # Whoever names a Markdown file means its page; a draft, or a partial, must not be published as a file.
        file_url = None if is_document else self._assets.file_url(path, folder)
        if file_url is not None:
            return Target(self._base + file_url + ending, "file")
        route = self._route_elsewhere(page, path, folder) if folder is not None else None
        if route is not None:
            return Target(self.url(route) + ending, "page", route, anchor)
        if folder is not None and self._base and path.startswith(f"{self._base}/"):
            # Written as readers see it, with the base URL in front; Docusaurus takes both forms.
            inner = self._resolve(page, href.removeprefix(self._base), folder)
            if inner.kind != "broken":
                return inner
        return self._elsewhere(join_route(page.route, path), ending)

    def _place(self, page: Page, href: str) -> Target:
        """Resolve `ref:ID`, or `ref:?ID`, which is not a link where nothing has the id."""
        name = unquote(href.removeprefix(PLACE).removeprefix("?"))
        if page.summary is not None and name in _ids(page):
            route: str | None = page.route
        else:
            route = self.places(page.edition).get(name)
        if route is not None:
            return Target(f"{self.url(route)}#{quote(name, safe=_SAFE_IN_ROUTE)}", "page", route, name)
        if (address := self._site.inventories.get(name)) is not None:
            return Target(address, "external")
        if href.startswith(f"{PLACE}?"):
            return Target("", "external")
        return Target(href, "broken", path=href)

    def places(self, edition: EditionInfo) -> Mapping[str, str]:
        """Map the ids of headings and elements of an edition's pages to the route of the first page that has them."""
        found = self._places.get(edition.key)
        if found is None:
            found = self._places[edition.key] = {}
            # A page that is made of data is the place of its members, also where other pages show them too.
            pages = sorted(self._editions[edition.key].pages.values(), key=lambda page: not _is_generated(page))
            default = self._default_version_of(edition)
            generated = filter(_is_generated, default.pages.values()) if default is not None else ()
            for page in (*pages, *generated):
                if page.summary is not None and page.route in self._site.by_route:
                    for name in _ids(page):
                        found.setdefault(name, page.route)
        return found

    def _elsewhere(self, path: str, ending: str) -> Target:
        """Resolve a path from the site's root to which no page belongs."""
        url = self._base + quote(path, safe=_SAFE_IN_ROUTE) + ending
        if path.startswith("/_octavo/") or self._assets.file_url(path, None) is not None:
            return Target(url, "file")
        if (route := self.redirected(path)) is not None:
            return Target(self.url(route) + ending, "file")
        if self._is_redirected(path):
            return Target(url, "file")
        return Target(url, "broken", path=path)

    def redirected(self, path: str) -> str | None:
        """Find the page of the site to which redirects lead a path, so that a link need not ask for them; None for none.

        A target with a fragment or a query counts as none: the redirect alone knows it.
        """
        for _ in range(_MOST_REDIRECTS):
            target = self._redirects.find(path) or self._redirects.find(other_slash_form(path))
            if target is None or not target.startswith("/") or target.startswith("//"):
                return None
            if (route := self._routes.get(target)) is not None:
                return route
            path = target
        return None

    def _is_redirected(self, path: str) -> bool:
        """Return whether a redirect leads a path somewhere; that of a folder must lead to a page that there is."""
        if path in self._redirects.exact or other_slash_form(path) in self._redirects.exact:
            return True
        target = self._redirects.find_folder(path)
        return target is not None and (not target.startswith("/") or path_of(target) in self._routes)

    def _route_of(self, page: Page, path: str, folder: str | None) -> str | None:
        if folder is None:
            # An address in a finished page is final: the browser looks nothing up.
            return self._routes.get(join_route(page.route, path))
        if path.startswith("/"):
            first = self._site.config.default_locale.path
            if page.translation == "missing" and first and path.startswith(f"/{first}/"):
                # The text of the original is written for its own language: readers of another one stay in theirs.
                own = self._typed_route(page.edition, path[len(first) + 1 :])
                if own is not None:
                    return own
            return self._typed_route(page.edition, path)
        other = self._document_at(page.edition, posixpath.normpath(posixpath.join(folder, path)))
        if other is not None:
            return other
        found = self._typed_path(join_route(page.route, path))
        config = self._site.config
        is_bare = config.routing.links_without_slash and page.route.endswith("/")
        if found is None and (is_bare or config.trailing_slash != "ignore"):
            # As the author typed it, for a page without a slash or with one.
            found = self._typed_path(join_route(other_slash_form(page.route), path))
        return found

    def _typed_path(self, path: str) -> str | None:
        """Find the route of a path that an author has typed: editors and file systems write é as one character or as two."""
        found = self._routes.get(path)
        if found is not None or path.isascii():
            return found
        if self._composed_routes is None:
            routes = ((path, route) for path, route in self._routes.items() if not path.isascii())
            self._composed_routes = {unicodedata.normalize("NFC", path): route for path, route in routes}
        return self._composed_routes.get(unicodedata.normalize("NFC", path))

    def _route_elsewhere(self, page: Page, path: str, folder: str) -> str | None:
        """Find the page that an author of another engine means.

        Docusaurus looks a Markdown file up from the docs folder too, and knows `@site/`; others link to `page.html`.
        """
        if path.startswith("@site/"):
            return self._document_at(page.edition, posixpath.normpath(path.removeprefix("@site/")))
        if path.endswith(MARKDOWN_SUFFIXES):
            names = _file_names(posixpath.normpath(path.lstrip("/")))
            edition = self._editions[page.edition.key]
            found = next(filter(None, map(edition.page_of_file, names)), None)
            return found.route if found else None
        if path.endswith(".html"):
            stem = path.removesuffix(".html")
            if posixpath.basename(stem) == "index":
                stem = posixpath.dirname(stem) or ("/" if path.startswith("/") else ".")
            return self._route_of(page, stem, folder)
        return None

    def _typed_route(self, edition: EditionInfo, path: str) -> str | None:
        """Find the page that an author means by a path from the root: one of the same language first."""
        language = f"/{edition.locale.path}" if edition.locale.path else ""
        if edition.version.path and self._site.config.versions_from is not None:
            # The text of a release was written when its pages had no version in their addresses.
            found = self._in_release(edition, path.removeprefix(language) if path.startswith(f"{language}/") else path)
            if found is not None:
                return found
        for prefix in dict.fromkeys((language, "", edition.prefix, edition.docs_prefix)):
            found = self._typed_path(prefix + path) or self._typed_path(f"{prefix}{path}{self._ending}")
            if found is not None:
                return found
        if path.endswith(MARKDOWN_SUFFIXES):
            page = self._editions[edition.key].page_of_file(path[1:])
            found = page.route if page else self._document_at(edition, path[1:])
            if found is not None:
                return found
        root = self._site.config.docs_root
        return (
            self._document_at(edition, posixpath.normpath(f"{root}/{path.lstrip('/')}")) if root is not None else None
        )

    def _in_release(self, edition: EditionInfo, path: str) -> str | None:
        """Find the page of a release that has the path, without language, of a page of the newest one."""
        newest = self._default_version_of(edition)
        if newest is None:
            return None
        docs = newest.docs_prefix.removeprefix(newest.prefix)
        if not f"{path}/".startswith(f"{docs}/"):
            return None
        own = edition.docs_prefix + path[len(docs) :]
        return self._typed_path(own) or self._typed_path(f"{own}{self._ending}")

    def _document_at(self, edition: EditionInfo, path: str) -> str | None:
        """Look a document up by its path from the site's folder, with or without extension."""
        for root in self._roots:
            if root.path != "." and not path.startswith(f"{root.path}/"):
                continue
            relative = path if root.path == "." else path[len(root.path) + 1 :]
            if find_suffix(relative, self._suffixes):  # a translation is named, which is at the place of its original
                stem, ending = posixpath.splitext(relative)
                relative = posixpath.splitext(stem)[0] + ending
            for target in self._editions_of(root, edition):
                if (found := self._page_in(target, root.key_prefix, relative)) is not None:
                    return found.route
            return self._generated_at(edition, relative)
        return None

    def _editions_of(self, root: _Root, edition: EditionInfo) -> list[Edition]:
        """List where readers of an edition are led by files of a folder; originals have the names of their translations."""
        target = root.edition_for(edition)
        is_original = target.locale is self._site.main_edition.locale and target.version is edition.version
        return [self._editions[edition.key], target] if is_original and target.key != edition.key else [target]

    def _page_in(self, edition: Edition, key_prefix: str, relative: str) -> Page | None:
        """Find the page of a file of an edition, given from its folder with or without extension."""
        for candidate in _file_names(relative):
            page = edition.page_of_file(key_prefix + candidate)
            if page is None and not candidate.isascii():
                page = edition.page_of_file(self._spelled(edition, key_prefix + candidate))
            if page is not None:
                return page
        # The overview of an API is linked like the one page that it was.
        page = edition.pages.get(key_prefix + posixpath.splitext(relative)[0])
        return page if page is not None and page.source is not None and page.source.doc_id else None

    def _generated_at(self, edition: EditionInfo, relative: str) -> str | None:
        """Look up a document that is made of data: there is one for all versions, in the default one."""
        default = self._default_version_of(edition)
        found = (default.page_of_file(name) for name in _file_names(relative)) if default is not None else ()
        return next((page.route for page in found if page is not None and _is_generated(page)), None)

    def _default_version_of(self, edition: EditionInfo) -> Edition | None:
        """Find the edition of the default version in the same language, for the edition of another version."""
        version = self._site.main_edition.version
        if edition.version is version:
            return None
        return next(
            (one for one in self._site.editions if one.locale is edition.locale and one.version is version), None
        )

    def _spelled(self, edition: Edition, key: str) -> str:
        """Give the key of a file as its name is spelled: macOS and others may write é as one character or as two."""
        keys = self._composed.get(edition.key)
        if keys is None:
            keys = {unicodedata.normalize("NFC", key): key for key in edition.by_file if not key.isascii()}
            self._composed[edition.key] = keys
        return keys.get(unicodedata.normalize("NFC", key), key)


class _Root(msgspec.Struct, frozen=True, eq=False):
    """A docs or pages folder, and the editions that take documents from it."""

    path: str
    key_prefix: str
    editions: list[Edition]

    def edition_for(self, edition: EditionInfo) -> Edition:
        """Choose the edition that a reader of another one is led to: its own, else its language's."""
        own = next((other for other in self.editions if other.key == edition.key), None)
        same_language = (other for other in self.editions if other.locale is edition.locale)
        return own or next(same_language, self.editions[0])


def _is_generated(page: Page) -> bool:
    """Return whether a page is made of data, such as a description of an API."""
    return page.source is not None and page.source.data is not None


def _ids(page: Page) -> Iterator[str]:
    """List what `ref:` may name on a page."""
    if page.summary is not None:
        yield from (heading.anchor for heading in page.summary.headings if heading.anchor)
        yield from page.summary.names


def _roots(site: Site) -> list[_Root]:
    """List the folders of documents, those inside others first."""
    roots: dict[str, _Root] = {}
    for edition in site.editions:
        for source in (page.source for page in edition.pages.values() if page.source):
            root = roots.setdefault(source.root, _Root(source.root, source.key_prefix, []))
            if edition not in root.editions:
                root.editions.append(edition)
    return sorted(roots.values(), key=lambda root: len(root.path), reverse=True)


def _file_names(path: str) -> list[str]:
    """List the names that a document may have, which is linked as `path`."""
    if path.endswith(MARKDOWN_SUFFIXES):
        stem = posixpath.splitext(path)[0]
        return [path, *(f"{stem}{suffix}" for suffix in PAGE_SUFFIXES)]
    if path.endswith((RST_SUFFIX, NOTEBOOK_SUFFIX)):
        return [path]
    return [
        *(f"{path}{suffix}" for suffix in PAGE_SUFFIXES),
        *(f"{path}/index{suffix}" for suffix in PAGE_SUFFIXES),
        # The page of a section of Hugo.
        *(f"{path}/_index{suffix}" for suffix in PAGE_SUFFIXES),
    ]


def _split(href: str) -> tuple[str, str, str]:
    """Split an address into (decoded path, `?query#fragment` as typed, decoded fragment)."""
    path = path_of(href)
    return unquote(path), href[len(path) :], unquote(href.partition("#")[2])


def path_of(href: str) -> str:
    """Take query and fragment off an address."""
    return href.partition("#")[0].partition("?")[0]
