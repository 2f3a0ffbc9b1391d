"""`Scope`: what names mean in one file: its imports, its props and its children."""

from __future__ import annotations

from typing import Any

from octavo.content.scan.nodes import Node
from octavo.content.source import DocumentText, Fragment


class Content:
    """Children of a component: Markdown with its own scope, or HTML drawn already."""

    __slots__ = ("fragment", "html", "is_tight", "markdown", "scope")

    def __init__(
        self,
        fragment: Fragment | None = None,
        scope: Scope | None = None,
        *,
        html: str = "",
        markdown: str = "",
        is_tight: bool = False,
    ) -> None:
        self.fragment = fragment
        self.scope = scope
        self.html = html
        self.markdown = markdown
        self.is_tight = is_tight


class Scope:
    """The surroundings of a file's fragments. A partial has a new scope each time it is used."""

    __slots__ = (
        "abbreviations",
        "builtins",
        "chain",
        "content",
        "definitions",
        "footnotes",
        "imports",
        "is_content_used",
        "nodes",
        "props",
        "source",
        "unclosed",
    )

    def __init__(
        self,
        source: DocumentText,
        *,
        props: dict[str, Any] | None = None,
        content: Content | None = None,
        chain: tuple[str, ...] = (),
    ) -> None:
        self.source = source
        self.props = props or {}
        self.content = content
        self.is_content_used = False
        self.chain = (*chain, source.path)
        """Paths from the page down to this file: a file that is in it already would include itself."""
        self.imports: dict[str, str] = {}
        """Name → path from the site's folder."""
        self.builtins: dict[str, str] = {}
        """Name of an imported component of another engine → the name under which it is known here."""
        self.nodes: list[Node] = []
        self.abbreviations: dict[str, str] = {}
        """Word → its meaning."""
        self.definitions: dict[str, tuple[str, str]] = {}
        """Link reference definitions of the whole file: folded label → (destination, title)."""
        self.footnotes: frozenset[str] = frozenset()
        """Labels of the footnotes that the file defines."""
        self.unclosed = 0
        """Statements of the file that are never closed."""


def fold_label(label: str) -> str:
    """Bring a reference label into the form by which labels are compared (CommonMark 4.7)."""
    return " ".join(label.split()).casefold()
