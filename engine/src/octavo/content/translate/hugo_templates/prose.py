"""Prose in Markdown that a template writes within HTML, where Markdown is text."""

from __future__ import annotations

import html
import re

CODE = "\ufdd3"
"""Marks the start and the end of a code block in the output of a template."""
_FENCED = re.compile(r"^(?P<fence>`{3,}|~{3,})[^\n]*\n(?:[^\n]*\n)*?(?P=fence)[`~]*[ \t]*$", re.MULTILINE)
_LINK = re.compile(r"\[([^\[\]\n]+)\]\(([^()\s]+)\)")
_CODE_SPAN = re.compile(r"`([^`\n]+)`")
_STRONG = re.compile(r"\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*")
_EMPHASIS = re.compile(r"(?<![\w*])[*_](?=\S)([^*_\n]+?)(?<=\S)[*_](?![\w*])")


def markdown_html(text: str) -> str:
    """Write prose in Markdown as HTML, within which Markdown is text: paragraphs, plain lists, and what a line may hold.

    Blocks of code are put between marks. Text with blocks of another kind is given back as it is.
    """
    if "```" in text or "~~~" in text:
        parts, position = [], 0
        for block in _FENCED.finditer(text):
            before = text[position : block.start()].strip()
            parts += [*([markdown_html(before)] if before else []), f"{CODE}{block[0]}{CODE}"]
            position = block.end()
        if parts:
            after = text[position:].strip()
            return "\n".join([*parts, *([markdown_html(after)] if after else [])])
    blocks = [block for block in _BLANK_LINES.split(text.strip()) if block.strip()]
    if _OTHER_BLOCK.search(text) or (len(blocks) < 2 and not _ITEM.match(text.strip())):
        return text if _OTHER_BLOCK.search(text) else inline_html(text)
    return "\n".join(_list_html(block) or f"<p>{inline_html(block.strip())}</p>" for block in blocks)


_BLANK_LINES = re.compile(r"\n[ \t]*\n")
_ITEM = re.compile(r"[ \t]{0,3}(?:[-*+]|(?P<number>\d+)[.)])[ \t]+")
_OTHER_BLOCK = re.compile(
    r"^(?:[ \t]*(?:`{3}|~{3}|>|\||#{1,6}[ \t]|\{\{|<(?:/?(?:div|p|ul|ol|li|table|pre|details|h[1-6])\b))|(?: {4}|\t)\S)",
    re.MULTILINE,
)


def _list_html(block: str) -> str:
    """Write a block of items as a list; empty where it is none."""
    lines = block.strip("\n").split("\n")
    first = _ITEM.match(lines[0])
    if first is None:
        return ""
    items: list[str] = []
    for line in lines:
        if item := _ITEM.match(line):
            items.append(line[item.end() :])
        else:
            items[-1] += f"\n{line.strip()}"
    name = "ol" if first["number"] else "ul"
    return f"<{name}>" + "".join(f"<li>{inline_html(one)}</li>" for one in items) + f"</{name}>"


def inline_html(text: str) -> str:
    """Write links, code and emphasis of a paragraph as HTML: within a block of HTML, Markdown is text."""
    if "`" not in text and "*" not in text and "_" not in text and "](" not in text:
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
