"""The accent of the old site: from its settings, or from the variables of its style sheets."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from octavo.importing.model import Plan
from octavo.lazy import regex as re
from octavo.look import readable_accent

VARIABLES: Mapping[str, tuple[str, ...]] = {
    "docusaurus": ("--ifm-color-primary",),
    "fumadocs": ("--color-fd-primary", "--primary"),
    "hugo": ("$primary", "--color-link", "--primary-color"),
    "jekyll": ("$link-color", "$main-color", "--color-link"),
    "mkdocs": ("--md-primary-fg-color", "--md-typeset-a-color"),
    "nextra": ("--primary", "--primary-color"),
    "rspress": ("--rp-c-brand",),
    "sphinx": ("--pst-color-primary", "--color-brand-primary"),
    "starlight": ("--sl-color-accent",),
    "vitepress": ("--vp-c-brand-1", "--vp-c-brand"),
    "vocs": ("--vocs-color-accent", "--vocs-color_backgroundAccent", "--vocs-color_textAccent"),
    "vuepress": ("--vp-c-accent", "--c-brand", "$accentColor", "$theme-color"),
}
"""Engine → variables that hold its accent, the first that has a value counts."""
MATERIAL: Mapping[str, str] = {
    "red": "#ef5552",
    "pink": "#e92063",
    "purple": "#ab47bd",
    "deep purple": "#7e56c2",
    "indigo": "#4051b5",
    "blue": "#2094f3",
    "light blue": "#02a6f2",
    "cyan": "#00bdd6",
    "teal": "#009485",
    "green": "#4cae4f",
    "light green": "#8bc34b",
    "lime": "#cbdc38",
    "yellow": "#ffec3d",
    "amber": "#ffc105",
    "orange": "#ffa724",
    "deep orange": "#ff6e42",
    "brown": "#795649",
    "grey": "#757575",
    "blue grey": "#546d78",
}
"""Colors of Material's palette by name; black, white and custom ones are in style sheets, or none."""
_DARK = re.compile(r"\bdark\b|slate|black", re.IGNORECASE)
_LIGHT = re.compile(r"\blight\b|:not\([^)]*dark[^)]*\)", re.IGNORECASE)
_HEX = re.compile(r"#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_FUNCTION = re.compile(r"(?P<name>rgb|hsl)a?\((?P<values>[^()]*)\)", re.IGNORECASE)
_BARE_HSL = re.compile(r"[\d.]+(?:deg)?[ ,]+[\d.]+%[ ,]+[\d.]+%")
_VARIABLE = re.compile(r"var\(\s*(?P<name>--[\w-]+)\s*(?:,\s*(?P<other>[^()]*(?:\([^()]*\))?[^()]*))?\)")
_DEEPEST = 6
_LONGEST = 500_000
_END = re.compile(r"[{};]|\n(?=\s*[$@\w-]+\s*[:=])")


def carry_accent(plan: Plan, light: str | None, dark: str | None = None) -> None:
    """Make colors the accent of the site, in a lightness that can be read; others than sRGB's are left out.

    Args:
        plan: Gets the setting.
        light: Color for light mode, as CSS writes it.
        dark: Color for dark mode.
    """
    given = {"light": to_hex(light or ""), "dark": to_hex(dark or "")}
    if given["light"] is None and given["dark"] is not None and light is None:
        # A color alone is that of light mode; that of dark mode is written as such.
        given = {"dark": given["dark"]}
    accent: dict[str, str] = {}
    for mode, color in given.items():
        if color is None:
            written = {"light": light, "dark": dark}[mode]
            if written:
                _note_unread(plan, written)
            continue
        accent[mode] = readable_accent(color, is_dark=mode == "dark")
        if accent[mode] != color:
            plan.note(
                f"The accent {color} is {accent[mode]} in {mode} mode here: text needs a contrast of 4.5:1",
                "Change `accent` under [theme].",
            )
    if accent:
        plan.settings.setdefault("theme", {})["accent"] = accent


def carry_accent_of_sheets(plan: Plan, files: Iterable[Path], *, is_dark_first: bool = False) -> bool:
    """Take the accent from style sheets; tells whether there was one.

    Args:
        plan: Gets the setting; its engine says which variables count.
        files: Sheets of CSS, SCSS, Less or Stylus; one that is not there is left out.
        is_dark_first: Rules without a mode are those of dark mode, as in Starlight.
    """
    values: dict[str, dict[str, str]] = {"light": {}, "dark": {}}
    for path in files:
        for selector, name, value in _declarations(_read(path)):
            if _LIGHT.search(selector):
                mode = "light"
            else:
                mode = "dark" if is_dark_first or _DARK.search(selector) else "light"
            values[mode][name] = value
    unread = ""
    for name in VARIABLES.get(plan.engine, ()):
        found = {mode: _color(name, mode, values) if name in values[mode] else None for mode in values}
        if any(found.values()):
            carry_accent(plan, found["light"], found["dark"])
            return True
        unread = unread or values["light"].get(name) or values["dark"].get(name, "")
    if unread:
        _note_unread(plan, unread)
    return False


def _note_unread(plan: Plan, value: str) -> None:
    plan.note(
        f"The accent {value}: it is not a color of sRGB, or is one of the old theme's own variables",
        "Set `accent` under [theme].",
    )


def sheets_in(folder: Path) -> list[Path]:
    """List the style sheets of a folder and those below it; `style` elements of Vue's files are sheets too."""
    endings = (".css", ".scss", ".less", ".styl", ".vue")
    return sorted(path for path in folder.rglob("*") if path.suffix in endings and "node_modules" not in path.parts)


def _read(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8", errors="replace") if path.stat().st_size < _LONGEST else ""
    except OSError:
        return ""
    text = re.sub(r"<script\b.*?</script>|<template\b.*?</template>|/\*.*?\*/", "", text, flags=re.DOTALL)
    return re.sub(r"^\s*//[^\n]*|(?<=[;\s])//[^\n]*", "", text, flags=re.MULTILINE)


def _declarations(text: str) -> Iterator[tuple[str, str, str]]:
    """Give the variables of a sheet: the selectors around, the name, and the value."""
    stack: list[str] = []
    start = 0
    for match in _END.finditer(f"{text}\n"):
        piece, start = text[start : match.start()].strip(), match.end()
        if match[0] == "{":
            stack.append(piece)
            continue
        name, mark, value = piece.partition("=" if piece.startswith("$") and ":" not in piece else ":")
        if mark and name.strip().startswith(("--", "$")):
            yield " ".join(stack), name.strip(), re.sub(r"!(?:default|important)\b", "", value).strip()
        if match[0] == "}" and stack:
            stack.pop()


def _color(name: str, mode: str, values: Mapping[str, Mapping[str, str]], depth: int = 0) -> str | None:
    """Follow a variable to a color."""
    value = values[mode].get(name) or values["dark" if mode == "light" else "light"].get(name, "")
    if depth > _DEEPEST:
        return None
    if reference := _VARIABLE.fullmatch(value):
        return _color(reference["name"], mode, values, depth + 1) or to_hex(reference["other"] or "")
    if value.startswith("$") and re.fullmatch(r"\$[\w-]+", value):
        return _color(value, mode, values, depth + 1)
    resolved = _VARIABLE.sub(
        lambda one: values[mode].get(one["name"]) or values["light"].get(one["name"], one["other"] or ""), value
    )
    return to_hex(resolved)


def to_hex(value: str) -> str | None:
    """Write a color of CSS as `#rrggbb`; None for what is not a color, or of another color space."""
    value = value.strip()
    if found := _HEX.fullmatch(value):
        digits = found[1].lower()
        digits = "".join(2 * one for one in digits) if len(digits) < 6 else digits
        return f"#{digits[:6]}"
    function = _FUNCTION.fullmatch(value)
    if function is None and not _BARE_HSL.fullmatch(value):
        return None
    parts = re.findall(r"-?[\d.]+", function["values"] if function else value)[:3]
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        return None
    if len(numbers) < 3:
        return None
    if function and function["name"].lower() == "rgb":
        channels = [number * 2.55 if "%" in function["values"] else number for number in numbers]
    else:
        red, green, blue = colorsys.hls_to_rgb(numbers[0] % 360 / 360, numbers[2] / 100, numbers[1] / 100)
        channels = [255 * one for one in (red, green, blue)]
    return "#" + "".join(f"{min(255, max(0, round(channel))):02x}" for channel in channels)
