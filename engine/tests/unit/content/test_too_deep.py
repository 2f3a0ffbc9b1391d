"""A page that cannot be read to its end is shown as its source."""

from __future__ import annotations

from octavo.content.compile import ContentOptions, compile_document


def test_page_that_is_nested_too_deeply_shows_its_source() -> None:
    def load(_: str) -> str:
        raise RecursionError

    source = "---\ntitle: T\n---\n\nimport Part from './_part.mdx';\n\n<Part />\n\n```js\na\n```\n"
    document = compile_document(source, source_path="docs/a.mdx", load=load, options=ContentOptions())
    assert document.front_matter.title == "T"
    assert [one.kind for one in document.text] == ["code"]
    assert document.text[0].text == "\n" + source.partition("---\n\n")[2]
    assert [f"{one.span} {one.level} {one.code}: {one.message}" for one in document.diagnostics] == [
        "docs/a.mdx:4:1 error too-deep: What this page holds is nested too deeply to be read; the page shows its source."
    ]
