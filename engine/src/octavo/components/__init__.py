"""Components of a site's authors in React: compiled and drawn by V8 at build time, hydrated in the browser where they ask for it."""

from __future__ import annotations

from octavo.components.children import BOOLEAN_ATTRIBUTES
from octavo.components.component import PUBLISHED, Component
from octavo.components.declarations import write_declarations
from octavo.components.modules import PUBLIC_MODULES, VENDOR
from octavo.components.publishing import offline_script
from octavo.components.site_components import SiteComponents, load_components

__all__ = [
    "BOOLEAN_ATTRIBUTES",
    "PUBLIC_MODULES",
    "PUBLISHED",
    "VENDOR",
    "Component",
    "SiteComponents",
    "load_components",
    "offline_script",
    "write_declarations",
]
