"""Each case of `fixtures/` comes out as it is written there."""

import os
import re

import pytest

from engine.tests.unit.content.cases import FIXTURES, Case, encode, load_cases, write_cases
from octavo.content.compile import ContentOptions, compile_document
from tests.support.each import each

_FILES = sorted(FIXTURES.glob("*.md"))

if os.environ.get("OCTAVO_UPDATE_CASES"):
    for _path in _FILES:
        write_cases(_path, load_cases(_path))

_CASES = [pytest.param(case, id=f"{path.stem}: {case.title}") for path in _FILES for case in load_cases(path)]


@pytest.mark.costly
@each("case", _CASES)
def test_case_comes_out_as_written(case: Case):
    assert case.expected == case.outputs()


@pytest.mark.costly
@each("case", _CASES)
def test_document_can_be_stored(case: Case):
    assert encode(case.run())


def test_delimiter_row_of_a_table_may_have_tabs() -> None:
    table = "| A\t| B\t|\n|---\t|:-:\t|\n| 1\t| 2\t|\n"
    source = f"> {table.replace(chr(10), chr(10) + '> ', 2)}\n```md\n{table}```\n\n{table}"
    document = compile_document(source, source_path="p.md", load={}.get, options=ContentOptions())
    assert document.body.count("<table>") == 2
    assert "---\t|:-:\t|" in re.sub(r"<[^>]*>", "", document.body)


@pytest.mark.parametrize(
    ("text", "alt"),
    [
        ("two\nlines", "two lines"),
        ("two  \nlines", "two lines"),
        ("a `code` *and* **strong**", "a code and strong"),
        ("a [link](/b) in it", "a link in it"),
        ("out ![in](b.png) out", "out in out"),
        ('a "quote" & <b>', "a &quot;quote&quot; &amp; "),
        ("", ""),
    ],
)
def test_description_of_an_image_is_its_text_in_one_line(text: str, alt: str) -> None:
    document = compile_document(
        f"![{text}](https://a.example/a.png)\n", source_path="p.md", load={}.get, options=ContentOptions()
    )
    assert re.findall(r' alt="([^"]*)"', document.body) == [alt]


def test_footnotes_can_be_linked_to() -> None:
    text = "a[^k] and[^k].\n\n[^k]: b\n"
    document = compile_document(text, source_path="p.md", load={}.get, options=ContentOptions())
    assert document.anchors == ["fn-k", "fnref-k", "fnref-k-2"]
    assert all(f'id="{anchor}"' in document.body for anchor in document.anchors)
