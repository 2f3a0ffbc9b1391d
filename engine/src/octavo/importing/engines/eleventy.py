"""Eleventy: pages by their paths and permalinks, data of folders, and the navigation of its plug-in."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from octavo.errors import UsageError
from octavo.importing.colors import carry_accent_of_sheets, sheets_in
from octavo.importing.common import (
    ALWAYS_EXCLUDED,
    as_dict,
    as_text,
    diagnostics,
    read_or_note,
    relative,
    split_url,
    without_empty,
)
from octavo.importing.model import Plan, Recognized
from octavo.importing.navigation import folder_entries, name_of_site, title_of
from octavo.importing.scripts import ScriptError, Scripts
from octavo.importing.settings.containers import plugins_in
from octavo.importing.settings.files import read_text
from octavo.importing.tree import Tree
from octavo.lazy import regex as re

_FOLDER = r"""["']\.?/?([\w./-]*)["']"""
_NO_PAGES = ("README.md", "LICENSE.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "CHANGELOG.md", "SECURITY.md")
_NO_FOLDERS = ("node_modules", "_site", "dist", "build", "public", "octavo-components", "test", "tests", "scripts")
_DATE = re.compile(r"\d{4}-\d\d-\d\d-")
_VALUE = re.compile(r"\{\{-?\s*(?P<name>[\w.]+)\s*(?P<filters>(?:\|\s*\w+\s*)*)-?\}\}")


def plan(found: Recognized, folder: Path) -> Plan:
    """Plan the import of an Eleventy site."""
    home = found.home
    if found.config is None:
        raise UsageError(f"{home} contains no settings of Eleventy.")
    made = Plan("eleventy", folder if home.is_relative_to(folder) else home, {})
    _Planner(made, read_text(found.config), home).write()
    return made


class _Planner:
    def __init__(self, plan: Plan, config: str, home: Path) -> None:
        self._plan = plan
        self._config = config
        self._home = home
        self._source = home / self._folder("input", "setInputDirectory", ".")
        if not self._source.is_dir():
            raise UsageError(f"{self._source}, the folder of the content, does not exist.")
        self._docs = relative(self._source, plan.site_dir)
        self._prefix = "" if self._docs == "." else f"{self._docs}/"
        self._given: dict[str, dict[str, Any]] = {}
        """Folder, from that of the content → the data that it gives its pages."""

    def _folder(self, key: str, call: str, default: str) -> str:
        """Read a folder of the settings, which are a program: by the key or the call that names it."""
        match = re.search(rf"\b{key}\s*:\s*{_FOLDER}", self._config) or re.search(
            rf"{call}\(\s*{_FOLDER}", self._config
        )
        return (match[1].strip("/") or ".") if match else default

    def _word(self, key: str) -> str:
        match = re.search(rf"\b{key}\s*:\s*[\"'](\w+)[\"']", self._config)
        return match[1] if match else ""

    def write(self) -> None:
        settings = self._plan.settings
        site = self._site_data()
        address = as_text(site.get("url")) or as_text(site.get("host")) or as_text(site.get("baseUrl"))
        settings |= without_empty(
            {
                "title": as_text(site.get("title")) or as_text(site.get("name")) or name_of_site(self._home),
                "tagline": as_text(site.get("description")),
                **split_url(address if "://" in address else "", None),
            }
        )
        settings["docs"] = self._docs
        settings["static"] = self._static()
        settings["exclude"] = [*ALWAYS_EXCLUDED, *self._excluded()]
        settings["markdown"] = self._markdown()
        settings["routing"] = {
            "ending": "/",
            "number_prefixes": True,
            "index_names": ["index"],
            "folder_name_is_index": False,
        }
        tree = Tree(self._plan.site_dir, settings, self._docs)
        routes = {file: self._route(tree, file) for file in tree.files}
        hidden = [file for file, route in routes.items() if route is None]
        if hidden:
            settings["exclude"] += [tree.path(file) for file in hidden]
            tree = Tree(self._plan.site_dir, settings, self._docs)
        exact = {tree.path(file): route for file in tree.files if (route := routes[file]) and route != tree.route(file)}
        if exact:
            settings["routing"]["exact"] = exact
        settings["sidebars"] = [{"id": "docs", "items": self._sidebar(tree)}]
        settings["navbar"] = {"title": settings["title"]}
        self._report()
        carry_accent_of_sheets(self._plan, sheets_in(self._source))
        settings["diagnostics"] = diagnostics()

    def _site_data(self) -> dict[str, Any]:
        for name in ("site", "metadata", "meta"):
            for ending in (".json", ".yaml", ".yml"):
                path = self._source / self._folder("data", "setDataDirectory", "_data") / f"{name}{ending}"
                if path.is_file():
                    return as_dict(read_or_note(self._plan, path))
        return {}

    def _static(self) -> str:
        """Name the folder whose files are copied as they are."""
        copied = re.search(rf"addPassthroughCopy\(\s*\{{\s*{_FOLDER}\s*:\s*[\"']\.?/?[\"']", self._config)
        names = [copied[1]] if copied else ["public", "static"]
        return next((relative(self._home / name, self._plan.site_dir) for name in names if (self._home / name).is_dir()), self._docs)  # fmt: skip

    def _markdown(self) -> dict[str, Any]:
        extensions = plugins_in(self._config)
        if "markdownItAttrs" in self._config:
            extensions.add("attr_list")
        engine = self._word("markdownTemplateEngine")
        is_plain = re.search(r"markdownTemplateEngine\s*:\s*false", self._config) is not None
        folders = {
            "eleventy.includes": self._folder("includes", "setIncludesDirectory", "_includes"),
            "eleventy.data": self._folder("data", "setDataDirectory", "_data"),
        }
        inside = {name: posixpath.normpath(posixpath.join(self._docs, folder)) for name, folder in folders.items()}
        return without_empty(
            {
                "extensions": sorted([*extensions, *([] if is_plain else ["eleventy"])]),
                "variables": {**inside, "eleventy.engine": engine or "liquid"} if not is_plain else {},
            }
        )

    def _excluded(self) -> Iterator[str]:
        """List what is not a page: folders of templates and data, of programs, and what the site ignores."""
        if self._docs == "." or self._source == self._home:
            yield from (f"{self._prefix}{name}" for name in _NO_PAGES)
            yield from (f"{self._prefix}{name}/**" for name in _NO_FOLDERS)
        yield from (f"{self._prefix}_*/**", f"{self._prefix}**/_*/**", f"{self._prefix}**/node_modules/**")
        for name in (".eleventyignore", ".gitignore"):
            for line in self._lines(self._home / name):
                path = posixpath.normpath(posixpath.join(relative(self._home, self._plan.site_dir), line.strip("/")))
                if not path.startswith(("..", "/")) and line[:1] not in ("#", "!") and path != ".":
                    yield from (path, f"{path}/**")

    def _lines(self, path: Path) -> list[str]:
        return [line.strip() for line in read_text(path).split("\n") if line.strip()] if path.is_file() else []

    def _folder_data(self, folder: str) -> dict[str, Any]:
        """Read what a folder gives the pages in it and below: `name.json`, `name.11tydata.js` and their relatives."""
        if folder in self._given:
            return self._given[folder]
        above = self._folder_data(posixpath.dirname(folder)) if folder else {}
        name = posixpath.basename(folder) or self._source.name
        own: dict[str, Any] = {}
        for ending in (".json", ".11tydata.json", ".11tydata.js", ".11tydata.cjs", ".11tydata.mjs", ".yaml", ".yml"):
            path = self._source / folder / f"{name}{ending}"
            if not path.is_file():
                continue
            if path.suffix in (".js", ".cjs", ".mjs"):
                try:
                    own |= as_dict(Scripts(self._plan.site_dir).load(path))
                except ScriptError:
                    remedy = "These programs give pages data; permalinks and tags that they compute are not known."
                    self._plan.note("Data of folders", remedy, files=[relative(path, self._plan.site_dir)])
            else:
                own |= as_dict(read_or_note(self._plan, path))
        self._given[folder] = above | own
        return self._given[folder]

    def _route(self, tree: Tree, file: str) -> str | None:
        """Make the route of a file as Eleventy does; None for one that is not written."""
        stem = posixpath.splitext(file)[0]
        folder, _, name = stem.rpartition("/")
        front = {**self._folder_data(folder), **tree.front(file)}
        given = front.get("permalink")
        if given is False:
            return None
        slug = _DATE.sub("", name)
        values = {"page.fileSlug": posixpath.basename(folder) if slug == "index" else slug,
                  "page.filePathStem": f"/{posixpath.join(folder, slug)}", "title": as_text(front.get("title"))}  # fmt: skip
        values |= {key: as_text(value) for key, value in front.items() if isinstance(value, (str, int))}
        if isinstance(given, str):
            path = _VALUE.sub(lambda match: _filled(match, values), given)
            if "{" not in path:
                path = re.sub(r"/{2,}", "/", f"/{path}").removesuffix("index.html")
                return path if posixpath.splitext(path)[1] == ".html" or path.endswith("/") else f"{path}/"
            self._plan.note(
                "Permalinks with templates", "Their pages have the addresses of their paths.", files=[tree.path(file)]
            )
        path = folder if slug == "index" or slug == posixpath.basename(folder) else posixpath.join(folder, slug)
        return f"/{path}/".replace("//", "/")

    def _sidebar(self, tree: Tree) -> list[dict[str, Any]]:
        """Write the navigation that pages name in `eleventyNavigation`; the folders where few do."""
        keyed: dict[str, tuple[str, dict[str, Any]]] = {}
        for file in tree.files:
            given = as_dict(tree.front(file).get("eleventyNavigation"))
            if as_text(given.get("key")):
                keyed[as_text(given["key"])] = file, given
        if len(keyed) * 2 < len(tree.files) or len(keyed) < 3:

            def order(file: str) -> float:
                front = tree.front(file)
                given = as_dict(front.get("eleventyNavigation")).get("order", front.get("order"))
                return float(given) if isinstance(given, (int, float)) and given is not True else float("inf")

            return folder_entries(tree, "", order, ("index",))
        return self._below("", keyed, tree, 0)

    def _below(
        self, parent: str, keyed: dict[str, tuple[str, dict[str, Any]]], tree: Tree, depth: int
    ) -> list[dict[str, Any]]:
        items: list[tuple[float, str, dict[str, Any]]] = []
        for key, (file, given) in keyed.items():
            own = as_text(given.get("parent"))
            if (own if own in keyed else "") != parent or key == parent or depth > 6:
                continue
            label = as_text(given.get("title")) or key or title_of(tree, file)
            inner = self._below(key, keyed, tree, depth + 1)
            doc = tree.doc_id(file)
            entry: dict[str, Any] = {"doc": doc, "label": label}
            if inner:
                entry = {"category": label, "link": {"type": "doc", "id": doc}, "items": inner}
            place = given.get("order")
            items.append((float(place) if isinstance(place, (int, float)) else float("inf"), key, entry))
        return [entry for _, _, entry in sorted(items, key=lambda item: item[:2])]

    def _report(self) -> None:
        endings = (".njk", ".liquid", ".hbs", ".ejs", ".pug", ".webc", ".11ty.js")
        files = sorted(
            relative(path, self._plan.site_dir)
            for path in self._source.rglob("*.*")
            if path.name.endswith(endings)
            and not any(part.startswith("_") or part == "node_modules" for part in path.parts)
        )
        if files:
            remedy = "These pages are templates; write those that readers need as Markdown."
            self._plan.note("Pages that are templates", remedy, count=len(files), files=files[:5])
        programs = sorted(set(re.findall(r"add(?:\w*Shortcode|\w*Filter|Transform)\(\s*[\"'](\w+)[\"']", self._config)))
        if programs:
            remedy = "They are programs, and not run: where pages use one that is not known, a finding says so."
            self._plan.note(f"Filters and shortcodes ({', '.join(programs[:12])})", remedy, count=len(programs))


def _filled(match: re.Match[str], values: dict[str, str]) -> str:
    if match["name"] not in values:
        return "{"  # it cannot be made here
    text = values[match["name"]]
    if re.search(r"\bslug(?:ify)?\b", match["filters"]):
        text = re.sub(r"[^\w]+", "-", text.lower()).strip("-")
    return text
