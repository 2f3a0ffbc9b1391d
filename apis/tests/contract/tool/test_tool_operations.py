"""Every operation of the contract: its statuses, its fields, its sentences."""

from __future__ import annotations

import httpx
import pytest

V1 = "/api/v1beta"
IMAGE = "ghcr.io/stackloklabs/osv-mcp/server:latest"


def refused(response: httpx.Response, status: int, text: str) -> None:
    """Assert the shape that all refusals have."""
    assert (status, text) == (response.status_code, response.text)
    assert response.headers["content-type"] == "text/plain; charset=utf-8"


def create(api: httpx.Client, **fields: object) -> httpx.Response:
    return api.post(f"{V1}/servers", json={"name": "demo", "image": IMAGE, **fields})


def test_health_answers_without_a_body(api: httpx.Client) -> None:
    response = api.get("/health")
    assert (response.status_code, response.content) == (204, b"")


def test_version_is_that_of_the_program(api: httpx.Client) -> None:
    from octavo._version import __version__

    assert {"version": f"v{__version__}"} == api.get(f"{V1}/version").json()


def test_clients_are_six_in_the_spelling_of_the_contract(api: httpx.Client) -> None:
    clients = api.get(f"{V1}/discovery/clients").json()["clients"]
    assert [client["client_type"] for client in clients] == [
        "RooCode",
        "Cline",
        "VSCodeInsider",
        "VSCode",
        "Cursor",
        "ClaudeCode",
    ]
    assert all(set(client) == {"client_type", "installed", "registered"} for client in clients)


def test_default_registry_is_listed_with_its_figures(api: httpx.Client) -> None:
    assert (api.get(f"{V1}/registry").json()["registries"]) == [
        {"name": "default", "version": "1.0.0", "last_updated": "2025-06-05T00:21:21Z", "server_count": 29}
    ]


def test_registry_holds_whole_entries_under_their_names(api: httpx.Client) -> None:
    found = api.get(f"{V1}/registry/default").json()
    assert {"name", "version", "last_updated", "server_count", "registry"} == set(found)
    github = found["registry"]["servers"]["github"]
    assert github["name"] == "github"
    assert github["permissions"]["network"]["outbound"]["allow_host"] == ["docs.github.com", "github.com"]
    assert github["provenance"]["cert_issuer"] == "https://token.actions.githubusercontent.com"


def test_entries_are_listed_by_name(api: httpx.Client) -> None:
    names = [server["name"] for server in api.get(f"{V1}/registry/default/servers").json()["servers"]]
    assert sorted(names) == names
    assert len(names) == 29


def test_entry_is_found_by_its_exact_name(api: httpx.Client) -> None:
    server = api.get(f"{V1}/registry/default/servers/netbird").json()["server"]
    assert (server["transport"], server["target_port"]) == ("sse", 8001)
    refused(api.get(f"{V1}/registry/default/servers/NetBird"), 404, "Server not found")
    refused(api.get(f"{V1}/registry/other/servers/netbird"), 404, "Registry not found")


@pytest.mark.parametrize("path", ["/registry/other", "/registry/other/servers"])
def test_unknown_registry_is_404(api: httpx.Client, path: str) -> None:
    refused(api.get(V1 + path), 404, "Registry not found")


def test_registry_cannot_be_added(api: httpx.Client) -> None:
    for body in (b"", b"{}", b"nonsense"):
        refused(api.post(f"{V1}/registry", content=body), 501, "Adding custom registries is not currently supported")


def test_default_registry_cannot_be_removed(api: httpx.Client) -> None:
    refused(api.delete(f"{V1}/registry/default"), 400, "Cannot remove the default registry")
    refused(api.delete(f"{V1}/registry/other"), 404, "Registry not found")


def test_create_answers_201_with_name_and_port(api: httpx.Client) -> None:
    response = create(api)
    assert response.status_code == 201
    assert {"name", "port"} == set(response.json())
    assert response.json()["name"] == "demo"
    assert 10000 <= response.json()["port"] <= 65535


def test_name_is_made_from_the_image_when_left_out(api: httpx.Client) -> None:
    names = {api.post(f"{V1}/servers", json={"image": "mcp/fetch:latest"}).json()["name"] for _ in range(3)}
    assert len(names) == 3
    assert all(name.startswith("fetch-") for name in names)


def test_taken_name_is_409_and_changes_nothing(api: httpx.Client) -> None:
    create(api)
    before = api.get(f"{V1}/servers/demo").json()
    refused(create(api, image="mcp/time:latest"), 409, 'A server named "demo" exists already')
    after = api.get(f"{V1}/servers/demo").json()
    assert (before["id"], before["image"]) == (after["id"], after["image"])


def test_container_info_has_the_fields_of_the_contract(api: httpx.Client) -> None:
    port = create(api, transport="sse", target_port=8001).json()["port"]
    info = api.get(f"{V1}/servers/demo").json()
    assert {"id", "name", "image", "state", "status", "created", "labels", "ports"} == set(info)
    assert (info["state"], info["image"]) == ("running", IMAGE)
    assert [{"containerPort": 8001, "hostPort": port, "protocol": "tcp"}] == info["ports"]
    assert {
        "toolhive": "true",
        "toolhive-name": "demo",
        "toolhive-basename": "demo",
        "toolhive-transport": "sse",
        "toolhive-port": str(port),
        "toolhive-tool-type": "mcp",
        "toolhive-runtime": "simulated",
    } == info["labels"]


def test_server_is_found_by_the_id_of_its_container(api: httpx.Client) -> None:
    create(api)
    info = api.get(f"{V1}/servers/demo").json()
    assert info["id"] == api.get(f"{V1}/servers/{info['id']}").json()["id"]


def test_empty_list_is_a_list(api: httpx.Client) -> None:
    assert api.get(f"{V1}/servers").json() == {"servers": []}


def test_list_shows_running_servers_and_all_on_request(api: httpx.Client) -> None:
    create(api)
    create(api, name="other")
    api.post(f"{V1}/servers/other/stop")
    assert [server["name"] for server in api.get(f"{V1}/servers").json()["servers"]] == ["demo"]
    assert [server["name"] for server in api.get(f"{V1}/servers?all=true").json()["servers"]] == ["demo", "other"]


def test_stop_is_204_also_for_a_stopped_server(api: httpx.Client) -> None:
    create(api)
    assert [api.post(f"{V1}/servers/demo/stop").status_code for _ in range(2)] == [204, 204]
    assert api.get(f"{V1}/servers/demo").json()["state"] == "exited"


def test_restart_keeps_the_port(api: httpx.Client) -> None:
    port = create(api).json()["port"]
    api.post(f"{V1}/servers/demo/stop")
    assert api.post(f"{V1}/servers/demo/restart").status_code == 204
    info = api.get(f"{V1}/servers/demo").json()
    assert ("running", str(port)) == (info["state"], info["labels"]["toolhive-port"])


@pytest.mark.parametrize("query", ["", "?force=true", "?force=false"])
def test_deleted_server_is_gone_and_its_name_free(api: httpx.Client, query: str) -> None:
    create(api)
    assert api.delete(f"{V1}/servers/demo{query}").status_code == 204
    refused(api.get(f"{V1}/servers/demo"), 404, "Server not found")
    assert create(api).status_code == 201


@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("DELETE", ""), ("POST", "/stop"), ("POST", "/restart")])
def test_unknown_server_is_404(api: httpx.Client, method: str, path: str) -> None:
    refused(api.request(method, f"{V1}/servers/none{path}"), 404, "Server not found")


@pytest.mark.parametrize(("method", "path"), [("GET", "/servers?all=1"), ("DELETE", "/servers/demo?force=yes")])
def test_flag_knows_true_and_false_only(api: httpx.Client, method: str, path: str) -> None:
    name = path.partition("?")[2].partition("=")[0]
    refused(api.request(method, V1 + path), 400, f"{name}: use true or false")


def test_unknown_path_is_a_plain_404(api: httpx.Client) -> None:
    refused(api.get("/nothing"), 404, "404 page not found")


def test_wrong_method_is_an_empty_405_with_the_right_ones(api: httpx.Client) -> None:
    response = api.put("/health")
    assert (response.status_code, response.text, response.headers["allow"]) == (405, "", "GET")


@pytest.mark.parametrize("path", ["/health", f"{V1}/version", f"{V1}/servers", f"{V1}/registry"])
def test_slash_at_the_end_is_taken_as_by_the_original(api: httpx.Client, path: str) -> None:
    plain, slash = api.get(path), api.get(f"{path}/")
    assert (slash.status_code, slash.content) == (plain.status_code, plain.content)
    assert api.put(f"{path}/").headers["allow"] == api.put(path).headers["allow"]


def test_create_with_a_slash_at_the_end(api: httpx.Client) -> None:
    body = {"name": "demo", "image": "mcp/time"}
    assert api.post(f"{V1}/servers/", json=body).status_code == 201
    assert api.post(f"{V1}/servers/", json=body).status_code == 409
    refused(api.post(f"{V1}/servers/demo/"), 404, "404 page not found")
