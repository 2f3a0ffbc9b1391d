"""Publish several pages as one for paper: they are made of the pages that the build has just written.

A page for paper runs no scripts. Without them the theme's style sheet shows all tabs under their labels.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import msgspec

from octavo.config import label_in, localized, site_words
from octavo.lazy import regex as re
from octavo.manifest import ManifestFile
from octavo.pipeline import PrintPage, SiteFiles, take_unused
from octavo.publish.staging import Staging
from octavo.rendering import write_font_links
from octavo.runtime import Cache, digest
from octavo.site import CategoryNode, DocNode, Page, SidebarNode

_TABLE = "print-pages.msgpack"

_ARTICLE = '<article class="article">'
_HEADING = re.compile(r"<header>.*?<h1\b[^>]*>(.*?)</h1>", re.DOTALL)
_PROSE = '<div class="prose"'
_PAGE_FOOTER = '<footer class="page-footer">'
_SCRIPT = re.compile(r"<script\b.*?</script>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"""<(/?)([a-zA-Z][^\s/>]*)((?:\s+[^\s=>"']+(?:=(?:"[^"]*"|'[^']*'|[^\s>"']+))?)*\s*/?)>""")
_ID = re.compile(r'\sid="([^"]*)"')
_NAMES = re.compile(r'(\s(?:for|headers|list|aria-(?:labelledby|describedby|controls|owns|details)))="([^"]*)"')
_LINK = re.compile(r'(\s(?:xlink:)?href)="([^"]*)"')
_REFERENCE = re.compile(r"url\((&quot;|'|)#([^)]*?)\1\)")
_LAZY = re.compile(r'\sloading="lazy"')
_HIGHEST = 6


class _Made(msgspec.Struct, frozen=True):
    """What the last build has made."""

    key: str
    """Hash of what it was made of."""
    file: ManifestFile


def publish_print_pages(
    site_files: SiteFiles, files: Mapping[str, ManifestFile], staging: Staging, cache: Cache
) -> dict[str, ManifestFile]:
    """Write them, or take those over of which no page has changed.

    Args:
        site_files: The site.
        files: What is published already, the pages included; a file of the author with the name of one takes its place.
        staging: Holds them.
        cache: Remembers what each was made of.

    Returns:
        Address → file.
    """
    known = cache.load_table(_TABLE, dict[str, _Made], {})
    made: dict[str, _Made] = {}
    for address, wanted in site_files.print_pages.items():
        if address in files:
            continue
        parts = [link for link in wanted.pages if site_files.html_file(link.route) in files]
        hashes = (f"{link.route} {files[site_files.html_file(link.route)].hash}" for link in parts)
        key = digest(site_files.shared_key, wanted.title, *hashes)
        before = known.get(address)
        if before is not None and before.key == key and staging.reuse(address, before.file):
            made[address] = before
            continue
        pages = [wanted.edition.pages[link.doc_id] for link in parts]
        texts = ((staging.path / site_files.html_file(page.route)).read_text(encoding="utf-8") for page in pages)
        content = compose(site_files, wanted, list(zip(pages, texts, strict=True)))
        made[address] = _Made(key, staging.write(address, content.encode()))
    if made != known:
        cache.save_table(_TABLE, made)
    return {address: one.file for address, one in made.items()}


def compose(site_files: SiteFiles, wanted: PrintPage, documents: Sequence[tuple[Page, str]]) -> str:
    """Put documents together.

    Args:
        site_files: Settings, style sheets and addresses of the site.
        wanted: The page to make.
        documents: Pages and their HTML documents, in order.
    """
    locale = wanted.edition.locale
    config = localized(site_files.site.config, locale.id)
    base = config.base_url
    parts = _Parts(site_files, documents)
    contents = _contents(wanted.nodes, parts)
    version = label_in(config, locale.id, wanted.edition.version.label) if len(config.versions) > 1 else ""
    about = html.escape(" ".join(filter(None, (config.title if config.title != wanted.title else "", version))))
    color = "" if config.color_mode.respect_system else f' data-theme="{config.color_mode.default}"'
    title = html.escape(wanted.title)
    label = html.escape(site_words(config, locale.id)["toc"])
    look, theme = site_files.look, site_files.theme
    styles = [*theme.styles, *theme.styles_for("splash", *(text for _, text in documents))]
    fonts = write_font_links(config, theme, look, has_code=any("<code" in text for _, text in documents))
    head = [
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{title}{f' {config.title_delimiter} {html.escape(config.title)}' if config.title != wanted.title else ''}</title>",
        '<meta name="robots" content="noindex, nofollow">',
        *(f'<link rel="stylesheet" href="{base}{style}">' for style in styles),
        *(f'<link rel="stylesheet" href="{html.escape(style)}">' for style in look.styles),
        *fonts.splitlines(),
    ]
    return (
        f'<!doctype html>\n<html lang="{locale.id}" dir="{locale.direction}"{color}>\n<head>\n'
        + "\n".join(head)
        + f'\n</head>\n<body>\n<main class="main main-splash">\n<header><h1>{title}</h1>'
        + (f"<p>{about}</p>" if about else "")
        + f'</header>\n<nav class="print-contents prose" aria-label="{label}">{contents}</nav>\n'
        + "\n".join(parts.articles())
        + "\n</main>\n</body>\n</html>\n"
    )


class _Parts:
    """The articles, with ids that are unique among all of them and links that lead to each other."""

    def __init__(self, site_files: SiteFiles, documents: Sequence[tuple[Page, str]]) -> None:
        self._site_files = site_files
        self._pages = [page for page, _ in documents]
        self._titles: list[str] = []
        """Of each page, as HTML; empty where its text begins with its own."""
        self._texts: list[str] = []
        for page, document in documents:
            title, text = _take_out(document)
            own = "" if "<h1" in text else html.escape(page.title)
            self._titles.append(own if title is None else title)
            self._texts.append(text)
        self._starts: dict[str, str] = {}
        """Route without its final slash → id of the page's part."""
        self._ids: list[dict[str, str]] = []
        """Of each page: id there → id here."""
        taken: set[str] = set()
        for page in self._pages:
            name = take_unused(page.route.strip("/").replace("/", "-") or "start", taken)
            self._starts[page.route.rstrip("/")] = name
        for number, text in enumerate(self._texts, 1):
            ids: dict[str, str] = {}
            for found in _TAG.finditer(text):
                for name in _ID.findall(found[3]):
                    if name not in ids:
                        ids[name] = take_unused(name if name not in taken else f"{number}-{name}", taken)
            self._ids.append(ids)
        self._numbers = {page.route.rstrip("/"): number for number, page in enumerate(self._pages)}

    def start_of(self, route: str) -> str | None:
        """Name the part that a page has become."""
        return self._starts.get(route.rstrip("/"))

    def articles(self) -> Iterable[str]:
        """Write the parts."""
        for number, page in enumerate(self._pages):
            start = self._starts[page.route.rstrip("/")]
            text = _TAG.sub(partial(self._tag, number), self._texts[number])
            title = f"<h2>{self._titles[number]}</h2>" if self._titles[number] else ""
            yield f'<section class="print-part" id="{start}">{title}{text}</section>'

    def _tag(self, number: int, tag: re.Match[str]) -> str:
        slash, name, attributes = tag.groups()
        if len(name) == 2 and name[0] in "hH" and name[1].isdigit():
            name = f"h{min(_HIGHEST, int(name[1]) + 1)}"
        if slash or not attributes:
            return f"<{slash}{name}{attributes}>"
        ids = self._ids[number]
        attributes = _ID.sub(lambda found: f' id="{ids.get(found[1], found[1])}"', attributes)
        attributes = _NAMES.sub(
            lambda found: f'{found[1]}="{" ".join(ids.get(one, one) for one in found[2].split())}"', attributes
        )
        attributes = _LINK.sub(lambda found: f'{found[1]}="{self._address(found[2], number)}"', attributes)
        if "url(" in attributes:
            attributes = _REFERENCE.sub(
                lambda found: f"url({found[1]}#{ids.get(found[2], found[2])}{found[1]})", attributes
            )
        return f"<{name}{_LAZY.sub('', attributes)}>"

    def _address(self, written: str, number: int) -> str:
        """Lead a link to a part where there is one; paper cannot follow a path of the site, so others get its address."""
        path, mark, anchor = html.unescape(written).partition("#")
        if not path:
            anchor = self._ids[number].get(anchor, anchor)
            return html.escape(f"#{anchor}") if anchor else f"#{self._starts[self._pages[number].route.rstrip('/')]}"
        base = self._site_files.site.config.base_url
        if not path.startswith(base) or path.startswith("//"):
            return written
        route = f"/{path[len(base) :]}".partition("?")[0].rstrip("/")
        other = self._numbers.get(route)
        if other is None:
            return html.escape(self._site_files.site.config.published_url + path + mark + anchor)
        there = self._ids[other].get(anchor) if anchor else None
        return html.escape(f"#{there or self._starts[route]}")


def _take_out(document: str) -> tuple[str | None, str]:
    """Take the title, as HTML, and the text out of the document of a page; None where the page shows no title."""
    start = document.find(_ARTICLE)
    end = document.rfind("</article>")
    article = document[start + len(_ARTICLE) : end] if start >= 0 else ""
    prose = article.find(_PROSE)
    # A document that begins with its title has it in its text.
    heading = _HEADING.search(article[: max(0, prose)])
    footer = article.rfind(_PAGE_FOOTER)
    text = article[prose : footer if footer > prose else None] if prose >= 0 else ""
    return heading[1] if heading else None, _SCRIPT.sub("", text)


def _contents(nodes: Iterable[SidebarNode], parts: _Parts) -> str:
    items = [item for node in nodes if (item := _item(node, parts))]
    return f"<ul>{''.join(items)}</ul>" if items else ""


def _item(node: SidebarNode, parts: _Parts) -> str:
    if isinstance(node, DocNode):
        start = parts.start_of(node.page.route)
        return f'<li><a href="#{start}">{html.escape(node.label)}</a></li>' if start else ""
    if not isinstance(node, CategoryNode):
        return ""
    inner = _contents(node.items, parts)
    start = parts.start_of(node.page.route) if node.page is not None else None
    label = html.escape(node.label)
    if start:
        return f'<li><a href="#{start}">{label}</a>{inner}</li>'
    return f"<li>{label}{inner}</li>" if inner else ""
