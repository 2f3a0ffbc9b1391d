"""The ASGI application: small route modules first, published files for everything else."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from octavo.feedback import FeedbackStore, feedback_route
from octavo.host_headers import SECURITY_HEADERS
from octavo.manifest import MCP_PATH, Manifest
from octavo.mcp import McpEndpoint
from octavo.search import EngineSettings, InsightsStore, SearchRoutes, SearchService, mode_route, report_route
from octavo.server.access import (
    OPEN_TO_ALL,
    AccessGuard,
    AccessRules,
    PagesBesideSearch,
    ProxyHeaders,
    SearchBelowBase,
    TrustedProxies,
)
from octavo.server.compression import MEMORY_BYTES, Compressor
from octavo.server.headers import StandingHeaders
from octavo.server.health import health_route
from octavo.server.pages import Pages
from octavo.server.published_builds import PublishedBuilds


def create_app(
    out_dir: Path,
    *,
    cache_dir: Path | None = None,
    memory_bytes: int = MEMORY_BYTES,
    interval_s: float = 0.5,
    headers: Mapping[str, str] | None = None,
    insights_path: Path | None = None,
    report_secret: str | None = None,
    feedback_path: Path | None = None,
    problems_path: Path | None = None,
    access: AccessRules | None = None,
    proxies: TrustedProxies | None = None,
    also_search: Sequence[Path] = (),
    search_engine: EngineSettings | None = None,
) -> Starlette:
    """Make the application that serves a published folder.

    It follows the folder: a build that is published later is served from the next request on. While nothing is
    published, every answer is 503.

    Args:
        out_dir: The published folder.
        cache_dir: Folder for compressed forms, kept over restarts and pruned at each new build, so it must belong to
            this site alone; None keeps them in memory only.
        memory_bytes: Most bytes of contents to hold in memory.
        interval_s: Least time between two looks for a new build, in seconds.
        headers: More headers for every answer, such as `Strict-Transport-Security`; they win over the standing ones.
        insights_path: Database of searches and events, for sites whose configuration has them kept; None keeps none.
        report_secret: What opens the report on searches, at least `LEAST_SECRET` characters; None leaves it out.
        feedback_path: Database of readers' answers, for builds whose pages ask them; None takes none.
        problems_path: Database of problems that programs report about pages; None takes none.
        access: Host names and origins that are answered; None answers all, for applications behind a server that checks.
        proxies: Proxies whose word on the reader's address is believed; None believes nobody.
        also_search: Published folders of other sites, whose indices are searched by their names.
        search_engine: A search engine that answers in place of the published indices.
    """
    compressor = Compressor(cache_dir, memory_bytes)
    builds = PublishedBuilds(
        out_dir, interval_s=interval_s, on_change=lambda changed: compressor.prune(changed.hashes())
    )
    standing = SECURITY_HEADERS | dict(headers or {})

    insights = InsightsStore(insights_path) if insights_path else None

    name_index = _index_namer(builds)
    service = SearchService(out_dir, name_index, search_engine)
    others = [
        SearchService(out, _index_namer(PublishedBuilds(out, interval_s=interval_s)), search_engine)
        for out in also_search
    ]
    reports = [report_route(insights_path, report_secret, service)] if insights_path and report_secret else []

    async def manifest() -> Manifest | None:
        build = await builds.current()
        return build.manifest if build else None

    answers = [feedback_route(FeedbackStore(feedback_path), manifest)] if feedback_path else []

    async def base_url() -> str:
        build = await builds.current()
        return build.manifest.base_url if build else "/"

    rules = access or OPEN_TO_ALL
    pages = Pages(builds, compressor)
    endpoint = McpEndpoint(builds.current, service, problems_path, pages)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with endpoint.run():
            yield
        if insights is not None:
            insights.close()
        compressor.close()

    async def fail(_: Request, __: Exception) -> PlainTextResponse:
        return PlainTextResponse("The server failed on this request.\n", 500, standing)

    app = Starlette(
        routes=[
            health_route(builds),
            mode_route(out_dir, name_index),
            *SearchRoutes(service, insights, others).routes(),
            *reports,
            *answers,
            Route(MCP_PATH, endpoint),
        ],
        middleware=[
            Middleware(StandingHeaders, headers=standing),
            Middleware(ProxyHeaders, proxies=proxies or TrustedProxies([])),
            Middleware(SearchBelowBase, base_url=base_url),
            Middleware(AccessGuard, rules=lambda: rules),
            Middleware(PagesBesideSearch, pages=pages),
        ],
        exception_handlers={Exception: fail},
        lifespan=lifespan,
    )
    # A slash more or less is the site's own business: its routes say which form is canonical.
    app.router.redirect_slashes = False
    app.router.default = pages
    return app


def _index_namer(builds: PublishedBuilds) -> Callable[[], Coroutine[Any, Any, str]]:
    async def name_index() -> str:
        build = await builds.current()
        return build.manifest.search if build else ""

    return name_index
