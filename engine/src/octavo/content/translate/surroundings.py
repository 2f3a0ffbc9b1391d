"""What a translator may ask of the site: the values of names, the files that links mean, other files."""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from octavo.content.dialect import is_reached
from octavo.content.front_matter import read_settings
from octavo.content.notebooks.cells import markdown_of
from octavo.content.translate.hugo_templates.tree import ContentTree
from octavo.lazy import regex as re
from octavo.text_files import SyntaxMistakeError, parse_yaml

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.dialect import Dialect
    from octavo.content.source import DocumentText

PAGE = "\ufdd4"
"""Marks the start and the end of a page's content in what a template gives."""
_HEADING = re.compile(r"^#{1,6}[ \t]+(?P<title>[^\n]*?)(?:[ \t]+#*)?(?:[ \t]*\{#?[^{}\n]*\})?[ \t]*$", re.MULTILINE)
_LINK = re.compile(r"\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_TITLE = re.compile(r"""^title:[ \t]*(?P<quote>["']?)(?P<title>[^\n]*?)(?P=quote)[ \t]*$""", re.MULTILINE)
_DATA_NAME = re.compile(r"[\w-]+")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][a-z0-9]{2,4})*")
_FRONT_MATTER = re.compile(
    r"\A\s*---[ \t]*\n.*?\n---[ \t]*(?:\n|\Z)|\A\s*\+\+\+[ \t]*\n.*?\n\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL
)
_MARKUP = (".md", ".mdx", ".markdown", ".rst", ".ipynb")
_LONGEST_KEPT = 100_000
_PAGES = ("", ".md", "/_index.md", "/index.md", ".mdx", ".markdown", ".rst", "/index.rst", ".ipynb", "/index.ipynb")


@lru_cache(maxsize=32)
def _parsed(text: str, suffix: str) -> Any:
    """Parse a file of data. Each page of a site may ask for the same one: what is given is not changed by anybody."""
    return tomllib.loads(text) if suffix == ".toml" else parse_yaml(text)


class Surroundings:
    """The page that is translated, and the site around it."""

    def __init__(self, source: DocumentText, context: CompileContext) -> None:
        self.source = source
        self._context = context
        self._folder = posixpath.dirname(source.path)
        self._fronts: dict[str, dict[str, Any]] = {}

    def from_rst(self, text: str, line: int) -> str | None:
        """Write reStructuredText within the page as Markdown; None where docutils is not there.

        Args:
            text: What is written.
            line: Line of the page's file in which it begins.
        """
        read = self._context.readers.get("rst")
        return read(text, self.source, self._context, line) if read else None

    @property
    def variables(self) -> dict[str, str]:
        """Values that the site's settings give to names in small letters."""
        return self.source.dialect.variables

    @cached_property
    def substitutions(self) -> dict[str, str]:
        """Values of names in small letters: those of the site, and those that the page's front matter gives to MyST."""
        myst = self.front.get("myst")
        # mystmd has them without the table around.
        own = (_small(myst) if isinstance(myst, dict) else self.front).get("substitutions")
        names = own if isinstance(own, dict) else {}
        return self.variables | {
            str(name).lower(): text for name in names if (text := _text_of(own, str(name))) is not None
        }

    @property
    def has_python_api(self) -> bool:
        """Whether an extension of the site describes objects of Python."""
        return "autodoc" in self._context.options.directives

    @cached_property
    def front(self) -> dict[str, Any]:
        """Front matter of the page, with its keys as written and in small letters; empty where it can't be read."""
        return _front_matter(self.source.text)

    @cached_property
    def _handed_down(self) -> list[dict[str, Any]]:
        """What the sections around the page hand down to it (`cascade` of Hugo), the nearest first."""
        found: list[dict[str, Any]] = []
        folder = self._folder
        while folder:
            text = self._context.read(f"{folder}/_index.md")
            given = _front_matter(text).get("cascade") if text and "cascade" in text else None
            for one in given if isinstance(given, list) else [given]:
                if isinstance(one, dict):
                    found += [inner for inner in (one.get("params"), one) if isinstance(inner, dict)]
            folder = posixpath.dirname(folder)
        return found

    def handed_down(self, name: str) -> Any:
        """Value of a name that the sections around the page hand down to it; None where they have none."""
        return next((found for one in self._handed_down if (found := _small(one).get(name.lower())) is not None), None)

    @cached_property
    def kept(self) -> Kept:
        """What templates keep for the whole page."""
        return Kept()

    @cached_property
    def tree(self) -> ContentTree:
        """The pages of a Hugo site."""
        path = self.source.path
        root = path[: len(path) - len(self.content_path)].rstrip("/")
        ending = posixpath.splitext(posixpath.splitext(path)[0])[1].removeprefix(".")
        return ContentTree(root, ending if _LANGUAGE.fullmatch(ending) else "")

    @cached_property
    def hugo_settings(self) -> dict[str, Any]:
        """The settings of a Hugo site; empty where they cannot be read."""
        found: dict[str, Any] = {}
        for name in ("hugo", "config", "config/_default/hugo", "config/_default/config", "config/_default/params"):
            for suffix in (".toml", ".yaml", ".yml", ".json"):
                if (text := self.file(f"{name}{suffix}")) is None:
                    continue
                try:
                    given = _parsed(text, suffix)
                except (SyntaxMistakeError, tomllib.TOMLDecodeError):
                    continue
                given = {"params": given} if name.endswith("params") else given
                found |= _small(given) if isinstance(given, dict) else {}
        return found

    def names_in(self, folder: str) -> list[str]:
        """List the files of a folder by its path from the site's, and the folders in it with a slash at their end."""
        text = self._context.read(f"{folder or '.'}/")
        return text.split("\n") if text else []

    def listing(self, path: str) -> list[str]:
        """List the files of a folder that is named as `read` has it."""
        return next((found for one in self._candidates(path) if (found := self.names_in(one))), [])

    def read_path(self, path: str) -> str | None:
        """Read a file by its path from the site's folder."""
        return self._context.read(path)

    def own_value(self, name: str) -> str | None:
        """Value of a name in the front matter of the page itself."""
        return _text_of(self.front, name)

    def value(self, name: str) -> str | None:
        """Value of a name: the page's own before that of its sections, and that before the site's."""
        for values in (self.front, self.front.get("params"), *self._handed_down):
            if (found := _text_of(values, name)) is not None:
                return found
        return self.variables.get(name.lower())

    def read(self, path: str) -> tuple[str, str] | None:
        """Read a file beside the page, or one from a folder above it: its path from the site's folder, and its text."""
        for candidate in self._candidates(path):
            text = self._context.read(candidate)
            if text is not None:
                return self._context.place_of(candidate), text
        return None

    def word(self, key: str) -> str:
        """Give a word of the theme in the language of the page."""
        return self._context.words[key]

    def read_page(self, stem: str, *, rst_first: bool = False) -> tuple[str, str] | None:
        """Read the file of a page by its path without ending, as `read` does."""
        endings = [".rst", ".md"] if rst_first else [".md", ".rst"]
        if "notebooks" in self.source.dialect.extensions:
            endings.append(".ipynb")
        return next((found for ending in endings if (found := self.read(f"{stem}{ending}"))), None)

    @property
    def content_path(self) -> str:
        """Path of the page from the folder `content` that it lies in; from the site's folder where it lies in none."""
        root = self.variables.get("site.contentdir")
        if root and self.source.path.startswith(f"{root}/"):
            return self.source.path.removeprefix(f"{root}/")
        parts = self.source.path.split("/")
        at = next((index + 1 for index, part in enumerate(parts[:-1]) if part.startswith("content")), 0)
        return "/".join(parts[at:])

    @property
    def content_route(self) -> str:
        """Address of the page as Hugo makes it of its path."""
        given = self.own_value("url")
        stem = posixpath.splitext(self.content_path)[0]
        parts = [part for part in stem.split("/") if part]
        if parts and parts[-1] in ("_index", "index"):
            parts.pop()
        elif slug := self.own_value("slug"):
            parts[-1:] = [slug]
        return given or "/".join(["", *parts, ""]).lower().replace(" ", "-")

    def file(self, path: str) -> str | None:
        """Read a file by its path from the folder of Hugo's settings, which is one of those above the page."""
        found = self.read(f"/{path.lstrip('/')}")
        return found[1] if found else None

    def data(self, *names: str) -> Any:
        """Give what Hugo's folder `data` holds under names: a file's content, or a part of it; None where there is nothing."""
        for end in range(len(names), 0, -1):
            path = "/".join(["data", *names[:end]])
            for suffix in (".yaml", ".yml", ".json", ".toml"):
                text = self.file(f"{path}{suffix}") if all(map(_DATA_NAME.fullmatch, names)) else None
                if text is None:
                    continue
                try:
                    found = _parsed(text, suffix)
                except (SyntaxMistakeError, tomllib.TOMLDecodeError):
                    return None
                for name in names[end:]:
                    found = found.get(name) if isinstance(found, dict) else None
                return found
        return None

    @cached_property
    def languages(self) -> list[str]:
        """Languages that the page may be in, by its path: `content/de/a.md`, `a.de.md`; the most certain first."""
        parts = self.source.path.lower().split("/")
        endings = parts[-1].split(".")[1:-1]
        return [*endings[-1:], *(part for part in parts[:-1] if _LANGUAGE.fullmatch(part))]

    def words(self, language: str) -> dict[str, Any]:
        """Give the words of a language that the folders `i18n` of the site and its themes hold: key → text or its forms."""
        above = [posixpath.dirname(posixpath.dirname(folder)) for folder in self.source.dialect.shortcodes]
        # A site without templates of its own has words beside the folder of its themes; they come before those of a theme.
        homes = [f"{folder}/".partition("themes/")[0].rstrip("/") for folder in above]
        words: dict[str, Any] = {}
        for folder in dict.fromkeys([*homes, *above]):
            for suffix in (".yaml", ".yml", ".toml", ".json"):
                path = posixpath.normpath(posixpath.join(folder, "i18n", f"{language}{suffix}"))
                text = None if path.startswith("..") else self._context.read(path)
                if text is None:
                    continue
                try:
                    found = _parsed(text, suffix)
                except (SyntaxMistakeError, tomllib.TOMLDecodeError):
                    continue
                if isinstance(found, list):  # the form of old sites: `- id: key`, `translation: text`
                    found = {one.get("id"): one.get("translation") for one in found if isinstance(one, dict)}
                if isinstance(found, dict):
                    words = {**found, **words}
                    break
        return words

    def partial(self, name: str) -> str | None:
        """Read a partial of Hugo's templates: it lies beside the folder of a shortcode's template, or above."""
        return self._template(name, ("partials", "_partials"))

    def view(self, name: str, kinds: list[str]) -> str | None:
        """Read the template of a view, by which lists show their pages: one for a kind of pages, or that for all."""
        return self._template(name, (*kinds, "_default", ""))

    def _template(self, name: str, inners: tuple[str, ...]) -> str | None:
        name = name if name.endswith(".html") else f"{name}.html"
        above = [posixpath.dirname(folder) for folder in self.source.dialect.shortcodes]
        for folder in dict.fromkeys([*above, *map(posixpath.dirname, above)]):
            for inner in inners:
                path = posixpath.normpath(posixpath.join(folder, inner, name))
                if not path.startswith("..") and len(path) <= 1000 and (text := self._context.read(path)) is not None:
                    return text
        return None

    def _candidates(self, path: str) -> list[str]:
        """Where a path may lead: from the page's folder, and from each folder above it."""
        plain = path.lstrip("/")
        folders = [self._folder]
        while folders[-1]:
            folders.append(posixpath.dirname(folders[-1]))
        if path.startswith("/"):
            folders.reverse()
        joined = (posixpath.normpath(posixpath.join(folder, plain)) for folder in folders)
        return [one for one in joined if is_reached(one, self.source.dialect)]

    def page(self, target: str) -> str:
        """Write the page that a reference names as the target of a link."""
        path, mark, anchor = target.strip().partition("#")
        known = self.source.dialect.references.get(target) or self.source.dialect.references.get(path)
        if known is not None:
            return f"{self.relative(known)}{mark if '#' not in known else ''}{anchor if '#' not in known else ''}"
        if not path:
            return f"#{anchor}"
        # A page of Hugo may have become a folder of pages after a link to it was written.
        found = self.find_page(path) or self.find_page(path.removesuffix(".md"))
        if found is not None:
            return f"{self.relative(found)}{mark}{anchor}"
        stem = path.rstrip("/").removesuffix(".md").removesuffix("/_index").removesuffix("/index")
        return f"/{stem.strip('/')}/{mark}{anchor}".replace("//", "/").replace(" ", "%20")

    def find_page(self, path: str) -> str | None:
        """Find the file of a page by a path as references have it, without an anchor: its path from the site's folder."""
        stem = path.rstrip("/")
        if not path.startswith("/"):
            for folder in (self._folder, posixpath.splitext(self.source.path)[0]):
                for ending in _PAGES:
                    candidate = posixpath.normpath(posixpath.join(folder, f"{stem}{ending}"))
                    if candidate.endswith(_MARKUP) and not candidate.startswith("..") and self._has(candidate):
                        return candidate
        for ending in _PAGES:
            for candidate in self._candidates(f"/{stem}{ending}"):
                if candidate.endswith(_MARKUP) and self._has(candidate):
                    return candidate
        return None

    def missing(self, path: str) -> str:
        """Say that a file that a directive names is not there, or lies where the site may not read it."""
        found = posixpath.normpath(posixpath.join(self._folder, path.lstrip("/") or "."))
        if found.startswith(".."):
            return (
                f'The file "{path}" of this directive lies above the site\'s folder, and is left out; '
                'import the folder above ("octavo import ..") to take it in.'
            )
        return f'The file "{path}" of this directive does not exist in the site\'s folder.'

    def content_of(self, path: str) -> str | None:
        """Give the text of a page without its front matter; its path is one from the site's folder."""
        text = self._context.read(path)
        return None if text is None else _FRONT_MATTER.sub("", text.replace("\r\n", "\n")).strip("\n")

    def shown_content(self, path: str) -> str:
        """Give the text of a page as templates show it, between two marks.

        Raises:
            LookupError: there is none, or it is the page's own.
        """
        text = self.content_of(path) if path != self.source.path else None
        if text is None:
            raise LookupError("the content of this page is not known")
        return f"{PAGE}{text}{PAGE}"

    def front_of(self, path: str) -> dict[str, Any]:
        """Give the front matter of another page, with its keys as written and in small letters."""
        if path not in self._fronts:  # lists of pages ask for each key of each page
            self._fronts[path] = _front_matter(self._context.read(path) or "")
        return self._fronts[path]

    def _has(self, path: str) -> bool:
        return len(path) <= 1000 and self._context.read(path) is not None

    def relative(self, path: str) -> str:
        """Write a path from the site's folder as the page sees it; an address stays as it is."""
        if path.startswith(("/", "http://", "https://", "#")):
            return path
        file, mark, anchor = path.partition("#")
        file = file.removesuffix(".rst")  # its page may be Markdown one day
        shown = posixpath.relpath(file, self._folder or ".")
        shown = shown if shown.startswith(".") else f"./{shown}"
        return f"{shown.replace(' ', '%20')}{mark}{anchor}"

    def title_of(self, path: str, label: str = "") -> str:
        """Title of a page, or the heading that comes after a label in it; empty where there is none.

        Args:
            path: From the site's folder.
            label: Name of a `(label)=` before the heading.
        """
        text = self._context.read(path)
        if text is None:
            return ""
        if path.endswith(".rst"):
            from octavo.content.translate.rst.outline import title_in

            return title_in(text, label)
        if path.endswith(".ipynb"):
            text = markdown_of(text)
        start = 0
        if label:
            mark = re.search(rf"^[ \t]*\({re.escape(label)}\)=[ \t]*$", text, re.MULTILINE | re.IGNORECASE)
            if mark is None:
                return ""
            start = mark.end()
        elif title := _TITLE.search(text[: text.find("\n---", 4)] if text.startswith("---") else ""):
            return title["title"]
        elif text.lstrip().startswith("+++") and (title := _front_matter(text).get("title")):
            return str(title)
        found = _HEADING.search(text, start)
        return _LINK.sub(lambda link: link[1], found["title"].strip()) if found else ""


class Kept:
    """What a template keeps under names of its own (`.Scratch`)."""

    def __init__(self, refused: str = "") -> None:
        self._values: dict[str, Any] = {}
        self._refused = refused
        """Mark of a content that would be lost: what keeps it here is not drawn with it."""

    def field(self, name: str) -> Any:
        """Give a way to keep values.

        Raises:
            LookupError: it is not known here.
        """
        found: dict[str, Any] = {
            "Get": self._values.get,
            "Delete": lambda key: self._values.pop(key, None) and "",
            "Set": self._set,
            "Add": self._add,
            "SetInMap": self._set_in,
            "GetSortedMapValues": lambda key: [value for _, value in sorted(self._values.get(key, {}).items())],
            "Values": dict(self._values),
        }
        if name not in found:
            raise LookupError(f"{name} of what a template keeps is not known")
        return found[name]

    def give_back(self, mark: str) -> bool:
        """Forget texts with a mark, such as the content of a shortcode, and say whether there were any."""
        held = [key for key, value in self._values.items() if isinstance(value, str) and mark in value]
        for key in held:
            self._values[key] = self._values[key].replace(mark, "")
        return bool(held)

    def _set(self, key: str, value: Any) -> str:
        if isinstance(value, (str, list)) and len(value) > _LONGEST_KEPT:
            raise LookupError("what it keeps is too long")
        if self._refused and _holds(value, self._refused):
            raise LookupError("its content is handed to the shortcode around it")
        self._values[key] = value
        return ""

    def _add(self, key: str, new: Any) -> str:
        before = self._values.get(key)
        if isinstance(before, list):
            new = [*before, *(new if isinstance(new, list) else [new])]
        elif isinstance(before, str) or (before is not None and isinstance(new, str)):
            new = f"{before}{new}"
        elif before is not None:
            new = before + new
        return self._set(key, new)

    def _set_in(self, key: str, name: str, value: Any) -> str:
        return self._set(key, {**self._values.get(key, {}), str(name): value})


def _holds(value: object, mark: str) -> bool:
    """Whether a text has a mark, or one in a list or a mapping."""
    if isinstance(value, str):
        return mark in value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(_holds(one, mark) for one in inner)


def _text_of(values: object, name: str) -> str | None:
    """Follow a name with dots through mappings to a text or a number."""
    found: Any = values
    for part in name.lower().split("."):
        found = _small(found).get(part) if isinstance(found, dict) else None
    return str(found) if isinstance(found, (str, int, float)) and not isinstance(found, bool) else None


def find_file(
    name: str, folders: Iterable[str], dialect: Dialect, context: CompileContext
) -> tuple[str | None, list[str]]:
    """Read the first file of a name in some folders, all from the folder of the site.

    Returns:
        (its text, with plain line ends, None where there is none; the paths at which it is looked for).
    """
    places = list(dict.fromkeys(posixpath.normpath(posixpath.join(folder, name)) for folder in folders))
    read = (context.read(place) for place in places if is_reached(place, dialect))
    text = next((one for one in read if one is not None), None)
    return None if text is None else text.replace("\r\n", "\n"), places


def _small(values: dict[Any, Any]) -> dict[str, Any]:
    return {str(key).lower(): value for key, value in values.items()}


def _front_matter(text: str) -> dict[str, Any]:
    """Read the front matter of a page in YAML or TOML, with empty lines above it as Hugo allows; keys as written, and in small letters."""
    text = text.removeprefix("\ufeff").lstrip()
    text = text.replace("\r\n", "\n") if "\r" in text else text
    found = _FRONT_MATTER.match(text)
    return _settings(found[0] if found else text) if text.startswith(("---", "+++")) else {}


@lru_cache(maxsize=8192)
def _settings(text: str) -> dict[str, Any]:
    """Parse front matter. Each page of a site may ask for that of all others: what is given is not changed by anybody."""
    values = read_settings(text)[0]
    # Hugo's templates name keys in any capitals, those of Jekyll and of macros as they are written.
    return {**_small(values), **{str(key): value for key, value in values.items()}}
