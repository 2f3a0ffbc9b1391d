"""What the settings of `[server]`, `[search]` and `[search.engine]` must be; types alone can't say it."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

from octavo.config.schema import ServerSettings
from octavo.config.schema.search import Search, SearchEngine
from octavo.lazy import regex as re

_HOST = re.compile(r"\*|\.?[^\s:/*,@\[\]]+")
_ENGINE = re.compile(r"https?://[^\s/?#@\\]+(?:/[^\s?#@\\]*)?")
_ORIGIN = re.compile(r"\*|https?://[^\s/?#@]+")


def check_server(server: ServerSettings) -> Iterator[tuple[str, str, str]]:
    """Find mistakes; gives (setting, value, message)."""
    for host in server.allowed_hosts:
        if not _HOST.fullmatch(host):
            expected = 'a host name without scheme, port and path, such as "docs.example.org"'
            yield "allowed_hosts", host, f'server.allowed_hosts: "{host}" is not a host name; expected {expected}.'
    for origin in server.search_origins:
        if not _ORIGIN.fullmatch(origin):
            expected = 'scheme and host without a slash at the end, such as "https://www.example.org"'
            yield "search_origins", origin, f'server.search_origins: "{origin}" is not an origin; expected {expected}.'
    for network in server.trusted_proxies:
        try:
            ipaddress.ip_network(network, strict=False)
        except ValueError:
            expected = 'an address or a network, such as "10.0.0.0/8"'
            yield (
                "trusted_proxies",
                network,
                f'server.trusted_proxies: "{network}" is not an address; expected {expected}.',
            )


def check_search_engine(engine: SearchEngine) -> Iterator[tuple[str, str, str]]:
    """Find mistakes; gives (setting, value, message). An address with a password in it is not quoted."""
    if engine.kind == "embedded":
        if engine.url:
            yield "url", engine.url, "search.engine: url is given, but kind is embedded; name the engine in kind."
        return
    if not engine.url:
        yield "kind", engine.kind, f"search.engine: {engine.kind} needs url, the address of the engine."
    elif "@" in engine.url:
        remedy = "put the key into the environment variable OCTAVO_SEARCH_ENGINE_KEY"
        yield (
            "url",
            engine.url,
            f"search.engine: url holds a name or a password; {remedy}, and leave the address alone.",
        )
    elif not _ENGINE.fullmatch(engine.url):
        expected = 'an address without query, such as "http://127.0.0.1:7700"'
        yield "url", engine.url, f'search.engine: url is "{engine.url}"; expected {expected}.'
    if not 0 < engine.timeout_seconds <= 60:
        message = f"search.engine: timeout_seconds is {engine.timeout_seconds:g}; expected more than 0, up to 60."
        yield "timeout_seconds", f"{engine.timeout_seconds:g}", message


def check_search(search: Search) -> Iterator[tuple[str, str]]:
    """List what is wrong: (text of the line that says it, message)."""
    if search.results_per_group < 1:
        yield (
            "results_per_group",
            f"search.results_per_group is {search.results_per_group}; expected 1 or more.",
        )
    for index, name in search.other_sites.items():
        if index == search.index_name:
            message = f'search.other_sites: "{index}" is the index_name of this site; name the others only.'
            yield "other_sites", message
        if not name.strip():
            yield (
                "other_sites",
                f'search.other_sites: "{index}" has no name; expected words for readers, such as "Shop".',
            )
    if search.most_offline_megabytes < 0:
        megabytes = search.most_offline_megabytes
        yield "most_offline_megabytes", f"search.most_offline_megabytes is {megabytes}; expected 0 or more."
