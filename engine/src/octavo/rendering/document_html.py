"""The HTML document around what React draws: head, boot data, payload."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import msgspec

from octavo._version import __version__
from octavo.config import Config, localized
from octavo.contract import BootAnnouncement, BootData, PagePayload
from octavo.look import Look
from octavo.pictures import CARD_SIZE, CardStyle, SocialCard, card_problem
from octavo.rendering.article import Fillings
from octavo.rendering.page_record import has_own_image
from octavo.rendering.theme import Theme
from octavo.search import OPENSEARCH_ADDRESS, OPENSEARCH_TYPE
from octavo.site import AssetStore, EditionInfo, Page

_SAFE_IN_ADDRESS = "/:@!$&'()*+,;=~-._"

_PROPERTIES = ("og:", "article:", "book:", "fb:", "music:", "profile:", "video:")
"""Beginnings of the names that tags give as `property`."""


class SocialImage(NamedTuple):
    """The picture that messengers and networks show with a link to a page."""

    address: str
    """From the host's root, or absolute."""
    size: tuple[int, int] | None
    """Width and height in pixels, where they are known."""
    alt: str


class SocialPictures:
    """Chooses the pictures for previews of the pages of a site."""

    def __init__(self, config: Config, assets: AssetStore, card_style: CardStyle | None) -> None:
        """Initialize.

        Args:
            config: Settings of the site.
            assets: Finds files.
            card_style: What social cards have in common; None for no cards.
        """
        self._config = config
        self._assets = assets
        self._card_style = card_style

    def image(
        self, page: Page | None, payload: PagePayload, fillings: Fillings, card: str | None
    ) -> SocialImage | None:
        """Find the picture of a page: its own, its card, or that of the site.

        Args:
            page: The page; None for a not-found page.
            payload: What is shown of it.
            fillings: Addresses of its assets.
            card: Address of its card, below the base URL.
        """
        config, title = self._config, payload.document_title
        summary = page.summary if page else None
        own = summary.front_matter.image if summary else None
        if summary is not None and own is not None:
            # Among its assets where it lies beside the document.
            index = next((index for index, asset in enumerate(summary.assets) if asset.href == own), None)
            if index is not None:
                return SocialImage(fillings.assets[index], None, title)
            return SocialImage(in_static_folder(own, config), self._static_size(own), title)
        if card is not None:
            return SocialImage(f"{config.base_url}{card}", CARD_SIZE, title)
        if config.image:
            return SocialImage(in_static_folder(config.image, config), self._static_size(config.image), config.title)
        return None

    def card(self, page: Page | None, payload: PagePayload) -> tuple[dict[str, SocialCard], str]:
        """Say what is on the social card of a page.

        Returns:
            (address → card, empty where it has none; characters of its title that cannot be drawn).
        """
        style = self._card_style
        if style is None or page is None or payload.layout == "search" or has_own_image(page):
            return {}, ""
        section = payload.breadcrumbs[0].label if len(payload.breadcrumbs) > 1 else ""
        card = SocialCard(payload.title, section, payload.description)
        undrawable = card_problem(card, style)
        return ({} if undrawable else {card.address(self._card_key): card}), undrawable

    @cached_property
    def _card_key(self) -> str:
        return self._card_style.key if self._card_style else ""

    def _static_size(self, file: str) -> tuple[int, int] | None:
        return None if "://" in file else self._assets.static_size(f"/{file.lstrip('/')}")


def write_font_links(config: Config, theme: Theme, look: Look, *, has_code: bool) -> str:
    """Have the faces that a page shows fetched beside the style sheet: later they would miss the first frame.

    Args:
        config: Settings of the site.
        theme: The theme.
        look: What the site adds to it.
        has_code: The page has code, which has a face of its own.
    """
    if config.theme.fonts == "system":
        return ""
    if look.preloads is not None:
        fonts = [
            (one.media_type, one.address or theme.fonts[one.shipped])
            for one in look.preloads
            if has_code or not one.for_code
        ]
    else:
        names = ["sans", "serif", *(["mono"] if has_code else [])]
        fonts = [("font/woff2", theme.fonts[name]) for name in names if name in theme.fonts]
    return "".join(
        f'<link rel="preload" as="font" type="{media_type}" href="{html.escape(config.base_url + file)}" crossorigin>\n'
        for media_type, file in fonts
    )


class DocumentWriter:
    """Writes the HTML documents of one edition."""

    def __init__(self, config: Config, edition: EditionInfo, theme: Theme, look: Look) -> None:
        self._config = config = localized(config, edition.locale.id)
        self._look = look
        self._edition = edition
        self._theme = theme
        self._shared_head, self._head_end = self._head_of_all()
        self._font_links = [write_font_links(config, theme, look, has_code=has_code) for has_code in (False, True)]

    def with_styles(self, payload: PagePayload, *drawn: str) -> PagePayload:
        """Name the style sheets that a page needs besides those of all pages; `drawn` is the HTML that it shows."""
        base = self._config.base_url
        styles = [f"{base}{address}" for address in self._theme.styles_for(payload.layout, *drawn)]
        return msgspec.structs.replace(payload, styles=styles) if styles else payload

    def write(self, payload: PagePayload, content: str, page: Page | None, image: SocialImage | None = None) -> str:
        """Write a whole document.

        Args:
            payload: The page; its `html` stays out.
            content: What React drew, all slots filled.
            page: The page's place in the site; None for the not-found page.
            image: Its picture for previews.
        """
        locale = self._edition.locale
        # Text of the page can't end the script element: `<` is written as an escape.
        data = _escape_script(msgspec.json.encode(payload).decode())
        color = self._config.color_mode
        # Where the system's color mode counts, the style sheet follows it until the script has read the reader's choice.
        theme = "" if color.respect_system else f' data-theme="{color.default}"'
        if self._config.theme.fonts == "system":
            theme += ' data-fonts="system"'
        return (
            f'<!doctype html>\n<html lang="{locale.id}" dir="{locale.direction}"{theme}>\n<head>\n'
            f"{self._page_head(payload, page, image)}{self._font_links['<code' in content]}{self._shared_head}"
            f"{_style_links(payload)}{self._head_end}{self._tabs_script(payload)}</head>\n<body>\n"
            f'<div id="octavo">{content}</div>\n'
            f'<script type="application/json" id="octavo-page">{data}</script>\n{self._page_end(page)}</body>\n</html>\n'
        )

    def _page_head(self, payload: PagePayload, page: Page | None, image: SocialImage | None) -> str:
        config = self._config
        front = page.summary.front_matter if page and page.summary else None
        title = html.escape(payload.document_title)
        description = html.escape(payload.description)
        lines = [
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width,initial-scale=1">',
            f"<title>{title}</title>",
            f'<meta property="og:title" content="{title}">',
        ]
        if description:
            lines.append(f'<meta name="description" content="{description}">')
            lines.append(f'<meta property="og:description" content="{description}">')
        is_ended = self._edition.version.banner == "unmaintained"
        is_hidden = page is None or is_ended or page.is_unlisted or config.not_indexed or payload.layout == "search"
        if is_hidden:
            lines.append('<meta name="robots" content="noindex, nofollow">')
        elif front and "robots" in front.metas:
            lines.append(f'<meta name="robots" content="{html.escape(front.metas["robots"])}">')
        if page is not None and config.published_url:
            lines.append(f'<link rel="canonical" href="{html.escape(self._canonical(payload, page))}">')
            lines.append(f'<meta property="og:url" content="{html.escape(config.published_url + payload.path)}">')
        if front and front.keywords:
            lines.append(f'<meta name="keywords" content="{html.escape(", ".join(front.keywords))}">')
        lines += self._image_metas(image)
        if payload.markdown is not None:
            lines.append(f'<link rel="alternate" type="text/markdown" href="{html.escape(payload.markdown)}">')
        lines += self._alternates(payload, page)
        lines += self._search_metas(page)
        if len(payload.breadcrumbs) > 1 or (payload.breadcrumbs and page and page.kind != "page"):
            lines += self._breadcrumb_data(payload)
        if page is not None and page.kind == "doc" and payload.layout in ("doc", "reference") and not is_hidden:
            lines.append(self._article_data(payload, page))
        return "\n".join(self._with_metas(lines, front.metas if front else {})) + "\n"

    def _with_metas(self, lines: list[str], metas: dict[str, str]) -> list[str]:
        """Put the tags that a page has of its own in the place of those that are made."""
        origin = self._config.published_url or ""
        for name, content in metas.items():
            if name in ("title", "robots"):
                continue
            key = "property" if name.startswith(_PROPERTIES) else "name"
            start = f'<meta {key}="{name}"'
            lines = [line for line in lines if not line.startswith(start)]
            is_path = content.startswith("/") and not content.startswith("//") and name.endswith(("image", "url"))
            lines.append(f'{start} content="{html.escape(origin + content if is_path else content)}">')
        return lines

    def _image_metas(self, image: SocialImage | None) -> list[str]:
        origin = self._config.published_url
        if image is None or not (origin or "://" in image.address):
            return []
        address = html.escape(image.address if "://" in image.address else f"{origin}{image.address}")
        alt = html.escape(image.alt)
        lines = [f'<meta property="og:image" content="{address}">', f'<meta property="og:image:alt" content="{alt}">']
        if image.size is not None:
            lines.append(f'<meta property="og:image:width" content="{image.size[0]}">')
            lines.append(f'<meta property="og:image:height" content="{image.size[1]}">')
        lines.append(f'<meta name="twitter:image" content="{address}">')
        lines.append(f'<meta name="twitter:image:alt" content="{alt}">')
        return lines

    def _canonical(self, payload: PagePayload, page: Page) -> str:
        """Give the canonical address: the one that its author names, else that of the page in the last version, and of the original where it is not translated."""
        named = page.summary.front_matter.canonical_url if page.summary else None
        if named:
            return named if "://" in named else self._config.url + named
        path = payload.path
        last = self._config.last_version.name
        if page.translation == "missing" and payload.translation is not None:
            path = payload.translation.href
        if page.edition.version.name != last:
            path = next((other.href for other in payload.versions if other.id == last and other.is_exact), path)
        return self._config.url + path

    def _alternates(self, payload: PagePayload, page: Page | None) -> list[str]:
        lines: list[str] = []
        origin = self._config.published_url
        if not origin:
            return lines  # search engines take absolute addresses only
        default = self._config.default_locale.id
        # Search engines read languages on the canonical page only, and ignore those of a page that names another one.
        is_listed = page is None or self._canonical(payload, page) == origin + payload.path
        for other in payload.locales:
            if other.is_exact and other.is_translated:
                address = html.escape(origin + other.href)
                if is_listed:
                    lines.append(f'<link rel="alternate" hreflang="{html.escape(other.id)}" href="{address}">')
                    if other.id == default:
                        lines.append(f'<link rel="alternate" hreflang="x-default" href="{address}">')
                if not other.is_current:
                    lines.append(f'<meta property="og:locale:alternate" content="{html.escape(other.id)}">')
        return lines

    def _search_metas(self, page: Page | None) -> list[str]:
        version = self._edition.version.name
        is_doc = page is not None and page.kind != "page"
        tag = docsearch_tag(version) if is_doc else "default"
        lines = [f'<meta name="docsearch:docusaurus_tag" content="{tag}">']
        if is_doc:
            lines.append(f'<meta name="docsearch:version" content="{html.escape(version)}">')
        return lines

    def _breadcrumb_data(self, payload: PagePayload) -> list[str]:
        # Categories without a page have no address, which every entry of this list needs.
        linked = [crumb for crumb in payload.breadcrumbs if crumb.href]
        items = [
            {
                "@type": "ListItem",
                "position": position,
                "name": crumb.label,
                "item": f"{self._config.published_url}{crumb.href}",
            }
            for position, crumb in enumerate(linked, start=1)
        ]
        data = {"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": items}
        return [f'<script type="application/ld+json">{_script_json(data)}</script>'] if items else []

    def _article_data(self, payload: PagePayload, page: Page) -> str:
        """Describe the page itself; references of APIs are a kind of technical article."""
        config = self._config
        is_api = page.source is not None and page.source.maker == "openapi"
        # A page without a translation is shown in the default language.
        locale = config.default_locale if page.translation == "missing" else self._edition.locale
        data: dict[str, object] = {
            "@context": "https://schema.org",
            "@type": "APIReference" if is_api else "TechArticle",
            "headline": payload.title,
            "inLanguage": locale.id,
            "isPartOf": {"@type": "WebSite", "name": config.title, "url": f"{config.published_url}{config.base_url}"},
            "url": self._canonical(payload, page) if config.published_url else payload.path,
        }
        if payload.description:
            data["description"] = payload.description
        if page.last_updated:
            data["dateModified"] = page.last_updated
        if len(config.versions) > 1:
            data["version"] = self._edition.version.label
        if page.summary is not None and page.summary.front_matter.tags:
            data["keywords"] = page.summary.front_matter.tags
        return f'<script type="application/ld+json">{_script_json(data)}</script>'

    def _page_end(self, page: Page | None) -> str:
        """On the home page, the one script that must run where nothing else does."""
        is_home = page is not None and page.route == f"{self._edition.prefix}/" and not self._edition.version.path
        return f"<script>{self._theme.base_url_script}</script>\n" if is_home else ""

    def _tabs_script(self, payload: PagePayload) -> str:
        return f"<script>{self._theme.tabs_script}</script>\n" if "tabs" in payload.islands else ""

    def _head_of_all(self) -> tuple[str, str]:
        config, theme, base = self._config, self._theme, self._config.base_url
        scheme = "light dark" if config.color_mode.respect_system else config.color_mode.default
        lines = [
            f'<meta name="generator" content="Octavo {__version__}">',
            f'<meta name="color-scheme" content="{scheme}">',
            '<meta property="og:type" content="website">',
            f'<meta property="og:locale" content="{self._edition.locale.id}">',
            f'<meta property="og:site_name" content="{html.escape(config.title)}">',
            '<meta name="twitter:card" content="summary_large_image">',
            f'<meta name="docsearch:language" content="{self._edition.locale.id}">',
        ]
        if config.icon:
            # First the one for browsers that know no drawings as icons.
            lines.append(f'<link rel="icon" href="{base}favicon.ico" sizes="32x32">')
        if config.favicon:
            is_drawing = config.favicon.endswith(".svg")
            kind = ' type="image/svg+xml"' if config.icon and is_drawing else ""
            is_elsewhere = config.favicon.startswith(("https://", "http://", "//"))
            address = config.favicon if is_elsewhere else base + config.favicon.lstrip("/")
            lines.append(f'<link rel="icon" href="{html.escape(address)}"{kind}>')
        if config.icon:
            lines.append(f'<link rel="apple-touch-icon" href="{base}apple-touch-icon.png">')
            lines.append(f'<link rel="manifest" href="{base}site.webmanifest">')
        if config.has_feed and config.published_url:
            title = html.escape(f"{config.title}: changes")
            lines.append(f'<link rel="alternate" type="application/atom+xml" title="{title}" href="{base}changes.xml">')
        is_main = self._edition.locale is config.default_locale and self._edition.version is config.last_version
        for blog in config.blogs if config.published_url and is_main else ():
            if blog.has_feed:
                title = html.escape(f"{config.title}: {blog.title}")
                address = f"{base.rstrip('/')}{self._edition.home_of_blog(blog, config.mounts)}feed.xml"
                lines.append(f'<link rel="alternate" type="application/atom+xml" title="{title}" href="{address}">')
        if config.search.is_enabled:
            title = html.escape(config.title)
            lines.append(
                f'<link rel="search" type="{OPENSEARCH_TYPE}" title="{title}" href="{base}{OPENSEARCH_ADDRESS}">'
            )
        lines += [f'<link rel="stylesheet" href="{base}{style}">' for style in theme.styles]
        # What follows the theme's own style sheets, of which a page may have more.
        end = [self._look.html] if self._look.styles or self._look.head else []
        boot = f'<script type="application/json" id="octavo-boot">{self._boot_json()}</script>'
        return _lines(lines), _lines([*end, boot, f"<script>{theme.inline_script}</script>"])

    def _boot_json(self) -> str:
        config = self._config
        boot = BootData(
            base=config.base_url,
            client=config.base_url + self._theme.client,
            mode=config.color_mode.default,
            system=config.color_mode.respect_system,
            announcements=[
                BootAnnouncement(
                    id=bar.id, background=bar.background or msgspec.UNSET, color=bar.color or msgspec.UNSET
                )
                for bar in config.announcements
                if bar.is_enabled
            ],
        )
        return _escape_script(msgspec.json.encode(boot).decode())


def _style_links(payload: PagePayload) -> str:
    return _lines(f'<link rel="stylesheet" href="{html.escape(style)}">' for style in payload.styles or ())


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def in_static_folder(file: str, config: Config) -> str:
    """Give the address of a file of the static folder; an absolute address stays as it is."""
    return file if "://" in file else f"{config.base_url}{file.lstrip('/')}"


def docsearch_tag(version: str) -> str:
    """Name the contextual-search tag of a version's documents."""
    return f"docs-default-{version}"


def _script_json(data: object) -> str:
    return _escape_script(json.dumps(data, ensure_ascii=False, separators=(",", ":")))


def _escape_script(text: str) -> str:
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
