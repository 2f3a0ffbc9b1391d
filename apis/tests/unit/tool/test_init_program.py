"""An init program is asked for where the engine has one, since creating a container fails where it has not."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from docker import DockerClient
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from tool_api.endpoint.port import Port, bind
from tool_api.runtime import docker
from tool_api.store import ServerRow, ServerSpec

PODMAN = {"BuildahVersion": "1.28.2", "InitBinary": "", "InitCommit": {"ID": ""}}


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole search path."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(docker, "PODMAN_PROGRAMS", str(tmp_path / "podman"))
    (tmp_path / "podman").mkdir()
    return tmp_path


def install(program: Path) -> None:
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)


def test_engine_that_names_a_version_has_one(programs: Path) -> None:
    assert docker.has_init_program({"InitBinary": "docker-init", "InitCommit": {"ID": "de40ad0"}})
    assert not docker.has_init_program({"InitBinary": "docker-init", "InitCommit": {"ID": "N/A"}})
    install(programs / "docker-init")
    assert docker.has_init_program({"InitBinary": "docker-init", "InitCommit": {"ID": "N/A"}})


def test_program_of_another_engine_on_this_machine_is_not_podmans(programs: Path) -> None:
    install(programs / "docker-init")
    assert not docker.has_init_program(PODMAN)


@pytest.mark.parametrize("place", ["catatonit", "podman/catatonit"])
def test_podman_uses_catatonit(programs: Path, place: str) -> None:
    install(programs / place)
    assert docker.has_init_program(PODMAN)
    assert not docker.has_init_program({"InitBinary": "docker-init", "InitCommit": {"ID": "N/A"}})


@pytest.mark.parametrize(("version", "expected"), [("de40ad0", True), ("N/A", None)])
def test_container_is_made_with_an_init_program_where_there_is_one(
    programs: Path, version: str, expected: bool | None
) -> None:
    """Without it, no server that has no handler for the signal would end before it is killed."""
    del programs  # nothing is found on the search path
    asked = asyncio.run(create_at(Engine({"InitBinary": "docker-init", "InitCommit": {"ID": version}})))
    assert asked["HostConfig"].get("Init") is expected


async def create_at(engine: Engine) -> dict[str, Any]:
    """Have a server's container made; returns what the engine is asked for."""
    listener = bind("127.0.0.1", 0)
    port = Port(listener)
    await port.open(engine)
    try:
        url = "tcp://{}:{}".format(*listener.getsockname())
        client = await asyncio.to_thread(DockerClient, base_url=url, version="1.41")
        runtime = docker.DockerRuntime(client, url, "instance")
        try:
            await runtime.create(ServerRow(ServerSpec("probe", "image"), "token", 1, "creating", "running", "", ""), {})
        finally:
            await runtime.aclose()
    finally:
        await port.close()
    (asked,) = engine.asked
    return asked


class Engine:
    """As much of an engine as creating a container takes."""

    def __init__(self, info: dict[str, Any]) -> None:
        self.asked: list[dict[str, Any]] = []
        self._info = info

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"].endswith("/containers/create"):
            self.asked.append(await Request(scope, receive).json())
        answer = self._info if scope["path"].endswith("/info") else {"Id": "1" * 64}
        await JSONResponse(answer)(scope, receive, send)
