"""Objects in Python as Markdown: signatures, members, and what a page says of a module."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from octavo.shipped.python_api.draw import with_escapes
from tests.support.each import each

from .python_packages import PythonPackage

# Signatures

LONG = ", ".join(f"{name * 12}: int" for name in "abcde")
SIGNATURES = [
    ("f", "def f(): ...", "def f()"),
    ("f", "async def f(a, b: int, c=1, d: str = 'x'): ...", "async def f(a, b: int, c=1, d: str = 'x')"),
    ("f", "def f(a, /, b, *c: int, d=1, **e) -> None: ...", "def f(a, /, b, *c: int, d=1, **e) -> None"),
    ("f", "def f(a, b, /): ...", "def f(a, b, /)"),
    ("f", "def f(a, *, b, c): ...", "def f(a, *, b, c)"),
    ("f", "def f(*, b): ...", "def f(*, b)"),
    ("f", "def f(self): ...", "def f(self)"),
    ("f", f"def f({LONG}): ...", "def f(\n    " + LONG.replace(", ", ",\n    ") + ",\n)"),
    # 84 characters fit into a line.
    ("f", f"def f({'a' * 77}): ...", f"def f({'a' * 77})"),
    ("f", f"def f({'a' * 78}): ...", f"def f(\n    {'a' * 78},\n)"),
    ("f", f"def f() -> {'a' * 90}: ...", f"def f() -> {'a' * 90}"),
    ("A", "class A: ...", "class A"),
    ("A", "class A:\n    def __init__(self, a, b=2) -> None: ...", "class A(a, b=2)"),
    ("A.f", "class A:\n    def f(self, a): ...", "def f(a)"),
    ("A.f", "class A:\n    def f(): ...", "def f()"),
    ("A.f", "class A:\n    def f(this, a): ...", "def f(this, a)"),
    ("A.f", "class A:\n    @classmethod\n    def f(cls, a): ...", "@classmethod\ndef f(a)"),
    ("A.f", "class A:\n    @staticmethod\n    def f(self, a): ...", "@staticmethod\ndef f(self, a)"),
    ("A.f", "from abc import abstractmethod\nclass A:\n    @abstractmethod\n    def f(self): ...", "@abstractmethod\ndef f()"),
    ("A.p", "class A:\n    @property\n    def p(self) -> int: ...", "@property\ndef p(self) -> int"),
    ("A.p", "class A:\n    @property\n    def p(self): ...", "@property\ndef p(self)"),
    (
        "A.p",
        "from functools import cached_property\nclass A:\n    @cached_property\n    def p(self) -> int: ...",
        "@cached_property\ndef p(self) -> int",
    ),
    ("f", "from functools import cache\n@cache\ndef f(a): ...", "def f(a)"),
    (
        "f",
        ("from typing import overload\n@overload\ndef f(a: int) -> int: ...\n@overload\ndef f(a: str) -> str: ...\n"
        "def f(a): ..."),
        "@overload\ndef f(a: int) -> int\n@overload\ndef f(a: str) -> str",
    ),
    ("x", "x = 1", "x = 1"),
    ("x", "x: int = 1", "x: int = 1"),
    ("x", "x: int", "x: int"),
    ("x", f"x = '{'a' * 398}'", f"x = '{'a' * 398}'"),
    ("x", f"x = '{'a' * 399}'", "x = …"),
]  # fmt: skip


@each("name, source, code", SIGNATURES)
def test_signature_is_written_as_code(tmp_path: Path, name: str, source: str, code: str) -> None:
    drawn = PythonPackage(tmp_path, source).draw(f"kit.{name}")
    assert drawn.split("```")[1] == f"python\n{code}\n"


# Members

PACKAGE = {
    "__init__.py": '''
        """A kit of *parts*.

        More of it.
        """
        from kit._hidden import Hidden
        from kit.parts import Part, turn as turn

        __all__ = ["Hidden", "Part", "SIZE"]

        SIZE = 3
        """How large."""
        ''',
    "parts.py": '''
        """Parts.

        And what turns them.
        """

        class _Base:
            def start(self):
                """Start, as all do."""

            def _prepare(self): ...

        class Part(_Base):
            """Turns.

            See [`kit.parts.turn`].
            """

            zone: int = 1
            """Where."""

            def __init__(self):
                self.said = 1
                """Said."""
                self.silent = 2

            def __call__(self):
                """Call it."""

            def __len__(self): ...

            def _inner(self): ...

            def bare(self): ...

            @property
            def angle(self):
                """In degrees."""

        class Wheel(Part):
            def angle(self): ...

            def roll(self):
                """Roll."""

            class Rim: ...

        def turn(part): ...
        ''',
    "_hidden.py": 'class Hidden:\n    """Was elsewhere."""\n\n    def hide(self): ...\n',
}


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> PythonPackage:
    return PythonPackage(tmp_path_factory.mktemp("site"), PACKAGE, repository="https://code.example/src/")


def headings(text: str) -> list[str]:
    return re.findall(r"^#+ `([^`]+)`", text, re.MULTILINE)


OWN = ["Part.zone", "Part.said", "Part.__call__", "Part.bare", "Part.angle", "Part.start"]


@each(
    "choices, shown",
    [
        ({}, OWN),
        ({"members": False}, []),
        ({"members": ["angle", "nothing", "start", "_inner"]}, ["Part.angle", "Part.start", "Part._inner"]),
        # A list of names that the object does not have is about another one.
        ({"members": ["nothing"]}, OWN),
        ({"exclude_members": ["zone", "bare"]}, [one for one in OWN if one not in ("Part.zone", "Part.bare")]),
        ({"members_order": "alphabetical"}, sorted(OWN)),
        ({"filters": ["!^_", "!a"]}, ["Part.zone", "Part.silent"]),
        ({"filters": ["!.", "^zo"]}, ["Part.zone"]),
        ({"filters": "public"}, OWN),
        ({"private_members": True}, [*OWN, "Part._inner"]),
        ({"private_members": ["_other"]}, OWN),
        ({"special_members": True}, [*OWN, "Part.__len__"]),
        ({"special_members": ["__len__"]}, [*OWN, "Part.__len__"]),
        ({"special_members": ["__call__"]}, OWN),
        ({"show_if_no_docstring": False}, [one for one in OWN if one != "Part.bare"]),
    ],
)
def test_members_are_those_that_are_chosen(kit: PythonPackage, choices: dict[str, Any], shown: list[str]) -> None:
    assert headings(kit.draw("kit.parts.Part", **choices)) == ["Part", *shown]


def test_attributes_that_are_only_annotated_are_shown_where_that_is_chosen(tmp_path: Path) -> None:
    source = {
        "__init__.py": """
            class Sail:
                area: float
                _hidden: int

                def __init__(self):
                    self.silent: int = 2
            """
    }
    package = PythonPackage(tmp_path, source)
    assert headings(package.draw("kit.Sail")) == ["Sail"]
    assert headings(package.draw("kit.Sail", annotated_members=True)) == ["Sail", "Sail.area"]


@each(
    "choices, shown, inherited",
    [
        ({}, [], ["zone", "said", "__call__", "bare", "angle", "start"]),
        ({"inherited_members": True}, ["Wheel.zone", "Wheel.said", "Wheel.bare"], None),
        ({"inherited_members": ["said"]}, ["Wheel.said"], ["zone"]),
        ({"inherited_members": True, "private_members": True}, ["Wheel._inner"], None),
        ({"inherit_docstrings": True, "show_if_no_docstring": False}, ["Wheel.angle"], ["zone"]),
        ({"show_if_no_docstring": False}, [], ["zone"]),
    ],
)
def test_what_a_class_has_from_its_bases_is_listed_or_shown(
    kit: PythonPackage, choices: dict[str, Any], shown: list[str], inherited: list[str] | None
) -> None:
    drawn = kit.draw("kit.parts.Wheel", **choices)
    names = headings(drawn)
    assert names[0] == "Wheel"
    assert "Wheel.roll" in names
    assert set(shown) <= set(names)
    assert ("(inherited)" in drawn) == (inherited is not None)
    listed = re.findall(r"\[`(\w+)`\]", drawn.partition("(inherited)")[2])
    assert listed[:1] == (["Part"] if inherited else [])
    assert set(inherited or ()) - {"angle", "__call__", "start"} <= set(listed[1:])


def test_docstring_of_the_overridden_member_is_taken_where_that_is_chosen(kit: PythonPackage) -> None:
    assert "In degrees." not in kit.draw("kit.parts.Wheel.angle")
    assert "In degrees." in kit.draw("kit.parts.Wheel.angle", inherit_docstrings=True)
    assert "Roll." in kit.draw("kit.parts.Wheel.roll", inherit_docstrings=True)


def test_class_without_a_docstring_is_shown_for_its_members(tmp_path: Path) -> None:
    source = 'class A:\n    def f(self):\n        """F."""\nclass B:\n    def g(self): ...\n'
    drawn = PythonPackage(tmp_path, source).draw("kit", show_if_no_docstring=False)
    assert headings(drawn) == ["A", "A.f"]


def test_many_inherited_members_are_counted(tmp_path: Path) -> None:
    """One too many takes no less room as a count than as a name."""
    for count, end in ((21, "[`f21`](ref:?kit.A.f21)"), (22, "[`f20`](ref:?kit.A.f20), [(more count=2)](ref:?kit.A)")):
        methods = "".join(f"    def f{number}(self): ...\n" for number in range(1, count + 1))
        drawn = PythonPackage(tmp_path, f"class A:\n{methods}class B(A): ...\n").draw("kit.B")
        assert drawn.endswith(end)
        assert drawn.count("ref:?kit.A.f") == (21 if count == 21 else 20)


def test_private_bases_are_not_named(tmp_path: Path) -> None:
    package = PythonPackage(tmp_path, "class _A: ...\nclass B(_A): ...\nclass C(B, _A, dict): ...\n")
    assert "(bases)" not in package.draw("kit.B")
    link = '<a href="ref:?{0}">{1}</a>'.format
    expected = f"(bases): <code>{link('kit.B', 'B')}</code>, <code>{link('dict', 'dict')}</code>"
    assert expected in package.draw("kit.C")
    assert "(bases)" not in package.draw("kit.C", show_bases=False)


# Objects in pages


def test_object_in_a_page_has_a_heading_of_the_chosen_level(kit: PythonPackage) -> None:
    assert kit.draw("kit.parts.Part").startswith(
        '<a id="kit.Part"></a>\n\n## `Part` {#kit.parts.Part}\n\n```python\nclass Part\n```\n\nTurns.\n\n'
        "See [`kit.parts.turn`](ref:kit.parts.turn).\n\n[(source)](https://code.example/src/kit/parts.py#L13-L38)\n\n"
        '<a id="kit.Part.zone"></a>\n\n### `Part.zone` {#kit.parts.Part.zone}\n\n```python\nzone: int = 1\n```\n\nWhere.\n\n'
    )
    deep = kit.draw("kit.parts.Part", heading_level=6)
    assert deep.count("\n###### `") == 7
    assert "#######" not in deep


def test_object_that_is_defined_in_a_private_module_has_both_of_its_addresses(kit: PythonPackage) -> None:
    drawn = kit.draw("kit.Hidden")
    assert drawn.startswith('## `Hidden` {#kit.Hidden}\n\n<a id="kit._hidden.Hidden"></a>\n\n```python')
    assert '### `Hidden.hide` {#kit.Hidden.hide}\n\n<a id="kit._hidden.Hidden.hide"></a>\n\n```python' in drawn


def test_module_in_a_page_has_no_heading_unless_that_is_chosen(kit: PythonPackage) -> None:
    drawn = kit.draw("kit.parts", members=False)
    assert (
        drawn
        == '<a id="kit.parts"></a>\n\nParts.\n\nAnd what turns them.\n\n[(source)](https://code.example/src/kit/parts.py)'
    )
    assert kit.draw("kit.parts", members=False, show_root_heading=True).startswith(
        "## `kit.parts` {#kit.parts}\n\nParts."
    )
    assert (
        kit.draw("kit.SIZE", show_root_heading=False)
        == '<a id="kit.SIZE"></a>\n\n```python\nSIZE = 3\n```\n\nHow large.'
    )


def test_module_in_a_page_has_the_name_that_sphinx_gives_it(tmp_path: Path) -> None:
    package = PythonPackage(tmp_path, "X = 1\n", markup="rst")
    assert package.draw("kit").startswith('<a id="kit"></a><a id="module-kit"></a>\n\n## `X`')


def test_modules_of_a_package_follow_where_that_is_chosen(kit: PythonPackage) -> None:
    assert "kit.parts" not in headings(kit.draw("kit"))
    assert headings(kit.draw("kit", show_submodules=True, members=False)) == ["kit.parts"]
    assert "## `kit.parts` {#kit.parts}" in kit.draw("kit", show_submodules=True)


@each("ticks, marks", [("", "```"), ("`", "```"), ("```", "````"), ("````", "`````")])
def test_source_is_shown_folded_up(tmp_path: Path, ticks: str, marks: str) -> None:
    source = f'def f():\n    return "{ticks}"'
    package = PythonPackage(tmp_path, f"{source}\nx = 1\n")
    block = f"<details>\n<summary>(source-code)</summary>\n\n{marks}python\n{source}\n{marks}\n\n</details>"
    assert package.draw("kit.f", show_source=True).endswith(block)
    assert "<details>" not in package.draw("kit.f") + package.draw("kit.x", show_source=True)
    assert "<details>" not in package.draw("kit", show_source=True, members=False)


# Pages of modules


def test_page_of_a_package_lists_its_modules_and_what_they_define(kit: PythonPackage) -> None:
    page = kit.page("kit")
    assert page.startswith(
        '---\ntitle: "kit"\nsidebar_label: "kit"\ndescription: "A kit of parts."\n---\n\n<a id="kit"></a>\n\n'
        "A kit of *parts*.\n\nMore of it.\n\n"
        "**(modules)**\n\n- [`kit.parts`](ref:kit.parts): Parts.\n\n"
        "**(also-here)**\n\n- [`Part`](ref:kit.parts.Part): Turns.\n\n"
        "## `Hidden` {#kit.Hidden}"
    )
    assert headings(page) == ["Hidden", "Hidden.hide", "SIZE"]


def test_page_shows_what_it_hands_on_where_that_is_chosen(kit: PythonPackage) -> None:
    page = kit.page("kit", reexported=True)
    assert "(also-here)" not in page
    assert headings(page)[:3] == ["Hidden", "Hidden.hide", "Part"]


def test_page_of_a_module_has_the_short_name_in_the_sidebar(kit: PythonPackage) -> None:
    assert kit.page("kit.parts").startswith(
        '---\ntitle: "kit.parts"\nsidebar_label: "parts"\ndescription: "Parts."\n---\n'
    )


def test_page_says_its_address_where_its_name_would_be_that_of_the_package(tmp_path: Path) -> None:
    package = PythonPackage(
        tmp_path, {"__init__.py": "", "index.py": "X = 1\n", "kit.py": "X = 1\n", "a.py": "X = 1\n"}
    )
    slugs = {name: re.findall("^slug: .*", package.page(name), re.MULTILINE) for name in package.library.modules}
    assert slugs == {"kit": [], "kit.a": [], "kit.index": ['slug: "index"'], "kit.kit": ['slug: "kit"']}
    assert [path for _, path in package.library.pages()] == [
        "kit/index.md", "kit/a.md", "kit/index-module.md", "kit/kit-module.md",
    ]  # fmt: skip


@each(
    "text, shown",
    [
        ("a\0b", "a\\0b"),
        ("\a\b\f\v\r", "\\a\\b\\f\\v\\r"),
        ("\x1b[0m\x7f", "\\x1b[0m\\x7f"),
        ("\ud800", "\\ud800"),
        ("a\tb\nc", "a\tb\nc"),
    ],
)
def test_characters_that_no_page_has_are_written_as_escapes(text: str, shown: str) -> None:
    assert with_escapes(text) == shown
