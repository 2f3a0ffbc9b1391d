"""A registry entry's defaults, and which folders may be mounted."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tool_api.creation import apply_defaults, validate
from tool_api.creation.mounts import MountPolicy, policy_for
from tool_api.errors import FieldError, StartError
from tool_api.models import Registry, Server, createRequest
from tool_api.registries import Registries, load_registries, parse_registry
from tool_api.store import Mount, Network, ServerSpec

ENTRY: dict[str, Any] = {
    "name": "netbird",
    "description": "",
    "image": "example.com/netbird:1",
    "transport": "sse",
    "target_port": 8001,
    "permissions": {"network": {"outbound": {"allow_host": ["api.example.com"], "allow_port": [443]}}},
    "tools": [],
    "env_vars": [
        {"name": "TOKEN", "description": "", "required": True, "secret": True},
        {"name": "MODE", "description": "", "required": False, "default": "fast"},
        {"name": "NOTE", "description": "", "required": False},
    ],
    "args": ["--transport", "sse"],
    "metadata": {"stars": 0, "pulls": 0, "last_updated": ""},
}
IMAGE = "example.com/netbird:1"


def complete(body: dict[str, Any], entry: dict[str, Any] | None = ENTRY) -> ServerSpec:
    request = createRequest.model_validate({"image": IMAGE, "env_vars": ["TOKEN=t"]} | body)
    return validate(*apply_defaults(request, Server.model_validate(entry) if entry else None))


@pytest.mark.parametrize(
    "body",
    [{}, {"transport": "", "target_port": 0, "cmd_arguments": None, "permission_profile": ""}, {"secrets": None}],
)
def test_what_a_request_leaves_out_comes_from_the_entry(body: dict[str, Any]) -> None:
    spec = complete(body)
    assert (spec.transport, spec.target_port, spec.arguments) == ("sse", 8001, ("--transport", "sse"))
    assert dict(spec.env) == {"TOKEN": "t", "MODE": "fast"}
    assert (spec.network.mode, spec.network.hosts, spec.network.ports) == ("filtered", ("api.example.com",), (443,))


@pytest.mark.parametrize(
    ("host", "expected"),
    [("", "127.0.0.1"), ("localhost", "127.0.0.1"), ("::ffff:127.0.0.1", "127.0.0.1"), ("::1", "::1")],
)
def test_address_of_this_machine_is_known_as_such_in_every_notation(host: str, expected: str) -> None:
    """Ports at the loopback address answer this machine only; in the mapped notation they answered every Host header."""
    assert complete({"host": host}).host == expected


def test_what_a_request_says_wins_and_its_arguments_come_last() -> None:
    body = {"transport": "stdio", "cmd_arguments": ["-v"], "permission_profile": "none"}
    spec = complete(body | {"env_vars": ["MODE=slow"], "secrets": [{"name": "s", "target": "TOKEN"}]})
    assert (spec.transport, spec.target_port) == ("stdio", 0)
    assert spec.arguments == ("--transport", "sse", "-v")
    assert (dict(spec.env), spec.network.mode) == ({"MODE": "slow"}, "none")


def test_image_of_no_registry_has_the_defaults_of_the_contract() -> None:
    spec = complete({}, entry=None)
    assert (spec.transport, spec.arguments, spec.network.mode) == ("stdio", (), "open")


def test_variable_that_is_given_twice_is_named_with_its_place() -> None:
    secrets = [{"name": "a", "target": "OTHER"}, {"name": "b", "target": "TOKEN"}]
    with pytest.raises(FieldError, match=re.escape('secrets[1].target: "TOKEN" is given twice')):
        complete({"secrets": secrets})
    with pytest.raises(FieldError, match=re.escape("env_vars[1]: expected NAME=VALUE")):
        complete({"env_vars": ["TOKEN=t", "MODE"]})


@pytest.mark.parametrize("transport", [None, "", "stdio"])
def test_port_of_a_server_that_listens_on_none_is_refused(transport: str | None) -> None:
    """It had no effect, and the server was taken for one that speaks HTTP."""
    with pytest.raises(FieldError, match="target_port: a server with the transport stdio listens on no port"):
        complete({"transport": transport, "target_port": 8001}, entry=None)
    assert complete({"transport": transport, "target_port": 0}, entry=None).target_port == 0


def test_variable_may_be_given_twice_with_one_value() -> None:
    """Clients put lists of variables together; of two values, one was left out in silence."""
    assert dict(complete({"env_vars": ["TOKEN=t", "TOKEN=t"]}).env) == {"TOKEN": "t", "MODE": "fast"}
    with pytest.raises(FieldError, match=re.escape('env_vars[1]: "TOKEN" has another value already')):
        complete({"env_vars": ["TOKEN=t", "TOKEN=u"]})


def test_missing_variable_is_named() -> None:
    with pytest.raises(FieldError, match='env_vars: the registry entry "netbird" needs TOKEN; set it here, or by'):
        complete({"env_vars": []})


def test_permissions_that_cannot_be_enforced_are_refused_with_the_way_out() -> None:
    udp = {"network": {"outbound": {"allow_transport": ["udp"]}}}
    with pytest.raises(FieldError, match=r'"netbird" asks for what is refused \(.*udp .*\); name a profile'):
        complete({}, ENTRY | {"permissions": udp})
    assert complete({"permission_profile": "network"}, ENTRY | {"permissions": udp}).network.mode == "open"


@pytest.mark.parametrize(
    ("image", "name"),
    [
        ("mcp/fetch:latest", "fetch"),
        ("mcp/fetch", "fetch"),
        ("docker.io/mcp/fetch:1.2", "fetch"),
        ("mcp/fetcher", None),
        ("example.com/mcp/fetch", None),
    ],
)
def test_entry_is_found_by_its_image_whatever_the_tag(tmp_path: Path, image: str, name: str | None) -> None:
    entry = load_registries((), tmp_path).entry_of(image)
    assert (entry.name if entry else None) == name


def test_registry_of_the_command_line_comes_before_the_shipped_one() -> None:
    registries = {
        name: Registry(version="1", last_updated="", servers={name: Server.model_validate(ENTRY | {"name": name})})
        for name in ("default", "ours")
    }
    found = Registries(registries).entry_of(IMAGE)
    assert found is not None
    assert found.name == "ours"


class TestMounts:
    SPEC = ServerSpec("a", "image")

    def mounted(self, policy: MountPolicy, source: Path) -> str:
        spec = policy.apply(replace(self.SPEC, mounts=(Mount(str(source), "/data", False),)))
        return spec.mounts[0].source

    @pytest.mark.parametrize(
        ("is_root", "has_guard", "executes", "is_limited"),
        [
            (True, False, True, True),
            (False, False, True, False),
            (True, True, True, False),
            (True, False, False, False),
        ],
    )
    def test_root_without_a_guard_is_limited(
        self, tmp_path: Path, is_root: bool, has_guard: bool, executes: bool, is_limited: bool
    ) -> None:
        policy = policy_for(is_root=is_root, has_guard=has_guard, executes=executes, folders=())
        assert policy.is_limited == is_limited
        if is_limited:
            with pytest.raises(FieldError, match=r"volumes: .* may not be mounted; this API runs as root"):
                self.mounted(policy, tmp_path)
        else:
            assert self.mounted(policy, tmp_path) == str(tmp_path)

    def test_named_folders_may_be_mounted_and_links_do_not_lead_out(self, tmp_path: Path) -> None:
        inside, outside = tmp_path / "data", tmp_path / "data-of-others"
        for folder in (inside / "sub", outside):
            folder.mkdir(parents=True)
        (inside / "out").symlink_to(outside)
        (outside / "in").symlink_to(inside / "sub")
        policy = policy_for(is_root=False, has_guard=True, executes=True, folders=[inside])
        assert self.mounted(policy, inside) == str(inside)
        assert self.mounted(policy, outside / "in") == str(inside / "sub")
        for refused in (outside, inside / "out", inside / ".." / "data-of-others", tmp_path, Path("/")):
            with pytest.raises(FieldError, match="was started for mounts inside"):
                self.mounted(policy, refused)


def test_registry_may_have_the_zero_values_of_go() -> None:
    lists = dict.fromkeys(("tools", "env_vars", "args", "tags", "docker_tags"))
    rules = dict.fromkeys(("allow_host", "allow_port", "allow_transport", "insecure_allow_all"))
    entry = ENTRY | lists | {"target_port": 0, "provenance": None, "permissions": {"read": None, "write": None}}
    others = entry | {"permissions": {"network": {"outbound": rules}}}
    text = {"version": "1", "last_updated": "", "servers": {"one": entry, "two": others}}
    servers = parse_registry(json.dumps(text).encode(), "here").servers
    for found in servers.values():
        assert (found.tools, found.env_vars, found.args, found.tags, found.docker_tags) == ([],) * 5
        assert (found.target_port, found.permissions.read) == (None, [])
    assert complete({}, others).network == Network("none")
    for port in (-1, 65536, "x"):
        with pytest.raises(StartError, match="target_port"):
            parse_registry(json.dumps(text | {"servers": {"one": entry | {"target_port": port}}}).encode(), "here")


def test_rules_of_an_entry_that_are_not_known_are_refused() -> None:
    entry = ENTRY | {"permissions": {"network": {"inbound": {"allow_host": ["kiln"]}}}}
    with pytest.raises(FieldError, match=r'"netbird" asks for what is refused \(.*network\.inbound.*not known here'):
        complete({}, entry)
    assert complete({"permission_profile": "none"}, entry).network == Network("none")
