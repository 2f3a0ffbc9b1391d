"""Pages of an API description, as readers and searches find them."""

from __future__ import annotations

import html as html_module
import json
import re
import sys
from typing import Any

import pytest

from octavo.words import words_of
from tests.support.sites import HOME, MakeSite, SiteFolder

from .openapi_sites import make_shop, shop


@pytest.fixture
def site(make_site: MakeSite) -> SiteFolder:
    site = make_shop(make_site)
    assert site.check() == []
    return site


def ids(html: str) -> set[str]:
    return set(re.findall(r'\bid="([^"]+)"', html))


def text(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_every_operation_can_be_linked_in_three_ways(site: SiteFolder) -> None:
    assert {
        "tag/Fired-things",
        "tag/Fired-things/operation/listKilns",
        "operation/listKilns",
        "operation/addKiln",
        "tag/Fired-things/operation/addKiln",
    } <= ids(site.html("/api"))


def test_operation_without_an_id_is_named_by_method_and_path(site: SiteFolder) -> None:
    assert "operation/delete-kilns-kiln-id" in ids(site.html("/api"))


def test_parameters_bodies_answers_and_fields_have_anchors(site: SiteFolder) -> None:
    assert {
        "operation/listKilns/query/page",
        "operation/addKiln/body",
        "operation/addKiln/response/422",
        "schema/Kiln",
        "schema/Kiln/heat",
    } <= ids(site.html("/api"))


def test_recursion_is_a_link_and_not_unrolled(site: SiteFolder) -> None:
    html = site.html("/api")
    parts = html[html.index('id="schema/Kiln/parts"') :]
    assert '<a href="#schema/Kiln">Kiln</a>' in parts[: parts.index("</li>")]
    assert html.count('id="schema/Kiln/') == 4


def test_keywords_are_shown_in_words(site: SiteFolder) -> None:
    shown = text(site.html("/api"))
    for words in ("at least 20", "at most 1300", "default 20", "characters, at least 3", "one of gas , electric"):
        assert words in shown


def test_reading_needs_no_script_of_its_own(site: SiteFolder) -> None:
    payload = site.payload("/api")
    assert payload["layout"] == "reference"
    assert "data-island" not in payload["html"]


def test_table_of_contents_lists_tags_operations_and_schemas(site: SiteFolder) -> None:
    assert [(entry["level"], entry["anchor"]) for entry in site.payload("/api")["toc"]] == [
        (2, "tag/Fired-things"),
        (3, "tag/Fired-things/operation/listKilns"),
        (3, "tag/Fired-things/operation/addKiln"),
        (2, "tag/Other-operations"),
        (3, "tag/Other-operations/operation/delete-kilns-kiln-id"),
        (2, "schemas"),
        (3, "schema/Kiln"),
    ]


def test_document_is_published_beside_the_page(site: SiteFolder) -> None:
    assert json.loads(site.published()["api/openapi.json"]) == shop()
    assert 'href="/api/openapi.json"' in site.html("/api")


def test_each_operation_is_published_as_markdown(site: SiteFolder) -> None:
    markdown = site.published()["api/addKiln.md"].decode()
    assert markdown.startswith("# Add a kiln\n\n`POST /kilns`\n")
    for line in (
        "### 422 Unprocessable",
        "- `heat` (integer): (default 20; at least 20; at most 1300)",
        "```bash\ncurl -X POST",
    ):
        assert line in markdown


def test_markdown_of_an_operation_says_what_its_page_says(make_site: MakeSite) -> None:
    plan = {
        "type": "object",
        "properties": {
            "steps": {"type": "array", "items": {"$ref": "#/components/schemas/Step"}},
            "last": {"$ref": "#/components/schemas/Step"},
            "next": {"$ref": "#/components/schemas/Plan"},
        },
    }
    step = {"type": "object", "properties": {"heat": {"type": "integer", "description": "How hot it gets."}}}
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Plan"}}}}
    spec = {
        "openapi": "3.1.0",
        "info": {"title": "Kilns", "version": "1"},
        "security": [{"badge": []}],
        "paths": {
            "/plans": {
                "put": {
                    "operationId": "savePlan",
                    "deprecated": True,
                    "externalDocs": {"url": "https://example.org/plans", "description": "About plans"},
                    "requestBody": body,
                    "responses": {"200": {"description": "Saved.", **body}},
                }
            }
        },
        "components": {
            "schemas": {"Plan": plan, "Step": step},
            "securitySchemes": {"badge": {"type": "http", "scheme": "bearer"}},
        },
    }
    site = make_site(
        {**HOME, "spec.json": json.dumps(spec)}, '[[openapi]]\nid = "kilns"\ndoc = "api"\nspec = "spec.json"\n'
    )
    site.check()
    markdown = site.published()["api/savePlan.md"].decode()
    for line in (
        "Deprecated.",
        "[About plans](https://example.org/plans)",
        "Authentication: badge",
        "## Request body (optional)",
    ):
        assert line in markdown
    assert markdown.count("How hot it gets.") == 1  # of each named schema the fields are written once
    assert markdown.count("`next` (Plan)") == 2


def test_answers_without_a_body_say_so(site: SiteFolder) -> None:
    assert "No body: the status is the whole answer." in site.html("/api")


def test_examples_are_made_of_the_schema(site: SiteFolder) -> None:
    kiln = {"name": "example", "heat": 20, "kind": "gas", "parts": []}
    operation = part_of(site.html("/api"), "operation/addKiln")
    assert [json.loads(block) for block in json_blocks(operation)] == [kiln]
    assert f"-d '{json.dumps(kiln, indent=2)}'" in html_module.unescape(re.sub(r"<[^>]+>", "", operation))


def test_examples_are_the_same_in_every_build(make_site: MakeSite) -> None:
    sites = [make_shop(make_site, name=name) for name in ("one", "two")]
    for site in sites:
        assert site.check() == []
    assert json_blocks(sites[0].html("/api")) != []
    assert sites[0].html("/api") == sites[1].html("/api")


def part_of(html: str, anchor: str) -> str:
    """Cut out the section of an anchor."""
    return html[html.index(f'<section class="api-operation" id="{anchor}"') :].partition("</section>")[0]


def json_blocks(html: str) -> list[str]:
    """List the texts of the blocks of JSON."""
    found = re.findall(r'<figure class="code" data-language="json" role="none">(.*?)</figure>', html, re.DOTALL)
    return [html_module.unescape(re.sub(r"<[^>]+>", "", block)) for block in found]


def test_rebuild_draws_only_what_changed(site: SiteFolder) -> None:
    assert site.build().drawn == 0
    before = site.pages()
    description = shop()
    description["paths"]["/kilns"]["post"]["description"] = "Fires it first."
    site.write({"openapi/shop.json": json.dumps(description)})
    assert site.build().drawn == 1
    after = site.pages()
    changed = {name for name in after if name.endswith(".html") and after[name] != before[name]}
    assert changed == {"api/index.html"}
    assert "Fires it first." in site.html("/api")


def test_pages_layout_gives_each_operation_a_page(make_site: MakeSite) -> None:
    site = make_shop(make_site, config='layout = "pages"\n')
    assert site.check() == []
    routes = set(site.manifest().routes)
    assert {"/api", "/api/fired-things", "/api/fired-things/list-kilns", "/api/schemas"} <= routes
    page = site.html("/api/fired-things/add-kiln")
    assert 'href="/api/schemas#schema/Kiln"' in page
    assert {"operation/addKiln", "operation/addKiln/responses"} <= ids(page)
    # Addresses of the one-page form lead to the entry that leads on.
    assert {"operation/addKiln", "tag/Fired-things", "schemas"} <= ids(site.html("/api"))


def test_large_descriptions_are_split_by_themselves(make_site: MakeSite) -> None:
    paths: dict[str, Any] = {
        f"/things/{number}": {"get": {"responses": {"200": {"description": "Fine."}}}} for number in range(61)
    }
    site = make_shop(make_site, shop(paths=paths))
    assert site.check() == []
    assert "/api/other-operations/get-things-60" in site.manifest().routes


def test_yaml_is_read_like_json(make_site: MakeSite) -> None:
    site = make_shop(
        make_site,
        "openapi: 3.0.3\ninfo: {title: T, version: 2024-01-01}\n"
        "paths:\n  /on:\n    get:\n      responses:\n        200: {description: Fine.}\n",
    )
    assert site.check() == []
    assert "operation/get-on/response/200" in ids(site.html("/api"))
    assert "2024-01-01" in site.html("/api")


def test_references_to_other_files_are_taken_in(make_site: MakeSite) -> None:
    paths = {"/kilns": {"$ref": "parts/paths.yaml#/kilns"}}
    site = make_shop(
        make_site,
        shop(paths=paths),
        **{
            "openapi/parts/paths.yaml": (
                "kilns:\n  get:\n    operationId: all\n    responses:\n      '200':\n        description: All.\n"
                "        content:\n          application/json:\n            schema: {$ref: 'clay.yaml#/Clay'}\n"
            ),
            "openapi/parts/clay.yaml": "Clay:\n  type: object\n  properties:\n    more: {$ref: '#/Clay'}\n",
        },
    )
    assert site.check() == []
    assert {"operation/all", "schema/Clay/more"} <= ids(site.html("/api"))


def test_search_leads_to_operations_parameters_fields_and_statuses(site: SiteFolder) -> None:
    from octavo.config import load_config
    from octavo.reference.openapi import Description, make_document, plan_pages

    description = Description(load_config(site.root).openapi[0], shop(), "", {})
    document = make_document(
        description, plan_pages(description)[0], source_path="docs/api.md", introduction=None, words=words_of("en")
    )
    found = {chunk.anchor: (chunk.kind, chunk.text) for chunk in document.text}
    assert found["operation/addKiln/response/422"][1].startswith("422 Unprocessable")
    assert found["operation/listKilns/query/page"] == ("parameter", "page (query parameter) default 1")
    assert found["schema/Kiln/heat"] == ("field", "Kiln.heat (integer) default 20; at least 20; at most 1300")


def test_description_is_checked_again_when_it_changes_and_not_before(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = make_shop(make_site)
    assert site.check() == []
    with monkeypatch.context() as patch:
        patch.setattr("octavo.reference.openapi.check_description", None)
        assert site.check() == []
    site.write({"openapi/shop.json": json.dumps(shop(info={"title": "T"}))})
    for _ in range(2):
        assert ["version" in line for line in site.check()] == [True]
    site.write({"openapi/shop.json": json.dumps(shop(), indent=2)})
    assert site.check() == []


@pytest.mark.parametrize("package", ["openapi-spec-validator", "jsonschema-rs"])
def test_missing_validator_is_named_with_the_extra_that_brings_it(
    package: str, make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = make_shop(make_site)
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, package.replace("-", "_"), None)
        (found,) = site.check()
    assert package in found
    assert 'pip install "octavo[openapi]"' in found
    assert site.check() == []
