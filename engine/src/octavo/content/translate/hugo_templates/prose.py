"""Prose in Markdown that a template writes within HTML, where Markdown is text."""

from __future__ import annotations

import html
from functools import partial

from octavo.lazy import regex as re

CODE = "\ufdd3"
"""Marks the start and the end of a code block in the output of a template."""
_FENCED = re.compile(r"^(?P<fence>`{3,}|~{3,})[^\n]*\n(?:[^\n]*\n)*?(?P=fence)[`~]*[ \t]*$", re.MULTILINE)
_LINK = re.compile(r"\[([^\[\]\n]+)\]\(([^()\s]+)\)")
_CODE_SPAN = re.compile(r"`([^`\n]+)`")
_TAG = re.compile(r"<[^<>]*>")
_KEPT = re.compile("\x02([0-9]+)\x03")
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
    if ("`" not in text and "*" not in text and "_" not in text and "](" not in text) or "\x02" in text:
        return text
    elements: list[str] = []

    def kept(element: str) -> str:
        elements.append(element)
        return f"\x02{len(elements) - 1}\x03"

    def link(match: re.Match[str]) -> str:
        opening = kept(f'<a href="{html.escape(match[2])}">')
        return f"{opening}{match[1]}{kept('</a>')}"

    text = _CODE_SPAN.sub(lambda match: kept(f"<code>{html.escape(match[1], quote=False)}</code>"), text)
    text = _TAG.sub(lambda match: kept(match[0]), text)
    text = _LINK.sub(link, text)
    # Emphasis may be around links and code, and within them.
    for pattern, name in ((_STRONG, "strong"), (_EMPHASIS, "em")):
        text = pattern.sub(partial(_emphasized, name, elements), text)
    while _KEPT.search(text):
        text = _KEPT.sub(lambda match: elements[int(match[1])], text)
    return text


def _emphasized(name: str, elements: list[str], match: re.Match[str]) -> str:
    """Write emphasis as an element, unless it would cross one that is open only in a part of it."""
    opened = [elements[int(number)] for number in _KEPT.findall(match[1])]
    tags = [tag for one in opened for tag in _TAG.findall(one) if not tag.endswith("/>")]
    ends = sum(tag.startswith("</") for tag in tags)
    return f"<{name}>{match[1]}</{name}>" if 2 * ends == len(tags) else match[0]
