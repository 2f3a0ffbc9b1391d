"""`octavo deploy`."""

from __future__ import annotations

from pathlib import Path

import click

from octavo.errors import UsageError


@click.command(short_help="Write the files that publish a site on a host.")
@click.argument("host", required=False)
@click.argument("site", type=click.Path(path_type=Path, file_okay=False), default=Path())
@click.option("--branch", default="main", show_default=True, help="Branch from which the site is published.")
@click.option("--force", is_flag=True, help="Replace files that are there and differ.")
@click.option("--print", "prints", is_flag=True, help="Print the files instead of writing them.")
def deploy(host: str | None, site: Path, branch: str, force: bool, prints: bool) -> None:
    """Write the files that publish the site in the folder SITE (default: this folder) on HOST. Without HOST, list the hosts.

    Workflows and pipelines install what requirements-docs.txt lists; it is written if it is missing. All paths are below
    the folder of the repository that holds the site.
    """
    from octavo.config import load_config
    from octavo.hosting import TARGETS, plan_files, write_files

    if host is None:
        width = max(map(len, TARGETS))
        for known in TARGETS.values():
            click.echo(f"{known.name:{width}}  {known.title}")
        return
    target = TARGETS.get(host)
    if target is None:
        raise UsageError(f'"{host}" is not a host that is known; `octavo deploy` lists those.')
    plan = plan_files(target, site, load_config(site), branch)
    if prints:
        for path, text in plan.files.items():
            click.echo(f"# {path}\n{text}")
        return
    written = write_files(plan, replaces=force)
    for path in plan.files:
        click.echo(f"{'Wrote' if path in written else 'Kept '} {plan.root / path}")
    click.echo("\nWhat remains:")
    for number, step in enumerate(plan.next_steps, start=1):
        click.echo(f"  {number}. {step}")
