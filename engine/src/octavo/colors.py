"""Colors: sRGB and OKLCH, contrast, and the nearest color that can be read.

Source:
    Contrast: WCAG 2.2, "relative luminance" and "contrast ratio". OKLCH: B. Ottosson, "A perceptual color space for image
    processing", 2020; the matrices are those of CSS Color 4.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

READABLE = 4.5
"""Least contrast of text, success criterion 1.4.3."""
READABLE_WELL = 7.0
"""The same for readers who prefer more, success criterion 1.4.6."""
_STEPS = 200
_ROUNDS = 24


class Tone(NamedTuple):
    """A color by lightness (0 to 1), chroma (0 to about 0.37) and hue (degrees): equal steps look equal."""

    lightness: float
    chroma: float
    hue: float


def contrast(first: str, second: str) -> float:
    """Give the contrast of two colors `#rrggbb`, 1 to 21."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def least_contrast(color: str, grounds: Sequence[str]) -> float:
    """Give the contrast of a color to the ground on which it can be read worst."""
    return min(contrast(color, ground) for ground in grounds)


def nearest_readable(color: str, grounds: Sequence[str], needed: float = READABLE) -> str:
    """Give the nearest color of the same hue that has enough contrast to all grounds; the color itself if it has.

    Where no color of its hue has, black or white: what can be read best.
    """
    return _nearest_readable(color, tuple(grounds), needed)


@lru_cache(maxsize=4096)  # the hundred kinds of tokens of a code theme share a dozen colors
def _nearest_readable(color: str, grounds: tuple[str, ...], needed: float) -> str:
    if least_contrast(color, grounds) >= needed:
        return color
    tone = tone_of(color)
    for step in range(1, _STEPS + 1):
        for lightness in (tone.lightness - step / _STEPS, tone.lightness + step / _STEPS):
            if 0 <= lightness <= 1:
                found = hex_of(tone._replace(lightness=lightness))
                if least_contrast(found, grounds) >= needed:
                    return found
    return max(("#000000", "#ffffff"), key=lambda one: least_contrast(one, grounds))


def text_on(ground: str, dark: str = "#14161f", light: str = "#ffffff") -> str:
    """Choose light or dark text for a ground. Pure black is the last resort: one of it and white always passes."""
    best = max((light, dark), key=lambda color: contrast(color, ground))
    return (
        best if contrast(best, ground) >= READABLE else max(("#000000", "#ffffff"), key=lambda c: contrast(c, ground))
    )


def mix(first: str, second: str, share: float) -> str:
    """Mix two colors; `share` of the second, 0 to 1."""
    pairs = zip(_channels(first), _channels(second), strict=True)
    return _hex(tuple(a + (b - a) * share for a, b in pairs))


def is_dark(color: str) -> bool:
    """Return whether light text can be read better on it."""
    return contrast(color, "#ffffff") > contrast(color, "#000000")


def full_hex(color: str) -> str:
    """Write a color as `#rrggbb`, in small letters."""
    digits = color.lower().lstrip("#")
    return "#" + (digits if len(digits) == 6 else "".join(2 * digit for digit in digits))


def tone_of(color: str) -> Tone:
    """Give a color's tone."""
    red, green, blue = (_linear(channel) for channel in _channels(color))
    long = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    middle = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    a = 1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short
    lightness = 0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short
    return Tone(lightness, math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360)


def hex_of(tone: Tone) -> str:
    """Write a tone as `#rrggbb`; where a screen has no such color, with less chroma."""
    if _is_shown(tone):
        return _hex(_srgb(tone))
    low, high = 0.0, tone.chroma
    for _ in range(_ROUNDS):
        middle = (low + high) / 2
        low, high = (middle, high) if _is_shown(tone._replace(chroma=middle)) else (low, middle)
    return _hex(_srgb(tone._replace(chroma=low)))


def clipped_hex_of(tone: Tone) -> str:
    """Write a tone as `#rrggbb` as browsers show it: each channel that sRGB does not have is cut, which may change the hue."""
    return _hex(tuple(min(1.0, max(0.0, channel)) for channel in _srgb(tone)))


def _is_shown(tone: Tone) -> bool:
    return all(-1e-4 <= channel <= 1 + 1e-4 for channel in _srgb(tone))


def _srgb(tone: Tone) -> tuple[float, ...]:
    a = tone.chroma * math.cos(math.radians(tone.hue))
    b = tone.chroma * math.sin(math.radians(tone.hue))
    long = (tone.lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (tone.lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (tone.lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        _gamma(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short),
        _gamma(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short),
        _gamma(-0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short),
    )


def _gamma(value: float) -> float:
    return 1.055 * value ** (1 / 2.4) - 0.055 if value > 0.0031308 else 12.92 * value


def _linear(value: float) -> float:
    return ((value + 0.055) / 1.055) ** 2.4 if value > 0.04045 else value / 12.92


def _luminance(color: str) -> float:
    red, green, blue = (_linear(channel) for channel in _channels(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _channels(color: str) -> tuple[float, ...]:
    digits = full_hex(color)
    return tuple(int(digits[at : at + 2], 16) / 255 for at in (1, 3, 5))


def _hex(channels: tuple[float, ...]) -> str:
    return "#" + "".join(f"{round(min(1, max(0, channel)) * 255):02x}" for channel in channels)
