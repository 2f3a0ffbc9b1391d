"""The request console, against a small API on loopback."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.support.serving import Served

from .api_server import Api, serve_api
from .axe import find_violations
from .conftest import OpenReader
from .pages import Reader, settings

ROUTE = "/codegate/reference/api"


@pytest.fixture
def api() -> Iterator[Api]:
    with serve_api() as served:
        yield served


def open_console(reader: Reader, operation: str, server: str) -> Locator:
    """Open the console of an operation, and confirm a server."""
    reader.wait_until_alive()
    reader.watch.forgive("request to another origin|request failed|answer 4|Failed to load resource|CORS policy")
    section = reader.page.locator(f"section[id='operation/{operation}']")
    if section.count() == 0:
        # The address that it had on the one page of the API.
        api = reader.page.url.partition("/reference/api")[0] + "/reference/api"
        reader.page.goto(f"{api}#operation/{operation}")
        expect(section).to_be_visible()
        reader.wait_until_alive()
    section.locator("button.api-try").first.click()
    heading = section.locator(":scope > :is(h2, h3)").or_(reader.page.locator("h1")).last
    console = section.get_by_role("form", name=f"Try {heading.inner_text()}", exact=True)
    console.get_by_label("Server").fill(server)
    console.get_by_role("checkbox").check()
    return console


def test_list_is_shown_with_status_time_and_headers(api: Api, shipped: Served, open_reader: OpenReader) -> None:
    console = open_console(open_reader(shipped, ROUTE), "v1_list_workspaces", api.url)
    console.get_by_role("button", name="Send").click()
    expect(console.get_by_text("200 OK")).to_be_visible()
    expect(console.get_by_text('"name": "kiln"')).to_be_visible()
    expect(console.get_by_text(" ms")).to_be_visible()
    assert api.asked == ["GET /api/v1/workspaces cookie=None"]


def test_nothing_is_sent_before_the_reader_confirms(api: Api, shipped: Served, open_reader: OpenReader) -> None:
    console = open_console(open_reader(shipped, ROUTE), "v1_list_workspaces", api.url)
    console.get_by_role("checkbox").uncheck()
    expect(console.get_by_role("button", name="Send")).to_be_disabled()
    console.get_by_label("Server").press("Enter")
    console.get_by_label("Server").fill("javascript:alert(1)")
    console.get_by_role("button", name="Send").click()
    expect(console.get_by_text("must be an address that begins with http")).to_be_visible()
    assert api.asked == []


def test_creating_answers_201(api: Api, shipped: Served, open_reader: OpenReader) -> None:
    console = open_console(open_reader(shipped, ROUTE), "v1_create_workspace", api.url)
    console.get_by_label("Body (").fill('{"name": "fresh"}')
    expect(console.get_by_label("As a command")).to_contain_text("curl -X POST")
    console.get_by_role("button", name="Send").click()
    expect(console.get_by_text("201 Created")).to_be_visible()


def test_refusal_of_the_server_is_shown_as_such(api: Api, shipped: Served, open_reader: OpenReader) -> None:
    console = open_console(open_reader(shipped, ROUTE), "v1_create_workspace", api.url)
    console.get_by_label("Body (").fill('{"name": "taken-by-a-rule"}')
    console.get_by_role("button", name="Send").click()
    expect(console.get_by_text("422 Unprocessable")).to_be_visible()
    expect(console.get_by_text('"value_error"')).to_be_visible()


def test_body_is_filled_in_by_fields_made_of_its_schema(api: Api, shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, ROUTE)
    console = open_console(reader, "v1_create_workspace", api.url)
    body = console.get_by_label("Body (")
    console.get_by_label("name (string, required)").fill("from-a-field")
    expect(body).to_have_value(re.compile('"name": "from-a-field"'))
    console.get_by_role("button", name="Give config").press("Enter")
    rules = console.get_by_role("group", name="config", exact=True)
    rules.get_by_role("button", name="Give muxing_rules (required)").press("Enter")
    rules.get_by_role("button", name="Add to muxing_rules").press("Enter")
    expect(rules.get_by_role("group", name="muxing_rules 1", exact=True)).to_be_visible()
    rules.get_by_label("matcher_type").select_option("catch_all")
    expect(body).to_have_value(re.compile('"matcher_type": "catch_all"'))
    assert find_violations(reader.page, within="form.api-console") == []
    console.get_by_role("button", name="Send").click()
    expect(console.get_by_role("alert")).to_contain_text(
        '"config".muxing_rules[0] must have the field "provider_type".'
    )
    assert api.asked == []
    rules.get_by_role("button", name="Leave out config").press("Enter")
    expect(body).not_to_have_value(re.compile("config"))
    console.get_by_role("button", name="Send").click()
    expect(console.get_by_text("201 Created")).to_be_visible()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("{", "The body is not JSON"),
        ("{}", 'The body must have the field "name".'),
        ('{"name": 1}', '"name" must be of type string.'),
        ("", "A body must be given."),
    ],
)
def test_what_breaks_the_schema_is_told_and_not_sent(
    body: str, message: str, api: Api, shipped: Served, open_reader: OpenReader
) -> None:
    console = open_console(open_reader(shipped, ROUTE), "v1_create_workspace", api.url)
    console.get_by_label("Body (").fill(body)
    console.get_by_role("button", name="Send").click()
    expect(console.get_by_role("alert")).to_contain_text(message)
    assert api.asked == []


def test_events_are_shown_as_they_come(api: Api, shipped: Served, open_reader: OpenReader) -> None:
    console = open_console(open_reader(shipped, ROUTE), "v1_stream_sse", api.url)
    console.get_by_role("button", name="Send").click()
    expect(console.get_by_text("data: event 0")).to_be_visible()
    expect(console.get_by_text("events are shown as they come")).to_be_visible()
    assert "event 1" not in console.inner_text()
    api.goes_on.set()
    expect(console.get_by_text("the stream has ended")).to_be_visible()
    expect(console.get_by_label("Events")).to_contain_text("data: event 2")


def test_server_that_is_away_is_explained_with_the_command(shipped: Served, open_reader: OpenReader) -> None:
    # A port that is taken and refuses connections: one that was let go may be another server's by now.
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        console = open_console(open_reader(shipped, ROUTE), "v1_list_workspaces", url)
        console.get_by_role("button", name="Send").click()
        alert = console.get_by_role("alert")
        expect(alert).to_contain_text(f"Nothing came from {url} that this page may read.")
        expect(alert).to_contain_text("Start the API with: octavo-sandbox gateway")


def test_server_that_refuses_other_origins_is_explained(api: Api, shipped: Served, open_reader: OpenReader) -> None:
    api.allows_origins = False
    console = open_console(open_reader(shipped, ROUTE), "v1_create_workspace", api.url)
    console.get_by_role("button", name="Send").click()
    expect(console.get_by_role("alert")).to_contain_text(f"it must allow {shipped.origin} in its answers")


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_console_is_accessible_and_works_by_keyboard(
    mode: str, api: Api, shipped: Served, open_reader: OpenReader
) -> None:
    reader = open_reader(shipped, f"{ROUTE}/workspaces/v1-list-workspaces", settings(system=mode))
    reader.wait_until_alive()
    reader.watch.forgive("request to another origin")
    button = reader.page.locator("[id='operation/v1_list_workspaces'] button.api-try").first
    button.press("Enter")
    console = reader.page.locator("[id='operation/v1_list_workspaces']").get_by_role(
        "form", name="Try List workspaces", exact=True
    )
    expect(console).to_be_visible(timeout=30_000)
    assert find_violations(reader.page, within="[id='operation/v1_list_workspaces']") == []
    console.get_by_role("button", name="Close").press("Enter")
    expect(console).to_have_count(0)
    expect(button).to_be_focused()
