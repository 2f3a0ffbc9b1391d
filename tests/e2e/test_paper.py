"""What is read on paper, and only there."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.serving import Served

from .conftest import OpenReader
from .pages import settings

_PAPER = settings(width=690, height=970)
"""A4 without margins, in px."""


_TABLE = """article => {
  const long = "Sets the temperature at which the kiln stops heating and begins to hold it, for as long as it is told to.";
  const row = ["<code>MAXIMUM_DEGREES</code>", "<code>integer</code>", "<code>boolean</code>", long, long, "2.0"];
  const html = `<table><tbody><tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr></tbody></table>`;
  article.querySelector(".table-wrap").innerHTML = html;
}"""


def test_short_code_in_a_wide_table_is_not_broken(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", _PAPER)
    reader.emulate(media="print")
    reader.article.evaluate(_TABLE)
    lines = "cells => cells.map(cell => new Set([...cell.getClientRects()].map(line => line.top)).size)"
    assert reader.article.locator(".table-wrap td:nth-child(n + 2) code").evaluate_all(lines) == [1, 1]
    assert reader.article.locator(".table-wrap table").evaluate("table => table.scrollWidth <= innerWidth")


def test_label_of_folded_lines_is_left_out_where_the_lines_are_shown(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    reader.emulate(media="print")
    assert not reader.article.locator(".code-fold > summary").is_visible()
    assert reader.article.locator(".code-fold .line").first.is_visible()


def test_line_of_a_post_has_no_addresses(editions: Served, open_reader: OpenReader) -> None:
    """Those of an author's list and of a tag's tell a reader of paper nothing."""
    reader = open_reader(editions, "/constructs")
    reader.emulate(media="print")
    add = "article => article.insertAdjacentHTML('afterbegin', '<p class=byline><a href=/blog/tags/kiln>kiln</a></p>')"
    reader.article.locator(".prose").first.evaluate(add)
    printed = "link => getComputedStyle(link, '::after').content"
    assert reader.article.locator(".byline a").evaluate(printed) in ("none", "normal")


def test_operation_and_its_path_are_on_one_page(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/reference/api/workspaces")
    reader.emulate(media="print")
    row = reader.article.locator(".api-list > li").first
    assert row.evaluate("row => getComputedStyle(row).breakInside") == "avoid"


def test_paper_shows_the_article_on_white_and_nothing_around_it(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing", settings(system="dark"))
    reader.emulate(media="print", color_scheme="dark")
    for part in (reader.bar, reader.sidebar, reader.toc, reader.pager, reader.footer):
        expect(part).to_be_hidden()
    expect(reader.page.locator("h1")).to_be_visible()
    expect(reader.article.locator(".code-buttons").first).to_be_hidden()
    expect(reader.article.locator(".feedback")).to_be_hidden()
    light = "element => getComputedStyle(element).color.match(/[\\d.]+/g).slice(0, 3).every((value) => value < 90)"
    assert reader.article.locator(".prose > p").first.evaluate(light)


def test_paper_shows_every_tab_panel_and_what_details_hide(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs")
    reader.emulate(media="print")
    for text in ("Fish swims.", "Zsh sleeps.", "Second set: fish.", "One thousand degrees."):
        expect(reader.article.get_by_text(text)).to_be_visible()


def test_paper_wraps_long_code(editions: Served, open_reader: OpenReader) -> None:
    reader = open_reader(editions, "/constructs", settings(width=794))
    reader.emulate(media="print")
    block = reader.code("--atmosphere reduction").root.locator("pre")
    assert block.evaluate("element => element.scrollWidth <= element.clientWidth")


def test_address_of_a_link_does_not_widen_a_table_beyond_the_paper(shipped: Served, open_reader: OpenReader) -> None:
    """Paper shows where links lead; an address is one long word."""
    reader = open_reader(shipped, "/toolhive/reference/client-compatibility", settings(width=718))
    reader.emulate(media="print")
    reader.expect_no_sideways_scroll()


def test_paper_shows_all_of_an_operation_in_one_column(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/reference/api/workspaces/v1-create-workspace", settings(width=794))
    reader.emulate(media="print")
    expect(reader.article.get_by_role("button", name="Try it")).to_be_hidden()
    text, side = reader.article.locator(".api-text").bounding_box(), reader.article.locator(".api-side").bounding_box()
    assert text
    assert side
    assert side["y"] >= text["y"] + text["height"]
    cut = "side => [side, ...side.querySelectorAll('pre')].filter((one) => getComputedStyle(one).overflowY !== 'visible').length"
    assert reader.article.locator(".api-side").evaluate(cut) == 0
    printed = "link => getComputedStyle(link, '::after').content"
    assert reader.article.locator(".api-field a.api-name").first.evaluate(printed) == "none"


def test_paper_shows_a_table_of_many_columns_whole(editions: Served, open_reader: OpenReader) -> None:
    """What is wider than the paper would have the browser print the whole document smaller."""
    reader = open_reader(editions, "/constructs", settings(width=718))
    reader.emulate(media="print")
    for columns, word in ((9, "Docusaurus"), (12, "Available"), (24, "Available")):
        reader.article.locator("table").first.evaluate(
            """(table, [columns, word]) => {
              const row = (tag, text) => `<tr>${`<${tag}>${text}</${tag}>`.repeat(columns)}</tr>`;
              table.innerHTML = row("th", word) + row("td", "yes, with a <code>--setting</code>");
            }""",
            [columns, word],
        )
        reader.expect_no_sideways_scroll()


def test_paper_shows_no_address_in_a_heading_and_no_box_of_a_button(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/toolhive/reference/api")
    reader.emulate(media="print")
    printed = "link => getComputedStyle(link, '::after').content"
    assert reader.article.locator("h2 > a[href^='/']").first.evaluate(printed) in ("none", "normal")
    reader = open_reader(shipped, "/")
    reader.emulate(media="print")
    button = reader.page.locator(".hero-actions .button").first
    expect(button).to_have_css("border-top-width", "0px")
    assert "/" in button.evaluate(printed)


def test_paper_shows_names_in_the_first_column_whole(editions: Served, open_reader: OpenReader) -> None:
    """Beside a long text a column got as narrow as a letter of its code; names longer than half the paper are broken."""
    reader = open_reader(editions, "/constructs", settings(width=718))
    reader.emulate(media="print")
    names = ["schedules:read_of_all_kilns_in_the_workshop", "kiln:" + "x" * 200]
    lines = reader.article.locator("table").first.evaluate(
        """(table, names) => {
          const text = "Read the schedules of all kilns, also of those that other studios share. ".repeat(6);
          const row = (name) => `<tr><td><code>${name}</code></td><td>${text}</td><td>${text}</td></tr>`;
          table.innerHTML = names.map(row).join("");
          const height = (code) => code.getBoundingClientRect().height / parseFloat(getComputedStyle(code).fontSize);
          return [...table.querySelectorAll("code")].map(height);
        }""",
        names,
    )
    assert lines[0] < 2.5
    assert lines[1] > 2.5
    reader.expect_no_sideways_scroll()
