"""Many requests at once, and the end of the process in their midst: nothing acknowledged is lost, no name is doubled."""

from __future__ import annotations

import os
import random
import socket
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from apis.tests.contract.tool.serving import ToolServer, tool_server

URL = "/api/v1beta/servers"
IMAGE = "mcp/time:latest"
KILLS = int(os.environ.get("TOOL_KILLS", "3"))
"""The long run makes 50."""

ENDS_S = 30
SERVERS = 200
CLIENTS = 16


def names(client: httpx.Client) -> list[str]:
    return [server["name"] for server in client.get(URL, params={"all": "true"}).json()["servers"]]


def test_one_of_many_creates_of_a_name_wins(api: httpx.Client) -> None:
    def create(_: int) -> int:
        return api.post(URL, json={"name": "same", "image": IMAGE}).status_code

    with ThreadPoolExecutor(CLIENTS) as pool:
        assert Counter(pool.map(create, range(48))) == {201: 1, 409: 47}
    assert names(api) == ["same"]


def test_what_was_deleted_answers_nowhere_whatever_was_done_to_it_at_once(api: httpx.Client) -> None:
    ports: set[int] = set()

    def change(number: int) -> int:
        name, order = f"shared-{number % 2}", random.Random(number)
        match order.choice(("create", "create", "delete", "restart", "stop")):
            case "create":
                answer = api.post(URL, json={"name": name, "image": IMAGE})
                if answer.status_code == 201:
                    ports.add(answer.json()["port"])
            case "delete":
                answer = api.delete(f"{URL}/{name}")
            case change:
                answer = api.post(f"{URL}/{name}/{change}")
        return answer.status_code

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(change, range(160))) <= {201, 204, 404, 409}
    for name in names(api):
        assert api.delete(f"{URL}/{name}").status_code == 204
    assert names(api) == []
    assert len(ports) > 5
    for port in ports:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port)).close()


def test_two_hundred_servers_are_created_listed_and_deleted_at_once(tmp_path: Path) -> None:
    wanted = [f"s{number:03}" for number in range(SERVERS)]
    with tool_server(tmp_path) as server, ThreadPoolExecutor(CLIENTS) as pool:
        client = server.client
        created = list(pool.map(lambda name: client.post(URL, json={"name": name, "image": IMAGE}), wanted))
        assert {response.status_code for response in created} == {201}
        assert len({response.json()["port"] for response in created}) == SERVERS
        assert names(client) == wanted
        assert all(found["state"] == "running" and "not open" not in found["status"] for found in _list(client))
        odd = wanted[1::2]
        done = pool.map(lambda name: client.delete(f"{URL}/{name}", params={"force": "true"}).status_code, odd)
        stopped = pool.map(lambda name: client.post(f"{URL}/{name}/stop").status_code, wanted[::4])
        assert {*done, *stopped} == {204}
        assert names(client) == wanted[::2]
        assert [found["name"] for found in _list(client) if found["state"] == "running"] == wanted[2::4]


@pytest.mark.timeout(120 + 30 * KILLS)
def test_nothing_acknowledged_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    order = random.Random(8080)
    known: dict[str, str] = {}
    for round_number in range(KILLS):
        server = ToolServer(tmp_path, "--runtime", "simulated")
        found = {entry["name"]: entry["state"] for entry in _list(server.client)}
        assert found == known, f"after {round_number} kills"
        known = _work_until_killed(server, known, round_number, order.uniform(0.1, 0.6))
    with tool_server(tmp_path) as last:
        assert {entry["name"]: entry["state"] for entry in _list(last.client)} == known
        assert all("not open" not in entry["status"] for entry in _list(last.client))


def _work_until_killed(server: ToolServer, known: dict[str, str], round_number: int, after_s: float) -> dict[str, str]:
    """Change servers from several threads, kill the process, and find out what became of the changes under way.

    Returns:
        name → state, of all that was acknowledged; what was under way counts as the next process tells.
    """
    acknowledged = dict(known)
    unsure: set[str] = set()
    stopping = threading.Event()

    def work(thread: int) -> None:
        order = random.Random(f"{round_number} {thread}")
        mine = [name for name in acknowledged if name.startswith(f"t{thread}-")]
        number = 0
        with httpx.Client(base_url=server.address, timeout=60) as client:
            while not stopping.is_set():
                name = order.choice(mine) if mine and order.random() < 0.5 else f"t{thread}-{round_number}-{number}"
                number += 1
                unsure.add(name)
                try:
                    _change(client, name, acknowledged, mine, order)
                except httpx.HTTPError:
                    return
                unsure.discard(name)

    threads = [threading.Thread(target=work, args=(thread,), daemon=True) for thread in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(after_s)  # The moment of the kill is what the test varies; there is no condition to wait for.
    server.kill()
    stopping.set()
    for thread in threads:
        thread.join(ENDS_S)
        assert not thread.is_alive()
    return _settle(server.state_dir, acknowledged, unsure)


def _change(
    client: httpx.Client, name: str, acknowledged: dict[str, str], mine: list[str], order: random.Random
) -> None:
    if name not in acknowledged:
        assert client.post(URL, json={"name": name, "image": IMAGE}).status_code == 201
        acknowledged[name] = "running"
        mine.append(name)
    elif order.random() < 0.5:
        assert client.delete(f"{URL}/{name}").status_code == 204
        del acknowledged[name]
        mine.remove(name)
    else:
        assert client.post(f"{URL}/{name}/stop").status_code == 204
        acknowledged[name] = "exited"


def _settle(state_dir: Path, acknowledged: dict[str, str], unsure: set[str]) -> dict[str, str]:
    with tool_server(state_dir) as server:
        entries = _list(server.client)
    found = {entry["name"]: entry["state"] for entry in entries}
    assert len(found) == len(entries), "a name is doubled"
    assert len({entry["labels"]["toolhive-port"] for entry in entries}) == len(entries), "a port is doubled"
    # What was under way may have happened or not; all else is as it was acknowledged.
    sure = {name: state for name, state in acknowledged.items() if name not in unsure}
    assert {name: state for name, state in found.items() if name not in unsure} == sure
    return found


def _list(client: httpx.Client) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = client.get(URL, params={"all": "true"}).json()["servers"]
    return entries
