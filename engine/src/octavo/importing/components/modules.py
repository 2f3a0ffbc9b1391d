"""Modules of packages that modules of our own stand for, and components that pages import from them by themselves."""

from __future__ import annotations

from octavo.importing.components.icons import is_package_of_icons
from octavo.lazy import regex as re

_OF_NODE = {"fs": "node-fs", "fs/promises": "node-fs", "path": "node-path", "path/posix": "node-path"}
MODULES = {
    "@docusaurus/BrowserOnly": "browser-only",
    "@docusaurus/ExecutionEnvironment": "execution-environment",
    "@docusaurus/Head": "nothing",
    "@docusaurus/Link": "link",
    "@docusaurus/Translate": "translate",
    "@docusaurus/router": "router",
    "@docusaurus/isInternalUrl": "is-internal-url",
    "@docusaurus/Interpolate": "interpolate",
    "@docusaurus/Noop": "nothing",
    "@docusaurus/theme-common": "theme-common",
    "@docusaurus/theme-common/Details": "theme-common",
    "@docusaurus/theme-common/internal": "theme-common",
    "@docusaurus/plugin-content-blog/client": "blog-client",
    "@docusaurus/useBrokenLinks": "broken-links",
    "@docusaurus/useBaseUrl": "use-base-url",
    "@docusaurus/useDocusaurusContext": "context",
    "@docusaurus/useIsBrowser": "is-browser",
    "@theme/Admonition": "admonition",
    "@theme/CodeBlock": "code-block",
    "@theme/Details": "details",
    "@theme/Heading": "heading",
    "@theme/IdealImage": "image",
    "@theme/Layout": "content",
    "@theme/MDXContent": "content",
    "@theme/TabItem": "tab-item",
    "@theme/Tabs": "tabs",
    "@theme/ThemedImage": "themed-image",
    "@theme/TOCInline": "nothing",
    "@docusaurus/useGlobalData": "global-data",
    "@docusaurus/plugin-content-docs/client": "docs-client",
    "@astrojs/starlight/components": "starlight",
    "@astrojs/markdown-remark": "markdown",
    "astro:assets": "astro-assets",
    "class-variance-authority": "class-names",
    "classnames": "clsx",
    "clsx": "clsx",
    "framer-motion": "motion",
    "motion/react": "motion",
    "fumadocs-core/highlight": "fumadocs",
    "fumadocs-core/highlight/client": "fumadocs",
    "fumadocs-core/link": "link",
    "fumadocs-ui/components/accordion": "fumadocs",
    "fumadocs-ui/components/callout": "fumadocs",
    "fumadocs-ui/components/card": "fumadocs",
    "fumadocs-ui/components/codeblock": "fumadocs",
    "fumadocs-ui/components/codeblock.rsc": "fumadocs",
    "fumadocs-ui/components/dynamic-codeblock": "fumadocs",
    "fumadocs-ui/components/files": "fumadocs",
    "fumadocs-ui/components/steps": "fumadocs",
    "fumadocs-ui/components/tabs": "fumadocs",
    "fumadocs-ui/components/type-table": "fumadocs",
    "markdown-it": "markdown",
    "marked": "markdown",
    "micromark": "markdown",
    "mintlify/components": "mintlify",
    "next-themes": "next-themes",
    "next/dynamic": "dynamic",
    "next/head": "nothing",
    "next/image": "image",
    "next/link": "link",
    "next/navigation": "router",
    "next/router": "router",
    "nextra/components": "nextra",
    "prop-types": "prop-types",
    "nextra-theme-docs": "nextra",
    "@rspress/core/runtime": "rspress-runtime",
    "@rspress/runtime": "rspress-runtime",
    "rspress/runtime": "rspress-runtime",
    "react-router-dom": "router",
    "react-youtube": "players",
    "react-lite-youtube-embed": "players",
    "react-player": "players",
    "react-player/lazy": "players",
    "react-player/vimeo": "players",
    "react-player/youtube": "players",
    "tailwind-merge": "class-names",
    **{f"{scheme}{name}": shim for scheme in ("", "node:") for name, shim in _OF_NODE.items()},
    "@vueuse/core": "vueuse",
    "vocs": "vocs",
    "vocs/components": "vocs",
    "VUE": "vue",
    "vitepress": "vitepress",
    "vitepress/theme": "vitepress-part",
    "vue": "vue",
    "zustand": "zustand",
    "zustand/middleware": "zustand",
    "zustand/react/shallow": "zustand",
    "zustand/shallow": "zustand",
}
"""Module of the old engine → the one that stands for it."""
_OF_CONTENT = frozenset(
    [
        *(f"{scheme}{name}" for scheme in ("", "node:") for name in _OF_NODE),
        "@astrojs/markdown-remark",
        "clsx",
        "classnames",
        "class-variance-authority",
        "markdown-it",
        "marked",
        "micromark",
        "prop-types",
        "tailwind-merge",
        "vue",
        "VUE",
        "react-router-dom",
        "zustand",
    ]
)
"""Modules that offer no components."""


def module_of(name: str, module: str, page: str) -> str | None:
    """Write the module that hands on a component which pages import from a package; None where nothing stands for that.

    Args:
        name: Of the component in the page.
        module: That it is imported from.
        page: The text of the page.
    """
    if module in _OF_CONTENT or not (module in MODULES or is_package_of_icons(module)):
        return None
    owner, dot, member = name.partition(".")
    rest_of_name = f"{dot}{member}"
    clause = rf"""\bimport\s+(?P<what>[^;'"]*?)\s*from\s*["']{re.escape(module)}["']"""
    for match in re.finditer(clause, page):
        head, _, rest = match["what"].partition("{")
        if re.match(rf"\*\s*as\s+{owner}\b", head.strip()) and member:
            return f'import * as {owner} from "{module}";\nexport default {name};\n'
        if re.match(rf"{owner}\b", head.strip()):
            return f'import {owner} from "{module}";\nexport default {name};\n'
        for one in rest.rstrip("} \n").split(","):
            exported, _, own = one.strip().partition(" as ")
            if (own or exported).strip() == owner and exported:
                return f'import {{ {exported} }} from "{module}";\nexport default {exported}{rest_of_name};\n'
    return None
