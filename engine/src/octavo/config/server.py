"""What the settings of `[server]` must be; types alone can't say it."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from octavo.config.schema import ServerSettings

_HOST = re.compile(r"\*|\.?[^\s:/*,@\[\]]+")
_ORIGIN = re.compile(r"\*|https?://[^\s/?#@]+")


def check_server(server: ServerSettings) -> Iterator[tuple[str, str, str]]:
    """Find mistakes; gives (setting, value, message)."""
    for host in server.allowed_hosts:
        if not _HOST.fullmatch(host):
            expected = 'a host name without scheme, port and path, such as "docs.example.org"'
            yield "allowed_hosts", host, f'server.allowed_hosts: "{host}" is no host name; expected {expected}.'
    for origin in server.search_origins:
        if not _ORIGIN.fullmatch(origin):
            expected = 'scheme and host without a slash at the end, such as "https://www.example.org"'
            yield "search_origins", origin, f'server.search_origins: "{origin}" is no origin; expected {expected}.'
    for network in server.trusted_proxies:
        try:
            ipaddress.ip_network(network, strict=False)
        except ValueError:
            expected = 'an address or a network, such as "10.0.0.0/8"'
            yield "trusted_proxies", network, f'server.trusted_proxies: "{network}" is no address; expected {expected}.'
