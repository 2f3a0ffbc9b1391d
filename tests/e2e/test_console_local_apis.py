"""The request console against the two APIs themselves, each a process of its own that allows the site's origin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.contract.gateway.serving import running
from tests.contract.tool.serving import tool_server

from .conftest import OpenReader
from .pages import Reader
from .serving import Served
from .test_api_reference_console import open_console

GATEWAY, TOOL = "/codegate/reference/api", "/toolhive/reference/api"


@pytest.fixture
def gateway(shipped: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Address of a gateway API with demo data."""
    monkeypatch.setenv("GATEWAY_ALLOWED_ORIGINS", shipped.origin)
    with running(tmp_path, "--demo") as (_, address):
        yield address


@pytest.fixture
def tool(shipped: Served, tmp_path: Path) -> Iterator[str]:
    """Address of a tool API on the simulated runtime."""
    with tool_server(tmp_path, "--cors-origin", shipped.origin) as server:
        yield server.address


def send(reader: Reader, operation: str, server: str, body: str = "") -> Locator:
    """Send a request from the console of an operation; gives the console."""
    console = open_console(reader, operation, server)
    if body:
        console.get_by_label("Body (").fill(body)
    console.get_by_role("button", name="Send").click()
    return console


def test_gateway_is_listed_changed_and_refuses(gateway: str, shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, GATEWAY)
    listed = send(reader, "v1_list_workspaces", gateway)
    expect(listed.get_by_text("200 OK")).to_be_visible()
    expect(listed.get_by_text('"name": "web-shop"')).to_be_visible()
    created = send(reader, "v1_create_workspace", gateway, '{"name": "from-the-page"}')
    expect(created.get_by_text("201 Created")).to_be_visible()
    created.get_by_role("button", name="Send").click()
    expect(created.get_by_text("409 Conflict")).to_be_visible()
    listed.get_by_role("button", name="Send").click()
    expect(listed.get_by_text('"name": "from-the-page"')).to_be_visible()


def test_tool_api_is_listed_changed_and_refuses(tool: str, shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, TOOL)
    listed = send(reader, "list-servers", tool)
    expect(listed.get_by_text("200 OK")).to_be_visible()
    created = send(reader, "create-server", tool, '{"name": "from-the-page", "image": "mcp/time"}')
    expect(created.get_by_text("201 Created")).to_be_visible()
    created.get_by_role("button", name="Send").click()
    expect(created.get_by_text("409 Conflict")).to_be_visible()
    expect(created.get_by_text('A server named "from-the-page" exists already')).to_be_visible()
    listed.get_by_role("button", name="Send").click()
    expect(listed.get_by_text('"name": "from-the-page"')).to_be_visible()
