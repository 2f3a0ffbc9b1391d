"""What templates of shortcodes use: functions of Go and of Hugo, and fields of the shortcode, its page and the site."""

from __future__ import annotations

import hashlib
import html
import json
import math
import operator
import posixpath
import re
import tomllib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus

from octavo.content.icons.short_codes import SHORT_CODE, emoji
from octavo.text_files import parse_yaml

if TYPE_CHECKING:
    from octavo.content.translate.shortcodes import ShortcodeCall
    from octavo.content.translate.surroundings import Surroundings


def _make_dict(*values: Any) -> dict[str, Any]:
    return {str(key): value for key, value in zip(values[::2], values[1::2], strict=True)}


def _index(value: Any, *keys: Any) -> Any:
    """Give what is under a key, and under further ones in that; a list of keys stands for them."""
    for key in keys[0] if len(keys) == 1 and isinstance(keys[0], list) else keys:
        if isinstance(value, list):
            value = value[int(key)] if -1 < int(key) < len(value) else ""
        else:
            value = value.get(str(key), "") if isinstance(value, dict) else ""
    return value


def _partial(name: Any, context: Any = None) -> str:
    """Draw a part of the theme that is known by its name: icons have no text, badges have one."""
    last = str(name).rpartition("/")[2].removesuffix(".html")
    if "icon" in last:
        return ""
    if last == "badge" and isinstance(context, dict) and isinstance(context.get("content"), str):
        return f'<span class="badge">{html.escape(context["content"])}</span>'
    raise LookupError(f"the partial {name} is not known")


CODE = "\ufdd3"
"""Marks the start and the end of a code block in the output of a template."""
_REFUSED = re.compile(r"\(\?[^:iP]|\)[*+{]|[*+}][*+{]")
"""Patterns that Go does not have, or that could take long here."""


def _matches(pattern: Any, text: Any, most: Any = -1) -> list[str]:
    found = [match[0] for match in _pattern(pattern).finditer(str(text))]
    return found if int(most) < 0 else found[: int(most)]


def _replace_matches(pattern: Any, replacement: Any, text: Any) -> str:
    written = re.sub(
        r"\$(?:\{(\w+)\}|(\d+))", lambda match: f"\\g<{match[1] or match[2]}>", str(replacement).replace("\\", r"\\")
    )
    return _pattern(pattern).sub(written, str(text))


def _pattern(pattern: Any) -> re.Pattern[str]:
    if len(str(pattern)) > 200 or _REFUSED.search(str(pattern)):
        raise ValueError("the pattern is too much")
    return re.compile(str(pattern))


def _highlight(code: Any, language: Any = "", options: Any = "") -> str:
    """Write a block of code between marks."""
    del options
    text = str(code).strip("\n")
    fence = "`" * max(3, 1 + max(map(len, re.findall(r"`{3,}", text)), default=0))
    return f"{CODE}{fence}{language}\n{text}\n{fence}{CODE}"


_LINK = re.compile(r"\[([^\[\]\n]+)\]\(([^()\s]+)\)")
_CODE_SPAN = re.compile(r"`([^`\n]+)`")
_STRONG = re.compile(r"\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*")
_EMPHASIS = re.compile(r"(?<![\w*])[*_](?=\S)([^*_\n]+?)(?<=\S)[*_](?![\w*])")


def inline_html(text: str) -> str:
    """Write links, code and emphasis of one line as HTML: within a block of HTML, Markdown is text."""
    if "\n" in text.strip() or ("`" not in text and "*" not in text and "_" not in text and "](" not in text):
        return text
    pieces = _CODE_SPAN.split(text)
    for index, piece in enumerate(pieces):
        if index % 2:
            pieces[index] = f"<code>{html.escape(piece, quote=False)}</code>"
        else:
            linked = _LINK.sub(lambda match: f'<a href="{html.escape(match[2])}">{match[1]}</a>', piece)
            tags = re.split(r"(<[^<>]*>)", linked)
            tags[::2] = [_EMPHASIS.sub(r"<em>\1</em>", _STRONG.sub(r"<strong>\1</strong>", one)) for one in tags[::2]]
            pieces[index] = "".join(tags)
    return "".join(pieces)


_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "==": operator.eq,
    "eq": operator.eq,
    "!=": operator.ne,
    "<>": operator.ne,
    "ne": operator.ne,
    "in": lambda value, values: value in values,
    "not in": lambda value, values: value not in values,
}


def _where(values: Any, key: Any, *test: Any) -> list[Any]:
    """Keep the mappings of a list whose value under a key is like another one."""
    compare = _COMPARED[str(test[0])] if len(test) > 1 else operator.eq
    return [one for one in values if isinstance(one, dict) and compare(one.get(str(key)), test[-1])]


def _add(*values: Any) -> Any:
    """Add numbers, or join texts."""
    return "".join(values) if all(isinstance(value, str) for value in values) else sum(map(_number, values))


def _number(value: Any) -> int | float:
    return value if isinstance(value, (int, float)) else int(value)


def _sort(values: Any, key: Any = "", order: Any = "asc") -> list[Any]:
    """Sort a list, or the values of a mapping by its keys, or mappings by what they have under a key."""
    if isinstance(values, dict):
        if key in ("", "key"):
            return [values[name] for name in sorted(values, reverse=order == "desc")]
        values = list(values.values())
    name = str(key).removeprefix(".")
    path = "" if name == "value" else name
    return sorted(values, key=lambda one: _order(_at(one, path) if path else one), reverse=str(order).lower() == "desc")


def _at(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _order(value: Any) -> tuple[bool, float, str]:
    """Numbers come before texts."""
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
    text = str(given["Content"] if isinstance(given, Fields) else given)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return parse_yaml(text)  # JSON is YAML as well; mistakes are errors of values


def _truncate(length: Any, *rest: Any) -> str:
    text, mark = str(rest[-1]), str(rest[0]) if len(rest) > 1 else "…"
    return text if len(text) <= int(length) else text[: int(length)].rstrip() + mark


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "append": lambda *values: [*values[-1], *values[:-1]],
    "add": _add,
    "cond": lambda test, first, second: first if test else second,
    "delimit": lambda values, mark: str(mark).join(map(str, values)),
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
    "math.Round": lambda number: round(float(number)),
    "math.Max": lambda *numbers: max(numbers),
    "math.Min": lambda *numbers: min(numbers),
    "chomp": lambda text: str(text).rstrip("\n"),
    "countwords": lambda text: len(str(text).split()),
    "float": float,
    "strings.Repeat": _repeat,
    "strings.Title": lambda text: str(text).title(),
    "strings.Trim": lambda text, marks: str(text).strip(str(marks)),
    "strings.Fields": lambda text: str(text).split(),
    "transform.Unmarshal": _unmarshal,
    "unmarshal": _unmarshal,
    "urls.JoinPath": lambda *parts: re.sub(r"(?<!:)/{2,}", "/", "/".join(map(str, parts))),
    "urls.URLize": lambda text: re.sub(r"[^\w/-]+", "-", str(text).lower()).strip("-"),
    "after": lambda count, values: values[int(count) :],
    "warnf": lambda *_: "",
    "first": lambda count, values: values[: int(count)],
    "ge": operator.ge,
    "gt": operator.gt,
    "hasPrefix": lambda text, start: str(text).startswith(str(start)),
    "in": lambda values, one: one in values,
    "index": _index,
    "last": lambda count, values: values[-int(count) :],
    "le": operator.le,
    "len": len,
    "lt": operator.lt,
    "lower": lambda text: str(text).lower(),
    "partial": _partial,
    "partialCached": _partial,
    "replace": lambda text, old, new: str(text).replace(str(old), str(new)),
    "slice": lambda *values: list(values),
    "split": lambda text, mark: str(text).split(str(mark)),
    "sub": lambda first, second: _number(first) - _number(second),
    "strings.Contains": lambda text, part: str(part) in str(text),
    "strings.HasPrefix": lambda text, start: str(text).startswith(str(start)),
    "strings.HasSuffix": lambda text, end: str(text).endswith(str(end)),
    "strings.Replace": lambda text, old, new: str(text).replace(str(old), str(new)),
    "strings.Split": lambda text, mark: str(text).split(str(mark)),
    "strings.ToLower": lambda text: str(text).lower(),
    "strings.ToUpper": lambda text: str(text).upper(),
    "strings.TrimPrefix": lambda start, text: str(text).removeprefix(str(start)),
    "strings.TrimSuffix": lambda end, text: str(text).removesuffix(str(end)),
    "trim": lambda text, marks: str(text).strip(str(marks)),
    "upper": lambda text: str(text).upper(),
    "div": lambda first, second: int(first) // int(second),
    "isset": lambda values, key: str(key) in values,
    "hasSuffix": lambda text, end: str(text).endswith(str(end)),
    "merge": _merge,
    "mod": lambda first, second: int(first) % int(second),
    "mul": lambda first, second: _number(first) * _number(second),
    "path.Clean": lambda path: posixpath.normpath(str(path)),
    "path.Join": lambda *parts: posixpath.normpath("/".join(map(str, parts))),
    "reverse": lambda values: list(reversed(values)),
    "seq": _seq,
    "sort": _sort,
    "strings.Count": lambda part, text: str(text).count(str(part)),
    "strings.FirstUpper": lambda text: str(text)[:1].upper() + str(text)[1:],
    "substr": lambda text, start, length=None: str(text)[int(start) :][: None if length is None else int(length)],
    "truncate": _truncate,
    "union": lambda first, second: list(dict.fromkeys([*first, *second])),
    "urlquery": lambda text: quote_plus(str(text)),
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

_ROOTS = (".Site.", "site.", "$.Site.", ".Page.Site.", "$.Page.Site.", "page.Site.")
_PAGE_ROOTS = (".Page.", "$.Page.", "page.", "$page.", ".page.", "$.page.")
_GET_PAGE = frozenset(f"{root}GetPage" for root in (*_ROOTS, *_PAGE_ROOTS))
_RESOURCES = frozenset(f"{root}Resources.{what}" for root in _PAGE_ROOTS for what in ("Get", "GetMatch"))
_ASSETS = frozenset(["resources.Get", "resources.GetMatch"])
SITE_FUNCTIONS = frozenset(
    ["i18n", "T", "lang.Translate", "emojify", "transform.Emojify", *_GET_PAGE, *_RESOURCES, *_ASSETS]
)
"""Names under which templates call them."""
_PATTERN = re.compile(r"[*?\[{]")


class Fields(dict[str, Any]):
    """An object of Hugo of which some fields are known; to ask for others is an error, since they are not empty."""

    def get(self, key: str, default: Any = None) -> Any:
        """Give a field.

        Raises:
            LookupError: it is not known here.
        """
        del default
        if key not in self:
            raise LookupError(f"the field {key} is not known")
        return self[key]


def call_site(name: str, arguments: list[Any], around: Surroundings) -> Any:
    """Call one of `SITE_FUNCTIONS`.

    Raises:
        LookupError: there is no such word, or no such file.
    """
    if not arguments:
        raise LookupError(f"{name} without a name")
    text = str(arguments[0])
    if name in _GET_PAGE:
        path = around.find_page(text)
        if path is None:
            return ""
        title, route, front = around.title_of(path), around.page(text), around.front_of(path)
        return Fields(
            Title=title,
            LinkTitle=str(front.get("linktitle") or title),
            Name=title,
            RelPermalink=route,
            Permalink=route,
            Path=path,
            Description=str(front.get("description") or ""),
            Params=front | dict(params if isinstance(params := front.get("params"), dict) else {}),
        )
    if name in _RESOURCES:
        if _PATTERN.search(text):
            raise LookupError(f"files of the form {text} are not known")
        return Fields(RelPermalink=text, Permalink=text, Name=posixpath.basename(text), Title=posixpath.basename(text))
    if name in _ASSETS:
        content = around.file(f"assets/{text.lstrip('/')}")
        if content is None:
            raise LookupError(f"assets/{text.lstrip('/')} is no text that is known here")
        return Fields(Content=content, Name=text, Title=text)
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


SHORTCODE: dict[str, Any] = {".": "shortcode"}
"""Stands for the shortcode itself, which templates hand to partials."""
_PAGE: dict[str, Any] = {".": "page"}
_SITE: dict[str, Any] = {".": "site"}
_OF_PAGE = re.compile(r"\$?\.?(?:Page|page)\.(?P<name>\w+)")
_OF_SITE = re.compile(r"(?:\$?\.?(?:Page|page)\.)?\$?\.?(?:Site|site)\.(?P<name>\w+(?:\.\w+)?)")
_OF_FRONT = {
    "Title": "title",
    "LinkTitle": "linktitle",
    "Description": "description",
    "Type": "type",
    "Summary": "summary",
}
_SITE_NAMES = {"Title": "site.title", "BaseURL": "site.baseurl", "Language.Lang": "site.language.lang"}


def shortcode_value(word: str, call: ShortcodeCall) -> Any:
    """Give a field of the shortcode that is drawn; None where the word is none of these."""
    name = word.removeprefix("$").removeprefix(".")
    if word in (".", "$"):
        return SHORTCODE
    if not word.startswith((".", "$.")):
        return None
    if name.startswith("Parent."):
        return shortcode_value(f".{name.removeprefix('Parent.')}", call.parent) if call.parent is not None else None
    if name == "Name":
        return call.name
    if name == "Position":
        return call.name  # where it is written; only messages name it
    if name == "Ordinal":
        return call.number
    if name == "Params":
        return call.named or call.plain
    if name == "Parent":
        return SHORTCODE if call.parent is not None else ""
    return None


def page_value(word: str, around: Surroundings) -> Any:
    """Give a field of the page or of the site; None where the word is none of these."""
    if re.fullmatch(r"\$?\.?Page|page", word):
        return _PAGE
    if re.fullmatch(r"(?:\$?\.?Page\.)?\$?\.?Site|site", word):
        return _SITE
    if word == "hugo.Version":
        return "0.152.0"  # templates ask whether it is old
    if word in ("hugo.IsProduction", "hugo.IsServer", "hugo.IsDevelopment", "hugo.IsExtended"):
        return word == "hugo.IsProduction"
    if match := _OF_SITE.fullmatch(word):
        key = _SITE_NAMES.get(match["name"])
        return None if key is None else around.variables.get(key, "/" if key.endswith("url") else "")
    if match := _OF_PAGE.fullmatch(word):
        name = match["name"]
        if name == "Params":
            own = around.front.get("params")
            return around.front | (own if isinstance(own, dict) else {})
        if name == "TableOfContents":
            return ""  # each page has one of its own
        if name in _OF_FRONT:
            return around.own_value(_OF_FRONT[name]) or (around.value("title") or "" if name == "LinkTitle" else "")
        if name in ("Permalink", "RelPermalink"):
            return around.content_route
        if name in ("Lang", "Language"):
            return next(iter(around.languages), around.variables.get("site.language.lang", "en"))
        if name == "Section":
            return around.content_path.strip("/").partition("/")[0] if "/" in around.content_path else ""
        if name == "Kind":
            return "section" if around.content_path.endswith("_index.md") else "page"
        if name in ("IsPage", "IsSection", "IsHome", "IsNode"):
            is_section = around.content_path.endswith("_index.md")
            is_home = around.content_path == "_index.md"
            return {"IsPage": not is_section, "IsSection": is_section and not is_home, "IsHome": is_home}.get(
                name, is_section
            )
    return None
