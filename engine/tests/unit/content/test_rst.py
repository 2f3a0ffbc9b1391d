"""reStructuredText with the directives and roles of Sphinx, as Markdown."""

from __future__ import annotations

import re

import pytest
from docutils import nodes
from docutils.transforms import Transform

from octavo.content import ContentOptions, Dialect, RstSettings
from octavo.content.compile import compile_document
from octavo.content.translate.rst import parsing
from octavo.content.translate.rst.outline import labels_in, title_in
from tests.support.each import each

from .rst_pages import FILES, compiled, written


@each(
    ("text", "markdown"),
    [
        ("Title\n=====\n\nText *a* **b** ``c*`` \\*.\n", "# Title\n\nText *a* **b** `c*` \\*."),
        ("A\n=\n\nB\n-\n\nA.B c\n-----\n", "# A\n\n## B\n\n## A.B c"),
        ("A\n=\n\nB\n-\n\nB\n-\n", "# A\n\n## B\n\n## B {#id1}"),
        ("A\n=\n\n.. _here:\n\nB\n-\n", '# A\n\n<a id="here"></a>\n\n## B'),
        ("- a\n- b\n\n  more\n", "- a\n\n- b\n\n  more"),
        ("1. a\n2. b\n", "1. a\n2. b"),
        ("a. x\n#. y\n", '<ol type="a">\n<li>\n\nx\n\n</li>\n<li>\n\ny\n\n</li>\n</ol>'),
        ("term : kind\n   Meaning.\n", "term : *kind*\n:   Meaning."),
        ("Code::\n\n   x  y\n", "Code:\n\n```\nx  y\n```"),
        ("Code::\n\n   import os\n   print(1)\n", "Code:\n\n```python\nimport os\nprint(1)\n```"),
        (">>> 1\n1\n", "```pycon\n>>> 1\n1\n```"),
        ("| a\n|   b\n", "a\\\n&emsp;b"),
        ("Text.\n\n   Quoted.\n\n   -- Me\n", "Text.\n\n> Quoted.\n>\n> — Me"),
        ("`Kite <https://kite.example/a_(b)>`_ and https://kite.example.\n",
         "[Kite](<https://kite.example/a_(b)>) and <https://kite.example>."),
        ("See kite_.\n\n.. _kite: https://kite.example\n", "See [kite](https://kite.example)."),
        ("Note [1]_.\n\n.. [1] The *note*.\n", "Note [^1].\n\n[^1]: The *note*."),
        ("See [Cit]_.\n\n.. [Cit] A book.\n", 'See [\\[Cit\\]](#cit).\n\n<a id="cit"></a>**\\[Cit\\]** A book.'),
        ("|x| and |version|\n\n.. |x| replace:: *y*\n", "*y* and 1.2"),
        ("-a, --all  All of it.\n-n N       Number.\n", "`-a`, `--all`\n:   All of it.\n\n`-n N`\n:   Number."),
        ("=== ===\na   b\n=== ===\n1   2|3\n=== ===\n", "| a | b |\n| --- | --- |\n| 1 | 2\\|3 |"),
        (":math:`a_1` and :sub:`2`\n\n.. math::\n\n   a^2\n", "$a_1$ and <sub>2</sub>\n\n$$\na^2\n$$"),
        (".. image:: /ab.png\n   :alt: A [kite]\n   :width: 30px\n", '![A \\[kite\\]](ab.png){width="30"}'),
        ("# no heading {x} <b>\n", "\\# no heading \\{x\\} \\<b>"),
        ("*a*\\ b and re\\ **c**\n", "<em>a</em>b and re<strong>c</strong>"),
    ],
)  # fmt: skip
def test_markup_of_docutils_becomes_markdown(text: str, markdown: str) -> None:
    assert written(text) == (markdown, [])


def test_settings_of_the_site_stand_around_each_page() -> None:
    settings = RstSettings(prolog=".. |x| replace:: kite", epilog=".. _y: https://kite.example", default_role="code")
    assert written("|x| y_ `z`\n", settings) == ("kite [y](https://kite.example) `z`", [])
    assert written("A\n=\n\n.. nothing::\n", settings)[1] == [
        '4: The directive "nothing" is not known; its text is kept.'
    ]


def test_substitution_within_another_that_is_not_defined_is_a_finding() -> None:
    assert written(".. |a| replace:: kite |none|\n\nA |a| flies.\n") == (
        "A kite none flies.",
        ['1: Undefined substitution referenced: "none".'],
    )
    unseen = ".. |a| replace:: kite |none|\n.. |b| replace:: |a|.x\n\n"
    assert written(f"{unseen}Nobody sees it.\n")[1] == []
    assert len(written(f"{unseen}The |b|!\n")[1]) == 1


def test_page_that_docutils_fails_at_is_shown_as_its_source(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(Transform):
        default_priority = 1

        def apply(self) -> None:
            raise KeyError("kite")

    monkeypatch.setattr(parsing, "_TRANSFORMS", ((Failing, (nodes.paragraph,)),))
    markdown, findings = written("A *kite*.\n")
    assert "A *kite*." in markdown
    assert findings == ["1: docutils fails at this page (KeyError: 'kite'); its source is shown."]


def test_what_is_not_understood_is_kept_with_one_finding_at_its_line() -> None:
    text = """
        A
        =

        .. strange:: Head
           :option: x

           The *body*.

        A :strange:`role` here, and |nothing|.

        .. include:: none.txt

        .. autoclass:: kite.Kite
        """
    markdown, findings = written(text)
    assert [word for word in ("Head", "*body*", "role", "nothing", "kite.Kite") if word not in markdown] == []
    assert "::" not in markdown
    assert ":strange:" not in markdown
    assert "|nothing|" not in markdown
    assert findings == [
        '4: The directive "strange" is not known; its text is kept. Its options are not: option.',
        '9: The role "strange" is not known; its text is kept.',
        '11: The file "none.txt" of this directive does not exist in the site\'s folder.',
        '13: "kite.Kite" is described in source code, which is not read here; its description is missing.',
        '9: Undefined substitution referenced: "nothing".',
    ]


def test_findings_of_markdown_name_the_line_of_the_file() -> None:
    found = compiled("A\n=\n\nText.\n\n.. code-block:: nolanguage\n\n   x\n\n.. image:: x.png\n")
    assert [(one.span.line, one.code) for one in found.diagnostics] == [(6, "unknown-language"), (10, "missing-alt")]


def test_headings_have_the_ids_of_docutils() -> None:
    found = compiled(
        "What's new?\n===========\n\n1.2.3 (2024)\n------------\n\nC++ & ``a_b``\n-------------\n\n日本\n----\n\nC++ & ``a_b``\n-------------\n"
    )
    assert [heading.anchor for heading in found.headings] == ["", "id1", "c-a-b", "id2", "id3"]
    assert 'id="what-s-new"' in found.body


def test_a_line_of_hyphens_above_a_title_is_no_front_matter() -> None:
    found = compiled("---\nA B\n---\n\n.. meta::\n   :description: What it\n      is.\n\nText.\n")
    assert ([heading.text for heading in found.headings], found.front_matter.description) == (["A B"], "What it is.")


def test_no_file_outside_and_no_address_is_read() -> None:
    text = """
        .. include:: /etc/passwd
        .. include:: ../../etc/passwd
        .. raw:: html
           :url: https://kite.example/x
        .. raw:: html
           :file: /etc/passwd
        .. csv-table::
           :url: https://kite.example/x.csv
        .. literalinclude:: /etc/passwd
        """
    markdown, findings = written(text)
    assert (markdown, len(findings)) == ("", 6)


def test_html_of_pages_is_held_to_the_rules_of_markdown() -> None:
    body = compiled('.. raw:: html\n\n   <p onclick="x()">a</p><script>x()</script>\n').body
    markdown = compile_document(
        '<p onclick="x()">a</p><script>x()</script>\n', source_path="a.md", load=FILES.get, options=ContentOptions()
    ).body
    assert re.sub(r"\s", "", body) == re.sub(r"\s", "", markdown)


def test_files_that_take_each_other_in_end() -> None:
    files = {"docs/a.txt": "Ay.\n\n.. include:: b.txt\n", "docs/b.txt": "Be.\n\n.. include:: a.txt\n"}
    markdown, findings = written(".. include:: a.txt\n", files=files)
    assert "without an end" in findings[-1]
    assert markdown.startswith("Ay.\n\nBe.")


def test_titles_and_labels_are_found_without_a_parser() -> None:
    text = ".. _One Two:\n\n:orphan:\n\n=========\nA ``b`` c\n=========\n\nText\nmore\n\n.. _x:\n.. _y:\n\nSub\n~~~\n\n.. _fig:\n\n.. figure:: a.png\n\n   The caption\n"
    assert list(labels_in(text)) == ["one two", "x", "y", "fig"]
    assert [title_in(text), title_in(text, "X"), title_in(text, "y"), title_in(text, "fig"), title_in(text, "z")] == [
        "A b c", "Sub", "Sub", "The caption", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "piece",
    ["*a ", "`a ", "|a ", ".. a:: ", "- ", "  - a\n\n", ".. note::\n\n  ", "a_ ", "=\n", ":a:`b` ", "+-+\n", "[1]_ "],
)
def test_hostile_text_ends(piece: str) -> None:
    written(piece * 400)


def test_titles_that_docutils_refuses_and_wrong_directives_keep_their_text() -> None:
    text = """
        A
        =

        B
        -

        C
        ^

        X
        =

        Skipped
        ^^^^^^^

        Text.

        .. figure:: a.png
           :nooption: x

           Caption.

        .. tab:: One

           Inside
           ------

           Word.
        """
    markdown, findings = written(text)
    assert [word for word in ("**Skipped**", "Caption.", "## Inside", "Word.") if word not in markdown] == []
    assert [one.partition(":")[0] for one in findings] == ["13", "18"]


def test_code_without_an_empty_line_below_its_head_is_kept() -> None:
    text = """
        .. productionlist::
           a: b
           c: d

        .. parsed-literal::
           some *marked* text

        .. prompt:: bash
           run it
        """
    assert written(text) == (
        "```\na: b\nc: d\n```\n\n<pre>some <em>marked</em> text</pre>\n\n```console\n$ run it\n```",
        [],
    )


def test_fields_of_the_head_may_have_several_words() -> None:
    assert written(".. meta::\n   :description lang=en: Kites.\n   :keywords: a\n\nText.\n") == ("Text.", [])


def test_description_and_keywords_are_taken_from_meta_and_the_rest_is_a_finding() -> None:
    found = compiled(".. meta::\n   :keywords: kites, wind\n     and more\n   :property=og:locale: en\n\nText.\n")
    assert (found.front_matter.keywords, found.front_matter.description) == (["kites", "wind and more"], None)
    assert [one.message for one in found.diagnostics] == [
        "Pages take their description and keywords from meta; left out: property=og:locale."
    ]


def test_blocks_within_definitions_are_read() -> None:
    found = compiled("``term`` : kind\n   Text.\n\n   .. tip:: Fly.\n\nOther\n   More *of* it.\n")
    assert found.diagnostics == []
    assert ":::" not in found.body
    assert re.sub(r"\s|</?p>", "", found.body).startswith("<dl><dt><code>term</code>:<em>kind</em></dt><dd>Text.<")
    assert "<em>of</em>" in found.body


def test_files_that_are_taken_in_know_the_version() -> None:
    files = {"docs/names.inc": ".. |archive| replace:: kite-|version|\n"}
    assert written(".. include:: names.inc\n\nGet |archive|.\n", files=files) == ("Get kite-1.2.", [])


def test_a_line_at_the_end_of_a_page_is_no_finding() -> None:
    assert written("Text.\n\n----\n")[1] == []


@pytest.mark.parametrize("extensions", [{"rst"}, {"rst", "def_list"}], ids=["html", "marks"])
def test_definitions_and_other_blocks_within_items_of_lists_are_read(extensions: set[str]) -> None:
    text = """\
- *a* (str): Format of
      ``<kite-name>``, or
      **two**.
  other
      More.
- b
    c

- +---+
  | x |
  +---+

- - d
      ``<e>``
"""
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(extensions))})
    document = compile_document(text, source_path="docs/p.rst", load=lambda _: None, options=options)
    assert not document.diagnostics
    html = " ".join(document.body.split())
    assert re.search("<code[^>]*>&lt;kite-name&gt;</code>, or <strong>two</strong>.", html)
    assert "<em>a</em> (str): Format of" in html
    assert html.count("<dt>") == 4
    assert re.search("<code[^>]*>&lt;e&gt;</code>", html)
    assert "<td>" in html or "<th" in html


def test_percent_signs_of_references_are_shown_but_for_those_of_numbers() -> None:
    text = ":ref:`%swift{} <wind>`, :ref:`{name} <wind>`, :numref:`Fig. %s <wind>` and :numref:`{name} <wind>`.\n"
    markdown, findings = written(text)
    assert findings == []
    shown = markdown.replace("\\", "")
    assert [one.partition("]")[0] for one in shown.split("[")[1:]] == ["%swift{}", "{name}", "Fig.", "Wind"]


def test_page_without_docutils_shows_its_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("octavo.content.translate.rst.translate.find_spec", lambda _: None)
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(["rst"]))})
    document = compile_document("A\n=\n\n*b*\n", source_path="docs/a.rst", load=lambda _: None, options=options)
    assert document.markdown == "```rst\nA\n=\n\n*b*\n```"
    assert [f"{one.span} {one.level} {one.code}" for one in document.diagnostics] == [
        "docs/a.rst:1:1 error foreign-syntax"
    ]
    assert document.diagnostics[0].suggestion == 'Install what it needs: pip install "octavo[rst]".'
