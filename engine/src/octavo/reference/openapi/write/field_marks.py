"""Say of fields of bodies and of named schemas which version brought them, and which changed them last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from octavo.reference.api_views import Fact, FieldView, SchemaView
from octavo.reference.comparing import NO_SINCE, Since


class MarkPlace(NamedTuple):
    """Where versions of fields are looked up."""

    since: Since
    prefix: str
    """Before the path of a field: `body `, `200 `, or nothing in a named schema."""


class FieldMarks:
    """Marks the fields in views of one document's schemas."""

    def __init__(self, named: Mapping[str, Since]) -> None:
        """Initialize. Args: named: Name of a schema → which version brought it and its fields, where that is known."""
        self._named = named

    def in_body(self, view: SchemaView, since: Since, part: str) -> SchemaView:
        """Mark the fields of a body.

        Args:
            view: The body.
            since: Of its operation.
            part: `body`, or the status of an answer.
        """
        return self._marked(view, [MarkPlace(since, f"{part} ")], "", since.parts.get(part) or since.version)

    def in_schema(self, view: SchemaView, name: str) -> SchemaView:
        """Mark the fields of a named schema, and the schema itself if it came later than the oldest version."""
        since = self._named.get(name, NO_SINCE)
        marked = self._marked(view, [MarkPlace(since, "")], "", since.version)
        facts = [Fact(label="since", value=since.version)] if since.version else []
        return msgspec.structs.replace(marked, facts=[*facts, *marked.facts]) if facts else marked

    def _marked(self, view: SchemaView, known: Sequence[MarkPlace], path: str, outer: str) -> SchemaView:
        """Mark what a view shows. Args: path: Of its fields, with a final dot. outer: Version that has brought all of it."""
        if not view.fields and not view.parts:
            return view
        return msgspec.structs.replace(
            view,
            fields=[self._field(field, known, path, outer) for field in view.fields],
            parts=[
                msgspec.structs.replace(
                    part, schemas=[self._marked(one, self._with_own(one, known), path, outer) for one in part.schemas]
                )
                for part in view.parts
            ],
        )

    def _with_own(self, view: SchemaView, known: Sequence[MarkPlace]) -> Sequence[MarkPlace]:
        """Add the named schema that an alternative is: its fields may be described with the whole, or by themselves."""
        own = self._named.get(view.link.label) if view.link is not None else None
        return [*known, MarkPlace(own, "")] if own is not None else known

    def _field(self, field: FieldView, known: Sequence[MarkPlace], path: str, outer: str) -> FieldView:
        part = f"{path}{field.name}"
        version = next((found for one in known if (found := one.since.parts.get(one.prefix + part))), "")
        changed = next((found for one in known if (found := one.since.changed.get(one.prefix + part))), "")
        link = field.body.link
        if link is None:
            body = self._marked(field.body, known, f"{part}.", version or outer)
        else:
            own = self._named.get(link.label, NO_SINCE)
            body = self._marked(field.body, [MarkPlace(own, "")], "", own.version or version or outer)
        facts = [Fact(label="since", value=version)] if version and version != outer else []
        facts += [Fact(label="changed", value=changed)] if changed else []
        if facts:
            body = msgspec.structs.replace(body, facts=[*facts, *body.facts])
        return field if body is field.body else msgspec.structs.replace(field, body=body)
