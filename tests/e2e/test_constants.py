"""Values of the specification that only a browser shows."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Response, expect

from tests.support.serving import Served

from .conftest import OpenReader
from .pages import settings

NO_PREFERENCE = """
const ask = window.matchMedia.bind(window);
window.matchMedia = (query) => ask(query.includes("prefers-color-scheme") ? "not all" : query);
"""
"""A system that prefers neither light nor dark."""

NODE_FILL = "() => getComputedStyle(document.querySelector('.diagram-drawing .node rect')).fill"


def test_mode_is_dark_where_neither_reader_nor_system_has_a_preference(
    shipped: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(shipped, "/", settings(system="light", init_script=NO_PREFERENCE))
    reader.color_mode.expect_shown("dark", choice="system")
    reader.expect_stored("theme", None)


@pytest.mark.parametrize(("mode", "fill"), [("light", "rgb(238, 238, 238)"), ("dark", "rgb(31, 32, 32)")])
def test_diagram_has_the_theme_neutral_in_light_mode_and_dark_in_dark(
    mode: Literal["light", "dark"], fill: str, editions: Served, open_reader: OpenReader
) -> None:
    """The fill of a node is what the library's themes of these names say."""
    reader = open_reader(editions, "/constructs", settings(system=mode))
    expect(reader.article.locator(".diagram-drawing").first).to_contain_text("Cold")
    assert reader.page.evaluate(NODE_FILL) == fill


def test_script_of_the_search_dialog_is_15_kb_at_most(shipped: Served, open_reader: OpenReader) -> None:
    """Its client included, as it travels, on a page without diagrams."""
    reader = open_reader(shipped, "/codegate/features/security-reviews")
    reader.page.wait_for_load_state("networkidle")
    answers: list[Response] = []
    reader.page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108  Playwright takes no bound methods of C
    reader.press("Control+k")
    expect(reader.page.get_by_role("dialog", name="Search").get_by_role("combobox")).to_be_focused()
    scripts = [answer for answer in answers if answer.url.endswith(".js")]
    assert 0 < sum(answer.request.sizes()["responseBodySize"] for answer in scripts) <= 15_000


def test_address_in_the_api_reference_lands_right_below_the_bar(shipped: Served, open_reader: OpenReader) -> None:
    """No lower than a line of text, and never behind the bar."""
    reader = open_reader(shipped, "/codegate/reference/api#operation/v1_create_workspace")
    reader.page.wait_for_function("""() => {
      const bar = document.querySelector(".navbar, header").getBoundingClientRect().bottom;
      const found = document.querySelector("section[id='operation/v1_create_workspace']");
      if (found === null) return false; // the overview is left for the page of the operation
      const place = found.getBoundingClientRect().top;
      return place >= bar && place - bar <= 24;
    }""")
