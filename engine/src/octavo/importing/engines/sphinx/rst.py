"""What an import of Sphinx needs to know of files in reStructuredText: settings, tables of contents, labels."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from octavo.content import is_known_directive, labels_in, slugify_docutils
from octavo.importing.common import as_dict, as_list, as_text, without_empty
from octavo.importing.model import Plan
from octavo.importing.settings.files import read_text
from octavo.importing.settings.role_programs import directives_like, role_links
from octavo.importing.tree import Tree
from octavo.lazy import regex as re

_TOCTREE = re.compile(
    r"^(?P<indent>[ \t]*)\.\.[ \t]+(?:toctree|nbgallery)::[^\n]*\n(?P<body>(?:(?P=indent)[ \t]+[^\n]*\n?|[ \t]*\n)*)",
    re.MULTILINE,
)
_SHOWS_MATH = re.compile(r":math:`|^[ \t]*\.\.[ \t]+math::|`:math:", re.MULTILINE)
_AUTODOC = re.compile(
    r"^[ \t]*\.\.[ \t]+(?:py:)?(?:automodule|autoclass|autofunction|autoexception|autodata|automethod|autoattribute|autodecorator|module|currentmodule)::[ \t]*([A-Za-z_]\w*)",
    re.MULTILINE,
)
_OBJECT_TYPE = re.compile(
    r"""add_(?:crossref|object)_type\(\s*(?:directivename\s*=\s*)?["'](\w[\w-]*)["']""",
)
_DIRECTIVE = re.compile(r"^[ \t]*\.\.[ \t]+([a-z][\w-]*)::[ \t]+\S", re.MULTILINE)
_ROLE = re.compile(r"(?<![\w:]):([a-z][\w-]*):`")
_MOST_PROGRAMS = 50
_VERSION = re.compile(r"""^(?:__version__|version)\s*(?::\s*\w+\s*)?=\s*["']([\w.+!-]+)["']""", re.MULTILINE)


class TocLine(NamedTuple):
    """A line of a table of contents."""

    path: str
    title: str = ""


class Toc(NamedTuple):
    """A table of contents of a page."""

    caption: str
    entries: list[TocLine]
    is_glob: bool
    is_reversed: bool


def can_read_rst() -> bool:
    """Whether docutils is there."""
    return find_spec("docutils") is not None


def has_rst(source: Path) -> bool:
    """Whether a folder holds pages in reStructuredText."""
    return any("node_modules" not in path.parts for path in source.rglob("*.rst"))


def notebook_extensions(source: Path, config: Mapping[str, Any], *, is_project: bool) -> list[str]:
    """Give the extensions of Markdown for the notebooks of a folder, where the site makes pages of them."""
    readers = {as_text(one) for one in as_list(config.get("extensions"))}
    if not is_project and readers.isdisjoint(("myst_nb", "nbsphinx", "jupyter_book")):
        return []
    has_some = any(not any(part.startswith((".", "_")) for part in path.parts[-3:]) for path in source.rglob("*.ipynb"))
    return ["notebooks", *(["jupyter_ids"] if "nbsphinx" in readers else [])] if has_some else []


def tocs_in(text: str) -> Iterator[Toc]:
    """Find the tables of contents of a file in reStructuredText."""
    for match in _TOCTREE.finditer(text):
        options: dict[str, str] = {}
        entries = []
        for line in (one.strip() for one in match["body"].split("\n")):
            if option := re.match(r":([\w-]+):[ \t]*(.*)$", line):
                options[option[1]] = option[2]
            elif found := re.match(r"(?P<title>.*?\S)\s*<(?P<path>[^<>]+)>$", line):
                entries.append(TocLine(found["path"], re.sub(r"[`*]", "", found["title"])))
            elif line and not line.startswith(".. "):
                entries.append(TocLine(line))
        yield Toc(options.get("caption", ""), entries, "glob" in options, "reversed" in options)


def expand(entry: TocLine, folder: str, tree: Tree) -> list[str]:
    """List the files that a pattern in a table of contents names, sorted; paths are from the folder of `conf.py`."""
    pattern = entry.path.lstrip("/") if entry.path.startswith("/") or not folder else f"{folder}/{entry.path}"
    parts = {"**": ".*", "*": "[^/]*", "?": "[^/]"}
    form = "".join(parts.get(part) or re.escape(part) for part in re.split(r"(\*\*|\*|\?)", pattern))
    stems = {re.sub(r"\.(?:md|mdx|markdown|rst|ipynb)$", "", file): file for file in tree.files}
    return [file for stem, file in sorted(stems.items()) if re.fullmatch(form, stem)]


def add_rst(plan: Plan, config: dict[str, Any], tree: Tree, root: str) -> None:
    """Write the settings of reStructuredText.

    Args:
        plan: Gets them.
        config: The values of `conf.py`.
        tree: The documents.
        root: Folder of `conf.py`, from the site's folder.
    """
    markdown = plan.settings["markdown"]
    extensions = markdown["extensions"]
    if (
        any(_SHOWS_MATH.search(tree.text(file)) for file in tree.files if file.endswith(".rst"))
        and "math" not in extensions
    ):
        extensions.append("math")
    programs = programs_of(plan.site_dir, plan.site_dir / root, config)
    directives = {name: like for name, like in directives_like(programs).items() if not is_known_directive(name)}
    objects = sorted({*_object_types(programs), *_described(tree)} - directives.keys())
    given = {
        "root": "" if root == "." else root,
        "prolog": _lines(config.get("rst_prolog")),
        "epilog": _lines(config.get("rst_epilog")),
        "default_role": as_text(config.get("default_role")),
        "highlight": _language(as_text(config.get("highlight_language"))),
        "domain": ""
        if as_text(config.get("primary_domain"), "py") in ("py", "None")
        else as_text(config.get("primary_domain")),
        "extlinks": links_of_roles(config, programs),
        "objects": objects,
        "directives": directives,
        "autodoc": _autodoc_options(config),
        "projects": dict(projects_of(config)),
        "packages": list(
            as_dict(as_dict(plan.settings.get("extension_options")).get("python_api")).get("packages", [])
        ),
    }
    if table := without_empty(given):
        markdown["rst"] = table
    variables = markdown.setdefault("variables", {})
    for name in ("version", "release"):
        value = as_text(config.get(name)) or project_version(plan.site_dir)
        if value:
            variables.setdefault(name, value)
    if any("|today|" in tree.text(file) for file in tree.files):
        form = as_text(config.get("today_fmt")) or "%b %d, %Y"
        variables.setdefault("today", as_text(config.get("today")) or dt.datetime.now(dt.UTC).strftime(form))
    if not variables:
        del markdown["variables"]


def links_of_roles(config: dict[str, Any], programs: list[Path]) -> dict[str, list[str]]:
    """Give the roles of a site that are links: name → address and text, with `%s` for what the role holds."""
    manual = as_text(config.get("manpages_url"))
    pages = {"manpage": [manual, ""]} if "://" in manual and "{p" in manual else {}
    return {**_issues(config), **pages, **role_links(programs), **dict(_extlinks(config.get("extlinks")))}


def _lines(given: object) -> str:
    return given.strip("\n") if isinstance(given, str) else ""


def _language(given: str) -> str:
    return "" if given in ("default", "none", "guess", "text", "python3") else given


def _extlinks(given: object) -> Iterator[tuple[str, list[str]]]:
    for name, value in as_dict(given).items():
        parts = [as_text(one) for one in as_list(value)]
        if parts and "%s" in parts[0]:
            yield str(name), [parts[0], parts[1] if len(parts) > 1 else ""]


def _object_types(programs: list[Path]) -> Iterator[str]:
    """Find the kinds of objects that `conf.py` and extensions of the site add."""
    for path in programs:
        yield from _OBJECT_TYPE.findall(read_text(path))


def programs_of(site_dir: Path, home: Path, config: dict[str, Any]) -> list[Path]:
    """List `conf.py`, the programs beside it and in the folders there, and those of the site that it names as extensions."""
    folders = ("*.py", "_*/*.py", "ext*/*.py")
    found = [home / "conf.py", *(path for folder in folders for path in sorted(home.glob(folder)))]
    for name in map(as_text, as_list(config.get("extensions"))):
        path = "/".join(name.split("."))
        for folder in dict.fromkeys((home, home.parent, site_dir)):
            found += [folder / f"{path}.py", *sorted((folder / path).glob("*.py"))]
    root = site_dir.resolve()
    inside = (path for path in dict.fromkeys(found) if path.is_file() and path.resolve().is_relative_to(root))
    return list(inside)[:_MOST_PROGRAMS]


def _described(tree: Tree) -> set[str]:
    """Find further kinds of objects: what pages describe by a directive and refer to by a role of the same name."""
    directives: set[str] = set()
    roles: set[str] = set()
    for file in tree.files:
        if file.endswith(".rst"):
            text = tree.text(file)
            directives.update(_DIRECTIVE.findall(text))
            roles.update(_ROLE.findall(text))
    return {name for name in directives & roles if not is_known_directive(name)}


def _issues(config: dict[str, Any]) -> dict[str, list[str]]:
    """Give the roles of sphinx-issues as links."""
    if "sphinx_issues" not in as_list(config.get("extensions")):
        return {}
    project = as_text(config.get("issues_github_path")) or as_text(config.get("issues_default_group_project"))
    host = "https://github.com"
    own = {"issue": [f"{host}/{project}/issues/%s", "#%s"], "pr": [f"{host}/{project}/pull/%s", "#%s"],
           "commit": [f"{host}/{project}/commit/%s", "%s"]}  # fmt: skip
    return {**(own if project else {}), "user": [f"{host}/%s", "@%s"]}


def projects_of(config: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """List the other projects that texts refer to, as (name, address)."""
    for name, value in as_dict(config.get("intersphinx_mapping")).items():
        address = as_text(as_list(value)[0] if as_list(value) else value)
        if address.startswith(("http://", "https://")):
            yield str(name), address


def project_version(folder: Path) -> str:
    """Find the version of a project in its files, where `conf.py` computes it."""
    for path in (folder / "pyproject.toml", *sorted(folder.glob("src/*/__init__.py")), *sorted(folder.glob("*/__init__.py")),
                 *sorted(folder.glob("src/*/*version*.py")), *sorted(folder.glob("*/*version*.py"))):  # fmt: skip
        try:
            found = _VERSION.search(path.read_text(encoding="utf-8", errors="replace"))
        except OSError:
            continue
        if found:
            return found[1]
    return ""


def packages_named(tree: Tree) -> set[str]:
    """Name the packages whose source pages of reStructuredText ask for."""
    return {name for file in tree.files if file.endswith(".rst") for name in _AUTODOC.findall(tree.text(file))}


def labels_of(text: str) -> Iterator[tuple[str, str]]:
    """Find the labels of a file: (label in small letters, id)."""
    for label in labels_in(text):
        yield label, slugify_docutils(label)


def _autodoc_options(config: dict[str, Any]) -> dict[str, str]:
    """Read the options that directives of autodoc have by default; `True` and `None` ask for all members."""
    given = {as_text(flag): None for flag in as_list(config.get("autodoc_default_flags"))}
    given |= as_dict(config.get("autodoc_default_options"))
    listed = {name: ", ".join(map(as_text, as_list(value))) for name, value in given.items() if isinstance(value, list)}
    texts = {name: "" if value in (True, None) else as_text(value) for name, value in given.items()}
    return {name: listed.get(name, texts[name]) for name, value in given.items() if name and value is not False}


def choose_as_autodoc(plan: Plan, config: dict[str, Any]) -> None:
    """Show members of Python objects in the order and with the docstrings that autodoc gives them."""
    options = as_dict(as_dict(plan.settings.get("extension_options")).get("python_api")).get("options")
    if isinstance(options, dict):
        options["inherit_docstrings"] = config.get("autodoc_inherit_docstrings") is not False
        if as_text(config.get("autodoc_member_order"), "alphabetical") != "bysource":
            options["members_order"] = "alphabetical"
