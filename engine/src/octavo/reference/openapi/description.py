"""`Description`: a document that was read and checked, with the addresses of its parts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from octavo.config import ApiReference
from octavo.content import slugify
from octavo.reference.api_views import SchemaView
from octavo.reference.comparing import NO_SINCE, Since
from octavo.reference.openapi.bounds.parts import find_large_fields
from octavo.reference.openapi.bounds.shorten import shorten
from octavo.reference.openapi.bounds.weights import CARD, EXAMPLE, weigh_example, weigh_operation, weigh_view
from octavo.reference.openapi.guides import Guides
from octavo.reference.openapi.layout import Group, choose_layout, group_operations, group_schemas, is_large_tag
from octavo.reference.openapi.names import Unique, anchor_part, file_part, schema_anchor
from octavo.reference.openapi.operation import Operation, find_operations
from octavo.reference.openapi.operation_view import OperationSettings, OperationViewer
from octavo.reference.openapi.schemas import SchemaViewer
from octavo.reference.openapi.source.problems import write_key
from octavo.reference.openapi.source.references import as_mapping
from octavo.reference.openapi.text import SectionedText, render_sections
from octavo.reference.openapi.write.blocks import write_json
from octavo.reference.openapi.write.examples import Examples
from octavo.reference.openapi.write.field_marks import FieldMarks

_LONGEST_NAME = 120
"""Characters of an operation id that the name of a file keeps."""


class Description:
    """One API of the site."""

    def __init__(
        self,
        config: ApiReference,
        root: dict[str, Any],
        digest: str,
        guides: Guides,
        large_tags: Collection[str] | None = None,
    ) -> None:
        """Initialize.

        Args:
            config: Its table in `octavo.toml`.
            root: The bundled and checked document.
            digest: Hash of what it was made of, guides included.
            guides: What `config.guides` says, with places.
            large_tags: What `large_tags` of an equal description said, to save weighing; None: not known.
        """
        self.config = config
        self.root = root
        self.examples = Examples(root)
        self.digest = digest
        self.guides = guides
        self.schemas: dict[str, Any] = as_mapping(as_mapping(root.get("components")).get("schemas"))
        self.operations: list[Operation] = find_operations(root)
        self.layout = choose_layout(config.layout, len(self.operations), len(self.schemas))
        self._known_large = large_tags
        self.groups: list[Group] = group_operations(root, self.operations, self.layout, self._is_large)
        self.route = f"/{config.doc}"
        self.since: Mapping[str, Since] = {}
        """Method and path of an operation → which version brought it and its parts; empty where that is not known."""

    def with_since(self, since: Mapping[str, Since], key: str) -> Description:
        """Give it the versions that have brought its operations and their parts; `key` is a hash of all that."""
        found = Description(self.config, self.root, key, self.guides, self.large_tags)
        found.since = since
        return found

    def since_of(self, operation: Operation) -> Since:
        """Return which version brought an operation and its parts."""
        return self.since.get(f"{operation.method} {operation.path}", NO_SINCE)

    @property
    def title(self) -> str:
        return self.config.title or str(as_mapping(self.root.get("info")).get("title") or self.config.id)

    @property
    def large_tags(self) -> list[str]:
        """Names of the tags whose operations have pages of their own."""
        return [group.name for group in self.groups if group.has_pages]

    def _is_large(self, tag: str, operations: Sequence[Operation]) -> bool:
        return (
            is_large_tag(operations, self._weigh_operation) if self._known_large is None else tag in self._known_large
        )

    def _weigh_operation(self, operation: Operation) -> int:
        return weigh_operation(self._operation_outlines.view(operation, ("",), level=2, has_heading=True, pointer=""))

    @cached_property
    def _operation_outlines(self) -> OperationViewer:
        """Makes views of operations that nobody sees: their links lead nowhere."""
        settings = OperationSettings(
            samples=list(self.config.samples),
            console="",
            command=self.config.command,
            address_of=str,
            markdown="",
            since=NO_SINCE,
            marks=FieldMarks({}),
        )
        return OperationViewer(self.examples, SchemaViewer(self.root, str), settings)

    @cached_property
    def schema_groups(self) -> dict[str, list[str]]:
        """Part of the address → names of the schemas of a shared page."""
        return group_schemas({name: self._weigh_schema(name) for name in self.schemas})

    def _weigh_schema(self, name: str) -> int:
        return min(weigh_view(self._outline(name)), CARD) + weigh_example(self.schema_example(name))

    def _outline(self, name: str) -> SchemaView:
        """Make the view of a schema that nobody sees: its links lead nowhere."""
        return SchemaViewer(self.root, str).view(self.schemas[name], schema_anchor(name))

    def schema_example(self, name: str) -> str:
        """Write the example of a named schema as JSON, no longer than a page of many schemas bears; or nothing."""
        example = self.examples.of({"$ref": f"#/components/schemas/{write_key(name)}"})
        return write_json(shorten(example, EXAMPLE)) if isinstance(example, dict | list) and example else ""

    @cached_property
    def schema_parts(self) -> dict[str, str]:
        """Id of a field that has a page of its own, since its schema is too large for one → route of the page."""
        if self.layout == "page":
            return {}
        found: dict[str, str] = {}
        unique = Unique(ignores_case=True)
        for group, names in self.schema_groups.items():
            for name in names:
                for anchor in find_large_fields(self._outline(name)):
                    path = anchor.removeprefix("schema/")
                    found[anchor] = f"{self.schemas_route(group)}/{unique.name(file_part(path))}"
        return found

    @cached_property
    def _group_of_schema(self) -> dict[str, str]:
        return {name: group for group, names in self.schema_groups.items() for name in names}

    @cached_property
    def slugs(self) -> dict[str, str]:
        """Operation id → the last part of its page's address."""
        unique = Unique(ignores_case=True)
        return {operation.id: unique.name(_operation_slug(operation.id)) for operation in self.operations}

    @cached_property
    def markdown_names(self) -> dict[str, str]:
        """Operation id → name of its Markdown file, without folder."""
        # The pages of tags and schemas have Markdown files of their own beside them.
        unique = Unique(ignores_case=True)
        for taken in ("schemas", *(group.slug for group in self.groups)):
            unique.name(taken)
        return {one.id: f"{unique.name(anchor_part(one.id)[:_LONGEST_NAME])}.md" for one in self.operations}

    def schema_address(self, name: str, page: str) -> str:
        """Give the address of a schema's home, as seen from a page (a route): a route, or only a fragment."""
        anchor = f"#{schema_anchor(name)}"
        if self.layout == "page" or name not in self._group_of_schema:
            return anchor
        route = self.schemas_route(self._group_of_schema[name])
        return anchor if route == page else f"{route}{anchor}"

    def schemas_route(self, group: str) -> str:
        return f"{self.route}/schemas/{group}" if group else f"{self.route}/schemas"

    def group_route(self, group: Group) -> str:
        return self.route if self.layout == "page" else f"{self.route}/{group.slug}"

    def operation_route(self, group: Group, operation: Operation) -> str:
        """Give the route of the page that shows an operation; the group is that of its first tag."""
        return f"{self.group_route(group)}/{self.slugs[operation.id]}" if group.has_pages else self.group_route(group)

    def operation_address(self, operation: Operation, page: str) -> str:
        """Give the address of an operation as seen from a page (a route): a route, a fragment or both."""
        group = self.group_of[operation.id]
        route = self.operation_route(group, operation)
        anchor = f"#{self.tag_anchor(operation, group)}"
        if group.has_pages and self.layout != "page":
            return route
        return anchor if route == page else f"{route}{anchor}"

    @cached_property
    def group_of(self) -> dict[str, Group]:
        """Operation id → the group of its first tag."""
        return {operation.id: group for group in self.groups for operation in group.operations}

    @cached_property
    def groups_by_name(self) -> dict[str, Group]:
        return {group.name: group for group in self.groups}

    def tag_anchor(self, operation: Operation, group: Group) -> str:
        """Give the anchor of an operation under one of its tags."""
        return f"{group.anchor}/{operation.anchor}"

    @cached_property
    def about(self) -> SectionedText:
        """What the description says of itself: its summary, where the text does not begin with it, and the text."""
        info: dict[str, Any] = self.root.get("info") or {}
        summary, about = str(info.get("summary") or ""), str(info.get("description") or "")
        return render_sections(about if about.startswith(summary) else f"{summary}\n\n{about}", "section", 2)

    @cached_property
    def aliases(self) -> dict[str, str]:
        """Fragments that other viewers understand, in lower case → anchor: `authentication`, `/pets/getPet` (Swagger UI)."""
        found: dict[str, str] = {}
        for section in self.about.sections:
            for name in (slugify(section.title), section.anchor):
                found.setdefault(name.casefold(), section.anchor)
        for operation in self.operations:
            for tag in operation.tags:
                found.setdefault(f"/{tag}/{operation.name or operation.id}".casefold(), operation.anchor)
        for group in self.groups:
            found.setdefault(f"/{group.name}".casefold(), group.anchor)
        return found

    @cached_property
    def moved(self) -> dict[str, str]:
        """Anchor of the one-page layout → route of the page that holds it now; what begins with it and a slash as well."""
        if self.layout == "page":
            return {}
        found: dict[str, str] = {}
        for group in self.groups:
            found[group.anchor] = self.group_route(group)
            for operation in group.operations:
                route = self.operation_route(group, operation)
                found[operation.anchor] = route
                for tag in operation.tags:
                    found[self.tag_anchor(operation, self.groups_by_name[tag])] = route
        for part, names in self.schema_groups.items():
            found |= {schema_anchor(name): self.schemas_route(part) for name in names}
        return found | self.schema_parts

    @cached_property
    def places(self) -> dict[str, str]:
        """Anchor that texts of the description may name → route of the page that holds it; see `moved`."""
        return {section.anchor: self.route for section in self.about.sections} | self.moved

    @cached_property
    def schema_of_part(self) -> dict[str, str]:
        """Id of a field that has a page of its own → the schema that it belongs to."""
        return {
            anchor: max((name for name in self.schemas if anchor.startswith(f"{schema_anchor(name)}/")), key=len)
            for anchor in self.schema_parts
        }

    def field_name(self, schema: str, anchor: str) -> str:
        """Name a field by its way from its schema."""
        way = anchor.removeprefix(f"{schema_anchor(schema)}/")
        return f"{schema}.{way.replace('/', '.').replace('~1', '/')}"

    def moved_from(self, group: str) -> dict[str, str]:
        """Anchor of a page of schemas → route of the page that holds it, since the schema is too large for one."""
        starts = tuple(f"{schema_anchor(name)}/" for name in self.schema_groups[group])
        return {anchor: route for anchor, route in self.schema_parts.items() if anchor.startswith(starts)}


Href = Callable[[str], str]
"""An address as `Description` gives it → what the page holds."""


def _operation_slug(name: str) -> str:
    slug = file_part(name)
    # They would be taken for the index of a folder.
    return f"{slug}-operation" if slug in ("index", "readme") else slug
