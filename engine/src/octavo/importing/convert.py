"""Copy a site into a folder of its own: the files that it is made of, and nothing of the old engine."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from octavo.errors import UsageError
from octavo.importing.model import Plan

_LEFT_OUT = shutil.ignore_patterns("node_modules", ".git", ".octavo", ".vitepress", ".docusaurus")


def copy_site(plan: Plan, to: Path) -> None:
    """Copy what the settings name, and make the copy the plan's site.

    Args:
        plan: Its paths stay as they are: the copy has the same folders.
        to: A folder that is new or empty.

    Raises:
        UsageError: the folder is not empty, or lies in what is copied.
    """
    to = to.resolve()
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise UsageError(f"{to} is not empty; name a new folder.")
    folders = sorted(set(_folders(plan.settings)))
    if any(to.is_relative_to((plan.site_dir / folder).resolve()) for folder in folders):
        raise UsageError(f"{to} is inside the site that is copied; name a folder outside of it.")
    to.mkdir(parents=True, exist_ok=True)
    for folder in folders:
        source = plan.site_dir / folder
        if source.is_dir() and (to / folder).resolve().is_relative_to(to):
            shutil.copytree(source, to / folder, ignore=_LEFT_OUT, dirs_exist_ok=True)
    plan.site_dir = to


def _folders(settings: dict[str, Any]) -> Iterator[str]:
    for key in ("docs", "pages", "static", "components"):
        if key in settings:
            yield settings[key]
    yield from settings.get("mounts", {})
    for version in settings.get("versions", []):
        yield version.get("docs", "docs")
    for locale in settings.get("locales", []):
        yield from locale.get("folders", {}).values()
    code = settings.get("extension_options", {}).get("python_api", {})
    yield from (f"{folder}/{name}" for folder in code.get("paths", []) for name in code.get("packages", []))
    markdown = settings.get("markdown")
    if isinstance(markdown, dict):
        yield from markdown.get("snippets", [])
        yield from markdown.get("aliases", {}).values()
