"""`octavo import --convert`: the converted site says what the site says that is read in place, at the same addresses."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.config import load_config
from octavo.content import Document
from octavo.documents import Compiler, Library, gather_sources
from octavo.documents.files import Files
from octavo.extending import SiteExtensions
from octavo.importing import import_site
from octavo.runtime import open_cache
from octavo.site import assemble_site

from . import javascript_sites, other_sites, test_audited_sites
from .sites import Case, text_of, write

SITES = {
    f"{module.__name__.rpartition('.')[2]}-{name}": value.files
    for module in (javascript_sites, other_sites, test_audited_sites)
    for name, value in vars(module).items()
    if isinstance(value, (Case, test_audited_sites.Audited))
}


def documents_of(site_dir: Path, work: Path) -> dict[str, object]:
    """Route → what its page says."""
    config = load_config(site_dir)
    cache = open_cache(work)
    extensions = SiteExtensions(site_dir, config, cache) if config.extensions else None
    sources = gather_sources(site_dir, config, work, extensions)
    library = Library(cache)
    compiler = Compiler.of(site_dir, config, sources.descriptions, extensions)
    library.update(sources.all, compiler)
    site = assemble_site(config, sources.all, library.summaries, site_dir=site_dir, history={})
    found = {}
    for page in site.pages:
        if page.source is not None and not page.source.path.endswith("import-report.md"):
            found[page.route] = said(compiler.compile(page.source, Files(site_dir), {}))
    return found


def said(document: Document) -> object:
    """Text, headings with ids, links, pictures."""
    pieces = [document.body, *(child for island in document.islands for child in island.children)]
    return (
        [" ".join(text_of(piece).split()) for piece in pieces],
        [(one.level, one.anchor, one.text) for one in document.headings],
        [one.href for one in document.links],
        [one.href for one in document.assets],
    )


@pytest.mark.parametrize("name", SITES)
def test_converted_site_says_the_same_at_the_same_addresses(name: str, tmp_path: Path) -> None:
    site = write(tmp_path / "old", SITES[name])
    (site / ".git").mkdir()
    converted = import_site(site, to=tmp_path / "new")
    in_place = import_site(site)
    assert documents_of(converted.plan.site_dir, tmp_path / "a") == documents_of(in_place.plan.site_dir, tmp_path / "b")
    assert [note.files for note in converted.plan.notes if "could not" in note.what] == []
