"""Copies of npm packages for the components of a site: fetched with npm, bundled for browsers, kept with the site's files."""

from __future__ import annotations

from octavo.bundling.bundle import Copies, copy_packages, list_packages

__all__ = ["Copies", "copy_packages", "list_packages"]
