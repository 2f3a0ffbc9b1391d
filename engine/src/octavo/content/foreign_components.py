"""Names of the components of other engines, by the extension with which they are known."""

from __future__ import annotations

from functools import lru_cache

FOREIGN_COMPONENTS: dict[str, frozenset[str]] = {
    "starlight": frozenset(
        ["Aside", "Badge", "Card", "CardGrid", "Code", "FileTree", "Icon", "LinkButton", "LinkCard", "Steps"]
    ),
    "vitepress": frozenset(["Badge", "ClientOnly"]),
    "mdbook": frozenset(["Listing"]),
    "hugo": frozenset(["Badge", "Card", "CardGrid", "FileTree", "LinkCard", "Steps"]),
    "myst": frozenset(["Badge", "Card", "CardGrid", "LinkCard"]),
}
"""Extension → its components."""
MODULE_COMPONENTS: dict[str, str | dict[str, str]] = {
    "@docusaurus/BrowserOnly": "ClientOnly",
    "@docusaurus/Head": "Head",
    "@docusaurus/Link": "Link",
    "@theme/Admonition": "Aside",
    "@theme/Details": "Details",
    "@theme/IdealImage": "Image",
    "astro:assets": {"Image": "Image", "Picture": "Image"},
    "react": {"React": "Fragment", "Fragment": "Fragment", "Suspense": "Fragment"},
}
"""Module → the known name of the component that it exports, or of each that it does."""
FOREIGN_MODULES = ("@astrojs/starlight/components", "astro-expressive-code/components", "astro/components")
"""Modules whose names are those of `starlight`."""


@lru_cache(maxsize=256)
def foreign_components(extensions: frozenset[str]) -> frozenset[str]:
    """Names that are known with some extensions."""
    return frozenset().union(*(names for key, names in FOREIGN_COMPONENTS.items() if key in extensions))
