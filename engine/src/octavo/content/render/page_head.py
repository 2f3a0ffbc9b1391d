"""What a page of Docusaurus says of itself in its `<head>`: its title, its canonical address, and tags for search engines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from octavo.content.scan.jsx import NotLiteralError, Tag, parse_expression, parse_tag

if TYPE_CHECKING:
    from octavo.content.document import FrontMatter

_TAG = re.compile(r"<(?:title|meta|link)\b")
_REST = {
    "title": re.compile(r"(?P<text>[^<>]*)</title\s*>"),
    "meta": re.compile(r"\s*</meta\s*>"),
    "link": re.compile(r"\s*</link\s*>"),
}
_OF_THE_BROWSER = frozenset(["viewport", "referrer", "color-scheme", "theme-color"])
"""Tags that change how a browser treats the whole site."""
_LONGEST = 5_000
_ADDRESS = re.compile(r"https?://\S+\Z|/(?!/)\S*\Z")


def take_head(text: str, props: dict[str, Any], metas: dict[str, str]) -> str:
    """Take the title, the canonical address and the tags for search engines and previews out of a head.

    Args:
        text: What the head holds.
        props: Values that its expressions may name.
        metas: What is taken is added here: name of a tag → content; `title` and `canonical` stand for those.

    Returns:
        What is left.
    """
    left, place = [], 0
    for match in _TAG.finditer(text):
        tag = parse_tag(text, match.start(), props) if match.start() >= place else None
        if tag is None or tag.bad or tag.missing:
            continue
        rest = None if tag.is_self_closing else _REST[tag.name].match(text, tag.end)
        found = _said(tag, rest["text"] if rest is not None and tag.name == "title" else "", props)
        if found is None or len(found[1]) > _LONGEST:
            continue
        metas[found[0]] = found[1]
        left.append(text[place : match.start()])
        place = rest.end() if rest is not None else tag.end
    return "".join([*left, text[place:]])


def _said(tag: Tag, inner: str, props: dict[str, Any]) -> tuple[str, str] | None:
    """Give the name and the content of a tag; None where it is not for search engines and previews."""
    given = tag.attributes
    if tag.name == "title":
        text = _text(inner, props)
        return ("title", text) if text else None
    if tag.name == "link":
        address = given.get("href")
        is_known = given.get("rel") == "canonical" and isinstance(address, str) and _ADDRESS.match(address)
        return ("canonical", str(address)) if is_known else None
    name, content = given.get("name", given.get("property")), given.get("content")
    if not isinstance(name, str) or not isinstance(content, (str, int, float)) or set(given) - _KNOWN:
        return None
    name = name.strip().lower()
    return None if name in _OF_THE_BROWSER or not re.fullmatch(r"[a-z][\w:.-]*", name) else (name, str(content))


_KNOWN = frozenset(["name", "property", "content", "key", "id", "data-rh"])


def _text(inner: str, props: dict[str, Any]) -> str:
    """Give the text of a title; empty where a program computes it."""
    text = inner.strip()
    while (at := text.find("{")) >= 0:
        try:
            value, end = parse_expression(text, at, props)
        except NotLiteralError:
            return ""
        if not isinstance(value, (str, int, float)) or "{" in str(value):
            return ""
        text = f"{text[:at]}{value}{text[end:]}"
    return " ".join(text.split())


def with_head(front: FrontMatter, metas: dict[str, str]) -> FrontMatter:
    """Give front matter with what the head of the page says; where both say something, the head has the last word, as in Docusaurus."""
    if not metas:
        return front
    left = dict(metas)
    canonical = left.pop("canonical", front.canonical_url)
    description = left.pop("description", front.description)
    keywords = front.keywords
    if "keywords" in left:
        keywords = [word for one in left.pop("keywords").split(",") if (word := one.strip())]
    return msgspec.structs.replace(
        front, canonical_url=canonical, description=description, keywords=keywords, metas={**front.metas, **left}
    )
