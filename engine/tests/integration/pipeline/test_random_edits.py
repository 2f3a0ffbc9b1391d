"""After any edits, a build publishes what a fresh build of the same folder does: pages, search files, and the server's index."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import pytest

from octavo.diagnostics import Diagnostic
from octavo.manifest import MANIFEST_PATH
from octavo.publish.build import build_site
from octavo.search import SHARDS_FOLDER
from octavo.search.index.tantivy_index import IndexReader
from tests.support.sites import HOME, SVG, TWO_LOCALES, MakeSite, SiteFolder, page

EDITS = int(os.environ.get("OCTAVO_BUILD_EDITS", "8"))
"""Builds of one run, each after one edit or several."""
SEED = int(os.environ.get("OCTAVO_BUILD_SEED", "20261127"))

SETTINGS = f'{TWO_LOCALES}\n[diagnostics]\nbroken_links = "warn"\nbroken_anchors = "warn"\n'
WORDS = [
    *("kiln", "glaze", "clay", "firing", "potter", "wheel", "slip", "bisque", "the", "of", "and", "C++", "v2.1"),
    *("cone-6", "cone.6", "--max-heat", "heatKiln", "kiln_heat", "read_me", "/api/v1/kilns", "$KILN_HOME"),
    *("Ünglasiert", "brûlé", "陶器の窯"),
]
FOLDERS = ("", "guides/", "guides/deep/", "reference/", "zeta/")
NOTE = "docs/_note.mdx"
CATEGORY = "docs/guides/_category_.yaml"


@pytest.mark.parametrize("seed", [SEED, SEED + 1])
def test_builds_after_random_edits_equal_fresh_builds(make_site: MakeSite, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    site = make_site(
        {
            **HOME,
            NOTE: "A note.\n",
            CATEGORY: "label: Guides\nlink: { type: generated-index }\n",
            "static/flow.svg": SVG,
            "static/x.txt": "x",
            **{f"docs/{rng.choice(FOLDERS)}p{number}.mdx": _page(rng, number) for number in range(9)},
            "i18n/fr/accueil.mdx": page("Accueil", "Le four."),
        },
        SETTINGS,
    )
    assert [one for one in _build(site) if one.level == "error"] == []
    done: list[str] = []
    for number in range(EDITS):
        done += [_edit(site, rng, number) for _ in range(rng.choice((1, 1, 1, 2, 5)))]
        findings = _build(site)
        fresh, expected = _build_fresh(site, tmp_path / f"fresh-{number}")
        assert _differences(site, fresh) == [], done
        assert findings == expected, done
        shutil.rmtree(fresh.root.parent)


def _build(site: SiteFolder) -> list[Diagnostic]:
    """Build whatever is wrong, for an edit may break links or give two pages one address; gives the findings."""
    build = build_site(site.root, site.out, publishes_always=True)
    assert build.is_published
    return build.diagnostics


def _build_fresh(site: SiteFolder, folder: Path) -> tuple[SiteFolder, list[Diagnostic]]:
    """Build the same sources elsewhere, without a cache."""
    other = SiteFolder.__new__(SiteFolder)
    other.root, other.out = folder / "site", folder / "out"
    shutil.copytree(site.root, other.root, ignore=shutil.ignore_patterns(".octavo"))
    return other, _build(other)


def _differences(site: SiteFolder, fresh: SiteFolder) -> list[str]:
    """Name the files that differ, and the search index.

    Search files of the build before stay for readers who have its pages open; they, and the lines of the manifest about
    them, are not difference.
    """
    now, expected = site.pages(), fresh.pages()
    kept = {name for name in now.keys() - expected.keys() if name.startswith(f"{SHARDS_FOLDER}/")}
    now = {name: content for name, content in now.items() if name not in kept}
    manifest = site.manifest()
    files = {name: file for name, file in manifest.files.items() if name not in kept}
    now[MANIFEST_PATH] = msgspec.json.encode(msgspec.structs.replace(manifest, files=files))
    names = [name for name in sorted(now.keys() | expected.keys()) if now.get(name) != expected.get(name)]
    return names if _records(site) == _records(fresh) else [*names, "records of the server's index"]


def _records(site: SiteFolder) -> Mapping[str, bytes]:
    """Read the records of the server's index by their ids."""
    reader = IndexReader(site.out / site.manifest().search)
    return {record.object_id: msgspec.json.encode(record) for record in reader.all_records()}


def _sentence(rng: random.Random) -> str:
    return f"{' '.join(rng.choices(WORDS, k=rng.randint(3, 12)))}."


def _page(rng: random.Random, number: int) -> str:
    """Write a page with headings, code, a partial, a picture and links, each now and then."""
    blocks = [_sentence(rng)]
    for _ in range(rng.randint(0, 4)):
        blocks.append(f"{rng.choice(('##', '###'))} {' '.join(rng.sample(WORDS[:8], 2))}")
        blocks += [_sentence(rng) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.3:
        blocks.append("```python\nheatKiln(--max-heat)\n```")
    if rng.random() < 0.3:
        blocks = ["import Note from '@site/docs/_note.mdx'", "<Note />", *blocks]
    if rng.random() < 0.3:
        blocks.append(f"![flow](/flow.svg) [one](/guides/p{rng.randint(0, 9)})")
    front = {"sidebar_position": rng.randint(1, 9)} if rng.random() < 0.3 else {}
    return page(f"{rng.choice(WORDS[:6]).title()} {number}", "\n\n".join(blocks), **front)


def _edit(site: SiteFolder, rng: random.Random, number: int) -> str:
    """Make one edit; gives its name."""
    pages = sorted((site.root / "docs").rglob("p*.mdx"))
    chosen = rng.choice(pages)
    text = chosen.read_text()
    name = f"docs/{rng.choice(FOLDERS)}p{rng.randint(10, 99)}.mdx"

    def rename() -> None:
        chosen.unlink()
        site.write({name: text})

    def remove() -> None:
        if len(pages) > 4:
            chosen.unlink()

    def exchange() -> None:
        other = rng.choice(pages)
        first, second = text, other.read_text()
        other.write_text(first)
        chosen.write_text(second)

    edits: dict[str, Callable[[], object]] = {
        "word": lambda: chosen.write_text(text.replace(rng.choice(WORDS), rng.choice(WORDS), 1)),
        "text": lambda: chosen.write_text(f"{text}\n{_sentence(rng)}\n"),
        "new word": lambda: chosen.write_text(f"{text}\nword{number}{rng.randint(0, 999)}\n"),
        "page": lambda: chosen.write_text(_page(rng, number)),
        "add": lambda: site.write({name: _page(rng, number)}),
        "copy": lambda: site.write({name: text}),
        "copy of another language": lambda: site.write({f"i18n/fr/{chosen.name}": text}),
        "remove": remove,
        "rename": rename,
        "exchange": exchange,
        "unlisted": lambda: chosen.write_text(page("Hidden", "Text.", unlisted=True)),
        "draft": lambda: chosen.write_text(page("Draft", "Text.", draft=True)),
        "slug": lambda: chosen.write_text(page("Slug", _sentence(rng), slug=f"/elsewhere/{number}")),
        "partial": lambda: site.write({NOTE: f"{_sentence(rng)}\n"}),
        "picture": lambda: site.write({"static/flow.svg": SVG.replace("40", str(rng.randint(41, 90)))}),
        "category": lambda: site.write({CATEGORY: f"label: Guides {number}\nlink: {{ type: generated-index }}\n"}),
        "static file": lambda: site.write({f"static/x{number}.txt": "y"}),
        "title of the site": lambda: site.write({"octavo.toml": f'title = "Site {number}"\n{SETTINGS}'}),
        "synonyms": lambda: site.write(
            {"octavo.toml": f'title = "Site"\n{SETTINGS}[search.synonyms]\nkiln = ["oven {number}"]\n'}
        ),
        "nothing": lambda: None,
    }
    kind = rng.choice(list(edits))
    edits[kind]()
    return kind
