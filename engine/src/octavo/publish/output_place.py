"""Where a site may be published: in no folder that it is made from, and not around one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from octavo.config import CONFIG_NAME, Config, line_of_text
from octavo.errors import UsageError
from octavo.runtime import WORK_DIR
from octavo.site import edition_roots, excluded_paths


def check_output_place(site_dir: Path, config: Config, out: Path) -> None:
    """Check that a build would not read its own output, nor replace what it is made from.

    Raises:
        UsageError: the output folder lies in a folder of the site's files, or such a folder lies in it.
    """
    output = out.resolve()
    if site_dir.resolve().is_relative_to(output):
        raise UsageError(
            f"{out} contains the site itself, which a build would replace. Name another folder with --out."
        )
    if output.is_relative_to((site_dir / WORK_DIR).resolve()):
        raise UsageError(
            f"{out} cannot be used: Octavo keeps what it needs for the next build there. Name another folder."
        )
    is_excluded = excluded_paths(config)
    for setting, folder in dict.fromkeys(_input_folders(config)):
        path = (site_dir / folder).resolve()
        can_exclude = setting in ("docs", "pages") or (setting == "static" and _holds_documents(folder, config))
        own = _from_site(site_dir, output) if can_exclude and output.is_relative_to(path) else None
        if own and is_excluded and all(is_excluded(f"{own}/{name}") for name in ("a.md", "a/b.md", "a.css", "a/b.css")):
            continue
        if output.is_relative_to(path) or path.is_relative_to(output):
            relation = "lies in" if output.is_relative_to(path) else "contains"
            exclude = f', or exclude this one: exclude = ["{own}/**"]' if own else ""
            raise UsageError(
                f'{out} {relation} "{folder}" ({_place(site_dir, setting, folder)}), from which the site is made: each '
                f"build would publish the one before it. Name another folder with --out{exclude}."
            )


def _holds_documents(static: str, config: Config) -> bool:
    """Whether documents lie in the static folder: `exclude` speaks of all files there."""
    return static == "." or any(
        f"{root.path}/".startswith(f"{static}/") for _, _, roots in edition_roots(config) for root in roots
    )


def _from_site(site_dir: Path, path: Path) -> str | None:
    """Write a path as settings do, from the site's folder; None where it lies elsewhere."""
    root = site_dir.resolve()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else None


def _place(site_dir: Path, setting: str, folder: str) -> str:
    text = (site_dir / CONFIG_NAME).read_text(encoding="utf-8", errors="replace")
    is_written = folder in text
    where = f"{CONFIG_NAME}:{line_of_text(text, folder)}" if is_written else f"the default of {setting}"
    return f"{setting}, {where}" if is_written else where


def _input_folders(config: Config) -> Iterator[tuple[str, str]]:
    """List the folders that a site is made from: (setting, folder from the site's folder)."""
    for _, _, roots in edition_roots(config):
        yield from (("pages" if root.is_page else "docs", root.path) for root in roots)
    yield "static", config.static
    yield "components", config.components
