"""`python -m bench.search.stall`: what readers notice while others ask for as much as they may.

Eleven requests of fifty prefix searches each are sent at once, first from one address, then from eleven, while pages are read and
another reader searches. Both go on before the storm as well: ratios tell more than times on a machine that is not quiet.
`--built` takes the site that the last run has built.
"""

from __future__ import annotations

import asyncio
import shutil
import string
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack

import httpx

from bench import paths
from bench.figures import Bound
from bench.report import Report
from bench.search.speed import DIALOG, percentile
from bench.serving import serve_octavo
from octavo.config import load_config
from octavo.publish.build import build_site

STORM_POSTS, STORM_SEARCHES = 11, 50
QUIET_S, STORM_S = 4.0, 10.0
EVERY_S = 0.02
"""Seconds between two pages, and between two searches of the other reader."""

STORM_ADDRESSES = (["127.0.0.2"], [f"127.0.1.{number}" for number in range(1, STORM_POSTS + 1)])
"""Addresses of this machine from which the storms come; the other reader has 127.0.0.1."""


_Times = dict[str, list[float]]
"""What is read → milliseconds of each time."""


def run(report: Report, *, is_built: bool = False) -> None:
    """Measure on the site's own pages.

    Args:
        report: Where the figures go.
        is_built: The site of the last run is taken.
    """
    site, out = paths.WORK / "stall-site", paths.WORK / "stall-out"
    if not is_built:
        shutil.rmtree(site, ignore_errors=True)
        shutil.copytree(paths.SITE, site, ignore=shutil.ignore_patterns("build", ".octavo"))
        build_site(site, out)
    search = load_config(site).search
    credentials = {"x-algolia-application-id": search.app_id, "x-algolia-api-key": search.api_key}
    for addresses in STORM_ADDRESSES:
        with serve_octavo(site, out) as origin:
            measured = asyncio.run(_measure(origin, credentials, search.index_name, addresses))
        _show(report, len(addresses), *measured)


def _show(report: Report, addresses: int, quiet: _Times, storm: _Times, refused: int) -> None:
    report.head(f"Search: {STORM_POSTS} requests of {STORM_SEARCHES} prefix searches, from {addresses} addresses")
    rows = [
        [name, *(f"{percentile(times, part):.1f}" for times in (quiet[name], storm[name]) for part in (50, 99))]
        for name in quiet
    ]
    report.table(["ms", "quiet p50", "quiet p99", "storm p50", "storm p99"], rows)
    report.say(f"refused of the storm's requests: {refused} of {STORM_POSTS}")
    report.bound(Bound(f"pages, storm from {addresses}, p99", percentile(storm["page"], 99), 30, "ms"))
    report.bound(
        Bound(f"another reader's searches, storm from {addresses}, p99", percentile(storm["search"], 99), 100, "ms")
    )


async def _measure(
    origin: str, credentials: dict[str, str], index: str, addresses: Sequence[str]
) -> tuple[_Times, _Times, int]:
    async with AsyncExitStack() as stack:

        def client_at(address: str, timeout_s: float | None) -> httpx.AsyncClient:
            transport = httpx.AsyncHTTPTransport(local_address=address)
            return httpx.AsyncClient(base_url=origin, params=credentials, timeout=timeout_s, transport=transport)

        client = await stack.enter_async_context(client_at("127.0.0.1", 60))
        attackers = [await stack.enter_async_context(client_at(address, None)) for address in addresses]
        quiet = await _read(client, index, QUIET_S)
        storm = asyncio.create_task(_storm(attackers, index))
        during = await _read(client, index, STORM_S)
        return quiet, during, await storm


async def _storm(clients: Sequence[httpx.AsyncClient], index: str) -> int:
    """Send everything at once; give the number of requests that were refused."""
    letters = string.ascii_lowercase

    def body(number: int) -> dict[str, object]:
        queries = [
            " ".join(letters[(number + place + step) % 26] for step in range(20)) for place in range(STORM_SEARCHES)
        ]
        return {"requests": [{"indexName": index, "query": query, "queryType": "prefixAll"} for query in queries]}

    posts = [
        clients[number % len(clients)].post("/1/indexes/*/queries", json=body(number)) for number in range(STORM_POSTS)
    ]
    return sum(answer.status_code == 429 for answer in await asyncio.gather(*posts))


async def _read(client: httpx.AsyncClient, index: str, seconds: float) -> _Times:
    """Read pages and search, in turn, for some seconds."""
    times: _Times = {"page": [], "search": []}
    end = time.perf_counter() + seconds
    count = 0
    while time.perf_counter() < end:
        started = time.perf_counter()
        (await client.get("/")).raise_for_status()
        times["page"].append((time.perf_counter() - started) * 1000)
        await asyncio.sleep(EVERY_S)
        started = time.perf_counter()
        asked = {"indexName": index, "query": f"server {string.ascii_lowercase[count % 26]}", **DIALOG}
        answer = await client.post("/1/indexes/*/queries", json={"requests": [asked]})
        if answer.status_code == 200:
            times["search"].append((time.perf_counter() - started) * 1000)
        count += 1
        await asyncio.sleep(EVERY_S)
    return times


if __name__ == "__main__":
    main_report = Report()
    main_report.open()
    run(main_report, is_built="--built" in sys.argv)
