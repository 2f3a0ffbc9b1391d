"""What an import says of the findings of the site that it wrote."""

from __future__ import annotations

from pathlib import Path

from octavo.diagnostics import Diagnostic, Span
from octavo.importing.model import Plan
from octavo.importing.report import make_report


def finding(message: str, file: str) -> Diagnostic:
    return Diagnostic(level="warn", code="diagram", message=message, span=Span(file, 3))


def test_findings_about_the_same_are_one_and_name_what_to_install(tmp_path: Path) -> None:
    message = 'The diagram "{}" is drawn in the browser: the renderer is not installed: pip install "octavo[diagrams]"; "{}" is'
    findings = [finding(message.format(name, name), f"docs/{name}.md") for name in ("a", "b")]
    report = make_report(Plan("plain", tmp_path, {}), "", 2, findings)
    (item,) = [*report.items, *report.mistakes]
    assert item.pages == 2
    assert item.what == (
        'The diagram … is drawn in the browser: the renderer is not installed: pip install "octavo[diagrams]"; … is [diagram]'
    )
