"""Names in templates: of attributes of HTML, as React has them, and in the expressions of Vue, what each means in the function that a template becomes."""

from __future__ import annotations

from typing import Final

import msgspec

from octavo.components import BOOLEAN_ATTRIBUTES
from octavo.importing.components.unusable import UnusableError
from octavo.lazy import regex as re

ATTRIBUTES: Final = {
    "allowfullscreen": "allowFullScreen",
    "autoplay": "autoPlay",
    "class": "className",
    "colspan": "colSpan",
    "crossorigin": "crossOrigin",
    "datetime": "dateTime",
    "for": "htmlFor",
    "frameborder": "frameBorder",
    "maxlength": "maxLength",
    "playsinline": "playsInline",
    "readonly": "readOnly",
    "referrerpolicy": "referrerPolicy",
    "rowspan": "rowSpan",
    "srcset": "srcSet",
    "tabindex": "tabIndex",
    "viewbox": "viewBox",
}
"""Attributes of HTML that React names otherwise: name in HTML, in lower case → name in React."""
NEED_NO_VALUE: Final = BOOLEAN_ATTRIBUTES | {"download"}
"""Of other attributes, React leaves out those without a value: `alt=""` says that a picture shows nothing."""
_TOKEN = re.compile(
    r"""(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<member>\??\.[ \t\n]*[A-Za-z_$][\w$]*)|(?P<name>[A-Za-z_$][\w$]*)"""
    r"""|(?P<number>\d[\w.]*)|(?P<spread>\.\.\.)|(?P<other>.)""",
    re.DOTALL,
)
_WORDS = frozenset(
    [
        "true",
        "false",
        "null",
        "undefined",
        "NaN",
        "Infinity",
        "this",
        "typeof",
        "instanceof",
        "in",
        "of",
        "new",
        "void",
        "delete",
        "return",
        "if",
        "else",
        "const",
        "let",
        "var",
        "function",
        "as",
        "Math",
        "JSON",
        "Object",
        "Array",
        "String",
        "Number",
        "Boolean",
        "Date",
        "RegExp",
        "Map",
        "Set",
        "Symbol",
        "Promise",
        "Intl",
        "BigInt",
        "parseInt",
        "parseFloat",
        "isNaN",
        "isFinite",
        "encodeURIComponent",
        "decodeURIComponent",
        "encodeURI",
        "decodeURI",
        "console",
        "window",
        "document",
        "navigator",
        "location",
        "$event",
        "$slots",
        "$attrs",
        "$emit",
        "$props",
        "$given",
        "$k",
    ]
)
_DECLARED = re.compile(
    r"^(?:export\s+)?(?:async\s+)?(?:const|let|var|function\*?|class)\s+([A-Za-z_$][\w$]*)", re.MULTILINE
)
_UNPACKED = re.compile(
    r"^(?:const|let|var)\s*(?:\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}|\[([^\[\]]*)\])\s*(?::[^=]*)?=", re.MULTILINE
)
_BOXES = re.compile(
    r"^(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*(?::[^=\n]+)?=\s*(?:ref|shallowRef|computed|toRef|customRef|useTemplateRef|defineModel)\s*[(<]",
    re.MULTILINE,
)
_PARAMETERS = re.compile(r"(?:\((?P<several>[^()]*)\)|(?P<one>[A-Za-z_$][\w$]*))\s*=>")
_PATH = re.compile(r"[A-Za-z_$][\w$]*(?:\.[\w$]+)*")
_DEEPEST = 40
_FUNCTION = re.compile(r"(?:async\s+)?(?:function\b|(?:\([^()]*\)|[\w$]+)\s*=>)")


def local_names(pattern: str) -> frozenset[str]:
    """List the names that the parameters of a function introduce."""
    names: list[str] = []
    for part in re.split(r"[,(){}\[\]]", pattern):
        own = part.partition("=")[0].rpartition(":")[2].strip().lstrip(".")
        if re.fullmatch(r"[A-Za-z_$][\w$]*", own):
            names.append(own)
    return frozenset(names)


class Names(msgspec.Struct, frozen=True):
    """What a component declares."""

    declared: frozenset[str]
    boxes: frozenset[str]
    """Those of them that are refs."""

    @classmethod
    def of(cls, setup: str, imported: set[str]) -> Names:
        """Read the names off the script of a component."""
        unpacked = [name for groups in _UNPACKED.findall(setup) for name in local_names(",".join(groups))]
        declared = {*_DECLARED.findall(setup), *unpacked, *imported}
        return cls(frozenset(declared), frozenset(_BOXES.findall(setup)))

    def rewritten(self, code: str, known: frozenset[str]) -> str:
        """Write an expression of a template so that it means the same in a function.

        Args:
            code: The expression.
            known: Names that the template itself introduces.

        Raises:
            UnusableError: it waits for something.
        """
        code = code.replace("&quot;", '"').replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
        for match in _PARAMETERS.finditer(code):
            known |= local_names(match["several"] or match["one"] or "")
        return _Rewriter(self, known).run(code)

    def value(self, name: str) -> str:
        """Write a name that is not a local one."""
        if name in self.boxes:
            return f"{name}.value"
        return f"$u({name})" if name in self.declared else f"$p.{name}"


class _Rewriter:
    def __init__(self, names: Names, known: frozenset[str]) -> None:
        self._names = names
        self._known = known
        self._depth = 0

    def run(self, code: str) -> str:
        found: list[str] = []
        brackets: list[str] = []
        before = ""
        position = 0
        while position < len(code):
            if code[position] == "`":
                piece, position = self._quoted(code, position)
                found.append(piece)
                before = "`"
                continue
            match = _TOKEN.match(code, position)
            if match is None:
                break
            position = match.end()
            if match["name"]:
                found.append(self._name(match["name"], before, code[position:].lstrip()[:2], brackets))
            else:
                if match["other"] and match["other"] in "([{":
                    brackets.append(match["other"])
                elif match["other"] and match["other"] in ")]}" and brackets:
                    brackets.pop()
                found.append(match[0])
            if match[0].strip():
                before = match[0]
        return "".join(found)

    def _name(self, name: str, before: str, after: str, brackets: list[str]) -> str:
        if name == "await":
            raise UnusableError("it waits for something while it is drawn")
        is_in_object = bool(brackets) and brackets[-1] == "{" and before in ("{", ",")
        if is_in_object and after[:1] == ":":
            return name
        if name in self._known or name in _WORDS:
            return name
        value = self._names.value(name)
        return f"{name}: {value}" if is_in_object and after[:1] in (",", "}") else value

    def _quoted(self, code: str, start: int) -> tuple[str, int]:
        """Read a text in backticks, with the expressions in it."""
        found = ["`"]
        position = start + 1
        while position < len(code):
            if code[position] == "\\":
                found.append(code[position : position + 2])
                position += 2
            elif code.startswith("${", position):
                end, depth = position + 2, 1
                while end < len(code) and depth:
                    depth += {"{": 1, "}": -1}.get(code[end], 0)
                    end += 1
                self._depth += 1
                if self._depth > _DEEPEST:
                    raise UnusableError(f"its texts in backticks are nested more than {_DEEPEST} times")
                found.append(f"${{{self.run(code[position + 2 : end - 1])}}}")
                self._depth -= 1
                position = end
            else:
                found.append(code[position])
                position += 1
                if code[position - 1] == "`":
                    return "".join(found), position
        raise UnusableError("a text in backticks is never closed")


def handler_of(value: str, names: Names, known: frozenset[str], modifiers: str) -> str:
    """Write what is done at an event as a function."""
    value = value.strip().rstrip(";")
    first = "$event?.preventDefault?.(); " if "prevent" in modifiers else ""
    if not value:
        return f"($event) => {{ {first}}}"
    if _PATH.fullmatch(value):
        return f"($event) => {{ {first}{names.rewritten(value, known)}($event); }}"
    if _FUNCTION.match(value):
        return f"($event) => {{ {first}({names.rewritten(value, known)})($event); }}"
    return f"($event) => {{ {first}{names.rewritten(value, known)}; }}"
