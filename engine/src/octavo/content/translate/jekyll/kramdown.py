"""Attributes of kramdown on lines of their own, `{: .note }`, and its other marks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from octavo.content.translate.output import CodeRanges, Edit, label, replaced
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.source import Fragment

_LINE = re.compile(r"^(?P<indent>[ \t>]*)\{:(?P<body>(?!:)[^{}\n]*)\}[ \t]*$", re.MULTILINE)
_EXTENSION = re.compile(
    r"\{::(?P<name>\w+)[^{}]*?/\}|\{::(?P<open>comment|nomarkdown|options)[^{}]*\}(?P<inner>.*?)\{:/(?P=open)?\}",
    re.DOTALL,
)
_NO_TOC = re.compile(r"(?:^|\s)\.no_toc\b")
_TOC_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d+\.)[ \t]+[^\n]*\Z")
_HEADING = re.compile(r"(?:^|\n)(?P<line>[ ]{0,3}#{1,6}[ \t][^\n{}]*)\n\Z")
_ID = re.compile(r"#(?P<id>[\w:.-]+)")
_CALLOUTS = {
    "caution": "caution", "danger": "danger", "error": "danger", "highlight": "tip", "important": "important", "info": "info",
    "new": "tip", "note": "note", "notice": "note", "notice--danger": "danger", "notice--info": "info",
    "notice--primary": "note", "notice--success": "tip", "notice--warning": "warning", "prompt-danger": "danger",
    "prompt-info": "info", "prompt-tip": "tip", "prompt-warning": "warning", "tip": "tip", "warning": "warning",
}  # fmt: skip
"""Classes of Jekyll's themes → kinds of admonitions."""


def translate_kramdown(fragment: Fragment) -> Fragment:
    """Write callouts as admonitions, ids as anchors, and leave out what only names a style."""
    has_tables = fragment.source.dialect.slugs == "kramdown" and "|" in fragment.text
    if "{:" not in fragment.text and not has_tables:
        return fragment
    code = CodeRanges(fragment.text)
    if has_tables and (tables := list(_written_tables(fragment.text, code))):
        fragment = replaced(fragment, tables)
        code = CodeRanges(fragment.text)
    text = fragment.text
    values = fragment.source.dialect.variables
    own = {match[1]: kind for name, kind in values.items() if (match := _OWN_KIND.fullmatch(name))}
    titles = {name: values.get(f"site.callouts.{name}.title", "") for name in own}
    edits = [
        edit
        for match in _LINE.finditer(text)
        if not code.holds(match.start("body"))
        for edit in _edits(match, text, {**_CALLOUTS, **own}, titles)
    ]
    edits += [
        (match.start(), match.end(), match["inner"] if match["open"] == "nomarkdown" else "")
        for match in _EXTENSION.finditer(text)
        if not code.holds(match.start())
    ]
    return replaced(fragment, edits)


_TABLE = re.compile(r"(?:(?<=\n\n)|\A|(?<=\n[ \t]\n))(?:[ ]{0,3}\|[^\n]*(?:\n|\Z))+")
"""Rows of a table with an empty line above; kramdown needs no head, and no row of dashes."""
_DASHES = re.compile(r"^[ ]{0,3}\|?[ \t:|+=-]*-[ \t:|+=-]*$", re.MULTILINE)
_BAR = re.compile(r"`[^`\n]*`|\\.|(?P<bar>\|)")


def _written_tables(text: str, code: CodeRanges) -> Iterator[Edit]:
    """Write an empty head above tables that have none, and bars in code as text, which they are for kramdown."""
    for match in _TABLE.finditer(text):
        if code.holds(match.start()):
            continue
        for span in _BAR.finditer(match[0]):
            if span[0][0] == "`":
                bars = [span.start() + at for at, sign in enumerate(span[0]) if sign == "|" and span[0][at - 1] != "\\"]
                yield from ((match.start() + bar, match.start() + bar, "\\") for bar in bars)
        if _DASHES.search(match[0]):
            continue
        rows = [row.strip() for row in match[0].strip("\n").split("\n")]
        width = max(sum(bool(one["bar"]) for one in _BAR.finditer(row.removesuffix("|"))) for row in rows)
        yield match.start(), match.start(), f"|{'  |' * width}\n|{' --- |' * width}\n"


_OWN_KIND = re.compile(r"site\.callouts\.([\w-]+)\.kind")
"""Variable that says what a callout of the site's own looks like."""


def _edits(match: re.Match[str], text: str, callouts: dict[str, str], titles: dict[str, str]) -> list[Edit]:
    """List what takes the place of a line of attributes, and what is put around the block that it belongs to."""
    words = match["body"].split()
    classes = [word[1:] for word in " ".join(words).replace(".", " .").split() if word.startswith(".")]
    names = [name.removesuffix("-title") for name in classes]
    called = next((name for name in names if name in callouts), None)
    kind = callouts[called] if called else None
    usual = titles.get(called or "", "")
    if "toc" in words:
        return [(_toc_start(match, text), match.end(), "")]
    before = text[: match.start()]
    is_after = bool(before.rpartition("\n")[0].rpartition("\n")[2].strip()) if before.endswith("\n") else False
    if kind is None:
        anchor = _ID.search(match["body"])
        if anchor is None:
            return [(match.start(), match.end(), "")]
        if heading := _HEADING.search(before):
            return [(heading.end("line"), match.end(), f" {{#{anchor['id']}}}")]
        # After a block the mark stays: paragraphs take their id from it.
        return [] if is_after else [(match.start(), match.end(), f'{match["indent"]}<a id="{anchor["id"]}"></a>\n')]
    is_titled = any(name.endswith("-title") and name.removesuffix("-title") in callouts for name in classes)
    if is_after:
        start, end = _block_before(match.start(), text), match.start()
        return [
            (start, start, f":::{kind}[{label(usual)}]\n\n" if usual else f":::{kind}\n\n"),
            (match.start(), match.end(), "\n:::\n"),
            *_unquoted(start, end, text),
        ]
    start = match.end() + 1
    end = _block_after(start, text)
    if end <= start:
        return [(match.start(), match.end(), "")]
    title, start_of_text = _title(start, end, text) if is_titled else (usual, start)
    head = f":::{kind}[{label(title)}]" if title else f":::{kind}"
    return [
        (match.start(), start_of_text, f"{head}\n\n"),
        *_unquoted(start_of_text, end, text),
        (end, end, "\n\n:::\n"),
    ]


def _toc_start(match: re.Match[str], text: str) -> int:
    """Where the list begins that stands for the table of contents; each page has one of its own."""
    before = text[: match.start()].rstrip("\n")
    item = before.rpartition("\n")[2]
    return len(before) - len(item) if _TOC_ITEM.match(item) else match.start()


def _block_before(end: int, text: str) -> int:
    start = text.rfind("\n\n", 0, max(end - 1, 0))
    return 0 if start < 0 else start + 2


def _block_after(start: int, text: str) -> int:
    """Where the block ends that begins here; further lines of attributes belong to it."""
    end = text.find("\n\n", start)
    return len(text.rstrip("\n")) if end < 0 else end


def _title(start: int, end: int, text: str) -> tuple[str, int]:
    """Read the first paragraph of a block, which is its title, and where the rest begins."""
    first = text[start:end].partition("\n")[0]
    return first.lstrip("> ").strip(), min(start + len(first) + 1, end)


def _unquoted(start: int, end: int, text: str) -> list[Edit]:
    """Take the marks of a quotation off the lines of a block that is one."""
    lines = text[start:end].split("\n")
    if not all(line.lstrip().startswith(">") for line in lines if line.strip()):
        return []
    edits = []
    position = start
    for line in lines:
        mark = re.match(r"[ \t]*>[ ]?", line)
        if mark:
            edits.append((position, position + mark.end(), ""))
        position += len(line) + 1
    return edits
