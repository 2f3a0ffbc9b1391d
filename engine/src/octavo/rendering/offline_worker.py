"""The service worker of a site that can be read without a network."""

from __future__ import annotations

import html
from collections.abc import Iterable

import msgspec

from octavo.config import Config, site_words
from octavo.rendering.theme import THEME_DIR, read_theme_file

OFFLINE_WORKER = "offline-worker.js"
"""Path in the published folder: a service worker has power over what is beside it and below."""


class _Settings(msgspec.Struct, frozen=True):
    """Settings of the worker; `offlineWorker.ts` describes each of them."""

    base: str
    assets: list[str]
    notices: list[tuple[str, str, str, str]]


def write_offline_worker(config: Config, assets: Iterable[str]) -> bytes:
    """Write the service worker of a site.

    Args:
        config: Its settings.
        assets: Addresses of the theme's files in the published folder.

    Raises:
        RenderError: the theme is gone.
    """
    base = config.base_url
    settings = _Settings(
        base,
        [f"{base}{address}" for address in assets if address.endswith((".js", ".css"))],
        [
            (f"{base}{path}/" if path else base, locale.id, locale.direction, _notice(config, locale.id))
            for place, locale in enumerate(config.locales)
            # Addresses outside of all languages are answered in the first one.
            for path in dict.fromkeys(("", locale.path) if place == 0 else (locale.path,))
        ],
    )
    script = read_theme_file(THEME_DIR / OFFLINE_WORKER)
    return b"self.octavoOffline=" + msgspec.json.encode(settings) + b";\n" + script


def _notice(config: Config, locale: str) -> str:
    """Write the notice of a page that was not read before, as HTML: the worker has nothing that escapes text."""
    return html.escape(site_words(config, locale)["offline"], quote=False)
