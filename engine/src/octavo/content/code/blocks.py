"""Code blocks of a page, diagrams among them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from octavo.content.audit.code_comments import wrong_comments
from octavo.content.audit.options import option_slips
from octavo.content.code.diagrams import render_diagram, render_unknown_diagram
from octavo.content.code.fences import FenceInfo, draw_fence, parse_info, parse_ranges
from octavo.content.code.highlight import is_known, known_languages
from octavo.content.code.marks import find_mark, is_pattern, read_pattern
from octavo.content.code.notations import (
    ANNOTATION,
    info_of_dialect,
    take_file_name,
    without_doctest_options,
    without_hidden_lines,
    without_twoslash,
)
from octavo.content.code.package_managers import LABELS, MANAGERS, convert
from octavo.content.context import TERMINAL_COLOR, nearest
from octavo.content.document import SLOT, DrawnCode, Island
from octavo.content.extended.slots import draw_slot
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import DocumentText

DIAGRAM = "mermaid"
_BRACES = re.compile(r"\{\{[^{}\n]+\}\}")
_DIRECTIVE = re.compile(r"[ \t]*\{(?![ \t]*\.)[A-Za-z.:]")
_LONGEST_INFO = 4_000
"""Characters behind a fence that are read: options are looked for in them by many patterns."""
_LONGEST_LANGUAGE = 100
_DIAGRAM_HEAD = re.compile(r"\A\s*---\n.*?\n---[ \t]*\n|%%[^\n]*", re.DOTALL)
"""Its settings and comments."""
_DIAGRAM_WORD = re.compile(r"[\w-]+")
_DIAGRAMS = {
    name.lower(): name
    for name in [
        "flowchart",
        "graph",
        "sequenceDiagram",
        "classDiagram",
        "stateDiagram",
        "stateDiagram-v2",
        "erDiagram",
        "journey",
        "gantt",
        "pie",
        "mindmap",
        "quadrantChart",
        "requirementDiagram",
        "gitGraph",
        "timeline",
        "zenuml",
        "sankey-beta",
        "sankey",
        "xychart-beta",
        "xychart",
        "block-beta",
        "block",
        "packet-beta",
        "packet",
        "kanban",
        "architecture-beta",
        "architecture",
        "radar-beta",
        "radar",
        "treemap-beta",
        "treemap",
        "C4Context",
        "C4Container",
        "C4Component",
        "C4Dynamic",
        "C4Deployment",
        "info",
        "flowchart-elk",
        "classDiagram-v2",
        "requirement",
    ]
}
"""Kinds that Mermaid draws: in small letters → as it writes them."""


def render_code(context: CompileContext, info_text: str, code: str, source: DocumentText, offset: int) -> str:
    """Draw a block of code or a diagram.

    Args:
        context: The page it belongs to.
        info_text: The words after the fence.
        code: Text between the fences, with its final line end.
        source: The file that contains it.
        offset: Of the fence, in characters of the file.
    """
    if len(info_text) > _LONGEST_INFO:
        message = f"There are {len(info_text)} characters behind this fence; only the language is read."
        hint = f"Write at most {_LONGEST_INFO}."
        context.report("warn", "fence-option", message, source, offset, suggestion=hint)
        info_text = next((word for word in info_text[:_LONGEST_INFO].split()[:1] if len(word) <= _LONGEST_LANGUAGE), "")
    code = without_twoslash(info_text, code.removesuffix("\n"))
    extensions = source.dialect.extensions
    if "mdbook" in extensions:
        code = without_hidden_lines(info_text, code)
    if "myst" in extensions:
        code = without_doctest_options(info_text, code)
    if "annotations" in extensions:
        code = ANNOTATION.sub(r"\1", code)
    info_text = info_of_dialect(info_text, extensions)
    info = parse_info(info_text)
    if "file_names" in extensions and info.title is None and info.language != DIAGRAM:
        info_text, code = take_file_name(info_text, info.language, code)
        info = parse_info(info_text)
    if info.language == "ansi":
        code = TERMINAL_COLOR.sub("", code)
    _check_info(context, info, info_text, code, source, offset)
    if info.language == DIAGRAM:
        is_known_kind = _check_diagram(context, code, source, offset)
        return (render_diagram if is_known_kind else render_unknown_diagram)(context, code, source, offset)
    html = _highlighted(context, info, info_text, code, source, offset)
    if "code-block" not in context.options.slots:
        return html
    props = {"language": info.language, "code": code}
    return draw_slot(context, "code-block", source.span(offset), props, html)


def _highlighted(
    context: CompileContext, info: FenceInfo, info_text: str, code: str, source: DocumentText, offset: int
) -> str:
    folded = context.words["code.lines"]
    given = f"{info_text}\n{code}" if info.marks.folded is None else f"{info_text}\n{folded}\n{code}"
    key = hashlib.sha256(given.encode()).hexdigest()[:24]
    drawn = context.drawn_code.get(key)
    if drawn is None:
        fence = draw_fence(info, code, context.options.magic_comments, folded)
        drawn = DrawnCode(fence.html, fence.code)
        if fence.is_slow:
            message = "This block takes too long to highlight; it is shown as plain text."
            hint = 'Write "text" as its language, or make it shorter.'
            context.report("warn", "slow-code", message, source, offset, suggestion=hint)
            context.verbatim("code", drawn.text)
            return drawn.html
        if not is_known(info.language):
            _report_unknown(context, info.language, source, offset)
            context.verbatim("code", drawn.text)
            return drawn.html
    context.code[key] = drawn
    context.verbatim("code", drawn.text)
    return drawn.html


def draw_for_managers(context: CompileContext, info_text: str, code: str, source: DocumentText, offset: int) -> str:
    """Draw a block of npm commands as tabs, one for each package manager; the arguments are those of `render_code`.

    The word `npm2yarn` after the fence asks for it, as the plug-in of this name does in Docusaurus.
    """
    info_text = " ".join(word for word in info_text.split() if not word.startswith("npm2yarn"))
    if all(convert(code, manager) == code for manager in MANAGERS):
        message = '"npm2yarn" has no effect: no line of this block is a command of npm.'
        context.report("warn", "fence-option", message, source, offset, suggestion="Take the word out.")
    context.prose("label", ", ".join(LABELS.values()))
    index = context.reserve_island()
    children = [render_code(context, info_text, convert(code, manager), source, offset) for manager in MANAGERS]
    tabs = [{"value": manager, "label": LABELS[manager]} for manager in MANAGERS]
    props = {"groupId": "npm2yarn", "queryString": None, "defaultValue": "npm", "tabs": tabs, "isLazy": False}
    context.islands[index] = Island("tabs", props, children)
    return f"{SLOT}I{index}{SLOT}"


def _check_info(
    context: CompileContext, info: FenceInfo, info_text: str, code: str, source: DocumentText, offset: int
) -> None:
    """Report lines to highlight that are not there, and directives of other engines."""
    _check_lines(context, info, code, source, offset)
    for slip in option_slips(info_text, info):
        at = _place(source, offset, info_text[slip.at :])
        context.report("warn", "fence-option", slip.message, source, at, suggestion=slip.suggestion)
    for comment in wrong_comments(info, code, context.options.magic_comments):
        at = _place_in_code(source, offset, code, comment.line, comment.column)
        context.report("warn", "highlight-range", comment.message, source, at, suggestion=comment.suggestion)
    for mark in info.marks.words:
        if find_mark(mark, code) is None:
            message = f'"{mark.text}" is to be marked, but this block does not hold it.'
            hint = ""
            if is_pattern(mark.text) and not mark.is_between_slashes:
                hint = "A text in quotes is not a regular expression; write that between slashes."
            elif is_pattern(mark.text) and read_pattern(mark.text) is None:
                hint = "As a regular expression it has a mistake, or more repetitions than may be searched for."
            context.report("warn", "highlight-range", message, source, offset, suggestion=hint)
    if info.language.endswith("-vue") and "vitepress" in source.dialect.extensions and (braces := _BRACES.search(code)):
        message = f'"{braces[0][:60]}" is shown as it is written: VitePress would fill in a value.'
        above = code[: braces.start()].split("\n")
        at = _place_in_code(source, offset, code, len(above), len(above[-1]))
        hint = "Write the value, or take -vue out of the language."
        context.report("warn", "foreign-syntax", message, source, at, suggestion=hint)
    if _DIRECTIVE.match(info_text):
        message = (
            f'"{info_text.split(maxsplit=1)[0]}" looks like a directive of another engine; the block is shown as code.'
        )
        hint = "Write :::note for an admonition, and a language behind the fence for code."
        context.report("warn", "foreign-syntax", message, source, offset, suggestion=hint)


def _place(source: DocumentText, offset: int, words: str) -> int:
    """Give the offset of words after a fence; that of the fence where an extension has rewritten them."""
    end = source.text.find("\n", offset)
    at = source.text.find(words, offset, end if end >= 0 else len(source.text))
    return offset if at < 0 else at


def _place_in_code(source: DocumentText, offset: int, code: str, number: int, column: int) -> int:
    """Give the offset of a place in code: a line, from 1, and signs before it; that of the fence where the code was taken from elsewhere.

    Lines of code that is in a list or a quotation have other text in front.
    """
    start, at = offset, source.text.find("\n", offset)
    for line in code.split("\n")[:number]:
        if at < 0 or (start := source.text.find(line, at)) < 0:
            return offset
        at = source.text.find("\n", start)
    return start + column


def _check_lines(context: CompileContext, info: FenceInfo, code: str, source: DocumentText, offset: int) -> None:
    """Report lines that are named and not there."""
    count = code.count("\n") + 1
    for ranges in (info.ranges, *(label.ranges for label in info.marks.labels), info.marks.folded):
        named = parse_ranges(ranges) if ranges else frozenset({1})
        if not named or max(named) > count or (ranges and not min(named)):
            message = f'"{{{ranges}}}" names lines that this block does not have; it has {count}.'
            context.report("warn", "highlight-range", message, source, offset, suggestion="Lines are counted from 1.")
    if (last := max(info.added | info.removed, default=0)) > count and not info.marks.labels:
        message = f"Line {last} is to be marked as changed, but this block has {count}."
        context.report("warn", "highlight-range", message, source, offset, suggestion="Lines are counted from 1.")


def _check_diagram(context: CompileContext, code: str, source: DocumentText, offset: int) -> bool:
    """Report a diagram whose kind Mermaid doesn't know; tells whether it does."""
    text = _DIAGRAM_HEAD.sub("", code).lstrip()
    word = _DIAGRAM_WORD.match(text)
    if word and word[0].lower() in _DIAGRAMS:
        return True
    close = nearest(word[0].lower(), _DIAGRAMS) if word else None
    shown = f'a diagram cannot begin with "{word[0]}"' if word else "it is empty"
    context.report(
        "warn",
        "mermaid",
        f"The diagram cannot be drawn: {shown}.",
        source,
        offset,
        suggestion=f'Did you mean "{_DIAGRAMS[close]}"?' if close else "Begin it with its kind, such as flowchart TD.",
    )
    return False


_UNDRAWN = frozenset(
    ["actdiag", "blockdiag", "bytefield", "d2", "ditaa", "excalidraw", "kroki", "nomnoml", "nwdiag", "pikchr", "plantuml",
     "puml", "rackdiag", "seqdiag", "structurizr", "svgbob", "uml", "wavedrom"]
)  # fmt: skip
"""Languages of diagrams that programs of other engines draw."""


def _report_unknown(context: CompileContext, language: str, source: DocumentText, offset: int) -> None:
    if language.lower() in _UNDRAWN:
        message = f'Diagrams in "{language}" are not drawn: readers see the source.'
        hint = 'Write the diagram for Mermaid, or show a picture of it; write "text" to show the source.'
        context.report("warn", "foreign-syntax", message, source, offset, suggestion=hint)
        return
    close = nearest(language, known_languages())
    context.report(
        "warn",
        "unknown-language",
        f'The language "{language}" is not known; the block is shown as plain text.',
        source,
        offset,
        suggestion=f'Did you mean "{close}"?' if close else 'Write "text" to show a block as it is.',
    )
