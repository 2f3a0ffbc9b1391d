"""Nothing of a description is left out in silence: extensions, long values and long examples are all on its pages."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from tests.support.sites import MakeSite

from .openapi_sites import make_shop, shop


def marked(holder: dict[str, Any], name: str) -> None:
    """Give an object of the description an extension that no other object has."""
    holder[f"x-{name}"] = {"of": name}


def built(make_site: MakeSite, description: dict[str, Any]) -> str:
    """Build the one page of a description."""
    site = make_shop(make_site, description, config='layout = "page"\n')
    site.build()
    return site.html("/api").replace("<!-- -->", "")


def test_extensions_of_every_object_are_shown(make_site: MakeSite) -> None:
    description = shop()
    operation = description["paths"]["/kilns"]["get"]
    answer = operation["responses"]["200"]
    answer["headers"] = {"X-Pages": {"schema": {"type": "integer"}}}
    description["components"]["securitySchemes"] = {"key": {"type": "apiKey", "in": "header", "name": "Key"}}
    schema = description["components"]["schemas"]["Kiln"]
    holders = {
        "root": description,
        "info": description["info"],
        "server": description["servers"][0],
        "tag": description["tags"][0],
        "path": description["paths"]["/kilns"],
        "operation": operation,
        "parameter": operation["parameters"][0],
        "answer": answer,
        "header": answer["headers"]["X-Pages"],
        "content": answer["content"]["application/json"],
        "body": description["paths"]["/kilns"]["post"]["requestBody"],
        "schema": schema,
        "field": schema["properties"]["name"],
        "security": description["components"]["securitySchemes"]["key"],
    }
    for name, holder in holders.items():
        marked(holder, name)
    html = unescape(built(make_site, description))
    assert [name for name in holders if f'x-{name} <code>{{"of": "{name}"}}</code>' not in html] == ["root", "info"]
    assert all(f'<dt>x-{name}</dt><dd><code>{{"of": "{name}"}}</code>' in html for name in ("root", "info"))


def test_extension_that_is_a_document_is_named_with_its_length(make_site: MakeSite) -> None:
    description = shop()
    description["x-everything"] = "kiln " * 1_000
    assert "<dt>x-everything</dt><dd><code>5,000 characters, in the OpenAPI document" in built(make_site, description)


def test_long_value_is_whole_and_folded(make_site: MakeSite) -> None:
    description = shop()
    value = "kiln " * 200 + "end"
    description["components"]["schemas"]["Kiln"]["properties"]["name"]["default"] = value
    html = built(make_site, description)
    assert f"({len(value)} characters)</summary><code>{value}</code></details>" in html


@pytest.mark.parametrize("media_type", ["application/json", "text/plain"])
def test_long_example_is_whole_and_folded(media_type: str, make_site: MakeSite) -> None:
    description = shop()
    value = "kiln " * 5_000 + "end"
    content = {media_type: {"schema": {"type": "string"}, "example": value}}
    description["paths"]["/kilns"]["get"]["responses"]["200"]["content"] = content
    html = built(make_site, description)
    found = re.search(r"<summary>Example of ([\d,]+) characters</summary>(.*?)</details>", html, re.DOTALL)
    assert found is not None
    assert int(found[1].replace(",", "")) >= len(value)
    assert value in found[2]
