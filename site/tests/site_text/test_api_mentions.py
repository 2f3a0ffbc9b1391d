"""What the pages say of the two APIs is what their descriptions say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import yaml
from openapi_schema_validator import OAS31Validator

from site_text.calls import Call, calls
from site_text.counting import Count
from site_text.texts import FENCE, FRONT_MATTER, SITE, sources
from tests.support.each import each

GATEWAY = json.loads((SITE / "openapi" / "gateway.json").read_bytes())
TOOL = yaml.safe_load((SITE / "openapi" / "tool.yaml").read_bytes())
BY_PORT = {8989: GATEWAY, 8080: TOOL}
MENTION = re.compile(
    r"(?:\b(?P<method>GET|POST|PUT|PATCH|DELETE) )?(?P<path>/api/v1(?:beta)?/[A-Za-z0-9/_{}.-]*[A-Za-z0-9_}])"
)
FIELD = re.compile(r"`([a-z]+(?:_[a-z]+)+)`")
NO_FIELDS = {
    "codegate_volume": "a volume of the container runtime",
    "log_level": "a key of the gateway's own settings file",
    "provider_urls": "a key of the gateway's own settings file",
    "get_me": "a tool of a server",
    "secrets_encrypted": "a file",
    "tool_type": "a key of the program's own output",
    "build_date": "a key of the program's own output",
    "go_version": "a key of the program's own output",
    "call_tool": "an action of Cedar",
    "get_prompt": "an action of Cedar",
    "read_resource": "an action of Cedar",
}
"""Words that look like fields and are none."""
FEWEST_FIELDS = 20
NAMES_OF_OTHERS = {"registry-servers.mdx"}
"""Lists the tools of servers, made from the registry itself."""
ELSEWHERE = {"docs/toolhive/tutorials/toolhive-operator.mdx"}
"""Its port 8080 is that of a server's proxy."""


def operation(document: dict[str, Any], method: str | None, path: str) -> dict[str, Any] | None:
    """Find the operation that serves a path; with no method, any of the path."""
    for template, item in document["paths"].items():
        pattern = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template))
        if re.fullmatch(pattern, path) or re.sub(r"\{\w+\}", "{}", template) == re.sub(r"\{\w+\}", "{}", path):
            if method is None:
                return dict(item)
            if method.lower() in item:
                return dict(item[method.lower()])
    return None


def described_calls() -> Iterator[tuple[Call, dict[str, Any]]]:
    for call in calls():
        document = BY_PORT.get(urlsplit(call.url).port or 0)
        if document and call.place.split(":")[0] not in ELSEWHERE:
            yield call, document


CALLS = list(described_calls())


def test_pages_show_requests() -> None:
    assert len(CALLS) >= 12


@each(("call", "document"), CALLS, ids=lambda value: value.place if isinstance(value, Call) else "")
def test_request_is_described(call: Call, document: dict[str, Any]) -> None:
    found = operation(document, call.method, urlsplit(call.url).path)
    assert found, f"{call.method} {call.url}"
    if call.body is None:
        return
    schema = next(iter(found["requestBody"]["content"].values()))["schema"]
    validator = OAS31Validator({**schema, "components": document["components"]})
    body = json.loads(call.body)
    assert [error.message for error in validator.iter_errors(body)] == []
    unknown = set(body) - set(properties(document, schema)) if isinstance(body, dict) else set()
    assert unknown == set()


def properties(document: dict[str, Any], schema: dict[str, Any]) -> Iterator[str]:
    """List the names of an object's fields, through references and compositions."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    yield from schema.get("properties", {})
    for key in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(key, []):
            yield from properties(document, part)


def test_every_mentioned_address_exists() -> None:
    unknown = []
    for path in sources():
        for match in MENTION.finditer(path.read_text(encoding="utf-8")):
            document = TOOL if "/v1beta/" in match["path"] else GATEWAY
            if operation(document, match["method"], match["path"]) is None:
                unknown.append(f"{path.relative_to(SITE).as_posix()}: {match[0]}")
    assert unknown == []


def test_every_mentioned_field_exists(count: Count) -> None:
    """A name with underscores in a page's prose is a field, a parameter or a value of its product's API."""
    known = {"codegate": set(names(GATEWAY)), "toolhive": set(names(TOOL))}
    mentioned = []
    for path in sources():
        page = path.relative_to(SITE).as_posix()
        product = next((product for product in known if f"docs/{product}/" in page), None)
        if product and path.name not in NAMES_OF_OTHERS:
            prose = FENCE.sub("", FRONT_MATTER.sub("", path.read_text(encoding="utf-8")))
            mentioned += [(page, name, name in known[product]) for name in FIELD.findall(prose)]
    assert [(page, name) for page, name, is_known in mentioned if not is_known and name not in NO_FIELDS] == []
    assert NO_FIELDS.keys() - {name for _, name, is_known in mentioned if not is_known} == set()
    fields = sum(is_known for *_, is_known in mentioned)
    count("API fields looked up", fields)
    assert fields >= FEWEST_FIELDS


def names(part: Any) -> Iterator[str]:
    """List the names of a description's fields and parameters, and the values of its enumerations."""
    if isinstance(part, dict):
        yield from part.get("properties") or ()
        yield from (str(value) for value in part.get("enum") or ())
        if isinstance(part.get("name"), str):
            yield part["name"]
    children = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    for child in children:
        yield from names(child)
