"""What the architecture tests rest on: imports are found wherever they run, and cycles of any length."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.imports import Import, SourceTree, components, unit_of


def tree(folder: Path, files: Mapping[str, str]) -> SourceTree:
    for name, text in files.items():
        file = folder / "app" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        (file.parent / "__init__.py").touch()
    (folder / "app" / "__init__.py").touch()
    return SourceTree(folder / "app")


@pytest.mark.parametrize(
    "text",
    [
        "import app.b",
        "from app import b",
        "from app.b import name",
        "from . import b",
        "from .b import name",
        "def run():\n    from app.b import name",
        "class A:\n    def run(self):\n        import app.b",
        "try:\n    import app.b\nexcept ImportError:\n    pass",
        "import importlib\nimportlib.import_module('app.b')",
    ],
)
def test_import_is_found(tmp_path: Path, text: str) -> None:
    assert tree(tmp_path, {"a.py": text, "b.py": ""}).imports == {Import("app.a", "app.b")}


def test_import_for_type_checkers_is_none(tmp_path: Path) -> None:
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from app import b\nelse:\n    from app import c\n"
    assert tree(tmp_path, {"a.py": text, "b.py": "", "c.py": ""}).imports == {Import("app.a", "app.c")}


def test_cycle_through_a_function_and_an_interface_is_found(tmp_path: Path) -> None:
    found = tree(
        tmp_path,
        {
            "p/__init__.py": "from app.p.one import run",
            "p/one.py": "def run():\n    from app.q import two",
            "q/two.py": "from app.p import run",
            "q/three.py": "from app.q import two",
        },
    )
    assert found.cycles() == [["app.p", "app.p.one", "app.q.two"]]


def test_deep_import_is_one_past_the_package_or_its_named_module(tmp_path: Path) -> None:
    found = tree(
        tmp_path,
        {"p/api.py": "", "p/inside.py": "", "a.py": "from app.p import api\nimport app.p\nimport app.p.inside"},
    )
    assert found.deep_imports({"app.p": "app.p.api"}) == [Import("app.a", "app.p.inside")]
    assert found.deep_imports({}) == [Import("app.a", "app.p.api"), Import("app.a", "app.p.inside")]


def test_components_of_a_graph() -> None:
    graph: dict[str, set[str]] = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"f"}}
    assert sorted(sorted(group) for group in components(graph)) == [["a", "b", "c"], ["d", "e"], ["f"]]


def test_unit_of_a_module() -> None:
    assert [unit_of("app.p.one"), unit_of("app.p"), unit_of("app"), unit_of("app.p.one", 0)] == [
        "app.p",
        "app.p",
        "app",
        "app",
    ]
