"""A folder of Markdown files: READMEs are indexes, names give the order. Vaults of Obsidian and sites of Quartz are such folders."""

from __future__ import annotations

import posixpath
from pathlib import Path

from octavo.content import without_code
from octavo.importing.common import ALWAYS_EXCLUDED, diagnostics, relative
from octavo.importing.engines.mkdocstrings import add_python_api
from octavo.importing.model import Plan, Recognized
from octavo.importing.navigation import name_of_site, title_of
from octavo.importing.tree import Tree
from octavo.lazy import regex as re

_DIRECTIVE = re.compile(r"^[ \t]*(?:`{3,}|:{3,})[ \t]*\{[a-z][a-z-]*\}", re.MULTILINE)
"""A directive of MyST, which Jupyter Book and others read without a file of Sphinx."""


_PYTHON_MARKDOWN = {
    "admonitions": re.compile(r"^!!![ \t]+[a-z]", re.MULTILINE),
    "attr_list": re.compile(r"^#{1,6}[ \t][^\n]*\{:?[ \t]+[#.][\w-]+[ \t]*\}[ \t]*$|\)\{:?[ \t]*[.#\w]", re.MULTILINE),
    "details": re.compile(r"^\?\?\?\+?[ \t]+[a-z]", re.MULTILINE),
    "tabs": re.compile(r'^===[!+]?[ \t]+"', re.MULTILINE),
}
"""Syntax of MkDocs, where its settings are elsewhere: extension → what speaks for it."""
_OF_DOCUSAURUS = re.compile(r"""^import\s[^\n]*\bfrom\s+["']@(?:theme|theme-original|site|docusaurus)/""", re.MULTILINE)
"""An import of Docusaurus, whose files are MDX whatever their ending."""


_MDX_PROGRAMS = re.compile(
    r"""["'](?:@mdx-js/[\w-]+|next-mdx-remote[\w-]*|mdx-bundler|remark-mdx|@next/mdx|contentlayer2?|velite|@content-collections/mdx|gatsby-plugin-mdx)["']\s*:"""
)
"""Packages by which a program draws pages in MDX."""
_COMPONENT_OF_MDX = re.compile(r"<(?P<name>[A-Z]\w+)(?:\s[^<>]*)?(?:/>|>.*?</(?P=name)>)", re.DOTALL)
_CONTENT = ("src/content", "content", "src/docs")
"""Folders in which such programs keep their pages."""
_SHARE_OF_MDX = 0.1
_SHARE_OF_CONTENT = 0.8
_OF_OBSIDIAN = re.compile(r"\[\[(?P<name>[^\[\]\n|#]{1,200})(?:[|#][^\[\]\n]{0,200})?\]\](?!\()")
_CALLOUT = re.compile(r"^[ \t]*>[ \t]*\[!\w+\][+-]?[ \t]+\S", re.MULTILINE)
_COMPONENT = re.compile(r"^::[a-z][\w-]*(?:\{[^{}\n]*\})?[ \t]*\n(?:(?!::[a-z])[^\n]*\n)*?::[ \t]*$", re.MULTILINE)
"""A component of Nuxt Content, which others read as well."""
_FEW_LINKS = 3
"""Links by name from which on a folder is taken for a vault."""


def _is_vault(tree: Tree, texts: list[str]) -> bool:
    """Whether texts between double brackets are names of pages, as few as they are."""
    names = {posixpath.splitext(posixpath.basename(file))[0].lower() for file in tree.files}
    found = (
        match["name"].strip().rpartition("/")[2].removesuffix(".md").lower()
        for text in texts
        if "[[" in text
        for match in _OF_OBSIDIAN.finditer(without_code(text))
    )
    return sum(name in names for name in found) >= _FEW_LINKS


def _extensions(tree: Tree, *, is_vault: bool) -> list[str]:
    """Find out how the files are written; short codes of emojis are known on all hosts of repositories."""
    texts = [tree.text(file) for file in tree.files]
    found = {name for name, sign in _PYTHON_MARKDOWN.items() if any(sign.search(without_code(text)) for text in texts)}
    if any(_DIRECTIVE.search(text) for text in texts):
        found |= {"def_list", "math", "myst"}
    if any("{{" in text and _SHORTCODE.search(without_code(text)) for text in texts):
        found |= {"attr_list", "def_list", "hugo"}
    if any("\n::" in text and _COMPONENT.search(without_code(text)) for text in texts):
        found.add("mdc")
    if is_vault or _is_vault(tree, texts):
        found |= {"mark", "math", "obsidian"}
    elif any(_CALLOUT.search(without_code(text)) for text in texts):
        found.add("callouts")
    return sorted(found | {"emoji"})


def _is_drawn_as_mdx(home: Path) -> bool:
    """Whether a folder is a program of its own that draws pages in MDX: a site in React without an engine."""
    try:
        return _MDX_PROGRAMS.search((home / "package.json").read_text(encoding="utf-8", errors="replace")) is not None
    except OSError:
        return False


def _has_components(tree: Tree) -> bool:
    """Whether files with the ending of Markdown hold components, as only MDX has them."""
    files = [file for file in tree.files if file.endswith(".md")]
    found = sum(_COMPONENT_OF_MDX.search(without_code(tree.text(file))) is not None for file in files)
    return found > _SHARE_OF_MDX * len(files)


def _content_of_program(home: Path) -> Path | None:
    """Find the folder that holds nearly all pages of such a site."""

    def count(folder: Path) -> int:
        # What an earlier import has written counts no more than packages do.
        paths = (path.relative_to(home) for path in folder.rglob("*.md*") if path.suffix in (".md", ".mdx"))
        return sum(
            1 for path in paths if not any(part.startswith((".", "octavo-", "node_modules")) for part in path.parts)
        )

    # Files beside the program, such as its README, are not pages.
    whole = count(home) - sum(1 for path in home.glob("*.md*") if path.suffix in (".md", ".mdx"))
    found = (home / name for name in _CONTENT if (home / name).is_dir())
    return next((folder for folder in found if count(folder) > _SHARE_OF_CONTENT * whole), None)


def _leave_templates_out(plan: Plan, vault: Path) -> None:
    """Exclude the folders of a vault that hold no pages: patterns for new notes, and what is private, as Quartz does."""
    for path in sorted(vault.iterdir()):
        if path.is_dir() and path.name.lower() in ("templates", "private") and any(path.rglob("*.md")):
            name = plan.path(path)
            plan.settings["exclude"].append(f"{name}/**")
            plan.note(
                "Folders of a vault that hold no pages",
                "Take them out of exclude in octavo.toml to publish them.",
                files=[name],
            )


_SHORTCODE = re.compile(r"\{\{[<%]\s*/?[a-z][\w/-]*[^{}\n]*[>%]\}\}")
"""A shortcode of Hugo, whose settings may be written by a program."""


def plan(found: Recognized, folder: Path) -> Plan:
    """Plan the import of a folder."""
    made = Plan(found.engine, folder, {})
    settings = made.settings
    settings["title"] = name_of_site(found.home)
    is_quartz = found.config is not None and found.config.name.startswith("quartz")
    content = found.home / "content" if is_quartz and (found.home / "content").is_dir() else found.home
    is_program = found.config is None and _is_drawn_as_mdx(found.home)
    content = (is_program and _content_of_program(found.home)) or content
    settings["docs"] = docs = relative(content, folder)
    settings["exclude"] = [*ALWAYS_EXCLUDED, "pages/**", "static/**", "components/**"]
    settings["routing"] = {"number_prefixes": True, "folder_name_is_index": False}
    if is_quartz:
        made.note(
            "quartz.config",
            "Title, colors and plug-ins are a program: write what is missing into octavo.toml.",
            files=[made.path(found.config)] if found.config else [],
        )
        settings["static"] = docs
    if found.engine == "obsidian":
        _leave_templates_out(made, content)
    if is_program and (found.home / "public").is_dir():
        settings["static"] = public = relative(found.home / "public", folder)
        settings["exclude"].append(f"{public}/**")
    tree = Tree(folder, settings, docs)
    settings["markdown"] = {"extensions": _extensions(tree, is_vault=found.engine == "obsidian")}
    # References made from code, `::: package.module`, where the settings of mkdocstrings are elsewhere.
    if add_python_api(made, {}, found.home, tree):
        settings["markdown"]["slugs"] = "python-markdown"
    templates = [name for name in ("layouts/shortcodes", "layouts/_shortcodes") if (folder / name).is_dir()]
    if "hugo" in settings["markdown"]["extensions"] and templates:
        settings["markdown"]["shortcodes"] = templates
    if any(_OF_DOCUSAURUS.search(without_code(tree.text(file))) for file in tree.files if file.endswith(".md")):
        settings["markdown"]["dialect"] = "mdx"
    if is_program and _has_components(tree):
        settings["markdown"]["dialect"] = "mdx"
    index = next((file for file in tree.files if tree.route(file) == "/"), None)
    if index:
        settings["title"] = title_of(tree, index)
    elif tree.files:
        settings["redirects"] = [{"from": "/", "to": tree.route(tree.files[0])}]
    settings["sidebars"] = [{"id": "docs", "items": [{"autogenerated": "."}]}]
    settings["navbar"] = {"title": settings["title"]}
    settings["diagnostics"] = diagnostics()
    return made
