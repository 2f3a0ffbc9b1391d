"""Data loaders of VitePress: what they gather is there for components that import it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import write

FILES = {
    ".vitepress/config.ts": "export default { title: 'Kite' };\n",
    ".vitepress/theme/index.ts": "import Notes from './Notes.vue';\nexport default { enhanceApp({ app }) { app.component('Notes', Notes); } };\n",
    ".vitepress/theme/Notes.vue": """<script setup>
import { data } from '../../notes.data.js'
</script>

<template>
  <ul><li v-for="one in data" :key="one.url"><a :href="one.url">{{ one.title }}</a> of {{ one.year }}: {{ one.words }}</li></ul>
</template>
""",
    "index.md": "# Kite\n\n<Notes />\n",
    "notes/first.md": "---\ntitle: First\ndate: 2024-05-06\n---\n\nOne two.\n",
    "notes/deep/second.md": "---\ntitle: Second\ndate: 2025-05-06\n---\n\nThree.\n",
    "other.md": "---\nitself: &a [*a]\n---\n\n# Other\n",
}
LOADERS = {
    "content": """import { createContentLoader } from 'vitepress'
interface Note { title: string; url: string }
declare const data: Note[]
export { data }
export default createContentLoader<Array<Note & { year: string }>>(['notes/**/*.md'], {
  includeSrc: true,
  transform(pages) {
    return pages
      .map(({ url, frontmatter, src }) => ({ url, title: frontmatter.title, year: String(frontmatter.date).slice(0, 4), words: src.trim() }))
      .sort((a, b) => a.year.localeCompare(b.year))
  },
})
""",
    "load": """import fs from 'node:fs'
export default {
  watch: ['./notes/*.md'],
  async load() {
    const text = fs.readFileSync('notes/first.md', 'utf-8')
    return [
      { url: '/notes/first', title: 'First', year: 2024, words: text.includes('One two.') ? 'One two.' : '' },
      { url: '/notes/deep/second', title: 'Second', year: 2025, words: 'Three.' },
    ]
  },
}
""",
}


@pytest.mark.parametrize("kind", LOADERS)
def test_components_show_what_a_loader_gathers(kind: str, tmp_path: Path) -> None:
    done = import_site(write(tmp_path / "site", FILES | {"notes.data.ts": LOADERS[kind]}))
    assert [one.what for one in done.report.items if "stub-component" in one.what] == []
    (note,) = (one for one in done.report.notes if "gathered" in one.what)
    assert note.files == ["notes.data.ts"]
    out = tmp_path / "out"
    build_site(done.plan.site_dir, out, has_search=False)
    html = re.sub("<!-- -->", "", next(out.glob("index.html")).read_text(encoding="utf-8"))
    assert re.findall(
        r"<li><a href=\"[^\"]*/(first|second)(?:\.html)?\">(First|Second)</a> of (\d+): ([^<]*)</li>", html
    ) == [
        ("first", "First", "2024", "One two."),
        ("second", "Second", "2025", "Three."),
    ]


def test_loader_that_asks_for_drawn_pages_leaves_a_stub_that_says_so(tmp_path: Path) -> None:
    loader = "import { createContentLoader } from 'vitepress'\nexport default createContentLoader('notes/*.md', { excerpt: true })\n"
    found = import_site(write(tmp_path / "site", FILES | {"notes.data.ts": loader})).report.items
    (item,) = (one for one in found if "stub-component" in one.what)
    assert "notes.data.ts" in item.remedy
    assert "pages that are drawn" in item.remedy
