"""`octavo dev` serves text that is not published: pages of other sites and foreign host names get none of it.

Requests are written byte by byte, as a browser sends them for a page whose name was pointed at this machine.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.tests.integration.dev.conftest import Dev
from engine.tests.integration.server.processes import send, status_of
from tests.support.sites import HOME, MakeSite, page

SECRET = "The porcupine is not announced yet."
SEARCH = (
    "POST /1/indexes/docs/query?x-algolia-application-id=octavo&x-algolia-api-key=public-search-key HTTP/1.1\r\n"
    "Host: {host}\r\n{headers}Content-Type: text/plain\r\nContent-Length: 21\r\nConnection: close\r\n\r\n"
    '{{"query":"porcupine"}}'
)
WEB_SOCKET = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"


@pytest.fixture
def dev(make_site: MakeSite, start_dev: Callable[[Path], Dev]) -> Dev:
    site = make_site(
        {
            **HOME,
            "docs/a.md": page("A", SECRET),
            "octavo.toml": 'title = "Site"\nurl = "https://docs.example.org"\n[server]\nallowed_hosts = ["dev.example.org"]',
        }
    )
    return start_dev(site.root)


def ask(dev: Dev, path: str, host: str, headers: str = "", connection: str = "close") -> bytes:
    return send(dev.port, f"GET {path} HTTP/1.1\r\nHost: {host}\r\n{headers}Connection: {connection}\r\n\r\n".encode())


def test_other_hosts_and_origins_get_none_of_the_text(dev: Dev) -> None:
    own = f"127.0.0.1:{dev.port}"
    dev.wait_until(lambda: dev.count_hits("porcupine") > 0)
    token = dev.token()
    events = f"/_octavo/dev/events?token={token}"
    paths = [
        "/",
        "/a",
        "/_octavo/pages/a.json",
        "/_octavo/dev/client.js",
        "/healthz",
        events,
        "/1/indexes/docs/settings",
    ]

    # A page of evil.example whose name was made to lead here.
    for path in paths:
        answer = ask(dev, path, f"evil.example:{dev.port}")
        assert (path, status_of(answer), SECRET.encode() in answer) == (path, 421, False)
        assert b"allowed_hosts of [server]" in answer
    assert status_of(ask(dev, "/a", "evil.example", WEB_SOCKET, "Upgrade, close")) == 421
    assert status_of(send(dev.port, SEARCH.format(host="evil.example", headers="").encode())) == 421
    assert status_of(send(dev.port, b"GET /a HTTP/1.0\r\n\r\n")) == 421

    # A page of evil.example that asks for this machine by its own name.
    for origin in ("https://evil.example", "null", f"http://127.0.0.1:{dev.port + 1}"):
        headers = f"Origin: {origin}\r\n"
        for path in paths:
            answer = ask(dev, path, own, headers)
            assert (path, status_of(answer), b"access-control" in answer.lower()) == (path, 403, False)
        assert status_of(ask(dev, "/a", own, headers + WEB_SOCKET, "Upgrade, close")) == 403
        answer = send(dev.port, SEARCH.format(host=own, headers=headers).encode())
        assert (status_of(answer), SECRET.encode() in answer) == (403, False)
        assert b'"status":403' in answer
    preflight = f"OPTIONS /1/indexes/docs/query HTTP/1.1\r\nHost: {own}\r\nOrigin: https://evil.example\r\n"
    answer = send(dev.port, f"{preflight}Access-Control-Request-Method: POST\r\nConnection: close\r\n\r\n".encode())
    assert (status_of(answer), b"access-control" in answer.lower()) == (403, False)

    # An image of the site in a page of evil.example: no Origin, but browsers say whose page it is.
    assert status_of(ask(dev, "/a", own, "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n")) == 403
    assert status_of(ask(dev, "/a", own, "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n")) == 200


def test_own_pages_get_everything_and_no_cors_header(dev: Dev) -> None:
    own = f"127.0.0.1:{dev.port}"
    dev.wait_until(lambda: dev.count_hits("porcupine") > 0)
    for host in (own, f"localhost:{dev.port}", f"[::1]:{dev.port}", "dev.example.org", "docs.example.org"):
        assert SECRET.encode() in ask(dev, "/a", host)
        answer = send(dev.port, SEARCH.format(host=host, headers=f"Origin: http://{host}\r\n").encode())
        assert (status_of(answer), b"porcupine" in answer, b"access-control" in answer.lower()) == (200, True, False)


def test_events_need_the_token_that_pages_hold(dev: Dev) -> None:
    for token in ("", "guess", dev.token()[:-1]):
        assert dev.get(f"/_octavo/dev/events?token={token}")[0] == 403
    assert dev.get("/_octavo/dev/events")[0] == 403
    assert dev.token().encode() not in dev.get("/_octavo/dev/client.js")[1]
    assert dev.greeting()["number"] == 1
