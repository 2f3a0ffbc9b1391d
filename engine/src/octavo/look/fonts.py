"""Fonts by role: stacks, font files, and which of them a page should fetch ahead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from octavo.config import Font, FontFile, Fonts, Stack
from octavo.look.look import Preload

_STACKS: Final[dict[Stack, str]] = {
    "inter": '"Octavo Sans", "Octavo Sans Fallback", system-ui, sans-serif',
    "newsreader": '"Octavo Serif", "Octavo Serif Fallback", Georgia, serif',
    "jetbrains-mono": '"Octavo Mono", Menlo, monospace',
    "system-sans": '"Segoe UI", "Liberation Sans", "Noto Sans", system-ui, sans-serif',
    "system-serif": '"Palatino Linotype", P052, "Liberation Serif", "Iowan Old Style", Palatino, Georgia, serif',
    "system-mono": 'Consolas, "Liberation Mono", ui-monospace, Menlo, monospace',
    "humanist": 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", source-sans-pro, sans-serif',
    "geometric": 'Avenir, Montserrat, Corbel, "URW Gothic", source-sans-pro, sans-serif',
    "grotesque": '"Helvetica Neue", Helvetica, "Nimbus Sans", Arial, sans-serif',
    "industrial": 'Bahnschrift, "DIN Alternate", "Franklin Gothic Medium", "Nimbus Sans Narrow", sans-serif-condensed, sans-serif',
    "rounded": 'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Comfortaa, Manjari, "Arial Rounded MT Bold", sans-serif',
    "old-style": '"Iowan Old Style", "Palatino Linotype", "URW Palladio L", P052, serif',
    "transitional": 'Charter, "Bitstream Charter", "Sitka Text", Cambria, "DejaVu Serif", serif',
    "slab": 'Rockwell, "Rockwell Nova", "Roboto Slab", "DejaVu Serif", "Sitka Small", serif',
}
"""Fonts that systems have, by kind, after the collection "Modern Font Stacks" (public domain)."""
_SHIPPED: Final[dict[Stack, str]] = {"inter": "sans", "newsreader": "serif", "jetbrains-mono": "mono"}
"""Stack → name of the theme's file."""
_FORMATS: Final = {"woff2": "woff2", "woff": "woff", "ttf": "truetype", "otf": "opentype"}
_MEDIA: Final = {"woff2": "font/woff2", "woff": "font/woff", "ttf": "font/ttf", "otf": "font/otf"}
_DEFAULTS: Final[dict[str, Stack]] = {"headings": "newsreader", "text": "inter", "code": "jetbrains-mono"}


def font_rules(fonts: Fonts) -> tuple[dict[str, str], list[str]]:
    """Write a site's fonts.

    Returns:
        (token → value, rules of `@font-face`).
    """
    tokens: dict[str, str] = {}
    rules: dict[str, None] = {}
    for role, font in _by_role(fonts):
        if isinstance(font, str):
            tokens[f"font-{role}"] = _STACKS[font]
        elif font is not None:
            tokens[f"font-{role}"] = f'"{font.family}", {_STACKS[font.fallback]}'
            rules.update(dict.fromkeys(_face(font.family, file) for file in _files(font)))
    return tokens, list(rules)


def preloads(fonts: Fonts) -> list[Preload]:
    """List what pages fetch ahead: for each role the one file that most of its text is set in."""
    found: dict[tuple[str, str], Preload] = {}
    for role, given in _by_role(fonts):
        font = given if given is not None else _DEFAULTS[role]
        shipped = _SHIPPED.get(font, "") if isinstance(font, str) else ""
        files = [] if isinstance(font, str) else _files(font)[:1]
        address = files[0].src.lstrip("/") if files else ""
        if shipped or address:
            ending = address.rpartition(".")[2] or "woff2"
            one = Preload(shipped, address, _MEDIA[ending], role == "code")
            found.setdefault((shipped, address), one)
    return list(found.values())


def _by_role(fonts: Fonts) -> Iterator[tuple[str, Stack | Font | None]]:
    # Text first: what is fetched first is there first.
    yield from (("text", fonts.text), ("headings", fonts.headings), ("code", fonts.code))


def _files(font: Font) -> list[FontFile]:
    return [FontFile(src=file, weight="100 900") if isinstance(file, str) else file for file in font.files]


def _face(family: str, file: FontFile) -> str:
    kind = _FORMATS[file.src.rpartition(".")[2]]
    # Relative to the style sheet, so that it holds under any base URL.
    source = f'url("../..{file.src}") format("{kind}")'
    return (
        f'@font-face {{ font-family: "{family}"; src: {source}; font-weight: {file.weight}; '
        f"font-style: {file.style}; font-display: swap; }}"
    )
