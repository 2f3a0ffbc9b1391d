"""Notebooks in sites of other engines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.each import each

from .planned import plan_of, sidebars


def _notebook(text: str) -> str:
    cells = [{"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)}]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


WIND = _notebook("(strong wind)=\n# Wind *blows*\n")
TOC = "# Kites\n\n```{toctree}\nwind\n```\n"


@each(
    ("name", "files", "extensions"),
    [
        ("nbsphinx", {"conf.py": "extensions = ['myst_parser', 'nbsphinx']\n", "index.md": TOC}, ["jupyter_ids", "notebooks"]),
        ("myst_nb", {"conf.py": "extensions = ['myst_nb']\n", "index.md": TOC}, ["notebooks"]),
        ("book", {"_config.yml": "title: K\n", "_toc.yml": "format: jb-book\nroot: index\nchapters:\n- file: wind\n", "index.md": "# Kites\n"}, ["notebooks"]),
        ("mystmd", {"myst.yml": "project:\n  toc:\n  - file: index.md\n  - file: wind.ipynb\n", "index.md": "# Kites\n"}, ["notebooks"]),
    ],
)  # fmt: skip
def test_notebooks_of_sphinx_are_pages(name: str, files: dict[str, Any], extensions: list[str], tmp_path: Path) -> None:
    plan = plan_of(tmp_path / name, {**files, "wind.ipynb": WIND}, "sphinx")
    markdown = plan.settings["markdown"]
    assert [one for one in markdown["extensions"] if one in ("jupyter_ids", "notebooks")] == extensions
    assert markdown["references"]["strong wind"].endswith("wind.ipynb#strong-wind")
    assert "Wind blows=wind" in json.dumps(sidebars(plan))
    assert not any("nb" in note.what for note in plan.notes)


def test_notebooks_of_mkdocs_are_pages_where_a_plugin_reads_them(tmp_path: Path) -> None:
    files = {"docs/index.md": "# K\n", "docs/wind.ipynb": WIND}
    settings = "site_name: K\nnav:\n- index.md\n- wind.ipynb\n"
    plan = plan_of(tmp_path / "a", {"mkdocs.yml": f"{settings}plugins: [mkdocs-jupyter]\n", **files})
    assert "notebooks" in plan.settings["markdown"]["extensions"]
    assert "wind" in json.dumps(sidebars(plan))
    assert not any("jupyter" in note.what for note in plan.notes)
    plan = plan_of(tmp_path / "b", {"mkdocs.yml": settings, **files})
    assert "notebooks" not in plan.settings["markdown"]["extensions"]


def test_first_page_of_mystmd_has_the_root_and_no_redirect(tmp_path: Path) -> None:
    files = {"myst.yml": "project:\n  toc:\n  - file: start.md\n", "start.md": "# Kites\n", "a.md": "# A\n"}
    plan = plan_of(tmp_path, files, "sphinx")
    assert plan.settings["routing"]["exact"]["start.md"] == "/"
    assert "redirects" not in plan.settings
