"""The options `--url` and `--base-url`, for builds whose address only the command line knows, such as previews."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

import click

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

_URL = re.compile(r"https?://[^/\s?#]+")
_BASE_URL = re.compile(r"/(?:[^/\\\s?#]+/)*")


def address_options(command: Decorated) -> Decorated:
    """Add both options to a command; they arrive as `url` and `base_url`, None where they are not given."""
    base_url = click.option(
        "--base-url", callback=_check_base_url, help="Path under which the site is published, such as /pr-12/."
    )
    url = click.option("--url", callback=_check_url, help="Address under which the site is published, without a path.")
    return url(base_url(command))


def given_settings(url: str | None, base_url: str | None) -> dict[str, str]:
    """Give the settings that take the place of those of `octavo.toml`."""
    return {name: value for name, value in (("url", url), ("base_url", base_url)) if value is not None}


def _check_url(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and not _URL.fullmatch(value):
        raise click.BadParameter(f'"{value}" is no address without a path, such as https://docs.example.org.')
    return value


def _check_base_url(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and not _BASE_URL.fullmatch(value):
        raise click.BadParameter(f'"{value}" does not begin and end with a slash, such as /docs/.')
    return value
