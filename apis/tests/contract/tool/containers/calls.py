"""Servers in containers, made and called through the API."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
from mcp import Client, ClientSession
from mcp.client.sse import sse_client

from apis.tests.contract.tool import engine
from apis.tests.contract.tool.serving import talk_to

V1 = "/api/v1beta/servers"
SECRET = "corner-lantern-41"


@contextmanager
def serve_web(address: str) -> Iterator[int]:
    """Run a web server on this machine; yields its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer((address, 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


def environment_of(socket_path: Path) -> dict[str, str]:
    return {"TOOLHIVE_DOCKER_SOCKET": str(socket_path), "TOOLHIVE_PODMAN_SOCKET": ""}


def create(api: httpx.Client, name: str = "probe", **fields: object) -> int:
    response = api.post(V1, json={"name": name, "image": engine.IMAGE, **fields})
    assert response.status_code == 201, response.text
    port: int = response.json()["port"]
    return port


def call(port: int, tool: str, **arguments: object) -> str:
    async def talk() -> str:
        async with Client(f"http://127.0.0.1:{port}/mcp") as client:
            result = await client.call_tool(tool, arguments)
            content: Any = result.content
            return "\n".join(item.text for item in content)

    return talk_to(talk)


def create_ready(api: httpx.Client, **fields: object) -> int:
    """Create a server and wait until it answers: before it has begun, it would not hear the signal to stop."""
    port = create(api, **fields)
    assert call(port, "interfaces")
    return port


def call_by_sse(port: int, tool: str, **arguments: object) -> str:
    async def talk() -> str:
        async with (
            sse_client(f"http://127.0.0.1:{port}/sse") as (read, write),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            content: Any = (await session.call_tool(tool, arguments)).content
            return "\n".join(item.text for item in content)

    return talk_to(talk)


def write_profile(path: Path, **outbound: object) -> str:
    path.write_text(json.dumps({"network": {"outbound": outbound}}))
    return str(path)


def packet_filter() -> str:
    command = ["iptables", "--wait", "10", "--list-rules"]
    environment = {**os.environ, "PATH": engine.PATH}
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=30, env=environment).stdout


@contextmanager
def listening(port: int, headers: dict[str, str] | None = None) -> Iterator[tuple[httpx.Client, Iterator[str]]]:
    """A client that listens to an event stream, and the data of its events."""
    with (
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False) as client,
        client.stream("GET", "/sse", headers=headers) as stream,
    ):
        yield client, (line.removeprefix("data: ") for line in stream.iter_lines() if line.startswith("data: "))
