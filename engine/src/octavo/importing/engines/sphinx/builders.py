"""Which builder of Sphinx publishes a site, which decides on all of its addresses, and the redirects of its extensions."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from octavo.hosting import find_repository
from octavo.importing.common import as_dict, as_list, as_text
from octavo.importing.model import Plan
from octavo.importing.settings.files import text_or_empty
from octavo.importing.tree import Tree
from octavo.lazy import regex as re
from octavo.text_files import SyntaxMistakeError, parse_yaml

_OF_HOST = (".readthedocs.yaml", ".readthedocs.yml", "readthedocs.yaml", "readthedocs.yml")
_SCRIPTS = ("Makefile", "tox.ini", "noxfile.py", "justfile", "pyproject.toml")
_FOLDERS = re.compile(r"(?:-b|--builder)[\s=\"',]+(?:dirhtml|htmldir)\b")
_FILES = re.compile(r"(?:-b|--builder)[\s=\"',]+html\b")
_MOST_ABOVE = 3
"""Folders above that of `conf.py` in which a project may say how it is built."""
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


def publishes_folders(source: Path) -> bool:
    """Whether pages are published as `page/`, by the builder dirhtml, and not as `page.html`.

    Args:
        source: Folder of `conf.py`.
    """
    root = find_repository(source)
    above = [source, *source.parents[:_MOST_ABOVE]]
    above = above[: above.index(root) + 1] if root in above and root != source else above
    for folder in above:
        for name in _OF_HOST:
            if (folder / name).is_file() and (found := _of_host(folder / name, source)) is not None:
                return found
    texts = [text_or_empty(folder / name) for folder in above for name in _SCRIPTS if (folder / name).is_file()]
    return any(_FOLDERS.search(one) for one in texts) and not any(_FILES.search(one) for one in texts)


def _of_host(path: Path, source: Path) -> bool | None:
    """Read the configuration of Read the Docs; None where it says nothing of this `conf.py`."""
    try:
        settings = as_dict(parse_yaml(text_or_empty(path)))
    except SyntaxMistakeError:
        return None
    sphinx, build = as_dict(settings.get("sphinx")), as_dict(settings.get("build"))
    named = as_text(sphinx.get("configuration"))
    if named and (path.parent / named).resolve() != (source / "conf.py").resolve():
        return None
    lines = [*as_list(build.get("commands")), *as_list(as_dict(as_dict(build.get("jobs")).get("build")).get("html"))]
    commands = "\n".join(as_text(one) for one in lines)
    if _FOLDERS.search(commands):
        return True
    if not named and path.parent != source:
        return None
    return as_text(sphinx.get("builder"), "html") in ("dirhtml", "htmldir")


def carry_redirects(plan: Plan, tree: Tree, config: dict[str, Any], source: Path) -> None:
    """Take over the redirects of the extensions rediraffe and reredirects."""
    taken = {tree.route(file) for file in tree.files}
    ending = plan.settings["routing"]["ending"]
    found = [*_rediraffe(plan, tree, config.get("rediraffe_redirects"), source, ending)]
    if "sphinx_reredirects" in as_list(config.get("extensions")):
        given = as_dict(config.get("redirects"))
        found += _reredirects(given, ending)
        if patterns := [str(name) for name in given if "*" in str(name)]:
            plan.note(
                "Redirects for many pages at once",
                "Write one under [[redirects]] for each page.",
                files=[f"{name} → {as_text(given[name])}" for name in patterns],
            )
    written = [{"from": old, "to": new} for old, new in found if old not in taken and old != new]
    if written:
        plan.settings["redirects"] = [*plan.settings.get("redirects", []), *written]


def _route(stem: str, ending: str) -> str:
    """Give the address of a page that is no more, by its file without an extension."""
    if ending == "/" and posixpath.basename(stem) == "index":
        stem = posixpath.dirname(stem)
    return f"/{stem}{ending}" if stem else "/"


def _rediraffe(plan: Plan, tree: Tree, given: object, source: Path, ending: str) -> Iterator[tuple[str, str]]:
    """List old and new addresses: old file → new file, in a table or in a file with two names a line."""
    pairs = as_dict(given)
    if isinstance(given, str) and (source / given).is_file() and (source / given).resolve().is_relative_to(source):
        pairs = dict(
            re.findall(r'^[ \t]*"?([^"\s]+)"?[ \t]+"?([^"\s]+)"?[ \t]*$', text_or_empty(source / given), re.MULTILINE)
        )
    for old, new in pairs.items():
        file = tree.find(posixpath.splitext(as_text(new))[0])
        if file is None:
            plan.note(
                "Redirects to pages that do not exist",
                "Name other pages under [[redirects]].",
                files=[f"{old} → {as_text(new)}"],
            )
        else:
            yield _route(posixpath.splitext(old.strip("/"))[0], ending), tree.route(file)


def _reredirects(given: dict[str, Any], ending: str) -> Iterator[tuple[str, str]]:
    """List old and new addresses: old page → an address, from the root or from the old page."""
    for name, value in given.items():
        stem, new = str(name).strip("/").removesuffix(".html"), as_text(value)
        if not new or "*" in stem:
            continue
        old = _route(stem, ending)
        if not new.startswith("/") and not _ELSEWHERE.match(new):
            new = posixpath.normpath(posixpath.join(posixpath.dirname(old), new)) + ("/" if new.endswith("/") else "")
        yield old, new
