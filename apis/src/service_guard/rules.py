"""The decisions of the guard, as functions of a request's headers."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass

from starlette.datastructures import Headers

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
REQUEST_ID = "x-request-id"

_HOST = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[^\s:\[\]/@]+))(?::(?P<port>[0-9]{1,5}))?")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_HIGHEST_PORT = 65_535


@dataclass(frozen=True)
class Rules:
    """Who may call, and how much they may send."""

    allowed_hosts: tuple[str, ...]
    """Names in the Host header that are answered, lower case, without port; `*` answers all."""
    allowed_origins: tuple[str, ...] = ()
    """Origins of web pages that may call, each written as browsers send it: scheme, name, port."""
    methods: tuple[str, ...] = ("GET", "POST", "PUT", "DELETE")
    """Methods that pages of allowed origins may use."""
    headers: tuple[str, ...] = ()
    """Header fields that these pages may send, beside the content type and the request id."""
    max_body_bytes: int = 1_048_576
    body_timeout_s: float = 30.0
    """Longest wait for a whole body."""


@dataclass(frozen=True)
class Refusal:
    """Why a request is not passed on."""

    status: int
    detail: str
    """One sentence for the client."""


def find_refusal(method: str, headers: Headers, rules: Rules) -> Refusal | None:
    """Decide from the head of a request whether it is refused; None passes it on.

    Refused are hosts that are not ours (a page elsewhere may have pointed its own name at this machine), changes that
    pages of other origins ask for, and bodies whose announced length is above the limit.
    """
    hosts = headers.getlist("host")
    if "*" not in rules.allowed_hosts and (len(hosts) != 1 or host_name(hosts[0]) not in rules.allowed_hosts):
        return Refusal(421, "This host name is not served here")
    origin = headers.get("origin")
    if origin and method not in SAFE_METHODS and not _may_change(origin, headers, rules):
        return Refusal(403, "This origin may not change anything here")
    if announced_bytes(headers) > rules.max_body_bytes:
        return too_large(rules)
    return None


def host_name(host: str) -> str | None:
    """Take the name out of a Host header, lower case, IPv6 without brackets; None where the header is malformed."""
    found = _HOST.fullmatch(host)
    if found is None or int(found["port"] or 0) > _HIGHEST_PORT:
        return None
    return (found["six"] or found["name"]).lower()


def announced_bytes(headers: Headers) -> int:
    """Read the length that a request announces; 0 where it announces none that can be read."""
    length = headers.get("content-length", "0")
    return int(length) if length.isdecimal() and len(length) < 20 else 0


def too_large(rules: Rules) -> Refusal:
    """Refuse a body above the limit."""
    return Refusal(413, f"The body is larger than {rules.max_body_bytes} bytes")


def too_slow(rules: Rules) -> Refusal:
    """Refuse a body that does not come to its end."""
    return Refusal(408, f"The body was not complete after {rules.body_timeout_s:g} seconds")


def request_id(headers: Headers) -> str:
    """Take over the id that a proxy has given, if it is one; else make one."""
    given = headers.get(REQUEST_ID, "")
    return given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex


def _may_change(origin: str, headers: Headers, rules: Rules) -> bool:
    is_own = origin.partition("://")[2] == headers.get("host")
    return is_own or origin in rules.allowed_origins
