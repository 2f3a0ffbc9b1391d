"""A file that is followed, in steps that a test chooses.

Between two looks at the file the follower waits for its `stop`: here that takes the next step of a test's script, so
that no test waits for the clock.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import select

from apis.tests.contract.gateway.exchanges import make_exchange
from gateway_api.ingestion import Ingestion
from gateway_api.ingestion.following import Follower
from gateway_api.tables import followed_files, prompts

PAUSE_S = 0.006


class Script(threading.Event):
    """An event that takes the next step of a script whenever somebody waits for it, and is set after the last one."""

    def __init__(self, *steps: Callable[[], object]) -> None:
        super().__init__()
        self._steps: Iterator[Callable[[], object]] = iter(steps)
        self.waits: list[float | None] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout)
        step = next(self._steps, None)
        if step is None:
            self.set()
        else:
            step()
        return self.is_set()


def nothing() -> None:
    """Let the follower look once more."""


def line(message: str, **changes: Any) -> str:
    return json.dumps(make_exchange("default", messages=[message]).model_dump(mode="json") | changes)


def append(path: Path, *lines: str, end: str = "\n") -> None:
    with path.open("a", encoding="utf-8", newline="") as file:
        file.write("".join(f"{one}{end}" for one in lines))


def stored(ingestion: Ingestion) -> list[str]:
    with ingestion.database.reading() as connection:
        return list(connection.scalars(select(prompts.c.first_message).order_by(prompts.c.id)))


def places(ingestion: Ingestion) -> dict[str, int]:
    """File name → bytes that were read."""
    with ingestion.database.reading() as connection:
        rows = connection.execute(select(followed_files.c.name, followed_files.c.position)).all()
    return {row.name: row.position for row in rows}


class Run:
    """What a follower has done until its script ended."""

    def __init__(self, path: Path, ingestion: Ingestion, *steps: Callable[[], object], is_once: bool = False) -> None:
        self.said: list[str] = []
        self.told: list[tuple[int, int, int]] = []
        self.ready: list[str] = []
        self.script = Script(*steps, *([nothing] * 100 if is_once else []))
        follower = Follower(
            path,
            ingestion,
            self.said.append,
            stop=self.script,
            tell=lambda done: self.told.append((done.count, done.repeated, done.rejected)),
            ready=lambda: self.ready.append("ready"),
        )
        self.done = follower.run(is_once=is_once)
