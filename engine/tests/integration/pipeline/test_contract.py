"""The contract between Python and React: written down, and kept by what is really published."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from octavo.contract import generate as contract
from octavo.contract.payload import ISLANDS, UNIONS, WIRE_TYPES, DocsVersion, PagePayload, SidebarData, SiteData
from tests.support.sites import HOME, MakeSite, SiteFolder, page


def test_schema_in_the_package_is_up_to_date() -> None:
    assert contract.SCHEMA_FILE.read_text(encoding="utf-8") == contract.schema()


def test_types_of_the_theme_are_up_to_date() -> None:
    assert contract.TYPES_FILE.read_text(encoding="utf-8") == contract.typescript()


def test_check_names_what_is_out_of_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(contract, "SCHEMA_FILE", tmp_path / "payload.schema.json")
    assert contract.main(["--check"]) == 1
    assert capsys.readouterr().out == "Out of date: payload.schema.json. Run `python -m octavo.contract`.\n"
    assert not (tmp_path / "payload.schema.json").exists()
    assert contract.main([]) == 0
    assert (tmp_path / "payload.schema.json").read_text(encoding="utf-8") == contract.schema()
    assert contract.main(["--check"]) == 0


def test_every_struct_is_an_interface_with_every_field() -> None:
    text = contract.typescript()
    for struct in structs():
        body = text.partition(f"export interface {struct.__name__} {{")[2].partition("}\n")[0]
        names = re.findall(r"readonly (\w+)\??: ", body)
        tag = ["type"] if struct.__struct_config__.tag else []
        assert sorted(names) == sorted([*tag, *(field.encode_name for field in msgspec.structs.fields(struct))])


def test_unions_are_named_for_the_theme() -> None:
    for name, union in UNIONS.items():
        members = " | ".join(member.__name__ for member in get_args(union))
        assert f"export type {name} = {members};" in contract.typescript()


def structs() -> list[type[msgspec.Struct]]:
    definitions = msgspec.json.schema_components(WIRE_TYPES)[1]
    known = {struct.__name__: struct for struct in all_subclasses(msgspec.Struct)}
    return [known[name] for name in definitions]


def all_subclasses(struct: type[msgspec.Struct]) -> list[type[msgspec.Struct]]:
    return [struct, *(deep for child in struct.__subclasses__() for deep in all_subclasses(child))]


def keys(data: Any) -> Any:
    """Reduce data to the names in it, so that two pieces can be compared key for key."""
    if isinstance(data, dict):
        return {name: keys(value) for name, value in data.items()}
    return [keys(item) for item in data] if isinstance(data, list) else None


def assert_is(struct: type[msgspec.Struct], data: bytes) -> None:
    """Hold data to a struct: it decodes, and holds no name that the struct does not declare."""
    decoded = msgspec.json.decode(data, type=struct)
    assert keys(json.loads(data)) == keys(json.loads(msgspec.json.encode(decoded)))


CONFIG = """
locales = [{ id = "en", label = "English" }, { id = "fr", label = "Français", path = "fr" }]
[navbar]
logo = { src = "/x.svg", alt = "" }
items = [
  { label = "Docs", sidebar = "docs" },
  { label = "More", items = [{ label = "A", href = "/a" }] },
  { type = "locale" },
]
[[announcements]]
id = "a"
content = "b"
[[footer.columns]]
title = "C"
items = [{ label = "A", href = "/a" }]
"""


@pytest.fixture
def site(make_site: MakeSite) -> SiteFolder:
    files = {
        **HOME,
        "docs/a.mdx": page("A", "## One\n\n<DocCardList />", tags=["x"], last_update={"date": "2026-01-31"}),
        "docs/guides/b.md": page("B"),
        "static/x.svg": "<svg/>",
    }
    site = make_site(files, f"shows_last_update = true\n{CONFIG}")
    assert site.build().diagnostics == []
    return site


def test_published_payloads_keep_the_contract_key_for_key(site: SiteFolder) -> None:
    checked = 0
    for address, content in site.published().items():
        if address.startswith("_octavo/pages/"):
            assert_is(PagePayload, content)
            checked += 1
        elif address.startswith("_octavo/site."):
            assert_is(SiteData, content)
        elif address.startswith("_octavo/sidebar-"):
            assert_is(SidebarData, content)
        elif address.startswith("_octavo/version-"):
            assert_is(DocsVersion, content)
    assert checked == 6


def test_payload_in_a_page_keeps_the_contract_key_for_key(site: SiteFolder) -> None:
    match = re.search(r'id="octavo-page">(.*?)</script>', site.html("/a"))
    assert match is not None
    assert_is(PagePayload, match[1].encode())


def test_kinds_of_islands_are_those_that_pages_hold(make_site: MakeSite) -> None:
    site = make_site(
        {
            **HOME,
            "docs/a.mdx": page(
                "A", "<Tabs><TabItem value='x'>\n\nX\n\n</TabItem></Tabs>\n\n```mermaid\ngraph LR; A[$$x$$]\n```"
            ),
            "docs/b/_category_.yaml": "label: B\nlink: { type: generated-index }",
            "docs/b/c.md": page("C"),
            "openapi/shop.json": json.dumps(
                {
                    "openapi": "3.1.0",
                    "info": {"title": "Shop", "version": "1"},
                    "paths": {"/pots": {"get": {"tags": ["pot"], "responses": {"200": {"description": "All."}}}}},
                    "components": {"schemas": {"Pot": {"type": "object"}}},
                }
            ),
        },
        '[[openapi]]\nid = "shop"\ndoc = "api"\nspec = "openapi/shop.json"\n',
    )
    built = site.build()
    kinds = {kind for route in routes_of(site) for kind in site.payload(route)["islands"]}
    assert built.is_published
    assert kinds <= ISLANDS.keys()
    assert {"tabs", "mermaid", "card-list"} <= kinds


def routes_of(site: SiteFolder) -> list[str]:
    return [route for route in site.manifest().routes if not route.endswith("404.html")]
