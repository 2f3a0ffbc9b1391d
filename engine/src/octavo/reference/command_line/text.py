"""Texts of data files as Markdown: what was meant as text must not become markup."""

from __future__ import annotations

from collections.abc import Callable

from octavo.lazy import regex as re

_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_FENCE = re.compile(r"^[ \t]*(?P<mark>`{3,}|~{3,}).*?(?:^[ \t]*(?P=mark)[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_LISTING = re.compile(
    # Behind a blank line of its own, four spaces are a block in Markdown already.
    r"^(?P<head>(?! |\t|[-*+>|#] |\d+[.)] ).*:)[ \t]*\n(?P<lines>(?:[ \t]+(?![-*+•] |\d+[.)] )\S.*(?:\n|\Z))+)(?=\n|\Z)",
    re.MULTILINE,
)
_PUNCTUATION = re.compile(r"[\\`*_{}\[\]<>()#|&~$:^=@]")


def plain(text: str) -> str:
    """Write plain text, with code between backticks, as Markdown of one line."""
    return _outside(_CODE, " ".join(text.split()), lambda stretch: _PUNCTUATION.sub(r"\\\g<0>", stretch))


def cell(markdown: str) -> str:
    """Write Markdown of one line so that it stays in its cell of a table."""
    return re.sub(r"(?<!\\)((?:\\\\)*)\|", r"\1\\|", markdown)


def markdown(text: str) -> str:
    """Take the HTML out of Markdown: tags are shown as they are typed, code stays.

    Lines that are indented below one that ends in a colon are a block: programs show them as they are, and Markdown would
    join them to one line.
    """

    def prose(stretch: str) -> str:
        return _outside(_CODE, stretch, lambda words: re.sub(r"(?<!\\)<", r"\\<", words))

    fenced = _outside(_FENCE, text.strip(), lambda stretch: _LISTING.sub(_as_block, stretch))
    return _outside(_FENCE, fenced, prose)


def _as_block(listing: re.Match[str]) -> str:
    return f"{listing['head']}\n\n{block('text', listing['lines'])}\n"


def code(text: str) -> str:
    """Write a text as a span of code, whatever backticks it holds."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{' '.join(text.split())}{pad}{fence}"


def block(language: str, text: str) -> str:
    """Write a text as a block of code, whatever fences it holds."""
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{_dedent(text)}\n{fence}"


def without_code_marks(text: str) -> str:
    """Give a text as it is read, for search: code without its backticks."""
    return " ".join(_CODE.sub(r"\2", text).split())


def _dedent(text: str) -> str:
    """Take away what all lines are indented by, as cobra's examples are."""
    lines = text.strip("\n").rstrip().split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[margin:].rstrip() for line in lines)


def _outside(pattern: re.Pattern[str], text: str, change: Callable[[str], str]) -> str:
    """Change a text where a pattern does not match."""
    out, position = [], 0
    for match in pattern.finditer(text):
        out += [change(text[position : match.start()]), match[0]]
        position = match.end()
    return "".join([*out, change(text[position:])])
