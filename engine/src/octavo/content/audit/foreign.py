"""Syntax that this dialect does not have, found where it would be shown to readers as text.

Other engines have constructs of their own; a page that was written for one of them still compiles, and would show
their marks in silence. The text of a fragment is searched by pattern; a match counts only where the parser saw plain
text: not in code, comments, links, tables or footnotes. Most fragments hold none of the triggers and cost nothing more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from octavo.content.audit.marks import Candidate, left_open, may_be_open, unread_in_html, written_wrongly
from octavo.content.audit.places import Places, comments_in, fenced, raw_code
from octavo.content.audit.slips import MARKS, malformed_tags, slips
from octavo.content.audit.unfinished import unfinished
from octavo.content.icons.short_codes import emoji, is_icon
from octavo.content.source import ByteOffsets
from octavo.lazy import regex as re
from octavo.variable_uses import VARIABLE_USE

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.dialect import Dialect
    from octavo.content.source import Fragment


class _Construct(NamedTuple):
    """A construct that is reported."""

    trigger: str
    """A text without it holds no match; checked first, because it is cheap."""
    pattern: re.Pattern[str]
    code: str
    what: str
    suggestion: str
    in_markdown_only: bool = False
    """In MDX this is syntax, and handled by the scanner."""
    extension: str = ""
    """Extension that knows it; a dialect with it has nothing to report."""
    is_of_another: bool = False
    """It only looks like what the extension knows: with that, other findings are about it."""


def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern for a text with a line end in front.

    A pattern for the start of lines begins with the line end before it: `re` looks for a literal character several times
    faster than for `^`, which it tries at each position.
    """
    return re.compile(f"\\n{pattern[1:]}" if pattern.startswith("^") else pattern, re.MULTILINE)


def _foreign(trigger: str, pattern: str, what: str, suggestion: str) -> _Construct:
    return _Construct(trigger, _compiled(pattern), "foreign-syntax", what, suggestion)


def _known(extension: str, trigger: str, pattern: str, what: str, suggestion: str) -> _Construct:
    """Make a construct that an extension knows."""
    hint = f'{suggestion} Or name "{extension}" among the extensions of [markdown].'
    return _Construct(trigger, _compiled(pattern), "foreign-syntax", what, hint, extension=extension)


_NAME_MDX = 'Name the file ".mdx", or set markdown = "mdx" for its folder; write code in backticks.'


def _mdx(trigger: str, pattern: str, what: str, hint: str = _NAME_MDX) -> _Construct:
    return _Construct(trigger, _compiled(pattern), "mdx-syntax", what, hint, in_markdown_only=True)


_ADMONITION = "Write :::note, the content, and ::: on lines of their own."
_NO_TEMPLATES = "Pages have no templates: write the text itself, or put it into a partial."
_CODE = "Write the code into the page."
_NO_VARIABLE = "Declare it in [variables] of octavo.toml, or write the text itself; \\{{ shows the braces."
_TABS = "Write <Tabs> and <TabItem>."
_VERSION = r"[0-9.]+[ \t]*(?:\"|$)"
_PANEL = "Write <details> and <summary>."
_NOT_SUPPORTED = "Write it in plain Markdown, or in backticks if it is to be shown."

_BLOCKS = (
    "admonition|note|tip|info|warning|danger|caution|attention|important|hint|success|question|failure|bug|example|quote|"
    "abstract|new|details|tab|html|define|caption|figure-caption"
)
"""Blocks that Python-Markdown's extensions know. Three slashes begin a comment in several languages."""

_KEYS = "ctrl|control|cmd|command|alt|option|shift|meta|win|windows|super|fn|enter|return|esc|escape|tab|space|backspace|del|delete|f\\d{1,2}"

_CONSTRUCTS = (
    _known("admonitions", "!!!", r"^[ \t>]*(?P<at>!!!)[ \t]*\w", "an admonition of Python-Markdown", _ADMONITION),
    _foreign(
        "!!!",
        r"^[ \t>]*(?P<at>!!!)[ \t]+[\"']",
        "an admonition without a kind",
        'Write its kind before its title: !!! note "Title".',
    ),
    _known("details", "???", r"^[ \t>]*(?P<at>\?\?\?\+?)[ \t]+\w", "an admonition of Python-Markdown", _ADMONITION),
    _known("tabs", "=== ", r"^[ \t>]*(?P<at>===)[!+]?[ \t]+[\"']", "a tab of Python-Markdown", _TABS),
    # Blocks of Retype: tabs, columns and panels, and components in brackets.
    _known("version_notes", "+++ ", rf"^[ \t>]*(?P<at>\+\+\+)[ \t]+{_VERSION}", "a note of a version", _ADMONITION),
    _foreign("+++ ", rf"^[ \t>]*(?P<at>\+\+\+)[ \t]+(?!{_VERSION})\S", "a tab of Retype", _TABS),
    _foreign("||| ", r"^[ \t>]*(?P<at>\|\|\|)[ \t]+\S[^|\n]*$", "a column of Retype", _NOT_SUPPORTED),
    _foreign("==- ", r"^[ \t>]*(?P<at>==-)[ \t]+\S", "a panel of Retype", _PANEL),
    # With tabs, it is one without quotation marks.
    _foreign("=== ", r"^[ \t>]*(?P<at>===)[ \t]+[^\s\"'=]", "a panel of Retype", _PANEL)._replace(
        extension="tabs", is_of_another=True
    ),
    _foreign(
        "[!",
        r"(?P<at>\[!(?:badge|button|card|embed|file|icon|ref|video|youtube)\b[^\]\n]*\])(?!\()",
        "a component of Retype",
        _NOT_SUPPORTED,
    ),
    _known(
        "blocks",
        "/// ",
        r"^[ \t>]*(?P<at>/{3,})[ \t]+(?:(?:" + _BLOCKS + r")\b"
        r"|[A-Za-z][\w-]*(?:[ \t]*\|[^\n]*)?(?=\n(?:[^\n]*\n){0,60}?[ \t>]*/{3,}[ \t]*(?:\n|\Z)))",
        "a block of Python-Markdown",
        _ADMONITION,
    ),
    _known(
        "snippets", "8<", r"^[ \t>]*(?P<at>-+8<-+)", "a snippet of Python-Markdown", "Import the file as a partial."
    ),
    _foreign(
        "{!",
        r"(?P<at>\{![^{}!\n]+!(?:[^{}!\n]*!)?\})",
        "an include of Python-Markdown",
        "Write it on a line of its own in a folder with the extension snippets, or import the file as a partial.",
    ),
    _known(
        "snippets",
        "{*",
        r"^[ \t>]*(?P<at>\{\*[ \t]+[^\s{}*]+(?:[ \t]+\w+\[[^\]\n]*\])*[ \t]+\*\})[ \t]*$",
        "an include of code of Python-Markdown",
        "Write the code into a block.",
    ),
    _known(
        "attr_list",
        "{",
        r"(?P<at>\{:[ \t]*[#.\w][^{}\n]*\})",
        "an attribute list",
        'Only "{#id}" after a heading is known.',
    ),
    _known(
        "attr_list",
        "{",
        r"(?P<at>\{(?<!\{\{)[ \t]+[#.][\w-][^{}\n]*\}|\{\.[\w-][^{}\n]*\}|\{[ \t]*[\w-]+=[\"'][^{}\n]*\})",
        "an attribute list",
        'Only "{#id}" after a heading is known.',
    ),
    _foreign("{{<", r"(?P<at>\{\{<(?:(?!\{\{<)[^\n])*?>\}\})", "a shortcode of Hugo", _NO_TEMPLATES),
    _foreign("{{%", r"(?P<at>\{\{%(?:(?!\{\{%)[^\n])*?%\}\})", "a shortcode of Hugo", _NO_TEMPLATES),
    _foreign("{%", r"(?P<at>\{%(?<!\{\{%)(?:(?!\{%)[^\n])*?%\})", "a template tag", _NO_TEMPLATES),
    _known("mdbook", "{{#", r"(?<!\\)(?P<at>\{\{#[^{}\n]*}})", "an include of mdBook", "Import the file as a partial."),
    _foreign("{{", r"(?P<at>\{\{(?<![$=\\{]\{\{)(?![<%#{])[^{}\n]*\}\})", "a template variable", _NO_VARIABLE),
    _known(
        "emoji",
        ":",
        r"(?P<at>:(?<![\w:`/.\\]:)(?=[a-z0-9_+-]*[a-z])[a-z+][a-z0-9_+-]{0,60}:)(?![\w:`])",
        "a short code of an emoji or icon",
        "Write the character itself.",
    ),
    *(
        _foreign(
            trigger,
            r"^[ \t]*(?P<at>\[\[?_?(?:toc|TOC)_?\]\]?)[ \t]*$",
            "a table of contents",
            "Each page has one: take it out.",
        )
        for trigger in ("toc]", "TOC]", "TOC_]")
    ),
    _known("vitepress", "<<<", r"^[ \t]*(?P<at><<<)[ \t]*[@.\w/]", "a snippet of VitePress", _CODE),
    _known("vuepress", "@[code", r"^[ \t]*(?P<at>@\[code[^\]\n]*\]\(\S+\))[ \t]*$", "code of VuePress", _CODE),
    _foreign(
        "[[", r"(?P<at>\[\[(?!_?(?i:toc)_?\]\]|\.\.\.)[^\[\]\n]+\]\])(?!\()", "a wiki link", "Write [text](./page.md)."
    ),
    _known(
        "math",
        "$$",
        r"^[ \t>]*(?P<at>\$\$)(?=[ \t]*$|[^$\n]*\$\$)",
        "a formula",
        "Show an image, or code.",
    ),
    _known("myst", ":::{", r"^[ \t>]*(?P<at>:{3,}\{[A-Za-z][\w:-]*\})", "a directive of MyST", _ADMONITION),
    _foreign(".. ", r"^[ \t]*(?P<at>\.\.)[ \t]+[\w-]+::", "a directive of reStructuredText", _ADMONITION),
    _known(
        "def_list",
        "\n:",
        r"^(?P<at>[^\s:#>|\-*+`][^\n]*)\n:[ \t]{1,3}\S",
        "a definition list",
        "Write a list with bold terms.",
    ),
    _known(
        "attr_list",
        "{",
        r"(?P<at>\{(?<=[)\]]\{)[ \t]*[\w-]+=[^{}\s\"'=]+[ \t]*\})",
        "an attribute list",
        'Only "{#id}" after a heading is known.',
    ),
    _known(
        "mark",
        "==",
        r"(?P<at>==(?<![=\w!<>]==)(?=[^\s=])[^=\n]{1,200}(?<=\S)==(?![=\w]))",
        "marked text",
        _NOT_SUPPORTED,
    ),
    _known(
        "keys",
        "++",
        rf"(?P<at>\+\+(?<![\w+]\+\+)(?i:{_KEYS})(?:\+[\w-]+)*\+\+(?![\w+]))",
        "keys",
        "Write <kbd>Ctrl</kbd>.",
    ),
    _known("tilde", "~", r"(?P<at>~(?<=[A-Za-z)]~)[\w+-]{1,12}~(?!~))", "a subscript", "Write <sub>2</sub>."),
    _known("caret", "^", r"(?P<at>\^(?<=[\w)]\^)[\w+-]{1,12}\^(?![\w^]))", "a superscript", "Write <sup>2</sup>."),
    _foreign(
        "^[",
        r"(?P<at>\^\[[^\[\]\n]* [^\[\]\n]*\])",
        "a footnote",
        "Write [^1], and [^1]: with its text on a line of its own.",
    ),
    _known(
        "obsidian",
        "%%",
        r"(?P<at>%%(?<=[\s]%%)(?=[^\s%])[^%\n]{1,200}%%(?!%))",
        "a comment of Obsidian",
        "Write <!-- and -->.",
    ),
    _foreign(
        ":`",
        r"(?P<at>:(?<![\w:`]:)(?:[a-z][\w+-]*:){1,3}(?=`[^`\s]))",
        "a role of reStructuredText",
        "Write a link, or code.",
    ),
    _foreign("`_", r"(?P<at>_(?<=>`_)_?(?!\w))", "the end of a link of reStructuredText", "Write [text](address)."),
    _foreign(
        "link:http",
        r"(?P<at>\blink:https?:[^\s\[\]]+\[[^\[\]\n]*\](?!\())",
        "a link of AsciiDoc",
        "Write [text](address).",
    ),
    _foreign(
        "\\[",
        r"^[ \t]*(?P<at>\\\[)(?=[^\n]*(?:\\[A-Za-z]{2}|\^[\w{]|[ ]=[ ])[^\n]*\\\]|[ \t]*\n(?:[^\n]*\n){1,20}?[ \t]*\\\])",
        "a formula of LaTeX",
        'Name "math" among the extensions of [markdown], and write $$ around it.',
    ),
    _foreign(
        "\\begin{",
        r"^[ \t]*(?P<at>\\begin\{[a-z]+\*?\})",
        "a formula of LaTeX",
        'Name "math" among the extensions of [markdown], and write $$ around it.',
    ),
    _foreign("[block:", r"^(?P<at>\[block:[a-z-]+\])", "a block of ReadMe", "Write its text in Markdown."),
    _known("abbr", "*[", r"^(?P<at>\*\[[^\]\n]+\]:)[ \t]", "an abbreviation", _NOT_SUPPORTED),
    _mdx("import", r"^(?P<at>import)\s+(?:[\w*{][^'\"\n]*\sfrom\s+)?[\"'][^\"'\n]+[\"'][ \t]*;?[ \t]*$", "an import"),
    _mdx("export", r"^(?P<at>export)\s+(?:default\b|const\b|let\b|var\b|function\b|class\b|\{)", "an export"),
    _mdx("{/*", r"(?P<at>\{/\*)", "a comment of MDX"),
    _mdx(
        "{",
        r"(?P<at>\{(?<![$/\\{]\{)(?:[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*|\[[^\]\n]*\]|\([^()\n]*\))+)\})",
        "an expression",
    ),
    _mdx("={", r"(?P<at><(?<![\w<]<)[A-Za-z][\w.-]*(?:\s[^<>\n]*?)?\s[\w-]+=\{)", "an expression in a tag"),
    _mdx(
        "<",
        r"(?P<at><(?<![\w<\\]<)(?P<name>[A-Z]\w*[a-z]\w*(?:\.[A-Z]\w*)*)(?:\s+[\w:-]+(?:=(?:\"[^\"<]*\"|'[^'<]*'|\{[^<>\n]*\}))?)*\s*/?>)",
        "a component",
        'The site has none of this name: check the spelling, or write it in the folder "components", under a name without dots; write code in backticks.',
    ),
)
_WORD_CHARS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ "
_PARTLY = frozenset({"attr_list", "emoji", "blocks", "mdbook", "tabs"})
"""Extensions that take some of what looks like theirs; the rest is reported all the same."""
_TEMPLATES = ("{{", "{%")
_WITHOUT_EMOJI = ("mdbook", "myst", "rst")
"""Extensions of engines in which a short code of an emoji is text."""
_OF_MARKDOWN = frozenset({"mark", "keys", "tilde", "caret", "obsidian"})
_STATEMENTS = ("import", "export")
_STATEMENT = re.compile(r"\n(?:im|ex)port\b")
_KEPT = (
    bytes(sorted(set("".join(construct.trigger for construct in _CONSTRUCTS).encode()) - set(_WORD_CHARS)))
    + b"^|"
    + MARKS
)
_DROPPED = bytes(set(range(256)) - set(_KEPT))
"""All bytes that are not a mark of a construct."""


def _marks_of(text: str) -> bytes:
    """Leave only the marks of a text: a trigger that is not in them is not in the text either.

    The marks are a tenth of a page, and this is one pass at the speed of memory; looking for each trigger in the whole
    text made compiling a tenth slower.
    """
    return text.encode("utf-8", "replace").translate(None, _DROPPED)


_LINE_START = ("!!!", "???", "===", "///", "..", "<<<", "*[")
"""Marks that count at the head of a line only."""
_OTHER_MARKS = {
    r"\{:[ \t]*": (b"{:",),
    r"\{[ \t]+[#.]": (b"{#", b"{.", b"{="),
    "toc|TOC": (b"\n[]", b"\n[[]]", b"\n[_]", b"\n[[_"),
}
"""A piece of a pattern → the first characters of its matches, where these say more than the trigger."""


def _marks_for(construct: _Construct) -> tuple[bytes, ...]:
    """What the marks of a text hold, one of these at least, where the construct may be in it."""
    for piece, others in _OTHER_MARKS.items():
        if piece in construct.pattern.pattern:
            return others
    marks = _marks_of(construct.trigger)
    return (b"\n" + marks if marks.decode() in _LINE_START else marks,)


_BY_MARKS = tuple(
    (mark, construct)
    for construct in _CONSTRUCTS
    if construct.trigger not in _STATEMENTS
    for mark in _marks_for(construct)
)
_STATEMENT_CONSTRUCTS = tuple(construct for construct in _CONSTRUCTS if construct.trigger in _STATEMENTS)

_UNDEFINED_FOOTNOTE = re.compile(r"(?P<at>\[\^(?<!\\\[\^)[^\]\s]{1,999}\])(?!:)")
_LINK_WITH_SPACE = re.compile(r"\]\([^()\n\"'<> ]+ [^()\n\"'<>]+\)")
_LIKE_ADDRESS = re.compile(r"[/.#]")
_PIPE_LINES = _compiled(
    r"^[ \t>]*(?P<at>\|[^\n]*\|)[ \t]*\n(?P<second>[ \t>]*\|[^\n]*\|[ \t]*)(?:\n[ \t>]*\|[^\n]*\|[ \t]*)*$"
)
# Possessive within a cell: the ways to divide sixty dashes among cells are more than can be tried, where a row is not a delimiter.
_DELIMITERS = re.compile(r"[ \t>]*+\|?+(?:[ \t]*+:?+-++:?+[ \t]*+\|?+)+[ \t]*+")

_NO_TEXT = frozenset({"CodeBlock", "Link", "Image", "Table"})
"""Blocks and pieces whose content is not plain text of the page, or is parsed as what it looks like."""

_Parse = Callable[[str], Iterable[tuple[Any, Any]]]


def audit(fragment: Fragment, context: CompileContext, parse: _Parse, dialect: Dialect) -> None:
    """Report constructs of other dialects in a fragment.

    Args:
        fragment: Markdown whose components are lifted out.
        context: Takes the findings.
        parse: The parser, as the renderer uses it: text → events with ranges in bytes.
        dialect: What is syntax in it is handled by the scanner.
    """
    text = fragment.text
    found = list(_candidates(text, dialect))
    if found and ("```" in text or "~~~" in text):
        # Most are in fenced code; the parser is asked only about the others.
        in_code = Places((start + 1, end) for start, end in fenced(text))
        found = [one for one in found if not in_code.hold(one[0])]
    if context.options.variables:
        # Those of unknown names are reported where values are put in.
        found = [one for one in found if not VARIABLE_USE.match(text, one[0])]
    if may_be_open(text):
        size = len(text) if text.isascii() else len(text.encode())
        # The parser has seen that these are text, in cells of tables as well.
        opened = list(left_open(text, parse(text), ByteOffsets(text), size))
        found = [*_in_text(found, text, parse, _NO_TEXT), *_in_text(opened, text, parse, _NO_TEXT - {"Table"})]
    else:
        found = _in_text(found, text, parse, _NO_TEXT)
    if unread := list(unread_in_html(text, is_mdx=dialect.is_mdx)):
        found += _in_html(unread, text, parse)
    if tags := _in_text(list(malformed_tags(text)), text, parse, _NO_TEXT):
        blocks = Places(_html_blocks(text, parse))
        found += [one for one in tags if not blocks.hold(one[0])]
    reported = -1
    for at, code, message, suggestion in sorted(found):
        if at != reported:
            reported = at
            context.report("warn", code, message, fragment.source, fragment.origin(at), suggestion=suggestion)


def _in_html(found: list[Candidate], text: str, parse: _Parse) -> Iterator[Candidate]:
    """Keep what lies in lines that the parser takes for HTML, and not in code or in comments within it."""
    comments = comments_in(text) if "<!--" in text else ()
    other = Places((start + 1, end) for start, end in (*raw_code(text), *comments))
    blocks = Places(_html_blocks(text, parse))
    for one in found:
        if blocks.hold(one[0]) and not other.hold(one[0]):
            yield one


def _html_blocks(text: str, parse: _Parse) -> list[tuple[int, int]]:
    """Find the lines that the parser takes for HTML: starts and ends in characters."""
    offsets = ByteOffsets(text)
    size = len(text) if text.isascii() else len(text.encode())
    return [
        (offsets.char(min(place["start"], size)), offsets.char(min(place["end"], size)))
        for event, place in parse(text)
        if event.__class__ is dict and "Html" in event
    ]


def _in_text(found: list[Candidate], text: str, parse: _Parse, other: frozenset[str]) -> list[Candidate]:
    """Keep what is in text, and not in comments, code or blocks of some other kinds."""
    if not found:
        return []
    places = Places(_no_text(text, parse, other))  # in `[[label]]`, the inner brackets may be a link
    return [one for one in found if not places.hold(one[0] + text.startswith("[[", one[0]))]


def _candidates(text: str, dialect: Dialect) -> Iterator[tuple[int, str, str, str]]:
    """Find what may be a construct: (offset in characters, code, message, suggestion)."""
    padded = f"\n{text}"
    marks = _marks_of(padded)
    found = [one for mark, one in _BY_MARKS if mark in marks and one.trigger in text]
    if not dialect.is_mdx and _STATEMENT.search(padded):
        found += _STATEMENT_CONSTRUCTS
    are_text = not dialect.extensions.isdisjoint(_WITHOUT_EMOJI)
    for construct in dict.fromkeys(found):
        if dialect.is_mdx and construct.in_markdown_only:
            continue
        if construct.trigger in _TEMPLATES and not dialect.extensions.isdisjoint(("eleventy", "jekyll")):
            continue  # templates are evaluated there; what is left is meant to be shown
        if construct.extension in dialect.extensions and (
            construct.is_of_another or construct.extension not in _PARTLY
        ):
            continue
        for match in construct.pattern.finditer(padded):
            if construct.extension == "emoji" and (are_text or not _is_short_code(match["at"])):
                continue
            if construct.extension in _OF_MARKDOWN and "rst" in dialect.extensions:
                continue  # pages of reStructuredText are rewritten as Markdown, and have no such marks
            if construct.what == "a component" and not _is_used_as_component(match, text):
                continue
            shown = match["at"] if len(match["at"]) <= 60 else f"{match['at'][:60]}…"
            message = f'"{shown}" looks like {construct.what}; it is shown as text.'
            yield match.start("at") - 1, construct.code, message, construct.suggestion
    if b"[^" in marks:
        for match in _UNDEFINED_FOOTNOTE.finditer(text):
            message = f'The footnote "{match["at"]}" is not defined; its mark is shown as text.'
            yield match.start("at"), "undefined-footnote", message, f'Write "{match["at"]}: …" on a line of its own.'
    if "](" in text:
        for match in _LINK_WITH_SPACE.finditer(text):
            if not _LIKE_ADDRESS.search(match[0]) or "  " in match[0]:
                continue
            at = text.rfind("[", text.rfind("\n", 0, match.start()) + 1, match.start())
            if at >= 0:
                at -= text[at - 1 : at] == "!"
                message = f'"{text[at : match.end()][:80]}" is not a link: its address holds a space.'
                yield at, "link-space", message, "Write %20 for the space, or <…> around the address."
    yield from written_wrongly(text)
    yield from slips(padded, marks)
    yield from unfinished(padded, marks, dialect)
    if b"|\n" in marks:
        for match in _PIPE_LINES.finditer(padded):
            if _DELIMITERS.fullmatch(match["second"]):
                if match["at"].count("|") == match["second"].count("|"):
                    continue
                message = "This is not a table: the row of dashes has another number of columns than the row above it."
            else:
                message = "This is not a table: the row of dashes under its first row is missing."
            yield match.start("at") - 1, "table", message, "Write | --- | for each column under the first row."


def _is_short_code(shown: str) -> bool:
    """Whether this is the name of an emoji or icon; `:orphan:` and the middle of `src:https:` are text."""
    name = shown.strip(":")
    return is_icon(name) or emoji(name) is not None


def _is_used_as_component(match: re.Match[str], text: str) -> bool:
    """Whether a tag is more than a placeholder such as `<Username>`."""
    tag = match["at"]
    return tag.endswith("/>") or "=" in tag or f"</{match['name']}>" in text


def _no_text(text: str, parse: _Parse, other: frozenset[str]) -> list[tuple[int, int]]:
    """Find where the parser sees something else than text: starts and ends in characters."""
    offsets = ByteOffsets(text)
    size = len(text) if text.isascii() else len(text.encode())
    spans = raw_code(text)
    if "<!--" in text:  # one that begins in a line is not a block of its own, and its content is text to the parser
        spans += comments_in(text)
    for event, place in parse(text):
        if event.__class__ is str:
            continue
        key = next(iter(event))
        value = event[key]
        name = value if value.__class__ is str else next(iter(value)) if key == "Start" else ""
        if (
            key in ("Code", "FootnoteReference", "InlineMath", "DisplayMath")
            or (key == "Start" and name in other)
            or (key in ("Html", "InlineHtml") and value.startswith("<!--"))
        ):
            start = offsets.char(min(place["start"], size))
            spans.append((start, offsets.char(min(place["end"], size))))
    return spans
