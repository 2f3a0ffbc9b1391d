"""Operations as plain Markdown, for programs that read pages as text."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator

from octavo.content import escape_text, html_as_markdown
from octavo.reference.api_views import (
    BodyView,
    ContentView,
    Fact,
    FieldView,
    OperationView,
    ResponseView,
    SchemaCard,
    SchemaView,
)
from octavo.reference.openapi.guides import PlacedGuide
from octavo.reference.openapi.layout import Group
from octavo.reference.openapi.operation import Operation
from octavo.reference.openapi.source.references import resolve
from octavo.reference.openapi.text import render_text
from octavo.reference.openapi.write.blocks import write_json
from octavo.reference.openapi.write.examples import Examples, find_examples
from octavo.reference.openapi.write.requests import make_request
from octavo.reference.openapi.write.samples import write_sample

_TAG = re.compile(r"<[^>]*>")


def text_of(fragment: str) -> str:
    """Give the words of HTML that we made ourselves, in one line."""
    return " ".join(html.unescape(_TAG.sub(" ", fragment)).split()) if fragment else ""


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
    told: set[str] = set()
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
    if view.parameters:
        lines += ["## Parameters", ""]
        for parameter in view.parameters:
            need = "required" if parameter.is_required else "optional"
            facts = facts_of([*parameter.facts, *parameter.body.facts], parameter.body.values)
            head = f"- `{parameter.name}` ({parameter.place}, {type_of(parameter.body)}, {need})"
            lines += _item(head, parameter.html, facts)
        lines.append("")
    lines += _body(view.body, told)
    lines += ["## Responses", ""]
    for response in view.responses:
        lines += _response(response, "###", told)
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
        lines += [f"#{line}" if line.startswith("#") else line for line in _body(callback.body, told)]
        for response in callback.responses:
            lines += _response(response, "####", told)
    if view.samples:
        sample = write_sample("curl", make_request(examples, operation))
        lines += ["## Request", "", "```bash", sample, "```", ""]
    return _join(line if not line.startswith("#") else above + line for line in lines)


def _item(head: str, html: str, facts: str, indent: str = "") -> list[str]:
    """Write an entry of a list: what it is, what it means, and its facts."""
    first, *others = html_as_markdown(html).split("\n")
    about = " ".join(filter(None, (first, f"({escape_text(facts)})" if facts else "")))
    return [f"{indent}{head}: {about}".rstrip(": "), *(f"{indent}  {line}".rstrip() for line in others)]


def _listed(facts: Iterable[Fact]) -> list[str]:
    lines = [f"- {fact.label}: {escape_text(str(fact.value))}" for fact in facts]
    return [*lines, ""] if lines else []


def _body(body: BodyView | None, told: set[str]) -> list[str]:
    if body is None:
        return []
    heading = "## Request body" if body.is_required else "## Request body (optional)"
    lines = [heading, "", html_as_markdown(body.html), "", *_listed(body.facts)]
    for content in body.contents:
        lines += _content(content, told)
    return lines


def _response(response: ResponseView, mark: str, told: set[str]) -> list[str]:
    lines = [f"{mark} {response.status} {response.phrase}".rstrip(), "", html_as_markdown(response.html)]
    lines += ["", escape_text(response.note), "", *_listed(response.facts)]
    for header in response.headers:
        lines += _item(f"- Header `{header.name}` ({type_of(header.body)})", header.html, "")
    for content in response.contents:
        lines += ["", *_content(content, told)]
    for link in response.links:
        lines += _item(f"- Link `{link.name}` to `{link.operation.label}`", link.html, facts_of(link.values))
    return lines


def _content(content: ContentView, told: set[str]) -> list[str]:
    if content.body.link is not None:
        told.add(content.body.link.label)
    lines = [
        f"`{content.media_type}`: {type_of(content.body)}",
        "",
        *_fields(content.body, told),
        "",
        *_listed(content.facts),
    ]
    if content.encoding:
        lines += [f"Encoding of fields: {facts_of(content.encoding)}", ""]
    return lines


def write_group(group: Group, *, has_heading: bool = True) -> str:
    """Write what a group of operations is, without the operations."""
    head = f"## {escape_text(group.title)}\n\n" if has_heading else ""
    return f"{head}{html_as_markdown(render_text(group.description))}\n\n"


def write_schema(card: SchemaCard, level: int = 1) -> str:
    """Write a named schema as Markdown."""
    about = html_as_markdown(card.body.html)
    head = f"{'#' * level} {escape_text(card.name)}"
    lines = [head, "", f"Type: {type_of(card.body)}", "", about, "", *_fields(card.body, None)]
    return _join(lines)


def _fields(view: SchemaView, told: set[str] | None, indent: str = "") -> Iterator[str]:
    """Write what is inside a schema.

    Args:
        view: The schema.
        told: Named schemas of which the fields have been written, so that each is written once; None: others tell them.
        indent: Of its lines.
    """
    facts = facts_of((), view.values)
    if facts and not indent:
        yield escape_text(facts)
    for field in view.fields:
        yield from _field(field, told, indent)
    for part in view.parts:
        yield f"{indent}- {part.label}: {', '.join(type_of(schema) for schema in part.schemas)}".rstrip(": ")
        for schema in part.schemas:
            yield from _fields(schema, told, f"{indent}  ")


def _field(field: FieldView, told: set[str] | None, indent: str) -> Iterator[str]:
    need = ", required" if field.is_required else ""
    facts = facts_of(field.body.facts, field.body.values)
    yield from _item(f"- `{field.name}` ({type_of(field.body)}{need})", field.body.html, facts, indent)
    link = field.body.link
    if link is not None and (told is None or link.label in told):
        return
    if link is not None and told is not None and (field.body.fields or field.body.parts):
        told.add(link.label)
    yield from _fields(field.body, told, f"{indent}  ")


def _examples(examples: Examples, operation: Operation, status: str) -> list[str]:
    answer = resolve(examples.root, (operation.data.get("responses") or {}).get(status))
    contents = answer.get("content") if isinstance(answer, dict) else None
    lines: list[str] = []
    for media_type, content in (contents if isinstance(contents, dict) else {}).items():
        for label, value in (
            find_examples(examples, media_type, content, is_request=False) if isinstance(content, dict) else ()
        ):
            is_text = isinstance(value, str)
            text = value if is_text else write_json(value)
            fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
            lines += [f"{label}:", "", f"{fence}{'text' if is_text else 'json'}", text, fence, ""]
    return lines


def _join(lines: Iterable[str]) -> str:
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"
