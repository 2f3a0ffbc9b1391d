"""Docusaurus: its configuration and sidebars are programs, run in V8; its Markdown is MDX."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from octavo.importing.blogs.docusaurus import plan_blog, wraps_blog
from octavo.importing.colors import carry_accent_of_sheets
from octavo.importing.common import (
    ALWAYS_EXCLUDED,
    as_dict,
    as_list,
    as_text,
    carry_edit_url,
    common_folder,
    diagnostics,
    load_script,
    local_href,
    note_lost_files,
    relative,
    split_url,
    without_empty,
)
from octavo.importing.engines.docusaurus.labels import carry_translated_labels
from octavo.importing.engines.docusaurus.languages import BLOG, DOCS, PAGES, carry_languages
from octavo.importing.engines.docusaurus.layout import Layout
from octavo.importing.engines.docusaurus.operations import operation_pages, unwritten_pages
from octavo.importing.engines.docusaurus.project import expand_braces, find_program, find_project
from octavo.importing.engines.docusaurus.sidebars import SidebarReader, with_state
from octavo.importing.engines.docusaurus.versions import DocsInstance, SavedVersion, at_version, find_versions
from octavo.importing.look.extras import carry_google, carry_metas, table_tags
from octavo.importing.model import OWN_STYLES, Plan, Recognized
from octavo.importing.navigation import name_of_site
from octavo.importing.scripts import ScriptError, Scripts
from octavo.importing.settings.above import allow_files_above
from octavo.importing.settings.containers import kinds_of_admonitions
from octavo.importing.settings.files import UnreadableError, read_json
from octavo.importing.settings.project import is_of_version
from octavo.importing.settings.slugs import keep_capitals_of_ids
from octavo.importing.tree import Tree
from octavo.importing.watched import plain
from octavo.lazy import regex as re

_REACT = (".js", ".jsx", ".ts", ".tsx")
_UNREADABLE: dict[str, Any] = {"presets": [["classic", {}]]}
"""What is taken for the configuration where it can't be run: the usual folders."""
_TEST = re.compile(r"\.test\.|\.d\.ts$|__tests__/")


def plan(found: Recognized, folder: Path) -> Plan:
    """Plan the import of a Docusaurus site.

    Args:
        found: Its configuration.
        folder: What the caller has named; scripts may read what lies in it.
    """
    return _Planner(found, folder).plan()


class _Planner:
    def __init__(self, found: Recognized, folder: Path) -> None:
        self._home = found.home
        project = find_project(found.home, folder)
        self._scripts = Scripts(project)
        self._plan = Plan("docusaurus", found.home, {})
        self._config = load_script(self._plan, found.config, project) or _UNREADABLE
        self._instances = list(self._find_instances(project))
        site_dir = common_folder(
            [
                folder if found.home.is_relative_to(folder) else found.home,
                found.home,
                *(one.folder for one in self._instances),
            ]
        )
        self._plan.site_dir = site_dir
        self._blogs: list[tuple[str, str]] = []
        """Folders of blogs, and those of their translations below that of a language."""
        self._moved: dict[str, str] = {}
        """Routes of pages → routes of what takes their place."""
        self._saved: dict[str, list[SavedVersion]] = {}
        """Id of an instance that is not the main one → its versions."""

    def plan(self) -> Plan:
        plan, config = self._plan, self._config
        settings = plan.settings
        settings.update(
            without_empty(
                {
                    "title": as_text(config.get("title")) or name_of_site(self._home),
                    "tagline": as_text(config.get("tagline")),
                    **split_url(config.get("url"), config.get("baseUrl")),
                    "favicon": local_href(as_text(config["favicon"])) if config.get("favicon") else None,
                    "image": local_href(as_text(as_dict(config.get("themeConfig")).get("image")))
                    if as_dict(config.get("themeConfig")).get("image")
                    else None,
                    "title_delimiter": as_text(config.get("titleDelimiter")),
                    "not_indexed": config.get("noIndex") is True,
                }
            )
        )
        settings["docs"] = "docs"
        settings["pages"] = self._folder(self._home / as_text(as_dict(self._preset("pages")).get("path"), "src/pages"))
        self._static()
        settings["exclude"] = list(ALWAYS_EXCLUDED)
        self._exclude(as_dict(self._preset("pages")), settings["pages"])
        settings["mounts"] = {}
        bare = config.get("trailingSlash") is not True
        slashes = {"links_without_slash": True} if bare else {"ending": "/"}
        settings["routing"] = {"folders_as_written": True, **slashes}
        settings["sidebars"] = []
        self._markdown()
        main = next((one for one in self._instances if one.id == "default"), None)
        rest = [one for one in self._instances if one is not main]
        if main is None and rest:
            main, rest = rest[0], rest[1:]
        if main:
            self._main_docs(main)
        else:
            settings["docs"] = self._folder(self._home / "docs")
        own = len(settings["sidebars"])
        for one in rest:
            self._mounted_docs(one)
        self._operations(main, rest)
        blog = self._preset("blog")
        if blog is not False:
            self._blog(as_dict(blog))
        for name, options in self._plugins():
            if "content-blog" in name or wraps_blog(name, self._home, self._plan.site_dir):
                self._blog(options)
        for version in settings.get("versions", []):
            # Further documents and blogs belong to the version that readers get first, which may have a list of its own.
            if not version["path"] and "sidebars" in version:
                version["sidebars"] = [*version["sidebars"], *settings["sidebars"][own:]]
        self._locales()
        trees = {one.id: self._tree(self._first_version(one), one is main) for one in self._instances}
        Layout(plan, config, trees, {one.id: one.base for one in self._instances}).write()
        allow_files_above(plan, *trees.values())
        keep_capitals_of_ids(plan, config, *trees.values())
        carry_translated_labels(plan, self._home)
        self._redirects()
        self._home_page()
        self._report_rest()
        settings["diagnostics"] = diagnostics()
        for key in ("mounts", "routing", "redirects"):
            if not settings.get(key):
                settings.pop(key, None)
        return plan

    # Options

    def _presets(self) -> Iterator[dict[str, Any]]:
        for preset in as_list(self._config.get("presets")):
            if isinstance(preset, list):
                yield as_dict(preset[1] if len(preset) > 1 else None)
            elif isinstance(preset, str):
                yield {}

    def _preset(self, key: str) -> Any:
        found = [preset[key] for preset in self._presets() if key in preset]
        return found[0] if found else (None if list(self._presets()) else False)

    def _plugins(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for plugin in as_list(self._config.get("plugins")):
            name = plugin[0] if isinstance(plugin, list) and plugin else plugin
            options = plugin[1] if isinstance(plugin, list) and len(plugin) > 1 else {}
            name = as_dict(name).get("$package", name) if not isinstance(name, str) else name
            if isinstance(name, str):
                yield name, as_dict(options)

    def _measurements(self) -> Iterator[str]:
        """List the measurement ids of Google that the preset and plug-ins name."""
        services = ("gtag", "googleAnalytics", "googleTagManager")
        tables = [options for name, options in self._plugins() if "google" in name]
        tables += [as_dict(options.get(key)) for options in self._presets() for key in services]
        for table in tables:
            for key in ("trackingID", "containerId"):
                given = table.get(key)
                yield from (as_text(one) for one in (given if isinstance(given, list) else [given]))

    def _blog(self, options: dict[str, Any]) -> None:
        place = as_text(options.get("id"), "default")
        path = (self._home / as_text(options.get("path"), "blog")).resolve()
        if not path.is_relative_to(self._plan.site_dir):
            return
        folder = self._folder(path)
        self._exclude(options, folder)
        plan_blog(self._plan, self._home, options)
        if folder in self._plan.settings["mounts"]:
            self._blogs.append((folder, BLOG if place == "default" else f"{BLOG}-{place}"))

    def _exclude(self, options: dict[str, Any], folder: str) -> None:
        """Leave out what a plug-in leaves out in its folder."""
        self._plan.settings["exclude"] += [f"{folder}/{one}" for one in expand_braces(as_list(options.get("exclude")))]

    def _find_instances(self, project: Path) -> Iterator[DocsInstance]:
        docs = self._preset("docs")
        found = [] if docs is False else [as_dict(docs)]
        found += [
            options
            for name, options in self._plugins()
            if name.split("/")[-1] in ("plugin-content-docs", "content-docs")
        ]
        for options in found:
            folder = (self._home / as_text(options.get("path"), "docs")).resolve()
            if not folder.is_relative_to(project):
                self._plan.note(
                    f"Documents outside of the project: {as_text(options.get('path'))}",
                    "Import the folder that holds both, such as `octavo import ..`.",
                )
                if options.get("id", "default") != "default":
                    continue
                folder = self._home / "docs"
            base = as_text(options["routeBasePath"]) if "routeBasePath" in options else "docs"
            yield DocsInstance(as_text(options.get("id"), "default"), options, folder, base.strip("/"))

    def _folder(self, path: Path) -> str:
        return relative(path, self._plan.site_dir)

    # Documents

    def _main_docs(self, main: DocsInstance) -> None:
        settings, options = self._plan.settings, main.options
        settings["docs"] = self._folder(main.folder)
        if main.base:
            settings["routing"]["docs"] = main.base
        if options.get("numberPrefixParser") is False:
            settings["routing"]["number_prefixes"] = True
        if edit := as_text(options.get("editUrl")):
            carry_edit_url(self._plan, edit, self._folder(self._home))
        if options.get("showLastUpdateTime"):
            settings["shows_last_update"] = True
        self._exclude(options, settings["docs"])
        if versions := find_versions(self._plan, self._home, main):
            self._versions(main, versions)
        else:
            settings["sidebars"] += self._sidebars(main, self._tree(main, True), "")

    def _versions(self, main: DocsInstance, versions: list[SavedVersion]) -> None:
        settings = self._plan.settings
        written: list[dict[str, Any]] = []
        for one in versions:
            path = one.path
            if "/" in path:
                self._plan.note(
                    f"The path of version {one.name} is {path!r}", "Give it one part of a route in [[versions]]."
                )
                path = one.name
            version: dict[str, Any] = {
                "name": one.name,
                "label": one.label,
                "path": path,
                "docs": self._folder(one.folder),
                "banner": one.banner,
            }
            if one.name == "current":
                settings["sidebars"] += self._sidebars(main, self._tree(main, True), "")
            else:
                self._exclude(main.options, version["docs"])
                tree = Tree(self._plan.site_dir, settings, version["docs"])
                if one.sidebars.is_file():
                    version["sidebars"] = self._read_sidebars(main, one.sidebars, tree, "")
            written.append(version)
        if written[0]["name"] != "current":
            settings["docs"] = next(version["docs"] for version in written if not version["path"])
        settings["versions"] = written

    def _mounted_docs(self, one: DocsInstance) -> None:
        sidebars = self._plan.settings["sidebars"]
        versions = self._saved[one.id] = find_versions(self._plan, self._home, one)
        for version in versions:
            own = at_version(one, version)
            self._mount(own)
            prefix = f"{one.id}-{version.name}-" if version.path else f"{one.id}-"
            if version.name != "current":
                # Where its file is missing, its folder is listed, unless the site wants no sidebars at all.
                path = version.sidebars.relative_to(self._home).as_posix() if version.sidebars.is_file() else None
                has_none = one.options.get("sidebarPath") is False
                own = msgspec.structs.replace(own, options={**one.options, "sidebarPath": not has_none and path})
            sidebars += self._sidebars(own, self._tree(own, False), prefix)
        if versions:
            self._plan.note(
                f"Switch and banners of the versions of {one.id}",
                "Its versions are folders of pages now; link to them from [navbar].",
                count=len(versions),
            )
        elif one.folder.is_dir():
            self._mount(one)
            sidebars += self._sidebars(one, self._tree(one, False), f"{one.id}-")

    def _first_version(self, one: DocsInstance) -> DocsInstance:
        """Give an instance as readers get it who name no version."""
        return next((at_version(one, version) for version in self._saved.get(one.id, ()) if not version.path), one)

    def _mount(self, one: DocsInstance) -> None:
        folder = self._folder(one.folder)
        self._plan.settings["mounts"][folder] = f"/{one.base}"
        self._exclude(one.options, folder)

    def _tree(self, one: DocsInstance, is_main: bool) -> Tree:
        folder = self._folder(one.folder)
        return Tree(self._plan.site_dir, self._plan.settings, folder, mount=None if is_main else folder)

    def _sidebars(self, one: DocsInstance, tree: Tree, prefix: str) -> list[dict[str, Any]]:
        path = one.options.get("sidebarPath")
        if path is False:
            return []
        file = find_program(self._plan, self._home / path) if isinstance(path, str) else None
        if file is not None:
            return self._read_sidebars(one, file, tree, prefix)
        folder = "." if not prefix else self._folder(one.folder)
        return with_state(one.options, [{"id": f"{prefix}defaultSidebar", "items": [{"autogenerated": folder}]}])

    def _read_sidebars(self, one: DocsInstance, file: Path, tree: Tree, prefix: str) -> list[dict[str, Any]]:
        try:
            raw = read_json(file) if file.suffix == ".json" else self._scripts.load(file)
            if file.suffix != ".json":
                note_lost_files(self._plan, self._scripts, file)
        except (UnreadableError, ScriptError) as error:
            self._plan.note(f"The sidebars of {file.name} can't be read: {error}", "Write them into [[sidebars]].")
            folder = "." if not prefix else self._folder(one.folder)
            return with_state(one.options, [{"id": f"{prefix}docs", "items": [{"autogenerated": folder}]}])
        return with_state(one.options, SidebarReader(self._plan, tree, one.base, prefix).read(as_dict(raw)))

    def _operations(self, main: DocsInstance | None, rest: list[DocsInstance]) -> None:
        """Put a reference in the place of pages that a plug-in wrote of API descriptions."""
        settings = self._plan.settings
        if main is None or settings.get("versions"):
            return
        base = f"/{main.base}" if main.base else ""
        for one in [main, *rest]:
            tree = self._tree(one, one is main)
            pages = operation_pages(self._plan, tree, self._home, base, self._plugins())
            for sidebar in settings["sidebars"]:
                sidebar["items"] = pages.in_place(sidebar["items"])
            own = f"/{one.base}" if one.base else ""
            self._moved |= {tree.route(file, own): route for file, route in pages.instead.items()}
            self._moved |= unwritten_pages(self._plan, tree, self._home, (own, base), self._plugins())

    # The rest

    def _static(self) -> None:
        folders = [as_text(one) for one in as_list(self._config.get("staticDirectories"))] or ["static"]
        present = [one for one in folders if (self._home / one).is_dir()] or folders[:1]
        path = (self._home / present[0]).resolve()
        self._plan.settings["static"] = self._folder(path) if path.is_relative_to(self._plan.site_dir) else "static"
        for other in present[1:]:
            self._plan.note(f"A second static folder: {other}", f"Move its files into {present[0]}.")

    def _markdown(self) -> None:
        plan, config = self._plan, self._config
        is_detected = as_dict(config.get("markdown")).get("format") == "detect"
        text = json.dumps(plain(config))
        extensions = [
            name
            for name, mark in (("npm2yarn", "npm2yarn"), ("math", "remark-math"), ("npm2yarn", "tab-blocks"))
            if mark in text
        ]
        if as_dict(config.get("markdown")).get("emoji") is not False:
            extensions.append("emoji")
        extensions += ["mdx1"] if is_of_version(self._home, "@docusaurus/core", 2) else []
        markdown: dict[str, Any] = {"dialect": "commonmark" if is_detected else "mdx"}
        if extensions:
            markdown["extensions"] = sorted(set(extensions))
        markdown |= kinds_of_admonitions(plain(config))
        aliases = {"@site": self._folder(self._home)} if self._home.resolve() != plan.site_dir.resolve() else {}
        plan.settings["markdown"] = markdown | ({"aliases": aliases} if aliases else {})
        plan.settings["components"] = "components"

    def _locales(self) -> None:
        settings = self._plan.settings
        places = [(settings["docs"], f"{DOCS}/current")]
        places += [
            (version["docs"], f"{DOCS}/{'current' if version['name'] == 'current' else 'version-' + version['name']}")
            for version in settings.get("versions", [])
        ]
        places += [
            (self._folder(one.folder), f"{DOCS}-{one.id}/current") for one in self._instances if one.id != "default"
        ]
        places += [
            (self._folder(version.folder), f"{DOCS}-{instance}/version-{version.name}")
            for instance, versions in self._saved.items()
            for version in versions
            if version.name != "current"
        ]
        places += [(settings["pages"], PAGES), *self._blogs]
        carry_languages(self._plan, self._home, as_dict(self._config.get("i18n")), places)

    def _redirects(self) -> None:
        written: list[dict[str, str]] = self._plan.settings.get("redirects", [])
        for name, options in self._plugins():
            if "client-redirects" not in name:
                continue
            base = self._plan.settings.get("base_url", "/")
            written += [
                {"from": local_href(source, base), "to": local_href(as_text(one.get("to")), base)}
                for one in map(as_dict, as_list(options.get("redirects")))
                for source in map(as_text, as_list(one.get("from")))
            ]
            if "createRedirects" in options or "fromExtensions" in options:
                self._plan.note(
                    "Redirects that a function makes (createRedirects, fromExtensions)",
                    "Write them into [[redirects]]; a star stands for all of a folder.",
                )
        written += [{"from": source, "to": target} for source, target in self._moved.items()]
        self._plan.settings["redirects"] = written

    def _home_page(self) -> None:
        """Lead the root to the first document where the old home page was a program."""
        plan = self._plan
        pages = plan.site_dir / plan.settings["pages"]
        main = next(
            (one for one in self._instances if one.id == "default"), self._instances[0] if self._instances else None
        )
        led = any(one["from"] == "/" for one in plan.settings["redirects"])
        if led or any((pages / f"index{end}").is_file() for end in (".md", ".mdx")) or main is None:
            return
        tree = self._tree(main, True)
        # With versions, the files that are read here may not be those of the version at the root.
        routes = {tree.route(file, f"/{main.base}" if main.base else "") for file in tree.files}
        if "/" in routes:
            return
        first = next(
            (
                one["href"]
                for one in plan.settings.get("navbar", {}).get("items", [])
                if one.get("href", "").startswith("/")
            ),
            None,
        )
        target = first if first in routes else min(routes, key=len, default=None)
        if target:
            plan.settings["redirects"].append({"from": "/", "to": target})

    def _report_rest(self) -> None:
        plan = self._plan
        pages = plan.site_dir / plan.settings["pages"]
        for path in sorted(pages.rglob("*")) if pages.is_dir() else ():
            name = path.relative_to(pages).as_posix()
            if (
                path.suffix in _REACT
                and not any(part.startswith("_") for part in name.split("/"))
                and not _TEST.search(name)
            ):
                route = path.with_suffix("").relative_to(pages).as_posix()
                plan.react_pages[relative(path, plan.site_dir)] = f"/{route}".removesuffix("/index")
        plan.context = {
            key: value
            for key in ("organizationName", "projectName", "customFields", "themeConfig")
            if (value := plain(self._config).get(key))
        }
        as_dict(plan.context.get("themeConfig")).pop("prism", None)
        theme = as_dict(self._preset("theme"))
        css = as_list(theme.get("customCss"))
        carry_accent_of_sheets(plan, (self._home / one for one in css if isinstance(one, str)))
        if css:
            plan.note(
                "Custom style sheets",
                OWN_STYLES,
                count=len(css),
                files=[str(one).replace(f"{self._home}/", "") for one in css if isinstance(one, str)],
            )
        known = (
            "client-redirects",
            "content-docs",
            "content-blog",
            "ideal-image",
            "pwa",
            "google",
            "sitemap",
            "debug",
            "svgr",
            *(["openapi-docs"] if plan.settings.get("openapi") else []),
        )
        for name, _ in self._plugins():
            if not any(part in name for part in known):
                plan.note(f"The plug-in {name}", "It is code of the old engine and is not run.")
        tags = table_tags(self._config.get("headTags"), "attributes")
        metas = as_list(as_dict(self._config.get("themeConfig")).get("metadata"))
        carry_metas(plan, [*tags, *({"tag": "meta", "attributes": one} for one in metas)])
        carry_google(plan, self._measurements())
        for key in ("scripts", "stylesheets"):
            if count := len(as_list(self._config.get(key))):
                plan.note(
                    f"{key} of the configuration",
                    "Scripts of others are not loaded; see [content_policy] and [analytics].",
                    count=count,
                )
