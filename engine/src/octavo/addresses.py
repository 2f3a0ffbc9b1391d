"""Find addresses of other hosts that browsers refuse."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_WEB = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_FORBIDDEN_IN_HOST = re.compile(r"[\x00-\x20#<>?@\\^`{|}%\[\]]")
"""What a host may not hold once percent escapes are resolved (WHATWG URL, section 3.3), and braces, which no name has."""


def explain_malformed(href: str) -> tuple[str, str] | None:
    """Explain why no browser can open an address.

    Args:
        href: An address as an author wrote it. One of the site itself is never malformed.

    Returns:
        (what is wrong, what to do); None for an address that browsers can read.
    """
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
            f'The address "{href}" has a port that is no number up to 65535.',
            "Correct the port behind the colon, or leave it out.",
        )
    is_ipv6 = parts.netloc.rpartition("@")[2].startswith("[")
    if not is_ipv6 and (bad := _FORBIDDEN_IN_HOST.search(host)):
        return f'The host "{host}" holds {bad[0]!r}, which no host may.', "Correct the host of the address."
    return None
