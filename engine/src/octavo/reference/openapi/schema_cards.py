"""Named schemas, and fields too large for their pages, as they are shown at their home."""

from __future__ import annotations

from octavo.reference.api_views import SchemaCard, SchemaView
from octavo.reference.openapi.bounds.parts import cut_out, find_field
from octavo.reference.openapi.description import Description, Href
from octavo.reference.openapi.names import schema_anchor
from octavo.reference.openapi.schemas import SchemaViewer
from octavo.reference.openapi.write.blocks import write_block
from octavo.reference.openapi.write.field_marks import FieldMarks


class SchemaCards:
    """Makes them for a page (a route); `href` makes links of addresses."""

    def __init__(self, description: Description, page: str, href: Href) -> None:
        self._d = description
        self._page = page
        self._href = href

    def viewer(self) -> SchemaViewer:
        """Make what draws schemas with the links of the page."""
        return SchemaViewer(self._d.root, self.address, self._field_address)

    def address(self, name: str) -> str:
        """Give the address of a schema's home."""
        return self._href(self._d.schema_address(name, self._page))

    def _field_address(self, anchor: str) -> str:
        route = self._d.schema_parts.get(anchor)
        return "" if route is None else self._href(f"#{anchor}" if route == self._page else f"{route}#{anchor}")

    def schema(self, name: str, level: int) -> SchemaCard:
        """Show a schema, without what has pages of its own."""
        anchor = schema_anchor(name)
        view = self._view(name)
        example = self._d.schema_example(name)
        return SchemaCard(
            name=name,
            anchor=anchor,
            has_heading=True,
            level=level,
            body=cut_out(view, self._field_address),
            example=write_block(example, "json") if example else "",
        )

    def _view(self, name: str) -> SchemaView:
        view = self.viewer().view(self._d.schemas[name], schema_anchor(name))
        return FieldMarks(self._d.since).in_schema(view, name)

    def field(self, name: str, anchor: str, level: int) -> SchemaCard:
        """Show a field of a schema that has a page of its own."""
        found = find_field(self._view(name), anchor)
        return SchemaCard(
            name=self._d.field_name(name, anchor),
            anchor=anchor,
            has_heading=True,
            level=level,
            body=cut_out(found.body, self._field_address),
            example="",
        )
