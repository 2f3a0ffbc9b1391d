"""What VuePress and its themes read beside the syntax of VitePress: included code, and groups of tabs.

- `@[code{1-3} ts](./file.ts)` is a block of code of a file, and `@[code lang=ts transcludeWith=:::1](@/file.ts)` the lines between
  those that hold the mark
- `:::: code-group` with `::: code-group-item Label`, `:::: tabs` with `::: tab Label`, and `::: tabs#id` or
  `::: code-tabs` with `@tab Label` are tabs; so are `<CodeGroup>` and `<code-group>` with their items
"""

from __future__ import annotations

import posixpath
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from octavo.content.translate.output import CodeRanges, fenced, replaced
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment

_LINE = re.compile(
    r"^[ \t]*(?:"
    r"@\[code(?:\{(?P<lines>[\d,-]*)\})?[ \t]*(?P<info>[^\]\n]*)\]\((?P<file>[^\s()]+)\)"
    r"|(?P<marks>:{3,})[ \t]*(?:(?P<name>[A-Za-z][\w-]*)(?P<rest>[^\n]*?))?"
    r"|@tab(?P<active>:active)?[ \t]+(?P<tab>[^\n]+?)"
    r"|<(?P<end>/)?(?P<group>CodeGroup|code-group|CodeGroupItem|code-block)\b(?P<attributes>[^>\n]*)>"
    r")[ \t]*$",
    re.MULTILINE,
)
_GROUPS = frozenset(["code-group", "tabs", "code-tabs"])
_ITEMS = frozenset(["code-group-item", "tab"])
_TRIGGERS = ("@[code", "code-group", ":::", "@tab", "<CodeGroup")
_FENCE = "::::::::"
"""Longer than those of the blocks in a tab."""
_NAMED = re.compile(
    r"""(?P<key>lang|transclude|transcludeWith|transcludeTag|highlight)=(?P<value>"[^"]*"|'[^']*'|\{[^{}]*\}|\S+)"""
)
_TITLE = re.compile(r"""title=(["'])(?P<title>.*?)\1""")


def translate_vuepress(fragment: Fragment, context: CompileContext) -> Fragment:
    """Rewrite a page's syntax of VuePress as that of Octavo."""
    text = fragment.text
    if not any(trigger in text for trigger in _TRIGGERS):
        return fragment
    code, groups = CodeRanges(text), _Groups(text)

    def rewritten(match: re.Match[str]) -> str | None:
        return _code_of(match, fragment, context) if match["file"] else groups.rewritten(match)

    lines = (match for match in _LINE.finditer(text) if not code.holds(match.start()))
    return replaced(fragment, ((*match.span(), new) for match in lines if (new := rewritten(match)) is not None))


class _Groups:
    """The blocks that are open, from line to line."""

    def __init__(self, text: str) -> None:
        self._open: list[tuple[str, str]] = []
        self._groups = 0
        """Number of those that are groups."""
        # VitePress' own `::: code-group` holds blocks of code with labels, and stays as it is.
        self._has_items = "code-group-item" in text
        self._has_tabs = re.search(r"^[ \t]*(?:@tab\b|:{3,}[ \t]*tab[ \t])", text, re.MULTILINE) is not None

    def rewritten(self, match: re.Match[str]) -> str | None:
        """Give what a line becomes; None where it stays."""
        if match["tab"]:
            return f"\n== {match['tab'].partition('#')[0].strip()}\n" if self._groups else None
        if match["group"]:
            return self._element(match)
        name = match["name"]
        if name is None:
            return self._close(match["marks"])
        if name in _ITEMS and self._groups:
            self._open.append((match["marks"], "item"))
            title = re.sub(r":active$|[ \t]+id=\S+$", "", match["rest"].strip()).strip("\"' ")
            return f"\n== {title or name}\n"
        is_group = name in _GROUPS and (self._has_items if name == "code-group" else self._has_tabs)
        self._open.append((match["marks"], "group" if is_group else "other"))
        self._groups += is_group
        return f"\n{_FENCE} tabs\n" if is_group else None

    def _close(self, marks: str) -> str | None:
        for index in range(len(self._open) - 1, -1, -1):
            if self._open[index][0] == marks:
                kind = self._open[index][1]
                self._groups -= sum(one == "group" for _, one in self._open[index:])
                del self._open[index:]
                return {"group": f"\n{_FENCE}\n", "item": ""}.get(kind)
        return None

    def _element(self, match: re.Match[str]) -> str:
        is_item = match["group"] in ("CodeGroupItem", "code-block")
        if match["end"]:
            return "" if is_item else f"\n{_FENCE}\n"
        if not is_item:
            return f"\n{_FENCE} tabs\n"
        title = _TITLE.search(match["attributes"])
        return f"\n== {title['title'] if title else 'Code'}\n"


def _code_of(match: re.Match[str], fragment: Fragment, context: CompileContext) -> str | None:
    """Write a block of code of the file that a line names."""
    target = match["file"]
    folder = posixpath.dirname(fragment.source.path)
    aliases = fragment.source.dialect.aliases
    alias = next((one for one in sorted(aliases, key=len, reverse=True) if target.startswith(f"{one}/")), None)
    if alias:
        path = posixpath.join(aliases[alias], target[len(alias) + 1 :])
    else:
        path = target[2:] if target.startswith("@/") else posixpath.join(folder, target.lstrip("/"))
    path = posixpath.normpath(path)
    text = context.read(path) if not path.startswith("..") and len(path) <= 1000 else None
    if text is None:
        message = f'The file "{target}" of this line does not exist in the site\'s folder.'
        hint = f"It is looked for at {path}."
        origin = fragment.origin(match.start())
        context.report("error", "missing-snippet", message, fragment.source, origin, suggestion=hint)
        return ""
    named = {one["key"]: one["value"].strip("\"'{}") for one in _NAMED.finditer(match["info"])}
    lines = text.splitlines()
    if ranges := match["lines"] or named.get("transclude"):
        lines = [line for part in ranges.split(",") for line in _part(lines, part)]
    elif mark := named.get("transcludeWith"):
        lines = list(_between(lines, mark))
        if not lines:
            message = f'The file "{target}" has no lines between two with the mark "{mark}".'
            context.report("error", "missing-snippet", message, fragment.source, fragment.origin(match.start()))
            return ""
    words = re.match(r"(?P<language>[\w+-]*)[ \t]*(?P<marks>\{[^}]*\})?", _NAMED.sub("", match["info"]).strip())
    language = (words["language"] if words else "") or named.get("lang") or ""
    language = language or posixpath.splitext(target)[1].lstrip(".") or "text"
    marks = words["marks"] if words and words["marks"] else f"{{{named['highlight']}}}" if "highlight" in named else ""
    return "\n" + fenced("\n".join(lines), f"{language} {marks}".strip()) + "\n"


def _part(lines: list[str], given: str) -> list[str]:
    """Give the lines that `3`, `3-` or `3-5` means."""
    first, dash, last = given.partition("-")
    start = int(first) if first.isdecimal() else 1
    return lines[start - 1 : (int(last) if last.isdecimal() else len(lines)) if dash else start]


def _between(lines: list[str], mark: str) -> Iterator[str]:
    """Give the lines between those that hold a mark, without the space that all have in front."""
    wanted, kept, is_within = re.compile(rf"{re.escape(mark)}(?![\w-])"), [], False
    for line in lines:
        if wanted.search(line):
            is_within = not is_within
        elif is_within:
            kept.append(line)
    yield from textwrap.dedent("\n".join(kept)).split("\n") if kept else ()
