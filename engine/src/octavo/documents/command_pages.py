"""Pages of commands: read their data files, and put a source for each among those of the site."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from octavo.config import CommandReference, Config
from octavo.diagnostics import Diagnostic, Span
from octavo.runtime import Cache, digest, documents_key
from octavo.site import Source, docs_root, is_inside, walk_files
from octavo.text_files import NotUtf8Error, read_utf8

if TYPE_CHECKING:
    from octavo.documents.change_pages import ChangeReader
    from octavo.reference import Since

SUFFIXES = (".yaml", ".yml")
_TABLE = "commands.msgpack"
_LONGEST_FILE = 10_000_000
"""Bytes; a thousand commands take a tenth of it."""


class _Made(msgspec.Struct, frozen=True):
    """What a program's files have given."""

    key: str
    """Hash of these files, and of all else that decides."""
    sources: list[Source]


def add_command_pages(
    sources: Sequence[Source], site_dir: Path, config: Config, reader: ChangeReader, cache: Cache
) -> tuple[list[Source], list[Diagnostic]]:
    """Add the pages of the commands that `octavo.toml` names, and of their changes, behind all others.

    A Markdown file at the path of such a page replaces it.

    Returns:
        (sources, what is wrong with the data files).
    """
    root = docs_root(config, config.default_locale, config.last_version)
    taken = {posixpath.splitext(source.path)[0] for source in sources}
    added: list[Source] = []
    problems: list[Diagnostic] = []
    before = cache.load_table(_TABLE, dict[str, _Made], {}) if config.commands else {}
    now: dict[str, _Made] = {}
    for reference in config.commands:
        made, found = _load_sources(reference, root, site_dir, before, now)
        problems += found
        if reference.changes and made:
            changes = reader.of_commands(reference, made)
            made = [_with_since(source, changes.since) for source in made]
            made += [changes.source] if changes.source is not None else []
        added += [source for source in made if posixpath.splitext(source.path)[0] not in taken]
        taken |= {posixpath.splitext(source.path)[0] for source in made}
    if now != before:
        cache.save_table(_TABLE, now)
    return [*sources, *added], problems


def _with_since(source: Source, since: Mapping[str, Since]) -> Source:
    """Say on the page of a command since which version there are the command and its options."""
    from octavo.reference.command_line import CommandPage

    page = msgspec.msgpack.decode(source.data or b"", type=CommandPage)
    found = since.get(page.command.name)
    if found is None or not (found.version or found.parts or found.last):
        return source
    # What came together with the command needs no mark of its own.
    parts = {name: label for name, label in found.parts.items() if label != found.version}
    page = msgspec.structs.replace(
        page,
        since=found.version,
        option_since=parts,
        changed=found.last,
        option_changed=found.changed,
        removed=found.removed,
    )
    return msgspec.structs.replace(source, data=msgspec.msgpack.encode(page))


def _load_sources(
    reference: CommandReference, root: str, site_dir: Path, before: Mapping[str, _Made], now: dict[str, _Made]
) -> tuple[list[Source], list[Diagnostic]]:
    """Take over the sources that an earlier build has made of the same files, or make them.

    Args:
        reference: The program.
        root: Folder of the documents.
        site_dir: The site's folder.
        before: What earlier builds have made, by the hash of the settings.
        now: Takes what the next build may take over.
    """
    files = list(read_files(reference, site_dir))
    texts = [part for one in files if not isinstance(one, Diagnostic) for part in one]
    name = digest(msgspec.json.encode(reference), root)
    key = digest(documents_key(), *texts)
    kept = before.get(name)
    if kept is not None and kept.key == key and len(texts) == 2 * len(files):
        now[name] = kept
        return kept.sources, []
    sources, problems = _make_sources(reference, root, files)
    if not problems:
        now[name] = _Made(key, sources)
    return sources, problems


def _make_sources(
    reference: CommandReference, root: str, files: Sequence[tuple[str, str] | Diagnostic]
) -> tuple[list[Source], list[Diagnostic]]:
    # Not at the top: a build whose commands have not changed does without the compiler that these import.
    from octavo.reference.command_line import CommandTree, check_commands, make_command_page, read_commands

    problems = [one for one in files if isinstance(one, Diagnostic)]
    entries, found = read_commands(one for one in files if not isinstance(one, Diagnostic))
    if not entries and not problems and not found:
        problems.append(_problem(reference.source, "This file or folder describes no command."))
    program = CommandTree.of([entry.command for entry in entries])
    pages = [make_command_page(entry.command, entry.span, program, f"{root}/{reference.docs}") for entry in entries]
    sources = [
        Source(
            path=page.path,
            root=root,
            is_page=False,
            made_from=page.span.path,
            data=msgspec.msgpack.encode(page),
        )
        for page in pages
    ]
    return sources, [*problems, *found, *check_commands(entries)]


def read_files(reference: CommandReference, site_dir: Path) -> Iterator[tuple[str, str] | Diagnostic]:
    """Read a file, or all files of a folder, in order of names: (path from the site's folder, text)."""
    is_folder = (site_dir / reference.source).is_dir()
    for path in sorted(walk_files(site_dir, reference.source, SUFFIXES)) if is_folder else [reference.source]:
        try:
            if not is_inside(site_dir, path):
                yield _problem(path, "This file lies outside the site's folder.")
            elif (site_dir / path).stat().st_size > _LONGEST_FILE:
                yield _problem(path, f"This file of commands is larger than {_LONGEST_FILE // 1_000_000} MB.")
            else:
                yield path, read_utf8(site_dir / path)
        except (OSError, NotUtf8Error) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            yield _problem(path, f"This file of commands cannot be read: {reason}.")


def _problem(path: str, message: str) -> Diagnostic:
    return Diagnostic(code="commands", level="error", span=Span(path), message=message)
