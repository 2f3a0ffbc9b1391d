"""Redirects as pages, for hosts that know no others."""

from __future__ import annotations

import html
from collections.abc import Mapping

from octavo.manifest import html_file
from octavo.site import WHOLE_FOLDER, LinkResolver, Site


def write_redirects(
    redirects: Mapping[str, str], resolver: LinkResolver, *, is_flat: bool
) -> dict[str, tuple[str, bytes]]:
    """Write a page for each redirect, as source → (address in the published folder, HTML)."""
    return {
        source: (html_file(source, is_flat=is_flat), _page(target, resolver)) for source, target in redirects.items()
    }


def _page(target: str, resolver: LinkResolver) -> bytes:
    url = html.escape(resolver.resolve_setting(target).url)
    text = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>This page has moved</title>\n'
        f'<meta http-equiv="refresh" content="0; url={url}"><link rel="canonical" href="{url}">\n'
        f'<meta name="robots" content="noindex"></head><body><p>This page has moved to <a href="{url}">{url}</a>.'
        "</p></body></html>\n"
    )
    return text.encode()


def write_redirects_file(exact: Mapping[str, str], folders: Mapping[str, str], site: Site, base: str) -> bytes:
    """Write `_redirects`, which Netlify and Cloudflare Pages read.

    Cloudflare follows a redirect even where a page lies, so one of a folder in which there are pages is left out: its
    paths that are known have pages of their own.

    Args:
        exact: Path → target.
        folders: Folder with its final slash → target.
        site: The site.
        base: Base URL without its final slash.
    """
    lines = [f"{base}{source} {_address(target, base)} 301" for source, target in exact.items()]
    for folder, target in folders.items():
        if not any(route.startswith(folder) for route in site.by_route):
            filled = f"{target[:-1]}:splat" if target.endswith(WHOLE_FOLDER) else target
            lines.append(f"{base}{folder}* {_address(filled, base)} 301")
    return "".join(f"{line}\n" for line in lines).encode()


def _address(target: str, base: str) -> str:
    return f"{base}{target}" if target.startswith("/") else target
