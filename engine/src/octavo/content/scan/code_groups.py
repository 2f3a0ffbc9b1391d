"""Labels of tabs, and the blocks of code in `::: code-group`, each with its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from octavo.content.code.notations import words_of_title
from octavo.content.scan.buffer import Buffer
from octavo.content.scan.nodes import Element
from octavo.content.source import MARK_CLOSE, MARK_OPEN
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from octavo.content.source import Fragment

_FENCE = re.compile(
    rf"^[ \t]*(?:(?P<fence>`{{3,}}|~{{3,}})(?P<info>[^\n]*)|<\?{MARK_OPEN}(?P<node>\d+){MARK_CLOSE}\?>)(?:\n|\Z)",
    re.MULTILINE,
)
"""A block that is written out, or the placeholder of one that is a file."""
_LABEL = re.compile(r"\[([^\]\n]{1,999})\]")
_TITLE = re.compile(r"""title=(["'])(.+?)\1""")


def split_code_group(
    body: Fragment, nodes: Sequence[object] = (), *, has_words: bool = False
) -> list[tuple[str, Fragment, int]]:
    """Find the blocks of code: (label, block, offset in `body`); a block without a label is called by its language.

    Other text belongs to the block before it, and to the first one where none is before it. A label is not a title of the block.

    Args:
        body: The content of the group.
        nodes: What its placeholders stand for.
        has_words: Labels are the words after the language, as in Mintlify.
    """
    found: list[tuple[str, int, int]] = []
    labels: list[tuple[int, int]] = []
    position = 0
    while opening := _FENCE.search(body.text, position):
        if opening["node"]:
            position = opening.end()
            number = int(opening["node"])
            node = nodes[number] if number < len(nodes) else None
            if isinstance(node, Element) and node.name == "CodeBlock":
                label = str(node.attributes.get("label") or node.attributes.get("language") or len(found) + 1)
                found.append((label, opening.start(), position))
            continue
        closing = re.compile(rf"^[ \t]*{opening['fence'][0]}{{{len(opening['fence'])},}}[ \t]*(?:\n|\Z)", re.MULTILINE)
        match = closing.search(body.text, opening.end())
        position = match.end() if match else len(body.text)
        label, span = _label(opening["info"], len(found), has_words)
        labels.append((opening.start("info") + span[0], opening.start("info") + span[1]))
        found.append((label, opening.start(), position))
    blocks = []
    for index, (label, start, end) in enumerate(found):
        following = found[index + 1][1] if index + 1 < len(found) else len(body.text)
        buffer = Buffer(body)
        begin = start if index or not body.text[:start].strip() else 0
        stop = following if body.text[end:following].strip() else end
        for label_start, label_end in labels:
            if begin <= label_start < label_end <= stop:
                buffer.copy(begin, label_start)
                begin = label_end
        buffer.copy(begin, stop)
        blocks.append((label, buffer.fragment(is_contained=False), start))
    return blocks


def _label(info: str, number: int, has_words: bool) -> tuple[str, tuple[int, int]]:
    """Choose the label of a block: the label, and where it is in the words after the fence if it is nothing else there."""
    if has_words and (place := words_of_title(info.rstrip())):
        return info[slice(*place)], place
    if label := _LABEL.search(info):
        return label[1].strip(), label.span()
    if title := _TITLE.search(info):
        return title[2], (0, 0)
    words = re.split(r"[\s{:]", info.strip(), maxsplit=1)
    return words[0] or f"{number + 1}", (0, 0)


_TAB = re.compile(r"^(?P<mark>={2,6})(?:[ \t]+|(?![=\s]|[^\n]*==))(?P<title>[^\n]+?)[ \t]*(?:\n|\Z)", re.MULTILINE)


def split_tabs(body: Fragment) -> list[tuple[str, Fragment, int]]:
    """Find the parts that begin with a line `== Title`, code left alone: (title, part, offset in `body`).

    Groups that hold others have longer marks: `::::tabs` has `=== Title`. Text before the first one belongs to its part.
    """
    heads = list(_TAB.finditer(body.text))
    ranges = [match.span() for match in _CODE_BLOCK.finditer(body.text)]
    heads = [one for one in heads if not any(start <= one.start() < end for start, end in ranges)]
    heads = [one for one in heads if one["mark"] == heads[0]["mark"]]
    found: list[tuple[str, Fragment, int]] = []
    ends = [*(head.start() for head in heads[1:]), len(body.text)]
    for head, end in zip(heads, ends, strict=False):
        buffer = Buffer(body)
        if not found and body.text[: head.start()].strip():
            buffer.copy(0, head.start())
        buffer.copy(head.end(), end)
        found.append((head["title"].strip(), buffer.fragment(is_contained=False), head.start()))
    return found


_CODE_BLOCK = re.compile(r"^[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n.*?^[ \t]*(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL)


def tab_label(attributes: Mapping[str, Any], items: object, number: int) -> str:
    """Choose the label of a tab: its own title, or its entry in the `items` of the group.

    Args:
        attributes: Of the tab.
        items: Of the group.
        number: Of tabs before it in the group.
    """
    entries = items if isinstance(items, list) else []
    labels = [one.get("label") if isinstance(one, dict) else one for one in entries]
    value = attributes.get("value")
    if isinstance(value, str):
        # Fumadocs finds the tab of an entry by its value, in small letters, with hyphens; a title is none of its words.
        named = (one for one in labels if isinstance(one, str) and _plain_value(one) == _plain_value(value))
        if (label := next(named, None)) is not None and "label" not in attributes:
            return label
    given = [attributes.get(key) for key in ("label", "title", "name", "value")]
    if not any(isinstance(one, str) for one in given) and len(attributes) == 1:
        given = list(attributes.values())  # some name it after what sets the tabs apart
    listed = labels[number] if number < len(labels) else None
    return str(next((one for one in (*given, listed) if isinstance(one, str)), f"Tab {number + 1}"))


def _plain_value(text: str) -> str:
    return text.strip().lower().replace(" ", "-")
