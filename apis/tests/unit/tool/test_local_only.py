"""Ports on the loopback address answer this machine only, whatever a foreign page's name resolves to."""

from __future__ import annotations

import anyio
import httpx
import pytest
from starlette.responses import PlainTextResponse

from tool_api.endpoint.guard import LocalOnly


def ask(**headers: str) -> tuple[int, str]:
    async def send() -> tuple[int, str]:
        transport = httpx.ASGITransport(LocalOnly(PlainTextResponse("inside")))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost:1") as client:
            answer = await client.get("/", headers=headers)
            return answer.status_code, answer.text

    return anyio.run(send)


@pytest.mark.parametrize("host", ["localhost", "localhost:1234", "127.0.0.1:80", "[::1]:80", "LOCALHOST"])
def test_own_names_are_answered(host: str) -> None:
    assert ask(host=host) == (200, "inside")


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "[",
        "@",
        "",
        "localhost:evil",
        "localhost:1@evil.example",
        "u@localhost",
    ],
)
def test_foreign_names_are_refused(host: str) -> None:
    assert ask(host=host) == (421, "Host not allowed")


@pytest.mark.parametrize("origin", ["http://localhost:3000", "http://127.0.0.1", "https://[::1]:8443"])
def test_own_pages_are_answered(origin: str) -> None:
    assert ask(origin=origin) == (200, "inside")


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "http://localhost.evil.example",
        "localhost",
        "http://localhost:1@evil.example",
        "ftp://localhost",
    ],
)
def test_foreign_pages_are_refused(origin: str) -> None:
    assert ask(origin=origin) == (403, "Origin not allowed")


def test_second_host_header_is_refused() -> None:
    async def send() -> int:
        transport = httpx.ASGITransport(LocalOnly(PlainTextResponse("inside")))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost:1") as client:
            return (await client.get("/", headers=[("host", "localhost"), ("host", "evil.example")])).status_code

    assert anyio.run(send) == 421
