"""Published files as HTTP answers, through the whole application."""

from __future__ import annotations

import asyncio
import gzip

import brotli
import pytest

from octavo.server.app import create_app
from tests.support.published import FILES, PAGE, SCRIPT, ask, get, publish

QUICKSTART = "codegate/quickstart/index.html"


@pytest.fixture
def app(out):
    return create_app(out, interval_s=0)


def test_page_is_sent_whole(app):
    reply = get(app, "/codegate/quickstart")
    assert reply.status == 200
    assert reply.body == FILES[QUICKSTART]
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert reply.headers["content-length"] == str(len(FILES[QUICKSTART]))
    assert reply.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", ["/", "/codegate/", "/nowhere", "/codegate", "/video.mp4", "/img/photo.png"])
def test_head_has_the_headers_of_get_and_no_body(app, path):
    whole, head = get(app, path), get(app, path, "HEAD")
    assert (head.status, head.headers) == (whole.status, whole.headers)
    assert head.body == b""


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE", "ANYTHING"])
def test_other_methods_are_refused(app, method):
    reply = get(app, "/codegate/", method)
    assert reply.status == 405
    assert reply.headers["allow"] == "GET, HEAD"


def test_other_slash_form_moves_with_its_query(app):
    reply = get(app, "/codegate/quickstart/?tab=a&tab=b")
    assert (reply.status, reply.headers["location"]) == (308, "/codegate/quickstart?tab=a&tab=b")


def test_redirect_is_permanent(app):
    reply = get(app, "/old")
    assert (reply.status, reply.headers["location"]) == (301, "/codegate/quickstart")


def test_move_may_not_be_kept_without_asking(app):
    """Browsers keep a permanent move for ever: two builds that swap the slash form would send them round in circles."""
    assert get(app, "/codegate").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(("path", "page"), [("/nowhere", "404.html"), ("/pt/nada", "pt/404.html")])
def test_unknown_path_shows_the_page_of_its_locale(app, path, page):
    reply = get(app, path)
    assert (reply.status, reply.body) == (404, FILES[page])
    assert "etag" not in reply.headers


def test_unknown_path_is_compressed_too(app):
    reply = get(app, "/nowhere", accept_encoding="gzip")
    assert (reply.status, gzip.decompress(reply.body)) == (404, FILES["404.html"])


def test_unknown_path_ignores_conditions_and_ranges(app):
    reply = get(app, "/nowhere", if_none_match="*", range="bytes=0-1")
    assert (reply.status, reply.body) == (404, FILES["404.html"])


def test_missing_script_is_answered_with_a_line(app):
    reply = get(app, "/_octavo/gone.js")
    assert (reply.status, reply.headers["content-type"]) == (404, "text/plain; charset=utf-8")


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        ("/_octavo/app.0123abcd.js", "text/javascript; charset=utf-8"),
        ("/img/logo.svg", "image/svg+xml; charset=utf-8"),
        ("/img/photo.png", "image/png"),
        ("/video.mp4", "video/mp4"),
        ("/robots.txt", "text/plain; charset=utf-8"),
        ("/_octavo/pages/codegate/quickstart.json", "application/json"),
    ],
)
def test_content_type_follows_the_suffix(app, path, content_type):
    assert get(app, path).headers["content-type"] == content_type


def test_hashed_file_never_has_to_be_asked_for_again(app):
    reply = get(app, "/_octavo/app.0123abcd.js")
    assert reply.headers["cache-control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize("path", ["/", "/_octavo/pages/codegate/quickstart.json", "/img/logo.svg"])
def test_other_files_are_asked_for_again(app, path):
    assert get(app, path).headers["cache-control"] == "no-cache"


class TestCompression:
    def test_brotli_is_preferred(self, app):
        reply = get(app, "/codegate/quickstart", accept_encoding="gzip, deflate, br")
        assert reply.headers["content-encoding"] == "br"
        assert brotli.decompress(reply.body) == FILES[QUICKSTART]
        assert reply.headers["content-length"] == str(len(reply.body))

    def test_gzip_serves_those_that_know_no_brotli(self, app):
        reply = get(app, "/codegate/quickstart", accept_encoding="gzip")
        assert reply.headers["content-encoding"] == "gzip"
        assert gzip.decompress(reply.body) == FILES[QUICKSTART]

    @pytest.mark.parametrize("accept", ["", "gzip", "br", "identity"])
    def test_every_form_names_what_it_varies_by(self, app, accept):
        assert get(app, "/", accept_encoding=accept).headers["vary"] == "Accept-Encoding"

    @pytest.mark.parametrize("path", ["/img/photo.png", "/video.mp4", "/robots.txt"])
    def test_what_would_not_get_smaller_is_sent_plain(self, app, path):
        reply = get(app, path, accept_encoding="br, gzip")
        assert "content-encoding" not in reply.headers
        assert "vary" not in reply.headers

    def test_prepared_form_is_used(self, tmp_path):
        """The prepared form here is another text, so that it can be told apart."""
        files = FILES | {"_octavo/app.0123abcd.js.br": brotli.compress(b"prepared"), "robots.txt.gz": b"too small"}
        app = create_app(publish(tmp_path / "out", files))
        reply = get(app, "/_octavo/app.0123abcd.js", accept_encoding="br")
        assert brotli.decompress(reply.body) == b"prepared"
        assert reply.headers["content-encoding"] == "br"
        assert reply.headers["content-type"] == "text/javascript; charset=utf-8"
        assert get(app, "/_octavo/app.0123abcd.js", accept_encoding="gzip").headers["content-encoding"] == "gzip"


class TestConditions:
    @pytest.mark.parametrize("accept", ["", "gzip", "br"])
    def test_same_content_is_not_sent_again(self, app, accept):
        first = get(app, "/", accept_encoding=accept)
        again = get(app, "/", accept_encoding=accept, if_none_match=first.headers["etag"])
        assert (again.status, again.body) == (304, b"")
        assert {name: again.headers[name] for name in ("etag", "vary", "cache-control")} == {
            name: first.headers[name] for name in ("etag", "vary", "cache-control")
        }
        assert "content-length" not in again.headers

    def test_every_encoding_has_a_tag_of_its_own(self, app):
        tags = {get(app, "/", accept_encoding=accept).headers["etag"] for accept in ("", "gzip", "br")}
        assert len(tags) == 3
        assert all(tag.startswith('"') for tag in tags)

    def test_tag_of_another_encoding_does_not_match(self, app):
        tag = get(app, "/", accept_encoding="gzip").headers["etag"]
        assert get(app, "/", accept_encoding="br", if_none_match=tag).status == 200

    def test_tag_of_the_quick_form_still_matches_after_the_best_form_is_there(self, out):
        async def main():
            app = create_app(out)
            quick = await ask(app, "/", accept_encoding="br")
            best = quick
            while best.headers["etag"] == quick.headers["etag"]:
                await asyncio.sleep(0)  # an answer from memory gives the loop no turn
                best = await ask(app, "/", accept_encoding="br")
            return quick, best, await ask(app, "/", accept_encoding="br", if_none_match=quick.headers["etag"])

        quick, best, again = asyncio.run(asyncio.wait_for(main(), 20))
        assert brotli.decompress(best.body) == brotli.decompress(quick.body) == FILES["index.html"]
        assert (again.status, again.headers["etag"]) == (304, quick.headers["etag"])

    def test_changed_content_is_sent(self, app, out):
        tag = get(app, "/").headers["etag"]
        publish(out, FILES | {"index.html": PAGE + b"new"}, build="build-2")
        reply = get(app, "/", if_none_match=tag)
        assert (reply.status, reply.body) == (200, PAGE + b"new")


class TestRanges:
    @pytest.mark.parametrize("path", ["img/photo.png", "video.mp4"])
    def test_part_of_a_file(self, app, path):
        content = FILES[path]
        reply = get(app, f"/{path}", range="bytes=300-599")
        assert (reply.status, reply.body) == (206, content[300:600])
        assert reply.headers["content-range"] == f"bytes 300-599/{len(content)}"
        assert reply.headers["content-length"] == "300"

    def test_part_behind_the_end(self, app):
        size = len(FILES["video.mp4"])
        reply = get(app, "/video.mp4", range=f"bytes={size}-")
        assert (reply.status, reply.headers["content-range"]) == (416, f"bytes */{size}")

    def test_part_of_a_changed_file_is_the_whole_file(self, app):
        assert get(app, "/video.mp4", range="bytes=0-9", if_range='"another"').status == 200
        tag = get(app, "/video.mp4").headers["etag"]
        assert get(app, "/video.mp4", range="bytes=0-9", if_range=tag).status == 206

    def test_several_parts_are_the_whole_file(self, app):
        reply = get(app, "/video.mp4", range="bytes=0-1,5-6")
        assert (reply.status, reply.body) == (200, FILES["video.mp4"])

    def test_files_that_are_sent_compressed_have_no_parts(self, app):
        reply = get(app, "/_octavo/app.0123abcd.js", range="bytes=0-9")
        assert (reply.status, reply.body) == (200, SCRIPT)
        assert "accept-ranges" not in reply.headers


class TestStandingHeaders:
    @pytest.mark.parametrize(
        "path", ["/", "/nowhere", "/codegate", "/old", "/healthz", "/video.mp4", "/%00", "/healthz/"]
    )
    def test_every_answer_has_them(self, app, path):
        headers = get(app, path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "strict-origin-when-cross-origin"
        assert headers["x-frame-options"] == "SAMEORIGIN"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert "camera=()" in headers["permissions-policy"]

    def test_operator_adds_and_replaces_some(self, out):
        app = create_app(out, headers={"Strict-Transport-Security": "max-age=600", "X-Frame-Options": "DENY"})
        headers = get(app, "/").headers
        assert (headers["strict-transport-security"], headers["x-frame-options"]) == ("max-age=600", "DENY")


class TestHealth:
    def test_names_the_build(self, app):
        reply = get(app, "/healthz")
        assert (reply.status, reply.text) == (200, '{"status":"ok","build":"build-1"}')
        assert reply.headers["cache-control"] == "no-store"

    def test_is_unavailable_while_nothing_is_published(self, tmp_path):
        app = create_app(tmp_path / "nowhere", interval_s=0)
        unavailable = get(app, "/healthz")
        assert (unavailable.status, unavailable.headers["cache-control"]) == (503, "no-store")
        assert unavailable.text == '{"status":"unavailable","build":null}'
        assert get(app, "/").status == 503
        publish(tmp_path / "nowhere")
        assert get(app, "/healthz").status == 200

    def test_is_read_only(self, app):
        reply = get(app, "/healthz", "POST")
        assert (reply.status, set(reply.headers["allow"].split(", "))) == (405, {"GET", "HEAD"})


def test_path_with_a_slash_more_is_the_sites_own(app):
    reply = get(app, "/healthz/")
    assert (reply.status, reply.body) == (404, FILES["404.html"])


def test_report_on_searches_needs_its_secret(out, tmp_path):
    path = "/_octavo/search-report"
    for given in ({}, {"insights_path": tmp_path / "a.db"}, {"report_secret": "s" * 40}):
        assert get(create_app(out, **given), path).status == 404
    app = create_app(out, insights_path=tmp_path / "b.db", report_secret="s" * 40)
    assert get(app, path).status == 401


def test_site_without_a_not_found_page_says_so_in_a_line(tmp_path):
    files = {"index.html": PAGE}
    app = create_app(publish(tmp_path / "out", files, routes={}, redirects={}, not_found="", not_found_by_locale={}))
    assert get(app, "/nowhere").status == 404


def test_server_that_gives_no_raw_path_is_served_as_well(app):
    """ASGI leaves `raw_path` to the server; the decoded path is then all there is."""

    async def without_raw_path(scope, receive, send):
        await app({**scope, "path": "/café", "raw_path": None}, receive, send)

    assert get(without_raw_path, "/").body == FILES["caf\u00e9/index.html"]


def test_socket_to_a_page_is_closed(app):
    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": "websocket", "path": "/codegate/", "raw_path": b"/codegate/", "headers": [], "query_string": b""}
    asyncio.run(app(scope, None, send))
    assert [message["type"] for message in sent] == ["websocket.close"]


def test_lifespan_ends_the_work_that_waits(out):
    async def main():
        app = create_app(out)
        async with app.router.lifespan_context(app):
            return await ask(app, "/", accept_encoding="br")

    assert asyncio.run(main()).status == 200


POLICY = "default-src 'self'; object-src 'none'"


@pytest.mark.parametrize(("path", "policy"), [("/codegate/", POLICY), ("/nowhere", POLICY), ("/img/photo.png", None)])
def test_pages_come_with_the_policy_of_their_build(tmp_path, path, policy):
    app = create_app(publish(tmp_path / "out", FILES, content_policy=POLICY))
    assert get(app, path).headers.get("content-security-policy") == policy


def test_page_that_is_known_already_comes_with_the_policy_of_now(tmp_path):
    app = create_app(publish(tmp_path / "out", FILES, content_policy=POLICY))
    tag = get(app, "/codegate/").headers["etag"]
    reply = get(app, "/codegate/", if_none_match=tag)
    assert (reply.status, reply.headers["content-security-policy"]) == (304, POLICY)


@pytest.mark.parametrize("base_url", ["/", "/docs/"])
def test_pages_of_a_folder_of_the_name_1_are_sent_beside_search(tmp_path, base_url):
    """Search has its paths below `/1/` of the host, and a version of a site may be called 1."""
    names = ("start", "events-guide", "indexes-guide", "events")
    files = FILES | {f"1/{name}/index.html": PAGE for name in names}
    routes = {f"/1/{name}": f"1/{name}/index.html" for name in names}
    app = create_app(publish(tmp_path / "out", files=files, routes=routes, base_url=base_url), interval_s=0)
    for name in names:
        assert (get(app, f"{base_url}1/{name}").status, get(app, f"{base_url}1/{name}").body) == (200, PAGE), name
    assert get(app, f"{base_url}1/start/").status == 308
    assert get(app, f"{base_url}1/start", "HEAD").status == 200
    assert get(app, "/1/other").body == b'{"message":"Path not supported by this server","status":404}'
    assert get(app, "/1/indexes").headers["content-type"] == "application/json"
    assert get(app, f"{base_url}1/start", "POST").status == (404 if base_url == "/" else 405)
