"""The reference of the API as one static HTML page, made from the OpenAPI document.

The page has no script and loads nothing: the API has no authentication, so a script of somebody else on its origin
could do everything. It is made once when a server starts, from the document that the server publishes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

METHODS = ("get", "post", "put", "delete", "patch", "head", "options", "trace")
CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"  # fmt: skip

_CODE = re.compile(r"`([^`]+)`")
_STYLE = """
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 25%, transparent); }
body { font: 1rem/1.6 system-ui, sans-serif; margin: 0 auto; max-width: 62rem; padding: 1rem; overflow-wrap: anywhere; }
h2 { border-bottom: 1px solid var(--line); margin-top: 3rem; }
h3 { margin-top: 2.5rem; }
code, pre { font: 0.9em/1.5 ui-monospace, monospace; }
pre { border: 1px solid var(--line); overflow-x: auto; padding: 0.75rem; }
table { border-collapse: collapse; width: 100%; }
caption { font-weight: 600; padding: 0.75rem 0 0.25rem; text-align: start; }
th, td { border: 1px solid var(--line); padding: 0.3rem 0.6rem; text-align: start; vertical-align: top; }
nav ul { columns: 18rem; padding-inline-start: 1.2rem; }
a:focus-visible, pre:focus-visible { outline: 2px solid; outline-offset: 2px; }
.deprecated { text-decoration: line-through; }
"""


def make_page(document: dict[str, Any]) -> str:
    """Write the page; the same document always gives the same bytes.

    Args:
        document: An OpenAPI 3.1 document whose references all point into itself.

    Returns:
        A complete HTML document.
    """
    return "\n".join(_Page(document).lines()) + "\n"


class _Page:
    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document
        self._schemas: dict[str, Any] = document.get("components", {}).get("schemas", {})

    def lines(self) -> Iterator[str]:
        info = self._document["info"]
        title = f"{escape(info['title'])} API {escape(info['version'])}"
        yield "<!doctype html>"
        yield '<html lang="en">'
        yield f'<head><meta charset="utf-8"><title>{title}</title>'
        yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
        yield f"<style>{_STYLE}</style></head>"
        yield "<body>"
        yield f"<header><h1>{title}</h1>"
        yield prose(info.get("description", info.get("summary", "")))
        yield '<p><a href="openapi.json">OpenAPI document</a></p></header>'
        yield from self._contents()
        yield "<main>"
        for tag, operations in self._by_tag().items():
            yield f'<h2 id="{anchor("tag", tag)}">{escape(tag)}</h2>'
            for method, path, operation in operations:
                yield from self._operation(method, path, operation)
        yield '<h2 id="schemas">Schemas</h2>'
        for name, schema in self._schemas.items():
            yield from self._schema(name, schema)
        yield "</main>"
        yield "</body>"
        yield "</html>"

    def _by_tag(self) -> dict[str, list[tuple[str, str, dict[str, Any]]]]:
        """Group operations by their first tag, in the document's order."""
        groups: dict[str, list[tuple[str, str, dict[str, Any]]]] = {}
        for path, item in self._document["paths"].items():
            for method in METHODS:
                if method in item:
                    tag = next(iter(item[method].get("tags", [])), "Other")
                    groups.setdefault(tag, []).append((method, path, item[method]))
        return groups

    def _contents(self) -> Iterator[str]:
        yield '<nav aria-label="Contents">'
        for tag, operations in self._by_tag().items():
            yield f'<p><a href="#{anchor("tag", tag)}">{escape(tag)}</a></p><ul>'
            for method, path, operation in operations:
                name = escape(operation.get("summary") or f"{method.upper()} {path}")
                yield f'<li><a href="#{operation_anchor(method, path, operation)}">{name}</a></li>'
            yield "</ul>"
        yield '<p><a href="#schemas">Schemas</a></p><ul>'
        yield from (f'<li><a href="#{anchor("schema", name)}">{escape(name)}</a></li>' for name in self._schemas)
        yield "</ul></nav>"

    def _operation(self, method: str, path: str, operation: dict[str, Any]) -> Iterator[str]:
        deprecated = ' class="deprecated"' if operation.get("deprecated") else ""
        yield f'<section id="{operation_anchor(method, path, operation)}">'
        yield f"<h3{deprecated}>{escape(operation.get('summary') or path)}</h3>"
        yield f"<p><code>{method.upper()} {escape(path)}</code></p>"
        yield prose(operation.get("description", ""))
        parameters = [self._resolve(parameter) for parameter in operation.get("parameters", [])]
        if parameters:
            rows = [
                [
                    f"<code>{escape(parameter['name'])}</code>",
                    escape(parameter["in"]),
                    self._type(parameter.get("schema", {})) + facts(parameter.get("schema", {})),
                    "yes" if parameter.get("required") else "no",
                    inline(parameter.get("description", "")),
                ]
                for parameter in parameters
            ]
            yield table("Parameters", ("Name", "In", "Type", "Required", "Description"), rows)
        if "requestBody" in operation:
            body = self._resolve(operation["requestBody"])
            yield f"<p>Request body{' (required)' if body.get('required') else ''}: {self._media(body)}</p>"
            yield prose(body.get("description", ""))
            yield from self._examples(body)
        yield from self._responses(operation["responses"])
        yield "</section>"

    def _responses(self, responses: dict[str, Any]) -> Iterator[str]:
        resolved = {status: self._resolve(response) for status, response in responses.items()}
        rows = [
            [f"<code>{escape(status)}</code>", self._media(response) or "none", inline(response["description"])]
            for status, response in resolved.items()
        ]
        yield table("Responses", ("Status", "Body", "Meaning"), rows)
        for status, response in resolved.items():
            if status.startswith("2"):
                yield from self._examples(response)

    def _media(self, part: dict[str, Any]) -> str:
        content: dict[str, Any] = part.get("content", {})
        return "<br>".join(
            f"<code>{escape(name)}</code> {self._type(media.get('schema', {}))}" for name, media in content.items()
        )

    def _examples(self, part: dict[str, Any]) -> Iterator[str]:
        for name, media in part.get("content", {}).items():
            examples: dict[str, Any] = media.get("examples", {})
            values = [(example.get("summary", "Example"), example["value"]) for example in examples.values()]
            values += [("Example", media["example"])] if "example" in media else []
            for summary, value in values:
                text = json.dumps(value, indent=2, ensure_ascii=False) if name.endswith("json") else str(value)
                label = escape(summary, quote=True)
                yield f'<p>{escape(summary)}</p><pre tabindex="0" aria-label="{label}">{escape(text)}</pre>'

    def _schema(self, name: str, schema: dict[str, Any]) -> Iterator[str]:
        yield f'<section id="{anchor("schema", name)}"><h3>{escape(name)}</h3>'
        yield prose(schema.get("description", ""))
        if "properties" in schema:
            required = schema.get("required", [])
            rows = [
                [
                    f"<code>{escape(field)}</code>",
                    self._type(property_) + facts(property_),
                    "yes" if field in required else "no",
                    inline(property_.get("description", "") if isinstance(property_, dict) else ""),
                ]
                for field, property_ in schema["properties"].items()
            ]
            yield table("Fields", ("Name", "Type", "Required", "Description"), rows)
        else:
            yield f"<p>{self._type(schema)}{facts(schema)}</p>"
        yield "</section>"

    def _type(self, schema: Any) -> str:
        """Write a type; schemas that have a name are links."""
        if not isinstance(schema, dict):
            return "any" if schema else "nothing"
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return f'<a href="#{anchor("schema", name)}">{escape(name)}</a>'
        for key in ("anyOf", "oneOf"):
            if key in schema:
                return " or ".join(self._type(part) for part in schema[key])
        if "allOf" in schema:
            return " and ".join(self._type(part) for part in schema["allOf"])
        if "const" in schema:
            return f"<code>{escape(json.dumps(schema['const'], ensure_ascii=False))}</code>"
        if "enum" in schema:
            values = (json.dumps(value, ensure_ascii=False) for value in schema["enum"])
            return " or ".join(f"<code>{escape(value)}</code>" for value in values)
        kinds = schema.get("type", "any")
        return " or ".join(self._kind(kind, schema) for kind in ([kinds] if isinstance(kinds, str) else kinds))

    def _kind(self, kind: str, schema: dict[str, Any]) -> str:
        if kind == "array":
            return f"array of {self._type(schema.get('items', True))}"
        if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
            return f"object of {self._type(schema['additionalProperties'])}"
        return escape(f"{kind} ({schema['format']})" if "format" in schema else kind)

    def _resolve(self, part: dict[str, Any]) -> dict[str, Any]:
        while "$ref" in part:
            found: Any = self._document
            for step in part["$ref"].removeprefix("#/").split("/"):
                found = found[step.replace("~1", "/").replace("~0", "~")]
            part = found
        return part


def anchor(kind: str, name: str) -> str:
    """Make the id of a part of the page: letters, digits and hyphens."""
    return f"{kind}-{re.sub(r'[^A-Za-z0-9_]+', '-', name).strip('-')}"


def operation_anchor(method: str, path: str, operation: dict[str, Any]) -> str:
    """Make the id of an operation."""
    return anchor("operation", operation.get("operationId") or f"{method} {path}")


def prose(text: str) -> str:
    """Write a description as paragraphs."""
    return "".join(f"<p>{inline(part)}</p>" for part in text.split("\n\n") if part.strip())


def inline(text: str) -> str:
    """Write a sentence; words between backticks are code."""
    return _CODE.sub(r"<code>\1</code>", escape(text, quote=False))


def facts(schema: Any) -> str:
    """Write default and limits of a schema."""
    if not isinstance(schema, dict):
        return ""
    names = {
        "default": "default",
        "minimum": "at least",
        "maximum": "at most",
        "minLength": "shortest",
        "maxLength": "longest",
        "minItems": "fewest",
        "maxItems": "most",
        "pattern": "pattern",
    }
    found = [
        f"{words} {json.dumps(schema[name], ensure_ascii=False)}" for name, words in names.items() if name in schema
    ]
    return f" ({escape(', '.join(found))})" if found else ""


def table(caption: str, heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Write a table; cells are HTML already."""
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
