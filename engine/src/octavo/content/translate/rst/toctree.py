"""Tables of contents: the pages that a `toctree` names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from octavo.content.translate.directives import words_of_path
from octavo.content.translate.rst.inline import escape, link
from octavo.content.translate.rst.page import RstPage
from octavo.lazy import regex as re

_ENTRY = re.compile(r"\s*(?:(?P<title>[^\n]*?\S)\s*<(?P<path>[^<>\n]+)>|(?P<bare>[^\s:][^\n]*?))\s*$")


def toctree_lines(entries: Iterable[str], options: Mapping[str, str], page: RstPage) -> list[str]:
    """Write the entries of a table of contents as a list of links."""
    lines = []
    for entry in entries:
        match = _ENTRY.match(entry)
        path = match and (match["path"] or match["bare"])
        if not match or not path or path == "self" or path.startswith(".. "):
            continue
        if "*" in path or "?" in path:
            continue  # the files of a pattern are in the sidebar
        if "://" in path:
            lines.append(f"- {link(escape(match['title'] or path), path)}")
            continue
        stem = path.removesuffix(".rst").removesuffix(".md").removesuffix(".ipynb")
        found = page.around.read_page(stem, rst_first=True)
        title = match["title"] or (page.around.title_of(found[0]) if found else "") or words_of_path(path)
        lines.append(f"- {link(escape(title), page.around.relative(found[0]) if found else page.around.page(stem))}")
    caption = options.get("caption", "")
    return [*([f"**{escape(caption)}**", ""] if caption and lines else []), *lines]
