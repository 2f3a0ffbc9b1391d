"""Formulas in LaTeX, as MathML."""

from __future__ import annotations

import pytest

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document


def compiled(text: str, macros: dict[str, str] | None = None) -> Document:
    own = Dialect(extensions=frozenset({"math"}), formula_macros=macros or {})
    return compile_document(text, source_path="a.md", load=lambda _: None, options=ContentOptions(folders={"": own}))


@pytest.mark.parametrize(
    ("formula", "same"),
    [
        (
            r"\begin{array}{rl} a &= b \\[0.4ex] c &= [2] d \end{array}",
            r"\begin{array}{rl} a &= b \\ c &= [2] d \end{array}",
        ),
        (r"\begin{aligned} a &= b \\* c &= d \end{aligned}", r"\begin{align*} a &= b \\ c &= d \end{align*}"),
        (r"\begin{alignat}{2} a &= b \end{alignat}", r"\begin{align*} a &= b \end{align*}"),
        (r"\begin{equation} a \label{eq:a} \end{equation}", "a"),
        (r"\begin{gathered} a \\ b \end{gathered}", r"\begin{matrix} a \\ b \end{matrix}"),
        (r"\newcommand{\wind}[2]{#1_{#2}} \wind{v}{x} + \wind v y", "{v_{x}} + {v_{y}}"),
        (r"\def\wind#1{\vec{#1}} \wind{v}", r"{\vec{v}}"),
        (r"\newcommand{\wind}[1]{a#1} \wind  ", "{a}"),
        (r"\newcommand{\wind}[1]{\{#1\}} \wind{\{x} + \wind{y}", r"{\{\{x\}} + {\{y\}}"),
        (r"\newcommand{\wind}[1]{a^{#1}} \wind\alpha", r"{a^{\alpha}}"),
    ],
)
def test_formula_is_drawn_as_the_same_in_other_words(formula: str, same: str) -> None:
    found, other = compiled(f"$${formula}$$\n"), compiled(f"$${same}$$\n")
    assert found.diagnostics == []
    assert found.body == other.body


def test_commands_of_the_site_have_their_texts_also_within_each_other() -> None:
    macros = {r"\R": r"\mathbb{R}", r"\space": r"\R^{#1}"}
    assert compiled(r"$x \in \space{n}$", macros).body == compiled(r"$x \in {{\mathbb{R}}^{n}}$").body


def test_commands_that_stand_for_themselves_end() -> None:
    found = compiled(r"$\a$", {r"\a": r"\a\a"})
    assert [one.code for one in found.diagnostics] == ["formula"]


def test_command_that_is_not_known_is_a_finding() -> None:
    found = compiled("Text $a + \\wind_x$.\n")
    assert [(one.code, one.span.line, '"\\wind"' in one.message) for one in found.diagnostics] == [("formula", 1, True)]


@pytest.mark.parametrize("formula", [r"x_{P[j]}", r"\frac{t(X)}{n}", r"{frontMatter.title}"])
def test_braces_of_formulas_are_no_expressions_in_markdown(formula: str) -> None:
    assert compiled(f"Text ${formula}$ and $${formula}$$.\n").diagnostics == []


@pytest.mark.parametrize(
    "text",
    [
        "It costs 0.6$, and `20 * 0.6` of them 12$ - or less.",
        "It costs 0.6$, and more\nof them 10$ too.",
        "Either 5$. Or (7$)!",
        "From $5 (or $7) on.",
    ],
)
def test_amounts_of_money_are_text(text: str) -> None:
    found = compiled(text + "\n")
    assert "<math" not in found.body
    assert found.diagnostics == []


def test_numbers_before_a_formula_are_text() -> None:
    assert compiled("A 10$\\mu$m, 90$^\\circ$ and 2$x$.\n").body.count("<math") == 3
