"""Docstrings in the styles of Google, NumPy and Sphinx as Markdown, and what is wrong with them."""

from __future__ import annotations

import html
import textwrap
from pathlib import Path

import pytest

from octavo.shipped.python_api.choices import Choices
from octavo.shipped.python_api.docstrings import take_origins
from tests.support.each import each

from .python_packages import PythonPackage


def of(root: Path, docstring: str, head: str = "def f(a, b: int = 2): ...", name: str = "f", **settings: object) -> str:
    """Draw the docstring of an object, without its heading and its signature, and what was found below it.

    In front of its sections is a line of text; fields of Sphinx may be the first line of a docstring.
    """
    first = "" if docstring.startswith(":") else "F.\n\n"
    quoted = textwrap.indent(f'r"""{first}{docstring}\n"""', "    ")
    package = PythonPackage(root, f"{head.removesuffix(' ...')}\n{quoted}\n", **settings)
    drawn = package.draw(f"kit.{name}").partition("```\n\n")[2].removeprefix(first)
    return "\n".join([drawn, *package.findings])


def code(text: str) -> str:
    return f"<code>{text}</code>"


def type_(name: str, place: str = "") -> str:
    return f'<a href="ref:?{place or name}">{name}</a>'


PARAMETERS = f"""**(parameters)**

- **{code("a")}**: First.
  Again.
- **{code("b")}** ({code(type_("int"))}, (default-value value={code("2")})): Second."""


@each(
    "docstring",
    [
        "Args:\n    a: First.\n        Again.\n    b: Second.",
        "Parameters\n----------\na\n    First.\n    Again.\nb : int\n    Second.",
        ":param a: First.\n    Again.\n:param int b: Second.",
    ],
)
def test_parameters_are_a_list_in_each_style(tmp_path: Path, docstring: str) -> None:
    assert of(tmp_path, docstring) == PARAMETERS


SECTIONS = [
    ("Returns:\n    How many.", f"**(returns)**\n\n- {code(type_('int'))}: How many."),
    ("Yields:\n    word (str): Words.", f"**(yields)**\n\n- **{code('word')}** ({code(type_('str'))}): Words."),
    ("Receives:\n    x: One.", f"**(receives)**\n\n- **{code('x')}**: One."),
    ("Warns:\n    UserWarning: Too late.", f"**(warns)**\n\n- {code('UserWarning')}: Too late."),
    ("Raises:\n    ValueError: It is too heavy.", f"**(raises)**\n\n- {code(type_('ValueError'))}: It is too heavy."),
    ("Other Parameters:\n    c (str): Third.", f"**(other-parameters)**\n\n- **{code('c')}** ({code(type_('str'))}): Third."),
    ("Attributes:\n    c: Third.", f"**(attributes)**\n\n- **{code('c')}**: Third."),
    ("Examples:\n    Try:\n\n    >>> f()\n    '```'", "**(examples)**\n\nTry:\n\n````pycon\n>>> f()\n'```'\n````"),
    ("Examples: Of one\n    >>> f()", "**Of one**\n\n```pycon\n>>> f()\n```"),
    ("Note:\n    Careful.", ":::note[(note)]\nCareful.\n:::"),
    ("Important: A title\n    Careful.", ":::info[A title]\nCareful.\n:::"),
    ("See Also:\n    f: This.", ":::info[(see-also)]\n- [`f`](ref:?kit.f): This.\n:::"),
    ("Deprecated\n----------\n1.2\n    Gone.", ":::warning[(deprecated version=1.2)]\nGone.\n:::"),
]  # fmt: skip


@each("docstring, shown", SECTIONS)
def test_section_is_drawn(tmp_path: Path, docstring: str, shown: str) -> None:
    style = Choices(docstring_style="numpy" if "---" in docstring else "google")
    head = "def f(a, b: int = 2) -> int: ..." if "Returns" in docstring else "def f(a, b: int = 2, **more): ..."
    assert of(tmp_path, docstring, head, options=style) == shown


def test_text_before_and_behind_sections_stays(tmp_path: Path) -> None:
    drawn = of(tmp_path, "Cut.\n\nIn parts.\n\nReturns:\n    Parts.\n\nAnd more.")
    assert drawn == "Cut.\n\nIn parts.\n\n**(returns)**\n\n- Parts.\n\nAnd more."


def test_results_that_are_given_twice_stay(tmp_path: Path) -> None:
    drawn = of(tmp_path, ":returns: Softly.\n:return: Or twice.")
    assert drawn == "**(returns)**\n\n- Softly.\n\n\n  Or twice."


def test_field_in_the_last_line_is_one_too(tmp_path: Path) -> None:
    assert of(tmp_path, "Cut.\n\n:param a: First.") == f"Cut.\n\n**(parameters)**\n\n- **{code('a')}**: First."


def test_field_of_a_variable_has_its_type(tmp_path: Path) -> None:
    drawn = of(tmp_path, "Cut.\n\n:ivar int size: How many.\n:ivar name: Whose.", "class A: ...", "A")
    assert drawn == (
        f"Cut.\n\n**(attributes)**\n\n- **{code('size')}** ({code('int')}): How many.\n- **{code('name')}**: Whose."
    )


def test_attributes_with_an_entry_of_their_own_are_not_listed(tmp_path: Path) -> None:
    package = PythonPackage(
        tmp_path,
        'class A:\n    """A.\n\n    Attributes:\n        x: Here.\n        y: There.\n    """\n\n    x = 1\n    y = 2\n    """Own."""\n'
        'class B:\n    """B.\n\n    Attributes:\n        y: There.\n    """\n\n    y = 2\n    """Own."""\n',
    )
    assert f"**(attributes)**\n\n- **{code('x')}**: Here.\n\n" in package.draw("kit.A")
    assert "There." not in package.draw("kit.A")
    assert "(attributes)" not in package.draw("kit.B")


def test_block_in_an_item_begins_below_its_name(tmp_path: Path) -> None:
    drawn = of(tmp_path, "Args:\n    a: ```\n        code\n        ```\n    b:")
    assert drawn.startswith(f"**(parameters)**\n\n- **{code('a')}**\n  ```\n  code\n  ```\n- **{code('b')}**")


def test_types_lead_to_what_they_name(tmp_path: Path) -> None:
    source = (
        "from pathlib import Path\nfrom kit._inner import Inner\n\nclass A: ...\nclass _Own: ...\n"
        "def f(a: 'dict[A, list[Path]] | None', b: Inner, c: _Own, d: A = '*'):\n"
        '    """F.\n\n    Args:\n        a: 1.\n        b: 2.\n        c: 3.\n        d: 4.\n        e (some `text` <b>): 5.\n    """\n'
    )
    package = PythonPackage(tmp_path, {"__init__.py": source, "_inner.py": "class Inner: ...\n"})
    items = [line for line in package.draw("kit.f").split("\n") if line.startswith("- ")]
    table = f"{type_('dict')}&#91;{type_('A', 'kit.A')}, {type_('list')}&#91;{type_('Path', 'pathlib.Path')}&#93;&#93; &#124; None"
    assert items == [
        f"- **{code('a')}** ({code(table)}): 1.",
        f"- **{code('b')}** ({code('Inner')}): 2.",
        f"- **{code('c')}** ({code('&#95;Own')}): 3.",
        f"- **{code('d')}** ({code(type_('A', 'kit.A'))}, (default-value value={code(chr(39) + '&#42;' + chr(39))})): 4.",
        f"- **{code('e')}** ({code('some &#96;text&#96; &lt;b&gt;')}): 5.",
    ]


def test_docstrings_of_constructors_and_setters_belong_to_what_has_them(tmp_path: Path) -> None:
    source = '''
    class A:
        """A."""

        def __init__(self, a):
            """Make it.

            Args:
                a: First.
            """

        @property
        def p(self):
            """Read."""

        @p.setter
        def p(self, value):
            """Written."""

        @p.deleter
        def p(self):
            """Gone."""
    '''
    package = PythonPackage(tmp_path, source)
    assert f"A.\n\nMake it.\n\n**(parameters)**\n\n- **{code('a')}**: First." in package.draw("kit.A")
    assert package.draw("kit.A.p").endswith("Read.\n\nWritten.\n\nGone.")
    text, origins = take_origins(package.drawing().draw_root(package.object("kit.A")))
    lines = text.split("\n")
    assert [(lines[number - 1], *place) for number, place in origins.items()] == [
        ("A.", "src/kit/__init__.py", 3),
        ("Make it.", "src/kit/__init__.py", 6),
        ("Read.", "src/kit/__init__.py", 14),
        ("Written.", "src/kit/__init__.py", 18),
        ("Gone.", "src/kit/__init__.py", 22),
    ]


# What is wrong with them

UNKNOWN = "The docstring of \"kit.f\": Parameter '{}' does not appear in the function signature."


@each(
    "docstring, head, findings",
    [
        ("Args:\n    a: First.\n    c: Gone.", "def f(a): ...", ["6: warn: " + UNKNOWN.format("c")]),
        (":param c: Gone.", "def f(a): ...", ["2: warn: " + UNKNOWN.format("c")]),
        ("Parameters\n----------\nc\n    Gone.", "def f(a): ...", ["7: warn: " + UNKNOWN.format("c")]),
        ("Args:\n    a: First.\n    args: Rest.", "def f(a, *args): ...", []),
        ("Args:\n    \\*args: Rest.", "def f(a, *args): ...", []),
        ("Args:\n    c: By keyword.", "def f(a, **more): ...", []),
        ("Args:\n    a (int): First.", "def f(a: int): ...", []),
    ],
)
def test_parameter_that_is_in_no_signature_is_a_finding(
    tmp_path: Path, docstring: str, head: str, findings: list[str]
) -> None:
    lines = of(tmp_path, docstring, head).split("\n")
    assert [line for line in lines if "warn" in line] == [f"src/kit/__init__.py:{one}" for one in findings]


@each(
    "source, is_reported",
    [
        ("class A:\n    {}\n    def __init__(self, a): ...", True),
        ("class A:\n    {}\n    def __init__(self): ...", True),
        ("class A:\n    {}", True),
        ("class A(dict):\n    {}", False),
        ("class A(dict):\n    {}\n    def __init__(self): ...", True),
        ("class A:\n    {}\n    def __new__(cls, gone): ...", False),
    ],
)
def test_class_whose_parameters_are_elsewhere_is_not_compared(tmp_path: Path, source: str, is_reported: bool) -> None:
    docstring = '"""A.\n\n    Args:\n        gone: Gone.\n    """'
    package = PythonPackage(tmp_path, source.format(docstring) + "\n")
    package.draw("kit.A")
    assert ["gone" in one for one in package.findings] == [True] * is_reported


def test_signatures_are_not_compared_in_restructuredtext(tmp_path: Path) -> None:
    assert "warn" not in of(tmp_path, ":param c: Gone.", markup="rst")


@each(
    "written, shown",
    [
        ("{'x', 'y'}", "{&#39;x&#39;, &#39;y&#39;}"),
        ("{'x', 'y'}, optional", "{&#39;x&#39;, &#39;y&#39;}"),
        ("integer, optional (default=100)", "integer, optional (default=100)"),
        ("array (n,)", "array (n,)"),
        ("dict, list", "dict, list"),
        ("(dict, list)", None),
        ("array of shape (n,)", "array of shape (n,)"),
        ("list['A']", None),
        ("'A'", None),
        ("Literal['x', 'y']", None),
    ],
)
@pytest.mark.parametrize("style", ["Parameters\n----------\na : {}\n    First.", "Args:\n    a ({}): First."])
def test_types_that_are_no_python_are_shown_as_they_are_written(
    tmp_path: Path, style: str, written: str, shown: str | None
) -> None:
    drawn = of(tmp_path, style.format(written), "from typing import Literal\nclass A: ...\ndef f(a): ...")
    item = next(line for line in drawn.split("\n") if line.startswith("- "))
    if shown is None:
        assert "<a " in item
    else:
        plain = html.unescape(item)
        assert f"(<code>{html.unescape(shown)}</code>" in plain
