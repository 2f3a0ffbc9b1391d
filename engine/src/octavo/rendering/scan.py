"""Read links and ids off finished HTML."""

from __future__ import annotations

import html
import re

from octavo.content import split_sources

# Highlighted code is most of a page's tags, and they hold neither links nor ids.
_TAG = re.compile(r"<(?!span class=|/|!)([a-zA-Z][\w:-]*)\s((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>")
_ELSEWHERE = ("http://", "https://", "//")
# All attributes are read, so that a value that looks like an attribute isn't taken for one.
_ATTRIBUTE = re.compile(r"([^\s=\"'/>]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'<>]+))")
_READ = frozenset({"href", "src", "poster", "srcset", "id", "name"})
_NOT_MARKUP = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)


def scan_html(text: str) -> tuple[list[str], list[str]]:
    """List what a piece of HTML refers to, and what it can be referred to by.

    Returns:
        (values of `href`, `src` and `poster`, and addresses of other sites in `srcset`; values of `id`, and of `name` on `a`), each once, in order.
    """
    references: dict[str, None] = {}
    anchors: dict[str, None] = {}
    if "<!--" in text or "<script" in text or "<style" in text:
        text = _NOT_MARKUP.sub("", text)
    for tag, attributes in _TAG.findall(text):
        if "=" not in attributes:
            continue
        for name, double, single, bare in _ATTRIBUTE.findall(attributes):
            lowered = name.lower()
            if lowered not in _READ:
                continue
            value = double or single or bare
            if "&" in value:
                value = html.unescape(value)
            if lowered == "id":
                anchors[value] = None
            elif lowered == "name":
                if tag in ("a", "A"):
                    anchors[value] = None
            elif lowered == "srcset":
                # Those of the site itself have been looked up when the page was compiled.
                references.update((one, None) for one, _ in split_sources(value) if one.startswith(_ELSEWHERE))
            elif value:
                references[value] = None
    return list(references), list(anchors)
