"""The guard before the application: CORS of search, refusals in the protocol's shape, WebSockets."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from octavo.config import ServerSettings
from octavo.server.access import AccessGuard, make_rules
from octavo.server.app import create_app
from tests.support.published import publish

PREFLIGHT = {"access-control-request-method": "POST"}
OTHER = "https://www.example.org"


def client(out: Path, *, host: str = "127.0.0.1", **settings: Any) -> TestClient:
    rules = make_rules(ServerSettings(**settings), host, [host])
    return TestClient(create_app(out, access=rules), base_url="http://localhost:3000")


def cors(headers: Any) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.startswith("access-control-")}


def test_local_server_lets_no_other_origin_read_search(out: Path) -> None:
    with client(out) as browser:
        answer = browser.post("/1/indexes/docs/query", json={}, headers={"origin": OTHER})
        assert (answer.status_code, cors(answer.headers)) == (403, {})
        assert answer.json() == {
            "message": f'Pages of "{OTHER}" may not use this search. '
            "Add that origin to search_origins of [server] in octavo.toml to allow it.",
            "status": 403,
        }
        assert browser.options("/1/indexes/docs/query", headers={"origin": OTHER, **PREFLIGHT}).status_code == 403
        own = browser.post("/1/indexes/docs/query", json={}, headers={"origin": "http://localhost:3000"})
        assert (own.status_code, cors(own.headers), own.headers["vary"]) == (404, {}, "Origin")


def test_given_origin_reads_search_and_nobody_else_does(out: Path) -> None:
    with client(out, search_origins=[OTHER]) as browser:
        preflight = browser.options("/1/indexes/docs/query", headers={"origin": OTHER, **PREFLIGHT})
        assert preflight.status_code == 204
        assert preflight.headers["access-control-allow-origin"] == OTHER
        assert "x-algolia-api-key" in preflight.headers["access-control-allow-headers"]
        answer = browser.post("/1/indexes/docs/query", json={}, headers={"origin": OTHER})
        assert answer.headers.get_list("access-control-allow-origin") == [OTHER]
        assert answer.headers["vary"] == "Origin"
        for origin in ("https://evil.example", f"{OTHER}.evil.example", "http://www.example.org"):
            assert browser.post("/1/indexes/docs/query", json={}, headers={"origin": origin}).status_code == 403


def test_public_server_speaks_the_protocol_to_every_origin(out: Path) -> None:
    with client(out, host="0.0.0.0") as browser:
        for headers in ({"origin": OTHER, "host": "docs.example.org"}, {"host": "docs.example.org"}):
            answer = browser.options("/1/indexes/*/queries", headers={**headers, **PREFLIGHT})
            assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (204, "*")


@pytest.mark.parametrize("path", ["/", "/codegate/quickstart", "/healthz", "/img/logo.svg", "/nowhere"])
def test_every_route_checks_the_host(out: Path, path: str) -> None:
    with client(out) as browser:
        answer = browser.get(path, headers={"host": "evil.example"})
        assert (answer.status_code, answer.headers["content-type"]) == (421, "text/plain; charset=utf-8")
        assert 'does not answer for the host "evil.example"' in answer.text
        assert browser.get(path, headers={"host": "localhost:3000"}).status_code in (200, 404)
        head = browser.head(path, headers={"host": "evil.example"})
        assert (head.status_code, head.content) == (421, b"")


def test_refused_search_has_the_shape_of_the_protocol(out: Path) -> None:
    with client(out) as browser:
        answer = browser.post("/1/indexes/docs/query", json={}, headers={"host": "evil.example"})
        assert (answer.status_code, answer.json()["status"]) == (421, 421)


def test_websocket_of_another_site_is_closed_before_the_application_sees_it() -> None:
    sent: list[Any] = []

    async def application(*_: object) -> None:
        raise AssertionError("it was reached")

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    rules = make_rules(ServerSettings(), "127.0.0.1", ["127.0.0.1"], is_private=True)
    scope = {
        "type": "websocket",
        "path": "/",
        "headers": [(b"host", b"localhost"), (b"origin", b"https://evil.example")],
    }
    asyncio.run(AccessGuard(application, lambda: rules)(scope, receive, send))
    assert [(message["type"], message["code"]) for message in sent] == [("websocket.close", 1008)]
    assert sent[0]["reason"].startswith('Pages of "https://evil.example"')


def test_search_is_answered_below_the_path_of_the_site_too(tmp_path: Path) -> None:
    out = publish(tmp_path / "out", base_url="/team/docs/")
    with client(out) as browser:
        for path in ("/1/indexes/docs/query", "/team/docs/1/indexes/docs/query", "/team/docs/1/events"):
            assert browser.post(path, json={}).json()["message"] == "No index is published here"
        assert browser.get("/team/docs/1/install").status_code == 404
        assert browser.post("/other/1/indexes/docs/query", json={}).status_code == 405
        foreign = browser.post("/team/docs/1/indexes/docs/query", json={}, headers={"origin": OTHER})
        assert foreign.status_code == 403
