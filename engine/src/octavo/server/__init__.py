"""The server: a published folder in, HTTP answers out.

It never walks the folder. The manifest that the build wrote last names every file that may be served, and a path of a
request is only ever looked up in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.lazy import export_lazily

if TYPE_CHECKING:
    from octavo.server.access import AccessGuard, AccessRules, PagesBesideSearch, SearchBelowBase, make_rules
    from octavo.server.addresses import Addresses
    from octavo.server.app import create_app
    from octavo.server.compression import Compressor
    from octavo.server.headers import StandingHeaders
    from octavo.server.health import health_route
    from octavo.server.pages import Pages
    from octavo.server.published_build import UnreadableFileError, open_published
    from octavo.server.published_builds import PublishedBuilds
    from octavo.server.replica import Replica, ReplicaError, open_source
    from octavo.server.run import address_of, addresses_of, bind_sockets, run_app, serve
    from octavo.server.source import PublishedFiles
else:
    __getattr__ = export_lazily(
        __name__,
        {
            "access": (
                "AccessGuard",
                "AccessRules",
                "PagesBesideSearch",
                "SearchBelowBase",
                "make_rules",
            ),
            "addresses": ("Addresses",),
            "app": ("create_app",),
            "compression": ("Compressor",),
            "headers": ("StandingHeaders",),
            "health": ("health_route",),
            "pages": ("Pages",),
            "published_build": (
                "UnreadableFileError",
                "open_published",
            ),
            "published_builds": ("PublishedBuilds",),
            "replica": (
                "Replica",
                "ReplicaError",
                "open_source",
            ),
            "run": (
                "address_of",
                "addresses_of",
                "bind_sockets",
                "run_app",
                "serve",
            ),
            "source": ("PublishedFiles",),
        },
    )

__all__ = [
    "AccessGuard",
    "AccessRules",
    "Addresses",
    "Compressor",
    "Pages",
    "PagesBesideSearch",
    "PublishedBuilds",
    "PublishedFiles",
    "Replica",
    "ReplicaError",
    "SearchBelowBase",
    "StandingHeaders",
    "UnreadableFileError",
    "address_of",
    "addresses_of",
    "bind_sockets",
    "create_app",
    "health_route",
    "make_rules",
    "open_published",
    "open_source",
    "run_app",
    "serve",
]
