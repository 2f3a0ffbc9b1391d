"""The way to servers in containers: attach streams of stdio servers, addresses of the others."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import docker
from docker.errors import APIError, DockerException
from docker.errors import NotFound as Gone
from docker.models.containers import Container

from tool_api.errors import BadRequestError, ConflictError, EngineError, FieldError
from tool_api.logs import log
from tool_api.runtime.base import Wire
from tool_api.runtime.engine import open_client
from tool_api.runtime.place import AskedPlace, Place, ProcessPlace, open_input, open_process, reaches
from tool_api.runtime.stdio import talk
from tool_api.runtime.threads import in_own_thread
from tool_api.store import ServerRow

ADDRESS_TIMEOUT_S = 20

T = TypeVar("T")


class ContainerGoneError(EngineError):
    """What was asked about is not there."""


class DockerLink:
    """Reaches the servers on one engine."""

    def __init__(self, url: str, max_message_bytes: int) -> None:
        """Args: url: Address of the engine. max_message_bytes: Largest message of a stdio server."""
        self._url = url
        self._max_message_bytes = max_message_bytes
        self._client: docker.DockerClient | None = None

    @asynccontextmanager
    async def connect(self, row: ServerRow) -> AsyncIterator[Wire]:
        attached, direct = await call_engine(lambda: self._attach(row))
        async with talk(attached, self._max_message_bytes, direct) as wire:
            yield wire

    async def address(self, row: ServerRow) -> Place | None:
        if row.spec.transport == "stdio":
            return None
        for _ in range(ADDRESS_TIMEOUT_S * 10):
            found = await call_engine(lambda: self._place(row))
            if found:
                return found
            await asyncio.sleep(0.1)
        raise EngineError("The container has no address; it may have ended")

    async def aclose(self) -> None:
        if self._client is not None:
            self._client.close()

    def _container(self, row: ServerRow) -> Container:
        if self._client is None:
            self._client = open_client(self._url)
        return self._client.containers.get(row.container_id)

    def _place(self, row: ServerRow) -> Place | None:
        container = self._container(row)
        published, networks = _addresses(container, row.spec.target_port)
        url = published or next((f"http://{address}:{row.spec.target_port}" for address, _ in networks), "")
        if container.status != "running" or not url:
            return None
        state = container.attrs["State"]
        process = open_process(str(container.id), state.get("Pid") or 0)
        if process is None:
            return AskedPlace(url, lambda: self._is_same_run(row, state["StartedAt"]))
        for address, gateway in networks:
            if published and reaches(address, gateway, published):
                url = f"http://{address}:{row.spec.target_port}"
        return ProcessPlace(url, process)

    async def _is_same_run(self, row: ServerRow, started: str) -> bool:
        try:
            state = (await call_engine(lambda: self._container(row))).attrs["State"]
        except EngineError:
            return False
        return bool(state["Running"]) and state["StartedAt"] == started

    def _attach(self, row: ServerRow) -> tuple[socket.socket, int | None]:
        """The container's streams, and its standard input itself where that can be had."""
        container = self._container(row)
        if container.status != "running":
            raise EngineError("The container does not run")
        attached: Any = container.attach_socket(params={"stdin": 1, "stdout": 1, "stream": 1})
        # The SDK hands out a file over the socket; ours is a duplicate, so closing theirs does not close it.
        duplicate = socket.socket(fileno=os.dup(attached.fileno()))
        attached.close()
        # Of the process that ran before and still runs, so of the one that is attached.
        return duplicate, open_input(str(container.id), container.attrs["State"].get("Pid") or 0)


async def call_engine(work: Callable[[], T], *, takes_long: bool = False) -> T:
    """Do blocking work in a thread; what the engine says against it becomes an error of ours.

    Args:
        work: Calls the engine.
        takes_long: Whether the engine answers when something else has happened, such as the end of a server.
    """
    try:
        return await (in_own_thread(work) if takes_long else asyncio.to_thread(work))
    except Gone as error:
        raise ContainerGoneError("The container is gone") from error
    except APIError as error:
        raise _translate(error) from error
    except (DockerException, OSError) as error:
        raise EngineError("The container engine does not answer") from error


def network_of(container: Container) -> str:
    """Name of the network that a container is on."""
    name: str = next(iter(container.attrs["NetworkSettings"]["Networks"]), "")
    return name


def _translate(error: APIError) -> Exception:
    explanation = str(error.explanation or "").strip()
    match error.status_code:
        case 409:
            return ConflictError("The container engine has this name already")
        # Podman answers 500 and says it in words.
        case 500 if "already in use" in explanation and "name" in explanation:
            return ConflictError("The container engine has this name already")
        case 400 | 500 if "mount" in explanation:
            return FieldError("volumes", explanation)
        case 400:
            return BadRequestError(f"The engine refused: {explanation}")
        case _:
            log("engine_refused", level="error", status=error.status_code, reason=explanation)
            return EngineError("Failed to start server" if "start" in explanation else "The container engine refused")


def _addresses(container: Container, port: int) -> tuple[str, list[tuple[str, str]]]:
    """Addresses of a port of a container.

    Returns:
        (URL that it is published at, empty if it is not; address and gateway on each of its networks).
    """
    settings = container.attrs["NetworkSettings"]
    published = (settings.get("Ports") or {}).get(f"{port}/tcp")
    networks = [
        (one["IPAddress"], one.get("Gateway") or "") for one in settings["Networks"].values() if one["IPAddress"]
    ]
    return f"http://127.0.0.1:{published[0]['HostPort']}" if published else "", networks
