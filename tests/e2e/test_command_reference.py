"""The command reference as readers meet it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from octavo.reference.command_line import Command, read_commands
from tests.support.serving import Served

from .axe import find_violations_in_both_modes
from .conftest import SHIPPED, OpenReader
from .pages import DESKTOP, PHONE, Settings, settings

ROOT = "/toolhive/reference/cli"
RUN = f"{ROOT}/thv_run"

widths = pytest.mark.parametrize("base", [DESKTOP, PHONE], ids=["1440", "390"])


def commands() -> list[Command]:
    text = (SHIPPED / "commands" / "thv.yaml").read_text(encoding="utf-8")
    return [entry.command for entry in read_commands([("thv.yaml", text)])[0]]


def test_every_command_has_its_page_with_all_options(shipped: Served) -> None:
    missing = []
    for command in commands():
        html = shipped.html(f"{ROOT}/{command.file_name}")
        missing += [] if f"<h1>{command.name}</h1>" in html else [command.name]
        options = {option.anchor for option in (*command.options, *command.inherited_options)}
        missing += sorted(options - set(re.findall(r'id="(option-[^"]+)"', html)))
    assert missing == []
    assert len(commands()) == 35


@widths
@pytest.mark.parametrize("route", [f"{ROOT}/thv", RUN])
def test_no_rule_of_axe_is_broken(route: str, base: Settings, shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, route, base)
    assert find_violations_in_both_modes(reader.page) == []
    reader.expect_no_sideways_scroll()


@widths
def test_link_to_an_option_lands_below_the_bar(base: Settings, shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, f"{RUN}#option-transport", settings(base))
    reader.expect_below_bar(reader.page.locator("#option-transport"), most=600)


def test_option_links_to_itself_by_key(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, RUN)
    reader.page.locator("#option-volume").focus()
    reader.press("Enter")
    reader.expect_at(f"{RUN}#option-volume")


def test_guides_lead_to_the_commands(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, "/category/using-the-toolhive-cli")
    reader.article.get_by_role("link", name="Command reference").click()
    reader.expect_at(f"{ROOT}/thv")
    reader.article.get_by_role("link", name="thv config", exact=True).first.click()
    reader.expect_at(f"{ROOT}/thv_config")


def test_sidebar_opens_on_the_command(shipped: Served, open_reader: OpenReader) -> None:
    reader = open_reader(shipped, f"{ROOT}/thv_secret_set")
    current = reader.sidebar.locator("[aria-current=page]")
    expect(current).to_have_text("thv secret set")
    expect(current).to_be_in_viewport()
