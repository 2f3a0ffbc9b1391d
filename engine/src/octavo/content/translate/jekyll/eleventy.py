"""Pages of Eleventy: Liquid, or Nunjucks as far as it says the same in other words, over the site's data."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Any

from octavo.content.plain import stretches
from octavo.content.source import Fragment
from octavo.content.translate.jekyll.liquid import Evaluator, LiquidPiece, parse
from octavo.content.translate.jekyll.lists import ListedPage, pages_below
from octavo.content.translate.jekyll.pages import JekyllPage, read_data
from octavo.content.translate.output import CodeRanges, label, replaced
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext

_ARGUMENT = re.compile(r"""(?:(?P<key>[\w-]+)\s*[:=]\s*)?(?P<value>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s,"']+)""")
_IMAGE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|avif)\Z", re.IGNORECASE)
_IMAGE_TAG = re.compile(r"image|img|figure|picture|photo", re.IGNORECASE)
_COMMENT = re.compile(r"\{#")
_COMMENT_END = "#}"
_AT_THE_END = re.compile(
    r"^(?![ \t]*(?:[#|>:]|[-*+] |\d+[.)] ))[^\n]*?\S(?P<gap>[ \t]+)\{[.#][^{}\n]*\}[ \t]*$", re.MULTILINE
)
"""An attribute list at the end of a paragraph's line."""
_CALL = re.compile(r"\|\s*(\w+)\(([^()]*)\)")
_IN = re.compile(r"""((?:"[^"]*"|'[^']*'|[\w.]+))\s+in\s+([\w.]+)""")
_KINDS = {"elif": "elsif", "elseif": "elsif", "endset": "endcapture", "verbatim": "raw", "endverbatim": "endraw"}
_DATA = (".json", ".yaml", ".yml")
_ENDINGS = ("", ".liquid", ".html", ".njk", ".md")
_SILENT = frozenset(["import", "from", "extends", "block", "endblock"])
"""Tags of Nunjucks that bring names and parts of templates; what uses such a name is a finding there."""


def translate_eleventy(fragment: Fragment, context: CompileContext) -> Fragment:
    """Rewrite a page of Eleventy: evaluate its templates."""
    if fragment.source.dialect.variables.get("eleventy.engine") == "njk" and "{#" in fragment.text:
        fragment = replaced(fragment, ((*one.span(), "") for one in stretches(fragment.text, _COMMENT, _COMMENT_END)))
    if "attr_list" in fragment.source.dialect.extensions and _AT_THE_END.search(fragment.text):
        # markdown-it reads a list at the end of a paragraph, behind a space; others want it on a line of its own.
        code = CodeRanges(fragment.text)
        found = (match for match in _AT_THE_END.finditer(fragment.text) if not code.holds(match.start("gap")))
        fragment = replaced(fragment, ((*match.span("gap"), "\n") for match in found))
    if "{{" not in fragment.text and "{%" not in fragment.text:
        return fragment
    return EleventyPage(fragment, context).run()


class EleventyPage(JekyllPage):
    """A page of Eleventy, whose values are those of the site's data and its own front matter."""

    @property
    def _is_nunjucks(self) -> bool:
        return self._around.variables.get("eleventy.engine") == "njk"

    def evaluator(self, names: dict[str, Any]) -> Evaluator:
        """Make what evaluates a template over names."""
        return Evaluator(names, is_strict=self._is_nunjucks)

    def parse(self, text: str) -> list[LiquidPiece]:
        """Read a template; the words of Nunjucks become those of Liquid."""
        return parse(text, as_liquid if self._is_nunjucks else None)

    def plain(self, text: str) -> str:
        """Give a file that the page takes in without its comments."""
        if not self._is_nunjucks:
            return text
        parts, position = list[str](), 0
        for comment in stretches(text, _COMMENT, _COMMENT_END):
            start, end = comment.span()
            parts.append(text[position:start])
            position = end
        return "".join([*parts, text[position:]])

    def names(self) -> dict[str, Any]:
        """Give the data of the site and the page's front matter, under their names."""
        around, found = self._around, dict[str, Any]()
        folder = around.variables.get("eleventy.data", "_data")
        for name in around.names_in(folder):
            stem, ending = posixpath.splitext(name)
            if ending in _DATA and (text := around.read_path(f"{folder}/{name}")) is not None:
                found[stem] = read_data(text, ending)
        own = ListedPage(around.source.path, around)
        page = {"fileSlug": own["slug"], "inputPath": own.path, "date": own.get("date"), "filePathStem": own.path}
        return {**found, "collections": _Collections(self), **around.front, "page": page, "eleventy": {}}

    def tag(self, one: LiquidPiece, evaluator: Evaluator) -> str | None:
        """Draw a tag that is Eleventy's own, or a shortcode whose arguments say what it shows."""
        if one.kind in _SILENT:
            return ""
        if one.kind in ("include", "render", "include_cached"):
            return self._include_of(one, evaluator)
        if not _IMAGE_TAG.search(one.kind):
            return None
        texts = [str(evaluator.value(found["value"]) or "") for found in _ARGUMENT.finditer(one.rest)]
        source = next((text for text in texts if _IMAGE.search(text)), None)
        if source is None:
            return None
        words = [text for text in texts if text != source and " " in text and not text.startswith((".", "("))]
        return f"![{label(max(words, key=len, default=''))}]({self._file(source)})"

    def _file(self, source: str) -> str:
        """Name a file that a shortcode shows: beside the page, in the content, or in the project."""
        if "://" in source or source.startswith("/"):
            return source
        around = self._around
        folder = posixpath.dirname(around.source.path)
        home = posixpath.dirname(around.variables.get("eleventy.includes", ""))
        for base in dict.fromkeys((folder, home, posixpath.dirname(home), "")):
            path = posixpath.normpath(posixpath.join(base, source))
            if not path.startswith("..") and posixpath.basename(path) in around.names_in(posixpath.dirname(path)):
                return around.relative(path)
        return f"/{source.removeprefix('./')}"

    def _include_of(self, one: LiquidPiece, evaluator: Evaluator) -> str:
        arguments = list(_ARGUMENT.finditer(one.rest))
        first = arguments[0]["value"] if arguments and not arguments[0]["key"] else ""
        name = first.strip("\"'") if first[:1] in ("'", '"') else str(evaluator.value(first) or first)
        folder = self._around.variables.get("eleventy.includes", "_includes")
        base = posixpath.dirname(self._around.source.path) if name.startswith(("./", "../")) else folder
        path = posixpath.normpath(posixpath.join(base, name.lstrip("/")))
        found = next((f"{path}{end}" for end in _ENDINGS if self._around.read_path(f"{path}{end}") is not None), None)
        if not name or path.startswith("..") or found is None:
            self.report(f'The file "{name}" of this include is not in "{folder}": it is left out.', one.start)
            return ""
        given = {one["key"]: evaluator.value(one["value"]) for one in arguments if one["key"]}
        return self.taken_in(found, {**evaluator.names, **given}, name, one)


class _Collections(dict[str, Any]):
    """Pages by their tags."""

    def __init__(self, page: EleventyPage) -> None:
        super().__init__()
        self._page = page

    def get(self, key: Any, default: Any = None) -> Any:
        """Give the pages of a tag; what there is none of may be a collection that a program makes."""
        around = self._page._around  # noqa: SLF001 - a part of the page
        folder = posixpath.dirname(around.variables.get("eleventy.includes", ""))
        pages = [one for one in pages_below(folder, around) if key == "all" or key in (one["tags"] or [])]
        shown = [
            {
                "url": one["url"],
                "data": dict(one),
                "fileSlug": one["slug"],
                "inputPath": one.path,
                "date": one.get("date"),
            }
            for one in pages
        ]
        return shown or default


def as_liquid(one: LiquidPiece) -> LiquidPiece:
    """Write a tag of Nunjucks as one of Liquid."""
    kind, rest = _KINDS.get(one.kind, one.kind), one.rest
    if kind == "set":
        kind = "assign" if "=" in rest else "capture"
    if kind in ("if", "elsif", "assign", "value", "for"):
        rest = re.sub(r"\bloop\.", "forloop.", rest).replace("===", "==").replace("!==", "!=")
        rest = _CALL.sub(r"| \1: \2", rest)
    if kind in ("if", "elsif"):
        rest = _IN.sub(r"\2 contains \1", rest)
        rest = re.sub(
            r"\bis\s+not\s+(?:defined|none)\b", lambda match: "== nil" if "def" in match[0] else "!= nil", rest
        )
        rest = re.sub(r"\bis\s+(?:defined|none)\b", lambda match: "!= nil" if "def" in match[0] else "== nil", rest)
    made = LiquidPiece(kind, rest, one.start, one.end)
    made.inner, made.is_open = one.inner, one.is_open
    return made
