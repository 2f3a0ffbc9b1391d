"""Write settings as TOML that an author likes to read: tables for groups, one line for each entry of a list.

The libraries that write TOML put every nested list of tables on lines of its own, or all on one; sidebars are neither.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from octavo.lazy import regex as re

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_INDENT = "  "
_WIDTH = 100
_GROUPS = frozenset({"sidebars", "versions", "locales", "announcements", "blogs"})
"""Lists whose entries are long: each gets a table of its own."""


def write_toml(settings: Mapping[str, Any], head: str = "") -> str:
    """Write settings: plain values first, then tables. None and empty tables are left out.

    Args:
        settings: Texts, numbers, flags, lists and mappings of them.
        head: Comment in front.
    """
    lines = [f"# {line}".rstrip() for line in head.splitlines()]
    lines += ["", *_table(settings, ())] if lines else _table(settings, ())
    return "\n".join(lines).strip("\n") + "\n"


def _table(values: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    groups = {
        key: value
        for key, value in values.items()
        if isinstance(value, Mapping) or (not path and key in _GROUPS and _has_tables_only(value))
    }
    for key, value in values.items():
        if key not in groups and value is not None:
            yield f"{_key(key)} = {_value(value, '')}"
    for key, value in groups.items():
        inner = (*path, key)
        name = ".".join(map(_key, inner))
        if isinstance(value, Mapping):
            if any(not isinstance(one, Mapping) for one in value.values()):
                yield from ("", f"[{name}]")
            yield from _table(value, inner)
        else:
            for entry in value:
                yield from ("", f"[[{name}]]", *_entry(entry))


def _has_tables_only(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(entry, Mapping) for entry in value)


def _entry(values: Mapping[str, Any]) -> Iterator[str]:
    for key, value in values.items():
        if value is not None:
            yield f"{_key(key)} = {_value(value, '')}"


def _value(value: Any, indent: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {_value(one, indent)}" for key, one in value.items() if one is not None)
        return f"{{ {inner} }}" if inner else "{}"
    entries = [_value(entry, indent + _INDENT) for entry in value]
    text = f"[{', '.join(entries)}]"
    if len(indent) + len(text) <= _WIDTH and "\n" not in text:
        return text
    # A line end is allowed in lists, those inside of a table on one line too.
    inside = "".join(f"\n{indent}{_INDENT}{entry}," for entry in entries)
    return f"[{inside}\n{indent}]"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _quoted(key)
