"""Components of a site's authors in React: compiled and drawn by V8 at build time, alive in the browser where they ask for it."""

from __future__ import annotations

from octavo.components.declarations import write_declarations
from octavo.components.site_components import Component, SiteComponents, load_components

__all__ = ["Component", "SiteComponents", "load_components", "write_declarations"]
