"""Two replicas behind nginx: new builds and new replicas, and no reader who notices."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from octavo.publish.build import build_site
from tests.deploy.balancer import DEPLOY, Replica, balanced, find_nginx, free_port, hosted, run_nginx
from tests.deploy.readers import Readers

PUBLISHES = int(os.environ.get("DEPLOY_PUBLISHES", "2"))
REPLICAS = int(os.environ.get("DEPLOY_REPLICAS", "2"))
READERS = 6
VISITS = 5
"""Of each reader between two events, at least."""
ROUTES = ["/", *(f"/page-{number}" for number in range(4)), "/deep/"]

pytestmark = pytest.mark.skipif(find_nginx() is None, reason="nothing is tried behind nginx: it is not installed")


class Author:
    """Writes a site in which every page and everything that pages share says which build it is."""

    def __init__(self, folder: Path, settings: str = "") -> None:
        self._settings = settings
        self._site, self.out = folder / "site", folder / "out"
        (self._site / "docs" / "deep").mkdir(parents=True)

    def publish(self, number: int) -> str:
        """Build and publish; gives the id of the build."""
        (self._site / "octavo.toml").write_text(f'title = "Build {number}"\n{self._settings}')
        for route in ROUTES:
            name = "index" if route == "/" else "deep/index" if route == "/deep/" else route.strip("/")
            text = f"---\ntitle: Page {name}\n---\n\nThis is build {number}. {'Words. ' * 400}\n"
            (self._site / "docs" / f"{name}.md").write_text(text)
        assert build_site(self._site, self.out).is_published
        return str(number)


def exchange(replica: Replica) -> None:
    replica.stop()
    replica.start()


def test_no_request_fails_and_no_builds_are_mixed_while_builds_and_replicas_are_exchanged(
    tmp_path: Path, count: Callable[[str, int], None]
) -> None:
    author = Author(tmp_path)
    author.publish(0)
    with balanced(tmp_path, author.out) as (address, replicas), Readers(address, ROUTES, READERS) as readers:
        readers.read_on(VISITS)
        for number in range(1, PUBLISHES + 1):
            author.publish(number)
            readers.wait_for_build(number)
            readers.read_on(VISITS)
            exchange(replicas[number % len(replicas)])
            readers.read_on(VISITS)
    assert readers.problems == []
    assert readers.oldest_build() == PUBLISHES
    count("requests behind nginx", readers.requests.total())


def test_replicas_of_an_address_follow_what_is_published_there_and_no_request_fails(tmp_path: Path) -> None:
    author = Author(tmp_path)
    author.publish(0)
    with (
        hosted(author.out) as source,
        balanced(tmp_path, source, REPLICAS) as (address, replicas),
        Readers(address, ROUTES, READERS) as readers,
    ):
        readers.read_on(VISITS)
        for number in range(1, PUBLISHES + 1):
            author.publish(number)
            readers.wait_for_build(number)
            readers.read_on(VISITS)
    assert len(replicas) == REPLICAS
    assert readers.problems == []
    assert readers.oldest_build() == PUBLISHES


def test_every_replica_has_readers(tmp_path: Path) -> None:
    """The balancer keeps a reader with one replica, and spreads readers of different networks."""
    author = Author(tmp_path)
    author.publish(0)
    with balanced(tmp_path, author.out) as (address, replicas):
        seen = set()
        for number in range(READERS):
            transport = httpx.HTTPTransport(local_address=f"127.0.{number + 1}.1")
            with httpx.Client(base_url=address, transport=transport, timeout=60) as client:
                ports = {client.get("/").headers["x-replica"] for _ in range(4)}
            assert len(ports) == 1
            seen |= ports
    assert len(seen) == len(replicas)


def test_each_reader_has_a_rate_of_their_own_and_nobody_can_borrow_one(tmp_path: Path) -> None:
    author = Author(tmp_path, "[search]\nmost_per_second = 1\n")
    author.publish(0)
    credentials = {"x-algolia-application-id": "octavo", "x-algolia-api-key": "public-search-key"}
    with balanced(tmp_path, author.out) as (address, _):

        def ask(reader: str, **headers: str) -> int:
            transport = httpx.HTTPTransport(local_address=reader)
            with httpx.Client(base_url=address, transport=transport, headers=headers, timeout=60) as client:
                # Every search of a request counts: these are all that a reader may send at once.
                requests = [{"indexName": "docs", "query": "build"}] * 2
                body = {"requests": requests}
                return client.post("/1/indexes/*/queries", json=body, params=credentials).status_code

        # One network, so that both are sent to one replica.
        assert [ask("127.0.9.1"), ask("127.0.9.1")] == [200, 429]
        assert ask("127.0.9.1", **{"X-Forwarded-For": "198.51.100.1", "Forwarded": "for=198.51.100.1"}) == 429
        assert ask("127.0.9.2") == 200


def test_static_files_are_served_by_nginx_alone(tmp_path: Path) -> None:
    author = Author(tmp_path)
    author.publish(7)
    port = free_port()
    settings = (DEPLOY / "nginx-static.conf").read_text(encoding="utf-8")
    settings = settings.replace("127.0.0.1:8089", f"127.0.0.1:{port}").replace("root /srv/docs;", f"root {author.out};")
    with run_nginx(tmp_path / "nginx", settings, port) as address, httpx.Client(base_url=address, timeout=60) as client:
        for route in ROUTES:
            assert "This is build 7." in client.get(route, follow_redirects=True).text
        missing = client.get("/nothing")
        assert (missing.status_code, "Page Not Found" in missing.text) == (404, True)
        for hidden in ("/_octavo/manifest.json", "/_octavo/search/settings.json"):
            assert client.get(hidden).status_code == 404
