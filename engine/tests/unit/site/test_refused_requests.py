"""Requests of the site's scripts that its content security policy refuses."""

from __future__ import annotations

from octavo.checks import find_refused_requests
from tests.support.each import each

POLICY = "default-src 'self'; connect-src 'self' https://api.example.com https://*.example.net http://localhost:*; img-src data:"


def places(text: str, path: str = "static/kites.js") -> list[tuple[int, str]]:
    return [(one.span.line, one.message.split('"')[1]) for one in find_refused_requests(POLICY, [(path, text)])]


@each(
    "text, found",
    [
        ('fetch("https://other.example/kites")', [(1, "https://other.example")]),
        ("a();\nconst s = new WebSocket(`wss://other.example/live`);", [(2, "wss://other.example")]),
        ('new EventSource("http://api.example.com/live")', [(1, "http://api.example.com")]),
        ('fetch(new URL("https://api.example.com:8443/kites"))', [(1, "https://api.example.com:8443")]),
        ('navigator.sendBeacon("https://example.net/")', [(1, "https://example.net")]),
        ('fetch("https://other.example/a");\nfetch("https://other.example/b")', [(1, "https://other.example")]),
        ('fetch("https://api.example.com/kites")', []),
        ('new WebSocket("wss://api.example.com/live")', []),
        ('fetch("https://eu.example.net/kites")', []),
        ('fetch("http://localhost:8080/kites")', []),
        ('fetch("/kites.json")', []),
        ("fetch(address)", []),
        ('// fetch("https://other.example/kites")', []),
        ('const link = "https://other.example/"', []),
    ],
)
def test_hosts_that_the_policy_does_not_name_are_found(text: str, found: list[tuple[int, str]]) -> None:
    assert places(text) == found


def test_components_that_run_at_build_only_send_nothing() -> None:
    text = 'useEffect(() => { fetch("https://other.example/") });\n'
    assert places(text, "components/Kites.tsx") == []
    assert places(f'export const client = "load";\n{text}', "components/Kites.tsx") == [(2, "https://other.example")]
    assert places(text, "components/kites.ts") == [(1, "https://other.example")]


def test_a_policy_of_anything_refuses_nothing() -> None:
    files = [("a.js", 'fetch("https://other.example/")')]
    assert list(find_refused_requests("connect-src *", files)) == []
    assert list(find_refused_requests("connect-src https:", files)) == []
