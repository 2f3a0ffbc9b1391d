"""VuePress 1 and 2, with the default theme and those that take its settings: its configuration is a program, run in V8."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from octavo.importing.blogs.dated import plan_dated_blogs
from octavo.importing.colors import carry_accent_of_sheets, sheets_in
from octavo.importing.common import (
    ALWAYS_EXCLUDED,
    as_dict,
    as_list,
    as_text,
    carry_edit_url,
    diagnostics,
    github_icon,
    is_external,
    load_script,
    load_settings,
    note_unread,
    relative,
    sidebar_id,
    split_url,
    without_empty,
)
from octavo.importing.look.extras import carry_google, carry_metas, html_tags
from octavo.importing.model import Plan, Recognized
from octavo.importing.navigation import title_of, words_of
from octavo.importing.settings.containers import carry_containers
from octavo.importing.settings.files import text_or_empty
from octavo.importing.settings.labels import carry_labels, pair_labels, translated_folders
from octavo.importing.tree import Tree
from octavo.importing.watched import plain
from octavo.lazy import regex as re


def of_early_vitepress(plan: Plan, config: dict[str, Any]) -> dict[str, Any]:
    """Write settings of the first versions of VitePress, which were those of VuePress, as they are now; others stay."""
    given = plain(config)
    if not any(str(name).startswith("/") for name in as_dict(given.get("locales"))):
        theme = as_dict(given.get("themeConfig"))
        if "repo" not in theme:
            return config
        made = {**given, "themeConfig": _current_theme(theme)}
    else:
        theme = as_dict(given.get("themeConfig"))
        themes = as_dict(theme.pop("locales", None))
        locales = {}
        for name, one in as_dict(given["locales"]).items():
            own = as_dict(themes.get(name))
            label = as_text(own.get("label")) or as_text(as_dict(one).get("label"))
            locales[name.strip("/") or "root"] = without_empty(
                {**as_dict(one), "label": label, "themeConfig": _current_theme(own)}
            )
        made = {**given, "locales": locales, "themeConfig": _current_theme(theme)}
    plan.watched[:] = [one for one in plan.watched if one is not config]
    return plan.watch(made)


def _current_theme(theme: dict[str, Any]) -> dict[str, Any]:
    made = {key: _current_entries(value) if key == "sidebar" else value for key, value in theme.items()}
    repository = as_text(theme.get("repo"))
    address = repository if is_external(repository) else f"https://github.com/{repository}"
    if repository:
        made["socialLinks"] = [{"icon": "github", "link": address}]
    docs = as_text(theme.get("docsRepo")) or repository
    if docs and theme.get("editLinks") is True:
        docs = docs if is_external(docs) else f"https://github.com/{docs}"
        folder = as_text(theme.get("docsDir")).strip("/")
        branch = as_text(theme.get("docsBranch"), "main")
        made["editLink"] = {"pattern": "/".join(filter(None, (docs, "edit", branch, folder, ":path")))}
    for key in ("repo", "docsRepo", "docsDir", "docsBranch", "editLinks", "label", "selectText"):
        made.pop(key, None)
    return made


def _current_entries(value: Any) -> Any:
    """Write entries of a sidebar with `items` for `children`, and pairs of address and text as tables."""
    if isinstance(value, list):
        if len(value) == 2 and all(isinstance(one, str) for one in value) and value[0].startswith("/"):
            return {"link": value[0], "text": value[1]}
        return [_current_entries(one) for one in value]
    if isinstance(value, dict):
        return {("items" if key == "children" else key): _current_entries(one) for key, one in value.items()}
    return value


def plan(found: Recognized, folder: Path) -> Plan:
    """Plan the import of a VuePress site."""
    home = found.home
    site_dir = folder if home.is_relative_to(folder) else home
    made = Plan("vuepress", site_dir, {})
    if found.config is not None and found.config.suffix in (".yml", ".yaml"):
        config, problem = load_settings(found.config)
        note_unread(made, found.config, problem)
        config = made.watch(config)
    else:
        config = load_script(made, found.config, site_dir)
    _Planner(made, config, home).write()
    if found.config is not None and found.config.suffix not in (".yml", ".yaml"):
        carry_containers(made, found.config, site_dir, made.settings["docs"], _markdown_options(config))
        if aliases := dict(_code_folders(found.config, site_dir)):
            made.settings["markdown"]["aliases"] = aliases
    return made


_CODE_FOLDER = re.compile(
    r"""\.replace\(\s*(?:/\^(?P<plain>@[\w-]+)/|["'](?P<quoted>@[\w-]+)["'])\s*,\s*(?:path\.)?(?:resolve|join)\(\s*"""
    r"""(?:__dirname|import\.meta\.dirname)\s*,\s*["'](?P<folder>[^"'\n]+)["']"""
)
"""How `handleImportPath` names the folder of the files that code takes in, as in VuePress' own documentation."""


def _code_folders(config: Path, site_dir: Path) -> Iterator[tuple[str, str]]:
    """List what may begin the path of a file that code takes in, and the folder that it is for."""
    text = text_or_empty(config)
    for match in _CODE_FOLDER.finditer(text) if "handleImportPath" in text else ():
        folder = (config.parent / match["folder"]).resolve()
        if folder.is_relative_to(site_dir.resolve()):
            yield match["plain"] or match["quoted"], folder.relative_to(site_dir.resolve()).as_posix()


def _markdown_options(config: dict[str, Any]) -> list[dict[str, Any]]:
    """List the options of themes and plug-ins of VuePress 2 that switch on Markdown syntax: `hopeTheme({ markdown: { mark: true } })`."""
    theme = as_dict(config.get("theme"))
    plugins = as_dict(theme.get("plugins"))
    found = [theme.get("markdown"), *(value for name, value in plugins.items() if name.startswith(("md", "markdown")))]
    for plugin in as_list(config.get("plugins")):
        found += [*plugin[1:2]] if isinstance(plugin, list) else [plugin]
    return [one for one in map(as_dict, found) if one]


class _Planner:
    def __init__(self, plan: Plan, config: dict[str, Any], home: Path) -> None:
        self._plan = plan
        self._config = config
        self._docs = relative(home, plan.site_dir)
        # Version 1 names the theme's settings, version 2 gives them to the theme.
        self._theme = as_dict(config.get("themeConfig")) or as_dict(config.get("theme"))
        self._locales = as_dict(config.get("locales"))
        self._theme_locales = as_dict(self._theme.get("locales"))
        self._languages: list[str] = []
        """Names of the languages whose folders translate the pages of the first."""

    def write(self) -> None:
        config, settings = self._config, self._plan.settings
        root = as_dict(self._locales.get("/"))
        settings |= without_empty(
            {
                "title": as_text(config.get("title"))
                or as_text(root.get("title"))
                or words_of(self._plan.site_dir.name),
                "tagline": as_text(config.get("description")) or as_text(root.get("description")),
                **split_url(self._theme.get("hostname"), config.get("base")),
                "favicon": self._favicon(),
            }
        )
        docs = self._docs
        prefix = "" if docs == "." else f"{docs}/"
        settings["docs"] = docs
        settings["static"] = f"{prefix}.vuepress/public"
        settings["exclude"] = [*ALWAYS_EXCLUDED, f"{prefix}.vuepress/**", "**/node_modules/**"]
        settings["markdown"] = {
            "extensions": ["attr_list", "emoji", "vitepress", "vuepress"],
            "slugs": "vitepress",
            "snippets": [docs],
        }
        settings["routing"] = {
            "ending": ".html",
            "number_prefixes": True,
            "index_names": ["readme", "index"],
            "folder_name_is_index": False,
        }
        tree = Tree(self._plan.site_dir, settings, docs)
        paths = dict.fromkeys([*self._locales, *self._theme_locales])
        named = [path.strip("/") for path in paths if re.fullmatch(r"/[\w-]+/", path)]
        self._languages = translated_folders(named, tree.files) if "/" in paths else []
        self._permalinks(tree)
        tree = plan_dated_blogs(self._plan, tree)
        settings["sidebars"] = list(self._sidebars(tree))
        self._layout(tree)
        self._write_locales()
        self._carry_labels(tree)
        self._home_page(tree)
        self._report()
        carry_accent_of_sheets(self._plan, sheets_in(self._plan.site_dir / docs / ".vuepress/styles"))
        settings["diagnostics"] = diagnostics()

    def _favicon(self) -> str | None:
        for entry in as_list(self._config.get("head")):
            if isinstance(entry, list) and len(entry) > 1 and "icon" in as_text(as_dict(entry[1]).get("rel")).split():
                href = as_text(as_dict(entry[1]).get("href"))
                return href if href.startswith("/") and not href.startswith("//") else None
        return None

    def _permalinks(self, tree: Tree) -> None:
        """Keep the addresses that pages give themselves; patterns such as `/:year/:slug` are not followed."""
        exact = {
            tree.path(file): self._without_language(f"/{link.lstrip('/')}", file)
            for file in tree.files
            if (link := as_text(tree.front(file).get("permalink"))) and ":" not in link
        }
        if exact:
            self._plan.settings["routing"]["exact"] = exact

    def _without_language(self, route: str, file: str) -> str:
        name = file.partition("/")[0]
        is_in = name in self._languages and route.startswith(f"/{name}/")
        return route.removeprefix(f"/{name}") if is_in else route

    def _write_locales(self) -> None:
        """Take over the languages whose pages are in folders beside those of the first."""
        written: list[dict[str, Any]] = []
        for path in ("/", *(f"/{name}/" for name in self._languages)):
            one, theme, name = as_dict(self._locales.get(path)), as_dict(self._theme_locales.get(path)), path.strip("/")
            label = as_text(theme.get("selectLanguageName")) or as_text(theme.get("label"))
            code = as_text(one.get("lang")) or name or as_text(self._config.get("lang"), "en")
            entry: dict[str, Any] = {"id": code, "label": label or code}
            if name:
                folder = posixpath.normpath(posixpath.join(self._docs, name))
                entry |= {"path": name, "folders": {self._docs: folder}}
            written.append(entry)
        if self._languages:
            self._plan.settings["locales"] = written

    def _carry_labels(self, tree: Tree) -> None:
        """Take over what the languages call the entries of the bars, which lead to the same pages."""
        settings = self._plan.settings
        sidebars = [entry for sidebar in settings["sidebars"] for entry in sidebar["items"]]
        for name, written in zip(self._languages, settings.get("locales", [])[1:], strict=False):
            path = f"/{name}/"
            one = as_dict(self._locales.get(path))
            given = self._given_sidebars(path).items()
            own = [entry for at, raw in given if isinstance(raw, list) for entry in self._entries(raw, _base(at), tree)]
            nav = self._nav(as_list(self._option("navbar", "nav", locale=path)), path, tree)
            pairs = [
                *pair_labels(settings["navbar"].get("items", []), nav, name),
                *pair_labels(sidebars, own, name),
                (settings["title"], as_text(one.get("title"))),
                (settings.get("tagline", ""), as_text(one.get("description"))),
            ]
            carry_labels(self._plan, written["id"], pairs)

    def _given_sidebars(self, path: str) -> dict[str, Any]:
        """Give the sidebars that the settings of a language write out: path → entries."""
        raw = self._option("sidebar", locale=path)
        return {path: raw} if isinstance(raw, list) else as_dict(raw)

    def _option(self, *names: str, locale: str = "/") -> Any:
        """Value of a setting of the theme, by any of its names, that of the language first."""
        tables = (as_dict(self._theme_locales.get(locale)), self._theme)
        return next((table[name] for table in tables for name in names if table.get(name) is not None), None)

    def _sidebars(self, tree: Tree) -> Iterator[dict[str, Any]]:
        given: dict[str, Any] = {}
        languages = tuple(f"/{name}/" for name in self._languages)
        for path in dict.fromkeys(["/", *self._theme_locales]):
            given |= {at: raw for at, raw in self._given_sidebars(path).items() if not at.startswith(languages)}
        taken: set[str] = set()
        # The longest path decides which sidebar a page has; the first that names it does here.
        for path, raw in sorted(given.items(), key=lambda one: -len(one[0])):
            base = _base(path)
            entries = self._entries(raw, base, tree) if isinstance(raw, list) else self._generated(base, tree)
            name = sidebar_id(path, taken)
            if entries:
                yield {"id": name, "items": entries}
        if not taken:
            yield {"id": "docs", "items": [{"autogenerated": "."}]}

    def _generated(self, base: str, tree: Tree) -> list[dict[str, Any]]:
        """Write the sidebar of a folder whose sidebar is made of headings or of its files (`auto`, `structure`)."""
        folder = base.strip("/")
        inside = [file for file in tree.files if file.startswith(f"{folder}/")] if folder else tree.files
        return [{"autogenerated": folder or "."}] if inside else []

    def _entries(self, items: list[Any], base: str, tree: Tree) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = []
        for item in items:
            if isinstance(item, str):
                entries += self._leaf(item, "", base, tree)
            elif isinstance(item, list) and item:
                entries += self._leaf(as_text(item[0]), as_text(item[1]) if len(item) > 1 else "", base, tree)
            elif isinstance(item, dict):
                entries += self._group(item, base, tree)
        return entries

    def _group(self, item: dict[str, Any], base: str, tree: Tree) -> list[dict[str, Any]]:
        label = _plain(as_text(item.get("text")) or as_text(item.get("title")))
        link = as_text(item.get("link")) or as_text(item.get("path"))
        children = item.get("children") or item.get("items")
        if not children:
            return self._leaf(link, label, base, tree) if link else []
        below = posixpath.join(base, as_text(item.get("prefix")))
        below = below if below.endswith("/") else f"{below}/"
        inner = self._entries(children, below, tree) if isinstance(children, list) else self._generated(below, tree)
        target = self._target(link, base, tree) if link else {}
        if not inner:
            return [{**target, "label": label}] if target else []
        if not label:
            return inner
        entry: dict[str, Any] = {"category": label, "items": inner}
        if "doc" in target:
            entry["link"] = {"type": "doc", "id": target["doc"]}
        # Version 1 spells it otherwise, and collapses what says nothing.
        entry["is_collapsed"] = bool(item.get("collapsible") or item.get("collapsable"))  # codespell:ignore collapsable
        return [entry]

    def _leaf(self, link: str, label: str, base: str, tree: Tree) -> list[dict[str, Any]]:
        target = self._target(link, base, tree)
        if "doc" in target:
            file = tree.by_id(target["doc"])
            return [without_empty({**target, "label": label or (title_of(tree, file) if file else "")})]
        if not is_external(target["href"]) and "#" not in target["href"]:
            self._plan.note("The sidebar names pages that do not exist", "Take the lines out.", files=[link])
            return []
        return [{**target, "label": label or link}]

    def _target(self, link: str, base: str, tree: Tree) -> dict[str, str]:
        if is_external(link):
            return {"href": link}
        joined = link if link.startswith("/") else posixpath.join(base, link)
        path, mark, anchor = joined.partition("#")
        file = tree.find(path)
        if file is None:
            return {"href": f"{posixpath.normpath(joined)}"}
        return {"href": f"{tree.route(file)}#{anchor}"} if mark else {"doc": tree.doc_id(file)}

    def _layout(self, tree: Tree) -> None:
        settings = self._plan.settings
        items = list(self._nav(as_list(self._option("navbar", "nav")), "/", tree))
        if self._languages:
            items.append({"type": "locale", "label": "Language", "position": "right"})
        if repository := _repository(as_text(self._option("repo"))):
            items.append(
                {
                    "label": as_text(self._option("repoLabel")) or "GitHub",
                    "href": repository,
                    "position": "right",
                    **github_icon(repository),
                }
            )
        logo = as_text(self._option("logo"))
        dark = as_text(self._option("logoDark"))
        shown = {"src": logo, "src_dark": dark if dark.startswith("/") else "", "alt": settings["title"]}
        settings["navbar"] = without_empty(
            {"title": settings["title"], "logo": without_empty(shown) if logo.startswith("/") else None, "items": items}
        )
        footer = self._option("footer")
        words = [_plain(one) for one in (footer, self._option("copyright")) if isinstance(one, str)]
        settings["footer"] = without_empty({"copyright": " · ".join(filter(None, words))})
        carry_metas(self._plan, html_tags(self._config.get("head")))
        mode = as_text(self._option("colorMode", "darkmode"))
        settings["color_mode"] = {
            "default": "dark" if mode in ("dark", "force-dark") else "light",
            "has_switch": self._option("colorModeSwitch") is not False,
        }
        source = _repository(as_text(self._option("docsRepo")) or as_text(self._option("repo")))
        if source and self._option("editLink", "editLinks") is not False:
            branch = as_text(self._option("docsBranch")) or "main"
            folder = as_text(self._option("docsDir")).strip("/")
            carry_edit_url(self._plan, "/".join(filter(None, (source, "edit", branch, folder))), self._docs)
        settings["shows_last_update"] = bool(self._option("lastUpdated"))

    def _nav(self, raw: list[Any], base: str, tree: Tree) -> Iterator[dict[str, Any]]:
        for one in raw:
            item = {"link": one} if isinstance(one, str) else as_dict(one)
            link = as_text(item.get("link"))
            below = posixpath.join(base, as_text(item.get("prefix")))
            children = as_list(item.get("children") or item.get("items"))
            entries = list(self._nav(children, below, tree))
            inner = [part for entry in entries for part in entry.get("items", [entry])]
            if groups := [entry["label"] for entry in entries if "items" in entry]:
                self._plan.note(
                    "Titles of groups in menus of the top bar",
                    "Menus have no groups here: their entries are listed with the others of the menu.",
                    count=len(groups),
                    files=groups,
                )
            target = self._target(link, base, tree) if link else {}
            file = tree.by_id(target["doc"]) if "doc" in target else None
            label = _plain(as_text(item.get("text"))) or (title_of(tree, file) if file else "")
            if inner:
                yield {"label": label or "…", "items": inner}
            elif label and link:
                yield {"label": label, "href": tree.route(file) if file else target.get("href", link)}

    def _home_page(self, tree: Tree) -> None:
        routes = {tree.route(file) for file in tree.files}
        if routes and "/" not in routes:
            self._plan.settings["redirects"] = [{"from": "/", "to": min(routes, key=len)}]

    def _report(self) -> None:
        taken = {"/", *(f"/{name}/" for name in self._languages)}
        if others := [path for path in dict.fromkeys([*self._locales, *self._theme_locales]) if path not in taken]:
            self._plan.note(
                f"Languages ({', '.join(others)})",
                "Their pages keep their addresses; name them under [[locales]] for the switch and the language of the page.",
                count=len(others),
            )
        home = self._plan.site_dir / self._docs / ".vuepress"
        for name, what in (
            ("components", "Components of Vue"),
            ("theme", "A theme of its own"),
            ("layouts", "Layouts"),
        ):
            files = [relative(path, self._plan.site_dir) for path in sorted((home / name).rglob("*.vue"))]
            if files:
                self._plan.note(
                    f"{what} (.vuepress/{name})",
                    "They are programs and are not run; pages show their content. Write them as Markdown in components/.",
                    count=len(files),
                    files=files[:5],
                )
        plugins = [one if isinstance(one, list) else [one] for one in as_list(self._config.get("plugins")) if one]
        analytics = [as_dict(one[1]) for one in plugins if len(one) > 1 and "google-analytics" in str(one[0])]
        carry_google(self._plan, (as_text(one.get("ga")) or as_text(one.get("id")) for one in analytics))
        programs = [one[0] for one in plugins if "google-analytics" not in str(one[0])]
        if programs:
            # Version 2 hands over what a plug-in has made of itself.
            names = [as_text(as_dict(one).get("name")) if isinstance(one, dict) else as_text(one) for one in programs]
            remedy = "They are code of the old engine and are not run."
            self._plan.note("Plug-ins", remedy, count=len(programs), files=[name for name in names if name])


def _repository(name: str) -> str:
    """Address of a repository, which may be named by its owner and name alone."""
    if is_external(name):
        return name.rstrip("/")
    return f"https://github.com/{name}" if re.fullmatch(r"[\w.-]+/[\w.-]+", name) else ""


def _base(path: str) -> str:
    """Folder that the entries of a sidebar are named from."""
    return path if path.endswith("/") else posixpath.dirname(path) + "/"


def _plain(label: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", "", label).split())
