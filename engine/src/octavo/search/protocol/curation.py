"""Rules and synonyms of `search.toml` in the shapes of the protocol: to be read here, and to be pushed elsewhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from octavo.search.errors import ProtocolError, bad_parameter
from octavo.search.index.settings import IndexSettings, Rule
from octavo.search.query.values import Raw, integer_value, string_value

Entry = dict[str, Any]

READ_ONLY = (
    "Rules and synonyms of this server are those of the site's search.toml; change that file and build the site again"
)
"""Answer to clients that would change them."""


def list_synonyms(settings: IndexSettings) -> list[Entry]:
    """Write synonyms: one entry for each two that mean the same, one for each word that finds others but not the reverse."""
    both = [
        {"objectID": f"{word} = {meaning}", "type": "synonym", "synonyms": [word, meaning]}
        for word, meanings in settings.synonyms.items()
        for meaning in meanings
    ]
    one_way = [
        {"objectID": f"{word} > {' | '.join(meanings)}", "type": "oneWaySynonym", "input": word, "synonyms": meanings}
        for word, meanings in settings.one_way_synonyms.items()
    ]
    return [*both, *one_way]


def list_rules(settings: IndexSettings, ids_of: Callable[[str], Sequence[str]]) -> list[Entry]:
    """Write rules.

    Args:
        settings: Hold them.
        ids_of: Gives the ids of all records under an address; of a page, the title's first.
    """
    return [_rule(rule, ids_of) for rule in settings.rules]


def _rule(rule: Rule, ids_of: Callable[[str], Sequence[str]]) -> Entry:
    redirect = [rule.redirect] if rule.redirect else []
    promoted = [ids[0] for address in dict.fromkeys([*redirect, *rule.pinned]) if (ids := ids_of(address))]
    hidden = [object_id for address in rule.hidden for object_id in ids_of(address)]
    consequence: Entry = {}
    if promoted:
        consequence["promote"] = [{"objectID": one, "position": place} for place, one in enumerate(promoted)]
    if hidden:
        consequence["hide"] = [{"objectID": one} for one in hidden]
    if redirect:
        consequence["renderingContent"] = {"redirect": {"url": rule.redirect}}
    anchoring = "contains" if rule.is_part else "is"
    return {
        "objectID": rule.id,
        "enabled": True,
        "description": "From search.toml",
        "conditions": [{"pattern": query, "anchoring": anchoring, "alternatives": True} for query in rule.queries],
        "consequence": consequence,
    }


def search_entries(entries: Sequence[Entry], body: Raw) -> Entry:
    """Answer a client that lists rules or synonyms, or looks for some that contain a text.

    Raises:
        ProtocolError: a parameter has a value that it cannot have.
    """
    query = string_value(body, "query", "").casefold()
    page = integer_value(body, "page", 0, 0, 1 << 30)
    size = integer_value(body, "hitsPerPage", 20, 1, 1000)
    kind = string_value(body, "type", "")
    unknown = body.keys() - {"query", "page", "hitsPerPage", "type", "anchoring", "context", "enabled"}
    if unknown:
        raise bad_parameter(min(unknown), "query, page, hitsPerPage, or type")
    kinds = kind.casefold().split(",") if kind else []
    found = [
        entry
        for entry in entries
        if any(query in text.casefold() for text in _texts(entry))
        and (not kinds or entry.get("type", "").casefold() in kinds)
    ]
    return {
        "hits": found[page * size : (page + 1) * size],
        "nbHits": len(found),
        "page": page,
        "nbPages": math.ceil(len(found) / size),
    }


def _texts(entry: Entry) -> list[str]:
    conditions = [condition["pattern"] for condition in entry.get("conditions", ())]
    return [*entry.get("synonyms", ()), entry.get("input", ""), *conditions]


def entry_named(entries: Sequence[Entry], object_id: str) -> Entry:
    """Give one entry.

    Raises:
        ProtocolError: there is none of this name.
    """
    for entry in entries:
        if entry["objectID"] == object_id:
            return entry
    raise ProtocolError(404, "ObjectID does not exist")
