"""Pages that an old site wrote in React are drawn once and published; of those that fail, the texts and links are kept."""

from __future__ import annotations

from pathlib import Path

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import text_of, write

CONFIG = """module.exports = {
  title: "Kite", tagline: "Fly it", url: "https://kite.example", organizationName: "kites", projectName: "kite",
  customFields: { motto: "Up" }, presets: [["classic", {}]], themeConfig: { navbar: { items: [{ to: "/docs/start", label: "Docs" }] } },
};
"""
HOME = """
import Layout from "@theme/Layout";
import Link from "@docusaurus/Link";
import Heading from "@theme/Heading";
import useDocusaurusContext from "@docusaurus/useDocusaurusContext";
import { motionless } from "../words";
import Features from "@site/src/components/Features";
import styles from "./index.module.css";

export default function Home() {
  const { siteConfig } = useDocusaurusContext();
  return (
    <Layout title="Kites for all" description="They fly.">
      <header className={styles.hero}>
        <Heading as="h1">{siteConfig.tagline} {siteConfig.customFields.motto}</Heading>
        <Link className="button button--primary" to="/docs/start">Begin with {siteConfig.organizationName}</Link>
      </header>
      <main><Features /></main>
    </Layout>
  );
}
"""
FEATURES = """
import { Tooltip } from "@chart-kit/tooltip";
const list = [{ title: "Light", Svg: require("@site/static/img/light.svg").default, text: <>It weighs <b>nothing</b>.</> }];
export default () => <section className="row">{list.map(({ title, Svg, text }) => <div className="col col--4" key={title}><Svg role="img" /><h3>{title}</h3><Tooltip>{text}</Tooltip></div>)}</section>;
"""
FAILING = """
import { compute } from "unheard";
const items = [{ title: 'Silk', text: "Kites of silk." }];
export default function Shop() {
  return (
    <main title={compute()}>
      <h1>Our shop</h1>
      <p>Buy kites at the <a href="https://shop.example/kites">store</a>, or {items.map((one) => <Item {...one} />)}</p>
      <Link to="/docs/start">Read first</Link>
    </main>
  );
}
"""


def test_pages_in_react_are_drawn_and_others_keep_texts_and_links(tmp_path: Path) -> None:
    site_dir = write(
        tmp_path / "site",
        {
            "docusaurus.config.js": CONFIG,
            "src/pages/index.tsx": HOME.replace('import { motionless } from "../words";\n', ""),
            "src/pages/index.module.css": ".hero { padding: 1em; }\n",
            "src/pages/shop/index.jsx": FAILING,
            "src/pages/_hidden.jsx": "export default () => <p>Hidden.</p>;\n",
            "src/components/Features.jsx": FEATURES,
            "static/img/light.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
            "docs/start.md": "# Start\n",
        },
    )
    done = import_site(site_dir)
    notes = {one.what: one for one in done.report.notes}
    note = notes["Pages in React of which only texts and links are shown"]
    assert note.files == ["src/pages/shop/index.jsx: it imports compute from unheard"]
    assert "src/components/Features.jsx: Tooltip of @chart-kit/tooltip" in (
        notes["Components of packages of which only the content is shown"].files
    )
    out = tmp_path / "out"
    built = build_site(site_dir, out, has_search=False)
    assert not [one for one in built.diagnostics if one.level == "error"]
    finding = next(one for one in built.diagnostics if one.code == "stub-component" and "Tooltip" in one.message)
    assert "Tooltip of @chart-kit/tooltip" in finding.message
    assert finding.span.path.endswith("taken-over/src/components/Features.jsx")
    line = (site_dir / finding.span.path).read_text(encoding="utf-8").splitlines()[finding.span.line - 1]
    assert "Tooltip" in line
    assert line[finding.span.column - 1 :].startswith("shims/package-")
    home = (out / "index.html").read_text(encoding="utf-8")
    shown = text_of(home)
    assert "Fly it Up" in shown
    assert "Begin with kites" in shown
    assert "Light It weighs nothing" in shown
    assert 'href="/docs/start"' in home
    assert 'src="/img/light.svg"' in home
    assert "<title>Kites for all" in home
    assert home.count("<h1") == 1
    shop = (out / "shop/index.html").read_text(encoding="utf-8")
    shown = text_of(shop)
    assert all(
        words in shown for words in ("Our shop", "Buy kites at the store", "Read first", "Silk", "Kites of silk.")
    )
    assert 'href="https://shop.example/kites"' in shop
    assert 'href="/docs/start"' in shop
    assert shop.count("<h1") == 1
    assert not (out / "_hidden").exists()


def test_own_page_is_left_alone_by_the_next_import(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "docusaurus.config.js": CONFIG,
            "src/pages/index.jsx": "export default () => <h1>Old</h1>;\n",
            "docs/start.md": "# Start\n",
        },
    )
    import_site(tmp_path)
    page = tmp_path / "octavo-pages/index.mdx"
    assert "Taken over from src/pages/index.jsx" in page.read_text(encoding="utf-8")
    page.write_text("# Mine\n", encoding="utf-8")
    import_site(tmp_path, force=True)
    assert page.read_text(encoding="utf-8") == "# Mine\n"


def test_changes_of_what_an_import_wrote_survive_the_next_one(tmp_path: Path) -> None:
    """Also where the comment that names the source is still there, and in pages within folders."""
    view = "import { useState } from 'react';\nexport default () => <b>{useState(1)[0]}</b>;\n"
    write(
        tmp_path,
        {
            "docusaurus.config.js": CONFIG,
            "src/pages/about/team.jsx": "export default () => <h1>Team</h1>;\n",
            "src/pages/about/work.jsx": "export default () => <h1>Work</h1>;\n",
            "src/components/View.jsx": view,
            "docs/start.mdx": "import View from '@site/src/components/View';\n\n# Start\n\n<View />\n",
        },
    )
    import_site(tmp_path)
    team, work = (tmp_path / f"octavo-pages/about/{name}.mdx" for name in ("team", "work"))
    component = tmp_path / "components/View.tsx"
    kept = {
        team: team.read_text(encoding="utf-8") + "\n{/* mine */}\n",
        component: component.read_text(encoding="utf-8") + "\n// mine\n",
    }
    for path, text in kept.items():
        path.write_text(text, encoding="utf-8")
    changed = "export default undefined;\nexport const t = <h1>Our work</h1>;\n"
    (tmp_path / "src/pages/about/work.jsx").write_text(changed, encoding="utf-8")
    import_site(tmp_path, force=True)
    assert {path: path.read_text(encoding="utf-8") for path in kept} == kept
    assert "Our work" in work.read_text(encoding="utf-8")


def test_generated_indexes_keep_their_addresses_beside_pages_in_react(tmp_path: Path) -> None:
    plugin = (
        '["@docusaurus/plugin-content-docs", { id: "air", path: "air", routeBasePath: "air", sidebarPath: "./air.js" }]'
    )
    category = '{ type: "category", label: "All of it", link: { type: "generated-index" }, items: ["one"] }'
    named = category.replace("index", 'index", slug: "/all', 1)
    site_dir = write(
        tmp_path / "site",
        {
            "docusaurus.config.js": f'module.exports = {{ title: "Kite", presets: [["classic", {{ docs: {{ sidebarPath: "./main.js" }} }}]], plugins: [{plugin}] }};\n',
            "main.js": f"module.exports = {{ main: [{named}] }};\n",
            "air.js": f"module.exports = {{ air: [{category}] }};\n",
            "src/pages/index.jsx": "export default () => <h1>Kites</h1>;\n",
            "src/pages/empty.jsx": "export default () => null;\n",
            "docs/one.md": "# One\n",
            "air/one.md": "# Air\n",
        },
    )
    done = import_site(site_dir)
    assert [one.files for one in done.report.notes if "left out" in one.what] == [
        ["src/pages/empty.jsx: it draws nothing"]
    ]
    build_site(site_dir, tmp_path / "out", has_search=False)
    routes = {path.parent.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("index.html")}
    assert routes == {".", "docs/one", "docs/all", "air/one", "air/category/all-of-it", "search"}


def test_texts_of_programs_are_no_code_and_keep_their_markdown(tmp_path: Path) -> None:
    page = """
import { Renderer } from "unheard";
const Splash = () => <a href="/docs/">Get started</a>
export default class Index extends React.Component {
  blocks = [
    { title: "[React](/docs/react)", content: 'It\\'s the _lightest_ of kites' },
    { content: "First line \\n and second", title: "Lines of kites" },
    { title: "snake_case and {braces}", content: "5 * 3 * 2 kites" },
  ];
  render() { return <main>{new Renderer().draw(this.blocks)}<p>At the end.</p></main> }
}
"""
    site = write(
        tmp_path / "site",
        {"docusaurus.config.js": CONFIG, "docs/start.md": "# Start\n", "src/pages/index.js": page},
    )
    import_site(site)
    written = (site / "octavo-pages/index.mdx").read_text(encoding="utf-8").partition("*/}")[2]
    assert "class Index" not in written
    assert "**[React](/docs/react)**" in written
    assert "It's the _lightest_ of kites" in written
    assert "First line and second" in written
    assert "5 \\* 3 \\* 2 kites" in written
    assert "At the end." in written


def test_a_page_has_one_main_part(tmp_path: Path) -> None:
    """Pages of the old site bring their own; the page around them has one already."""
    page = 'import Layout from "@theme/Layout";\nexport default () => <Layout title="Kite"><main className="container"><p>It flies.</p></main></Layout>;\n'
    site = write(
        tmp_path / "site",
        {"docusaurus.config.js": CONFIG, "src/pages/index.jsx": page, "docs/start.md": "# Start\n"},
    )
    import_site(site)
    found = build_site(site, tmp_path / "out", has_search=False)
    html = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert html.count("<main") == 1
    assert '<div class="container"><p>It flies.</p></div>' in html
    assert [one.message for one in found.diagnostics if one.code == "component"] == []
