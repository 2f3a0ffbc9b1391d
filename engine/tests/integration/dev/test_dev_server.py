"""`octavo dev`: whatever an author saves, the server lives on and says what is wrong."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.tests.integration.dev.conftest import Dev
from octavo.background import Watcher, changed_since
from tests.support.sites import HOME, MakeSite, SiteFolder, page

StartDev = Callable[[Path], Dev]


@pytest.fixture
def site(make_site: MakeSite) -> SiteFolder:
    return make_site({**HOME, "docs/a.md": page("A", "First.")})


def test_broken_and_mended_pages_and_settings_never_end_the_server(site: SiteFolder, start_dev: StartDev) -> None:
    dev = start_dev(site.root)
    assert b"First." in dev.get("/a")[1]
    site.write({"docs/a.md": page("A", "Broken: [x](./gone.md)")})
    dev.wait_until(lambda: b"Broken:" in dev.get("/a")[1])
    dev.wait_until(lambda: dev.problems() == ["docs/a.md:5:9"])
    site.write({"octavo.toml": "title = 1"})
    dev.wait_until(lambda: "octavo.toml" in dev.greeting()["failure"])
    assert b"Broken:" in dev.get("/a")[1]
    site.write({"octavo.toml": 'title = "Mended"', "docs/a.md": page("A", "Mended.")})
    dev.wait_until(lambda: b"Mended." in dev.get("/a")[1])
    dev.wait_until(lambda: (dev.problems(), dev.greeting()["failure"]) == ([], ""))


def test_a_site_that_is_broken_from_the_start_is_shown_once_it_is_mended(site: SiteFolder, start_dev: StartDev) -> None:
    site.write({"octavo.toml": "title = 1"})
    dev = start_dev(site.root)
    status, content = dev.get("/a")
    assert (status, b"/_octavo/dev/client.js" in content) == (503, True)
    site.write({"octavo.toml": 'title = "Mended"'})
    dev.wait_until(lambda: dev.get("/a")[0] == 200)


def test_a_change_of_text_brings_the_page_itself(site: SiteFolder, start_dev: StartDev) -> None:
    dev = start_dev(site.root)
    with dev.listen() as events:
        first = next(events)
        site.write({"docs/a.md": page("A", "Second.")})
        second = next(event for event in events if event["number"] != first["number"])
    assert (first["number"], second["number"]) == (1, 2)
    assert [(one["path"], "Second." in one["html"]) for one in second["pages"]] == [("/a", True)]
    assert not second["isWhole"]


def test_what_a_text_asks_of_the_policy_is_allowed_and_told(site: SiteFolder, start_dev: StartDev) -> None:
    dev = start_dev(site.root)
    with dev.listen() as events:
        first = next(events)
        site.write({"docs/a.md": page("A", "![Kiln](https://example.com/kiln.png)")})
        second = next(event for event in events if event["number"] != first["number"])
    assert second["hasNeeds"]
    assert second["policy"] != first["policy"]
    assert "img-src 'self' data: https://example.com" in dev.ask("/a").headers["content-security-policy"]


def test_pages_are_drawn_on_when_what_draws_them_has_died(site: SiteFolder, start_dev: StartDev) -> None:
    dev = start_dev(site.root)
    assert dev.get("/a")[0] == 200
    dev.kill_children()
    site.write({"docs/a.md": page("A", "Second.")})
    dev.wait_until(lambda: b"Second." in dev.get("/a")[1])
    dev.wait_until(lambda: dev.problems() == [])


def test_a_change_of_title_tells_all_pages(site: SiteFolder, start_dev: StartDev) -> None:
    dev = start_dev(site.root)
    with dev.listen() as events:
        first = next(events)
        site.write({"docs/a.md": page("B", "First.")})
        assert next(event for event in events if event["number"] != first["number"])["isWhole"]


def test_a_file_that_is_saved_as_it_was_tells_nobody(site: SiteFolder, start_dev: StartDev) -> None:
    dev = start_dev(site.root)
    with dev.listen() as events:
        first = next(events)
        site.write({"docs/a.md": page("A", "First.")})
        site.write({"docs/a.md": page("A", "Other.")})
        numbers = [first["number"], next(event for event in events if event["number"] != first["number"])["number"]]
    assert numbers == [1, 2]


def test_search_includes_the_edit(site: SiteFolder, start_dev: StartDev) -> None:
    dev = start_dev(site.root)
    site.write({"docs/a.md": page("A", "A porcupine.")})
    dev.wait_until(lambda: dev.count_hits("porcupine") > 0)
    site.write({"docs/a.md": page("A", "A hedgehog.")})
    dev.wait_until(lambda: (dev.count_hits("hedgehog"), dev.count_hits("porcupine")) == (1, 0))


def test_search_comes_back_after_the_process_that_writes_its_index_was_killed(
    site: SiteFolder, start_dev: StartDev
) -> None:
    dev = start_dev(site.root)
    dev.wait_until(lambda: dev.count_hits("First") > 0)
    dev.kill_children(b"spawn_main")
    assert dev.count_hits("First") > 0
    dev.wait_until(lambda: not dev.children(b"spawn_main"))
    site.write({"docs/a.md": page("A", "A porcupine.")})
    dev.wait_until(lambda: dev.count_hits("porcupine") > 0)


def test_the_next_start_takes_over_what_was_drawn_and_indexed(site: SiteFolder, start_dev: StartDev) -> None:
    dev = start_dev(site.root)
    dev.wait_until(lambda: dev.count_hits("First") > 0)
    dev.stop()
    indexes = {path.name for path in (site.root / ".octavo/dev/search").iterdir()}
    dev = start_dev(site.root)
    assert b"First." in dev.get("/a")[1]
    dev.wait_until(lambda: dev.count_hits("First") > 0)
    assert {path.name for path in (site.root / ".octavo/dev/search").iterdir()} == indexes


def test_stopping_ends_the_streams_of_open_pages(site: SiteFolder, start_dev: StartDev) -> None:
    dev = start_dev(site.root)
    with dev.listen() as events:
        next(events)
        dev.stop()
        assert list(events) == []


def test_saves_are_followed_where_the_system_does_not_tell_of_them(
    site: SiteFolder, start_dev: StartDev, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHFILES_FORCE_POLLING", "true")
    dev = start_dev(site.root)
    for text in ("Looked for.", "And once more."):
        site.write({"docs/a.md": page("A", text)})
        dev.wait_until(lambda text=text: text.encode() in dev.get("/a")[1])
    site.write({"docs/new.md": page("New", "Came later.")})
    dev.wait_until(lambda: dev.get("/new")[0] == 200)
    dev.stop()


def test_search_and_problems_follow_a_start_without_a_cache_at_many_pages(
    site: SiteFolder, start_dev: StartDev
) -> None:
    count = 60  # more than are drawn before search gets its records
    site.write({f"docs/p{number}.md": page(f"P{number}", f"Word{number}. [x](./gone.md)") for number in range(count)})
    dev = start_dev(site.root)
    dev.wait_until(lambda: dev.count_hits("Word59") > 0)
    dev.wait_until(lambda: len(dev.problems()) == count)
    site.write({"docs/p7.md": page("P7", "Mended.")})
    dev.wait_until(lambda: len(dev.problems()) == count - 1 and dev.count_hits("Mended") > 0)


def test_ledger_of_addresses_stays_as_it_is(site: SiteFolder, start_dev: StartDev) -> None:
    site.write({"addresses.txt": "/\n"})
    assert start_dev(site.root).get("/a")[0] == 200
    assert (site.root / "addresses.txt").read_text() == "/\n"


def test_what_builds_write_is_no_change(site: SiteFolder) -> None:
    site.write({"build/_octavo/manifest.json": "{}", "build/index.html": "x", ".octavo/x": "x", ".git/x": "x"})
    watcher = Watcher(site.root, lambda _: None, 0)
    written = ("build/index.html", ".octavo/x", ".git/x")
    assert [watcher.path_of(f"{site.root}/{path}") for path in written] == [None, None, None]
    assert watcher.path_of(f"{site.root}/docs/a.md") == "docs/a.md"


def test_folders_that_are_followed_bring_nothing_of_the_site_that_is_left_out(site: SiteFolder) -> None:
    """A file beside the site is an input of an extension, and git keeps its tags in a folder that is left out otherwise."""
    refs = site.root / ".git" / "refs" / "tags"
    watcher = Watcher(site.root, lambda _: None, 0, lambda: [site.root.parent, refs])
    written = (".octavo/x", ".git/x", "docs/a.md~", ".git/refs/tags/v1", "docs/a.md", "../beside.toml")
    found = [watcher.path_of(os.path.normpath(f"{site.root}/{path}")) for path in written]
    assert found == [None, None, None, ".git/refs/tags/v1", "docs/a.md", "../beside.toml"]


@pytest.mark.parametrize(
    "name", ["4913", ".a.md.swp", ".a.md.swx", "a.md~", "#a.md#", ".#a.md", "a.md___jb_tmp___", ".~lock.a.md#"]
)
def test_what_editors_write_beside_a_file_is_no_change(site: SiteFolder, name: str) -> None:
    """With it, a saved text would count as a change of any file, and all of the site would be read again."""
    watcher = Watcher(site.root, lambda paths: None, 0)
    assert watcher.path_of(str(site.root / "docs" / name)) is None
    assert watcher.path_of(str(site.root / "docs" / "a.md")) == "docs/a.md"


def test_what_was_renamed_while_nobody_watched_is_found_by_its_folder(site: SiteFolder) -> None:
    newest_ns = max(path.stat().st_mtime_ns for path in site.root.rglob("*"))
    (site.root / "docs/a.md").rename(site.root / "docs/b.md")
    assert changed_since(site.root, newest_ns + 1) == {"docs"}


def test_answers_are_those_of_the_server_of_production(site: SiteFolder, start_dev: StartDev) -> None:
    site.write({"octavo.toml": 'title = "Test"\nredirects = [{ from = "/old", to = "/a" }]\n', "static/x.bin": "12345"})
    dev = start_dev(site.root)
    moved = dev.ask("/old")
    assert (moved.status, moved.headers["location"]) == (301, "/a")
    assert (dev.ask("/a/").status, dev.ask("/a/").headers["location"]) == (308, "/a")
    part = dev.ask("/x.bin")
    assert (part.status, part.body, part.headers["x-content-type-options"]) == (200, b"12345", "nosniff")
    missing = dev.ask("/nothing")
    assert (missing.status, b"Page Not Found" in missing.body) == (404, True)
    shown = dev.ask("/a")
    assert "script-src" in shown.headers["content-security-policy"]
    assert shown.headers["cache-control"] == "no-store"
    health = dev.ask("/healthz")
    assert (health.status, json.loads(health.body)["status"]) == (200, "ok")
