"""Redirects: exact ones, and those of whole folders."""

from __future__ import annotations

import pytest

from octavo.site import Redirects

REDIRECTS = Redirects(
    {"/old/start": "/guides/quickstart"},
    {"/old/": "/guides/*", "/old/api/": "/reference", "/away/": "https://example.org/docs/*", "/moved/": "/*"},
)


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/old/start", "/guides/quickstart"),
        ("/old/other", "/guides/other"),
        ("/old/deep/er", "/guides/deep/er"),
        ("/old/", "/guides/"),
        ("/old", "/guides/"),
        ("/old/api/pets", "/reference"),
        ("/away/x", "https://example.org/docs/x"),
        ("/older", None),
        ("/", None),
    ],
)
def test_exact_redirect_goes_before_the_longest_folder(path: str, target: str | None) -> None:
    assert REDIRECTS.find(path) == target


@pytest.mark.parametrize("path", ["/moved//evil.example", "/moved///evil.example"])
def test_rest_of_a_path_never_names_a_host(path: str) -> None:
    assert REDIRECTS.find(path) == "/evil.example"


def test_known_paths_are_those_of_pages_and_those_that_were_published_once() -> None:
    known = ["/old/gone", "/elsewhere", "/old/start", "/old/../../etc"]
    assert Redirects({"/old/start": "/x"}, {"/old/": "/guides/*"}).sources_of(["/guides/a", "/b"], known) == {
        "/old/gone": "/guides/gone",
        "/old/a": "/guides/a",
    }
