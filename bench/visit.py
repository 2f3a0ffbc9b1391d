"""One visit of a page in a real browser, with an empty cache: what travels, and when."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

import msgspec
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from bench import install
from bench.errors import BenchError, Unavailable

QUIET_S = 1.5
"""A visit is over when nothing was requested for so long and everything has come."""
STALL_S = 10
"""A request without an event for so long will not report its end: the script of a worker does so to its worker."""
VISIT_TIMEOUT_S = 60


class Request(msgspec.Struct):
    """One request; times are seconds of the browser's monotonic clock."""

    url: str
    type: str
    """Document, Stylesheet, Script, Font, Image, Fetch, Preload…"""
    started_s: float
    media_type: str = ""
    encoding: str = ""
    wire_bytes: int = 0
    """Headers and body, as received; the body so far where the end was not reported."""
    is_finished: bool = False

    @property
    def is_script(self) -> bool:
        """Preloads of scripts have a type of their own; their media type tells."""
        return self.type == "Script" or self.media_type.endswith("javascript")


class Visit(msgspec.Struct):
    """What one visit showed."""

    url: str
    requests: list[Request]
    """To the page's own host, in the order of their start."""
    foreign: int
    """Requests to other hosts; they fail, and their bytes are not counted."""
    load_s: float
    """The load event."""
    painted_s: float
    """First contentful paint."""
    cls: float
    html: str
    """The document as served."""

    def before_load(self) -> list[Request]:
        """List the requests before the load event, whether or not they were answered by then."""
        return [request for request in self.requests if request.started_s <= self.load_s]

    def scripts(self) -> list[Request]:
        """List all script files of the visit."""
        return [request for request in self.requests if request.is_script]


_NO_OTHER_HOSTS = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
"""Other hosts fail at once and everywhere alike, instead of hanging where a machine does not reach them."""


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Start a headless Chromium.

    Raises:
        Unavailable: neither the machine nor Playwright has one.
    """
    with sync_playwright() as playwright:
        executable = install.chromium()
        try:
            browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", _NO_OTHER_HOSTS])
        except Exception as error:
            reason = str(error).strip().splitlines()[0]
            raise Unavailable(f"no Chromium starts ({reason}); set CHROME_PATH or install one") from error
        try:
            yield browser
        finally:
            browser.close()


def observe_visit(browser: Browser, url: str, *, width_px: int, height_px: int) -> Visit:
    """Open a page with an empty cache, touch nothing, and watch until nothing moves any more.

    Raises:
        BenchError: the page does not answer 200, or no paint or load was seen.
    """
    context = browser.new_context(viewport={"width": width_px, "height": height_px}, service_workers="block")
    try:
        page = context.new_page()
        page.add_init_script(_COUNT_SHIFTS)
        recorder = _Recorder(page.context.new_cdp_session(page))
        response = page.goto(url, wait_until="load")
        if response is None or response.status != 200:
            raise BenchError(f"{url} answers {response.status if response else 'nothing'}; expected 200.")
        _wait_until_quiet(page, recorder)
        cls = float(page.evaluate("window.__shift"))
        html = response.text()
    finally:
        context.close()
    return recorder.finish(url, cls, html)


_COUNT_SHIFTS = """
window.__shift = 0
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.__shift += entry.value
}).observe({ type: "layout-shift", buffered: true })
"""


def _wait_until_quiet(page: Page, recorder: _Recorder) -> None:
    started = last_event = time.monotonic()
    seen = -1
    while (now := time.monotonic()) - started < VISIT_TIMEOUT_S:
        if recorder.events_seen != seen:
            seen, last_event = recorder.events_seen, now
        elif now - last_event >= (STALL_S if recorder.has_pending() else QUIET_S):
            return
        # Playwright hands out events only while it is waiting for something.
        page.wait_for_timeout(250)
    raise BenchError(f"{page.url} still asks for more after {VISIT_TIMEOUT_S} s.")


class _Recorder:
    """Keeps the events of one page; the protocol's names stay in here."""

    def __init__(self, session: CDPSession) -> None:
        self.requests: dict[str, Request] = {}
        self.events: dict[str, float] = {}
        self.loader = ""
        self.events_seen = 0
        session.on("Network.requestWillBeSent", self._on_request)
        session.on("Network.responseReceived", self._on_response)
        session.on("Network.dataReceived", self._on_data)
        session.on("Network.loadingFinished", self._on_finished)
        session.on("Network.loadingFailed", self._on_failed)
        session.on("Page.lifecycleEvent", self._on_lifecycle)
        session.send("Network.enable")
        session.send("Page.enable")
        session.send("Page.setLifecycleEventsEnabled", {"enabled": True})

    def has_pending(self) -> bool:
        return not all(request.is_finished for request in self.requests.values())

    def finish(self, url: str, cls: float, html: str) -> Visit:
        missing = {"load", "firstContentfulPaint"} - self.events.keys()
        if missing:
            raise BenchError(f"{url}: the browser reported no {' and no '.join(sorted(missing))}.")
        host = urlsplit(url).netloc
        own = [request for request in self.requests.values() if urlsplit(request.url).netloc == host]
        return Visit(
            url=url,
            requests=sorted(own, key=lambda request: request.started_s),
            foreign=sum(request.url.startswith("http") for request in self.requests.values()) - len(own),
            load_s=self.events["load"],
            painted_s=self.events["firstContentfulPaint"],
            cls=cls,
            html=html,
        )

    def _on_request(self, event: dict[str, Any]) -> None:
        self.events_seen += 1
        self.requests[event["requestId"]] = Request(
            event["request"]["url"],
            event.get("type", "Other"),
            event["timestamp"],
            is_finished=event["request"]["url"].startswith("data:"),
        )

    def _on_data(self, event: dict[str, Any]) -> None:
        self.events_seen += 1
        if request := self.requests.get(event["requestId"]):
            request.wire_bytes += int(event["encodedDataLength"])

    def _on_response(self, event: dict[str, Any]) -> None:
        self.events_seen += 1
        if request := self.requests.get(event["requestId"]):
            headers = {name.lower(): value for name, value in event["response"]["headers"].items()}
            request.media_type = event["response"]["mimeType"]
            request.encoding = headers.get("content-encoding", "")

    def _on_finished(self, event: dict[str, Any]) -> None:
        self.events_seen += 1
        if request := self.requests.get(event["requestId"]):
            request.wire_bytes = int(event["encodedDataLength"])
            request.is_finished = True

    def _on_failed(self, event: dict[str, Any]) -> None:
        self.events_seen += 1
        if request := self.requests.get(event["requestId"]):
            request.is_finished = True

    def _on_lifecycle(self, event: dict[str, Any]) -> None:
        # The blank page that the tab began with reports a load of its own; the last document counts.
        if event["loaderId"] != self.loader:
            self.loader = event["loaderId"]
            self.events.clear()
        self.events.setdefault(event["name"], event["timestamp"])


def inline_scripts(html: str) -> str:
    """Join the code in `<script>` elements without `src`; data blocks (JSON, rules of prefetching) are not code."""
    parser = _InlineScripts()
    parser.feed(html)
    parser.close()
    return "".join(parser.codes)


class _InlineScripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.codes: list[str] = []
        self._is_inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        kind = (attributes.get("type") or "").strip().lower()
        is_code = kind in {"", "module", "text/javascript", "application/javascript"}
        self._is_inside = tag == "script" and "src" not in attributes and is_code

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._is_inside = False

    def handle_data(self, data: str) -> None:
        if self._is_inside:
            self.codes.append(data)
