"""What each function of an extension costs, added up over all processes of a build."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import NamedTuple


class Cost(NamedTuple):
    """What a function has cost."""

    extension: str
    function: str
    """Kind and name."""
    calls: int
    seconds: float


class Timings:
    """Notes costs in a file that all processes share, once one is given."""

    def __init__(self) -> None:
        self.file: Path | None = None
        """Where costs are noted; None does without."""

    def note(self, extension: str, function: str, seconds: float) -> None:
        """Note a call."""
        if self.file is not None:
            # One write to the end of a file is not mixed with those of others.
            with contextlib.suppress(OSError), self.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps([extension, function, seconds]) + "\n")

    def take(self) -> list[Cost]:
        """Add up what was noted, the most expensive first, and forget it."""
        if self.file is None or not self.file.is_file():
            return []
        sums: dict[tuple[str, str], tuple[int, float]] = {}
        for line in self.file.read_text(encoding="utf-8").splitlines():
            extension, function, seconds = json.loads(line)
            calls, total = sums.get((extension, function), (0, 0.0))
            sums[extension, function] = calls + 1, total + seconds
        self.file.unlink()
        return sorted((Cost(*key, *value) for key, value in sums.items()), key=lambda one: -one.seconds)
