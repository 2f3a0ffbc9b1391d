"""`dev`: from saving a page to its text on the screen, at 1,000 pages; how long the server takes to start, and how it grows."""

from __future__ import annotations

import http.client
import json
import os
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from playwright.sync_api import Page

from bench.builders import Builder, make_octavo_with_search
from bench.corpus import change_a_word, has_word, load_corpus, page_paths
from bench.errors import BenchError
from bench.figures import Bound, summarise
from bench.pages import find_page
from bench.processes import MIB, memory_bytes, process_tree
from bench.report import Report
from bench.visit import open_browser

EDITS = 20
MEDIAN_MS = 50
WORST_MS = 150
LOOK_MS = 100
LOOKS = ("#0a7d55", "#7d0a55", "#550a7d", "#0a557d", "#7d550a", "#a31515", "#155ea3")
"""Colors that are set one after another, each readable on both grounds."""
COLD_S = 1.5
WARM_S = 0.6
SEARCH_S = 1.0
LASTING_EDITS = 500
SETTLED_EDITS = 200
"""Edits after which the search index has been made anew once, which it is again and again from then on."""
GROWTH = 1.1
"""Memory after all lasting edits, as a multiple of that after `SETTLED_EDITS`, to count as flat."""
_START_S = 120
_ASK_S = 60

_WATCH = """word => { window.seenAt = null; const look = () => {
  if (document.querySelector("#main")?.textContent.includes(word)) {
    // The frame after the one in which it is there: it has been painted.
    requestAnimationFrame(() => { window.seenAt = performance.timeOrigin + performance.now(); });
  } else requestAnimationFrame(look);
}; look(); }"""


_WATCH_COLOR = """() => { window.seenAt = null; const color = () => getComputedStyle(document.documentElement).getPropertyValue("--accent");
const before = color(); const look = () => {
  if (color() !== before) {
    requestAnimationFrame(() => { window.seenAt = performance.timeOrigin + performance.now(); });
  } else requestAnimationFrame(look);
}; look(); }"""


class _Server(NamedTuple):
    """A running server."""

    pid: int
    host: str
    """With the port."""
    shown_s: float
    """From its start until its first page was there whole, in s."""

    @property
    def memory_mib(self) -> float:
        """What it and its processes hold, pages that they share counted once."""
        return sum(memory_bytes(pid, "pss") for pid in process_tree(self.pid)) / MIB

    @property
    def cpu_s(self) -> float:
        """What it and its processes have used so far."""
        ticks = [_ticks(pid) for pid in process_tree(self.pid)]
        return sum(ticks) / os.sysconf("SC_CLK_TCK")


def run(report: Report, *, edits: int = EDITS) -> None:
    """Start without and with a cache, then edit pages spread evenly over the corpus."""
    corpus = load_corpus()
    sources = page_paths(corpus.folder)
    report.head(f"octavo dev, {corpus.pages:,} pages: start, and {edits} saves of different pages, in Chromium")
    builder = make_octavo_with_search(corpus)
    builder.clear()
    shutil.rmtree(builder.folder / ".octavo", ignore_errors=True)
    with _started(builder) as server:
        cold_s = server.shown_s
        _wait_for_search(server, "the")  # until all is drawn and indexed
    with _started(builder) as server:
        warm_s = server.shown_s
        routes = _routes(server, sources)
        touched = [sources[number * len(sources) // edits] for number in range(edits)]
        with open_browser() as browser:
            page = browser.new_page()
            used_s = server.cpu_s
            taken_ms = [
                _save(page, server, builder, routes[source], source, f"Saved{number}word")
                for number, source in enumerate(touched)
            ]
            used_s = server.cpu_s - used_s
            titled_ms = [
                _save_title(page, server, builder, routes[source], source, f"Titled{number}word")
                for number, source in enumerate(touched[:: max(1, edits // 5)])
            ]
            colored_ms = [_save_color(page, server, builder, color) for color in LOOKS]
        found_s = _time_search(server, builder, touched[0])
        with_words = [source for source in sources if has_word(builder.pages / source)]
        first_mib, last_mib = _edit_long(server, builder, with_words)
    wall, titles, colors = summarise(taken_ms), summarise(titled_ms), summarise(colored_ms)
    report.table(
        ["ms from saving to the screen", "median", "best", "worst"],
        [
            ["text", f"{wall.median:.0f}", f"{wall.low:.0f}", f"{wall.high:.0f}"],
            ["title", f"{titles.median:.0f}", f"{titles.low:.0f}", f"{titles.high:.0f}"],
            ["color of [theme]", f"{colors.median:.0f}", f"{colors.low:.0f}", f"{colors.high:.0f}"],
        ],
    )
    report.table(
        [
            "server",
            "CPU per save, visit included",
            f"memory after {SETTLED_EDITS} edits",
            f"after {LASTING_EDITS} edits",
        ],
        [["", f"{used_s / edits * 1000:.0f} ms", f"{first_mib:.0f} MiB", f"{last_mib:.0f} MiB"]],
    )
    report.bound(Bound("dev: first page without a cache", cold_s, COLD_S, "s"))
    report.bound(Bound("dev: first page with a cache", warm_s, WARM_S, "s"))
    report.bound(Bound("dev: from saving to the screen, median", wall.median, MEDIAN_MS, "ms"))
    report.bound(Bound("dev: from saving to the screen, worst", wall.high, WORST_MS, "ms"))
    report.bound(Bound("dev: from saving a color to the screen, median", colors.median, LOOK_MS, "ms"))
    report.bound(Bound("dev: from saving to search", found_s, SEARCH_S, "s"))
    report.bound(
        Bound(
            f"dev: memory after {LASTING_EDITS} edits",
            last_mib / first_mib,
            GROWTH,
            f"times that after {SETTLED_EDITS}",
        )
    )


@contextmanager
def _started(builder: Builder) -> Iterator[_Server]:
    """Start the server, and end it.

    Raises:
        BenchError: it did not start.
    """
    command = [sys.executable, "-m", "octavo", "dev", str(builder.folder), "--port", "0"]
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            host = _read_host(process)
            status, _ = _ask(host, "/")
            if status != 200:
                raise BenchError(f"octavo dev answered {status} for its first page.")
            yield _Server(process.pid, host, time.perf_counter() - started)
        finally:
            process.terminate()
            process.wait(20)


def _read_host(process: subprocess.Popen[str]) -> str:
    deadline = time.monotonic() + _START_S
    while process.stdout is not None and time.monotonic() < deadline:
        ready = select.select([process.stdout], [], [], deadline - time.monotonic())[0]
        line = process.stdout.readline() if ready else ""
        if found := re.search(r"http://([^/\s]+)", line):
            return found[1]
        if not line:
            break
    raise BenchError("octavo dev did not start.")


def _ask(host: str, path: str, body: str | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(host, timeout=_ASK_S)
    headers = {"x-algolia-application-id": "octavo", "x-algolia-api-key": "public-search-key"} if body else {}
    try:
        connection.request("POST" if body else "GET", path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def _routes(server: _Server, sources: list[str]) -> dict[str, str]:
    """Find the route of each source.

    Raises:
        BenchError: one has none.
    """
    listed = re.findall(r"<loc>([^<]*)</loc>", _ask(server.host, "/sitemap.xml")[1].decode())
    paths = [unquote(urlsplit(address).path).strip("/") for address in listed]
    pages = {f"{path}/index.html".removeprefix("/"): path for path in paths}
    found = {source: find_page(source, pages) for source in sources}
    missing = [source for source, page in found.items() if page is None]
    if missing:
        raise BenchError(f"octavo dev has no page for {missing[0]}.")
    return {source: f"/{pages[page]}" for source, page in found.items() if page is not None}


def _count_hits(server: _Server, query: str) -> int:
    status, body = _ask(server.host, "/1/indexes/docs/query", json.dumps({"query": query}))
    return int(json.loads(body)["nbHits"]) if status == 200 else 0


def _wait_for_search(server: _Server, query: str) -> None:
    deadline = time.monotonic() + _START_S
    while not _count_hits(server, query):
        if time.monotonic() > deadline:
            raise BenchError(f'"{query}" was never found.')
        time.sleep(0.02)


def _time_search(server: _Server, builder: Builder, source: str) -> float:
    """Save a page, and wait until its new word is found; gives s."""
    change_a_word(builder.pages / source, "Xylophonic")
    saved = time.perf_counter()
    _wait_for_search(server, "xylophonic")
    return time.perf_counter() - saved


def _find_token(server: _Server) -> str:
    """Read from the first page what opens the event stream.

    Raises:
        BenchError: it holds none.
    """
    connection = http.client.HTTPConnection(server.host, timeout=_ASK_S)
    try:
        connection.request("GET", "/")
        found = re.search(rb'data-token="([^"]+)"', connection.getresponse().read())
    finally:
        connection.close()
    if found is None:
        raise BenchError("A page of octavo dev has no token for its events.")
    return found[1].decode()


def _edit_long(server: _Server, builder: Builder, sources: list[str]) -> tuple[float, float]:
    """Edit pages one after another, each as soon as the last one was told.

    Returns:
        MiB of the server after `SETTLED_EDITS`, and in the end.

    Raises:
        BenchError: an edit was not followed.
    """
    connection = http.client.HTTPConnection(server.host, timeout=_ASK_S)
    connection.request("GET", f"/_octavo/dev/events?token={_find_token(server)}")
    answer = connection.getresponse()
    numbers = (json.loads(line[6:])["number"] for line in answer if line.startswith(b"data: "))
    first_mib = 0.0
    try:
        number = next(numbers)
        for edit in range(LASTING_EDITS):
            change_a_word(builder.pages / sources[edit * 7 % len(sources)], f"Lasting{edit}word")
            number = next(later for later in numbers if later > number)
            if edit == SETTLED_EDITS:
                _wait_for_search(server, f"lasting{edit}word")
                first_mib = server.memory_mib
        _wait_for_search(server, f"lasting{LASTING_EDITS - 1}word")
    except (StopIteration, OSError) as error:
        raise BenchError("An edit was not followed.") from error
    finally:
        connection.close()
    return first_mib, server.memory_mib


def _ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])


def _save(page: Page, server: _Server, builder: Builder, route: str, source: str, word: str) -> float:
    """Save a page that is open, and wait until it shows the new word; gives ms."""
    return _time_save(page, server, route, word, lambda: change_a_word(builder.pages / source, word))


def _save_title(page: Page, server: _Server, builder: Builder, route: str, source: str, word: str) -> float:
    """The same with its title, which is in the sidebar of every page."""
    path = builder.pages / source
    text = path.read_text(encoding="utf-8")
    _, front, body = text.split("---\n", 2) if text.startswith("---\n") else ("", "", text)
    kept = "".join(line for line in front.splitlines(keepends=True) if not line.startswith("title:"))
    return _time_save(
        page, server, route, word, lambda: path.write_text(f"---\ntitle: {word}\n{kept}---\n{body}", encoding="utf-8")
    )


def _save_color(page: Page, server: _Server, builder: Builder, color: str) -> float:
    """Save another color of `[theme]` while the first page is open, and wait until it is shown; gives ms."""
    settings = builder.folder / "octavo.toml"
    text = settings.read_text(encoding="utf-8").partition("\n[theme]\n")[0]
    saved = f'{text}\n[theme]\naccent = "{color}"\n'
    return _time_change(page, server, "/", f"({_WATCH_COLOR})()", lambda: settings.write_text(saved, encoding="utf-8"))


def _time_save(page: Page, server: _Server, route: str, word: str, save: Callable[[], object]) -> float:
    """Open a page, save its source, and wait until it shows a word; gives ms."""
    return _time_change(page, server, route, f"({_WATCH})({json.dumps(word)})", save)


def _time_change(page: Page, server: _Server, route: str, watch: str, save: Callable[[], object]) -> float:
    """Open a page, save a file, and wait until the page has changed; gives ms.

    Args:
        page: Of the browser.
        server: What shows it.
        route: Of the page.
        watch: Script that sets `seenAt` of the window once the change is painted.
        save: Saves the file.

    Raises:
        BenchError: it never changes.
    """
    page.goto(f"http://{server.host}{quote(route)}")
    page.wait_for_function("() => document.documentElement.dataset.hydrated !== undefined")
    page.wait_for_load_state("load")
    page.wait_for_timeout(500)  # until the author's eyes are on the text: nothing of the visit itself is measured
    page.evaluate(watch)
    saved_ms = time.time() * 1000
    save()
    try:
        page.wait_for_function("() => window.seenAt !== null", timeout=20_000)
    except Exception as error:
        raise BenchError(f"What was saved for {route} did not come to the screen.") from error
    seen_ms: float = page.evaluate("window.seenAt")
    return seen_ms - saved_ms
