"""What the renderer of a fragment offers to the functions that draw single nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.scan.scope import Scope
    from octavo.content.source import Fragment


class NodeRenderer(Protocol):
    """The renderer of the fragment in which a node's placeholder lies.

    Node functions depend on this protocol and not on the renderer's module, which imports all of them.
    """

    @property
    def context(self) -> CompileContext:
        """State of the page that is compiled."""

    @property
    def scope(self) -> Scope:
        """Names, props and nodes of the file."""

    @property
    def fragment(self) -> Fragment:
        """The Markdown that is rendered."""

    @property
    def kind(self) -> str:
        """Kind of its text for search: `paragraph`, `admonition`, `tab` or `summary`."""

    def nested(self, fragment: Fragment, kind: str, scope: Scope | None = None) -> tuple[str, str]:
        """Render another fragment: its HTML with slots, and itself as plain Markdown."""

    def opening_tag(self, tag: str, offset: int) -> str:
        """Rewrite an opening tag of the author's: its links, files and ids; `offset` is in the file."""
