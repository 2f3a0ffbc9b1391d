"""Sites of Docusaurus whose ids keep their capital letters, and relative links on pages whose addresses have no slash."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import write

_CONFIG = """
module.exports = { title: "Kite", url: "https://kite.example", baseUrl: "/",
  %s
  presets: [["@docusaurus/preset-classic", { docs: { routeBasePath: "/" } }]] };
"""
_MANY = "\n".join(f"- [{name}](knots.md#Tie-{name})" for name in ("A", "B", "C", "D", "E", "F", "G", "H", "I", "J"))
_FEW = "- [A](knots.md#tie-a)\n- [B](knots.md#tie-b)\n"


@pytest.mark.parametrize(
    ("said", "links", "anchor"),
    [
        ("markdown: { anchors: { maintainCase: true } },", "", "Tie-A"),
        ("", _MANY, "Tie-A"),
        ("", _FEW, "tie-a"),
        ("", "", "tie-a"),
    ],
    ids=["the settings say so", "all links have capitals", "links have none", "nothing says so"],
)
def test_ids_keep_their_capitals(tmp_path: Path, said: str, links: str, anchor: str) -> None:
    knots = "# Knots\n\n" + "".join(f"## Tie {name}\n\nText.\n\n" for name in "ABCDEFGHIJ")
    site = write(
        tmp_path / "site",
        {"docusaurus.config.js": _CONFIG % said, "docs/index.md": f"# Start\n\n{links}\n", "docs/knots.md": knots},
    )
    import_site(site)
    done = build_site(site, tmp_path / "out", has_search=False)
    page = (tmp_path / "out/knots/index.html").read_text(encoding="utf-8")
    assert f'id="{anchor}"' in page
    assert "<h1>Knots</h1>" in page
    assert "broken-anchor" not in [one.code for one in done.diagnostics]


@pytest.mark.parametrize(
    ("config", "name"),
    [
        ({"docusaurus.config.js": _CONFIG % "", "docs/index.md": "# Start\n"}, "docs"),
        (
            {
                "package.json": '{"dependencies": {"next": "15", "nextra": "3"}}',
                "next.config.mjs": "export default {};\n",
                "theme.config.tsx": "export default {};\n",
                "pages/index.md": "# Start\n",
            },
            "pages",
        ),
        ({"docs.json": '{"name": "Kite", "navigation": {"pages": ["index"]}}', "index.md": "# Start\n"}, "."),
    ],
    ids=["docusaurus", "nextra", "mintlify"],
)
def test_links_of_index_pages_lead_where_an_address_without_a_slash_has_them(
    tmp_path: Path, config: dict[str, str], name: str
) -> None:
    pages = {
        f"{name}/knots/index.md": "# Knots\n\n[Bowline](./knots/bowline), [anchor](anchor), [gone](./gone)\n",
        f"{name}/knots/bowline.md": "# Bowline\n",
        f"{name}/knots/anchor.md": "# Anchor\n",
    }
    site = write(tmp_path / "site", config | pages)
    import_site(site)
    done = build_site(site, tmp_path / "out", has_search=False)
    page = (tmp_path / "out/knots/index.html").read_text(encoding="utf-8")
    assert 'href="/knots/bowline"' in page
    assert 'href="/knots/anchor"' in page
    assert [one.message.split('"')[1] for one in done.diagnostics if one.code == "broken-link"] == ["./gone"]
