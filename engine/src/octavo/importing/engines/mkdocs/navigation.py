"""Navigation and languages that plug-ins of MkDocs read from files: literate-nav, awesome-pages, awesome-nav and i18n."""

from __future__ import annotations

import fnmatch
import posixpath
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from octavo.content import without_code
from octavo.importing.common import as_dict, as_list, as_text, is_external
from octavo.importing.model import Plan
from octavo.importing.navigation import title_of, words_of
from octavo.importing.settings.files import UnreadableError, read_text, read_yaml
from octavo.importing.summary import Chapter, parse_summary
from octavo.importing.tree import Tree, split_front_matter
from octavo.lazy import regex as re

_INDEXES = ("index.md", "README.md")
_REST = re.compile(r"\.\.\.(?:\s*\|.*)?")
"""All entries that are not named, with conditions that are not looked at."""
_DEEPEST = 12
_TITLE = re.compile(r"^#(?!#)[ \t]*\S|^[^\n]*\S[^\n]*\n=+[ \t]*$|<h1\b", re.MULTILINE)
KNOWN = ("literate-nav", "awesome-pages", "awesome-nav", "i18n", "mkdocs-jupyter")
"""Plug-ins that are read here."""


def nav_of_files(tree: Tree, plan: Plan, plugins: dict[str, Any], given: list[Any]) -> list[Any]:
    """Give the navigation as `nav` of `mkdocs.yml` has it; an empty list where no file says how it is.

    Args:
        tree: The documents.
        plan: Its notes tell what cannot be read.
        plugins: Name → options.
        given: `nav` of `mkdocs.yml`.
    """
    return _with_names(_nav_of_files(tree, plan, plugins, given), tree)


def _with_names(items: list[Any], tree: Tree) -> list[Any]:
    """Call sections without a name as the theme does: by the title of their first page, else by their folder."""
    found: list[Any] = []
    for item in items:
        if isinstance(item, dict):
            named = {}
            for title, value in item.items():
                name = title
                if isinstance(value, list) and not as_text(title).strip():
                    first = next((one for one in value if isinstance(one, str) and one in tree.files), "")
                    is_index = posixpath.basename(first) in _INDEXES
                    own = title_of(tree, first) if is_index else ""
                    name = own or words_of(posixpath.basename(posixpath.dirname(first))) or "…"
                named[name] = _with_names(value, tree) if isinstance(value, list) else value
            found.append(named)
        else:
            found.append(item)
    return found


def _nav_of_files(tree: Tree, plan: Plan, plugins: dict[str, Any], given: list[Any]) -> list[Any]:
    folder = plan.site_dir / tree.root
    if "literate-nav" in plugins:
        name = as_text(as_dict(plugins["literate-nav"]).get("nav_file"), "SUMMARY.md")
        literate = _Literate(tree, folder, name)
        return literate.resolved(given) if given else literate.folder("")
    if "awesome-nav" in plugins or ("awesome-pages" in plugins and not given):
        options = as_dict(plugins.get("awesome-nav") or plugins.get("awesome-pages"))
        name = as_text(options.get("filename"), ".nav.yml" if "awesome-nav" in plugins else ".pages")
        return _Awesome(tree, plan, folder, name).folder("", 0)
    return given


class _Literate:
    """Lists of links in files of Markdown."""

    def __init__(self, tree: Tree, folder: Path, name: str) -> None:
        self._tree, self._folder, self._name = tree, folder, name
        self._files = frozenset(tree.files)
        self._named: set[str] = set()
        """Files and folders that have a place: patterns match the others only."""
        self._there = dict.fromkeys(
            "/".join(parts[: index + 1])
            for parts in (file.split("/") for file in _in_order(tree.files))
            for index in reversed(range(len(parts)))
        )
        """Files of the tree, and the folders that they are in."""

    def folder(self, path: str, depth: int = 0) -> list[Any]:
        """Give the entries of a folder; an empty list where it has no such file."""
        file = self._folder / path / self._name
        if depth > _DEEPEST or not file.is_file() or not file.resolve().is_relative_to(self._folder.resolve()):
            return []
        chapters = [one for part in parse_summary(read_text(file), has_plain=True) for one in part.chapters]
        self._note(chapters, path)
        return [entry for one in chapters for entry in self._entry(one, path, depth)]

    def _note(self, chapters: list[Chapter], folder: str) -> None:
        """Note what a list names, before its patterns are looked at."""
        for one in chapters:
            if one.path and not is_external(one.path):
                self._named.add(posixpath.normpath(posixpath.join(folder, one.path)))
            self._note(one.inner, folder)

    def resolved(self, items: list[Any]) -> list[Any]:
        """Put the entries of files in the place of folders that `nav` names."""
        found: list[Any] = []
        self._named.update(one.rstrip("/") for one in items if isinstance(one, str))
        for item in items:
            if isinstance(item, str) and "*" in item:
                found += self._matching(item, 0)
            elif isinstance(item, dict):
                found.append(
                    {
                        title: self.resolved(value) if isinstance(value, list) else self._path(as_text(value), 0)
                        for title, value in item.items()
                    }
                )
            else:
                found.append(item)
        return found

    def _path(self, path: str, depth: int) -> Any:
        if "*" in path:
            return list(self._matching(path, depth))
        self._named.add(path.rstrip("/"))
        return (self.folder(path.rstrip("/"), depth + 1) or path) if path.endswith("/") else path

    def _entry(self, one: Chapter, folder: str, depth: int) -> Iterator[Any]:
        if "*" in one.title and not one.path:
            yield from self._matching(posixpath.join(folder, one.title), depth)
            return
        path = one.path if is_external(one.path) or not one.path else posixpath.join(folder, one.path)
        path = path.removeprefix("./")
        inner = [entry for below in one.inner for entry in self._entry(below, folder, depth)]
        if not inner and path and not is_external(path) and path not in self._tree.files:
            inner, path = self.folder(path, depth + 1) or [f"{path}/"], ""
        if inner:
            yield {one.title: [*([path] if path else []), *inner]}
        elif path:
            yield {one.title: path}

    def _matching(self, pattern: str, depth: int) -> Iterator[Any]:
        """List what a pattern matches: files and folders of one level that have no place yet, folders alone for `*/`."""
        parts = posixpath.normpath(pattern).split("/")
        for path in self._there:
            names = path.split("/")
            if len(names) != len(parts) or not all(map(fnmatch.fnmatch, names, parts)):
                continue
            if path in self._named or names[-1] == self._name:
                continue
            if path in self._files:
                if not pattern.endswith("/"):
                    self._named.add(path)
                    yield path
            elif depth <= _DEEPEST:
                self._named.add(path)
                inner = self.folder(path, depth + 1) or list(self._matching(f"{path}/*", depth + 1))
                if inner:
                    yield {words_of(names[-1]): inner}


def _in_order(files: Iterable[str]) -> list[str]:
    """Sort files as MkDocs does: in each folder the first page, then the others, then the folders."""

    def key(file: str) -> list[tuple[bool, bool, str]]:
        *folders, name = file.split("/")
        return [*((True, True, one.lower()) for one in folders), (False, name not in _INDEXES, name.lower())]

    return sorted(files, key=key)


class _Awesome:
    """A file of settings in each folder."""

    def __init__(self, tree: Tree, plan: Plan, folder: Path, name: str) -> None:
        self._tree, self._plan, self._folder, self._name = tree, plan, folder, name
        self._below: dict[str, dict[str, None]] = {}
        for file in tree.files:
            parts = file.split("/")
            for index in range(len(parts)):
                self._below.setdefault("/".join(parts[:index]), {})["/".join(parts[: index + 1])] = None

    def folder(self, path: str, depth: int) -> list[Any]:
        """Give the entries of a folder."""
        settings = self._settings(path)
        children = self._children(path)
        if settings.get("order") == "desc":
            children.reverse()
        given = as_list(settings.get("nav") or settings.get("arrange"))
        if depth > _DEEPEST:
            return []
        if not given:
            return [entry for child in children for entry in self._child(child, "", depth)]
        named = set(self._named(given, path))
        rest = [child for child in children if child not in named]
        entries = [entry for item in given for entry in self._item(item, path, rest, depth)]
        has_rest = any(isinstance(one, str) and (_REST.fullmatch(one) or "*" in one) for one in given)
        if rest and not has_rest and "arrange" in settings:
            entries += [entry for child in rest for entry in self._child(child, "", depth)]
        return entries

    def _named(self, items: list[Any], folder: str) -> Iterator[str]:
        for item in items:
            for value in item.values() if isinstance(item, dict) else [item]:
                if isinstance(value, list):
                    yield from self._named(value, folder)
                elif isinstance(value, str):
                    yield posixpath.normpath(posixpath.join(folder, value))

    def _item(self, item: Any, folder: str, rest: list[str], depth: int) -> Iterator[Any]:
        if isinstance(item, dict):
            for title, value in item.items():
                if isinstance(value, list):
                    yield {str(title): [one for inner in value for one in self._item(inner, folder, rest, depth)]}
                elif isinstance(value, str) and is_external(value):
                    yield {str(title): value}
                elif isinstance(value, str):
                    yield from self._child(posixpath.normpath(posixpath.join(folder, value)), str(title), depth)
            return
        name = as_text(item)
        if _REST.fullmatch(name):
            for child in rest:
                yield from self._child(child, "", depth)
        elif "*" in name:
            for child in rest:
                if fnmatch.fnmatch(child, posixpath.join(folder, name)):
                    yield from self._child(child, "", depth)
        elif is_external(name):
            yield name
        elif name:
            yield from self._child(posixpath.normpath(posixpath.join(folder, name)), "", depth)

    def _child(self, path: str, title: str, depth: int) -> Iterator[Any]:
        if path in self._below:
            settings = self._settings(path)
            if settings.get("hide") is not True:
                name = title or as_text(settings.get("title")) or words_of(posixpath.basename(path))
                yield {name: self.folder(path, depth + 1)}
        elif path:
            yield {title: path} if title else path

    def _children(self, folder: str) -> list[str]:
        """List the files of a folder, its first page before the others, and then the folders in it."""
        found = list(self._below.get(folder, {}))
        return sorted(
            found, key=lambda path: (path in self._below, posixpath.basename(path) not in _INDEXES, path.lower())
        )

    def _settings(self, folder: str) -> dict[str, Any]:
        file = self._folder / folder / self._name
        if not file.is_file() or not file.resolve().is_relative_to(self._folder.resolve()):
            return {}
        try:
            return as_dict(read_yaml(file))
        except UnreadableError as error:
            self._plan.note(f"{folder or '.'}/{self._name} cannot be read", str(error))
            return {}


def languages_of(options: dict[str, Any], folder: Path) -> tuple[str, list[dict[str, Any]], list[str]]:
    """Read the languages of the plug-in i18n.

    Args:
        options: Of the plug-in.
        folder: Of the documents.

    Returns:
        (folder of the documents of the default language, from that one; entries of `[[locales]]`, the default one first, their folders
        from that one as well, with their translations of labels (`site_name`, `site_description`, `nav`) as `labels`; names of languages
        without files).
    """
    raw = options.get("languages")
    if isinstance(raw, dict):  # the form of its first version
        default = as_text(options.get("default_language"), "en")
        listed = [{"locale": name, "default": name == default, **as_dict(value)} for name, value in raw.items()]
    else:
        listed = [as_dict(one) for one in as_list(raw)]
    listed = [one for one in listed if re.fullmatch(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*", as_text(one.get("locale")))]
    listed.sort(key=lambda one: one.get("default") is not True)
    if len(listed) < 2:
        return "", [], []
    is_folder = as_text(options.get("docs_structure"), "suffix") == "folder"
    first = as_text(listed[0].get("locale"))
    locales: list[dict[str, Any]] = []
    missing: list[str] = []
    for one in listed:
        name = as_text(one.get("locale"))
        entry: dict[str, Any] = {"id": name.replace("_", "-"), "label": as_text(one.get("name"), name)}
        # In the first version of the plug-in, translations of the navigation are beside the languages.
        navigation = as_dict(one.get("nav_translations")) or as_dict(as_dict(options.get("nav_translations")).get(name))
        entry["labels"] = {
            "site_name": one.get("site_name"),
            "site_description": one.get("site_description"),
            "nav": navigation,
        }
        if name != first:
            has_files = (folder / name).is_dir() if is_folder else any(folder.rglob(f"*.{name}.md"))
            if one.get("build") is False or not has_files:
                missing.append(name)
                continue
            entry |= {"path": name, **({"docs": name} if is_folder else {"suffix": name})}
        elif not is_folder and any(folder.rglob(f"*.{name}.md")):
            entry["suffix"] = name
        locales.append(entry)
    home = first if is_folder and (folder / first).is_dir() else ""
    return home, locales if len(locales) > 1 else [], missing


def titles_of(tree: Tree, items: list[dict[str, Any]]) -> dict[str, str]:
    """Name the pages without a heading as MkDocs does; path of the file → title.

    The navigation comes before the front matter there, and the name of the file is the last.
    """
    labels = dict(_labels(items))
    titles = {}
    for file in tree.files:
        text = split_front_matter(tree.text(file))[1]
        if _TITLE.search(without_code(text)):
            continue
        label, given = labels.get(tree.doc_id(file)), as_text(tree.front(file).get("title"))
        if given and label in {None, "", given}:
            continue
        stem = posixpath.splitext(posixpath.basename(file))[0]
        words = stem.replace("-", " ").replace("_", " ")
        own = "Home" if tree.route(file) == "/" else words.capitalize() if words == words.lower() else words
        titles[tree.path(file)] = label or own
    return titles


def _labels(items: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Find what the navigation calls pages: (id, label)."""
    for item in items:
        if item.get("doc") and item.get("label"):
            yield item["doc"], item["label"]
        link = as_dict(item.get("link"))
        if link.get("id") and item.get("category"):
            yield link["id"], item["category"]
        yield from _labels(as_list(item.get("items")))
