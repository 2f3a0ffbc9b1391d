"""Roles, substitutions and links of MyST inside of text."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from octavo.content.translate.output import Output
    from octavo.content.translate.surroundings import Surroundings

_INLINE = re.compile(
    r"(?:\{(?P<role>[A-Za-z][\w:.+-]*)\})?(?P<ticks>`+)(?!`)(?P<text>(?:[^`\n]|\n(?![ \t]*\n)|(?!(?P=ticks)(?!`))`+)+?)(?P=ticks)(?!`)"
    r"|(?P<image>!?)\[(?P<label>[^\[\]\n]*)\]\((?P<target><[^<>\n]*>|[^()\s]+)\)"
    r"|<project:(?P<project>[^<>\s]*)>"
    r"|\{\{[ \t]*(?P<name>[A-Za-z_][\w.]*)[ \t]*\}\}"
)
_TITLED = re.compile(r"(?P<title>.*?)\s*<(?P<target>[^<>]+)>\s*\Z", re.DOTALL)
_OBJECT = re.compile(r"#?[A-Z]\w*(?:\.[A-Za-z_]\w*)*|#?[A-Za-z_]\w*\.[A-Za-z_]\w*(?<!\.md)(?<!\.html)")
"""Name of an object of a program: that of a class, or a dotted one."""
_AS_CODE = frozenset(
    [
        "code",
        "literal",
        "file",
        "command",
        "program",
        "option",
        "envvar",
        "makevar",
        "mimetype",
        "samp",
        "regexp",
        "token",
    ]
)
_AS_TEXT = frozenset(
    ["guilabel", "menuselection", "term", "dfn", "abbr", "eq", "numref", "title", "emphasis", "strong", "index"]
)


def anchor_of(label: str) -> str:
    """Make the id of a label, as docutils does."""
    return re.sub(r"[^a-z0-9]+", "-", label.strip().lower()).strip("-")


class Roles:
    """Rewrites stretches of text of one page."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._references = around.source.dialect.references

    def write(self, text: str, start: int, end: int, output: Output) -> None:
        """Write a stretch with what is known in it replaced."""
        if not any(mark in text for mark in ("`", "](", "{{", "<project:")):
            output.copy(start, end)
            return
        position = start
        for match in _INLINE.finditer(text, start, end):
            new = self._replacement(match)
            if new is not None:
                output.copy(position, match.start())
                output.write(new, match.start())
                position = match.end()
        output.copy(position, end)

    def _replacement(self, match: re.Match[str]) -> str | None:
        if match["role"]:
            return self._role(match["role"].lower(), match["text"])
        if match["name"]:
            return self._around.variables.get(match["name"].lower())
        if match["project"] is not None:
            return self._link("", match["project"])
        if match["target"] is None or match["image"]:
            return None
        target = match["target"].strip("<>").removeprefix("project:")
        if target.startswith(("xref:", "doi:", "inv:")) or (not match["label"] and _OBJECT.fullmatch(target)):
            return self._foreign_link(match["label"], target)
        known = target.removeprefix("#").lower() in self._references
        if not known and (
            match["label"] or "://" in target or not target.partition("#")[0].endswith((".md", ".rst", ".ipynb"))
        ):
            return None
        return self._link(match["label"], target)

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
            found = self._around.read(target.partition("#")[0]) if target.endswith(".md") else None
            return f"[{text or (self._around.title_of(found[0]) if found else '') or _words(target)}]({page})"
        path, _, _ = known.partition("#")
        title = text or self._around.title_of(path, name) or _words(name)
        return f"[{title}]({self._around.page(name.lower() if name.lower() in self._references else name)})"

    def _role(self, name: str, text: str) -> str:
        text = " ".join(text.split())
        titled = _TITLED.match(text)
        title, target = (titled["title"], titled["target"]) if titled else ("", text)
        short = name.rpartition(":")[2]
        if name in ("ref", "std:ref", "numref", "any", "eq"):
            return self._link(title, target.strip()) if target.lower() in self._references else title or _words(target)
        if name in ("doc", "std:doc", "download"):
            suffix = "" if name == "download" or target.endswith((".md", ".rst")) else ".md"
            return self._link(title, f"{target}{suffix}") if name != "download" else f"[{title or target}]({target})"
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
        if short in _AS_TEXT:
            return title or target
        shown = title or (target.rpartition(".")[2] if target.startswith("~") else target.lstrip("!"))
        mark = "``" if "`" in shown else "`"
        return f"{mark}{shown}{mark}" if short in _AS_CODE or ":" in name or not titled else shown


def _words(target: str) -> str:
    """Make a text of the name of a page or a label."""
    name = target.partition("#")[2] or target
    return re.sub(r"[-_]+", " ", name.rpartition("/")[2].removesuffix(".md")).strip() or target
