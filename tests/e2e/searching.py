"""The search dialog, in the reader's words."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, expect

from tests.support.serving import Served

from .conftest import OpenReader
from .gate import Gate
from .pages import DESKTOP, Reader, Settings

SEARCHES = "**/1/indexes/**"
"""Addresses that searches are sent to."""

STATIC_FILES = ("**/_octavo/search.json", "**/_octavo/files/find/**")
"""What answers in the place of a server."""


STALLED_MS = 300
"""A search that takes longer is called stalled."""


class Dialog:
    """An open search dialog."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.root = reader.page.get_by_role("dialog", name="Search")
        self.field = self.root.get_by_role("combobox", name="Search")
        self.options = self.root.get_by_role("option")
        self.filters = self.root.get_by_role("group", name="Filters")
        self.announcer = self.root.get_by_role("status")

    @property
    def active(self) -> Locator:
        """The option that Enter takes."""
        return self.root.get_by_role("option", selected=True)

    def ask(self, query: str) -> None:
        """Put a question into the field and wait for its answer."""
        self.field.fill(query)
        expect(self.root.locator(".search-box")).to_have_attribute("data-status", "idle")
        expect(self.announcer).to_contain_text(f'"{query}"')

    def expect_at(self, index: int) -> None:
        """Expect the active option to be that of an index, from 0, and to be in view."""
        expect(self.active).to_have_count(1)
        expect(self.active).to_have_id(f"search-option-{index}")
        expect(self.active).to_be_in_viewport()
        expect(self.field).to_have_attribute("aria-activedescendant", f"search-option-{index}")


def open_dialog(
    open_reader: OpenReader, site: Served, route: str = "/codegate/", settings: Settings = DESKTOP
) -> Dialog:
    """Open a page, and the dialog by its shortcut."""
    return reopen_dialog(open_reader(site, route, settings))


def reopen_dialog(reader: Reader) -> Dialog:
    """Open the dialog on the page where the reader is."""
    dialog = Dialog(reader)
    # After a hit was followed, the dialog closes with a delay.
    expect(dialog.root).to_have_count(0)
    reader.press("Control+k")
    expect(dialog.field).to_be_focused()
    return dialog


def cut_off(reader: Reader) -> None:
    """Let no search come through, and nothing of the index of files; forgive the browser for saying so."""
    for address in (SEARCHES, *STATIC_FILES):
        reader.context.route(address, lambda route: route.abort())
    reader.watch.forgive(r"ERR_FAILED|1/indexes")


def hold(dialog: Dialog) -> Gate:
    """Let searches wait on their way from now on.

    The clock of the page stops with them: it gives a search up that waits longer than a second.
    """
    dialog.reader.hold_clock()
    gate = Gate()
    dialog.reader.page.route(SEARCHES, gate)
    return gate


def stall(dialog: Dialog) -> None:
    """Let so much time pass on the page that a search is called stalled, and is not given up."""
    dialog.reader.page.clock.run_for(STALLED_MS)
    expect(dialog.root.locator(".search-box")).to_have_attribute("data-status", "stalled")


def last_events(reader: Reader, act: Any, name: str) -> list[dict[str, Any]]:
    """Do something, and return the events of this name that it causes."""

    def is_about(request: Any) -> bool:
        return request.url.split("?")[0].endswith("/1/events") and name in (request.post_data or "")

    with reader.page.expect_request(is_about) as caught:
        act()
    response = caught.value.response()
    assert response is not None
    assert response.status == 200
    events: list[dict[str, Any]] = caught.value.post_data_json["events"]
    return events
