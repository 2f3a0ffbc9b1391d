"""Uses of directives and fences of extensions: what is read off them, and the node that is made of them."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from octavo.content.attributes import read_items, repeated_item
from octavo.content.extended.words import with_words
from octavo.content.scan.nodes import PLACEHOLDER_OR_MARK, Made
from octavo.content.source import MadeText
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import DocumentText, Fragment

LEAF = re.compile(r"::[ \t]*(?P<name>[A-Za-z][\w-]*)(?P<rest>[^\n]*)(?=\n|\Z)")
"""A directive without content, on a line of its own."""
_HEAD = re.compile(
    r"[ \t]*(?:\[(?P<label>(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\])?[ \t]*(?:\{(?P<attributes>[^{}\n]*)\})?[ \t]*(?P<rest>[^\n]*)"
)
_MOST_USES = 5_000
"""Uses on one page; a directive that gives itself twice would go on for ever."""
_DEEPEST = 8


def make_directive(
    name: str, rest: str, text: str, body: Fragment | None, source: DocumentText, offset: int, context: CompileContext
) -> Made:
    """Let an extension draw a directive.

    Args:
        name: Its name.
        rest: What is behind the name: label and attributes.
        text: What it holds, as it is written.
        body: The same, scanned.
        source: The file.
        offset: Of its opening, in characters of the file.
        context: The page.
    """
    head = _HEAD.fullmatch(rest)
    label = (head["label"] if head and head["label"] is not None else head["rest"] if head else rest).strip()
    attributes = _attributes(head["attributes"] if head else None, source, offset, context)
    if head is not None and (wrong := _misread(name, head)):
        hint = f'Write {name}[label]{{key="value"}}, with a backslash before a bracket in the label.'
        context.report("warn", "malformed-tag", wrong, source, offset, suggestion=hint)
    text = PLACEHOLDER_OR_MARK.sub("", textwrap.dedent(text)).strip("\n")
    argument = {"name": name, "label": label, "attributes": attributes, "text": text}
    return _made("directive", argument, body, source, offset, context) or _unmade(body, source, offset)


def make_fence(
    language: str, info: str, code: str, source: DocumentText, offset: int, context: CompileContext
) -> Made | None:
    """Let an extension draw a block of code; None where it failed.

    Args:
        language: First word behind the fence.
        info: The words behind it.
        code: The code.
        source: The file.
        offset: Of the fence, in characters of the file.
        context: The page.
    """
    info = info.strip()
    given = info[1:-1] if info.startswith("{") and info.endswith("}") else info
    # Other forms are the extension's business: it gets the words as they are.
    attributes = read_items(given) or {}
    if attributes:
        _report_repeated(given, source, offset, context)
    argument = {"name": language, "info": info, "attributes": attributes, "text": code}
    return _made("fence", argument, None, source, offset, context)


def _made(
    kind: str,
    argument: dict[str, Any],
    body: Fragment | None,
    source: DocumentText,
    offset: int,
    context: CompileContext,
) -> Made | None:
    made = MadeText("", source, offset)
    if made.depth > _DEEPEST or context.serial("extended") > _MOST_USES:
        message = (
            f'The {kind} "{argument["name"]}" gives itself, or is used more than {_MOST_USES:,} times on this page.'
        )
        context.report("error", "too-deep", message, source, offset)
        return None
    span = source.span(offset)
    given = context.extend(
        kind,
        argument["name"],
        {**argument, "page": source.path, "line": span.line, "fields": context.fields},
        span,
    )
    return (
        None
        if given is None
        else Made([(kind, with_words(text, context.words)) for kind, text in given.value], made, offset, body)
    )


def _unmade(body: Fragment | None, source: DocumentText, offset: int) -> Made:
    """What readers see where an extension has failed: the content, as if the directive were not there."""
    return Made([("body", "")], MadeText("", source, offset), offset, body)


def _misread(name: str, head: re.Match[str]) -> str:
    """Say what of a directive's first line is lost, or is not a label though it is taken for one; empty where nothing is."""
    rest = head["rest"].strip()
    if not rest:
        return ""
    if head["label"] is not None:
        return f'"{rest}" after the label of the directive "{name}" is left out.'
    if head["attributes"] is None and (rest[0] in "[{" or rest[-1] == "}"):
        what = "its bracket has no end" if rest[0] == "[" else "its attributes are not read"
        return f'"{rest}" is taken for the label of the directive "{name}": {what}.'
    return ""


def _report_repeated(text: str, source: DocumentText, offset: int, context: CompileContext) -> None:
    if repeated := repeated_item(text):
        message = f'"{repeated}" is given more than once in "{{{text}}}"; the last value counts.'
        context.report("warn", "malformed-tag", message, source, offset, suggestion="Remove all but one of them.")


def _attributes(text: str | None, source: DocumentText, offset: int, context: CompileContext) -> dict[str, str]:
    if not text or not text.strip():
        return {}
    found = read_items(text)
    if found is None:
        message = f'The attributes "{{{text}}}" cannot be read.'
        hint = 'Write them as {#id .class key="value"}.'
        context.report("warn", "malformed-tag", message, source, offset, suggestion=hint)
    else:
        _report_repeated(text, source, offset, context)
    return found or {}
