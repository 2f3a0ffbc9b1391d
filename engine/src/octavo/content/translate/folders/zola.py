"""What Zola reads beside Markdown: links such as `@/folder/page.md`, and shortcodes written as calls, `{{ name(key="value") }}`, `{% name() %}…{% end %}`.

Shortcodes are programs of the site or of its theme. Images, notes, videos, diagrams and folded parts are known by their names and
arguments; of any other, its texts and its content are shown, with a finding.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING

from octavo.content.translate.output import CodeRanges, Edit, attribute, fenced, label, marked_label, replaced
from octavo.content.translate.surroundings import Surroundings
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment

_STRING = r"\"[^\"]*\"|'[^']*'|`[^`]*`"
_CALL = rf"(?P<name>[A-Za-z_][\w:]*)\((?P<given>(?:{_STRING}|[^\"'`()])*)\)\s*"
_INLINE = re.compile(rf"\{{\{{-?\s*{_CALL}-?\}}\}}")
_BLOCK = re.compile(rf"\{{%-?\s*{_CALL}-?%\}}(?P<body>(?:(?!\{{%).)*?)\{{%-?\s*end\s*-?%\}}", re.DOTALL)
_SHOWN = re.compile(r"\{\{/\*(?P<inline>.*?)\*/\}\}|\{%/\*(?P<block>.*?)\*/%\}", re.DOTALL)
_LINK = re.compile(r"(?<=\]\()@/(?P<path>[^\s()]*)|(?<=\]: )@/(?P<defined>\S*)")
_GIVEN = re.compile(rf"(?P<key>\w+)\s*=\s*(?:(?P<text>{_STRING})|(?P<other>[^,\s\"'`]+))")
_KINDS = {
    "caution": "caution", "danger": "danger", "error": "danger", "hint": "tip", "important": "important", "info": "info", "note": "note",
    "success": "tip", "tip": "tip", "warn": "warning", "warning": "warning",
}  # fmt: skip
_NOTES = frozenset(["admonition", "alert", "box", "callout", "message", "notice", *_KINDS])
_FOLDED = frozenset(["collapse", "collapsible", "details", "expand", "fold", "spoiler", "toggle"])
_PICTURE = re.compile(r"ima?ge?|figure|picture|photo|svg", re.IGNORECASE)
_IS_PICTURE = re.compile(r"[^\s?#]+\.(?:png|jpe?g|gif|svg|webp|avif)(?:[?#]\S*)?", re.IGNORECASE)
_ADDRESSES = ("src", "path", "url", "file", "image", "default_src", "source", "img", "link")
_VIDEOS = {"youtube": "https://www.youtube-nocookie.com/embed/", "vimeo": "https://player.vimeo.com/video/"}
_TEXTS = (
    "title",
    "text",
    "body",
    "content",
    "caption",
    "quote",
    "original",
    "translated",
    "label",
    "author",
    "description",
)
_FENCE = "::::::::"
_DEEPEST = 5


def translate_zola(fragment: Fragment, context: CompileContext) -> Fragment:
    """Rewrite the links and shortcodes of a page."""
    page = _Page(fragment, context)
    if "@/" in fragment.text:
        fragment = replaced(fragment, page.links(fragment))
    for _ in range(_DEEPEST):
        if "{%" not in fragment.text or not (edits := list(page.blocks(fragment))):
            break
        fragment = replaced(fragment, edits)
    if "{{" in fragment.text:
        fragment = replaced(fragment, page.calls(fragment))
    if "*/" in fragment.text:
        fragment = replaced(fragment, _written(fragment))
    return fragment


def _written(fragment: Fragment) -> Iterator[Edit]:
    """Show shortcodes that a page writes about."""
    for match in _SHOWN.finditer(fragment.text):
        yield (
            match.start(),
            match.end(),
            f"{{{{{match['inline']}}}}}" if match["inline"] is not None else f"{{%{match['block']}%}}",
        )


class _Page:
    def __init__(self, fragment: Fragment, context: CompileContext) -> None:
        self._context = context
        path = fragment.source.path
        self._folder = posixpath.dirname(path)
        inner = Surroundings(fragment.source, context).content_path
        self._root = path[: len(path) - len(inner)]
        self._section = inner.partition("/")[0]

    def links(self, fragment: Fragment) -> Iterator[Edit]:
        """Give the edits of links that begin at the folder of the content."""
        code = CodeRanges(fragment.text)
        for match in _LINK.finditer(fragment.text):
            if not code.holds(match.start()):
                yield match.start(), match.end(), self._from_root(match["path"] or match["defined"] or "")

    def blocks(self, fragment: Fragment) -> Iterator[Edit]:
        """Give the edits of shortcodes with a content that holds no other."""
        code = CodeRanges(fragment.text)
        for match in _BLOCK.finditer(fragment.text):
            if not code.holds(match.start()):
                yield match.start(), match.end(), self._draw(fragment, match, match["body"].strip("\n"))

    def calls(self, fragment: Fragment) -> Iterator[Edit]:
        """Give the edits of shortcodes without a content."""
        code = CodeRanges(fragment.text)
        for match in _INLINE.finditer(fragment.text):
            if not code.holds(match.start()):
                yield match.start(), match.end(), self._draw(fragment, match, "")

    def _from_root(self, path: str) -> str:
        return posixpath.relpath(self._root + path, self._folder or ".") if path else ""

    def _draw(self, fragment: Fragment, match: re.Match[str], body: str) -> str:
        name, given = match["name"].rpartition(":")[2].lower(), _arguments(match["given"])
        text = body or next((given[key] for key in ("text", "body", "content") if given.get(key)), "")
        title = given.get("title") or given.get("summary") or ""
        if name in _NOTES:
            kind = _KINDS.get(name) or _KINDS.get(
                (given.get("type") or given.get("kind") or given.get("level") or "").lower(), "note"
            )
            return (
                f"\n{_FENCE}{kind}[{marked_label(title)}]\n\n{text}\n\n{_FENCE}\n"
                if title
                else f"\n{_FENCE}{kind}\n\n{text}\n\n{_FENCE}\n"
            )
        if name in _FOLDED and (body or title):
            return f"\n{_FENCE} details {label(title or 'Details')}\n\n{text}\n\n{_FENCE}\n"
        if name in _VIDEOS and (number := given.get("id") or given.get("video")):
            return f'<iframe src="{_VIDEOS[name]}{number}" title="Video" loading="lazy" allowfullscreen></iframe>'
        if name == "mermaid" and body:
            return f"\n{fenced(body, 'mermaid')}\n"
        if pictures := self._pictures(name, given):
            return pictures
        if name == "toc":
            return ""
        rest = [given[key] for key in _TEXTS if given.get(key) and given[key] != text]
        if not (body or (text and len(given) == 1)):
            message = f'"{match["name"]}" is a shortcode of the site, which is a program: only its texts and its content are shown.'
            source = fragment.source
            hint = "Write its content in Markdown."
            self._context.report(
                "error", "foreign-syntax", message, source, fragment.origin(match.start()), suggestion=hint
            )
        shown = [*([title] if title and body else []), text, *(one for one in rest if one != title or not body)]
        return "\n\n".join(filter(None, shown)) if body else " ".join(filter(None, shown))

    def _pictures(self, name: str, given: dict[str, str]) -> str:
        """Draw the image that a shortcode names; two for light and dark grounds."""
        alt, caption = given.get("alt") or given.get("title") or "", given.get("caption") or ""
        light, dark = given.get("light_src") or given.get("light"), given.get("dark_src") or given.get("dark")
        if light and dark:
            own = f'alt={attribute(alt)} class="themed themed-'
            drawn = f'<img src={attribute(self._file(light))} {own}light"><img src={attribute(self._file(dark))} {own}dark">'
        else:
            named = next((given[key] for key in _ADDRESSES if _IS_PICTURE.fullmatch(given.get(key, ""))), None)
            if named is None and _PICTURE.search(name):
                named = next((given[key] for key in _ADDRESSES if given.get(key)), None)
            if named is None:
                return ""
            size = "".join(
                f" {key}={attribute(given[key])}" for key in ("width", "height") if given.get(key, "").isdigit()
            )
            drawn = f"<img src={attribute(self._file(named))} alt={attribute(alt)}{size}>"
        return f"{drawn}\n\n*{caption}*" if caption else drawn

    def _file(self, path: str) -> str:
        """Give the address of a file that is named from the page, or from the folder of the content."""
        if re.match(r"[a-z]+:|/", path):
            return path
        return self._from_root(path.removeprefix("@/")) if path.startswith(("@/", f"{self._section}/")) else path


def _arguments(given: str) -> dict[str, str]:
    return {
        match["key"]: (match["text"] or "")[1:-1] if match["text"] else match["other"]
        for match in _GIVEN.finditer(given)
    }
