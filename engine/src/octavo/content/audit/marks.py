"""Marks of Markdown that readers see as they are written, because what they should do is not written as it must be.

`**bold`, `` `code ``, `##Heading` and `[text](address` are valid Markdown: text. Their author meant something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from octavo.content.html_names import is_element
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.source import ByteOffsets

Candidate = tuple[int, str, str, str]
"""Offset in characters, code, message, suggestion."""

CODE = "stray-mark"
_DEEPEST = 6
FILE = r"[\w%~@.-]+(?:/[\w%~@.-]+)*\.(?:mdx?|html?|rst)(?:#[\w.-]*)?(?![\w.])"
"""Pattern of an address of a page that names its file."""
_HEADING = re.compile(r"\n {0,3}(?P<at>#{2,6}(?=[^\W\d_])|#{7,}(?=[ \t]+\w))[^\n]*")
_OPEN_LINK = re.compile(
    rf"\[[^\[\]\n]{{1,200}}\]\((?:\.{{0,2}}/|https?://|#|{FILE})[^()\s<>]*(?=[ \t]+[^\s\"'(]|[ \t]*$)", re.MULTILINE
)
_APART = re.compile(rf"\[[^\[\]\n]{{2,200}}\][ \t]+\((?:\.{{1,2}}/|/\w|https?://|{FILE})[^()\s]*\)")
_REVERSED = re.compile(rf"\([^()\n]{{1,200}}\)\[(?:\.{{1,2}}/|/\w|https?://|{FILE})[^\[\]\s]*\](?![(\[])")
_ALERT = re.compile(
    r"^[ \t]*>[ \t]*(?P<at>\[!(?!(?i:note|tip|important|warning|caution)\])[A-Za-z]+\])[ \t]*$"
    r"|^[ \t]*>[ \t]*(?P<known>\[!(?i:note|tip|important|warning|caution)\])[ \t]+\S",
    re.MULTILINE,
)

_DIRECTIVE = re.compile(
    r"\n {0,3}(?P<at>::(?P<name>[A-Za-z][\w-]*)(?:\[[^\[\]\n]*\](?:\{[^{}\n]*\})?|\{[^{}\n]*\}))[ \t]*(?=\n)"
)
_BARE_DIRECTIVE = re.compile(r"\n[ \t]*\n {0,3}(?P<at>::(?P<name>[A-Za-z][\w-]*))[ \t]*(?=\n[ \t]*\n)")
"""A directive on one line, by itself: a known one is not text."""
SHIPPED = {
    "autodoc": "python_api",
    "changelog": "changelog",
    "csv": "csv_table",
    "preview": "link_previews",
    "source": "source_code",
}
"""Directives of the extensions that come with Octavo → the extension."""

# The marks first, and what is before them behind that: `re` looks for a text that a pattern begins with many times faster.
_BOLD = re.compile(
    r"\*\*(?:(?<=\w\*\*)(?=[^\w\s\x00-\x7f])|(?<=[^\w\s\x00-\x7f]\*\*)(?=\w)"
    r"|(?<![\\*\w]\*\*)(?=[\w(\"'`\[])|(?<=[\w.!?)\"'`\]]\*\*)(?<!\\\*\*)(?![\w*/]))"
)
_BOLD_APART = re.compile(r"\*\*(?<![\\*]\*\*)[ \t][^*\n]{1,200}\*\*")
_BOLD_BETWEEN = re.compile(r"\*\*(?<![^\s(]\*\*)[ \t]+(?=[^\W\d_]{2})[^*\n]{1,200}[ \t]\*\*(?![*\w])")
_BOLD_BESIDE = re.compile(r"\*\*(?:(?<=\w\*\*)(?=[^\w\s\x00-\x7f])|(?<=[^\w\s\x00-\x7f]\*\*)(?=\w))")
"""Marks beside punctuation of scripts without spaces: CommonMark asks for a space or punctuation on their other side."""
_ENDS_BESIDE = re.compile(r"\*\*(?<=[:.!?,;)\]>]\*\*)(?=\w)")
"""`**Note:**text`: marks between punctuation and a letter end nothing, and often begin bold text."""
_TICK = re.compile(r"`(?<![\\`]`)(?:`{2,}|`(?![^`\n]*''))?(?!`)")
"""Backticks; two before a text that ends in two apostrophes are quotation marks of TeX."""
_STRUCK = re.compile(r"~~(?<![\\~\w]~~)(?=\w)|(?<=[\w.!?)])~~(?![\w~])")
_TICKS = re.compile(r"`+")


def written_wrongly(text: str) -> Iterator[Candidate]:
    """Find what looks like a heading, a link or an alert and is written in a way that makes it text.

    Where the parser sees no text it is not a mistake: the caller leaves out what is in code or in a link.
    """
    if "##" in text:
        for match in _HEADING.finditer(f"\n{text}"):
            if len(match["at"]) > _DEEPEST:
                message, hint = "This is not a heading: the deepest level is 6.", "Write it as ###### or less."
            else:
                message = f'"{cut(match[0].strip())}" is not a heading: a space is missing after its marks.'
                hint = f'Write "{match["at"]} " and the text of the heading.'
            yield match.start("at") - 1, CODE, message, hint
    if "::" in text:
        framed = f"\n\n{text}\n\n"
        for match in chain(_DIRECTIVE.finditer(framed), _BARE_DIRECTIVE.finditer(framed)):
            message = (
                f'"{cut(match["at"])}" is shown as text: no extension of the site has a directive "{match["name"]}".'
            )
            known = SHIPPED.get(match["name"])
            hint = f'Add "octavo.shipped.{known}" to' if known else "Add the extension that has it to"
            yield match.start("at") - 2, CODE, message, f"{hint} `extensions` in octavo.toml, or write \\:: for text."
    if "](" in text:
        for match in _OPEN_LINK.finditer(text):
            message = f'"{cut(match[0])}" is not a link: its address has no end.'
            yield match.start(), CODE, message, 'Close the address with ")".'
    if "] (" in text or "]\t(" in text:
        for match in _APART.finditer(text):
            message = f'"{cut(match[0])}" is not a link: there is a space between its text and its address.'
            yield match.start(), CODE, message, "Take the space out."
    if ")[" in text:
        for match in _REVERSED.finditer(text):
            message = f'"{cut(match[0])}" is not a link: its brackets are exchanged.'
            yield match.start(), CODE, message, "Write [text](address)."
    if "[!" in text:
        for match in _ALERT.finditer(text):
            if match["known"]:
                message = f'"{match["known"]}" does not start an alert, since text follows it on the same line; it is shown as text.'
                hint = "Put the text into the next line, behind >."
                yield match.start("known"), "unknown-admonition", message, hint
                continue
            message = f'The kind of alert "{match["at"]}" is not known; its mark is shown as text.'
            yield match.start("at"), "unknown-admonition", message, "Write NOTE, TIP, IMPORTANT, WARNING or CAUTION."


_HTML_NAMES = (
    "address|article|aside|blockquote|center|details|div|dl|dt|dd|figcaption|figure|footer|form|h[1-6]|header|li|main|nav|ol|p|section|summary"
    "|table|tbody|td|tfoot|th|thead|tr|ul"
)
_HTML_LINES = re.compile(
    rf"^[ \t>]*(?:(?:[-*+]|\d{{1,9}}[.)])[ \t]+)*(?:</?(?:{_HTML_NAMES})\b[^\n]*|</?(?P<alone>[a-z][\w-]*)(?:[ \t][^<>\n]*)?/?>[ \t]*$)(?:\n[ \t>]*[^\s>][^\n]*)+",
    re.MULTILINE | re.IGNORECASE,
)
"""A line that begins HTML for the parser, with a block or with any tag that is alone, up to the next blank line."""
_UNREAD = re.compile(
    r"(?P<at>!?\[[^\[\]\n]+\]\((?:\.{0,2}/|https?://|#|[\w-]+[./])[^()\s]*\)|\*\*\w[^*\n]*\*\*)|^[ \t>]*(?P<fence>`{3,}[^`\n]*|~{3,}[^\n]*)$",
    re.MULTILINE,
)


def unread_in_html(text: str, *, is_mdx: bool) -> Iterator[Candidate]:
    """Find Markdown in the lines of HTML, where the parser leaves all as it is written, the first one of each block.

    It may be that a line lies in HTML that begins elsewhere, or in code: the caller asks the parser.
    """
    if "<" not in text:
        return
    for lines in _HTML_LINES.finditer(text):
        if lines["alone"] and (is_mdx or not is_element(lines["alone"])):
            continue  # it is text, and so is what follows; in MDX, what is in an element is Markdown
        if (match := _UNREAD.search(text, lines.start(), lines.end())) is not None:
            place = "at" if match["at"] else "fence"
            message = (
                f'"{cut(match[place].strip())}" is shown as text: Markdown within HTML is read after a blank line only.'
            )
            yield match.start(place), CODE, message, "Put a blank line between the tag and the text."


def may_be_open(text: str) -> bool:
    """Whether bold text or code may be without an end; most texts are not looked at any further."""
    if text.count("`") % 2 == 1 or text.count("**") % 2 == 1 or ("`" in text and _has_odd_ticks(text)):
        return True
    if "~~" in text and text.replace("~~~", "").count("~~") % 2 == 1:
        return True
    if "```" in text and _has_ticks_in_line(text):
        return True
    if "**" not in text:
        return False
    return (
        ("** " in text and _BOLD_APART.search(text) is not None)
        or _ENDS_BESIDE.search(text) is not None
        or (not text.isascii() and _BOLD_BESIDE.search(text) is not None)
    )


def _has_ticks_in_line(text: str) -> bool:
    """Whether three backticks are behind words of a line, where they do not start a block of code."""
    at = text.find("```")
    while at >= 0:
        before = text[text.rfind("\n", 0, at) + 1 : at]
        if "`" not in before and any(sign.isalpha() for sign in before):
            return True
        at = text.find("```", at + 3)
    return False


def _has_odd_ticks(text: str) -> bool:
    """Whether a paragraph or a row of a table has backticks without others of their number."""
    for block in text.split("\n\n"):
        if "`" not in block or "```" in block:
            continue
        for part in block.split("\n") if block.lstrip().startswith("|") else (block,):
            if part.count("`") % 2 or ("``" in part and len([run for run in _TICKS.findall(part) if run == "`"]) % 2):
                return True
    return False


def left_open(text: str, events: Iterable[tuple[Any, Any]], offsets: ByteOffsets, size: int) -> Iterator[Candidate]:
    """Find marks of bold text and of code that the parser takes for text.

    Args:
        text: Of the fragment.
        events: What the parser sees in it.
        offsets: From bytes to characters.
        size: Of the text in bytes; what follows is not of this fragment.
    """
    in_code = False
    for event, place in events:
        if event.__class__ is str:
            continue
        name = event.get("Start") or event.get("End")
        if name is not None:
            if (name.__class__ is dict and "CodeBlock" in name) or name == "CodeBlock":
                in_code = "Start" in event
            continue
        if "Text" not in event or in_code or place["start"] >= size:
            continue
        start, end = offsets.char(place["start"]), offsets.char(min(place["end"], size))
        piece = text[start:end]
        for mark, pattern, what in (("**", _BOLD, "bold text"), ("`", _TICK, "code"), ("~~", _STRUCK, "struck text")):
            # The character before tells whether the mark is escaped.
            if mark not in piece:
                continue
            match = pattern.search(text, start, end)
            between = _BOLD_BETWEEN.search(text, start, end) if match is None and mark == "**" else None
            if match := match or between:
                message = f'"{mark}" is shown as text: {what} begins or ends here, and its other end is missing.'
                hint = ""
                if mark == "**" and (apart := between or _BOLD_APART.search(text, start, end)):
                    match, message = apart, '"**" is shown as text: bold text has no space inside its marks.'
                elif mark == "**" and (
                    beside := _BOLD_BESIDE.search(text, start, end) or _ENDS_BESIDE.search(text, start, end)
                ):
                    match = beside
                    message = '"**" is shown as text: it is between a letter and a punctuation mark.'
                    hint = 'Put a space before or after it, or name "loose" among the extensions of [markdown].'
                yield (
                    match.start(),
                    CODE,
                    message,
                    hint or f'Write the mark on both sides, or "\\{mark[0]}" where it is text.',
                )


def cut(text: str) -> str:
    """Shorten what a message shows of a page."""
    return text if len(text) <= 60 else f"{text[:60]}…"
