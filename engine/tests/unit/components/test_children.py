"""What components do with their children, as far as their code shows it, and HTML as elements of React."""

from __future__ import annotations

from typing import Any

import pytest

from octavo.components.children import ALWAYS, NESTED, NEVER, build_trees, fill_parts, hidden_text, what_it_needs
from octavo.content import SLOT
from octavo.diagnostics import Span
from octavo.rendering import InnerHtml, Use


def use(name: str = "Box", html: str = "", uses: dict[int, Use] | None = None, **props: Any) -> Use:
    contents = {"children": InnerHtml(html, uses or {})} if html else {}
    return Use(name, props, bool(html), False, Span("docs/a.md"), contents=contents)


def nodes(html: str, uses: dict[int, Use] | None = None) -> list[Any]:
    trees = build_trees(use(html=html, uses=uses))
    assert trees is not None
    found: list[Any] = trees.nodes["children"]
    return found


@pytest.mark.parametrize(
    "code",
    [
        "React.Children.map(children, (one) => one)",
        "Children.toArray(props.children).length",
        "isValidElement(children)",
        "cloneElement(only, {})",
        "children.map((one) => one.props.label)",
        "props.children?.length",
        "children[0]",
        "children!.props.value",
        "typeof children === 'string'",
        "`#${children}`",
        "<a title={children}>{children}</a>",
        '"#" + children',
        "children + '!'",
        "const items = children;",
        "const items = props.children as Item[];",
        "slug(children)",
        "String(props.children)",
        "toText(children as string, 2)",
        "for (const one of children) {}",
        "[...children]",
        "join(label, children)",
    ],
)
def test_component_that_looks_into_its_children_is_known(code: str) -> None:
    assert what_it_needs(code, is_package=False) == ALWAYS


@pytest.mark.parametrize(
    "code",
    [
        "export default ({ label, children }: { label: string; children?: ReactNode }) => <b>{children}</b>;",
        "function A(props) { return <Inner {...props}>{props.children}</Inner>; }",
        "return <Inner children={children} />;",
        "if (children) return null;",
        "{children && <p>{children}</p>}",
        "{children ?? 'nothing'}",
        "!children",
        "children === undefined",
        "Boolean(children)",
        "interface Props { children: ReactNode; label: string }",
        "({ children = null }) => children",
        "const { children, label } = props;",
        "const { children: inner } = props;",
        "function wrap(children: ReactNode) { return <b>{children}</b>; }",
        "memo(function Box({ children }) { return children; })",
        "(children) => <b>{children}</b>",
        "childrenOf.map(one)",
        'createElement("b", null, children)',
        "function wrap(label: string, children: ReactNode) {}",
    ],
)
def test_component_that_shows_its_children_as_they_are_gets_them_as_html(code: str) -> None:
    assert what_it_needs(code, is_package=False) == NEVER


def test_context_concerns_the_components_in_the_children() -> None:
    assert what_it_needs("const Size = createContext(1);", is_package=False) == NESTED
    # Names are short in copies of packages: only what React itself is asked for says something.
    assert what_it_needs("e.children.length;a.children[0]", is_package=True) == NEVER
    assert what_it_needs("r.Children.map(e.children,t)", is_package=True) == ALWAYS


def test_html_becomes_elements() -> None:
    html = '<p class="a" tabindex="0" data-x="1" hidden style="--a:1; margin-top: 2px">T &lt; <b>u</b><br>v</p>\n<ul>\n<li>x</li>\n</ul>'
    assert nodes(html) == [
        [
            "p",
            {
                "className": "a",
                "tabIndex": "0",
                "data-x": "1",
                "hidden": True,
                "style": {"--a": "1", "marginTop": "2px"},
            },
            ["T < ", ["b", {}, ["u"]], ["br", {}, []], "v"],
        ],
        ["ul", {}, [["li", {}, ["x"]]]],
    ]


def test_spaces_in_lines_stay_and_line_ends_between_blocks_go() -> None:
    assert nodes("a <b>b</b>\n<i>c</i> d") == ["a ", ["b", {}, ["b"]], "\n", ["i", {}, ["c"]], " d"]
    assert nodes("<p>a</p>\n\n<p>b</p>\n") == [["p", {}, ["a"]], ["p", {}, ["b"]]]
    assert nodes("<pre>\n<b>x</b>\n</pre>") == [["pre", {}, ["\n", ["b", {}, ["x"]], "\n"]]]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a", [["p", {}, ["a"]]]),
        ("a</p>b", ["ab"]),
        ("<b><i>a</b>c", [["b", {}, [["i", {}, ["a"]]]], "c"]),
        ("a < b <!-- c --> d", ["a < b  d"]),
        ("<hr/>", [["hr", {}, []]]),
        ("<div/>", [["div", {}, []]]),
    ],
)
def test_broken_html_loses_nothing(html: str, expected: list[Any]) -> None:
    assert nodes(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        '<svg viewBox="0 0 1 1"><g><svg/></g><path d="M0 0"></path></svg>',
        "<script>if (a < b) {}</script>",
        '<button onclick="go()">x</button>',
        '<video src="a.mp4" controls></video>',
        "<x-box>y</x-box>",
        '<link rel="x">',
        f"{SLOT}I4{SLOT}",
    ],
)
def test_what_react_would_write_otherwise_is_shown_as_it_is(html: str) -> None:
    trees = build_trees(use(html=f"<p>a</p>{html}<p>b</p>"))
    assert trees is not None
    assert trees.nodes["children"][1:] == [{"part": 0, "tag": "div"}, ["p", {}, ["b"]]]
    assert trees.parts == [html]
    assert fill_parts(f"<i>{SLOT}P0{SLOT}</i>{SLOT}ID{SLOT}", trees.parts) == f"<i>{html}</i>{SLOT}ID{SLOT}"


def test_part_within_a_line_is_in_an_element_of_lines() -> None:
    assert nodes("<p>a <svg></svg></p>") == [["p", {}, ["a ", {"part": 0, "tag": "span"}]]]


def test_block_of_code_has_its_text_and_language() -> None:
    html = '<figure class="code" data-language="js" role="none"><pre tabindex="0"><code><i>a</i> &lt; 1\n2</code></pre></figure>'
    trees = build_trees(use(html=html))
    assert trees is not None
    assert trees.nodes["children"] == [{"part": 0, "tag": "div", "code": "a < 1\n2", "language": "js"}]
    assert trees.parts == [html]


def test_heading_is_an_element_of_its_own() -> None:
    html = '<div class="heading heading-2"><h2 id="a">A <em>b</em></h2><a class="hash-link" href="#a" aria-label="x"></a></div><p>c</p>'
    assert nodes(html) == [["h2", {"id": "a"}, ["A ", ["em", {}, ["b"]]]], ["p", {}, ["c"]]]


def test_components_among_the_children_are_uses() -> None:
    inner = use("Tab", f"<p>x</p>{SLOT}I2{SLOT}", label="One")
    trees = build_trees(use(html=f"{SLOT}I1{SLOT}\n{SLOT}I3{SLOT}", uses={1: inner}))
    assert trees is not None
    assert trees.nodes["children"] == [
        {
            "use": "Tab",
            "props": {"label": "One"},
            "nodes": {"children": [["p", {}, ["x"]], {"part": 0, "tag": "div"}]},
        },
        {"part": 1, "tag": "div"},
    ]
    assert trees.parts == [f"{SLOT}I2{SLOT}", f"{SLOT}I3{SLOT}"]
    assert list(trees.uses) == ["Tab"]


def test_content_without_end_of_depth_is_given_as_html() -> None:
    assert build_trees(use(html="<div>" * 100 + "x")) is None
    assert build_trees(use()) is None


def test_content_that_is_not_shown_is_found() -> None:
    trees = build_trees(use(html=f"<p>It's <b>one</b></p><p>two</p><svg><title>three</title></svg>{SLOT}I1{SLOT}"))
    assert trees is not None
    whole = f"<p>It&#x27;s <b>ONE</b></p><p>two</p>{SLOT}P0{SLOT}{SLOT}P1{SLOT}"
    assert hidden_text(trees, whole) == ""
    assert hidden_text(trees, whole.replace("two", "2")) == "two"
    assert hidden_text(trees, whole.replace("one", "<i>one</i>").replace("It&#x27;s", "S it")) == ""
    assert hidden_text(trees, whole.replace(f"{SLOT}P0{SLOT}", "")) == "three"
    assert hidden_text(trees, whole.replace(f"{SLOT}P1{SLOT}", "")) == "a part of its content"
    # Of a text alone, a component makes what it wants.
    alone = build_trees(use(html="1, 2, 3"))
    assert alone is not None
    assert hidden_text(alone, "<svg></svg>") == ""


@pytest.mark.parametrize("piece", ["<b>", "<", '<a href="', "</b>", "<svg>", "<!--", f"{SLOT}I1{SLOT}", "&amp;"])
def test_long_content_is_read_in_time_that_grows_with_its_size(piece: str) -> None:
    text = piece * 40_000
    build_trees(use(html=f"<p>a</p>{text}"))


def test_content_may_hold_many_components_and_a_few_within_each_other() -> None:
    inner = use("Deep", "text")
    for _ in range(58):
        inner = use("Deep", f"{SLOT}I1{SLOT}", {1: inner})
    # Those beside it are not deeper than itself.
    beside = "".join(f"{SLOT}I{number}{SLOT}" for number in range(1, 80))
    uses = {**{number: use("Flat", "text") for number in range(2, 80)}, 1: inner}
    assert build_trees(use(html=beside, uses=uses)) is not None
    assert build_trees(use(html=f"{SLOT}I1{SLOT}", uses={1: use("Deep", f"{SLOT}I1{SLOT}", {1: inner})})) is None
