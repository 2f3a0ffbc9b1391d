"""Docstrings in the styles of Google, NumPy and Sphinx as Markdown."""

from __future__ import annotations

import html
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import griffe

from octavo.shipped.python_api.repair import repaired
from octavo.shipped.python_api.words import admonition_title, word

if TYPE_CHECKING:
    from octavo.extensions import Inputs
    from octavo.shipped.python_api.library import ModuleLibrary, Object
    from octavo.shipped.python_api.prose import Prose

_ORIGIN = re.compile(r"\ue000(?P<path>[^\ue000]*)\ue000(?P<line>\d+)\ue000")
_MARKDOWN = re.compile(r"[*_`\[\]{}\\~^$=|!#]")
_OF_SIGNATURES = re.compile(r"does not appear in the function signature|No types or annotations|No matching parameter")
_NO_PROBLEM = re.compile(r"types? or annotations?|Duplicate (?:parameter|attribute) information|^Confusing indentation")
"""Is in what griffe says where readers miss nothing: about values without a type, about those with one in the code as
well, and about lines that are indented by another number of columns."""
_UNKNOWN_NAME = re.compile(r"(?:Parameter|No matching parameter for) '(?P<name>[^']*)'")
_PLACE = re.compile(r".*?:(?P<line>\d+): (?P<message>.*)", re.DOTALL)
_FIELD = re.compile(
    r"^[ \t]*:(?:param|parameter|arg|argument|key|keyword|raises?|exception|except|var|ivar|cvar|vartype|returns?|rtype)\b[^:\n]*:",
    re.MULTILINE,
)
_TYPED_FIELD = re.compile(
    r"^(?P<head>[ \t]*:(?:var|ivar|cvar)) +(?P<type>\S[^:\n]*?) +(?P<name>\w+):(?!`)", re.MULTILINE
)
"""A field with a type in it, which griffe reads of parameters only."""
_RESULT = re.compile(r"^[ \t]*:returns?:", re.MULTILINE)
_WITH_TYPES = frozenset(
    {"parameters", "other parameters", "attributes", "returns", "yields", "receives", "raises", "warns"}
)
_WRITTEN_TYPE = re.compile(
    r"""
      ^[ \t]*:(?:type|vartype)[ ]+[^:\n]+:[ ]*(.+)$ | ^[ \t]*:rtype:[ ]*(.+)$
    | ^[ \t]+\*{0,2}\w+[ ]\((.+)\):
    | ^[\w*]+(?:,[ ]*[\w*]+)*[ ]*:[ ]+(.+)$
    | ^(\S.*)$(?=\n[ \t]+\S)
    """,
    re.MULTILINE | re.VERBOSE,
)
"""A type in a field of Sphinx, in an item of Google's style, or in one of NumPy's."""
_WORD = re.compile(r"\w+")
_TITLED = frozenset(
    {"parameters", "other parameters", "type parameters", "raises", "warns", "returns", "yields", "receives", "attributes",
     "functions", "classes", "modules", "type aliases"}
)  # fmt: skip
"""Kinds of sections that have a word of the theme, with hyphens for spaces."""


def draw_docstring(found: Object, prose: Prose, library: ModuleLibrary, inputs: Inputs) -> str:
    """Write the docstring of an object; that of `__init__` belongs to its class."""
    holders = [found]
    if found.is_class and "__init__" in found.members:
        holders.append(found.members["__init__"])
    # What a property does when it is set or deleted is said there.
    changers = (getattr(found, name, None) for name in ("setter", "deleter"))
    holders += [one for one in changers if one is not None]
    parts: list[str] = []
    for holder in holders:
        if holder.docstring is None:
            continue
        with _reported(found, library, inputs):
            docstring = repaired(holder.docstring, is_rst=library.settings.markup == "rst")
            sections = _parsed(docstring)
        _keep_written_types(sections, docstring.value)
        drawn = [part for section in sections if (part := _section(section, found, prose, library))]
        if drawn:
            drawn[0] = _origin_mark(library.path_of(holder), holder.docstring.lineno or 1) + drawn[0]
        parts += drawn
    return "\n\n".join(parts)


def _parsed(docstring: griffe.Docstring) -> list[Any]:
    """Parse a docstring; fields of Sphinx count in its first line as well, and results that are given twice stay."""
    first = _FIELD.search(docstring.value)
    if first is None:
        return docstring.parsed
    parser = _parser_of(docstring, first)
    typed = [
        f":vartype {match['name']}: {match['type'].lstrip('~!')}" for match in _TYPED_FIELD.finditer(docstring.value)
    ]
    if typed:
        text = "\n".join([_TYPED_FIELD.sub(r"\g<head> \g<name>:", docstring.value).rstrip(), *typed])
        docstring = griffe.Docstring(text, lineno=docstring.lineno, parent=docstring.parent, parser=docstring.parser)
    place = _RESULT.search(docstring.value)
    if place is None or _RESULT.search(docstring.value, place.end()) is None:
        return docstring.parse(parser)
    before, rest = docstring.value[: place.end()], docstring.value[place.end() :]
    # The reader of the style keeps the last one only.
    return griffe.Docstring(
        before + _RESULT.sub("\n\n    ", rest), lineno=docstring.lineno, parent=docstring.parent
    ).parse(parser)


def _parser_of(docstring: griffe.Docstring, first_field: re.Match[str]) -> Any:
    if docstring.parser != griffe.Parser.auto:
        return docstring.parser
    if first_field.start() == 0:
        return griffe.Parser.sphinx
    # A field counts as a sign of the style only where a line follows it, which the last one does not have.
    closed = griffe.Docstring(docstring.value)
    closed.value += "\n"
    return griffe.infer_docstring_style(closed)[0] or docstring.parser


def _keep_written_types(sections: list[Any], text: str) -> None:
    """Put types as the docstring has them in the place of what griffe makes of those that are no expression of Python.

    It reads `{"a", "b"}` as two names, and `array (n,)` as a call.
    """
    written: dict[tuple[str, ...], str] | None = None
    for section in sections:
        if section.kind.value not in _WITH_TYPES:
            continue
        for one in section.value:
            if one.annotation is None or isinstance(one.annotation, str):
                continue
            if written is None:
                written = {tuple(_WORD.findall(kind)): kind for kind in _written_types(text)}
            kind = written.get(tuple(_WORD.findall(read := str(one.annotation))))
            if kind is not None and _without_spaces(kind) != _without_spaces(read):
                one.annotation = kind


def _written_types(text: str) -> Iterator[str]:
    for match in _WRITTEN_TYPE.finditer(text):
        kind = next(one for one in match.groups() if one is not None).strip()
        yield re.sub(r",? optional$", "", kind)


def _without_spaces(kind: str) -> str:
    """Write a type without what does not matter: spaces, and quotation marks that only delay its evaluation."""
    quotes = "" if kind.startswith("{") or "Literal[" in kind else "'\""
    return re.sub(rf"[\s{quotes}]", "", kind)


def take_origins(text: str) -> tuple[str, dict[int, tuple[str, int]]]:
    """Take the marks of docstrings out of a drawn text.

    Returns:
        (the text, its lines on which a docstring begins, with file and line of the docstring).
    """
    origins: dict[int, tuple[str, int]] = {}
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if (match := _ORIGIN.search(line)) is not None:
            origins[number + 1] = (match["path"], int(match["line"]))
            lines[number] = _ORIGIN.sub("", line)
    return "\n".join(lines), origins


def _origin_mark(path: str, line: int) -> str:
    """Mark where a docstring begins, with characters that no text has."""
    return f"\ue000{path}\ue000{line}\ue000"


def drawn_type(given: object, library: ModuleLibrary) -> str:
    """Write a type as code in which each name leads to what it names, where that is shown."""
    if isinstance(given, str):
        return f"<code>{_escape(given)}</code>"
    parts: list[str] = []
    for piece in given.iterate(flat=True):  # type: ignore[attr-defined]
        if isinstance(piece, str):
            parts.append(_escape(piece))
            continue
        canonical = _canonical(piece)
        # What the packages do not show may be in the inventory of another project.
        shown = library.shown.get(canonical) or ("" if library.find(canonical) else canonical)
        text = _escape(str(piece.name))
        parts.append(f'<a href="ref:?{html.escape(shown)}">{text}</a>' if shown else text)
    return f"<code>{''.join(parts)}</code>"


def _canonical(name: Any) -> str:
    try:
        return str(name.canonical_path)
    except (griffe.GriffeError, AttributeError, KeyError):
        return ""


def _escape(text: str) -> str:
    """Write a text so that neither HTML nor Markdown sees anything in it."""
    escaped = html.escape(" ".join(text.split(" ")).replace("\n", " "), quote=False)
    return _MARKDOWN.sub(lambda match: f"&#{ord(match[0])};", escaped)


@contextmanager
def _reported(found: Object, library: ModuleLibrary, inputs: Inputs) -> Iterator[None]:
    """Report what griffe finds wrong with a docstring."""
    handler = _Handler(found, library, inputs)
    logger = logging.getLogger("griffe")
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


class _Handler(logging.Handler):
    def __init__(self, found: Object, library: ModuleLibrary, inputs: Inputs) -> None:
        super().__init__(logging.WARNING)
        self._found = found
        self._library = library
        self._inputs = inputs
        self._names = {parameter.name.lstrip("*") for parameter in _parameters(found)}
        """Names that are in the signature, or are reported."""

    def emit(self, record: logging.LogRecord) -> None:
        match = _PLACE.fullmatch(record.getMessage())
        if match is None or _NO_PROBLEM.search(match["message"]):
            return
        text = " ".join(match["message"].split())
        if _OF_SIGNATURES.search(text):
            # Sphinx compares none, and readers see all of the docstring.
            if self._library.settings.markup == "rst" or _takes_unknown(self._found):
                return
            unknown = _UNKNOWN_NAME.match(text)
            name = unknown["name"].lstrip("\\*") if unknown else ""
            if name in self._names:
                return
            if unknown:
                self._names.add(name)  # griffe says it twice of fields
                text = f"Parameter '{unknown['name']}' does not appear in the function signature"
        message = f'The docstring of "{self._found.path}": {text.rstrip(".")}.'
        self._inputs.report(message, self._library.path_of(self._found), max(int(match["line"]), 1))


def _takes_unknown(found: Object) -> bool:
    """Return whether not all parameters of an object are in its signature.

    They are not where it takes any by keyword, and of a class whose `__new__` or whose base elsewhere has them.
    """
    parameters = _parameters(found)
    if any(one.kind is griffe.ParameterKind.var_keyword for one in parameters):
        return True
    if not found.is_class or "__init__" in found.members or parameters:
        return False
    return bool(getattr(found, "bases", ())) or "__new__" in found.members


def _parameters(found: Object) -> list[griffe.Parameter]:
    return list(getattr(found, "parameters", ()) or ())


def _section(section: Any, found: Object, prose: Prose, library: ModuleLibrary) -> str:
    kind = section.kind.value
    if kind == "text":
        return prose.write(section.value)
    if kind == "examples":
        return _examples(section, prose)
    if kind == "admonition":
        title = admonition_title(str(section.value.kind), section.title)
        return prose.admonition(section.value.kind, title, section.value.contents)
    if kind == "deprecated":
        version = section.value.version
        title = word("deprecated", version=version) if version else word("deprecated-here")
        return prose.admonition("deprecated", title, section.value.description)
    values = section.value
    if kind == "attributes" and found.is_class:
        # What has an entry of its own says it there.
        values = [one for one in values if not _has_entry(found, one.name, library)]
    if not values:
        return ""
    write = _result if kind in ("returns", "yields", "receives", "raises", "warns") else _named
    lines = [_item(write(one, library), one.description, prose) for one in values]
    title = section.title or (word(kind.replace(" ", "-")) if kind in _TITLED else kind.capitalize())
    return f"**{title}**\n\n" + "\n".join(lines)


def _has_entry(found: Object, name: str, library: ModuleLibrary) -> bool:
    member = found.members.get(name)
    return member is not None and member.docstring is not None and f"{found.path}.{name}" in library.shown


def _item(head: str, description: str, prose: Prose) -> str:
    text = prose.write(description or "")
    if text.startswith(("```", "~~~", ":::")):
        text = f"\n{text}"  # a block of its own below the name
    first, *rest = text.split("\n") if text else [""]
    between = ": " if head and first else ""
    return "\n".join([f"- {head}{between}{first}", *(f"  {line}" if line else "" for line in rest)])


def _named(one: Any, library: ModuleLibrary) -> str:
    facts = [drawn_type(one.annotation, library)] if one.annotation is not None else []
    default = getattr(one, "default", None)
    if default is not None:
        facts.append(word("default-value", value=f"<code>{_escape(str(default))}</code>"))
    about = f" ({', '.join(facts)})" if facts else ""
    return f"**<code>{_escape(str(one.name))}</code>**{about}"


def _result(one: Any, library: ModuleLibrary) -> str:
    name = f"**<code>{_escape(one.name)}</code>**" if getattr(one, "name", "") else ""
    kind = drawn_type(one.annotation, library) if one.annotation is not None else ""
    return f"{name} ({kind})" if name and kind else name or kind


def _examples(section: Any, prose: Prose) -> str:
    parts = [f"**{section.title or word('examples')}**"]
    for kind, text in section.value:
        if kind.value == "examples":
            longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
            marks = "`" * max(3, longest + 1)
            parts.append(f"{marks}pycon\n{text}\n{marks}")
        else:
            parts.append(prose.write(text))
    return "\n\n".join(parts)
