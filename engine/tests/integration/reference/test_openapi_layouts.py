"""Which page of an API reference shows what, and how the addresses of the one-page layout lead there."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

import pytest

from tests.support.sites import MakeSite, SiteFolder, page

from .openapi_sites import make_shop, shop

TAGS = 'layout = "tags"\n'
FINE = {"200": {"description": "Fine."}}


def ids(html: str) -> list[str]:
    return re.findall(r'\bid="([^"]+)"', html)


def routes(site: SiteFolder) -> list[str]:
    return [route for route in site.manifest().routes if route.startswith("/api")]


def paths(*operations: dict[str, Any]) -> dict[str, Any]:
    """Describe operations, each with a path of its own."""
    return {f"/things/{number}": {"get": {"responses": FINE, **one}} for number, one in enumerate(operations)}


def linked(site: SiteFolder, anchor: str) -> str:
    """Follow the entry of the overview that has an id."""
    found = re.search(rf'id="{re.escape(anchor)}".*?<a href="([^"]+)"', site.html("/api"), re.DOTALL)
    assert found is not None, anchor
    return found[1]


def test_overview_lists_what_the_pages_of_tags_and_schemas_show(make_site: MakeSite) -> None:
    site = make_shop(make_site, config=TAGS)
    assert site.check() == []
    assert sorted(routes(site)) == ["/api", "/api/fired-things", "/api/other-operations", "/api/schemas"]
    overview = site.html("/api")
    for entry in ("/kilns</code>", "List kilns", "Add a kiln", "Break a kiln", ">Kiln</a>"):
        assert entry in overview
    assert 'class="api-operation"' not in overview
    assert site.html("/api/fired-things").count('<section class="api-operation"') == 2
    assert 'href="/api/schemas#schema/Kiln"' in site.html("/api/fired-things")


@pytest.mark.parametrize("layout", ["tags", "operations", "auto"])
def test_every_id_of_the_one_page_is_on_the_overview_and_where_its_entry_leads(
    layout: str, make_site: MakeSite
) -> None:
    more = paths(*({"operationId": f"more{number}", "tags": ["Fired things", "Ash"]} for number in range(5)))
    description = shop(paths=shop()["paths"] | more)
    single = make_shop(make_site, description, config='layout = "page"\n', name="single")
    split = make_shop(make_site, description, config=f'layout = "{layout}"\n', name="split")
    assert single.check() + split.check() == []
    wanted = {one for one in ids(single.html("/api")) if one.startswith(("operation/", "tag/", "schema/"))}
    assert len(wanted) > 40
    assert wanted - set(ids(split.html("/api"))) == set()
    for anchor in wanted:
        place = linked(split, anchor).partition("#")[0]
        assert place != "/api"
        assert anchor in ids(split.html(place)), (anchor, place)


def test_overview_of_a_large_description_folds_its_groups_and_names_each_operation(make_site: MakeSite) -> None:
    names = [f"op{number}" for number in range(130)]
    answer = {"200": {"description": "Done."}}
    operations = {
        f"/{name}": {"get": {"operationId": name, "tags": [f"t{number % 2}"], "responses": answer}}
        for number, name in enumerate(names)
    }
    site = make_shop(make_site, shop(paths=operations), config=TAGS)
    assert site.check() == []
    html = site.html("/api")
    assert html.count('<details class="api-fold">') == 2
    for name in names:
        assert f'<li id="operation/{name}"><a href="' in html
        assert linked(site, f"operation/{name}").endswith(f"/operation/{name}")
    small = make_shop(make_site, config=TAGS, name="small")
    assert small.check() == []
    assert "api-fold" not in small.html("/api")


def test_links_to_places_that_have_moved_lead_there(make_site: MakeSite) -> None:
    links = "[a](/api#operation/addKiln/response/422) [b](api.md#schema/Kiln/heat) [c](/api) [d](/api#tag/Fired-things)"
    description = shop(info={"title": "T", "version": "1", "description": "See [it](#operation/addKiln)."})
    site = make_shop(make_site, description, config=TAGS, **{"docs/a.md": page("A") + links})
    assert site.check() == []
    hrefs = re.findall(r'href="(/api[^"]*)">[abcd]<', site.html("/a"))
    assert hrefs == [
        "/api/fired-things#operation/addKiln/response/422",
        "/api/schemas#schema/Kiln/heat",
        "/api",
        "/api/fired-things#tag/Fired-things",
    ]
    assert 'href="/api/fired-things#operation/addKiln"' in site.html("/api")


def test_large_tag_has_pages_of_operations_and_a_small_one_has_not(make_site: MakeSite) -> None:
    many = [{"operationId": f"op{number}", "tags": ["Many"]} for number in range(13)]
    site = make_shop(make_site, shop(paths=paths(*many, {"operationId": "lone", "tags": ["Few"]})))
    assert site.check() == []
    assert {"/api/many", "/api/many/op12", "/api/few"} <= set(routes(site))
    assert "/api/few/lone" not in routes(site)


def test_pages_stand_in_the_order_of_the_description(make_site: MakeSite) -> None:
    operations = [{"operationId": name, "tags": [tag]} for name, tag in (("b", "Zinc"), ("a", "Zinc"), ("c", "Amber"))]
    tags = [{"name": "Zinc"}, {"name": "Amber"}]
    site = make_shop(make_site, shop(paths=paths(*operations), tags=tags), config='layout = "operations"\n')
    assert site.check() == []
    order, route = [], "/api"
    while route:
        order.append(route)
        following = site.payload(route)["next"]
        route = following["href"] if following else ""
    assert order == [
        *("/api", "/api/zinc", "/api/zinc/b", "/api/zinc/a", "/api/amber", "/api/amber/c"),
        "/api/schemas",
    ]
    crumbs = [one["label"] for one in site.payload("/api/zinc/b")["breadcrumbs"]]
    assert crumbs == ["Kiln shop", "Zinc", "GET /things/0"]


def test_markdown_of_a_tag_lists_operations_that_are_shown_elsewhere(make_site: MakeSite) -> None:
    operations = [{"operationId": "a", "tags": ["Zinc"]}, {"operationId": "b", "tags": ["Amber", "Zinc"]}]
    tags = [{"name": "Zinc"}, {"name": "Amber"}]
    for layout, own in (("operations", "- [GET /things/0](/api/zinc/a) "), ("tags", "## GET /things/0")):
        site = make_shop(make_site, shop(paths=paths(*operations), tags=tags), config=f'layout = "{layout}"\n')
        assert site.build().is_published
        text = (site.out / "api/zinc.md").read_text()
        assert own in text
        others = text.partition("Shown with another tag:\n\n")[2]
        assert others.startswith("- [GET /things/1](/api/amber"), text


def test_sidebar_that_names_the_reference_holds_its_pages_too(make_site: MakeSite) -> None:
    sidebar = '\n[[sidebars]]\nid = "docs"\nitems = [{ doc = "a" }, { doc = "api" }]\n'
    site = make_shop(make_site, config=TAGS + sidebar)
    assert site.check() == []
    assert site.payload("/api/fired-things")["previous"]["href"] == "/api"


def test_names_that_would_collide_are_told_apart(make_site: MakeSite) -> None:
    operations = [
        {"operationId": name, "tags": [tag]}
        for name, tag in (
            ("get Thing", "a b"),
            ("get-Thing", "a-b"),
            ("getThing", "A/B"),
            ("schemas", "schemas"),
            ("index", "index"),
            ("用户列表", "用户"),
            ("список", "Список"),
            ("!", "?"),
        )
    ]
    site = make_shop(make_site, shop(paths=paths(*operations)), config='layout = "operations"\n')
    assert site.check() == []
    pages = [site.html(route) for route in routes(site)]
    assert sum(html.count('<section class="api-operation"') for html in pages) == len(operations)
    for html in pages:
        assert len(ids(html)) == len(set(ids(html)))
    decoded = {unquote(route) for route in routes(site)}
    assert {"/api/用户/用户列表", "/api/список/список", "/api/schemas"} <= decoded
    files = [name for name in site.published() if name.startswith("api/") and name.endswith(".md")]
    assert len({name.casefold() for name in files}) == len(files)


def test_description_without_tags_has_one_group(make_site: MakeSite) -> None:
    site = make_shop(make_site, shop(paths=paths(*({} for _ in range(8))), tags=[]))
    assert site.check() == []
    assert "/api/other-operations" in routes(site)
    assert site.html("/api/other-operations").count('<section class="api-operation"') == 8


def test_operation_is_listed_under_each_of_its_tags_and_shown_once(make_site: MakeSite) -> None:
    both = {"operationId": "both", "tags": ["One", "Two"]}
    site = make_shop(make_site, shop(paths=paths(both)), config=TAGS)
    assert site.check() == []
    assert 'href="/api/one#tag/One/operation/both"' in site.html("/api/two")
    assert {"tag/One/operation/both", "tag/Two/operation/both"} <= set(ids(site.html("/api/one")))


def test_operation_id_that_is_given_twice_is_a_warning_and_both_are_shown(make_site: MakeSite) -> None:
    site = make_shop(make_site, shop(paths=paths({"operationId": "same"}, {"operationId": "same"})))
    for _ in range(2):  # also when nothing has changed
        (found,) = site.check()
        assert ": warn: " in found
        assert 'operationId "same" is already that of GET /things/0' in found
    assert {"operation/same", "operation/same-2"} <= set(ids(site.html("/api")))


def test_callback_webhook_link_header_encoding_and_path_are_shown_in_full(make_site: MakeSite) -> None:
    ref = {"$ref": "#/components/schemas/Kiln"}
    hot = {
        "post": {
            "summary": "Tell that it is hot",
            "requestBody": {"content": {"application/json": {"schema": ref}}},
            "responses": {"202": {"description": "Heard."}},
        }
    }
    answer = {
        "description": "Lit.",
        "headers": {"X-Heat": {"schema": {"type": "integer", "maximum": 1300}}},
        "links": {"again": {"operationId": "light", "parameters": {"id": "$response.body#/id"}}},
    }
    light = {
        "operationId": "light",
        "servers": [{"url": "https://fire.example"}],
        "requestBody": {
            "content": {
                "multipart/form-data": {
                    "schema": {"type": "object", "properties": {"file": {"type": "string"}}},
                    "encoding": {"file": {"contentType": "image/png"}},
                }
            }
        },
        "responses": {"200": answer},
        "callbacks": {"onHot": {"{$request.query.url}": hot}},
    }
    description = shop(paths={"/light": {"description": "All about lighting.", "post": light}}, webhooks={"burnt": hot})
    site = make_shop(make_site, description)
    assert site.check() == []
    html = site.html("/api").replace("<wbr/>", "")
    shown = " ".join(re.sub(r"<[^>]+>", " ", html).split())
    for words in (
        "All about lighting.",
        "https://fire.example",
        "file content image/png",
        "X-Heat integer header at most 1300",
        "Requests that can follow again : light",
        "id $response.body#/id",
        "onHot : POST {$request.query.url}",
        "Tell that it is hot",
        "webhook: burnt",
        "202 Accepted",
    ):
        assert words in shown.replace("&quot;", '"'), words
    follow = html.partition("Requests that can follow")[2].partition("</section>")[0]
    assert 'again<!-- -->:<!-- --> <a href="#tag/Other-operations/operation/light"' in follow
    assert {"operation/light/callback/onHot", "operation/light/callback/onHot/response/202"} <= set(ids(html))
    markdown = site.published()["api/light.md"].decode()
    assert "## Callback onHot" in markdown
    assert "`application/json`: Kiln" in markdown


def test_answer_unfolds_in_place_and_recursion_ends_in_a_link(make_site: MakeSite) -> None:
    description = shop()
    description["components"]["schemas"]["Shelf"] = {
        "type": "object",
        "properties": {"kiln": {"$ref": "#/components/schemas/Kiln"}},
    }
    description["paths"]["/kilns"]["get"]["responses"]["200"]["content"]["application/json"]["schema"] = {
        "$ref": "#/components/schemas/Shelf"
    }
    site = make_shop(make_site, description)
    assert site.check() == []
    section = site.html("/api").partition('id="operation/listKilns/response/200"')[2].partition("</section>")[0]
    inside = section.replace("<!-- -->", "").partition("<summary>Inside kiln</summary>")[2].partition("</details>")[0]
    assert 'href="#schema/Kiln/heat"' in inside
    assert "Inside parts" not in inside
    assert inside.count('<a href="#schema/Kiln">') == 1


@pytest.mark.parametrize(("given", "count"), [("single", 1), ("pages", 7)])
def test_earlier_names_of_layouts_are_taken(given: str, count: int, make_site: MakeSite) -> None:
    site = make_shop(make_site, config=f'layout = "{given}"\n')
    assert site.check() == []
    assert len(routes(site)) == count


def test_schemas_that_are_many_or_large_are_shared_out_with_a_page_that_lists_them(make_site: MakeSite) -> None:
    large = {
        "type": "object",
        "properties": {f"field{n}": {"type": "string", "description": "x" * 900} for n in range(90)},
    }
    schemas = {"Apple": large, "Birch": large, "Kiln": shop()["components"]["schemas"]["Kiln"]}
    site = make_shop(make_site, shop(components={"schemas": schemas}), config=TAGS)
    assert site.check() == []
    assert {"/api/schemas", "/api/schemas/a", "/api/schemas/b", "/api/schemas/k"} <= set(routes(site))
    assert 'href="/api/schemas/b#schema/Birch"' in site.html("/api/schemas")
    assert linked(site, "schema/Birch/field7") == "/api/schemas/b#schema/Birch"


def test_link_of_a_description_that_leads_nowhere_is_found_where_it_is_written(make_site: MakeSite) -> None:
    site = make_shop(make_site, shop(info={"title": "T", "version": "1", "description": "See [it](#nowhere)."}))
    (found,) = site.check()
    line, text = next(
        (number, line)
        for number, line in enumerate((site.root / "openapi/shop.json").read_text().split("\n"), 1)
        if "#nowhere" in line
    )
    assert found.startswith(f"openapi/shop.json:{line}:{text.index('#nowhere') + 1}: ")
    assert 'link "#nowhere", shown on the page /api: there is no such id. [broken-anchor]' in found


def test_names_of_devices_on_windows_are_no_addresses(make_site: MakeSite) -> None:
    many = {f"{start}{number}": {"type": "string"} for start in ("Con", "Copper") for number in range(35)}
    operation = {"operationId": "aux", "tags": ["NUL"]}
    site = make_shop(
        make_site, shop(paths=paths(operation), components={"schemas": many}), config='layout = "operations"\n'
    )
    assert site.check() == []
    assert {"/api/nul-named", "/api/nul-named/aux-named", "/api/schemas/con-named", "/api/schemas/cop"} <= set(
        routes(site)
    )


def test_operations_with_blank_tags_are_in_the_group_of_those_without(make_site: MakeSite) -> None:
    operations = paths({"operationId": "none"}, {"tags": [""]}, {"tags": ["  ", "Ash"]}, {"tags": []})
    site = make_shop(make_site, shop(paths=operations, tags=[]), config=TAGS)
    assert site.check() == []
    assert sorted(routes(site)) == ["/api", "/api/ash", "/api/other-operations", "/api/schemas"]
    assert site.html("/api/other-operations").count('<section class="api-operation"') == 3


def test_blanks_around_the_name_of_a_tag_make_no_other_group(make_site: MakeSite) -> None:
    operations = paths(
        {"tags": ["Pets"]}, {"tags": ["Pets "]}, {"tags": [" Pets", "Big  cats"]}, {"tags": ["Big cats"]}
    )
    declared = [
        {"name": "Pets", "description": "All animals."},
        {"name": "Pets ", "externalDocs": {"url": "https://pets.example"}},
        {"name": "Big cats"},
    ]
    site = make_shop(make_site, shop(paths=operations, tags=declared), config=TAGS)
    assert site.check() == []
    assert sorted(routes(site)) == ["/api", "/api/big-cats", "/api/pets", "/api/schemas"]
    html = site.html("/api/pets")
    assert html.count('<section class="api-operation"') == 3
    assert "All animals." in html
    assert "https://pets.example" in html


@pytest.mark.parametrize("layout", ["tags", "page"])
def test_headings_of_a_description_are_those_of_the_page_and_links_of_other_viewers_lead_there(
    layout: str, make_site: MakeSite
) -> None:
    links = "[a](#section/Rate-limits/Burst) [b](#rate-limits) [c](#tag/Fired-things/Ash) [d](#/Fired%20things/addKiln)"
    description = shop(
        info={"title": "Kilns", "version": "1", "description": "Sells.\n\n# Rate limits\n\nTen.\n\n## Burst\n\nOne."},
        tags=[{"name": "Fired things", "description": "Hot.\n\n## Ash\n\nIs left."}],
        components=shop()["components"]
        | {"schemas": shop()["components"]["schemas"] | {"Linked": {"description": links}}},
    )
    site = make_shop(make_site, description, config=f'layout = "{layout}"\n')
    assert site.check() == []
    overview, (tag, schemas) = (
        site.html("/api"),
        ("/api/fired-things", "/api/schemas") if layout == "tags" else ("/api", "/api"),
    )
    assert '<h2 id="section/Rate-limits">Rate limits</h2><p>Ten.</p>' in overview
    assert '<h3 id="section/Rate-limits/Burst">Burst</h3><p>One.</p>' in overview
    assert overview.index("<p>Sells.</p>") < overview.index("<dt>Version") < overview.index("<p>Ten.</p>")
    level = 2 if layout == "tags" else 3
    assert f'<h{level} id="tag/Fired-things/Ash">Ash</h{level}><p>Is left.</p>' in site.html(tag)
    home, group = ("", "") if layout == "page" else ("/api", "/api/fired-things")
    leads = [
        f"{home}#section/Rate-limits/Burst", f"{home}#section/Rate-limits", f"{group}#tag/Fired-things/Ash",
        f"{group}#operation/addKiln",
    ]  # fmt: skip
    linked = site.html(schemas).partition('id="schema/Linked"')[2]
    assert re.findall(r'href="([^"]+)">[a-d]</a>', linked) == leads
    assert re.findall(r"\[[a-d]\]\(([^)]+)\)", (site.out / f"{schemas[1:]}.md").read_text()) == leads
    assert "## Rate limits\n\nTen.\n\n### Burst" in (site.out / "api.md").read_text()


def test_schema_that_is_another_by_reference_links_the_fields_of_that_one(make_site: MakeSite) -> None:
    parts = [{"$ref": "#/components/schemas/Kiln"}, {"properties": {"id": {"type": "string"}}}]
    schemas = {
        "Kiln": {"properties": {"name": {}}},
        "New": {"allOf": parts},
        "Changed": {"$ref": "#/components/schemas/New"},
    }
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Changed"}}}}
    put = {"put": {"operationId": "change", "requestBody": body, "responses": FINE}}
    site = make_shop(make_site, shop(paths={"/kilns": put}, components={"schemas": schemas}), config=TAGS)
    assert site.check() == []
    assert '"/api/schemas#schema/New/allOf:2/id"' in site.html("/api/other-operations")
