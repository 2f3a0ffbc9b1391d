"""Diagrams are drawn by another process, which may end without harm."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from octavo.diagrams import DiagramDrawing, DiagramFailure
from octavo.diagrams.process import DiagramRenderer, draw_diagram

SMALL = "flowchart LR\n  A --> B\n"
HUGE = "flowchart LR\n" + "".join(
    f"  n{i} --> n{(i * 7919) % 1500}\n  n{i} --> n{(i * 104729) % 1500}\n" for i in range(1500)
)


@pytest.fixture
def renderer() -> Iterator[DiagramRenderer]:
    renderer = DiagramRenderer()
    yield renderer
    renderer.close()


def test_diagram_is_drawn(renderer: DiagramRenderer):
    assert isinstance(renderer.draw(SMALL), DiagramDrawing)


def test_files_of_the_site_are_no_modules(renderer: DiagramRenderer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("merman", "msgspec", "json"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    assert isinstance(renderer.draw(SMALL), DiagramDrawing)


def test_diagram_that_takes_too_long_is_given_up_and_the_next_is_drawn(renderer: DiagramRenderer):
    impatient = DiagramRenderer(seconds=0)
    assert impatient.draw(SMALL) == DiagramFailure("limit", "it takes too long to draw")
    impatient.close()
    assert isinstance(renderer.draw(SMALL), DiagramDrawing)


def test_process_that_has_died_is_started_again(renderer: DiagramRenderer):
    renderer.draw(SMALL)
    process = renderer.process._process
    assert process is not None
    process.kill()
    process.wait()
    assert renderer.draw(SMALL) == DiagramFailure("limit", "it crashes the renderer")
    assert isinstance(renderer.draw(SMALL), DiagramDrawing)


@pytest.mark.parametrize(
    "source",
    [
        HUGE,
        "flowchart LR\n" + "subgraph a\n" * 3000,
        "mindmap\n" + "".join(f"{'  ' * i}n{i}\n" for i in range(300)),
        "flowchart LR\n  A[" + "x" * 90_000 + "]\n",
        "sequenceDiagram\n" + "loop x\n" * 2000 + "A->>B: x\n" + "end\n" * 2000,
        "\x00\x01\x02",
        "flowchart LR\n  A --> \ud800\n",
    ],
    ids=["edges", "open groups", "deep", "long label", "loops", "control characters", "half a character"],
)
def test_hostile_source_ends_in_an_answer(renderer: DiagramRenderer, source: str):
    assert isinstance(renderer.draw(source), (DiagramDrawing, DiagramFailure))
    assert isinstance(renderer.draw(SMALL), DiagramDrawing)


def test_source_without_end_is_refused_before_it_is_sent():
    assert draw_diagram("flowchart LR\n" + "A --> B\n" * 20_000) == DiagramFailure(
        "limit", "it has more than 100000 characters"
    )


def test_threads_take_turns(renderer: DiagramRenderer):
    sources = [f"flowchart LR\n  A{number} --> B\n" for number in range(8)]
    with ThreadPoolExecutor(4) as pool:
        drawings = list(pool.map(renderer.draw, sources))
    for number, drawing in enumerate(drawings):
        assert isinstance(drawing, DiagramDrawing)
        assert f">A{number}<" in drawing.svg
