"""Titles in docstrings, which are a line of text with a line of marks below it.

In a page they would be headings of the page, at whatever level, or would begin a block of code.
"""

from __future__ import annotations

import re

_UNDERLINE = re.compile(r"^ {0,3}(?P<mark>[=\-~^\"'#*+.:_])(?P=mark){2,}[ \t]*$")
"""The line below a title of reStructuredText, and above it."""
_MARKED = re.compile(r"[`*|\\]")
_FENCE_START = re.compile(r"^[ \t]*(?P<marks>`{3,}|~{3,})")


def without_titles(text: str) -> str:
    """Write titles as bold text; the number of lines stays the same."""
    lines = text.split("\n")
    fence = ""
    for number, line in enumerate(lines):
        start = _FENCE_START.match(line)
        if fence:
            if start is not None and start["marks"].startswith(fence) and line.strip() == start["marks"]:
                fence = ""
        elif _is_title(lines, number):
            _write(lines, number, f"**{lines[number - 1].strip()}**")
        elif start is not None and not _is_title(lines, number + 2):
            fence = start["marks"]
    return "\n".join(lines)


def titles_as_rubrics(text: str) -> str:
    """Write titles in reStructuredText as rubrics, which have no level; the number of lines stays the same."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        # What is indented is in a list or in code.
        if line[:1].strip() and lines[number - 1][:1].strip() and _is_title(lines, number):
            title = lines[number - 1].strip()
            below = next((lines[at] for at in range(number + 1, len(lines)) if lines[at].strip()), "")
            # What is indented would be content of the directive, which takes none.
            is_rubric = not below[:1].isspace()
            _write(
                lines,
                number,
                f".. rubric:: {title}" if is_rubric else title if _MARKED.search(title) else f"**{title}**",
            )
    return "\n".join(lines)


def _write(lines: list[str], number: int, title: str) -> None:
    """Write a title in the place of that which a line is below."""
    lines[number - 1] = title
    lines[number] = ""
    if number > 1 and _UNDERLINE.match(lines[number - 2]):
        lines[number - 2] = ""


def _is_title(lines: list[str], number: int) -> bool:
    """Return whether a line is below a title: a single line of about the same length, or longer than a line of four marks."""
    if not 0 < number < len(lines) or not _UNDERLINE.match(lines[number]):
        return False
    title, line = lines[number - 1].strip(), lines[number].strip()
    above = lines[number - 2].strip() if number > 1 else ""
    is_alone = not above or (_UNDERLINE.match(above) is not None and above[0] == line[0])
    if is_alone and above and number > 2 and lines[number - 3].strip():
        return False  # the line above would belong to a paragraph: what is between the two is a block of code
    if not is_alone or not title or _UNDERLINE.match(title) is not None:
        return False
    if 4 * len(line) >= 3 * len(title):
        return True
    # In Markdown a short line of tildes begins a block of code, below which there is no blank line.
    follows = lines[number + 1].strip() if number + 1 < len(lines) else ""
    return len(line) >= 4 and not (line[0] == "~" and follows)
