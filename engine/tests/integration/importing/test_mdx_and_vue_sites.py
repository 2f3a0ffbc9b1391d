"""Habits of sites in MDX and Vue: what their engines add to pages without a word in these."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.importing import import_site
from octavo.publish import build_site

from .test_imported_sites import text_of, write

ASTRO = "import starlight from '@astrojs/starlight';\nimport remarkMath from 'remark-math';\nexport default {{ integrations: [starlight({{ title: 'Kite' }})]{more} }};\n"


def published(site: Path, page: str) -> tuple[str, list[str]]:
    """Import and build a site; give the text of a page, and the codes of all findings but that of the address."""
    import_site(site)
    built = build_site(site, site.parent / "out", has_search=False)
    html = (site.parent / "out" / page).read_text(encoding="utf-8")
    codes = [one.code for one in built.diagnostics if one.code != "unset-url"]
    return text_of(html[html.index("<main") : html.rindex("</main>")]), codes


def test_astro_gives_pages_their_front_matter(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            "astro.config.mjs": ASTRO.format(more=""),
            "src/content/docs/index.mdx": "---\ntitle: Kite\nwind: strong\n---\n\n**{frontmatter.wind}** wind.\n",
        },
    )
    text, codes = published(site, "index.html")
    assert "strong wind." in text
    assert codes == []


def test_starlight_reads_formulas_where_remark_does(tmp_path: Path) -> None:
    page = "---\ntitle: Kite\n---\n\n$$\n\\frac{n}{d}\n$$\n"
    files = {"astro.config.mjs": ASTRO.format(more=", markdown: { remarkPlugins: [remarkMath] }")}
    site = write(tmp_path / "site", {**files, "src/content/docs/index.mdx": page})
    assert published(site, "index.html")[1] == []


def test_snippets_of_older_mintlify_are_found(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            "docs.json": '{"name": "Kite", "navigation": {"pages": ["index"]}}',
            "index.mdx": '---\ntitle: Kite\n---\n\n<Snippet file="wind.mdx" />\n',
            "_snippets/wind.mdx": "It blows.\n",
        },
    )
    text, codes = published(site, "index.html")
    assert "It blows." in text
    assert codes == []
    assert not (tmp_path / "out/_snippets").exists()


def test_at_sign_of_vitepress_is_the_folder_of_pages(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            "docs/.vitepress/config.ts": "export default { title: 'Kite' };\n",
            "docs/index.md": "# Kite\n\n<<< @/../packages/kite.ts#wind\n\n<<< @/code/rope.ts\n",
            "docs/code/rope.ts": "const rope = 2;\n",
            "packages/kite.ts": "const other = 0;\n// #region wind\nconst wind = 1;\n// #endregion wind\n",
        },
    )
    text, codes = published(site, "index.html")
    assert "const wind = 1 ;" in text
    assert "const rope = 2 ;" in text
    assert "other" not in text
    assert codes == []


def test_functions_of_next_for_the_data_of_a_page_are_left_out(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            "next.config.mjs": "import nextra from 'nextra';\nexport default nextra({ theme: 'nextra-theme-docs' })();\n",
            "package.json": '{"dependencies": {"nextra": "3", "nextra-theme-docs": "3"}}',
            "pages/index.mdx": "# Kite\n\nexport const getStaticProps = props(__filename, {\n  hides: true\n})\n\nIt flies.\n",
        },
    )
    text, codes = published(site, "index.html")
    assert "It flies." in text
    assert "hides" not in text
    assert codes == []


@pytest.mark.parametrize("given", ["react", "Solid-JS", "React"])
def test_fumadocs_names_tabs_by_their_labels_in_small_letters(tmp_path: Path, given: str) -> None:
    site = write(
        tmp_path / "site",
        {
            "package.json": '{"dependencies": {"fumadocs-ui": "15", "fumadocs-mdx": "11"}}',
            "source.config.ts": "import { defineDocs } from 'fumadocs-mdx/config';\nexport const docs = defineDocs({ dir: 'content/docs' });\n",
            "content/docs/index.mdx": f'---\ntitle: Kite\n---\n\n<Tabs items={{["Vue", "React", "Solid JS"]}} defaultValue="{given}">\n<Tab value="Vue">One</Tab>\n<Tab value="React">Two</Tab>\n<Tab value="Solid JS">Three</Tab>\n</Tabs>\n',
        },
    )
    import_site(site)
    built = build_site(site, tmp_path / "out", has_search=False)
    assert [one.code for one in built.diagnostics if one.code == "tabs"] == []
