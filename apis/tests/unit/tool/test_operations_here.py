"""The operations, their refusals and what operators see, without a process: the same tests as of the program, and more."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from apis.tests.contract.tool import test_tool_operations as operations
from apis.tests.contract.tool import test_tool_validation as validation
from tool_api import logs
from tool_api.app import create_app
from tool_api.errors import StartError
from tool_api.settings import Settings

URL = "/api/v1beta/servers"
TOKEN = "corner-lantern-41-brass"

# What the program answers is answered here too, within seconds of a change.
for _module in (operations, validation):
    for _name, _test in vars(_module).items():
        if _name.startswith("test_"):
            assert _name not in globals(), "two tests of one name"
            globals()[_name] = _test


def settings_for(folder: Path, **changes: Any) -> Settings:
    settings = Settings(state_dir=folder, runtime="simulated", allowed_hosts=("testserver",))
    return replace(settings, **changes)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(create_app(settings_for(tmp_path_factory.mktemp("state")))) as client:
        yield client


@pytest.fixture
def api(running: TestClient) -> Iterator[TestClient]:
    """A client of the API; servers that a test leaves are deleted."""
    yield running
    for server in running.get(URL, params={"all": "true"}).json()["servers"]:
        running.delete(f"{URL}/{server['name']}", params={"force": "true"})


@pytest.fixture
def lines() -> Iterator[list[dict[str, Any]]]:
    """What is logged meanwhile."""
    found: list[dict[str, Any]] = []
    logs.send_to(lambda line: found.append(json.loads(line)))
    yield found
    logs.send_to(logs.write_line)


def test_fields_that_are_ignored_are_logged(api: TestClient, lines: list[dict[str, Any]]) -> None:
    oidc = {"issuer": "https://issuer.example.com", "scopes": ["mcp"], "realm": ""}
    body = {"name": "demo", "image": "mcp/time", "network_isolation": True, "group": "", "oidc": oidc}
    assert api.post(URL, json=body).status_code == 201
    ignored = [line for line in lines if line["event"] == "fields_ignored"]
    assert [line["fields"] for line in ignored] == [["network_isolation", "oidc.scopes"]]
    lines.clear()
    assert api.post(URL, json={"name": "plain", "image": "mcp/time"}).status_code == 201
    assert not [line for line in lines if line["event"] == "fields_ignored"]


class TestFigures:
    def test_requests_are_counted_by_their_operation(self, api: TestClient) -> None:
        def read(sample: str) -> float:
            found = [line for line in api.get("/metrics").text.splitlines() if line.startswith(sample + " ")]
            return float(found[0].rpartition(" ")[2]) if found else 0.0

        samples = (
            'tool_api_requests_total{method="GET",operation="get-server",status="404"}',
            'tool_api_requests_total{method="other",operation="none",status="404"}',
            'tool_api_request_seconds_count{operation="get-server"}',
        )
        before = [read(sample) for sample in samples]
        api.get(f"{URL}/nobody")
        api.request("BREW", "/nowhere")
        assert [read(sample) - old for sample, old in zip(samples, before, strict=True)] == [1, 1, 1]

    def test_servers_are_counted_by_what_is_wanted_of_them(self, api: TestClient) -> None:
        for name in ("one", "two", "three"):
            api.post(URL, json={"name": name, "image": "mcp/time"})
        api.post(f"{URL}/two/stop")
        answer = api.get("/metrics")
        assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
        assert 'tool_api_servers{state="running"} 2.0' in answer.text
        assert 'tool_api_servers{state="exited"} 1.0' in answer.text


class TestLog:
    def test_each_request_is_one_line(self, api: TestClient, lines: list[dict[str, Any]]) -> None:
        api.post(URL, json={"name": "demo", "image": "mcp/time", "env_vars": ["KEY=corner-lantern"]})
        created, request = lines
        assert (created["event"], created["server"], created["runtime"]) == ("server_created", "demo", "simulated")
        assert {name: request[name] for name in ("event", "level", "method", "path", "status")} == {
            "event": "request",
            "level": "info",
            "method": "POST",
            "path": URL,
            "status": 201,
        }
        assert created["request_id"] == request["request_id"]
        assert len(request["request_id"]) > 8
        assert 0 < request["ms"] < 60_000
        assert "corner-lantern" not in json.dumps(lines)

    def test_methods_that_nobody_knows_are_one(self, api: TestClient, lines: list[dict[str, Any]]) -> None:
        api.request("BREW", "/nowhere")
        assert [line["method"] for line in lines] == ["other"]


class TestDescription:
    def test_document_names_all_operations_and_no_422(self, api: TestClient) -> None:
        document = api.get("/api/openapi.json").json()
        assert document["openapi"] == "3.1.0"
        assert document["info"]["title"] == "ToolHive API"
        assert [tag["name"] for tag in document["tags"]] == ["system", "version", "discovery", "registry", "servers"]
        found = [operation for path in document["paths"].values() for operation in path.values()]
        assert {operation["operationId"] for operation in found} >= {"list-servers", "create-server", "add-registry"}
        assert all(set(operation["responses"]) & {"200", "201", "204", "501"} for operation in found)
        assert not any("422" in operation["responses"] for operation in found)
        assert {"HTTPValidationError", "ValidationError"}.isdisjoint(document["components"]["schemas"])
        server = document["paths"][f"{URL}/{{name}}"]["get"]["responses"]
        text = {"text/plain": {"schema": {"type": "string"}}}
        assert server["404"] == {"description": "There is no server of this name.", "content": text}
        assert server["500"] == {"description": "The container engine does not answer.", "content": text}
        assert not any(path.endswith("/") for path in document["paths"])
        assert "/metrics" not in document["paths"]

    @pytest.mark.parametrize(
        ("method", "path", "allowed"),
        [
            ("PUT", URL, "GET, POST"),
            ("PUT", f"{URL}/", "GET, POST"),
            ("PUT", f"{URL}/demo", "DELETE, GET"),
            ("GET", f"{URL}/demo/stop", "POST"),
            ("PUT", "/api/v1beta/registry/default", "DELETE, GET"),
            ("DELETE", "/api/v1beta/registry/default/servers", "GET"),
            ("DELETE", "/health/", "GET"),
        ],
    )
    def test_wrong_method_is_told_all_right_ones(self, api: TestClient, method: str, path: str, allowed: str) -> None:
        answer = api.request(method, path)
        assert (answer.status_code, answer.text, answer.headers["allow"]) == (405, "", allowed)


class TestGuard:
    @pytest.mark.parametrize("sent", ["", "Bearer", f"Bearer {TOKEN}x", TOKEN, f"Basic {TOKEN}", f"bearer{TOKEN}"])
    def test_call_without_the_token_is_refused(self, tmp_path: Path, sent: str) -> None:
        with TestClient(create_app(settings_for(tmp_path, token=TOKEN))) as client:
            for path in (URL, "/metrics", "/api/openapi.json", "/nowhere", "/healthy"):
                answer = client.get(path, headers={"authorization": sent} if sent else {})
                assert (answer.status_code, answer.headers["www-authenticate"]) == (401, 'Bearer realm="tool API"')
                assert answer.text == "This API needs its token in the Authorization header"
            assert client.get("/health").status_code == 204
            for scheme in ("Bearer", "bearer", "BEARER "):
                assert client.get(URL, headers={"authorization": f"{scheme} {TOKEN}"}).json() == {"servers": []}

    @pytest.mark.parametrize("token", [None, TOKEN])
    def test_page_may_ask_whether_it_may_send_the_token(self, tmp_path: Path, token: str | None) -> None:
        asked = {"origin": "http://localhost:3000", "access-control-request-method": "DELETE"}
        asked["access-control-request-headers"] = "authorization"
        with TestClient(create_app(settings_for(tmp_path, token=token))) as client:
            allowed = client.options(URL, headers=asked).headers.get("access-control-allow-headers", "").lower()
        assert ("authorization" in allowed) == (token is not None)

    @pytest.mark.parametrize(
        ("host", "status"),
        [("127.0.0.1:80", 200), ("localhost", 200), ("Own.Example", 200), ("evil.example", 421), ("0.0.0.0", 421)],
    )
    @pytest.mark.parametrize("listens_on", ["127.0.0.1", "0.0.0.0", "::"])
    def test_other_host_names_are_refused(self, tmp_path: Path, listens_on: str, host: str, status: int) -> None:
        settings = settings_for(tmp_path, allowed_hosts=("OWN.example",), host=listens_on)
        with TestClient(create_app(settings)) as client:
            answer = client.get(URL, headers={"host": host})
        assert answer.status_code == status
        assert status == 200 or answer.headers["content-type"].startswith("text/plain")

    def test_address_that_is_listened_on_is_a_host_name(self, tmp_path: Path) -> None:
        with TestClient(create_app(settings_for(tmp_path, host="Box.Example"))) as client:
            assert client.get(URL, headers={"host": "box.example"}).status_code == 200

    def test_body_that_is_too_large_is_refused(self, tmp_path: Path) -> None:
        with TestClient(create_app(settings_for(tmp_path, max_body_bytes=100))) as client:
            body = {"name": "demo", "image": "mcp/time"}
            assert client.post(URL, json=body | {"later": "x" * 100}).status_code == 413
            assert client.post(URL, json=body).status_code == 201


class TestState:
    def test_state_that_cannot_be_used_is_said(self, tmp_path: Path, lines: list[dict[str, Any]]) -> None:
        with TestClient(create_app(settings_for(tmp_path))) as client:
            with closing(sqlite3.connect(tmp_path / "tool.db")) as database:
                database.execute("ALTER TABLE servers RENAME TO gone")
            answer = client.get(URL)
            assert (answer.status_code, answer.text) == (
                500,
                "The state folder cannot be used: no such table: servers",
            )
            with closing(sqlite3.connect(tmp_path / "tool.db")) as database:
                database.execute("ALTER TABLE gone RENAME TO servers")
        (line,) = [line for line in lines if line["event"] == "state_unusable"]
        assert (line["level"], line["reason"]) == ("error", "no such table: servers")

    def test_servers_of_an_earlier_start_are_there(self, tmp_path: Path, lines: list[dict[str, Any]]) -> None:
        with TestClient(create_app(settings_for(tmp_path))) as client:
            port = client.post(URL, json={"name": "demo", "image": "mcp/time"}).json()["port"]
        with TestClient(create_app(settings_for(tmp_path))) as client:
            (found,) = client.get(URL).json()["servers"]
        assert (found["name"], found["labels"]["toolhive-port"]) == ("demo", str(port))
        chosen = [line for line in lines if line["event"] == "runtime_chosen"]
        assert [(line["runtime"], line["executes"]) for line in chosen] == [("simulated", False)] * 2

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"registries": ("nonsense",)}, 'registry "nonsense" is not of the form NAME=FILE or NAME=URL.'),
            ({"registries": ("=file",)}, 'registry "=file" is not of the form NAME=FILE or NAME=URL.'),
            ({"registries": ("own=",)}, 'registry "own=" is not of the form NAME=FILE or NAME=URL.'),
            ({"registries": ("Own=x",)}, 'registry "Own=x" is not of the form NAME=FILE or NAME=URL.'),
            ({"registries": ("own=/nowhere",)}, 'registry "own" cannot be read: No such file or directory.'),
            ({"registries": ("own=http://x/",)}, 'registry address "http://x/" does not begin with https://.'),
            ({"registries": ("own=https://127.0.0.1/",)}, 'registry host "127.0.0.1" is not on the public network.'),
            ({"secrets_file": Path("/nowhere/x")}, 'secrets file "x" cannot be read.'),
        ],
    )
    def test_settings_that_cannot_be_used_are_named(self, tmp_path: Path, changes: dict[str, Any], said: str) -> None:
        with pytest.raises(StartError) as refused:
            create_app(settings_for(tmp_path, **changes))
        assert str(refused.value) == said

    def test_own_registry_comes_first_and_can_be_removed(self, tmp_path: Path) -> None:
        entry = {
            "description": "d",
            "image": "docker.io/mcp/time:2",
            "transport": "sse",
            "target_port": 7000,
            "permissions": {},
            "tools": ["now"],
            "env_vars": [],
            "args": [],
            "metadata": {"stars": 0, "pulls": 0, "last_updated": ""},
        }
        file = tmp_path / "own.json"
        file.write_text(json.dumps({"version": "2", "last_updated": "today", "servers": {"b": entry, "a": entry}}))
        registry = "/api/v1beta/registry"
        with TestClient(create_app(settings_for(tmp_path, registries=(f"own={file}",)))) as client:
            listed = client.get(registry).json()["registries"]
            assert [one["name"] for one in listed] == ["default", "own"]
            assert listed[1] == {"name": "own", "version": "2", "last_updated": "today", "server_count": 2}
            assert [one["name"] for one in client.get(f"{registry}/own/servers").json()["servers"]] == ["a", "b"]
            assert "provenance" not in client.get(f"{registry}/own/servers/a").json()["server"]
            client.post(URL, json={"name": "demo", "image": "mcp/time"})
            (found,) = client.get(URL).json()["servers"]
            assert [port["containerPort"] for port in found["ports"]] == [7000]
            assert client.delete(f"{registry}/own").status_code == 204
            answer = client.get(f"{registry}/own")
            assert (answer.status_code, answer.text) == (404, "Registry not found")
            client.post(URL, json={"name": "other", "image": "mcp/time"})
            assert client.get(f"{URL}/other").json()["ports"] == []

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (b"{", 'registry "own" is not a registry: the file: '),
            (b'{"version": "2"}', 'registry "own" is not a registry: last_updated: field required.'),
            (b" " * (8 * 1024 * 1024 + 1), 'registry "own" is larger than 8388608 bytes.'),
        ],
    )
    def test_file_that_is_no_registry_is_named(self, tmp_path: Path, content: bytes, said: str) -> None:
        file = tmp_path / "own.json"
        file.write_bytes(content)
        with pytest.raises(StartError) as refused:
            create_app(settings_for(tmp_path, registries=(f"own={file}",)))
        assert str(refused.value).startswith(said)
