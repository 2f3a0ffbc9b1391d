"""The reference page says all that the document says, and loads nothing."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest

from gateway_api.web.document import load_document
from gateway_api.web.reference_page import METHODS, facts, inline, make_page
from tests.support.each import each

DOCUMENT = load_document()
PAGE = make_page(DOCUMENT)
OPERATIONS = [
    (method, path, operation)
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
    if method in METHODS
]


class Elements(HTMLParser):
    """Collects ids, links and tags, and checks that every element is closed."""

    VOID = frozenset({"meta", "br", "link", "img"})

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.tags.add(tag)
        self.ids += [values["id"] or ""] if "id" in values else []
        self.links += [values[name] or "" for name in ("href", "src") if name in values]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def elements() -> Elements:
    found = Elements()
    found.feed(PAGE)
    found.close()
    assert found.open == []
    return found


def section(kind: str, name: str) -> str:
    found = re.search(rf'<section id="{kind}-{name}">.*?</section>', PAGE, re.DOTALL)
    assert found, name
    return found[0]


def test_same_document_gives_the_same_bytes() -> None:
    assert make_page(load_document()) == PAGE


def test_page_loads_nothing(elements: Elements) -> None:
    assert not {"script", "link", "img", "iframe", "object"} & elements.tags
    assert {link for link in elements.links if not link.startswith("#")} == {"openapi.json"}
    assert "@import" not in PAGE
    assert "url(" not in PAGE


def test_links_lead_to_ids_that_exist_once(elements: Elements) -> None:
    assert len(elements.ids) == len(set(elements.ids))
    assert {link[1:] for link in elements.links if link.startswith("#")} <= set(elements.ids)


@each(("method", "path", "operation"), OPERATIONS, ids=lambda value: value if isinstance(value, str) else "")
def test_operation_is_whole(method: str, path: str, operation: dict[str, Any]) -> None:
    text = unescape(section("operation", operation["operationId"]))
    assert f"<code>{method.upper()} {path}</code>" in text
    assert operation["summary"] in text
    for parameter in operation.get("parameters", []):
        assert f"<td><code>{parameter['name']}</code></td><td>{parameter['in']}</td>" in text
    for status in operation["responses"]:
        assert f"<td><code>{status}</code></td>" in text
    assert ("Request body" in text) == ("requestBody" in operation)


@each("name", DOCUMENT["components"]["schemas"])
def test_schema_is_whole(name: str) -> None:
    schema = DOCUMENT["components"]["schemas"][name]
    text = unescape(section("schema", name))
    for field in schema.get("properties", {}):
        assert f"<td><code>{field}</code></td>" in text
    for value in schema.get("enum", []):
        assert f'<code>"{value}"</code>' in text


def test_text_of_the_document_is_no_markup() -> None:
    document = {
        "openapi": "3.1.0",
        "info": {"title": "<script>", "version": '"1"', "description": "a `<b>` c"},
        "paths": {"/<x>": {"get": {"responses": {"200": {"description": "</table><script>"}}}}},
    }
    page = make_page(document)
    assert "<script>" not in page
    assert "<code>&lt;b&gt;</code>" in page
    assert "GET /&lt;x&gt;" in page


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": ["string", "null"]}, "string or null"),
        ({"anyOf": [{"type": "integer", "format": "int64"}, {"$ref": "#/components/schemas/S"}]}, 'integer (int64) or <a href="#schema-S">S</a>'),
        ({"type": "array", "items": {"type": "string"}}, "array of string"),
        ({"type": "array"}, "array of any"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "object of number"),
        ({"allOf": [{"type": "string"}, {"const": "a"}]}, "string and <code>&quot;a&quot;</code>"),
        ({}, "any"),
        (True, "any"),
        (False, "nothing"),
    ],
)  # fmt: skip
def test_types(schema: Any, text: str) -> None:
    document = {
        "info": {"title": "T", "version": "1"},
        "paths": {},
        "components": {"schemas": {"S": {"type": "object", "properties": {"f": schema}}}},
    }
    assert f"<td>{text}</td>" in make_page(document)


def test_defaults_and_limits_are_told() -> None:
    assert facts({"default": None, "minimum": 1, "maximum": 100}) == " (default null, at least 1, at most 100)"
    assert facts({"type": "string"}) == ""
    assert inline("see `a&b` & c") == "see <code>a&amp;b</code> &amp; c"


def test_examples_of_the_reference_show_letters_as_they_are() -> None:
    media = {"application/json": {"examples": {"one": {"summary": "Öfen & <co>", "value": {"name": "Öfen"}}}}}
    other = {"text/plain": {"example": "a < b"}}
    responses = {"200": {"description": "Yes", "content": media}, "201": {"description": "No", "content": other}}
    document = {"info": {"title": "T", "version": "1"}, "paths": {"/x": {"get": {"responses": responses}}}}
    page = make_page(document)
    assert '<p>Öfen &amp; &lt;co&gt;</p><pre tabindex="0" aria-label="Öfen &amp; &lt;co&gt;">' in page
    assert "Öfen&quot;" in page
    assert "a &lt; b</pre>" in page
