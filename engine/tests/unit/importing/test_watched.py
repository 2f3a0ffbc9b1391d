"""Settings of other engines that nobody asked for are named, and only those."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from octavo.importing.run import make_plan
from octavo.importing.watched import Watched, layered, plain, unread

_VALUES = {
    "title": "T",
    "theme": {"logo": "a.svg", "toc": {"depth": 3}, "empty": {}, "off": None},
    "items": [{"label": "A", "badge": "new"}, {"label": "B"}],
    "plugins": [{"name": "x", "options": {"deep": 1}}],
    "onBrokenLinks": "throw",
}


def test_keys_that_nobody_asked_for_are_named_with_their_tables() -> None:
    settings = Watched(_VALUES)
    assert settings.get("title") == "T"
    assert settings["theme"]["logo"] == "a.svg"
    assert [one.get("label") for one in settings["items"]] == ["A", "B"]
    assert settings["plugins"] == _VALUES["plugins"]
    assert unread(settings, "docusaurus") == ["items[].badge", "theme.toc"]
    assert unread(settings, "plain") == ["items[].badge", "onBrokenLinks", "theme.toc"]


def test_whoever_goes_through_a_table_has_asked_for_all_of_it() -> None:
    reads: list[Callable[[Watched], object]] = [Watched.keys, Watched.items, Watched.values, list, lambda one: {**one}]
    for read in reads:
        settings = Watched({"a": 1, "b": 2})
        read(settings)
        assert unread(settings, "plain") == []


def test_a_copy_of_plain_values_asks_for_nothing() -> None:
    settings = Watched(_VALUES)
    assert json.loads(json.dumps(plain(settings))) == _VALUES
    assert unread(settings, "plain") == ["items", "onBrokenLinks", "plugins", "theme", "title"]


def test_a_key_of_tables_that_lie_over_each_other_is_asked_for_in_all_of_them() -> None:
    settings = Watched({"theme": {"logo": "a", "nav": []}, "root": {"logo": "b", "footer": "c"}})
    assert layered(settings["theme"], settings["root"]).get("logo") == "b"
    assert unread(settings, "plain") == ["root.footer"]


@pytest.mark.parametrize(
    ("files", "named"),
    [
        ({"mkdocs.yml": "site_name: T\nsite_author: Me\ntheme:\n  name: material\n  font: {text: Roboto}\n", "docs/a.md": "# A"}, "site_author, theme.font"),
        ({"mkdocs.yml": "site_name: T\nsite_author: Me\ndocs_dir: pages\n", "pages/a.md": "# A"}, "site_author"),
        ({".gitbook.yaml": "root: ./text\nodd: 1\n", "text/SUMMARY.md": "* [A](a.md)", "text/a.md": "# A"}, "odd"),
        ({"hugo.toml": "title='T'\ncontentDir='text'\ndefaultContentLanguage='en'\nfooter='x'\n", "text/docs/a.md": "# A"}, "footer"),
        ({"book.toml": "[book]\ntitle='T'\nlanguage='de'\n[output.html]\ndefault-theme='navy'\n", "src/SUMMARY.md": "- [A](a.md)", "src/a.md": "# A"}, "output.html.default-theme"),
        ({"hugo.toml": "title='T'\nfooter='x'\n[imaging]\nquality=75\n", "content/docs/a.md": "# A"}, "footer, imaging"),
        ({"_config.yml": "title: T\npermalink: pretty\nsearch_tokenizer_separator: x\n", "index.md": "---\n---\n# A", "Gemfile": "gem 'jekyll'"}, "search_tokenizer_separator"),
    ],
)  # fmt: skip
def test_settings_without_effect_are_in_the_report(tmp_path: Path, files: dict[str, str], named: str) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    notes = [one.what for one in make_plan(tmp_path)[1].notes]
    assert f"Settings of the old site that have no effect: {named}" in notes
