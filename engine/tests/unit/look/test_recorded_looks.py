"""The style sheets that settings of the look come to, whole, with what is found in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.config import parse_config
from octavo.look import make_look
from tests.support.recorded import compare_with_record

FIXTURES = Path(__file__).parent / "fixtures"
LOOKS = {
    "lengths": 'radius = "large"\ndensity = "compact"\nheading_weight = 500\n[theme.widths]\ntext = "40rem"\npage = "90rem"\nsidebar = "15rem"\n',
    "relaxed": 'radius = "none"\ndensity = "relaxed"\n',
    "normal": 'radius = "small"\ndensity = "normal"\n',
    "accent": 'accent = "#0b5fff"\n',
    "pale-accent-bar": 'accent = { light = "#ffe14d", dark = "#ffe14d" }\nbar = "accent"\n',
    "deep-accent-bar": 'accent = { light = "#4a0033", dark = "#ff99dd" }\nbar = "accent"\n',
    "dark-bar": 'bar = "dark"\n',
    "plain-bar": 'bar = "plain"\n',
    "grounds": 'neutral = "slate"\nground = { light = "#fffaf0", dark = "#101418" }\naccent = "teal"\n',
    "neutral": 'neutral = "accent"\naccent = { light = "oklch(0.45 0.2 25)", dark = "#ffaa99" }\n',
    **{name: f'preset = "{name}"\n' for name in ("terminal", "journal", "product", "harbor", "studio")},
    "fonts": 'fonts = "system"\n',
}  # fmt: skip


@pytest.mark.parametrize("name", LOOKS)
def test_style_sheet_of_a_look(name: str) -> None:
    text = f'title = "T"\n[theme]\n{LOOKS[name]}'
    look = make_look(parse_config(text), text, Path())
    sheets = [content.decode() for address, content in sorted(look.files.items()) if address.endswith(".css")]
    # Which marks of code share a color depends on the version of the highlighter.
    sheets = ["".join(line for line in sheet.splitlines(True) if "figure.code :is(" not in line) for sheet in sheets]
    found = [f"{one.span} {one.level} {one.code}: {one.message} {one.suggestion}".rstrip() for one in look.problems]
    compare_with_record(FIXTURES / f"{name}.css", "\n".join([*sheets, *(f"/* {line} */" for line in found)]) + "\n")
