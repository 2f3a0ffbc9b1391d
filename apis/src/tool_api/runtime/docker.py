"""Servers in containers of Docker or Podman."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar

import docker
from docker.errors import APIError, DockerException, ImageNotFound
from docker.errors import NotFound as Gone
from docker.models.containers import Container
from docker.types import IPAMConfig, LogConfig, Mount

from tool_api.errors import BadRequestError, ConflictError, EngineError, FieldError
from tool_api.logs import log
from tool_api.runtime import firewall
from tool_api.runtime.base import INSTANCE, ContainerState, MessagesIn, MessagesOut, labels_of
from tool_api.runtime.egress import EgressProxy
from tool_api.runtime.engine import find_engine
from tool_api.runtime.stdio import talk
from tool_api.store import ServerRow

LABEL = "toolhive=true"
TOKEN = "toolhive-token"  # noqa: S105 - the label's name
"""Label that tells containers of one create request from all others."""

OWN_NETWORK = "toolhive-"
"""What the names of networks begin with that are made for one server."""

BRIDGE = "com.docker.network.bridge.name"
NO_RESOLVER = "127.0.0.1"
"""The container itself, where nobody answers: the egress proxy resolves names for those that may go out."""

PIDS = 512
MEMORY_BYTES = 2 * 1024**3
ADDRESS_TIMEOUT_S = 20

_LOG_LIMITS = {"max-size": "5m", "max-file": "2"}

# The stubs ask for more than the engine does.
_RESTART: Any = {"Name": "unless-stopped"}

T = TypeVar("T")


async def connect_engine(max_message_bytes: int, instance: str) -> DockerRuntime | None:
    """A runtime on the first engine that answers.

    Args:
        max_message_bytes: Largest message of a stdio server.
        instance: What tells this API's containers from those of others.
    """
    client = await asyncio.to_thread(find_engine)
    return DockerRuntime(client, max_message_bytes, instance) if client else None


class DockerRuntime:
    """Drives one engine. Containers outlive this process; they bear labels to be found by."""

    name = "docker"

    def __init__(self, client: docker.DockerClient, max_message_bytes: int, instance: str) -> None:
        self._client = client
        self._instance = instance
        self._max_message_bytes = max_message_bytes
        self._proxies: dict[str, EgressProxy] = {}

    async def create(self, row: ServerRow, secrets: Mapping[str, str]) -> ServerRow:
        await self._call(lambda: self._have_image(row.spec.image))
        token, proxy = row.container_id, {}
        network = await self._call(lambda: self._make_network(row, token))
        if row.spec.network.mode == "filtered":
            gateway = await self._call(lambda: self._gateway(network))
            port = await self._open_proxy(row, gateway, 0)
            row = replace(row, spec=replace(row.spec, egress_port=port))
            proxy = _proxy_variables(gateway, port)
        await self._call(lambda: self._confine(row, network))
        variables = {**proxy, **dict(row.spec.env), **secrets}
        has_init = await self._call(lambda: has_init_program(self._client.info()))
        if not has_init:
            log("no_init_program", level="warning", server=row.name, effect="servers may take long to stop")
        container = await self._call(lambda: self._make_container(row, variables, network, has_init=has_init))
        return replace(row, container_id=str(container.id))

    async def start(self, row: ServerRow) -> None:
        await self.adopt(row)
        await self._call(lambda: self._container(row).start())

    async def adopt(self, row: ServerRow) -> None:
        network = await self._call(lambda: _network_of(self._container(row)))
        await self._call(lambda: self._confine(row, network))
        if row.spec.network.mode == "filtered" and row.name not in self._proxies:
            gateway = await self._call(lambda: self._gateway(network))
            try:
                await self._open_proxy(row, gateway, row.spec.egress_port)
            except OSError as error:
                raise EngineError("The egress proxy's port is taken") from error

    async def stop(self, row: ServerRow, timeout_s: int) -> None:
        with suppress(_GoneError):
            await self._call(lambda: self._container(row).stop(timeout=timeout_s))

    async def remove(self, row: ServerRow, *, force: bool) -> None:
        if proxy := self._proxies.pop(row.name, None):
            await proxy.close()
        del force  # A container that is removed here has been stopped, or is to be killed.
        await self._call(lambda: self._remove_all(row))

    async def states(self) -> dict[str, ContainerState] | None:
        found = await self._call(lambda: self._client.api.containers(all=True, filters={"label": LABEL}))
        return {entry["Id"]: _state(entry) for entry in found}

    @asynccontextmanager
    async def connect(self, row: ServerRow) -> AsyncIterator[tuple[MessagesIn, MessagesOut]]:
        attached = await self._call(lambda: self._attach(row))
        async with talk(attached, self._max_message_bytes) as streams:
            yield streams

    async def address(self, row: ServerRow) -> str | None:
        if row.spec.transport == "stdio":
            return None
        for _ in range(ADDRESS_TIMEOUT_S * 10):
            found = await self._call(lambda: _address(self._container(row), row.spec.target_port))
            if found:
                return found
            await asyncio.sleep(0.1)
        raise EngineError("The container has no address; it may have ended")

    async def aclose(self) -> None:
        for proxy in self._proxies.values():
            await proxy.close()
        self._client.close()

    async def _open_proxy(self, row: ServerRow, gateway: str, port: int) -> int:
        proxy = EgressProxy(row.name, row.spec.network)
        chosen = await proxy.open(gateway, port)
        self._proxies[row.name] = proxy
        return chosen

    async def _call(self, work: Callable[[], T]) -> T:
        """Do blocking work in a thread; what the engine says against it becomes an error of ours."""
        try:
            return await asyncio.to_thread(work)
        except Gone as error:
            raise _GoneError("The container is gone") from error
        except APIError as error:
            raise _translate(error) from error
        except (DockerException, OSError) as error:
            raise EngineError("The container engine does not answer") from error

    def _container(self, row: ServerRow) -> Container:
        return self._client.containers.get(row.container_id)

    def _have_image(self, image: str) -> None:
        try:
            self._client.images.get(image)
        except ImageNotFound:
            log("image_pulled", image=image)
            try:
                self._client.images.pull(image, tag=None if _has_tag(image) else "latest")
            except DockerException as error:
                raise FieldError("image", "not on this machine, and it cannot be pulled") from error

    def _make_network(self, row: ServerRow, token: str) -> str:
        """Name of the network the container joins."""
        mode = row.spec.network.mode
        if mode == "open":
            return "bridge"
        if mode == "none" and row.spec.transport == "stdio":
            return "none"
        # A network of its own: servers do not see each other, and nothing is routed out of it.
        name = f"{OWN_NETWORK}{row.name}-{token[:8]}"
        self._client.networks.create(
            name,
            driver="bridge",
            internal=True,
            labels={"toolhive": "true", TOKEN: token},
            options={BRIDGE: f"toolh-{token[:8]}"},
            ipam=IPAMConfig(),
        )
        return name

    def _confine(self, row: ServerRow, network: str) -> None:
        """Close this machine to a network of a server's own, but for the way out that the server may have."""
        if network.startswith(OWN_NETWORK):
            attrs = self._client.networks.get(network).attrs
            port = row.spec.egress_port
            firewall.confine(_bridge(attrs), (self._gateway(network), port) if port else None)

    def _gateway(self, network: str) -> str:
        attrs = self._client.networks.get(network).attrs
        gateway: str = attrs["IPAM"]["Config"][0].get("Gateway", "")
        if not gateway:
            raise EngineError("The container's network has no gateway")
        return gateway.partition("/")[0]

    def _make_container(self, row: ServerRow, variables: dict[str, str], network: str, *, has_init: bool) -> Container:
        spec = row.spec
        is_stdio = spec.transport == "stdio"
        if not is_stdio:
            variables = {"MCP_TRANSPORT": spec.transport, "MCP_PORT": str(spec.target_port)} | variables
        publishes = not is_stdio and network == "bridge"
        return self._client.containers.create(
            spec.image,
            command=list(spec.arguments) or None,
            name=spec.name,
            environment=variables,
            labels={**labels_of(spec, row.port, self.name), TOKEN: row.container_id, INSTANCE: self._instance},
            # detach: the engine must not close standard input when the first client of it goes.
            detach=True,
            stdin_open=is_stdio,
            network=network,
            # The engine would ask the names of an internal network's containers from this machine: a way out.
            dns=[NO_RESOLVER] if network.startswith(OWN_NETWORK) else None,
            ports=_published(spec.target_port) if publishes else {},
            mounts=[Mount(mount.target, mount.source, "bind", read_only=mount.read_only) for mount in spec.mounts],
            cap_drop=["ALL"],
            security_opt=["no-new-privileges:true"],
            pids_limit=PIDS,
            mem_limit=MEMORY_BYTES,
            # The engine itself starts a container again that has died; one that was stopped stays so.
            restart_policy=_RESTART,
            # The first process of a container ignores signals that it has no handler for, and few servers have one:
            # without an init program, each stop would take the whole time-out and end in SIGKILL.
            init=has_init or None,
            # The engine logs standard output, which holds every result of a stdio server.
            log_config=LogConfig(type=LogConfig.types.JSON, config=_LOG_LIMITS),
        )

    def _remove_all(self, row: ServerRow) -> None:
        """Remove the container, whether or not its identifier was stored, and the network made for it."""
        token = row.container_id
        with suppress(Gone):
            container = self._container(row)
            token = container.labels.get(TOKEN, token)
            container.remove(force=True, v=True)
        filters: dict[str, Any] = {"label": f"{TOKEN}={token}"}
        for container in self._client.containers.list(all=True, filters=filters):
            with suppress(Gone):
                container.remove(force=True, v=True)
        for network in self._client.networks.list(filters=filters):
            network.remove()
            firewall.release(_bridge(network.attrs))

    def _attach(self, row: ServerRow) -> socket.socket:
        container = self._container(row)
        if container.status != "running":
            raise EngineError("The container does not run")
        attached: Any = container.attach_socket(params={"stdin": 1, "stdout": 1, "stream": 1})
        # The SDK hands out a file over the socket; ours is a duplicate, so closing theirs does not close it.
        duplicate = socket.socket(fileno=os.dup(attached.fileno()))
        attached.close()
        return duplicate


class _GoneError(EngineError):
    """What was asked about is not there."""


def _translate(error: APIError) -> Exception:
    explanation = str(error.explanation or "").strip()
    match error.status_code:
        case 409:
            return ConflictError("The container engine has this name already")
        case 400 | 500 if "mount" in explanation:
            return FieldError("volumes", explanation)
        case 400:
            return BadRequestError(f"The engine refused: {explanation}")
        case _:
            log("engine_refused", level="error", status=error.status_code, reason=explanation)
            return EngineError("Failed to start server" if "start" in explanation else "The container engine refused")


def has_init_program(info: Mapping[str, Any]) -> bool:
    """Whether an engine can put an init program in front of a server.

    Args:
        info: What the engine says about itself. It names a program also where there is none, and gives no version for
            one that it finds but does not know; then the program is looked for on this machine.
    """
    version = (info.get("InitCommit") or {}).get("ID")
    if version and version != "N/A":
        return True
    program = info.get("InitBinary") or "docker-init"
    return shutil.which(program) is not None or shutil.which("catatonit", path="/usr/libexec/podman") is not None


def _network_of(container: Container) -> str:
    name: str = next(iter(container.attrs["NetworkSettings"]["Networks"]), "")
    return name


def _bridge(network: Mapping[str, Any]) -> str:
    """Name of the network's interface on this machine; the engine's own where the network has been given none."""
    name: str = (network.get("Options") or {}).get(BRIDGE) or f"br-{network['Id'][:12]}"
    return name


def _published(port: int) -> Any:
    """Publish a port on a free one of the loopback address."""
    return {f"{port}/tcp": ("127.0.0.1", None)}


def _has_tag(image: str) -> bool:
    return "@" in image or ":" in image.rpartition("/")[2]


def _proxy_variables(gateway: str, port: int) -> dict[str, str]:
    url = f"http://{gateway}:{port}"
    names = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")
    return dict.fromkeys(names, url) | {"NO_PROXY": "localhost,127.0.0.1", "no_proxy": "localhost,127.0.0.1"}


def _address(container: Container, port: int) -> str | None:
    settings = container.attrs["NetworkSettings"]
    published = (settings.get("Ports") or {}).get(f"{port}/tcp")
    if published:
        return f"http://127.0.0.1:{published[0]['HostPort']}"
    for network in settings["Networks"].values():
        if network["IPAddress"] and container.status == "running":
            return f"http://{network['IPAddress']}:{port}"
    return None


def _state(entry: dict[str, Any]) -> ContainerState:
    return ContainerState(
        container_id=entry["Id"],
        name=entry["Names"][0].lstrip("/"),
        state=entry["State"],
        status=entry["Status"],
        image=entry["Image"],
        created=_created(entry["Created"]),
        labels={name: value for name, value in entry["Labels"].items() if name != TOKEN},
    )


def _created(seconds: int | str) -> str:
    if isinstance(seconds, str):
        return seconds
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
