"""Ask a server whether an address is there: politely, and with no more bytes and time than it takes."""

from __future__ import annotations

import datetime as dt
import http.client
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from email.utils import parsedate_to_datetime

import msgspec

from octavo._version import __version__
from octavo.external_links.exchange import Exchange

USER_AGENT = f"Mozilla/5.0 (compatible; octavo-link-check/{__version__})"
"""Says who asks, so that operators can tell it from readers and refuse it."""

_TIMEOUT_S = 15.0
_DEADLINE_S = 30.0
_MOST_TRIES = 3
_LONGEST_WAIT_S = 60.0
_MOST_SHOWN = 200
"""Characters of the words of a server that are shown."""
_WAIT_S = 5.0
"""Seconds until the next attempt where a busy server does not say how long to wait."""
BUSY = frozenset({429, 503})
"""Statuses of a server that has no time now."""


class LinkAnswer(msgspec.Struct, frozen=True):
    """What a server said of an address."""

    status: int
    """0 where there was no answer."""
    reason: str
    is_silent: bool = False
    """The server let the time pass."""
    is_guess: bool = False
    """The address was not asked: its host gave others no answer."""


class Asker:
    """Asks for the head of an address, and for its body where a server doesn't answer the former well."""

    def __init__(
        self,
        *,
        timeout_s: float = _TIMEOUT_S,
        deadline_s: float = _DEADLINE_S,
        wait: Callable[[float], None] = time.sleep,
        follows_to_private: bool = False,
    ) -> None:
        """Initialize.

        Args:
            timeout_s: Longest wait for a connection, and for each part of an answer, in seconds.
            deadline_s: Longest time that all of an answer may take, those of redirects included, in seconds.
            wait: Lets a number of seconds pass, as a busy server asks for.
            follows_to_private: Follow redirects from one host to another in a private network: what is there does not
                concern a server elsewhere, and no reader elsewhere can reach it.
        """
        self._timeout_s = timeout_s
        self._deadline_s = deadline_s
        self._wait = wait
        self._follows_to_private = follows_to_private

    def ask(self, url: str) -> LinkAnswer:
        """Ask for an address; redirects are followed."""
        answer = LinkAnswer(0, "not asked")
        for attempt in range(_MOST_TRIES):
            answer, wait_s = self._send("HEAD", url)
            if answer.status >= 400 and answer.status not in BUSY:
                answer, wait_s = self._send(
                    "GET", url
                )  # some answer HEAD with 403, 404 or 405 for pages that are there
            if answer.status not in BUSY or attempt == _MOST_TRIES - 1:
                break
            self._wait(wait_s)
        return answer

    def _send(self, method: str, url: str) -> tuple[LinkAnswer, float]:
        """Send one request; gives the answer, and how long to wait before the next one, in seconds."""
        exchange = Exchange(
            timeout_s=self._timeout_s, deadline_s=self._deadline_s, follows_to_private=self._follows_to_private
        )
        wait_s = 0.0
        try:
            request = urllib.request.Request(url, method=method, headers={"User-Agent": USER_AGENT, "Accept": "*/*"})  # noqa: S310 - http and https only, see `check.py`
            with exchange, exchange.open(request) as reply:
                answer = LinkAnswer(reply.status, _shown(reply.reason or ""))
        except urllib.error.HTTPError as error:
            # That of a redirect has lines of explanation for programmers.
            reason = "is redirected without end" if 300 <= error.code < 400 else str(error.reason or "")
            answer = LinkAnswer(error.code, _shown(reason))
            wait_s = retry_after_s(error.headers.get("Retry-After"))
            error.close()
        except (OSError, http.client.HTTPException, ValueError) as error:
            cause = getattr(error, "reason", None) or error
            # Without the number that the system gives the error.
            words = _words_of(cause)
            answer = LinkAnswer(0, words or type(cause).__name__, is_silent=isinstance(cause, TimeoutError))
        if exchange.is_late:
            return LinkAnswer(0, f"no whole answer within {self._deadline_s:g} s", is_silent=True), 0
        return answer, wait_s


def _words_of(cause: object) -> str:
    """Say why there was no answer, without what only programmers know."""
    if isinstance(cause, http.client.BadStatusLine) and not isinstance(cause, ConnectionError):
        return "the answer is not HTTP"
    if isinstance(cause, UnicodeError):
        return "its host is not a name that can be looked up"
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"its certificate is not valid: {cause.verify_message}"
    if isinstance(cause, ssl.SSLError):
        return "it has no secure connection to offer"
    return _shown(getattr(cause, "strerror", None) or str(cause))


def _shown(words: str) -> str:
    """Show what a server says, without what a terminal would take for more than text."""
    return "".join(char if char.isprintable() else "?" for char in words[:_MOST_SHOWN])


def retry_after_s(value: str | None) -> float:
    """Read a Retry-After header, seconds or a date (RFC 9110 section 10.2.3); at most a minute."""
    seconds = _WAIT_S
    if value and value.strip().isdecimal():
        seconds = float(value)
    elif value:
        try:
            seconds = (parsedate_to_datetime(value) - dt.datetime.now(dt.UTC)).total_seconds()
        except (ValueError, TypeError):
            seconds = _WAIT_S
    return min(max(0.0, seconds), _LONGEST_WAIT_S)
