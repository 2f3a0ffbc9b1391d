"""Docstrings as griffe must find them so that it leaves nothing out.

griffe drops what does not fit the style of a docstring: an item without a colon, prose between parameters, a field
without a name. Here these are rewritten before it parses them. The number of lines stays the same, so that findings keep
their places.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import griffe

_NAMELESS = {
    "yield": "Yields",
    "yields": "Yields",
    "raise": "Raises",
    "raises": "Raises",
    "except": "Raises",
    "exception": "Raises",
    "param": "Parameter",
    "parameter": "Parameter",
    "arg": "Parameter",
    "argument": "Parameter",
    "key": "Parameter",
    "keyword": "Parameter",
    "var": "Attribute",
    "ivar": "Attribute",
    "cvar": "Attribute",
}
_NAMELESS_FIELD = re.compile(rf"^(?P<indent>[ \t]*):(?P<name>{'|'.join(_NAMELESS)}):(?!`)", re.MULTILINE)
_NAMELESS_ERROR = re.compile(
    r"^(?P<head>[ \t]*:(?:raises?|except|exception)):[ \t]+(?::[\w:]+:)?`+[~!]?(?P<name>[\w.]+)`+[ \t]*", re.MULTILINE
)
"""A field whose text begins with the name that belongs into it."""
_FIELDLIKE_ROLE = re.compile(
    r"^(?P<indent>[ \t]*):(?P<role>(?:param|arg|key|raise|except|var|ivar|cvar|type|return|rtype)\w+):`(?P<text>[^`\n]+)`",
    re.MULTILINE,
)
"""A role of Sphinx at the beginning of a line whose name begins as that of a field does: `:paramref:`."""
_GOOGLE_SECTION = re.compile(
    r"^(?:args|arguments|params|parameters|keyword args|keyword arguments|other args|other arguments|other params|"
    r"other parameters|raises|exceptions|warns|attributes|functions|methods|classes|modules):[ \t]*$",
    re.IGNORECASE,
)
_UNDERLINED_SECTION = re.compile(
    r"^(?P<title>(?P<indent>[ \t]*)(?:args|arguments|params|parameters|keyword args|keyword arguments|other arguments|other parameters|"
    r"raises|returns|yields|attributes|examples?|notes?|see also|warnings?|methods|todo|references|deprecated):)[ \t]*\n"
    r"(?P=indent)-{3,}[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
"""A section in Google's style with a line below its title, as in NumPy's."""
_TYPE_WITH_ROLES = re.compile(r"(?P<name>\*{0,2}\w+ \()(?P<type>(?:[^()`]|`[^`\n]*`)*`[^()]*)(?=\):)")
_ROLE_IN_TYPE = re.compile(r":[\w:]+:`+[~!.]?(?P<name>[^`\n]*)`+")
_TYPED_ITEM = re.compile(r"(?P<head>\*{0,2}\w+ \([^()]*\))[.,]? +(?P<text>\S.*)")
_DASHED_ITEM = re.compile(r"(?P<head>\*{0,2}\w+(?: \([^()]*\))?) +[-–—]+ +(?P<text>\S.*)")
_ESCAPED_NAME = re.compile(r"\\(?=[_*])")
_FIELD_HEAD = re.compile(
    r"^[ \t]*:(?:param|parameter|arg|argument|key|keyword|type|var|ivar|cvar|vartype)[ \t][^:\n]*:", re.MULTILINE
)
_ITEM_HEAD = re.compile(
    r"(?P<name>(?:\\?\*){0,2}(?:\w|\\_)+)(?: *= *(?P<default>[^\s=:][^:]*?))?(?P<rest>(?: \([^()]*\))?:.*)"
)
"""The first line of an item in Google's style; a default value belongs to the signature, not to the name."""
_NUMPY_SECTION = re.compile(r"^(?:other )?parameters|^attributes", re.IGNORECASE)
_UNDERLINE = re.compile(r"^-{3,}[ \t]*$")
_NUMPY_ITEM = re.compile(r"[^\s,:]+(?:, *[^\s,:]+)*(?:\s*:(?:\s.*)?)?")
_LINK_PART = re.compile(
    r"""
      (?P<code>(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))
    | ^[ ]{0,3}\[(?!\^)(?P<label>[^\[\]\n]+)\]:[ \t]*<?(?P<url>[^\s<>]+)>?(?P<title>[ \t]+"[^"\n]*")?[ \t]*$
    | \[(?P<text>[^\[\]]+)\](?:\[(?P<used>[^\[\]]*)\])?(?![(:\[])
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
"""Code, the definition of an address, or a link that uses one."""


def repaired(docstring: griffe.Docstring, *, is_rst: bool) -> griffe.Docstring:
    """Rewrite what griffe would drop from a docstring, and links whose addresses are at its end.

    Args:
        docstring: As it is in the source.
        is_rst: It is reStructuredText, where roles and link targets are left to the parser of that.
    """
    text = docstring.value
    if ":" in text:
        text = _NAMELESS_ERROR.sub(r"\g<head> \g<name>: ", text)
        text = _NAMELESS_FIELD.sub(lambda match: f"{match['indent']}**{_NAMELESS[match['name']]}:**", text)
        text = _FIELD_HEAD.sub(lambda match: _ESCAPED_NAME.sub("", match[0]), text)
        text = _FIELDLIKE_ROLE.sub(r"\g<indent>\\ :\g<role>:`\g<text>`" if is_rst else r"\g<indent>`\g<text>`", text)
        if "---" in text:
            text = _UNDERLINED_SECTION.sub(r"\n\g<title>", text)
        if any(map(_GOOGLE_SECTION.match, text.split("\n"))) and _style_of(docstring, text) is griffe.Parser.google:
            defaults = _defaults_of(docstring)
            text = _with_items(
                text, _GOOGLE_SECTION.match, lambda lines, number: _google_items(lines, number, defaults)
            )
    if "---" in text and _style_of(docstring, text) is griffe.Parser.numpy:
        text = _with_items(text, None, _numpy_items)
    if not is_rst and "]: " in text:
        text = _with_addresses(text)
    if text == docstring.value:
        return docstring
    return griffe.Docstring(text, lineno=docstring.lineno, parent=docstring.parent, parser=docstring.parser)


def _style_of(docstring: griffe.Docstring, text: str) -> griffe.Parser | None:
    given = griffe.Parser(docstring.parser) if docstring.parser else griffe.Parser.auto
    return griffe.infer_docstring_style(griffe.Docstring(text))[0] if given is griffe.Parser.auto else given


def _with_items(text: str, opens: Callable[[str], object] | None, rewrite: Callable[[list[str], int], int]) -> str:
    """Rewrite the items of the sections that a line opens, or in NumPy's style a line and the dashes below it."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        if opens is not None and opens(lines[number]):
            number = rewrite(lines, number + 1)
        elif opens is None and _NUMPY_SECTION.match(lines[number]) and _is_underlined(lines, number):
            number = rewrite(lines, number + 2)
        else:
            number += 1
    return "\n".join(lines)


def _defaults_of(docstring: griffe.Docstring) -> dict[str, str]:
    """Return the default values in the signature of what a docstring describes, by the names of parameters."""
    parameters = getattr(docstring.parent, "parameters", ())
    return {one.name: str(one.default) for one in parameters if one.default is not None}


def _google_items(lines: list[str], number: int, defaults: dict[str, str]) -> int:
    """Give each item of a section a colon behind its name alone; return the number of the line after the section."""
    indent = 0
    while number < len(lines):
        line = lines[number]
        own = len(line) - len(line.lstrip())
        if line.strip():
            if not own:
                break
            indent = indent or own
            if own == indent and ":" not in line:
                item = line.strip()
                match = _TYPED_ITEM.fullmatch(item) or _DASHED_ITEM.fullmatch(item)
                lines[number] = line[:own] + (f"{match['head']}: {match['text']}" if match else f"{item}:")
            elif own == indent:
                lines[number] = line[:own] + _with_plain_name(line[own:], defaults)
        number += 1
    return number


def _with_plain_name(item: str, defaults: dict[str, str]) -> str:
    """Write the name in an item without marks of escaping, and its default value as text unless the signature has it."""
    typed = _TYPE_WITH_ROLES.match(item)
    if typed is not None:
        plain = _ROLE_IN_TYPE.sub(r"\g<name>", typed["type"])
        item = f"{typed['name']}{plain}{item[typed.end() :]}"
    match = _ITEM_HEAD.fullmatch(item)
    if match is None:
        return item
    name, rest, default = _ESCAPED_NAME.sub("", match["name"]), match["rest"], match["default"]
    if default is not None and defaults.get(name) != default:
        head, _, text = rest.partition(":")
        rest = f"{head}: Default ``{default}``. {text.lstrip()}".rstrip()
    return name + rest


def _numpy_items(lines: list[str], number: int) -> int:
    """Indent the prose between the items of a section; return the number of the line after the section.

    What begins with prose becomes text with a title.
    """
    has_item = False
    title, dashes = number - 2, number - 1
    while number < len(lines):
        line = lines[number]
        if line.strip() and _is_underlined(lines, number):
            break
        if line.strip() and line[0] not in " \t":
            is_item = _NUMPY_ITEM.fullmatch(line.rstrip()) is not None
            if has_item and not is_item:
                lines[number] = f"    {line}"
            elif not is_item:
                lines[title], lines[dashes] = f"**{lines[title].strip()}**", ""
                break
            has_item = has_item or is_item
        number += 1
    return number


def _is_underlined(lines: list[str], number: int) -> bool:
    return number + 1 < len(lines) and _UNDERLINE.match(lines[number + 1]) is not None


def _with_addresses(text: str) -> str:
    """Write addresses that a docstring defines at its end into its links: the same label may mean another in the next one."""
    addresses = {
        _folded(match["label"]): f"<{match['url']}>{match['title'] or ''}"
        for match in _LINK_PART.finditer(text)
        if match["label"]
    }
    if not addresses:
        return text

    def write(match: re.Match[str]) -> str:
        if match["label"]:
            return ""
        address = addresses.get(_folded(match["used"] or match["text"])) if match["text"] else None
        return match[0] if address is None else f"[{match['text']}]({address})"

    return _LINK_PART.sub(write, text)


def _folded(label: str) -> str:
    return " ".join(label.lower().split())
