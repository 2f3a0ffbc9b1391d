"""What Vocs reads beside MDX: a subtitle in brackets behind the title, containers, and files that code takes in.

In a block of code, a comment `[!include ~/folder/file.ts:part /old/new/]` stands for a file, or for what is in it between the comments
`[!region part]` and `[!endregion part]`, with words that are replaced. `~` is the folder of the folder of pages.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING

from octavo.content.code.notations import without_twoslash
from octavo.content.dialect import is_reached
from octavo.content.translate.output import CodeRanges, Edit, fences, replaced
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment

_TITLE = re.compile(r"^#[ \t]+(?P<title>[^\n]*?\S)[ \t]*\[(?P<subtitle>[^\[\]\n]+)\][ \t]*$", re.MULTILINE)
_CONTAINER = re.compile(
    r"^(?P<indent>[ \t]*)(?P<mark>:{3,})[ \t]*(?P<name>steps|file-tree|terminal)[ \t]*$", re.MULTILINE
)
_COMPONENTS = {"steps": "Steps", "file-tree": "FileTree"}
_OPEN_FOLDER = re.compile(r"^(?P<before>[ \t]*[-*][ \t]+)\+(?=\S)", re.MULTILINE)
"""A folder whose files are shown: here those of all are."""
_COMMENT_START = r"(?://|#|--|;|%|/\*|<!--|\{/\*)"
_INCLUDE = re.compile(
    rf"^(?P<indent>[ \t]*){_COMMENT_START}[ \t]*\[!include[ \t]+(?P<target>[^\s\]]+)(?P<changes>[^\n]*?)\][^\n]*(?:\n|\Z)",
    re.MULTILINE,
)
_CHANGE = re.compile(r"/(?P<old>(?:[^/\\\n]|\\.)+)/(?P<new>(?:[^/\\\n]|\\.)*)/")
_REGION = re.compile(r"\[!(?P<end>end)?region(?:[ \t]+(?P<name>[^\s\]]+))?[ \t]*\]")
_REGION_LINE = re.compile(rf"^[ \t]*{_COMMENT_START}[ \t]*\[!(?:end)?region\b[^\n]*(?:\n|\Z)", re.MULTILINE)
_DEEPEST = 5


def translate_vocs(fragment: Fragment, context: CompileContext) -> Fragment:
    """Rewrite what a page of Vocs has beside MDX."""
    text = fragment.text
    if "[!include" in text or "region" in text:
        fragment = replaced(fragment, _included(fragment, context))
        text = fragment.text
    edits: list[Edit] = []
    code: CodeRanges | None = None
    if "[" in text and (title := _TITLE.search(text)):
        code = CodeRanges(text)
        if not code.holds(title.start()):
            edits.append((title.start(), title.end(), f"# {title['title']}\n\n{title['subtitle'].strip()}"))
    for match in _CONTAINER.finditer(text):
        code = code or CodeRanges(text)
        if not code.holds(match.start()):
            edits += _container(text, match, code)
    return replaced(fragment, edits) if edits else fragment


def _container(text: str, opening: re.Match[str], code: CodeRanges) -> list[Edit]:
    """Write a container as the component that it is there; one of a terminal is no more than the blocks of code in it."""
    closing = re.compile(rf"^[ \t]*{opening['mark']}[ \t]*$", re.MULTILINE)
    position = opening.end()
    while found := closing.search(text, position):
        if code.holds(found.start()):
            position = found.end()
            continue
        indent, name = opening["indent"], _COMPONENTS.get(opening["name"])
        if name is None:
            return [(opening.start(), opening.end(), ""), (found.start(), found.end(), "")]
        marks = _OPEN_FOLDER.finditer(text, opening.end(), found.start()) if name == "FileTree" else ()
        return [
            (opening.start(), opening.end(), f"{indent}<{name}>\n"),
            *((one.end("before"), one.end(), "") for one in marks),
            (found.start(), found.end(), f"\n{indent}</{name}>"),
        ]
    return []


def _included(fragment: Fragment, context: CompileContext) -> Iterator[Edit]:
    """Give the edits of the lines in code that take in files, and of those that only name a part."""
    for start, end in fences(fragment.text):
        block = fragment.text[start:end]
        if "[!include" not in block and "region" not in block:
            continue
        for match in _INCLUDE.finditer(block):
            place = start + match.start()
            taken = _text_of(match, fragment, context, fragment.source.path, place, 0)
            yield place, start + match.end(), taken
        for match in _REGION_LINE.finditer(block):
            yield start + match.start(), start + match.end(), ""


def _text_of(
    match: re.Match[str], fragment: Fragment, context: CompileContext, path: str, place: int, depth: int
) -> str:
    """Give the lines that take the place of a comment; empty, with a finding, where there are none."""
    target, _, part = match["target"].partition(":")
    dialect = fragment.source.dialect
    rest = target.removeprefix("~/")
    roots = [dialect.aliases.get("~", "."), *dialect.snippet_folders] if rest != target else [posixpath.dirname(path)]
    paths = list(dict.fromkeys(posixpath.normpath(posixpath.join(root, rest)) for root in roots))
    found = next(
        ((one, text) for one in paths if is_reached(one, dialect) and (text := context.read(one)) is not None), None
    )
    problem = f'The file "{target}" of this line does not exist in the site\'s folder.' if found is None else ""
    if found is None and (named := _block_named(target, fragment)) is not None:
        found = (path, named)
    lines = _lines(found[1], part) if found else None
    if found and lines is None:
        problem = f'The file "{target}" has no part "{part}", or it is empty.'
    if found is None or lines is None:
        hint = (
            f"It is looked for at {' and '.join(paths)}."
            if found is None
            else f'Put it between "[!region {part}]" and "[!endregion {part}]".'
        )
        context.report("error", "missing-snippet", problem, fragment.source, fragment.origin(place), suggestion=hint)
        return ""
    text = "".join(lines)
    for change in _CHANGE.finditer(match["changes"]):
        text = text.replace(_plain(change["old"]), _plain(change["new"]))
    if depth < _DEEPEST and "[!include" in text:
        text = _INCLUDE.sub(lambda inner: _text_of(inner, fragment, context, found[0], place, depth + 1), text)
    text = text.strip("\n")
    shared = min((len(line) - len(line.lstrip()) for line in text.split("\n") if line.strip()), default=0)
    return "".join(f"{match['indent']}{line[shared:]}\n" if line.strip() else "\n" for line in text.split("\n"))


def _block_named(name: str, fragment: Fragment) -> str | None:
    """Give the code of the block of a page that has the name of a file, which other blocks take in."""
    for start, end in fences(fragment.text):
        head, _, code = fragment.text[start:end].partition("\n")
        if f"[{name}]" in head or f'"{name}"' in head:
            return without_twoslash(head, code.rpartition("\n")[0])
    return None


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _lines(text: str, part: str) -> list[str] | None:
    """Give the lines of a file, or of a part of it, without the comments that name parts; None for no such part."""
    kept: list[str] = []
    is_inside = not part
    for line in text.splitlines(keepends=True):
        mark = _REGION.search(line)
        if mark is None:
            kept += [line] if is_inside else []
        elif part and mark["name"] in (part, None):
            is_inside = not mark["end"] and (is_inside or mark["name"] == part)
    return kept or None
