"""References of Python as autodoc of Sphinx draws them: which members, in which order, with whose docstrings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from octavo.importing import import_site
from octavo.publish import build_site

pytest.importorskip("docutils")

_PACKAGE = {
    "__init__.py": '''"""Kites."""

from kite._frame import Frame
from kite.sail import Sail

__all__ = ["LIMIT", "Sail"]

LIMIT = 3  #: How many fly at a time.
hidden = 4  # : no docstring
''',
    "_frame.py": '''class Frame:
    """What holds."""

    #: Of what it is made.
    #: Often of wood.
    material = "wood"

    def bend(self):
        """Bend with the wind."""

    def _joint(self):
        """Join two sticks."""

    def __call__(self): ...

    def plain(self): ...
''',
    "sail.py": '''from kite._frame import Frame


class Sail(Frame):
    """What the wind fills."""

    material = "silk"

    def zip(self):
        """Fold it."""

    def bend(self): ...

    def air(self):
        """Let air in.

        :yield: what *flows*
        """
''',
}
_PAGES = {
    "index.rst": "Library\n=======\n\n.. automodule:: kite\n   :members:\n",
    "own.rst": "Own\n===\n\n.. automodule:: kite\n   :members:\n   :ignore-module-all:\n",
    "whole.rst": "Whole\n=====\n\n.. autoclass:: kite.Sail\n   :members:\n   :inherited-members:\n   :private-members:\n",
    "some.rst": "Some\n====\n\n.. autoclass:: kite.Sail\n   :members: zip, material, bend\n   :exclude-members: zip\n",
    "special.rst": "Special\n=======\n\n.. autoclass:: kite._frame.Frame\n   :special-members: __call__\n   :undoc-members:\n   :member-order: bysource\n",
    "none.rst": "None\n====\n\n.. autoclass:: kite.Sail\n   :no-members:\n",
}


def _names(site: Path, page: str) -> list[str]:
    html = (site / "out" / f"{page}.html").read_text(encoding="utf-8")
    return [one.removeprefix("kite.") for one in re.findall(r'id="((?:module-)?kite[\w.]*)"', html)]


def _import(tmp_path: Path, conf: str = "") -> tuple[Path, list[str]]:
    site = tmp_path / "site"
    for name, text in [
        *((f"src/kite/{name}", text) for name, text in _PACKAGE.items()),
        *((f"docs/{name}", text) for name, text in _PAGES.items()),
        ("docs/conf.py", f"extensions = ['sphinx.ext.autodoc']\n{conf}"),
    ]:
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text, encoding="utf-8")
    import_site(site)
    done = build_site(site, site / "out", has_search=False, publishes_always=True)
    return site, [one.message for one in done.diagnostics if one.code not in ("unset-url", "sidebar-membership")]


def test_members_are_those_that_the_options_name(tmp_path: Path) -> None:
    site, problems = _import(tmp_path)
    assert problems == []
    assert _names(site, "index") == [
        "kite",
        "module-kite",
        "LIMIT",
        "Sail",
        "Sail.air",
        "Sail.bend",
        "Sail.material",
        "Sail.zip",
    ]
    assert _names(site, "own") == ["kite", "module-kite", "LIMIT"]
    assert _names(site, "whole") == ["Sail", "Sail._joint", "Sail.air", "Sail.bend", "Sail.material", "Sail.zip"]
    assert _names(site, "some") == ["Sail", "Sail.bend", "Sail.material"]
    assert _names(site, "special") == [
        "_frame.Frame",
        "_frame.Frame.material",
        "_frame.Frame.bend",
        "_frame.Frame.plain",
        "_frame.Frame.__call__",
    ]
    assert _names(site, "none") == ["Sail"]


def test_docstrings_are_inherited_and_comments_are_docstrings(tmp_path: Path) -> None:
    site, _ = _import(tmp_path)
    html = (site / "out/index.html").read_text(encoding="utf-8")
    text = " ".join(re.sub(r"<[^>]+>", " ", html).split())
    for one in (
        "How many fly at a time.",
        "Of what it is made. Often of wood.",
        "Bend with the wind.",
        "Yields: what flows",
    ):
        assert one in text


def test_defaults_come_from_the_configuration(tmp_path: Path) -> None:
    conf = (
        "autodoc_default_options = {'members': True, 'exclude-members': 'zip', 'undoc-members': False}\n"
        "autodoc_member_order = 'bysource'\nautodoc_inherit_docstrings = False\n"
    )
    site, problems = _import(tmp_path, conf)
    assert problems == []
    assert _names(site, "none") == ["Sail"]
    assert _names(site, "special") == [
        "_frame.Frame",
        "_frame.Frame.material",
        "_frame.Frame.bend",
        "_frame.Frame.plain",
        "_frame.Frame.__call__",
    ]
    assert _names(site, "index") == ["kite", "module-kite", "Sail", "Sail.air", "LIMIT"]
