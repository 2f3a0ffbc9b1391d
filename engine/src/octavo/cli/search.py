"""`octavo search`: what is searched for, and records for a hosted service."""

from __future__ import annotations

import os
from pathlib import Path

import click

from octavo.cli.build import DEFAULT_OUT, site_argument
from octavo.errors import UsageError

_WRITE_KEY = "OCTAVO_SEARCH_WRITE_KEY"


@click.group(short_help="Report on searches; send records to a hosted search service.")
def search() -> None:
    """Report on what readers search for, or send the records to a hosted search service."""


@search.command(short_help="Show what readers search for, week by week.")
@site_argument
@click.option("--weeks", default=4, show_default=True, type=click.IntRange(1, 520), help="Weeks to show.")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def report(site: Path, weeks: int, format_: str) -> None:
    """Show top queries, queries without results, and queries after which nothing was clicked.

    Needs `search.insights.is_enabled` in octavo.toml, and a server that has run since.
    """
    import msgspec

    from octavo.cli.serve import insights_path
    from octavo.config import load_config
    from octavo.search import format_report, make_report

    insights = load_config(site, reads_versions=False).search.insights
    found = make_report(insights_path(site), weeks=weeks, least_count=insights.least_count)
    click.echo(msgspec.json.encode(found).decode() if format_ == "json" else format_report(found))


@search.command(short_help="Send the records to the hosted search service.")
@site_argument
@click.option("--out", type=click.Path(path_type=Path), help="The published folder.  [default: SITE/build]")
@click.option("--host", help="Another address than the service's own, such as http://127.0.0.1:8108.")
def push(site: Path, out: Path | None, host: str | None) -> None:
    """Send records and settings of the built site to the hosted service that octavo.toml names.

    The application id and the index are those of [search]; the key that may write comes from the environment
    variable OCTAVO_SEARCH_WRITE_KEY. Needs `pip install algoliasearch`.
    """
    from octavo.config import load_config
    from octavo.search import push_index

    key = os.environ.get(_WRITE_KEY)
    if not key:
        raise UsageError(f"Put the key that may write into the environment variable {_WRITE_KEY}.")
    config = load_config(site, reads_versions=False).search
    folder = (out or site / DEFAULT_OUT).resolve()
    count = push_index(folder, app_id=config.app_id, api_key=key, index_name=config.index_name, host=host)
    click.echo(f"Sent {count} records to the index {config.index_name}.")
