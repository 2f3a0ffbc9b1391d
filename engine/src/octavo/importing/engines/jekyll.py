"""Jekyll: `_config.yml`, collections, permalinks, and the navigation of its themes."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from octavo.content import day_of
from octavo.errors import UsageError
from octavo.importing.colors import carry_accent_of_sheets, sheets_in
from octavo.importing.common import (
    ALWAYS_EXCLUDED,
    as_dict,
    as_list,
    as_text,
    diagnostics,
    flat_texts,
    github_icon,
    is_external,
    local_href,
    read_or_note,
    relative,
    split_url,
    without_empty,
)
from octavo.importing.look.just_the_docs import carry_just_the_docs
from octavo.importing.model import OWN_STYLES, Plan, Recognized
from octavo.importing.navigation import front_order, name_of_site, title_of, words_of
from octavo.importing.settings.files import read_yaml
from octavo.importing.settings.redirects import CarriedRedirects, pairs_of
from octavo.importing.tree import Tree
from octavo.importing.watched import plain
from octavo.lazy import regex as re
from octavo.site import MARKDOWN_SUFFIXES

_DATED = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d?)-(?P<day>\d\d?)-(?P<title>.+)")
_NAVIGATION = (
    "docs_nav",
    "navigation",
    "nav",
    "toc",
    "sidebar",
    "sidebars",
    "sidebar_nav",
    "docs",
    "menu",
    "docs-nav",
    "navbar",
)
"""Names of the files of `_data` with a site's navigation, the likeliest first."""
_ADDRESS = ("url", "link", "href", "page", "path", "permalink")
_INNER = ("children", "docs", "items", "pages", "links", "subfolders", "folders", "subfolderitems", "folderitems", "sublinks",
          "subitems", "section", "sections", "nav", "toc", "entries", "subnav", "sub")  # fmt: skip
_NAME = ("title", "text", "name", "label", "page", "section")
_NO_PAGES = ("README.md", "readme.md", "LICENSE.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "CHANGELOG.md")
_NO_FILES = ("Gemfile", "Gemfile.lock", "Rakefile", "*.gemspec", "package.json", "package-lock.json", "yarn.lock",
             "octavo.toml", "import-report.md")  # fmt: skip
_STYLES = {"pretty": "/:path/:basename/", "none": "/:path/:basename:output_ext", "date": "/:path/:basename:output_ext",
           "ordinal": "/:path/:basename:output_ext"}  # fmt: skip
_MATH_PROGRAM = re.compile(r"mathjax|katex", re.IGNORECASE)


def plan(found: Recognized, folder: Path) -> Plan:
    """Plan the import of a Jekyll site."""
    home = found.home
    site_dir = folder if home.is_relative_to(folder) else home
    made = Plan(found.engine, site_dir, {})
    _Planner(made, made.watch(_load(found.config)), home).write()
    return made


def _load(path: Path | None) -> dict[str, Any]:
    if path is None:
        raise UsageError("There is no _config.yml.")
    return as_dict(read_yaml(path))


class _Files(Tree):
    """All documents of the site: those of the source folder, and those of the collections, which are mounted."""

    def __init__(self, site_dir: Path, settings: dict[str, Any], root: str) -> None:
        super().__init__(site_dir, settings, root)
        prefix = "" if root == "." else f"{root}/"
        self._others: dict[str, tuple[Tree, str]] = {}
        for name in settings.get("mounts", {}):
            tree = Tree(site_dir, settings, name, mount=name)
            self._others |= {f"{name.removeprefix(prefix)}/{file}": (tree, file) for file in tree.files}
        self.files = [*self.files, *self._others]

    def path(self, file: str) -> str:
        tree, inner = self._others.get(file, (None, file))
        return tree.path(inner) if tree else super().path(file)

    def text(self, file: str) -> str:
        tree, inner = self._others.get(file, (None, file))
        return tree.text(inner) if tree else super().text(file)

    def doc_id(self, file: str) -> str:
        tree, inner = self._others.get(file, (None, file))
        return tree.doc_id(inner) if tree else super().doc_id(file)

    def route(self, file: str, prefix: str = "") -> str:
        # That of a mounted file is always named.
        return "" if file in self._others else super().route(file, prefix)


class _Planner:
    def __init__(self, plan: Plan, config: dict[str, Any], home: Path) -> None:
        self._plan = plan
        self._config = config
        self._home = home
        self._is_hexo = plan.engine == "hexo"
        source = as_text(config.get("source_dir"), "source") if self._is_hexo else as_text(config.get("source"), ".")
        self._source = (home / source).resolve()
        self._docs = relative(self._source, plan.site_dir)
        self._prefix = "" if self._docs == "." else f"{self._docs}/"
        raw = config.get("collections")
        self._collections = as_dict(raw) if isinstance(raw, dict) else {as_text(one): {} for one in as_list(raw)}
        self._routes: dict[str, str] = {}
        self._moved: list[tuple[str, str]] = []
        """Routes of pages that only lead on, with what they lead to."""
        self._missing: list[str] = []
        """Entries of the navigation that lead to no page."""

    def _is_smart(self) -> bool:
        """Whether kramdown draws quotation marks and dashes: it does by itself, other programs do not."""
        kramdown = as_dict(self._config.get("kramdown"))
        quirks = as_text(kramdown.get("gfm_quirks")) + " ".join(map(as_text, as_list(kramdown.get("gfm_quirks"))))
        has_quotes = "quot" not in as_text(kramdown.get("smart_quotes")).replace("dquo", "").replace("squo", "")
        is_kramdown = as_text(self._config.get("markdown"), "kramdown").lower() == "kramdown"
        return is_kramdown and has_quotes and "no_auto_typographic" not in quirks

    def write(self) -> None:
        config, settings = self._config, self._plan.settings
        settings |= without_empty(
            {
                "title": as_text(config.get("title")) or as_text(config.get("name")) or name_of_site(self._home),
                "tagline": as_text(config.get("description")),
                **split_url(config.get("url"), config.get("root" if self._is_hexo else "baseurl")),
            }
        )
        settings["docs"] = self._docs
        settings["static"] = self._docs
        settings["exclude"] = [*ALWAYS_EXCLUDED, *self._excluded()]
        settings["markdown"] = without_empty(
            {
                "extensions": [
                    "abbr",
                    "attr_list",
                    "def_list",
                    "emoji",
                    "footnotes",
                    *(["hexo"] if self._is_hexo else []),
                    "jekyll",
                    "loose",
                    "md_in_html",
                    *(["smart"] if self._is_smart() else []),
                ],
                "snippets": [self._docs],
                "slugs": "hexo" if self._is_hexo else "kramdown",
                "variables": dict(
                    flat_texts({"site": {key: value for key, value in plain(config).items() if isinstance(value, str)}})
                ),
            }
        )
        settings["routing"] = {
            "ending": ".html",
            "number_prefixes": True,
            "index_names": ["index"],
            "folder_name_is_index": False,
        }
        settings["mounts"] = dict(self._mounts())
        self._only_pages(_Files(self._plan.site_dir, settings, self._docs))
        tree = _Files(self._plan.site_dir, settings, self._docs)
        if self._has_math(tree):
            settings["markdown"]["extensions"] = sorted([*settings["markdown"]["extensions"], "math"])
        self._routes = {file: self._route(tree, file) for file in tree.files}
        exact = {tree.path(file): route for file, route in self._routes.items() if route != tree.route(file)}
        if exact:
            settings["routing"]["exact"] = exact
        if posts := {
            posixpath.splitext(posixpath.basename(file))[0]: self._routes[file]
            for file in tree.files
            if _DATED.match(posixpath.basename(file))
        }:
            settings["markdown"]["references"] = posts
        settings["sidebars"] = self._sidebars(tree)
        settings["navbar"] = without_empty({"title": settings["title"], "items": list(self._bar())})
        carry_just_the_docs(self._plan, config, self._source)
        self._redirects(tree)
        self._report()
        folders = [self._plan.site_dir / self._docs / name for name in ("_sass", "assets", "css")]
        carry_accent_of_sheets(self._plan, (one for folder in folders for one in sheets_in(folder)))
        settings["diagnostics"] = diagnostics()

    def _has_math(self, tree: _Files) -> bool:
        """Whether pages have formulas: kramdown's `$$`, or a program that draws what is between single dollar signs."""
        if any("$$" in tree.text(file) for file in tree.files):
            return True
        folders = [self._source / name for name in ("_includes", "_layouts")]
        templates = (path for folder in folders for path in sorted(folder.rglob("*.html")))
        return any(_MATH_PROGRAM.search(_text(path)) for path in templates)

    def _mounts(self) -> Iterator[tuple[str, str]]:
        """List the folders of the collections that have pages: folder → beginning of its routes."""
        inside = as_text(self._config.get("collections_dir")).strip("/")
        names = [name for name, raw in self._collections.items() if as_dict(raw).get("output") is True]
        for name in dict.fromkeys([*names, "posts"]):
            folder = self._source / inside / f"_{name}"
            if folder.is_dir() and any(path.suffix in MARKDOWN_SUFFIXES for path in folder.rglob("*.m*")):
                yield relative(folder, self._plan.site_dir), f"/{name}"

    def _excluded(self) -> Iterator[str]:
        """List what Jekyll makes no pages of: hidden folders, and what the settings name."""
        yield from (
            f"{self._prefix}{name}/**"
            for name in ("vendor", "node_modules", "bin", "script", "scripts", "_site", "octavo-components")
        )
        yield from (f"{self._prefix}{name}" for name in _NO_FILES)
        kept = {f"_{name}" for name in (*self._collections, "posts")}
        hidden = sorted(path.name for path in self._source.iterdir() if path.name.startswith(("_", ".")))
        for name in hidden:
            if name not in kept:
                yield from (f"{self._prefix}{name}", f"{self._prefix}{name}/**")
        for one in map(as_text, as_list(self._config.get("exclude"))):
            plain = one.strip("/")
            if plain and not plain.startswith(".."):
                yield f"{self._prefix}{plain}"
                yield f"{self._prefix}{plain}/**"

    def _only_pages(self, tree: _Files) -> None:
        """Leave out files without front matter, which Jekyll copies, unless a plug-in makes pages of them."""
        plugins = " ".join(map(as_text, [*as_list(self._config.get("plugins")), *as_list(self._config.get("gems"))]))
        gems = "".join(_text(self._home / name) for name in ("Gemfile", "Gemfile.lock"))
        takes_all = "optional-front-matter" in plugins or "github-pages" in plugins + gems or not gems
        for file in tree.files:
            has_front = self._is_hexo or tree.text(file).lstrip("\ufeff").startswith("---")
            is_left = not has_front and (
                not takes_all
                or posixpath.basename(file) in _NO_PAGES[1:]
                or (file in _NO_PAGES and tree.find("index.md") is not None)
            )
            front = tree.front(file)
            if target := as_text(next(iter(as_list(front.get("redirect_to"))), None)):
                self._moved.append((self._route(tree, file), target))
            if is_left or front.get("published") is False or target:
                self._plan.settings["exclude"].append(tree.path(file))

    def _value(self, tree: Tree, file: str, key: str) -> Any:
        """Give a value of a page: its own, or a default of the settings, the longest path first."""
        own = tree.front(file)
        if key in own:
            return own[key]
        best: tuple[int, Any] = (-1, None)
        for one in map(as_dict, as_list(self._config.get("defaults"))):
            path = as_text(as_dict(one.get("scope")).get("path")).strip("/")
            values = as_dict(one.get("values"))
            if (
                key in values
                and (not path or file == path or file.startswith(f"{path}/") or fnmatch(file, path))
                and len(path) > best[0]
            ):
                best = (len(path), values[key])
        return best[1]

    def _route(self, tree: Tree, file: str) -> str:
        stem = posixpath.splitext(file)[0]
        folder, _, name = stem.rpartition("/")
        collection = next((part[1:] for part in folder.split("/") if part.startswith("_")), "")
        given = as_text(self._value(tree, file, "permalink"))
        dated = _DATED.fullmatch(name)
        if not given and collection and collection != "posts":
            given = (
                as_text(as_dict(self._collections.get(collection)).get("permalink")) or "/:collection/:path:output_ext"
            )
        if not given and collection == "posts":
            given = as_text(as_dict(self._collections.get("posts")).get("permalink")) or as_text(
                self._config.get("permalink"), "date"
            )
            given = {"pretty": "/:categories/:year/:month/:day/:title/", "date": "/:categories/:year/:month/:day/:title:output_ext",
                     "none": "/:categories/:title:output_ext"}.get(given, given)  # fmt: skip
        if not given and not collection and self._is_hexo:
            given = _STYLES["none"]  # its setting is about posts alone
        if not given and not collection:
            given = as_text(self._config.get("permalink"))
            # Styles for posts say of pages only whether they end with a slash.
            given = (
                _STYLES["pretty"]
                if given == "pretty" or given.endswith("/")
                else "/:path/:basename"
                if given.endswith(":title")
                else _STYLES["none"]
            )
        given = _STYLES.get(given, given)
        inner = folder.partition(f"_{collection}")[2].strip("/") if collection else folder
        slug = as_text(tree.front(file).get("slug")) or (dated["title"] if dated else name)
        categories = [
            as_text(one) for one in as_list(tree.front(file).get("categories") or tree.front(file).get("category"))
        ]
        # Where a post names its day, that of its file does not count.
        own = day_of(tree.front(file).get("date")) if collection else None
        year, month, day = own.split("-") if own else dated.group("year", "month", "day") if dated else ("", "", "")
        values = {
            "collection": collection, "path": posixpath.join(inner, name) if collection else inner, "basename": name, "name": name,
            "title": slug, "slug": slug, "categories": "/".join(one.lower().replace(" ", "-") for one in categories),
            "year": year, "month": month and month.zfill(2), "day": day and day.zfill(2), "output_ext": ".html",
        }  # fmt: skip
        path = re.sub(r":(output_ext|[a-z]+)", lambda match: values.get(match[1], match[0]), given)
        path = re.sub(r"/{2,}", "/", f"/{path}")
        path = re.sub(r"(?:^|/)index(?:\.html|/)?$", "/", path)
        return path.replace(" ", "-") or "/"

    # Navigation

    def _sidebars(self, tree: Tree) -> list[dict[str, Any]]:
        by_route = {route.removesuffix(".html").strip("/"): file for file, route in self._routes.items()}
        for path in self._navigation_files():
            self._missing.clear()
            items = self._entries(read_or_note(self._plan, path), tree, by_route, 0)
            if sum(1 for _ in _docs_of(items)) >= 3:
                if self._missing:
                    self._plan.note(
                        f"Entries of {path.name} that lead to no page",
                        "They are left out: " + ", ".join(dict.fromkeys(self._missing)),
                    )
                return [{"id": "docs", "items": items}]
        return [{"id": "docs", "items": self._family(tree)}]

    def _navigation_files(self) -> Iterator[Path]:
        folder = self._source / as_text(self._config.get("data_dir"), "_data")
        files = (
            [path for path in sorted(folder.rglob("*")) if path.suffix in (".yml", ".yaml", ".json")]
            if folder.is_dir()
            else []
        )
        for name in _NAVIGATION:
            yield from (
                path for path in files if path.stem == name or (name == "sidebars" and path.parent.name == name)
            )
        yield from (
            path for path in files if re.search(r"nav|sidebar|toc|menu", path.stem) and path.stem not in _NAVIGATION
        )

    def _entries(self, raw: Any, tree: Tree, by_route: dict[str, str], depth: int) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = []
        if depth > 6:
            return entries
        if isinstance(raw, dict) and not any(key in raw for key in (*_ADDRESS, *_NAME)):
            # Lists under names: the names of sections, or of several navigations.
            for name, inner in raw.items():
                below = self._entries(inner, tree, by_route, depth + 1)
                entries += [{"category": words_of(str(name)), "items": below}] if below and depth else below
            return entries
        for one in as_list(raw):
            if isinstance(one, str):
                file = by_route.get(_plain_route(one))
                self._missing += [] if file else [one]
                entries += [{"doc": tree.doc_id(file), "label": title_of(tree, file)}] if file else []
                continue
            entries += self._item(as_dict(one), tree, by_route, depth)
        return entries

    def _item(self, item: dict[str, Any], tree: Tree, by_route: dict[str, str], depth: int) -> list[dict[str, Any]]:
        label = next((as_text(item[key]) for key in _NAME if as_text(item.get(key))), "")
        href = next((as_text(item[key]) for key in _ADDRESS if as_text(item.get(key))), "")
        inner = [
            entry
            for key in _INNER
            if isinstance(item.get(key), list)
            for entry in self._entries(item[key], tree, by_route, depth + 1)
        ]
        plain = _plain_route(href.partition("#")[0])
        file = by_route.get(plain) if href and not is_external(href) and "#" not in href else None
        if inner:
            link = {"type": "doc", "id": tree.doc_id(file)} if file else None
            return [without_empty({"category": label or plain or "…", "link": link, "items": inner})]
        if file:
            return [{"doc": tree.doc_id(file), "label": label or title_of(tree, file)}]
        if is_external(href) and label:
            return [{"href": href, "label": label}]
        if href or label:
            self._missing.append(href or label)
        return []

    def _family(self, tree: Tree) -> list[dict[str, Any]]:
        """Order pages as Just the Docs does: `nav_order`, below the page whose title `parent` names."""
        place = front_order("nav_order")(tree)
        other = front_order("order")(tree)
        shown = [
            file for file in tree.files
            if tree.front(file).get("nav_exclude") is not True and "_posts" not in file.split("/") and self._value(tree, file, "title") != "404"
        ]  # fmt: skip
        shown.sort(key=lambda file: (min(place(file), other(file)), title_of(tree, file).lower()))
        below: dict[str, list[str]] = {}
        for file in shown:
            below.setdefault(as_text(self._value(tree, file, "parent")), []).append(file)

        def entries(parent: str, seen: frozenset[str], around: str = "") -> list[dict[str, Any]]:
            found: list[dict[str, Any]] = []
            for file in below.get(parent, []):
                if as_text(tree.front(file).get("grand_parent"), around) != around:
                    continue  # another page has the same title
                title = title_of(tree, file)
                inner = entries(title, seen | {title}, parent) if title in below and title not in seen else []
                one = tree.doc_id(file)
                found.append(
                    {"category": title, "link": {"type": "doc", "id": one}, "items": inner}
                    if inner
                    else {"doc": one, "label": title}
                )
            return found

        known = {title_of(tree, file) for file in shown}
        for parent in [one for one in below if one and one not in known]:
            below.setdefault("", []).extend(below.pop(parent))
        return entries("", frozenset({""}))

    def _bar(self) -> Iterator[dict[str, Any]]:
        for label, raw in as_dict(self._config.get("aux_links")).items():
            href = as_text(next(iter(as_list(raw)), ""))
            if href:
                yield {
                    "label": label,
                    "href": href if is_external(href) else local_href(href),
                    "position": "right",
                    **github_icon(href),
                }
        repository = as_text(self._config.get("repository"))
        if repository and not as_dict(self._config.get("aux_links")):
            href = repository if "://" in repository else f"https://github.com/{repository}"
            yield {"label": "GitHub", "href": href, "position": "right", **github_icon(href)}

    def _redirects(self, tree: Tree) -> None:
        taken = set(self._routes.values())
        carried = CarriedRedirects(self._plan, taken)
        for file in tree.files:
            for source in map(as_text, as_list(tree.front(file).get("redirect_from"))):
                carried.add(f"/{source.strip().lstrip('/')}", self._routes[file])
        # Of the plug-in hexo-generator-alias.
        for source, target in pairs_of(self._config.get("alias")) if self._is_hexo else ():
            to = re.sub(r"(?:^|(?<=/))index\.html\Z", "", target)
            carried.add(f"/{source.lstrip('/')}", local_href(to))
        for source, target in self._moved:
            carried.add(source, local_href(target, self._plan.settings.get("base_url", "/")))
        if "/" not in taken and taken:
            carried.add("/", min(taken, key=lambda route: (len(route), route)))
        carried.write()

    def _report(self) -> None:
        pages = [
            path
            for path in self._source.glob("**/*.html")
            if not any(part.startswith(("_", ".")) for part in path.relative_to(self._source).parts)
        ]
        drawn = [path for path in sorted(pages) if _text(path).startswith("---")]
        if drawn:
            self._plan.note(
                "Pages written in HTML with templates", "Write them in Markdown.", count=len(drawn),
                files=[relative(path, self._plan.site_dir) for path in drawn[:5]],
            )  # fmt: skip
            self._plan.settings["exclude"] += [relative(path, self._plan.site_dir) for path in drawn]
        if (self._source / "_sass").is_dir() or any(self._source.glob("assets/css/*")):
            self._plan.note("Custom style sheets", OWN_STYLES)
        if (self._source / "_plugins").is_dir():
            self._plan.note("Plug-ins in _plugins", "They are programs of the old engine and are not run.")


def _plain_route(address: str) -> str:
    """Write an address in a navigation as routes are compared: `/guide/index.html` is the page `/guide/`."""
    plain = address.removesuffix(".html").removesuffix(".md").strip("/")
    return re.sub(r"(?:^|/)index$", "", plain)


def _docs_of(items: list[dict[str, Any]]) -> Iterator[str]:
    for one in items:
        if "doc" in one:
            yield one["doc"]
        yield from _docs_of(one.get("items", []))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
