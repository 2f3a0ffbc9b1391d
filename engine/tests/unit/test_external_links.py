"""Links to other sites, asked of a server of this machine."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from octavo.diagnostics import Span
from octavo.external_links import Asker, Checked, check_external_links
from octavo.external_links.asking import LinkAnswer, retry_after_s


class Site(ThreadingHTTPServer):
    """Answers as its paths say: `/404`, `/429-twice`, `/get-only`, `/moved`; everything else is there."""

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
        elif path.strip("/").isdecimal():
            status = int(path.strip("/"))
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/there")
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
    asker = Asker(wait=waits if waits is not None else Waits())
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
