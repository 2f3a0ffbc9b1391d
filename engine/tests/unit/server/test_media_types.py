"""Content types do not depend on the machine."""

from __future__ import annotations

import pytest

from octavo.server.media_types import is_compressible, media_type


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        ("a/index.html", "text/html; charset=utf-8"),
        ("a.mjs", "text/javascript; charset=utf-8"),
        ("a.webmanifest", "application/manifest+json"),
        ("LOGO.SVG", "image/svg+xml; charset=utf-8"),
        ("a.md", "text/markdown; charset=utf-8"),
        ("a.min.css", "text/css; charset=utf-8"),
        ("a.woff2", "font/woff2"),
        ("sitemap.xml", "application/xml; charset=utf-8"),
        ("opensearch.xml", "application/opensearchdescription+xml; charset=utf-8"),
        ("CNAME", "application/octet-stream"),
        (".well-known", "application/octet-stream"),
        ("a.b/c", "application/octet-stream"),
        ("a.unheard-of", "application/octet-stream"),
    ],
)
def test_content_type_is_named_by_the_suffix(path, content_type):
    assert media_type(path) == content_type


@pytest.mark.parametrize(("path", "answer"), [("a.svg", True), ("a.json", True), ("a.png", False), ("a.woff2", False)])
def test_only_what_gets_smaller_is_compressed(path, answer):
    assert is_compressible(path) is answer
