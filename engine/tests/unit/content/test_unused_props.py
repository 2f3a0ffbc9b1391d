"""Attributes of partials that their file does not use."""

from __future__ import annotations

import pytest

from octavo.content import ContentOptions, Dialect
from octavo.content.compile import compile_document


def findings(use: str, partial: str) -> list[tuple[str, int, str]]:
    document = compile_document(
        f'import Kiln from "./_kiln.mdx"\n\n{use}\n',
        source_path="docs/a.mdx",
        load={"docs/_kiln.mdx": partial}.get,
        options=ContentOptions(folders={"": Dialect(is_mdx=True)}),
    )
    return [(one.code, one.span.line, one.message) for one in document.diagnostics]


def test_attribute_that_the_file_does_not_use_is_a_finding() -> None:
    assert findings('<Kiln heat="hot" color="red" key="a" />', "It is {props.heat}.\n") == [
        ("unknown-attribute", 3, '"<Kiln>" has no attribute "color": "docs/_kiln.mdx" does not use it.')
    ]


@pytest.mark.parametrize(
    "partial",
    [
        "It is {props.color}.\n",
        "It is {color}.\n",
        "<div {...props}>x</div>\n",
        'import Other from "./_other.mdx"\n\n<Other {...props} />\n',
    ],
)
def test_attribute_that_may_be_used_is_none(partial: str) -> None:
    assert "unknown-attribute" not in [code for code, _, _ in findings('<Kiln color="red" />', partial)]


def test_slip_of_the_pen_is_one_finding() -> None:
    assert [code for code, _, _ in findings('<Kiln colour="red" />', "It is {props.color}.\n")] == ["missing-prop"]
