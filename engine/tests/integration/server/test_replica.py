"""Copies of a site that is published elsewhere: whole, checked, and exchanged in one step."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from octavo.errors import UsageError
from octavo.manifest import MANIFEST_PATH, Manifest, ManifestFile, hash_content
from octavo.search import IndexSettings, IndexWriter, make_entries, make_records
from octavo.search.index.facts import PageFacts
from octavo.server import create_app
from octavo.server.replica import Replica, ReplicaError, open_source

MakeReplica = Callable[..., Replica]
TOKEN = "sig=secret-of-the-kiln"


class Asked(list[tuple[str, str]]):
    """(path, Authorization) of each request."""


class _Handler(SimpleHTTPRequestHandler):
    asked: Asked

    def send_head(self) -> Any:
        """Note what is asked for, and let nobody in who does not say the word."""
        self.asked.append((self.path, self.headers.get("Authorization", "")))
        if TOKEN not in self.path:
            self.send_error(403)
            return None
        return super().send_head()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[tuple[str, Asked]]:
    """Serve the published folder as a host of files does."""
    asked = Asked()
    handler = partial(type("Handler", (_Handler,), {"asked": asked}), directory=str(tmp_path / "out"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/?{TOKEN}", asked
    server.shutdown()
    thread.join()
    server.server_close()


def publish(out: Path, build: str, pages: dict[str, str]) -> None:
    """Publish pages, with an index of their words; what was there before stays beside it until it is replaced."""
    files: dict[str, bytes] = {f"{name}.html": text.encode() for name, text in pages.items()}
    writer = IndexWriter(out / "_octavo" / "search" / build)
    for name, text in pages.items():
        facts = PageFacts(f"https://docs.example.org/{name}", text, "", "", "", "en", None, "default", "guide", 10)
        writer.add(make_entries(make_records(facts, [], []), f"/{name}"))
    writer.commit(IndexSettings("app", "key", "docs"))
    for path, content in files.items():
        (out / path).write_bytes(content)
    manifest = Manifest(
        build=build,
        base_url="/",
        files={path: ManifestFile(hash_content(content), len(content)) for path, content in files.items()},
        routes={f"/{name}": f"{name}.html" for name in pages},
        redirects={},
        not_found="",
        search=f"_octavo/search/{build}",
    )
    (out / MANIFEST_PATH).write_bytes(msgspec.json.encode(manifest))


@pytest.fixture
def make_replica(tmp_path: Path) -> Iterator[MakeReplica]:
    """`make_replica(location)` copies into `copies`."""
    made: list[Replica] = []

    def make(location: str, authorization: str = "", **environment: str) -> Replica:
        environment |= {"OCTAVO_REPLICA_AUTHORIZATION": authorization}
        made.append(Replica(open_source(location, environment), tmp_path / "copies"))
        return made[-1]

    yield make
    for replica in made:
        replica.close()


def searched(client: TestClient, query: str) -> int:
    body = {"requests": [{"indexName": "docs", "query": query}]}
    headers = {"x-algolia-application-id": "app", "x-algolia-api-key": "key"}
    answer = client.post("/1/indexes/*/queries", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    return int(answer.json()["results"][0]["nbHits"])


@pytest.mark.parametrize("kind", ["folder", "address"])
def test_replica_serves_and_follows_what_is_published(
    tmp_path: Path, address: tuple[str, Asked], make_replica: MakeReplica, kind: str
) -> None:
    out = tmp_path / "out"
    publish(out, "one", {"kiln": "Kiln", "glaze": "Glaze"})
    replica = make_replica(str(out) if kind == "folder" else address[0])
    assert replica.update()
    assert not replica.update()
    with TestClient(create_app(replica.out, interval_s=0)) as client:
        assert client.get("/kiln").text == "Kiln"
        assert (searched(client, "glaze"), searched(client, "raku")) == (1, 0)
        publish(out, "two", {"kiln": "Kiln", "glaze": "Ash glaze", "raku": "Raku"})
        before = (replica.out / "kiln.html").stat().st_ino
        address[1].clear()
        assert replica.update()
        assert (replica.out / "kiln.html").stat().st_ino == before  # taken over, not fetched
        assert not any(path.startswith("/kiln") for path, _ in address[1])
        assert client.get("/glaze").text == "Ash glaze"
        assert (searched(client, "raku"), client.get("/healthz").json()["build"]) == (1, "two")
    assert len(list((tmp_path / "copies" / "builds").iterdir())) == 2


def test_unchanged_address_is_asked_for_its_manifest_alone(
    tmp_path: Path, address: tuple[str, Asked], make_replica: MakeReplica
) -> None:
    publish(tmp_path / "out", "one", {"kiln": "Kiln"})
    replica = make_replica(address[0], "Bearer word")
    replica.update()
    address[1].clear()
    assert not replica.update()
    assert [(path.partition("?")[0], said) for path, said in address[1]] == [(f"/{MANIFEST_PATH}", "Bearer word")]


def _damage_page(out: Path) -> None:
    (out / "kiln.html").write_text("Klin")


def _remove_page(out: Path) -> None:
    (out / "kiln.html").unlink()


def _enlarge_page(out: Path) -> None:
    (out / "kiln.html").write_text("Kiln" * 1000)


def _damage_index(out: Path) -> None:
    file = next((out / "_octavo" / "search" / "two").glob("records-*.bin"))
    file.write_bytes(b"x" * file.stat().st_size)


def _lead_index_out(out: Path) -> None:
    (out / "_octavo" / "search" / "two" / "checksums.json").write_text('{"../../../secret": "00000000"}')


def _lead_page_out(out: Path) -> None:
    manifest = (out / MANIFEST_PATH).read_text()
    (out / MANIFEST_PATH).write_text(manifest.replace("kiln.html", "../kiln.html"))


def test_build_that_was_still_being_uploaded_is_copied_when_it_is_whole(
    tmp_path: Path, address: tuple[str, Asked], make_replica: MakeReplica
) -> None:
    out = tmp_path / "out"
    publish(out, "one", {"kiln": "First"})
    replica = make_replica(address[0])
    replica.update()
    publish(out, "two", {"kiln": "Second"})
    (out / "kiln.html").write_text("First")
    for _ in range(2):
        with pytest.raises(ReplicaError, match=r"kiln\.html"):
            replica.update()
    (out / "kiln.html").write_text("Second")  # its manifest is as old as before
    assert replica.update()
    assert (replica.out / "kiln.html").read_text() == "Second"


@pytest.mark.parametrize("kind", ["folder", "address"])
@pytest.mark.parametrize(
    ("break_it", "reason"),
    [
        (_damage_page, "kiln.html has another content"),
        (_remove_page, "kiln.html"),
        (_enlarge_page, "kiln.html is larger"),
        (_damage_index, "another content than its checksums"),
        (_lead_index_out, "lies elsewhere"),
        (_lead_page_out, "cannot be served"),
    ],
)
def test_build_that_is_not_whole_is_never_served(
    tmp_path: Path,
    address: tuple[str, Asked],
    make_replica: MakeReplica,
    kind: str,
    break_it: Callable[[Path], None],
    reason: str,
) -> None:
    out = tmp_path / "out"
    publish(out, "one", {"kiln": "First"})
    replica = make_replica(str(out) if kind == "folder" else address[0])
    replica.update()
    publish(out, "two", {"kiln": "Kiln"})
    break_it(out)
    with pytest.raises(ReplicaError, match=reason) as caught:
        replica.update()
    assert TOKEN not in str(caught.value)
    assert (replica.out / "kiln.html").read_text() == "First"
    assert len(list((tmp_path / "copies" / "builds").iterdir())) == 1
    publish(out, "three", {"kiln": "Kiln"})
    assert replica.update()
    assert (replica.out / "kiln.html").read_text() == "Kiln"


def test_replica_of_a_private_bucket_signs_each_request(
    tmp_path: Path, address: tuple[str, Asked], make_replica: MakeReplica
) -> None:
    publish(tmp_path / "out", "one", {"kiln fire": "Kiln"})
    endpoint = address[0].partition("/?")[0]
    keys = {"AWS_ACCESS_KEY_ID": "potter", "AWS_SECRET_ACCESS_KEY": "ash", "AWS_REGION": "eu-west-1"}
    replica = make_replica(f"s3://{TOKEN}/docs", AWS_ENDPOINT_URL=endpoint, **keys)
    with pytest.raises(ReplicaError, match="status 404"):  # this host has no such folder, but it has let the request in
        replica.update()
    [(path, authorization)] = address[1]
    assert path == f"/{TOKEN}/docs/_octavo/manifest.json"
    day = authorization.partition("potter/")[2][:8]
    assert authorization.startswith(
        f"AWS4-HMAC-SHA256 Credential=potter/{day}/eu-west-1/s3/aws4_request, SignedHeaders=host;"
    )
    assert day.isdecimal()
    assert "ash" not in authorization


def test_replica_goes_on_with_its_copy_after_a_restart(tmp_path: Path, make_replica: MakeReplica) -> None:
    publish(tmp_path / "out", "one", {"kiln": "Kiln"})
    make_replica(str(tmp_path / "out")).update()
    again = make_replica("http://127.0.0.1:9/docs")
    with pytest.raises(ReplicaError, match="cannot be fetched"):
        again.update()
    assert (again.out / "kiln.html").read_text() == "Kiln"


@pytest.mark.parametrize(
    "location",
    [
        "ftp://example.org/docs", "https://name:secret@example.org/docs", "https:///docs", "s3://docs", "s3:///docs", "s3://name:secret@docs",
        "s3://docs?secret",
    ],
)  # fmt: skip
def test_wrong_location_is_refused_without_its_secret(location: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_source(location)
    assert "secret" not in str(caught.value)
