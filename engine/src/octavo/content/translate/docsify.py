"""What Docsify reads beside Markdown: hints, included files, attributes in the titles of links, ids, and tabs.

- `!> text` and `?> text` up to the next blank line are a warning and a hint; `> [!TIP] text` needs no line of its own for its mark
- `[name](file ':include')` alone on its line takes in a file: Markdown as it is, anything else as code
- `[name](path ':ignore')`, `![name](file ':size=50')`: what follows the colon is for the script, and no title
- `## Title :id=name`, `## Title {docsify-ignore}`
- `<!-- tabs:start -->`, `#### **Label**` or `<!-- tab:Label -->`, `<!-- tabs:end -->`
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING

from octavo.content.translate.output import CodeRanges, Edit, fenced, replaced
from octavo.content.translate.surroundings import Surroundings
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment

_PIECE = re.compile(
    r"^[ \t]*(?P<hint>[!?])>[ \t]*(?P<text>\S[^\n]*(?:\n[ \t]*\S[^\n]*)*)"
    r"|^(?P<quoted>[ \t]*>[ \t]*)\[!(?P<alert>NOTE|TIP|IMPORTANT|WARNING|CAUTION|ATTENTION)\](?=[ \t]+\S)"
    r"|^[ \t]*\[(?P<label>[^\]\n]*)\]\((?P<file>[^\s()]+)[ \t]+(?P<quote>['\"]):include(?P<options>[^'\"\n]*)(?P=quote)[ \t]*\)[ \t]*$"
    r"|(?<=\]\()(?P<target>[^\s()]+)[ \t]+(?P<mark>['\"])[ \t]*:[a-z][^'\"\n]*(?P=mark)(?=[ \t]*\))"
    r"|^(?P<heading>#{1,6}[ \t][^\n]*?)[ \t]+(?P<end>(?:<!--[ \t]*)?\{docsify-ignore(?:-all)?\}(?:[ \t]*-->)?|:id=(?P<id>[^\s:]+))[ \t]*$"
    r"|^[ \t]*<!--[ \t]*tabs:(?P<tabs>start|end)[ \t]*-->[ \t]*$"
    r"|^[ \t]*(?:#{1,6}[ \t]+(?P<strong>\*\*|__)?(?P<title>[^\n]+?)(?(strong)(?P=strong))|<!--[ \t]*tab:[ \t]*(?P<tab>[^\n]*?)[ \t]*-->)[ \t]*$",
    re.MULTILINE,
)
_TRIGGERS = ("[!", "!>", "?>", "':", '":', "docsify-ignore", ":id=", "tabs:start")
_FENCE = "::::::::"
"""Longer than those of the blocks in a tab."""


def translate_docsify(fragment: Fragment, context: CompileContext) -> Fragment:
    """Rewrite a page's syntax of Docsify as that of Octavo."""
    text = fragment.text
    if not any(trigger in text for trigger in _TRIGGERS):
        return fragment
    return replaced(fragment, _edits(fragment, context))


def _edits(fragment: Fragment, context: CompileContext) -> Iterator[Edit]:
    code, in_tabs = CodeRanges(fragment.text), False
    for match in _PIECE.finditer(fragment.text):
        if code.holds(match.start()):
            continue
        if match["tabs"] is not None:
            in_tabs = match["tabs"] == "start"
        elif not in_tabs and (match["title"] is not None or match["tab"] is not None):
            continue
        new = _rewritten(match, fragment, context)
        if new is not None:
            yield match.start(), match.end(), new


def _rewritten(match: re.Match[str], fragment: Fragment, context: CompileContext) -> str | None:
    if match["hint"] is not None:
        return f":::{'warning' if match['hint'] == '!' else 'tip'}[]\n\n{match['text']}\n\n:::"
    if match["alert"] is not None:
        kind = "WARNING" if match["alert"] == "ATTENTION" else match["alert"]
        return f"{match['quoted']}[!{kind}]\n{match['quoted'].rstrip()}"
    if match["file"] is not None:
        return _included(match, fragment, context)
    if match["target"] is not None:
        return match["target"]
    if match["heading"] is not None:
        return f"{match['heading']} {{#{match['id']}}}" if match["id"] else match["heading"]
    if match["tabs"] is not None:
        return f"\n{_FENCE} tabs\n" if match["tabs"] == "start" else f"\n{_FENCE}\n"
    return f"\n== {match['title'] or match['tab']}\n"


def _included(match: re.Match[str], fragment: Fragment, context: CompileContext) -> str | None:
    """Give what a file says; a link stays where it is shown in a frame, a player, or lies elsewhere."""
    path, options = match["file"], match["options"]
    kind = re.search(r":type=(\w+)(?:[ \t]+(\w+))?", options)
    if "://" in path or (kind and kind[1] in ("iframe", "video", "audio")):
        return f"[{match['label']}]({path})"
    surroundings = Surroundings(fragment.source, context)
    found = surroundings.read(path)
    if found is None:
        message = f'The file "{path}" of this line does not exist in the site\'s folder.'
        context.report("error", "missing-snippet", message, fragment.source, fragment.origin(match.start()))
        return f"[{match['label']}]({path})"
    ending = posixpath.splitext(path)[1].lstrip(".")
    if ending in ("md", "markdown") and not (kind and kind[1] == "code"):
        return f"\n{_part(surroundings.content_of(found[0]) or '', options)}\n"
    return f"\n{fenced(_part(found[1], options), (kind[2] if kind else None) or ending or 'text')}\n"


def _part(text: str, options: str) -> str:
    """Cut the part of a file that lies between `### [name]` and the next mark of this name."""
    named = re.search(r":fragment=([\w-]+)", options)
    if named is None:
        return text
    mark = rf"^[^\n]*(?:###|///|#)[ \t]*\[{re.escape(named[1])}\][^\n]*\n"
    parts = re.split(mark, text, maxsplit=2, flags=re.MULTILINE)
    return parts[1] if len(parts) > 1 else text
