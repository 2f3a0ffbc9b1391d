"""`octavo bundle`: copies of npm packages for the components of a site."""

from __future__ import annotations

from pathlib import Path

import click

from octavo.errors import UsageError


@click.command(short_help="Copy npm packages for components (needs Node).")
@click.argument("packages", nargs=-1)
@click.option(
    "--site",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=".",
    help="Folder of the site.  [default: this folder]",
)
@click.option("--remove", "removed", multiple=True, metavar="NAME", help="Remove a copy; may be given several times.")
@click.option("--list", "is_list", is_flag=True, help="List what components can import, and do nothing.")
def bundle(packages: tuple[str, ...], site: Path, removed: tuple[str, ...], *, is_list: bool) -> None:
    r"""Copy PACKAGES from npm into the folder vendor below that of the site's components.

    A component can then import them by name, and the site is built without Node, here and elsewhere: keep the folder in
    version control. Node and npm are needed for this command alone.

    \b
    octavo bundle d3-scale                  the newest version
    octavo bundle d3-scale@4                the newest one of version 4
    octavo bundle lodash/debounce           a file of a package
    octavo bundle leaflet/dist/leaflet.css  a style sheet of it
    octavo bundle ./my-package              a package on this machine
    octavo bundle                           the same copies again, by the lock file
    """
    from octavo.bundling import copy_packages, list_packages
    from octavo.components import PUBLIC_MODULES, VENDOR
    from octavo.config import load_config

    config = load_config(site, reads_versions=False)
    folder = site / config.components / VENDOR
    if is_list:
        click.echo("\n".join(list_packages(folder)) or f"There are no copies in {folder}.")
        return
    if overlap := set(packages) & set(removed):
        raise UsageError(f'"{min(overlap)}" cannot be copied and removed at once.')
    copies = copy_packages(folder, packages, removed=removed, given=PUBLIC_MODULES)
    for note in copies.notes:
        click.echo(f"Note: {note}", err=True)
    for name, size in copies.sizes.items():
        click.echo(f'import … from "{name}"  {size / 1000:.1f} kB' if not name.endswith(".css") else f'import "{name}"')
    click.echo(f"{'Wrote' if copies.is_new else 'Nothing has changed in'} {folder}.")
