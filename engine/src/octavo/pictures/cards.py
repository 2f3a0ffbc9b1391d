"""Social cards: the pictures that messengers and networks show with a link to a page.

A card is drawn in shades of two colors, so it is stored as one byte a pixel: a tenth of the time and of the size of a
picture in full color.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from PIL import Image, ImageFont

CARD_SIZE = (1200, 630)
"""Width and height in pixels, of which networks show all."""

_VERSION = "1"
"""To be raised when the way in which cards are drawn changes, so that stored ones are not used again."""
_MARGIN = 80
_SHADES = 32
"""Of the text, from the background to its color; more would not be seen and cost twice the size."""
_TITLE_SIZES = (84, 72, 60, 50)
_TITLE_LINES = 3
_SMALL = 34
_SOFT = 170
"""Opacity of secondary text, from 0 to 255."""


class CardStyle(msgspec.Struct, frozen=True):
    """What all cards of a site have in common."""

    site: str
    """Name of the site, at the foot."""
    background: str
    color: str
    accent: str
    """Colors as `#rrggbb`."""
    title_font: bytes
    """Font file for titles."""
    text_font: bytes
    """Font file for all other text."""

    @property
    def key(self) -> str:
        """Hash of all of it."""
        return hashlib.sha256(msgspec.msgpack.encode(self) + _VERSION.encode()).hexdigest()[:16]


class SocialCard(msgspec.Struct, frozen=True):
    """What one card says."""

    title: str
    section: str
    """Name of the part of the site above the title; may be empty."""
    description: str
    """Sentence below it; may be empty."""

    def address(self, style_key: str) -> str:
        """Name its file in the published folder, by its content."""
        hashed = hashlib.sha256(style_key.encode() + msgspec.msgpack.encode(self)).hexdigest()[:16]
        return f"_octavo/cards/{hashed}.png"


def card_problem(card: SocialCard, style: CardStyle) -> str:
    """Name the characters of a title that the title's font does not have; empty where the card can be drawn."""
    return "".join(dict.fromkeys(one for one in card.title if not one.isspace() and not _has(style.title_font, one)))


def draw_card(card: SocialCard, style: CardStyle) -> bytes:
    """Draw a card as PNG."""
    from PIL import Image, ImageDraw

    text = Image.new("L", CARD_SIZE, 0)
    drawing = ImageDraw.Draw(text)
    small = _font(style.text_font, _SMALL)
    width, height = CARD_SIZE
    room = width - 2 * _MARGIN
    title, lines = _fit(card.title, style.title_font, room)
    y = _MARGIN + _SMALL + 48
    step = round(title.size * 1.12)
    for line in lines:
        drawing.text((_MARGIN, y), line, font=title, fill=255, anchor="la")
        y += step
    description = _drawable(card.description, style.text_font)
    y += 28
    for line in _wrap(description, small, room, most=2):
        if y + _SMALL < height - _MARGIN - _SMALL - 24:
            drawing.text((_MARGIN, y), line, font=small, fill=_SOFT, anchor="la")
        y += round(_SMALL * 1.4)
    site = _shortened(_drawable(style.site, style.text_font), small, room - 40)
    drawing.text((_MARGIN + 40, height - _MARGIN), site, font=small, fill=255, anchor="ls")
    marks = Image.new("L", CARD_SIZE, 0)
    marking = ImageDraw.Draw(marks)
    section = _shortened(_drawable(card.section, style.text_font), small, room)
    marking.text((_MARGIN, _MARGIN), section, font=small, fill=255, anchor="la")
    marking.rectangle((_MARGIN, height - _MARGIN - 24, _MARGIN + 23, height - _MARGIN - 1), fill=255)
    return _encode(text, marks, style)


def _encode(text: Image.Image, marks: Image.Image, style: CardStyle) -> bytes:
    """Give each pixel a shade between the background and its color."""
    from PIL import Image, ImageChops

    most = _SHADES - 1
    shaded = text.point([value * most // 255 for value in range(256)])
    marked = marks.point([value * most // 255 + (_SHADES if value else 0) for value in range(256)])
    pixels = ImageChops.lighter(shaded, marked)  # they do not overlap
    image = Image.frombytes("P", CARD_SIZE, pixels.tobytes())
    background = _rgb(style.background)
    image.putpalette(
        [
            part
            for color in (_rgb(style.color), _rgb(style.accent))
            for shade in range(_SHADES)
            for part in (round(low + (high - low) * shade / most) for low, high in zip(background, color, strict=True))
        ]
    )
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=4)
    return out.getvalue()


def _rgb(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


@lru_cache(maxsize=32)
def _font(file: bytes, size: int) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(io.BytesIO(file), size)


@lru_cache(maxsize=4096)
def _has(file: bytes, character: str) -> bool:
    """Return whether a font has a character: all that it has not got look alike."""
    font = _font(file, 24)
    return _mask(font, character) != _mask(font, "\U0010ffff")


def _mask(font: ImageFont.FreeTypeFont, character: str) -> tuple[Any, bytes]:
    mask = font.getmask(character)
    return mask.size, bytes(mask)


def _drawable(text: str, file: bytes) -> str:
    """Leave out a text that would be drawn with holes."""
    return text if all(one.isspace() or _has(file, one) for one in text) else ""


def _fit(title: str, file: bytes, room: int) -> tuple[ImageFont.FreeTypeFont, list[str]]:
    """Find the largest size in which a title fits; the smallest one shortens it."""
    for size in _TITLE_SIZES:
        font = _font(file, size)
        lines = list(_lines(title, font, room))
        if len(lines) <= _TITLE_LINES and all(font.getlength(line) <= room for line in lines):
            return font, lines
    return font, _wrap(title, font, room, most=_TITLE_LINES)


def _wrap(text: str, font: ImageFont.FreeTypeFont, room: int, *, most: int) -> list[str]:
    lines = list(_lines(text, font, room))
    if len(lines) > most:
        lines[most - 1 :] = [" ".join(lines[most - 1 :])]
    return [_shortened(line, font, room) for line in lines]


def _lines(text: str, font: ImageFont.FreeTypeFont, room: int) -> Iterator[str]:
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and font.getlength(longer) > room:
            yield line
            line = word
        else:
            line = longer
    if line:
        yield line


def _shortened(line: str, font: ImageFont.FreeTypeFont, room: int) -> str:
    if font.getlength(line) <= room:
        return line
    while line and font.getlength(f"{line}…") > room:
        line = line[:-1]
    return f"{line.rstrip()}…"
