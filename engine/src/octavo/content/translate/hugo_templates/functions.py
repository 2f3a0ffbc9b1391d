"""The functions of Go and of Hugo that templates of shortcodes use."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import math
import operator
import posixpath
import tomllib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus, urlsplit

from octavo.content.icons.short_codes import SHORT_CODE, emoji
from octavo.content.translate.hugo_templates.objects import HugoPages, HugoSite
from octavo.content.translate.hugo_templates.prose import CODE
from octavo.content.translate.hugo_templates.times import Time
from octavo.content.translate.hugo_templates.values import Resource, Thing, field_of
from octavo.lazy import regex as re
from octavo.text_files import parse_yaml

if TYPE_CHECKING:
    from octavo.content.translate.surroundings import Surroundings


def _make_dict(*values: Any) -> dict[str, Any]:
    return {str(key): value for key, value in zip(values[::2], values[1::2], strict=True)}


def _index(value: Any, *keys: Any) -> Any:
    """Give what is under a key, and under further ones in that; a list of keys stands for them."""
    for key in keys[0] if len(keys) == 1 and isinstance(keys[0], list) else keys:
        if isinstance(value, list):
            value = value[int(key)] if -1 < int(key) < len(value) else ""
        else:
            value = field_of(value, str(key)) if isinstance(value, (dict, Thing)) else ""
    return "" if value is None else value


def _partial(name: Any, context: Any = None) -> str:
    """Draw a part of the theme that is known by its name: icons have no text, badges have one."""
    last = str(name).rpartition("/")[2].removesuffix(".html")
    if "icon" in last:
        return ""
    if last == "badge" and isinstance(context, dict) and isinstance(context.get("content"), str):
        return f'<span class="badge">{html.escape(context["content"])}</span>'
    raise LookupError(f"the partial {name} is not known")


_REFUSED = re.compile(r"\(\?[^:imsP]|\)[*+{]|[*+}][*+{]")
"""Patterns that Go does not have, or that could take long here."""
_PLAIN = r"(?:\\.|\[\^?(?:\\.|[^\]\\])+\]|[^()\[\]*+?{}|\\])"
_DIVIDED_ONCE = re.compile(
    rf"\((?:\?:)?(?:{_PLAIN}+|\[\^\\?(?P<end>[^\\\]])\][*+]\\?(?P=end)|\\?(?P<start>[^\\()\[\]*+?{{}}|])\[\^\\?(?P=start)\][*+])\)(?=[*+{{])"
)
"""Groups that may be repeated: those of fixed parts, and those in which what is repeated never holds the sign at the end or the start."""


def _humanized(text: Any) -> str:
    """Write a name as a phrase, `learn_more` as `Learn more`, and a number as its place, `3` as `3rd`."""
    words = str(text).strip()
    if words.isdecimal():
        number = int(words)
        ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        return f"{number}{ending}"
    words = " ".join(re.sub(r"[_-]+", " ", words).split())
    return words[:1].upper() + words[1:]


def _matches(pattern: Any, text: Any, most: Any = -1) -> list[str]:
    found = [match[0] for match in _pattern(pattern).finditer(str(text))]
    return found if int(most) < 0 else found[: int(most)]


def _replace_matches(pattern: Any, replacement: Any, text: Any) -> str:
    written = re.sub(
        r"\$(?:\{(\w+)\}|(\d+))", lambda match: f"\\g<{match[1] or match[2]}>", str(replacement).replace("\\", r"\\")
    )
    return _pattern(pattern).sub(written, str(text))


def _pattern(pattern: Any) -> re.Pattern[str]:
    if len(str(pattern)) > 200 or _REFUSED.search(_DIVIDED_ONCE.sub("x", str(pattern))):
        raise ValueError("the pattern is too much")
    return re.compile(str(pattern))


def _highlight(code: Any, language: Any = "", options: Any = "") -> str:
    """Write a block of code between marks."""
    del options
    text = str(code).strip("\n")
    fence = "`" * max(3, 1 + max(map(len, re.findall(r"`{3,}", text)), default=0))
    return f"{CODE}{fence}{language}\n{text}\n{fence}{CODE}"


def _compared(compare: Callable[[Any, Any], bool]) -> Callable[..., bool]:
    """Compare two values; a text beside a number is read as one, as arguments of shortcodes are texts here."""

    def run(first: Any, second: Any) -> bool:
        if isinstance(first, (int, float)) != isinstance(second, (int, float)):
            first, second = (float(one) if isinstance(one, str) and one else one or 0 for one in (first, second))
        if isinstance(first, Time) and isinstance(second, Time):
            first, second = first.sort_key(), second.sort_key()
        return compare(first, second)

    return run


_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "==": operator.eq,
    "eq": operator.eq,
    "!=": operator.ne,
    "<>": operator.ne,
    "ne": operator.ne,
    ">": _compared(operator.gt),
    "gt": _compared(operator.gt),
    ">=": _compared(operator.ge),
    "ge": _compared(operator.ge),
    "<": _compared(operator.lt),
    "lt": _compared(operator.lt),
    "<=": _compared(operator.le),
    "le": _compared(operator.le),
    "in": lambda value, values: value in values,
    "not in": lambda value, values: value not in values,
    "intersect": lambda value, values: any(one in values for one in value or []),
    "like": lambda value, pattern: _pattern(pattern).search(str(value)) is not None,
}


def _where(values: Any, key: Any, *test: Any) -> list[Any]:
    """Keep the members of a list whose value under a key is like another one."""
    compare = _COMPARED[str(test[0])] if len(test) > 1 else operator.eq
    return _like(values, (one for one in values or [] if compare(_at(one, str(key).removeprefix(".")), test[-1])))


def _like(values: Any, found: Iterable[Any]) -> list[Any]:
    """Give members of a list as one of its kind: a list of pages can be put in order."""
    return HugoPages(found) if isinstance(values, HugoPages) else list(found)


def _add(*values: Any) -> Any:
    """Add numbers, or join texts."""
    return "".join(values) if all(isinstance(value, str) for value in values) else sum(map(_number, values))


def _number(value: Any) -> int | float:
    return value if isinstance(value, (int, float)) else int(value)


def _round(number: float) -> int:
    """Round as Go does, halves away from zero; Python rounds them to the even number."""
    return int(math.copysign(math.floor(abs(number) + 0.5), number))


def _div(first: Any, second: Any) -> int | float:
    """Divide as Go does: integers without a rest, towards zero."""
    one, two = _number(first), _number(second)
    return one / two if isinstance(one, float) or isinstance(two, float) else math.trunc(one / two)


def _sort(values: Any, key: Any = "", order: Any = "asc") -> list[Any]:
    """Sort a list, or the values of a mapping by its keys, or mappings by what they have under a key."""
    if isinstance(values, dict):
        if key in ("", "key"):
            return [values[name] for name in sorted(values, reverse=order == "desc")]
        values = list(values.values())
    name = str(key).removeprefix(".")
    path = "" if name == "value" else name
    ordered = sorted(
        values, key=lambda one: _order(_at(one, path) if path else one), reverse=str(order).lower() == "desc"
    )
    return _like(values, ordered)


def _at(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = field_of(value, name) if isinstance(value, (dict, Thing)) else None
    return value


def _order(value: Any) -> tuple[bool, float, str]:
    """Numbers come before texts."""
    value = value.sort_key() if isinstance(value, Time) else value
    is_number = isinstance(value, (int, float))
    return (not is_number, float(value) if is_number else 0.0, "" if is_number else str(value))


_LONGEST_SEQUENCE = 2000
_MOST_REPEATED = 100_000
"""Characters of a repeated text: a template may repeat what is repeated already."""


def _seq(*values: Any) -> list[int]:
    """Count to a number; from one to another, by a step that may be between them."""
    numbers = [int(value) for value in values]
    first, last = (1 if len(numbers) == 1 else numbers[0]), numbers[-1]
    step = numbers[1] if len(numbers) == 3 else 1 if first <= last else -1
    found = range(first, last + (1 if step > 0 else -1), step)
    if len(found) > _LONGEST_SEQUENCE:
        raise ValueError("the sequence is too long")
    return list(found)


def _repeat(count: Any, text: Any) -> str:
    if int(count) * len(str(text)) > _MOST_REPEATED:
        raise ValueError("the text is too long")
    return str(text) * int(count)


def _merge(*values: Any) -> dict[str, Any]:
    return {key: value for one in values for key, value in one.items()}


def _unmarshal(*values: Any) -> Any:
    """Read a text in JSON, YAML or TOML."""
    given = values[-1]
    text = str(given.field("Content") if isinstance(given, Resource) else given)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return parse_yaml(text)  # JSON is YAML as well; mistakes are errors of values


def _truncate(length: Any, *rest: Any) -> str:
    text, mark = str(rest[-1]), str(rest[0]) if len(rest) > 1 else "…"
    return text if len(text) <= int(length) else text[: int(length)].rstrip() + mark


def _is_set(values: Any, key: Any) -> bool:
    if isinstance(values, list):
        return -1 < int(key) < len(values)
    return values is not None and field_of(values, str(key)) is not None


def _replace(text: Any, old: Any, new: Any, most: Any = -1) -> str:
    return str(text).replace(str(old), str(new), int(most))


def _groups(pattern: Any, text: Any, most: Any = -1) -> list[list[str]]:
    found = [[match[0], *(one or "" for one in match.groups())] for match in _pattern(pattern).finditer(str(text))]
    return found if int(most) < 0 else found[: int(most)]


def _address(text: Any) -> dict[str, Any]:
    """Take an address apart."""
    parts = urlsplit(str(text))
    return {
        "Scheme": parts.scheme,
        "Host": parts.netloc,
        "Hostname": parts.hostname or "",
        "Path": parts.path,
        "RawQuery": parts.query,
        "Fragment": parts.fragment,
        "String": str(text),
        "IsAbs": bool(parts.scheme),
    }


def _joined(values: Any, mark: Any, last: Any = None) -> str:
    """Join values; the mark before the last one may be another."""
    texts = [str(one) for one in values]
    if last is None or len(texts) < 2:
        return str(mark).join(texts)
    return f"{str(mark).join(texts[:-1])}{last}{texts[-1]}"


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "append": lambda *values: [*values[-1], *values[:-1]],
    "add": _add,
    "cond": lambda test, first, second: first if test else second,
    "delimit": _joined,
    "anchorize": lambda text: re.sub(r"[^\w-]+", "-", str(text).lower()).strip("-"),
    "dict": _make_dict,
    "errorf": lambda *_: "",
    "findRE": _matches,
    "highlight": _highlight,
    "htmlUnescape": lambda text: html.unescape(str(text)),
    "md5": lambda text: hashlib.md5(str(text).encode(), usedforsecurity=False).hexdigest(),
    "path.Base": lambda path: posixpath.basename(str(path)),
    "path.Dir": lambda path: posixpath.dirname(str(path)),
    "path.Split": lambda path: {"Dir": posixpath.dirname(str(path)), "File": posixpath.basename(str(path))},
    "path.Ext": lambda path: posixpath.splitext(str(path))[1],
    "replaceRE": _replace_matches,
    "sha1": lambda text: hashlib.sha1(str(text).encode(), usedforsecurity=False).hexdigest(),
    "sha256": lambda text: hashlib.sha256(str(text).encode()).hexdigest(),
    "strings.FindRE": _matches,
    "strings.ReplaceRE": _replace_matches,
    "strings.TrimLeft": lambda marks, text: str(text).lstrip(str(marks)),
    "strings.TrimRight": lambda marks, text: str(text).rstrip(str(marks)),
    "transform.Highlight": _highlight,
    "where": _where,
    "int": lambda value: int(float(value)),
    "jsonify": lambda *values: json.dumps(values[-1], ensure_ascii=False),
    "math.Ceil": lambda number: math.ceil(float(number)),
    "math.Floor": lambda number: math.floor(float(number)),
    "math.Round": lambda number: _round(float(number)),
    "math.Max": lambda *numbers: max(numbers),
    "math.Min": lambda *numbers: min(numbers),
    "chomp": lambda text: str(text).rstrip("\n"),
    "countwords": lambda text: len(str(text).split()),
    "float": float,
    "strings.Repeat": _repeat,
    "strings.Title": lambda text: re.sub(r"(?<![\w'’])[^\W\d_]", lambda first: first[0].upper(), str(text)),
    "strings.Trim": lambda text, marks: str(text).strip(str(marks)),
    "strings.Fields": lambda text: str(text).split(),
    "transform.Unmarshal": _unmarshal,
    "unmarshal": _unmarshal,
    "urls.JoinPath": lambda *parts: re.sub(r"(?<!:)/{2,}", "/", "/".join(map(str, parts))),
    "urls.URLize": lambda text: re.sub(r"[^\w/-]+", "-", str(text).lower()).strip("-"),
    "after": lambda count, values: _like(values, (values or [])[int(count) :]),
    "warnf": lambda *_: "",
    "first": lambda count, values: _like(values, (values or [])[: int(count)]),
    "ge": _compared(operator.ge),
    "gt": _compared(operator.gt),
    "hasPrefix": lambda text, start: str(text).startswith(str(start)),
    "in": lambda values, one: (str(one) if isinstance(values, str) else one) in (values or []),
    "index": _index,
    "last": lambda count, values: _like(values, (values or [])[-int(count) :] if int(count) else []),
    "le": _compared(operator.le),
    "len": lambda value: len(value or ""),
    "lt": _compared(operator.lt),
    "lower": lambda text: str(text).lower(),
    "partial": _partial,
    "partialCached": _partial,
    "replace": _replace,
    "slice": lambda *values: list(values),
    "split": lambda text, mark: str(text).split(str(mark)),
    "sub": lambda first, second: _number(first) - _number(second),
    "strings.Contains": lambda text, part: str(part) in str(text),
    "strings.HasPrefix": lambda text, start: str(text).startswith(str(start)),
    "strings.HasSuffix": lambda text, end: str(text).endswith(str(end)),
    "strings.Replace": _replace,
    "strings.Split": lambda text, mark: str(text).split(str(mark)),
    "strings.ToLower": lambda text: str(text).lower(),
    "strings.ToUpper": lambda text: str(text).upper(),
    "strings.TrimPrefix": lambda start, text: str(text).removeprefix(str(start)),
    "strings.TrimSuffix": lambda end, text: str(text).removesuffix(str(end)),
    "trim": lambda text, marks: str(text).strip(str(marks)),
    "upper": lambda text: str(text).upper(),
    "div": _div,
    "isset": _is_set,
    "hasSuffix": lambda text, end: str(text).endswith(str(end)),
    "merge": _merge,
    "mod": lambda first, second: int(math.fmod(int(first), int(second))),
    "mul": lambda first, second: _number(first) * _number(second),
    "path.Clean": lambda path: posixpath.normpath(str(path)),
    "path.Join": lambda *parts: posixpath.normpath("/".join(map(str, parts))),
    "reverse": lambda values: _like(values, reversed(values or [])),
    "seq": _seq,
    "sort": _sort,
    "strings.Count": lambda part, text: str(text).count(str(part)),
    "strings.FirstUpper": lambda text: str(text)[:1].upper() + str(text)[1:],
    "substr": lambda text, start, length=None: str(text)[int(start) :][: None if length is None else int(length)],
    "truncate": _truncate,
    "union": lambda first, second: list(dict.fromkeys([*first, *second])),
    "urlquery": lambda text: quote_plus(str(text)),
    "complement": lambda *lists: [one for one in lists[-1] if not any(one in other for other in lists[:-1])],
    "intersect": lambda first, second: [one for one in first if one in second],
    "humanize": _humanized,
    "inflect.Humanize": _humanized,
    "urlize": lambda text: re.sub(r"[^\w/-]+", "-", str(text).lower()).strip("-"),
    "strings.ContainsAny": lambda text, marks: any(one in str(text) for one in str(marks)),
    "strings.Substr": lambda text, start, length=None: str(text)[int(start) :][
        : None if length is None else int(length)
    ],
    "strings.TrimSpace": lambda text: str(text).strip(),
    "findRESubmatch": _groups,
    "strings.FindRESubmatch": _groups,
    "path.BaseName": lambda path: posixpath.splitext(posixpath.basename(str(path)))[0],
    "urls.Parse": _address,
    "base64Encode": lambda text: base64.b64encode(str(text).encode()).decode(),
    "crypto.MD5": lambda text: hashlib.md5(str(text).encode(), usedforsecurity=False).hexdigest(),
    "crypto.SHA256": lambda text: hashlib.sha256(str(text).encode()).hexdigest(),
    "math.Abs": abs,
    "uniq": lambda values: list(dict.fromkeys(values)),
}
"""Name → function, with the arguments in the order in which templates give them."""
for _name, _short in {
    "collections": "after append delimit dict first in index last merge reverse seq slice sort union uniq where",
    "compare": "eq ge gt le lt ne",
    "fmt": "errorf warnf",
    "cast": "float",
    "encoding": "jsonify",
    "math": "add div mod mul sub",
    "strings": "hasPrefix hasSuffix truncate",
}.items():
    for _one in _short.split():
        if _one in FUNCTIONS:
            FUNCTIONS.setdefault(f"{_name}.{_one[0].upper()}{_one[1:]}", FUNCTIONS[_one])

_PAGES = frozenset(["site.GetPage"])
_ASSETS = frozenset(["resources.Get", "resources.GetMatch"])
SITE_FUNCTIONS = frozenset(["i18n", "T", "lang.Translate", "emojify", "transform.Emojify", *_PAGES, *_ASSETS])
"""Names under which templates call them."""


def call_site(name: str, arguments: list[Any], around: Surroundings) -> Any:
    """Call one of `SITE_FUNCTIONS`.

    Raises:
        LookupError: there is no such word, or no such file.
    """
    if not arguments:
        raise LookupError(f"{name} without a name")
    text = str(arguments[0])
    if name in _PAGES:
        return HugoSite(around).field("GetPage")(text)
    if name in _ASSETS:
        path = f"assets/{text.lstrip('/')}"
        found = around.read(f"/{path}")
        if found is None:
            raise LookupError(f"{path} is not text that is known here")
        return Resource(found[0], around, text)
    if name in ("emojify", "transform.Emojify"):
        return SHORT_CODE.sub(lambda match: emoji(match["name"]) or match[0], text)
    return _translated(text, around)


def _translated(key: str, around: Surroundings) -> str:
    """Give a word of the site in the language of the page, else in that of the site."""
    for language in dict.fromkeys([*around.languages, around.variables.get("site.language.lang", "en"), "en"]):
        found = around.words(language).get(key)
        found = found.get("other") if isinstance(found, dict) else found
        if isinstance(found, str) and "{{" not in found:
            return found
    raise LookupError(f"the word {key} is not in the folder i18n of the site")
