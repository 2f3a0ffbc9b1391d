"""`_category_.yaml|yml|json`: settings of a folder in a generated sidebar."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from octavo.config import CategoryLink, explain
from octavo.diagnostics import Diagnostic, Span
from octavo.site.sources import CATEGORY_NAMES, encoding_problem


class CategorySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a category file may hold. None means: not given."""

    label: str | None = None
    position: float | None = None
    collapsed: bool = True
    collapsible: bool = True
    className: str | None = None  # noqa: N815 - the file's own spelling
    description: str | None = None
    link: CategoryLink | None = None
    removes_link: bool = msgspec.field(default=False, name="__removes_link")
    """`link: null`: the folder's index document is an ordinary item."""


def load_category(
    site_dir: Path, folder: str, suffix: str = ""
) -> tuple[CategorySettings, str | None, list[Diagnostic]]:
    """Read the category file of a folder.

    Args:
        site_dir: The site's folder.
        folder: The folder, from the site's folder.
        suffix: End of the names of files in a language, `de` of `_category_.de.yaml`; such a file comes first.

    Returns:
        (settings, path of the file or None, diagnostics).
    """
    own = [name.replace("_category_", f"_category_.{suffix}") for name in CATEGORY_NAMES] if suffix else []
    found: list[str] = []
    for names in (own, CATEGORY_NAMES):
        found = found or [f"{folder}/{name}" for name in names if (site_dir / folder / name).is_file()]
    if not found:
        return CategorySettings(), None, []
    # Not at the top: a site without such files does without it, and without the 15 ms of its import.
    import yaml

    path = found[0]
    problems = []
    if len(found) > 1:
        problems.append(_problem(path, f"{path} and {found[1]} both describe this folder; keep one of them."))
    try:
        data = (site_dir / path).read_bytes()
        if (problem := encoding_problem(path, data)) is not None:
            return CategorySettings(), path, [*problems, problem]
        text = data.decode().removeprefix("\ufeff")
        raw = json.loads(text) if path.endswith(".json") else yaml.safe_load(text)
    except (OSError, json.JSONDecodeError, yaml.YAMLError) as error:
        line, reason = _reason(error)
        problems.append(_problem(path, f"This category file cannot be read: {reason}.", line=line))
        return CategorySettings(), path, problems
    try:
        return _convert(raw), path, problems
    except msgspec.ValidationError as error:
        line, reason = explain(error, raw, CategorySettings, text)
        problems.append(_problem(path, reason, line=line))
        return CategorySettings(), path, problems


def _convert(raw: object) -> CategorySettings:
    if isinstance(raw, dict) and "link" in raw and raw["link"] is None:
        raw = {**raw, "__removes_link": True}
    return msgspec.convert({} if raw is None else raw, CategorySettings)


def _reason(error: Exception) -> tuple[int, str]:
    """Say on which line a file cannot be read, and why."""
    import yaml

    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return int(error.problem_mark.line) + 1, error.problem or "it is not valid YAML"
    if isinstance(error, json.JSONDecodeError):
        return error.lineno, error.msg
    return 1, str(error)


def _problem(path: str, message: str, *, line: int = 1) -> Diagnostic:
    return Diagnostic(code="category-file", level="error", span=Span(path, line), message=message)
