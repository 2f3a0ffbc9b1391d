"""Settings of a server: defaults, then environment, then flags."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

DATABASE_VARIABLE = "GATEWAY_DATABASE_URL"
DATA_DIR_VARIABLE = "GATEWAY_DATA_DIR"
ORIGINS_VARIABLE = "GATEWAY_ALLOWED_ORIGINS"
HOSTS_VARIABLE = "GATEWAY_ALLOWED_HOSTS"
PRICES_VARIABLE = "GATEWAY_PRICES"
PORT = 8989
DASHBOARD_VARIABLE = "GATEWAY_DASHBOARD"
SITE_ORIGINS = ("http://localhost:3000", "http://127.0.0.1:3000")
DASHBOARD_ORIGINS = ("http://localhost:9090", "http://127.0.0.1:9090")
"""Where the released program serves its dashboard, which calls this API."""
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Settings:
    """All settings of one server."""

    data_dir: Path
    """Folder of the database file, the key file and `models/` with local model files."""
    database_url: str
    """SQLAlchemy URL; `postgresql://…` or `sqlite:///…`."""
    allowed_origins: tuple[str, ...] = (*SITE_ORIGINS, *DASHBOARD_ORIGINS)
    """Origins of web pages that may call the API, exactly as browsers send them."""
    allowed_hosts: tuple[str, ...] = LOOPBACK_HOSTS
    """Names in the Host header that are answered, without port; `*` answers all."""
    max_body_bytes: int = 1_048_576
    body_timeout_s: float = 30.0
    """Longest wait for the whole body of a request."""
    connect_timeout_s: float = 3.0
    """Longest wait for a provider's connection."""
    provider_timeout_s: float = 10.0
    """Longest wait for a provider's whole model list."""
    heartbeat_s: float = 15.0
    """Silence on the event stream after which a comment is sent, so that proxies keep it open."""
    poll_s: float = 0.2
    """How often the database is polled for new alerts while a client listens."""
    listener_queue: int = 256
    """Events that wait for one listener; a slower one is closed and may come again."""
    most_listeners: int = 1_000
    """Event streams at once."""
    busy_timeout_s: float = 15.0
    """Longest wait for a connection, and for others that write to the database."""
    threads: int = 8
    """Requests that read the database at once; writers go one at a time, beside them."""
    prices_file: Path | None = None
    """Prices of one's own, which replace those of the shipped list."""
    forgets_api_keys: bool = False
    """Delete all stored API keys at the start, and accept another key file."""

    @property
    def key_file(self) -> Path:
        """File of the key that seals auth material."""
        return self.data_dir / "auth-material.key"

    @property
    def models_dir(self) -> Path:
        """Folder of local model files (`*.gguf`)."""
        return self.data_dir / "models"


def load_settings(
    *,
    database_url: str | None = None,
    data_dir: Path | None = None,
    environment: Mapping[str, str] = os.environ,
    host: str = "127.0.0.1",
    dashboard: bool | None = None,
) -> Settings:
    """Read settings; a flag wins over the environment, which wins over the platform's convention."""
    data_dir = data_dir or Path(environment.get(DATA_DIR_VARIABLE) or platformdirs.user_data_path("octavo-gateway"))
    url = database_url or environment.get(DATABASE_VARIABLE) or f"sqlite:///{data_dir / 'gateway.sqlite'}"
    hosts = words(environment.get(HOSTS_VARIABLE)) or (
        *LOOPBACK_HOSTS,
        *((host,) if host not in LOOPBACK_HOSTS else ()),
    )
    return Settings(
        data_dir=data_dir,
        database_url=url,
        allowed_origins=_origins(environment, dashboard=dashboard),
        allowed_hosts=hosts,
        prices_file=Path(named) if (named := environment.get(PRICES_VARIABLE)) else None,
    )


def _origins(environment: Mapping[str, str], *, dashboard: bool | None) -> tuple[str, ...]:
    """List the origins that may call; a list in the environment is exact, so the dashboard is on it or not."""
    listed = words(environment.get(ORIGINS_VARIABLE))
    if dashboard is None:
        dashboard = not listed and environment.get(DASHBOARD_VARIABLE, "on").lower() not in ("off", "0", "no", "false")
    chosen = listed or SITE_ORIGINS
    return (*chosen, *(origin for origin in DASHBOARD_ORIGINS if dashboard and origin not in chosen))


def words(text: str | None) -> tuple[str, ...]:
    """Split a comma-separated setting."""
    return tuple(word.strip() for word in (text or "").split(",") if word.strip())
