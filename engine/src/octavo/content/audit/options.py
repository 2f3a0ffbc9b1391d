"""Words after a fence that are nearly an option."""

from __future__ import annotations

import difflib
import re
from functools import lru_cache

from octavo.content.code.fences import FenceInfo

_OPTIONS = (
    "title",
    "filename",
    "hl_lines",
    "linenums",
    "showLineNumbers",
    "line-numbers",
    "ins",
    "del",
    "mark",
    "collapse",
    "expandable",
    "npm2yarn",
)
"""Options that Octavo knows; other words may be those of another engine, and mean nothing here."""
_KNOWN = frozenset(_OPTIONS)
_QUOTED = re.compile(r"""(["']).*?\1|\{[^{}]*\}|/[^/]+/""")
_WORD = re.compile(r"(?<!\S)(?P<name>[A-Za-z][\w-]*)(?P<value>=\S*)?(?!\S)")
_BARE_TITLE = re.compile(r"""(?<!\S)(?P<name>title|filename)=[\w./@\[\]-]+(?!\S)(?P<rest>(?:[ \t]+[\w.-]+)*)""")
_ALIKE = 0.8
_SHORTEST = 4
"""Letters of the shortest word that is taken for a slip: `in` is nearly `ins`, and may mean anything."""


@lru_cache(maxsize=1024)
def misspelt_option(text: str, info: FenceInfo) -> tuple[str, str] | None:
    """Find a word that is nearly an option, or a title without quotation marks.

    Args:
        text: The words after the fence.
        info: What they say.

    Returns:
        (the word, what to do); None where nothing looks like a typing mistake.
    """
    meta = text[len(info.language) :]
    if not meta.strip():
        return None
    if info.title is None and (bare := _BARE_TITLE.search(meta)):
        title = bare[0].partition("=")[2]
        return bare[0].split()[0], f'Write {bare["name"]}="{title}".'
    for word in _WORD.finditer(_QUOTED.sub('""', meta)):
        name = word["name"]
        if name in _KNOWN or len(name) < _SHORTEST:
            continue
        if close := difflib.get_close_matches(name, _OPTIONS, n=1, cutoff=_ALIKE):
            return name, f'Did you mean "{close[0]}"?'
    return None
