"""`octavo run`: commands that extensions of a site register."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import click

from octavo.cli.exit_codes import CONTENT
from octavo.errors import UsageError


@click.command(
    short_help="Run a command of one of the site's extensions.",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.option("--site", type=click.Path(path_type=Path, file_okay=False), default=Path(), help="Folder of the site.")
@click.argument("name", required=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def run(site: Path, name: str | None, arguments: tuple[str, ...]) -> None:
    """Run the command NAME of an extension that `extensions` in octavo.toml names; without a name, list them all.

    ARGUMENTS go to the command as they are. Its exit code is that of this program; 1 where it fails.
    """
    from octavo.config import load_config
    from octavo.extension_host import find_commands, run_command

    config = load_config(site)
    own = set(threading.enumerate())
    commands, failures = find_commands(config.extensions, site, config.extension_options)
    begun = [one for one in threading.enumerate() if one not in own and not one.daemon]
    for failure in failures:
        click.echo(failure, err=True)
    if name is None:
        click.echo("\n".join(sorted(commands)) or "No extension of this site registers a command.")
        _leave(0, begun)
    if name not in commands:
        known = ", ".join(sorted(commands)) or "none"
        raise UsageError(f'No extension of this site registers the command "{name}"; registered: {known}.')
    code, message = run_command(commands[name], arguments, site)
    if message:
        click.echo(f'octavo: the command "{name}" failed: {message}', err=True)
        _leave(CONTENT, begun)
    _leave(code, begun)


def _leave(code: int, begun: Sequence[threading.Thread]) -> NoReturn:
    """End the program, and with it the threads that extensions have begun while they were loaded: Python would wait for them.

    Those that the command has begun belong to its work.
    """
    if not any(one.is_alive() for one in begun):
        sys.exit(code)
    for one in threading.enumerate():
        if one not in begun and not one.daemon and one is not threading.current_thread():
            one.join()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
