"""Objects of a build are freed as soon as they are not needed: the collector of reference cycles is paused while it runs."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import pytest

from octavo.content import SLOT, Island
from octavo.documents import Body
from octavo.rendering.article import Fillings, fill_article

from .cases import FIXTURES, load_cases

SMALL_TREES = {"ShortcodeCall", "LiquidPiece", "parse.<locals>.block"}
"""Pieces of templates, which know the piece that they are in, and hold little."""


def left_in_circles(work: Callable[[], object]) -> list[str]:
    """Name the classes and functions of Octavo of which work leaves objects that only the collector can free."""
    work()  # what is made once
    gc.freeze()  # the collector passes over what is there already, which would take most of the time
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        work()
        gc.collect()
        left = [one if hasattr(one, "__qualname__") else type(one) for one in gc.garbage]
        return sorted({one.__qualname__ for one in left if str(one.__module__).startswith("octavo.")} - SMALL_TREES)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
        gc.unfreeze()


@pytest.mark.parametrize("file", sorted(FIXTURES.glob("*.md")), ids=lambda file: file.stem)
def test_compiled_documents_leave_nothing_behind(file: Path) -> None:
    cases = load_cases(file)

    def compile_all() -> None:
        for case in cases:
            case.run()

    assert left_in_circles(compile_all) == []


def test_filled_articles_leave_nothing_behind() -> None:
    island = Island(kind="tabs", props={}, children=[f"<p>{SLOT}L0{SLOT}</p>"])
    body = Body(html=f"{SLOT}I0{SLOT}", islands=[island], anchors=[], text=[], markdown="")
    fillings = Fillings(links=["/kiln"], assets=[], sizes=[], forms=[], has_files=False)
    drawn = [f"<div>{SLOT}C0{SLOT}</div>"]
    assert fill_article(body, fillings, drawn) == "<div><p>/kiln</p></div>"
    assert left_in_circles(lambda: fill_article(body, fillings, drawn)) == []
