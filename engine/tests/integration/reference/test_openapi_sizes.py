"""Pages of large descriptions have a bound, and every place of them is on one of the pages."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.support.sites import MakeSite, SiteFolder, page

from .openapi_sites import make_shop, shop

PAGE = 300_000
"""Bytes of HTML; `bench reference` holds large descriptions to it."""
TEXT = {"type": "string", "description": "One of very many fields, described in a sentence of usual length."}


def nested(levels: int, fields: int) -> dict[str, Any]:
    """Describe an object of objects."""
    inner = TEXT if levels == 1 else nested(levels - 1, fields)
    return {"type": "object", "properties": {f"part_{number}": inner for number in range(fields)}}


def pages_of(site: SiteFolder) -> dict[str, str]:
    return {route: site.html(route) for route in site.manifest().routes if route.startswith("/api")}


def large(pages: dict[str, str]) -> dict[str, int]:
    """Weigh the pages that are over the bound."""
    return {route: size for route, html in pages.items() if (size := len(html.encode())) >= PAGE}


def homes(pages: dict[str, str], anchor: str) -> list[str]:
    """List the pages of parts on which there is a place."""
    return [route for route, html in pages.items() if route != "/api" and f'id="{anchor}"' in html]


@pytest.fixture
def order(make_site: MakeSite) -> SiteFolder:
    description = shop()
    description["components"]["schemas"] |= {"Order": nested(3, 13), "Box": {"type": "object", "properties": {}}}
    description["paths"]["/kilns"]["post"]["responses"]["201"]["content"]["application/json"]["schema"] = {
        "$ref": "#/components/schemas/Order"
    }
    links = "[a](/api/schemas#schema/Order/part_3/part_4/part_5) [b](/api#schema/Order/part_12/part_0)"
    site = make_shop(make_site, description, config='layout = "tags"\n', **{"docs/a.md": page("A") + links})
    assert site.check() == []
    return site


def test_schema_that_is_too_large_for_a_page_has_pages_for_some_of_its_fields(order: SiteFolder) -> None:
    pages = pages_of(order)
    assert large(pages) == {}
    assert any(route.startswith("/api/schemas/order-part-") for route in pages)
    for one in range(13):
        for two in range(13):
            for three in range(13):
                anchor = f"schema/Order/part_{one}/part_{two}/part_{three}"
                assert len(homes(pages, anchor)) == 1, anchor


def test_every_link_to_a_field_leads_to_the_page_that_shows_it(order: SiteFolder) -> None:
    pages = pages_of(order)
    followed = 0
    for route, html in {**pages, "/a": order.html("/a")}.items():
        for place, anchor in re.findall(r'href="(/api[^"#]*)?#(schema/[^"]+)"', html):
            assert f'id="{anchor}"' in pages[place or route], (route, place, anchor)
            followed += 1
    assert followed > 13**3
    assert (
        'id="schema/Order/part_3/part_4/part_5"'
        in pages[re.findall(r'href="(/api[^"#]*)#[^"]*">a<', order.html("/a"))[0]]
    )
    entry = pages["/api/schemas"].partition('id="schema/Order/part_0"')[2]
    assert re.search(r'api-elsewhere"><a href="/api/schemas/[^"#]+#schema/Order/part_\d+">Inside part_\d+</a>', entry)


def test_search_and_markdown_have_a_field_once(order: SiteFolder) -> None:
    texts = [name for name, data in order.published().items() if name.endswith(".md") and b"part_12" in data]
    assert any(name.startswith("api/schemas/") for name in texts)


def listing(tag: str, operations: int) -> dict[str, Any]:
    """Describe operations of a tag that answer with large items, in a few words each."""
    answer = {
        "description": "Items.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}},
    }
    return {
        f"/{tag}/{number}": {"get": {"operationId": f"{tag}{number}", "tags": [tag], "responses": {"200": answer}}}
        for number in range(operations)
    }


def test_few_operations_with_large_answers_have_pages_of_their_own(make_site: MakeSite) -> None:
    paths = listing("light", 2) | listing("heavy", 10) | listing("alone", 1)
    site = make_shop(make_site, shop(components={"schemas": {"Item": nested(2, 12)}}, paths=paths))
    assert site.check() == []
    pages = pages_of(site)
    assert large(pages) == {}
    assert {f"/api/heavy/heavy{number}" for number in range(10)} <= pages.keys()
    assert not any(route.startswith(("/api/light/", "/api/alone/")) for route in pages)
    before = pages.keys()
    # What was weighed is kept for the next build.
    assert site.check() == []
    assert pages_of(site).keys() == before


def test_schema_on_the_only_page_of_a_description_stays_whole(make_site: MakeSite) -> None:
    description = shop(components={"schemas": {"Order": nested(3, 13)}}, paths={})
    site = make_shop(make_site, description, config='layout = "page"\n')
    assert site.check() == []
    assert [route for route in site.manifest().routes if route.startswith("/api")] == ["/api"]
    assert "api-elsewhere" not in site.html("/api")


def test_schemas_with_long_examples_share_pages_that_have_a_bound(make_site: MakeSite) -> None:
    inner = nested(2, 12)
    schemas = {
        f"Kiln{letter}{letter}": {"type": "object", "properties": {"x": {"$ref": "#/components/schemas/Part"}}}
        for letter in "abcdefghijklmnopqrstuvwxyz"
    }
    site = make_shop(
        make_site, shop(components={"schemas": {**schemas, "Part": inner}}, paths={}), config='layout = "tags"\n'
    )
    assert site.check() == []
    assert large(pages_of(site)) == {}


def test_example_that_is_long_is_cut_with_a_mark_and_is_json(make_site: MakeSite) -> None:
    site = make_shop(
        make_site, shop(components={"schemas": {"Part": nested(3, 8)}}, paths={}), config='layout = "tags"\n'
    )
    assert site.check() == []
    code = re.findall(r"<pre tabindex=\"0\"><code>(.*?)</code></pre>", site.html("/api/schemas"), re.DOTALL)[-1]
    text = re.sub(r"<[^>]+>", "", code).replace("&quot;", '"')
    assert len(text) <= 4_000
    assert json.loads(text)["part_0"]["part_1"] == "…"


def test_overview_of_a_very_large_description_leads_to_the_pages_of_its_tags(make_site: MakeSite) -> None:
    answer = {"200": {"description": "Done."}}
    operations = {
        f"/{number}": {"get": {"operationId": f"op{number}", "tags": [f"t{number % 5}"], "responses": answer}}
        for number in range(2_005)
    } | {"/few": {"get": {"operationId": "few", "tags": ["few"], "responses": answer}}}
    site = make_shop(make_site, shop(paths=operations))
    assert site.check() == []
    html = site.html("/api")
    assert len(html.encode()) < PAGE
    assert '<a href="/api/t3">Operations <span>401</span></a>' in html.replace("<!-- -->", "")
    for number in (0, 3, 2_004):
        group = f"/api/t{number % 5}"
        entry = html.partition(f'<span id="operation/op{number}" class="api-moved">')[2]
        assert re.findall(r'<a href="([^"]+)"', entry)[0] == group
        assert f'<li id="operation/op{number}"><a href="{group}/op{number}"' in site.html(group)
        assert f'id="operation/op{number}"' in site.html(f"{group}/op{number}")
    assert 'id="operation/few"' in site.html("/api/few")
