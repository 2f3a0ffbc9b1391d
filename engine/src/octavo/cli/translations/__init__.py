"""`octavo translations`: which pages of other languages are missing or older than their originals."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from octavo.cli.build import SiteGroup
from octavo.cli.exit_codes import CONTENT
from octavo.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from octavo.cli.translations.pages import TranslatedPage
    from octavo.translations import Unit

_STATES = ("missing", "outdated", "unmarked", "unmatched", "current")
_site_option = click.option(
    "--site",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=".",
    help="Folder that contains octavo.toml (default: this folder).",
)


@click.group(
    cls=SiteGroup,
    before_site="--site",
    short_help="List missing and outdated translations.",
    invoke_without_command=True,
)
@_site_option
@click.option("--language", "languages", multiple=True, help="Only this language; may be repeated.")
@click.option("--changes", "shows_changes", is_flag=True, help="Show the paragraphs of originals that have changed.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON, for programs.")
@click.option("--check", "fails", is_flag=True, help="End with exit code 1 where a page is missing or outdated.")
@click.pass_context
def translations(
    context: click.Context, site: Path, languages: tuple[str, ...], shows_changes: bool, as_json: bool, fails: bool
) -> None:
    """List the pages of each language beside the first that are missing, outdated, not marked, or without an original.

    A translation says from which state of its original it was made: `octavo translations mark FILE` writes that into its
    front matter. Once the original changes, the page is outdated until the translation is mended and marked again.
    """
    if context.invoked_subcommand is not None:
        return
    from octavo.cli.translations.labels import untranslated_labels
    from octavo.cli.translations.pages import find_translations, find_unmatched, languages_without_pages

    found = [*find_translations(site, languages), *find_unmatched(site, languages)]
    labels = untranslated_labels(site, languages)
    if as_json:
        listed = [_as_json(site, page) for page in found]
        listed += [_label_as_json(language, unit) for language, units in labels.items() for unit in units]
        click.echo(json.dumps(listed, indent=2, ensure_ascii=False))
    else:
        _show(site, found, shows_changes=shows_changes)
        _show_labels(labels)
        _show_languages_without_pages(languages_without_pages(site, languages))
    if fails and any(page.state in ("missing", "outdated") for page in found):
        sys.exit(CONTENT)


@translations.command(short_help="Say from which state of their originals translations were made.")
@_site_option
@click.option(
    "--from-history",
    is_flag=True,
    help="From the state in git when the translation was last changed; without FILES, of all that are not marked.",
)
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
def mark(site: Path, from_history: bool, files: tuple[Path, ...]) -> None:
    """Write into the front matter of the translations FILES from which state of their originals they were made: that of now."""
    from octavo.cli.translations.pages import find_translations

    if not files and not from_history:
        raise click.UsageError("Missing argument 'FILES...'.")
    site = _nearest_site(site, files[0]) if files else site
    found = find_translations(site)
    chosen = _chosen(site, found, files) if files else [page for page in found if page.state == "unmarked"]
    states = _states_in_git(site, chosen) if from_history else {page.path: _state_now(site, page) for page in chosen}
    for page in chosen:
        _mark(
            site, page, states.get(page.path, ""), when="when it was last changed" if from_history else "as it is now"
        )


def _chosen(site: Path, found: Sequence[TranslatedPage], files: Sequence[Path]) -> list[TranslatedPage]:
    """Find the translations that were named.

    Raises:
        UsageError: a file is none.
    """
    pages = {(site / page.path).resolve(): page for page in found if page.path}
    chosen = []
    for file in files:
        page = pages.get(file.resolve()) or pages.get((site / file).resolve())
        if page is None:
            raise UsageError(
                f"{file} is not a translation: only files in the folder of a language, at the place that a page has in the "
                "folder of the first language, or with the suffix of a language, beside a page, have an original."
            )
        chosen.append(page)
    return chosen


def _state_now(site: Path, page: TranslatedPage) -> str:
    from octavo.translations import revision_of

    return revision_of((site / page.original).read_bytes())


def _states_in_git(site: Path, pages: Sequence[TranslatedPage]) -> dict[str, str]:
    """Find what the originals were when their translations were last changed; those that git does not know are missing.

    Raises:
        UsageError: the site is in no repository, or in a shallow clone.
    """
    from octavo.revisions import contents_at_change, is_shallow
    from octavo.translations import short_revision

    if is_shallow(site):
        raise UsageError(
            "This clone has a part of the history only, so that older states are not known. Run: git fetch --unshallow"
        )
    found = contents_at_change(site, {page.path: page.original for page in pages})
    return {path: short_revision(revision) for path, revision in found.items()}


def _mark(site: Path, page: TranslatedPage, revision: str, *, when: str) -> None:
    from octavo.translations import with_revision

    if not revision:
        click.echo(f"{page.path}: left as it is, since git has no state of it and of {page.original}.")
        return
    target = site / page.path
    written = with_revision(target.read_text(encoding="utf-8"), revision, page.path)
    target.write_text(written, encoding="utf-8", newline="\n")
    click.echo(f"{page.path}: translated from {page.original} {when} ({revision}).")


@translations.command("export", short_help="Write the texts of a language for translators.")
@_site_option
@click.argument("language")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def export_texts(site: Path, language: str, file: Path) -> None:
    """Write the texts of all pages into FILE, with their translations into LANGUAGE: gettext (.po) or XLIFF 1.2 (.xlf, .xliff).

    Texts are paragraphs and the fields of front matter that readers see; code is left out. Where an original has changed, the
    earlier translation is marked as fuzzy, with the text that it was made from.
    """
    from octavo.cli.translations.exchange import export_texts as export
    from octavo.cli.translations.pages import languages_without_pages

    done = export(site, language, file)
    click.echo(f"{file}: {done.texts} texts, {done.untranslated} of them to translate or review.")
    for path in done.apart:
        click.echo(
            f"  {path} has other paragraphs than its original, so its texts are not in the file. Give both the same "
            "paragraphs, or keep translating this page by hand."
        )
    _show_languages_without_pages(languages_without_pages(site, [language]))


@translations.command("import", short_help="Write pages from a file of translators.")
@_site_option
@click.option("--partial", "is_partial", is_flag=True, help="Write pages that are not wholly translated, too.")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def import_texts(site: Path, is_partial: bool, files: tuple[Path, ...]) -> None:
    """Write the translated pages that FILES hold, gettext or XLIFF, and mark them as current.

    Fuzzy texts count as not translated. A page of which a text is missing is left as it is, or, with --partial, written
    with that text in the first language, and not marked.
    """
    from octavo.cli.translations.exchange import import_texts as import_

    for file in files:
        for done in import_(site, file, is_partial=is_partial):
            lack = f"{done.missing} text{'' if done.missing == 1 else 's'} not translated"
            if not done.is_written:
                click.echo(f"{done.place}: left as it is, {lack}")
            else:
                click.echo(f"{done.place}: written{f', {lack}' if done.missing else ''}")


def _nearest_site(site: Path, file: Path) -> Path:
    """Give the folder of the site that holds a file, where the folder that was named holds no site."""
    from octavo.config import CONFIG_NAME

    if (site / CONFIG_NAME).is_file():
        return site
    return next((folder for folder in file.absolute().parents if (folder / CONFIG_NAME).is_file()), site)


def _show(site: Path, found: list[TranslatedPage], *, shows_changes: bool) -> None:
    for language in dict.fromkeys(page.language for page in found):
        own = [page for page in found if page.language == language]
        counts = Counter[str](page.state for page in own)
        summary = ", ".join(f"{counts[state]} {state}" for state in _STATES if counts[state])
        click.echo(f"{language}: {len(own)} pages: {summary}")
        for page in own:
            if page.state == "current":
                continue
            click.echo(f"  {page.state:9} {page.path or page.original}")
            if page.state == "outdated" and shows_changes:
                _show_changes(site, page)
    if any(page.state == "unmarked" for page in found):
        click.echo(
            "Unmarked translations do not say what they were made from: `octavo translations mark FILE` does, and "
            "`octavo translations mark --from-history` of all of them at once."
        )
    if any(page.state == "unmatched" for page in found):
        click.echo(
            "Unmatched files have no original: they are pages of this language only. If one was renamed, rename its translations."
        )


def _show_labels(labels: Mapping[str, Sequence[Unit]]) -> None:
    for language, units in labels.items():
        if units:
            click.echo(
                f"{language}: {len(units)} labels of octavo.toml and of folders have no translation in [labels.{language}]"
            )
        for unit in units:
            click.echo(f"  label     {json.dumps(unit.source, ensure_ascii=False)}")


def _show_languages_without_pages(languages: Sequence[str]) -> None:
    for language in languages:
        click.echo(
            f'{language}: no pages, since the settings name no place for them. Add docs = "i18n/{language}" or '
            f'suffix = "{language}" to this language in octavo.toml.'
        )


def _label_as_json(language: str, unit: Unit) -> dict[str, object]:
    return {"language": language, "state": "untranslated", "original": unit.page, "label": unit.source}


def _show_changes(site: Path, page: TranslatedPage) -> None:
    changes = page.changes(site)
    if changes is None:
        click.echo(f"            The text that it was made from ({page.revision}) is not in this repository.")
    for change in changes or ():
        click.echo(f"            {page.original}:{change.line}: {change.kind}")
        for sign, text in (("-", change.old), ("+", change.new)):
            for line in text.splitlines():
                click.echo(f"              {sign} {line}")


def _as_json(site: Path, page: TranslatedPage) -> dict[str, object]:
    changes = page.changes(site) if page.state == "outdated" else None
    return {
        "language": page.language,
        "version": page.version,
        "state": page.state,
        "path": page.path or None,
        "original": page.original or None,
        "translated_from": page.revision or None,
        "changes": None if changes is None else [change._asdict() for change in changes],
    }
