"""Short hashes for names of files."""

from __future__ import annotations

import hashlib


def short_hash(content: bytes) -> str:
    """Name a content by eight characters."""
    return hashlib.sha256(content).hexdigest()[:8]
