"""What the `features` of Material for MkDocs change in the navigation."""

from __future__ import annotations

import posixpath
from typing import Any

from octavo.importing.common import as_list, as_text, without_empty
from octavo.importing.model import Plan
from octavo.importing.navigation import title_of
from octavo.importing.tree import Tree

_CARRIED = ("content.code.annotate", "header.autohide", "navigation.indexes", "navigation.sections", "navigation.tabs")
_ALWAYS = (
    "announce.dismiss",
    "content.action.edit",
    "content.action.view",
    "content.code.copy",
    "content.code.select",
    "content.tabs.link",
    "navigation.footer",
    "navigation.instant",
    "navigation.instant.prefetch",
    "navigation.instant.preview",
    "navigation.instant.progress",
    "navigation.path",
    "navigation.prune",
    "navigation.tabs.sticky",
    "navigation.top",
    "navigation.tracking",
    "search.highlight",
    "search.share",
    "search.suggest",
    "toc.follow",
)
"""Features that pages of Octavo have in any case, or that only make pages of Material load faster."""
_INDEXES = ("index", "README")


def carry_features(
    plan: Plan, given: Any, items: list[dict[str, Any]], tree: Tree, statuses: dict[str, Any] | None = None
) -> None:
    """Write the sidebars of a site, and entries of the top bar that lead to them, as its features ask.

    Args:
        plan: Gets `sidebars`, and changes of `navbar`, which is there.
        given: The theme's `features`.
        items: The navigation as entries of one sidebar.
        tree: The documents.
        statuses: What a status of pages (`status: new`) is called, by `extra.status`.
    """
    settings = plan.settings
    items = [_with_status(one, tree, statuses or {}) for one in items]
    features = {as_text(one) for one in as_list(given)}
    if "navigation.indexes" in features:
        items = [_with_index(one) for one in items]
    if "header.autohide" in features:
        settings["navbar"]["hide_on_scroll"] = True
    sidebars: list[dict[str, Any]] = [{"id": "docs", "items": items}]
    if "navigation.tabs" in features:
        sidebars, entries = _tabs(items, tree)
        settings["navbar"]["items"] = [*entries, *settings["navbar"].get("items", [])]
    if "navigation.sections" in features:
        sidebars = [{**one, "items": [_open(entry) for entry in one["items"]]} for one in sidebars]
    settings["sidebars"] = sidebars
    if others := sorted(features - {*_CARRIED, *_ALWAYS, ""}):
        remedy = "Look whether readers miss it; style sheets and slots change the layout."
        plan.note(
            "Features of Material's theme that have no counterpart: " + ", ".join(others), remedy, count=len(others)
        )


def _with_status(entry: dict[str, Any], tree: Tree, statuses: dict[str, Any]) -> dict[str, Any]:
    """Show the status of a page beside its entry."""
    if "items" in entry:
        entry = {**entry, "items": [_with_status(one, tree, statuses) for one in entry["items"]]}
    file = tree.by_id(entry.get("doc", ""))
    status = as_text(tree.front(file).get("status")) if file else ""
    return {**entry, "badge": as_text(statuses.get(status)) or status.capitalize()} if status else entry


def _with_index(entry: dict[str, Any]) -> dict[str, Any]:
    """Make the index document of a category the target of its label, as `navigation.indexes` does."""
    if "category" not in entry:
        return entry
    inner = [_with_index(one) for one in entry["items"]]
    index = next((one for one in inner if posixpath.basename(one.get("doc", "")) in _INDEXES), None)
    if index is None or len(inner) == 1:
        return {**entry, "items": inner}
    return {
        **entry,
        "link": {"type": "doc", "id": index["doc"]},
        "items": [one for one in inner if one is not index],
    }


def _tabs(items: list[dict[str, Any]], tree: Tree) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Give each section of the first level a sidebar of its own, and an entry of the top bar."""
    sidebars: list[dict[str, Any]] = []
    entries: list[dict[str, Any]] = []
    single: list[dict[str, Any]] = []
    for number, item in enumerate(items, 1):
        if "category" in item:
            link = item.get("link")
            own = [{"doc": link["id"]}] if link else []
            sidebars.append({"id": f"tab-{number}", "label": item["category"], "items": [*own, *item["items"]]})
            entries.append({"label": item["category"], "sidebar": f"tab-{number}"})
            continue
        single.append(item)
        if "href" in item:
            entries.append({"label": item["label"], "href": item["href"]})
        elif file := tree.by_id(item.get("doc", "")):
            entries.append({"label": item.get("label") or title_of(tree, file), "href": tree.route(file)})
    return [without_empty({"id": "docs", "items": single}), *sidebars] if single else sidebars, entries


def _open(entry: dict[str, Any]) -> dict[str, Any]:
    """Show sections of the first level as groups that are always open, as `navigation.sections` does."""
    return {**entry, "is_collapsed": False, "is_collapsible": False} if "category" in entry else entry
