"""Readers who never stop reading while builds are exchanged, and who notice when two builds are mixed."""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from types import TracebackType
from typing import Self
from urllib.parse import urljoin

import httpx

from apis.tests.contract.tool.serving import wait_for

HASHED = re.compile(r'(?:href|src)="(/_octavo/(?:assets|files)/[^"]+)"')
BUILD = re.compile(r"This is build (\d+)\.")
TITLE = re.compile(r"Build (\d+)")
REQUEST_S = 30
PATIENCE_S = 60
CREDENTIALS = {"x-algolia-application-id": "octavo", "x-algolia-api-key": "public-search-key"}


class Readers:
    """A thread for each reader; each comes from a network of its own, so that the balancer spreads them."""

    def __init__(self, address: str, routes: list[str], count: int) -> None:
        self.problems: list[str] = []
        self.requests = Counter[str]()
        self._rounds = [0] * count
        self._end = threading.Event()
        self._builds: list[int] = [0] * count
        self._threads = [
            threading.Thread(target=self._read, args=(number, address, routes), daemon=True) for number in range(count)
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end.set()
        for thread in self._threads:
            thread.join(REQUEST_S * 3)

    def read_on(self, visits: int) -> None:
        """Wait until each reader has made so many visits more, or has met a problem."""
        goal = min(self._rounds) + visits
        wait_for(lambda: min(self._rounds) >= goal or self.problems, PATIENCE_S)

    def wait_for_build(self, number: int) -> None:
        """Wait until the last page of each reader is of a build, or one has met a problem."""
        wait_for(lambda: self.oldest_build() == number or self.problems, PATIENCE_S)

    def oldest_build(self) -> int:
        """The oldest build among the last pages that were read."""
        return min(self._builds)

    def _read(self, number: int, address: str, routes: list[str]) -> None:
        transport = httpx.HTTPTransport(local_address=f"127.0.{number + 1}.1")
        with httpx.Client(base_url=address, transport=transport, timeout=REQUEST_S) as client:
            while not self._end.is_set():
                route = routes[self._rounds[number] % len(routes)]
                try:
                    self._builds[number] = self._visit(client, route)
                except (httpx.HTTPError, AssertionError, ValueError, KeyError) as error:
                    self.problems.append(f"reader {number}, {route}: {type(error).__name__}: {error}")
                self._rounds[number] += 1

    def _visit(self, client: httpx.Client, route: str) -> int:
        """Read a page with all it asks for, then its data, as a link to it would."""
        html = self._get(client, route, "pages").text
        build = _only(BUILD, html, route)
        data = re.search(r'<script type="application/json" id="octavo-page">(.*?)</script>', html)
        assert data is not None, f"{route} holds no data"
        self._check_shared(client, json.loads(data[1]), build)
        for address in sorted(set(HASHED.findall(html))):
            self._get(client, urljoin(route, address), "assets")
        name = f"{route.strip('/')}/index" if route.endswith("/") else route.strip("/")
        payload = self._get(client, f"/_octavo/pages/{name.lstrip('/')}.json", "data").json()
        self._check_shared(client, payload, _only(BUILD, payload["html"], "its data"))
        self._search(client)
        return build

    def _search(self, client: httpx.Client) -> None:
        """Ask as the dialog does: a call that changes nothing, although it is a POST."""
        body = {"requests": [{"indexName": "docs", "query": "build"}]}
        answer = client.post("/1/indexes/*/queries", json=body, headers=CREDENTIALS)
        self.requests["searches"] += 1
        assert answer.status_code == 200, f"a search was answered {answer.status_code}: {answer.text}"
        assert answer.json()["results"][0]["nbHits"] > 0, "a search found nothing"

    def _check_shared(self, client: httpx.Client, payload: dict[str, str], build: int) -> None:
        """What a page shares with others is named by its hash, and must be there, and be of the same build."""
        shared = self._get(client, payload["site"], "shared").json()
        found = _only(TITLE, shared["title"], payload["site"])
        assert found == build, f"text of build {build} beside data of build {found}"

    def _get(self, client: httpx.Client, address: str, kind: str) -> httpx.Response:
        answer = client.get(address)
        self.requests[kind] += 1
        assert answer.status_code == 200, f"{address} was answered {answer.status_code}"
        return answer


def _only(pattern: re.Pattern[str], text: str, where: str) -> int:
    found = set(map(int, pattern.findall(text)))
    assert len(found) == 1, f"{where} shows builds {sorted(found)}"
    return found.pop()
