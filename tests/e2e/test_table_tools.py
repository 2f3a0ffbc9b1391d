"""Tables that readers fill in or filter."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.serving import Served

from .conftest import OpenReader
from .pages import PHONE, Reader


def test_typed_value_is_in_the_code_of_the_page(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/toolhive/how-to/client-configuration")
    code = reader.page.locator("figure.code", has_text="sse#SERVER_NAME").first
    expect(code).to_contain_text("http://localhost:SERVER_PORT/sse#SERVER_NAME")
    port = reader.page.get_by_role("textbox", name="Value of SERVER_PORT")
    port.fill("18080")
    reader.page.get_by_role("textbox", name="Value of SERVER_NAME").fill("<b>wiki")
    filled = reader.page.locator("figure.code", has_text="localhost:18080").first
    expect(filled).to_contain_text("http://localhost:18080/sse#<b>wiki")
    port.fill("")
    expect(reader.page.locator("figure.code", has_text="localhost:SERVER_PORT").first).to_be_visible()
    _outgrow(reader)


def _outgrow(reader: Reader) -> None:
    """A table that grows in a box of unchanged size, as with a font that arrives late, scrolls in the box."""
    box = reader.page.locator(".table-wrap[data-fits]").first
    expect(box).to_be_visible()
    box = reader.page.locator(".table-wrap").nth(
        box.evaluate("box => [...document.querySelectorAll('.table-wrap')].indexOf(box)")
    )
    box.evaluate("box => { box.style.blockSize = box.offsetHeight + 'px'; }")
    box.locator("table").evaluate("table => { table.style.inlineSize = '3000px'; }")
    expect(box).to_have_attribute("role", "group")
    reader.expect_no_sideways_scroll()
    box.locator("table").evaluate("table => { table.style.inlineSize = ''; }")
    expect(box).to_have_attribute("data-fits", "")


def test_filter_keeps_the_rows_with_all_words(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/toolhive/reference/registry-servers")
    table = reader.page.locator(".filter-rows")
    rows = table.locator("tbody tr:visible")
    expect(rows).to_have_count(29)
    table.get_by_role("searchbox", name="Filter rows").fill("WEB brave")
    expect(rows).to_have_count(1)
    expect(table.get_by_role("status")).to_have_text("1 of 29 rows")


def test_wide_table_in_a_note_has_the_ground_of_the_note(editions: Served, open_reader: OpenReader) -> None:
    """Its shadows and its header were drawn in the color of the page."""
    reader = open_reader(editions, "/constructs", PHONE)
    colors = reader.article.evaluate("""article => {
      const [note, table] = [article.querySelector(".admonition-danger"), article.querySelector(".table-wrap[role=group]")];
      note.querySelector(".admonition-body").append(table);
      const ground = getComputedStyle(note).backgroundColor;
      const style = getComputedStyle(table);
      const [header, covers] = [getComputedStyle(table.querySelector("thead")).backgroundColor, style.backgroundImage];
      table.dataset.fits = "";
      return [ground, header, getComputedStyle(table.querySelector("th")).backgroundColor, covers.includes(ground)];
    }""")
    assert colors == [colors[0], colors[0], colors[0], True]
    assert colors[0] != "rgba(0, 0, 0, 0)"
