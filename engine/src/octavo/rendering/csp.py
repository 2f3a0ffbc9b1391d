"""The content security policy of a site: what its pages may load and run, and nothing else.

Pages need no `unsafe-inline`: their inline scripts are named by their hashes. So are scripts, styles and
style attributes that authors have put into their pages, and the hosts from which they show pictures.

Source:
    Content Security Policy Level 3, W3C; sections 6.7.2 (sources) and 8.3 (hashes of inline content).
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterable, Iterator
from functools import lru_cache

from octavo.config import Config
from octavo.content import split_sources
from octavo.lazy import regex as re
from octavo.rendering.theme import Theme

_ATTRIBUTES = r"((?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*)>"
_TAG = re.compile(rf"<([a-zA-Z][\w:-]*){_ATTRIBUTES}")
_ATTRIBUTE = re.compile(r"([^\s=\"'/>]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'<>]+)))?")
_INLINE = re.compile(r"<(script|style)\b([^>]*)>(.*?)</\1\s*>", re.DOTALL | re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_LIKELY_INLINE = ("<script", "<style")
# Not of links, which load nothing: a third of all pages leads elsewhere.
_LIKELY_ADDRESS = re.compile(r"=(?<!href=)\s*[\"']?(?:https?:)?//")
_LIKELY_LOADING = ("srcset", "<link", "<image")
_SCRIPT_TYPES = frozenset({"", "module", "text/javascript", "application/javascript", "importmap", "speculationrules"})
_LOADED = {
    ("img", "src"): "img-src",
    ("img", "srcset"): "img-src",
    ("input", "src"): "img-src",
    ("image", "href"): "img-src",
    ("video", "poster"): "img-src",
    ("video", "src"): "media-src",
    ("audio", "src"): "media-src",
    ("track", "src"): "media-src",
    ("iframe", "src"): "frame-src",
    ("script", "src"): "script-src",
    ("embed", "src"): "object-src",
    ("object", "data"): "object-src",
    ("form", "action"): "form-action",
}
_LOADING = frozenset({tag for tag, _ in _LOADED} | {"link", "source"})
# Not tried at the tags of highlighted code, which are most of a page's, nor at ends of tags.
_LOADING_TAG = re.compile(rf"<(?!span |/)({'|'.join(sorted(_LOADING))})\b{_ATTRIBUTES}", re.IGNORECASE)
_RUNNING = [
    (name, re.compile(rf"{name}(?<![\w-]{name}){rest}\s*=")) for name, rest in (("on", "[a-z]+"), ("style", ""))
]
"""Attributes that run or style, in lower case. They begin with letters that the engine looks for by themselves; only tags with one are
taken apart."""
_TAG_IN_VALUE = re.compile(r"=\s*(?:\"[^\"<]*+<|'[^'<]*+<)")
"""A bracket within quotes, so that the last one before an attribute need not begin its tag."""
_ORIGIN = re.compile(r"(https?://|//)([^\s\"'<>;,/?#]+)(?=[/?#]|\Z)", re.IGNORECASE)

_GOOGLE = {
    "script-src": ["https://www.googletagmanager.com"],
    "connect-src": [
        "https://*.google-analytics.com",
        "https://*.analytics.google.com",
        "https://www.googletagmanager.com",
    ],
    "img-src": ["https://*.google-analytics.com", "https://www.googletagmanager.com"],
}
_READERS_OWN = ("http://localhost:*", "http://127.0.0.1:*")
"""Where an API runs that a reader has started: the console sends requests there."""

_BASE: dict[str, list[str]] = {
    "default-src": ["'self'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    # Icons of the style sheet are data URLs.
    "img-src": ["'self'", "data:"],
    "media-src": ["'self'"],
    "connect-src": ["'self'"],
    "frame-src": ["'self'"],
    "object-src": ["'none'"],
    "base-uri": ["'self'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'self'"],
}


def write_policy(config: Config, theme: Theme, *, needs: Iterable[str], console_servers: Iterable[str] | None) -> str:
    """Write the policy, the same for all pages: a reader goes from one to the other in one document.

    Args:
        config: The site's settings: search hosts, analytics, more sources.
        theme: Its inline scripts are named by their hashes.
        needs: What pages ask for themselves, as `scan_needs` gives it.
        console_servers: Servers of the APIs whose pages have a console; None where no page has one.
    """
    sources = {directive: dict.fromkeys(values) for directive, values in _BASE.items()}
    scripts = [theme.inline_script, theme.tabs_script, theme.base_url_script]
    added = [("script-src", hash_source(script)) for script in scripts]
    added += _settings(config)
    added += [("connect-src", source) for source in _servers(console_servers)]
    added += [(directive, source) for need in needs for directive, _, source in (need.partition(" "),)]
    added += [(directive, source) for directive, values in config.content_policy.items() for source in values]
    for directive, source in sorted(added):
        # A directive that the base leaves to the default begins as the default does.
        values = sources.setdefault(directive, {"'self'": None})
        values.pop("'none'", None)
        values[source] = None
    return "; ".join(f"{directive} {' '.join(values)}" for directive, values in sources.items())


def scan_needs(text: str) -> list[str]:
    """List what a piece of finished HTML asks for beyond the site's own files, each as `directive source`, sorted."""
    lowered = _lower(text)
    has_inline, may_load = any(sign in lowered for sign in _LIKELY_INLINE), _may_load(lowered)
    places = _running_places(lowered)
    if not (has_inline or may_load or places):
        return []
    found: set[str] = set()

    def take_out(inline: re.Match[str]) -> str:
        kind, attributes, content = inline.groups()
        found.update(_inline_needs(kind.lower(), dict(_attributes(attributes)), content))
        return ""

    bare = _COMMENT.sub("", text) if "<!--" in text else text
    bare = _INLINE.sub(take_out, bare) if has_inline else bare
    places = places if bare == text else _running_places(_lower(bare))
    loading = [one for one in _LOADING_TAG.findall(bare) if "//" in one[1] or "&" in one[1]] if may_load else ()
    for tag, attributes in (*loading, *_running_tags(bare, places)):
        found.update(_tag_needs(tag.lower(), dict(_attributes(attributes))))
    return sorted(found)


def _lower(text: str) -> str:
    """Write the letters of ASCII small, each character in its place: patterns that know no case take ten times as long."""
    return (
        text.lower()
        if text.isascii()
        else text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")
    )


def _may_load(lowered: str) -> bool:
    """Tell cheaply of most articles that they load nothing from other hosts."""
    return _LIKELY_ADDRESS.search(lowered) is not None or any(sign in lowered for sign in _LIKELY_LOADING)


def _running_places(lowered: str) -> list[int]:
    """Find where attributes that run or style may be, and text that looks like one, in a text in small letters."""
    return [match.start() for name, attribute in _RUNNING if name in lowered for match in attribute.finditer(lowered)]


def _running_tags(text: str, places: Iterable[int]) -> Iterable[tuple[str, str]]:
    """Take the tags with those attributes, and perhaps others: most tags of a page have none."""
    if places and _TAG_IN_VALUE.search(text):
        return [(tag, more) for tag, more in _TAG.findall(text) if _running_places(_lower(more))]
    found: list[tuple[str, str]] = []
    before = 0
    for place in sorted(places):
        start, before = text.rfind("<", before, place), place
        if start >= 0 and (tag := _TAG.match(text, start)):
            found.append((tag[1], tag[2]))
    return found


@lru_cache(maxsize=64)
def hash_source(content: str) -> str:
    """Name inline content by its hash."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def origin_of(address: str) -> str | None:
    """Give scheme, host and port of an absolute address; None for one of the site itself."""
    found = _ORIGIN.match(address)
    return f"{found[1].lower().removeprefix('//')}{found[2]}" if found is not None else None


def _attributes(text: str) -> Iterator[tuple[str, str]]:
    for name, double, single, bare in _ATTRIBUTE.findall(text):
        yield name.lower(), html.unescape(double or single or bare)


def _inline_needs(kind: str, attributes: dict[str, str], content: str) -> Iterator[str]:
    if kind == "style":
        yield f"style-src {hash_source(content)}"
    elif "src" in attributes:
        if origin := origin_of(attributes["src"]):
            yield f"script-src {origin}"
    elif attributes.get("type", "").lower() in _SCRIPT_TYPES:
        # All others hold data, which a policy lets pass.
        yield f"script-src {hash_source(content)}"


def _tag_needs(tag: str, attributes: dict[str, str]) -> Iterator[str]:
    for name, value in attributes.items():
        directive = _LOADED.get((tag, name))
        if name == "style":
            yield from (f"style-src {hash_source(value)}", "style-src 'unsafe-hashes'")
        elif name.startswith("on"):
            yield from (f"script-src {hash_source(value)}", "script-src 'unsafe-hashes'")
        elif tag == "link" and name == "href" and "stylesheet" in attributes.get("rel", "").lower():
            directive = "style-src"
        elif tag == "link" and name == "href":
            directive = _linked(attributes)
        elif tag == "source" and name in ("src", "srcset"):
            directive = "img-src" if name == "srcset" else "media-src"
        if directive is not None:
            addresses = [address for address, _ in split_sources(value)] if name == "srcset" else [value]
            yield from (f"{directive} {origin}" for origin in map(origin_of, addresses) if origin)


def _linked(attributes: dict[str, str]) -> str | None:
    """Name the directive for what a link has a browser load."""
    relations = set(attributes.get("rel", "").lower().split())
    if relations & {"icon", "apple-touch-icon", "mask-icon"}:
        return "img-src"
    if "modulepreload" in relations:
        return "script-src"
    if relations & {"preload", "prefetch"}:
        return {"script": "script-src", "style": "style-src", "font": "font-src", "image": "img-src"}.get(
            attributes.get("as", "").lower()
        )
    return "manifest-src" if "manifest" in relations else None


def _settings(config: Config) -> Iterator[tuple[str, str]]:
    search, analytics = config.search, config.analytics
    asked = [*search.hosts, search.insights.host] if search.is_enabled else []
    yield from (("connect-src", origin) for address in asked if address and (origin := origin_of(address)))
    if search.is_enabled and search.insights.is_enabled and search.insights.script == "cdn":
        yield "script-src", origin_of(search.insights.cdn_url) or "'self'"
    if analytics.google:
        yield from ((directive, source) for directive, values in _GOOGLE.items() for source in values)
    if analytics.endpoint and (origin := origin_of(analytics.endpoint)):
        yield "connect-src", origin
    if config.feedback.is_enabled and config.feedback.endpoint and (origin := origin_of(config.feedback.endpoint)):
        yield "connect-src", origin
        yield "form-action", origin
    if analytics.consent_script and (origin := origin_of(analytics.consent_script)):
        yield "script-src", origin
    for logo in (config.navbar.logo, config.footer.logo):
        pictures = (logo.src, logo.src_dark) if logo else ()
        yield from (("img-src", origin) for picture in pictures if picture and (origin := origin_of(picture)))
    if config.favicon and (origin := origin_of(config.favicon)):
        yield "img-src", origin
    needs = (need for bar in config.announcements if bar.is_enabled for need in scan_needs(bar.content))
    yield from ((directive, source) for need in needs for directive, _, source in (need.partition(" "),))


def _servers(console_servers: Iterable[str] | None) -> Iterator[str]:
    if console_servers is None:
        return
    yield from _READERS_OWN
    yield from (origin for address in console_servers if (origin := origin_of(address)))
