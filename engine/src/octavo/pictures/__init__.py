"""Pictures that the build makes: social cards, smaller forms of images, icons. All of it needs Pillow, an extra."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.lazy import export_lazily

if TYPE_CHECKING:
    from octavo.pictures.cards import CARD_SIZE, CardStyle, SocialCard, card_problem, draw_card
    from octavo.pictures.icons import make_icons
    from octavo.pictures.pillow import is_installed
    from octavo.pictures.variants import VariantMaker
else:
    __getattr__ = export_lazily(
        __name__,
        {
            "cards": ("CARD_SIZE", "CardStyle", "SocialCard", "card_problem", "draw_card"),
            "icons": ("make_icons",),
            "pillow": ("is_installed",),
            "variants": ("VariantMaker",),
        },
    )

__all__ = [
    "CARD_SIZE",
    "CardStyle",
    "SocialCard",
    "VariantMaker",
    "card_problem",
    "draw_card",
    "is_installed",
    "make_icons",
]
