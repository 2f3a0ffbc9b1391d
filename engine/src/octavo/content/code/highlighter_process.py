"""Blocks of code that are highlighted by another process, because nothing in this thread could end a lexer that hangs."""

from __future__ import annotations

import atexit
import os

import msgspec

from octavo.content.code.budget import BUDGET_S, SlowCodeError
from octavo.runtime import HelperProcess

Run = tuple[str, str]
"""(class, text)."""

_SECONDS = 30 * BUDGET_S
"""That an answer may take. The process itself counts its CPU time; this is for systems without a timer, and for busy machines."""

_decode = msgspec.json.Decoder(list[Run] | None).decode


def runs_from_process(language: str, code: str) -> list[Run]:
    """Have a block highlighted.

    Args:
        language: A name that Pygments knows.
        code: The code, without its final line end.

    Raises:
        SlowCodeError: it takes too long.
    """
    text = code.encode(errors="replace").decode()
    question = msgspec.json.encode((language, text))
    answer = _process().ask(question)
    if not answer.line and not answer.is_late:  # it was ended by somebody else, before or meanwhile
        answer = _process().ask(question)
    runs: list[Run] | None = _decode(answer.line) if answer.line else None
    if runs is None:
        raise SlowCodeError
    return runs


_processes: dict[int, HelperProcess] = {}
"""Of this process, by its id: one that was forked starts its own."""


def _process() -> HelperProcess:
    process_id = os.getpid()
    if process_id not in _processes:
        _processes[process_id] = HelperProcess("octavo.content.code.highlighter_child", _SECONDS)
        atexit.register(_processes[process_id].close)
    return _processes[process_id]
