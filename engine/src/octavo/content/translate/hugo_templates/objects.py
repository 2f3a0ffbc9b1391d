"""What templates of Hugo know: the shortcode, its page, the other pages, the site, its data and files.

An object gives its fields by `field`; to ask for one that is not known here is an error, since it need not be empty.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from octavo.content.translate.hugo_templates.prose import markdown_html
from octavo.content.translate.hugo_templates.times import Time, read_time
from octavo.content.translate.hugo_templates.values import Data, File, Resource, SiteParams, field_of
from octavo.content.translate.shortcodes import SHORTCODES, ShortcodeCall
from octavo.content.translate.surroundings import Kept
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.translate.surroundings import Surroundings

INNER = "\ufdd2"
"""Stands for the content of a shortcode in what its template gives."""
_MOST_PAGES = 3000
_NO_TIME = "0001-01-01T00:00:00+00:00"
_OF_FRONT = {"Type": "type", "Layout": "layout", "Slug": "slug", "Summary": "summary"}


class HugoPages(list[Any]):
    """A list of pages, with the orders that it may be given."""

    def field(self, name: str) -> Any:
        """Give the list in an order, or a part of it."""
        found: dict[str, Callable[[], Any]] = {
            "ByWeight": lambda: self._by(weight_order),
            "ByTitle": lambda: self._by(lambda page: page.field("Title").lower()),
            "ByLinkTitle": lambda: self._by(lambda page: page.field("LinkTitle").lower()),
            "ByDate": lambda: self._by(lambda page: page.field("Date").sort_key()),
            "ByPublishDate": lambda: self._by(lambda page: page.field("PublishDate").sort_key()),
            "ByLastmod": lambda: self._by(lambda page: page.field("Lastmod").sort_key()),
            "Reverse": lambda: HugoPages(reversed(self)),
            "Len": lambda: len(self),
        }
        if name in found:
            return found[name]()
        if name == "Limit":
            return lambda count: HugoPages(self[: int(count)])
        if name == "ByParam":
            return lambda key: self._by(lambda page: str(page.param(str(key)) or ""))
        raise LookupError(f"{name} of a list of pages is not known")

    def _by(self, key: Callable[[HugoPage], Any]) -> HugoPages:
        return HugoPages(sorted(self, key=key))


def weight_order(page: HugoPage) -> tuple[bool, float, float, str]:
    """Order pages as Hugo does: those with a weight first, then the newest, then by title."""
    weight = page.field("Weight")
    return (not weight, weight, -page.field("Date").sort_key(), page.field("LinkTitle").lower())


def pages_of(paths: list[str], around: Surroundings) -> HugoPages:
    """Give the pages of these files that are not drafts, in the order that Hugo gives them."""
    pages = (HugoPage(path, around) for path in paths)
    return HugoPages(sorted((one for one in pages if not one.is_draft), key=weight_order))


class HugoPage:
    """A page of the site; its front matter is read when something asks for it."""

    def __init__(self, path: str, around: Surroundings) -> None:
        self.path = path
        self._around = around
        self._tree = around.tree

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HugoPage) and other.path == self.path

    def __hash__(self) -> int:
        return hash(self.path)

    @property
    def _is_own(self) -> bool:
        return self.path == self._around.source.path

    @property
    def front(self) -> dict[str, Any]:
        """Front matter with its keys in small letters."""
        return self._around.front if self._is_own else self._around.front_of(self.path)

    @property
    def is_draft(self) -> bool:
        """Whether Hugo leaves it out."""
        return self.front.get("draft") is True

    def param(self, name: str) -> Any:
        """Give a parameter of the page; None where it has none."""
        for given in (self.front.get("params"), self.front):
            found: Any = given
            for part in name.split("."):
                found = field_of(found, part) if isinstance(found, dict) else None
            if found is not None:
                return found
        return self._around.handed_down(name) if self._is_own else None

    def field(self, name: str) -> Any:
        """Give a field."""
        around, tree = self._around, self._tree
        if name in ("Title", "Name"):
            return around.title_of(self.path) if not self._is_own else around.own_value("title") or ""
        if name == "LinkTitle":
            return str(self.front.get("linktitle") or self.field("Title"))
        if name in ("RelPermalink", "Permalink"):
            return around.content_route if self._is_own else around.relative(self.path)
        if name == "Path":
            return "/" + re.sub(r"/?_?index\Z", "", posixpath.splitext(tree.inner(self.path))[0])
        if name == "Params":
            return Params(self)
        if name == "Param":
            return lambda key: around.value(str(key)) if self._is_own else self.param(str(key))
        if name == "Description":
            return str(self.front.get("description") or "")
        if name in ("Date", "PublishDate", "Lastmod", "ExpiryDate"):
            given = self.front.get(name.lower()) or self.front.get("date") or _NO_TIME
            return Time(read_time(given))
        if name == "Weight":
            given = self.front.get("weight")
            return given if isinstance(given, (int, float)) else 0
        if name == "Draft":
            return self.is_draft
        if name in ("Keywords", "Aliases"):
            given = self.front.get(name.lower())
            return given if isinstance(given, list) else []
        if name in ("Content", "RawContent", "RenderShortcodes"):
            return around.shown_content(self.path)
        if name == "TableOfContents":
            return ""  # each page has one of its own
        if name == "File":
            return File(tree.inner(self.path))
        if name in ("Lang", "Language"):
            return next(iter(around.languages), around.variables.get("site.language.lang", "en"))
        if name == "Section":
            return tree.inner(self.path).partition("/")[0] if "/" in tree.inner(self.path) else ""
        if name == "Type":
            return str(self.front.get("type") or self.field("Section") or "page")
        if name in ("Kind", "IsPage", "IsSection", "IsHome", "IsNode"):
            is_node = posixpath.splitext(posixpath.basename(self.path))[0].partition(".")[0] == "_index"
            is_home = is_node and "/" not in tree.inner(self.path)
            kind = "home" if is_home else "section" if is_node else "page"
            return {"Kind": kind, "IsNode": is_node, "IsHome": is_home}.get(name, name == f"Is{kind.title()}")
        if name == "Site":
            return HugoSite(around)
        if name == "Pages":
            return pages_of(tree.pages_in(self.path, around.names_in), around)
        if name == "RegularPages":
            return HugoPages(
                one for one in pages_of(tree.pages_in(self.path, around.names_in), around) if one.field("IsPage")
            )
        if name == "RegularPagesRecursive":
            return HugoPages(
                one for one in pages_of(tree.pages_below(self.path, around.names_in), around) if one.field("IsPage")
            )
        if name == "Sections":
            return HugoPages(
                one for one in pages_of(tree.pages_in(self.path, around.names_in), around) if one.field("IsSection")
            )
        if name in ("Parent", "CurrentSection", "FirstSection", "Ancestors"):
            return self._above(name)
        if name == "Resources":
            return Resources(self, around)
        if name in _OF_FRONT:
            return str(self.front.get(_OF_FRONT[name]) or "")
        if name == "GetPage":
            return HugoSite(around).field("GetPage")
        if name in ("Ref", "RelRef"):
            return lambda given: around.page(str(given.get("path", "") if isinstance(given, dict) else given))
        if name in ("Scratch", "Store"):
            return around.kept
        if name in ("RenderString", "HasShortcode"):
            return lambda *given: _rendered(given[-1]) if name == "RenderString" else False
        if name == "Page":
            return self
        raise LookupError(f"the field {name} of a page is not known")

    def _above(self, name: str) -> Any:
        chain = [HugoPage(one, self._around) for one in self._tree.ancestors(self.path, self._around.names_in)]
        if name == "Ancestors":
            return HugoPages(chain)
        if name == "Parent":
            return chain[0] if chain else None
        if self.field("IsNode"):
            chain = [self, *chain]
        if name == "CurrentSection":
            return chain[0] if chain else self
        return chain[-2] if len(chain) > 1 else chain[0] if chain else self


class NoPage:
    """Stands for a page that is not there: it is false, and its fields are empty."""

    def __bool__(self) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        return other is None or isinstance(other, NoPage)

    def __hash__(self) -> int:
        return hash(None)

    def field(self, name: str) -> Any:
        """Give an empty field."""
        if name in ("Pages", "RegularPages", "RegularPagesRecursive", "Sections", "Ancestors"):
            return HugoPages()
        if name in ("Resources", "Params"):
            return self
        if name in ("ByType", "Match", "Get", "GetMatch"):
            return lambda *_: [] if name in ("ByType", "Match") else None
        return ""


class Params:
    """The parameters of a page."""

    def __init__(self, page: HugoPage) -> None:
        self._page = page

    def field(self, name: str) -> Any:
        """Give one."""
        return self._page.param(name)


class HugoSite:
    """The whole site."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around

    def field(self, name: str) -> Any:
        """Give a field."""
        around = self._around
        if name == "Params":
            return SiteParams(around, ())
        if name == "Param":
            return lambda key: around.variables.get(str(key).lower())
        if name == "Data":
            return Data(around, ())
        if name == "GetPage":
            return self._page
        if name in ("Pages", "AllPages", "RegularPages"):
            pages = pages_of(around.tree.pages_below("", around.names_in), around)
            if not pages:
                raise LookupError(name)  # at least this one is there: folders cannot be listed
            return pages if name != "RegularPages" else HugoPages(one for one in pages if one.field("IsPage"))
        if name == "Sections":
            return HugoPages(
                one for one in pages_of(around.tree.pages_in("", around.names_in), around) if one.field("IsSection")
            )
        if name == "Home":
            return self._page("/")
        if name in ("Title", "BaseURL", "Copyright"):
            key = f"site.{name.lower()}"
            default = "/" if name == "BaseURL" else str(field_of(around.hugo_settings, name) or "")
            return around.variables.get(key, default)
        if name in ("Language", "LanguageCode"):
            language = around.variables.get("site.language.lang", "en")
            return {"Lang": language, "LanguageCode": language} if name == "Language" else language
        raise LookupError(name)

    def _page(self, *given: Any) -> HugoPage | NoPage:
        path = self._around.find_page(str(given[-1]) or "/")
        return HugoPage(path, self._around) if path else NoPage()


class Resources:
    """The files beside a page."""

    def __init__(self, page: HugoPage, around: Surroundings) -> None:
        self._around = around
        self._folder = posixpath.dirname(page.path)

    def field(self, name: str) -> Any:
        """Give a way to find them."""
        if name in ("Get", "GetMatch"):
            return self._first
        if name == "Match":
            return lambda pattern: [one for one in self._all() if fnmatchcase(one.name.lower(), str(pattern).lower())]
        if name == "ByType":
            return lambda kind: (
                self._pages()
                if kind == "page"
                else [one for one in self._all() if one.field("ResourceType") == str(kind)]
            )
        raise LookupError(f"Resources.{name} is not known")

    def _pages(self) -> HugoPages:
        """List the Markdown files beside the page, which have no pages of their own in Hugo."""
        names = (one for one in self._around.names_in(self._folder) if one.endswith((".md", ".markdown")))
        return HugoPages(
            HugoPage(posixpath.join(self._folder, one), self._around)
            for one in names
            if not one.startswith(("index.", "_index."))
        )

    def _first(self, pattern: Any) -> Resource | None:
        text = str(pattern).removeprefix("./")
        if not re.search(r"[*?\[{]", text):
            return Resource(posixpath.normpath(posixpath.join(self._folder, text)), self._around, text)
        return next((one for one in self._all() if fnmatchcase(one.name.lower(), text.lower())), None)

    def _all(self) -> list[Resource]:
        found: list[Resource] = []
        waiting = [self._folder]
        while waiting and len(found) < _MOST_PAGES:
            folder = waiting.pop(0)
            for name in sorted(self._around.names_in(folder)):
                path = posixpath.join(folder, name)
                if name.endswith("/"):
                    waiting.append(path.rstrip("/"))
                elif not name.endswith((".md", ".html")):
                    shown = posixpath.relpath(path, self._folder) if self._folder else path
                    found.append(Resource(path, self._around, shown))
        return found


def _rendered(given: Any) -> Any:
    """Write Markdown that a template has rendered; what holds shortcodes or the content of one is read afterwards."""
    is_prose = isinstance(given, str) and INNER not in given and "{{" not in given
    return markdown_html(given) if is_prose else given


class Shortcode:
    """The shortcode that is drawn."""

    def __init__(self, call: ShortcodeCall, around: Surroundings, *, is_parent: bool = False) -> None:
        self.call = call
        self._around = around
        self._kept = Kept(refused=INNER if is_parent else "")

    def field(self, name: str) -> Any:
        """Give a field."""
        call = self.call
        if name == "Inner":
            return INNER if call.inner.strip() else ""
        if name == "InnerDeindent":
            return self.field("Inner")
        if name == "Get":
            return self.argument
        if name == "Params":
            return call.named or call.plain
        if name == "IsNamedParams":
            return bool(call.named)
        if name == "Ordinal":
            return call.number
        if name in ("Name", "Position"):
            return call.name  # where it is written; only messages name it
        if name == "Parent":
            return Shortcode(call.parent, self._around, is_parent=True) if call.parent is not None else None
        if name == "Page":
            return HugoPage(self._around.source.path, self._around)
        if name == "Site":
            return HugoSite(self._around)
        if name in ("Scratch", "Store"):
            return self._kept
        return (
            HugoPage(self._around.source.path, self._around).field(name)
            if name in ("Ref", "RelRef")
            else _unknown(name)
        )

    def argument(self, key: Any) -> Any:
        """Give an argument by its name, or by its place."""
        found = self.call.get(at=key) if isinstance(key, int) else self.call.get(str(key))
        if key in self.call.bare and found in ("true", "false"):
            return found == "true"
        return found


def _unknown(name: str) -> Any:
    raise LookupError(f"the field {name} of a shortcode is not known")


def partial_as_shortcode(name: str, given: Any, around: Surroundings) -> str | None:
    """Draw a partial of Relearn that stands for a shortcode, `shortcodes/notice.html`; None where it is none that is known."""
    folder, _, file = name.rpartition("/")
    own = file.removesuffix(".html")
    if folder != "shortcodes" or own not in SHORTCODES or not isinstance(given, dict):
        return None
    named = {key: str(value) for key, value in given.items() if isinstance(value, (str, int))}
    content = named.pop("content", "").strip("\n")
    drawn = SHORTCODES[own](ShortcodeCall(own, [], named, content, is_markdown=True), around)
    if drawn is None or not drawn.is_block:
        return None  # what is a part of a line is known as a function
    return "\n".join([drawn.opening, *([] if drawn.takes_inner else [content]), drawn.closing])
