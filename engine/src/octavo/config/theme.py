"""What `[theme]` may hold: how pages look. Whatever is not given is as the preset has it, else as the theme has it."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator
from typing import Literal

import msgspec

from octavo.colors import Tone, clipped_hex_of
from octavo.config.table import Table
from octavo.lazy import regex as re

Stack = Literal[
    "inter",
    "newsreader",
    "jetbrains-mono",
    "system-sans",
    "system-serif",
    "system-mono",
    "humanist",
    "geometric",
    "grotesque",
    "industrial",
    "rounded",
    "old-style",
    "transitional",
    "slab",
]
Preset = Literal["terminal", "journal", "product", "harbor", "studio"]

_COLOR = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_SPACES = ("srgb", "hsl", "hwb")
_LENGTH = re.compile(r"(?:\d+(?:\.\d+)?|\.\d+)(?:rem|em|px|ch|vw)")
_FAMILY = re.compile(r"[\w .+-]+")
_FONT_FILE = re.compile(r"/(?!/)[\w@%+./~-]+\.(?:woff2|woff|ttf|otf)")
_WEIGHT = re.compile(r"[1-9]\d{0,2}(?: [1-9]\d{0,2})?")
_LIGHT_FROM, _DARK_TO = 170, 90
"""Brightness, 0 to 255, from which a color can be the ground of light mode, and up to which that of dark mode."""

Problem = tuple[str, str, str]
"""(setting, value, message)."""


class ColorPair(Table, frozen=True, kw_only=True):
    """A color of each mode, in a form of CSS; the one that is missing is derived from the other."""

    light: str | None = None
    dark: str | None = None


class FontFile(Table, frozen=True, kw_only=True):
    """One file of a font."""

    src: str
    """Address in the static folder, such as `/fonts/body.woff2`."""
    weight: str = "400"
    """Font weight, or the range of a variable font: `100 900`."""
    style: Literal["normal", "italic"] = "normal"


class Font(Table, frozen=True, kw_only=True):
    """A font that the site brings itself, or that readers may have."""

    family: str
    files: list[FontFile | str] = []
    """Files of the font. An address alone is a variable font with all weights. Without files, the font is used only if
    the reader has it."""
    fallback: Stack = "system-sans"
    """Fonts used until the font is loaded, and if it cannot be loaded."""


class Fonts(Table, frozen=True, kw_only=True):
    """Fonts by role.

    Each is one of the three open fonts that come with Octavo (`inter`, `newsreader`, `jetbrains-mono`), a stack of fonts
    that systems have (all other names), or a font of the site's own.
    """

    headings: Stack | Font | None = None
    text: Stack | Font | None = None
    code: Stack | Font | None = None

    @property
    def files(self) -> list[str]:
        """Addresses, under the static folder, of the files that the fonts of the site's own name."""
        own = [font for font in (self.headings, self.text, self.code) if isinstance(font, Font)]
        return [file if isinstance(file, str) else file.src for font in own for file in font.files]


class Widths(Table, frozen=True, kw_only=True):
    """Lengths of CSS, such as `42rem` or `320px`."""

    text: str | None = None
    """Maximum width of text."""
    column: str | None = None
    """Maximum width of tables, images, and code."""
    sidebar: str | None = None
    contents: str | None = None
    """Width of the table of contents beside a page."""
    page: str | None = None
    """Maximum width of the whole page."""


class CodeTheme(Table, frozen=True, kw_only=True):
    """Colors of code: names of Pygments styles, such as `friendly` and `monokai`."""

    light: str | None = None
    dark: str | None = None
    raises_contrast: bool | None = None
    """Replace colors with a contrast below 4.5:1 with the nearest color that has enough contrast, instead of reporting
    them."""


class ThemeSettings(Table, frozen=True, kw_only=True):
    """Look of the pages."""

    preset: Preset | None = None
    """Predefined look. Other settings in `[theme]` override those of the preset."""
    accent: str | ColorPair | None = None
    """Color of links, buttons, and highlights (`#2a49c4`, `teal`, `oklch(0.55 0.2 265)`), or a table with `light` and `dark`. A single color is that
    of light mode. Octavo derives the other shades, and the color for dark mode, from it."""
    neutral: Literal["paper", "gray", "slate", "sage", "sand", "mauve", "accent"] | None = None
    """Tint of backgrounds, lines, and text. With `accent`, it is that of the accent color."""
    ground: ColorPair | None = None
    """Background color of pages. Octavo derives the colors of boxes and lines from it."""
    radius: Literal["none", "small", "medium", "large"] | None = None
    """Radius of rounded corners."""
    density: Literal["compact", "normal", "relaxed"] | None = None
    """Spacing, text size, and line height."""
    bar: Literal["plain", "accent", "dark"] | None = None
    """Background of the top bar."""
    heading_weight: int | None = None
    """Font weight of headings, 100 to 900. By default, 500."""
    widths: Widths | None = None
    fonts: Literal["bundled", "system"] | Fonts | None = None
    """`bundled` for the fonts that Octavo includes (47 kB), `system` for fonts of the reader's computer, or a table
    with a font for each purpose."""
    code: CodeTheme | None = None
    has_transitions: bool = False
    """Fade from one page to the next, except for readers who have turned on reduced motion."""

    @property
    def is_given(self) -> bool:
        """Something is asked for that takes a style sheet."""
        fonts = self.fonts if isinstance(self.fonts, str) else None
        return self != ThemeSettings(fonts=fonts, has_transitions=self.has_transitions)


def check_theme(theme: ThemeSettings) -> Iterator[Problem]:
    """Find mistakes that types alone can't tell."""
    for name, pair in (("accent", theme.accent), ("ground", theme.ground)):
        yield from _colors(f"theme.{name}", ColorPair(light=pair) if isinstance(pair, str) else pair or ColorPair())
    yield from _grounds(theme.ground)
    if theme.heading_weight is not None and not 100 <= theme.heading_weight <= 900:
        value = str(theme.heading_weight)
        yield "heading_weight", value, f"theme.heading_weight is {value}; expected 100 to 900."
    widths = msgspec.structs.asdict(theme.widths) if theme.widths else {}
    for name, length in widths.items():
        if length is not None and not _LENGTH.fullmatch(length):
            yield name, length, f'theme.widths.{name} is "{length}"; expected a length of CSS, such as "42rem".'
    if isinstance(theme.fonts, Fonts):
        for role in ("headings", "text", "code"):
            font = getattr(theme.fonts, role)
            if isinstance(font, Font):
                yield from _font(f"theme.fonts.{role}", font)
    if theme.code is not None:
        for mode, style in (("light", theme.code.light), ("dark", theme.code.dark)):
            if style is not None:
                yield from _style(mode, style)


def _colors(where: str, pair: ColorPair) -> Iterator[Problem]:
    for mode, color in (("light", pair.light), ("dark", pair.dark)):
        if color is not None and hex_color(color) is None:
            yield (
                mode,
                color,
                f'{where} is "{color}"; expected a color such as "#2a49c4", "teal" or "oklch(0.55 0.2 265)".',
            )


def hex_color(color: str) -> str | None:
    """Write a color of CSS as `#rgb` or `#rrggbb`; None for what is none, is transparent, or is in another color space.

    Colors of OKLCH and OKLAB become those that a browser shows on a screen with sRGB.
    """
    if _COLOR.fullmatch(color):
        return color
    from tinycss2.color4 import parse_color

    parsed = parse_color(color)
    if parsed is None or parsed == "currentcolor" or parsed.alpha < 1:
        return None
    first, second, third = (channel or 0.0 for channel in parsed.coordinates)
    if parsed.space == "oklch":
        return clipped_hex_of(Tone(_within(first), max(0.0, second), third))
    if parsed.space == "oklab":
        return clipped_hex_of(Tone(_within(first), math.hypot(second, third), math.degrees(math.atan2(third, second))))
    if parsed.space not in _SPACES:
        return None
    return "#" + "".join(f"{round(255 * _within(channel)):02x}" for channel in parsed.to("srgb").coordinates)


def _within(share: float) -> float:
    return min(1.0, max(0.0, share))


def tidy_theme(theme: ThemeSettings) -> ThemeSettings:
    """Write the colors in one form."""
    accent = theme.accent
    if accent is not None:
        accent = hex_color(accent) if isinstance(accent, str) else _tidy_pair(accent)
    return msgspec.structs.replace(theme, accent=accent, ground=theme.ground and _tidy_pair(theme.ground))


def _tidy_pair(pair: ColorPair) -> ColorPair:
    return ColorPair(light=pair.light and hex_color(pair.light), dark=pair.dark and hex_color(pair.dark))


def _grounds(ground: ColorPair | None) -> Iterator[Problem]:
    if ground is None:
        return
    for mode, color in (("light", ground.light), ("dark", ground.dark)):
        written = hex_color(color) if color is not None else None
        if color is None or written is None:
            continue
        digits = written[1:] if len(written) > 4 else "".join(2 * digit for digit in written[1:])
        red, green, blue = (int(digits[at : at + 2], 16) for at in (0, 2, 4))
        brightness = 0.299 * red + 0.587 * green + 0.114 * blue
        if brightness < _LIGHT_FROM if mode == "light" else brightness > _DARK_TO:
            other = "dark" if mode == "light" else "light"
            message = f'theme.ground.{mode} is "{color}"; expected a {mode} color, on which {other} text can be read.'
            yield mode, color, message


def _font(where: str, font: Font) -> Iterator[Problem]:
    if not _FAMILY.fullmatch(font.family):
        yield "family", font.family, f'{where}.family is "{font.family}"; expected the name of a font.'
    for file in font.files:
        src = file if isinstance(file, str) else file.src
        if not _FONT_FILE.fullmatch(src):
            expected = 'an address under the static folder, such as "/fonts/body.woff2" (woff2, woff, ttf or otf)'
            yield "src", src, f'{where}.files: "{src}" is not a font file; expected {expected}.'
        if isinstance(file, FontFile) and not _WEIGHT.fullmatch(file.weight):
            message = f'{where}.files: weight is "{file.weight}"; expected "400", or a range such as "100 900".'
            yield "weight", file.weight, message


def _style(mode: str, style: str) -> Iterator[Problem]:
    from pygments.styles import get_all_styles

    known = sorted(get_all_styles())
    if style not in known:
        close = difflib.get_close_matches(style, known, n=1)
        hint = f' Did you mean "{close[0]}"?' if close else f" There are {', '.join(known)}."
        yield mode, style, f'theme.code.{mode} is "{style}", which is not a style of Pygments.{hint}'
