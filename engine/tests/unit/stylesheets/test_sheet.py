"""What browsers drop of a style sheet without a word is found, with its place; what they take is not."""

from __future__ import annotations

import re

import pytest

from octavo.stylesheets import Reference, read_sheet, with_base
from octavo.stylesheets.names import known_names
from tests.support import paths
from tests.support.each import each

WRONG = {
    # style sheet: (line, column, part of the message, part of the suggestion) of each problem
    "a { colr: red }": [(1, 5, '"colr" is not a property', '"color"')],
    "a {\n  color red;\n  top: 0\n}": [(2, 3, '"color red" is not a declaration', "")],
    "a { color: red\n    top: 0 }": [(2, 5, 'semicolon is missing before "top"', "")],
    "a { color: ; }": [(1, 5, "has no value", "")],
    "a { top: 0 !importnt }": [(1, 12, 'Only "important"', "!important")],
    "a { color: red\n.b { top: 0 }\n": [
        (1, 3, "not closed", "before line 2"),
        (1, 5, "for a selector", 'with "}"'),
    ],
    "a { top: 0;\nb { top: 0 }": [(1, 3, "not closed", 'missing "}", probably before line 2')],
    "@media print {\n  a { top: 0 }\n": [(1, 14, "not closed", "}")],
    "a { background: url( }": [(1, 17, "address is malformed", "quotes")],
    "a { top: calc(1px }\nb { top: 0 }": [(1, 10, "not closed", ")")],
    "a {} /* b": [(1, 6, "comment is not closed", "*/")],
    "a {} }\nb { top: 0 }": [(1, 6, "closes nothing", "")],
    'a { content: "x\n; top: 0 }': [(1, 14, "text in quotes", "")],
    "a..b {}": [(1, 2, "dot has no name", "")],
    ".1a {}": [(1, 1, '".1a" is not part', "digit")],
    "#1a {}": [(1, 1, '"#1a" is not part', "digit")],
    "a, {}": [(1, 3, "missing beside this comma", "Remove")],
    "a > {}": [(1, 3, "no selector behind", "")],
    "> a {}": [(1, 1, "no selector in front", "")],
    "a > > b {}": [(1, 5, "no selector in front", "")],
    "a:hovver {}": [(1, 3, '":hovver" is not a pseudo-class', '":hover"')],
    "a::befor {}": [(1, 4, '"::befor" is not a pseudo-element', '"::before"')],
    "a::hover {}": [(1, 4, '"::hover"', '":hover"')],
    "a: hover {}": [(1, 1, "declaration", "")],
    "a:not() {}": [(1, 3, "holds nothing", "")],
    "a:has(b..c) {}": [(1, 8, "dot has no name", "")],
    "a:is(b, .) {}": [(1, 9, "ignore it", "")],
    "a[href=/x] {}": [(1, 2, "must be a name or in quotes", "")],
    "a[] {}": [(1, 2, "no name of an attribute", "")],
    "a[b 'c'] {}": [(1, 2, "must be =", "")],
    "// note\na {}": [(1, 1, '"/" is not part', "/* … */")],
    "{ top: 0 }": [(1, 1, "no selector", "")],
    "top: 0;\na {}": [(1, 1, "outside of a rule", ":root")],
    "@media print { top: 0 }": [(1, 16, "outside of a rule", "")],
    "@media min-width: 1px { a { top: 0 } }": [(1, 1, "no parentheses", "(min-width")],
    "@media (min-widht: 1px) {}": [(1, 9, "not a feature", '"min-width"')],
    "@media print;": [(1, 1, "has no block", "")],
    "@meda print { a { top: 0 } }": [(1, 1, "@meda is not a rule", '"@media"')],
    "@tailwind base;": [(1, 1, "@tailwind is not a rule", "compile Tailwind")],
    "$x: 1px;\na { top: $x }": [(1, 1, "Sass", "compile Sass")],
    "a {}\n@import 'x.css';": [(2, 1, "ignore @import", "top")],
    "@import;": [(1, 1, "names no file", "")],
    "@font-face { font-famly: x; src: url(x) }": [(1, 14, "not a descriptor of @font-face", '"font-family"')],
    "@font-face { a { top: 0 } }": [(1, 14, "declarations only", "")],
    "@keyframes x { form { top: 0 } }": [(1, 16, "from, to, or a percentage", "")],
    "a { b { colr: 0 } }": [(1, 9, '"colr"', "")],
    "*a {}": [(1, 2, '"a" is not part', "")],
    "[b]a {}": [(1, 4, '"a" is not part', "")],
    "(a) {}": [(1, 1, '"(" is not part', "")],
    "a:hover(b..c) {}": [],
    "a:: {}": [(1, 2, "colon has no name", "space")],
    "a[|=b] {}": [(1, 2, "no name of an attribute", "")],
    "a[b=c x] {}": [(1, 2, "Only i or s", "")],
    "a[b=c i i] {}": [(1, 2, "Only i or s", "")],
    "a[b=c 'i'] {}": [(1, 2, "Only i or s", "")],
    "a[b=] {}": [(1, 2, "must be a name or in quotes", '["…"]')],
    "a {} b c": [(1, 6, '"b c" is not a rule: it has no block', "")],
    "a { $x: 1 }": [(1, 5, '"$x: 1" is not a declaration', "")],
    "a { top: 0 ! }": [(1, 12, 'Only "important"', "!important")],
    "a { top: 0 !important 1 }": [(1, 12, 'Only "important"', "!important")],
    "a { top: 0 !'important' }": [(1, 12, 'Only "important"', "!important")],
    "a { size: A4 }": [(1, 5, '"size" is not a property', "")],
    "@page { sise: A4 }": [(1, 9, '"sise" is not a property', "")],
    "@page { a { } }": [(1, 9, "No rule can be here", "")],
    "@page { { } }": [(1, 9, "No rule can be here", "")],
    "@font-face { @foo; }": [(1, 14, "@font-face holds declarations only", "")],
    "@font-face { { } }": [(1, 14, "@font-face holds declarations only", "")],
    "@font-face { ) }": [(1, 14, 'This ")" closes nothing', "")],
    "@font-face { src: url(x);": [(1, 12, "not closed", "}")],
    "@namespace a url(x) {}": [(1, 1, "@namespace ends with a semicolon", "")],
    "@import 'a'; @layer a; @import 'b'; @layer c {} @import 'd';": [(1, 49, "ignore @import", "top")],
    "a { @import 'x'; }": [(1, 5, "ignore @import", "top")],
    "@media (min-width: 1px) and (max-widht: 2px) {}": [(1, 30, '"max-widht" is not a feature', '"max-width"')],
    "@keyframes x { {} }": [(1, 16, "from, to, or a percentage", "")],
    "@-webkit-keyframes x { 1 {} }": [(1, 24, "from, to, or a percentage", "")],
    "@keyframes x { from 1px {} }": [(1, 16, "from, to, or a percentage", "")],
    "a { @media (x) { colr: 0; b { top: 0 } } }": [(1, 18, '"colr"', "")],
    "@if x {}": [(1, 1, "@if is not a rule", "compile Sass")],
    "a[b {}\nc {}": [(1, 1, "is not a rule", ""), (1, 2, "not closed", 'missing "]".')],
}

RIGHT = [
    "",
    '@charset "utf-8"; @layer a, b; @import url(x.css) layer(c) supports(display: grid) (width > 1px); a { top: 0 }',
    "a:is(.b, #c) > d ~ e + f || g, *|h svg|i, [j], [k|=l i], [m='n' s] { top: 0 }",
    "a::after, a:after, ::-webkit-scrollbar, :-moz-broken, a:not(:first-child, .b):nth-child(2n + 1 of .c) { top: 0 }",
    "a:has(> b, + c), :host(.d), ::slotted(e), ::part(f), ::view-transition-old(g), ::highlight(h) { top: 0 }",
    ".\\31 a, #\\00e4, .a\\:b { top: 0 }",
    "a { b:hover & { top: 0 } &:hover { top: 0 } > c { top: 0 } &.d { top: 0 } @media (x) { top: 0 } e { top: 0 } top: 0 }",
    "a { --x: { a: b }; --Y:; --z: a:b; top: var(--x, 1px); -webkit-any-thing: 0; *zoom: 1; _height: 1px }",
    "a { filter: progid:DXImageTransform.Microsoft.gradient(startColorstr='#80000000') }",
    "a { background: url(data:image/png;base64,a), image-set(url(a) 1x, 'b' 2x); grid-area: 1 / 2; top: 0 !important }",
    "@media screen and (min-width: 1px) and (prefers-color-scheme: dark), print and (400px <= width <= 700px) {}",
    "@supports not (display: grid) { a { top: 0 } } @container b (width > 1px) { a { top: 0 } } @layer c { a { top: 0 } }",
    "@scope (.a) to (.b) { :scope { top: 0 } img { top: 0 } } @starting-style { a { top: 0 } }",
    "@font-face { font-family: 'x'; src: local(y), url(z.woff2) format('woff2') tech(variations); unicode-range: U+26 }",
    "@keyframes x { from, 50% { top: 0 } entry 10% { top: 0 } to { top: 1px } } @-webkit-keyframes y { from { top: 0 } }",
    "@property --x { syntax: '<color>'; inherits: false; initial-value: red } @counter-style y { system: cyclic; symbols: a }",
    "@page :first { size: A4; margin: 1cm; @top-left { content: 'a' } } @position-try --z { top: 0 }",
    "@view-transition { navigation: auto } @font-feature-values x { @styleset { a: 1 } } @-moz-document url() { a { top: 0 } }",
    "<!-- a { top: 0 } --> /* } { */ b { top: 0; }; c { top: 0 }",
    "[|a], [b|c], [*|d='e' I], [f ~= 'g' s], &h, svg|* { top: 0 }",
    "@media (-webkit-x: 1) and (unheard-of: 1) {} @-unknown {} @scope (.a) { top: 0 }",
    "a:is(), a:where(), a:is(b, c) { top: 0 } @font-face { ; src: url(x) }",
]


@each("text", WRONG)
def test_mistake_is_found_with_its_place(text: str) -> None:
    found = read_sheet(text).problems
    assert [(one.line, one.column) for one in found] == [(line, column) for line, column, _, _ in WRONG[text]]
    for one, (_, _, message, suggestion) in zip(found, WRONG[text], strict=True):
        assert message in one.message
        assert suggestion in one.suggestion


@pytest.mark.parametrize("text", RIGHT)
def test_what_browsers_take_is_no_mistake(text: str) -> None:
    assert read_sheet(text).problems == []


def test_style_sheets_of_the_theme_have_no_mistake() -> None:
    sheets = sorted((paths.ENGINE / "theme" / "src").rglob("*.css"))
    assert len(sheets) > 10
    assert {path.name: read_sheet(path.read_text("utf-8")).problems for path in sheets} == {
        path.name: [] for path in sheets
    }


def test_many_mistakes_are_counted() -> None:
    problems = read_sheet("a { x; }\n" * 50).problems
    assert len(problems) == 21
    assert "30 more places" in problems[-1].message


@pytest.mark.parametrize("piece", ["a{", "{", ":is(", "a{b:(", "@media ", "[", "a:not(", "url(", "/*", "a{b:c ", "}"])
def test_deep_nesting_ends_in_findings(piece: str) -> None:
    assert read_sheet(piece * 3000).problems != []


def test_bounds_are_those_that_messages_name() -> None:
    def blocks(depth: int) -> list[str]:
        return [one.message for one in read_sheet("@media all {" * depth + "a {}" + "}" * depth).problems]

    assert blocks(49) == []
    assert blocks(50) == []
    assert blocks(51) == ["More than 50 blocks are within each other, so this is not looked at."]
    for count in (20, 21):
        problems = read_sheet("a { x; }\n" * count).problems
        assert [one.line for one in problems] == list(range(1, count + 1))
        assert ("1 more place" in problems[-1].message) is (count == 21)
    [long] = read_sheet(f'"{"x" * 80}" {{}}').problems
    assert f'"{"x" * 39}" is not part' in long.message
    [long] = read_sheet(f"{'x' * 80} ;").problems
    assert f'"{"x" * 40}" is not a rule' in long.message


@pytest.mark.parametrize("depth", [12, 13])
def test_selectors_within_selectors_are_looked_at_twelve_deep(depth: int) -> None:
    found = read_sheet(":not(" * depth + "a..b" + ")" * depth + " {}").problems
    assert len(found) == (1 if depth == 12 else 0)


def test_address_that_is_written_with_escapes_is_left_as_it_is() -> None:
    text = "a { x: url(/a\\.png) url(/b.png) }"
    sheet = read_sheet(text)
    assert [one.address for one in sheet.references] == ["/a.png", "/b.png"]
    assert with_base(text, sheet.references, "/docs/") == text.replace("/b", "/docs/b")


@each(
    "value, addresses",
    [
        ("src('a')", ["a"]),
        ("-webkit-image-set('a' 1x, url(b) 2x)", ["a", "b"]),
        ("image-set('a' 1x type('image/png'))", ["a"]),
        ("cross-fade(url(a), url(b))", ["a", "b"]),
        ("[url(a)] (url(b)) url(c)", ["a", "b", "c"]),
        ("url()", [""]),
        ("url(var(--x))", []),
        ("'a' attr(url)", []),
    ],
)
def test_addresses_in_a_value_are_found_in_their_order(value: str, addresses: list[str]) -> None:
    assert [one.address for one in read_sheet(f"a {{ background: {value} }}").references] == addresses


@each(
    "value, names",
    [
        ("var(--a)", ["--a"]),
        ("var( /* b */ --a )", ["--a"]),
        ("calc(1px + var(--b)) var(--a) var(--b)", ["--b", "--a"]),
        ("var(--a, var(--b))", ["--b"]),
        ("var(--a,)", []),
        ("var('--a')", []),
    ],
)
def test_custom_properties_without_another_value_are_listed_once(value: str, names: list[str]) -> None:
    used = read_sheet(f"a {{\n  top: {value} }}").used
    assert [one.name for one in used] == names
    assert all(one.line == 2 for one in used)


def test_addresses_and_custom_properties_are_listed() -> None:
    sheet = read_sheet(
        "@import 'a.css';\n@font-face { src: url(b.woff2) }\n"
        ":root { --own: url('c.png') } a { color: var(--accent); top: var(--gone, 0); background: image-set('d.png' 1x) }"
    )
    assert sheet.references == [
        Reference(1, 9, "import", "a.css"),
        Reference(2, 19, "font", "b.woff2"),
        Reference(3, 16, "image", "c.png"),
        Reference(3, 100, "image", "d.png"),
    ]
    assert sheet.defined == {"--own"}
    assert [one.name for one in sheet.used] == ["--accent"]


def test_base_url_is_put_before_addresses_of_the_site_alone() -> None:
    text = (
        "/* url(/no.png) */ a { x: url(/a.png), url( \"/b.png\" ), url('/docs/c.png') }\r\n"
        "b { x: url(d.png) url(//e/f.png) url(https://g/h) url(#i); y: image-set('/j.png' 1x) }"
    )
    sheet = read_sheet(text)
    assert with_base(text, sheet.references, "/docs/") == text.replace("url(/a", "url(/docs/a").replace(
        '"/b', '"/docs/b'
    ).replace("'/j", "'/docs/j")
    assert with_base(text, sheet.references, "/") == text


def test_names_of_the_installed_csstype_are_known() -> None:
    """The list is that of csstype, which the theme's types bring along, and some drafts."""
    text = (paths.ENGINE / "theme" / "node_modules" / "csstype" / "index.d.ts").read_text("utf-8")
    for kind in ("StandardLonghand", "StandardShorthand", "Svg"):
        body = re.search(rf"export interface {kind}PropertiesHyphen\b.*?\{{\n(.*?)\n\}}", text, re.DOTALL)
        assert body is not None
        names = set(re.findall(r'^  "?([a-z][a-z-]*)"?\?:', body[1], re.MULTILINE))
        assert names - known_names("properties") == set(), "add them to names.json"
