"""Labels of the settings and of folders for translators: which there are, and `[labels]` of `octavo.toml` with more of them."""

from __future__ import annotations

import json
import posixpath
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from octavo.config import CONFIG_NAME, Config, Locale, SidebarEntry, label_texts, line_of_text, load_config
from octavo.content import read_settings
from octavo.errors import UsageError
from octavo.lazy import regex as re
from octavo.site import collect_sources, edition_roots, load_category
from octavo.translations import Unit

_HEADING = re.compile(r"^# (.+?)[ \t]*#*$", re.MULTILINE)
_LETTER = re.compile(r"[^\W\d_]")


def label_units(site_dir: Path, config: Config, locale: Locale) -> list[Unit]:
    """List the texts of the settings and of folders with their translations into a language, each once.

    What the category files of the language say is left out: they are translations themselves.
    """
    text = (site_dir / CONFIG_NAME).read_text(encoding="utf-8", errors="replace")
    given = config.labels.get(locale.id, {})
    sidebars = [*config.sidebars, *(one for version in config.versions for one in version.sidebars or ())]
    titles = _titles(site_dir, config) if sidebars else set()
    known = label_texts(config).union(
        *(_entry_texts(one.items, titles) for one in sidebars),
        _folder_texts(site_dir, config, locale),
    )
    found = [
        Unit(CONFIG_NAME, "", line_of_text(text, label), label, given.get(label, ""))
        for label in known
        if _LETTER.search(label)
    ]
    return sorted(found, key=lambda unit: (unit.line, unit.source))


def untranslated_labels(site_dir: Path, languages: Collection[str] = ()) -> dict[str, list[Unit]]:
    """List the labels that have no translation: language → labels; all languages but the first where none is named.

    The title of the site is left out: a name is often the same in all languages.
    """
    config = load_config(site_dir)
    return {
        locale.id: [
            unit for unit in label_units(site_dir, config, locale) if not unit.target and unit.source != config.title
        ]
        for locale in config.locales[1:]
        if not languages or locale.id in languages
    }


def _titles(site_dir: Path, config: Config) -> set[str]:
    """Collect the titles of the pages of the first language: an entry of a sidebar with such a label is translated with its page."""
    found: set[str] = set()
    roots = next(roots for locale, _, roots in edition_roots(config) if locale is config.default_locale)
    for root in roots:
        for source in collect_sources(site_dir, config, root.path, is_page=root.is_page, mount=root.mount):
            settings, body = read_settings((site_dir / source.path).read_text(encoding="utf-8", errors="replace"))
            heading = _HEADING.search(body)
            texts = (settings.get("title"), settings.get("sidebar_label"), heading[1] if heading else None)
            found.update(text for text in texts if isinstance(text, str))
    return found


def _entry_texts(entries: Iterable[SidebarEntry], titles: Collection[str]) -> Iterator[str]:
    for entry in entries:
        link = entry.link
        own = entry.label if entry.doc is None or entry.label not in titles else None
        category = entry.category if link is None or link.type != "doc" or entry.category not in titles else None
        yield from filter(None, (own, category, link and link.title, link and link.description))
        yield from _entry_texts(entry.items, titles)


def _folder_texts(site_dir: Path, config: Config, locale: Locale) -> Iterator[str]:
    """Give what the category files of the first language say, where this language has none of its own."""
    for one, _, roots in edition_roots(config):
        if one is not locale:
            continue
        for first in roots:
            own = next(root for root in roots if (root.is_page, root.mount) == (first.is_page, first.mount))
            if first.is_page or (len(roots) > 1 and first is own):
                continue
            sources = collect_sources(site_dir, config, first.path, is_page=False, mount=first.mount)
            folders = {posixpath.dirname(source.relative) for source in sources}
            for folder in sorted({above for one in folders for above in _with_folders_above(one)}):
                settings = load_category(site_dir, f"{first.path}/{folder}")[0]
                translated = load_category(site_dir, f"{own.path}/{folder}", own.suffix)[0]
                link, other = settings.link, translated.link
                pairs = (
                    (settings.label, translated.label),
                    (settings.description, translated.description),
                    (link and link.title, other and other.title),
                    (link and link.description, other and other.description),
                )
                yield from (text for text, translation in pairs if text and not translation)


def _with_folders_above(folder: str) -> Iterator[str]:
    while folder:
        yield folder
        folder = posixpath.dirname(folder)


def write_labels(site_dir: Path, locale: str, labels: Mapping[str, str]) -> bool:
    """Write translations of labels into `octavo.toml`, whose other lines stay as they are.

    Args:
        site_dir: The site's folder.
        locale: Id of the language.
        labels: Text → translation.

    Returns:
        Whether there was anything to change.

    Raises:
        UsageError: `[labels]` is written in a form that cannot be changed line by line.
    """
    path = site_dir / CONFIG_NAME
    raw = path.read_bytes().decode()
    mark = "\ufeff" if raw.startswith("\ufeff") else ""
    text = raw.removeprefix(mark).replace("\r\n", "\n")
    expected = tomllib.loads(text)
    own = expected.setdefault("labels", {}).setdefault(locale, {})
    changed = {label: translation for label, translation in labels.items() if own.get(label) != translation}
    if not changed:
        return False
    own.update(changed)
    written = with_labels(text, locale, changed)
    try:
        is_right = tomllib.loads(written) == expected
    except tomllib.TOMLDecodeError:
        is_right = False
    if not is_right:
        lines = "\n".join(_line(*one) for one in changed.items())
        raise UsageError(f"{path}: [labels.{locale}] cannot be changed line by line. Write there yourself:\n{lines}")
    path.write_text(mark + written, encoding="utf-8", newline="\r\n" if "\r\n" in raw else "\n")
    return True


def with_labels(text: str, locale: str, labels: Mapping[str, str]) -> str:
    """Put lines into the table `[labels.LANGUAGE]` of a TOML file, in the place of those with the same keys."""
    lines = text.split("\n")
    header = re.compile(rf"""\s*\[\s*labels\s*\.\s*["']?{re.escape(locale)}["']?\s*\]\s*(#.*)?""")
    start = next((number for number, line in enumerate(lines) if header.fullmatch(line)), None)
    if start is None:
        return (
            text.rstrip("\n") + "\n\n" + "\n".join([f"[labels.{locale}]", *map(_line, labels, labels.values())]) + "\n"
        )
    end = next(
        (number for number in range(start + 1, len(lines)) if lines[number].lstrip().startswith("[")), len(lines)
    )
    left = dict(labels)
    last = start
    for number in range(start + 1, end):
        if lines[number].strip():
            last = number
        for key in _keys(lines[number]):
            if key in left:
                lines[number] = _line(key, left.pop(key))
    lines[last + 1 : last + 1] = map(_line, left, left.values())
    return "\n".join(lines)


def _keys(line: str) -> list[str]:
    try:
        return list(tomllib.loads(line))
    except tomllib.TOMLDecodeError:
        return []


def _line(label: str, translation: str) -> str:
    # A string of JSON without escaped surrogates is one of TOML, but for U+007F.
    return " = ".join(json.dumps(one, ensure_ascii=False).replace("\x7f", "\\u007f") for one in (label, translation))
