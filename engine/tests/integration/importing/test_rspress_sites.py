"""Sites of Rspress: languages, the order of `_meta.json`, and the components of its theme."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from octavo.config import load_config
from octavo.errors import UsageError
from octavo.importing import import_site
from octavo.importing.recognize import recognize
from octavo.publish import build_site

from .sites import write
from .test_mdx_and_vue_sites import published

CONFIG = """
import path from "node:path";
import { defineConfig } from "@rspress/core";
export default defineConfig({
  root: path.join(__dirname, "docs"), title: "Kite", icon: "/kite.svg", lang: "en", base: "/kite/",
  logo: { light: "/light.svg", dark: "/dark.svg" },
  locales: [{ lang: "zh", label: "简体中文" }, { lang: "en", label: "English", description: "Fly" }],
  builderConfig: { resolve: { alias: { "@parts": path.join(__dirname, "parts") } } },
  themeConfig: {
    footer: { message: "© Kite" },
    socialLinks: [{ icon: "github", mode: "link", content: "https://github.com/kite/kite" }],
    editLink: { docRepoBaseUrl: "https://github.com/kite/kite/tree/main/docs" },
  },
});
"""


def dumped(value: Any) -> str:
    """Write a file in JSON."""
    return json.dumps(value, ensure_ascii=False)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site with two languages."""
    return write(
        tmp_path / "site",
        {
            "rspress.config.ts": CONFIG,
            "package.json": "{}",
            "tsconfig.json": '{"compilerOptions": {"paths": {"@en/*": ["./docs/en/*"]}}}',
            "parts/note.mdx": "A note of {props.name || 'Kite'}.\n",
            "docs/public/kite.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
            "docs/public/light.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
            "docs/public/dark.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
            "docs/en/_nav.json": dumped(
                [
                    {"text": "Guide", "link": "/guide/start/", "activeMatch": "/guide/"},
                    {"text": "More", "items": [{"text": "Repository", "link": "https://kite.example/"}]},
                ]
            ),
            "docs/en/index.md": "---\npageType: home\nhero:\n  name: Kite\n  text: Flies high\n  actions:\n"
            "    - text: Go\n      link: /guide/start/\n---\n",
            "docs/en/guide/_meta.json": dumped(
                [
                    {"type": "section-header", "label": "First steps"},
                    {"type": "dir-section-header", "name": "start", "label": "Start"},
                    {"type": "divider"},
                    {"type": "section-header", "label": "More"},
                    {"type": "dir", "name": "ropes", "label": "Ropes", "collapsed": True},
                    {"type": "file", "name": "wind.mdx", "label": "Wind"},
                    "lift",
                    "gone",
                    {"type": "custom-link", "link": "https://kite.example/", "label": "Elsewhere"},
                ]
            ),
            "docs/en/guide/start/index.mdx": "import Note from '@parts/note.mdx';\nimport Rope from '@en/guide/ropes/knot.mdx';\n"
            "import { PackageManagerTabs, Tabs, Tab, Steps, Badge, SourceCode } from '@theme';\n\n# Start\n\n<Note />\n\n<Rope />\n\n"
            '<PackageManagerTabs command="add kite -D" />\n\n<PackageManagerTabs command={{ npm: "npm create kite", bun: "bun create kite" }} />\n\n'
            '<Tabs>\n<Tab label="North">\n\nCold.\n\n</Tab>\n</Tabs>\n\n<Steps>\n\n## Look {#begin}\n\nUp.\n\n</Steps>\n\n<Badge text="new" />\n\n'
            '<SourceCode href="https://kite.example/source" />\n\n:::tip Hint\nHold on.\n:::\n\nSee [wind](/guide/wind.html).\n',
            "docs/en/guide/ropes/index.mdx": "# All ropes\n",
            "docs/en/guide/ropes/knot.mdx": "A knot.\n",
            "docs/en/guide/wind.mdx": "# Wind\n",
            "docs/en/guide/lift.mdx": "# Lift\n",
            "docs/zh/guide/wind.mdx": "# 风\n",
            "docs/zh/guide/_meta.json": '["wind"]',
        },
    )


def test_settings_are_taken_over(site: Path) -> None:
    plan = import_site(site).plan
    settings = plan.settings
    assert (settings["title"], settings["tagline"], settings["base_url"]) == ("Kite", "Fly", "/kite/")
    assert (settings["docs"], settings["static"], settings["favicon"]) == ("docs/en", "docs/public", "/kite.svg")
    assert settings["edit_url"] == "https://github.com/kite/kite/tree/main/"
    assert settings["locales"] == [
        {"id": "en", "label": "English"},
        {"id": "zh", "label": "简体中文", "path": "zh", "folders": {"docs/en": "docs/zh"}},
    ]
    assert settings["markdown"]["aliases"] == {"@en": "docs/en", "@parts": "parts"}
    assert settings["navbar"]["logo"] == {"src": "/light.svg", "src_dark": "/dark.svg", "alt": "Kite"}
    assert settings["navbar"]["items"] == [
        {"label": "Guide", "href": "/guide/start/"},
        {"label": "More", "items": [{"label": "Repository", "href": "https://kite.example/"}]},
        {"type": "locale", "label": "Language", "position": "right"},
        {"label": "GitHub", "href": "https://github.com/kite/kite", "position": "right", "icon": "github"},
    ]
    assert settings["footer"] == {"copyright": "© Kite"}
    load_config(site)


def test_sidebar_is_that_of_the_meta_files(site: Path) -> None:
    plan = import_site(site).plan
    assert plan.settings["sidebars"] == [
        {
            "id": "guide",
            "items": [
                {
                    "category": "First steps",
                    "is_collapsed": False,
                    "items": [{"category": "Start", "is_collapsed": False, "items": [{"doc": "guide/start/index"}]}],
                },
                {
                    "category": "More",
                    "is_collapsed": False,
                    "items": [
                        {
                            "category": "Ropes",
                            "link": {"type": "doc", "id": "guide/ropes/index"},
                            "items": [{"doc": "guide/ropes/knot"}],
                            "is_collapsed": True,
                        },
                        {"doc": "guide/wind", "label": "Wind"},
                        {"doc": "guide/lift"},
                        {"href": "https://kite.example/", "label": "Elsewhere"},
                    ],
                },
            ],
        }
    ]
    assert [note.files for note in plan.notes if "do not exist" in note.what] == [["guide/gone"]]


def test_pages_keep_their_addresses_and_their_components(site: Path) -> None:
    text, codes = published(site, "guide/start/index.html")
    assert "A note of Kite." in text
    assert "A knot." in text
    assert "npm install kite -D" in text
    assert "pnpm add" in text
    assert "npm create kite" in text
    assert "North" in text
    assert "Source" in text
    assert codes == []
    out = site.parent / "out"
    assert 'id="begin"' in (out / "guide/start/index.html").read_text(encoding="utf-8")
    assert (out / "guide/wind.html").is_file()
    assert "风" in (out / "zh/guide/wind.html").read_text(encoding="utf-8")
    assert "Flies high" in (out / "index.html").read_text(encoding="utf-8")


def test_sidebars_of_the_settings_count(tmp_path: Path) -> None:
    sidebar = {
        "/guide/": [
            {"sectionHeaderText": "Basics"},
            {"text": "Group", "collapsed": True, "link": "/guide/", "items": ["/guide/wind"]},
            {"dividerType": "solid"},
            {"text": "Lift", "link": "/guide/lift"},
        ]
    }
    site = write(
        tmp_path / "site",
        {
            "rspress.config.js": f"export default {{ title: 'Kite', route: {{ cleanUrls: true }}, themeConfig: {{ sidebar: {dumped(sidebar)} }} }};\n",
            "docs/index.md": "# Kite\n",
            "docs/guide/index.md": "# Guide\n",
            "docs/guide/wind.md": "# Wind\n",
            "docs/guide/lift.md": "# Lift\n",
        },
    )
    settings = import_site(site).plan.settings
    link = {"type": "doc", "id": "guide/index"}
    group = {"category": "Group", "link": link, "items": [{"doc": "guide/wind"}], "is_collapsed": True}
    lift = {"doc": "guide/lift", "label": "Lift"}
    basics = {"category": "Basics", "is_collapsed": False, "items": [group, lift]}
    assert settings["sidebars"] == [{"id": "guide", "items": [basics]}]
    assert "ending" not in settings["routing"]


@pytest.mark.parametrize("lang", ["../../etc", "", "/etc", "gone"])
def test_languages_outside_of_the_site_are_left_out(tmp_path: Path, lang: str) -> None:
    config = f"export default {{ title: 'Kite', root: '/etc', locales: [{{ lang: {dumped(lang)} }}] }};\n"
    site = write(tmp_path / "site", {"rspress.config.js": config, "docs/index.md": "# Kite\n"})
    settings = import_site(site).plan.settings
    assert settings["docs"] == "docs"
    assert "locales" not in settings


def test_a_configuration_of_the_whole_project_counts_where_it_has_a_site(tmp_path: Path) -> None:
    site = write(tmp_path / "site", {"rstack.config.ts": "define.lib({});\n", "docs/index.md": "# Kite\n"})
    assert recognize(site).engine == "plain"
    (site / "rstack.config.ts").write_text("import { define } from 'rstack';\ndefine.doc({ title: 'Kite' });\n")
    assert recognize(site).engine == "rspress"
    with pytest.raises(UsageError, match="no docusaurus site"):
        recognize(site, "docusaurus")


VERSIONED = """
export default {
  root: "docs", title: "Kite", route: { cleanUrls: true },
  multiVersion: { default: "v2", versions: ["v1", "v2", "v3"] },
};
"""


def test_versions_in_folders_are_carried_over(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            "rspress.config.ts": VERSIONED,
            "docs/public/kite.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
            "docs/v1/index.md": "# Old kite\n",
            "docs/v1/guide/_meta.json": '["wind"]',
            "docs/v1/guide/wind.md": "# Old wind\n",
            "docs/v2/index.md": "# Kite\n",
            "docs/v2/guide/_meta.json": '[{"type": "file", "name": "wind", "label": "Wind"}]',
            "docs/v2/guide/wind.md": "# New wind\n",
        },
    )
    plan = import_site(site).plan
    assert plan.settings["versions"] == [
        {"name": "v2", "label": "v2", "path": "", "docs": "docs/v2"},
        {
            "name": "v1",
            "label": "v1",
            "path": "v1",
            "docs": "docs/v1",
            "sidebars": [{"id": "guide", "items": [{"doc": "guide/wind"}]}],
        },
    ]
    assert {"type": "version", "position": "right"}.items() <= plan.settings["navbar"]["items"][-1].items()
    assert [note.files for note in plan.notes if "without a folder" in note.what] == [["docs/v3"]]
    build_site(site, tmp_path / "out", has_search=False)
    assert "New wind" in (tmp_path / "out/guide/wind/index.html").read_text(encoding="utf-8")
    assert "Old wind" in (tmp_path / "out/v1/guide/wind/index.html").read_text(encoding="utf-8")


def test_versions_in_languages_are_carried_over(tmp_path: Path) -> None:
    config = VERSIONED.replace('root: "docs",', 'root: "docs", lang: "en", locales: [{ lang: "en" }, { lang: "zh" }],')
    files = {f"docs/{v}/{lang}/wind.md": f"# Wind {v} {lang}\n" for v in ("v1", "v2") for lang in ("en", "zh")}
    site = write(tmp_path / "site", {"rspress.config.ts": config, **files})
    plan = import_site(site).plan
    assert plan.settings["docs"] == "docs/v2/en"
    folders = {"docs/v2/en": "docs/v2/zh", "docs/v1/en": "docs/v1/zh"}
    assert plan.settings["locales"][1]["folders"] == folders
    build_site(site, tmp_path / "out", has_search=False)
    assert "Wind v1 zh" in (tmp_path / "out/zh/v1/wind/index.html").read_text(encoding="utf-8")
    assert [note.count for note in plan.notes if "/zh/v1/" in note.remedy] == [1]


def test_unreadable_settings_of_folders_are_noted(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            "rspress.config.ts": "export default { title: 'Kite', route: { exclude: ['a/**', '**/!(b).md'] } };\n",
            "docs/_nav.json": "[",
            "docs/index.md": "# Kite\n",
            "docs/guide/_meta.json": '["wind",]',
            "docs/guide/wind.md": "# Wind\n",
        },
    )
    notes = import_site(site).plan.notes
    whats = [note.what for note in notes if "cannot be read" in note.what]
    assert whats == ["docs/guide/_meta.json cannot be read", "docs/_nav.json cannot be read"]
    assert all(f"{note.files[0]}:1:" in note.remedy for note in notes if "cannot be read" in note.what)
    assert any("**/!(b).md" in note.what for note in notes)


def test_folder_of_pages_is_found_where_a_package_makes_the_configuration(tmp_path: Path) -> None:
    site_dir = write(
        tmp_path / "site",
        {
            "rspress.config.ts": 'import { withPreset } from "@kite/preset";\nexport default withPreset({ context: __dirname, docs: { rootDir: "src/latest" } });\n',
            "package.json": '{"name": "kite-docs"}',
            "src/latest/_nav.json": dumped([{"text": "Guide", "link": "/guide/start"}]),
            "src/latest/index.md": "# Kite\n",
            "src/latest/guide/start.md": "# Start\n\nLine out.\n",
            "src/latest/api/_meta.json": '["reel"]',
            "src/latest/api/reel.md": "# Reel\n",
            "src/v1/_nav.json": "[]",
            "src/v1/index.md": "# Old\n",
        },
    )
    done = import_site(site_dir)
    assert load_config(site_dir).docs == "src/latest"
    assert done.report.pages == 3
    assert ["names no folder of pages" in note.what for note in done.report.notes].count(True) == 1


def test_components_of_the_theme_that_a_site_has_itself_are_taken_over(tmp_path: Path) -> None:
    site_dir = write(
        tmp_path / "site",
        {
            "rspress.config.ts": "export default {};\n",
            "package.json": "{}",
            "theme/index.tsx": 'import { Reel } from "./components/Reel";\nexport { Reel };\nexport * from "@rspress/core/theme-original";\n',
            "theme/components/Reel.tsx": "export function Reel({ turns }: { turns: number }) { return <b>{turns * 2} turns</b>; }\n",
            "docs/index.mdx": 'import { Reel, PackageManagerTabs } from "@theme";\n\n# Kite\n\n<Reel turns={4} />\n\n<PackageManagerTabs command="install kite" />\n',
        },
    )
    shown, codes = published(site_dir, "index.html")
    assert codes == []
    assert "8 turns" in shown
    assert "npm install kite" in shown


def test_components_that_ask_for_texts_are_taken_over_where_the_site_has_one_language(tmp_path: Path) -> None:
    files = {
        "rspress.config.ts": 'export default { lang: "de" };\n',
        "package.json": "{}",
        "i18n.json": dumped({"wind": {"de": "Wind aus Nord", "en": "Northern wind"}}),
        "theme/index.tsx": 'export { Wind } from "./Wind";\n',
        "theme/Wind.tsx": (
            'import { useI18n, useLang } from "@rspress/core/runtime";\n'
            "export const Wind = () => { const t = useI18n(); return <b>{t('wind')} ({useLang()})</b>; };\n"
        ),
        "docs/index.mdx": 'import { Wind } from "@theme";\n\n# Kite\n\n<Wind />\n',
    }
    shown, codes = published(write(tmp_path / "one", files), "index.html")
    assert codes == []
    assert "Wind aus Nord ( de )" in shown
    several = {name.replace("docs/", "docs/de/"): text for name, text in files.items()}
    several |= {"docs/de/_nav.json": "[]", "docs/en/_nav.json": "[]", "docs/en/index.mdx": files["docs/index.mdx"]}
    items = import_site(write(tmp_path / "two", several)).report.items
    assert ["asks for the language" in one.remedy for one in items] == [True]


def test_stub_that_is_not_needed_any_more_is_removed_by_the_next_import(tmp_path: Path) -> None:
    files = {
        "rspress.config.ts": "export default {};\n",
        "package.json": "{}",
        "docs/index.mdx": "# Kite\n\n<Reel>Kept</Reel>\n\n<Line>Kept too</Line>\n",
    }
    site_dir = write(tmp_path / "site", files)
    import_site(site_dir)
    stubs = site_dir / "octavo-components"
    assert sorted(path.name for path in stubs.iterdir()) == ["Line.mdx", "Reel.mdx"]
    (stubs / "Line.mdx").write_text("My own line: {props.children}\n", encoding="utf-8")
    (site_dir / "docs/index.mdx").write_text("# Kite\n\n<Line>Kept too</Line>\n", encoding="utf-8")
    import_site(site_dir, force=True)
    assert [path.name for path in stubs.iterdir()] == ["Line.mdx"]


def test_page_with_the_name_of_its_folder_keeps_its_address(tmp_path: Path) -> None:
    config = 'export default { root: "docs", title: "Kite" };\n'
    write(
        tmp_path,
        {
            "rspress.config.ts": config,
            "docs/index.md": "# Kite\n",
            "docs/guide/guide.md": "# Guide\n",
            "docs/2-fly.md": "# Fly\n",
        },
    )
    import_site(tmp_path)
    build_site(tmp_path, tmp_path / "out", has_search=False)
    assert (tmp_path / "out/guide/guide.html").is_file()
    assert (tmp_path / "out/2-fly.html").is_file()


LANGUAGES = (("en", "wind"), ("zh", "feng"))


def test_sidebar_is_that_of_the_first_language(tmp_path: Path) -> None:
    locales = [{"lang": lang, "label": lang, "sidebar": {"/": [f"/{lang}-{name}"]}} for lang, name in LANGUAGES]
    config = {"title": "Kite", "lang": "en", "themeConfig": {"locales": locales}}
    files = {f"docs/{lang}/{one}-{name}.md": "# Kite\n" for lang, _ in LANGUAGES for one, name in LANGUAGES}
    files |= {f"docs/{lang}/index.md": "# Home\n" for lang, _ in LANGUAGES}
    site = write(tmp_path, {"rspress.config.js": f"export default {dumped(config)};\n", **files})
    [sidebar] = import_site(site).plan.settings["sidebars"]
    assert sidebar["items"] == [{"doc": "en-wind"}]
