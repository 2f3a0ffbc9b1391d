"""`[versions]`: versions of the documentation that are tags or branches of the repository."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from octavo.config.schema.revisions import VersionsFrom
from octavo.diagnostics import Level
from octavo.errors import ConfigError, UsageError
from octavo.revisions import (
    Revision,
    UnreadableRevisionError,
    address_part,
    extract_folder,
    is_prerelease,
    is_shallow,
    keep_newest,
    list_revisions,
    read_text,
    version_name,
    with_folder,
)
from octavo.text_files import parse_toml

if TYPE_CHECKING:
    from octavo.config.schema import Config, Locale, Sidebar, Version


def tidy_versions(raw: dict[str, Any]) -> dict[str, Any]:
    """Take `[versions]` as a table apart from `[[versions]]`, a list."""
    given = raw.get("versions")
    return (
        {**{k: v for k, v in raw.items() if k != "versions"}, "versions_from": given}
        if isinstance(given, dict)
        else raw
    )


def resolve_versions(site_dir: Path, config: Config) -> Config:
    """List the versions that the settings ask for, with their documents in the store of `octavo.revisions`.

    Raises:
        ConfigError: the repository has tags or branches, and none of them is a version.
        UsageError: the store cannot be written to.
    """
    given = config.versions_from
    if given is None:
        return config
    found = find_versions(site_dir, config, given)
    return msgspec.structs.replace(config, versions=found.versions, locales=found.locales)


class FoundVersions(NamedTuple):
    """The versions of a repository."""

    versions: list[Version]
    """Newest first, the files at hand before them where they are shown."""
    locales: list[Locale]
    """The languages of the settings, which know where the translations of each version lie."""


def find_versions(site_dir: Path, config: Config, given: VersionsFrom) -> FoundVersions:
    """Find the versions, and the translations that each has."""
    from octavo.config.schema import Version

    folder = given.docs or config.docs
    try:
        revisions = list_revisions(site_dir, given.source, given.pattern)
    except UsageError:
        if not given.next:
            raise
        return FoundVersions([_current(config, given, path="")], config.locales)
    named = {version_name(one.ref, given.pattern): one for one in revisions}
    wanted = [name for name in named if not _any(name, given.hidden)]
    stored: dict[str, str] = {}
    folders: dict[str, str] = {}
    for name in keep_newest(wanted, given.newest):
        if given.most and sum(not is_prerelease(one) for one in stored) == given.most:
            break  # a version before its release takes the place of none
        for own in _folders(site_dir, named[name], folder, given):
            try:
                documents = extract_folder(site_dir, named[name].commit, own)
            except UnreadableRevisionError:
                break  # see `find_version_problems`
            if documents is not None:  # else it is older than the documentation
                stored[name], folders[name] = documents, own
                break
    releases = [name for name in stored if not is_prerelease(name)] or list(stored)
    found = [
        Version(
            name=name,
            label=given.label.replace("{version}", name),
            path="" if name == releases[0] else address_part(name, given.newest),
            docs=documents,
            banner=_banner(name, releases, given),
            sidebars=_sidebars(site_dir, named[name]) if config.sidebars else None,
        )
        for name, documents in stored.items()
    ]
    if not found and given.next and not revisions and _has_none_yet(site_dir, given):
        return FoundVersions([_current(config, given, path="")], config.locales)
    if not found:
        raise ConfigError(
            f'versions: no {given.source[:-1] if given.source == "tags" else "branch"} that matches "{given.pattern}" '
            f'has a folder "{folder}". Correct `pattern` or `docs`; in a shallow clone, fetch the {given.source} first.'
        )
    locales = [
        config.default_locale,
        *(_with_translations(site_dir, locale, folders, stored, named) for locale in config.locales[1:]),
    ]
    if given.next:
        now = _current(config, given, path=given.next)
        found = [msgspec.structs.replace(now, banner="unreleased"), *found]
    return FoundVersions(found, locales)


def _current(config: Config, given: VersionsFrom, path: str) -> Version:
    """The documents as they are now; without any release they are the site, at its main addresses."""
    from octavo.config.schema import Version

    return Version(name="next", label=given.next_label, path=path, docs=config.docs)


def _has_none_yet(site_dir: Path, given: VersionsFrom) -> bool:
    """Return whether a repository has no tag at all. With others, or with part of its history, the pattern may be wrong."""
    is_new = given.source == "tags" and not list_revisions(site_dir, given.source, "*")
    return is_new or is_shallow(site_dir)


def _with_translations(
    site_dir: Path,
    locale: Locale,
    originals: Mapping[str, str],
    stored: Mapping[str, str],
    named: Mapping[str, Revision],
) -> Locale:
    """Read the translations of each version: those that the tag or branch has itself, as its documents."""
    folders = dict(locale.folders)
    for name, documents in stored.items():  # newest first: its translations are those of all with the same documents
        original = originals[name]
        translated = locale.folders.get(original) or (
            posixpath.normpath(f"{locale.docs}/{original}") if locale.docs else None
        )
        if translated is None:
            continue
        try:
            own = extract_folder(site_dir, named[name].commit, translated)
        except UnreadableRevisionError as error:
            raise UsageError(f'{error} Leave the version out of [versions] with hidden = ["{name}"].') from error
        if own is not None:
            folders.setdefault(documents, own)
    return msgspec.structs.replace(locale, folders=folders)


def _banner(name: str, releases: list[str], given: VersionsFrom) -> Literal["none", "unreleased", "unmaintained"]:
    if name == releases[0]:
        return "none"
    if name not in releases:
        return "unreleased"
    is_old = bool(given.supported) and releases.index(name) >= given.supported
    return "unmaintained" if is_old or _any(name, given.ended) else "none"


def _any(name: str, patterns: list[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _folders(site_dir: Path, revision: Revision, folder: str, given: VersionsFrom) -> Iterator[str]:
    """Name the folders in which a revision may have its documents: today's, then that of its own settings."""
    yield folder
    if given.docs is None:
        own = _settings(site_dir, revision).get("docs", "docs")
        if isinstance(own, str) and own != folder:
            yield own


def _settings(site_dir: Path, revision: Revision) -> dict[str, Any]:
    """Read the settings that a revision has of its own; none where they are missing, or no TOML."""
    import tomllib

    try:
        return parse_toml((read_text(site_dir, revision.commit, "octavo.toml") or "").removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        return {}


class VersionProblem(NamedTuple):
    """A tag or branch of which readers might miss the version."""

    message: str
    remedy: str
    level: Level = "warn"


def find_version_problems(site_dir: Path, config: Config) -> Iterator[VersionProblem]:
    """Find tags and branches whose versions are missing without anybody having said so.

    Args:
        site_dir: The site's folder.
        config: The settings, versions included.
    """
    given = config.versions_from
    if given is None:
        return
    kind = "tag" if given.source == "tags" else "branch"
    named: dict[str, str] = {}
    try:
        revisions = list_revisions(site_dir, given.source, given.pattern)
    except UsageError as error:
        message = (
            f"The {given.source} of the repository cannot be read, so only the current documents are shown: {error}"
        )
        remedy = "Build in a clone of the repository, with git installed, or set missing_version in [diagnostics]."
        yield VersionProblem(message, remedy, "error")
        return
    for revision in revisions:
        name = version_name(revision.ref, given.pattern)
        if name in named:
            message = (
                f'The {kind} "{named[name]}" and the {kind} "{revision.ref}" are both version "{name}"; one is shown.'
            )
            yield VersionProblem(message, "Name one of them otherwise, or write a narrower pattern.")
        named[name] = revision.ref
    shown = [version.name for version in config.versions]
    asked = keep_newest([name for name in named if not _any(name, given.hidden)], given.newest)
    unreadable = set()
    commits = {version_name(one.ref, given.pattern): one.commit for one in revisions}
    for name, reason in _find_unreadable(site_dir, config, given, {name: commits[name] for name in asked}):
        unreadable.add(name)
        message = f'The {kind} "{named[name]}" cannot be read, so version {name} is not shown: {reason}'
        remedy = f'Fetch it again, or leave it out: hidden = ["{name}"].'
        # With the newest one missing, readers are given an older one in its place.
        is_newest = asked.index(name) < min(map(asked.index, filter(asked.__contains__, shown)), default=len(asked))
        yield VersionProblem(message, remedy, "error" if is_newest else "warn")
    last = max((asked.index(name) for name in shown if name in asked), default=-1)
    for name in asked[:last]:  # what is older than all that are shown is older than the documentation
        if name not in shown and name not in unreadable:
            message = f'The {kind} "{named[name]}" has no folder of documents, so version {name} is not shown.'
            yield VersionProblem(message, f'Name its folder in `docs`, or leave it out: hidden = ["{name}"].')
    if is_shallow(site_dir):
        message = f"This repository is a shallow clone, which may lack {given.source}: versions may be missing."
        remedy = "Fetch them first, such as with `git fetch --unshallow --tags`, or fetch-depth: 0."
        yield VersionProblem(message, remedy, "warn" if named else "error")


def _find_unreadable(
    site_dir: Path, config: Config, given: VersionsFrom, commits: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Find versions that have documents and are not shown, because these cannot be read: (name, reason).

    Args:
        site_dir: The site's folder.
        config: The settings, versions included.
        given: Where versions come from.
        commits: Version → its commit, newest first.
    """
    folder = given.docs or config.docs
    shown = {version.name for version in config.versions}
    there = set(with_folder(site_dir, [commit for name, commit in commits.items() if name not in shown], folder))
    room = given.most or len(commits)
    for name, commit in commits.items():
        if room == 0:
            return
        room -= name in shown
        if name not in shown and commit in there:
            try:
                extract_folder(site_dir, commit, folder)
            except UnreadableRevisionError as error:
                yield name, str(error)


def _sidebars(site_dir: Path, revision: Revision) -> list[Sidebar] | None:
    """Read the sidebars that a revision has of its own; None for one from before the site had settings.

    Today's may name documents that it does not have.
    """
    from octavo.config.schema import Sidebar, SidebarEntry

    whole = [Sidebar(id="docs", items=[SidebarEntry(autogenerated=".")])]
    if read_text(site_dir, revision.commit, "octavo.toml") is None:
        return None
    try:
        return msgspec.convert(_settings(site_dir, revision).get("sidebars"), list[Sidebar]) or whole
    except msgspec.ValidationError:
        return whole
