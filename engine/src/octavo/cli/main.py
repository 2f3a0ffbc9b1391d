"""`octavo`: the command group, and what all commands share."""

from __future__ import annotations

import errno
import os
import sys
from importlib import import_module
from io import TextIOWrapper

import click

from octavo._version import __version__
from octavo.cli.exit_codes import CONTENT, STOPPED, USAGE, describe_exit_codes
from octavo.cli.report import show_error, wants_color
from octavo.errors import OctavoError

_HELP = """Octavo makes documentation sites: Markdown in, a fast static React site out.

\b
A site is a folder that holds an octavo.toml:
  octavo new my-docs          make one that works
  octavo serve my-docs        build it and serve it on http://localhost:3000
  octavo dev my-docs          the same while you write, with live updates
  octavo build my-docs        write it to my-docs/build, for any static host
  octavo check my-docs        find what is wrong with it, write nothing
  octavo explain broken-link  say what a finding means, and what to do
  octavo deploy github-pages  write the files that publish it on a host
  octavo import my-site       bring a site of Docusaurus, MkDocs, VitePress, …

"""


_COMMANDS = {
    "build": "build",
    "bundle": "components",
    "serve": "serve",
    "check": "check",
    "clean": "clean",
    "deploy": "hosts",
    "dev": "dev",
    "explain": "manual",
    "feedback": "feedback",
    "headers": "hosts",
    "mcp": "serve",
    "new": "new",
    "run": "run",
    "schema": "manual",
    "search": "search",
    "translations": "translations",
    "types": "components",
    "versions": "versions",
    "import": "import_",
    "doctor": "import_",
}
"""Command → module of this package; imported when it is asked for: nobody waits for what another command needs."""


class _Commands(click.Group):
    """All commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        module = _COMMANDS[cmd_name]
        name = module if cmd_name == "import" else cmd_name
        command: click.Command = getattr(import_module(f"octavo.cli.{module}"), name)
        return command


@click.group(
    cls=_Commands,
    help=f"{_HELP}\n{describe_exit_codes()}",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "-V", "--version", prog_name="octavo", message="%(prog)s %(version)s")
def octavo() -> None:
    """Group of all commands."""


def main() -> None:
    """Run the command line; errors of ours, and of the system, become one line and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        # Consoles of Windows, and pipes there, take few characters; paths and texts of pages have any.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        octavo.main(prog_name="octavo", standalone_mode=False, color=wants_color(os.environ))
    except OctavoError as error:
        show_error(error)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(USAGE)
    except (click.Abort, KeyboardInterrupt):
        click.echo("octavo: stopped.", err=True)
        sys.exit(STOPPED)
    except BrokenPipeError:
        # Whoever reads the output has seen enough, as `head` does; nothing may be written at the end either.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - it is closed with the process
        sys.exit(CONTENT)
    except OSError as error:
        if error.errno not in _SYSTEM and not (error.errno in _OF_A_PATH and error.filename):
            raise
        place = f"{error.filename}: " if error.filename else ""
        hint = _CHANGED if error.errno in _OF_A_PATH else _FULL if error.errno in _NO_ROOM else ""
        click.echo(f"octavo: {place}{error.strerror}.{hint}", err=True)
        sys.exit(CONTENT)
    except RuntimeError as error:
        # As pathlib says before Python 3.13 what is ELOOP everywhere else.
        if not str(error).startswith("Symlink loop"):
            raise
        click.echo(f"octavo: {error}. Replace the link by a file or a folder.", err=True)
        sys.exit(CONTENT)


_SYSTEM = frozenset(
    getattr(errno, name)
    for name in ("EACCES", "EDQUOT", "EFBIG", "EIO", "EMFILE", "ENFILE", "ENOSPC", "EPERM", "EROFS")
    if hasattr(errno, name)
)
"""What is wrong with the machine and not with Octavo: no room, no permission, a disk that fails."""
_OF_A_PATH = frozenset(
    getattr(errno, name)
    for name in ("EEXIST", "EISDIR", "ELOOP", "ENAMETOOLONG", "ENOENT", "ENOTDIR", "ENOTEMPTY", "ESTALE")
    if hasattr(errno, name)
)
"""What is wrong with one path. What commands expect they explain themselves; this is left where files change meanwhile."""
_NO_ROOM = frozenset(getattr(errno, name) for name in ("EDQUOT", "ENOSPC") if hasattr(errno, name))
_FULL = " Make room on the disk and run the command again."
_CHANGED = " If another program changes these files, let it finish and run the command again."
