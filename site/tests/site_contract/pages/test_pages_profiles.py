"""Permission profiles, registries and protocol messages of the pages are what the tool API and the protocol read."""

from __future__ import annotations

import json
import re
from typing import Any

import mcp_types as types
import pytest

from site_text.texts import SITE, Fence, fences, sources
from tool_api.creation import enforceable
from tool_api.models import Profile, Registry

SAMPLES = re.compile(r"^\| `([A-Z_]+)` \| (\S+) \|", re.MULTILINE)
"""Rows of the tables from which readers fill in placeholders; a block is checked with the samples in their place."""


def filled(code: str, samples: dict[str, str]) -> str:
    for placeholder, sample in samples.items():
        code = re.sub(rf"\b{placeholder}\b", sample, code)
    return code


JSON = [
    (fence, json.loads(filled(fence.code, dict(SAMPLES.findall(path.read_text(encoding="utf-8"))))))
    for path in sources()
    for fence in fences(path)
    if fence.language == "json" and fence.code.startswith("{")
]
PARTS = {"read", "write", "network"}
PROFILES = [(fence, value) for fence, value in JSON if PARTS & set(value)]
REGISTRIES = [(fence, value) for fence, value in JSON if "servers" in value and "last_updated" in value]
MESSAGES = [(fence, value) for fence, value in JSON if "jsonrpc" in value]


def place(value: Any) -> str:
    return value.place if isinstance(value, Fence) else ""


def test_pages_show_profiles_registries_and_messages() -> None:
    assert PROFILES
    assert REGISTRIES
    assert len(MESSAGES) >= 2


@pytest.mark.parametrize(("fence", "value"), PROFILES, ids=place)
def test_profile_can_be_enforced(fence: Fence, value: dict[str, Any]) -> None:
    assert set(value) <= PARTS
    profile = Profile.model_validate(value)
    assert profile.model_dump(exclude_unset=True) == value
    assert enforceable(profile)


@pytest.mark.parametrize(("fence", "value"), REGISTRIES, ids=place)
def test_registry_is_one_that_the_tool_reads(fence: Fence, value: dict[str, Any]) -> None:
    registry = Registry.model_validate(value)
    for server in registry.servers.values():
        assert server.permissions
        assert enforceable(server.permissions)


@pytest.mark.parametrize(("fence", "value"), MESSAGES, ids=place)
def test_message_is_one_of_the_protocol(fence: Fence, value: dict[str, Any]) -> None:
    if "method" in value:
        request = types.JSONRPCRequest.model_validate(value)
        assert types.CallToolRequest.model_validate({"method": request.method, "params": request.params})
    else:
        answer = types.JSONRPCResponse.model_validate(value)
        assert types.CallToolResult.model_validate(answer.result)


def test_servers_that_the_pages_name_are_in_the_registry_shipped_with_the_tool() -> None:
    shipped = json.loads((SITE.parent / "apis" / "src" / "tool_api" / "registry.json").read_bytes())["servers"]
    page = (SITE / "docs" / "toolhive" / "how-to" / "registry.mdx").read_text(encoding="utf-8")
    table = page.split("| Name | What it does |")[1].split("\n\n")[0]
    named = [line.split("`")[1] for line in table.splitlines()[2:]]
    assert len(named) >= 8
    assert [server for server in named if server not in shipped] == []
