"""What most engines have under names of their own: statistics, a banner, tags of the head."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from typing import Any

import pyromark

from octavo.importing.common import as_dict, as_list, as_text, is_external
from octavo.importing.model import Plan
from octavo.lazy import regex as re

_GOOGLE = re.compile(r"(?:G|GT|UA|AW)-[A-Z0-9-]+")
_OWN_METAS = frozenset(["viewport", "generator", "theme-color"])
"""Tags that octavo writes itself."""
_OF_PAGES = re.compile(r"description|(?:og|twitter):(?:card|description|image|locale|site_name|title|type|url)")
"""Tags that differ from page to page; those of the whole site would be there twice."""
_PICTURES = frozenset(["icon", "shortcut", "apple-touch-icon", "mask-icon", "manifest"])
"""Relations that have settings of their own."""
_LINKS = frozenset(["author", "license", "me", "help", "search", "alternate", "preconnect", "dns-prefetch"])
"""Relations that need no file of the site and bring no style or script."""


def carry_google(plan: Plan, identifiers: Iterable[str]) -> None:
    """Take over measurement ids of Google; others, such as those of its tag manager, are noted."""
    given = [one for one in identifiers if one]
    found = [one for one in dict.fromkeys(given) if _GOOGLE.fullmatch(one)]
    if found:
        plan.settings["analytics"] = {"google": found if len(found) > 1 else found[0]}
    if others := [one for one in given if one not in found]:
        plan.note("Statistics that are not measured by an id of Google Analytics", "See [analytics].", files=others)


def carry_banner(plan: Plan, text: str, *, is_closeable: bool = True, name: str = "announcement") -> None:
    """Make an announcement of a text in Markdown."""
    if text.strip():
        shown = pyromark.html(text.strip()).strip().removeprefix("<p>").removesuffix("</p>")
        bar = {"id": name, "content": shown, "is_closeable": is_closeable}
        plan.settings["announcements"] = [bar]


def carry_metas(plan: Plan, tags: Iterable[Mapping[str, Any]]) -> None:
    """Take over tags of the head that say something to other programs; others are noted.

    Args:
        plan: Gets them in `head`.
        tags: Each with its name in `tag`, and its `attributes`.
    """
    head: list[dict[str, Any]] = []
    left: list[str] = []
    for one in tags:
        attributes = {str(key): html.unescape(str(value)) for key, value in as_dict(one.get("attributes")).items()}
        name = (attributes.get("name") or attributes.get("property") or "").lower()
        relations = set(attributes.get("rel", "").lower().split())
        is_known = name in _OWN_METAS or _OF_PAGES.fullmatch(name) is not None
        is_meta = one.get("tag") == "meta" and name and "content" in attributes and not is_known
        is_link = (
            one.get("tag") == "link" and relations and relations <= _LINKS and is_external(attributes.get("href", ""))
        )
        if is_meta or is_link:
            head.append({"tag": one["tag"], "attributes": attributes})
        elif name not in _OWN_METAS and not relations & _PICTURES and "charset" not in attributes:
            said = name or attributes.get("rel") or attributes.get("src") or ""
            left.append(f"{one.get('tag')} {said}".strip())
    if head:
        plan.settings["head"] = [*plan.settings.get("head", []), *head]
    if left:
        remedy = "Name scripts and style sheets of the site in `scripts` and `styles`; see also [analytics] and `head`."
        plan.note("Tags of the head", remedy, count=len(left), files=left[:5])


def html_tags(entries: Any) -> list[dict[str, Any]]:
    """Read tags of the head as VitePress has them, `["meta", {name: "x", content: "y"}, ""]`."""
    given = [entry for entry in as_list(entries) if isinstance(entry, list) and entry and isinstance(entry[0], str)]
    return [{"tag": entry[0], "attributes": as_dict(entry[1]) if len(entry) > 1 else {}} for entry in given]


def table_tags(entries: Any, *names: str) -> list[dict[str, Any]]:
    """Read tags of the head that are tables: `tag` (or `tagName`), and their attributes under the first of some names."""
    found = []
    for one in map(as_dict, as_list(entries)):
        attributes = next((as_dict(one[name]) for name in names if name in one), {})
        found.append({"tag": as_text(one.get("tag")) or as_text(one.get("tagName")), "attributes": attributes})
    return found
