"""Operations as plain Markdown, for programs that read pages as text."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator
from typing import Any

from octavo.content import escape_text, html_as_markdown
from octavo.lazy import regex as re
from octavo.reference.api_views import (
    BodyView,
    ContentView,
    Fact,
    FieldView,
    OperationView,
    OverviewView,
    ParameterView,
    ResponseView,
    SchemaCard,
    SchemaPart,
    SchemaView,
)
from octavo.reference.openapi.facts import extension_facts
from octavo.reference.openapi.guides import PlacedGuide
from octavo.reference.openapi.layout import Group
from octavo.reference.openapi.operation import Operation
from octavo.reference.openapi.source.references import as_mapping, resolve
from octavo.reference.openapi.text import render_text
from octavo.reference.openapi.write.blocks import write_json
from octavo.reference.openapi.write.examples import Examples, find_examples
from octavo.reference.openapi.write.requests import make_request
from octavo.reference.openapi.write.samples import LABELS, given_samples, write_sample

_INLINE_TAG = re.compile(r"</?(?:a|abbr|b|code|del|em|i|kbd|mark|s|samp|small|span|strong|sub|sup|u|var|wbr)\b[^>]*>")
_TAG = re.compile(r"<[^>]*>")
_BLOCK_START = re.compile(r"(?:[-*+|>]|\d+[.)]|```|~~~)(?:\s|\w|$)")


def text_of(fragment: str) -> str:
    """Give the words of HTML that we made ourselves, in one line."""
    return " ".join(html.unescape(_TAG.sub(" ", _INLINE_TAG.sub("", fragment))).split()) if fragment else ""


def type_of(view: SchemaView) -> str:
    """Write a schema's type in words, the schema that it refers to included."""
    words = [view.type, view.link.label if view.link else ""]
    return " ".join(word for word in (*words, *view.flags) if word) or "anything"


def facts_of(facts: Iterable[Fact], values: Iterable[str] = ()) -> str:
    """Write facts in one line."""
    listed = list(values)
    parts = [f"{fact.label} {fact.value}" for fact in facts]
    return "; ".join([*parts, *([f"one of {', '.join(listed)}"] if listed else [])])


def write_operation(
    examples: Examples,
    operation: Operation,
    view: OperationView,
    guides: Iterable[PlacedGuide],
    level: int = 1,
    *,
    has_heading: bool = True,
) -> str:
    """Write an operation as Markdown.

    Args:
        examples: Of the description.
        operation: As it is described.
        view: What its page shows.
        guides: Pages that tell how to use it.
        level: Of its heading.
        has_heading: It begins with its title; without, the page has the title already.
    """
    above = "#" * (level - 1)
    written_schemas: set[str] = set()
    lines = [f"# {escape_text(view.title)}", ""] if has_heading else []
    lines += [f"`{view.method} {view.path}`", ""]
    if view.is_deprecated:
        lines += ["Deprecated.", ""]
    lines += [html_as_markdown(render_text(operation.about)), ""]
    lines += _listed(view.facts)
    lines += [f"- [{escape_text(link.label)}]({link.href})" for link in view.links]
    lines += [*(f"- Guide: [{escape_text(guide.label)}]({guide.href})" for guide in guides), ""]
    if view.servers:
        lines += [f"Server: {', '.join(view.servers)}", ""]
    if view.security:
        lines += [f"Authentication: {escape_text(', or '.join(view.security))}", ""]
    lines += _parameters(view.parameters, written_schemas)
    lines += _body(view.body, written_schemas)
    lines += _request_examples(examples, operation)
    lines += ["## Responses", ""]
    for response in view.responses:
        lines += _response(response, "###", written_schemas)
        lines += _examples(examples, operation, response.status)
    for callback in view.callbacks:
        lines += [
            f"## Callback {callback.name}",
            "",
            f"`{callback.method} {callback.path}`",
            "",
            html_as_markdown(callback.html),
            "",
            *_listed(callback.facts),
        ]
        inner = [*_parameters(callback.parameters, written_schemas), *_body(callback.body, written_schemas)]
        lines += [f"#{line}" if line.startswith("#") else line for line in inner]
        for response in callback.responses:
            lines += _response(response, "####", written_schemas)
    if view.samples:
        given = given_samples(operation.data)
        lines += ["## Request", ""]
        if not any(sample.label == LABELS["curl"] for sample in given):
            lines += _fenced(write_sample("curl", make_request(examples, operation)), "bash")
        for sample in given:
            lines += [f"{escape_text(sample.label)}:", "", *_fenced(sample.code, sample.language)]
    return _join(line if not line.startswith("#") else above + line for line in lines)


def _parameters(parameters: Iterable[ParameterView], written_schemas: set[str]) -> list[str]:
    lines: list[str] = []
    for parameter in parameters:
        flags = [
            "required" if parameter.is_required else "optional",
            *(["deprecated"] if parameter.is_deprecated else []),
        ]
        facts = facts_of([*parameter.facts, *parameter.body.facts], parameter.body.values)
        head = f"- `{parameter.name}` ({', '.join([parameter.place, type_of(parameter.body), *flags])})"
        lines += _item(head, parameter.html, facts)
        if parameter.body.html and parameter.body.html != parameter.html:
            lines += _indented(html_as_markdown(parameter.body.html), "  ")
        lines += _fields(parameter.body, written_schemas, "  ")
    return ["## Parameters", "", *lines, ""] if lines else []


def _indented(text: str, indent: str) -> list[str]:
    return [f"{indent}{line}".rstrip() for line in text.split("\n")]


def _item(head: str, html: str, facts: str, indent: str = "") -> list[str]:
    """Write an entry of a list: what it is, what it means, and its facts."""
    text = html_as_markdown(html)
    # A list or a block cannot follow words in their line.
    first, *others = ["", *text.split("\n")] if _BLOCK_START.match(text) else text.split("\n")
    about = " ".join(filter(None, (first, f"({escape_text(facts)})" if facts else "")))
    return [f"{indent}{head}: {about}".rstrip(": "), *(f"{indent}  {line}".rstrip() for line in others)]


def _listed(facts: Iterable[Fact]) -> list[str]:
    lines = [f"- {fact.label}: {escape_text(str(fact.value))}" for fact in facts]
    return [*lines, ""] if lines else []


def _body(body: BodyView | None, written_schemas: set[str]) -> list[str]:
    if body is None:
        return []
    heading = "## Request body" if body.is_required else "## Request body (optional)"
    lines = [heading, "", html_as_markdown(body.html), "", *_listed(body.facts)]
    for content in body.contents:
        lines += _content(content, written_schemas)
    return lines


def _response(response: ResponseView, mark: str, written_schemas: set[str]) -> list[str]:
    lines = [f"{mark} {response.status} {response.phrase}".rstrip(), "", html_as_markdown(response.html)]
    lines += ["", escape_text(response.note), "", *_listed(response.facts)]
    for header in response.headers:
        facts = facts_of(header.body.facts, header.body.values)
        lines += _item(f"- Header `{header.name}` ({type_of(header.body)})", header.html, facts)
        lines += _fields(header.body, written_schemas, "  ")
    for content in response.contents:
        lines += ["", *_content(content, written_schemas)]
    for link in response.links:
        lines += _item(f"- Link `{link.name}` to `{link.operation.label}`", link.html, facts_of(link.values))
    return lines


def _content(content: ContentView, written_schemas: set[str]) -> list[str]:
    if content.body.link is not None:
        written_schemas.add(content.body.link.label)
    facts = facts_of(content.body.facts)
    lines = [
        f"`{content.media_type}`: {type_of(content.body)}{f' ({escape_text(facts)})' if facts else ''}",
        "",
        html_as_markdown(content.body.html),
        "",
        *_fields(content.body, written_schemas),
        "",
        *_listed(content.facts),
    ]
    if content.encoding:
        lines += ["Encoding of fields:", "", *_listed(content.encoding)]
    return lines


def write_group(group: Group, html: str, level: int = 2, *, has_heading: bool = True) -> str:
    """Write what a group of operations is, without the operations; `html` is its text."""
    head = f"{'#' * level} {escape_text(group.title)}\n\n" if has_heading else ""
    docs = group.docs if isinstance(group.docs, dict) else {}
    url = str(docs.get("url") or "")
    lines = _listed([*extension_facts(group.data), *extension_facts(docs, "documentation")])
    if url.startswith(("https://", "http://")):
        lines = [f"- [{escape_text(str(docs.get('description') or url))}]({url})", *lines]
    return f"{head}{html_as_markdown(html)}\n\n" + "".join(f"{line}\n" for line in lines)


def write_overview(view: OverviewView) -> str:
    """Write the head of a description as Markdown."""
    lines = [f"Version {view.version}.", "", html_as_markdown(view.html), "", *_listed(view.facts)]
    lines += [*(f"- [{escape_text(link.label)}]({link.href})" for link in view.links), ""]
    if view.servers:
        lines += ["Servers:", ""]
        for server in view.servers:
            lines += _item(f"- {escape_text(server.url)}", server.html, facts_of(server.facts))
        lines.append("")
    if view.security:
        lines += ["Authentication:", ""]
        for scheme in view.security:
            head = f"- {escape_text(scheme.name)} ({escape_text(scheme.kind)})"
            lines += _item(head, scheme.html, facts_of(scheme.facts))
        lines.append("")
    return _join([*lines, html_as_markdown(view.sections_html)])


def write_schema(card: SchemaCard, level: int = 1) -> str:
    """Write a named schema as Markdown."""
    about = html_as_markdown(card.body.html)
    head = f"{'#' * level} {escape_text(card.name)}"
    facts = facts_of(card.body.facts)
    kind = f"Type: {type_of(card.body)}{f' ({escape_text(facts)})' if facts else ''}"
    lines = [head, "", kind, "", about, "", *_fields(card.body, None)]
    return _join(lines)


def _fields(view: SchemaView, written_schemas: set[str] | None, indent: str = "") -> Iterator[str]:
    """Write what is inside a schema.

    Args:
        view: The schema.
        written_schemas: Named schemas of which the fields have been written, so that each is written once; None: others write them.
        indent: Of its lines.
    """
    facts = facts_of((), view.values)
    if facts and not indent:
        yield escape_text(facts)
    for field in view.fields:
        yield from _field(field, written_schemas, indent)
    for part in view.parts:
        yield from _part(part, written_schemas, indent)


def _part(part: SchemaPart, written_schemas: set[str] | None, indent: str) -> Iterator[str]:
    """Write schemas within a schema: one in the line of its label, several below it."""
    label = f"- {escape_text(part.label)}"
    if len(part.schemas) == 1:
        yield from _inner(part.schemas[0], written_schemas, indent, f"{label}:")
    else:
        yield f"{indent}{label}"
        for schema in part.schemas:
            yield from _inner(schema, written_schemas, f"{indent}  ", "-")
    if part.html:
        yield from _indented(html_as_markdown(part.html), f"{indent}  ")


def _inner(schema: SchemaView, written_schemas: set[str] | None, indent: str, head: str) -> Iterator[str]:
    yield from _item(f"{head} {type_of(schema)}", schema.html, facts_of(schema.facts, schema.values), indent)
    yield from _inside(schema, written_schemas, indent)


def _field(field: FieldView, written_schemas: set[str] | None, indent: str) -> Iterator[str]:
    need = ", required" if field.is_required else ""
    facts = facts_of(field.body.facts, field.body.values)
    yield from _item(f"- `{field.name}` ({type_of(field.body)}{need})", field.body.html, facts, indent)
    yield from _inside(field.body, written_schemas, indent)


def _inside(schema: SchemaView, written_schemas: set[str] | None, indent: str) -> Iterator[str]:
    """Write what is inside a schema that has a line of its own; a named one once."""
    link = schema.link
    if link is not None and (written_schemas is None or link.label in written_schemas):
        return
    if link is not None and written_schemas is not None and (schema.fields or schema.parts):
        written_schemas.add(link.label)
    yield from _fields(schema, written_schemas, f"{indent}  ")


def _request_examples(examples: Examples, operation: Operation) -> list[str]:
    """Write the examples of a body that the description gives: of those that are made, the request below is one."""
    body = resolve(examples.root, operation.data.get("requestBody"))
    contents = as_mapping(as_mapping(body).get("content"))
    given = {
        kind: one for kind, one in contents.items() if isinstance(one, dict) and {"example", "examples"} & one.keys()
    }
    return _written_examples(examples, given, is_request=True)


def _examples(examples: Examples, operation: Operation, status: str) -> list[str]:
    answer = resolve(examples.root, (operation.data.get("responses") or {}).get(status))
    return _written_examples(examples, as_mapping(as_mapping(answer).get("content")), is_request=False)


def _written_examples(examples: Examples, contents: dict[str, Any], *, is_request: bool) -> list[str]:
    lines: list[str] = []
    for media_type, content in contents.items():
        for label, value in (
            find_examples(examples, media_type, content, is_request=is_request) if isinstance(content, dict) else ()
        ):
            is_text = isinstance(value, str)
            code = _fenced(value, "text") if is_text else _fenced(write_json(value), "json")
            lines += [f"{escape_text(label)}:", "", *code]
    return lines


def _fenced(code: str, language: str) -> list[str]:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", code)), default=0))
    return [f"{fence}{language}", code, fence, ""]


def _join(lines: Iterable[str]) -> str:
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"
