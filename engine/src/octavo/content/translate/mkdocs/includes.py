"""Files that templates of mkdocs-macros include: `{% include 'file' %}`, in code as well, as Jinja puts them in."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from octavo.content.translate.output import USUAL_MARKS, Output, matches_in
from octavo.content.translate.surroundings import find_file
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment

_MOST_FILES = 200
"""Files that one page may take in; those that take in each other have no end."""
_NAME = re.compile(r"\"([^\"\n]+)\"|'([^'\n]+)'")


@lru_cache(maxsize=16)
def _include(marks: tuple[str, ...], has_raw: bool, has_comments: bool) -> re.Pattern[str]:
    """Make the pattern of statements that include files, and of what they are not looked for in."""
    opening, closing = map(re.escape, marks[2:])
    start, end = rf"{opening}[-+]?", rf"[-+]?{closing}"
    names = r"(?:\"[^\"\n]+\"|'[^'\n]+')"
    raw = rf"{start}\s*raw\s*{end}.*?{start}\s*endraw\s*{end}|" if has_raw else ""
    comments = r"\{#.*?#\}|" if has_comments else ""
    return re.compile(
        rf"{raw}{comments}{opening}(?P<before>[-+]?)\s*include\s+(?P<names>{names}|\[\s*{names}(?:\s*,\s*{names})*\s*\])"
        rf"(?P<may_miss>\s+ignore\s+missing)?(?:\s+with(?:out)?\s+context)?\s*(?:-{closing}\s*|\+?{closing})",
        re.DOTALL,
    )


def _start(match: re.Match[str], position: int) -> int:
    """Where the text before a statement ends: `{%-` takes the spaces before it away."""
    start = match.start()
    return position + len(match.string[position:start].rstrip()) if match["before"] == "-" else start


class _Files:
    """The files that a page takes in."""

    def __init__(self, fragment: Fragment, context: CompileContext, marks: tuple[str, ...]) -> None:
        self._dialect = fragment.source.dialect
        self._context = context
        self._marks = marks
        self._left = _MOST_FILES
        self.missing: dict[str, list[str]] = {}
        """Name of a file that a statement, or a file that it takes in, asks for → where it was looked for."""

    @property
    def has_end(self) -> bool:
        """Whether there were not too many."""
        return self._left > 0

    def text(self, match: re.Match[str]) -> str | None:
        """Give what takes the place of a statement, with what the file itself includes; None where there is no file."""
        names = ["".join(found) for found in _NAME.findall(match["names"])]
        for name in names if self._left > 0 else ():
            found, _ = find_file(name, self._dialect.snippet_folders, self._dialect, self._context)
            if found is not None:
                self._left -= 1
                return self._whole(found.removesuffix("\n"))
        if match["may_miss"] is None or self._left <= 0:
            self.missing[names[0]] = find_file(names[0], self._dialect.snippet_folders, self._dialect, self._context)[1]
            return None
        return ""

    def _whole(self, text: str) -> str:
        parts, position = [], 0
        for match in matches_in(text, self._marks, _include):
            if match["names"] is not None:
                parts += [text[position : _start(match, position)], self.text(match) or ""]
                position = match.end()
        return "".join([*parts, text[position:]])


def take_in_files(fragment: Fragment, context: CompileContext) -> Fragment:
    """Put the files in that a page includes, before its template is drawn; each is a part of the template."""
    marks = fragment.source.dialect.macro_marks or USUAL_MARKS
    text = fragment.text
    if marks[2] not in text or "include" not in text:
        return fragment
    # The plug-in include-markdown writes the same statement, and looks beside the page as well.
    is_shared = "snippets" in fragment.source.dialect.extensions
    output, position, files = Output(fragment), 0, _Files(fragment, context, marks)
    for match in matches_in(text, marks, _include):
        if match["names"] is None:
            continue
        written = files.text(match)
        missing, files.missing = files.missing, {}
        if written is None and is_shared and files.has_end:
            continue
        for name, places in missing.items():
            message = f'The file "{name}" of this include does not exist in the site\'s folder.'
            hint = f"It is looked for at {' and '.join(places)}."
            if not files.has_end:
                message = f'Files that include each other have no end; "{name}" is left out.'
                hint = f"A page may take in {_MOST_FILES} files."
            origin = fragment.origin(match.start())
            context.report("error", "missing-snippet", message, fragment.source, origin, suggestion=hint)
        output.copy(position, _start(match, position))
        output.write(written or "", match.start())
        position = match.end()
    if not position:
        return fragment
    output.copy(position, len(text))
    return output.fragment()
