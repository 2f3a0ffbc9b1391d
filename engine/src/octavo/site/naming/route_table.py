"""Which page has which route, and what becomes of pages that want one that they cannot have."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from octavo.config import Config, line_of_text
from octavo.diagnostics import Diagnostic, Level, Span
from octavo.lazy import regex as re
from octavo.manifest import html_file, payload_file
from octavo.site.model import Edition, Page
from octavo.site.naming.names import FileNames, explain_answered, explain_bad_route, explain_unportable, fold
from octavo.site.routes import other_slash_form

_CAN_CLASH = (".html/", ".json/", "/index.html")
"""Only with one of these in a route, or with `/a` beside `/a.html`, can the files of two pages be in each other's way."""

_ODD_SLUG = re.compile(r"//|(?:^|/)\.\.(?:/|$)|/\.(?:/|$)")
"""A relative slug, `./name`, is meant as it is written."""


class RouteTable:
    """The routes of a site, in the order of its pages."""

    def __init__(self, config: Config, site_dir: Path) -> None:
        self.routes: dict[str, Page] = {}
        self.diagnostics: list[Diagnostic] = []
        self.left_out: set[str] = set()
        """Routes that no page can have."""
        self._config = config
        self._site_dir = site_dir
        self._folded: dict[str, Page] = {}
        self._reported: set[tuple[str, str]] = set()

    def add_all(self, editions: Iterable[Edition]) -> None:
        """Add the pages of all editions; one that cannot have its route is left out, with a finding."""
        for edition in editions:
            for page in edition.pages.values():
                self._add(page)
        self._leave_out_clashes()

    def _add(self, page: Page) -> None:
        route = page.route
        bad = explain_bad_route(route)
        if bad is not None:
            code, message, suggestion = bad
            self._report(page, code, "error", message, suggestion)
            self.left_out.add(route)
            return
        slug = page.summary.front_matter.slug if page.summary else None
        if slug and _ODD_SLUG.search(slug):
            message = f'The slug "{slug}" has parts that are empty or dots: the page gets the address "{route}".'
            self._report(page, "malformed-address", "warn", message, f"Write the address itself: slug: {route}")
        first = self.routes.get(route) or self.routes.get(other_slash_form(route))
        if first is not None:
            message = f'The route "{route}" is already that of {_owner(first)}, which keeps it.'
            level = self._config.diagnostics.duplicate_routes
            self._report(page, "duplicate-route", level, message, "Give one of the two another slug.")
            return
        similar = self._folded.setdefault(fold(route.rstrip("/")), page)
        if similar is not page:
            differs = "by upper and lower case" if similar.route.lower() == route.lower() else "by its Unicode form"
            message = f'The route "{route}" differs from that of {_owner(similar)} only {differs}.'
            hint = "On macOS and Windows one would replace the other: give one of the two another slug."
            self._report(page, "similar-address", "warn", message, hint)
        reason = explain_unportable(route)
        if reason is not None:
            message = f'The address "{route}" cannot be a file on Windows: {reason}.'
            self._report(page, "unportable-address", "warn", message, "Choose another address.")
        answered = explain_answered(route, self._config.base_url)
        if answered is not None:
            code, message, suggestion = answered
            self._report(page, code, "warn", message, suggestion)
        self.routes[route] = page

    def _leave_out_clashes(self) -> None:
        """Leave out pages whose files would lie where other pages have theirs."""
        is_flat = self._config.has_flat_files
        named = (route.removesuffix(".html") for route in self.routes if route.endswith(".html"))
        if not (
            is_flat
            or any(part in route for route in self.routes for part in _CAN_CLASH)
            or any(route in self.routes for route in named)
        ):
            return
        names = FileNames()
        for route, page in list(self.routes.items()):
            for address in (html_file(route, is_flat=self._config.has_flat_files), payload_file(route)):
                taken = names.take(address, _owner(page))
                if taken is not None:
                    message = f'The page "{route}" is published as "{address}", which is in the way of {taken}.'
                    self._report(page, "address-clash", "error", message, "Give one of the two another slug.")
                    self.left_out.add(route)
                    del self.routes[route]
                    break

    def _report(self, page: Page, code: str, level: Level, message: str, suggestion: str) -> None:
        if page.source is not None:
            # A page without a translation is one of each language: the mistake is that of its file.
            if (code, page.source.path) in self._reported:
                return
            self._reported.add((code, page.source.path))
        self.diagnostics.append(Diagnostic(code, level, self._place(page), message, suggestion))

    def _place(self, page: Page) -> Span:
        """Find where a generated index is asked for; a slug is found when findings are completed."""
        if page.source is None:
            text = self._read(page.settings_path)
            return Span(page.settings_path, line_of_text(text, page.title) if text else 1)
        return Span(page.origin)

    def _read(self, path: str) -> str:
        try:
            return (self._site_dir / path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""


def _owner(page: Page) -> str:
    """Name a page in messages."""
    if page.source is not None:
        return page.origin

    return f'the generated index "{page.title}" ({page.origin})'
