"""Names of the components of other engines, by the extension with which they are known."""

from __future__ import annotations

from functools import lru_cache

from octavo.lazy import regex as re

_JSX_THEMES = frozenset(
    ["Accordion", "AccordionGroup", "Accordions", "Banner", "Bleed", "Callout", "CardGroup", "Cards", "Check", "CodeGroup",
     "Column", "Columns", "Danger", "Expandable", "File", "FileTree", "Files", "Folder", "Frame", "ImageZoom", "Info", "Note",
     "Panel", "ParamField", "RequestExample", "ResponseExample", "ResponseField", "Step", "Steps", "Tile", "Tip", "Tooltip",
     "Tree", "Update", "View", "Warning"]
)  # fmt: skip
"""Components of the themes that write pages in MDX: Nextra, Fumadocs and Mintlify."""
FOREIGN_COMPONENTS: dict[str, frozenset[str]] = {
    "starlight": frozenset(
        [
            "Aside",
            "Badge",
            "Card",
            "CardGrid",
            "Code",
            "FileTree",
            "Icon",
            "LinkButton",
            "LinkCard",
            "PackageManagers",
            "Steps",
        ]
    ),
    "mdc": frozenset(["Badge", "Card", "CardGrid", "LinkButton", "UBadge", "UButton", "UIcon"]),
    "vitepress": frozenset(["Badge", "ClientOnly"]),
    "vuepress": frozenset(["CodeGroup", "CodeGroupItem", "OutboundLink", "RouterLink", "TOC", "VPCard"]),
    "mdbook": frozenset(["Listing"]),
    "mintlify": _JSX_THEMES | {"Badge", "Card", "Icon", "Link", "Prompt", "Snippet", "Visibility"},
    "nextra": _JSX_THEMES | {"Card", "DynamicCodeBlock", "GithubInfo", "Image", "Link", "TypeTable"},
    "hugo": frozenset(["Badge", "Card", "CardGrid", "FileTree", "LinkCard", "Steps"]),
    "myst": frozenset(["Badge", "Card", "CardGrid", "LinkCard"]),
    "rspress": frozenset(
        [
            "Badge",
            "Callout",
            "Card",
            "CardGroup",
            "FileTree",
            "Link",
            "LinkCard",
            "NoSSR",
            "PackageManagerTabs",
            "SourceCode",
            "Steps",
        ]
    ),
    "rst": frozenset(["Badge", "Card", "CardGrid", "LinkCard"]),
    "retype": frozenset(["Badge"]),
    "vocs": frozenset(["Badge", "Callout", "Card", "Cards", "FileTree", "Link", "LinkButton", "Step", "Steps"]),
}
"""Extension → its components."""
FRAMES = frozenset(
    ["Accordion", "AccordionGroup", "Accordions", "Aside", "Banner", "Callout", "Card", "CardGrid", "CardGroup", "Cards", "Check",
     "CodeGroup", "Column", "Columns", "Danger", "Expandable", "File", "FileTree", "Files", "Folder", "Frame", "Info", "LinkCard",
     "Note", "Panel", "ParamField", "RequestExample", "ResponseExample", "ResponseField", "Step", "Steps", "Tile", "Tip", "Tree",
     "Update", "View", "Warning"]
)  # fmt: skip
"""Components that are drawn as boxes: at the start of a line they are blocks, whatever follows them in it."""
MODULE_COMPONENTS: dict[str, str | dict[str, str]] = {
    "@docusaurus/BrowserOnly": "ClientOnly",
    "@docusaurus/Head": "Head",
    "@docusaurus/Link": "Link",
    "@theme/Admonition": "Aside",
    "@theme/Details": "Details",
    "@theme/MDXComponents/Admonition": "Aside",
    "@theme/MDXComponents/Details": "Details",
    "@theme/IdealImage": "Image",
    "@fortawesome/react-fontawesome": {"FontAwesomeIcon": "Icon"},
    "@next/third-parties/google": {"YouTubeEmbed": "YouTube"},
    "react-lite-youtube-embed": "YouTube",
    "react-youtube": "YouTube",
    "@astro-community/astro-embed-youtube": {"YouTube": "YouTube"},
    "astro-embed": {"YouTube": "YouTube", "Vimeo": "Vimeo"},
    "@hideoo/starlight-plugins-docs-components": {"PackageManagers": "PackageManagers"},
    "starlight-package-managers": {"PackageManagers": "PackageManagers"},
    "astro:assets": {"Image": "Image", "Picture": "Image"},
    "react": {"React": "Fragment", "Fragment": "Fragment", "Suspense": "Fragment"},
}
"""Module → the known name of the component that it exports, or of each that it does."""
ICON_MODULES = frozenset(
    ["lucide-react", "lucide-astro", "lucide-vue-next", "@lucide/astro", "@lucide/svelte", "@lucide/vue"]
)
"""Packages whose components are the icons of the built-in set."""
FOREIGN_MODULES: dict[str, tuple[str, ...]] = {
    "nextra": (
        "nextra/components",
        "nextra/components/",
        "nextra-theme-docs",
        "nextra-theme-blog",
        "@theguild/components",
        "fumadocs-ui/components/",
        "next/image",
        "next/link",
    ),
    "rspress": (
        "@theme",
        "@rspress/core/theme",
        "@rspress/core/theme-original",
        "@rspress/theme-default",
        "rspress/theme",
    ),
    "vocs": ("vocs", "vocs/components", "vocs/components/"),
    "starlight": ("@astrojs/starlight/components", "astro-expressive-code/components", "astro/components"),
}
"""Extension → modules whose names are those of its components; one that ends with a slash stands for all below it."""
_WITH_OTHER_NAMES = frozenset(["mintlify", "nextra", "rspress", "vitepress"])
_RENAMED = {
    "Cards.Card": "Card",
    "Columns.Column": "Column",
    "FileTree.File": "File",
    "FileTree.Folder": "Folder",
    "Steps.Step": "Step",
    "Tab": "TabItem",
    "Tabs.Tab": "TabItem",
    "Tree.File": "File",
    "Tree.Folder": "Folder",
}


_ICON_SETS = re.compile(r"@fortawesome/[\w-]+-svg-icons")
"""Packages whose values are icons of other sets, handed to a component that draws them."""


def is_icon_module(module: str) -> bool:
    """Return whether all that a module exports are icons."""
    return module in ICON_MODULES or _ICON_SETS.fullmatch(module) is not None


def canonical_name(name: str, extensions: frozenset[str]) -> str:
    """Give the name under which a component is known: `Tabs.Tab` of Nextra is a `TabItem`."""
    return name if extensions.isdisjoint(_WITH_OTHER_NAMES) else _RENAMED.get(name, name)


def foreign_names(module: str, extensions: frozenset[str] | None = None) -> frozenset[str]:
    """List the components that pages may import from a module of another engine.

    Args:
        module: As it is written in the page.
        extensions: Those of the page's dialect; None asks for all.
    """
    for extension, modules in FOREIGN_MODULES.items():
        if (extensions is None or extension in extensions) and any(
            module == one or (one.endswith("/") and module.startswith(one)) for one in modules
        ):
            return FOREIGN_COMPONENTS[extension] | {"Tab", "Tabs", "TabItem"}
    return frozenset()


@lru_cache(maxsize=256)
def foreign_components(extensions: frozenset[str]) -> frozenset[str]:
    """Names that are known with some extensions."""
    return frozenset().union(*(names for key, names in FOREIGN_COMPONENTS.items() if key in extensions))
