"""Components of Vue, written as components of React: the setup runs at each drawing, with stand-ins for Vue's functions.

Names of a template are looked up where Vue does: what the setup declares, without the box of a ref, else the properties.
Whether the rest works is tried on the pages that use the component.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator

import msgspec

from octavo.content import VOID
from octavo.importing.components.unusable import UnusableError
from octavo.importing.components.vue_names import ATTRIBUTES, NEED_NO_VALUE, Names, handler_of, local_names
from octavo.lazy import regex as re

_START = re.compile(r"""<(?P<name>script|style|template)\b(?P<attributes>(?:[^<>"']|"[^"]*"|'[^']*')*)>""")
_IMPORT = re.compile(
    r"""^[ \t]*import\b(?:[^;'"]{0,4000}?\bfrom\s*)?\s*(?:"[^"\n]+"|'[^'\n]+')(?:\s*with\s*\{[^}]*\})?[ \t]*;?[ \t]*$""",
    re.MULTILINE,
)
_IMPORTED = re.compile(r"(?<![\w$.])(?!type\b)([A-Za-z_$][\w$]*)(?=\s*(?:,|\}|\sfrom\b))")
_OPTIONS = re.compile(r"^export\s+default\s+(?:defineComponent\s*\(\s*)?(?=\{)", re.MULTILINE)
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][\w.:-]*)(?=[\s/>])")
_ATTRIBUTE = re.compile(
    r"""\s*(?P<name>[A-Za-z_@:#.][^\s"'<>/=]*)(?:\s*=\s*(?P<value>"[^"]*"|'[^']*'|[^\s"'<>`=]+))?"""
)
_FOR = re.compile(
    r"\s*(?P<names>\((?:[^()]|\([^()]*\))*\)|\{[^}]*\}|\[[^\]]*\]|[\w$]+)\s+(?:in|of)\s+(?P<list>.+)", re.DOTALL
)
_BARE = frozenset(
    ["template", "Transition", "TransitionGroup", "KeepAlive", "Teleport", "ClientOnly", "Suspense", "Fragment"]
)
"""Elements of which readers see the content."""
_LINKS = frozenset(["RouterLink", "router-link", "NuxtLink"])
_EVENTS = {
    "mouseenter": "onMouseEnter",
    "mouseleave": "onMouseLeave",
    "mouseover": "onMouseOver",
    "mousedown": "onMouseDown",
    "mouseup": "onMouseUp",
    "keydown": "onKeyDown",
    "keyup": "onKeyUp",
    "dblclick": "onDoubleClick",
}
_DEEPEST = 80
_HEAD = """import { Fragment } from "react";
import { classOf, dynamic as $Dynamic, each, macros, optionsOf, shown, slotsOf, styleOf, unref as $u } from "VUE";
"""
_MACROS = "const { defineProps, withDefaults, defineEmits, defineModel, defineExpose, defineSlots, defineOptions, useSlots, useAttrs } = macros($given, $p);\n"


class VueModule(msgspec.Struct, frozen=True):
    """A component as a module of React."""

    text: str
    has_style: bool
    """It had a style sheet, which is left out."""


def as_react(text: str) -> VueModule:
    """Write a component of Vue as a module of React.

    Raises:
        UnusableError: it waits for something, or is written in a way that is not known.
    """
    text = re.sub(r"\A\ufeff", "", text)
    blocks = list(_blocks(text))
    template = next((one for one in blocks if one.name == "template"), None)
    if template is None:
        raise UnusableError("it has no template")
    if "lang=" in template.attributes:
        raise UnusableError("its template is written in another language")
    scripts = [
        (re.search(r"\bsetup\b", one.attributes) is not None, one.body) for one in blocks if one.name == "script"
    ]
    setup = "".join(body for is_setup, body in scripts if is_setup)
    module = "".join(body for is_setup, body in scripts if not is_setup)
    imports = "\n".join(one.strip().rstrip(";") + ";" for one in (*_IMPORT.findall(module), *_IMPORT.findall(setup)))
    module = _IMPORT.sub("", module)
    setup = re.sub(r"^([ \t]*)export[ \t]+(?=(?:interface|type)\b)", r"\1", _IMPORT.sub("", setup), flags=re.MULTILINE)
    if re.search(r"^(?:[^\n{}]*=\s*)?await\b", setup, re.MULTILINE):
        raise UnusableError("it waits for something while it is drawn")
    module, has_options = _OPTIONS.subn("const $options = ", module, count=1)
    if has_options and re.search(
        r"^export\s+default\s+defineComponent", "".join(body for _, body in scripts), re.MULTILINE
    ):
        module = re.sub(r"\)\s*;?\s*\Z", "\n", module)
    imported = set(_IMPORTED.findall(" ".join(one for one in imports.split("\n") if not one.startswith("import type"))))
    names = Names.of(setup, imported)
    reader = _Template(template.body, names)
    written = reader.read()
    beside = "".join(f'import {name} from "./{name}.vue";\n' for name in sorted(reader.missing))
    kind = "properties" if "defineProps" in setup else "undeclared"
    properties = "optionsOf($options, $given)" if has_options else f"optionsOf.{kind}($given)"
    start = f"const $p = {properties};\nconst $slots = slotsOf($given);\n"
    # Names that a template may use of Vue itself.
    start += "const $attrs = {}, $props = $p, $emit = macros($given, $p).defineEmits();\n"
    macros = "" if has_options and "define" not in setup else _MACROS
    code = (
        f"{_HEAD}{imports}\n{beside}{module}\nexport default function Component($given) {{\n{start}"
        f"{macros}{setup}\nreturn (<>{written}</>);\n}}\n"
    )
    return VueModule(code, any(one.name == "style" for one in blocks))


class _Block(msgspec.Struct, frozen=True):
    """An element at the top of a component's file."""

    name: str
    attributes: str
    body: str


def _blocks(text: str) -> Iterator[_Block]:
    """Read the elements at the top of a file, up to the first one that is never closed."""
    position = 0
    while match := _START.search(text, position):
        # A template may hold others: the last end tag is its own.
        find = text.rfind if match["name"] == "template" else text.find
        end = find(f"</{match['name']}", match.end())
        if end < 0:
            return
        yield _Block(match["name"], match["attributes"], text[match.end() : end])
        position = end


class _Template:
    """Reads a template once, from its start to its end."""

    def __init__(self, text: str, names: Names) -> None:
        self._text = text
        self._names = names
        self._position = 0
        self.missing: set[str] = set()
        """Components that the file does not import: they may lie beside it."""

    def read(self) -> str:
        """Write all of it as the content of an element of JSX."""
        return "".join(self._content(None, frozenset(), 0).values())

    def _content(self, inside: str | None, known: frozenset[str], depth: int) -> dict[str, str]:
        """Read up to the end tag of the element that is open: the content of each slot, "" for the default one."""
        if depth > _DEEPEST:
            raise UnusableError(f"its elements are nested more than {_DEEPEST} times")
        found: dict[str, list[str]] = {"": []}
        chain = ""
        """Of elements of which one is shown: the end that closes it."""
        while self._position < len(self._text):
            if self._text.startswith("<!--", self._position):
                end = self._text.find("-->", self._position)
                self._position = end + 3 if end >= 0 else len(self._text)
                continue
            match = _TAG.match(self._text, self._position)
            if match and match["end"]:
                if match["name"] != inside:
                    raise UnusableError("its elements are crossed")
                end = self._text.find(">", match.end())
                if end < 0:
                    raise UnusableError(f"</{inside}> has no end")
                self._position = end + 1
                found[""].append(chain)
                return {name: "".join(pieces) for name, pieces in found.items()}
            if match:
                slot, condition, element = self._element(match, known, depth)
                if condition is None or condition[0] == "if":
                    found[""].append(chain)
                    chain = ""
                if condition is None:
                    found.setdefault(slot, []).append(element)
                elif condition[0] == "else":
                    found[""].append(f"(<>{element}</>)}}")
                    chain = ""
                else:
                    found[""].append(f"{'' if chain else '{'}({condition[1]}) ? (<>{element}</>) : ")
                    chain = "null}"
                continue
            is_value = self._text.startswith("{{", self._position)
            # What is not a tag here, such as the sign in `a <b, c`, is text: the next one is looked for behind it.
            mark = re.compile(r"<(?=[/A-Za-z!])|\{\{").search(self._text, self._position + 1)
            if is_value:
                end = self._text.find("}}", self._position)
                inner = self._text[self._position + 2 : end] if end >= 0 else ""
                self._position = end + 2 if end >= 0 else len(self._text)
                piece = f"{{shown({self._names.rewritten(inner, known)})}}"
            else:
                end = mark.start() if mark else len(self._text)
                piece = _words(self._text[self._position : end])
                self._position = end
                if not piece.replace('{" "}', "") and chain:
                    continue
            found[""] += [chain, piece]
            chain = ""
        if inside is not None:
            raise UnusableError(f"<{inside}> is never closed")
        found[""].append(chain)
        return {name: "".join(pieces) for name, pieces in found.items()}

    def _element(
        self, match: re.Match[str], known: frozenset[str], depth: int
    ) -> tuple[str, tuple[str, str] | None, str]:
        """Read an element: the slot that it fills, the condition on which it is shown, and its JSX."""
        name = match["name"]
        self._position = match.end()
        given, is_closed = self._given(name)
        if "v-pre" in given or name in ("script", "style"):
            raise UnusableError(f"it uses <{name}>" if name in ("script", "style") else "it uses v-pre")
        condition = None
        for word in ("v-if", "v-else-if", "v-else"):
            if word in given:
                condition = (
                    word.removeprefix("v-").removesuffix("-if")
                    if word == "v-else"
                    else "if"
                    if word == "v-if"
                    else "elif",
                    self._names.rewritten(given.pop(word), known) if word != "v-else" else "",
                )
        before, after = "", ""
        if (repeated := given.pop("v-for", None)) is not None:
            loop = _FOR.fullmatch(repeated)
            if loop is None:
                raise UnusableError("its v-for cannot be read")
            items = self._names.rewritten(loop["list"], known)
            known |= local_names(loop["names"])
            inner = loop["names"][1:-1] if loop["names"].startswith("(") else loop["names"]
            before, after = f"{{each({items}).map(([{inner}], $k) => <Fragment key={{$k}}>", "</Fragment>)}"
        slot = next((one for one in given if one.startswith(("#", "v-slot"))), None)
        if slot is not None:
            known |= local_names(given[slot])
            if given.pop(slot).strip():
                raise UnusableError("it hands values to a slot")
        content = {"": ""} if is_closed or name in VOID else self._content(name, known, depth + 1)
        written = self._written(name, given, content, known)
        named = "" if slot is None or name != "template" else slot.removeprefix("v-slot").lstrip(":#")
        return "" if named == "default" else named, condition, f"{before}{written}{after}"

    def _written(self, name: str, given: dict[str, str], content: dict[str, str], known: frozenset[str]) -> str:
        inner = content[""]
        if name == "slot":
            key = "children" if given.get("name", "default") == "default" else f"$slot_{_plain(given['name'])}"
            return f"<>{{$given.{key} ?? (<>{inner}</>)}}</>" if inner.strip() else f"<>{{$given.{key}}}</>"
        if name in _BARE:
            return f"<>{inner}</>"
        is_dynamic = name == "component"
        own = "a" if name in _LINKS else "$Dynamic" if is_dynamic else name
        is_component = own[0].isupper() or is_dynamic or "-" in own
        if "-" in own:
            pascal = "".join(part[:1].upper() + part[1:] for part in own.split("-"))
            own, is_component = (pascal, True) if pascal in self._names.declared else (own, False)
        elif own[0].isupper() and own.partition(".")[0] not in self._names.declared:
            self.missing.add(own)
        attributes = list(self._attributes(own, given, known, is_component=is_component))
        attributes += [f"$slot_{_plain(slot)}={{<>{piece}</>}}" for slot, piece in content.items() if slot]
        shown = "".join(f" {one}" for one in attributes)
        has_own = any(one.startswith(("children=", "dangerously")) for one in attributes)
        return f"<{own}{shown}>{inner}</{own}>" if inner and not has_own else f"<{own}{shown} />"

    def _given(self, tag: str) -> tuple[dict[str, str], bool]:
        """Read up to the end of a tag: attribute → its value, "" for none; whether the tag closes itself."""
        found: dict[str, str] = {}
        while match := _ATTRIBUTE.match(self._text, self._position):
            value = match["value"]
            found[match["name"]] = "" if value is None else value[1:-1] if value[0] in "\"'" else value
            self._position = match.end()
        end = re.compile(r"\s*(/?)>").match(self._text, self._position)
        if end is None:
            raise UnusableError(f"an attribute of <{tag}> cannot be read")
        self._position = end.end()
        return found, bool(end[1])

    def _attributes(
        self, tag: str, given: dict[str, str], known: frozenset[str], *, is_component: bool
    ) -> Iterator[str]:
        classes: list[str] = []
        styles: list[str] = []
        kind = given.get("type", "")
        for written, value in given.items():
            name, _, modifiers = written.partition(".")
            if name.startswith(("v-bind:", "v-on:")):
                name = (":" if name.startswith("v-bind") else "@") + name.partition(":")[2]
            if name[:2] in (":[", "@["):
                raise UnusableError(f"the name of an attribute is computed: {name}")
            own = name.lstrip(":@")
            if name in (":key", "key", "ref", ":ref", "is") or name in ("v-cloak", "v-once", "v-memo"):
                continue
            if name.startswith(":"):
                code = self._names.rewritten(value.strip() or _camel(own), known)
                if own in ("class", "style"):
                    (classes if own == "class" else styles).append(code)
                else:
                    yield f"{self._name_of(tag, own, is_component=is_component)}={{{code}}}"
            elif name.startswith("@"):
                event = _EVENTS.get(own) or "on" + "".join(part[:1].upper() + part[1:] for part in own.split("-"))
                yield f"{event.replace(':', '_')}={{{handler_of(value, self._names, known, modifiers)}}}"
            elif name == "v-bind":
                yield f"{{...{self._names.rewritten(value, known)}}}"
            elif name == "v-html":
                yield f"dangerouslySetInnerHTML={{{{ __html: shown({self._names.rewritten(value, known)}) }}}}"
            elif name == "v-text":
                yield f"children={{shown({self._names.rewritten(value, known)})}}"
            elif name == "v-show":
                styles.append(f'({self._names.rewritten(value, known)}) ? null : {{ display: "none" }}')
            elif name == "v-model":
                yield from self._model(
                    kind, given.get("value", ""), self._names.rewritten(value, known), is_component=is_component
                )
            elif name.startswith("v-"):
                continue
            elif name in ("class", "style"):
                (classes if name == "class" else styles).insert(0, json.dumps(value))
            elif not (name == "checked" and "v-model" in given) and not (
                tag == "input" and name == "value" and kind not in ("radio", "checkbox", "button", "submit")
            ):
                yield self._name_of(tag, name, is_component=is_component) + (
                    f"={{{json.dumps(html.unescape(value))}}}"
                    if value or is_component or name.lower() not in NEED_NO_VALUE
                    else ""
                )
        if classes:
            yield f"{'class' if is_component else 'className'}={{classOf({', '.join(classes)})}}"
        if styles:
            yield f"style={{styleOf({', '.join(styles)})}}"

    @staticmethod
    def _model(kind: str, value: str, code: str, *, is_component: bool) -> Iterator[str]:
        if is_component:
            yield f"modelValue={{{code}}}"
        elif kind == "checkbox":
            yield f"checked={{!!{code}}} onChange={{($event) => {{ {code} = $event.target.checked; }}}}"
        elif kind == "radio":
            yield f"checked={{{code} === {json.dumps(value)}}} onChange={{() => {{ {code} = {json.dumps(value)}; }}}}"
        else:
            yield f"value={{{code} ?? ''}} onChange={{($event) => {{ {code} = $event.target.value; }}}}"

    @staticmethod
    def _name_of(tag: str, name: str, *, is_component: bool) -> str:
        if tag == "a" and name == "to":
            return "href"
        return _camel(name) if is_component else ATTRIBUTES.get(name.lower(), name)


def _camel(name: str) -> str:
    return re.sub(r"-([a-z])", lambda match: match[1].upper(), name)


def _plain(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _words(text: str) -> str:
    """Write text so that JSX keeps the white space at its ends; Vue drops that with a line's end between elements."""
    if not text.strip():
        return "" if not text or "\n" in text else '{" "}'
    before = '{" "}' if text[0].isspace() else ""
    after = '{" "}' if text[-1].isspace() else ""
    return before + re.sub(r"[{}>]", lambda match: f'{{"{match[0]}"}}', " ".join(text.split())) + after
