"""Habits of sites in MDX and Vue: what their engines add to pages without a word in these."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import text_of, write

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


def test_data_of_next_that_components_show_is_a_finding(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            "next.config.mjs": "import nextra from 'nextra';\nexport default nextra({ theme: 'nextra-theme-docs' })();\n",
            "package.json": '{"dependencies": {"nextra": "3", "nextra-theme-docs": "3"}}',
            "components/shown.tsx": "export const Shown = () => null;\n",
            "pages/index.mdx": 'import { Shown } from "../components/shown"\n\nexport const getStaticProps = props(__filename)\n\n# Kite\n\n<Shown />\n',
        },
    )
    _, codes = published(site, "index.html")
    assert codes == ["export"]


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


DOCUSAURUS = {"docusaurus.config.js": 'module.exports = { title: "Kite", presets: [["classic", {}]] };\n'}


def test_code_that_several_loaders_read_is_shown(tmp_path: Path) -> None:
    page = "import Fly from '!!raw-loader!own-loader!./fly.ts';\nimport CodeBlock from '@theme/CodeBlock';\n\n# Kite\n\n<CodeBlock language=\"ts\">{Fly}</CodeBlock>\n"
    site = write(tmp_path / "site", {**DOCUSAURUS, "docs/index.mdx": page, "docs/fly.ts": "const height = 9;\n"})
    text, codes = published(site, "docs/index.html")
    assert "const height = 9 ;" in text
    assert codes == []


def test_files_of_the_project_above_a_site_of_docusaurus_are_shown(tmp_path: Path) -> None:
    site = write(
        tmp_path / "kite/website",
        {
            **DOCUSAURUS,
            "docs/index.mdx": "import Fly from '!!raw-loader!@site/../examples/fly.yml';\nimport CodeBlock from '@theme/CodeBlock';\n\n# Kite\n\n<CodeBlock language=\"yml\">{Fly}</CodeBlock>\n",
            "docs/near.md": "# Near\n\n```mdx-code-block\nimport CodeBlock from '@theme/CodeBlock';\nimport Near from '!!raw-loader!../../examples/near.yml'\n\n<CodeBlock>{Near}</CodeBlock>\n```\n",
            "docs/far.md": "import Far from '!!raw-loader!../../../secret.yml';\n\n# Far\n\n<pre>{Far}</pre>\n",
        },
    )
    write(
        tmp_path,
        {
            "secret.yml": "unseen: 1\n",
            "kite/.git/HEAD": "",
            "kite/examples/fly.yml": "height: 9\n",
            "kite/examples/near.yml": "width: 3\n",
        },
    )
    text, codes = published(site, "docs/index.html")
    assert "height : 9" in text
    assert sorted(set(codes)) == ["expression", "import"]  # of the page that names a file outside of the project
    pages = {
        name: (tmp_path / "kite/out/docs" / name).read_text(encoding="utf-8")
        for name in ("near/index.html", "far/index.html")
    }
    assert "width: 3" in text_of(pages["near/index.html"])
    assert "unseen" not in pages["far/index.html"]


def test_markdown_that_a_module_hands_on_is_taken_in(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            **DOCUSAURUS,
            "docs/index.mdx": "import { Wind, Rain } from './_parts';\n\n# Kite\n\n<Wind />\n\n<Rain />\n",
            "docs/_parts.ts": "export { default as Wind } from './_wind.mdx';\nexport { default as Rain, other } from './more';\n",
            "docs/more/index.ts": "export { default } from '../_rain.md';\n",
            "docs/_wind.mdx": "It *blows*.\n",
            "docs/_rain.md": "It rains.\n",
        },
    )
    text, codes = published(site, "docs/index.html")
    assert "It blows . It rains." in text
    assert codes == []


def test_component_that_holds_only_tabs_is_a_group_of_them(tmp_path: Path) -> None:
    page = 'import OwnTabs from \'@theme/OwnTabs\';\n\n# Kite\n\n<OwnTabs>\n<TabItem value="a" label="Sea">\n\nWaves.\n\n</TabItem>\n<TabItem value="b">\n\nHills.\n\n</TabItem>\n</OwnTabs>\n'
    site = write(
        tmp_path / "site",
        {
            **DOCUSAURUS,
            "docs/index.mdx": page,
            "src/theme/OwnTabs/index.js": "import unheard from 'unheard';\nexport default function OwnTabs(props) { return unheard(props.children); }\n",
        },
    )
    text, codes = published(site, "docs/index.html")
    assert "Sea" in text
    assert "Waves." in text
    assert codes == ["stub-component"]


def test_import_in_a_block_of_code_imports_nothing(tmp_path: Path) -> None:
    page = "# Kite\n\n<Callout>Mind the wind.</Callout>\n\n```mdx\nimport { Callout } from 'elsewhere'\n```\n"
    site = write(
        tmp_path / "site",
        {**DOCUSAURUS, "docs/index.mdx": page, "src/theme/MDXComponents.js": "import Callout from './Callout';\n",
         "src/theme/Callout.jsx": "export default ({ children }) => <aside>{children}</aside>;\n"},
    )  # fmt: skip
    text, codes = published(site, "docs/index.html")
    assert "Mind the wind." in text
    assert codes == []


@pytest.mark.parametrize(
    ("file", "address", "date"),
    [
        ("2024-06-10-fly.md", "2024/06/10/fly", "2024-06-10"),
        ("2024/06-10-fly/index.md", "2024/06/10/fly", "2024-06-10"),
        ("team/2024-6-1-fly.md", "2024/6/1/team/fly", "2024-06-01"),
        ("2024/06/10/fly.md", "2024/06/10/fly", "2024-06-10"),
    ],
)
def test_posts_of_docusaurus_have_the_date_and_address_of_their_path(
    tmp_path: Path, file: str, address: str, date: str
) -> None:
    files = {**DOCUSAURUS, "docs/index.md": "# Kite\n", f"blog/{file}": "# Fly\n\nUp.\n"}
    site = write(tmp_path / "site", files)
    import_site(site)
    built = build_site(site, tmp_path / "out", has_search=False)
    assert [one.code for one in built.diagnostics if one.code == "blog"] == []
    assert f'datetime="{date}"' in (tmp_path / f"out/blog/{address}/index.html").read_text(encoding="utf-8")


def test_documents_outside_of_the_project_are_named(tmp_path: Path) -> None:
    config = 'module.exports = { title: "Kite", presets: [["classic", { docs: { path: "../../docs" } }]] };\n'
    write(tmp_path, {"one/two/docusaurus.config.js": config, "docs/a.md": "# A\n"})
    done = import_site(tmp_path / "one/two")
    assert [one for one in done.plan.notes if "../../docs" in one.what] != []


def test_icons_of_lucide_are_drawn(tmp_path: Path) -> None:
    page = (
        "---\ntitle: Kite\nicon: BellRing\n---\n\nimport { Wind as Breeze, RocketIcon } from 'lucide-react'\n\n"
        'Feel <Breeze className="x" /> and fly.\n\n<Cards>\n<Card icon={<RocketIcon />} title="Up" href="/">Away.</Card>\n</Cards>\n'
    )
    site = write(
        tmp_path / "site",
        {
            "package.json": '{"dependencies": {"fumadocs-ui": "15", "fumadocs-mdx": "11"}}',
            "source.config.ts": "import { defineDocs } from 'fumadocs-mdx/config';\nexport const docs = defineDocs({ dir: 'content/docs' });\n",
            "content/docs/index.mdx": page,
        },
    )
    done = import_site(site)
    assert [item.what for item in done.report.items if "known" in item.what] == []
    built = build_site(site, tmp_path / "out", has_search=False)
    assert [one.code for one in built.diagnostics if one.code not in ("unset-url", "broken-link")] == []
    html = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "out").rglob("index.html"))
    assert '<svg class="icon icon-wind"' in html


def test_modules_that_comments_name_are_not_needed(tmp_path: Path) -> None:
    shot = "/**\n * Use it with `require('../path/to/shot')`\n */\nexport default function Shot({ url, alt }) {\n  // import x from './gone'\n  return <img src={url} alt={alt || 'A shot'} />;\n}\n"
    page = "import Shot from '@site/src/Shot';\n\n# Kite\n\n<Shot url=\"https://k.example/a.png\" />\n"
    site = write(tmp_path / "site", {**DOCUSAURUS, "docs/index.mdx": page, "src/Shot.js": shot})
    assert published(site, "docs/index.html")[1] == []
    assert 'alt="A shot"' in (tmp_path / "out/docs/index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("logo", "expected", "title"),
    [
        (
            "{ light: './src/assets/day.svg', dark: '~/assets/night.svg', replacesTitle: true, alt: 'Kites' }",
            {"src": "/octavo-logo/day.svg", "src_dark": "/octavo-logo/night.svg", "alt": "Kites"},
            None,
        ),
        ("{ src: '/src/assets/day.svg' }", {"src": "/octavo-logo/day.svg", "alt": "Kite"}, "Kite"),
        ("{ src: './public/brand.svg' }", {"src": "/brand.svg", "alt": "Kite"}, "Kite"),
        ("{ src: './src/assets/lost.svg', replacesTitle: true }", None, "Kite"),
    ],
)
def test_logo_of_starlight_is_carried_over(
    tmp_path: Path, logo: str, expected: dict[str, str] | None, title: str | None
) -> None:
    picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>\n'
    site = write(
        tmp_path / "site",
        {
            "astro.config.mjs": ASTRO.format(more="").replace("title: 'Kite'", f"title: 'Kite', logo: {logo}"),
            "src/content/docs/index.md": "---\ntitle: Start\n---\n\nIt flies.\n",
            "src/assets/day.svg": picture,
            "src/assets/night.svg": picture,
            "public/brand.svg": picture,
        },
    )
    done = import_site(site)
    assert done.plan.settings["navbar"].get("logo") == expected
    assert done.plan.settings["navbar"].get("title") == title
    assert [one.what for one in done.report.notes] == ([] if expected else ["A logo that cannot be found"])
    built = build_site(site, tmp_path / "out", has_search=False)
    assert {one.code for one in built.diagnostics} <= {"unset-url"}
    for key in ("src", "src_dark"):
        assert not expected or key not in expected or (tmp_path / "out" / expected[key][1:]).is_file()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("app/layout.tsx", "export const metadata = {\n  title: { template: '%s | Wind Kite', default: 'Home' },\n};\n"),
        ("src/app/layout.jsx", "export const metadata: Metadata = createMetadata({\n  description: 'x',\n  title: 'Wind Kite',\n});\n"),
        ("lib/layout.shared.tsx", "export const base = () => ({ nav: { title: 'Wind Kite', url: '/' } });\n"),
        ("app/layout.config.tsx", 'export const base = {\n  nav: {\n    title: (\n      <><svg aria-label="x"><title>No</title></svg> Wind Kite</>\n    ),\n  },\n};\n'),
        ("theme.config.jsx", 'export default {\n  logo: <span className="a">Wind <b>Kite</b></span>,\n};\n'),
        ("app/layout.js", "export const metadata = { title: 'Create Next App' };\n"),
    ],
)  # fmt: skip
def test_title_of_next_sites_is_that_of_their_layout(tmp_path: Path, path: str, text: str) -> None:
    package = {"name": "@flyers/wind-kite", "dependencies": {"fumadocs-ui": "15", "fumadocs-mdx": "11"}}
    site = write(
        tmp_path / "site",
        {
            "package.json": json.dumps(package),
            "source.config.ts": "import { defineDocs } from 'fumadocs-mdx/config';\nexport const docs = defineDocs({ dir: 'content/docs' });\n",
            "content/docs/index.mdx": "---\ntitle: Start\n---\n\nIt flies.\n",
            path: text,
        },
    )
    title = import_site(site).plan.settings["title"]
    assert title == ("Wind kite" if "Create" in text else "Wind Kite")


@pytest.mark.parametrize("kind", ["dependencies", "devDependencies"])
def test_starlight_reads_formulas_where_a_program_of_the_site_names_the_plugin(tmp_path: Path, kind: str) -> None:
    site = write(
        tmp_path / "site",
        {
            "astro.config.mjs": ASTRO.format(more=""),
            "package.json": f'{{"{kind}": {{"remark-math": "6.0.0"}}}}',
            "src/content/docs/index.mdx": "---\ntitle: Kite\n---\n\nForce $\\mathsf{drag}$ of wind.\n",
        },
    )
    assert published(site, "index.html")[1] == []


def test_braces_in_addresses_and_components_in_comments_are_no_programs(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            "astro.config.mjs": ASTRO.format(more=""),
            "src/content/docs/index.mdx": "---\ntitle: Kite\n---\n\n{/* <Gone /> */}\n\nSee [the API](https://x.example/users/{user_id}/kites) of kites.\n",
        },
    )
    text, codes = published(site, "index.html")
    assert "See the API of kites." in text
    assert codes == []
    assert "https://x.example/users/{user_id}/kites" in (site.parent / "out/index.html").read_text(encoding="utf-8")


def test_vitepress_takes_in_files_by_the_folder_of_documents_and_from_above(tmp_path: Path) -> None:
    site = write(
        tmp_path,
        {
            "package.json": "{}",
            "examples/wind.ts": "blow()\n",
            "site/.vitepress/config.ts": "export default { title: 'Kite' };\n",
            "site/index.md": "# Kite\n\n<!--@include: @shared/part.md-->\n\n<<< ../examples/wind.ts\n",
            "site/shared/part.md": "Shared words.\n",
        },
    )
    text, codes = published(site / "site", "index.html")
    assert "Shared words." in text
    assert "blow" in text
    assert codes == []


def test_fumadocs_takes_in_files_above_its_folder(tmp_path: Path) -> None:
    site = write(
        tmp_path,
        {
            "package.json": "{}",
            "examples/wind.ts": "blow()\n",
            "docs/package.json": '{"dependencies": {"fumadocs-ui": "16", "next": "16"}}',
            "docs/next.config.mjs": "export default {};\n",
            "docs/content/docs/index.mdx": "---\ntitle: Kite\n---\n\n<include cwd>../examples/wind.ts</include>\n",
        },
    )
    text, codes = published(site / "docs", "docs/index.html")
    assert "blow" in text
    assert codes == []
