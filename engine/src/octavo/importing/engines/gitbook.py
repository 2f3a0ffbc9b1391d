"""GitBook: a folder of Markdown with a `SUMMARY.md`."""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import Any

from octavo.importing.common import (
    ALWAYS_EXCLUDED,
    as_dict,
    as_list,
    as_text,
    diagnostics,
    flat_texts,
    is_external,
    load_settings,
    note_unread,
    relative,
)
from octavo.importing.model import Plan, Recognized
from octavo.importing.navigation import name_of_site, title_of
from octavo.importing.settings.files import read_text
from octavo.importing.settings.redirects import CarriedRedirects, pairs_of
from octavo.importing.summary import entries_of, parse_summary, paths_of
from octavo.importing.tree import Tree
from octavo.importing.watched import Watched, plain

_PLUGINS = frozenset(
    ["anchors", "codeblock-label", "collapsible-menu", "copy-code-button", "edit-link", "expandable-chapters", "ga", "github",
     "heading-anchors", "highlight", "hints", "lunr", "prism", "search", "sectionx", "sectionx-ex", "sharing", "fontsettings"]
)  # fmt: skip
"""Plug-ins that are part of Octavo, or whose blocks are drawn."""
_OF_BOOKS = ("book.json", "book.js", "LANGS.md")
"""Files of GitBook's own program and of HonKit, which goes on with it; its sites draw pages as templates."""


def plan(found: Recognized, folder: Path) -> Plan:
    """Plan the import of a GitBook site."""
    is_book = any((found.home / name).is_file() for name in _OF_BOOKS) or _is_built_by_honkit(found.home)
    settings_file = found.home / ("book.json" if (found.home / "book.json").is_file() else ".gitbook.yaml")
    settings, problem = load_settings(settings_file)
    config = Watched(settings)
    docs_dir = (found.home / as_text(config.get("root"), ".")).resolve()
    site_dir = folder if docs_dir.is_relative_to(folder) else docs_dir
    made = Plan("gitbook", site_dir, {})
    made.watch(config)
    note_unread(made, settings_file, problem)
    docs = relative(docs_dir, site_dir)
    structure = as_dict(config.get("structure"))
    summary_name = as_text(structure.get("summary"), "SUMMARY.md")
    languages = _languages(docs_dir, as_text(structure.get("languages"), "LANGS.md"), summary_name)
    settings = made.settings
    settings["title"] = as_text(config.get("title")) or name_of_site(found.home)
    if description := as_text(config.get("description")):
        settings["tagline"] = description
    settings["docs"] = docs
    folders = list(languages) or [""]
    summaries = {name: docs_dir / name / summary_name for name in folders}
    settings["exclude"] = [*ALWAYS_EXCLUDED, *(relative(path, site_dir) for path in summaries.values())]
    settings["static"] = ".gitbook" if (site_dir / ".gitbook").is_dir() else docs if is_book else "static"
    settings["markdown"] = {"extensions": ["emoji", "gitbook"]}
    settings["routing"] = {"number_prefixes": True, "folder_name_is_index": False}
    if is_book:
        _write_templates(made, config, docs, folders)
    tree = Tree(site_dir, settings, docs)
    readme = tree.find(as_text(structure.get("readme"), "README.md"))
    if readme and not as_text(config.get("title")):
        settings["title"] = title_of(tree, readme)
    if languages:
        made.note(
            "Languages of the book, whose pages keep their addresses and have a sidebar each",
            "Name them under [[locales]] for the switch and the translated texts.",
            files=list(languages),
        )
        if (docs_dir / "LANGS.md").is_file() and not tree.find("README.md"):
            settings["routing"]["exact"] = {relative(docs_dir / "LANGS.md", site_dir): "/"}
    settings["sidebars"] = [
        {"id": name or "docs", "items": _items(made, tree, name, summaries[name])} for name in folders
    ]
    settings["navbar"] = {"title": settings["title"]}
    carried = CarriedRedirects(made, {tree.route(file) for file in tree.files})
    for source, target in pairs_of(config.get("redirects")):
        path, mark, anchor = target.partition("#")
        file = None if is_external(target) else tree.find(path)
        if file is None and not is_external(target):
            made.note(
                "Redirects to pages that do not exist",
                "Name other pages under [[redirects]].",
                files=[f"{source} → {target}"],
            )
            continue
        carried.add(f"/{source.strip('/')}", f"{tree.route(file)}{mark}{anchor}" if file else target)
    carried.write()
    settings["diagnostics"] = diagnostics()
    return made


def _is_built_by_honkit(home: Path) -> bool:
    path = home / "package.json"
    text = read_text(path) if path.is_file() else ""
    return any(f'"{name}"' in text for name in ("honkit", "gitbook-cli"))


def _languages(docs_dir: Path, name: str, summary: str) -> dict[str, str]:
    """List the folders of the languages of a book, with their names."""
    path = docs_dir / name
    parts = parse_summary(read_text(path), has_title=True) if path.is_file() else []
    found = {chapter.path.strip("/"): chapter.title for part in parts for chapter in part.chapters}
    return {folder: title for folder, title in found.items() if (docs_dir / folder / summary).is_file()}


def _write_templates(made: Plan, config: Watched, docs: str, folders: list[str]) -> None:
    """Set what pages of a book are drawn with: its variables, the folders of its files, and its addresses."""
    markdown = made.settings["markdown"]
    markdown["extensions"] = ["emoji", "gitbook", "macros"]
    markdown["slugs"] = "gitbook"
    markdown["snippets"] = list(
        dict.fromkeys([posixpath.normpath(posixpath.join(docs, name)) for name in (*folders, "")])
    )
    variables = dict(flat_texts({"book": plain(config.get("variables"))}))
    if variables:
        markdown["variables"] = variables
    made.settings["routing"]["ending"] = ".html"
    plugins = [name.partition("@")[0] for name in as_list(plain(config.get("plugins"))) if isinstance(name, str)]
    if unknown := [name for name in plugins if name not in _PLUGINS and not name.startswith("-")]:
        made.note(
            "Plug-ins of the book, which are programs",
            "Their blocks are findings where pages use them; what only changes the look is left out.",
            files=unknown,
        )


def _items(made: Plan, tree: Tree, name: str, summary: Path) -> list[dict[str, Any]]:
    """Write the table of contents of a book, or of one of its languages, as entries of a sidebar."""
    parts = parse_summary(read_text(summary), has_title=True) if summary.is_file() else []
    doc_ids: dict[str, str] = {}
    for file in tree.files:
        if not name or file.startswith(f"{name}/"):
            doc_ids[file.removeprefix(f"{name}/") if name else file] = tree.doc_id(file)
    gone = [one for one in paths_of(parts) if one.partition("#")[0] not in doc_ids and not is_external(one)]
    if gone:
        what = f"{relative(summary, tree.site_dir)} names files that do not exist"
        made.note(what, "Write them, or take the lines out.", count=len(gone), files=gone[:5])
    prefix = f"{name}/" if name else ""
    return entries_of(parts, doc_ids, lambda file: tree.route(f"{prefix}{file}")) or [{"autogenerated": name or "."}]
