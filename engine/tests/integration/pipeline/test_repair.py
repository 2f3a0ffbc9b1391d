"""A published folder that somebody has changed is whole again after the next build, and after each one behind it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from octavo.errors import PublishError
from octavo.publish.build import build_site
from tests.support.sites import HOME, SVG, MakeSite, SiteFolder, page

CONFIG = """\
redirects = [{ from = "/old", to = "/a" }]
"""
FILES: dict[str, str | bytes] = {
    **HOME,
    "docs/a.md": page("A", "![flow](./flow.svg)"),
    "docs/guides/b.md": page("B"),
    "docs/flow.svg": SVG,
    "static/img/logo.svg": SVG,
    "static/robots-notes.txt": "Nothing to see.",
}


@pytest.fixture
def site(make_site: MakeSite) -> SiteFolder:
    site = make_site(FILES, config=CONFIG)
    site.build()
    return site


def remove(address: str) -> Callable[[Path], None]:
    return lambda out: (out / address).unlink()


def remove_folder(address: str) -> Callable[[Path], None]:
    return lambda out: shutil.rmtree(out / address)


def replace(address: str, content: str) -> Callable[[Path], None]:
    """Write another file to the same name, as editors and `sed -i` do."""

    def damage(out: Path) -> None:
        other = out / f"{address}.tmp"
        other.write_text(content)
        other.replace(out / address)

    return damage


def append(address: str) -> Callable[[Path], None]:
    def damage(out: Path) -> None:
        with (out / address).open("ab") as file:
            file.write(b"<script src=/x.js></script>")

    return damage


def change_a_byte(address: str) -> Callable[[Path], None]:
    """Change the content, and neither its size nor, as far as one can, the time of the change."""

    def damage(out: Path) -> None:
        found = (out / address).stat()
        content = bytearray((out / address).read_bytes())
        content[-1] ^= 1
        (out / address).unlink()
        (out / address).write_bytes(content)
        os.utime(out / address, ns=(found.st_atime_ns, found.st_mtime_ns))

    return damage


def add(address: str) -> Callable[[Path], None]:
    def damage(out: Path) -> None:
        (out / address).parent.mkdir(parents=True, exist_ok=True)
        (out / address).write_text("not ours")

    return damage


def folder_in_place_of(address: str) -> Callable[[Path], None]:
    def damage(out: Path) -> None:
        (out / address).unlink()
        (out / address / "deep").mkdir(parents=True)
        (out / address / "deep/file.txt").write_text("not ours")

    return damage


def file_in_place_of(address: str) -> Callable[[Path], None]:
    def damage(out: Path) -> None:
        shutil.rmtree(out / address)
        (out / address).write_text("not ours")

    return damage


def link_in_place_of(address: str, *, is_copy: bool = False) -> Callable[[Path], None]:
    """Move a file or a folder out of the output, and link to it there."""

    def damage(out: Path) -> None:
        outside = out.with_name("outside")
        outside.mkdir()
        if is_copy and (out / address).is_dir():
            shutil.copytree(out / address, outside / "copy")
            shutil.rmtree(out / address)
        else:
            (out / address).rename(outside / "copy")
        (out / address).symlink_to(outside / "copy")

    return damage


def unreadable(address: str) -> Callable[[Path], None]:
    return lambda out: (out / address).chmod(0o200)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "page removed": remove("a/index.html"),
    "folder of pages removed": remove_folder("guides"),
    "payload removed": remove("_octavo/pages/a.json"),
    "assets removed": remove_folder("_octavo/assets"),
    "shared files removed": lambda out: [file.unlink() for file in (out / "_octavo").glob("*.json")] and None,
    "files of documents removed": remove_folder("_octavo/files"),
    "manifest removed": remove("_octavo/manifest.json"),
    "manifest damaged": append("_octavo/manifest.json"),
    "search index removed": remove_folder("_octavo/search"),
    "search index damaged": lambda out: (
        [append(str(file))(out) for file in out.glob("_octavo/search/*/*.term")] and None
    ),
    "static file removed": remove("img/logo.svg"),
    "static file replaced": replace("robots-notes.txt", "Another text."),
    "static file with another byte": change_a_byte("robots-notes.txt"),
    "redirect removed": remove("old/index.html"),
    "redirect edited": append("old/index.html"),
    "sitemap edited": append("sitemap.xml"),
    "robots removed": remove("robots.txt"),
    "page edited in place": append("a/index.html"),
    "page replaced": replace("a/index.html", "<p>mine</p>"),
    "page with another byte": change_a_byte("guides/b/index.html"),
    "page emptied": replace("a/index.html", ""),
    "page that nobody may read": unreadable("a/index.html"),
    "not-found page removed": remove("404.html"),
    "foreign file": add("thesis.txt"),
    "foreign file among pages": add("guides/b/notes.txt"),
    "foreign folder": add("x/y/z.txt"),
    "folder in the place of a page": folder_in_place_of("a/index.html"),
    "file in the place of a folder": file_in_place_of("guides"),
    "page moved, and linked": link_in_place_of("a/index.html"),
    "folder moved, and linked": link_in_place_of("guides"),
    "folder around a folder moved, and linked": link_in_place_of("_octavo/pages/guides"),
    "folder copied, and linked": link_in_place_of("guides", is_copy=True),
    "all of Octavo's files removed": remove_folder("_octavo"),
    "file in the place of Octavo's files": file_in_place_of("_octavo"),
    "nearly everything removed": lambda out: [shutil.rmtree(out / name) for name in ("a", "guides", "img")] and None,
}


def modes(out: Path) -> dict[str, int]:
    return {
        file.relative_to(out).as_posix(): file.stat().st_mode for file in out.rglob("*") if "search" not in file.parts
    }


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_folder_is_repaired_and_stays_so(site: SiteFolder, damage: Callable[[Path], None]) -> None:
    expected, rights, index = site.pages(), modes(site.out), site.manifest().search
    damage(site.out)
    for _ in range(3):  # each build starts from the folder of the one before the last
        assert site.build().is_published
        assert site.pages() == expected
        assert modes(site.out) == rights
        assert (site.out / index / "meta.json").is_file()


def test_damage_of_two_builds_running_is_repaired(site: SiteFolder) -> None:
    site.build()
    expected = site.pages()
    for damage in (DAMAGES["page removed"], DAMAGES["assets removed"], DAMAGES["foreign file"]):
        damage(site.out)
        site.build()
        assert site.pages() == expected


def test_script_that_injects_a_line_after_each_build_finds_it_gone_before_the_next(site: SiteFolder) -> None:
    for number in range(4):
        with (site.out / "a/index.html").open("a") as file:
            file.write(f"<script src=/x{number}.js></script>")
        site.build()
        assert "/x" not in site.html("/a")


def test_damaged_spare_is_never_published(site: SiteFolder) -> None:
    site.build()
    expected = site.pages()
    (spare,) = (site.root / ".octavo").glob("*.spare")
    for file in [file for file in spare.rglob("*") if file.is_file()]:
        content = file.read_bytes()
        file.unlink()
        file.write_bytes(bytes(len(content)))
    site.build()
    assert site.pages() == expected


def test_link_out_of_the_folder_is_removed_and_what_it_leads_to_stays(site: SiteFolder, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "thesis.txt").write_text("years of work")
    expected = site.pages()
    shutil.rmtree(site.out / "guides")
    (site.out / "guides").symlink_to(outside)
    (site.out / "a/index.html").unlink()
    (site.out / "a/index.html").symlink_to(outside / "thesis.txt")
    for _ in range(3):
        site.build()
        assert site.pages() == expected
        assert not (site.out / "guides").is_symlink()
    assert [file.name for file in outside.iterdir()] == ["thesis.txt"]
    assert (outside / "thesis.txt").read_text() == "years of work"


def test_checkout_that_is_deployed_keeps_its_repository(site: SiteFolder) -> None:
    (site.out / ".git").mkdir()
    (site.out / ".git/HEAD").write_text("ref: refs/heads/gh-pages")
    for number in range(3):
        site.write({"docs/a.md": page("A", f"Text {number}.")})
        site.build()
        assert (site.out / ".git/HEAD").read_text() == "ref: refs/heads/gh-pages"
        assert f"Text {number}." in site.html("/a")


def test_empty_checkout_is_taken(make_site: MakeSite) -> None:
    site = make_site(FILES)
    site.out.mkdir()
    (site.out / ".git").write_text("gitdir: elsewhere")
    assert site.build().is_published
    assert (site.out / ".git").read_text() == "gitdir: elsewhere"


def test_copied_folder_is_taken_over_by_its_content(site: SiteFolder, tmp_path: Path) -> None:
    """A cache of a pipeline restores files with other times and inodes: nothing is drawn again for that."""
    site.build()
    expected = site.pages()
    for folder in (site.out, site.root / ".octavo"):
        shutil.copytree(folder, tmp_path / "restored")
        shutil.rmtree(folder)
        shutil.copytree(tmp_path / "restored", folder)
        shutil.rmtree(tmp_path / "restored")
    build = site.build()
    assert build.drawn == 0
    assert site.pages() == expected


def test_moved_folder_stays_whole(site: SiteFolder, tmp_path: Path) -> None:
    """Where the output lies has changed, so nothing is known of its files but what their content tells."""
    site.build()
    expected = site.pages()
    site.out.rename(tmp_path / "moved")
    site.out.symlink_to(tmp_path / "moved")
    for _ in range(3):
        build_site(site.root, site.out.resolve())
        assert site.pages() == expected
    (site.out / "guides/b/notes.txt").write_text("not ours")
    for _ in range(3):
        build_site(site.root, site.out.resolve())
        assert site.pages() == expected


def test_folder_of_somebody_else_is_not_taken_for_a_damaged_one(site: SiteFolder) -> None:
    shutil.rmtree(site.out / "_octavo")
    (site.out / "thesis.txt").write_text("years of work")
    with pytest.raises(PublishError, match=r"thesis\.txt"):
        site.build()
    assert (site.out / "thesis.txt").read_text() == "years of work"


def test_file_that_becomes_a_folder_and_the_reverse(site: SiteFolder) -> None:
    site.write({"static/files": "a file", "static/more/one.txt": "1"})
    site.build()
    site.build()  # the spare has them too
    (site.root / "static/files").unlink()
    shutil.rmtree(site.root / "static/more")
    site.write({"static/files/one.txt": "1", "static/more": "a file"})
    for _ in range(3):
        site.build()
        assert (site.out / "files/one.txt").read_text() == "1"
        assert (site.out / "more").read_text() == "a file"


def test_clean_build_makes_everything_anew(site: SiteFolder) -> None:
    expected = site.pages()
    build = build_site(site.root, site.out, is_clean=True)
    assert (build.drawn, build.pages) == (3, 3)
    assert site.pages() == expected


def test_build_without_search_leaves_no_index(site: SiteFolder) -> None:
    for _ in range(2):
        build_site(site.root, site.out, has_search=False)
        assert not (site.out / "_octavo/search").exists()


def test_unchanged_static_files_are_not_read_and_changed_ones_are(site: SiteFolder) -> None:
    site.build()
    source = site.root / "static/robots-notes.txt"
    found = source.stat()
    source.write_text("nothing TO see.")
    os.utime(source, ns=(found.st_atime_ns, found.st_mtime_ns))  # same size, same time
    for _ in range(3):
        site.build()
        assert (site.out / "robots-notes.txt").read_text() == "nothing TO see."


def test_compressed_forms_are_made_of_what_is_published(site: SiteFolder) -> None:
    import gzip

    import brotli

    for text in ("One.", "One.", "Two.", "Two.", "One."):
        site.write({"docs/a.md": page("A", text)})
        site.build(precompress=True)
        published = site.published()
        forms = [name for name in published if name.endswith(".br")]
        assert "a/index.html.br" in forms
        for form in forms:
            assert brotli.decompress(published[form]) == published[form[:-3]]
            assert gzip.decompress(published[f"{form[:-3]}.gz"]) == published[form[:-3]]


def test_only_what_has_changed_is_compressed(site: SiteFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    import brotli

    from octavo.publish import precompress

    compressed: list[int] = []
    real = brotli.compress

    def compress(content: bytes, **options: int) -> bytes:
        compressed.append(len(content))
        return bytes(real(content, **options))

    site.build(precompress=True)
    monkeypatch.setattr(precompress.brotli, "compress", compress)
    site.build(precompress=True)
    site.build(precompress=True)
    assert compressed == []
    before = site.published()
    site.write({"docs/a.md": page("A", "Another text.")})
    site.build(precompress=True)
    after = site.published()
    compressible = [name for name in after if f"{name}.br" in after]
    changed = [len(after[name]) for name in compressible if before.get(name) != after[name]]
    assert sorted(compressed) == sorted(changed)
    assert 0 < len(changed) < len(compressible) / 2
