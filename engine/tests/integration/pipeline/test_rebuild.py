"""Building again: only what changed is drawn, and the outcome is that of a fresh build, byte for byte."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec
import pytest

from octavo.manifest import MANIFEST_PATH
from octavo.runtime.toolchain import documents_key, index_key, pages_key
from octavo.search import SHARDS_FOLDER
from tests.support.sites import HOME, SVG, MakeSite, SiteFolder, page

FILES: dict[str, str | bytes] = {
    **HOME,
    "docs/a.mdx": page("A", "import Note from './_note.mdx'\n\n<Note />\n\n[b](./b.md) ![flow](./flow.svg)"),
    "docs/b.md": page("B", "## Ports\n\n```python\nprint(1)\n```"),
    "docs/c.md": page("C", "[data](./data.csv)"),
    "docs/guides/_category_.yaml": "label: Guides\nlink: { type: generated-index }",
    "docs/guides/d.md": page("D"),
    "docs/_note.mdx": "A note.\n",
    "docs/flow.svg": SVG,
    "docs/data.csv": "1\n",
    "static/x.txt": "x",
}
TOTAL = 6
MANY = 401
"""Pages of a folder, so many that its index shows ranges of them instead."""


@pytest.fixture
def site(make_site: MakeSite) -> SiteFolder:
    site = make_site(FILES)
    build = site.build()
    assert (build.pages, build.drawn, build.diagnostics) == (TOTAL, TOTAL, [])
    return site


def fresh(site: SiteFolder, tmp_path: Path) -> dict[str, bytes]:
    """Build the same sources elsewhere, without a cache."""
    other = SiteFolder.__new__(SiteFolder)
    other.root, other.out = tmp_path / "fresh", tmp_path / "fresh-out"
    shutil.copytree(site.root, other.root, ignore=shutil.ignore_patterns(".octavo"))
    assert other.build().is_published
    return other.pages()


def assert_equal(site: SiteFolder, expected: Mapping[str, bytes]) -> None:
    """Compare what is published, byte for byte.

    But for the search files of the build before, which stay for readers who have its pages open, and the lines of the
    manifest about them: `test_search_files_of_the_build_before_stay_until_the_next_change` holds these to account.
    """
    pages = site.pages()
    kept = {name for name in pages.keys() - expected.keys() if name.startswith(f"{SHARDS_FOLDER}/")}
    manifest = site.manifest()
    files = {name: file for name, file in manifest.files.items() if name not in kept}
    pages[MANIFEST_PATH] = msgspec.json.encode(msgspec.structs.replace(manifest, files=files))
    assert {name: content for name, content in pages.items() if name not in kept} == expected


def search_files(site: SiteFolder) -> dict[str, bytes]:
    """Read the static form of the search index."""
    return {name: content for name, content in site.pages().items() if name.startswith(f"{SHARDS_FOLDER}/")}


def files_of_documents(site: SiteFolder) -> list[str]:
    """List the pictures and offered files."""
    return [name for name in site.pages() if name.startswith("_octavo/files/") and name not in search_files(site)]


CHANGES = {
    "nothing": ({}, 0),
    "a text": ({"docs/b.md": page("B", "## Ports\n\nOther text.")}, 1),
    "a description": ({"docs/b.md": page("B", "## Ports", description="Other.")}, 1),
    "a description that a card shows": ({"docs/guides/d.md": page("D", description="Other.")}, 2),
    "the favicon": ({"octavo.toml": 'title = "Site"\nfavicon = "/x.txt"\n'}, TOTAL),
    "a partial": ({"docs/_note.mdx": "Another note.\n"}, 1),
    "a picture": ({"docs/flow.svg": SVG.replace("40", "60")}, 1),
    "an offered file": ({"docs/data.csv": "2\n"}, 1),
    "a title": ({"docs/b.md": page("Changed", "## Ports")}, TOTAL),
    "a new page": ({"docs/e.md": page("E")}, TOTAL + 1),
    "a category": ({"docs/guides/_category_.yaml": "label: How-to\nlink: { type: generated-index }"}, TOTAL),
    "the site's title": ({"octavo.toml": 'title = "Other"\n'}, TOTAL),
    "a static file": ({"static/x.txt": "y"}, 0),
}


@pytest.fixture
def toolchain_is_looked_at_anew() -> Iterator[Callable[[], None]]:
    """Give what makes the next build look at the installed tools again, as another process would."""

    def forget() -> None:
        for key in (documents_key, pages_key, index_key):
            key.cache_clear()

    yield forget
    forget()


@pytest.mark.parametrize("tool", ["pygments", "pyromark", "mini_racer"])
def test_another_version_of_a_tool_renders_all_pages_again(
    tool: str,
    site: SiteFolder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    toolchain_is_looked_at_anew: Callable[[], None],
) -> None:
    (tmp_path / "installed" / f"{tool}-999.0.dist-info").mkdir(parents=True)
    monkeypatch.syspath_prepend(tmp_path / "installed")
    toolchain_is_looked_at_anew()
    assert site.build().drawn == TOTAL
    assert site.build().drawn == 0


@pytest.mark.parametrize("case", CHANGES)
def test_rebuild_draws_what_changed_and_equals_a_fresh_build(site: SiteFolder, tmp_path: Path, case: str) -> None:
    files, drawn = CHANGES[case]
    site.write(files)
    build = site.build()
    assert build.is_published
    assert build.drawn == drawn
    assert_equal(site, fresh(site, tmp_path))


def test_many_rebuilds_in_a_row_equal_a_fresh_build(site: SiteFolder, tmp_path: Path) -> None:
    for files, _ in CHANGES.values():
        site.write(files)
        site.build()
    (site.root / "docs/e.md").unlink()
    site.write({"docs/b.md": page("B")})
    site.build()
    assert_equal(site, fresh(site, tmp_path))


def test_going_back_and_forth_publishes_what_the_sources_say(site: SiteFolder, tmp_path: Path) -> None:
    first = site.pages()
    for text in ("One.", "Two.", "One."):
        site.write({"docs/b.md": page("B", text)})
        assert site.build().drawn == 1
        assert f"<p>{text}</p>" in site.html("/b")
    site.write({"docs/b.md": FILES["docs/b.md"]})
    site.build()
    assert_equal(site, first)


def test_search_files_of_the_build_before_stay_until_the_next_change(site: SiteFolder, tmp_path: Path) -> None:
    before = search_files(site)
    site.write({"docs/b.md": page("B", "Quokka.")})
    for _ in range(3):  # builds without a change drop nothing that a reader may still ask for
        site.build()
        second = {name: content for name, content in fresh(site, tmp_path).items() if name in search_files(site)}
        assert before.keys() - second.keys()
        assert search_files(site) == before | second
        shutil.rmtree(tmp_path / "fresh")
    site.write({"docs/b.md": page("B", "Wombat.")})
    site.build()
    third = {name: content for name, content in fresh(site, tmp_path).items() if name in search_files(site)}
    assert search_files(site) == second | third


def test_findings_of_pages_that_were_not_drawn_anew_are_shown_again(site: SiteFolder) -> None:
    site.write({"docs/b.md": page("B", "[c](#nope)")})
    assert len(site.check()) == 1
    build = site.build()
    assert (build.drawn, len(build.diagnostics)) == (0, 1)


def test_file_that_a_link_was_waiting_for_is_offered(make_site: MakeSite, tmp_path: Path) -> None:
    config = '[diagnostics]\nbroken_links = "warn"\n'
    site = make_site({**HOME, "docs/a.md": page("A", "[data](./data.csv)")}, config)
    assert len(site.check()) == 1
    site.write({"docs/data.csv": "1\n"})
    assert site.check() == []
    assert_equal(site, fresh(site, tmp_path))


def test_picture_of_a_page_that_was_not_drawn_anew_stays(site: SiteFolder) -> None:
    pictures = files_of_documents(site)
    assert len(pictures) == 2
    site.write({"docs/b.md": page("B", "Other.")})
    assert site.build().drawn == 1
    assert files_of_documents(site) == pictures


def test_heading_that_vanishes_is_missed_by_the_pages_that_link_it(site: SiteFolder) -> None:
    site.write({"docs/c.md": page("C", "[ports](./b.md#ports)")})
    assert site.check() == []
    site.write({"docs/b.md": page("B", "## Hosts")})
    assert site.check() == [
        (
            'docs/c.md:5:1: warn: link "./b.md#ports": "/b" has no heading or element with the id "ports". '
            'Did you mean "./b.md#hosts"? [broken-anchor]'
        )
    ]


def test_page_that_vanishes_is_missed_by_the_pages_that_link_it(site: SiteFolder) -> None:
    (site.root / "docs/b.md").unlink()
    assert site.check() == [('docs/a.mdx:9:1: error: link "./b.md" leads to no document and no file. [broken-link]')]


def cache_files(site: SiteFolder) -> list[Path]:
    return sorted(path for path in (site.root / ".octavo/cache").rglob("*") if path.is_file())


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scramble(path: Path) -> None:
    path.write_bytes(bytes(255 - byte for byte in path.read_bytes()))


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))


@pytest.mark.parametrize("damage", [truncate, scramble, flip, Path.unlink])
@pytest.mark.parametrize("redraws", [False, True])
def test_damaged_cache_costs_time_and_nothing_else(
    site: SiteFolder, tmp_path: Path, damage: Callable[[Path], None], redraws: bool
) -> None:
    expected = fresh(site, tmp_path)
    assert len(cache_files(site)) >= 3
    if redraws:
        shutil.rmtree(site.out)
    for path in cache_files(site):
        if "packs" in path.parts or damage is not flip:
            damage(path)
    assert site.build().is_published
    assert site.pages() == expected


@pytest.mark.parametrize("damage", [truncate, flip, Path.unlink])
def test_lost_postings_of_the_last_index_are_made_anew(
    site: SiteFolder, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    for path in (site.root / ".octavo/cache/search").rglob("*"):
        if path.is_file():
            damage(path)
    site.write({"docs/b.md": page("B", "Quokka.")})
    assert site.build().is_published
    assert_equal(site, fresh(site, tmp_path))


def test_published_folder_of_another_build_is_drawn_anew(site: SiteFolder, tmp_path: Path) -> None:
    expected = site.pages()
    site.out = tmp_path / "other"
    build = site.build()
    assert build.drawn == TOTAL
    assert site.pages() == expected


def test_published_page_that_somebody_removed_is_drawn_anew(site: SiteFolder, tmp_path: Path) -> None:
    expected = site.pages()
    shutil.rmtree(site.out / "b")
    assert site.build().is_published
    assert site.pages() == expected


def test_code_of_a_changed_page_is_not_highlighted_again(
    make_site: MakeSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "```python\nprint(1)\n```\n\n```python title='a.py' {1}\nprint(2)\n```"
    site = make_site({**HOME, "docs/a.md": page("A", code)})
    site.build()
    site.write({"docs/a.md": page("A", f"More.\n\n{code}")})
    with monkeypatch.context() as patch:
        patch.setattr("octavo.content.code.blocks.draw_fence", None)
        assert site.build().drawn == 1
    assert_equal(site, fresh(site, tmp_path))


def test_code_is_drawn_again_where_the_settings_of_its_lines_have_changed(make_site: MakeSite, tmp_path: Path) -> None:
    site = make_site({**HOME, "docs/a.md": page("A", "```python\n# focus-next-line\nprint(1)\n```")})
    site.build()
    assert "focus-next-line" in site.html("/a")
    site.write({"octavo.toml": 'title = "Site"\n[magic_comments]\nfocused = "focus"\n'})
    site.build()
    assert "focus-next-line" not in site.html("/a")
    assert_equal(site, fresh(site, tmp_path))


def test_warning_of_an_unknown_language_is_shown_again_when_its_page_changes(make_site: MakeSite) -> None:
    site = make_site({**HOME, "docs/a.md": page("A", "```pythn\n1\n```")})
    first = site.check()
    assert len(first) == 1
    site.write({"docs/a.md": page("A", "```pythn\n1\n```\n\nMore.")})
    assert site.check() == first


def test_another_process_finds_what_one_has_kept(make_site: MakeSite) -> None:
    components = {f"components/{name}.mdx": "Text.\n" for name in ("Alpha", "Beta", "Gamma", "Delta")}
    site = make_site({**HOME, "docs/a.md": page("A"), **components})
    said = []
    for seed in ("1", "2", "3"):
        command = [sys.executable, "-m", "octavo", "build", str(site.root), "--no-search"]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        said.append(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)
    assert ["(2 rendered)" in said[0], *("(0 rendered)" in line for line in said[1:])] == [True, True, True]


@pytest.mark.parametrize(("folder", "pages"), [("docs/guides/deep", 2), ("docs/guides", MANY)])
def test_markdown_of_a_generated_index_tells_what_its_pages_say_now(
    site: SiteFolder, tmp_path: Path, folder: str, pages: int
) -> None:
    """It lists pages that no card of the index shows: those of categories without a page, and those of long lists."""
    site.write({f"{folder}/p{number}.md": page(f"Page {number}", "First.") for number in range(pages)})
    site.build()
    last = f"{folder}/p{pages - 1}.md"
    site.write({last: page(f"Page {pages - 1}", "Quokka.")})
    site.build()
    route = last.removeprefix("docs").removesuffix(".md")
    assert f"({route}): Quokka." in (site.out / "category/guides.md").read_text()
    assert_equal(site, fresh(site, tmp_path))


def test_links_by_id_follow_the_id_to_another_page(make_site: MakeSite) -> None:
    texts = {"docs/a.md": page("A", "## H {#here}"), "docs/b.md": page("B"), "docs/c.md": page("C", "[h](ref:here)")}
    site = make_site({**HOME, **texts})
    site.build()
    assert 'href="/a#here"' in site.html("/c")
    site.write({"docs/a.md": page("A"), "docs/b.md": page("B", "## H {#here}")})
    assert site.build().diagnostics == []
    assert 'href="/b#here"' in site.html("/c")
