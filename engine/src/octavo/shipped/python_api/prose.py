"""Texts of docstrings as Markdown: cross-references, roles of Sphinx, sessions, and headings that are none of the page's."""

from __future__ import annotations

import contextlib
import re
import textwrap
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import griffe

from octavo.shipped.python_api.restructured import (
    SharedNames,
    escaped_stars,
    place_described,
    with_documents_elsewhere,
    with_plain_stars,
)
from octavo.shipped.python_api.titles import titles_as_rubrics, without_titles
from octavo.shipped.python_api.words import admonition_title, word

if TYPE_CHECKING:
    from octavo.extensions import Inputs
    from octavo.shipped.python_api.library import ModuleLibrary, Object

_CODE = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*(?P=fence)[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
_REFERENCE = re.compile(
    r"(?<!\\)\[(?P<text>[^\[\]\n]+)\]\[(?P<name>[\w.`]*)\]|(?<!\\)\[`(?P<member>[A-Za-z_]\w*(?:\.\w+)+)`\](?![\[(:])"
)
_ROLE = re.compile(
    r"(?<!:c)(?<!:js)(?<!:cpp)(?<!:rst)(?<!:std):(?:py:)?(?:class|func|meth|mod|attr|exc|obj|data|const|ref|any):`(?:(?P<text>[^`<>]+?)[ ]*<)?(?P<name>[~!.\w]+)>?(?:\(\))?`"
)
_OTHER_ROLE = re.compile(
    r"(?<![\w:`]):(?P<role>[a-z]+(?:[:+-][a-z]+)*):`(?P<text>[^`<>]+?)(?:\s*<(?P<target>[^`<>]*)>)?`", re.IGNORECASE
)
_WEB_LINK = re.compile(r"(?<!`)`(?P<text>[^`<>]+?)\s*<(?P<url>(?:https?://|mailto:)[^<>]+)>`__?")
_DOCUMENTS = {
    "pep": ("PEP", "https://peps.python.org/pep-{:0>4}/"),
    "rfc": ("RFC", "https://datatracker.ietf.org/doc/html/rfc{}"),
}
_OF_TEXT = frozenset({"ref", "doc", "term", "numref", "keyword", "abbr", "title", "any", "dfn", "emphasis", "strong"})
"""Roles whose text is not code; where they lead to is not known here."""
_MARKED = re.compile(r"[`*|_<>\[\]{}\\#$&+~-]|::|^\s*(?:\.\.|\d+\.|[a-z#]\.)\s", re.MULTILINE)
"""What a plain text in reStructuredText does not have."""
_CODE_IN_LINE = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)")
_INDEXED_CALL = re.compile(r"(?<=[\w\]])\[(?=[^\[\]\n`]+\]\((?![^()\s]*[/.#:])[^()\n]*\))")
"""The bracket of a call of what an index gives, `types[key](size=1)`, which Markdown would take for a link."""
_BLOCK_START = re.compile(
    r"[ \t]*(?:[!?]{3}\+?[ \t]|\.\.[ \t]|#{1,6}[ \t]|:{3}|`{3}|~{3}|>>>|\||!\[|<|[-*+][ \t]|\d+[.)][ \t]|\*\*[^*\n]+\*\*[ \t]*\Z)|[ \t]{4}"
)
_LOCAL_LINK = re.compile(
    r"(?<!!)\[(?P<text>[^\[\]]+)\]\((?!https?:|mailto:|ref:|/)<?[^()\s<>]*>?(?:[ \t]+\"[^\"]*\")?\)"
)
"""A link whose address depends on the page that it is in."""
_DOCINFO = re.compile(
    r"^:(?P<name>authors?|contact|copyright|date|license|organization|platform|since|status|synopsis|version):[ \t]+(?=\S)",
    re.MULTILINE | re.IGNORECASE,
)
_LITERAL = re.compile(
    r"^(?P<text>[ \t]*(?:\S(?:[^\n]*?\S)??)??)(?P<space>[ \t]*)::[ \t]*$(?=\n[ \t]*\n[ \t]+\S)", re.MULTILINE
)
"""The end of a paragraph behind which reStructuredText has indented code."""
_LITERAL_IN_LIST = re.compile(
    r"^(?P<indent>[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)?)(?P<text>(?:\S(?:[^\n]*?\S)??)??)(?P<space>[ \t]*)::[ \t]*\n[ \t]*\n"
    r"(?P<code>(?P<inner>[ \t]+)\S[^\n]*(?:\n(?:(?P=inner)[^\n]*|[ \t]*(?=\n+(?P=inner)))(?=\n|\Z))*)(?:\n[ \t]*(?=\n|\Z))?",
    re.MULTILINE,
)
"""The end of a paragraph in a list, with its code and the blank lines around that."""
_CITED = re.compile(r"(?<![\w`])\[(?P<label>#?[\w.-]+)\]_(?!\w)")
_CITATION = re.compile(r"^\.\.[ \t]+\[(?P<label>#?[\w.-]+)\][ \t]+", re.MULTILINE)
_SEEN = re.compile(
    r"(?P<names>(?::[\w:]+:)?`?[~!]?[A-Za-z_][\w.]*`?(?:\(\))?(?:[ \t]*,[ \t]*(?::[\w:]+:)?`?[~!]?[A-Za-z_][\w.]*`?(?:\(\))?)*,?)"
    r"(?:[ \t]*:(?:[ \t]+(?P<text>.*))?)?"
)
"""A line of a section "See Also" in NumPy's style: names, and what they are."""
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*$", re.MULTILINE)
_SESSION = re.compile(r"(?:^(?P<indent>[ \t]*)>>> [^\n]*(?:\n(?![ \t]*(?:\n|$))[^\n]*)*)", re.MULTILINE)
_DIRECTIVE = re.compile(
    r"^\.\.[ \t]+(?P<name>[\w:-]+)::[ \t]*(?P<label>[^\n]*)\n?(?P<body>(?:[ \t]*\n|[ \t]{2,}[^\n]*(?:\n|\Z))*)",
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
    "versionremoved": "warning",
    "important": "info",
    "warning": "warning",
    "caution": "warning",
    "attention": "warning",
    "deprecated": "warning",
    "danger": "danger",
    "error": "danger",
}
_DESCRIBING = frozenset(
    {"attribute", "class", "classmethod", "data", "describe", "envvar", "exception", "function", "method", "object", "option",
     "property", "staticmethod"}
)  # fmt: skip
"""Directives that describe what has a name."""
_CODE_DIRECTIVES = {
    "code-block": "",
    "code": "",
    "sourcecode": "",
    "ipython": "python",
    "plot": "python",
    "testcode": "python",
    "doctest": "pycon",
    "testsetup": "python",
    "testoutput": "text",
    "parsed-literal": "text",
    "prompt": "",
}
"""Directive → language; where it is empty, the directive names it."""
_UNSHOWN = frozenset(
    {"codeauthor", "contents", "currentmodule", "highlight", "index", "moduleauthor", "py:currentmodule", "py:module",
     "module", "sectionauthor", "testcleanup"}
)  # fmt: skip
"""Directives that readers do not see in Sphinx either."""
_AUTODOC = re.compile(r"^auto(?:attribute|class|data|decorator|exception|function|method|module|property)$")
_SUMMARIES = frozenset({"automodapi", "automodsumm", "automod-diagram"})
_MEMBERS = frozenset(
    {"attribute", "class", "classmethod", "data", "exception", "function", "method", "property", "staticmethod"}
)
_OPTIONS = re.compile(r"^:[\w-]+:[^\n]*\n?", re.MULTILINE)
_TITLES = {
    "seealso": "see-also",
    "versionadded": "added",
    "versionchanged": "changed",
    "versionremoved": "removed",
    "deprecated": "deprecated",
}
"""Directive → word of the theme."""


class Prose:
    """Writes the texts of one object's docstring."""

    def __init__(self, library: ModuleLibrary, found: Object, inputs: Inputs) -> None:
        self._library = library
        self._found = found
        self._inputs = inputs

    @cached_property
    def _shared(self) -> SharedNames:
        holders = (self._found, self._found.members.get("__init__") if self._found.is_class else None)
        return SharedNames(one.docstring.value for one in holders if one is not None and one.docstring is not None)

    def write(self, text: str) -> str:
        """Turn a text into Markdown of the page."""
        if self._library.settings.markup == "rst" and _MARKED.search(text):
            text = with_documents_elsewhere(with_plain_stars(titles_as_rubrics(textwrap.dedent(text))))
            text = self._shared.complete(text)
            text = _DIRECTIVE.sub(self._placed, text) if ":: " in text else text
            return _fence("{eval-rst}", text, "")  # the page's compiler has a parser
        text = without_titles(text)
        pieces: list[str] = []
        end = 0
        for block in _CODE.finditer(text):
            pieces += (self._between(text[end : block.start()]), block[0])
            end = block.end()
        return "".join([*pieces, self._between(text[end:])]).strip("\n")

    def line(self, text: str) -> str:
        """Turn a text into one line: its first paragraph, without links that lead from its own page only."""
        first = summary_of(text)
        written = self._lines(first) if self._library.settings.markup == "rst" else self.write(first)
        return " ".join(_LOCAL_LINK.sub(r"\g<text>", written).split())

    def admonition(self, kind: str, title: str, text: str) -> str:
        """Write an admonition."""
        name = kind.lower().replace(" ", "").replace("-", "")
        known = _ADMONITIONS.get(name, "note")
        inner = (self._seen(text) if name == "seealso" else None) or self.write(text)
        longest = max((len(run) for run in re.findall(r"^:{3,}", inner, re.MULTILINE)), default=2)
        marks = ":" * (longest + 1)
        return f"{marks}{known}[{title}]\n{inner}\n{marks}"

    def _seen(self, text: str) -> str | None:
        """Write what a section "See Also" lists as links; None where it is a text."""
        items: list[str] = []
        for line in textwrap.dedent(text).strip("\n").split("\n"):
            if items and line[:1] in (" ", "\t") and line.strip():
                items[-1] += f" {self._lines(line.strip())}"
            elif (match := _SEEN.fullmatch(line.strip())) is not None and line.strip():
                names = [re.sub(r"^(?::[\w:]+:)?[`~!]*|[`()]*$", "", one.strip()) for one in match["names"].split(",")]
                links = ", ".join(self._named(name) for name in names if name)
                items.append(f"- {links}: {self._lines(match['text'])}" if match["text"] else f"- {links}")
            elif line.strip():
                return None
        return "\n".join(items) or None

    def _named(self, name: str) -> str:
        shown = resolve(self._library, self._found, name)
        return f"`{name}`" if shown is None else f"[`{name}`](ref:?{shown})"

    def _between(self, text: str) -> str:
        """Write a stretch without fenced code."""
        pieces: list[str] = []
        end = 0
        # Directives first: a session in one is a part of it.
        for block in _DIRECTIVE.finditer(text) if ".." in text else ():
            pieces += (self._sessions(text[end : block.start()]), self._directive(block))
            end = block.end()
        return "".join([*pieces, self._sessions(text[end:])])

    def _sessions(self, text: str) -> str:
        """Write a stretch without directives."""
        pieces: list[str] = []
        end = 0
        for session in _SESSION.finditer(text):
            pieces += (self._lines(text[end : session.start()]), _fence("pycon", session[0], session["indent"]))
            end = session.end()
        return "".join([*pieces, self._lines(text[end:])])

    def _directive(self, block: re.Match[str]) -> str:
        """Write a directive of reStructuredText: an admonition, or a block of code."""
        name, label = block["name"].lower().removeprefix("py:"), block["label"].strip()
        body = _dedent(block["body"])
        if name in _CODE_DIRECTIVES:
            language = _CODE_DIRECTIVES[name]
            return f"\n{_fence(language or label or 'python', _OPTIONS.sub('', body).strip(chr(10)), '')}\n"
        if name in _DESCRIBING:
            text = _OPTIONS.sub("", body).strip("\n")
            return f"\n**`{label}`**\n\n{self.write(text)}\n\n"
        if (
            name in _UNSHOWN
            or name in _SUMMARIES
            or (_AUTODOC.match(name) and resolve(self._library, self._found, label))
        ):
            return ""  # what autodoc asks for has its own heading
        if name == "math":
            formula = "\n".join(part for part in (label, _OPTIONS.sub("", body).strip("\n")) if part)
            return f"\n$$\n{formula}\n$$\n\n"
        if name == "rubric":
            return f"\n**{label}**\n\n"
        if name == "admonition":
            return f"\n{self.admonition('note', label, _OPTIONS.sub('', body))}\n\n"
        if name not in _ADMONITIONS:
            return self._sessions(block[0])
        if name.startswith(("version", "deprecated")):
            version, _, more = label.partition(" ")
            title, text = word(_TITLES[name], version=version), f"{more.strip()}\n{body}".strip()
        else:
            title = word(_TITLES[name]) if name in _TITLES else admonition_title(name)
            text = f"{label}\n{body}".strip()
        return f"\n{self.admonition(name, title, text)}\n\n"

    def _placed(self, block: re.Match[str]) -> str:
        """Write a directive of autodoc with the whole name of what it asks for, or nothing where the page shows that anyway.

        What describes a member gets an id below that of the object.
        """
        label = block["label"].strip()
        name = block["name"].removeprefix("py:")
        if name in _SUMMARIES:
            return ""  # of the module that the docstring is of, which is shown below
        if name in _MEMBERS:
            return place_described(block, self._found.path, self._library.shown.get)
        if not _AUTODOC.match(block["name"]) or (shown := resolve(self._library, self._found, label)) is None:
            return block[0]
        return "" if self._library.settings.docs else block[0].replace(label, shown, 1)

    def _lines(self, text: str) -> str:
        text = _HEADING.sub(r"**\1**", text)
        if "::" in text:
            text = _LITERAL_IN_LIST.sub(_fenced, text)
            text = _LITERAL.sub(
                lambda match: f"{match['text']}{':' if match['text'].strip() and not match['space'] else ''}", text
            )
        if ":" in text:
            text = _DOCINFO.sub(lambda match: f"- **{match['name'].capitalize()}**: ", text)
        if ":`" in text:
            text = _OTHER_ROLE.sub(_other_role, _ROLE.sub(self._role, text))
        if ">`_" in text:
            text = _WEB_LINK.sub(
                lambda match: f"[{' '.join(match['text'].split())}]({''.join(match['url'].split())})", text
            )
        if "]_" in text or ".. [" in text:
            text = _CITATION.sub(r"- \\[\g<label>\\] ", text)
            text = _outside_code(text, lambda part: _CITED.sub(r"\\[\g<label>\\]", part))
        if "*" in text or "](" in text:
            text = _outside_code(text, lambda part: _INDEXED_CALL.sub(r"\\[", escaped_stars(part)))
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
        before = match.string[: match.start()][-1:]
        is_index = before == "]" or before.isalnum() or before == "_"
        if is_index and "." not in name and resolve(self._library, self._found, name) is None:
            # What an index gives is indexed again, `flow[u][v]`; Markdown would take that for a link.
            return match[0].replace("[", "\\[")
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
        return f"[{text}](ref:?{name})"  # it may be in the inventory of another project

    def _report(self, name: str) -> None:
        docstring = self._found.docstring
        line = docstring.lineno or 1 if docstring is not None else self._found.lineno or 1
        if docstring is not None:
            line += docstring.value.partition(name)[0].count("\n")
        close = self._library.nearest(name)
        message = f'The docstring of "{self._found.path}" refers to "{name}", which is not in the reference.'
        hint = f'Did you mean "{close}"?' if close else ""
        self._inputs.report(message, self._library.path_of(self._found), line, suggestion=hint)


def summary_of(text: str) -> str:
    """Give the first paragraph of a docstring that is text, as one line; its title where there is none."""
    parts = [one.strip("\n") for one in re.split(r"\n[ \t]*\n", without_titles(text.strip()))]
    found = next((one for one in parts if one and not _BLOCK_START.match(one)), None)
    title = parts[0] if parts[0].startswith("**") else ""
    return " ".join((title if found is None else found).split())


def _fenced(match: re.Match[str]) -> str:
    """Put fences around code that is indented by less than four columns, which Markdown takes for text."""
    columns = len(match["inner"].expandtabs(4)) - len(match["indent"].expandtabs(4))
    if not 0 < columns < 4:
        return match[0]
    colon = ":" if match["text"] and not match["space"] else ""
    marks = "`" * (max((len(run) for run in re.findall(r"`+", match["code"])), default=2) + 1)
    head = f"{match['indent']}{match['text']}{colon}".rstrip()
    return f"{head}\n{match['inner']}{marks}\n{match['code']}\n{match['inner']}{marks}"


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    pieces: list[str] = []
    end = 0
    for code in _CODE_IN_LINE.finditer(text):
        pieces += (change(text[end : code.start()]), code[0])
        end = code.end()
    return "".join([*pieces, change(text[end:])])


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
    found = next((library.shown[one] for one in candidates if one in library.shown), None)
    return found or next((shown for one in candidates if (shown := _shown_elsewhere(library, one)) is not None), None)


def _shown_elsewhere(library: ModuleLibrary, path: str) -> str | None:
    """Find the id of what another name leads to: that of an import, or of a member in a class that has it from a base."""
    found = library.find(path)
    if found is not None and found.canonical_path in library.shown:
        return library.shown[found.canonical_path]
    holder, _, name = path.rpartition(".")
    base = library.find(library.shown.get(holder, holder)) if holder else None
    if base is None or not base.is_class:
        return None
    member = library.inherited(base).get(name)
    return library.shown.get(member.canonical_path) if member is not None else None


def _other_role(match: re.Match[str]) -> str:
    """Write a role of Sphinx that names no object: a document of Python or of the Internet, a term, a program, a key."""
    role, text = match["role"].rpartition(":")[2].lower(), match["text"]
    if role in _DOCUMENTS and (number := re.match(r"[0-9]+", (match["target"] or text).strip())):
        name, address = _DOCUMENTS[role]
        shown = text if match["target"] else f"{name} {text}"
        return f"[{shown}]({address.format(number[0])})"
    if role == "math":
        return f"${text}$"
    return text if role in _OF_TEXT else f"`{text}`"


def _dedent(text: str) -> str:
    """Take away the indentation that all lines share."""
    return textwrap.dedent(text).strip("\n")


def _fence(language: str, code: str, indent: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    marks = "`" * max(3, longest + 1)
    body = "\n".join(line.removeprefix(indent) for line in code.rstrip("\n").split("\n"))
    return f"{marks}{language}\n{body}\n{marks}"
