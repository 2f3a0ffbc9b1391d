"""The steps of a build, in order: collect, compile, assemble, draw, check, publish."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from octavo.checks import SourceLines, check_publication, complete_findings, links_to_other_sites
from octavo.config import CONFIG_NAME, Config, load_config
from octavo.content import Link
from octavo.diagnostics import Diagnostic, count_levels
from octavo.documents import BodySource, Library
from octavo.errors import CacheLostError
from octavo.host_headers import HOST_HEADERS_FILE, write_headers
from octavo.manifest import MANIFEST_PATH, ManifestFile
from octavo.pipeline import Arrangement, SiteFiles, arrange, assemble, read_inputs
from octavo.publish.cards import missing_cards, publish_cards
from octavo.publish.full_text import publish_full_text
from octavo.publish.output_place import check_output_place
from octavo.publish.print_pages import publish_print_pages
from octavo.publish.published import PublishedPages
from octavo.publish.search_index import publish_index
from octavo.publish.search_shards import StaticIndex, large_bundle
from octavo.publish.staging import FULL_DISK, Staging, unwritable
from octavo.publish.static import copy_documents_files, copy_static, find_large_files, read_static_folder
from octavo.publish.unpublished import Unpublished
from octavo.rendering import PARALLEL_FROM, Engines, PageJob, PageRecord, load_theme, read_theme_file
from octavo.runtime import Cache, Report, digest, open_cache, paused_collector, say_nothing, work_folder
from octavo.site import (
    keep_addresses,
    renew_addresses,
)

if TYPE_CHECKING:
    from octavo.components import SiteComponents
    from octavo.extending import Cost, SiteExtensions


class Build(msgspec.Struct, frozen=True):
    """What a build did."""

    pages: int
    drawn: int
    """Pages that were drawn anew."""
    diagnostics: list[Diagnostic]
    is_published: bool
    build_id: str
    is_repeatable: bool = False
    """It was made of nothing but files of the site and what Git knows: no extension ran, nothing was fetched."""
    links: list[Link] = []
    """What the site refers to on other sites, and what else its documents link to, where that was asked for."""


def build_site(
    site_dir: Path,
    out: Path | None,
    *,
    report: Report = say_nothing,
    precompress: bool = False,
    has_search: bool = True,
    updates_addresses: bool = False,
    publishes_always: bool = False,
    is_strict: bool = False,
    is_clean: bool = False,
    given: Mapping[str, str] | None = None,
    is_publication: bool = False,
    tests_extensions: bool = False,
    lists_links: bool = False,
    times: list[Cost] | None = None,
) -> Build:
    """Build a site and publish it.

    Args:
        site_dir: The folder that holds `octavo.toml`.
        out: The folder to publish; None checks without publishing, and writes nothing below the site's folder.
        report: Told about progress.
        precompress: Write brotli and gzip forms beside the files.
        has_search: Search is offered and its index made, where the configuration has search enabled.
        updates_addresses: Write the ledger of addresses as the site is now, instead of holding the site to it.
        publishes_always: Publish whatever is wrong, for an author's own eyes; the ledger stays as it is.
        is_strict: Take warnings for errors.
        is_clean: Take nothing over from earlier builds: make everything anew.
        given: Settings that take the place of those of `octavo.toml`; see `load_config`.
        is_publication: Others will read it: find what is wrong for them alone, and call the functions of extensions that
            want to be called after publishing.
        tests_extensions: Find what extensions depend on and do not declare. Takes nothing over from earlier builds, and
            leaves nothing to later ones.
        lists_links: Give `Build.links`.
        times: Takes what the functions of extensions have cost.

    Returns:
        What was done. With diagnostics of level error nothing is published and the old folder stays.

    Raises:
        OctavoError: the configuration, the theme or the output folder cannot be used.
    """
    wanted = _Wanted(
        precompress,
        updates_addresses,
        publishes_always,
        is_strict,
        is_clean,
        is_publication,
        tests_extensions,
        lists_links,
    )
    with ExitStack() as stack, paused_collector():
        config = load_config(site_dir, given)
        if not has_search:  # pages must not offer what cannot answer
            config = msgspec.structs.replace(config, search=msgspec.structs.replace(config.search, is_enabled=False))
        if out is not None:
            check_output_place(site_dir, config, out)
        work_dir = work_folder(site_dir, writes_site=out is not None)
        if tests_extensions:
            work_dir = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="octavo-")))
        cache = open_cache(work_dir)
        if is_clean:
            cache.clear()
        try:
            return _build(config, site_dir, out, work_dir, report, wanted, times)
        except CacheLostError:
            # A damaged cache costs time, not the build.
            cache.drop_packs_but(set())
            return _build(config, site_dir, out, work_dir, report, wanted, times)
        except OSError as error:
            if error.errno not in FULL_DISK:
                raise
            raise unwritable(error.filename or work_dir, error) from error


class _Wanted(NamedTuple):
    """What a caller of `build_site` has asked for."""

    precompress: bool
    updates_addresses: bool
    publishes_always: bool
    is_strict: bool
    is_clean: bool
    is_publication: bool
    tests_extensions: bool
    lists_links: bool


def _build(
    config: Config,
    site_dir: Path,
    out: Path | None,
    work_dir: Path,
    report: Report,
    wanted: _Wanted,
    times: list[Cost] | None,
) -> Build:
    theme = load_theme()
    engines = Engines(theme)
    cache = open_cache(work_dir)

    def prepare(missing: int) -> None:
        if 0 < missing < PARALLEL_FROM:
            engines.start_ahead()
        else:
            engines.close()

    # After a build there is little to draw as a rule, and V8 takes longer to start than the sources to be looked over.
    if PublishedPages.is_known(cache):
        engines.start_ahead()

    staging = Staging.make(out, work_dir, is_clean=wanted.is_clean) if out is not None else None
    extensions: SiteExtensions | None = None
    components: SiteComponents | None = None
    try:
        inputs = read_inputs(
            site_dir,
            config,
            work_dir,
            theme,
            audits_extensions=wanted.tests_extensions,
            extension_times=work_dir / "extension-times.jsonl" if times is not None else None,
        )
        extensions, components = inputs.extensions, inputs.components
        library = Library(cache)
        library.build(inputs.sources.all, inputs.compiler, report=report, prepare=prepare)
        site_files, problems = assemble(inputs, library)
        if wanted.is_publication:
            problems = [*problems, *check_publication(site_dir, config, inputs.settings_text)]
        publication = _Publication(site_files, site_dir, staging, out, engines, cache, library, report)
        return publication.run(problems, wanted)
    finally:
        if extensions is not None:
            if times is not None:
                times += extensions.timings.take()
            extensions.close()
        if components is not None:
            components.close()
        engines.close()
        if staging is not None:
            staging.discard()


class _Publication:
    """The second half of a build: from the assembled site to the published folder."""

    def __init__(
        self,
        site_files: SiteFiles,
        site_dir: Path,
        staging: Staging | None,
        out: Path | None,
        engines: Engines,
        cache: Cache,
        bodies: BodySource,
        report: Report,
    ) -> None:
        site = site_files.site
        self._site = site
        self._site_dir = site_dir
        self._staging = staging
        self._sink = staging if staging is not None else Unpublished()
        self._out = out
        self._cache = cache
        self._bodies = bodies
        self._report = report
        self._site_files = site_files
        self._renderer = site_files.renderer(engines, bodies, self._sink, has_cards=True)
        self._files: dict[str, ManifestFile] = {}
        self._redirect_pages: list[str] = []

    def run(self, problems: list[Diagnostic], wanted: _Wanted) -> Build:
        site, site_dir, site_files = self._site, self._site_dir, self._site_files
        static = read_static_folder(site_dir, site.config)
        arranged = arrange(site_files, static.files)
        problems += [*static.problems, *arranged.problems]
        self._files |= copy_static(site_dir, arranged.static, self._sink, self._cache)
        problems += find_large_files(arranged.static, self._files)
        keeps_addresses = site_files.ledger is not None or wanted.updates_addresses
        addresses = site_files.ledger_addresses(self._files) if keeps_addresses else set()
        published = PublishedPages.load(self._out, self._cache)
        records, drawn = self._draw_pages(published, arranged)
        copies = {address: file for record in records.values() for address, file in record.copies.items()}
        self._files |= copy_documents_files(site_dir, self._sink, copies)
        problems += self._draw_cards(records)
        problems += [problem for record in records.values() for problem in record.problems]
        problems += site_files.collisions(records, self._files)
        self._write_rest(arranged)
        for record in records.values():
            self._files |= record.files
        if self._staging is not None:
            self._files |= publish_full_text(site_files, self._files, self._staging, self._cache)
            self._files |= publish_print_pages(site_files, self._files, self._staging, self._cache)
        lines = SourceLines(site_dir, site.pages)
        problems += site_files.findings(records, self._files, None if wanted.updates_addresses else addresses, lines)
        problems = complete_findings(problems, site.config, lines)
        build_id = digest(*(f"{address} {file.hash}" for address, file in sorted(self._files.items())))[:16]
        if wanted.is_strict:
            problems = [msgspec.structs.replace(problem, level="error") for problem in problems]
        is_good = wanted.publishes_always or count_levels(problems)[0] == 0
        search = ""
        if is_good and self._out is not None and self._staging is not None and site.config.search.is_enabled:
            search, found = self._index(self._out, self._staging, lines)
            late = complete_findings(found, site.config, lines)
            problems += [msgspec.structs.replace(one, level="error") for one in late] if wanted.is_strict else late
            is_good = wanted.publishes_always or count_levels(problems)[0] == 0
        if is_good and self._out is not None and self._staging is not None:
            policy = site_files.content_policy(need for record in records.values() for need in record.needs)
            self._publish(self._staging, build_id, wanted.precompress, search, policy)
            PublishedPages(build_id, site_files.shared_key, records).save(self._cache)
            if wanted.is_publication:
                problems = self._after_publishing(problems, build_id, lines)
            if not wanted.publishes_always:
                keep_addresses(site_dir, site_files.ledger, addresses)
        if wanted.updates_addresses:
            renew_addresses(site_dir, site_files.ledger, addresses, site_files.redirects)
        return Build(
            len(site.pages),
            drawn,
            problems,
            is_published=is_good and self._out is not None,
            build_id=build_id,
            is_repeatable=self._site_files.extensions is None
            and not wanted.updates_addresses
            and not any(record.is_passing for record in records.values())
            and not any(api.url or os.environ.get(api.url_env or "") for api in site.config.openapi),
            links=list(links_to_other_sites(site, records, lines)) if wanted.lists_links else [],
        )

    def _after_publishing(self, problems: list[Diagnostic], build_id: str, lines: SourceLines) -> list[Diagnostic]:
        """Call the extensions that want to be called now."""
        extensions, config = self._site_files.extensions, self._site.config
        if extensions is None or self._out is None:
            return problems
        found = extensions.after_publish(
            {
                "out": str(self._out),
                "site_dir": str(self._site_dir.resolve()),
                "build_id": build_id,
                "url": config.url + config.base_url,
                "routes": [page.route for page in self._site.pages],
            }
        )
        return complete_findings([*problems, *found], config, lines) if found else problems

    def _write_rest(self, arranged: Arrangement) -> None:
        """Write what no author has."""
        for address, content in arranged.written.items():
            self._files[address] = self._sink.write(address, content)
        for address, path in arranged.theme.items():
            self._files[address] = self._sink.write_hashed(address, partial(read_theme_file, path))
        self._redirect_pages += arranged.redirect_pages

    def _draw_pages(self, published: PublishedPages, arranged: Arrangement) -> tuple[dict[str, PageRecord], int]:
        """Draw what has changed and take over the rest.

        Returns:
            (route → record, pages in the order of the site and then the not-found pages; number of pages drawn).
        """
        jobs = list(arranged.jobs.values())
        records: dict[str, PageRecord] = {}
        to_draw: list[PageJob] = []
        # Without this key, the records' own keys cannot be the same either.
        old = published.records if published.shared_key == self._site_files.shared_key else {}
        for job in jobs:
            known = old.get(job.route)
            if known and self._renderer.is_current(job, known) and self._reuse(known):
                records[job.route] = msgspec.structs.replace(known, quick_key=job.quick_key)
            else:
                to_draw.append(job)
        drawn, total = sum(job.page is not None for job in to_draw), len(self._site.pages)
        kept = total - drawn
        self._report("draw", kept, total)
        if to_draw and self._staging is not None:
            self._staging.settle()
        for job, record in self._renderer.draw_all(
            to_draw, report=lambda done: self._report("draw", kept + done, total)
        ):
            records[job.route] = record
        return {job.route: records[job.route] for job in jobs}, drawn

    def _draw_cards(self, records: Mapping[str, PageRecord]) -> list[Diagnostic]:
        """Draw the social cards, and find pages that have none though they should."""
        style, pictures = self._site_files.card_style, self._site_files.pictures
        if style is None or pictures is None:
            return []
        cards = {address: card for record in records.values() for address, card in record.cards.items()}
        self._files |= publish_cards(cards, style, pictures, self._sink)
        return list(missing_cards(records.values(), self._site_files.site_dir))

    def _reuse(self, record: PageRecord) -> bool:
        staging = self._staging
        return staging is not None and all(staging.reuse(address, file) for address, file in record.files.items())

    def _index(self, out: Path, staging: Staging, lines: SourceLines) -> tuple[str, list[Diagnostic]]:
        """Publish the search index, also as files: its path, and what is wrong with it."""
        config = self._site.config
        most = config.search.most_offline_megabytes if config.offline else 0
        has_files = config.search.mode in ("auto", "static")
        with (
            StaticIndex(staging, self._cache, largest_bundle=most * 1_000_000) if has_files else nullcontext() as static
        ):
            index, finish = publish_index(
                self._site,
                resolver=self._site_files.resolver,
                bodies=self._bodies,
                staging=staging,
                out=out,
                cache=self._cache,
                report=self._report,
                static=static,
            )
            try:
                shards = static.publish() if static is not None else None
            finally:
                finish()
            if shards is None:
                return index, []
        self._files |= shards.files
        return index, [large_bundle(shards.too_large, most, lines.text(CONFIG_NAME))] if shards.too_large else []

    def _publish(self, staging: Staging, build_id: str, precompress: bool, search: str, content_policy: str) -> None:
        if precompress:
            from octavo.publish.precompress import precompress_files

            self._files |= precompress_files(staging, self._files, self._report)
        manifest = self._site_files.manifest(
            build_id,
            self._files,
            redirect_pages=self._redirect_pages,
            content_policy=content_policy,
            search=search,
        )
        if HOST_HEADERS_FILE not in self._files:  # an author's own file takes its place, like every other
            self._files[HOST_HEADERS_FILE] = staging.write(
                HOST_HEADERS_FILE, write_headers(manifest, "netlify").encode()
            )
        staging.write(MANIFEST_PATH, msgspec.json.encode(manifest))
        self._report("publish", 1, 1)
        staging.publish(self._files)
