"""The structured data of pages: types and properties of schema.org, with what search engines require of them.

Source:
    schema.org, version 29: the properties that pages use, each with the types that its page lists. developers.google.com,
    "Breadcrumb structured data" and "Article structured data": what must be there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from site_contract.shipped.conftest import Published

_CREATIVE_WORK = {
    "headline": ("Text",),
    "description": ("Text",),
    "inLanguage": ("Text",),
    "isPartOf": ("WebSite", "URL"),
    "url": ("URL",),
    "dateModified": ("Date",),
    "version": ("Text",),
    "keywords": ("Text", "Text list"),
}
VOCABULARY: dict[str, dict[str, tuple[str, ...]]] = {
    "BreadcrumbList": {"itemListElement": ("ListItem list",)},
    "ListItem": {"position": ("Integer",), "name": ("Text",), "item": ("URL",)},
    "WebSite": {"name": ("Text",), "url": ("URL",)},
    "TechArticle": _CREATIVE_WORK,
    "APIReference": _CREATIVE_WORK,  # a kind of TechArticle
}
"""Type → property → what its value may be."""
REQUIRED = {
    "BreadcrumbList": {"itemListElement"},
    "ListItem": {"position", "name", "item"},
    "WebSite": {"name", "url"},
    "TechArticle": {"headline", "inLanguage", "url"},
    "APIReference": {"headline", "inLanguage", "url"},
}
_SCRIPT = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)
_TAG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*")


def problems(data: Any, place: str = "") -> Iterator[str]:
    """Find what does not follow the vocabulary."""
    kind = data.get("@type") if isinstance(data, dict) else None
    if kind not in VOCABULARY:
        yield f"{place}: no type of the table: {kind}"
        return
    given = {name: value for name, value in data.items() if not name.startswith("@")}
    yield from (f"{place}{kind}: {name} is missing" for name in REQUIRED[kind] - given.keys())
    for name, value in given.items():
        allowed = VOCABULARY[kind].get(name)
        if allowed is None:
            yield f"{place}{kind}: no property {name}"
        elif not any(_is_of(value, one) for one in allowed):
            yield f"{place}{kind}.{name}: {value!r} is none of {', '.join(allowed)}"
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, dict):
                yield from problems(inner, f"{place}{kind}.{name} ")
    if kind == "BreadcrumbList" and [one.get("position") for one in given.get("itemListElement", [])] != [
        *range(1, len(given.get("itemListElement", [])) + 1)
    ]:
        yield f"{place}{kind}: the positions do not count from 1"
    if "inLanguage" in given and not _TAG.fullmatch(str(given["inLanguage"])):
        yield f"{place}{kind}.inLanguage: {given['inLanguage']} is not a language tag"


def _is_of(value: Any, kind: str) -> bool:
    if kind.endswith(" list"):
        return isinstance(value, list) and bool(value) and all(_is_of(one, kind.removesuffix(" list")) for one in value)
    if kind in VOCABULARY:
        return isinstance(value, dict) and value.get("@type") == kind
    if kind == "Integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if not isinstance(value, str) or not value.strip():
        return False
    if kind == "URL":
        parts = urlsplit(value)
        return value.startswith("/") or (parts.scheme in ("http", "https") and bool(parts.hostname))
    return kind == "Text" or (kind == "Date" and _is_date(value))


def _is_date(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def test_structured_data_follows_the_vocabulary_of_schema_org(site: Published) -> None:
    found: dict[str, list[str]] = {}
    kinds: set[str] = set()
    for name in site.manifest().files:
        if not name.endswith(".html"):
            continue
        for script in _SCRIPT.findall((site.out / name).read_text(encoding="utf-8")):
            data = json.loads(script)
            kinds.add(data["@type"])
            wrong = list(problems(data))
            if data.get("@context") != "https://schema.org":
                wrong.append("no context")
            if wrong:
                found[name] = wrong
    assert found == {}
    assert kinds == {"BreadcrumbList", "TechArticle", "APIReference"}


def test_check_sees_what_it_looks_for() -> None:
    wrong = {
        "@type": "TechArticle",
        "headline": "",
        "url": "page",
        "dateModified": "yesterday",
        "author": "Ada",
        "isPartOf": {"@type": "WebSite"},
    }
    said = " ".join(problems(wrong))
    for part in (
        "inLanguage is missing",
        "headline: ''",
        "url: 'page'",
        "dateModified",
        "no property author",
        "name is",
    ):
        assert part in said
    crumbs = {"@type": "BreadcrumbList", "itemListElement": []}
    assert list(problems(crumbs)) == ["BreadcrumbList.itemListElement: [] is none of ListItem list"]
