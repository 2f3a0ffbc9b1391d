"""What exit codes mean: one table, for the help and for whoever runs Octavo in a script."""

from __future__ import annotations

OK = 0
CONTENT = 1
USAGE = 2
STOPPED = 130

EXIT_CODES: dict[int, str] = {
    OK: "all is well",
    CONTENT: "the content has problems, or the output cannot be written",
    USAGE: "the command, the configuration or the server's address is wrong",
    STOPPED: "stopped with Ctrl+C; a server ends with 0",
}


def describe_exit_codes() -> str:
    """Write the table as paragraph of a help text that click leaves as it is."""
    return "\n".join(["\b", "Exit codes:", *(f"  {code:<4} {meaning}" for code, meaning in EXIT_CODES.items())])
