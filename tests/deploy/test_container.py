"""The image of `deploy/Dockerfile`: built without a network, run without rights and with nothing writable but its volume."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack

import docker
import httpx
import pytest
from docker.models.containers import Container

from apis.tests.contract.tool import engine
from apis.tests.contract.tool.serving import wait_for
from octavo.server.run import _GRACE_S
from tests.deploy.image import build_site_image

IMAGE = "octavo-test/docs:1"
HEALTHY_S = 120
REASON = engine.missing()
pytestmark = [
    pytest.mark.skipif(bool(REASON), reason=f"the image is NOT built here: {REASON}"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[docker.DockerClient]:
    with ExitStack() as stack:
        try:
            path = stack.enter_context(engine.engine(tmp_path_factory.mktemp("engine"))).path
        except engine.DoesNotStartError as error:
            pytest.skip(f"the image is NOT built here: dockerd does not start: {error}")
        client = docker.DockerClient(base_url=f"unix://{path}", timeout=240)
        stack.callback(client.close)
        build_site_image(client, tmp_path_factory.mktemp("image"), IMAGE)
        yield client


@pytest.fixture(scope="module")
def running(client: docker.DockerClient) -> Container:
    """The image as `deploy/README.md` starts it, with no more rights than the manifest grants; the engine removes it."""
    return client.containers.run(
        IMAGE,
        detach=True,
        read_only=True,
        tmpfs={"/tmp": ""},
        cap_drop=["ALL"],
        security_opt=["no-new-privileges"],
        mem_limit="512m",
        ports={"3000/tcp": ("127.0.0.1", None)},
        # The image's own check, whose first run would come after ten seconds.
        healthcheck={"test": [], "interval": 1_000_000_000},
    )


@pytest.fixture(scope="module")
def address(running: Container) -> str:
    wait_for(lambda: health(running) != "starting", HEALTHY_S)
    [port] = running.attrs["NetworkSettings"]["Ports"]["3000/tcp"]
    found = f"http://127.0.0.1:{port['HostPort']}"
    # The health check runs inside the container: the engine's own way to the port may be ready later.
    wait_for(lambda: answers(found), HEALTHY_S)
    return found


def answers(address: str) -> bool:
    try:
        return httpx.get(f"{address}/healthz", timeout=60).is_success
    except httpx.TransportError:
        return False


def health(container: Container) -> str:
    container.reload()
    return str(container.attrs["State"]["Health"]["Status"])


def test_container_becomes_healthy_and_answers(running: Container, address: str) -> None:
    assert health(running) == "healthy", running.logs().decode()
    page = httpx.get(f"{address}/codegate/features/muxing", timeout=60)
    assert page.status_code == 200
    assert "Model muxing" in page.text
    assert "script-src" in page.headers["content-security-policy"]


def test_search_of_the_image_answers(running: Container, address: str) -> None:
    headers = {"x-algolia-application-id": "STACKLOKDOCS", "x-algolia-api-key": "stacklok-docs-search-only"}
    body = {"requests": [{"indexName": "stacklok-docs", "query": "muxing"}]}
    answer = httpx.post(f"{address}/1/indexes/*/queries", json=body, headers=headers, timeout=60)
    assert answer.status_code == 200, answer.text + running.logs().decode()
    assert answer.json()["results"][0]["nbHits"] > 0


def test_server_has_no_rights_and_can_write_nowhere_but_where_it_must(running: Container, address: str) -> None:
    written = {}
    for folder in ("/", "/published", "/opt/octavo", "/srv/docs", "/srv/docs/.octavo", "/tmp"):
        command = ["python", "-c", f"open({folder + '/x'!r}, 'w').close()"]
        written[folder] = running.exec_run(command).exit_code == 0
    assert [folder for folder, is_writable in written.items() if is_writable] == ["/srv/docs/.octavo", "/tmp"]
    assert running.exec_run(["python", "-c", "import os; print(os.getuid())"]).output == b"10001\n"


def test_image_holds_neither_sources_nor_node(running: Container, address: str) -> None:
    program = "import os, shutil; print(os.path.exists('/source'), shutil.which('node'))"
    assert running.exec_run(["python", "-c", program]).output == b"False None\n"


def test_container_ends_well_and_in_time_when_it_is_told_to(client: docker.DockerClient) -> None:
    container = client.containers.run(IMAGE, detach=True, read_only=True, tmpfs={"/tmp": ""})
    wait_for(lambda: b" at http://" in container.logs(), HEALTHY_S)
    begun = time.monotonic()
    container.stop(timeout=_GRACE_S + 5)
    assert time.monotonic() - begun < _GRACE_S + 5
    container.reload()
    assert container.attrs["State"]["ExitCode"] == 0, container.logs().decode()
    container.remove()
