"""Nothing moves while the rest of a page is still on its way."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.support.serving import Served

from .folders import Quiet, serve_folder
from .pages import PHONE
from .test_hydration import MEASURE_SHIFTS, SETTLE

ROUTE = "/codegate/features/muxing"


@contextmanager
def serve_in_two_parts(folder: Path, first: bytes, rest: bytes, goes_on: threading.Event) -> Iterator[str]:
    """Serve a published folder, of which one page is sent up to a place, and on from there when an event is set."""

    class InParts(Quiet, SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path != ROUTE:
                super().do_GET()
                return
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(first)
            self.wfile.flush()
            goes_on.wait()
            self.wfile.write(rest)

    with serve_folder(folder, InParts) as origin:
        try:
            yield f"{origin}{ROUTE}"
        finally:
            goes_on.set()


@pytest.mark.parametrize("place", ["<details><summary", "color-mode-toggle"], ids=["menu", "bar"])
def test_nothing_moves_when_the_rest_of_a_page_comes_late(place: str, shipped: Served, browser: Browser) -> None:
    whole = (shipped.out / ROUTE[1:] / "index.html").read_bytes()
    # In the place of a label that is not there yet browsers draw one of their own; the bar grows from its end.
    at = whole.index(place.encode()) + len("<details>")
    goes_on = threading.Event()
    size: ViewportSize = {"width": PHONE.width, "height": PHONE.height}
    with (
        serve_in_two_parts(shipped.out, whole[:at], whole[at:], goes_on) as address,
        closing(browser.new_page(viewport=size)) as page,
    ):
        page.add_init_script(MEASURE_SHIFTS)
        page.goto(address, wait_until="commit")
        page.wait_for_function("() => performance.getEntriesByType('paint').length > 0")
        goes_on.set()
        page.wait_for_load_state("load")
        page.evaluate(SETTLE)
        assert page.evaluate("[window.shiftOfLayout, window.shifted]") == [0, []]
