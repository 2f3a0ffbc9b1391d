"""The content security policy: what it is made of."""

from __future__ import annotations

import base64
import hashlib

import pytest

from octavo.rendering.csp import scan_needs
from tests.support.sites import HOME, MakeSite, SiteFolder, page

BASE = {
    "default-src": ["'self'"],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "media-src": ["'self'"],
    "connect-src": ["'self'"],
    "frame-src": ["'self'"],
    "object-src": ["'none'"],
    "base-uri": ["'self'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'self'"],
}


def sha(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def policy(site: SiteFolder) -> dict[str, list[str]]:
    """Build and read the policy, as directive → sources; the scripts of the theme left out."""
    assert site.build().is_published
    parts = (part.split(" ") for part in site.manifest().content_policy.split("; "))
    return {directive: sources for directive, *sources in parts if directive != "script-src"}


@pytest.mark.parametrize(
    ("html", "needs"),
    [
        ("<p>Nothing</p>", []),
        ("<pre>&lt;script&gt;x&lt;/script&gt; style=</pre>", []),
        ("<script>run()</script>", [f"script-src {sha('run()')}"]),
        ('<script type="application/ld+json">{}</script>', []),
        ('<script src="/own.js"></script>', []),
        ('<script src="https://cdn.example/x.js"></script>', ["script-src https://cdn.example"]),
        ("<style>p { color: red }</style>", [f"style-src {sha('p { color: red }')}"]),
        ('<p style="a: &quot;b&quot;">', ["style-src 'unsafe-hashes'", "style-src " + sha('a: "b"')]),
        ('<p>style = 1</p><b title="a<i style=b" style="c">', ["style-src 'unsafe-hashes'", f"style-src {sha('c')}"]),
        ('<p title="style=a"><b class="c">on = off</b> style=', []),
        ('<p\n style="a"><i STYLE="b">', ["style-src 'unsafe-hashes'", f"style-src {sha('a')}", f"style-src {sha('b')}"]),
        ('<!-- <p style="a"> --><p style="b">', ["style-src 'unsafe-hashes'", f"style-src {sha('b')}"]),
        ('<p style="a"><img src="&#47;/a.example/b"><img srcSet="//b.example/c">', ["img-src a.example", "img-src b.example", "style-src 'unsafe-hashes'", f"style-src {sha('a')}"]),
        ("<b onclick='x()'>", ["script-src 'unsafe-hashes'", f"script-src {sha('x()')}"]),
        ('<b oNclick="x()">', ["script-src 'unsafe-hashes'", f"script-src {sha('x()')}"]),
        ('<img href="https://a.example" src = //b.example/c.png>', ["img-src b.example"]),
        ('<svg><image href="https://a.example/b.png"/></svg>', ["img-src https://a.example"]),
        ('<img src="https://img.example:8443/a/b.png" alt="">', ["img-src https://img.example:8443"]),
        ('<img src="/a.png" srcset="https://a.example/1 1x, //b.example/2 2x">', ["img-src b.example", "img-src https://a.example"]),
        ('<img src="/a.png" srcset="https://e.example/w_1,//f.example/2 1x">', ["img-src https://e.example"]),
        ('<img src="/a.png" srcset="/a 1x, https://c.example/2 2x">', ["img-src https://c.example"]),
        ('<iframe src="https://video.example/1">', ["frame-src https://video.example"]),
        ('<link rel="stylesheet" href="https://css.example/a.css">', ["style-src https://css.example"]),
        ('<a href="https://example.org">', []),
        ("<!-- <script>x</script> -->", []),
        ('<img src="https://a.example;script-src">', []),
        ('<img src="//a.example;script-src *">', []),
        ('<img src="https://a.example/w_1,h_2/a;b.png">', ["img-src https://a.example"]),
    ],
)  # fmt: skip
def test_html_tells_what_it_needs(html: str, needs: list[str]) -> None:
    assert scan_needs(html) == sorted(needs)


def test_site_that_needs_nothing_gets_the_strictest(make_site: MakeSite) -> None:
    site = make_site(HOME)
    assert policy(site) == BASE
    inline = site.html("/").split("<script>")[1:]
    text = site.manifest().content_policy
    assert inline
    assert all(sha(part.partition("</script>")[0]) in text for part in inline)
    assert "unsafe" not in text


def test_settings_open_what_they_need(make_site: MakeSite) -> None:
    config = """
content_policy = { script-src = ["https://chat.example"], worker-src = ["blob:"] }
[search]
hosts = ["https://search.example/path"]
[search.insights]
is_enabled = true
script = "cdn"
cdn_url = "https://cdn.example/x.js"
host = "https://insights.example"
[analytics]
google = "G-1"
endpoint = "https://count.example/v"
needs_consent = true
consent_script = "https://consent.example/c.js"
"""
    site = make_site(HOME, config)
    opened = policy(site)
    assert opened["connect-src"] == [
        "'self'",
        "https://*.analytics.google.com",
        "https://*.google-analytics.com",
        "https://count.example",
        "https://insights.example",
        "https://search.example",
        "https://www.googletagmanager.com",
    ]
    assert opened["worker-src"] == ["'self'", "blob:"]
    script = site.manifest().content_policy.partition("script-src ")[2].partition(";")[0].split(" ")
    assert [source for source in script if source.startswith("http")] == [
        "https://cdn.example",
        "https://chat.example",
        "https://consent.example",
        "https://www.googletagmanager.com",
    ]


def test_what_a_page_needs_is_remembered_when_it_is_not_drawn_anew(make_site: MakeSite) -> None:
    site = make_site({**HOME, "docs/a.md": page("A", '<p style="color: red">x</p>'), "docs/b.md": page("B")})
    first = policy(site)
    site.write({"docs/b.md": page("B", "More.")})
    assert policy(site) == first
    assert first["style-src"] == ["'self'", sha("color: red"), "'unsafe-hashes'"]
    site.write({"docs/a.md": page("A")})
    assert policy(site)["style-src"] == ["'self'"]
