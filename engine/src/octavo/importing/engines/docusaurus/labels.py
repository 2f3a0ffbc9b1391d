"""Labels of Docusaurus in other languages: `navbar.json`, `footer.json` and the files of the docs plug-in below `i18n`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from octavo.importing.common import as_dict, as_list, as_text, read_or_note
from octavo.importing.model import Plan
from octavo.importing.settings.labels import carry_labels
from octavo.lazy import regex as re

_THEME = "docusaurus-theme-classic"
_DOCS = "docusaurus-plugin-content-docs"
_KEY = re.compile(
    r"(?:item\.label|link\.title|link\.item\.label)\.(?P<label>.+)"
    r"|sidebar\.[^.]+\.(?:category|link|doc)\.(?P<entry>.+?)(?:\.link\.generated-index\.(?P<index>title|description))?",
    re.DOTALL,
)


def carry_translated_labels(plan: Plan, home: Path) -> None:
    """Take over the labels of all languages but the first, when the rest of the settings is written.

    Args:
        plan: Its settings have the languages, the bars and the sidebars.
        home: Folder of the configuration.
    """
    for locale in plan.settings["locales"][1:]:
        folder = home / "i18n" / locale["path"]
        if not folder.resolve().is_relative_to(plan.site_dir.resolve()):
            continue
        carry_labels(plan, locale["id"], [*_labels(plan, folder), *_of_blogs(plan, locale["folders"])])


def _labels(plan: Plan, folder: Path) -> Iterator[tuple[str, str]]:
    settings = plan.settings
    navbar, footer = as_dict(settings.get("navbar")), as_dict(settings.get("footer"))
    logo = as_dict(navbar.get("logo"))
    own = {"title": navbar.get("title"), "logo.alt": logo.get("alt"), "copyright": footer.get("copyright")}
    yield from _of_file(plan, folder / _THEME / "navbar.json", own)
    yield from _of_file(plan, folder / _THEME / "footer.json", own)
    versions = {as_text(one.get("name")): one.get("label") for one in map(as_dict, as_list(settings.get("versions")))}
    for path in sorted(folder.glob(f"{_DOCS}*/*.json")):
        name = path.stem.removeprefix("version-")
        yield from _of_file(plan, path, {"version.label": versions.get(name)})


def _of_blogs(plan: Plan, folders: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Read what the blogs are called, beside their translated posts."""
    for blog in map(as_dict, as_list(plan.settings.get("blogs"))):
        if folder := folders.get(as_text(blog.get("folder"))):
            own = {"title": blog.get("title"), "description": blog.get("description")}
            yield from _of_file(plan, plan.site_dir / folder / "options.json", own)


def _of_file(plan: Plan, path: Path, own: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Read the texts of a file; `own` has the originals of keys that do not contain them."""
    for key, value in as_dict(read_or_note(plan, path)).items():
        translation = as_text(value) or as_text(as_dict(value).get("message"))
        match = _KEY.fullmatch(key)
        if key in own:
            yield as_text(own[key]), translation
        elif match is None:
            continue
        elif match["index"]:
            for entry in _categories(plan.settings.get("sidebars")):
                if entry["category"] == match["entry"]:
                    yield as_text(as_dict(entry.get("link")).get(match["index"])), translation
        else:
            yield match["label"] or match["entry"], translation


def _categories(value: Any) -> Iterator[dict[str, Any]]:
    for entry in map(as_dict, as_list(value)):
        if "category" in entry:
            yield entry
        yield from _categories(entry.get("items"))
