"""The way to servers in a cluster: streams of pods, by the protocol that API servers speak (v4.channel.k8s.io).

No package has a kubelet, so this is a small API server that has one pod. What is made in a cluster is tested in
`apis/tests/unit/tool/test_kubernetes.py`; `apis/tests/contract/tool/cluster.py` runs servers in a real one, by hand.
"""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiohttp import WSMsgType, web
from kubernetes.config import kube_config
from mcp.types import JSONRPCMessage, JSONRPCRequest

from tool_api.errors import EngineError
from tool_api.runtime.base import OversizedMessageError, UnreadAnswer
from tool_api.runtime.kubernetes import ClusterSettings, KubernetesLink, KubernetesRuntime
from tool_api.runtime.kubernetes.cluster import Cluster
from tool_api.runtime.kubernetes.manifests import TOKEN
from tool_api.store import ServerRow, ServerSpec

UID = "0b0b0b0b-1111-2222-3333-444444444444"
SET = "/apis/apps/v1/namespaces/tools/statefulsets/mcp-time"
POD = "/api/v1/namespaces/{namespace}/pods/{name}"
LIMIT = 100_000
WAIT_S = 60

CONFIG = """
apiVersion: v1
kind: Config
current-context: here
clusters: [{{name: here, cluster: {{server: "http://127.0.0.1:{port}"}}}}]
users: [{{name: one, user: {{token: brass-lantern}}}}]
contexts: [{{name: here, context: {{cluster: here, user: one, namespace: tools}}}}]
"""


class ApiServer:
    """Has the pod `mcp-time-0` in the namespace `tools`."""

    def __init__(self) -> None:
        self.pod: dict[str, Any] = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "name": "mcp-time-0",
                "uid": "pod-1",
                "ownerReferences": [{"kind": "StatefulSet", "uid": UID}],
            },
            "status": {"containerStatuses": [{"name": "mcp", "state": {"running": {}}}]},
        }
        self.set: dict[str, Any] = {
            "apiVersion": "apps/v1",
            "kind": "StatefulSet",
            "metadata": {"name": "mcp-time", "uid": UID, "labels": {TOKEN: "9a"}},
            "spec": {"replicas": 1},
        }
        self.looks_until_end = 0
        """How often the pod is listed, once it is to end, before its container has ended."""
        self.removed: list[Any] = []
        """Options with which the pod's object was deleted."""
        self.attached = asyncio.Event()
        self.left = asyncio.Event()
        self.asked: dict[str, str] = {}
        self._streams: set[web.WebSocketResponse] = set()

    def app(self) -> web.Application:
        found = web.Application()
        found.add_routes(
            [
                web.get("/version", answer({"major": "1", "minor": "33"})),
                web.get("/api", answer({"kind": "APIVersions", "versions": ["v1"]})),
                web.get("/apis", answer({"kind": "APIGroupList", "groups": [APPS]})),
                web.get(
                    "/apis/apps/v1", answer({"kind": "APIResourceList", "groupVersion": "apps/v1", "resources": [SETS]})
                ),
                web.get(SET, self._set),
                web.patch(SET, self._scale),
                web.get("/api/v1/namespaces/tools/pods", self._pods),
                web.delete(POD, self._remove),
                web.get("/api/v1", answer({"kind": "APIResourceList", "groupVersion": "v1", "resources": [PODS]})),
                web.get(POD, self._pod),
                web.get(f"{POD}/attach", self._attach),
                web.get(f"{POD}/portforward", self._forward),
            ]
        )
        return found

    async def _pod(self, request: web.Request) -> web.Response:
        assert request.headers["authorization"] == "Bearer brass-lantern"
        if (request.match_info["namespace"], request.match_info["name"]) != ("tools", "mcp-time-0"):
            return web.json_response({"kind": "Status", "message": "not found", "code": 404}, status=404)
        return web.json_response(self.pod)

    async def _set(self, _: web.Request) -> web.Response:
        return web.json_response(self.set)

    async def _scale(self, request: web.Request) -> web.Response:
        self.set["spec"] |= (await request.json())["spec"]
        self.pod["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
        return await self._set(request)

    async def _pods(self, _: web.Request) -> web.Response:
        if self.pod["metadata"].get("deletionTimestamp"):
            self.looks_until_end -= 1
        if self.looks_until_end < 0:
            self.pod["status"]["containerStatuses"][0]["state"] = {"terminated": {"exitCode": 0}}
        # The object stays, as it does in a cluster until the kubelet's next round.
        items = [] if self.removed else [self.pod]
        return web.json_response({"apiVersion": "v1", "kind": "PodList", "metadata": {}, "items": items})

    async def _remove(self, request: web.Request) -> web.Response:
        self.removed.append(await request.json())
        return web.json_response(self.pod)

    @asynccontextmanager
    async def _stream(self, request: web.Request) -> AsyncIterator[web.WebSocketResponse]:
        found = web.WebSocketResponse(protocols=["v4.channel.k8s.io"])
        await found.prepare(request)
        self._streams.add(found)
        self.asked = dict(request.query)
        try:
            yield found
        finally:
            self._streams.discard(found)

    async def end_streams(self) -> None:
        for found in list(self._streams):
            await found.close()

    async def _attach(self, request: web.Request) -> web.WebSocketResponse:
        async with self._stream(request) as stream:
            for channel in (0, 1, 2):
                await stream.send_bytes(bytes([channel]))  # as kubelets do
            self.attached.set()
            given = b""
            async for message in stream:
                assert message.type == WSMsgType.BINARY
                assert message.data[:1] == b"\0"
                *lines, given = (given + message.data[1:]).split(b"\n")
                for line in lines:
                    await answer_call(stream, json.loads(line))
            self.left.set()
            return stream

    async def _forward(self, request: web.Request) -> web.WebSocketResponse:
        async with self._stream(request) as stream:
            port = struct.pack("<H", int(self.asked["ports"]))
            await stream.send_bytes(b"\0" + port)
            await stream.send_bytes(b"\1" + port)
            given = b""
            async for message in stream:
                given += message.data[1:]
                if given.endswith(b"\r\n\r\n"):
                    body = given.split(b" ")[1]
                    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode()
                    await stream.send_bytes(b"\0" + head)
                    await stream.send_bytes(b"\0" + body)
                    given = b""
            return stream


SETS = {
    "name": "statefulsets",
    "singularName": "statefulset",
    "namespaced": True,
    "kind": "StatefulSet",
    "verbs": ["get", "list", "patch"],
}
_V1 = {"groupVersion": "apps/v1", "version": "v1"}
APPS = {"name": "apps", "versions": [_V1], "preferredVersion": _V1}
PODS = {"name": "pods", "singularName": "pod", "namespaced": True, "kind": "Pod", "verbs": ["get", "list", "delete"]}


def answer(found: Any) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def handle(_: web.Request) -> web.Response:
        return web.json_response(found)

    return handle


async def answer_call(stream: web.WebSocketResponse, call: dict[str, Any]) -> None:
    """Answer in two pieces, with words on standard error between them."""
    size = call["params"]["size"]
    line = (
        json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": {"text": "é" * size}}, ensure_ascii=False).encode()
        + b"\n"
    )
    await stream.send_bytes(b"\1" + line[:20])
    await stream.send_bytes(b"\2a warning\n")
    await stream.send_bytes(b"\1" + line[20:])


def row_of(name: str = "time", identifier: str = UID, **fields: Any) -> ServerRow:
    spec = ServerSpec(name, "example.com/time:1", **fields)
    return ServerRow(spec, identifier, 40001, "kept", "running", "", "")


HTTP = row_of(transport="streamable-http", target_port=8000)


@asynccontextmanager
async def serving(folder: Path, patch: pytest.MonkeyPatch) -> AsyncIterator[ApiServer]:
    """A cluster, whose API server runs in this loop; calls of it have threads of their own."""
    server = ApiServer()
    runner = web.AppRunner(server.app())
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    file = folder / "config"
    file.write_text(CONFIG.format(port=runner.addresses[0][1]), encoding="utf-8")
    patch.setattr(kube_config, "KUBE_CONFIG_DEFAULT_LOCATION", str(file))
    try:
        async with asyncio.timeout(WAIT_S):
            yield server
    finally:
        await server.end_streams()
        await runner.cleanup()


@asynccontextmanager
async def linked(folder: Path, patch: pytest.MonkeyPatch) -> AsyncIterator[tuple[ApiServer, KubernetesLink]]:
    async with serving(folder, patch) as server:
        link = KubernetesLink(ClusterSettings(), LIMIT)
        try:
            yield server, link
        finally:
            await link.aclose()


def call(number: int, size: int) -> JSONRPCRequest:
    return JSONRPCRequest(jsonrpc="2.0", id=number, method="tools/call", params={"size": size})


@pytest.mark.costly
def test_stdio_server_is_reached_by_the_attach_stream_of_its_pod(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with linked(tmp_path, monkeypatch) as (server, link):
            row = row_of()
            assert await link.address(row) is None
            async with link.connect(row) as wire:
                said: asyncio.Queue[JSONRPCMessage | UnreadAnswer | Exception] = asyncio.Queue()
                carrying = asyncio.create_task(wire.carry(said.put_nowait))
                await server.attached.wait()
                assert server.asked.items() >= {("container", "mcp"), ("stdin", "true"), ("stdout", "true")}
                for number, size in enumerate((1, 20_000, 3), start=1):
                    wire.send(call(number, size))
                    received = await said.get()
                    assert isinstance(received, UnreadAnswer)
                    assert (received.number, json.loads(received.data)) == (number, {"text": "é" * size})
                wire.send(call(4, LIMIT))
                assert isinstance(await said.get(), OversizedMessageError)
                assert not carrying.done()
            await carrying
            await server.left.wait()

    asyncio.run(work())


def test_end_of_a_stream_is_the_end_of_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with linked(tmp_path, monkeypatch) as (server, link), link.connect(row_of()) as wire:
            said: list[JSONRPCMessage | Exception] = []
            carrying = asyncio.create_task(wire.carry(said.append))
            await server.attached.wait()
            await server.end_streams()
            await carrying
            assert said == []

    asyncio.run(work())


def test_http_server_is_reached_through_a_port_forward(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with linked(tmp_path, monkeypatch) as (server, link):
            places = [await link.address(HTTP), await link.address(HTTP)]
            addresses = {place.url for place in places if place is not None}
            assert len(addresses) == 1, "one tunnel for all connections"
            address = addresses.pop()
            async with httpx.AsyncClient(trust_env=False) as client:
                for path in ("/mcp", "/sse"):  # over one connection
                    found = await client.get(f"{address}{path}")
                    assert (found.status_code, found.text) == (200, path)
            assert server.asked["ports"] == "8000"

    asyncio.run(work())


@pytest.mark.parametrize("what", ["gone", "another", "ending", "waiting"])
def test_pod_that_does_not_serve_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    async def work() -> None:
        async with linked(tmp_path, monkeypatch) as (server, link):
            row = row_of("else") if what == "gone" else row_of(identifier="another") if what == "another" else row_of()
            if what == "ending":
                server.pod["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
            if what == "waiting":
                server.pod["status"] = {}
            said = "does not run" if what in {"ending", "waiting"} else "gone from the cluster"
            with pytest.raises(EngineError, match=said):
                async with link.connect(row):
                    pass

    asyncio.run(work())


@pytest.mark.parametrize("looks", [0, 3])
def test_stop_ends_when_the_container_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], looks: int
) -> None:
    """Not when the object of its pod has gone, which takes up to ten seconds more."""

    async def work() -> None:
        async with serving(tmp_path, monkeypatch) as server:
            runtime = KubernetesRuntime(await asyncio.to_thread(Cluster, ClusterSettings()), "5f")
            try:
                server.looks_until_end = looks
                await runtime.stop(row_of(), WAIT_S)
                assert server.looks_until_end == -1, "not a moment before, and at once"
                (options,) = server.removed
                assert options["gracePeriodSeconds"] == 0, "it would keep its successor waiting"
                assert options["preconditions"] == {"uid": "pod-1"}
            finally:
                await runtime.aclose()

    asyncio.run(work())
    assert "pod_killed" not in capsys.readouterr().err
