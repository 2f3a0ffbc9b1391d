"""Check what `octavo.toml` refers to: pages, files and sidebars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from octavo.addresses import explain_malformed
from octavo.checks.findings import SourceLines
from octavo.checks.links import LinkChecker
from octavo.config import CONFIG_NAME, Config, Fonts, SidebarEntry, find_version_problems, line_of_key, line_of_text
from octavo.content import MARKS, UnsafeIconError, suggest_icon, svg_of
from octavo.diagnostics import Diagnostic, Level, Span
from octavo.lazy import regex as re
from octavo.rendering import scan_html
from octavo.site import WHOLE_FOLDER, AssetStore, LinkResolver, Site, edition_roots, nearest

_RELATIVE = re.compile(r"(?![/#?])(?![A-Za-z][A-Za-z0-9+.-]*:).")
"""An address that begins with neither a slash nor a scheme."""


def check_settings(
    site: Site, checker: LinkChecker, *, resolver: LinkResolver, assets: AssetStore, lines: SourceLines
) -> Iterator[Diagnostic]:
    """Find settings that lead to no page, name no file, or name no sidebar."""
    config, edition = site.config, site.main_edition
    yield from _missing_pages(site)
    yield from _missing_previews(site, assets, lines)
    text = "\n".join(lines.of(CONFIG_NAME))

    def report(code: str, level: Level, word: str, message: str, close: str | None) -> Diagnostic:
        span = Span(CONFIG_NAME, line_of_text(text, word))
        return Diagnostic(code, level, span, message, f'Did you mean "{close}"?' if close else "")

    for href in dict.fromkeys(_hrefs(config)):
        if malformed := explain_malformed(href):
            yield Diagnostic("malformed-address", "warn", Span(CONFIG_NAME, line_of_text(text, href)), *malformed)
            continue
        if _RELATIVE.match(href):
            route = checker.suggest_route(f"/{href}", edition) or f"/{href}"
            message = f'"{href}" has no slash in front: it leads somewhere else on each page.'
            yield report("broken-link", config.diagnostics.broken_links, href, message, route)
            continue
        target = resolver.resolve_setting(href)
        problem = checker.problem(target)
        if problem is None:
            continue
        code, level = problem
        if code == "broken-anchor":
            anchor = checker.suggest_anchor(target)
            close = f"{href.partition('#')[0]}#{anchor}" if anchor else None
            message = f'"{href}": "{target.route}" has no heading or element with the id "{target.anchor}".'
        else:
            close = checker.suggest_route(href, edition)
            message = f'"{href}" leads to no page and no file.'
        yield report(code, level, href, message, close)
    for file in dict.fromkeys(_files(config)):
        if "://" not in file and assets.file_url(f"/{file.lstrip('/')}", None) is None:
            close = nearest(file, assets.candidates(f"/{file.lstrip('/')}", Span(CONFIG_NAME)))
            message = f'"{file}" is not a file in the folder "{config.static}".'
            yield report("broken-asset", config.diagnostics.broken_assets, file, message, close)
    for redirect in config.redirects:
        folder = redirect.to[:-1]
        is_ours = redirect.to.startswith("/") and redirect.to.endswith(WHOLE_FOLDER)
        if is_ours and not any(route.startswith(folder) for route in site.by_route):
            message = f'"{redirect.to}": no page lies in that folder.'
            yield report("broken-link", config.diagnostics.broken_links, redirect.to, message, None)
    routes = {page.route.removeprefix(edition.prefix) for page in edition.pages.values()}
    for pattern in (pattern for bar in config.announcements if bar.is_enabled for pattern in bar.routes):
        if not any(fnmatchcase(route, pattern) for route in routes):
            message = f'"{pattern}": no page has such a route, so none shows the announcement.'
            yield report("announcement-routes", "warn", pattern, message, nearest(pattern, routes))
    for name in dict.fromkeys(_icons(config)):
        if missing := _icon_problem(name, resolver):
            span = Span(CONFIG_NAME, line_of_text(text, f'"{name}"'))
            yield Diagnostic("icon", "warn", span, *missing)
    for item in config.navbar.items:
        if item.sidebar is not None and item.sidebar not in edition.sidebars:
            message = f'The top bar names the sidebar "{item.sidebar}", which does not exist.'
            yield report("sidebar", "error", item.sidebar, message, nearest(item.sidebar, edition.sidebars))


def _missing_pages(site: Site) -> Iterator[Diagnostic]:
    """Find out that a site has no page at all: what was published before would be gone."""
    if site.pages:
        return
    folders = ", ".join(f'"{root.path}"' for _, _, roots in edition_roots(site.config) for root in roots)
    message = f"The site has no page: there is no Markdown file in {folders}."
    remedy = "Write a page there, or set `docs` to the folder that contains the pages."
    yield Diagnostic("no-pages", "error", Span(CONFIG_NAME), message, remedy)


def _missing_previews(site: Site, assets: AssetStore, lines: SourceLines) -> Iterator[Diagnostic]:
    """Find pages whose picture for link previews, named by its address in the static folder, is not there."""
    for page in site.pages:
        image = page.summary.front_matter.image if page.summary else None
        if page.source is None or not image or "://" in image or image.startswith("."):
            continue
        address = f"/{image.lstrip('/')}"
        if assets.file_url(address, None) is None:
            path = page.source.path
            number = next((at for at, line in enumerate(lines.of(path), 1) if line.startswith("image:")), 1)
            close = nearest(address, assets.candidates(address, Span(path)))
            message = f'The picture for link previews "{image}" is not a file in the folder "{site.config.static}".'
            hint = f'Did you mean "{close}"?' if close else ""
            yield Diagnostic("broken-asset", site.config.diagnostics.broken_assets, Span(path, number), message, hint)


def check_publication(site_dir: Path, config: Config, text: str) -> Iterator[Diagnostic]:
    """Find settings without which a site should not be published.

    Args:
        site_dir: The site's folder.
        config: The settings.
        text: The text of `octavo.toml`.
    """
    if not config.published_url:
        message = (
            f'url is "{config.url}", which is not an address for readers: '
            "pages name no canonical address, and the sitemap leads nowhere."
        )
        remedy = 'Set url to the address of the site, or give it with "octavo build --url https://docs.example.org".'
        yield Diagnostic("unset-url", "warn", Span(CONFIG_NAME, line_of_key(text, "url")), message, remedy)
    for problem in find_version_problems(site_dir, config):
        span = Span(CONFIG_NAME, line_of_key(text, "from", ["versions"]))
        yield Diagnostic("missing-version", problem.level, span, problem.message, problem.remedy)


def _icons(config: Config) -> Iterator[str]:
    for item in (*config.navbar.items, *(item for column in config.footer.columns for item in column.items)):
        yield from (entry.icon for entry in (item, *item.items) if entry.icon)


def _icon_problem(name: str, resolver: LinkResolver) -> tuple[str, str] | None:
    """Explain why an entry has no icon, as (message, suggestion)."""
    try:
        if name in MARKS or svg_of(name, resolver.read_text) is not None:
            return None
    except UnsafeIconError as error:
        return f'The icon "icons/{name}.svg" is left out: {error}.', "Save it as plain shapes."
    return f'There is no icon "{name}".', suggest_icon(name)


def _hrefs(config: Config) -> Iterator[str]:
    for item in (*config.navbar.items, *(item for column in config.footer.columns for item in column.items)):
        yield from (entry.href for entry in (item, *item.items) if entry.href)
    yield from (logo.href for logo in (config.navbar.logo, config.footer.logo) if logo)
    for sidebar in config.sidebars:
        yield from _entry_hrefs(sidebar.items)
    yield from (redirect.to for redirect in config.redirects if not redirect.to.endswith(WHOLE_FOLDER))
    for bar in config.announcements:
        if bar.is_enabled:
            yield from scan_html(bar.content)[0]


def _entry_hrefs(entries: Iterable[SidebarEntry]) -> Iterator[str]:
    for entry in entries:
        if entry.href:
            yield entry.href
        yield from _entry_hrefs(entry.items)


def _files(config: Config) -> Iterator[str]:
    if isinstance(config.theme.fonts, Fonts):
        yield from config.theme.fonts.files
    yield from config.styles
    yield from (script if isinstance(script, str) else script.src for script in config.scripts)
    yield from (tag.file for tag in config.head if tag.file)
    yield from (file for file in (config.favicon, config.icon, config.image, config.analytics.consent_script) if file)
    for logo in (config.navbar.logo, config.footer.logo):
        if logo:
            yield from (file for file in (logo.src, logo.src_dark) if file)
