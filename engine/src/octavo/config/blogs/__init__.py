"""What `octavo.toml` may say about series of dated posts: the tables `[[blogs]]`."""

from __future__ import annotations

import posixpath

import msgspec


class Author(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Somebody who writes posts."""

    name: str
    """Name that readers see."""
    url: str | None = None
    """Page about them, elsewhere."""


class Blog(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A folder of dated posts: a blog, or news. Octavo makes its list, pages of tags and authors, and a feed."""

    folder: str
    """Folder of the posts, in the folder of the documents: `blog`."""
    title: str = "Blog"
    """Title of the list, and of the feed."""
    description: str = ""
    """What it is about, for the list, the feed and previews."""
    authors: dict[str, Author] = {}
    """Word that posts name in `authors` → who it is. Other words are names themselves."""
    posts_per_page: int = 20
    """Posts on one page of the list; at least 1."""
    has_feed: bool = True
    """Publish `feed.xml` in its folder, an Atom feed. Needs `url`."""


def tidy_blog(blog: Blog) -> Blog:
    """Write its folder in one form."""
    return msgspec.structs.replace(
        blog, folder=posixpath.normpath(blog.folder), posts_per_page=max(blog.posts_per_page, 1)
    )
