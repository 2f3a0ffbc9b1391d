"""Zola: `config.toml`, sections with `_index.md`, order by weight, shortcodes written as calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from octavo.errors import UsageError
from octavo.importing.common import as_dict, as_text, relative
from octavo.importing.engines.hugo import HugoPlanner
from octavo.importing.model import Plan, Recognized
from octavo.importing.settings.files import read_toml


def plan(found: Recognized, folder: Path) -> Plan:
    """Plan the import of a Zola site: it is laid out as those of Hugo are."""
    home = found.home
    content = home / "content"
    if found.config is None or not content.is_dir():
        raise UsageError(f"{content}, the folder of the content, does not exist.")
    made = Plan("zola", folder if home.is_relative_to(folder) else home, {})
    given = made.watch(as_dict(read_toml(found.config)))
    languages = as_dict(given.get("languages"))
    default = as_text(given.get("default_language"), "en")
    HugoPlanner(made, _as_hugo(given, default, languages), content, home).write(as_text(given.get("title")))
    settings = made.settings
    if about := as_text(given.get("description")):
        settings.setdefault("tagline", about)
    markdown = settings["markdown"]
    markdown["extensions"] = ["zola" if one == "hugo" else one for one in markdown["extensions"]]
    markdown.pop("variables", None)
    templates = [home / "templates/shortcodes", *sorted(home.glob("themes/*/templates/shortcodes"))]
    if names := [relative(path, made.site_dir) for at in templates if at.is_dir() for path in sorted(at.rglob("*.*"))]:
        remedy = "Images, notes, videos and folded parts are drawn by their names and arguments; of others, texts and content are shown, with a finding."
        made.note("Templates of shortcodes", remedy, count=len(names), files=names[:5])
    return made


def _as_hugo(given: dict[str, Any], default: str, languages: dict[str, Any]) -> dict[str, Any]:
    """Write the settings by the names of Hugo."""
    extra = as_dict(given.get("extra"))
    has_math = bool(extra.get("katex") or extra.get("math") or extra.get("mathjax"))
    is_smart = as_dict(given.get("markdown")).get("smart_punctuation") is True
    return {
        "isZola": True,
        "baseURL": given.get("base_url"),
        "defaultContentLanguage": default,
        "languages": languages,
        "params": {"description": given.get("description")},
        "markup": {"goldmark": {"extensions": {"passthrough": {"enable": has_math}, "typographer": is_smart}}},
    }
