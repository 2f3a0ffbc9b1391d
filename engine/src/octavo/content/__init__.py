"""Markdown → `Document`. Pure: text in, typed value out; no I/O, no knowledge of the site.

This module exports the values and the small helpers. The compiler itself is `octavo.content.compile`: importing it
loads the Markdown parser, which programs that only read documents (the server) do not need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.content.audit.components import unknown_components
from octavo.content.audit.output import Loss, OutputAudit, RawMark, audit_document, audit_output
from octavo.content.code.fences import FenceInfo, parse_info, render_fence
from octavo.content.context import ContentOptions, nearest
from octavo.content.dialect import EXTENSIONS, Dialect, RstSettings, typescript_of
from octavo.content.document import (
    CARDS_IN_MARKDOWN,
    COMPONENT_KIND,
    EXTENSION_INPUTS,
    SLOT,
    Asset,
    Document,
    DrawnCode,
    Extended,
    Extender,
    FrontMatter,
    Heading,
    Island,
    LastUpdate,
    Link,
    PartialLoader,
    Term,
    TextChunk,
    find_repeated_words,
    moved_route,
)
from octavo.content.escape import inline_code
from octavo.content.front_matter import HEXO_FENCE, read_settings
from octavo.content.front_matter_values import day_of, distinct_words, is_setting, people_in
from octavo.content.html_names import VOID, is_external, split_sources
from octavo.content.icons import MARKS, suggest_icon, svg_of
from octavo.content.icons.sanitize import UnsafeIconError
from octavo.content.plain import without_code
from octavo.content.posts import (
    PostAuthor,
    PostFolder,
    date_in_name,
    is_day,
    is_list,
    picture_from,
    picture_html,
    term_file,
)
from octavo.content.posts.addresses import TITLE_KEYS, URL_KEYS
from octavo.content.render.html_tree import BLOCKS, escape_text, html_as_markdown
from octavo.content.scan.tags import STOCK_COMPONENTS
from octavo.content.slugger import Slugger, slugify, slugify_docutils
from octavo.lazy import export_lazily

if TYPE_CHECKING:
    from octavo.content.convert.page import Converted, convert_page
    from octavo.content.notebooks.cells import is_unrun, markdown_of
    from octavo.content.notebooks.pictures import pictures_of, split_picture
    from octavo.content.render.autolinks import find_addresses
    from octavo.content.render.nodes.admonitions import OWN_KINDS, alert_tags
    from octavo.content.render.tables import find_text_columns
    from octavo.content.scan.scanner import TRANSLATED
    from octavo.content.translate.rst.outline import labels_in, title_in
    from octavo.content.translate.rst.parsing import is_known_directive

__getattr__ = export_lazily(
    __name__,
    {
        "convert.page": ("Converted", "convert_page"),
        "notebooks.cells": ("is_unrun", "markdown_of"),
        "notebooks.pictures": ("pictures_of", "split_picture"),
        "render.autolinks": ("find_addresses",),
        "render.nodes.admonitions": ("OWN_KINDS", "alert_tags"),
        "render.tables": ("find_text_columns",),
        "scan.scanner": ("TRANSLATED",),
        "translate.rst.outline": ("labels_in", "title_in"),
        "translate.rst.parsing": ("is_known_directive",),
    },
)

__all__ = [
    "BLOCKS",
    "CARDS_IN_MARKDOWN",
    "COMPONENT_KIND",
    "EXTENSIONS",
    "EXTENSION_INPUTS",
    "HEXO_FENCE",
    "MARKS",
    "OWN_KINDS",
    "SLOT",
    "STOCK_COMPONENTS",
    "TITLE_KEYS",
    "TRANSLATED",
    "URL_KEYS",
    "VOID",
    "Asset",
    "ContentOptions",
    "Converted",
    "Dialect",
    "Document",
    "DrawnCode",
    "Extended",
    "Extender",
    "FenceInfo",
    "FrontMatter",
    "Heading",
    "Island",
    "LastUpdate",
    "Link",
    "Loss",
    "OutputAudit",
    "PartialLoader",
    "PostAuthor",
    "PostFolder",
    "RawMark",
    "RstSettings",
    "Slugger",
    "Term",
    "TextChunk",
    "UnsafeIconError",
    "alert_tags",
    "audit_document",
    "audit_output",
    "convert_page",
    "date_in_name",
    "day_of",
    "distinct_words",
    "escape_text",
    "find_addresses",
    "find_repeated_words",
    "find_text_columns",
    "html_as_markdown",
    "inline_code",
    "is_day",
    "is_external",
    "is_known_directive",
    "is_list",
    "is_setting",
    "is_unrun",
    "labels_in",
    "markdown_of",
    "moved_route",
    "nearest",
    "parse_info",
    "people_in",
    "picture_from",
    "picture_html",
    "pictures_of",
    "read_settings",
    "render_fence",
    "slugify",
    "slugify_docutils",
    "split_picture",
    "split_sources",
    "suggest_icon",
    "svg_of",
    "term_file",
    "title_in",
    "typescript_of",
    "unknown_components",
    "without_code",
]
