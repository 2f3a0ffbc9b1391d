"""mdBook: `book.toml` and `SUMMARY.md`."""

from __future__ import annotations

import posixpath
from pathlib import Path

from octavo.errors import UsageError
from octavo.importing.common import (
    ALWAYS_EXCLUDED,
    as_dict,
    as_list,
    as_text,
    carry_edit_url,
    diagnostics,
    flat_texts,
    github_icon,
    is_external,
    relative,
    without_empty,
)
from octavo.importing.model import OWN_STYLES, Plan, Recognized
from octavo.importing.navigation import name_of_site
from octavo.importing.settings.above import allow_files_above
from octavo.importing.settings.files import read_text, read_toml
from octavo.importing.settings.python_programs import replaced_marks
from octavo.importing.summary import entries_of, parse_summary, paths_of
from octavo.importing.tree import Tree
from octavo.lazy import regex as re

_MACRO = re.compile(r"(\\[a-zA-Z]+)[ \t]*:[ \t]*(.+)")
_KNOWN_PREPROCESSORS = ("links", "index", "admonish", "alerts", "emojicodes", "footnote", "katex", "linkcheck", "mermaid",
                        "pagetoc", "tabs", "toc", "variables")  # fmt: skip
_OF_SYNTAX = {
    "admonish": "mdbook_preprocessors",
    "emojicodes": "emoji",
    "footnote": "mdbook_preprocessors",
    "katex": "math",
    "tabs": "mdbook_preprocessors",
    "variables": "mdbook_preprocessors",
}
"""Preprocessor → the extension that knows its syntax."""

_SMART = ("smart-punctuation", "curly-quotes")
"""Settings that switch quotation marks and dashes on and off; the second is the older name. mdBook 0.5 draws them by itself."""


def plan(found: Recognized, folder: Path) -> Plan:
    """Plan the import of a book."""
    if found.config is None:
        raise UsageError(f"{found.home} contains no book.toml.")
    site_dir = folder if found.home.is_relative_to(folder) else found.home
    made = Plan("mdbook", site_dir, {})
    config = made.watch(read_toml(found.config))
    book, html = as_dict(config.get("book")), as_dict(as_dict(config.get("output")).get("html"))
    source = (found.home / as_text(book.get("src"), "src")).resolve()
    docs = relative(source, site_dir)
    parts = parse_summary(read_text(source / "SUMMARY.md"), has_title=True)
    settings = made.settings
    settings |= without_empty(
        {"title": as_text(book.get("title")) or name_of_site(found.home), "tagline": as_text(book.get("description"))}
    )
    base = as_text(html.get("site-url"))
    if base.startswith("/") and base.strip("/"):
        settings["base_url"] = f"/{base.strip('/')}/"
    settings["docs"] = docs
    settings["static"] = docs
    extensions = ["def_list", "footnotes", "mdbook", "snippets"] + (["math"] if html.get("mathjax-support") else [])
    if next((given for name in _SMART if isinstance(given := html.get(name), bool)), True):
        extensions += ["smart", "smart_titles"]
    programs = as_dict(config.get("preprocessor"))
    extensions += [extension for name, extension in _OF_SYNTAX.items() if name in programs]
    if any(name not in _KNOWN_PREPROCESSORS for name in programs):
        # Programs of authors often put in values; those can be written under `variables`.
        extensions.append("mdbook_preprocessors")
    variables = _values_of_programs(programs, found.home, site_dir)
    variables |= dict(flat_texts(as_dict(as_dict(programs.get("variables")).get("variables"))))
    kinds = _kinds_of_admonish(as_dict(programs.get("admonish")))
    settings["markdown"] = without_empty(
        {
            "extensions": sorted(set(extensions)),
            "snippets": [docs],
            "slugs": "github-titles",
            "variables": variables,
            "containers": dict.fromkeys(sorted(kinds), "note"),
            "formula_macros": _formula_macros(as_dict(programs.get("katex")), found.home),
        }
    )
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
    redirects = _redirects(as_dict(html.get("redirect")))
    first = next((path for path in paths_of(parts) if path in tree.files), None)
    led = any(one["from"] == "/" for one in redirects)
    if first and not led and not any(tree.route(file) == "/" for file in tree.files):
        redirects.append({"from": "/", "to": tree.route(first)})
    if redirects:
        settings["redirects"] = redirects
    for name in programs:
        if name not in _KNOWN_PREPROCESSORS:
            remedy = "It is a program of the old engine and is not run; values that it puts in can be written as variables of [markdown]."
            made.note(f"The preprocessor {name}", remedy)
    for key in ("additional-css", "additional-js"):
        if count := len(as_list(html.get(key))):
            made.note(
                key,
                OWN_STYLES if key == "additional-css" else "Name the files in `scripts` of octavo.toml.",
                count=count,
            )
    allow_files_above(made, tree)
    settings["diagnostics"] = diagnostics()
    return made


def _values_of_programs(programs: dict[str, object], home: Path, site_dir: Path) -> dict[str, str]:
    """Read what preprocessors in Python put in the place of marks, where it is written out."""
    found: dict[str, str] = {}
    for one in programs.values():
        for word in as_text(as_dict(one).get("command")).split():
            path = (home / word).resolve()
            if word.endswith(".py") and path.is_relative_to(site_dir.resolve()) and path.is_file():
                found |= replaced_marks(path)
    return found


def _kinds_of_admonish(admonish: dict[str, object]) -> set[str]:
    """Name the kinds of admonitions that a book declares for mdbook-admonish, in the form of either of its versions."""
    listed = [as_text(as_dict(one).get("directive")) for one in as_list(admonish.get("custom"))]
    tables = as_dict(as_dict(admonish.get("directive")).get("custom"))
    aliases = [as_text(name) for one in tables.values() for name in as_list(as_dict(one).get("aliases"))]
    return {name for name in (*listed, *tables, *aliases) if re.fullmatch(r"[a-z][a-z0-9-]*", name)}


def _formula_macros(katex: dict[str, object], home: Path) -> dict[str, str]:
    r"""Read the file of macros of the preprocessor katex: `\name:{text}` on each line."""
    name = as_text(katex.get("macros"))
    path = (home / name).resolve()
    if not name or not path.is_relative_to(home.resolve()) or not path.is_file():
        return {}
    lines = (line.strip() for line in read_text(path).split("\n"))
    return {match[1]: match[2].strip() for line in lines if (match := _MACRO.fullmatch(line))}


def _redirects(table: dict[str, object]) -> list[dict[str, str]]:
    """Read `[output.html.redirect]`: paths of the book, with or without a slash or a `./` in front."""
    written = []
    for name, target in table.items():
        source = posixpath.normpath(f"/{name.strip('/')}")
        to = as_text(target)
        path, mark, anchor = to.partition("#")
        if not is_external(to):
            to = posixpath.normpath(posixpath.join(posixpath.dirname(source), path)) + mark + anchor
        written.append({"from": source, "to": to})
    return written
