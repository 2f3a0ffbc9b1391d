"""Addresses of lists of posts in other engines."""

from __future__ import annotations

from octavo.importing.blogs.lists import kebab_case
from tests.support.each import each


@each(
    ("label", "name"),
    [
        ("KubeCon", "kube-con"),
        ("GitHub Actions", "git-hub-actions"),
        ("100th", "100th"),
        ("22ND", "22nd"),
        ("2ndTime", "2nd-time"),
        ("v1.2.3", "v-1-2-3"),
        ("C++", "c"),
        ("What's new", "whats-new"),
        ("HTTPServer", "http-server"),
        ("Déjà vu", "deja-vu"),
        ("straße", "strasse"),
        ("русский ТЕГ", "русский-тег"),
        ("한국어tag", "한국어tag"),
        ("日本語", "日本語"),
        ("kite 🎉 wind", "kite-🎉-wind"),
        ("R&D", "r-d"),
        ("🎉", "🎉"),
        ("--", ""),
    ],
)
def test_tags_are_written_as_lodash_writes_them(label: str, name: str) -> None:
    assert kebab_case(label) == name
