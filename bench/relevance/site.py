"""The site's own pages, compiled and placed by the engine itself."""

from __future__ import annotations

from pathlib import Path

from bench.search.records import PageSource
from recto.build.body import split_document
from recto.build.compile import content_options
from recto.config_load import load_config
from recto.content.compile import compile_document
from recto.content.document import Document
from recto.search.pages import findable_pages, page_facts
from recto.site.assemble import assemble_site, find_sources
from recto.site.assets import AssetStore
from recto.site.links import LinkResolver


def load_site_pages(site_dir: Path) -> list[PageSource]:
    """Compile a site and give its findable pages; generated indexes, which have no text of their own, are left out."""
    config = load_config(site_dir)
    sources = find_sources(site_dir, config)
    options = content_options(site_dir, config)

    def read(path: str) -> str | None:
        file = site_dir / path
        return file.read_text(encoding="utf-8") if file.is_file() else None

    documents: dict[str, Document] = {
        source.path: compile_document(read(source.path) or "", source_path=source.path, load=read, options=options)
        for source in sources
    }
    faces = {path: split_document(document, body_key="")[0] for path, document in documents.items()}
    site = assemble_site(config, sources, faces, site_dir=site_dir, history={})
    resolver = LinkResolver(site, AssetStore(site_dir, config.static))
    return [
        PageSource(page_facts(page, config, resolver), documents[page.source.path])
        for page in findable_pages(site)
        if page.source is not None
    ]
