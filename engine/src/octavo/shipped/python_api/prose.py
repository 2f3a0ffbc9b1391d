"""Texts of docstrings as Markdown: cross-references, roles of Sphinx, sessions, and headings that are none of the page's."""

from __future__ import annotations

import contextlib
import re
import textwrap
from typing import TYPE_CHECKING

import griffe

if TYPE_CHECKING:
    from octavo.extensions import Inputs
    from octavo.shipped.python_api.library import ModuleLibrary, Object

_CODE = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*(?P=fence)[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
_REFERENCE = re.compile(
    r"\[(?P<text>[^\[\]\n]+)\]\[(?P<name>[\w.`]*)\]|\[`(?P<member>[A-Za-z_]\w*(?:\.\w+)+)`\](?![\[(:])"
)
_ROLE = re.compile(
    r":(?:py:)?(?:class|func|meth|mod|attr|exc|obj|data|const|ref|any):`(?:(?P<text>[^`<>]+?)[ ]*<)?(?P<name>[~!.\w]+)>?(?:\(\))?`"
)
_OTHER_ROLE = re.compile(
    r"(?<![\w:`]):(?P<role>[a-z]+(?:[:+-][a-z]+)*):`(?P<text>[^`<>]+?)(?:\s*<(?P<target>[^`<>]*)>)?`", re.IGNORECASE
)
_WEB_LINK = re.compile(r"(?<!`)`(?P<text>[^`<>]+?)\s*<(?P<url>(?:https?://|mailto:)[^<>\s]+)>`__?")
_DOCUMENTS = {
    "pep": ("PEP", "https://peps.python.org/pep-{:0>4}/"),
    "rfc": ("RFC", "https://datatracker.ietf.org/doc/html/rfc{}"),
}
_OF_TEXT = frozenset({"ref", "doc", "term", "numref", "keyword", "abbr", "title", "any", "dfn", "emphasis", "strong"})
"""Roles whose text is no code; where they lead to is not known here."""
_MARKED = re.compile(r"[`*|_<>\[\]{}\\#$&+~-]|::|^\s*(?:\.\.|\d+\.|[a-z#]\.)\s", re.MULTILINE)
"""What a plain text in reStructuredText does not have."""
_CODE_IN_LINE = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)")
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$", re.MULTILINE)
_SESSION = re.compile(r"(?:^(?P<indent>[ \t]*)>>> [^\n]*(?:\n(?![ \t]*(?:\n|$))[^\n]*)*)", re.MULTILINE)
_DIRECTIVE = re.compile(
    r"^\.\.[ \t]+(?P<name>[\w-]+)::[ \t]*(?P<label>[^\n]*)\n?(?P<body>(?:[ \t]*\n|[ \t]{2,}[^\n]*(?:\n|\Z))*)",
    re.MULTILINE,
)
_ADMONITIONS = {
    "note": "note",
    "tip": "tip",
    "hint": "tip",
    "info": "info",
    "seealso": "info",
    "versionadded": "info",
    "versionchanged": "info",
    "important": "info",
    "warning": "warning",
    "caution": "warning",
    "attention": "warning",
    "deprecated": "warning",
    "danger": "danger",
    "error": "danger",
}
_DESCRIBING = frozenset({"attribute", "data", "describe", "property", "envvar"})
"""Directives that describe what has a name."""
_OPTIONS = re.compile(r"^:[\w-]+:[^\n]*\n?", re.MULTILINE)
_TITLES = {
    "seealso": "See also",
    "versionadded": "New in version {}",
    "versionchanged": "Changed in version {}",
    "deprecated": "Deprecated since version {}",
}


class Prose:
    """Writes the texts of one object's docstring."""

    def __init__(self, library: ModuleLibrary, found: Object, inputs: Inputs) -> None:
        self._library = library
        self._found = found
        self._inputs = inputs

    def write(self, text: str) -> str:
        """Turn a text into Markdown of the page."""
        if self._library.settings.markup == "rst" and _MARKED.search(text):
            return _fence("{eval-rst}", textwrap.dedent(text), "")  # the page's compiler has a parser
        pieces: list[str] = []
        end = 0
        for block in _CODE.finditer(text):
            pieces += (self._between(text[end : block.start()]), block[0])
            end = block.end()
        return "".join([*pieces, self._between(text[end:])]).strip("\n")

    def line(self, text: str) -> str:
        """Turn a text into one line: its first paragraph."""
        first = text.strip().partition("\n\n")[0]
        written = self._lines(first) if self._library.settings.markup == "rst" else self.write(first)
        return " ".join(written.split())

    def admonition(self, kind: str, title: str, text: str) -> str:
        """Write an admonition."""
        known = _ADMONITIONS.get(kind.lower().replace(" ", ""), "note")
        inner = self.write(text)
        longest = max((len(run) for run in re.findall(r"^:{3,}", inner, re.MULTILINE)), default=2)
        marks = ":" * (longest + 1)
        return f"{marks}{known}[{title}]\n{inner}\n{marks}"

    def _between(self, text: str) -> str:
        """Write a stretch without fenced code."""
        pieces: list[str] = []
        end = 0
        for session in _SESSION.finditer(text):
            pieces += (self._blocks(text[end : session.start()]), _fence("pycon", session[0], session["indent"]))
            end = session.end()
        return "".join([*pieces, self._blocks(text[end:])])

    def _blocks(self, text: str) -> str:
        pieces: list[str] = []
        end = 0
        for block in _DIRECTIVE.finditer(text) if ".." in text else ():
            pieces += (self._lines(text[end : block.start()]), self._directive(block))
            end = block.end()
        return "".join([*pieces, self._lines(text[end:])])

    def _directive(self, block: re.Match[str]) -> str:
        """Write a directive of reStructuredText: an admonition, or a block of code."""
        name, label = block["name"], block["label"].strip()
        body = _dedent(block["body"])
        if name in ("code-block", "code", "sourcecode"):
            return f"\n{_fence(label or 'python', body, '')}\n"
        if name in _DESCRIBING:
            text = _OPTIONS.sub("", body).strip("\n")
            return f"\n**`{label}`**\n\n{self.write(text)}\n\n"
        if name not in _ADMONITIONS:
            return self._lines(block[0])
        title = _TITLES.get(name, name.capitalize()).format(label) if name in _TITLES else name.capitalize()
        text = body if name.startswith(("version", "deprecated")) else f"{label}\n{body}".strip()
        return f"\n{self.admonition(name, title, text)}\n\n"

    def _lines(self, text: str) -> str:
        text = _HEADING.sub(r"**\1**", text)
        if ":`" in text:
            text = _OTHER_ROLE.sub(_other_role, _ROLE.sub(self._role, text))
        if ">`_" in text:
            text = _WEB_LINK.sub(lambda match: f"[{' '.join(match['text'].split())}]({match['url']})", text)
        pieces: list[str] = []
        end = 0
        for match in _REFERENCE.finditer(text) if "[" in text else ():
            if any(code.start() < match.start() < code.end() for code in _CODE_IN_LINE.finditer(text)):
                continue
            pieces += (text[end : match.start()], self._reference(match))
            end = match.end()
        return "".join([*pieces, text[end:]])

    def _reference(self, match: re.Match[str]) -> str:
        name = (match["member"] or match["name"] or match["text"]).strip("`")
        text = f"`{match['member']}`" if match["member"] else match["text"]
        return self._link(name, text, match)

    def _role(self, match: re.Match[str]) -> str:
        name = match["name"].lstrip("~!.")
        short = name.rpartition(".")[2] if match["name"].startswith("~") else name
        text = match["text"] or f"`{short}`"
        return text if match["name"].startswith("!") else self._link(name, text, match)

    def _link(self, name: str, text: str, match: re.Match[str]) -> str:
        shown = resolve(self._library, self._found, name)
        if shown is not None:
            return f"[{text}](ref:{'' if self._library.settings.docs else '?'}{shown})"
        if "." not in name and match.re is _REFERENCE and name:
            return f"[{text}](ref:{name})"  # a heading of the site, which its build looks for
        if self._library.is_beyond(name):
            return f"[{text}](ref:?{name})"  # a page that describes it may be there
        if f"{name}.".startswith(tuple(f"{one.partition('.')[0]}." for one in self._library.settings.packages)):
            self._report(name)
        return text

    def _report(self, name: str) -> None:
        docstring = self._found.docstring
        line = docstring.lineno or 1 if docstring is not None else self._found.lineno or 1
        if docstring is not None:
            before = docstring.source.partition(name)[0]
            line += before.count("\n")
        close = self._library.nearest(name)
        message = f'The docstring of "{self._found.path}" refers to "{name}", which is not in the reference.'
        hint = f'Did you mean "{close}"?' if close else ""
        self._inputs.report(message, self._library.path_of(self._found), line, suggestion=hint)


def resolve(library: ModuleLibrary, scope: Object, name: str) -> str | None:
    """Find the id under which a name is shown that is written in the scope of an object."""
    candidates = [name]
    above = scope.path
    while above:
        candidates.append(f"{above}.{name}")
        above = above.rpartition(".")[0]
    with contextlib.suppress(griffe.GriffeError, KeyError, AttributeError):
        candidates.append(scope.resolve(name))
    # What is said of the constructor is shown with its class.
    candidates += [one.removesuffix(".__init__") for one in candidates if one.endswith(".__init__")]
    return next((library.shown[one] for one in candidates if one in library.shown), None)


def _other_role(match: re.Match[str]) -> str:
    """Write a role of Sphinx that names no object: a document of Python or of the Internet, a term, a program, a key."""
    role, text = match["role"].rpartition(":")[2].lower(), match["text"]
    if role in _DOCUMENTS and (number := re.match(r"[0-9]+", (match["target"] or text).strip())):
        name, address = _DOCUMENTS[role]
        shown = text if match["target"] else f"{name} {text}"
        return f"[{shown}]({address.format(number[0])})"
    if role == "math":
        return match[0]
    return text if role in _OF_TEXT else f"`{text}`"


def _dedent(text: str) -> str:
    """Take away the indentation that all lines share."""
    return textwrap.dedent(text).strip("\n")


def _fence(language: str, code: str, indent: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    marks = "`" * max(3, longest + 1)
    body = "\n".join(line.removeprefix(indent) for line in code.rstrip("\n").split("\n"))
    return f"{marks}{language}\n{body}\n{marks}"
