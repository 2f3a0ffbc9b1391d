"""Check the links of a site to other sites: hosts in parallel, each one address after another, answers kept for days."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote, urldefrag, urlsplit

import msgspec

from octavo.diagnostics import Diagnostic, Span
from octavo.external_links.asking import BUSY, Asker, LinkAnswer
from octavo.external_links.exchange import is_private

_HOSTS_AT_ONCE = 8
_PAUSE_S = 0.25
"""Between two requests to one host."""
_GONE = frozenset({0, 400, 404, 410, 414, 500, 501, 502, 504})
"""Statuses that a reader would see as a failure. Others refuse programs, or are busy: they say nothing about the page."""
_DAY_S = 86_400
_MOST_IN_VAIN = 3
"""Addresses of a host in a row that are busy, or let the time pass, before its others are not asked any more."""


class _Kept(msgspec.Struct, frozen=True):
    """A good answer of an earlier check."""

    status: int
    asked_s: float
    """Time of the answer, in seconds since 1970."""


class Checked(msgspec.Struct, frozen=True):
    """The outcome of a check."""

    findings: list[Diagnostic]
    asked: int
    """Addresses that were asked now; others were known from earlier checks."""
    unclear: int
    """Addresses whose servers refuse programs, or were too busy."""


def check_external_links(
    links: Iterable[tuple[str, Span]],
    cache_file: Path,
    *,
    asker: Asker,
    most_days: float = 7,
    asks_this_machine: bool = False,
    pause: Callable[[float], None] = time.sleep,
) -> Checked:
    """Ask for every address once, and report those that are not there, at each place that links to them.

    Args:
        links: (address, place) of links; those that are not http or https are left out.
        cache_file: Keeps good answers between runs; a damaged one counts for nothing.
        asker: Sends the requests.
        most_days: Age up to which a good answer is believed; what failed is always asked again.
        asks_this_machine: Ask also for `localhost` and addresses of private networks, which pages name as examples.
        pause: Lets a number of seconds pass between two requests to one host.
    """
    places: dict[str, list[tuple[str, Span]]] = {}
    for href, span in links:
        address = _address(href, asks_this_machine=asks_this_machine)
        if address is not None:
            places.setdefault(address, []).append((href, span))
    now_s = time.time()
    kept = {url: one for url, one in _load(cache_file).items() if 0 <= now_s - one.asked_s <= most_days * _DAY_S}
    answers = _ask_all([url for url in places if url not in kept], asker, pause)
    good = {url: _Kept(answer.status, now_s) for url, answer in answers.items() if 0 < answer.status < 300}
    _save(cache_file, {url: one for url, one in (kept | good).items() if url in places})
    findings = [
        Diagnostic("external-link", "warn", span, f'link "{href}" {_explain(answers[url])}.')
        for url, found in places.items()
        if url in answers and answers[url].status in _GONE
        for href, span in found
    ]
    unclear = sum(answer.status >= 300 and answer.status not in _GONE for answer in answers.values())
    return Checked(findings, sum(not answer.is_guess for answer in answers.values()), unclear)


def _ask_all(urls: list[str], asker: Asker, pause: Callable[[float], None]) -> dict[str, LinkAnswer]:
    by_host: dict[str, list[str]] = {}
    for url in urls:
        by_host.setdefault(urlsplit(url).netloc, []).append(url)

    def ask_host(waiting: list[str]) -> list[tuple[str, LinkAnswer]]:
        answers: list[tuple[str, LinkAnswer]] = []
        in_vain = 0
        for number, url in enumerate(waiting):
            if in_vain == _MOST_IN_VAIN:
                answers.append((url, _guess(answers[-1][1], urlsplit(url).hostname or "")))
                continue
            if number:
                pause(_PAUSE_S)
            answer = asker.ask(url)
            answers.append((url, answer))
            in_vain = in_vain + 1 if answer.is_silent or answer.status in BUSY else 0
        return answers

    with ThreadPoolExecutor(_HOSTS_AT_ONCE, thread_name_prefix="octavo-links") as pool:
        return dict(answer for answers in pool.map(ask_host, by_host.values()) for answer in answers)


def _address(href: str, *, asks_this_machine: bool) -> str | None:
    """Give the address to ask for, without its fragment; None for what is not to be asked."""
    try:
        parts = urlsplit(urldefrag(href)[0])
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host or (is_private(host) and not asks_this_machine):
        return None
    # As browsers send it: what is not ASCII is percent-encoded, what is encoded stays so.
    with contextlib.suppress(UnicodeError):
        # A name and a password in front of the host are not part of what is connected to.
        netloc = parts.netloc.rpartition("@")[2]
        netloc = netloc if netloc.isascii() else netloc.encode("idna").decode()
        path, query = quote(parts.path, safe="/%:@!$&'()*+,;=~-._"), quote(parts.query, safe="/%:@!$&'()*+,;=~-._?")
        return parts._replace(netloc=netloc, path=path, query=query).geturl()
    return None


def _guess(last: LinkAnswer, host: str) -> LinkAnswer:
    """Say of an address that is not asked what the last one of its host has given."""
    if last.is_guess:
        return last
    reason = last.reason if last.status else f"three other addresses of {host} timed out"
    return msgspec.structs.replace(last, reason=reason, is_guess=True)


def _explain(answer: LinkAnswer) -> str:
    if answer.status == 0:
        return f"cannot be reached: {answer.reason}"
    return f"is answered with {answer.status} {answer.reason}".rstrip()


def _load(path: Path) -> Mapping[str, _Kept]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, _Kept])
    except (OSError, ValueError):
        return {}


def _save(path: Path, kept: Mapping[str, _Kept]) -> None:
    # Without a cache the next check takes longer, and is right all the same.
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f"{path.name}.{os.getpid()}")
        temporary.write_bytes(msgspec.json.encode(kept))
        temporary.replace(path)
