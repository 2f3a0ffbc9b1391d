"""What a request path means, without a server around it."""

from __future__ import annotations

import pytest

from octavo.server.addresses import Addresses, FoundFile, Moved, Unknown, decode_path
from tests.support.published import FILES, REDIRECTS, ROUTES, make_manifest


@pytest.fixture
def addresses() -> Addresses:
    return Addresses(make_manifest())


@pytest.mark.parametrize(("route", "path"), ROUTES.items())
def test_canonical_route_is_found(addresses, route, path):
    assert addresses.resolve(route.encode()) == FoundFile(path)


def test_percent_encoded_route_is_found(addresses):
    assert addresses.resolve(b"/caf%C3%A9") == FoundFile("caf\u00e9/index.html")


@pytest.mark.parametrize(
    ("asked", "canonical"),
    [
        (b"/codegate", "/codegate/"),
        (b"/codegate/quickstart/", "/codegate/quickstart"),
        (b"/caf%C3%A9/", "/caf%C3%A9"),
        (b"/index.html", "/"),
        (b"/codegate/index.html", "/codegate/"),
        (b"/codegate.html", "/codegate/"),
        (b"/codegate/quickstart/index.html", "/codegate/quickstart"),
        (b"/codegate/quickstart.html", "/codegate/quickstart"),
        (b"/demo", "/demo/"),
    ],
)
def test_other_spelling_moves_to_the_canonical_route_in_one_step(addresses, asked, canonical):
    assert addresses.resolve(asked) == Moved(canonical, 308)


def test_move_keeps_the_query(addresses):
    assert addresses.resolve(b"/search/", b"q=a%20b&x=1") == Moved("/search?q=a%20b&x=1", 308)


@pytest.mark.parametrize("path", ["standalone.html", "demo/index.html", "img/logo.svg", "robots.txt"])
def test_file_that_is_no_page_is_found_under_its_own_name(addresses, path):
    assert addresses.resolve(f"/{path}".encode()) == FoundFile(path)


def test_folder_of_plain_html_answers_with_its_index(addresses):
    assert addresses.resolve(b"/demo/") == FoundFile("demo/index.html")


def test_exact_route_that_ends_in_html_wins_over_the_html_rule():
    routes = {**ROUTES, "/codegate/quickstart.html": "standalone.html"}
    assert Addresses(make_manifest(routes=routes)).resolve(b"/codegate/quickstart.html") == FoundFile("standalone.html")


@pytest.mark.parametrize("asked", [b"/old", b"/old/", b"/old/index.html", b"/old.html"])
def test_redirect_leads_to_its_target(addresses, asked):
    assert addresses.resolve(asked) == Moved("/codegate/quickstart", 301)


def test_redirect_puts_the_query_before_the_fragment(addresses):
    assert addresses.resolve(b"/away", b"x=1") == Moved("https://example.org/there?x=1#part", 301)


FOLDERS = {"/codegate/": "/new/*", "/legacy/": "/codegate/", "/gone/": "https://example.org/*", "/up/": "/*"}


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (b"/codegate/quickstart", FoundFile("codegate/quickstart/index.html")),
        (b"/codegate/other/page", Moved("/new/other/page", 301)),
        (b"/codegate/caf%C3%A9", Moved("/new/caf%C3%A9", 301)),
        (b"/legacy", Moved("/codegate/", 301)),
        (b"/legacy/any/thing", Moved("/codegate/", 301)),
        (b"/gone/x", Moved("https://example.org/x", 301)),
        (b"/up//evil.example", Moved("/evil.example", 301)),
        (b"/_octavo/codegate/x", Unknown("")),
    ],
)
def test_redirect_of_a_folder_leads_what_nothing_else_answers(asked, answer):
    assert Addresses(make_manifest(folder_redirects=FOLDERS)).resolve(asked) == answer


def test_page_that_stands_for_a_redirect_of_a_folder_is_not_sent():
    files = {**FILES, "legacy/a/index.html": b"moved"}
    addresses = Addresses(make_manifest(files, folder_redirects=FOLDERS, redirect_pages=["legacy/a/index.html"]))
    assert addresses.resolve(b"/legacy/a", b"x=1") == Moved("/codegate/?x=1", 301)


def test_page_wins_over_a_redirect_of_the_same_address():
    addresses = Addresses(make_manifest(redirects={**REDIRECTS, "/search": "/"}))
    assert addresses.resolve(b"/search") == FoundFile("search/index.html")


@pytest.mark.parametrize(
    ("asked", "page"),
    [
        (b"/nowhere", "404.html"),
        (b"/pt/nowhere", "pt/404.html"),
        (b"/pt", "pt/404.html"),
        (b"/portugal", "404.html"),
        (b"/404.html", "404.html"),
        (b"/_octavo/gone.0123.js", ""),
        (b"/_octavo/manifest.json", ""),
    ],
)
def test_unknown_path_names_the_page_that_says_so(addresses, asked, page):
    assert addresses.resolve(asked) == Unknown(page)


def test_file_of_an_older_build_is_found(addresses):
    assert addresses.resolve(b"/_octavo/gone.0123.js", kept={"_octavo/gone.0123.js"}) == FoundFile(
        "_octavo/gone.0123.js"
    )


def test_compressed_form_has_no_address_of_its_own():
    files = {"404.html": b"x", "data.json": b"{}", "data.json.br": b"{}", "alone.gz": b"x"}
    addresses = Addresses(make_manifest(files, routes={}, not_found_by_locale={}))
    assert addresses.resolve(b"/data.json.br") == Unknown("404.html")
    assert addresses.resolve(b"/alone.gz") == FoundFile("alone.gz")


class TestUnderASubPath:
    @pytest.fixture
    def addresses(self) -> Addresses:
        return Addresses(make_manifest(base_url="/docs/v1/"))

    @pytest.mark.parametrize(
        ("asked", "answer"),
        [
            (b"/docs/v1/", FoundFile("index.html")),
            (b"/docs/v1/codegate/quickstart", FoundFile("codegate/quickstart/index.html")),
            (b"/docs/v1/img/logo.svg", FoundFile("img/logo.svg")),
            (b"/docs/v1/codegate", Moved("/docs/v1/codegate/", 308)),
            (b"/docs/v1/old", Moved("/docs/v1/codegate/quickstart", 301)),
            (b"/docs/v1", Moved("/docs/v1/", 308)),
            (b"/docs/v1/pt/x", Unknown("pt/404.html")),
        ],
    )
    def test_everything_stands_under_the_base_url(self, addresses, asked, answer):
        assert addresses.resolve(asked) == answer

    def test_root_leads_to_the_base_url_for_now(self, addresses):
        assert addresses.resolve(b"/") == Moved("/docs/v1/", 307)

    @pytest.mark.parametrize("asked", [b"/codegate/", b"/docs/", b"/docs/v1x/", b"/img/logo.svg", b"/old"])
    def test_nothing_stands_outside_of_it(self, addresses, asked):
        assert addresses.resolve(asked) == Unknown("404.html")


@pytest.mark.parametrize(
    "raw_path",
    [
        b"/%",
        b"/%zz",
        b"/%4",
        b"/%c3%28",
        b"/%ff",
        b"/%00",
        b"/a%00.html",
        b"/a\x00b",
        b"/..%2fetc",
        b"/%2e%2e%2Fetc",
        b"/a%5cb",
        b"/a\\b",
        b"/a%0d%0aSet-Cookie:x",
        b"/a b",
        b"*",
        b"",
        b"codegate/",
        b"ftp://host/x",
    ],
)
def test_path_that_can_name_nothing_is_refused(raw_path):
    assert decode_path(raw_path) is None


@pytest.mark.parametrize("raw_path", [b"http://host/codegate/", b"HTTPS://host:80/codegate/", b"/%63odegate/"])
def test_forms_of_one_path_are_read_alike(raw_path):
    assert decode_path(raw_path) == "/codegate/"


@pytest.mark.parametrize(
    "asked",
    [
        b"//evil.example/",
        b"//evil.example",
        b"//evil.example/codegate",
        b"///codegate",
        b"/\\evil.example/",
        b"/%5cevil.example/",
        b"//codegate/quickstart/",
        b"/%2f%2fevil.example/index.html",
        b"http://evil.example",
        b"http://evil.example//codegate",
    ],
)
def test_no_path_leads_to_another_host(addresses, asked):
    answer = addresses.resolve(asked)
    assert not isinstance(answer, Moved)


def test_query_cannot_break_out_of_its_header(addresses):
    answer = addresses.resolve(b"/codegate", b"a=\r\nSet-Cookie: x=1\x00\xff#<>")
    assert answer == Moved("/codegate/?a=%0D%0ASet-Cookie:%20x=1%00%FF%23%3C%3E", 308)
