"""A running gateway, called by operation id; every answer is held to the contract on the way."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
from fastapi import FastAPI
from jsonschema import Draft202012Validator
from sqlalchemy import delete, select, update

from apis.tests.contract.gateway.providers import KEY, LoopbackOnly
from gateway_api.app import create_app
from gateway_api.recording import Exchange
from gateway_api.running import GatewayServer, make_server, open_socket
from gateway_api.settings import Settings
from gateway_api.store.recording import Recorder
from gateway_api.store.workspaces import get_live
from gateway_api.tables import active_workspace, personas, providers, workspaces
from gateway_api.web.document import load_document

DOCUMENT = load_document()
OPERATIONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}
"""Operation id → method, path template, operation."""


def resolve(part: dict[str, Any]) -> dict[str, Any]:
    """Follow a reference into `components`."""
    while "$ref" in part:
        _, _, kind, name = part["$ref"].split("/")
        part = DOCUMENT["components"][kind][name]
    return part


def check_schema(schema: dict[str, Any], value: Any) -> None:
    """Hold a value to a schema of the document."""
    Draft202012Validator({**schema, "components": DOCUMENT["components"]}).validate(value)


class Gateway:
    """A client of one server."""

    def __init__(self, app: FastAPI, address: str, settings: Settings) -> None:
        self.app = app
        self.address = address
        self.settings = settings
        self.http = httpx.Client(base_url=address, trust_env=False, timeout=60)

    @property
    def database(self) -> Any:
        return self.app.state.parts.database

    def call(
        self,
        operation_id: str,
        *,
        body: Any = None,
        query: Any = None,
        headers: dict[str, str] | None = None,
        content: bytes | None = None,
        **path: str,
    ) -> httpx.Response:
        """Call an operation; path parameters are named as the contract names them."""
        method, template, _ = OPERATIONS[operation_id]
        address = template.format(**{name: quote(value, safe="") for name, value in path.items()})
        request: dict[str, Any] = {"params": query, "headers": headers or {}}
        if content is not None:
            request |= {"content": content, "headers": {"content-type": "application/json", **(headers or {})}}
        elif body is not None:
            request["json"] = body
        response = self.http.request(method, address, **request)
        check_answer(operation_id, response)
        return response

    def get(self, operation_id: str, **arguments: Any) -> Any:
        """Call an operation that succeeds, and read its answer."""
        response = self.call(operation_id, **arguments)
        assert response.is_success, response.text
        return response.json() if response.content else None

    def add_workspace(self, name: str = "alpha", config: Any = None) -> Any:
        return self.get("v1_create_workspace", body={"name": name} | ({"config": config} if config else {}))

    def add_provider(self, endpoint: str, name: str = "local", **fields: Any) -> Any:
        body = {"name": name, "provider_type": "vllm", "endpoint": endpoint, "auth_type": "none"} | fields
        return self.get("v1_add_provider_endpoint", body=body)

    def record(self, *exchanges: Exchange) -> None:
        """Record exchanges in this process, in one transaction."""
        with self.database.writing() as connection:
            recorder = Recorder(connection)
            for exchange in exchanges:
                recorder.record(get_live(connection, exchange.workspace or "default").id, exchange)
            recorder.finish()

    def reset(self) -> None:
        """Go back to the state of a first start."""
        with self.database.writing() as connection:
            first = connection.scalar(select(workspaces.c.id).where(workspaces.c.name == "default"))
            connection.execute(update(active_workspace).values(workspace_id=first))
            connection.execute(delete(workspaces).where(workspaces.c.id != first))
            zero = dict.fromkeys(("prompt_count", "malicious_packages", "pii", "secrets", "total_alerts"), 0)
            connection.execute(update(workspaces).values(custom_instructions="", **zero))
            for table in (providers, personas):
                connection.execute(delete(table))
            connection.exec_driver_sql("DELETE FROM prompts")
            connection.exec_driver_sql("DELETE FROM usage_totals")


def check_answer(operation_id: str, response: httpx.Response) -> None:
    """Hold an answer to what the contract declares: status, media type, shape."""
    declared = OPERATIONS[operation_id][2]["responses"]
    status = str(response.status_code)
    assert status in declared, f"{operation_id} answered {status}, which is not declared: {response.text[:300]}"
    content = resolve(declared[status]).get("content")
    if content is None:
        assert response.content == b"", f"{operation_id} answered {status} with a body"
        return
    media_type = response.headers["content-type"].partition(";")[0]
    assert media_type in content
    _check_body(operation_id, status, media_type, response.content)
    assert KEY not in response.text


@lru_cache(maxsize=4096)
def _check_body(operation_id: str, status: str, media_type: str, body: bytes) -> None:
    """Hold a body to its schema, once: tests see the same answers again and again, and the same body has the same shape."""
    schema = resolve(OPERATIONS[operation_id][2]["responses"][status])["content"][media_type]["schema"]
    check_schema(schema, json.loads(body))


@contextmanager
def run_gateway(settings: Settings) -> Iterator[Gateway]:
    """Run a server on a free port of loopback, in a thread."""
    app = create_app(settings, transport=LoopbackOnly())
    listener = open_socket("127.0.0.1", 0)
    server: GatewayServer = make_server(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    gateway = Gateway(app, f"http://127.0.0.1:{listener.getsockname()[1]}", settings)
    try:
        yield gateway
    finally:
        gateway.http.close()
        server.end_streams()
        server.should_exit = True
        thread.join(60)
        assert not thread.is_alive()


def settings_for(folder: Path, url: str | None = None, **changes: Any) -> Settings:
    settings = Settings(
        data_dir=folder,
        database_url=url or f"sqlite:///{folder / 'gateway.sqlite'}",
        connect_timeout_s=5,
        provider_timeout_s=20,
        poll_s=0.02,
    )
    return dataclasses.replace(settings, **changes)
