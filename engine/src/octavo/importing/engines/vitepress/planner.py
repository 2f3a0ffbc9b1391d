"""VitePress: its configuration is a program, run in V8."""

from __future__ import annotations

import os
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
    carry_socials,
    common_folder,
    diagnostics,
    is_external,
    load_script,
    relative,
    sidebar_id,
    split_url,
    without_empty,
)
from octavo.importing.engines.vitepress.patterns import excluded, fill, path_pattern, rewritten_folder
from octavo.importing.engines.vuepress import of_early_vitepress
from octavo.importing.look.extras import carry_metas, html_tags
from octavo.importing.model import Plan, Recognized
from octavo.importing.navigation import words_of
from octavo.importing.settings.above import allow_files_above
from octavo.importing.settings.aliases import aliases_of, vite_settings
from octavo.importing.settings.containers import carry_containers
from octavo.importing.settings.labels import carry_labels, pair_labels, translated_folders
from octavo.importing.settings.project import project_of
from octavo.importing.settings.slugs import style_of_slugs
from octavo.importing.tree import Tree
from octavo.importing.watched import layered, plain
from octavo.lazy import regex as re


def plan(found: Recognized, folder: Path) -> Plan:
    """Plan the import of a VitePress site."""
    home = found.home
    site_dir = folder if home.is_relative_to(folder) else home
    made = Plan("vitepress", site_dir, {})
    config = load_script(made, found.config, folder if home.is_relative_to(folder) else home)
    config = of_early_vitepress(made, config)
    source = (home / as_text(config.get("srcDir"), ".")).resolve()
    if home.resolve().is_relative_to(source) and source.is_relative_to(project_of(home)):
        # Pages beside the programs that they describe: the settings are those of all of the project.
        made.site_dir = site_dir = common_folder([site_dir, source])
    if not source.is_relative_to(site_dir.resolve()):
        made.note(
            f"srcDir names {as_text(config.get('srcDir'))}, which is outside of the site",
            "Import the folder that holds both.",
        )
        source = home
    config = _with_parts(made, config, found.config, source)
    _Planner(made, config, source, home).write()
    markdown = made.settings["markdown"]
    markdown["slugs"] = style_of_slugs(made, found.config, site_dir, markdown["slugs"])
    carry_containers(made, found.config, site_dir, made.settings["docs"])
    return made


_NAMES_OF_PARTS = frozenset({"config.js", "config.mjs", "config.ts", "config.mts"})
"""Names of files that hold the settings of the folder that they lie in."""


class _Planner:
    def __init__(self, plan: Plan, config: dict[str, Any], source: Path, home: Path) -> None:
        self._plan = plan
        self._home = home
        self._config = config
        self._base = relative(source, plan.site_dir)
        self._theme = self._root_theme()
        self._docs = self._base
        """Folder of the pages of the language at the root."""
        self._first = ""
        """Its path from `_base`; empty where it is the same."""
        self._languages: list[str] = []
        """Names of the other languages whose pages translate those of the first, and lie in a folder of that name."""
        self._apart: list[str] = []
        """Names of all others."""
        self._moved: dict[str, str] = {}
        """Addresses of pages that have others than their files say, without their ending → path of the file."""

    def _find_languages(self, files: list[str]) -> None:
        """Find the folders of languages among all files."""
        locales = as_dict(self._config.get("locales"))
        others = [name for name in locales if name != "root"]
        folders = tuple(f"{name}/" for name in others)
        originals = {file for file in files if not file.startswith(folders)}
        if "root" in locales:  # else no page is the original of others
            self._first = rewritten_folder(as_dict(self._config.get("rewrites")), originals)
            self._docs = posixpath.normpath(posixpath.join(self._base, self._first))
            self._languages = translated_folders(others, files, self._first)
        self._apart = [name for name in others if name not in self._languages]

    def _root_theme(self) -> dict[str, Any]:
        """Settings of the theme; those of the language at the root count where languages have their own."""
        locales = as_dict(self._config.get("locales"))
        root = as_dict(as_dict(locales.get("root")).get("themeConfig"))
        return layered(as_dict(self._config.get("themeConfig")), root)

    def write(self) -> None:
        config, settings = self._config, self._plan.settings
        root = as_dict(as_dict(config.get("locales")).get("root"))
        settings |= without_empty(
            {
                "title": as_text(config.get("title"))
                or as_text(root.get("title"))
                or words_of(self._plan.site_dir.name),
                "tagline": as_text(config.get("description")) or as_text(root.get("description")),
                **split_url(as_dict(config.get("sitemap")).get("hostname"), config.get("base")),
                "favicon": self._favicon(),
            }
        )
        prefix = "" if self._base == "." else f"{self._base}/"
        settings["static"] = self._public_folder()
        settings["exclude"] = [*ALWAYS_EXCLUDED, f"{settings['static']}/**"]
        settings["exclude"] += excluded(as_list(config.get("srcExclude")), self._plan.site_dir, prefix)
        settings["markdown"] = {
            "extensions": sorted(
                ["attr_list", "emoji", "vitepress", *(["math"] if as_dict(config.get("markdown")).get("math") else [])]
            ),
            "slugs": "vitepress",
            "snippets": [self._base],
        }
        aliases = {} if self._base == "." else {"@": self._base}
        aliases |= aliases_of(self._plan.site_dir, self._home, vite_settings(self._home, config.get("vite")))
        if aliases:
            settings["markdown"]["aliases"] = aliases
        settings["routing"] = {
            **({} if config.get("cleanUrls") is True else {"ending": ".html"}),
            "number_prefixes": True,
            "index_names": ["index"],
            "folder_name_is_index": False,
        }
        whole = Tree(self._plan.site_dir, settings, self._base)
        if any("\n@[code" in whole.text(file) for file in whole.files):
            settings["markdown"]["extensions"].append("vuepress")
        self._find_languages(whole.files)
        settings["docs"] = self._docs
        tree = Tree(self._plan.site_dir, settings, self._docs)
        self._templates(tree)
        self._rewrites(tree)
        allow_files_above(self._plan, tree)
        tree = plan_dated_blogs(self._plan, tree)
        settings["sidebars"] = list(self._sidebars(tree))
        self._layout()
        self._write_locales()
        self._carry_labels(tree)
        self._plan.context = without_empty(
            {"themeConfig": plain(self._theme), "lang": as_text(self._config.get("lang"))}
        )
        self._report()
        home = self._plan.site_dir / self._docs
        folders = [
            folder / ".vitepress/theme"
            for folder in (home, *home.parents)
            if folder.is_relative_to(self._plan.site_dir)
        ]
        folder = next((one for one in folders if one.is_dir()), None)
        carry_accent_of_sheets(self._plan, sheets_in(folder) if folder else ())
        settings["diagnostics"] = diagnostics()

    def _public_folder(self) -> str:
        """Give the folder of files that are published as they are: `public`, or the one that the settings of Vite name."""
        source = self._plan.site_dir / self._base
        own = as_text(as_dict(self._config.get("vite")).get("publicDir"))
        folder = (source / (own or "public")).resolve()
        if folder.is_relative_to(self._plan.site_dir.resolve()):
            return relative(folder, self._plan.site_dir)
        self._plan.note(
            f"publicDir names {own}, which is outside of the site", "Copy its files into the folder of `static`."
        )
        return posixpath.normpath(posixpath.join(self._base, "public"))

    def _favicon(self) -> str | None:
        for entry in as_list(self._config.get("head")):
            if isinstance(entry, list) and len(entry) > 1 and "icon" in as_text(as_dict(entry[1]).get("rel")):
                href = as_text(as_dict(entry[1]).get("href"))
                return href if href.startswith("/") else None
        return None

    def _templates(self, tree: Tree) -> None:
        """Leave out files such as `[package].md`, of which a program makes pages."""
        files = [tree.path(file) for file in tree.files if "[" in file]
        if files:
            self._plan.settings["exclude"] += files
            self._plan.note(
                "Pages that a program makes of a template ([…].md)",
                "Write them out once, and put them beside the others.",
                count=len(files),
                files=files[:5],
            )

    def _rewrites(self, tree: Tree) -> None:
        rewrites = as_dict(self._config.get("rewrites"))
        exact: dict[str, str] = {}
        ending = self._plan.settings["routing"].get("ending", "")
        for source, target in rewrites.items():
            pattern, names = path_pattern(source)
            for file in tree.files:
                match = pattern.fullmatch(posixpath.join(self._first, file))
                if match and isinstance(target, str):
                    path = fill(target, {name: match[name] for name in names})
                    stem = posixpath.splitext(path)[0]
                    is_index = stem.rpartition("/")[2] == "index"
                    route = f"/{stem.removesuffix('index')}" if is_index else f"/{stem}{ending}"
                    if not self._first or route != tree.route(file):
                        exact[tree.path(file)] = route
                        self._moved[_bare(route)] = file
        if exact:
            self._plan.settings["routing"]["exact"] = exact
        if "rewrites" in self._config and not rewrites:
            self._plan.note("Rewrites that a function makes", "Name the routes under [routing.exact].")

    def _sidebars(self, tree: Tree) -> Iterator[dict[str, Any]]:
        raw = self._theme.get("sidebar")
        given = {"/": raw} if isinstance(raw, list) else as_dict(raw)
        locales = as_dict(self._config.get("locales"))
        for name, locale in locales.items():
            own = as_dict(as_dict(locale).get("themeConfig")).get("sidebar") if name in self._apart else None
            given |= {f"/{name}/": own} if isinstance(own, list) else as_dict(own)
        taken: set[str] = set()
        for path, items in given.items():
            entries = self._sidebar(items, tree)
            name = sidebar_id(path, taken)
            if entries:
                yield {"id": name, "items": entries}
        if not given:
            yield {"id": "docs", "items": [{"autogenerated": "."}]}

    def _sidebar(self, items: Any, tree: Tree) -> list[dict[str, Any]]:
        base = as_text(items.get("base")) if isinstance(items, dict) else ""
        return self._entries(items.get("items") if isinstance(items, dict) else items, base, tree)

    def _write_locales(self) -> None:
        """Take over the languages whose pages are in folders beside those of the first."""
        settings, locales = self._plan.settings, as_dict(self._config.get("locales"))
        if not self._languages:
            return
        written: list[dict[str, Any]] = []
        for name in ("root", *self._languages):
            one = as_dict(locales.get(name))
            code = as_text(one.get("lang")) or ("" if name == "root" else name)
            entry: dict[str, Any] = {
                "id": code or as_text(self._config.get("lang"), "en"),
                "label": as_text(one.get("label"), name),
                **({"dir": "rtl"} if one.get("dir") == "rtl" else {}),
            }
            if name != "root":
                entry |= {"path": name, "folders": {self._docs: posixpath.normpath(posixpath.join(self._base, name))}}
            written.append(entry)
        settings["locales"] = written
        exact = settings["routing"].get("exact", {})
        for path, route in exact.items():
            name = posixpath.relpath(path, self._base).partition("/")[0]
            if name in self._languages:
                exact[path] = route.removeprefix(f"/{name}") or "/"

    def _carry_labels(self, tree: Tree) -> None:
        """Take over what the languages call the entries of the bars, which lead to the same pages."""
        settings, locales = self._plan.settings, as_dict(self._config.get("locales"))
        sidebars = [entry for sidebar in settings["sidebars"] for entry in sidebar["items"]]
        for name, written in zip(self._languages, settings.get("locales", [])[1:], strict=False):
            one = as_dict(locales.get(name))
            theme = as_dict(one.get("themeConfig"))
            raw = theme.get("sidebar")
            given = [raw] if isinstance(raw, list) else list(as_dict(raw).values())
            own = [entry for items in given for entry in self._sidebar(items, tree)]
            footer = self._footer(as_dict(theme.get("footer")))
            pairs = [
                *pair_labels(settings["navbar"].get("items", []), self._nav(as_list(theme.get("nav"))), name),
                *pair_labels(sidebars, own, name),
                (settings["title"], as_text(one.get("title"))),
                (settings.get("tagline", ""), as_text(one.get("description"))),
                (as_text(settings["navbar"].get("title")), as_text(theme.get("siteTitle"))),
                (as_text(settings["footer"].get("copyright")), footer),
            ]
            carry_labels(self._plan, written["id"], pairs)

    def _footer(self, footer: dict[str, Any]) -> str:
        return " ".join(as_text(footer.get(key)) for key in ("message", "copyright")).strip()

    def _entries(self, items: Any, base: str, tree: Tree) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = []
        for item in map(as_dict, as_list(items)):
            own_base = as_text(item.get("base")) or base
            label, link = _plain(as_text(item.get("text"))), as_text(item.get("link"))
            target = self._target(link, own_base, tree)
            inner = self._entries(item.get("items"), own_base, tree) if item.get("items") else []
            if inner:
                entry: dict[str, Any] = {"category": label or "…"}
                if "doc" in target:
                    entry["link"] = {"type": "doc", "id": target["doc"]}
                entry["is_collapsed"] = item.get("collapsed") is True
                entries += [{**entry, "items": inner}] if label else inner
            elif target:
                entries.append({**target, "label": label or target.get("doc", link)})
        return entries

    def _target(self, link: str, base: str, tree: Tree) -> dict[str, str]:
        if not link:
            return {}
        if is_external(link):
            return {"href": link}
        # As VitePress does it: a base may end within a name (`/reference/theme-`).
        joined = base + re.sub(r"\A/", "" if base.endswith("/") else "/", link) if base else link
        for path in (joined, link):
            bare = path.partition("#")[0].partition("?")[0]
            file = self._moved.get(_bare(bare)) or tree.find(bare)
            if file and "#" not in path:
                return {"doc": tree.doc_id(file)}
            if file:
                route = self._plan.settings["routing"].get("exact", {}).get(tree.path(file)) or tree.route(file)
                return {"href": f"{route}#{path.partition('#')[2]}"}
        return {"href": f"/{joined.lstrip('/')}"}

    def _layout(self) -> None:
        settings, theme = self._plan.settings, self._theme
        items = list(self._nav(as_list(theme.get("nav"))))
        if self._languages:
            items.append({"type": "locale", "label": "Language", "position": "right"})
        title = as_text(theme.get("siteTitle")) if theme.get("siteTitle") is not False else ""
        settings["navbar"] = without_empty(
            {"title": title or settings["title"], "logo": _logo(theme.get("logo"), settings["title"]), "items": items}
        )
        settings["footer"] = without_empty({"copyright": self._footer(as_dict(theme.get("footer")))})
        carry_metas(self._plan, html_tags(self._config.get("head")))
        carry_socials(
            self._plan,
            (
                (as_text(one.get("icon")), as_text(one.get("ariaLabel")), as_text(one.get("link")))
                for one in map(as_dict, as_list(theme.get("socialLinks")))
            ),
        )
        appearance = self._config.get("appearance")
        settings["color_mode"] = {
            "default": "dark" if appearance in ("dark", "force-dark") else "light",
            "has_switch": appearance is not False,
        }
        edit = as_text(as_dict(theme.get("editLink")).get("pattern"))
        if ":path" in edit:
            carry_edit_url(self._plan, edit.partition(":path")[0], self._base)
        settings["shows_last_update"] = bool(self._config.get("lastUpdated"))

    def _nav(self, raw: list[Any]) -> Iterator[dict[str, Any]]:
        for item in map(as_dict, raw):
            label, link = _plain(as_text(item.get("text"))), as_text(item.get("link"))
            inner = [one for one in self._nav(as_list(item.get("items"))) if "items" not in one]
            deeper = [one for part in self._nav(as_list(item.get("items"))) for one in part.get("items", [])]
            if inner or deeper:
                yield {"label": label or "…", "items": inner + deeper}
            elif link and label:
                yield {"label": label, "href": link if is_external(link) else f"/{link.lstrip('/')}"}

    def _report(self) -> None:
        locales = as_dict(self._config.get("locales"))
        elsewhere = [name for name in self._apart if is_external(as_text(as_dict(locales.get(name)).get("link")))]
        if here := [name for name in self._apart if name not in elsewhere]:
            self._plan.note(
                f"Languages ({', '.join(here)})",
                "Their pages keep their addresses; name them under [[locales]] for the switch and the language of the page.",
                count=len(here),
            )
        if elsewhere:
            names = ", ".join(elsewhere)
            self._plan.note(f"Languages on other sites ({names})", "Write links into [navbar].", count=len(elsewhere))
        theme = next(iter(sorted(self._plan.site_dir.glob("**/.vitepress/theme/index.*"))), None)
        if theme:
            self._plan.note(
                "A theme of its own (.vitepress/theme)",
                "Components that it registers are shown as their content; write them as Markdown in components/.",
            )
        if (
            "transformPageData" in self._config
            or "transformHead" in self._config
            or as_list(self._config.get("buildEnd"))
        ):
            self._plan.note("Build hooks", "They are code of the old engine and are not run.")


def _with_parts(plan: Plan, config: dict[str, Any], file: Path | None, source: Path) -> dict[str, Any]:
    """Put the settings of folders over those of the site: `ko/config.ts` beside the pages, or `additionalConfig`.

    Those of the folder of a language are settings of that language, and those of the top are settings of all. Of any
    other folder, only the sidebar is taken over: what else it sets is in the report as having no effect.
    """
    own = as_dict(config.get("additionalConfig"))
    parts = {name.strip("/"): as_dict(one) for name, one in own.items()}
    is_named = bool(file and re.search(r"\badditionalConfig\b", file.read_text("utf-8", "replace")))
    if not is_named:
        parts = {name: load_script(plan, path, plan.site_dir) for name, path in _files_of_parts(source)}
    elif not own:
        plan.note(
            "additionalConfig, which is a function that is called for each page",
            "Write what it returns for each folder into a config.ts in that folder, and import again.",
        )
    locales = dict(as_dict(config.get("locales")))
    sidebars: dict[str, Any] = {}
    for name, part in parts.items():
        if (name or "root") in locales:
            locales[name or "root"] = _over(as_dict(locales[name or "root"]), part)
        elif name:
            sidebar = as_dict(part.get("themeConfig")).get("sidebar")
            sidebars |= {f"/{name}/": sidebar} if isinstance(sidebar, list) else as_dict(sidebar)
    root = locales.get("root") or config
    root = _over(root, parts[""]) if "" in parts and "root" not in locales else root
    if sidebars:
        given = as_dict(root.get("themeConfig")).get("sidebar") or as_dict(config.get("themeConfig")).get("sidebar")
        above = {"/": given} if isinstance(given, list) else as_dict(given)
        root = _over(root, {"themeConfig": {"sidebar": {**sidebars, **above}}})
    if "root" in locales:
        return layered(config, {"locales": {**locales, "root": root}})
    return layered(root, {"locales": locales}) if locales else root


def _files_of_parts(source: Path) -> Iterator[tuple[str, Path]]:
    """Find the settings of folders beside the pages, those of the top first."""
    for place, folders, files in os.walk(source):
        folders[:] = sorted(one for one in folders if one != "node_modules" and not one.startswith("."))
        for file in sorted(set(files) & _NAMES_OF_PARTS):
            path = Path(place, file)
            # A site may well have a program of its own of that name.
            if re.search(r"\b(?:defineAdditionalConfig|themeConfig)\b", path.read_text("utf-8", "replace")):
                name = relative(path.parent, source)
                yield ("" if name == "." else name), path


def _over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Put settings over others; those of the theme are put over each other one by one."""
    theme = layered(as_dict(below.get("themeConfig")), as_dict(above.get("themeConfig")))
    return layered(below, above, {"themeConfig": theme})


def _bare(address: str) -> str:
    """Give an address within the site without its ending, as links may have it with or without."""
    path = re.sub(r"\.(?:html|md)\Z", "", address.strip("/"))
    return re.sub(r"(?:\A|/)index\Z", "", path)


def _plain(label: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", "", label).split())


def _logo(raw: Any, title: str) -> dict[str, str] | None:
    if isinstance(raw, str):
        return {"src": raw, "alt": title} if raw.startswith("/") else None
    logo = as_dict(raw)
    light = as_text(logo.get("light")) or as_text(logo.get("src"))
    if not light.startswith("/"):
        return None
    return without_empty(
        {"src": light, "src_dark": as_text(logo.get("dark")), "alt": as_text(logo.get("alt")) or title}
    )
