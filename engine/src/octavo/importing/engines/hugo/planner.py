"""Hugo: settings in TOML, YAML or JSON, order by weight, sections with `_index.md`."""

from __future__ import annotations

import posixpath
import unicodedata
from pathlib import Path
from typing import Any

from octavo.errors import UsageError
from octavo.importing.blogs.dated import plan_dated_blogs
from octavo.importing.colors import carry_accent_of_sheets, sheets_in
from octavo.importing.common import (
    ALWAYS_EXCLUDED,
    as_dict,
    as_list,
    as_text,
    diagnostics,
    flat_texts,
    github_icon,
    relative,
    split_url,
    without_empty,
)
from octavo.importing.engines.hugo.settings import load_settings
from octavo.importing.look.extras import carry_banner, carry_google
from octavo.importing.model import Plan, Recognized
from octavo.importing.navigation import MadePage, folder_entries, words_of
from octavo.importing.settings.above import allow_files_above
from octavo.importing.settings.files import read_text
from octavo.importing.settings.labels import carry_labels, pair_labels
from octavo.importing.settings.redirects import CarriedRedirects
from octavo.importing.tree import Tree, split_front_matter
from octavo.importing.watched import Watched
from octavo.lazy import regex as re

_PAGES = (".md", ".markdown", ".html")
_INDEXES = ("_index", "index")
_FORMULA = re.compile(r"\{\{[<%]\s*(?:katex|math)\b|^```math$", re.MULTILINE)
_REFERENCE = re.compile(r"\{\{[<%]\s*(?:rel)?ref\s+([^\n{}]*?)\s*[>%]\}\}")


_DATED_NAME = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)-")
_TOKEN = re.compile(r":([a-z]+)")
"""What a pattern of addresses holds in the place of a page's own values."""


def plan(found: Recognized, folder: Path) -> Plan:
    """Plan the import of a Hugo site."""
    home, config = found.home, Watched(load_settings(found))
    languages = as_dict(config.get("languages"))
    default = as_text(config.get("defaultContentLanguage"), "en")
    own = as_dict(languages.get(default))
    content = home / as_text(own.get("contentDir") or config.get("contentDir"), "content")
    if (content / default).is_dir() and not own.get("contentDir"):
        content /= default
    if not content.is_dir() and (home / "content").is_dir():
        # A mount may put the files of one folder into that of a language.
        content = home / "content" / default if (home / "content" / default).is_dir() else home / "content"
    if not content.is_dir():
        raise UsageError(f"{content}, the folder of the content, does not exist.")
    site_dir = folder if home.is_relative_to(folder) else home
    made = Plan("hugo", site_dir, {})
    made.watch(config)
    own = as_dict(as_dict(config.get("languages")).get(default))
    HugoPlanner(made, config, content, home).write(as_text(own.get("title")) or as_text(config.get("title")))
    if adapters := sorted(relative(path, site_dir) for path in content.rglob("_content*.gotmpl")):
        made.note(
            "Content adapters (_content.gotmpl)",
            "These templates make pages while Hugo builds; the pages are missing. Build them once with Hugo, and keep them as Markdown.",
            count=len(adapters),
            files=adapters[:5],
        )
    if mounts := _mounts(config):
        made.note(
            f"Mounts ({', '.join(mounts)})",
            "Put these files into the folders of documents or static files, or name their folders under [mounts].",
            count=len(mounts),
        )
    return made


def _mounts(config: dict[str, Any]) -> list[str]:
    """Name the folders that are mounted as others than the site's own."""
    found = as_dict(config.get("module")).get("mounts")
    pairs = [
        (as_text(one.get("source")), as_text(one.get("target")))
        for one in map(as_dict, found if isinstance(found, list) else [])
    ]
    return [f"{source} as {target}" for source, target in pairs if source != target]


class HugoPlanner:
    """Plans a site with the layout of Hugo: sections with `_index.md`, order by weight, names of languages at the end of files."""

    def __init__(self, plan: Plan, config: dict[str, Any], content: Path, home: Path) -> None:
        self._plan = plan
        self._config = config
        self._home = home
        self._docs = relative(content, plan.site_dir)
        self._static = relative(home / "static", plan.site_dir)
        self._default = as_text(config.get("defaultContentLanguage"), "en")

    def write(self, title: str) -> None:
        config, settings, params = self._config, self._plan.settings, as_dict(self._config.get("params"))
        settings |= without_empty(
            {
                "title": title or words_of(self._plan.site_dir.name),
                "tagline": as_text(params.get("description")),
                **split_url(config.get("baseurl") or config.get("baseURL")),
            }
        )
        settings["docs"] = self._docs
        settings["static"] = self._static
        settings["exclude"] = [*ALWAYS_EXCLUDED]
        languages = self._languages()
        settings["markdown"] = self._markdown()
        settings["routing"] = {
            "ending": ".html" if config.get("uglyURLs") is True else "/",
            "number_prefixes": True,
            "index_names": ["_index", "index"],
            "folder_name_is_index": False,
        }
        tree = Tree(self._plan.site_dir, settings, self._docs)
        routes = {tree.path(file): _route(tree, file, config) for file in tree.files}
        exact = {
            tree.path(file): route for file in tree.files if (route := routes[tree.path(file)]) != tree.route(file)
        }
        exact |= self._translated_routes(languages, {file: routes[tree.path(file)] for file in tree.files})
        if exact:
            settings["routing"]["exact"] = exact
        tree = plan_dated_blogs(self._plan, tree)
        settings["sidebars"] = self._sidebars(tree)
        repository = as_text(params.get("github_repo"))
        items = (
            [{"label": "GitHub", "href": repository, "position": "right", **github_icon(repository)}]
            if repository
            else []
        )
        if languages:
            items.append({"type": "locale", "label": "Language", "position": "right"})
        google = as_dict(as_dict(config.get("services")).get("googleAnalytics")).get("id")
        carry_google(self._plan, [as_text(google or config.get("googleAnalytics"))])
        banner = as_dict(params.get("banner"))
        carry_banner(self._plan, as_text(banner.get("message")), name=as_text(banner.get("key")) or "announcement")
        if words := as_text(config.get("copyright")):
            settings["footer"] = {"copyright": words}
        menu = self._menu(self._default)
        settings["navbar"] = without_empty({"title": settings["title"], "items": [*menu, *items]})
        for name, entry in languages.items():
            own = self._language(name)
            pairs = [
                *pair_labels(menu, self._menu(name), name.lower()),
                (settings["title"], as_text(own.get("title"))),
                (settings.get("tagline", ""), as_text(as_dict(own.get("params")).get("description"))),
            ]
            carry_labels(self._plan, entry["id"], pairs)
        self._redirects(tree, {tree.path(file): _route(tree, file, config) for file in tree.files})
        if "math" not in settings["markdown"]["extensions"] and any(
            _FORMULA.search(tree.text(file)) for file in tree.files
        ):
            settings["markdown"]["extensions"].append("math")
        if references := self._references(tree):
            settings["markdown"]["references"] = references
        allow_files_above(self._plan, tree)
        folders = [self._home / "assets", self._home / "static/css"]
        carry_accent_of_sheets(self._plan, (one for folder in folders for one in sheets_in(folder)))
        settings["diagnostics"] = diagnostics()

    def _sidebars(self, tree: Tree) -> list[dict[str, Any]]:
        """Make a sidebar of each section at the top, as Hugo's themes for documentation do."""

        def order(file: str) -> float:
            weight = tree.front(file).get("weight")
            return float(weight) if isinstance(weight, (int, float)) and weight else float("inf")

        taken = {tree.route(file) for file in tree.files}
        blogs = {as_text(blog.get("folder")) for blog in self._plan.settings.get("blogs", [])}

        def made(folder: str) -> MadePage | None:
            found = self._section(folder)
            is_taken = found is not None and (folder in blogs or f"{found.route}/" in taken)
            return MadePage(found.title, found.place, "") if found and is_taken else found

        return [{"id": "docs", "items": _led_elsewhere(folder_entries(tree, "", order, _INDEXES, made=made), tree)}]

    def _section(self, folder: str) -> MadePage | None:
        """Find the list of pages that Hugo makes of a folder: of one at the top, and of one with a page in HTML."""
        file = self._plan.site_dir / self._docs / folder / "_index.html"
        front = split_front_matter(read_text(file))[0] if file.is_file() else {}
        if not file.is_file() and "/" in folder:
            return None
        build = as_dict(front.get("build") or front.get("_build"))
        route = "/" + re.sub(r"\s+", "-", folder)
        if not (self._config.get("disablePathToLower") or self._config.get("disablepathtolower")):
            route = route.lower()
        if isinstance(front.get("url"), str):
            route = f"/{front['url'].strip('/')}"
        weight = front.get("weight")
        return MadePage(
            as_text(front.get("linkTitle")) or as_text(front.get("title")),
            float(weight) if isinstance(weight, (int, float)) and weight else None,
            "" if build.get("render") in ("never", False) or front.get("headless") is True else route,
        )

    def _language(self, name: str) -> dict[str, Any]:
        return as_dict(as_dict(self._config.get("languages")).get(name))

    def _languages(self) -> dict[str, dict[str, Any]]:
        """Write the languages that have files, and give those beside the first: name → entry of `[[locales]]`."""
        home, site_dir, found, missing = self._home, self._plan.site_dir, dict[str, dict[str, Any]](), list[str]()
        content = site_dir / self._docs
        listed = as_dict(self._config.get("languages"))
        for name in sorted(listed, key=lambda name: _number(as_dict(listed[name]).get("weight"))):
            one = self._language(name)
            if name == self._default or one.get("disabled") is True or not re.fullmatch(r"[A-Za-z][\w-]*", name):
                continue
            given = as_text(one.get("contentDir") or one.get("contentdir"))
            folder = (
                home / given if given else content.parent / name if content.name == self._default else content / name
            )
            is_inside = folder.resolve().is_relative_to(site_dir.resolve())
            if is_inside and folder.is_dir() and folder != content and (given or content.name == self._default):
                place: dict[str, Any] = {"folders": {self._docs: relative(folder, site_dir)}}
            elif self._names_language(content, name):
                place = {"suffix": name}
            else:
                missing.append(name)
                continue
            found[name] = {**_locale(name, one), "path": name.lower(), **place}
        if missing:
            self._plan.note(
                f"Languages without files ({', '.join(missing)})",
                "Add their pages, and import again.",
                count=len(missing),
            )
        first = _locale(self._default, self._language(self._default))
        if self._names_language(content, self._default):
            first["suffix"] = self._default
        if found and _in_subfolder(self._config):
            first["path"] = self._default.lower()
        if found or "suffix" in first:
            self._plan.settings["locales"] = [first, *found.values()]
        return found

    @staticmethod
    def _names_language(content: Path, name: str) -> bool:
        """Return whether names of files end in a language: `de` of `install.de.md`."""
        return any(
            file.stem.lower().endswith(f".{name.lower()}") for file in content.rglob("*.*") if file.suffix in _PAGES
        )

    def _translated_routes(self, languages: dict[str, dict[str, Any]], originals: dict[str, str]) -> dict[str, str]:
        """Give the routes, without the language, of the translations that are not where their originals are."""
        settings = {key: value for key, value in self._plan.settings.items() if key != "locales"}
        found: dict[str, str] = {}
        for name, entry in languages.items():
            suffix = entry.get("suffix", "")
            tree = Tree(self._plan.site_dir, settings, self._docs if suffix else entry["folders"][self._docs])
            for file in tree.files:
                stem, ending = posixpath.splitext(file)
                if suffix and not stem.endswith(f".{suffix}"):
                    continue
                route = _route(tree, file, self._config)
                route = route.removeprefix(f"/{name.lower()}") if suffix else route
                plain = stem.removesuffix(f".{suffix}") if suffix else stem
                if route != originals.get(plain + ending):
                    found[tree.path(file)] = route
        return found

    def _menu(self, language: str) -> list[dict[str, Any]]:
        own = self._language(language)
        menus = as_dict(own.get("menu") or own.get("menus"))
        if not menus and language == self._default:
            menus = as_dict(self._config.get("menu") or self._config.get("menus"))
        entries = sorted(map(as_dict, as_list(menus.get("main"))), key=lambda one: one.get("weight") or 0)
        below: dict[str, list[dict[str, Any]]] = {}
        for one in entries:
            below.setdefault(as_text(one.get("parent")), []).append(one)
        found = []
        for one in below.get("", []):
            names = filter(None, (as_text(one.get(key)) for key in ("identifier", "name")))
            inner = next((below[name] for name in names if name in below), [])
            items = [written for each in inner if (written := _entry(each))]
            if items:
                found.append({"label": _label(one) or "…", "items": items})
            elif written := _entry(one):
                found.append(written)
        return found

    def _redirects(self, tree: Tree, routes: dict[str, str]) -> None:
        if language := as_text(self._plan.settings.get("locales", [{}])[0].get("path")):
            routes = {path: f"/{language}{route}" for path, route in routes.items()}
        taken = set(routes.values())
        carried = CarriedRedirects(self._plan, taken)
        for file in tree.files:
            route = routes[tree.path(file)]
            for alias in map(as_text, as_list(tree.front(file).get("aliases"))):
                is_whole = alias.startswith("/") or self._plan.engine == "zola"
                source = (
                    f"/{alias.lstrip('/')}" if is_whole else posixpath.join(posixpath.dirname(route.rstrip("/")), alias)
                )
                source = posixpath.normpath(source)
                carried.add(source if source.endswith(".html") else f"/{source.strip('/')}/", route)
        if "/" not in taken and routes and not language:
            carried.add("/", min(routes.values(), key=len))
        carried.write()

    def _markdown(self) -> dict[str, Any]:
        config = self._config
        goldmark = as_dict(as_dict(as_dict(config.get("markup")).get("goldmark")).get("extensions"))
        language = self._default
        has_math = as_dict(goldmark.get("passthrough")).get("enable") is True
        extensions = ["attr_list", "def_list", "emoji", "hugo", *(["math"] if has_math else [])]
        given = goldmark.get("typographer")
        if given is not False and as_dict(given).get("disable") is not True:
            extensions.append("smart")
        folders = [
            folder
            for base in (self._home, *sorted((self._home / "themes").glob("*")))
            for folder in (
                base / "layouts/shortcodes",
                base / "layouts/_shortcodes",
                *sorted(base.glob("layouts/*/_shortcodes")),
            )
            if folder.is_dir() and folder.resolve().is_relative_to(self._plan.site_dir.resolve())
        ]
        return without_empty(
            {
                "extensions": extensions,
                "slugs": "hugo",
                "shortcodes": [relative(folder, self._plan.site_dir) for folder in folders],
                "variables": {
                    **dict(flat_texts(as_dict(config.get("params")))),
                    **dict(flat_texts(as_dict(as_dict(as_dict(config.get("languages")).get(language)).get("params")))),
                    **({"site.language.lang": language} if language != "en" else {}),
                    # Templates call pages by their paths from here; in other folders it is the one that `content` begins.
                    **({"site.contentdir": self._docs} if "/content" in f"/{posixpath.dirname(self._docs)}" else {}),
                },
            }
        )

    def _references(self, tree: Tree) -> dict[str, str]:
        """Find the pages that references name by their file's name alone, wherever it lies."""
        by_name: dict[str, list[str]] = {}
        for file in tree.files:
            stem = posixpath.splitext(file)[0]
            folder, _, name = stem.rpartition("/")
            by_name.setdefault(posixpath.basename(folder) if name in _INDEXES else name, []).append(file)
        found: dict[str, str] = {}
        for file in tree.files:
            for target in map(_target, _REFERENCE.findall(tree.text(file))):
                path = target.partition("#")[0].strip("/")
                near = tree.find(posixpath.join(posixpath.dirname(file), path)) if path else None
                if not path or path in found or near is not None or tree.find(path) is not None:
                    continue
                named = by_name.get(posixpath.splitext(posixpath.basename(path))[0], [])
                if len(named) == 1 or (named and "/" not in path):
                    found[target.partition("#")[0]] = tree.path(min(named, key=len))
        return found


def _locale(name: str, given: dict[str, Any]) -> dict[str, Any]:
    code = as_text(given.get("languageCode")) or as_text(given.get("locale")) or name
    label = as_text(given.get("languageName")) or as_text(given.get("label")) or name
    direction = as_text(given.get("languageDirection")) or as_text(given.get("languagedirection"))
    return {"id": code.replace("_", "-"), "label": label, **({"dir": "rtl"} if direction == "rtl" else {})}


def _led_elsewhere(items: list[dict[str, Any]], tree: Tree) -> list[dict[str, Any]]:
    """Let entries of pages lead to the address that their front matter names instead, `manualLink` of Docsy."""
    found: list[dict[str, Any]] = []
    for item in items:
        file = tree.by_id(item["doc"]) if "doc" in item else None
        address = as_text(tree.front(file).get("manualLink")) if file else ""
        if address:
            found.append({"href": address, "label": item.get("label") or address})
        elif "items" in item:
            found.append({**item, "items": _led_elsewhere(item["items"], tree)})
        else:
            found.append(item)
    return found


def _in_subfolder(config: dict[str, Any]) -> bool:
    """Return whether addresses of the default language name it too."""
    return any(config.get(key) is True for key in ("defaultContentLanguageInSubdir", "defaultcontentlanguageinsubdir"))


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else float("inf")


def _target(arguments: str) -> str:
    """Read the page that the arguments of a reference name."""
    match = re.search(
        r"""(?:path\s*=\s*)?(?:(?P<quote>["'`])(?P<quoted>.*?)(?P=quote)|(?P<bare>[^\s"'`]+))""", arguments
    )
    return (match["quoted"] or match["bare"] or "") if match else ""


def _label(entry: dict[str, Any]) -> str:
    return re.sub(r"<[^>]*>", "", as_text(entry.get("name"))).strip()


def _entry(entry: dict[str, Any]) -> dict[str, Any] | None:
    """Write an entry of a menu; None where it has no name or no address."""
    href = as_text(entry.get("url")) or as_text(entry.get("pageRef"))
    if not href or not _label(entry):
        return None
    return {"label": _label(entry), "href": href if "://" in href else f"/{href.strip('/')}/".replace("//", "/")}


def _route(tree: Tree, file: str, config: dict[str, Any]) -> str:
    """Make the route of a file as Hugo does."""
    front = tree.front(file)
    own = front.get("path" if config.get("isZola") else "url")
    if isinstance(own, str) and re.fullmatch(r"[^\s?#\\:]+", own):
        url = "/" + own.strip("/")
        return url if url.endswith(".html") or url == "/" else f"{url}/"
    stem = posixpath.splitext(file)[0]
    language = ""
    languages = as_dict(config.get("languages"))
    if (suffix := posixpath.splitext(stem)[1].removeprefix(".")) and suffix.lower() in map(str.lower, languages):
        stem = stem[: -len(suffix) - 1]
        language = "" if suffix == as_text(config.get("defaultContentLanguage"), "en") else f"{suffix.lower()}/"
    if (given := _permalink(tree, file, stem, config)) is not None:
        return f"/{language}{given}"
    folder, _, name = stem.rpartition("/")
    if name in _INDEXES:
        folder, _, name = folder.rpartition("/")
    if name and isinstance(front.get("slug"), str) and not stem.endswith("_index"):
        name = front["slug"].strip("/")
    path = "/".join(part for part in (folder, name) if part)
    path = _in_address(path)
    path = path if config.get("disablePathToLower") or config.get("disablepathtolower") else path.lower()
    if not path:
        return f"/{language}"
    path = f"{language}{path}"
    return f"/{path}.html" if config.get("uglyURLs") is True and not stem.endswith("index") else f"/{path}/"


def _permalink(tree: Tree, file: str, stem: str, config: dict[str, Any]) -> str | None:
    """Make the route of a page, without the slash before it, by the pattern that the settings have for its section."""
    given = as_dict(config.get("permalinks"))
    section, _, rest = stem.partition("/")
    pattern = as_text(given.get(section)) or as_text(as_dict(given.get("page")).get(section))
    if not pattern or not rest or posixpath.basename(stem) == "_index":
        return None
    front = tree.front(file)
    folder, _, name = stem.rpartition("/")
    if name == "index":
        folder, _, name = folder.rpartition("/")
    date = re.match(r"(\d{4})-(\d\d?)-(\d\d?)", str(front.get("date", ""))) or _DATED_NAME.match(name)
    title = _urlized(as_text(front.get("title")))
    slug = _urlized(as_text(front.get("slug")))
    values = {
        **(
            dict(zip(("year", "month", "day"), (date[1], f"{date[2]:0>2}", f"{date[3]:0>2}"), strict=True))
            if date
            else {}
        ),
        "section": section,
        "sections": folder,
        "title": title,
        "slug": slug or title,
        **dict.fromkeys(("filename", "contentbasename"), _urlized(name)),
        **dict.fromkeys(("slugorfilename", "slugorcontentbasename"), slug or _urlized(name)),
    }
    if not all(values.get(key) for key in _TOKEN.findall(pattern)):
        return None
    path = _TOKEN.sub(lambda match: values[match[1]], pattern).strip("/")
    path = path if config.get("disablePathToLower") else path.lower()
    return f"{path}{'.html' if config.get('uglyURLs') is True else '/'}"


_ODD_SIGN = re.compile(r"[^\w\s./\\#+~@%-]|%(?![0-9A-Fa-f]{2})")
_SPACES = re.compile(r"-\s+|\s+(?=-)|\A\s+|\s+\Z")


def _in_address(path: str) -> str:
    """Write the path of a file as an address, as Hugo does: other signs are left out, and spaces are hyphens where none is beside them."""
    path = _ODD_SIGN.sub(lambda match: match[0] if unicodedata.category(match[0]).startswith("M") else "", path)
    return re.sub(r"\s+", "-", _SPACES.sub(lambda match: match[0].strip(), path))


def _urlized(text: str) -> str:
    """Write a title as a part of an address, as Hugo does."""
    words = re.sub(r"[^\w\s.+~@-]", "", text.replace("/", "-")).split()
    return re.sub(r" ?- ?| ", "-", " ".join(words)).lower()
