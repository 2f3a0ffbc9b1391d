"""`PageFacts`: what the records of a page share."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["guide", "reference", "command", "api", "code"]
"""What a record is, as readers filter it."""


DATA_RANK = 1
"""Page rank of the data types of an API, and below: such pages name the words of all guides, and explain none of them."""

CHANGES_RANK = 3
"""Page rank of long lists of changes, such as release notes of years: like data types they name the words of all guides, and explain none.
For queries with a number, which may be a version, they count as other pages do."""


class PageFacts(msgspec.Struct, frozen=True):
    """What all records of a page share."""

    url: str
    """Absolute address of the page, under the site's configured one."""
    title: str
    description: str
    lvl0: str
    """Section and category path, joined by ` / `."""
    section: str
    """Label of the section (product) alone."""
    language: str
    version: str | None
    """None for pages without versions."""
    tag: str
    """`docs-default-{version}` or `default`: the facet `docusaurus_tag`."""
    kind: Kind
    page_rank: int
