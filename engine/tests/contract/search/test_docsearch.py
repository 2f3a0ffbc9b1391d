"""The reference dialog (`@docsearch/js`), unmodified, in a real browser against the server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.tests.contract.search.conftest import API_KEY, APP_ID, INDEX, Served

pytestmark = pytest.mark.browser

_SCRIPT = """
window.docsearch({
  container: "#search",
  appId: %(app_id)s,
  apiKey: %(api_key)s,
  %(index)s,
  transformSearchClient: (client) => {
    client.transporter.hosts.splice(0, Infinity, { url: location.host, protocol: "http", accept: "readWrite" });
    return client;
  },
});
"""


DOCSEARCH = {3: "@docsearch/js", 4: "docsearch4", 5: "docsearch5"}
"""Version → its package."""


@pytest.fixture
def version() -> int:
    """Version of the dialog, where a test says no other."""
    return 3


@pytest.fixture
def page(browser: Browser, served: Served, packages: Path, version: int) -> Iterator[Page]:
    """A page of the site's own origin that holds the reference dialog."""
    index = f'indices: ["{INDEX}"]' if version > 4 else f'indexName: "{INDEX}"'
    script = _SCRIPT % {"app_id": json.dumps(APP_ID), "api_key": json.dumps(API_KEY), "index": index}
    html = f'<!doctype html><title>Test</title><div id="search"></div><script src="/d.js"></script><script>{script}</script>'
    bundle = (packages / DOCSEARCH[version] / "dist" / "umd" / "index.js").read_text()
    context = browser.new_context()
    opened = context.new_page()
    opened.route("**/dialog.html", lambda route: route.fulfill(body=html, content_type="text/html"))
    opened.route("**/d.js", lambda route: route.fulfill(body=bundle, content_type="text/javascript"))
    opened.goto(f"{served.origin}/dialog.html")
    yield opened
    context.close()


@pytest.mark.parametrize("version", DOCSEARCH)
def test_dialog_shows_hits_and_follows_one(page: Page, served: Served) -> None:
    page.get_by_role("button", name="Search").click()
    page.locator(".DocSearch-Input").fill("muxing")
    hits = page.locator(".DocSearch-Hit a")
    expect(hits.first).to_contain_text("Model muxing")
    expect(hits.first.locator("mark")).to_have_text("muxing")
    assert (hits.first.get_attribute("href") or "").endswith("/codegate/features/muxing")
    # The site is configured for another port than the one that this test got.
    page.route(
        "**/codegate/features/muxing", lambda route: route.fulfill(body="<h1>There</h1>", content_type="text/html")
    )
    hits.first.click()
    expect(page.get_by_role("heading", name="There")).to_be_visible()


def test_dialog_says_when_nothing_is_found(page: Page) -> None:
    page.get_by_role("button", name="Search").click()
    page.locator(".DocSearch-Input").fill("xyzzyplugh")
    expect(page.locator(".DocSearch-NoResults")).to_contain_text("xyzzyplugh")


def test_markup_in_texts_stays_text(page: Page) -> None:
    page.get_by_role("button", name="Search").click()
    page.locator(".DocSearch-Input").fill("<angle> {curly} signs")
    expect(page.locator(".DocSearch-Hit").first).to_contain_text("<angle>")
    assert page.locator(".DocSearch-Hit angle").count() == 0
