"""Which files a site publishes, and which of them goes first where two want the same name.

The order is defined here alone: pages, the author's static files, what pages share, redirects, and what leads
others to the pages. So an author's `robots.txt` takes the place of ours, and a redirect never hides a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from octavo.config import CONFIG_NAME, line_of_text
from octavo.diagnostics import Diagnostic, Level, Span
from octavo.manifest import markdown_file, payload_file
from octavo.pipeline.keys import QuickKeys
from octavo.pipeline.page_lists import is_text
from octavo.pipeline.site_files import SiteFiles
from octavo.rendering import PageJob
from octavo.site import (
    OWN_FILES,
    FileNames,
    explain_answered,
    explain_bad_file,
    explain_bad_route,
    explain_unportable,
    held_secret,
    ledger_problem,
)

_ONE_REPLACES = "On macOS and Windows one would replace the other."


class Arrangement(msgspec.Struct, frozen=True, eq=False):
    """The files of a site, but for those that are only known when its pages have been rendered."""

    jobs: dict[str, PageJob]
    """Route → page, not-found pages included."""
    keys: QuickKeys
    page_files: dict[str, str]
    """Address → route, of the HTML and the data of pages."""
    static: dict[str, str]
    """Address → path from the site's folder, of the static folder."""
    theme: dict[str, Path]
    """Address → file of the theme."""
    written: dict[str, bytes]
    """Address → content: shared files, redirects, sitemap…"""
    redirect_pages: list[str]
    """Addresses of the HTML pages that redirect; a server sends the redirect itself in their place."""
    problems: list[Diagnostic]


def arrange(site_files: SiteFiles, static: Mapping[str, str]) -> Arrangement:
    """Give each file of a site its name.

    Args:
        site_files: The site about to be published.
        static: What the static folder has: address → path from the site's folder.
    """
    return _Arranger(site_files).arrange(static)


class _Arranger:
    def __init__(self, site_files: SiteFiles) -> None:
        self._site_files = site_files
        self._names = FileNames()
        unread = ledger_problem(site_files.site_dir)
        self._problems: list[Diagnostic] = [unread] if unread is not None else []

    def arrange(self, static: Mapping[str, str]) -> Arrangement:
        site_files = self._site_files
        shared, theme = site_files.shared_files(), site_files.theme_files()
        page_files: dict[str, str] = {}
        has_markdown = site_files.site.config.programs.markdown
        for page in site_files.site.pages:
            names = [site_files.html_file(page.route), payload_file(page.route)]
            if has_markdown and is_text(page):
                names.append(markdown_file(page.route))
            for address in names:
                page_files[address] = page.route
                self._names.take(address, f'the page "{page.route}"')
        for address, one in site_files.print_pages.items():
            taken = self._names.take(address, f'the page for paper "{one.route}"')
            if taken is not None:
                message = (
                    f'The page for paper "{one.route}" needs the file "/{address}", which is in the way of {taken}.'
                )
                hint = "Rename the other one, or leave `print_pages` out."
                self._report("address-clash", "error", Span(CONFIG_NAME), message, hint)
        kept = {address: path for address, path in static.items() if self._keeps_static(address, path, page_files)}
        addresses = {**shared, **theme, **kept}
        keys = site_files.quick_keys(addresses)
        jobs = {job.route: job for job in site_files.jobs(addresses, keys)}
        for route, job in jobs.items():
            if (
                job.page is None
                and self._names.take(site_files.html_file(route), "the page for unknown addresses") is None
            ):
                page_files[site_files.html_file(route)] = route
        # Not among the addresses that the keys of all pages have: a component concerns the pages that use it.
        files = {**shared, **site_files.component_files()}
        written = {address: data for address, data in files.items() if self._is_free(address)}
        theme = {address: path for address, path in theme.items() if self._is_free(address)}
        redirects = dict(self._redirects())
        written |= redirects
        led = {address: data for address, data in site_files.led_pages(written).items() if self._is_free(address)}
        found = {
            address: data
            for address, data in site_files.discovery().items()
            if self._is_free_for_programs(address, kept)
        }
        return Arrangement(
            jobs=jobs,
            keys=keys,
            page_files=page_files,
            static=kept,
            theme=theme,
            written={**written, **led, **found},
            # The server hides `old/index.html` by itself.
            redirect_pages=[*led, *(redirects if site_files.site.config.has_flat_files else ())],
            problems=self._problems,
        )

    def _is_free(self, address: str) -> bool:
        return self._names.take(address, "a file that Octavo writes itself") is None

    def _is_free_for_programs(self, address: str, static: Mapping[str, str]) -> bool:
        """Take the name of a feed, a map or a list; an author's file takes the place of ours, a page is in its way."""
        taken = self._names.take(address, "a file that Octavo writes itself")
        if taken is not None and address not in static and address not in OWN_FILES:
            pages = self._site_files.site.pages
            page = next((one for one in pages if taken == f'the page "{one.route}"'), None)
            span = Span(page.source.path) if page is not None and page.source is not None else Span(CONFIG_NAME)
            message = f'"/{address}", which Octavo writes for other programs, is left out: {taken} is in its way.'
            self._report("address-clash", "error", span, message, "Give the page another slug.")
        return taken is None

    def _keeps_static(self, address: str, path: str, page_files: Mapping[str, str]) -> bool:
        bad = explain_bad_file(address)
        if bad is not None:
            code, message, suggestion = bad
            # A name that is not UTF-8 cannot be shown as it is.
            place = path.encode("utf-8", "backslashreplace").decode()
            self._report(code, "error", Span(place), message, suggestion)
            return False
        if address in page_files:
            return True  # the page replaces it, and says so when it has been rendered
        similar = self._names.similar(address)
        taken = self._names.take(address, f'the file "{path}"')
        if taken is not None:
            message = f'"{path}" would be published as "/{address}", which is in the way of {taken}; it is left out.'
            self._report("address-clash", "error", Span(path), message, "Rename one of the two.")
        elif similar is not None:
            message = f'"{path}" is published as "/{address}", which is too like the name of {similar}. {_ONE_REPLACES}'
            self._report("similar-address", "warn", Span(path), message, "Rename one of the two.")
        if taken is None and (secret := held_secret(self._site_files.site_dir, path)):
            message = f'"{path}" seems to hold {secret}, and everybody can read it as "/{address}".'
            hint = "Move it out of the static folder, or name it under exclude; what was published once is not a secret any more."
            self._report("secret-file", "warn", Span(path), message, hint)
        answered = explain_answered(f"/{address}", self._site_files.site.config.base_url)
        if taken is None and answered is not None:
            code, message, suggestion = answered
            self._report(code, "warn", Span(path), message, suggestion)
        reason = explain_unportable(address)
        if reason is not None:
            message = f'"{path}" cannot be a file on Windows: {reason}.'
            self._report("unportable-address", "warn", Span(path), message, "Rename the file.")
        return taken is None

    def _redirects(self) -> Iterator[tuple[str, bytes]]:
        for source, (address, data) in self._site_files.redirect_pages().items():
            bad = explain_bad_route(source)
            similar = self._names.similar(address)
            if bad is not None:
                code, message, suggestion = bad
                self._report(code, "error", self._redirect_place(source), message, suggestion)
            elif self._names.has_file(address):
                message = f'The redirect from "{source}" is never used: a page or a file has this address.'
                self._report("unused-redirect", "warn", self._redirect_place(source), message, "Remove one of the two.")
            elif (taken := self._names.take(address, f'the redirect from "{source}"')) is not None:
                message = f'The redirect from "{source}" needs the file "/{address}", which is in the way of {taken}.'
                hint = "Redirect another address."
                self._report("address-clash", "error", self._redirect_place(source), message, hint)
            else:
                if similar is not None:
                    message = f'The redirect from "{source}" differs from {similar} only by case. {_ONE_REPLACES}'
                    hint = "Redirect another address."
                    self._report("similar-address", "warn", self._redirect_place(source), message, hint)
                answered = explain_answered(source, self._site_files.site.config.base_url)
                if answered is not None:
                    code, message, suggestion = answered
                    self._report(code, "warn", self._redirect_place(source), message, suggestion)
                yield address, data

    def _redirect_place(self, source: str) -> Span:
        try:
            text = (self._site_files.site_dir / CONFIG_NAME).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return Span(CONFIG_NAME)
        line = line_of_text(text, source)
        column = text.split("\n")[line - 1].find(source) + 1
        return Span(CONFIG_NAME, line, max(1, column))

    def _report(self, code: str, level: Level, span: Span, message: str, suggestion: str) -> None:
        self._problems.append(Diagnostic(code, level, span, message, suggestion))
