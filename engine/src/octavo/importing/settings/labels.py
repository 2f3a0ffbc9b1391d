"""`[labels]`: what sites of other engines call the entries of their bars and sidebars in other languages."""

from __future__ import annotations

import html
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from octavo.importing.common import as_dict, as_list, as_text, read_or_note
from octavo.importing.model import Plan
from octavo.lazy import regex as re

OWN_NAMES = {
    "ar": "العربية", "bg": "Български", "ca": "Català", "cs": "Čeština", "da": "Dansk", "de": "Deutsch", "el": "Ελληνικά",
    "en": "English", "es": "Español", "et": "Eesti", "fa": "فارسی", "fi": "Suomi", "fr": "Français", "he": "עברית",
    "hi": "हिन्दी", "hr": "Hrvatski", "hu": "Magyar", "id": "Bahasa Indonesia", "it": "Italiano", "ja": "日本語", "ko": "한국어",
    "lt": "Lietuvių", "nb": "Norsk bokmål", "nl": "Nederlands", "pl": "Polski", "pt": "Português",
    "pt-BR": "Português (Brasil)", "ro": "Română", "ru": "Русский", "sk": "Slovenčina", "sl": "Slovenščina",
    "sr": "Српски", "sv": "Svenska", "th": "ไทย", "tr": "Türkçe", "uk": "Українська", "vi": "Tiếng Việt",
    "zh": "简体中文", "zh-Hans": "简体中文", "zh-Hant": "繁體中文",
}  # fmt: skip
"""Language → what it calls itself, for sites that do not say."""
_LANGUAGE_KEYS: Mapping[str, tuple[str, ...]] = {
    "gitbook": ("language",),
    "hexo": ("language",),
    "hugo": ("languageCode", "locale", "defaultContentLanguage"),
    "jekyll": ("lang", "locale", "language"),
    "mdbook": ("book.language",),
    "mkdocs": ("theme.language", "theme.locale"),
    "rspress": ("lang",),
    "vitepress": ("lang",),
    "vuepress": ("lang", "locales./.lang"),
    "zola": ("default_language",),
}
"""Engine → where its settings name the language of the pages, with dots."""
_CHINESE = {"zh-cn": "zh-Hans", "zh-sg": "zh-Hans", "zh-tw": "zh-Hant", "zh-hk": "zh-Hant"}
_SETTINGS = ("title", "tagline", "navbar", "footer", "sidebars", "versions", "announcements", "blogs")
_TEXTS = frozenset({"title", "tagline", "label", "category", "description", "copyright", "alt", "content"})
_CATEGORY_FILES = ("_category_.json", "_category_.yml", "_category_.yaml")


def carry_language(plan: Plan) -> None:
    """Take over the language of a site that has one alone, where its settings are tables that name it."""
    for settings in plan.watched:
        for path in _LANGUAGE_KEYS.get(plan.engine, ()):
            *above, name = path.split(".")
            table: Mapping[str, Any] = settings
            for key in above:
                table = as_dict(table.get(key))
            set_language(plan, table.get(name))


def set_language(plan: Plan, given: object) -> None:
    """Write `[[locales]]` for the one language of a site, unless it is English, in which a site without this setting is."""
    tag = language_tag(as_text(next(iter(as_list(given)), "")).partition(".")[0])
    is_tag = re.fullmatch(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}", tag) is not None
    base = tag.lower().partition("-")[0]
    if is_tag and base != "en" and "locales" not in plan.settings:
        plan.settings["locales"] = [{"id": tag, "label": OWN_NAMES.get(tag) or OWN_NAMES.get(base, tag)}]


def language_tag(name: str) -> str:
    """Write the name of a language as BCP 47 has it: `pt_BR` as `pt-BR`, `zh_CN` as `zh-Hans`."""
    tag = name.replace("_", "-").partition("@")[0]
    return _CHINESE.get(tag.lower(), tag)


def carry_labels(plan: Plan, locale: str, labels: Iterable[tuple[str, str]]) -> None:
    """Take over translations of labels.

    Called when all other settings are written: what they do not contain needs no translation, and would be a finding.

    Args:
        plan: Gets the table `[labels.LOCALE]`.
        locale: Id of the language.
        labels: Pairs of text and translation. The first one of a text counts.
    """
    known = set(_texts(plan.settings)) | set(_folder_texts(plan))
    found: dict[str, str] = {}
    for text, translation in labels:
        if text and text in known and translation.strip() and translation != text:
            found.setdefault(text, translation)
    if found:
        tables = plan.settings.setdefault("labels", {})
        tables[locale] = {**found, **tables.get(locale, {})}


def translated_folders(names: Iterable[str], files: Iterable[str], first: str = "") -> list[str]:
    """Choose the folders that translate other pages.

    Args:
        names: Folders of languages.
        files: All pages, from where these folders are.
        first: Folder of the pages of the first language; empty where they lie beside the folders.
    """
    names, files = list(names), list(files)
    originals = {
        file.removeprefix(f"{first}/") for file in files if not file.startswith(tuple(f"{one}/" for one in names))
    }
    found: list[str] = []
    for name in names:
        pages = {file.removeprefix(f"{name}/") for file in files if file.startswith(f"{name}/")}
        # Either may have pages that a program makes, so that a quarter is enough.
        if pages and len(originals & pages) * 4 > min(len(originals), len(pages)):
            found.append(name)
    return found


def pair_labels(first: Iterable[Any], other: Iterable[Any], path: str) -> Iterator[tuple[str, str]]:
    """Pair the labels of entries that lead to the same pages in two languages.

    Args:
        first: Entries of a top bar or a sidebar of the first language, as `octavo.toml` has them.
        other: Those of the other language.
        path: Folder and beginning of the routes of the other language, without slashes.

    Yields:
        Pairs of text and translation.
    """
    translations = dict(_by_target(other, path))
    for target, label in _by_target(first, ""):
        if target in translations:
            yield label, translations[target]


def _by_target(entries: Iterable[Any], path: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Give (what identifies an entry in all languages, its label): for a group, what is in it."""
    for entry in map(as_dict, entries):
        label = as_text(entry.get("category")) or as_text(entry.get("label"))
        if label:
            yield tuple(_targets(entry, path)), label
        yield from _by_target(entry.get("items") or (), path)


def _targets(entry: Mapping[str, Any], path: str) -> Iterator[str]:
    link = as_dict(entry.get("link"))
    for target in (entry.get("doc"), entry.get("href"), link.get("id")):
        if isinstance(target, str):
            place = target.strip("/")
            yield place.removeprefix(path).strip("/") if path and f"{place}/".startswith(f"{path}/") else place
    items = entry.get("items")
    if items:
        # With brackets, so that a group has another target than the first entry in it.
        yield "("
        for inner in map(as_dict, items):
            yield from _targets(inner, path)
        yield ")"


def _texts(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, str):
        if key in _TEXTS:
            yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            if key or name in _SETTINGS:
                yield from _texts(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, key)


def _folder_texts(plan: Plan) -> Iterator[str]:
    places = [as_text(plan.settings.get("docs")), *as_dict(plan.settings.get("mounts"))]
    places += [as_text(as_dict(version).get("docs")) for version in plan.settings.get("versions") or ()]
    for place in filter(None, places):
        for folder, names, files in os.walk(plan.site_dir / place):
            # The packages of a site may have a hundred thousand files.
            names[:] = sorted(name for name in names if name != "node_modules" and not name.startswith("."))
            yield from names
            for name in _CATEGORY_FILES:
                if name not in files:
                    continue
                raw = as_dict(read_or_note(plan, Path(folder, name)))
                link = as_dict(raw.get("link"))
                values = (raw.get("label"), raw.get("description"), link.get("title"), link.get("description"))
                yield from filter(None, map(as_text, values))


_HTML_LABELS = frozenset(["mkdocs", "vitepress", "vuepress"])
"""Engines that write labels into pages as HTML."""
_PAIR = re.compile(r"<(?P<name>[a-z][a-z0-9]*)\b[^<>]*>(?P<inner>.*?)</(?P=name)\s*>", re.DOTALL)
_SINGLE = re.compile(r"<(?:img|br|hr|wbr)\b[^<>]*>")
_SPOKEN = re.compile(r"""\s(?:alt|title|aria-label)=(?:"([^"]+)"|'([^']+)')""")


def write_plain_labels(plan: Plan) -> None:
    """Write the labels of navigation, and titles made of them, without the HTML that the old engine allows there."""
    if plan.engine not in _HTML_LABELS:
        return
    routing = plan.settings.get("routing", {})
    if "titles" in routing:
        routing["titles"] = {file: _plain(title) for file, title in routing["titles"].items()}
    for key in ("sidebars", "navbar", "versions"):
        if key in plan.settings:
            plan.settings[key] = _with_plain_labels(plan.settings[key])


def _with_plain_labels(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_plain_labels(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _plain(one) if key in ("label", "category", "title") and isinstance(one, str) else _with_plain_labels(one)
        for key, one in value.items()
    }


def _plain(label: str) -> str:
    """Give the text of a label; where it is an icon alone, what screen readers say of that."""
    text, found = label, 1
    while found:
        text, found = _PAIR.subn(lambda match: match["inner"], text)
    text = " ".join(html.unescape(_SINGLE.sub(" ", text)).split())
    spoken = _SPOKEN.search(label)
    return text or ((spoken[1] or spoken[2]) if spoken else label)
