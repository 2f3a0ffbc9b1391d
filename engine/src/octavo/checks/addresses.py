"""Hold a build to the ledger of addresses: what vanished without a redirect is a finding."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

from octavo.config import DiagnosticLevels
from octavo.diagnostics import Diagnostic, Span
from octavo.site import LEDGER_NAME, Redirects, find_vanished, nearest, split_address


def check_addresses(
    ledger: Mapping[str, int],
    current: set[str],
    *,
    anchors: Mapping[str, frozenset[str]],
    redirects: Redirects,
    levels: DiagnosticLevels,
    suggest_route: Callable[[str], str | None],
) -> Iterator[Diagnostic]:
    """Find what was published once and is gone.

    Args:
        ledger: Address → its line in the ledger.
        current: Addresses of this build.
        anchors: Route → ids in its finished HTML.
        redirects: The site's redirects.
        levels: What such findings weigh.
        suggest_route: Finds the route most like a path.
    """
    for address in find_vanished(ledger, current, anchors, redirects):
        path, anchor = split_address(address)
        span = Span(LEDGER_NAME, ledger[address])
        if anchor:
            message = f'"{address}" was published, and the page has no heading or element with the id "{anchor}" now.'
            suggestion = _suggest_anchor(anchor, anchors[path])
            yield Diagnostic("vanished-anchor", levels.vanished_anchors, span, message, suggestion)
        else:
            message = f'"{address}" was published, and there is neither a page nor a redirect now.'
            suggestion = _suggest_redirect(path, suggest_route(path))
            yield Diagnostic("vanished-address", levels.vanished_addresses, span, message, suggestion)


def _suggest_redirect(path: str, close: str | None) -> str:
    line = f"{{ from = {_quote(path)}, to = {_quote(close or '/')} }}"
    return f"If it moved, add to redirects in octavo.toml: {line}. {_GONE}"


def _suggest_anchor(anchor: str, present: frozenset[str]) -> str:
    close = nearest(anchor, sorted(present))
    became = f' If "{close}" is its new name, write' if close else " Where its text is now, write"
    return f'{became.strip()} <a id="{anchor}"></a> before it. {_GONE}'


_GONE = "If it is gone for good, run `octavo check --update-addresses`."


def _quote(text: str) -> str:
    """Write a string of TOML; its escapes are those of JSON."""
    return json.dumps(text, ensure_ascii=False)
