"""The filters of Liquid and Jekyll that pages of documentation use."""

from __future__ import annotations

import datetime as dt
import html
import json
import math
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, quote_plus, unquote_plus

import pyromark

from octavo.lazy import regex as re


def shown(value: Any) -> str:
    """Write a value as a template shows it."""
    if value is None or (value is False and not isinstance(value, bool)):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "".join(map(shown, value))
    if isinstance(value, Mapping):
        return json.dumps(value, default=str)
    return str(value)


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [] if value is None else [value]


def _field(item: Any, key: Any) -> Any:
    return item.get(key) if isinstance(item, Mapping) else None


def _number(value: Any) -> int | float:
    if isinstance(value, (int, float)):
        return value
    found = float(value or 0)
    return int(found) if found.is_integer() else found


def _divided(value: Any, by: Any) -> int | float:
    """Divide; an integer by an integer without the rest."""
    first, second = _number(value), _number(by)
    return first // second if isinstance(first, int) and isinstance(second, int) else first / second


def _rounded(value: Any, places: Any = 0) -> int | float:
    """Round as Ruby does, halves away from zero; Python rounds them to the even number."""
    number = _number(value)
    return round(number, int(places)) if places else int(math.copysign(math.floor(abs(number) + 0.5), number))


def _split(value: Any, mark: Any = " ") -> list[str]:
    """Divide a text as Ruby does: a space stands for any number of them, nothing for each letter; no empty texts at the end."""
    text, sign = shown(value), shown(mark)
    found = list(text) if not sign else text.split(None if sign == " " else sign)
    while found and not found[-1]:
        found.pop()
    return found


def _date(value: Any, form: Any = "%Y-%m-%d") -> str:
    if isinstance(value, str):
        try:
            value = dt.datetime.fromisoformat(value.strip())
        except ValueError:
            return str(value)
    if not isinstance(value, dt.date):
        return shown(value)
    return value.strftime(str(form).replace("%-d", str(value.day)).replace("%-m", str(value.month)))


def _slug(value: Any, mode: Any = "") -> str:
    del mode
    return re.sub(r"[^\w]+", "-", shown(value).lower()).strip("-")


def _sorted(value: Any, key: Any = None) -> list[Any]:
    def place(one: Any) -> tuple[bool, str, Any]:
        found = _field(one, key) if key else one
        return (
            found is None,
            "" if isinstance(found, (int, float)) else shown(found),
            found if isinstance(found, (int, float)) else 0,
        )

    return sorted(_listed(value), key=place)


def _unique(value: Any) -> list[Any]:
    found: list[Any] = []
    for one in _listed(value):
        if one not in found:
            found.append(one)
    return found


def _grouped(value: Any, key: Any) -> list[dict[str, Any]]:
    groups: dict[str, list[Any]] = {}
    for one in _listed(value):
        groups.setdefault(shown(_field(one, key)), []).append(one)
    return [{"name": name, "items": items, "size": len(items)} for name, items in groups.items()]


def _where(value: Any, key: Any, wanted: Any = True) -> list[Any]:
    listed = list(value.values()) if isinstance(value, Mapping) else _listed(value)
    return [one for one in listed if _is_like(_field(one, key), wanted) or (wanted is True and _field(one, key))]


def _is_like(value: Any, wanted: Any) -> bool:
    """Whether a value is the one that is looked for, or a list that holds it."""
    return value == wanted or (isinstance(value, (list, tuple)) and wanted in value)


def _sentence(value: Any, word: Any = "and") -> str:
    items = list(map(shown, _listed(value)))
    return f"{', '.join(items[:-1])}, {word} {items[-1]}" if len(items) > 2 else f" {word} ".join(items)


def _truncated(value: Any, most: Any = 50, mark: Any = "...") -> str:
    text = shown(value)
    return text if len(text) <= most else text[: max(int(most) - len(mark), 0)] + mark


def _words(value: Any, most: Any = 15, mark: Any = "...") -> str:
    words = shown(value).split()
    return " ".join(words) if len(words) <= most else " ".join(words[: int(most)]) + mark


def _slice(value: Any, start: Any, length: Any = 1) -> Any:
    found = value if isinstance(value, (list, str)) else shown(value)
    start = int(start) + len(found) if int(start) < 0 else int(start)
    return found[start : start + int(length)]


def _local(value: Any) -> str:
    text = shown(value)
    return text if re.match(r"[a-z]+:|//|#|\.{1,2}/", text) else f"/{text.lstrip('/')}"


def _joined(value: Any, mark: Any = " ") -> str:
    return shown(mark).join(map(shown, _listed(value)))


FILTERS: dict[str, Callable[..., Any]] = {
    "absolute_url": _local,
    "abs": lambda value: abs(_number(value)),
    "append": lambda value, more: shown(value) + shown(more),
    "array_to_sentence_string": _sentence,
    "capitalize": lambda value: shown(value)[:1].upper() + shown(value)[1:],
    "ceil": lambda value: int(-(-_number(value) // 1)),
    "cgi_escape": lambda value: quote_plus(shown(value)),
    "compact": lambda value: [one for one in _listed(value) if one is not None],
    "concat": lambda value, more: [*_listed(value), *_listed(more)],
    "date": _date,
    "date_to_long_string": lambda value: _date(value, "%d %B %Y"),
    "date_to_string": lambda value: _date(value, "%d %b %Y"),
    "date_to_xmlschema": lambda value: _date(value, "%Y-%m-%dT%H:%M:%S+00:00"),
    "default": lambda value, other="": other if value is None or value is False or value in ("", []) else value,
    "divided_by": _divided,
    "downcase": lambda value: shown(value).lower(),
    "escape": lambda value: html.escape(shown(value)),
    "escape_once": lambda value: html.escape(html.unescape(shown(value))),
    "first": lambda value: next(iter(_listed(value)), None),
    "floor": lambda value: int(_number(value) // 1),
    "group_by": _grouped,
    "join": _joined,
    "jsonify": lambda value: json.dumps(value, default=str),
    "last": lambda value: next(iter(_listed(value)[::-1]), None),
    "lstrip": lambda value: shown(value).lstrip(),
    "map": lambda value, key: [_field(one, key) for one in _listed(value)],
    "markdownify": lambda value: pyromark.html(shown(value)).strip(),
    "minus": lambda value, by: _number(value) - _number(by),
    "modulo": lambda value, by: _number(value) % _number(by),
    "newline_to_br": lambda value: shown(value).replace("\n", "<br>\n"),
    "normalize_whitespace": lambda value: " ".join(shown(value).split()),
    "number_of_words": lambda value: len(shown(value).split()),
    "plus": lambda value, by: _number(value) + _number(by),
    "prepend": lambda value, more: shown(more) + shown(value),
    "push": lambda value, more: [*_listed(value), more],
    "relative_url": _local,
    "remove": lambda value, what: shown(value).replace(shown(what), ""),
    "remove_first": lambda value, what: shown(value).replace(shown(what), "", 1),
    "replace": lambda value, what, by="": shown(value).replace(shown(what), shown(by)),
    "replace_first": lambda value, what, by="": shown(value).replace(shown(what), shown(by), 1),
    "reverse": lambda value: _listed(value)[::-1],
    "round": _rounded,
    "rstrip": lambda value: shown(value).rstrip(),
    "size": lambda value: len(value) if isinstance(value, (str, list, Mapping)) else 0,
    "slice": _slice,
    "slugify": _slug,
    "smartify": shown,
    "sort": _sorted,
    "sort_natural": _sorted,
    "split": _split,
    "strip": lambda value: shown(value).strip(),
    "strip_html": lambda value: re.sub(r"<[^>]*>", "", shown(value)),
    "strip_index": lambda value: re.sub(r"index\.html?$", "", shown(value)),
    "strip_newlines": lambda value: shown(value).replace("\n", ""),
    "times": lambda value, by: _number(value) * _number(by),
    "to_integer": lambda value: int(_number(value)),
    "truncate": _truncated,
    "truncatewords": _words,
    "uniq": _unique,
    "upcase": lambda value: shown(value).upper(),
    "uri_escape": lambda value: quote(shown(value), safe="/:?#&=%"),
    "url_encode": lambda value: quote_plus(shown(value)),
    "dump": lambda value, *_: json.dumps(value, default=str),
    "length": lambda value: len(value) if isinstance(value, (str, list, Mapping)) else 0,
    "log": lambda *_: "",
    "lower": lambda value: shown(value).lower(),
    "safe": lambda value: value,
    "slug": _slug,
    "striptags": lambda value, *_: re.sub(r"<[^>]*>", "", shown(value)),
    "trim": lambda value: shown(value).strip(),
    "upper": lambda value: shown(value).upper(),
    "url": lambda value, *_: value,
    "find": lambda value, key, wanted: next(iter(_where(value, key, wanted)), None),
    "pop": lambda value, count=1: _listed(value)[: -int(count)],
    "shift": lambda value, count=1: _listed(value)[int(count) :],
    "sample": lambda value: next(iter(_listed(value)), None),
    "sum": lambda value, key=None: sum(_number(_field(one, key) if key else one) for one in _listed(value)),
    "unshift": lambda value, more: [more, *_listed(value)],
    "url_decode": lambda value: unquote_plus(shown(value)),
    "where": _where,
    "xml_escape": lambda value: html.escape(shown(value)),
}
"""Name → what it makes of a value."""
