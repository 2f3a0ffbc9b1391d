"""The blocks of GitBook, `{% name key="value" %}`: hints, tabs, titles of code, embeds, files, references, steps.

Tags that only arrange content are left out, and what is between them stays. A tag that stands for what GitBook makes
itself, such as an operation of an API, is left out with a finding; one that is not known is found where it is shown.
"""

from __future__ import annotations

import html
import posixpath
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from octavo.content.context import nearest
from octavo.content.dialect import is_reached
from octavo.content.translate.output import (
    USUAL_MARKS,
    CodeRanges,
    Edit,
    Output,
    Pattern,
    attribute,
    fenced,
    label,
    matches_in,
    replaced,
)
from octavo.content.translate.surroundings import Surroundings
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import DocumentText, Fragment

_QUOTED = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'"
_TAG = re.compile(
    # A word without quotes holds no sign of equality: each tag can be read in one way only.
    rf"\{{%-?[ \t]*(?P<name>@?[a-z][\w/-]*)(?P<rest>(?:\s+(?:[\w:-]+[ \t]*=[ \t]*(?:{_QUOTED}|[^\s\"'%]+)|{_QUOTED}|[^\s\"'%=]+))*)\s*-?%\}}"
)
_ATTRIBUTE = re.compile(r"([\w:-]+)[ \t]*=[ \t]*(?:\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|([^\s\"'%]+))")
_KINDS = {"info": "info", "success": "tip", "tip": "tip", "warning": "warning", "danger": "danger", "working": "note"}
_FRAMES = ("tabs", "tab", "hint")
"""Blocks that would take in the rest of the page where one of them is not closed."""
_FENCE = "::::::::"
"""Longer than those of the blocks in a hint."""
_ARRANGING = frozenset(
    ["stepper", "step", "columns", "column", "content-ref", "updates", "if", "else", "elif", "raw", "code", "embed", "file", "prompt", "tabs", "tab", "hint",
     "api-method-summary", "api-method-description", "api-method-spec", "api-method-request", "api-method-response-example-description"]
)  # fmt: skip
_MADE = frozenset(["openapi", "openapi-operation", "openapi-schemas", "openapi-webhook", "swagger", "swagger-parameter", "swagger-response", "swagger-description", "integration"])  # fmt: skip
"""What GitBook makes of other files."""
_PARTS_OF_METHOD = {"api-method-path-parameters": "Path parameters", "api-method-query-parameters": "Query parameters",
                    "api-method-headers": "Headers", "api-method-body-parameters": "Body parameters",
                    "api-method-form-data-parameters": "Form data", "api-method-response": "Responses"}  # fmt: skip
_OPERATION = frozenset(
    ["swagger", "swagger-description", "swagger-parameter", "swagger-response", "api-method", "api-method-parameter",
     "api-method-response-example", *_PARTS_OF_METHOD]
)  # fmt: skip
"""Operations of an API that are written in the page itself, as GitBook has had them in turn."""
_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_WINDOWS_END, _END = "\r\n", "\n"
_RAW = r"\{%[-+]?\s*raw\s*[-+]?%\}.*?\{%[-+]?\s*endraw\s*[-+]?%\}"
"""A stretch in which nothing is a template."""
_FILE_NAME = re.compile(
    r"\{%\s*filename\s*%\}(?P<name>[^\n{}]*)\{%\s*endfilename\s*%\}[ \t]*(?:\n(?=[ \t]*(?:```|~~~)))?"
)
_TAGS = re.compile(r"<[^<>]*>")
_SECTION = re.compile(r"<!--sec\s(?P<rest>[^>]*?)\s*ces-->|<!--\s*endsec\s*-->")
_MOST_INCLUDES = 200
"""Files that one page may take in; those that take in each other have no end."""
_CODE_FENCE = re.compile(r"\s*(?P<mark>`{3,}|~{3,})(?P<info>[^\n`]*)")


@lru_cache(maxsize=4)
def _includes(_marks: tuple[str, ...], has_raw: bool, _has_comments: bool) -> re.Pattern[str]:
    statement = r"\{%-?\s*include\s+(?P<quote>[\"'])(?P<path>[^\"'\n]+)(?P=quote)\s*-?%\}"
    return re.compile(f"{_RAW}|{statement}" if has_raw else statement, re.DOTALL)


@lru_cache(maxsize=4)
def _variables(_marks: tuple[str, ...], has_raw: bool, _has_comments: bool) -> re.Pattern[str]:
    variable = r"\{\{-?\s*(?P<name>book\.[\w.]+)\s*-?\}\}"
    return re.compile(f"{_RAW}|{variable}" if has_raw else variable, re.DOTALL)


def _substituted(text: str, pattern: Pattern, new: Callable[[re.Match[str]], str]) -> str:
    parts, position = [], 0
    for match in matches_in(text, USUAL_MARKS, pattern):
        parts += [text[position : match.start()], new(match)]
        position = match.end()
    return "".join([*parts, text[position:]])


def translate_gitbook(fragment: Fragment, context: CompileContext) -> Fragment:
    """Rewrite a page's blocks of GitBook as those of Octavo."""
    if "macros" in fragment.source.dialect.extensions:
        fragment = _with_plugins(fragment)
    text = fragment.text
    if "{%" not in text:
        return fragment
    output, code = Output(fragment), CodeRanges(text)
    position = 0
    tags = [match for match in _TAG.finditer(text) if not code.holds(match.start())]
    names = Counter(match["name"] for match in tags)
    unopened = frozenset(name[3:] for name in names if name.startswith("end") and not names[name[3:]])
    is_whole = all(names[name] == names[f"end{name}"] for name in _FRAMES)
    for match in tags:
        if match.start() < position:
            continue
        page = _Page(fragment, context, match, unopened)
        new = page.rewritten() if is_whole or match["name"].removeprefix("end") not in _FRAMES else page.unclosed()
        if new is None:
            continue
        output.copy(position, match.start())
        if "\n" in new and match["name"] != "code":
            output.block(new.strip("\n"), match.start(), page.end)
            output.write("\n", match.start())
        else:
            output.write(new, match.start())
        position = page.end
    output.copy(position, len(text))
    return output.fragment()


def take_in_files(fragment: Fragment, context: CompileContext) -> Fragment:
    """Put the files in that a page of a book includes, before templates are drawn; code of books is not a template."""
    if "include" not in fragment.text:
        return fragment
    output, position, left = Output(fragment), 0, [_MOST_INCLUDES]
    code = CodeRanges(fragment.text)
    for match in matches_in(fragment.text, USUAL_MARKS, _includes):
        if match["path"] is None or code.holds(match.start()):
            continue
        written, missing = _taken_in(match["path"], fragment.source.path, context, fragment.source, left)
        if missing:
            message = f'The file "{missing}" of this include does not exist in the book\'s folder.'
            if left[0] <= 0:
                message = f'The files that "{match["path"]}" takes in have no end.'
            context.report(
                "error",
                "missing-snippet",
                message,
                fragment.source,
                fragment.origin(match.start()),
                suggestion="Put the file there, or correct its path.",
            )
        output.copy(position, match.start())
        output.write(written, match.start())
        position = match.end()
    output.copy(position, len(fragment.text))
    return output.fragment() if position else fragment


def _taken_in(
    path: str, page: str, context: CompileContext, source: DocumentText, left: list[int]
) -> tuple[str, str | None]:
    """Read a file and those that it includes.

    Returns:
        Its text, and the path of a file that is missing.
    """
    left[0] -= 1
    places = [posixpath.join(posixpath.dirname(page), path)] if not path.startswith("/") else []
    # A path that begins with `/` begins at the folder of the book, or at that of the page's language.
    folders = source.dialect.snippet_folders
    inner = [folder for folder in folders if page.startswith(f"{folder}/")]
    places += [posixpath.join(folder, path.lstrip("/")) for folder in (*inner, *folders)]
    for place in map(posixpath.normpath, places):
        text = context.read(place) if left[0] > 0 and is_reached(place, source.dialect) else None
        if text is None:
            continue
        text, missing = _FRONT.sub("", text.replace(_WINDOWS_END, _END)).removesuffix("\n"), None

        def within(match: re.Match[str], place: str = place) -> str:
            nonlocal missing
            if match["path"] is None:
                return match[0]
            written, lost = _taken_in(match["path"], place, context, source, left)
            missing = missing or lost
            return written

        return _substituted(_with_values(text, source), _includes, within), missing
    return "", path


def _with_values(text: str, source: DocumentText) -> str:
    """Put the values of the book's variables into a file that is taken in, whose code is a template as well."""
    variables = source.dialect.variables
    return _substituted(text, _variables, lambda match: variables.get((match["name"] or "").lower(), match[0]))


def _with_plugins(fragment: Fragment) -> Fragment:
    """Draw the blocks of two plug-ins of books: names of files above code, and sections that open."""
    text = fragment.text
    edits: list[Edit] = []
    code = CodeRanges(text)
    for match in _FILE_NAME.finditer(text):
        if code.holds(match.start()):
            continue
        fence = _CODE_FENCE.match(text, match.end())
        name = " ".join(html.unescape(_TAGS.sub("", match["name"])).split())
        if match[0].endswith("\n") and fence is not None and " " not in fence["info"].strip():
            info = fence["info"].strip() or "text"
            edits.append((match.start(), fence.end(), f"{fence['mark']}{info} title={attribute(name)}"))
        else:
            edits.append((match.start(), match.end(), f"`{name}`"))
    sections = [match for match in _SECTION.finditer(text) if not code.holds(match.start())]
    if sum(1 if match["rest"] is not None else -1 for match in sections) == 0:
        for match in sections:
            given = {key: a or b or c for key, a, b, c in _ATTRIBUTE.findall(match["rest"] or "")}
            title = html.escape(html.unescape(given.get("data-title", "")), quote=False)
            opened = " open" if given.get("data-show") == "true" else ""
            start = f"\n<details{opened}>\n<summary>{title}</summary>\n\n"
            edits.append((match.start(), match.end(), "\n\n</details>\n" if match["rest"] is None else start))
    return replaced(fragment, sorted(edits)) if edits else fragment


class _Page:
    """One tag, and the page around it."""

    def __init__(
        self, fragment: Fragment, context: CompileContext, match: re.Match[str], unopened: frozenset[str] = frozenset()
    ) -> None:
        """Initialize; `unopened` are the names that the page has ends of, and no beginning."""
        self._fragment = fragment
        self._context = context
        self._match = match
        self._unopened = unopened
        self._given = {
            key: html.unescape(re.sub(r"\\(.)", r"\1", a or b or c))
            for key, a, b, c in _ATTRIBUTE.findall(match["rest"])
        }
        self.end = match.end()
        """Offset after what is replaced."""

    def rewritten(self) -> str | None:
        """Give what takes the place of the tag; a text with line ends is a block. None leaves it as it is."""
        name = self._match["name"]
        if name.startswith("end") and name[3:] in _ARRANGING | _MADE | _OPERATION:
            self._check_opened()
            return {"endhint": f"\n{_FENCE}\n", "endtab": "\n</TabItem>\n", "endtabs": "\n</Tabs>\n"}.get(name, "")
        if name in _OPERATION:
            return self._operation(name)
        if name in _MADE:
            return self._left_out()
        if name == "hint":
            style = self._given.get("style", "info")
            if style not in _KINDS:
                close = nearest(style, _KINDS)
                hint = f'Did you mean "{close}"?' if close else f"Known styles: {', '.join(_KINDS)}."
                message = f'The style of hint "{style}" is not known; it is drawn as "info".'
                self._report("unknown-admonition", message, hint)
            return f"\n{_FENCE} {_KINDS.get(self._given.get('style', 'info'), 'info')}[]\n\n"
        if name == "tab":
            title = attribute(self._given.get("title", "") or "Tab")
            return f"\n<TabItem value={title} label={title}>\n\n"
        if name == "tabs":
            return "\n<Tabs>\n\n"
        if name == "code":
            return self._code()
        if name in ("embed", "file"):
            return self._linked()
        if name == "page-ref" and (address := self._given.get("page")):
            return self._of_page(address)
        if name == "include":
            is_book = "macros" in self._fragment.source.dialect.extensions  # what is left there was raw
            return None if is_book else self._included()
        if name == "update":
            words = " – ".join(filter(None, (self._given.get("date"), self._given.get("tags"))))
            return f"\n**{words}**\n" if words else "\n"
        if name == "prompt" and (description := self._given.get("description")):
            return f"\n{description}\n"
        if name == "endupdate":
            return ""
        if name.startswith("@"):
            return self._of_integration()
        return "" if name in _ARRANGING else None

    def unclosed(self) -> str:
        """Leave out a tag of a page on which blocks are not closed; their content stays."""
        if self._match["name"].startswith("end"):
            self._check_opened()
        else:
            self._report(
                "unclosed",
                f'The blocks "{self._match["name"]}" and their ends do not match on this page: their content is shown without them.',
            )
        return ""

    def _check_opened(self) -> None:
        """Report an end on a page that has no beginning for it."""
        name = self._match["name"].removeprefix("end")
        if name in self._unopened:
            self._report("stray-end", f'"{self._match[0]}" closes nothing: no "{name}" is open here.', "Take it out.")

    def _code(self) -> str:
        """Give the block of code that follows the title of this tag."""
        text = self._fragment.text
        found = _CODE_FENCE.match(text, self.end)
        title = self._given.get("title", "")
        if found is None:
            return f"\n**{title}**\n" if title else ""
        self.end = found.end()
        info = [found["info"].strip() or "text"]
        info += [f"title={attribute(title)}"] if title else []
        info += ["showLineNumbers"] if self._given.get("lineNumbers") == "true" else []
        return text[self._match.end() : found.start("mark")] + f"{found['mark']}{' '.join(info)}"

    def _linked(self) -> str:
        name = self._match["name"]
        address = self._given.get("url") or self._given.get("src") or ""
        closing = re.compile(rf"\{{%-?\s*end{name}\s*-?%\}}").search(self._fragment.text, self.end)
        inner = ""
        if closing is not None and "{%" not in self._fragment.text[self.end : closing.start()]:
            inner = self._fragment.text[self.end : closing.start()].strip()
            self.end = closing.end()
        inner = inner or self._given.get("caption", "")
        shown = inner or (posixpath.basename(address) if name == "file" else address)
        return f"\n[{label(shown)}](<{address}>)\n"

    def _of_page(self, address: str) -> str:
        """Link to another page by its title."""
        around = Surroundings(self._fragment.source, self._context)
        path, _, _ = address.partition("#")
        names = (
            [path] if path.endswith((".md", ".mdx")) else [f"{path.rstrip('/')}/README.md", f"{path.rstrip('/')}.md"]
        )
        file = next((found[0] for name in names if (found := around.read(name))), None)
        title = around.title_of(file) if file else ""
        return f"\n[{label(title or address)}](<{address}>)\n"

    def _included(self) -> str | None:
        named = re.search(r"[\"']([^\"']+)[\"']", self._match["rest"])
        found = Surroundings(self._fragment.source, self._context).read(named[1]) if named else None
        if found is None:
            self._report(
                "missing-snippet",
                f'The file "{named[1] if named else ""}" of this include does not exist in the site\'s folder.',
            )
            return ""
        return f"\n{_FRONT.sub('', found[1].replace(_WINDOWS_END, _END)).strip()}\n"

    def _of_integration(self) -> str:
        if "mermaid" in self._match["name"] and self._given.get("content"):
            return f"\n{fenced(self._given['content'].replace(chr(92) + 'n', chr(10)), 'mermaid')}\n"
        if address := self._given.get("url"):
            return f"\n[{label(address)}](<{address}>)\n"
        return self._left_out()

    def _operation(self, name: str) -> str:
        """Give the head of an operation of an API, or of a part of it; the texts follow."""
        given = self._given
        if name in ("swagger", "api-method"):
            host = given.get("baseUrl") or given.get("host") or ""
            request = f"{given.get('method', 'get').upper()} {host}{given.get('path', '')}"
            summary = given.get("summary")
            return (f"\n**{summary}**\n" if summary else "") + f"\n`{request}`\n"
        if name in _PARTS_OF_METHOD:
            return f"\n**{_PARTS_OF_METHOD[name]}**\n"
        if name == "api-method-response-example":
            return f"\n**{given.get('httpCode', '')}**\n" if given.get("httpCode") else "\n"
        if name in ("swagger-parameter", "api-method-parameter"):
            marks = [given.get("in"), given.get("type"), "required" if given.get("required") == "true" else ""]
            shown = ", ".join(mark for mark in marks if mark)
            return f"\n`{given.get('name', '')}`{f' ({shown})' if shown else ''}\n"
        if name == "swagger-response":
            return f"\n**{given.get('status', '')}** {given.get('description', '')}\n"
        return "\n"

    def _left_out(self) -> str:
        shown = " ".join(self._match[0].split())
        self._report(
            "foreign-syntax",
            f'"{shown[:60]}{"…" if len(shown) > 60 else ""}" is made by GitBook itself: it is left out.',
        )
        return ""

    def _report(self, code: str, message: str, suggestion: str = "") -> None:
        if code == "foreign-syntax":
            suggestion = "An API is described by [[openapi]] in octavo.toml; anything else is written into the page."
        origin = self._fragment.origin(self._match.start())
        self._context.report(
            "warn" if code in ("unknown-admonition", "stray-end") else "error",
            code,
            message,
            self._fragment.source,
            origin,
            suggestion=suggestion,
        )
