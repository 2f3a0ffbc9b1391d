"""Schemas: every keyword of JSON Schema 2020-12 and of OpenAPI 3.0 in words, references as links."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from octavo.reference.api_views import Fact, FieldView, NamedLink, SchemaPart, SchemaView
from octavo.reference.openapi.facts import example_facts, example_value, extension_facts, named_example, write_value
from octavo.reference.openapi.names import anchor_part, schema_name
from octavo.reference.openapi.source.references import as_list, resolve
from octavo.reference.openapi.text import render_text
from octavo.reference.openapi.text.enumerations import list_of_notes, notes_of_values, without_notes

MAX_DEPTH = 60
"""Levels of a schema that are drawn in place."""
_UNFOLDED_LEVELS = 3
_MOST_FIELDS = 160
"""Levels, and fields, of named schemas that are shown in place where a body refers to them."""

_FACTS: dict[str, str] = {
    "const": "always",
    "default": "default",
    "multipleOf": "multiple of",
    "minimum": "at least",
    "maximum": "at most",
    "minLength": "characters, at least",
    "maxLength": "characters, at most",
    "pattern": "pattern",
    "minItems": "items, at least",
    "maxItems": "items, at most",
    "minContains": "matching items, at least",
    "maxContains": "matching items, at most",
    "minProperties": "fields, at least",
    "maxProperties": "fields, at most",
    "contentEncoding": "encoding",
    "contentMediaType": "content",
}
_ALTERNATIVES = {"oneOf": "Exactly one of", "anyOf": "One or more of", "allOf": "All of"}
_SINGLE_PARTS = {
    "not": "Not",
    "if": "If it is",
    "then": "Then it is also",
    "else": "Otherwise it is also",
    "contains": "Holds at least one",
    "propertyNames": "Names of fields",
    "contentSchema": "Content",
    "unevaluatedItems": "Items not named above",
    "unevaluatedProperties": "Fields not named above",
}
_FLAGS = {"nullable": "nullable", "readOnly": "read-only", "writeOnly": "write-only", "deprecated": "deprecated"}
_WITH_PARTS = {
    *_ALTERNATIVES,
    *_SINGLE_PARTS,
    *("discriminator", "prefixItems", "additionalProperties", "patternProperties", "dependentSchemas", "$defs"),
}
"""Keywords of which `_parts` says something; most schemas have none."""
_TEXTS = {"type", "format", "description", "properties", "required", "items", "enum"}
_WITHOUT_FACTS = {*_TEXTS, *_FLAGS, *_WITH_PARTS} - {"discriminator"}


class _Place(NamedTuple):
    """Places of a schema's fields."""

    anchor: str
    """Prefix of their ids; empty where they have none here."""
    href: str
    """Prefix of links to them: on this page, or on the page that holds them."""

    def under(self, key: str) -> _Place:
        """Give the place of a field, or of a schema within."""
        return _Place(self.anchor and f"{self.anchor}/{key}", self.href and f"{self.href}/{key}")


class SchemaViewer:
    """Makes the views of one document's schemas."""

    def __init__(
        self, root: dict[str, Any], href: Callable[[str], str], field_href: Callable[[str], str] = lambda _: ""
    ) -> None:
        """Initialize.

        Args:
            root: The bundled document.
            href: Name of a schema → address of its home.
            field_href: Id of a field → its address, where it has another page than its schema; else nothing.
        """
        self._root = root
        self._href = href
        self._field_href = field_href
        self._unfolded: list[str] = []
        """Named schemas that are being shown in place, one within the other; none where references are links only."""
        self._room = 0
        """Fields that may still be shown in place."""

    def view(self, schema: Any, anchor: str = "") -> SchemaView:
        """Make the view of a schema.

        Args:
            schema: A schema, or a reference to one.
            anchor: Where its fields have their anchors; empty gives none.
        """
        return self._view(schema, _Place(anchor, f"#{anchor}" if anchor else ""), 0)

    def expanded(self, schema: Any, anchor: str = "") -> SchemaView:
        """Make the view of a body: what it refers to is shown in place, its fields linked to their home.

        Recursion ends in a link, and so does what lies deeper than a few levels or would make the page very long.
        """
        self._room, self._unfolded = _MOST_FIELDS, [""]
        try:
            return self._expanded(schema, anchor)
        finally:
            self._unfolded = []

    def _expanded(self, schema: Any, anchor: str) -> SchemaView:
        name = _target_name(schema)
        if name is not None:
            # Shown below as the body itself, not as something within it.
            self._unfolded.append(name)
        view = self.view(schema, anchor)
        if name is None:
            return view
        inner = self._view(self._named(name), _Place("", self._href(name)), 0)
        return SchemaView(
            type=view.type,
            link=view.link,
            flags=view.flags,
            facts=[*view.facts, *inner.facts],
            values=inner.values,
            html=view.html,
            fields=[*view.fields, *inner.fields],
            parts=[*view.parts, *inner.parts],
        )

    def _view(self, schema: Any, place: _Place, depth: int) -> SchemaView:
        """Make the view of a schema that lies `depth` deep in others."""
        if not isinstance(schema, dict):
            return SchemaView(type="nothing" if schema is False else "anything")
        if depth > MAX_DEPTH:
            return SchemaView(type="nested deeper than is shown; see the document")
        ref = schema.get("$ref", schema.get("$dynamicRef"))
        if isinstance(ref, str):
            return self._reference(schema, ref, place, depth)
        merged = self._nullable_reference(schema, place, depth)
        return merged if merged is not None else self._own(schema, place, depth)

    def _reference(self, schema: dict[str, Any], ref: str, place: _Place, depth: int) -> SchemaView:
        siblings = {key: value for key, value in schema.items() if key not in ("$ref", "$dynamicRef")}
        own = self._own(siblings, place, depth + 1) if siblings else SchemaView()
        name = schema_name(ref)
        if name is not None:
            link = NamedLink(label=name, href=self._href(name))
            view = msgspec.structs.replace(own, type="", link=link)
            return self._unfold(view, name, depth) if self._unfolded else view
        target = resolve(self._root, schema)
        if not isinstance(target, dict) or depth > 4:
            return msgspec.structs.replace(own, type=ref)
        inner = self._view(target, place.under("$ref:1") if own.fields or own.parts else place, depth + 1)
        return _joined(inner, own, type_=inner.type, flags=[*inner.flags, *own.flags])

    def _unfold(self, view: SchemaView, name: str, depth: int) -> SchemaView:
        """Show what a named schema holds below the link to it, if there is room and it isn't being shown already."""
        target = self._named(name)
        if name in self._unfolded or len(self._unfolded) > _UNFOLDED_LEVELS or self._room <= 0:
            return view
        self._unfolded.append(name)
        inner = self._view(target, _Place("", self._href(name)), depth + 1)
        self._unfolded.pop()
        return msgspec.structs.replace(
            view,
            facts=[*view.facts, *inner.facts],
            values=[*view.values, *inner.values],
            html=view.html or inner.html,
            fields=[*view.fields, *inner.fields],
            parts=[*view.parts, *inner.parts],
        )

    def _named(self, name: str) -> Any:
        """Give a named schema as it is written: one that only refers to another has that one's fields, not its own."""
        return self._root.get("components", {}).get("schemas", {}).get(name)

    def _nullable_reference(self, schema: dict[str, Any], place: _Place, depth: int) -> SchemaView | None:
        """Write `anyOf: [X, null]` as `X or null`, the way 3.1 says what 3.0 called nullable."""
        for keyword in ("anyOf", "oneOf"):
            options = schema.get(keyword)
            if not isinstance(options, list) or len(options) != 2:
                continue
            others = [option for option in options if option != {"type": "null"}]
            if len(others) != 1:
                continue
            outer = {key: value for key, value in schema.items() if key != keyword}
            own = self._own(outer, place, depth + 1)
            inner = self._view(others[0], place.under(f"{keyword}:1") if own.fields or own.parts else place, depth + 1)
            return _joined(
                inner,
                own,
                type_=f"{inner.type} or null" if not inner.link else inner.type,
                flags=[*(["nullable"] if inner.link else []), *own.flags, *inner.flags],
            )
        return None

    def _own(self, schema: dict[str, Any], place: _Place, depth: int) -> SchemaView:
        items = schema.get("items")
        is_list = isinstance(items, dict) and "prefixItems" not in schema
        fields = self._fields(schema, place, depth)
        inner = SchemaView()
        if is_list:
            has_own = fields or not schema.keys().isdisjoint(_WITH_PARTS)
            inner = self._view(items, place.under("items:1") if has_own else place, depth + 1)
        words = _type_words(schema)
        if is_list:
            words = f"{words.replace('array', 'array of', 1)} {inner.type}".strip()
        notes = notes_of_values(schema)
        html = render_text(f"{schema.get('description') or ''}\n\n{list_of_notes(notes)}")
        return SchemaView(
            type=words,
            link=inner.link,
            flags=_flags(schema),
            facts=[*_facts(schema), *[Fact(label=f"each: {fact.label}", value=fact.value) for fact in inner.facts]],
            values=[*([] if notes else map(write_value, as_list(schema.get("enum")))), *inner.values],
            html=html or inner.html,
            fields=[*fields, *inner.fields],
            parts=[*self._parts(schema, place, depth), *inner.parts],
        )

    def _fields(self, schema: dict[str, Any], place: _Place, depth: int) -> list[FieldView]:
        properties = schema.get("properties")
        if not isinstance(properties, dict):
            return []
        self._room -= len(properties)
        is_full = self._room <= 0
        required = {name for name in as_list(schema.get("required")) if isinstance(name, str)}
        fields = []
        for name, value in properties.items():
            own = place.under(anchor_part(name))
            home = self._field_href(own.href.partition("#")[2])
            own = own._replace(href=home or own.href)
            body = self._view(value, own, depth + 1)
            if self._unfolded and own.href and not own.anchor and (home or is_full) and (body.fields or body.parts):
                body = msgspec.structs.replace(body, fields=[], parts=[], inside=own.href)
            fields.append(
                FieldView(name=name, anchor=own.anchor, href=own.href, is_required=name in required, body=body)
            )
        return fields

    def _parts(self, schema: dict[str, Any], place: _Place, depth: int) -> list[SchemaPart]:
        parts: list[SchemaPart] = []
        if schema.keys().isdisjoint(_WITH_PARTS):
            return parts

        def add(label: str, key: str, schemas: Sequence[Any], html: str = "") -> None:
            # A colon tells them from fields, which may bear any name.
            places = [place.under(f"{key}:{number}") for number in range(1, len(schemas) + 1)]
            views = [self._view(one, inner, depth + 1) for one, inner in zip(schemas, places, strict=True)]
            parts.append(SchemaPart(label=label, html=html, schemas=views))

        for keyword, label in _ALTERNATIVES.items():
            if isinstance(schema.get(keyword), list):
                add(label, keyword, schema[keyword], self._discriminator(schema) if keyword != "allOf" else "")
        if "discriminator" in schema and not {"oneOf", "anyOf"} & schema.keys():
            parts.append(SchemaPart(label="Kinds", html=self._discriminator(schema), schemas=[]))
        if isinstance(schema.get("prefixItems"), list):
            add("Items, in this order", "prefixItems", schema["prefixItems"])
            if "items" in schema:
                add("Further items", "items", [schema["items"]])
        extra = schema.get("additionalProperties")
        if extra is False:
            parts.append(SchemaPart(label="No other fields", schemas=[]))
        elif isinstance(extra, dict):
            add("Every other field" if "properties" in schema else "Every value", "additionalProperties", [extra])
        for pattern, value in _items(schema.get("patternProperties")):
            add(f"Fields whose names match {pattern}", f"patternProperties:{anchor_part(pattern)}", [value])
        for name, value in _items(schema.get("dependentSchemas")):
            add(f"Where {name} is given", f"dependentSchemas:{anchor_part(name)}", [value])
        for keyword, label in _SINGLE_PARTS.items():
            if keyword in schema and schema[keyword] not in (True, None):
                if schema[keyword] is False:
                    parts.append(SchemaPart(label=f"{label}: none", schemas=[]))
                else:
                    add(label, keyword, [schema[keyword]])
        for name, value in _items(schema.get("$defs")):
            add(f"Defines {name}", f"$defs:{anchor_part(name)}", [value])
        return parts

    def _discriminator(self, schema: dict[str, Any]) -> str:
        found = schema.get("discriminator")
        if not isinstance(found, dict) or not isinstance(found.get("propertyName"), str):
            return ""
        text = f"The field `{found['propertyName']}` tells which."
        kinds = [f"`{value}`: {schema_name(str(ref)) or ref}" for value, ref in _items(found.get("mapping"))]
        if isinstance(other := found.get("defaultMapping"), str):
            kinds.append(f"any other, or none: {schema_name(other) or other}")
        return render_text(text + (f" {', '.join(kinds)}." if kinds else ""))


def parameter_facts(root: dict[str, Any], parameter: dict[str, Any]) -> list[Fact]:
    """Put into words what a parameter of the document `root` says beyond its schema."""
    names = {"style": "style", "explode": "explode", "allowReserved": "reserved characters", "allowEmptyValue": "empty"}
    facts = [Fact(label=label, value=write_value(parameter[key])) for key, label in names.items() if key in parameter]
    facts += _given_examples(root, parameter)
    # Instead of a schema it may have a body, in one media type.
    for media_type, content in _items(parameter.get("content")):
        facts.append(Fact(label="content", value=media_type))
        if isinstance(content, dict):
            facts += [*_given_examples(root, content), *extension_facts(content)]
    return [*facts, *extension_facts(parameter)]


def _given_examples(root: dict[str, Any], holder: dict[str, Any]) -> list[Fact]:
    """List the examples of a parameter with all that is said of them."""
    facts = [Fact(label="example", value=write_value(holder["example"]))] if "example" in holder else []
    examples = {name: resolve(root, example) for name, example in _items(holder.get("examples"))}
    for name, example in examples.items():
        if isinstance(example, dict) and (value := example_value(example)) is not msgspec.UNSET:
            facts.append(Fact(label=named_example(name, example), value=write_value(value)))
    return [*facts, *example_facts(examples)]


def _type_words(schema: dict[str, Any]) -> str:
    given = schema.get("type")
    types = [str(one) for one in given] if isinstance(given, list) else [str(given)] if given else []
    if not types:
        if "properties" in schema or "additionalProperties" in schema:
            types = ["object"]
        elif "items" in schema or "prefixItems" in schema:
            types = ["array"]
        elif isinstance(schema.get("enum"), list):
            types = sorted({_type_of(value) for value in schema["enum"]})
        elif "const" in schema:
            types = [_type_of(schema["const"])]
    words = " or ".join(types)
    if isinstance(schema.get("format"), str):
        words = f"{words} ({schema['format']})".strip()
    return words


def _type_of(value: Any) -> str:
    for kind, name in ((bool, "boolean"), (str, "string"), (int, "integer"), (float, "number"), (list, "array")):
        if isinstance(value, kind):
            return name
    return "null" if value is None else "object"


def _flags(schema: dict[str, Any]) -> list[str]:
    return [word for key, word in _FLAGS.items() if schema.get(key) is True]


def _facts(schema: dict[str, Any]) -> list[Fact]:
    facts = _required_elsewhere(schema)
    if schema.keys() <= _WITHOUT_FACTS:
        return facts
    if isinstance(schema.get("title"), str) and schema["title"]:
        facts.append(Fact(label="title", value=schema["title"]))
    for key, label in _FACTS.items():
        if key in schema:
            facts.append(Fact(label=label, value=write_value(schema[key])))
    facts += _exclusive(schema)
    if schema.get("uniqueItems") is True:
        facts.append(Fact(label="items", value="each once"))
    for name, others in _items(schema.get("dependentRequired")):
        facts.append(Fact(label=f"with {name}, also required", value=", ".join(map(str, as_list(others)))))
    examples = [schema["example"]] if "example" in schema else []
    # Whole objects are shown as blocks, beside the bodies that they are examples of.
    plain = [value for value in (*examples, *as_list(schema.get("examples"))) if not isinstance(value, dict)]
    facts += [Fact(label="example", value=write_value(value)) for value in plain]
    xml = schema.get("xml")
    if isinstance(xml, dict) and xml:
        said = {key: value for key, value in xml.items() if not key.startswith("x-") and value is not False}
        words = [key if value is True else f"{key} {write_value(value)}" for key, value in said.items()]
        facts += [Fact(label="xml", value=", ".join(words)), *extension_facts(xml, "xml")]
    docs = schema.get("externalDocs")
    if isinstance(docs, dict) and isinstance(docs.get("url"), str):
        about = docs.get("description")
        facts.append(Fact(label="see also", value=f"{about}: {docs['url']}" if about else docs["url"]))
    facts += extension_facts(docs, "see also") + extension_facts(schema.get("discriminator"), "discriminator")
    return facts + extension_facts(without_notes(schema))


def _required_elsewhere(schema: dict[str, Any]) -> list[Fact]:
    """Name required fields that the schema does not describe: those of its parts, or of the schema around it."""
    fields = schema.get("properties")
    known = fields if isinstance(fields, dict) else {}
    names = [name for name in as_list(schema.get("required")) if isinstance(name, str) and name not in known]
    return [Fact(label="required", value=", ".join(names))] if names else []


def _exclusive(schema: dict[str, Any]) -> list[Fact]:
    facts = []
    for key, base, word in (
        ("exclusiveMinimum", "minimum", "more than"),
        ("exclusiveMaximum", "maximum", "less than"),
    ):
        value = schema.get(key)
        if value is True:  # 3.0: a flag beside the limit
            facts.append(Fact(label=word, value=write_value(schema.get(base))))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            facts.append(Fact(label=word, value=write_value(value)))
    return facts


def _joined(inner: SchemaView, own: SchemaView, *, type_: str, flags: list[str]) -> SchemaView:
    """Join what a schema refers to with what it says beside that."""
    return SchemaView(
        type=type_,
        link=inner.link,
        flags=flags,
        facts=[*inner.facts, *own.facts],
        values=[*inner.values, *own.values],
        html=own.html or inner.html,
        fields=[*own.fields, *inner.fields],
        parts=[*inner.parts, *own.parts],
    )


def _target_name(schema: Any) -> str | None:
    """Name the schema that a body is, or that its items are; None where it is not a reference."""
    if not isinstance(schema, dict):
        return None
    items = schema.get("items")
    target = items if isinstance(items, dict) and "$ref" not in schema and "prefixItems" not in schema else schema
    return schema_name(str(target.get("$ref")))


def _items(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, dict) else []
