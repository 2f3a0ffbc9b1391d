"""`PageRecord`: a rendered page, as the next build and the link check need it."""

from __future__ import annotations

import msgspec

from octavo.diagnostics import Diagnostic
from octavo.manifest import ManifestFile
from octavo.pictures import SocialCard


class PageRecord(msgspec.Struct, frozen=True):
    """A drawn page, as the next build and the link check need it."""

    key: str
    """Hash of everything it was drawn from; empty for a page that is drawn again next time: a component was stopped."""
    quick_key: str
    """Hash of what tells most cheaply that it has not changed; see `QuickKeys`."""
    is_shallow: bool
    """The quick key tells all: it shows no files, whose content counts, and no cards of other pages."""
    files: dict[str, ManifestFile]
    """Address in the published folder → file."""
    copies: dict[str, str]
    """Address in the published folder → path from the site's folder, of files beside the documents."""
    cards: dict[str, SocialCard]
    """Address in the published folder → social card, to be drawn."""
    undrawable: str
    """Characters of its title that a social card cannot show, for which it has none."""
    references: list[str]
    """What its HTML refers to: values of `href`, `src`, `poster`."""
    anchors: list[str]
    """What it can be referred to by: values of `id`, and of `name` on `a`."""
    needs: list[str]
    """What it asks of the content security policy; see `csp.scan_needs`."""
    problems: list[Diagnostic] = []
    """Components of authors that could not be drawn."""

    @property
    def is_passing(self) -> bool:
        """It may be drawn otherwise at another time, of the same sources."""
        return not self.key
