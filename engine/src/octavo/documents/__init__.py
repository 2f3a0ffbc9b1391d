"""Sources to compiled documents."""

from __future__ import annotations

from octavo.content import Document
from octavo.documents.api_pages import mend_api, read_api
from octavo.documents.blog_pages import is_in_blog
from octavo.documents.body import Body, BodySource, split_document
from octavo.documents.compiler import Compiler
from octavo.documents.files import Files
from octavo.documents.library import Library
from octavo.documents.sources import SiteSources, gather_sources
from octavo.documents.stubs import TAKEN_OVER, find_stubs, package_head, stub_text

__all__ = [
    "TAKEN_OVER",
    "Body",
    "BodySource",
    "Compiler",
    "Document",
    "Files",
    "Library",
    "SiteSources",
    "find_stubs",
    "gather_sources",
    "is_in_blog",
    "mend_api",
    "package_head",
    "read_api",
    "split_document",
    "stub_text",
]
