"""The style sheets that the settings name: what browsers would drop of them, files that are missing, hosts that they need."""

from __future__ import annotations

import difflib
import posixpath
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from octavo.config import CONFIG_NAME, Config, line_of_text
from octavo.diagnostics import Diagnostic, Span
from octavo.look.addresses import LoadedAddresses, needs_of_remote
from octavo.look.tokens import TOKENS
from octavo.runtime import Cache, digest, pages_key
from octavo.stylesheets import Sheet, read_sheet
from octavo.text_files import read_plain

_TABLE = "style-sheets.msgpack"
_CLOSE = 0.8
"""Likeness above which the name of a custom property counts as a misspelt design token."""


class Sheets(msgspec.Struct, frozen=True):
    """What the style sheets of a site come to."""

    problems: list[Diagnostic] = []
    needs: list[str] = []
    """Sources that the content security policy must allow, each as `directive source`."""


def read_sheets(config: Config, settings_text: str, site_dir: Path, cache: Cache | None) -> Sheets:
    """Read the style sheets that settings name, and those that these import.

    Args:
        config: The settings.
        settings_text: The text of `octavo.toml`.
        site_dir: The site's folder.
        cache: What earlier builds have read; None reads everything.
    """
    reader = _Reader(config, site_dir, cache)
    for style in config.styles:
        if style.startswith("/"):
            reader.add(f"{config.static}{posixpath.normpath(style)}")
        else:
            reader.needs.update(dict.fromkeys(needs_of_remote(style)))
    for tag in config.head:
        if tag.tag == "style":
            reader.add_inline(tag.content, settings_text)
    reader.close()
    return Sheets([*reader.problems, *reader.misspelt()], list(reader.needs))


class _Reader:
    def __init__(self, config: Config, site_dir: Path, cache: Cache | None) -> None:
        self._site_dir = site_dir
        self._cache = cache
        self._known: Mapping[str, Sheet] = cache.load_table(_TABLE, dict[str, Sheet], {}) if cache else {}
        self._fresh: dict[str, Sheet] = {}
        self._sheets: dict[str, Sheet | None] = {}
        """Path from the site's folder → sheet; None for one that cannot be read."""
        self._addresses = LoadedAddresses(config, site_dir)
        self.problems = self._addresses.problems
        self.needs = self._addresses.needs

    def add(self, path: str) -> None:
        """Read a file, and those that it imports; one that is missing is reported by who names it."""
        waiting = [path]
        while waiting:
            one = waiting.pop()
            if one in self._sheets or not self._addresses.is_file(one):
                continue
            self._sheets[one] = sheet = self._read(one)
            if sheet is None:
                continue
            self.problems += [
                Diagnostic(
                    "style-sheet", "warn", Span(one, problem.line, problem.column), problem.message, problem.suggestion
                )
                for problem in sheet.problems
            ]
            for reference in sheet.references:
                file = self._addresses.follow(
                    reference, Span(one, reference.line, reference.column), posixpath.dirname(one)
                )
                if file is not None and reference.kind == "import":
                    waiting.append(file)

    def add_inline(self, content: str, settings_text: str) -> None:
        """Read what the settings put between the tags of an element."""
        sheet = self._sheet(content)
        self._sheets[f"{CONFIG_NAME} {len(self._sheets)}"] = sheet
        for problem in sheet.problems:
            span = _span_in_settings(settings_text, content, problem.line, problem.column)
            self.problems.append(Diagnostic("style-sheet", "warn", span, problem.message, problem.suggestion))
        for reference in sheet.references:
            span = _span_in_settings(settings_text, content, reference.line, reference.column)
            self._addresses.follow(reference, span, None)

    def close(self) -> None:
        """Keep what was read for the next build."""
        if self._cache is not None and self._fresh != self._known:
            self._cache.save_table(_TABLE, self._fresh)

    def misspelt(self) -> Iterator[Diagnostic]:
        """Find custom properties that nothing sets and that are written almost like a design token."""
        sheets = {path: sheet for path, sheet in self._sheets.items() if sheet is not None}
        known = {f"--{name}" for name in TOKENS}.union(*(sheet.defined for sheet in sheets.values()))
        for path, sheet in sheets.items():
            for used in sheet.used:
                close = difflib.get_close_matches(used.name, sorted(known), n=1, cutoff=_CLOSE)
                if used.name in known or not close or path.startswith(f"{CONFIG_NAME} "):
                    continue
                message = f'"{used.name}" is not a design token, and no style sheet of the site sets it.'
                hint = f'Did you mean "{close[0]}"?'
                yield Diagnostic("style-sheet", "warn", Span(path, used.line, used.column), message, hint)

    def _read(self, path: str) -> Sheet | None:
        try:
            content = read_plain(self._site_dir / path)
        except OSError as error:
            message = f"The style sheet cannot be read: {error.strerror or error}."
            self.problems.append(Diagnostic("unreadable", "error", Span(path), message))
            return None
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            text = content.decode("utf-8-sig", "replace")
            before = content[: error.start]
            span = Span(path, before.count(b"\n") + 1, len(before) - (before.rfind(b"\n") + 1) + 1)
            message = "The style sheet is not UTF-8: browsers show other characters than those that are meant."
            self.problems.append(Diagnostic("style-sheet", "warn", span, message, "Save the file as UTF-8."))
        return self._sheet(text)

    def _sheet(self, text: str) -> Sheet:
        key = digest(pages_key(), text)
        sheet = self._known.get(key)
        self._fresh[key] = sheet = sheet if sheet is not None else read_sheet(text)
        return sheet


def _span_in_settings(settings_text: str, content: str, line: int, column: int) -> Span:
    """Find a place of a text in the settings that hold it; of a text with escapes, only the line where it begins is found."""
    start = settings_text.find(content)
    if start < 0:
        first = next((one.strip() for one in content.splitlines() if one.strip()), "")
        return Span(CONFIG_NAME, line_of_text(settings_text, first))
    before = settings_text[:start]
    on_line = len(before) - (before.rfind("\n") + 1) if line == 1 else 0
    return Span(CONFIG_NAME, before.count("\n") + line, on_line + column)
