"""Servers in real containers, on an engine of this test run's own."""

from __future__ import annotations

import functools
import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import docker
import httpx
import pytest
from mcp import Client, types
from mcp.shared.exceptions import MCPError

from apis.tests.contract.tool import engine
from apis.tests.contract.tool.containers.calls import (
    SECRET,
    V1,
    call,
    call_by_sse,
    create,
    create_ready,
    environment_of,
    listening,
    packet_filter,
    serve_web,
    write_profile,
)
from apis.tests.contract.tool.serving import ToolServer, talk_to, tool_server, wait_for
from apis.tests.contract.tool.soak import Plan, soak
from tool_api.runtime import docker as docker_runtime

REASON = engine.missing()
pytestmark = [
    pytest.mark.skipif(bool(REASON), reason=f"the Docker runtime is NOT tested here: {REASON}"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]


def test_server_of_the_sdk_answers_over_both_transports(api: httpx.Client) -> None:
    """Other tests use one without it, which starts sooner."""
    port = create(api, env_vars=["COLOR=teal"], cmd_arguments=["sdk"])
    assert call_by_sse(port, "variable", name="COLOR") == "teal"

    async def answer(*_: object) -> types.ElicitResult:
        return types.ElicitResult(action="accept", content={"secret": "brass"})

    async def talk() -> str:
        async with Client(f"http://127.0.0.1:{port}/mcp", elicitation_callback=answer) as client:
            content: Any = (await client.call_tool("ask", {})).content
            return str(content[0].text)

    assert talk_to(talk) == "accept brass"


def test_several_clients_share_one_stdio_server(api: httpx.Client) -> None:
    port = create(api, env_vars=[f"N{number}={number}" for number in range(8)])
    found: dict[int, str] = {}

    async def talk(number: int) -> None:
        async with Client(f"http://127.0.0.1:{port}/mcp") as client:
            result: Any = await client.call_tool("variable", {"name": f"N{number}"})
            found[number] = result.content[0].text

    async def talk_all() -> None:
        async with anyio.create_task_group() as tasks:
            for number in range(8):
                tasks.start_soon(talk, number)

    talk_to(talk_all)
    assert found == {number: str(number) for number in range(8)}


def test_client_is_asked_for_its_own_call_while_others_call(api: httpx.Client, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    port = create(api, volumes=[f"{tmp_path}:/data/shared"])
    results: dict[str, str] = {}

    async def call_as(name: str, tool: str, **arguments: object) -> None:
        async def answer(*_: object) -> types.ElicitResult:
            return types.ElicitResult(action="accept", content={"secret": f"of {name}"})

        async with Client(f"http://127.0.0.1:{port}/mcp", elicitation_callback=answer) as client:
            content: Any = (await client.call_tool(tool, arguments)).content
            results[name] = content[0].text

    async def talk() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(functools.partial(call_as, "B", "wait", path="/data/shared/go"))
            tasks.start_soon(functools.partial(call_as, "A", "ask", marker="/data/shared/asking"))
            with anyio.fail_after(30):
                while len(list(tmp_path.iterdir())) < 2:  # noqa: ASYNC110, ASYNC240 - files of another process
                    await anyio.sleep(0.02)
            # Both calls are in progress, and B's ends only now.
            (tmp_path / "go").touch()
        await call_as("C", "ask")

    talk_to(talk)
    assert results == {"A": "accept of A", "B": "found", "C": "accept of C"}


def test_server_that_checks_hosts_answers_through_our_port(api: httpx.Client) -> None:
    port = create(
        api, transport="sse", target_port=8123, cmd_arguments=["streamable-http"], env_vars=["GUARDED=1", "COLOR=teal"]
    )
    assert call(port, "variable", name="COLOR") == "teal"


def test_answer_over_the_limit_fails_its_call_only(
    socket_path: Path, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    server = ToolServer(tmp_path, *arguments, "--max-message-bytes", "1000000", env=environment_of(socket_path))
    try:
        port = create(server.client, env_vars=["COLOR=teal"])

        async def talk() -> tuple[str, str]:
            async with Client(f"http://127.0.0.1:{port}/mcp") as client:
                with pytest.raises(MCPError) as refused:
                    await client.call_tool("large", {"size": 1_100_000})
                content: Any = (await client.call_tool("variable", {"name": "COLOR"})).content
                return str(refused.value), content[0].text

        error, color = talk_to(talk)
        assert "The server's answer is larger than 1000000 bytes; --max-message-bytes sets the limit" in error
        assert color == "teal"
    finally:
        server.client.delete(f"{V1}/probe", params={"force": "true"})
        server.stop()


def test_log_of_a_container_is_bounded(api: httpx.Client, docker_client: docker.DockerClient) -> None:
    create(api)
    logged = docker_client.containers.get("probe").attrs["HostConfig"]["LogConfig"]
    assert logged["Config"] == {"max-size": "5m", "max-file": "2"}


def test_standard_input_of_a_container_is_written_to_itself(
    started: ToolServer, api: httpx.Client, docker_client: docker.DockerClient
) -> None:
    port = create(api, env_vars=["COLOR=teal"])
    assert call(port, "variable", name="COLOR") == "teal"
    number = docker_client.containers.get("probe").attrs["State"]["Pid"]
    pipe = Path(f"/proc/{number}/fd/0").readlink()
    opened = [file.readlink() for worker in started.workers() for file in Path(f"/proc/{worker.pid}/fd").iterdir()]
    assert pipe in opened


def test_stopped_server_was_not_killed(api: httpx.Client, docker_client: docker.DockerClient) -> None:
    """A container whose first process is the server itself would ignore SIGTERM, and end by SIGKILL (137)."""
    create_ready(api)
    assert api.post(f"{V1}/probe/stop").status_code == 204
    found = docker_client.containers.get("probe").attrs
    assert found["State"]["ExitCode"] in (0, 128 + signal.SIGTERM)


def test_servers_that_ignore_input_and_signals_are_ended_and_hold_up_nothing(
    api: httpx.Client, docker_client: docker.DockerClient
) -> None:
    names = [f"deaf-{number}" for number in range(8)]
    for name in names:
        create(api, name, cmd_arguments=["deaf"])
    create(api)
    with ThreadPoolExecutor(len(names)) as threads:
        stops = [threads.submit(api.post, f"{V1}/{name}/stop") for name in names]
        # Their ports are closed first.
        wait_for(lambda: sum("not open" in one["status"] for one in api.get(V1).json()["servers"]) == len(names))
        assert api.post(f"{V1}/probe/restart").status_code == 204
        assert not any(stop.done() for stop in stops)
        assert [stop.result().status_code for stop in stops] == [204] * len(names)
    ends = [docker_client.containers.get(name).attrs["State"]["ExitCode"] for name in names]
    assert set(ends) == {128 + signal.SIGKILL}


def test_container_of_a_forced_deletion_is_removed_when_the_engine_is_back(
    api: httpx.Client, started: ToolServer, socket_path: Path, docker_client: docker.DockerClient
) -> None:
    create_ready(api)
    hidden = socket_path.with_name("hidden.sock")
    socket_path.rename(hidden)
    try:
        assert api.delete(f"{V1}/probe", params={"force": "true"}).status_code == 204
    finally:
        hidden.rename(socket_path)
    assert api.get(f"{V1}/probe").status_code == 404
    assert api.post(V1, json={"name": "probe", "image": engine.IMAGE}).status_code == 201, "its name is free"
    assert len(docker_client.containers.list(all=True)) == 1


def test_sse_server_answers_through_our_port(api: httpx.Client) -> None:
    port = create(api, transport="sse", target_port=8123, env_vars=["COLOR=teal"])
    assert call_by_sse(port, "variable", name="COLOR") == "teal"
    assert api.get(f"{V1}/probe").json()["ports"][0]["containerPort"] == 8123


@pytest.mark.parametrize(
    "declared", [{"transport": "streamable-http"}, {"transport": "sse", "cmd_arguments": ["streamable-http"]}]
)
def test_streamable_server_answers_through_our_port(api: httpx.Client, declared: dict[str, Any]) -> None:
    port = create(api, env_vars=["COLOR=teal"], **declared)
    assert call(port, "variable", name="COLOR") == "teal"


def test_servers_that_swap_addresses_get_their_own_requests(
    api: httpx.Client, docker_client: docker.DockerClient
) -> None:
    names = ("one", "two")
    ports = {
        name: create(
            api,
            name,
            transport="streamable-http",
            permission_profile="network",
            env_vars=[f"NAME={name}"],
            cmd_arguments=["web"],
        )
        for name in names
    }
    containers = {name: docker_client.containers.get(name) for name in names}

    def answers() -> dict[str, str]:
        return {name: httpx.get(f"http://127.0.0.1:{port}/", timeout=60).text for name, port in ports.items()}

    def addresses() -> list[str]:
        for container in containers.values():
            container.reload()
        networks = [container.attrs["NetworkSettings"]["Networks"] for container in containers.values()]
        return [next(iter(network.values()))["IPAddress"] for network in networks]

    assert answers() == {name: name for name in names}
    before = addresses()
    for container in containers.values():
        container.kill()  # it stays so, as one that was killed by hand
    for name in reversed(names):
        containers[name].start()
    assert addresses() == before[::-1]
    assert answers() == {name: name for name in names}


def test_container_is_hardened(api: httpx.Client) -> None:
    status = call(create(api), "status")
    assert "NoNewPrivs:\t1" in status
    assert "CapEff:\t0000000000000000" in status


def test_read_only_mount_is_read_only_and_the_other_is_not(api: httpx.Client, tmp_path: Path) -> None:
    for name in ("in", "out"):
        (tmp_path / name).mkdir(mode=0o777)
        (tmp_path / name).chmod(0o777)
    (tmp_path / "in" / "note").write_text("hello")
    port = create(api, volumes=[f"{tmp_path / 'in'}:/data/in:ro", f"{tmp_path / 'out'}:/data/out"])
    assert call(port, "read", path="/data/in/note") == "hello"
    assert call(port, "write", path="/data/in/note", text="x") == "OSError Read-only file system"
    assert call(port, "write", path="/data/out/note", text="kept") == "written"
    assert (tmp_path / "out" / "note").read_text() == "kept"


def test_missing_mount_is_refused_and_leaves_nothing(
    api: httpx.Client, docker_client: docker.DockerClient, tmp_path: Path
) -> None:
    body = {"name": "probe", "image": engine.IMAGE, "volumes": [f"{tmp_path}/none:/data/x"]}
    response = api.post(V1, json=body)
    assert response.status_code == 400
    assert response.text.startswith("Unable to configure volume mounts: volumes: ")
    assert docker_client.containers.list(all=True, sparse=True) == []


def test_image_that_is_nowhere_is_refused(api: httpx.Client) -> None:
    response = api.post(V1, json={"image": "localhost:1/none/such:1"})
    assert (response.status_code, response.text) == (400, "image: not on this machine, and it cannot be pulled")


def test_profile_without_network_has_none(api: httpx.Client, web: int, outside: str) -> None:
    port = create(api, permission_profile="none")
    assert call(port, "interfaces") == "lo"
    assert call(port, "fetch", url=f"http://127.0.0.1:{web}/").startswith("failed")
    assert call(port, "fetch", url=outside, direct=True).startswith("failed")


def test_sse_server_without_network_is_reached_and_reaches_nothing(
    api: httpx.Client, web: int, outside: str, docker_client: docker.DockerClient
) -> None:
    port = create(api, transport="sse", permission_profile="none")
    (network,) = docker_client.networks.list(filters={"label": "toolhive=true"})
    gateway = network.attrs["IPAM"]["Config"][0]["Gateway"]
    with serve_web("0.0.0.0") as everywhere:
        for url in (f"http://127.0.0.1:{web}/", outside, f"http://{gateway}:{everywhere}/"):
            assert call_by_sse(port, "fetch", url=url, direct=True).startswith("failed"), url
    assert docker_client.containers.get("probe").attrs["HostConfig"]["Dns"] == ["127.0.0.1"]


def test_allowed_host_and_port_is_reached_and_others_are_not(
    api: httpx.Client, web: int, outside: str, tmp_path: Path
) -> None:
    profile = write_profile(tmp_path / "p.json", allow_transport=["tcp"], allow_host=["127.0.0.1"], allow_port=[web])
    port = create(api, permission_profile=profile, env_vars=["no_proxy=", "NO_PROXY="])
    assert call(port, "fetch", url=f"http://127.0.0.1:{web}/") == "204"
    assert call(port, "fetch", url=f"http://127.0.0.2:{web}/") == "failed: HTTP Error 403: Forbidden"
    assert call(port, "fetch", url=f"http://127.0.0.1:{web + 1}/") == "failed: HTTP Error 403: Forbidden"
    assert call(port, "fetch", url=outside) == "failed: HTTP Error 403: Forbidden"
    assert call(port, "fetch", url=outside, direct=True).startswith("failed")


def test_secret_is_in_the_container_and_nowhere_of_ours(
    api: httpx.Client, started: ToolServer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    port = create(api, secrets=[{"name": "token", "target": "API_TOKEN"}])
    assert call(port, "variable", name="API_TOKEN") == SECRET
    assert SECRET not in api.get(f"{V1}/probe").text
    assert SECRET not in started.log
    stored = b"".join(path.read_bytes() for path in started.state_dir.rglob("*") if path.is_file())
    assert b"API_TOKEN" in stored
    assert SECRET.encode() not in stored


def test_stop_and_restart_move_the_container(api: httpx.Client, docker_client: docker.DockerClient) -> None:
    port = create_ready(api)
    assert api.post(f"{V1}/probe/stop").status_code == 204
    assert docker_client.containers.get("probe").status == "exited"
    assert api.get(f"{V1}/probe").json()["state"] == "exited"
    first = docker_client.containers.get("probe").attrs["State"]["StartedAt"]
    assert api.post(f"{V1}/probe/restart").status_code == 204
    assert docker_client.containers.get("probe").attrs["State"]["StartedAt"] != first
    assert call(port, "interfaces")


def test_restart_of_a_running_server_is_a_real_one(api: httpx.Client, docker_client: docker.DockerClient) -> None:
    create_ready(api)
    first = docker_client.containers.get("probe").attrs["State"]["StartedAt"]
    assert api.post(f"{V1}/probe/restart").status_code == 204
    assert docker_client.containers.get("probe").attrs["State"]["StartedAt"] != first


@pytest.mark.parametrize("force", ["true", "false"])
def test_deleted_server_leaves_no_container_and_no_network(
    api: httpx.Client, docker_client: docker.DockerClient, force: str, tmp_path: Path
) -> None:
    create_ready(api, permission_profile=write_profile(tmp_path / "p.json", allow_host=["example.com"]))
    [made] = docker_client.networks.list(filters={"label": "toolhive=true"})
    # Other engines of this machine, as that of Podman's tests, share its packet filter: only the chain of this network counts.
    chain = docker_runtime.bridge_of(made.attrs)
    assert chain in packet_filter()
    assert api.delete(f"{V1}/probe", params={"force": force}).status_code == 204
    if force == "true":
        # What the engine refuses at first, as Podman may beside a container that just ends, is removed soon after.
        wait_for(lambda: docker_client.containers.list(all=True, sparse=True) == [], 60)
        wait_for(lambda: chain not in packet_filter(), 60)
    assert docker_client.containers.list(all=True, sparse=True) == []
    assert docker_client.networks.list(filters={"label": "toolhive=true"}) == []
    assert chain not in packet_filter()


def test_name_of_a_foreign_container_is_taken(api: httpx.Client, docker_client: docker.DockerClient) -> None:
    foreign = docker_client.containers.create(engine.IMAGE, name="probe")
    try:
        assert api.post(V1, json={"name": "probe", "image": engine.IMAGE}).status_code == 409
        assert docker_client.containers.get("probe").id == foreign.id
        assert api.get(f"{V1}/probe").status_code == 404
    finally:
        foreign.remove(force=True)


def test_orphan_is_listed_and_can_be_deleted(api: httpx.Client, docker_client: docker.DockerClient) -> None:
    create(api, "kept")
    labels = docker_client.containers.get("kept").labels
    ours = {"toolhive": "true", "toolhive-instance": labels["toolhive-instance"]}
    docker_client.containers.create(engine.IMAGE, name="left", labels=ours)
    foreign = docker_client.containers.create(engine.IMAGE, name="foreign", labels={"toolhive": "true"})
    _, found = api.get(V1, params={"all": "true"}).json()["servers"]
    assert (found["name"], found["labels"]["toolhive-orphan"]) == ("left", "true")
    assert api.delete(f"{V1}/left").status_code == 204
    assert api.delete(f"{V1}/foreign").status_code == 404
    assert {container.name for container in docker_client.containers.list(all=True)} == {"kept", "foreign"}
    foreign.remove()


def test_killed_container_is_shown_as_ended(api: httpx.Client, docker_client: docker.DockerClient) -> None:
    create(api)
    docker_client.containers.get("probe").kill()
    wait_for(lambda: api.get(f"{V1}/probe").json()["state"] == "exited")
    assert api.get(V1).json()["servers"] == []


def test_dead_server_is_started_again_by_policy_and_answers(
    api: httpx.Client, docker_client: docker.DockerClient
) -> None:
    port = create(api, env_vars=["COLOR=teal"])
    assert call(port, "variable", name="COLOR") == "teal"
    os.kill(docker_client.containers.get("probe").attrs["State"]["Pid"], signal.SIGKILL)
    wait_for(lambda: docker_client.containers.get("probe").attrs["RestartCount"] == 1)
    assert call(port, "variable", name="COLOR") == "teal"


def test_everything_is_there_after_the_api_was_killed(
    socket_path: Path,
    arguments: tuple[str, ...],
    web: int,
    tmp_path_factory: pytest.TempPathFactory,
    docker_client: docker.DockerClient,
) -> None:
    state = tmp_path_factory.mktemp("killed")
    profile = write_profile(state / "p.json", allow_host=["127.0.0.1"], allow_port=[web])
    first = ToolServer(state, *arguments, env=environment_of(socket_path))
    try:
        ports = [
            create(first.client, "one", permission_profile=profile, env_vars=["no_proxy=", "NO_PROXY="]),
            create(first.client, "two", transport="sse", env_vars=["COLOR=teal"]),
        ]
        assert call(create(first.client, "three"), "interfaces")
        first.client.post(f"{V1}/three/stop")
        assert call(ports[0], "fetch", url=f"http://127.0.0.1:{web}/") == "204"
        before = [(server["id"], server["name"]) for server in first.client.get(V1).json()["servers"]]
    finally:
        first.kill()
    second = ToolServer(state, *arguments, env=environment_of(socket_path))
    try:
        assert [(server["id"], server["name"]) for server in second.client.get(V1).json()["servers"]] == before
        assert call(ports[0], "fetch", url=f"http://127.0.0.1:{web}/") == "204"
        assert call(ports[0], "fetch", url=f"http://127.0.0.1:{web + 1}/") == "failed: HTTP Error 403: Forbidden"
        assert call_by_sse(ports[1], "variable", name="COLOR") == "teal"
        assert second.client.get(f"{V1}/three").json()["state"] == "exited"
    finally:
        for name in ("one", "two", "three"):
            second.client.delete(f"{V1}/{name}", params={"force": "true"})
        second.stop()
    assert docker_client.containers.list(all=True, sparse=True) == []


def test_calls_are_answered_once_and_by_their_own_result_while_server_and_api_end(
    running: engine.Engine, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    """The short version of `apis/tests/contract/tool/soak.py`."""
    figures = soak(tmp_path, running, arguments[2:], Plan(sessions=40, crashes=2, kills=1))
    assert figures.faults == []
    assert figures.calls["result"] > 20


def test_two_apis_on_one_engine_leave_each_other_alone(
    socket_path: Path, arguments: tuple[str, ...], api: httpx.Client, tmp_path: Path
) -> None:
    create(api, "mine")
    with tool_server(tmp_path, *arguments, env=environment_of(socket_path)) as other:
        everything = {"all": "true"}
        assert other.client.get(V1, params=everything).json() == {"servers": []}
        mine = api.get(f"{V1}/mine").json()["id"]
        for place in ("mine", mine):
            assert other.client.get(f"{V1}/{place}").status_code == 404
            assert other.client.post(f"{V1}/{place}/stop").status_code == 404
            assert other.client.post(f"{V1}/{place}/restart").status_code == 404
            assert other.client.delete(f"{V1}/{place}", params={"force": "true"}).status_code == 404
        assert other.client.post(V1, json={"name": "mine", "image": engine.IMAGE}).status_code == 409
        assert other.events("orphan_found") == []
        create(other.client, "theirs")
        assert [found["name"] for found in api.get(V1, params=everything).json()["servers"]] == ["mine"]
        other.client.delete(f"{V1}/theirs", params={"force": "true"})
    assert api.get(f"{V1}/mine").json()["state"] == "running"


def test_root_without_a_guard_mounts_only_what_was_named(socket_path: Path, api: httpx.Client, tmp_path: Path) -> None:
    refused = api.post(V1, json={"name": "root", "image": engine.IMAGE, "volumes": ["/:/host"]})
    assert (refused.status_code, "volumes: / may not be mounted" in refused.text) == (400, True)


def test_call_on_an_event_stream_ends_when_the_process_of_its_port_is_killed(
    api: httpx.Client, started: ToolServer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    shared = tmp_path_factory.mktemp("shared")
    port = create_ready(api, volumes=[f"{shared}:/shared"])
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    asked = {"name": "wait", "arguments": {"path": "/shared/never"}}
    with listening(port) as (client, lines):
        address = next(lines)
        for number, method, values in ((0, "initialize", params), (7, "tools/call", asked)):
            body = {"jsonrpc": "2.0", "id": number, "method": method, "params": values}
            client.post(address, json=body).raise_for_status()
        assert json.loads(next(lines))["id"] == 0
        wait_for((shared / "never.awaited").exists)
        for worker in started.workers():
            os.kill(worker.pid, signal.SIGKILL)
    # As the SDK for TypeScript does, which does not know yet where else to send what it is asked.
    with listening(port, {"mcp-protocol-version": "2025-06-18"}) as (client, lines):
        asked = json.loads(next(lines))
        assert asked["method"] == "ping"
        client.post(address, json={"jsonrpc": "2.0", "id": asked["id"], "result": {}}).raise_for_status()
        assert next(lines) != address
        answer = json.loads(next(lines))
    assert answer["id"] == 7
    assert "may have taken effect" in answer["error"]["message"]
