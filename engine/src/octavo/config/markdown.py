"""How a folder's Markdown files are written: the `markdown` setting."""

from __future__ import annotations

from typing import Any, Literal, get_args

from octavo.config.table import Table

Dialect = Literal["commonmark", "mdx"]
Levels = Literal[0, 1, 2, 3, 4]
Extension = Literal[
    "abbr",
    "admonitions",
    "annotations",
    "attr_list",
    "autorefs",
    "blocks",
    "callouts",
    "caret",
    "critic",
    "def_list",
    "details",
    "docfx",
    "docsify",
    "gitbook",
    "eleventy",
    "emoji",
    "file_names",
    "footnotes",
    "hexo",
    "hugo",
    "inlinehilite",
    "jekyll",
    "jupyter_ids",
    "keys",
    "loose",
    "macros",
    "mark",
    "math",
    "md_in_html",
    "mdbook",
    "mdbook_preprocessors",
    "mdc",
    "mdx1",
    "mintlify",
    "myst",
    "mystmd",
    "nextra",
    "nl2br",
    "notebooks",
    "obsidian",
    "npm2yarn",
    "retype",
    "rspress",
    "rst",
    "smart",
    "smart_titles",
    "snippets",
    "starlight",
    "table_reader",
    "tabs",
    "tilde",
    "version_notes",
    "vitepress",
    "vocs",
    "vuepress",
    "zola",
]
"""Syntax beyond CommonMark, under the names by which the programs call it that brought it up."""
Slugs = Literal[
    "github",
    "github-cased",
    "github-titles",
    "gitbook",
    "hexo",
    "hugo",
    "kramdown",
    "mintlify",
    "python-markdown",
    "pymdownx",
    "vitepress",
    "vitepress-cased",
    "docutils",
]
TabIds = Literal["", "labels", "titles-and-labels"]


class RstSettings(Table, frozen=True, kw_only=True):
    """What the `conf.py` of Sphinx says about files in reStructuredText."""

    root: str = ""
    """Folder of `conf.py`. Paths that begin with a slash start there."""
    prolog: str = ""
    """Text before each page, in reStructuredText: substitutions and roles, most of all."""
    epilog: str = ""
    """Text after each page, in reStructuredText."""
    default_role: str = ""
    """Role of text in single backticks."""
    highlight: str = ""
    """Language of code blocks that name none."""
    domain: str = "py"
    """Domain of directives such as `function` that name none."""
    directives: dict[str, str] = {}
    """Directive of the site's own → the one of Sphinx that it is like: `{synopsis = "code-block"}`."""
    extlinks: dict[str, list[str]] = {}
    """Roles for links: role → address and text, with `%s` for what is in the role. The address of `manpage`, which is that of
    pages of the manual, has `{page}`, `{section}` and `{path}`."""
    objects: list[str] = []
    """Further kinds of objects, each with a directive and a role of this name."""
    projects: dict[str, str] = {}
    """Addresses of other documentation, for references such as `` :doc:`python:tutorial/index` ``."""
    autodoc: dict[str, str] = {}
    """Options that `automodule`, `autoclass` and `autoexception` have where they say nothing else: `members = ""` for all members."""
    packages: list[str] = []
    """Python packages whose source is read for `autoclass` and its relatives. By default, all of them."""


ContainerLook = Literal["plain", "note", "tip", "info", "warning", "danger", "caution", "important"]
"""What a block of a site's own looks like."""


class MarkdownFolder(Table, frozen=True, kw_only=True):
    """How the files of a folder, and of those below it, are written."""

    dialect: Dialect = "commonmark"
    """`mdx` reads files with the extension `.md` with expressions, imports, and components, as in Docusaurus."""
    extensions: list[Extension] = []
    """Syntax extensions beyond CommonMark. Admonitions with `:::`, tables, footnotes, and strikethrough are always on.
    """
    snippets: list[str] = []
    """Folders where Octavo looks for the files of snippets, in this order. By default, the folder of the site."""
    files_above: Levels = 0
    """Number of folders above that of the site whose files pages may take in: `1` for the `CHANGES.rst` beside the folder `docs`."""
    aliases: dict[str, str] = {}
    """Prefixes of imported paths: `"@components" = "src/components"`. `@site` is always the folder of the site."""
    shortcodes: list[str] = []
    """Folders with the shortcode templates of the site (`hugo`)."""
    variables: dict[str, str] = {}
    """Values of parameters, with names in lower case: `{{< param version >}}` (`hugo`), `{{ version }}` (`myst`)."""
    macro_marks: list[str] = []
    """Four marks in place of `{{`, `}}`, `{%`, and `%}` (`macros`): `["[[", "]]", "[[%", "%]]"]`."""
    formula_macros: dict[str, str] = {}
    """Commands of formulas (`math`): `"\\\\R" = "\\\\mathbb{R}"`, with `#1` to `#9` for their arguments."""
    references: dict[str, str] = {}
    """Names for cross-references: name → path of the file, with `#id` for a place in it, or route."""
    append: list[str] = []
    """Files whose text is added to the end of each page, for example with link definitions and abbreviations."""
    repository: str = ""
    """Address of a repository on GitHub, GitLab, or Bitbucket. In text, `#12`, `!12` (a pull request), `@name`, `owner/name#12`, `owner/name@commit`, and whole commit ids become links, as with MagicLink of MkDocs."""
    containers: dict[str, ContainerLook] = {}
    """Further blocks between `::: name` and `:::`: name → kind of admonition that they look like, or `plain` for a block of the class `block-NAME` with title and text."""
    slugs: Slugs = "github"
    """How ids of headings are made: as in GitHub and Docusaurus, the same with their capital letters, the same with an id for the title as well (mdBook), in books of GitBook and HonKit, with their capital letters (Hexo), of titles as they are written in the source (Hugo), as Jekyll does (kramdown), in Mintlify (without underscores in front of words), in Python-Markdown (MkDocs), with the slugs of PyMdown Extensions, in VitePress, in its early versions (with capital letters), or in docutils (Sphinx)."""
    tab_ids: TabIds = ""
    """Give tabs ids that addresses may lead to: of their label (`#homebrew`), or of the title above with the label (`#install-homebrew`)."""
    rst: RstSettings = RstSettings()
    """Settings for files with the extension `.rst` (`rst`)."""


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
