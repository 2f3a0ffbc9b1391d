"""Blocks of colons that the configuration of a site declares: their names are read, and their text is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from octavo.importing import import_site
from octavo.importing.run import make_plan
from octavo.publish import build_site
from tests.support.each import each

from .sites import text_of, write

PAGE = """# Kite

::: demo Hang *it* up.
Text of a demo.

```html
<b>x</b>
```
:::

::: theorem
Two kites.
:::

::: tip
Own.
:::
"""
PARSER = """
import container from 'markdown-it-container'
import { html5Media } from 'markdown-it-html5-media'
export const extend = (md) => {
  md.renderer.rules.code_inline = (tokens, index) => tokens[index].content
  const old = md.renderer.rules.fence
  md.use(html5Media)
  md.use(container, 'demo', { validate: (one) => true, render: (tokens, index) => '<Demo>' })
    .use(...block('theorem', 'Theorem'), {})
  md.use(container, 'unused', {})
  throw new Error('what comes later is of no interest')
}
function block(name, title) { return [container, name, { render: () => title }] }
"""


def test_containers_of_vitepress_keep_their_text_and_are_noted_once(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            "package.json": "{}",
            "docs/.vitepress/config.ts": "import { extend } from './parts/parser'\nexport default { title: 'Kite', markdown: { config: (md) => extend(md) } }\n",
            "docs/.vitepress/parts/parser.ts": PARSER,
            "docs/index.md": PAGE,
            "docs/more.md": "# More\n\n:::demo\nAgain.\n:::\n",
        },
    )
    report = import_site(site)
    [note] = [one for one in report.plan.notes if "demo" in one.what]
    assert (note.what, note.count) == ("Blocks that a program draws (::: demo, ::: theorem)", 3)
    built = build_site(site, tmp_path / "out", has_search=False)
    assert [one.message for one in built.diagnostics if one.code != "unset-url"] == []
    html = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert '<div class="block-demo"><p>Hang <em>it</em> up.</p>' in html.replace("\n", "")
    assert '<div class="block-theorem"><p>Two kites.</p>' in html.replace("\n", "")
    assert "Text of a demo." in text_of(html)
    assert ":::" not in text_of(html)


def settings(folder: Path, files: dict[str, str]) -> dict[str, Any]:
    return make_plan(write(folder, files))[1].settings["markdown"].get("containers", {})


def test_containers_of_vuepress_and_admonitions_of_docusaurus_are_read(tmp_path: Path) -> None:
    one = "export default { title: 'K', plugins: [['vuepress-plugin-container', { type: 'demo' }], ['container', { type: 'unused' }]], extendMarkdown: (md) => { md.use(require('markdown-it-container'), 'theorem') } }"
    two = "import { containerPlugin } from '@vuepress/plugin-container'\nexport default { title: 'K', plugins: [containerPlugin({ type: 'demo' })], extendsMarkdown: (md) => { md.use(x, 'theorem') } }\nimport x from 'markdown-it-container'"
    for number, config in enumerate((one, two)):
        files = {"docs/.vuepress/config.js": config, "docs/README.md": PAGE, "package.json": "{}"}
        assert settings(tmp_path / str(number), files) == {"demo": "plain", "theorem": "plain"}
    docusaurus = {
        "docusaurus.config.js": "module.exports = { title: 'K', url: 'https://k.example', presets: [['classic', { docs: { admonitions: { keywords: ['note', 'demo'], extendDefaults: true } } }]] }",
        "docs/index.md": PAGE,
    }
    assert settings(tmp_path / "docusaurus", docusaurus) == {"demo": "info"}


def test_sites_without_containers_of_their_own_have_no_setting(tmp_path: Path) -> None:
    for number, config in enumerate(
        (
            "export default { title: 'K' }",
            "export default { title: 'K', markdown: { config(md) { md.use(require('x')) } } }",
            "export default async () => ({ title: 'K', markdown: { config: 'no function', container: { tipLabel: 'T' } } })",
        )
    ):
        files = {"docs/.vitepress/config.js": config, "docs/index.md": PAGE, "package.json": "{}"}
        assert settings(tmp_path / str(number), files) == {}


@each(
    "engine, config, added",
    [
        ("vuepress", "import { hopeTheme } from 'vuepress-theme-hope'\nexport default { theme: hopeTheme({ markdown: { mark: true, sup: true, sub: false, math: { type: 'katex' } } }) }", ["caret", "mark", "math"]),
        ("vuepress", "import { hopeTheme } from 'vuepress-theme-hope'\nexport default { theme: hopeTheme({ plugins: { mdEnhance: { sub: true }, blog: { mark: true } } }) }", ["tilde"]),
        ("vuepress", "import { markdownExtPlugin } from '@vuepress/plugin-markdown-ext'\nexport default { plugins: [markdownExtPlugin({ mark: true }), ['md-enhance', { sup: true }]] }", ["caret", "mark"]),
        ("vuepress", "module.exports = { extendMarkdown: md => { md.use(require('markdown-it-mark')) } }", ["mark"]),
        ("vitepress", "import { sub } from '@mdit/plugin-sub'\nexport default { markdown: { config: (md) => md.use(sub) } }", ["tilde"]),
        ("vitepress", 'import abbr from "markdown-it-abbr"\nexport default { markdown: { config: (md) => md.use(abbr) } }', ["abbr"]),
        ("vitepress", "export default { title: 'mark', description: 'markdown-it-mark is fine' }", []),
    ],
)  # fmt: skip
def test_plugins_of_the_markdown_are_extensions(tmp_path: Path, engine: str, config: str, added: list[str]) -> None:
    files = {f"docs/.{engine}/config.js": config, "docs/index.md": "# Kite\n\n==wind==\n", "package.json": "{}"}
    folder = tmp_path / str(len(list(tmp_path.iterdir())))
    found = make_plan(write(folder, files))[1].settings["markdown"]["extensions"]
    assert sorted(set(found) - {"attr_list", "emoji", "vitepress", "vuepress"}) == added
