"""`[programs]`: what programs get that read a site as text, and what readers get who hand a page on to one."""

from __future__ import annotations

from collections.abc import Iterator

from octavo.config.table import Table
from octavo.lazy import regex as re

LEAST_PART = 1_000
"""Bytes of a part of `llms-full.txt`, at least."""

_ADDRESS = re.compile(r"https://[^\s\\\"'<>]+")


class Assistant(Table, frozen=True, kw_only=True):
    """A service that can be opened with a page."""

    label: str
    """Name of the service, as in "Open in …"."""
    url: str
    """Address to open. `{url}` is replaced with the encoded address of the Markdown of the page."""


class Programs(Table, frozen=True, kw_only=True):
    """Output for programs that read the site as text, such as assistants and editors."""

    markdown: bool = True
    """Also publish each page as Markdown, at its address with `.md`. `octavo serve` sends it at the address of the page
    itself to clients that prefer `text/markdown`."""
    lists: bool = True
    """Publish lists of all pages: `llms.txt`, with sections and one line for each page, and `_octavo/pages.json`, with
    headings and dates."""
    full_text_size: int = 1_000_000
    """Maximum size of `llms-full.txt`, which contains the Markdown of all pages, in bytes. More text goes into
    `llms-full-2.txt` and so on; pages are not split. 0 turns the file off. Requires `markdown`."""
    copy_button: bool = True
    """Show a button that copies a page as Markdown, and a menu with a link to the Markdown. Requires `markdown`."""
    assistants: list[Assistant] = []
    """Entries of this menu that open the page in a service. Requires `url`, because the service must be able to load
    the page."""


def check_programs(programs: Programs) -> Iterator[tuple[str, object, str]]:
    """Find mistakes.

    Returns:
        (key, value, message) of each.
    """
    size = programs.full_text_size
    if size != 0 and size < LEAST_PART:
        message = f"programs.full_text_size is {size}; expected a number of bytes from {LEAST_PART}, or 0 for no file."
        yield "full_text_size", size, message
    for one in programs.assistants:
        if not one.label.strip():
            yield "label", one.label, "programs.assistants: a label is empty; expected the name of the service."
        if not _ADDRESS.fullmatch(one.url) or "{url}" not in one.url:
            message = (
                f'programs.assistants: url is "{one.url}"; expected an https address in which {{url}} stands for the '
                'page, such as "https://example.com/new?q=Read+{url}".'
            )
            yield "url", one.url, message
