"""Nextra and Fumadocs: pages of MDX in a site of Next.js, ordered by `_meta` files or `meta.json`."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator
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
    local_href,
    read_or_note,
    relative,
    without_empty,
)
from octavo.importing.engines.nextra.metas import MetaSidebars
from octavo.importing.engines.nextra.operations import operation_pages
from octavo.importing.engines.nextra.titles import title_of_site
from octavo.importing.look.extras import carry_banner
from octavo.importing.model import Plan, Recognized
from octavo.importing.navigation import words_of
from octavo.importing.scripts import ScriptError, Scripts
from octavo.importing.settings.above import allow_files_above
from octavo.importing.settings.aliases import aliases_of
from octavo.importing.settings.redirects import CarriedRedirects, pairs_of
from octavo.importing.tree import Tree
from octavo.lazy import regex as re

_CONTENT = ("content", "src/content", "pages", "src/pages", "app", "src/app")
"""Where the pages of such sites are, the likeliest first."""
_METAS = tuple(
    f"_meta{middle}.{end}" for middle in ("", ".global") for end in ("js", "ts", "tsx", "jsx", "json", "mjs")
)
_LANGUAGE = re.compile(r"[a-z]{2}(?:-[A-Za-z]{2,4})?")
_BASE_URL = re.compile(r"""baseUrl:\s*["'](/[^"']*)["']""")
_LOADER = re.compile(r"""["']fumadocs-core/source["']""")
_NOT_OF_SITE = frozenset(["node_modules", "build", "dist", "out", "public", "octavo-components"])
_DIR = re.compile(r"""dir:\s*["']([^"']+)["']""")


def plan(found: Recognized, folder: Path) -> Plan:
    """Plan the import of a site of Nextra or Fumadocs."""
    home = found.home
    site_dir = folder if home.is_relative_to(folder) else home
    made = Plan(found.engine, site_dir, {})
    is_next = found.config is not None and found.config.name.startswith("next.")
    config = load_script(made, found.config if is_next else None, site_dir)
    _Planner(made, config, home).write()
    return made


class _Planner:
    def __init__(self, plan: Plan, config: dict[str, Any], home: Path) -> None:
        self._plan = plan
        self._config = config
        self._home = home
        self._is_fumadocs = plan.engine == "fumadocs"
        self._content = self._find_content()
        self._is_app = self._content.name == "app"

    def write(self) -> None:
        plan, settings = self._plan, self._plan.settings
        home = relative(self._home, plan.site_dir)
        at_home = "" if home == "." else f"{home}/"
        docs = relative(self._content, plan.site_dir)
        languages = self._languages()
        settings["title"] = self._title()
        if base := as_text(self._config.get("basePath")).strip("/"):
            settings["base_url"] = f"/{base}/"
        settings["docs"] = f"{docs}/{languages[0]}" if languages else docs
        settings["static"] = f"{at_home}public"
        settings["exclude"] = [*ALWAYS_EXCLUDED]
        source = f"{at_home}src" if (self._home / "src").is_dir() else home
        settings["markdown"] = {
            "dialect": "mdx",
            "extensions": ["emoji", "math", "nextra"],
            "aliases": {
                "@": source,
                "~": source,
                "@components": f"{source}/components".removeprefix("./"),
                **aliases_of(plan.site_dir, self._home, []),
            },
        }
        settings["routing"] = {
            "ending": "/" if self._config.get("trailingSlash") is True else "",
            "links_without_slash": self._config.get("trailingSlash") is not True,
            "number_prefixes": True,
            "index_names": ["page"] if self._is_app else ["index"],
            "folder_name_is_index": False,
        }
        base = self._base()
        if base:
            settings["routing"]["docs"] = base
        tree = Tree(plan.site_dir, settings, settings["docs"])
        self._only_pages(tree)
        tree = Tree(plan.site_dir, settings, settings["docs"])
        allow_files_above(plan, tree)
        self._exact(tree, base)
        sidebars = MetaSidebars(plan, tree, f"/{base}" if base else "")
        settings["sidebars"], bar = sidebars.write(
            self._metas(languages), [path.name for path in self._collections() if path != self._content]
        )
        operations = operation_pages(plan, tree, self._home, f"/{base}" if base else "")
        for sidebar in settings["sidebars"]:
            sidebar["items"] = operations.in_place(sidebar["items"])
        if len(languages) > 1:
            bar.append({"type": "locale", "label": "Language", "position": "right"})
        settings["navbar"] = without_empty({"title": settings["title"], "items": bar})
        if languages:
            self._write_languages(docs, languages)
        self._redirects(tree, base, operations.instead)
        self._report()
        folders = [self._home / name for name in ("app", "src/app", "styles", "src/styles", "pages")]
        carry_accent_of_sheets(plan, (one for folder in folders for one in sheets_in(folder)))
        settings["diagnostics"] = diagnostics()

    def _find_content(self) -> Path:
        folders = self._collections()
        if len(folders) == 1:
            return folders[0]
        if folders and len({folder.parent for folder in folders}) == 1:
            return folders[0].parent
        counted = {folder: self._count(folder) for folder in (self._home / name for name in _CONTENT)}
        found = [folder for folder, pages in counted.items() if pages]
        # Sites of Nextra 3 have pages in `pages`, and may have partials in `content`; those of Nextra 4 the other way round.
        ordered = [folder for folder in found if any(folder.rglob("_meta.*"))]
        return max(ordered or found, key=lambda folder: counted[folder] if ordered else 0, default=self._home)

    def _count(self, folder: Path) -> int:
        pattern = "page.mdx" if folder.name == "app" else "*.md*"
        return sum(1 for _ in folder.rglob(pattern)) if folder.is_dir() else 0

    def _collections(self) -> list[Path]:
        """List the folders that the settings of Fumadocs name; each is a section of its own."""
        if not self._is_fumadocs:
            return []
        names = _DIR.findall(_text(self._home / "source.config.ts")) or ["content/docs"]
        folders = [(self._home / name).resolve() for name in dict.fromkeys(names)]
        return [folder for folder in folders if folder.is_dir() and folder.is_relative_to(self._home)]

    def _title(self) -> str:
        if name := title_of_site(self._home):
            return name
        package = as_dict(read_or_note(self._plan, self._home / "package.json"))
        return words_of((as_text(package.get("name")) or self._home.name).rpartition("/")[2])

    def _base(self) -> str:
        """Beginning of the routes: the folder of the page of Next.js that draws the content, or what the loader says."""
        if self._is_app or self._content.name == "pages":
            return ""
        if self._is_fumadocs and self._content not in self._collections():
            return ""
        if self._is_fumadocs:
            lib = [*self._home.glob("lib/**/*.ts*"), *self._home.glob("src/lib/**/*.ts*")]
            texts = [*map(_text, sorted(lib)), *filter(_LOADER.search, map(_text, self._programs()))]
            found = next((match for text in texts if (match := _BASE_URL.search(text))), None)
            return found[1].strip("/") if found else "docs"
        for app in (self._home / "app", self._home / "src/app"):
            for path in sorted(app.rglob("[[]*[[]...*")) if app.is_dir() else ():
                parts = path.relative_to(app).parent.parts
                return "/".join(part for part in parts if part[0] not in "([")
        return ""

    def _programs(self) -> Iterator[Path]:
        """List the programs of the site, but for those of packages."""
        for folder, folders, names in os.walk(self._home):
            folders[:] = sorted(one for one in folders if one[0] != "." and one not in _NOT_OF_SITE)
            yield from (Path(folder, name) for name in sorted(names) if name.endswith((".ts", ".tsx", ".js", ".jsx")))

    def _languages(self) -> list[str]:
        """List the languages that are folders of the content, the default one first."""
        i18n = as_dict(self._config.get("i18n"))
        names = [as_text(one) for one in as_list(i18n.get("locales"))]
        names = [one for one in names if one and (self._content / one).is_dir()]
        default = as_text(i18n.get("defaultLocale"))
        if not names and not self._is_app:
            below = sorted(path.name for path in self._content.iterdir() if path.is_dir())
            names = below if len(below) > 1 and all(map(_LANGUAGE.fullmatch, below)) else []
            default = default or ("en" if "en" in names else "")
        return sorted(names, key=lambda one: one != default)

    def _write_languages(self, docs: str, languages: list[str]) -> None:
        self._plan.settings["locales"] = [
            without_empty(
                {
                    "id": name,
                    "label": name,
                    "path": name if number else "",
                    "folders": {f"{docs}/{languages[0]}": f"{docs}/{name}"} if number else {},
                }
            )
            for number, name in enumerate(languages)
        ]

    def _only_pages(self, tree: Tree) -> None:
        """Leave out what Next.js does not make pages of: in `app` all but `page.mdx`, and folders with an underscore."""
        for file in tree.files:
            parts = file.split("/")
            is_page = posixpath.splitext(parts[-1])[0] == "page" if self._is_app else not parts[-1].startswith("_")
            if (
                not is_page
                or any(part.startswith("_") for part in parts[:-1])
                or (parts[0] == "api" and self._content.name == "pages")
            ):
                self._plan.settings["exclude"].append(tree.path(file))

    def _exact(self, tree: Tree, base: str) -> None:
        """Name the routes of groups, `(name)`, and of translations, `page.es.mdx`, which are folders there."""
        routing = self._plan.settings["routing"]
        exact: dict[str, str] = {}
        translated: set[str] = set()
        stems = {posixpath.splitext(file)[0] for file in tree.files}
        for file in tree.files:
            stem = posixpath.splitext(file)[0]
            plain, dot, language = stem.rpartition(".")
            is_translated = bool(dot) and plain in stems and _LANGUAGE.fullmatch(language) is not None
            stem = plain if is_translated else stem
            parts = [part for part in stem.split("/") if not re.fullmatch(r"\(.*\)", part)]
            if not is_translated and "/".join(parts) == stem:
                continue
            if parts and parts[-1] in routing["index_names"]:
                parts.pop()
            if is_translated:
                translated.add(language)
            path = "/".join([*([language] if is_translated else []), *([base] if base else []), *parts])
            exact[tree.path(file)] = f"/{path}{routing['ending'] if path else ''}"
        if exact:
            routing["exact"] = exact
        if translated:
            self._plan.note(
                f"Languages as endings of files ({', '.join(sorted(translated))})",
                "Their pages keep their addresses; for the switch of languages put them into folders and name these under [[locales]].",
                count=len(translated),
            )

    def _metas(self, languages: list[str]) -> dict[str, Any]:
        """Read the files that order the pages: folder below the content → what it says."""
        root = self._content / languages[0] if languages else self._content
        found: dict[str, Any] = {}
        if self._is_fumadocs:
            for path in sorted(root.rglob("meta.json")):
                said = self._meta(path)
                # Without `pages`, the order is that of the names: no other key names a page.
                found[path.parent.relative_to(root).as_posix()] = {"pages": ["..."], **as_dict(said)}
                if unread := [key for key in as_dict(said) if key not in _OF_META]:
                    remedy = "Look for those that readers would miss."
                    files = [relative(path, self._plan.site_dir)]
                    self._plan.note(f"Keys of meta.json that have no effect: {', '.join(unread)}", remedy, files=files)
            return found
        paths = [path for name in _METAS for path in sorted(root.rglob(name))]
        if not self._is_app:
            paths += [
                path for app in ("app", "src/app") for name in _METAS if (path := self._home / app / name).is_file()
            ]
        scripts = [path for path in paths if path.suffix != ".json"]
        values: dict[Path, Any] = {path: self._meta(path) for path in paths if path.suffix == ".json"}
        try:
            values |= Scripts(self._plan.site_dir).load_all(scripts) if scripts else {}
        except ScriptError as error:
            self._plan.note(f"The _meta files could not be run: {error}", "The order is that of the files' names.")
            scripts = []
        if failed := [relative(path, self._plan.site_dir) for path in scripts if values.get(path) is None]:
            remedy = "The order of their folders is that of the files' names: write it under [[sidebars]]."
            self._plan.note("_meta files that could not be run", remedy, count=len(failed), files=failed[:5])
        for path, value in values.items():
            folder = path.parent.relative_to(root).as_posix() if path.is_relative_to(root) else "."
            found.setdefault(folder, value)
        return found

    def _meta(self, path: Path) -> Any:
        found = read_or_note(self._plan, path)
        return {} if found is None else found

    def _redirects(self, tree: Tree, base: str, instead: dict[str, str]) -> None:
        prefix = f"/{base}" if base else ""
        routes = {tree.route(file, prefix) for file in tree.files if file not in instead}
        site_base = self._plan.settings.get("base_url", "/")
        carried = CarriedRedirects(self._plan, routes)
        for source, target in pairs_of(self._config.get("redirects")):
            carried.add(source, target if is_external(target) else local_href(target, site_base))
        for file, route in instead.items():
            carried.add(tree.route(file, prefix), route)
        if "/" not in routes and routes:
            carried.add("/", min(routes, key=len))
        carried.write()

    def _theme(self) -> None:
        """Take over what the settings of the theme say in words and addresses; of what is in React, its text."""
        path = next(iter(sorted(self._home.glob("theme.config.*"))), None)
        if path is None:
            return
        plan, config = self._plan, {}
        remedy = "Logo, texts and components are written in React: write them into [navbar], [footer] and [words]."
        try:
            config = as_dict(Scripts(plan.site_dir).load(path))
        except ScriptError as error:
            remedy = f"It could not be run: {error}"
        plan.settings.setdefault("footer", {})
        links = (("github", "GitHub", as_dict(config.get("project"))), ("discord", "Chat", as_dict(config.get("chat"))))
        carry_socials(plan, [(icon, label, as_text(one.get("link"))) for icon, label, one in links])
        if address := as_text(config.get("docsRepositoryBase")):
            carry_edit_url(plan, address, relative(self._home, plan.site_dir))
        footer, banner = as_dict(config.get("footer")), as_dict(config.get("banner"))
        if words := as_text(footer.get("content")) or as_text(footer.get("text")):
            plan.settings["footer"]["copyright"] = words
        carry_banner(
            plan,
            as_text(banner.get("content")) or as_text(banner.get("text")),
            name=as_text(banner.get("key")) or "announcement",
        )
        if not plan.settings["footer"]:
            del plan.settings["footer"]
        left = sorted(key for key in config if key not in _OF_THEME)
        if left or not config:
            plan.note(f"theme.config{': ' if left else ''}{', '.join(left)}", remedy, count=max(len(left), 1))

    def _report(self) -> None:
        self._theme()
        layouts = [
            relative(path, self._plan.site_dir)
            for pattern in (
                "lib/layout*.tsx",
                "src/lib/layout*.tsx",
                "app/layout.config.tsx",
                "src/app/layout.config.tsx",
            )
            for path in sorted(self._home.glob(pattern))
        ]
        if self._is_fumadocs and layouts:
            remedy = "Its name, links and menus are written in React: write them into [navbar]."
            self._plan.note("The top bar", remedy, count=len(layouts), files=layouts)
        folders = [self._home / name for name in ("app", "src/app", "pages", "src/pages")]
        react = [
            relative(path, self._plan.site_dir)
            for folder in folders
            if folder.is_dir()
            for path in sorted(folder.rglob("*.[jt]sx"))
            if (path.stem == "page" or folder.name == "pages")
            and "[" not in path.as_posix()
            and not path.name.startswith("_")
        ]
        if react:
            self._plan.note("Pages written in React", "Write them in Markdown.", count=len(react), files=react[:5])


_OF_META = ("title", "pages", "root", "defaultOpen")
"""Keys of `meta.json` that have an effect."""
_OF_THEME = ("project", "chat", "docsRepositoryBase", "footer", "banner")
"""Keys of `theme.config` that are carried over."""


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
