"""Docstrings are rewritten so that griffe leaves nothing of them out."""

from __future__ import annotations

from pathlib import Path

import griffe
import pytest

from octavo.shipped.python_api.prose import summary_of
from octavo.shipped.python_api.repair import repaired

from .python_packages import PythonPackage


def repair(text: str, *, is_rst: bool = False) -> str:
    return repaired(griffe.Docstring(text), is_rst=is_rst).value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Cut.\n\n:raises: :class:`~a.E` if late.", "Cut.\n\n:raises a.E: if late."),
        ("Cut.\n\n:raises: If late.", "Cut.\n\n**Raises:** If late."),
        (":param: How many.\n:yield: Parts.", "**Parameter:** How many.\n**Yields:** Parts."),
        ("Use\n:paramref:`.Op.key` here.", "Use\n`.Op.key` here."),
        (":param key: As it is.", ":param key: As it is."),
        (":param type\\_: Its kind.\n:type type\\_: str", ":param type_: Its kind.\n:type type_: str"),
        (":param int \\*\\*size\\_: Others.", ":param int **size_: Others."),
        ("A text with :a\\_b: in it.", "A text with :a\\_b: in it."),
    ],
)
def test_fields_without_a_name_and_roles_that_look_like_fields_are_text(text: str, expected: str) -> None:
    assert repair(text) == expected


def test_roles_that_look_like_fields_stay_roles_in_restructuredtext() -> None:
    assert repair("Use\n:paramref:`.Op.key` here.", is_rst=True) == "Use\n\\ :paramref:`.Op.key` here."


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("size", "size:"),
        ("spans (List[Span], optional). Which ones.", "spans (List[Span], optional): Which ones."),
        ("size - How many.", "size: How many."),
        ("size How many.", "size How many.:"),
        ("size: How many.", "size: How many."),
        ("\\*\\*kw: Others.", "**kw: Others."),
        ("\\**kw (dict): Others.", "**kw (dict): Others."),
        ("type\\_: Its kind.", "type_: Its kind."),
        ("size (list of :class:`~a.Part` or None): Which.", "size (list of a.Part or None): Which."),
        ("size (some `text`): Which.", "size (some `text`): Which."),
        ("size=3: How many.", "size: Default ``3``. How many."),
        ("size = None: How many.", "size: Default ``None``. How many."),
        ("a == b: How many.", "a == b: How many."),
    ],
)
def test_items_of_google_without_a_colon_get_one(item: str, expected: str) -> None:
    text = f"Cut.\n\nArgs:\n    {item}\n        More of it\n\nReturns:\n    A text"
    assert repair(text) == text.replace(item, expected)


def test_defaults_in_items_of_google_are_left_out_where_the_signature_has_them(tmp_path: Path) -> None:
    text = "Cut.\n\n    Args:\n        size=3: How many.\n        depth=4: How deep.\n    "
    kit = PythonPackage(tmp_path, f'def cut(size=3, depth=5):\n    """{text}"""\n')
    docstring = kit.object("kit.cut").docstring
    assert docstring is not None
    assert repaired(docstring, is_rst=False).value.split("\n")[3:] == [
        "    size: How many.",
        "    depth: Default ``4``. How deep.",
    ]


def test_sections_of_google_with_a_line_below_their_title_are_sections() -> None:
    text = "Cut.\n\nArguments:\n---------\n    size (int): How many.\n\nNotes\n-----\nSome."
    assert repair(text) == text.replace("Arguments:\n---------", "\nArguments:")


def test_sections_of_other_styles_stay() -> None:
    text = "Cut.\n\n:param size: How many.\n\nMethods:\n    cut\n    turn"
    assert repair(text) == text


def test_prose_between_parameters_of_numpy_belongs_to_the_one_before() -> None:
    text = "Cut.\n\nParameters\n----------\na, b : int\n    Sides.\nBoth are positive (or zero).\n*args\n\nNotes\n-----\nSome notes."
    assert repair(text) == text.replace("Both are", "    Both are")


def test_section_of_numpy_that_begins_with_prose_is_text() -> None:
    text = "Cut.\n\nOther Parameters\n----------------\nAll that `cut` takes.\n\nNotes\n-----\nSome notes."
    assert repair(text) == text.replace("Other Parameters\n----------------", "**Other Parameters**\n")


def test_addresses_of_a_docstring_are_those_of_its_own_links() -> None:
    text = 'See [the guide][0], [API], `[code][0]` and [other][1].\n\n[0]: /guide "Guide"\n[api]: <https://x.example/a>\nEnd.'
    assert repair(text) == (
        'See [the guide](</guide> "Guide"), [API](<https://x.example/a>), `[code][0]` and [other][1].\n\n\n\nEnd.'
    )


def test_definitions_in_examples_stay() -> None:
    text = "See:\n\n```md\n[a]: /b\n```\n\nand [c]."
    assert repair(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Title\n~~~~~\n\nText of\ntwo lines.\n\nMore.", "Text of two lines."),
        ("!!! note\n    Careful.\n\nWhat it is.", "What it is."),
        (".. module:: x\n\nWhat it is.", "What it is."),
        ("```py\ncode\n```", ""),
        ("Title\n=====\n\n- Item.", "**Title**"),
        ("One\nline.", "One line."),
    ],
)
def test_summary_is_the_first_paragraph_of_text(text: str, expected: str) -> None:
    assert summary_of(text) == expected
