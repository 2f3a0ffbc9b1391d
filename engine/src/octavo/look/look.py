"""`Look`: what a site adds to the theme's look, and what is wrong with it."""

from __future__ import annotations

import html
from typing import NamedTuple

import msgspec

from octavo.diagnostics import Diagnostic


class Preload(NamedTuple):
    """A font file that pages fetch ahead."""

    shipped: str
    """Name of one of the theme's files; empty for a file of the site."""
    address: str
    """Address under the static folder, without the slash in front; empty for the theme's."""
    media_type: str
    for_code: bool
    """Only pages with code need it."""


class Look(msgspec.Struct, frozen=True):
    """What a site adds to the theme's look. Empty where its settings ask for nothing."""

    files: dict[str, bytes] = {}
    """Address in the published folder → content."""
    styles: list[str] = []
    """Addresses of style sheets as pages name them, in the order of the cascade."""
    head: list[str] = []
    """More elements for the head, each as one line of HTML."""
    preloads: list[Preload] | None = None
    """Font files that pages fetch ahead; None: those of the theme."""
    problems: list[Diagnostic] = []
    needs: list[str] = []
    """What its style sheets need of the content security policy, each as `directive source`."""

    @property
    def html(self) -> str:
        """All elements for the head, style sheets first."""
        # The mark is for `octavo dev`, which exchanges these sheets on open pages.
        links = [f'<link rel="stylesheet" href="{html.escape(style)}" data-site>' for style in self.styles]
        return "\n".join([*links, *self.head])
