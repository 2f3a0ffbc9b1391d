"""What an engine is asked for, and what its answers and refusals become; the engine is a small one in the same loop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from docker import DockerClient
from docker.errors import APIError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from tool_api import logs
from tool_api.endpoint.port import Port, bind
from tool_api.errors import BadRequestError, ConflictError, EngineError, FieldError, ToolError
from tool_api.runtime import docker_link
from tool_api.runtime.base import INSTANCE
from tool_api.runtime.docker import DockerRuntime
from tool_api.runtime.docker_link import ContainerGoneError, DockerLink, call_engine
from tool_api.runtime.place import AskedPlace
from tool_api.store import Mount, Network, ServerRow, ServerSpec

ID = "1" * 64
TOKEN = "2" * 64
OPEN = Network("open")
LIMIT_S = 120


class Engine:
    """One container and one image; notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, dict[str, str], Any]] = []
        self.images = {"mcp/one:1"}
        self.container: dict[str, Any] = {
            "Id": ID,
            "Name": "/one",
            "Config": {"Labels": {"toolhive-token": TOKEN}},
            "State": {"Status": "running", "Running": True, "Pid": 0, "StartedAt": "2025-05-01T10:00:00Z"},
            "NetworkSettings": {"Ports": {}, "Networks": {"bridge": {"IPAddress": "", "Gateway": ""}}},
        }
        self.others: list[str] = []
        """Further containers of the same request."""
        self.has_container = True
        self.fails: dict[tuple[str, str], tuple[int, str]] = {}
        """Method and end of the path → status and words of a refusal."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        path = scope["path"].partition("/v1.41")[2]
        body = await request.body()
        self.asked.append((scope["method"], path, dict(request.query_params), json.loads(body) if body else None))
        await self._answer(scope["method"], path)(scope, receive, send)

    def _answer(self, method: str, path: str) -> Response:
        for (of, end), (status, words) in self.fails.items():
            if of == method and path.endswith(end):
                return JSONResponse({"message": words}, status)
        if path == "/info":
            return JSONResponse({"InitBinary": "docker-init", "InitCommit": {"ID": "de40ad0"}})
        if path.startswith("/images/") and path.endswith("/json"):
            name = path.removeprefix("/images/").removesuffix("/json")
            is_here = name in self.images or "new" in self.images
            return JSONResponse({"Id": name}) if is_here else JSONResponse({"message": "No such image"}, 404)
        if path == "/containers/json":
            listed = {"Id": ID, "Names": ["/one"], "State": "running", "Status": "Up", "Image": "mcp/one:1"}
            listed |= {"Created": 1_746_093_600, "Labels": {"toolhive-token": TOKEN, "a": "b"}}
            return JSONResponse([listed | {"Id": one} for one in (ID, *self.others)])
        if path == "/networks":
            return JSONResponse([])
        if path.startswith("/containers/") and not self.has_container and path != "/containers/create":
            return JSONResponse({"message": "No such container"}, 404)
        if path.endswith("/json"):
            return JSONResponse(self.container)
        if path == "/containers/create":
            return JSONResponse({"Id": ID}, 201)
        if path == "/images/create":
            self.images.add("new")  # asked for once more, under the name that was pulled
            return JSONResponse({})
        return Response(status_code=204)

    def paths(self, *methods: str) -> list[tuple[str, str]]:
        return [(method, path) for method, path, _, _ in self.asked if method in methods]


@asynccontextmanager
async def serving(engine: Engine) -> AsyncIterator[str]:
    listener = bind("127.0.0.1", 0)
    port = Port(listener)
    await port.open(engine)
    try:
        yield "tcp://{}:{}".format(*listener.getsockname())
    finally:
        await port.close()


@asynccontextmanager
async def driving(engine: Engine) -> AsyncIterator[DockerRuntime]:
    async with serving(engine) as url:
        client = await asyncio.to_thread(DockerClient, base_url=url, version="1.41")
        runtime = DockerRuntime(client, url, "this API")
        try:
            yield runtime
        finally:
            await runtime.aclose()


@asynccontextmanager
async def linked(engine: Engine) -> AsyncIterator[DockerLink]:
    async with serving(engine) as url:
        link = DockerLink(url, 1_000)
        link._client = await asyncio.to_thread(DockerClient, base_url=url, version="1.41")
        try:
            yield link
        finally:
            await link.aclose()


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, LIMIT_S))


def row_of(container_id: str = ID, **spec: Any) -> ServerRow:
    made = ServerSpec(**{"name": "one", "image": "mcp/one:1"} | spec)
    return ServerRow(made, container_id, 7_000, "creating", "running", "", "")


@pytest.fixture
def lines() -> Iterator[list[dict[str, Any]]]:
    found: list[dict[str, Any]] = []
    logs.send_to(lambda line: found.append(json.loads(line)))
    yield found
    logs.send_to(logs.write_line)


def test_container_of_a_stdio_server_has_no_network_and_few_rights(tmp_path: Any) -> None:
    async def work() -> None:
        engine = Engine()
        async with driving(engine) as runtime:
            spec = {"arguments": ("--flag", "x"), "env": (("A", "1"),)}
            row = row_of(TOKEN, mounts=(Mount(str(tmp_path), "/data", read_only=True),), **spec)
            made = await runtime.create(row, {"KEY": "secret"})
        assert made == replace(row, container_id=ID)
        (asked,) = [(query, body) for method, path, query, body in engine.asked if path == "/containers/create"]
        query, body = asked
        host = body["HostConfig"]
        assert query == {"name": "one"}
        assert (body["Image"], body["Cmd"], sorted(body["Env"])) == (
            "mcp/one:1",
            ["--flag", "x"],
            ["A=1", "KEY=secret"],
        )
        assert (body["OpenStdin"], host["NetworkMode"], host.get("PortBindings")) == (True, "none", None)
        labels = body["Labels"]
        assert (labels["toolhive-token"], labels[INSTANCE], labels["toolhive-runtime"]) == (TOKEN, "this API", "docker")
        assert (host["CapDrop"], host["SecurityOpt"]) == (["ALL"], ["no-new-privileges:true"])
        assert (host["PidsLimit"], host["Memory"], host["Init"]) == (512, 2 * 1024**3, True)
        assert host["RestartPolicy"] == {"Name": "unless-stopped"}
        assert host["LogConfig"] == {"Type": "json-file", "Config": {"max-size": "5m", "max-file": "2"}}
        assert host["Mounts"] == [{"Target": "/data", "Source": str(tmp_path), "Type": "bind", "ReadOnly": True}]
        assert not host.get("Dns")

    run(work())


def test_server_that_speaks_http_is_published_on_loopback_only() -> None:
    async def work() -> None:
        engine = Engine()
        async with driving(engine) as runtime:
            await runtime.create(row_of(transport="sse", target_port=8_000, network=OPEN), {})
        (body,) = [body for _, path, _, body in engine.asked if path == "/containers/create"]
        assert body["HostConfig"]["NetworkMode"] == "bridge"
        assert body["HostConfig"]["PortBindings"] == {"8000/tcp": [{"HostIp": "127.0.0.1", "HostPort": ""}]}
        assert sorted(body["Env"]) == ["MCP_PORT=8000", "MCP_TRANSPORT=sse"]
        assert not body.get("OpenStdin")
        assert body.get("Cmd") is None

    run(work())


@pytest.mark.parametrize(
    ("image", "known", "used", "pulled"),
    [
        ("mcp/one:1", "mcp/one:1", "mcp/one:1", None),
        ("mcp/one:1", "localhost/mcp/one:1", "localhost/mcp/one:1", None),
        ("mcp/new", "", "mcp/new", {"fromImage": "mcp/new", "tag": "latest"}),
        ("mcp/new:2", "", "mcp/new:2", {"fromImage": "mcp/new", "tag": "2"}),
        ("box:5000/mcp/new", "localhost/box:5000/mcp/new", "box:5000/mcp/new", {"tag": "latest"}),
    ],
)
def test_image_is_pulled_where_it_is_not_here(
    lines: list[dict[str, Any]], image: str, known: str, used: str, pulled: dict[str, str] | None
) -> None:
    async def work() -> None:
        engine = Engine()
        engine.images = {known}
        async with driving(engine) as runtime:
            await runtime.create(row_of(image=image), {})
        (body,) = [body for _, path, _, body in engine.asked if path == "/containers/create"]
        assert body["Image"] == used
        asked = [query for _, path, query, _ in engine.asked if path == "/images/create"]
        assert len(asked) == (1 if pulled else 0)
        assert not pulled or asked[0].items() >= pulled.items()
        assert [line["image"] for line in lines if line["event"] == "image_pulled"] == ([image] if pulled else [])

    run(work())


def test_what_cannot_be_used_is_named() -> None:
    async def work() -> None:
        engine = Engine()
        engine.images = set()
        engine.fails = {("POST", "/images/create"): (404, "no such registry")}
        async with driving(engine) as runtime:
            with pytest.raises(FieldError, match=r"^image: not on this machine, and it cannot be pulled$"):
                await runtime.create(row_of(), {})
            missing = Mount("/nowhere/at/all", "/data", read_only=False)
            with pytest.raises(FieldError, match=r"^volumes: /nowhere/at/all does not exist on this machine$"):
                await runtime.create(row_of(mounts=(missing,)), {})
        assert engine.paths("POST") == [("POST", "/images/create")]

    run(work())


def test_life_of_a_container() -> None:
    async def work() -> None:
        engine = Engine()
        async with driving(engine) as runtime:
            await runtime.start(row_of())
            await runtime.adopt(row_of())
            await runtime.stop(row_of(), 7)
            assert engine.paths("POST") == [("POST", f"/containers/{ID}/start"), ("POST", f"/containers/{ID}/stop")]
            assert engine.asked[-1][2] == {"t": "7"}
            assert await runtime.egress(row_of()) is None
            link = runtime.link(row_of())
            assert (link["kind"], link["url"]) == ("docker", runtime.place)
            engine.others = ["3" * 64]
            await runtime.remove(row_of(), force=False)
            deleted = [path for _, path in engine.paths("DELETE")]
            assert deleted == [f"/containers/{ID}", f"/containers/{ID}", f"/containers/{'3' * 64}"]
            assert all(
                query["force"] == query["v"] == "True" for method, _, query, _ in engine.asked if method == "DELETE"
            )
            listed = [query for _, path, query, _ in engine.asked if path == "/containers/json"]
            assert json.loads(listed[-1]["filters"]) == {"label": [f"toolhive-token={TOKEN}"]}

    run(work())


def test_container_that_is_gone_is_an_error_but_where_it_is_to_go() -> None:
    async def work() -> None:
        engine = Engine()
        engine.has_container = False
        async with driving(engine) as runtime:
            with pytest.raises(ContainerGoneError, match=r"^The container is gone$"):
                await runtime.start(row_of())
            await runtime.stop(row_of(), 7)
            with pytest.raises(ContainerGoneError):
                await runtime.adopt(row_of())

    run(work())


def test_states_are_those_of_the_engine() -> None:
    async def work() -> None:
        engine = Engine()
        async with driving(engine) as runtime:
            states = await runtime.states()
        assert states is not None
        found = states[ID]
        assert (found.container_id, found.name, found.state, found.status) == (ID, "one", "running", "Up")
        assert (found.image, found.created, dict(found.labels)) == ("mcp/one:1", "2025-05-01T10:00:00Z", {"a": "b"})
        _, _, query, _ = next(one for one in engine.asked if one[1] == "/containers/json")
        assert (query["all"], json.loads(query["filters"])) == ("1", {"label": ["toolhive=true"]})

    run(work())


@pytest.mark.parametrize(
    ("status", "words", "error", "said"),
    [
        (409, "Conflict", ConflictError, "The container engine has this name already"),
        (500, "the container name is already in use", ConflictError, "The container engine has this name already"),
        (500, "port is already in use", EngineError, "The container engine refused"),
        (400, "invalid mount config", FieldError, "volumes: invalid mount config"),
        (500, "error while creating mount source", FieldError, "volumes: error while creating mount source"),
        (400, "bad parameter", BadRequestError, "The engine refused: bad parameter"),
        (500, "failed to start the process", EngineError, "Failed to start server"),
        (503, "busy", EngineError, "The container engine refused"),
    ],
)
def test_refusals_become_errors_of_ours(
    lines: list[dict[str, Any]], status: int, words: str, error: type[ToolError], said: str
) -> None:
    async def work() -> None:
        engine = Engine()
        engine.fails = {("POST", "/start"): (status, words)}
        async with driving(engine) as runtime:
            with pytest.raises(error) as refused:
                await runtime.start(row_of())
        assert refused.value.text == said
        logged = [line for line in lines if line["event"] == "engine_refused"]
        expected = [{"level": "error", "status": status, "reason": words}] if error is EngineError else []
        assert [{name: one[name] for name in ("level", "status", "reason")} for one in logged] == expected

    run(work())


def test_engine_that_does_not_answer_is_an_error() -> None:
    def fail() -> None:
        raise ConnectionRefusedError

    async def work() -> None:
        for takes_long in (True, False):
            assert await call_engine(lambda: 7, takes_long=takes_long) == 7
            with pytest.raises(EngineError, match=r"^The container engine does not answer$"):
                await call_engine(fail, takes_long=takes_long)

    run(work())
    assert isinstance(docker_link._translate(APIError("x")), EngineError), "an error without an answer"


class TestLink:
    def test_published_address_is_used(self) -> None:
        async def work() -> None:
            engine = Engine()
            settings = engine.container["NetworkSettings"]
            settings["Ports"] = {"8000/tcp": [{"HostIp": "127.0.0.1", "HostPort": "41000"}]}
            async with linked(engine) as link:
                place = await link.address(row_of(transport="sse", target_port=8_000))
                assert isinstance(place, AskedPlace)
                assert place.url == "http://127.0.0.1:41000"
                assert await link.address(row_of()) is None
                assert await link._is_same_run(row_of(), "2025-05-01T10:00:00Z")
                assert not await link._is_same_run(row_of(), "2025-05-01T10:00:01Z")
                engine.container["State"]["Running"] = False
                assert not await link._is_same_run(row_of(), "2025-05-01T10:00:00Z")
                engine.has_container = False
                assert not await link._is_same_run(row_of(), "2025-05-01T10:00:00Z")

        run(work())

    def test_address_on_a_network_is_used_where_nothing_is_published(self) -> None:
        async def work() -> None:
            engine = Engine()
            networks = {"none": {"IPAddress": ""}, "own": {"IPAddress": "172.20.0.2", "Gateway": "172.20.0.1"}}
            engine.container["NetworkSettings"] = {"Ports": None, "Networks": networks}
            async with linked(engine) as link:
                place = await link.address(row_of(transport="sse", target_port=8_000))
                assert isinstance(place, AskedPlace)
                assert place.url == "http://172.20.0.2:8000"

        run(work())

    def test_container_that_has_ended_has_no_address(self) -> None:
        async def work() -> None:
            engine = Engine()
            engine.container["NetworkSettings"]["Networks"]["bridge"]["IPAddress"] = "172.17.0.2"
            engine.container["State"]["Status"] = "exited"
            async with linked(engine) as link:
                link_row = row_of(transport="sse", target_port=8_000)
                assert await call_engine(lambda: link._place(link_row)) is None
                engine.container["State"]["Status"] = "running"
                assert await call_engine(lambda: link._place(link_row)) is not None
                engine.container["State"]["Status"] = "exited"
                with pytest.raises(EngineError, match=r"^The container does not run$"):
                    await call_engine(lambda: link._attach(link_row))

        run(work())
