"""A site in one language keeps it: pages, words of the theme and the search are in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from octavo.importing.model import EngineName
from tests.support.each import each

from .planned import plan_of

HOME = "---\ntitle: Ofen\n---\nText.\n"
GERMAN: list[tuple[EngineName, Mapping[str, Any]]] = [
    ("hugo", {"hugo.toml": 'title = "X"\nlanguageCode = "de"', "content/_index.md": HOME}),
    ("hugo", {"hugo.toml": 'title = "X"\ndefaultContentLanguage = "de"', "content/_index.md": HOME}),
    ("zola", {"config.toml": 'title = "X"\nbase_url = "/"\ndefault_language = "de"', "content/_index.md": "+++\n+++\nText.\n"}),
    ("mkdocs", {"mkdocs.yml": "site_name: X\ntheme:\n  name: material\n  language: de", "docs/index.md": HOME}),
    ("sphinx", {"conf.py": 'project = "X"\nextensions = ["sphinx.ext.todo"]\nlanguage = "de"', "index.rst": "Ofen\n====\n\nText.\n"}),
    ("mdbook", {"book.toml": '[book]\ntitle = "X"\nlanguage = "de"', "src/SUMMARY.md": "- [A](a.md)", "src/a.md": "# A\n"}),
    ("jekyll", {"_config.yml": "title: X\nlang: de", "index.md": HOME}),
]  # fmt: skip


def locales(folder: Path, engine: EngineName, files: Mapping[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = plan_of(folder, files, engine).settings.get("locales", [])
    return found


@each("place, case", list(enumerate(GERMAN)))
def test_language_of_a_site_comes_along(tmp_path: Path, place: int, case: tuple[EngineName, Mapping[str, Any]]) -> None:
    assert locales(tmp_path / str(place), *case) == [{"id": "de", "label": "Deutsch"}]


@each("place, given", list(enumerate(["en", "en-US", "default", "true"])))
def test_english_and_what_is_no_language_need_no_setting(tmp_path: Path, place: int, given: str) -> None:
    files = {"mkdocs.yml": f"site_name: X\ntheme:\n  name: material\n  language: {given}", "docs/index.md": HOME}
    assert locales(tmp_path / str(place), "mkdocs", files) == []


def test_tags_are_written_as_pages_name_them(tmp_path: Path) -> None:
    files = {
        "conf.py": 'project = "X"\nextensions = ["sphinx.ext.todo"]\nlanguage = "pt_BR"',
        "index.rst": "Forno\n=====\n\nTexto.\n",
    }
    assert locales(tmp_path, "sphinx", files) == [{"id": "pt-BR", "label": "Português (Brasil)"}]


def test_chinese_is_named_by_its_script(tmp_path: Path) -> None:
    files = {"_config.yml": "title: X\nlang: zh-CN", "index.md": HOME}
    assert locales(tmp_path, "jekyll", files) == [{"id": "zh-Hans", "label": "简体中文"}]
