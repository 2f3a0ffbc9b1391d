"""`navigation`: from a click to the next page's heading on the screen, and the long tasks of a page load."""

from __future__ import annotations

import statistics
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize

from bench.errors import BenchError
from bench.figures import Bound, summarise
from bench.report import Report
from bench.serving import serve_site
from bench.tracing import TracedBrowser, open_traced_browser
from bench.visit import open_browser

CLICKS = 20
CLICK_LIMIT_MS = 45
LONG_TASK_MS = 50
"""From here on a task is long, as browsers define it."""
LOADS = 5
"""Of each page; the longest task of the middle load counts, the worst is printed beside it."""
SETTLE_S = 2.0
"""Watched from the request on. Diagrams wait for a sign of the reader, or 3 s, and are not part of the load."""

START = "/codegate/features/muxing"
PAGES = {
    "landing page": "/",
    "muxing": START,
    "theme preview": "/theme-preview",
    "API overview": "/codegate/reference/api",
}
SLOWDOWNS = (1, 4)
"""Of the page's processor; 4 is Lighthouse's telephone."""
SCREEN: ViewportSize = {"width": 1440, "height": 900}

_IS_ALIVE = """() => document.documentElement.dataset.hydrated !== undefined
  && Object.keys(document.querySelector("nav.sidebar > ul") ?? {}).some((key) => key.startsWith("__reactProps"))"""

# The frame after the change is laid out has been painted when a task of its own follows it.
_MEASURE = """() => {
  window.painted = new Promise((done) => {
    addEventListener("click", ({ timeStamp }) => {
      const before = document.querySelector("h1").textContent;
      const observer = new MutationObserver(() => {
        const heading = document.querySelector("h1")?.textContent;
        if (heading === undefined || heading === before) return;
        observer.disconnect();
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => done(performance.now() - timeStamp);
          port2.postMessage(null);
        });
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    }, { capture: true, once: true });
  });
}"""

_NEXT_LINK = """() => {
  const links = [...document.querySelectorAll("nav.sidebar a[href]:not([role=button])")]
    .filter((link) => link.checkVisibility());
  const at = links.findIndex((link) => link.getAttribute("aria-current") === "page");
  return links[(at + 1) % links.length];
}"""


def run(report: Report, *, clicks: int = CLICKS) -> None:
    """Click from page to page of the site, and load three of its pages."""
    with serve_site() as address:
        with open_browser() as browser:
            _report_clicks(report, browser, address, clicks)
        with open_traced_browser() as traced:
            _report_tasks(report, traced, address)


def _report_clicks(report: Report, browser: Browser, address: str, clicks: int) -> None:
    report.head(f"Client navigation: from the click to the next heading painted, {clicks} clicks, {SCREEN['width']} px")
    page = browser.new_page(viewport=SCREEN)
    page.goto(address + START)
    page.wait_for_function(_IS_ALIVE)
    taken = [_click_next(page) for _ in range(clicks)]
    page.close()
    summary = summarise(taken)
    report.table(
        ["", "median", "best", "worst"],
        [["click, ms", f"{summary.median:.1f}", f"{summary.low:.1f}", f"{summary.high:.1f}"]],
    )
    report.say("The pointer does not rest on the link first; a reader's does, and the page is fetched meanwhile.")
    report.bound(Bound("click to new heading painted, median", summary.median, CLICK_LIMIT_MS, "ms"))


def _click_next(page: Page) -> float:
    """Follow the sidebar to its next page with the mouse; gives the time in ms.

    Raises:
        BenchError: the sidebar has no link that can be seen.
    """
    link = page.evaluate_handle(_NEXT_LINK).as_element()
    if link is None:
        raise BenchError("The sidebar has no link to click.")
    link.scroll_into_view_if_needed()
    box = link.bounding_box()
    if box is None:
        raise BenchError("The next link of the sidebar is not on the screen.")
    page.evaluate(_MEASURE)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    taken: float = page.evaluate("window.painted")
    # Opening categories move the sidebar's links: the next click waits until they have stopped.
    page.wait_for_function(
        "() => document.getAnimations().every(({ playState, timeline }) => playState !== 'running'"
        " || !(timeline instanceof DocumentTimeline))"
    )
    return taken


def _report_tasks(report: Report, browser: TracedBrowser, address: str) -> None:
    report.head(f"Tasks of the main thread in the first {SETTLE_S:g} s of a page, {LOADS} loads, empty cache")
    # The first window of a browser waits for processes that any reader's browser has long started.
    _trace_load(browser, f"{address}/404", 1)
    longest = {
        f"{label}, {slowdown}× as slow": [max(_trace_load(browser, address + route, slowdown)) for _ in range(LOADS)]
        for slowdown in SLOWDOWNS
        for label, route in PAGES.items()
    }
    report.table(
        ["page", "longest task, median, ms", "best", "worst"],
        [
            [label, f"{statistics.median(taken):.1f}", f"{min(taken):.1f}", f"{max(taken):.1f}"]
            for label, taken in longest.items()
        ],
    )
    report.say("Traced by the browser with nothing attached to the page; listeners in it would be measured too.")
    for label, taken in longest.items():
        report.bound(Bound(f"{label}, longest task on load", statistics.median(taken), LONG_TASK_MS, "ms"))


def _trace_load(browser: TracedBrowser, url: str, slowdown: float) -> list[float]:
    """Load a page under the browser's own trace; gives the tasks of its main thread, in ms."""
    events = browser.trace_load(
        url, width_px=SCREEN["width"], height_px=SCREEN["height"], settle_s=SETTLE_S * slowdown, slowdown=slowdown
    )
    return main_thread_tasks(events)


def main_thread_tasks(events: list[dict[str, Any]]) -> list[float]:
    """Find the tasks that pages ran on their main threads.

    Args:
        events: Of Chromium's trace format: `ph` "M" names a thread, "X" is a whole task with `dur` in µs.

    Returns:
        Durations, in ms, in the order of the trace.

    Raises:
        BenchError: there are none, so the trace is not what it should be.
    """
    threads = {
        (event["pid"], event["tid"])
        for event in events
        if event.get("name") == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [
        event["dur"] / 1000
        for event in events
        if event.get("name") == "RunTask" and event["ph"] == "X" and (event["pid"], event["tid"]) in threads
    ]
    if not tasks:
        raise BenchError("The browser's trace shows no task of a page.")
    return tasks
