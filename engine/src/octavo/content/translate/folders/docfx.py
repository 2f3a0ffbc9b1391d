"""What DocFX reads beside CommonMark: files that a page takes in, code from files, tabs, videos and names of things.

- `[!INCLUDE [title](file.md)]` takes in Markdown, on a line of its own or in one
- `[!code-csharp[title](file.cs?name=part&highlight=2-3#L1-L9)]` and `:::code source="file.cs" language="csharp":::` show code
- `# [Title](#tab/id)` begins a tab, `---` ends the group
- `<xref:uid>`, `@uid` and `[text](xref:uid)` lead to the page with this `uid`
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote

from octavo.content.dialect import is_reached
from octavo.content.translate.output import CodeRanges, Edit, attribute, fenced, label, replaced
from octavo.content.translate.surroundings import Surroundings
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment

_TARGET = r"\[(?P<title>(?:[^\[\]\n]|\\.)*)\]\([ \t]*(?P<path>[^()\s]+)(?:[ \t]+\"[^\"\n]*\")?[ \t]*\)"
_INCLUDE = re.compile(rf"\[!include[ \t]*{_TARGET}[ \t]*\]", re.IGNORECASE)
_CODE = re.compile(
    rf"^(?P<indent>[ \t]*)\[!code(?:-(?P<language>[\w+#-]+))?[ \t]*{_TARGET}[ \t]*\][ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_TRIPLE = re.compile(
    r"^(?P<indent>[ \t]*):::(?P<name>[a-z-]+)(?P<given>(?:[ \t]+[\w-]+=\"[^\"\n]*\")*)[ \t]*(?P<end>:::)?[ \t]*$",
    re.MULTILINE,
)
_GIVEN = re.compile(r"([\w-]+)=\"([^\"\n]*)\"")
_VIDEO = re.compile(r"^(?P<quote>[ \t>]*)\[!video[ \t]+(?P<href>[^\]\s]+)[ \t]*\][ \t]*$", re.MULTILINE | re.IGNORECASE)
_DIV = re.compile(r"^(?P<quote>[ \t]*>[ \t]*)\[!div[^\]\n]*\][ \t]*$", re.MULTILINE | re.IGNORECASE)
_TAB = re.compile(
    r"^#{1,6}[ \t]+\[(?P<title>[^\]\n]+)\]\(#tab/(?P<id>[^)/\s]+)(?:/(?P<when>[^)\s]+))?\)[ \t]*$", re.MULTILINE
)
_RULE = re.compile(r"^(?:-[ \t]*){3,}$|^(?:\*[ \t]*){3,}$|^(?:_[ \t]*){3,}$", re.MULTILINE)
_LINK = re.compile(
    r"(?<!!)\[(?P<text>(?:[^\[\]\n`\\]|`[^`\n]*`|\\.)*)\]\(xref:(?P<uid>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?P<title>[ \t]+\"[^\"\n]*\")?\)"
)
_NAME = re.compile(
    r"<xref:(?P<auto>[^<>\s]+)>|(?<![\w@/.+-])@(?:\"(?P<quoted>[^\"\n]+)\"|(?P<bare>[A-Za-z_]\w*(?:[.#][A-Za-z_]\w*)+))"
)
_FRONT = re.compile(r"\A\ufeff?---\n.*?\n---\n", re.DOTALL)
_RELATIVE = re.compile(r"(?<=\]\()(?![a-z][\w+.-]*:|[/#~])(?P<path>[^()\s]+)")
_ROOT = re.compile(r"(?<=\]\()~/")
_OF_DOTNET = re.compile(r"(?P<name>System(?:\.[\w`]+)*)(?:\*|\([^()]*\))?")
_DOTNET = "https://learn.microsoft.com/dotnet/api/"
"""Where DocFX finds what belongs to .NET itself."""
_DEEPEST = 8
_LINES = re.compile(r"#L(?P<first>\d+)(?:-L(?P<last>\d+))?\Z")
_ENDINGS = {"cs": "csharp", "vb": "vb", "ps1": "powershell", "sh": "bash", "py": "python", "fs": "fsharp"}
_HINT = "Write it in plain Markdown, or as a component."


def translate_docfx(fragment: Fragment, context: CompileContext) -> Fragment:
    """Rewrite what a page has of DocFX."""
    text = fragment.text
    if "[!" not in text and ":::" not in text and "#tab/" not in text and "xref:" not in text and "@" not in text:
        return fragment
    page = _Page(fragment, context)
    fragment = replaced(fragment, page.edits(fragment.text))
    return replaced(fragment, _tabs(fragment, context)) if "#tab/" in fragment.text else fragment


class _Page:
    def __init__(self, fragment: Fragment, context: CompileContext) -> None:
        self._fragment = fragment
        self._context = context
        self._around = Surroundings(fragment.source, context)
        self._place = 0
        self._files = [fragment.source.path]
        """The page, and the files around the place that is read now; the innermost last."""

    def edits(self, text: str) -> Iterator[Edit]:
        """Give what takes the place of constructs outside of code."""
        code = CodeRanges(text)
        for pattern, draw in (
            (_INCLUDE, self._included),
            (_CODE, self._code),
            (_TRIPLE, self._triple),
            (_VIDEO, self._video),
            (_DIV, self._div),
            (_LINK, self._link),
            (_NAME, self._name),
        ):
            for match in pattern.finditer(text):
                if code.holds(match.start()):
                    continue
                if len(self._files) == 1:
                    self._place = match.start()
                written = draw(match)
                if written is not None:
                    yield match.start(), match.end(), written

    def _report(self, message: str, code: str = "foreign-syntax", hint: str = _HINT) -> None:
        origin = self._fragment.origin(self._place)
        self._context.report("warn", code, message, self._fragment.source, origin, suggestion=hint)

    def _read(self, target: str) -> tuple[str, str] | None:
        """Read a file by a path from the one that names it; `~` is the folder of the settings, where the documents begin."""
        root = target.startswith(("~/", "/"))
        folders = [*self._fragment.source.dialect.snippet_folders] if root else [posixpath.dirname(self._files[-1])]
        for folder in folders:
            found = posixpath.normpath(posixpath.join(folder, target.removeprefix("~").lstrip("/")))
            if not is_reached(found, self._fragment.source.dialect):
                continue
            if (text := self._context.read(found)) is not None:
                return found, text
        self._report(f'The file "{target}" of this line does not exist in the site\'s folder.', "missing-snippet", "")
        return None

    def _included(self, match: re.Match[str]) -> str:
        if len(self._files) > _DEEPEST:
            self._report(f'The file "{match["path"]}" is not taken in: files take each other in without an end.')
            return ""
        found = self._read(match["path"])
        if found is None:
            return ""
        text = _FRONT.sub("", found[1].replace("\r\n", "\n")).strip("\n")
        parts, position = [], 0
        self._files.append(found[0])
        for start, end, new in sorted(self.edits(text)):
            if start >= position:
                parts += [text[position:start], new]
                position = end
        self._files.pop()
        text = "".join([*parts, text[position:]])
        folder, own = posixpath.dirname(found[0]), posixpath.dirname(self._fragment.source.path)
        if folder != own:
            base = posixpath.relpath(folder or ".", own or ".")
            code = CodeRanges(text)
            text = _RELATIVE.sub(
                lambda one: one[0] if code.holds(one.start()) else posixpath.normpath(f"{base}/{one[0]}"), text
            )
        return text

    def _code(self, match: re.Match[str]) -> str:
        target, mark, lines = match["path"].partition("#")
        target, _, query = target.partition("?")
        given = dict(parse_qsl(query, keep_blank_values=True))
        return self._shown(match["indent"], target, match["language"] or "", given, f"{mark}{lines}")

    def _triple(self, match: re.Match[str]) -> str | None:
        given = dict(_GIVEN.findall(match["given"]))
        name = match["name"]
        if name == "code" and given.get("source"):
            options = {"name": given.get("id", ""), **given}
            return self._shown(match["indent"], given["source"], given.get("language", ""), options, "")
        if name == "image" and given.get("source"):
            image = f"![{label(given.get('alt-text', ''))}]({given['source']})"
            return (
                f"{match['indent']}[{image}]({given['lightbox']})" if given.get("lightbox") else match["indent"] + image
            )
        if name == "video" and given.get("source"):
            return f"{match['indent']}{_frame(given['source'])}"
        if name in ("row", "column", "row-end", "column-end", "image-end"):
            return ""
        if name in ("zone", "zone-end", "moniker", "moniker-end"):
            if not name.endswith("-end"):
                self._report(f'What ":::{name}" holds for some readers or versions only is shown to all.')
            return ""
        return None

    def _shown(self, indent: str, target: str, language: str, given: dict[str, str], lines: str) -> str:
        """Show a file, or a part of it, as code."""
        found = self._read(target)
        if found is None:
            return ""
        kept = found[1].replace("\r\n", "\n").rstrip("\n").split("\n")
        name = given.get("name") or (lines[1:] if lines and not _LINES.match(lines) else "")
        wanted = given.get("range", "")
        if by_number := _LINES.match(lines):
            wanted = f"{by_number['first']}-{by_number['last'] or by_number['first']}"
        elif given.get("start") or given.get("end"):
            wanted = f"{given.get('start') or 1}-{given.get('end') or len(kept)}"
        if name:
            part = _part(kept, name)
            if part is None:
                hint = f'Put it between "<{name}>" and "</{name}>", or into a region of this name.'
                self._report(f'The file "{target}" has no part "{name}"; all of it is shown.', "missing-snippet", hint)
            kept = kept if part is None else part
        elif wanted:
            kept = _ranges(kept, wanted)
        shared = min((len(line) - len(line.lstrip()) for line in kept if line.strip()), default=0)
        if given.get("dedent", "").isdecimal():
            shared = min(shared, int(given["dedent"]))
        ending = posixpath.splitext(target)[1].lstrip(".")
        info = (language or _ENDINGS.get(ending, ending)).lower()
        if re.fullmatch(r"[\d,-]+", marked := given.get("highlight", "").replace(" ", "")):
            info += f" {{{marked}}}"
        for option in sorted(given.keys() - _OF_CODE):
            self._report(f'"{option}" of this code has no effect.', "unknown-attribute", "Take it out.")
        block = fenced("\n".join(line[shared:] for line in kept), info or "text")
        return "\n".join(f"{indent}{line}" if line else "" for line in block.split("\n"))

    def _video(self, match: re.Match[str]) -> str:
        return f"\n{_frame(match['href'])}\n" if ">" in match["quote"] else f"{match['quote']}{_frame(match['href'])}"

    def _div(self, match: re.Match[str]) -> str:
        return match["quote"].rstrip()  # the look of the quotation

    def _link(self, match: re.Match[str]) -> str:
        address = self._address(match["uid"])
        if address is not None:
            return f"[{match['text'] or match['uid']}](<{address}>{match['title'] or ''})"
        self._report(f'No page has the uid "{match["uid"]}"; its link is left out.', hint="Write a link to its page.")
        return match["text"] or f"`{match['uid']}`"

    def _name(self, match: re.Match[str]) -> str | None:
        uid = (match["auto"] or match["quoted"] or match["bare"]).partition("?")[0]
        shown = unquote(uid.rstrip("*").partition("(")[0]).rpartition(".")[2] if match["auto"] else uid
        address = self._address(uid)
        if address is not None:
            known = self._fragment.source.dialect.references.get(uid, "")
            title = label(self._around.title_of(known)) if known else ""
            return f"[{title or f'`{shown}`'}](<{address}>)"
        if match["bare"] is not None and not uid[0].isupper():
            return None  # an address, or a name of somebody
        self._report(f'No page has the uid "{uid}"; its name is shown as code.', hint="Write a link to its page.")
        return f"`{shown}`"

    def _address(self, uid: str) -> str | None:
        uid, mark, anchor = uid.partition("?")[0].partition("#")
        known = self._fragment.source.dialect.references.get(uid)
        if known is None and (name := _OF_DOTNET.fullmatch(unquote(uid))):
            return _DOTNET + name["name"].lower().replace("`", "-")
        return None if known is None else f"{self._around.relative(known)}{mark}{anchor}"


_OF_CODE = frozenset(
    ["name", "id", "range", "start", "end", "highlight", "dedent", "source", "language", "interactive", "title"]
)
"""What is read of the options of code; `interactive` is a button of another site."""


def _frame(address: str) -> str:
    return f'<iframe src={attribute(address)} title="Video" allowfullscreen></iframe>'


def _part(lines: list[str], name: str) -> list[str] | None:
    """Give the lines between two marks of a name: `<name>` and `</name>` in comments, or a region."""
    word = re.escape(name)
    opening = re.compile(rf"<{word}>|#[ \t]*region[ \t]+{word}[ \t]*$", re.IGNORECASE)
    closing = re.compile(rf"</{word}>|#[ \t]*end[ \t]?region\b", re.IGNORECASE)
    mark = re.compile(r"^\W*</?[\w.-]+>\W*$|#[ \t]*(?:end[ \t]?)?region\b", re.IGNORECASE)
    start = next((number for number, line in enumerate(lines) if opening.search(line)), None)
    if start is None:
        return None
    kept, depth, is_region = [], 0, "region" in lines[start].lower()
    for line in lines[start + 1 :]:
        if is_region and re.search(r"#[ \t]*region\b", line, re.IGNORECASE):
            depth += 1
        if closing.search(line):
            if not depth:
                break
            depth -= 1
        if not mark.search(line):
            kept.append(line)
    return kept


def _ranges(lines: list[str], wanted: str) -> list[str]:
    """Give the lines of `1-3,7,9-`."""
    kept: list[str] = []
    for one in wanted.replace(" ", "").split(","):
        first, dash, last = one.partition("-")
        start = int(first) if first.isdecimal() else 1
        end = int(last) if last.isdecimal() else len(lines) if dash else start
        kept += lines[start - 1 : end]
    return kept


def _tabs(fragment: Fragment, context: CompileContext) -> Iterator[Edit]:
    """Write headings that are tabs as a group of them: it ends at a rule, or at a heading as high as them."""
    text = fragment.text
    code = CodeRanges(text)
    rules = [match for match in _RULE.finditer(text) if not code.holds(match.start())]
    end, seen = 0, set[str]()
    for match in _TAB.finditer(text):
        if code.holds(match.start()):
            continue
        opening = f"<TabItem value={attribute(match['id'])} label={attribute(re.sub(r'[`*]', '', match['title']))}>\n"
        is_first = match.start() >= end
        if is_first:
            closing = next((rule for rule in rules if rule.start() > match.end()), None)
            end = closing.start() if closing else len(text)
            seen = set()
            yield end, closing.end() if closing else end, "\n</TabItem>\n</Tabs>\n"
        if match["id"] in seen:
            opening = opening.replace(
                f"value={attribute(match['id'])}", f'value="{match["id"]}-{match["when"] or len(seen)}"', 1
            )
        seen.add(match["id"])
        if match["when"]:
            message = f'This tab is for readers who have chosen "{match["when"]}" before; here it is one of all.'
            origin = fragment.origin(match.start())
            context.report(
                "warn", "foreign-syntax", message, fragment.source, origin, suggestion="Name the choice in its title."
            )
            opening = opening.replace('">\n', f' ({match["when"]})">\n', 1)
        yield (
            match.start(),
            match.end(),
            f'<Tabs groupId="docfx">\n{opening}' if is_first else f"\n</TabItem>\n{opening}",
        )
