"""A build, told in order: collect, compile, assemble, draw, check, publish."""

from __future__ import annotations

import gc
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from recto.build.cache import Cache, code_version, digest
from recto.build.check import add_excerpts, check_links, check_navigation
from recto.build.compile import compile_sources
from recto.build.draw import Artist, PageRecord, hash_content, html_file, write_file
from recto.build.progress import Report, say_nothing
from recto.build.publish import exchange, make_staging, reuse_file
from recto.build.redirects import write_redirects
from recto.build.sitemap import write_robots, write_sitemap
from recto.build.static import copy_static
from recto.build.theme import Theme, load_theme
from recto.build.wire import Wirer
from recto.config import load_config
from recto.diagnostics import Diagnostic, count_levels
from recto.server.manifest import MANIFEST_PATH, Manifest, ManifestFile
from recto.site.assemble import assemble_site, find_sources
from recto.site.assets import AssetStore
from recto.site.history import Change, find_head, load_history
from recto.site.links import LinkResolver
from recto.site.model import Page, Site

CACHE_DIR = ".recto/cache"


class Build(msgspec.Struct, frozen=True):
    """What a build did."""

    pages: int
    drawn: int
    """Pages that were drawn anew."""
    diagnostics: list[Diagnostic]
    is_published: bool
    build_id: str


def build_site(site_dir: Path, out: Path | None, *, report: Report = say_nothing, precompress: bool = False) -> Build:
    """Build a site and publish it.

    Args:
        site_dir: The folder that holds `recto.toml`.
        out: The folder to publish; None checks without publishing.
        report: Told about progress.
        precompress: Write brotli and gzip forms beside the files.

    Returns:
        What was done. With diagnostics of level error nothing is published and the old folder stays.

    Raises:
        RectoError: the configuration, the theme or the output folder cannot be used.
    """
    with _paused_collector():
        config = load_config(site_dir)
        theme = load_theme()
        cache = Cache(site_dir / CACHE_DIR)
        sources = find_sources(site_dir, config)
        faces, problems = compile_sources(sources, site_dir=site_dir, config=config, cache=cache, report=report)
        sources = [source for source in sources if source.path in faces]
        site = assemble_site(config, sources, faces, site_dir=site_dir, history=_history(site_dir, cache))
        problems += site.diagnostics
        problems += [problem for face in faces.values() for problem in face.diagnostics]
        staging = make_staging(out if out is not None else site_dir / CACHE_DIR / "check")
        try:
            return _draw_and_publish(site, problems, site_dir, staging, out, theme, cache, report, precompress)
        finally:
            shutil.rmtree(staging, ignore_errors=True)


def _draw_and_publish(
    site: Site,
    problems: list[Diagnostic],
    site_dir: Path,
    staging: Path,
    out: Path | None,
    theme: Theme,
    cache: Cache,
    report: Report,
    precompress: bool,
) -> Build:
    config = site.config
    assets = AssetStore(site_dir, config.static)
    resolver = LinkResolver(site, assets)
    wirer = Wirer(site, resolver)
    artist = Artist(site, resolver=resolver, assets=assets, wirer=wirer, theme=theme, cache=cache, staging=staging)
    previous = _Published.load(out, cache)
    files: dict[str, ManifestFile] = {}

    def add(address: str, content: bytes) -> None:
        write_file(staging, address, content)
        files[address] = ManifestFile(hash=hash_content(content), size=len(content))

    files |= copy_static(site_dir, config.static, staging, assets)
    for shared in wirer.shared.values():
        for address, content in shared.files.items():
            if address not in files:
                add(address, content)
    for address, path in theme.files.items():
        add(address, path.read_bytes())

    records, drawn = _draw_pages(site, artist, previous, out, staging, _shared_key(site, theme, wirer), report)
    not_found: dict[str, str] = {}
    for edition in site.editions:
        if not edition.version.path:
            address, content = artist.draw_not_found(edition)
            not_found[edition.locale.path] = address
            add(address, content)
    files |= copy_static(site_dir, config.static, staging, assets, only_copies=True)

    known = {f"/{address}" for address in files} | {
        f"/{address}" for record in records.values() for address in record.files
    }
    problems = problems + list(check_links(site, records, resolver=resolver, assets=assets, known=known))
    problems += check_navigation(site, resolver=resolver, known=known)
    problems = add_excerpts([problem for problem in problems if problem.level != "ignore"], site_dir)
    errors, _ = count_levels(problems)

    for record in records.values():
        files |= record.files
    redirects = {redirect.source: redirect.to for redirect in config.redirects}
    for address, content in write_redirects(redirects, files, resolver).items():
        add(address, content)
    if not config.not_indexed:
        add("sitemap.xml", write_sitemap(site, resolver))
    if "robots.txt" not in files:
        add("robots.txt", write_robots(site, resolver))
    build_id = digest(msgspec.json.encode(sorted((address, file.hash) for address, file in files.items())))[:16]
    if errors or out is None:
        return Build(len(site.pages), drawn, problems, is_published=False, build_id=build_id)

    if precompress:
        from recto.build.precompress import precompress_files

        files |= precompress_files(staging, files, report)
    manifest = Manifest(
        build=build_id,
        base_url=config.base_url,
        files=files,
        routes={route: html_file(route) for route in records},
        redirects=redirects,
        not_found=not_found.get("", ""),
        not_found_by_locale={path: address for path, address in not_found.items() if path},
    )
    write_file(staging, MANIFEST_PATH, msgspec.json.encode(manifest))
    report("publish", 1, 1)
    exchange(staging, out)
    cache.save_table(_Published.TABLE, _Published(build=build_id, records=records))
    return Build(len(site.pages), drawn, problems, is_published=True, build_id=build_id)


class _Published(msgspec.Struct, frozen=True):
    """The pages of the last published build."""

    TABLE = "published.msgpack"

    build: str
    records: dict[str, PageRecord]

    @staticmethod
    def load(out: Path | None, cache: Cache) -> Mapping[str, PageRecord]:
        """Load the records of what stands in the output folder; none when something else stands there."""
        nothing = _Published("", {})
        if out is None:
            return nothing.records
        table = cache.load_table(_Published.TABLE, _Published, nothing)
        try:
            manifest = msgspec.json.decode((out / MANIFEST_PATH).read_bytes(), type=_BuildOnly)
        except (OSError, msgspec.DecodeError, msgspec.ValidationError):
            return nothing.records
        return table.records if manifest.build == table.build else nothing.records


class _BuildOnly(msgspec.Struct, frozen=True):
    build: str


def _draw_pages(
    site: Site,
    artist: Artist,
    previous: Mapping[str, PageRecord],
    out: Path | None,
    staging: Path,
    shared_key: str,
    report: Report,
) -> tuple[dict[str, PageRecord], int]:
    """Draw what has changed and take over the rest.

    Returns:
        (route → record, number of pages drawn).
    """
    records: dict[str, PageRecord] = {}
    to_draw: list[tuple[Page, str]] = []
    for page in site.pages:
        key = artist.page_key(page, shared_key)
        known = previous.get(page.route)
        if known and known.key == key and out and all(reuse_file(out, staging, address) for address in known.files):
            records[page.route] = known
        else:
            to_draw.append((page, key))
    total = len(site.pages)
    report("draw", len(records), total)
    kept = len(records)
    for page, record in artist.draw_all(to_draw, report=lambda done: report("draw", kept + done, total)):
        records[page.route] = record
    # In the order of the site, so that two builds of one source are alike.
    return {page.route: records[page.route] for page in site.pages}, len(to_draw)


def _shared_key(site: Site, theme: Theme, wirer: Wirer) -> str:
    """Hash what every page is drawn from."""
    shared = sorted(address for entry in wirer.shared.values() for address in entry.files)
    return digest(
        code_version("build", "site", "content"), theme.key, msgspec.json.encode(site.config), "\n".join(shared)
    )


def _history(site_dir: Path, cache: Cache) -> Mapping[str, Change]:
    head = find_head(site_dir)
    if head is None:
        return {}
    table = cache.load_table("history.msgpack", _History, _History("", {}))
    if table.head != head:
        table = _History(head, dict(load_history(site_dir)))
        cache.save_table("history.msgpack", table)
    return table.changes


class _History(msgspec.Struct, frozen=True):
    head: str
    changes: dict[str, Change]


@contextmanager
def _paused_collector() -> Iterator[None]:
    """Pause the cycle collector: a build makes many objects and hardly any cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
