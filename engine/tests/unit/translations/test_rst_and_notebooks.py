"""What of files in reStructuredText and of notebooks is translated, and where the state of an original is written."""

from __future__ import annotations

import json
from typing import Any

from octavo.translations.notebooks import head_of_notebook, is_notebook, markdown_cells, with_cells, with_head
from octavo.translations.rst import is_title, place_title, revision_in_fields, rst_pieces, with_field
from tests.support.each import each

PAGE = """\
:author: Ann
:date: 2024

=====
Title
=====

A paragraph
in two lines.

Part
----
Text right below::

    code

  still code

After it.

>>> 1 + 1
2

.. _target:

.. a comment
   in two lines

.. note:: Begun by
   a text.

   More of it.

.. figure:: a.png
   :alt: A kiln

   The caption.

.. versionadded:: 2

.. code-block:: python
   :linenos:

   x = 1

.. [1] A footnote
   in two lines.

.. admonition:: Own title
   :class: tip

   Inside.

..

Last::

end"""


def pieces(text: str) -> list[tuple[int, int, str]]:
    return [(piece.first, len(piece.lines), piece.text) for piece in rst_pieces(text)]


def test_texts_are_distinguished_from_what_is_taken_over() -> None:
    assert pieces(PAGE) == [
        (3, 3, "Title"),
        (7, 2, "A paragraph\nin two lines."),
        (10, 2, "Part"),
        (12, 1, "Text right below::"),
        (14, 3, ""),
        (18, 1, "After it."),
        (20, 2, ""),
        (23, 1, ""),
        (25, 2, ""),
        (28, 2, ".. note:: Begun by\n   a text."),
        (31, 1, "More of it."),
        (33, 2, ""),
        (36, 1, "The caption."),
        (38, 1, ".. versionadded:: 2"),
        (40, 4, ""),
        (45, 2, ".. [1] A footnote\n   in two lines."),
        (48, 1, ".. admonition:: Own title"),
        (49, 1, ""),
        (51, 1, "Inside."),
        (53, 1, ""),
        (55, 1, "Last::"),
        (57, 1, "end"),
    ]
    lines = PAGE.split("\n")
    assert all(piece.lines == lines[piece.first : piece.first + len(piece.lines)] for piece in rst_pieces(PAGE))


@each(
    "text, expected",
    [
        ("", []),
        ("One\ntwo", [(0, 2, "One\ntwo")]),
        ("One\n===", [(0, 2, "One")]),
        ("A\n=", [(0, 2, "A")]),
        ("Long one\n====", [(0, 2, "Long one")]),
        ("Long one\n===", [(0, 2, "Long one\n===")]),
        (" One\n====", [(0, 2, " One\n====")]),
        ("====\n\n====", [(0, 1, "===="), (2, 1, "====")]),
        ("====\nOne\n----", [(0, 1, "===="), (1, 2, "One")]),
        ("Text\nPart\n----", [(0, 1, "Text"), (1, 2, "Part")]),
        ("One\n::\n\n  code", [(0, 2, "One\n::"), (3, 1, "")]),
        ("  In::\n\n    code\n\n  out", [(0, 1, "In::"), (2, 1, ""), (4, 1, "out")]),
        ("a\n:b: c", [(0, 2, "a\n:b: c")]),
        (".. |x| image:: a.png\n   :alt: b", [(0, 2, "")]),
        (".. py:function:: f(x)\n\n   Does it.", [(0, 1, ""), (2, 1, "Does it.")]),
        (":a: b\n", []),
        (":a: b\nText", [(0, 2, ":a: b\nText")]),
    ],
)
def test_pieces_of_a_source(text: str, expected: list[tuple[int, int, str]]) -> None:
    assert pieces(text) == expected


@each(
    "own, target, written",
    [
        (["One", "==="], "Longer title", ["Longer title", "============"]),
        (["One", "======="], "Kurz", ["Kurz", "======="]),
        (["---", "One", "---"], "  Zwei\n drei ", ["---------", "Zwei drei", "---------"]),
        (["One", "==="], "開始", ["開始", "===="]),
    ],
)
def test_title_is_written_with_its_lines(own: list[str], target: str, written: list[str]) -> None:
    assert place_title(own, target) == written


@each(
    "own, expected",
    [(["A", "="], True), (["=", "A", "="], True), (["A"], False), (["A", "b"], False), (["A", "=", "b", "c"], False)],
)
def test_pieces_that_are_titles(own: list[str], expected: bool) -> None:
    assert is_title(own) is expected


@each(
    "text, value, written",
    [
        ("Title\n=====\n", "", ":state: 2\n\nTitle\n=====\n"),
        (":a: b\n\nText", "", ":a: b\n:state: 2\n\nText"),
        (":state: 1\n:a: b\n\nText", "1", ":state: 2\n:a: b\n\nText"),
        ("\n:a: b\n:state: '1'\n\nText", "1", "\n:a: b\n:state: 2\n\nText"),
        (":a: b\n   more\n", "", ":a: b\n   more\n:state: 2\n"),
        (":states: 1\n", "", ":states: 1\n:state: 2\n"),
    ],
)
def test_state_of_the_original_is_a_field_at_the_head(text: str, value: str, written: str) -> None:
    assert revision_in_fields(text, "state") == value
    assert with_field(text, "state", "2") == written
    assert revision_in_fields(written, "state") == "2"


def notebook(*cells: dict[str, Any], minor: int = 5) -> str:
    return (
        json.dumps({"cells": list(cells), "nbformat": 4, "nbformat_minor": minor}, indent=1, ensure_ascii=False) + "\n"
    )


def cell(kind: str, source: Any) -> dict[str, Any]:
    return {"cell_type": kind, "metadata": {}, "source": source}


CELLS = notebook(
    cell("raw", "---\ntitle: T\n---"),
    cell("markdown", ["# Größe\n", "text"]),
    cell("code", "x = 1"),
    cell("raw", "---\nnot the head\n---"),
    cell("markdown", "One"),
)


def test_texts_of_a_notebook_are_its_markdown_and_its_head() -> None:
    assert [(one.number, one.text, CELLS.split("\n")[one.line - 1].strip()) for one in markdown_cells(CELLS)] == [
        (0, "---\ntitle: T\n---", '"source": "---\\ntitle: T\\n---"'),
        (1, "# Größe\ntext", '"# Größe\\n",'),
        (4, "One", '"source": "One"'),
    ]
    ascii_only = json.dumps(json.loads(CELLS), indent=1)
    assert [one.line for one in markdown_cells(ascii_only)] == [one.line for one in markdown_cells(CELLS)]


def test_cell_that_holds_the_state_alone_is_no_text() -> None:
    text = notebook(cell("raw", "---\ntranslated_from: abc\n---\n"), cell("markdown", "A"))
    assert [one.number for one in markdown_cells(text)] == [1]


@each("text", ["", "no JSON", "[]", "{}", '{"cells": 1}', '{"cells": {}}'])
def test_what_is_no_notebook_stays(text: str) -> None:
    assert not is_notebook(text)
    assert markdown_cells(text) == []
    assert head_of_notebook(text) == ""
    assert with_cells(text, [(0, "A")]) == text
    assert with_head(text, "A", is_new=True) == text


def test_cells_get_other_texts() -> None:
    assert is_notebook(CELLS)
    written = with_cells(CELLS, [(1, "# Size\nein\nText"), (4, "")])
    cells = json.loads(written)["cells"]
    assert [one["source"] for one in cells[1:]] == [
        ["# Size\n", "ein\n", "Text"],
        "x = 1",
        "---\nnot the head\n---",
        [],
    ]
    assert with_cells(CELLS, []) == CELLS


@each(
    "first, head",
    [
        (cell("markdown", ["a\n", "b"]), "a\nb"),
        (cell("raw", "---\n"), "---\n"),
        (cell("code", "x"), ""),
        ({"cell_type": "markdown"}, ""),
    ],
)
def test_head_of_a_notebook_is_its_first_cell(first: dict[str, Any], head: str) -> None:
    assert head_of_notebook(notebook(first)) == head


def test_notebook_without_cells_has_no_head() -> None:
    assert head_of_notebook(notebook()) == ""


def test_head_is_written_into_the_first_cell_or_in_front_of_it() -> None:
    old = notebook(cell("code", "x"))
    changed = json.loads(with_head(old, "---\na: 1\n---\n", is_new=False))["cells"]
    assert changed == [cell("code", ["---\n", "a: 1\n", "---\n"])]
    added = json.loads(with_head(old, "---\na: 1\n---", is_new=True))["cells"]
    head = {"cell_type": "raw", "id": "front-matter", "metadata": {}, "source": ["---\n", "a: 1\n", "---"]}
    assert added == [head, cell("code", "x")]
    older = json.loads(with_head(notebook(minor=4), "A", is_new=True))["cells"]
    assert older == [cell("raw", ["A"])]
