"""Nuxt Content, Docus and undocs: Markdown with components, numbers that order it, and `.navigation.yml` beside it.

The pages of undocs are not in `content` but in the folder of its settings, `.config/docs.yaml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from octavo.importing.common import (
    ALWAYS_EXCLUDED,
    as_dict,
    as_list,
    as_text,
    carry_socials,
    diagnostics,
    github_icon,
    load_script,
    read_or_note,
    relative,
    without_empty,
)
from octavo.importing.model import Plan, Recognized
from octavo.importing.navigation import name_of_site, title_of, words_of
from octavo.importing.settings.files import read_text
from octavo.importing.settings.labels import OWN_NAMES, carry_labels
from octavo.importing.settings.redirects import CarriedRedirects, pairs_of
from octavo.importing.tree import Tree
from octavo.lazy import regex as re
from octavo.site import split_number_prefix

_NAME = re.compile(r"""\b(?:siteName|name|title)\s*:\s*(?P<quote>['"`])(?P<name>[^'"`\n]{2,80})(?P=quote)""")
_URL = re.compile(r"""\burl\s*:\s*(?P<quote>['"`])(?P<url>https?://[^'"`\s]+)(?P=quote)""")
_CARRIED = {"name", "shortDescription", "description", "url", "github", "redirects", "socials"}
"""Settings of undocs that are taken over."""
_MATH = ("remark-math", "rehype-katex")


def plan(found: Recognized, folder: Path) -> Plan:
    """Plan the import of a site of Nuxt Content."""
    home = found.home
    made = Plan("nuxt", folder if home.is_relative_to(folder) else home, {})
    settings = made.settings
    programs = [
        read_text(path)
        for name in ("nuxt.config", "app.config", "app/app.config")
        for path in sorted(home.glob(f"{name}.*"))
        if path.is_file()
    ]
    is_undocs = found.config is not None and found.config.parent.name == ".config"
    config = {} if is_undocs else load_script(made, found.config, made.site_dir)
    content = home if is_undocs else home / "content"
    languages = _languages(config, content)
    docs = relative(content / languages[0]["folder"] if languages else content, made.site_dir)
    name = next((match["name"] for text in programs if (match := _NAME.search(text))), "")
    address = next((match["url"] for text in programs if (match := _URL.search(text))), "")
    public = relative(home / (".docs/public" if is_undocs else "public"), made.site_dir)
    settings |= without_empty({"title": name, "url": re.sub(r"(https?://[^/]+).*", r"\1", address)})
    settings.setdefault("title", name_of_site(home))
    settings["docs"] = docs
    settings["static"] = public
    settings["exclude"] = [*ALWAYS_EXCLUDED, "**/node_modules/**"]
    said = as_dict(read_or_note(made, found.config)) if is_undocs and found.config else {}
    settings |= without_empty(
        {
            "title": as_text(said.get("name")),
            "tagline": as_text(said.get("shortDescription") or said.get("description")),
            "url": as_text(said.get("url")),
        }
    )
    settings["routing"] = {"folder_name_is_index": False}
    if languages:
        _write_languages(made, languages, content, docs)
    settings["markdown"] = {
        "extensions": sorted(
            {"emoji", "mdc", *(["math"] if any(one in text for text in programs for one in _MATH) else [])}
        )
    }
    tree = Tree(made.site_dir, settings, docs)
    routes = {tree.route(file): file for file in tree.files}
    if not name and not said and "/" in routes:
        settings["title"] = title_of(tree, routes["/"])
    carried = CarriedRedirects(made, routes)
    rules = {path: as_dict(rule).get("redirect") for path, rule in as_dict(config.get("routeRules")).items()}
    # A target may be a table with a status as well.
    led = {path: as_dict(to).get("to", to) for path, to in rules.items() if to}
    for source, target in [*pairs_of(said.get("redirects")), *pairs_of(led)]:
        carried.add(source.replace("/**", "/*"), target.replace("/**", "/*"))
    if routes and "/" not in routes and not settings.get("locales", [{}])[0].get("path"):
        carried.add("/", min(routes, key=lambda route: (route.count("/"), tree.files.index(routes[route]))))
    carried.write()
    settings["sidebars"] = [{"id": "docs", "items": list(_entries(made, tree, made.site_dir / docs, ""))}]
    settings["navbar"] = {"title": settings["title"], **_repository(as_text(said.get("github")))}
    if languages:
        settings["navbar"]["items"] = [{"type": "locale", "label": "Language", "position": "right"}]
        _carry_labels(made, languages, content)
    settings["diagnostics"] = diagnostics()
    carry_socials(made, ((name, "", as_text(href)) for name, href in as_dict(said.get("socials")).items()))
    if is_undocs:
        _note_settings(made, said, found)
        return made
    made.note(
        "nuxt.config and app.config",
        "Title and address are taken over; write links of the top bar, colors and footer into octavo.toml.",
        files=[relative(found.config, made.site_dir)] if found.config else [],
    )
    vue = [
        relative(path, made.site_dir)
        for part in ("pages", "app/pages")
        for path in sorted((home / part).rglob("*.vue"))
    ]
    if vue:
        made.note(
            "Pages written in Vue",
            "Write them in Markdown; those that only show the content are not needed.",
            count=len(vue),
            files=vue[:5],
        )
    return made


def _languages(config: Mapping[str, Any], content: Path) -> list[dict[str, Any]]:
    """List the languages that are folders of the content, the default one first; empty where there are no two."""
    given = as_dict(config.get("i18n"))
    listed = [as_dict(one) or {"code": one} for one in as_list(given.get("locales"))]
    default = as_text(given.get("defaultLocale"))
    found = []
    for one in listed:
        code = as_text(one.get("code"))
        if code and (content / code).is_dir():
            tag = as_text(one.get("language")) or as_text(one.get("iso")) or code
            entry = {"folder": code, "id": tag, "label": as_text(one.get("name")) or OWN_NAMES.get(code, code)}
            found.append(entry | ({"dir": "rtl"} if one.get("dir") == "rtl" else {}))
    found.sort(key=lambda one: one["folder"] != default)
    # The layer of Docus has the language in every address; the module alone leaves that of the default one out.
    strategy = as_text(given.get("strategy")) or ("prefix" if "docus" in as_list(config.get("extends")) else "")
    for place, one in enumerate(found):
        if place or strategy in ("prefix", "prefix_and_default"):
            one["path"] = one["folder"]
    return found if len(found) > 1 and found[0]["folder"] == (default or found[0]["folder"]) else []


def _write_languages(plan: Plan, languages: list[dict[str, Any]], content: Path, docs: str) -> None:
    """Write `[[locales]]`, and name the pages that lie in no folder of a language."""
    plan.settings["locales"] = [
        {key: value for key, value in one.items() if key != "folder"}
        | ({"folders": {docs: relative(content / one["folder"], plan.site_dir)}} if place else {})
        for place, one in enumerate(languages)
    ]
    inside = tuple(f"{one['folder']}/" for one in languages)
    beside = [
        relative(path, plan.site_dir)
        for path in sorted(content.rglob("*.md"))
        if not relative(path, content).startswith(inside)
    ]
    if beside:
        remedy = f"Put them into {docs}, and import again."
        plan.note("Pages in no folder of a language are left out", remedy, count=len(beside), files=beside)


def _carry_labels(plan: Plan, languages: list[dict[str, Any]], content: Path) -> None:
    """Take over what folders and pages are called in each language."""
    plain = {key: value for key, value in plan.settings.items() if key != "locales"}
    named = [
        _names(plan, Tree(plan.site_dir, plain, relative(content / one["folder"], plan.site_dir)), content, one)
        for one in languages
    ]
    for one, names in zip(languages[1:], named[1:], strict=True):
        carry_labels(plan, one["id"], ((text, names[path]) for path, text in named[0].items() if path in names))


def _names(plan: Plan, tree: Tree, content: Path, language: Mapping[str, Any]) -> dict[str, str]:
    """Give what the sidebar calls folders and pages: path without numbers → label."""
    root = content / language["folder"]
    found: dict[str, str] = {}
    for file in tree.files:
        label = as_text(as_dict(tree.front(file).get("navigation")).get("title"))
        found[_without_numbers(file)] = label or title_of(tree, file)
        for folder in Path(file).parents[:-1]:
            said = as_dict(read_or_note(plan, root / folder / ".navigation.yml"))
            name = words_of(split_number_prefix(folder.name)[1])
            found[_without_numbers(folder.as_posix())] = as_text(said.get("title")) or name
    return found


def _repository(name: str) -> dict[str, Any]:
    """Make the link of the top bar to `owner/name`."""
    address = f"https://github.com/{name}"
    link = {"label": "GitHub", "href": address, "position": "right", **github_icon(address)}
    return {"items": [link]} if name else {}


def _note_settings(plan: Plan, said: Mapping[str, Any], found: Recognized) -> None:
    """Name the settings of undocs that are not taken over."""
    remedies = {"landing": "Write pages/index.mdx; readers come to the first page instead."}
    for key in sorted(said.keys() - _CARRIED):
        remedy = remedies.get(key, "Look for its counterpart in the reference of settings.")
        files = [relative(found.config, plan.site_dir)] if found.config else []
        plan.note(f'The setting "{key}" of undocs', remedy, files=files)


def _entries(plan: Plan, tree: Tree, root: Path, below: str) -> Iterator[dict[str, Any]]:
    """List the pages and folders of a folder in the order of their numbers."""
    inside = [file for file in tree.files if file.startswith(below)]
    names = sorted(dict.fromkeys(file[len(below) :].partition("/")[0] for file in inside), key=_order)
    for name in names:
        path = f"{below}{name}"
        if path in inside:
            front = tree.front(path)
            if front.get("navigation") is False:
                continue
            label = as_text(as_dict(front.get("navigation")).get("title"))
            yield without_empty({"doc": tree.doc_id(path), "label": label})
            continue
        said = as_dict(read_or_note(plan, root / path / ".navigation.yml"))
        if said.get("navigation") is False:
            continue
        items = list(_entries(plan, tree, root, f"{path}/"))
        if items:
            yield {"category": as_text(said.get("title")) or words_of(split_number_prefix(name)[1]), "items": items}


def _without_numbers(path: str) -> str:
    return "/".join(split_number_prefix(part)[1] for part in path.split("/"))


def _order(name: str) -> tuple[float, str]:
    number, rest = split_number_prefix(name)
    is_index = rest.startswith("index.")
    return (-1 if is_index and number is None else float("inf") if number is None else number, rest)
