"""Directives and roles of Sphinx and of its extensions, as Markdown."""

from __future__ import annotations

import re
import textwrap

import pytest

from tests.support.each import each

from .rst_pages import compiled, written


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
        (
            ".. code-block::\n   :caption: The :file:`kiln.py` of *kilns*, ``2 * 3 * 4``\n\n   x\n",
            '```text title="The kiln.py of kilns, 2 * 3 * 4"\nx\n```',
        ),
        (".. code-block::\n   :caption: 2 * 3 * 4 of a_b*\n\n   x\n", '```text title="2 * 3 * 4 of a_b*"\nx\n```'),
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
        (".. figure:: a.png\n   :alt: A\n\n   The caption.\n\n   The legend.\n\n   - More\n",
         "<figure>\n\n![A](a.png)\n\n<figcaption>\n\nThe caption.\n\nThe legend.\n\n- More\n\n</figcaption>\n\n</figure>"),
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


def test_roles_of_one_page_are_not_known_in_the_next() -> None:
    assert written(".. role:: mine(code)\n\n:mine:`x`\n") == ("`x`", [])
    assert written(":mine:`x`\n")[1] == ['1: The role "mine" is not known; its text is kept.']


def test_body_of_an_unknown_directive_that_is_no_text_is_code() -> None:
    text = """
        .. strange:example::

           @cli
           def run(*args):
               return `args

        .. strange:: Head
           :of: x

           Text with :odd:`role`.
        """
    markdown, findings = written(text)
    assert "```\n@cli\ndef run(*args):\n    return `args\n```" in markdown.replace("```python", "```")
    assert findings == [
        '1: The directive "strange:example" is not known; its text is kept.',
        '7: The directive "strange" is not known; its text is kept. Its options are not: of.',
        '10: The role "odd" is not known; its text is kept.',
    ]


def test_roles_that_readers_would_see_are_findings() -> None:
    markdown, findings = written(
        "A\n=\n\n**Never set :attr:`x.y` here**, but ``:attr:`x``` is code. :rfc:`7239#section-4`\n"
    )
    assert "[**RFC 7239 Section 4**](https://datatracker.ietf.org/doc/html/rfc7239.html#section-4)" in markdown
    assert findings == ['4: ":attr:`x.y`" is within other marks, or lacks a backtick; readers see it as it is written.']


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


def test_tabs_of_code_may_have_their_title_as_an_option() -> None:
    markdown, findings = written(
        ".. tabs::\n\n   .. code-tab:: ini\n      :caption: .kiterc\n\n      a = 1\n\n   .. code-tab:: ini\n      :title: tox.ini\n\n      b = 2\n"
    )
    assert findings == []
    assert '<TabItem value=".kiterc" label=".kiterc">\n\n```ini\na = 1\n```' in markdown
    assert 'label="tox.ini"' in markdown


def test_names_of_substitutions_are_no_options_that_somebody_wrote() -> None:
    assert written("A |br| b.\n\n.. |br| raw:: html\n\n   <br>\n")[1] == []
    assert [one.code for one in compiled(".. raw:: html\n   :alt: No\n\n   <br>\n").diagnostics] == [
        "unknown-attribute"
    ]


def test_emojis_of_sphinxemoji_are_drawn() -> None:
    assert written("I |:heart:| it.\n") == ("I ❤️ it.", [])
    assert len(written("|:nothing-such:|\n")[1]) == 1


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


def test_labels_of_footnotes_are_addresses() -> None:
    body = str(
        compiled("""\
        The wind [#trade_wind]_ and the tide [#]_ and the rope [2]_.

        .. [#trade_wind] Blows all year.
        .. [#] Comes twice.
        .. [2] Is long.
        """).body
    )
    assert body.count('<a id="trade-wind"></a>') == 1
    assert "Blows all year." in body
    assert not re.search(r'id="(?:id|footnote-)\d', body)


def test_roles_of_another_project_lead_to_it() -> None:
    assert written(":external+python:doc:`library/os`")[0] == "[os](https://docs.python.org/3/library/os.html)"
    assert written(":external+other:doc:`section/kite-lines`")[0] == "kite lines"
    assert written(":external:py:class:`kite.Line`")[0] == "`kite.Line`"


def test_documents_that_docstrings_refer_to_need_not_be_in_the_site() -> None:
    assert written(":docstring-doc:`/wind`") == ("[Wind](./wind)", [])
    assert written(":docstring-doc:`wind.rst`") == ("[Wind](./wind)", [])
    assert written(":docstring-doc:`python`")[0] == "python"
    assert written(":docstring-doc:`python:tutorial/index`")[0].startswith("[index](https://docs.python.org/3/")
    text, findings = written("Text.\n\nSee :docstring-doc:`the calm </calm_sea>` and :docstring-doc:`calm_sea`.")
    assert text == "Text.\n\nSee the calm and calm sea."
    assert len(findings) == 2
    assert 'The document "/calm_sea" is not in this site; the text that refers to it is kept.' in findings[0]


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


PROGRAM = """import altair as alt

# A *chart*
chart = alt.Chart(source).mark_bar().encode(
    x='day:O',
    y='value',
)
chart
"""
PROSE = [
    "Call fly(x) with a wind.\nIt gives a height.",
    "- a = b\n- c (d)\n\nMore of it.",
    "if you can (or may)\nfly it now.",
]


def test_program_in_an_unknown_directive_is_shown_as_code() -> None:
    markdown, findings = written(f".. altair-plot::\n   :output: none\n\n{textwrap.indent(PROGRAM, '   ')}")
    assert PROGRAM.strip() in markdown
    assert markdown.startswith("```")
    assert len(findings) == 1
    for text in PROSE:
        assert "```" not in written(f".. unknown::\n\n{textwrap.indent(text, '   ')}\n")[0], text


def test_titles_within_only_have_an_order_of_their_own() -> None:
    markdown, findings = written(
        """
        ====
        Wind
        ====

        .. only:: html

           Draft
           ^^^^^

           Next.

        Old
        ===

        Fixes
        -----

        One.
        """
    )
    assert findings == []
    assert [line for line in markdown.splitlines() if line.startswith("#")] == [
        "# Wind",
        "## Draft",
        "## Old",
        "### Fixes",
    ]


def test_titles_within_only_are_as_high_as_those_of_their_style() -> None:
    markdown, findings = written(
        """
        Wind
        ====

        First
        -----

        Deep
        ~~~~

        One.

        .. only:: html

           Second
           ------

           Two.

           Lower
           ~~~~~

           Three.

        Third
        -----

        Four.

        .. only:: html

           Inner
           ~~~~~

           Five.
        """
    )
    assert findings == []
    assert [line for line in markdown.splitlines() if line.startswith("#")] == [
        "# Wind",
        "## First",
        "### Deep",
        "## Second",
        "### Lower",
        "## Third",
        "### Inner",
    ]
    assert [line for line in markdown.splitlines() if line.endswith(".")] == [
        "One.",
        "Two.",
        "Three.",
        "Four.",
        "Five.",
    ]


def test_text_of_diagrams_and_terminals_is_not_read_as_prose() -> None:
    text = """
    .. mermaid::

        flowchart LR
            subgraph KITE["x"]
                A --> B
            end

            cmds --> `report

    .. terminal::

        fly
          *up
        |down
    """
    markdown, findings = written(text)
    assert findings == []
    assert "    A --> B\n    end" in markdown
    assert "|down" in markdown
