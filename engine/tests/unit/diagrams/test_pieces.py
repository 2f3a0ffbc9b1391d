"""Pieces of a drawing, each by itself: styles, extents, colors, labels, and what is taken out."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest

from octavo.diagrams.extent import widened
from octavo.diagrams.labels import Label
from octavo.diagrams.left_out import find_left_out
from octavo.diagrams.measure import Run, line_width, text_width, wrap
from octavo.diagrams.palette import brightness, paint
from octavo.diagrams.picture import Picture
from octavo.diagrams.prune import prune
from octavo.diagrams.set_off import set_off
from octavo.diagrams.styles import compute_styles
from tests.support.each import each

SVG = "http://www.w3.org/2000/svg"


def tree(inner: str, **attributes: str) -> ET.Element:
    """Make a picture; its elements are in no namespace, which is as good as that of SVG."""
    root = ET.fromstring(f'<svg xmlns:xlink="http://www.w3.org/1999/xlink">{inner}</svg>')
    root.attrib.update(attributes)
    return root


def style_of(inner: str) -> dict[str, str]:
    """Give the style of the last element that is not a style sheet."""
    root = tree(inner)
    return list(compute_styles(root).values())[-1]


# Styles


@each(
    "declarations, name, value",
    [
        ("fill: red", "fill", "#f00"),
        ("fill: #AABBCC", "fill", "#abc"),
        ("fill: #abcdef", "fill", "#abcdef"),
        ("fill: rgba(255, 0, 0, 0.5)", "fill", "#ff000080"),
        ("fill: rgba(255, 0, 0, 0.2)", "fill", "#f003"),
        ("fill: rgba(255, 0, 0, 0)", "fill", "none"),
        ("fill: none", "fill", "none"),
        ("fill: no-color", "fill", "#000"),
        ("fill: url('#a')", "fill", "url(#a)"),
        ("color: #123456; stroke: currentColor", "stroke", "#123456"),
        ("stroke: currentcolor", "stroke", "#000"),
        ("fill: red; fill: inherit", "fill", "#000"),
        ("stroke-width: 2px", "stroke-width", "2"),
        ("stroke-width: wide", "stroke-width", "1"),
        ("font-size: 1.5em", "font-size", "24"),
        ("font-size: 2rem", "font-size", "32"),
        ("font-size: 2ex", "font-size", "16"),
        ("font-size: 150%", "font-size", "24"),
        ("font-size: 12pt", "font-size", "16"),
        ("font-weight: bold", "font-weight", "700"),
        ("font-weight: bolder", "font-weight", "700"),
        ("font-weight: lighter", "font-weight", "300"),
        ("font-weight: 600", "font-weight", "600"),
        ("stroke-dasharray: 5px, 5px", "stroke-dasharray", "5, 5"),
        ("stroke-dasharray: 0", "stroke-dasharray", "none"),
        ("stroke-dasharray: 1, 0", "stroke-dasharray", "none"),
        ("unknown: 1", "unknown", None),
    ],
)
def test_value_gets_its_plain_form(declarations: str, name: str, value: str | None) -> None:
    assert style_of(f'<rect style="{declarations}"/>').get(name) == value


@each(
    "inner, fill",
    [
        ('<rect fill="red"/>', "#f00"),
        ('<style>rect { fill: lime }</style><rect fill="red"/>', "#0f0"),
        ('<style>rect { fill: lime }</style><rect style="fill: blue"/>', "#00f"),
        ('<style>rect { fill: lime !important }</style><rect style="fill: blue"/>', "#0f0"),
        ('<style>#a { fill: lime } rect { fill: red }</style><rect id="a"/>', "#0f0"),
        ('<style>.a { fill: lime } .a { fill: red }</style><rect class="a"/>', "#f00"),
        ("<style>rect::before, rect:hover(x) { fill: red }</style><rect/>", "#000"),
        ("<style>rect::before { fill: red } rect { fill: lime }</style><rect/>", "#0f0"),
        ("<style>@media print { rect { fill: red } }</style><rect/>", "#000"),
        ("<style>rect { rx: 1 }</style><rect/>", "#000"),
        ('<g fill="red"><rect/></g>', "#f00"),
        ('<g fill="red"><rect fill="initial"/></g>', "#f00"),
    ],
)
def test_most_specific_declaration_counts(inner: str, fill: str) -> None:
    assert style_of(inner)["fill"] == fill


def test_only_what_reaches_inner_elements_is_passed_down() -> None:
    style = style_of('<g style="opacity: 0.5; max-width: 10em; text-align: center; background-color: red"><rect/></g>')
    assert "opacity" not in style
    assert "background-color" not in style
    assert (style["max-width"], style["text-align"]) == ("160", "center")


# Extents


def box_of(inner: str, box: tuple[float, ...] = (0, 0, 100, 50)) -> list[float]:
    root = tree(inner)
    return widened(list(box), root, compute_styles(root))


WIDE = "Words that are wider than the picture"
WIDTH = text_width(WIDE, 16)


@each(
    "inner, left, right",
    [
        ("<text>a</text>", 0, 100),
        (f'<text x="10px">{WIDE}</text>', 0, 10 + WIDTH + 4),
        (f'<text x="50" text-anchor="middle">{WIDE}</text>', 50 - WIDTH / 2 - 4, 50 + WIDTH / 2 + 4),
        (f'<text x="90" text-anchor="end">{WIDE}</text>', 90 - WIDTH - 4, 100),
        (f'<text x="10" text-anchor="odd">{WIDE}</text>', 0, 10 + WIDTH + 4),
        (f'<g transform="translate(20, 5)"><text transform="translate(3px)">{WIDE}</text></g>', 0, 23 + WIDTH + 4),
        (f'<g transform="translate(-400 5)"><text>{WIDE}</text></g>', -404, 100),
        (f'<text transform="rotate(90)">{WIDE}</text>', 0, 100),
        (f'<text style="font-size: 32px">{WIDE}</text>', 0, 2 * WIDTH + 4),
        (f'<text font-weight="bold">{WIDE}</text>', 0, text_width(WIDE, 16, is_bold=True) + 4),
        (f'<text x="50%">{WIDE}</text>', 0, 100),
        (f'<text x="10"><tspan x="20">{WIDE}</tspan><tspan x="30">a</tspan></text>', 0, 20 + WIDTH + 4),
        (f'<text x="10"><tspan>{WIDE}</tspan></text>', 0, 10 + WIDTH + 4),
        ("<text>  Words that are\n wider than  the picture </text>", 0, WIDTH + 4),
        (f"<defs><text>{WIDE}</text></defs>", 0, 100),
        (f"<foreignObject><text>{WIDE}</text></foreignObject>", 0, 100),
        (f'<text display="none">{WIDE}</text>', 0, 100),
        (f'<text visibility="hidden">{WIDE}</text>', 0, 100),
        (f'<text opacity="0">{WIDE}</text>', 0, 100),
        (f'<text clip-path="url(#a)">{WIDE}</text>', 0, 100),
    ],
)
def test_view_is_wide_enough_for_its_texts(inner: str, left: float, right: float) -> None:
    x, y, width, height = box_of(inner)
    assert (x, x + width) == pytest.approx((left, right))
    assert (y, height) == (0, 50)


def test_text_may_reach_over_the_edge_by_a_pixel() -> None:
    width = text_width("abc", 16)
    assert box_of("<text>abc</text>", (0, 0, width - 1, 9)) == [0, 0, width - 1, 9]
    assert box_of('<text x="-1">abc</text>', (0, 0, 100, 9)) == [0, 0, 100, 9]
    assert box_of('<text x="-1.5">abc</text>', (0, 0, 100, 9)) == pytest.approx([-5.5, 0, 105.5, 9])


# Colors


@each(
    "light, dark, written",
    [
        ("#fff", "#fff", "#fff"),
        ("#000", "#ccc", "var(--diagram-ink)"),
        ("#ccc", "#000", "light-dark(#ccc,#000)"),
    ],
)
def test_color_has_its_name_or_those_of_both_modes(light: str, dark: str, written: str) -> None:
    assert paint(light, dark) == written


@each(
    "color, value",
    [
        ("#fff", 255),
        ("#000000", 0),
        ("#f00", 0.299 * 255),
        ("#00ff00", 0.587 * 255),
        ("#0000ffcc", 0.114 * 255),
        ("#102030", 0.299 * 16 + 0.587 * 32 + 0.114 * 48),
        ("none", 0),
        ("#1234", 0.299 * 17 + 0.587 * 34 + 0.114 * 51),
    ],
)
def test_brightness_of_a_color(color: str, value: float) -> None:
    assert brightness(color) == pytest.approx(value)


def set_off_both(light: str, dark: str) -> list[tuple[str | None, str | None, str | None]]:
    """Set an element off; gives its fill, stroke and width of the stroke in both modes."""
    one, other = tree(light), tree(dark)
    styles, dark_styles = compute_styles(one), compute_styles(other)
    set_off(one, styles, other, dark_styles)
    last = list(styles.values())[-1], list(dark_styles.values())[-1]
    return [(style.get("fill"), style.get("stroke"), style.get("stroke-width")) for style in last]


@each(
    "light, dark, expected",
    [
        # A line is changed in the mode in which it is pale.
        (
            '<path fill="none" stroke="#eee"/>',
            '<path fill="none" stroke="#eef"/>',
            [("none", "#bbb", "1"), ("none", "#eef", "1")],
        ),
        (
            '<line fill="none" stroke="#888"/>',
            '<line fill="none" stroke="#222"/>',
            [("none", "#888", "1"), ("none", "#777", "1")],
        ),
        (
            '<path fill="none" stroke="#eee"/>',
            '<path fill="none" stroke="#eee"/>',
            [("none", "#eee", "1"), ("none", "#eee", "1")],
        ),
        (
            '<rect fill="none" stroke="#eee"/>',
            '<rect fill="none" stroke="#eef"/>',
            [("none", "#eee", "1"), ("none", "#eef", "1")],
        ),
        # An area gets an outline in both modes.
        ('<rect fill="#eee"/>', '<rect fill="#888"/>', [("#eee", "#bbb", "1"), ("#888", "#777", "1")]),
        ('<rect fill="#888"/>', '<rect fill="#222"/>', [("#888", "#bbb", "1"), ("#222", "#777", "1")]),
        ('<rect fill="#888"/>', '<rect fill="#999"/>', [("#888", "none", "1"), ("#999", "none", "1")]),
        ('<rect fill="#eee"/>', '<rect fill="#eee"/>', [("#eee", "none", "1"), ("#eee", "none", "1")]),
        ('<line fill="#eee"/>', '<line fill="#888"/>', [("#eee", "none", "1"), ("#888", "none", "1")]),
        (
            '<rect class="background" fill="#eee"/>',
            '<rect class="background" fill="#888"/>',
            [("#eee", "none", "1"), ("#888", "none", "1")],
        ),
    ],
)
def test_what_is_nearly_of_the_color_of_the_page_is_set_off(
    light: str, dark: str, expected: list[tuple[str, str, str]]
) -> None:
    assert set_off_both(light, dark) == expected


def test_color_is_pale_below_a_difference_of_thirty() -> None:
    # The page has the brightness 252.2 in light mode; 222.4 and 222 differ from it by 29.8 and 30.2.
    (near, _), (far, _) = (
        set_off_both(f'<rect fill="#{fill}"/>', '<rect fill="#888"/>') for fill in ("dededf", "dedede")
    )
    ground = brightness("#fdfcfb")
    assert (ground - brightness("#dededf") < 30) is (near[1] == "#bbb")
    assert (ground - brightness("#dedede") < 30) is (far[1] == "#bbb")


# What is taken out


@each(
    "inner, left",
    [
        ('<circle width="1" height="2" r="3"/>', '<circle r="3"/>'),
        ('<rect width="1" height="2"/>', '<rect width="1" height="2"/>'),
        ("<g>a<script/>b<image/>c<rect/>d</g>", "<g>abc<rect/>d</g>"),
        ("<g><rect/>a<set/>b</g>", "<g><rect/>ab</g>"),
        ('<marker id="a"/><symbol id="b"/>', ""),
        ('<marker id="a"/><path marker-end="url(#a)"/>', '<marker id="a"/><path marker-end="url(#a)"/>'),
        ("<marker id=\"a\"/><style>.x { marker-end: url('#a') }</style>", "same"),
        ('<symbol id="a"/><use href="#a"/>', "same"),
        ('<marker id="a"><path fill="url(#b)"/></marker><linearGradient id="b"/>', ""),
        ('<linearGradient id="b"/><rect fill="url(#b)"/>', "same"),
        ('<g id="a"/>', '<g id="a"/>'),
    ],
)
def test_what_nothing_shows_is_taken_out(inner: str, left: str) -> None:
    root = tree(inner)
    prune(root)
    assert ET.tostring(root) == ET.tostring(tree(inner if left == "same" else left))


@each(
    "source, expected",
    [
        ("sequenceDiagram\n  links Ann: {}\n  link Ben : x @ y\n", [("Ann", 2, 9), ("Ben", 3, 8)]),
        ("%% flowchart\nsequenceDiagram\n  Ann->>Ben: links x: y\n", []),
        ('---\nconfig: x\n---\nflowchart LR\n  A@{ img: "a.png", w: 1 }\n', [("a.png", 5, 4)]),
        ("graph LR\n  A@{ w: 1, img: 'b.png' } --> B@{img: c.png}\n", [("b.png", 2, 4), ("c.png", 2, 33)]),
        ("graph LR\n  A@{ shape: x }\n  links A: x\n", []),
        ("pie\n  A@{ img: c.png }\n  links A: x\n", []),
    ],
)
def test_what_a_drawing_leaves_out_is_found_at_its_place(source: str, expected: list[tuple[str, int, int]]) -> None:
    found = find_left_out(source)
    assert [(one.line, one.column) for one in found] == [(line, column) for _, line, column in expected]
    for one, (name, _, _) in zip(found, expected, strict=True):
        assert name in one.message
        assert one.suggestion.endswith(" beside the diagram.")


# Labels


def label_of(inner: str, width: float = 100, height: float = 48) -> Label:
    root = tree(f'<foreignObject width="{width}px" height="{height}">{inner}</foreignObject>')
    return Label(root[0], compute_styles(root))


def test_label_has_the_size_and_ground_of_its_innermost_elements() -> None:
    label = label_of('<div style="font-size: 20px; background-color: red"><span style="font-size: 10px">a</span></div>')
    assert (label.size, label.width, label.height) == (10, 100, 48)
    assert label.ground is not None
    assert label.ground.tag == "div"
    assert label.element.tag == "span"
    assert label_of("<div>a</div>").ground is None


@each(
    "inner, lines",
    [
        ("<p>a <b>b</b><i>c</i></p>", [[Run("a "), Run("b", True, False), Run("c", False, True)]]),
        ("<p>a</p><p> b </p>", [[Run("a")], [Run("b ")]]),
        ("<div>a<br/>b</div>", [[Run("a")], [Run("b")]]),
        ("<div><b>x <i>y</i></b> z</div>", [[Run("x ", True, False), Run("y", True, True), Run(" z")]]),
        ('<div style="font-weight: 700"><span>a</span> b</div>', [[Run("a b", True, False)]]),
        ('<div style="font-style: italic">a</div>', [[Run("a", False, True)]]),
        ("<div>a\n   b</div>", [[Run("a b")]]),
        ("<div> </div>", []),
        ("<ul><li>a</li><li>b</li></ul>", [[Run("a")], [Run("b")]]),
    ],
)
def test_markup_of_a_label_becomes_lines_of_runs(inner: str, lines: list[list[Run]]) -> None:
    assert [line[3] for line in label_of(inner).lines()] == lines


def test_lines_of_a_label_are_around_the_middle_of_its_box() -> None:
    assert [line[:3] for line in label_of("<p>a</p><p>b</p>").lines()] == [
        (0.0, pytest.approx(17.44), "start"),
        (0.0, pytest.approx(41.44), "start"),
    ]
    [centered] = label_of('<div style="text-align: center">a</div>').lines()
    assert centered[:3] == (50, pytest.approx(29.44), "middle")


@each(
    "style, height, count",
    [("", 24, 2), ("white-space: nowrap", 24, 1), ("white-space: nowrap", 46, 1), ("white-space: nowrap", 48, 2)],
)
def test_label_is_broken_where_its_style_or_the_height_of_its_box_says_so(
    style: str, height: float, count: int
) -> None:
    label = label_of(f'<div style="{style}">one two</div>', text_width("one", 16) + 2, height)
    assert len(label.lines()) == count


def test_words_are_broken_by_width_and_behind_hyphens_of_letters() -> None:
    exact = text_width("ab cd", 10)
    assert len(wrap([[Run("ab cd")]], 10, exact)) == 1
    assert len(wrap([[Run("ab cd")]], 10, exact - 0.1)) == 2
    assert len(wrap([[Run("ab cd")]], 10, None)) == 1
    pieces = wrap([[Run("ab-cd ab-1 -ab a - b")]], 10, 1)
    assert [[run.text for run in line] for line in pieces] == [["ab-"], ["cd"], ["ab-1"], ["-ab"], ["a"], ["-"], ["b"]]
    assert wrap([[Run("a")], []], 10, 50) == [[Run("a")], []]
    assert line_width([Run("a"), Run("b", is_bold=True)], 10) == text_width("a", 10) + text_width("b", 10, is_bold=True)


# Pictures


def written(light: str, dark: str | None = None) -> tuple[str, list[str]]:
    one, other = tree(light), tree(light if dark is None else dark)
    picture = Picture(one, compute_styles(one), other, compute_styles(other))
    found = picture.write()
    head, end = '<g font-size="16">', "</g>"
    assert found.startswith(head)
    assert found.endswith(end)
    return found[len(head) : -len(end)], picture.links


@each(
    "inner, expected",
    [
        ('<rect width="10.126" height="2px"/>', '<rect width="10.13" height="2" stroke="none"/>'),
        ('<path d="M1.26 -0.04L2e1"/>', '<path d="M1.3 0L2e1" stroke="none"/>'),
        ('<rect width="0" height="2"/><rect width="2"/>', ""),
        ('<circle r="1" visibility="hidden"/><circle r="1" opacity="0"/>', ""),
        ('<path d="M0" fill="none"/>', ""),
        ('<path d="M0" fill="none" marker-end="url(#d-a)"/>', '<path d="M0" marker-end="url(#\x01a)" fill="none" stroke="none"/>'),
        ('<path d="M0" fill="none" stroke="red"/>', '<path d="M0" fill="none" stroke="#f00"/>'),
        ('<path d="M0" onclick="x" style="x: y" id="d-x" class="a node b node"/>', '<path d="M0" class="node" stroke="none"/>'),
        ('<path d="M0&quot;"/>', '<path stroke="none"/>'),
        ("<g><g/></g><text/>", ""),
        ('<g><circle r="1"/></g>', '<circle r="1" stroke="none"/>'),
        ('<g transform="scale(2)"><circle r="1"/></g>', '<g transform="scale(2)"><circle r="1" stroke="none"/></g>'),
        ('<image href="x"/><filter/><odd><rect/></odd>', ""),
        ('<circle r="1" display="none"/>', ""),
        ('<linearGradient id="d-g"><stop offset="1" stop-color="red"/></linearGradient>', '<linearGradient id="\x01g"><stop offset="1" stop-color="#f00"/></linearGradient>'),
        ('<circle r="1" fill="url(#d-g)"/>', '<circle r="1" fill="url(#\x01g)" stroke="none"/>'),
        ('<circle r="1" fill="url(https://x.example)" stroke="red"/>', '<circle r="1" fill="none" stroke="#f00"/>'),
        ("<text>a &lt; <tspan>b</tspan> c</text>", "<text>a &lt; <tspan>b</tspan> c</text>"),
        ('<text dominant-baseline="middle"><tspan>b</tspan></text>', '<text><tspan dominant-baseline="middle">b</tspan></text>'),
        ("<switch><foreignObject><p>a</p></foreignObject><text>b</text></switch>", "<text>b</text>"),
        ('<circle r="1" stroke-width="2" stroke-dasharray="3"/>', '<circle r="1" stroke-width="2" stroke-dasharray="3" stroke="none"/>'),
    ],
)  # fmt: skip
def test_picture_keeps_what_is_safe_and_shown(inner: str, expected: str) -> None:
    found, _ = written(inner)
    assert sorted(found.replace("/>", " />").split()) == sorted(expected.replace("/>", " />").split())


def test_links_are_numbered_and_those_without_address_are_none() -> None:
    circle = '<circle r="1"/>'
    found, links = written(
        f'<a href="https://a.example">{circle}</a><a xlink:href="b">{circle}</a><a>{circle}</a><a href="c"/>'
    )
    shown = '<circle r="1" stroke="none"/>'
    assert found == f'<a href="link:0">{shown}</a><a href="link:1">{shown}</a>{shown}'
    assert links == ["https://a.example", "b"]


def test_shape_that_is_turned_around_its_own_place_has_that_as_an_attribute() -> None:
    rect = '<rect width="1" height="1" transform-origin="5px 6.5px" style="transform: {}"/>'
    assert 'transform="translate(5 6.5) rotate(45) translate(-5 -6.5)"' in written(rect.format("rotate(45deg)"))[0]
    assert "transform" not in written(rect.format("none"))[0]


def label(text: str, style: str = "") -> str:
    return f'<foreignObject width="40" height="24"><div style="{style}">{text}</div></foreignObject>'


def test_label_is_written_as_text_on_its_ground() -> None:
    found, _ = written(label("a &lt; b", "background-color: red"), label("a &lt; b", "background-color: lime"))
    rect, text = found.split("/>")
    assert rect == '<rect width="40" height="24" fill="light-dark(#f00,#0f0)" stroke="none"'
    assert text == '<text x="0" y="17.44" text-anchor="start">a &lt; b</text>'
    own, _ = written(label("a", "color: red; font-size: 12px"))
    assert own == '<text x="0" y="16.08" text-anchor="start" fill="#f00" font-size="12">a</text>'
    below, _ = written(f'<g stroke="red">{label("a")}</g>')
    assert 'stroke="none">a</text>' in below
    bold, _ = written(label("a <b>b</b> <i>c</i>"))
    assert 'a <tspan font-weight="700">b</tspan> <tspan font-style="italic">c</tspan></text>' in bold
    assert written(label(" "))[0] == ""


@each(
    "fill, dark_fill, ink",
    [("#fff", "#fff", "#111"), ("#000", "#000", "#ccc"), ("#fff", "#000", "light-dark(#111,#ccc)"), ("none", "none", "light-dark(#111,#ccc)")],
)  # fmt: skip
def test_label_of_a_node_is_read_on_the_ground_that_its_author_chose(fill: str, dark_fill: str, ink: str) -> None:
    def node(fill: str, color: str) -> str:
        return f'<g class="node"><path d="M0" fill="{fill}" stroke="red"/>{label("a", f"color: {color}")}</g>{label("b", f"color: {color}")}'

    found, _ = written(node(fill, "#111"), node(dark_fill, "#ccc"))
    inside, outside = found.split("</g>")
    assert f'fill="{ink}"' in inside.partition("<text")[2]
    assert 'fill="light-dark(#111,#ccc)"' in outside


def test_element_says_only_what_differs_from_what_is_around_it() -> None:
    inner = '<g fill="red" opacity="0.5"><circle r="1" fill="red"/><circle r="2" fill="lime"/></g>'
    found: Any = written(inner)[0]
    assert found == (
        '<g fill="#f00" opacity="0.5"><circle r="1" stroke="none"/><circle r="2" fill="#0f0" stroke="none"/></g>'
    )
