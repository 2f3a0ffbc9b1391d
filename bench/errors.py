"""What can go wrong in a benchmark.

BenchError
└── Unavailable   a part cannot be had on this machine; it is skipped with a message, the rest continues
"""

from __future__ import annotations


class BenchError(Exception):
    """The figures would be wrong, so there are none; its text is one or two full sentences."""


class Unavailable(BenchError):  # noqa: N818 - a state of the machine, and no error of anybody's
    """A peer, a browser or a package is not to be had here."""
