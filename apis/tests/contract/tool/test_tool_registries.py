"""Registries from an address: what is accepted, and the last good copy where the address fails."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import httpx
import pytest

from apis.tests.contract.tool.serving import tool_server
from tool_api.errors import StartError
from tool_api.registries import MAX_BYTES, fetch, keep_copy

URL = "https://93.184.215.14/registry.json"
"""A public address, never asked: the answers come from a transport of the test's own."""


def answering(status: int, content: bytes = b"", **headers: str) -> httpx.MockTransport:
    return httpx.MockTransport(lambda _: httpx.Response(status, content=content, headers=headers))


def test_registry_is_what_the_address_sends() -> None:
    assert fetch(URL, transport=answering(200, b"{}")) == b"{}"


@pytest.mark.parametrize(
    ("transport", "reason"),
    [
        (answering(302, location="https://93.184.215.14/other.json"), "answered 302"),
        (answering(500), "answered 500"),
        (answering(200, b" " * (MAX_BYTES + 1)), f"sent more than {MAX_BYTES} bytes"),
    ],
)
def test_redirects_failures_and_floods_are_refused(transport: httpx.MockTransport, reason: str) -> None:
    with pytest.raises(StartError, match=reason):
        fetch(URL, transport=transport)


@pytest.mark.parametrize("host", ["127.0.0.1", "10.0.0.7", "169.254.169.254", "[::1]", "localhost"])
def test_addresses_of_private_networks_are_not_asked(host: str) -> None:
    with pytest.raises(StartError, match="is not on the public network"):
        fetch(f"https://{host}/registry.json", transport=answering(200, b"{}"))


def test_last_good_copy_is_served_where_the_address_fails(tmp_path: Path) -> None:
    shipped = json.loads(resources.files("tool_api").joinpath("registry.json").read_bytes())
    shipped["servers"] = {"time": shipped["servers"]["time"]}
    keep_copy(tmp_path / "registries" / "house.json", json.dumps(shipped).encode())
    with tool_server(tmp_path, "--registry", "house=https://127.0.0.1/registry.json") as server:
        found = server.client.get("/api/v1beta/registry/house/servers").json()["servers"]
        assert [entry["name"] for entry in found] == ["time"]
        (event,) = server.events("registry_copy_used")
        assert event["registry"] == "house"


def test_broken_copy_stops_the_start(tmp_path: Path) -> None:
    keep_copy(tmp_path / "registries" / "house.json", b'{"servers": ')
    refused = pytest.raises(AssertionError, match='the copy of registry "house" is not a registry')
    with refused, tool_server(tmp_path, "--registry", "house=https://127.0.0.1/registry.json"):
        pass
