"""Which block an end closes, and where the findings of what follows it are."""

from __future__ import annotations

import re

from octavo.content import ContentOptions
from octavo.content.compile import compile_document
from tests.support.each import each


def outline(text: str) -> tuple[str, list[str]]:
    """Give the blocks as `note(A tip(B))`, and the findings with their places."""
    document = compile_document(text, source_path="a.md", load={}.get, options=ContentOptions())
    body = re.sub(r'<p class="admonition-title".*?</p>|</?p>|<div class="admonition-body">', " ", document.body)
    body = re.sub(r'<div class="admonition admonition-(\w+)"[^>]*>', r"\1(", body).replace(
        "</div> </div>", "</div></div>"
    )
    body = body.replace("</div></div>", ")")
    return re.sub(r"\s+(?=\))|(?<=\()\s+", "", " ".join(body.split())), [
        f"{one.span.line}:{one.span.column} {one.code}" for one in document.diagnostics
    ]


@each(
    "text, blocks, findings",
    [
        (":::note\nA\n:::\nB\n", "note(A) B", []),
        (":::note\nA\n:::::\nB\n", "note(A) B", []),
        ("::::note\nA\n\n:::tip\nB\n:::\n::::\nC\n", "note(A tip(B)) C", []),
        ("::::note\nA\n\n:::tip\nB\n::::\nC\n", "note(A tip(B)) C", ["4:1 unclosed"]),
        (":::note\nA\n\n:::tip\nB\n::::\nC\n:::\nD\n", "note(A tip(B) C) D", []),
        ("A\n\n::::\n\nB\n", "A :::: B", ["3:1 stray-end"]),
    ],
)
def test_block_with_as_many_colons_is_closed_or_the_innermost_with_fewer(
    text: str, blocks: str, findings: list[str]
) -> None:
    assert outline(text) == (blocks, findings)


def test_findings_behind_an_end_tag_that_is_left_out_keep_their_places() -> None:
    text = "Text\n\n</foo>\nMore [x]()\n\n</foo>  [y]()\n"
    assert outline(text)[1] == ["3:1 stray-end", "4:6 empty-link", "6:1 stray-end", "6:9 empty-link"]
