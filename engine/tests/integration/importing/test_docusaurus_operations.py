"""Pages that the plug-in docusaurus-openapi-docs wrote make room for the operations of our own reference."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import Any

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import write
from .test_mintlify_sites import API

CONFIG = """module.exports = {{
  title: 'Kites', url: 'https://kites.example', baseUrl: '/',
  presets: [['classic', {{ docs: {{ sidebarPath: './sidebars.js' }} }}]],
  plugins: [['docusaurus-plugin-openapi-docs', {{ config: {{ kites: {{ specPath: '{spec}', outputDir: 'docs/api' }} }} }}]],
}};
"""
PAGE = """---
id: {id}
title: "{id}"
hide_title: true
api: {api}
sidebar_class_name: "{method} api-method"
---

import MethodEndpoint from "@theme/ApiExplorer/MethodEndpoint";
import StatusCodes from "@theme/StatusCodes";

<MethodEndpoint method={{"{method}"}} path={{"{path}"}} />

<StatusCodes responses={{{{"200":{{"description":"All"}}}}}} />
"""
SIDEBAR = """module.exports = { docs: ['intro', { type: 'category', label: 'API', items: [
  { type: 'doc', id: 'api/list', label: 'All kites', className: 'api-method get' }, 'api/cut'] }] };
"""


def page(name: str, method: str, path: str, *, is_packed: bool) -> str:
    operation: dict[str, Any] = {
        **API["paths"][path][method],
        "method": method,
        "path": path,
        "info": {"title": "Kites", "version": "2"},
        "servers": [{"url": "https://api.kites.example"}],
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        "postman": {"name": "x"},
    }
    text = json.dumps(operation)
    api = base64.b64encode(zlib.compress(text.encode())).decode() if is_packed else text
    return PAGE.format(id=name, api=api, method=method, path=path)


def site_at(folder: Path, spec: str, **more: str) -> Path:
    return write(
        folder,
        {
            "docusaurus.config.js": CONFIG.format(spec=spec),
            "sidebars.js": SIDEBAR,
            "docs/intro.md": "# Kites\n\nThey fly. [All](/docs/api/list)\n",
            "docs/api/list.api.mdx": page("list", "get", "/kites", is_packed=True),
            "docs/api/cut.api.mdx": page("cut", "delete", "/kites/{id}", is_packed=False),
            **more,
        },
    )


def test_operations_come_from_the_description_of_the_site(tmp_path: Path) -> None:
    site = site_at(tmp_path / "site", "kites.json", **{"kites.json": json.dumps(API)})
    done = import_site(site)
    (api,) = done.plan.settings["openapi"]
    assert api["spec"] == "kites.json"
    assert not (site / "api-descriptions").exists()
    assert done.report.items == []
    built = build_site(site, tmp_path / "out", has_search=False)
    assert not {"sidebar", "broken-link", "duplicate-route", "stub-component"} & {one.code for one in built.diagnostics}
    redirects = {one["from"]: one["to"] for one in done.plan.settings["redirects"]}
    assert set(redirects) >= {"/docs/api/list", "/docs/api/cut"}
    for address in ("/docs/api/list", "/docs/api/cut"):
        assert (tmp_path / "out" / redirects[address].lstrip("/") / "index.html").is_file()
    category = done.plan.settings["sidebars"][0]["items"][1]["items"]
    assert [one.get("label") for one in category] == ["All kites", None]


def test_a_description_that_lies_elsewhere_is_put_together_from_the_pages(tmp_path: Path) -> None:
    site = site_at(tmp_path / "site", "https://kites.example/openapi.json")
    done = import_site(site)
    (api,) = done.plan.settings["openapi"]
    root = json.loads((site / api["spec"]).read_text())
    assert root["info"]["version"] == "2"
    assert set(root["paths"]) == {"/kites", "/kites/{id}"}
    assert "postman" not in root["paths"]["/kites"]["get"]
    assert any(api["spec"] in note.files for note in done.plan.notes)
    assert build_site(site, tmp_path / "out", has_search=False).diagnostics == []
    assert len(list((tmp_path / "out/docs/api").rglob("index.html"))) >= 2


def test_a_packed_text_that_is_none_leaves_the_page(tmp_path: Path) -> None:
    broken = PAGE.format(id="cut", api="eJzz@@", method="delete", path="/kites/{id}")
    site = site_at(tmp_path / "site", "none.json", **{"docs/api/cut.api.mdx": broken})
    done = import_site(site)
    assert {file for one in done.report.items for file in one.files} == {"docs/api/cut.api.mdx"}


def test_a_description_with_unknown_keys_is_drawn_from_a_copy_without_them(tmp_path: Path) -> None:
    odd = json.loads(json.dumps(API))
    for item in odd["paths"].values():
        for operation in item.values():
            operation["parameters"] = [
                {"name": "id", "in": "path", "required": True, "allowEmptyValue": False, "schema": {"type": "string"}}
            ]
    odd["info"]["team"] = "wind"
    site = site_at(tmp_path / "site", "kites.json", **{"kites.json": json.dumps(odd)})
    done = import_site(site)
    (api,) = done.plan.settings["openapi"]
    assert api["spec"] == "api-descriptions/kites.json"
    text = (site / api["spec"]).read_text()
    assert "allowEmptyValue" not in text
    assert "team" not in text
    (note,) = [one for one in done.plan.notes if "break rules of OpenAPI" in one.what]
    assert "kites.json: #/info/team" in note.files
    assert done.report.items == []
    assert build_site(site, tmp_path / "out", has_search=False).diagnostics == []


def test_pages_that_the_plug_in_writes_at_each_build_are_made_of_the_description(tmp_path: Path) -> None:
    """Authors leave what is generated out of the repository: its addresses lead to the reference of ours."""
    named = json.loads(json.dumps(API))
    named["paths"]["/kites"]["get"]["operationId"] = "listKitesV2"
    sidebar = """const api = require('./docs/api/sidebar'); module.exports = { docs: ['intro', { type: 'category', label: 'API',
  link: { type: 'generated-index', slug: '/api/all' }, items: api }] };"""
    files = {
        "docusaurus.config.js": CONFIG.format(spec="kites.json"),
        "sidebars.js": sidebar,
        "docs/intro.md": "# Kites\n\nThey fly. [All](/docs/api/list-kites-v-2)\n",
        "kites.json": json.dumps(named),
    }
    site = write(tmp_path / "site", files)
    done = import_site(site)
    (api,) = done.plan.settings["openapi"]
    assert (api["spec"], api["layout"]) == ("kites.json", "operations")
    redirects = {one["from"]: one["to"] for one in done.plan.settings["redirects"]}
    assert not [note for note in done.plan.notes if "openapi" in note.what]
    built = build_site(site, tmp_path / "out", has_search=False)
    assert not {"sidebar", "duplicate-route", "redirect"} & {one.code for one in built.diagnostics}
    assert [one.message for one in built.diagnostics if one.code == "broken-link"] == []
    assert (tmp_path / "out" / redirects["/docs/api/list-kites-v-2"].lstrip("/") / "index.html").is_file()
    (category,) = [one for one in done.plan.settings["sidebars"][0]["items"] if "category" in one]
    assert category["items"] == [{"doc": api["doc"]}]


def test_an_unwritten_reference_that_no_sidebar_has_room_for_comes_last(tmp_path: Path) -> None:
    files = {
        "docusaurus.config.js": CONFIG.format(spec="kites.json"),
        "sidebars.js": "module.exports = { docs: ['intro'] };",
        "docs/intro.md": "# Kites\n\nThey fly.\n",
        "kites.json": json.dumps(API),
    }
    done = import_site(write(tmp_path / "site", files))
    (api,) = done.plan.settings["openapi"]
    assert done.plan.settings["sidebars"][0]["items"] == [{"doc": "intro"}, {"doc": api["doc"]}]
