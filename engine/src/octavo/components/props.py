"""Types of a component's properties, as far as they can be read off its file, and what is wrong with the values of a use.

Only what is certain is checked: texts, numbers, truth values, literals, unions and lists of them. All other types take
every value, as do components in JavaScript. Types may be in other files of the site, and in the declarations of packages.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from octavo.components.component import stem
from octavo.components.slots import FOLDER
from octavo.content import nearest
from octavo.documents import TAKEN_OVER
from octavo.lazy import regex as re
from octavo.rendering import Use

_COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)
_DEFAULT = re.compile(
    r"\bexport\s+default\s+(?:(?:async\s+)?function\s*\w*\s*(?:<[^>(]*>)?\s*|(?:memo|forwardRef)\s*\(\s*(?:function\s*\w*\s*)?)?\("
)
_HAS_DEFAULT = re.compile(r"\bexport\s+default\b|\bexport\s*\{[^}]*\bdefault\b")
_NAMED_DEFAULT = re.compile(
    r"\bexport\s+default\s+(\w+)\s*;?[ \t]*$|\bexport\s*\{\s*(\w+)\s+as\s+default\b", re.MULTILINE
)
_MEMBER = re.compile(r"\s*(?:readonly\s+)?(?P<name>[A-Za-z_$][\w$]*|\"[^\"\n]+\"|'[^'\n]+')\s*(?P<optional>\?)?\s*:")
_LITERAL = re.compile(
    r"""(?P<text>"[^"\n]*"|'[^'\n]*')|(?P<number>-?\d+(?:\.\d+)?)|(?P<word>true|false|null|undefined)"""
)
_ARRAY_OF = re.compile(r"(?:Readonly)?Array<(?P<item>.+)>", re.DOTALL)
_OPENING, _CLOSING = "{[(<", "}])>"
_ABSENT = object()


_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_READONLY = re.compile(r"Readonly<\s*([\w$.]+)\s*>")
_ARGUMENTS = re.compile(r"<[^<>]*>$")
"""Arguments of a generic type: a member whose type is one of them takes every value."""
_BASES = re.compile(r"[\w$]+(?:\s*,\s*[\w$]+)*")
_NAMES_FROM = re.compile(
    r"""\b(?P<what>import|export)\s+(?:type\s+)?(?:(?P<default>[\w$]+)\s*,?\s*)?(?:\{(?P<names>[^{}]*)\}|(?P<star>\*))?\s*from\s*["'](?P<module>[^"'\n]+)["']"""
)
_COMPONENT_TYPE = (
    r"(?:[\w$]+\.)?(?:FC|VFC|FunctionComponent|ComponentType|MemoExoticComponent|JSXElementConstructor)\s*<"
)
_PARAMETERS = r"(?:<[^<>=]*(?:=[^<>]*)?>)?"
"""Of a generic type, with or without defaults."""
_MOST_STEPS = 8
"""Files, and names within them, through which a type is looked for."""

FindTypes = Callable[[str, str], tuple[str, str] | None]
"""(path of a file, name of a module that it imports) → path and text of the file that declares its types."""


class Property(NamedTuple):
    """A property of a component."""

    type: str
    """As its author wrote it; in the place of a name, what that stands for."""
    is_optional: bool
    line: int
    column: int
    path: str = ""
    """Of another file in which it is declared."""


class Properties(NamedTuple):
    """The properties of a component."""

    all: dict[str, Property]
    is_complete: bool
    """It takes no others."""


class _File(NamedTuple):
    path: str
    text: str
    """Without comments."""
    find: FindTypes

    def other(self, module: str) -> _File | None:
        """Read the file with the types of a module that this one imports."""
        found = self.find(self.path, module)
        return _File(found[0], _without_comments(found[1]), self.find) if found else None


def read_properties(text: str, path: str = "", find: FindTypes = lambda *_: None) -> Properties | None:
    """Read the properties off a file in TypeScript; None where they are not written as a type that can be read.

    Args:
        text: Of the file.
        path: From the site's folder.
        find: Finds the files whose types it imports.
    """
    file = _File(path, _without_comments(text), find)
    name = "" if _HAS_DEFAULT.search(file.text) else stem(path)
    given = _type_of_parameter(file.text, name)
    if given is not None:
        properties = _properties(file, *given, _MOST_STEPS)
    else:
        properties = _properties_of_exported(file, name or "default", _MOST_STEPS)
    if properties is None:
        return None
    # Places in the file itself are named by whoever asks.
    own = {name: one._replace(path="") if one.path == path else one for name, one in properties.all.items()}
    return properties._replace(all=own)


def _without_comments(text: str) -> str:
    return _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def _properties(file: _File, start: int, written: str, steps: int) -> Properties | None:
    """Read the properties that a type has which is written at an offset: an object, or a name."""
    if len(_options(written)) > 1:
        return None  # which of the types holds depends on the values
    parts = [written[first:last] for first, last in _split(written, 0, len(written), "&")]
    if len(parts) > 1:
        return _properties_of_all(file, start, parts, steps)
    if written.startswith("{"):
        return _members_of(file, start, is_closed=True, steps=steps)
    name = _ARGUMENTS.sub("", _READONLY.sub(r"\1", written.strip()))
    return _properties_named(file, name, steps) if _NAME.fullmatch(name) else None


def _properties_of_all(file: _File, start: int, parts: list[str], steps: int) -> Properties | None:
    """Read the properties of types that are joined by `&`; one that cannot be read may have any others."""
    members: dict[str, Property] = {}
    is_complete = True
    for part in parts:
        offset = start + len(part) - len(part.lstrip())
        start += len(part) + 1
        if not part.strip():
            continue  # a union or intersection may begin with its operator
        found = _properties(file, offset, part.strip(), steps - 1) if steps > 0 else None
        is_complete = is_complete and found is not None and found.is_complete
        for name, one in found.all.items() if found else ():
            # Two types of one name must both hold; of these the first is checked, and the other one may be any.
            members.setdefault(name, one)
    return Properties(members, is_complete) if members else None


def _properties_named(file: _File, name: str, steps: int) -> Properties | None:
    """Read the properties that a name of a file stands for: declared there, or taken from another file."""
    if steps <= 0:
        return None
    escaped = re.escape(name)
    found = re.search(
        rf"\binterface\s+{escaped}\s*{_PARAMETERS}\s*(?:extends\b(?P<bases>[^{{]*))?(?P<body>\{{)", file.text
    )
    if found is not None:
        own = _members_of(file, found.start("body"), is_closed=True, steps=steps)
        return own if own is None or not found["bases"] else _with_bases(file, own, found["bases"].strip(), steps)
    if alias := re.search(rf"\btype\s+{escaped}\s*{_PARAMETERS}\s*=\s*", file.text):
        _, end = next(_split(file.text, alias.end(), len(file.text), ";\n"))
        return _properties(file, alias.end(), file.text[alias.end() : end].rstrip(), steps - 1)
    for module, exported in _sources_of(file, name, "import"):
        if (other := file.other(module)) is not None:
            return _properties_exported(other, exported, steps - 1)
    return None


def _with_bases(file: _File, own: Properties, bases: str, steps: int) -> Properties:
    if not _BASES.fullmatch(bases):
        return own._replace(is_complete=False)
    members: dict[str, Property] = {}
    is_complete = own.is_complete
    for base in re.split(r"\s*,\s*", bases):
        found = _properties_named(file, base, steps - 1)
        is_complete = is_complete and found is not None and found.is_complete
        members |= found.all if found else {}
    return Properties(members | own.all, is_complete)


def _properties_exported(file: _File, name: str, steps: int) -> Properties | None:
    """Read the properties of a type that a file exports."""
    if steps <= 0:
        return None
    if name == "default":
        named = re.search(r"\bexport\s+default\s+(?:interface\s+)?([\w$]+)|\b([\w$]+)\s+as\s+default\b", file.text)
        name = (named[1] or named[2]) if named else name
    found = _properties_named(file, name, steps)
    for module, exported in () if found else _sources_of(file, name, "export"):
        if found is None and (other := file.other(module)) is not None:
            found = _properties_exported(other, exported, steps - 1)
    return found


def _properties_of_exported(file: _File, name: str, steps: int) -> Properties | None:
    """Read the properties of a component that a file exports, and that another one may declare."""
    if steps <= 0:
        return None
    names = [name]
    if name == "default" and (named := _NAMED_DEFAULT.search(file.text)):
        names.append(named[1] or named[2])
    for one in names:
        if (found := _properties_of_declared(file, one, steps)) is not None:
            return found
        for module, exported in (*_sources_of(file, one, "import"), *_sources_of(file, one, "export")):
            other = file.other(module)
            if other and (found := _properties_of_exported(other, exported, steps - 1)) is not None:
                return found
    return None


def _properties_of_declared(file: _File, name: str, steps: int) -> Properties | None:
    """Read the properties of a component that a file declares: as a function, or with a type of React's."""
    escaped = re.escape(name)
    head = r"\bexport\s+default\s+function\s*[\w$]*" if name == "default" else rf"\bfunction\s+{escaped}"
    if opening := re.search(rf"{head}\s*(?:<[^>(]*>)?\s*\(", file.text):
        given = _type_at(file.text, opening.end())
        return _properties(file, *given, steps) if given else None
    typed = re.search(rf"\b(?:const|let|var)\s+{escaped}\s*:\s*{_COMPONENT_TYPE}", file.text)
    if typed is None:
        return None
    written = file.text[typed.end() : _end_of_arguments(file.text, typed.end())]
    return _properties(file, typed.end() + len(written) - len(written.lstrip()), written.strip(), steps)


def _sources_of(file: _File, name: str, what: str) -> Iterator[tuple[str, str]]:
    """List the modules from which a file may have a name, each with the name that it has there."""
    for match in _NAMES_FROM.finditer(file.text):
        if match["what"] != what:
            continue
        if match["default"] == name and what == "import":
            yield match["module"], "default"
        if match["star"] and what == "export" and name != "default":
            yield match["module"], name
        for one in (match["names"] or "").split(","):
            exported, _, local = one.strip().removeprefix("type ").strip().partition(" as ")
            if (local or exported).strip() == name:
                yield match["module"], exported.strip()


def _members_of(file: _File, start: int, *, is_closed: bool, steps: int) -> Properties | None:
    """Read the members of an object type whose bracket is at an offset."""
    end = _end_of(file.text, start)
    if end is None:
        return None
    is_closed = is_closed and not re.match(r"\s*&", file.text[end:])
    members = dict(_members(file.text, start + 1, end - 1))
    known = {
        name: one._replace(type=_spelled_out(file, one.type, steps), path=file.path) for name, one in members.items()
    }
    return Properties(known, is_closed and "[" not in members)


def _spelled_out(file: _File, kind: str, steps: int) -> str:
    """Give what a name in the place of a type stands for, as far as that is a union or a text of a file of the site."""
    if steps <= 0 or not _NAME.fullmatch(kind):
        return kind
    if declared := re.search(rf"\btype\s+{re.escape(kind)}\s*=\s*(?=[^\s{{])", file.text):
        _, end = next(_split(file.text, declared.end(), len(file.text), ";\n"))
        return _spelled_out(file, " ".join(file.text[declared.end() : end].split()), steps - 1)
    for module, exported in _sources_of(file, kind, "import"):
        if (other := file.other(module)) is not None and exported != "default":
            return _spelled_out(other, exported, steps - 1)
    return kind


def wrong_values(
    properties: Properties, name: str, path: str, given: Mapping[str, Any], *, has_children: bool
) -> list[str]:
    """Say what is wrong with the values of a use of the component `name` in the file `path`, each as a sentence."""
    return list(_wrong_values(properties, name, path, given, has_children=has_children))


def _wrong_values(
    properties: Properties, name: str, path: str, given: Mapping[str, Any], *, has_children: bool
) -> Iterator[str]:
    for key, wanted in properties.all.items():
        at = f"{wanted.path or path}:{wanted.line}:{wanted.column}"
        if key in given:
            if not _fits(given[key], wanted.type) and not (wanted.is_optional and given[key] is None):
                yield f'"{key}" of <{name}> is {_shown(given[key])}, and must be {wanted.type} ({at}).'
        elif not wanted.is_optional and not (key == "children" and has_children) and not _fits(_ABSENT, wanted.type):
            yield f'<{name}> needs "{key}", which is {wanted.type} ({at}).'
    if properties.is_complete:
        for key in given:
            if key not in properties.all and key not in ("key", "children"):
                close = nearest(key, properties.all)
                yield f'<{name}> has no property "{key}".' + (f' Did you mean "{close}"?' if close else "")


def _type_of_parameter(text: str, name: str = "") -> tuple[int, str] | None:
    """Find the type of the first parameter of the default export, or of the one with a name: (offset, text)."""
    opening = _DEFAULT.search(text)
    if opening is None:
        named = _NAMED_DEFAULT.search(text)
        if named is None and not name:
            return None
        name = re.escape((named[1] or named[2]) if named else name)
        parameters = r"(?:<[^>(]*>)?\s*\("
        opening = re.search(
            rf"\bfunction\s+{name}\s*{parameters}|\bconst\s+{name}\s*=\s*(?:async\s*)?(?:memo\s*\(\s*)?{parameters}",
            text,
        )
        if opening is None:
            return None
    return _type_at(text, opening.end())


def _type_at(text: str, position: int) -> tuple[int, str] | None:
    """Find the type of the first parameter of a list of them: (offset, text).

    Args:
        text: Of the file.
        position: Offset behind the opening bracket of the list.
    """
    parameters_end = _end_of(text, position - 1)
    if parameters_end is None:
        return None
    if pattern := re.compile(r"\s*\{").match(text, position):
        end = _end_of(text, pattern.end() - 1)
        if end is None:
            return None
        position = end
    colon = re.compile(r"\s*\w*\s*:\s*").match(text, position, parameters_end - 1)
    if colon is None:
        return None
    return colon.end(), text[colon.end() : parameters_end - 1].strip().rstrip(",").strip()


def _end_of(text: str, start: int) -> int | None:
    """Find the offset after the bracket that closes the one at `start`; None where none does."""
    depth = 0
    position = start
    while position < len(text):
        char = text[position]
        if char in "\"'`":
            closing = text.find(char, position + 1)
            if closing < 0:
                return None
            position = closing
        elif char in "{[(":
            depth += 1
        elif char in "}])":
            depth -= 1
            if depth == 0:
                return position + 1
        position += 1
    return None


def _end_of_arguments(text: str, start: int) -> int:
    """Find the bracket that closes the arguments of a type which begin at an offset."""
    depth = 1
    for match in re.compile(r"=>|[<>{}();]").finditer(text, start):
        depth += (match[0] in "<{(") - (match[0] in ">})") if match[0] != "=>" else 0
        if depth == 0:
            return match.start()
    return start


def _members(text: str, start: int, end: int) -> Iterator[tuple[str, Property]]:
    """Read the members of an object type between two offsets; what is not a property with a type is given as `[`."""
    for first, last in _split(text, start, end, ";,\n"):
        part = text[first:last]
        if not part.strip():
            continue
        member = _MEMBER.match(part)
        at = first + len(part) - len(part.lstrip())
        line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
        if member is None:
            yield "[", Property("any", is_optional=True, line=line, column=column)
            continue
        kind = " ".join(part[member.end() :].split())
        yield member["name"].strip("\"'"), Property(kind, bool(member["optional"]), line, column)


def _split(text: str, start: int, end: int, marks: str) -> Iterator[tuple[int, int]]:
    """Split a stretch at marks that are in no bracket; a line end is one only where what is before it is whole."""
    depth, first, position = 0, start, start
    while position < end:
        char = text[position]
        if char in "\"'":
            closing = text.find(char, position + 1, end)
            position = closing if closing > 0 else position
        elif char in _OPENING:
            depth += 1
        elif char in _CLOSING and text[position - 1 : position + 1] != "=>":
            depth -= 1
        elif depth == 0 and char in marks and not (char == "\n" and _goes_on(text, first, position, end)):
            yield first, position
            first = position + 1
        position += 1
    yield first, end


def _goes_on(text: str, first: int, position: int, end: int) -> bool:
    """Whether a member goes on in the next line."""
    before, after = text[first:position].rstrip(), text[position:end].lstrip()
    return before.endswith((":", "|", "&", "=>")) or after.startswith(("|", "&", "=>"))


def _fits(value: Any, kind: str) -> bool:
    """Whether a value is of a type; types that are not known take all."""
    return any(_fits_one(value, option) for option in _options(kind))


@lru_cache(maxsize=1024)
def _options(kind: str) -> tuple[str, ...]:
    """Split a union into its types."""
    options = (kind[first:last].strip() for first, last in _split(kind, 0, len(kind), "|"))
    return tuple(option for option in options if option)


def _fits_one(value: Any, kind: str) -> bool:
    kind = kind.removeprefix("readonly ").strip()
    if kind.startswith("(") and kind.endswith(")"):
        return _fits(value, kind[1:-1])
    if kind in ("any", "unknown", "undefined", "ReactNode", "React.ReactNode") and value is _ABSENT:
        return True
    if value is _ABSENT:
        return False
    match kind:
        case "string":
            return isinstance(value, str)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "boolean":
            return isinstance(value, bool)
    if literal := _LITERAL.fullmatch(kind):
        return _is_literal(value, literal)
    item = kind[:-2] if kind.endswith("[]") else None
    if array := _ARRAY_OF.fullmatch(kind):
        item = array["item"]
    if item is not None:
        return isinstance(value, list) and all(_fits(one, item) for one in value)
    if kind.startswith("{"):
        return isinstance(value, dict)
    return True


def _is_literal(value: Any, literal: re.Match[str]) -> bool:
    if literal["text"]:
        return bool(value == literal["text"][1:-1])
    if literal["number"]:
        return isinstance(value, int | float) and not isinstance(value, bool) and value == float(literal["number"])
    return value is {"true": True, "false": False}.get(literal["word"])


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    kinds = {
        str: "the text ",
        bool: "",
        int: "the number ",
        float: "the number ",
        list: "the list ",
        dict: "the object ",
    }
    return f"{kinds.get(type(value), '')}{text if len(text) <= 40 else f'{text[:40]}…'}"


class PropertyChecks:
    """Checks the values of uses against the types in the files of their components, each of which is read once."""

    def __init__(self, read: Callable[[str], str], find: FindTypes) -> None:
        """Initialize.

        Args:
            read: Gives the text of a file.
            find: Finds the files whose types one imports.
        """
        self._read = read
        self._find = find
        self._known: dict[str, Properties | None] = {}

    def wrong_values(self, path: str, use: Use, *, has_failed: bool = False) -> str:
        """Say what is wrong with the values of a use of the component in a file; empty for nothing.

        Types of an imported site count only where the use has failed: its old engine checked no page against them, and draws
        the same without a value that they ask for.
        """
        if path.startswith(f"{FOLDER}/") or not path.endswith(".tsx"):
            return ""
        if path not in self._known:
            self._known[path] = read_properties(self._read(path), path, self._find)
        known = self._known[path]
        if known is None or (not has_failed and any(f"/{TAKEN_OVER}/" in one.path for one in known.all.values())):
            return ""
        # An element is neither a text nor a number.
        given = {**use.props, **{name: {} for name in use.contents if name != "children"}}
        return " ".join(wrong_values(known, use.name, path, given, has_children=use.has_children))
