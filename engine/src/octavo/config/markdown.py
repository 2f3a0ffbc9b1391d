"""How a folder's Markdown files are written: the `markdown` setting."""

from __future__ import annotations

from typing import Any, Literal, get_args

import msgspec

Dialect = Literal["commonmark", "mdx"]
Extension = Literal[
    "abbr",
    "admonitions",
    "annotations",
    "attr_list",
    "autorefs",
    "blocks",
    "caret",
    "critic",
    "def_list",
    "details",
    "docsify",
    "gitbook",
    "emoji",
    "footnotes",
    "hugo",
    "jekyll",
    "keys",
    "macros",
    "mark",
    "math",
    "md_in_html",
    "mdbook",
    "mintlify",
    "myst",
    "nextra",
    "npm2yarn",
    "snippets",
    "starlight",
    "tabs",
    "tilde",
    "vitepress",
    "vuepress",
]
"""Syntax beyond CommonMark, under the names by which the programs call it that brought it up."""
Slugs = Literal["github", "python-markdown", "vitepress"]


class MarkdownFolder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the files of a folder, and of those below it, are written."""

    dialect: Dialect = "commonmark"
    """`mdx` reads files ending in `.md` with expressions, imports and components, as Docusaurus does."""
    extensions: list[Extension] = []
    """Syntax that the files use beyond CommonMark; `:::` admonitions, tables, footnotes and strike-through need none."""
    snippets: list[str] = []
    """Folders from the site's folder in which the files named by snippets are looked for, in order; none: that folder."""
    aliases: dict[str, str] = {}
    """Beginnings of imported paths: `"@components" = "src/components"`. `@site` is the site's folder always."""
    shortcodes: list[str] = []
    """Folders from the site's folder with the templates of the site's own shortcodes (`hugo`)."""
    variables: dict[str, str] = {}
    """Texts for names, in small letters: `{{< param version >}}` (`hugo`), `{{ version }}` (`myst`)."""
    references: dict[str, str] = {}
    """Names by which pages refer to others: name → path from the site's folder, with `#id` for a place in it, or a route."""
    append: list[str] = []
    """Files from the site's folder whose text is added to each page, with definitions of links and abbreviations for all."""
    slugs: Slugs = "github"
    """How the ids of headings are made: as GitHub and Docusaurus do, as Python-Markdown (MkDocs), or as VitePress."""


_KEYS = frozenset(MarkdownFolder.__struct_fields__)
ALL = "."
"""Stands for the whole site among the folders."""


def tidy_markdown(raw: dict[str, Any]) -> dict[str, Any]:
    """Apply the settings of `[markdown]` itself to the whole site.

    `extensions = […]` in `[markdown]` means the same as in `[markdown."."]`. A key with a dialect's name as its value is
    a folder, whatever it is called.
    """
    given = raw.get("markdown")
    if not isinstance(given, dict):
        return raw
    own = {key: value for key, value in given.items() if key in _KEYS and (key == "dialect" or not _is_dialect(value))}
    if not own:
        return raw
    folders = {key: value for key, value in given.items() if key not in own}
    return {**raw, "markdown": {ALL: own, **folders}}


def _is_dialect(value: object) -> bool:
    return value in get_args(Dialect) if isinstance(value, str) else False


def markdown_folders(markdown: Dialect | dict[str, Dialect | MarkdownFolder]) -> dict[str, MarkdownFolder]:
    """Give how each folder's files are written: folder from the site's folder, "" for all → settings."""
    given: dict[str, Dialect | MarkdownFolder] = {ALL: markdown} if isinstance(markdown, str) else markdown
    return {
        folder.removeprefix("./").strip("/").removeprefix(ALL): (
            MarkdownFolder(dialect=settings) if isinstance(settings, str) else settings
        )
        for folder, settings in given.items()
    }
