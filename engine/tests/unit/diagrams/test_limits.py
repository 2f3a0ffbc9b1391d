"""What is answered where no drawing can be made, and what the renderer asks for; no process is started."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from octavo.diagrams import DiagramDrawing, DiagramFailure, draw, engine, process
from octavo.diagrams.measure import text_width
from tests.support.each import each


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Take what would be sent to the process that draws."""
    found: list[str] = []

    class Renderer:
        def draw(self, source: str) -> DiagramFailure:
            found.append(source)
            return DiagramFailure("syntax", "drawn")

    monkeypatch.setattr(process, "_renderer", Renderer)
    monkeypatch.setattr(process, "is_installed", lambda: True)
    return found


def test_source_that_is_longer_than_the_limit_is_not_sent(sent: list[str]) -> None:
    assert process.draw_diagram("x" * 100_000) == DiagramFailure("syntax", "drawn")
    assert process.draw_diagram("x" * 100_001) == DiagramFailure("limit", "it has more than 100000 characters")
    assert [len(source) for source in sent] == [100_000]


def test_renderer_that_is_missing_is_named(sent: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "is_installed", lambda: False)
    failure = process.draw_diagram("pie")
    assert isinstance(failure, DiagramFailure)
    assert failure.reason == "missing"
    assert 'pip install "octavo[diagrams]"' in failure.message
    assert sent == []


def test_process_has_one_renderer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_renderers", {})
    assert process._renderer() is process._renderer()


DRAWING = DiagramDrawing("<svg/>", "Flowchart", "T", "D", ["a"], 10.5)


@each(
    "answer, is_late, expected",
    [
        (msgspec.json.encode(DRAWING), False, DRAWING),
        (msgspec.json.encode(DiagramFailure("syntax", "x", 2, 3)), False, DiagramFailure("syntax", "x", 2, 3)),
        (b"", True, DiagramFailure("limit", "it takes too long to draw")),
        (b"", False, DiagramFailure("limit", "it crashes the renderer")),
    ],
)
def test_answer_of_the_process_is_read(answer: bytes, is_late: bool, expected: object) -> None:
    asked: list[bytes] = []
    renderer = process.DiagramRenderer()

    class Helper:
        def ask(self, request: bytes) -> tuple[bytes, bool]:
            asked.append(request)
            return answer, is_late

    helper: Any = Helper()
    renderer.process = helper
    assert renderer.draw("é\ud800") == expected
    assert msgspec.json.decode(asked[0]) == "é?"


@each(
    "svgs, message",
    [
        (["<svg>"], "the renderer wrote no well-formed SVG (no element found: line 1, column 5)"),
        (["<svg><g/></svg>", "<svg><rect/></svg>"], "the renderer draws it differently in the two color modes"),
        (["<svg/>"], "the renderer drew nothing"),
        (['<svg viewBox="0 0 9"/>'], "the renderer drew nothing"),
        (['<svg viewBox="0 0 9 0"/>'], "the renderer drew nothing"),
        (['<svg viewBox="0 0 0 9"/>'], "the renderer drew nothing"),
        (
            ['<svg viewBox="0 0 9 9"><text>a <tspan>&lt;br/&gt;</tspan></text></svg>'],
            "the renderer would show `<br/>` in a label as text",
        ),
        (['<svg viewBox="0 0 9 9"><text>List&lt;T&gt;</text></svg>'], None),
    ],
)
def test_picture_that_the_renderer_got_wrong_is_not_shown(svgs: list[str], message: str | None) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(draw, "render", lambda _, mode: svgs[0] if mode == "light" else svgs[-1])
        drawn = draw.draw("pie")
    if message is None:
        assert isinstance(drawn, DiagramDrawing)
    else:
        assert drawn == DiagramFailure("unsupported", message)


def test_drawing_says_what_it_is() -> None:
    svg = (
        '<svg viewBox="0, 0, 90.04 50" aria-roledescription="flowchart-v2" fill="#eee"><title> A  B </title>'
        '<desc>C</desc><circle r="1" fill="red"/></svg>'
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(draw, "render", lambda *_: svg)
        drawn = draw.draw("x")
    assert isinstance(drawn, DiagramDrawing)
    assert (drawn.kind, drawn.title, drawn.description, drawn.width) == ("Flowchart", "A B", "C", 90.0)
    assert drawn.own_ground == "dark"
    assert drawn.svg.startswith('<svg viewBox="0 0 90 50" width="90" height="50"><g')


@each(
    "message, shown",
    [
        ("Expected a node.\nmore", "expected a node"),
        ("EOF found", "EOF found"),
        ("  ", "unknown error"),
        ("A b", "A b"),
        ("Abc", "abc"),
    ],
)
def test_message_of_the_renderer_can_follow_a_colon(message: str, shown: str) -> None:
    assert engine._first_lower(message) == shown


def measured(operation: str, text: str, weight: str = "400", width: float | None = None) -> Any:
    request = SimpleNamespace(
        operation=SimpleNamespace(name=operation),
        text=text,
        font_size=10,
        font_weight=weight,
        max_width=width,
        line_height=15,
    )
    return engine._Measurer().measure(request)


def test_renderer_is_given_widths_of_lines() -> None:
    wide = text_width("wide", 10)
    lines = measured("WRAPPED", "a\nwide")
    assert (lines.width, lines.height, lines.line_count) == (wide, 30, 2)
    assert measured("MEASURE", "wide wide", width=wide + 1).line_count == 2
    assert measured("WRAPPED_WITH_RAW_WIDTH", "wide", "700").width == text_width("wide", 10, is_bold=True)
    assert measured("SVG_WIDTH", "a\nwide").length == wide
    assert measured("COMPUTED_LENGTH", "wide", "700").length == text_width("wide", 10, is_bold=True)
    extent = measured("B_BOX_X", "wide")
    assert (extent.bbox_left, extent.bbox_right) == (wide / 2, wide / 2)
    size = measured("MERMAID_CALCULATE_TEXT_DIMENSIONS", "a\nwide")
    assert (size.width, size.height, size.line_count) == (round(wide), 22, 2)
    assert measured("B_BOX_Y", "wide") is None
