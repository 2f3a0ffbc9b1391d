"""Several sites behind one search API: each has its own index and key, and one request may ask several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from starlette.testclient import TestClient

from octavo.errors import ServeError
from octavo.server import create_app
from octavo.server.run import check_index_names
from tests.support.sites import MakeSite, SiteFolder, page

KEYS = {"shop": "key", "guide": "key", "secret": "another"}
"""Name of an index → its key."""


def credentials(key: str = "key") -> Mapping[str, str]:
    return {"x-algolia-application-id": "app", "x-algolia-api-key": key}


def site_named(make_site: MakeSite, name: str) -> SiteFolder:
    """Build a site of one page, about its own name."""
    settings = f'[search]\nindex_name = "{name}"\napp_id = "app"\napi_key = "{KEYS.get(name, "key")}"\n'
    site = make_site({"docs/index.md": page(f"The {name}", "Words about kilns.")}, settings, name)
    site.build()
    return site


@pytest.fixture
def client(make_site: MakeSite) -> Iterator[TestClient]:
    shop, *others = [site_named(make_site, name) for name in KEYS]
    with TestClient(create_app(shop.out, also_search=[site.out for site in others])) as opened:
        yield opened


def ask(client: TestClient, *names: str, key: str = "key") -> Any:
    requests = [{"indexName": name, "query": "kilns"} for name in names]
    return client.post("/1/indexes/*/queries", json={"requests": requests}, headers=credentials(key))


def titles(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [hit["hierarchy"]["lvl1"] for result in answer.json()["results"] for hit in result["hits"]]


def test_one_request_asks_several_indices(client: TestClient) -> None:
    assert titles(ask(client, "shop", "guide", "shop")) == ["The shop", "The guide", "The shop"]
    assert titles(ask(client, "guide_title_desc")) == ["The guide"]
    assert [result["index"] for result in ask(client, "shop", "guide").json()["results"]] == ["shop", "guide"]


def test_each_index_has_its_own_key(client: TestClient) -> None:
    assert ask(client, "secret").status_code == 403
    assert ask(client, "shop", "secret").status_code == 403
    assert titles(ask(client, "secret", key="another")) == ["The secret"]
    assert ask(client, "shop", key="another").status_code == 403
    single = client.post("/1/indexes/secret/query", json={"query": "kilns"}, headers=credentials())
    assert single.status_code == 403
    single = client.post("/1/indexes/secret/query", json={"query": "kilns"}, headers=credentials("another"))
    assert single.json()["nbHits"] == 1


def test_indices_are_listed_for_those_who_have_their_key(client: TestClient) -> None:
    def listed(key: str) -> list[str]:
        answer = client.get("/1/indexes", headers=credentials(key)).json()
        return [item["name"] for item in answer["items"] if "primary" not in item]

    assert listed("key") == ["shop", "guide"]
    assert listed("another") == ["secret"]


def test_records_settings_and_events_are_those_of_the_named_index(client: TestClient) -> None:
    hit = ask(client, "guide").json()["results"][0]["hits"][0]
    wanted = {"requests": [{"indexName": name, "objectID": hit["objectID"]} for name in ("guide", "secret")]}
    assert client.post("/1/indexes/*/objects", json=wanted, headers=credentials()).status_code == 403
    wanted["requests"].pop()
    answer = client.post("/1/indexes/*/objects", json=wanted, headers=credentials()).json()
    assert answer["results"][0]["url"] == hit["url"]
    assert client.get("/1/indexes/guide/settings", headers=credentials()).status_code == 200
    assert client.get("/1/indexes/unknown/settings", headers=credentials()).status_code == 404
    event = {"eventType": "view", "eventName": "Seen", "index": "guide", "userToken": "me", "objectIDs": ["1"]}
    assert client.post("/1/events", json={"events": [event]}, headers=credentials()).status_code == 200
    event["index"] = "unknown"
    assert client.post("/1/events", json={"events": [event]}, headers=credentials()).status_code == 422


def test_site_that_is_built_again_is_searched_anew(make_site: MakeSite) -> None:
    shop, guide = site_named(make_site, "shop"), site_named(make_site, "guide")
    with TestClient(create_app(shop.out, also_search=[guide.out], interval_s=0)) as opened:
        assert titles(ask(opened, "guide")) == ["The guide"]
        guide.write({"docs/index.md": page("New guide", "Words about kilns.")})
        guide.build()
        assert titles(ask(opened, "guide")) == ["New guide"]


def test_two_indices_of_one_name_are_refused(make_site: MakeSite) -> None:
    shop, guide = site_named(make_site, "shop"), site_named(make_site, "guide")
    check_index_names([shop.out, guide.out])
    with pytest.raises(ServeError, match=r"both call their search index shop\. Set another `index_name`"):
        check_index_names([shop.out, guide.out, shop.out])
    with pytest.raises(ServeError, match="contains no published site"):
        check_index_names([shop.out, shop.root / "nowhere"])
