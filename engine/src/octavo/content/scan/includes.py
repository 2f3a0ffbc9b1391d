r"""Lines that take in a file: `--8<-- "file"`, `{{#include file}}`, `<<< @/file`, `<!--@include: file-->`.

Files are looked for in the site's folder only. What is taken in may be a part of a file:

- `--8<-- "file:3:7"` (lines), `"file::7"`, `"file:3"` (up to the end), `"file:1:2,5:6"`, `"file:name"` (from `--8<-- [start:name]` to
  `[end:name]`); between two lines `--8<--` each line names a file; `;--8<--` is text
- `{% include-markdown "file" start="mark" end="mark" %}` of the plug-in include-markdown; `{!file!}` and
  `{!file!lines=1-3 5!}` of the extension markdown-include, `{!file[ln:1-3,5]!}` of mdx_include, and
  `{* file ln[1:3] hl[2] *}` of markdown-include-variants, which makes a block of code
- `{{#include file:3:7}}`, `{{#include file:name}}` (from `ANCHOR: name` to `ANCHOR_END: name`), also with
  `rustdoc_include`, `playground` and `shiftinclude`; `{{#title …}}` is the title for browsers
- `<<< @/file#region{2,4 ts}` makes a block of code; `<!--@include: ./file#region{3,}-->` takes in Markdown
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import pyromark

from octavo.content.dialect import is_reached
from octavo.content.scan.nodes import Element, Include
from octavo.content.scan.scope import Scope, fold_label
from octavo.content.source import DocumentText, Fragment
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext

_SNIPPET = re.compile(
    r"""[ \t]*(?P<escape>;?)(?P<mark>-{1,}8<-{1,})[ \t]+(?P<quote>["'])(?P<target>[^\n]+?)(?P=quote)[ \t]*$"""
)
_SNIPPETS = re.compile(r"[ \t]*(?P<escape>;?)(?P<mark>-{1,}8<-{1,})[ \t]*$")
_INCLUDE_MARKDOWN = re.compile(
    r"""[ \t]*\{%-?[ \t]*include(?:-markdown)?[ \t]+(?P<quote>["'])(?P<target>[^"'\n]+)(?P=quote)(?P<options>[^\n%]*)%\}[ \t]*$"""
)
_LONG_INCLUDE = re.compile(r"(?P<include>\{%-?[ \t]*\n?[ \t]*include(?:-markdown)?\s[^%{}]{0,2000}%\})[ \t]*(?:\n|\Z)")
"""One over several lines."""
_MARKDOWN_INCLUDE = re.compile(
    r"[ \t]*\{![<>]?[ \t]*(?P<target>[^!\n\[]+?)[ \t]*(?:\[ln:(?P<parts>[\d.,-]+)\][ \t]*)?!"
    r"(?:[ \t]*lines[ \t]*=[ \t]*(?P<lines>[\d \t-]+?)[ \t]*!)?\}[ \t]*$"
)
_VARIANTS = re.compile(r"[ \t]*\{\*[ \t]+(?P<target>[^\s{}*]+)(?P<options>(?:[ \t]+\w+\[[^\]\n]*\])*)[ \t]+\*\}[ \t]*$")
_VARIANT_OPTION = re.compile(r"(?P<name>\w+)\[(?P<value>[^\]\n]*)\]")
_OPTION = re.compile(r"""(start|end)=(["'])(.*?)\2""")
_MDBOOK = re.compile(
    r"[ \t]*\{\{[ \t]*#(?P<what>include|rustdoc_include|playground|playpen|shiftinclude|title)[ \t]+(?P<target>[^{}\n]+?)[ \t]*\}\}[ \t]*$"
)
_PREPROCESSOR = re.compile(
    r"[ \t]*(?P<line>\{\{[ \t]*[#%@][ \t]*(?P<what>[A-Za-z][\w-]*)(?:[ \t][^{}\n]*)?\}\})[ \t]*$"
)
"""A line for a program that an author gave to mdBook."""
_CODE_FILE = re.compile(
    r"[ \t]*<<<[ \t]*(?P<target>[@./\w][^\s{}\[\]#]*)(?:#(?P<region>[\w-]+))?[ \t]*(?:\{(?P<meta>[^{}\n]*)\})?[ \t]*(?:\[(?P<label>[^\]\n]*)\])?[ \t]*$"
)
_PAGE_FILE = re.compile(
    r"[ \t]*<!--[ \t]*@include:[ \t]*(?P<target>[^\s{}#>]+)(?:#(?P<region>[\w-]+))?[ \t]*(?:\{(?P<lines>\d*,?\d*)\})?[ \t]*-->[ \t]*$"
)
_ELEMENT = re.compile(
    r"""[ \t]*<include(?P<attributes>(?:\s[^<>]*)?)>\s*(?P<target>[^\s<>#]+)(?:#(?P<region>[\w-]+))?\s*</include>[ \t]*(?:\n|\Z)"""
)
"""Fumadocs: a page, or a file as a block of code."""
_META = re.compile(r"""\b(?P<name>lang|meta)=(?P<quote>["'])(?P<value>.*?)(?P=quote)""", re.DOTALL)
_LINES = re.compile(r"(?::(?P<lines>-?\d*(?::-?\d*)?(?:,-?\d*(?::-?\d*)?)*))\Z")
_SECTION = re.compile(r":(?P<name>[A-Za-z][\w-]*)\Z")
_PART_OF_MDBOOK = re.compile(r":(?P<name>(?=[^:]*[A-Za-z_])[\w-]+)\Z")
_SNIPPET_MARK = re.compile(r"-{1,}8<-{1,}[ \t]+\[[ \t]*(?P<side>start|end)[ \t]*:[ \t]*(?P<name>[\w-]+)[ \t]*\]")
_ANCHOR_MARK = re.compile(r"\bANCHOR(?P<side>_END)?:[ \t]*(?P<name>[\w-]+)")
_REGION_MARK = re.compile(r"#(?P<side>end)?region\b[ \t]*(?P<name>[\w-]*)")
_REMOTE = re.compile(r"https?://")
_MOST_FILES = 200
"""Files that one `--8<--` block may name."""


class Reporter(Protocol):
    """Takes the findings about the lines of a fragment."""

    fragment: Fragment

    def report(self, level: Any, code: str, message: str, offset: int, *, suggestion: str = "") -> None:
        """Record a problem; `offset` counts characters of the file."""


class Included(NamedTuple):
    """What a line takes in."""

    start: int
    """Of the line's content."""
    end: int
    """Of the line that comes next."""
    pieces: list[Fragment]
    language: str | None = None
    """The words after the fence, where it becomes a block of code."""
    label: str = ""
    """What the block is called among others."""
    is_escaped: bool = False
    """The author wants the line as text, without its first character."""


class Includes:
    """Finds the lines of a file that take in others."""

    def __init__(self, scope: Scope, context: CompileContext) -> None:
        self._scope = scope
        self._context = context
        self._dialect = scope.source.dialect
        names = self._dialect.extensions
        triggers = [
            trigger
            for extension, own in {
                "snippets": ("8<-", "{!", "{%", "{*"),
                "mdbook": ("{{",),
                "nextra": ("<include",),
                "vitepress": ("<<<", "@include:"),
            }.items()
            for trigger in own
            if extension in names
        ]
        self._trigger = re.compile("|".join(map(re.escape, triggers))) if triggers else None
        """Begins what takes in a file; one search for all of them, for each line of a page is asked."""

    @staticmethod
    def of(scope: Scope, context: CompileContext) -> Includes | None:
        """Make one where a file's dialect takes in others."""
        includes = Includes(scope, context)
        return includes if includes._trigger else None

    def read_line(self, text: str, position: int, end: int, report: Reporter, *, in_code: bool) -> Included | None:
        """Read one line; None where it takes in nothing.

        Args:
            text: What is scanned.
            position: Offset of the line.
            end: Offset of the next one.
            report: Takes the findings.
            in_code: The line lies in a block of code, where foreign syntax is an example of itself.
        """
        if self._trigger is None or self._trigger.search(text, position, end) is None:
            return None
        line = text[position:end].rstrip("\n")
        start = position + len(line) - len(line.lstrip(" \t"))
        if "{%" in line and "%}" not in line and (long := _LONG_INCLUDE.match(text, start)):
            line, end = " ".join(long["include"].split()), long.end()
        origin = report.fragment.origin(start)
        if match := _SNIPPET.match(line):
            pieces = [] if match["escape"] else self._snippet(match["target"], origin, report)
            return Included(start, end, pieces, is_escaped=bool(match["escape"]))
        if match := _SNIPPETS.match(line):
            return self._snippet_block(text, start, end, match, report)
        if match := _INCLUDE_MARKDOWN.match(line):
            return Included(start, end, self._include_markdown(match, origin, report))
        if match := _MARKDOWN_INCLUDE.match(line):
            # mdx_include separates lines by commas and may name columns, `3.5-7`; lines are taken in whole.
            written = re.sub(r"\.\d*", "", match["parts"] or "").replace(",", " ") or match["lines"] or ""
            given = (one.replace("-", ":") for one in written.split())
            parts = ",".join(one if ":" in one else f"{one}:{one}" for one in given)
            target = f"{match['target']}:{parts}" if parts else match["target"]
            return Included(start, end, self._snippet(target, origin, report))
        if not in_code and (match := _VARIANTS.match(line)):
            return self._variants(match, start, end, origin, report)
        if match := _MDBOOK.match(line):
            is_title = match["what"] == "title"
            pieces = [] if is_title else self._mdbook(match["target"].split()[0], origin, report)
            return Included(start, end, pieces)
        if "mdbook" in self._dialect.extensions and not in_code and (match := _PREPROCESSOR.match(line)):
            message = f'"{match["line"]}" is a line for a preprocessor of mdBook, {match["what"]}, which is not run; it is left out.'
            report.report(
                "error", "foreign-syntax", message, origin, suggestion="Write what it stands for into the page."
            )
            return Included(start, end, [])
        if "<include" in line and not in_code and (match := _ELEMENT.match(text, position)):
            return self._element(match, start, origin, report)
        # In a block of code VitePress shows the line itself.
        if not in_code and (match := _CODE_FILE.match(line)):
            return self._code_file(match, start, end, origin, report)
        if match := _PAGE_FILE.match(line):
            source = self._find([_vitepress_path(match["target"], self._scope)], match["target"], origin, report)
            lines = source.text.splitlines(keepends=True) if source else []
            kept = _region(lines, match["region"], _REGION_MARK) if match["region"] else range(len(lines))
            if match["lines"]:
                kept = [kept[number] for number in _line_range(match["lines"].replace(",", ":"), len(kept))]
            return Included(start, end, [_piece(source, kept)] if source else [])
        return None

    def _snippet_block(
        self, text: str, start: int, end: int, match: re.Match[str], report: Reporter
    ) -> Included | None:
        if match["escape"]:
            return Included(start, end, [], is_escaped=True)
        pieces: list[Fragment] = []
        position = end
        for _ in range(_MOST_FILES):
            stop = text.find("\n", position) + 1 or len(text)
            line = text[position:stop].strip()
            if _SNIPPETS.match(line):
                return Included(start, stop, pieces)
            if line and not line.startswith(";"):
                pieces += self._snippet(line.strip("\"'"), report.fragment.origin(position), report)
            position = stop
            if position >= len(text):
                break
        return None

    def _snippet(self, target: str, origin: int, report: Reporter) -> list[Fragment]:
        if _REMOTE.match(target):
            message = f'"{target}" is on another host; snippets are taken from the site\'s folder only.'
            report.report("error", "missing-snippet", message, origin, suggestion="Keep a copy in the site's folder.")
            return []
        lines, section = _LINES.search(target), _SECTION.search(target)
        path = target[: lines.start()] if lines else target[: section.start()] if section else target
        source = self._find(
            [posixpath.join(folder, path) for folder in self._dialect.snippet_folders], path, origin, report
        )
        if source is None:
            return []
        found = source.text.splitlines(keepends=True)
        kept: list[int] | range = range(len(found))
        if lines:
            # A single number is the first line of those up to the end; `3:3` is one line.
            parts = (part if ":" in part else f"{part}:" for part in lines["lines"].split(","))
            kept = [number for part in parts for number in _line_range(part, len(found))]
        elif section:
            kept = _region(found, section["name"], _SNIPPET_MARK)
            self._check_section(kept, section["name"], path, origin, report)
        return [_piece(source, [number for number in kept if not _SNIPPET_MARK.search(found[number])])]

    def _include_markdown(self, match: re.Match[str], origin: int, report: Reporter) -> list[Fragment]:
        """Include what is between the marks `start` and `end` of a file, or all of it."""
        target = match["target"]
        folders = [posixpath.dirname(self._scope.source.path), *self._dialect.snippet_folders]
        source = self._find([posixpath.join(folder, target) for folder in folders], target, origin, report)
        if source is None:
            return []
        marks = {key: value for key, _, value in _OPTION.findall(match["options"])}
        lines = source.text.splitlines(keepends=True)
        first, last = 0, len(lines)
        if mark := marks.get("start"):
            first = next((number + 1 for number, line in enumerate(lines) if mark in line), 0)
        if mark := marks.get("end"):
            last = next((number for number in range(first, last) if mark in lines[number]), last)
        return [_piece(source, range(first, last))]

    def _variants(self, match: re.Match[str], start: int, end: int, origin: int, report: Reporter) -> Included:
        """Take in lines of a file as a block of code, as markdown-include-variants does; numbers are those of the file."""
        target = match["target"]
        paths = [posixpath.join(folder, target) for folder in self._dialect.snippet_folders]
        source = self._find(paths, target, origin, report)
        if source is None:
            return Included(start, end, [])
        options = {one["name"]: one["value"] for one in _VARIANT_OPTION.finditer(match["options"])}
        lines = source.text.splitlines(keepends=True)
        kept = _line_list(options.pop("ln", ""), len(lines)) or list(range(len(lines)))
        marked = _line_list(options.pop("hl", ""), len(lines))
        title = options.pop("title", "").strip(" \"'").replace('"', "'")
        for name in options:
            message = f'"{name}[…]" of this line has no effect.'
            hint = 'Known are ln[1:8], the lines that are shown, hl[2,4:6], those that are marked, and title["…"].'
            report.report("warn", "unknown-attribute", message, origin, suggestion=hint)
        language = posixpath.splitext(target)[1].lstrip(".") or "text"
        numbers = ",".join(str(at) for at, number in enumerate(kept, 1) if number in marked)
        info = f"{language} {{{numbers}}}" if numbers else language
        info += f' title="{title}"' if title else ""
        return Included(start, end, [_piece(source, kept)], info, posixpath.basename(target))

    def _mdbook(self, target: str, origin: int, report: Reporter) -> list[Fragment]:
        lines, section = _LINES.search(target), _PART_OF_MDBOOK.search(target)
        path = target[: lines.start()] if lines else target[: section.start()] if section else target
        source = self._find([posixpath.join(posixpath.dirname(self._scope.source.path), path)], path, origin, report)
        if source is None:
            return []
        found = source.text.splitlines(keepends=True)
        kept: list[int] | range = range(len(found))
        if lines:
            kept = _line_range(lines["lines"], len(found))
        elif section:
            kept = _region(found, section["name"], _ANCHOR_MARK)
            self._check_section(kept, section["name"], path, origin, report)
        return [_piece(source, [number for number in kept if not _ANCHOR_MARK.search(found[number])])]

    def _code_file(self, match: re.Match[str], start: int, end: int, origin: int, report: Reporter) -> Included:
        source = self._find([_vitepress_path(match["target"], self._scope)], match["target"], origin, report)
        if source is None:
            return Included(start, end, [])
        lines = source.text.splitlines(keepends=True)
        kept = _region(lines, match["region"], _REGION_MARK) if match["region"] else range(len(lines))
        kept = [number for number in kept if not _REGION_MARK.search(lines[number])]
        marks, _, word = (match["meta"] or "").strip().partition(" ")
        if marks and not re.fullmatch(r"[\d,\s-]+", marks):
            marks, word = "", f"{marks} {word}".strip()
        language = word.partition(":")[0] or posixpath.splitext(match["target"])[1].lstrip(".") or "text"
        info = f"{language} {{{marks}}}" if marks else language
        label = (match["label"] or "").strip() or posixpath.basename(match["target"])
        return Included(start, end, [_piece(source, kept)], info, label)

    def _element(self, match: re.Match[str], start: int, origin: int, report: Reporter) -> Included:
        target, ending = match["target"], posixpath.splitext(match["target"])[1].lstrip(".")
        given = {one["name"]: one["value"] for one in _META.finditer(match["attributes"])}
        # With `cwd`, paths begin at the folder of the old site.
        folders = [posixpath.dirname(self._scope.source.path), "", *self._dialect.snippet_folders]
        is_of_site = re.search(r"\bcwd\b", _META.sub("", match["attributes"])) is not None
        paths = [posixpath.join(folder, target) for folder in (folders[1:] if is_of_site else folders)]
        source = self._find(list(dict.fromkeys(paths)), target, origin, report)
        if source is None:
            return Included(start, match.end(), [])
        lines = source.text.splitlines(keepends=True)
        kept = _region(lines, match["region"], _REGION_MARK) if match["region"] else range(len(lines))
        is_page = ending in ("md", "mdx") and "lang" not in given
        info = None if is_page else f"{given.get('lang', ending or 'text')} {given.get('meta', '')}".strip()
        return Included(
            start,
            match.end(),
            [_piece(source, [one for one in kept if is_page or not _REGION_MARK.search(lines[one])])],
            info,
        )

    def _find(self, paths: list[str], shown: str, origin: int, report: Reporter) -> DocumentText | None:
        """Read the first file of these that is there."""
        for path in map(posixpath.normpath, paths):
            if not is_reached(path, self._dialect):
                continue
            text = self._context.read(path)
            if text is not None:
                place = self._context.place_of(path)
                return DocumentText(place, text, self._context.options.dialect_of(place))
        message = f'The file "{shown}" of this line does not exist in the site\'s folder.'
        hint = f"It is looked for at {' and '.join(paths)}."
        report.report("error", "missing-snippet", message, origin, suggestion=hint)
        return None

    def _check_section(self, kept: list[int] | range, name: str, path: str, origin: int, report: Reporter) -> None:
        if not kept:
            message = f'The file "{path}" has no part "{name}", or it is empty.'
            report.report("error", "missing-snippet", message, origin)


def code_block(piece: Fragment, info: str, offset: int, label: str) -> Element:
    """Make a block of code of a file; `label` is its name in a group."""
    language, _, meta = info.partition(" ")
    code = piece.text.strip("\n")
    return Element("CodeBlock", {"language": language, "metastring": meta, "code": code, "label": label}, offset)


def _vitepress_path(target: str, scope: Scope) -> str:
    """Path from the site's folder; `@` is the folder of the documents, which the alias of this name may change."""
    if target.startswith("@"):
        folder = scope.source.dialect.aliases.get("@", ".")
        if target.startswith("@."):  # what follows is written behind the name of the folder: `docs../../kite.js`
            return posixpath.join(folder, "..", f"_{target[1:]}")
        return posixpath.join(folder, target[1:].lstrip("/"))
    if target.startswith("/"):
        return target.lstrip("/")
    return posixpath.join(posixpath.dirname(scope.source.path), target)


def _line_range(text: str, count: int) -> list[int]:
    """Read `3`, `3:7`, `:7`, `3:`: 0-based numbers of lines. One number means one line, or those from the end on."""
    first, colon, last = text.partition(":")
    start = int(first) if first.strip("-").isdecimal() else 1
    end = int(last) if last.strip("-").isdecimal() else (count if colon or not first else start)
    start = count + start + 1 if start < 0 else max(start, 1)
    end = count + end + 1 if end < 0 else min(end, count)
    return list(range(start - 1, end))


def _line_list(text: str, count: int) -> list[int]:
    """Read `1,4:6`: 0-based numbers of lines."""
    return [number for part in text.split(",") if part.strip() for number in _line_range(part.strip(), count)]


def _region(lines: list[str], name: str, pattern: re.Pattern[str]) -> list[int]:
    """Find the lines between the two marks of a name."""
    kept: list[int] = []
    depth = 0
    for number, line in enumerate(lines):
        mark = pattern.search(line)
        if mark is None:
            if depth:
                kept.append(number)
        elif mark["side"] in ("end", "_END"):
            if mark["name"] in (name, ""):
                depth = 0
        elif mark["name"] == name:
            depth = 1
    return kept


def _piece(source: DocumentText, kept: list[int] | range) -> Fragment:
    """Cut lines out of a file; the indentation that all have goes away."""
    lines = source.text.splitlines(keepends=True)
    shared = min((len(lines[n]) - len(lines[n].lstrip(" \t")) for n in kept if lines[n].strip()), default=0)
    if len(kept) == len(lines):
        shared = 0
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    text, starts, origins = "", [], []
    for number in kept:
        cut = min(shared, len(lines[number]) - len(lines[number].lstrip(" \t")))
        starts.append(len(text))
        origins.append(offsets[number] + cut)
        text += lines[number][cut:]
    return Fragment(source, text, starts or [0], origins or [0])


_MARKDOWN = (".md", ".markdown", ".mdx", ".txt")
_MOST_NESTED = 200
"""Files within files whose definitions are looked for."""


def definitions(text: str, scanned: str, scope: Scope, context: CompileContext) -> dict[str, tuple[str, str]]:
    """Find the link definitions of a whole file: folded label → (destination, title). The first of a label counts.

    Args:
        text: The file's text.
        scanned: What is left of it: a comment of MDX, for instance, does not join the lines around it there.
        scope: Holds what the scanner has lifted out of it: components with their bodies, and files that are taken in.
        context: Gives the files that those take in.
    """
    found: dict[str, Any] = dict(pyromark.reference_definitions(text))
    if scanned != text and "]:" in scanned:
        found = {**pyromark.reference_definitions(scanned), **found}
    for node in scope.nodes:
        if isinstance(node, Include):
            texts = _texts(node.fragment, context)
        else:
            body = getattr(node, "body", None)
            texts = iter(() if body is None else (body.text,))
        for one in texts:
            if "]:" in one:
                found = {**pyromark.reference_definitions(one), **found}
    return {fold_label(label): (definition["dest"], definition["title"] or "") for label, definition in found.items()}


def _texts(piece: Fragment, context: CompileContext) -> Iterator[str]:
    """Give the text of a file without its lines that take in others, and then that of each of those."""
    waiting, seen = [piece], {piece.source.path}
    for _ in range(_MOST_NESTED):
        if not waiting:
            return
        around = waiting.pop(0)
        text = around.text
        includes = Includes.of(Scope(around.source), context)
        if includes is None:
            yield text
            continue
        kept, position, silent = "", 0, _Silent(around)
        while position < len(text):
            end = text.find("\n", position) + 1 or len(text)
            found = includes.read_line(text, position, end, silent, in_code=True)
            # An empty line in its place: a definition cannot follow a line of text.
            kept += text[position:end] if found is None else "\n"
            for one in found.pieces if found and found.language is None else ():
                if one.source.path not in seen and one.source.path.endswith(_MARKDOWN):
                    seen.add(one.source.path)
                    waiting.append(one)
            position = max(end, found.end if found else end)
        yield kept


class _Silent:
    """Takes findings that are reported when the file is drawn."""

    def __init__(self, fragment: Fragment) -> None:
        self.fragment = fragment

    def report(self, level: Any, code: str, message: str, offset: int, *, suggestion: str = "") -> None:
        """Record nothing."""
