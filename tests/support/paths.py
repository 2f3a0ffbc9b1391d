"""Folders of the repository, for tests of all its parts."""

from __future__ import annotations

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
ENGINE = REPOSITORY / "engine"
SITE = REPOSITORY / "site"
DEPLOY = REPOSITORY / "deploy"
