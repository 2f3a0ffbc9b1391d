"""`dev`: from saving a page to its text on the screen, at 1,000 pages; and how long the server takes to start."""

from __future__ import annotations

import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import msgspec
from playwright.sync_api import Page

from bench.builders import Builder, make_recto
from bench.corpus import change_a_word, load_corpus, page_paths
from bench.errors import BenchError
from bench.figures import Bound, summarise
from bench.report import Report
from bench.visit import open_browser

EDITS = 20
MEDIAN_MS = 50
WORST_MS = 150
COLD_S = 1.5
WARM_S = 0.6
_START_S = 120

_WATCH = """word => { window.seenAt = null; const look = () => {
  if (document.querySelector("#main")?.textContent.includes(word)) {
    // The frame after the one in which it is there: it has been painted.
    requestAnimationFrame(() => { window.seenAt = performance.timeOrigin + performance.now(); });
  } else requestAnimationFrame(look);
}; look(); }"""


def run(report: Report, *, edits: int = EDITS) -> None:
    """Start without and with a cache, then edit pages spread evenly over the corpus."""
    corpus = load_corpus()
    sources = page_paths(corpus.folder)
    report.head(f"recto dev, {corpus.pages:,} pages: start, and {edits} saves of different pages, in Chromium")
    builder = make_recto(corpus)
    builder.clear()
    builder = msgspec.structs.replace(builder, out=builder.folder / ".recto" / "dev" / "published")
    shutil.rmtree(builder.folder / ".recto", ignore_errors=True)
    with _started(builder) as (_, cold_s):
        pass
    with _started(builder) as (origin, warm_s), open_browser() as browser:
        page = browser.new_page()
        touched = [sources[number * len(sources) // edits] for number in range(edits)]
        taken_ms = [_save(page, origin, builder, source, f"Saved{number}word") for number, source in enumerate(touched)]
    wall = summarise(taken_ms)
    report.table(["", "median", "best", "worst"], [["ms", f"{wall.median:.0f}", f"{wall.low:.0f}", f"{wall.high:.0f}"]])
    report.bound(Bound("dev: first page without a cache", cold_s, COLD_S, "s"))
    report.bound(Bound("dev: first page with a cache", warm_s, WARM_S, "s"))
    report.bound(Bound("dev: from saving to the screen, median", wall.median, MEDIAN_MS, "ms"))
    report.bound(Bound("dev: from saving to the screen, worst", wall.high, WORST_MS, "ms"))


@contextmanager
def _started(builder: Builder) -> Iterator[tuple[str, float]]:
    """Start the server; gives (origin, seconds until it said its address).

    Raises:
        BenchError: it did not start.
    """
    command = [sys.executable, "-m", "recto", "dev", str(builder.folder), "--port", "0"]
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            yield _read_origin(process), time.perf_counter() - started
        finally:
            process.terminate()
            process.wait(20)


def _read_origin(process: subprocess.Popen[str]) -> str:
    deadline = time.monotonic() + _START_S
    while process.stdout is not None and time.monotonic() < deadline:
        ready = select.select([process.stdout], [], [], deadline - time.monotonic())[0]
        line = process.stdout.readline() if ready else ""
        if found := re.search(r"http://[^/\s]+", line):
            return found[0]
        if not line:
            break
    raise BenchError("recto dev did not start.")


def _save(page: Page, origin: str, builder: Builder, source: str, word: str) -> float:
    """Save a page that is open, and wait until it shows the new word; gives ms.

    Raises:
        BenchError: it never does.
    """
    page.goto(f"{origin}/{quote(str(Path(builder.page_of(source)).parent))}")
    page.wait_for_function("() => document.documentElement.dataset.hydrated !== undefined")
    page.wait_for_load_state("load")
    page.wait_for_timeout(500)  # until the author's eyes are on the text: nothing of the visit itself is measured
    page.evaluate(_WATCH, word)
    saved_ms = time.time() * 1000
    change_a_word(builder.pages / source, word)
    try:
        page.wait_for_function("() => window.seenAt !== null", timeout=20_000)
    except Exception as error:
        raise BenchError(f'"{word}" was saved in {source} and did not come to the screen.') from error
    seen_ms: float = page.evaluate("window.seenAt")
    return seen_ms - saved_ms
