"""Which requests are answered: hosts against DNS rebinding, origins against pages of other sites."""

from __future__ import annotations

import pytest

from octavo.config import ServerSettings
from octavo.server.access import AccessRules, make_rules
from tests.support.each import each

LOCAL = ["127.0.0.1", "::1"]
PUBLIC = ["0.0.0.0"]
DEV = make_rules(ServerSettings(), "127.0.0.1", LOCAL, is_private=True)
SERVE = make_rules(ServerSettings(search_origins=["https://www.example.org"]), "127.0.0.1", LOCAL)


def status(rules: AccessRules, path: str = "/", **headers: str) -> int:
    grouped = {name.replace("_", "-"): [value] for name, value in headers.items()}
    refusal = rules.refusal(path, grouped)
    return refusal.status if refusal else 200


@each("rules", [DEV, SERVE])
@each(
    ("host", "expected"),
    [
        ("localhost:3000", 200),
        ("LOCALHOST", 200),
        ("localhost.", 200),
        ("docs.localhost:3000", 200),
        ("127.0.0.1:3000", 200),
        ("127.8.9.1", 200),
        ("[::1]:3000", 200),
        ("[::ffff:127.0.0.1]", 200),
        ("evil.example", 421),
        ("evil.example:3000", 421),
        ("localhost.evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("evil.example@localhost", 421),
        ("localhost:3000:1", 421),
        ("localhost:99999", 421),
        ("localhost, evil.example", 421),
        ("localhost/evil", 421),
        ("192.168.1.5", 421),
        ("0.0.0.0:3000", 421),
        ("[::1", 421),
        ("", 421),
    ],
)
def test_server_of_this_machine_answers_for_its_own_names_only(rules: AccessRules, host: str, expected: int) -> None:
    assert status(rules, host=host) == expected


def test_request_without_host_or_with_two_is_refused() -> None:
    assert status(SERVE) == 421
    refusal = SERVE.refusal("/", {"host": ["localhost", "evil.example"]})
    assert refusal is not None
    assert refusal.status == 421


def test_refusal_says_what_to_do_and_quotes_nothing_that_is_no_text() -> None:
    refusal = SERVE.refusal("/", {"host": ["a\x1b[31m" + "b" * 200]})
    assert refusal is not None
    assert "allowed_hosts of [server] in octavo.toml" in refusal.message
    assert refusal.message.isprintable()
    assert len(refusal.message) < 250


def test_hosts_of_the_settings_and_of_the_site_are_answered() -> None:
    settings = ServerSettings(allowed_hosts=["Docs.example.org", ".preview.example.org"])
    rules = make_rules(settings, "127.0.0.1", LOCAL, site_url="https://www.example.org")
    hosts = ["docs.example.org", "www.example.org", "pr-1.preview.example.org", "preview.example.org", "example.org"]
    assert [status(rules, host=host) for host in hosts] == [200, 200, 200, 421, 421]


def test_public_server_answers_any_host_until_hosts_are_given() -> None:
    assert status(make_rules(ServerSettings(), "0.0.0.0", PUBLIC), host="docs.example.org") == 200
    given = make_rules(ServerSettings(allowed_hosts=["docs.example.org"]), "0.0.0.0", PUBLIC)
    assert [status(given, host=host) for host in ("docs.example.org", "10.1.2.3", "evil.example")] == [200, 200, 421]
    anyone = make_rules(ServerSettings(allowed_hosts=["*"]), "127.0.0.1", LOCAL)
    assert status(anyone, host="evil.example") == 200


def test_dev_server_that_others_reach_still_checks_names() -> None:
    rules = make_rules(ServerSettings(), "0.0.0.0", PUBLIC, is_private=True)
    assert [status(rules, host=host) for host in ("192.168.1.5:3000", "evil.example", "0.0.0.0")] == [200, 421, 200]
    named = make_rules(ServerSettings(), "studio.local", ["192.168.1.5"], is_private=True)
    assert [status(named, host=host) for host in ("studio.local:3000", "other.local")] == [200, 421]


@each("path", ["/", "/a", "/1/indexes/docs/query", "/_octavo/dev/events", "/_octavo/pages/a.json"])
@each(
    "origin",
    ["https://evil.example", "http://localhost:8989", "http://127.0.0.1", "null", "http://localhost:3000.evil.example"],
)
def test_dev_server_gives_pages_of_other_origins_nothing(path: str, origin: str) -> None:
    assert status(DEV, path, host="localhost:3000", origin=origin) == 403


def test_dev_server_gives_its_own_pages_everything() -> None:
    for host, origin in [("localhost:3000", "http://localhost:3000"), ("localhost", "http://localhost:80")]:
        assert status(DEV, "/1/indexes/docs/query", host=host, origin=origin) == 200
    assert status(DEV, host="localhost:3000", sec_fetch_site="same-origin", sec_fetch_mode="cors") == 200


def test_dev_server_behind_a_proxy_knows_the_site_by_its_configured_name() -> None:
    rules = make_rules(ServerSettings(allowed_hosts=["dev.example.org"]), "127.0.0.1", LOCAL, is_private=True)
    assert status(rules, host="127.0.0.1:3000", origin="https://dev.example.org") == 200
    assert status(rules, host="dev.example.org", origin="https://dev.example.org") == 200
    assert status(rules, host="dev.example.org", origin="https://evil.example") == 403


@pytest.mark.parametrize(
    ("site", "mode", "path", "expected"),
    [
        ("cross-site", "no-cors", "/img/draft.png", 403),
        ("same-site", "no-cors", "/img/draft.png", 403),
        ("cross-site", "cors", "/a", 403),
        ("cross-site", "navigate", "/a", 200),
        ("none", "navigate", "/a", 200),
        ("same-origin", "no-cors", "/img/draft.png", 200),
        ("cross-site", "no-cors", "/_octavo/assets/client.js", 200),
    ],
)
def test_dev_server_tells_by_the_browsers_word_who_loads_what(site: str, mode: str, path: str, expected: int) -> None:
    assert status(DEV, path, host="localhost:3000", sec_fetch_site=site, sec_fetch_mode=mode) == expected


def test_search_of_a_local_server_is_for_its_own_pages_and_given_origins() -> None:
    search = "/1/indexes/*/queries"
    assert status(SERVE, search, host="localhost:3000") == 200
    assert status(SERVE, search, host="localhost:3000", origin="http://localhost:3000") == 200
    assert status(SERVE, search, host="localhost:3000", origin="https://www.example.org") == 200
    assert status(SERVE, search, host="localhost:3000", origin="https://evil.example") == 403
    assert status(SERVE, search, host="localhost:3000", origin="http://localhost:8989") == 403
    assert status(SERVE, "/a", host="localhost:3000", origin="https://evil.example") == 200


def test_search_of_a_public_server_is_for_all_unless_origins_are_given() -> None:
    search = "/1/indexes/*/queries"
    assert status(make_rules(ServerSettings(), "::", ["::"]), search, host="a", origin="https://evil.example") == 200
    given = make_rules(ServerSettings(search_origins=["https://a.example"]), "::", ["::"])
    origins = ["https://a.example", "https://evil.example"]
    assert [status(given, search, host="a", origin=origin) for origin in origins] == [200, 403]


def test_origins_that_a_request_names_twice_are_refused_and_both_named() -> None:
    headers = {"host": ["localhost"], "origin": ["http://localhost", "https://evil.example"]}
    refusal = SERVE.refusal("/1/indexes/docs/query", headers)
    assert refusal is not None
    assert refusal.status == 403
    assert '"http://localhost, https://evil.example"' in refusal.message
