"""Sites of Vocs: settings, steps, subtitles, and code that takes in files."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from octavo.config import load_config
from octavo.importing import import_site
from octavo.importing.recognize import recognize

from .sites import write
from .test_mdx_and_vue_sites import published

CONFIG = """
import { defineConfig } from "vocs/config";
export default defineConfig({
  title: "Kite", description: "Fly", baseUrl: "https://kite.example", accentColor: "light-dark(#0b5fff, #7aa7ff)",
  iconUrl: "/kite.svg", logoUrl: { light: "/light.svg", dark: "/dark.svg" },
  editLink: { link: "https://github.com/kite/kite/edit/main/docs/pages/:path", text: "Edit" },
  socials: [{ icon: "github", link: "https://github.com/kite/kite" }],
  redirects: [{ source: "/old", destination: "/guide/start" }],
  topNav: [{ text: "Guide", link: "/guide/start", match: "/guide" }, { text: "More", items: [{ text: "Elsewhere", link: "https://kite.example/x" }] }],
  sidebar: {
    "/guide": [
      { text: "Start", link: "/guide/start" },
      { text: "Ropes", collapsed: true, items: [{ text: "Knot", link: "/guide/ropes/knot" }] },
    ],
    "/api": { backLink: true, items: [{ text: "All", link: "/api" }] },
  },
});
"""
START = """# Start [The first flight]

::::steps

## Look

Up.

## Run

Down.

::::

:::code-group

```ts twoslash [a.ts]
// @noErrors
import { wind } from "kite";
// ---cut---
// [!include ~/snippets/rope.ts:knot /north/south/]
const strength = wind() // [!code focus]
//    ^?
```

```ts [b.ts]
// [!include ~/snippets/rope.ts]
```

```ts [c.ts]
// [!include a.ts]
```

:::

:::success[Well done]
It flies.
:::

```md
# Text [Kept]
::::steps
```
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site with all that its engine has."""
    return write(
        tmp_path / "site",
        {
            "vocs.config.ts": CONFIG,
            "package.json": '{"devDependencies": {"vocs": "1"}}',
            "docs/public/kite.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
            "docs/public/light.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
            "docs/public/dark.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
            "docs/snippets/rope.ts": "// [!region knot]\n  const knot = 'north';\n// [!endregion knot]\nconst rest = 1;\n",
            "docs/components/Box.tsx": "export function Box({ children }) { return <b>{children}</b>; }\n",
            "docs/pages/_root.css": "a { color: red }\n",
            "docs/pages/index.mdx": "---\nlayout: landing\n---\nimport { HomePage } from 'vocs/components'\nimport { Box } from '../components/Box'\n\n"
            "<HomePage.Root>\n<HomePage.Tagline>Flies high</HomePage.Tagline>\n<HomePage.InstallPackage name='kite' type='install' />\n"
            "<HomePage.Buttons>\n<HomePage.Button href='/guide/start' variant='accent'>Go</HomePage.Button>\n</HomePage.Buttons>\n</HomePage.Root>\n\n<Box>Boxed</Box>\n",
            "docs/pages/guide/start.mdx": START,
            "docs/pages/guide/ropes/knot.mdx": "import { Callout } from 'vocs/components'\n\n# Knot\n\n<Callout type=\"warning\">\n\nTie it **well**.\n\n</Callout>\n",
            "docs/pages/api/index.md": "# All\n\nSee [start](/guide/start).\n",
        },
    )


def test_settings_of_vocs_are_taken_over(site: Path) -> None:
    assert recognize(site).engine == "vocs"
    done = import_site(site)
    config = load_config(site)
    assert (config.title, config.tagline, config.url) == ("Kite", "Fly", "https://kite.example")
    assert config.theme.accent is not None
    assert [(one["from"], one["to"]) for one in done.plan.settings["redirects"]] == [("/old", "/guide/start")]
    assert [one["id"] for one in done.plan.settings["sidebars"]] == ["guide", "api"]
    assert done.plan.settings["sidebars"][0]["items"] == [
        {"doc": "guide/start", "label": "Start"},
        {"category": "Ropes", "items": [{"doc": "guide/ropes/knot", "label": "Knot"}], "is_collapsed": True},
    ]
    assert [one["label"] for one in done.plan.settings["navbar"]["items"]] == ["Guide", "More", "GitHub"]
    assert done.plan.settings["edit_url"] == "https://github.com/kite/kite/edit/main/"


def test_pages_of_vocs_lose_nothing(site: Path) -> None:
    _, codes = published(site, "guide/start/index.html")
    html = (site.parent / "out/guide/start/index.html").read_text(encoding="utf-8")
    text = unescape(re.sub(r"<[^>]*>", "", html[html.index("<main") : html.rindex("</main>")]))
    assert codes == []
    assert "StartThe first flight" in text
    for words in (
        "const knot = 'south';",
        "const strength = wind()",
        "const rest = 1;",
        "It flies.",
        "Well done",
        "# Text [Kept]",
    ):
        assert words in text, words
    for words in ("noErrors", "import { wind }", "cut", "^?", "[!"):
        assert words not in text, words
    assert 'class="steps"' in html
    home = (site.parent / "out/index.html").read_text(encoding="utf-8")
    for words in ("Flies high", "npm install kite", "Go</a>", "Boxed"):
        assert words in home, words


def test_a_file_that_code_takes_in_and_that_is_missing_is_a_finding(site: Path) -> None:
    write(
        site,
        {
            "docs/pages/api/gone.md": "# Gone\n\n```ts\n// [!include ~/gone.ts]\n// [!include ~/snippets/rope.ts:loop]\n// [!include ~/../../../etc/passwd]\n```\n"
        },
    )
    text, codes = published(site, "api/gone/index.html")
    assert codes == ["missing-snippet"] * 3
    assert "root:" not in text


def test_trees_of_files_and_terminals_are_drawn(site: Path) -> None:
    page = (
        "# Files\n\n:::file-tree\n- +kites/\n  - delta.md\n  - +more/\n    - box.md\n- +1\n:::\n\n"
        ":::terminal\n```bash\nfly\n```\n\n```ansi\nUp.\n```\n:::\n\n```md\n:::terminal\n:::\n```\n"
    )
    write(site, {"docs/pages/api/files.md": page})
    text, codes = published(site, "api/files/index.html")
    assert codes == []
    assert "kites/ delta.md more/ box.md 1" in text
    html = (site.parent / "out/api/files/index.html").read_text(encoding="utf-8")
    assert 'class="file-tree"' in html
    assert html.count("admonition") == 0
    assert text.count(":::") == 2
