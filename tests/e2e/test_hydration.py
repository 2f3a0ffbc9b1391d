"""Scripts take over what the server sent, without changing it and without asking for it again."""

from __future__ import annotations

import html
import json
import re

import pytest
from playwright.sync_api import expect

from tests.support.serving import Served

from .conftest import OpenReader
from .pages import DESKTOP, IS_HYDRATED, METERED, PHONE, Settings, settings

MEASURE_SHIFTS = """
window.shiftOfLayout = 0;
window.shifted = [];
new PerformanceObserver((list) => {
  // As in CLS, what follows a reader's own act within half a second does not count.
  for (const entry of list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput)) {
    window.shiftOfLayout += entry.value;
    window.shifted.push(...entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? String(node)));
  }
}).observe({ type: "layout-shift", buffered: true });
"""

# Two frames after the client lives, everything it changes has been laid out.
SETTLE = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"

PAGE_KINDS = {
    "landing": "/",
    "doc": "/codegate/features/muxing",
    "category": "/category/using-the-toolhive-cli",
    "search": "/search",
    "theme preview": "/theme-preview",
}


def payload_of(document: str) -> dict[str, object]:
    """Read the payload that a page carries."""
    match = re.search(r'<script type="application/json" id="octavo-page">(.*?)</script>', document, re.DOTALL)
    assert match
    payload: dict[str, object] = json.loads(match[1])
    return payload


@pytest.mark.parametrize("site", ["shipped", "editions", "handbook"])
def test_no_page_of_a_site_is_hydrated_with_a_warning(site: str, request, open_reader: OpenReader) -> None:
    """Every page of the sitemap; the watch fails on any console message about a difference."""
    served: Served = request.getfixturevalue(site)
    routes = served.routes()
    # Low, for painting is most of what a page costs and not what is looked at.
    reader = open_reader(served, routes[0], settings(METERED, width=1000, height=240))
    for route in routes[1:]:
        reader.page.goto(served.url(route), wait_until="commit")
        reader.page.wait_for_function(IS_HYDRATED)


@pytest.mark.parametrize("kind", PAGE_KINDS)
def test_article_is_received_once(kind: str, shipped: Served) -> None:
    """No longer text of the article is repeated elsewhere in the body, apart from the description and headings."""
    document = shipped.html(PAGE_KINDS[kind])
    payload = payload_of(document)
    head, _, rest = document.partition('<main id="main"')
    article = rest.partition("</main>")[0]
    assert payload["html"] == ""
    headings = set(re.findall(r"<h[1-6]\b[^>]*>([^<>]+)<", article))  # the contents of the page list them
    texts = {text for text in re.findall(r">([^<>]{40,})<", article) if "{" not in text} - headings
    others = head.partition("<body>")[2] + rest.partition("</main>")[2]
    repeated = {text for text in texts if html.unescape(text) in html.unescape(others)}
    assert repeated <= {html.escape(str(payload["description"]))}


def test_sentence_of_the_article_stands_once_in_the_html(editions: Served) -> None:
    assert editions.html("/").count("stands here once and only once") == 1


def test_first_page_is_not_fetched_again_as_data(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/codegate/features/muxing")
    assert reader.watch.requested(lambda path: path.endswith("/codegate/features/muxing.json")) == []


def test_hydration_leaves_the_article_as_it_was(shipped: Served, open_reader: OpenReader) -> None:
    """The same elements stay: a reader's selection and scroll position survive."""
    keep_elements = """
    document.addEventListener("DOMContentLoaded", () => {
      window.before = [...document.querySelectorAll("main p, main h1, main h2, main pre")];
    });
    """
    reader = open_reader(shipped, "/theme-preview", settings(init_script=keep_elements))
    assert reader.page.evaluate("window.before.length > 50 && window.before.every((element) => element.isConnected)")


@pytest.mark.parametrize("habits", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("kind", PAGE_KINDS)
def test_nothing_moves_while_a_page_loads(
    kind: str, habits: Settings, shipped: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(shipped, PAGE_KINDS[kind], settings(habits, init_script=MEASURE_SHIFTS))
    reader.page.evaluate(SETTLE)
    assert reader.page.evaluate("[window.shiftOfLayout, window.shifted]") == [0, []]


@pytest.mark.parametrize("habits", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_logo_without_a_name_has_its_place_before_it_comes(
    habits: Settings, handbook: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(handbook, "/install", settings(habits, init_script=MEASURE_SHIFTS))
    expect(reader.bar.get_by_role("link", name="Kiln", exact=True)).to_be_visible()
    logo = reader.bar.locator(".brand img:visible").first
    reader.page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=logo.element_handle())
    reader.page.evaluate(SETTLE)
    assert reader.page.evaluate("[window.shiftOfLayout, window.shifted]") == [0, []]


def test_nothing_moves_when_choices_are_remembered(editions: Served, open_reader: OpenReader) -> None:
    """A closed announcement, a chosen mode and chosen tabs are in place from the first paint."""
    stored = {
        "theme": "light",
        "docusaurus.announcement.id": "open-day",
        "docusaurus.announcement.dismiss": "true",
        "docusaurus.tab.shell": "fish",
    }
    habits = settings(height=2600, stored=stored, init_script=MEASURE_SHIFTS)
    reader = open_reader(editions, "/constructs?heat=high", habits)
    reader.color_mode.expect_shown("light", choice="light")
    reader.tabs(0).expect_chosen("Fish")
    reader.tabs(2).expect_chosen("High")
    reader.page.evaluate(SETTLE)
    assert reader.page.evaluate("[window.shiftOfLayout, window.shifted]") == [0, []]


def test_what_a_reader_clicks_before_scripts_are_here_is_done_when_they_are(
    shipped: Served, open_reader: OpenReader
) -> None:
    click_early = """
    document.addEventListener("DOMContentLoaded", () => {
      document.querySelector("[aria-label^='Switch between dark']").click();
    });
    """
    reader = open_reader(shipped, "/", settings(init_script=click_early))
    reader.color_mode.expect_shown("light", choice="light")
