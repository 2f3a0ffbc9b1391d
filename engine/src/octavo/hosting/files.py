"""The files of a host for one site: planned whole, then written."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from octavo._version import __version__
from octavo.errors import PublishError, UsageError
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

    from octavo.config import Config
    from octavo.hosting.targets import HostTarget

REQUIREMENTS = "requirements-docs.txt"
PYTHON = "3.13"
COMPATIBILITY_DATE = "2026-11-01"
"""Of Cloudflare's runtime; static pages do not depend on it."""

_MARKER = re.compile(r"@([A-Z0-9_]+)@")
_REQUIREMENTS_TEXT = """\
# What builds the documentation. Until your package index has this version, put its wheel into the folder wheels.
--find-links wheels
octavo[{extras}]=={version}
"""


@dataclass(frozen=True, slots=True)
class DeployPlan:
    """What `octavo deploy` writes."""

    root: Path
    """The repository's folder, below which all files are."""

    files: dict[PurePosixPath, str]
    """Path below the root → text."""

    next_steps: tuple[str, ...]


def plan_files(target: HostTarget, site_dir: Path, config: Config, branch: str) -> DeployPlan:
    """Make the files of a host for a site.

    Args:
        target: The host.
        site_dir: Folder of the site.
        config: The site's settings.
        branch: Branch from which the site is published.

    Raises:
        UsageError: A name of the site can't be written into the files.
    """
    root = find_repository(site_dir.resolve())
    values = _values(root, site_dir.resolve(), config, branch)
    texts = {path: _fill(text, values) for path, text in _read_files(target.name)}
    if target.needs_requirements:
        extras = ["diagrams", "images", *needed_extras(config)]
        texts[PurePosixPath(REQUIREMENTS)] = _REQUIREMENTS_TEXT.format(extras=",".join(extras), version=__version__)
    return DeployPlan(root, texts, tuple(_fill(step, values) for step in target.next_steps))


def needed_extras(config: Config) -> dict[str, str]:
    """List the extras of Octavo without which a site cannot be built: name → a module of it."""
    extras = {"openapi": "jsonschema_rs"} if config.openapi else {}
    if any("rst" in folder.extensions for folder in config.markdown_folders.values()):
        extras["rst"] = "docutils"
    return extras | ({"python-api": "griffe"} if "octavo.shipped.python_api" in config.extensions else {})


def write_files(plan: DeployPlan, *, replaces: bool) -> list[PurePosixPath]:
    """Write the files of a plan; all or none.

    Args:
        plan: What to write.
        replaces: Whether files that are there and differ are replaced. Requirements that are there always stay: a site
            may need more than Octavo.

    Returns:
        Those that were written; the others were there already.

    Raises:
        UsageError: A file is there and differs.
        PublishError: A file cannot be written.
    """
    missing = {path: text for path, text in plan.files.items() if _read(plan.root / path) != text}
    stays = PurePosixPath(REQUIREMENTS)
    if (plan.root / stays).exists():
        missing.pop(stays, None)
    there = [str(path) for path in missing if (plan.root / path).exists()]
    if there and not replaces:
        raise UsageError(
            f"{', '.join(there)} in {plan.root} would be replaced; move it away, or replace it with --force."
        )
    for path, text in missing.items():
        target = plan.root / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
            if text.startswith("#!"):
                target.chmod(0o755)
        except OSError as error:
            raise PublishError(f"{target} cannot be written: {error.strerror}.") from error
    return sorted(missing)


def find_repository(site_dir: Path) -> Path:
    """The folder of the repository that holds the site; the site's own where it is in none."""
    return next((folder for folder in (site_dir, *site_dir.parents) if (folder / ".git").exists()), site_dir)


def _values(root: Path, site_dir: Path, config: Config, branch: str) -> dict[str, str]:
    site = site_dir.relative_to(root).as_posix()
    # These words are written into YAML, shell and nginx files without quotes.
    for what, word in (("folder", site), ("branch", branch)):
        if not re.fullmatch(r"[\w./-]+", word, re.ASCII):
            raise UsageError(f'the {what} "{word}" has characters that shells and workflows read in their own way.')
    slug = re.sub(r"[^a-z0-9]+", "-", config.title.lower()).strip("-")[:40].strip("-")
    return {
        "SITE": site,
        "BRANCH": branch,
        "NAME": slug or "docs",
        "TITLE": re.sub(r'[\\"$\r\n]', "", config.title),
        "HOST": urlsplit(config.url).hostname or "docs.example.com",
        "PYTHON": PYTHON,
        "REQUIREMENTS": REQUIREMENTS,
        "DATE": COMPATIBILITY_DATE,
        "S3_SCRIPT": "deploy/s3.sh",
        "KUBERNETES_FILE": "deploy/kubernetes.yaml",
    }


def _fill(text: str, values: dict[str, str]) -> str:
    return _MARKER.sub(lambda match: values[match[1]], text)


def _read_files(name: str) -> Iterator[tuple[PurePosixPath, str]]:
    def walk(folder: Traversable, path: PurePosixPath) -> Iterator[tuple[PurePosixPath, str]]:
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
            if entry.is_dir():
                yield from walk(entry, path / entry.name)
            else:
                yield path / entry.name, entry.read_text(encoding="utf-8")

    return walk(files("octavo.hosting") / "files" / name, PurePosixPath())


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
