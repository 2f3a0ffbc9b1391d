"""Read the settings of a site: `mkdocs.yml` with what it inherits, and `zensical.toml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from octavo.errors import UsageError
from octavo.importing.common import as_dict, as_text
from octavo.importing.settings.files import SAFE_LOADER, read_toml, read_yaml, text_or_empty
from octavo.lazy import regex as re

OF_VAULTS = ("roamlinks", "ezlinks", "obsidian-bridge", "obsidian-interactive-graph")
"""Plug-ins for folders that are written with Obsidian."""
OF_PLUGINS = {
    **dict.fromkeys(OF_VAULTS, "obsidian"),
    "autorefs": "autorefs",
    "callouts": "callouts",
    "include-markdown": "snippets",
    "mkdocs-jupyter": "notebooks",
    "mkdocstrings": "autorefs",
    "table-reader": "table_reader",
}
"""Plug-in → the extension that reads what it reads."""
_OF_ZENSICAL = (
    "abbr",
    "admonition",
    "attr_list",
    "def_list",
    "footnotes",
    "md_in_html",
    "pymdownx.arithmatex",
    "pymdownx.caret",
    "pymdownx.details",
    "pymdownx.emoji",
    "pymdownx.keys",
    "pymdownx.mark",
    "pymdownx.tabbed",
    "pymdownx.tilde",
)
"""Extensions of a `zensical.toml` that names none."""

_HOSTS = {"github": "https://github.com", "gitlab": "https://gitlab.com", "bitbucket": "https://bitbucket.org"}


class _Loader(SAFE_LOADER):  # type: ignore[misc]  # the library picks it at run time
    """Reads any tag: what it stands for is not looked up, so nothing is ever run."""


def _construct_any(loader: Any, suffix: str, node: Any) -> Any:
    if isinstance(node, yaml.MappingNode):
        value = loader.construct_mapping(node, deep=True)
        return f"{suffix} {value}" if "python" in suffix else value
    if isinstance(node, yaml.SequenceNode):
        values = loader.construct_sequence(node, deep=True)
        # `!ENV [NAME, OTHER, default]`: no variable is read.
        return values[-1] if values and suffix == "ENV" and len(values) > 1 else None if suffix == "ENV" else values
    return None if suffix == "ENV" else suffix if "python" in suffix else loader.construct_scalar(node)


_Loader.add_multi_constructor("!", _construct_any)
_Loader.add_multi_constructor(
    "tag:yaml.org,2002:python/", lambda loader, suffix, node: _construct_any(loader, f"python/{suffix}", node)
)


def load_yaml(path: Path, depth: int = 0) -> dict[str, Any]:
    """Read a `mkdocs.yml`, with the files that it inherits from.

    Raises:
        UsageError: it can't be read.
    """
    raw = read_yaml(path, _Loader)
    if raw is not None and not isinstance(raw, dict):
        raise UsageError(f"{path} contains no settings: expected lines such as `site_name: My site`.")
    found = as_dict(raw)
    parent = found.pop("INHERIT", None)
    if not isinstance(parent, str) or depth > 5:
        return found
    return _merge(load_yaml((path.parent / parent).resolve(), depth + 1), found)


def load_zensical(path: Path) -> dict[str, Any]:
    """Read a `zensical.toml`: the settings of a `mkdocs.yml` in a table `project`.

    Raises:
        UsageError: it can't be read.
    """
    found = as_dict(read_toml(path).get("project"))
    given = found.get("markdown_extensions")
    names = {name: {} for name in _OF_ZENSICAL} if given is None else dict(_dotted(as_dict(given)))
    return {**found, "markdown_extensions": names}


def _dotted(tables: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Name extensions in full: TOML makes tables in tables of the dots in their names."""
    for name, value in tables.items():
        if name in ("pymdownx", "blocks", "zensical", "extensions") and isinstance(value, dict):
            yield from ((f"{name}.{inner}", options) for inner, options in _dotted(value))
        else:
            yield name, value


def _merge(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in own.items():
        merged[key] = (
            _merge(merged[key], value) if isinstance(value, dict) and isinstance(merged.get(key), dict) else value
        )
    return merged


def repository_of(options: Mapping[str, Any]) -> str:
    """Address of the repository that `#12` means in pages; empty where the extension does not say, or is not to link it."""
    host = _HOSTS.get(as_text(options.get("provider"), "github"))
    user, name = as_text(options.get("user")), as_text(options.get("repo"))
    return f"{host}/{user}/{name}" if options.get("repo_url_shorthand") is True and host and user and name else ""


_BLOCK = re.compile(r"^[ ]{0,3}/{3,} ?[a-z][\w-]*(?: ?\|[^\n]*)?\n(?:[^\n]*\n){0,60}?[ ]{0,3}/{3,}[ ]*$", re.MULTILINE)


def has_blocks(folder: Path) -> bool:
    """Whether pages have blocks between lines of slashes, which an extension of the site may read."""
    files = sorted(folder.rglob("*.md")) if folder.is_dir() else []
    return any("\n///" in text and _BLOCK.search(_FENCED.sub("", text)) for text in map(text_or_empty, files))


_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n]*\n.*?^[ \t]*\1[`~]*[ \t]*$", re.MULTILINE | re.DOTALL)
