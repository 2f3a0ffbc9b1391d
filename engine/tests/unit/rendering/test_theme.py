"""The files of a theme: what every page needs, what some do, and what only diagrams need."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from octavo.errors import RenderError
from octavo.rendering.theme import load_offline_theme, load_theme, read_theme_file
from tests.support.each import each

MANIFEST: dict[str, Any] = {
    "src/styles/sheets/landing.css": {"file": "assets/landing-1.css", "name": "landing", "isEntry": True},
    "src/styles/sheets/reference.css": {"file": "assets/reference-1.css", "name": "reference", "isEntry": True},
    "src/client.tsx": {
        "file": "assets/client-1.js",
        "isEntry": True,
        "css": ["assets/client-1.css"],
        "assets": ["assets/sans-1.woff2", "assets/mono-1.woff2", "assets/k.svg"],
        "imports": ["_shared.js"],
        "dynamicImports": ["src/late.ts"],
    },
    "_shared.js": {"file": "assets/shared-1.js"},
    "src/late.ts": {"file": "assets/late-1.js", "imports": ["_shared.js"], "css": ["assets/late-1.css"]},
    "src/frame.ts": {"file": "assets/diagram-frame-1.js", "imports": ["_shared.js"]},
}
SCRIPTS = {name: f" {name} \n" for name in ("server.js", "inline.js", "inline-tabs.js", "base-url.js")}


def theme_in(folder: Path, manifest: dict[str, Any]) -> Path:
    for name, text in {**SCRIPTS, "client/.vite/manifest.json": json.dumps(manifest)}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_files_of_a_theme_are_those_of_its_manifest(tmp_path: Path) -> None:
    theme = load_theme(theme_in(tmp_path, MANIFEST))
    assert theme.client == "_octavo/assets/client-1.js"
    assert theme.styles == ["_octavo/assets/client-1.css"]
    assert theme.page_styles == {
        "landing": "_octavo/assets/landing-1.css",
        "reference": "_octavo/assets/reference-1.css",
    }
    assert theme.fonts == {"sans": "_octavo/assets/sans-1.woff2", "mono": "_octavo/assets/mono-1.woff2"}
    assert (theme.server_script, theme.inline_script, theme.tabs_script) == (
        " server.js \n",
        "inline.js",
        "inline-tabs.js",
    )
    assert theme.base_url_script == "base-url.js"
    assert set(theme.files) == {
        f"_octavo/assets/{name}"
        for name in (
            "client-1.js", "client-1.css", "sans-1.woff2", "mono-1.woff2", "k.svg", "shared-1.js", "late-1.js", "late-1.css",
            "landing-1.css", "reference-1.css",
        )
    }  # fmt: skip
    assert theme.files["_octavo/assets/k.svg"] == tmp_path / "client/assets/k.svg"
    assert set(theme.diagram_files) == {"_octavo/assets/diagram-frame-1.js"}


def test_theme_is_another_one_when_any_of_its_files_is(tmp_path: Path) -> None:
    keys = {load_theme(theme_in(tmp_path, MANIFEST)).key}
    for name in SCRIPTS:
        (tmp_path / name).write_text("other")
        keys.add(load_theme(tmp_path).key)
    keys.add(load_theme(theme_in(tmp_path / "more", {**MANIFEST, "x.js": {"file": "assets/x.js"}})).key)
    assert len(keys) == len(SCRIPTS) + 2


@each("name", [*SCRIPTS, "client/.vite/manifest.json"])
def test_theme_that_was_not_built_says_how(tmp_path: Path, name: str) -> None:
    folder = theme_in(tmp_path / name.replace("/", "-"), MANIFEST)
    (folder / name).unlink()
    with pytest.raises(RenderError, match=r"The theme has not been built: .* is missing\. Run `make theme`"):
        load_theme(folder)


def test_file_that_vanishes_during_a_build_is_named(tmp_path: Path) -> None:
    with pytest.raises(RenderError, match=r"gone\.js is gone\. Build again"):
        read_theme_file(tmp_path / "gone.js")
    with pytest.raises(RenderError, match=r"offline-inline\.js is gone"):
        load_offline_theme(tmp_path)
