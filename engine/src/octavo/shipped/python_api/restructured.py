"""Docstrings in reStructuredText, as the compiler of the page must find them.

For Sphinx a docstring is one document. griffe takes it apart into sections, of which each is compiled by itself, and many are
on one page: targets of links are needed in each section that uses them, and footnotes of two docstrings have the same labels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import griffe

if TYPE_CHECKING:
    from octavo.extensions import Inputs
    from octavo.shipped.python_api.library import ModuleLibrary

_DEFINITION = re.compile(
    r"^[ \t]*\.\.[ \t]+(?:_(?P<target>`[^`\n]+`|(?:[^:\\\n]|\\.)+):[ \t]+(?P<address>\S+)|\|(?P<substitution>[^|\n]+)\|[ \t]+[\w-]+::.*)(?:\n[ \t]+:[\w-]+:.*)*$",
    re.MULTILINE,
)
"""An address that links use by name, or a text or picture with its options that stands for a name between bars."""
_NOTE = re.compile(
    r"^(?P<indent>[ \t]*)\.\.[ \t]+\[(?P<label>#?\w[\w.:+-]*)\](?P<first>[^\n]*)(?P<rest>(?:\n(?P=indent)[ \t]+\S[^\n]*)*)",
    re.MULTILINE,
)
"""A footnote or citation with its lines, up to a blank one."""
_USED_NOTE = re.compile(r"\[(?P<label>#?\w[\w.:+-]*)\]_(?!\w)")
_LITERAL = re.compile(r"(``.+?``)", re.DOTALL)
_ANY_LITERAL = re.compile(r"(``.+?``|`[^`]+`)", re.DOTALL)
_VARIADIC = re.compile(r"(?<![\w*\\`])(?P<stars>\*{1,2})(?=\w*(?:args|kwargs|kwds|kws)\b(?!\*))")
_CODE = re.compile(
    r"``.+?``|^\.\.[ \t]+(?:code-block|code|sourcecode|doctest|math)::.*\n(?:[ \t]*\n|[ \t]+.*\n?)*", re.MULTILINE
)
_SIGN_OF_RST = re.compile(
    r":[a-z]+(?::[a-z]+)?:`[^`\n]+`|^[ \t]*\.\.[ \t]+[\w:-]+::|\S::[ \t]*\n[ \t]*\n[ \t]+\S|`[^`<>\n]+<[^`<>\n]+>`__?(?!\w)|\[\w+\]_(?!\w)",
    re.MULTILINE,
)
_SIGN_OF_MARKDOWN = re.compile(
    r"^[ \t]*```|(?<!`)\[[^\[\]\n]+\]\([^()\s]+\)|\[[^\[\]\n]+\]\[[\w.`]*\]|^[ \t]*!!! ", re.MULTILINE
)
_FEWEST = 5
"""Docstrings that show how a package writes them."""


class SharedNames:
    """What a docstring defines for all of its sections: targets of links, texts of names, and labels of footnotes."""

    def __init__(self, docstrings: Iterable[str]) -> None:
        self._definitions: dict[str, str] = {}
        """Name in small letters → the line that defines it."""
        self._labels: set[str] = set()
        for text in docstrings:
            for match in _DEFINITION.finditer(text) if ".. " in text else ():
                name = (match["target"] or match["substitution"]).strip("`")
                self._definitions[_folded(name)] = match[0].strip()
            self._labels.update(match["label"] for match in _NOTE.finditer(text) if ".. [" in text)

    def complete(self, text: str) -> str:
        """Add to a section the definitions that it uses, and write footnotes as a list; lines of the text stay where they are."""
        if self._labels:
            text = _NOTE.sub(self._note, text)
            text = "".join(
                part if part.startswith("``") else _USED_NOTE.sub(self._label, part) for part in _LITERAL.split(text)
            )
        if not self._definitions:
            return text
        own = {_folded((one["target"] or one["substitution"]).strip("`")) for one in _DEFINITION.finditer(text)}
        words = _folded(_CODE.sub(" ", text))
        missing = [line for name, line in self._definitions.items() if name not in own and _uses(words, name)]
        return "\n".join([text, "", *missing]) if missing else text

    def _note(self, match: re.Match[str]) -> str:
        if match["label"] not in self._labels:
            return match[0]
        body = [line.strip() for line in match["rest"].split("\n")[1:]]
        return "\n".join(
            [
                f"{match['indent']}-  [{match['label'].lstrip('#')}]{match['first']}",
                *(f"{match['indent']}   {line}" for line in body),
            ]
        )

    def _label(self, match: re.Match[str]) -> str:
        return f"[{match['label'].lstrip('#')}]" if match["label"] in self._labels else match[0]


def _uses(words: str, name: str) -> bool:
    """Return whether a text uses a name: as a link, `` `name`_ `` or `name_`, or between bars."""
    return f"`{name}`_" in words or f"<{name}_>`" in words or f"|{name}|" in words or f"{name}_" in words


def _folded(name: str) -> str:
    return " ".join(name.lower().split())


def place_described(block: re.Match[str], path: str, shown: Callable[[str], object]) -> str:
    """Write a directive that describes a member so that its id is below that of the object whose docstring has it.

    Args:
        block: The directive, with the groups `name` and `label`.
        path: Path of the object.
        shown: Says whether the page has an entry with a path, whose id must not be given twice.
    """
    name = re.match(r"[A-Za-z_][\w.]*", block["label"].strip())
    if name is None or "." in name[0]:
        return block[0]  # it has its whole name
    option = ":no-index:" if shown(f"{path}.{name[0]}") else f":module: {path}"
    first, separator, rest = block[0].partition("\n")
    return f"{first}\n   {option}{separator}{rest}"


def escaped_stars(text: str) -> str:
    """Escape the stars of `*args` and `**kwargs`, for Markdown or reStructuredText."""
    return _VARIADIC.sub(lambda match: match["stars"].replace("*", "\\*"), text)


def with_plain_stars(text: str) -> str:
    """Escape the stars of `*args` and `**kwargs` in prose, which would begin emphasis; Sphinx's NumPy style does so as well."""
    if "*" not in text:
        return text
    paragraphs = re.split(r"(\n[ \t]*\n)", text)
    for number, paragraph in enumerate(paragraphs):
        # What is indented may be code, and lines with ">>>" are a session.
        if not paragraph.startswith((" ", "\t", "..")) and ">>>" not in paragraph:
            parts = _ANY_LITERAL.split(paragraph)
            paragraphs[number] = "".join(one if one.startswith("`") else escaped_stars(one) for one in parts)
    return "".join(paragraphs)


def with_documents_elsewhere(text: str) -> str:
    """Write roles that name a document so that one which the site does not have is no broken link."""
    if ":doc:`" not in text:
        return text
    return "".join(
        part if part.startswith("``") else part.replace(":doc:`", ":docstring-doc:`") for part in _LITERAL.split(text)
    )


def report_other_markup(library: ModuleLibrary, inputs: Inputs) -> None:
    """Report packages whose docstrings look like reStructuredText, where the settings do not say how they are written."""
    if library.settings.markup is not None:
        return
    for name, module in library.modules.items():
        if name in library.settings.packages and _is_likely(_docstrings_in(module)):
            message = f'Most docstrings of "{name}" look like reStructuredText, and are read as Markdown.'
            hint = (
                'Set `markup = "rst"` in `[extension_options.python_api]`, with `octavo[rst]` installed and "myst" in the '
                'extensions of `[markdown]`; or `markup = "markdown"` to keep it as it is.'
            )
            inputs.report(message, library.path_of(module), 1, suggestion=hint)


def _is_likely(docstrings: Iterable[str]) -> bool:
    """Return whether most docstrings of a package that have any marks have those of reStructuredText."""
    of_rst = of_markdown = 0
    for text in docstrings:
        if _SIGN_OF_MARKDOWN.search(text):
            of_markdown += 1
        elif _SIGN_OF_RST.search(text):
            of_rst += 1
    return of_rst >= _FEWEST and of_rst > 4 * of_markdown


def _docstrings_in(module: griffe.Module) -> Iterable[str]:
    """List the docstrings of a module, of what is in it, and of the modules below it."""
    waiting: list[griffe.Object | griffe.Alias] = [module]
    while waiting:
        found = waiting.pop()
        if found.docstring is not None:
            yield found.docstring.value
        waiting += [one for one in found.members.values() if not one.is_alias]
