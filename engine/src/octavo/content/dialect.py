"""`Dialect`: which syntax beyond CommonMark the files of a folder use."""

from __future__ import annotations

import msgspec

from octavo.lazy import regex as re

EXTENSIONS: dict[str, str] = {
    "abbr": "`*[HTML]: Hypertext Markup Language` explains a word wherever it is used",
    "admonitions": '`!!! note "Title"` with an indented body',
    "annotations": "`(1)!` in code is shown as `(1)`; the list that follows explains it",
    "attr_list": "`{ #id .class key=value }` after a heading, a link, an image, or at the end of a paragraph",
    "autorefs": "`[text][heading-id]`, `[heading-id][]` and ``[`package.Name`]`` lead to the heading or member with this id, on whatever page",
    "blocks": "`/// note | Title` to `///`",
    "callouts": "`> [!kind] text`: alerts with text in the line of their mark, of any kind",
    "caret": "`^^inserted^^` and `^superscript^`",
    "critic": "`{++ ++}`, `{-- --}`, `{~~ ~> ~~}`, `{== ==}`, `{>> <<}`",
    "def_list": "a term, and below it `:   definition`",
    "details": '`??? note "Title"`, open with `???+`, with an indented body',
    "docfx": "`[!INCLUDE [](file)]`, `[!code-csharp[](file)]`, `# [Title](#tab/id)`, `[!VIDEO address]`, `<xref:uid>` and `@uid` of DocFX",
    "docsify": "`!> important`, `?> hint`, `[file](path ':include')`, `## Title :id=name`, tabs between comments",
    "eleventy": "Liquid or Nunjucks over the data and collections of an Eleventy site, `{% include 'file' %}`, images by shortcodes",
    "emoji": "`:smile:`; icons such as `:material-home:` are left out",
    "file_names": "a comment that names a file, in the first four lines of a block of code, is its title, as Expressive Code reads it",
    "footnotes": "`[^1]`; known always",
    "gitbook": "`{% hint %}`, `{% tabs %}`, `{% code title %}`, `{% embed %}`, `{% file %}` and the other blocks of GitBook; with `macros` also what books of GitBook and HonKit include",
    "hexo": "front matter that ends at a line `---` and has none above it",
    "hugo": "`{{< name >}}` and `{{% name %}}`: the shortcodes of Hugo, of Docsy, Hextra and Book, and simple ones of the site",
    "inlinehilite": "`` `#!python range(3)` ``: code in a line, shown without the name of its language",
    "jekyll": "Liquid, `{{ site.title }}`, `{% include file.html %}`, `{% raw %}`, and the attributes of kramdown, `{: .note }`",
    "jupyter_ids": "with `notebooks`: ids of titles in notebooks are the titles with hyphens for spaces, as in Jupyter and nbsphinx",
    "keys": "`++ctrl+c++`",
    "loose": "bold text beside punctuation, `は**「風」**と`, and text behind the end of HTML, as Python-Markdown and kramdown read them",
    "macros": '`{{ name }}`, also in code, `{% set name = "text" %}`, `{% include "file" %}`, `{# comment #}`: variables and files of mkdocs-macros',
    "mark": "`==marked==`",
    "math": "`$…$` and `$$…$$`",
    "md_in_html": "`<div markdown>` holds Markdown, indented or not",
    "mdbook": "`{{#include file:lines}}` and its relatives, `## Title { #id .class }`",
    "mdbook_preprocessors": "what the most used preprocessors of mdBook read: admonish, tabs, variables, footnote",
    "mdc": '`::callout{color="info"}` to `::`, `:badge[text]`, `[text]{.class}`: components of Nuxt Content and Docus',
    "mdx1": "braces are text where they hold no value that the page knows, as in Docusaurus 2",
    "mintlify": "`<Note>`, `<CardGroup>`, `<CodeGroup>`, `<ParamField>` and the other components of Mintlify",
    "myst": "directives and roles of MyST: ```` ```{note} ````, `:::{tip}`, `` {ref}`label` ``",
    "mystmd": "with `myst`, what mystmd reads in another way than Sphinx: `:::{tip} Title`, and citations `[@key]`",
    "nl2br": "the end of a line in a paragraph is a line break, as in Python-Markdown with this extension",
    "nextra": "`<Callout>`, `<Cards>`, `<Tabs items>`, `<FileTree>` and the other components of Nextra and Fumadocs",
    "notebooks": "files with the extension `.ipynb` are notebooks of Jupyter: their text, code, and what the code has shown; nothing is run",
    "npm2yarn": "a block with this word shows npm commands for other package managers as well; known always",
    "obsidian": "`[[Page#Heading|text]]`, `![[file]]`, `> [!kind]- Title`, `%%comment%%` and `^block-id` of Obsidian",
    "retype": "`!!! warning Title`, `+++ Tab`, `||| Column`, `=== Panel`, `>>> Step`, `:::name`, and `[!badge text]` and its relatives, as Retype has them",
    "rspress": "`<PackageManagerTabs>`, `<Steps>`, `<Tab label>`, `<SourceCode>`, `<LinkCard>` and the other components of Rspress",
    "rst": "files with the extension `.rst` are reStructuredText, with the directives and roles of Sphinx; needs `octavo[rst]`",
    "smart": "straight quotes, `--`, `---` and `...` are drawn as quotation marks, dashes and an ellipsis, outside of code",
    "smart_titles": "with `smart`: ids of titles are made of what is drawn, not of what is written",
    "snippets": '`--8<-- "file"` takes in a file',
    "starlight": "`<Card>`, `<Aside>`, `<Steps>` and the other components of Starlight, with their import or without",
    "table_reader": "`{{ read_csv('prices.csv') }}` and its relatives, for tables in files of CSV, JSON or YAML, as the plug-in table-reader of MkDocs draws them",
    "tabs": '`=== "Title"` with an indented body',
    "tilde": "`~subscript~`; `~~deleted~~` is known always",
    "version_notes": '`+++ 2.0 "Title"`, `+/- 2.0` and `--- 2.0` with an indented body: what a version adds, changes and removes, as the extension markdown-version-annotations of MkDocs draws it',
    "vitepress": "`<<< @/file` and `<!--@include: file-->` take in a file; components of Vue keep their content",
    "vocs": "`# Title [Subtitle]`, `::::steps`, `:::file-tree`, `:::terminal`, and `// [!include ~/file]` in code; `<Callout>`, `<Cards>` and the other components of Vocs",
    "vuepress": "`@[code](file)` takes in a file; `code-group` and `tabs` of VuePress; texts of a page with `home: true`",
    "zola": '`@/folder/page.md` in links, `{{ name(key="value") }}` and `{% name() %}…{% end %}`: the shortcodes of Zola',
}
"""Every extension, with its syntax in short."""


class RstSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the `conf.py` of Sphinx says about files in reStructuredText."""

    root: str = ""
    """Folder of `conf.py`, from the folder of the site: paths that begin with a slash start there."""
    prolog: str = ""
    """Text that is put before each page: substitutions and roles, most of all."""
    epilog: str = ""
    """Text that is put after each page."""
    default_role: str = ""
    """Role of text in single backticks."""
    highlight: str = ""
    """Language of code blocks that name none."""
    domain: str = "py"
    """Domain of directives such as `function` that name none."""
    extlinks: dict[str, list[str]] = {}
    """Role → address and text, with `%s` for what is in the role; that of `manpage` has `{page}`, `{section}` and `{path}`."""
    objects: list[str] = []
    """Further kinds of objects, each with a directive and a role of this name."""
    directives: dict[str, str] = {}
    """Directive of the site's own → the one of Sphinx that it is like: `{synopsis = "code-block"}`."""
    projects: dict[str, str] = {}
    """Other documentation → its address: `` :doc:`python:tutorial/index` ``."""
    autodoc: dict[str, str] = {}
    """Options that `automodule`, `autoclass` and `autoexception` have where they say nothing else: `members = ""` for all members."""
    packages: list[str] = []
    """Python packages whose source is read for `autoclass` and its relatives; empty for all."""


class Dialect(msgspec.Struct, frozen=True):
    """How the files of a folder are written."""

    is_mdx: bool = False
    """Expressions, imports and components are syntax."""
    extensions: frozenset[str] = frozenset()
    """Keys of `EXTENSIONS`."""
    snippet_folders: tuple[str, ...] = (".",)
    """Folders from the site's folder in which the files of snippets are looked for, in order."""
    files_above: int = 0
    """Number of folders above that of the site whose files pages may take in."""
    aliases: dict[str, str] = {}
    """Beginning of an imported path → folder from the site's folder."""
    shortcodes: tuple[str, ...] = ()
    """Folders from the site's folder with the templates of its own shortcodes."""
    variables: dict[str, str] = {}
    """Name in small letters → the text that a page shows for it."""
    macro_marks: tuple[str, ...] = ()
    """Marks around variables and statements of templates (`macros`): four, in place of `{{`, `}}`, `{%` and `%}`."""
    formula_macros: dict[str, str] = {}
    """Command of formulas → what it stands for, with `#1` to `#9` for its arguments."""
    references: dict[str, str] = {}
    """Name by which pages refer to a page or a place → path from the site's folder, with `#id` for a place; or a route."""
    appended: tuple[str, ...] = ()
    """Files whose text is added to each page: definitions of links and abbreviations."""
    repository: str = ""
    """Address of a repository: `#12`, `!12`, `@name`, `owner/name#12` and commits in text are links to it."""
    containers: dict[str, str] = {}
    """Further blocks of colons: name → kind of admonition that they look like, or `plain`."""
    slugs: str = "github"
    """How ids of headings are made: `github`, `github-cased`, `github-titles`, `gitbook`, `hexo`, `hugo`, `jupyter`, `kramdown`, `mintlify`, `python-markdown`, `pymdownx`, `vitepress`, `vitepress-cased` or `docutils`."""
    tab_ids: str = ""
    """How ids of tabs are made: of their `labels`, or of `titles-and-labels`; empty for none."""
    rst: RstSettings = RstSettings()
    """For files in reStructuredText."""

    @property
    def has_contents_mark(self) -> bool:
        """Whether `[TOC]` or `[[toc]]` stands for the list of a page's headings."""
        return not self.slugs.startswith(("github", "gitbook", "hugo", "jupyter", "kramdown", "mintlify"))


_LONGEST_PATH = 1000


def is_reached(path: str, dialect: Dialect) -> bool:
    """Whether a page may take in a file by its path from the site's folder: those above it only as far as its settings say."""
    above = next((at for at, part in enumerate(path.split("/")) if part != ".."), 0)
    return above <= dialect.files_above and not path.startswith("/") and len(path) <= _LONGEST_PATH


def typescript_of(path: str) -> str:
    """Give the path of the program in TypeScript that bundlers take where one in JavaScript is named and is not there."""
    return re.sub(r"(?<=\.)([cm]?)js(x?)\Z", r"\1ts\2", path)


COMMONMARK = Dialect()
"""How files are written where the site says nothing."""
