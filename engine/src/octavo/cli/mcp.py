"""`octavo mcp`."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import click

from octavo.cli.build import DEFAULT_OUT, site_argument
from octavo.errors import UsageError


@click.command(short_help="Serve a site to programs, by the Model Context Protocol.")
@site_argument
@click.option("--out", type=click.Path(path_type=Path), help="The published folder.  [default: SITE/build]")
@click.option("--problems", "shows_problems", is_flag=True, help="Show the problems that programs have reported.")
def mcp(site: Path, out: Path | None, shows_problems: bool) -> None:
    """Serve the built site in the folder SITE over standard input and output, for a client that starts this command.

    It has the tools search, read_page, list_pages, find_operation, find_command and report_problem, and the pages as
    resources. `octavo serve` offers the same at /mcp. Needs `pip install "octavo[mcp]"`.
    """
    if shows_problems:
        _show_problems(problems_path(site))
        return
    from octavo.mcp import has_sdk, serve_stdio
    from octavo.search import SearchService
    from octavo.server import PublishedBuilds, open_published

    if not has_sdk():
        raise UsageError('The package of the protocol is missing; install it: `pip install "octavo[mcp]"`.')
    folder = (out or site / DEFAULT_OUT).resolve()
    open_published(folder)
    builds = PublishedBuilds(folder)

    async def name_index() -> str:
        build = await builds.current()
        return build.manifest.search if build else ""

    serve_stdio(builds.current, SearchService(folder, name_index), problems_path(site))


def _show_problems(path: Path) -> None:
    from octavo.mcp import ProblemStore

    try:
        found = ProblemStore(path).report()
    except sqlite3.Error as error:
        raise UsageError(f"{path} cannot be read: {error}.") from error
    if not found:
        click.echo("No problems have been reported.")
    for problem in found:
        click.echo(f"{problem.day}  {problem.page}\n    {' '.join(problem.text.split())}")


def problems_path(site: Path) -> Path:
    """Name the database of problems that programs have reported about a site."""
    return site / ".octavo" / "problems.sqlite"
