"""Sources of several sites in one process have nothing in common."""

from __future__ import annotations

import json
import subprocess
import sys

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


def in_new_process(site: SiteFolder, *, unread: str) -> str:
    """Gather in a new process: the sources, and which of the modules that read data were imported."""
    program = (
        "import sys; from pathlib import Path; from octavo.config import load_config;"
        "from octavo.documents.sources import gather_sources; site = Path(sys.argv[1]);"
        "found = gather_sources(site, load_config(site), site / '.octavo');"
        "print([(source.path, source.data) for source in found.made], found.problems, found.console_servers,"
        "[one.root for one in found.descriptions.values()]);"
        "print(sys.argv[2] in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, site.root, unread], capture_output=True, text=True, check=True
    )
    return f"{done.stdout}{done.stderr}"


@pytest.mark.parametrize(
    ("settings", "files", "changed", "parser"),
    [
        (
            '[[commands]]\nsource = "commands"\ndocs = "reference"\n',
            {"commands/pot.yaml": "name: pot\nsynopsis: Makes pots.\n"},
            "commands/pot.yaml",
            "octavo.reference.command_line",
        ),
        (
            SETTINGS,
            {
                "openapi/shop.json": json.dumps(
                    {
                        "openapi": "3.1.0",
                        "info": {"title": "pots", "version": "1"},
                        "servers": [{"url": "https://pots.example"}],
                        "paths": {"/pots": {"$ref": "pots.yaml"}},
                    }
                ),
                "openapi/pots.yaml": "get: {operationId: list, summary: List pots, responses: {'200': {description: All.}}}\n",
            },
            "openapi/pots.yaml",
            "octavo.reference.openapi.source.parse",
        ),
    ],
)
def test_data_that_has_not_changed_is_not_read_again(
    make_site: MakeSite, settings: str, files: dict[str, str], changed: str, parser: str
) -> None:
    site = make_site({**HOME, **files}, settings)
    first = in_new_process(site, unread=parser)
    assert "pots" in first
    assert first.endswith("True\n")
    assert in_new_process(site, unread=parser) == first.replace("True\n", "False\n")
    site.write({changed: files[changed].replace("pots", "jugs")})
    other = in_new_process(site, unread=parser)
    assert "jugs" in other
    assert other.endswith("True\n")


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
