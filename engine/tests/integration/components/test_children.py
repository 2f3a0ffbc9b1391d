"""Components that look into their children, in published sites."""

from __future__ import annotations

import html
import json
import re

from tests.support.sites import HOME, MakeSite, SiteFolder, page

TABS = """
import { Children, isValidElement, useState } from "react";
export const client = "load";
export default function Panels({ children }) {
  const items = Children.toArray(children).filter(isValidElement);
  const [at, setAt] = useState(0);
  return (
    <div>
      {items.map((one, index) => <button key={index} onClick={() => setAt(index)}>{one.props.label}</button>)}
      {items[at]}
    </div>
  );
}
"""
PANEL = "export default ({ label, children }) => <section data-label={label}>{children}</section>;\n"
TWO = (
    '<Panels>\n<Panel label="One">\n\nText of [B](b.md) and **bold**.\n\n```js title="a.js"\nlet a;\n```\n\n</Panel>\n'
    '<Panel label="Two">\n\n- a\n- b\n\n</Panel>\n</Panels>\n'
)


def published(site: SiteFolder, route: str = "/a") -> str:
    return re.sub(r"<!-- -->|<link [^<>]*>", "", site.html(route))


def test_component_reads_the_properties_of_its_children(make_site: MakeSite) -> None:
    files = {
        "components/Panels.jsx": TABS,
        "components/Panel.jsx": PANEL,
        # One that only shows its children costs no data.
        "components/Box.jsx": 'export const client = "load";\nexport default (given) => <div>{given.children}</div>;\n',
        "docs/a.md": page("A", TWO),
        "docs/b.md": page("B", "<Box>\n\nText.\n\n</Box>\n"),
    }
    site = make_site(files | HOME, 'base_url = "/base/"\n')
    assert site.check() == []
    text = published(site)
    assert "<button>One</button><button>Two</button>" in text
    assert (
        '<section data-label="One"><p>Text of <a href="/base/b">B</a> and <strong>bold</strong>.</p>'
        '<div data-part="0"><figure class="code" data-language="js">'
    ) in text
    # The second panel is made in the browser, from what the page has as data.
    found = re.search(r'data-trees="([^"]*)" data-modules="([^"]*)"', text)
    assert found is not None
    trees = json.loads(html.unescape(found[1]))
    assert trees["children"][1]["nodes"]["children"] == [["ul", {}, [["li", {}, ["a"]], ["li", {}, ["b"]]]]]
    modules = json.loads(html.unescape(found[2]))
    assert list(modules) == ["Panel"]
    # It comes alive with the component around it, although it does not ask for that itself.
    assert modules["Panel"].removeprefix("/base/") in site.published()
    assert "data-trees" not in published(site, "/b")
    assert "Text of [B]" in (site.out / "a.md").read_text(encoding="utf-8")


CASES = [
    (
        'export default ({ children }) => <a href={`#${children.toLowerCase().replace(" ", "-")}`}>{children}</a>;',
        "Now <It>Hello World</It>.\n\n## Hello World\n",
        '<a href="#hello-world">Hello World</a>',
    ),
    (
        (
            "export default ({ children }) => {\n  const code = children.props.children.props;\n"
            "  return <figure className={code.className}>{String(code.children).length}{children}</figure>;\n};"
        ),
        "<It>\n\n```python\nx = 1\n```\n\n</It>\n",
        '<figure class="language-python">5<figure class="code" data-language="python" role="none">',
    ),
    (
        "export default ({ children }) => <b>{children.type.name}</b>;",
        "<It>\n\n```\nx\n```\n\n</It>\n",
        "<b>pre</b>",
    ),
    (
        "export default ({ children }) => <ol>{children.props.children.map((one) => <li key={one.props.children}>{one}</li>)}</ol>;",
        "<It>\n\n- a\n- b\n\n</It>\n",
        "<ol><li><li>a</li></li><li><li>b</li></li></ol>",
    ),
    (
        'import { cloneElement as copy } from "react";\nexport default (props) => copy(props.children, { className: "big" });',
        "<It>\n\nText.\n\n</It>\n",
        '<p class="big">Text.</p>',
    ),
]


def test_children_are_what_mdx_gives(make_site: MakeSite) -> None:
    files = {f"components/It{number}.jsx": code for number, (code, _, _) in enumerate(CASES)}
    pages = {
        f"docs/a{number}.md": page("A", use.replace("It>", f"It{number}>")) for number, (_, use, _) in enumerate(CASES)
    }
    site = make_site(files | pages | HOME)
    assert [one for one in site.check() if "does not show" not in one] == []
    for number, (_, _, drawn) in enumerate(CASES):
        assert drawn in published(site, f"/a{number}")


def test_components_in_the_children_get_what_is_given_by_a_context(make_site: MakeSite) -> None:
    files = {
        "components/lib/size.ts": 'import { createContext } from "react";\nexport const Size = createContext("none");\n',
        "components/Sized.tsx": (
            'import { Size } from "./lib/size";\n'
            "export default ({ size, children }: any) => <Size.Provider value={size}><div>{children}</div></Size.Provider>;\n"
        ),
        "components/Word.tsx": (
            'import { useContext } from "react";\nimport { Size } from "./lib/size";\n'
            "export default () => <b>{useContext(Size)}</b>;\n"
        ),
        "docs/a.md": page(
            "A", '<Sized size="big">\n\nIt is <Word/>.\n\n</Sized>\n\n<Word/>\n\n<Sized size="x">Text.</Sized>\n'
        ),
    }
    site = make_site(files | HOME)
    assert site.check() == []
    text = published(site)
    assert "<div><p>It is <b>big</b>.</p></div>" in text
    assert "<b>none</b>" in text
    assert "<div>Text.</div>" in text


def test_component_around_others_fails_alone(make_site: MakeSite) -> None:
    files = {
        "components/Panels.jsx": "export default ({ children }) => { if (children.length) throw new Error('no'); };\n",
        "components/Panel.jsx": PANEL,
        "docs/a.md": page("A", TWO),
        "docs/b.md": page("B"),
    }
    site = make_site(files | HOME, '[diagnostics]\ncomponent = "warn"\n')
    [finding] = site.check()
    assert finding.startswith('components/Panels.jsx:1:63: warn: The component "Panels" fails: no.')
    text = published(site)
    assert '<section data-label="One"><p>Text of' in text
    assert '<section data-label="Two"><ul>' in text


def test_content_that_a_static_component_leaves_out_is_a_finding(make_site: MakeSite) -> None:
    files = {
        "components/First.jsx": "export default ({ children }) => children[0];\n",
        "docs/a.md": page(
            "A", "<First>\n\nSeen.\n\nUnseen words.\n\n</First>\n\n<First>\n\nAll\n\n- of it\n\n</First>\n"
        ),
    }
    site = make_site(files | HOME)
    assert [one.partition(" Show ")[0] for one in site.check()] == [
        'docs/a.md:5:1: warn: <First> does not show "Unseen words." here, so no reader sees it (components/First.jsx).',
        'docs/a.md:13:1: warn: <First> does not show "of it" here, so no reader sees it (components/First.jsx).',
    ]


def test_blocks_of_the_theme_in_the_children_work(make_site: MakeSite) -> None:
    files = {
        "components/Step.jsx": "export default ({ children }) => <ol>{[children].flat().map((one, n) => <li key={n}>{one}</li>)}</ol>;\n",
        "components/Chip.jsx": "export default ({ children }) => <i>{children}</i>;\n",
        "docs/a.md": page(
            "A",
            '<Step>\n\n<Tabs>\n<TabItem value="x">\n\nIn <Chip>tabs</Chip>.\n\n</TabItem>\n</Tabs>\n\n:::note\n\nWords.\n\n:::\n\n</Step>\n',
        ),
    }
    site = make_site(files | HOME)
    assert site.check() == []
    text = published(site)
    assert 'data-island="tabs"' in text
    assert "In <i>tabs</i>." in text
    assert text.count("<li>") >= 2
    assert "\x00" not in text


def test_author_can_say_how_children_come(make_site: MakeSite) -> None:
    code = (
        "export const children = %s;\nexport default (props) => <b>{typeof props['children']}{props['children']}</b>;\n"
    )
    files = {
        "components/Html.jsx": code % '"html"',
        "components/Elements.jsx": code % '"elements"',
        "docs/a.md": page("A", "<Html>\n\na **b**\n\n</Html>\n\n<Elements>\n\na **b**\n\n</Elements>\n"),
    }
    site = make_site(files | HOME)
    assert site.check() == []
    text = published(site)
    assert "<b>string<p>a <strong>b</strong></p></b>" in text
    assert "<b>object<p>a <strong>b</strong></p></b>" in text
    site.write({"components/Html.jsx": code % '"text"'})
    [finding] = site.check()
    assert finding.startswith(
        'components/Html.jsx:1:25: error: "text" is no way in which a component gets its children.'
    )


def test_elements_are_values_of_properties(make_site: MakeSite) -> None:
    files = {
        "components/Card.tsx": (
            "export default function Card({ icon, title, children }: { icon: React.ReactNode; title: any; children?: any }) {\n"
            "  return <div>{icon}<h4>{title}</h4>{children}</div>;\n}\n"
        ),
        "components/Star.tsx": "export default ({ size }: { size: number }) => <svg width={size} />;\n",
        "docs/a.md": page(
            "A", '<Card icon={<Star size={20} />} title={<>Of <a href="./b.md">B</a></>}>\n\nText.\n\n</Card>\n'
        ),
        "docs/b.md": page("B"),
    }
    site = make_site(files | HOME)
    assert site.check() == []
    assert '<div><svg width="20"></svg><h4>Of <a href="/b">B</a></h4><p>Text.</p></div>' in published(site)
    site.write({"docs/a.md": page("A", '<Card icon={<Star size="x" />} title="T" />\n')})
    [finding] = site.check()
    assert '"size" of <Star> is the text "x"' in finding


def test_component_that_comes_alive_with_another_one_is_no_finding_there(make_site: MakeSite) -> None:
    files = {
        "components/Fold.tsx": (
            'import { createContext } from "react";\nexport const Open = createContext(false);\nexport const client = "load";\n'
            "export default ({ children }: any) => <Open.Provider value>{children}</Open.Provider>;\n"
        ),
        "components/Part.tsx": (
            'import { useContext } from "react";\nimport { Open } from "./Fold";\n'
            "export default () => <button onClick={() => undefined}>{String(useContext(Open))}</button>;\n"
        ),
        "docs/a.md": page("A", "<Fold><Part/></Fold>\n"),
    }
    site = make_site(files | HOME)
    assert site.check() == []
    assert "<button>true</button>" in published(site)
    site.write({"docs/a.md": page("A", "<Fold><Part/></Fold>\n\n<Part/>\n")})
    [finding] = site.check()
    assert finding.startswith("components/Part.tsx:3:30: warn: This asks for a reader's browser")


def test_properties_name_files_beside_the_page(make_site: MakeSite) -> None:
    code = "export default ({ items, href, picture }: any) => <p><a href={href}><img src={picture} alt='x' /></a>{items?.map((one: any) => <a key={one.to} href={one.to}>t</a>)}</p>;\n"
    files = {
        "components/Links.tsx": code,
        "docs/a.md": page(
            "A",
            '<Links href="./in/b.md#more" picture="./p.svg" items={[{ to: "in/b.md" }, { to: "https://a.example/x.md" }]} />',
        ),
        "docs/in/b.md": page("B", "## More\n"),
        "docs/p.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
    }
    site = make_site(files | HOME, 'base_url = "/base/"\n')
    assert site.check() == []
    text = published(site)
    assert '<a href="/base/in/b#more"><img src="/base/' in text
    assert '<a href="/base/in/b">t</a><a href="https://a.example/x.md">t</a>' in text
    site.write({"docs/a.md": page("A", '<Links href="./gone.md" picture="./no.png" />')})
    assert [(one.split(": ")[0], one.rpartition(" [")[2]) for one in site.check()] == [
        ("docs/a.md:5:1", "broken-asset]"),
        ("docs/a.md:5:1", "broken-link]"),
    ]
