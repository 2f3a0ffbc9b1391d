"""From a few chosen colors to the whole scale of both modes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from octavo.colors import (
    READABLE,
    Tone,
    full_hex,
    hex_of,
    least_contrast,
    mix,
    nearest_readable,
    text_on,
    tone_of,
)
from octavo.config import ColorPair, ThemeSettings
from octavo.look.tokens import COLORS, Pair

_HUES: Final = {
    "gray": (0.0, 0.0),
    "slate": (255, 0.016),
    "sage": (150, 0.012),
    "sand": (80, 0.018),
    "mauve": (305, 0.014),
}
"""Neutral tone → hue and chroma."""
_NEUTRALS: Final = (
    "paper",
    "paper-raised",
    "paper-hover",
    "line",
    "line-strong",
    "ink",
    "ink-soft",
    "ink-faint",
    "heading",
    "note",
    "note-soft",
)
_GROUNDS: Final = ("paper", "paper-raised", "paper-hover")
_TEXTS: Final = {"ink": 7.0, "ink-soft": READABLE, "ink-faint": READABLE, "heading": 7.0, "note": READABLE}
"""Neutral text → contrast to all grounds that derived colors are given."""
_COLORED: Final = (
    *("accent", "accent-strong", "rubric", "tip", "danger"),
    *("code-ink", "code-comment", "code-keyword", "code-string", "code-number", "code-name", "code-type"),
)
"""Texts that stay as they are where they can be read on the site's grounds."""
_APART: Final = {"paper-raised": 0.03, "note-soft": 0.05, "paper-hover": 0.07, "line": 0.11, "line-strong": 0.24}
"""Neutral color → share of black or white by which it differs at least from a ground of the site's."""
_BRIGHT: Final = 0.8


class Weak(NamedTuple):
    """A color of the site's that cannot be read well enough."""

    setting: str
    """Such as `theme.accent`."""
    value: str
    """As it is written in the settings."""
    ground: str
    """On which it is read worst."""
    contrast: float
    nearest: str
    color: str = ""
    """The color, where the setting names a style of many."""


class Palette(NamedTuple):
    """The colors that differ from the theme's."""

    colors: dict[str, Pair]
    """Token → color of each mode."""
    weak: list[Weak]


def derive_palette(theme: ThemeSettings) -> Palette:
    """Derive all colors from those that a site gives."""
    modes = [_Mode(theme, is_dark=False), _Mode(theme, is_dark=True)]
    for mode, other in zip(modes, reversed(modes), strict=True):
        mode.derive(other)
    light, dark = modes
    colors = {name: Pair(light.colors[name], dark.colors[name]) for name in light.colors}
    changed = {name: pair for name, pair in colors.items() if pair != COLORS[name]}
    return Palette(changed, [weak for mode in modes for weak in mode.weak()])


def readable_accent(color: str, *, is_dark: bool) -> str:
    """Give the nearest color that can be read on the theme's own grounds of a mode.

    Args:
        color: As `#rrggbb`.
        is_dark: Whether it is that of dark mode.
    """
    grounds = [COLORS[name].dark if is_dark else COLORS[name].light for name in _GROUNDS]
    return nearest_readable(full_hex(color), grounds)


class _Mode:
    """One mode of the palette: starts as the theme has it."""

    def __init__(self, theme: ThemeSettings, *, is_dark: bool) -> None:
        self._theme = theme
        self._is_dark = is_dark
        self.colors = {name: pair.dark if is_dark else pair.light for name, pair in COLORS.items()}
        accent = theme.accent
        self._given = self._own(ColorPair(light=accent) if isinstance(accent, str) else accent)

    def derive(self, other: _Mode) -> None:
        """Change what the site gives; `other` is the other mode, of which an accent may be derived."""
        accent = self._given or other._given
        if self._theme.neutral or self._theme.ground:
            self._neutrals(accent)
        if accent is not None:
            self._accents(self._given or self._as_here(accent))

    def weak(self) -> Iterator[Weak]:
        if self._given is None:
            return
        grounds = [self.colors[name] for name in _GROUNDS]
        worst = min(grounds, key=lambda ground: least_contrast(self._given or "", [ground]))
        found = least_contrast(self._given, [worst])
        if found < READABLE:
            name = "theme.accent" if isinstance(self._theme.accent, str) else f"theme.accent.{self._name}"
            yield Weak(name, self._written(), worst, found, nearest_readable(self._given, grounds))

    @property
    def _name(self) -> str:
        return "dark" if self._is_dark else "light"

    def _written(self) -> str:
        accent = self._theme.accent
        return accent if isinstance(accent, str) else getattr(accent, self._name)

    def _own(self, pair: ColorPair | None) -> str | None:
        color = (pair.dark if self._is_dark else pair.light) if pair else None
        return full_hex(color) if color else None

    def _as_here(self, accent: str) -> str:
        """Bring the other mode's accent to the lightness that it needs in this one."""
        tone = tone_of(accent)
        lightness = max(tone.lightness, _BRIGHT) if self._is_dark else min(tone.lightness, 0.5)
        found = hex_of(Tone(lightness, min(tone.chroma, 0.13) if self._is_dark else tone.chroma, tone.hue))
        return nearest_readable(found, [self.colors[name] for name in _GROUNDS])

    def _neutrals(self, accent: str | None) -> None:
        tone = self._theme.neutral
        given = self._own(self._theme.ground)
        before = {name: tone_of(self.colors[name]) for name in _NEUTRALS}
        shift = tone_of(given).lightness - before["paper"].lightness if given else 0.0
        for name, old in before.items():
            hue, chroma = self._hue(tone, old, accent, given)
            # Grounds and lines keep their distance to the page; text does not follow it.
            moved = old.lightness + (0 if name in _TEXTS else shift)
            self.colors[name] = hex_of(Tone(min(1.0, max(0.0, moved)), chroma, hue))
        if given:
            self.colors["paper"] = given
            self._keep_apart()
        grounds = [self.colors[name] for name in _GROUNDS]
        for name, needed in {**_TEXTS, **dict.fromkeys(_COLORED, READABLE)}.items():
            self.colors[name] = nearest_readable(self.colors[name], grounds, needed)

    def _keep_apart(self) -> None:
        """Where the page is white or black already, boxes and lines go the other way."""
        paper, towards = self.colors["paper"], "#ffffff" if self._is_dark else "#000000"
        for name, share in _APART.items():
            least = mix(paper, towards, share)
            now, bound = tone_of(self.colors[name]).lightness, tone_of(least).lightness
            if (now < bound) if self._is_dark else (now > bound):
                self.colors[name] = hex_of(tone_of(self.colors[name])._replace(lightness=bound))

    def _hue(self, tone: str | None, old: Tone, accent: str | None, given: str | None) -> tuple[float, float]:
        if tone == "paper" or (tone is None and not given):
            return old.hue, old.chroma
        if tone is None:
            ground = tone_of(given or "")
            return ground.hue, min(ground.chroma, 0.02)
        if tone == "accent":
            hue, chroma = tone_of(accent or self.colors["accent"]).hue, 0.014
        else:
            hue, chroma = _HUES[tone]
        # A tint of the same chroma is much more visible near white.
        return hue, chroma * (0.4 if old.lightness > 0.94 else 1.0)

    def _accents(self, accent: str) -> None:
        tone = tone_of(accent)
        step = 0.06 if self._is_dark else -0.1
        soft = Tone(0.29 if self._is_dark else 0.95, min(tone.chroma, 0.05 if self._is_dark else 0.025), tone.hue)
        chosen = Tone(0.4 if self._is_dark else 0.9, min(tone.chroma, 0.06), tone.hue)
        strong = hex_of(tone._replace(lightness=min(0.95, max(0.1, tone.lightness + step))))
        self.colors |= {
            "accent": accent,
            "accent-strong": nearest_readable(strong, [self.colors[name] for name in _GROUNDS]),
            "accent-fill": accent,
            "on-accent": text_on(accent),
            "accent-soft": hex_of(soft),
            "rubric": accent,
            "selection": hex_of(chosen),
            "code-line": hex_of(soft),
        }
