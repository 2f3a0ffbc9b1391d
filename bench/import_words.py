"""The words of a source that its readers should see, found by other means than the compiler's own."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator

WORD = re.compile(r"[^\W\d_]{4,}")
_FRONT = re.compile(r"\A(?:[ \t]*\n)*(?:---[ \t]*\n.*?\n---|\+\+\+\n.*?\n\+\+\+)[ \t]*(?:\n|\Z)", re.DOTALL)
_FENCE = re.compile(r"(?P<indent>[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*)(?P<mark>`{3,}|~{3,})(?P<info>.*)")
_DIRECTIVE = re.compile(r"\s*\{[\w:-]+\}")
_NO_WORDS_IN_CODE = re.compile(
    # Options of MyST's blocks and cells, marks of lines, and TeX's commands.
    r"^[^\n\w]*(?:highlight|error)-(?:next-line|start|end)\b[^\n]*$|\[!code[^\]\n]*\]|\[!(?:include|(?:end)?region)\b[^\n]*|^[ \t]*:[a-z][\w-]*:[^\n]*$|\\(?:begin|end)\{[a-z]+\*?\}|\\[A-Za-z]+|https?://\S+"
    # What takes a file in: marks of Liquid, Jinja, mdBook and Hugo.
    r"|\{%.*?%\}|\[\[%.*?%\]\]|\{\{[#<%].*?\}\}|^[ \t]*-+8<-+[ \t]*\n(?:(?![ \t]*-+8<-)[^\n]*\n){1,40}?[ \t]*-+8<-+[ \t]*$|^[ \t]*-+8<-+[^\n]*$",
    re.MULTILINE,
)
_TWOSLASH = re.compile(
    r"\A.*^[ \t]*// ---cut(?:-before)?---[ \t]*$|^[ \t]*// ---cut-after---[ \t]*$.*|^[ \t]*// ---cut-start---[ \t]*$.*?^[ \t]*// ---cut-end---[ \t]*$"
    r"|^[ \t]*//[ \t]*(?:@(?!filename\b)[A-Za-z][^\n]*|\^[?|][ \t]*)$",
    re.DOTALL | re.MULTILINE,
)
"""Lines of code that only Twoslash reads."""
_DOCTEST = re.compile(r"#[ \t]*doctest:[^\n]*|^[ \t]*<BLANKLINE>[ \t]*$", re.MULTILINE)
"""What sessions of Python say to doctest, which Sphinx does not show."""
_HIDDEN_RUST = re.compile(r"^[ \t]*#(?![#!\[])[^\n]*$", re.MULTILINE)
"""Lines of Rust that mdBook and rustdoc hide."""
_HIDDEN_CELL = re.compile(r"^(?:[ \t]*:)?tags:[^\n]*\bremove[-_](?:cell|input)\b", re.MULTILINE)
"""Options of a cell of which readers see what it prints, or nothing."""
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)((?:(?!\n[ \t]*\n).)+?)(?<!`)\1(?!`)", re.DOTALL)
_ROLE = re.compile(r"\{[a-z][\w:+-]*\}(`+)(?:([^`<]*)<[^`]*>|[^`]*)\1")
"""A role of MyST. The target of one without a text of its own is replaced by a title."""
_STATEMENT = re.compile(r"^(?:import|export)\b", re.MULTILINE)
_PROGRAM = re.compile(
    r"<(script|style|include)\b.*?</\1\s*>|<!--.*?-->|\{/\*.*?\*/\}"
    r"|\{%-?\s*comment\s*-?%\}.*?\{%-?\s*endcomment\s*-?%\}|\[\[%.*?%\]\]",
    re.DOTALL,
)
_SHORTCODE = re.compile(r"\{\{([<%]).*?[>%]\}\}")
"""A shortcode of Hugo, which counts in code and in addresses as well."""
_OF_RETYPE = re.compile(
    r"\[!(?:badge|button|ref|file|icon|embed|video|audio|youtube|card|image|link)\b((?:[ \t]+(?:\"[^\"\n]*\"|[^\]\"\n])*)?)\](?:\([^()\n]*\))?|:icon-[a-z0-9-]+:",
    re.MULTILINE,
)
"""A component of Retype, of which readers see the texts in it, and an icon."""
_OPTION_OF_RETYPE = re.compile(r"""([A-Za-z][\w-]*)=(?:"([^"\n]*)"|'[^'\n]*'|[^\s"'\]]+)""")
_NO_WORDS = re.compile(
    r"^\+\+\+[ \t]*\{[^\n]*$|\\[A-Za-z]+"
    # Names of pages and files between double brackets, where another text is shown for them or they are shown themselves.
    r"|%%[^%\n]*%%|(?<=\S)[ \t]\^[\w-]+[ \t]*$"
    r"|!\[\[[^\[\]\n]*\]\]|(?<=\[\[)[^\[\]\n|]*\||(?<=\[\[)[^\[\]\n|]*#(?=[^\[\]\n|]*\]\])"
    r"|^[ \t>]*---[ \t]*\n(?:[ \t>]*[\w-]+:[^\n]*\n|(?![ \t>]*[\w-]+:)[ \t]{2}[^\n]*\n)+?[ \t>]*---[ \t]*$|^[ \t]*%[ \t][^\n]*$"
    r"|\]\((?:[^()\n]|\([^()\n]*\))*\)|https?://(?:(?!\]\()[^\s\x22])+|^[ \t>]*\*?\[(?!\^)[^\]\n]+\]:[ \t]*(?:[^\s][^\n]*|\n[ \t]+\S[^\n]*)?$|\[\^[^\]\s]+\]:?|\]\[[^\]\n]*\](?!\()"
    r"|^[ \t>]*-+8<-+[^\n]*$|^[ \t]*<<<[^\n]*$|^[ \t]*@\[code[^\n]*$|^[ \t]*@include[^\n]*$|^[ \t]*>[ \t]*\[!\w+\]|^[ \t]*:[a-z][\w-]*:(?:[ \t][^\n]*)?$|(?<!\w):[a-z0-9_+-]+:(?!\w)|\[\[toc\]\]"
    r"|^[ \t]*(?:#+[ \t]+)?:::[ \t]+[A-Za-z_][\w.]*[ \t]*(?:\n(?:[ \t]*\n)*[ ]{2,}[^\n]*)*$"
    r"|^[ \t]*\([^()\s]+\)=[ \t]*$|^[ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+)*:{3,}[^\n]*$|^[ \t]*::[a-z][\w-]*|^[ \t]*:[a-z][\w-]*:[^\n]*$|&[a-z]+;|\{[#.:%][^}\n]*\}|\{\{.*?\}\}"
    r"|^[ \t]*///[^\n]*(?:\n[ \t]*[a-z][\w-]*:[^\n]*)+|^[ \t]*(?:!!!|\?\?\?\+?|===|///)[^\n]*$",
    re.DOTALL | re.MULTILINE,
)
_TAG = re.compile(r"</?(?:[A-Za-z][\w.:-]*)?(?=[\s/>{])")
_ATTRIBUTE = re.compile(
    r"""(?<![\w:@-])(?:title|label|caption|heading|subtitle|summary|text|alt)=(?:"([^"]*)"|'([^']*)')"""
)
"""Attributes whose words components show."""


_RST = re.compile(
    # What readers of a page in reStructuredText never see: comments, targets, names of substitutions, fields, options, roles, tables of contents.
    r"^[ \t]*\.\.[ \t]+(?:toctree|autosummary|index|meta|contents|highlight|currentmodule|py:currentmodule|module|program|raw|only|include|literalinclude|auto\w+|rst-class|tabularcolumns|csv-table|role|default-role|testsetup|testcleanup)::[^\n]*\n(?:[ \t]*\n|[ \t]+[^\n]*(?:\n|\Z))*"
    r"|[ \t]*\.\.[ \t]+(?:code-block|code|sourcecode|ifconfig|ipython|image|figure|prompt|moduleauthor|sectionauthor|codeauthor|container|grid)::[^\n|]*"
    r"|(?::external[\w+:-]*)?:(?:doc|ref|numref|download|any):`[^`<]*`|(?<=`)(\d+)#[\w-]+(?=`)|\[#[\w.-]+\]_?|^[ \t]*:param[^\n:]*:"
    r"|^(?P<to>[ \t]*)\.\.[ \t]+_[^\n]*$(?:\n(?P=to)[ \t]+\S[^\n]*)*|^[ \t]*\.\.[ \t]+\|[^|\n]+\|[^\n]*$|^[ \t]*\.\.[ \t]+[a-z][\w:.+-]*::|^[ \t]*:[a-z][\w -]*:[^\n]*$"
    r"|^(?P<in>[ \t]*)\.\.(?![ \t]+(?:[\w:.+-]+::|\[[^\[\]\n]+\]|_|\|))[^\n]*\n(?:[ \t]*\n|(?P=in)[ \t]+[^\n]*(?:\n|\Z))*"
    r"|:[a-z][\w:.+-]*:(?=`)|\s*<[^<>`]+>`|\|[^|\n]+\|_{0,2}|https?://\S+|\\[A-Za-z]+",
    re.MULTILINE | re.IGNORECASE,
)


_TERMINAL_COLOR = re.compile(r"\x1b\[[0-9;:]*[A-Za-z]")
_STYLE = re.compile(r"^<(style|script)\b.*?</\1\s*>", re.DOTALL | re.MULTILINE)
"""Programs that begin a line, which go to their end tag whatever they hold."""
_LIQUID_COMMENT = re.compile(r"\{%-?\s*comment\s*-?%\}.*?\{%-?\s*endcomment\s*-?%\}", re.DOTALL)
_LIQUID_CONDITION = re.compile(
    r"\{%-?\s*(if|unless|case)\b(?:(?!\{%-?\s*(?:if|unless|case)\b).)*?\{%-?\s*end\1\s*-?%\}", re.DOTALL
)
"""A condition that holds no other: which part of it readers see depends on the site."""
_LIQUID = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)


def words_in(path: str, source: str, *, is_liquid: bool = False) -> Counter[str]:
    """Count the words that readers of a file should see; in reStructuredText by its own marks.

    Args:
        path: Its path; the ending says its syntax.
        source: Its text.
        is_liquid: It is a template of Jekyll, its code as well.
    """
    if is_liquid:
        source, found = _LIQUID_COMMENT.sub(" ", source), 1
        while found:
            source, found = _LIQUID_CONDITION.subn(" ", source)
        source = _LIQUID.sub(" ", source)
    if not path.endswith(".rst"):
        return visible_words(source)
    source = _DOCTEST.sub("", source)
    # Of a name with a tilde, readers see the last part.
    source = re.sub(r"(?<=`)~[\w.]+\.(?=\w+(?:\(\))?`)|(?<=<)[^<>`]*(?=>`)", "", source)
    return Counter(WORD.findall(_RST.sub(" ", source.replace("\r\n", "\n")).replace("\\ ", "").lower()))


def visible_words(source: str) -> Counter[str]:
    """Count the words of four letters and more, in small letters, that readers of a source should see.

    Taken out are front matter, comments, programs, statements, expressions, tags but for the titles in them, addresses,
    and the marks of the dialects. Code counts whole.
    """
    source = _TERMINAL_COLOR.sub("", source)
    text = _SHORTCODE.sub("", _FRONT.sub("", source.removeprefix("\ufeff").replace("\r\n", "\n")))
    words: Counter[str] = Counter()
    for is_code, piece in _pieces(_STYLE.sub("", text)):
        # Code has no character references: `&registry` is not a sign of a registered trademark.
        shown = _NO_WORDS_IN_CODE.sub(" ", piece) if is_code else _prose(piece)
        words.update(WORD.findall(shown.replace("\\_", "_").lower()))
    return words


def shown_words(page: str) -> Counter[str]:
    """Count the words that a page shows, in its text and in the attributes that readers see or hear."""
    page = re.sub(r"<style\b.*?</style>|<script>.*?</script>", " ", page, flags=re.DOTALL)
    words: Counter[str] = Counter()
    for text in (
        _HTML_TAG.sub("", page),
        _HTML_TAG.sub(" ", page),
        # Marks such as `\n` are taken out of the sources too.
        re.sub(r"\\[A-Za-z]+", " ", _HTML_TAG.sub("", page)),
        " ".join(
            double or single
            for double, single in re.findall(
                r"""\s(?:alt|title|aria-label|placeholder|label|content|value)=(?:"([^"]*)"|'([^']*)')""", page
            )
        ),
    ):
        words.update(WORD.findall(html.unescape(text).lower()))
    return words


_HTML_TAG = re.compile(r"""</?[A-Za-z](?:[^<>"']|"[^"]*"|'[^']*')*>|<!--.*?-->""", re.DOTALL)


def _pieces(text: str) -> Iterator[tuple[bool, str]]:
    """Split a source at its fences: (whether it is code, text)."""
    prose: list[str] = []
    lines = iter(text.split("\n"))
    for written in lines:
        line = written
        for mark, close in (("<!--", "-->"), ("{/*", "*/}")):
            start = line.find(mark)
            if start >= 0 and line.count("`", 0, start) % 2 == 0 and close not in line[start:]:
                # What a comment of several lines holds is not code either.
                prose.append(line[:start])
                line = next((rest.partition(close)[2] for rest in lines if close in rest), "")
        fence = _FENCE.fullmatch(line)
        if not fence or (fence["mark"][0] == "`" and "`" in fence["info"]):
            prose.append(line)
            continue
        inner: list[str] = []
        end = re.compile(
            rf"[ \t>]{{0,{len(fence['indent']) + 3}}}{re.escape(fence['mark'])}{re.escape(fence['mark'][0])}*[ \t]*"
        )
        for code in lines:
            if end.fullmatch(code):
                break
            inner.append(code)
        if "{eval-rst}" in fence["info"]:
            yield True, _RST.sub(" ", "\n".join(inner))
        elif fence["info"].strip() == "{toctree}" or (
            fence["info"].startswith("{code-cell}") and _HIDDEN_CELL.search("\n".join(inner))
        ):  # names of pages, which show their titles
            pass
        elif _DIRECTIVE.match(fence["info"]) or fence["info"].strip().partition(" ")[0] in (
            "admonish",
            "mdx-code-block",
        ):
            yield from _pieces("\n".join(inner))
        elif not fence["info"].strip().startswith("="):
            quoted = fence["indent"].strip()
            code = _DOCTEST.sub(
                "", "\n".join(line.removeprefix(quoted).lstrip() if quoted == ">" else line for line in inner)
            )
            if re.match(r"rust\b", fence["info"]):
                code = _HIDDEN_RUST.sub("", code)
            yield True, _TWOSLASH.sub("", code) if "twoslash" in fence["info"].split() else code
        prose.append("")
    yield False, "\n".join(prose)


_REFERENCE = re.compile(r"&#?\w+;")
_IN_WORDS = re.compile(r"(?<=\w)&[a-z]+;|&[a-z]+;(?=\w)(?<!&lt;)(?<!&amp;)")
"""Letters written as character references: `c&oacute;digo`."""


def _prose(text: str) -> str:
    spans: list[str] = []

    def keep(match: re.Match[str]) -> str:
        spans.append(match[2])
        return f" \x02{len(spans) - 1}\x03 "

    text = _IN_WORDS.sub(lambda match: html.unescape(match[0]), _PROGRAM.sub(" ", text))
    text = _ROLE.sub(lambda match: f" {match[2] or ''} ", text)
    text = _CODE_SPAN.sub(keep, text)
    text = _OF_RETYPE.sub(lambda match: f" {_texts_of_retype(match[1] or '')} ", text)
    text = _without_statements(text)
    text = _without_tags(text)
    # Without a semicolon, `&notes=1` is an address, and no sign.
    text = _REFERENCE.sub(lambda match: html.unescape(match[0]), _without_expressions(_NO_WORDS.sub(" ", text)))
    return re.sub(r"\x02(\d+)\x03", lambda match: spans[int(match[1])], text)


def _texts_of_retype(options: str) -> str:
    """Give what readers see of a component of Retype: its text and title, or the words that are not options."""
    free = _OPTION_OF_RETYPE.sub("", options).partition("|")[0]
    return " ".join([free, *(one[2] for one in _OPTION_OF_RETYPE.finditer(options) if one[1] in ("text", "title"))])


def _without_statements(text: str) -> str:
    """Take imports and exports out: to the first empty line at which no bracket is open."""
    out, place = [], 0
    while match := _STATEMENT.search(text, place):
        end = match.end()
        while True:
            blank = re.compile(r"\n[ \t]*(?:\n|\Z)|\Z").search(text, end)
            end = blank.end() if blank else len(text)
            statement = text[match.start() : end]
            if end >= len(text) or all(statement.count(a) <= statement.count(b) for a, b in ("{}", "()", "[]")):
                break
        out.append(text[place : match.start()])
        place = end
    return "".join([*out, text[place:]])


def _without_tags(text: str) -> str:
    """Take tags out, but for the titles in them; attributes may hold `>`, quotes and brackets."""
    out, place = [], 0
    while match := _TAG.search(text, place):
        end = _end_of_tag(text, match.end())
        if end is None:
            out.append(text[place : match.end()])
            place = match.end()
            continue
        tag = text[match.start() : end]
        out += [text[place : match.start()], " ", *(" ".join((*found, "")) for found in _ATTRIBUTE.findall(tag))]
        place = end
    return "".join([*out, text[place:]])


def _end_of_tag(text: str, place: int) -> int | None:
    while place < len(text):
        character = text[place]
        if character == ">":
            return place + 1
        if character in "\"'" and text[place - 1] == "=":
            place = text.find(character, place + 1)
            if place < 0:
                return None
        elif character == "{":
            place = _end_of_brackets(text, place) - 1
        elif character == "<" or text.startswith("\n\n", place):
            return None
        place += 1
    return None


def _without_expressions(text: str) -> str:
    out, place = [], 0
    while (start := text.find("{", place)) >= 0:
        end = _end_of_brackets(text, start)
        # A word that goes on behind an expression is one whose other part nobody knows.
        out.append(re.sub(r"\w+\Z", "", text[place:start]) if end > start + 1 else text[place:start])
        rest = _REST_OF_WORD.match(text, end) if end > start + 1 else None
        place = rest.end() if rest else end
    return "".join([*out, text[place:]])


_REST_OF_WORD = re.compile(r"\w*")


def _end_of_brackets(text: str, start: int) -> int:
    """The place behind the bracket that closes the one at `start`; behind that one itself where none does."""
    depth = 0
    for place in range(start, min(len(text), start + 20_000)):
        if text[place] == "{":
            depth += 1
        elif text[place] == "}":
            depth -= 1
            if not depth:
                return place + 1
    return start + 1
