"""The request that an operation's samples show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from octavo.reference.openapi.source.references import resolve
from octavo.reference.openapi.write.examples import STREAM, Examples, find_examples
from octavo.reference.openapi.write.samples import SampleRequest, fill_path

if TYPE_CHECKING:
    from octavo.reference.openapi.operation import Operation


def make_request(examples: Examples, operation: Operation) -> SampleRequest:
    """Make a request with an example for everything that must be given, and credentials as words in capitals."""
    root = examples.root
    path_values: dict[str, str] = {}
    query: list[tuple[str, str]] = []
    headers: list[tuple[str, str]] = []
    for parameter in operation.parameters:
        place, name = parameter.get("in"), str(parameter.get("name"))
        if place != "path" and parameter.get("required") is not True:
            continue
        given = _parameter_value(examples, parameter)
        if place == "path":
            path_values[name] = given
        elif place == "query":
            query.append((name, given))
        elif place == "header":
            headers.append((name, given))
    body = resolve(root, operation.data.get("requestBody"))
    contents = body.get("content") if isinstance(body, dict) else None
    media_type = ""
    value: Any = None
    if isinstance(contents, dict) and contents:
        media_type = "application/json" if "application/json" in contents else next(iter(contents))
        content = contents[media_type] if isinstance(contents[media_type], dict) else {}
        found = find_examples(examples, media_type, content, is_request=True)
        value = found[0][1] if found else {}
    _add_credentials(root, operation.data, query, headers)
    server = operation.servers[0].rstrip("/") if operation.servers else ""
    return SampleRequest(
        method=operation.method,
        url=server + fill_path(operation.path, path_values),
        query=query,
        headers=headers,
        media_type=media_type,
        body=value,
        is_stream=any(
            STREAM in (answer.get("content") or {})
            for raw in (operation.data.get("responses") or {}).values()
            if isinstance(answer := resolve(root, raw), dict)
        ),
    )


def _parameter_value(examples: Examples, parameter: dict[str, Any]) -> str:
    if "example" in parameter:
        value = parameter["example"]
    else:
        named = parameter.get("examples")
        given = (
            [one["value"] for one in (named or {}).values() if isinstance(one, dict) and "value" in one]
            if isinstance(named, dict)
            else []
        )
        schema = parameter.get("schema") or {}
        value = given[0] if given else examples.of(schema, is_request=True)
        if value == "text":
            value = f"{parameter.get('name')}"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(map(str, value))
    return "" if value is None else str(value)


def _add_credentials(
    root: dict[str, Any], data: dict[str, Any], query: list[tuple[str, str]], headers: list[tuple[str, str]]
) -> None:
    wanted = data.get("security", root.get("security"))
    first = wanted[0] if isinstance(wanted, list) and wanted else {}
    schemes = (root.get("components") or {}).get("securitySchemes") or {}
    for name in first if isinstance(first, dict) else {}:
        scheme = resolve(root, schemes.get(name))
        if not isinstance(scheme, dict):
            continue
        kind, place = scheme.get("type"), scheme.get("in")
        if kind == "apiKey" and place == "query":
            query.append((str(scheme.get("name")), "YOUR_KEY"))
        elif kind == "apiKey" and place == "header":
            headers.append((str(scheme.get("name")), "YOUR_KEY"))
        elif kind == "http" and str(scheme.get("scheme")).lower() == "basic":
            headers.append(("Authorization", "Basic YOUR_CREDENTIALS"))
        elif kind in ("http", "oauth2", "openIdConnect"):
            headers.append(("Authorization", "Bearer YOUR_TOKEN"))
