"""Files that Python-Markdown takes in by mdx_include and markdown-include-variants."""

from __future__ import annotations

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document
from tests.support.each import each

CODE = "".join(f"line{number} = {number}\n" for number in range(1, 10))


def compiled(text: str, *extensions: str) -> Document:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(extensions), snippet_folders=("parts",))})
    files = {"parts/code/a.py": CODE, "parts/text.md": "One *wind*.\n\nTwo.\n", "parts/list.md": "1. One.\n2. Two.\n"}
    return compile_document(f"# A\n\n{text}\n", source_path="docs/a.md", load=files.get, options=options)


def code_of(document: Document) -> str:
    return "|".join(one.text for one in document.text if one.kind == "code")


@each(
    "text, numbers",
    [
        ("{* ./code/a.py *}", "123456789"),
        ("{* ./code/a.py ln[2:3] *}", "23"),
        ("{* ./code/a.py ln[1,4:5,9] hl[4,9] *}", "1459"),
        ("- item\n\n    {* code/a.py ln[8:] *}", "89"),
        ("```py\n{!code/a.py[ln:2-3]!}\n# more\n{!code/a.py[ln:7,9-]!}\n```", "2379"),
        ("```py\n{!> code/a.py [ln:2.3-3.1] !}\n```", "23"),
    ],
)
def test_lines_of_code_are_taken_in(text: str, numbers: str | None) -> None:
    document = compiled(text, "snippets")
    assert document.diagnostics == []
    shown = document.body
    assert [one for one in "123456789" if f"line{one}" in shown] == list(numbers or "")


def test_marked_lines_are_counted_in_the_file() -> None:
    document = compiled("{* ./code/a.py ln[3:6] hl[5:6] *}", "snippets")
    plain, marked = (document.body.count(one) for one in ('<span class="line">', '<span class="line highlighted">'))
    assert (plain, marked) == (2, 2), document.body


def test_text_is_taken_in_as_markdown() -> None:
    assert "<p>One <em>wind</em>.</p>" in compiled("{!text.md!}", "snippets").body
    assert compiled("{! text.md [ln:3] !}", "snippets").body.count("wind") == 0


def test_what_cannot_be_taken_in_is_a_finding() -> None:
    found = compiled("{* code/gone.py *}\n\n{* code/a.py hl[1] wide[A] *}\n", "snippets").diagnostics
    assert [(one.code, one.span.line) for one in found] == [("missing-snippet", 3), ("unknown-attribute", 5)]
    [one] = compiled("{* code/a.py ln[1:2] *}").diagnostics
    assert (one.code, one.span.line, one.span.column) == ("foreign-syntax", 3, 1)
    assert '"snippets"' in (one.suggestion or "")
    # Examples of it, and braces around stars of other kinds, are what they are.
    for text in ("`{* code/a.py *}`", "```md\n{* code/a.py *}\n```", "{* a comment of somebody *}", "{**bold**}"):
        assert compiled(text).diagnostics == []


def test_annotations_may_have_their_list_in_a_file() -> None:
    code = "```py\nx = 1  # (1)!\ny = 2  # (2)!\n```"
    assert compiled(f"{code}\n\n{{!list.md!}}", "annotations", "snippets").diagnostics == []
    found = compiled(f"{code}\n\n{{!text.md!}}", "annotations", "snippets").diagnostics
    assert [one.code for one in found] == ["undefined-footnote"] * 2


def test_component_of_code_marks_texts_and_lines() -> None:
    code = "code={`let a = 1;\nlet b = 2;\nlet c = 3;`}"
    marks = "mark={['let', {range: '2', label: 'Two'}, {text: 'b'}]} ins={3} del=\"c\" frame=\"none\""
    options = ContentOptions(folders={"": Dialect(is_mdx=True, extensions=frozenset({"starlight"}))})
    document = compile_document(
        f'# A\n\n<Code {code} lang="js" {marks} />\n', source_path="a.mdx", load=lambda _: None, options=options
    )
    assert document.diagnostics == []
    first, second, third = document.body.replace('"line-label"', "").split('<span class="line')[1:]
    assert first.count("<mark>") == 1
    assert second.startswith(' highlighted">')
    assert second.count("<mark>") == 2
    assert "Two" in second
    assert third.startswith(' added">')
    assert "<del>" in third


def test_names_of_parts_in_mdbook_may_start_with_a_digit() -> None:
    code = "// ANCHOR: 3d-plane\nplane();\n// ANCHOR_END: 3d-plane\nother();\n"
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(["mdbook"]))})
    text = "# A\n\n```rust\n{{#include ./a.rs:3d-plane}}\n```\n\n```rust\n{{#include ./a.rs:4}}\n```\n"
    document = compile_document(text, source_path="src/a.md", load={"src/a.rs": code}.get, options=options)
    assert document.diagnostics == []
    assert code_of(document) == "plane();|other();"


def test_a_title_of_included_code_is_shown() -> None:
    document = compiled('{* ./code/a.py ln[3:6] title["app/a.py"] *}', "snippets")
    assert document.diagnostics == []
    assert "app/a.py" in document.body
