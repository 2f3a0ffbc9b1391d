"""Pages as Markdown, for programs that read text: the resolved document, with addresses instead of file names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from octavo.content import without_code
from octavo.documents import Body
from octavo.rendering.article import Fillings
from octavo.site import CategoryNode, DocNode, LinkResolver, Page, SidebarNode, Site, is_shown

_DESTINATION = re.compile(
    r"\]\(\s*<?(?P<inline>[^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)"
    r"|^ {0,3}\[[^\]\n]+\]:[ \t]*<?(?P<reference>[^\s>]+)"
    r"""|<[a-zA-Z][^<>]*?\s(?:href|src)=(?P<quote>["'])(?P<attribute>[^"'<>]*)(?P=quote)""",
    re.MULTILINE,
)


class MarkdownWriter:
    """Writes the pages of one site."""

    def __init__(self, site: Site, resolver: LinkResolver) -> None:
        self._config = site.config
        self._resolver = resolver
        self._origin = site.config.published_url
        """In front of addresses, where others can reach the site; without it they start at the host's root."""

    def write(self, page: Page, body: Body, fillings: Fillings) -> str:
        """Write a page.

        Args:
            page: The page.
            body: The body of its document; its Markdown is used.
            fillings: What its links and assets lead to.

        Returns:
            CommonMark with tables, after front matter that says where it belongs.
        """
        text = body.markdown if page.summary is not None else self._list(page)
        text = self._with_addresses(text, self._targets(page, fillings)).strip("\n")
        if not (page.summary and page.summary.has_title):
            text = f"# {page.title}\n\n{text}"
        return f"{self._front_matter(page)}\n{text.rstrip()}\n"

    def _front_matter(self, page: Page) -> str:
        values = {
            "title": page.title,
            "description": page.description,
            "url": self._origin + self._resolver.url(page.route),
            "version": page.edition.version.name if len(self._config.versions) > 1 else "",
            "language": page.edition.locale.id if len(self._config.locales) > 1 else "",
            "updated": page.last_updated or "",
        }
        # A JSON string is a YAML string.
        lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in values.items() if value]
        return "\n".join(["---", *lines, "---", ""])

    def _targets(self, page: Page, fillings: Fillings) -> dict[str, str]:
        """List what each typed address leads to. The first one wins where files of two folders mean different pages."""
        if page.summary is None:
            return {}
        targets: dict[str, str] = {}
        for typed, url in (
            *zip((link.href for link in page.summary.links), fillings.links, strict=True),
            *zip((asset.href for asset in page.summary.assets), fillings.assets, strict=True),
        ):
            is_local = url.startswith("/") and not url.startswith("//")
            targets.setdefault(typed, self._origin + url if is_local else url)
        return targets

    @staticmethod
    def _with_addresses(text: str, targets: Mapping[str, str]) -> str:
        if not targets:
            return text
        pieces: list[str] = []
        end = 0
        # Offsets in the text without code are those of the text.
        for match in _DESTINATION.finditer(without_code(text)):
            group = match.lastgroup if match.lastgroup != "quote" else "attribute"
            if group is None:
                continue
            start, stop = match.span(group)
            target = targets.get(text[start:stop])
            if target is not None and start >= end:
                pieces += (text[end:start], target)
                end = stop
        return "".join([*pieces, text[end:]])

    def _list(self, page: Page) -> str:
        """Write a generated index: its description and its entries."""
        lines = [f"- [{label}]({url}){about}" for label, url, about in self._entries(page.siblings)]
        return "\n".join([page.description, "", *lines] if page.description else lines)

    def _entries(self, nodes: list[SidebarNode]) -> Iterator[tuple[str, str, str]]:
        for node in nodes:
            if not is_shown(node):
                continue
            if isinstance(node, (DocNode, CategoryNode)):
                page = node.page
                about = page.description if page is not None else ""
                if page is not None:
                    url = self._origin + self._resolver.url(page.route)
                    yield node.label, url, f": {about}" if about else ""
                elif isinstance(node, CategoryNode):
                    yield from self._entries(node.items)
            else:
                yield node.label, node.href, ""
