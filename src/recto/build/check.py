"""Check the links of finished pages against the ids of finished pages."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from recto.build.published import PageRecord
from recto.config import DiagnosticLevels
from recto.diagnostics import Diagnostic, Level, Span
from recto.site.assets import AssetStore
from recto.site.links import LinkResolver, Target
from recto.site.model import Page, Site
from recto.site.suggest import nearest


def check_links(
    site: Site, records: Mapping[str, PageRecord], *, resolver: LinkResolver, assets: AssetStore, known: set[str]
) -> Iterator[Diagnostic]:
    """Check every reference in the final HTML of every page.

    Args:
        site: The site.
        records: Route → the page as it was drawn.
        resolver: Finds what a reference leads to.
        assets: Finds files.
        known: Addresses of all other published files, without the base URL, with a leading slash.
    """
    levels = site.config.diagnostics
    anchors = {route: frozenset(record.anchors) for route, record in records.items()}
    good: set[str] = set()
    for route, record in records.items():
        page = site.by_route[route]
        for reference in record.references:
            if reference in good:
                continue
            target = resolver.resolve_href(page, reference)
            problem = _problem(target, anchors, known, levels)
            if problem is None:
                if reference.startswith("/"):
                    good.add(reference)
                continue
            code, level = problem
            if level != "ignore":
                yield from _report(page, reference, target, code, level, site, anchors, resolver)
        yield from _missing_assets(page, assets, site)


def check_navigation(site: Site, *, resolver: LinkResolver, known: set[str]) -> Iterator[Diagnostic]:
    """Check the links of the top bar, the footer and written-out sidebars in `recto.toml`."""
    page = next(iter(site.pages), None)
    if page is None:
        return
    config = site.config
    items = [item for top in config.navbar.items for item in (top, *top.items)]
    items += [item for column in config.footer.columns for item in column.items]
    hrefs = [item.href for item in items if item.href]
    hrefs += [entry.href for sidebar in config.sidebars for entry in sidebar.items if entry.href]
    hrefs += [redirect.to for redirect in config.redirects]
    for href in dict.fromkeys(hrefs):
        target = resolver.resolve_href(page, config.base_url.rstrip("/") + href if href.startswith("/") else href)
        if target.kind == "broken" and _path_of(target.url, config.base_url) not in known:
            close = nearest(href, site.by_route)
            yield Diagnostic(
                code="broken-link",
                level=config.diagnostics.broken_links,
                span=Span("recto.toml"),
                message=f'"{href}" leads to no page.',
                suggestion=f'Did you mean "{close}"?' if close else "",
            )


def _problem(
    target: Target, anchors: Mapping[str, frozenset[str]], known: set[str], levels: DiagnosticLevels
) -> tuple[str, Level] | None:
    if target.kind == "broken":
        return None if _path_of(target.url, "/") in known else ("broken-link", levels.broken_links)
    if target.kind == "page" and target.anchor and target.anchor not in anchors.get(target.route, frozenset()):
        # The browser itself gives these two a meaning (HTML, section 7.4.6.4).
        if target.anchor == "top" or target.anchor.startswith(":~:"):
            return None
        return "broken-anchor", levels.broken_anchors
    return None


def _report(
    page: Page,
    reference: str,
    target: Target,
    code: str,
    level: Level,
    site: Site,
    anchors: Mapping[str, frozenset[str]],
    resolver: LinkResolver,
) -> Iterator[Diagnostic]:
    typed = [link for link in (page.face.links if page.face else []) if resolver.resolve(page, link).url == reference]
    places = [(link.span, link.href) for link in typed] or [(_origin(page), reference)]
    for span, href in places:
        path, _, fragment = href.partition("#")
        if code == "broken-anchor":
            here = "this page" if target.route == page.route else f'"{target.route}"'
            message = f'link "{href}": {here} has no heading or element with the id "{fragment}".'
            close = nearest(target.anchor, anchors.get(target.route, frozenset()))
            suggestion = f'Did you mean "{path}#{close}"?' if close else ""
        else:
            message = f'link "{href}" leads to no document and no file.'
            close = _suggest_path(page, path, span, site)
            suggestion = f'Did you mean "{close}"?' if close else ""
        yield Diagnostic(code=code, level=level, span=span, message=message, suggestion=suggestion)


def _suggest_path(page: Page, path: str, span: Span, site: Site) -> str | None:
    """Find the nearest existing target, written the way the author writes links: by file or by route."""
    if path.startswith("/"):
        return nearest(path, site.by_route)
    folder = posixpath.dirname(span.path)
    files = {
        _as_typed(posixpath.relpath(other.source.path, folder or "."), path): other
        for other in page.edition.pages.values()
        if other.source is not None
    }
    return nearest(path, files)


def _as_typed(relative: str, typed: str) -> str:
    if not typed.endswith((".md", ".mdx")):
        relative = relative.removesuffix(".mdx").removesuffix(".md")
    return f"./{relative}" if typed.startswith("./") and not relative.startswith("../") else relative


def _missing_assets(page: Page, assets: AssetStore, site: Site) -> Iterator[Diagnostic]:
    for asset in page.face.assets if page.face else ():
        if not assets.resolve(asset, site.config.base_url).is_found:
            yield Diagnostic(
                code="broken-asset",
                level=site.config.diagnostics.broken_assets,
                span=asset.span,
                message=f'image "{asset.href}" does not exist.',
                suggestion=_suggest_file(asset.href, asset.span, assets),
            )


def _suggest_file(href: str, span: Span, assets: AssetStore) -> str:
    close = nearest(href, assets.candidates(href, span))
    return f'Did you mean "{close}"?' if close else ""


def _origin(page: Page) -> Span:
    return Span(page.source.path if page.source else "recto.toml")


def _path_of(url: str, base_url: str) -> str:
    path = url.split("#", 1)[0].split("?", 1)[0]
    return path.removeprefix(base_url.rstrip("/"))


def add_excerpts(diagnostics: list[Diagnostic], site_dir: Path) -> list[Diagnostic]:
    """Complete diagnostics with the source line they point at, in order of place."""
    lines: dict[str, list[str]] = {}
    completed = []
    for diagnostic in diagnostics:
        path = diagnostic.span.path
        if not diagnostic.excerpt:
            if path not in lines:
                try:
                    lines[path] = (site_dir / path).read_text(encoding="utf-8", errors="replace").splitlines()
                except OSError:
                    lines[path] = []
            text = lines[path]
            number = diagnostic.span.line
            if 0 < number <= len(text):
                diagnostic = msgspec.structs.replace(diagnostic, excerpt=text[number - 1])  # noqa: PLW2901
        completed.append(diagnostic)
    return sorted(completed, key=lambda diagnostic: (diagnostic.span, diagnostic.code))
