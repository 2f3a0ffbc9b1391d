"""Just the Docs, a theme of Jekyll: links of its bars, the line below its pages, its logo, and the titles of its callouts."""

from __future__ import annotations

import html
import posixpath
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from octavo.importing.common import as_dict, as_list, as_text, carry_edit_url, is_external, local_href
from octavo.importing.look.extras import carry_google
from octavo.importing.model import Plan
from octavo.lazy import regex as re

_TAG = re.compile(r"<[^<>]*>")
_LOOKS = {"red": "danger", "yellow": "warning", "green": "tip", "blue": "info", "purple": "note", "grey": "note"}
"""Color of a callout → the kind of admonition that looks most like it."""


def carry_just_the_docs(plan: Plan, config: Mapping[str, Any], source: Path) -> None:
    """Take over what the settings of the theme show to readers.

    Args:
        plan: Gets settings; its sidebars and `navbar` are written.
        config: The settings of Jekyll; what is read of them is not named in the report.
        source: The folder of the pages.
    """
    if "just-the-docs" not in f"{config.get('theme')} {config.get('remote_theme')}":
        return
    settings = plan.settings
    for one in map(as_dict, as_list(config.get("nav_external_links"))):
        title, href = as_text(one.get("title")), as_text(one.get("url"))
        if title and href and settings["sidebars"]:
            address = href if is_external(href) else local_href(href)
            settings["sidebars"][0]["items"].append({"href": address, "label": title})
    if words := " ".join(html.unescape(_TAG.sub("", as_text(config.get("footer_content")))).split()):
        settings["footer"] = {"copyright": words}
    logo = as_text(config.get("logo"))
    if logo and not is_external(logo) and (source / logo.lstrip("/")).is_file():
        settings["navbar"]["logo"] = {"src": f"/{logo.lstrip('/')}", "alt": settings["title"]}
    icon = as_text(config.get("favicon_ico"))
    if icon and not is_external(icon) and (source / icon.lstrip("/")).is_file():
        settings["favicon"] = f"/{icon.lstrip('/')}"
    carry_google(plan, (as_text(one) for one in as_list(config.get("ga_tracking"))))
    repository, branch = as_text(config.get("gh_edit_repository")), as_text(config.get("gh_edit_branch"), "main")
    if config.get("gh_edit_link") is True and repository:
        view = as_text(config.get("gh_edit_view_mode"), "edit")
        inside = as_text(config.get("gh_edit_source")).strip("/")
        carry_edit_url(plan, posixpath.join(repository.rstrip("/"), view, branch, inside), settings["docs"])
    _carry_callouts(plan, as_dict(config.get("callouts")))


def _carry_callouts(plan: Plan, callouts: Mapping[str, Any]) -> None:
    """Take over the kinds of callouts that the site declares, with their titles, as variables that pages read."""
    variables = plan.settings["markdown"].setdefault("variables", {})
    for name, raw in callouts.items():
        given = as_dict(raw)
        if re.fullmatch(r"[a-z][a-z0-9-]*", name):
            look = as_text(given.get("color")).partition("-")[0]
            variables[f"site.callouts.{name}.kind"] = _LOOKS.get(look, "note")
            variables[f"site.callouts.{name}.title"] = as_text(given.get("title"))
