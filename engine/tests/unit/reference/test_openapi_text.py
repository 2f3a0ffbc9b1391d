"""Descriptions of an API and examples made from its schemas: nothing is left out without a word."""

from __future__ import annotations

import re

from octavo.reference.openapi.text import plain_text, render_sections, render_text
from octavo.reference.openapi.write.examples import Examples

LONG = "\n\n".join(f"Paragraph {number} of a *long* description." for number in range(4_000))
END = "Paragraph 3999 of a long description."


def test_long_description_is_drawn_to_its_end() -> None:
    assert len(LONG) > 150_000
    assert render_text(LONG).endswith("<p>Paragraph 3999 of a <em>long</em> description.</p>")


def test_words_of_a_long_description_are_found_to_its_end() -> None:
    assert plain_text(LONG).endswith(END)


def test_alert_of_github_is_an_admonition() -> None:
    text = "> [!WARNING]\n> Costs *money*.\n\n> A quote."
    html = render_text(text)
    assert html.startswith('<div class="admonition admonition-warning" role="note"><p class="admonition-title"><svg ')
    assert html.endswith(
        '</svg>Warning</p><div class="admonition-body"><p>Costs <em>money</em>.</p></div></div>'
        "<blockquote><p>A quote.</p></blockquote>"
    )
    assert plain_text(text) == "Costs money. A quote."


def test_table_has_a_head_and_columns_as_those_of_documents() -> None:
    """Its head was a row like others, which nobody could see or hear."""
    html = render_text(
        "| Code | Price | Meaning |\n| :--- | ---: | --- |\n| `a` | 1 | What is said in a long sentence about it |\n"
    )
    assert html == (
        '<div class="table-wrap" tabindex="0"><table><thead><tr><th scope="col" class="align-left">Code</th>'
        '<th scope="col" class="align-right">Price</th><th scope="col" class="text-column">Meaning</th></tr></thead>'
        '<tbody><tr><td class="align-left"><code>a</code></td><td class="align-right">1</td>'
        "<td>What is said in a long sentence about it</td></tr></tbody></table></div>"
    )
    sentence = "What is said in a long sentence about it, and in further ones that explain why it is so. " * 2
    names = render_text(
        f"| Name | Meaning |\n|-|-|\n| a | {sentence} |\n| One name that is longer than all the others | b |\n"
    )
    assert re.findall("<th .*?>", names) == ['<th scope="col">', '<th scope="col" class="text-column">']
    assert render_text("| | a |\n|-|-|\n").endswith(
        '<table><thead><tr><td></td><th scope="col">a</th></tr></thead></table></div>'
    )


def test_text_around_a_table_keeps_its_place() -> None:
    html = render_text("> Before\n>\n> | a |\n> |-|\n> | *b* <https://c.example> |\n>\n> After")
    assert html.startswith("<blockquote><p>Before</p><div")
    assert '<td><em>b</em> <a href="https://c.example">https://c.example</a></td>' in html
    assert html.endswith("</div><p>After</p></blockquote>")


def test_made_example_has_all_required_fields_of_a_large_object() -> None:
    fields = {f"field_{number}": {"type": "integer"} for number in range(200)}
    required = ["field_3", "field_150", "field_199"]
    schema = {"type": "object", "properties": fields, "required": required}
    example = Examples({}).of(schema, is_request=True)
    assert set(required) <= set(example)
    assert len(example) < len(fields)


def test_made_answer_says_that_fields_are_left_out() -> None:
    fields = {f"field_{number}": {"type": "integer"} for number in range(61)}
    schema = {"type": "object", "properties": fields}
    assert Examples({}).of(schema)["…"] == "…"
    assert "…" not in Examples({}).of(schema, is_request=True)
    assert "…" not in Examples({}).of({"type": "object", "properties": {"one": {"type": "integer"}}})


def test_made_example_says_where_it_goes_no_deeper() -> None:
    schema: dict[str, object] = {"type": "object", "properties": {"leaf": {"type": "integer"}}}
    for _ in range(12):
        schema = {"type": "object", "properties": {"inner": schema, "name": {"type": "string"}}}
    made = Examples({}).of(schema)
    names = []
    while isinstance(made, dict):
        names.append(made["name"])
        made = made["inner"]
    assert made == "…"
    assert names == ["example"] * 9


def test_made_text_is_as_long_as_it_must_be() -> None:
    assert len(Examples({}).of({"type": "string", "minLength": 500})) == 500
    assert Examples({}).of({"type": "string", "minLength": 10**9}).endswith("x…")


def test_plain_text_keeps_marks_of_punctuation_at_their_words() -> None:
    assert plain_text("Moves **money**, [all](https://a.example)! ~~No~~ *yes*.") == "Moves money, all! No yes."
    assert plain_text("One.\n\n- two\n- three\n\n| a | b |\n|---|---|\n| c | d |") == "One. two three a b c d"


def test_bare_addresses_are_links() -> None:
    html = render_text(
        "See https://a.example/b_c_d?e=1&f, [this https://a.example](https://b.example) and `https://c.example`."
    )
    assert html == (
        '<p>See <a href="https://a.example/b_c_d?e=1&amp;f">https://a.example/b_c_d?e=1&amp;f</a>, '
        '<a href="https://b.example">this https://a.example</a> and <code>https://c.example</code>.</p>'
    )
    assert render_text("a <b>://x</b> javascript://x") == "<p>a <strong>://x</strong> javascript://x</p>"


def outline(markdown: str, level: int = 2) -> list[tuple[int, str, str]]:
    return [(one.level, one.anchor, one.title) for one in render_sections(markdown, "section", level).sections]


def test_headings_have_the_ids_of_redoc_and_no_level_is_skipped() -> None:
    assert outline("Lead.\n\n# Rate limits\n\n### Burst & `peak`\n\n## *Day*\n\n# Rate limits\n\nEnd.") == [
        (2, "section/Rate-limits", "Rate limits"),
        (3, "section/Rate-limits/Burst-&-peak", "Burst & peak"),
        (3, "section/Rate-limits/Day", "Day"),
        (2, "section/Rate-limits-2", "Rate limits"),
    ]
    assert outline("### A\n\n# B\n\n" + "".join(f"{'#' * level} {level}\n\n" for level in range(2, 7)), 4) == [
        (4, "section/A", "A"),
        (4, "section/B", "B"),
        (5, "section/B/2", "2"),
        (6, "section/B/2/3", "3"),
        (6, "section/B/2/3/4", "4"),
        (6, "section/B/2/3/4/5", "5"),
        (6, "section/B/2/3/4/5/6", "6"),
    ]


def test_text_before_the_first_heading_is_apart_and_all_of_it_is_drawn() -> None:
    text = render_sections("Lead <b>one.\n\nTwo\n===\n\nText [x].\n\n[x]: https://example.com\n", "section", 2)
    assert text.lead == "<p>Lead <strong>one.</strong></p>"
    assert [section.html for section in text.sections] == [
        '<h2 id="section/Two">Two</h2><p>Text <a href="https://example.com">x</a>.</p>'
    ]
    assert render_sections(" \n", "section", 2) == ("", ())
    assert render_sections("Only text.", "section", 2) == ("<p>Only text.</p>", ())


def test_headings_within_lists_and_without_words_are_none_of_the_page() -> None:
    text = render_sections("- # In a list\n\n> ## In a quote\n\n#\n\n## ![](https://example.com/a.png)", "section", 2)
    assert text.sections == ()
    assert text.lead.count("<p><strong>") == 4


def test_ids_and_titles_of_headings_are_escaped() -> None:
    (section,) = render_sections('# "><script>alert(1)</script> & <b>"x"', "section", 2).sections
    assert section.title == '"><script>alert(1)</script> & "x"'
    assert section.html.startswith(
        '<h2 id="section/&quot;&gt;&lt;script&gt;alert(1)&lt;~1script&gt;-&amp;-&quot;x&quot;">'
    )
    assert "<script" not in section.html


def test_elements_of_redoc_are_what_they_stand_for() -> None:
    text = (
        'Before\n\n<SecurityDefinitions />\n\n<SchemaDefinition schemaRef="#/components/schemas/A~1B" />\n\n<Other />'
    )
    assert render_text(text) == ('<p>Before</p>\n<a href="#schema/A~1B">A/B</a>\n&lt;Other /&gt;')
