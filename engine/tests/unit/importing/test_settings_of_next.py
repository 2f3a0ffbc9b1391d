"""Settings beside the pages of Nextra and Fumadocs: orders of pages, and beginnings of paths in `tsconfig.json`."""

from __future__ import annotations

from pathlib import Path

from .planned import plan_of


def test_keys_of_an_order_without_pages_name_none(tmp_path: Path) -> None:
    files = {
        "package.json": '{"dependencies": {"next": "15", "fumadocs-core": "15"}}',
        "next.config.mjs": "export default {};\n",
        "content/docs/index.mdx": "---\ntitle: Kite\n---\n",
        "content/docs/knots/meta.json": '{"title": "All knots", "description": "Ties", "icon": "Rope", "root": false}',
        "content/docs/knots/bowline.mdx": "---\ntitle: Bowline\n---\n",
        "content/docs/knots/icon.mdx": "---\ntitle: Icon\n---\n",
        "content/docs/knots/anchor.mdx": "---\ntitle: Anchor\n---\n",
    }
    plan = plan_of(tmp_path, files, "fumadocs")
    entry = next(one for one in plan.settings["sidebars"][0]["items"] if one.get("category") == "All knots")
    assert [one["label"] for one in entry["items"]] == ["Anchor", "Bowline", "Icon"]
    assert [note.what for note in plan.notes if "do not exist" in note.what] == []


def test_beginnings_of_paths_are_those_of_typescript(tmp_path: Path) -> None:
    """`@*` has no slash: it stands for each folder in `public` by its name."""
    files = {
        "package.json": '{"dependencies": {"next": "13", "nextra": "2"}}',
        "next.config.mjs": "export default {};\n",
        "theme.config.tsx": "export default {};\n",
        "tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"~*": ["./src/*"], "@*": ["./public/*"], "#parts/*": ["./parts/*"]}}}',
        "public/pictures/a.svg": "<svg/>",
        "src/pages/index.mdx": "# Kite\n",
    }
    aliases = plan_of(tmp_path, files, "nextra").settings["markdown"]["aliases"]
    assert aliases["@pictures"] == "public/pictures"
    assert aliases["~pages"] == "src/pages"
    assert aliases["#parts"] == "parts"
