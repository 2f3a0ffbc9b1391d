from __future__ import annotations

import pytest

from bench.pages import find_page, missing_pages, route_of


def test_page_may_be_a_file_or_a_folder() -> None:
    assert missing_pages(["a/b.md", "a/c.mdx"], ["a/b.html", "a/c/index.html"]) == []


def test_index_page_is_the_page_of_its_folder() -> None:
    assert missing_pages(["index.md", "a/index.md"], ["index.html", "a/index.html"]) == []


def test_case_of_a_path_does_not_count() -> None:
    assert missing_pages(["API/App.md"], ["api/app/index.html"]) == []


def test_page_of_another_folder_does_not_count() -> None:
    assert missing_pages(["a/b.md"], ["b.html", "c/b.html"]) == ["a/b.md"]


def test_number_that_orders_files_may_be_dropped() -> None:
    assert missing_pages(["ps101/02-help.md"], ["ps101/help.html"]) == []
    assert missing_pages(["ps101/02-help.md"], ["ps101/02-help/index.html"]) == []


def test_page_is_found_in_the_case_in_which_it_was_written() -> None:
    assert find_page("api/app.md", ["index.html", "API/App.html"]) == "API/App.html"
    assert find_page("api/menu.md", ["index.html", "API/App.html"]) is None


@pytest.mark.parametrize(
    ("page", "route"),
    [("index.html", "/"), ("a/index.html", "/a/"), ("a/b.html", "/a/b"), ("reindex.html", "/reindex")],
)
def test_route_is_the_page_without_its_suffix(page: str, route: str) -> None:
    assert route_of(page) == route
