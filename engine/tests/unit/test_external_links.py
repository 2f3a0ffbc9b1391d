"""Links to other sites, asked of a server of this machine."""

from __future__ import annotations

import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from octavo.diagnostics import Span
from octavo.external_links import Asker, Checked, check_external_links
from octavo.external_links.asking import LinkAnswer, retry_after_s


class Site(ThreadingHTTPServer):
    """Answers as its paths say: `/404`, `/429-twice`, `/get-only`, `/moved`, `/to?ADDRESS`, `/loop?`; else all is there."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, str]] = []
        self.agents: set[str] = set()
        self.lock = threading.Lock()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}{path}"


class Handler(BaseHTTPRequestHandler):
    server: Site

    def answer(self) -> None:
        site, path = self.server, self.path
        with site.lock:
            site.asked.append((self.command, path))
            site.agents.add(self.headers["User-Agent"])
            times = site.asked.count((self.command, path))
        status = 200
        if path == "/get-only" and self.command == "HEAD":
            status = 405
        elif path == "/moved":
            status = 302
        elif path == "/429-twice":
            status = 429 if times <= 2 else 200
        elif path.partition("?")[0].strip("/").isdecimal():
            status = int(path.partition("?")[0].strip("/"))
        if path.startswith(("/to?", "/loop?1")):
            status = 302
        self.send_response(status)
        if status == 302:
            self.send_header("Location", path if path.startswith("/loop") else path.partition("?")[2] or "/there")
        if status in (429, 503):
            self.send_header("Retry-After", "7")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_HEAD = answer  # noqa: N815 - the library's names

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Write nothing."""


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


class Waits(list[float]):
    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def check(site: Site, cache: Path, *paths: str, waits: Waits | None = None, most_days: float = 7) -> Checked:
    links = [(site.url(path), Span("docs/a.md", number)) for number, path in enumerate(paths, start=1)]
    asker = Asker(wait=waits if waits is not None else Waits(), follows_to_private=True)
    return check_external_links(links, cache, asker=asker, most_days=most_days, asks_this_machine=True, pause=Waits())


def test_what_is_not_there_is_reported_wherever_it_is_linked(site: Site, tmp_path: Path) -> None:
    found = check(site, tmp_path / "cache", "/good", "/404", "/410#part", "/moved", "/get-only", "/404")
    assert [(one.span.line, one.level, one.message.partition('" ')[2]) for one in found.findings] == [
        (2, "warn", "is answered with 404 Not Found."),
        (6, "warn", "is answered with 404 Not Found."),
        (3, "warn", "is answered with 410 Gone."),
    ]
    assert found.asked == 5
    assert Counter(site.asked)["HEAD", "/404"] == 1


def test_only_the_head_is_asked_for_where_that_is_enough(site: Site, tmp_path: Path) -> None:
    check(site, tmp_path / "cache", "/good", "/get-only")
    assert site.asked == [("HEAD", "/good"), ("HEAD", "/get-only"), ("GET", "/get-only")]
    [agent] = site.agents
    assert "octavo-link-check" in agent


class Counting(Asker):
    """Counts on the side that asks: a server still has an answer in hand when the next question is sent."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()
        self.now = self.most_at_once = 0

    def ask(self, url: str) -> LinkAnswer:
        with self.lock:
            self.now += 1
            self.most_at_once = max(self.most_at_once, self.now)
        answer = super().ask(url)
        with self.lock:
            self.now -= 1
        return answer


def test_one_host_is_asked_one_after_another_with_a_pause(site: Site, tmp_path: Path) -> None:
    pauses = Waits()
    links = [(site.url(f"/{name}"), Span("docs/a.md")) for name in "abcdef"]
    asker = Counting()
    check_external_links(links, tmp_path / "cache", asker=asker, asks_this_machine=True, pause=pauses)
    assert asker.most_at_once == 1
    assert len(pauses) == 5
    assert min(pauses) > 0


def test_busy_server_is_asked_again_when_it_says(site: Site, tmp_path: Path) -> None:
    waits = Waits()
    assert check(site, tmp_path / "cache", "/429-twice", waits=waits).findings == []
    assert waits == [7, 7]


@pytest.mark.parametrize("path", ["/429", "/503", "/401", "/403"])
def test_server_that_refuses_programs_says_nothing_about_the_page(site: Site, tmp_path: Path, path: str) -> None:
    found = check(site, tmp_path / "cache", path)
    assert (found.findings, found.unclear) == ([], 1)


def test_good_answers_are_kept_and_bad_ones_are_not(site: Site, tmp_path: Path) -> None:
    cache = tmp_path / "new" / "cache"
    assert check(site, cache, "/good", "/404").asked == 2
    assert check(site, cache, "/good", "/404").asked == 1
    assert check(site, cache, "/good", most_days=0).asked == 1
    cache.write_bytes(b'{"damaged')
    assert check(site, cache, "/good").asked == 1


def test_server_that_does_not_answer_is_reported(tmp_path: Path) -> None:
    with Site() as closed:
        address = closed.url("/")
    found = check_external_links([(address, Span("a.md"))], tmp_path / "c", asker=Asker(), asks_this_machine=True)
    assert "cannot be reached: " in found.findings[0].message
    assert "Errno" not in found.findings[0].message


@pytest.mark.parametrize(
    "href",
    [
        "http://localhost:8989/health",
        "http://127.0.0.1/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest",
        "http://[::1]/",
        "http://localhost.:3000/",
        "http://127.1/",
        "http://0x7f.0.0.1/",
        "http://2130706433/",
        "http://docs.example.org./",
        "http://a@10.0.0.1/",
        "https://docs.example/",
        "https://docs.example.org/",
        "http://registry/",
        "mailto:a@b.org",
        "file:///etc/passwd",
        "./other.md",
        "http://[broken/",
        "https://",
    ],
)
def test_private_addresses_and_other_schemes_are_not_asked(tmp_path: Path, href: str) -> None:
    class Nobody(Asker):
        def ask(self, url: str) -> object:  # type: ignore[override]
            raise AssertionError(url)

    assert check_external_links([(href, Span("a.md"))], tmp_path / "c", asker=Nobody()) == Checked([], 0, 0)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("7", 7), ("0", 0), ("9999", 60), (None, 5), ("soon", 5), ("Wed, 21 Oct 2015 07:28:00 GMT", 0)],
)
def test_time_to_wait_is_read_and_bounded(value: str | None, seconds: float) -> None:
    assert retry_after_s(value) == seconds


@contextmanager
def raw_server(first: bytes, drip: bytes) -> Iterator[str]:
    """Serve an answer that begins so, and then goes on for ever, a bit at a time; gives its address."""
    over = threading.Event()

    def answer(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.recv(1000)
            connection.sendall(first)
            while not over.wait(0.005):
                connection.sendall(drip)

    def accept() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=answer, args=(listener.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        over.set()
        listener.shutdown(socket.SHUT_RDWR)
    thread.join()


@pytest.mark.parametrize(
    ("first", "drip"),
    [
        (b"HTTP/1.1 200 OK\r\n", b"X"),
        (b"HTTP/1.1 200 OK\r\nX-Long: ", b"a"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"HTTP/1.1 404 Not Found\r\nX-Long: ", b"a"),
        (b"HTTP/1.1 302 Found\r\nLocation: /other\r\nX-Long: ", b"a"),
    ],
)
def test_server_that_answers_without_end_holds_the_check_up_no_longer_than_it_may(first: bytes, drip: bytes) -> None:
    with raw_server(first, drip) as url:
        answer = Asker(deadline_s=0.2).ask(url)
    assert answer == LinkAnswer(0, "no whole answer within 0.2 s", is_silent=True)


def test_body_of_a_redirect_is_not_read(site: Site) -> None:
    head = f"HTTP/1.1 302 Found\r\nLocation: {site.url('/there')}\r\n\r\n"
    with raw_server(head.encode(), b"x" * 1000) as url:
        assert Asker(follows_to_private=True).ask(url).status == 200


@pytest.mark.parametrize("host", ["localhost", "127.1", "0x7f000001", "[::ffff:127.0.0.1]"])
def test_redirect_into_a_private_network_is_not_followed(site: Site, host: str) -> None:
    target = site.url("/inside").replace("127.0.0.1", host)
    with raw_server(f"HTTP/1.1 302 Found\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n".encode(), b"") as url:
        answer = Asker().ask(url)
    assert answer.status == 0
    assert "private network" in answer.reason
    assert site.asked == []


def test_redirect_on_the_same_host_is_followed_wherever_it_is(site: Site) -> None:
    assert Asker().ask(site.url("/moved")).status == 200


@pytest.mark.parametrize("target", ["ftp://127.0.0.1/x", "file:///etc/passwd", "javascript:alert(1)"])
def test_redirect_to_another_scheme_is_a_finding(site: Site, tmp_path: Path, target: str) -> None:
    found = check(site, tmp_path / "c", f"/to?{target}")
    assert "cannot be reached: " in found.findings[0].message


def test_redirect_without_end_is_unclear(site: Site, tmp_path: Path) -> None:
    # A page may be there for readers who keep its cookies.
    found = check(site, tmp_path / "c", "/loop?1")
    assert (found.findings, found.unclear) == ([], 1)
    assert check(site, tmp_path / "c", "/loop?1").asked == 1


def test_host_that_is_always_busy_is_left_alone_after_some_addresses(site: Site, tmp_path: Path) -> None:
    waits = Waits()
    found = check(site, tmp_path / "c", *(f"/429?{number}" for number in range(40)), waits=waits)
    assert found.findings == []
    assert found.unclear == 40
    assert len(waits) < 10


def test_host_that_does_not_answer_is_left_alone_after_some_addresses(tmp_path: Path) -> None:
    class Silent(Asker):
        asked = 0

        def ask(self, url: str) -> LinkAnswer:
            self.asked += 1
            return LinkAnswer(0, "timed out", is_silent=True)

    asker = Silent()
    links = [(f"http://127.0.0.1/{number}", Span("a.md")) for number in range(40)]
    found = check_external_links(links, tmp_path / "c", asker=asker, asks_this_machine=True, pause=Waits())
    assert len(found.findings) == 40
    assert asker.asked == found.asked == 3
    assert "three other addresses of 127.0.0.1 timed out" in found.findings[-1].message


def test_name_and_password_in_an_address_are_not_sent(site: Site, tmp_path: Path) -> None:
    href = site.url("/a").replace("//", "//me:secret@")
    links = [(href, Span("docs/a.md")), (site.url("/a"), Span("docs/b.md"))]
    checked = check_external_links(links, tmp_path / "c", asker=Asker(), asks_this_machine=True, pause=Waits())
    assert (checked.findings, checked.asked, site.asked) == ([], 1, [("HEAD", "/a")])


@pytest.mark.parametrize(
    ("first", "status", "reason"),
    [
        (b"HTTP/1.1 404 \x1b[31mGone\x1b[0m\r\nContent-Length: 0\r\n\r\n", 404, "?[31mGone?[0m"),
        (b"HTTP/1.1 404 " + b"a" * 1000 + b"\r\nContent-Length: 0\r\n\r\n", 404, "a" * 200),
        (b"\x1b]0;title\x07 is not an answer\r\n\r\n", 0, "the answer is not HTTP"),
    ],
)
def test_words_of_a_server_are_text_for_a_terminal(first: bytes, status: int, reason: str) -> None:
    with raw_server(first, b"") as url:
        answer = Asker(follows_to_private=True).ask(url)
    assert (answer.status, answer.reason) == (status, reason)


def test_server_without_tls_is_explained(site: Site) -> None:
    answer = Asker().ask(site.url("/").replace("http:", "https:"))
    assert (answer.status, answer.reason) == (0, "it has no secure connection to offer")


def test_host_that_cannot_be_looked_up_is_explained() -> None:
    answer = Asker().ask(f"http://{'a' * 70}.zz/")
    assert (answer.status, answer.reason) == (0, "its host is not a name that can be looked up")
