"""What a reader does on a page, in Firefox and WebKitGTK, in a wide and in a narrow window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.engines import Browser, wait_for
from tests.support.serving import Served

from .api_server import serve_api
from .engines import ENGINES, NARROW, SIZE, open_engine, visit
from .pages import AT_REST

IS_WIDE = "innerWidth >= 996"
NO_DIALOG = "document.querySelector('dialog[open]') === null"


@pytest.fixture(scope="module", params=ENGINES)
def window(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with open_engine(request.param, tmp_path_factory.mktemp(request.param)) as opened:
        yield opened


@pytest.fixture(params=[SIZE, NARROW], ids=["wide", "narrow"])
def browser(request: pytest.FixtureRequest, window: Browser) -> Browser:
    window.resize(*request.param)
    wait_for(window, f"({IS_WIDE}) === arguments[0]", request.param == SIZE)
    return window


def focused(selector: str) -> str:
    return f"document.activeElement?.matches({selector!r})"


def test_hit_is_chosen_by_arrows_and_opened(browser: Browser, shipped: Served) -> None:
    visit(browser, shipped, "/codegate/features/muxing")
    browser.click(".search-button")
    wait_for(browser, focused("[role=combobox]"))
    browser.press("workspace")
    wait_for(browser, "document.querySelectorAll('[role=option]').length > 2")
    # Those of the whole word: hits that come later, for more letters, would start the choice anew.
    wait_for(
        browser,
        "[...document.querySelectorAll('[role=option] mark')].some((mark) => /^workspaces?$/i.test(mark.textContent))",
    )
    active = "document.querySelector('[role=option][aria-selected=true]')"
    browser.press("ArrowDown")
    first = wait_for(browser, f"{active}?.id")
    browser.press("ArrowDown")
    second = wait_for(browser, f"{active}?.id !== arguments[0] && {active}?.id", first)
    browser.press("ArrowUp")
    wait_for(browser, f"{active}?.id === arguments[0]", first)
    browser.press("ArrowDown")
    wait_for(browser, f"{active}?.id === arguments[0]", second)
    wanted = browser.run(f"return new URL({active}.href).pathname")
    browser.press("Enter")
    wait_for(browser, f"location.pathname === arguments[0] && {NO_DIALOG}", wanted)


def test_escape_returns_the_focus_to_the_search_button(browser: Browser, shipped: Served) -> None:
    visit(browser, shipped, "/codegate/features/muxing")
    browser.run("document.querySelector('.search-button').focus()")
    browser.press("Enter")
    wait_for(browser, focused("[role=combobox]"))
    browser.press("Escape")
    wait_for(browser, NO_DIALOG)
    wait_for(browser, focused(".search-button"))


def test_forward_restores_the_scroll_position_too(browser: Browser, shipped: Served) -> None:
    visit(browser, shipped, "/codegate/features/muxing")
    link = ".prose a[href='/codegate/features/workspaces']"
    browser.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center', behavior: 'instant' })", link)
    browser.click(link)
    wait_for(browser, "location.pathname === '/codegate/features/workspaces' && scrollY === 0")
    wait_for(browser, "document.querySelector('h1').textContent.includes('Workspaces')")
    browser.run("scrollTo({ top: 300, behavior: 'instant' })")
    browser.back()
    in_view = f"document.querySelector({link!r})?.getBoundingClientRect().top"
    wait_for(
        browser, f"location.pathname === '/codegate/features/muxing' && {in_view} > 100 && {in_view} < innerHeight"
    )
    browser.forward()
    wait_for(browser, "location.pathname === '/codegate/features/workspaces' && Math.abs(scrollY - 300) < 3")


def test_contents_lead_to_their_headings_and_back(browser: Browser, shipped: Served) -> None:
    visit(browser, shipped, "/codegate/features/muxing")
    if not browser.run(f"return {IS_WIDE}"):
        browser.click(".toc-button")
    link = browser.run(
        "return [...document.querySelectorAll('.toc a')].filter((one) => one.checkVisibility()).at(-1).hash"
    )
    browser.click(f".toc a[href$='{link}']")
    top = f"document.querySelector({link!r}).getBoundingClientRect().top"
    in_view = f"location.hash === {link!r} && {top} > 55 && {top} < innerHeight"
    wait_for(browser, in_view)
    wait_for(browser, f"document.querySelector('.toc a[aria-current]')?.hash === {link!r} || !({IS_WIDE})")
    browser.back()
    wait_for(browser, "location.hash === '' && scrollY < 5")


def test_drawer_leads_to_a_page_and_closes(browser: Browser, shipped: Served) -> None:
    visit(browser, shipped, "/codegate/")
    if browser.run(f"return {IS_WIDE}"):
        browser.click("nav.sidebar a[href='/codegate/quickstart']")
    else:
        browser.run("document.querySelector('.drawer-button').focus()")
        browser.press("Enter")
        wait_for(browser, "document.querySelector('dialog.drawer[open]')?.contains(document.activeElement)")
        browser.press("Escape")
        wait_for(browser, NO_DIALOG)
        wait_for(browser, focused(".drawer-button"))
        browser.press("Enter")
        link = "dialog.drawer a[href='/codegate/quickstart']"
        wait_for(browser, f"document.querySelector({link!r})?.checkVisibility()")
        wait_for(browser, f"({AT_REST})()")
        browser.click(link)
    wait_for(browser, f"location.pathname === '/codegate/quickstart' && {NO_DIALOG}")


def test_choice_of_tab_and_color_mode_outlive_a_reload(browser: Browser, editions: Served) -> None:
    visit(browser, editions, "/constructs")
    wait_for(browser, "document.querySelector('.tabs')?.hasAttribute('data-live')")
    tabs = "document.querySelectorAll('.tabs')[0].querySelectorAll('[role=tab]')"
    browser.run(f"{tabs}[1].scrollIntoView({{ block: 'center', behavior: 'instant' }}); {tabs}[1].click()")
    wait_for(browser, f"{tabs}[1].ariaSelected === 'true'")
    before = browser.run("return document.documentElement.dataset.themeChoice")
    browser.click(".color-mode-toggle")
    chosen = wait_for(
        browser,
        "document.documentElement.dataset.themeChoice !== arguments[0] && document.documentElement.dataset.themeChoice",
        before,
    )
    browser.reload()
    wait_for(browser, "document.documentElement.dataset.hydrated")
    assert browser.run("return document.documentElement.dataset.themeChoice") == chosen
    wait_for(browser, f"{tabs}[1].ariaSelected === 'true' && {tabs}[0].ariaSelected === 'false'")
    browser.run("localStorage.clear()")


def test_code_is_copied(browser: Browser, editions: Served) -> None:
    visit(browser, editions, "/constructs")
    wait_for(browser, "document.querySelector('figure.code .code-buttons button')")
    browser.run("document.querySelector('figure.code').scrollIntoView({ block: 'center', behavior: 'instant' })")
    browser.click("figure.code .code-buttons button:last-child")
    wait_for(browser, "document.querySelector('.code-buttons button:last-child').ariaLabel === 'Copied'")


def test_picture_is_enlarged_and_closed(browser: Browser, editions: Served) -> None:
    visit(browser, editions, "/constructs")
    browser.run(
        "document.querySelector('img[alt^=\"A shelf\"]').scrollIntoView({ block: 'center', behavior: 'instant' })"
    )
    image = "img.zoomable[alt^='A shelf']"
    wait_for(browser, f'document.querySelector("{image}")')
    browser.click(image)
    wait_for(browser, "document.querySelector('dialog.zoom[open] img')?.naturalWidth > 0")
    wait_for(browser, f"({AT_REST})()")
    browser.run("document.querySelector('dialog.zoom').scrollTo(10000, 0)")
    button = "document.querySelector('dialog.zoom button').getBoundingClientRect()"
    assert browser.run(f"const {{ left, right }} = {button}; return left > 0 && right <= innerWidth")
    browser.click("dialog.zoom button")
    wait_for(browser, f'{NO_DIALOG} && document.activeElement?.matches("{image}")')


def test_drawing_is_enlarged_and_closed(browser: Browser, shipped: Served) -> None:
    visit(browser, shipped, "/theme-preview")
    wait_for(browser, "document.querySelector('.diagram-view')")
    browser.run("document.querySelector('.diagram-view').style.inlineSize = '120px'")
    browser.run("document.querySelector('.diagram-view').scrollIntoView({ block: 'center', behavior: 'instant' })")
    wait_for(browser, "document.querySelector('.diagram-enlarge')?.checkVisibility()")
    browser.click(".diagram-enlarge")
    wait_for(
        browser, "document.querySelector('.diagram-dialog[open] .diagram-drawing')?.getBoundingClientRect().width > 120"
    )
    browser.press("Escape")
    wait_for(browser, f"{NO_DIALOG} && document.querySelector('.diagram-view .diagram-drawing') !== null")


def test_answer_to_the_question_is_thanked_for(browser: Browser, editions: Served) -> None:
    visit(browser, editions, "/install")
    browser.click(".feedback button")
    wait_for(browser, "document.querySelector('.page-footer').textContent.includes('Thank you for your answer.')")
    assert browser.run("return location.pathname") == "/install"


def test_menu_of_the_page_opens_and_closes(browser: Browser, editions: Served) -> None:
    visit(browser, editions, "/install")
    browser.click(".page-menu summary")
    wait_for(browser, "document.querySelector('.page-menu a')?.checkVisibility()")
    box = "document.querySelector('.page-menu ul').getBoundingClientRect()"
    assert browser.run(f"const {{ left, right }} = {box}; return left >= 0 && right <= innerWidth")
    browser.press("Escape")
    wait_for(browser, f"!document.querySelector('.page-menu a').checkVisibility() && {focused('.page-menu summary')}")


def test_keys_are_shown(browser: Browser, editions: Served) -> None:
    visit(browser, editions, "/install")
    browser.run("document.querySelector('.prose a').focus()")
    browser.press("?")
    wait_for(browser, "document.querySelector('.help-dialog[open]')?.textContent.includes('Search')")
    browser.press("Escape")
    wait_for(browser, f"{NO_DIALOG} && {focused('.prose a')}")


def test_term_is_explained(browser: Browser, editions: Served) -> None:
    visit(browser, editions, "/install")
    browser.run("document.querySelector('.term').focus()")
    browser.press("Enter")
    wait_for(browser, "document.querySelector('.term-meaning')?.checkVisibility()")
    box = "document.querySelector('.term-meaning').getBoundingClientRect()"
    assert browser.run(
        f"const {{ left, right, top, bottom }} = {box};"
        " return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight"
    )
    browser.press("Escape")
    wait_for(browser, "!document.querySelector('.term-meaning')?.checkVisibility()")


def test_rows_of_a_table_are_filtered(browser: Browser, shipped: Served) -> None:
    visit(browser, shipped, "/toolhive/reference/registry-servers")
    rows = "[...document.querySelectorAll('.filter-rows tbody tr')].filter((row) => row.checkVisibility()).length"
    all_rows = wait_for(browser, rows)
    field = ".filter-rows input"
    wait_for(browser, f"document.querySelector({field!r})")
    browser.click(field)
    browser.press("database")
    wait_for(browser, f"{rows} > 0 && {rows} < arguments[0]", all_rows)


def test_request_is_sent_by_the_console(browser: Browser, shipped: Served) -> None:
    with serve_api() as api:
        visit(browser, shipped, "/codegate/reference/api/workspaces/v1-list-workspaces")
        browser.click("button.api-try")
        wait_for(browser, "document.querySelector('.api-console input')")
        browser.run(
            """
            const field = document.querySelector(".api-console input");
            Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, arguments[0]);
            field.dispatchEvent(new Event("input", { bubbles: true }));
            """,
            api.url,
        )
        browser.click(".api-console-confirm input")
        wait_for(browser, "!document.querySelector('.api-console button[type=submit]').disabled")
        browser.click(".api-console button[type=submit]")
        wait_for(browser, "document.querySelector('.api-console-answer')?.textContent.includes('200 OK')")


def test_language_of_samples_is_one_choice(browser: Browser, shipped: Served) -> None:
    visit(browser, shipped, "/codegate/reference/api/workspaces/v1-update-workspace")
    choice = "document.querySelector('.api-side .api-tabs')"
    browser.run(f"{choice}.scrollIntoView({{ block: 'center', behavior: 'instant' }})")
    browser.click(".api-side .api-tabs label:nth-child(2)")
    shown = "[...document.querySelectorAll('.api-side figure.code')].find((one) => one.checkVisibility())"
    wait_for(browser, f"{shown}?.dataset.language === 'python'")
    browser.reload()
    wait_for(browser, "document.documentElement.dataset.hydrated")
    wait_for(browser, f"{shown}?.dataset.language === 'python'")
    browser.run("localStorage.clear()")
