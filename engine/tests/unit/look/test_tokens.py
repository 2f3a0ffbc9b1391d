"""The design tokens are a contract: what is documented is there, is used, and has the values that are derived from."""

from __future__ import annotations

import re
from pathlib import Path

from octavo.look.tokens import COLORS, LAYERS, TOKENS
from tests.support.each import each

_ROOT = Path(__file__).parents[4]
_THEME = _ROOT / "engine" / "theme" / "src"
_TOKENS_CSS = (_THEME / "styles" / "tokens.css").read_text(encoding="utf-8")
_GUIDE = (_ROOT / "docs" / "customize.md").read_text(encoding="utf-8")
_RULES = "\n".join(
    path.read_text(encoding="utf-8") for path in sorted(_THEME.rglob("*.css")) if path.name != "tokens.css"
)
_FIRST = _TOKENS_CSS.partition("\n}\n")[0]


def declared() -> dict[str, str]:
    return dict(re.findall(r"^  --([\w-]+): (.*);$", _FIRST, re.MULTILINE))


def test_every_token_is_declared() -> None:
    assert sorted(TOKENS.keys() - declared().keys()) == []


@each("name", TOKENS)
def test_token_is_used_by_a_rule(name: str) -> None:
    """One that no rule used would promise what setting it does not do."""
    assert re.search(rf"var\(--{name}[,)]", _RULES + _TOKENS_CSS)


def test_every_token_of_the_theme_is_part_of_the_contract() -> None:
    # The families behind the roles; their names are the theme's own.
    assert sorted(declared().keys() - TOKENS.keys()) == ["mono", "sans", "serif"]


def test_colors_that_others_are_derived_from_are_those_of_the_theme() -> None:
    assert {name: str(pair) for name, pair in COLORS.items()} == {name: declared()[name] for name in COLORS}


def test_layers_are_those_of_the_theme() -> None:
    sheet = (_THEME / "styles" / "index.css").read_text(encoding="utf-8")
    assert sheet.startswith(f"@layer {', '.join(LAYERS)};\n")


def test_guide_lists_every_token_with_its_meaning() -> None:
    listed = dict(re.findall(r"^\| `--([\w-]+)` \| (.*?) \|$", _GUIDE, re.MULTILINE))
    assert listed == TOKENS
