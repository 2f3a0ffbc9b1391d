"""Read the authorities' certificates once in a test process, and not for each client of httpx.

A client parses all of them when it is made, 20 to 40 ms of processor time, even if it asks a server of this machine
without TLS, and `httpx.get` and its siblings make a client for each request: in some files that was most of the run.
"""

from __future__ import annotations

import os
import ssl
from functools import cache, wraps
from typing import Any

import certifi

_create = ssl.create_default_context


@cache
def _authorities(**place: str) -> ssl.SSLContext:
    return _create(**place)


@wraps(_create)
def _create_or_share(*args: Any, **options: Any) -> ssl.SSLContext:
    # The three places where httpx looks.
    usual = (
        {"cafile": os.environ.get("SSL_CERT_FILE", "")},
        {"capath": os.environ.get("SSL_CERT_DIR", "")},
        {"cafile": certifi.where()},
    )
    return _authorities(**options) if not args and options in usual else _create(*args, **options)


ssl.create_default_context = _create_or_share
