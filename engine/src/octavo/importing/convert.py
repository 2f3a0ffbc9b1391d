"""Copy a site into a folder of its own, and write its pages there in our syntax."""

from __future__ import annotations

import os
import posixpath
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from octavo.config import parse_config
from octavo.content import TRANSLATED, convert_page
from octavo.diagnostics import Diagnostic
from octavo.documents import Compiler
from octavo.errors import UsageError
from octavo.extending import SiteExtensions
from octavo.importing.model import Plan
from octavo.importing.settings.toml_text import write_toml
from octavo.lazy import regex as re
from octavo.runtime import open_cache, work_folder
from octavo.site import is_inside, page_suffixes

_REFERENCE = re.compile(r"""\$ref["']?\s*:\s*["']?(?!\w+://)([^#"'\s{}]+)""")
"""A file that a description of an API refers to."""
_LONGEST_DESCRIPTION = 20_000_000
_LEFT_OUT = shutil.ignore_patterns("node_modules", ".git", ".octavo", ".vitepress", ".docusaurus")


def copy_site(plan: Plan, to: Path, project: Path) -> None:
    """Copy what the settings name, and make the copy the plan's site.

    Args:
        plan: Its paths stay as they are: the copy has the same folders.
        to: A folder that is new or empty.
        project: The folder, without links, that all that is copied has to be in.

    Raises:
        UsageError: the folder is not empty, or lies in what is copied.
    """
    to = to.resolve()
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise UsageError(f"{to} is not empty; name a new folder.")
    folders = sorted(set(_folders(plan.settings)))
    if any(to.is_relative_to((plan.site_dir / folder).resolve()) for folder in folders):
        raise UsageError(f"{to} is inside the site that is copied; name a folder outside of it.")
    to.mkdir(parents=True, exist_ok=True)
    for folder in folders:
        source = plan.site_dir / folder
        if source.is_dir() and (to / folder).resolve().is_relative_to(to):
            _copy_folder(plan, source, to / folder, project)
    for file in _with_references(_files(plan.settings), plan.site_dir):
        _bring(plan.site_dir, project, to, file)
    plan.site_dir = to


def _copy_folder(plan: Plan, source: Path, target: Path, project: Path) -> None:
    """Copy a folder, and what links in it lead to, as long as that is in the project.

    Raises:
        UsageError: a file cannot be read or written.
    """
    refused: list[str] = []

    def leave_out(folder: str, names: list[str]) -> set[str]:
        left_out = set(_LEFT_OUT(folder, names))
        for name in sorted({*names} - left_out):
            if not _is_copied(Path(folder, name), source, project):
                left_out.add(name)
                refused.append(Path(folder, name).relative_to(plan.site_dir).as_posix())
        return left_out

    try:
        if _is_in(source.resolve(), project):
            shutil.copytree(source, target, ignore=leave_out, dirs_exist_ok=True)
        else:
            refused.append(source.relative_to(plan.site_dir).as_posix())
    except shutil.Error as error:
        # One for each file that failed: (source, target, why).
        path, _, why = error.args[0][0]
        raise UsageError(f"{path} cannot be copied: {why}") from error
    if refused:
        plan.note(
            "Links out of the project, links that lead nowhere or in a circle, and special files",
            "They are not copied. Put the files that pages need in their places.",
            count=len(refused),
            files=refused,
        )


def _is_copied(path: Path, source: Path, project: Path) -> bool:
    """Return whether what is at a path, links followed, is a file or folder of the project."""
    if not path.is_symlink():
        return path.is_file() or path.is_dir()
    try:
        real = path.resolve(strict=True)
        folders = [path.parent, *path.parent.parents]
        above = folders[: folders.index(source) + 1]
        # A folder that is within itself would be copied again and again.
        is_circle = real.is_dir() and any(folder.resolve().is_relative_to(real) for folder in above)
    except (OSError, RuntimeError):
        return False  # it leads nowhere, or to itself
    return _is_in(real, project) and not is_circle and (real.is_file() or real.is_dir())


def _is_in(real: Path, project: Path) -> bool:
    """Return whether a path without links is in a project; what Git keeps there, such as passwords, is not."""
    return real.is_relative_to(project) and ".git" not in real.relative_to(project).parts


def _folders(settings: dict[str, Any]) -> Iterator[str]:
    for key in ("docs", "pages", "static", "components"):
        if key in settings:
            yield settings[key]
    yield from settings.get("mounts", {})
    for version in settings.get("versions", []):
        yield version.get("docs", "docs")
    for locale in settings.get("locales", []):
        yield from locale.get("folders", {}).values()
    code = settings.get("extension_options", {}).get("python_api", {})
    yield from (f"{folder}/{name}" for folder in code.get("paths", []) for name in code.get("packages", []))
    markdown = settings.get("markdown")
    if isinstance(markdown, dict):
        # One around the documents is the whole project: what pages take in from there is copied with them.
        inside = f"{posixpath.normpath(settings.get('docs', 'docs'))}/"
        for folder in map(posixpath.normpath, markdown.get("snippets", [])):
            if folder != "." and (not inside.startswith(f"{folder}/") or inside == f"{folder}/"):
                yield folder
        yield from markdown.get("aliases", {}).values()


def _files(settings: dict[str, Any]) -> Iterator[str]:
    """List the files that the settings name by themselves: descriptions of APIs and commands, data, ends of pages."""
    yield from (one["spec"] for one in settings.get("openapi", []) if "spec" in one)
    yield from (one["source"] for one in settings.get("commands", []) if "source" in one)
    yield from settings.get("variable_files", [])
    if isinstance(settings.get("markdown"), dict):
        yield from settings["markdown"].get("append", [])


def _with_references(files: Iterable[str], site_dir: Path) -> Iterator[str]:
    """Add the files that descriptions refer to, and those that these refer to."""
    waiting = [posixpath.normpath(file) for file in files if "://" not in file]
    seen = set(waiting)
    while waiting:
        path = waiting.pop()
        yield path
        source = site_dir / path
        if is_inside(site_dir, path) and source.is_file() and source.stat().st_size < _LONGEST_DESCRIPTION:
            for name in _REFERENCE.findall(source.read_text(encoding="utf-8", errors="replace")):
                other = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)


def convert_pages(plan: Plan, origin: Path, project: Path, components: list[str]) -> list[Diagnostic]:
    """Write the Markdown files of a copy in our syntax, and leave the extensions out that no file needs any more.

    A page that would say anything else than before stays as it was, where its syntax can be read in place, and is noted.

    Args:
        plan: Of the copied site; its settings are changed.
        origin: The site that was copied.
        project: The folder, without links, that files which pages take in have to be in.
        components: Names of the components that will be written.

    Returns:
        What was found in the files; what is not understood there is text from now on.
    """
    config = parse_config(write_toml(plan.settings))
    work_dir = work_folder(plan.site_dir, writes_site=True)
    extensions = SiteExtensions(plan.site_dir, config, open_cache(work_dir)) if config.extensions else None
    options = Compiler.of(plan.site_dir, config, {}, extensions).with_stubs(components).options
    read = _reader(origin, project, plan.files)
    problems: list[Diagnostic] = []
    kept: dict[str, set[str]] = {folder: set() for folder in options.folders}
    changed, unlike = 0, []
    # Files that are not pages by their name in `exclude` are read where a page imports them.
    left_out = set(config.exclude)
    waiting = [path for path in _page_files(plan.site_dir, page_suffixes(config)) if path not in left_out]
    seen = set(waiting)
    while waiting:
        path = waiting.pop()
        text = read(path)
        if text is None:
            continue
        done = convert_page(text, path, read, options, extensions)
        for other in {posixpath.normpath(one) for one in done.files} - seen:
            seen.add(other)
            if _bring(origin, project, plan.site_dir, other) and other.endswith(page_suffixes(config)):
                waiting.append(other)
        needed = done.kept
        is_translated = bool(options.dialect_of(path).extensions - needed & TRANSLATED)
        problems += done.problems
        if not done.is_same:
            unlike.append(path)
        if done.is_same or is_translated:
            if done.text != text:
                changed += 1
                (plan.site_dir / done.path).write_bytes(done.text.encode())
                if done.path != path:
                    (plan.site_dir / path).unlink()
        else:
            needed = options.dialect_of(path).extensions
        folder = options.folder_of(path)
        if folder is not None:
            kept[folder] |= needed
    _leave_out(plan.settings, kept)
    plan.note("Files that were rewritten in Octavo's syntax", "Nothing is to be done.", count=changed)
    if unlike:
        remedy = "They would read differently, and keep the syntax that they had; compare them with the old site."
        plan.note("Files that could not be rewritten", remedy, count=len(unlike), files=unlike)
    return problems


def _bring(origin: Path, project: Path, to: Path, path: str) -> bool:
    """Copy a file that lies in no folder that the settings name; False where there is none."""
    source = (origin / path).resolve()
    is_named = not path.startswith(("../", "/")) and source.is_relative_to(origin.resolve())
    if not is_named or not source.is_file() or not _is_in(source, project):
        return False
    target = to / path
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    return True


def _reader(site_dir: Path, project: Path, planned: Mapping[str, str]) -> Callable[[str], str | None]:
    """Read files as they were before anything was rewritten, and those that will be written."""

    def read(path: str) -> str | None:
        if path in planned:
            return planned[path]
        if not is_inside(site_dir, path) or not _is_in((site_dir / path).resolve(), project):
            return None
        try:
            return (site_dir / path).read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError, ValueError):
            return None

    return read


def _page_files(site_dir: Path, suffixes: tuple[str, ...]) -> Iterator[str]:
    for folder, folders, files in os.walk(site_dir):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        for name in sorted(files):
            if name.endswith(suffixes):
                yield (Path(folder) / name).relative_to(site_dir).as_posix()


_OF_EXTENSIONS = {
    "shortcodes": {"hugo"},
    "variables": {"hugo", "macros", "jekyll", "myst", "rst"},
    "references": {"autorefs", "hugo", "jekyll", "myst", "rst"},
    "snippets": {"macros", "mdbook", "snippets", "table_reader", "vitepress"},
}
"""Key of `[markdown]` → extensions that ask for it."""


def _leave_out(settings: dict[str, Any], kept: Mapping[str, set[str]]) -> None:
    """Leave out the extensions that the files of a folder need no more, and what only these asked for."""
    markdown = settings.get("markdown")
    if not isinstance(markdown, dict):
        return
    # Texts of docstrings are written as they were, and drawn with the pages that show them.
    has_docstrings = "octavo.shipped.python_api" in settings.get("extensions", [])
    tables = {"": markdown, **{key: one for key, one in markdown.items() if isinstance(one, dict)}}
    for folder, table in tables.items():
        needed = kept.get(folder.removeprefix("./").strip("/").removeprefix("."))
        if needed is None or "extensions" not in table:
            continue
        if has_docstrings:
            needed |= set(table["extensions"])
        table["extensions"] = sorted(needed)
        if not needed:
            del table["extensions"]
        for key, names in _OF_EXTENSIONS.items():
            if not names & needed:
                table.pop(key, None)
    if not markdown:
        del settings["markdown"]
