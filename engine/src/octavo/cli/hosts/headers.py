"""`octavo headers`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from octavo.cli.build import DEFAULT_OUT, site_argument

Host = Literal["netlify", "nginx", "caddy", "cloudfront"]


@click.command(short_help="Print the headers of a built site, for another host.")
@site_argument
@click.option("--out", type=click.Path(path_type=Path), help="The published folder.  [default: SITE/build]")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["netlify", "nginx", "caddy", "cloudfront"]),
    default="netlify",
    show_default=True,
    help="What the host reads.",
)
def headers(site: Path, out: Path | None, format_: Host) -> None:
    r"""Print the headers that `octavo serve` sends with the site in the folder SITE, as another host reads them.

    They contain the content security policy of the last build: print them again after each build.

    \b
      netlify     the file _headers, which Cloudflare Pages reads as well
      nginx       a file to include at the level of http
      caddy       directives of a site's block
      cloudfront  a response headers policy, for `aws cloudfront create-response-headers-policy`
    """
    from octavo.host_headers import write_headers
    from octavo.server import open_published

    manifest = open_published((out or site / DEFAULT_OUT).resolve()).manifest
    click.echo(write_headers(manifest, format_), nl=False)
