"""The style sheet that a site's settings come to; it goes behind that of the theme, in the same layers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from octavo.colors import READABLE_WELL, mix, nearest_readable, text_on, tone_of
from octavo.colors import hex_of as hex_of_tone
from octavo.config import ThemeSettings
from octavo.look.code_theme import CodeRules
from octavo.look.tokens import COLORS, Pair

_RADII: Final = {"none": (0, 0, 0), "small": (2, 4, 6), "medium": (4, 8, 14), "large": (8, 14, 22)}
_SPACES: Final = (0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4.5)
_DENSITIES: Final = {"compact": 0.8, "normal": 1.0, "relaxed": 1.2}
_TEXTS: Final = {"compact": ("0.9375rem", "1.55", "52px"), "relaxed": ("1.125rem", "1.8", "68px")}
"""Density → size of running text, height of its lines, height of the top bar."""
_WIDTHS: Final = {"text": "measure", "column": "column", "sidebar": "sidebar", "contents": "toc", "page": "frame"}


def write_stylesheet(
    theme: ThemeSettings, palette: Mapping[str, Pair], fonts: tuple[dict[str, str], list[str]], code: CodeRules | None
) -> str:
    """Write the style sheet; empty where nothing differs from the theme.

    Args:
        theme: The settings, those of the preset filled in.
        palette: Colors that differ.
        fonts: As `font_rules` gives them.
        code: Colors of code; None for the theme's.
    """
    tokens = {name: str(pair) for name, pair in palette.items()} | fonts[0] | dict(_lengths(theme))
    parts = [*fonts[1]]
    if tokens:
        parts.append(_layer("tokens", [_rule(":root", tokens), *_more_contrast(palette)]))
    if theme.bar in ("accent", "dark"):
        parts.append(_layer("components", _bar(theme.bar, palette)))
    if content := [*_content(theme, code), *_logo_of_bar(theme.bar, palette)]:
        parts.append(_layer("content", content))
    return "\n".join(parts) + "\n" if parts else ""


def _lengths(theme: ThemeSettings) -> Iterator[tuple[str, str]]:
    if theme.radius is not None:
        yield from ((f"radius-{number}", f"{px}px") for number, px in enumerate(_RADII[theme.radius], start=1))
    if theme.density is not None:
        factor = _DENSITIES[theme.density]
        yield from ((f"space-{number}", f"{rem * factor:g}rem") for number, rem in enumerate(_SPACES, start=1))
        if theme.density in _TEXTS:
            size, _, bar = _TEXTS[theme.density]
            yield from (("size-3", size), ("bar", bar))
    for name, token in _WIDTHS.items():
        length = getattr(theme.widths, name) if theme.widths else None
        if length is not None:
            yield token, length


def _content(theme: ThemeSettings, code: CodeRules | None) -> Iterator[str]:
    if theme.density in _TEXTS:
        yield _rule(".prose", {}, f"line-height: {_TEXTS[theme.density][1]};")
    if theme.heading_weight is not None:
        yield f"h1, h2, h3, .hero-title, .brand {{ font-weight: {theme.heading_weight}; }}"
    if code is not None:
        yield _rule("figure.code", {name: str(pair) for name, pair in code.tokens.items()})
        yield from code.rules
        if code.stronger:
            yield "@media (prefers-contrast: more) {\n" + "\n".join(code.stronger) + "\n}"


def _bar(kind: str, palette: Mapping[str, Pair]) -> list[str]:
    """Give the top bar a ground of its own; menus that open below it keep that of the page."""

    def pair(name: str) -> Pair:
        return palette.get(name, COLORS[name])

    both = [(ground, text_on(ground)) for ground in _grounds_of_bar(kind, pair("accent"))]
    inks = [ink for _, ink in both]
    bar = {
        "paper": [ground for ground, _ in both],
        "paper-raised": [mix(ground, ink, 0.1) for ground, ink in both],
        "paper-hover": [mix(ground, ink, 0.16) for ground, ink in both],
        "line": [mix(ground, ink, 0.25) for ground, ink in both],
        "line-strong": [mix(ground, ink, 0.5) for ground, ink in both],
        "heading": inks,
        "rubric": inks,
        "accent": inks,
        "ink-soft": [_faded(ground, ink, 0.88) for ground, ink in both],
        "ink-faint": [_faded(ground, ink, 0.75) for ground, ink in both],
    }
    changed = {name: str(Pair(light, dark)) for name, (light, dark) in bar.items()}
    restored = {name: str(pair(name)) for name in bar}
    return [_rule(".top-bar", changed), _rule(".top-bar .dropdown-menu", restored)]


def _grounds_of_bar(kind: str, accent: Pair) -> Pair:
    if kind == "dark":
        return Pair("#17181c", "#000000")
    deep = tone_of(accent.light)
    return Pair(accent.light, hex_of_tone(deep._replace(lightness=0.3, chroma=min(deep.chroma, 0.09))))


def _logo_of_bar(kind: str | None, palette: Mapping[str, Pair]) -> Iterator[str]:
    """Show the logo for dark grounds in a bar that is dark while the page is light."""
    if kind not in ("accent", "dark"):
        return
    ground = _grounds_of_bar(kind, palette.get("accent", COLORS["accent"])).light
    if tone_of(text_on(ground)).lightness > tone_of(ground).lightness:
        yield ".top-bar .logo.themed-light.themed-light { display: none; }"
        yield ".top-bar .logo.themed-dark.themed-dark { display: revert; }"


def _faded(ground: str, ink: str, share: float) -> str:
    """Text of second rank on a bar: readable on its boxes, too."""
    return nearest_readable(mix(ground, ink, share), [ground, mix(ground, ink, 0.16)])


_STRONGER: Final = {"ink-soft": 10.0, "ink-faint": 9.0, "accent": 8.5, "rubric": 8.5}
"""Token → contrast for readers who prefer more; the theme's sheet has its own colors for these."""
_PAGE_GROUNDS: Final = ("paper", "paper-raised")
_GROUNDS_OF: Final = {
    "accent-strong": _PAGE_GROUNDS,
    "note": ("note-soft", *_PAGE_GROUNDS),
    "tip": _PAGE_GROUNDS,
    "danger": ("code-removed", *_PAGE_GROUNDS),
    "accent-fill": ("on-accent",),
    **dict.fromkeys(
        ("code-ink", "code-keyword", "code-string", "code-number", "code-name", "code-type"),
        ("paper-raised", "code-line", "code-added", "code-removed"),
    ),
}
"""Text or ground → what it is seen with, which has enough contrast in the theme and may not have in a site's palette."""


def _more_contrast(palette: Mapping[str, Pair]) -> Iterator[str]:
    """Repeat the site's rules for readers who prefer more contrast: those of the theme have lower precedence."""
    own = {name: palette.get(name, color) for name, color in COLORS.items()}
    stronger = {
        name: _readable(own[name], [own["paper-hover"]], needed)
        for name, needed in _STRONGER.items()
        if name in palette
    }
    stronger |= {
        name: color
        for name, others in _GROUNDS_OF.items()
        if (color := _readable(own[name], [own[other] for other in others], READABLE_WELL)) != own[name]
    }
    changed = {name: str(color) for name, color in stronger.items()}
    if "code-comment" in palette:
        changed["code-comment"] = "var(--ink-faint)"
    if "ink" in palette:
        changed |= {"ink": str(Pair("#000000", "#ffffff")), "heading": str(Pair("#000000", "#ffffff"))}
        changed |= {"line": str(Pair("#77777c", "#85858c")), "line-strong": str(Pair("#47474c", "#bdbdc2"))}
    if changed:
        yield f"@media (prefers-contrast: more) {{ {_rule(':root', changed)} }}"


def _readable(color: Pair, grounds: Sequence[Pair], needed: float) -> Pair:
    return Pair(
        nearest_readable(color.light, [ground.light for ground in grounds], needed),
        nearest_readable(color.dark, [ground.dark for ground in grounds], needed),
    )


def _layer(name: str, rules: list[str]) -> str:
    return f"@layer {name} {{\n" + "\n".join(rules) + "\n}"


def _rule(selector: str, tokens: Mapping[str, str], more: str = "") -> str:
    declarations = " ".join(f"--{name}: {value};" for name, value in tokens.items())
    return f"{selector} {{ {declarations}{more} }}"
