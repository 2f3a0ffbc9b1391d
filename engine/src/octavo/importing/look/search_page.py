"""The page at `/search`, which the engine's links to all results lead to; `octavo new` writes one for new sites."""

from __future__ import annotations

import json
import posixpath
from typing import Any

import msgspec

from octavo.config import Config
from octavo.importing.components import with_digest
from octavo.importing.model import Plan
from octavo.lazy import regex as re
from octavo.site import find_sources
from octavo.words import language_of, words_of

_NAME = "search"
_LONGEST_HEAD = 2000
"""Bytes of a file in which its address may be named."""
_SLUG = re.compile(r"^(?:slug|permalink|url)[ \t]*[:=][ \t]*[\"']?/?search/?(?:\.html)?[\"']?[ \t]*$", re.MULTILINE)


def search_page_of(plan: Plan, folder: str) -> str:
    """Name the page that the import writes and the old site has not; empty where there is none."""
    path = f"{folder}/{_NAME}.md"
    return path if path in plan.files else ""


def add_search_page(plan: Plan, folder: str) -> None:
    """Plan a page for searches, unless the old site has one at its address.

    Args:
        plan: Gets it.
        folder: That of the pages which an import writes.
    """
    settings = plan.settings
    target = f"{folder}/{_NAME}.md"
    if any(_is_search(one.get("from")) for one in settings.get("redirects", ())) or _has_page(plan, target):
        return
    locales = settings.get("locales") or [{"id": "en"}]
    words = words_of(language_of(locales[0]["id"]) or "en")
    lines = [
        "# Taken over from the search of the old site",
        f"title: {json.dumps(words['search'], ensure_ascii=False)}",
        f"description: {json.dumps(words['search.page'], ensure_ascii=False)}",
        "layout: search",
        "displayed_sidebar: null",
    ]
    text = "\n".join(["---", *lines, "---", ""])
    plan.files[target] = with_digest(text, "the search of the old site")
    settings["mounts"] = {**settings.get("mounts", {}), folder: "/"}
    routing = settings.setdefault("routing", {})
    routing["exact"] = {**routing.get("exact", {}), target: f"/{_NAME}"}


def _is_search(address: Any) -> bool:
    return isinstance(address, str) and address.strip("/").removesuffix(".html") == _NAME


def _has_page(plan: Plan, target: str) -> bool:
    """Whether a file of the site is, or may be, the page at this address."""
    config = msgspec.convert({"title": "", **_read(plan.settings)}, Config)
    exact = plan.settings.get("routing", {}).get("exact", {})
    if any(_is_search(route) for path, route in exact.items() if path != target):
        return True
    for source in find_sources(plan.site_dir, config):
        if source.path == target or source.data is not None:
            continue
        stem = posixpath.splitext(source.relative)[0].lower()
        if stem in (_NAME, f"{_NAME}/index", f"{_NAME}/_index", f"{_NAME}/readme", f"{_NAME}/page"):
            return True
        with (plan.site_dir / source.path).open("rb") as file:
            head = file.read(_LONGEST_HEAD).decode("utf-8", errors="replace")
        if _NAME in head and _SLUG.search(head):
            return True
    return False


def _read(settings: dict[str, Any]) -> dict[str, Any]:
    """Give the settings that say which files are pages."""
    return {key: settings[key] for key in ("docs", "pages", "mounts", "exclude", "locales") if key in settings}
