"""The finished looks, each nothing but settings that a site could write itself."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from octavo.config import CodeTheme, ColorPair, Fonts, Preset, ThemeSettings, Widths

PRESETS: Final[dict[Preset, ThemeSettings]] = {
    "terminal": ThemeSettings(
        accent=ColorPair(light="#0f6b3a", dark="#5ee08f"),
        neutral="gray",
        ground=ColorPair(light="#ffffff", dark="#0b0d0c"),
        radius="none",
        density="compact",
        heading_weight=400,
        fonts=Fonts(headings="jetbrains-mono", text="system-mono", code="jetbrains-mono"),
        widths=Widths(text="46rem", column="50rem", sidebar="260px"),
        code=CodeTheme(light="bw", dark="monokai", raises_contrast=True),
    ),
    "journal": ThemeSettings(
        accent=ColorPair(light="#8c1d2f", dark="#f0a3a8"),
        neutral="sand",
        ground=ColorPair(light="#fbf6ea", dark="#1a1613"),
        radius="none",
        density="relaxed",
        heading_weight=500,
        fonts=Fonts(headings="newsreader", text="old-style", code="system-mono"),
        widths=Widths(text="36rem", column="40rem", contents="13rem"),
        code=CodeTheme(light="solarized-light", dark="solarized-dark", raises_contrast=True),
    ),
    "product": ThemeSettings(
        accent=ColorPair(light="#6d28d9", dark="#c4a8ff"),
        neutral="mauve",
        ground=ColorPair(light="#ffffff", dark="#121018"),
        radius="large",
        heading_weight=600,
        fonts=Fonts(headings="inter", text="inter", code="jetbrains-mono"),
        code=CodeTheme(light="one-dark", dark="one-dark", raises_contrast=True),
    ),
    "harbor": ThemeSettings(
        accent=ColorPair(light="#0b5c8a", dark="#7cc7f2"),
        neutral="slate",
        ground=ColorPair(light="#f7f9fb", dark="#0f161d"),
        radius="small",
        bar="accent",
        heading_weight=600,
        fonts=Fonts(headings="humanist", text="humanist", code="system-mono"),
        widths=Widths(page="110rem", sidebar="320px"),
        code=CodeTheme(light="xcode", dark="nord", raises_contrast=True),
    ),
    "studio": ThemeSettings(
        accent=ColorPair(light="#a23c05", dark="#ffae70"),
        neutral="gray",
        ground=ColorPair(light="#f4f4f2", dark="#1b1b1b"),
        radius="medium",
        bar="dark",
        heading_weight=700,
        fonts=Fonts(headings="industrial", text="grotesque", code="system-mono"),
        code=CodeTheme(light="gruvbox-light", dark="gruvbox-dark", raises_contrast=True),
    ),
}


def with_preset(theme: ThemeSettings) -> ThemeSettings:
    """Fill in from the preset what a site has not given, table by table."""
    if theme.preset is None:
        return theme
    merged: ThemeSettings = _merge(theme, PRESETS[theme.preset])
    return merged


def _merge(given: Any, preset: Any) -> Any:
    if not isinstance(given, msgspec.Struct) or type(given) is not type(preset):
        return preset if given is None else given
    # A font of one's own has nothing of the preset's.
    if not isinstance(given, (ThemeSettings, Fonts, Widths, CodeTheme)):
        return given
    merged = {name: _merge(getattr(given, name), getattr(preset, name)) for name in given.__struct_fields__}
    return type(given)(**merged)
