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
    assert site.check() == []
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


def test_extensions_of_what_an_object_contains_name_it(make_site: MakeSite) -> None:
    """Objects without a place of their own on the page: their extensions are shown with what contains them."""
    description = shop(externalDocs={"url": "https://example.org"})
    info, server, tag = description["info"], description["servers"][0], description["tags"][0]
    info["contact"], info["license"] = {"name": "Potters"}, {"name": "MIT", "identifier": "MIT"}
    server["url"] = "https://{zone}.example.org"
    server["variables"] = {"zone": {"default": "north", "enum": ["north", "south"], "description": "Where it is."}}
    tag["externalDocs"] = {"url": "https://example.org/tag"}
    operation = description["paths"]["/kilns"]["get"]
    operation["externalDocs"] = {"url": "https://example.org/operation"}
    operation["servers"] = [{"url": "https://slow.example.org", "description": "The slow one."}]
    answer = operation["responses"]["200"]
    answer["links"] = {"First": {"operationId": "addKiln"}}
    answer["content"]["application/json"]["examples"] = {"few": {"value": [], "description": "When it is quiet."}}
    operation["parameters"][0]["examples"] = {"second": {"value": 2, "description": "Another page."}}
    inner = {"responses": {"200": {"description": "Seen."}}}
    operation["callbacks"] = {"fired": {"{$request.query.url}": {"post": inner, "servers": [{"url": "https://c.org"}]}}}
    callback = operation["callbacks"]["fired"]
    flow = {"authorizationUrl": "https://a.org", "tokenUrl": "https://t.org", "scopes": {"fire": "Light kilns."}}
    scheme = {"type": "oauth2", "flows": {"authorizationCode": flow}}
    description["components"]["securitySchemes"] = {"login": scheme}
    schema = description["components"]["schemas"]["Kiln"]
    schema["externalDocs"] = {"url": "https://example.org/kiln"}
    schema["discriminator"] = {"propertyName": "kind"}
    holders = {
        "contact": info["contact"],
        "license": info["license"],
        "docs": description["externalDocs"],
        "paths": description["paths"],
        "components": description["components"],
        "variable": server["variables"]["zone"],
        "tagdocs": tag["externalDocs"],
        "operationdocs": operation["externalDocs"],
        "operationserver": operation["servers"][0],
        "responses": operation["responses"],
        "link": answer["links"]["First"],
        "example": answer["content"]["application/json"]["examples"]["few"],
        "parameterexample": operation["parameters"][0]["examples"]["second"],
        "callback": callback,
        "callbackpath": callback["{$request.query.url}"],
        "callbackoperation": inner,
        "callbackresponses": inner["responses"],
        "callbackserver": callback["{$request.query.url}"]["servers"][0],
        "flows": scheme["flows"],
        "flow": flow,
        "schemadocs": schema["externalDocs"],
        "discriminator": schema["discriminator"],
    }
    for name, holder in holders.items():
        marked(holder, name)
    html = unescape(built(make_site, description))
    assert [name for name in holders if not re.search(rf'x-{name}\b.{{0,20}}{{"of": "{name}"}}', html)] == []
    site = make_shop(make_site, description, config='layout = "operations"\n', name="operations")
    site.build()
    files = site.published()
    markdown = "".join(files[name].decode() for name in files if name.endswith(".md"))
    of_operation = ["operationdocs", "operationserver", "responses", "link", "example", "callback", "callbackpath"]
    assert [name for name in of_operation if f"x-{name}" not in markdown] == []
    values = [
        "SPDX",
        "north",
        "south",
        "Where it is.",
        "https://a.org",
        "https://t.org",
        "Light kilns.",
        "The slow one.",
    ]
    values += ["When it is quiet.", "Another page.", "https://c.org", "https://slow.example.org"]
    assert [value for value in values if value not in html] == []


def test_extension_that_is_a_document_is_named_with_its_length(make_site: MakeSite) -> None:
    description = shop()
    description["x-everything"] = "kiln " * 1_000
    assert "<dt>x-everything</dt><dd><code>5,000 characters, in the OpenAPI document" in built(make_site, description)


def test_long_value_is_whole_and_folded(make_site: MakeSite) -> None:
    description = shop()
    value = "kiln " * 200 + "end"
    description["components"]["schemas"]["Kiln"]["properties"]["name"]["default"] = value
    html = built(make_site, description)
    assert f"({len(value):,} characters)</summary><code>{value}</code></details>" in html


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
