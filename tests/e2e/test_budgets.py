"""What a page costs, counted on the wire. kB are 1000 bytes, brotli as the server sends it."""

from __future__ import annotations

import re
import urllib.request
from typing import Any

import brotli
import pytest

from tests.support.serving import Served
from tests.support.waiting import wait_for

from .conftest import OpenReader
from .gate import Gate
from .pages import Settings, settings
from .test_hydration import SETTLE

PAGE = "/codegate/features/muxing"
"""A page with code, a table and a diagram."""

WITHOUT_DIAGRAM = "/toolhive/how-to/install"
"""A page with code and a table."""

UNHURRIED = settings(
    init_script="""
const wait = window.setTimeout;
window.setTimeout = (task, delay, ...values) => (delay === 2000 ? 0 : wait(task, delay, ...values));
"""
)
"""A page that is not painted within two seconds requests its scripts anyway; that must not count against a slow machine."""

LAID_OUT_LATE = settings(
    init_script="""
const wait = window.setTimeout;
let laysOut = false;
const whenPainted = (task) => {
  const [paint] = performance.getEntriesByName("first-paint");
  laysOut ||= paint !== undefined && document.readyState === "complete" && performance.now() > paint.startTime + 300;
  wait(laysOut ? task : whenPainted, 0, task);
};
window.setTimeout = (task, delay, ...values) => {
  if (delay === 2000) return 0;
  return laysOut || delay ? wait(task, delay, ...values) : wait(whenPainted, 0, task);
};
"""
)
"""A page whose tasks without a delay begin 300 ms after its first paint, that of the bare background."""

TIMINGS = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const paint = performance.getEntriesByType("paint").find(({ name }) => name === "first-contentful-paint");
  const entry = ({ name, startTime, transferSize, encodedBodySize, initiatorType }) =>
    ({ name, startTime, transferSize, encodedBodySize, initiatorType });
  return {
    page: entry(page),
    loadStart: page.loadEventStart,
    // When the frame was drawn; the start time tells when the screen showed it.
    paint: paint.paintTime ?? paint.startTime,
    resources: performance.getEntriesByType("resource").map(entry),
  };
}"""


def has_best_form(site: Served, path: str) -> bool:
    """Return whether the server has the smallest form of a script: a quick one answers the first who ask."""
    request = urllib.request.Request(site.url(path), headers={"Accept-Encoding": "br"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        content: bytes = answer.read()
    return len(content) <= len(brotli.compress(brotli.decompress(content), quality=11))


def measure(site: Served, route: str, open_reader: OpenReader, opened: Settings = UNHURRIED) -> dict[str, Any]:
    """Give what the browser measured on a first visit, once everything has come to rest."""
    reader = open_reader(site, route, opened)
    reader.page.wait_for_load_state("networkidle")
    measured: dict[str, Any] = reader.page.evaluate(TIMINGS)
    return measured


@pytest.mark.parametrize("route", [PAGE, WITHOUT_DIAGRAM, "/", "/toolhive/reference/cli/thv_run"])
def test_page_is_there_in_25_kb(route: str, shipped: Served, open_reader: OpenReader) -> None:
    """Every request before the load event, headers included; fonts apart: no paint waits for them."""
    timings = measure(shipped, route, open_reader)
    fonts = [entry for entry in timings["resources"] if entry["name"].endswith(".woff2")]
    assert len(fonts) == 3
    assert 0 < sum(entry["transferSize"] for entry in fonts) <= 60_000
    asked = [entry for entry in timings["resources"] if entry["startTime"] < timings["loadStart"]]
    before = [entry for entry in asked if entry not in fonts]
    size = timings["page"]["transferSize"] + sum(entry["transferSize"] for entry in before)
    assert 0 < size <= 25_000, (size, timings["page"], before)


def test_all_javascript_of_a_first_visit_is_within_70_kb(shipped: Served, open_reader: OpenReader) -> None:
    [client] = (shipped.out / "_octavo/assets").glob("client-*.js")
    wait_for(lambda: has_best_form(shipped, f"/_octavo/assets/{client.name}"))
    resources = measure(shipped, WITHOUT_DIAGRAM, open_reader)["resources"]
    scripts = [entry for entry in resources if entry["name"].endswith(".js")]
    assert scripts
    size = sum(entry["transferSize"] for entry in scripts)
    assert 0 < size <= 70_000, (size, scripts)


def test_page_with_diagrams_loads_no_diagram_library(shipped: Served, open_reader: OpenReader) -> None:
    """They are pictures in its HTML; a site that needs no other diagrams does not publish the library."""
    [client] = (shipped.out / "_octavo/assets").glob("client-*.js")
    wait_for(lambda: has_best_form(shipped, f"/_octavo/assets/{client.name}"))
    resources = measure(shipped, "/theme-preview", open_reader)["resources"]
    scripts = [entry for entry in resources if entry["name"].endswith(".js")]
    assert scripts
    size = sum(entry["transferSize"] for entry in scripts)
    assert 0 < size <= 70_000, (size, scripts)
    assert list((shipped.out / "_octavo" / "assets").glob("diagram-frame*")) == []


def test_scripts_are_asked_for_after_the_page_is_painted_and_loaded(shipped: Served, open_reader: OpenReader) -> None:
    timings = measure(shipped, PAGE, open_reader)
    starts = [entry["startTime"] for entry in timings["resources"] if entry["name"].endswith(".js")]
    assert min(starts) >= max(timings["loadStart"], timings["paint"])


def test_scripts_wait_for_the_first_paint_of_content(shipped: Served, open_reader: OpenReader) -> None:
    """The page shows its bare background before it is laid out; that is a paint too."""
    timings = measure(shipped, PAGE, open_reader, LAID_OUT_LATE)
    starts = [entry["startTime"] for entry in timings["resources"] if entry["name"].endswith(".js")]
    assert timings["paint"] > timings["loadStart"]
    assert min(starts) >= timings["paint"]


def test_page_asks_for_no_script_while_it_is_parsed(shipped: Served) -> None:
    document = shipped.html(PAGE)
    assert re.findall(r"<script[^>]*\ssrc=", document) == []
    assert re.findall(r'<link[^>]*(?:modulepreload|as="script")', document) == []


def test_inline_script_is_below_1500_bytes(shipped: Served) -> None:
    """Counted as it travels: compressed with brotli, all scripts that run together."""
    scripts = re.findall(r"<script>(.*?)</script>", shipped.html(PAGE), re.DOTALL)
    assert 0 < len(brotli.compress("".join(scripts).encode())) < 1_500


def test_html_holds_only_the_open_branch_of_its_sidebar(editions: Served) -> None:
    document = editions.html("/guide/dry")
    assert 'href="/guide/heat"' in document
    assert 'href="/guide/deep/glaze"' not in document


SHIFTS = """
window.shifts = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


def test_page_does_not_move_when_fonts_come_late(shipped: Served, open_reader: OpenReader) -> None:
    """Text is painted in a fallback before, and stays."""
    reader = open_reader(shipped, "/search", settings(init_script=SHIFTS))
    fonts = Gate()
    reader.context.route("**/*.woff2", fonts)
    # The load event comes after the fonts.
    reader.page.goto(shipped.url(WITHOUT_DIAGRAM), wait_until="commit")
    reader.page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length > 0")
    fonts.wait_until(reader.page, lambda held: len(held) == 3)
    fonts.open()
    reader.page.wait_for_function("() => document.fonts.status === 'loaded'")
    reader.page.evaluate(SETTLE)
    assert reader.page.evaluate("window.shifts") == 0
