"""Redirects as pages, for hosts that know no others."""

from __future__ import annotations

import html
from collections.abc import Mapping

from octavo.manifest import html_file
from octavo.site import LinkResolver


def write_redirects(redirects: Mapping[str, str], resolver: LinkResolver) -> dict[str, tuple[str, bytes]]:
    """Write a page for each redirect, as source → (address in the published folder, HTML)."""
    return {source: (html_file(source), _page(target, resolver)) for source, target in redirects.items()}


def _page(target: str, resolver: LinkResolver) -> bytes:
    url = html.escape(resolver.resolve_setting(target).url)
    text = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>This page has moved</title>\n'
        f'<meta http-equiv="refresh" content="0; url={url}"><link rel="canonical" href="{url}">\n'
        f'<meta name="robots" content="noindex"></head><body><p>This page has moved to <a href="{url}">{url}</a>.'
        "</p></body></html>\n"
    )
    return text.encode()
