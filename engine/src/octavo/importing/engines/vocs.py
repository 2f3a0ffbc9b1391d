"""Vocs: a configuration that is a program, and a folder of pages in MDX."""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import Any

from octavo.importing.colors import carry_accent, carry_accent_of_sheets, sheets_in
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
    local_href,
    relative,
    split_url,
    without_empty,
)
from octavo.importing.model import OWN_STYLES, Plan, Recognized
from octavo.importing.navigation import folder_entries, words_of
from octavo.importing.settings.above import allow_files_above
from octavo.importing.settings.aliases import aliases_of, vite_settings
from octavo.importing.settings.redirects import CarriedRedirects, pairs_of
from octavo.importing.tree import Tree
from octavo.lazy import regex as re

_Entries = list[dict[str, Any]]
_PROGRAMS = (".tsx", ".jsx")
_MODES = re.compile(r"light-dark\(\s*(?P<light>[^,()]+(?:\([^()]*\))?)\s*,\s*(?P<dark>[^,()]+(?:\([^()]*\))?)\s*\)")


def plan(found: Recognized, folder: Path) -> Plan:
    """Plan the import of a site of Vocs."""
    home = found.home
    site_dir = folder if home.is_relative_to(folder) else home
    made = Plan("vocs", site_dir, {})
    config = load_script(made, found.config, site_dir)
    _Planner(made, config, home).write()
    return made


class _Planner:
    def __init__(self, plan: Plan, config: dict[str, Any], home: Path) -> None:
        self._plan = plan
        self._config = config
        self._home = home
        self._root = self._find_root()
        """Folder of the folder of pages."""
        self._tree: Tree

    def _find_root(self) -> Path:
        """Find the folder that holds the pages: the one that the settings name, else where they usually lie."""
        given = [as_text(self._config.get(key)) for key in ("rootDir", "srcDir")]
        names = [*filter(None, [posixpath.join(*given) if all(given) else "", *given]), "docs", "src", "."]
        site_dir = self._plan.site_dir.resolve()
        for root in (self._home, *(self._home.parent,)):
            for name in names:
                path = (root / name).resolve()
                if path.is_relative_to(site_dir) and (path / self._pages).is_dir():
                    return path
        return self._home

    @property
    def _pages(self) -> str:
        return as_text(self._config.get("pagesDir"), "pages").strip("/") or "pages"

    def write(self) -> None:
        """Write the settings."""
        plan, config, settings = self._plan, self._config, self._plan.settings
        root = relative(self._root, plan.site_dir)
        below = "" if root == "." else f"{root}/"
        docs = f"{below}{self._pages}"
        settings |= without_empty(
            {
                "title": as_text(config.get("title")) or words_of(self._home.resolve().name),
                "tagline": as_text(config.get("description")),
                **split_url(config.get("baseUrl"), config.get("basePath")),
                "favicon": _image(config.get("iconUrl")).get("src"),
            }
        )
        settings["docs"] = docs
        public = next((one for one in (self._root / "public", self._home / "public") if one.is_dir()), None)
        settings["static"] = relative(public, plan.site_dir) if public else f"{below}public"
        settings["exclude"] = [*ALWAYS_EXCLUDED]
        vite = vite_settings(self._home, config.get("vite"))
        home = relative(self._home, plan.site_dir)
        settings["markdown"] = {
            "dialect": "mdx",
            "extensions": ["math", "vocs"],
            "snippets": list(dict.fromkeys([root, home, "."])),
            "aliases": {**aliases_of(plan.site_dir, self._home, vite), "~": root},
        }
        settings["routing"] = {
            "ending": "",
            "links_without_slash": True,
            "number_prefixes": True,
            "index_names": ["index"],
            "folder_name_is_index": False,
        }
        tree = Tree(plan.site_dir, settings, docs)
        # A name that begins with an underscore is a layout, or a part of other pages.
        settings["exclude"] += [tree.path(file) for file in tree.files if re.search(r"(?:\A|/)_", file)]
        self._tree = Tree(plan.site_dir, settings, docs)
        allow_files_above(plan, self._tree)
        self._programs(docs)
        settings["sidebars"] = self._sidebars()
        self._layout()
        self._redirects()
        self._report()
        settings["diagnostics"] = diagnostics()

    def _programs(self, docs: str) -> None:
        """Name the pages in React; components beside them are none."""
        folder = self._plan.site_dir / docs
        for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
            inner = path.relative_to(folder)
            is_page = path.suffix in _PROGRAMS and not any(part.startswith("_") for part in inner.parts)
            if is_page and inner.parts[0] != "components" and path.stem[:1].islower() and "[" not in inner.as_posix():
                route = inner.with_suffix("").as_posix()
                self._plan.react_pages[relative(path, self._plan.site_dir)] = f"/{route}".removesuffix("/index")

    def _sidebars(self) -> _Entries:
        given = self._config.get("sidebar")
        named = as_dict(given) if not isinstance(given, list) else {"/": given}
        found: _Entries = []
        for path, value in named.items():
            items = value if isinstance(value, list) else as_dict(value).get("items")
            if entries := self._entries(items):
                found.append({"id": re.sub(r"[^\w]+", "-", path).strip("-") or "docs", "items": entries})
        if not found and self._tree.files:
            entries = folder_entries(self._tree, "", lambda _: 0.0, ("index",))
            found.append({"id": "docs", "items": entries})
        return found

    def _entries(self, items: object) -> _Entries:
        entries: _Entries = []
        for item in map(as_dict, as_list(items)):
            label, link = as_text(item.get("text")), as_text(item.get("link"))
            target = self._target(link)
            inner = self._entries(item.get("items"))
            own = {"type": "doc", "id": target["doc"]} if "doc" in target else None
            if inner:
                entry = without_empty({"category": label or "…", "link": own, "items": inner})
                entries.append({**entry, "is_collapsed": item.get("collapsed") is True})
            elif target and item.get("disabled") is not True:
                label = label or target.get("href", "")
                entries.append({**target, **({"label": label} if label else {})})
        return entries

    def _target(self, link: str) -> dict[str, str]:
        """Give the document, or the address, that a link of the settings means."""
        if not link or is_external(link):
            return {"href": link} if link else {}
        path, mark, _ = link.partition("#")
        file = None if mark else self._tree.find(path.rstrip("/") or "/")
        return {"doc": self._tree.doc_id(file)} if file else {"href": local_href(link)}

    def _layout(self) -> None:
        settings, config = self._plan.settings, self._config
        items = self._bar(as_list(config.get("topNav")))
        logo = _image(config.get("logoUrl"))
        settings["navbar"] = without_empty(
            {
                "title": "" if logo else settings["title"],
                "logo": {**logo, "alt": settings["title"]} if logo else None,
                "items": items,
            }
        )
        carry_socials(
            self._plan,
            (
                (as_text(one.get("icon")), as_text(one.get("label")), as_text(one.get("link")))
                for one in map(as_dict, as_list(config.get("socials")))
            ),
        )
        edit = as_dict(config.get("editLink"))
        address = as_text(edit.get("pattern")) or as_text(edit.get("link"))
        if address.endswith(":path"):
            carry_edit_url(self._plan, address.removesuffix(":path"), settings["docs"])
        elif address:
            self._plan.note(
                f"Links to edit a page, {address}", "Set edit_url to the address of the folder of octavo.toml."
            )

    def _bar(self, raw: list[Any]) -> _Entries:
        entries: _Entries = []
        for item in map(as_dict, raw):
            label, link = as_text(item.get("text")), as_text(item.get("link"))
            if inner := self._bar(as_list(item.get("items"))):
                entries.append(
                    {"label": label or "…", "items": [one for each in inner for one in each.get("items", [each])]}
                )
            elif label and link:
                entries.append({"label": label, "href": link if is_external(link) else local_href(link)})
        return entries

    def _redirects(self) -> None:
        carried = CarriedRedirects(self._plan, {self._tree.route(file) for file in self._tree.files})
        for source, target in pairs_of(self._config.get("redirects")):
            carried.add(source, target if is_external(target) else local_href(target))
        carried.write()

    def _report(self) -> None:
        plan, config = self._plan, self._config
        accent = as_text(config.get("accentColor")) or as_text(as_dict(config.get("theme")).get("accentColor"))
        modes = _MODES.fullmatch(accent)
        colors = as_dict(as_dict(config.get("theme")).get("accentColor"))
        sheets = [self._root / "styles.css", *sheets_in(self._root / self._pages), *sheets_in(self._root / "styles")]
        if modes:
            carry_accent(plan, modes["light"], modes["dark"])
        elif accent or colors:
            carry_accent(plan, accent or as_text(colors.get("light")) or None, as_text(colors.get("dark")) or None)
        else:
            carry_accent_of_sheets(plan, sheets)
        if files := [relative(one, plan.site_dir) for one in sheets if one.is_file()]:
            plan.note("Custom style sheets", OWN_STYLES, count=len(files), files=files)
        if as_text(as_dict(config.get("banner")).get("content")) or as_text(config.get("banner")):
            plan.note("The banner above all pages", "Write its text into [[announcements]].")
        if any(
            (self._root / f"{name}{end}").is_file()
            for name in ("layout", f"{self._pages}/_layout")
            for end in _PROGRAMS
        ):
            remedy = "It is a program of the old engine and is not run; write scripts of others into [analytics]."
            plan.note("A layout of its own around all pages", remedy)
        if not config:
            plan.note(
                "The configuration says nothing that can be read", "Set title, top bar and sidebars in octavo.toml."
            )


def _image(given: object) -> dict[str, str]:
    """Read an image of the site, or one for each color mode."""
    light = as_text(given) or as_text(as_dict(given).get("light"))
    dark = as_text(as_dict(given).get("dark"))
    if not light.startswith("/"):
        return {}
    return {"src": light, **({"src_dark": dark} if dark.startswith("/") else {})}
