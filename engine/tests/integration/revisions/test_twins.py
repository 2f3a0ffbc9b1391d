"""Pages that are the same in several versions are compiled once, and only those."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from octavo.config import load_config
from octavo.content import Document, DrawnCode
from octavo.documents import Compiler, Library
from octavo.documents.files import Files
from octavo.publish import build_site
from octavo.runtime import open_cache, say_nothing
from octavo.site import Source, find_sources

SETTINGS = """title = "Site"
[[versions]]
name = "3"
label = "3"
docs = "versions/3"
[[versions]]
name = "2"
label = "2"
path = "2"
docs = "versions/2"
[[versions]]
name = "1"
label = "1"
path = "1"
docs = "versions/1"
"""


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def in_all(name: str, text: str) -> dict[str, str]:
    return {f"versions/{version}/{name}": text for version in "123"}


@pytest.fixture
def site_dir(tmp_path: Path) -> Path:
    write(tmp_path, {"octavo.toml": SETTINGS, **in_all("index.md", "# Site\n\n[Guide](guide.md)\n")})
    return tmp_path


def compile_site(site_dir: Path, *, dev: bool = False) -> tuple[list[str], Library]:
    """Compile a site as a build or as the preview does; gives the paths that were really compiled."""
    config = load_config(site_dir)
    compiled: list[str] = []

    class Recording(Compiler, frozen=True, eq=False):
        def compile(self, source: Source, files: Files, drawn_code: Mapping[str, DrawnCode]) -> Document:
            compiled.append(source.path)
            return super().compile(source, files, drawn_code)

    made = Compiler.of(site_dir, config, {})
    compiler = Recording(made.site_dir, made.options, made.descriptions, made.extensions, made.key, made.profiles)
    library = Library(open_cache(site_dir / ".octavo"))
    sources: Sequence[Source] = find_sources(site_dir, config)
    if dev:
        library.update(sources, compiler)
    else:
        library.build(sources, compiler, report=say_nothing, prepare=lambda _: None)
    return sorted(compiled), library


def test_page_that_is_equal_in_all_versions_is_compiled_once(site_dir: Path) -> None:
    compiled, library = compile_site(site_dir)
    assert len(compiled) == 1
    summaries = library.summaries
    assert sorted(summaries) == [f"versions/{version}/index.md" for version in "123"]
    assert len({summary.body_key for summary in summaries.values()}) == 1
    assert [summaries[path].source_path for path in sorted(summaries)] == sorted(summaries)
    assert [summaries[path].links[0].span.path for path in sorted(summaries)] == sorted(summaries)


def test_what_a_page_takes_in_is_compared_too(site_dir: Path) -> None:
    write(site_dir, in_all("page.mdx", 'import Note from "./_note.mdx"\n\n<Note />\n'))
    write(site_dir, {**in_all("_note.mdx", "Old.\n"), "versions/3/_note.mdx": "New.\n"})
    compiled, library = compile_site(site_dir)
    assert sum(path.endswith("page.mdx") for path in compiled) == 2
    texts = {path: library.load(one.body_key).html for path, one in library.summaries.items() if "page" in path}
    assert {path: "New." in text for path, text in sorted(texts.items())} == {
        "versions/1/page.mdx": False,
        "versions/2/page.mdx": False,
        "versions/3/page.mdx": True,
    }
    # The file that the twin takes in is its own from now on.
    write(site_dir, {"versions/1/_note.mdx": "Older.\n"})
    compiled, library = compile_site(site_dir)
    assert compiled == ["versions/1/page.mdx"]
    assert "Older." in library.load(library.summaries["versions/1/page.mdx"].body_key).html


def test_path_that_names_a_version_makes_a_page_its_own(site_dir: Path) -> None:
    write(site_dir, in_all("page.mdx", 'import Note from "../2/_note.mdx"\n\n<Note />\n'))
    write(site_dir, {f"versions/{version}/_note.mdx": f"Note {version}.\n" for version in "123"})
    _, library = compile_site(site_dir)
    for version in "123":
        body = library.load(library.summaries[f"versions/{version}/page.mdx"].body_key)
        assert "Note 2." in body.html


def test_findings_name_the_file_of_each_version(site_dir: Path) -> None:
    write(site_dir, in_all("bad.md", ":::note\n\nNever closed.\n"))
    _, library = compile_site(site_dir)
    places = sorted(one.span.path for one in library.problems)
    assert places == ["versions/1/bad.md", "versions/2/bad.md", "versions/3/bad.md"]


def test_preview_follows_a_change_of_one_version_only(site_dir: Path) -> None:
    _, library = compile_site(site_dir, dev=True)
    write(site_dir, {"versions/3/index.md": "# Changed\n"})
    library.recompile(["versions/3/index.md"])
    html = {path: library.load(one.body_key).html for path, one in sorted(library.summaries.items())}
    assert ["Changed" in html[path] for path in sorted(html)] == [False, False, True]


def test_a_version_that_is_added_takes_over_what_is_compiled(site_dir: Path) -> None:
    compile_site(site_dir)
    write(
        site_dir, {"octavo.toml": SETTINGS + '[[versions]]\nname = "0"\nlabel = "0"\npath = "0"\ndocs = "versions/0"\n'}
    )
    write(site_dir, {"versions/0/index.md": "# Site\n\n[Guide](guide.md)\n"})
    compiled, library = compile_site(site_dir)
    assert len(compiled) <= 1  # the settings hold the folders, so the compiler is another one
    assert len(library.summaries) == 4


def test_links_of_equal_pages_stay_in_their_version(site_dir: Path) -> None:
    write(site_dir, in_all("guide.md", "# Guide\n"))
    build = build_site(site_dir, site_dir / "build")
    assert build.is_published, build.diagnostics
    assert '<a href="/guide"' in (site_dir / "build/index.html").read_text(encoding="utf-8")
    assert '<a href="/1/guide"' in (site_dir / "build/1/index.html").read_text(encoding="utf-8")
