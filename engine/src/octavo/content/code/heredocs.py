"""Here-documents in shell code: the lines after `<<EOF`, up to one that says `EOF`, are text and no commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from octavo.lazy import regex as re

_OPENING = re.compile(r"""(?<![<$\w])\d?<<(-?)[^\S\n]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([A-Za-z_][\w.-]*))""")
_QUOTES = re.compile(r"""\\.|`["']|["']|(?:^|(?<=\s))#""")
_COMMENT = re.compile(r"(?:^|\s)#")


def find_end(lines: Sequence[str], start: int) -> int:
    """Find where the texts end that a line opens.

    Args:
        lines: All lines, without prompts.
        start: Index of the line.

    Returns:
        Index after the last line of its texts; `start + 1` where it opens none that ends.
    """
    end = start + 1
    for opening in _openings(lines[start]):
        word = opening[2] or opening[3] or opening[4]
        for index in range(end, len(lines)):
            # Behind `<<-` tabs may precede the word; pages often have spaces there.
            if (lines[index].strip() if opening[1] else lines[index].rstrip()) == word:
                end = index + 1
                break
    return end


def find_texts(code: str) -> Iterator[tuple[int, int, int]]:
    """Find the texts in code that has any: (start of the line that opens them, its end, end of the texts), in characters."""
    if "<<" not in code:
        return
    lines = code.split("\n")
    index = position = 0
    while index < len(lines):
        end = find_end(lines, index)
        first = position + len(lines[index])
        last = first + sum(len(line) + 1 for line in lines[index + 1 : end])
        if end > index + 1:
            yield position, first, last
        index, position = end, last + 1


def mask_openings(line: str) -> str:
    """Put a redirection of the same length in the place of each `<<EOF`, which a lexer takes for what it is."""
    return _OPENING.sub(lambda match: "<" + "_" * (len(match[0]) - 1), line)


def open_quote(line: str, quote: str = "") -> str:
    """Give the quotation mark of a string that is open at the end of a line; nothing for none.

    Args:
        line: The line.
        quote: That of a string that is open at its beginning.
    """
    for match in _QUOTES.finditer(line):
        mark = match[0].strip()
        if quote:
            # A backslash escapes nothing between single quotation marks.
            quote = "" if mark == quote or (quote == "'" and mark == "\\'") else quote
        elif mark == "#":
            break
        elif len(mark) == 1:
            quote = mark
    return quote


def _openings(line: str) -> list[re.Match[str]]:
    if "<<" not in line:
        return []
    return [match for match in _OPENING.finditer(line) if not _is_other(line[: match.start()])]


def _is_other(before: str) -> bool:
    """Whether what follows is part of a comment, or shifts a number."""
    return _COMMENT.search(before) is not None or before.count("((") > before.count("))")
