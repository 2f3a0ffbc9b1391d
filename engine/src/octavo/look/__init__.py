"""How a site looks: from its settings to one style sheet, fonts, and findings about colors that cannot be read."""

from __future__ import annotations

from octavo.look.addresses import LoadedAddresses
from octavo.look.look import Look, Preload
from octavo.look.make import make_look
from octavo.look.palette import readable_accent

__all__ = ["LoadedAddresses", "Look", "Preload", "make_look", "readable_accent"]
