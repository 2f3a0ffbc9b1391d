"""`SUMMARY.md`: the table of contents of mdBook and GitBook."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import msgspec

from octavo.lazy import regex as re

_LINE = re.compile(
    r"^(?P<indent>[ \t]*)(?:[-*+]|\d+\.)?[ \t]*\[(?P<title>(?:[^\[\]\\]|\\.|\[[^\]]*\])*)\]\((?P<href><[^>]*>|[^)\s]*)[^)]*\)[ \t]*$"
)
_PLAIN = re.compile(r"^(?P<indent>[ \t]*)[-*+][ \t]+(?P<title>[^\[\]\s][^\[\]]*?)[ \t]*$")
_PART = re.compile(r"^#{1,6}[ \t]+(?P<title>.+?)[ \t]*$")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


class Chapter(msgspec.Struct):
    """A line of the table of contents."""

    title: str
    path: str
    """Of the file, from the folder of the table; empty for a chapter that is not written yet; or an address."""
    inner: list[Chapter] = []
    anchor: str = ""
    """Id of the heading in the file that it leads to."""


class SummaryPart(msgspec.Struct):
    """Chapters under a heading of their own."""

    title: str
    chapters: list[Chapter]


def parse_summary(text: str, *, has_title: bool = False, has_plain: bool = False) -> list[SummaryPart]:
    """Read a table of contents; the first part has no title.

    Args:
        text: Its Markdown.
        has_title: A heading at its head, in whatever language, is the title of the table and not that of a part.
        has_plain: An entry without a link is a chapter without a page of its own, as in Docsify's sidebars.
    """
    parts = [SummaryPart("", [])]
    stack: list[tuple[int, list[Chapter]]] = [(-1, parts[0].chapters)]
    is_first = True
    for line in _COMMENT.sub("", text.replace("\r\n", "\n").replace("\t", "    ")).split("\n"):
        if heading := _PART.match(line):
            is_known = heading["title"].lower() in ("summary", "table of contents")
            if not (is_first and (is_known or (has_title and line.startswith("# ")))):
                parts.append(SummaryPart(heading["title"], []))
                stack = [(-1, parts[-1].chapters)]
            is_first = False
            continue
        found = _LINE.match(line)
        plain = _PLAIN.match(line) if has_plain and found is None else None
        one = found or plain
        if one is None:
            continue
        is_first = False
        indent = len(one["indent"])
        while stack[-1][0] >= indent:
            stack.pop()
        if found is None:
            group = Chapter(re.sub(r"[*_`]{1,3}(.+?)[*_`]{1,3}", r"\1", one["title"]), "")
            stack[-1][1].append(group)
            stack.append((indent, group.inner))
            continue
        href, _, anchor = unquote(found["href"].strip("<>")).partition("#")
        is_local = bool(href) and "://" not in href
        chapter = Chapter(
            re.sub(r"\\(.)", r"\1", found["title"]).replace("`", ""),
            posixpath.normpath(href) if is_local else href,
            anchor=anchor if is_local else "",
        )
        stack[-1][1].append(chapter)
        stack.append((indent, chapter.inner))
    return [part for part in parts if part.chapters]


def paths_of(parts: list[SummaryPart]) -> list[str]:
    """List the files of a table, in reading order, each once."""
    found: dict[str, None] = {}

    def walk(chapters: list[Chapter]) -> None:
        for chapter in chapters:
            if chapter.path and "://" not in chapter.path:
                found[chapter.path.removeprefix("/")] = None
            walk(chapter.inner)

    for part in parts:
        walk(part.chapters)
    return list(found)


def entries_of(
    parts: list[SummaryPart], doc_id: dict[str, str], route: Callable[[str], str] | None = None
) -> list[dict[str, Any]]:
    """Write a table as entries of a sidebar.

    Args:
        parts: The table.
        doc_id: File → id of its document.
        route: Gives the route of a file; entries may lead to headings then.
    """
    entries: list[dict[str, Any]] = []
    _settle_anchors(parts)
    for part in parts:
        inner = _entries(part.chapters, doc_id, route)
        if part.title and inner:
            entries.append({"category": part.title, "is_collapsed": False, "items": inner})
        else:
            entries += inner
    return entries


def _settle_anchors(parts: list[SummaryPart]) -> None:
    """Let one entry lead to each file, its first one where all lead to headings: else the sidebar would not have the file."""
    level = [chapter for part in parts for chapter in part.chapters]
    chapters: list[Chapter] = []
    while level:
        chapters += level
        level = [inner for chapter in level for inner in chapter.inner]
    whole = {chapter.path for chapter in chapters if not chapter.anchor}
    for chapter in chapters:
        if chapter.path not in whole:
            chapter.anchor = ""
            whole.add(chapter.path)


def _entries(
    chapters: list[Chapter], doc_id: dict[str, str], route: Callable[[str], str] | None
) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    for chapter in chapters:
        path = chapter.path.removeprefix("/")
        own = doc_id.get(path)
        href = f"{route(path)}#{chapter.anchor}" if own and chapter.anchor and route else ""
        own = None if href else own
        inner = _entries(chapter.inner, doc_id, route)
        if inner:
            link = {"link": {"type": "doc", "id": own}} if own else {}
            entries.append({"category": chapter.title, **link, "items": inner})
        elif own:
            entries.append({"doc": own, "label": chapter.title})
        elif href:
            entries.append({"href": href, "label": chapter.title})
        elif "://" in chapter.path:
            entries.append({"href": chapter.path, "label": chapter.title})
    return entries
