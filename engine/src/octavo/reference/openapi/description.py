"""`Description`: a document that was read and checked, with the addresses of its parts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from octavo.config import ApiReference
from octavo.reference.openapi.examples import Examples
from octavo.reference.openapi.guides import Guides
from octavo.reference.openapi.layout import Group, choose_layout, group_operations, group_schemas
from octavo.reference.openapi.names import anchor_part
from octavo.reference.openapi.operation import Operation, find_operations


class Description:
    """One API of the site."""

    def __init__(self, config: ApiReference, root: dict[str, Any], digest: str, guides: Guides) -> None:
        """Prepare.

        Args:
            config: Its table in `octavo.toml`.
            root: The bundled and checked document.
            digest: Hash of what it was made of, guides included.
            guides: What `config.guides` says, with places.
        """
        self.config = config
        self.root = root
        self.examples = Examples(root)
        self.digest = digest
        self.guides = guides
        self.schemas: dict[str, Any] = _mapping(_mapping(root.get("components")).get("schemas"))
        self.operations: list[Operation] = find_operations(root)
        self.groups: list[Group] = group_operations(root, self.operations)
        self.layout = choose_layout(config.layout, len(self.operations), len(self.schemas))
        self.route = f"/{config.doc}"

    @property
    def title(self) -> str:
        return self.config.title or str(_mapping(self.root.get("info")).get("title") or self.config.id)

    @cached_property
    def schema_groups(self) -> dict[str, list[str]]:
        """Part of the address → names of the schemas of a shared page."""
        return group_schemas(list(self.schemas))

    @cached_property
    def _group_of_schema(self) -> dict[str, str]:
        return {name: group for group, names in self.schema_groups.items() for name in names}

    @cached_property
    def slugs(self) -> dict[str, str]:
        """Operation id → the last part of its page's address."""
        from octavo.reference.openapi.names import Unique, file_part

        unique = Unique()
        return {operation.id: unique.name(file_part(operation.id)) for operation in self.operations}

    def schema_address(self, name: str, page: str) -> str:
        """Give the address of a schema's home, as seen from a page (a route): a route, or only a fragment."""
        anchor = f"#schema/{anchor_part(name)}"
        if self.layout == "single" or name not in self._group_of_schema:
            return anchor
        route = self.schemas_route(self._group_of_schema[name])
        return anchor if route == page else f"{route}{anchor}"

    def schemas_route(self, group: str) -> str:
        return f"{self.route}/schemas/{group}"

    def group_route(self, group: Group) -> str:
        return f"{self.route}/{self._group_slug(group)}"

    def operation_route(self, group: Group, operation: Operation) -> str:
        return f"{self.group_route(group)}/{self.slugs[operation.id]}"

    def _group_slug(self, group: Group) -> str:
        return f"{group.slug}-operations" if group.slug == "schemas" else group.slug


Href = Callable[[str], str]
"""An address as `Description` gives it → what the page holds."""


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
