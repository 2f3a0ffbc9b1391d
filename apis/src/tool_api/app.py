"""The application: operations, error responses, and middleware."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse

from tool_api.creation.mounts import MountPolicy, policy_for
from tool_api.endpoint.ports import Holder, Ports
from tool_api.errors import BusyError, StartError, ToolError
from tool_api.guard import make_middleware
from tool_api.logs import log
from tool_api.metrics import Metrics
from tool_api.registries import load_registries
from tool_api.routes import discovery, registry, servers, system
from tool_api.runtime.base import Runtime
from tool_api.runtime.choose import choose_runtime
from tool_api.secret_store import Secrets
from tool_api.servers import Servers
from tool_api.settings import Settings
from tool_api.state import State
from tool_api.store import ServerRow, Store, is_busy
from tool_api.workers import Spawner, Start, Workers

RETRY_AFTER_S = 5
"""When a client may ask again for a change that another program has kept from the database."""

_TAGS = {
    "system": "Health, and this description.",
    "version": "Version of the program.",
    "discovery": "Clients on this machine.",
    "registry": "Registries of servers.",
    "servers": "Servers that run here.",
}

# Sentences of the contract for the fields that it has one for.
_SENTENCES = {
    "transport": "Unable to configure transport",
    "permission_profile": "Unable to configure permission profile",
    "volumes": "Unable to configure volume mounts",
}


def create_app(settings: Settings, spawner: Spawner | None = None) -> FastAPI:
    """Make the application; its database and servers come up with its lifespan.

    Args:
        settings: Its values.
        spawner: Starts the processes that hold the servers' ports; without it, this process does.

    Raises:
        StartError: A registry or the secrets file cannot be used, or there is no engine.
    """
    registries = load_registries(settings.registries, settings.state_dir / "registries")
    secrets = Secrets(settings.secrets_file)
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = Store(settings.state_dir)
        try:
            runtime = await choose_runtime(
                settings.runtime,
                registries,
                store.instance,
                context=settings.kube_context,
                namespace=settings.kube_namespace,
            )
        except StartError as error:
            app.state.start_error = error  # the server ends without a word of it
            store.close()
            raise
        holder = partial(_make_holder, settings, store, runtime, spawner)
        running = Servers(store, runtime, secrets, holder, stop_timeout_s=settings.stop_timeout_s)
        app.state.tool = State(
            store, registries, running, _mount_policy(settings, executes=runtime.name != "simulated")
        )
        log("runtime_chosen", runtime=runtime.name, executes=runtime.name != "simulated")
        try:
            async with running.running():
                yield
        finally:
            await runtime.aclose()
            store.close()

    app = FastAPI(
        title="ToolHive API",
        version="1.0",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        middleware=make_middleware(settings, metrics),
    )
    for router in (system.router, discovery.router, registry.router, servers.router):
        app.include_router(router)
    app.add_api_route("/metrics", _metrics(metrics), include_in_schema=False, methods=["GET"])
    app.state.start_error = None
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    _add_refusals(app)
    return app


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of the application, without FastAPI's own 422: validation answers 400 here."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title,
            version=app.version,
            openapi_version="3.1.0",
            description="Runs MCP servers in containers and tells clients where they are.",
            routes=app.routes,
            tags=[{"name": name, "description": text} for name, text in _TAGS.items()],
        )
        for path in document["paths"].values():
            for operation in path.values():
                operation["responses"].pop("422", None)
        for name in ("HTTPValidationError", "ValidationError"):
            document["components"]["schemas"].pop(name, None)
        app.openapi_schema = document
    return app.openapi_schema


def _make_holder(
    settings: Settings, store: Store, runtime: Runtime, spawner: Spawner | None, on_lost: Callable[[str], None]
) -> Holder:
    if spawner is None:
        return Ports(settings.limits, settings.endpoint_origins, store.sessions_of)
    start = Start(
        worker="",
        state_dir=settings.state_dir.absolute(),
        limits=settings.limits,
        origins=settings.endpoint_origins,
        runtime=f"{runtime.name} {runtime.place}",
    )

    def group_of(row: ServerRow) -> str:
        # Simulated servers have next to no load, and there may be hundreds of them.
        return row.name if runtime.outlives else runtime.name

    return Workers(spawner, start, group_of=group_of, on_lost=on_lost)


def _mount_policy(settings: Settings, *, executes: bool) -> MountPolicy:
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    has_guard = settings.token is not None or settings.socket is not None
    return policy_for(is_root=is_root, has_guard=has_guard, executes=executes, folders=settings.mount_roots)


def _metrics(metrics: Metrics) -> Any:
    async def answer(request: Request) -> Response:
        state: State = request.app.state.tool
        text = metrics.text(state.servers.counts())
        return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")

    return answer


def _add_refusals(app: FastAPI) -> None:
    @app.exception_handler(ToolError)
    async def refuse(_request: Request, error: ToolError) -> Response:
        headers = {"Retry-After": str(RETRY_AFTER_S)} if error.status == BusyError.status else None
        return PlainTextResponse(_with_sentence(error.text), error.status, headers)

    @app.exception_handler(sqlite3.Error)
    async def refuse_storage(request: Request, error: sqlite3.Error) -> Response:
        if is_busy(error):
            return await refuse(request, BusyError())
        log("state_unusable", level="error", reason=str(error))
        return PlainTextResponse(f"The state folder cannot be used: {error}", 500)

    @app.exception_handler(RequestValidationError)
    async def refuse_values(request: Request, error: RequestValidationError) -> Response:
        return PlainTextResponse(_with_sentence(_first(error.errors(), request)), 400)

    @app.exception_handler(HTTPException)
    async def refuse_route(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404:
            return PlainTextResponse("404 page not found", 404)
        if error.status_code == 400:
            return PlainTextResponse("Failed to decode request", 400)
        headers = {"Allow": ", ".join(_methods(request))} if error.status_code == 405 else error.headers
        return PlainTextResponse("", error.status_code, headers)


def _methods(request: Request) -> list[str]:
    """All methods of a path; the router itself names those of the first route only."""
    path = request.url.path.rstrip("/") or "/"
    documented = describe(request.app)["paths"]
    return sorted(
        method.upper() for template, operations in documented.items() if _fits(template, path) for method in operations
    )


def _fits(template: str, path: str) -> bool:
    wanted, given = template.split("/"), path.split("/")
    return len(wanted) == len(given) and all(
        (part.startswith("{") and bool(found)) or part == found for part, found in zip(wanted, given, strict=True)
    )


def _first(problems: Sequence[Any], request: Request) -> str:
    """One sentence for the first problem, with the field as the client wrote it."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if request.method == "POST" and media_type != "application/json" and not media_type.endswith("+json"):
        # Nothing else is taken: a foreign page could send it without asking first.
        return "Failed to decode request: send it with the header Content-Type: application/json"
    problem = problems[0]
    where, *path = problem["loc"]
    field = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")
    if problem["type"] == "json_invalid" or not field:
        return "Failed to decode request"
    if where == "body" and problem["type"] not in {"literal_error", "missing"}:
        return f"Failed to decode request: {field}: {_message(problem)}"
    return f"{field}: {_message(problem)}"


def _message(problem: Any) -> str:
    message: str = problem["msg"].removeprefix("Value error, ")
    return message[:1].lower() + message[1:]


def _with_sentence(text: str) -> str:
    field = text.partition(":")[0].partition("[")[0].partition(".")[0]
    return f"{_SENTENCES[field]}: {text}" if field in _SENTENCES else text
