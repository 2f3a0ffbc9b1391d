"""Pages of Sphinx in Markdown: glossaries, names of objects, values of the configuration, code that Sphinx runs."""

from __future__ import annotations

import re

from octavo.content import SLOT, ContentOptions, Dialect, Document
from octavo.content.compile import compile_document
from octavo.content.dialect import RstSettings
from octavo.content.translate.options import written_autodoc
from tests.support.each import each

DIALECT = Dialect(
    extensions=frozenset(["myst"]),
    variables={"release": "2.0"},
    rst=RstSettings(packages=["kite"]),
)


def compiled(text: str, *, has_python_api: bool = False, files: dict[str, str] | None = None) -> Document:
    directives = frozenset(["autodoc"]) if has_python_api else frozenset[str]()
    options = ContentOptions(folders={"": DIALECT}, directives=directives)
    return compile_document(text, source_path="docs/a.md", load=(files or {}).get, options=options)


GLOSSARY = """:::{glossary}

Kite Line
    What **holds** it.

    :::{note}
    Of `silk`.
    :::

Wind
    - It blows.

:::

After.
"""


def test_an_indented_block_does_not_end_the_one_around_it() -> None:
    document = compiled(GLOSSARY)
    assert document.diagnostics == []
    assert re.search(r'<a id="term-Kite-Line"></a><strong>Kite Line</strong>', document.body)
    assert "What <strong>holds</strong> it." in document.body
    assert "Of <code>silk</code>." in document.body
    assert "<li>It blows.</li>" in document.body
    assert document.body.endswith("<p>After.</p>")
    assert ":::" not in document.body


@each(
    ("text", "shown", "links"),
    [
        ("{func}`kite.fly`", "kite.fly()", ["ref:?kite.fly"]),
        ("{meth}`~kite.Kite.fly`", "fly()", ["ref:?kite.Kite.fly"]),
        ("{py:class}`kite.Kite`", "kite.Kite", ["ref:?kite.Kite"]),
        ("{func}`!kite.fly`", "kite.fly()", []),
        ("{func}`fly it <kite.fly>`", "fly it", []),
        ("{class}`list[kite.Kite]`", "list[kite.Kite]", []),
        ("[the line](kite.line)", "the line", ["ref:?kite.line"]),
        ("[others](bird.fly)", "others", ["bird.fly"]),
    ],
)
def test_names_of_objects_lead_to_their_descriptions(text: str, shown: str, links: list[str]) -> None:
    document = compiled(text, has_python_api=True)
    assert re.sub(r"<[^>]+>", "", document.body) == shown
    if "<kite.fly>" not in text:
        assert [one.href for one in document.links] == links


def test_without_descriptions_names_of_objects_are_code() -> None:
    assert compiled("{func}`kite.fly`").body == "<p><code>kite.fly()</code></p>"


def test_values_of_the_configuration_have_a_role() -> None:
    document = compiled("Release **{sub-ref}`release`**")
    assert document.body == "<p>Release <strong>2.0</strong></p>"
    assert document.diagnostics == []


def test_code_that_sphinx_runs_is_code() -> None:
    document = compiled("```{jupyter-execute}\nkite = '<b>'\n```\n")
    assert 'data-language="python"' in document.body
    assert document.diagnostics == []


def test_tables_of_contents_name_pages_in_words() -> None:
    text = "```{toctree}\nkinds-of-kites\napi\ngenindex\nother <api>\n```\n"
    document = compiled(text, files={"docs/api.rst": "The API\n=======\n"})
    assert re.findall(r"<li><a[^>]*>(.*?)</a>", document.body) == ["Kinds of kites", "The API", "Index", "other"]


def test_documents_and_downloads_are_linked_as_they_are_written() -> None:
    files = {"docs/b.md": "# B", "docs/c.rst": "C\n=\n"}
    document = compiled("{doc}`b` {doc}`b.md` {doc}`C <c.rst>` {download}`D <k.zip>` {download}`e.csv`", files=files)
    hrefs = [link.href.removeprefix("./") for link in document.links]
    assert hrefs == ["b.md", "b.md", "c", "k.zip", "e.csv"]
    assert document.diagnostics == []


def test_directives_within_directives_are_all_read() -> None:
    depth = 8
    marks = [":" * (3 + depth - number) for number in range(depth)]
    text = "\n\n".join(
        [*(f"{mark}{{note}} N{number}" for number, mark in enumerate(marks)), "Inmost.", *reversed(marks)]
    )
    document = compiled(text)
    assert document.body.count('class="admonition admonition-note"') == depth
    assert document.diagnostics == []


def test_a_page_has_substitutions_of_its_own() -> None:
    front = """---
myst:
  substitutions:
    Mended: "<b class='badge'>Mended</b>"
    release: "3.0"
    size: 4
    note: |
      ```{note}
      Of {{ size }} *kites*.
      ```
---
"""
    document = compiled(front + "- {{ Mended }} the line of {{ release }}, {{size}} times\n\n{{ note }}\n")
    assert document.diagnostics == []
    assert "<b class='badge'>Mended</b> the line of 3.0, 4 times" in document.body
    assert "Of 4 <em>kites</em>." in document.body
    assert "{{" not in document.body


def test_settings_of_myst_in_a_page_that_have_no_effect_are_named() -> None:
    document = compiled("---\nmyst:\n  substitutions: {a: b}\n  heading_anchors: 3\n---\n{{ a }}\n")
    assert [(one.code, one.span.line) for one in document.diagnostics] == [("front-matter-key", 2)]
    assert '"myst.heading_anchors"' in document.diagnostics[0].message


def test_button_leads_to_an_address_or_to_the_document_that_it_names() -> None:
    document = compiled(
        "```{button-link} ../b/index.html\nOn\n```\n\n```{button-link} https://example.org\n```\n\n"
        "```{button-ref} b/index\n:ref-type: myst\n\nRef\n```\n"
    )
    assert [link.href for link in document.links] == ["../b/index.html", "https://example.org", "/b/"]


def test_roles_in_the_text_of_a_button_are_read() -> None:
    document = compiled("```{button-link} https://x.example\n{fab}`windows` Big {bdg-info}`x64` *kite*\n```\n")
    assert ">Big x64 <em>kite</em></a>" in document.body
    assert document.diagnostics == []


def test_fields_at_the_head_of_restructuredtext_in_a_page_are_content() -> None:
    document = compiled("# Kite\n\n```{eval-rst}\n:Author: Sailor\n:Status: Flies\n   high\n\nText.\n```\n")
    assert "<strong>Author:</strong> Sailor" in document.body
    assert "high" in document.body
    assert document.diagnostics == []
    hidden = compiled("```{eval-rst}\n:orphan:\n:no-search:\n\nText.\n```\n")
    assert (hidden.body, hidden.diagnostics) == ("<p>Text.</p>", [])


def test_members_without_docstrings_are_asked_for_with_those_that_are_only_annotated() -> None:
    written = str(written_autodoc(".. automodule:: kilns\n   :members:\n   :undoc-members:\n", "", {}))
    assert 'annotated_members="true"' in written
    assert "annotated" not in str(written_autodoc(".. automodule:: kilns\n   :members:\n", "", {}))


def test_module_named_in_myst_holds_for_blocks_in_restructuredtext() -> None:
    body = ".. autofunction:: fire"
    for directive in ("```{currentmodule} kilns\n```", ":::{py:module} kilns\n:::", ".. currentmodule:: kilns"):
        page = f"{directive}\n\n```{{eval-rst}}\n{body}\n```\n"
        assert str(written_autodoc(body, page, {})).startswith("::autodoc[kilns.fire]")


@each(
    ("text", "markdown"),
    [
        (":::{tip icon=false} Time\n30 minutes\n:::\n", "> **Tip**\n>\n> Time\n>\n> 30 minutes"),
        (":::{note .dropdown #wind} Time\n30 minutes\n:::\n", "**Note**\n\nTime\n\n30 minutes"),
        (
            '```{code-block caption="Fly now" linenos=true} python\nx\n```\n',
            '```python title="Fly now" showLineNumbers\nx\n```',
        ),
    ],
)
def test_directives_have_attributes_in_their_braces(text: str, markdown: str) -> None:
    document = compiled(text)
    assert (document.markdown.strip(), document.diagnostics) == (markdown, [])


def test_citations_of_all_kinds_are_findings() -> None:
    document = compiled("{cite}`a` {cite:t}`b`\n\n{footcite:p}`c`")
    assert [one.message for one in document.diagnostics] == [
        f'The role "{{{name}}}" is not known; its text is shown as code.' for name in ("cite", "cite:t", "footcite:p")
    ]


def test_description_and_keywords_of_myst_are_those_of_the_page() -> None:
    front = "myst:\n  html_meta:\n    description lang=en: Kites.\n    keywords: a, b\n    property=og:locale: en\n"
    found = compiled(f"---\n{front}---\n# A\n\n```{{strange}} Head\n:of: x\n\nText\n```\n")
    assert (found.front_matter.description, found.front_matter.keywords) == ("Kites.", ["a", "b"])
    assert [one.message for one in found.diagnostics] == [
        'Front matter has keys of other engines, which have no effect here: "myst.html_meta.property=og:locale".',
        'The directive "{strange}" is not known; its text is kept. Its options are not: of.',
    ]


def test_program_in_an_unknown_directive_of_myst_is_shown_as_code() -> None:
    program = "a = 1\nshow(a, *rest)\n# A *comment*"
    body = compiled(f"```{{plot-it}}\n{program}\n```\n").body
    assert "<pre" in body
    assert "A *comment*" in re.sub(r"<[^>]+>", "", body)
    assert "<em>words</em>" in compiled("```{plot-it}\nSome *words*, a(b) too.\n```\n").body


def test_headings_have_the_id_of_github_beside_that_of_docutils() -> None:
    text = "# Up & Down\n\n## Wind & Rope\n\n## Wind & Rope\n\n## Knots\n\n## `a_b` & c\n\n## Knots\n\n(x--y)=\n## X & Y\n\n## &\n\n## Version 0.1.0\n\n## Version 010\n\n## Version 0.1.2\n"
    dialect = Dialect(extensions=frozenset(["myst"]), slugs="docutils")
    document = compile_document(
        text, source_path="docs/a.md", load={}.get, options=ContentOptions(folders={"": dialect})
    )
    ids = re.findall(r'<span id="([^"]*)"></span>', document.body.replace(SLOT, ""))
    assert [one for one in ids if one != "x-y"] == [
        "up--down", "wind--rope", "wind--rope-1", "a_b--c", "knots-1", "x--y", "version-010-1", "version-012",
    ]  # fmt: skip
    assert [one.anchor for one in document.headings][1:4] == ["wind-rope", "id1", "knots"]
    rst = Dialect(extensions=frozenset(["myst"]), slugs="github")
    other = compile_document(text, source_path="docs/a.md", load={}.get, options=ContentOptions(folders={"": rst}))
    assert "up--down" not in other.body.partition("<h2")[0].partition("<h1>")[2]
