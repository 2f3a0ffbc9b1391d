"""Files that a build takes, keeps and refuses: the static folder, the place of the output, what earlier builds have left."""

from __future__ import annotations

import errno
import gzip
import os
import time
from collections.abc import Callable
from pathlib import Path

import brotli
import msgspec
import pytest

from octavo.config import load_config
from octavo.diagnostics import Span
from octavo.errors import PublishError, UsageError
from octavo.manifest import MANIFEST_PATH, ManifestFile
from octavo.pictures import CardStyle, SocialCard
from octavo.pipeline import Pictures
from octavo.publish.cards import missing_cards, publish_cards
from octavo.publish.output_place import check_output_place
from octavo.publish.precompress import precompress_files
from octavo.publish.published import PublishedPages
from octavo.publish.search_entries import EntryPacks
from octavo.publish.search_shards import large_bundle
from octavo.publish.staging import Staging, check_output, unwritable
from octavo.publish.static import copy_documents_files, copy_static, find_large_files, read_static_folder
from octavo.publish.unpublished import Unpublished
from octavo.rendering import PageRecord, load_theme, read_theme_file
from octavo.runtime import Cache
from octavo.search import Stored
from tests.support.each import each
from tests.support.sites import SVG, MakeSite, page


@each(
    "out, said",
    [
        ("out", ""),
        ("../out", ""),
        (".", "contains the site itself"),
        ("..", "contains the site itself"),
        (".octavo", "Octavo keeps what it needs for the next build there"),
        (".octavo/out", "Octavo keeps what it needs for the next build there"),
        ("docs", 'lies in "docs" (the default of docs)'),
        ("docs/out", 'lies in "docs" (the default of docs)'),
        ("docs/out", 'or exclude this one: exclude = ["docs/out/**"]'),
        ("pages/out", 'lies in "pages" (the default of pages)'),
        ("files/out", 'lies in "files" (static, octavo.toml:2)'),
        ("files/out", "Name another folder with --out."),
        ("more", 'contains "more/components" (components, octavo.toml:3)'),
    ],
)
def test_output_lies_in_no_folder_that_the_site_is_made_from(make_site: MakeSite, out: str, said: str) -> None:
    folder = make_site({"docs/a.md": page("A")}, 'static = "files"\ncomponents = "more/components"\n').root
    if not said:
        check_output_place(folder, load_config(folder), folder / out)
        return
    with pytest.raises(UsageError) as caught:
        check_output_place(folder, load_config(folder), folder / out)
    assert said in str(caught.value)


def test_output_may_lie_in_a_folder_of_documents_that_is_excluded(make_site: MakeSite) -> None:
    folder = make_site({"docs/a.md": page("A")}, 'exclude = ["docs/out/**", "docs/half/*.md"]\n').root
    check_output_place(folder, load_config(folder), folder / "docs/out")
    with pytest.raises(UsageError):
        check_output_place(folder, load_config(folder), folder / "docs/half")


def test_output_may_lie_in_a_static_folder_with_documents_where_it_is_excluded(make_site: MakeSite) -> None:
    folder = make_site({"a.md": page("A")}, 'docs = "."\nstatic = "."\nexclude = ["build/**", "half/*.md"]\n').root
    check_output_place(folder, load_config(folder), folder / "build")
    with pytest.raises(UsageError):
        check_output_place(folder, load_config(folder), folder / "half")
    folder = make_site({"docs/a.md": page("A")}, 'static = "files"\nexclude = ["files/build/**"]\n').root
    with pytest.raises(UsageError):
        check_output_place(folder, load_config(folder), folder / "files/build")


def test_static_folder_has_files_and_no_links_out_of_it(make_site: MakeSite, tmp_path: Path) -> None:
    names = (
        "a.svg",
        "deep/b.txt",
        ".well-known/x",
        ".git/config",
        "deep/.octavo/y",
        "deep/.DS_Store",
        "deep/Thumbs.db",
    )
    folder = make_site({"docs/a.md": page("A")} | {f"static/{name}": SVG for name in names}).root
    (tmp_path / "secret").write_text("x")
    for name in ("link", "node_modules/link", ".tool/link"):
        (folder / "static" / name).parent.mkdir(exist_ok=True)
        (folder / "static" / name).symlink_to(tmp_path / "secret")
    found = read_static_folder(folder, load_config(folder))
    assert found.files == {name: f"static/{name}" for name in (".well-known/x", "a.svg", "deep/b.txt")}
    assert [problem.span.path for problem in found.problems] == ["static/link"]


def test_pages_in_the_static_folder_are_no_files(make_site: MakeSite) -> None:
    files = {
        "docs/a.md": page("A"),
        "docs/k.svg": SVG,
        "docs/x/k.svg": SVG,
        "docs/x/b.md": page("B"),
        "other/c.md": "C",
    }
    same = make_site(files, 'static = "docs"\nexclude = ["docs/x/**"]\n').root
    assert read_static_folder(same, load_config(same)).files == {"k.svg": "docs/k.svg"}
    apart = make_site(
        {**files, "files/a.md": "A", "files/x/b": "B"}, 'static = "files"\nexclude = ["files/x/**"]\n', "apart"
    ).root
    assert read_static_folder(apart, load_config(apart)).files == {"a.md": "files/a.md"}
    whole = make_site({**files, "files/a": "A"}, 'static = "files"\nexclude = ["files/**", "a"]\n', "whole").root
    assert read_static_folder(whole, load_config(whole)).files == {"a": "files/a"}


class Taken(Unpublished):
    """Notes what is written."""

    def __init__(self, known: dict[str, ManifestFile] | None = None) -> None:
        self.written: dict[str, bytes] = {}
        self._known = known or {}

    def write(self, address: str, content: bytes) -> ManifestFile:
        self.written[address] = content
        return ManifestFile(f"hash-{len(content)}", len(content))

    def reuse(self, address: str, file: ManifestFile) -> bool:
        return self._known.get(address) == file


def test_file_that_has_not_changed_is_taken_over_and_else_read_again(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one")
    os.utime(tmp_path / "a", (1, 1))
    cache, static = Cache(tmp_path / "cache"), {"x/a": "a"}
    first = Taken()
    files = copy_static(tmp_path, static, first, cache)
    assert (files, first.written) == ({"x/a": ManifestFile("hash-3", 3)}, {"x/a": b"one"})
    # Its time of change may be too near to trust; then it is read again, and what is said of it is the same.
    second = Taken(files)
    assert copy_static(tmp_path, static, second, cache) == files
    lost = Taken()
    assert copy_static(tmp_path, static, lost, cache) == files
    assert lost.written == {"x/a": b"one"}
    (tmp_path / "a").write_bytes(b"other")
    changed = Taken(files)
    assert copy_static(tmp_path, static, changed, cache) == {"x/a": ManifestFile("hash-5", 5)}
    assert changed.written == {"x/a": b"other"}


def test_file_that_has_long_been_as_it_is_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(name.encode())
    cache, static, now = Cache(tmp_path / "cache"), {"x/a": "a", "x/b": "b"}, time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 10**9)
    files = copy_static(tmp_path, static, Taken(), cache)
    second = Taken(files)
    assert (copy_static(tmp_path, static, second, cache), second.written) == (files, {})
    lost = Taken({"x/a": files["x/a"]})
    assert (copy_static(tmp_path, static, lost, cache), lost.written) == (files, {"x/b": b"b"})
    # Of the same size, and with the time of change put back: the system has noted another one all the same.
    before = (tmp_path / "a").stat()
    (tmp_path / "a").write_bytes(b"c")
    os.utime(tmp_path / "a", ns=(before.st_atime_ns, before.st_mtime_ns))
    changed = Taken(files)
    copy_static(tmp_path, static, changed, cache)
    assert changed.written == {"x/a": b"c"}


def test_check_reads_and_writes_nothing() -> None:
    sink = Unpublished()
    assert sink.write("a", b"abc").size == 3
    assert sink.write_hashed("a", lambda: pytest.fail("read")) == sink.known("a") == ManifestFile("", 0)
    assert sink.reuse("a", ManifestFile("x", 1))


def test_card_that_is_published_is_not_drawn_again(tmp_path: Path) -> None:
    class Known(Taken):
        def known(self, address: str) -> ManifestFile | None:
            return ManifestFile("kept", 1) if address == "old.png" else None

        def write_hashed(self, address: str, read: Callable[[], bytes]) -> ManifestFile:
            return self.write(address, read())

    theme = load_theme()
    font = read_theme_file(theme.files[theme.fonts["sans"]])
    style = CardStyle("Site", "#ffffff", "#000000", "#0000ff", font, font)
    cards = {"old.png": SocialCard("Old", "", ""), "new.png": SocialCard("New", "Part", "About it.")}
    sink = Known()
    files = publish_cards(cards, style, Pictures(tmp_path / "pictures"), sink)
    assert files.keys() == cards.keys()
    assert files["old.png"] == ManifestFile("kept", 1)
    assert sink.written.keys() == {"new.png"}
    assert sink.written["new.png"].startswith(b"\x89PNG")
    assert files["new.png"].size == len(sink.written["new.png"])


def test_file_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(PublishError, match=r"gone cannot be read: No such file"):
        copy_static(tmp_path, {"gone": "gone"}, Taken(), Cache(tmp_path / "cache"))


def test_files_beside_documents_are_published_under_their_addresses(tmp_path: Path) -> None:
    (tmp_path / "k.svg").write_text(SVG)
    staging = Staging.make(tmp_path / "out", tmp_path / "work")
    [(address, file)] = copy_documents_files(tmp_path, staging, {"_octavo/files/k.1.svg": "k.svg"}).items()
    assert (address, file.size) == ("_octavo/files/k.1.svg", len(SVG))
    staging.discard()


def test_file_that_hosts_refuse_is_warned_of() -> None:
    limit = 25 << 20
    files = {"a": ManifestFile("", limit), "b": ManifestFile("", limit + 1), "c": ManifestFile("", 3 * limit)}
    found = list(find_large_files({name: f"static/{name}" for name in files}, files))
    assert [one.span for one in found] == [Span("static/b"), Span("static/c")]
    assert "has 75 MiB" in found[1].message


@each(
    "settings, line",
    [
        ("[search]\noffline = true\nmost_offline_megabytes = 3\n", 3),
        ("\noffline = true\n", 2),
    ],
)
def test_index_that_is_too_large_for_browsers_is_said_where_it_can_be_set(settings: str, line: int) -> None:
    found = large_bundle(4_250_000, 3, settings)
    assert found.span == Span("octavo.toml", line)
    assert "is 4.2 MB, more than the 3 " in found.message
    assert found.suggestion.startswith("Set search.most_offline_megabytes to 5 or more")


def record(undrawable: str) -> PageRecord:
    return PageRecord("k", "q", True, {}, {}, {}, undrawable, [], [], [])


@each(
    "undrawable, message",
    [
        (["", "あ"], 'lacks "あ", so 1 page has no card.'),
        (["あい", "い"], 'lacks "あい", so 2 pages have no card.'),
        (["あいうえおかきく"], 'lacks "あいうえおかきく", so 1 page'),
        (["あいうえおかきくけ"], 'lacks "あいうえおかきく…", so 1 page'),
    ],
)
def test_titles_without_a_card_are_one_finding(make_site: MakeSite, undrawable: list[str], message: str) -> None:
    folder = make_site({}, '\n[social_cards]\nfont = "f.ttf"\n').root
    [found] = missing_cards(map(record, undrawable), folder)
    assert message in found.message
    assert found.span == Span("octavo.toml", 3)
    assert list(missing_cards([record("")], folder)) == []
    [nowhere] = missing_cards(map(record, undrawable), folder / "gone")
    assert nowhere.span.path == "octavo.toml"


def test_pages_that_know_nothing_of_an_earlier_build_are_drawn_again(tmp_path: Path) -> None:
    cache, out = Cache(tmp_path / "cache"), tmp_path / "out"
    nothing = PublishedPages("", "", {})
    assert not PublishedPages.is_known(cache)
    assert PublishedPages.load(out, cache) == nothing
    pages = PublishedPages("b1", "s", {"/": record("")})
    pages.save(cache)
    assert PublishedPages.is_known(cache)
    assert PublishedPages.load(out, cache) == nothing
    (out / MANIFEST_PATH).parent.mkdir(parents=True)
    (out / MANIFEST_PATH).write_bytes(msgspec.json.encode({"build": "b1"}))
    assert PublishedPages.load(out, cache) == pages
    assert PublishedPages.load(None, cache) == nothing
    for content in (b'{"build": "b2"}', b"{", b"{}"):
        (out / MANIFEST_PATH).write_bytes(content)
        assert PublishedPages.load(out, cache) == nothing


def precompressed(
    staging: Staging, contents: dict[str, bytes]
) -> tuple[dict[str, ManifestFile], dict[str, ManifestFile], int]:
    """Write files and compress them: (files, compressed forms, how many were compressed anew)."""
    told = [0]
    files = {address: staging.write(address, content) for address, content in contents.items()}
    forms = precompress_files(staging, files, lambda _, done, total: told.append(total))
    return files, forms, max(told)


def test_texts_that_are_worth_it_are_compressed_once(tmp_path: Path) -> None:
    out, work = tmp_path / "out", tmp_path / "work"
    contents = {"a.html": b"a" * 256, "small.html": b"a" * 255, "k.png": b"a" * 1000, "b.js": b"b" * 300}
    staging = Staging.make(out, work)
    files, forms, made = precompressed(staging, contents)
    assert set(forms) == {"a.html.br", "a.html.gz", "b.js.br", "b.js.gz"}
    assert made == 2
    assert gzip.decompress((staging.path / "a.html.gz").read_bytes()) == contents["a.html"]
    assert brotli.decompress((staging.path / "b.js.br").read_bytes()) == contents["b.js"]
    staging.publish(files | forms)
    for _ in range(2):  # the second build has no spare, the third one has
        staging = Staging.make(out, work)
        files, again, made = precompressed(staging, contents | {"b.js": b"c" * 300})
        assert again["a.html.br"] == forms["a.html.br"]
        assert again["b.js.br"] != forms["b.js.br"]
        staging.publish(files | again)
        assert gzip.decompress((out / "b.js.gz").read_bytes()) == b"c" * 300
        assert made <= 1


def test_entries_of_an_index_are_there_in_the_next_build(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    packs = EntryPacks(cache)
    assert not packs.begin("root")
    first, second = packs.save([b"a", b"bc"]), packs.save([b"d"])
    assert (first, second) == (0, 1)
    assert packs.load(second) == [b"d"]
    stored = Stored(root="root", entries=[second, first])
    kept = packs.keep(stored)
    assert kept.entries == [0, 1]
    again = EntryPacks(cache)
    assert not again.begin("other")
    assert again.begin("root")
    assert [again.load(number) for number in kept.entries] == [[b"d"], [b"a", b"bc"]]
    assert again.save([b"e"]) == 2
    assert again.load(2) == [b"e"]
    again.clear()
    assert again.save([b"f"]) == 0


def test_lost_entries_are_said_to_be_lost(tmp_path: Path) -> None:
    packs = EntryPacks(Cache(tmp_path))
    packs.begin("root")
    stored = Stored(root="root", entries=[packs.save([b"a"])])
    packs.keep(stored)
    for file in tmp_path.rglob("*"):
        if file.is_file() and file.suffix != ".msgpack":
            file.unlink()
    with pytest.raises(LookupError):
        packs.load(0)


@each(
    "number, said",
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EEXIST, "is a file where a folder is needed"),
        (errno.ENOTDIR, "is a file where a folder is needed"),
        (errno.ELOOP, "is a link that leads to itself"),
        (errno.EACCES, "cannot be written: Permission denied."),
    ],
)
def test_file_that_cannot_be_written_says_why(number: int, said: str) -> None:
    assert said in str(unwritable("out/a", OSError(number, os.strerror(number))))


def test_only_what_octavo_has_written_is_replaced(tmp_path: Path) -> None:
    out, work = tmp_path / "out", tmp_path / "work"
    check_output(out, work)
    out.mkdir()
    check_output(out, work)
    (out / "notes.txt").write_text("mine")
    (out / "a.txt").write_text("mine")
    with pytest.raises(PublishError, match=r'such as "a\.txt"'):
        check_output(out, work)
    (out / "_octavo").mkdir()
    check_output(out, work)
    with pytest.raises(PublishError, match="is a file; name a folder"):
        check_output(out / "notes.txt", work)


def test_files_of_a_build_are_known_when_its_own_folder_was_removed(tmp_path: Path) -> None:
    out, work = tmp_path / "out", tmp_path / "work"
    staging = Staging.make(out, work)
    staging.publish({"a/b.html": staging.write("a/b.html", b"x")})
    check_output(out, work)
    (out / "c.html").write_text("mine")
    with pytest.raises(PublishError, match=r'such as "c\.html"'):
        check_output(out, work)


def test_folder_takes_the_place_of_a_file_and_the_reverse(tmp_path: Path) -> None:
    out, work = tmp_path / "out", tmp_path / "work"
    for address in ("a/b", "a", "a/b/c", "a"):
        staging = Staging.make(out, work)
        staging.publish({address: staging.write(address, address.encode())})
        assert [path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()] == [address]
        assert (out / address).read_bytes() == address.encode()


def test_clean_build_takes_nothing_over(tmp_path: Path) -> None:
    out, work = tmp_path / "out", tmp_path / "work"
    for _ in range(2):
        staging = Staging.make(out, work)
        file = staging.write("a", b"x")
        staging.publish({"a": file})
    known = Staging.make(out, work)
    assert known.known("a") == file
    known.publish({"a": file})
    clean = Staging.make(out, work, is_clean=True)
    assert clean.known("a") is None
    clean.discard()
    assert not clean.path.exists()


def test_build_after_one_that_was_killed_finds_what_was_published(tmp_path: Path) -> None:
    out, work = tmp_path / "out", tmp_path / "work"
    staging = Staging.make(out, work)
    file = staging.write("a.html", b"x")
    staging.publish({"a.html": file})
    out.rename(tmp_path / ".out.replaced-4711")
    after = Staging.make(out, work)
    assert (out / "a.html").read_bytes() == b"x"
    assert after.reuse("a.html", file)
    after.discard()
