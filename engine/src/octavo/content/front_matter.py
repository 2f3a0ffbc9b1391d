"""Front matter: the settings between two `---` lines at the head of a file, read into `FrontMatter`."""

from __future__ import annotations

import contextlib
import datetime as dt
import html
from typing import TYPE_CHECKING, Any

from octavo.content.context import nearest
from octavo.content.dialect import COMMONMARK
from octavo.content.document import FrontMatter
from octavo.content.front_matter_values import (
    ALIASES,
    CONTENT_KEYS,
    FOREIGN_KEYS,
    KNOWN_LAYOUTS,
    NESTED,
    POST_ALIASES,
    POST_KEYS,
    READERS,
    REMOVERS,
    UnfitError,
    read_number,
    read_switch,
    read_text,
    shown,
)
from octavo.content.source import DocumentText
from octavo.content.translate.hero import HERO_ENGINES
from octavo.lazy import regex as re
from octavo.text_files import SyntaxMistakeError, find_nul, parse_toml, parse_yaml

if TYPE_CHECKING:
    from octavo.content.context import CompileContext

_WITH_TEMPLATES = frozenset({"eleventy", "hugo", "jekyll", "zola"})
"""Extensions of engines whose `layout` names a template of the site."""
_CARRIED = {
    "docfx": frozenset({"redirect_url", "uid"}),
    "eleventy": frozenset({"eleventyNavigation", "permalink"}),
    "hugo": frozenset({"aliases", "manualLink"}),
    "jekyll": frozenset({"grand_parent", "nav_exclude", "parent", "permalink", "redirect_from", "redirect_to"}),
    "zola": frozenset({"aliases"}),
}
"""Extension of an engine → keys that its import has carried over into the settings: routes, redirects and sidebars."""
_OF_ENGINES = {
    "hugo": {"linktitle": "sidebar_label"},
    "mintlify": {"tag": "sidebar_badge"},
    "retype": {"label": "sidebar_label"},
}
"""Extension of an engine → keys that mean something in its pages alone → keys of ours that mean the same."""
_IN_HTML = frozenset({"title", "description", "sidebar_label"})
"""Texts that are HTML in Jekyll: `C&oacute;digo`."""
_TOML = re.compile(r"\+\+\+[ \t]*\n(?:(?P<toml>.*?)\n)?\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL)
_FENCE = re.compile(r"---[ \t]*\n(?:(?P<yaml>.*?)\n)??---[ \t]*(?:\n|\Z)", re.DOTALL)
_MOST_UNKNOWN = 20
"""Unknown keys that are reported one by one; a file with more is not a page, and looking for what they mean takes time."""
_BARE = re.compile(
    r"""[ ]{0,3}(?:title[ \t]*:[ \t]*\S[^\n]*\n
    |(?:author|authors|category|date|description|keywords|layout|permalink|slug|summary|tags|template)[ \t]*:[ \t]*\S[^\n]*\n(?:[ ]{4,}\S[^\n]*\n)*[ ]{0,3}[a-z_-]+[ \t]*:[ \t]*\S[^\n]*\n)""",
    re.IGNORECASE | re.VERBOSE,
)
"""Settings without lines around them, as MultiMarkdown and MkDocs take them."""
HEXO_FENCE = re.compile(
    r"\ufeff?(?P<yaml>[A-Za-z_][\w-]*[ \t]*:(?:[ \t][^\n]*)?\n(?:(?:[A-Za-z_][\w-]*[ \t]*:|[ \t]|-[ \t]|#)[^\n]*\n|\n){0,200})"
    r"-{3,}[ \t]*(?:\n|\Z)"
)
"""Front matter of Hexo, without a line above it; the first line is a setting."""
_UNCLOSED = re.compile(r"---[ \t]*\n[A-Za-z_][\w-]*:(?:[ \t]|\n)")
_TO_END = re.compile(r"---[ \t]*\n(?P<yaml>.*)\Z", re.DOTALL)
"""A file that is front matter alone, which VitePress reads without a line below it."""
_LATE = re.compile(
    r"(?P<above>[ \t]*\n\s*)---[ \t]*\n[A-Za-z_][\w-]*:(?:[ \t][^\n]*)?\n(?:[^\n]+\n)*?---[ \t]*(?:\n|\Z)"
)
_LONG_FENCE = re.compile(r"-{4,}[ \t]*\n[A-Za-z_][\w-]*:(?:[ \t][^\n]*)?\n(?:[^\n]+\n)*?-{3,}[ \t]*(?:\n|\Z)")
_JSON = re.compile(r'\{\s*"(?:title|date|draft|description|slug|tags)"\s*:')
_PLAIN_LINE = re.compile(r'([a-z_]+): +(?:"([^"\\\n]*)"|([A-Za-z][A-Za-z0-9]*(?: [A-Za-z0-9]+)+)|([1-9][0-9]{0,8})) *')
"""A line that means the same to every YAML parser: a quoted text, several plain words, or an integer."""


def parse_front_matter(source: DocumentText, context: CompileContext) -> tuple[FrontMatter, int]:
    """Read the settings of a file.

    Returns:
        The settings, and the offset at which the body begins: 0 where there is no front matter.
    """
    if source.path.endswith(".rst"):
        return _rst_settings(source), 0  # a line of hyphens is a part of a title there
    if source.path.endswith(".ipynb"):
        from octavo.content.notebooks.head import head_text

        head = head_text(source)
        return (_settings_of(head, context)[0] if head is not None else _DEFAULT), 0
    return _settings_of(source, context)


def _settings_of(source: DocumentText, context: CompileContext) -> tuple[FrontMatter, int]:
    start = _start(source)
    if source.text.startswith("+++", start) and (toml := _TOML.match(source.text, start)):
        raw = _load_toml(toml["toml"] or "", source, context)
        return (_convert(raw, source, context) if raw else _DEFAULT), toml.end()
    match = _fence(source)
    if match is None:
        _report_unread(source, context)
        return _DEFAULT, 0
    raw = _load(match["yaml"] or "", source, context)
    return (_convert(raw, source, context) if raw else _DEFAULT), match.end()


_BLANK = re.compile(r"\s*")


def _start(source: DocumentText) -> int:
    """Offset at which settings may begin: Hugo passes over empty lines above them."""
    if "hugo" not in source.dialect.extensions or not source.text[:1].isspace():
        return 0
    match = _BLANK.match(source.text)
    return match.end() if match else 0


def _fence(source: DocumentText) -> re.Match[str] | None:
    start = _start(source)
    if "hexo" in source.dialect.extensions and not source.text.startswith("---"):
        return HEXO_FENCE.match(source.text)
    if not source.text.startswith("---", start):
        return None
    found = _FENCE.match(source.text, start)
    if found is None and "vitepress" in source.dialect.extensions and _UNCLOSED.match(source.text, start):
        whole = _TO_END.match(source.text, start)
        with contextlib.suppress(SyntaxMistakeError):
            return whole if whole and isinstance(parse_yaml(whole["yaml"]), dict) else None
    return found


_META = re.compile(r"^\.\.[ \t]+meta::[ \t]*\n(?P<fields>(?:[ \t]+\S[^\n]*(?:\n|\Z)|[ \t]*\n)+)", re.MULTILINE)
_META_FIELD = re.compile(r"^[ \t]+:(?P<name>[^:\n]+):[ \t]*(?P<text>[^\n]*(?:\n[ \t]+(?!:)\S[^\n]*)*)", re.MULTILINE)


_STATE = re.compile(
    r"(?:[ \t]*\n)*(?::[A-Za-z][\w -]*:[^\n]*\n(?:[ \t]+\S[^\n]*\n)*)*?:translated_from:[ \t]*(?P<state>\w+)[ \t]*\n"
)
"""The field at the head of a file that names the state of its original."""


def _rst_settings(source: DocumentText) -> FrontMatter:
    """Take description and keywords out of a file in reStructuredText, and the state of its original out of one that translates."""
    state = _STATE.match(source.text)
    found: dict[str, str] = {}
    for block in _META.finditer(source.text):
        for field in _META_FIELD.finditer(block["fields"]):
            found.setdefault(field["name"].partition(" ")[0], " ".join(field["text"].split()))
    if state is None and found.keys().isdisjoint(RST_METAS):
        return _DEFAULT
    keywords = [word.strip() for word in found.get("keywords", "").split(",") if word.strip()]
    return FrontMatter(
        description=found.get("description") or None,
        keywords=keywords,
        translated_from=state["state"] if state else None,
    )


RST_METAS = frozenset(["description", "keywords"])
"""Fields of `.. meta::` that say something of a page here."""


def _report_unread(source: DocumentText, context: CompileContext) -> None:
    """Report settings that are shown as text, since they have not the form of front matter."""
    text = source.text
    if _UNCLOSED.match(text):
        message = "The front matter is never closed; its lines are shown as text."
        context.report("error", "front-matter", message, source, 0, suggestion='Close it with a line "---".')
    elif (late := _LATE.match(text)) is not None:
        message = "Front matter is read at the first line of a file only; here its lines are shown as text."
        hint = "Remove the empty lines above it."
        context.report("error", "front-matter", message, source, late.end("above"), suggestion=hint)
    elif _LONG_FENCE.match(text):
        message = "Front matter is put between lines of three dashes; here its lines are shown as text."
        context.report("error", "front-matter", message, source, 0, suggestion='Write "---" above and below it.')
    elif _JSON.match(text):
        message = "Front matter in JSON is not read, and shown as text."
        hint = "Write it in YAML, between two lines `---`."
        context.report("error", "front-matter", message, source, 0, suggestion=hint)
    elif _BARE.match(text):
        message = "These lines look like front matter, and are shown as text: the lines around them are missing."
        context.report("warn", "front-matter", message, source, 0, suggestion='Write "---" above and below them.')


def raw_front_matter(source: DocumentText) -> dict[str, Any]:
    """Give the settings of a file as they are written, those that mean nothing here included; empty where there are none."""
    match = _fence(source)
    try:
        raw = parse_yaml(match["yaml"] or "") if match else None
    except SyntaxMistakeError:
        return {}
    return {str(key): value for key, value in raw.items()} if isinstance(raw, dict) else {}


def read_settings(text: str) -> tuple[dict[str, Any], str]:
    """Read the settings of a file without looking at what they mean; what cannot be read counts as none.

    Returns:
        (settings, the text behind them).
    """
    import tomllib

    source = DocumentText("", text, COMMONMARK)
    start = body_start(source)
    if text.startswith("+++") and (match := _TOML.match(text)):
        with contextlib.suppress(tomllib.TOMLDecodeError):
            return parse_toml(match["toml"] or ""), text[start:]
    return raw_front_matter(source), text[start:]


def body_start(source: DocumentText) -> int:
    """Offset at which the body of a file begins; its settings are not looked at."""
    if source.path.endswith(".rst"):
        return 0
    start = _start(source)
    match = _TOML.match(source.text, start) if source.text.startswith("+++", start) else _fence(source)
    return match.end() if match else 0


def yaml_range(source: DocumentText) -> tuple[int, int] | None:
    """Give where the YAML of the settings is; None where a file has none."""
    match = _fence(source)
    return match.span("yaml") if match and match["yaml"] else None


_DEFAULT = FrontMatter()
_OF_NOTEBOOKS = ("jupytext", "kernelspec", "mystnb", "language_info", "kernel_info")


def _load(yaml_text: str, source: DocumentText, context: CompileContext) -> dict[str, Any]:
    _report_repeated(yaml_text, source, context)
    plain = _load_plain(yaml_text)
    return _load_yaml(yaml_text, source, context) if plain is None else plain


def _report_repeated(yaml_text: str, source: DocumentText, context: CompileContext) -> None:
    """Report keys that are given twice: YAML forbids them, and its parser takes the last one without a word."""
    seen: set[str] = set()
    for match in _KEY_LINE.finditer(yaml_text):
        if match[1] in seen:
            message = f'The key "{match[1]}" is given twice in the front matter; the last one counts.'
            offset = source.text.find("\n") + 1 + match.start()
            context.report("warn", "front-matter", message, source, offset, suggestion="Remove one of them.")
        seen.add(match[1])


_KEY_LINE = re.compile(r"^([A-Za-z_][\w-]*)[ \t]*:(?=\s|$)", re.MULTILINE)
"""A key of the front matter itself: keys inside of another key are indented."""


def _load_toml(text: str, source: DocumentText, context: CompileContext) -> dict[str, Any]:
    """Read settings that are written in TOML, as Hugo and Zola allow."""
    import tomllib

    try:
        return parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        context.report("error", "front-matter", f"The front matter is not valid TOML: {error}.", source, 0)
        return {}


def _load_plain(yaml_text: str) -> dict[str, Any] | None:
    """Read the most common front matter without a YAML parser, which would take longer than the page."""
    values: dict[str, Any] = {}
    for line in yaml_text.split("\n"):
        match = _PLAIN_LINE.fullmatch(line)
        if match is None:
            return None
        key, quoted, words, number = match.groups()
        values[key] = int(number) if number else words if quoted is None else quoted
    return values


def _load_yaml(yaml_text: str, source: DocumentText, context: CompileContext) -> dict[str, Any]:
    try:
        raw = parse_yaml(yaml_text)
    except SyntaxMistakeError as error:
        offset = source.text.find("\n") + 1 + _offset_of(yaml_text, error.line - 1, error.column - 1)
        context.report("error", "front-matter", f"The front matter is not valid YAML: {error}.", source, offset)
        return {}
    if raw is None:
        return {}
    if nul := find_nul(raw, yaml_text):
        offset = source.text.find("\n") + 1 + _offset_of(yaml_text, nul[0] - 1, nul[1] - 1)
        message = "This stands for the character NUL, which no page can show."
        context.report("warn", "front-matter", message, source, offset, suggestion="Remove it.")
    if not isinstance(raw, dict):
        message = f"The front matter is {shown(raw)}; expected lines of the form `key: value`."
        context.report("error", "front-matter", message, source, source.text.find("\n") + 1)
        return {}
    return {str(key): value for key, value in raw.items()}


def _offset_of(text: str, line: int, column: int) -> int:
    lines = text.split("\n")[: line + 1]
    return sum(len(previous) + 1 for previous in lines[:line]) + min(column, len(lines[-1]))


def _is_template(layout: object, source: DocumentText) -> bool:
    """Whether a layout is the name of a template of another engine: one with templates, or any, and no layout of ours is like it."""
    if str(layout) in KNOWN_LAYOUTS:
        return False
    extensions = source.dialect.extensions
    return bool(extensions & _WITH_TEMPLATES or (extensions and nearest(str(layout), KNOWN_LAYOUTS) is None))


def _without_taxonomies(raw: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Take tags and authors out of the table in which Zola has them; gives the names of its others too."""
    groups = raw.get("taxonomies")
    if not isinstance(groups, dict):
        return raw, []
    others = {key: value for key, value in raw.items() if key != "taxonomies"}
    own = {key: value for key, value in groups.items() if key in ("tags", "authors")}
    return {**own, **others}, [f"taxonomies.{key}" for key in groups if key not in own]


def _convert(raw: dict[str, Any], source: DocumentText, context: CompileContext) -> FrontMatter:
    values: dict[str, Any] = {}
    unknown: list[str] = []
    foreign: list[str] = []
    if "zola" in source.dialect.extensions:
        raw, foreign = _without_taxonomies(raw)
    is_post = context.options.posts_of(source.path) is not None
    carried = frozenset[str]().union(*(_CARRIED.get(extension, ()) for extension in source.dialect.extensions))
    own: dict[str, str] = {}
    for extension in source.dialect.extensions & _OF_ENGINES.keys():
        own |= _OF_ENGINES[extension]
    if isinstance(raw.get("search"), dict) and "boost" in raw["search"]:
        # Material for MkDocs ranks a page by it.
        foreign.append("search.boost")
        asked = {key: value for key, value in raw["search"].items() if key != "boost"}
        raw = {key: asked if key == "search" else value for key, value in raw.items() if key != "search" or asked}
    for key, value in raw.items():
        if (switched := read_switch(key, value)) is not None:
            values |= switched
        elif key == "layout" and _is_template(value, source):
            foreign.append(key)
        elif key in READERS and (is_post or key not in POST_KEYS):
            _take(key, value, values, source, context)
        elif is_post and key in POST_ALIASES:
            if POST_ALIASES[key] not in raw:
                _take(POST_ALIASES[key], value, values, source, context)
        elif key in own:
            if own[key] not in raw:
                _take(own[key], value, values, source, context)
        elif key in ALIASES or key in NESTED:
            _take_alias(key, value, raw, values)
        elif key in context.options.fields:
            _take_field(key, value, source, context)
        elif key in carried:
            pass
        elif key == "myst" and key in source.dialect.extensions and isinstance(value, dict):
            foreign += _take_myst(value, raw, values, source, context)
        elif key in _OF_NOTEBOOKS and not source.dialect.extensions.isdisjoint(("myst", "notebooks")):
            pass  # for the programs that run a notebook
        elif key in FOREIGN_KEYS:
            foreign.append(key)
        else:
            unknown.append(key)
    _report_unknown(unknown, source, context)
    is_shown = not source.dialect.extensions.isdisjoint(HERO_ENGINES)
    # A hero is part of the page: nothing is to be said of it.
    foreign = [key for key in foreign if not (is_shown and key in CONTENT_KEYS)]
    seen = [key for key in foreign if key in CONTENT_KEYS]
    for code, keys in (("front-matter", seen), ("front-matter-key", [key for key in foreign if key not in seen])):
        if keys:
            names = ", ".join(f'"{key}"' for key in keys)
            message = f"Front matter has keys of other engines, which have no effect here: {names}."
            context.report("warn", code, message, source, key_offset(keys[0].partition(".")[0], source))
    if "jekyll" in source.dialect.extensions:
        # Layouts write them into the page as they are.
        values |= {key: html.unescape(values[key]) for key in _IN_HTML & values.keys() if values[key]}
    if values.get("title") is not None and not values["title"].strip() and not values.get("sidebar_label"):
        message = "The title is empty; the page has none in menus, tabs and search."
        context.report("warn", "front-matter", message, source, key_offset("title", source))
    least, most = values.get("toc_min_heading_level"), values.get("toc_max_heading_level")
    if least is not None and most is not None and least > most:
        message = (
            f"No heading is of level {least} and more, and of level {most} and less: the table of contents is empty."
        )
        hint = "Exchange toc_min_heading_level and toc_max_heading_level."
        place = key_offset("toc_min_heading_level", source)
        context.report("warn", "front-matter", message, source, place, suggestion=hint)
    if (is_searched := values.pop("search", None)) is not None:
        values["hides_from_search"] = not is_searched
    return FrontMatter(**values, fields=context.fields)


def _take_myst(
    given: dict[str, Any], raw: dict[str, Any], values: dict[str, Any], source: DocumentText, context: CompileContext
) -> list[str]:
    """Take what the settings of MyST say of a page. Returns: Keys that mean nothing here."""
    foreign = [f"myst.{key}" for key in given if key not in ("substitutions", "html_meta")]
    metas = given.get("html_meta")
    for name, value in metas.items() if isinstance(metas, dict) else ():
        key = str(name).partition(" ")[0]  # a language may follow
        if key not in ("description", "keywords"):
            foreign.append(f"myst.html_meta.{name}")
        elif key not in raw and key not in values:
            _take(key, value, values, source, context)
    return foreign


def _take_field(key: str, value: Any, source: DocumentText, context: CompileContext) -> None:
    """Take a key that an extension has registered, which looks at its value."""
    span = source.span(key_offset(key, source))
    given = context.extend("field", key, {"value": _plain(value)}, span)
    if given is not None:
        context.fields[key] = given.value


def _plain(value: Any) -> Any:
    """Write dates as text, in ISO 8601."""
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value.isoformat() if isinstance(value, dt.date | dt.time) else value


def _take(key: str, value: Any, values: dict[str, Any], source: DocumentText, context: CompileContext) -> None:
    """Take one of our own keys; a value that does not fit is left out and reported, and stops no site."""
    if value is None:
        if key in REMOVERS:
            values[REMOVERS[key]] = True
        return
    try:
        values[key] = READERS[key](value)
    except UnfitError as error:
        message = f'Front matter "{key}" is {shown(value)}; expected {error}.'
        context.report("warn", "front-matter", message, source, key_offset(key, source))
        if READERS[key] is read_text and isinstance(value, (bool, int, float, dt.date)):
            values[key] = _written(key, value, source)


def _written(key: str, value: object, source: DocumentText) -> str:
    """A number or a date as its author wrote it: `1.10` is not `1.1`."""
    match = re.compile(rf"^{re.escape(key)}[ \t]*:[ \t]*([^\s#'\"]+)[ \t]*(?:#.*)?$", re.MULTILINE).search(source.text)
    return match[1] if match else shown(value)


def _take_alias(key: str, value: Any, raw: dict[str, Any], values: dict[str, Any]) -> None:
    """Take a key of another engine that means the same as one of ours, where ours is not given too."""
    given = {f"{key}.{name}": inner for name, inner in value.items()} if isinstance(value, dict) else {key: value}
    for name, inner in given.items():
        own = ALIASES.get(name)
        if own is None or own in raw or inner is None:
            continue
        with contextlib.suppress(UnfitError):
            if own == "sidebar_position" and read_number(inner) == 0 and key == "weight":
                continue  # Hugo: not set
            values.setdefault(own, READERS[own](inner))


def _report_unknown(keys: list[str], source: DocumentText, context: CompileContext) -> None:
    for key in keys[:_MOST_UNKNOWN]:
        close = nearest(key, [*READERS, *context.options.fields])
        message = f'Front matter has no key "{key}".'
        suggestion = f'Did you mean "{close}"?' if close else ""
        context.report("warn", "front-matter-key", message, source, key_offset(key, source), suggestion=suggestion)
    if len(keys) > _MOST_UNKNOWN:
        message = f"Front matter has {len(keys) - _MOST_UNKNOWN} more keys that are not known."
        context.report("warn", "front-matter-key", message, source, 0)


def has_own_image(front_matter: FrontMatter) -> bool:
    """Return whether the picture for previews lies beside the file."""
    return front_matter.image is not None and front_matter.image.startswith(("./", "../"))


def key_offset(key: str, source: DocumentText) -> int:
    """Offset of a key of the settings."""
    found = re.compile(rf"""^["']?{re.escape(key)}["']?[ \t]*:""", re.MULTILINE).search(source.text)
    return found.start() if found else 0
