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


def test_operation_says_all_that_the_document_says_of_it() -> None:
    media = {
        "application/json": {
            "schema": {"$ref": "#/components/schemas/A~b"},
            "examples": {"one": {"summary": 'A "first"', "value": {"ä": [1]}}, "two": {"value": 2}},
            "example": None,
        },
        "text/plain": {"schema": {"type": "string"}, "example": "x < y"},
    }
    operation = {
        "tags": ["Pots & pans", "More"],
        "deprecated": True,
        "description": "First `code`.\n\n \n\nSecond.",
        "parameters": [
            {
                "name": "id",
                "in": "path",
                "required": True,
                "schema": {"type": "integer", "minimum": 1},
                "description": "`d`",
            },
            {"$ref": "#/components/parameters/a~1b"},
        ],
        "requestBody": {"required": True, "description": "Body.", "content": media},
        "responses": {
            "404": {"description": "Gone.", "content": {"text/plain": {"example": "not shown"}}},
            "204": {"description": "Done."},
        },
    }
    document = {
        "info": {"title": "T", "version": "1", "summary": "S"},
        "paths": {
            "/a/{id}": {"delete": operation, "get": {"summary": "Get it", "operationId": "get_it", "responses": {}}}
        },
        "components": {"parameters": {"a/b": {"name": "q", "in": "query"}}, "schemas": {}},
    }
    page = make_page(document)
    contents = page.partition("<main>")[0]
    assert '<p>S</p>\n<p><a href="openapi.json">' in contents
    assert (
        '<p><a href="#tag-Other">Other</a></p><ul>\n<li><a href="#operation-get_it">Get it</a></li>\n</ul>' in contents
    )
    assert (
        '<p><a href="#tag-Pots-pans">Pots &amp; pans</a></p><ul>\n'
        '<li><a href="#operation-delete-a-id">DELETE /a/{id}</a></li>\n</ul>'
    ) in contents
    drawn = page.partition('<section id="operation-delete-a-id">\n')[2].partition("\n</section>")[0].split("\n")
    head = '<thead><tr><th scope="col">'
    assert drawn[0] == '<h3 class="deprecated">/a/{id}</h3>'
    assert drawn[1] == "<p><code>DELETE /a/{id}</code></p>"
    assert drawn[2] == "<p>First <code>code</code>.</p><p>Second.</p>"
    assert drawn[3].startswith(f'<table><caption>Parameters</caption>{head}Name</th><th scope="col">In</th>')
    assert drawn[3].endswith(
        "<tr><td><code>id</code></td><td>path</td><td>integer (at least 1)</td><td>yes</td><td><code>d</code></td></tr>"
        "<tr><td><code>q</code></td><td>query</td><td>any</td><td>no</td><td></td></tr></tbody></table>"
    )
    assert drawn[4] == (
        '<p>Request body (required): <code>application/json</code> <a href="#schema-A-b">A~b</a><br>'
        "<code>text/plain</code> string</p>"
    )
    assert drawn[5] == "<p>Body.</p>"
    examples = "\n".join(drawn[6:-1])
    label = "A &quot;first&quot;"
    assert examples == (
        f'<p>{label}</p><pre tabindex="0" aria-label="{label}">{{\n  &quot;ä&quot;: [\n    1\n  ]\n}}</pre>\n'
        '<p>Example</p><pre tabindex="0" aria-label="Example">2</pre>\n'
        '<p>Example</p><pre tabindex="0" aria-label="Example">null</pre>\n'
        '<p>Example</p><pre tabindex="0" aria-label="Example">x &lt; y</pre>'
    )
    assert drawn[-1].endswith(
        "<tr><td><code>404</code></td><td><code>text/plain</code> any</td><td>Gone.</td></tr>"
        "<tr><td><code>204</code></td><td>none</td><td>Done.</td></tr></tbody></table>"
    )


def test_schema_says_which_fields_are_required() -> None:
    schemas = {
        "S": {
            "description": "What `it` is.",
            "required": ["b"],
            "properties": {
                "a": {"type": "string", "default": "x"},
                "b": {"type": "string", "description": "B."},
                "c": True,
            },
        },
        "E": {"enum": ["a", 1], "default": 1},
    }
    page = make_page({"info": {"title": "T", "version": "1"}, "paths": {}, "components": {"schemas": schemas}})
    assert (
        "<p>What <code>it</code> is.</p>\n<table><caption>Fields</caption>"
        '<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Required</th>'
        '<th scope="col">Description</th></tr></thead><tbody>'
        "<tr><td><code>a</code></td><td>string (default &quot;x&quot;)</td><td>no</td><td></td></tr>"
        "<tr><td><code>b</code></td><td>string</td><td>yes</td><td>B.</td></tr>"
        "<tr><td><code>c</code></td><td>any</td><td>no</td><td></td></tr></tbody></table>\n</section>"
    ) in page
    assert "<p><code>&quot;a&quot;</code> or <code>1</code> (default 1)</p>" in page
    limits = dict.fromkeys(["minLength", "maxLength", "minItems", "maxItems", "pattern"], 2)
    assert facts(limits) == " (shortest 2, longest 2, fewest 2, most 2, pattern 2)"
