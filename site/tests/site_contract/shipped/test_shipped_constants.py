"""What the specification fixes for the site as a whole: its language, version, search and constants."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from octavo._version import __version__
from site_contract.shipped.conftest import Published

PAGE = "/codegate/features/muxing"


@pytest.fixture(scope="module")
def data(site: Published) -> dict[str, Any]:
    """What all pages share."""
    return site.shared(site.payload(PAGE)["site"])


def test_tagline_says_privacy_first_ai_code_generation(site: Published, data: dict[str, Any]) -> None:
    assert data["tagline"] == "Privacy-first AI code generation"
    assert data["tagline"] in re.sub(r"<[^>]+>", "", site.get("/").text)


def test_site_is_served_from_the_root_in_english_with_one_version_labelled_next(
    site: Published, data: dict[str, Any]
) -> None:
    assert (data["baseUrl"], data["locale"], data["versionName"], data["versionLabel"]) == (
        "/",
        "en",
        "current",
        "Next",
    )
    payload = site.payload(PAGE)
    assert (payload["versions"], payload["locales"]) == ([], [])
    assert '<html lang="en"' in site.get(PAGE).text


def test_site_has_its_version_and_names_its_generator(site: Published, data: dict[str, Any]) -> None:
    assert (data["siteVersion"], data["generator"]) == ("0.0.0", f"Octavo {__version__}")
    assert f'<meta name="generator" content="Octavo {__version__}">' in site.get(PAGE).text


def test_breadcrumbs_are_on(site: Published) -> None:
    assert [step["label"] for step in site.payload(PAGE)["breadcrumbs"]] == ["Features", "Model muxing"]
    assert '<nav class="breadcrumbs"' in site.get(PAGE).text


def test_mode_is_dark_at_first_with_a_switch_that_respects_the_system(site: Published, data: dict[str, Any]) -> None:
    assert data["colorMode"] == {"default": "dark", "respectsSystem": True, "hasSwitch": True}
    [boot] = re.findall(r'<script type="application/json" id="octavo-boot">(.*?)</script>', site.get(PAGE).text)
    assert (json.loads(boot)["mode"], json.loads(boot)["system"]) == ("dark", True)


def test_search_has_an_application_a_public_key_and_an_index(data: dict[str, Any]) -> None:
    search = data["search"]
    assert all(search[name] for name in ("appId", "apiKey", "indexName"))
    assert (search["placeholder"], search["resultsPerGroup"], search["pageHref"]) == ("Search docs", 5, "/search")


def test_bar_switches_between_the_products_and_leads_out(data: dict[str, Any]) -> None:
    items = data["navbar"]["items"]
    assert [(item["sidebarId"], item["href"]) for item in items if item["type"] == "section"] == [
        ("codegate", "/codegate/"),
        ("toolhive", "/toolhive/"),
    ]
    assert [item["icon"] for item in items if item["type"] == "link"] == ["github", "linkedin", "discord", "youtube"]


def test_docs_version_documents_and_sidebars_are_published(site: Published, data: dict[str, Any]) -> None:
    version = site.shared(data["docsVersion"])
    assert version.keys() == {"name", "label", "path", "isLast", "docs", "sidebars", "mainDocId", "draftIds"}
    assert {key for document in version["docs"] for key in document} == {"id", "path", "sidebar", "unlisted"}
    assert version["sidebars"].keys() == {"codegate", "toolhive"}


def test_record_of_search_has_the_fields_of_the_protocol(site: Published, data: dict[str, Any]) -> None:
    """Asked as the widget asks: everything of a record, and what belongs to an answer."""
    result = search(site, data, "muxing rules", hitsPerPage=20, clickAnalytics=True)
    assert {"hits", "nbHits", "queryID"} <= result.keys()
    assert len(result["hits"]) == result["hitsPerPage"] == 20
    for hit in result["hits"]:
        assert hit["hierarchy"].keys() == {f"lvl{level}" for level in range(7)}
        assert hit["type"] in {"content", *(f"lvl{level}" for level in range(1, 7))}
        assert {"url", "objectID", "content"} <= hit.keys()
        assert hit["url"].startswith("http://localhost:3000/")


def test_related_pages_can_be_asked_for(site: Published, data: dict[str, Any]) -> None:
    [hit] = search(site, data, "install", hitsPerPage=1)["hits"]
    request = {"objectID": hit["objectID"], "model": "related-products", "threshold": 0, "maxRecommendations": 3}
    [result] = ask(site, data, "recommendations", request)
    assert 1 <= len(result["hits"]) <= 3


def search(site: Published, data: dict[str, Any], query: str, **parameters: Any) -> dict[str, Any]:
    [result] = ask(site, data, "queries", {"query": query, **parameters})
    return dict(result)


def ask(site: Published, data: dict[str, Any], what: str, request: dict[str, Any]) -> list[dict[str, Any]]:
    body = {"requests": [{"indexName": data["search"]["indexName"], **request}]}
    return list(site.post(f"/1/indexes/*/{what}", body, data["search"])["results"])
