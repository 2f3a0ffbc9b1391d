"""What a benchmark says: lines and tables as they come, bounds and skipped parts once more at the end."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from bench import paths
from bench.figures import Bound
from bench.quiet import describe_load, describe_steal, read_processor_times
from bench.table import format_table


class Report:
    """Prints at once, keeps what the end needs."""

    def __init__(self) -> None:
        self.bounds: list[Bound] = []
        self.skipped: list[str] = []
        self.failures: list[str] = []
        self._tables: list[dict[str, Any]] = []
        self._times = read_processor_times()

    def open(self) -> None:
        """Print what the figures depend on."""
        self.say(f"bench: {describe_machine()}; {describe_load()}")

    def say(self, line: str = "") -> None:
        """Print a line."""
        print(line, flush=True)

    def head(self, title: str) -> None:
        """Print a section's title."""
        self.say(f"\n{title}\n{'=' * len(title)}")

    def table(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Print a table and keep it for the file of results."""
        self.say(format_table(header, rows))
        self._tables.append({"header": list(header), "rows": [list(row) for row in rows]})

    def bound(self, bound: Bound) -> None:
        """Print a figure beside its bound."""
        self.say(bound.format())
        self.bounds.append(bound)

    def skip(self, what: str, why: object) -> None:
        """Say loudly that a part is missing."""
        self.skipped.append(f"{what}: {why}")
        self.say(f"SKIPPED  {what}: {why}")

    def fail(self, what: str, why: object) -> None:
        """Say that a part could not be measured although everything is there."""
        self.failures.append(f"{what}: {why}")
        self.say(f"FAILED   {what}: {why}")

    def close(self) -> None:
        """Print each bound beside its figure in one table, what was missed by how much, and what could not be measured."""
        self.head("In short")
        missed = [bound for bound in self.bounds if not bound.is_met]
        if self.bounds:
            self.say(format_table(["bound", "figure", "limit", "verdict"], [bound.cells() for bound in self.bounds]))
            self.say(f"\n{len(self.bounds) - len(missed)} of {len(self.bounds)} bounds met")
        for bound in missed:
            self.say(bound.format())
        for line in self.skipped:
            self.say(f"SKIPPED  {line}")
        for line in self.failures:
            self.say(f"FAILED   {line.partition(chr(10))[0]}")
        self.say(f"machine meanwhile: {describe_steal(self._times, read_processor_times())}")

    def write(self, name: str) -> Path:
        """Write everything as JSON to `bench/results/`."""
        paths.RESULTS.mkdir(parents=True, exist_ok=True)
        path = paths.RESULTS / f"{name}.json"
        content = {
            "taken": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": describe_machine(),
            "steal": describe_steal(self._times, read_processor_times()),
            "tables": self._tables,
            "bounds": [{**msgspec.structs.asdict(bound), "is_met": bound.is_met} for bound in self.bounds],
            "skipped": self.skipped,
            "failures": self.failures,
        }
        path.write_bytes(msgspec.json.format(msgspec.json.encode(content)) + b"\n")
        return path


def describe_machine() -> str:
    """Name cores, memory, processor, kernel and Python in one line."""
    memory_gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1024**3
    return (
        f"{os.cpu_count()} cores, {memory_gib:.0f} GiB, {_processor()}, "
        f"{platform.system()} {platform.release()}, Python {platform.python_version()}"
    )


def _processor() -> str:
    with Path("/proc/cpuinfo").open(encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()
