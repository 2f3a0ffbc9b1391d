"""Make findings ready to be shown: weighed, each once, with the line they point at, in order of place."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable
from pathlib import Path

import msgspec

from octavo.checks.made import at_origin, made_sources
from octavo.config import CONFIG_NAME, Config
from octavo.diagnostics import Diagnostic, Level, Span, cut_line
from octavo.lazy import regex as re
from octavo.revisions import STORE
from octavo.site import Page, Source, docs_root, is_inside
from octavo.text_files import read_plain

_IN_STORE = f"{STORE}/"
_WEIGHTS: tuple[Level, ...] = ("ignore", "warn", "error")
_FEW_NAMES = 5
"""Names that a finding about a folder lists."""


class SourceLines:
    """Texts and lines of the site's files, read when they are asked for."""

    def __init__(self, site_dir: Path, pages: Iterable[Page] = ()) -> None:
        """Initialize.

        Args:
            site_dir: The site's folder.
            pages: Those of the site; findings in documents that are made from data are moved to that.
        """
        self._site_dir = site_dir
        self._pages = pages
        self._texts: dict[str, str] = {}
        self._lines: dict[str, list[str]] = {}

    @functools.cached_property
    def made(self) -> dict[str, Source]:
        """Documents that no file has, as path → source."""
        return made_sources(self._pages)

    def text(self, path: str) -> str:
        """Give the text of a file, with single line feeds as line breaks; empty where it can't be read."""
        if path not in self._texts:
            try:
                # What a link out of the site leads to is shown to nobody; `inputs` of extensions may lie outside.
                is_shown = path.startswith("../") or is_inside(self._site_dir, path)
                data = read_plain(self._site_dir / path) if is_shown else b""
            except OSError:
                data = b""
            text = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
            self._texts[path] = text.removeprefix("\ufeff")
        return self._texts[path]

    def names_in(self, folder: str) -> list[str]:
        """Give the first names of what is in a folder of the site; none where there is no such folder."""
        path = self._site_dir / folder
        if folder.startswith("/") or not path.resolve().is_relative_to(self._site_dir.resolve()) or not path.is_dir():
            return []
        return sorted(entry.name for entry in path.iterdir() if not entry.name.startswith("."))[:_FEW_NAMES]

    def of(self, path: str) -> list[str]:
        """Give the lines of a file, without line breaks; none where it can't be read."""
        if path not in self._lines:
            # As spans count them: a form feed or a line separator of Unicode ends no line.
            text = self.text(path)
            self._lines[path] = text.split("\n") if text else []
        return self._lines[path]


_KEYS = {
    "duplicate-id": ("id",),
    **dict.fromkeys(
        (
            "duplicate-route",
            "similar-address",
            "reserved-address",
            "long-address",
            "unsafe-address",
            "address-clash",
            "unportable-address",
            "malformed-address",
        ),
        ("slug", "id"),
    ),
    "pagination": ("pagination_prev", "pagination_next"),
    "displayed-sidebar": ("displayed_sidebar",),
}
"""Code of a finding about a whole page → keys of the front matter that it may be about."""


def complete_findings(diagnostics: Iterable[Diagnostic], config: Config, lines: SourceLines) -> list[Diagnostic]:
    """Weigh findings as the configuration says, drop the ignored and the repeated, add excerpts, and sort."""
    levels = config.diagnostics
    weights = levels.by_code()
    old = _old_releases(config)
    completed: dict[Diagnostic, None] = {}
    for given in diagnostics:
        finding = given
        level = weights.get(finding.code) or levels.of_unnamed(finding.code, finding.level)
        source = finding.page or finding.span.path
        if source.startswith(_IN_STORE) and finding.code != "render":
            names = old.get(source[len(_IN_STORE) :].partition("/")[0], [])
            if names:
                level = min(level, levels.released, key=_WEIGHTS.index)
                finding = _of_release(finding, names)
        if level != "ignore":
            made = lines.made.get(finding.span.path)
            placed = _at_its_key(finding, lines) if made is None else at_origin(finding, made, lines.of)
            excerpt, start = placed.excerpt, placed.excerpt_start
            if not excerpt:
                excerpt, start = cut_line(_line(placed, lines), placed.span.column)
            whole = msgspec.structs.replace(
                placed, level=level, excerpt=excerpt, excerpt_start=start, page=msgspec.UNSET
            )
            completed[whole] = None
    return sorted(completed, key=lambda finding: (finding.span, finding.code, finding.message))


def _old_releases(config: Config) -> dict[str, list[str]]:
    """List the folders of documents from version control, each with the old versions whose documents they are.

    A folder that is also that of the default version is left out: its documents are what readers are given first.
    """
    found: dict[str, list[str]] = {}
    newest = set()
    for version in config.versions:
        for root in dict.fromkeys(docs_root(config, locale, version) for locale in config.locales):
            if root.startswith(_IN_STORE):
                name = root.removeprefix(_IN_STORE).partition("/")[0]
                found.setdefault(name, []).append(version.name)
                if not version.path:
                    newest.add(name)
    return {name: versions for name, versions in found.items() if name not in newest}


def _of_release(finding: Diagnostic, versions: list[str]) -> Diagnostic:
    """Say in which versions a finding is: the folder in its place is named by a hash."""
    named = " and ".join(versions) if len(versions) < _FEW_NAMES else f"{versions[0]} to {versions[-1]}"
    hidden = ", ".join(f'"{name}"' for name in versions)
    what = "versions" if len(versions) > 1 else "version"
    remedy = f'This is in {what} {named}: leave it out with hidden = [{hidden}], or set released = "ignore" in [diagnostics].'
    return msgspec.structs.replace(finding, suggestion=f"{finding.suggestion} {remedy}".lstrip())


def _at_its_key(finding: Diagnostic, lines: SourceLines) -> Diagnostic:
    """Move a finding about a page to the line of the front matter that it is about, where there is one."""
    if finding.span.path == CONFIG_NAME and finding.span.column == 1:
        return _at_its_setting(finding, lines)
    keys = _KEYS.get(finding.code, ())
    if finding.span.line != 1 or not keys:
        return finding
    named = [key for key in keys if finding.message.startswith(f"{key} ")] or keys
    head = itertools.takewhile(lambda line: line.rstrip() != "---", lines.of(finding.span.path)[1:])
    for number, line in enumerate(head, start=2):
        if line.partition(":")[0].rstrip() in named:
            return msgspec.structs.replace(finding, span=Span(finding.span.path, number))
    return finding


def _at_its_setting(finding: Diagnostic, lines: SourceLines) -> Diagnostic:
    """Move a finding about a setting to the value that it names first, where the file has that in quotes.

    Within its own line, where that is known, to the value that it names last: before it are what has the value, such as a category.
    """
    values = re.findall(r'"([^"\n]+)"', finding.message)
    numbered = list(enumerate(lines.of(CONFIG_NAME), start=1))
    if finding.span.line > 1:
        numbered = numbered[finding.span.line - 1 : finding.span.line]
        values.reverse()
    for value in values:
        pattern = re.compile(rf"[\"']{re.escape(value)}[\"']")
        for number, line in numbered:
            found = None if line.lstrip().startswith("#") else pattern.search(line)
            if found is not None:
                return msgspec.structs.replace(finding, span=Span(CONFIG_NAME, number, found.start() + 1))
    return finding


def _line(finding: Diagnostic, lines: SourceLines) -> str:
    found = lines.of(finding.span.path)
    number = finding.span.line
    return found[number - 1] if 0 < number <= len(found) else ""
