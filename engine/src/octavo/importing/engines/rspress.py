"""Rspress: a configuration that is a program, and the order of pages in `_nav.json` and `_meta.json`."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from octavo.importing.colors import carry_accent_of_sheets, sheets_in
from octavo.importing.common import (
    ALWAYS_EXCLUDED,
    as_dict,
    as_list,
    as_text,
    carry_edit_url,
    carry_socials,
    diagnostics,
    is_external,
    load_script,
    read_or_note,
    relative,
    split_url,
    without_empty,
)
from octavo.importing.model import Plan, Recognized
from octavo.importing.navigation import words_of
from octavo.importing.settings.aliases import aliases_of
from octavo.importing.settings.labels import OWN_NAMES
from octavo.importing.tree import Tree
from octavo.lazy import regex as re
from octavo.site import is_inside

_Entries = list[dict[str, Any]]
_LANGUAGE = re.compile(
    r"(?:ar|bn|cs|da|de|el|en|es|fa|fi|fr|he|hi|hu|id|it|ja|ko|nl|no|pl|pt|ro|ru|sv|th|tr|uk|vi|zh)(?:-[A-Za-z]{2,4})?"
)


def plan(found: Recognized, folder: Path) -> Plan:
    """Plan the import of a site of Rspress."""
    home = found.home
    site_dir = folder if home.is_relative_to(folder) else home
    made = Plan("rspress", site_dir, {})
    config = load_script(made, found.config, site_dir)
    _Planner(made, config, home).write()
    return made


class _Planner:
    def __init__(self, plan: Plan, config: dict[str, Any], home: Path) -> None:
        self._plan = plan
        self._config = config
        self._home = home
        self._theme = as_dict(config.get("themeConfig"))
        root = (home / as_text(config.get("root"), "docs")).resolve()
        self._root = root if root.is_relative_to(plan.site_dir.resolve()) and root.is_dir() else home / "docs"
        if not self._root.is_dir() and (found := _find_root(home)) is not None:
            self._root = found
            remedy = "Set docs, static and exclude in octavo.toml if they lie in another folder."
            plan.note("The configuration names no folder of pages", remedy, files=[relative(found, plan.site_dir)])
        self._locales = {
            as_text(one.get("lang")): one
            for one in map(as_dict, [*as_list(self._theme.get("locales")), *as_list(config.get("locales"))])
        }
        self._orders: dict[Path, Any] = {}
        self._versions = self._find_versions()
        self._content = self._root / self._versions[0] if self._versions else self._root
        """Folder of the documents without a version in their address."""
        self._languages = self._find_languages()
        self._tree: Tree

    def _find_versions(self) -> list[str]:
        """List the versions that have a folder, the one without a part in its addresses first."""
        given = as_dict(self._config.get("multiVersion"))
        names = [name for name in map(as_text, as_list(given.get("versions"))) if name and is_inside(self._root, name)]
        found = [name for name in names if (self._root / name).is_dir()]
        if gone := [relative(self._root / name, self._plan.site_dir) for name in names if name not in found]:
            self._plan.note("Versions without a folder", "Take them out of multiVersion.", files=gone, count=len(gone))
        default = as_text(given.get("default"))
        return sorted(found, key=lambda name: name != default)

    def _find_languages(self) -> list[str]:
        """List the languages that have a folder of their own, the one at the root first."""
        if not self._content.is_dir():
            return []
        # A folder such as `api` is none of a language: where the top bar is that of the root, there are no others.
        names = list(self._locales) or [
            path.name
            for path in sorted(self._content.iterdir())
            if _LANGUAGE.fullmatch(path.name)
            and not (self._content / "_nav.json").is_file()
            and ((path / "_nav.json").is_file() or (path / "_meta.json").is_file())
        ]
        found = [name for name in names if name and is_inside(self._content, name) and (self._content / name).is_dir()]
        default = as_text(self._config.get("lang"), "en")
        return sorted(found, key=lambda name: name != default)

    def write(self) -> None:
        plan, config, settings = self._plan, self._config, self._plan.settings
        root = relative(self._root, plan.site_dir)
        docs = self._documents(self._content)
        own = self._locales.get(self._languages[0], {}) if self._languages else {}
        settings |= without_empty(
            {
                "title": as_text(config.get("title")) or as_text(own.get("title")) or self._package_name(),
                "tagline": as_text(own.get("description")) or as_text(config.get("description")),
                **split_url(config.get("siteOrigin") or config.get("siteUrl"), config.get("base")),
                "favicon": _address(config.get("icon")),
            }
        )
        settings["docs"] = docs
        settings["static"] = f"{root}/public"
        settings["exclude"] = [*ALWAYS_EXCLUDED, f"{root}/public/**", *self._excluded(root)]
        settings["markdown"] = {"dialect": "mdx", "extensions": ["math", "rspress"], "aliases": self._aliases()}
        settings["routing"] = {
            **({} if as_dict(config.get("route")).get("cleanUrls") is True else {"ending": ".html"}),
            "number_prefixes": True,
            "index_names": ["index"],
            "folder_name_is_index": False,
        }
        self._tree = Tree(plan.site_dir, settings, docs)
        settings["sidebars"] = list(self._sidebars(docs))
        self._layout()
        if len(self._versions) > 1:
            settings["versions"] = list(self._written_versions())
        if len(self._languages) > 1:
            settings["locales"] = list(self._written_locales())
        plan.context = without_empty(
            {
                "lang": self._languages[0] if self._languages else as_text(config.get("lang"), "en"),
                "languages": max(len(self._languages), 1),
                "texts": self._texts(),
            }
        )
        self._report()
        folders = [self._home / name for name in ("theme", "styles", "src/styles", "src/theme")]
        carry_accent_of_sheets(plan, (one for folder in folders for one in sheets_in(folder)))
        settings["diagnostics"] = diagnostics()

    def _texts(self) -> dict[str, Any]:
        """Read the texts of the site's own components, each in all languages."""
        path = self._home / as_text(self._config.get("i18nSourcePath"), "i18n.json")
        inside = path.resolve().is_relative_to(self._plan.site_dir.resolve())
        return as_dict(self._read(path)) if inside else {}

    def _package_name(self) -> str:
        name = as_text(as_dict(self._read(self._home / "package.json")).get("name"))
        return words_of(name.rpartition("/")[2] or self._home.name)

    def _excluded(self, root: str) -> list[str]:
        patterns = [one for one in map(as_text, as_list(as_dict(self._config.get("route")).get("exclude"))) if one]
        for one in patterns:
            if "!(" in one:
                self._plan.note(f"The pattern {one} of route.exclude", "Write what it leaves out into exclude.")
        return [f"{root}/{one.removeprefix('/')}" for one in patterns if "!(" not in one]

    def _aliases(self) -> dict[str, str]:
        """Take over beginnings of imported paths: those of the bundler, and those of TypeScript."""
        settings = [
            as_dict(one.get(key))
            for one in (as_dict(self._config.get("builderConfig")), self._config)
            for key in ("resolve", "source")
        ]
        return aliases_of(self._plan.site_dir, self._home, settings)

    def _documents(self, content: Path) -> str:
        """Name the folder of the documents of a version in the default language, from the site's folder."""
        return relative(content / self._languages[0] if self._languages else content, self._plan.site_dir)

    def _written_versions(self) -> Iterable[dict[str, Any]]:
        first = self._tree
        for name in self._versions:
            docs = self._documents(self._root / name)
            entry: dict[str, Any] = {
                "name": name,
                "label": name,
                "path": "" if name == self._versions[0] else name,
                "docs": docs,
            }
            if entry["path"] and (self._plan.site_dir / docs).is_dir():
                self._tree = Tree(self._plan.site_dir, self._plan.settings, docs)
                entry["sidebars"] = list(self._sidebars(docs))
            yield entry
        self._tree = first

    def _read(self, path: Path) -> Any:
        """Read a file of an order once, so that one that cannot be read is noted once."""
        if path not in self._orders:
            self._orders[path] = read_or_note(self._plan, path)
        return self._orders[path]

    def _sidebars(self, docs: str) -> Iterable[dict[str, Any]]:
        own = self._locales.get(self._languages[0], {}) if self._languages else {}
        given = own.get("sidebar") or self._theme.get("sidebar")
        if given:
            named = as_dict(given) if not isinstance(given, list) else {"/": given}
            for path, items in named.items():
                if entries := self._given(items):
                    yield {"id": _slug(path), "items": entries}
            return
        if isinstance(self._read(self._plan.site_dir / docs / "_meta.json"), list):
            yield {"id": "docs", "items": self._folder("")}
            return
        tops = dict.fromkeys(file.partition("/")[0] for file in self._tree.files if "/" in file)
        for top in tops:
            if entries := self._folder(top):
                yield {"id": _slug(top), "items": self._with_index(top, entries)}

    def _with_index(self, folder: str, entries: _Entries) -> _Entries:
        """Put the page of a section before the others, where nothing names it."""
        index = self._index(folder)
        own = self._tree.doc_id(index) if index else ""
        return [{"doc": own}, *entries] if index and own not in _documents(entries) else entries

    def _given(self, items: Any) -> _Entries:
        """Write entries of the settings."""
        entries: _Entries = []
        into = entries
        for item in as_list(items):
            raw = {"link": item} if isinstance(item, str) else as_dict(item)
            label, link = as_text(raw.get("text")), as_text(raw.get("link"))
            target = self._target(link)
            if header := as_text(raw.get("sectionHeaderText")):
                into = []
                entries.append({"category": header, "is_collapsed": False, "items": into})
            elif inner := self._given(raw.get("items")):
                entry = without_empty({"category": label or "…", "link": _link(target), "items": inner})
                into.append({**entry, "is_collapsed": raw.get("collapsed") is True})
            elif target:
                into.append(_labelled(target, label, link))
        return [entry for entry in entries if entry.get("items") != []]

    def _folder(self, folder: str) -> _Entries:
        """Write the entries of a folder: those that its `_meta.json` names, else all files by their names."""
        base = self._plan.site_dir / self._tree.root / folder
        meta = self._read(base / "_meta.json")
        items = meta if isinstance(meta, list) else self._names(folder)
        entries: _Entries = []
        into = entries
        for item in items:
            raw = {"type": "", "name": item} if isinstance(item, str) else as_dict(item)
            if raw.get("type") == "section-header":
                into = []
                entries.append({"category": as_text(raw.get("label")), "is_collapsed": False, "items": into})
            elif raw.get("type") != "divider":
                into += self._item(folder, raw)
        return [entry for entry in entries if entry.get("items") != []]

    def _item(self, folder: str, raw: dict[str, Any]) -> _Entries:
        kind, label = as_text(raw.get("type")), as_text(raw.get("label"))
        if kind == "custom-link" or (raw.get("link") and not raw.get("name")):
            link = as_text(raw.get("link"))
            if inner := [one for item in as_list(raw.get("items")) for one in self._item(folder, as_dict(item))]:
                return [without_empty({"category": label or "…", "link": _link(self._target(link)), "items": inner})]
            return [_labelled(self._target(link), label, link)] if link else []
        name = as_text(raw.get("name")).strip("/")
        path = posixpath.normpath(posixpath.join(folder, name))
        file = None if kind.startswith("dir") else self._file(path)
        inside = any(one.startswith(f"{path}/") for one in self._tree.files)
        if file or not inside:
            if file is None:
                remedy = "Take them out of _meta.json."
                self._plan.note("A _meta.json names pages that do not exist", remedy, files=[path])
                return []
            return [_labelled({"doc": self._tree.doc_id(file)}, label, "")]
        inner = self._folder(path)
        index = self._index(path) or self._file(path)
        if kind == "dir-section-header":
            inner = self._with_index(path, inner)
            return [{"category": label or words_of(name), "is_collapsed": False, "items": inner}] if inner else []
        own = self._tree.doc_id(index) if index else ""
        if not inner:
            return [_labelled({"doc": own}, label, "")] if index else []
        own_page = _link({"doc": own}) if index and own not in _documents(inner) else None
        entry = without_empty({"category": label or words_of(name), "link": own_page, "items": inner})
        return [{**entry, "is_collapsed": raw.get("collapsed") is True}]

    def _names(self, folder: str) -> list[str]:
        prefix = f"{folder}/" if folder else ""
        names = [one[len(prefix) :].partition("/")[0] for one in self._tree.files if one.startswith(prefix)]
        return [name for name in dict.fromkeys(names) if posixpath.splitext(name)[0] != "index"]

    def _file(self, path: str) -> str | None:
        names = (path, f"{path}.mdx", f"{path}.md")
        return next((name for name in names if name in self._tree.files), None)

    def _index(self, folder: str) -> str | None:
        return self._file(f"{folder}/index" if folder else "index")

    def _target(self, link: str) -> dict[str, str]:
        if not link:
            return {}
        if is_external(link):
            return {"href": link}
        path, mark, anchor = link.partition("#")
        file = self._tree.find(re.sub(r"\.(?:html|mdx?)$", "", path.rstrip("/")) or "/")
        if file and not mark:
            return {"doc": self._tree.doc_id(file)}
        route = self._tree.route(file) if file else f"/{path.lstrip('/')}"
        return {"href": f"{route}{mark}{anchor}"}

    def _layout(self) -> None:
        settings, theme = self._plan.settings, self._theme
        own = self._locales.get(self._languages[0], {}) if self._languages else {}
        nav = own.get("nav") or theme.get("nav")
        nav = nav or self._read(self._plan.site_dir / self._tree.root / "_nav.json")
        items = self._nav(as_list(nav))
        if len(self._versions) > 1:
            items.append({"type": "version", "label": "Version", "position": "right"})
        if len(self._languages) > 1:
            items.append({"type": "locale", "label": "Language", "position": "right"})
        title = as_text(self._config.get("logoText")) or ("" if _logo(self._config, "") else settings["title"])
        logo = _logo(self._config, settings["title"])
        settings["navbar"] = without_empty({"title": title, "logo": logo, "items": items})
        footer = as_text(as_dict(theme.get("footer")).get("message"))
        settings["footer"] = without_empty({"copyright": footer})
        carry_socials(
            self._plan,
            (
                (as_text(one.get("icon")), "", as_text(one.get("content")))
                for one in map(as_dict, as_list(theme.get("socialLinks")))
                if as_text(one.get("mode"), "link") == "link"
            ),
        )
        settings["color_mode"] = {"has_switch": theme.get("darkMode") is not False}
        settings["shows_last_update"] = theme.get("lastUpdated") is True
        edit = as_text(as_dict(theme.get("editLink")).get("docRepoBaseUrl"))
        if edit:
            carry_edit_url(self._plan, edit, relative(self._root, self._plan.site_dir))

    def _nav(self, raw: list[Any]) -> _Entries:
        entries: _Entries = []
        for item in map(as_dict, raw):
            label, target = as_text(item.get("text")), self._target(as_text(item.get("link")))
            inner = self._nav(as_list(item.get("items")))
            flat = [below for one in inner for below in one.get("items", [one])]
            if flat:
                entries.append({"label": label or "…", "items": flat})
            elif label and target:
                href = target.get("href") or self._tree.route(self._tree.by_id(target["doc"]) or "")
                entries.append({"label": label, "href": href})
        return entries

    def _written_locales(self) -> Iterable[dict[str, Any]]:
        contents = [self._root / name for name in self._versions] or [self._root]
        for name in self._languages:
            label = as_text(as_dict(self._locales.get(name)).get("label")) or OWN_NAMES.get(name, name)
            entry: dict[str, Any] = {"id": name, "label": label}
            if name != self._languages[0]:
                folders = {self._documents(one): relative(one / name, self._plan.site_dir) for one in contents}
                entry |= {"path": name, "folders": folders}
            yield entry

    def _report(self) -> None:
        if len(self._versions) > 1 and len(self._languages) > 1:
            remedy = f"Addresses have the language first now, as in /{self._languages[1]}/{self._versions[1]}/: redirect the old ones."
            self._plan.note("Versions in several languages", remedy)
        if len(self._languages) > 1:
            remedy = "Pages without a label show their own title in each language; groups and the top bar say what octavo.toml does."
            self._plan.note(
                "Labels of sidebars and of the top bar in other languages", remedy, count=len(self._languages) - 1
            )
        if (self._home / "theme").is_dir():
            remedy = "Its layouts are programs of the old engine; components that pages use are taken over."
            self._plan.note("A theme of its own (theme/)", remedy)
        if count := len(as_list(self._config.get("plugins"))):
            remedy = "They are code of the old engine and are not run: look for the pages that they made."
            self._plan.note("Plug-ins of Rspress", remedy, count=count)
        if not self._config:
            remedy = "Set title, logo and top bar in octavo.toml."
            self._plan.note("The configuration says nothing that can be read", remedy)


_CURRENT = ("latest", "current", "next", "main", "docs", "en")
"""Names of the folder of the newest version, and of the first language."""


def _find_root(home: Path) -> Path | None:
    """Find the folder of the pages where the configuration is made by a package: the one that says what the top bar holds.

    Of several, such as a folder for each version, the newest is taken, else the one with most pages.
    """
    found = [
        path.parent
        for path in sorted(home.glob("*/_nav.json")) + sorted(home.glob("*/*/_nav.json"))
        if "node_modules" not in path.parts
    ]
    if found and found[0].name in OWN_NAMES:  # the folders of languages lie in that of the pages
        return found[0].parent
    named = [path for name in _CURRENT for path in found if path.name == name]
    return next(iter(named), None) or max(found, key=lambda path: sum(1 for _ in path.rglob("*.md*")), default=None)


def _documents(entries: _Entries) -> set[str]:
    """List the documents that entries of a sidebar name."""
    found = {one["doc"] for one in entries if "doc" in one}
    for one in entries:
        found |= _documents(one.get("items", []))
        found |= {as_dict(one.get("link")).get("id", "")}
    return found


def _link(target: dict[str, str]) -> dict[str, str] | None:
    return {"type": "doc", "id": target["doc"]} if "doc" in target else None


def _labelled(target: dict[str, str], label: str, link: str) -> dict[str, Any]:
    """Give an entry its label; a document without one is called by its title, in each language by its own."""
    if "doc" in target:
        return {**target, "label": label} if label else {**target}
    return {**target, "label": label or link}


def _slug(path: str) -> str:
    return re.sub(r"[^\w]+", "-", path).strip("-") or "docs"


def _address(value: object) -> str | None:
    text = as_text(value)
    return text if text.startswith("/") else None


def _logo(config: dict[str, Any], title: str) -> dict[str, str] | None:
    given = config.get("logo")
    light = _address(given) or _address(as_dict(given).get("light"))
    dark = _address(as_dict(given).get("dark"))
    return without_empty({"src": light, "src_dark": dark, "alt": title}) if light else None
