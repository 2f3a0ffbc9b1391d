"""A build is left out only where it would make the same again: every change that could matter is noticed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from octavo.config import CONFIG_NAME
from octavo.last_build import (
    Asked,
    Result,
    find_same,
    keep_result,
    look_at_inputs,
    note_states,
    save_states,
    states_name,
)
from octavo.last_build.file_states import NO_STATES, SETTLED_NS
from octavo.manifest import MANIFEST_PATH, ManifestFile, hash_content

PAGES = {"index.html": b"<h1>Home</h1>", "guides/a/index.html": b"<h1>A</h1>", "_octavo/pages/a.json": b"{}"}
SOURCES = {
    "docs/index.md": "# Home",
    "docs/guides/a.md": "# A",
    "static/robots.txt": "",
    CONFIG_NAME: 'title = "env:T"\nvariable_files = ["../product.toml", "../missing.json"]\nglossary = "../words/terms.toml"\n'
    '[[openapi]]\nurl_env = "ADDRESS"',
    "../product.toml": 'version = "1.0"',
    "../words/terms.toml": "",
}
RESULT = Result(2, "b", [], 2)


def write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def settle(folder: Path) -> None:
    """Wait until no file of a folder has changed a moment ago."""
    newest = max(path.lstat().st_ctime_ns for path in folder.rglob("*"))
    while time.time_ns() < newest + 2 * SETTLED_NS:
        time.sleep(0)


def publish(asked: Asked) -> None:
    """Leave what a build leaves."""
    for address, content in PAGES.items():
        write(asked.out / address, content)
    write(asked.out / "_octavo/search/i/records-0.bin", b"records")
    write(asked.out / MANIFEST_PATH, b"{}")
    files = {address: ManifestFile(hash_content(content), len(content)) for address, content in PAGES.items()}
    name = states_name(asked.out, asked.work_dir)
    save_states(name.with_name(f"{name.name}.published.files"), note_states(asked.out, files, NO_STATES))
    (asked.out / ".git").mkdir()  # a folder that is deployed as a checkout


@pytest.fixture(params=["settled", "fresh"])
def built(tmp_path: Path, request: pytest.FixtureRequest) -> Asked:
    """Give a build that has just been made, of files that are old or a moment young."""
    site = tmp_path / "site"
    for path, text in SOURCES.items():
        write(site / path, text)
    write(site / ".git/HEAD", "ref: refs/heads/main\n")
    write(site / ".git/refs/heads/main", "1" * 40)
    (site / "docs/link.md").symlink_to("index.md")
    asked = Asked.of(site, site / "build", ("options",))
    assert asked is not None
    if request.param == "settled":
        settle(site)
    inputs = look_at_inputs(asked)
    publish(asked)
    if request.param == "settled":
        settle(asked.out)
    keep_result(asked, inputs, RESULT)
    return asked


def test_the_same_again_is_found_and_says_what_the_build_has_said(built: Asked) -> None:
    same = Result(2, "b", [], 0)
    assert find_same(built).result == same
    settle(built.site_dir)
    assert find_same(built).result == same  # reads what was unsettled once more, and notes it
    assert find_same(built).result == same


def test_what_is_compared_is_also_what_the_next_build_is_made_of(built: Asked) -> None:
    settle(built.site_dir)
    assert find_same(built).inputs == look_at_inputs(built)
    (built.site_dir / "docs/index.md").write_text("# Other\n")
    settle(built.site_dir)
    compared = find_same(built)
    assert compared.result is None
    keep_result(built, compared.inputs, RESULT)
    assert find_same(built).result is not None


def test_its_own_folders_are_no_inputs(built: Asked) -> None:
    write(built.work_dir / "cache/pages", "x")
    write(built.out / "_octavo/search/i/.tantivy-meta.lock", "")
    write(built.site_dir / ".git/index", "x")
    assert find_same(built).result is not None


def append(path: str) -> Callable[[Asked], None]:
    def change(asked: Asked) -> None:
        with (asked.site_dir / path).open("a") as file:
            file.write("x")

    return change


def rewrite(path: str) -> Callable[[Asked], None]:
    """Write as many other bytes into the file itself, and set its time back."""

    def change(asked: Asked) -> None:
        file = asked.site_dir / path
        found = file.stat()
        file.write_bytes(bytes(byte ^ 1 for byte in file.read_bytes()))
        os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns))

    return change


def add(path: str) -> Callable[[Asked], None]:
    return lambda asked: write(asked.site_dir / path, "x")


def remove(path: str) -> Callable[[Asked], None]:
    return lambda asked: (asked.site_dir / path).unlink()


@pytest.mark.parametrize(
    "change",
    [
        append("docs/guides/a.md"),
        rewrite("docs/guides/a.md"),
        rewrite(CONFIG_NAME),
        add("docs/b.md"),
        add("anything"),
        remove("static/robots.txt"),
        lambda asked: (asked.site_dir / "docs/guides").rename(asked.site_dir / "docs/tours"),
        lambda asked: (asked.site_dir / "static/empty").mkdir(),
        rewrite("../product.toml"),
        append("../words/terms.toml"),
        add("../missing.json"),
        append(".git/HEAD"),
        rewrite(".git/refs/heads/main"),
        add(".git/refs/tags/v1"),
        add(".git/packed-refs"),
        append("build/index.html"),
        rewrite("build/guides/a/index.html"),
        remove("build/_octavo/pages/a.json"),
        add("build/foreign.html"),
        add("build/guides/foreign.html"),
        rewrite(f"build/{MANIFEST_PATH}"),
        remove(f"build/{MANIFEST_PATH}"),
        rewrite("build/_octavo/search/i/records-0.bin"),
        remove("build/_octavo/search/i/records-0.bin"),
    ],
)
def test_every_change_is_noticed(built: Asked, change: Callable[[Asked], None]) -> None:
    change(built)
    assert find_same(built).result is None


def test_a_link_out_of_the_site_leaves_nothing_to_compare(built: Asked, tmp_path: Path) -> None:
    (built.site_dir / "static/outside").symlink_to(tmp_path)
    assert look_at_inputs(built) is None
    keep_result(built, look_at_inputs(built), RESULT)
    assert find_same(built).result is None


def test_a_folder_outside_of_the_site_leaves_nothing_to_compare(built: Asked) -> None:
    write(built.site_dir / CONFIG_NAME, 'source = "../words"')
    assert look_at_inputs(built) is None


@pytest.mark.parametrize("text", ["title = ", "\xff", "a = " + "[" * 5_000])
def test_settings_that_cannot_be_read_leave_nothing_to_compare(built: Asked, text: str) -> None:
    write(built.site_dir / CONFIG_NAME, text.encode("latin-1"))
    assert look_at_inputs(built) is None


def test_other_options_and_other_surroundings_are_another_build(
    built: Asked, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = Asked.of(built.site_dir, built.out, ("others",))
    assert other is not None
    assert find_same(other).result is None
    monkeypatch.setenv("UNNAMED", "x")
    assert find_same(built).result is not None
    packages = tmp_path / "site-packages"
    packages.mkdir()
    monkeypatch.syspath_prepend(packages)
    assert find_same(built).result is None
    monkeypatch.undo()
    monkeypatch.setenv("T", "x")  # named by octavo.toml
    assert find_same(built).result is None
    monkeypatch.undo()
    assert find_same(built).result is not None
    monkeypatch.setenv("ADDRESS", "https://example.org/openapi.json")
    assert find_same(built).result is None


@pytest.mark.parametrize("text", ["", "gitdir: nowhere", "something else"])
def test_a_repository_that_cannot_be_read_leaves_nothing_to_compare(tmp_path: Path, text: str) -> None:
    write(tmp_path / CONFIG_NAME, "")
    write(tmp_path / ".git", text)
    asked = Asked.of(tmp_path, tmp_path / "build", ())
    assert asked is not None
    assert look_at_inputs(asked) is None


def test_another_work_tree_of_a_repository_is_looked_at_where_it_keeps_its_files(tmp_path: Path) -> None:
    site, own = tmp_path / "tree/site", tmp_path / "main/.git/worktrees/tree"
    write(site / CONFIG_NAME, "")
    write(site.parent / ".git", f"gitdir: {own}\n")
    write(own / "HEAD", "ref: refs/heads/topic\n")
    write(own / "commondir", "../..\n")
    write(tmp_path / "main/.git/refs/heads/topic", "1" * 40)
    asked = Asked.of(site, site / "build", ())
    assert asked is not None
    settle(tmp_path)
    before = look_at_inputs(asked)
    assert before is not None
    assert look_at_inputs(asked) == before
    write(tmp_path / "main/.git/refs/heads/topic", "2" * 40)
    settle(tmp_path)
    assert look_at_inputs(asked) != before


def test_a_folder_without_settings_is_no_site(tmp_path: Path) -> None:
    assert Asked.of(tmp_path, tmp_path / "build", ()) is None
    assert list(tmp_path.iterdir()) == []
