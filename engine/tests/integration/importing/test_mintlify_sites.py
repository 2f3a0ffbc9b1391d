"""Navigation of Mintlify: parts, files of settings, and the descriptions of APIs in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import text_of, write

API = {
    "openapi": "3.1.0",
    "info": {"title": "Kites", "version": "1"},
    "paths": {
        "/kites": {
            "get": {"tags": ["kites"], "summary": "List kites", "responses": {"200": {"description": "All"}}},
            "post": {"tags": ["kites"], "summary": "Build a kite", "responses": {"201": {"description": "Built"}}},
        },
        "/kites/{id}": {
            "delete": {
                "tags": ["kites"],
                "summary": "Cut the line",
                "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
                "responses": {"204": {"description": "Gone"}},
            }
        },
    },
}


def made(tmp_path: Path, navigation: Any, files: dict[str, Any], **more: Any) -> tuple[Any, Any, Path]:
    """Import and build a site of Mintlify: (what the import did, what the build found, the published folder)."""
    settings = {"name": "Kite", "navigation": navigation, **more}
    written = {"index.mdx": "---\ntitle: Start\n---\n\nIt flies.\n", "docs.json": json.dumps(settings)}
    written |= {name: one if isinstance(one, str) else json.dumps(one) for name, one in files.items()}
    site = write(tmp_path / "site", written)
    done = import_site(site)
    built = build_site(site, tmp_path / "out", has_search=False)
    assert {one.code for one in built.diagnostics} <= {"unset-url", "openapi"}, built.diagnostics
    return done, built, tmp_path / "out"


def test_description_of_a_group_becomes_a_reference_in_its_sidebar(tmp_path: Path) -> None:
    group = {"group": "REST API", "openapi": {"source": "/api/kites.json", "directory": "rest"}}
    done, _, out = made(tmp_path, {"groups": [{"group": "Start", "pages": ["index"]}, group]}, {"api/kites.json": API})
    assert [(one["doc"], one["spec"]) for one in done.plan.settings["openapi"]] == [("rest", "api/kites.json")]
    start = (out / "index.html").read_text(encoding="utf-8")
    assert "REST API" in text_of(start)
    assert "List kites" in text_of("".join(one.read_text(encoding="utf-8") for one in out.rglob("rest/**/*.html")))
    assert not done.report.notes


def test_operations_in_the_navigation_and_in_front_matter_are_found(tmp_path: Path) -> None:
    tab = {
        "tab": "API",
        "openapi": "kites.json",
        "pages": ["api-reference/intro", "GET /kites", "api-reference/cut", "api-reference/build", "GET /ropes"],
    }
    done, built, out = made(
        tmp_path,
        {"tabs": [{"tab": "Guides", "pages": ["index"]}, tab]},
        {
            "kites.json": API,
            "api-reference/intro.mdx": "---\ntitle: Intro\n---\n\nRead [how to cut](/api-reference/cut).\n",
            "api-reference/cut.mdx": "---\ntitle: Cut\nopenapi: delete /kites/{kite_id}\n---\n",
            "api-reference/build.mdx": "---\ntitle: Build\nopenapi: kites.json POST /kites\n---\n\nTake paper.\n",
        },
    )
    sidebars = {one["id"]: one["items"] for one in done.plan.settings["sidebars"]}
    assert list(sidebars) == ["guides", "api"]
    labels = [one.get("label") or one.get("category") or one["doc"] for one in sidebars["api"]]
    assert labels[0] == "Intro"
    assert labels[2:] == ["Cut", "Build"]
    redirects = {one["from"]: one["to"] for one in done.plan.settings["redirects"]}
    target = redirects["/api-reference/cut"]
    assert "Cut the line" in text_of((out / f"{target[1:]}/index.html").read_text(encoding="utf-8"))
    assert [one.what for one in done.report.notes] == [
        "Operations in the navigation that no description of the site has"
    ]
    bar = [(one["label"], one.get("sidebar")) for one in done.plan.settings["navbar"]["items"]]
    assert bar == [("Guides", "guides"), ("API", "api")]
    assert not built.diagnostics or {one.code for one in built.diagnostics} == {"unset-url"}


def test_several_descriptions_that_only_lie_in_the_site_have_a_place_each(tmp_path: Path) -> None:
    other = {**API, "paths": {"/ropes": API["paths"]["/kites"]}}
    done, _, _ = made(
        tmp_path,
        {"pages": ["index", "a", "b"]},
        {
            "kites-openapi.yml": API,
            "specs/openapi.json": other,
            "a.mdx": "---\ntitle: A\nopenapi: GET /kites\n---\n",
            "b.mdx": "---\ntitle: B\nopenapi: specs/openapi GET /ropes\n---\n",
        },
    )
    assert [one["doc"] for one in done.plan.settings["openapi"]] == ["api-reference", "api-reference-openapi"]
    assert not done.report.notes


def test_descriptions_that_cannot_be_drawn_are_linked_and_noted(tmp_path: Path) -> None:
    groups = [
        {"group": "Start", "pages": ["index"]},
        {"group": "Far", "openapi": "https://kite.example/api.json"},
        {"group": "Old", "openapi": "old.json"},
        {"group": "Lost", "openapi": "lost.json"},
    ]
    done, _, out = made(tmp_path, {"groups": groups}, {"old.json": {"swagger": "1.2"}})
    notes = {one.what: one.files for one in done.report.notes}
    assert notes["API descriptions at an address"] == ["https://kite.example/api.json"]
    assert "Swagger 1.2" in notes["API descriptions that cannot be drawn"][0]
    assert notes["API descriptions that do not exist"] == ["lost.json"]
    start = (out / "index.html").read_text(encoding="utf-8")
    assert 'href="https://kite.example/api.json"' in start
    assert 'href="/old.json"' in start


def test_settings_in_several_files_and_parts_within_parts_are_read(tmp_path: Path) -> None:
    page = "---\ntitle: {}\n---\n\nText.\n"
    done, _, out = made(
        tmp_path,
        {"versions": [{"version": "v2", "$ref": "./config/two.json"}, {"version": "v1", "pages": ["one/a"]}]},
        {
            "config/two.json": {
                "tabs": [{"$ref": "tabs/guides.json"}, {"tab": "Help", "href": "https://kite.example"}]
            },
            "config/tabs/guides.json": {"tab": "Guides", "menu": [{"item": "Wings", "pages": ["index", "two/b"]}]},
            "one/a.mdx": page.format("Old"),
            "two/b.mdx": page.format("Wing"),
            "config/loop.json": {"$ref": "loop.json"},
            "logo/day.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>',
        },
        redirects={"$ref": "config/loop.json"},
        logo={"light": "/logo/day.svg", "href": "https://kite.example"},
    )
    assert done.plan.settings["navbar"]["logo"] == {
        "src": "/logo/day.svg",
        "alt": "Kite",
        "href": "https://kite.example",
    }
    sidebars = {one["id"]: one["items"] for one in done.plan.settings["sidebars"]}
    assert list(sidebars) == ["v2-guides", "v1"]
    assert [one["label"] for one in sidebars["v2-guides"][0]["items"]] == ["Start", "Wing"]
    bar = done.plan.settings["navbar"]["items"]
    assert [one["label"] for one in bar] == ["v2", "v1"]
    assert [one["label"] for one in bar[0]["items"]] == ["Guides", "Help"]
    assert [one.what for one in done.report.notes] == ["Files of the settings ($ref) that cannot be read"]
    assert "Wing" in text_of((out / "index.html").read_text(encoding="utf-8"))


def test_settings_that_grow_with_each_file_are_left_out_with_a_note(tmp_path: Path) -> None:
    """Each file names the next one twice, so that 28 files would be 2²⁸ tables."""
    twice = {f"config/{n}.json": {side: {"$ref": f"{n + 1}.json"} for side in "ab"} for n in range(28)}
    done, _, out = made(
        tmp_path, {"pages": ["index"]}, {**twice, "config/28.json": {}}, redirects={"$ref": "config/0.json"}
    )
    assert done.report.notes[0].what == "Files of the settings ($ref) that cannot be read"
    assert "It flies." in text_of((out / "index.html").read_text(encoding="utf-8"))


def test_operations_beside_pages_of_their_folder_keep_their_addresses(tmp_path: Path) -> None:
    group = {
        "group": "API",
        "openapi": {"source": "kites.json", "directory": "rest"},
        "pages": ["rest/about", "GET /kites", "POST /kites"],
    }
    files = {"kites.json": API, "rest/about.mdx": "---\ntitle: About\n---\n\n[List](/rest/kites/list-kites)\n"}
    done, built, _ = made(tmp_path, {"groups": [{"group": "Start", "pages": ["index"]}, group]}, files)
    [doc] = [one["doc"] for one in done.plan.settings["openapi"]]
    found = {one["from"]: one["to"] for one in done.plan.settings["redirects"]}
    assert doc != "rest"
    assert found["/rest/kites/build-a-kite"] == f"/{doc}/kites/post-kites"
    assert [one.message for one in built.diagnostics if one.code == "broken-link"] == []
