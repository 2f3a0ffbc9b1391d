"""Page views are sent to the services that the operator configures, and to no others."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.support.serving import Served, copy_site, publish_site, serve_folder

from .conftest import FIXTURES, OpenReader
from .pages import NEXT_FRAME, Reader, settings

_ARRIVE_S = 30
_NO_TRACKING = "Object.defineProperty(Navigator.prototype, 'doNotTrack', { value: '1' })"
_PRIVACY_CONTROL = "Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: true })"

ASKS = """
const button = document.createElement("button");
button.textContent = "Count me";
button.addEventListener("click", () => {
  window.octavoConsent = "granted";
  window.dispatchEvent(new Event("octavo:consent"));
});
document.body.append(button);
"""
"""A script of the operator's, in the folder of static files."""

MakeCounted = Callable[[str], Served]


class Collector:
    """An operator's own endpoint on this machine."""

    def __init__(self) -> None:
        self.views: queue.Queue[dict[str, Any]] = queue.Queue()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/views"

    def next(self) -> dict[str, Any]:
        """Wait for the next view."""
        return self.views.get(timeout=_ARRIVE_S)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        views = self.views

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                views.put(json.loads(body))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        return Handler


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Collector]:
    collector = Collector()
    thread = threading.Thread(target=collector.server.serve_forever, args=(0.02,))
    thread.start()
    yield collector
    collector.server.shutdown()
    collector.server.server_close()
    thread.join()


@pytest.fixture
def collector(endpoint: Collector) -> Collector:
    assert endpoint.views.empty()
    return endpoint


@pytest.fixture(scope="module")
def make_counted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MakeCounted]:
    """Serve the site of editions with an analytics table; one server for each table."""
    made: dict[str, Served] = {}
    with ExitStack() as servers:

        def make(table: str) -> Served:
            if table not in made:
                folder = tmp_path_factory.mktemp("counted")
                changes = {"[color_mode]": f"[analytics]\n{table}\n\n[color_mode]"}
                site = copy_site(FIXTURES / "editions", folder / "site", changes)
                (site / "static" / "consent.js").write_text(ASKS)
                publish_site(site, folder / "out")
                made[table] = servers.enter_context(serve_folder(folder / "out", folder / "server.log"))
            return made[table]

        yield make


@pytest.fixture
def counted(make_counted: MakeCounted, endpoint: Collector) -> Served:
    return make_counted(f'endpoint = "{endpoint.address}"')


@pytest.fixture
def asking(make_counted: MakeCounted, endpoint: Collector) -> Served:
    """A site that asks its readers before it counts, by a script of its operator."""
    return make_counted(f'endpoint = "{endpoint.address}"\nneeds_consent = true\nconsent_script = "/consent.js"')


def allow(reader: Reader) -> Reader:
    """Let a reader's browser speak to the endpoint, which is another origin."""
    reader.watch.forgive("request to another origin: http://127.0.0.1:[0-9]+/views")
    return reader


def go_to(reader: Reader, name: str, title: str) -> None:
    reader.follow(name, within=reader.sidebar)
    expect(reader.page).to_have_title(title)


def answer_to_consent(reader: Reader, answer: str) -> None:
    script = "answer => { window.octavoConsent = answer; window.dispatchEvent(new Event('octavo:consent')) }"
    reader.page.evaluate(script, answer)


def test_nothing_is_counted_unless_configured(shipped: Served, open_reader: OpenReader) -> None:
    """A tour; a request to any other origin is a complaint at its end."""
    reader = open_reader(shipped, "/")
    for route in ("/toolhive/how-to/install", "/search?q=x", "/codegate/features/muxing"):
        reader.visit(route)
    reader.follow("Workspaces", within=reader.sidebar)
    reader.expect_heading("Workspaces")
    reader.page.wait_for_load_state("networkidle")
    assert reader.watch.requested(lambda path: path.endswith(("reporter.js", "/views"))) == []
    assert reader.page.evaluate("window.dataLayer === undefined")


def test_every_page_is_one_view_with_its_own_title(
    counted: Served, collector: Collector, open_reader: OpenReader
) -> None:
    reader = allow(open_reader(counted, "/install"))
    assert collector.next() == {"path": "/install", "title": "Install | Kiln", "referrer": None}
    go_to(reader, "Constructs", "Constructs | Kiln")
    assert collector.next() == {"path": "/constructs", "title": "Constructs | Kiln", "referrer": "/install"}
    reader.page.go_back()
    assert collector.next() == {"path": "/install", "title": "Install | Kiln", "referrer": "/constructs"}
    assert collector.views.empty()


def test_change_of_query_or_anchor_is_no_view(counted: Served, collector: Collector, open_reader: OpenReader) -> None:
    reader = allow(open_reader(counted, "/constructs?from=mail#tabs"))
    assert collector.next()["path"] == "/constructs"
    reader.page.locator(".tabs").get_by_role("tab", name="High", exact=True).click()
    reader.page.wait_for_url("**heat=high**")
    reader.page.evaluate("location.hash = '#details'")
    go_to(reader, "Install", "Install | Kiln")
    assert collector.next()["path"] == "/install"
    assert collector.views.empty()


@pytest.mark.parametrize("wish", [_NO_TRACKING, _PRIVACY_CONTROL], ids=["do not track", "privacy control"])
def test_wish_not_to_be_tracked_is_honored(
    wish: str, counted: Served, collector: Collector, open_reader: OpenReader
) -> None:
    reader = open_reader(counted, "/install", settings(init_script=wish))
    go_to(reader, "Constructs", "Constructs | Kiln")
    reader.page.evaluate(NEXT_FRAME)
    assert reader.watch.requested(lambda path: "reporter" in path) == []
    # Whatever this reader had sent would have come before.
    allow(open_reader(counted, "/tall"))
    assert collector.next()["path"] == "/tall"


def test_views_wait_for_consent(asking: Served, collector: Collector, open_reader: OpenReader) -> None:
    reader = allow(open_reader(asking, "/install"))
    go_to(reader, "Constructs", "Constructs | Kiln")
    expect(reader.page.get_by_role("button", name="Count me")).to_be_visible()
    assert collector.views.empty()
    answer_to_consent(reader, "granted")
    # On their way one may pass the other; the second names the first.
    waited = {view["path"]: view["referrer"] for view in (collector.next(), collector.next())}
    assert waited == {"/install": None, "/constructs": "/install"}
    go_to(reader, "Install", "Install | Kiln")
    assert collector.next()["path"] == "/install"


def test_script_of_the_operator_asks_for_consent(asking: Served, collector: Collector, open_reader: OpenReader) -> None:
    reader = allow(open_reader(asking, "/install"))
    button = reader.page.get_by_role("button", name="Count me")
    expect(button).to_be_visible()
    assert collector.views.empty()
    button.click()
    assert collector.next()["path"] == "/install"
    silent = open_reader(asking, "/install", settings(init_script=_NO_TRACKING))
    silent.page.wait_for_load_state("networkidle")
    assert silent.watch.requested(lambda path: "consent" in path) == []


def test_refusal_forgets_what_has_waited(asking: Served, collector: Collector, open_reader: OpenReader) -> None:
    reader = allow(open_reader(asking, "/install"))
    expect(reader.page.get_by_role("button", name="Count me")).to_be_visible()
    answer_to_consent(reader, "denied")
    go_to(reader, "Constructs", "Constructs | Kiln")
    # A page view is reported in the following task.
    reader.page.evaluate(NEXT_FRAME)
    answer_to_consent(reader, "granted")
    go_to(reader, "Install", "Install | Kiln")
    assert collector.next() == {"path": "/install", "title": "Install | Kiln", "referrer": "/constructs"}


def test_google_gets_one_view_for_each_page_and_shortens_addresses(
    make_counted: MakeCounted, open_reader: OpenReader
) -> None:
    site = make_counted('google = ["G-KILN1", "G-KILN2"]')
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(body="", content_type="text/javascript")

    reader = open_reader(site, "/install", answers={"https://www.googletagmanager.com/**": answer})
    reader.watch.forgive("googletagmanager")
    go_to(reader, "Constructs", "Constructs | Kiln")
    reader.page.wait_for_function("() => window.dataLayer?.length === 5")
    words = reader.page.evaluate("window.dataLayer.map((entry) => [...entry]).slice(1)")
    assert words[:2] == [
        ["config", "G-KILN1", {"anonymize_ip": True, "send_page_view": False}],
        ["config", "G-KILN2", {"anonymize_ip": True, "send_page_view": False}],
    ]
    assert [(kind, name, view["page_path"]) for kind, name, view in words[2:]] == [
        ("event", "page_view", "/install"),
        ("event", "page_view", "/constructs"),
    ]
    # One script, whatever the number of ids.
    assert asked == ["https://www.googletagmanager.com/gtag/js?id=G-KILN1"]
