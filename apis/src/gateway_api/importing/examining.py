"""Reading and preparing lines, many at a time: pure work, which other processes may do."""

from __future__ import annotations

import marshal
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, islice
from multiprocessing import get_context
from typing import Any

from pydantic import ValidationError

from gateway_api.prices import PriceList
from gateway_api.recording import Record, read_record
from gateway_api.store.recording import prepare_record

MOST_LINE_BYTES = 8_388_608
BLOCK_LINES = 1_000
"""Lines that are examined together."""

FEWEST_BLOCKS = 8
"""Files of fewer blocks are examined in this process: others take as long to start."""

MOST_PROCESSES = 4
"""More are of no use: this process puts together what they find."""

_BOM = b"\xef\xbb\xbf"

Lines = tuple[int, list[bytes]]
"""Number of the first line, from 1, and lines as the file has them."""


@dataclass(slots=True)
class Examined:
    """What was found in some lines."""

    workspaces: dict[str | None, list[int]] = field(default_factory=dict)
    """Workspaces that are named → lines that do."""

    ids: list[str] = field(default_factory=list)
    """All ids that were given, in the order of the lines."""

    id_lines: list[int] = field(default_factory=list)
    """Line of each of these ids."""

    short_ids: list[bytes] = field(default_factory=list)
    """The ids in a third of the memory."""

    complaints: list[tuple[int, str]] = field(default_factory=list)
    """Wrong lines: number and reason."""

    count: int = 0
    """Records that were read."""

    records: bytes = b""
    """The records as `marshal` writes them: a list of workspaces' names and values of `Prepared`."""


def examine_all(blocks: Iterable[Lines], prices: PriceList) -> Iterator[Examined]:
    """Examine all lines of a file, in order; a large file by several processes."""
    blocks = iter(blocks)
    first = list(islice(blocks, FEWEST_BLOCKS))
    processes = _count_processes() if len(first) == FEWEST_BLOCKS else 1
    if processes == 1:
        for block in chain(first, blocks):
            yield examine(block, prices)
        return
    # Forked, so that they need not import everything again. They use neither the database nor open files.
    with ProcessPoolExecutor(processes, get_context("fork"), _ignore_interrupt) as pool:
        waiting: deque[Future[Examined]] = deque()
        for block in chain(first, blocks):
            waiting.append(pool.submit(examine, block, prices))
            if len(waiting) > 2 * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def examine(block: Lines, prices: PriceList) -> Examined:
    """Examine some lines."""
    found, prepared = Examined(), []
    first_number, lines = block
    for number, line in enumerate(lines, start=first_number):
        content = line.removeprefix(_BOM).strip() if number == 1 else line.strip()
        record = _read(found, number, content) if content else None
        if record is None:
            continue
        ids = record.take_ids()
        found.ids += ids
        found.id_lines += [number] * len(ids)
        found.workspaces.setdefault(record.workspace, []).append(number)
        prepared.append((record.workspace, *prepare_record(record, prices)))
    found.short_ids = [bytes.fromhex(id_.replace("-", "")) for id_ in found.ids]
    found.count = len(prepared)
    found.records = marshal.dumps(prepared)
    return found


def _read(found: Examined, number: int, line: bytes) -> Record | None:
    if len(line) > MOST_LINE_BYTES:
        found.complaints.append((number, f"is longer than {MOST_LINE_BYTES} bytes"))
        return None
    try:
        return read_record(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        found.complaints.append((number, f"{place}: {first['msg']}" if place else first["msg"]))
        return None


def _count_processes() -> int:
    """Number of processes to use; one where forking is not safe: beside threads, or on another system."""
    if sys.platform != "linux" or threading.active_count() > 1:
        return 1
    return min(len(os.sched_getaffinity(0)), MOST_PROCESSES)


def _ignore_interrupt(*_: Any) -> None:
    """Leave Ctrl+C to the process that was started by the user."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
