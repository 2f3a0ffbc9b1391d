"""The generated pages of `docs/` are current, and the catalogue of findings is complete.

Here, and not beside the other tests of the documentation, so that every change runs it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import msgspec

import octavo
from octavo.config import DiagnosticLevels
from octavo.manual import list_settings, load_catalogue
from tests.documentation.generate import DOCS, FINDINGS, make_files
from tests.support.each import each

MADE = make_files()
ENTRIES = list(load_catalogue().values())
PACKAGE = Path(octavo.__file__).parent
LEVELS = ("error", "warn")


@each("path", MADE)
def test_page_is_what_the_code_says(path: str) -> None:
    assert (DOCS / path).read_text(encoding="utf-8") == MADE[path], "run: python -m tests.documentation.generate"


def test_no_page_is_left_of_a_finding_that_is_gone() -> None:
    there = {path.relative_to(DOCS).as_posix() for path in (DOCS / FINDINGS).iterdir()}
    assert there - MADE.keys() == set()


def reported_codes() -> Iterator[str]:
    """Find the codes in calls such as `report("warn", "code", …)` and `Diagnostic("code", …)`."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                words = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
                if any(word in LEVELS for word in words):
                    yield from (word for word in words[:2] if isinstance(word, str) and word not in LEVELS)


def test_catalogue_has_every_finding_that_the_code_reports() -> None:
    settings = {field.encode_name for field in msgspec.structs.fields(DiagnosticLevels)} - {"errors", "released"}
    findings = {entry.code: entry for entry in ENTRIES if entry.kind == "finding"}
    codes = {code for code in reported_codes() if " " not in code}
    assert "front-matter" in codes
    # Mistakes of the settings are findings too, with the entry of the error that they raise.
    assert codes - findings.keys() - {"config-error"} == set(), (
        "write their entries in engine/src/octavo/manual/findings.toml"
    )
    assert {entry.setting for entry in findings.values() if entry.setting} == settings


def test_every_setting_has_a_sentence() -> None:
    silent = [setting.path for setting in list_settings() if not setting.sentence]
    assert silent == [], "write a docstring below the field"
