"""What Retype reads beside Markdown: blocks between marks on lines of their own, and components in brackets.

- `!!! warning Title` … `!!!` is an admonition
- `+++ Title` … `+++ Other` … `+++` are tabs, `||| Title` … `|||` columns, `>>> Title` … `>>>` steps
- `=== Title` … `===` is a panel that is open, `==- Title` … `===` one that is folded
- `:::name` … `:::` is a block with a class, `:::code source="file"` one of code from a file
- `[!badge text]`, `[!button text="…"](address)`, `[!ref text](page)`, `[!file](file)`, `[!embed](address)`, `[!icon name]`
- `{{ include "name" }}` takes in a file of `_includes`, `{.class}` on a line of its own gives the next block a class
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING

from octavo.content.dialect import is_reached
from octavo.content.translate.output import CodeRanges, Edit, attribute, label, replaced
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment

_LINE = re.compile(
    r"^(?P<indent>[ \t>]*)(?P<mark>!!!|!![-+]|\+\+\+|\|\|\||>>>|===|==[-+]|:{3,})(?P<rest>[^\n]*)$", re.MULTILINE
)
_COMPONENT = re.compile(
    r"\[!(?P<name>[a-z][a-z-]*)(?P<rest>(?:[ \t]+(?:\"[^\"\n]*\"|[^\]\"\n])*)?)\](?:\((?P<target>[^()\n]*)\))?"
)
_OPTION = re.compile(r"""(?P<key>[A-Za-z][\w-]*)=(?:"(?P<double>[^"\n]*)"|'(?P<single>[^'\n]*)'|(?P<bare>[^\s"']+))""")
_CLASSES = r"\{(?:[ \t]*(?:[.#][\w-]+|class=\"[^\"\n]*\"))+[ \t]*\}"
_CLASS = re.compile(rf"^[ \t>]*{_CLASSES}[ \t]*(?:\n|\Z)|(?<=\|)[ \t]*{_CLASSES}[ \t]*$", re.MULTILINE)
_ICON = re.compile(r"(?P<link>\[)?(?<![A-Za-z0-9:]):icon-(?P<icon>[a-z0-9-]+):(?![\w:])(?(link)(?P<end>\]\()?|[ \t]?)")
_INCLUDE = re.compile(r"\{\{-?[ \t]*include[ \t]+[\"'](?P<name>[^\"'\n]+)[\"'][ \t]*-?\}\}")
_RAW_MARK = re.compile(r"^[ \t]*(?:\{%\{|\}%\})[ \t]*(?:\n|\Z)|\{%\{|\}%\}", re.MULTILINE)
"""Marks around what is not a template, in code as well."""
_WIKI = re.compile(r"(?<!!)\[\[(?P<name>[^\[\]\n|#]*)(?P<anchor>#[^\[\]\n|]*)?(?:\|(?P<text>[^\[\]\n]*))?\]\](?!\()")
_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_KINDS = {
    "base": "note", "primary": "info", "secondary": "note", "success": "tip", "danger": "danger", "warning": "warning",
    "info": "info", "contrast": "note", "light": "note", "dark": "note", "ghost": "note", "question": "info", "tip": "tip",
    "note": "note", "caution": "caution", "important": "important",
}  # fmt: skip
"""Kind of admonition there → ours."""
_NAMED = frozenset(["danger", "warning", "info", "tip", "note", "caution", "important"])
"""Kinds that have a title of their own."""
_SHOWN = frozenset(["badge", "button", "ref", "file", "icon", "embed", "video", "audio", "youtube", "card", "image", "link"])  # fmt: skip
_FENCE = "::::::::"
_DEEPEST = 8


def translate_retype(fragment: Fragment, context: CompileContext) -> Fragment:
    """Rewrite what a page of Retype has beside Markdown."""
    if "{%{" in fragment.text:
        fragment = replaced(fragment, ((one.start(), one.end(), "") for one in _RAW_MARK.finditer(fragment.text)))
    if "include" in fragment.text:
        fragment = replaced(fragment, _taken_in(fragment, context))
    code = CodeRanges(fragment.text)
    edits = [*_Blocks(fragment, context, code).edits(), *_inline(fragment, code)]
    return replaced(fragment, edits) if edits else fragment


def _taken_in(fragment: Fragment, context: CompileContext) -> Iterator[Edit]:
    code = CodeRanges(fragment.text)
    for match in _INCLUDE.finditer(fragment.text):
        if code.holds(match.start()):
            continue
        text = _text_of(match["name"], fragment, context, 0)
        if text is None:
            message = f'The file "{match["name"]}" of this include is not in a folder "_includes".'
            at = fragment.origin(match.start())
            hint = "Put the file there, or correct its name."
            context.report("error", "missing-snippet", message, fragment.source, at, suggestion=hint)
        yield match.start(), match.end(), text or ""


def _text_of(name: str, fragment: Fragment, context: CompileContext, depth: int) -> str | None:
    """Read a file that is taken in, with those that it takes in; None where there is none."""
    folders = [posixpath.join(folder, "_includes") for folder in fragment.source.dialect.snippet_folders]
    for folder in folders:
        path = posixpath.normpath(posixpath.join(folder, name))
        for one in (path, f"{path}.md"):
            text = context.read(one) if is_reached(one, fragment.source.dialect) else None
            if text is not None:
                text = _FRONT.sub("", text.replace("\r\n", "\n")).strip("\n")
                if depth >= _DEEPEST:
                    return text
                return _INCLUDE.sub(lambda inner: _text_of(inner["name"], fragment, context, depth + 1) or "", text)
    return None


class _Blocks:
    """Blocks between marks on lines of their own."""

    def __init__(self, fragment: Fragment, context: CompileContext, code: CodeRanges) -> None:
        self._fragment = fragment
        self._context = context
        self._code = code
        self._open: list[tuple[str, int, str]] = []
        """Marks that are open: the mark, the offset of its line, and what closes it."""

    def edits(self) -> list[Edit]:
        edits: list[Edit] = []
        text = self._fragment.text
        for match in _LINE.finditer(text):
            if self._code.holds(match.start()) or self._code.holds(match.end("mark") - 1):
                continue
            new = self._rewritten(match)
            if new is not None:
                indent = match["indent"]
                edits.append((match.start(), match.end(), "\n".join(f"{indent}{line}".rstrip() for line in new)))
        for mark, start, _ in self._open:
            message = f'"{mark}" is never closed.'
            at = self._fragment.origin(start)
            hint = f'Close it with a line "{mark}".'
            self._context.report("warn", "unclosed", message, self._fragment.source, at, suggestion=hint)
        if self._open:
            tail = "".join(f"\n\n{closing}" for _, _, closing in reversed(self._open))
            edits.append((len(text), len(text), f"{tail}\n"))
        return edits

    def _rewritten(self, match: re.Match[str]) -> list[str] | None:
        mark, rest = match["mark"], match["rest"].strip()
        if mark in ("==-", "==+"):
            return self._panel(match, rest, is_open=mark == "==+") if rest else self._end("===")
        if mark in ("!!-", "!!+"):
            return self._folded(match, rest, is_open=mark == "!!+")
        if mark == "===":
            return self._panel(match, rest, is_open=True) if rest.strip("=") else self._end("===") if not rest else None
        if mark == "!!!":
            if not rest and self._is_open("!!!"):
                return self._end("!!!")
            return self._admonition(match, rest)
        if mark == "+++":
            return self._part(match, rest, "Tabs", "TabItem")
        if mark == "|||":
            return None if rest.endswith("|") else self._part(match, rest, "Columns", "Column")
        if mark == ">>>":
            return self._part(match, rest, "Steps", "Step")
        return self._container(match, rest)

    def _is_open(self, mark: str) -> bool:
        return any(one == mark for one, _, _ in self._open)

    def _start(self, match: re.Match[str], mark: str, closing: str) -> None:
        self._open.append((mark, match.start(), closing))

    def _end(self, mark: str) -> list[str] | None:
        """Close a block, and those in it that nothing closes; None where none of its kind is open."""
        if not self._is_open(mark):
            return None
        closed = []
        while self._open:
            one, _, closing = self._open.pop()
            closed += ["", closing]
            if one == mark:
                break
        return [*closed, ""]

    def _admonition(self, match: re.Match[str], rest: str) -> list[str]:
        kind, _, title = rest.partition(" ")
        if kind.lower() not in _KINDS:
            kind, title = "base", rest
        kind = kind.lower()
        self._start(match, "!!!", _FENCE)
        title = title.strip()
        shown = f"[{label(title)}]" if title else "" if kind in _NAMED else "[]"
        return [f"{_FENCE} {_KINDS[kind]}{shown}", ""]

    def _folded(self, match: re.Match[str], rest: str, *, is_open: bool) -> list[str]:
        kind, _, title = rest.partition(" ")
        title = (title.strip() or kind.capitalize()) if kind.lower() in _KINDS else rest
        self._start(match, "!!!", "</details>")
        return [f"<details{' open' if is_open else ''}>", f"<summary>{title or '…'}</summary>", ""]

    def _panel(self, match: re.Match[str], title: str, *, is_open: bool) -> list[str]:
        # The next of several panels ends the one before it.
        lines = self._end("===") or []
        self._start(match, "===", "</details>")
        return [*lines, f"<details{' open' if is_open else ''}>", f"<summary>{title or '…'}</summary>", ""]

    def _part(self, match: re.Match[str], title: str, group: str, part: str) -> list[str] | None:
        """Write the head of one of several parts, or the end of the last one."""
        mark = match["mark"]
        is_next = self._is_open(mark)
        if not title:
            return self._end(mark)
        lines: list[str] = []
        if is_next:
            while self._open[-1][0] != mark:
                lines += ["", self._open.pop()[2]]
            if part == "TabItem":
                lines += ["", "</TabItem>", ""]
        else:
            self._start(match, mark, "</TabItem>\n\n</Tabs>" if group == "Tabs" else "")
            lines += ["<Tabs>", ""] if group == "Tabs" else []
        if part == "TabItem":
            name = attribute(_plain(title))
            return [*lines, f"<TabItem value={name} label={name}>", ""]
        return [*lines, "", f"**{title}**", ""]

    def _container(self, match: re.Match[str], rest: str) -> list[str] | None:
        """Leave out the marks of a block with a class, whose content is shown; take in the file of a block of code."""
        colons = match["mark"]
        if rest.startswith("code"):
            options = _options(rest)
            if source := options.get("source"):
                return self._code_of(match, source, options)
        if rest:
            self._start(match, colons, "")
            return [""]
        return self._end(colons)

    def _code_of(self, match: re.Match[str], source: str, options: dict[str, str]) -> list[str]:
        own = posixpath.dirname(self._fragment.source.path)
        folders = [own, *self._fragment.source.dialect.snippet_folders]
        if not match["rest"].rstrip().endswith(":::"):
            self._start(match, match["mark"], "")
        folders = folders[1:] if source.startswith("/") else folders
        for folder in folders:
            path = posixpath.normpath(posixpath.join(folder, source.lstrip("/")))
            text = self._context.read(path) if is_reached(path, self._fragment.source.dialect) else None
            if text is not None:
                language = options.get("language") or posixpath.splitext(source)[1].lstrip(".") or "text"
                title = f" title={attribute(options['title'])}" if options.get("title") else ""
                fence = "~" * 8
                return [f"{fence}{language}{title}", *text.rstrip("\n").split("\n"), fence, ""]
        message = f'The file "{source}" of this line does not exist in the site\'s folder.'
        at = self._fragment.origin(match.start())
        self._context.report("error", "missing-snippet", message, self._fragment.source, at)
        return [""]


def _inline(fragment: Fragment, code: CodeRanges) -> Iterator[Edit]:
    """Rewrite components and names of pages in brackets, and leave out icons and classes."""
    text = fragment.text
    for pattern in (_COMPONENT, _WIKI, _CLASS, _ICON):
        for match in pattern.finditer(text):
            if code.holds(match.start()):
                continue
            if pattern is _WIKI:
                yield match.start(), match.end(), _named(match, fragment)
                continue
            if pattern is _ICON and match["link"]:
                # A link that shows nothing else needs a text.
                yield match.start(), match.end(), f"[{_words(match['icon'])}](" if match["end"] else "["
            elif pattern is not _COMPONENT:
                yield match.start(), match.end(), ""
            elif match["name"] in _SHOWN:
                yield match.start(), match.end(), _component(match)


def _named(match: re.Match[str], fragment: Fragment) -> str:
    """Link to a page that is named by its title, its label or its file; a name that none has is text."""
    name, anchor = match["name"].strip(), match["anchor"] or ""
    shown = match["text"] or name or anchor.lstrip("#")
    path = fragment.source.dialect.references.get(name.lower().removesuffix(".md"))
    if path is None and name:
        return label(shown)
    to = posixpath.relpath(path, posixpath.dirname(fragment.source.path) or ".") if path else ""
    return f"[{label(shown)}](<{to}{anchor.replace(' ', '-').lower()}>)"


def _component(match: re.Match[str]) -> str:
    name, options = match["name"], _options(match["rest"] or "")
    free = _OPTION.sub("", match["rest"] or "").strip().strip("\"'").partition("|")[0].strip()
    target = match["target"] or options.get("target") or options.get("link") or ""
    shown = options.get("text") or options.get("title") or free
    if name == "icon":
        return ""
    if name in ("embed", "video", "audio", "youtube", "image"):
        target = target or free
        return f"[{label(options.get('text') or options.get('title') or target)}](<{target}>)" if target else ""
    if name == "card" and target:
        # On a line of its own: a title that leads to a page, and what is said of it.
        parts = [options.get(key, "") for key in ("title", "text")]
        first = next(filter(None, parts), "") or _words(posixpath.basename(target.rstrip("/")))
        more = parts[1] if parts[0] and parts[1] else ""
        return f"[{label(first)}](<{target}>)" + (f": {more}" if more else "")
    if name in ("file", "ref", "card", "link"):
        target = target or free
        stem = posixpath.basename(target.partition("#")[0].rstrip("/"))
        shown = options.get("text") or (free if match["target"] else "") or (stem if name == "file" else _words(stem))
        return f"[{label(shown or target)}](<{target}>)" if target else shown
    if not shown:
        return ""
    if target:
        return f"[{label(shown)}](<{target}>)"
    return f"<Badge>{label(shown)}</Badge>" if name == "badge" else f"**{label(shown)}**"


def _words(stem: str) -> str:
    words = re.sub(r"[-_]+", " ", posixpath.splitext(stem)[0]).strip()
    return words[:1].upper() + words[1:]


def _plain(title: str) -> str:
    return re.sub(r"[`*]", "", _ICON.sub("", title)).strip() or "…"


def _options(text: str) -> dict[str, str]:
    return {one["key"]: one["double"] or one["single"] or one["bare"] or "" for one in _OPTION.finditer(text)}
