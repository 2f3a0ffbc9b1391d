"""Attribute lists: `{ #id .class key=value }`, as Python-Markdown and kramdown write them."""

from __future__ import annotations

from octavo.lazy import regex as re

_LIST = re.compile(r"""\{:?[ \t]*(?P<body>(?:[^{}\n"']|"[^"\n]*"|'[^'\n]*')+?)[ \t]*\}""")
_ITEM = re.compile(
    r"""[ \t]*(?:\#(?P<id>[^\s#="']+)|\.(?P<class>[^\s#="']+)"""
    r"""|(?P<key>[A-Za-z_:@][\w:.-]*)=(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"']+)))(?=[ \t]|\Z)"""
)
_BARE = re.compile(r"[ \t]*[A-Za-z][\w-]*(?=[ \t]|\Z)")
"""A word alone, which style sheets and scripts of a site ask for: Python-Markdown makes an attribute of it."""
_BARE_MARK = re.compile(r"""[ \t]*[^\s{}"'=]+(?=[ \t]|\Z)""")
"""Anything alone in a list that begins with a colon, as in `{:+ rel=nofollow}`: Python-Markdown makes an attribute of it."""
_MISQUOTED = re.compile(r"""\{:?[ \t]*(?P<key>[a-z][\w-]*)=["']*(?P<value>[^"'{}\s=]+)["']*[ \t]*\}""")
"""One value with a quotation mark too few or too many: Python-Markdown takes it."""


def parse_attributes(text: str, start: int) -> tuple[dict[str, str], int] | None:
    """Read the attribute list that begins at an offset.

    Returns:
        Name → value, classes joined by spaces, and the offset after the list; None where braces hold anything else.
    """
    match = _LIST.match(text, start)
    is_marked = text.startswith("{:", start)
    attributes = read_items(match["body"], _BARE_MARK if is_marked else _BARE) if match else None
    if match and attributes == {} and is_marked:
        return {}, match.end()
    if not attributes and (mistaken := _MISQUOTED.match(text, start)):
        return {mistaken["key"]: mistaken["value"]}, mistaken.end()
    return (attributes, match.end()) if match and attributes else None


def read_items(body: str, bare: re.Pattern[str] | None = None) -> dict[str, str] | None:
    """Parse the text between the braces; None if a word is not an item of an attribute list.

    Args:
        body: What is between the braces.
        bare: What is passed over where it is alone; a list of nothing else is empty.
    """
    found: dict[str, str] = {}
    position = 0
    while position < len(body.rstrip()):
        item = _ITEM.match(body, position)
        if item is None and bare and (word := bare.match(body, position)):
            position = word.end()
            continue
        if item is None:
            return None
        position = item.end()
        if item["id"]:
            found["id"] = item["id"]
        elif item["class"]:
            found["class"] = f"{found['class']} {item['class']}" if "class" in found else item["class"]
        else:
            value = next(value for value in (item["double"], item["single"], item["bare"]) if value is not None)
            found[item["key"]] = value
    return found


def repeated_item(body: str) -> str:
    """Find the name that an attribute list has more than once, of which one value is lost; empty where there is none."""
    seen: set[str] = set()
    position = 0
    while item := _ITEM.match(body, position):
        position = item.end()
        name = "id" if item["id"] else item["key"]
        if name in seen:
            return name
        if name:
            seen.add(name)
    return ""
