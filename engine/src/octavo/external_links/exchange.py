"""One exchange with a server, redirects included: it ends in time, and stays out of private networks."""

from __future__ import annotations

import functools
import http.client
import ipaddress
import socket
import ssl
import threading
import time
import urllib.request
from contextlib import suppress
from typing import IO, Any, Self
from urllib.parse import urljoin, urlsplit

from octavo.lazy import regex as re

_EXAMPLE = re.compile(r"(?:^|\.)example\.(?:com|net|org)$")


class _RefusedError(OSError):
    """A redirect that is not followed."""


class Exchange:
    """Sends a request and follows redirects; as a context it ends what is under way when the time is over.

    A time-out of a socket starts anew with each byte, so a server that sends one now and then would hold a check up
    for ever. Here the connection is shut down from outside, whatever is read from it.
    """

    def __init__(self, *, timeout_s: float, deadline_s: float, follows_to_private: bool) -> None:
        """Initialize; for the parameters see `Asker`."""
        self.is_late = False
        """The time was over before all of the answer was there."""
        self._timeout_s = timeout_s
        self._follows_to_private = follows_to_private
        self._end_s = time.monotonic() + deadline_s
        self._timer = threading.Timer(deadline_s, self._stop)
        self._timer.daemon = True
        self._lock = threading.Lock()
        self._connections: list[socket.socket] = []
        self._foreign_host = ""
        """The host that another one has redirected to; its address is looked at."""

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            for connection in self._connections:
                connection.close()
            self._connections.clear()

    def open(self, request: urllib.request.Request) -> Any:
        """Send a request; gives the answer, of which the body is not read.

        Raises:
            OSError: there is none, or it leads into a private network.
            HTTPException: it is none.
            urllib.error.HTTPError: it has a status from 300 on.
        """
        opener = urllib.request.OpenerDirector()
        for handler in (
            urllib.request.ProxyHandler(),
            _Http(self),
            _Https(self),
            _Redirects(self),
            urllib.request.HTTPErrorProcessor(),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.UnknownHandler(),
        ):
            opener.add_handler(handler)
        return opener.open(request, timeout=self._timeout_s)

    def check_redirect(self, old: str, new: str) -> None:
        """See whether a redirect may be followed.

        Raises:
            OSError: it may not.
        """
        parts = urlsplit(new)
        if parts.scheme not in ("http", "https"):
            raise _RefusedError(f"it is redirected to {new[:200]}")
        host = parts.hostname or ""
        if host == urlsplit(old).hostname:
            return
        self._foreign_host = host
        if is_private(host):
            self._refuse(host)

    def connect(self, host: str, address: tuple[str, int], *arguments: Any) -> socket.socket:
        """Make a connection that ends in time.

        Args:
            host: Host that the request is for or, behind a proxy, the proxy.
            address: Host and port.
            arguments: The others of `socket.create_connection`.

        Raises:
            OSError: it cannot be made in time, or is one to a private network that a redirect leads into.
        """
        left_s = self._end_s - time.monotonic()
        if left_s <= 0:
            self.is_late = True
            raise TimeoutError
        made = socket.create_connection(address, min(self._timeout_s, left_s), *arguments[1:])
        if host == self._foreign_host and not ipaddress.ip_address(_plain(made.getpeername()[0])).is_global:
            made.close()
            self._refuse(host)
        with self._lock:
            # What is made of it for TLS takes the descriptor over.
            self._connections.append(made.dup())
        made.settimeout(self._timeout_s)
        if time.monotonic() >= self._end_s:
            self._stop()
        return made

    def _refuse(self, host: str) -> None:
        if not self._follows_to_private:
            raise _RefusedError(f"it is redirected into a private network, to {host}")

    def _stop(self) -> None:
        self.is_late = True
        with self._lock:
            for connection in self._connections:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)


class _Connection(http.client.HTTPConnection):
    def __init__(self, *args: Any, exchange: Exchange, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._create_connection = functools.partial(exchange.connect, self.host)


class _SecureConnection(http.client.HTTPSConnection):
    def __init__(self, *args: Any, exchange: Exchange, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._create_connection = functools.partial(exchange.connect, self.host)


class _Http(urllib.request.HTTPHandler):
    def __init__(self, exchange: Exchange) -> None:
        super().__init__()
        self._exchange = exchange

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(functools.partial(_Connection, exchange=self._exchange), req)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, exchange: Exchange) -> None:
        super().__init__()
        self._exchange = exchange

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        made = functools.partial(_SecureConnection, exchange=self._exchange, context=_trusted())
        return self.do_open(made, req)


class _Redirects(urllib.request.HTTPRedirectHandler):
    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    def http_error_302(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: http.client.HTTPMessage
    ) -> Any:
        fp.close()  # its body would be read to the end, and may have none
        if (target := headers.get("Location") or headers.get("URI")) is not None:
            self._exchange.check_redirect(req.full_url, urljoin(req.full_url, target))
        return super().http_error_302(req, fp, code, msg, headers)

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


@functools.cache
def _trusted() -> ssl.SSLContext:
    """Load the certificates that this machine trusts, once."""
    return ssl.create_default_context()


def is_private(host: str) -> bool:
    """Return whether a host means a machine that readers elsewhere cannot reach, or an example (RFC 2606)."""
    host = host.removesuffix(".")
    last = host.rpartition(".")[2].lower()
    if last in ("localhost", "local", "internal", "test", "example", "invalid") or _EXAMPLE.search(host.lower()):
        return True
    if "." not in host and ":" not in host:
        return True
    try:
        return not ipaddress.ip_address(_plain(host)).is_global
    except ValueError:
        pass
    try:
        # Systems read more forms of an address than one: `127.1`, `0x7f.0.0.1`.
        return not ipaddress.ip_address(socket.inet_aton(host)).is_global
    except (OSError, ValueError):
        return False


def _plain(address: str) -> str:
    """Write an address of IPv4 as such also where it is written as one of IPv6, and leave out its zone."""
    address = address.partition("%")[0]
    return address[len("::ffff:") :] if address.lower().startswith("::ffff:") and "." in address else address
