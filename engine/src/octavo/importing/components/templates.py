"""Components of React, Astro and Vue whose template only places properties and content, written as Markdown.

A template is read token by token: tags with their attributes, expressions in braces, text. What is not an element, no
property, no slot and no literal makes the component a program; nothing of it is guessed.
"""

from __future__ import annotations

import html
from collections.abc import Iterator

from octavo.content import VOID
from octavo.errors import OctavoError
from octavo.lazy import regex as re

CHILDREN = "props.children"
"""The expression that places the content between the tags of a component."""


class TooComplexError(OctavoError):
    """A component does more than place what it is given."""


_STRING = r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.)*`"
_NAME = r"[A-Za-z_$][\w$]*"
_IMPORT = re.compile(
    rf"^[ \t]*import\b[^;'\"]*(?:{_STRING})[ \t]*;?[ \t]*$|^[ \t]*import\s*\{{[^}}]*\}}\s*from\s*(?:{_STRING});?",
    re.MULTILINE,
)
_COMMENT = re.compile(r"/\*.*?\*/|^[ \t]*//[^\n]*$", re.DOTALL | re.MULTILINE)
_TYPE = re.compile(
    rf"^(?:export\s+)?(?:interface\s+{_NAME}[^{{]*|type\s+{_NAME}\s*(?:<[^>]*>)?\s*=\s*)\{{[^{{}}]*(?:\{{[^{{}}]*\}}[^{{}}]*)*\}};?",
    re.MULTILINE,
)
_ASTRO_PROPS = re.compile(
    r"\b(?:const|let)\s*\{(?P<names>[^{}]*)\}\s*(?::\s*[\w<>.]+)?\s*=\s*Astro\.props(?:\s+as\s+[\w<>.]+)?\s*;?"
)
_VUE_PROPS = re.compile(
    rf"(?:const\s+(?:{_NAME}|\{{[^{{}}]*\}})\s*=\s*)?defineProps\s*(?:<\s*\{{(?P<typed>[^{{}}]*)\}}\s*>\s*\(\s*\)|<\s*{_NAME}\s*>\s*\(\s*\)|"
    r"\(\s*\[(?P<listed>[^\[\]]*)\]\s*\)|\(\s*\{(?P<described>(?:[^{}]|\{[^{}]*\})*)\}\s*\));?"
)
_PARAMETER = re.compile(rf"\s*(?P<name>{_NAME})\s*(?::\s*(?P<alias>{_NAME}))?\s*(?P<default>=\s*.*)?$", re.DOTALL)
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][\w.:-]*)?(?=[\s/>])")
_ATTRIBUTE = re.compile(r"\s*(?P<name>[:@#]?[A-Za-z_][\w:.@-]*)(?:\s*=\s*(?P<value>\"[^\"]*\"|'[^']*'|\{))?")
_BLOCKS = frozenset(
    ["div", "section", "aside", "article", "blockquote", "li", "td", "details", "figure", "main", "dd", "center"]
)
_LOOK = re.compile(r"class(?:Name|:list)?|:class|style|:style|key|:key|ref|is:inline|data-[\w-]+|set:html:x")
"""Attributes that only say how something looks."""
_LOOK_ONLY = re.compile(r"Icon|.*(?:Icon|Svg|Logo|Spacer)")
"""Components without words."""
_LINKS = frozenset(["Link", "NuxtLink", "RouterLink", "NextLink"])


def read_component(text: str, ending: str, name: str) -> str:
    """Write a component as Markdown.

    Args:
        text: Its file.
        ending: Of the file's name.
        name: Of the component, as a page imports it.

    Raises:
        TooComplexError: it is a program.
    """
    if ending == ".astro":
        template, names = _read_astro(text)
    elif ending == ".vue":
        template, names = _read_vue(text)
    else:
        template, names = _read_react(text, name)
    written = "".join(
        _Template(template, names, is_vue=ending == ".vue", is_jsx=ending not in (".vue", ".astro")).write()
    )
    written = re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n|\n[ \t]+", "\n", written)).strip()
    if not written:
        raise TooComplexError("it shows nothing by itself")
    return f"{written}\n"


def _read_astro(text: str) -> tuple[str, dict[str, str]]:
    match = re.match(r"\s*---\n(.*?)\n?---\s*\n?", text, re.DOTALL)
    script, template = (match[1], text[match.end() :]) if match else ("", text)
    names: dict[str, str] = {}
    script = _without_types(script)
    for found in _ASTRO_PROPS.finditer(script):
        names |= _parameters(found["names"])
    if _ASTRO_PROPS.sub("", script).strip(" \t\n;"):
        raise TooComplexError("its script computes something")
    return _without_styles(template), names


def _read_vue(text: str) -> tuple[str, dict[str, str]]:
    text = _without_styles(text)
    names: dict[str, str] = {}
    for script in re.findall(r"<script\b[^<>]*>(.*?)</script\s*>", text[: text.rfind("</script") + 200], re.DOTALL):
        if re.search(r"^[ \t]*import[ \t]*[\"']", script, re.MULTILINE):
            raise TooComplexError("it imports what gives elements a meaning")
        plain = _without_types(script)
        for found in _VUE_PROPS.finditer(plain):
            given = found["typed"] or found["listed"] or found["described"] or ""
            names |= {one: one for one in re.findall(rf"(?:^|[\s,;'\"])({_NAME})['\"]?\s*\??\s*(?:[:,;'\"]|$)", given)}
        if _VUE_PROPS.sub("", plain).strip(" \t\n;"):
            raise TooComplexError("its script computes something")
    template = re.search(r"<template>(.*)</template\s*>", text, re.DOTALL)
    if template is None:
        raise TooComplexError("it has no template")
    return template[1], names


def _read_react(text: str, name: str) -> tuple[str, dict[str, str]]:
    """Find the function of a component in a module, or in a page with exports, and the element that it returns."""
    plain = _COMMENT.sub("", text)
    typed = r"(?:\s*:\s*[^=(){}]+(?:\{[^{}]*\})?)?"
    parameters = rf"\(\s*+(?P<given>\{{[^{{}}]*\}}|{_NAME})?\s*+(?::\s*+(?:[\w.<>\[\]| ]+|\{{[^{{}}]*\}}))?\s*+,?\s*+\)"

    def forms_of(own: str) -> list[str]:
        own = re.escape(own)
        return [
            rf"\bfunction\s+{own}\s*{parameters}{typed}\s*\{{",
            rf"\b(?:const|let|var)\s+{own}\s*(?::[^=]+)?=\s*{parameters}{typed}\s*=>\s*(?P<brace>[{{(]|(?=<))",
        ]

    forms = forms_of(name)
    exported = re.search(rf"\bexport\s+default\s+(?:function\s+)?(?P<name>{_NAME})?", plain)
    if exported:
        own = exported["name"] or ""
        forms += forms_of(own) if own and own != "function" else []
        forms.append(rf"\bexport\s+default\s+(?:function\s*)?{parameters}{typed}\s*(?:=>\s*)?(?P<brace>[{{(])")
    match = next((found for form in forms if (found := re.search(form, plain))), None)
    if match is None:
        raise TooComplexError("it is not a plain function")
    names = _parameters(match["given"].strip("{}")) if (match["given"] or "").startswith("{") else {}
    if match["given"] and not match["given"].startswith("{"):
        names[f"{match['given']}."] = ""
    brace = match.groupdict().get("brace", "{")
    rest = plain[match.end() :]
    if brace == "{" or brace is None:
        body = re.match(r"\s*return\s*(\()?\s*(?=<)", rest)
        if body is None:
            raise TooComplexError("it computes something before it returns")
        rest = rest[body.end() :]
    return rest.lstrip(), names


def _without_styles(text: str) -> str:
    # Behind the last end tag there is nothing to take out: each start there would be searched up to the end.
    last = text.rfind("</style")
    cut = text.find(">", last) + 1 if last >= 0 else 0
    return re.sub(r"<style\b.*?</style\s*>", "", text[:cut], flags=re.DOTALL) + text[cut:]


def _without_types(script: str) -> str:
    return _TYPE.sub("", _IMPORT.sub("", _COMMENT.sub("", script)))


def _parameters(text: str) -> dict[str, str]:
    """Read what a function takes out of its properties: name in the function → name of the property."""
    names: dict[str, str] = {}
    for part in filter(str.strip, text.split(",")):
        match = _PARAMETER.match(part)
        if match is None or part.strip().startswith("..."):
            raise TooComplexError("it takes its properties in a way that is not known")
        # One with a value of its own can be placed only where that does not matter: in looks.
        names[match["alias"] or match["name"]] = "" if match["default"] else match["name"]
    return names


class _Template:
    """Writes a template as Markdown; reads one element, or all of a template that is not JSX."""

    def __init__(self, text: str, names: dict[str, str], *, is_vue: bool, is_jsx: bool) -> None:
        self._text = text
        self._names = names
        self._is_vue = is_vue
        self._is_jsx = is_jsx
        self._open: list[str] = []

    def write(self) -> Iterator[str]:
        position = 0
        while position < len(self._text):
            if self._text.startswith("<!--", position):
                end = self._text.find("-->", position)
                position = end + 3 if end >= 0 else len(self._text)
            elif match := _TAG.match(self._text, position):
                piece, position = self._tag(match)
                yield piece
                if self._is_jsx and not self._open:
                    return
            elif self._text.startswith("{{" if self._is_vue else "{", position):
                piece, position = self._braces(position)
                yield piece
            else:
                mark = re.compile(r"[<{]").search(self._text, position + 1)
                stop = mark.start() if mark else len(self._text)
                yield self._plain(self._text[position:stop])
                position = stop
        if self._open:
            raise TooComplexError("an element is open")

    def _plain(self, text: str) -> str:
        if self._is_jsx:
            lines = [line.strip() if index else line.rstrip() for index, line in enumerate(text.split("\n"))]
            text = " ".join(line for line in lines if line) if "\n" in text else text
        text = re.sub(r"\s+", " ", text)
        return re.sub(r"([\\`*_{}\[\]<>])", r"\\\1", html.unescape(text)) if text.strip() else text

    def _braces(self, position: int) -> tuple[str, int]:
        inner, end = self._expression(position)
        if self._is_vue:
            if not (inner.startswith("{") and inner.endswith("}")):
                return self._plain(self._text[position:end]), end
            inner = inner[1:-1]
        return self._value(inner, in_text=True), end

    def _expression(self, position: int) -> tuple[str, int]:
        """Find the end of an expression in braces: what is in it, and the offset behind it."""
        depth = 0
        for match in re.compile(rf"{_STRING}|/\*.*?\*/|[{{}}]", re.DOTALL).finditer(self._text, position):
            depth += {"{": 1, "}": -1}.get(match[0], 0)
            if depth == 0:
                return self._text[position + 1 : match.start()], match.end()
        raise TooComplexError("an expression is open")

    def _value(self, expression: str, *, in_text: bool) -> str:
        plain = re.sub(r"/\*.*?\*/", "", expression, flags=re.DOTALL).strip()
        if not plain:
            return ""
        if re.fullmatch(_STRING, plain):
            return self._plain(plain[1:-1]) if in_text else f'"{html.escape(plain[1:-1])}"'
        name = self._names.get(plain)
        for prefix in ("props.", "Astro.props.", "$props.", *(key for key in self._names if key.endswith("."))):
            if plain.startswith(prefix) and re.fullmatch(_NAME, plain[len(prefix) :]):
                name = plain[len(prefix) :]
        if not name:
            raise TooComplexError(f"it computes {plain[:40]!r}")
        if name == "children":
            return self._children() if in_text else f"{{{CHILDREN}}}"
        return f"{{props.{name}}}"

    def _children(self) -> str:
        is_block = all(name in _BLOCKS for name in self._open)
        return f"\n\n{{{CHILDREN}}}\n\n" if is_block else f"{{{CHILDREN}}}"

    def _tag(self, match: re.Match[str]) -> tuple[str, int]:
        name, position = match["name"] or "", match.end()
        if match["end"]:
            end = self._text.find(">", position)
            if not self._open or self._open[-1] != name or end < 0:
                raise TooComplexError("its elements are crossed")
            self._open.pop()
            written = self._name_of(name)
            return f"</{written}>" if written else "", end + 1
        if name in ("script", "component", "template") or name.startswith(("Transition", "Fragment.")):
            raise TooComplexError(f"it uses <{name}>")
        attributes, position, is_closed = self._attributes(name, position)
        if name.lower() == "slot":
            return self._slot(attributes, position, is_closed=is_closed)
        if name == "svg":
            closing = re.compile(r"</svg\s*>").search(self._text, position)
            return "", position if is_closed else closing.end() if closing else len(self._text)
        if is_closed and _LOOK_ONLY.fullmatch(name):
            return "", position
        written = self._name_of(name)
        if not is_closed and name not in VOID:
            self._open.append(name)
        shown = "".join(attributes)
        if not written:
            return "", position
        return f"<{written}{shown} />" if is_closed or name in VOID else f"<{written}{shown}>", position

    def _name_of(self, name: str) -> str:
        if name in _LINKS:
            return "a"
        return "" if name in ("", "Fragment", "React.Fragment") else name

    def _slot(self, attributes: list[str], position: int, *, is_closed: bool) -> tuple[str, int]:
        if attributes:
            raise TooComplexError("it has several slots")
        if not is_closed:
            end = re.compile(r"\s*</slot\s*>", re.IGNORECASE).match(self._text, position)
            if end is None:
                raise TooComplexError("its slot has a content of its own")
            position = end.end()
        return self._children(), position

    def _attributes(self, tag: str, position: int) -> tuple[list[str], int, bool]:
        """Read up to the end of a tag: the attributes as they are written, the offset behind it, `/>`."""
        found: list[str] = []
        while match := _ATTRIBUTE.match(self._text, position):
            name, value, position = match["name"], match["value"], match.end()
            if value == "{":
                inner, position = self._expression(position - 1)
                value = None if _LOOK.fullmatch(name) else self._value(inner, in_text=False)
            elif value is not None and name.startswith(":"):
                value = None if _LOOK.fullmatch(name) else self._value(value[1:-1], in_text=False)
            if name.startswith(("@", "#", "v-", "set:", "client:", "on")):
                raise TooComplexError(f"it uses {name}")
            if _LOOK.fullmatch(name):
                continue
            name = name.lstrip(":")
            name = {"to": "href", "htmlFor": "for"}.get(name, name) if tag in _LINKS or name == "htmlFor" else name
            found.append(f" {name}" if match["value"] is None else f" {name}={value}")
        end = re.compile(r"\s*(/?)>").match(self._text, position)
        if end is None:
            raise TooComplexError("it hands on attributes that are not written out")
        return found, end.end(), bool(end[1])
