"""Theorems, exercises and formulas as MyST and the extensions of Jupyter Book write them."""

from __future__ import annotations

import re

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document
from tests.support.each import each


def compile_text(text: str) -> Document:
    dialect = Dialect(extensions=frozenset({"myst", "math"}), references={"ex-kite": "a.md#ex-kite", "thm": "a.md#thm"})
    return compile_document(text, source_path="a.md", load={}.get, options=ContentOptions(folders={"": dialect}))


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


@each(
    ("text", "shown", "has"),
    [
        ("```{prf:theorem} Of *wind*\n:label: thm\n\nIt blows.\n```\n\nSee {prf:ref}`thm`.", "Theorem: Of wind It blows. See thm .", 'id="thm"'),
        ("```{prf:proof}\nIt blows.\n```", "Proof It blows.", ""),
        ("```{exercise}\n:label: ex_kite\n\nFly.\n```", "Exercise Fly.", 'id="ex-kite"'),
        ("```{solution} ex-kite\nFlown.\n```", "Solution Flown.", ""),
        (
            "```{exercise-start} Two\n:label: ex-kite\n```\n\nFly.\n\n```{code-cell} python\nx = 1\n```\n\n```{exercise-end}\n```\n\nAfter.",
            "Exercise: Two Fly. x = 1 After.",
            'id="ex-kite"',
        ),
        (
            "```{solution-start} ex-kite\n:class: dropdown\n```\n\n:::{note}\nFlown.\n:::\n\n```{solution-end}\n```\n\nAfter.",
            "Solution Note Flown. After.",
            "<summary>Solution</summary>",
        ),
    ],
)  # fmt: skip
def test_blocks_are_called_what_they_are(text: str, shown: str, has: str) -> None:
    found = compile_text(text)
    assert words(found.body) == shown
    assert has in found.body
    assert not found.diagnostics
    if shown.endswith("After."):
        assert re.search(r"</(?:div|aside|details|section)>\s*<p>After\.</p>", found.body)


def test_block_without_its_end_is_a_finding_where_it_begins() -> None:
    found = compile_text("A\n\n```{exercise-start}\n```\n\nFly.\n")
    assert [(one.code, one.span.line) for one in found.diagnostics] == [("unclosed", 3)]
    assert "Fly." in found.body


@each(
    ("text", "formulas", "shown"),
    [
        ("Let $\\sigma $ and $ x_1$ be.", 2, ""),
        ("$a$ and $b$, $x^{2}$ = $y$", 4, ""),
        ("`$x_1 $` is code, $x_2 $ is none", 1, "$x_1 $"),
        ("It costs $5 and $6 more, $HOME and $PATH_X too", 0, "$5 and $6 more, $HOME and $PATH_X too"),
        ("It is \\$x_1 $ here", 0, "$x_1 $"),
    ],
)
def test_formulas_may_have_spaces_at_their_ends(text: str, formulas: int, shown: str) -> None:
    found = compile_text(text)
    assert found.body.count("<math") == formulas
    assert shown in words(found.body)
    assert not found.diagnostics
