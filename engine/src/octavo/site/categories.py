"""`_category_.yaml|yml|json`: settings of a folder in a generated sidebar."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec

from octavo.config import CategoryLink, explain, fill_values, line_of_text
from octavo.diagnostics import Diagnostic, Span
from octavo.site.sources import CATEGORY_NAMES, encoding_problem, is_inside
from octavo.text_files import SyntaxMistakeError, parse_json, parse_yaml, read_plain

Settings = TypeVar("Settings", "CategorySettings", CategoryLink)


class CategorySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a category file may hold. None means: not given."""

    label: str | None = None
    position: float | None = None
    collapsed: bool | None = None
    collapsible: bool = True
    className: str | None = None  # noqa: N815 - the file's own spelling
    description: str | None = None
    link: CategoryLink | None = None
    removes_link: bool = msgspec.field(default=False, name="__removes_link")
    """`link: null`: the folder's index document is an ordinary item."""

    def completed(self, original: CategorySettings) -> CategorySettings:
        """Complete the settings of a translation with those of the original: it need not repeat what is not text."""
        link = self.link
        if link is not None and original.link is not None and link.type == original.link.type:
            link = _completed(link, original.link)
        elif link is None and not self.removes_link:
            link = original.link
        removes_link = self.removes_link or (original.removes_link and self.link is None)
        return msgspec.structs.replace(_completed(self, original), link=link, removes_link=removes_link)


def _completed(given: Settings, original: Settings) -> Settings:
    """Take the fields that are not given, or have their default value, from another value of the same type."""
    fields = {
        field.name: getattr(original, field.name)
        for field in _fields_of(type(given))
        if getattr(given, field.name) in (field.default, None, [])
    }
    return msgspec.structs.replace(given, **fields)


@cache
def _fields_of(type_: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """List the fields of a type: msgspec evaluates the annotations of the whole class each time."""
    return msgspec.structs.fields(type_)


def load_category(
    site_dir: Path, folder: str, suffix: str = "", variables: Mapping[str, str] | None = None
) -> tuple[CategorySettings, str | None, list[Diagnostic]]:
    """Read the category file of a folder.

    Args:
        site_dir: The site's folder.
        folder: The folder, from the site's folder.
        suffix: End of the names of files in a language: `de` for `_category_.de.yaml`.
        variables: Name → value of the site's variables, which its texts may use; None where there are none.

    Returns:
        (settings, path of the file or None, diagnostics).
    """
    stem = f"_category_.{suffix}" if suffix else "_category_"
    names = [name.replace("_category_", stem) for name in CATEGORY_NAMES]
    found = [f"{folder}/{name}" for name in names if os.path.lexists(site_dir / folder / name)]
    if not found:
        return CategorySettings(), None, []
    path = found[0]
    problems = []
    if len(found) > 1:
        problems.append(_problem(path, f"{path} and {found[1]} both describe this folder; keep one of them."))
    if not is_inside(site_dir, path):
        reason = "This link leads out of the site's folder, and what is there is not read. Replace it with a file."
        return CategorySettings(), path, [*problems, _problem(path, reason)]
    try:
        data = read_plain(site_dir / path)
        if (problem := encoding_problem(path, data)) is not None:
            return CategorySettings(), path, [*problems, problem]
        text = data.decode().removeprefix("\ufeff")
        parse = parse_json if path.endswith(".json") else parse_yaml
        raw = parse(text, refuses_nul=True)
    except OSError as error:
        problems.append(_problem(path, f"This category file cannot be read: {error.strerror}."))
        return CategorySettings(), path, problems
    except SyntaxMistakeError as error:
        reason = f"This category file cannot be read: {error}."
        problems.append(_problem(path, reason, line=error.line, column=error.column))
        return CategorySettings(), path, problems
    if variables:
        problems += _fill(raw, variables, path, text)
    try:
        settings = _convert(raw)
    except msgspec.ValidationError as error:
        line, reason = explain(error, raw, CategorySettings, text)
        problems.append(_problem(path, reason, line=line))
        return CategorySettings(), path, problems
    if settings.position is not None and not math.isfinite(settings.position):
        reason = f"position is {settings.position}; expected a number that is not infinite."
        problems.append(_problem(path, reason, line=line_of_text(text, "position")))
        settings = msgspec.structs.replace(settings, position=None)
    return settings, path, problems


def _fill(raw: object, variables: Mapping[str, str], path: str, text: str) -> Iterator[Diagnostic]:
    for key in raw if isinstance(raw, dict) else ():
        for _, name, near in fill_values(raw, key, variables):
            hint = f'Did you mean "{near}"?' if near else "Write \\{{ where it is meant as it is."
            span = Span(path, line_of_text(text, name))
            yield Diagnostic("unknown-variable", "warn", span, f'The site has no variable "{name}".', hint)


def _convert(raw: object) -> CategorySettings:
    if isinstance(raw, dict) and "link" in raw and raw["link"] is None:
        raw = {**raw, "__removes_link": True}
    return msgspec.convert({} if raw is None else raw, CategorySettings)


def _problem(path: str, message: str, *, line: int = 1, column: int = 1) -> Diagnostic:
    return Diagnostic(code="category-file", level="error", span=Span(path, line, column), message=message)
