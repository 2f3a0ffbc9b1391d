"""Operations of an API description are found by what readers call them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from octavo.search.index.tantivy_index import IndexReader
from octavo.search.query.parameters import parse_parameters
from octavo.search.ranking.engine import Engine
from tests.support.sites import HOME, MakeSite, SiteFolder, page

TABLE = '[[openapi]]\nid = "shop"\ndoc = "api"\nspec = "shop.json"\n'

GUIDE = page(
    "Count things",
    "A shop that knows what it has sells more. Count on Sundays, when nobody buys.\n\n"
    "## From a program\n\nThe client has a function for each request: with `takeStock` you get all of it at once.\n\n"
    "```js\nconst all = await client.takeStock();\n```\n",
)


def operation(summary: str = "", **more: Any) -> dict[str, Any]:
    return {"responses": {"200": {"description": "Fine."}}, **({"summary": summary} if summary else {}), **more}


PATHS = {
    "/kilns": {
        "get": operation("Everything that burns", operationId="takeStock", tags=["Stock"]),
        "post": operation("Buy one more", operationId="stock_add_new", tags=["Stock"]),
    },
    "/kilns/broken": {"delete": operation("Break it", operationId="shop/break-kiln", tags=["Stock", "Loss"])},
    "/ashes": {"get": operation(operationId="sweepAshes")},
    "/heat": {"put": operation("Turn it up")},
}


def make_shop(make_site: MakeSite, layout: str) -> SiteFolder:
    description = {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": PATHS}
    content = {**HOME, "docs/stock.md": GUIDE, "shop.json": json.dumps(description)}
    site = make_site(content, f'{TABLE}layout = "{layout}"\n')
    assert site.check() == []
    return site


def hits(site: SiteFolder, query: str) -> list[str]:
    """Search; each hit as the title of its page, and the headings below it."""
    found = Engine(IndexReader(site.out / site.manifest().search)).search(parse_parameters({"query": query})).ranked
    return [" / ".join(filter(None, hit.candidate.record.hierarchy[1:])) for hit in found]


QUERIES = {
    "takeStock": "Everything that burns",
    "stock_add_new": "Buy one more",
    "stock add new": "Buy one more",
    "shop/break-kiln": "Break it",
    "break kiln": "Break it",
    "sweepAshes": "Sweep ashes",
    "sweep ashes": "Sweep ashes",
    "/ashes": "Sweep ashes",
    "turn it up": "Turn it up",
    "PUT /heat": "Turn it up",
}


@pytest.mark.parametrize("layout", ["page", "tags", "operations"])
def test_operation_is_the_first_hit_for_its_id_its_path_and_its_summary(layout: str, make_site: MakeSite) -> None:
    site = make_shop(make_site, layout)
    found = {query: hits(site, query)[:1] for query in QUERIES}
    assert {query: found[query] for query, title in QUERIES.items() if title not in str(found[query])} == {}
    assert "Everything that burns" in str(hits(site, "takestock")[:2])  # after the guide that explains it
