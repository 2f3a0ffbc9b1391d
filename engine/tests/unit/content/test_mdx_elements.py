"""Markdown inside HTML elements of MDX is read without blank lines around it; elsewhere it is not, as CommonMark says."""

from __future__ import annotations

import pytest

from octavo.content import SLOT, ContentOptions, Dialect
from octavo.content.audit.components import unknown_components
from octavo.content.compile import compile_document
from octavo.content.scan.jsx import parse_tag
from tests.support.each import each


def body(text: str, *, path: str = "docs/a.mdx") -> str:
    document = compile_document(text, source_path=path, load={}.get, options=ContentOptions())
    assert document.diagnostics == []
    return document.body


@each(
    ("text", "html"),
    [
        ("<div>\n*x*\n</div>\n", "<div><p><em>x</em></p></div>"),
        ("<div>*x*</div>\n", "<div><em>x</em></div>"),
        ("<p>\n*a* b\n</p>\n", "<p><em>a</em> b</p>"),
        ("<div>\n    *x*\n</div>\n", "<div><p><em>x</em></p></div>"),
        ("<div>\n- a\n- b\n</div>\n", "<div><ul><li>a</li><li>b</li></ul></div>"),
        (
            '<figure>\n  <img src="/c.png" alt="x"/>\n  <figcaption>A *b* `c`</figcaption>\n</figure>\n',
            "<figcaption>A <em>b</em> <code>c</code></figcaption>",
        ),
        ("<div>\n  <p>\n    a **b**\n  </p>\n</div>\n\nnext\n", "<div><p>a <strong>b</strong></p></div><p>next</p>"),
        ("<tr>\n<td>*a*</td>\n<td>b</td>\n</tr>\n", "<td><em>a</em></td>\n<td>b</td>"),
        (
            '<div className="a" style={{color: "red"}}>\n  a `b` and {1}\n</div>\n',
            '<div class="a" style="color: red"><p>a <code>b</code> and 1</p></div>',
        ),
        ("<table><tr><td>*a*</td><td>b</td></tr></table>\n", "<tr><td><em>a</em></td><td>b</td></tr></table>"),
        ("<br/>\n**a** b\n", "<br/>\n<strong>a</strong> b"),
        ('<img src="/a.png" alt=""/>\n*a*\n', "<em>a</em>"),
        ("<div>a</div>\n*b* c\n", "<div>a</div>\n<em>b</em> c"),
        ("<div><div>*x*</div>y</div>\n", "<div><div><em>x</em></div>y</div>"),
        ('<span title="x">\n  **b**\n</span>\n', "<strong>b</strong>"),
        ("<ul><li>**a <i>l</i> q**</li></ul>\n", "<li><strong>a <i>l</i> q</strong></li>"),
        (
            "<div>\n<ul>\n<li>*a*</li>\n</ul>\n- b\n</div>\n",
            "<div><ul><li><em>a</em></li></ul><ul><li>b</li></ul></div>",
        ),
        (f"<div>\n{'x ' * 3000}*a*\n</div>\n", "<em>a</em>"),
        ("<table>\n<tr>\n<td>\n*a*\n\nb\n</td></tr>\n</table>\n", "<td><p><em>a</em></p><p>b</p></td>"),
        (
            "<div style={{ a: 'b' }}>\n```\na </div>\n\nb <Box />\n```\n\n**c**\n</div>\n\nd\n",
            "<code>a &lt;/div&gt;\n\nb &lt;Box /&gt;</code></pre></figure><p><strong>c</strong></p></div><p>d</p>",
        ),
        ("> <div>a</div>\n> *b*\n", "<div>a</div>\n<em>b</em></blockquote>"),
        ("- item\n\n  <div>\n  *x*\n  </div>\n", "<div><p><em>x</em></p></div></li></ul>"),
    ],
)
def test_content_is_markdown(text: str, html: str) -> None:
    assert html in body(text).replace("\x00", "")


@pytest.mark.parametrize(
    "text",
    [
        "<div>\n2 * 3 * 4 and a_b_c\n</div>\n",
        "<pre>*x*</pre>\n",
        "<div>\nplain\n</div>\n",
    ],
)
def test_element_without_marks_of_its_own_is_left_as_it_is(text: str) -> None:
    first = text.partition("\n")[0]
    assert body(text).startswith(first)


def test_table_without_marks_scrolls_and_is_left_as_it_is() -> None:
    table = "<table><tr><td><pre>*x*</pre></td></tr></table>"
    assert body(f"{table}\n") == f'<div class="table-wrap" tabindex="0">{table}</div>\n'


def test_markdown_files_follow_commonmark() -> None:
    assert "<div>\n*x*\n</div>" in body("<div>\n*x*\n</div>\n", path="docs/a.md")


def test_findings_and_the_markdown_of_a_page_keep_their_places() -> None:
    text = '# A\n\n<table><tr><td>*a* <img src="/b.png"/></td></tr></table>\n'
    document = compile_document(text, source_path="docs/a.mdx", load={}.get, options=ContentOptions())
    assert [(one.code, one.span.line, one.span.column) for one in document.diagnostics] == [("missing-alt", 3, 20)]
    assert "*a*" in document.markdown
    assert "\ufdd0" not in document.markdown + document.body


def test_what_is_lifted_out_of_html_keeps_its_place() -> None:
    assert body("<p>*a*\n<CodeBlock>x</CodeBlock>\n*b*</p>\n").index("<code>x") > 0


@pytest.mark.parametrize(
    "formula",
    ["Power $x^{10}$.", "$$\nx^{10} + \\frac{n}{d}\n$$", "- One\n\n  $$\n  x^{10}\n  $$", "> $$x^{10} +\n> y$$"],
)
def test_braces_of_formulas_are_no_expressions(formula: str) -> None:
    options = ContentOptions(folders={"": Dialect("mdx", extensions=frozenset({"math"}))})
    document = compile_document(
        f"{formula}\n\nAfter {{2}}.\n", source_path="a.mdx", load=lambda _: None, options=options
    )
    assert "<mn>10</mn></mrow></msup>" in document.body
    assert "After 2." in document.body
    assert document.diagnostics == []


def test_ids_of_headings_in_square_brackets_are_those_of_nextra() -> None:
    options = ContentOptions(folders={"": Dialect(is_mdx=True, extensions=frozenset({"nextra"}))})
    text = "# Kite\n\n## Wind [#air]\n\n## Rain [!toc] [#wet]\n\n## A [#b c]\n"
    document = compile_document(text, source_path="a.mdx", load={}.get, options=options)
    assert [(one.anchor, one.text) for one in document.headings[1:]] == [
        ("air", "Wind"),
        ("wet", "Rain"),
        ("a-b-c", "A [#b c]"),
    ]
    assert "[#air]" not in document.body
    plain = compile_document(text, source_path="a.mdx", load={}.get, options=ContentOptions())
    assert plain.headings[1].text == "Wind [#air]"


def test_components_in_headings_leave_no_place_in_the_list_of_contents() -> None:
    options = ContentOptions(components=frozenset({"Logo"}), react=frozenset({"Logo"}))
    document = compile_document(
        "# Kite\n\n## <Logo /> Wind\n\n## <Logo />\n", source_path="a.mdx", load={}.get, options=options
    )
    assert document.headings[1].html == "Wind"
    assert all(SLOT not in one.html for one in document.headings)


def values(text: str, **files: str) -> tuple[list[dict[str, object]], list[str], str]:
    options = ContentOptions(
        components=frozenset({"Box"}),
        react=frozenset({"Box"}),
        folders={"": Dialect(is_mdx=True, extensions=frozenset({"nextra"}))},
    )
    load = {name.replace("_", "."): content for name, content in files.items()}.get
    document = compile_document(text, source_path="a.mdx", load=load, options=options)
    return (
        [one.props.get("props", {}) for one in document.islands],
        [one.code for one in document.diagnostics],
        document.body,
    )


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ("title={<>The <code>a.b</code> suffix, &amp; more.</>}", {"title": "The a.b suffix, & more."}),
        ('icon={<svg viewBox="0 0 1 1" style={{ fill: "red" }}><path d="M0 0"/></svg>}', {}),
        ('icon={\n<img src="/a.svg" alt="" style={{ width: 1 }} />\n}', {"icon": "/a.svg"}),
        ("title={(<b>Hi</b>)}", {"title": "Hi"}),
        (
            'links={[{ icon: "x", label: (\n<span>\n  More of <code>a.*</code>{" "}\n  here\n</span>\n), url: "./b" }]}',
            {"links": [{"icon": "x", "label": "More of a.* here", "url": "./b"}]},
        ),
        (
            'values={[{label: <><Icon style={{ marginRight: "1rem" }} name="a" /> One</>, value: "a"}, {label: ("Two"), value: ("b")}]}',
            {"values": [{"label": "One", "value": "a"}, {"label": "Two", "value": "b"}]},
        ),
        ("items={[<b>One <br /><i>and</i></b>, <></>, 3]}", None),
        ("items={[<b>One <br /><i>and</i></b>, 3]}", {"items": ["One and", 3]}),
        ("items={[<b>One {two}</b>]}", None),
        ("items={[<b>One]}", None),
        ("items={[a < b]}", None),
        (
            'sources={{ light: useBaseUrl(\n  "/a.png",\n), dark: require("./b.png" , ).default }}',
            {"sources": {"light": "/a.png", "dark": "./b.png"}},
        ),
        (
            'sources={{\n  light: require("./a.png")\n    .default,\n  dark:\n    require(\n      "./b.png",\n    ).default,\n}}',
            {"sources": {"light": "./a.png", "dark": "./b.png"}},
        ),
        ('src={\n  require("./a.png")\n    .default\n}', {"src": "./a.png"}),
        ('src={useBaseUrl("img/a.png")}', {"src": "/img/a.png"}),
        ('src={useBaseUrl("./a.png")}', {"src": "/a.png"}),
        ('href={useBaseUrl("#part")}', {"href": "#part"}),
        ('href={useBaseUrl("https://a.example/b")}', {"href": "https://a.example/b"}),
        ('href={useBaseUrl("//a.example/b")}', {"href": "//a.example/b"}),
        ('href={useBaseUrl("mailto:a@b.example")}', {"href": "mailto:a@b.example"}),
        ('src={useBaseUrl("/a.png", { absolute: true })}', None),
    ],
)
def test_elements_among_attributes_give_their_text_to_what_is_not_in_react(
    given: str, value: dict[str, object] | None
) -> None:
    tag = parse_tag(f"<DocCard {given} />", 0, {})
    assert tag is not None
    assert (tag.attributes, len(tag.bad)) == (value or {}, value is None)


@pytest.mark.parametrize(
    ("given", "html"),
    [
        ("title={<>The <code>a.b</code>\n  suffix, &amp; more.</>}", "The <code>a.b</code> suffix, &amp; more."),
        (
            'title={\n<img src="https://a.example/a.svg" alt="" style={{ width: 1 }} />\n}',
            '<img src="https://a.example/a.svg" alt="" style="width: 1px" />',
        ),
        ("title={(<b>Hi</b>)}", "<b>Hi</b>"),
        ("title={<><Box /> and <Box>*more*</Box></>}", f"{SLOT}I1{SLOT} and {SLOT}I2{SLOT}"),
        ("title={<b>It's {5} o'clock</b>}", "<b>It’s 5 o’clock</b>"),
    ],
)
def test_elements_among_attributes_are_elements_to_components_in_react(given: str, html: str) -> None:
    options = ContentOptions(components=frozenset({"Box"}), react=frozenset({"Box"}))
    text = f"<Box size={{3}} {given}>\n\nText.\n\n</Box>\n"
    document = compile_document(text, source_path="a.mdx", load={}.get, options=options)
    assert document.diagnostics == []
    box = document.islands[0]
    assert box.props["props"] == {"size": 3}
    assert box.props["elements"] == ["title"]
    assert box.children[0] == "<p>Text.</p>"
    assert box.children[1].replace("'", "’") == html


@pytest.mark.parametrize("given", ["title={<b>{name}</b>}", "title={list.map((a) => <b>a</b>)}", "title={<Logo />}"])
def test_elements_with_more_than_text_are_findings(given: str) -> None:
    assert values(f"<Box {given} />\n")[1] == ["expression"]


def test_place_of_what_is_wrong_in_an_element_among_attributes() -> None:
    options = ContentOptions(components=frozenset({"Box"}), react=frozenset({"Box"}))
    text = "# A\n\n<Box\n  title={\n    <b>\n      [gone](./gone.md) {name}\n    </b>\n  } />\n"
    document = compile_document(text, source_path="a.mdx", load={}.get, options=options)
    assert [(one.code, one.span.line, one.span.column) for one in document.diagnostics] == [("expression", 6, 25)]
    assert [(one.href, one.span.line, one.span.column) for one in document.links] == [("./gone.md", 6, 7)]


def test_parts_of_the_contents_list_draw_all_of_it() -> None:
    _, codes, html = values("# A\n\n## B\n\n<TOCInline toc={toc.slice(1)} />\n")
    assert codes == []
    assert 'href="#b"' in html


def test_fumadocs_includes_pages_and_files() -> None:
    text = '# A\n\n<include>./part.mdx</include>\n\n<include lang="js" meta=\'title="x.ts"\'>\n  ./x.ts\n</include>\n\n<include>./gone.mdx</include>\n'
    _, codes, html = values(text, part_mdx="Some *words*.\n", x_ts="let kite;\n")
    assert codes == ["missing-snippet"]
    assert "Some <em>words</em>" in html
    assert "kite" in html
    assert "x.ts" in html
    assert "<include" not in html


def test_components_of_the_theme_may_have_other_names_in_a_page() -> None:
    code = body(
        "import Raw from '@theme/CodeBlock';\n\n<Raw className=\"language-toml\">\n{`a = 1`}\n</Raw>\n\nAfter\n"
    )
    assert 'data-language="toml"' in code
    assert code.endswith("</figure><p>After</p>")
    tabs = "import Group from '@theme/Tabs';\nimport One from '@theme/TabItem';\n\n<Group>\n<One value=\"a\" label=\"A\">\nHi\n</One>\n</Group>\n"
    assert body(tabs) == body(tabs.replace("Group", "Tabs").replace("One", "TabItem"))


def test_imports_of_blocks_that_formatters_leave_alone_are_seen() -> None:
    page = "```mdx-code-block\nimport Card from '@site/src/Card';\n```\n\nText\n\n<Card />\n\n```jsx\n<Other />\n```\n"
    assert unknown_components(page, "docs/a.mdx", ContentOptions()) == {"Card": "@site/src/Card"}
    inside = "````mdx-code-block\n<Card />\n\n```jsx\n<Other />\n```\n````\n"
    assert unknown_components(inside, "docs/a.mdx", ContentOptions()) == {"Card": ""}


@pytest.mark.parametrize("text", ["A {senderAddress} b", "A {neutral consequences} b", "A {b", "A { x: 1, y }"])
def test_braces_are_text_to_mdx_1_where_they_hold_no_value(text: str) -> None:
    options = ContentOptions(folders={"": Dialect(is_mdx=True, extensions=frozenset(["mdx1"]))})
    page = f"{text}\n\n{{'three'}}\n"
    document = compile_document(page, source_path="docs/a.md", load={}.get, options=options)
    assert document.diagnostics == []
    assert document.body.replace(SLOT, "") == f"<p>{text}</p><p>three</p>"


def test_templates_that_mdx_1_shows_as_text_are_findings() -> None:
    options = ContentOptions(folders={"": Dialect(is_mdx=True, extensions=frozenset(["mdx1"]))})
    page = 'Hello {% raw %}"{{.Mounts}}"{% endraw %} and {this}, `{{ code }}`.\n'
    document = compile_document(page, source_path="docs/a.md", load={}.get, options=options)
    assert [(one.code, one.span.column) for one in document.diagnostics] == [
        ("foreign-syntax", 7),
        ("foreign-syntax", 17),
        ("foreign-syntax", 29),
    ]
    assert "{% raw %}" in document.body


def test_values_that_a_page_of_mdx_1_imports_are_no_text() -> None:
    options = ContentOptions(folders={"": Dialect(is_mdx=True, extensions=frozenset(["mdx1"]))})
    page = "import { sail } from './sails';\n\nA {sail.name} and {reef}.\n"
    document = compile_document(page, source_path="docs/a.md", load={}.get, options=options)
    assert [(one.code, one.span.line) for one in document.diagnostics if one.code == "expression"] == [
        ("expression", 3)
    ]


def test_required_file_is_an_object_to_components_in_react_and_an_address_to_others() -> None:
    options = ContentOptions(components=frozenset({"Box"}), react=frozenset({"Box"}))
    text = (
        "<Box a={require('./a.png')} b={require('./a.png',).default} c={[require('./c.svg')]} />\n\n"
        "<img alt='A' src={require('./a.png')} />\n"
    )
    document = compile_document(text, source_path="a.mdx", load={}.get, options=options)
    assert document.islands[0].props["props"] == {
        "a": {"default": f"{SLOT}A0{SLOT}"},
        "b": f"{SLOT}A1{SLOT}",
        "c": [{"default": f"{SLOT}A2{SLOT}"}],
    }
    assert f'src="{SLOT}A3{SLOT}"' in document.body
    assert [asset.href for asset in document.assets] == ["./a.png", "./a.png", "./c.svg", "./a.png"]


@each(
    ("written", "value"),
    [
        ("-1.5e3", -1500.0),
        ("2E-1", 0.2),
        ("1e3", 1000),
        ("0x1F", 31),
        ("-0b101", -5),
        ("0o17", 15),
        ("1_000.5", 1000.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("{1: 'a', 2.5: 'b'}", {"1": "a", "2.5": "b"}),
    ],
)
def test_numbers_are_read_as_javascript_writes_them(written: str, value: object) -> None:
    tag = parse_tag(f"<A b={{{written}}} />", 0, {})
    assert tag is not None
    assert tag.bad == []
    assert tag.attributes == {"b": value}
    assert type(tag.attributes["b"]) is type(value)


@each(("written",), [("1e999",), ("1__0",), ("1_",), ("0x",), ("1n",), ("1.2.3",), ("NaN",), ("0b2",), ("--1",)])
def test_what_is_no_number_is_no_value(written: str) -> None:
    tag = parse_tag(f"<A b={{{written}}} />", 0, {})
    assert tag is not None
    assert tag.attributes == {}
    assert [one.text for one in tag.bad] == [f"{{{written}}}"]
