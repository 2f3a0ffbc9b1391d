"""Options of directives of MyST and reStructuredText: each has its effect, or is a finding."""

from __future__ import annotations

import re

from octavo.content import ContentOptions, Dialect, Document, RstSettings
from octavo.content.compile import compile_document
from tests.support.each import each

from .rst_pages import written

DIALECT = Dialect(extensions=frozenset(["myst", "attr_list", "def_list"]))


def compiled(text: str, files: dict[str, str] | None = None) -> Document:
    options = ContentOptions(folders={"": DIALECT})
    return compile_document(text, source_path="docs/a.md", load=(files or {}).get, options=options)


def findings(document: Document) -> list[tuple[int, int, str]]:
    return [(one.span.line, one.span.column, one.message) for one in document.diagnostics]


def test_options_without_effect_are_findings_at_their_place() -> None:
    text = "# A\n\n:::{note}\n:class: big\n:wind: 3\nText\n:::\n\n- Item\n\n  ```{figure} a.png\n  :alt: A\n  :sail: x\n  ```\n"
    assert findings(compiled(text)) == [
        (5, 1, 'The option "wind" of "{note}" has no effect.'),
        (13, 3, 'The option "sail" of "{figure}" has no effect.'),
    ]
    yaml = "```{code-block} python\n---\ncaption: Of\n  wind: 3\n---\nx\n```\n"
    assert findings(compiled(yaml)) == [(4, 3, 'The option "wind" of "{code-block}" has no effect.')]
    assert findings(compiled("::::{tip wind=3}\nText\n::::\n")) == [
        (1, 1, 'The option "wind" of "{tip}" has no effect.')
    ]


def test_options_in_tables_and_files_that_are_taken_in_are_findings() -> None:
    table = "```{list-table}\n* - :::{note}\n    :wind: 3\n    A\n    :::\n```\n"
    assert [one[2] for one in findings(compiled(table))] == ['The option "wind" of "{note}" has no effect.']
    taken = compiled("```{include} b.md\n```\n", {"docs/b.md": ":::{note}\n:wind: 3\nA\n:::\n"})
    assert [one[2] for one in findings(taken)] == ['The option "wind" of "{note}" has no effect.']


def test_options_without_effect_are_findings_in_restructuredtext() -> None:
    text = """
        .. note::
           :class: big
           :wind: 3

           Text

           .. code-block:: python
              :force:
              :sail: 1

              x

        .. toctree::
           :maxdepth: 2
           :numbered:

        .. py:function:: fly()
           :async:
           :wind: 3
        """
    assert written(text)[1] == [
        '3: The option "wind" of "note" has no effect.',
        '9: The option "sail" of "code-block" has no effect.',
        '15: The option "numbered" of "toctree" has no effect.',
        '19: The option "wind" of "py:function" has no effect.',
    ]


@each(
    ("text", "shown"),
    [
        (".. py:method:: fly()\n   :async:\n   :classmethod:\n", "<code>async classmethod fly()</code>"),
        (".. py:method:: fly()\n   :abstractmethod:\n", "<code>abstract fly()</code>"),
        (".. code:: python\n   :number-lines: 5\n\n   x\n", "```python showLineNumbers=5"),
        (".. code-block:: python\n   :lineno-start: 7\n\n   x\n", "```python showLineNumbers=7"),
        (".. include:: code.py\n   :code: python\n   :number-lines:\n", "```python showLineNumbers\n"),
        (".. glossary::\n   :sorted:\n\n   Wind\n      B\n\n   air\n      A\n", '<a id="term-air"></a>air\n:   A\n'),
        (".. py:data:: kite\n   :no-typesetting:\n", '<a id="kite"></a>'),
        (".. tab-set::\n\n   .. tab-item:: A b\n      :sync: a\n\n      x\n", '<Tabs groupId="tab">\n\n<TabItem value="a" label="A b">'),
        (".. tabs::\n\n   .. group-tab:: A\n\n      x\n", '<Tabs groupId="tab">'),
    ],
)  # fmt: skip
def test_options_have_their_effect_in_restructuredtext(text: str, shown: str) -> None:
    markdown, found = written(text)
    assert shown in f"{markdown}\n"
    assert found == []


@each(
    ("text", "shown"),
    [
        ("```{code} python\n:filename: fly.py\nx\n```\n", 'title="fly.py"'),
        (":::{note}\n:open: true\n\nText\n:::\n", " open><summary>"),
        (":::{note} Head\n:collapsible: closed\n\nText\n:::\n", 'class="details"><summary>Note'),
        (":::{toggle}\n:show:\n\nText\n:::\n", " open><summary>"),
        ("```{image} a.png\n:alt: A\n:width: 200px\n```\n", 'width="200"'),
        ("```{code-cell} python\n:label: cell\nx\n```\n", 'id="cell"'),
        (":::{container}\n:name: place\n\nText\n:::\n", '<a id="place"></a>'),
        ("::::{tab-set}\n:::{tab-item} A\n:name: place\nText\n:::\n::::\n", 'id="place"'),
        ("::::{grid}\n:::{card} A\n:name: place\nText\n:::\n::::\n", 'id="place"'),
        ("```{py:method} fly()\n:async:\n```\n", "<code>async fly()</code>"),
    ],
)
def test_options_have_their_effect_in_myst(text: str, shown: str) -> None:
    document = compiled(text)
    islands = "".join(child for island in document.islands for child in island.children)
    assert shown in f"{document.body}{islands}{document.markdown}"
    assert [one for one in document.diagnostics if one.code != "missing-alt"] == []


def test_tab_that_is_selected_is_open_and_those_with_keys_are_chosen_together() -> None:
    text = "::::{tab-set}\n:::{tab-item} A\n:sync: a\nx\n:::\n:::{tab-item} B\n:sync: b\n:selected:\ny\n:::\n::::\n"
    props = compiled(text).islands[0].props
    assert (props["groupId"], props["defaultValue"]) == ("tab", "b")
    assert props["tabs"] == [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]


def test_hidden_exercises_are_left_out_as_in_sphinx() -> None:
    document = compiled("Before\n\n:::{solution} ex\n:hidden:\nSecret\n:::\n\nAfter\n")
    assert re.sub(r"<[^>]+>|\s", "", document.body) == "BeforeAfter"
    assert document.diagnostics == []


def test_lists_of_pages_of_mystmd_are_findings() -> None:
    assert [one[2] for one in findings(compiled(":::{toc}\n:context: section\n:depth: 2\n:::\n"))] == [
        'The list of pages that "{toc}" shows for "section" is left out.'
    ]


def test_argument_of_an_admonition_is_its_title_in_mystmd() -> None:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(["myst", "mystmd"]))})
    text = ":::{tip} Fly *now*\nText\n:::\n\n:::{seealso} Others\nText\n:::\n\n:::{note .dropdown} More\nText\n:::\n"
    document = compile_document(text, source_path="a.md", load=lambda path: None, options=options)
    assert document.markdown.split("\n\n") == [
        "> **Fly *now***\n>\n> Text",
        "> **Others**\n>\n> Text",
        "**More**",
        "Text\n",
    ]


def test_what_is_said_of_cells_has_its_effect() -> None:
    text = """# A

+++ {"label": "Wind Cell", "class": "wide"}

Shown.

+++ {"tags": ["remove-cell"]}

Removed.

```{code-cell} python
x = 1
```

+++

Shown too.

+++ {"tags": ["hide-cell"], "part": "abstract"}

Last.
"""
    document = compiled(text)
    assert re.sub(r"<[^>]+>|\s", "", document.body).replace("x=1", "") == "AShown.Showntoo.Last."
    assert 'id="wind-cell"' in document.body
    assert findings(document) == [
        (19, 1, 'The tag "hide-cell" of this cell has no effect: its text is shown.'),
        (19, 1, 'This cell is the part "abstract" of the page, which has no place of its own: it is shown here.'),
    ]


def test_citations_of_mystmd_are_findings() -> None:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(["myst", "mystmd"]))})
    text = "See [@kite2020; @line] and @wind2021, `[@code]`, [@link](https://x.example), @team and a@b2020.example.\n"
    document = compile_document(text, source_path="a.md", load=lambda path: None, options=options)
    assert [(one.span.column, one.message) for one in document.diagnostics] == [
        (5, 'The citation "[@kite2020; @line]" is not looked up; it is shown as it is written.'),
        (28, 'The citation "@wind2021" is not looked up; it is shown as it is written.'),
    ]


def test_options_that_lose_nothing_are_no_findings() -> None:
    cell = "```{code-cell} python\n---\nmystnb:\n  figure:\n    caption: Of\n    name: fig\n---\nx\n```\n"
    document = compiled(f"{cell}\n```{{myst}}\n---\nnumbering: 1\n---\n```\n")
    assert document.diagnostics == []
    assert 'id="fig"' in document.body
    assert "Of" not in document.body
    assert "numbering" in document.body
    assert [one[2] for one in findings(compiled("```{include} gone.md\n:start-after: x\n```\n"))] == [
        'The file "gone.md" of this directive does not exist in the site\'s folder.'
    ]
    assert written(".. ipython:: python\n   :suppress:\n\n   x = 1\n") == ("", [])
    text = ".. ipython:: python\n   :okwarning:\n\n   x = 1\n\n.. include:: gone.txt\n   :start-after: x\n"
    assert written(text)[1] == ['6: The file "gone.txt" of this directive does not exist in the site\'s folder.']


def test_a_terminal_has_a_prompt_or_output_alone() -> None:
    both = compiled("```{terminal}\n:copy:\n:scroll:\n:user: kite\n:host: air\n:dir: ~\nfly --high\nUp.\n```\n")
    assert findings(both) == []
    assert "kite@air:~$" in re.sub(r"<[^>]*>", "", both.body)
    alone = compiled("```{terminal}\n:output-only:\n:user: kite\n:host: air\n:dir: ~\nUp.\nUp again.\n```\n")
    assert findings(alone) == []
    shown = re.sub(r"<[^>]*>", "", alone.body)
    assert "Up.\nUp again." in shown
    assert "$" not in shown


MANUAL = "https://manual.example/man{section}/{page}.{section}.html"


def test_pages_of_the_manual_are_linked_where_the_site_says_so() -> None:
    rst = RstSettings(extlinks={"manpage": [MANUAL, ""]})
    linked = ContentOptions(folders={"": Dialect(extensions=DIALECT.extensions, rst=rst)})
    text = "See {manpage}`ls(1)`, {manpage}`the list <ls.1>` and {manpage}`kite`.\n"
    found = compile_document(text, source_path="docs/a.md", load=lambda _: None, options=linked)
    assert findings(found) == []
    assert [one.href for one in found.links] == ["https://manual.example/man1/ls.1.html"] * 2
    assert findings(compiled(text)) == []
    assert compiled(text).body.count("<em>") == 3
    markdown, messages = written(":manpage:`ls(1)` and :manpage:`kite`\n", rst)
    assert messages == []
    assert "[*ls(1)*](https://manual.example/man1/ls.1.html) and *kite*" in markdown.replace("\\", "")


def test_roles_of_the_prolog_are_known_in_myst_too() -> None:
    rst = RstSettings(prolog=".. role:: wide\n   :class: big\n.. role:: sql(code)\n")
    own = ContentOptions(folders={"": Dialect(extensions=DIALECT.extensions, rst=rst)})
    text = "A {wide}`kite` and {spellexception}`kyte`.\n"
    found = compile_document(text, source_path="docs/a.md", load=lambda _: None, options=own)
    assert findings(found) == []
    assert "A kite and kyte." in found.body
    assert len(findings(compiled(text))) == 1


def test_references_by_number_show_no_marks_for_it() -> None:
    own = Dialect(extensions=DIALECT.extensions, references={"kite": "docs/a.md#kite"})
    text = "# Air\n\nSee {numref}`Figure %s <kite>`, {numref}`{name} at {number} <kite>` and {ref}`%swift <kite>`.\n\n(kite)=\n## Kite\n"
    options = ContentOptions(folders={"": own})
    found = compile_document(text, source_path="docs/a.md", load={"docs/a.md": text}.get, options=options)
    assert findings(found) == []
    assert "See Figure, Kite at and %swift." in re.sub(r"<[^>]*>", "", found.body)
