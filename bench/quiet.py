"""Whether the machine was quiet: figures taken while others use it are doubtful, and say so."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

BUSY_LOAD = 0.5
"""Load average of one minute before the start."""
BUSY_STEAL = 0.02
"""Share of processor time that the host gave to others while this machine wanted it."""


class ProcessorTimes(msgspec.Struct, frozen=True):
    """The first line of `/proc/stat`, in clock ticks since the start of the machine."""

    total: int
    stolen: int


def read_processor_times() -> ProcessorTimes:
    """Read the counters of all processors together."""
    with Path("/proc/stat").open(encoding="ascii") as lines:
        return parse_processor_times(lines.readline())


def parse_processor_times(line: str) -> ProcessorTimes:
    """Read `cpu user nice system idle iowait irq softirq steal …`; guest time is in user time already."""
    ticks = [int(word) for word in line.split()[1:9]]
    return ProcessorTimes(total=sum(ticks), stolen=ticks[7])


def describe_load() -> str:
    """Say whether anything else runs at the start."""
    load = os.getloadavg()[0]
    return f"load {load:.2f}" + ("; NOT QUIET, figures are doubtful" if load > BUSY_LOAD else "")


def describe_steal(before: ProcessorTimes, after: ProcessorTimes) -> str:
    """Say how much processor time the host took away between two readings."""
    share = (after.stolen - before.stolen) / max(1, after.total - before.total)
    return f"steal {share:.0%}" + ("; NOT QUIET, compare ratios only" if share > BUSY_STEAL else "")
