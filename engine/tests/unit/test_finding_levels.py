"""Every kind of finding that the engine reports has a level that a site can set."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import octavo
from octavo.checks.findings import SourceLines, complete_findings
from octavo.config import DiagnosticLevels, parse_config
from octavo.diagnostics import Diagnostic, Span

_PACKAGE = Path(octavo.__file__).parent
_LEVELS = ("error", "warn")


def _reported_codes() -> Iterator[str]:
    """Find the codes in calls such as `report("warn", "code", …)`, `self._report("code", …)`, `Diagnostic(code="code", …)`."""
    for path in _PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if not any(f'"{level}"' in text for level in _LEVELS):
            continue
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.Call):
                continue
            named = {keyword.arg: keyword.value for keyword in node.keywords}
            if isinstance(code := named.get("code"), ast.Constant) and "level" in named:
                yield str(code.value)
            words = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
            if any(word in _LEVELS for word in words):
                yield from (word for word in words[:2] if isinstance(word, str) and word not in _LEVELS)


@pytest.mark.costly
def test_every_code_has_a_level() -> None:
    known = {field.encode_name.replace("_", "-") for field in msgspec.structs.fields(DiagnosticLevels)}
    known |= {name.removesuffix("s") for name in known} | {"duplicate-route", "vanished-address"}
    codes = set(_reported_codes())
    assert {"front-matter", "unknown-component", "openapi"} <= codes
    # `render` is a failure of the theme, and `config-error` one of the settings: nothing could be published in spite of them.
    assert sorted(code for code in codes - {"render", "config-error"} if " " not in code and code not in known) == []


def test_given_levels_are_by_code() -> None:
    levels = msgspec.convert(
        {"import": "warn", "unknown_component": "ignore", "missing_alt": "error"}, DiagnosticLevels
    )
    assert levels.by_code() == {
        "missing-alt": "error",
        "duplicate-anchor": "warn",
        "import": "warn",
        "unknown-component": "ignore",
    }


def test_errors_are_lowered_together_where_a_kind_has_no_level_of_its_own() -> None:
    config = parse_config('title = "T"\n[diagnostics]\nerrors = "warn"\nimport = "error"\nbroken_assets = "error"\n')
    levels = config.diagnostics
    assert (levels.broken_links, levels.broken_assets, levels.broken_anchors) == ("warn", "error", "warn")
    found = [
        Diagnostic(code, level, Span("a.md", line), "m")
        for line, (code, level) in enumerate(
            [
                ("unclosed", "error"),
                ("import", "error"),
                ("broken-asset", "error"),
                ("render", "error"),
                ("icon", "warn"),
            ]
        )
    ]
    weighed = {one.code: one.level for one in complete_findings(found, config, SourceLines(Path()))}
    assert weighed == {
        "unclosed": "warn",
        "import": "error",
        "broken-asset": "error",
        "render": "error",
        "icon": "warn",
    }


def test_annotations_of_the_levels_are_evaluated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes 5 ms, in each build and for each save in `octavo dev`."""
    text = 'title = "Site"\n[diagnostics]\nerrors = "warn"\nicon = "error"\n'
    first = parse_config(text)

    def evaluate(_type: object) -> None:
        raise AssertionError

    monkeypatch.setattr(msgspec.structs, "fields", evaluate)
    again = parse_config(text)
    assert again == first
    assert (again.diagnostics.broken_links, again.diagnostics.icon) == ("warn", "error")
