"""The process in which extensions run, and what it and the build tell each other. It imports nothing of the build."""

from __future__ import annotations

from octavo.extension_host.commands import find_commands, run_command
from octavo.extension_host.processes import end_children
from octavo.extension_host.protocol import (
    Answer,
    Described,
    Failure,
    Function,
    Reported,
    Request,
    Start,
    read_message,
    write_message,
)

__all__ = [
    "Answer",
    "Described",
    "Failure",
    "Function",
    "Reported",
    "Request",
    "Start",
    "end_children",
    "find_commands",
    "read_message",
    "run_command",
    "write_message",
]
