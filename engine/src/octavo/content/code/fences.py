"""Fenced code: the words after the fence, the classes of its lines, and the HTML of the block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

import msgspec

from octavo.content.attributes import parse_attributes
from octavo.content.code.budget import SlowCodeError
from octavo.content.code.console import SESSIONS, mark_session, session_language
from octavo.content.code.highlight import highlight, highlight_lines
from octavo.content.code.marks import FenceMarks, LineLabel, find_mark, folded_lines, label_html, mark_words, take_marks
from octavo.content.code.notations import take_notes
from octavo.content.escape import escape, escape_attribute
from octavo.lazy import regex as re
from octavo.words import fill_word, words_of

_WORD = re.compile(r"(?!\[)[^\s{,:]*")
_OPTION_FIRST = re.compile(r"(?:title|filename|hl_lines|linenums|caption)=")
_TITLE = re.compile(r"""(?<!\S)(?:title|filename|fileName)=(["'])(.*?)\1(?=[\s{]|\Z)""")
_BARE_TITLE = re.compile(r"(?<!\S)(?:title|filename)=()([^\s\"'{}=]+)(?=\s*(?:\{|\w+=|showLineNumbers\b|\Z))")
"""A title without quotation marks, where it is certain that it ends before what comes next."""
_RANGES = re.compile(r"\{([\d,\s.-]+)\}")
_HIGHLIGHTED = re.compile(r"""(?<!\S)hl_lines=(?:"([^"]*)"|'([^']*)'|(\S+))""")
_EDITED = re.compile(r"""(?<!\S)(ins|del|mark)=\{([\d,\s.-]+)\}""")
"""Marks of lines in Expressive Code; `marks.py` reads those of words."""
_QUOTED = re.compile(r"""(?<![=\w])(["']).*?\1|(?<!\S)/[^\s/][^/]*/(?!\S)""")
_NUMBERS = re.compile(
    r"""(?<!\S)(?:linenums|showLineNumbers|lineNumbers|(?i:linenos))(?:=["'{]?(?P<value>\w+)["'}]?|\{(?P<braced>\d+)\})?(?!\S)"""
    r"|(?<!\S)lines(?!\S)|:line-numbers(?:=(?P<first>\d+))?"
)
"""Numbers of lines in Docusaurus, Starlight, Material, VitePress, Zola, Hugo, Nextra, Rspress, Fumadocs and Mintlify."""
_FIRST_NUMBER = re.compile(r"""(?<!\S)(?:startLineNumber|(?i:linenostart))=["'{]?(\d+)["'}]?(?!\S)""")
_LIST = re.compile(r"(?<=\w=)\[([^\[\]{}]*)\]")
_COMMAS = re.compile(r",[ \t]*(?=[A-Za-z_]+(?:=|,|\}|\Z))")
_ZOLA = re.compile(r"[\w+#-]*,[ \t]*(?=(?:linenos|linenostart|hl_lines|hide_lines|name|copy)\b)")
_ZOLA_LIST = re.compile(r"\b(hl_lines|hide_lines)=([\d -]*\d)")
_MAX_LINE = 100_000
"""Largest line number that a range may name; keeps `{1-999999999}` from costing time."""

BUILT_IN_COMMENTS = {"highlighted": "highlight"}
"""CSS class → comment word: `highlight-next-line`, `highlight-start`, `highlight-end`."""

FOLDED = words_of("en")["code.lines"]
"""Names folded lines where the caller has no words in a language of its own."""

_DIFFS = frozenset({"diff", "patch"})
_MARKDOWN = frozenset({"md", "mdx", "markdown"})
_COMMENTS_OF_MARKDOWN = "<{#"
"""First signs of comments in Markdown: of HTML, of JSX, of front matter. Others belong to code that Markdown shows."""


class FenceInfo(msgspec.Struct, frozen=True):
    """What the words after a fence say."""

    language: str = ""
    """Lower case; empty where none is given."""
    title: str | None = None
    highlighted: frozenset[int] = frozenset()
    """1-based lines."""
    ranges: str = ""
    """The words between the braces, where they name lines."""
    first_number: int | None = None
    """Number of the first line; None shows no numbers."""
    added: frozenset[int] = frozenset()
    """1-based lines that are marked as new."""
    removed: frozenset[int] = frozenset()
    """1-based lines that are marked as gone."""
    marks: FenceMarks = FenceMarks()
    """Words and labels, and lines that are folded away."""


@lru_cache(maxsize=1024)
def parse_info(info: str) -> FenceInfo:
    """Read the words after a fence, such as `bash title="a.sh" {1,3-5} showLineNumbers=5`.

    Known are also the forms of other engines: `py hl_lines="1 3" linenums="5"` and `{ .py title="…" }`
    (Python-Markdown), `js{1,3}` and `ts:line-numbers=2 {1}` (VitePress), `rust,ignore` (mdBook), `ins={1} del={2}`,
    `"word"`, `{"Label":1-3}` and `collapse={4-9}` (Expressive Code), `/word/` (Nextra), `expandable` (Mintlify),
    `go {linenos=table,hl_lines=[8,"15-17"],linenostart=199}` (Hugo), `rust,linenos,hl_lines=1 3-4` (Zola).
    """
    info = _without_braces(_without_commas(info))
    word = _WORD.match(info)
    language = word[0].lower() if word and not _OPTION_FIRST.match(info) else ""
    meta = info[len(language) :]
    if not meta:
        return FenceInfo(language)
    title = _TITLE.search(meta) or _BARE_TITLE.search(meta)
    rest = meta if title is None else meta[: title.start()] + meta[title.end() :]
    first, rest = _take_numbers(rest)
    marks, rest = take_marks(rest)
    edited = {mark: parse_ranges(lines) for mark, lines in _EDITED.findall(rest)}
    for label in marks.labels:
        edited[label.kind] = edited.get(label.kind, frozenset()) | parse_ranges(label.ranges)
    rest = _EDITED.sub("", rest)
    given = ",".join(_RANGES.findall(rest))
    if listed := _HIGHLIGHTED.search(rest):
        given = ",".join(next(filter(None, listed.groups()), "").replace(",", " ").split())
    return FenceInfo(
        language,
        title[2] if title else None,
        parse_ranges(given) | edited.get("mark", frozenset()),
        given,
        first,
        edited.get("ins", frozenset()),
        edited.get("del", frozenset()),
        marks,
    )


def _take_numbers(meta: str) -> tuple[int | None, str]:
    """Read how lines are numbered: the number of the first line, None for no numbers, and the words without that.

    `showLineNumbers=false` and `linenos=false` show none.
    """
    # Within a text to mark, these words mean nothing.
    plain = _QUOTED.sub(lambda quoted: "\0" * len(quoted[0]), meta)
    found = _NUMBERS.search(plain)
    if found is None:
        return None, meta
    given = _FIRST_NUMBER.search(plain)
    value = found["value"] or found["braced"] or found["first"] or ""
    if found["value"] and not value.isdecimal() and value not in ("true", "table", "inline"):
        return None, meta
    for match in sorted(filter(None, (found, given)), key=lambda match: -match.start()):
        meta = meta[: match.start()] + meta[match.end() :]
    first = given[1] if given else value
    return int(first[:9]) if first.isdecimal() else 1, meta


def _without_commas(info: str) -> str:
    """Write the options of Zola, `rust,linenos,hl_lines=1 3-4`, and the lists of Hugo, `{hl_lines=[1,"3-4"]}`, as others do."""
    if _ZOLA.match(info):
        info = _ZOLA_LIST.sub(r'\1="\2"', info)
        return re.sub(r"(?<!\S)name=([^\s\"']+)", r'title="\1"', _COMMAS.sub(" ", info))
    if "{" not in info or "=" not in info:
        return info
    start = info.index("{")
    listed = _LIST.sub(lambda match: '"' + re.sub(r"[\s,\"']+", " ", match[1]).strip() + '"', info[start:])
    return info[:start] + _COMMAS.sub(" ", listed)


def _without_braces(info: str) -> str:
    """Write `{ .py title="…" }`, and `py { .annotate title="…" }`, as `py title="…"`."""
    start = info.find("{")
    if start < 0 or ("=" not in info and "." not in info):
        return info
    found = parse_attributes(info, start)
    if found is None:
        return info
    values, end = found
    if start and not info[start - 1].isspace() and not values.keys() - {"class", "id"}:
        return info
    language = info[:start].strip() or values.get("class", "").partition(" ")[0]
    options = " ".join(f'{key}="{value}"' for key, value in values.items() if key not in ("class", "id"))
    return f"{language} {options} {info[end:]}".strip()


def parse_ranges(text: str) -> frozenset[int]:
    """Read lines such as `1,3-5`; what is not a number names no line."""
    lines: set[int] = set()
    for part in text.split(","):
        first, dash, last = part.strip().replace("..", "-").partition("-")
        if first.isdecimal() and (not dash or last.strip().isdecimal()):
            start, end = int(first[:9]), int((last.strip() if dash else first)[:9])
            lines.update(range(start, min(end, _MAX_LINE) + 1))
    return frozenset(lines)


def render_fence(
    info: FenceInfo, code: str, magic_comments: Mapping[str, str], folded: str = FOLDED
) -> tuple[str, str]:
    """Draw a block of code.

    Args:
        info: What the words after the fence say.
        code: The text between the fences, without its final line end.
        magic_comments: Further comments, CSS class → comment word.
        folded: What names lines that are folded away, with `{lines}` for their numbers.

    Returns:
        The HTML, and the code as a reader would copy it, prompts included.
    """
    fence = draw_fence(info, code, magic_comments, folded)
    return fence.html, fence.code


class DrawnFence(NamedTuple):
    """A block of code, drawn."""

    html: str
    code: str
    """As a reader would copy it, prompts included."""
    is_slow: bool
    """It took too long to highlight, and is shown as plain text."""


def draw_fence(info: FenceInfo, code: str, magic_comments: Mapping[str, str], folded: str = FOLDED) -> DrawnFence:
    """Draw a block of code, and tell whether its colours had to be left out; see `render_fence`."""
    code, classes = _line_classes(info, code, magic_comments)
    noted = take_notes(code)
    code = noted.code
    if (lines := noted.lines) is not None:
        classes = {lines[number]: names for number, names in classes.items() if number in lines}
    for number, names in noted.classes.items():
        classes[number] = tuple(dict.fromkeys((*classes.get(number, ()), *names)))
    if noted.words:
        words = tuple(dict.fromkeys((*info.marks.words, *noted.words)))
        info = msgspec.structs.replace(info, marks=info.marks._replace(words=words))
    if (language := session_language(info.language, code)) != info.language:
        info = msgspec.structs.replace(info, language=language)
    try:
        body, is_slow = _draw_lines(info.language, info, code, classes), False
    except SlowCodeError:
        body, is_slow = _draw_lines("text", info, code, classes), True
    return DrawnFence(_figure(info, body, folded), code, is_slow)


def _draw_lines(language: str, info: FenceInfo, code: str, classes: Mapping[int, tuple[str, ...]]) -> list[str]:
    """Draw the lines of a block; in one piece where nothing asks for single ones."""
    is_wrapped = bool(classes) or info.first_number is not None
    if language in SESSIONS:
        lines: Sequence[str] = mark_session(language, code)
    elif is_wrapped or info.marks != FenceMarks():
        lines = highlight_lines(language, code)
    else:
        return [highlight(language, code)]
    if info.marks.words:
        found = [mark for word in info.marks.words if (mark := find_mark(word, code)) is not None]
        lines = [mark_words(line, found) for line in lines]
    if not is_wrapped:
        return list(lines)
    labels = {min(parse_ranges(label.ranges), default=0): label for label in info.marks.labels}
    return [
        _line(info, number, line, classes.get(number, ()), labels.get(number)) for number, line in enumerate(lines, 1)
    ]


def _line(info: FenceInfo, number: int, html: str, classes: tuple[str, ...], label: LineLabel | None) -> str:
    # In an attribute: a counter of the style sheet would not count lines that are folded away.
    shown = "" if info.first_number is None else f' data-number="{info.first_number + number - 1}"'
    note = label_html(label.text) if label else ""
    return f'<span class="{" ".join(("line", *classes))}"{shown}>{html}{note}</span>'


def _figure(info: FenceInfo, lines: list[str], folded: str) -> str:
    # A figure without a name says nothing to a screen reader but that it is there.
    role, caption = ("", f"<figcaption>{escape(info.title)}</figcaption>") if info.title else (' role="none"', "")
    return (
        f'<figure class="{"code" if info.first_number is None else "code numbered"}"'
        f' data-language="{escape_attribute(info.language or "text")}"{role}>{caption}{_body(info, lines, folded)}</figure>'
    )


def _body(info: FenceInfo, lines: list[str], folded: str) -> str:
    """Draw a box of lines, or several, where some are folded away."""
    if info.marks.folded is None:
        return _pre(lines)
    hidden = folded_lines(parse_ranges(info.marks.folded), len(lines))
    parts: list[str] = []
    numbers = range(1, len(lines) + 1)
    for is_hidden, numbered in groupby(numbers, lambda number: number in hidden):
        group = list(numbered)
        first, last = group[0], group[-1]
        box = _pre(lines[first - 1 : last])
        if is_hidden:
            start = (info.first_number or 1) - 1
            shown = f"{first + start}" if first == last else f"{first + start}–{last + start}"
            summary = escape(fill_word(folded, lines=shown))
            box = f'<details class="code-fold"><summary>{summary}</summary>{box}</details>'
        parts.append(box)
    return "".join(parts)


def _pre(lines: Sequence[str]) -> str:
    text = "\n".join(lines)
    return f'<pre tabindex="0"><code>{text}</code></pre>'


def _line_classes(
    info: FenceInfo, code: str, magic_comments: Mapping[str, str]
) -> tuple[str, dict[int, tuple[str, ...]]]:
    """Find the classes of lines, and take the magic comments out of the code.

    Returns:
        The code to show, and 1-based line → classes.
    """
    classes: dict[int, tuple[str, ...]] = {}
    if info.highlighted:
        count = code.count("\n") + 1
        classes = {line: ("highlighted",) for line in info.highlighted if 1 <= line <= count}
    elif any(word in code for word in (*BUILT_IN_COMMENTS.values(), *magic_comments.values())):
        code, classes = _apply_comments(code, BUILT_IN_COMMENTS | dict(magic_comments), info.language)
    for edited, name in ((info.added, "added"), (info.removed, "removed")):
        for number in edited:
            classes[number] = (*classes.get(number, ()), name)
    if info.language in _DIFFS:
        for number, line in enumerate(code.split("\n"), 1):
            if mark := _diff_class(line):
                classes[number] = (*classes.get(number, ()), mark)
    return code, classes


def _diff_class(line: str) -> str | None:
    if line.startswith("+") and not line.startswith("+++ "):
        return "added"
    if line.startswith("-") and not line.startswith("--- "):
        return "removed"
    return None


@lru_cache(maxsize=16)
def comment_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """A line that holds one magic comment and nothing else, in the comment style of any language."""
    choice = "|".join(map(re.escape, words))
    return re.compile(
        r"[ \t]*(?://|/\*|\{[ \t]*/\*|#|<!--|--\[\[|--|%|;+|'|rem\b|!|\(\*|\*>)[ \t]*"
        rf"(?P<word>{choice})-(?P<form>next-line|start|end)"
        r"[ \t]*(?:\*/[ \t]*\}?|-->|\]\]|\*\))?[ \t]*",
        re.IGNORECASE,
    )


def reads_comments_of(language: str, line: str) -> bool:
    """Whether a line that is a magic comment counts in a language: in Markdown, those of other languages are shown."""
    return language not in _MARKDOWN or line.lstrip()[:1] in _COMMENTS_OF_MARKDOWN


def _apply_comments(code: str, comments: Mapping[str, str], language: str) -> tuple[str, dict[int, tuple[str, ...]]]:
    """Apply the magic comments that count in a language."""
    class_of = {word.lower(): name for name, word in comments.items()}
    pattern = comment_pattern(tuple(class_of))
    kept: list[str] = []
    classes: dict[int, tuple[str, ...]] = {}
    open_classes: list[str] = []
    next_classes: list[str] = []
    for line in code.split("\n"):
        match = pattern.fullmatch(line)
        if match is None or not reads_comments_of(language, line):
            kept.append(line)
            if open_classes or next_classes:
                classes[len(kept)] = tuple(dict.fromkeys((*open_classes, *next_classes)))
                next_classes = []
            continue
        name, form = class_of[match["word"].lower()], match["form"].lower()
        if form == "next-line":
            next_classes.append(name)
        elif form == "start":
            open_classes.append(name)
        elif name in open_classes:
            open_classes.remove(name)
    return "\n".join(kept), classes
