"""Documents that are made of data, such as the pages of an API reference: where links to them lead."""

from __future__ import annotations

import msgspec
import pytest

from octavo.config import parse_config
from octavo.content import Link
from octavo.content.compile import ContentOptions, compile_document
from octavo.diagnostics import Span
from octavo.documents.body import split_document
from octavo.site import AssetStore, LinkResolver, Site, Source, assemble_site, find_sources
from tests.support.sites import TWO_LOCALES, MakeSite, SiteFolder, edition_of, outline, page, page_at

CONFIG = (
    TWO_LOCALES
    + """
[[versions]]
name = "2"
label = "2"
[[versions]]
name = "1"
label = "1"
path = "v1"
docs = "docs-v1"

[[sidebars]]
id = "docs"
items = [{ doc = "guide" }, { doc = "api" }]
"""
)
FILES = {
    "docs/guide.md": page("Guide"),
    "docs/plain/index.md": page("Plain"),
    "docs-v1/guide.md": page("Guide 1"),
    "docs-v1/own.md": page("Own"),
    "pages/index.mdx": page("Home"),
}
MOVED = {"operation/list": "/api/operations"}


def site_with_reference(folder: SiteFolder) -> Site:
    """Assemble the site with a reference of two pages, whose overview has handed an anchor on to the other one."""
    config = parse_config((folder.root / "octavo.toml").read_text())
    made = [
        Source(
            "docs/api/index.md", "docs", is_page=False, made_from="api.yaml", data=b"1", maker="openapi", doc_id="api"
        ),
        Source("docs/api/operations.md", "docs", is_page=False, made_from="api.yaml", data=b"2", maker="openapi"),
    ]
    sources = [*find_sources(folder.root, config), *made]
    texts = {
        "docs/api/index.md": page("API"),
        "docs/api/operations.md": page("Operations", "## List {#operation/list}"),
    }
    summaries = {}
    for source in sources:
        text = texts.get(source.path) or (folder.root / source.path).read_text()
        document = compile_document(text, source_path=source.path, load=lambda _: None, options=ContentOptions())
        if source.doc_id:
            document = msgspec.structs.replace(document, moved=MOVED)
        summaries[source.path] = split_document(document, body_key="")[0]
    return assemble_site(config, sources, summaries, site_dir=folder.root, history={})


@pytest.fixture
def folder(make_site: MakeSite) -> SiteFolder:
    return make_site(FILES, CONFIG)


def target_of(folder: SiteFolder, site: Site, route: str, href: str) -> tuple[str, str]:
    found = page_at(site, route)
    resolver = LinkResolver(site, AssetStore(folder.root, "static"))
    target = resolver.resolve(found, Link(href, Span(found.origin), is_markup=True))
    return target.kind, target.url


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("./api.md", "/api/"),
        ("./api", "/api/"),
        ("./api/index.md", "/api/"),
        ("./api.md#operation/list", "/api/operations#operation/list"),
        ("./api.md#operation/list/responses/200", "/api/operations#operation/list/responses/200"),
        ("/api/#operation/list", "/api/operations#operation/list"),
        ("./api.md#schema/kiln", "/api/#schema/kiln"),
        ("./api/operations.md", "/api/operations"),
    ],
)
def test_overview_is_linked_like_one_page_and_hands_anchors_on(folder: SiteFolder, href: str, url: str) -> None:
    assert target_of(folder, site_with_reference(folder), "/guide", href) == ("page", url)


def test_index_of_a_written_folder_is_not_named_by_the_folder_with_an_extension(folder: SiteFolder) -> None:
    site = site_with_reference(folder)
    assert target_of(folder, site, "/guide", "./plain.md")[0] == "broken"
    assert target_of(folder, site, "/guide", "./plain") == ("page", "/plain/")


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("./api/operations.md", ("page", "/api/operations")),
        ("./api/operations", ("page", "/api/operations")),
        ("./guide.md", ("page", "/v1/guide")),
        # What is written belongs to its version.
        ("./plain/index.md", ("broken", "/v1/plain/index.md")),
    ],
)
def test_old_versions_lead_to_the_one_reference_of_all_versions(
    folder: SiteFolder, href: str, target: tuple[str, str]
) -> None:
    assert target_of(folder, site_with_reference(folder), "/v1/own", href) == target


def test_old_version_leads_to_the_reference_in_the_language_of_its_reader(folder: SiteFolder) -> None:
    target = target_of(folder, site_with_reference(folder), "/fr/v1/own", "./api/operations.md")
    assert target == ("page", "/fr/api/operations")


def test_newest_version_does_not_lead_to_what_it_lacks(folder: SiteFolder) -> None:
    assert target_of(folder, site_with_reference(folder), "/guide", "./own.md")[0] == "broken"


def test_entry_of_an_overview_brings_the_pages_below_it(folder: SiteFolder) -> None:
    site = site_with_reference(folder)
    (guide, category) = edition_of(site, "").sidebars["docs"]
    assert outline([guide, category]) == ["Guide /guide", ("API /api/", ["Operations /api/operations"])]
    assert page_at(site, "/api/").category is category
