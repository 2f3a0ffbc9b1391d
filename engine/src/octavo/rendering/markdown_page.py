"""Pages as Markdown, for programs that read text: the resolved document, with addresses instead of file names."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping

from octavo.content import CARDS_IN_MARKDOWN
from octavo.contract import payload as contract
from octavo.documents import Body
from octavo.lazy import regex as re
from octavo.rendering.article import Fillings
from octavo.site import CategoryNode, DocNode, LinkResolver, Page, SidebarNode, Site, is_shown, sidebar_label

_DESTINATIONS = (
    # Each with what a text must hold for it to match at all: looking for that is a tenth of the work.
    (("](",), re.compile(r"\]\(\s*<?([^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)")),
    (("]:",), re.compile(r"^ {0,3}\[[^\]\n]+\]:[ \t]*<?([^\s>]+)", re.MULTILINE)),
    (("href=", "src="), re.compile(r"""<[a-zA-Z][^<>]*?\s(?:href|src)=["']([^"'<>]*)["']""")),
)
_NOWHERE = "\ue000"
"""Address of what is not a link, because no page has the id that it names (`ref:?id`)."""
_UNLINKED = re.compile(
    rf"""\[(?P<text>(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\({_NOWHERE}\)|<a href=["']{_NOWHERE}["']>(?P<inner>.*?)</a>""",
    re.DOTALL,
)
# For a text with a line end in front: `re` looks for one several times faster than for the start of a line.
_FENCE = re.compile(r"\n[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})([^\n]*)")
_CARDS = re.compile(rf"^([ \t>]*){CARDS_IN_MARKDOWN}[ \t]*$", re.MULTILINE)
_CODE_IN_LINE = re.compile(r"(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)")


class MarkdownWriter:
    """Writes the pages of one site."""

    def __init__(self, site: Site, resolver: LinkResolver) -> None:
        self._site = site
        self._config = site.config
        self._resolver = resolver
        self._origin = site.config.published_url
        """In front of addresses, where others can reach the site; without it they start at the host's root."""

    def write(self, page: Page, text: str) -> str:
        """Write a page: its text, as `text` gives it, after front matter that says where it belongs."""
        return f"{self._front_matter(page)}\n{text}\n"

    def text(self, page: Page, body: Body, fillings: Fillings, cards: Callable[[], Iterable[contract.CardData]]) -> str:
        """Write the text of a page.

        Args:
            page: The page.
            body: The body of its document; its Markdown is used.
            fillings: What its links and assets lead to.
            cards: Gives the cards of the pages of its category.

        Returns:
            CommonMark with tables.
        """
        text = body.markdown if page.summary is not None else self.listing(page)
        text = self._with_addresses(text, self._targets(page, fillings)).strip("\n")
        if CARDS_IN_MARKDOWN in text:
            text = self._with_cards(text, cards())
        if not (page.summary and page.summary.has_title):
            text = f"# {page.title}\n\n{text}"
        return text.rstrip()

    def _front_matter(self, page: Page) -> str:
        # A page that has no translation is that of the default language, at another address.
        locale = self._config.default_locale if page.translation == "missing" else page.edition.locale
        values = {
            "title": page.title,
            "description": page.description,
            "url": self._origin + self._resolver.url(page.route),
            "version": page.edition.version.name if len(self._config.versions) > 1 else "",
            "language": locale.id if len(self._config.locales) > 1 else "",
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
            targets.setdefault(typed, self._absolute(url))
        return targets

    @staticmethod
    def _with_addresses(text: str, targets: Mapping[str, str]) -> str:
        if not targets:
            return text
        pieces: list[str] = []
        end = 0
        for start, stop in find_destinations(text):
            target = targets.get(text[start:stop])
            if target is None:
                # Links to parts of a generated page are listed without the part.
                address, mark, fragment = text[start:stop].partition("#")
                target = f"{targets[address]}#{fragment}" if mark and address in targets else None
            if target is not None and start >= end:
                pieces += (text[end:start], target or _NOWHERE)
                end = stop
        written = "".join([*pieces, text[end:]])
        return _UNLINKED.sub(r"\g<text>\g<inner>", written).replace(_NOWHERE, "") if _NOWHERE in written else written

    def _with_cards(self, text: str, cards: Iterable[contract.CardData]) -> str:
        """Write the list of the pages of a category, indented as its place is."""
        lines = [
            f"- [{card.label}]({self._absolute(card.href)})" + (f": {card.description}" if card.description else "")
            for card in cards
        ]
        return _CARDS.sub(lambda found: "\n".join(found[1] + line for line in lines), text).replace(
            CARDS_IN_MARKDOWN, ""
        )

    def _absolute(self, url: str) -> str:
        return self._origin + url if url.startswith("/") and not url.startswith("//") else url

    def listing(self, page: Page) -> str:
        """Write a generated index: its description and its entries."""
        entries = [*self._entries(page, page.siblings), *self._others(page)]
        lines = [f"- [{label}]({url}){about}" for label, url, about in entries]
        return "\n".join([page.description, "", *lines] if page.description else lines)

    def _others(self, index: Page) -> Iterator[tuple[str, str, str]]:
        """List the pages of other categories that an index lists after its own."""
        pages = self._site.edition_of(index).pages
        for page in (pages[doc_id] for doc_id in index.also):
            category = page.category
            about = (category.description if category is not None else "") or page.description
            label = category.label if category is not None else sidebar_label(page)
            yield label, self._origin + self._resolver.url(page.route), f": {about}" if about else ""

    def _entries(self, index: Page, nodes: Iterable[SidebarNode]) -> Iterator[tuple[str, str, str]]:
        pages = self._site.edition_of(index).pages
        for node in nodes:
            if not is_shown(node):
                continue
            if isinstance(node, (DocNode, CategoryNode)):
                if node.page is not None:
                    about = pages[node.page.doc_id].description
                    url = self._origin + self._resolver.url(node.page.route)
                    yield node.label, url, f": {about}" if about else ""
                elif isinstance(node, CategoryNode):
                    yield from self._entries(index, node.items)
            else:
                yield node.label, node.href, ""


def find_destinations(text: str) -> list[tuple[int, int]]:
    """Find the addresses of links and images outside code, as (start, end) in order."""
    found = [
        match.span(1)
        for needed, pattern in _DESTINATIONS
        if any(part in text for part in needed)
        for match in pattern.finditer(text)
    ]
    if not found or ("`" not in text and "~~~" not in text):
        return sorted(found)
    fences = _fences(text)
    return sorted(
        (start, end)
        for start, end in found
        if not any(first <= start < last for first, last in fences) and not _is_in_line_of_code(text, start)
    )


def _fences(text: str) -> list[tuple[int, int]]:
    """Find the fenced blocks of code, as (start, end)."""
    if "```" not in text and "~~~" not in text:
        return []
    spans: list[tuple[int, int]] = []
    opened, mark = -1, ""
    for match in _FENCE.finditer(f"\n{text}"):
        if opened < 0:
            if match[1][0] == "~" or "`" not in match[2]:
                opened, mark = match.start(), match[1]
        elif match[1].startswith(mark) and not match[2].strip():
            spans.append((opened, match.end() - 1))
            opened = -1
    return [*spans, (opened, len(text))] if opened >= 0 else spans


def _is_in_line_of_code(text: str, position: int) -> bool:
    start = text.rfind("\n", 0, position) + 1
    if "`" not in text[start:position]:
        return False
    end = text.find("\n", position)
    line = text[start : end if end >= 0 else len(text)]
    return any(match.start() <= position - start < match.end() for match in _CODE_IN_LINE.finditer(line))
