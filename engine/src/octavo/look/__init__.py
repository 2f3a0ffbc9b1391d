"""How a site looks: from its settings to one style sheet, fonts, and findings about colors that cannot be read."""

from __future__ import annotations

from octavo.look.colors import READABLE, contrast, least_contrast, nearest_readable
from octavo.look.fonts import Preload
from octavo.look.look import Look, make_look
from octavo.look.presets import PRESETS, with_preset
from octavo.look.tokens import COLORS, LAYERS, TOKENS

__all__ = [
    "COLORS",
    "LAYERS",
    "PRESETS",
    "READABLE",
    "TOKENS",
    "Look",
    "Preload",
    "contrast",
    "least_contrast",
    "make_look",
    "nearest_readable",
    "with_preset",
]
