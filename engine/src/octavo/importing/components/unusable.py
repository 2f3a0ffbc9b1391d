"""Why a component of the old site is not taken over."""

from __future__ import annotations

from octavo.errors import OctavoError


class UnusableError(OctavoError):
    """A component needs what components of ours do not have; the text says what."""
