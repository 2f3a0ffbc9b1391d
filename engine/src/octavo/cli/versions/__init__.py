"""`octavo versions`: list the versions of a site, and make one of the documents as they are now."""

from __future__ import annotations

from pathlib import Path

import click

from octavo.cli.build import SiteGroup, site_argument
from octavo.errors import UsageError


@click.group(
    cls=SiteGroup, before_site="list", short_help="List versions, or prepare a release.", invoke_without_command=True
)
@click.pass_context
def versions(context: click.Context) -> None:
    """List the versions of the site in this folder: name, address, state, and folder of the documents."""
    if context.invoked_subcommand is None:
        context.invoke(list_versions, site=Path())


@versions.command("list", short_help="List versions.")
@site_argument
def list_versions(site: Path) -> None:
    """List the versions of the site in the folder SITE (default: this folder)."""
    from octavo.config import load_config

    config = load_config(site)
    rows = [
        (one.name, f"{config.base_url}{one.path}", _STATES[one.banner] if one.path else "default", one.docs)
        for one in config.versions
    ]
    heads = ("VERSION", "ADDRESS", "STATE", "DOCUMENTS")
    widths = [max(len(row[column]) for row in (heads, *rows)) for column in range(len(heads))]
    for row in (heads, *rows):
        click.echo("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())


@versions.command(short_help="Make a version of the documents as they are now.")
@click.argument("version")
@click.argument("site", type=click.Path(exists=True, file_okay=False, path_type=Path), default=".")
def cut(version: str, site: Path) -> None:
    """Make VERSION, such as 2.1, of the committed documents of the site in the folder SITE (default: this folder).

    Makes a tag or a branch as `[versions]` says, in this repository alone: nothing is pushed. The next build shows it.
    """
    from octavo.config import load_config
    from octavo.revisions import cut_revision

    config = load_config(site)
    given = config.versions_from
    if given is None:
        raise UsageError(
            'The versions of this site are folders. Write [versions] with from = "tags" to read them from version control, '
            "or copy the documents into a folder and add it as [[versions]]."
        )
    ref = given.pattern.replace("*", version)
    docs = given.docs or config.docs
    translated = [
        one.folders.get(docs) or f"{one.docs}/{docs}" for one in config.locales[1:] if one.docs or one.folders
    ]
    commit = cut_revision(site, given.source, ref, [docs, *translated])
    what = "tag" if given.source == "tags" else "branch"
    click.echo(f"Made the {what} {ref} of {commit[:12]}. Publish it with: git push origin {ref}")


_STATES = {"none": "supported", "unreleased": "unreleased", "unmaintained": "ended"}
