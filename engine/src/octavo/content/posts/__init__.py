"""Posts of a blog: their date, and the line below their title."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

import msgspec

from octavo.content.escape import escape, escape_attribute
from octavo.content.slugger import slugify
from octavo.words import format_date

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.document import FrontMatter
    from octavo.content.source import DocumentText

_DATED = re.compile(r"(?:.*/)?(\d{4})[-/](0?[1-9]|1[0-2])[-/](0?[1-9]|[12]\d|3[01])[-_/.]")
_HEADING = re.compile(r"\A\s*<header>\s*<h1\b[^>]*>.*?</h1>\s*</header>", re.DOTALL)


class PostAuthor(msgspec.Struct, frozen=True):
    """Somebody who writes posts, as the settings know them."""

    name: str
    url: str = ""
    """Address elsewhere."""
    title: str = ""
    """What they do."""


class PostFolder(msgspec.Struct, frozen=True):
    """A folder of posts."""

    folder: str
    """From the site's folder."""
    authors: dict[str, PostAuthor] = {}
    """By the word that posts name."""


def date_in_name(path: str) -> str | None:
    """Read the date that the name of a file, or those of its folders, begin with: the last one in the path."""
    match = _DATED.match(path)
    return f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}" if match else None


def is_list(path: str, folder: str) -> bool:
    """Return whether a file is the page of the folder of posts, and no post; both are paths from the site's folder."""
    return posixpath.dirname(path) == folder and posixpath.basename(path).lower().startswith(
        ("index.", "_index.", "readme.")
    )


def term_file(kind: str, name: str) -> str:
    """Name the document of a tag or an author, from the folder of the blog."""
    return f"{kind}/{slugify(name) or 'other'}.md"


def add_byline(body: str, front: FrontMatter, folder: PostFolder, file: DocumentText, context: CompileContext) -> str:
    """Put date, authors and tags below the title."""
    home = posixpath.relpath(folder.folder, posixpath.dirname(file.path) or ".")
    span = file.span(0)

    def linked(kind: str, name: str, classes: str) -> str:
        slot = context.link(f"{home}/{term_file(kind, name)}", span, is_markup=True)
        return f'<a class="{classes}" href="{slot}">{escape(name)}</a>'

    people = [folder.authors.get(word) or PostAuthor(word) for word in front.authors]
    date = front.date
    shown = escape(format_date(date, context.words)) if date else ""
    parts = [f'<time datetime="{escape_attribute(date)}">{shown}</time>'] if date else []
    parts += [_with_title(linked("authors", one.name, "byline-author"), one.title) for one in people]
    parts += [linked("tags", tag, "byline-tag") for tag in front.tags]
    if not parts:
        return body
    line = f'<p class="byline">{" ".join(parts)}</p>'
    title = _HEADING.match(body)
    return f"{body[: title.end()]}{line}{body[title.end() :]}" if title else f"{line}{body}"


def _with_title(link: str, title: str) -> str:
    return f'<span>{link} <span class="byline-title">{escape(title)}</span></span>' if title else link
