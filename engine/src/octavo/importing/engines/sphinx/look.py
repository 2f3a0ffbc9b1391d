"""What the settings of Sphinx and its themes say of the top bar: logo, icon, repository."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from octavo.importing.common import (
    as_dict,
    as_list,
    as_text,
    carry_edit_url,
    github_icon,
    is_external,
    relative,
    without_empty,
)
from octavo.importing.model import Plan
from octavo.lazy import regex as re
from octavo.site import is_inside

_REPOSITORY = ("source_repository", "repository_url", "github_url", "gitlab_url")
"""Options of themes that name the repository: of Furo, of the book theme, of the PyData theme."""
_BRANCH = ("source_branch", "repository_branch")
_FOLDER = ("source_directory", "path_to_docs")
_OPTIONS_READ = frozenset(
    [*_REPOSITORY, *_BRANCH, *_FOLDER, "use_edit_page_button", "light_logo", "dark_logo", "logo"]
    + [f"{mode}_css_variables" for mode in ("light", "dark")]
)
_CONTEXT_READ = frozenset(
    ["display_github", "github_user", "github_repo", "github_version", "conf_py_path", "doc_path"]
)


def carry_pictures(plan: Plan, config: Mapping[str, Any], source: Path) -> set[str]:
    """Take over the logo and the icon.

    Args:
        plan: Gets `favicon`, `[navbar.logo]` and copies of the pictures.
        config: What `conf.py` says.
        source: The folder of `conf.py`.

    Returns:
        Names of the settings that were read.
    """
    options = as_dict(config.get("html_theme_options"))
    logo = as_dict(options.get("logo"))
    given = {
        "src": [config.get("html_logo"), options.get("light_logo"), logo.get("image_light")],
        "src_dark": [options.get("dark_logo"), logo.get("image_dark")],
    }
    places = [source, *(source / as_text(one) for one in as_list(config.get("html_static_path")))]
    found: dict[str, str] = {}
    for key, names in given.items():
        for name in filter(None, map(as_text, names)):
            if address := _picture(plan, name, places):
                found[key] = address
    if "src" in found:
        alt = as_text(logo.get("alt_text")) or plan.settings["title"]
        plan.settings["navbar"]["logo"] = {**found, "alt": alt}
    icon = as_text(config.get("html_favicon"))
    if icon and (address := _picture(plan, icon, places)):
        plan.settings["favicon"] = address
    read = {"html_logo"} if "src" in found else set()
    return read | ({"html_favicon"} if "favicon" in plan.settings else set())


def carry_copyright(plan: Plan, config: Mapping[str, Any]) -> None:
    """Take over the line about copyright below each page."""
    given = config.get("copyright") or config.get("project_copyright")
    words = "; ".join(filter(None, (" ".join(as_text(one).split()) for one in as_list(given))))
    if not words or config.get("html_show_copyright") is False:
        return
    author = " ".join(as_text(config.get("author")).split())
    if re.fullmatch(r"[\d\s,–-]+", words) and author:
        words = f"{words.rstrip(', ')}, {author}"
    # A text that says so itself gets no second mark.
    has_mark = re.match(r"(?:©|\(c\)|copyright)", words, re.IGNORECASE) is not None
    plan.settings["footer"] = {"copyright": words if has_mark else f"© {words}"}


def _picture(plan: Plan, name: str, places: list[Path]) -> str:
    """Give the address of a picture, and plan its copy; empty where there is no such file."""
    if is_external(name):
        return name
    for place in places:
        path = relative(place / name, plan.site_dir)
        if is_inside(plan.site_dir, path) and (plan.site_dir / path).is_file():
            target = f"octavo-logo/{posixpath.basename(path)}"
            plan.copies[f"{plan.settings['static']}/{target}"] = plan.site_dir / path
            return f"/{target}"
    return ""


def carry_repository(plan: Plan, config: Mapping[str, Any], docs: str) -> None:
    """Take over the link to the repository, and where pages can be edited; note the options that have no effect.

    Args:
        plan: Gets `edit_url`, an entry of the top bar, and notes.
        config: What `conf.py` says.
        docs: The folder of the pages, from the site's folder.
    """
    options, context = as_dict(config.get("html_theme_options")), as_dict(config.get("html_context"))
    user, name = as_text(context.get("github_user")), as_text(context.get("github_repo"))
    of_context = f"https://github.com/{user}/{name}" if user and name else ""
    repository = _first(options, _REPOSITORY) or of_context
    items = plan.settings["navbar"].get("items", [])
    if is_external(repository) and repository not in [one.get("href") for one in items]:
        label = {"label": "GitHub" if github_icon(repository) else "Repository", "href": repository}
        plan.settings["navbar"]["items"] = [*items, {**label, "position": "right", **github_icon(repository)}]
    branch = _first(options, _BRANCH) or as_text(context.get("github_version"))
    folder = _first(options, _FOLDER) or as_text(context.get("conf_py_path")) or as_text(context.get("doc_path"))
    # Of the button, the themes say themselves whether it is shown; that of Furo is where the repository is known.
    is_shown = options.get("use_edit_page_button") is True or "source_repository" in options
    if repository.startswith("https://github.com/") and branch and (is_shown or context.get("display_github") is True):
        address = posixpath.join(repository.rstrip("/"), "edit", branch, folder.strip("/"))
        carry_edit_url(plan, address, docs)
    unread = [*_unread("html_theme_options", options, _OPTIONS_READ), *_unread("html_context", context, _CONTEXT_READ)]
    if unread:
        remedy = "Look for those that readers would miss; octavo.toml may have a setting of another name."
        what = f"Options of the theme of Sphinx that have no effect: {', '.join(unread)}"
        plan.note(what, remedy, count=len(unread))


def _first(options: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next(filter(None, (as_text(options.get(name)) for name in names)), "")


def _unread(table: str, options: Mapping[str, Any], read: frozenset[str]) -> Iterator[str]:
    yield from (f"{table}.{key}" for key in sorted(without_empty(dict(options))) if key not in read)
