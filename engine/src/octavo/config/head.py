"""Style sheets, scripts and tags that a site adds to the head of all its pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from octavo.config.table import Table
from octavo.lazy import regex as re

_LOCAL = re.compile(r"/(?!/)[^\\\x00-\x20\"'<>?#]*")
_REMOTE = re.compile(r"https://[^\s\\\"'<>]+")
_ATTRIBUTE = re.compile(r"[a-z][a-z0-9_:.-]*")
_ALLOWED_META = re.compile(r"(?:accept-ch|content-language|default-style|origin-trial|x-ua-compatible)", re.IGNORECASE)
_FILE_RELATIONS = frozenset({"icon", "apple-touch-icon", "mask-icon", "manifest", "preload", "modulepreload"})

Problem = tuple[str, str]
"""(text in the file that it is about, message)."""


class Script(Table, frozen=True, kw_only=True):
    """A script that every page loads once; it runs when the page has been read."""

    src: str
    """Address in the static folder, such as `/js/chat.js`, or an `https://` address."""
    is_module: bool = False
    is_async: bool = False
    """Run it as soon as it is loaded, in any order."""
    integrity: str | None = None
    """Integrity hash, for scripts of other hosts."""
    attributes: dict[str, str] = {}
    """More attributes, such as `data-site-id`."""


class HeadTag(Table, frozen=True, kw_only=True):
    """One element of the head. Addresses that begin with a slash are under the site's base URL."""

    tag: Literal["meta", "link", "script", "style"]
    attributes: dict[str, str] = {}
    content: str = ""
    """Content of a `script` or `style` element."""

    @property
    def file(self) -> str | None:
        """The file of the static folder that it names."""
        href = self.attributes.get("href", "")
        relations = set(self.attributes.get("rel", "").lower().split())
        return href if self.tag == "link" and _LOCAL.fullmatch(href) and relations & _FILE_RELATIONS else None


def check_head(styles: list[str], scripts: list[str | Script], tags: list[HeadTag]) -> Iterator[Problem]:
    """Find mistakes in `styles`, `scripts` and `head`."""
    for style in styles:
        yield from _address("styles", style, "/css/site.css")
    for script in scripts:
        src = script if isinstance(script, str) else script.src
        yield from _address("scripts", src, "/js/site.js")
        if isinstance(script, Script):
            yield from _attributes(f'scripts "{src}"', script.attributes)
    for tag in tags:
        yield from _attributes(f"head: {tag.tag}", tag.attributes)
        yield from _tag(tag)


def _address(what: str, address: str, example: str) -> Iterator[Problem]:
    if not _LOCAL.fullmatch(address) and not _REMOTE.fullmatch(address):
        expected = f'an address under the static folder, such as "{example}", or one that begins with "https://"'
        yield address, f'{what}: "{address}" cannot be loaded; expected {expected}.'


def _attributes(where: str, attributes: dict[str, str]) -> Iterator[Problem]:
    for name in attributes:
        if name.lower().startswith("on"):
            message = f'{where} has "{name}", which would run a script; write it in a file and name that in scripts.'
            yield name, message
        elif not _ATTRIBUTE.fullmatch(name):
            yield name, f'{where} has "{name}", which is not an attribute; expected small letters, such as "name".'


def _tag(tag: HeadTag) -> Iterator[Problem]:
    attributes = tag.attributes
    if tag.tag in ("meta", "link") and tag.content:
        yield tag.content, f'head: {tag.tag} has content, which only "script" and "style" can have.'
    if re.search(rf"</{tag.tag}|<!--", tag.content, re.IGNORECASE):
        yield tag.content, f"head: the content of {tag.tag} would end it; write it in a file."
    if "src" in attributes:
        yield attributes["src"], f'head: name the script "{attributes["src"]}" in scripts instead.'
    if "stylesheet" in attributes.get("rel", "").lower():
        yield (
            attributes.get("href", ""),
            f'head: name the style sheet "{attributes.get("href", "")}" in styles instead.',
        )
    equivalent = attributes.get("http-equiv")
    if equivalent is not None and not _ALLOWED_META.fullmatch(equivalent):
        message = f'head: "{equivalent}" cannot be set by a meta tag here; octavo writes the policies of pages itself.'
        yield equivalent, message
    if "charset" in attributes or attributes.get("name", "").lower() == "viewport":
        yield (
            "charset" if "charset" in attributes else attributes["name"],
            "head: pages name charset and viewport already.",
        )
    href = attributes.get("href")
    if href is not None and not _LOCAL.fullmatch(href) and not re.fullmatch(r"https?://[^\s\\]+", href):
        yield href, f'head: href is "{href}"; expected an address, or a path that begins with one slash.'
