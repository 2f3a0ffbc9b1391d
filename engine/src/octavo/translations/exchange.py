"""What files for translators have in common."""

from __future__ import annotations

from typing import NamedTuple

from octavo.translations.units import Unit


class Exchanged(NamedTuple):
    """What a file of translations says."""

    language: str
    """BCP 47 tag of the translations."""
    units: list[Unit]


class ExchangeError(ValueError):
    """A file of translations that cannot be read."""

    def __init__(self, line: int, message: str) -> None:
        """Say what is wrong.

        Args:
            line: 1-based.
            message: What is wrong there, and what was expected.
        """
        super().__init__(message)
        self.line = line
