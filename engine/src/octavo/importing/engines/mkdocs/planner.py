"""`Planner`: what the settings of a site mean here."""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from octavo.importing.blogs.material import plan_material_blog
from octavo.importing.colors import MATERIAL, carry_accent, carry_accent_of_sheets
from octavo.importing.common import (
    ALWAYS_EXCLUDED,
    as_dict,
    as_list,
    as_text,
    carry_edit_url,
    carry_socials,
    diagnostics,
    flat_texts,
    github_icon,
    is_external,
    local_href,
    relative,
    split_url,
    without_empty,
)
from octavo.importing.engines.mkdocs.folders import SnippetFolders
from octavo.importing.engines.mkdocs.monorepo import IncludedSite, included_sites, section_of
from octavo.importing.engines.mkdocs.navigation import KNOWN, languages_of, nav_of_files, titles_of
from octavo.importing.engines.mkdocs.reading import OF_PLUGINS, OF_VAULTS, has_blocks, load_yaml, repository_of
from octavo.importing.engines.mkdocs.revision import git_variables
from octavo.importing.engines.mkdocstrings import add_python_api
from octavo.importing.look.extras import carry_google
from octavo.importing.model import OWN_STYLES, Plan
from octavo.importing.navigation import name_of_site
from octavo.importing.settings.labels import carry_labels
from octavo.importing.settings.material import carry_features
from octavo.importing.settings.python_programs import macro_variables
from octavo.importing.tree import Tree
from octavo.lazy import regex as re

_EXTENSIONS: dict[str, tuple[str, ...]] = {
    "abbr": ("abbr",),
    "admonition": ("admonitions",),
    "attr_list": ("attr_list",),
    "def_list": ("def_list",),
    "extra": ("abbr", "attr_list", "def_list", "footnotes", "md_in_html"),
    "footnotes": ("footnotes",),
    "markdown_include.include": ("snippets",),
    "markdown_include_variants": ("snippets",),
    "markdown_version_annotations": ("admonitions", "version_notes"),
    "md_in_html": ("md_in_html",),
    "mdx_include": ("snippets",),
    "pymdownx.arithmatex": ("math",),
    "pymdownx.caret": ("caret",),
    "pymdownx.critic": ("critic",),
    "pymdownx.details": ("details",),
    "pymdownx.emoji": ("emoji",),
    "pymdownx.extra": ("abbr", "attr_list", "def_list", "footnotes", "md_in_html"),
    "pymdownx.inlinehilite": ("inlinehilite",),
    "pymdownx.keys": ("keys",),
    "pymdownx.mark": ("mark",),
    "pymdownx.snippets": ("snippets",),
    "pymdownx.tabbed": ("tabs",),
    "pymdownx.tilde": ("tilde",),
    "nl2br": ("nl2br",),
    "smarty": ("smart",),
}
_OF_TABS = ("pymdownx.tabbed", "pymdownx.blocks.tab")
_WITHOUT_EFFECT = (
    "toc",
    "tables",
    "fenced_code",
    "codehilite",
    "sane_lists",
    "meta",
    "pymdownx.superfences",
    "pymdownx.highlight",
    "pymdownx.betterem",
    "pymdownx.tasklist",
    "pymdownx.magiclink",
    "pymdownx.saneheaders",
    "pymdownx.escapeall",
    "wikilinks",
)
_DEEPEST_SITES = 8
"""Sites that take each other in."""
_KNOWN_PLUGINS = (
    "blog",
    "include-markdown",
    "search",
    "redirects",
    "exclude",
    "git-revision-date-localized",
    "git-revision-date",
    "minify",
    "monorepo",
    "minify_html",
    "offline",
    "privacy",
    "optimize",
    "tags",
    "meta",
    "social",
    "glightbox",
    "autolinks",
    "autorefs",
    "callouts",
    *OF_VAULTS,
    "section-index",
    "table-reader",
    "git-committers",
    "git-authors",
)
_MACRO_MARKS = {"variable_start": "{{", "variable_end": "}}", "block_start": "{%", "block_end": "%}"}
"""Settings of the plug-in macros → the marks that it takes by itself."""
_OF_PYTHON_API = ("mkdocstrings", "autorefs", "api-autonav", "gen-files")
_PLUGIN_REMEDIES = {
    "macros": "Variables, macros without arguments that are conditions over them, and conditions and loops are known; other macros and filters are code of the site and are not run: their calls are shown as they are written.",
    "mkdocstrings": "The packages that pages name are not in this folder: bring them, and name their folder by `paths` of the extension octavo.shipped.python_api.",
    "gen-files": "Pages that scripts make are missing; run them once and keep what they write.",
    "mike": "Versions are branches there; check them out side by side and name them under [[versions]].",
}


def _shows_code(plugins: dict[str, Any]) -> bool:
    return "mkdocstrings" in plugins or "api-autonav" in plugins


class Planner:
    """Plans the import of a site by its settings."""

    def __init__(self, plan: Plan, config: dict[str, Any], docs: Path, home: Path) -> None:
        """Initialize.

        Args:
            plan: What is written to.
            config: Settings of the site.
            docs: Its folder of documents.
            home: The folder of its settings.
        """
        self._plan = plan
        self._config = config
        self._docs = relative(docs, plan.site_dir)
        self._home = home
        theme = config.get("theme")
        self._nav_homes = [home]
        """Folders of the settings whose navigation is read, the innermost last."""
        self._has_api = False
        self._labels: dict[str, dict[str, Any]] = {}
        """Language → its translations of labels, as `languages_of` gives them; the default language is the first."""
        self._theme = {"name": theme} if isinstance(theme, str) else as_dict(theme)

    def write(self) -> None:
        """Write the plan's settings and remarks."""
        config, settings = self._config, self._plan.settings
        directories = config.get("use_directory_urls") is not False
        settings.update(
            without_empty(
                {
                    "title": as_text(config.get("site_name")) or name_of_site(self._home),
                    "tagline": as_text(config.get("site_description")),
                    **split_url(config.get("site_url")),
                }
            )
        )
        # Files that are not Markdown are published where they lie.
        settings["static"] = self._docs
        self._languages()
        settings["docs"] = self._docs
        settings["exclude"] = [*ALWAYS_EXCLUDED, *self._excluded()]
        settings["markdown"] = self._markdown()
        settings["routing"] = {
            "ending": "/" if directories else ".html",
            "number_prefixes": True,
            "folder_name_is_index": False,
        }
        if "git-revision-date-localized" in self._plugins():
            settings["shows_last_update"] = True
        if icon := as_text(self._theme.get("favicon")):
            settings["favicon"] = local_href(icon)
        self._edit_url()
        tree = Tree(self._plan.site_dir, settings, self._docs)
        plugins = self._plugins()
        self._has_api = _shows_code(plugins) and add_python_api(self._plan, plugins, self._home, tree)
        nav = nav_of_files(tree, self._plan, plugins, as_list(self._config.get("nav")))
        items = self._entries(nav, tree) if nav else [{"autogenerated": "."}]
        self._layout()
        extra = as_dict(self._config.get("extra"))
        carry_features(self._plan, self._theme.get("features"), items, tree, as_dict(extra.get("status")))
        self._redirects(tree)
        if "blog" in plugins:
            plan_material_blog(self._plan, tree, self._docs, as_dict(plugins["blog"]))
        self._home_page(tree, items)
        if "variables" in settings.get("markdown", {}):
            settings["markdown"]["variables"] |= git_variables(self._plan, tree)
        if titles := titles_of(tree, items):
            settings["routing"]["titles"] = titles
        for name, labels in list(self._labels.items())[1:]:
            own = [(settings["title"], as_text(labels["site_name"]))]
            own += [(settings.get("tagline", ""), as_text(labels["site_description"]))]
            own += [(text, as_text(label)) for text, label in labels["nav"].items()]
            carry_labels(self._plan, name, own)
        self._report()
        settings["diagnostics"] = diagnostics()

    def _languages(self) -> None:
        """Take over the languages of the plug-in i18n, whose files have suffixes or folders of their own."""
        options = as_dict(self._plugins().get("i18n"))
        folder, locales, missing = languages_of(options, self._plan.site_dir / self._docs)
        if missing:
            names = ", ".join(missing)
            self._plan.note(f"Languages without translated files: {names}", "Add them, and import again.")
        if not locales:
            return
        home = posixpath.join(self._docs, folder) if folder else self._docs
        for one in locales:
            self._labels[one["id"]] = one.pop("labels")
            if "docs" in one:
                one["folders"] = {home: posixpath.join(self._docs, one.pop("docs"))}
        self._plan.settings["locales"] = locales
        self._docs = home

    def _excluded(self) -> list[str]:
        given = self._config.get("exclude_docs")
        lines = str(given).splitlines() if isinstance(given, str) else []
        lines += [str(one) for one in as_list(as_dict(self._plugins().get("exclude")).get("glob"))]
        # MkDocs passes over a README beside an index.
        indexes = sorted((self._plan.site_dir / self._docs).rglob("index.md"))
        readmes = [index.with_name("README.md") for index in indexes]
        found = [relative(readme, self._plan.site_dir) for readme in readmes if readme.is_file()]
        for line in (one.strip() for one in lines):
            if not line or line.startswith(("#", "!")):
                continue
            pattern = line.strip("/")
            inner = pattern if line.startswith("/") or "/" in pattern else f"**/{pattern}"
            found += [f"{self._docs}/{inner}", f"{self._docs}/{inner}/**"]
        return found

    def _plugins(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        raw = self._config.get("plugins")
        for plugin in raw.items() if isinstance(raw, dict) else as_list(raw):
            if isinstance(plugin, tuple):
                found[str(plugin[0])] = plugin[1]
            elif isinstance(plugin, dict):
                found |= {str(key): value for key, value in plugin.items()}
            else:
                found[str(plugin)] = {}
        return {name.removeprefix("material/"): options for name, options in found.items()}

    def _markdown(self) -> dict[str, Any]:
        extensions = {"loose"}
        # Python-Markdown knows tables and these only where they are named; Material names none by itself.
        options: dict[str, Any] = {}
        raw = self._config.get("markdown_extensions")
        for one in raw.items() if isinstance(raw, dict) else as_list(raw):
            pairs: list[tuple[Any, Any]] = (
                [one] if isinstance(one, tuple) else list(one.items()) if isinstance(one, dict) else [(one, {})]
            )
            options |= {str(name).removeprefix("markdown.extensions."): as_dict(value) for name, value in pairs}
        for name in options:
            if name.startswith("pymdownx.blocks"):
                extensions.add("blocks")
            elif name in _EXTENSIONS:
                extensions |= set(_EXTENSIONS[name])
            elif name == "pymdownx.smartsymbols":
                self._plan.note(
                    "The Markdown extension pymdownx.smartsymbols",
                    "(c), 1/2, --> and the like are shown as they are written; write the symbols themselves: ©, ½, →.",
                )
            elif name not in _WITHOUT_EFFECT and not name.startswith("zensical."):
                self._plan.note(f"The Markdown extension {name}", "Its syntax is shown as text.")
        if "content.code.annotate" in as_list(self._theme.get("features")):
            extensions.add("annotations")
        extensions |= {extension for name, extension in OF_PLUGINS.items() if name in self._plugins()}
        if "blocks" not in extensions and has_blocks(self._home / as_text(self._config.get("docs_dir"), "docs")):
            extensions.add("blocks")  # of an extension of the site's own
        # Some sites switch templates on in pages that ask for them.
        if "macros" in self._plugins() and as_dict(self._plugins()["macros"]).get("render_by_default") is not False:
            extensions.add("macros")
        slugify = str(options.get("toc", {}).get("slugify", ""))
        markdown: dict[str, Any] = {
            "extensions": sorted(extensions),
            "slugs": "pymdownx" if "slugs" in slugify else "python-markdown",
        }
        tabs: dict[str, Any] = next(
            (given for name in _OF_TABS if (given := as_dict(options.get(name))).get("slugify")), {}
        )
        if tabs:
            markdown["tab_ids"] = "titles-and-labels" if tabs.get("combine_header_slug") is True else "labels"
        if repository := repository_of(options.get("pymdownx.magiclink", {})):
            markdown["repository"] = repository
        if "macros" in extensions:
            markdown["variables"] = self._variables()
            given = as_dict(self._plugins().get("macros"))
            marks = [as_text(given.get(f"j2_{key}_string")) or usual for key, usual in _MACRO_MARKS.items()]
            if marks != list(_MACRO_MARKS.values()):
                markdown["macro_marks"] = marks
        if not extensions.isdisjoint(("macros", "snippets", "table_reader")):
            folders = SnippetFolders(self._home, self._plan.site_dir, self._docs)
            markdown["snippets"] = folders.all(options, self._plugins())
            for name in map(as_text, as_list(options.get("pymdownx.snippets", {}).get("auto_append"))):
                paths = [f"{path}/{name}" for path in [*folders.named(options), "."]]
                found = (folders.find(path) for path in paths)
                file = next((one for one in found if one and (self._plan.site_dir / one).is_file()), None)
                if file:
                    markdown.setdefault("append", []).append(file)
        return markdown

    def _variables(self) -> dict[str, str]:
        """Gather the variables that the plug-in macros offers to pages: those of the settings, and of its data files."""
        given = as_dict(self._config.get("extra"))
        found = dict(flat_texts(given)) | dict(flat_texts({"config": {"extra": given}}))
        for key in ("site_name", "site_url", "site_description", "site_author", "repo_url", "repo_name", "copyright"):
            if text := as_text(self._config.get(key)):
                found[f"config.{key}"] = text
        plugin = as_dict(self._plugins().get("macros"))
        for module in [as_text(plugin.get("module_name"), "main"), *map(as_text, as_list(plugin.get("modules")))]:
            for place in (f"{module.replace('.', '/')}.py", f"{module.replace('.', '/')}/__init__.py"):
                program = self._inside(self._home / place)
                if module and program is not None and (self._plan.site_dir / program).is_file():
                    found |= macro_variables(self._plan.site_dir / program, found)
        for name in as_list(plugin.get("include_yaml")):
            prefix, path = next(iter(name.items())) if isinstance(name, dict) and name else ("", name)
            file = self._inside(self._home / as_text(path))
            if file is None or not (self._plan.site_dir / file).is_file():
                self._plan.note(f"include_yaml names {path}, which does not exist", "Its variables have no values.")
                continue
            values = load_yaml(self._plan.site_dir / file)
            found |= dict(flat_texts({prefix: values} if prefix else values))
        return found

    def _inside(self, path: Path) -> str | None:
        path = path.resolve()
        return relative(path, self._plan.site_dir) if path.is_relative_to(self._plan.site_dir.resolve()) else None

    def _edit_url(self) -> None:
        repository = as_text(self._config.get("repo_url"))
        edit = as_text(self._config.get("edit_uri"))
        if (repository or is_external(edit)) and edit and not edit.startswith(("?", "#")):
            carry_edit_url(self._plan, urljoin(f"{repository.rstrip('/')}/", edit.lstrip("/")), self._docs)

    def _entries(self, items: list[Any], tree: Tree) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = []
        for item in items:
            if isinstance(item, str):
                entries += self._leaf("", item, tree)
            elif isinstance(item, dict):
                for title, value in item.items():
                    if isinstance(value, list):
                        entries += self._section(as_text(title), value, tree)
                    elif isinstance(value, str):
                        entries += self._leaf(as_text(title), value, tree)
        return entries

    def _section(self, title: str, items: list[Any], tree: Tree) -> list[dict[str, Any]]:
        inner = self._entries(items, tree)
        return [{"category": title, "items": inner}] if inner else []

    def _leaf(self, title: str, path: str, tree: Tree) -> list[dict[str, Any]]:
        if is_external(path):
            return [{"href": path, "label": title or path}]
        if (taken := included_sites(self._plan, path, self._nav_homes[-1])) is not None:
            return self._taken_in(title, *taken)
        path = posixpath.normpath(path.lstrip("/"))
        file = path if path in tree.files else None
        if file is not None:
            return [without_empty({"doc": tree.doc_id(file), "label": title})]
        below = [one for one in tree.files if one.startswith(f"{path}/")]
        if below or "*" in path:
            folder = path.rstrip("*").rstrip("/") or "."
            entry = {"autogenerated": folder}
            return [{"category": title, "items": [entry]}] if title else [entry]
        remedy = "Such pages are often made by a plug-in; take the lines out."
        self._plan.note("nav names files that do not exist", remedy, files=[path])
        return []

    def _taken_in(self, title: str, is_list: bool, sites: list[IncludedSite]) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = []
        for site in sites if len(self._nav_homes) < _DEEPEST_SITES else []:
            self._nav_homes.append(site.home)
            entries += section_of(site, self._entries(site.nav, site.tree), "" if is_list else title)
            self._nav_homes.pop()
        return [{"category": title, "items": entries}] if is_list and title and entries else entries

    def _layout(self) -> None:
        settings, config = self._plan.settings, self._config
        items = []
        if repository := as_text(config.get("repo_url")):
            items.append(
                {
                    "label": as_text(config.get("repo_name")) or "GitHub",
                    "href": repository,
                    "position": "right",
                    **github_icon(repository),
                }
            )
        if len(settings.get("locales", [])) > 1:
            items.append({"type": "locale", "label": "Language", "position": "right"})
        logo = as_text(self._theme.get("logo"))
        exists = bool(logo) and (self._plan.site_dir / self._docs / logo).is_file()
        settings["navbar"] = without_empty(
            {
                "title": settings["title"],
                "logo": {"src": f"/{logo}", "alt": settings["title"]} if exists else None,
                "items": items,
            }
        )
        settings["footer"] = without_empty({"copyright": as_text(config.get("copyright"))})
        carry_google(self._plan, [as_text(as_dict(as_dict(config.get("extra")).get("analytics")).get("property"))])
        carry_socials(
            self._plan,
            (
                (as_text(one.get("icon")), as_text(one.get("name")), as_text(one.get("link")))
                for one in map(as_dict, as_list(as_dict(config.get("extra")).get("social")))
            ),
        )
        palette = [as_dict(one) for one in as_list(self._theme.get("palette"))]
        settings["color_mode"] = {
            "default": "dark" if palette and palette[0].get("scheme") == "slate" else "light",
            "respect_system": any("prefers-color-scheme" in as_text(one.get("media")) for one in palette),
        }
        self._accent(palette)

    def _accent(self, palette: list[dict[str, Any]]) -> None:
        """Take over the primary color, in which Material draws the top bar and links."""
        found: dict[bool, str] = {}
        for one in palette:
            primary = as_text(one.get("primary")).replace("-", " ")
            if primary in MATERIAL:
                found.setdefault(one.get("scheme") == "slate", MATERIAL[primary])
        if found:
            carry_accent(self._plan, found.get(False), found.get(True))
            self._plan.settings["theme"]["bar"] = "accent"
            return
        folder = self._plan.site_dir / self._docs
        carry_accent_of_sheets(
            self._plan, (folder / one for one in as_list(self._config.get("extra_css")) if isinstance(one, str))
        )

    def _redirects(self, tree: Tree) -> None:
        maps = as_dict(as_dict(self._plugins().get("redirects")).get("redirect_maps"))
        written = []
        for source, value in maps.items():
            target, mark, anchor = as_text(value).partition("#")
            file = tree.find(target) if not is_external(target) else None
            to = tree.route(file) if file else target if is_external(target) else None
            if to is None:
                self._plan.note(f"A redirect to {target}, which does not exist", "Take it out, or name another page.")
                continue
            stem = re.sub(r"(?:^|/)(?:index|README)$", "", posixpath.splitext(source)[0])
            ending = self._plan.settings["routing"]["ending"]
            written.append({"from": f"/{stem}{ending}" if stem else "/", "to": f"{to}{mark}{anchor}"})
        taken = {tree.route(file) for file in tree.files}
        written = [one for one in written if one["from"] not in taken and one["from"] != one["to"].partition("#")[0]]
        if written:
            self._plan.settings["redirects"] = written

    def _home_page(self, tree: Tree, items: list[dict[str, Any]]) -> None:
        led = any(one["from"] == "/" for one in self._plan.settings.get("redirects", []))
        if led or any(tree.route(file) == "/" for file in tree.files) or not tree.files:
            return
        first = next((one["doc"] for one in items if "doc" in one), None)
        file = (tree.by_id(first) if first else None) or tree.files[0]
        self._plan.settings.setdefault("redirects", []).append({"from": "/", "to": tree.route(file)})

    def _report(self) -> None:
        config, plan = self._config, self._plan
        known = (*_KNOWN_PLUGINS, *KNOWN, *(_OF_PYTHON_API if self._has_api else ()))
        for name in self._plugins():
            if name not in known:
                plan.note(
                    f"The plug-in {name}", _PLUGIN_REMEDIES.get(name, "It is code of the old engine and is not run.")
                )
        for key, remedy in (
            ("extra_css", OWN_STYLES),
            (
                "extra_javascript",
                "Scripts are not carried over. Name those that the site needs in `scripts` of octavo.toml.",
            ),
            ("hooks", "They are code of the old engine and are not run."),
        ):
            if count := len(as_list(config.get(key))):
                plan.note(
                    key,
                    remedy,
                    count=count,
                    files=[as_text(one) for one in as_list(config[key]) if isinstance(one, str)][:5],
                )
        if self._theme.get("custom_dir"):
            plan.note("Templates of the theme (custom_dir)", "The theme is another one; banners are [[announcements]].")
