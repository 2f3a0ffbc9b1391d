"""Where a container engine is looked for, and which address of a container is used."""

from __future__ import annotations

import socket
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tool_api.routes import refusals
from tool_api.runtime.engine import engine_urls
from tool_api.runtime.place import reaches


@pytest.fixture
def home() -> Iterator[Path]:
    """Make a folder whose name is short: that of a socket has at most a hundred letters."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def listen(path: Path) -> socket.socket:
    path.parent.mkdir(parents=True, exist_ok=True)
    made = socket.socket(socket.AF_UNIX)
    made.bind(str(path))
    return made


def urls(home: Path, **environment: str) -> list[str]:
    found = [url.removeprefix("unix://") for url in engine_urls(environment, home, "linux")]
    return [Path(one).relative_to(home).as_posix() for one in found if Path(one).is_relative_to(home)]


def test_named_sockets_come_first_then_those_of_podman_then_those_of_docker(home: Path) -> None:
    names = ["named/p", "named/d", "run/podman/podman.sock", ".local/share/containers/podman/machine/podman.sock"]
    names.append(".docker/run/docker.sock")
    listening = [listen(home / name) for name in reversed(names)]
    found = urls(
        home,
        TOOLHIVE_PODMAN_SOCKET=str(home / "named/p"),
        TOOLHIVE_DOCKER_SOCKET=str(home / "named/d"),
        XDG_RUNTIME_DIR=str(home / "run"),
    )
    assert found == names
    assert urls(home) == names[3:]
    for one in listening:
        one.close()


def test_what_is_no_socket_is_passed_over(home: Path) -> None:
    (home / "file").write_text("no socket")
    assert urls(home, TOOLHIVE_PODMAN_SOCKET=str(home / "file"), TOOLHIVE_DOCKER_SOCKET=str(home / "gone")) == []


def test_engines_of_windows_have_pipes(home: Path) -> None:
    assert list(engine_urls({}, home, "win32")) == ["npipe:////./pipe/podman-api", "npipe:////./pipe/docker_engine"]


def test_address_of_a_container_is_used_where_its_network_is_ours_and_the_published_port_answers() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        published = f"http://127.0.0.1:{server.getsockname()[1]}"
        assert reaches("127.0.0.1", "127.0.0.1", published)
        assert not reaches("127.0.0.1", "172.20.0.1", published)
        assert not reaches("no address", "127.0.0.1", published)
    assert not reaches("127.0.0.1", "127.0.0.1", published)
    assert not reaches("127.0.0.1", "127.0.0.1", "http://127.0.0.1:port")


def test_refusals_are_described_as_one_sentence_of_text() -> None:
    described = refusals(s404="There is none.", s409="It exists.")
    assert {status: one["description"] for status, one in described.items()} == {
        404: "There is none.",
        409: "It exists.",
    }
    assert all(one["content"] == {"text/plain": {"schema": {"type": "string"}}} for one in described.values())
