"""Methods of texts in expressions of pages: `code.replace(/…/m, "")` of a file that is shown as code."""

from __future__ import annotations

import re
from typing import Any

import pytest

from octavo.content.scan.expressions import NotLiteralError
from octavo.content.scan.expressions.patterns import JsPattern, UnknownPatternError
from octavo.content.scan.jsx import IMPORTED, parse_expression
from tests.support.each import each

CODE = "import a\n  // @ts-expect-error: none\nrun();  // keep\nrun();\n"


def value(expression: str) -> Any:
    return parse_expression(f"{{{expression}}}", 0, {f"{IMPORTED}code": CODE, f"{IMPORTED}lines": ["a", "b", "c"]})[0]


@each(
    "expression, expected",
    [
        (r"code.replace(/\s+\/\/ @ts-expect-error.*$/m, '')", "import a\nrun();  // keep\nrun();\n"),
        (r"code.replace(/run\(\);/g, 'go();')", CODE.replace("run", "go")),
        ("code.replace('run', 'go')", CODE.replace("run", "go", 1)),
        ("code.replaceAll('run', 'go').trim()", CODE.replace("run", "go").strip()),
        (r"code.replace(/^import.*\n/, '').trimStart()", CODE.partition("\n")[2].lstrip()),
        (r"code.split('\n').slice(2, 3).join('\n')", "run();  // keep"),
        ("code.slice(0, 6).toUpperCase()", "IMPORT"),
        (r"code.replace(/R(?=un)/, '')", NotLiteralError),
        (r"code.replace(/[A-Z/]+/gi, '<$&>').slice(0, 8)", "<import>"),
        ("code.replace(/a/y, '')", NotLiteralError),
        ("code.replace(/a/, x => x)", NotLiteralError),
        ("code.fetch('x')", NotLiteralError),
        ("code.slice('x')", NotLiteralError),
        ("code.trim(1)", NotLiteralError),
        ("lines.join('-')", "a-b-c"),
        ("lines.join()", "a,b,c"),
        ("lines.reverse()", NotLiteralError),
    ],
)
def test_method_gives_what_javascript_gives(expression: str, expected: Any) -> None:
    if expected is NotLiteralError:
        with pytest.raises(NotLiteralError):
            value(expression)
    else:
        assert value(expression) == expected


@each(
    "source, flags, text",
    [
        ("a.c", "", "a\nc abc"),
        ("a.c", "s", "a\nc abc"),
        ("^b", "m", "a\nb\nb"),
        ("^b", "gm", "a\nb\nb"),
        (r"\bis\b", "g", "this is it, is."),
        ("a{2,3}", "g", "a aa aaa aaaa"),
        ("a{2}", "g", "aaaaa"),
        ("a+?b*", "g", "aaabbb"),
        (r"[^\d\s]+", "g", "1 ab 2 cd"),
        ("x*", "g", "axbxx"),
        (r"\w\W\S\D", "", "é a-bc"),
        ("end$", "", "end\nend"),
        ("É", "i", "é"),
    ],
)
def test_patterns_match_as_those_of_javascript(source: str, flags: str, text: str) -> None:
    # Where both have the same syntax, Python finds the same: with digits and words of ASCII, and `$` at the very end.
    options = re.MULTILINE * ("m" in flags) | re.DOTALL * ("s" in flags) | re.IGNORECASE * ("i" in flags)
    python = source if "m" in flags else source.replace("$", r"\Z")
    python = (
        python.replace(r"\d", "0-9" if "[" in source else "[0-9]")
        .replace(r"\w", "[A-Za-z0-9_]")
        .replace(r"\W", "[^A-Za-z0-9_]")
    )
    python = python.replace(r"\D", "[^0-9]")
    expected = re.sub(python, "<>", text, count=0 if "g" in flags else 1, flags=options)
    assert JsPattern(source, flags).replace(text, "<>") == expected


@each("source", ["(a+)+", "a|b", r"\1", "a**", "a{", "[b-a]", r"\p{L}", "x" * 201, "+a"])
def test_other_patterns_are_not_known(source: str) -> None:
    with pytest.raises(UnknownPatternError):
        JsPattern(source, "")


@pytest.mark.costly
def test_pattern_that_takes_too_long_is_given_up() -> None:
    with pytest.raises(UnknownPatternError):
        JsPattern(r"\s*\s*\s*\s*x", "").replace(" " * 5_000, "")
