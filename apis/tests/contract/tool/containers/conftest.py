"""An API whose servers run in containers of an engine of the tests: Docker's, where a module has no other one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import docker
import httpx
import pytest

from apis.tests.contract.tool import engine
from apis.tests.contract.tool.containers.calls import (
    SECRET,
    V1,
    call,
    create,
    environment_of,
    serve_web,
)
from apis.tests.contract.tool.serving import ToolServer


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[engine.Engine]:
    with ExitStack() as stack:
        try:
            started = stack.enter_context(engine.engine(tmp_path_factory.mktemp("engine")))
        except engine.DoesNotStartError as error:
            pytest.skip(f"the Docker runtime is NOT tested here: dockerd does not start: {error}")
        engine.make_image(started.path)
        yield started


@pytest.fixture(scope="module")
def socket_path(running: engine.Engine) -> Path:
    return running.path


@pytest.fixture(scope="module")
def arguments(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    secrets = tmp_path_factory.mktemp("secrets") / "secrets.env"
    secrets.write_text(f"token={SECRET}\n")
    secrets.chmod(0o600)
    folders = tmp_path_factory.getbasetemp()
    return ("--runtime", "docker", "--secrets-file", str(secrets), "--mount-root", str(folders))


@pytest.fixture(scope="module")
def started(
    socket_path: Path, arguments: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ToolServer]:
    server = ToolServer(tmp_path_factory.mktemp("state"), *arguments, env=environment_of(socket_path))
    yield server
    server.stop()


@pytest.fixture
def api(started: ToolServer) -> Iterator[httpx.Client]:
    yield started.client
    for server in started.client.get(V1, params={"all": "true"}).json()["servers"]:
        started.client.delete(f"{V1}/{server['name']}", params={"force": "true"})


@pytest.fixture(scope="module")
def docker_client(socket_path: Path) -> Iterator[docker.DockerClient]:
    client = docker.DockerClient(base_url=f"unix://{socket_path}")
    yield client
    client.close()


@pytest.fixture
def web() -> Iterator[int]:
    """Port of a web server on the loopback address, which the egress proxy reaches."""
    with serve_web("127.0.0.1") as port:
        yield port


@pytest.fixture
def outside(socket_path: Path, api: httpx.Client) -> Iterator[str]:
    """Address of a web server outside of the containers, shown to be reached by one that is not confined."""
    control = create(api, "control", permission_profile="network")
    address = engine.outside(socket_path)
    with serve_web(address) as port:
        url = f"http://{address}:{port}/"
        assert call(control, "fetch", url=url, direct=True) == "204"
        yield url
