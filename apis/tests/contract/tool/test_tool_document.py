"""The recorded description, the running program and what is generated from them agree."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from openapi_spec_validator import validate

from apis.tests.contract.tool.serving import ToolServer
from tests.support import paths

ROOT = paths.REPOSITORY
PROGRAM_S = 120
METHODS = ("get", "post", "put", "patch", "delete")

OPERATIONS = {
    "health": ("GET", "/health", {"204"}),
    "openapi": ("GET", "/api/openapi.json", {"200"}),
    "version": ("GET", "/api/v1beta/version", {"200"}),
    "list-clients": ("GET", "/api/v1beta/discovery/clients", {"200"}),
    "list-registries": ("GET", "/api/v1beta/registry", {"200"}),
    "add-registry": ("POST", "/api/v1beta/registry", {"501"}),
    "get-registry": ("GET", "/api/v1beta/registry/{name}", {"200", "404"}),
    "remove-registry": ("DELETE", "/api/v1beta/registry/{name}", {"204", "404"}),
    "list-registry-servers": ("GET", "/api/v1beta/registry/{name}/servers", {"200", "404"}),
    "get-registry-server": ("GET", "/api/v1beta/registry/{name}/servers/{serverName}", {"200", "404"}),
    "list-servers": ("GET", "/api/v1beta/servers", {"200"}),
    "create-server": ("POST", "/api/v1beta/servers", {"201", "400", "409"}),
    "get-server": ("GET", "/api/v1beta/servers/{name}", {"200", "404"}),
    "delete-server": ("DELETE", "/api/v1beta/servers/{name}", {"204", "404"}),
    "stop-server": ("POST", "/api/v1beta/servers/{name}/stop", {"204", "404"}),
    "restart-server": ("POST", "/api/v1beta/servers/{name}/restart", {"204", "404"}),
}
"""The contract: identifier → method, path, statuses that it names."""


@pytest.fixture(scope="module")
def document(running: ToolServer) -> dict[str, Any]:
    found: dict[str, Any] = running.client.get("/api/openapi.json").json()
    return found


@pytest.fixture(scope="module")
def recorded() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "site/openapi/tool.yaml").read_text())
    return found


def operations(document: dict[str, Any]) -> dict[str, tuple[str, str, dict[str, Any]]]:
    return {
        operation["operationId"]: (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method in METHODS
    }


def test_document_is_valid_and_bears_the_contracts_name(document: dict[str, Any]) -> None:
    validate(document)
    assert (document["openapi"], document["info"]["title"], document["info"]["version"]) == (
        "3.1.0",
        "ToolHive API",
        "1.0",
    )


def test_all_sixteen_operations_are_there_with_their_statuses(document: dict[str, Any]) -> None:
    found = operations(document)
    assert {name: (method, path) for name, (method, path, _) in found.items()} == {
        name: (method, path) for name, (method, path, _) in OPERATIONS.items()
    }
    for name, (_, _, statuses) in OPERATIONS.items():
        assert statuses <= set(found[name][2]["responses"]), name


def test_recorded_operations_are_those_of_the_program(document: dict[str, Any], recorded: dict[str, Any]) -> None:
    def shape(found: dict[str, Any]) -> dict[str, Any]:
        return {
            name: {
                "at": (method, path),
                "tags": operation["tags"],
                "parameters": sorted(
                    (parameter["name"], parameter["in"], parameter["schema"]["type"])
                    for parameter in operation.get("parameters", [])
                ),
                "responses": {
                    str(status): sorted(response.get("content", {}))
                    for status, response in operation["responses"].items()
                },
            }
            for name, (method, path, operation) in operations(found).items()
        }

    assert shape(recorded) == shape(document)


def test_recorded_schemas_are_those_of_the_program(document: dict[str, Any], recorded: dict[str, Any]) -> None:
    def shape(found: dict[str, Any]) -> dict[str, Any]:
        return {
            name: (sorted(schema.get("properties", {})), sorted(schema.get("required", [])), schema.get("enum"))
            for name, schema in found["components"]["schemas"].items()
        }

    assert shape(recorded) == shape(document)


def test_exported_document_is_the_served_one(document: dict[str, Any], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tool_api", "--state-dir", str(tmp_path), "--export-openapi", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PROGRAM_S)
    assert json.loads(done.stdout) == document


def test_generated_python_client_works(document: dict[str, Any], running: ToolServer, tmp_path: Path) -> None:
    source = tmp_path / "openapi.json"
    source.write_text(json.dumps(document))
    generator = Path(sys.executable).with_name("openapi-python-client")
    command = [str(generator), "generate", "--path", str(source), "--meta", "none", "--output-path", "tool_client"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=PROGRAM_S)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stdout, done.stdout
    program = """
import sys
from tool_client import Client
from tool_client.api.servers import create_server, delete_server, get_server, list_servers
from tool_client.models import CreateRequest
client = Client(base_url=sys.argv[1])
made = create_server.sync(client=client, body=CreateRequest(image="mcp/time", name="generated"))
assert made.port > 0, made
assert get_server.sync("generated", client=client).state == "running"
assert [found.name for found in list_servers.sync(client=client).servers] == ["generated"]
taken = create_server.sync_detailed(client=client, body=CreateRequest(image="mcp/time", name="generated"))
assert taken.status_code == 409, taken
assert delete_server.sync_detailed("generated", client=client, force=True).status_code == 204
"""
    ran = subprocess.run(
        [sys.executable, "-c", program, running.address],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        timeout=PROGRAM_S,
    )
    assert ran.returncode == 0, ran.stderr
