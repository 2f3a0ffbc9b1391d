"""Notebooks of Jupyter as pages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from octavo.content import is_unrun, pictures_of, split_picture
from tests.support.each import each

from .notebooks import DOT, code, compiled, compiled_text, findings, markdown, notebook, shown, stream


@each(
    ("cell", "written"),
    [
        (markdown("# Kites\n\nThey *fly*."), "# Kites\n\nThey *fly*."),
        (code("fly(1)"), "```python\nfly(1)\n```"),
        (code("%%bash\nls"), "```bash\n%%bash\nls\n```"),
        (code("print('```')"), "````python\nprint('```')\n````"),
        (code(""), ""),
        (code("a", stream("1\n"), stream("2\n")), '```python\na\n```\n\n```text title="Output"\n1\n2\n```'),
        (code("a", stream("0%\r50%\r100%\n")), '```python\na\n```\n\n```text title="Output"\n100%\n```'),
        (code("a", stream("ab\x08c")), '```python\na\n```\n\n```text title="Output"\nac\n```'),
        (code("a", shown(text_plain="7", text_latex="$7_a$")), "```python\na\n```\n\n$$\n7_a\n$$"),
        (code("a", shown(text_markdown="**Wind**")), "```python\na\n```\n\n**Wind**"),
        (code("a", shown(application_json={"b": 1})), '```python\na\n```\n\n```json title="Output"\n{\n  "b": 1\n}\n```'),
        (code("#| fig-alt: A kite\na", shown(image_png=DOT)), "```python\na\n```\n\n![A kite](kite.ipynb/kite-1-1.png)"),
        (code("a", stream("1"), tags=("remove-input",)), '```text title="Output"\n1\n```'),
        (code("a", stream("1"), tags=("remove_output",)), "```python\na\n```"),
        (code("a", stream("1", "stderr"), tags=("remove-stderr",)), "```python\na\n```"),
        (code("a", stream("1"), tags=("remove-cell",)), ""),
        (code("a", nbsphinx="hidden"), ""),
        (markdown("Secret.", metadata={"tags": ["remove_cell"]}), ""),
        (code("a", tags=("hide-input",)), "**Show code**\n\n```python\na\n```"),
        (code("a", tags=("hide-input",), mystnb={"code_prompt_show": "Look at {type}"}), "**Look at**\n\n```python\na\n```"),
        (code("a", jupyter={"source_hidden": True}), "**Show code**\n\n```python\na\n```"),
        (code("#| tags: [hide_input]\na"), "**Show code**\n\n```python\na\n```"),
        (code("a", stream("1"), tags=("hide-output",)), '```python\na\n```\n\n**Show output**\n\n```text title="Output"\n1\n```'),
        (code("a", tags=("hide-cell",)), "**Show cell**\n\n```python\na\n```"),
        ({"cell_type": "raw", "metadata": {"format": "text/html"}, "source": "<b>Wind</b>"}, "**Wind**"),
        ({"cell_type": "raw", "metadata": {}, "source": "as it is"}, "```text\nas it is\n```"),
    ],
)  # fmt: skip
def test_cell_is_written_as_markdown(cell: dict[str, Any], written: str) -> None:
    assert compiled(cell).markdown.strip() == written


def test_html_of_a_program_is_let_through_as_far_as_it_is_harmless() -> None:
    table = (
        "<style scoped>th {color: red}</style><table border='1' class='dataframe'><thead><tr style='x'><th></th>"
        "<th colspan='2'>wind_m_s</th></tr></thead><tbody>\n\n<tr><th>0</th><td onclick='x()'>5 < 6</td></tr></tbody></table>"
    )
    document = compiled(code("a", shown(text_html=table, text_plain="x")))
    assert '<th colspan="2">wind&#95;m&#95;s</th>' in document.body
    assert "<td>5 &lt; 6</td>" in document.body
    assert not any(word in document.body for word in ("onclick", "dataframe", "color: red"))
    assert document.diagnostics == []
    document = compiled(code("a", shown(text_html="<p>Up <b>we<i>go</p><script>x()</script><svg><text>n</text></svg>")))
    assert "<div><p>Up <b>we<i>go</i></b></p></div>" in document.body
    assert findings(document) == ["10 notebook: Cell 1 shows HTML of which this is left out: <script>, <svg>."]


@each(
    ("output", "problem"),
    [
        (shown(**{"application_vnd.jupyter.widget-view__json": {}, "text_plain": "HBox()"}), "shows a widget, which lives only while a program runs"),
        (shown(application_javascript="x()"), "shows a script, which is not run"),
        (shown(text_html="<script>x()</script>", text_plain="<IPython.core.display.HTML object>"), "shows what runs in a browser: <script>"),
        (shown(**{"application_vnd.plotly.v1__json": {}}), "shows data of a kind that no page can show: application/vnd.plotly.v1+json"),
        (shown(image_png="%%%"), "shows a picture that is damaged (image/png)"),
    ],
)  # fmt: skip
def test_what_no_page_can_show_is_reported_with_cell_and_line(output: dict[str, Any], problem: str) -> None:
    document = compiled(markdown("Text."), code("a", output))
    assert findings(document) == [f"17 notebook: Cell 2 {problem}."]
    assert document.markdown.strip() == "Text.\n\n```python\na\n```"


def test_error_is_shown_without_colors() -> None:
    output = {"output_type": "error", "ename": "E", "evalue": "up", "traceback": ["\x1b[0;31mE\x1b[0m: up", "line 1"]}
    assert "E: up\nline 1" in compiled(code("a", output)).markdown


def test_places_of_findings_are_those_in_the_json() -> None:
    text = notebook(markdown('One.\n\nA "quoted" [link][there] and **bold'))
    lines = text.split("\n")
    places = {(one.code, one.span.line, one.span.column) for one in compiled_text(text).diagnostics}
    number = next(number for number, line in enumerate(lines) if "[link]" in line)
    assert places == {
        ("undefined-reference", number + 1, lines[number].index("[link]") + 1),
        ("stray-mark", number + 1, lines[number].index("**") + 1),
    }


def test_picture_without_text_is_reported_and_one_with_text_is_not() -> None:
    given = code("a", shown({"image/png": {"alt": "A dot", "width": 20}}, image_png=DOT), shown(image_png=DOT))
    document = compiled(given)
    assert [asset.href for asset in document.assets] == ["kite.ipynb/kite-1-1.png", "kite.ipynb/kite-1-2.png"]
    assert 'alt="A dot" width="20"' in document.body
    assert findings(document) == [
        "22 missing-alt: The picture that cell 1 of the notebook shows has no alternative text."
    ]


def test_pictures_are_named_by_cell_and_output() -> None:
    text = notebook(
        markdown("![Dot](attachment:a%20b.png)", attachments={"a b.png": {"image/png": DOT}}),
        code("a", stream("1"), shown(image_svg__xml="<svg/>", image_png=DOT)),
    )
    document = compiled_text(text, path="docs/my kite.ipynb")
    assert [one.href for one in document.assets] == [
        "my%20kite.ipynb/my-kite-1-a1.png",
        "my%20kite.ipynb/my-kite-2-2.svg",
    ]
    pictures = pictures_of("docs/my kite.ipynb", text)
    assert {name: content[:4] for name, content in pictures.items()} == {
        "my-kite-1-a1.png": b"\x89PNG",
        "my-kite-2-2.svg": b"<svg",
    }
    assert split_picture("docs/my kite.ipynb/my-kite-2-2.svg") == ("docs/my kite.ipynb", "my-kite-2-2.svg")
    assert split_picture("docs/kite.ipynb") is None


def test_settings_are_read_from_the_first_cell_or_the_metadata() -> None:
    document = compiled(markdown("---\ntitle: Kites\nhue: red\n---\nText."))
    assert (document.front_matter.title, document.markdown.strip()) == ("Kites", "Text.")
    assert findings(document) == ['9 front-matter-key: Front matter has no key "hue".']
    raw = {"cell_type": "raw", "metadata": {}, "source": "---\ndescription: Wind\n---"}
    assert compiled(raw).front_matter.description == "Wind"
    assert compiled_text(notebook(markdown("Text."), title="Wind: up")).front_matter.title == "Wind: up"
    assert compiled_text(notebook(markdown("# Kites"), title="Wind")).front_matter.title is None


@each(
    ("text", "problem"),
    [
        ('{"cells": [\n<<<<<<< HEAD', "2 notebook: This notebook is damaged: expecting value."),
        ('{"nbformat": 3, "worksheets": []}', "1 notebook: This notebook has a format before version 4, which nobody has written since 2015."),
        ("[]", "1 notebook: This file is not a notebook: it has no list of cells."),
        ("", "1 notebook: This notebook is damaged: expecting value."),
        ("[" * 100_000, "1 notebook: This notebook holds what no program has written, and is not read."),
        ('{"cells": [{"cell_type": "markdown", "source": 5}, 7, {"cell_type": "odd", "source": ["a", 1]}]}', '1 notebook: Cell 3 is of the kind "odd", which is not known; its text is shown.'),
    ],
)  # fmt: skip
def test_damaged_notebook_is_a_finding(text: str, problem: str) -> None:
    assert findings(compiled_text(text)) == [problem]


def test_cells_keep_to_themselves_and_formulas_need_no_marks() -> None:
    document = compiled(markdown("```\nopen"), markdown("# Next\n\n\\begin{align}\na &= b\n\\end{align}\nText."))
    assert document.headings[0].text == "Next"
    assert "$$\n\\begin{align}" in document.markdown
    assert findings(document) == ["7 unclosed-fence: The block of code that begins in cell 1 is not closed in it."]


def test_braces_of_code_are_no_templates() -> None:
    document = compiled(code("f'{{ kite }}'"), markdown("{{ kite }}"), extensions=("macros", "jekyll", "hugo"))
    assert document.markdown.count("{{ kite }}") == 2


@pytest.mark.costly
def test_large_notebook_is_read() -> None:
    cells = [markdown(f"Cell *{number}*.") if number % 2 else code("a", stream("b")) for number in range(4_000)]
    document = compiled_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
    assert "Cell *3999*." in document.markdown


def test_ids_of_titles_may_be_those_of_jupyter() -> None:
    cell = markdown("# Kites\n\n## How They Fly?")
    assert [one.anchor for one in compiled(cell, extensions=("jupyter_ids",)).headings if one.level > 1] == [
        "How-They-Fly?"
    ]
    assert [one.anchor for one in compiled(cell).headings if one.level > 1] == ["how-they-fly"]


def test_what_is_too_much_for_a_page_is_reported() -> None:
    document = compiled(code("a", stream("b" * 100_001), shown(text_html="<p>" + "c" * 1_000_001)))
    assert [problem.partition(": ")[2] for problem in findings(document)] == [
        "Cell 1 shows a text of 100001 characters; the page has the first 100000.",
        "Cell 1 shows HTML of 1000008 characters, which is too much for a page.",
    ]
    script = "<script>" + "x" * 1_000_001 + "</script><p>Wind</p>"
    assert "<p>Wind</p>" in compiled(code("a", shown(text_html=script))).body


def test_attachment_that_is_missing_is_reported() -> None:
    document = compiled(markdown("`attachment:` and ![Kite](attachment:kite.png)"))
    assert '3 notebook: Cell 1 has no attachment "kite.png" that a page can show.' in findings(document)


@pytest.mark.costly
@each(
    ("text", "written"),
    [
        ("```{code-cell} ipython3\n:tags: [hide-input]\n\nx\n```\n", "**Show code**\n\n```python\nx\n```"),
        ("```{code-cell}\nx\n```\n", "```julia\nx\n```"),
        ("```{code-cell}\n---\ntags: [hide_cell]\n---\nx\n```\n", "**Show cell**\n\n```julia\nx\n```"),
        ("```{code-cell}\n:tags: [remove-input]\nx\n```\n", ""),
        ("```{raw-cell}\n:format: text/html\n<b>x</b>\n```\n", "**x**"),
        ("```{raw-cell}\nx\n```\n", "```\nx\n```"),
    ],
)
def test_cells_of_notebooks_that_are_written_as_text(text: str, written: str) -> None:
    head = "---\njupytext:\n  formats: md:myst\nkernelspec:\n  name: julia-1.9\n---\n"
    document = compiled_text(head + text, extensions=("myst",), path="docs/kite.md")
    assert (document.markdown.strip(), document.diagnostics) == (written, [])


def test_blocks_of_colons_end_with_their_cell() -> None:
    cells = (markdown("::::{note} One\n:::{tip}\nText.\n:::"), markdown("Next."))
    document = compiled(*cells, extensions=("myst",))
    assert document.markdown.strip().endswith("> > Text.\n\nNext.")
    assert findings(document) == ["7 unclosed: The block that begins in cell 1 is not closed in it."]


def test_label_of_a_cell_is_a_place() -> None:
    document = compiled(code("#| label: fig-kite\na"), code("b", mystnb={"figure": {"name": "fig-wind"}}))
    assert {"fig-kite", "fig-wind"} <= set(document.anchors)


@each(
    ("cells", "is_it"),
    [
        ([code("a")], True),
        ([code("a"), code("b", stream("1"))], False),
        ([code("\n"), markdown("Kites.")], False),
        ([], False),
    ],
)
def test_notebook_that_was_never_run_is_told_by_its_outputs(cells: list[dict[str, Any]], is_it: bool) -> None:
    assert is_unrun(notebook(*cells)) is is_it
    assert not is_unrun("{")


def test_links_that_lead_nowhere_from_a_page_are_reported() -> None:
    """A program writes a link to a file beside the notebook, which is not published."""
    document = compiled(
        code("a", shown(text_html='<p><a href="data.csv">data</a> <a>word</a> <a href="#x">here</a></p>'))
    )
    assert "data word" in document.body
    assert [one.href for one in document.links] == ["#x"]
    assert [one.partition(": ")[2] for one in findings(document)] == [
        "Cell 1 shows HTML of which this is left out: <a>."
    ]
