"""Diagrams are drawn when they come near, in the colors of the mode, and their source stays where scripts fail."""

from __future__ import annotations

from playwright.sync_api import Locator, Route, expect

from tests.support.serving import Served

from .axe import find_violations, find_violations_in_both_modes
from .conftest import OpenReader
from .pages import PHONE, Reader, settings


def diagram(reader: Reader) -> Locator:
    box = reader.article.locator("[data-island=mermaid]")
    box.scroll_into_view_if_needed()
    return box


def test_diagram_is_drawn_and_redrawn_in_the_other_mode(editions: Served, open_reader: OpenReader) -> None:
    """The library's `neutral` theme in light mode and `dark` in dark."""
    reader = open_reader(editions, "/constructs", settings(system="light"))
    drawing = diagram(reader).locator("svg")
    expect(drawing).to_contain_text("Cold")
    ink = (
        "getComputedStyle(document.querySelector('[data-island=mermaid] svg').querySelector('.nodeLabel, text')).color"
    )
    light = reader.page.evaluate(ink)
    reader.page.emulate_media(color_scheme="dark")
    reader.page.wait_for_function(
        f"light => document.querySelector('[data-island=mermaid] svg') && {ink} !== light", arg=light
    )
    expect(drawing).to_contain_text("Cold")


def test_source_that_is_wrong_is_shown_with_the_reason(editions: Served, open_reader: OpenReader) -> None:
    def break_the_source(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("flowchart LR", "flowchart of nothing"))

    reader = open_reader(editions, "/constructs", answers={"**/constructs": break_the_source})
    box = diagram(reader)
    reader.page.mouse.move(300, 300)
    expect(box.get_by_role("alert")).to_contain_text("The diagram could not be drawn: ")
    expect(box.locator(".mermaid-source")).to_contain_text("flowchart of nothing")
    expect(box.locator("svg")).to_have_count(0)
    assert find_violations(reader.page) == []


def test_library_that_cannot_be_loaded_leaves_the_source_and_a_retry(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/install")
    reader.watch.forgive(r"ERR_FAILED|drawDiagram|dynamically imported")
    reader.context.route("**/drawDiagram*", lambda route: route.abort())
    reader.follow("Constructs", within=reader.sidebar)
    reader.expect_heading("Constructs")
    box = diagram(reader)
    expect(box.get_by_role("alert")).to_contain_text("could not be drawn")
    expect(box.locator(".mermaid-source")).to_be_visible()
    reader.context.unroute_all()
    with reader.page.expect_navigation():
        box.get_by_role("button", name="Retry").click()
    reader.wait_until_alive()
    expect(diagram(reader).locator("svg")).to_contain_text("Cold")


def test_drawing_a_diagram_moves_nothing_that_is_read(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    box = diagram(reader)
    expect(box.locator("svg")).to_contain_text("Cold")
    before = reader.page.locator("#raw-html").bounding_box()
    reader.page.wait_for_load_state("networkidle")
    assert reader.page.locator("#raw-html").bounding_box() == before


def test_wide_diagram_scrolls_on_a_phone_before_its_words_become_too_small(
    shipped: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(shipped, "/codegate/integrations/", PHONE)
    box = diagram(reader)
    drawing = box.locator("svg")
    expect(drawing).to_be_visible()
    scale = drawing.evaluate("svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width")
    assert scale >= 0.69
    frame = box.locator(".mermaid-drawing")
    # Told in the frame that shows it.
    expect(frame).to_have_attribute("tabindex", "0")
    frame.focus()
    reader.page.keyboard.press("ArrowRight")
    reader.page.wait_for_function("() => document.activeElement.scrollLeft > 0")
    assert reader.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert find_violations(reader.page) == []


def test_words_of_a_drawing_can_be_read_in_both_modes(shipped: Served, open_reader: OpenReader) -> None:
    """Those beside its lines too."""
    reader = open_reader(shipped, "/codegate/features/muxing")
    box = reader.article.locator(".mermaid").first
    box.scroll_into_view_if_needed()
    expect(box.locator("svg .edgeLabel p").first).to_be_visible()
    assert find_violations_in_both_modes(reader.page, within=".mermaid") == []


def test_focus_on_the_source_is_not_lost_to_the_drawing(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    box = reader.article.locator("[data-island=mermaid]")
    reader.press("Tab")
    box.locator(".mermaid-source").focus()
    expect(box.locator("svg")).to_contain_text("Cold")
    drawing = box.get_by_role("group", name="Diagram")
    expect(drawing).to_be_focused()
    assert drawing.evaluate("drawing => getComputedStyle(drawing).outlineStyle") != "none"


def test_focus_below_stays_where_it_is_when_a_diagram_is_drawn(shipped: Served, open_reader: OpenReader) -> None:
    """The drawing is higher than its source, which reaches out of the view above: the browser holds nothing in place."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    reader = open_reader(shipped, "/codegate/features/muxing", PHONE, {"**/drawDiagram*": hold})
    box = reader.article.locator(".mermaid").first
    link = reader.article.get_by_role("link", name="dashboard", exact=True).first
    with reader.page.expect_request("**/drawDiagram*"):
        box.evaluate(
            "box => window.scrollTo({ top: box.getBoundingClientRect().bottom + scrollY - 120, behavior: 'instant' })"
        )
    link.evaluate("link => link.focus({ preventScroll: true })")
    before = link.evaluate("link => link.getBoundingClientRect().top")
    height = box.evaluate("box => box.offsetHeight")
    for route in held:
        route.continue_()
    expect(box.locator("svg")).to_be_visible()
    assert box.evaluate("box => box.offsetHeight") > height
    assert abs(link.evaluate("link => link.getBoundingClientRect().top") - before) < 2
