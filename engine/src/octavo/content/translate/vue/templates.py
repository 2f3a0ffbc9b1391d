"""Templates of Vue in the pages of VitePress and VuePress: `{{ $frontmatter.x }}`, literals, and elements that are repeated.

Each page of these engines is a component. Values that are written out in the front matter are put in. What a program
computes is not there for readers, and its source is nothing for them either: it is left out, with a finding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.content.plain import stretches
from octavo.content.translate.output import CodeRanges, Output
from octavo.content.translate.surroundings import Surroundings
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment

_MUSTACHE = re.compile(
    r"(?<!\\)(?<![$\\{])\{\{(?P<inner>(?:(?!\{\{|\}\})[^\n]){1,400})\}\}|\{\{[ \t]*\n(?P<lines>[^{}]{1,400})\}\}"
)
_LITERAL = re.compile(r"""(?P<quote>["'`])(?P<text>[^"'`\\\n$]*)(?P=quote)|(?P<number>\d+(?:\.\d+)?)""")
_FIELD = re.compile(r"(?:\$?frontmatter|\$?page\.frontmatter|\$page|\$?params)\??\.(?P<name>[A-Za-z_]\w*(?:\??\.\w+)*)")
_SITE_TITLE = re.compile(r"\$?(?:site|siteData)\??\.title|\$siteTitle")
_REPEATED = re.compile(
    r"<(?P<name>[A-Za-z][\w-]*)(?P<before>(?:[^<>\"']|\"[^\"<]{0,500}\"|'[^'<]{0,500}'){0,200}?)\sv-for="
)
_TEMPLATE = re.compile(r"<template(?:\s[^<>\n]{0,500})?>|</template\s*>")
"""A slot of a component, or a group of elements. Browsers hide the element of this name, and Vue shows what is in it."""
_TAG_END = re.compile(r"(?:[^<>\"']|\"[^\"]{0,2000}\"|'[^']{0,2000}'){0,2000}?(?P<closed>/?)>")
_VERBATIM = re.compile(
    r"(?P<colons>^[ \t]*:{3,}[ \t]*v-pre\b)|<(?P<name>[a-z][\w-]*)\b[^<>]*?\sv-pre(?=[\s>/=])[^<>]*>"
    r"|<(?P<hidden>(?:script|style)\b|!--)",
    re.MULTILINE,
)
_SHOWN = 60


def _verbatim_end(opening: re.Match[str]) -> str:
    """Give what ends a part of a page that Vue leaves as it is, or that readers do not see."""
    if opening["colons"]:
        return r"^[ \t]*:{3,}[ \t]*$"
    if opening["name"]:
        return rf"</{opening['name']}\s*>"
    return "-->" if opening["hidden"] == "!--" else r"</(?:script|style)\s*>"


def translate_vue(fragment: Fragment, context: CompileContext) -> Fragment:
    """Put in the values that a page's templates name, and leave out those that are computed."""
    text = fragment.text
    has_repeated, has_slots = "v-for=" in text, "<template" in text
    if "{{" not in text and not has_repeated and not has_slots:
        return fragment
    code, around = CodeRanges(text), Surroundings(fragment.source, context)
    verbatim = [(*one.span(), one.opening["hidden"] is not None) for one in stretches(text, _VERBATIM, _verbatim_end)]
    changes: list[tuple[int, int, str | None, str]] = []
    if has_repeated:
        changes += [(start, end, None, tag) for start, end, tag in _repeated(text)]
    for match in _TEMPLATE.finditer(text) if has_slots else ():
        changes.append((match.start(), match.end(), "</div>" if match[0][1] == "/" else "<div>", match[0]))
    for match in _MUSTACHE.finditer(text) if "{{" in text else ():
        inner = (match["inner"] or match["lines"] or "").strip()
        # Slots of mdBook's, Hugo's and Octavo's own syntax are none of Vue's.
        if inner and inner[0] not in "<%#":
            changes.append((match.start(), match.end(), _value(inner, around), match[0]))
    output, position = Output(fragment), 0
    for start, end, given, source in sorted(changes, key=lambda one: (one[0], -one[1])):
        if start < position or code.holds(start):
            continue
        is_hidden = next((hidden for first, last, hidden in verbatim if first <= start < last), None)
        if is_hidden:
            continue
        value = given
        if is_hidden is not None:
            value = source.replace("{{", "&#123;&#123;")  # meant to be read as it is
        elif given is None:
            words = " ".join(source.split())
            shown = words if len(words) <= _SHOWN else f"{words[:_SHOWN]}…"
            message = f'"{shown}" is computed by a program of the page; it is left out.'
            hint = "Write the text itself."
            context.report("warn", "foreign-syntax", message, fragment.source, fragment.origin(start), suggestion=hint)
        output.copy(position, start)
        output.write(value or "", start)
        position = end
    if not position:
        return fragment
    output.copy(position, len(text))
    return output.fragment()


def _value(inner: str, around: Surroundings) -> str | None:
    """Give the text of an expression that is a literal, or names a value of the front matter."""
    literal = _LITERAL.fullmatch(inner)
    if literal:
        return re.sub(r"([\\`*_{}\[\]<>])", r"\\\1", literal["text"]) if literal["quote"] else literal["number"]
    if _SITE_TITLE.fullmatch(inner):
        return around.variables.get("site.title")
    field = _FIELD.fullmatch(inner)
    if field is None:
        name = re.fullmatch(r"[A-Za-z_][\w.]*", inner)
        return around.variables.get(inner.lower()) if name else None
    return around.own_value(field["name"].replace("?", ""))


def _repeated(text: str) -> list[tuple[int, int, str]]:
    """Find the elements that are drawn once for each item of a list: start, end, and the tag."""
    found: list[tuple[int, int, str]] = []
    open_ended: set[str] = set()
    position = 0
    while (at := text.find("v-for=", position)) >= 0:
        position = at + 6
        start = text.rfind("<", max(0, at - 2000), at)
        match = _REPEATED.match(text, start) if start >= 0 else None
        if match is None or match["name"] in open_ended:
            continue
        end = _TAG_END.match(text, match.end())
        if end is None:
            continue
        stop = end.end() if end["closed"] else _end_of(text, match["name"], end.end())
        if stop < 0:
            open_ended.add(match["name"])
            continue
        found.append((start, stop, text[start : end.end()]))
        position = stop
    return found


def _end_of(text: str, name: str, start: int) -> int:
    """Find the end of an element whose tag is read; -1 where it is never closed."""
    depth = 1
    for tag in re.compile(
        rf"<(?P<end>/)?{re.escape(name)}\b(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*?(?P<closed>/)?>"
    ).finditer(text, start):
        depth += -1 if tag["end"] else 0 if tag["closed"] else 1
        if depth == 0:
            return tag.end()
    return -1
