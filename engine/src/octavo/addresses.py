"""Find addresses of other hosts that browsers refuse, and those under which no site can be published."""

from __future__ import annotations

from urllib.parse import urlsplit

from octavo.lazy import regex as re

_ONE_SLASH = re.compile(r"https?:/(?!/)", re.IGNORECASE)
_WEB = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_FORBIDDEN_IN_HOST = re.compile(r"[\x00-\x20#<>?@\\^`{|}%\[\]]")
"""What a host may not hold once percent escapes are resolved (WHATWG URL, section 3.3), and braces, which no name has."""
_SITE_URL = re.compile(r"https?://[^/\s?#]+")
_BASE_URL = re.compile(r"/(?:[^/\\\s?#]+/)*")
_DOTS = re.compile(r"/(?:\.|%2e){1,2}/", re.IGNORECASE)


def explain_site_url(url: str) -> str | None:
    """Explain why an address cannot be that of a site, as in "it …"; None where it can."""
    if not _SITE_URL.fullmatch(url):
        return 'expected an address without a path, such as "https://docs.example.org"'
    if "@" in url:
        return "it names a user, and pages would show that to everybody; leave out what comes before the @"
    malformed = explain_malformed(url)
    return malformed[0].removesuffix(".") if malformed else None


def explain_base_url(base_url: str) -> str | None:
    """Explain why a site cannot be published under a path, as in "it …"; None where it can."""
    if not base_url.startswith("/") or not base_url.endswith("/"):
        return 'it must begin and end with a slash, such as "/docs/"'
    if not _BASE_URL.fullmatch(base_url):
        return "it has a space, a backslash, ?, #, or two slashes in a row, which no path of a site may have"
    if _DOTS.search(base_url):
        return "it has a part that is only dots, which browsers take for another folder"
    return None


_LONGEST_LABEL = 63
"""Bytes of a part of a host between two dots (RFC 1035 section 2.3.4)."""


def explain_malformed(href: str) -> tuple[str, str] | None:
    """Explain why no browser can open an address.

    Args:
        href: An address as an author wrote it. One of the site itself is never malformed.

    Returns:
        (what is wrong, what to do); None for an address that browsers can read.
    """
    if _ONE_SLASH.match(href):
        return f'The address "{href}" has one slash behind its scheme.', f'Write "{href.replace(":/", "://", 1)}".'
    if _WEB.match(href) is None:
        return None
    try:
        parts = urlsplit(href)
        host = parts.hostname
    except ValueError:
        return (
            f'The address "{href}" has a host that cannot be read.',
            "An IPv6 address is written in brackets, as in http://[::1]:8080/.",
        )
    if not host:
        return f'The address "{href}" names no host.', "Write the host behind the two slashes."
    try:
        _ = parts.port
    except ValueError:
        return (
            f'The address "{href}" has a port that is not a number up to 65535.',
            "Correct the port behind the colon, or leave it out.",
        )
    is_ipv6 = parts.netloc.rpartition("@")[2].startswith("[")
    if not is_ipv6 and (bad := _FORBIDDEN_IN_HOST.search(host)):
        return f'The host "{host}" holds {bad[0]!r}, which no host may.', "Correct the host of the address."
    labels = [] if is_ipv6 else host.removesuffix(".").split(".")
    if not all(labels):
        return f'The host "{host}" has two dots in a row.', "Correct the host of the address."
    if too_long := next((label for label in labels if len(label.encode("punycode")) > _LONGEST_LABEL), ""):
        return (
            f'The host of the address has a part that is longer than {_LONGEST_LABEL} characters: "{too_long[:80]}".',
            "Correct the host of the address.",
        )
    return None
