"""What an import says of the findings of the site that it wrote."""

from __future__ import annotations

from pathlib import Path

from octavo.diagnostics import Diagnostic, Span
from octavo.importing.model import Plan
from octavo.importing.report import make_report, write_markdown


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


def expression(text: str, line: int, *, inside: str = "") -> Diagnostic:
    message = f'The expression "{text}"{inside} is not a literal; nothing is computed in a page.'
    return Diagnostic("expression", "warn", Span("docs/a.mdx", line), message, f"Write {text} out.")


def test_expressions_are_one_kind_in_each_element_whatever_they_quote(tmp_path: Path) -> None:
    findings = [
        expression("{made()}", 9),
        expression('{`a "b" c`}', 4),
        expression('{say("x")}', 5, inside=' in "<Video>"'),
        expression("{n}", 6, inside=' in "<Code>"'),
    ]
    report = make_report(Plan("plain", tmp_path, {}), "", 2, findings)
    assert {one.what: (one.count, one.remedy, one.places) for one in report.items} == {
        "An expression is not a literal; nothing is computed in a page [expression]": (
            2,
            "For the first: Write {made()} out.",
            ["docs/a.mdx:9"],
        ),
        'An expression in "<Video>" is not a literal; nothing is computed in a page [expression]': (
            1,
            'Write {say("x")} out.',
            ["docs/a.mdx:5"],
        ),
        'An expression in "<Code>" is not a literal; nothing is computed in a page [expression]': (
            1,
            "Write {n} out.",
            ["docs/a.mdx:6"],
        ),
    }


def test_pages_of_reports_can_be_read_as_they_are_written(tmp_path: Path) -> None:
    long = "Write it so: " + "wide " * 60
    finding = Diagnostic("export", "warn", Span("docs/a.mdx", 7), "One {x} | <two>", long)
    plan = Plan("plain", tmp_path, {})
    plan.note(f"The sidebars of {tmp_path}/sidebars.ts can't be read", "Write them.")
    text = write_markdown(make_report(plan, "", 2, [finding]))
    assert f"| 1 | 1 | One \\{{x}} \\| \\<two> [export] | {long} | docs/a.mdx:7 |" in text
    assert "- The sidebars of sidebars.ts can't be read. Write them." in text
