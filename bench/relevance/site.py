"""The site's own pages, written and generated, compiled and placed by the engine itself."""

from __future__ import annotations

from pathlib import Path

import msgspec

from bench import paths
from bench.search.records import PageSource
from octavo.config import load_config
from octavo.content import ContentOptions, Document
from octavo.content.compile import compile_document
from octavo.documents.api_pages import add_api_pages, compile_api_page
from octavo.documents.body import split_document
from octavo.documents.command_pages import add_command_pages
from octavo.documents.compile import content_options
from octavo.reference.command_line import CommandPage, compile_command
from octavo.search.index.pages import findable_pages, index_settings, page_facts
from octavo.search.index.settings import IndexSettings
from octavo.site import AssetStore, LinkResolver, Source, assemble_site, find_sources


def load_site_pages(site_dir: Path) -> list[PageSource]:
    """Compile a site and give its findable pages; generated indexes have a title and a description, and no text."""
    config = load_config(site_dir)
    sources, _ = add_command_pages(find_sources(site_dir, config), site_dir, config)
    sources, _ = add_api_pages(sources, site_dir, config, paths.WORK / "relevance")
    options = content_options(site_dir, config)
    documents = {source.path: _compile(source, site_dir, options) for source in sources}
    summaries = {path: split_document(document, body_key="")[0] for path, document in documents.items()}
    site = assemble_site(config, sources, summaries, site_dir=site_dir, history={})
    resolver = LinkResolver(site, AssetStore(site_dir, config.static))
    empty = compile_document("", source_path="", load=lambda _: None, options=options)
    return [
        PageSource(page_facts(page, config, resolver), documents[page.source.path] if page.source else empty)
        for page in findable_pages(site)
    ]


def site_settings(site_dir: Path) -> IndexSettings:
    """What the site's server knows of its index: synonyms too."""
    return index_settings(load_config(site_dir))


def _compile(source: Source, site_dir: Path, options: ContentOptions) -> Document:
    def read(path: str) -> str | None:
        file = site_dir / path
        return file.read_text(encoding="utf-8") if file.is_file() else None

    if source.data is None:
        return compile_document(read(source.path) or "", source_path=source.path, load=read, options=options)
    if source.maker == "openapi":
        return compile_api_page(source, read, options)
    page = msgspec.msgpack.decode(source.data, type=CommandPage)
    return compile_command(page, source_path=source.path, options=options)
