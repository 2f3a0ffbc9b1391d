"""Which connections the egress proxy lets out, and where engines are looked for."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tool_api.errors import FieldError
from tool_api.runtime import firewall
from tool_api.runtime.egress import allows, is_reachable
from tool_api.runtime.engine import engine_urls
from tool_api.store import Network


def rules(*hosts: str, ports: tuple[int, ...] = ()) -> Network:
    return Network("filtered", hosts, ports)


@pytest.mark.parametrize(
    ("network", "host", "port", "expected"),
    [
        (rules("example.com", ports=(443,)), "example.com", 443, True),
        (rules("example.com", ports=(443,)), "EXAMPLE.com.", 443, True),
        (rules("example.com", ports=(443,)), "example.com", 80, False),
        (rules("example.com"), "api.example.com", 443, False),
        (rules("example.com"), "example.com.evil.org", 443, False),
        (rules("*.example.com"), "api.example.com", 443, True),
        (rules("*.example.com"), "example.com", 443, False),
        (rules("*.example.com"), "notexample.com", 443, False),
        (rules("*", ports=(443,)), "anything.org", 443, True),
        (rules(ports=(6379,)), "anything.org", 6379, True),
        (rules(ports=(6379,)), "anything.org", 22, False),
    ],
)
def test_rules_name_hosts_and_ports(network: Network, host: str, port: int, expected: bool) -> None:
    assert allows(network, host, port) is expected


@pytest.mark.parametrize(
    ("network", "host", "address", "expected"),
    [
        (rules("example.com"), "example.com", "93.184.215.14", True),
        (rules("wiki.lan"), "wiki.lan", "10.0.0.7", True),
        (rules("wiki.lan"), "wiki.lan", "127.0.0.1", False),
        (rules("wiki.lan"), "wiki.lan", "169.254.169.254", False),
        (rules("127.0.0.1"), "127.0.0.1", "127.0.0.1", True),
        (rules("*"), "wiki.lan", "10.0.0.7", False),
        (rules("*"), "rebound.example.com", "127.0.0.1", False),
        (rules(ports=(443,)), "metadata", "169.254.169.254", False),
        (rules("*"), "rebound.example.com", "::1", False),
        (rules("wiki.lan"), "wiki.lan", "::ffff:127.0.0.1", False),
        (rules("wiki.lan"), "wiki.lan", "::ffff:169.254.169.254", False),
        (rules("wiki.lan"), "wiki.lan", "::ffff:0.0.0.0", False),
        (rules("wiki.lan"), "wiki.lan", "64:ff9b::7f00:1", False),
        (rules("wiki.lan"), "wiki.lan", "::ffff:10.0.0.7", True),
        (rules("wiki.lan"), "wiki.lan", "fe80::1%eth0", False),
        (rules("*"), "rebound.example.com", "64:ff9b::a00:7", False),
        (rules("*"), "rebound.example.com", "2002:a00:7::1", False),
        (rules("*"), "rebound.example.com", "fec0::1", False),
        (rules("*"), "example.com", "64:ff9b::5db8:d70e", True),
        (rules("*"), "example.com", "::ffff:93.184.215.14", True),
        (rules("*"), "example.com", "2606:2800:220:1:248:1893:25c8:1946", True),
    ],
)
def test_rules_for_many_hosts_end_at_the_public_network(
    network: Network, host: str, address: str, expected: bool
) -> None:
    assert is_reachable(network, host, address) is expected


def test_profile_is_refused_where_the_packet_filter_cannot_be_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(firewall, "_PLACES", str(tmp_path))
    with pytest.raises(FieldError, match="permission_profile: can't be enforced here"):
        firewall.confine("toolh-00000000", ("172.18.0.1", 1080))


def test_engines_are_tried_in_the_order_of_the_contract(tmp_path: Path) -> None:
    named, podman, docker = (
        tmp_path / "named",
        tmp_path / "podman" / "podman.sock",
        tmp_path / ".docker/run/docker.sock",
    )
    sockets = []
    for path in (named, podman, docker):
        path.parent.mkdir(parents=True, exist_ok=True)
        bound = socket.socket(socket.AF_UNIX)
        bound.bind(str(path))
        sockets.append(bound)
    environ = {"TOOLHIVE_DOCKER_SOCKET": str(named), "XDG_RUNTIME_DIR": str(tmp_path)}
    found = [url for url in engine_urls(environ, tmp_path, "linux") if str(tmp_path) in url]
    for bound in sockets:
        bound.close()
    assert found == [f"unix://{named}", f"unix://{podman}", f"unix://{docker}"]
