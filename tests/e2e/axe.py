"""Ask axe whether a page is accessible."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from .pages import AT_REST

_SCRIPT = Path(__file__).parents[2] / "engine" / "theme" / "node_modules" / "axe-core" / "axe.min.js"

# No enabled rule fetches the style sheets again.
_RUN = """within => axe.run(within, { resultTypes: ["violations"], preload: false })"""

_ENHANCED = """() => axe.run("html", {
  resultTypes: ["violations"],
  preload: false,
  runOnly: { type: "rule", values: ["color-contrast-enhanced"] },
})"""

# No rule objects to a picture that is missing.
_BARE_ICONS = """() => [...document.querySelectorAll(".icon")]
  .filter((icon) => icon.checkVisibility())
  .filter((icon) => [...icon.children].every((path) => !path.checkVisibility() || !path.getAttribute("d")))
  .map((icon) => icon.getAttribute("class"))"""


@cache
def _script() -> str:
    if not _SCRIPT.is_file():
        pytest.fail(f"{_SCRIPT} is missing; `npm ci` in engine/theme installs it.")
    return _SCRIPT.read_text(encoding="utf-8")


def _load(page: Page) -> None:
    # A transition half-way has colors of its own.
    page.wait_for_function(AT_REST)
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_script())


def _broken(outcome: dict[str, Any]) -> list[str]:
    return [
        f"{violation['id']}: {node['target'][0]}: {' '.join(node['failureSummary'].split())}"
        for violation in outcome["violations"]
        for node in violation["nodes"]
    ]


def find_violations(page: Page, within: str = "html") -> list[str]:
    """Run all rules of axe over the page in its current state.

    Args:
        page: The page.
        within: A part of it, as a selector, where the rest is looked at elsewhere: a large page takes some ten seconds.

    Returns:
        For each place that breaks a rule: the rule, the element, what is wrong with it. So for icons without a picture.
    """
    _load(page)
    outcome: dict[str, Any] = page.evaluate(_RUN, within)
    bare: list[str] = page.evaluate(_BARE_ICONS)
    return [f"icon without a picture: {icon}" for icon in bare] + _broken(outcome)


def find_violations_in_both_modes(page: Page, within: str = "html") -> list[str]:
    """Run all rules of axe in light mode and in dark, on the page of a reader who follows the system.

    Returns:
        As `find_violations`, each behind the name of its mode.
    """
    found = []
    modes: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
    for mode in modes:
        page.emulate_media(color_scheme=mode)
        expect(page.locator("html")).to_have_attribute("data-theme", mode)
        found += [f"{mode}: {violation}" for violation in find_violations(page, within)]
    return found


def find_weak_text_in_both_modes(page: Page) -> list[str]:
    """Find text below the contrast of level AAA (7:1), of a reader who prefers more contrast.

    Returns:
        As `find_violations`, each behind the name of its mode.
    """
    found = []
    modes: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
    for mode in modes:
        page.emulate_media(color_scheme=mode, contrast="more")
        expect(page.locator("html")).to_have_attribute("data-theme", mode)
        _load(page)
        found += [f"{mode}: {violation}" for violation in _broken(page.evaluate(_ENHANCED))]
    return found
