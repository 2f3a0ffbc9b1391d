"""`recto`: the command group, and what all commands share."""

from __future__ import annotations

import sys

import click

from recto._version import __version__
from recto.cli.api import api
from recto.cli.build import build
from recto.cli.check import check
from recto.cli.dev import dev
from recto.cli.headers import headers
from recto.cli.import_ import import_
from recto.cli.new import new
from recto.cli.search import search
from recto.cli.serve import serve
from recto.errors import RectoError

_HELP = """Recto makes documentation sites: Markdown in, a fast static React site out.

\b
A site is a folder that holds a recto.toml:
  recto new my-docs          make one that works
  recto serve my-docs        build it and serve it on http://localhost:3000
  recto dev my-docs          the same while you write, with live updates
  recto build my-docs        write it to my-docs/build, for any static host
  recto check my-docs        find what is wrong with it, write nothing

\b
Exit codes: 0 all is well; 1 the content has problems; 2 the command or the
configuration is wrong.
"""


@click.group(help=_HELP, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version", prog_name="recto", message="%(prog)s %(version)s")
def recto() -> None:
    """Group of all commands."""


recto.add_command(build)
recto.add_command(serve)
recto.add_command(check)
recto.add_command(dev)
recto.add_command(headers)
recto.add_command(new)
recto.add_command(search)
recto.add_command(api)
recto.add_command(import_)


def main() -> None:
    """Run the command line; errors of ours become one line and an exit code."""
    try:
        recto.main(prog_name="recto", standalone_mode=False)
    except RectoError as error:
        click.echo(f"recto: {error}", err=True)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("recto: stopped.", err=True)
        sys.exit(130)
