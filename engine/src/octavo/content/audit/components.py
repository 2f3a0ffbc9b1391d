"""Which components a text uses that no Markdown file is: found without compiling it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.content.foreign_components import canonical_name, foreign_components
from octavo.content.plain import without_code, without_comments
from octavo.content.scan.imports import known_imports, unknown_imports
from octavo.content.scan.tags import STOCK_COMPONENTS
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import ContentOptions

_TAG = re.compile(r"(?<![\w<`\\])<([A-Z][A-Za-z0-9_]*(?:\.[A-Z][A-Za-z0-9_]*)*)(?=[\s/>])")
_CLOSED = "</{name}>|<{name}(?=[\\s/])(?:[^<>{{}}\"']|\"[^\"]*\"|'[^']*'|\\{{(?:[^{{}}]|\\{{(?:[^{{}}]|\\{{[^{{}}]*\\}})*\\}})*\\}})*/>"
_GENERIC = 2
"""Characters of a name in a page of Vue that is more likely to be a type in text."""


def unknown_components(
    text: str, path: str, options: ContentOptions, own: frozenset[str] = frozenset()
) -> dict[str, str]:
    """List the components of a page that are not known: name → the module that it is imported from, if any.

    Args:
        text: Of the page.
        path: Of its file, from the site's folder.
        options: Those of the site.
        own: Names under which the site has components of its own for all pages, in the place of ours.
    """
    dialect = options.dialect_of(path)
    if not dialect.is_mdx and "vitepress" not in dialect.extensions:
        return {}
    prose = without_comments(without_code(text, is_mdx=dialect.is_mdx))
    used = dict.fromkeys(_TAG.findall(prose))
    if not used:
        return {}
    imported = unknown_imports(prose)
    # What the old engine has itself keeps its meaning.
    foreign = foreign_components(dialect.extensions)
    known = STOCK_COMPONENTS - (own - foreign) | foreign | options.components | known_imports(prose)
    known |= {"Head"}  # of Docusaurus, for all pages
    found: dict[str, str] = {}
    for name in used:
        # A member of an object is found where the object is.
        owner = name.partition(".")[0]
        if name in options.components:
            continue
        if owner in imported:
            found[name] = imported[owner]
        elif name in known or canonical_name(name, dialect.extensions) in known:
            continue
        elif len(name) > _GENERIC and re.search(_CLOSED.format(name=re.escape(name)), prose):
            # Registered for all pages, or a function of the page; a name without an end is text.
            found[name] = ""
    return found
