"""Views: what the pages of an API description are drawn from.

Props of the islands `api-overview`, `api-tag`, `api-operation` and `api-schema`.
Part of the contract in `contract/payload.py`, from which the theme's types are generated. Fields that end in `html` hold
safe HTML; all others are text. An `href` may hold the slot of a link (see `content/document.py`).
"""

from __future__ import annotations

from typing import Literal

import msgspec


class View(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Base: camelCase on the wire."""


class NamedLink(View, frozen=True, kw_only=True):
    label: str
    href: str


class Fact(View, frozen=True, kw_only=True):
    """One keyword of a schema in words: `at least` `1`."""

    label: str
    value: str


class SchemaView(View, frozen=True, kw_only=True):
    """A schema, references drawn as links."""

    type: str = ""
    """In words, such as `string`, `array of`, `integer or null`; what `link` names follows it."""
    link: NamedLink | None = None
    """The named schema that it refers to."""
    flags: list[str] = []
    """`read-only`, `write-only`, `deprecated`, `nullable`."""
    facts: list[Fact] = []
    values: list[str] = []
    """Of an enumeration, as JSON."""
    html: str = ""
    fields: list[FieldView] = []
    parts: list[SchemaPart] = []
    inside: str = ""
    """Address of the page that shows its fields and parts, where they have one of their own."""


class FieldView(View, frozen=True, kw_only=True):
    """A field of an object."""

    name: str
    anchor: str
    """Its id; empty where the field has its home elsewhere."""
    href: str
    """Leads to the field's home."""
    is_required: bool
    body: SchemaView


class SchemaPart(View, frozen=True, kw_only=True):
    """Schemas within a schema that are not fields: alternatives, items, conditions."""

    label: str
    html: str = ""
    schemas: list[SchemaView]


class ParameterView(View, frozen=True, kw_only=True):
    name: str
    anchor: str
    place: Literal["path", "query", "header", "cookie"]
    is_required: bool
    is_deprecated: bool
    html: str
    facts: list[Fact]
    body: SchemaView


class ExampleView(View, frozen=True, kw_only=True):
    label: str
    html: str
    """A finished code block."""


class ContentView(View, frozen=True, kw_only=True):
    """A body in one media type."""

    media_type: str
    body: SchemaView
    is_stream: bool
    """Server-sent events: the answer does not end."""
    encoding: list[Fact]
    """How fields of a form are written, by field."""
    facts: list[Fact]
    """Its extensions (`x-…`), and what its examples say beside their values."""
    examples: list[ExampleView]


class HeaderView(View, frozen=True, kw_only=True):
    name: str
    anchor: str
    html: str
    body: SchemaView


class ResponseView(View, frozen=True, kw_only=True):
    status: str
    """`200`, `4XX` or `default`."""
    phrase: str
    """Name of the status, such as `Not Found`."""
    anchor: str
    kind: Literal["success", "redirect", "error", "other"]
    note: str
    """What is special: no body, not implemented."""
    html: str
    facts: list[Fact]
    """Its extensions (`x-…`)."""
    headers: list[HeaderView]
    contents: list[ContentView]
    links: list[LinkView]


class LinkView(View, frozen=True, kw_only=True):
    """What an answer says of a request that can follow it."""

    name: str
    operation: NamedLink
    """The operation; its `href` is empty where it is none of the document."""
    html: str
    values: list[Fact]
    """Parameters of the request, and expressions for their values."""


class BodyView(View, frozen=True, kw_only=True):
    is_required: bool
    html: str
    facts: list[Fact]
    """Its extensions (`x-…`)."""
    anchor: str
    contents: list[ContentView]


class CallbackView(View, frozen=True, kw_only=True):
    """A request that the server makes in return."""

    name: str
    anchor: str
    method: str
    path: str
    """Expression of its address."""
    html: str
    facts: list[Fact]
    """Its servers, and extensions (`x-…`) of it and of its path."""
    parameters: list[ParameterView]
    body: BodyView | None
    responses: list[ResponseView]


class OperationView(View, frozen=True, kw_only=True):
    """Props of the island `api-operation`."""

    pointer: str
    """JSON pointer of the operation in the published document; the console finds it by that."""
    anchor: str
    """`operation/{id}`."""
    heading_anchor: str
    """`tag/{tag}/operation/{id}`, of its first tag."""
    more_anchors: list[str]
    """Of the operation's other tags."""
    level: int
    """Of its heading."""
    has_heading: bool
    method: str
    path: str
    title: str
    html: str
    is_deprecated: bool
    servers: list[str]
    """Empty where they are those of the whole document."""
    security: list[str]
    """Alternatives; empty if none is required."""
    links: list[NamedLink]
    facts: list[Fact]
    """Extensions (`x-…`) of it and of its path, and what its servers say beside their addresses."""
    guides: list[NamedLink]
    """Pages that tell how to use it."""
    parameters: list[ParameterView]
    body: BodyView | None
    responses: list[ResponseView]
    callbacks: list[CallbackView]
    samples: list[ExampleView]
    console: str
    """Address of the document that the console reads; empty where there is no console."""
    command: str
    """Command that starts the API on the reader's machine; may be empty."""
    markdown: str
    """Address of the operation as Markdown."""


class TagView(View, frozen=True, kw_only=True):
    """Props of the island `api-tag`: the head of a group of operations, with a list of them."""

    section: str
    """Title of what it is listed in with other groups; empty where it is in none."""
    section_anchor: str
    anchor: str
    title: str
    has_heading: bool
    html: str
    facts: list[Fact]
    """Its extensions (`x-…`)."""
    links: list[NamedLink]
    guides: list[NamedLink]
    """Pages that tell how to do something with the group."""
    operations: list[OperationLink]
    others: list[OperationLink]
    """Operations that are shown with another tag."""
    count: int
    """Of all of these; the overview of a very large API does not list them."""
    page: str
    """Address of the group's own page; empty on it, and where it has none."""
    moved: list[str]
    """See `OperationLink.moved`."""


class OperationLink(View, frozen=True, kw_only=True):
    method: str
    path: str
    title: str
    href: str
    moved: list[str]
    """Ids that addresses of the one-page layout name, and that are on the page to which `href` leads."""
    is_deprecated: bool


class SchemaLink(View, frozen=True, kw_only=True):
    label: str
    href: str
    moved: list[str]
    """See `OperationLink.moved`."""


class SchemaNames(View, frozen=True, kw_only=True):
    """Props of the island `api-names`: a list of schemas."""

    schemas: list[SchemaLink]


class SchemaCard(View, frozen=True, kw_only=True):
    """Props of the island `api-schema`: a named schema at its home."""

    name: str
    anchor: str
    has_heading: bool
    level: int
    body: SchemaView
    example: str
    """A finished code block, or nothing."""


class ServerView(View, frozen=True, kw_only=True):
    url: str
    html: str
    facts: list[Fact]
    """Its extensions (`x-…`)."""


class SecurityView(View, frozen=True, kw_only=True):
    name: str
    kind: str
    html: str
    facts: list[Fact]
    """Its extensions (`x-…`)."""


class OverviewView(View, frozen=True, kw_only=True):
    """Props of the island `api-overview`."""

    version: str
    openapi: str
    html: str
    """What the description says of itself, up to its first heading."""
    sections_html: str
    """The rest of it."""
    facts: list[Fact]
    links: list[NamedLink]
    servers: list[ServerView]
    security: list[SecurityView]
    download: str
    """Address of the document."""
    download_name: str
    pages: list[TagView]
    """Groups of operations that have pages of their own; empty where this page holds them."""
    schemas: list[SchemaLink]
    """Schemas that have pages of their own."""
