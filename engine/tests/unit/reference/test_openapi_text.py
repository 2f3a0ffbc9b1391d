"""Descriptions of an API and examples made from its schemas: nothing is left out without a word."""

from __future__ import annotations

import re

from octavo.reference.openapi.text import plain_text, render_text
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
