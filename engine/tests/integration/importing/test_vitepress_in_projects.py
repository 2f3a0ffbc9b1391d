"""Sites of VitePress whose pages lie beside the programs that they describe."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.importing.model import Plan
from octavo.importing.run import make_plan

from .sites import write

FILES = {
    "docs/.vitepress/config.ts": """
import { fileURLToPath } from 'node:url'
export default {
  title: 'Kite',
  cleanUrls: true,
  srcDir: fileURLToPath(new URL('../..', import.meta.url)),
  rewrites: { 'packages/:name/README.md': 'packages/:name.md', 'docs/:rest(.+).md': ':rest.md' },
  vite: { publicDir: fileURLToPath(new URL('../public', import.meta.url)) },
  themeConfig: {
    sidebar: [{ text: 'Guide', items: [
      { text: 'Fly', link: '/guide/fly' }, { text: 'Rope', link: '/packages/rope' }, { text: 'Knots', link: '/packages/rope.md#knots' },
      { text: 'Start', link: '/' }, { text: 'Lost', link: '/guide/lost' },
    ] }],
  },
}
""",
    "package.json": '{"name": "kite"}',
    "docs/index.md": "# Kite\n",
    "docs/guide/fly.md": "# Fly\n",
    "docs/public/kite.txt": "silk",
    "packages/rope/README.md": "# Rope\n\n## Knots\n",
}


@pytest.fixture(params=["", "docs"])
def plan(request: pytest.FixtureRequest, tmp_path: Path) -> Plan:
    write(tmp_path, FILES)
    return make_plan(tmp_path / request.param)[1]


def test_pages_may_lie_above_the_configuration(plan: Plan, tmp_path: Path) -> None:
    assert plan.site_dir == tmp_path
    assert plan.settings["docs"] == "."
    assert plan.settings["routing"]["exact"] == {
        "docs/guide/fly.md": "/guide/fly",
        "docs/index.md": "/",
        "packages/rope/README.md": "/packages/rope",
    }


def test_files_that_are_published_as_they_are_may_lie_elsewhere(plan: Plan) -> None:
    assert plan.settings["static"] == "docs/public"
    assert "docs/public/**" in plan.settings["exclude"]


def test_sidebars_name_pages_by_their_new_addresses(plan: Plan) -> None:
    assert plan.settings["sidebars"][0]["items"][0]["items"] == [
        {"doc": "docs/guide/fly", "label": "Fly"},
        {"doc": "packages/rope/README", "label": "Rope"},
        {"href": "/packages/rope#knots", "label": "Knots"},
        {"doc": "docs/index", "label": "Start"},
        {"href": "/guide/lost", "label": "Lost"},
    ]


def test_parts_of_rewrites_may_have_no_name(tmp_path: Path) -> None:
    files = {
        ".vitepress/config.mjs": "export default { rewrites: { 'texts/:locale/(.*)': ':locale/(.*)', 'old/(\\\\w+)-(\\\\d+).md': 'v(\\\\w+)/(\\\\d+).md' } }",
        "index.md": "# Kite\n",
        "texts/de/wind/fly.md": "# Fliegen\n",
        "old/rope-2.md": "# Rope\n",
    }
    write(tmp_path, files)
    settings = make_plan(tmp_path)[1].settings
    assert settings["routing"]["exact"] == {
        "old/rope-2.md": "/vrope/2.html",
        "texts/de/wind/fly.md": "/de/wind/fly.html",
    }


def test_folders_and_alternatives_that_are_no_pages_are_excluded(tmp_path: Path) -> None:
    files = {
        ".vitepress/config.mjs": "export default { srcExclude: ['old/1.0', '**/{TODO,NOTES}.md', './draft.md', '!old/2.0'] }",
        "index.md": "# Kite\n",
        "old/1.0/fly.md": "# Fly\n",
    }
    write(tmp_path, files)
    assert make_plan(tmp_path)[1].settings["exclude"][-4:] == ["old/1.0/**", "**/TODO.md", "**/NOTES.md", "draft.md"]


def test_pages_that_take_in_code_as_vuepress_does_are_read_with_its_extension(tmp_path: Path) -> None:
    files = {
        ".vitepress/config.mjs": "import include from 'markdown-it-vuepress-code-snippet-enhanced'; export default {}",
        "index.md": "# Kite\n\n@[code lang=java transcludeWith=:::1](@/src/Kite.java)\n",
    }
    write(tmp_path, files)
    assert "vuepress" in make_plan(tmp_path)[1].settings["markdown"]["extensions"]
