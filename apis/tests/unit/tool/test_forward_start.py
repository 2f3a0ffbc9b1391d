"""Forwarding to a server that speaks HTTP and has not answered yet."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import httpx
import pytest
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from apis.tests.unit.tool.recorder import until
from tool_api.endpoint import forward as forward_module
from tool_api.endpoint.forward import Forward
from tool_api.endpoint.port import Port, bind
from tool_api.runtime.place import LastingPlace, Place
from tool_api.settings import Limits


class CountedPlace(LastingPlace):
    """An address that counts how often it is asked whether it is the server's."""

    is_given_away = False

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.looks = 0

    async def is_current(self) -> bool:
        self.looks += 1
        return not self.is_given_away


@asynccontextmanager
async def forwarded(
    server: ASGIApp, locate: Callable[[str], Awaitable[Place]], limits: Limits
) -> AsyncIterator[httpx.AsyncClient]:
    """Open a port that forwards to another one, on which a server answers; `locate` gets the address of that."""
    sockets = [bind("127.0.0.1", 0), bind("127.0.0.1", 0)]
    target, address = ("http://{}:{}".format(*bound.getsockname()) for bound in sockets)
    behind, before = map(Port, sockets)
    forward = Forward(lambda: locate(target), target_port=8123, keeps_token=True, limits=limits)
    await behind.open(server)
    await before.open(forward, forward.look)
    try:
        async with httpx.AsyncClient(base_url=address, timeout=30, trust_env=False) as client:
            yield client
    finally:
        await before.close()
        await forward.aclose()
        await behind.close()


def test_server_that_takes_long_for_its_first_request_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would begin again with each one, and never be ready."""
    monkeypatch.setattr(forward_module, "CONNECT_TIMEOUT_S", 0.05)
    asked: list[str] = []

    async def test() -> None:
        place: CountedPlace | None = None

        async def locate(url: str) -> Place:
            nonlocal place
            place = place or CountedPlace(url)
            return place

        async def slow(scope: Scope, receive: Receive, send: Send) -> None:
            asked.append(scope["path"])
            if scope["path"] == "/":
                await until(lambda: place is not None and place.looks >= 5)
            await Response()(scope, receive, send)

        async with forwarded(slow, locate, Limits()) as client:
            assert (await client.get("/mcp")).status_code == 200

    asyncio.run(test())
    assert asked == ["/", "/mcp"]


@pytest.mark.costly
@pytest.mark.parametrize("is_given_away", [False, True])
def test_server_that_says_nothing_is_looked_for_until_the_time_has_passed(
    is_given_away: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forward_module, "CONNECT_TIMEOUT_S", 0.05)
    monkeypatch.setattr(forward_module, "RETRY_S", 0.01)
    places: list[CountedPlace] = []

    async def test() -> None:
        async def locate(url: str) -> Place:
            places.append(CountedPlace(url))
            asyncio.get_running_loop().call_later(0.02, setattr, places[-1], "is_given_away", is_given_away)
            return places[-1]

        async def say_nothing(_: Scope, receive: Receive, __: Send) -> None:
            while (await receive())["type"] != "http.disconnect":
                pass

        async with forwarded(say_nothing, locate, Limits(ready_timeout_s=1)) as client:
            assert (await client.get("/echo")).status_code == 502

    asyncio.run(test())
    assert (len(places) > 1) is is_given_away
