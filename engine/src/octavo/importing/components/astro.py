"""Components of Astro, written as components of React: a function of their properties that returns their template.

The script between the dashes becomes the body of the function. In the template, HTML becomes JSX: names of attributes,
elements without an end, white space between lines, comments. What has no counterpart makes a component unusable, and
whether the rest works is tried on the pages that use it.
"""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from typing import NamedTuple

from octavo.content import VOID
from octavo.importing.components.statements import without_waiting
from octavo.importing.components.unusable import UnusableError
from octavo.importing.components.vue_names import ATTRIBUTES
from octavo.lazy import regex as re

_FRONT = re.compile(r"\s*---[ \t]*\n(?P<script>.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_IMPORT = re.compile(
    r"""^[ \t]*import\b(?:[^;'"]{0,4000}?\bfrom\s*)?\s*(?:"[^"\n]+"|'[^'\n]+')(?:\s*with\s*\{[^}]*\})?[ \t]*;?[ \t]*$""",
    re.MULTILINE,
)
_EXPORT = re.compile(r"^([ \t]*)export[ \t]+(?=(?:interface|type|const|let|function|async)\b)", re.MULTILINE)
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][\w.:-]*)?(?=[\s/>])")
_ATTRIBUTE = re.compile(
    r"""\s*(?:(?P<name>[A-Za-z_@:][\w:.@-]*)(?:\s*=\s*(?P<value>"[^"]*"|'[^']*'|`(?:[^`\\]|\\.)*`|\{|[^\s"'<>`={}]+))?|(?P<brace>\{))"""
)
_STRING = re.compile(r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|//[^\n]*|/\*.*?\*/""", re.DOTALL)
_BEFORE_ELEMENT = re.compile(r"(?:[(,=>?:&|\[{;]|\breturn|\A)\s*\Z")
_OF_ASTRO = re.compile(r"(?:is|client|transition|server|define):[\w:-]+")
_HIDDEN = re.compile(r"<(?:button|input|select|form|textarea|canvas|dialog)\b|\shidden\b|display: ?none|<\w+-[\w-]*")
"""What does nothing, or is not seen, without a script."""
_PLAYERS = {"lite-youtube": "https://www.youtube-nocookie.com/embed/", "lite-vimeo": "https://player.vimeo.com/video/"}
"""Elements that a script makes a player of → beginning of the address of the frame that it puts there."""
_CLOSING = re.compile(r"[>}]")
_WAITS = re.compile(
    r"(?<![\w$.])(?:await\s+(?P<asks>fetch\b)?(?:Promise\.all(?=\s*\())?|async\s+(?=function\b|\(|[A-Za-z_$][\w$]*\s*=>))"
)
"""Marks of waiting in an expression; in the text around it they are words."""
_DEEPEST = 80
_ASKS_PAGE = re.compile(r"\bAstro\??\.(?:currentLocale|params|url|site)\b")
NO_PAGE = "//site.invalid"
"""Beginning of the address that components are given for their page's: what writes it is wrong on all pages."""
_PLACE = f', params: {{}}, url: new URL("https:{NO_PAGE}/")'
_STYLE_OF = r"""const $styleOf = (given) => typeof given !== "string" ? given : Object.fromEntries(given.split(/;(?![^(]*\))/)
  .map((one) => [one.slice(0, one.indexOf(":")).trim(), one.slice(one.indexOf(":") + 1).trim()]).filter(([name]) => name)
  .map(([name, value]) => [name.startsWith("--") ? name : name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase()), value]));"""
"""Astro takes a style as a text, and React as an object."""
_SLOTS = "{ has: (name) => name === 'default' ? $given.children != null : $given[name] != null }"


class AstroModule(NamedTuple):
    """A component as a module of React."""

    text: str
    has_style: bool
    """It had a style sheet, which is left out."""
    has_script: bool
    """It had a script for the browser, which is left out."""
    asks_page: bool
    """It asks for the address or the language of its page, and is given those of the home page."""


def as_react(text: str) -> AstroModule:
    """Write a component as a module of React.

    Raises:
        UnusableError: it asks a server for something, or shows nothing but by a script in the browser.
    """
    front = _FRONT.match(text)
    script = front["script"] if front else ""
    imports = "\n".join(one.strip().rstrip(";") + ";" for one in _IMPORT.findall(script))
    body = _EXPORT.sub(r"\1", _IMPORT.sub("", script))
    body = without_waiting(body)
    template = _Template(text[front.end() :] if front else text)
    written = template.read()
    head = ['import { Fragment } from "react";', 'import clsx from "clsx";', imports]
    if "$styleOf(" in written:
        head.append(_STYLE_OF)
    module = (
        "\n".join(head)
        + f"\nexport default function Component($given) {{\nconst Astro = {{ props: $given, slots: {_SLOTS}{_PLACE} }};\n"
        + f"{body}\nreturn (<>{written}</>);\n}}\n"
    )
    if template.has_script and _HIDDEN.search(written):
        raise UnusableError("it runs a script in the browser")
    return AstroModule(module, template.has_style, template.has_script, _ASKS_PAGE.search(module) is not None)


class _Template:
    """Reads a template once, from its start to its end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self.has_style = False
        self.has_script = False

    def read(self) -> str:
        """Write all of it as the content of an element of JSX."""
        return self._content(None, 0)

    def _content(self, inside: str | None, depth: int) -> str:
        """Read up to the end tag of the element that is open, and over it."""
        if depth > _DEEPEST:
            raise UnusableError(f"its elements are nested more than {_DEEPEST} times")
        found: list[str] = []
        while self._position < len(self._text):
            if self._text.startswith("<!--", self._position):
                end = self._text.find("-->", self._position)
                self._position = end + 3 if end >= 0 else len(self._text)
            elif self._text[self._position : self._position + 9].lower() == "<!doctype":
                self._position = self._behind(">", self._position)
            elif match := _TAG.match(self._text, self._position):
                if match["end"]:
                    if (match["name"] or "") != inside:
                        raise UnusableError("its elements are crossed")
                    self._position = self._behind(">", match.end())
                    return "".join(found)
                found.append(self._element(match, depth))
            elif self._text[self._position] == "{":
                found.append(self._braces(depth))
            else:
                mark = re.compile(r"[<{]").search(self._text, self._position + 1)
                end = mark.start() if mark else len(self._text)
                found.append(_words(self._text[self._position : end]))
                self._position = end
        if inside is not None:
            raise UnusableError(f"<{inside}> is never closed")
        return "".join(found)

    def _element(self, match: re.Match[str], depth: int) -> str:
        name = match["name"] or ""
        self._position = match.end()
        attributes, is_closed = self._attributes(name, depth)
        if name in ("style", "script"):
            return self._code(name, attributes, is_closed=is_closed)
        content = "" if is_closed or name in VOID else self._content(name, depth + 1)
        if name == "slot":
            given = "$given.children" if "name" not in attributes else "null"
            return f"<>{{{given} ?? (<>{content}</>)}}</>" if content.strip() else f"<>{{{given}}}</>"
        if name in _PLAYERS:
            return _player(_PLAYERS[name], attributes)
        shown = "".join(f" {one}" for key, one in attributes.items() if key != "slot")
        if name == "Fragment" and "dangerouslySetInnerHTML" in attributes:
            name = "span"
        if name in ("", "Fragment"):
            return (
                f"<>{content}</>" if "key" not in attributes else f"<Fragment {attributes['key']}>{content}</Fragment>"
            )
        return f"<{name}{shown}>{content}</{name}>" if content else f"<{name}{shown} />"

    def _code(self, name: str, attributes: dict[str, str], *, is_closed: bool) -> str:
        """Leave out a style sheet."""
        if name == "script" and "application/ld+json" not in attributes.get("type", ""):
            self.has_script = True
        self.has_style = self.has_style or name == "style"
        if not is_closed:
            end = re.compile(rf"</{name}\s*>").search(self._text, self._position)
            self._position = end.end() if end else len(self._text)
        return ""

    def _attributes(self, tag: str, depth: int) -> tuple[dict[str, str], bool]:
        """Read up to the end of a tag: name → attribute as JSX has it; whether the tag closes itself."""
        found: dict[str, str] = {}
        while match := _ATTRIBUTE.match(self._text, self._position):
            if match["brace"]:
                self._position = match.end() - 1
                inner = self._braces(depth + 1)
                plain = inner[1:-1].strip()
                found[plain] = inner if plain.startswith("...") else f"{plain}={inner}"
                continue
            name, value = match["name"], match["value"]
            self._position = match.end()
            if value == "{":
                self._position -= 1
                value = self._braces(depth + 1)
            elif value is not None and value.startswith("`"):
                value = f"{{{value}}}"
            elif value is not None and not value.startswith(('"', "'")):
                value = f'"{value}"'
            self._take(found, tag, name, value)
        end = re.compile(r"\s*(/?)>").match(self._text, self._position)
        if end is None:
            raise UnusableError(f"an attribute of <{tag}> cannot be read")
        self._position = end.end()
        return found, bool(end[1])

    @staticmethod
    def _take(found: dict[str, str], tag: str, name: str, value: str | None) -> None:
        if name == "set:html" and value is not None:
            inner = value[1:-1]
            found["dangerouslySetInnerHTML"] = (
                f"dangerouslySetInnerHTML={{{{ __html: {inner if value[0] == '{' else json.dumps(inner)} }}}}"
            )
        elif name == "set:text" and value is not None:
            found["children"] = f"children={value}"
        elif name == "class:list" and value is not None:
            before = found.get("className", "").removeprefix("className=").removeprefix("{").removesuffix("}")
            both = f"{before}, " if before else ""
            found["className"] = f"className={{clsx({both}{value[1:-1] if value[0] == '{' else value})}}"
        elif name == "style" and tag[:1].islower():
            if value is not None:
                found[name] = f"style={value}" if value.startswith("{{") else f"style={{$styleOf({_code_of(value)})}}"
        elif _OF_ASTRO.fullmatch(name) or name.startswith(("on:", "@")):
            return
        elif tag[:1].islower() and name.lower().startswith("on") and value is not None and value[0] != "{":
            raise UnusableError("it runs a script in the browser")
        else:
            own = ATTRIBUTES.get(name.lower(), name) if tag[:1].islower() else name
            found[own] = own if value is None else f"{own}={value}"

    def _braces(self, depth: int) -> str:
        """Read an expression in braces; elements in it become JSX as well."""
        if depth > _DEEPEST:
            raise UnusableError(f"its expressions are nested more than {_DEEPEST} times")
        start = self._position
        self._position += 1
        found = ["{"]
        level = 1
        while self._position < len(self._text):
            char = self._text[self._position]
            if string := _STRING.match(self._text, self._position):
                found.append(string[0] if not string[0].startswith("//") else "")
                self._position = string.end()
            elif char == "`":
                found.append(self._template_string(depth))
            elif char == "<" and (tag := _TAG.match(self._text, self._position) or self._fragment()):
                if tag["end"] or not _BEFORE_ELEMENT.search("".join(found)[-80:]):
                    found.append(char)
                    self._position += 1
                else:
                    found.append(self._elements(tag, depth + 1))
            elif self._text.startswith("<!--", self._position):
                self._position = self._behind("-->", self._position)
            elif waits := _WAITS.match(self._text, self._position):
                if waits["asks"]:
                    raise UnusableError("it waits for something while it is drawn")
                self._position = waits.end()
            else:
                level += {"{": 1, "}": -1}.get(char, 0)
                found.append(char)
                self._position += 1
                if not level:
                    return "".join(found)
        raise UnusableError(f"the braces at {self._text[start : start + 20]!r} are never closed")

    def _elements(self, tag: re.Match[str], depth: int) -> str:
        """Read an element in an expression, and those that follow at once: JSX wants one around them."""
        found = [self._element(tag, depth)]
        while (another := re.compile(r"\s*(?=<)").match(self._text, self._position)) is not None:
            following = _TAG.match(self._text, another.end())
            if following is None or following["end"]:
                break
            self._position = following.start()
            found.append(self._element(following, depth))
        return found[0] if len(found) == 1 else f"<>{''.join(found)}</>"

    def _behind(self, end: str, position: int) -> int:
        """Give the offset behind the next occurrence of a text; the end of all where there is none."""
        found = self._text.find(end, position)
        return found + len(end) if found >= 0 else len(self._text)

    def _fragment(self) -> re.Match[str] | None:
        return _TAG.match(self._text, self._position) if self._text.startswith("<>", self._position) else None

    def _template_string(self, depth: int) -> str:
        found = ["`"]
        self._position += 1
        while self._position < len(self._text):
            char = self._text[self._position]
            if char == "\\":
                found.append(self._text[self._position : self._position + 2])
                self._position += 2
            elif self._text.startswith("${", self._position):
                self._position += 1
                found.append("$" + self._braces(depth + 1))
            else:
                found.append(char)
                self._position += 1
                if char == "`":
                    return "".join(found)
        raise UnusableError("a text in backticks is never closed")


def _code_of(value: str) -> str:
    """Give the value of an attribute as an expression."""
    return value[1:-1] if value.startswith("{") else json.dumps(html.unescape(value[1:-1]))


def _words(text: str) -> str:
    """Write text so that JSX keeps the white space at its ends, which it drops where a line ends."""
    if not text.strip():
        return '{" "}' if text else ""
    before = '{" "}' if text[0].isspace() else ""
    after = '{" "}' if text[-1].isspace() else ""
    plain = " ".join(text.split())
    return before + _CLOSING.sub(lambda match: f'{{"{match[0]}"}}', plain) + after


def _player(address: str, attributes: Mapping[str, str]) -> str:
    """Write the frame of a video in the place of an element that a script makes a player of."""
    own = {key.lower().replace("-", ""): one.partition("=")[2] for key, one in attributes.items()}
    video = own.get("videoid", "")
    if not video:
        raise UnusableError("it runs a script in the browser")
    source = f"{{`{address}${{{video[1:-1] if video[0] == '{' else video}}}`}}"
    title = own.get("videotitle") or own.get("playlabel") or own.get("title") or '"Video"'
    shape = '{{ aspectRatio: "16 / 9", border: 0, width: "100%" }}'  # as the script of the element lays it out
    return f'<iframe src={source} title={title} style={shape} loading="lazy" allowFullScreen />'
