"""What the running server makes of hosts, proxies and heads, byte by byte."""

from __future__ import annotations

import http.client
import socket

import pytest

from tests.support.published import FILES

from .processes import send, status_of

WEB_SOCKET = b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"


def ask(port: int, host: bytes, headers: bytes = b"", connection: bytes = b"close", path: bytes = b"/") -> bytes:
    return send(port, b"GET %s HTTP/1.1\r\nHost: %s\r\n%sConnection: %s\r\n\r\n" % (path, host, headers, connection))


def test_name_that_was_pointed_at_this_machine_is_not_answered(out, start_server):
    _, port = start_server(out)
    evil = f"evil.example:{port}".encode()
    for path in (b"/", b"/codegate/quickstart", b"/healthz", b"/1/indexes/docs/settings"):
        assert status_of(ask(port, evil, path=path)) == 421
    assert status_of(ask(port, evil, WEB_SOCKET, b"Upgrade, close")) == 421
    assert status_of(ask(port, evil, b"Accept: text/event-stream\r\n")) == 421
    assert status_of(ask(port, b"localhost\r\nHost: " + evil)) in (400, 421)
    assert status_of(ask(port, f"localhost:{port}".encode())) == 200


def test_server_for_all_addresses_answers_for_any_name(out, start_server):
    _, port = start_server(out, "0.0.0.0")
    assert status_of(ask(port, b"docs.example.org")) == 200
    answer = ask(port, b"docs.example.org", b"Origin: https://a.example\r\n", path=b"/1/indexes/docs/settings")
    assert b"access-control-allow-origin: *" in answer.lower()


def test_head_that_does_not_end_is_given_up(out, start_server):
    _, port = start_server(out, head_timeout_s=1)
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        assert status_of(connection.recv(65536)) == 408
        assert connection.recv(65536) == b""


def test_connection_without_a_request_is_closed(out, start_server):
    _, port = start_server(out, head_timeout_s=1)
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        assert status_of(connection.recv(65536)) == 408


def test_connection_that_is_kept_waits_longer_than_a_head_may_take(out, start_server):
    """Time for a head begins with its first byte: between requests a connection may rest."""
    _, port = start_server(out, head_timeout_s=1)
    kept = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    kept.request("GET", "/robots.txt")
    assert kept.getresponse().read() == FILES["robots.txt"]
    opened = kept.sock
    with socket.create_connection(("127.0.0.1", port), timeout=60) as silent:
        assert status_of(silent.recv(65536)) == 408
    kept.request("GET", "/robots.txt")
    assert kept.getresponse().read() == FILES["robots.txt"]
    assert kept.sock is opened
    kept.close()


@pytest.mark.parametrize("size", [100_000, 2_000_000])
def test_head_that_is_too_large_is_refused(out, start_server, size):
    _, port = start_server(out)
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: ")
        try:
            for _ in range(size // 10_000):
                connection.sendall(b"a" * 10_000)
        except (BrokenPipeError, ConnectionResetError):
            return  # closed while we were still sending
        assert status_of(connection.recv(65536)) == 431
