"""The colors of a diagram in both modes: what the theme names, and pairs for the rest."""

from __future__ import annotations

from octavo.diagrams.engine import LABEL_GROUND

LINE = ("#666", "#d3d3d3")
"""Color of lines in light and in dark mode."""
_NAMED = {
    LABEL_GROUND: "ground",
    ("#000", "#ccc"): "ink",
    ("#333", "#f9fffe"): "title",
    ("#111", "#e0dfdf"): "label",
    LINE: "line",
    ("#333", "#d3d3d3"): "arrow",
    ("#d4d4d4", "#ccc"): "lifeline",
    ("#eee", "#1f2020"): "node",
    ("#999", "#ccc"): "node-line",
    ("#fcfcfc", "#474949"): "group",
    ("#707070", "#ffffff40"): "group-line",
    ("#666", "#474949"): "note",
    ("#999", "#2f2f2f"): "note-line",
    ("#fff", "#b8b6b6"): "note-ink",
}
"""The commonest colors of Mermaid's themes `neutral` and `dark` → the property of the theme that holds them, without
`--diagram-`."""


def paint(light: str, dark: str) -> str:
    """Write a color that is one in light and another in dark mode.

    The theme's style sheet says what `--diagram-…` is, and a site may say otherwise; on paper all are light.
    """
    if light == dark:
        return light
    name = _NAMED.get((light, dark))
    return f"var(--diagram-{name})" if name else f"light-dark({light},{dark})"


def brightness(color: str) -> float:
    """Tell how bright a color is, from 0 to 255: `#rgb`, `#rrggbb` or `#rrggbbaa`; others count as dark."""
    digits = color.removeprefix("#")
    digits = "".join(2 * digit for digit in digits[:3]) if len(digits) < 6 else digits[:6]
    try:
        red, green, blue = bytes.fromhex(digits)
    except ValueError:
        return 0
    return 0.299 * red + 0.587 * green + 0.114 * blue
