"""The output of a page against its source: words that are lost, and marks that readers see as they are written.

It is a check of the compiler and of imported sites, not a part of a build: it reads source and output as text, by other
means than the compiler's own, so that it finds what the compiler overlooks.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from html.parser import HTMLParser

import msgspec

from octavo.content.document import SLOT, Document
from octavo.diagnostics import Diagnostic
from octavo.lazy import regex as re


class Loss(msgspec.Struct, frozen=True, order=True):
    """A word of the source that is nowhere in the output."""

    line: int
    """1-based line of its first use."""
    word: str
    """In small letters."""


class RawMark(msgspec.Struct, frozen=True, order=True):
    """Syntax in the output outside code."""

    kind: str
    """What it looks like, such as `admonition`."""
    text: str
    """The line of the output that holds it, cut at 80 characters."""


class OutputAudit(msgspec.Struct, frozen=True):
    """What is wrong with a page's output."""

    words: int
    """Words of the source that were looked for."""
    lost: list[Loss]
    raw: list[RawMark]

    @property
    def is_clean(self) -> bool:
        """Nothing is lost, and no mark is shown."""
        return not self.lost and not self.raw


def audit_output(source: str, output: str) -> OutputAudit:
    """Compare a page's source with its output.

    Args:
        source: The Markdown file, of any engine.
        output: Its HTML: an article or a whole page.

    Returns:
        The words of four letters and more that are not in the output, be it in its text or in an attribute; and syntax
        of Markdown, of MDX and of other engines outside code.
    """
    reader = _Reader()
    reader.feed(output)
    reader.close()
    there = set(_WORD.findall("".join(reader.words).casefold()))
    wanted = source_words(source)
    lost = sorted(Loss(line, word) for word, line in wanted.items() if word not in there)
    raw = sorted({mark for line in "".join(reader.text).split("\n") for mark in _marks(line)})
    return OutputAudit(len(wanted), lost, raw)


def audit_document(source: str, document: Document) -> OutputAudit:
    """Compare a compiled document with its source, and leave out what one of its findings speaks of."""
    found = audit_output(source, document_html(document))
    lines = {finding.span.line for finding in document.diagnostics if finding.span.path == document.source_path}
    return OutputAudit(
        found.words,
        [loss for loss in found.lost if loss.line not in lines],
        [mark for mark in found.raw if not _is_reported(mark, document.diagnostics)],
    )


def document_html(document: Document) -> str:
    """Give the body of a document with its slots filled: the children of islands, their texts, addresses."""

    def slot(match: re.Match[str]) -> str:
        kind, number = match[1][0], int(match[1][1:])
        if kind == "I":
            island = document.islands[number]
            texts = "".join(f"<meta content={_quoted(text)}>" for text in _texts(island.props))
            return texts + "".join(f"<div>{_SLOT.sub(slot, child)}</div>" for child in island.children)
        if kind == "L":
            return html.escape(document.links[number].href)
        return html.escape(document.assets[number].href) if kind == "A" else ""

    return _SLOT.sub(slot, document.body)


def source_words(source: str) -> dict[str, int]:
    """Collect the words of a source that its readers should see: word in small letters → line of its first use."""
    text = source.replace("\r\n", "\n")
    for pattern, kept in _NO_WORDS:
        text = pattern.sub(lambda match, kept=kept: _blank(match, kept), text)  # type: ignore[misc]
    words: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        for word in _WORD.findall(html.unescape(line).replace("\\_", "_").casefold()):
            words.setdefault(word, number)
    return words


def _blank(match: re.Match[str], kept: int) -> str:
    """Take a match out, but for one of its groups and its line ends, so that lines keep their numbers."""
    if not kept:
        return " " + "\n" * match[0].count("\n")
    before = match.string[match.start() : match.start(kept)]
    after = match.string[match.end(kept) : match.end()]
    return f" {chr(10) * before.count(chr(10))}{match[kept]} {chr(10) * after.count(chr(10))}"


_WORD = re.compile(r"[^\W\d_]{4,}")
_SLOT = re.compile(f"{SLOT}([A-Z][0-9]+){SLOT}")
_FLAGS = re.MULTILINE | re.DOTALL
_NO_WORDS: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"\A---[ \t]*\n.*?^---[ \t]*$", _FLAGS), 0),
    (re.compile(r"<!--.*?-->|\{/\*.*?\*/\}", _FLAGS), 0),
    (re.compile(r"^[ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+)*(?:`{3,}|~{3,})[^\n`]*$", re.MULTILINE), 0),
    (re.compile(r"""^import\s[^\n]*["'][ \t]*;?[ \t]*$|^export\s[^\n]*$""", re.MULTILINE), 0),
    (re.compile(r"^[ \t>]*[^\n\w]*(?:highlight|error)-(?:next-line|start|end)\b[^\n]*$", re.MULTILINE), 0),
    (re.compile(r"^:::[ \t]+[\w.-]+[ \t]*\n(?:[ \t]*\n)*(?:(?: {4}|\t)[^\n]*\n)+", re.MULTILINE), 0),
    (re.compile(r"^[ \t>]*(?::{3,}|!!!|\?\?\?\+?|/{3,})[ \t]*[\w.-]+([^\n]*)$", re.MULTILINE), 1),
    (re.compile(r"^[ \t>]*;?-+8<-+[^\n]*$|^[ \t]*\{\{#[^\n]*\}\}[ \t]*$|^[ \t]*<<<[^\n]*$", re.MULTILINE), 0),
    (re.compile(r"^[ \t>]*\*\[[^\]\n]+\]:[^\n]*$|^[ \t>]*\[(?!\^)[^\]\n]+\]:[ \t]*\S+[^\n]*$", re.MULTILINE), 0),
    (re.compile(r"^[ \t]*>[ \t]*\[!\w+\]", re.MULTILINE), 0),
    (re.compile(r"\{:?[ \t]*[#.][^{}\n]*\}|(?<=[)\]`*_])\{[^{}\n]*\}|\{props\.\w+\}"), 0),
    (re.compile(r"\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)"), 0),
    (re.compile(r"\]\[[^\[\]\n]*\]"), 0),
    (re.compile(r"</?[A-Za-z](?:[^<>\"'{}]|\"[^\"]*\"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\})*>"), 0),
    (re.compile(r"(?<![\w:]):[a-z][a-z0-9_+-]*:(?!\w)"), 0),
)
"""What is syntax in a source, and the number of the group that readers see; 0 for none."""

_RAW = (
    ("fence", re.compile(r"^[ \t]*(?:`{3,}|~{3,})")),
    ("admonition", re.compile(r"^[ \t]*(?:!!!|\?\?\?\+?)[ \t]+\w|^[ \t]*:{3,}[ \t]*\w*[ \t]*(?:$|\w|\[)")),
    ("tab", re.compile(r"^[ \t]*===[!+]?[ \t]+[\"'\u201c]")),
    ("block", re.compile(r"^[ \t]*/{3,}[ \t]+[a-z]|^[ \t]*/{3,}[ \t]*$")),
    ("snippet", re.compile(r"-+8<-+|^[ \t]*<<<[ \t]*[@./]")),
    ("attribute list", re.compile(r"\{:[ \t]*[#.\w][^{}]*\}|\{[ \t]*[#.][A-Za-z][\w-]*(?:[ \t][^{}]*)?\}")),
    ("template", re.compile(r"\{\{[<%#]?[^{}]*[>%]?\}\}|\{%[^{}]*%\}")),
    ("expression", re.compile(r"\{(?:props|frontMatter)\.\w+\}|\{/\*")),
    ("import", re.compile(r"^[ \t]*import[ \t]+(?:[\w*{][^'\"]*[ \t]from[ \t]+)?[\"'][^\"']+[\"'];?[ \t]*$")),
    ("component", re.compile(r"</?[A-Z]\w*[a-z]\w*(?:\s[^<>]*)?/?>")),
    ("comment", re.compile(r"<!--|-->")),
    ("short code", re.compile(r"(?<![\w:/]):(?:material|octicons|fontawesome|simple)-[\w-]+:")),
    ("heading", re.compile(r"^#{2,6}[ \t]+\w")),
    ("link", re.compile(r"\]\([^\s()]+\)|\]\[[^\[\]]*\]")),
    ("footnote", re.compile(r"\[\^[\w-]+\]")),
    ("bold", re.compile(r"\*\*\w[^*]*\w\*\*")),
    ("formula", re.compile(r"\$\$")),
)
"""Syntax that no reader should see: what it is → how it looks in a line of text."""


def _marks(line: str) -> Iterable[RawMark]:
    for kind, pattern in _RAW:
        if pattern.search(line):
            yield RawMark(kind, " ".join(line.split())[:80])


def _is_reported(mark: RawMark, findings: Iterable[Diagnostic]) -> bool:
    """Whether a finding points at the source line from which a line of output comes."""
    words = set(_WORD.findall(mark.text)) or {mark.text.strip()}
    return any(
        words & set(_WORD.findall(finding.excerpt)) or mark.text.strip() in finding.excerpt for finding in findings
    )


def _texts(value: object) -> Iterable[str]:
    """Every text in the properties of an island."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _quoted(text: str) -> str:
    return f'"{html.escape(text)}"'


_CODE = frozenset({"pre", "code", "kbd", "samp", "script", "style", "math", "textarea", "svg"})
_INLINE = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdi",
        "bdo",
        "cite",
        "data",
        "del",
        "dfn",
        "em",
        "i",
        "ins",
        "mark",
        "q",
        "s",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "time",
        "u",
        "var",
        "wbr",
        "code",
        "kbd",
        "samp",
    ]
)


class _Reader(HTMLParser):
    """Reads HTML: all its words, those of attributes included; and its text outside code, a line for each block."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self.text: list[str] = []
        self._code = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _INLINE:
            self.words.append("\n")
            self.text.append("\n")
        self.words.extend(f" {value} " for name, value in attrs if value and name not in ("class", "id"))
        if tag in _CODE:
            self._code += 1
            self.text.append("·")  # replaces code, so that the text before and after it stays separate

    def handle_endtag(self, tag: str) -> None:
        if tag in _CODE and self._code:
            self._code -= 1
        if tag not in _INLINE:
            self.words.append("\n")
            self.text.append("\n")

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if not self._code:
            self.text.append(data)
