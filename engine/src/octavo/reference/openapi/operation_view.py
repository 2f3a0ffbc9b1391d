"""Operations: what their pages show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from http import HTTPStatus
from typing import Any, Literal

import msgspec

from octavo.reference.api_views import (
    BodyView,
    CallbackView,
    ContentView,
    ExampleView,
    Fact,
    HeaderView,
    LinkView,
    NamedLink,
    OperationView,
    ParameterView,
    ResponseView,
)
from octavo.reference.comparing import Since
from octavo.reference.openapi.bounds.shorten import shorten
from octavo.reference.openapi.facts import example_facts, extension_facts, server_facts, write_value
from octavo.reference.openapi.names import anchor_part
from octavo.reference.openapi.operation import Operation, fill_server, find_servers
from octavo.reference.openapi.schemas import SchemaViewer, parameter_facts
from octavo.reference.openapi.security import ways_in
from octavo.reference.openapi.source.references import as_mapping, resolve
from octavo.reference.openapi.text import code_block, render_text
from octavo.reference.openapi.write.blocks import write_block, write_json
from octavo.reference.openapi.write.examples import STREAM, Examples, find_examples
from octavo.reference.openapi.write.field_marks import FieldMarks
from octavo.reference.openapi.write.requests import make_request
from octavo.reference.openapi.write.samples import HIGHLIGHTED_AS, LABELS, given_samples, write_sample

_LONG_SAMPLE = 6_000
"""Characters of JSON above which the body in samples of requests is shortened: each sample repeats it."""
_LONG_EXAMPLE = 20_000
"""Characters above which an example lies folded and without colors, whose elements would be most of the page."""


class OperationSettings(msgspec.Struct, frozen=True):
    """How operations are shown."""

    samples: list[str]
    console: str
    """Address of the document; empty: no console."""
    command: str
    address_of: Callable[[str], str]
    """Operation id → its address; nothing for what is not an operation of the document."""
    markdown: str
    """Address of the operation as Markdown."""
    since: Since
    """Which version brought the operation and its parts, where that is known."""
    marks: FieldMarks
    """Says the same of fields."""


class OperationViewer:
    """Makes the views of one document's operations."""

    def __init__(self, examples: Examples, schemas: SchemaViewer, settings: OperationSettings) -> None:
        self._root = examples.root
        self._make = examples
        self._schemas = schemas
        self._settings = settings
        self._servers = find_servers(examples.root)
        self._within = ""
        """Start of the names of what is being described, as `since` has them: that of a callback."""

    def view(
        self, operation: Operation, anchors: Sequence[str], *, level: int, has_heading: bool, pointer: str
    ) -> OperationView:
        """Make the view of an operation.

        Args:
            operation: The operation.
            anchors: Its ids under its tags, the first of which is that of its heading.
            level: Of its heading.
            has_heading: It needs one; on a page of its own the page's title is enough.
            pointer: JSON pointer to it in the published document.
        """
        data = operation.data
        docs = data.get("externalDocs")
        is_webhook = operation.pointer[0] == "webhooks"
        return OperationView(
            pointer=pointer,
            anchor=operation.anchor,
            heading_anchor=anchors[0],
            more_anchors=list(anchors[1:]),
            level=level,
            has_heading=has_heading,
            method=operation.method,
            path=operation.path,
            title=operation.title,
            html=render_text(operation.about),
            is_deprecated=data.get("deprecated") is True,
            servers=[] if is_webhook or operation.servers == self._servers else operation.servers,
            security=ways_in(self._root, data),
            links=_doc_links(docs),
            facts=[*self._since(), *_operation_facts(operation)],
            guides=[],
            parameters=[self._parameter(operation, parameter) for parameter in operation.parameters],
            body=self._body(operation),
            responses=[self._response(operation, status, answer) for status, answer in _responses(data)],
            callbacks=[self._callback(callback) for callback in operation.callbacks],
            samples=[] if is_webhook else self._samples(operation),
            console="" if is_webhook else self._settings.console,
            command=self._settings.command,
            markdown=self._settings.markdown,
        )

    def _since(self, part: str = "") -> list[Fact]:
        """Say which version brought the operation, or a part of it that came later, and which changed it last."""
        since = self._settings.since
        version = since.parts.get(part, "") if part else since.version
        facts = [Fact(label="since", value=version)] if version and (not part or version != since.version) else []
        if changed := since.changed.get(part, "") if part else since.last:
            facts.append(Fact(label="changed", value=changed))
        if not part:
            facts += [Fact(label="removed", value=f"{name} ({label})") for name, label in since.removed.items()]
        return facts

    def _parameter(self, operation: Operation, parameter: dict[str, Any]) -> ParameterView:
        name, place = str(parameter.get("name")), parameter.get("in")
        anchor = f"{operation.anchor}/{place}/{anchor_part(name)}"
        schema = parameter.get("schema")
        if schema is None:
            contents: dict[str, Any] = parameter.get("content") or {}
            content = next(iter(contents.values()), None)
            schema = content.get("schema") if isinstance(content, dict) else None
        return ParameterView(
            name=name,
            anchor=anchor,
            place=place if place in ("path", "query", "header", "cookie") else "query",
            is_required=parameter.get("required") is True,
            is_deprecated=parameter.get("deprecated") is True,
            html=render_text(str(parameter.get("description") or "")),
            facts=[*self._since(f"{self._within}{place} {name}"), *parameter_facts(self._root, parameter)],
            body=self._schemas.view(schema, anchor),
        )

    def _body(self, operation: Operation) -> BodyView | None:
        body = resolve(self._root, operation.data.get("requestBody"))
        if not isinstance(body, dict):
            return None
        anchor = f"{operation.anchor}/body"
        return BodyView(
            is_required=body.get("required") is True,
            html=render_text(str(body.get("description") or "")),
            facts=extension_facts(body),
            anchor=anchor,
            contents=[
                self._content(media_type, content, own, part="body", shows_example=True)
                for media_type, content, own in _placed(_contents(body), anchor)
            ],
        )

    def _response(self, operation: Operation, status: str, raw: Any) -> ResponseView:
        answer = resolve(self._root, raw)
        answer = answer if isinstance(answer, dict) else {}
        kind = _kind(status)
        anchor = f"{operation.anchor}/response/{anchor_part(status)}"
        contents = _contents(answer)
        note = ""
        if status == "501":
            note = "Not implemented: the address is reserved, and every request is answered like this."
        elif not contents:
            note = "No body: the status is the whole answer."
        return ResponseView(
            status=status,
            phrase=_phrase(status),
            anchor=anchor,
            kind=kind,
            note=note,
            html=render_text(_summed_up(answer)),
            facts=extension_facts(answer),
            headers=[self._header(name, header, anchor) for name, header in (answer.get("headers") or {}).items()],
            contents=[
                self._content(media_type, content, own, part=status, shows_example=kind != "error" or len(content) > 1)
                for media_type, content, own in _placed(contents, anchor)
            ],
            links=self._links(answer),
        )

    def _header(self, name: str, raw: Any, response: str) -> HeaderView:
        header = resolve(self._root, raw)
        header = header if isinstance(header, dict) else {}
        anchor = f"{response}/header:{anchor_part(name)}"
        html = render_text(str(header.get("description") or ""))
        view = self._schemas.view(header.get("schema", {}), anchor)
        body = msgspec.structs.replace(view, facts=[*view.facts, *parameter_facts(self._root, header)])
        return HeaderView(name=name, anchor=anchor, html=html, body=body)

    def _content(
        self, media_type: str, content: dict[str, Any], anchor: str, *, part: str, shows_example: bool
    ) -> ContentView:
        """Make the view of a body. Args: part: `body` of a request, or the status of an answer."""
        is_request = part == "body"
        schema = content.get("schema", {})
        is_error = not is_request and not shows_example
        view = self._schemas.view(schema, anchor) if is_error else self._schemas.expanded(schema, anchor)
        examples = self._examples(media_type, content, is_request=is_request) if shows_example else []
        return ContentView(
            media_type=media_type,
            body=self._settings.marks.in_body(view, self._settings.since, self._within + part),
            is_stream=media_type == STREAM,
            encoding=[
                Fact(label=name, value=self._encoding(how)) for name, how in as_mapping(content.get("encoding")).items()
            ],
            facts=[*example_facts(self._resolved(content.get("examples"))), *extension_facts(content)],
            examples=examples,
        )

    def _encoding(self, how: Any) -> str:
        """Put into words how a field of a form is written."""
        known = {
            "contentType": "content",
            "style": "style",
            "explode": "explode",
            "allowReserved": "reserved characters",
        }
        given = as_mapping(how)
        words = [f"{label} {write_value(given[key])}" for key, label in known.items() if key in given]
        for name, raw in as_mapping(given.get("headers")).items():
            header = as_mapping(resolve(self._root, raw))
            facts = parameter_facts(self._root, header)
            view = self._schemas.view(header.get("schema", {}))
            about = [
                str(header.get("description") or ""),
                view.type,
                *(f"{one.label} {one.value}" for one in (*view.facts, *facts)),
            ]
            words.append(f"header {name}: {', '.join(filter(None, about))}")
        words += [f"{fact.label} {fact.value}" for fact in extension_facts(given)]
        return "; ".join(words) or write_value(how)

    def _resolved(self, named: Any) -> dict[str, Any]:
        return {name: resolve(self._root, value) for name, value in as_mapping(named).items()}

    def _examples(self, media_type: str, content: dict[str, Any], *, is_request: bool) -> list[ExampleView]:
        return [
            ExampleView(label=label, html=_example_block(media_type, value))
            for label, value in find_examples(self._make, media_type, content, is_request=is_request)
        ]

    def _callback(self, callback: Operation) -> CallbackView:
        data = callback.data
        about = [str(data.get("summary") or ""), str(data.get("description") or ""), *callback.about_path]
        self._within = f"callback {callback.id} "
        found = CallbackView(
            name=callback.id,
            anchor=callback.anchor,
            method=callback.method,
            path=callback.path,
            html=render_text("\n\n".join(dict.fromkeys(filter(None, about)))),
            facts=[
                *(Fact(label="server", value=server) for server in callback.servers),
                *(Fact(label=link.label, value=link.href) for link in _doc_links(data.get("externalDocs"))),
                *_operation_facts(callback),
            ],
            parameters=[self._parameter(callback, parameter) for parameter in callback.parameters],
            body=self._body(callback),
            responses=[self._response(callback, status, answer) for status, answer in _responses(data)],
        )
        self._within = ""
        return found

    def _links(self, answer: dict[str, Any]) -> list[LinkView]:
        links = []
        for name, raw in as_mapping(answer.get("links")).items():
            link = resolve(self._root, raw)
            if isinstance(link, dict):
                target = str(link.get("operationId") or link.get("operationRef") or "")
                values = [
                    Fact(label=key, value=write_value(value))
                    for key, value in as_mapping(link.get("parameters")).items()
                ]
                if "requestBody" in link:
                    values.append(Fact(label="body", value=write_value(link["requestBody"])))
                server = as_mapping(link.get("server"))
                if server:
                    values.append(Fact(label="server", value=fill_server(server)))
                    values += server_facts([{"servers": [server]}])
                values += extension_facts(link)
                links.append(
                    LinkView(
                        name=name,
                        operation=NamedLink(label=target, href=self._settings.address_of(target)),
                        html=render_text(str(link.get("description") or "")),
                        values=values,
                    )
                )
        return links

    def _samples(self, operation: Operation) -> list[ExampleView]:
        request = make_request(self._make, operation)
        request = msgspec.structs.replace(request, body=shorten(request.body, _LONG_SAMPLE))
        given = given_samples(operation.data)
        taken = {sample.language for sample in given if sample.language != "bash" or sample.label == LABELS["curl"]}
        return [
            *(ExampleView(label=sample.label, html=code_block(sample.code, sample.language)) for sample in given),
            *(
                ExampleView(
                    label=LABELS[language], html=write_block(write_sample(language, request), HIGHLIGHTED_AS[language])
                )
                for language in self._settings.samples
                if HIGHLIGHTED_AS[language] not in taken
            ),
        ]


def _summed_up(answer: dict[str, Any]) -> str:
    """Give what an answer says of itself: its summary (OpenAPI 3.2), where the description does not begin with it."""
    summary, about = str(answer.get("summary") or ""), str(answer.get("description") or "")
    return about if about.startswith(summary) else f"{summary}\n\n{about}"


def _operation_facts(operation: Operation) -> list[Fact]:
    """Say what is known of an operation and its path beside what has a place of its own."""
    data = operation.data
    return [
        *server_facts([operation.path_data, data]),
        *extension_facts(operation.path_data),
        *extension_facts(data),
        *extension_facts(data.get("externalDocs"), "documentation"),
        *extension_facts(data.get("responses"), "responses"),
    ]


def _example_block(media_type: str, value: Any) -> str:
    if isinstance(value, str) and "json" not in media_type:
        text, language = value, "text"
    else:
        text, language = write_json(value), "json"
    if len(text) <= _LONG_EXAMPLE:
        return write_block(text, language)
    block = write_block(text, "text")
    return f'<details class="api-inside"><summary>Example of {len(text):,} characters</summary>{block}</details>'


def _contents(holder: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    content = holder.get("content")
    pairs = content.items() if isinstance(content, dict) else ()
    return [(media_type, value) for media_type, value in pairs if isinstance(value, dict)]


def _placed(contents: list[tuple[str, dict[str, Any]]], anchor: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Give each form of a body a place for its fields: the first that of the body, the others their own below it."""
    for index, (media_type, content) in enumerate(contents):
        yield media_type, content, anchor if index == 0 else f"{anchor}/{anchor_part(media_type)}"


def _responses(data: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for status, answer in (data.get("responses") or {}).items():
        if not status.startswith("x-"):
            yield status, answer


def _kind(status: str) -> Literal["success", "redirect", "error", "other"]:
    first = status[:1]
    return "success" if first == "2" else "redirect" if first == "3" else "error" if first in "45" else "other"


def _phrase(status: str) -> str:
    if status == "default":
        return "Any other status"
    try:
        return HTTPStatus(int(status)).phrase
    except ValueError:
        return ""


def _doc_links(docs: Any) -> list[NamedLink]:
    url = docs.get("url") if isinstance(docs, dict) else None
    if not isinstance(url, str) or not url.startswith(("https://", "http://")):
        return []
    return [NamedLink(label=str(docs.get("description") or url), href=url)]
