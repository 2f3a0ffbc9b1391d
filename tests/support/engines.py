"""Other browsers than Chromium, where they are installed: Firefox by Marionette, WebKitGTK by its WebDriver.

Both speak the commands of WebDriver, Firefox over a socket of its own (Debian has no geckodriver for it).
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

START_S = 60
WAIT_S = 30
_SCREENSHOTS = 5

Session = tuple[int, int]
"""Size of the window in px: width, height."""

_KEYS = {
    "Control": "\ue009",
    "Escape": "\ue00c",
    "Enter": "\ue007",
    "Tab": "\ue004",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}

# Marionette name → method and path of WebDriver.
_HTTP = {
    "Navigate": ("POST", "url"),
    "Back": ("POST", "back"),
    "Forward": ("POST", "forward"),
    "Refresh": ("POST", "refresh"),
    "ExecuteScript": ("POST", "execute/sync"),
    "PerformActions": ("POST", "actions"),
    "TakeScreenshot": ("GET", "screenshot"),
    "SetWindowRect": ("POST", "window/rect"),
}

Command = Callable[[str, dict[str, Any]], Any]
"""Name of the command (see `_HTTP`) and its parameters → its value."""


class Browser(Protocol):
    """A window of a browser."""

    def visit(self, url: str) -> None: ...

    def run(self, body: str, *arguments: Any) -> Any:
        """Run the body of a function in the page; its arguments are `arguments`."""

    def press(self, *keys: str) -> None:
        """Press keys together, or a text that is typed."""

    def click(self, selector: str) -> None: ...

    def back(self) -> None: ...

    def forward(self) -> None: ...

    def reload(self) -> None: ...

    def screenshot(self) -> bytes:
        """Take a picture of the view, as PNG."""

    def resize(self, width: int, height: int) -> None: ...


class DrivenBrowser:
    """A window that is driven by WebDriver's commands."""

    def __init__(self, command: Command) -> None:
        self._command = command

    def visit(self, url: str) -> None:
        self._command("Navigate", {"url": url})

    def run(self, body: str, *arguments: Any) -> Any:
        return self._command("ExecuteScript", {"script": body, "args": list(arguments)})

    def press(self, *keys: str) -> None:
        values = [_KEYS.get(key, key) for key in keys]
        if len(values) == 1 and len(values[0]) > 1:
            actions = [{"type": kind, "value": value} for value in values[0] for kind in ("keyDown", "keyUp")]
        else:
            actions = [{"type": "keyDown", "value": value} for value in values]
            actions += [{"type": "keyUp", "value": value} for value in reversed(values)]
        self._command("PerformActions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def click(self, selector: str) -> None:
        middle = """
            const element = document.querySelector(arguments[0]);
            let box = element.getBoundingClientRect();
            if (box.top < 0 || box.bottom > innerHeight) {
              element.scrollIntoView({ block: "center", behavior: "instant" });
              box = element.getBoundingClientRect();
            }
            return [Math.round(box.left + box.width / 2), Math.round(box.top + box.height / 2)];"""
        x, y = self.run(middle, selector)
        actions = [
            {"type": "pointerMove", "duration": 0, "x": x, "y": y},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        pointer = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}
        self._command("PerformActions", {"actions": [pointer]})

    def back(self) -> None:
        self._command("Back", {})

    def forward(self) -> None:
        self._command("Forward", {})

    def reload(self) -> None:
        self._command("Refresh", {})

    def screenshot(self) -> bytes:
        for attempt in range(1, _SCREENSHOTS + 1):
            try:
                return base64.b64decode(self._command("TakeScreenshot", {"full": False}))
            except TimeoutError:
                # On a busy machine WebKitGTK waits now and then for a frame that nothing asks it to draw. Each attempt
                # needs another change, and one that has to be painted.
                self.run(
                    "document.documentElement.style.outline = arguments[0]", f"{attempt}px solid rgb(0 0 0 / 0.01)"
                )
        raise AssertionError(f"no screenshot in {_SCREENSHOTS} attempts")

    def resize(self, width: int, height: int) -> None:
        self._command("SetWindowRect", {"x": 0, "y": 0, "width": width, "height": height})


def wait_for(browser: Browser, condition: str, *arguments: Any) -> Any:
    """Wait until an expression holds in the page, and give its value; `arguments` are its own."""
    end = time.monotonic() + WAIT_S
    while not (value := browser.run(f"return {condition};", *arguments)):
        if time.monotonic() > end:
            raise AssertionError(f"not after {WAIT_S} s: {condition}")
        time.sleep(0.05)
    return value


# Firefox


def find_firefox() -> Path | None:
    found = shutil.which("firefox-esr") or shutil.which("firefox")
    return Path(found) if found else None


@contextlib.contextmanager
def launch_firefox(program: Path, folder: Path, size: Session) -> Iterator[Browser]:
    profile = folder / "profile"
    profile.mkdir()
    options = {"marionette.port": 0, "ui.prefersReducedMotion": 1, "datareporting.policy.dataSubmissionEnabled": False}
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in options.items()]
    (profile / "user.js").write_text("\n".join(lines))
    width, height = size
    command = [program, "--headless", "--marionette", "--no-remote", "--profile", profile, "--width", str(width)]
    with _process([*command, "--height", str(height)], folder / "firefox.log") as process:
        port_file = profile / "MarionetteActivePort"
        _wait_for_start(process, lambda: port_file.is_file() and port_file.read_text().strip() != "", folder)
        with socket.create_connection(("127.0.0.1", int(port_file.read_text())), timeout=WAIT_S + 30) as connection:
            marionette = _Marionette(connection)
            marionette.send("WebDriver:NewSession", {})
            yield DrivenBrowser(lambda name, parameters: marionette.send(f"WebDriver:{name}", parameters))


class _Marionette:
    """Firefox's own protocol: messages of JSON behind their length, `[0, id, command, parameters]` and back."""

    def __init__(self, connection: socket.socket) -> None:
        self._stream = connection.makefile("rwb")
        self._count = 0
        self._read()  # its greeting

    def send(self, command: str, parameters: dict[str, Any]) -> Any:
        self._count += 1
        message = json.dumps([0, self._count, command, parameters]).encode()
        self._stream.write(b"%d:%s" % (len(message), message))
        self._stream.flush()
        _, _, error, result = self._read()
        if error:
            raise AssertionError(f"{command}: {error['error']}: {error['message']}")
        return result.get("value", result) if isinstance(result, dict) else result

    def _read(self) -> Any:
        digits = b""
        while (byte := self._stream.read(1)) != b":":
            if not byte:
                raise AssertionError("Firefox has closed the connection.")
            digits += byte
        return json.loads(self._stream.read(int(digits)))


# WebKitGTK


def find_webkit() -> tuple[Path, Path] | None:
    """Find the driver and the browser that Debian packages with it."""
    driver = shutil.which("WebKitWebDriver")
    browsers = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
    return (Path(driver), browsers[-1]) if driver and browsers and shutil.which("Xvfb") else None


@contextlib.contextmanager
def launch_webkit(programs: tuple[Path, Path], folder: Path, size: Session) -> Iterator[Browser]:
    driver, program = programs
    with _display(folder, size) as display:
        port = _free_port()
        environment = {**os.environ, "DISPLAY": display, "GTK_THEME": "Adwaita", "WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
        with _process([driver, f"--port={port}"], folder / "webkit.log", environment) as process:
            root = f"http://127.0.0.1:{port}"
            _wait_for_start(process, lambda: _answers(f"{root}/status"), folder)
            options = {"binary": str(program), "args": ["--automation"]}
            wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
            session = _ask("POST", f"{root}/session", wanted)["sessionId"]

            def command(name: str, parameters: dict[str, Any]) -> Any:
                method, path = _HTTP[name]
                return _ask(method, f"{root}/session/{session}/{path}", parameters if method == "POST" else None)

            try:
                browser = DrivenBrowser(command)
                browser.resize(*size)
                yield browser
            finally:
                _ask("DELETE", f"{root}/session/{session}", None)


@contextlib.contextmanager
def _display(folder: Path, size: Session) -> Iterator[str]:
    """Start a screen that nobody sees, large enough for a window; gives its name."""
    reader, writer = os.pipe()
    width, height = size
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp"]
    with (
        (folder / "xvfb.log").open("w") as log,
        subprocess.Popen(command, stdout=log, stderr=log, pass_fds=(writer,)) as process,
    ):
        os.close(writer)
        try:
            with os.fdopen(reader) as numbers:
                yield f":{numbers.readline().strip()}"
        finally:
            process.terminate()


def _ask(method: str, address: str, parameters: dict[str, Any] | None) -> Any:
    body = None if parameters is None else json.dumps(parameters).encode()
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=WAIT_S + 30) as answer:
            return json.loads(answer.read())["value"]
    except urllib.error.HTTPError as error:
        raise AssertionError(f"{method} {address}: {error.read().decode()[:400]}") from None


def _answers(address: str) -> bool:
    try:
        urllib.request.urlopen(address, timeout=5).close()
    except OSError:
        return False
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def _process(
    command: list[Any], log: Path, environment: dict[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("w") as output, subprocess.Popen(command, stdout=output, stderr=output, env=environment) as process:
        try:
            yield process
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()


def _wait_for_start(process: subprocess.Popen[bytes], is_ready: Callable[[], bool], folder: Path) -> None:
    end = time.monotonic() + START_S
    while not is_ready():
        if process.poll() is not None or time.monotonic() > end:
            raise AssertionError(f"The browser did not start; see the logs in {folder}.")
        time.sleep(0.1)
