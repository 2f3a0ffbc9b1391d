"""Checks before the operations: hosts, origins, sizes, identifiers, logs, figures; and the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from apis.tests.contract.tool.serving import ToolServer, tool_server, wait_for
from tool_api.cli import tool

V1 = "/api/v1beta"
PAGE = "http://localhost:3000"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8080", "localhost.evil.example", ""])
def test_foreign_host_is_refused(api: httpx.Client, host: str) -> None:
    response = api.get("/health", headers={"host": host})
    assert (response.status_code, response.text) == (421, "This host name is not served here")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:8080", "[::1]:8080"])
def test_local_hosts_are_answered(api: httpx.Client, host: str) -> None:
    assert api.get("/health", headers={"host": host}).status_code == 204


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:9999"])
def test_foreign_page_can_do_nothing(api: httpx.Client, origin: str) -> None:
    api.post(f"{V1}/servers", json={"name": "demo", "image": "mcp/time"})
    response = api.post(f"{V1}/servers/demo/stop", headers={"origin": origin})
    assert (response.status_code, response.text) == (403, "This origin may not change anything here")
    assert api.get(f"{V1}/servers/demo").json()["state"] == "running"
    assert "access-control-allow-origin" not in response.headers


def test_page_of_the_site_may_call_and_read(tmp_path: Path) -> None:
    with tool_server(tmp_path) as server:
        asked = {"origin": PAGE, "access-control-request-method": "DELETE"}
        preflight = server.client.options(f"{V1}/servers/demo", headers=asked)
        assert preflight.status_code == 200
        assert preflight.headers["access-control-allow-methods"] == "GET, POST, DELETE"
        answer = server.client.get(f"{V1}/servers", headers={"origin": PAGE})
        assert answer.headers["access-control-allow-origin"] == PAGE
        assert answer.headers["vary"] == "Origin"
        refused = server.client.get(f"{V1}/servers/none", headers={"origin": PAGE})
        assert (refused.status_code, refused.headers["access-control-allow-origin"]) == (404, PAGE)


def test_large_body_is_refused(api: httpx.Client) -> None:
    assert api.post(f"{V1}/servers", content=b" " * (1024 * 1024 + 1)).status_code == 413


def test_every_answer_has_an_identifier_and_a_line_in_the_log(running: ToolServer) -> None:
    given = running.client.get("/health", headers={"x-request-id": "my-1"})
    made = running.client.get("/nothing", headers={"x-request-id": "not valid"})
    assert given.headers["x-request-id"] == "my-1"
    assert len(made.headers["x-request-id"]) == 32
    wait_for(lambda: {"my-1", made.headers["x-request-id"]} <= set(_lines(running)))
    line = _lines(running)["my-1"]
    assert (line["path"], line["status"]) == ("/health", 204)
    assert _lines(running)[made.headers["x-request-id"]]["status"] == 404


def _lines(server: ToolServer) -> dict[object, dict[str, object]]:
    return {event["request_id"]: event for event in server.events("request")}


def test_figures_are_published(api: httpx.Client) -> None:
    api.post(f"{V1}/servers", json={"name": "demo", "image": "mcp/time"})
    text = api.get("/metrics").text
    assert 'tool_api_servers{state="running"} 1.0' in text
    assert 'tool_api_requests_total{method="POST",operation="create-server",status="201"}' in text


def test_values_of_variables_stay_out_of_the_log(api: httpx.Client, running: ToolServer) -> None:
    api.post(f"{V1}/servers", json={"name": "demo", "image": "mcp/time", "env_vars": ["KEY=amber-kettle-7"]})
    assert "amber-kettle-7" not in running.log


def test_unix_socket_takes_the_place_of_the_port_and_is_private(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "tool.sock"
    with tool_server(tmp_path / "state", "--socket", str(path)):
        assert path.stat().st_mode & 0o777 == 0o660
        with httpx.Client(transport=httpx.HTTPTransport(uds=str(path)), base_url="http://localhost") as client:
            assert client.get(f"{V1}/version").status_code == 200
    assert not path.exists()


def test_secrets_come_from_the_file_then_from_the_environment(tmp_path: Path) -> None:
    secrets = tmp_path / "secrets.env"
    secrets.write_text("# keys\nexport one='1'\n")
    secrets.chmod(0o600)
    body = {"image": "mcp/time", "secrets": [{"name": "one", "target": "ONE"}, {"name": "two", "target": "TWO"}]}
    with tool_server(tmp_path / "state", "--secrets-file", str(secrets), env={"TOOLHIVE_SECRET_two": "2"}) as server:
        assert server.client.post(f"{V1}/servers", json=body).status_code == 201
        secrets.chmod(0o644)
        refused = server.client.post(f"{V1}/servers", json=body)
        assert (refused.status_code, refused.text) == (
            400,
            'secrets: secrets file "secrets.env" can be read by others; set its mode to 0600.',
        )


def _run(*arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "tool_api", "--runtime", "simulated", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stderr


def test_start_refuses_what_it_cannot_use(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"version": "1.0.0", "last_updated": "", "servers": {"a": {"image": "b"}}}')
    cases = {
        "none": 'tool: registry "none" is not of the form NAME=FILE or NAME=URL.\n',
        f"x={bad}": 'tool: registry "x" is not a registry: servers.a.description: field required.\n',
        "x=http://example.com/": 'tool: registry address "http://example.com/" does not begin with https://.\n',
        "x=https://127.0.0.1/r.json": 'tool: registry host "127.0.0.1" is not on the public network.\n',
    }
    found = {source: _run("--state-dir", str(tmp_path), "--registry", source) for source in cases}
    assert found == {source: (2, text) for source, text in cases.items()}


def test_further_registry_is_served_and_can_be_removed(tmp_path: Path) -> None:
    entry = {
        "image": "registry.example.com/wiki:1",
        "description": "Searches the wiki",
        "transport": "stdio",
        "permissions": {"network": {"outbound": {"allow_host": ["wiki.example.com"]}}},
        "tools": ["search_pages"],
        "env_vars": [{"name": "TOKEN", "description": "Read token", "required": True, "secret": True}],
        "args": [],
        "metadata": {"stars": 0, "pulls": 0, "last_updated": "2025-06-01T08:00:00Z"},
    }
    path = tmp_path / "house.json"
    path.write_text(
        json.dumps({"version": "1.0.0", "last_updated": "2025-06-01T08:00:00Z", "servers": {"wiki": entry}})
    )
    with tool_server(tmp_path / "state", "--registry", f"house={path}") as server:
        names = [found["name"] for found in server.client.get(f"{V1}/registry").json()["registries"]]
        assert names == ["default", "house"]
        assert server.client.get(f"{V1}/registry/house/servers/wiki").json()["server"]["name"] == "wiki"
        assert server.client.delete(f"{V1}/registry/house").status_code == 204
        assert server.client.get(f"{V1}/registry/house").status_code == 404


def test_clients_are_found_and_registered(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".config/Code/User").mkdir(parents=True)
    (home / ".claude.json").write_text("{}")
    arguments = ["--state-dir", str(tmp_path / "state"), "clients"]
    runner = CliRunner(env={"HOME": str(home)})
    assert runner.invoke(tool, [*arguments, "register", "claude-code"]).output == "ClaudeCode is registered.\n"
    assert runner.invoke(tool, [*arguments, "register", "emacs"]).exit_code == 2
    with tool_server(tmp_path / "state", env={"HOME": str(home)}) as server:
        clients = server.client.get(f"{V1}/discovery/clients").json()["clients"]
    assert {client["client_type"] for client in clients if client["installed"]} == {"VSCode", "ClaudeCode"}
    assert {client["client_type"] for client in clients if client["registered"]} == {"ClaudeCode"}
    assert runner.invoke(tool, [*arguments, "remove", "ClaudeCode"]).exit_code == 0
    assert runner.invoke(tool, [*arguments, "remove", "ClaudeCode"]).exit_code == 2
