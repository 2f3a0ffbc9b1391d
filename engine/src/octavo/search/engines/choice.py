"""`EngineSettings`: which engine answers, and the one that they name."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal, Protocol

import msgspec

from octavo.errors import UsageError
from octavo.search.engines.backend import Backend, Publisher

EngineKind = Literal["meilisearch", "opensearch"]


class EngineSettings(msgspec.Struct, frozen=True):
    """A search engine that runs elsewhere."""

    kind: EngineKind
    url: str
    key: str = ""
    """What opens it; from the environment only. Empty where it asks for none."""
    timeout_s: float = 3.0

    def __repr__(self) -> str:
        """Leave the key out of every message."""
        return f"EngineSettings({self.kind}, {self.url})"


class RemoteIndex(Backend, Publisher, Protocol):
    """An index of an engine that runs elsewhere."""


_PACKAGES = {"meilisearch": "urllib3", "opensearch": "opensearchpy"}


def open_remote(settings: EngineSettings, index: str) -> RemoteIndex:
    """Prepare an engine; nothing is sent.

    Raises:
        UsageError: the package that speaks to it is not installed.
    """
    if find_spec(_PACKAGES[settings.kind]) is None:
        raise UsageError(f'The engine {settings.kind} needs a package: `pip install "octavo[{settings.kind}]"`.')
    # Not at the top: a server with the embedded engine does without these packages.
    if settings.kind == "opensearch":
        from octavo.search.engines.opensearch import OpenSearch

        return OpenSearch(settings.url, index, key=settings.key, timeout_s=settings.timeout_s)
    from octavo.search.engines.connection import Connection
    from octavo.search.engines.meilisearch import NAME, Meilisearch

    authorization = f"Bearer {settings.key}" if settings.key else ""
    connection = Connection(NAME, settings.url, authorization=authorization, timeout_s=settings.timeout_s)
    return Meilisearch(connection, index)
