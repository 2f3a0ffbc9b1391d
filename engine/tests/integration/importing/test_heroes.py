"""Pictures and links of first pages that are written in front matter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from octavo.importing import EngineName, import_site
from octavo.publish import build_site

from .sites import write

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4" width="4" height="4"><title>%s</title></svg>\n'
STARLIGHT = {
    "astro.config.mjs": 'import starlight from "@astrojs/starlight";\nexport default { integrations: [starlight({ title: "Kite" })] };\n',
    "package.json": '{"dependencies": {"@astrojs/starlight": "1"}}\n',
    "src/assets/day.svg": SVG % "day",
    "src/assets/night.svg": SVG % "night",
}
VITEPRESS = {
    ".vitepress/config.js": 'export default { title: "Kite" }\n',
    "package.json": '{"dependencies": {"vitepress": "1"}}\n',
    "public/day.svg": SVG % "day",
    "public/night.svg": SVG % "night",
}
SHOWN = re.compile(r'<img[^>]* src="(?P<address>[^"]*)"[^>]*>')


def build(folder: Path, files: dict[str, str], engine: EngineName, page: str, hero: str) -> tuple[str, list[str]]:
    """Import and build a site whose first page has such a hero: its HTML, and the findings of the page."""
    site = write(
        folder / "site",
        files | {page: f"---\ntitle: Kite\nlayout: home\nhero:\n  tagline: Flies.\n{hero}---\n\nText.\n"},
    )
    import_site(site, engine=engine)
    report = build_site(site, folder / "out", has_search=False)
    html = (folder / "out/index.html").read_text(encoding="utf-8")
    found = [f"{one.code} {one.span.path}:{one.span.line}:{one.span.column}" for one in report.diagnostics if one.span]
    return html[html.index("<main") : html.index("</main>")], found


def pictures(folder: Path, html: str) -> list[str]:
    """Titles of the pictures that are shown, read from the published files."""
    files = [folder / "out" / found["address"].lstrip("/") for found in SHOWN.finditer(html)]
    return [re.findall(r"<title>(.*?)</title>", file.read_text(encoding="utf-8"))[0] for file in files]


@pytest.mark.parametrize("suffix", ["md", "mdx"])
@pytest.mark.parametrize(
    "address", ["/src/assets/day.svg", "../../assets/day.svg", "~/assets/day.svg", "@/assets/day.svg"]
)
def test_picture_of_starlight_is_found_from_each_root(tmp_path: Path, suffix: str, address: str) -> None:
    hero = f"  image:\n    file: '{address}'\n    alt: By day\n"
    html, found = build(tmp_path, STARLIGHT, "starlight", f"src/content/docs/index.{suffix}", hero)
    assert found == []
    assert pictures(tmp_path, html) == ["day"]
    assert 'alt="By day"' in html


@pytest.mark.parametrize(
    ("files", "engine", "page", "root"),
    [
        (STARLIGHT, "starlight", "src/content/docs/index.md", "../../assets"),
        (STARLIGHT, "starlight", "src/content/docs/index.mdx", "/src/assets"),
        (VITEPRESS, "vitepress", "index.md", ""),
    ],
)
def test_each_color_mode_has_its_picture(
    tmp_path: Path, files: dict[str, str], engine: EngineName, page: str, root: str
) -> None:
    hero = f'  image:\n    dark: {root}/night.svg\n    light: {root}/day.svg\n    alt: The "kite"\n'
    html, found = build(tmp_path, files, engine, page, hero)
    assert found == []
    assert pictures(tmp_path, html) == ["day", "night"]
    assert [mode in found[0] for mode, found in zip(("themed-light", "themed-dark"), SHOWN.finditer(html), strict=True)]
    assert html.count('alt="The &quot;kite&quot;"') == 2


def test_picture_of_another_host_is_shown(tmp_path: Path) -> None:
    hero = "  image: https://pictures.example/kite.png\n"
    html, _ = build(tmp_path, VITEPRESS, "vitepress", "index.md", hero)
    assert [found["address"] for found in SHOWN.finditer(html)] == ["https://pictures.example/kite.png"]


@pytest.mark.parametrize("suffix", ["md", "mdx"])
def test_markup_takes_the_place_of_a_picture(tmp_path: Path, suffix: str) -> None:
    hero = "  image:\n    html: '<video src=\"/kite.mp4\" muted></video>'\n"
    page = f"src/content/docs/index.{suffix}"
    html, found = build(tmp_path, STARLIGHT | {"public/kite.mp4": "film"}, "starlight", page, hero)
    assert found == []
    assert '<video src="/kite.mp4"' in html


def test_findings_are_at_the_lines_of_the_front_matter(tmp_path: Path) -> None:
    hero = (
        "  image:\n    file: ../../assets/gone.svg\n    alt: Gone\n  actions:\n"
        "    - text: Fly\n      link: /gone/\n    - text: Land\n      link: /gone-too/\n"
    )
    _, found = build(tmp_path, STARLIGHT, "starlight", "src/content/docs/index.md", hero)
    page = "src/content/docs/index.md"
    assert sorted(found) == [f"broken-asset {page}:7:11", f"broken-link {page}:11:13", f"broken-link {page}:13:13"]
