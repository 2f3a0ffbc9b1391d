"""Addresses in the names of authors, which pages of authors do not show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.content.front_matter import body_start, key_offset, raw_front_matter
from octavo.content.front_matter_values import LINKED_NAME

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.posts import PostFolder
    from octavo.content.source import DocumentText


def report_addresses(folder: PostFolder, file: DocumentText, context: CompileContext) -> None:
    """Say that an address in the name of an author is left out: pages of authors show those of the settings."""
    if "](" not in file.text[: body_start(file)]:
        return
    front = raw_front_matter(file)
    key = "authors" if "authors" in front else "author"
    known = {address for _, address in folder.authors.values()}
    for link in LINKED_NAME.finditer(str(front.get(key, ""))):
        if link["address"] not in known:
            message = f'The address of the author "{link["text"]}" is left out.'
            hint = "Give it in `authors` of the blog in octavo.toml."
            context.report("warn", "front-matter", message, file, key_offset(key, file), suggestion=hint)
