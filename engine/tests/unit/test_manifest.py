"""The manifest is checked once, so that nothing after it has to doubt a name."""

from __future__ import annotations

import msgspec
import pytest

from octavo.errors import ServeError
from octavo.manifest import is_hashed, parse_manifest, payload_file
from tests.support.published import FILES, make_manifest


def parse(files=FILES, **changes):
    return parse_manifest(msgspec.json.encode(make_manifest(files, **changes)))


def test_manifest_is_read_as_it_was_written():
    assert parse() == make_manifest()


@pytest.mark.parametrize(
    "path", ["../secret", "/etc/passwd", "a/../b", "a//b", "a/./b", "", "a\\b", "a\x00b", "a\nb", "a/"]
)
def test_file_that_would_leave_the_folder_is_refused(path):
    with pytest.raises(ServeError, match="file"):
        parse(files=FILES | {path: b""})


@pytest.mark.parametrize(
    "target", ["//evil.example", "/\\evil.example", "javascript:alert(1)", "codegate", "/a\r\nb", ""]
)
def test_redirect_to_anything_but_a_path_or_an_address_is_refused(target):
    with pytest.raises(ServeError, match="redirect"):
        parse(redirects={"/x": target})


@pytest.mark.parametrize("route", ["codegate", "//codegate", "/a\\b"])
def test_route_that_is_no_path_is_refused(route):
    with pytest.raises(ServeError, match="route"):
        parse(routes={route: "index.html"})


def test_route_to_a_file_that_was_not_published_is_refused():
    with pytest.raises(ServeError) as caught:
        parse(routes={"/x": "x.html"})
    assert str(caught.value) == '_octavo/manifest.json: the route "/x" cannot be served. Build the site again.'


@pytest.mark.parametrize("base_url", ["", "docs", "/docs", "//evil.example/", "/a\\b/"])
def test_base_url_without_its_slashes_is_refused(base_url):
    with pytest.raises(ServeError, match="base URL"):
        parse(base_url=base_url)


@pytest.mark.parametrize("changes", [{"not_found": "x.html"}, {"not_found_by_locale": {"pt": "x.html"}}])
def test_not_found_page_must_be_published(changes):
    with pytest.raises(ServeError, match="not-found page"):
        parse(**changes)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"build": 1}', b"\xff"])
def test_what_is_no_manifest_is_refused(data):
    with pytest.raises(ServeError, match="cannot be read"):
        parse_manifest(data)


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("_octavo/app.0123.js", True),
        ("_octavo/img/logo.0123.png", True),
        ("_octavo/pages/index.json", False),
        ("_octavo/manifest.json", False),
        ("img/logo.svg", False),
    ],
)
def test_hashed_files_are_those_of_the_engine(path, answer):
    assert is_hashed(path) is answer


@pytest.mark.parametrize(
    ("route", "file"),
    [
        ("/", "_octavo/pages/index.json"),
        ("/a/b", "_octavo/pages/a/b.json"),
        ("/a/b/", "_octavo/pages/a/b/index.json"),
        ("/a/b.html", "_octavo/pages/a/b.json"),
        ("/v1.2", "_octavo/pages/v1.2.json"),
    ],
)
def test_payload_is_found_from_a_link_with_or_without_the_ending_of_the_file(route, file):
    assert payload_file(route) == file
