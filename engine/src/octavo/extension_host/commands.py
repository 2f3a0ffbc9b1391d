"""Commands of extensions, which run in the process of the command line: their caller can stop them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from octavo.extension_host.loading import explain, load_extension, set_options
from octavo.extensions import Command


def find_commands(
    specs: Sequence[str], site_dir: Path, options: Mapping[str, Mapping[str, Any]]
) -> tuple[dict[str, Callable[[Command], int | None]], list[str]]:
    """Load all extensions of a site.

    Returns:
        (name of a command → its function, why extensions could not be loaded).
    """
    set_options(options)
    commands: dict[str, Callable[[Command], int | None]] = {}
    failures: list[str] = []
    for spec in specs:
        described, loaded = load_extension(spec, site_dir)
        if loaded is None:
            failure = described.failure
            failures.append(f'The extension "{spec}" cannot be loaded: {failure.message if failure else ""}.')
            continue
        for one in loaded.extension.registered:
            if one.kind == "command" and one.function is not None:
                commands.setdefault(one.name, one.function)
    return commands, failures


def run_command(function: Callable[[Command], object], arguments: Sequence[str], site_dir: Path) -> tuple[int, str]:
    """Run a command, which may give anything; returns its exit code, and what it failed with or nothing."""
    try:
        code = function(Command(tuple(arguments), site_dir.resolve()))
    except SystemExit as error:
        return (error.code, "") if isinstance(error.code, int) else (1, str(error.code or ""))
    except Exception as error:  # noqa: BLE001 - reported to the author of the extension
        failure = explain(error, site_dir)
        return 1, f"{failure.message} ({failure.place})" if failure.place else failure.message
    if code is not None and not isinstance(code, int):
        return 1, f"it gave {type(code).__name__}; expected an exit code, an int, or None"
    return code or 0, ""
