"""The pages of a site in its further languages, compared with their originals."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from octavo.config import Config, Locale, Version, load_config
from octavo.content import read_settings
from octavo.errors import UsageError
from octavo.lazy import regex as re
from octavo.revisions import read_object
from octavo.site import MARKDOWN_SUFFIXES, Root, Source, collect_sources, edition_roots, is_released
from octavo.translations import (
    KEY,
    ParagraphChange,
    changed_paragraphs,
    head_of_notebook,
    is_revision,
    revision_in_text,
)

_ID = re.compile(r"[0-9a-f]{7,40}")


class TranslatedPage(NamedTuple):
    """A page of a further language."""

    language: str
    version: str
    state: Literal["missing", "outdated", "unmarked", "current", "unmatched"]
    path: str
    """Its file, from the site's folder; empty where it is missing."""
    original: str
    """File of the page in the first language; empty where there is none."""
    revision: str
    """State of the original that it was made from, as it says."""
    place: str
    """Where its file is or would be, from the site's folder."""

    def base(self, site_dir: Path) -> str | None:
        """Load the original that it was made from; None where git does not have it."""
        return read_object(site_dir, self.revision) if _ID.fullmatch(self.revision) else None

    def changes(self, site_dir: Path) -> list[ParagraphChange] | None:
        """List the paragraphs of the original that have changed since; None where the old text is not to be had."""
        old = self.base(site_dir)
        if old is None:
            return None
        return changed_paragraphs(old, (site_dir / self.original).read_text(encoding="utf-8", errors="replace"))


def find_translations(site_dir: Path, languages: Collection[str] = ()) -> list[TranslatedPage]:
    """List the pages of the further languages, of the versions that can still be edited.

    Args:
        site_dir: The site's folder.
        languages: Ids of those that are wanted; none for all.

    Raises:
        UsageError: the site does not have one of these languages, or one language only.
    """
    config = load_config(site_dir)
    found: dict[tuple[str, str], TranslatedPage] = {}
    for locale, version, translated, first in _pairs(config, languages):
        for source in _sources(site_dir, config, first):
            if not source.suffix:
                page = _compare(site_dir, locale, version, translated, source)
                found.setdefault((page.language, page.original), page)
    return list(found.values())


def find_unmatched(site_dir: Path, languages: Collection[str] = ()) -> list[TranslatedPage]:
    """List the pages of the further languages that have no original; for parameters and errors see `find_translations`."""
    config = load_config(site_dir)
    found: dict[str, TranslatedPage] = {}
    for locale, version, translated, first in _pairs(config, languages):
        originals = {
            _stem(translated.file_of(one.relative)) for one in _sources(site_dir, config, first) if not one.suffix
        }
        for source in _sources(site_dir, config, translated):
            if source.suffix == translated.suffix and _stem(source.path) not in originals:
                page = TranslatedPage(locale.id, version.name, "unmatched", source.path, "", "", source.path)
                found.setdefault(source.path, page)
    return list(found.values())


def languages_without_pages(site_dir: Path, languages: Collection[str] = ()) -> list[str]:
    """List the further languages that have no place for translated pages; for parameters see `find_translations`."""
    return [
        locale.id
        for locale in load_config(site_dir).locales[1:]
        if not (locale.docs or locale.folders or locale.suffix) and (not languages or locale.id in languages)
    ]


def _pairs(config: Config, languages: Collection[str]) -> Iterator[tuple[Locale, Version, Root, Root]]:
    """List the folders of translations that can be edited, each with that of its originals."""
    known = [locale.id for locale in config.locales[1:]]
    if not known:
        raise UsageError("This site has one language. Add [[locales]] to octavo.toml; its first entry is the default.")
    for language in languages:
        if language not in known:
            raise UsageError(f'The site has no translations in "{language}"; it has {", ".join(known)}.')
    for locale, version, roots in edition_roots(config):
        if locale is config.default_locale or (languages and locale.id not in languages):
            continue
        if is_released(version):
            continue  # nobody edits what is released
        for kind in dict.fromkeys((root.is_page, root.mount) for root in roots):
            same = [root for root in roots if (root.is_page, root.mount) == kind]
            if len(same) == 2:
                yield locale, version, same[0], same[1]


def _sources(site_dir: Path, config: Config, root: Root) -> list[Source]:
    return collect_sources(site_dir, config, root.path, is_page=root.is_page, mount=root.mount)


def _state_in(text: str, path: str) -> str:
    """Give the state of its original that a translation names; empty where it names none."""
    in_fields = revision_in_text(text, path)
    if in_fields is not None:
        return in_fields
    given = read_settings(head_of_notebook(text) if path.endswith(".ipynb") else text)[0].get(KEY)
    return "" if given is None else str(given)


def _stem(path: str) -> str:
    return posixpath.splitext(path)[0]


def _compare(site_dir: Path, locale: Locale, version: Version, translated: Root, source: Source) -> TranslatedPage:
    expected, original = translated.file_of(source.relative), source.path
    # A translation may have the other ending.
    named = (expected, *(_stem(expected) + ending for ending in MARKDOWN_SUFFIXES))
    path = next((one for one in named if (site_dir / one).is_file()), expected)
    try:
        text = (site_dir / path).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return TranslatedPage(locale.id, version.name, "missing", "", original, "", path)
    revision = _state_in(text, path)
    if not revision:
        return TranslatedPage(locale.id, version.name, "unmarked", path, original, "", path)
    is_current = is_revision(revision, (site_dir / original).read_bytes())
    state: Literal["current", "outdated"] = "current" if is_current else "outdated"
    return TranslatedPage(locale.id, version.name, state, path, original, revision, path)
