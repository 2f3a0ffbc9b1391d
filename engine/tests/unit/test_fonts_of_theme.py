"""The faces of the theme: small, licensed, and named where they are used."""

from __future__ import annotations

import re
from pathlib import Path

_THEME = Path(__file__).parents[2] / "theme" / "src"
_FACES = sorted((_THEME / "fonts").glob("*.woff2"))


def test_all_faces_together_are_within_60_kb() -> None:
    assert len(_FACES) == 3
    assert sum(face.stat().st_size for face in _FACES) <= 60_000


def test_licence_names_every_face() -> None:
    text = (_THEME / "fonts" / "LICENSES.txt").read_text("utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in text
    assert re.findall(r"\((\w+\.woff2)\): Copyright", text) == [f"{name}.woff2" for name in ("sans", "serif", "mono")]


def test_every_face_waits_for_nobody_and_has_a_fallback_of_its_size() -> None:
    sheet = (_THEME / "styles" / "fonts.css").read_text("utf-8")
    faces = re.findall(r"@font-face \{(.*?)\}", sheet, re.DOTALL)
    ours = [face for face in faces if ".woff2" in face]
    assert {name for face in ours for name in re.findall(r"fonts/([\w.]+)", face)} == {face.name for face in _FACES}
    assert all("font-display: optional" in face for face in ours)
    for name in ("Sans", "Serif"):
        fallbacks = [face for face in faces if f'"Octavo {name} Fallback"' in face]
        assert fallbacks
        for part in ("size-adjust", "ascent-override", "descent-override", "line-gap-override"):
            assert all(part in face for face in fallbacks)
