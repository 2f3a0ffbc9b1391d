"""Ports on the loopback address answer this machine only, whatever a foreign page's name resolves to."""

from __future__ import annotations

import anyio
import httpx
import pytest
from starlette.responses import PlainTextResponse

from tool_api.endpoint.guard import LocalOnly, host_name


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


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "[", "@", ""])
def test_foreign_names_are_refused(host: str) -> None:
    assert ask(host=host) == (421, "Host not allowed")


@pytest.mark.parametrize("origin", ["http://localhost:3000", "http://127.0.0.1", "https://[::1]:8443"])
def test_own_pages_are_answered(origin: str) -> None:
    assert ask(origin=origin) == (200, "inside")


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost.evil.example", "localhost"])
def test_foreign_pages_are_refused(origin: str) -> None:
    assert ask(origin=origin) == (403, "Origin not allowed")


@pytest.mark.parametrize(("header", "name"), [("A.b:1", "a.b"), ("[::1]", "::1"), ("u@h", "h"), ("[", ""), ("", "")])
def test_name_in_a_host_header(header: str, name: str) -> None:
    assert host_name(header) == name
