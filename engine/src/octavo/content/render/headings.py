"""Headings: their ids, their place in the outline, and their HTML."""

from __future__ import annotations

from collections import Counter
from html import unescape
from itertools import islice
from typing import TYPE_CHECKING

from octavo.content.document import SLOT, Heading
from octavo.content.escape import escape, escape_attribute
from octavo.content.icons.short_codes import SHORT_CODE, emoji
from octavo.content.render.nodes.blocks import add_attributes
from octavo.content.render.parsing import as_typed
from octavo.content.slugger import slugify_docutils
from octavo.lazy import regex as re
from octavo.words import fill_word

if TYPE_CHECKING:
    from collections.abc import Callable

    from octavo.content.context import CompileContext
    from octavo.content.source import DocumentText

_EXPLICIT_ID = re.compile(r"(?<!\s)\s*(?:\{#([^{}]+)\}|%\{#([^{}]+)\}%)\s*\Z")
"""The second form is that of sites of VitePress whose pages hold `{{ }}` of Vue beside it."""
_NEXTRA_ID = re.compile(r"(?<!\s)(?:\s*\[(?:#(?P<id>[^\[\]\s]+)|!?toc)\])+\s*\Z")
"""Nextra and Fumadocs write ids in square brackets, and beside them whether the list of contents has the heading."""
_SLOT = re.compile(rf"{SLOT}[^{SLOT}]*{SLOT}")
_DRAWN = re.compile("[‘’“”–—…]")
_CODE = re.compile(r"(<code\b[^<>]*>(?:(?!<code\b).)*?</code>)", re.DOTALL)
_ESCAPED_TAG = re.compile(r"&lt;/?[A-Za-z][^&<>@ ]*(?: [^&<>]*)?&gt;")
_ANY_TAG = re.compile(r"<[^<>]*>")
_EMPHASIS = re.compile(r"</?(?:em|(?P<is_strong>strong))>")
_LINK_OR_IMAGE = re.compile(r"</?a\b[^>]*>|<img\b[^>]*>")
_ANY_ID = re.compile(r"""\bid="([^"]*)\"""")
_SECOND_ID = re.compile(r"""<span id="[^"]*"></span>""")
_OWN_ID = re.compile(r"""(?<!\s)\s+(?:id|name)=(?:"[^"]*"|'[^']*'|[^\s"'>]+)""")
_AS_WRITTEN = frozenset({"hugo", "kramdown"})
"""Styles of `Dialect.slugs` in which what is written makes the id."""
_WITHOUT_TAGS = frozenset({"python-markdown", "pymdownx", "vitepress", "vitepress-cased"})
"""Styles in which HTML in a title is not part of its id."""
_CHARACTER = re.compile(
    r"(?P<code>(?<!`)(?P<ticks>`+)(?!`)(?P<inner>.+?)(?<!`)(?P=ticks)(?!`))|(?P<entity>&#?\w+;)|\\(?P<escaped>[<&])"
)
"""Code, and characters that mean no tag because of how they are written."""
_MOST_CHARACTERS = 1_000
"""Most of them that are looked at in one title: each is searched for in the whole of it."""
_MARKS_BEFORE = re.compile(r"\A(?:[ \t]*(?:>|[-*+][ \t]|\d+[.)][ \t]))*[ \t]*(?:#{1,6}(?=[ \t]|$))?[ \t]*")
_MARKS_AFTER = re.compile(r"(?:[ \t]+#+)?[ \t]*(?:\{[^{}]*\})?[ \t]*\Z")
_TEMPLATE = ("{{", "{%")


def render_heading(
    context: CompileContext,
    level: int,
    html: str,
    text: str,
    source: DocumentText,
    locate: Callable[[], int],
    attributes: dict[str, str],
) -> str:
    """Record a heading and draw it.

    Args:
        context: The page it belongs to.
        level: 1 to 6.
        html: Its content with slots, `{#id}` included.
        text: Its plain text, `{#id}` included.
        source: The file that contains it.
        locate: Gives its offset in characters of the file; asked only where there is a problem.
        attributes: What an attribute list gives it: `id`, `class` and others.
    """
    explicit = attributes.get("id")
    if text.rstrip().endswith(("}", "}%")) and (match := _EXPLICIT_ID.search(text)):
        words = _id_as_written(match, html).split()
        explicit = "-".join(words)
        if any(word[:1] in (".", "#") or "=" in word for word in words[1:]):
            explicit = words[0]
            message = f'Of "{match[0].strip()}" only the id "{explicit}" is known here; the rest is left out.'
            hint = 'Take it out, or name "attr_list" among the extensions of [markdown].'
            context.report("warn", "foreign-syntax", message, source, locate(), suggestion=hint)
        text, html = text[: match.start()], _EXPLICIT_ID.sub("", html)
    elif text.rstrip().endswith("]") and "nextra" in source.dialect.extensions and (match := _NEXTRA_ID.search(text)):
        explicit = match["id"] or explicit
        text, html = text[: match.start()], _NEXTRA_ID.sub("", html)
    single_spaced = " ".join(text.split())
    # Each space of the author's becomes a hyphen; those around an image, which is left out, are one.
    slug_text = single_spaced if "<img" in html else text.strip().replace("\n", " ")
    style = context.slugger.style
    may_have_entities = style == "vitepress" and ("&" in html or "{" in html or not html.isascii())
    if style in _WITHOUT_TAGS and ("<" in slug_text or may_have_entities):
        written = _with_entities(source.text[locate() :].lstrip("\n").partition("\n")[0], slug_text)
        if "<" in written and SLOT not in html:
            slug_text = _without_tags(html)
        elif style == "vitepress":
            slug_text = written
    extensions = source.dialect.extensions
    if "smart" in extensions and "smart_titles" not in extensions and not slug_text.isascii():
        line = source.text[locate() :].lstrip("\n").partition("\n")[0]
        slug_text = slug_text if _DRAWN.search(line) else as_typed(slug_text)
    if context.slugger.style in _AS_WRITTEN:
        written = source.text[locate() :].lstrip("\n").partition("\n")[0]
        slug_text = _title_as_written(context.slugger.style, written, text, slug_text)
    text = single_spaced
    html = html.strip()
    anchor = "" if level == 1 else _anchor(context, explicit, slug_text, source, locate)
    context.headings.append(Heading(level, anchor, _for_contents(html) or escape(text), text))
    context.prose("heading", text)
    html = _with_slug_of_myst(context, slug_text, html, source)
    if level == 1:
        # A title takes the slug of its text in every style, so that a later heading of the same text has another id.
        slug = explicit or context.slugger.heading(slug_text)
        # Docusaurus gives titles no id; Starlight gives one to each in the text of a page.
        if context.slugger.style not in ("github", "github-cased", "mintlify") or "starlight" in extensions:
            attributes = {"id": slug, **attributes}
        if "id" in attributes:
            context.anchors.append(attributes["id"])
        return add_attributes("<h1>", attributes) + f"{html}</h1>"
    own = f"<h{level}>"
    if attributes:
        own = add_attributes(own, {key: value for key, value in attributes.items() if key != "id"})
    label = escape_attribute(fill_word(context.words["heading.link"], name=text))
    href = escape_attribute(anchor)
    return (
        f'<div class="heading heading-{level}">{own[:3]} id="{href}"{own[3:]}{html}</h{level}>'
        f'<a class="hash-link" href="#{href}" aria-label="{label}"></a></div>'
    )


def _with_slug_of_myst(context: CompileContext, text: str, html: str, source: DocumentText) -> str:
    """Put a second id into a heading of MyST: the one of GitHub, by which addresses may lead to it, where that of docutils is another.

    References:
        MyST-Parser 5.2, `AddSlugIds`, read in 2026-12.
    """
    slugger = context.second_slugger
    if slugger is None or source.path.endswith(".rst") or not slugger.slug_of(text):
        return html
    slug = slugger.heading(text)
    if slug == slugify_docutils(text):
        return html
    second = f'<span id="{escape_attribute(slug)}"></span>'
    context.second_ids.append(second)
    return f"{second}{html}"


def settle_second_ids(body: str, context: CompileContext) -> str:
    """Take the second ids of headings out that something else on the page has, wherever this is."""
    counts = Counter(_ANY_ID.findall(body))
    doubled = {second for second in context.second_ids if counts[second[len('<span id="') : -len('"></span>')]] > 1}

    def keep(match: re.Match[str]) -> str:
        if match[0] not in doubled:
            return match[0]
        doubled.discard(match[0])
        return ""

    return _SECOND_ID.sub(keep, body) if doubled else body


def _id_as_written(match: re.Match[str], html: str) -> str:
    """Give an id with its underscores: to the parser, those of `{#acme.Client.__call__}` mean emphasis."""
    drawn = _EXPLICIT_ID.search(html)
    if drawn is None or "<" not in drawn[0]:
        return str(match[1] or match[2])
    marked = _EMPHASIS.sub(lambda tag: "__" if tag["is_strong"] else "_", drawn[1] or drawn[2])
    return unescape(_ANY_TAG.sub("", marked))


def _title_as_written(style: str, line: str, shown: str, usual: str) -> str:
    """Give the text of which the id of a title is made.

    Args:
        style: `hugo` or `kramdown`.
        line: The line of the source that holds the title.
        shown: The title without marks, with the spaces at its ends.
        usual: The text that other styles use.
    """
    if any(mark in line for mark in _TEMPLATE):
        return usual
    if style == "kramdown":
        return _with_codes(line, shown).replace("\n", " ").replace("\t", " ")
    title = _MARKS_AFTER.sub("", _MARKS_BEFORE.sub("", line, count=1))
    # What is not in the line, such as a title in two lines or one from elsewhere, is no reason to give an id of another text.
    return title if _is_within(_letters(usual), _letters(title)) else usual


def _with_codes(line: str, shown: str) -> str:
    """Write the emojis of a title as their short codes: Jekyll draws them when the id is there already."""
    for match in SHORT_CODE.finditer(line):
        drawn = emoji(match["name"])
        if drawn is not None:
            shown = shown.replace(drawn, match[0], 1)
    return shown


def _with_entities(line: str, text: str) -> str:
    """Write characters of a title as the entities that its author wrote for them, `&lt;` for one; an escaped bracket as a space.

    Args:
        line: The line of the source that holds the title.
        text: The title as it is drawn, without marks.
    """
    parts: list[str] = []
    end = 0
    for match in islice(_CHARACTER.finditer(line), _MOST_CHARACTERS):
        drawn = match["inner"].strip() if match["code"] else match["escaped"] or unescape(match["entity"])
        start = text.find(drawn, end) if drawn else -1  # an entity of a character that may not be written is nothing
        if start < 0:
            continue
        parts += [text[end:start], drawn.replace("<", " ") if match["code"] else match["entity"] or " "]
        end = start + len(drawn)
    return "".join(parts) + text[end:]


def _letters(text: str) -> str:
    return "".join(char for char in text.lower() if char.isascii() and char.isalnum())


def _is_within(part: str, whole: str) -> bool:
    """Whether these letters are in the other text in the same order."""
    rest = iter(whole)
    return all(char in rest for char in part)


def _without_tags(html: str) -> str:
    """Give a title without what looks like tags outside of code, such as `<name>`: these engines take it for HTML."""
    pieces = _CODE.split(html)
    pieces[::2] = [_ESCAPED_TAG.sub("", piece) for piece in pieces[::2]]
    return unescape(_ANY_TAG.sub("", "".join(pieces))).strip().replace("\n", " ")


def _anchor(
    context: CompileContext, explicit: str | None, text: str, source: DocumentText, locate: Callable[[], int]
) -> str:
    slugger = context.slugger
    if explicit is None:
        return slugger.heading(text)
    if slugger.has(explicit):
        message = f'The heading id "{explicit}" is used twice on this page.'
        context.report(
            "warn", "duplicate-anchor", message, source, locate(), suggestion="Give this heading another id."
        )
    return slugger.unique(explicit)


def _for_contents(html: str) -> str:
    """The heading as the table of contents shows it: inline HTML without links, images, components and ids."""
    if "<" not in html and SLOT not in html:
        return html
    return _OWN_ID.sub("", _SLOT.sub("", _LINK_OR_IMAGE.sub("", html))).strip().replace("  ", " ")


_EMPTY = r"(?:\s|</?p>|<(?P<empty>a|div|i|span)\b[^<>]*></(?P=empty)>)*"
"""What shows nothing between an element and the heading below it: several ids may be written above one."""


def settle_ids(body: str, context: CompileContext) -> str:
    """Take the ids of headings from other elements of the page: an id names one element, and links mean the heading.

    An element in its heading, and an empty one above it, which authors write so that the id stays when the heading changes,
    are not mistakes; any other is a finding.
    """
    anchors = {heading.anchor for heading in context.headings if heading.anchor}
    for anchor in sorted(anchors.intersection(context.html_ids)):
        name = re.escape(escape_attribute(anchor))
        written = rf"""\s+id=(?:"{name}"|'{name}'|{name}(?=[\s>]))"""
        element = re.compile(rf"<(?!h[1-6]\b)(?P<tag>[a-zA-Z][\w-]*)(?P<before>[^<>]*?){written}(?P<after>[^<>]*>)")
        match = element.search(body)
        if match is None:
            continue
        rest = body[match.end() :]
        above = re.match(rf"(?:</{match['tag']}>)?{_EMPTY}(?:<div[^<>]*>)?<h[1-6][^<>]*{written}", rest)
        within = re.search(rf"<h[1-6]\b[^<>]*{written}[^<>]*>(?:(?!</h[1-6]>).)*\Z", body[: match.start()], re.DOTALL)
        body = f"{body[: match.start()]}<{match['tag']}{match['before']}{match['after']}{rest}"
        if above is None and within is None:
            message = f'The id "{anchor}" is that of a heading too: links lead to the heading.'
            hint = "Give this element, or the heading, another id."
            context.report("warn", "duplicate-anchor", message, *context.html_ids[anchor], suggestion=hint)
    return body
