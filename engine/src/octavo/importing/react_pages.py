"""Pages that a site has written in React: drawn once at build time where they work, else reduced to their texts and links."""

from __future__ import annotations

import html
import json
import posixpath
from collections.abc import Iterator

from octavo.config import Config
from octavo.documents import Compiler
from octavo.importing.components import Program, UnusableError, copy_program, try_programs, with_digest
from octavo.importing.model import Plan
from octavo.importing.navigation import words_of
from octavo.importing.stubs import context_of
from octavo.lazy import regex as re

FOLDER = "octavo-pages"
"""Folder of the pages that are written in their place."""
_MARK = "{/* Taken over from "
_TITLE = re.compile(
    r"""<Layout\b[^>]*?\btitle=(?:"([^"{}]+)"|'([^'{}]+)'|\{\s*["'`]([^"'`${}]+)["'`]\s*\})""", re.DOTALL
)
_DESCRIPTION = re.compile(
    r"""<Layout\b[^>]*?\bdescription=(?:"([^"{}]+)"|'([^'{}]+)'|\{\s*["'`]([^"'`${}]+)["'`]\s*\})""", re.DOTALL
)
_COMMENT = re.compile(r"\{?/\*.*?\*/\}?|^[ \t]*//[^\n]*$", re.DOTALL | re.MULTILINE)
_PIECE = re.compile(
    r"""<(?P<heading>[hH][1-6]|Heading)\b[^>]*>(?P<title>[^<>{}]+)<"""
    r"""|<(?P<link>a|[A-Z]\w*)\b[^<>]*?\b(?:href|to)=(?:["'](?P<to>[^"'{}]+)["']|\{["'](?P<given>[^"'{}]+)["']\})[^<>]*>(?P<label>[^<>{}]+)</"""
    r"""|(?<![\w-])(?P<key>title|heading|label|name|description|text|content|subtitle|children)\s*[:=]\s*\{?(?P<quote>["'`])(?P<value>(?:\\.|(?!(?P=quote))[^\\<>$\n])+)(?P=quote)"""
    r"""|(?<=[>}])(?P<text>(?:[^<>{};=&]|&(?:#?\w+;)?)*?[A-Za-z](?:[^<>{};=&]|&(?:#?\w+;)?)*)(?=[<{])"""
)


def take_over_pages(plan: Plan, config: Config, compiler: Compiler, folder: str, taken: set[str]) -> list[Program]:
    """Plan a page for each of the old site that is a program.

    Args:
        plan: Names the pages, and gets what is written.
        config: The settings, as they are planned.
        compiler: Of the documents.
        folder: That of the components.
        taken: Files that an author has written in the place of a planned one; they are left alone.

    Returns:
        The programs of the pages that are drawn.
    """
    names = _names(list(plan.react_pages))
    programs: dict[str, Program] = {}
    reasons: dict[str, str] = {}
    aliases = compiler.options.dialect_of(next(iter(plan.react_pages))).aliases
    context = context_of(plan, config)
    for path in plan.react_pages:
        try:
            programs[path] = copy_program(
                names[path], path, plan.site_dir, folder, aliases, config.static, context, is_page=True
            )
        except UnusableError as error:
            reasons[path] = str(error)
    tried = try_programs(programs.values(), {}, plan.site_dir, config, compiler)
    lost: list[str] = []
    reduced: list[str] = []
    shown: list[Program] = []
    for path, route in plan.react_pages.items():
        target = f"{FOLDER}/{route.strip('/') or 'index'}.mdx"
        if target in taken:
            continue
        text = (plan.site_dir / path).read_text(encoding="utf-8", errors="replace")
        program = programs.get(path)
        if program is not None and names[path] not in tried.failed:
            drawn = tried.html.get(names[path], "")
            plan.files |= program.files
            plan.programs.append(names[path])
            shown.append(program)
            body = f"<{names[path]} />\n"
            has_title = "<h1" in drawn
        else:
            body = "\n\n".join(_pieces(text)) + "\n"
            has_title = body.startswith("# ") or "\n# " in body
            reason = reasons.get(path) or tried.failed.get(names[path], "")
            (reduced if len(body) > 1 else lost).append(f"{path}: {reason}")
            if len(body) == 1:
                continue
        plan.files[target] = with_digest(_front(path, text, route, config, has_title=has_title) + body, path)
        plan.settings["redirects"] = [
            one for one in plan.settings.get("redirects", []) if one["from"] != (route or "/")
        ]
    if any(name.startswith(f"{FOLDER}/") for name in (*plan.files, *taken)):
        plan.settings["mounts"] = {**plan.settings.get("mounts", {}), FOLDER: "/"}
    if reduced:
        plan.note(
            "Pages in React of which only texts and links are shown",
            f"Write them in Markdown in {FOLDER}; an import does not write over what you have changed.",
            count=len(reduced),
            files=reduced,
        )
    if lost:
        plan.note(
            "Pages in React that are left out",
            "Write them in Markdown in the pages folder.",
            count=len(lost),
            files=lost,
        )
    return shown


def _names(paths: list[str]) -> dict[str, str]:
    """Give each page's component a name of its own."""
    found: dict[str, str] = {}
    for path in paths:
        stem = posixpath.splitext(path)[0].partition("pages/")[2] or posixpath.splitext(posixpath.basename(path))[0]
        name = "Page" + "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", stem) if word)
        while name in found.values():
            name += "2"
        found[path] = name
    return found


def _front(path: str, text: str, route: str, config: Config, *, has_title: bool) -> str:
    """Write the front matter of a page: its title and description as far as they are written out."""

    def literal(pattern: re.Pattern[str]) -> str:
        match = pattern.search(text)
        return " ".join(next(filter(None, match.groups()), "").split()) if match else ""

    title = literal(_TITLE) or (words_of(posixpath.basename(route)) if route.strip("/") else config.title)
    lines = [f"title: {json.dumps(title, ensure_ascii=False)}"]
    if description := literal(_DESCRIPTION) or ("" if route.strip("/") else config.tagline):
        lines.append(f"description: {json.dumps(description, ensure_ascii=False)}")
    lines += [f"layout: {'landing' if has_title else 'page'}", "displayed_sidebar: null"]
    return "\n".join(["---", *lines, "---", "", f"{_MARK}{path} */}}", "", ""])


def _pieces(text: str) -> Iterator[str]:
    """Write the headings, texts and links of a component as Markdown, in the order in which its file has them."""
    seen: set[str] = set()
    has_title = False
    paragraph: list[str] = []
    for match in _PIECE.finditer(_COMMENT.sub("", text)):
        if match["link"]:
            label, address = _words(match["label"]), match["to"] or match["given"]
            if label:
                paragraph.append(f"[{label}]({address.replace(' ', '%20')})")
            continue
        if match["text"]:
            if (words := _words(match["text"])) and not _PROGRAM.search(match["text"]):
                paragraph.append(words)
            continue
        if paragraph:
            yield " ".join(paragraph)
            paragraph = []
        if match["heading"]:
            level = 1 if not has_title and match["heading"].lower() in ("h1", "heading") else 2
            has_title = has_title or level == 1
            yield f"{'#' * level} {_words(match['title'])}"
        elif (words := _literal(match["value"])) and ((words not in seen and " " in words) or match["key"] == "title"):
            seen.add(words)
            yield f"**{words}**" if match["key"] in ("title", "heading") else words
    if paragraph:
        yield " ".join(paragraph)


_PROGRAM = re.compile(
    r"\b(?:export|class|function)[ \t]+\w+[ \t]+\w|=>|&&|\|\||\breturn\b|\bconst\b|\bimport\b|[\w)]\(|\)\s*[:;,]|^\s*[)\],]"
)
"""What text between brackets has only where it is not a text of the page."""


def _words(text: str) -> str:
    """Write text of JSX so that Markdown shows it as it is."""
    return re.sub(r"([\\`*_{}\[\]<>])", r"\\\1", " ".join(html.unescape(text).split()))


_ESCAPED = re.compile(r"\\(?:(?P<space>[nrt]|\n)|(?P<mark>[\"'`\\]))")
_MARKDOWN = re.compile(r"\[[^\[\]]+\]\([^()\s]+\)|(?<!\w)(?P<mark>\*\*|_)(?=\S)[^*_]+(?P=mark)(?!\w)")


def _literal(text: str) -> str:
    """Write a literal of a program; links and stress in it are Markdown, which old home pages hand to a component."""
    text = _ESCAPED.sub(lambda match: match["mark"] or " ", text)
    if not _MARKDOWN.search(text):
        return _words(text)
    return re.sub(r"([{}<>])", r"\\\1", " ".join(html.unescape(text).split()))
