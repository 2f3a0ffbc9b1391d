"""Starlight: the configuration of Astro is a program, run in V8."""

from __future__ import annotations

import json
import posixpath
from functools import cached_property
from pathlib import Path
from typing import Any

from octavo.content import slugify
from octavo.importing.blogs.dated import plan_dated_blogs
from octavo.importing.colors import carry_accent_of_sheets
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
from octavo.importing.look.extras import carry_metas, table_tags
from octavo.importing.model import OWN_STYLES, Plan, Recognized
from octavo.importing.navigation import folder_entries, front_order, name_of_site, title_of
from octavo.importing.recognize import COLLECTION_OF_DOCUMENTS
from octavo.importing.settings.above import allow_files_above
from octavo.importing.settings.aliases import aliases_of, vite_settings
from octavo.importing.settings.files import text_or_empty
from octavo.importing.settings.labels import carry_labels
from octavo.importing.settings.project import depends_on
from octavo.importing.settings.redirects import CarriedRedirects, pairs_of
from octavo.importing.tree import Tree
from octavo.importing.watched import plain
from octavo.lazy import regex as re
from octavo.site import PAGE_SUFFIXES, is_inside

_INDEXES = ("index",)
_TOPICS = "starlight-sidebar-topics"
"""The plug-in that gives each part of a site a sidebar of its own."""


def plan(found: Recognized, folder: Path) -> Plan:
    """Plan the import of a Starlight site."""
    home = found.home
    site_dir = folder if home.is_relative_to(folder) else home
    made = Plan("starlight", site_dir, {})
    config = load_script(made, found.config, site_dir)
    options: dict[str, Any] = {}
    for one in as_list(config.get("integrations")):
        for inner in one if isinstance(one, list) else [one]:
            if "starlight" in as_text(as_dict(inner).get("name")):
                options = as_dict(as_dict(inner).get("options"))
    _Planner(made, config, options, home).write()
    return made


def _has_formulas(config: dict[str, Any], home: Path) -> bool:
    """Whether the plug-in of remark that reads formulas is among those of Astro or of its MDX, or in a program of the site."""
    named = json.dumps(plain([config.get("markdown"), config.get("integrations")]), default=str)
    # From Astro 6 on, plug-ins are given to a processor, a function of a package of which nothing is known.
    return "remark-math" in named or depends_on(home, "remark-math", for_builds=True)


def _names_files(options: dict[str, Any]) -> bool:
    """Whether a comment with a file name is the title of its block: Expressive Code's default, which settings can turn off."""
    given = options.get("expressiveCode")
    frames = as_dict(given).get("frames")
    return given is not False and frames is not False and as_dict(frames).get("extractFileNameFromCode") is not False


class _Planner:
    def __init__(self, plan: Plan, config: dict[str, Any], options: dict[str, Any], home: Path) -> None:
        self._plan = plan
        self._config = config
        self._options = options
        self._home = home
        self._docs = relative(home / "src/content/docs", plan.site_dir)
        locales = as_dict(options.get("locales"))
        self._others = [name for name in locales if name != "root"]
        default = as_text(options.get("defaultLocale"))
        self._root = "" if "root" in locales or not locales else default or next(iter(locales))
        self._first = ""
        """Folder of the default language, where all addresses name their language."""
        if self._root and len([name for name in locales if (plan.site_dir / self._docs / name).is_dir()]) > 1:
            self._first, self._root = self._root, ""
        self._content, self._docs = self._docs, posixpath.join(self._docs, self._first).rstrip("/")
        self._locales = locales
        self._labels: list[tuple[str, str, str]] = []
        """(language, text, translation) of labels in the sidebar."""
        self._topics: list[dict[str, Any]] = []
        """Entries of the top bar that lead to the sidebars of topics."""

    @cached_property
    def _base(self) -> str:
        """Beginning of the routes where no integration, but a page of the site itself, draws the documents."""
        pages = self._home / "src/pages"
        is_theme = any("starlight(" in text_or_empty(path) for path in self._home.glob("astro.config.*"))
        if self._options or is_theme or not pages.is_dir():
            return ""
        found = sorted(path for path in pages.rglob("*.astro") if path.name.startswith("[..."))
        folders = [
            path.parent.relative_to(pages).as_posix()
            for path in found
            if COLLECTION_OF_DOCUMENTS.search(text_or_empty(path))
        ]
        return next((folder for folder in folders if folder != "." and "[" not in folder), "")

    def write(self) -> None:
        config, options, settings = self._config, self._options, self._plan.settings
        title = options.get("title")
        title = next(iter(title.values()), "") if isinstance(title, dict) else title
        home = relative(self._home, self._plan.site_dir)
        at_home = "" if home == "." else f"{home}/"
        settings |= without_empty(
            {
                "title": as_text(title) or name_of_site(self._home),
                "tagline": as_text(options.get("description")),
                **split_url(config.get("site"), config.get("base")),
                "favicon": self._favicon(),
            }
        )
        settings["docs"] = self._docs
        settings["static"] = f"{at_home}public"
        settings["pages"] = f"{at_home}src/pages"
        settings["exclude"] = [*ALWAYS_EXCLUDED]
        markdown: dict[str, Any] = {
            "extensions": [
                "emoji",
                *(["math"] if _has_formulas(config, self._home) else []),
                *(["smart", "smart_titles"] if as_dict(config.get("markdown")).get("smartypants") is not False else []),
                "starlight",
                *(["file_names"] if _names_files(options) else []),
            ],
            "aliases": {
                "@": f"{at_home}src",
                "~": f"{at_home}src",
                "/src": f"{at_home}src",  # the project's folder is the root of what Vite reads
                "@components": f"{at_home}src/components",
                **aliases_of(self._plan.site_dir, self._home, vite_settings(self._home, config.get("vite"))),
            },
        }
        settings["markdown"] = markdown
        is_files = as_dict(config.get("build")).get("format") == "file"  # `/sail.html` rather than `/sail/index.html`
        settings["routing"] = {
            "ending": ".html" if is_files else "" if config.get("trailingSlash") == "never" else "/",
            "links_without_slash": not is_files and config.get("trailingSlash") == "never",
            "number_prefixes": True,
            "index_names": ["index"],
            "folder_name_is_index": False,
        }
        if base := self._base:
            settings["routing"]["docs"] = base
        self._leave_out_error_page()
        tree = Tree(self._plan.site_dir, settings, self._docs)
        exact = {
            tree.path(file): route for file in tree.files if (route := _route(tree, file, base)) != tree.route(file)
        }
        if exact:
            settings["routing"]["exact"] = exact
        if edit := as_text(as_dict(options.get("editLink")).get("baseUrl")):
            carry_edit_url(self._plan, edit, home)
        settings["shows_last_update"] = options.get("lastUpdated") is True
        tree = plan_dated_blogs(self._plan, tree)
        settings["sidebars"] = self._sidebars_of_topics(tree) or [
            {"id": "docs", "items": self._entries(as_list(options.get("sidebar")), tree) or self._folder("", tree)}
        ]
        if "root" in self._locales or self._first:
            settings["locales"] = self._written_locales()
            self._note_pages_of_no_language()
        elif self._others:
            settings["sidebars"] += [
                {"id": name, "items": self._folder(name, tree)}
                for name in self._others
                if name != self._root and any(one.startswith(f"{name}/") for one in tree.files)
            ]
            self._plan.note(
                f"Languages ({', '.join(self._others)})",
                "Their pages keep their addresses; name them under [[locales]] for the switch.",
                count=len(self._others),
            )
        self._layout()
        for locale in settings.get("locales", [])[1:]:
            own = [(text, label) for name, text, label in self._labels if name in (locale["id"], locale["path"])]
            if isinstance(titles := options.get("title"), dict):
                own.append(
                    (settings["title"], as_text(titles.get(locale["id"])) or as_text(titles.get(locale["path"])))
                )
            carry_labels(self._plan, locale["id"], own)
        self._redirects(tree)
        self._report()
        allow_files_above(self._plan, tree)
        settings["diagnostics"] = diagnostics()

    def _leave_out_error_page(self) -> None:
        """Exclude the page that Starlight shows at addresses where there is none: it is not a page of its own."""
        content = self._plan.site_dir / self._content
        found = [path for suffix in PAGE_SUFFIXES if (path := content / f"404{suffix}").is_file()]
        for path in found:
            self._plan.settings["exclude"].append(self._plan.path(path))
            self._plan.note(
                "The page that readers see at addresses where there is none",
                "Octavo has one of its own; a file 404.html in the static folder takes its place.",
                files=[self._plan.path(path)],
            )

    def _favicon(self) -> str | None:
        """Address of the icon; the one that Starlight takes by default is often not there."""
        given = as_text(options) if (options := self._options.get("favicon")) else ""
        is_there = (self._home / "public/favicon.svg").is_file()
        return local_href(given) if given else "/favicon.svg" if is_there else None

    def _written_locales(self) -> list[dict[str, Any]]:
        written = []
        for name, raw in self._locales.items():
            one = as_dict(raw)
            entry: dict[str, Any] = {
                "id": as_text(one.get("lang")) or ("en" if name == "root" else name),
                "label": as_text(one.get("label"), name),
            }
            if one.get("dir") == "rtl":
                entry["dir"] = "rtl"
            if name != "root":
                folder = f"{self._content}/{name}"
                if not (self._plan.site_dir / folder).is_dir():
                    continue
                entry["path"] = name
            if name not in ("root", self._first):
                entry["folders"] = {self._docs: folder}
            written.append(entry)
        return sorted(written, key=lambda one: "folders" in one)

    def _note_pages_of_no_language(self) -> None:
        """Name the pages that lie beside the folders of languages, where the default language has one too."""
        content = self._plan.site_dir / self._content
        inside = tuple(f"{name}/" for name in self._locales)
        found = [relative(path, content) for path in sorted(content.rglob("*.*")) if path.suffix in PAGE_SUFFIXES]
        beside = [name for name in found if not name.startswith(inside) and name.partition(".")[0] != "404"]
        if self._first and beside:
            remedy = f"Every address names a language: put them into {self._docs}, and import again."
            names = [f"{self._content}/{name}" for name in beside]
            self._plan.note("Pages in no folder of a language are left out", remedy, count=len(names), files=names)

    def _sidebars_of_topics(self, tree: Tree) -> list[dict[str, Any]]:
        """Make the sidebars of the plug-in starlight-sidebar-topics, and an entry of the top bar that leads to each."""
        plugins = [as_dict(one) for one in as_list(self._options.get("plugins"))]
        given = next((one.get("topics") for one in plugins if one.get("name") == _TOPICS), None)
        sidebars: list[dict[str, Any]] = []
        for topic in map(as_dict, as_list(given)):
            said, link = topic.get("label"), as_text(topic.get("link"))
            label = as_text(next(iter(said.values()), "") if isinstance(said, dict) else said)
            if isinstance(said, dict):
                self._labels += [(name, label, as_text(one)) for name, one in said.items()]
            first = [] if is_external(link) else self._doc(link.strip("/"), "", tree, is_certain=False)
            items = self._entries(as_list(topic.get("items")), tree)
            # The page that a topic leads to is often in its list; where it is not, nothing else shows its sidebar.
            if first and f"'{first[0]['doc']}'" not in str(items):
                items = first + items
            if items:
                name = as_text(topic.get("id")) or slugify(label) or f"topic-{len(sidebars) + 1}"
                sidebars.append({"id": name, "label": label, "items": items})
                self._topics.append({"label": label, "sidebar": name})
            elif link:
                self._topics.append({"label": label, "href": local_href(link)})
        return sidebars

    def _folder(self, folder: str, tree: Tree) -> list[dict[str, Any]]:
        inside = (
            posixpath.join(self._root, folder)
            if self._root and not folder.startswith(f"{self._root}/") and folder not in self._others
            else folder
        )
        return folder_entries(tree, inside.strip("/"), front_order("sidebar.order")(tree), _INDEXES)

    def _entries(self, items: list[Any], tree: Tree) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = []
        for item in items:
            if isinstance(item, str):
                entries += self._doc(item, "", tree)
                continue
            raw = as_dict(item)
            label = as_text(raw.get("label"))
            self._labels += [
                (name, label, as_text(translation)) for name, translation in as_dict(raw.get("translations")).items()
            ]
            given = raw.get("badge")
            shown = as_text(given) or as_text(as_dict(given).get("text"))
            badge = {"badge": shown} if shown else {}
            if "items" in raw:
                inner = self._entries(as_list(raw["items"]), tree)
                collapsed = bool(raw.get("collapsed"))
                entries += [{"category": label, "is_collapsed": collapsed, **badge, "items": inner}] if inner else []
            elif "autogenerate" in raw:
                given = as_dict(raw["autogenerate"])
                inner = self._folder(as_text(given.get("directory")), tree)
                if "collapsed" in given:
                    inner = _collapsed(inner, is_collapsed=bool(given["collapsed"]))
                group = {"category": label, "is_collapsed": bool(raw.get("collapsed")), **badge, "items": inner}
                entries += ([group] if label else inner) if inner else []
            elif raw.get("link"):
                link = as_text(raw["link"])
                found = (
                    []
                    if is_external(link) or "#" in link
                    else self._doc(link.strip("/"), label, tree, is_certain=False)
                )
                entries += [{**one, **badge} for one in found] or [
                    {"href": local_href(link), "label": label or link, **badge}
                ]
            elif raw.get("slug") is not None:
                entries += [{**one, **badge} for one in self._doc(as_text(raw["slug"]), label, tree)]
        return entries

    def _doc(self, slug: str, label: str, tree: Tree, *, is_certain: bool = True) -> list[dict[str, Any]]:
        by_route = {_route(tree, file).strip("/"): file for file in tree.files}
        file = by_route.get(posixpath.join(self._root, slug).strip("/")) or by_route.get(slug.strip("/"))
        file = file or (by_route.get("") if slug == "index" else None)
        if file is None:
            if is_certain:
                self._plan.note("The sidebar names pages that do not exist", "Take the lines out.", files=[slug])
            return []
        return [{"doc": tree.doc_id(file), "label": label or title_of(tree, file)}]

    def _layout(self) -> None:
        settings, options = self._plan.settings, self._options
        social = options.get("social")
        links = (
            [(name, "", as_text(href)) for name, href in social.items()]
            if isinstance(social, dict)
            else [
                (as_text(one.get("icon")), as_text(one.get("label")), as_text(one.get("href")))
                for one in map(as_dict, as_list(social))
            ]
        )
        items: list[dict[str, Any]] = [*self._topics]
        if len(settings.get("locales", [])) > 1:
            items.append({"type": "locale", "label": "Language", "position": "right"})
        carry_metas(self._plan, table_tags(options.get("head"), "attrs"))
        replaces_title = as_dict(options.get("logo")).get("replacesTitle") is True
        logo = self._logo()
        title = "" if logo and replaces_title else settings["title"]
        settings["navbar"] = without_empty({"title": title, "logo": logo, "items": items})
        carry_socials(self._plan, links)

    def _logo(self) -> dict[str, str] | None:
        """Take over the logo: Astro reads it among the sources, so that it is copied to the static files."""
        given = as_dict(self._options.get("logo"))
        light = as_text(given.get("light")) or as_text(given.get("src"))
        pictures = {"src": light, "src_dark": as_text(given.get("dark"))}
        found = {key: address for key, name in pictures.items() if name and (address := self._picture(name))}
        if light and "src" not in found:
            remedy = "Put the picture into the static folder, and name it under [navbar.logo]."
            self._plan.note("A logo that cannot be found", remedy, files=[light])
            return None
        return (
            without_empty({**found, "alt": as_text(given.get("alt")) or self._plan.settings["title"]})
            if found
            else None
        )

    def _picture(self, name: str) -> str | None:
        """Give the address of a picture in the settings, and plan its copy where it is not a static file."""
        site_dir, static = self._plan.site_dir, self._plan.settings["static"]
        home = relative(self._home, site_dir)
        alias = re.match(r"(?:~|@)/", name)
        path = posixpath.normpath(posixpath.join(home, f"src/{name[alias.end() :]}" if alias else name.lstrip("/")))
        if path.startswith(f"{static}/") and (site_dir / path).is_file():
            return path.removeprefix(static)
        if not is_inside(site_dir, path) or not (site_dir / path).is_file():
            return f"/{name.lstrip('/')}" if (site_dir / static / name.lstrip("/")).is_file() else None
        target = f"octavo-logo/{posixpath.basename(path)}"
        self._plan.copies[f"{static}/{target}"] = site_dir / path
        return f"/{target}"

    def _redirects(self, tree: Tree) -> None:
        routes = {_route(tree, file, self._base) for file in tree.files}
        carried = CarriedRedirects(self._plan, routes)
        for source, target in pairs_of(self._config.get("redirects")):
            path = source.strip("/")
            carried.add(f"/{path}{tree.ending}" if path else "/", local_href(target) if target else "")
        home = f"/{self._root}{tree.ending}" if self._root and not self._first else None
        if home and "/" not in routes:
            carried.add("/", home if home in routes else min(routes, key=len))
        carried.write()

    def _report(self) -> None:
        options = self._options
        sheets = [self._home / one.lstrip("/") for one in as_list(options.get("customCss")) if isinstance(one, str)]
        carry_accent_of_sheets(self._plan, sheets, is_dark_first=True)
        if count := len(as_list(options.get("customCss"))):
            self._plan.note(
                "Custom style sheets",
                OWN_STYLES,
                count=count,
            )
        for key, what in (
            ("components", "Components of the theme that the site replaces"),
            ("plugins", "Plug-ins of Starlight"),
        ):
            given = options.get(key)
            others = [one for one in given if as_dict(one).get("name") != _TOPICS] if isinstance(given, list) else []
            count = len(as_dict(given)) or len(others)
            if count:
                self._plan.note(what, "They are code of the old engine and are not run.", count=count)
        pages = self._plan.site_dir / self._plan.settings["pages"]
        astro = (
            [relative(path, self._plan.site_dir) for path in sorted(pages.rglob("*.astro"))] if pages.is_dir() else []
        )
        if astro:
            self._plan.note(
                "Pages written in Astro",
                "Write them in Markdown in the pages folder.",
                count=len(astro),
                files=astro[:5],
            )


def _route(tree: Tree, file: str, base: str = "") -> str:
    """Make the route of a file as Starlight does: each part of its path as a slug, below the base."""
    slug = tree.front(file).get("slug")
    stem = re.sub(r"(?:^|/)index$", "", posixpath.splitext(file)[0])
    own = slug.strip("/") if isinstance(slug, str) else "/".join(slugify(part) for part in stem.split("/") if part)
    path = "/".join(filter(None, (base, own)))
    return f"/{path}{tree.ending}" if path else "/"


def _collapsed(entries: list[dict[str, Any]], *, is_collapsed: bool) -> list[dict[str, Any]]:
    """Fold the groups among the entries of a folder, and those in them, or unfold them."""
    return [
        {**one, "is_collapsed": is_collapsed, "items": _collapsed(one["items"], is_collapsed=is_collapsed)}
        if "category" in one
        else one
        for one in entries
    ]
