"""Patterns of paths in the settings of VitePress: pages that get other addresses, and files that are not pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from octavo.importing.common import as_text
from octavo.lazy import regex as re

_GROUP = re.compile(r":(?P<name>\w+)(?:\((?P<own>[^()]*)\))?(?P<star>[*+?])?|\((?P<bare>[^()]*)\)")
"""A named part of a path, or one in brackets alone, which goes by its number."""
_MOST_BRACES = 64


def rewritten_folder(rewrites: dict[str, Any], files: Iterable[str]) -> str:
    """Find the folder whose pages are all published at the root, where no page lies beside it."""
    for pattern, target in rewrites.items():
        match = re.fullmatch(r"([\w-]+)/:(\w+)(?:\(\.\*\)|\*)", pattern)
        if (
            match
            and target in (f":{match[2]}", f":{match[2]}*")
            and all(one.startswith(f"{match[1]}/") for one in files)
        ):
            return match[1]
    return ""


def fill(target: str, values: dict[str, str]) -> str:
    """Put what a pattern has found into the path that a page gets; a part in brackets alone is that of the same number."""
    numbers = iter(range(len(target)))

    def replace(match: re.Match[str]) -> str:
        key = match["name"] or f"_{next(numbers)}"
        return values.get(key, match[0])

    return _GROUP.sub(replace, target)


def path_pattern(source: str) -> tuple[re.Pattern[str], list[str]]:
    """Turn a pattern such as `packages/:pkg/src/:slug*` or `texts/(.*)` into a regular expression."""
    names: list[str] = []
    regex, end = "", 0
    for match in _GROUP.finditer(source):
        name = match["name"] or f"_{sum(one.startswith('_') for one in names)}"
        inner = match["bare"] or match["own"] or (".*" if match["star"] else "[^/]+")
        names.append(name)
        regex += f"{re.escape(source[end : match.start()])}(?P<{name}>{inner})"
        end = match.end()
    try:
        return re.compile(regex + re.escape(source[end:])), names
    except re.error:
        return re.compile(re.escape(source)), []


def excluded(patterns: Iterable[Any], site_dir: Path, prefix: str) -> Iterator[str]:
    """Write patterns of files that are not pages as those of `exclude`: it has no braces, and no folder means all that is in it."""
    for pattern in map(as_text, patterns):
        if not pattern or pattern.startswith("!") or "!(" in pattern:
            continue
        parts = [
            part[1:-1].split(",") if part.startswith("{") else [part] for part in re.split(r"(\{[^{}]*\})", pattern)
        ]
        for one in list(product(*parts))[:_MOST_BRACES]:
            path = prefix + "".join(one).removeprefix("./").rstrip("/")
            yield f"{path}/**" if "*" not in path and (site_dir / path).is_dir() else path
