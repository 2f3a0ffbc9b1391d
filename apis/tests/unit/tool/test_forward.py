"""Forwarding to a server that speaks HTTP: as many streams as clients, none left behind, and the right host."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio
import httpx
import pytest
from starlette.types import Receive, Scope, Send

from tool_api.endpoint.forward import Forward
from tool_api.endpoint.port import Port, bind
from tool_api.errors import EngineError
from tool_api.runtime.place import LastingPlace, Place
from tool_api.settings import Limits

TARGET = 8123
STREAMS = 150
LARGE = 3_000_000


class Upstream:
    """A server whose streams stay open until their clients go; counts them."""

    def __init__(self) -> None:
        self.open = 0
        self.hosts: set[str] = set()
        self.bodies: list[bytes] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.hosts.add(dict(scope["headers"])[b"host"].decode())
        match scope["path"]:
            case "/stream":
                await self._stream(receive, send)
            case "/slow":
                await self._wait(receive)
            case "/redirect":
                headers = [(b"location", f"http://localhost:{TARGET}/other?x=1".encode())]
                await _answer(send, 307, b"", headers)
            case "/root":
                await _answer(send, 307, b"", [(b"location", f"http://localhost:{TARGET}?x=1".encode())])
            case "/neighbour":
                await _answer(send, 307, b"", [(b"location", f"http://localhost:{TARGET}0/".encode())])
            case "/elsewhere":
                await _answer(send, 307, b"", [(b"location", b"http://example.com/")])
            case "/broken":
                await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"100")]})
                await send({"type": "http.response.body", "body": b"half", "more_body": True})
            case "/headers":
                await _answer(send, 200, repr(sorted(name for name, _ in scope["headers"])).encode())
            case "/large":
                await _answer(send, 200, b"x" * LARGE)
            case _:
                message = await receive()
                self.bodies.append(message["body"])
                await _answer(send, 200, scope["raw_path"] + b"?" + scope["query_string"])

    async def _stream(self, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
        await send({"type": "http.response.body", "body": b"data: 1\n\n", "more_body": True})
        await self._wait(receive)

    async def _wait(self, receive: Receive) -> None:
        self.open += 1
        while (await receive())["type"] != "http.disconnect":
            pass
        self.open -= 1


async def _answer(send: Send, status: int, body: bytes, headers: list[tuple[bytes, bytes]] | None = None) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [length, *(headers or [])]})
    await send({"type": "http.response.body", "body": body})


@asynccontextmanager
async def forwarding(
    upstream: Upstream, *, keeps_token: bool = True, limits: Limits | None = None
) -> AsyncIterator[httpx.AsyncClient]:
    """Serve an upstream and a forwarding port before it; yields a client of the port."""
    sockets = [bind("127.0.0.1", 0), bind("127.0.0.1", 0)]
    addresses = ["http://{}:{}".format(*bound.getsockname()) for bound in sockets]
    ports = [Port(bound) for bound in sockets]

    async def locate() -> Place:
        return LastingPlace(addresses[0])

    forward = Forward(locate, target_port=TARGET, keeps_token=keeps_token, limits=limits or Limits())
    await ports[0].open(upstream)
    await ports[1].open(forward, forward.look)
    pool = httpx.Limits(max_connections=None)
    try:
        async with httpx.AsyncClient(base_url=addresses[1], timeout=30, limits=pool, trust_env=False) as client:
            yield client
    finally:
        await ports[1].close()
        await forward.aclose()
        await ports[0].close()


async def until(condition: Callable[[], bool]) -> None:
    with anyio.fail_after(30):
        while not condition():  # noqa: ASYNC110 - the upstream runs in the same loop
            await anyio.sleep(0.01)


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(test())  # type: ignore[arg-type]


@pytest.mark.costly
def test_more_streams_than_a_pool_are_open_at_once_and_none_is_left_behind() -> None:
    async def test() -> None:
        upstream = Upstream()
        async with forwarding(upstream) as client:
            async with contextlib.AsyncExitStack() as stack:
                streams = []
                for _ in range(STREAMS):
                    answer = await stack.enter_async_context(client.stream("GET", "/stream"))
                    # Kept: an iterator that is discarded closes its stream.
                    streams.append(answer.aiter_bytes())
                    assert await anext(streams[-1]) == b"data: 1\n\n"
                await until(lambda: upstream.open == STREAMS)
                assert (await client.get("/echo")).status_code == 200
            await until(lambda: upstream.open == 0)

    run(test)


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("path", ["/slow", "/stream"])
def test_request_that_is_not_answered_yet_ends_with_its_client(method: str, path: str) -> None:
    async def test() -> None:
        upstream = Upstream()
        async with forwarding(upstream) as client:
            await client.get("/echo")  # leaves a connection that requests are forwarded on at once
            request = asyncio.create_task(client.request(method, path))
            await until(lambda: upstream.open == 1)
            request.cancel()
            await until(lambda: upstream.open == 0)

    run(test)


def test_server_sees_the_host_it_knows_itself_by() -> None:
    async def test() -> None:
        upstream = Upstream()
        async with forwarding(upstream) as client:
            await client.get("/echo", headers={"host": "127.0.0.1:9"})
        assert upstream.hosts == {f"localhost:{TARGET}"}

    run(test)


def test_redirect_to_the_server_comes_back_to_our_port_and_others_are_left() -> None:
    async def test() -> None:
        async with forwarding(Upstream()) as client:
            own = await client.get("/redirect")
            assert (await client.post("/redirect")).headers["location"] == own.headers["location"]
            assert own.headers["location"] == f"{client.base_url}/other?x=1".replace("//other", "/other")
            root = await client.get("/root")
            assert root.headers["location"] == f"{client.base_url}".rstrip("/") + "?x=1"
            assert (await client.get("/neighbour")).headers["location"] == f"http://localhost:{TARGET}0/"
            assert (await client.get("/elsewhere")).headers["location"] == "http://example.com/"

    run(test)


def test_path_query_and_body_arrive_as_they_were_sent() -> None:
    async def test() -> None:
        upstream = Upstream()
        async with forwarding(upstream) as client:
            answer = await client.post("/a%2Fb?x=%20", content=b"body")
        assert answer.content == b"/a%2Fb?x=%20"
        assert upstream.bodies[-1] == b"body"

    run(test)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_answer_that_breaks_off_is_not_taken_for_a_whole_one(method: str) -> None:
    async def test() -> None:
        async with forwarding(Upstream()) as client:
            await client.get("/echo")
            with pytest.raises(httpx.RemoteProtocolError):
                await client.request(method, "/broken")
            assert (await client.post("/echo", content=b"next")).status_code == 200

    run(test)


@pytest.mark.parametrize("keeps_token", [True, False])
def test_headers_of_the_connection_stay_behind_and_a_token_for_us_too(keeps_token: bool) -> None:
    async def test() -> None:
        headers = {
            "connection": "x-private",
            "x-private": "1",
            "expect": "100-continue",
            "te": "trailers",
            "authorization": "Bearer t",
            "x-a": "1",
        }
        async with forwarding(Upstream(), keeps_token=keeps_token) as client:
            found = (await client.get("/headers", headers=headers)).text
        assert ("authorization" in found) is keeps_token
        assert "x-a" in found
        assert "x-private" not in found
        assert "b'te'" not in found
        assert "expect" not in found

    run(test)


Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def talking(talk: Talk) -> AsyncIterator[httpx.AsyncClient]:
    """Put a port before a server that talks by itself on each connection, until it ends."""
    talks: set[asyncio.Task[None] | None] = set()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talks.add(asyncio.current_task())
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await talk(reader, writer)
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    address, own = "http://{}:{}".format(*server.sockets[0].getsockname()), bind("127.0.0.1", 0)

    async def locate() -> Place:
        return LastingPlace(address)

    port, forward = Port(own), Forward(locate, target_port=TARGET, keeps_token=True, limits=Limits())
    await port.open(forward, forward.look)
    try:
        base = "http://{}:{}".format(*own.getsockname())
        async with httpx.AsyncClient(base_url=base, timeout=30, trust_env=False) as client:
            yield client
    finally:
        await port.close()
        await forward.aclose()
        server.close()
        await asyncio.gather(*(one for one in talks if one))


@asynccontextmanager
async def answering(*pieces: bytes) -> AsyncIterator[httpx.AsyncClient]:
    """Put a port before a server that sends the same bytes for every request, piece by piece."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.readuntil(b"\r\n\r\n"):
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0)

    async with talking(answer) as client:
        yield client


def _bytewise(text: bytes) -> list[bytes]:
    return [bytes([byte]) for byte in text]


OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"


@pytest.mark.parametrize(
    ("pieces", "status", "text"),
    [
        (_bytewise(OK), 200, "hi"),
        (
            _bytewise(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=1\r\nhi\r\n0\r\nend: 1\r\n\r\n"),
            200,
            "hi",
        ),
        ([b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n" + OK], 200, "hi"),
        # What follows an answer is not part of it, and no answer to anybody else.
        ([OK + b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\nx-late: 1\r\n\r\nevil"], 200, "hi"),
        # The length of what is not sent.
        ([b'HTTP/1.1 304 Not Modified\r\netag: "x"\r\ncontent-length: 500\r\n\r\n'], 304, ""),
        ([b"HTTP/1.1 204 No Content\r\n\r\n"], 204, ""),
        ([b"HTTP/1.1 200 OK\r\nconnection: x-own\r\nx-own: 1\r\ncontent-length: 2\r\n\r\nhi"], 200, "hi"),
    ],
)
def test_answers_of_all_forms_arrive_and_the_next_request_is_answered_too(
    pieces: list[bytes], status: int, text: str
) -> None:
    async def test() -> None:
        async with answering(*pieces) as client:
            for method in ("GET", "GET", "POST", "POST"):
                found = await client.request(method, "/")
                assert (found.status_code, found.text) == (status, text)
                assert {"x-own", "x-late", "link", "end"}.isdisjoint(found.headers)

    run(test)


def test_large_answers_and_small_ones_arrive_whole_on_one_connection() -> None:
    async def test() -> None:
        upstream = Upstream()
        async with forwarding(upstream) as client:
            for number in range(5):
                assert (await client.post("/large", content=b"1")).content == b"x" * LARGE
                await client.post("/echo", content=b"%d" % number)
            # The first, without a body, asks whether the server is there.
            assert [body for body in upstream.bodies if body] == [b"0", b"1", b"2", b"3", b"4"]

    run(test)


def test_request_that_the_server_drops_is_502_and_not_sent_again() -> None:
    async def test() -> None:
        heads = []

        async def drop(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while head := await reader.readuntil(b"\r\n\r\n"):
                heads.append(head.split(b" ", 1)[0])
                if head.startswith(b"POST"):
                    break
                writer.write(OK)

        async with talking(drop) as client:
            assert (await client.get("/")).text == "hi"
            dropped = await client.post("/", content=b"once")
            assert (dropped.status_code, heads.count(b"POST")) == (502, 1)
            assert (await client.get("/")).text == "hi"

    run(test)


def test_body_over_the_limit_is_refused_and_the_next_one_served() -> None:
    async def test() -> None:
        async with forwarding(Upstream(), limits=Limits(max_message_bytes=1000)) as client:
            refused = await client.post("/echo", content=b"x" * 1001)
            assert (refused.status_code, refused.text) == (
                413,
                "The body is larger than 1000 bytes; --max-message-bytes sets the limit",
            )
            assert (await client.post("/echo", content=b"x" * 1000)).status_code == 200

    run(test)


@pytest.mark.costly
def test_server_that_does_not_start_in_time_is_502_and_is_waited_for_again() -> None:
    async def test() -> None:
        free = bind("127.0.0.1", 0)
        address = "http://{}:{}".format(*free.getsockname())
        free.close()
        own = bind("127.0.0.1", 0)
        own_address = "http://{}:{}".format(*own.getsockname())
        upstream = Upstream()
        port, late = Port(own), None

        async def locate() -> Place:
            return LastingPlace(address)

        forward = Forward(locate, target_port=TARGET, keeps_token=True, limits=Limits(ready_timeout_s=0.3))
        await port.open(forward, forward.look)
        try:
            async with httpx.AsyncClient(base_url=own_address, timeout=30, trust_env=False) as client:
                assert (await client.get("/echo")).status_code == 502
                late = Port(bind("127.0.0.1", int(address.rpartition(":")[2])))
                await late.open(upstream)
                assert (await client.get("/echo")).status_code == 200
        finally:
            await port.close()
            await forward.aclose()
            if late:
                await late.close()

    run(test)


def test_server_has_the_time_that_the_settings_give_it() -> None:
    remaining = []

    async def locate() -> Place:
        remaining.append(anyio.current_effective_deadline() - asyncio.get_running_loop().time())
        raise EngineError("no address")

    async def test() -> None:
        own = bind("127.0.0.1", 0)
        port = Port(own)
        limits = Limits(ready_timeout_s=10_000)
        await port.open(Forward(locate, target_port=TARGET, keeps_token=True, limits=limits))
        try:
            base = "http://{}:{}".format(*own.getsockname())
            async with httpx.AsyncClient(base_url=base, timeout=30, trust_env=False) as client:
                assert (await client.get("/echo")).status_code == 502
        finally:
            await port.close()

    run(test)
    assert 9000 < remaining[0] <= 10_000


class PassingPlace:
    """An address that belongs to the server until it is given to another."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.is_given_away = False

    async def is_current(self) -> bool:
        return not self.is_given_away

    def close(self) -> None:
        return


def test_request_does_not_go_to_the_server_that_has_got_the_address() -> None:
    async def test() -> None:
        servers = [Upstream(), Upstream()]
        bounds = [bind("127.0.0.1", 0) for _ in range(3)]
        first, second, own = ("http://{}:{}".format(*bound.getsockname()) for bound in bounds)
        ports = [Port(bound) for bound in bounds]
        places = [PassingPlace(first)]

        async def locate() -> Place:
            return places[-1]

        forward = Forward(locate, target_port=TARGET, keeps_token=True, limits=Limits())
        for port, app in zip(ports, [*servers, forward], strict=True):
            await port.open(app, app.look if isinstance(app, Forward) else None)
        try:
            async with httpx.AsyncClient(base_url=own, timeout=30, trust_env=False) as client:
                assert (await client.post("/echo", content=b"1")).status_code == 200
                places[0].is_given_away = True
                places.append(PassingPlace(second))
                # The connection of the first request is left alone; one more has to be made.
                async with client.stream("GET", "/stream"):
                    assert (await client.post("/echo", content=b"2")).status_code == 200
        finally:
            for port in ports:
                await port.close()
            await forward.aclose()
        posted = [[body for body in server.bodies if body] for server in servers]
        assert posted == [[b"1"], [b"2"]]

    run(test)
