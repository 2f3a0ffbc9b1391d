"""`recto dev`: this process builds, one of its own serves, until both are told to stop."""

from __future__ import annotations

import multiprocessing
import signal
import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Self

from recto.build.build import build_site
from recto.dev.app import create_dev_app
from recto.dev.state import State, save_state
from recto.dev.watching import take_snapshot, wait_for_change
from recto.diagnostics import Diagnostic
from recto.errors import RectoError
from recto.server.run import address_of, bind_sockets, run_app

_STOP_S = 5

Tell = Callable[[Sequence[Diagnostic], str, float], None]
"""Told after each build: what is wrong, why there was none (or nothing), seconds that it took."""


def run_dev(site_dir: Path, *, host: str, port: int, tell: Tell) -> None:
    """Build a site, serve it, and build it anew after each change, until SIGINT or SIGTERM.

    Args:
        site_dir: The folder that holds `recto.toml`.
        host: Name or address to listen on.
        port: 0 takes a free one.
        tell: Told about each build.

    Raises:
        ServeError: the port cannot be had.
    """
    work_dir = site_dir / ".recto" / "dev"
    out, state_path = work_dir / "published", work_dir / "state.json"
    state_path.unlink(missing_ok=True)
    sockets = bind_sockets(host, port)
    line = f"Serving {site_dir} at {address_of(host, sockets)}/ while it is written"
    snapshot = take_snapshot(site_dir, out)
    number = 1
    _build(site_dir, out, state_path, number, tell)
    # Another process: builds fork workers, which must not be done beside the threads of a server.
    server = multiprocessing.get_context("spawn").Process(
        target=_serve, args=(out, state_path, sockets, line), daemon=True
    )
    with _Signals() as signals:
        server.start()
        try:
            while (
                changed := wait_for_change(
                    site_dir, snapshot, leaves_out=out, should_stop=lambda: signals.came or not server.is_alive()
                )
            ) is not None:
                snapshot = changed
                number += 1
                _build(site_dir, out, state_path, number, tell)
        finally:
            server.terminate()
            server.join(_STOP_S)


def _build(site_dir: Path, out: Path, state_path: Path, number: int, tell: Tell) -> None:
    """Build, whatever is wrong with the content, and say how it went."""
    started = time.perf_counter()
    try:
        built = build_site(site_dir, out, publishes_always=True)
        state = State(number, built.build_id, built.diagnostics)
    except RectoError as error:
        state = State(number, "", [], str(error))
    save_state(state_path, state)
    tell(state.problems, state.failure, time.perf_counter() - started)


def _serve(out: Path, state_path: Path, sockets: list[socket.socket], line: str) -> None:
    run_app(create_dev_app(out, state_path), sockets, lambda: print(line, flush=True), grace_s=1)


class _Signals:
    """Notes that the process was told to stop, in the place of ending at once."""

    def __init__(self) -> None:
        self.came = False

    def __enter__(self) -> Self:
        self._before = {number: signal.signal(number, self._note) for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, _: int, __: FrameType | None) -> None:
        self.came = True
