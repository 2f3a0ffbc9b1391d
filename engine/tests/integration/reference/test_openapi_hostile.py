"""Broken and hostile descriptions: a page or a clear error, never a hang or live markup."""

from __future__ import annotations

import copy
import json
import random
import re
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest

from octavo.reference.openapi import MAX_BYTES
from tests.support.sites import MakeSite, page

from .openapi_sites import make_shop, shop

EVIL = "<img src=x onerror=alert(1)><script>alert(2)</script>[x](javascript:alert(3)) [y](data:text/html,<b>)"


def with_kiln(schema: dict[str, Any]) -> dict[str, Any]:
    return shop(components={"schemas": {"Kiln": schema}})


def evil_everywhere() -> dict[str, Any]:
    description = shop()
    description["info"] |= {"description": EVIL, "title": EVIL, "termsOfService": "javascript:alert(4)"}
    description["tags"] = [{"name": EVIL, "description": EVIL, "externalDocs": {"url": "javascript:alert(5)"}}]
    operation = description["paths"]["/kilns"]["get"]
    operation |= {"summary": EVIL, "description": EVIL, "tags": [EVIL], "operationId": '"><script>alert(6)</script>'}
    operation["parameters"][0] |= {"name": '"><svg onload=alert(7)>', "description": EVIL, "example": EVIL}
    kiln = description["components"]["schemas"]["Kiln"]
    kiln["properties"]['"><b onmouseover=alert(8)>'] = {"type": "string", "description": EVIL, "enum": [EVIL]}
    description["servers"] = [{"url": "javascript:alert(9)", "description": EVIL}]
    return description


def test_no_markup_of_a_description_becomes_alive(make_site: MakeSite) -> None:
    site = make_shop(make_site, evil_everywhere())
    assert site.build().is_published
    tags = _Tags()
    tags.feed(site.payload("/api")["html"])
    names = {name for name, _ in tags.found}
    attributes = [pair for _, found in tags.found for pair in found]
    assert not names & {"script", "img", "svg", "b"}
    assert not [name for name, _ in attributes if name.startswith("on")]
    assert not [value for _, value in attributes if (value or "").lower().startswith(("javascript:", "data:"))]


class _Tags(HTMLParser):
    """Collects tags as a browser reads them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, list[tuple[str, str | None]]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, attrs))


def chain(length: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(length):
        schema = {"type": "object", "properties": {"deeper": schema}}
    return schema


@pytest.mark.parametrize(
    "schema",
    [
        {"allOf": [{"$ref": "#/components/schemas/Kiln"}, {"type": "object"}]},
        {"oneOf": [{"$ref": "#/components/schemas/Kiln"}], "items": {"$ref": "#/components/schemas/Kiln"}},
        {"$ref": "#/components/schemas/Kiln"},
        chain(50),
        {"x-unknown": [1, {"type": "strange"}], "mystery": {"a": 1}, "type": "object"},
        True,
        {"type": "array", "items": {"type": "array", "items": {"type": "array", "items": False}}},
    ],
    ids=["circle through allOf", "circle through oneOf", "itself", "50 deep", "unknown keywords", "true", "lists"],
)
def test_strange_schema_gives_a_page(schema: Any, make_site: MakeSite) -> None:
    site = make_shop(make_site, with_kiln(schema))
    assert [line for line in site.check() if "error" in line] == []
    assert 'id="schema/Kiln"' in site.html("/api")


def changed(path: list[str], value: Any) -> dict[str, Any]:
    description = shop()
    place: Any = description
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return description


@pytest.mark.parametrize(
    ("description", "message"),
    [
        (
            {"swagger": "1.2", "info": {}},
            r"shop\.json:2:\d+: error: #/swagger: This is Swagger 1\.2; Swagger 2\.0 and OpenAPI 3\.0 to 3\.2 are drawn",
        ),
        (
            {"swagger": "2.0", "info": {"title": "T"}, "paths": {}},
            r"shop\.json:3:\d+: error: #/info: \"version\" is missing\. Add \"version\"\. \[openapi\]",
        ),
        (shop(openapi="4.0.0"), r'#/openapi: openapi is "4\.0\.0"; expected 3\.0, 3\.1 or 3\.2'),
        (changed(["info"], {"title": "T"}), r"shop\.json:3:\d+: error: #/info: .*version"),
        (
            changed(["paths", "/kilns", "get", "operationId"], "addKiln"),
            r'#/paths/~1kilns/post/operationId: operationId "addKiln" is already that of GET /kilns\.',
        ),
        (
            changed(["components", "schemas", "Kiln", "properties", "parts"], {"$ref": "#/components/schemas/Klin"}),
            r'"#/components/schemas/Klin" leads nowhere\. Did you mean "#/components/schemas/Kiln"\?',
        ),
        (
            changed(["paths", "/kilns/{kiln_id}", "parameters"], []),
            r'The path names "kiln_id", which no path parameter',
        ),
        (
            changed(["components", "schemas", "Kiln", "properties", "heat", "type"], "int"),
            r"#/components/schemas/Kiln/properties/heat/type: \"int\" is not possible here; expected one of string",
        ),
        (
            changed(["paths", "/kilns"], {"$ref": "../../outside.yaml"}),
            r'"\.\./outside\.yaml" is not a file of this site',
        ),
        (changed(["paths", "/kilns"], {"$ref": "https://example.com/a.yaml"}), r"leads to another host"),
    ],
)
def test_broken_description_is_refused_with_its_place(description: Any, message: str, make_site: MakeSite) -> None:
    found = make_shop(make_site, description).check()
    assert any(re.search(message, line) for line in found), found


@pytest.mark.parametrize(
    ("description", "message"),
    [
        (changed(["info"], {"title": "T"}), '"version" is missing. Add "version".'),
        (changed(["paths", "/kilns", "post", "requestBody"], {"$ref": "gone.json#/body"}), "not a file of this site"),
        (changed(["paths", "/kilns", "get", "operationId"], 5), "5 is a number, not text"),
    ],
)
def test_rest_of_a_broken_description_is_drawn_where_errors_do_not_stop_the_site(
    description: Any, message: str, make_site: MakeSite
) -> None:
    site = make_shop(make_site, description, config='[diagnostics]\nopenapi = "warn"\n')
    (found,) = site.check()
    assert message in found
    assert "/kilns/{kiln_id}" in site.html("/api")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("openapi: 3.1.0\n  bad: [", "shop.json:2"),
        ("", "The description is not a mapping"),
        ("[1, 2]", "The description is not a mapping"),
        ("a: &a [*a]", "nested more than 200 deep"),
        ("{" * 5000, "openapi"),
        ("a: .nan", "is not a number that JSON knows"),
        (
            "a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n"
            + "\n".join(f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)),
            "contains more than 3,000,000 values",
        ),
    ],
    ids=["syntax", "empty", "list", "circle of aliases", "braces", "nan", "bomb of aliases"],
)
def test_hostile_text_ends_in_a_message(text: str, message: str, make_site: MakeSite) -> None:
    started = time.process_time()
    found = make_shop(make_site, text or " ").check()
    assert any(message in line for line in found), found
    assert time.process_time() - started < 60


def test_description_of_30_mb_is_refused_before_it_is_read(make_site: MakeSite) -> None:
    site = make_shop(make_site, json.dumps(shop()) + " " * 30_000_000)
    assert [line for line in site.check() if f"at most {MAX_BYTES // 1_000_000} MB are read" in line]


def test_references_that_lead_nowhere_are_reported_where_nothing_can_be_drawn(make_site: MakeSite) -> None:
    found = make_shop(make_site, {"openapi": "4.0.0", "paths": {"/a": {"$ref": "gone.json"}}}).check()
    assert [line.split("#/")[1].split(":")[0] for line in found] == ["openapi", "paths/~1a"]


JUNK: list[Any] = [
    *(5, "x", None, [], {}, True, [1], [{}], {"a": {}}, -1.5, "", {"x-a": 1}, {"type": "object"}, ["string"]),
    *({"$ref": "#/nope"}, {"$ref": "gone.json#/a"}, {"$ref": 5}),
]
KEYS = ("odd", "schema", "$ref", "required", "in", "enum", "allOf", "items", "properties", "parameters", "x-y")


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """List what holds other values, with the key of each."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from places(value[key])


def damage(root: dict[str, Any], rng: random.Random) -> None:
    holder, key = rng.choice(list(places(root)))
    chance = rng.random()
    if chance < 0.6:
        holder[key] = copy.deepcopy(rng.choice(JUNK))
    elif chance < 0.8:
        del holder[key]
    elif isinstance(holder, dict):
        holder[rng.choice(KEYS)] = copy.deepcopy(rng.choice(JUNK))


@pytest.mark.parametrize("seed", range(4))
def test_damaged_descriptions_are_drawn_without_what_is_wrong(seed: int, make_site: MakeSite) -> None:
    """Twenty in one site, in each of which one to eight values are others, have gone or have come."""
    rng = random.Random(seed)
    files, tables = {}, []
    for number in range(20):
        root = shop(openapi=rng.choice(["3.0.3", "3.1.0", "3.2.0"]))
        for _ in range(rng.randint(1, 8)):
            damage(root, rng)
        files[f"openapi/{number}.json"] = json.dumps(root, indent=1)
        tables.append(f'[[openapi]]\nid = "a{number}"\ndoc = "api{number}"\nspec = "openapi/{number}.json"\n')
    levels = '[diagnostics]\nopenapi = "warn"\nbroken_links = "warn"\nbroken_anchors = "warn"\n'
    site = make_site({"docs/index.md": page("Home"), **files}, levels + "".join(tables))
    found = site.check()
    assert [line for line in found if "[openapi]" not in line and "[broken-" not in line] == []
    refused = {line.split("/")[1].split(".")[0] for line in found if "expected 3.0, 3.1 or 3.2" in line}
    drawn = {str(number) for number in range(20) if (site.out / f"api{number}/index.html").exists()}
    assert drawn | refused == {str(number) for number in range(20)}
