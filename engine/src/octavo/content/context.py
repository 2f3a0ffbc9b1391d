"""`CompileContext`: what has been gathered so far about the page that is being compiled."""

from __future__ import annotations

import difflib
import hashlib
import posixpath
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from octavo.addresses import explain_malformed
from octavo.content.dialect import COMMONMARK, Dialect, is_reached
from octavo.content.document import SLOT, Asset, DrawnCode, Heading, Island, Link, PartialLoader, Term, TextChunk
from octavo.content.footnotes import Footnotes
from octavo.content.posts import PostFolder, is_list
from octavo.content.slugger import Slugger
from octavo.diagnostics import Diagnostic, Level, Span, cut_line
from octavo.lazy import regex as re
from octavo.text_files import UNSHOWN
from octavo.words import words_of

if TYPE_CHECKING:
    from octavo.content.document import Extended, Extender
    from octavo.content.source import DocumentText


TERMINAL_COLOR = re.compile(r"\ufffd\[[0-9;:]*[A-Za-z]")
"""A sequence that sets the color of text in a terminal; its first character stands for one that cannot be shown."""
_TERMINAL = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}|~{3,})[ \t]*ansi\b[^\n]*\n.*?^[ \t>]*(?P=fence)", re.MULTILINE | re.DOTALL
)
"""A block of code with the output of a terminal."""
MOST_ALIKE = 100
"""Findings of one kind that are listed of one file."""
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)(:)|(https?)/", re.IGNORECASE)
_OF_A_COMPUTER = re.compile(r"file:/+[^/\s]|[A-Za-z]:[\\/](?!/)", re.IGNORECASE)
_SCHEMES = frozenset(
    {"http", "https", "mailto", "tel", "ftp", "sftp", "file", "ssh", "git", "sms", "geo", "data", "ref"}
)
"""Known schemes; one that is nearly the same is taken for a typing mistake."""


_ENGLISH = words_of("en")


class ContentOptions(msgspec.Struct, frozen=True):
    """What a site settles about its content."""

    magic_comments: dict[str, str] = {}
    """More line-highlighting comments, beyond `highlighted` → `highlight`: CSS class → comment word."""
    components: frozenset[str] = frozenset()
    """Names of the components that the site registers; `Name` is the file `{components_dir}/Name.mdx`, or one in React."""
    react: frozenset[str] = frozenset()
    """Those of them that are written in React."""
    slots: frozenset[str] = frozenset()
    """What the site draws itself: `admonition`, `code-block`, `card`."""
    components_dir: str = "components"
    """Folder of the registered components, from the site's folder."""
    stubs: frozenset[str] = frozenset()
    """Those of the components of which a page shows title and content only."""
    variables: dict[str, str] = {}
    """Name → text that takes the place of `{{ name }}`; without any, braces mean nothing."""
    folders: dict[str, Dialect] = {}
    """Folder from the site's folder, "" for all → how its files are written; the longest folder decides."""

    files: dict[str, Dialect] = {}
    """Path of a file from the site's folder → how it is written, where that differs from its folder."""

    names: dict[str, list[str]] = {}
    """Name of a file in small letters → its paths from the site's folder, those in high folders first; only where `[[name]]` is a link."""
    names_in_releases: dict[str, dict[str, list[str]]] = {}
    """Folder of a release → the same for its documents."""
    directives: frozenset[str] = frozenset()
    """Names of the directives that extensions register."""
    fences: frozenset[str] = frozenset()
    """Languages of the blocks of code that extensions draw."""
    fields: frozenset[str] = frozenset()
    """Keys of the front matter that extensions register."""
    has_transforms: bool = False
    """Extensions change texts before they are compiled."""
    extensions: str = ""
    """Hash of all that the extensions are and read everywhere."""

    posts: list[PostFolder] = []
    """Folders of posts."""
    glossary: dict[str, str | Term] = {}
    """Term → what it means."""
    glossary_file: str = ""
    """File of these terms, from the site's folder."""
    words: dict[str, dict[str, str]] = {}
    """Folder from the site's folder → words of the theme in the language of its files, where that is not English; ""
    for all other folders."""
    originals: dict[str, str] = {}
    """Folder of translations from the site's folder → folder of their originals."""
    suffix_words: dict[str, dict[str, str]] = {}
    """End of the names of translations that lie beside their originals, `de` of `install.de.md` → words of that language."""

    def files_around(self, path: str) -> list[Mapping[str, list[str]]]:
        """Give the files that a page may name, see `names`: of a page of a release, those of that release first."""
        own = [files for folder, files in self.names_in_releases.items() if path.startswith(f"{folder}/")]
        return [*own, self.names]

    def words_of(self, path: str) -> Mapping[str, str]:
        """Words of the theme in the language of a file; `path` is from the site's folder."""
        if self.suffix_words:
            parts = path.rpartition("/")[2].split(".")
            own = self.suffix_words.get(parts[-2]) if len(parts) > 2 else None
            if own is not None:
                return own
        above = (folder for folder in self.words if not folder or path.startswith(f"{folder}/"))
        folder = max(above, key=len, default=None)
        return _ENGLISH if folder is None else self.words[folder]

    def original_of(self, path: str) -> str | None:
        """Where the original of a translation is, by its place; None for a file in no folder of translations."""
        above = (folder for folder in self.originals if path.startswith(f"{folder}/"))
        folder = max(above, key=len, default=None)
        return (
            None
            if folder is None
            else posixpath.normpath(f"{self.originals[folder]}/{path.removeprefix(f'{folder}/')}")
        )

    def posts_of(self, path: str) -> PostFolder | None:
        """Find the folder of posts that a file is in, as one of them; `path` is from the site's folder."""
        found = next((one for one in self.posts if path.startswith(f"{one.folder}/")), None)
        return None if found is None or is_list(path, found.folder) else found

    def folder_of(self, path: str) -> str | None:
        """Folder among `folders` that settles how a file is written; None where none does."""
        return max((one for one in self.folders if not one or path.startswith(f"{one}/")), key=len, default=None)

    def dialect_of(self, path: str) -> Dialect:
        """How a file is written; `path` is from the site's folder."""
        folder = self.folder_of(path)
        dialect = self.files.get(path) or (COMMONMARK if folder is None else self.folders[folder])
        if path.endswith(".ipynb") and "notebooks" in dialect.extensions:
            # In all programs that show notebooks, dollar signs are the marks of formulas, and braces are text.
            slugs = "jupyter" if "jupyter_ids" in dialect.extensions else dialect.slugs
            extensions = dialect.extensions | {"math"}
            return msgspec.structs.replace(dialect, is_mdx=False, extensions=extensions, slugs=slugs)
        return msgspec.structs.replace(dialect, is_mdx=True) if path.endswith(".mdx") else dialect


class CompileContext:
    """The state shared by all parts of a page, partials included."""

    def __init__(
        self,
        options: ContentOptions,
        load: PartialLoader,
        drawn_code: Mapping[str, DrawnCode],
        dialect: Dialect = COMMONMARK,
        extender: Extender | None = None,
        words: Mapping[str, str] = _ENGLISH,
        page: str = "",
    ) -> None:
        self.options = options
        self._folder = posixpath.dirname(page) or "."
        original = options.original_of(page) if options.originals else None
        self._original_folder = None if original is None else posixpath.dirname(original)
        """Folder of the page that this page translates; None for one that is not a translation."""
        self.words = words
        """Words of the theme in the page's language."""
        self._dialect = dialect
        self.readers: Mapping[str, Callable[[str, DocumentText, CompileContext, int], str | None]] = {}
        """Writes a text of another syntax within the page as Markdown, with its line in the file: `rst`, `myst`."""
        self.extender = extender
        """Calls the functions of extensions; None where there are none."""
        self.fields: dict[str, Any] = {}
        """Front matter that extensions have registered."""
        self._aliases = {"@site": "", **dialect.aliases}
        self._alias_heads = tuple(f"{alias.rstrip('/')}/" for alias in self._aliases)
        self.drawn_code = drawn_code
        """Blocks of code that need not be drawn again."""
        self.code: dict[str, DrawnCode] = {}
        """All blocks of code of this page."""
        self.slugger = Slugger(dialect.slugs)
        is_myst = dialect.slugs == "docutils" and "myst" in dialect.extensions
        self.second_slugger = Slugger() if is_myst else None
        self.second_ids: list[str] = []
        """Elements in headings with a second id for each."""
        self.headings: list[Heading] = []
        self.tabs: list[tuple[dict[str, str], str]] = []
        """Tabs with the id that each is to have, if nothing else on the page has it."""
        self.links: list[Link] = []
        self.assets: list[Asset] = []
        self.islands: list[Island] = []
        self.anchors: list[str] = []
        self.html_ids: dict[str, tuple[DocumentText, int]] = {}
        """Id that an author gives to an element of HTML → its file, and its offset there in characters."""
        self.chunks: list[TextChunk] = []
        self.dependencies: dict[str, str] = {}
        self.diagnostics: list[Diagnostic] = []
        self.footnotes = Footnotes(words)
        self.icons: list[tuple[str, DocumentText, int]] = []
        """Icons that were left out: (name, file, offset in characters)."""
        self.has_title = False
        self.metas: dict[str, str] = {}
        self.has_rule = False
        """A thematic break has been printed."""
        self.is_blank = True
        """Nothing has been printed yet: a level-1 heading now is the page's title."""
        self._load = load
        self._loaded: dict[str, str | None] = {}
        self._moved: dict[str, str] = {}
        """Path of a file that a translation names and does not have → that of the original's, which was read instead."""
        self._serials: dict[str, int] = {}
        self._seen: set[Diagnostic] = set()
        self._counts: dict[tuple[str, str], int] = {}
        """(file, code) → findings so far."""

    def link(self, href: str, span: Span, *, is_markup: bool) -> str:
        """Record a link and give its slot."""
        if problem := _scheme_problem(href):
            self.diagnostics.append(Diagnostic("unknown-scheme", "warn", span, *problem))
        self.check_address(href, span)
        if href.startswith(self._alias_heads):
            href = self._from_file(href, span.path)
        self.links.append(Link(str(href), span, is_markup))
        return f"{SLOT}L{len(self.links) - 1}{SLOT}"

    def check_address(self, href: str, span: Span) -> None:
        """Report an address of another host that browsers refuse."""
        if "/" in href and (problem := explain_malformed(href)):
            self.diagnostics.append(Diagnostic("malformed-address", "warn", span, *problem))

    def asset(self, href: str, span: Span, *, has_size: bool = False, has_sources: bool = False) -> tuple[str, str]:
        """Record a file to show, and give the slots of its address and of its size."""
        if href.startswith(self._alias_heads):
            href = self._from_file(href, span.path)
        self.assets.append(Asset(str(href), span, has_size, has_sources))
        index = len(self.assets) - 1
        return f"{SLOT}A{index}{SLOT}", f"{SLOT}W{index}{SLOT}"

    def unalias(self, path: str) -> str | None:
        """Path, relative to the site's folder, of a path that starts with an alias; None if it starts with none."""
        if not path.startswith(self._alias_heads):
            return None
        alias = max((one for one in self._aliases if path.startswith(f"{one.rstrip('/')}/")), key=len)
        return posixpath.normpath(posixpath.join(self._aliases[alias], path[len(alias.rstrip("/")) + 1 :]))

    def _from_file(self, href: str, source_path: str) -> str:
        """Write an address that starts with an alias as one relative to its file."""
        path = self.unalias(href) or href
        return posixpath.relpath(path, posixpath.dirname(source_path) or ".") + ("/" if href.endswith("/") else "")

    def island(self, kind: str, props: dict[str, Any]) -> str:
        """Record an island without children and give its slot."""
        index = self.reserve_island()
        self.islands[index] = Island(kind, props)
        return f"{SLOT}I{index}{SLOT}"

    def name_tabs(self) -> None:
        """Give the tabs their ids; those of headings go first, wherever these are."""
        for tab, slug in self.tabs:
            tab["anchor"] = self.slugger.unique(slug)
            self.anchors.append(tab["anchor"])

    def reserve_island(self) -> int:
        """Take the next place among the islands, for one whose children come first."""
        self.islands.append(Island("", {}))
        return len(self.islands) - 1

    def prose(self, kind: str, text: str) -> None:
        """Record a stretch of prose under the current heading, its white space made single; blank ones are left out."""
        text = " ".join(text.split()) if "  " in text or "\n" in text else text.strip()
        if text:
            self.chunks.append(TextChunk(kind, len(self.headings) - 1, text))

    def verbatim(self, kind: str, text: str) -> None:
        """Record code as it is."""
        if text and not text.isspace():
            self.chunks.append(TextChunk(kind, len(self.headings) - 1, text))

    def serial(self, name: str) -> int:
        """Count up a series of ids from 1."""
        self._serials[name] = number = self._serials.get(name, 0) + 1
        return number

    def read(self, path: str) -> str | None:
        """Load another file, once, and record that the page depends on it, even where it does not exist.

        A translation names files as its original does: what is not in its own folder is taken from the original's.
        """
        if path not in self._loaded:
            text = self._loaded[path] = self._read(path)
            if text is None and (moved := self._beside_original(path)) is not None:
                text = self._read(moved)
                if text is not None:
                    self._loaded[path] = text
                    self._moved[path] = moved
        return self._loaded[path]

    def _read(self, path: str) -> str | None:
        text = self._load(path)
        self.dependencies[path] = (
            "" if text is None else hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
        )
        return text

    def _beside_original(self, path: str) -> str | None:
        """Say where a file would be that the page's original names in the same way; None if the page is not a translation."""
        if self._original_folder is None or path.startswith(".."):
            return None
        moved = posixpath.normpath(posixpath.join(self._original_folder, posixpath.relpath(path, self._folder)))
        moved += "/" if path.endswith("/") else ""
        return moved if moved != path and is_reached(moved, self._dialect) else None

    def place_of(self, path: str) -> str:
        """Path of the file that `read` has read for a path."""
        return self._moved.get(path, path)

    def extend(self, kind: str, name: str, argument: dict[str, Any], span: Span) -> Extended | None:
        """Call the function of an extension, and take over what it reports and reads; None where it gave nothing."""
        if self.extender is None:
            return None
        given = self.extender.call(kind, name, argument, span)
        return self.take_extended(given)

    def take_extended(self, given: Extended) -> Extended | None:
        """Take over what an extension reports and reads; None where it gave nothing."""
        self.dependencies |= given.reads
        for problem in given.problems:
            if problem not in self._seen:
                self._seen.add(problem)
                self.diagnostics.append(problem)
        return given if given.value is not None else None

    def report_icons(self) -> None:
        """Say once how many icons the page has lost."""
        if self.icons:
            from octavo.content.icons import local_name

            name, source, offset = self.icons[0]
            others = f", and {len(self.icons) - 1} more on this page" if len(self.icons) > 1 else ""
            message = f'The icon ":{name}:" is left out{others}: it is not in the built-in set.'
            remedy = f"Put the file icons/{local_name(name)}.svg into the site's folder, or write a word in its place."
            self.report("warn", "icon", message, source, offset, suggestion=remedy)

    def report(
        self, level: Level, code: str, message: str, source: DocumentText, offset: int, *, suggestion: str = ""
    ) -> None:
        """Record a problem at a character of a file; the same problem at the same place counts once."""
        place = (source.path, code)
        count = self._counts.get(place, 0)
        if count > MOST_ALIKE:
            return
        span = source.span(offset)
        if count == MOST_ALIKE:
            message, suggestion = (
                f"There are more findings of this kind than the first {MOST_ALIKE}.",
                "Mend those first.",
            )
        finding = Diagnostic(code, level, span, message, suggestion, *cut_line(source.line(span.line), span.column))
        if finding not in self._seen:
            self._counts[place] = count + 1
            self._seen.add(finding)
            self.diagnostics.append(finding)


def _scheme_problem(href: str) -> tuple[str, str] | None:
    """Give (message, suggestion) for an address whose scheme is mistyped."""
    match = _SCHEME.match(href)
    if match is None:
        return None
    if _OF_A_COMPUTER.match(href):
        return (
            f'The address "{href}" is a file of a computer, which no reader has.',
            "Link to a page or file of the site.",
        )
    if match[3]:
        return f'The address "{href}" has no colon behind its scheme.', f'Write "{match[3]}://…".'
    if match[1].lower() in _SCHEMES:
        return None
    close = difflib.get_close_matches(match[1].lower(), _SCHEMES, n=1, cutoff=0.7)
    return (
        (f'The address "{href}" begins with "{match[1]}:", which no program knows.', f'Did you mean "{close[0]}:"?')
        if close
        else None
    )


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Give another known word that is most like this one, or None where nothing comes near."""
    return _nearest(word, frozenset(known))


@lru_cache(maxsize=512)
def _nearest(word: str, known: frozenset[str]) -> str | None:
    """Do so once for pages that make the same mistake: to look through all languages of code takes 4 ms."""
    by_folded = {name.lower(): name for name in sorted(known) if name != word}
    close = difflib.get_close_matches(word[:80].lower(), by_folded, n=1)
    return by_folded[close[0]] if close else None


def _without_colors(block: re.Match[str]) -> str:
    """Write spaces in the place of the colors of a terminal."""
    return TERMINAL_COLOR.sub(lambda color: " " * len(color[0]), block[0])


def report_encoding(source: DocumentText, raw: str, context: CompileContext) -> None:
    """Report what is left of bytes that are not UTF-8, and of characters that no page can show.

    Args:
        source: The file.
        raw: Its text before such characters were replaced.
        context: Takes the findings.
    """
    if source.text.isascii() or (offset := source.text.find("\ufffd")) < 0:
        return
    if "\x1b[" in raw and (offset := _TERMINAL.sub(_without_colors, source.text).find("\ufffd")) < 0:
        return
    unshown = UNSHOWN.search(raw)
    if unshown is not None and "\ufffd" not in raw:
        message = f"This character, U+{ord(unshown[0]):04X}, is none that a page can show."
        context.report("warn", "encoding", message, source, offset, suggestion="Remove it.")
        return
    message = (
        "This file is UTF-16, which nobody can read here."
        if source.text.startswith("\ufffd\ufffd")
        else "Here is U+FFFD in the place of a character: this file, or one that this was copied from, was not read as what it is."
    )
    hint = "Save the file as UTF-8, and write the character anew where it is lost. If U+FFFD is meant, write &#xFFFD;."
    context.report("warn", "encoding", message, source, offset, suggestion=hint)
