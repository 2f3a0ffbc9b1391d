"""Runs the extensions of a site. What extensions themselves use is `octavo.extensions`."""

from __future__ import annotations

from octavo.extending.site_extensions import MadeDocument, SiteExtensions
from octavo.extending.timing import Cost

__all__ = ["Cost", "MadeDocument", "SiteExtensions"]
