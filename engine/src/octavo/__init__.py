"""Octavo: Markdown and API descriptions in, a fast static React site out."""

from octavo._version import __version__

__all__ = ["__version__"]
