"""A copy of a folder that is published elsewhere: checked, exchanged in one step, and made of what is there already."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator, Mapping
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

from octavo.errors import UsageError
from octavo.manifest import MANIFEST_PATH
from octavo.search.index.files import CHECKSUMS_NAME, write_checksums
from octavo.server.replica import Replica, ReplicaError, open_source
from octavo.server.replica.following import following
from octavo.server.replica.sources import FolderSource, SourceError
from tests.support import published
from tests.support.each import each

FILES = {"index.html": b"<h1>Kiln</h1>", "404.html": b"<h1>Gone</h1>", "img/logo.svg": b"<svg/>"}


def publish(out: Path, files: Mapping[str, bytes], **changes: Any) -> Path:
    routes = {"/": "index.html"}
    return published.publish(out, files, routes=routes, redirects={}, not_found_by_locale={}, **changes)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    return publish(tmp_path / "elsewhere", FILES)


@pytest.fixture
def replica(tmp_path: Path, elsewhere: Path) -> Replica:
    return Replica(open_source(str(elsewhere)), tmp_path / "replica")


def contents(folder: Path) -> dict[str, bytes]:
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    return {name: file.read_bytes() for file in files if (name := file.relative_to(folder).as_posix()) != MANIFEST_PATH}


def copies(replica: Replica) -> list[Path]:
    return sorted(replica.out.with_name("builds").iterdir())


def test_copy_is_the_whole_published_folder_and_is_made_once(replica: Replica, elsewhere: Path) -> None:
    assert replica.update()
    assert contents(replica.out) == FILES
    assert (replica.out / MANIFEST_PATH).read_bytes() == (elsewhere / MANIFEST_PATH).read_bytes()
    assert not replica.update()
    assert len(copies(replica)) == 1


def test_copy_that_is_there_after_a_restart_is_served_on(replica: Replica, tmp_path: Path) -> None:
    replica.update()
    before = replica.out.resolve()
    again = Replica(open_source(str(tmp_path / "elsewhere")), tmp_path / "replica")
    assert not again.update()
    assert again.out.resolve() == before
    (tmp_path / "replica" / "current").unlink()
    assert again.update()
    assert contents(again.out) == FILES


def test_new_build_takes_over_what_has_not_changed(replica: Replica, elsewhere: Path) -> None:
    replica.update()
    first = replica.out.resolve()
    changed = {
        "index.html": b"<h1>Glaze</h1>",
        "404.html": FILES["404.html"],
        "moved/logo.svg": FILES["img/logo.svg"],
        "same.svg": b"<svg/>",
    }
    publish(elsewhere, changed, build="build-2")
    assert replica.update()
    assert contents(replica.out) == changed
    assert (replica.out / "moved/logo.svg").samefile(first / "img/logo.svg")
    assert not (replica.out / "index.html").samefile(first / "index.html")


def test_file_that_the_copy_has_lost_is_asked_for_again(replica: Replica, elsewhere: Path) -> None:
    replica.update()
    (replica.out / "img/logo.svg").unlink()
    publish(elsewhere, FILES | {"index.html": b"<h1>Glaze</h1>"}, build="build-2")
    assert replica.update()
    assert contents(replica.out) == FILES | {"index.html": b"<h1>Glaze</h1>"}


def test_copy_before_stays_for_requests_that_read_it_and_older_ones_go(replica: Replica, elsewhere: Path) -> None:
    served = []
    for number in range(4):
        publish(elsewhere, FILES | {"index.html": b"%d" % number}, build=f"build-{number}")
        replica.update()
        served.append(replica.out.resolve())
    assert copies(replica) == sorted(served[-2:])


def test_file_that_is_not_what_the_manifest_says_stops_the_copy(replica: Replica, elsewhere: Path) -> None:
    replica.update()
    before = replica.out.resolve()
    publish(elsewhere, FILES | {"index.html": b"<h1>Glaze</h1>"}, build="build-2")
    for wrong in (b"<h1>Glazf</h1>", b"<h1>Glaz"):
        (elsewhere / "index.html").write_bytes(wrong)
        with pytest.raises(ReplicaError, match=r"index.html has another content than its manifest says"):
            replica.update()
    (elsewhere / "index.html").write_bytes(b"<h1>Glaze</h1> and more")
    with pytest.raises(ReplicaError, match=r"index.html is larger than 14 bytes"):
        replica.update()
    (elsewhere / "index.html").unlink()
    with pytest.raises(ReplicaError, match=f"^{elsewhere} cannot be copied: index.html cannot be read: No such file"):
        replica.update()
    assert (replica.out.resolve(), copies(replica)) == (before, [before])
    (elsewhere / "index.html").write_bytes(b"<h1>Glaze</h1>")
    assert replica.update()
    assert contents(replica.out)["index.html"] == b"<h1>Glaze</h1>"


def test_no_link_out_of_the_folder_and_no_pipe_is_copied(replica: Replica, elsewhere: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(FILES["index.html"])
    (elsewhere / "index.html").unlink()
    (elsewhere / "index.html").symlink_to(tmp_path / "secret")
    with pytest.raises(ReplicaError, match=r"index.html cannot be read"):
        replica.update()
    (elsewhere / "index.html").unlink()
    (elsewhere / "index.html").symlink_to("img")
    with pytest.raises(SourceError):
        open_source(str(elsewhere)).read("img", 9)


def test_place_that_cannot_be_written_to_is_named(elsewhere: Path, tmp_path: Path) -> None:
    (tmp_path / "replica").write_text("a file")
    replica = Replica(open_source(str(elsewhere)), tmp_path / "replica")
    with pytest.raises(ReplicaError, match=r"cannot be copied to .*builds: Not a directory"):
        replica.update()


def with_index(out: Path, files: dict[str, bytes], build: str) -> None:
    """Publish a build with an index: files, and what each of them holds."""
    publish(out, FILES, build=build, search="_octavo/search")
    folder = out / "_octavo/search"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    write_checksums(folder)


def test_index_is_copied_checked_and_taken_over(replica: Replica, elsewhere: Path) -> None:
    with_index(elsewhere, {"a.bin": b"one", "b.bin": b"two"}, "build-1")
    assert replica.update()
    first = replica.out.resolve() / "_octavo/search"
    assert (first / "b.bin").read_bytes() == b"two"
    publish(elsewhere, FILES, build="build-2", search="_octavo/search")
    assert replica.update()  # the index is not there any more, and need not be
    assert (replica.out / "_octavo/search/a.bin").samefile(first / "a.bin")


def test_damaged_index_is_not_served(replica: Replica, elsewhere: Path) -> None:
    with_index(elsewhere, {"a.bin": b"one"}, "build-1")
    (elsewhere / "_octavo/search/a.bin").write_bytes(b"two")
    with pytest.raises(ReplicaError, match="_octavo/search has another content than its checksums say"):
        replica.update()
    sums = elsewhere / "_octavo/search" / CHECKSUMS_NAME
    sums.write_bytes(b"[]")
    with pytest.raises(ReplicaError, match=f"{CHECKSUMS_NAME} is damaged"):
        replica.update()
    for name in ("../a.bin", "/etc/passwd", "a/b", ".."):
        sums.write_bytes(msgspec.json.encode({name: "0"}))
        with pytest.raises(ReplicaError, match="names a file that lies elsewhere"):
            replica.update()
    assert not replica.out.exists()


class Host(SimpleHTTPRequestHandler):
    """A host of files that notes what it was asked: (path, Authorization, condition)."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    asked: list[tuple[str, str | None, str | None]]
    tags: dict[str, str]

    def do_GET(self) -> None:
        condition = self.headers.get("If-None-Match") or self.headers.get("If-Modified-Since")
        self.asked.append((self.path, self.headers.get("Authorization"), condition))
        if condition and condition == self.tags.get(self.path.partition("?")[0]):
            self.send_response(304)
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            super().do_GET()

    def end_headers(self) -> None:
        if tag := self.tags.get(self.path.partition("?")[0]):
            self.send_header("ETag", tag)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - a name of the base class
        """Say nothing."""


@pytest.fixture
def host(elsewhere: Path) -> Iterator[tuple[str, type[Host]]]:
    kept: dict[str, Any] = {"asked": [], "tags": {}}
    handler = type("Kept", (Host,), kept)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(elsewhere)))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.005,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", handler
    server.shutdown()
    thread.join()
    server.server_close()


def test_address_is_copied_with_its_query_and_the_given_header(
    host: tuple[str, type[Host]], elsewhere: Path, tmp_path: Path
) -> None:
    publish(elsewhere, FILES | {"a b.html": b"with space"})
    source = open_source(f"{host[0]}/?sv=1", {"OCTAVO_REPLICA_AUTHORIZATION": "Bearer kiln"})
    replica = Replica(source, tmp_path / "copy")
    assert replica.update()
    assert contents(replica.out) == FILES | {"a b.html": b"with space"}
    assert {path for path, _, _ in host[1].asked} == {
        f"/{name}?sv=1" for name in (MANIFEST_PATH, "index.html", "404.html", "img/logo.svg", "a%20b.html")
    }
    assert {authorization for _, authorization, _ in host[1].asked} == {"Bearer kiln"}
    assert replica.name == f"{host[0]}/"
    replica.close()


def test_unchanged_manifest_of_an_address_is_not_sent_again(
    host: tuple[str, type[Host]], elsewhere: Path, tmp_path: Path
) -> None:
    host[1].tags[f"/{MANIFEST_PATH}"] = '"one"'
    replica = Replica(open_source(host[0]), tmp_path / "copy")
    assert [replica.update() for _ in range(4)] == [True, False, False, False]
    conditions = [condition for path, _, condition in host[1].asked if path == f"/{MANIFEST_PATH}"]
    assert conditions == [None, None, '"one"', '"one"']
    publish(elsewhere, FILES, build="build-2")
    host[1].tags[f"/{MANIFEST_PATH}"] = '"two"'
    assert replica.update()


def test_time_of_an_old_file_serves_as_a_condition(host: tuple[str, type[Host]], elsewhere: Path) -> None:
    source = open_source(host[0])
    os.utime(elsewhere / "index.html", (1_700_000_000, 1_700_000_000))
    assert source.read_if_changed("index.html", 99) == FILES["index.html"]
    assert source.read_if_changed("index.html", 99) is None
    assert host[1].asked[-1][2] == "Tue, 14 Nov 2023 22:13:20 GMT"
    os.utime(
        elsewhere / "img/logo.svg", (time.time() + 3600,) * 2
    )  # it was written later than the answer was sent, and may be written again
    assert [source.read_if_changed("img/logo.svg", 99) for _ in range(2)] == [FILES["img/logo.svg"]] * 2


def test_what_an_address_does_not_give_is_said_without_what_opens_it(
    host: tuple[str, type[Host]],
) -> None:
    source = open_source(f"{host[0]}?sig=secret")
    with pytest.raises(SourceError, match=r"^gone\.html was answered with status 404$"):
        source.read("gone.html", 9)
    with pytest.raises(SourceError, match=r"^index\.html is larger than 12 bytes$"):
        source.read("index.html", 12)
    assert source.read("index.html", 13) == FILES["index.html"]


@each(
    "location, message",
    [
        ("ftp://example.org/docs", "names no folder"),
        ("http:///docs", "names no folder"),
        ("https://user@example.org/docs", "contains a name or a password"),
        ("https://:secret@example.org/docs", "contains a name or a password"),
    ],
)
def test_location_that_can_be_nothing_is_refused(location: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        open_source(location)
    assert "secret" not in str(caught.value)


class Watched(FolderSource):
    """A folder that tells when it was read, and how often."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.reads = 0
        self.is_tried, self.is_read = threading.Event(), threading.Event()

    def read(self, path: str, most: int) -> bytes:
        self.reads += 1
        if self.reads > 2:
            self.is_tried.set()
        return super().read(path, most)

    def read_if_changed(self, path: str, most: int) -> bytes | None:
        """Note that an update before has succeeded."""
        self.is_read.set()
        return super().read_if_changed(path, most)


def test_trouble_is_said_once_and_the_replica_is_followed_on(
    elsewhere: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    manifest = (elsewhere / MANIFEST_PATH).read_bytes()
    (elsewhere / MANIFEST_PATH).write_bytes(b"{")
    source = Watched(elsewhere)
    replica = Replica(source, tmp_path / "replica")
    with caplog.at_level(logging.WARNING), following(replica, 0.001):
        assert source.is_tried.wait(10)
        (elsewhere / "new").write_bytes(manifest)
        (elsewhere / "new").replace(elsewhere / MANIFEST_PATH)
        assert source.is_read.wait(10)
    assert len(caplog.records) == 1
    assert "The build before is served on" in caplog.text
    assert contents(replica.out) == FILES


def test_folder_in_the_place_of_a_file_is_not_left_open(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"a")
    source = FolderSource(tmp_path)
    first = os.open(os.devnull, os.O_RDONLY)
    os.close(first)
    with pytest.raises(SourceError, match="folder is not a plain file"):
        source.read("folder", 10)
    assert source.read("file", 10) == b"a"
    # The next file gets the number that was free before.
    other = os.open(os.devnull, os.O_RDONLY)
    os.close(other)
    assert other == first
