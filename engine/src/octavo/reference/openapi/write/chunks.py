"""Search: a stretch of text for every operation, parameter, field and status, each with its own anchor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from octavo.content import TextChunk
from octavo.reference.api_views import (
    BodyView,
    FieldView,
    OperationView,
    OverviewView,
    ResponseView,
    SchemaCard,
    SchemaView,
)
from octavo.reference.openapi.write.markdown import facts_of, text_of, type_of


def overview_chunks(view: OverviewView) -> Iterator[TextChunk]:
    """Give the texts of servers and of ways to authenticate, which are on the first page of a reference."""
    for server in view.servers:
        yield TextChunk("paragraph", -1, _join((server.url, text_of(server.html), facts_of(server.facts))))
    for scheme in view.security:
        words = (scheme.name, f"({scheme.kind})", text_of(scheme.html), facts_of(scheme.facts))
        yield TextChunk("paragraph", -1, _join(words))


def operation_chunks(view: OperationView, name: str, heading: int) -> Iterator[TextChunk]:
    """Give the texts of an operation.

    Args:
        view: The operation.
        name: Its `operationId`; empty where it has none, or where it is in the heading.
        heading: Index of its heading in the page.
    """
    anchor = view.heading_anchor or view.anchor
    # The id is at the beginning, where search takes it for the definition of that name.
    request = f"{view.method} {view.path}"
    yield TextChunk("operation", heading, f"{name}: {request}" if name else request, anchor)
    if view.html:
        yield TextChunk("operation", heading, text_of(view.html), anchor)
    for parameter in view.parameters:
        words = [parameter.name, f"({parameter.place} parameter)", text_of(parameter.html)]
        facts = facts_of([*parameter.facts, *parameter.body.facts], parameter.body.values)
        yield TextChunk("parameter", heading, " ".join(filter(None, (*words, facts))), parameter.anchor)
        yield from _fields(parameter.body, heading, parameter.name)
    yield from _exchange(view.body, view.responses, heading)
    for callback in view.callbacks:
        words = ["Callback", callback.name, callback.method, callback.path, text_of(callback.html)]
        yield TextChunk("operation", heading, _join(words), callback.anchor)
        yield from _exchange(callback.body, callback.responses, heading)


def _exchange(body: BodyView | None, responses: Iterable[ResponseView], heading: int) -> Iterator[TextChunk]:
    """Return the texts of the request body and of the responses."""
    if body:
        if body.html:
            yield TextChunk("operation", heading, f"Request body: {text_of(body.html)}", body.anchor)
        for content in body.contents:
            yield from _fields(content.body, heading, "")
    for response in responses:
        words = [response.status, response.phrase, text_of(response.html), response.note]
        yield TextChunk("operation", heading, " ".join(filter(None, words)), response.anchor)
        for header in response.headers:
            words = [header.name, f"(header of {response.status})", text_of(header.html)]
            yield TextChunk("parameter", heading, _join(words), header.anchor)
        for content in response.contents:
            yield from _fields(content.body, heading, "")


def schema_chunks(card: SchemaCard, heading: int) -> Iterator[TextChunk]:
    """Give the texts of a named schema."""
    about = " ".join(filter(None, (text_of(card.body.html), facts_of(card.body.facts, card.body.values))))
    if about:
        yield TextChunk("field", heading, about, card.anchor)
    yield from _fields(card.body, heading, card.name)


def _fields(view: SchemaView, heading: int, owner: str) -> Iterator[TextChunk]:
    for field in view.fields:
        if not field.anchor:
            continue
        name = f"{owner}.{field.name}" if owner else field.name
        facts = facts_of(field.body.facts, field.body.values)
        words = _join((name, f"({type_of(field.body)})", text_of(field.body.html), facts))
        yield TextChunk("field", heading, words, field.anchor)
        yield from _nested(field, heading, name)
    for part in view.parts:
        for schema in part.schemas:
            yield from _fields(schema, heading, owner)


def _nested(field: FieldView, heading: int, name: str) -> Iterator[TextChunk]:
    if not field.body.link:
        yield from _fields(field.body, heading, name)


def _join(words: Iterable[str]) -> str:
    return " ".join(filter(None, words))
