"""Write what a site adds to the head of its pages."""

from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path

from octavo.config import Config, HeadTag, Script
from octavo.look.hashes import short_hash
from octavo.text_files import read_plain


def write_styles(config: Config, site_dir: Path) -> list[str]:
    """Give the addresses of a site's own style sheets, as pages name them."""
    return [_address(style, config, site_dir) for style in config.styles]


def write_head(config: Config, site_dir: Path) -> list[str]:
    """Write scripts and other elements, each as one line of HTML."""
    tags = [_tag(tag, config.base_url) for tag in config.head]
    return [*tags, *(_script(script, config, site_dir) for script in config.scripts)]


def _address(address: str, config: Config, site_dir: Path) -> str:
    """Name a file with the hash of its content: browsers keep it until it is another one."""
    if not address.startswith("/"):
        return address
    try:
        content = read_plain(site_dir / config.static / address.lstrip("/"))
    except OSError:
        return config.base_url + address.lstrip("/")  # a missing file is reported by the checks of settings
    return f"{config.base_url}{address.lstrip('/')}?v={short_hash(content)}"


def _script(script: str | Script, config: Config, site_dir: Path) -> str:
    one = Script(src=script) if isinstance(script, str) else script
    attributes: dict[str, str | bool] = {"src": _address(one.src, config, site_dir)}
    if one.is_module:
        attributes["type"] = "module"
    # Modules are deferred by themselves.
    if one.is_async or not one.is_module:
        attributes["async" if one.is_async else "defer"] = True
    if one.integrity:
        attributes |= {"integrity": one.integrity, "crossorigin": "anonymous"}
    return f"<script{''.join(_attributes({**attributes, **one.attributes}))}></script>"


def _tag(tag: HeadTag, base_url: str) -> str:
    attributes: dict[str, str | bool] = {
        name: base_url + value.lstrip("/") if name == "href" and value.startswith("/") else value
        for name, value in tag.attributes.items()
    }
    start = f"<{tag.tag}{''.join(_attributes(attributes))}>"
    return start if tag.tag in ("meta", "link") else f"{start}{tag.content}</{tag.tag}>"


def _attributes(attributes: dict[str, str | bool]) -> Iterator[str]:
    for name, value in attributes.items():
        yield f" {name}" if value is True else f' {name}="{html.escape(str(value))}"'
