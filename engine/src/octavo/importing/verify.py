"""Compare a built site with what the old engine has built, page by page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec

from octavo.content import VOID
from octavo.lazy import regex as re

_SKIPPED = frozenset(
    ("script", "style", "nav", "svg", "button", "template", "textarea", "noscript", "footer", "aside", "header", "form")
)
_MAIN = ("article", "main")
_WHOLE = ("body",)
_FEWEST_TO_COMPARE = 3
"""Pages without a main part, of which is left out what all of them hold."""
_NEARLY_ALL = 0.8
"""Part of the pages; those of a blog often have another frame."""
_FEWEST_WITH_MAIN = 8
"""The same for pages with a main part, which hold links to edit them and the like; few pages may have words in common."""
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_WORD = re.compile(r"\w+")
_MOST_WORDS = 12
_NOT_PAGES = ("404.html", "print.html", "search.html", "genindex.html", "py-modindex.html", "toc.html")
_HAS_MAIN = re.compile(r"<(?:article|main)\b|\brole=[\"']?main\b", re.IGNORECASE)
_REFRESH = re.compile(r"http-equiv=[\"']?refresh\b", re.IGNORECASE)
_REFRESH_TO = re.compile(r"http-equiv=[\"']?refresh\b[^>]*?\burl=([^\"'>]+)", re.IGNORECASE)
_CARD_MARK = re.compile(r"\A\s*[\U0001f4c4\U0001f5c3\U0001f517]\ufe0f?\s*")
"""What Docusaurus puts before the titles of its cards: a page, a box, a link."""

_LINK_MARK = re.compile("[\xb6#\U0001f517]\ufe0e?\ufe0f?")
"""What links of headings to themselves show."""

_OF_ENGINES = frozenset(
    (
        "tabbed-labels",
        "headerlink",
        "hash-link",
        "header-anchor",
        "heading-anchor",
        "anchor-link",
        "linenos",
        "md-content__button",
        "toctree-wrapper",
        "viewcode-link",
        "viewcode-back",
        "tab-label",
        "versionmodified",
        "boring",
        "lang",
        "sl-anchor-link",
        "sr-only",
        "visually-hidden",
        "screen-reader-text",
        "pagination-links",
        "docs-navigation",
        "breadcrumb",
        "breadcrumbs",
        "search-results",
        "line-number",
        "line-numbers-wrapper",
    )
)
"""Classes of elements with words that are none of the page's: those of menus, of tabs, for screen readers, and of hidden lines of code."""

_NOTE_CLASS = re.compile(r"(?:^|[\s_-])(?:aside|admonition|callout|footnote|note|alert|topic)(?:[\s_-]|\Z)")
_EDIT = re.compile(r"(?:^|[\s_-])edit(?:-this)?(?:-page|-link|-meta-row|\s|\Z)")
"""Classes of the link to the source of the page."""

_TABLES_OF_CODE = frozenset(("highlighttable", "rouge-table", "lntable"))
"""Classes of tables that hold the numbers of lines beside the code."""

_FORMULA_CLASSES = frozenset(("arithmatex", "math", "katex", "katex-display", "MathJax"))
"""Classes of formulas, which are LaTeX in one engine and drawn in another."""

_FORMULA_TAGS = frozenset(("math", "mjx-container"))

_MADE_ID = re.compile(
    r"__|fn|user-content-fn|footnote-|fr-|tab-set-|reffn_|tab-[\w-]{7}\Z|tab-\d+\Z|tab-panel-|(?:id|index-)\d+\Z|furo-main-content\Z|_top\Z"
)
"""Ids that engines give to what has none: notes, tabs, and places that are numbered."""

_NOTE_MARK = re.compile(r"\((\d+)\)!")
"""The mark of an annotation whose comment is taken away; Material does so in the browser."""


class Difference(msgspec.Struct, frozen=True):
    """Something that a page of the old site has and the new one has not, or has otherwise; or a page that is new."""

    address: str
    kind: str
    """`address`, `text`, `heading`, `id`, `link`, `code`, `table` or `formula`; `added` for a page that only the new site
    has."""
    detail: str

    @property
    def is_loss(self) -> bool:
        """Whether readers of the old site miss something."""
        return self.kind != "added"

    @property
    def text(self) -> str:
        """One line for the terminal."""
        return f"{self.address}: {self.kind}: {self.detail}"

    def as_json(self) -> dict[str, Any]:
        """Give it as JSON values."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found


class _Content(HTMLParser):
    """Collects what a page's main part says."""

    def __init__(self, main: tuple[str, ...] = _MAIN) -> None:
        """Initialize; `main` names the elements whose content is compared."""
        super().__init__(convert_charrefs=True)
        self._names = main
        self.is_whole_page = main == _WHOLE
        self.words: Counter[str] = Counter()
        self.headings: list[str] = []
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.code: list[str] = []
        self.tables = 0
        self.formulas = 0
        self._open: list[str] = []
        self._skipped = 0
        self._main = 0
        self._heading: list[str] | None = None
        self._code: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        is_main = tag in self._names or (given.get("role") == "main" and "main" in self._names)
        if tag not in VOID:
            is_kept = self._main > 0 and (tag == "header" or (tag == "aside" and _is_note(given)))
            is_formula = tag in _FORMULA_TAGS or not _FORMULA_CLASSES.isdisjoint((given.get("class") or "").split())
            if is_formula and self._main and not self._skipped:
                self.formulas += 1
            is_left_out = not is_kept and not is_main and (is_formula or tag in _SKIPPED or _is_of_engine(given))
            self._open.append(f"{tag}*" if is_main else f"{tag}-" if is_left_out else tag)
            self._main += is_main
            self._skipped += is_left_out
        if not self._main or self._skipped:
            return
        if given.get("id") and not is_main and self._code is None:  # those of lines of code are numbered
            self.ids.add(str(given["id"]))
        if tag in _HEADINGS:
            self._heading = []
        elif tag == "pre":
            self._code = []
        elif tag == "table":
            self.tables += _TABLES_OF_CODE.isdisjoint((given.get("class") or "").split())
        elif tag == "br" and self._code is not None:
            self._code.append("\n")
        elif tag == "a" and given.get("href", "") and not str(given["href"]).startswith("#"):
            self.links.add(str(given["href"]))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID or not any(one.rstrip("*-") == tag for one in self._open):
            return
        while self._open:
            one = self._open.pop()
            name = one.rstrip("*-")
            self._main -= one.endswith("*")
            self._skipped -= one.endswith("-")
            if name in _HEADINGS and self._heading is not None:
                self.headings.append(
                    " ".join(_CARD_MARK.sub("", _LINK_MARK.sub("", "".join(self._heading))).split()).strip("\u200b ")
                )
                self._heading = None
            if name == "pre" and self._code is not None:
                self.code.append(_NOTE_MARK.sub(r"(\1)", "".join("".join(self._code).split())))
                self._code = None
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        if not self._main or self._skipped:
            return
        if self._code is not None:
            self._code.append(data)
            return
        if self._heading is not None:
            self._heading.append(data)
        self.words.update(word.lower() for word in _WORD.findall(data) if len(word) > 1)


def _is_note(attributes: dict[str, str | None]) -> bool:
    """Whether an element beside the text is part of it: a note of Starlight, or a footnote or topic of Sphinx."""
    return _NOTE_CLASS.search(attributes.get("class") or "") is not None


def _is_of_engine(attributes: dict[str, str | None]) -> bool:
    """Whether an element holds words that engines add to those of the pages, each in its own way.

    Labels of tabs are buttons in one engine and items of a list in another; cards of generated indexes have excerpts; the
    heading of footnotes is hidden; links of headings to themselves have a mark of the site's own; lines of code have numbers.
    """
    return (
        attributes.get("role") in ("tablist", "search")
        or not {"prev", "next"}.isdisjoint((attributes.get("rel") or "").split())
        or _EDIT.search(attributes.get("class") or "") is not None
        or "data-title" in attributes
        or attributes.get("id") == "footnote-label"
        or not _OF_ENGINES.isdisjoint((attributes.get("class") or "").split())
        or "cardDescription" in (attributes.get("class") or "")
    )


def compare_built(new: Path, old: Path) -> list[Difference]:
    """Compare two folders of HTML; pages that only the new one has are listed last.

    Args:
        new: What Octavo has built.
        old: What the old engine has built.
    """
    paths = [path for path in sorted(old.rglob("*.html")) if path.name not in _NOT_PAGES]
    pages = [content for content in map(_read, paths) if content.words]
    around = {
        True: _shared([content for content in pages if content.is_whole_page], _FEWEST_TO_COMPARE),
        False: _shared([content for content in pages if not content.is_whole_page], _FEWEST_WITH_MAIN),
    }
    lost = [difference for path in paths for difference in _compare_page(new, old, path, around)]
    return [*lost, *_added(new, old)]


def _added(new: Path, old: Path) -> Iterator[Difference]:
    """List the pages that only the new site has; its redirects are none."""
    for path in sorted(new.rglob("*.html")):
        name = path.relative_to(new).as_posix()
        if path.name not in _NOT_PAGES and _find(old, name) is None and _read(path).words:
            yield Difference(_address(name), "added", "only the new site has this page")


def _address(name: str) -> str:
    return "/" + (name.removesuffix("index.html") if name.rpartition("/")[2] == "index.html" else name)


def _shared(pages: list[_Content], fewest: int) -> _Content | None:
    """Find what nearly all pages hold: menus and the footer around the text, or below it."""
    if len(pages) < fewest:
        return None
    enough = len(pages) * _NEARLY_ALL
    words = Counter(word for page in pages for word in page.words)
    found = _Content()
    found.words = Counter(
        {
            word: min(page.words[word] for page in pages if word in page.words)
            for word, n in words.items()
            if n >= enough
        }
    )
    found.ids = _often((page.ids for page in pages), enough)
    found.links = _often((page.links for page in pages), enough)
    found.headings = list(_often((set(page.headings) for page in pages), enough))
    return found


def _often(sets: Iterable[set[str]], enough: float) -> set[str]:
    return {one for one, count in Counter(one for found in sets for one in found).items() if count >= enough}


def _compare_page(new: Path, old: Path, path: Path, around: dict[bool, _Content | None]) -> Iterator[Difference]:
    name = path.relative_to(old).as_posix()
    theirs = _read(path)
    shared = around[theirs.is_whole_page]
    if shared is not None:
        theirs.words -= shared.words
        theirs.ids -= shared.ids
        theirs.links -= shared.links
        theirs.headings = [one for one in theirs.headings if one not in shared.headings]
    address = _address(name)
    if not theirs.words and not theirs.headings:
        return  # a redirect, or a page that a script draws
    ours_path = _find(new, name)
    if ours_path is None:
        yield Difference(address, "address", "there is no page and no redirect")
        return
    ours = _read(ours_path)
    if not ours.words and (to := _REFRESH_TO.search(ours_path.read_text(encoding="utf-8", errors="replace"))):
        target = _target(new, unquote(to[1]))
        if target is not None and _is_other_page(theirs, _read(target)):
            yield Difference(address, "address", f"it leads to {to[1]}, which is another page")
        return
    missing = theirs.words - ours.words
    if missing:
        words = ", ".join(word for word, _ in missing.most_common(_MOST_WORDS))
        yield Difference(address, "text", f"{missing.total()} of {theirs.words.total()} words are missing: {words}")
    for heading in [one for one in theirs.headings if one and one not in ours.headings]:
        yield Difference(address, "heading", f'"{heading}" is missing')
    for one in sorted(_heading_ids(theirs) - ours.ids):
        yield Difference(address, "id", f'"{one}" is missing')
    for href in sorted({one for one in theirs.links if "://" in one} - ours.links):
        yield Difference(address, "link", f"{href} is missing")
    lost = [code for code in theirs.code if code not in ours.code]
    if lost:
        yield Difference(
            address, "code", f"{len(lost)} of {len(theirs.code)} blocks differ, the first begins {lost[0][:60]!r}"
        )
    if ours.tables < theirs.tables:
        yield Difference(address, "table", f"{theirs.tables} tables were {ours.tables}")
    if ours.formulas < theirs.formulas:
        yield Difference(address, "formula", f"{theirs.formulas} formulas were {ours.formulas}")


def _is_other_page(theirs: _Content, ours: _Content) -> bool:
    """Whether less than half of the words of a page are on the one that a redirect leads to."""
    return (theirs.words & ours.words).total() * 2 < theirs.words.total()


def _heading_ids(content: _Content) -> set[str]:
    return {one for one in content.ids if not _MADE_ID.match(one)}


def _find(new: Path, name: str) -> Path | None:
    """Find the page of an address, in the forms in which a host would."""
    stem = name.removesuffix(".html").removesuffix("/index")
    names = (name, f"{stem}/index.html", f"{stem}.html")
    return next((new / one for one in names if (new / one).is_file()), None)


def _target(new: Path, address: str) -> Path | None:
    """Find the page that a redirect leads to; the address may begin with the site's `base_url`, which has no folder."""
    parts = address.partition("#")[0].strip("/").split("/")
    for first in range(len(parts)):
        rest = "/".join(parts[first:])
        if found := _find(new, rest if rest.endswith(".html") else f"{rest}/index.html".lstrip("/")):
            return found
    return None


def _read(path: Path) -> _Content:
    text = path.read_text(encoding="utf-8", errors="replace")
    # The list of headings often lies beside the article, within the same `main`.
    names = ("article",) if "<article" in text else _MAIN
    if not _HAS_MAIN.search(text) and not _REFRESH.search(text):
        names = _WHOLE  # themes of a site's own often name no main part
    content = _Content(names)
    content.feed(text)
    content.close()
    return content
