"""`favicon.ico`, the icon of home screens and those of the web manifest, all made of one square picture."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

from octavo.errors import ConfigError

_ICO_SIZES = [(16, 16), (32, 32), (48, 48)]
_PNGS: Mapping[str, int] = {
    "apple-touch-icon.png": 180,
    "_octavo/icons/192.png": 192,
    "_octavo/icons/512.png": 512,
}
"""Address → width in pixels. iOS looks for the first at the root; the others are named by the manifest."""
LEAST_WIDTH = 192
"""Of the picture, in pixels."""


def make_icons(source: Path) -> dict[str, bytes]:
    """Make the icons of a site, as address in the published folder → content; none is larger than the picture.

    Args:
        source: A square picture; with transparency where the icon has no background of its own.

    Raises:
        ConfigError: it cannot be read, or is too small or not square.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(source) as opened:
            image = opened.convert("RGBA")
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError, SyntaxError, ValueError) as error:
        raise ConfigError(
            f'icon: "{source}" is not a picture that can be read: give a PNG of 512 by 512 pixels.'
        ) from error
    if image.width != image.height or image.width < LEAST_WIDTH:
        raise ConfigError(
            f'icon: "{source}" has {image.width} by {image.height} pixels; it must be square and at least '
            f"{LEAST_WIDTH} pixels wide, better 512."
        )
    ico = io.BytesIO()
    image.save(ico, "ICO", sizes=_ICO_SIZES)
    icons = {"favicon.ico": ico.getvalue()}
    for address, width in _PNGS.items():
        if width <= image.width:
            out = io.BytesIO()
            image.resize((width, width), Image.Resampling.LANCZOS).save(out, "PNG", optimize=True)
            icons[address] = out.getvalue()
    return icons
