"""`octavo search`: what is searched for, and records for other search engines."""

from __future__ import annotations

import os
from pathlib import Path

import click

from octavo.cli.build import DEFAULT_OUT, site_argument
from octavo.errors import UsageError

_WRITE_KEY = "OCTAVO_SEARCH_WRITE_KEY"
_PUSH_S = 60.0
"""Longest wait for the answer to a batch of records."""


@click.group(short_help="Report on searches; send records to a search engine.")
def search() -> None:
    """Report on what readers search for, or send the records to a search engine or a hosted service."""


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


@search.command(short_help="Send the records to a search engine, or to the hosted service.")
@site_argument
@click.option("--out", type=click.Path(path_type=Path), help="The published folder.  [default: SITE/build]")
@click.option("--host", help="Another address than the settings name, such as http://127.0.0.1:8108.")
def push(site: Path, out: Path | None, host: str | None) -> None:
    """Send the records of the built site to another search engine.

    It is the one that [search.engine] of octavo.toml names; where that is the embedded one, the hosted service that takes
    the application id of [search]. What is searched changes in one step; if something goes wrong, it stays as it was. The key that may write comes from
    the environment variable OCTAVO_SEARCH_WRITE_KEY; an engine without keys needs none. Each engine needs a package:
    `pip install "octavo[meilisearch]"`, `"octavo[opensearch]"`, or `"octavo[push]"` for the hosted service.
    """
    from octavo.cli.search_engine import given_engine
    from octavo.config import load_config
    from octavo.search import open_remote, published_index, push_index, push_records

    key = os.environ.get(_WRITE_KEY, "")
    config = load_config(site, reads_versions=False).search
    folder = (out or site / DEFAULT_OUT).resolve()
    engine = given_engine(config.engine, url=host, key=key, timeout_s=_PUSH_S)
    if engine is not None:
        reader = published_index(folder)
        target = open_remote(engine, reader.settings.index_name)
        count = push_records(reader, target)
        click.echo(f"Sent {count} records to the index {reader.settings.index_name} of {target.name}.")
        return
    if not key:
        raise UsageError(f"Put the key that may write into the environment variable {_WRITE_KEY}.")
    count = push_index(folder, app_id=config.app_id, api_key=key, index_name=config.index_name, host=host)
    click.echo(f"Sent {count} records to the index {config.index_name}.")
