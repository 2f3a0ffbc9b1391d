"""Three servers on one PostgreSQL behind nginx: one gateway for its callers, also while they are exchanged."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import httpx
import pytest

from apis.tests.contract.gateway.exchanges import make_alert, make_exchange
from apis.tests.contract.gateway.postgres import Cluster
from apis.tests.contract.gateway.providers import KEY, MODELS, FakeProvider
from apis.tests.contract.gateway.serving import COMMAND
from apis.tests.contract.tool.serving import wait_for
from gateway_api.ingestion import record_exchanges
from gateway_api.settings import Settings
from tests.deploy.balancer import find_nginx, free_port, run_nginx

pytestmark = pytest.mark.skipif(find_nginx() is None, reason="nothing is tried behind nginx: it is not installed")
SERVERS, CLIENTS, START_S, ANSWER_S = 3, 4, 60, 30
SETTINGS = """
upstream gateway {{ {servers} }}
server {{
    listen 127.0.0.1:{port};
    location / {{
        proxy_pass http://gateway;
        proxy_set_header Host localhost;
        proxy_connect_timeout 2s;
        proxy_read_timeout 60s;
    }}
}}
"""


class Server:
    """One process."""

    def __init__(self, folder: Path, url: str) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._environment = {**os.environ, "GATEWAY_DATA_DIR": str(folder), "GATEWAY_DATABASE_URL": url}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [*COMMAND, "--port", str(self.port)]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=self._environment)
        wait_for(self.is_ready, START_S)

    def is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.address}/health", timeout=20, trust_env=False).status_code == 200
        except httpx.HTTPError:
            return False

    def stop(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(START_S)


class Balanced:
    def __init__(self, address: str, servers: list[Server], settings: Settings) -> None:
        self.address = address
        self.servers = servers
        self.settings = settings


@pytest.fixture(scope="module")
def balanced(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Balanced]:
    folder, url = tmp_path_factory.mktemp("balanced"), cluster.fresh_database()
    servers = [Server(folder, url) for _ in range(SERVERS)]
    with ExitStack() as stack:
        for server in servers:
            server.start()
            stack.callback(server.stop)
        port = free_port()
        # By default nginx leaves a server out for 10 s after one refused connection: restarted in turn, all would be.
        upstream = " ".join(f"server 127.0.0.1:{server.port} max_fails=0;" for server in servers)
        settings = SETTINGS.format(servers=upstream, port=port)
        address = stack.enter_context(run_nginx(folder / "nginx", settings, port))
        yield Balanced(address, servers, Settings(data_dir=folder, database_url=url))


def test_alert_reaches_the_listeners_of_every_server(balanced: Balanced) -> None:
    heard: list[int] = []
    ready = threading.Barrier(SERVERS + 2)

    def listen(address: str) -> None:
        path = f"{address}/api/v1/alerts_notification"
        with httpx.stream("GET", path, timeout=ANSWER_S, trust_env=False) as answer:
            lines = answer.iter_lines()
            assert next(lines) == ": listening"
            ready.wait(ANSWER_S)
            heard.append(len(list(itertools.islice((line for line in lines if line.startswith("data:")), 5))))

    addresses = [balanced.address, *(server.address for server in balanced.servers)]
    threads = [threading.Thread(target=listen, args=(address,)) for address in addresses]
    for thread in threads:
        thread.start()
    ready.wait(ANSWER_S)
    for number in range(5):
        alerts = [make_alert("codegate-pii", trigger_string=str(number))]
        record_exchanges([make_exchange("default", alerts=alerts)], balanced.settings)
    for thread in threads:
        thread.join(ANSWER_S)
    assert heard == [5] * (SERVERS + 1)


def test_key_that_is_sent_to_another_server_during_a_rename_is_stored(
    balanced: Balanced, provider: FakeProvider
) -> None:
    first, second, third = (f"{server.address}/api/v1/provider-endpoints" for server in balanced.servers)
    body = {"name": "former", "provider_type": "openai", "endpoint": provider.url("openai")}
    body["auth_type"] = "passthrough"
    with httpx.Client(trust_env=False, timeout=ANSWER_S) as client:
        assert client.post(first, json=body).status_code == 201
        assert client.put(f"{first}/former", json=body | {"name": "renamed"}).status_code == 200
        key = {"auth_type": "api_key", "api_key": KEY}
        assert client.put(f"{second}/former/auth-material", json=key).status_code == 204
        found = client.get(f"{third}/renamed").json()
        assert found["auth_type"] == "api_key"
        listed = client.get(f"{third}/renamed/models").json()
        assert sorted(model["name"] for model in listed) == sorted(MODELS)


class Load:
    """Clients that read and write without a pause, each change once; every answer that is no success is kept."""

    def __init__(self, address: str) -> None:
        self.failures: list[str] = []
        self.created: list[str] = []
        self.count = 0
        self._address = address
        self._stop = threading.Event()
        self._numbers = itertools.count()

    def run(self) -> None:
        with httpx.Client(base_url=f"{self._address}/api/v1", trust_env=False, timeout=ANSWER_S) as client:
            while not self._stop.is_set():
                name = f"w{next(self._numbers)}"
                self._ask(client, "POST", "/workspaces", {"name": name})
                self.created.append(name)
                self._ask(client, "PUT", f"/workspaces/{name}/custom-instructions", {"prompt": name})
                self._ask(client, "GET", "/workspaces/default/messages", None)

    def _ask(self, client: httpx.Client, method: str, path: str, body: Any) -> None:
        try:
            answer = client.request(method, path, json=body)
        except httpx.HTTPError as error:
            self.failures.append(f"{method} {path}: {error!r}")
            return
        self.count += 1
        if not answer.is_success:
            self.failures.append(f"{method} {path}: {answer.status_code} {answer.text[:200]}")

    def __enter__(self) -> Self:
        self._threads = [threading.Thread(target=self.run) for _ in range(CLIENTS)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(ANSWER_S)


def test_rolling_restart_under_load_refuses_nothing(balanced: Balanced) -> None:
    with Load(balanced.address) as load:
        for server in balanced.servers:
            so_far = load.count
            wait_for(lambda so_far=so_far: load.count > so_far + 20, ANSWER_S)
            server.stop()
            server.start()
    assert load.failures == []
    with httpx.Client(base_url=f"{balanced.address}/api/v1", trust_env=False, timeout=ANSWER_S) as client:
        stored = {entry["name"] for entry in client.get("/workspaces").json()["workspaces"]}
        assert stored >= set(load.created)
        last = load.created[-CLIENTS - 1]
        assert client.get(f"/workspaces/{last}/custom-instructions").json() == {"prompt": last}
