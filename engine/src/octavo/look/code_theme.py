"""Colors of code from Pygments styles: one for each mode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from octavo.colors import (
    READABLE,
    READABLE_WELL,
    full_hex,
    is_dark,
    least_contrast,
    mix,
    nearest_readable,
    text_on,
)
from octavo.config import CodeTheme
from octavo.look.palette import Weak
from octavo.look.tokens import COLORS, Pair


class CodeRules(NamedTuple):
    """What a code theme comes to."""

    tokens: dict[str, Pair]
    """Tokens that differ within blocks of code."""
    rules: list[str]
    stronger: list[str]
    """Rules for readers who prefer more contrast."""
    weak: list[Weak]


def code_rules(theme: CodeTheme, palette: dict[str, Pair]) -> CodeRules:
    """Write the rules of a code theme; a mode without one has the colors of the theme.

    Args:
        theme: The settings.
        palette: Colors of the site that differ from the theme's.
    """
    needed = READABLE if theme.raises_contrast else None
    ordinary = _Modes(theme, needed)
    strong = _Modes(theme, READABLE_WELL)
    base = COLORS | palette
    tokens, strong_tokens = ordinary.tokens(base), strong.tokens(base)
    known = set(rules := ordinary.rules())
    stronger = [rule for rule in strong.rules() if rule not in known]
    if changed := {name: color for name, color in strong_tokens.items() if color != tokens[name]}:
        stronger.insert(0, f"figure.code {{ {' '.join(f'--{name}: {color};' for name, color in changed.items())} }}")
    return CodeRules(tokens, rules, stronger, [weak for coloring in ordinary.own for weak in coloring.weak()])


_GROUP = {
    "c": "comment", "ch": "comment", "cm": "comment", "c1": "comment", "cs": "comment", "cp": "comment", "cpf": "comment",
    "gh": "comment", "gu": "comment",
    "k": "keyword", "kc": "keyword", "kd": "keyword", "kn": "keyword", "kp": "keyword", "kr": "keyword", "ow": "keyword",
    "nt": "keyword", "gs": "keyword",
    "s": "string", "sa": "string", "sb": "string", "sc": "string", "dl": "string", "sd": "string", "s1": "string",
    "s2": "string", "se": "string", "sh": "string", "si": "string", "sx": "string", "sr": "string", "ss": "string",
    "gi": "string",
    "m": "number", "mb": "number", "mf": "number", "mh": "number", "mi": "number", "mo": "number", "il": "number",
    "l": "number", "ld": "number", "no": "number", "nv": "number", "vc": "number", "vg": "number", "vi": "number",
    "vm": "number",
    "nf": "name", "fm": "name", "nb": "name", "bp": "name", "na": "name", "nd": "name", "py": "name",
    "nc": "type", "kt": "type", "nn": "type", "ne": "type", "ni": "type", "nl": "type",
}  # fmt: skip
"""Class → group of colors in the theme's `syntax.css`, for a mode that keeps the theme's colors."""
_GROUNDS = ("paper-raised", "code-line", "code-added", "code-removed")
_TEXTS = {
    **dict.fromkeys(("ink-faint", "tip", "danger"), _GROUNDS[:1]),
    **dict.fromkeys(("code-ink", "code-comment"), _GROUNDS),
}
"""Token for text → tokens of the grounds that it is seen on."""


class _Modes:
    """The colors of both modes; a mode without a style has those of the theme."""

    def __init__(self, theme: CodeTheme, needed: float | None) -> None:
        self._needed = needed
        self._light = _Coloring(theme.light, "light", needed) if theme.light else None
        self._dark = _Coloring(theme.dark, "dark", needed) if theme.dark else None
        self.own = [coloring for coloring in (self._light, self._dark) if coloring is not None]

    def tokens(self, base: Mapping[str, Pair]) -> dict[str, Pair]:
        """Give the tokens that differ within blocks of code."""
        light = {name: color.light for name, color in base.items()}
        dark = {name: color.dark for name, color in base.items()}
        return {
            name: Pair(self._token(self._light, light, name), self._token(self._dark, dark, name))
            for name in (self.own[0].grounds if self.own else ())
        }

    def _token(self, coloring: _Coloring | None, base: Mapping[str, str], name: str) -> str:
        if coloring:
            return coloring.grounds[name]
        if self._needed is None or name not in _TEXTS:
            return base[name]
        return nearest_readable(base[name], [base[ground] for ground in _TEXTS[name]], self._needed)

    def rules(self) -> list[str]:
        """Write a rule for the classes of each color."""
        from pygments.token import STANDARD_TYPES

        by_text: dict[str, list[str]] = {}
        for token, name in STANDARD_TYPES.items():
            # White space has no class, and a lexer's "error" is mostly a newer syntax than it knows.
            if name and name not in ("w", "err"):
                by_text.setdefault(self._declarations(token, name), []).append(name)
        # The plain text of a block has its color without a rule, but a class of the theme's must not color it.
        return [f"figure.code :is(.{', .'.join(names)}) {{ {text} }}" for text, names in by_text.items()]

    def _declarations(self, token: Any, name: str) -> str:
        group = f"var(--code-{_GROUP.get(name, 'ink')})"
        colors = [coloring.color(token) if coloring else group for coloring in (self._light, self._dark)]
        text = f"color: light-dark({colors[0]}, {colors[1]});"
        italic = "italic" if all(coloring.style_of(token)["italic"] for coloring in self.own) else "normal"
        bold = " font-weight: 600;" if all(coloring.style_of(token)["bold"] for coloring in self.own) else ""
        return f"{text} font-style: {italic};{bold}"


class _Coloring:
    """One style of Pygments, for one mode."""

    def __init__(self, name: str, mode: str, needed: float | None) -> None:
        from pygments.styles import get_style_by_name

        self._name, self._mode, self._needed = name, mode, needed
        self._style: Any = get_style_by_name(name)
        ground = full_hex(self._style.background_color)
        dark = is_dark(ground)
        ink = text_on(ground, dark="#24292e", light="#e8e8e8")
        own = {token: (pair.dark if dark else pair.light) for token, pair in COLORS.items()}
        marked = mix(ground, ink, 0.1)
        self.grounds = {
            "paper-raised": ground,
            "paper-hover": mix(ground, ink, 0.08),
            "line": mix(ground, ink, 0.14),
            "line-strong": mix(ground, ink, 0.35),
            "ink-faint": nearest_readable(mix(ground, ink, 0.65), [ground], needed or READABLE),
            "heading": ink,
            "code-line": marked,
            "code-added": mix(ground, own["tip"], 0.15),
            "code-removed": mix(ground, own["danger"], 0.15),
            "tip": nearest_readable(own["tip"], [ground], needed or READABLE),
            "danger": nearest_readable(own["danger"], [ground], needed or READABLE),
        }
        self._grounds = [ground, marked, self.grounds["code-added"], self.grounds["code-removed"]]
        self.grounds["code-ink"] = self.color(_text_token())
        self.grounds["code-comment"] = self.color(_comment_token())

    def style_of(self, token: Any) -> dict[str, Any]:
        """Give Pygments' description of a token."""
        found: dict[str, Any] = self._style.style_for_token(token)
        return found

    def color(self, token: Any) -> str:
        """Give a token's color, as `#rrggbb`; moved to where it can be read, if that is asked for."""
        color = self._written(token)
        return nearest_readable(color, self._grounds, self._needed) if self._needed else color

    def weak(self) -> Iterator[Weak]:
        if self._needed:
            return
        from pygments.token import STANDARD_TYPES

        seen: dict[str, list[str]] = {}
        for token, name in STANDARD_TYPES.items():
            color = self._written(token)
            if name and name not in ("w", "err") and least_contrast(color, self._grounds) < READABLE:
                seen.setdefault(color, []).append(str(token).removeprefix("Token."))
        for color, tokens in seen.items():
            where = f"theme.code.{self._mode} ({', '.join(tokens[:3])}{', …' if len(tokens) > 3 else ''})"
            worst = min(self._grounds, key=lambda ground: least_contrast(color, [ground]))
            nearest = nearest_readable(color, self._grounds)
            yield Weak(where, self._name, worst, least_contrast(color, [worst]), nearest, color)

    def _written(self, token: Any) -> str:
        color = self.style_of(token)["color"] or self.style_of(_text_token())["color"]
        # Some styles name no color for plain text, and mean that of the page.
        return f"#{color}" if color else self.grounds["heading"]


def _text_token() -> Any:
    from pygments.token import Token

    return Token.Text


def _comment_token() -> Any:
    from pygments.token import Token

    return Token.Comment
