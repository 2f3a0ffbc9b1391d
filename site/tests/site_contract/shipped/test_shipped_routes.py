"""Every route that the specification lists is a page, in the sidebar of its product, open to everybody."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import unquote, urljoin

import pytest

from site_contract.shipped.conftest import Published
from site_contract.test_commands_of_site import NAMES

GATEWAY = """
/codegate/
/codegate/about/ /codegate/about/changelog /codegate/about/contributing /codegate/about/faq
/codegate/development/
/codegate/features/ /codegate/features/dependency-risk /codegate/features/muxing /codegate/features/secrets-redaction
/codegate/features/security-reviews /codegate/features/workspaces
/codegate/how-to/ /codegate/how-to/configure /codegate/how-to/dashboard /codegate/how-to/install
/codegate/how-to/troubleshooting
/codegate/integrations/ /codegate/integrations/aider /codegate/integrations/avante /codegate/integrations/cline
/codegate/integrations/continue /codegate/integrations/copilot /codegate/integrations/kodu
/codegate/integrations/open-interpreter
/codegate/quickstart
/codegate/quickstart-continue
/codegate/reference/api
"""
TOOL = """
/toolhive/
/toolhive/quickstart
/category/using-the-toolhive-cli
/toolhive/concepts/mcp-primer /toolhive/concepts/registry-criteria
/toolhive/how-to/ /toolhive/how-to/api-server /toolhive/how-to/client-configuration /toolhive/how-to/custom-permissions
/toolhive/how-to/install /toolhive/how-to/manage-mcp-servers /toolhive/how-to/registry /toolhive/how-to/run-mcp-servers
/toolhive/how-to/secrets-management
/toolhive/kubernetes /toolhive/kubernetes/intro /toolhive/kubernetes/deploy-operator-helm
/toolhive/kubernetes/run-mcp-k8s
/toolhive/tutorials/toolhive-operator
/toolhive/reference/api
/toolhive/reference/client-compatibility
"""
COMMANDS = [f"/toolhive/reference/cli/{name}" for name in NAMES.split()]
SIDEBARS = (
    dict.fromkeys(GATEWAY.split(), "codegate")
    | dict.fromkeys([*TOOL.split(), *COMMANDS], "toolhive")
    | {"/theme-preview": "codegate", "/": None, "/search": None}
)
WORD = re.compile(r"\w+")
FEWEST_WORDS = 20
FEWEST_PAGES = 140


@pytest.mark.parametrize("route", SIDEBARS)
def test_route_is_a_page_in_its_sidebar(site: Published, route: str) -> None:
    answer = site.get(route)
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    [heading] = re.findall(r"<h1[^>]*>(.*?)</h1>", answer.text, re.DOTALL)
    assert WORD.search(re.sub(r"<[^>]+>", "", heading))
    article = re.sub(r"<[^>]+>", " ", answer.text.partition("<main")[2].partition("</main>")[0])
    assert len(WORD.findall(article)) >= FEWEST_WORDS
    payload = site.payload(route)
    assert payload["path"] == route
    assert (payload["sidebar"] and site.shared(payload["sidebar"])["id"]) == SIDEBARS[route]


def test_all_87_are_in_the_manifest(site: Published) -> None:
    assert SIDEBARS.keys() - site.manifest().routes.keys() == set()
    assert len(SIDEBARS) == 87


def test_each_document_is_in_exactly_one_of_two_sidebars(site: Published) -> None:
    found = {name: site.shared(site.payload(f"/{name}/")["sidebar"]) for name in ("codegate", "toolhive")}
    listed = {name: set(re.findall(r"'href': '(/[^']*)'", str(sidebar))) for name, sidebar in found.items()}
    assert listed["codegate"] & listed["toolhive"] == set()
    assert listed["codegate"] >= set(GATEWAY.split())
    assert listed["toolhive"] >= {*TOOL.split(), *COMMANDS}


def test_categories_stay_as_they_are_when_another_is_opened(site: Published) -> None:
    """No setting collapses siblings, and none hides a sidebar: the payload knows neither."""
    categories = [
        item for item in site.shared(site.payload("/toolhive/")["sidebar"])["items"] if item["type"] == "category"
    ]
    assert categories
    assert {key for item in categories for key in item} == {
        "type",
        "label",
        "href",
        "isCollapsed",
        "isCollapsible",
        "className",
        "icon",
        "items",
    }


@pytest.mark.parametrize("path", ["/nothing", "/codegate/nothing", "/toolhive/how-to/install/deeper", "/x.html"])
def test_unknown_path_shows_the_not_found_page(site: Published, path: str) -> None:
    answer = site.get(path)
    assert answer.status == 404
    assert "<h1>Page Not Found</h1>" in re.sub(r"<h1[^>]*>", "<h1>", answer.text)


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/index.html", "/"),
        ("/codegate/index.html", "/codegate/"),
        ("/toolhive/quickstart.html", "/toolhive/quickstart"),
        ("/toolhive/quickstart/index.html", "/toolhive/quickstart"),
        ("/search.html?q=mux", "/search?q=mux"),
    ],
)
def test_file_name_is_taken_off_an_address(site: Published, path: str, route: str) -> None:
    answer = site.get(path)
    assert (answer.status, answer.headers["location"]) == (308, route)


def test_everybody_may_read_and_nobody_is_known(site: Published) -> None:
    """No page asks for a password or sets a cookie."""
    for route in SIDEBARS:
        answer = site.get(route)
        assert "set-cookie" not in answer.headers
        assert "www-authenticate" not in answer.headers
        assert 'type="password"' not in answer.text


REFERENCE = re.compile(r"<(?:a|link|script|img|source)\b[^>]*?\s(?:href|src)=\"(?P<address>[^\"]*)\"")
SKIPPED = re.compile(r"https?:|mailto:|data:")


def test_server_answers_every_reference_of_every_page(site: Published) -> None:
    """Links, scripts, styles and pictures of all pages, asked for once each; anchors are compared with the page's ids."""
    waiting, ids, anchors, wrong = ["/", "/search"], {}, set(), []
    seen = set(waiting)
    while waiting:
        address = waiting.pop()
        answer = site.get(address)
        if answer.status != 200:
            wrong.append(f"{address}: {answer.status}")
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        ids[address] = set(re.findall(r'\sid="([^"]*)"', answer.text))
        for match in REFERENCE.finditer(answer.text):
            if SKIPPED.match(match["address"]):
                continue
            target, _, anchor = urljoin(address, unescape(match["address"])).partition("#")
            anchors.add((address, target, unquote(anchor)))
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    assert wrong == []
    assert len(ids) >= FEWEST_PAGES
    lost = [
        (page, target, anchor) for page, target, anchor in anchors if anchor and anchor not in ids.get(target, {anchor})
    ]
    assert lost == []


def test_index_without_suffix_is_no_address(site: Published) -> None:
    """Only `index.html` and `.html` are taken off an address; `/codegate/index` is a path like any unknown one."""
    assert site.get("/codegate/index").status == 404
