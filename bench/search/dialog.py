"""What the dialog costs a reader: its code on the wire, and the time from a key to painted results."""

from __future__ import annotations

import statistics
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Response

from bench.errors import BenchError
from bench.figures import Bound
from bench.report import Report
from bench.search.speed import percentile
from bench.serving import serve_site
from bench.visit import open_browser

CODE_LIMIT_KB = 15
PAINT_LIMIT_MS = 50
PAGE = "/codegate/features/muxing"
WORDS = ["workspace", "permission profile", "--transport", "secrets", "muxing rules", "kubernetes operator"]

_WATCH = """() => {
  // From the key's own time to the end of the frame that draws the answer to the field's text.
  const status = document.querySelector("dialog [role=status]");
  const field = document.querySelector("dialog input");
  window.painted = [];
  let pressed = null;
  addEventListener("keydown", (event) => { pressed = event.timeStamp; }, true);
  new MutationObserver(() => {
    if (pressed === null || !status.textContent.includes(`"${field.value}"`)) return;
    const since = pressed;
    pressed = null;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.painted.push(performance.now() - since);
      channel.port2.postMessage(null);
    });
  }).observe(status, { childList: true, characterData: true, subtree: true });
}"""


def run(report: Report) -> None:
    """Measure on the site's own pages, in a real browser."""
    report.head("Search: the dialog")
    with open_browser() as browser, serve_site() as address:
        sizes, times_ms = _measure(browser, address + PAGE)
    for name, size in sorted(sizes.items()):
        report.say(f"  {size:7,} B  {name}")
    report.say(f"{len(times_ms)} keys: p50 {percentile(times_ms, 50):.0f} ms, p95 {percentile(times_ms, 95):.0f} ms")
    scripts = sum(size for name, size in sizes.items() if name.endswith(".js"))
    report.bound(Bound("script of the dialog, its client included, brotli", scripts / 1000, CODE_LIMIT_KB, "kB"))
    report.bound(Bound("key to painted results, median", statistics.median(times_ms), PAINT_LIMIT_MS, "ms"))


def _measure(browser: Browser, url: str) -> tuple[dict[str, int], list[float]]:
    """Open the dialog and type.

    Returns:
        (file → bytes of its body on the wire; ms from each key to its painted results).
    """
    page = browser.new_page()
    try:
        page.goto(url)
        page.wait_for_function("() => document.documentElement.dataset.hydrated !== undefined")
        page.wait_for_load_state("networkidle")
        sizes = _open(page)
        observe_painted(page)
        for word in WORDS:
            type_word(page, word)
        times_ms: list[float] = page.evaluate("window.painted")
    finally:
        page.close()
    return sizes, times_ms


def _open(page: Page) -> dict[str, int]:
    files: list[Response] = []
    page.on("response", lambda response: files.append(response) if "/assets/" in response.url else None)
    page.keyboard.press("Control+k")
    page.wait_for_selector("dialog input:focus")
    return {urlsplit(file.url).path.rpartition("/")[2]: file.request.sizes()["responseBodySize"] for file in files}


def observe_painted(page: Page) -> None:
    """Note in `window.painted` how long after each key its results are painted, in ms; the dialog must be open."""
    page.evaluate(_WATCH)


def type_word(page: Page, word: str, *, timeout_ms: float = 5000) -> None:
    """Type a word; each letter waits for the results of the one before, so that every one is measured.

    Raises:
        BenchError: no results were painted in time.
    """
    page.fill("dialog input", "")
    for letter in word.rstrip():
        done = page.evaluate("window.painted.length")
        page.keyboard.press("Space" if letter == " " else letter)
        if letter == " ":
            continue
        try:
            page.wait_for_function("done => window.painted.length > done", arg=done, timeout=timeout_ms)
        except Exception as error:
            raise BenchError(f'no results were painted for "{page.input_value("dialog input")}"') from error
