"""reStructuredText with the directives and roles of Sphinx, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from textwrap import dedent

import pytest
from docutils import nodes
from docutils.transforms import Transform

from octavo.content import ContentOptions, Dialect, Document, RstSettings
from octavo.content.compile import compile_document
from octavo.content.context import CompileContext
from octavo.content.source import DocumentText, Fragment
from octavo.content.translate.rst import parsing
from octavo.content.translate.rst.outline import labels_in, title_in
from octavo.content.translate.translate import translate
from tests.support.each import each

EXTENSIONS = frozenset(["attr_list", "def_list", "math", "rst"])
SETTINGS = RstSettings(
    root="docs",
    extlinks={"issue": ["https://kite.example/issues/%s", "#%s"]},
    projects={"python": "https://docs.python.org/3"},
)
REFERENCES = {"wind": "docs/wind.rst#wind", "strong wind": "docs/wind.rst#strong-wind"}
FILES = {
    "docs/wind.rst": ".. _wind:\n\n====\nWind\n====\n\n.. _strong wind:\n\nStrong *wind*\n-------------\n\nBlows.\n",
    "docs/code.py": "import os\n\n\ndef fly():\n    return 1\n",
    "docs/part.txt": "Part of *it*.\n",
    "docs/rows.csv": "a,b\n1,2\n",
    "docs/more.md": "More **of** it.\n",
    "docs/linked.md": "See [kites](https://x.example).\n",
}


def dialect(settings: RstSettings = SETTINGS) -> Dialect:
    return Dialect(
        extensions=EXTENSIONS,
        slugs="docutils",
        rst=settings,
        references=REFERENCES,
        variables={"version": "1.2"},
    )


def written(text: str, settings: RstSettings = SETTINGS, files: Mapping[str, str] = FILES) -> tuple[str, list[str]]:
    """Give the Markdown of a page, and its findings."""
    own = dialect(settings)
    context = CompileContext(ContentOptions(folders={"": own}), files.get, {}, own)
    source = DocumentText("docs/a.rst", dedent(text).lstrip("\n"), own)
    markdown = translate(Fragment.whole(source, 0), context).text
    return markdown.strip("\n"), [f"{one.span.line}: {one.message}" for one in context.diagnostics]


def compiled(text: str, settings: RstSettings = SETTINGS) -> Document:
    options = ContentOptions(folders={"": dialect(settings)})
    return compile_document(dedent(text).lstrip("\n"), source_path="docs/a.rst", load=FILES.get, options=options)


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


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        (":ref:`wind`, :ref:`Strong Wind`, :ref:`text <wind>`",
         "[Wind](./wind#wind), [Strong wind](./wind#strong-wind), [text](./wind#wind)"),
        (":doc:`wind` and :doc:`the wind </wind>`", "[Wind](./wind) and [the wind](./wind)"),
        (":doc:`python:tutorial/index`", "[index](https://docs.python.org/3/tutorial/index.html)"),
        (":issue:`12` :issue:`x <12>`", "[#12](https://kite.example/issues/12) [x](https://kite.example/issues/12)"),
        (":class:`~kite.Kite` :py:func:`kite.fly`", "[`Kite`](ref:?kite.Kite) [`kite.fly()`](ref:?kite.fly)"),
        (":pep:`8`", "[**PEP 8**](https://peps.python.org/pep-0008/)"),
        (":kbd:`Ctrl+C` :menuselection:`&File --> Open`", "<kbd>Ctrl+C</kbd> **File → Open**"),
        (":file:`a.py` :samp:`x={y}` :guilabel:`OK`", "`a.py` `x=y` **OK**"),
        (":term:`Big kite`", "[Big kite](ref:?term-big-kite)"),
        (":envvar:`HOME` :option:`run --fast`", "[`HOME`](ref:?envvar-HOME) [`run --fast`](ref:?cmdoption-run-fast)"),
        (".. role:: raw-html(raw)\n   :format: html\n\na :raw-html:`<kbd>b</kbd>` c", "a <kbd>b</kbd> c"),
        (".. role:: raw-latex(raw)\n   :format: latex\n\na :raw-latex:`\\newpage` c", "a  c"),
        (":abbr:`TLA (three letters)`", '<abbr title="three letters">TLA</abbr>'),
        (":download:`get it </x.zip>`", "[get it](x.zip)"),
    ],
)  # fmt: skip
def test_roles_of_sphinx_become_links_and_text(text: str, markdown: str) -> None:
    assert written(text) == (markdown, [])


@each(
    ("text", "markdown"),
    [
        (".. note:: Text\n   *more*\n\n   Second.\n", ":::note\n\nText\n*more*\n\nSecond.\n\n:::"),
        (".. admonition:: A ``b``\n   :class: tip\n\n   Text.\n", ":::tip[A `b`]\n\nText.\n\n:::"),
        (".. versionadded:: 1.2 With *it*.\n", ":::info[New in version 1.2]\n\nWith *it*.\n\n:::"),
        (".. code-block:: python\n   :caption: a.py\n   :emphasize-lines: 2\n   :linenos:\n\n   x\n   y\n",
         '```python title="a.py" {2} showLineNumbers\nx\ny\n```'),
        (".. code-block::\n   :caption: a\n\n   x\n", '```text title="a"\nx\n```'),
        (".. literalinclude:: code.py\n   :pyobject: fly\n", "```py\ndef fly():\n    return 1\n```"),
        (".. include:: part.txt\n", "Part of *it*."),
        (".. include:: linked.md\n", "See [kites](https://x.example)."),
        (".. include:: more.md\n   :parser: myst_parser.sphinx_\n", "More **of** it."),
        (".. only:: html\n\n   Shown.\n\n.. only:: latex\n\n   Hidden.\n", "Shown."),
        (".. only:: not (latex or man) and html\n\n   Shown.\n\n.. only:: not html\n\n   Hidden.\n", "Shown."),
        (".. only:: html (latex)\n\n   Shown.\n", "Shown."),
        (".. toctree::\n   :caption: All\n\n   wind\n   Text <wind>\n", "**All**\n\n- [Wind](./wind)\n- [Text](./wind)"),
        (".. toctree::\n   :hidden:\n\n   wind\n", ""),
        (".. tabs::\n\n   .. tab:: A ``b``\n\n      Text.\n", '<Tabs>\n\n<TabItem value="A b" label="A b">\n\nText.\n\n</TabItem>\n\n</Tabs>'),
        (".. tab:: A\n\n   One.\n\n.. tab:: B\n\n   Two.\n\nAfter.\n",
         '<Tabs>\n\n<TabItem value="A" label="A">\n\nOne.\n\n</TabItem>\n\n<TabItem value="B" label="B">\n\nTwo.\n\n</TabItem>\n\n</Tabs>\n\nAfter.'),
        (".. list-table::\n   :header-rows: 1\n\n   * - a\n     - b\n   * - 1\n     - 2\n", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        (".. csv-table:: Rows\n   :file: rows.csv\n   :header-rows: 1\n", "**Rows**\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"),
        (".. glossary::\n\n   Big kite\n   Large kite\n      It *flies*.\n",
         '<a id="term-big-kite"></a>Big kite\\\n<a id="term-large-kite"></a>Large kite\n:   It *flies*.'),
        (".. figure:: a.png\n   :alt: A\n\n   The *caption*.\n",
         "<figure>\n\n![A](a.png)\n\n<figcaption>\n\nThe *caption*.\n\n</figcaption>\n\n</figure>"),
        (".. rubric:: More *of* it\n", "**More *of* it**"),
        (".. raw:: html\n\n   <b>x</b>\n\n.. raw:: latex\n\n   \\x\n", "<b>x</b>"),
        (".. index:: x\n.. meta::\n   :description: y\n\n.. contents::\n", ""),
        (".. py:module:: kite\n\n.. py:class:: Kite(string)\n\n   It flies.\n\n   .. py:method:: fly()\n\n      :param str to: Where.\n      :returns: It.\n",
         ('<a id="module-kite"></a>\n\n<dl>\n<dt id="kite.Kite"><code>class Kite(string)</code></dt>\n<dd>\n\nIt flies.\n\n'
         '<dl>\n<dt id="kite.Kite.fly"><code>fly()</code></dt>\n<dd>\n\n**Parameters:**\n\n- `to` (`str`) – Where.\n\n**Returns:** It.\n\n</dd>\n</dl>\n\n</dd>\n</dl>')),
        (".. program:: kite\n.. option:: --fast <n>\n\n   Fast.\n",
         '<dl>\n<dt id="cmdoption-kite-fast"><code>--fast &lt;n&gt;</code></dt>\n<dd>\n\nFast.\n\n</dd>\n</dl>'),
        (".. confval:: color\n   :type: str\n\n   Of it.\n",
         '<dl>\n<dt id="confval-color"><code>color</code></dt>\n<dd>Type: <code>str</code></dd>\n<dd>\n\nOf it.\n\n</dd>\n</dl>'),
    ],
)  # fmt: skip
def test_directives_of_sphinx_become_blocks(text: str, markdown: str) -> None:
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
        '4: The directive "strange" is not known; its text is kept.',
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


def test_roles_of_one_page_are_not_known_in_the_next() -> None:
    assert written(".. role:: mine(code)\n\n:mine:`x`\n") == ("`x`", [])
    assert written(":mine:`x`\n")[1] == ['1: The role "mine" is not known; its text is kept.']


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


def test_body_of_an_unknown_directive_that_is_no_text_is_code() -> None:
    text = """
        .. strange:example::

           @cli
           def run(*args):
               return `args

        .. strange:: Head

           Text with :odd:`role`.
        """
    markdown, findings = written(text)
    assert "```\n@cli\ndef run(*args):\n    return `args\n```" in markdown.replace("```python", "```")
    assert findings == [
        '1: The directive "strange:example" is not known; its text is kept.',
        '7: The directive "strange" is not known; its text is kept.',
        '9: The role "odd" is not known; its text is kept.',
    ]


def test_roles_that_readers_would_see_are_findings() -> None:
    markdown, findings = written(
        "A\n=\n\n**Never set :attr:`x.y` here**, but ``:attr:`x``` is code. :rfc:`7239#section-4`\n"
    )
    assert "[**RFC 7239 Section 4**](https://datatracker.ietf.org/doc/html/rfc7239.html#section-4)" in markdown
    assert findings == ['4: ":attr:`x.y`" is within other marks, or lacks a backtick; readers see it as it is written.']


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
        "```\na: b\nc: d\n```\n\n```\nsome marked text\n```\n\n```console\n$ run it\n```",
        [],
    )


def test_formulas_have_labels_and_code_has_roles_of_its_language() -> None:
    markdown, findings = written(".. math:: a = b\n   :label: eq1\n\nSee :eq:`eq1` and :sql:`SELECT 1`.\n")
    assert findings == []
    assert markdown.count('<a id="equation-eq1"></a>') == 1
    assert "$$\na = b\n$$" in markdown
    assert "[(eq1)](<ref:?equation-eq1>)" in markdown or "[(eq1)](ref:?equation-eq1)" in markdown
    assert "`SELECT 1`" in markdown


def test_tabs_with_code_have_a_language_and_a_title() -> None:
    markdown, findings = written(
        ".. tabs::\n\n   .. code-tab:: ini\n\n      a = 1\n\n   .. code-tab:: toml The *other*\n\n      b = 2\n"
    )
    assert findings == []
    assert '<TabItem value="ini" label="ini">\n\n```ini\na = 1\n```\n\n</TabItem>' in markdown
    assert 'label="The other"' in markdown


def test_fields_of_the_head_may_have_several_words() -> None:
    assert written(".. meta::\n   :description lang=en: Kites.\n   :keywords: a\n\nText.\n") == ("Text.", [])


def test_emojis_of_sphinxemoji_are_drawn() -> None:
    assert written("I |:heart:| it.\n") == ("I ❤️ it.", [])
    assert len(written("|:nothing-such:|\n")[1]) == 1


def test_blocks_within_definitions_are_read() -> None:
    found = compiled("``term`` : kind\n   Text.\n\n   .. tip:: Fly.\n\nOther\n   More *of* it.\n")
    assert found.diagnostics == []
    assert ":::" not in found.body
    assert re.sub(r"\s|</?p>", "", found.body).startswith("<dl><dt><code>term</code>:<em>kind</em></dt><dd>Text.<")
    assert "<em>of</em>" in found.body


def test_directives_without_an_argument_keep_what_stands_right_below_their_name() -> None:
    page = """\
        .. compound::
           :doc:`wind`
              How it blows.

        .. tab-set::
           Before the tabs.
        """
    markdown, findings = written(page)
    assert "[Wind](./wind)" in markdown
    assert "How it blows." in markdown
    assert "Before the tabs." in markdown
    assert findings == []


def test_titles_of_blocks_hold_links_and_tabs_no_footnotes() -> None:
    html = compiled("""\
        .. admonition:: See :doc:`wind` [1]_

           Text.

        .. tab:: setup [#more]_

           In the tab.

        .. [#more] About the tab.
        .. [1] About the title.
        """).body
    text = str(html)
    assert "See [" not in text
    assert "[^" not in text
    assert "About the tab." in text
    assert "About the title." in text


def test_roles_of_another_project_lead_to_it() -> None:
    assert written(":external+python:doc:`library/os`")[0] == "[os](https://docs.python.org/3/library/os.html)"
    assert written(":external+other:doc:`section/kite-lines`")[0] == "kite lines"
    assert written(":external:py:class:`kite.Line`")[0] == "`kite.Line`"


def test_files_that_are_taken_in_know_the_version() -> None:
    files = {"docs/names.inc": ".. |archive| replace:: kite-|version|\n"}
    assert written(".. include:: names.inc\n\nGet |archive|.\n", files=files) == ("Get kite-1.2.", [])


def test_a_line_at_the_end_of_a_page_is_no_finding() -> None:
    assert written("Text.\n\n----\n")[1] == []


def test_captions_of_code_show_their_roles_as_text() -> None:
    text, findings = written(
        """
        .. code-block:: python
            :caption: The ``state`` of :class:`~kite.State`, see :term:`winds <wind>`

            fly()

        .. literalinclude:: code.py
            :caption: *All* of it_
        """
    )
    assert '```python title="The state of State, see winds"' in text
    assert 'title="All of it"' in text
    assert findings == []


def test_changelogs_and_references_to_parameters_are_known() -> None:
    text, findings = written(
        """
        .. changelog:: 2.0
            :date: 2026-01-02

            .. change:: A ``fly`` that :paramref:`~kite.fly.height`
                :type: feature
                :pr: 12

                Higher.

            .. change::
                :tags: bug, wind
                :tickets: 7

                Mended.
        """
    )
    assert text.split("\n\n") == [
        "**2.0** (2026-01-02)",
        "**A `fly` that `height`** (feature, pr 12)",
        "Higher.",
        "bug, wind, tickets 7",
        "Mended.",
    ]
    assert findings == []


def test_roles_in_the_file_of_a_table_are_read() -> None:
    files = {"docs/rows.csv": "a,:octicon:`check` b\n"}
    text, findings = written(".. csv-table::\n   :file: rows.csv\n", files=files)
    assert findings == []
    assert "octicon" not in text
