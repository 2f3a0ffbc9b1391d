"""Read links and ids off finished HTML."""

from __future__ import annotations

import html
from functools import lru_cache

from octavo.content import split_sources
from octavo.lazy import regex as re

# Highlighted code is most of a page's tags, and they hold neither links nor ids.
_TAG = re.compile(r"<(?!span class=|/|!)([a-zA-Z][\w:-]*)\s((?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*)>")
_ELSEWHERE = ("http://", "https://", "//")
# All attributes are read, so that a value that looks like an attribute isn't taken for one.
_ATTRIBUTE = re.compile(r"([^\s=\"'/>]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'<>]+))")
_READ = frozenset({"href", "src", "poster", "srcset", "id", "name"})
_MOST_KEPT, _LONGEST_KEPT = 8_192, 200
"""Texts of attributes, and characters of one, that are kept once taken apart: most tags of a site have the same as others."""
_NOT_MARKUP = re.compile(r"<(?!span |/)(?:!--.*?(?:-->|\Z)|(script|style)\b.*?</\1\s*>)", re.DOTALL | re.IGNORECASE)


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
        for name, value in _read(attributes) if len(attributes) <= _LONGEST_KEPT else _read.__wrapped__(attributes):
            if name == "id":
                anchors[value] = None
            elif name == "name":
                if tag in ("a", "A"):
                    anchors[value] = None
            elif name == "srcset":
                # Those of the site itself have been looked up when the page was compiled.
                references.update((one, None) for one, _ in split_sources(value) if one.startswith(_ELSEWHERE))
            elif value:
                references[value] = None
    return list(references), list(anchors)


@lru_cache(maxsize=_MOST_KEPT)
def _read(attributes: str) -> tuple[tuple[str, str], ...]:
    """Give the attributes of a tag that are read, their names in lower case."""
    if "=" not in attributes:
        return ()
    return tuple(
        (lowered, html.unescape(double or single or bare))
        for name, double, single, bare in _ATTRIBUTE.findall(attributes)
        if (lowered := name.lower()) in _READ
    )
