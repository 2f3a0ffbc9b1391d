"""Pages of changes between versions: read what each tag or branch describes, compare, and add a source for each page."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from octavo.config import ApiReference, CommandReference, Config, site_words
from octavo.diagnostics import Diagnostic, Span
from octavo.documents.command_pages import SUFFIXES, read_files
from octavo.revisions import extract_folder, list_revisions, read_text, version_name
from octavo.runtime import digest, documents_key, write_whole
from octavo.site import Source, docs_root, is_released

if TYPE_CHECKING:
    from octavo.reference import Since, Surface
    from octavo.reference.openapi import Description

    ReadSurface = Callable[[str], Surface | None]
    ReadNow = Callable[[], Surface]

FOLDER = "changes"
"""Below the working folder of the build: what each version describes, which does not change."""


class Changes(NamedTuple):
    """What is known of the versions of one reference."""

    since: Mapping[str, Since]
    """Name of an operation or command → which version brought it and its parts."""
    source: Source | None
    """Its page; None where there are fewer than two versions."""


NO_CHANGES = Changes({}, None)


class ChangeReader:
    """Reads references at the versions of a site."""

    def __init__(self, site_dir: Path, config: Config, work_dir: Path) -> None:
        self._site_dir = site_dir
        self._config = config
        self._folder = work_dir / FOLDER
        self._root = docs_root(config, config.default_locale, config.last_version)
        self.problems: list[Diagnostic] = []
        """What is wrong with the settings and with descriptions of earlier versions."""

    def of_api(self, description: Description) -> Changes:
        """Compare the versions of an API."""
        from octavo.reference import api_surface

        api = description.config
        links = {name: _within(description, description.schema_address(name, "")) for name in description.schemas}
        links |= {f"{one.method} {one.path}": description.operation_address(one, "") for one in description.operations}

        def read(commit: str) -> Surface | None:
            text = read_text(self._site_dir, commit, api.spec)
            return {} if text is None else self._api_surface(api, text, commit)

        surfaces = self._surfaces("openapi", api.spec, read, lambda: api_surface(description.root), api.internal)
        return self._changes(surfaces, description.title, f"{self._root}/{api.doc}-changes.md", api.spec, links)

    def of_commands(self, reference: CommandReference, pages: Sequence[Source]) -> Changes:
        """Compare the versions of the commands whose pages are given."""
        from octavo.reference import command_surface
        from octavo.reference.command_line import CommandPage

        commands = [msgspec.msgpack.decode(page.data or b"", type=CommandPage).command for page in pages]
        links = {one.name: f"/{self._root}/{reference.docs}/{one.file_name}.md" for one in commands}
        surfaces = self._surfaces(
            "commands",
            reference.source,
            lambda commit: self._command_surface(reference, commit),
            lambda: command_surface(commands),
        )
        name = min((one.name for one in commands), key=len, default="").partition(" ")[0]
        return self._changes(surfaces, name, f"{self._root}/{reference.docs}/changes.md", reference.source, links)

    def _changes(
        self, surfaces: list[tuple[str, Surface]], name: str, path: str, origin: str, links: Mapping[str, str]
    ) -> Changes:
        from octavo.reference import ChangesOf, compare, find_since, write_changes

        if len(surfaces) < 2:
            return NO_CHANGES
        found = [ChangesOf(label, before, compare(old, new)) for (before, old), (label, new) in pairwise(surfaces)]
        words = site_words(self._config, self._config.default_locale.id)
        text = write_changes(name, found[::-1], surfaces[0][0], links, words)
        source = Source(path, self._root, is_page=False, made_from=origin, data=text.encode(), maker="changes")
        return Changes(find_since(surfaces), source)

    def _surfaces(
        self, code: str, path: str, read: ReadSurface, read_now: ReadNow, setting: str = ""
    ) -> list[tuple[str, Surface]]:
        """Read what each version describes, oldest first; versions without a description are left out.

        Args:
            code: Of findings.
            path: Of the description.
            read: Reads what a commit describes.
            read_now: Reads what the files describe.
            setting: What `read` depends on besides.
        """
        given = self._config.versions_from
        if given is None:
            message = (
                f'{code}: changes is given for "{path}", but the versions of this site are not read from version control. '
                'Write [versions] with from = "tags", or leave changes out.'
            )
            self.problems.append(Diagnostic(code, "error", Span("octavo.toml"), message))
            return []
        if len(self._config.versions) < 2:
            return []  # before the first release, or where the repository cannot be read
        revisions = list_revisions(self._site_dir, given.source, given.pattern)
        commits = {version_name(one.ref, given.pattern): one.commit for one in revisions}
        found: list[tuple[str, Surface]] = []
        for version in reversed(self._config.versions):
            commit = commits.get(version.name)
            if is_released(version) and commit is not None:
                surface = self._kept(commit, read, code, path, setting)
                found += [(version.label, surface)] if surface else []
            elif version.name == "next":
                found.append((version.label, read_now()))
        return found

    def _kept(self, commit: str, read: ReadSurface, *key: str) -> Surface | None:
        """Read what a commit describes, once for all builds; nothing where it has no description, None for a bad one."""
        from octavo.reference import Member

        file = self._folder / digest(documents_key(), commit, *key)
        try:
            return msgspec.msgpack.decode(file.read_bytes(), type=dict[str, Member])
        except (OSError, msgspec.DecodeError):
            surface = read(commit)
        if surface is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, msgspec.msgpack.encode(surface))
        return surface

    def _api_surface(self, api: ApiReference, text: str, commit: str) -> Surface | None:
        from octavo.reference import api_surface
        from octavo.reference.openapi import Problem, as_openapi_3, bundle, parse_description, without_internal

        def load(path: str) -> bytes | None:
            found = read_text(self._site_dir, commit, path)
            return None if found is None else found.encode()

        try:
            root: dict[str, Any] = as_openapi_3(bundle(parse_description(text.encode())[1], api.spec, load))[0]
            # What is internal is not told to readers, as it was in that version either.
            return api_surface(root if api.internal == "show" else without_internal(root)[0])
        except Problem as problem:
            self._report_unread("openapi", api.spec, commit, str(problem.message))
            return None

    def _command_surface(self, reference: CommandReference, commit: str) -> Surface | None:
        from octavo.reference import command_surface
        from octavo.reference.command_line import read_commands

        files = list(self._command_files(reference, commit))
        entries, problems = read_commands(files)
        for problem in problems:
            self._report_unread("commands", reference.source, commit, problem.message)
        return None if problems else command_surface(one.command for one in entries)

    def _command_files(self, reference: CommandReference, commit: str) -> Iterator[tuple[str, str]]:
        if posixpath.splitext(reference.source)[1] in SUFFIXES:
            text = read_text(self._site_dir, commit, reference.source)
            if text is not None:
                yield reference.source, text
            return
        stored_source = extract_folder(self._site_dir, commit, reference.source)
        if stored_source is not None:
            stored = msgspec.structs.replace(reference, source=stored_source)
            yield from (one for one in read_files(stored, self._site_dir) if not isinstance(one, Diagnostic))

    def _report_unread(self, code: str, path: str, commit: str, reason: str) -> None:
        message = f'"{path}" as it is in {commit[:12]} cannot be compared with other versions: {reason}'
        self.problems.append(Diagnostic(code, "warn", Span(path), message))


def _within(description: Description, address: str) -> str:
    """Complete an address that is only a fragment: that of the description's page."""
    return f"{description.route}{address}" if address.startswith("#") else address
