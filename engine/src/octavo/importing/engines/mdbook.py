"""mdBook: `book.toml` and `SUMMARY.md`."""

from __future__ import annotations

import posixpath
import tomllib
from pathlib import Path

from octavo.errors import UsageError
from octavo.importing.common import (
    ALWAYS_EXCLUDED,
    as_dict,
    as_list,
    as_text,
    carry_edit_url,
    diagnostics,
    github_icon,
    is_external,
    relative,
    without_empty,
)
from octavo.importing.model import Plan, Recognized
from octavo.importing.summary import entries_of, parse_summary, paths_of
from octavo.importing.tree import Tree

_KNOWN_PREPROCESSORS = ("links", "index")


def plan(found: Recognized, folder: Path) -> Plan:
    """Plan the import of a book."""
    if found.config is None:
        raise UsageError(f"{found.home} holds no book.toml.")
    try:
        config = tomllib.loads(found.config.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{found.config} cannot be read: {error}.") from error
    book, html = as_dict(config.get("book")), as_dict(as_dict(config.get("output")).get("html"))
    source = (found.home / as_text(book.get("src"), "src")).resolve()
    site_dir = folder if found.home.is_relative_to(folder) else found.home
    made = Plan("mdbook", site_dir, {})
    docs = relative(source, site_dir)
    try:
        parts = parse_summary((source / "SUMMARY.md").read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{source / 'SUMMARY.md'} cannot be read: {error.strerror}.") from error
    settings = made.settings
    settings |= without_empty(
        {"title": as_text(book.get("title")) or found.home.name, "tagline": as_text(book.get("description"))}
    )
    base = as_text(html.get("site-url"))
    if base.startswith("/") and base.strip("/"):
        settings["base_url"] = f"/{base.strip('/')}/"
    settings["docs"] = docs
    settings["static"] = docs
    extensions = ["def_list", "footnotes", "mdbook", "snippets"] + (["math"] if html.get("mathjax-support") else [])
    settings["markdown"] = {"extensions": sorted(extensions), "snippets": [docs]}
    settings["routing"] = {"ending": ".html", "number_prefixes": True, "folder_name_is_index": False}
    settings["exclude"] = [*ALWAYS_EXCLUDED]
    listed = set(paths_of(parts))
    # Only what the table names is a page; other files are included in pages, or forgotten.
    every = Tree(site_dir, settings, docs)
    settings["exclude"] += [every.path(file) for file in every.files if file not in listed]
    tree = Tree(site_dir, settings, docs)
    settings["sidebars"] = [
        {"id": "docs", "items": entries_of(parts, {file: tree.doc_id(file) for file in tree.files})}
    ]
    missing = [path for path in paths_of(parts) if path not in tree.files]
    if missing:
        made.note(
            "Chapters of SUMMARY.md whose file is missing",
            "mdBook makes empty files of them; write them or take the lines out.",
            count=len(missing),
            files=missing[:5],
        )
    repository = as_text(html.get("git-repository-url"))
    items = (
        [{"label": "GitHub", "href": repository, "position": "right", **github_icon(repository)}] if repository else []
    )
    settings["navbar"] = without_empty({"title": settings["title"], "items": items})
    if edit := as_text(html.get("edit-url-template")):
        carry_edit_url(made, edit.partition("{path}")[0], relative(found.home, site_dir))
    redirects = [
        {
            "from": f"/{source_path.strip('/')}",
            "to": as_text(target)
            if is_external(as_text(target))
            else posixpath.normpath(posixpath.join(posixpath.dirname(f"/{source_path.strip('/')}"), as_text(target))),
        }
        for source_path, target in as_dict(html.get("redirect")).items()
    ]
    first = next((path for path in paths_of(parts) if path in tree.files), None)
    if first and not any(tree.route(file) == "/" for file in tree.files):
        redirects.append({"from": "/", "to": tree.route(first)})
    if redirects:
        settings["redirects"] = redirects
    for name in as_dict(config.get("preprocessor")):
        if name not in _KNOWN_PREPROCESSORS:
            made.note(f"The preprocessor {name}", "It is a program of the old engine and is not run.")
    for key in ("additional-css", "additional-js"):
        if count := len(as_list(html.get(key))):
            made.note(
                key, "Colours and the logo are settings; scripts and other rules have no counterpart.", count=count
            )
    settings["diagnostics"] = diagnostics()
    return made
