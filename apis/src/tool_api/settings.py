"""How one running API is set up; made by the command, read by everything else."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

DEFAULT_PORT = 8080
SITE_ORIGINS = ("http://localhost:3000", "http://127.0.0.1:3000")
"""Where `make serve` has the site, whose console calls this API."""


def default_state_dir() -> Path:
    """The folder of this user where state is kept, by the custom of the platform."""
    return Path(platformdirs.user_state_dir("toolhive", appauthor=False))


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the ports that clients talk to servers on."""

    max_message_bytes: int = 32 * 1024 * 1024
    """Largest message, in either direction. A larger one fails its own call only."""

    ready_timeout_s: float = 120.0
    """Seconds that a call waits for a server that is starting."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Values of one running API."""

    state_dir: Path = field(default_factory=default_state_dir)
    """Folder of the database and the last good copies of registries."""

    runtime: str = "auto"
    """auto, docker, kubernetes or simulated."""

    kube_context: str = ""
    """Context of the kubeconfig file; empty is its current one, or the cluster that this program runs in."""

    kube_namespace: str = ""
    """Where servers are in the cluster; empty is that of the context."""

    host: str = "127.0.0.1"
    """Address the API listens on."""

    port: int = DEFAULT_PORT

    socket: Path | None = None
    """Unix socket; takes the place of host and port."""

    socket_group: str = ""
    """Group that may use the socket; that of the process when left out."""

    token: str | None = None
    """What callers have to send as a bearer token; None asks for none."""

    mount_roots: tuple[Path, ...] = ()
    """Folders that may be mounted; where there are none, see `creation.mounts`."""

    registries: tuple[str, ...] = ()
    """Further registries, each NAME=FILE or NAME=URL."""

    secrets_file: Path | None = None

    cors_origins: tuple[str, ...] = SITE_ORIGINS
    """Origins whose pages may call the API; by default those of the site on this machine."""

    endpoint_origins: tuple[str, ...] = SITE_ORIGINS
    """Origins whose pages may talk to the servers themselves."""

    allowed_hosts: tuple[str, ...] = ()
    """Host names the API answers to beside localhost and its own address."""

    max_body_bytes: int = 1024 * 1024

    limits: Limits = field(default_factory=Limits)

    stop_timeout_s: int = 10
    """Seconds a container gets to stop before it is killed."""
