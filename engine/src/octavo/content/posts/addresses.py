"""What posts say of their authors themselves, and pages do not show: that is what the settings say of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from octavo.content.front_matter import body_start, key_offset, raw_front_matter
from octavo.content.front_matter_values import LINKED_NAME

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.posts import PostAuthor, PostFolder
    from octavo.content.source import DocumentText

_NAMES = frozenset(("key", "name"))
URL_KEYS = ("url", "link", "website")
"""What engines and their themes call the address of an author."""
TITLE_KEYS = ("title", "position", "role")
"""What they call that which an author does."""
_PICTURES = frozenset(("avatar", "image", "image_url", "imageURL", "picture"))


def report_addresses(folder: PostFolder, file: DocumentText, context: CompileContext) -> None:
    """Report addresses, titles and other details of authors that the settings do not have."""
    head = file.text[: body_start(file)]
    if "author" not in head or not ("](" in head or ":" in head):
        return
    front = raw_front_matter(file)
    key = "authors" if "authors" in front else "author"
    for message, hint in _left_out(folder, front.get(key)):
        context.report("warn", "front-matter", message, file, key_offset(key, file), suggestion=hint)


def _left_out(folder: PostFolder, given: Any) -> Iterator[tuple[str, str]]:
    known = {author.url for author in folder.authors.values()}
    for person in given if isinstance(given, list) else [given]:
        named = person.get("name") if isinstance(person, dict) else person
        for link in LINKED_NAME.finditer(str(named or "")):
            if link["address"] not in known:
                message = f'The address of the author "{link["text"]}" is left out.'
                yield message, "Give it in `authors` of the blog in octavo.toml."
        if not isinstance(person, dict):
            continue
        name = str(person.get("key") or person.get("name") or "")
        author = folder.authors.get(name)
        shown = {**dict.fromkeys(URL_KEYS, author.url), **dict.fromkeys(TITLE_KEYS, author.title)} if author else {}
        pictures = _PICTURES if author and author.picture else ()
        left = [
            str(key)
            for key, value in person.items()
            if key not in _NAMES
            and value
            and not isinstance(value, bool)  # `guest: true` says nothing to readers
            and shown.get(key) not in (value, LINKED_NAME.sub(r"\g<text>", str(value)))
            and not (key in pictures and _is_picture(str(value), author))
        ]
        if left:
            message = f'What the author "{name}" has as {" and ".join(left)} is left out.'
            known_keys = "Give `url`, `title` and `picture` in `authors` of the blog in octavo.toml"
            yield message, f"{known_keys}; pages show nothing else of authors."


def _is_picture(given: str, author: PostAuthor | None) -> bool:
    """Return whether a picture that a post names is that of the settings, where its path may begin elsewhere."""
    return author is not None and f"/{author.picture}".endswith("/" + given.removeprefix("./").lstrip("/"))
