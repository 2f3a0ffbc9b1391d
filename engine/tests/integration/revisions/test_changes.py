"""What the versions of a site have changed in an API and in commands: marks, and a page for each."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.sites import SiteFolder, use_small_theme

from .repositories import git, release

SETTINGS = """title = "Site"
[navbar]
items = [{ type = "version" }]
[versions]
from = "tags"
next = ""
[[commands]]
source = "commands"
docs = "cli"
changes = true
[[openapi]]
id = "shop"
doc = "api"
spec = "shop.json"
layout = "page"
changes = true
"""


def shop(*paths: str, **parameters: Any) -> str:
    get = {
        "summary": "Kilns",
        "parameters": [{"name": name, "in": "query", "schema": schema} for name, schema in parameters.items()],
        "responses": {"200": {"description": "Good."}},
    }
    root = {
        "openapi": "3.1.0",
        "info": {"title": "Shop", "version": "1"},
        "paths": {path: {"get": get} for path in paths},
    }
    return json.dumps(root)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> SiteFolder:
    folder = SiteFolder(tmp_path_factory.mktemp("changes") / "site", {}, "")
    git(folder.root, "init", "-q")
    files = {"octavo.toml": SETTINGS, "docs/index.md": "# Home\n", ".gitignore": ".octavo\n"}
    release(folder.root, "0.9", files)  # there is neither an API nor a program
    fire = "name: pot fire\nsynopsis: Fire\noptions:\n  - {name: heat, type: int, default_value: 900}\n"
    release(folder.root, "1.0", {"shop.json": shop("/kilns"), "commands/fire.yaml": fire})
    release(folder.root, "1.1", {"shop.json": "no description"})
    fire = fire.replace("900", "1000") + "  - {name: slow, type: bool, usage: Take time}\n"
    dry = "name: pot dry\nsynopsis: Dry\n"
    new = shop("/kilns", "/glazes", limit={"type": "integer"})
    release(folder.root, "2.0", {"shop.json": new, "commands/fire.yaml": fire, "commands/dry.yaml": dry})
    return folder


@pytest.fixture(autouse=True, scope="module")
def _small_theme() -> Any:
    yield from use_small_theme()


def cells(site: SiteFolder, route: str) -> list[list[str]]:
    """List the rows of the tables of a page."""
    rows = re.findall(r"<tr>(.*?)</tr>", site.html(route), re.DOTALL)
    return [[re.sub(r"<[^>]+>", "", one) for one in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)] for row in rows]


def test_versions_are_compared(site: SiteFolder) -> None:
    found = site.check()
    assert [line.partition(":")[0] for line in found if "[openapi]" in line] == ["shop.json"]
    assert "cannot be compared with other versions" in found[0]
    assert len(found) == 1
    assert [row for row in cells(site, "/cli/changes") if row] == [
        ["Added", "pot dry", "–"],
        ["Changed", "pot fire", "--heat: int, default 900 → int, default 1000--slow: added"],
    ]
    page = site.html("/cli/changes")
    assert re.findall(r'<h2 id="[^"]*">([^<]*)', page) == ["2.0", "1.1"]
    assert "The same as in 1.0." in page
    assert "The oldest version that is compared is 1.0." in page
    assert 'href="/cli/pot_dry"' in page
    assert [row for row in cells(site, "/api-changes") if row] == [
        ["Added", "GET /glazes", "–"],
        ["Changed", "GET /kilns", "query limit: added (integer)"],
    ]
    assert 'href="/api#' in site.html("/api-changes")


def test_references_say_which_version_brought_what(site: SiteFolder) -> None:
    site.build()
    assert "Since 2.0." in site.html("/cli/pot_dry")
    (slow,) = (row for row in cells(site, "/cli/pot_fire") if row and row[0].startswith("--slow"))
    assert slow[1] == "Take time. Since 2.0."
    assert site.html("/cli/pot_fire").count("Since") == 1  # the command itself is as old as all that is known
    (heat,) = (row for row in cells(site, "/cli/pot_fire") if row and row[0].startswith("--heat"))
    assert heat[1].endswith("Changed in 2.0")
    assert site.html("/cli/pot_fire").count("Changed in 2.0") == 2  # beside the option, and of the command
    assert "Changed in" not in site.html("/cli/pot_dry")
    text = (site.out / "api.md").read_text(encoding="utf-8")
    kilns, glazes = text.partition("/glazes")[0], text.partition("/glazes")[2]
    assert ("- since: 2.0" in kilns, "- changed: 2.0" in kilns) == (False, True)
    assert ("- since: 2.0" in glazes, "- changed: 2.0" in glazes) == (True, False)
    assert "(since 2.0)" in kilns  # the parameter


def test_warm_build_reads_no_old_description(site: SiteFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    site.build()
    kept = Path(site.root / ".octavo").rglob("changes/*")
    assert len([file for file in kept if file.is_file()]) >= 4

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("octavo.documents.change_pages.extract_folder", refuse)
    assert site.build().drawn == 0


def test_setting_without_versions_says_what_is_missing(tmp_path: Path) -> None:
    settings = SETTINGS.partition("\n")[2].replace('[versions]\nfrom = "tags"\nnext = ""\n', "")
    files = {"docs/index.md": "# Home\n", "shop.json": shop("/a"), "commands/pot.yaml": "name: pot\n"}
    found = SiteFolder(tmp_path / "site", files, settings).check()
    assert [line for line in found if "changes is given" in line and "[versions]" in line] == found
    assert len(found) == 2


def test_what_a_version_had_for_internal_use_is_not_told(tmp_path: Path) -> None:
    folder = SiteFolder(tmp_path / "site", {}, "")
    git(folder.root, "init", "-q")
    settings = SETTINGS.replace('next = ""\n', "")
    settings = settings[: settings.index("[[commands]]")] + settings[settings.index("[[openapi]]") :]
    files = {"octavo.toml": settings, "docs/index.md": "# Home\n", ".gitignore": ".octavo\n"}
    internal = shop("/kilns", "/secrets").replace('"/secrets": {', '"/secrets": {"x-internal": true, ')
    release(folder.root, "1.0", {**files, "shop.json": shop("/kilns")})
    release(folder.root, "2.0", {"shop.json": internal})
    release(folder.root, "3.0", {"shop.json": shop("/kilns", "/glazes")})
    folder.build()
    assert "secrets" not in folder.html("/api-changes")
    (folder.root / "octavo.toml").write_text(settings.replace('layout = "page"', 'layout = "page"\ninternal = "show"'))
    folder.build()
    assert folder.html("/api-changes").count("secrets") >= 2  # added, and removed
