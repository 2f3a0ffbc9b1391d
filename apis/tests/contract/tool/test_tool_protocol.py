"""The port that create returns speaks the protocol, to the official client."""

from __future__ import annotations

import json
from contextlib import suppress

import anyio
import httpx
import pytest
from mcp import Client, ClientSession
from mcp.client.sse import sse_client
from mcp.shared.exceptions import MCPError

from apis.tests.contract.tool.serving import ToolServer, talk_to, tool_server

V1 = "/api/v1beta"


def create(api: httpx.Client, name: str, image: str, **fields: object) -> int:
    response = api.post(f"{V1}/servers", json={"name": name, "image": image, **fields})
    assert response.status_code == 201, response.text
    port: int = response.json()["port"]
    return port


async def tools_by_http(port: int) -> list[str]:
    async with Client(f"http://127.0.0.1:{port}/mcp") as client:
        return [tool.name for tool in (await client.list_tools()).tools]


async def tools_by_sse(port: int) -> list[str]:
    async with (
        sse_client(f"http://127.0.0.1:{port}/sse") as (read, write),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        return [tool.name for tool in (await session.list_tools()).tools]


def test_official_client_lists_the_tools_of_every_shipped_entry_over_both_transports(api: httpx.Client) -> None:
    entries = api.get(f"{V1}/registry/default/servers").json()["servers"]
    assert len(entries) == 29
    for entry in entries:
        needed = [f"{variable['name']}=x" for variable in entry["env_vars"] if variable["required"]]
        port = create(api, entry["name"], entry["image"], transport=entry["transport"], env_vars=needed)
        assert entry["tools"] == talk_to(tools_by_http, port), entry["name"]
        assert entry["tools"] == talk_to(tools_by_sse, port), entry["name"]


def test_call_of_a_tool_says_that_nothing_was_executed(api: httpx.Client) -> None:
    port = create(api, "fetch", "mcp/fetch:1.0")

    async def call() -> str:
        async with Client(f"http://127.0.0.1:{port}/mcp") as client:
            result = await client.call_tool("fetch", {"url": "https://example.com"})
            return str(result.content[0].text)  # type: ignore[union-attr]

    assert talk_to(call) == 'Simulated result of "fetch" on server "fetch". Nothing was executed.'


def test_many_clients_talk_to_one_server_at_once(api: httpx.Client) -> None:
    port = create(api, "time", "mcp/time")
    found: list[list[str]] = []

    async def talk() -> None:
        async with Client(f"http://127.0.0.1:{port}/mcp") as client:
            found.extend([[tool.name for tool in (await client.list_tools()).tools] for _ in range(5)])

    async def talk_all() -> None:
        async with anyio.create_task_group() as tasks:
            for _ in range(10):
                tasks.start_soon(talk)

    talk_to(talk_all)
    assert found == [["get_current_time", "convert_time"]] * 50


def test_port_of_a_stopped_server_is_closed_and_opens_again_on_restart(api: httpx.Client) -> None:
    port = create(api, "time", "mcp/time")
    api.post(f"{V1}/servers/time/stop")
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{port}/mcp")
    api.post(f"{V1}/servers/time/restart")
    assert talk_to(tools_by_http, port) == ["get_current_time", "convert_time"]


def test_foreign_pages_cannot_talk_to_a_server(api: httpx.Client) -> None:
    port = create(api, "time", "mcp/time")
    initialize = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}
    headers = {"accept": "application/json, text/event-stream"}
    url = f"http://127.0.0.1:{port}/mcp"
    assert httpx.post(url, json=initialize, headers={**headers, "host": "evil.example"}).status_code == 421
    assert httpx.post(url, json=initialize, headers={**headers, "origin": "http://evil.example"}).status_code == 403


def test_requests_outside_a_session_are_refused(api: httpx.Client) -> None:
    port = create(api, "time", "mcp/time")
    url = f"http://127.0.0.1:{port}/mcp"
    headers = {"accept": "application/json, text/event-stream"}
    listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert httpx.post(url, json=listing, headers=headers).status_code == 400
    assert httpx.post(url, json=listing, headers={**headers, "mcp-session-id": "made-up"}).status_code == 404


def test_servers_and_their_ports_come_back_after_a_restart_of_the_api(tmp_path_factory: pytest.TempPathFactory) -> None:
    state = tmp_path_factory.mktemp("kept")
    with tool_server(state) as first:
        port = create(first.client, "time", "mcp/time")
        create(first.client, "fetch", "mcp/fetch")
        first.client.post(f"{V1}/servers/fetch/stop")
        before = first.client.get(f"{V1}/servers?all=true").json()["servers"]
    with tool_server(state) as second:
        after = second.client.get(f"{V1}/servers?all=true").json()["servers"]
        assert talk_to(tools_by_http, port) == ["get_current_time", "convert_time"]
    kept = ("id", "name", "image", "state", "created", "labels", "ports")
    assert [{key: server[key] for key in kept} for server in before] == [
        {key: server[key] for key in kept} for server in after
    ]


def test_start_says_plainly_that_nothing_is_executed(running: ToolServer) -> None:
    assert [event["executes"] for event in running.events("runtime_chosen")] == [False]
    assert json.dumps(running.events("listening"))


def test_message_over_the_limit_fails_alone_and_names_the_option(tmp_path_factory: pytest.TempPathFactory) -> None:
    with tool_server(tmp_path_factory.mktemp("limited"), "--max-message-bytes", "65536") as server:
        port = create(server.client, "time", "mcp/time")

        async def call(size: int) -> bool:
            async with Client(f"http://127.0.0.1:{port}/mcp") as client:
                with suppress(MCPError, httpx.HTTPError):
                    return not (await client.call_tool("convert_time", {"text": "x" * size})).is_error
            return False

        assert [talk_to(call, size) for size in (60_000, 70_000, 60_000)] == [True, False, True]
        answer = httpx.post(f"http://127.0.0.1:{port}/mcp", content=b" " * 65_537)
        text = "The body is larger than 65536 bytes; --max-message-bytes sets the limit"
        assert (answer.status_code, answer.text) == (413, text)


def test_pages_of_configured_origins_may_talk_to_a_server(tmp_path_factory: pytest.TempPathFactory) -> None:
    page = "https://inspector.example"
    with tool_server(tmp_path_factory.mktemp("pages"), "--endpoint-origin", page) as server:
        url = f"http://127.0.0.1:{create(server.client, 'time', 'mcp/time')}/mcp"
        wanted = "content-type, mcp-protocol-version, mcp-session-id, authorization, last-event-id"
        asked = {"access-control-request-method": "POST", "access-control-request-headers": wanted}
        allowed = httpx.options(url, headers={"origin": page, **asked})
        assert (allowed.status_code, allowed.headers["access-control-allow-origin"]) == (200, page)
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "page", "version": "1"}}
        body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
        headers = {"origin": page, "accept": "application/json, text/event-stream"}
        answer = httpx.post(url, json=body, headers=headers)
        assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, page)
        assert "mcp-session-id" in answer.headers["access-control-expose-headers"].lower()
        stranger = httpx.options(url, headers={"origin": "https://evil.example", **asked})
        assert stranger.status_code == 400
        assert "access-control-allow-origin" not in stranger.headers
        assert httpx.post(url, json=body, headers={**headers, "origin": "https://evil.example"}).status_code == 403
