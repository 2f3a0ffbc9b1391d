"""Who may use the server: Host names, origins of web pages, readers behind proxies, limits of request heads."""

from __future__ import annotations

from octavo.server.access.base_path import PagesBesideSearch, SearchBelowBase
from octavo.server.access.client import ProxyHeaders, TrustedProxies
from octavo.server.access.guard import AccessGuard
from octavo.server.access.heads import LimitedHttp
from octavo.server.access.rules import OPEN_TO_ALL, AccessRules, make_rules

__all__ = [
    "OPEN_TO_ALL",
    "AccessGuard",
    "AccessRules",
    "LimitedHttp",
    "PagesBesideSearch",
    "ProxyHeaders",
    "SearchBelowBase",
    "TrustedProxies",
    "make_rules",
]
