"""Notebooks in sites of other engines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.each import each

from .planned import noted, plan_of, sidebars


def _notebook(text: str) -> str:
    cells = [{"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)}]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


WIND = _notebook("(strong wind)=\n# Wind *blows*\n")
TOC = "# Kites\n\n```{toctree}\nwind\n```\n"


@each(
    ("name", "files", "extensions"),
    [
        ("nbsphinx", {"conf.py": "extensions = ['myst_parser', 'nbsphinx']\n", "index.md": TOC}, ["jupyter_ids", "notebooks"]),
        ("gallery", {"conf.py": "extensions = ['myst_parser', 'nbsphinx']\n", "index.md": TOC.replace("toctree", "nbgallery")}, ["jupyter_ids", "notebooks"]),
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


def test_texts_of_a_project_of_mystmd_come_along(tmp_path: Path) -> None:
    project = """project:
  description: All about kites
  copyright: 2024, Ann
  math:
    '\\R': '\\mathbb{R}'
    '\\wind': {macro: 'w_{#1}'}
  abbreviations:
    KLM: Kite Line Measure
    NONE: null
  toc:
  - file: start.md
  - file: gone.md
site:
  options:
    analytics_google: G-ABC123
"""
    plan = plan_of(tmp_path, {"myst.yml": project, "start.md": "# Kites\n"}, "sphinx")
    settings = plan.settings
    assert settings["tagline"] == "All about kites"
    assert settings["footer"] == {"copyright": "© 2024, Ann"}
    assert settings["markdown"]["formula_macros"] == {"\\R": "\\mathbb{R}", "\\wind": "w_{#1}"}
    assert settings["analytics"] == {"google": "G-ABC123"}
    assert plan.files[settings["markdown"]["append"][0]] == "*[KLM]: Kite Line Measure\n"
    assert "abbr" in settings["markdown"]["extensions"]
    assert noted(plan, "Tables of contents name pages that do not exist") == ["gone.md"]
