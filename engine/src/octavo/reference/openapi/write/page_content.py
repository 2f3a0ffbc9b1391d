"""`PageContent`: what a page of a reference is made of, gathered while its parts are written."""

from __future__ import annotations

import html as html_module
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

import msgspec

from octavo.content import SLOT, Document, FrontMatter, Heading, Island, Link, moved_route
from octavo.diagnostics import Span
from octavo.lazy import regex as re
from octavo.reference.api_views import View
from octavo.reference.openapi.anchors import unique_anchors

_FRAGMENT_LINK = re.compile(r'href="#([^"]+)"')
_MARKDOWN_LINK = re.compile(r"(?<=\]\()#([^()\s]+)(?=\))")


_NOTHING = Document(
    source_path="",
    front_matter=FrontMatter(),
    body="",
    headings=[],
    links=[],
    assets=[],
    islands=[],
    anchors=[],
    text=[],
    has_title=False,
    excerpt="",
    dependencies={},
    diagnostics=[],
)
"""An introduction that says nothing."""


class PageContent:
    """Body, islands, headings, links, texts for search, Markdown and files of one page."""

    def __init__(
        self,
        source_path: str,
        span: Span,
        moved: Mapping[str, str],
        aliases: Mapping[str, str],
        introduction: Document | None,
    ) -> None:
        """Initialize.

        Args:
            source_path: Path that its file would have, relative to the site's folder.
            span: Where links are found to be broken: the file of the description.
            moved: Anchors of the whole description → routes of the pages that have them.
            aliases: Further fragments that texts of the description may name, in lower case → anchors.
            introduction: Text before the reference.
        """
        self.route = ""
        """Route of the page."""
        self._source_path = source_path
        self._span = span
        self._all_moved = moved
        self._aliases = aliases
        # Its slots are numbered, so what is added counts on from there.
        self.introduction = introduction or _NOTHING
        self._links: dict[Link, int] = {}
        self._islands = list(self.introduction.islands)
        self.body = [self.introduction.body]
        self.headings = list(self.introduction.headings)
        self.chunks = list(self.introduction.text)
        self.markdown: list[str] = []
        self.files: dict[str, str] = {}

    def document(self, front_matter: FrontMatter, *, moved: dict[str, str]) -> Document:
        """Make the document; `moved` maps anchors that this page has had to the pages that have them now."""
        return Document(
            source_path=self._source_path,
            front_matter=front_matter,
            body="".join(self.body),
            headings=self.headings,
            links=[*self.introduction.links, *self._links],
            assets=self.introduction.assets,
            islands=self._islands,
            anchors=[*self.introduction.anchors, *unique_anchors(self._islands)],
            text=self.chunks,
            has_title=self.introduction.has_title,
            excerpt=front_matter.description or "",
            dependencies=self.introduction.dependencies,
            diagnostics=self.introduction.diagnostics,
            markdown=self._lead_markdown_on("\n".join(self.markdown)),
            files={
                name: self._lead_markdown_on(text) if name.endswith(".md") else text
                for name, text in self.files.items()
            },
            moved=moved,
        )

    def href(self, address: str) -> str:
        """Make a link of an address: fragments stay, routes become slots."""
        if address.startswith("#"):
            return address
        # The fragment stays outside: it is added to by the fields of a schema.
        route, mark, fragment = address.partition("#")
        return f"{self.slot(route)}{mark}{fragment}"

    def file(self, address: str) -> str:
        """Make a link of the address of a published file."""
        return self.slot(f"pathname:///{address}")

    def slot(self, href: str, span: Span | None = None) -> str:
        """Make the slot of a link; `span` is where it is found to be broken, if not in the description."""
        link = Link(href, span or self._span, is_markup=True)
        index = self._links.setdefault(link, len(self.introduction.links) + len(self._links))
        return f"{SLOT}L{index}{SLOT}"

    def island(self, kind: str, view: View) -> None:
        """Add an island that shows a view."""
        self.body.append(f"{SLOT}I{len(self._islands)}{SLOT}")
        self._islands.append(Island(kind, self._lead_on(msgspec.to_builtins(view))))

    def heading(self, level: int, anchor: str, text: str, *, draws: bool = False) -> None:
        """Add a heading to the table of contents, and to the body where no island draws it."""
        shown = html_module.escape(text, quote=False)
        self.headings.append(Heading(level, anchor, shown, text))
        if draws:
            self.body.append(f'<h{level} id="{html_module.escape(anchor)}">{shown}</h{level}>')

    def _lead_on(self, value: Any) -> Any:
        """Lead links to anchors within descriptions to the pages that hold these."""
        if isinstance(value, list):
            return [self._lead_on(item) for item in value]
        if isinstance(value, dict):
            return {
                key: _FRAGMENT_LINK.sub(self._fragment_link, item)
                if key in ("html", "sections_html") and isinstance(item, str)
                else self._lead_on(item)
                for key, item in value.items()
            }
        return value

    def _fragment_link(self, match: re.Match[str]) -> str:
        route, fragment = self._place(html_module.unescape(match[1]))
        return f'href="{self.slot(route) if route else ""}#{html_module.escape(fragment)}"'

    def _lead_markdown_on(self, text: str) -> str:
        return _MARKDOWN_LINK.sub(lambda match: "{}#{}".format(*self._place(match[1])), text) if "](#" in text else text

    def _place(self, fragment: str) -> tuple[str, str]:
        """Find what a fragment in a text names: the route of another page, or nothing, and the id there."""
        anchor = unquote(fragment)
        if anchor not in self._all_moved and (alias := self._aliases.get(anchor.casefold())):
            anchor = fragment = alias
        route = moved_route(self._all_moved, anchor)
        return "" if route in (None, self.route) else str(route), fragment
