"""When the provider of tokens is asked for its keys."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import anyio
import pytest

from tool_api.endpoint.tokens import KEYS_LIVE_S, REFRESH_PAUSE_S, REFRESHES, InvalidTokenError, Keys
from tool_api.store import Oidc


class Provider(ThreadingHTTPServer):
    """Counts the fetches of its keys."""

    def __init__(self) -> None:
        self.fetches = 0
        self.status = 200
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/keys"


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        self.server.fetches += 1
        body = json.dumps({"keys": [{"kty": "oct", "kid": str(self.server.fetches), "k": "c2VjcmV0"}]}).encode()
        self.send_response(self.server.status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as provider:
        thread = threading.Thread(target=provider.serve_forever, args=(0.02,))
        thread.start()
        yield provider
        provider.shutdown()
        thread.join()


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.mark.filterwarnings("ignore::joserfc.errors.SecurityWarning")
def test_keys_are_kept_for_their_time(provider: Provider, clock: Clock) -> None:
    keys = Keys(Oidc(jwks_url=provider.url), clock)

    async def ask() -> None:
        first = await keys.current()
        clock.now += KEYS_LIVE_S
        assert await keys.current() is first
        clock.now += 1
        assert await keys.current() is not first

    anyio.run(ask)
    assert provider.fetches == 2


@pytest.mark.filterwarnings("ignore::joserfc.errors.SecurityWarning")
def test_further_fetches_are_few_and_become_possible_again(provider: Provider, clock: Clock) -> None:
    keys = Keys(Oidc(jwks_url=provider.url), clock)

    async def renew() -> bool:
        return await keys.newer(await keys.current()) is not None

    async def ask() -> None:
        assert [await renew() for _ in range(REFRESHES + 2)] == [True] * REFRESHES + [False] * 2
        clock.now += REFRESH_PAUSE_S - 1
        assert not await renew()
        clock.now += 1
        assert [await renew(), await renew()] == [True, False]
        clock.now += 100 * REFRESH_PAUSE_S
        await keys.current()
        assert [await renew() for _ in range(REFRESHES + 1)] == [True] * REFRESHES + [False]

    anyio.run(ask)


@pytest.mark.filterwarnings("ignore::joserfc.errors.SecurityWarning")
def test_keys_that_another_request_fetched_are_newer(provider: Provider, clock: Clock) -> None:
    keys = Keys(Oidc(jwks_url=provider.url), clock)

    async def ask() -> None:
        first = await keys.current()
        second = await keys.newer(first)
        assert await keys.newer(first) is second

    anyio.run(ask)
    assert provider.fetches == 2


@pytest.mark.filterwarnings("ignore::joserfc.errors.SecurityWarning")
def test_good_keys_stay_while_the_provider_is_away(provider: Provider, clock: Clock) -> None:
    keys = Keys(Oidc(jwks_url=provider.url), clock)

    async def ask() -> None:
        first = await keys.current()
        provider.status = 500
        clock.now += KEYS_LIVE_S + 1
        assert await keys.current() is first
        assert await keys.newer(first) is None

    anyio.run(ask)


def test_without_keys_nobody_is_let_in(provider: Provider, clock: Clock) -> None:
    provider.status = 500

    async def ask() -> None:
        with pytest.raises(InvalidTokenError, match="cannot be fetched"):
            await Keys(Oidc(jwks_url=provider.url), clock).current()

    anyio.run(ask)
