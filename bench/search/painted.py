"""`python -m bench.search.painted FOLDER PATH WORD…`: from a key to painted results where a search is answered by files.

FOLDER is a published site, PATH one of its pages. It is served as `python -m http.server` does. The words are typed four
times: the first time the files of the index are loaded, then they are there.
"""

from __future__ import annotations

import functools
import http.server
import os
import sys
import threading

from bench.errors import BenchError
from bench.search.dialog import observe_painted, type_word
from bench.search.speed import percentile
from bench.serving import HOST
from bench.visit import open_browser

PASSES = 4
_FIRST_TIMEOUT_MS = 30_000


class _Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


def main(folder: str, path: str, words: list[str]) -> None:
    """Type the words and print a line for each time.

    Raises:
        BenchError: something else than the files has answered, or nothing.
    """
    server = http.server.ThreadingHTTPServer((HOST, 0), functools.partial(_Files, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with open_browser() as browser:
        page = browser.new_page()
        page.goto(f"http://{HOST}:{server.server_port}{path}")
        page.wait_for_function("() => document.documentElement.dataset.hydrated !== undefined")
        page.keyboard.press("Control+k")
        page.wait_for_selector("dialog input:focus")
        observe_painted(page)
        for number in range(PASSES):
            page.evaluate("() => { window.painted.length = 0 }")
            for word in words:
                type_word(page, word, timeout_ms=_FIRST_TIMEOUT_MS)
            if page.get_attribute("dialog .search-frame", "data-answered-by") != "static":
                raise BenchError("The files have not answered.")
            times_ms: list[float] = page.evaluate("window.painted")
            p50, p90 = percentile(times_ms, 50), percentile(times_ms, 90)
            load = os.getloadavg()[0]
            print(f"{number + 1}: {len(times_ms)} keys, p50 {p50:.0f} ms, p90 {p90:.0f} ms, load {load:.0f}")
    server.shutdown()


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
