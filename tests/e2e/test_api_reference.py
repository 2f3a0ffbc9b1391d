"""The API reference as readers meet it."""

from __future__ import annotations

import json
import re
from typing import Any, Literal

import brotli
import pytest
import yaml
from playwright.sync_api import expect

from tests.support.serving import Served

from .axe import find_violations
from .conftest import SHIPPED, OpenReader
from .pages import DESKTOP, NEXT_FRAME, PHONE, Settings, settings
from .test_budgets import UNHURRIED

GATEWAY, TOOL = "/codegate/reference/api", "/toolhive/reference/api"
ROUTES = [(GATEWAY, "gateway.json"), (TOOL, "tool.yaml")]
OPERATION = "v1_create_workspace"
METHODS = {"get", "put", "post", "delete", "patch", "head", "options", "trace"}


def load(name: str) -> dict[str, Any]:
    text = (SHIPPED / "openapi" / name).read_text()
    return dict(json.loads(text) if name.endswith(".json") else yaml.safe_load(text))


def operations(name: str) -> list[tuple[str, str, dict[str, Any]]]:
    paths = load(name)["paths"]
    return [(path, method, item[method]) for path, item in paths.items() for method in item if method in METHODS]


def ids(html: str) -> set[str]:
    return set(re.findall(r'\bid="([^"]+)"', html))


def below(shipped: Served, route: str) -> dict[str, str]:
    """Read the pages of an API: route → HTML, the overview first."""
    routes = [one for one in shipped.routes() if one.startswith(f"{route}/")]
    return {one: shipped.html(one) for one in (route, *routes)}


def page_of(shipped: Served, route: str, anchor: str) -> str:
    """Find the page of an operation, a tag or a schema by the links of the API's overview."""
    found = re.search(rf'id="{re.escape(anchor)}".*?<a href="([^"#]+)', shipped.html(route), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(("route", "name", "count"), [(GATEWAY, "gateway.json", 36), (TOOL, "tool.yaml", 16)])
def test_page_holds_every_operation_with_its_statuses(route: str, name: str, count: int, shipped: Served) -> None:
    html, found = shipped.html(route).replace("<wbr/>", ""), operations(name)
    assert len(found) == count
    wanted = set()
    for path, _, operation in found:
        anchor = f"operation/{operation['operationId']}"
        wanted |= {anchor, f"tag/{operation['tags'][0].replace(' ', '-')}/{anchor}"}
        wanted |= {f"{anchor}/response/{status}" for status in operation["responses"]}
        assert f"<code>{path}</code>" in html
        shown = shipped.html(page_of(shipped, route, anchor)).replace("<wbr/>", "")
        assert {one for one in wanted if anchor in one} - ids(shown) == set()
        assert f"<code>{path}</code>" in shown
    assert wanted - ids(html) == set()


@pytest.mark.parametrize(("route", "name"), ROUTES)
def test_page_holds_every_schema_with_its_fields(route: str, name: str, shipped: Served) -> None:
    schemas = load(name)["components"]["schemas"]
    wanted = {f"schema/{schema}" for schema in schemas}
    wanted |= {f"schema/{schema}/{field}" for schema, value in schemas.items() for field in value.get("properties", {})}
    assert wanted - ids(shipped.html(route)) == set()
    assert wanted - ids(shipped.html(page_of(shipped, route, "schema/" + next(iter(schemas))))) == set()


def test_each_page_of_the_gateway_is_25_kb_at_most(shipped: Served) -> None:
    pages = below(shipped, GATEWAY)
    sizes = {route: len(brotli.compress(html.encode(), quality=5)) for route, html in pages.items()}
    assert {route: size for route, size in sizes.items() if size > 25_000} == {}
    assert {route: html.count("<") // 2 for route, html in pages.items() if html.count("</") > 4_500} == {}


def test_reading_asks_for_no_script_that_other_pages_do_without(shipped: Served, open_reader: OpenReader) -> None:
    asked = []
    # A guide that explains terms, as the introduction of the reference does.
    for route in ("/codegate/features/muxing", GATEWAY, page_of(shipped, GATEWAY, f"operation/{OPERATION}")):
        reader = open_reader(shipped, route)
        reader.page.wait_for_load_state("networkidle")
        asked.append(set(reader.watch.requested(lambda url: url.endswith(".js"))))
    assert asked[1] | asked[2] <= asked[0]


def test_console_is_20_kb_at_most(shipped: Served) -> None:
    chunks = [file.read_bytes() for file in shipped.out.rglob("mountConsole*.js")]
    assert len(chunks) == 1
    assert len(brotli.compress(chunks[0], quality=5)) <= 20_000


@pytest.mark.parametrize(
    "anchor",
    [f"tag/Workspaces/operation/{OPERATION}", f"operation/{OPERATION}", "tag/Workspaces", "schema/Persona/name"],
)
def test_anchor_lands_below_the_top_bar(anchor: str, shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, f"{GATEWAY}#{anchor}")
    reader.page.wait_for_function(
        "anchor => { const place = document.getElementById(anchor); const top = place?.getBoundingClientRect().top;"
        " return place?.matches(':not(.api-moved)') && top >= 60 && top < 160; }",
        arg=anchor,
    )
    reader.expect_at(f"{page_of(shipped, GATEWAY, anchor)}#{anchor}")


def test_answer_that_is_folded_opens_for_its_address(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, GATEWAY)
    reader.page.evaluate(f"location.hash = '#operation/{OPERATION}/response/422'")
    answer = reader.page.locator(f"details[id='operation/{OPERATION}/response/422']")
    expect(answer).to_be_in_viewport()
    expect(answer).to_have_attribute("open", "")


def test_guide_beside_an_operation_leads_to_its_part_and_back(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, f"{GATEWAY}#operation/v1_set_workspace_muxes")
    guides = reader.page.locator("section[id='operation/v1_set_workspace_muxes'] .api-guides")
    guides.get_by_role("link", name="Write the rules").press("Enter")
    expect(reader.page.get_by_role("heading", name="Write the rules")).to_be_in_viewport()
    reader.page.get_by_role("main").get_by_role("link", name="API reference").press("Enter")
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("CodeGate API: Muxes")


def test_color_mode_keeps_place_and_what_is_open(shipped: Served, open_reader: OpenReader) -> None:
    route = page_of(shipped, GATEWAY, f"operation/{OPERATION}")
    reader = open_reader(shipped, f"{route}#operation/{OPERATION}", settings(system="dark"))
    section = reader.page.locator(f"[id='operation/{OPERATION}']")
    section.get_by_role("radio", name="Python").check()
    expect(section.locator("figure[data-language=python]")).to_be_visible()
    reader.page.evaluate(NEXT_FRAME)
    top = section.evaluate("section => section.getBoundingClientRect().top")
    reader.color_mode.button.click()
    reader.color_mode.expect_shown("light", choice="light")
    reader.expect_true(
        "([id, top]) => document.getElementById(id).getBoundingClientRect().top === top",
        [f"operation/{OPERATION}", top],
    )
    expect(section.locator("figure[data-language=python]")).to_be_visible()
    # Remembered, for every other request too.
    reader.visit(page_of(shipped, GATEWAY, "operation/v1_list_workspaces"))
    expect(reader.page.locator("figure[data-language=python]")).to_be_visible()
    expect(reader.page.locator(".api-side figure[data-language=bash]")).to_be_hidden()


def test_table_of_contents_follows_the_reader(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, page_of(shipped, GATEWAY, "operation/v1_create_persona"), settings(width=1600))
    reader.toc.get_by_role("link", name="Change a persona").click()
    expect(reader.toc.locator("[aria-current]")).to_have_text(re.compile("Change a persona"))


def test_page_reads_without_scripts(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, f"{GATEWAY}#operation/{OPERATION}", settings(has_scripts=False))
    entry = reader.page.locator(f"[id='operation/{OPERATION}']")
    expect(entry).to_be_in_viewport()
    entry.get_by_role("link").press("Enter")
    expect(reader.page.get_by_role("heading", level=1, name="Create a workspace")).to_be_visible()
    section = reader.page.locator(f"[id='operation/{OPERATION}']")
    expect(section.get_by_role("button")).to_have_count(0)
    section.get_by_role("radio", name="Go").check()
    expect(section.locator("figure[data-language=go]")).to_be_visible()
    expect(section.locator("figure[data-language=bash]")).to_be_hidden()


@pytest.mark.parametrize("route", [GATEWAY, f"{GATEWAY}/workspaces/v1-create-workspace", f"{TOOL}/servers"])
@pytest.mark.parametrize(("mode", "base"), [("light", DESKTOP), ("dark", PHONE)], ids=["light-desktop", "dark-phone"])
def test_page_is_accessible(
    mode: Literal["light", "dark"], base: Settings, route: str, shipped: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(shipped, route, settings(base, system=mode))
    reader.expect_no_sideways_scroll()
    assert find_violations(reader.page) == []


VISIT = """() => new Promise((resolve) => {
  const [page] = performance.getEntriesByType("navigation");
  const resources = performance.getEntriesByType("resource")
    .map(({ name, startTime, transferSize }) => ({ name, startTime, transferSize }));
  let shift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value;
  }).observe({ type: "layout-shift", buffered: true });
  const answer = () => resolve({ html: page.transferSize, loaded: page.loadEventStart, resources, shift });
  requestAnimationFrame(() => requestAnimationFrame(answer));
})"""


@pytest.mark.parametrize(("route", "html_kb"), [(GATEWAY, 25), (f"{TOOL}/servers", 25)])
def test_first_visit_costs_no_more_than_that_of_any_page_but_for_its_text(
    route: str, html_kb: int, shipped: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(shipped, route, UNHURRIED)
    visit = reader.page.evaluate(VISIT)
    early = [entry for entry in visit["resources"] if entry["startTime"] < visit["loaded"]]
    before = [entry for entry in early if not entry["name"].endswith(".woff2")]  # fonts have a budget of their own
    scripts = [entry for entry in visit["resources"] if entry["name"].endswith(".js")]
    assert 0 < visit["html"] <= html_kb * 1000
    assert sum(entry["transferSize"] for entry in before) <= 25_000 - 8_000  # what any page may have beside its HTML
    assert scripts
    assert [entry for entry in before if entry["name"].endswith(".js")] == []
    assert sum(entry["transferSize"] for entry in scripts) <= 70_000
    assert visit["shift"] < 0.001


def test_operation_is_copied_as_curl_and_as_markdown(shipped: Served, open_reader: OpenReader) -> None:
    route = page_of(shipped, GATEWAY, f"operation/{OPERATION}")
    reader = open_reader(shipped, route, settings(grants=["clipboard-read", "clipboard-write"]))
    section = reader.page.locator(".api-operation").filter(has=reader.page.locator(f"[id$='{OPERATION}']")).first
    curl = section.get_by_role("button", name="Copy as curl")
    curl.click()
    expect(curl).to_have_text("Copied")
    text = reader.page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("curl ")
    assert "/api/v1/workspaces" in text
    # The page is the operation: its menu copies it, and nothing is offered twice.
    expect(reader.article.get_by_role("button", name="Copy as Markdown")).to_have_count(1)
    expect(section.get_by_role("button", name="Copy as Markdown")).to_have_count(0)
    reader.visit(page_of(shipped, TOOL, "tag/servers"))
    section = reader.page.locator(".api-operation").nth(1)
    markdown = section.get_by_role("button", name="Copy as Markdown")
    address = markdown.get_attribute("data-copy")
    markdown.click()
    expect(markdown).to_have_text("Copied")
    assert reader.page.evaluate("navigator.clipboard.readText()") == (shipped.out / str(address)[1:]).read_text()


def test_tabs_of_samples_stay_on_one_line_and_are_reached_by_keys(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, f"{GATEWAY}/personas", settings(width=1280))
    tabs = reader.page.locator(".api-tabs", has=reader.page.get_by_role("radio", name="503")).first
    heights = "all => all.map((one) => one.offsetHeight).filter((height) => height > 44)"
    assert reader.page.locator(".api-tabs").evaluate_all(heights) == []
    first, last = tabs.get_by_role("radio").first, tabs.get_by_role("radio").last
    first.focus()
    reader.press("ArrowLeft")
    expect(last).to_be_focused()
    seen = """(input) => {
      const [one, row] = [input, input.closest(".api-tabs")].map((element) => element.getBoundingClientRect());
      return one.right <= row.right + 1 && one.left >= row.left - 1;
    }"""
    assert last.evaluate(seen)


@pytest.mark.parametrize(("width", "is_beside"), [(768, False), (1240, True), (1440, True), (1920, True)])
def test_samples_stand_beside_the_fields_where_both_have_room(
    width: int, is_beside: bool, shipped: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(shipped, "/codegate/reference/api/workspaces/v1-update-workspace", settings(width=width))
    text, side = (reader.article.locator(one).bounding_box() for one in (".api-text", ".api-side"))
    assert text
    assert side
    assert (side["y"] < text["y"] + text["height"]) == is_beside
    assert side["width"] >= (370 if is_beside else 600)
    assert text["width"] >= (400 if is_beside else 600)
