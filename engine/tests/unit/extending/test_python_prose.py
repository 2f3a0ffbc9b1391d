"""Texts of docstrings in Python as Markdown: references, roles, directives, sessions and titles."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.shipped.python_api.prose import Prose, summary_of
from octavo.shipped.python_api.restructured import report_other_markup
from tests.support.each import each

from .python_packages import PythonPackage, plain

SOURCE = '''
from kit.parts import lathe


class Part:
    """Turns.

    And more.
    """

    def __init__(self): ...

    def turn(self): ...


class Wheel(Part): ...


SIZE = 1


def f():
    """F."""
'''


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> PythonPackage:
    return PythonPackage(tmp_path_factory.mktemp("site"), {"__init__.py": SOURCE, "parts.py": "def lathe(): ...\n"})


def write(kit: PythonPackage, text: str, scope: str = "kit.Part") -> str:
    return plain(Prose(kit.library, kit.object(scope), kit.inputs).write(text))


REFERENCES = [
    ("[a][kit.SIZE]", "[a](ref:kit.SIZE)"),
    ("[`SIZE`][]", "[`SIZE`](ref:kit.SIZE)"),
    ("[`kit.SIZE`]", "[`kit.SIZE`](ref:kit.SIZE)"),
    ("see [`turn`][] and [f][]", "see [`turn`](ref:kit.Part.turn) and [f](ref:kit.f)"),
    ("[a][lathe]", "[a](ref:kit.parts.lathe)"),
    ("[a][Wheel.turn]", "[a](ref:kit.Part.turn)"),
    ("[a][kit.Part.__init__]", "[a](ref:kit.Part)"),
    ("[heading][]", "[heading](ref:heading)"),
    ("[x][os.path]", "[x](ref:?os.path)"),
    ("[x][kitchen.sink]", "[x](ref:?kitchen.sink)"),
    ("\\[a][kit.SIZE]", "\\[a][kit.SIZE]"),
    ("`[a][kit.SIZE]` [a][kit.SIZE]", "`[a][kit.SIZE]` [a](ref:kit.SIZE)"),
    ("```\n[a][kit.SIZE]\n```\n[a][kit.SIZE]", "```\n[a][kit.SIZE]\n```\n[a](ref:kit.SIZE)"),
    ("flow[u][v]", "flow[u]\\[v]"),
    ("types[key](size=1)", "types\\[key](size=1)"),
    ("a[key](b.html)", "a[key](b.html)"),
]


@each("text, shown", [one for one in REFERENCES if one[0] != "flow[u][v]"])
def test_references_lead_to_what_their_scope_names(kit: PythonPackage, text: str, shown: str) -> None:
    assert write(kit, text) == shown


def test_indexes_of_indexes_are_no_references(kit: PythonPackage) -> None:
    assert write(kit, "flow[u][v]") == "flow\\[u]\\[v]"
    assert write(kit, "flow[u][kit.SIZE]") == "flow[u](ref:kit.SIZE)"


ROLES = [
    (":class:`Part`", "[`Part`](ref:kit.Part)"),
    (":py:class:`~kit.Part`", "[`Part`](ref:kit.Part)"),
    (":class:`kit.Part`", "[`kit.Part`](ref:kit.Part)"),
    (":class:`!kit.Part`", "`kit.Part`"),
    (":meth:`the text <kit.Part.turn>`", "[the text](ref:kit.Part.turn)"),
    (":func:`.f`", "[`f`](ref:kit.f)"),
    (":func:`f()`", "[`f`](ref:kit.f)"),
    (":func:`g`", "[`g`](ref:?g)"),
    (":func:`os.path.join`", "[`os.path.join`](ref:?os.path.join)"),
    # Names of other languages are none of Python.
    (":c:func:`f`", "`f`"),
    (":cpp:class:`Part` and :js:func:`f`", "`Part` and `f`"),
    (":std:ref:`a place`", "a place"),
    (":pep:`8`", "[PEP 8](https://peps.python.org/pep-0008/)"),
    (":pep:`the style <8>`", "[the style](https://peps.python.org/pep-0008/)"),
    (":rfc:`2616#section-3`", "[RFC 2616#section-3](https://datatracker.ietf.org/doc/html/rfc2616)"),
    (":pep:`style`", "`style`"),
    (":math:`a+b`", "$a+b$"),
    (":term:`word` :std:term:`other`", "word other"),
    (":kbd:`Ctrl`", "`Ctrl`"),
    ("`The Web <https://x.example/>`_", "[The Web](https://x.example/)"),
    ("`me <mailto:me@x.example>`__", "[me](mailto:me@x.example)"),
    ("`The\nWeb\n<https://x.example/a\n    /b>`_", "[The Web](https://x.example/a/b)"),
    ("see [1]_ and `[2]_`", "see \\[1\\] and `[2]_`"),
    (".. [1] The book", "- \\[1\\] The book"),
    ("*args and **kwargs, `*args`", "\\*args and \\*\\*kwargs, `*args`"),
]


@each("text, shown", ROLES)
def test_roles_of_sphinx_are_links_or_code(kit: PythonPackage, text: str, shown: str) -> None:
    assert write(kit, text) == shown


@each("text", ["[x][kit.Prt]", ":class:`x <kit.Prt>`"])
def test_reference_to_nothing_is_a_finding_on_its_line(tmp_path: Path, text: str) -> None:
    kit = PythonPackage(tmp_path, f'class Part:\n    """Turns.\n\n    See {text}.\n    """\n')
    assert kit.draw("kit.Part").endswith("Turns.\n\nSee x.")
    assert kit.findings == [
        (
            'src/kit/__init__.py:4: warn: The docstring of "kit.Part" refers to "kit.Prt", which is not in the reference. '
            'Did you mean "kit.Part"?'
        )
    ]


def test_references_lead_to_the_page_that_has_the_object_where_modules_have_none(tmp_path: Path) -> None:
    kit = PythonPackage(tmp_path, SOURCE.replace("from kit.parts import lathe", ""), docs="")
    assert write(kit, "[a][SIZE] and [b][kit.SIZE]") == "[a](ref:?kit.SIZE) and [b](ref:?kit.SIZE)"


BLOCKS = [
    ("# Head #\ntext", "**Head**\ntext"),
    ("Title\n=====\ntext", "**Title**\n\ntext"),
    ("=====\nTitle\n=====\ntext", "**Title**\n\ntext"),
    ("above\nTitle\n-----", "above\nTitle\n-----"),
    ("A title\n---", "A title\n---"),
    ("Titl\n---", "**Titl**"),
    ("Title\n--", "Title\n--"),
    # As docutils has it, a line of four marks makes a title, however long that is.
    ("A rather long title\n~~~~\n\ntext", "**A rather long title**\n\n\ntext"),
    ("A rather long title\n====\ntext", "**A rather long title**\n\ntext"),
    ("Use it:\n~~~~\ncode\n~~~~\ntext", "Use it:\n~~~~\ncode\n~~~~\ntext"),
    ("```\nTitle\n=====\n```\nText\n====", "```\nTitle\n=====\n```\nText\n===="),
    ("Text::\n\n    code", "Text:\n\n    code"),
    ("Text ::\n\n    code", "Text\n\n    code"),
    ("a\n\n::\n\n    code", "a\n\n\n\n    code"),
    ("Text::\nno code", "Text::\nno code"),
    # Markdown takes code that is indented by less than four columns, as in lists, for text.
    (
        "1. See::\n\n     # a comment\n\n     code\n\n   after",
        "1. See:\n     ```\n     # a comment\n\n     code\n     ```\n   after",
    ),
    ("- a ::\n\n   '```'\n\n- b", "- a\n   ````\n   '```'\n   ````\n- b"),
    (":author: Me\n:Since: 1", "- **Author**: Me\n- **Since**: 1"),
    (">>> f()\n1", "```pycon\n>>> f()\n1\n```"),
    ("Try\n\n  >>> f()\n  1\n\nafter", "Try\n\n```pycon\n>>> f()\n1\n```\n\nafter"),
    (">>> '```'", "````pycon\n>>> '```'\n````"),
]


@each("text, shown", BLOCKS)
def test_titles_and_code_do_not_change_the_page_around_them(kit: PythonPackage, text: str, shown: str) -> None:
    assert write(kit, text) == shown


DIRECTIVES = [
    (".. note:: Careful.", ":::note[(note)]\nCareful.\n:::"),
    (".. note::\n\n   Careful.\n   More.\n\nAfter", ":::note[(note)]\nCareful.\nMore.\n:::\n\nAfter"),
    (".. warning:: a\n   b", ":::warning[(warning)]\na\nb\n:::"),
    (".. hint:: a", ":::tip[Hint]\na\n:::"),
    (".. error:: a", ":::danger[Error]\na\n:::"),
    (".. seealso:: Part, :func:`f`", ":::info[(see-also)]\n- [`Part`](ref:?kit.Part), [`f`](ref:?kit.f)\n:::"),
    (
        ".. seealso::\n\n   Part : what it is,\n     and more\n   nothing",
        ":::info[(see-also)]\n- [`Part`](ref:?kit.Part): what it is, and more\n- `nothing`\n:::",
    ),
    (".. seealso:: Some words", ":::info[(see-also)]\nSome words\n:::"),
    (".. versionadded:: 1.2", ":::info[(added version=1.2)]\n\n:::"),
    (".. versionchanged:: 1.2 Now\n   it is.", ":::info[(changed version=1.2)]\nNow\nit is.\n:::"),
    (".. versionadded:: 1.2\n   Experimental.", ":::info[(added version=1.2)]\nExperimental.\n:::"),
    (".. deprecated:: 3\n   Gone.", ":::warning[(deprecated version=3)]\nGone.\n:::"),
    (".. admonition:: Own\n   :class: x\n\n   Text", ":::note[Own]\nText\n:::"),
    (".. note::\n\n   .. tip:: Inner", "::::note[(note)]\n:::tip[(tip)]\nInner\n:::\n::::"),
    (".. code-block:: js\n   :linenos:\n\n   a()\n", "```js\na()\n```"),
    (".. code::\n\n   a()", "```python\na()\n```"),
    (".. testoutput:: group\n\n   a", "```text\na\n```"),
    # A session belongs to the directive that it is in.
    (".. doctest::\n\n   >>> f()\n   1\n", "```pycon\n>>> f()\n1\n```"),
    (".. code-block:: pycon\n\n   >>> f()\n\nAfter", "```pycon\n>>> f()\n```\nAfter"),
    (".. note::\n\n   Try\n\n   >>> f()\n", ":::note[(note)]\nTry\n\n```pycon\n>>> f()\n```\n:::"),
    (".. strange::\n\n   >>> f()\n", ".. strange::\n\n```pycon\n>>> f()\n```"),
    (".. math:: a\n   :label: x\n\n   b", "$$\na\nb\n$$"),
    (".. rubric:: Notes", "**Notes**"),
    (".. index:: word\n\nText", "Text"),
    (".. autoclass:: Part\n   :members:\n\nText", "Text"),
    (".. autoclass:: Gone", ".. autoclass:: Gone"),
    (".. py:data:: X\n   :type: int\n\n   Text", "**`X`**\n\nText"),
    (".. strange:: x", ".. strange:: x"),
]


DIRECTIVES += [
    (".. versionremoved:: 2.0\n   Use f.", ":::warning[(removed version=2.0)]\nUse f.\n:::"),
    (".. function:: g(a)\n\n   Cuts.\n", "**`g(a)`**\n\nCuts."),
    ("A.\n\n.. automodsumm:: kit\n   :classes-only:\n\nB.", "A.\n\nB."),
]


@each("text, shown", DIRECTIVES)
def test_directives_of_sphinx_are_blocks_of_the_page(kit: PythonPackage, text: str, shown: str) -> None:
    assert write(kit, text) == shown


@each(
    "text, shown",
    [
        ("plain words", "plain words"),
        ("    a *b*", "```{eval-rst}\na *b*\n```"),
        (".. autoclass:: Part\n\nText", "```{eval-rst}\nText\n```"),
        (".. autoclass:: Gone", "```{eval-rst}\n.. autoclass:: Gone\n```"),
        ("| ````", "`````{eval-rst}\n| ````\n`````"),
    ],
)
def test_restructuredtext_is_left_to_the_compiler_of_the_page(tmp_path: Path, text: str, shown: str) -> None:
    assert write(PythonPackage(tmp_path, SOURCE, markup="rst"), text) == shown


@each(
    "text, shown",
    [
        ("Title\n=====\n\nA *b*", ".. rubric:: Title\n\n\nA *b*"),
        ("=====\nTitle\n=====\nA *b*", "\n.. rubric:: Title\n\nA *b*"),
        ("Title\n-----\n    A *b*", "**Title**\n\n    A *b*"),
        ("A `b`\n-----\n    A *b*", "A `b`\n\n    A *b*"),
        ("See::\n\n  Title\n  =====\n\n  b", "See::\n\n  Title\n  =====\n\n  b"),
        ("f(*args, **kwargs) of ``*args``", r"f(\*args, \*\*kwargs) of ``*args``"),
        ("Try\n>>> f(*args)\n1\n\nSee::\n\n   f(*args)", "Try\n>>> f(*args)\n1\n\nSee::\n\n   f(*args)"),
        ("See :doc:`guide` and ``:doc:`a` ``", "See :docstring-doc:`guide` and ``:doc:`a` ``"),
        (".. attribute:: size\n\n   How *many*.", ".. attribute:: size\n   :module: kit.Part\n\n   How *many*."),
        (".. attribute:: kit.SIZE\n\n   How *many*.", ".. attribute:: kit.SIZE\n\n   How *many*."),
        (".. method:: turn()\n   :async:", ".. method:: turn()\n   :no-index:\n   :async:"),
        ("A *b*.\n\n.. automodsumm:: kit\n   :classes-only:\n", "A *b*."),
    ],
)
def test_restructuredtext_is_a_part_of_a_page(tmp_path: Path, text: str, shown: str) -> None:
    package = PythonPackage(tmp_path, SOURCE, markup="rst")
    assert write(package, text) == f"```{{eval-rst}}\n{shown}\n```"


NUMPY = """Cut, see [1]_, Kite_ and |size|, not ``[1]_``.

    Parameters
    ----------
    size
        How long.

    Notes
    -----
    As [#tail]_ and [1]_ have it, ``Kite_``.

    References
    ----------
    .. [1] A book
       of winds.
    .. [#tail] Tails.
    .. _Kite: https://kite.example/
    .. |size| image:: size.png
       :alt: 3 m
    """


def test_sections_of_restructuredtext_share_footnotes_addresses_and_substitutions(tmp_path: Path) -> None:
    package = PythonPackage(tmp_path, f'def cut(size):\n    """{NUMPY}"""\n', markup="rst")
    drawn = package.draw("kit.cut", show_root_heading=False)
    address, size = ".. _Kite: https://kite.example/", ".. |size| image:: size.png\n   :alt: 3 m"
    blocks = [part.partition("\n```")[0] for part in drawn.split("```{eval-rst}\n")[1:]]
    assert blocks[0] == f"Cut, see [1], Kite_ and |size|, not ``[1]_``.\n\n{address}\n{size}"
    assert "As [tail] and [1] have it, ``Kite_``." in "\n".join(blocks)
    assert f"-  [1] A book\n   of winds.\n-  [tail] Tails.\n{address}\n{size}" in "\n".join(blocks)
    assert "\n".join(blocks).count(address) == 2


def test_packages_that_look_like_restructuredtext_are_a_finding(tmp_path: Path) -> None:
    def found(source: str, **settings: str) -> list[str]:
        package = PythonPackage(tmp_path, source, **settings)
        report_other_markup(package.library, package.inputs)
        return package.findings

    rst = "".join(f'def f{number}():\n    """See :func:`f1`."""\n' for number in range(5))
    markdown = 'def g{}():\n    """See [f1][kit.f1]."""\n'
    assert found(rst) == [
        (
            'src/kit/__init__.py:1: warn: Most docstrings of "kit" look like reStructuredText, and are read as Markdown. '
            'Set `markup = "rst"` in `[extension_options.python_api]`, with `octavo[rst]` installed and "myst" in the '
            'extensions of `[markdown]`; or `markup = "markdown"` to keep it as it is.'
        )
    ]
    assert found(rst, markup="markdown") == []
    assert found(rst, markup="rst") == []
    assert found(rst.replace("f4():\n", "f4(): ...\n#")) == []
    assert found(rst + markdown.format(1) + markdown.format(2)) == []


def test_autodoc_in_restructuredtext_names_the_whole_path_where_modules_have_no_pages(tmp_path: Path) -> None:
    package = PythonPackage(tmp_path, SOURCE.replace("from kit.parts import lathe", ""), markup="rst", docs="")
    assert write(package, ".. autoclass:: Part") == "```{eval-rst}\n.. autoclass:: kit.Part\n```"


@each(
    "text, line",
    [
        ("First\nline.\n\nSecond.", "First line."),
        ("Title\n=====\n\nText.", "Text."),
        ("Title\n=====", "**Title**"),
        ("- a list\n\nText.", "Text."),
        (".. note:: x\n\n>>> f()\n\n# Head\n\n    code\n\n1. one\n\nText.", "Text."),
        ("", ""),
    ],
)
def test_summary_is_the_first_paragraph(text: str, line: str) -> None:
    assert summary_of(text) == line


def test_summary_has_no_links_that_lead_from_its_own_page_only(kit: PythonPackage) -> None:
    text = "See [a](b.html), [c](https://x.example), [d](/e), [f][] and\n![g](h.png)."
    line = Prose(kit.library, kit.object("kit"), kit.inputs).line(text)
    assert line == "See a, [c](https://x.example), [d](/e), [f](ref:kit.f) and ![g](h.png)."
