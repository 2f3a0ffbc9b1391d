"""Loads under Chromium's own trace, with nothing of ours in the page.

An instrument that attaches to a page pays its way there: Playwright's listeners make V8 parse all scripts again for
the stack of a request (40 ms of one task here), and open a second world in each document. So this speaks to the
browser over its pipe and lets go of a page before the page is loaded.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bench import install
from bench.errors import BenchError, Unavailable
from bench.processes import stop

CATEGORIES = ["toplevel", "disabled-by-default-devtools.timeline"]
_ANSWER_S = 30
_STOP_S = 10
_CHUNK = 1 << 20
_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--no-first-run",
    "--remote-debugging-pipe",
    # Other hosts fail at once and everywhere alike, instead of hanging where a machine does not reach them.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


@contextmanager
def open_traced_browser() -> Iterator[TracedBrowser]:
    """Start a headless Chromium that is spoken to by a pipe.

    Raises:
        Unavailable: there is none, or it does not answer.
    """
    ours_in, theirs_out = os.pipe()
    theirs_in, ours_out = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        # The browser reads its descriptor 3 and writes to 4.
        shell = ["sh", "-c", f'exec 3<&{theirs_in} 4>&{theirs_out}; exec "$@"', "sh"]
        command = [*shell, install.chromium(), *_FLAGS, f"--user-data-dir={profile}"]
        process = subprocess.Popen(
            command,
            pass_fds=(theirs_in, theirs_out),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        try:
            browser = TracedBrowser(ours_in, ours_out)
            browser.call("Browser.getVersion")
            yield browser
        except OSError as error:
            raise Unavailable(f"no Chromium starts ({error}); set CHROME_PATH or install one") from error
        finally:
            stop(process, _STOP_S)
            os.close(ours_in)
            os.close(ours_out)


class TracedBrowser:
    """A browser at the other end of two pipes; messages are JSON with a NUL at the end."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._rest = b""
        self._events: list[dict[str, Any]] = []
        self._calls = 0

    def trace_load(
        self, url: str, *, width_px: int, height_px: int, settle_s: float, slowdown: float = 1
    ) -> list[dict[str, Any]]:
        """Load a page in a window of its own, with an empty cache; gives the events of the trace.

        Args:
            url: Its address.
            width_px: Of the window.
            height_px: Of the window.
            settle_s: How long it is watched after the request, in seconds.
            slowdown: How many times as long the processor takes. Above 1 the browser stays attached to the page, but
                listens to nothing of it.

        Raises:
            BenchError: the browser refuses, or does not answer in time.
        """
        context = self.call("Target.createBrowserContext")
        window = {"newWindow": True, "width": width_px, "height": height_px}
        page = {"targetId": self.call("Target.createTarget", url="about:blank", **context, **window)["targetId"]}
        self.call("Tracing.start", transferMode="ReturnAsStream", traceConfig={"includedCategories": CATEGORIES})
        session = self.call("Target.attachToTarget", flatten=True, **page)["sessionId"]
        if slowdown > 1:
            self.call("Emulation.setCPUThrottlingRate", session, rate=slowdown)
        self.call("Page.navigate", session, url=url)
        if slowdown == 1:
            self.call("Target.detachFromTarget", sessionId=session)
        time.sleep(settle_s)
        self.call("Tracing.end")
        trace = self._read_stream(self._wait_for("Tracing.tracingComplete")["stream"])
        self.call("Target.disposeBrowserContext", **context)
        events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
        return events

    def call(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """Ask the browser, or a page of it.

        Raises:
            BenchError: it refuses, or does not answer in time.
        """
        self._calls += 1
        message: dict[str, Any] = {"id": self._calls, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        os.write(self._outgoing, json.dumps(message).encode() + b"\0")
        while (answer := self._read()).get("id") != self._calls:
            self._events.append(answer)
        if "error" in answer:
            raise BenchError(f"The browser refuses {method}: {answer['error']['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    def _wait_for(self, event: str) -> dict[str, Any]:
        while True:
            for index, known in enumerate(self._events):
                if known.get("method") == event:
                    params: dict[str, Any] = self._events.pop(index)["params"]
                    return params
            self._events.append(self._read())

    def _read_stream(self, handle: str) -> str:
        parts: list[str] = []
        is_end = False
        while not is_end:
            chunk = self.call("IO.read", handle=handle)
            parts.append(chunk["data"])
            is_end = chunk["eof"]
        self.call("IO.close", handle=handle)
        return "".join(parts)

    def _read(self) -> dict[str, Any]:
        deadline = time.monotonic() + _ANSWER_S
        while b"\0" not in self._rest:
            is_ready, _, _ = select.select([self._incoming], [], [], max(0, deadline - time.monotonic()))
            chunk = os.read(self._incoming, _CHUNK) if is_ready else b""
            if not chunk:
                raise BenchError(f"The browser says nothing for {_ANSWER_S} s, or has gone.")
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message
