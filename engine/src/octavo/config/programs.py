"""`[programs]`: what programs get that read a site as text, and what readers get who hand a page on to one."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

LEAST_PART = 1_000
"""Bytes of a part of `llms-full.txt`, at least."""

_ADDRESS = re.compile(r"https://[^\s\\\"'<>]+")


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of the tables: unknown keys are refused."""


class Assistant(_Table, frozen=True, kw_only=True):
    """A service that can be opened with a page."""

    label: str
    """Its name, as in "Open in …"."""
    url: str
    """Address to open; `{url}` stands for the encoded address of the page's Markdown."""


class Programs(_Table, frozen=True, kw_only=True):
    """What programs get that read the site as text, such as assistants and editors."""

    markdown: bool = True
    """Publish each page as Markdown too, at its address with `.md` at the end. `octavo serve` also sends it at the
    page's own address to those who prefer `text/markdown`."""
    lists: bool = True
    """Publish lists of all pages: `llms.txt`, by section and with a line about each, and `_octavo/pages.json`, with their
    headings and dates."""
    full_text_size: int = 1_000_000
    """Largest size in bytes of `llms-full.txt`, which holds the Markdown of all pages; what does not fit goes into
    `llms-full-2.txt` and so on. Pages are not divided. 0 publishes none. Needs `markdown`."""
    copy_button: bool = True
    """Put a button on each page that copies its Markdown, and a menu that shows it. Needs `markdown`."""
    assistants: list[Assistant] = []
    """Entries of that menu that open the page in a service. They need `url`: a service must be able to fetch the page."""


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
