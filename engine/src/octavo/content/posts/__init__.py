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


class PostFolder(msgspec.Struct, frozen=True):
    """A folder of posts."""

    folder: str
    """From the site's folder."""
    authors: dict[str, tuple[str, str]] = {}
    """Word that posts name → (name, address elsewhere or nothing)."""


def date_in_name(path: str) -> str | None:
    """Read the date that the name of a file, or those of its folders, begin with: the last one in the path."""
    match = _DATED.match(path)
    return f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}" if match else None


def is_list(path: str, folder: str) -> bool:
    """Return whether a file is the page of the folder of posts, and no post; both are paths from the site's folder."""
    return posixpath.dirname(path) == folder and posixpath.basename(path).lower().startswith(
        ("index.", "_index.", "readme.")
    )


_LINKED = re.compile(r"\[(?P<text>[^\[\]\n]+)\]\((?P<address>[^()\s]*)\)")
_BETWEEN = re.compile(r"\s*(?:,\s*(?:and\s+)?|&\s*|and\s+)?")


def people_in(text: str) -> list[tuple[str, str]]:
    """Read an author that may be written as Markdown: names, each with the address of its link or nothing.

    `[Ada](https://a.example) and [Bob](https://b.example)` are two people; text beside links is a part of the name.
    """
    found = list(_LINKED.finditer(text))
    if not found:
        return [(text, "")]
    if all(_BETWEEN.fullmatch(part) for part in _LINKED.sub("\n", text).split("\n")):
        return [(" ".join(match["text"].split()), match["address"]) for match in found]
    name = " ".join(_LINKED.sub(lambda match: match["text"], text).split())
    return [(name, found[0]["address"] if len(found) == 1 else "")]


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

    names = [folder.authors.get(word, (word, ""))[0] for word in front.authors]
    if names:
        _report_addresses(folder, file, context)
    date = front.date
    shown = escape(format_date(date, context.words)) if date else ""
    parts = [f'<time datetime="{escape_attribute(date)}">{shown}</time>'] if date else []
    parts += [linked("authors", name, "byline-author") for name in names]
    parts += [linked("tags", tag, "byline-tag") for tag in front.tags]
    if not parts:
        return body
    line = f'<p class="byline">{" ".join(parts)}</p>'
    title = _HEADING.match(body)
    return f"{body[: title.end()]}{line}{body[title.end() :]}" if title else f"{line}{body}"


def _report_addresses(folder: PostFolder, file: DocumentText, context: CompileContext) -> None:
    """Say that an address in the name of an author is left out: pages of authors show those of the settings."""
    from octavo.content.front_matter import body_start, key_offset, raw_front_matter

    if "](" not in file.text[: body_start(file)]:
        return
    front = raw_front_matter(file)
    key = "authors" if "authors" in front else "author"
    known = {address for _, address in folder.authors.values()}
    for link in _LINKED.finditer(str(front.get(key, ""))):
        if link["address"] not in known:
            message = f'The address of the author "{link["text"]}" is left out.'
            hint = "Give it in `authors` of the blog in octavo.toml."
            context.report("warn", "front-matter", message, file, key_offset(key, file), suggestion=hint)
