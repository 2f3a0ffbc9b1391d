"""What no operation gets to see, and what no answer or log tells."""

from __future__ import annotations

import json
import logging
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from apis.tests.contract.gateway.exchanges import make_exchange
from apis.tests.contract.gateway.gateway import OPERATIONS, Gateway, check_answer, run_gateway, settings_for
from apis.tests.contract.gateway.providers import KEY, FakeProvider

SITE = "http://localhost:3000"
CHANGING = [operation_id for operation_id, (method, _, _) in OPERATIONS.items() if method != "GET"]
WITH_BODY = [operation_id for operation_id, (_, _, operation) in OPERATIONS.items() if "requestBody" in operation]


def send(gateway: Gateway, operation_id: str, **arguments: Any) -> Any:
    method, template, _ = OPERATIONS[operation_id]
    path = template.format(provider_name="abc", workspace_name="abc", persona_name="abc", prompt_id="abc")
    answer = gateway.http.request(method, path, **arguments)
    check_answer(operation_id, answer)
    return answer


@pytest.mark.parametrize("operation_id", OPERATIONS)
@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:8989", ""])
def test_foreign_host_names_are_refused(sqlite_shared: Gateway, operation_id: str, host: str) -> None:
    """A page elsewhere may point its own name at this machine; the Host header gives it away."""
    answer = send(sqlite_shared, operation_id, headers={"host": host})
    assert (answer.status_code, answer.json()) == (421, {"detail": "This host name is not served here"})


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8989", "127.0.0.1:1", "[::1]:8989"])
def test_own_host_names_are_served(sqlite_shared: Gateway, host: str) -> None:
    assert sqlite_shared.http.get("/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("operation_id", CHANGING)
@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:3001"])
def test_pages_of_other_origins_change_nothing(sqlite_shared: Gateway, operation_id: str, origin: str) -> None:
    answer = send(sqlite_shared, operation_id, headers={"origin": origin})
    assert (answer.status_code, answer.json()) == (403, {"detail": "This origin may not change anything here"})
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("operation_id", WITH_BODY)
def test_bodies_above_the_limit_are_refused(sqlite_shared: Gateway, operation_id: str) -> None:
    answer = send(sqlite_shared, operation_id, content=b" " * 1_048_577, headers={"content-type": "application/json"})
    assert answer.status_code == 413


def test_bodies_that_hide_their_size_are_refused_too(sqlite_shared: Gateway) -> None:
    chunks = (b"[" + b" " * 65_536 for _ in range(40))
    headers = {"content-type": "application/json"}
    answer = sqlite_shared.http.post("/api/v1/workspaces", content=chunks, headers=headers)
    check_answer("v1_create_workspace", answer)
    assert answer.status_code == 413


def test_the_site_may_read_and_change(sqlite_shared: Gateway) -> None:
    asked = {"origin": SITE, "access-control-request-method": "PUT", "access-control-request-headers": "content-type"}
    answer = sqlite_shared.http.options("/api/v1/workspaces/abc", headers=asked)
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, SITE)
    assert "access-control-allow-credentials" not in answer.headers
    answer = sqlite_shared.http.get("/health", headers={"origin": SITE})
    assert answer.headers["access-control-allow-origin"] == SITE
    assert "x-request-id" in answer.headers["access-control-expose-headers"]


def test_other_origins_get_no_permission(sqlite_shared: Gateway) -> None:
    asked = {"origin": "https://evil.example", "access-control-request-method": "PUT"}
    answer = sqlite_shared.http.options("/api/v1/workspaces/abc", headers=asked)
    assert "access-control-allow-origin" not in answer.headers


def test_forms_of_other_pages_are_not_read_as_json(sqlite_shared: Gateway) -> None:
    for media_type in ("text/plain", "application/x-www-form-urlencoded", ""):
        answer = sqlite_shared.http.post(
            "/api/v1/workspaces", content=b'{"name": "sneaked-in"}', headers={"content-type": media_type}
        )
        assert answer.status_code == 422
    assert "sneaked-in" not in sqlite_shared.http.get("/api/v1/workspaces").text


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b'{"name": "\xff"}',
        b'{"name": "x\\ud800"}',
        b'{"name": NaN}',
        b'{"name": "\\ud800", "provider_type": "\\udfff"}',
        b"1" * 10_000,
        b"null",
        b'{"name": {"api_key": "' + KEY.encode() + b'"}}',
    ],
    ids=lambda body: repr(body[:20]),
)
@pytest.mark.parametrize("operation_id", ["v1_create_workspace", "v1_add_provider_endpoint"])
def test_broken_bodies_are_answered_with_findings(sqlite_shared: Gateway, operation_id: str, body: bytes) -> None:
    answer = send(sqlite_shared, operation_id, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"][0] == "body"
    assert KEY not in answer.text


@pytest.mark.parametrize("path", ["%FF", "%00", "a%2Fb", "..%2F..%2Fetc", "%ED%A0%80", "' OR 1=1 --", "x" * 5_000])
def test_odd_names_are_not_found(gateway: Gateway, path: str) -> None:
    for place in ("workspaces", "provider-endpoints", "personas"):
        answer = gateway.http.get(f"/api/v1/{place}/{path}")
        assert answer.status_code == 404, answer.text


def test_unknown_routes_and_methods_say_so(sqlite_shared: Gateway) -> None:
    answer = sqlite_shared.http.get("/api/v1/nothing")
    assert (answer.status_code, answer.json()) == (404, {"detail": "Not Found"})
    answer = sqlite_shared.http.patch("/api/v1/workspaces")
    assert (answer.status_code, answer.json()) == (405, {"detail": "Method Not Allowed"})
    assert answer.headers["allow"] == "GET, POST"
    answer = sqlite_shared.http.get("/api/v1/workspaces/", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (307, f"{sqlite_shared.address}/api/v1/workspaces")


def test_busy_database_asks_to_try_again(tmp_path: Path) -> None:
    with run_gateway(settings_for(tmp_path, busy_timeout_s=0.05)) as gateway:
        other = sqlite3.connect(tmp_path / "gateway.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        answer = gateway.call("v1_create_workspace", body={"name": "alpha"})
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        other.execute("ROLLBACK")
        other.close()
        assert gateway.call("v1_create_workspace", body={"name": "alpha"}).status_code == 201


def test_crash_tells_nothing_but_its_id(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The table is taken away under the server: the text of such an error holds SQL."""
    with caplog.at_level(logging.INFO, "gateway_api"), run_gateway(settings_for(tmp_path)) as gateway:
        gateway.record(make_exchange("default", messages=["private words"]))
        with gateway.database.writing() as connection:
            connection.exec_driver_sql("ALTER TABLE personas RENAME COLUMN description TO other")
        body = {"name": "private", "description": "private words"}
        answer = gateway.http.post("/api/v1/personas", json=body, headers={"x-request-id": "abc-1"})
        assert answer.status_code in (500, 503)
        assert set(answer.json()) == {"detail"}
        assert answer.headers["x-request-id"] == "abc-1"
        for word in ("personas", "INSERT", "sqlite", "Traceback", str(tmp_path)):
            assert word not in answer.text
    logged = "\n".join(caplog.messages)
    (crash,) = [line for line in map(json.loads, caplog.messages) if line["event"] == "crash"]
    assert (crash["error"], crash["request_id"]) == ("OperationalError", "abc-1")
    assert crash["frames"]
    assert "private" not in logged


def test_requests_are_logged_as_json_without_names_or_secrets(
    tmp_path: Path, provider: FakeProvider, caplog: pytest.LogCaptureFixture
) -> None:
    # The server writes the line of a request after its answer: it has ended before the level is set back.
    with caplog.at_level(logging.INFO, "gateway_api"), run_gateway(settings_for(tmp_path)) as gateway:
        body = {"name": "mine", "provider_type": "openai", "endpoint": provider.url("openai")}
        gateway.get("v1_add_provider_endpoint", body=body | {"auth_type": "api_key", "api_key": KEY})
        gateway.get("v1_get_provider_endpoint", provider_name="mine")
    requests = [line for line in map(json.loads, caplog.messages) if line["event"] == "request"]
    last = requests[-1]
    assert last["route"] == "/api/v1/provider-endpoints/{provider_name}"
    assert (last["method"], last["status"]) == ("GET", 200)
    assert last["request_id"]
    assert last["duration_ms"] > 0
    assert KEY not in "\n".join(caplog.messages)


@pytest.mark.parametrize(("given", "is_taken_over"), [("abc.DEF-1_2", True), ("a b", False), ("x" * 65, False)])
def test_request_id_of_a_proxy_is_taken_over(sqlite_shared: Gateway, given: str, is_taken_over: bool) -> None:
    found = sqlite_shared.http.get("/health", headers={"x-request-id": given}).headers["x-request-id"]
    assert (found == given) is is_taken_over


def test_metrics_count_by_route(sqlite_gateway: Gateway) -> None:
    sqlite_gateway.call("v1_get_workspace_by_name", workspace_name="default")
    sqlite_gateway.call("v1_get_workspace_by_name", workspace_name="nobody")
    text = sqlite_gateway.http.get("/metrics").text
    route = 'method="GET",route="/api/v1/workspaces/{workspace_name}"'
    assert f'gateway_requests_total{{{route},status="200"}} 1.0' in text
    assert f'gateway_requests_total{{{route},status="404"}} 1.0' in text
    assert "nobody" not in text
