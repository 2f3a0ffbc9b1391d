"""`octavo new`."""

from __future__ import annotations

import os
import subprocess
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from octavo.errors import UsageError
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_ADDRESS = re.compile(r"[a-z+]+://|git@[\w.-]+:")
_NAME = re.compile(r"[\w-]+(?=(?:\.git)?/?\Z)")
_PATIENCE_S = 300
"""For fetching a repository."""
_TEMPLATES = ("docs", "library", "product")
_IGNORED = "# What builds write\n/build/\n/.octavo/\n"


@click.command(short_help="Make a small site that works.")
@click.argument("dir", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "source",
    metavar="SOURCE",
    help="Make it from a documentation site of any engine: a folder, or the address of a Git repository.",
)
@click.option(
    "--template",
    type=click.Choice(_TEMPLATES),
    default="docs",
    show_default=True,
    help="What the site is about: guides, a Python library with its reference, or a product with an API.",
)
def new(dir: Path, source: str | None, template: str) -> None:  # noqa: A002 - the argument's name in the help
    """Make a small working site in the folder DIR, which must be new, or hold no more than a fresh repository does.

    Files that are there already stay as they are. A folder that is in no repository, or is one itself, also gets a
    workflow that publishes it on GitHub Pages; `octavo deploy` knows other hosts. With --from, DIR gets a copy of the pages of another site, and an
    octavo.toml for them; it must be new or empty then.
    """
    from importlib.resources import files

    if source is not None:
        _copy_site(source, dir)
        return
    if dir.exists() and (not dir.is_dir() or not all(_is_of_repository(path.name) for path in dir.iterdir())):
        raise UsageError(f"{dir} is not empty; name a new folder.")
    starters = files("octavo.cli") / "starters"
    for shared in ("pages", "static"):
        _copy(starters / "docs" / shared, dir / shared)
    _copy(starters / template, dir)
    if not (dir / ".gitignore").exists():
        (dir / ".gitignore").write_text(_IGNORED, encoding="utf-8")
    _add_workflow(dir)
    click.echo(f"Created a site in {dir}. See it with: octavo serve {dir}")
    if missing := _missing_extras(dir):
        click.echo(f'Before that, install what this site needs: pip install "octavo[{",".join(missing)}]"')


def _missing_extras(site: Path) -> list[str]:
    """List the extras that a site needs and that are not installed."""
    from octavo.config import load_config
    from octavo.hosting import needed_extras

    return [name for name, module in needed_extras(load_config(site)).items() if find_spec(module) is None]


def _add_workflow(site: Path) -> None:
    """Add a workflow that publishes the site, unless the repository around it is the one that decides."""
    from octavo.config import load_config
    from octavo.hosting import TARGETS, find_repository, plan_files, write_files

    if find_repository(site.resolve()) == site.resolve() and not (site / ".github").exists():
        write_files(plan_files(TARGETS["github-pages"], site, load_config(site), "main"), replaces=False)


def _copy_site(source: str, target: Path) -> None:
    """Import a site into a folder of its own."""
    # Not at the top: a new site of its own does without the importer.
    from octavo.importing import import_site

    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{target} is not empty; name a new folder.")
    with TemporaryDirectory(prefix="octavo-new-") as work:
        folder = Path(source)
        if _ADDRESS.match(source):
            folder = Path(work) / (_NAME.search(source) or ["site"])[0]
            _clone(source, folder)
        elif not folder.is_dir():
            raise UsageError(
                f"{source} is neither a folder nor the address of a Git repository, such as https://host/name.git."
            )
        report = import_site(folder, to=target).report
    click.echo(
        f"Copied {report.pages} pages of a {report.engine} site; {report.clean_pages} of them are fully understood."
    )
    click.echo(f"What the other pages lose: {target / 'import-report.md'}")
    click.echo(f"See the site with: octavo serve {target}")


def _clone(address: str, folder: Path) -> None:
    """Fetch the newest state of a repository.

    Raises:
        UsageError: there is no Git, or it can't fetch that.
    """
    command = ["git", "clone", "--quiet", "--depth", "1", "--single-branch", "--", address, str(folder)]
    # No questions on the terminal, and no protocols that run programs.
    environment = {
        **os.environ,
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
        "GIT_ALLOW_PROTOCOL": "https:http:ssh:git:file",
    }
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=_PATIENCE_S,
            env=environment,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except FileNotFoundError as error:
        raise UsageError("git is not installed; fetch the site yourself and name its folder.") from error
    except subprocess.TimeoutExpired as error:
        raise UsageError(
            f"git did not fetch {address} within {_PATIENCE_S} s; fetch it yourself and name its folder."
        ) from error
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.startswith(("fatal:", "error:"))]
        raise UsageError(f"git can't fetch {address}: {lines[0] if lines else 'it gave no reason'}")


def _is_of_repository(name: str) -> bool:
    """Return whether a file or folder belongs to a repository without content: `.git`, a license, a read-me."""
    return name.startswith(".") or name.partition(".")[0].upper() in ("README", "LICENSE", "COPYING")


def _copy(source: Traversable, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for entry in source.iterdir():
        if entry.is_dir():
            _copy(entry, target / entry.name)
        else:
            (target / entry.name).write_bytes(entry.read_bytes())
