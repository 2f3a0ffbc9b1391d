"""Find requests in scripts of the site that its content security policy refuses: browsers block them, and readers see nothing.

Only addresses that are written as a literal are seen; what a program puts together is known when it runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from octavo.diagnostics import Diagnostic, Span
from octavo.lazy import regex as re

_REQUEST = re.compile(
    r"""\b(?:fetch|EventSource|WebSocket|sendBeacon)\(\s*(?:new URL\(\s*)?["'`](?P<origin>(?:https?|wss?)://[\w.-]+(?::\d+)?)"""
)
_IN_BROWSER = re.compile(r"^\s*export\s+const\s+client\b", re.MULTILINE)
_COMPONENT = re.compile(r"(?:\A|/)[A-Z][\w.-]*\.[jt]sx\Z")
_COMMENT = re.compile(r"^\s*(?://|\*)")


def find_refused_requests(policy: str, files: Iterable[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Find requests to hosts to which no page may connect.

    Args:
        policy: Of the site's pages.
        files: (path from the site's folder, text) of components, of what they import, and of scripts.
    """
    allowed = next((part.split()[1:] for part in policy.split("; ") if part.startswith("connect-src ")), [])
    for path, text in files:
        if _COMPONENT.search(path) and not _IN_BROWSER.search(text):
            continue  # drawn by the build only
        seen: set[str] = set()
        for match in _REQUEST.finditer(text):
            origin = match["origin"]
            line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
            if origin in seen or _COMMENT.match(line) or _is_allowed(origin, allowed):
                continue
            seen.add(origin)
            message = f'The content security policy lets no page connect to "{origin}": browsers block this request.'
            hint = f'Write "connect-src" = ["{origin}"] under [content_policy] of octavo.toml.'
            yield Diagnostic(
                "refused-request", "warn", Span(path, text.count("\n", 0, match.start()) + 1), message, hint
            )


def _is_allowed(origin: str, sources: Sequence[str]) -> bool:
    """Whether a list of sources of a policy has an origin; one without a scheme stands for `https` and `wss`."""
    scheme, _, host = origin.partition("://")
    name, _, port = host.partition(":")
    for source in sources:
        if source in ("*", f"{scheme}:"):
            return True
        own_scheme, mark, rest = source.rpartition("://")
        if mark and own_scheme != scheme and (own_scheme, scheme) != ("https", "wss"):
            continue
        own_name, _, own_port = rest.partition("/")[0].partition(":")
        fits = name == own_name or (own_name.startswith("*.") and name.endswith(own_name[1:]))
        if fits and own_port in ("*", port):
            return True
    return False
