"""Sources of several sites in one process have nothing in common."""

from __future__ import annotations

import json

import pytest

from octavo.config import load_config
from octavo.documents.compiler import Compiler
from octavo.documents.files import Files
from octavo.documents.sources import SiteSources, gather_sources
from tests.support.sites import HOME, MakeSite, SiteFolder

SETTINGS = '[[openapi]]\nid = "shop"\ndoc = "api"\nspec = "openapi/shop.json"\nconsole = true\n'


def make_shop(make_site: MakeSite, title: str) -> SiteFolder:
    operation = {"operationId": "list", "summary": "List", "responses": {"200": {"description": "All."}}}
    root = {
        "openapi": "3.1.0",
        "info": {"title": title, "version": "1"},
        "servers": [{"url": f"https://{title.lower()}.example"}],
        "paths": {"/pots": {"get": operation}},
    }
    return make_site({**HOME, "openapi/shop.json": json.dumps(root)}, SETTINGS, title)


def gather(site: SiteFolder) -> SiteSources:
    return gather_sources(site.root, load_config(site.root), site.root / ".octavo")


def titles(site: SiteFolder, sources: SiteSources) -> list[str | None]:
    compiler = Compiler.of(site.root, load_config(site.root), sources.descriptions)
    files = Files(site.root)
    return [compiler.compile(source, files, {}).front_matter.title for source in sources.made]


def test_api_pages_of_two_sites_are_made_of_their_own_descriptions(make_site: MakeSite) -> None:
    sites = [make_shop(make_site, "Kiln"), make_shop(make_site, "Loom")]
    gathered = [gather(site) for site in sites]
    made = [titles(site, sources) for site, sources in zip(sites, gathered, strict=True)]
    assert [("Kiln" in found[0], "Loom" in found[0]) for found in made if found[0]] == [(True, False), (False, True)]


def test_console_servers_are_those_of_the_site(make_site: MakeSite) -> None:
    first, second = (gather(site) for site in [make_shop(make_site, title) for title in ("Kiln", "Loom")])
    assert first.console_servers == ["https://kiln.example"]
    assert second.console_servers == ["https://loom.example"]


def test_site_without_a_console_names_no_servers(make_site: MakeSite) -> None:
    assert gather(make_site(HOME)).console_servers is None


@pytest.mark.parametrize("value", [2**65, -(2**63) - 1])
def test_description_that_cannot_be_kept_is_read_each_time(make_site: MakeSite, value: int) -> None:
    site = make_shop(make_site, "Kiln")
    root = json.loads((site.root / "openapi/shop.json").read_text())
    root["components"] = {"schemas": {"Weight": {"type": "integer", "maximum": value}}}
    site.write({"openapi/shop.json": json.dumps(root)})
    for _ in range(2):
        found = gather(site)
        assert not found.problems
        assert found.descriptions["shop"].root["components"] == root["components"]
