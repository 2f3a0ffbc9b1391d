"""The names of a CSS module get an ending, and what only CSS modules have is gone from the published sheet."""

from __future__ import annotations

import pytest

from octavo.stylesheets import SheetProblem, read_sheet, scope_sheet
from tests.support.each import each

SCOPED = {
    ".a { top: 0 }": ".a_x { top: 0 }",
    ".a.b > .c:hover, #d ~ p.e {}": ".a_x.b_x > .c_x:hover, #d_x ~ p.e_x {}",
    "@media print { .a { top: 0 } @supports (top: 0) { .b {} } }": "@media print { .a_x { top: 0 } @supports (top: 0) { .b_x {} } }",
    "@layer one { .a {} }\n@container w (width > 9px) { .b {} }": "@layer one { .a_x {} }\n@container w (width > 9px) { .b_x {} }",
    "@scope (.a) to (.b) { .c {} }": "@scope (.a_x) to (.b_x) { .c_x {} }",
    ".a { .b & { top: 0 } &.c {} > .d {} }": ".a_x { .b_x & { top: 0 } &.c_x {} > .d_x {} }",
    ":is(.a, .b:not(.c)):nth-child(2 of .d) {}": ":is(.a_x, .b_x:not(.c_x)):nth-child(2 of .d_x) {}",
    ":global(.dark) .a, .b:global(.on):hover {}": ".dark .a_x, .b_x.on:hover {}",
    ":global(.x:not(.y), [z=')']) .a {}": ".x:not(.y), [z=')'] .a_x {}",
    ":global .x .y, .a {}": ".x .y, .a_x {}",
    ".a :global .x :local .b {}": ".a_x .x .b_x {}",
    ":local(.a) b {}": ".a_x b {}",
    ".a { :global { .x {} } }": ".a_x { & { .x {} } }",
    ":global .x { .y {} }": ".x { .y {} }",
    ".a\\:b, .\\31 0 .c {}": ".a\\:b_x, .\\31 0_x .c_x {}",
    ".größe {}\r\n.a {\r\n  top: 0 }": ".größe_x {}\r\n.a_x {\r\n  top: 0 }",
    "/* .a */ .b[class='.c'] { content: '.d'; background: url(e.f) }": "/* .a */ .b_x[class='.c'] { content: '.d'; background: url(e.f) }",
    "@keyframes spin { from { top: 0 } }\n.a { animation: 1s spin, fade 2s; animation-name: spin }": (
        "@keyframes spin_x { from { top: 0 } }\n.a_x { animation: 1s spin_x, fade 2s; animation-name: spin_x }"
    ),
    "@keyframes :global(spin) {}\n.a { animation: spin 1s }": "@keyframes spin {}\n.a_x { animation: spin 1s }",
    ":global .x { animation: spin 1s }\n@keyframes spin {}": ".x { animation: spin 1s }\n@keyframes spin_x {}",
    ":global(.x) { animation: spin 1s }\n@keyframes spin {}": ".x { animation: spin_x 1s }\n@keyframes spin_x {}",
    ".a { top: 0 }\n.b { composes: a; left: 0 }": ".a_x { top: 0 }\n.b_x {              left: 0 }",
    ".b {\n  composes: a\n    from global;\n}": ".b_x {\n             \n                \n}",
    "@keyframes :local(spin) {}\n.a { animation: spin }": "@keyframes spin_x {}\n.a_x { animation: spin_x }",
    "@keyframes a b {}": "@keyframes a b {}",
    "@keyframes :other(a) {}": "@keyframes :other(a) {}",
    "@keyframes 'a' {}": "@keyframes 'a' {}",
    "@scope (:global(.a)) { .b {} }": "@scope (.a) { .b_x {} }",
    ":is(:global .a) .b {}": ":is(.a) .b_x {}",
    ".a:global {}": ".a_x {}",
    ".a :global.b {}": ".a_x .b {}",
    ".a { composes: b from global; composes: c from 'd' } .e { top: 0 }": ".a_x {                                               } .e_x { top: 0 }",
    ".a { composes: 'x;}' ; top: 0 }": ".a_x {                   top: 0 }",
    ".a { -webkit-animation-name: spin; content: spin } @keyframes spin {}": (
        ".a_x { -webkit-animation-name: spin_x; content: spin } @keyframes spin_x {}"
    ),
    ".a { margin: .5em; transition: top .2s }": ".a_x { margin: .5em; transition: top .2s }",
}


@each("text", SCOPED)
def test_names_of_a_module_get_its_ending(text: str) -> None:
    assert scope_sheet(text, "_x").text == SCOPED[text]


def test_names_that_a_component_reads() -> None:
    text = (
        ".a {}\n.too-fast { composes: a }\n#d {}\n:global(.x) {}\n@keyframes spin {}\n"
        ".c { composes: too-fast; composes: x y from global; composes: z from './other.module.css' }\n.a:hover {}"
    )
    sheet = scope_sheet(text, "_x")
    assert sheet.names == {
        "a": "a_x",
        "too-fast": "too-fast_x a_x",
        "d": "d_x",
        "spin": "spin_x",
        "c": "c_x too-fast_x a_x x y",
    }
    [other] = sheet.composed
    assert (other.name, other.others, other.address, other.line) == ("c", ["z"], "./other.module.css", 6)
    assert sheet.problems == []


def test_classes_that_compose_each_other_end() -> None:
    assert scope_sheet(".a { composes: b }\n.b { composes: a }", "_x").names == {"a": "a_x b_x", "b": "b_x a_x"}


WRONG = {
    "@value gap: 1rem;\n.a {}": (1, 1, "@value is not supported"),
    ":global { .a {} }": (1, 2, '":global" has no selector behind it'),
    ".a {\n  composes: gone;\n}": (2, 13, 'no class "gone"'),
}


@each("text", WRONG)
def test_what_a_module_cannot_have_is_found(text: str) -> None:
    [problem] = scope_sheet(text, "_x").problems
    line, column, message = WRONG[text]
    assert (problem.line, problem.column) == (line, column)
    assert message in problem.message


@pytest.mark.parametrize("text", [*SCOPED, ".a, .b > c { composes: d }"])
def test_only_what_no_browser_understands_is_left_as_a_problem(text: str) -> None:
    sheet = scope_sheet(text, "_x")
    left = [one for one in read_sheet(text).problems if (one.line, one.column) not in sheet.understood]
    if "b > c" in text:
        assert [(one.line, one.column) for one in left] == [(1, 14)]
        assert "composes" in left[0].message
    else:
        assert left == []
        assert read_sheet(sheet.text).problems == []


def test_hostile_sheets_take_linear_time_and_are_not_lost() -> None:
    deep = "@media all {" * 200 + ".a {}" + "}" * 200
    assert scope_sheet(deep, "_x").text == deep
    wide = ".a" * 20_000 + " {}"
    assert scope_sheet(wide, "_x").text.count("_x") == 20_000
    opened = ":global(" * 5_000
    assert isinstance(scope_sheet(opened, "_x").problems, list)
    assert all(isinstance(one, SheetProblem) for one in scope_sheet(":global(.a", "_x").problems)
