"""Redirects as pages, for hosts that know no others."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping

from octavo.contract import html_file
from octavo.site import LinkResolver


def write_redirects(
    redirects: Mapping[str, str], taken: Mapping[str, object], resolver: LinkResolver
) -> dict[str, bytes]:
    """Write a page for each redirect whose address no page has, as address in the published folder → HTML."""
    return dict(_pages(redirects, taken, resolver))


def _pages(
    redirects: Mapping[str, str], taken: Mapping[str, object], resolver: LinkResolver
) -> Iterator[tuple[str, bytes]]:
    for source, target in redirects.items():
        address = html_file(source)
        if address not in taken:
            url = html.escape(resolver.resolve_setting(target).url)
            text = (
                '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>This page has moved</title>\n'
                f'<meta http-equiv="refresh" content="0; url={url}"><link rel="canonical" href="{url}">\n'
                f'<meta name="robots" content="noindex"></head><body><p>This page has moved to <a href="{url}">{url}</a>.'
                "</p></body></html>\n"
            )
            yield address, text.encode()
