"""Which engine a folder was written for, by the files that only that engine has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from octavo.errors import UsageError
from octavo.importing.model import EngineName, Recognized

_HOMES = (
    ".",
    "website",
    "docs",
    "documentation",
    "doc",
    "site",
    "www",
    "book",
    "guide",
    "src/doc",
    "packages/docs",
    "docs/en",
)
"""Folders in which projects keep their site, the likeliest first."""

_FILES: dict[EngineName, tuple[str, ...]] = {
    "docusaurus": tuple(f"docusaurus.config.{end}" for end in ("js", "ts", "mjs", "cjs", "mts")),
    "starlight": tuple(f"astro.config.{end}" for end in ("mjs", "ts", "js", "mts")),
    "vitepress": tuple(
        f".vitepress/config{name}.{end}" for name in ("", "/index") for end in ("ts", "mts", "js", "mjs", "cjs")
    ),
    "mkdocs": ("mkdocs.yml", "mkdocs.yaml"),
    "mdbook": ("book.toml",),
    "hugo": (
        "hugo.toml",
        "hugo.yaml",
        "hugo.yml",
        "hugo.json",
        "config.toml",
        "config.yaml",
        "config.yml",
        "config/_default/hugo.toml",
        "config/_default/config.toml",
        "config/_default/config.yaml",
        "config/_default/hugo.yaml",
    ),
    "sphinx": ("conf.py", "source/conf.py"),
    "gitbook": ("SUMMARY.md", ".gitbook.yaml"),
}


def recognize(folder: Path, engine: EngineName | None = None) -> Recognized:
    """Find out which engine a folder was written for.

    Args:
        folder: The project, or the folder of its site.
        engine: What the caller says it is; only its own files are looked for then.

    Raises:
        UsageError: the folder is missing, or its files speak for several engines.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder.")
    folder = folder.resolve()
    if engine == "plain":
        return Recognized("plain", folder, None, "--engine says so.")
    for home in _HOMES:
        found = [one for one in _candidates(folder / home) if engine is None or one.engine == engine]
        if not found:
            continue
        engines = sorted({one.engine for one in found})
        # A SUMMARY.md is found beside a book.toml as well; it belongs to the book.
        if len(engines) > 1:
            listed = ", ".join(f"{one.engine} ({one.config.name if one.config else ''})" for one in found)
            raise UsageError(f"{folder / home} holds files of several engines: {listed}. Choose one with --engine.")
        return found[0]
    if engine is not None:
        expected = ", ".join(_FILES[engine])
        raise UsageError(f"{folder} holds no {engine} site: there is none of {expected} in it.")
    if not any(folder.rglob("*.md")) and not any(folder.rglob("*.mdx")):
        raise UsageError(f"{folder} holds no Markdown files, and no configuration of an engine that is known.")
    return Recognized("plain", folder, None, "it holds Markdown files and no configuration of an engine that is known.")


def _variants(home: Path, engine: EngineName, names: tuple[str, ...]) -> list[str]:
    """List the names of an engine's configuration, and those under which projects keep several of them."""
    if engine != "mkdocs" or any((home / name).is_file() for name in names):
        return list(names)
    # The one that inherits from the others is the whole; it is the one that names an address or a title.
    found = sorted(home.glob("mkdocs*.yml"), key=lambda path: ("INHERIT" not in _read(path), "offline" in path.name))
    return [path.name for path in found]


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _candidates(home: Path) -> Iterator[Recognized]:
    taken = False
    for engine, names in _FILES.items():
        for name in _variants(home, engine, names):
            path = home / name
            if path.is_file() and _is_of(engine, path) and not (engine == "gitbook" and taken):
                taken = True
                shown = path.relative_to(home)
                base = path.parent if engine == "sphinx" else home
                yield Recognized(engine, base, path, f"{home.name} holds {shown}, the configuration of {engine}.")
                break


def _is_of(engine: EngineName, path: Path) -> bool:
    """Look into files whose name alone does not decide."""
    text = _read(path) if engine in ("starlight", "hugo", "sphinx") else ""
    if engine == "starlight":
        return "starlight" in text
    if engine == "hugo":
        home = path.parents[2] if path.parent.name == "_default" else path.parent
        return path.name.startswith("hugo.") or (
            (home / "content").is_dir()
            and re.search(r"baseURL|languageCode|\btheme\b|\[module\]", text, re.IGNORECASE) is not None
        )
    if engine == "sphinx":
        return re.search(r"^\s*extensions\s*(?:\+?=)|sphinx", text, re.MULTILINE) is not None
    return True
