"""Requests that are too large or too slow cost the others nothing."""

from __future__ import annotations

import dataclasses
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn
from fastapi import FastAPI

from apis.tests.contract.gateway.gateway import Gateway, run_gateway, settings_for
from apis.tests.contract.gateway.serving import running
from gateway_api.running import make_server, open_socket
from service_guard import KEEP_ALIVE_S, LimitedHttp

WAIT_S = 30


async def answer(scope: dict[str, object], receive: object, send: object) -> None:
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 204, "headers": []})  # type: ignore[operator]
        await send({"type": "http.response.body", "body": b""})  # type: ignore[operator]


@contextmanager
def serving(**limits: float) -> Iterator[tuple[str, int]]:
    """Run a server with limits of its own."""
    protocol = type("Limited", (LimitedHttp,), limits)
    config = uvicorn.Config(answer, http=protocol, log_config=None, lifespan="off")  # type: ignore[arg-type]
    server = uvicorn.Server(config)
    listener = open_socket("127.0.0.1", 0)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()
    finally:
        server.should_exit = True
        thread.join(WAIT_S)
        assert not thread.is_alive()


def read_all(connection: socket.socket) -> bytes:
    """Read until the server closes."""
    parts = []
    while part := connection.recv(65_536):
        parts.append(part)
    return b"".join(parts)


def connect(place: tuple[str, int]) -> socket.socket:
    return socket.create_connection(place, timeout=WAIT_S)


def test_endless_header_is_cut_off_at_the_limit() -> None:
    with serving() as place, connect(place) as connection:
        sent = 0
        connection.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\nx-large: ")
        try:
            while sent < 150_000_000:
                connection.sendall(b"x" * 65_536)
                sent += 65_536
        except (BrokenPipeError, ConnectionResetError):
            pass
        assert sent < 50_000_000  # what fits into the buffers of two sockets, and no more


def test_large_head_is_refused_and_a_smaller_one_is_not() -> None:
    with serving(max_head_bytes=4_000) as place:
        for size, status in ((3_000, b"204"), (4_000, b"431")):
            with connect(place) as connection:
                head = b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx-large: " + b"x" * size
                connection.sendall(head + b"\r\n\r\n")
                assert read_all(connection).split(b" ", 2)[1] == status


def test_large_body_is_no_large_head() -> None:
    with serving(max_head_bytes=4_000) as place, connect(place) as connection:
        head = b"POST / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: 50000\r\n\r\n"
        connection.sendall(head + b"x" * 50_000)
        assert b" 204 " in connection.recv(1_000)


def test_limit_holds_for_every_request_of_a_connection() -> None:
    with serving(max_head_bytes=4_000) as place, connect(place) as connection:
        for _ in range(3):
            connection.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\nx-large: " + b"x" * 3_000 + b"\r\n\r\n")
            assert connection.recv(10_000).split(b" ", 2)[1] == b"204"
        connection.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\nx-large: " + b"x" * 5_000 + b"\r\n\r\n")
        assert b" 431 " in connection.recv(10_000)


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nhost: loc"])
def test_head_that_does_not_come_is_given_up(sent: bytes) -> None:
    with serving(head_timeout_s=0.05) as place, connect(place) as connection:
        connection.sendall(sent)
        assert read_all(connection).startswith(b"HTTP/1.1 408 ")


def test_complete_requests_are_not_hurried() -> None:
    """The clock of the head stops with it: the connection stays open for the next request."""
    with serving(head_timeout_s=0.5) as place, httpx.Client(trust_env=False, timeout=WAIT_S) as client:
        address = f"http://{place[0]}:{place[1]}/"
        assert [client.get(address).status_code for _ in range(3)] == [204] * 3


def test_limits_must_be_positive() -> None:
    with pytest.raises(ValueError, match="positive"):
        type("Wrong", (LimitedHttp,), {"max_head_bytes": 0})


def test_clients_are_the_first_to_close_idle_connections() -> None:
    """Otherwise a request that is on its way just then is lost."""
    expiry = httpx.Limits().keepalive_expiry
    assert expiry
    assert expiry < KEEP_ALIVE_S
    assert make_server(FastAPI()).config.timeout_keep_alive == KEEP_ALIVE_S


def test_gateway_has_the_limits(sqlite_shared: Gateway) -> None:
    place = ("127.0.0.1", int(sqlite_shared.address.rpartition(":")[2]))
    with connect(place) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nhost: localhost\r\nx-large: " + b"x" * 70_000 + b"\r\n\r\n")
        assert b" 431 " in connection.recv(10_000)


def test_body_that_does_not_end_is_given_up(tmp_path: Path) -> None:
    settings = dataclasses.replace(settings_for(tmp_path), body_timeout_s=0.05)
    with run_gateway(settings) as gateway:
        place = ("127.0.0.1", int(gateway.address.rpartition(":")[2]))
        with connect(place) as connection:
            head = b"POST /api/v1/workspaces HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            connection.sendall(head + b'content-length: 100\r\n\r\n{"name"')
            assert b" 408 " in read_all(connection)


def test_every_line_is_json(tmp_path: Path) -> None:
    with running(tmp_path) as (process, address):
        with connect(("127.0.0.1", int(address.rpartition(":")[2]))) as connection:
            connection.sendall(b"nonsense\r\n\r\n")
            assert b" 400 " in read_all(connection)
        httpx.get(f"{address}/health", trust_env=False, timeout=WAIT_S)
        process.terminate()
        _, rest = process.communicate(timeout=WAIT_S)
        lines = list(map(json.loads, rest.splitlines()))
    assert "Invalid HTTP request received." in [line.get("message") for line in lines]
    assert {"request"} <= {line["event"] for line in lines}


@pytest.mark.parametrize("origin", ["http://localhost:9090", "http://127.0.0.1:9090"])
def test_dashboard_may_call(sqlite_shared: Gateway, origin: str) -> None:
    answer = sqlite_shared.http.post("/api/v1/workspaces", json={"name": "default"}, headers={"origin": origin})
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (400, origin)
