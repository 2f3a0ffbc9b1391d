"""Settings of Hugo: names in any capitals, and patterns of addresses."""

from __future__ import annotations

from pathlib import Path

from tests.support.each import each

from .planned import plan_of


def test_names_of_settings_have_any_capitals(tmp_path: Path) -> None:
    settings = (
        'baseurl = "https://kites.example/"\ntitle = "Kites"\nDefaultContentLanguageInSubdir = true\n'
        '[Languages.en]\nLanguageName = "English"\n[Languages.fr]\nlanguagename = "Français"\n'
    )
    files = {
        "config.toml": settings,
        "content/a.en.md": "---\ntitle: A\n---\n",
        "content/a.fr.md": "---\ntitle: B\n---\n",
    }
    plan = plan_of(tmp_path, files, "hugo")
    assert plan.settings["url"] == "https://kites.example"
    assert [(one["label"], one["path"]) for one in plan.settings["locales"]] == [("English", "en"), ("Français", "fr")]


@each(
    ("pattern", "route"),
    [
        ("/:section/:year/:month/:day/:slug/", "/blog/2024/05/06/wind-1.2-is-out-and-up-down/"),
        ("/news/:contentbasename/", "/news/wind/"),
        ("/:sections/:slugorcontentbasename", "/blog/deep/wind/"),
        ("/:year/:unknown/", "/blog/deep/wind/"),
    ],
)
def test_pages_lie_where_the_pattern_of_their_section_says(pattern: str, route: str, tmp_path: Path) -> None:
    files = {
        "hugo.toml": f'title = "K"\n[permalinks]\nblog = "{pattern}"\n',
        "content/blog/_index.md": "---\ntitle: Blog\n---\n",
        "content/blog/deep/wind.md": "---\ntitle: Wind 1.2 - is out, and Up/Down!\ndate: 2024-05-06\n---\n\nText.\n",
        "content/docs/a.md": "---\ntitle: A\n---\n",
    }
    plan = plan_of(tmp_path, files, "hugo")
    exact = plan.settings.get("routing", {}).get("exact", {})
    assert exact.get("content/blog/deep/wind.md", "/blog/deep/wind/") == route
    assert set(exact) <= {"content/blog/deep/wind.md"}


def test_a_file_of_settings_for_each_language_is_read(tmp_path: Path) -> None:
    """`languages.fr.toml` was taken for the table of all languages, and its keys for names of languages."""
    files = {
        "config/_default/hugo.toml": 'title = "Kites"\nbaseURL = "https://kites.example/"\ndefaultContentLanguage = "en"\n',
        "config/_default/languages.en.toml": 'contentDir = "content/en"\nlabel = "English"\nweight = 1\n[params]\nmore = "Yes"\n',
        "config/_default/languages.fr.toml": 'contentDir = "content/fr"\nlabel = "Français"\nweight = 2\n[params]\nmore = "Oui"\n',
        "config/_default/menus.fr.toml": '[[main]]\nname = "Nœuds"\nurl = "/knots/"\n',
        "config/_default/params.toml": 'description = "Kites for all"\n',
        "content/en/knots.md": "---\ntitle: Knots\n---\n",
        "content/fr/knots.md": "---\ntitle: Nœuds\n---\n",
    }
    plan = plan_of(tmp_path, files, "hugo")
    assert [(one["label"], one.get("path", "")) for one in plan.settings["locales"]] == [
        ("English", ""),
        ("Français", "fr"),
    ]
    assert plan.settings["locales"][1]["folders"] == {"content/en": "content/fr"}
    assert plan.settings["tagline"] == "Kites for all"
    assert [note.what for note in plan.notes if "without files" in note.what] == []


@each(
    ("name", "route"),
    [
        ("Kinds & Sizes", "/kinds-sizes/"),
        ("Up - Down", "/up-down/"),
        ("What's new (1.2)!", "/whats-new-1.2/"),
        ("C++ ~ C@home_100%", "/c++-~-c@home_100/"),
        ("हिन्दी भाषा", "/हिन्दी-भाषा/"),
        ("50%25 off", "/50%25-off/"),
    ],
)
def test_addresses_hold_what_hugo_lets_pass_of_file_names(name: str, route: str, tmp_path: Path) -> None:
    files = {"hugo.toml": 'title = "K"\n', f"content/{name}.md": "---\ntitle: A\n---\n\nText.\n"}
    assert plan_of(tmp_path, files, "hugo").settings["routing"]["exact"][f"content/{name}.md"] == route
