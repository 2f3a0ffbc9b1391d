"""The two glossary pages, made from `site/glossary.toml`.

`python -m site_text.glossary_page` writes them anew; a test compares the pages with the data.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from posixpath import relpath

import msgspec

from octavo.content import Term
from site_text.texts import SITE

DATA = SITE / "glossary.toml"
DOCS = SITE / "docs"
PRODUCTS = {"codegate": "CodeGate", "toolhive": "ToolHive"}
NEXT = {
    "codegate": """- [What CodeGate is](../index.mdx): how the parts work together.
- [Architecture of CodeGate](../development/architecture.mdx): the path of a request.
""",
    "toolhive": """- [What ToolHive is](../index.mdx): how the parts work together.
- [What MCP is](../concepts/mcp-primer.mdx): the protocol behind the terms.
""",
}


def load_terms() -> list[tuple[str, Term]]:
    """Read the terms with their names, sorted by name."""
    terms = msgspec.convert(tomllib.loads(DATA.read_text(encoding="utf-8")), dict[str, Term])
    return sorted(terms.items(), key=lambda item: item[0].lower())


def page_path(product: str) -> Path:
    """Find the file of a product's glossary."""
    return DOCS / product / "reference" / "glossary.mdx"


def source_of(route: str) -> Path:
    """Find the file that a route shows."""
    stem = DOCS / route.strip("/")
    found = [path for path in (stem.with_suffix(".mdx"), stem / "index.mdx") if path.is_file()]
    # API and command references have no source of their own: links name them by the suffix `.md`.
    return found[0] if found else stem.with_suffix(".md")


def link(href: str, page: Path) -> str:
    """Make a link by file path, as all pages have it, with the title of the page as its text."""
    route, hash_mark, anchor = href.partition("#")
    source = source_of(route)
    title = re.search(r"^title: (.+)$", source.read_text(encoding="utf-8"), re.MULTILINE) if source.is_file() else None
    target = relpath(source, page.parent).replace("\\", "/")
    target = target if target.startswith(".") else f"./{target}"
    return f"[{title[1] if title else 'API reference'}]({target}{hash_mark}{anchor})"


def slug(term: str) -> str:
    """Make the id of a term's row."""
    return "term-" + re.sub(r"[^a-z0-9]+", "-", term.lower()).strip("-")


def row(name: str, term: Term, page: Path) -> str:
    """Make a term's row: an anchor that links lead to, other words for it, its meaning, its page.

    A row and not a heading: searches for a term have to find the page about it first.
    """
    also = f" ({', '.join(term.also)})" if term.also else ""
    more = link(term.href, page) if term.href else "–"
    return f'| <span id="{slug(name)}">**{name}**</span>{also} | {term.definition} | {more} |\n'


def page(product: str) -> str:
    """Make the page of a product."""
    name, path = PRODUCTS[product], page_path(product)
    terms = [(key, term) for key, term in load_terms() if f"docs/{product}" in term.folders]
    return (
        f"---\ntitle: {name} glossary\nsidebar_label: Glossary\nsidebar_position: 60\n"
        f"description: The {len(terms)} terms of these pages, each explained in one or two sentences, "
        f"with a link to the page about it, for {name}.\nglossary: false\n---\n\n"
        "{/* Made by site_text/glossary_page.py from glossary.toml; change that. */}\n\n"
        f"<{name}Version />\n\n"
        f"This reference explains the terms that these pages use for {name}. One word has one meaning on every page.\n\n"
        "## Terms\n\n| Term | Meaning | Read more |\n| --- | --- | --- |\n"
        + "".join(row(key, term, path) for key, term in terms)
        + "\n## What to read next\n\n"
        + NEXT[product]
    )


def main() -> None:
    """Write both pages."""
    for product in PRODUCTS:
        page_path(product).write_text(page(product), encoding="utf-8")


if __name__ == "__main__":
    main()
