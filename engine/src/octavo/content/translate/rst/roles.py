"""Roles of Sphinx, and of the extensions that documentation uses most."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

from docutils import nodes

from octavo.content.code.highlight import known_languages
from octavo.content.translate.rst.inline import code, escape, link
from octavo.content.translate.rst.nodes import InlineMarkdown
from octavo.content.translate.rst.outline import METHODS, http_anchor
from octavo.content.translate.rst.page import RstPage
from octavo.content.translate.sphinx import manual_page, without_number
from octavo.lazy import regex as re

_TITLED = re.compile(r"(?P<title>.+?)(?<!\x00)\s*<(?P<target>[^<>]*?)>\s*\Z", re.DOTALL)
_CODE = frozenset(["file", "samp", "command", "program", "makevar", "mimetype", "regexp", "newsgroup", "mailheader", "dir", "exe", "cmd",
                   "console", "bash", "shell", "sh", "python", "py", "json", "yaml", "toml", "ini", "cpp-code", "literal-role"])  # fmt: skip
_OBJECTS = frozenset(["class", "func", "meth", "mod", "attr", "exc", "obj", "data", "const", "type", "member", "macro", "struct", "union", "enum",
                      "enumerator", "var", "expr", "texpr", "property", "cls", "function", "method", "module", "exception", "deco", "alias", "concept", "namespace"])  # fmt: skip
_ICON = re.compile(
    r"octicon|fa[bsrl]?|fas-|fa-(?:solid|regular|brands|light)|material-(?:regular|outlined|round|sharp|twotone)|iconify"
)
_ELSEWHERE = {"github_user": "https://github.com/%s", "ghuser": "https://github.com/%s",
              "wikipedia": "https://en.wikipedia.org/wiki/%s", "doi": "https://doi.org/%s", "arxiv": "https://arxiv.org/abs/%s"}  # fmt: skip
"""Role → address, for roles that many sites define alike; a site that does so itself goes first."""
_PLACES = {
    "option": "cmdoption-{}",
    "envvar": "envvar-{}",
    "confval": "confval-{}",
    "term": "term-{}",
    "token": "grammar-token-{}",
    "keyword": "",
    "setting": "std-setting-{}",
}
"""Role → id of what it leads to; on which page that is, is found when the whole site is known."""
Role = Callable[..., Any]
DOCSTRING_DOCUMENT = "docstring-doc"
"""`doc` in a docstring of a package, whose guides need not be in the site that describes it."""


def make_role(name: str, is_known: bool = True) -> Role:
    """Make the function of docutils for a role."""

    def role(
        name_: str, rawtext: str, text: str, lineno: int, inliner: Any, options: Any = None, content: Any = None
    ) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        del name_, options, content
        page: RstPage = inliner.document.settings.octavo_page
        given = text.replace("\x00", "\\") if "samp" in name else nodes.unescape(text)
        written = write_role(name, " ".join(given.split("\n")), page)
        if written is None and name == DOCSTRING_DOCUMENT:
            place = page.place(*inliner.reporter.get_source_and_line(lineno))
            shown, target = _title_and_target(given)
            written = (escape(shown or _words(target)), shown or _words(target))
            page.report(f'The document "{target}" is not in this site; the text that refers to it is kept.', place)
        if written is None:
            written = (code(given) if ":" in name else escape(given), given)
            if not is_known:
                place = page.place(*inliner.reporter.get_source_and_line(lineno))
                page.report(f'The role "{name}" is not known; its text is kept.', place)
        return [InlineMarkdown(rawtext, "", markdown=written[0], plain=written[1])], []

    return role


def _title_and_target(text: str) -> tuple[str, str]:
    titled = _TITLED.match(text)
    title, target = (titled["title"].strip(), titled["target"].strip()) if titled else ("", text.strip())
    return title, target.removeprefix("!")


def write_role(name: str, text: str, page: RstPage) -> tuple[str, str] | None:
    """Write what a role stands for, as Markdown and as plain text; None where the role is not known."""
    title, target = _title_and_target(text)
    short = name.rpartition(":")[2]
    if name == "any":
        return _any(title, target, page)
    if name == "manpage":
        shown = title or target
        address = manual_page(target, next(iter(page.settings.extlinks.get(name, ())), ""))
        return link(f"*{escape(shown)}*", address) if address else f"*{escape(shown)}*", shown
    if name in page.settings.extlinks:
        return _external(page.settings.extlinks[name], title, target)
    if name in page.settings.objects:
        shown = title or target.lstrip("~")
        return link(code(shown), f"ref:?{name}-{target.lstrip('~')}"), shown
    if name == DOCSTRING_DOCUMENT:
        project, colon, _ = target.partition(":")
        is_known = bool(colon) and project in page.settings.projects
        is_known = is_known or page.around.read_page(target.removesuffix(".ipynb"), rst_first=True) is not None
        is_known = is_known or (target.endswith((".md", ".rst")) and page.around.read(target) is not None)
        return _document(title, target, page) if is_known else None
    if name in ("rst:dir", "rst:role"):
        shown = title or (f".. {target}::" if name == "rst:dir" else f":{target}:")
        return link(code(shown), f"ref:?{'directive' if name == 'rst:dir' else 'role'}-{nodes.make_id(target)}"), shown
    if name.startswith("http:"):
        shown = title or (f"{short.upper()} {target}" if short in METHODS else target)
        return (link(code(shown), f"ref:?{http_anchor(short, target)}") if short in METHODS else code(shown)), shown
    if name.startswith("external"):
        return _other_project(name, title, target, page)
    if name == "eq":
        shown = title or f"({target})"
        return link(escape(shown), f"ref:?{nodes.make_id(f'equation-{target}')}"), shown
    if short in ("ref", "numref") and not name.startswith(("c:", "cpp:")):
        return _label(title, target, page, is_number=short == "numref")
    if short == "doc":
        return _document(title, target, page)
    if short == "download":
        address = page.file_address(target)
        return (
            link(escape(title or target), address) if "://" not in address else link(escape(title), address)
        ), title or target
    if short in _PLACES and (":" not in name or name.startswith("std:")):
        return _place(short, title, target, page)
    if short in ("pep", "rfc", "cve", "cwe"):
        return _numbered(short, title, target)
    if name in _ELSEWHERE:
        return _external([_ELSEWHERE[name], "%s"], title, target)
    if name in ("kbd", "sub", "sup", "subscript", "superscript"):
        tag = {"subscript": "sub", "superscript": "sup"}.get(name, name)
        return f"<{tag}>{html.escape(text, quote=False)}</{tag}>", text
    if name in ("guilabel", "menuselection"):
        shown = re.sub(r"&(?!&)(?=\w)", "", text).replace("-->", "→")
        return f"**{escape(shown)}**", shown
    if name in ("abbr", "abbreviation"):
        word, _, meaning = text.partition("(")
        shown = html.escape(word.strip(), quote=False)
        return (
            f'<abbr title="{html.escape(meaning.rstrip(") "))}">{shown}</abbr>' if meaning else escape(text)
        ), word.strip()
    if name in ("dfn", "index", "title"):
        shown = title or target
        return (f"*{escape(shown)}*" if name != "index" else escape(shown)), shown
    if name == "samp":
        shown = re.sub(r"(?<!\\)[{}]", "", text).replace("\\", "")
        return code(shown), shown
    if short == "paramref":
        shown = title or target.lstrip("~").rpartition(".")[2]
        return code(shown), shown
    if short in _OBJECTS:
        return _object(name, title, target, page)
    if _ICON.match(short):
        return "", ""  # as short codes of icons, which say nothing that the text beside them does not
    if name in _CODE:
        return code(text), text
    if short.startswith("bdg-link"):
        return link(escape(title or target), target), title or target
    if short.startswith("bdg-ref"):
        return _any(title, target, page)
    if short.startswith("bdg"):
        return escape(title or target), title or target
    if ":" in name:
        return None
    # Sites define roles for the languages that they quote: `.. role:: sql(code)`, or by a program.
    return (code(text), text) if name in known_languages() else None


def _label(title: str, target: str, page: RstPage, *, is_number: bool = False) -> tuple[str, str]:
    name = " ".join(target.lower().split())
    known = page.source.dialect.references.get(name)
    if known is None:
        project, colon, rest = target.partition(":")
        base = page.settings.projects.get(project) if colon else None
        shown = title or _words(rest if base else target)
        if base is None and not colon:
            return link(escape(shown), f"ref:?{nodes.make_id(target)}"), shown
        return (link(escape(shown), base) if base else escape(shown)), shown
    named = page.around.title_of(known.partition("#")[0], name) or _words(target)
    shown = title or named
    if is_number:
        shown = without_number(shown, named)
    return link(escape(shown), page.around.page(name)), shown


def _document(title: str, target: str, page: RstPage) -> tuple[str, str]:
    project, colon, rest = target.partition(":")
    if colon and (base := page.settings.projects.get(project)):
        shown = title or _words(rest)
        return link(escape(shown), f"{base.rstrip('/')}/{rest}.html"), shown
    found = (page.around.read(target) if target.endswith((".md", ".rst")) else None) or page.around.read_page(
        target.removesuffix(".ipynb"), rst_first=True
    )
    shown = title or (page.around.title_of(found[0]) if found else "") or _words(target)
    return link(escape(shown), page.around.relative(found[0]) if found else page.around.page(target)), shown


def _any(title: str, target: str, page: RstPage) -> tuple[str, str]:
    if " ".join(target.lower().split()) in page.source.dialect.references:
        return _label(title, target, page)
    if "://" not in target and page.around.read_page(target, rst_first=True):
        return _document(title, target, page)
    shown = title or target.lstrip("~.").removesuffix("()")
    if re.search(r"\s", target):
        return link(escape(shown), f"ref:?term-{nodes.make_id(target)}"), shown
    return link(code(title or target), f"ref:?{target.lstrip('~.').removesuffix('()')}"), shown


def _external(given: list[str], title: str, target: str) -> tuple[str, str]:
    address, caption = given
    shown = title or (caption.replace("%s", target) if caption else address.replace("%s", target))
    return link(escape(shown.replace("%%", "%")), address.replace("%s", target).replace("%%", "%")), shown


def _place(kind: str, title: str, target: str, page: RstPage) -> tuple[str, str]:
    shown = title or target
    form = _PLACES[kind]
    if kind == "option":
        name = re.sub(r"[=\s\[].*", "", target) if target.startswith(("-", "/")) else target
        program = "-".join(page.program.split())
        own = (
            f"{program}-{name.lstrip('-/')}" if program and " " not in name else re.sub(r"\s+-*", "-", name).lstrip("-")
        )
        return link(code(shown), f"ref:?{form.format(own)}"), shown
    if not form:
        return code(shown), shown
    place = f"ref:?{form.format(nodes.make_id(target) if kind == 'term' else target)}"
    return link(escape(shown) if kind == "term" else code(shown), place), shown


def _numbered(kind: str, title: str, target: str) -> tuple[str, str]:
    number, _, anchor = target.partition("#")
    digits = re.sub(r"\D", "", number)
    if not digits:
        return escape(title or target), title or target
    address = {
        "pep": f"https://peps.python.org/pep-{digits:0>4}/",
        "rfc": f"https://datatracker.ietf.org/doc/html/rfc{digits}.html",
        "cve": f"https://www.cve.org/CVERecord?id=CVE-{number}",
        "cwe": f"https://cwe.mitre.org/data/definitions/{digits}.html",
    }[kind]
    place = " ".join(anchor.split("-")).title() if kind == "rfc" else ""
    shown = title or f"{kind.upper()} {number} {place}".rstrip()
    return link(
        f"**{escape(shown)}**" if not title else escape(shown), f"{address}#{anchor}" if anchor else address
    ), shown


def _object(name: str, title: str, target: str, page: RstPage) -> tuple[str, str]:
    """Write the name of an object of a program, as a link where a page of the site describes it."""
    short = name.rpartition(":")[2]
    plain = target.lstrip("~.").removesuffix("()")
    shown = title or (plain.rpartition(".")[2] if target.startswith("~") else target.lstrip("."))
    if not title and short in ("func", "meth", "function", "method") and not shown.endswith(")"):
        shown += "()"
    if not re.fullmatch(r"[\w.:$-]+", plain) or short in ("expr", "texpr"):
        return code(shown), shown
    domain = name.partition(":")[0] if ":" in name else "py"
    if short in {"mod", "module"}:
        plain = f"module-{plain}"
    elif domain == "py" and page.module and not target.startswith(("~", ".")) and "." not in plain:
        around = [one for one in page.objects if one]
        inside = around[-1].rpartition(".")[0] if around and short in ("meth", "attr") else ""
        plain = f"{inside or page.module}.{plain}"
    place = {"c": f"c.{plain}", "cpp": f"_CPPv4{plain}"}.get(domain, plain)
    return link(code(shown), f"ref:?{place}"), shown


def _other_project(name: str, title: str, target: str, page: RstPage) -> tuple[str, str]:
    """Write `:external+project:role:`; names of roles are in small letters here."""
    before, _, role = name.partition(":")
    wanted = before.partition("+")[2]
    project = next((one for one in page.settings.projects if one.lower() == wanted), "") if wanted else ""
    short = role.rpartition(":")[2]
    if project and short in ("doc", "ref", "label"):
        return (_document if short == "doc" else _label)(title, f"{project}:{target}", page)
    shown = title or (_words(target) if short in ("doc", "ref", "label", "term") else target.lstrip("~"))
    return (escape(shown) if short in ("doc", "ref", "label", "term") else code(shown)), shown


def _words(target: str) -> str:
    """Make a text of the name of a page or a label."""
    name = target.partition("#")[2] or target
    return re.sub(r"[-_]+", " ", name.rstrip("/").rpartition("/")[2]).strip() or target


ROLES = frozenset(
    [DOCSTRING_DOCUMENT, "any", "ref", "numref", "eq", "doc", "download", "pep", "rfc", "cve", "cwe", "kbd", "guilabel", "menuselection", "abbr",
     "abbreviation", "rst:dir", "rst:role", "dfn", "manpage", "index", "samp", "sub", "sup", "subscript", "superscript", "paramref", *_PLACES, *_CODE, *_OBJECTS, *_ELSEWHERE]
)  # fmt: skip
"""Roles that are ours in every page; those that docutils has beside them are its own."""
