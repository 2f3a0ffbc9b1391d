"""Descriptions from the web: fetched within limits, kept for the day on which their source is away."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from octavo.publish.build import build_site
from octavo.reference.openapi import MAX_BYTES
from tests.support.sites import MakeSite

from .openapi_sites import make_shop, shop


class Source(ThreadingHTTPServer):
    """Answers what the test says."""

    daemon_threads = True
    status = 200
    body = b""
    location = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/openapi.json"


class _Handler(BaseHTTPRequestHandler):
    server: Source

    def do_GET(self) -> None:
        source = self.server
        self.send_response(source.status)
        if source.location:
            self.send_header("Location", source.location)
        self.send_header("Content-Length", str(len(source.body)))
        self.end_headers()
        self.wfile.write(source.body)

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def source() -> Iterator[Source]:
    server = Source(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


CONFIG = 'url_env = "SHOP_SPEC_URL"\ntimeout_s = 5\n'


def title(name: str) -> bytes:
    return json.dumps(shop(info={"title": name, "version": "1"})).encode()


def test_address_of_the_environment_is_fetched(
    source: Source, make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    source.body = title("Fetched")
    monkeypatch.setenv("SHOP_SPEC_URL", source.url)
    site = make_shop(make_site, config=CONFIG)
    assert site.check() == []
    assert "<h1>Fetched</h1>" in site.html("/api")


@pytest.mark.parametrize("value", [None, ""])
def test_without_an_address_the_recorded_copy_is_used_and_nothing_is_said(
    value: str | None, make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SHOP_SPEC_URL", raising=False)
    if value is not None:
        monkeypatch.setenv("SHOP_SPEC_URL", value)
    site = make_shop(make_site, config=CONFIG)
    assert site.check() == []
    assert "<h1>Kiln shop</h1>" in site.html("/api")


def test_last_good_copy_is_used_with_a_warning(
    source: Source, make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    source.body = title("Fetched")
    monkeypatch.setenv("SHOP_SPEC_URL", source.url)
    site = make_shop(make_site, config=CONFIG)
    assert site.check() == []
    source.status = 503
    [finding] = site.check()
    assert "it answers with status 503. The last good copy of an earlier build is used." in finding
    assert "<h1>Fetched</h1>" in site.html("/api")
    record = json.loads((site.root / ".octavo/openapi/shop.json").read_text())
    assert (record["url"], record["size"], len(record["sha256"])) == (source.url, len(source.body), 64)


def test_recorded_copy_is_used_where_nothing_was_ever_fetched(
    source: Source, make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    source.status = 404
    monkeypatch.setenv("SHOP_SPEC_URL", source.url)
    site = make_shop(make_site, config=CONFIG)
    [finding] = site.check()
    assert 'shop.json:1:1: warn: The description of "shop" cannot be fetched: it answers with status 404.' in finding
    assert "<h1>Kiln shop</h1>" in site.html("/api")


def test_strict_build_takes_a_source_that_is_away_for_an_error(
    source: Source, make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    source.status = 503
    monkeypatch.setenv("SHOP_SPEC_URL", source.url)
    site = make_shop(make_site, config=CONFIG)
    strict = build_site(site.root, site.out, is_strict=True)
    assert not strict.is_published
    assert [(problem.code, problem.level) for problem in strict.diagnostics] == [("openapi-unreachable", "error")]
    assert site.build().is_published
    source.status, source.body = 200, title("Fetched")
    assert build_site(site.root, site.out, is_strict=True).is_published


def test_damaged_copy_is_not_used(source: Source, make_site: MakeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    source.body = title("Fetched")
    monkeypatch.setenv("SHOP_SPEC_URL", source.url)
    site = make_shop(make_site, config=CONFIG)
    site.build()
    (site.root / ".octavo/openapi/shop.description").write_bytes(title("Damaged"))
    source.status = 500
    site.build()
    assert "<h1>Kiln shop</h1>" in site.html("/api")


@pytest.mark.parametrize(
    ("location", "body", "reason"),
    [
        ("file:///etc/hostname", b"", "it answers with status 302"),
        ("ftp://127.0.0.1/x", b"", "neither http nor https"),
        ("", b" " * (MAX_BYTES + 1), "gives more than 16 MB"),
    ],
    ids=["file", "ftp", "too much"],
)
def test_source_can_lead_nowhere_else_and_give_no_more(
    location: str, body: bytes, reason: str, source: Source, make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    source.status, source.location, source.body = (302 if location else 200), location, body
    monkeypatch.setenv("SHOP_SPEC_URL", source.url)
    [finding] = make_shop(make_site, config=CONFIG).check()
    assert reason in finding


def test_address_that_is_neither_http_nor_https_is_not_opened(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_SPEC_URL", "file:///etc/hostname")
    [finding] = make_shop(make_site, config=CONFIG).check()
    assert "its address is neither http nor https" in finding


def test_what_is_fetched_and_broken_is_an_error(
    source: Source, make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    source.body = b"<html>"
    monkeypatch.setenv("SHOP_SPEC_URL", source.url)
    site = make_shop(make_site, config=CONFIG)
    build = site.build()
    assert not build.is_published
    assert [problem.level for problem in build.diagnostics] == ["error"]
