"""A new build takes over between requests, and readers of the old one are not left alone."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil

import pytest

from octavo.server import published_build as published_build_module
from octavo.server.app import create_app
from octavo.server.published_build import PublishedBuild
from octavo.server.published_builds import OLDER_BUILDS, PublishedBuilds
from tests.support.published import FILES, PAGE, ask, get, make_manifest, publish


def build(number: int) -> dict[str, bytes]:
    """Files of a build that differs from the others in its home page and its script."""
    files = {path: content for path, content in FILES.items() if not path.startswith("_octavo/app")}
    return files | {"index.html": PAGE + b"%d" % number, f"_octavo/app.{number:08d}.js": b"build(%d)" % number}


def test_new_build_is_served_from_the_next_request_on(tmp_path):
    out = publish(tmp_path / "out", build(1))
    app = create_app(out, interval_s=0)
    assert get(app, "/").body.endswith(b"1")
    publish(out, build(2), build="build-2")
    assert get(app, "/").body.endswith(b"2")


def test_folder_is_not_looked_at_for_every_request(tmp_path):
    out = publish(tmp_path / "out", build(1))
    app = create_app(out, interval_s=3600)
    assert get(app, "/healthz").text == '{"status":"ok","build":"build-1"}'
    publish(out, build(2), build="build-2")
    assert get(app, "/healthz").text == '{"status":"ok","build":"build-1"}'


def test_page_that_went_away_with_its_build_is_answered_from_the_new_one(tmp_path):
    """Between two looks the old folder may be gone; the reader gets the new page, not an error."""
    out = publish(tmp_path / "out", build(1))
    app = create_app(out, interval_s=3600)
    get(app, "/healthz")
    publish(out, build(2), build="build-2")
    reply = get(app, "/")
    assert (reply.status, reply.body[-1:]) == (200, b"2")


def test_hashed_files_of_older_builds_can_still_be_had(tmp_path):
    out = publish(tmp_path / "out", build(1))
    app = create_app(out, interval_s=0)
    for number in range(2, OLDER_BUILDS + 3):
        publish(out, build(number), build=f"build-{number}")
        get(app, "/")
    newest = OLDER_BUILDS + 2
    statuses = [get(app, f"/_octavo/app.{number:08d}.js").status for number in range(1, newest + 1)]
    assert statuses == [404] + [200] * (newest - 1)


def test_file_of_an_older_build_is_sent_like_any_other(tmp_path):
    out = publish(tmp_path / "out")
    app = create_app(out, interval_s=0)
    before = get(app, "/_octavo/app.0123abcd.js", accept_encoding="gzip")
    publish(out, build(2), build="build-2")
    assert get(app, "/_octavo/app.0123abcd.js", accept_encoding="gzip") == before


def test_same_build_published_again_pushes_no_older_one_out(tmp_path):
    out = publish(tmp_path / "out", build(1))
    app = create_app(out, interval_s=0)
    for _ in range(OLDER_BUILDS + 2):
        publish(out, build(2), build="build-2")
        get(app, "/")
    assert get(app, "/_octavo/app.00000001.js").status == 200


def test_small_files_are_kept_before_large_ones(tmp_path, monkeypatch):
    monkeypatch.setattr(published_build_module, "KEPT_BYTES", 250)
    files = FILES | {"_octavo/a.js": b"x" * 100, "_octavo/b.png": b"x" * 200, "_octavo/c.css": b"x" * 120}
    published = PublishedBuild(publish(tmp_path / "out", files))
    published.keep()
    assert set(published.kept) == {"_octavo/a.js", "_octavo/c.css"}


def test_unreadable_manifest_leaves_the_old_build_served(tmp_path, caplog):
    out = publish(tmp_path / "out", build(1))
    app = create_app(out, interval_s=0)
    (out / "_octavo/manifest.json").write_text('{"build": ')
    with caplog.at_level(logging.WARNING):
        assert get(app, "/").status == 200
        assert get(app, "/").status == 200
    assert len(caplog.records) == 1


def test_removed_folder_is_served_on_from_what_is_held(tmp_path):
    out = publish(tmp_path / "out", build(1))
    app = create_app(out, interval_s=0)
    get(app, "/")
    out.rename(tmp_path / "elsewhere")
    assert get(app, "/").status == 200
    assert get(app, "/img/logo.svg").status == 200


def test_file_that_is_gone_is_unavailable(tmp_path):
    out = publish(tmp_path / "out", build(1))
    app = create_app(out)
    (out / "img/logo.svg").unlink()
    (out / "video.mp4").unlink()
    assert get(app, "/img/logo.svg").status == 503
    assert get(app, "/video.mp4").status == 503


def test_file_that_was_changed_after_publishing_is_not_sent(tmp_path):
    """Its tag, and the compressed forms kept under its hash, would speak of another content."""
    out = publish(tmp_path / "out", build(1))
    app = create_app(out)
    (out / "img/logo.svg").write_bytes(FILES["img/logo.svg"][::-1])
    (out / "video.mp4").write_bytes(b"short")
    assert get(app, "/img/logo.svg").status == 503
    assert get(app, "/video.mp4").status == 503


def test_large_file_under_way_is_finished_from_the_old_build(tmp_path):
    out = publish(tmp_path / "out")
    published = PublishedBuild(out)
    with published.open("video.mp4") as file:
        start = file.read(1000)
        publish(out, build(2), build="build-2")
        assert start + file.read() == FILES["video.mp4"]


def test_requests_during_a_change_of_build_are_all_answered(tmp_path):
    out = publish(tmp_path / "out", build(1))

    async def main():
        app = create_app(out, interval_s=0)
        bodies = []
        for number in range(2, 8):
            publish(out, build(number), build=f"build-{number}")
            bodies += await asyncio.gather(*(ask(app, "/") for _ in range(20)))
        return bodies

    assert {reply.status for reply in asyncio.run(main())} == {200}


def test_hashes_are_those_of_all_builds_held(tmp_path):
    out = publish(tmp_path / "out", build(1))
    builds = PublishedBuilds(out)
    publish(out, build(2), build="build-2")
    asyncio.run(builds.look())
    expected = {file.hash for number in (1, 2) for file in make_manifest(build(number)).files.values()}
    assert builds.hashes() == expected


def test_each_new_build_is_told_of(tmp_path):
    out = publish(tmp_path / "out", build(1))
    told = []
    builds = PublishedBuilds(out, interval_s=0, on_change=lambda changed: told.append(len(changed.hashes())))
    one = len({file.hash for file in make_manifest(build(1)).files.values()})
    assert told == [one]
    asyncio.run(builds.current())
    assert told == [one]
    publish(out, build(2), build="build-2")
    asyncio.run(builds.current())
    assert told == [one, one + 2]


def test_published_folder_may_be_a_link(tmp_path):
    """Deployments switch such a link from one release to the next."""
    link = tmp_path / "current"
    link.symlink_to(publish(tmp_path / "one", build(1)))
    app = create_app(link, interval_s=0)
    assert get(app, "/").body.endswith(b"1")
    link.unlink()
    link.symlink_to(publish(tmp_path / "two", build(2), build="build-2"))
    shutil.rmtree(tmp_path / "one")
    assert get(app, "/").body.endswith(b"2")


@pytest.mark.parametrize("place", ["codegate/quickstart/index.html", "codegate/quickstart", "img"])
def test_link_in_the_published_folder_is_not_followed(tmp_path, place):
    out = publish(tmp_path / "out")
    app = create_app(out)
    outside = tmp_path / "outside"
    (out / place).rename(outside)
    (out / place).symlink_to(outside)
    path = "/img/logo.svg" if place == "img" else "/codegate/quickstart"
    assert get(app, path).status == 503


def test_all_who_meet_a_file_that_is_gone_are_answered_from_the_new_build(tmp_path):
    out = publish(tmp_path / "out", build(1))

    async def main():
        app = create_app(out, interval_s=3600)
        await ask(app, "/healthz")
        publish(out, build(2), build="build-2")
        return await asyncio.gather(*(ask(app, "/img/logo.svg") for _ in range(20)))

    assert {reply.status for reply in asyncio.run(main())} == {200}


def test_pipe_in_the_place_of_a_file_is_not_read(tmp_path):
    out = publish(tmp_path / "out")
    app = create_app(out)
    (out / "robots.txt").unlink()
    os.mkfifo(out / "robots.txt")
    assert get(app, "/robots.txt").status == 503


def test_file_that_is_gone_from_the_new_build_as_well_is_unavailable(tmp_path):
    out = publish(tmp_path / "out", build(1))
    app = create_app(out, interval_s=3600)
    get(app, "/healthz")
    publish(out, build(2), build="build-2")
    (out / "img/logo.svg").unlink()
    assert get(app, "/img/logo.svg").status == 503
