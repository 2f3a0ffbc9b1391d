"""Servers in containers of Docker or Podman."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import shutil
import socket
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import docker
from docker.errors import DockerException, ImageNotFound
from docker.errors import NotFound as Gone
from docker.models.containers import Container
from docker.types import IPAMConfig, LogConfig
from docker.types import Mount as BindMount

from tool_api.creation import PROFILE_FIELD
from tool_api.errors import EngineError, FieldError
from tool_api.logs import log
from tool_api.runtime import firewall
from tool_api.runtime.base import INSTANCE, ContainerState, LinkSpec, labels_of
from tool_api.runtime.docker_link import ContainerGoneError, call_engine, network_of
from tool_api.runtime.egress import bind_listener
from tool_api.runtime.engine import find_engine
from tool_api.store import Mount, ServerRow

LABEL = "toolhive=true"
TOKEN = "toolhive-token"  # noqa: S105 - the label's name
"""Label that tells containers of one create request from all others."""

OWN_NETWORK = "toolhive-"
"""Prefix of the names of networks that are created for one server."""

BRIDGE = "com.docker.network.bridge.name"
NO_RESOLVER = "127.0.0.1"
"""The container itself, where nobody answers: the egress proxy resolves names for those that may go out."""

PIDS = 512
MEMORY_BYTES = 2 * 1024**3

_LOG_LIMITS = {"max-size": "5m", "max-file": "2"}

# The stubs ask for more than the engine does.
_RESTART: Any = {"Name": "unless-stopped"}


async def connect_engine(instance: str) -> DockerRuntime | None:
    """A runtime on the first engine that answers.

    Args:
        instance: What tells this API's containers from those of others.
    """
    found = await asyncio.to_thread(find_engine)
    return DockerRuntime(*found, instance) if found else None


PODMAN_PROGRAMS = "/usr/libexec/podman:/usr/lib/podman"
"""Where Podman keeps programs of its own, beside the search path."""


class DockerRuntime:
    """Drives one engine. Containers outlive this process; they bear labels to be found by."""

    name = "docker"
    outlives = True

    def __init__(self, client: docker.DockerClient, url: str, instance: str) -> None:
        self._client = client
        self.place = url
        self._instance = instance
        self._egress: dict[str, socket.socket] = {}
        """Sockets of egress proxies that nobody has taken yet, by server."""

    async def create(self, row: ServerRow, secrets: Mapping[str, str]) -> ServerRow:
        _check_sources(row.spec.mounts)
        image = await call_engine(lambda: self._have_image(row.spec.image), takes_long=True)
        token, proxy = row.container_id, {}
        network = await call_engine(lambda: self._make_network(row, token))
        if network.startswith(OWN_NETWORK):
            refuse_rootless(await call_engine(self._client.info))
            await call_engine(lambda: self._gateway(network))
        if row.spec.network.mode == "filtered":
            gateway = await call_engine(lambda: self._gateway(network))
            # Bound before the container is made: its environment names the port.
            port = await call_engine(lambda: self._bind_egress(row, gateway, 0))
            row = replace(row, spec=replace(row.spec, egress_port=port))
            proxy = _proxy_variables(gateway, port)
        await call_engine(lambda: self._confine(row, network))
        variables = {**proxy, **dict(row.spec.env), **secrets}
        has_init = await call_engine(lambda: has_init_program(self._client.info()))
        if not has_init:
            log("no_init_program", level="warning", server=row.name, effect="servers may take long to stop")
        container = await call_engine(
            lambda: self._make_container(row, image, variables, network, has_init=has_init), takes_long=True
        )
        return replace(row, container_id=str(container.id))

    async def start(self, row: ServerRow) -> None:
        await self.adopt(row)
        await call_engine(lambda: self._container(row).start(), takes_long=True)

    async def adopt(self, row: ServerRow) -> None:
        network = await call_engine(lambda: network_of(self._container(row)))
        await call_engine(lambda: self._confine(row, network))

    async def stop(self, row: ServerRow, timeout_s: int) -> None:
        with suppress(ContainerGoneError):
            # Not asked about first: that is a part of the time that everybody sees.
            await call_engine(lambda: self._client.api.stop(row.container_id, timeout=timeout_s), takes_long=True)

    async def remove(self, row: ServerRow, *, force: bool) -> None:
        if bound := self._egress.pop(row.name, None):
            bound.close()
        del force  # A container that is removed here has been stopped, or is to be killed.
        await call_engine(lambda: self._remove_all(row), takes_long=True)

    async def states(self) -> dict[str, ContainerState] | None:
        found = await call_engine(lambda: self._client.api.containers(all=True, filters={"label": LABEL}))
        return {entry["Id"]: _state(entry) for entry in found}

    async def egress(self, row: ServerRow) -> socket.socket | None:
        if row.spec.network.mode != "filtered":
            return None
        if row.name not in self._egress:
            network = await call_engine(lambda: network_of(self._container(row)))
            gateway = await call_engine(lambda: self._gateway(network))
            self._bind_egress(row, gateway, row.spec.egress_port)
        return self._egress.pop(row.name)

    def link(self, row: ServerRow) -> LinkSpec:
        del row
        return {"kind": self.name, "url": self.place}

    async def aclose(self) -> None:
        for bound in self._egress.values():
            bound.close()
        self._client.close()

    def _bind_egress(self, row: ServerRow, gateway: str, port: int) -> int:
        try:
            bound = bind_listener(gateway, port)
        except OSError as error:
            raise EngineError(f"The port of the egress proxy cannot be opened: {error.strerror}") from error
        self._egress[row.name] = bound
        chosen: int = bound.getsockname()[1]
        return chosen

    def _container(self, row: ServerRow) -> Container:
        return self._client.containers.get(row.container_id)

    def _have_image(self, image: str) -> str:
        """See that an image is on this machine; returns the name that the engine knows it by."""
        for name in names_of(image):
            with suppress(ImageNotFound):
                self._client.images.get(name)
                return name
        log("image_pulled", image=image)
        try:
            self._client.images.pull(image, tag=None if _has_tag(image) else "latest")
        except DockerException as error:
            raise FieldError("image", "not on this machine, and it cannot be pulled") from error
        return image

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
            options={BRIDGE: _interface(token)},
            ipam=IPAMConfig(),
        )
        return name

    def _confine(self, row: ServerRow, network: str) -> None:
        """Close this machine to a network of a server's own, but for the way out that the server may have."""
        if network.startswith(OWN_NETWORK):
            attrs = self._client.networks.get(network).attrs
            port = row.spec.egress_port
            firewall.confine(bridge_of(attrs), (self._gateway(network), port) if port else None)

    def _gateway(self, network: str) -> str:
        return gateway_of(self._client.networks.get(network).attrs)

    def _make_container(
        self, row: ServerRow, image: str, variables: dict[str, str], network: str, *, has_init: bool
    ) -> Container:
        spec = row.spec
        is_stdio = spec.transport == "stdio"
        if not is_stdio:
            variables = {"MCP_TRANSPORT": spec.transport, "MCP_PORT": str(spec.target_port)} | variables
        publishes = not is_stdio and network == "bridge"
        return self._client.containers.create(
            image,
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
            mounts=[BindMount(mount.target, mount.source, "bind", read_only=mount.read_only) for mount in spec.mounts],
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
        # Not inspected: one that is just being removed cannot be, and Podman answers that with a server error.
        for container in self._client.containers.list(all=True, sparse=True, filters=filters):
            with suppress(Gone):
                container.remove(force=True, v=True)
        for network in self._client.networks.list(filters=filters):
            network.remove()
            firewall.release(bridge_of(network.attrs))


def has_init_program(info: Mapping[str, Any]) -> bool:
    """Whether an engine can put an init program in front of a server.

    Args:
        info: What the engine says about itself. It names a program also where there is none, and gives no version for
            one that it finds but does not know; then the program is looked for on this machine.
    """
    version = (info.get("InitCommit") or {}).get("ID")
    if version and version != "N/A":
        return True
    if "BuildahVersion" in info:  # Podman, which uses no other program than this one
        return any(shutil.which("catatonit", path=path) for path in (None, PODMAN_PROGRAMS))
    return shutil.which(info.get("InitBinary") or "docker-init") is not None


def gateway_of(network: Mapping[str, Any]) -> str:
    """Address of this machine on a network that is made for one server.

    Raises:
        FieldError: It has none, so nothing here reaches the server: Podman with CNI makes such networks.
    """
    config = (network["IPAM"].get("Config") or [{}])[0]
    gateway = str(config.get("Gateway", "")).partition("/")[0]
    try:
        ipaddress.ip_address(gateway)
    except ValueError:
        text = (
            "this engine gives this machine no address on isolated networks, as Podman with CNI does, so the server could not be "
            'reached; use the profile "network", a server that speaks stdio with the profile "none", or Docker'
        )
        raise FieldError(PROFILE_FIELD, text) from None
    return gateway


def refuse_rootless(info: Mapping[str, Any]) -> None:
    """Refuse a network of a server's own on an engine without root, whose networks are not networks of this machine.

    Its containers could not be closed off by this machine's packet filter, and requests to their addresses would go to
    whoever has these outside.

    Args:
        info: What the engine says of itself.

    Raises:
        FieldError: It runs without root.
    """
    # Podman's word for it, and Docker's.
    if info.get("Rootless") or "name=rootless" in (info.get("SecurityOptions") or []):
        text = (
            "this engine runs without root, and its isolated networks cannot be reached or filtered from here; use the profile "
            '"network", a server that speaks stdio with the profile "none", or an engine that runs as root'
        )
        raise FieldError(PROFILE_FIELD, text)


def bridge_of(network: Mapping[str, Any]) -> str:
    """Name of the interface of a network that is made for one server; Podman does not tell the options it was given."""
    token = (network.get("Labels") or {}).get(TOKEN, "")
    name: str = (network.get("Options") or {}).get(BRIDGE) or (_interface(token) if token else "")
    return name or f"br-{network['Id'][:12]}"


def _interface(token: str) -> str:
    return f"toolh-{token[:8]}"


def _published(port: int) -> Any:
    """Publish a port on a free one of the loopback address."""
    return {f"{port}/tcp": ("127.0.0.1", None)}


def _check_sources(mounts: Iterable[Mount]) -> None:
    """Refuse what cannot be mounted; Podman would make an empty folder in its place.

    Raises:
        FieldError: A source does not exist.
    """
    for mount in mounts:
        if not os.path.lexists(mount.source):
            raise FieldError("volumes", f"{mount.source} does not exist on this machine")


def names_of(image: str) -> tuple[str, ...]:
    """Names under which an image may be on this machine.

    Podman puts `localhost/` in front of the names of images that are built there, and takes a name without a registry
    for one of Docker Hub.
    """
    first, slash, _ = image.partition("/")
    has_registry = bool(slash) and (first == "localhost" or "." in first or ":" in first)
    return (image,) if has_registry else (image, f"localhost/{image}")


def _has_tag(image: str) -> bool:
    return "@" in image or ":" in image.rpartition("/")[2]


def _proxy_variables(gateway: str, port: int) -> dict[str, str]:
    url = f"http://{gateway}:{port}"
    names = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")
    return dict.fromkeys(names, url) | {"NO_PROXY": "localhost,127.0.0.1", "no_proxy": "localhost,127.0.0.1"}


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
