"""`octavo translations export` and `import`: texts for translators, and back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from octavo.cli.translations.labels import label_units, write_labels
from octavo.cli.translations.pages import TranslatedPage, find_translations
from octavo.config import CONFIG_NAME, load_config
from octavo.errors import UsageError
from octavo.site import is_inside
from octavo.translations import (
    ExchangeError,
    count_untranslated,
    is_notebook,
    read_po,
    read_xliff,
    revision_of,
    units_of,
    with_revision,
    with_translations,
    write_po,
    write_translation,
    write_xliff,
)

if TYPE_CHECKING:
    from octavo.translations import Exchanged

_FORMATS = {".po": "po", ".xlf": "xliff", ".xliff": "xliff"}


class Exported(NamedTuple):
    """What `export_texts` has written."""

    texts: int
    untranslated: int
    """Texts without a translation, or with one that must be looked through."""
    apart: list[str]
    """Translations whose paragraphs could not be told apart: what they say is not in the file."""


class WrittenTranslation(NamedTuple):
    """What became of a page in `import_texts`, or of the labels in `octavo.toml`."""

    place: str
    """Its file, from the site's folder."""
    missing: int
    """Texts of the original that have no translation."""
    is_written: bool


def export_texts(site_dir: Path, language: str, target: Path) -> Exported:
    """Write all texts of a language into a file for translators; the file's ending names the format.

    Raises:
        UsageError: the language or the ending is not known.
    """
    kind = _format_of(target)
    config = load_config(site_dir)
    locale = next((one for one in config.locales[1:] if one.id == language), None)
    units = label_units(site_dir, config, locale) if locale is not None else []
    apart: list[str] = []
    for page in find_translations(site_dir, [language]):
        text = _read(site_dir / page.original)
        if not page.path:
            units += units_of(page.original, text)
            continue
        base = page.base(site_dir) if page.state == "outdated" else text
        found, is_paired = with_translations(page.original, text, base, _read(site_dir / page.path))
        units += found
        apart += [] if is_paired else [page.path]
    write = write_po if kind == "po" else write_xliff
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(write(language, config.default_locale.id, units), encoding="utf-8", newline="\n")
    return Exported(len(units), count_untranslated(units), apart)


def import_texts(site_dir: Path, file: Path, *, is_partial: bool) -> list[WrittenTranslation]:
    """Write the pages of a language from a file of translators, and those that have no text to translate.

    Args:
        site_dir: The site's folder.
        file: A file that `export_texts` has written, translated.
        is_partial: Write pages too that are not wholly translated; what is missing stays in the first language.

    Raises:
        UsageError: the file cannot be read, or is of a language or of pages that the site does not have.
    """
    read = read_po if _format_of(file) == "po" else read_xliff
    try:
        given: Exchanged = read(file.read_text(encoding="utf-8"))
    except ExchangeError as error:
        raise UsageError(f"{file}:{error.line}: {error}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
    language = _language(site_dir, given.language)
    pages = {page.original: page for page in find_translations(site_dir, [language])}
    by_page: dict[str, dict[tuple[str, str], str]] = {}
    for unit in given.units:
        targets = by_page.setdefault(unit.page, {})
        if unit.target and not unit.is_fuzzy:
            targets[unit.context, unit.source] = unit.target
    labels = {source: target for (_, source), target in by_page.pop(CONFIG_NAME, {}).items()}
    unknown = sorted(page for page in by_page if page not in pages)
    if unknown:
        raise UsageError(f"{file} has texts of {', '.join(unknown[:5])}, which is not a page of the first language.")
    for page in pages.values():
        text = "" if page.path else _read(site_dir / page.original)
        is_damaged = page.original.endswith(".ipynb") and not is_notebook(text)  # which a build reports
        if not page.path and not is_damaged and not units_of(page.original, text):
            by_page.setdefault(page.original, {})
    done = [WrittenTranslation(CONFIG_NAME, 0, is_written=True)] if write_labels(site_dir, language, labels) else []
    return done + [_import(site_dir, pages[page], targets, is_partial=is_partial) for page, targets in by_page.items()]


def _import(
    site_dir: Path, page: TranslatedPage, targets: Mapping[tuple[str, str], str], *, is_partial: bool
) -> WrittenTranslation:
    target = site_dir / page.place
    original = _read(site_dir / page.original)
    base = original if page.state == "current" else page.base(site_dir)
    text, missing = write_translation(original, _read(target) if page.path else None, targets, base, page.original)
    is_untranslated = not targets and bool(missing or page.path)
    if is_untranslated or (missing and not is_partial) or not is_inside(site_dir, page.place):
        return WrittenTranslation(page.place, len(missing), is_written=False)
    if not missing:
        text = with_revision(text, revision_of((site_dir / page.original).read_bytes()), page.place)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8", newline="\n")
    return WrittenTranslation(page.place, len(missing), is_written=True)


def _language(site_dir: Path, given: str) -> str:
    """Find the id of a language; gettext joins its parts with underscores."""
    known = {locale.id.lower(): locale.id for locale in load_config(site_dir).locales}
    return known.get(given.lower().replace("_", "-"), given)


def _format_of(file: Path) -> str:
    kind = _FORMATS.get(file.suffix.lower())
    if kind is None:
        raise UsageError(f"{file} must end in .po for gettext, or in .xlf or .xliff for XLIFF.")
    return kind


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
