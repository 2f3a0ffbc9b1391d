"""Forwarding to a server that speaks HTTP and has not answered yet."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

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


def test_server_that_takes_long_for_its_first_request_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would begin again with each one, and never be ready."""
    monkeypatch.setattr(forward_module, "CONNECT_TIMEOUT_S", 0.05)
    asked: list[str] = []

    async def test() -> None:
        sockets = [bind("127.0.0.1", 0), bind("127.0.0.1", 0)]
        addresses = ["http://{}:{}".format(*bound.getsockname()) for bound in sockets]
        ports = [Port(bound) for bound in sockets]
        place = CountedPlace(addresses[0])

        async def locate() -> Place:
            return place

        async def slow(scope: Scope, receive: Receive, send: Send) -> None:
            asked.append(scope["path"])
            if scope["path"] == "/":
                await until(lambda: place.looks >= 5)
            await Response()(scope, receive, send)

        forward = Forward(locate, target_port=8123, keeps_token=True, limits=Limits())
        await ports[0].open(slow)
        await ports[1].open(forward, forward.look)
        try:
            async with httpx.AsyncClient(base_url=addresses[1], timeout=30, trust_env=False) as client:
                assert (await client.get("/mcp")).status_code == 200
        finally:
            await ports[1].close()
            await forward.aclose()
            await ports[0].close()

    asyncio.run(test())
    assert asked == ["/", "/mcp"]


@pytest.mark.parametrize("is_given_away", [False, True])
def test_server_that_says_nothing_is_looked_for_until_the_time_has_passed(
    is_given_away: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forward_module, "CONNECT_TIMEOUT_S", 0.05)
    monkeypatch.setattr(forward_module, "RETRY_S", 0.01)
    places: list[CountedPlace] = []

    async def test() -> None:
        sockets = [bind("127.0.0.1", 0), bind("127.0.0.1", 0)]
        addresses = ["http://{}:{}".format(*bound.getsockname()) for bound in sockets]
        ports = [Port(bound) for bound in sockets]

        async def locate() -> Place:
            places.append(CountedPlace(addresses[0]))
            asyncio.get_running_loop().call_later(0.02, setattr, places[-1], "is_given_away", is_given_away)
            return places[-1]

        async def say_nothing(_: Scope, receive: Receive, __: Send) -> None:
            while (await receive())["type"] != "http.disconnect":
                pass

        forward = Forward(locate, target_port=8123, keeps_token=True, limits=Limits(ready_timeout_s=1))
        await ports[0].open(say_nothing)
        await ports[1].open(forward, forward.look)
        try:
            async with httpx.AsyncClient(base_url=addresses[1], timeout=30, trust_env=False) as client:
                assert (await client.get("/echo")).status_code == 502
        finally:
            await ports[1].close()
            await forward.aclose()
            await ports[0].close()

    asyncio.run(test())
    assert (len(places) > 1) is is_given_away
