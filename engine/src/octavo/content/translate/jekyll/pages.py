"""Pages of Jekyll: Liquid over the site's files, and the attributes of kramdown."""

from __future__ import annotations

import csv
import io
import posixpath
import textwrap
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from octavo.content.source import Fragment
from octavo.content.translate.jekyll.kramdown import translate_kramdown
from octavo.content.translate.jekyll.liquid import Evaluator, LiquidError, LiquidPiece, Missing, as_string, parse, write
from octavo.content.translate.jekyll.lists import SiteLists
from octavo.content.translate.jekyll.plugins import plugin_tag
from octavo.content.translate.output import CodeRanges, Output, fenced
from octavo.content.translate.surroundings import Surroundings
from octavo.lazy import regex as re
from octavo.text_files import SyntaxMistakeError, parse_json, parse_yaml

if TYPE_CHECKING:
    from octavo.content.context import CompileContext

_INCLUDE = re.compile(r"""(?P<file>(?:\{\{.*?\}\}|[^\s"'{]|\{(?!\{))+)\s*(?P<rest>.*)""", re.DOTALL)
_PARAMETER = re.compile(r"""(?P<key>[\w-]+)\s*=\s*(?P<value>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"']+)""")
_WITHOUT_TEXT = frozenset({"seo", "feed_meta", "toc", "break", "continue", "render_time", "endrender_time"})
_TOC_INCLUDES = frozenset({"toc", "toc.html", "toc.md"})
_CONTENT_OF_DATA = (".yml", ".yaml", ".json", ".csv", ".tsv")
_MOST_TAGS = 20_000


def translate_jekyll(fragment: Fragment, context: CompileContext) -> Fragment:
    """Rewrite a page of Jekyll: evaluate its templates, then write the attributes of kramdown anew."""
    if "{{" in fragment.text or "{%" in fragment.text:
        fragment = JekyllPage(fragment, context).run()
    return translate_kramdown(fragment)


class _Data(Missing, Mapping[str, Any]):
    """The files below `_data`; a name without a file may be a folder."""

    def __init__(self, folder: str, context: CompileContext) -> None:
        super().__init__(folder)
        self._context = context

    def __getitem__(self, key: str) -> Any:
        path = f"{self.name}/{key}"
        for ending in _CONTENT_OF_DATA:
            if (text := self._context.read(f"{path}{ending}")) is not None:
                return read_data(text, ending)
        return _Data(path, self._context)

    def __iter__(self) -> Iterator[str]:
        names = (self._context.read(f"{self.name}/") or "").split("\n")
        return iter(dict.fromkeys(posixpath.splitext(one.rstrip("/"))[0] for one in names if one))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return len(self) > 0


@lru_cache(maxsize=64)
def read_data(text: str, ending: str) -> Any:
    """Read a file of data; a value that is missing where it is no such file."""
    try:
        if ending in (".csv", ".tsv"):
            return list(csv.DictReader(io.StringIO(text), delimiter="\t" if ending == ".tsv" else ","))
        return parse_json(text) if ending == ".json" else parse_yaml(text)
    except (SyntaxMistakeError, csv.Error):
        return Missing("data")


_MOST_INCLUDES = 40
"""Files within files: each takes a part of Python's stack."""


class JekyllPage:
    """A page whose templates are evaluated."""

    def __init__(self, fragment: Fragment, context: CompileContext, includes: tuple[str, ...] = ()) -> None:
        """Initialize; `includes` are the files that take this one in, the outermost first."""
        self._fragment = fragment
        self._context = context
        self._around = Surroundings(fragment.source, context)
        folder = next(iter(fragment.source.dialect.snippet_folders), ".")
        self._home = "" if folder == "." else f"{folder}/"
        self._code = CodeRanges(fragment.text)
        self._said: set[str] = set()
        self._includes = includes

    def evaluator(self, names: dict[str, Any]) -> Evaluator:
        """Make what evaluates a template over names."""
        return Evaluator(names)

    def parse(self, text: str) -> list[LiquidPiece]:
        """Read a template."""
        return parse(text)

    def plain(self, text: str) -> str:
        """Give a file that the page takes in without what is not part of it."""
        return text

    def tag(self, one: LiquidPiece, evaluator: Evaluator) -> str | None:
        """Draw a tag of another engine than Jekyll; None where it is none of these."""
        del one, evaluator
        return None

    def run(self) -> Fragment:
        """Give the page with what its templates write."""
        text = self._fragment.text
        tags = self.parse(text)
        output = Output(self._fragment)
        if len(tags) > _MOST_TAGS:
            self.report(f"This page has more than {_MOST_TAGS:,} tags of Liquid; they are shown as they are.", 0)
            return self._fragment
        evaluator = self.evaluator(self.names())
        position = 0
        try:
            for one in tags:
                position = one.start
                self._piece(one, text, evaluator, output)
        except LiquidError as error:
            self.report(f"The templates from here on are shown as they are: {error}.", position)
            output.copy(position, len(text))
        return output.fragment()

    def _piece(self, one: LiquidPiece, text: str, evaluator: Evaluator, output: Output) -> None:
        """Write a piece of the page; one that asks for what is not known is left out, with a finding."""
        if one.is_open:
            self.report_open(one)
        try:
            written = list(write([one], text, evaluator, self.other))
        except LiquidError as error:
            if "steps" in str(error):
                raise
            self.report(f'"{_short(text[one.start : one.end])}" is left out: {error}.', one.start)
            return
        for inner, new in written:
            if new is None:
                output.copy(inner.start, inner.end)
            elif "\n" in new.strip() and one.kind in ("include", "include_cached", "include_relative", "highlight"):
                output.block(
                    new.strip("\n"), one.start, one.end if one.kind != "highlight" else self._end_of(one, text)
                )
            else:
                output.write(new, one.start)

    @staticmethod
    def _end_of(one: LiquidPiece, text: str) -> int:
        end = text.find("%}", one.inner[1])
        return end + 2 if end >= 0 else len(text)

    def names(self) -> dict[str, Any]:
        text = self._context.read(f"{self._home}_config.yml")
        found = read_data(text, ".yml") if text else {}
        site = dict(found) if isinstance(found, Mapping) else {}
        # Octavo puts the base in front of each link itself.
        site |= {"baseurl": "", "data": _Data(f"{self._home}_data", self._context)}
        page = {**self._around.front, "path": self._fragment.source.path}
        return {
            "site": SiteLists(site, self._home, self._around),
            "page": page,
            "jekyll": {"environment": "production"},
        }

    def other(self, one: LiquidPiece, evaluator: Evaluator) -> str:
        """Draw a tag that is Jekyll's own."""
        kind, rest = one.kind, one.rest
        if kind == "value":
            name = rest.partition("|")[0].strip()
            # Values of the page are optional in most templates.
            if not name.startswith(("page.", "include.", "layout.", "forloop.")) and name not in self._said:
                self._said.add(name)
                self.report(f'"{{{{ {_short(rest)} }}}}" has no value here; nothing is shown for it.', one.start)
            return ""
        if (drawn := self.tag(one, evaluator)) is not None:
            return drawn
        if kind == "highlight":
            return self._highlighted(one, evaluator)
        if kind in ("include", "include_cached", "include_relative"):
            return self._include(one, evaluator)
        if kind in ("link", "post_url"):
            return self._around.page(as_string(self.parse(rest), rest, evaluator, self.other, 1).strip("\"' "))
        if kind in _WITHOUT_TEXT:
            return ""
        if (drawn := self._own_tag(kind, rest, evaluator)) is not None:
            return drawn
        if (drawn := plugin_tag(kind, rest)) is not None:
            return drawn
        if kind.startswith("end") and kind.removeprefix("end") in self._said:
            return ""  # the finding at its beginning speaks of both
        self._said.add(kind)
        kept = "its words are shown" if rest else "it is left out"
        self.report(
            f'The tag "{{% {_short(f"{kind} {rest}")} %}}" is not known: {kept}.',
            one.start,
            f'Say what it draws in a file "_includes/tags/{kind}.html": it gets the words as {{{{ include.words }}}}, a list.',
        )
        mark = "`" * (1 + max(map(len, re.findall(r"`+", rest)), default=0))
        return f"{mark}{rest}{mark}" if rest and "\n" not in rest else rest

    def _highlighted(self, one: LiquidPiece, evaluator: Evaluator) -> str:
        """Draw a block of code, in which values are filled in."""
        code = self._fragment.text[one.inner[0] : one.inner[1]]

        def other(inner: LiquidPiece, evaluator: Evaluator) -> str:
            # The first end tag is that of the outer block, so one in it is part of the code.
            return code[inner.start :] if inner.kind == "highlight" else self.other(inner, evaluator)

        words = one.rest.split()
        written = as_string(self.parse(code), code, evaluator, other, 1)
        return fenced(textwrap.dedent(written.strip("\n")), words[0] if words else "")

    def _own_tag(self, kind: str, rest: str, evaluator: Evaluator) -> str | None:
        """Draw a tag by the file that the author has written for it; None where there is none."""
        path = f"{self._home}_includes/tags/{kind}.html"
        text = None if path in self._includes or len(self._includes) >= _MOST_INCLUDES else self._context.read(path)
        if text is None:
            return None
        inner = Evaluator({**evaluator.names, "include": {"words": rest.split(), "text": rest}})
        inner.counters = evaluator.counters
        drawn = type(self)(Fragment(self._fragment.source, text, [0], [0]), self._context, (*self._includes, path))
        return as_string(self.parse(text), text, inner, drawn.other, 1).strip("\n")

    def _include(self, one: LiquidPiece, evaluator: Evaluator) -> str:
        match = _INCLUDE.match(one.rest)
        name = as_string(self.parse(match["file"]), match["file"], evaluator, self.other, 1).strip() if match else ""
        folder = (
            posixpath.dirname(self._fragment.source.path)
            if one.kind == "include_relative"
            else f"{self._home}_includes"
        )
        path = posixpath.normpath(posixpath.join(folder, name.lstrip("/")))
        text = self._context.read(path) if name and not path.startswith("..") else None
        if text is None:
            if name not in _TOC_INCLUDES:
                where = '"_includes"' if one.kind != "include_relative" else "the folder of this page"
                self.report(f'The file "{name}" of this include is not in {where}: it is left out.', one.start)
            return ""
        given = {
            found["key"]: evaluator.value(found["value"])
            for found in _PARAMETER.finditer(match["rest"] if match else "")
        }
        return self.taken_in(path, {**evaluator.names, "include": given}, name, one, evaluator.counters)

    def taken_in(
        self, path: str, names: dict[str, Any], name: str, one: LiquidPiece, counters: dict[str, int] | None = None
    ) -> str:
        """Give what a file writes that a page takes in.

        Args:
            path: The file, from the site's folder.
            names: What it may ask for.
            name: How the page calls it.
            one: The tag that names it.
            counters: Those that it shares with the page; None gives it its own.
        """
        if path in self._includes or len(self._includes) >= _MOST_INCLUDES:
            chain = " → ".join([*self._includes[-3:], path])
            self.report(f"This include takes itself in: {chain}. It is left out.", one.start)
            return ""
        text = self._context.read(path) or ""
        body = re.sub(r"\A---\n.*?\n---\n", "", text.replace("\r\n", "\n"), flags=re.DOTALL)
        body = self.plain(body)
        inside = Fragment(self._fragment.source, body, [0], [self._fragment.origin(one.start)])
        drawn = type(self)(inside, self._context, (*self._includes, path))
        inner = drawn.evaluator(names)
        inner.counters = inner.counters if counters is None else counters
        written = as_string(drawn.parse(body), body, inner, drawn.other, 1)
        if re.search(r"<(?:script|style)\b", written):
            self.report(f'The include "{name}" is a program or a style sheet; only its text is kept.', one.start)
            written = re.sub(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", "", written, flags=re.DOTALL)
        if path.endswith((".html", ".htm", ".njk", ".liquid")) and "\n" in written.strip():
            written = "\n".join(line.strip() for line in written.split("\n") if line.strip())
        return written

    def report_open(self, one: LiquidPiece) -> None:
        """Report the tag whose end is missing: where a block is open, the outermost one is."""
        message = (
            f'"{_short(self._fragment.text[one.start : one.end])}" is never closed: it holds the rest of the page.'
        )
        hint = f'Write "{{% end{one.kind} %}}" where its content ends.'
        origin = self._fragment.origin(one.start)
        self._context.report("warn", "unclosed", message, self._fragment.source, origin, suggestion=hint)

    def report(self, message: str, at: int, hint: str = "Write the text itself; \\{{ shows the braces.") -> None:
        """Report a problem at a place of the template."""
        origin = self._fragment.origin(min(at, max(len(self._fragment.text) - 1, 0)))
        self._context.report("warn", "foreign-syntax", message, self._fragment.source, origin, suggestion=hint)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:60]}…"
