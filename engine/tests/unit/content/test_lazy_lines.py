"""Text of a list item that goes on at the margin, and the blocks below it, which belong to the item."""

from __future__ import annotations

import re

from octavo.content import ContentOptions, Dialect
from octavo.content.compile import compile_document
from tests.support.each import each

DIALECTS = [
    frozenset(["admonitions", "details", "tabs", "attr_list"]),
    frozenset(["admonitions", "tabs", "def_list", "snippets", "keys"]),
]


def body_of(text: str, extensions: frozenset[str]) -> str:
    options = ContentOptions(folders={"": Dialect(extensions=extensions)})
    document = compile_document(text, source_path="a.md", load=lambda _: None, options=options)
    assert document.diagnostics == []
    return document.body


NOTE = '\n    !!! note "Hold"\n        Hold *it*.\n'


@each(
    "above",
    [
        "- Take a kite\nand go on.\n",
        "* Take a kite:\nand go on\nand on.\n",
        "1. Take a kite\n   and go on\nat the margin.\n",
        "Before.\n\n- One\n- Two\n(go on)\n",
        "- One\n\n- Take a [kite](https://kite.example)\n*and* go `on`.\n",
        "- [ ] Take a kite\n**and** go on.\n",
        "- One `x`\n\n    - Inner\nat the margin.\n",
    ],
)
def test_blocks_below_belong_to_the_item(above: str) -> None:
    for extensions in DIALECTS:
        body = body_of(f"{above}{NOTE}\nAfter.\n", extensions)
        assert "Hold <em>it</em>." in body
        assert "!!!" not in body
        assert body.index("Hold <em>") < body.rindex("</li>")
        assert body.endswith("<p>After.</p>")


@each(
    ("text", "is_code"),
    [
        ("- Take a kite\n# Title\n\n    !!! note\n        Hold.\n", True),
        ("- Take a kite\n\nand go on.\n\n    !!! note\n        Hold.\n", True),
        ("- Take a kite\n> quoted\n\n    !!! note\n        Hold.\n", True),
        ("- Take a kite\n***\n\n    !!! note\n        Hold.\n", True),
        ("Take a kite\nand go on.\n\n    !!! note\n        Hold.\n", True),
    ],
)
def test_what_ends_an_item_ends_it(text: str, is_code: bool) -> None:
    for extensions in DIALECTS:
        body = body_of(text, extensions)
        assert ("!!! note" in re.sub(r"<[^>]+>", "", body)) == is_code
