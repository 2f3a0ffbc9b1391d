"""Languages of Docusaurus: folders below `i18n`, one for each plug-in and language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from octavo.importing.common import as_dict, as_list, as_text, relative
from octavo.importing.model import Plan

DOCS = "docusaurus-plugin-content-docs"
PAGES = "docusaurus-plugin-content-pages"
BLOG = "docusaurus-plugin-content-blog"


def carry_languages(plan: Plan, home: Path, i18n: Mapping[str, Any], places: Sequence[tuple[str, str]]) -> None:
    """Write `[[locales]]`: the default language, and those that have translated files.

    Args:
        plan: Takes the languages, and the patterns of files that are not pages in their folders either.
        home: Folder of the configuration.
        i18n: The settings of that name.
        places: (folder of pages, folder of their translations below that of a language). The last one of a folder counts.
    """
    default = as_text(i18n.get("defaultLocale"), "en")
    configs = as_dict(i18n.get("localeConfigs"))
    settings = plan.settings
    written = [_locale(default, as_dict(configs.get(default)), {})]
    missing = []
    for name in map(as_text, as_list(i18n.get("locales"))):
        if name == default or not name.replace("-", "").replace("_", "").isalnum():
            continue
        config = as_dict(configs.get(name))
        below = home / "i18n" / name
        folders = {
            source: relative(below / place, plan.site_dir) for source, place in places if _is_used(below / place)
        }
        if folders:
            written.append({**_locale(name, config, folders), "path": name})
            settings["exclude"] += _excluded_in(folders, settings["exclude"])
        else:
            missing.append(name)
    if missing:
        plan.note(
            f"Languages without translated files: {', '.join(missing)}",
            "Put the files into i18n/ and import again.",
            count=len(missing),
        )
    settings["locales"] = written


def _is_used(folder: Path) -> bool:
    return folder.is_dir() and (any(folder.rglob("*.md")) or any(folder.rglob("*.mdx")))


def _excluded_in(folders: Mapping[str, str], patterns: Iterable[str]) -> list[str]:
    """Write the patterns of the originals for the folders of their translations."""
    return [
        f"{folder}{pattern.removeprefix(source)}"
        for source, folder in folders.items()
        for pattern in patterns
        if pattern.startswith(f"{source}/")
    ]


def _locale(name: str, config: dict[str, Any], folders: dict[str, str]) -> dict[str, Any]:
    label = as_text(config.get("label"), name)
    found: dict[str, Any] = {"id": as_text(config.get("htmlLang"), name), "label": label}
    if config.get("direction") == "rtl":
        found["dir"] = "rtl"
    return {**found, **({"folders": folders} if folders else {})}
