"""What is read on paper, and only there."""

from __future__ import annotations

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
