"""Packages in Python: which modules are read and shown, under which names, and what the settings and options say."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from octavo.extensions import Directive, Documents, Inputs
from octavo.shipped import python_api
from octavo.shipped.python_api.choices import Choices, Settings, read_choices, read_settings
from octavo.shipped.python_api.library import ModuleLibrary
from octavo.shipped.python_api.needed import NeededModules
from tests.support.each import each

from .python_packages import PythonPackage

FILES = {
    "__init__.py": "from kit.parts import Part\n__all__ = ['Part']\n",
    "parts.py": "from kit._base import Base\n\nclass Part(Base):\n    def turn(self): ...\n",
    "_base.py": "class Base:\n    def stop(self): ...\n",
    "plain/deep.py": "X = 1\n",
    "nothing.py": "import os\n",
    "tests/test_parts.py": "X = 1\n",
    "conftest.py": "X = 1\n",
    "testing.py": "X = 1\n",
}


def test_objects_are_known_under_all_of_their_names(tmp_path: Path) -> None:
    library = PythonPackage(tmp_path, FILES).library
    assert library.shown == {
        **{
            name: name
            for name in ("kit", "kit.parts", "kit.plain.deep", "kit.plain.deep.X", "kit.testing", "kit.testing.X")
        },
        **{name: name for name in ("kit.parts.Part", "kit.parts.Part.turn")},
        "kit.Part": "kit.parts.Part",
        "kit.Part.turn": "kit.parts.Part.turn",
    }
    assert library.others == {"kit.parts.Part": ["kit.Part"], "kit.parts.Part.turn": ["kit.Part.turn"]}
    assert set(library.inherited(library.find("kit.parts.Part"))) == {"stop"}  # type: ignore[arg-type]  # it is there
    assert library.find("kit.Gone") is library.find("") is None


@each(
    "exclude, left",
    [
        (None, {"kit.parts", "kit.plain.deep", "kit.testing"}),
        ([], {"kit.parts", "kit.plain.deep", "kit.testing", "kit.conftest", "kit.tests.test_parts"}),
        (["kit.plain", "kit.*test*"], {"kit.parts"}),
        (["kit.pla", "kit.parts"], {"kit.plain.deep", "kit.testing", "kit.conftest", "kit.tests.test_parts"}),
    ],
)
def test_modules_that_are_excluded_have_no_page(tmp_path: Path, exclude: list[str] | None, left: set[str]) -> None:
    library = PythonPackage(tmp_path, FILES, exclude=exclude).library
    assert set(library.modules) == {"kit", *left}


def test_pages_lie_in_folders_as_their_modules_do(tmp_path: Path) -> None:
    library = PythonPackage(tmp_path, FILES).library
    assert [path for _, path in library.pages()] == [
        "kit/index.md", "kit/parts.md", "kit/plain/deep.md", "kit/testing.md",
    ]  # fmt: skip
    inner = PythonPackage(tmp_path, FILES, packages=["kit.plain"]).library
    assert [path for _, path in inner.pages()] == ["plain/deep.md"]
    assert [one.path for one in library.modules_in(library.modules["kit"])] == ["kit.parts", "kit.testing"]


@each(
    "repository, name, url",
    [
        ("https://x.example/src/", "kit.parts.Part", "https://x.example/src/kit/parts.py#L3-L4"),
        ("https://x.example", "kit.parts", "https://x.example/kit/parts.py"),
        ("", "kit.parts.Part", ""),
        ("https://x.example", "kit.parts.Base", "https://x.example/kit/_base.py#L1-L2"),
    ],
)
def test_source_of_an_object_has_an_address(tmp_path: Path, repository: str, name: str, url: str) -> None:
    package = PythonPackage(tmp_path, FILES, repository=repository)
    assert package.library.source_url(package.object(name)) == url


def test_package_is_taken_from_the_first_folder_that_has_it(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old/kit.py").write_text("OLD = 1\n")
    package = PythonPackage(tmp_path, "NEW = 1\n", paths=["none", "old", "src"])
    assert package.library.find("kit.OLD") is not None
    assert package.library.find("kit.NEW") is None
    assert [path for _, path in package.library.pages()] == ["kit.md"]


def test_stub_is_read_where_there_is_no_source(tmp_path: Path) -> None:
    package = PythonPackage(tmp_path, {"__init__.py": "", "a.py": "A = 1\n", "a.pyi": "B: int\n", "c.pyi": "C: int\n"})
    assert [package.library.find(name) is not None for name in ("kit.a.A", "kit.a.B", "kit.c.C")] == [True, False, True]


def test_package_that_is_missing_is_a_finding(tmp_path: Path) -> None:
    package = PythonPackage(tmp_path, "", packages=["kite", "kit"], paths=["src", "lib"])
    assert package.findings == [
        (
            'octavo.toml:1: error: There is no package "kite" in the folders src, lib. '
            "Name the folder that it is in by `paths` in [extension_options.python_api]."
        )
    ]


def test_module_that_cannot_be_read_is_a_finding_and_others_are_shown(tmp_path: Path) -> None:
    package = PythonPackage(tmp_path, {"__init__.py": "", "a.py": "x = 1\ndef (:\n", "b.py": "B = 1\n"})
    (found,) = package.findings
    assert found.startswith("src/kit/a.py:2: warn: This module cannot be read, and has no page: ")
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert found.endswith(f". Python {version} reads it: newer syntax needs a newer one.")
    assert "kit.b" in package.library.modules
    (tmp_path / "src/kit/a.py").write_bytes(b"# \xff\n")
    inputs = Inputs(tmp_path, package.settings.patterns)
    ModuleLibrary.of(package.settings, inputs)
    (again,) = inputs.findings
    assert again.message.startswith("This module cannot be read, and has no page: 'utf-8' codec can't decode")
    assert again.message.endswith("invalid start byte.")
    assert again.line == 1


def test_packages_are_read_again_when_a_file_changes(tmp_path: Path) -> None:
    package = PythonPackage(tmp_path, {"__init__.py": "A = 1\n"})
    assert ModuleLibrary.of(package.settings, package.inputs) is package.library
    (tmp_path / "src/kit/__init__.py").write_text("ABC = 1\n")
    again = ModuleLibrary.of(package.settings, package.inputs)
    assert again is not package.library
    assert again.find("kit.ABC") is not None


def test_names_that_are_alike_are_suggested(tmp_path: Path) -> None:
    library = PythonPackage(
        tmp_path, {"__init__.py": "", "part.py": "class Wheel: ...\n", "wheel.py": "rim = 1\n"}
    ).library
    assert library.nearest("kit.part.Whel") == "kit.part.Wheel"
    assert library.nearest("kit.parts") == "kit.part"
    assert library.nearest("kit.part.Nothing") is None
    assert library.nearest("kit.part.Wheel" + "x" * 4) is None


def test_only_what_an_object_needs_is_read_where_modules_have_no_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("octavo.shipped.python_api.needed._SMALL", 0)
    files = {"__init__.py": "", **{f"m{number}.py": "X = 1\n" for number in range(9)}}
    files["m1.py"] = "from kit.m2 import X\nY = X\n"
    package = PythonPackage(tmp_path, files, docs="")
    library = ModuleLibrary.of(package.settings, package.inputs, "kit.m1.Y")
    assert set(library.modules) == {"kit", "kit.m1", "kit.m2"}
    assert ModuleLibrary.of(package.settings, package.inputs, "kit.m1") is library
    assert library.is_beyond("kit.m3.X")
    assert not library.is_beyond("kit.m1.Y")
    assert not library.is_beyond("kite.m1")
    assert library.nearest("kit.m33") == "kit.m3"


def test_comments_are_docstrings_of_attributes(tmp_path: Path) -> None:
    source = '''
    #: Above,
    #: in two lines.
    A = 1
    B = 2  #: Behind.
    C = "#: no comment"
    D = 4
    """Its own."""
    #: Not of E.

    E = 5
    F = (
        1,
    )  #: At the end.
    class G:
        #: Within.
        H = 1
    '''
    package = PythonPackage(tmp_path, source)
    found = {name: package.object(f"kit.{name}").docstring for name in ("A", "B", "C", "D", "E", "F", "G.H")}
    assert {name: one and (one.value, one.lineno) for name, one in found.items()} == {
        "A": ("Above,\nin two lines.", 2),
        "B": ("Behind.", 5),
        "C": None,
        "D": ("Its own.", 8),
        "E": None,
        "F": ("At the end.", 14),
        "G.H": ("Within.", 16),
    }


@each(
    "source, is_shown",
    [
        ("from kit.a import f as f\n", True),
        ("from kit.a import f\n", False),
        ("from kit.a import g, f as f\n", True),
        ("from kit.a import f as f\n__all__ = ['g']\n", False),
        ("from kit.a import f as h\n", False),
    ],
)
def test_names_that_are_imported_under_themselves_are_public(tmp_path: Path, source: str, is_shown: bool) -> None:
    library = PythonPackage(tmp_path, {"__init__.py": source, "a.py": "def f(): ...\ndef g(): ...\n"}).library
    assert ("kit.f" in library.shown) == is_shown


# Modules that an object needs


def needed(root: Path, files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> NeededModules:
    monkeypatch.setattr("octavo.shipped.python_api.needed._SMALL", 0)
    paths = {}
    for name, source in {**files, **{f"kit.other{number}": "" for number in range(20)}}.items():
        paths[name] = root / (f"{name}/__init__.py" if name in ("kit", "kit.sub") else f"{name}.py")
        paths[name].parent.mkdir(exist_ok=True)
        paths[name].write_text(source)
    return NeededModules(paths)


@each(
    "source, modules",
    [
        ("import kit.b", {"kit.b"}),
        ("from kit import b", {"kit.b"}),
        ("from kit.b import x", {"kit.b"}),
        ("from . import b", {"kit.b"}),
        ("from .b import x as y, z", {"kit.b"}),
        ("from .sub.c import x", {"kit.sub", "kit.sub.c", "kit.d"}),
        ("from .sub import c", {"kit.sub", "kit.sub.c", "kit.d"}),
        ("import os\nfrom other import b", set()),
        ("if x:\n    try:\n        pass\n    except A:\n        import kit.b", {"kit.b"}),
        ("class A:\n    import kit.b", {"kit.b"}),
        ("def f():\n    import kit.b", set()),
        ("async def f():\n    import kit.b", set()),
    ],
)
def test_modules_that_a_module_imports_are_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, modules: set[str]
) -> None:
    files = {"kit": "", "kit.a": source, "kit.b": "", "kit.sub": "", "kit.sub.c": "from ..d import x", "kit.d": ""}
    assert needed(tmp_path, files, monkeypatch).of("kit.a.f") == {"kit", "kit.a", *modules}


def test_modules_below_a_package_are_needed_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"kit": "", "kit.sub": "from .c import x", "kit.sub.c": "", "kit.sub.d": "", "kit.subway": ""}
    found = needed(tmp_path, files, monkeypatch)
    assert found.of("kit.sub") == {"kit", "kit.sub", "kit.sub.c", "kit.sub.d"}
    assert found.of("kit.sub.x") == {"kit", "kit.sub", "kit.sub.c"}
    assert found.of("kit") == {*files, *(f"kit.other{number}" for number in range(20))}
    assert found.of("nothing") == set()
    assert (found.module_of("kit.sub.c.x.y"), found.module_of("kitchen.sub")) == ("kit.sub.c", "")


def test_tables_that_programs_write_are_not_read_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("octavo.shipped.python_api.needed._LARGEST", 20)
    files = {"kit": "", "kit.a": "import kit.b, kit.c", "kit.b": "#" * 20, "kit.c": "#" * 21}
    assert needed(tmp_path, files, monkeypatch).of("kit.a") == {"kit", "kit.a", "kit.b"}


# Settings and options


def test_settings_name_the_files_that_are_read() -> None:
    assert Settings(packages=["a.b"], paths=["../src", "."]).patterns == [
        "../src/a/b.py", "../src/a/b.pyi", "../src/a/b/**/*.py", "../src/a/b/**/*.pyi",
        "./a/b.py", "./a/b.pyi", "./a/b/**/*.py", "./a/b/**/*.pyi",
    ]  # fmt: skip
    assert read_settings({"packages": ["a"], "options": {"heading_level": 3}}).options == Choices(heading_level=3)
    with pytest.raises(ValueError, match=r"^\[extension_options\.python_api\]: .*colour"):
        read_settings({"colour": 1})


@each(
    "text, attributes, changed, problems",
    [
        ("", {}, {}, []),
        ("heading_level: 3", {}, {"heading_level": 3}, []),
        ("options:\n  heading_level: 3", {}, {"heading_level": 3}, []),
        ("handler: python\noptions:\n  heading_level: 3", {}, {"heading_level": 3}, []),
        ("options:\n  heading_level: 3\nmembers: [a]", {}, {"heading_level": 3, "members": ["a"]}, []),
        ("heading_level: 3", {"heading_level": "4"}, {"heading_level": 4}, []),
        ("", {"members": "a, b", "inherited_members": "true", "show_bases": "false"},
         {"members": ["a", "b"], "inherited_members": True, "show_bases": False}, []),
        ("", {"members": "false"}, {"members": False}, []),
        ("show_labels: true\nheading_level: 3", {}, {"heading_level": 3}, []),
        ("colour: red\nheading_level: 3", {}, {"heading_level": 3}, ['"colour" is not an option of a Python reference.']),
        ("heading_level: many\nmembers: [a]", {}, {"members": ["a"]}, ["The option"]),
        ("- a", {}, {}, ["The options of a Python reference are lines of the form `name: value`."]),
        ("a: [", {}, {}, ["The options are not valid YAML: "]),
    ],
)  # fmt: skip
def test_options_of_a_directive_are_read(
    text: str, attributes: dict[str, str], changed: dict[str, Any], problems: Sequence[str]
) -> None:
    around = Choices(show_source=True)
    choices, found = read_choices(around, text, attributes)
    assert choices == Choices(show_source=True, **changed)
    assert len(found) == len(problems)
    assert all(one.startswith(problem) for one, problem in zip(found, problems, strict=True))


# The extension


def use(package: PythonPackage, patch: pytest.MonkeyPatch, label: str, text: str = "") -> Directive[dict[str, str]]:
    patch.setattr(python_api, "_SETTINGS", package.settings)
    inputs = Inputs(package.library.site_dir, package.settings.patterns)
    return Directive("autodoc", {}, text, "docs/a.md", 3, inputs, {}, label)


@each(
    "label, suggestion",
    [
        ("kit.parts.Prt", 'Did you mean "kit.parts.Part"?'),
        ("zzz.other", "Name its package in `packages`."),
        (" ", None),
    ],
)
def test_directive_for_nothing_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, label: str, suggestion: str | None
) -> None:
    block = use(PythonPackage(tmp_path, FILES, docs=""), monkeypatch, label)
    assert python_api.autodoc(block).text == ""
    (found,) = block.inputs.findings
    assert found.message == f'There is no "{label.strip()}" in the packages kit.'
    assert suggestion in (None, found.suggestion)
    assert (found.path, found.line) == ("docs/a.md", 3)


def test_directive_shows_an_object_and_says_which_options_do_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    block = use(PythonPackage(tmp_path, FILES, docs=""), monkeypatch, " kit.parts ", "colour: red\nmembers: false")
    assert python_api.autodoc(block).text == '<a id="kit.parts"></a>'
    assert [one.message for one in block.inputs.findings] == ['"colour" is not an option of a Python reference.']


def test_each_module_is_a_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"__init__.py": '"""Kit."""\n', "a.py": '\n"""A."""\n\ndef f():\n    """F."""\n'}
    package = PythonPackage(tmp_path, files, docs="/reference/")
    use(package, monkeypatch, "")
    made = list(python_api.modules(Documents(package.inputs, "en", "docs")))
    assert [(one.path, one.made_from) for one in made] == [
        ("reference/kit/index.md", "src/kit/__init__.py"),
        ("reference/kit/a.md", "src/kit/a.py"),
    ]
    lines = made[1].text.split("\n")
    assert {lines[number - 1]: place for number, place in made[1].origins.items()} == {
        "A.": ("src/kit/a.py", 2),
        "F.": ("src/kit/a.py", 5),
    }
    use(PythonPackage(tmp_path, files, docs=""), monkeypatch, "")
    assert list(python_api.modules(Documents(package.inputs, "en", "docs"))) == []
