"""What code says to programs that draw or test it, and not to readers: the notation of Shiki, Twoslash, hidden lines, doctest.

| Comment | Meaning |
|---|---|
| `[!code highlight]`, `[!code hl]`, `[!code focus]`, `[!code warning]`, `[!code error]` | the line is highlighted |
| `[!code ++]`, `[!code --]` | the line is new, or gone |
| `[!code hl:3]` | so are the lines after it, three together |
| `[!code word:text]` | the text is marked in all lines |

A comment on a line of its own is about the lines after it. `[!!code hl]` is shown as `[!code hl]`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from octavo.content.code.marks import WordMark
from octavo.lazy import regex as re

NOTE_CLASSES = {
    "++": "added",
    "--": "removed",
    "add": "added",
    "remove": "removed",
    "hl": "highlighted",
    "highlight": "highlighted",
    "focus": "highlighted",
    "warning": "highlighted",
    "error": "highlighted",
    "info": "highlighted",
}
_LONGEST = 10_000
"""Lines that one comment may be about."""
_NOTE = re.compile(
    r"\[!code[ \t]+(?:(?P<name>\+\+|--|[a-z]+)(?::(?P<count>\d{1,5}))?|word:(?P<word>(?:\\.|[^\\:\]\n])+)(?::\d{1,5})?)[ \t]*\]"
)
_COMMENT = re.compile(
    rf"(?<![ \t])(?P<before>[ \t]*)(?P<mark>//|/\*|\{{[ \t]*/\*|<!--|--\[\[|--|\#+|;+|%+)[ \t]*(?P<notes>(?:{_NOTE.pattern.replace('?P<name>', '').replace('?P<count>', '').replace('?P<word>', '')}[ \t]*)+)"
    r"(?P<rest>(?:\*/[ \t]*\}?|-->|\]\])?)"
)
_SHOWN = "[!!code"


class Noted(NamedTuple):
    """Code without its notes, and what they say."""

    code: str
    classes: dict[int, tuple[str, ...]]
    """1-based line → classes."""
    words: tuple[WordMark, ...] = ()
    lines: dict[int, int] | None = None
    """1-based number of a line before the notes were taken out → now; None where all lines are left."""


def take_notes(code: str) -> Noted:
    """Take the comments of Shiki's notation out of code; text after one in the same comment stays in it."""
    if "[!code" not in code and _SHOWN not in code:
        return Noted(code, {})
    lines: list[str] = []
    kept: dict[int, int] = {}
    wanted: list[tuple[int, int, str]] = []
    words: list[WordMark] = []
    for number, line in enumerate(code.split("\n"), 1):
        match = _COMMENT.search(line) if "[!code" in line else None
        found = (
            [one for one in _NOTE.finditer(match["notes"]) if one["word"] or one["name"] in NOTE_CLASSES]
            if match
            else []
        )
        if match is None or not found:
            lines.append(line.replace(_SHOWN, "[!code"))
            kept[number] = len(lines)
            continue
        after = line[match.end() :]
        shown = line[: match.start()]
        if after.strip() and not match["rest"]:
            shown += f"{match['before']}{match['mark']} {after.lstrip()}"  # the rest of the comment
        else:
            shown += after
        is_alone = not shown.strip()
        if not is_alone:
            lines.append(shown.rstrip())
            kept[number] = len(lines)
        first = len(lines) + 1 if is_alone else len(lines)
        for one in found:
            if one["word"]:
                words.append(WordMark("mark", re.sub(r"\\(.)", r"\1", one["word"])))
            else:
                wanted.append((first, min(int(one["count"] or 1), _LONGEST), NOTE_CLASSES[one["name"]]))
    classes: dict[int, tuple[str, ...]] = {}
    for first, count, name in wanted:
        for number in range(first, min(first + count, len(lines) + 1)):
            if name not in classes.get(number, ()):
                classes[number] = (*classes.get(number, ()), name)
    return Noted("\n".join(lines), classes, tuple(dict.fromkeys(words)), kept)


_WORD = re.compile(r"(?<!\S)twoslash(?!\S)")
_CUTS = {
    "---cut---": "before",
    "---cut-before---": "before",
    "---cut-after---": "after",
    "---cut-start---": "start",
    "---cut-end---": "end",
}
_CUT = re.compile(r"[ \t]*//[ \t]*(?P<mark>---cut(?:-before|-after|-start|-end)?---)[ \t]*")
_SETTING = re.compile(r"[ \t]*//[ \t]*@(?!filename\b)[A-Za-z][\w-]*(?:[ \t]*:.*|[ \t]*)")
"""Names of files stay: they tell readers which lines belong to which file."""
_QUERY = re.compile(r"[ \t]*//[ \t]*\^[?|][ \t]*")


def without_twoslash(info: str, code: str) -> str:
    """Leave out the lines of a block that only Twoslash reads, if the words after the fence name it.

    Args:
        info: The words after the fence.
        code: The text between the fences.
    """
    if "twoslash" not in info or _WORD.search(info) is None or "//" not in code:
        return code
    kept: list[str] = []
    is_cut = False
    for line in code.split("\n"):
        if mark := _CUT.fullmatch(line):
            cut = _CUTS[mark["mark"]]
            if cut == "after":
                break
            if cut == "before":
                kept = []
            is_cut = cut == "start"
        elif not is_cut and not _SETTING.fullmatch(line) and not _QUERY.fullmatch(line):
            kept.append(line)
    return "\n".join(kept).strip("\n")


ANNOTATION = re.compile(r"(\((\d+)\))!")
"""The exclamation mark takes the comment's sign away, where a theme shows annotations in bubbles."""
_ENTRY = re.compile(r"(?P<indent>[ \t>]*)\d+[.)][ \t]")


def annotations_of(code: str) -> list[int]:
    """List the numbers of the annotations in a block of code."""
    return [int(match[2][:6]) for match in ANNOTATION.finditer(code)]


_BLANK_LINES = re.compile(r"\A(?:[ \t>]*\n)*")


def count_entries(text: str) -> int:
    """Count the entries of the numbered list with which a text begins; 0 where it begins with anything else."""
    found, indent, was_blank = 0, "", False
    for line in _BLANK_LINES.sub("", text, count=1).split("\n"):
        entry = _ENTRY.match(line)
        if not found:
            if entry is None:
                return 0
            indent = entry["indent"]
        if entry is not None and entry["indent"] == indent:
            found += 1
        elif was_blank and line.strip() and not line.startswith((f"{indent} ", f"{indent}\t")):
            break
        was_blank = not line.strip(" \t>")
    return found


_HIDE_OPTION = re.compile(r"\bhidelines=(?P<mark>[^\s,]+)")


def without_hidden_lines(info: str, code: str) -> str:
    """Take out the lines of a book that mdBook shows at a click alone: in Rust those that begin with `#`.

    `##` begins a line that is shown with one `#`; attributes, `#[…]` and `#![…]`, are none of these. Other languages
    have such lines where the fence names their mark: `python,hidelines=!!!`.
    """
    lines: list[str] = []
    given = _HIDE_OPTION.search(info)
    if given is None and not re.match(r"rust\b", info):
        return code
    mark = "#" if given is None else given["mark"]
    for line in code.split("\n"):
        bare = line.lstrip(" \t")
        rest = bare.removeprefix(mark)
        if not bare.startswith(mark) or (given is None and rest[:1] in ("!", "[")):
            lines.append(line)
        elif given is None and rest.startswith("#"):
            lines.append(line[: len(line) - len(bare)] + rest)
    return "\n".join(lines)


_DOCTEST_OPTION = re.compile(r"(?<![ \t])[ \t]*#[ \t]*doctest:[^\n]*$", re.MULTILINE)
_BLANK_LINE = re.compile(r"^[ \t]*<BLANKLINE>[ \t]*$", re.MULTILINE)


def without_doctest_options(info: str, code: str) -> str:
    """Take out what sessions of Python say to doctest, as Sphinx does: `# doctest: +SKIP` and `<BLANKLINE>`."""
    if not (info.startswith(("pycon", "doctest")) or code.lstrip().startswith(">>>")):
        return code
    return _BLANK_LINE.sub("", _DOCTEST_OPTION.sub("", code))


_NAME_LINES = 4
"""Lines at the beginning of a block in which a comment may name its file."""
_LONGEST_NAME_LINE = 300
_NAME = re.compile(
    r"\s*(?://|\#(?!!)|<!--|/\*)\s*(?:(?P<before>(?![a-z]:).*?)(?:\uff1a|:(?!//)))?\s*"
    r"(?P<name>(?:[a-z]:)?[\w./~%\[\]+\\-]+)\s*(?:-->|\*/)?\s*",
    re.ASCII | re.IGNORECASE,
)
"""`// src/a.js`, `# File: a.yml`, `<!-- a.html -->`, `/* a.css */`; `before` is the text in front of a colon."""
_FIRST_OF_PATH = re.compile(r"(?:/|\\|\.[/\\]|~|[a-z]:).", re.IGNORECASE)
_TERMINAL = frozenset(
    [
        "ansi",
        "bash",
        "bat",
        "batch",
        "cmd",
        "console",
        "fish",
        "nu",
        "nushell",
        "powershell",
        "ps",
        "ps1",
        "psd1",
        "psm1",
        "sh",
        "shell",
        "shellscript",
        "shellsession",
        "zsh",
    ]
)
_KINDS = (
    frozenset(
        [
            "astro",
            "cjs",
            "htm",
            "html",
            "js",
            "jsx",
            "mjs",
            "svelte",
            "ts",
            "tsx",
            "typescript",
            "vb",
            "vue",
            "vue-html",
        ]
    ),
    _TERMINAL,
    frozenset(["csv", "env", "ini", "json", "toml", "xml", "yaml", "yml"]),
    frozenset(["css", "less", "sass", "scss", "styl", "stylus", "xsl"]),
    frozenset(["markdown", "md", "mdx"]),
)
"""Languages, which are extensions of files as well: a comment names a file of the block's own kind."""
_WITH_FRONT_MATTER = frozenset(["astro", "markdown", "md", "mdx", "toml", "yaml", "yml"])
_WITHOUT_FRAME = re.compile(r"""(?<!\S)frame=(?:""|''|"none"|'none')(?!\S)""")


def take_file_name(info_text: str, language: str, code: str) -> tuple[str, str]:
    """Make the comment that names a block's file its title, as Expressive Code does: (words after the fence, code without it).

    Front matter that holds nothing else goes with it, and so does an empty line behind it.

    Args:
        info_text: The words after the fence; they give no title.
        language: Of the block, in small letters.
        code: Its text.

    Source:
        Expressive Code, `utils.ts` of the plug-in "frames", read in 2026-11.
    """
    if _WITHOUT_FRAME.search(info_text):
        return info_text, code
    lines = code.split("\n")
    names = [_file_name(line, language) for line in lines[:_NAME_LINES]]
    name = next(filter(None, names), "")
    if not name:
        return info_text, code
    start = names.index(name)
    end = start + 1
    around = lines[start - 1].strip() if start else "", lines[end].strip() if end < len(lines) else ""
    if language in _WITH_FRONT_MATTER and around in {("---", "---"), ("+++", "+++")}:
        start, end = start - 1, end + 1
    if end < len(lines) and not lines[end].strip():
        end += 1
    return f'{info_text} title="{name}"'.strip(), "\n".join(lines[:start] + lines[end:])


def _file_name(line: str, language: str) -> str:
    """Give the name of a file that is all that a comment says; empty where there is none."""
    found = _NAME.fullmatch(line) if len(line) <= _LONGEST_NAME_LINE else None
    if found is None:
        return ""
    name = found["name"]
    if not re.search(r"[^.:/\\~]", name) or re.match(r"\.{2,}(?![/\\])", name):
        return ""
    kind = next((one for one in _KINDS if language in one), None)
    last = re.split(r"[/\\]", name)[-1]
    extension = last.rpartition(".")[2] if "." in last else ""
    is_path = re.search(r"[/\\]", name) and re.search(r"[^/\\0-9.]", name) and name == name.lower()
    looks_like_file = _FIRST_OF_PATH.match(name) or last.startswith(".") or is_path
    if looks_like_file and (not found["before"] or kind is _TERMINAL):
        return name
    return name if extension and (kind is None or extension in kind) else ""


_LABEL = re.compile(r"(?<=\s)\[(?P<title>[^\[\]\n\"]+)\](?!\S)")
_WORDS = re.compile(r"\S+")
_WORDS_OF_MINTLIFY = frozenset(["copy", "expandable", "lines", "showLineNumbers", "twoslash", "wrap"])
_LINES_OF_ELEVENTY = re.compile(r"(?P<language>[\w+#-]+)/(?P<lines>[\d,-]+)(?:/(?P<removed>[\d,-]*))?(?!\S)")


def info_of_dialect(info_text: str, extensions: Collection[str]) -> str:
    """Write the words after a fence as Octavo reads them, where an engine has a notation of its own.

    Vocs has the title in brackets, `ts [a.ts]`; in Mintlify it is made of the words before the first option,
    `ts The file lines`; Eleventy's plug-in for code names lines behind a slash, `js/1,3`, or new and old ones, `js/1/3`.
    """
    if "title=" in info_text:
        return info_text
    if "vocs" in extensions and (label := _LABEL.search(info_text)):
        return f'{info_text[: label.start()]}title="{label["title"]}"{info_text[label.end() :]}'
    if "mintlify" in extensions and (place := words_of_title(info_text)) is not None:
        start, end = place
        return f'{info_text[:start]}title="{info_text[start:end]}"{info_text[end:]}'
    if "eleventy" in extensions and (found := _LINES_OF_ELEVENTY.match(info_text)):
        lines, removed = found["lines"], found["removed"]
        marks = f"{{{lines}}}" if removed is None else f"ins={{{lines}}} del={{{removed}}}"
        return f"{found['language']} {'' if lines == '0' else marks}{info_text[found.end() :]}".strip()
    return info_text


def words_of_title(info_text: str) -> tuple[int, int] | None:
    """Find the words after a language that are a title in Mintlify, up to the first option: start and end."""
    start = end = 0
    for number, word in enumerate(_WORDS.finditer(info_text)):
        if number and (word[0] in _WORDS_OF_MINTLIFY or "=" in word[0] or '"' in word[0] or word[0][0] in "{['/"):
            break
        start, end = start or (word.start() if number else 0), word.end()
    return (start, end) if start else None
