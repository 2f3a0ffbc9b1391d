"""Components of Astro that show parts of Starlight, and whose scripts wait for what a build has at once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import write

ASTRO_SITE = {
    "astro.config.mjs": "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'Kite' })] };\n",
    "src/components/CommandTabs.astro": """---
import { Tabs, TabItem, Code } from '@astrojs/starlight/components';
interface Props { npm?: string; cargo?: string }
const { npm, cargo } = Astro.props;
---
<Tabs syncKey="cmd">
  {npm && (<TabItem label="npm"><Code code={npm} lang="sh" theme="css-variables" frame="none" /></TabItem>)}
  {cargo && (<TabItem label="cargo"><Code code={cargo} lang="sh" /></TabItem>)}
</Tabs>
""",
    "src/components/Support.astro": """---
import { createMarkdownProcessor } from '@astrojs/markdown-remark';
import data from './support.json';
const { of } = Astro.props;
const md = await createMarkdownProcessor();
const [head] = await Promise.all([md.render(`_Needs **${data[of].version}**, and waits: await ${of}_`)]);
const words = 'we await a wind';
---
<div set:html={head.code} />
<hr style="border-top: 1px; --own: url(data:a;b)"><em style={`color: ${of}`}>styled</em>
{of && (
  <b>First</b>
  <i>{of}</i> <u>third</u>
)}
<p>Please await the wind: {words}</p>
<p>An async function, async (like this): await it.</p>
<table>{data[of].rows.map(async (row) => {
  const notes = await md.render(row.notes || '');
  return <tr><td>{row.name}</td><td><div set:html={notes.code} /></td></tr>;
})}</table>
""",
    "src/components/support.json": '{"kite": {"version": "1.2", "rows": [{"name": "North", "notes": "See [B](/b) & `a < b`"}]}}',
    "src/components/Ask.astro": "---\nconst found = await fetch('https://x.example');\n---\n<time>{found.status}</time>\n<slot />\n",
    "src/content/docs/b.md": "---\ntitle: B\n---\n",
    "src/content/docs/index.mdx": """---
title: Kite
---

import CommandTabs from '../../components/CommandTabs.astro';
import Support from '../../components/Support.astro';
import Ask from '../../components/Ask.astro';

<CommandTabs npm="npm install kite" cargo="cargo add kite" />

<Support of="kite" />

<Ask>Late</Ask>
""",
}


def test_components_of_astro_with_tabs_and_with_what_waits_for_nothing_are_taken_over(tmp_path: Path) -> None:
    site_dir = write(tmp_path / "site", ASTRO_SITE)
    done = import_site(site_dir)
    assert {item.what.partition(" ")[0].strip('"<>') for item in done.report.items} == {"Ask"}
    out = tmp_path / "out"
    build_site(site_dir, out, has_search=False)
    html = re.sub("<!-- -->", "", (out / "index.html").read_text(encoding="utf-8"))
    assert re.findall(r'aria-selected="(\w+)"[^<>]*>(\w+)</button>', html) == [("true", "npm"), ("false", "cargo")]
    assert "<code>npm install kite</code>" in html
    assert '<hr style="border-top:1px;--own:url(data:a;b)"/><em style="color:kite">styled</em>' in html
    assert "<em>Needs <strong>1.2</strong>, and waits: await kite</em>" in html
    assert "<b>First</b><i>kite</i><u>third</u>" in html
    assert "An async function, async (like this): await it." in html
    assert "Please await the wind: we await a wind" in html
    assert '<td>North</td><td><div><p>See <a href="/b">B</a> &amp; <code>a &lt; b</code></p></div></td>' in html


@pytest.mark.parametrize(
    ("options", "is_title"),
    [
        ("", True),
        ("expressiveCode: { frames: {} }", True),
        ("expressiveCode: { frames: { extractFileNameFromCode: false } }", False),
        ("expressiveCode: { frames: false }", False),
        ("expressiveCode: false", False),
    ],
)
def test_comments_name_files_where_expressive_code_reads_them(tmp_path: Path, options: str, *, is_title: bool) -> None:
    settings = ASTRO_SITE["astro.config.mjs"].replace("title: 'Kite'", f"title: 'Kite', {options}")
    page = "---\ntitle: Kite\n---\n\n```js\n// kite.js\nfly();\n```\n"
    site_dir = write(tmp_path / "site", {"astro.config.mjs": settings, "src/content/docs/index.md": page})
    assert import_site(site_dir).report.items == []
    build_site(site_dir, tmp_path / "out", has_search=False)
    html = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert ("// kite.js" not in html, ">kite.js<" in html) == (is_title, is_title)


def test_players_that_a_script_makes_are_their_frames(tmp_path: Path) -> None:
    files = {
        "astro.config.mjs": ASTRO_SITE["astro.config.mjs"],
        "src/components/Video.astro": """---
export interface Props { videoId: string; videoTitle?: string }
const {videoId, videoTitle = "Video"} = Astro.props;
---

<lite-youtube videoid={videoId} nocookie="true" videotitle={videoTitle} params="color=white&rel=0">
</lite-youtube>

<script type="module">
  import "/assets/js/lite-youtube.js";
</script>
""",
        "src/components/Film.astro": "<lite-vimeo video-id='123'><p>Wait</p></lite-vimeo>\n<script>import 'lite-vimeo';</script>\n",
        "src/content/docs/index.mdx": """---
title: Kite
---

import Video from '../../components/Video.astro';
import Film from '../../components/Film.astro';

<Video videoId="abcdefghijk" videoTitle="A kite flies" />

<Film />
""",
    }
    assert import_site(write(tmp_path / "site", files)).report.items == []
    build_site(tmp_path / "site", tmp_path / "out", has_search=False)
    html = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert re.findall(
        r'<iframe src="([^"]*)" title="([^"]*)" style="aspect-ratio:16 / 9;border:0;width:100%"', html
    ) == [
        ("https://www.youtube-nocookie.com/embed/abcdefghijk", "A kite flies"),
        ("https://player.vimeo.com/video/123", "Video"),
    ]


SHOT = """---
interface Props { name: string; since?: string }
const images = import.meta.glob<ImageMetadata>('/src/assets/**/*.{png,webp}', { eager: true, import: 'default' });
const { name } = Astro.props;
const words = Astro.currentLocale === 'de' ? 'Bild' : 'Picture';
const key = `/src/assets/${name}.png`;
if (!images[key]) throw new Error('missing ' + key);
---
<figure><img src={images[key].src} alt={name} /><figcaption>{words}, from {Astro.url.pathname}</figcaption></figure>
"""
PICTURES = {f"src/assets/{name}.png": "x" * 60_000 for name in ("kite", *(f"other-{number}" for number in range(60)))}
PLAYER = """---
import film from './film.mp4';
---
<video src={film} controls></video>
"""
PAGE = """---
title: Kite
---

import Shot from '../../components/Shot.astro';
import Player from '../../components/Player.astro';

<Shot name="kite" />

<Player />
"""


def test_pictures_that_lie_in_no_folder_of_static_files_are_published(tmp_path: Path) -> None:
    """They are imported from where they lie, which a copy of the site has too; a module may take in hundreds by a pattern."""
    files = {
        "astro.config.mjs": ASTRO_SITE["astro.config.mjs"],
        "src/content/docs/index.mdx": PAGE,
        "src/components/Shot.astro": SHOT,
        "src/components/Player.astro": PLAYER,
        "src/components/film.mp4": "film",
        **PICTURES,
    }
    site = write(tmp_path / "site", files)
    done = import_site(site, to=tmp_path / "copy")
    assert done.report.items == []
    assert [
        note.files for note in done.plan.notes if note.what == "Components that ask for their page or its language"
    ] == [["src/components/Shot.astro"]]
    assert import_site(site).report.items == []
    for folder in (site, tmp_path / "copy"):
        out = tmp_path / f"out-{folder.name}"
        assert build_site(folder, out, has_search=False).is_published
        html = (out / "index.html").read_text(encoding="utf-8")
        assert "Picture, from /" in html
        shown = re.search(r'<img src="(/_octavo/components/[^"]+)" alt="kite"', html)
        film = re.search(r'<video src="(/_octavo/components/[^"]+)"', html)
        assert shown is not None
        assert film is not None
        assert (out / shown[1][1:]).read_text(encoding="utf-8") == "x" * 60_000
        assert (out / film[1][1:]).read_text(encoding="utf-8") == "film"


def test_titles_in_the_text_of_pages_of_starlight_keep_their_ids(tmp_path: Path) -> None:
    files = {
        "astro.config.mjs": 'import { defineConfig } from "astro/config";\nimport starlight from "@astrojs/starlight";\nexport default defineConfig({ integrations: [starlight({ title: "Kite" })] });\n',
        "src/content/docs/index.md": "---\ntitle: Kite\n---\n\n# In the text\n\n[On](#and-another)\n\n# And another\n\nText.\n",
    }
    site = write(tmp_path / "site", files)
    import_site(site)
    built = build_site(site, tmp_path / "out", has_search=False)
    assert [one.code for one in built.diagnostics if one.level == "error"] == []
    html = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert [one for one in ("in-the-text", "and-another") if f'<h1 id="{one}">' not in html] == []


def test_components_that_work_on_names_of_files_are_drawn(tmp_path: Path) -> None:
    """What calls nothing of the file system while it is drawn works without one; what reads a file stays a stub."""
    files = {
        **ASTRO_SITE,
        "src/lib/cache.ts": """import fs from 'node:fs';
import * as path from 'path';
export const kept = (key: string) => (key ? path.join('.cache', key) : fs.readFileSync('x', 'utf8'));
""",
        "src/components/Sound.astro": """---
import { extname, basename as base } from 'node:path';
import path from 'path';
import { kept } from '../lib/cache';
import { getImage } from 'astro:assets';
const { src } = Astro.props;
const logo = await getImage({ src: '/kite.png', width: 20 });
---
<p data-of={logo.src}>{extname(src)} {base(src, '.mp3')} {path.resolve('/a/b', '../c')} {path.relative('/a/b', '/a/c/d')} {path.dirname(src)} {kept('k')}</p>
""",
        "src/components/Cached.astro": "---\nimport { kept } from '../lib/cache';\n---\n<p>Read: {kept('')}</p>\n",
        "src/components/Here.astro": "---\nconst song = Astro.url.href.replace(/\\/$/, '') + '.mp3';\n---\n<audio src={song}>Song</audio>\n",
        "src/content/docs/index.mdx": """---
title: Kite
---

import Sound from '../../components/Sound.astro';
import Cached from '../../components/Cached.astro';
import Here from '../../components/Here.astro';

<Sound src="songs/wind.mp3" />

<Cached />

<Here />
""",
    }
    site = write(tmp_path / "site", files)
    done = import_site(site)
    whys = {one.what.partition(">")[0].partition("<")[2]: one.remedy for one in done.report.items}
    assert set(whys) == {"Cached", "Here"}
    assert "it calls readFileSync of fs" in whys["Cached"]
    assert "it writes the address of its page, which is not known" in whys["Here"]
    build_site(site, tmp_path / "out", has_search=False)
    page = re.sub(r"<!--.*?-->", "", (tmp_path / "out/index.html").read_text(encoding="utf-8"))
    assert '<p data-of="/kite.png">.mp3 wind /a/c ../c/d songs .cache/k</p>' in page
