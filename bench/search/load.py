"""200 searches a second against `octavo serve`, sent on time whatever comes back."""

from __future__ import annotations

import asyncio
import shutil
import time

import httpx

from bench import paths
from bench.figures import Bound
from bench.report import Report
from bench.search.queries import make_queries
from bench.search.speed import DIALOG, percentile
from bench.serving import serve_octavo
from octavo.config import load_config
from octavo.manifest import MANIFEST_PATH, parse_manifest
from octavo.publish.build import build_site
from octavo.search.index.tantivy_index import IndexReader

RATE = 200
SECONDS = 10
TIMEOUT_S = 2
"""The read timeout of the specification: what takes longer has failed for the reader."""


def run(report: Report) -> None:
    """Measure on the site's own pages."""
    report.head(f"Search: {RATE} requests a second for {SECONDS} s")
    site, out = paths.WORK / "load-site", paths.WORK / "load-out"
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(paths.SITE, site, ignore=shutil.ignore_patterns("build", ".octavo"))
    build_site(site, out)
    search = load_config(site).search
    manifest = parse_manifest((out / MANIFEST_PATH).read_bytes())
    queries = make_queries(list(IndexReader(out / manifest.search).all_records()), RATE * SECONDS)
    with serve_octavo(site, out) as origin:
        credentials = {"x-algolia-application-id": search.app_id, "x-algolia-api-key": search.api_key}
        with_index = [{"indexName": search.index_name, "query": query, **DIALOG} for query in queries]
        times_ms, failed = asyncio.run(_send(origin, credentials, with_index))
    report.say(f"answered in {percentile(times_ms, 50):.1f} ms (p50), {percentile(times_ms, 99):.1f} ms (p99)")
    report.bound(Bound(f"failed of {len(queries)} requests", failed, 0, "requests"))


async def _send(origin: str, credentials: dict[str, str], requests: list[dict[str, object]]) -> tuple[list[float], int]:
    """Send all requests on time; (times in ms, number of failures)."""
    times_ms: list[float] = []
    failures = 0

    async def one(client: httpx.AsyncClient, request: dict[str, object]) -> None:
        nonlocal failures
        started = time.perf_counter()
        try:
            answer = await client.post("/1/indexes/*/queries", json={"requests": [request]}, params=credentials)
            failures += answer.status_code != 200
        except httpx.HTTPError:
            failures += 1
        times_ms.append((time.perf_counter() - started) * 1000)

    async with httpx.AsyncClient(base_url=origin, timeout=TIMEOUT_S) as client:
        begun = time.perf_counter()
        tasks = []
        for number, request in enumerate(requests):
            await asyncio.sleep(max(0.0, begun + number / RATE - time.perf_counter()))
            tasks.append(asyncio.create_task(one(client, request)))
        await asyncio.gather(*tasks)
    return times_ms, failures
