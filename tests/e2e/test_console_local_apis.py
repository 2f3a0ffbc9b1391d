"""The reference pages and their consoles beside the two APIs themselves, each a process that allows the site's origin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, expect

from apis.tests.contract.gateway.serving import running
from apis.tests.contract.tool.serving import tool_server
from tests.support.serving import Served

from .conftest import OpenReader
from .pages import Reader
from .test_api_reference import below
from .test_api_reference_console import open_console

GATEWAY, TOOL = "/codegate/reference/api", "/toolhive/reference/api"


@pytest.fixture(scope="module")
def gateway(shipped: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a gateway API with demo data."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("GATEWAY_ALLOWED_ORIGINS", shipped.origin)
        with running(tmp_path_factory.mktemp("gateway"), "--demo") as (_, address):
            yield address


@pytest.fixture(scope="module")
def tool(shipped: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a tool API on the simulated runtime."""
    with tool_server(tmp_path_factory.mktemp("tool"), "--cors-origin", shipped.origin) as server:
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
    listed = send(reader, "v1_list_workspaces", gateway)
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


def test_gateways_page_shows_what_the_running_server_says(gateway: str, shipped: Served) -> None:
    assert shown("".join(below(shipped, GATEWAY).values())) == said(
        httpx.get(f"{gateway}/openapi.json", timeout=20).json()
    )


def test_tools_page_shows_what_the_running_server_says(tool: str, shipped: Served) -> None:
    assert shown("".join(below(shipped, TOOL).values())) == said(
        httpx.get(f"{tool}/api/openapi.json", timeout=20).json()
    )


def shown(html: str) -> set[str]:
    """Collect from a reference page its operations with their addresses, and the anchors of what belongs to them."""
    head = r'<section class="api-operation" id="operation/([^"]+)"[^>]*>.*?data-method="(\w+)">[A-Z]+</span> <code>([^<]+)<'
    operations = {
        f"{name} {method} {path}" for name, method, path in re.findall(head, html.replace("<wbr/>", ""), re.DOTALL)
    }
    anchors = re.findall(r' id="((?:operation/[^"/]+/(?:path|query|header|response)|schema/[^"/]+)/[^"/]+)"', html)
    return operations | set(anchors)


def said(document: dict[str, Any]) -> set[str]:
    """Collect the same from a document."""
    found = {
        f"schema/{name}/{field}"
        for name, schema in document["components"]["schemas"].items()
        for field in schema.get("properties", {})
    }
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            name = operation["operationId"]
            found.add(f"{name} {method} {path}")
            found |= {f"operation/{name}/{part['in']}/{part['name']}" for part in operation.get("parameters", [])}
            found |= {f"operation/{name}/response/{status}" for status in operation["responses"]}
    return found
