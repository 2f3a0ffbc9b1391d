"""`SiteFiles`: what a site publishes beside its pages, and what all pages share. Known before anything is drawn."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from octavo.checks import (
    LinkChecker,
    SourceLines,
    check_addresses,
    check_collisions,
    check_search_rules,
    check_settings,
    find_idle_settings,
    find_refused_requests,
)
from octavo.config import CONFIG_NAME, Config
from octavo.diagnostics import Diagnostic
from octavo.documents import BodySource
from octavo.lazy import regex as re
from octavo.look import Look
from octavo.manifest import PAGES_PATH, Manifest, ManifestFile, html_file, markdown_file
from octavo.pictures import CardStyle
from octavo.pipeline.extension_views import describe_page
from octavo.pipeline.feed import FEED_ADDRESS, write_blog_feeds, write_feed
from octavo.pipeline.full_text import FullTextPart, divide_full_text, has_full_text
from octavo.pipeline.keys import QuickKeys
from octavo.pipeline.page_lists import listed_pages, write_llms, write_page_list
from octavo.pipeline.pictures import Pictures
from octavo.pipeline.print_pages import PrintPage, list_print_pages
from octavo.pipeline.redirects import write_redirects, write_redirects_file
from octavo.pipeline.sitemap import write_robots, write_sitemap
from octavo.rendering import (
    OFFLINE_WORKER,
    Engines,
    PageJob,
    PageRecord,
    PageRenderer,
    PayloadMaker,
    Sink,
    Theme,
    not_found_route,
    scan_needs,
    write_offline_worker,
    write_policy,
)
from octavo.runtime import digest, pages_key
from octavo.search import OPENSEARCH_ADDRESS, write_opensearch
from octavo.site import AssetStore, LinkResolver, Redirects, Site, list_addresses, load_ledger

if TYPE_CHECKING:
    from octavo.components import SiteComponents
    from octavo.extending import SiteExtensions


class SiteFiles:
    """A site about to be published."""

    def __init__(
        self,
        site: Site,
        site_dir: Path,
        theme: Theme,
        console_servers: list[str] | None,
        look: Look | None = None,
        pictures: Pictures | None = None,
        extensions: SiteExtensions | None = None,
        components: SiteComponents | None = None,
        made_dir: Path | None = None,
    ) -> None:
        """Initialize.

        Args:
            site: The site.
            site_dir: The folder that holds `octavo.toml`.
            theme: The theme.
            console_servers: See `SiteSources`.
            look: What the site adds to the theme's look; nothing by default.
            pictures: Makes pictures; None where none are made.
            extensions: Extensions of the site; None where it has none.
            components: Components of the site in React; None where it has none.
            made_dir: Keeps the pictures of notebooks.
        """
        self.components = components
        self.extensions = extensions
        self.look = look if look is not None else Look()
        self.pictures = pictures
        self.site = site
        self.site_dir = site_dir
        self._console_servers = console_servers
        self.theme = theme
        translations = {locale.docs: "" for locale in site.config.locales if locale.docs} | {
            folder: original for locale in site.config.locales for original, folder in locale.folders.items()
        }
        self.assets = AssetStore(
            site_dir,
            site.config.static,
            translations,
            pictures.variants(site.config.images) if pictures else None,
            site.config.base_url,
            made_dir,
            site.config.docs_root,
        )
        self.resolver = LinkResolver(site, self.assets)
        self.payloads = PayloadMaker(site, self.resolver)
        self.redirects = Redirects.of(site.config)
        self.ledger = load_ledger(site_dir)

    def use_site(self, site: Site) -> None:
        """Use another site, which has the same pages at the same routes, with other texts."""
        self.site = site
        self.__dict__.pop("print_pages", None)
        self.resolver.use_site(site)
        self.payloads.use_site(site)

    def use_look(self, config: Config, look: Look) -> None:
        """Use settings that differ in nothing but the look of pages."""
        for name in ("shared_key", "card_style"):
            self.__dict__.pop(name, None)
        self.look = look
        self.use_site(msgspec.structs.replace(self.site, config=config))

    def renderer(self, engines: Engines, bodies: BodySource, sink: Sink, *, has_cards: bool) -> PageRenderer:
        """Make what renders the pages of the site.

        Args:
            engines: Run the theme.
            bodies: Bodies of the documents.
            sink: Takes what is rendered.
            has_cards: Social cards are drawn, where the site has them.
        """
        return PageRenderer(
            self.site,
            resolver=self.resolver,
            assets=self.assets,
            payloads=self.payloads,
            theme=self.theme,
            look=self.look,
            engines=engines,
            bodies=bodies,
            staging=sink,
            shared_key=self.shared_key,
            card_style=self.card_style if has_cards else None,
            components=self.components,
        )

    @cached_property
    def shared_key(self) -> str:
        """Hash what every page is drawn from: the code, the theme, the configuration, the shared files."""
        return digest(
            pages_key(),
            self.theme.key,
            msgspec.msgpack.encode(self.site.config, order="deterministic"),
            "\n".join(sorted(self.shared_files())),
            self.look.html,
            self._shared_pictures,
            self.components.slots_key if self.components else "",
        )

    @cached_property
    def card_style(self) -> CardStyle | None:
        """What the social cards of the pages have in common; None where none are drawn."""
        config = self.site.config
        is_wanted = config.social_cards.is_enabled and config.published_url
        return self.pictures.card_style(config, self.site_dir, self.theme) if self.pictures and is_wanted else None

    @property
    def _shared_pictures(self) -> str:
        """Tell what pages say of pictures that all of them share."""
        image = self.site.config.image
        size = self.assets.static_size(f"/{image.lstrip('/')}") if image and "://" not in image else None
        return f"{size} {self.card_style.key if self.card_style else ''}"

    def shared_files(self) -> dict[str, bytes]:
        """Give the files that pages share, as address in the published folder → content."""
        return self.look.files | {
            address: data for shared in self.payloads.shared.values() for address, data in shared.files.items()
        }

    def component_files(self) -> dict[str, bytes]:
        """Write what browsers load of the components that pages use: address in the published folder → content."""
        if self.components is None:
            return {}
        return self.components.files(
            kind for page in self.site.pages if page.summary for kind in page.summary.island_kinds
        )

    def theme_files(self) -> dict[str, Path]:
        """List the theme's files that this site needs, as address in the published folder → file."""
        has_diagrams = any(page.summary and "mermaid" in page.summary.island_kinds for page in self.site.pages)
        return self.theme.files | (self.theme.diagram_files if has_diagrams else {})

    def quick_keys(self, addresses: Collection[str]) -> QuickKeys:
        """Prepare the quick keys of its pages; `addresses` are those of the published files that are not pages."""
        return QuickKeys(self.site, self.resolver, self.shared_key, addresses, self.components)

    def jobs(self, addresses: Collection[str], keys: QuickKeys) -> Iterator[PageJob]:
        """List what must be drawn: the pages in the order of the site, and the not-found page of each locale.

        Args:
            addresses: Addresses of the published files that are not pages.
            keys: Their quick keys.
        """
        yield from (PageJob(page.route, page.edition, page, keys.key(page)) for page in self.site.pages)
        for edition in self.site.editions:
            route = not_found_route(edition, self.site.config.default_locale)
            if not edition.version.path and self.html_file(route) not in addresses:
                yield PageJob(route, edition, None, self.shared_key)

    @cached_property
    def print_pages(self) -> dict[str, PrintPage]:
        """List the pages for paper: address in the published folder → page."""
        return {self.html_file(page.route): page for page in list_print_pages(self.site)}

    def html_file(self, route: str) -> str:
        """Name the HTML file of a route, in the published folder."""
        return html_file(route, is_flat=self.site.config.has_flat_files)

    def redirect_pages(self) -> dict[str, tuple[str, bytes]]:
        """Write the pages of the redirects that name one path, as source → (address, HTML)."""
        return write_redirects(self.redirects.exact, self.resolver, is_flat=self.site.config.has_flat_files)

    def led_pages(self, taken: Container[str]) -> dict[str, bytes]:
        """Write those for the paths that redirects of folders are known to be asked for, as address → HTML."""
        led = self.redirects.sources_of(self.site.by_route, self.ledger or ())
        pages = write_redirects(led, self.resolver, is_flat=self.site.config.has_flat_files).values()
        return {address: data for address, data in pages if address not in taken}

    def discovery(self) -> dict[str, bytes]:
        """Write what leads others to the pages, as address → content: sitemap, search description, robots."""
        site, config, resolver = self.site, self.site.config, self.resolver
        files: dict[str, bytes] = {}
        if not config.not_indexed:
            files["sitemap.xml"] = write_sitemap(site, resolver)
        if config.search.is_enabled:
            url = config.url + resolver.url(
                resolver.canonical(f"/{posixpath.join(config.default_locale.path, 'search')}")
            )
            files[OPENSEARCH_ADDRESS] = write_opensearch(config, url)
        if config.programs.lists:
            if not config.not_indexed:
                files["llms.txt"] = write_llms(site, resolver)
            files[PAGES_PATH] = write_page_list(site, resolver)
        if config.has_feed and config.published_url and not config.not_indexed:
            files[FEED_ADDRESS] = write_feed(site, resolver)
        if config.blogs and config.published_url and not config.not_indexed:
            files |= write_blog_feeds(site, resolver)
        if config.offline:
            files[OFFLINE_WORKER] = write_offline_worker(config, self.theme.files)
        if config.icon and self.pictures is not None:
            files |= self.pictures.icons(config, self.site_dir)
        # GitHub Pages serves no folder that begins with an underscore, unless this file tells it to.
        files[".nojekyll"] = b""
        if self.redirects.exact or self.redirects.folders:
            base = config.base_url.rstrip("/")
            exact = {source: self._canonical(target) for source, target in self.redirects.exact.items()}
            files["_redirects"] = write_redirects_file(exact, self.redirects.folders, site, base)
        return files | {"robots.txt": write_robots(site, resolver)}

    def full_text_pages(self) -> list[str]:
        """List the Markdown files that `llms-full.txt` is made of, in its order; none where the site has none."""
        if not has_full_text(self.site.config):
            return []
        return [markdown_file(page.route) for _, pages in listed_pages(self.site) for page in pages]

    def full_text(self, pages: Sequence[tuple[str, int]]) -> list[FullTextPart]:
        """Divide `llms-full.txt` into its parts, from the paths of those files and their sizes in bytes."""
        config = self.site.config
        url = config.published_url + self.resolver.url("/")
        return divide_full_text(config.title, url, pages, config.programs.full_text_size)

    def ledger_addresses(self, static: Collection[str]) -> set[str]:
        """List what belongs into the ledger of addresses now; `static` are the addresses of the static folder."""
        return list_addresses(self.site, static)

    def findings(
        self,
        records: Mapping[str, PageRecord],
        files: Mapping[str, object],
        addresses: set[str] | None,
        lines: SourceLines,
    ) -> Iterator[Diagnostic]:
        """Find links that lead nowhere, settings that name nothing, and addresses that have vanished.

        Args:
            records: Route → drawn page, not-found pages included.
            files: Addresses of all published files.
            addresses: As `ledger_addresses` lists them; None leaves out what has vanished.
            lines: The sources.
        """
        site = self.site
        if addresses is not None and site.config.trailing_slash == "always":
            # A host of static files leads `/a` to `/a/`.
            addresses = addresses | {address.rstrip("/") for address in addresses}
        pages = {route: record for route, record in records.items() if route in site.by_route}
        known = {f"/{address}" for address in (*files, *self.print_pages)} | site.left_out
        authored = self.components.sources if self.components else ()
        checker = LinkChecker(
            site, pages, resolver=self.resolver, assets=self.assets, known=known, lines=lines, authored=authored
        )
        in_settings = list(check_settings(site, checker, resolver=self.resolver, assets=self.assets, lines=lines))
        yield from in_settings
        # What a setting leads to is in the layout of pages, too.
        known_links = {(one.code, _first_quoted(one.message)) for one in in_settings}
        for one in checker.check():
            if one.span.path != CONFIG_NAME or (one.code, _first_quoted(one.message)) not in known_links:
                yield one
        yield from find_idle_settings(
            site.config,
            "\n".join(lines.of(CONFIG_NAME)),
            extensions=frozenset() if self.extensions is None else self.extensions.names,
            names_in=self._names_in,
        )
        yield from find_refused_requests(self.content_policy(()), self._scripts(authored))
        yield from check_search_rules(site, checker, resolver=self.resolver, lines=lines)
        if self.extensions is not None and self.extensions.has_checks:
            yield from self.extensions.check([describe_page(page) for page in site.pages if page.summary])
        if addresses is not None:
            yield from check_addresses(
                self.ledger or {},
                addresses,
                anchors={route: frozenset(record.anchors) for route, record in pages.items()},
                redirects=self.redirects,
                levels=site.config.diagnostics,
                suggest_route=lambda path: checker.suggest_route(path, site.main_edition),
            )

    def _scripts(self, components: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Read the components of the site, and the scripts that its settings name: path from the site's folder, text."""
        config = self.site.config
        named = [one if isinstance(one, str) else one.src for one in config.scripts]
        own = [f"{config.static}{address}" for address in named if address.startswith("/") and address[1:2] != "/"]
        for path in (*components, *own):
            try:
                yield path, (self.site_dir / path).read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue

    def _names_in(self, folder: str) -> list[str] | None:
        """List the names in a folder of the site; None where there is none."""
        try:
            return [path.name for path in (self.site_dir / folder).iterdir()]
        except OSError:
            return None

    def collisions(self, records: Mapping[str, PageRecord], files: Collection[str]) -> Iterator[Diagnostic]:
        """Find pages that are published under the name of one of these files."""
        return check_collisions(self.site, records, files)

    def content_policy(self, needs: Iterable[str]) -> str:
        """Write the content security policy; `needs` is what pages ask for themselves."""
        wanted = {*needs, *scan_needs(self.look.html), *self.look.needs}
        if self.components is not None:
            wanted |= self.components.needs
        return write_policy(self.site.config, self.theme, needs=wanted, console_servers=self._console_servers)

    def manifest(
        self,
        build_id: str,
        files: dict[str, ManifestFile],
        *,
        redirect_pages: list[str],
        content_policy: str,
        search: str,
    ) -> Manifest:
        """Name what is published.

        Args:
            build_id: Id of the build.
            files: Address in the published folder → file.
            redirect_pages: Addresses of `led_pages`.
            content_policy: See `content_policy`.
            search: Path of the search index; empty for none.
        """
        first = self.site.config.default_locale
        not_found = {
            edition.locale.path: self.html_file(not_found_route(edition, first))
            for edition in self.site.editions
            if not edition.version.path
        }
        return Manifest(
            build=build_id,
            base_url=self.site.config.base_url,
            files=files,
            routes={page.route: self.html_file(page.route) for page in self.site.pages}
            | {page.route: address for address, page in self.print_pages.items() if address in files},
            redirects={source: self._canonical(target) for source, target in self.redirects.exact.items()},
            folder_redirects=self.redirects.folders,
            redirect_pages=redirect_pages,
            not_found=not_found.get(first.path, ""),
            not_found_by_locale={path: address for path, address in not_found.items() if path != first.path},
            content_policy=content_policy,
            counts_answers=self.site.config.feedback.is_enabled and self.site.config.feedback.endpoint is None,
            search=search,
        )

    def _canonical(self, target: str) -> str:
        """Write the target of a redirect with the final slash that its page has, so that one redirect is enough."""
        path = re.split(r"[?#]", target, maxsplit=1)[0]
        if not target.startswith("/") or self.site.config.trailing_slash == "ignore":
            return target
        return self.resolver.canonical(path) + target[len(path) :]


def _first_quoted(message: str) -> str:
    return message.partition('"')[2].partition('"')[0]
