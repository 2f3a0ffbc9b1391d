"""Roles, links, substitutions and formulas in the text of MyST, rewritten as Octavo's own syntax."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from octavo.content.translate.output import CodeRanges
from octavo.content.translate.sphinx import manual_page, without_number
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment
    from octavo.content.translate.output import Output
    from octavo.content.translate.surroundings import Surroundings

_DEEPEST = 8
_INLINE = re.compile(
    r"(?:\{(?P<role>[A-Za-z][\w:.+-]*)\})?(?P<ticks>`+)(?!`)(?P<text>(?:[^`\n]|\n(?![ \t]*\n)|(?!(?P=ticks)(?!`))`+)+?)(?P=ticks)(?!`)"
    r"|(?P<image>!?)\[(?P<label>[^\[\]\n]*)\]\((?P<target><[^<>\n]*>|[^()\s]+)\)"
    r"|<project:(?P<project>[^<>\s]*)>"
    r"|<(?P<foreign>(?:doi|inv|xref):[^<>\s]+)>"
    r"|\{\{[ \t]*(?P<name>[A-Za-z_][\w.]*)[ \t]*\}\}"
    # A formula as any engine has it is passed over; one with spaces at its ends is for MyST alone.
    r"|(?<![\\$])\$(?![$\s])[^$`\n]*(?<=[^\s$\\])\$"
    r"|(?<![\\$\w])\$(?!\$)[ \t]*(?P<formula>[^$`\n]*[\\^_][^$`\n]*?)[ \t]*\$(?![\w$])"
)
_TITLED = re.compile(r"(?P<title>.*?)\s*<(?P<target>[^<>]+)>\s*\Z", re.DOTALL)
_CITATIONS = ("cite:", "footcite:")
_OBJECT = re.compile(r"#?[A-Z]\w*(?:\.[A-Za-z_]\w*)*|#?[A-Za-z_]\w*\.[A-Za-z_]\w*(?<!\.md)(?<!\.html)")
"""Name of an object of a program: that of a class, or a dotted one."""
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_AS_CODE = frozenset(
    ["code", "literal", "file", "command", "program", "option", "envvar", "makevar", "mimetype", "samp", "regexp", "token"]
)  # fmt: skip
_AS_TEXT = frozenset(
    ["guilabel", "menuselection", "term", "dfn", "abbr", "eq", "numref", "title", "emphasis", "strong", "index", "spellexception"]
)  # fmt: skip
_OWN_ROLE = re.compile(r"^[ \t]*\.\.[ \t]+role::[ \t]*([\w.+-]+)(?P<like>\([\w-]+\))?", re.MULTILINE)
"""A role that `rst_prolog` defines, for its look, or as another one."""


_TAGS = {"u": "u", "underline": "u", "del": "del", "strike": "del", "smallcaps": "small", "sc": "small"}
"""Roles of mystmd that are marks of HTML."""
_UNIT = re.compile(r"\\([a-zA-Z]+)")


OBJECT_ROLES = frozenset(
    ["class", "func", "meth", "mod", "attr", "exc", "obj", "data", "const", "type", "member", "macro", "struct", "union",
     "enum", "enumerator", "var", "expr", "texpr", "property", "cls", "function", "method", "module", "exception", "deco",
     "alias", "concept", "namespace", "py", "js", "c", "cpp", "confval", "setting", "keyword"]
)  # fmt: skip
"""Roles that name an object of a program."""
_LINK = re.compile(r"\[(?P<text>[^\[\]]*)\]\([^()\s]*\)")
_ICON = re.compile(
    r"octicon|fa[bsrl]?|fa-(?:solid|regular|brands|light)|material-(?:regular|outlined|round|sharp|twotone)"
)
"""Roles of sphinx-design for icons."""


def anchor_of(label: str) -> str:
    """Make the id of a label, as docutils does."""
    return re.sub(r"[^a-z0-9]+", "-", label.strip().lower()).strip("-")


_CITATION = re.compile(r"\[-?@[A-Za-z][^\[\]\n]*\](?![(:\[])|(?<![\w@/.;\[-])@[A-Za-z][\w:-]*\d{4}\w*(?![\w./])")
"""`[@key; @other, p. 3]` or `@key2020`."""


class Roles:
    """Rewrites stretches of text of one page."""

    def __init__(self, around: Surroundings, fragment: Fragment, context: CompileContext) -> None:
        self._around = around
        self._fragment = fragment
        self._context = context
        self._at = 0
        """Offset of what is being replaced."""
        self._references = around.source.dialect.references
        self._own_marks = ("$",) if "math" in around.source.dialect.extensions else ()
        prolog = around.source.dialect.rst.prolog
        self._own_names = {one[1] for one in _OWN_ROLE.finditer(prolog) if not one["like"]} if prolog else set[str]()
        self._has_citations = "mystmd" in around.source.dialect.extensions
        self._depth = 0
        """Substitutions within substitutions."""

    def write(self, text: str, start: int, end: int, output: Output) -> None:
        """Write a stretch with what is known in it replaced."""
        if self._has_citations and "@" in text[start:end]:
            self._report_citations(text, start, end)
        marks = ("`", "](", "{{", "<project:", "<doi:", "<inv:", "<xref:", *self._own_marks)
        if not any(text.find(mark, start, end) >= 0 for mark in marks):
            output.copy(start, end)
            return
        position = start
        for match in _INLINE.finditer(text, start, end):
            self._at = match.start()
            new = self._replacement(match)
            if new is not None:
                output.copy(position, match.start())
                output.write(new, match.start())
                position = match.end()
        output.copy(position, end)

    def _report_citations(self, text: str, start: int, end: int) -> None:
        """Report citations of mystmd: lists of literature are not read, and readers see the keys."""
        stretch = text[start:end]
        code = CodeRanges(stretch)
        for match in _CITATION.finditer(stretch):
            if not code.holds(match.start()):
                self._at = start + match.start()
                message = f'The citation "{match[0]}" is not looked up; it is shown as it is written.'
                self._report(message, "foreign-syntax", "Write it as a link, or as a footnote.")

    def _report(self, message: str, code: str, hint: str) -> None:
        origin = self._fragment.origin(self._at)
        self._context.report("warn", code, message, self._fragment.source, origin, suggestion=hint)

    def _replacement(self, match: re.Match[str]) -> str | None:
        if match["role"]:
            return self._role(match["role"].lower(), match["text"])
        if match["name"]:
            return self._substitution(match["name"])
        if match["formula"] is not None:
            return f"${match['formula'].strip()}$" if self._own_marks else None
        if match["project"] is not None:
            return self._link("", match["project"])
        if match["foreign"]:
            return self._foreign_link("", match["foreign"])
        if match["target"] is None or match["image"]:
            return None
        target = match["target"].strip("<>").removeprefix("project:")
        if target.startswith(("xref:", "doi:", "inv:")) or (not match["label"] and _OBJECT.fullmatch(target)):
            return self._foreign_link(match["label"], target)
        packages = self._around.source.dialect.rst.packages
        if self._around.has_python_api and _DOTTED.fullmatch(target) and target.partition(".")[0] in packages:
            return f"[{match['label']}](ref:?{target})"
        known = target.removeprefix("#").lower() in self._references
        if not known and (
            match["label"] or "://" in target or not target.partition("#")[0].endswith((".md", ".rst", ".ipynb"))
        ):
            if "{" not in match["label"]:
                return None
            label = _INLINE.sub(self._without_link, match["label"])
            return f"[{label}]({match['target']})" if label != match["label"] else None
        return self._link(match["label"], target)

    def _without_link(self, match: re.Match[str]) -> str:
        """Return the text that replaces a role within the text of a link, which may not contain another link."""
        written = self._replacement(match) or match[0]
        inner = _LINK.fullmatch(written)
        return inner["text"] if inner else written

    def _substitution(self, name: str) -> str | None:
        """Give the text that the site's settings have for a name; it may hold roles and links, and further names."""
        text = self._around.substitutions.get(name.lower())
        if text is None or self._depth >= _DEEPEST or not any(mark in text for mark in ("`", "](", "{{")):
            return text
        self._depth += 1
        written = _INLINE.sub(lambda match: self._replacement(match) or match[0], text)
        self._depth -= 1
        return written

    def _foreign_link(self, text: str, target: str) -> str | None:
        """Write a link to another project, or to an object of a program: its address, or its name as code."""
        kind, _, rest = target.partition(":")
        if kind == "doi":
            return f"[{text or target}](https://doi.org/{rest})"
        if kind == "xref":
            name = re.split(r"[/#]", rest, maxsplit=1)[0]
            base = self._references.get(f"xref:{name}")
            return f"[{text or _words(rest)}]({base.rstrip('/')}{rest[len(name) :]})" if base else text or _words(rest)
        if target.removeprefix("#").lower() in self._references:
            return self._link(text, target)
        return text or f"`{re.split(r'[#*]', target)[-1].lstrip('.')}`"

    def _link(self, text: str, target: str) -> str:
        """Write a link to a label or a page; without text it has the title of what it leads to."""
        name = target.removeprefix("#")
        known = self._references.get(name.lower()) or self._references.get(name)
        if known is None:
            if "://" in target:
                return f"[{text or target}]({target})"
            page = self._around.page(target if target.startswith("#") else target.removesuffix(".md"))
            is_page = target.endswith((".md", ".ipynb"))
            found = self._around.read_page(re.sub(r"\.(?:md|ipynb)\Z", "", target)) if is_page else None
            return f"[{text or (self._around.title_of(found[0]) if found else '') or _words(target)}]({page})"
        path, _, _ = known.partition("#")
        title = text or self._around.title_of(path, name) or _words(name)
        return f"[{title}]({self._around.page(name.lower() if name.lower() in self._references else name)})"

    def _title(self, target: str) -> str:
        """Give the title of what a label names, or its words."""
        known = self._references.get(target.lower())
        return (self._around.title_of(known.partition("#")[0], target) if known else "") or _words(target)

    def _role(self, name: str, text: str) -> str:
        text = " ".join(text.split())
        titled = _TITLED.match(text)
        title, target = (titled["title"], titled["target"]) if titled else ("", text)
        short = name.rpartition(":")[2]
        if name in ("ref", "std:ref", "numref", "any", "eq"):
            if short == "numref" and title:
                title = without_number(title, self._title(target))
            if target.lower() in self._references:
                return self._link(title, target.strip())
            if not title and short == "ref" and ":" not in target:
                message = f'No page of the site has the label "{target}": its words are shown.'
                hint = f"Write ({target})= above the heading that is meant, or a link."
                self._report(message, "undefined-reference", hint)
            return title or _words(target)
        if name in ("doc", "std:doc", "download"):
            suffix = "" if name == "download" or target.endswith((".md", ".rst")) else ".md"
            return self._link(title, f"{target}{suffix}") if name != "download" else f"[{title or target}]({target})"
        if short == "sub-ref":
            return self._around.substitutions.get(target.lower()) or text
        if short in ("sub", "subscript", "sup", "superscript", "kbd"):
            tag = {"subscript": "sub", "superscript": "sup"}.get(short, short)
            return f"<{tag}>{html.escape(text, quote=False)}</{tag}>"
        if short == "math":
            return f"${text}$"
        if short == "abbr":
            word, _, meaning = text.partition("(")
            return f'<abbr title="{html.escape(meaning.rstrip(") "))}">{word.strip()}</abbr>' if meaning else text
        if short in ("guilabel", "menuselection"):
            return f"**{text.replace('-->', '→').replace('&', '')}**"
        if short in ("strong", "emphasis"):
            return f"**{text}**" if short == "strong" else f"*{text}*"
        if short == "manpage":
            address = manual_page(target, next(iter(self._around.source.dialect.rst.extlinks.get("manpage", ())), ""))
            return f"[*{title or target}*]({address})" if address else f"*{title or target}*"
        if (known := self._around.source.dialect.rst.extlinks.get(name)) is not None:
            caption = known[1].replace("%s", target) if len(known) > 1 and known[1] else target
            return f"[{title or caption}]({known[0].replace('%s', target)})"
        if short in ("pep", "rfc"):
            number = re.sub(r"\D.*", "", target)
            address = (
                f"https://peps.python.org/pep-{number:0>4}/"
                if short == "pep"
                else f"https://www.rfc-editor.org/rfc/rfc{number}"
            )
            return f"[{title or f'{short.upper()} {number}'}]({address})" if number else text
        if short == "raw":
            return text
        if _ICON.fullmatch(short):
            return ""  # as short codes of icons, which say nothing that the text beside them does not
        if short.startswith(("bdg-link", "bdg-ref")) or short == "button":
            return self._link(title, target) if titled or short != "button" else target
        if short in _TAGS:
            return f"<{_TAGS[short]}>{html.escape(text, quote=False)}</{_TAGS[short]}>"
        if short in ("si", "chem"):
            unit = _UNIT.sub(r"\1", target)
            return f"{title} {unit}".strip() if titled else text
        if short in _AS_TEXT or short.startswith("bdg") or name in self._own_names:
            return title or target
        if (":" not in name or name.startswith(_CITATIONS)) and short not in _AS_CODE and short not in OBJECT_ROLES:
            message = f'The role "{{{name}}}" is not known; its text is shown as code.'
            self._report(message, "foreign-syntax", "Write the text in plain Markdown.")
        shown = title or (target.rpartition(".")[2] if target.startswith("~") else target.lstrip("!"))
        mark = "``" if "`" in shown else "`"
        if short in OBJECT_ROLES and "`" not in shown:
            if not title and short in ("func", "meth", "function", "method") and not shown.endswith(")"):
                shown += "()"
            # A name that no page describes is shown without a link.
            named = re.fullmatch(r"~?(?P<name>[A-Za-z_][\w.]*)(?:\(\))?", target)
            return f"[`{shown}`](ref:?{named['name']})" if named and self._around.has_python_api else f"`{shown}`"
        return f"{mark}{shown}{mark}" if short in _AS_CODE or ":" in name or not titled else shown


def _words(target: str) -> str:
    """Make a text of the name of a page or a label."""
    name = target.partition("#")[2] or target
    return re.sub(r"[-_]+", " ", name.rpartition("/")[2].removesuffix(".md")).strip() or target
