"""What `octavo.toml` may say about series of dated posts: the tables `[[blogs]]`."""

from __future__ import annotations

import posixpath

import msgspec

from octavo.config.table import Table


class Author(Table, frozen=True, kw_only=True):
    """Somebody who writes posts."""

    name: str
    """Name for readers."""
    url: str | None = None
    """Address of a page about the author."""
    title: str = ""
    """What the author does, such as `Maintainer`: shown behind the name, and on the author's page."""
    picture: str = ""
    """Picture of the author, shown before the name: a file from the site's folder, one from the static folder that begins
    with a slash (`/img/ada.png`), or an address."""


class Blog(Table, frozen=True, kw_only=True):
    """A folder of dated posts: a blog, or news. Octavo makes its list, pages of tags and authors, and a feed."""

    folder: str
    """Folder of the posts: one in the docs folder, such as `blog`, or a key of `mounts`."""
    title: str = "Blog"
    """Title of the list of posts and of the feed."""
    description: str = ""
    """Description of the list, the feed, and link previews."""
    introduction: str = ""
    """Markdown file, from the site's folder, whose text comes before the first page of the list. It is none of the pages:
    name it in `exclude` where it lies among them."""
    authors: dict[str, Author] = {}
    """Authors by the name that posts use in `authors`. Other names are shown as they are."""
    posts_per_page: int = 20
    """Number of posts on each page of the list, at least 1."""
    words_per_minute: int = 0
    """Words that readers read in a minute, such as `200`: each post says how many minutes it takes. 0 leaves this out.
    Characters of Chinese, Japanese and Korean count as words."""
    has_feed: bool = True
    """Publish the Atom feed `feed.xml` in the folder. Requires `url`."""


def tidy_blog(blog: Blog) -> Blog:
    """Write its folder in one form."""
    return msgspec.structs.replace(blog, folder=posixpath.normpath(blog.folder))
