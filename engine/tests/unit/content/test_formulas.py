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
        (r"a &= b \\ c &= d", r"\begin{align*} a &= b \\ c &= d \end{align*}"),
        (r"a \\ b", r"\begin{align*} a \\ b \end{align*}"),
        (r"\begin{bmatrix} a \cr b \cr \end{bmatrix}", r"\begin{bmatrix} a \\ b \\ \end{bmatrix}"),
        (r"a \\", "a"),
        ("a\\\nb", r"a\ b"),
        (r"a \not= b", r"a \neq b"),
        (r"y \bigg{|}_0", r"y \bigg|_0"),
        (r"a \mkern 18mu b \hskip.5cm c", r"a \hspace{1.0em} b \hspace{0.5cm} c"),
        (r"\max_x f", r"\max\limits_x f"),
    ],
)
def test_formula_is_drawn_as_the_same_in_other_words(formula: str, same: str) -> None:
    found, other = compiled(f"$${formula}$$\n"), compiled(f"$${same}$$\n")
    assert found.diagnostics == []
    assert found.body == other.body


@pytest.mark.parametrize(
    ("formula", "drawn"),
    [
        (r"a \sim b", "<mo>&#x0223C;</mo>"),
        (r"a \pm b", "<mo>&#x000B1;</mo>"),
        (r"a \implies b", "<mo>&#x027F9;</mo>"),
        (r"a \perp b", "<mo>&#x022A5;</mo>"),
        (r"\bot", "<mi>&#x022A5;</mi>"),
        (r"\infty", "<mi>&#x0221E;</mi>"),
        (r"\partial x", "<mi>&#x02202;</mi>"),
        (r"\square", "<mi>&#x025FB;</mi>"),
        (r"a^*", "<mo>&#x02217;</mo>"),
        (r"\widetilde{ab}", "<mo>&#x0007E;</mo>"),
        (r"\text{to~a}", "to&#x000A0;a"),
        (r"\langle a", '<mo stretchy="false">&#x027E8;</mo>'),
        (r"\bigl\{ a", ">{</mo>"),
        (r"\Big\| a", ">&#x02016;</mo>"),
        (r"\Bigl\langle a", ">&#x027E8;</mo>"),
        (r"\arg\max f", "<mo>arg</mo>"),
        (r"\text{a \& 5\%}", "a&#x000A0;&amp;&#x000A0;5%<"),
    ],
)
def test_signs_are_those_of_latex_with_its_spaces(formula: str, drawn: str) -> None:
    found = compiled(f"Text ${formula}$.\n")
    assert found.diagnostics == []
    assert drawn in found.body
    assert "\\" not in found.body


def test_columns_in_a_line_of_text_are_a_finding() -> None:
    found = compiled("Text $a & b$.\n")
    assert [one.code for one in found.diagnostics] == ["formula"]
    assert "<code>$a &amp; b$</code>" in found.body


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


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("$$\n\nC = a\n\n$$\n", "$$ C = a $$\n"),
        ("$$\na = b\n+ c\n- d\n$$\n", "$$ a = b + c - d $$\n"),
        ("$$\na\n=\nb\n$$\n", "$$ a = b $$\n"),
        ("$$a\n> b$$\n", "$$a > b$$\n"),
        ("1. one\n\n   $$\n   a\n   - b\n   $$\n", "1. one\n\n   $$ a - b $$\n"),
    ],
)
def test_lines_of_a_formula_begin_no_other_block(text: str, same: str) -> None:
    found = compiled(f"Before.\n\n{text}\nAfter.\n")
    assert found.diagnostics == []
    assert found.body == compiled(f"Before.\n\n{same}\nAfter.\n").body
    assert found.body.count("<math") == 1


def test_finding_behind_a_joined_formula_has_its_line() -> None:
    found = compiled("$$\na\n\n- b\n$$\n\nText $\\wind$.\n")
    assert [(one.span.line, one.span.column) for one in found.diagnostics] == [(7, 6)]


def test_dollars_in_code_and_prose_are_no_formula_over_several_blocks() -> None:
    text = "```sh\necho $$\n\n- a $$\n```\n\nThe pid is $$ here.\n\n- one\n\nAnd $$\n"
    body = compiled(text).body
    assert "<math" not in body
    assert "<li>" in body


@pytest.mark.parametrize(
    "text",
    [
        "Leads from $ref to `#/wind` and to `#/$kinds` of it.",
        "Sets $wind in `a` before `$b`.",
    ],
)
def test_a_mark_within_code_ends_no_formula(text: str) -> None:
    found = compiled(text + "\n")
    assert "<math" not in found.body
    assert found.body.count("<code>") == 2
    assert found.diagnostics == []


def test_formula_between_two_pieces_of_code_is_drawn() -> None:
    found = compiled("With `a` is $x$ as `b`, and $y$.\n")
    assert found.body.count("<math") == 2
    assert found.body.count("<code>") == 2


def test_a_block_of_code_in_the_language_math_is_a_formula() -> None:
    found = compiled("Text.\n\n```math\nx^2 + y_1\n```\n\nEnd.\n")
    assert found.diagnostics == []
    assert found.body.count('<span class="formula" tabindex="0"><math') == 1
    assert "<pre" not in found.body
