"""What the egress proxy sends on: the host that was checked, and nothing of the proxy's own."""

from __future__ import annotations

import pytest

from tool_api.runtime.egress import own_fields


@pytest.mark.parametrize(
    ("host", "port", "expected"),
    [("example.com", 80, b"example.com"), ("example.com", 8080, b"example.com:8080"), ("::1", 81, b"[::1]:81")],
)
def test_host_is_the_one_that_was_checked(host: str, port: int, expected: bytes) -> None:
    fields = b"Host: evil.example\r\nAccept: */*\r\nHOST:other\r\n\r\n"
    assert own_fields(fields, host, port) == b"Host: " + expected + b"\r\nAccept: */*\r\nConnection: close\r\n\r\n"


def test_fields_of_the_connection_to_the_proxy_stay_behind() -> None:
    fields = b"Proxy-Authorization: Basic eA==\r\nConnection: keep-alive\r\nKeep-Alive: 5\r\nX-A: 1\r\n\r\n"
    assert own_fields(fields, "a", 80) == b"Host: a\r\nX-A: 1\r\nConnection: close\r\n\r\n"
