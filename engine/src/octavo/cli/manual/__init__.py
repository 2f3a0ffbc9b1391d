"""`octavo explain` and `octavo schema`: what Octavo says of itself."""

from __future__ import annotations

import difflib
import json
from typing import Literal

import click

from octavo.errors import UsageError


@click.command(short_help="Say what a finding means and what to do.")
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """Say what the finding or error CODE means, what causes it, and what to do. Without CODE, list all of them.

    CODE is the word in brackets at the end of a message, such as broken-link.
    """
    from octavo.manual import load_catalogue

    catalogue = load_catalogue()
    if code is None:
        width = max(map(len, catalogue))
        for entry in catalogue.values():
            click.echo(f"{entry.code:{width}}  {entry.title}")
        return
    found = catalogue.get(code.strip("[]").lower().replace("_", "-"))
    if found is None:
        close = difflib.get_close_matches(code, catalogue, n=1)
        hint = f' Did you mean "{close[0]}"?' if close else " `octavo explain` lists all codes."
        raise UsageError(f'"{code}" is not the code of a finding or an error.{hint}')
    place = "" if found.where == "page" else f" ({found.where})"
    click.echo(f"{found.code}: {found.title}\n")
    click.echo(f"{found.cause}\n\nExample{place}:\n")
    click.echo("".join(f"    {line}\n" if line else "\n" for line in found.example.splitlines()))
    click.echo(f"What to do: {found.remedy}")
    if found.setting:
        click.echo(f"\nIts level: {found.setting} in [diagnostics] of octavo.toml.")


@click.command(short_help="Print a JSON Schema for editors.")
@click.argument("kind", type=click.Choice(["settings", "front-matter", "search-rules"]))
def schema(kind: Literal["settings", "front-matter", "search-rules"]) -> None:
    """Print the JSON Schema of octavo.toml (settings), of front matter, or of search.toml (search-rules).

    Editors complete and check these files with it.
    """
    from octavo.manual import front_matter_schema, search_rules_schema, settings_schema

    made = {"settings": settings_schema, "front-matter": front_matter_schema, "search-rules": search_rules_schema}
    click.echo(json.dumps(made[kind](), indent=2, ensure_ascii=False))
