"""The site's own pages, written and generated, compiled and placed by the engine itself."""

from __future__ import annotations

from pathlib import Path

import msgspec

from bench import paths
from bench.search.records import PageSource
from octavo.config import SearchRules, load_config
from octavo.content.compile import compile_document
from octavo.documents.body import split_document
from octavo.documents.compiler import Compiler
from octavo.documents.files import Files
from octavo.documents.sources import gather_sources
from octavo.search.index.pages import findable_pages, index_settings, page_facts, section_names
from octavo.search.index.settings import IndexSettings
from octavo.site import AssetStore, LinkResolver, assemble_site


def load_site_pages(site_dir: Path) -> list[PageSource]:
    """Compile a site and give its findable pages; generated indexes have a title and a description, and no text."""
    config = load_config(site_dir)
    gathered = gather_sources(site_dir, config, paths.WORK / "relevance")
    sources, compiler, files = gathered.all, Compiler.of(site_dir, config, gathered.descriptions), Files(site_dir)
    documents = {source.path: compiler.compile(source, files, {}) for source in sources}
    summaries = {path: split_document(document, body_key="")[0] for path, document in documents.items()}
    site = assemble_site(config, sources, summaries, site_dir=site_dir, history={})
    resolver = LinkResolver(site, AssetStore(site_dir, config.static))
    names = section_names(site)
    empty = compile_document("", source_path="", load=lambda _: None, options=compiler.options)
    return [
        PageSource(page_facts(page, config, resolver, names), documents[page.source.path] if page.source else empty)
        for page in findable_pages(site)
    ]


def site_settings(site_dir: Path, *, has_rules: bool = False) -> IndexSettings:
    """What the site's server knows of its index.

    Args:
        site_dir: Folder of the site.
        has_rules: With `search.toml`. There a site's editors answer instead of the ranking, and those of our site have
            read the queries that are held out.
    """
    config = load_config(site_dir)
    if not has_rules:
        config = msgspec.structs.replace(config, search=msgspec.structs.replace(config.search, rules=SearchRules()))
    site = assemble_site(config, [], {}, site_dir=site_dir, history={})
    return index_settings(site, LinkResolver(site, AssetStore(site_dir, config.static)))
