"""Every common kind of diagram becomes a small, safe and complete SVG for both color modes."""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path

import pytest

from octavo.diagrams import ID_MARK, DiagramDrawing, DiagramFailure
from octavo.diagrams.draw import draw
from octavo.diagrams.measure import text_width
from tests.support.each import each

SOURCES = {path.stem: path for path in sorted((Path(__file__).parents[2] / "fixtures" / "diagrams").glob("*.mmd"))}
ELEMENTS = set(
    re.findall(
        r"\w+",
        "svg g defs marker linearGradient radialGradient stop clipPath symbol use a path rect circle ellipse line"
        " polyline polygon text tspan",
    )
)
MOST_BYTES = 40_000
"""Of one drawing; Mermaid's own SVG of these has 10,000 to 120,000 bytes."""
NOT_SHOWN = re.compile(
    r"^\s*(?:%%|---|title:|config:|theme:|flowchart:|curve:|accTitle|accDescr|classDef|style|linkStyle)"
)
QUOTED = re.compile(r"\"`?([^\"`|]+?)`?\"|\[([A-Za-z][^\[\]\"(){}/\\|`@]*)\]")


@cache
def drawing(name: str) -> DiagramDrawing:
    drawn = draw(SOURCES[name].read_text())
    assert isinstance(drawn, DiagramDrawing), drawn
    return drawn


def tree(drawn: DiagramDrawing) -> ET.Element:
    return ET.fromstring(drawn.svg.replace(ID_MARK, "x."))


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]{2,}", text))


def shown(drawn: DiagramDrawing) -> str:
    return " ".join(part for part in tree(drawn).itertext())


@each("name", SOURCES)
def test_drawing_is_small_and_holds_only_parts_of_a_picture(name: str):
    drawn = drawing(name)
    elements = list(tree(drawn).iter())
    assert {element.tag for element in elements} <= ELEMENTS
    assert {key for element in elements for key in element.attrib if key.startswith(("on", "style", "xml"))} == set()
    assert len(drawn.svg) < MOST_BYTES
    assert "�" not in drawn.svg
    assert not re.search(r"url\((?!#\x01)|@import|expression|javascript:", drawn.svg)


@each("name", SOURCES)
def test_only_what_has_a_size_in_svg_is_given_one(name: str):
    sized = {"svg", "rect", "marker", "symbol", "use"}
    with_size = (one for one in tree(drawing(name)).iter() if not {"width", "height"}.isdisjoint(one.attrib))
    assert {one.tag.rpartition("}")[2] for one in with_size} <= sized


@each("name", SOURCES)
def test_references_lead_to_definitions_of_the_same_drawing(name: str):
    drawn = drawing(name)
    ids = re.findall(r' id="([^"]*)"', drawn.svg)
    named = set(re.findall(r"url\(#([^)]*)\)", drawn.svg)) | set(re.findall(r' href="#([^"]*)"', drawn.svg))
    assert len(ids) == len(set(ids))
    assert all(each.startswith(ID_MARK) for each in ids)
    assert named <= set(ids)


@each("name", SOURCES)
def test_words_of_the_labels_are_in_the_drawing(name: str):
    source = SOURCES[name].read_text()
    lines = [line for line in source.splitlines() if not NOT_SHOWN.match(line) and "click" not in line]
    labels = [html.unescape(a or b) for a, b in QUOTED.findall("\n".join(lines))]
    wanted = words(re.sub(r"<[^>]*>|`", " ", " ".join(labels)))
    assert wanted - words(shown(drawing(name))) == set()


@each("name", SOURCES)
def test_view_has_the_natural_width(name: str):
    view = [float(number) for number in (tree(drawing(name)).get("viewBox") or "").split()]
    assert len(view) == 4
    assert view[2] == pytest.approx(drawing(name).width, abs=0.2)


def test_colors_are_those_of_both_modes():
    drawn = drawing("flowchart-decision")
    assert 'fill="var(--diagram-node)"' in drawn.svg
    assert "#eee" not in drawn.svg
    assert drawn.own_ground == ""


def test_color_without_a_name_is_a_pair():
    assert "light-dark(#" in drawing("git-branches").svg


@pytest.mark.parametrize(("name", "ground"), [("settings-front-matter", "light"), ("settings-directive", "dark")])
def test_theme_of_the_author_is_the_same_in_both_modes(name: str, ground: str):
    assert drawing(name).own_ground == ground


def test_colors_of_the_author_are_kept():
    svg = drawing("flowchart-classes").svg
    assert "#d4f7d4" in svg
    assert 'stroke-dasharray="5 5"' in svg


@pytest.mark.parametrize(("fill", "ink"), [("#fdf", "#000"), ("#202020", "#ccc")])
def test_label_on_a_ground_of_the_author_is_read_in_both_modes(fill: str, ink: str):
    drawn = draw(f"flowchart LR\n  A --> B\n  style A fill:{fill}\n")
    assert isinstance(drawn, DiagramDrawing)
    texts = {"".join(text.itertext()): text for text in tree(drawn).iter("text")}
    assert texts["A"].get("fill") == ink
    assert texts["B"].get("fill") in {None, "var(--diagram-ink)"}


@pytest.mark.parametrize("name", ["mindmap-simple", "mindmap-shapes", "xychart-bars"])
def test_edges_of_mind_maps_and_bars_of_charts_are_seen_in_both_modes(name):
    pale = ("#f4f4f4", "#0b0000", "#eee,")
    svg = drawing(name).svg
    edges = re.findall(r'<path[^>]*fill="none"[^>]*>', svg)
    areas = re.findall(r'<(?:path|rect|circle)[^>]*fill="light-dark\((?:#f4f4f4|#eee),[^>]*>', svg)
    assert not [edge for edge in edges if any(f'stroke="light-dark({color}' in edge for color in pale)]
    assert areas
    assert all('stroke="light-dark(#bbb,#777)"' in area for area in areas)


def test_areas_of_a_pie_and_of_its_legend_have_an_outline_that_both_modes_show():
    drawn = draw('pie\n"A" : 3\n"B" : 1')
    assert isinstance(drawn, DiagramDrawing)
    areas = [one for one in tree(drawn).iter() if one.tag in ("path", "rect")]
    assert len(areas) == 4
    assert {one.get("stroke") for one in areas} == {"var(--diagram-line)"}


def test_outlines_of_an_authors_theme_are_kept():
    source = '%%{init: {"theme": "base", "themeVariables": {"pieStrokeColor": "#ff0000"}}}%%\npie\n"A" : 3\n"B" : 1'
    drawn = draw(source)
    assert isinstance(drawn, DiagramDrawing)
    assert "var(--diagram-line)" not in drawn.svg


def test_title_and_description_are_taken_out_of_the_picture():
    drawn = drawing("flowchart-accessible")
    assert drawn.kind == "Flowchart"
    assert drawn.title == "The way of a request"
    assert drawn.description.startswith("A request goes from the editor")
    assert "The way of a request" not in shown(drawn)


def test_links_are_numbered_and_callbacks_are_not_kept():
    drawn = drawing("flowchart-links-clicks")
    assert drawn.links == ["https://example.com/start"]
    assert 'href="link:0"' in drawn.svg
    assert "callback" not in drawn.svg


def test_label_of_several_styles_keeps_them():
    svg = drawing("flowchart-markdown").svg
    assert '<tspan font-weight="700">bold</tspan>' in svg or 'font-weight="700"> bold' in svg
    assert 'font-style="italic"' in svg


def test_long_label_is_broken_over_lines():
    lines = list(tree(drawing("flowchart-markdown")).iter("text"))
    assert max(len("".join(line.itertext())) for line in lines) < 40


def test_long_label_of_an_edge_is_broken_as_its_box_was_measured():
    label = "Proposal with agreed details of the interface is merged"
    drawn = draw(f"flowchart TB\n  A -->|{label}| B\n")
    assert isinstance(drawn, DiagramDrawing)
    lines = ["".join(line.itertext()) for line in tree(drawn).iter("text")]
    assert " ".join(line for line in lines if line not in "AB") == label
    assert max(len(line) for line in lines) < 30


def test_view_holds_labels_that_stand_beside_their_shapes():
    settings = "---\nconfig:\n  sankey:\n    showValues: false\n    labelStyle: outlined\n---\n"
    drawn = draw(f"{settings}sankey\n\nGrid,Heating and cooling of homes,113\nGrid,Losses,56\n")
    assert isinstance(drawn, DiagramDrawing)
    x, _, width, _ = (float(number) for number in tree(drawn).attrib["viewBox"].split())
    label = next(text for text in tree(drawn).iter("text") if "Heating" in "".join(text.itertext()))
    assert x + width > float(label.attrib["x"]) + text_width("Heating and cooling of homes", 14)


@each("label", ["<span style='color:#fff'>All</span>", "<br/>two", "<b>one</b>"])
def test_labels_whose_markup_the_renderer_spells_out_are_not_drawn(label: str):
    failure = draw(f'block-beta\n  columns 2\n  a["{label}"] b["List"]\n')
    assert isinstance(failure, DiagramFailure)
    assert failure.reason == "unsupported"
    assert label.partition(">")[0][:3] in failure.message


def test_milestones_are_diamonds():
    drawn = draw("gantt\n  section One\n  Done : milestone, d1, 2026-01-01, 0d\n  Work : d2, 2026-01-01, 3d\n")
    assert isinstance(drawn, DiagramDrawing)
    turned = [one.attrib["transform"] for one in tree(drawn).iter("rect") if "rotate" in one.get("transform", "")]
    assert [turn.count("scale(0.8") for turn in turned] == [1]


@pytest.mark.parametrize(
    ("source", "line", "column"),
    [
        ("flowchart LR\n  A --> B\n  B -->\n", 3, 8),
        ("flowchart LR\n  A[open --> B\n", 2, 4),
        ("sequenceDiagram\n  Ann->>Ben hello\n", 2, 18),
        ('pie\n  "a" : x\n', 2, 3),
        ("stateDiagram-v2\n  [*] -->\n", 2, 10),
        ("flowchart LR\n  é --> ü\n  ü -->\n", 3, 8),
    ],
)
def test_mistake_has_its_place(source: str, line: int, column: int):
    failure = draw(source)
    assert isinstance(failure, DiagramFailure)
    assert failure.reason == "syntax"
    assert (failure.line, failure.column) == (line, column)
    assert failure.message
    assert not failure.message.endswith(".")


def test_what_the_renderer_does_not_know_is_no_mistake_of_the_author():
    failure = draw('flowchart LR\n  A["$$x^2$$"] --> B\n')
    assert isinstance(failure, DiagramFailure)
    assert failure.reason == "unsupported"


HOSTILE = {
    "script in a label": 'flowchart LR\n  A["<script>alert(1)</script><img src=x onerror=alert(1)>"] --> B\n',
    "event in a label": 'flowchart LR\n  A["<b onclick=alert(1)>x</b>"] --> B\n',
    "script as a link": 'flowchart LR\n  A --> B\n  click A "javascript:alert(1)"\n',
    "address in a style": "flowchart LR\n  A --> B\n  style A fill:url(https://example.com/x)\n",
    "style that ends": 'flowchart LR\n  A --> B\n  style A fill:#fff"onload="alert(1)\n',
    "theme CSS": "%%{init: {'themeCSS': '.node{background:url(https://example.com/x)}'}}%%\nflowchart LR\n  A --> B\n",
    "theme variable": "%%{init: {'theme':'base','themeVariables': {'lineColor': 'url(https://example.com)'}}}%%\nflowchart LR\n  A --> B\n",
    "image shape": 'flowchart LR\n  A@{ img: "https://example.com/x.png", label: "x", pos: "t", w: 60, h: 60 } --> B\n',
    "loose security": "%%{init: {'securityLevel': 'loose', 'htmlLabels': true}}%%\nflowchart LR\n  A[\"<iframe src='//example.com'></iframe>x\"] --> B\n",
    "markup in a name": 'sequenceDiagram\n  participant A as "><script>alert(1)</script>\n  A->>A: <svg onload=alert(1)>\n',
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=list(HOSTILE))
def test_nothing_of_a_hostile_source_runs_or_is_loaded(source: str):
    drawn = draw(source)
    if isinstance(drawn, DiagramFailure):
        return
    elements = list(tree(drawn).iter())
    assert {element.tag for element in elements} <= ELEMENTS
    assert [key for element in elements for key in element.attrib if key.startswith("on") or key == "style"] == []
    for element in elements:
        for key, value in element.attrib.items():
            assert "example.com" not in value, (key, value)
            assert "javascript" not in value, (key, value)


@each("name", SOURCES)
def test_lines_of_a_text_say_themselves_where_their_middle_is(name: str) -> None:
    """WebKit does not move a line by what the text around it says."""
    for text in tree(drawing(name)).iter("text"):
        assert len(text) == 0 or text.get("dominant-baseline") is None or (text.text or "").strip()
