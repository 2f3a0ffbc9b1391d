"""Colors of a terminal in blocks of code are not characters that cannot be shown."""

from __future__ import annotations

from octavo.content import ContentOptions
from octavo.content.compile import compile_document


def test_blocks_of_code_lose_their_escape_sequences() -> None:
    text = "# A\n\n```ansi\n\x1b[1;31mred\x1b[0m and \x1b[38;5;9mmore\x1b[m\n```\n"
    document = compile_document(text, source_path="a.md", load={}.get, options=ContentOptions())
    assert document.diagnostics == []
    assert "red and more" in document.body
    assert "\ufffd" not in document.body


def test_elsewhere_they_are_findings() -> None:
    text = "# A\n\n```ansi\n\x1b[31mred\n```\n\nSome \x1b[31mred.\n\n```sh\n\x1b[31mred\n```\n"
    document = compile_document(text, source_path="a.md", load={}.get, options=ContentOptions())
    assert [(one.code, one.span.line) for one in document.diagnostics] == [("encoding", 7)]
