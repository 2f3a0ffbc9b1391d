"""Projects of MyST without Sphinx: `myst.yml` of mystmd and Jupyter Book 2, `_config.yml` and `_toc.yml` of Jupyter Book 1."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import msgspec

from octavo.errors import UsageError
from octavo.importing.common import as_dict, as_list, as_text, local_href
from octavo.importing.engines.mkdocs import load_yaml
from octavo.importing.look.extras import carry_google
from octavo.importing.model import Plan
from octavo.importing.navigation import title_of
from octavo.importing.tree import Tree
from octavo.importing.watched import Watched
from octavo.lazy import regex as re

_ABBREVIATIONS = "octavo-abbreviations.md"


class Project(msgspec.Struct):
    """What a project's own files say about it."""

    title: str
    toc: list[Any]
    """Entries with `file`, `url`, `title`, `caption`, `children`, `sections`, `chapters` or `parts`."""
    exclude: list[str] = []
    substitutions: dict[str, Any] = {}
    extlinks: dict[str, Any] = {}
    """Roles that are links: name → address and text."""
    abbreviations: dict[str, str] = {}
    """Word → what it stands for, which readers see wherever the word is."""
    tagline: str = ""
    google: str = ""
    """Measurement id."""
    references: dict[str, str] = {}
    """Other projects: `xref:name` → address."""
    github: str = ""
    url: str = ""
    is_flat: bool = False
    """Addresses have the names of files only, without their folders."""
    conf: dict[str, Any] = {}
    """What is said under the names that settings have in a `conf.py`."""
    bar: list[dict[str, Any]] = []
    """Entries of the top bar."""
    said: Any = None
    """The settings themselves, which record what was read."""


def read_project(config: Path) -> Project:
    """Read the files of a project.

    Args:
        config: Its `myst.yml` or `_config.yml`.

    Raises:
        UsageError: a file can't be read.
    """
    raw = Watched(load_yaml(config))
    if config.name == "_config.yml":
        toc = load_yaml(config.parent / "_toc.yml")
        sphinx = as_dict(as_dict(raw.get("sphinx")).get("config"))
        root = {"file": toc.get("root")} if toc.get("root") else None
        return Project(
            title=as_text(raw.get("title")) or config.parent.name,
            toc=[*([root] if root else []), toc],
            exclude=[as_text(one) for one in as_list(raw.get("exclude_patterns"))],
            substitutions=as_dict(sphinx.get("myst_substitutions")),
            extlinks=as_dict(sphinx.get("extlinks")),
            github=as_text(as_dict(raw.get("repository")).get("url")),
            url=as_text(as_dict(raw.get("html")).get("baseurl")),
            conf=_conf_of_book(raw, sphinx),
            said=raw,
        )
    project, site = as_dict(raw.get("project")), as_dict(raw.get("site"))
    return Project(
        title=as_text(project.get("title")) or as_text(site.get("title")) or _name_of(project, config),
        toc=as_list(project.get("toc")),
        exclude=[as_text(one) for one in as_list(project.get("exclude"))],
        substitutions=as_dict(project.get("substitutions")),
        abbreviations={
            str(name): text for name, value in as_dict(project.get("abbreviations")).items() if (text := as_text(value))
        },
        tagline=as_text(project.get("description")),
        google=as_text(as_dict(site.get("options")).get("analytics_google")),
        references={
            f"xref:{name}": as_text(one.get("url")) if isinstance(one, dict) else as_text(one)
            for name, one in as_dict(project.get("references")).items()
        },
        github=as_text(project.get("github")),
        is_flat=as_dict(site.get("options")).get("folders") is not True,
        conf={
            **_conf_of_site(as_dict(site.get("options"))),
            "copyright": as_text(project.get("copyright")),
            "mathjax3_config": {"tex": {"macros": _macros(project.get("math"))}},
        },
        bar=[*_bar(site.get("nav")), *({**one, "position": "right"} for one in _bar(site.get("actions")))],
        said=raw,
    )


def external_toc(config: dict[str, Any], source: Path) -> list[Any]:
    """Read the table of contents of the extension sphinx_external_toc, in a file beside the pages; empty where there is none."""
    if "sphinx_external_toc" not in as_list(config.get("extensions")):
        return []
    path = source / as_text(config.get("external_toc_path"), "_toc.yml")
    # Programs write the file from a template, which differs from it in addresses.
    path = path if path.is_file() else path.with_name(f"{path.name}.in")
    if not path.is_file() or not path.resolve().is_relative_to(source.resolve()):
        return []
    try:
        toc = load_yaml(path)
    except UsageError:
        return []
    return [*([{"file": toc["root"]}] if toc.get("root") else []), toc]


def _conf_of_book(raw: dict[str, Any], sphinx: dict[str, Any]) -> dict[str, Any]:
    """Give logo, icon, repository and redirects of Jupyter Book 1; `sphinx` is what it hands to Sphinx as it is."""
    html, repository = as_dict(raw.get("html")), as_dict(raw.get("repository"))
    options = {
        "repository_url": as_text(repository.get("url")),
        "repository_branch": as_text(repository.get("branch")),
        "path_to_docs": as_text(repository.get("path_to_book")),
        "use_edit_page_button": html.get("use_edit_page_button") is True,
        **as_dict(sphinx.get("html_theme_options")),
    }
    return {
        "copyright": as_text(raw.get("copyright")),
        "author": raw.get("author"),
        "html_logo": raw.get("logo"),
        "html_favicon": html.get("favicon") or sphinx.get("html_favicon"),
        "html_static_path": sphinx.get("html_static_path"),
        "html_theme_options": options,
        "rediraffe_redirects": sphinx.get("rediraffe_redirects"),
    }


def _conf_of_site(options: dict[str, Any]) -> dict[str, Any]:
    """Give logo and icon of mystmd."""
    logos = {"light_logo": as_text(options.get("logo")), "dark_logo": as_text(options.get("logo_dark"))}
    return {"html_favicon": options.get("favicon"), "html_theme_options": logos}


def _macros(raw: Any) -> dict[str, str]:
    """Give the commands of formulas, without their backslash."""
    given = as_dict(raw).items()
    texts = {str(name): as_text(as_dict(value).get("macro")) or as_text(value) for name, value in given}
    return {name.removeprefix("\\"): text for name, text in texts.items() if text}


def gone_files(tree: Tree, toc: list[Any]) -> list[str]:
    """List the files that the table of contents names and that are not there."""
    return [name for name in _files(toc) if tree.find(re.sub(r"\.(?:md|ipynb)\Z", "", name)) is None]


def carry_texts(plan: Plan, project: Project) -> None:
    """Take over what a project says beside its pages: its line below the title, abbreviations, and measurement."""
    if project.tagline:
        plan.settings["tagline"] = project.tagline
    carry_google(plan, [project.google])
    if project.abbreviations:
        plan.files[_ABBREVIATIONS] = "".join(f"*[{name}]: {text}\n" for name, text in project.abbreviations.items())
        plan.settings["exclude"].append(_ABBREVIATIONS)
        markdown = plan.settings["markdown"]
        markdown["append"] = [_ABBREVIATIONS]
        markdown["extensions"] = sorted([*markdown["extensions"], "abbr"])


def _bar(raw: Any) -> Iterator[dict[str, Any]]:
    for one in map(as_dict, as_list(raw)):
        label, url = as_text(one.get("title")), as_text(one.get("url"))
        if inner := list(_bar(one.get("children"))):
            yield {"label": label, "items": inner}
        elif label and url:
            yield {"label": label, "href": local_href(url)}


def _name_of(project: dict[str, Any], config: Path) -> str:
    return as_text(project.get("github")).rstrip("/").rpartition("/")[2] or config.parent.name


def flat_routes(tree: Tree, project: Project) -> dict[str, str]:
    """Give the route of each file as mystmd does: by its name only, with a number where that is taken."""
    listed = [file for name in _files(project.toc) if (file := tree.find(re.sub(r"\.(?:md|ipynb)\Z", "", name)))]
    ordered = dict.fromkeys([*listed, *tree.files])
    routes: dict[str, str] = {}
    taken: set[str] = set()
    for number, file in enumerate(ordered):
        stem = posixpath.splitext(file)[0]
        name = posixpath.basename(stem)
        if name in ("index", "README", "readme"):
            name = posixpath.basename(posixpath.dirname(stem)) or "index"
        slug = re.sub(r"[^a-z0-9]+", "-", re.sub(r"\A\d+[-_. ]+", "", name.lower())).strip("-") or f"page-{number}"
        own, again = slug, 0
        while own in taken:
            again += 1
            own = f"{slug}-{again}"
        taken.add(own)
        routes[file] = "/" if not number else f"/{own}/"
    return routes


def _files(entries: list[Any]) -> Iterator[str]:
    for entry in map(as_dict, entries):
        if name := as_text(entry.get("file")):
            yield name
        for key in _INNER:
            yield from _files(as_list(entry.get(key)))


_INNER = ("parts", "chapters", "sections", "children", "entries", "subtrees")


def sidebar_of(tree: Tree, entries: list[Any]) -> list[dict[str, Any]]:
    """Write a table of contents as entries of a sidebar."""
    written: list[dict[str, Any]] = []
    for entry in map(as_dict, entries):
        label = as_text(entry.get("title")) or as_text(entry.get("caption"))
        inner = sidebar_of(tree, [one for key in _INNER for one in as_list(entry.get(key))])
        if pattern := as_text(entry.get("glob")):
            found = sorted(one for one in tree.files if fnmatchcase(posixpath.splitext(one)[0], pattern))
            written += [{"doc": tree.doc_id(one), "label": title_of(tree, one)} for one in found]
            continue
        name = as_text(entry.get("file"))
        file = tree.find(re.sub(r"\.(?:md|ipynb)\Z", "", name)) if name else None
        if inner and (label or file):
            link = {"link": {"type": "doc", "id": tree.doc_id(file)}} if file else {}
            written.append({"category": label or title_of(tree, file or ""), **link, "items": inner})
        elif inner:
            written += inner
        elif file:
            written.append({"doc": tree.doc_id(file), "label": label or title_of(tree, file)})
        elif url := as_text(entry.get("url")):
            written.append({"href": url, "label": label or url})
    return written
