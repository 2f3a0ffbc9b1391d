"""Finding a container engine: Podman first, then Docker."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import docker
from docker.errors import DockerException

TIMEOUT_S = 60
POOL = 32


def find_engine() -> tuple[docker.DockerClient, str] | None:
    """A client of the first engine that answers, and the engine's address."""
    for url in engine_urls(os.environ, Path.home(), sys.platform):
        client = None
        try:
            client = open_client(url)
            client.ping()
        except (DockerException, OSError):
            if client is not None:
                client.close()
        else:
            return client, url
    return None


def open_client(url: str) -> docker.DockerClient:
    """A client of the engine at an address.

    Raises:
        DockerException: It does not answer.
    """
    return docker.DockerClient(base_url=url, timeout=TIMEOUT_S, max_pool_size=POOL)


def engine_urls(environ: Mapping[str, str], home: Path, platform: str) -> Iterator[str]:
    """Addresses where an engine may be, in the order in which they are tried; sockets only where they exist."""
    if platform == "win32":
        yield "npipe:////./pipe/podman-api"
        yield "npipe:////./pipe/docker_engine"
        return
    for path in _sockets(environ, home):
        if path.is_socket():
            yield f"unix://{path}"


def _sockets(environ: Mapping[str, str], home: Path) -> Iterator[Path]:
    if named := environ.get("TOOLHIVE_PODMAN_SOCKET"):
        yield Path(named)
    if named := environ.get("TOOLHIVE_DOCKER_SOCKET"):
        yield Path(named)
    yield Path("/var/run/podman/podman.sock")
    if folder := environ.get("XDG_RUNTIME_DIR"):
        yield Path(folder) / "podman" / "podman.sock"
    yield home / ".local/share/containers/podman/machine/podman.sock"
    yield Path("/var/run/docker.sock")
    yield home / ".docker/run/docker.sock"
