"""The options `--url` and `--base-url`, for builds whose address only the command line knows, such as previews."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from octavo.addresses import explain_base_url, explain_site_url

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


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
    if value is not None and (mistake := explain_site_url(value)):
        raise click.BadParameter(f'"{value}": {mistake}.')
    return value


def _check_base_url(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and (mistake := explain_base_url(value)):
        raise click.BadParameter(f'"{value}": {mistake}.')
    return value
