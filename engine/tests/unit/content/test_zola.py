"""Links and shortcodes of Zola."""

from __future__ import annotations

from octavo.content import SLOT, ContentOptions, Dialect
from octavo.content.compile import compile_document
from octavo.content.document import Document


def compiled(text: str) -> Document:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(["zola"]))})
    return compile_document(text, source_path="content/blog/kites/index.md", load={}.get, options=options)


def test_links_begin_at_the_folder_of_the_content() -> None:
    document = compiled(
        "+++\ntitle = 'A'\n+++\n\n[one](@/blog/one.md#x), [two](@/_index.md), [three][3] and `[four](@/x.md)`.\n\n[3]: @/three.md\n"
    )
    assert document.diagnostics == []
    assert [one.href for one in document.links] == ["../one.md#x", "../../_index.md", "../../three.md"]
    assert "@/x.md" in document.body


def test_images_are_drawn_by_their_arguments() -> None:
    document = compiled(
        '# A\n\n{{ dual_theme_image(light_src="a.png", dark_src="b.png", alt="Both") }}\n\n{{ full_width_image(src="blog/kites/c.png", alt="C", width=40) }}\n\n{{ img(path="https://x.example/d.png") }}\n'
    )
    assert [one.href for one in document.assets] == ["a.png", "b.png", "c.png"]
    html = document.body.replace(SLOT, "")
    assert 'class="themed themed-dark"' in html
    assert 'alt="C" width="40"' in html
    assert "https://x.example/d.png" in html


def test_notes_and_folded_parts_nest() -> None:
    document = compiled(
        '# A\n\n{% admonition(type="warning", title="Mind **it**") %}\nHigh *wind*.\n\n{% details(summary="Why?") %}\nBecause.\n{% end %}\n{% end %}\n\n{{ admonition(type="tip", text="Look [up](@/up.md).") }}\n\n{% mermaid() %}\ngraph TD; A-->B\n{% end %}\n'
    )
    assert document.diagnostics == []
    html = document.body
    assert "admonition-warning" in html
    assert "Mind <strong>it</strong>" in html
    assert "<summary>Why?</summary>" in html
    assert "admonition-tip" in html
    assert "{%" not in html


def test_other_shortcodes_keep_what_they_say() -> None:
    document = compiled(
        '# A\n\n{% wide(class="x") %}\n| a |\n|---|\n| b |\n{% end %}\n\nSay {{ aside(text="by the way") }} it.\n\n{{ quote_of(original="Cerf-volant", author="Ann") }}\n\n{{ counter(start=3) }}\n'
    )
    assert [(one.code, one.span.line) for one in document.diagnostics] == [
        ("foreign-syntax", 11),
        ("foreign-syntax", 13),
    ]
    for part in ("<td>b</td>", "by the way", "Cerf-volant", "Ann"):
        assert part in document.body


def test_shortcodes_that_a_page_writes_about_are_shown() -> None:
    document = compiled('# A\n\n```\n{{/* youtube(id="x") */}}\n{%/* note() */%}\n```\n')
    assert document.diagnostics == []
    assert "*/" not in document.body
    assert "youtube" in document.body
