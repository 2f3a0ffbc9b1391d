from __future__ import annotations

import ast
import copy
import pickle
import re
from pathlib import Path
from types import ModuleType

import pytest

import octavo
from octavo.lazy import regex

PACKAGE = Path(octavo.__file__).parent


def module(source: str) -> ModuleType:
    made = ModuleType("made")
    exec("from octavo.lazy import regex as re\n" + source, vars(made))
    return made


def test_pattern_of_a_module_is_a_pattern() -> None:
    pattern = module(r"WORD = re.compile(r'(?P<first>\w)\w*', re.IGNORECASE)").WORD
    expected = re.compile(r"(?P<first>\w)\w*", re.IGNORECASE)
    for _ in range(2):
        assert [found.span() for found in pattern.finditer("ab c")] == [(0, 2), (3, 4)]
        assert pattern.sub(r"\g<first>", "ab cd") == "a c"
        assert (pattern.pattern, pattern.flags) == (expected.pattern, expected.flags)
        assert (pattern.groups, dict(pattern.groupindex)) == (1, {"first": 1})


@pytest.mark.parametrize("is_used", [False, True])
def test_pattern_of_a_module_is_copied_as_a_pattern(is_used: bool) -> None:
    pattern = module("A = re.compile(b'a+', re.DOTALL)").A
    if is_used:
        pattern.match(b"a")
    for again in (pickle.loads(pickle.dumps(pattern)), copy.deepcopy(pattern)):
        assert again == re.compile(b"a+", re.DOTALL)


def test_pattern_has_nothing_that_a_pattern_does_not_have() -> None:
    pattern = module("A = re.compile('a')").A
    for _ in range(2):
        with pytest.raises(AttributeError):
            _ = pattern.nothing
        with pytest.raises(TypeError):
            iter(pattern)


def test_pattern_of_a_module_is_compiled_at_its_first_use() -> None:
    pattern = module("WRONG = re.compile('(')").WRONG
    with pytest.raises(re.error, match="unterminated subpattern"):
        pattern.match("a")


def test_pattern_of_a_function_is_compiled_at_once() -> None:
    with pytest.raises(re.error, match="unterminated subpattern"):
        regex.compile("(")
    assert isinstance(regex.compile("a"), re.Pattern)


def test_modules_of_the_engine_use_lazy_patterns() -> None:
    """The shipped extensions are examples for authors, who have `re`; they are imported only where a site uses them."""
    eager = [
        file.relative_to(PACKAGE).as_posix()
        for file in sorted(PACKAGE.rglob("*.py"))
        if "shipped" not in file.parts and file.name != "regex.py" and imports_re(file.read_text(encoding="utf-8"))
    ]
    assert eager == []


def test_matches_are_not_distinguished_by_their_pattern() -> None:
    compared = re.compile(r"\.re (?:is|in|==|!=)\s")
    files = [file for file in PACKAGE.rglob("*.py") if "shipped" not in file.parts]
    assert [file.name for file in files if compared.search(file.read_text(encoding="utf-8"))] == []


def imports_re(source: str) -> bool:
    return "import re" in source and any(
        isinstance(node, ast.Import) and any(name.name == "re" for name in node.names)
        for node in ast.parse(source).body
    )
