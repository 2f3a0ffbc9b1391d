"""Sites of the first versions of VitePress, and settings that go through lists of files that are not there."""

from __future__ import annotations

from pathlib import Path

from octavo.importing import import_site

from .sites import labels, write

CONFIG = """module.exports = {
  locales: { '/': { lang: 'en-US', title: 'Kite' }, '/zh/': { lang: 'zh-CN', title: 'Kite' } },
  themeConfig: {
    repo: 'kite/kite', docsDir: 'docs', docsBranch: 'master', editLinks: true,
    locales: {
      '/': { label: 'English', nav: [{ text: 'Guide', link: '/guide/' }],
        sidebar: { '/guide/': [{ text: 'Start', children: [{ text: 'Land', link: '/guide/land' }] }, ['/guide/', 'Fly']] } },
      '/zh/': { label: 'ZH', nav: [], sidebar: { '/zh/guide/': [{ text: 'Z', children: [{ text: 'L', link: '/zh/guide/land' }] }] } },
    },
  },
};
"""


def test_languages_and_sidebars_of_early_versions_are_read(tmp_path: Path) -> None:
    pages = {
        f"docs/{folder}{name}.md": "# A\n" for folder in ("", "zh/") for name in ("index", "guide/index", "guide/land")
    }
    write(tmp_path, {"docs/.vitepress/config.js": CONFIG, **pages})
    done = import_site(tmp_path)
    settings = done.plan.settings
    assert [one["id"] for one in settings["locales"]] == ["en-US", "zh-CN"]
    assert labels(settings["sidebars"][0]["items"]) == ["Start", "guide/land", "guide/index"]
    links = [(one.get("label"), one.get("href")) for one in settings["navbar"]["items"]]
    assert ("Guide", "/guide/") in links
    assert any(href == "https://github.com/kite/kite" for _, href in links)
    assert settings["edit_url"] == "https://github.com/kite/kite/edit/master/"
    assert not [one for one in done.report.notes if one.what.startswith(("Languages", "Settings of the old site"))]


def test_tree_of_a_missing_file_comes_to_an_end(tmp_path: Path) -> None:
    config = (
        "import made from './made.json';\nconst down = (items) => { for (const one of items) if (one.items) down(one.items); return items; };\n"
        "export default { title: 'Kite', themeConfig: { sidebar: [...down(made.slice(1)), { text: 'A', link: '/a' }] } };\n"
    )
    write(tmp_path, {".vitepress/config.mts": config, "a.md": "# A\n"})
    done = import_site(tmp_path)
    assert done.plan.settings["title"] == "Kite"
    assert labels(done.plan.settings["sidebars"][0]["items"]) == ["a"]
    assert not [one for one in done.report.notes if "could not be run" in one.what]
