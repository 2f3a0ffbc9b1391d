"""What pages ask of the content security policy, and what links and ids their HTML has."""

from __future__ import annotations

from typing import Any

from octavo.config import parse_config
from octavo.rendering.csp import hash_source, origin_of, scan_needs, write_policy
from octavo.rendering.scan import scan_html
from octavo.rendering.theme import Theme
from tests.support.each import each

THEME = Theme("", "first()", "tabs()", "c.js", [], {}, {}, "base()", {}, {}, "")
HASH = hash_source("x")
UNSAFE = "'unsafe-hashes'"


def policy(
    settings: str = "", needs: list[str] | None = None, servers: list[str] | None = None
) -> dict[str, list[str]]:
    """Write a policy, as directive → sources; the scripts of the theme left out."""
    config = parse_config(f'title = "Site"\n{settings}')
    written = write_policy(config, THEME, needs=needs or [], console_servers=servers)
    own = {hash_source(script) for script in ("first()", "tabs()", "base()")}
    parts = {one.partition(" ")[0]: one.split(" ")[1:] for one in written.split("; ")}
    assert own <= set(parts["script-src"])
    return {directive: [one for one in sources if one not in own] for directive, sources in parts.items()}


STRICTEST = policy()


def opened(*given: Any) -> dict[str, list[str]]:
    """Give what a policy has beyond the strictest."""
    found = policy(*given)
    assert list(found)[: len(STRICTEST)] == list(STRICTEST)
    more = {name: [one for one in sources if one not in STRICTEST.get(name, [])] for name, sources in found.items()}
    return {name: sources for name, sources in more.items() if sources}


def test_site_that_asks_for_nothing_gets_the_strictest_policy() -> None:
    assert STRICTEST == {
        "default-src": ["'self'"],
        "script-src": ["'self'"],
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


@each(
    "settings, more",
    [
        ('[search]\nhosts = ["https://s.example/a"]\n', {"connect-src": ["https://s.example"]}),
        ('[search]\nis_enabled = false\nhosts = ["https://s.example"]\n', {}),
        (
            '[search.insights]\nis_enabled = true\nscript = "cdn"\ncdn_url = "https://c.example/x.js"\nhost = "https://i.example"\n',
            {"script-src": ["https://c.example"], "connect-src": ["https://i.example"]},
        ),
        ('[analytics]\nendpoint = "https://count.example/v"\n', {"connect-src": ["https://count.example"]}),
        ('[analytics]\nendpoint = "/v"\n', {}),
        (
            '[feedback]\nis_enabled = true\nendpoint = "https://f.example/v"\n',
            {"connect-src": ["https://f.example"], "form-action": ["https://f.example"]},
        ),
        ("[feedback]\nis_enabled = true\n", {}),
        ('favicon = "https://i.example/k.png"\n', {"img-src": ["https://i.example"]}),
        ('favicon = "img/k.png"\n', {}),
        ('content_policy = { worker-src = ["blob:"], object-src = ["https://o.example"] }\n', {"worker-src": ["'self'", "blob:"], "object-src": ["https://o.example"]}),
        ('[[announcements]]\nid = "a"\ncontent = "<img src=https://a.example/x.png>"\n', {"img-src": ["https://a.example"]}),
        ('[[announcements]]\nid = "a"\nis_enabled = false\ncontent = "<img src=https://a.example/x.png>"\n', {}),
    ],
)  # fmt: skip
def test_settings_open_what_they_need_and_no_more(settings: str, more: dict[str, list[str]]) -> None:
    assert opened(settings) == more


def test_count_of_google_opens_its_hosts() -> None:
    more = opened('[analytics]\ngoogle = "G-1"\n')
    assert more["script-src"] == ["https://www.googletagmanager.com"]
    assert "https://*.google-analytics.com" in more["connect-src"]
    assert "https://*.google-analytics.com" in more["img-src"]


def test_script_that_asks_for_consent_may_run() -> None:
    settings = '[analytics]\ngoogle = "G-1"\nneeds_consent = true\nconsent_script = "https://consent.example/c.js"\n'
    assert "https://consent.example" in opened(settings)["script-src"]


def test_console_sends_requests_to_its_servers_and_to_those_of_the_reader() -> None:
    local = ["http://127.0.0.1:*", "http://localhost:*"]
    assert opened("", None, []) == {"connect-src": local}
    assert opened("", None, ["https://api.example/v1", "/own"]) == {"connect-src": [*local, "https://api.example"]}


def test_what_a_page_needs_is_open_and_nothing_is_forbidden_beside_it() -> None:
    needs = ["object-src https://o.example", "img-src https://i.example", "font-src https://f.example"]
    found = policy("", needs)
    assert found["object-src"] == ["https://o.example"]
    assert found["img-src"] == ["'self'", "data:", "https://i.example"]
    assert found["font-src"] == ["'self'", "https://f.example"]


@each(
    "text, needs",
    [
        ("<p>on = off, style = none</p>", []),
        ("<SCRIPT>x</SCRIPT>", [f"script-src {HASH}"]),
        ('<script type="Module">x</script>', [f"script-src {HASH}"]),
        ('<script type="text/plain">x</script>', []),
        ('<script type="importmap">x</script>', [f"script-src {HASH}"]),
        ('<script src="//s.example/x">y</script>', ["script-src s.example"]),
        ('<script src="x.js">x</script>', []),
        ("<style media=print>x</style>", [f"style-src {HASH}"]),
        ("<b style=x>", [f"style-src {UNSAFE}", f"style-src {HASH}"]),
        ("<b ONLOAD='x'>", [f"script-src {UNSAFE}", f"script-src {HASH}"]),
        ("<b data-on='x' data-style='x'>", []),
        ("<b title=\"<i on\" onload='x'>", [f"script-src {UNSAFE}", f"script-src {HASH}"]),
        ('<video poster="https://v.example/p" src="https://m.example/v">', ["img-src https://v.example", "media-src https://m.example"]),
        ('<audio src="https://m.example/a">', ["media-src https://m.example"]),
        ('<track src="https://m.example/t">', ["media-src https://m.example"]),
        ('<input type=image src="https://i.example/a">', ["img-src https://i.example"]),
        ('<embed src="https://o.example/a">', ["object-src https://o.example"]),
        ('<object data="https://o.example/a">', ["object-src https://o.example"]),
        ('<form action="https://f.example/a">', ["form-action https://f.example"]),
        ('<video><source src="https://m.example/a"></video>', ["media-src https://m.example"]),
        ('<picture><source srcset="https://i.example/a 1x, https://j.example/b 2x">', ["img-src https://i.example", "img-src https://j.example"]),
        ('<link rel="preload stylesheet" href="https://s.example/a">', ["style-src https://s.example"]),
        ('<link rel="icon" href="https://i.example/a">', ["img-src https://i.example"]),
        ('<link rel="apple-touch-icon" href="https://i.example/a">', ["img-src https://i.example"]),
        ('<link rel="modulepreload" href="https://s.example/a">', ["script-src https://s.example"]),
        ('<link rel="preload" as="font" href="https://f.example/a">', ["font-src https://f.example"]),
        ('<link rel="prefetch" as="Image" href="https://f.example/a">', ["img-src https://f.example"]),
        ('<link rel="preload" as="style" href="https://f.example/a">', ["style-src https://f.example"]),
        ('<link rel="preload" as="script" href="https://f.example/a">', ["script-src https://f.example"]),
        ('<link rel="preload" href="https://f.example/a">', []),
        ('<link rel="manifest" href="https://f.example/a">', ["manifest-src https://f.example"]),
        ('<link rel="canonical" href="https://f.example/a">', []),
        ('<a href="https://a.example">x</a><img src="https://i.example">', ["img-src https://i.example"]),
        ('<!-- <img src="https://i.example/a"> --><img src="https://j.example/a">', ["img-src https://j.example"]),
        ('<!-- <img src="https://i.example/a">', []),
        ('<img alt="ä İ" src="https://i.example/a" style="x">', ["img-src https://i.example", f"style-src {UNSAFE}", f"style-src {HASH}"]),
    ],
)  # fmt: skip
def test_html_tells_what_it_needs(text: str, needs: list[str]) -> None:
    assert scan_needs(text) == sorted(needs)


@each(
    "address, origin",
    [
        ("https://a.example/b", "https://a.example"),
        ("HTTP://a.example:80", "http://a.example:80"),
        ("//a.example/b", "a.example"),
        ("/a", None),
        ("a.example", None),
        ("data:x", None),
        ("see https://a.example", None),
        ("https://a.example b", None),
    ],
)
def test_origin_is_what_a_policy_names(address: str, origin: str | None) -> None:
    assert origin_of(address) == origin


@each(
    "text, references, anchors",
    [
        ('<a href="/a?b&amp;c" id="x">', ["/a?b&c"], ["x"]),
        ("<a HREF='/a' name=b>", ["/a"], ["b"]),
        ('<input name="b" id=c>', [], ["c"]),
        ('<A name="b">', [], ["b"]),
        ('<img src="a.png" srcset="b.png 1x, https://x.example/c 2x">', ["a.png", "https://x.example/c"], []),
        ('<video poster="p.png" src="v">', ["p.png", "v"], []),
        ('<a href=""><a href="/a"><a href="/a">', ["/a"], []),
        ('<!-- <a href="/a"> --><a href="/b">', ["/b"], []),
        ('<script>\'<a href="/a">\'</script><style>/*<a href="/c">*/</style><a href="/b">', ["/b"], []),
        ('<a title="href=/a" href="/b">', ["/b"], []),
        ('<span class="k" id="a"><span id="b">', [], ["b"]),
        (f'<a title="{"x" * 300}" href="/b">', ["/b"], []),
        ("<b hidden ><br />", [], []),
    ],
)
def test_links_and_ids_are_read(text: str, references: list[str], anchors: list[str]) -> None:
    assert scan_html(text) == (references, anchors)
