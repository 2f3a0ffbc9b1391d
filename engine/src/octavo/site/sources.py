"""Find the Markdown files of a site, and what lies among them and is none."""

from __future__ import annotations

import os
import posixpath
import stat
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from octavo.config import CONFIG_NAME, Config, Locale, Version
from octavo.diagnostics import Diagnostic, Span
from octavo.errors import UsageError
from octavo.lazy import regex as re
from octavo.revisions import release_folder
from octavo.site.model import Source
from octavo.text_files import find_bad_byte

MARKDOWN_SUFFIXES = (".md", ".mdx", ".markdown")
RST_SUFFIX = ".rst"
NOTEBOOK_SUFFIX = ".ipynb"
_OF_EXTENSIONS = {"rst": RST_SUFFIX, "notebooks": NOTEBOOK_SUFFIX}
"""Extension of Markdown → the ending of the files that are pages with it."""
PAGE_SUFFIXES = (*MARKDOWN_SUFFIXES, *_OF_EXTENSIONS.values())
"""Endings of all files that may be pages."""
_LANGUAGES = frozenset(
    re.findall(
        "..",
        "aaabafakamanarasavayazbabebgbhbibmbnbobrbscacechcocrcscucvcydadedvdzeeeleneoeseteufafffifjfofrfygagdglgn"
        "gugvhahehihohrhthuhyhziaidieigiiikioisitiujajvkakgkikjkkklkmknkokrkskukvkwkylalblglilnloltlulvmgmhmimkml"
        "mnmrmsmtmynanbndnengnlnnnonrnvnyocojomorospapiplpsptqurmrnrorurwsascsdsesgsiskslsmsnsosqsrssstsusvswtate"
        "tgthtitktltntotrtstttwtyugukuruzvevivowawoxhyiyozazhzu",
    )
)
"""ISO 639-1: languages with a code of two letters."""
_ALSO_OTHERWISE = frozenset(
    re.findall(
        "..",
        "amanasbabebobrcscucvelgohehihohridieikioisitkmlalilomgmimkmlmrmtmynenoomorospapiplpsrmroscseshsisosttotrtstttyviwa",
    )
)
"""Codes that names of pages have more often as endings of source files (`foo.ts.md`), as units, or as words (`how.to.md`)."""
_LIKE_DOCUMENTS = re.compile(
    r"\.(?:rst|adoc|asciidoc|ipynb|textile|org|mdown|mdwn|mkdn?)$|\.(?!md$|mdx$)(?i:mdx?)$|^(?!_category_\.(?:ya?ml|json)$)_?category_?\.(?:ya?ml|json|toml)$"
)
CATEGORY_NAMES = ("_category_.yaml", "_category_.yml", "_category_.json")


def docs_root(config: Config, locale: Locale, version: Version) -> str:
    """Name the folder that holds the documents of a locale and version, from the site's folder."""
    return _translated(version.docs if version.docs != "docs" else config.docs, config, locale)


def pages_root(config: Config, locale: Locale) -> str:
    """Name the folder that holds the pages outside the sidebars."""
    return _translated(config.pages, config, locale)


def mount_root(config: Config, locale: Locale, folder: str) -> str:
    """Name the folder of a locale that translates one of the mounted folders."""
    return _translated(folder, config, locale)


def _translated(folder: str, config: Config, locale: Locale) -> str:
    if locale is config.default_locale:
        return folder
    # Not "fr/./a.md": documents may lie in the site's folder itself.
    return locale.folders.get(folder) or (posixpath.normpath(f"{locale.docs}/{folder}") if locale.docs else folder)


def _translated_folders(config: Config) -> Iterator[str]:
    """List the folders of translations, which may lie among the originals."""
    for locale in config.locales[1:]:
        if locale.docs:
            yield posixpath.normpath(locale.docs)
        for version in config.versions:
            roots = [docs_root(config, locale, version), pages_root(config, locale)]
            roots += [mount_root(config, locale, folder) for folder in config.mounts]
            originals = {docs_root(config, config.default_locale, version), config.pages, *config.mounts}
            # With suffixes, and where a version has no translations, both are one folder.
            yield from map(posixpath.normpath, set(roots) - originals)


def collect_sources(
    site_dir: Path, config: Config, root: str, *, is_page: bool = False, mount: str | None = None
) -> list[Source]:
    """List the Markdown files under a folder, sorted; names that begin with `_` or `.` are left out.

    Symbolic links are not followed out of the site's folder.

    Args:
        site_dir: The site's folder.
        config: Its settings; they say which files are not documents, and which are indexes of folders.
        root: The folder.
        is_page: It is the pages folder.
        mount: The mounted folder that it is, or whose translation.
    """
    indexes = frozenset(name for name in config.routing.index_names if name.startswith("_"))
    excluded = excluded_paths(config)
    suffixes = frozenset(locale.suffix for locale in config.locales[1:] if locale.suffix)
    tags = frozenset([config.default_locale.suffix] if config.default_locale.suffix else [])
    indexes |= {f"{name}.{suffix}" for name in indexes for suffix in suffixes | tags}

    def is_excluded(path: str) -> bool:
        return excluded is not None and bool(excluded(_today(path, root, config)))

    others = {*config.mounts, *_translated_folders(config)}
    inner = [f"{folder}/" for folder in others if folder != posixpath.normpath(root) and _is_below(folder, root)]
    return sorted(
        (
            Source(
                path=path,
                root=root,
                is_page=is_page,
                mount=mount,
                suffix=find_suffix(path, suffixes),
                tag=find_suffix(path, tags),
            )
            for path in walk_files(site_dir, root, page_suffixes(config), indexes=indexes)
            if not is_excluded(path) and not path.startswith(tuple(inner))
        ),
        key=lambda source: source.path,
    )


def is_released(version: Version) -> bool:
    """Return whether the documents of a version are those of a tag or branch."""
    return bool(release_folder(version.docs))


def path_today(source: Source, config: Config) -> str:
    """Give the path that the settings name a file by: of a file of a release, that where it would be now."""
    return _today(source.path, source.root, config)


def _today(path: str, root: str, config: Config) -> str:
    if not release_folder(root):
        return path
    return posixpath.normpath(posixpath.join(config.docs, path[len(root) + 1 :]))


def page_suffixes(config: Config) -> tuple[str, ...]:
    """Give the endings of the files that are pages of a site: those of reStructuredText and notebooks where its settings say so."""
    extensions = {one for folder in config.markdown_folders.values() for one in folder.extensions}
    return (*MARKDOWN_SUFFIXES, *(suffix for name, suffix in _OF_EXTENSIONS.items() if name in extensions))


def find_suffix(path: str, suffixes: Collection[str]) -> str:
    """Find the language in the name of a file, `de` in `install.de.md`, where it is one of `suffixes`; else empty."""
    if not suffixes:
        return ""
    stem, dot, suffix = posixpath.splitext(posixpath.basename(path))[0].rpartition(".")
    return suffix if stem and dot and suffix in suffixes else ""


def explain_suffix(path: str, paths: Collection[str], config: Config) -> Diagnostic | None:
    """Say that a file is named like a translation of the one beside it, in a language that has no such files.

    Args:
        path: The file.
        paths: All Markdown files of the site.
        config: Its settings.
    """
    stem = posixpath.splitext(path)[0]
    base, dot, suffix = stem.rpartition(".")
    code = suffix.lower().split("-")[0]
    if not dot or code not in _LANGUAGES or posixpath.basename(base) in ("", "."):
        return None
    original = next((f"{base}{one}" for one in MARKDOWN_SUFFIXES if f"{base}{one}" in paths), None)
    if original is None or any(locale.suffix == suffix for locale in config.locales):
        return None
    known = next((locale for locale in config.locales if locale.id.lower() == suffix.lower()), None)
    if known is None and suffix.lower() in _ALSO_OTHERWISE:
        return None
    message = (
        f'The name ends in "{suffix}" like that of a translation of "{posixpath.basename(original)}", but no language of '
        "the site has this suffix: the file is a page of its own."
    )
    hint = (
        f'Write suffix = "{suffix}" at the language "{known.id}" in octavo.toml, or rename the file.'
        if known
        else f'Add a language with suffix = "{suffix}" to [[locales]] in octavo.toml, or rename the file.'
    )
    return Diagnostic("translation-suffix", "warn", Span(path), message, hint)


def _is_below(folder: str, root: str) -> bool:
    return root == "." or folder.startswith(f"{root}/")


def excluded_paths(config: Config) -> Callable[[str], object] | None:
    """Make a test of paths from the site's folder by the setting `exclude`; None where it names nothing."""
    return _matcher(tuple(config.exclude))


@lru_cache(maxsize=8)
def _matcher(patterns: tuple[str, ...]) -> Callable[[str], object] | None:
    """Compile patterns of paths: `*` and `?` match within one part, `**` matches any number of parts."""
    if not patterns:
        return None
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    regexes = (
        "".join(parts.get(part) or re.escape(part) for part in re.split(r"(\*\*/|\*\*|\*|\?)", pattern))
        for pattern in patterns
    )
    return re.compile("|".join(f"(?:{regex})" for regex in regexes)).fullmatch


def walk_files(
    site_dir: Path, root: str, suffixes: tuple[str, ...], *, indexes: frozenset[str] = frozenset()
) -> Iterator[str]:
    """Walk the files under a folder that end in one of the suffixes, as paths from the site's folder.

    Args:
        site_dir: The site's folder.
        root: The folder, from the site's folder; "." for the site's folder itself.
        suffixes: Endings of the files.
        indexes: Names, without ending, that begin with an underscore and count all the same.
    """
    stack = [root]
    while stack:
        folder = stack.pop()
        entries = list_folder(site_dir, folder)
        for entry in entries:
            hidden = entry.name.startswith((".", "_"))
            if (hidden and entry.name.rpartition(".")[0] not in indexes) or entry.name == "node_modules":
                continue
            path = entry.name if folder == "." else f"{folder}/{entry.name}"
            if not path.isascii() and not _is_unicode(path):
                continue  # `explain_special` says so
            if entry.is_dir(follow_symlinks=False):
                stack.append(path)
            elif entry.name.endswith(suffixes) and is_plain(site_dir, path, entry):
                yield path


def list_folder(site_dir: Path, folder: str) -> list[os.DirEntry[str]]:
    """List what is in a folder that a site may have.

    Args:
        site_dir: The site's folder.
        folder: The folder, from the site's folder.

    Returns:
        Its entries, none where there is no such folder.

    Raises:
        UsageError: it is a file, or cannot be read.
    """
    try:
        with os.scandir(site_dir / folder) as entries:
            return list(entries)
    except FileNotFoundError:
        return []
    except NotADirectoryError:
        raise UsageError(
            f'"{folder}" is a file; Octavo reads a folder of this name. Rename the file, or name another folder in '
            f"{CONFIG_NAME}."
        ) from None
    except OSError as error:
        raise UsageError(f'The folder "{folder}" cannot be read: {error.strerror}.') from error


def is_plain(site_dir: Path, path: str, entry: os.DirEntry[str]) -> bool:
    """Return whether an entry of a folder is a file, or a link to a file of the site: whatever else may not be opened.

    Args:
        site_dir: The site's folder.
        path: The entry's path from there.
        entry: The entry.
    """
    if not entry.is_symlink():
        return entry.is_file(follow_symlinks=False)
    return _kind(entry) == stat.S_IFREG and is_inside(site_dir, path)


def explain_special(site_dir: Path, path: str, entry: os.DirEntry[str]) -> Diagnostic | None:
    """Explain why an entry of a folder is left out; None where it is a file or a folder. Takes the arguments of `is_plain`."""
    if not _is_unicode(entry.name):
        shown = entry.name.encode("utf-8", "backslashreplace").decode()
        place = Span(path.encode("utf-8", "backslashreplace").decode())
        return Diagnostic("unsafe-address", "error", place, f'The name of "{shown}" is not UTF-8.', "Rename it.")
    if entry.is_dir(follow_symlinks=False) or is_plain(site_dir, path, entry):
        return None
    if not entry.is_symlink():
        message = "This is not a file but a pipe, a socket or a device."
    elif _kind(entry) == stat.S_IFDIR:
        message = "This link leads to a folder. Octavo follows links to files only."
    elif not _kind(entry):
        message = "This link leads nowhere."
    elif is_inside(site_dir, path):
        message = "This link leads to a pipe, a socket or a device."
    else:
        message = "This link leads out of the site's folder, and what is there is not published."
    return Diagnostic("special-file", "warn", Span(path), message, "Replace it with a file, or remove it.")


def _kind(entry: os.DirEntry[str]) -> int:
    """Give the kind of file that an entry leads to, as `stat.S_IFMT` does; 0 where it leads nowhere."""
    try:
        return stat.S_IFMT(entry.stat().st_mode)
    except OSError:
        return 0


class LeftOut(NamedTuple):
    """What lies among the documents and is none."""

    files: list[str]
    """Paths from the site's folder of Markdown files that have an underscore in front of their names. What is in a
    folder with such a name is a partial beyond doubt, and not listed."""
    problems: list[Diagnostic]
    """About links and pipes."""
    others: list[str]
    """Paths of files that are named like documents, or like settings of a folder, and are none."""


def find_left_out(site_dir: Path, roots: Iterable[str]) -> LeftOut:
    """Find what `walk_files` leaves out of some folders of documents."""
    files: set[str] = set()
    problems: list[Diagnostic] = []
    others: list[str] = []
    stack = sorted(set(roots))
    seen = set(stack)
    for folder in stack:
        for entry in sorted(list_folder(site_dir, folder), key=lambda entry: entry.name):
            name = entry.name
            if name.startswith(".") or name == "node_modules":
                continue
            path = name if folder == "." else f"{folder}/{name}"
            if folder != "." and _LIKE_DOCUMENTS.search(name) and _kind(entry) == stat.S_IFREG:
                others.append(path)
            if name.startswith("_"):
                if name.endswith(MARKDOWN_SUFFIXES) and _kind(entry) != stat.S_IFDIR:
                    files.add(path)
            elif entry.is_dir(follow_symlinks=False) and _is_unicode(name):
                if path not in seen:
                    seen.add(path)
                    stack.append(path)
            # Others are not meant for readers, and where all of a repository is the folder of documents, there are many.
            elif name.endswith(MARKDOWN_SUFFIXES) or (folder != "." and _kind(entry) == stat.S_IFDIR):
                problem = explain_special(site_dir, path, entry)
                if problem is not None:
                    problems.append(problem)
    return LeftOut(sorted(files), problems, others)


def _is_unicode(path: str) -> bool:
    """Return whether a path can be written in UTF-8; the system hands other bytes on as surrogates."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_inside(site_dir: Path, path: str) -> bool:
    """Return whether a path, links resolved, stays in the site's folder."""
    try:
        return (site_dir / path).resolve().is_relative_to(site_dir.resolve())
    except (OSError, RuntimeError):
        return False  # a link to itself


def encoding_problem(path: str, data: bytes) -> Diagnostic | None:
    """Report a settings file that is not UTF-8: what it says cannot be known."""
    place = find_bad_byte(data)
    if place is None:
        return None
    return Diagnostic("encoding", "error", Span(path, *place), "This byte is not UTF-8.", "Save the file as UTF-8.")
