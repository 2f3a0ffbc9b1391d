"""Lists of a site's pages for programs: `llms.txt` for those that read text, and JSON for other tools.

Source:
    llmstxt.org for the form of `llms.txt`: a title, a quoted summary, and sections of links with a line about each.
"""

from __future__ import annotations

import html
from collections.abc import Iterable

import msgspec

from octavo.content import Heading
from octavo.lazy import regex as re
from octavo.manifest import markdown_file
from octavo.page_list import PageEntry, PageHeading, PageList
from octavo.pipeline.full_text import FULL_TEXT_PATH, has_full_text
from octavo.pipeline.sitemap import is_indexed
from octavo.search import section_names
from octavo.site import CategoryNode, Edition, LinkResolver, Page, SidebarNode, Site, page_links

_MARK = re.compile(r'data-mark="(\w+)" data-version="([^"]*)"')


def write_page_list(site: Site, resolver: LinkResolver) -> bytes:
    """Write `_octavo/pages.json`."""
    pages = [_entry(page, site, resolver) for page in site.pages if is_text(page) and not page.is_unlisted]
    main = site.main_edition
    listed = PageList(
        format=1,
        title=site.config.title,
        languages=_with_first(main.locale.id, [one.id for one in site.config.locales]),
        versions=_with_first(main.version.name, [one.name for one in site.config.versions]),
        pages=pages,
    )
    return msgspec.json.encode(listed)


def _with_first(first: str, names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([first, *names]))


def is_text(page: Page) -> bool:
    """Return whether a page has a text: the search page has none."""
    return page.summary is None or page.summary.front_matter.layout != "search"


def _entry(page: Page, site: Site, resolver: LinkResolver) -> PageEntry:
    config, summary = site.config, page.summary
    return PageEntry(
        route=page.route,
        url=config.published_url + resolver.url(page.route),
        title=page.title,
        description=page.description,
        markdown=_markdown_url(page, site, resolver) if config.programs.markdown else "",
        locale=page.edition.locale.id,
        language=config.default_locale.id if page.translation == "missing" else "",
        version=page.edition.version.name if len(config.versions) > 1 else "",
        hash=summary.body_key if summary else "",
        updated=page.last_updated or "",
        headings=[_heading(one) for one in summary.headings] if summary else [],
    )


def _heading(heading: Heading) -> PageHeading:
    if "data-mark" not in heading.html:
        return PageHeading(heading.level, heading.text, heading.anchor, [])
    marks = [f"{kind} {html.unescape(version)}" for kind, version in _MARK.findall(heading.html)]
    return PageHeading(heading.level, heading.text, heading.anchor, marks)


def _markdown_url(page: Page, site: Site, resolver: LinkResolver) -> str:
    return site.config.published_url + resolver.url(f"/{markdown_file(page.route)}")


def listed_pages(site: Site) -> list[tuple[str, list[Page]]]:
    """List what `llms.txt` names: the pages of the default locale's last version that search engines may show, each once.

    Returns:
        (title of the section, its pages), in the order of the sidebars; pages outside them come last.
    """
    edition = site.main_edition
    seen: set[str] = set()
    sections: list[tuple[str, list[Page]]] = []

    def section(title: str, pages: Iterable[Page]) -> None:
        by_route = {page.route: page for page in pages}
        fresh = [page for page in by_route.values() if page.route not in seen and is_indexed(page, site)]
        seen.update(by_route)
        if fresh:
            sections.append((title, fresh))

    labels = section_names(site)
    for sidebar_id, nodes in edition.sidebars.items():
        product = labels.get(sidebar_id, "") if len(edition.sidebars) > 1 else ""
        loose: list[SidebarNode] = [node for node in nodes if not isinstance(node, CategoryNode)]
        groups: list[tuple[str, list[SidebarNode]]] = [("Overview", loose)] if loose else []
        groups += [(node.label, [node]) for node in nodes if isinstance(node, CategoryNode)]
        for title, group in groups:
            pages = [edition.pages[doc_id] for doc_id in dict.fromkeys(link.doc_id for link in page_links(group))]
            section(f"{product}: {title}" if product else title, pages)
    section("More", (page for page in site.pages if page.edition.key == edition.key))
    return sections


def write_llms(site: Site, resolver: LinkResolver) -> bytes:
    """Write `llms.txt`: the pages of the default locale's last version, by the categories of the sidebars."""
    config, edition = site.config, site.main_edition
    lines = [f"# {config.title}", ""]
    if config.tagline:
        lines += [f"> {config.tagline}", ""]
    for title, pages in listed_pages(site):
        lines += [f"## {title}", "", *dict.fromkeys(_line(page, site, resolver) for page in pages), ""]
    others = [one for one in site.editions if one is not edition]
    starts = [(one, page) for one in others if (page := _start_of(one)) is not None]
    if starts:
        lines += ["## Other languages and versions", ""]
        for one, page in starts:
            label = " ".join(filter(None, (one.locale.label, one.version.label if len(config.versions) > 1 else "")))
            lines.append(f"- [{label}]({config.published_url}{resolver.url(page.route)})")
        lines.append("")
    if has_full_text(config):
        # "Optional" is the name that the format has for what a short reading may leave out.
        url = config.published_url + resolver.url(f"/{FULL_TEXT_PATH}")
        lines += ["## Optional", "", f"- [All pages in full]({url}): the Markdown of the pages above"]
        lines.append(f"- [Sitemap]({config.published_url}{resolver.url('/sitemap.xml')}): all addresses, with dates")
    return "\n".join(lines).rstrip("\n").encode() + b"\n"


def _start_of(edition: Edition) -> Page | None:
    """Find the page that an edition is read from: its home, else the first one that is in lists."""
    shown = [page for page in edition.pages.values() if is_text(page) and not page.is_unlisted]
    home = next((page for page in shown if page.route == f"{edition.docs_prefix}/"), None)
    return home or next(iter(shown), None)


def _line(page: Page, site: Site, resolver: LinkResolver) -> str:
    has_markdown = site.config.programs.markdown
    address = site.config.published_url + resolver.url(page.route)
    url = _markdown_url(page, site, resolver) if has_markdown else address
    title = page.title.replace("[", "\\[").replace("]", "\\]")
    description = " ".join(page.description.split())
    return f"- [{title}]({url}): {description}" if description else f"- [{title}]({url})"
