"""Values of front matter: how each key is read, and which keys of other engines mean the same as ours."""

from __future__ import annotations

import contextlib
import datetime as dt
import math
from collections.abc import Callable, Iterable
from typing import Any

from octavo.content.document import LastUpdate
from octavo.lazy import regex as re


class UnfitError(Exception):
    """A value is not what its key takes; the argument says what was expected."""


def shown(value: object) -> str:
    """Show a value as its author would write it."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a mapping"
    return str(value)


def read_text(value: Any) -> str:
    """Read a text.

    Raises:
        UnfitError: it is none.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, int, float, dt.date)):
        raise UnfitError(f'text: write "{shown(value)}" in quotes')
    raise UnfitError("text")


def _flag(value: Any) -> bool:
    if value in ("true", "false"):  # in quotes, as some other engines write it
        return bool(value == "true")
    if not isinstance(value, bool):
        raise UnfitError("true or false")
    return value


def _is_searched(value: Any) -> bool:
    # Material for MkDocs has a table of it.
    return not _flag(value["exclude"]) if isinstance(value, dict) and value.keys() == {"exclude"} else _flag(value)


def read_number(value: Any) -> float:
    """Read a number, in quotes or not.

    Raises:
        UnfitError: it is none.
    """
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}(?:\.[0-9]{1,9})?", value):
        return float(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise UnfitError("a number")
    with contextlib.suppress(OverflowError):
        if math.isfinite(value):
            return float(value)
    raise UnfitError("a number that is not infinite")


def _level(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 2 <= value <= 6:
        raise UnfitError("an integer from 2 to 6")
    return value


LAYOUTS = ("doc", "page", "landing", "splash", "reference", "blank", "search")
_OTHER_LAYOUTS: dict[Any, str] = {"home": "landing", "docs": "doc", "default": "doc", "post": "doc", False: "page"}
"""Names of layouts in VitePress and Jekyll → those of ours."""
KNOWN_LAYOUTS = frozenset([*LAYOUTS, *map(str, _OTHER_LAYOUTS)])
"""Names of layouts that mean something here."""


def _layout(value: Any) -> str:
    if isinstance(value, str | bool) and value in _OTHER_LAYOUTS:
        return _OTHER_LAYOUTS[value]
    if value not in LAYOUTS:
        raise UnfitError(f"one of {', '.join(LAYOUTS)}")
    return str(value)


def _words(value: Any) -> list[str]:
    if isinstance(value, str):  # one line with commas, as some other engines write it
        return [word.strip() for word in value.split(",") if word.strip()]
    if not isinstance(value, list) or not all(isinstance(item, _SCALARS) for item in value):
        raise UnfitError("a list of texts")
    return [shown(item) if not isinstance(item, str) else item for item in value]


def _tags(value: Any) -> list[str]:
    if isinstance(value, str):
        return distinct_words(_words(value))
    expected = "a list of texts, or of mappings with a label"
    if not isinstance(value, list):
        raise UnfitError(expected)
    labels = [item.get("label") if isinstance(item, dict) else item for item in value]
    if not all(isinstance(label, _SCALARS) for label in labels):
        raise UnfitError(expected)
    return distinct_words(label if isinstance(label, str) else shown(label) for label in labels)


def distinct_words(words: Iterable[str]) -> list[str]:
    """List words or phrases without those that differ from an earlier one by case or spaces only, and without empty ones."""
    found: dict[str, str] = {}
    for word in (" ".join(written.split()) for written in words):
        if word:
            found.setdefault(word.casefold(), word)
    return list(found.values())


LINKED_NAME = re.compile(r"\[(?P<text>[^\[\]\n]+)\]\((?P<address>[^()\s]*)\)")
"""A name as a link of Markdown."""
_BETWEEN = re.compile(r"\s*(?:,\s*(?:and\s+)?|&\s*|and\s+)?")


def people_in(text: str) -> list[tuple[str, str]]:
    """Read an author that may be written as Markdown: names, each with the address of its link or nothing.

    `[Ada](https://a.example) and [Bob](https://b.example)` are two people; text beside links is a part of the name.
    """
    found = list(LINKED_NAME.finditer(text))
    if not found:
        return [(text, "")]
    if all(_BETWEEN.fullmatch(part) for part in LINKED_NAME.sub("\n", text).split("\n")):
        return [(" ".join(match["text"].split()), match["address"]) for match in found]
    name = " ".join(LINKED_NAME.sub(lambda match: match["text"], text).split())
    return [(name, found[0]["address"] if len(found) == 1 else "")]


def _authors(value: Any) -> list[str]:
    given = value if isinstance(value, list) else [value]
    names: list[Any] = [one.get("key") or one.get("name") if isinstance(one, dict) else one for one in given]
    if not all(isinstance(name, str) and name for name in names):
        raise UnfitError("a name, or a list of names")
    return list(dict.fromkeys(name for one in names for name, _ in people_in(one)))


_SCALARS = (str, int, float, dt.date)


def _last_update(value: Any) -> LastUpdate:
    if isinstance(value, (str, dt.date)):
        return LastUpdate(_date(value))
    if not isinstance(value, dict) or not value.keys() <= {"date", "author"}:
        raise UnfitError("a mapping with date and author")
    date, author = value.get("date"), value.get("author")
    if author is not None and not isinstance(author, str):
        raise UnfitError("an author that is text")
    return LastUpdate(None if date is None else _date(date), author)


_DATE_FORMS = (
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d.%m.%Y",
    "%B %d, %Y",
    "%b %d, %Y",
    "%b %d %Y",
    "%B %d %Y",
    "%d %B %Y",
    "%d %b %Y",
    "%a, %d %b %Y %H:%M:%S %z",
)
"""Forms beside ISO 8601; day and month in numbers with slashes could be either."""


def _date(value: Any) -> str:
    if isinstance(value, dict) and value.keys() <= {"created", "updated"}:
        value = value.get("created")  # as Material for MkDocs has it
    if isinstance(value, dt.datetime):
        value = value.date()
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            return dt.datetime.fromisoformat(value.strip()).date().isoformat()
        # `Fri Jun 03 2022 14:02:35 GMT+0000 (…)` is how JavaScript writes one.
        written = re.sub(
            r"\A[A-Z][a-z]{2} (?=[A-Z][a-z]{2} \d{1,2} \d{4} )|(?<=\d{4}) \d\d:\d\d:\d\d GMT.*", "", value.strip()
        )
        for form in _DATE_FORMS:
            with contextlib.suppress(ValueError):
                return dt.datetime.strptime(written, form).date().isoformat()  # noqa: DTZ007 - a day has no zone
    raise UnfitError("a date such as 2026-01-31")


def day_of(value: Any) -> str | None:
    """Read a date of front matter in any form that `date` takes: a day such as 2026-01-31, or None for anything else."""
    with contextlib.suppress(UnfitError):
        return _date(value)
    return None


def _glossary(value: Any) -> dict[str, str] | bool:
    if isinstance(value, bool):
        return value
    if not isinstance(value, dict) or not all(isinstance(part, str) for pair in value.items() for part in pair):
        raise UnfitError("terms with their meanings, or false")
    return dict(value)


def _address(value: Any) -> str:
    """Read an address on the web, or a path of the site."""
    text = read_text(value)
    if not re.match(r"https?://\S+\Z|/(?!/)\S*\Z", text):
        raise UnfitError('an address such as "https://example.com/install", or a path such as "/install"')
    return text


def _badge(value: Any) -> str:
    """Read a badge: its text, or a table in which Starlight has it beside its look."""
    return read_text(value.get("text") if isinstance(value, dict) else value)


POST_KEYS = frozenset({"date", "authors"})
"""Keys that mean something in the posts of a blog alone; elsewhere they are those of other engines."""
POST_ALIASES = {"author": "authors", "excerpt": "description", "summary": "description"}
"""Keys of posts of other engines → keys of ours that mean the same."""
READERS: dict[str, Callable[[Any], Any]] = {
    "title": read_text,
    "description": read_text,
    "id": read_text,
    "slug": read_text,
    "layout": _layout,
    "sidebar_label": read_text,
    "sidebar_position": read_number,
    "sidebar_class_name": read_text,
    "sidebar_group": read_text,
    "sidebar_badge": _badge,
    "icon": read_text,
    "hide_title": _flag,
    "hide_table_of_contents": _flag,
    "toc_min_heading_level": _level,
    "toc_max_heading_level": _level,
    "pagination_label": read_text,
    "pagination_prev": read_text,
    "pagination_next": read_text,
    "displayed_sidebar": read_text,
    "draft": _flag,
    "unlisted": _flag,
    "search": _is_searched,
    "keywords": _words,
    "image": read_text,
    "tags": _tags,
    "date": _date,
    "authors": _authors,
    "last_update": _last_update,
    "custom_edit_url": read_text,
    "canonical_url": _address,
    "glossary": _glossary,
    "translated_from": read_text,
}
REMOVERS = {
    "pagination_prev": "removes_prev",
    "pagination_next": "removes_next",
    "displayed_sidebar": "removes_sidebar",
    "custom_edit_url": "hides_edit_url",
}
"""Keys of which an explicit null means something: key → field that says so."""
ALIASES = {
    "sidebarLabel": "sidebar_label",
    "sidebar.label": "sidebar_label",
    "nav_title": "sidebar_label",
    "navTitle": "sidebar_label",
    "linkTitle": "sidebar_label",
    "sidebarTitle": "sidebar_label",
    "menuTitle": "sidebar_label",
    "sidebar.badge": "sidebar_badge",
    "sidebarPosition": "sidebar_position",
    "sidebar.order": "sidebar_position",
    "nav_order": "sidebar_position",
    "order": "sidebar_position",
    "weight": "sidebar_position",
    "hideTitle": "hide_title",
    "tableOfContents.minHeadingLevel": "toc_min_heading_level",
    "tableOfContents.maxHeadingLevel": "toc_max_heading_level",
    "lastUpdated": "last_update",
    "last_modified_at": "last_update",
    "last_modified_date": "last_update",
    "lastmod": "last_update",
    "updated": "last_update",
    "editUrl": "custom_edit_url",
    "canonical": "canonical_url",
    "canonicalUrl": "canonical_url",
    "canonicalURL": "canonical_url",
    "template": "layout",
    "pagefind": "search",
    "og:image": "image",
}
"""Keys of other engines → keys of ours that mean the same; a dot separates the keys of nested mappings."""
NESTED = frozenset({"sidebar", "tableOfContents"})
CONTENT_KEYS = frozenset({"banner", "features", "hero"})
"""Keys of other engines whose texts their readers see: leaving them out is a loss of its own."""


def is_setting(key: str) -> bool:
    """Return whether a key of the front matter of every page is Octavo's own, whatever an extension registers."""
    return key in ALIASES or key in NESTED or (key in READERS and key not in POST_KEYS)


def read_switch(key: str, value: Any) -> dict[str, bool] | dict[str, int] | None:
    """Read a key with which other engines hide a part of a page, or choose one, as fields of ours; None where it is no such key."""
    if key == "outline" and (levels := _levels(value)) is not None:
        return dict(zip(("toc_min_heading_level", "toc_max_heading_level"), levels, strict=True))
    if key == "hide" and isinstance(value, list) and value:
        known = {"toc": "hide_table_of_contents", "navigation": "removes_sidebar"}
        others = {"feedback", "footer", "path", "tags"}
        if all(isinstance(one, str) and (one in known or one in others) for one in value):
            return {known[one]: True for one in value if one in known}
    return dict.fromkeys(_SWITCHES.get(key, ()), True) if value is False and key in _SWITCHES else None


def _levels(value: Any) -> tuple[int, int] | None:
    """Read the levels of titles that the list of contents has in VitePress and Vocs: the first and the last one."""
    value = value.get("level") if isinstance(value, dict) else value
    given = [2, _LAST_LEVEL] if value == "deep" else value if isinstance(value, list) else [value, value]
    levels = [one for one in given if isinstance(one, int) and not isinstance(one, bool) and 2 <= one <= _LAST_LEVEL]
    return (levels[0], levels[1]) if len(levels) == len(given) == _ENDS and levels[0] <= levels[1] else None


_LAST_LEVEL = 6
_ENDS = 2
_SWITCHES = {
    "aside": ("hide_table_of_contents",),
    "next": ("removes_next",),
    "outline": ("hide_table_of_contents",),
    "pagination": ("removes_prev", "removes_next"),
    "prev": ("removes_prev",),
    "sidebar": ("removes_sidebar",),
    "tableOfContents": ("hide_table_of_contents",),
    "toc": ("hide_table_of_contents",),
}
"""Keys that hide something where they are false."""
FOREIGN_KEYS = frozenset(
    [
        "aliases",
        "archetype",
        "aside",
        "asIndexPage",
        "author",
        "authors",
        "banner",
        "bookCollapseSection",
        "cascade",
        "categories",
        "category",
        "collapse",
        "comments",
        "contributors",
        "cover",
        "create_date",
        "custom_css",
        "custom_js",
        "date",
        "eleventyComputed",
        "eleventyExcludeFromCollections",
        "eleventyImport",
        "eleventyNavigation",
        "enableComments",
        "expanded",
        "features",
        "footer",
        "grand_parent",
        "has_children",
        "has_toc",
        "head",
        "hero",
        "hide",
        "hide_breadcrumbs",
        "hide_sidebar",
        "hideComments",
        "iconType",
        "lang",
        "language",
        "lastUpdatedBy",
        "license",
        "linkTitle",
        "menu",
        "mermaid",
        "mode",
        "nav_exclude",
        "nav_fold_ids",
        "navbar",
        "next",
        "nocomments",
        "nosearch",
        "og_image",
        "orphan",
        "outline",
        "overviewHeaders",
        "pageClass",
        "pageType",
        "pagination_position",
        "params",
        "parent",
        "permalink",
        "prev",
        "publishdate",
        "published",
        "redirect_from",
        "redirect_to",
        "resources",
        "revision_date",
        "robots",
        "rss",
        "searchable",
        "series",
        "show_datetime",
        "sidebar",
        "status",
        "subtitle",
        "summary",
        "tableOfContents",
        "template",
        "templateEngineOverride",
        "titleSuffix",
        "titleTemplate",
        "toc",
        "toc_hide",
        "tocdepth",
        "topic",
        "topics",
        "twitter_image",
        "type",
        "url",
        "version",
        "visibility",
        "wrapper_class",
    ]
)
"""Keys that mean something to other engines; they are reported together."""
