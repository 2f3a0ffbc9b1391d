"""Replicas: servers that keep a local copy of a site that is published elsewhere, in a folder or behind an address.

`Replica` copies one build after another, and `following` does so while a server runs.
"""

from __future__ import annotations

from octavo.server.replica.copying import Replica, ReplicaError
from octavo.server.replica.following import following
from octavo.server.replica.sources import open_source

__all__ = ["Replica", "ReplicaError", "following", "open_source"]
