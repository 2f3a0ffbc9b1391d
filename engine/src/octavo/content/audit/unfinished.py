"""Syntax of an extension that is switched on, or of templates, written so that nothing reads it: readers see its marks.

The extensions rewrite what they understand before a page is parsed. What still looks like theirs lacks an end, a quotation
mark or a known name. As in `marks.py`, a match counts only where the parser sees text.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from octavo.content.audit.marks import CODE, Candidate, cut
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.dialect import Dialect


class _Unfinished(NamedTuple):
    """A piece of syntax that is not read."""

    extensions: frozenset[str]
    """Looked for where one of these is on; everywhere where there are none."""
    signs: tuple[bytes, ...]
    """The marks of a text hold one of them where it may be in it; checked first, because it is cheap."""
    pattern: str
    """Regular expression for a text with a line end in front; its group `at` is what is shown. Compiled at first use: most sites
    need few of them."""
    what: str
    """What is wrong, as a clause."""
    suggestion: str
    code: str


def _one(extensions: str, signs: str, pattern: str, what: str, suggestion: str, code: str = CODE) -> _Unfinished:
    known = tuple(sign.encode() for sign in signs.split())
    return _Unfinished(frozenset(extensions.split()), known, pattern, what, suggestion, code)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_KINDS = "note|abstract|info|tip|success|question|warning|failure|danger|bug|example|quote|attention|caution|error|hint|important"
_KEYS = "ctrl|control|cmd|command|alt|option|shift|meta|win|windows|super|fn|enter|return|esc|escape|tab|space|backspace|del|delete|f\\d{1,2}"
_TO_END = r"[^\n]*"
_IN_PARAGRAPH = r"(?:[^\n]|\n(?![ \t]*\n))*?"
_NO_END = r"(?!(?:[^}]|\}(?!\})){0,400}\}\})"
_NO_TAG_END = r"(?!(?:[^%]|%(?!\})){0,400}%\})"
"""Tags of templates may have several lines; how far is looked keeps a text of nothing but their beginnings cheap."""

_UNFINISHED = (
    _one(
        "admonitions",
        "!!!",
        rf"\n[ \t>]*(?P<at>!!!(?![\[!])[ \t]*\w{_TO_END})",
        "it is not an admonition as the extension reads them",
        'Write !!! note, or !!! note "Title", with both quotation marks, and indent its content by four spaces.',
    ),
    _one(
        "admonitions",
        "!!",
        rf"\n[ \t>]*(?P<at>!!(?!!)[ \t]+(?:{_KINDS})\b{_TO_END})",
        "an admonition begins with three marks",
        "Write !!! before its kind.",
    ),
    _one(
        "details",
        "???",
        rf"\n[ \t>]*(?P<at>\?{{3,}}\+?[ \t]*\w{_TO_END})",
        "it is not a collapsed block as the extension reads them",
        'Write ??? note, or ???+ note "Title", with both quotation marks, and indent its content by four spaces.',
    ),
    _one(
        "tabs",
        "==",
        rf"\n[ \t>]*(?P<at>(?:==(?!=)|={{4}})[!+]?[ \t]+[\"']{_TO_END}|={{3}}[!+]?[ \t]+\w[^\n]*(?=\n(?:[ \t]*\n)?(?: {{4}}|\t)\S))",
        "it is not a tab as the extension reads them",
        'Write === "Title", and indent its content by four spaces.',
    ),
    _one(
        "blocks",
        "///",
        r"\n[ \t>]*(?P<at>/{3,}[ \t]+[a-z][\w-]*[ \t]*(?:\|[^\n]*)?)(?=\n)",
        "no block has this name",
        "Write the name of a block, such as /// note | Title.",
    ),
    _one(
        "blocks",
        "\n///",
        r"\n[ \t>]*(?P<at>/{3,})[ \t]*(?=\n|\Z)",
        "no block is open here",
        "Take it out, or write the line that begins the block.",
    ),
    _one(
        "",
        "{{",
        rf"(?P<at>\{{\{{(?<![\\$={{]\{{\{{)[<%#]?-?[ \t]*[\w.\"'/]{_NO_END}[^{{}}\n]*)",
        "the end of the template is missing",
        "Write its end, or put it in backticks.",
    ),
    _one(
        "",
        "{{< {{%",
        r"(?P<at>\{\{<(?:(?![<>]\}\}|\{\{)[^\n])*%\}\}|\{\{%(?:(?!%\}\}|\{\{)[^\n])*>\}\})",
        "the shortcode begins and ends with different marks",
        "Write {{< name >}}, or {{% name %}}.",
    ),
    _one(
        "",
        "{%",
        rf"(?P<at>\{{%(?<!\{{\{{%)-?[ \t]*[a-z]{_NO_TAG_END}[^%{{}}\n]*)",
        "the end of the tag is missing",
        "Write %} at its end, or put it in backticks.",
    ),
    _one(
        "macros eleventy",
        "{#",
        r"(?P<at>\{#[ \t]+\w(?!(?:[^#]|#(?!\})){0,400}#\})[^\n]*)",
        "the end of the comment is missing",
        "Write #} at its end.",
    ),
    _one(
        "mark",
        "==",
        rf"(?P<at>==(?<![=\w!<>]==)(?=[\w*_`\[(\"'])(?!{_IN_PARAGRAPH}==))",
        "the mark at the other end is missing",
        "Write == on both sides.",
    ),
    _one(
        "caret",
        "^^",
        rf"(?P<at>\^\^(?<!\^\^\^)(?=\w)(?!{_IN_PARAGRAPH}\^\^))",
        "the mark at the other end is missing",
        "Write ^^ on both sides.",
    ),
    _one(
        "keys",
        "++",
        rf"(?P<at>\+\+(?<![\w+]\+\+)(?i:{_KEYS})(?:\+[\w-]+)*)(?![\w+-])",
        "the mark at the other end is missing",
        "Write ++ on both sides.",
    ),
    _one(
        "critic",
        "{++ {-- {~~ {>>",
        rf"(?P<at>\{{(?:\+\+|--|~~|>>)(?=[^\n{{}}]){_TO_END})",
        "the end of this mark of an editor is missing",
        "Write its end, {++ ++}, {-- --}, {~~ ~> ~~} or {>> <<}, or accept the change.",
        "critic-mark",
    ),
    _one(
        "abbr",
        "\n*[",
        r"\n(?P<at>\*\[[^\]\n]+\])(?![:(\[])[ \t]+\w",
        "a colon is missing behind the abbreviation",
        "Write *[HTML]: and its meaning.",
    ),
    _one(
        "",
        "{# {. {:",
        r"\n#{1,6}[ \t][^\n]*?(?P<at>\{:?[ \t]*[#.][A-Za-z][^{}\n]*)(?=\n|\Z)",
        "the end of the attributes is missing",
        'Write "}" at its end.',
    ),
    _one(
        "attr_list jekyll",
        "{:",
        r"(?P<at>\{:[ \t]*[#.\w][^{}\n]*)(?=\n|\Z)",
        "the end of the attributes is missing",
        'Write "}" at its end.',
    ),
    _one(
        "math",
        "\n$$",
        r"\n[ \t>]*(?P<at>\$\$)[ \t]*(?=\n)",
        "the end of the formula is missing",
        "Write $$ on lines of their own before and behind it.",
        "formula",
    ),
    _one(
        "math",
        "$",
        r"(?P<at>\$(?<![\\$\w]\$)(?=[^\s$])(?=[^$\n]*\\[A-Za-z])[^$\n]*+\$)",
        "this formula cannot be read",
        "Close each of its braces.",
        "formula",
    ),
    _one(
        "obsidian",
        "[[",
        r"(?P<at>\[\[(?<!\\\[\[)(?=\w)[^\[\]\n]*)(?=\n|\Z)",
        "the end of the link is missing",
        "Write ]] behind the name of the page.",
    ),
    _one(
        "obsidian",
        "%%",
        rf"(?P<at>%%(?=\S){_TO_END})",
        "the end of the comment is missing",
        "Write %% at its end.",
    ),
    _one(
        "mdc",
        "::",
        r"\n[ \t]*(?P<at>:{2,}[a-z][\w-]*\{[^{}\n]*)(?=\n|\Z)",
        "the end of the attributes is missing",
        'Write "}" behind them.',
    ),
    _one(
        "",
        "[!",
        r"\n[ \t]*>[ \t]*(?P<at>\[![A-Za-z]+(?![\w\]|+-])[^\[\]\n]*)(?=\n|\Z)",
        "its bracket is not closed, so that it does not start an alert",
        "Write > [!NOTE] on a line of its own.",
    ),
)


_STATEMENT = re.compile(
    r"\n(?P<at>(?:import[ \t]+[\w{*][^\n]*?[ \t}]from[ \t]+[\"'][^\n]+|export[ \t]+(?:const|default|function)[ \t][^\n]*))"
)
"""A statement of MDX behind other lines of a paragraph, where MDX takes it for text."""


def unfinished(padded: str, marks: bytes, dialect: Dialect) -> Iterator[Candidate]:
    """Find syntax that is not finished.

    Args:
        padded: A fragment's text, with a line end in front: patterns that begin with one are looked for much faster.
        marks: What is left of it without letters, digits and spaces.
        dialect: Its extensions say what is looked for.
    """
    if dialect.is_mdx and ("\nimport" in padded or "\nexport" in padded):
        for match in _STATEMENT.finditer(padded):
            message = f'"{cut(match["at"].strip())}" is shown as text: a statement begins behind an empty line.'
            yield match.start("at") - 1, "mdx-syntax", message, "Put an empty line above it."
    # Templates of these are drawn: what is left of them is meant to be shown.
    draws_templates = not dialect.extensions.isdisjoint(("eleventy", "jekyll"))
    for one in _UNFINISHED:
        if (one.extensions and one.extensions.isdisjoint(dialect.extensions)) or not any(
            sign in marks for sign in one.signs
        ):
            continue
        if draws_templates and not one.extensions and one.signs[0].startswith((b"{{", b"{%")):
            continue
        for match in _compiled(one.pattern).finditer(padded):
            what, suggestion = one.what, one.suggestion
            if one.code == "formula" and _is_in_html(padded, match.start("at")):
                what, suggestion = "formulas are not read within HTML", _OUT_OF_HTML
            message = f'"{cut(match["at"].strip())}" is shown as text: {what}.'
            yield match.start("at") - 1, one.code, message, suggestion


_OUT_OF_HTML = "Put empty lines around it between the tags, or write it outside of them."
_TAG = re.compile(r"\s*</?[A-Za-z]")
_FARTHEST = 5_000
"""Characters before a formula in which its block begins: a long one may be full of formulas."""


def _is_in_html(padded: str, at: int) -> bool:
    """Whether the block around a place begins with a tag: all of it is HTML then."""
    start = padded.rfind("\n\n", max(at - _FARTHEST, 0), at)
    return (start >= 0 or at <= _FARTHEST) and _TAG.match(padded, start + 1) is not None
