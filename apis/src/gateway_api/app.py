"""The application: its parts, its routes and its middleware."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio.to_thread
import httpx
from fastapi import FastAPI, Response
from fastapi.responses import HTMLResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from gateway_api.database import Database
from gateway_api.discovery import ModelDiscovery
from gateway_api.events import AlertNews
from gateway_api.migrations import migrate
from gateway_api.observing import Metrics, log
from gateway_api.purging import Purge
from gateway_api.routes import personas, providers, records, system, workspaces
from gateway_api.sealing import load_seal
from gateway_api.settings import Settings
from gateway_api.turns import Turns
from gateway_api.web.answers import answer_errors
from gateway_api.web.deps import Parts
from gateway_api.web.document import Methods, load_document
from gateway_api.web.guard import make_guard
from gateway_api.web.reference_page import CONTENT_SECURITY_POLICY, make_page


def create_app(settings: Settings, *, transport: httpx.AsyncBaseTransport | None = None) -> FastAPI:
    """Make a server.

    Args:
        settings: Where data lives and who may call.
        transport: How providers are reached; None is the network.

    Raises:
        SetupError: The database or the key file cannot be used.
    """
    metrics = Metrics()
    database = Database(settings.database_url, readers=settings.threads, busy_timeout_s=settings.busy_timeout_s)
    try:
        migrate(database)
        seal = load_seal(settings.key_file, database, is_reset=settings.forgets_api_keys)
    except BaseException:
        database.close()
        raise
    parts = Parts(
        database=database,
        discovery=ModelDiscovery(settings, transport),
        seal=seal,
        news=AlertNews(database, settings, metrics.listeners, log),
        purge=Purge(database, log),
        turns=Turns(settings.busy_timeout_s),
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        # As many threads as reading connections: a request that has a thread never waits for a connection.
        anyio.to_thread.current_default_thread_limiter().total_tokens = settings.threads
        parts.purge.start()
        yield
        parts.news.close()
        await parts.purge.stop()
        await parts.discovery.close()
        database.close()

    document = load_document()
    app = FastAPI(
        title=document["info"]["title"],
        version=document["info"]["version"],
        lifespan=lifespan,
        separate_input_output_schemas=False,
        docs_url=None,  # FastAPI's own pages load scripts from other hosts
        redoc_url=None,
    )
    app.state.parts = parts
    app.state.methods = Methods(document)
    for router in (system.router, providers.router, workspaces.router, records.router, personas.router):
        app.include_router(router)
    _serve_metrics(app, metrics)
    _serve_reference(app, document)
    answer_errors(app)
    app.add_middleware(make_guard, settings=settings, metrics=metrics)
    _describe(app, document)
    return app


def _describe(app: FastAPI, document: dict[str, Any]) -> None:
    """Serve the contract instead of what FastAPI makes of the code; tests hold the two together."""
    app.generated_openapi = app.openapi  # type: ignore[attr-defined]
    app.openapi = lambda: document  # type: ignore[method-assign]


def _serve_metrics(app: FastAPI, metrics: Metrics) -> None:
    @app.get("/metrics", include_in_schema=False)
    async def show_metrics() -> Response:
        return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)


def _serve_reference(app: FastAPI, document: dict[str, Any]) -> None:
    """Serve one page under the two addresses at which FastAPI applications have their reference."""
    page = make_page(document)
    headers = {"content-security-policy": CONTENT_SECURITY_POLICY, "referrer-policy": "no-referrer"}

    async def show_reference() -> HTMLResponse:
        return HTMLResponse(page, headers=headers)

    for path in ("/docs", "/redoc"):
        app.add_api_route(path, show_reference, include_in_schema=False)
