"""Check the links of finished pages against the ids of finished pages."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from urllib.parse import unquote

from octavo.checks.findings import SourceLines
from octavo.config import CONFIG_NAME
from octavo.content import Link, without_code
from octavo.diagnostics import Diagnostic, Level, Span
from octavo.lazy import regex as re
from octavo.rendering import PageRecord
from octavo.site import (
    PAGE_SUFFIXES,
    PLACE,
    AssetStore,
    EditionInfo,
    KnownNames,
    LinkResolver,
    Page,
    Site,
    Target,
)

_HEAVY_IMAGE = 5_000_000
"""Bytes of a picture from which on a page is slow for many readers: 25 seconds of a slow mobile connection (1.6 Mbit/s)."""
_REFERENCES = (("](", ")"), ("](<", ">)"), ("]: ", "\n"), ('="', '"'), ("='", "'"), ('=\\"', '\\"'))
"""What surrounds a reference in Markdown, in HTML, and in HTML that JSON quotes."""
_STRINGS = tuple((quote, quote) for quote in ('"', "'", "`"))
_PART = re.compile(r"""\$ref["']?\s*:\s*["']?([^\s"'#,{}]+)""")
"""Reference of an API description to another file."""
_MOST_PARTS = 10_000
_MOST_SUGGESTIONS = 200
"""Looking for the nearest name among thousands takes milliseconds; after so many, authors know what is the matter."""


def check_collisions(site: Site, records: Mapping[str, PageRecord], files: Container[str]) -> Iterator[Diagnostic]:
    """Find pages that are published under the name of a file of the static folder."""
    for route, record in records.items():
        for address in record.files:
            if address in files and route in site.by_route:
                message = (
                    f'The page "{route}" is published as "{address}", and the static folder has a file of that name.'
                )
                yield Diagnostic(
                    code="duplicate-route",
                    level=site.config.diagnostics.duplicate_routes,
                    span=Span(site.by_route[route].origin),
                    message=message,
                    suggestion="The page is kept; rename one of the two.",
                )


class LinkChecker:
    """Checks every reference in the final HTML of every page, raw HTML and the theme's own links included."""

    def __init__(
        self,
        site: Site,
        records: Mapping[str, PageRecord],
        *,
        resolver: LinkResolver,
        assets: AssetStore,
        known: AbstractSet[str],
        lines: SourceLines,
        authored: Iterable[str] = (),
    ) -> None:
        """Initialize.

        Args:
            site: The site.
            records: Route → the page as it was drawn.
            resolver: Finds what a reference leads to.
            assets: Finds files.
            known: Addresses of all published files, without the base URL, with a leading slash.
            lines: The sources.
            authored: Files of components in React, from the site's folder.
        """
        self._authored = authored
        self._site = site
        self._editions = {edition.key: edition for edition in site.editions}
        self._records = records
        self._resolver = resolver
        self._assets = assets
        self._known = known
        self._lines = lines
        self._levels = site.config.diagnostics
        self._anchors = {route: frozenset(record.anchors) for route, record in records.items()}
        self._in_layout: dict[tuple[str, str], list[Page]] = {}
        """(code, reference) of what no author typed → the pages that have it."""
        self._typed: dict[tuple[str, Link, Level], list[tuple[Page, Target]]] = {}
        """(code, link, level) → the pages that have it, and where it leads from them."""
        self._suggestions: dict[tuple[str, str, str], str | None] = {}
        self._names: dict[tuple[str, object], KnownNames] = {}
        """(kind of names, what they belong to) → these names."""

    def check(self) -> Iterator[Diagnostic]:
        """Find what leads nowhere."""
        good = {self._resolver.url(route) for route in self._records}
        for route, record in self._records.items():
            page = self._site.by_route[route]
            own = self._anchors[route]
            for reference in record.references:
                # Nearly all that a page refers to: other pages, and its own headings.
                if reference in good or (reference[0] == "#" and reference[1:] in own):
                    continue
                target = self._resolver.resolve_href(page, reference)
                problem = self.problem(target)
                if problem is not None:
                    self._note(page, reference, target, *problem)
                elif reference.startswith("/"):
                    good.add(reference)
            yield from self._missing_assets(page)
        order = {edition.key: number for number, edition in enumerate(self._site.editions)}
        for (code, link, level), found in self._typed.items():
            found.sort(key=lambda one: order[one[0].edition.key])
            explain = self._explain_anchor if code == "broken-anchor" else self._explain_link
            yield Diagnostic(code, level, link.span, *explain(link, found))
        for (code, reference), pages in self._in_layout.items():
            yield self._layout_finding(code, reference, pages)

    def problem(self, target: Target) -> tuple[str, Level] | None:
        """Tell what is wrong with a target, as (code, level)."""
        if target.kind == "broken":
            path = target.path.rstrip("/")
            is_known = target.path in self._known or f"{path}/index.html" in self._known
            return None if is_known else ("broken-link", self._levels.broken_links)
        if target.kind == "page" and target.anchor and target.anchor not in self._anchors.get(target.route, ()):
            # The browser itself gives these two a meaning (HTML, section 7.4.6.4).
            if target.anchor == "top" or target.anchor.startswith(":~:"):
                return None
            return "broken-anchor", self._levels.broken_anchors
        return None

    def suggest_route(self, path: str, edition: EditionInfo) -> str | None:
        """Find the route that is most like a path from the root."""
        return self._suggest("", path, edition)

    def suggest_anchor(self, target: Target) -> str | None:
        """Find the anchor of the target's page that is most like the one that was asked for."""
        return self._nearest("anchor", target.route, target.anchor, lambda: self._anchors.get(target.route, ()))

    def _note(self, page: Page, reference: str, target: Target, code: str, level: Level) -> None:
        """Note a problem for each place where it was typed, or for the layout."""
        if page.summary and any(asset.href == reference for asset in page.summary.assets):
            return  # a missing file, which is reported as such
        links = page.summary.links if page.summary else []
        typed = [link for link in links if self._resolver.resolve(page, link).url == reference]
        if any(self._resolver.resolve(page, link).kind == "file" for link in typed):
            return  # `pathname://`: the author vouches for it
        places = typed or self._find_in_source(page, reference)
        if not places:
            self._in_layout.setdefault((code, reference), []).append(page)
        for link in places:
            # A page that is shown in languages without a translation, or a partial: the link is on several pages.
            self._typed.setdefault((code, link, level), []).append((page, target))

    def _find_in_source(self, page: Page, reference: str) -> list[Link]:
        """Find the place of a reference in embedded HTML, which is published unchanged."""
        found: list[Link] = []
        text = self._lines.text(page.source.path) if page.source else ""
        wanted = [f'="{reference}"', f"='{reference}'"]
        if page.source is None or not any(one in text for one in wanted):
            return found
        for number, line in enumerate(without_code(text).split("\n"), start=1):
            for one in wanted:
                column = line.find(one)
                if column >= 0:
                    found.append(Link(reference, Span(page.origin, number, column + 3)))
        return found

    def _explain_anchor(self, link: Link, found: Sequence[tuple[Page, Target]]) -> tuple[str, str]:
        path, _, fragment = link.href.partition("#")
        page, target = found[0]
        where = "this page" if target.route == page.route else f'"{target.route}"'
        message = f'link "{link.href}": {where} has no heading or element with the id "{unquote(fragment)}"'
        if others := {one.route for _, one in found} - {target.route}:
            plural = "s" if len(others) > 1 else ""
            if len({one.edition.locale.id for one, _ in found}) > len(others):
                message += f", and neither has the same page in {len(others)} other language{plural}"
            else:
                message += f", and neither has the page to which it leads from {len(others)} other page{plural}"
        close = self.suggest_anchor(target)
        return f"{message}.", f'Did you mean "{path}#{close}"?' if close else ""

    def _explain_link(self, link: Link, found: Sequence[tuple[Page, Target]]) -> tuple[str, str]:
        page = found[0][0]
        if link.href.startswith(PLACE):
            name = link.href.removeprefix(PLACE)
            close = self._nearest("place", page.edition.key, name, lambda: self._resolver.places(page.edition))
            message = f'No heading and no member of a reference has the id "{name}".'
            return message, f'Did you mean "{close}"?' if close else ""
        path = link.href.partition("#")[0].partition("?")[0]
        if not path.startswith("/") and path.endswith(PAGE_SUFFIXES):
            file = posixpath.normpath(posixpath.join(posixpath.dirname(link.span.path), unquote(path)))
            if self._lines.text(file):
                message = f'link "{link.href}" leads to a file that is not a page: {file} is a draft or a partial.'
                return message, ""
        if names := self._lines.names_in(posixpath.join(posixpath.dirname(link.span.path), unquote(path))):
            message = f'link "{link.href}" leads to a folder without a page of its own.'
            return message, f"In it are: {', '.join(names)}."
        close = self._suggest_path(page, path, link.span)
        message = f'link "{link.href}" leads to no document and no file.'
        return message, f'Did you mean "{close}"?' if close else ""

    def _layout_finding(self, code: str, reference: str, pages: list[Page]) -> Diagnostic:
        """Report a problem in the layout of many pages once."""
        count = f"the page {pages[0].route}" if len(pages) == 1 else f"{len(pages)} pages, {pages[0].route} among them"
        target = self._resolver.resolve_href(pages[0], reference)
        level = self._levels.broken_anchors if code == "broken-anchor" else self._levels.broken_links
        what = "there is no such id" if code == "broken-anchor" else "it leads to no document and no file"
        is_home = target.path in {f"{edition.prefix}/" for edition in self._site.editions}
        hint = "Give one document the slug of the home page, or write pages/index.mdx." if is_home else ""
        if span := self._find_in_origin(pages[0], reference) or self._find_in_components(reference):
            return Diagnostic(code, level, span, f'link "{reference}", shown on {count}: {what}.', hint)
        written, span = self._find_in_settings(pages[0], reference)
        path = written.partition("#")[0].partition("?")[0]
        if not hint and code == "broken-link" and (close := self.suggest_route(path, pages[0].edition)):
            hint = f'Did you mean "{close}"?'
        return Diagnostic(code, level, span, f'link "{written}" in the layout of {count}: {what}.', hint)

    def _find_in_settings(self, page: Page, reference: str) -> tuple[str, Span]:
        """Find how the settings write a reference, and where; itself at their beginning where they do not have it.

        They write it without the base URL and without the parts for language and version, and with or without a final slash.
        """
        config, edition = self._site.config, page.edition
        path = f"/{reference.removeprefix(config.base_url)}" if reference.startswith(config.base_url) else reference
        inner = path[len(edition.prefix) :] if path.startswith(f"{edition.prefix}/") else path
        for one in dict.fromkeys((reference, path, inner, path.rstrip("/"), inner.rstrip("/"))):
            if one and (span := self._find_between(CONFIG_NAME, one, _STRINGS)):
                return one, span
        return path, Span(CONFIG_NAME)

    def _find_in_origin(self, page: Page, reference: str) -> Span | None:
        """Find the first place of a reference in the Markdown or HTML of texts within another file, such as a description."""
        if page.source is None or page.origin == page.source.path:
            return None
        if span := self._find_between(page.origin, reference, _REFERENCES):
            return span
        files = self._files_of_description(page.origin) if page.source.maker == "openapi" else ()
        return next((span for path in files if (span := self._find_between(path, reference, _REFERENCES))), None)

    def _files_of_description(self, path: str) -> Iterator[str]:
        """List the files that an API description refers to, and those that these refer to."""
        found = {path: None}
        waiting = [path]
        while waiting and len(found) < _MOST_PARTS:
            path = waiting.pop(0)
            for match in _PART.finditer(self._lines.text(path)):
                other = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(match[1])))
                if other not in found and "://" not in match[1] and not other.startswith(("../", "/")):
                    found[other] = None
                    waiting.append(other)
                    yield other

    def _find_in_components(self, reference: str) -> Span | None:
        """Find the first place of a reference in the code of components, with or without the base URL before it."""
        written = dict.fromkeys((reference, f"/{reference.removeprefix(self._site.config.base_url)}"))
        places = (self._find_between(path, one, _STRINGS) for one in written for path in self._authored)
        return next((place for place in places if place is not None), None)

    def _find_between(self, path: str, reference: str, marks: Iterable[tuple[str, str]]) -> Span | None:
        """Find the first place of a reference in a file between one of some pairs of marks."""
        text = self._lines.text(path)
        found = [
            text.find(f"{mark}{reference}{end}") + len(mark) for mark, end in marks if f"{mark}{reference}{end}" in text
        ]
        if not found:
            return None
        start = min(found)
        return Span(path, text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start))

    def _suggest_path(self, page: Page, path: str, span: Span) -> str | None:
        """Find the nearest existing target, written the way the author writes links: by file or by route."""
        if path.startswith("/"):
            return self.suggest_route(path, page.edition)
        folder = posixpath.dirname(span.path)
        file = posixpath.normpath(posixpath.join(folder, path))
        close = self._suggest("file" if path.endswith(PAGE_SUFFIXES) else "stem", file, page.edition)
        if close is None:
            return None
        relative = posixpath.relpath(close, folder or ".")
        return f"./{relative}" if path.startswith("./") and not relative.startswith("../") else relative

    def _suggest(self, what: str, word: str, edition: EditionInfo) -> str | None:
        """Find the nearest route (`what` is empty), `file`, or `stem`: a file without its extension."""
        key = (what, word, edition.prefix)
        if key not in self._suggestions:
            if len(self._suggestions) >= _MOST_SUGGESTIONS:
                return None
            self._suggestions[key] = (
                self._nearest(what, edition.key, word, partial(self._files_of, what, edition))
                if what
                else self._nearest("", None, word, lambda: self._site.by_route)
            )
        return self._suggestions[key]

    def _nearest(self, what: str, owner: object, word: str, names: Callable[[], Iterable[str]]) -> str | None:
        """Find the most similar of some names; their index is made once, since a site may have hundreds of broken links to them.

        Args:
            what: Kind of the names.
            owner: What they belong to, such as the route of the page whose headings they are.
            word: What was written.
            names: Lists them.
        """
        if (what, owner) not in self._names:
            self._names[what, owner] = KnownNames(names())
        return self._names[what, owner].nearest(word)

    def _files_of(self, what: str, edition: EditionInfo) -> Iterable[str]:
        files = (page.source.path for page in self._editions[edition.key].pages.values() if page.source)
        return (posixpath.splitext(file)[0] for file in files) if what == "stem" else files

    def _missing_assets(self, page: Page) -> Iterator[Diagnostic]:
        for asset in page.summary.assets if page.summary else ():
            if not self._assets.is_found(asset, page.route):
                folder = (posixpath.dirname(asset.href), posixpath.dirname(asset.span.path))
                close = self._nearest(
                    "asset", folder, asset.href, partial(self._assets.candidates, asset.href, asset.span)
                )
                yield Diagnostic(
                    code="broken-asset",
                    level=self._levels.broken_assets,
                    span=asset.span,
                    message=f'file "{asset.href}" does not exist.',
                    suggestion=f'Did you mean "{close}"?' if close else "",
                )
            elif self._assets.unreadable(asset, page.route):
                yield Diagnostic(
                    code="image-content",
                    level="warn",
                    span=asset.span,
                    message=f'file "{asset.href}" is not a picture of the format that its name says.',
                    suggestion="Save it again, or give it the name of its format.",
                )
            elif (size := self._assets.weight(asset, page.route)) > _HEAVY_IMAGE:
                yield Diagnostic(
                    code="large-file",
                    level="warn",
                    span=asset.span,
                    message=f'the picture "{asset.href}" has {size / 1e6:.0f} MB, which every reader of the page loads.',
                    suggestion="Save it smaller, for example as WebP, no wider than it is shown.",
                )
