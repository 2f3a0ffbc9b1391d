"""MkDocs and Zensical, with Material's theme and the extensions of Python-Markdown and pymdownx."""

from __future__ import annotations

import posixpath
from pathlib import Path

from octavo.errors import UsageError
from octavo.importing.common import as_text
from octavo.importing.engines.mkdocs.planner import Planner
from octavo.importing.engines.mkdocs.reading import load_yaml, load_zensical
from octavo.importing.model import Plan, Recognized
from octavo.importing.watched import Watched

__all__ = ["load_yaml", "plan"]


def plan(found: Recognized, folder: Path) -> Plan:
    """Plan the import of a MkDocs site."""
    if found.config is None:
        raise UsageError(f"{found.home} contains no mkdocs.yml.")
    config = Watched(load_zensical(found.config) if found.config.suffix == ".toml" else load_yaml(found.config))
    docs = (found.home / as_text(config.get("docs_dir"), "docs")).resolve()
    if is_gathered := not docs.is_dir() and any(found.home.glob("*/*.md")):
        docs = found.home.resolve()  # a script of the site copies its pages before each build
    if not docs.is_dir():
        raise UsageError(f"{found.config}: docs_dir is {docs}, which does not exist.")
    site_dir = (
        folder
        if docs.is_relative_to(folder) and found.home.is_relative_to(folder)
        else Path(posixpath.commonpath([docs, found.home]))
    )
    made = Plan("mkdocs", site_dir, {})
    if is_gathered:
        made.note(
            "The folder docs_dir does not exist", "All pages beside mkdocs.yml are taken; fill it and import again."
        )
    Planner(made, made.watch(config), docs, found.home).write()
    return made
