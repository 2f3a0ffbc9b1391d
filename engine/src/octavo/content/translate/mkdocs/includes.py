"""Files that templates of mkdocs-macros include: `{% include 'file' %}`, in code as well, as Jinja puts them in."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from octavo.content.dialect import is_reached
from octavo.content.translate.output import Output

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment

_MOST_FILES = 200
"""Files that one page may take in; those that take in each other have no end."""
_NAME = re.compile(r"\"([^\"\n]+)\"|'([^'\n]+)'")


@lru_cache(maxsize=16)
def _include(opening: str, closing: str) -> re.Pattern[str]:
    """Make the pattern of statements that include files, and of what they are not looked for in."""
    start, end = rf"{re.escape(opening)}[-+]?", rf"[-+]?{re.escape(closing)}"
    names = r"(?:\"[^\"\n]+\"|'[^'\n]+')"
    return re.compile(
        rf"{start}\s*raw\s*{end}.*?{start}\s*endraw\s*{end}"
        r"|\{#.*?#\}"
        rf"|(?P<before>\s*{re.escape(opening)}-|{re.escape(opening)}\+?)\s*include\s+(?P<names>{names}|\[\s*{names}(?:\s*,\s*{names})*\s*\])"
        rf"(?P<may_miss>\s+ignore\s+missing)?(?:\s+with(?:out)?\s+context)?\s*(?P<after>-{re.escape(closing)}\s*|\+?{re.escape(closing)})",
        re.DOTALL,
    )


class _Files:
    """The files that a page takes in."""

    def __init__(self, fragment: Fragment, context: CompileContext, pattern: re.Pattern[str]) -> None:
        self._dialect = fragment.source.dialect
        self._context = context
        self._pattern = pattern
        self._left = _MOST_FILES
        self.missing: list[str] = []
        """Names under which no file was found, of the statement that is read now."""

    def places(self, name: str) -> list[str]:
        """List the paths, from the site's folder, at which a name is looked for."""
        paths = (posixpath.normpath(posixpath.join(one, name)) for one in self._dialect.snippet_folders)
        return [path for path in dict.fromkeys(paths) if is_reached(path, self._dialect)]

    @property
    def has_end(self) -> bool:
        """Whether there were not too many."""
        return self._left > 0

    def text(self, match: re.Match[str]) -> str:
        """Give what takes the place of a statement, with what the file itself includes."""
        names = ["".join(found) for found in _NAME.findall(match["names"])]
        for name in names:
            for place in self.places(name):
                if self._left > 0 and (found := self._context.read(place)) is not None:
                    self._left -= 1
                    text = found.replace("\r\n", "\n").removesuffix("\n")
                    return self._pattern.sub(lambda one: self.text(one) if one["names"] else one[0], text)
        if match["may_miss"] is None or self._left <= 0:
            self.missing.append(names[0])
        return ""


def take_in_files(fragment: Fragment, context: CompileContext) -> Fragment:
    """Put the files in that a page includes, before its template is drawn; each is a part of the template."""
    opening, closing = (fragment.source.dialect.macro_marks or ("{{", "}}", "{%", "%}"))[2:]
    if opening not in fragment.text or "include" not in fragment.text:
        return fragment
    # The plug-in include-markdown writes the same statement, and looks beside the page as well.
    is_shared = "snippets" in fragment.source.dialect.extensions
    pattern = _include(opening, closing)
    output, position, files = Output(fragment), 0, _Files(fragment, context, pattern)
    for match in pattern.finditer(fragment.text):
        if match["names"] is None:
            continue
        text = files.text(match)
        missing, files.missing = files.missing, []
        at = match.end("before") - len(match["before"].lstrip())
        if missing and is_shared and files.has_end:
            continue
        if missing:
            name = missing[0]
            message = f'The file "{name}" of this include does not exist in the site\'s folder.'
            hint = f"It is looked for at {' and '.join(files.places(name))}."
            if not files.has_end:
                message = f'Files that include each other have no end; "{name}" is left out.'
                hint = f"A page may take in {_MOST_FILES} files."
            context.report("error", "missing-snippet", message, fragment.source, fragment.origin(at), suggestion=hint)
        output.copy(position, match.start())
        output.write(text, at)
        position = match.end()
    if not position:
        return fragment
    output.copy(position, len(fragment.text))
    return output.fragment()
