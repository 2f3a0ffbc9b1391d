"""What authors write in directives and roles of Sphinx is shown, in reStructuredText and in MyST, or is a finding."""

from __future__ import annotations

from octavo.content import ContentOptions, Dialect, RstSettings
from octavo.content.compile import compile_document
from tests.support.each import each

from .rst_pages import FILES, written

MYST = Dialect(extensions=frozenset(["myst", "math", "attr_list"]), references={"wind": "docs/wind.md#wind"})
CODE = "docs/code.py"


def drawn(text: str) -> tuple[str, list[str]]:
    """Give the HTML of a page in MyST, and its findings."""
    options = ContentOptions(folders={"": MYST})
    document = compile_document(
        text, source_path="docs/a.md", load={**FILES, "docs/wind.md": "# Wind\n"}.get, options=options
    )
    return document.body, [f"{one.span.line}: {one.message}" for one in document.diagnostics]


@each(
    ("text", "markdown"),
    [
        (".. card:: Wind\n   :img-top: /a b.png\n   :img-alt: Kites\n\n   Head\n   ^^^\n   Body\n   +++\n   Foot\n",
         '<Card title="Wind">\n\n![Kites](<a b.png>)\n\nHead\n\nBody\n\nFoot\n\n</Card>'),
        (".. sidebar:: Wind\n   :subtitle: Strong\n\n   Blows.\n", ":::note[Wind]\n**Strong**\n\nBlows.\n\n:::"),
        (".. digraph:: kites\n   :caption: Ways\n\n   a -> b\n", '```dot title="Ways"\ndigraph kites {\na -> b\n}\n```'),
        (".. details:: A ``b``\n\n   Text.\n", "<details>\n<summary>A `b`</summary>\n\nText.\n\n</details>"),
        (".. nbinfo::\n\n   Blows.\n", ":::info\n\nBlows.\n\n:::"),
        (".. nbgallery::\n   :caption: All\n\n   wind\n", "**All**\n\n- [Wind](./wind)"),
        (".. acks::\n\n   * Ann\n", "- Ann"),
        (".. tags:: wind, big kite\n", "**Tags:** wind, big kite"),
        (".. button-link:: https://x.example\n   :tooltip: Far\n\n   Go\n", '[Go](<https://x.example> "Far")'),
        (".. button-link:: https://x.example\n   :color: primary\n\n   :fab:`windows` Big :bdg-info:`x64` *kite*\n",
         "[Big x64 *kite*](<https://x.example>)"),
        (":bdg-link-info:`A <https://x.example>` :bdg-ref-info:`B <wind>`", "[A](https://x.example) [B](./wind#wind)"),
        (".. parsed-literal::\n\n   a *b* <c> `d <https://x.example>`_\n\n   :ref:`e <wind>`\n",
         '<pre>a <em>b</em> &lt;c&gt; <a href="https://x.example">d</a>\n\n<a href="./wind#wind">e</a></pre>'),
        (".. mermaid::\n   :caption: *Ways*\n   :alt: How\n\n   graph TD\n     a-->b\n",
         "<figure>\n\n```mermaid\ngraph TD\n  accTitle: How\n  a-->b\n```\n\n<figcaption>\n\n*Ways*\n\n</figcaption>\n\n</figure>"),
        (".. literalinclude:: code.py\n   :lines: 4-\n   :prepend: # before\n   :append: # after\n",
         "```py\n# before\ndef fly():\n    return 1\n# after\n```"),
        (".. literalinclude:: part.txt\n   :diff: more.md\n",
         "```diff\n--- more.md\n+++ part.txt\n@@ -1 +1 @@\n-More **of** it.\n+Part of *it*.\n```"),
        ("::\n\n   one\n\n.. highlight:: c\n\n::\n\n   two\n", "```\none\n```\n\n```c\ntwo\n```"),
    ],
)  # fmt: skip
def test_texts_of_directives_are_shown(text: str, markdown: str) -> None:
    assert written(text) == (markdown, [])


@each(
    ("text", "finding"),
    [
        (".. literalinclude:: code.py\n   :start-after: nothing\n",
         '1: No line of "code.py" holds "nothing", which "start-after" names; it has no effect.'),
        (".. literalinclude:: code.py\n   :end-before: nothing\n",
         '1: No line of "code.py" holds "nothing", which "end-before" names; it has no effect.'),
        (".. literalinclude:: code.py\n   :lines: 2-90\n", '1: "lines" names 2-90, but "code.py" has 5 lines to choose from.'),
        (".. literalinclude:: code.py\n   :pyobject: land\n", '1: "code.py" defines no "land"; the whole file is shown.'),
        (".. bibliography::\n", '1: What "bibliography" writes is made by an extension of Sphinx, which is not run; it is left out.'),
    ],
)  # fmt: skip
def test_what_has_no_effect_is_a_finding(text: str, finding: str) -> None:
    assert written(text)[1] == [finding]


def test_findings_below_a_file_that_is_taken_in_have_their_own_lines() -> None:
    page = ".. include:: long.txt\n\n.. csv-table::\n   :file: no.csv\n\n:unknown:`a`\n"
    _, findings = written(page, files={"docs/long.txt": "One.\n\nTwo.\n\nThree.\n"})
    assert [one.partition(":")[0] for one in findings] == ["3", "6"]


@each(
    ("text", "shown"),
    [
        (":::{card} Wind\nHead\n^^^\nBody\n+++\nFoot\n:::\n", "<p>Head</p><p>Body</p><p>Foot</p>"),
        (":::{card} Wind\n:header: Head\n:footer: Foot\n\nBody\n:::\n", "<p>Head</p><p>Body</p><p>Foot</p>"),
        ("```{centered} Middle\n```\n", "<strong>Middle</strong>"),
        ("```{blockquote}\nOne.\n\n-- Ann\n```\n", "<blockquote>"),
        ("{u}`a` {del}`b` {si}`10 <\\meter>` {button}`c <https://x.example>`", "<u>a</u> <del>b</del> 10 meter <a href="),
        ("[see {doc}`wind` and *more*](https://x.example)", ">see Wind and <em>more</em>"),
        ("```{iframe} https://x.example\n:title: Film\nA *film*.\n```\n", "<em>film</em>"),
        ("```{video} https://x.example/a.mp4\n:alt: Film\n```\n", 'aria-label="Film"'),
        ("\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}\n", "<mtable"),
    ],
)  # fmt: skip
def test_texts_of_myst_are_shown(text: str, shown: str) -> None:
    body, findings = drawn(text)
    assert shown in body
    assert "^^^" not in body
    assert "+++" not in body
    assert findings == []


def test_directives_of_a_site_are_drawn_as_those_that_they_are_like() -> None:
    settings = RstSettings(directives={"usage": "code-block", "aside": "admonition", "shot": "figure"})
    page = ".. usage::\n\n   run [a]\n\n.. aside:: Wind\n\n   Blows.\n"
    assert written(page, settings) == ("```\nrun [a]\n```\n\n:::note[Wind]\n\nBlows.\n\n:::", [])
    assert written(page)[1] != []


def test_types_say_what_they_stand_for() -> None:
    markdown, findings = written(".. py:type:: Size\n   :canonical: tuple[int, int]\n")
    assert "Stands for: <code>tuple[int, int]</code>" in markdown
    assert findings == []


@each(
    ("text", "place"),
    [
        ("```{list-table} Sizes\n:name: All sizes\n\n* - a\n```\n", "all-sizes"),
        ("```{code-block} python\n:name: first\n\nx\n```\n", "first"),
        ("```{math}\n:label: eq1\na\n```\n", "eq1"),
        ("{#own .wide}\nText.\n", "own"),
        ("> Before.\n\n{#own}\n> Text.\n", "own"),
    ],
)
def test_named_blocks_of_myst_are_places_that_links_lead_to(text: str, place: str) -> None:
    body, findings = drawn(text)
    assert body.count(f'<a id="{place}"></a>') == 1
    assert findings == []


def test_attributes_of_blocks_without_effect_are_findings() -> None:
    body, findings = drawn('Before.\n\n{attribution="Ann" lang=de}\n> Text.\n\nAfter.\n')
    assert "<blockquote><p>Text.</p><p>— Ann</p></blockquote><p>After.</p>" in body
    assert findings == ['3: The attribute "lang" of this block has no effect.']
    assert "<p>— Ann</p></blockquote>" in drawn('{attribution="Ann"}\n> Text.')[0]


def test_words_in_braces_are_no_attributes() -> None:
    assert "{abc}" in drawn("Before.\n\n{abc}\nText.\n")[0]
