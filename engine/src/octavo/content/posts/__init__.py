"""Posts of a blog: their date, and the line below their title."""

from __future__ import annotations

import datetime as dt
import posixpath
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec

from octavo.content.escape import escape, escape_attribute
from octavo.content.html_names import is_external
from octavo.content.slugger import slugify
from octavo.lazy import regex as re
from octavo.words import fill_word, format_date, word_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from octavo.content.context import CompileContext
    from octavo.content.document import FrontMatter
    from octavo.content.source import DocumentText
    from octavo.diagnostics import Span

_DATED = re.compile(r"(?:.*/)?(\d{4})[-/](0?[1-9]|1[0-2])[-/](0?[1-9]|[12]\d|3[01])[-_/.]")
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+(?:['’.-]\w+)*"
)
"""A word, or a character of a script that is written without spaces."""
_HEADING = re.compile(r"\A\s*<header>\s*<h1\b[^>]*>.*?</h1>\s*</header>", re.DOTALL)


class PostAuthor(msgspec.Struct, frozen=True):
    """Somebody who writes posts, as the settings know them."""

    name: str
    url: str = ""
    """Address elsewhere."""
    title: str = ""
    """What they do."""
    picture: str = ""
    """Address, path in the static folder with a slash before it, or path from the site's folder."""


class PostFolder(msgspec.Struct, frozen=True):
    """A folder of posts."""

    folder: str
    """From the site's folder."""
    authors: dict[str, PostAuthor] = {}
    """By the word that posts name."""
    words_per_minute: int = 0
    """How fast readers read; 0 where posts do not say how long they take."""


def date_in_name(path: str) -> str | None:
    """Read the date that the name of a file, or those of its folders, begin with: the last one in the path."""
    match = _DATED.match(path)
    return f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}" if match else None


def is_list(path: str, folder: str) -> bool:
    """Return whether a file is the page of the folder of posts, and no post; both are paths from the site's folder."""
    return posixpath.dirname(path) == folder and posixpath.basename(path).lower().startswith(
        ("index.", "_index.", "readme.")
    )


def is_day(date: str) -> bool:
    """Return whether a text is a day such as 2026-01-31."""
    try:
        return re.fullmatch(r"\d{4}-\d{2}-\d{2}", date) is not None and bool(dt.date.fromisoformat(date))
    except ValueError:
        return False


def term_file(kind: str, name: str) -> str:
    """Name the document of a tag or an author, from the folder of the blog."""
    return f"{kind}/{slugify(name) or 'other'}.md"


def add_byline(body: str, front: FrontMatter, folder: PostFolder, file: DocumentText, context: CompileContext) -> str:
    """Put date, reading time, authors and tags below the title."""
    home = posixpath.relpath(folder.folder, posixpath.dirname(file.path) or ".")
    span = file.span(0)

    # Lists, and with them the pages of tags and authors, are made of posts with a date that are listed at all.
    is_listed = is_day((front.date or "")[:10]) and not front.draft and not front.unlisted

    def linked(kind: str, name: str, classes: str) -> str:
        if not is_listed:
            return f'<span class="{classes}">{escape(name)}</span>'
        slot = context.link(f"{home}/{term_file(kind, name)}", span, is_markup=True)
        return f'<a class="{classes}" href="{slot}">{escape(name)}</a>'

    people = [folder.authors.get(word) or PostAuthor(word) for word in front.authors]
    date = front.date
    shown = escape(format_date(date, context.words)) if date else ""
    parts = [f'<time datetime="{escape_attribute(date)}">{shown}</time>'] if date else []
    if folder.words_per_minute:
        texts = [*(heading.text for heading in context.headings), *(chunk.text for chunk in context.chunks)]
        parts.append(f'<span class="byline-reading">{escape(_reading_time(texts, folder, context))}</span>')
    parts += [
        _with_details(linked("authors", one.name, "byline-author"), one, file.path, span, context) for one in people
    ]
    parts += [linked("tags", tag, "byline-tag") for tag in front.tags]
    if not parts:
        return body
    line = f'<p class="byline">{" ".join(parts)}</p>'
    title = _HEADING.match(body)
    return f"{body[: title.end()]}{line}{body[title.end() :]}" if title else f"{line}{body}"


def _reading_time(texts: Iterable[str], folder: PostFolder, context: CompileContext) -> str:
    count = sum(len(_WORD.findall(text)) for text in texts)
    minutes = max(1, -(-count // folder.words_per_minute))
    return fill_word(word_for(context.words, "blog.reading", minutes), count=minutes)


def _with_details(link: str, author: PostAuthor, path: str, span: Span, context: CompileContext) -> str:
    """Put the picture of an author before the link, and the title behind it."""
    title = f' <span class="byline-title">{escape(author.title)}</span>' if author.title else ""
    picture = ""
    if author.picture:
        address = picture_from(author.picture, path)
        # Pictures elsewhere are not measured: all have the same size.
        slot = escape_attribute(address) if is_external(address) else context.asset(address, span, has_size=True)[0]
        picture = picture_html(slot)
    return f"<span>{picture}{link}{title}</span>" if picture or title else link


def picture_from(picture: str, path: str) -> str:
    """Write the picture of an author as a file names it; `path` is from the site's folder."""
    if is_external(picture) or picture.startswith("/"):
        return picture
    return quote(posixpath.relpath(picture, posixpath.dirname(path) or "."))


def picture_html(address: str) -> str:
    """Write the `img` of an author. Its alternative text is empty, because the name follows it."""
    size = 'width="24" height="24"'
    return f'<img class="byline-picture" src="{address}" alt="" {size} loading="lazy" decoding="async">'
