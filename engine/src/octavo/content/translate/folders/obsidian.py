"""What Obsidian, Quartz and others that read its vaults know beside Markdown.

- `[[Page]]`, `[[folder/Page#Heading|text]]`, `[[#Heading]]`: links to pages by their names
- `![[image.png|300]]`, `![[Page#Heading]]`: files, and what pages say
- `> [!kind]- Title`: callouts, with a title in the same line, folded with `-` and `+`
- `%%comment%%`, and `^name` at the end of a block, which is an id
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import quote

from octavo.content.slugger import slugify
from octavo.content.source import Fragment
from octavo.content.translate.output import CodeRanges, Edit, attribute, label, marked_label, replaced
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext

_PIECE = re.compile(
    r"(?P<embed>!)?\[\[(?P<target>[^\[\]|\n]*?)(?:\\?\|(?P<text>[^\[\]\n]*))?\]\](?!\()"
    r"|%%(?:(?!\n[ \t]*\n)[^%]|%(?!%))*?%%|^[ \t]*%%[ \t]*\n.*?\n[ \t]*%%[ \t]*$"
    r"|(?<=\S)[ \t]+\^(?P<block>[A-Za-z0-9-]+)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_CALLOUT = re.compile(
    r"^(?P<indent>[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)>[ \t]*\[!(?P<kind>[\w -]+)(?:\|[^\]\n]*)?\](?P<fold>[+-]?)(?P<title>[^\n]*)(?:\n|\Z)",
    re.MULTILINE,
)
_QUOTED = re.compile(r"(?P<mark>[ \t]*>[ ]?)[^\n]*(?:\n|\Z)")
_KINDS = {
    "abstract": "info",
    "attention": "warning",
    "bug": "danger",
    "caution": "caution",
    "check": "tip",
    "danger": "danger",
    "done": "tip",
    "error": "danger",
    "fail": "danger",
    "failure": "danger",
    "faq": "info",
    "help": "info",
    "hint": "tip",
    "important": "important",
    "info": "info",
    "missing": "danger",
    "note": "note",
    "question": "info",
    "success": "tip",
    "summary": "info",
    "tip": "tip",
    "tldr": "info",
    "todo": "info",
    "warning": "warning",
}
_DEEPEST = 4
_MOST_SHOWN = 200
_COLONS = 10
_HEADING = re.compile(r"^(?P<marks>#{1,6})[ \t]+(?P<title>[^\n]*?)[ \t]*#*[ \t]*$", re.MULTILINE)
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".bmp")
_FILMS = (".mp4", ".webm", ".ogv", ".mov", ".mkv")
_SOUNDS = (".mp3", ".wav", ".m4a", ".ogg", ".flac", ".3gp")
_PAGES = (".md", ".mdx", ".markdown")
_TRIGGERS = ("[[", "[!", "%%", " ^")


def translate_obsidian(fragment: Fragment, context: CompileContext) -> Fragment:
    """Rewrite the syntax of Obsidian in a page as that of Octavo, or its callouts only."""
    has_names = "obsidian" in fragment.source.dialect.extensions
    if not any(trigger in fragment.text for trigger in _TRIGGERS):
        return fragment
    # Alerts of VitePress and of Hugo's render hooks have a title in the line of the mark as well.
    has_titles = has_names or not {"hugo", "vitepress"}.isdisjoint(fragment.source.dialect.extensions)
    fragment = _with_callouts(fragment, has_titles=has_titles)
    return replaced(fragment, _pieces(fragment, context, [_MOST_SHOWN], 0)) if has_names else fragment


def _with_callouts(fragment: Fragment, *, has_titles: bool) -> Fragment:
    for depth in range(_DEEPEST):
        edits = list(_callouts(fragment, _COLONS - depth, has_titles=has_titles))
        if not edits:
            break
        fragment = replaced(fragment, edits)
    return fragment


def _callouts(fragment: Fragment, colons: int, *, has_titles: bool) -> Iterator[Edit]:
    """Give the edits that make blocks of the outermost callouts."""
    page, code, done = fragment.text, CodeRanges(fragment.text), 0
    for match in _CALLOUT.finditer(page):
        if match.start() < done or code.holds(match.start()):
            continue
        kind, title = match["kind"].strip().lower(), match["title"].strip()
        is_folded = match["fold"] == "-" or kind == "details"
        text = "" if has_titles or is_folded else title
        title = title if has_titles or is_folded else ""
        indent = re.sub(r"[^ \t]", " ", match["indent"])
        shown = title or ("" if _KINDS.get(kind) == kind else kind[:1].upper() + kind[1:])
        own, fence = _KINDS.get(kind, "note"), ":" * colons
        if is_folded:
            opening, closing = f"{fence}details {shown or kind.capitalize()}", fence
        else:
            opening, closing = f"{fence}{own}" + (f"[{marked_label(shown)}]" if shown else ""), fence
        first = f"{indent}{text}\n" if text else ""
        edits: list[Edit] = [(match.start(), match.end(), f"{match['indent']}{opening}\n\n{first}")]
        position = match.end()
        while line := _QUOTED.match(page, position):
            edits.append((position, position + len(line["mark"]), indent))
            position = line.end()
            if position >= len(page):
                break
        done = position
        start = "" if page[:position].endswith("\n") else "\n"
        edits.append((position, position, f"{start}\n{indent}{closing}\n\n"))
        yield from edits


def _pieces(fragment: Fragment, context: CompileContext, left: list[int], depth: int) -> Iterator[Edit]:
    code = CodeRanges(fragment.text)
    for match in _PIECE.finditer(fragment.text):
        if code.holds(match.start()):
            continue
        if match["block"]:
            yield match.start(), match.end(), f'<a id="^{match["block"]}"></a>'
        elif match["target"] is None:
            yield match.start(), match.end(), ""
        elif match["target"].strip() or match["text"]:
            page = _Link(fragment, context, match, left, depth)
            yield match.start(), match.end(), page.embedded() if match["embed"] else page.linked()


class _Link:
    """A link between double brackets."""

    def __init__(
        self, fragment: Fragment, context: CompileContext, match: re.Match[str], left: list[int], depth: int
    ) -> None:
        self._fragment = fragment
        self._context = context
        self._left = left
        """Parts of other pages that this one may still show, theirs among them."""
        self._depth = depth
        self._at = match.start()
        self._whole = match[0]
        self._name, _, self._place = (part.strip() for part in match["target"].partition("#"))
        self._text = (match["text"] or "").strip()
        self._path = self._find()

    def linked(self) -> str:
        """Give the link in Markdown."""
        shown = self._text or " > ".join(filter(None, [self._name, *self._places])) or self._name
        return f"[{label(shown)}]({self._address()})"

    @property
    def _places(self) -> list[str]:
        return [part.strip() for part in self._place.split("#") if part.strip() and not part.strip().startswith("^")]

    def embedded(self) -> str:
        """Give what a file is shown as: a picture, a player, the text of a page, or a link."""
        path = self._path
        ending = posixpath.splitext(path or self._name)[1].lower()
        if ending in _PICTURES:
            return self._picture()
        if ending in (*_FILMS, *_SOUNDS):
            name = "video" if ending in _FILMS else "audio"
            return f"<{name} src={attribute(self._address(is_quoted=False))} controls></{name}>"
        if ending and ending not in _PAGES and path and not path.endswith(_PAGES):
            return self.linked()
        text = self._context.read(path) if path else None
        if text is None or self._depth >= _DEEPEST or path == self._fragment.source.path:
            self._report(f'The file "{self._name}" that is shown here does not exist in the site\'s folder.')
            return self.linked()
        self._left[0] -= 1
        if self._left[0] < 0:
            if self._left[0] == -1:
                self._report(
                    f"This page shows more than {_MOST_SHOWN} parts of other pages, theirs among them: the rest are links."
                )
            return self.linked()
        part = _part(_FRONT_MATTER.sub("", text.replace("\r\n", "\n")), self._place)
        inner = Fragment(self._fragment.source, part, [0], [self._fragment.origin(self._at)])
        inner = _with_callouts(inner, has_titles=True)
        translated = replaced(inner, _pieces(inner, self._context, self._left, self._depth + 1)).text.strip("\n")
        return f"\n\n{translated}\n\n"

    def _picture(self) -> str:
        words = [one.strip() for one in re.split(r"\\?\|", self._text) if one.strip()]
        size = re.fullmatch(r"(\d+)(?:x(\d+))?", words[-1]) if words else None
        alt = " ".join(words[:-1] if size else words)
        if not size:
            return f"![{label(alt)}]({self._address()})"
        height = f' height="{size[2]}"' if size[2] else ""
        own = f" alt={attribute(alt)}" if alt else ""
        return f'<img src={attribute(self._address(is_quoted=False))}{own} width="{size[1]}"{height}>'

    def _address(self, *, is_quoted: bool = True) -> str:
        """Give the address of the file from the page, with its place."""
        path = self._name
        if self._path:
            path = posixpath.relpath(self._path, posixpath.dirname(self._fragment.source.path) or ".")
        elif path and not posixpath.splitext(path)[1]:
            path += ".md"
        place = self._place.rpartition("#")[2].strip()
        anchor = f"#{place if place.startswith('^') else slugify(place)}" if place else ""
        found = f"{path}{anchor}"
        return quote(found, safe="/#^:?&=%~+,;@!$'*") if is_quoted else found

    def _find(self) -> str | None:
        """Find the file that a name means: the one beside the page, else the one in the highest folder."""
        if not self._name:
            return None
        wanted = posixpath.normpath(self._name.lower().lstrip("/"))
        names = [wanted, f"{wanted}.md", f"{wanted}.mdx"]
        here = posixpath.dirname(self._fragment.source.path)
        known = [
            path
            for files in self._context.options.files_around(self._fragment.source.path)
            for name in names
            for path in files.get(posixpath.basename(name), [])
            if f"/{path.lower()}".endswith(f"/{name.removeprefix('./').lstrip('./')}")
        ]
        return next((path for path in known if posixpath.dirname(path) == here), known[0] if known else None)

    def _report(self, message: str) -> None:
        source = self._fragment.source
        self._context.report("error", "missing-snippet", message, source, self._fragment.origin(self._at))


def _part(text: str, place: str) -> str:
    """Cut the part of a page with this heading, or the block with this id; all of it where there is neither."""
    name = place.rpartition("#")[2].strip()
    if not name:
        return text
    if name.startswith("^"):
        blocks = re.split(r"\n[ \t]*\n", text)
        mark = re.compile(rf"[ \t]*\{name}[ \t]*$", re.MULTILINE)
        return next((mark.sub("", one) for one in blocks if mark.search(one)), text)
    code = CodeRanges(text)
    heads = [one for one in _HEADING.finditer(text) if not code.holds(one.start())]
    for index, head in enumerate(heads):
        if slugify(head["title"]) == slugify(name):
            after = (one for one in heads[index + 1 :] if len(one["marks"]) <= len(head["marks"]))
            following = next(after, None)
            return text[head.start() : following.start() if following else len(text)]
    return text
