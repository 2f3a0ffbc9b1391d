"""The autocomplete widget with its insights plugin, unmodified, in a real browser against the server."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, Request, expect

from engine.tests.contract.search.conftest import API_KEY, APP_ID, INDEX, REPORT_SECRET, Served

pytestmark = pytest.mark.browser

BUNDLES = {
    "client": "algoliasearch/dist/lite/builds/browser.umd.js",
    "insights": "search-insights/dist/search-insights.iife.min.js",
    "autocomplete": "@algolia/autocomplete-js/dist/umd/index.production.js",
    "plugin": "@algolia/autocomplete-plugin-algolia-insights/dist/umd/index.production.js",
}
"""Name → bundle, in the order in which the page loads them."""

_SCRIPT = """
const { appId, apiKey, indexName } = %s;
const hosts = [{ url: location.host, protocol: "http", accept: "readWrite" }];
const searchClient = window["algoliasearch/lite"].liteClient(appId, apiKey, { hosts });
const { autocomplete, getAlgoliaResults } = window["@algolia/autocomplete-js"];
const { createAlgoliaInsightsPlugin } = window["@algolia/autocomplete-plugin-algolia-insights"];
const insightsClient = window.aa;
insightsClient("init", { appId, apiKey, host: location.origin });
autocomplete({
  container: "#search",
  detachedMediaQuery: "none",
  plugins: [createAlgoliaInsightsPlugin({ insightsClient })],
  getSources: ({ query }) => [{
    sourceId: "pages",
    getItems: () => getAlgoliaResults({
      searchClient,
      queries: [{ indexName, params: { query, hitsPerPage: 4, clickAnalytics: true } }],
    }),
    getItemUrl: ({ item }) => item.url,
    templates: {
      item: ({ item, components, html }) => html`<a class="found" href=${item.url}>${
        components.Highlight({ hit: item, attribute: ["hierarchy", "lvl1"] })}</a>`,
    },
  }],
});
document.querySelector("#search").dataset.ready = "";
"""


_QUEUE = """
window.AlgoliaAnalyticsObject = "aa";
window.aa = (...call) => { (window.aa.queue ??= []).push(call); };
window.aa.version = "2.17.3";
"""
"""As the package has it put into pages, before its own script."""


@pytest.fixture
def page(browser: Browser, served: Served, packages: Path) -> Iterator[Page]:
    """A page of the site's own origin that holds the widget."""
    given = json.dumps({"appId": APP_ID, "apiKey": API_KEY, "indexName": INDEX})
    scripts = "".join(f'<script src="/bundle-{name}.js"></script>' for name in BUNDLES)
    html = f'<!doctype html><title>Test</title><div id="search"></div><script>{_QUEUE}</script>{scripts}<script>{_SCRIPT % given}</script>'
    context = browser.new_context()
    opened = context.new_page()
    opened.route("**/widget.html", lambda route: route.fulfill(body=html, content_type="text/html"))
    for name, path in BUNDLES.items():
        body = (packages / path).read_text()
        opened.route(
            f"**/bundle-{name}.js",
            lambda route, _, body=body: route.fulfill(body=body, content_type="text/javascript"),
        )
    opened.goto(f"{served.origin}/widget.html")
    expect(opened.locator("#search[data-ready]")).to_be_attached()
    yield opened
    context.close()


def test_widget_shows_hits_and_its_plugin_sends_what_was_seen_and_chosen(page: Page, served: Served) -> None:
    with page.expect_request("**/1/events*") as viewed:
        page.locator(".aa-Input").fill("muxing")
        first = page.locator(".found").first
        expect(first).to_contain_text("Model muxing")
        expect(first.locator("mark")).to_have_text("muxing")
    (view,) = _events(viewed.value)
    assert (view["eventType"], view["index"]) == ("view", INDEX)
    page.route("**/codegate/features/muxing", lambda route: route.fulfill(body="", content_type="text/html"))
    with page.expect_request("**/1/events*") as clicked:
        first.click()
    (click,) = _events(clicked.value)
    assert (click["eventType"], click["positions"], len(click["queryID"])) == ("click", [1], 32)
    assert click["objectIDs"][0] in view["objectIDs"]

    def report() -> str:
        return httpx.get(f"{served.origin}/_octavo/search-report", auth=("", REPORT_SECRET)).text

    deadline = time.monotonic() + 60
    while not re.search(r"<td>muxing</td>(<td>\d+</td>){2}<td>1</td>", report()):  # the writer works in batches
        assert time.monotonic() < deadline, report()


def _events(request: Request) -> list[dict[str, Any]]:
    """Read what a beacon carries; its answer is seen by nobody but the server's report."""
    events: list[dict[str, Any]] = json.loads(request.post_data or "{}")["events"]
    return events
