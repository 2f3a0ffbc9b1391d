"""Docsify: a folder of Markdown that a script in `index.html` shows; its settings are an object in that script."""

from __future__ import annotations

import json
import posixpath
from pathlib import Path
from typing import Any

from octavo.importing.colors import carry_accent
from octavo.importing.common import (
    ALWAYS_EXCLUDED,
    REMEDY,
    as_dict,
    as_list,
    as_text,
    diagnostics,
    github_icon,
    is_external,
    relative,
    without_empty,
)
from octavo.importing.model import Plan, Recognized
from octavo.importing.navigation import name_of_site, title_of
from octavo.importing.scripts import ScriptError, Scripts
from octavo.importing.settings.files import read_text
from octavo.importing.summary import Chapter, SummaryPart, entries_of, parse_summary, paths_of
from octavo.importing.tree import Tree
from octavo.lazy import regex as re

_SCRIPT = re.compile(r"<script\b(?![^>]*\bsrc=)[^>]*>(?P<code>.*?)</script>", re.DOTALL | re.IGNORECASE)
_TITLE = re.compile(r"<title>(?P<title>[^<]*)</title>", re.IGNORECASE)
_DESCRIPTION = re.compile(r"""<meta\s+name=["']description["']\s+content=["'](?P<text>[^"']*)["']""", re.IGNORECASE)
_ICON = re.compile(
    r"""<link\b[^>]*\brel=["'](?:shortcut )?icon["'][^>]*\bhref=["'](?P<href>[^"']+)["']""", re.IGNORECASE
)
_PLUGINS = re.compile(r"""<script\b[^>]*\bsrc=["'](?P<src>[^"']+)["']""", re.IGNORECASE)
_BEFORE = "globalThis.window = globalThis; globalThis.location = {}; globalThis.document = { currentScript: {} };"
_UNDEFINED = re.compile(r"ReferenceError: (?P<name>[A-Za-z_$][\w$]*) is not defined")
_MOST_GLOBALS = 20
"""Names that other scripts of a page may define."""
_KNOWN_PLUGINS = re.compile(
    r"/docsify(?:\.min)?(?:\.js)?$|docsify@|/search(?:\.min)?\.js|/emoji(?:\.min)?\.js|prism|docsify-(?:tabs|copy-code|pagination|katex|sidebar-collapse)"
    r"|katex|/zoom-image|marked|mermaid"
)
_NAMES = ("_sidebar.md", "_navbar.md", "_coverpage.md", "_404.md")
"""Files that are parts of the frame, in any folder."""


def plan(found: Recognized, folder: Path) -> Plan:
    """Plan the import of a Docsify site."""
    home = found.home
    site_dir = folder if home.is_relative_to(folder) else home
    made = Plan("docsify", site_dir, {})
    page = (home / "index.html").read_text(encoding="utf-8", errors="replace")
    _Planner(made, page, home).write()
    return made


class _Planner:
    def __init__(self, plan: Plan, page: str, home: Path) -> None:
        self._plan = plan
        self._page = page
        self._home = home
        self._options = self._read_options()
        base = as_text(self._options.get("basePath")).strip("/")
        is_local = bool(base) and not is_external(base) and (home / base).is_dir()
        self._docs = relative(home / base if is_local else home, plan.site_dir)

    def _read_options(self) -> dict[str, Any]:
        """Run the script that sets `$docsify`, without access to the machine."""
        for match in _SCRIPT.finditer(self._page):
            if "$docsify" not in match["code"]:
                continue
            try:
                return self._plan.watch(as_dict(self._run(match["code"])))
            except ScriptError as error:
                self._plan.note(f"The settings in index.html could not be read: {error}", REMEDY, files=["index.html"])
        return {}

    def _run(self, code: str) -> Any:
        """Run a script of the page; what other scripts of it define, such as plug-ins, are stand-ins."""
        before = _BEFORE
        for _ in range(_MOST_GLOBALS):
            try:
                return Scripts(self._home).run(f"{before}\n{code}\nmodule.exports = globalThis.$docsify;")
            except ScriptError as error:
                missing = _UNDEFINED.search(str(error))
                if missing is None:
                    raise
                before += f"globalThis.{missing['name']} = require({json.dumps(missing['name'])});"
        return {}

    def write(self) -> None:
        settings, options = self._plan.settings, self._options
        title, about = _TITLE.search(self._page), _DESCRIPTION.search(self._page)
        icon = _ICON.search(self._page)
        settings |= without_empty(
            {
                "title": as_text(options.get("name"))
                or (as_text(title["title"]) if title else "")
                or name_of_site(self._home),
                "tagline": as_text(about["text"]) if about and about["text"] != "Description" else "",
                "favicon": f"/{posixpath.normpath(icon['href'])}" if icon and self._is_file(icon["href"]) else None,
            }
        )
        docs = self._docs
        prefix = "" if docs == "." else f"{docs}/"
        settings["docs"] = docs
        settings["static"] = docs
        settings["exclude"] = [
            *ALWAYS_EXCLUDED,
            "import-report.md",
            "**/node_modules/**",
            *(f"{prefix}**/{name}" for name in _NAMES),
            *(prefix + name for name in (*_NAMES, "index.html")),
        ]
        has_math = "katex" in self._page.lower()
        settings["markdown"] = {
            "extensions": ["docsify", "emoji", *(["math"] if has_math else [])],
            "slugs": "github-titles",
        }
        settings["routing"] = {
            "number_prefixes": True,
            "index_names": ["readme", re.sub(r"\.md$", "", as_text(options.get("homepage"), "index.md")).lower()],
            "folder_name_is_index": False,
        }

        tree = Tree(self._plan.site_dir, settings, docs)
        settings["sidebars"] = self._sidebars(tree)
        self._layout(tree)
        self._home_page(tree)
        self._report()
        carry_accent(self._plan, as_text(self._options.get("themeColor")) or None)
        settings["diagnostics"] = diagnostics()

    def _is_file(self, href: str) -> bool:
        return not is_external(href) and (self._home / href.lstrip("/")).is_file()

    def _table(self, path: Path) -> list[SummaryPart]:
        """Read a list of links, with the files named from the docs folder."""
        if not path.is_file():
            return []
        base = posixpath.relpath(path.parent, self._plan.site_dir / self._docs)
        parts = parse_summary(read_text(path), has_plain=True)
        for part in parts:
            self._place(part.chapters, base)
        return parts

    def _place(self, chapters: list[Chapter], base: str) -> None:
        """Write the links of a table as paths of files; docsify leaves out endings, and has `#/` for its own addresses."""
        root = self._plan.site_dir / self._docs
        home = as_text(self._options.get("homepage")).lstrip("/")
        for chapter in chapters:
            path = chapter.path.removeprefix("#").partition("?")[0]
            if path and not is_external(path):
                chapter.path = next(
                    (
                        candidate
                        for folder in ("" if path.startswith("/") else base, "")
                        for ending in ("", ".md", "/README.md")
                        if (candidate := posixpath.normpath(posixpath.join(folder, path.strip("/") + ending)))
                        and (root / candidate).is_file()
                    ),
                    path.lstrip("/") or (home if (root / home).is_file() else "README.md"),
                )
            self._place(chapter.inner, base)

    def _sidebars(self, tree: Tree) -> list[dict[str, Any]]:
        root = self._plan.site_dir / self._docs
        name = self._options.get("loadSidebar")
        file = name if isinstance(name, str) else "_sidebar.md"
        ids = {one: tree.doc_id(one) for one in tree.files}
        written = []
        # A sidebar deeper in the folders is that of its folder; the first sidebar that names a page is its own here.
        for path in sorted(root.rglob(file), key=lambda one: (-len(one.parts), one)):
            if "node_modules" in path.parts:
                continue
            parts = self._table(path)
            gone = [one for one in paths_of(parts) if one not in ids and not is_external(one)]
            for one in gone:
                self._plan.note(
                    f"{self._plan.path(path)} names files that do not exist", "Take the lines out.", files=[one]
                )
            entries = entries_of(parts, ids)
            folder = relative(path.parent, root)
            if entries:
                written.append({"id": "docs" if folder == "." else re.sub(r"\W+", "-", folder), "items": entries})
        return written or [{"id": "docs", "items": [{"autogenerated": "."}]}]

    def _layout(self, tree: Tree) -> None:
        settings = self._plan.settings
        ids = {one: tree.route(one) for one in tree.files}
        items: list[dict[str, Any]] = []
        for part in self._table(self._plan.site_dir / self._docs / "_navbar.md"):
            for chapter in part.chapters:
                inner = [item for one in chapter.inner if (item := _link(one, ids))]
                own = _link(chapter, ids)
                items += [{"label": chapter.title, "items": inner}] if inner else [own] if own else []
        repository = as_text(self._options.get("repo"))
        if repository and not is_external(repository):
            repository = f"https://github.com/{repository}"
        if repository:
            items.append({"label": "GitHub", "href": repository, "position": "right", **github_icon(repository)})
        logo = as_text(self._options.get("logo"))
        shown = {"src": f"/{posixpath.normpath(logo.lstrip('/'))}", "alt": settings["title"]}
        settings["navbar"] = without_empty(
            {"title": settings["title"], "logo": shown if logo and self._is_file(logo) else None, "items": items}
        )

    def _home_page(self, tree: Tree) -> None:
        routes = {tree.route(file): file for file in tree.files}
        if routes and "/" not in routes:
            self._plan.settings["redirects"] = [{"from": "/", "to": min(routes, key=len)}]
        elif "/" in routes and "title" not in self._options and not self._plan.settings.get("title"):
            self._plan.settings["title"] = title_of(tree, routes["/"])

    def _report(self) -> None:
        plan, options = self._plan, self._options
        if options.get("routerMode") != "history":
            plan.note(
                "Addresses such as /#/guide",
                "What follows a # never reaches a server: old links lead to the first page. Pages are at /guide now.",
            )
        if options.get("coverpage") and (self._home / "_coverpage.md").is_file():
            plan.note("The cover page (_coverpage.md)", "Write it as pages/index.md, or into README.md.")
        if count := len(as_list(options.get("plugins"))):
            plan.note("Plug-ins of the site", "They are code of the old engine and are not run.", count=count)
        scripts = [match["src"] for match in _PLUGINS.finditer(self._page)]
        others = [src for src in scripts if not _KNOWN_PLUGINS.search(src)]
        if others:
            plan.note(
                "Scripts of index.html",
                "Plug-ins are not run, and scripts of others are not loaded; see [content_policy] and [analytics].",
                count=len(others),
                files=others[:5],
            )


def _link(chapter: Chapter, routes: dict[str, str]) -> dict[str, str] | None:
    if is_external(chapter.path):
        return {"label": chapter.title, "href": chapter.path}
    route = routes.get(chapter.path)
    return {"label": chapter.title, "href": route} if route else None
