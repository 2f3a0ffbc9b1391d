"""Schemas as they are shown: every keyword in words, every field with an address of its own."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from octavo.reference.api_views import SchemaView
from octavo.reference.openapi.schemas import SchemaViewer
from tests.support.sites import MakeSite

from .openapi_sites import make_shop, shop

FIELD = {"type": "object", "properties": {"name": {"type": "string"}}}


def with_schemas(**schemas: Any) -> dict[str, Any]:
    """Describe a shop with further schemas."""
    description = shop()
    description["components"]["schemas"] |= schemas
    return description


def text(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def section(html: str, anchor: str) -> str:
    """Cut out the card of a schema, its example left out."""
    card = html[html.index(f'id="{anchor}"') :].partition("</section>")[0]
    return card.partition('<div class="api-side">')[0]


KEYWORDS: list[tuple[str, dict[str, Any], str]] = [
    ("type", {"type": ["string", "null"]}, "string or null"),
    ("format", {"type": "string", "format": "date-time"}, "string (date-time)"),
    ("enum", {"enum": ["a", 1, None]}, "one of a , 1 , null"),
    ("const", {"const": "fixed"}, "always fixed"),
    ("default", {"default": False}, "default false"),
    ("empty default", {"type": "string", "default": ""}, 'default ""'),
    ("title", {"title": "A title"}, "title A title"),
    ("description", {"description": "It *is*."}, "It is ."),
    ("multipleOf", {"multipleOf": 5}, "multiple of 5"),
    ("minimum", {"minimum": 0}, "at least 0"),
    ("maximum", {"maximum": 9.5}, "at most 9.5"),
    ("exclusiveMinimum", {"exclusiveMinimum": 1}, "more than 1"),
    ("exclusiveMaximum", {"exclusiveMaximum": 7}, "less than 7"),
    ("minLength", {"minLength": 2}, "characters, at least 2"),
    ("maxLength", {"maxLength": 20}, "characters, at most 20"),
    ("pattern", {"pattern": "^<a>&+$"}, "pattern ^<a>&+$"),
    ("minItems", {"minItems": 1}, "items, at least 1"),
    ("maxItems", {"maxItems": 3}, "items, at most 3"),
    ("uniqueItems", {"uniqueItems": True}, "items each once"),
    ("contains", {"contains": {"type": "integer"}}, "Holds at least one integer"),
    ("minContains", {"minContains": 2}, "matching items, at least 2"),
    ("maxContains", {"maxContains": 4}, "matching items, at most 4"),
    ("prefixItems", {"prefixItems": [{"type": "integer"}], "items": False}, "Items, in this order integer"),
    ("no further items", {"prefixItems": [{"type": "integer"}], "items": False}, "Further items nothing"),
    ("unevaluatedItems", {"unevaluatedItems": False}, "Items not named above: none"),
    ("items", {"type": "array", "items": {"type": "string", "maxLength": 8}}, "each: characters, at most 8"),
    ("minProperties", {"minProperties": 1}, "fields, at least 1"),
    ("maxProperties", {"maxProperties": 6}, "fields, at most 6"),
    ("required", {"required": ["name"], **FIELD}, "name string required"),
    ("additionalProperties", {"additionalProperties": {"type": "integer"}}, "Every value integer"),
    ("no additionalProperties", {"additionalProperties": False, **FIELD}, "No other fields"),
    ("patternProperties", {"patternProperties": {"^x-": {"type": "integer"}}}, "names match ^x- integer"),
    ("propertyNames", {"propertyNames": {"pattern": "^[a-z]+$"}}, "Names of fields"),
    ("unevaluatedProperties", {"unevaluatedProperties": {"type": "null"}}, "Fields not named above null"),
    ("dependentRequired", {"dependentRequired": {"card": ["owner"]}}, "with card, also required owner"),
    ("dependentSchemas", {"dependentSchemas": {"card": FIELD}}, "Where card is given object"),
    ("allOf", {"allOf": [FIELD]}, "All of object"),
    ("anyOf", {"anyOf": [{"type": "integer"}, {"type": "string"}]}, "One or more of integer string"),
    ("oneOf", {"oneOf": [{"type": "integer"}, {"type": "string"}]}, "Exactly one of integer string"),
    ("not", {"not": {"type": "integer"}}, "Not integer"),
    ("if", {"if": {"const": 1}}, "If it is integer always 1"),
    ("then", {"then": {"const": 2}}, "Then it is also integer always 2"),
    ("else", {"else": {"const": 3}}, "Otherwise it is also integer always 3"),
    ("$defs", {"$defs": {"Part": FIELD}}, "Defines Part object"),
    ("readOnly", {"readOnly": True}, "read-only"),
    ("writeOnly", {"writeOnly": True}, "write-only"),
    ("deprecated", {"deprecated": True}, "deprecated"),
    ("nullable", {"nullable": True}, "nullable"),
    ("examples", {"examples": ["kiln", 5]}, "example kiln example 5"),
    ("example", {"example": "kiln"}, "example kiln"),
    ("contentEncoding", {"contentEncoding": "base64"}, "encoding base64"),
    ("contentMediaType", {"contentMediaType": "image/png"}, "content image/png"),
    ("contentSchema", {"contentSchema": {"type": "integer"}}, "content integer"),
    ("xml", {"xml": {"name": "k"}}, "xml name k"),
    ("externalDocs", {"externalDocs": {"url": "https://example.com/"}}, "see also https://example.com/"),
    (
        "discriminator",
        {
            "oneOf": [{"$ref": "#/components/schemas/Kiln"}],
            "discriminator": {"propertyName": "kind", "mapping": {"k": "#/components/schemas/Kiln"}},
        },
        "The field kind tells which. k : Kiln.",
    ),
    ("reference with siblings", {"$ref": "#/components/schemas/Kiln", "description": "Of its own."}, "Of its own."),
    ("anyOf null", {"anyOf": [{"$ref": "#/components/schemas/Kiln"}, {"type": "null"}]}, "Kiln nullable"),
]


def test_every_keyword_is_shown_in_words(make_site: MakeSite) -> None:
    schemas = {f"Case{index}": schema for index, (_, schema, _) in enumerate(KEYWORDS)}
    site = make_shop(make_site, with_schemas(**schemas))
    assert site.check() == []
    html = site.html("/api/schemas")
    shown = {name: text(section(html, f"schema/Case{index}")) for index, (name, _, _) in enumerate(KEYWORDS)}
    assert {name: shown[name] for name, _, words in KEYWORDS if words not in shown[name]} == {}


def ids(html: str) -> list[str]:
    return re.findall(r'\bid="([^"]+)"', html)


@pytest.mark.parametrize(
    ("schema", "anchor"),
    [
        ({"oneOf": [{"type": "string"}, FIELD]}, "oneOf:2/name"),
        ({"anyOf": [FIELD, FIELD, {"type": "null"}]}, "anyOf:2/name"),
        ({"allOf": [{"$ref": "#/components/schemas/Kiln"}, FIELD]}, "allOf:2/name"),
        ({"allOf": [{"properties": {"deep": {"oneOf": [FIELD]}}}]}, "allOf:1/deep/oneOf:1/name"),
        ({"anyOf": [FIELD, {"type": "null"}]}, "name"),
        ({"anyOf": [FIELD, {"type": "null"}], **FIELD}, "anyOf:1/name"),
        ({"type": "array", "items": FIELD}, "name"),
        ({"type": "array", "items": {"oneOf": [FIELD]}}, "oneOf:1/name"),
        ({"additionalProperties": FIELD}, "additionalProperties:1/name"),
        ({"patternProperties": {"^x": FIELD}}, "patternProperties:^x:1/name"),
        ({"prefixItems": [FIELD], "items": FIELD}, "items:1/name"),
        ({"if": FIELD, "then": FIELD, "else": FIELD}, "then:1/name"),
        ({"$defs": {"Part": FIELD}}, "$defs:Part:1/name"),
    ],
)
def test_field_within_a_part_has_an_address(schema: dict[str, Any], anchor: str, make_site: MakeSite) -> None:
    site = make_shop(make_site, with_schemas(Case=schema))
    assert site.check() == []
    html = site.html("/api")
    found = ids(section(html, "schema/Case"))
    assert f"schema/Case/{anchor}" in found
    assert f'href="#schema/Case/{anchor}"' in html
    assert len(found) == len(set(found))


def test_fields_of_bodies_and_headers_without_a_name_have_addresses(make_site: MakeSite) -> None:
    description = shop()
    forms = {media: {"schema": FIELD} for media in ("application/json", "application/x-www-form-urlencoded")}
    operation = description["paths"]["/kilns"]["post"]
    operation["requestBody"] = {"content": forms}
    operation["responses"]["201"] = {
        "description": "Made.",
        "headers": {"Location": {"schema": {"type": "string"}, "description": "Where it is."}},
        "content": forms,
    }
    site = make_shop(make_site, description)
    assert site.check() == []
    found = ids(site.html("/api"))
    assert {
        "operation/addKiln/body/name",
        "operation/addKiln/body/application~1x-www-form-urlencoded/name",
        "operation/addKiln/response/201/name",
        "operation/addKiln/response/201/application~1x-www-form-urlencoded/name",
        "operation/addKiln/response/201/header:Location",
    } <= set(found)
    assert len(found) == len(set(found))


def test_fields_shown_in_place_lead_home() -> None:
    root = with_schemas(Case={"properties": {"outer": FIELD}, "oneOf": [FIELD]})
    viewer = SchemaViewer(root, lambda name: f"/schemas#schema/{name}")
    view = viewer.expanded({"$ref": "#/components/schemas/Case"}, "operation/x/body")
    assert list(_hrefs(view)) == [
        ("", "/schemas#schema/Case/outer"),
        ("", "/schemas#schema/Case/outer/name"),
        ("", "/schemas#schema/Case/oneOf:1/name"),
    ]


def _hrefs(view: SchemaView) -> Any:
    for field in view.fields:
        yield field.anchor, field.href
        yield from _hrefs(field.body)
    for part in view.parts:
        for schema in part.schemas:
            yield from _hrefs(schema)
