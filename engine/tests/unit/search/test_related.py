from __future__ import annotations

import pytest

from engine.tests.unit.search.conftest import MakeIndex
from octavo.search.protocol.related import related_pages


@pytest.mark.parametrize("most", [1, 3])
def test_no_more_pages_are_given_than_are_asked_for(make_index: MakeIndex, most: int) -> None:
    index = make_index({f"Kiln {number}": "Fires clay." for number in range(6)})
    page = index.answer("kiln 1")["hits"][0]["objectID"]
    asked = {"model": "related-products", "objectID": page, "maxRecommendations": most}
    answer = related_pages(index.engine, asked)
    assert answer["nbHits"] == most
    assert answer["hitsPerPage"] == most
