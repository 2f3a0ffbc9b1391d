"""`python -m bench.search.stall`: what readers notice while one address asks for as much as it may.

Eleven requests of fifty prefix searches each are sent at once from one address, while pages are read and another reader
searches. Both go on before the storm as well: ratios tell more than times on a machine that is not quiet.
"""

from __future__ import annotations

import asyncio
import shutil
import string
import time

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

STORM_ADDRESS = "127.0.0.2"
"""Address of this machine from which the storm comes; the other reader has 127.0.0.1."""


def run(report: Report) -> None:
    """Measure on the site's own pages."""
    report.head(f"Search: {STORM_POSTS} requests of {STORM_SEARCHES} prefix searches from one address")
    site, out = paths.WORK / "stall-site", paths.WORK / "stall-out"
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(paths.SITE, site, ignore=shutil.ignore_patterns("build", ".octavo"))
    build_site(site, out)
    search = load_config(site).search
    credentials = {"x-algolia-application-id": search.app_id, "x-algolia-api-key": search.api_key}
    with serve_octavo(site, out) as origin:
        quiet, storm, refused = asyncio.run(_measure(origin, credentials, search.index_name))
    rows = [
        [name, *(f"{percentile(times, part):.1f}" for times in (quiet[name], storm[name]) for part in (50, 99))]
        for name in quiet
    ]
    report.table(["ms", "quiet p50", "quiet p99", "storm p50", "storm p99"], rows)
    report.say(f"refused of the storm's requests: {refused} of {STORM_POSTS}")
    report.bound(Bound("pages during the storm, p99", percentile(storm["page"], 99), 30, "ms"))
    report.bound(Bound("searches of another reader, p99", percentile(storm["search"], 99), 100, "ms"))


_Times = dict[str, list[float]]


async def _measure(origin: str, credentials: dict[str, str], index: str) -> tuple[_Times, _Times, int]:
    elsewhere = httpx.AsyncHTTPTransport(local_address=STORM_ADDRESS)
    async with (
        httpx.AsyncClient(base_url=origin, params=credentials, timeout=60) as client,
        httpx.AsyncClient(base_url=origin, params=credentials, timeout=None, transport=elsewhere) as attacker,
    ):
        quiet = await _read(client, index, QUIET_S)
        storm = asyncio.create_task(_storm(attacker, index))
        during = await _read(client, index, STORM_S)
        return quiet, during, await storm


async def _storm(client: httpx.AsyncClient, index: str) -> int:
    """Send everything at once; give the number of requests that were refused."""
    letters = string.ascii_lowercase

    def body(number: int) -> dict[str, object]:
        queries = [
            " ".join(letters[(number + place + step) % 26] for step in range(20)) for place in range(STORM_SEARCHES)
        ]
        return {"requests": [{"indexName": index, "query": query, "queryType": "prefixAll"} for query in queries]}

    posts = [client.post("/1/indexes/*/queries", json=body(number)) for number in range(STORM_POSTS)]
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
    run(main_report)
