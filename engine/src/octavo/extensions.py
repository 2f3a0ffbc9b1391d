"""The public interface for extensions of a site in Python: what an extension registers, and what its functions get.

An extension is a module that `extensions` in `octavo.toml` names, with an `Extension` called `extension`:

    from octavo.extensions import Directive, Extension, Markdown

    extension = Extension("releases")

    @extension.directive("release")
    def release(block: Directive) -> Markdown:
        return Markdown(f"**New in {block.label}.**")

Functions are pure: what they give depends on their argument, on files that they read by `inputs`, and on files that the
extension declares. Then the cache, several processes and `octavo dev` are right by themselves. They run in a process of
their own, which is ended when a function takes too long.

The interface follows semantic versioning by `API_VERSION`, whatever the version of Octavo.
"""

from __future__ import annotations

import functools
import glob
import hashlib
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, cast

from octavo.lazy import regex as re
from octavo.text_files import read_plain

__all__ = [
    "API_VERSION",
    "BODY",
    "Body",
    "Command",
    "Directive",
    "Documents",
    "Extension",
    "Fence",
    "Finding",
    "Heading",
    "Html",
    "Inputs",
    "Link",
    "Markdown",
    "NewDocument",
    "Output",
    "Page",
    "Published",
    "Site",
    "SourceText",
    "options",
]

API_VERSION = "1.2"
"""Version of this module: the first number changes where something is taken away or means something else."""

A = TypeVar("A")
"""Type of the attributes of a directive or a fence: `dict[str, str]`, or the dataclass or struct that was registered."""
F = TypeVar("F", bound=Callable[..., Any])


_options: dict[str, dict[str, Any]] = {}
"""Name of an extension → what the settings say to it; set before extensions are loaded."""


def options(name: str) -> Mapping[str, Any]:
    """Give the table `[extension_options.NAME]` of `octavo.toml`, empty where there is none; works while a module is loaded."""
    return _options.get(name, {})


# What functions give


@dataclass(frozen=True)
class Markdown:
    """Markdown of the page: links, components and directives in it work as if its author had written it."""

    text: str


@dataclass(frozen=True)
class Html:
    """HTML. Links and images in it are resolved and checked as those of the page are."""

    html: str


@dataclass(frozen=True)
class Body:
    """Stands for the content of a directive; use `BODY`."""


BODY = Body()
"""The content of a directive, drawn as if the directive were not there."""

Output = str | Markdown | Html | Body | Sequence[str | Markdown | Html | Body]
"""What directives and fences give; a plain text is Markdown, a sequence is put together."""


@dataclass(frozen=True)
class Finding:
    """Something that is wrong in the content."""

    message: str
    """One or two full sentences: what is wrong, what was expected."""
    path: str
    """File, from the site's folder, with forward slashes."""
    _: KW_ONLY
    line: int = 1
    """1-based."""
    column: int = 1
    """1-based, in characters."""
    level: Literal["error", "warn"] = "warn"
    """`error` keeps the site from being published, unless the settings say otherwise."""
    suggestion: str = ""
    """What to write instead."""


@dataclass(frozen=True)
class NewDocument:
    """A document that is made from data."""

    path: str
    """Path that its file would have, from the folder of the documents: `releases/1.2.md`. A file there takes its place."""
    text: str
    """Markdown, with front matter if need be."""
    _: KW_ONLY
    made_from: str = ""
    """File in which an author changes it, from the site's folder; that of the extension by default."""
    origins: Mapping[int, tuple[str, int]] = field(default_factory=dict)
    """Line of `text` → file and line from which it and those after it are made. Findings are reported there."""


# What functions get


class Inputs:
    """Reads files. What is read here is declared by that: the page is made anew when the file changes."""

    def __init__(self, site_dir: Path, patterns: Sequence[str] = ()) -> None:
        """Initialize.

        Args:
            site_dir: The site's folder.
            patterns: Files outside of it that may be read, as `Extension` declares them.
        """
        self._site_dir = Path(site_dir)
        self._patterns = tuple(patterns)
        self.reads: dict[str, str] = {}
        """Path → hash of the content, empty for a missing file; of files of the site's folder."""
        self.findings: list[Finding] = []
        self.is_reading = False
        """A method of this is at work: what it opens is declared by that."""

    @property
    def site_dir(self) -> Path:
        """The site's folder, to which the paths of findings are relative."""
        return self._site_dir

    def read_text(self, path: str) -> str:
        """Read a file as UTF-8, without a byte order mark.

        Args:
            path: From the site's folder, with forward slashes.

        Raises:
            FileNotFoundError: there is none; the page is made anew when there is one.
            PermissionError: it lies outside the site's folder, and `inputs` of the extension do not name it.
            UnicodeDecodeError: it is not UTF-8.
        """
        return self.read_bytes(path).decode("utf-8-sig")

    def read_bytes(self, path: str) -> bytes:
        """Read a file; see `read_text`."""
        file = self._site_dir / path
        is_inside = file.resolve().is_relative_to(self._site_dir.resolve())
        if not is_inside and not file.exists():
            raise FileNotFoundError(f'there is no file "{path}"')
        if not is_inside and file.resolve() not in {found.resolve() for found in self.declared()}:
            raise PermissionError(f'"{path}" lies outside the site\'s folder. Name it in inputs of the extension.')
        self.is_reading = True
        try:
            content = read_plain(file)
        except OSError:
            if is_inside:
                self.reads[path] = ""
            raise
        finally:
            self.is_reading = False
        if is_inside:
            self.reads[path] = hash_bytes(content)
        return content

    def exists(self, path: str) -> bool:
        """Return whether there is such a file; the answer is part of what the page depends on."""
        try:
            self.read_bytes(path)
        except OSError:
            return False
        return True

    def declared(self) -> list[Path]:
        """List the files that the extension declares in `inputs`, sorted."""
        self.is_reading = True
        try:
            return matching(self._site_dir, self._patterns)
        finally:
            self.is_reading = False

    def report(
        self,
        message: str,
        path: str,
        line: int = 1,
        *,
        column: int = 1,
        level: Literal["error", "warn"] = "warn",
        suggestion: str = "",
    ) -> None:
        """Report something that is wrong, and go on; the arguments are those of `Finding`."""
        self.findings.append(Finding(message, path, line=line, column=column, level=level, suggestion=suggestion))


@dataclass(frozen=True)
class _Block(Generic[A]):
    """What directives and fences have in common."""

    name: str
    attributes: A
    """`{#id .class key="value"}` as text by name, or converted to the registered type."""
    text: str
    """What is between the marks, as it is written, freed from its indentation."""
    page: str
    """File that it is in, from the site's folder."""
    line: int
    """1-based line of its opening."""
    inputs: Inputs = field(repr=False)
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Front matter of the page, as far as extensions have registered it."""

    def warn(self, message: str, *, suggestion: str = "") -> None:
        """Report something that is wrong with it, and go on."""
        self.inputs.report(message, self.page, self.line, suggestion=suggestion)


@dataclass(frozen=True)
class Directive(_Block[A]):
    """A use of a directive: `:::name[label]{attributes}`, content, `:::`; or `::name[label]{attributes}` without."""

    label: str = ""
    """Markdown between the brackets."""


@dataclass(frozen=True)
class Fence(_Block[A]):
    """A block of code whose language is registered; `text` is the code, without its final line break."""

    info: str = ""
    """The words behind the language, as they are written."""


@dataclass(frozen=True)
class SourceText:
    """The text of a document, before it is compiled."""

    path: str
    """File, from the site's folder."""
    text: str
    """Markdown without front matter."""
    inputs: Inputs = field(repr=False)
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Front matter, as far as extensions have registered it."""


@dataclass(frozen=True)
class Documents:
    """What a function that makes documents gets."""

    inputs: Inputs
    locale: str
    """Id of the default locale; documents are made for it."""
    folder: str
    """Folder of the documents, from the site's folder."""


@dataclass(frozen=True)
class Heading:
    """A heading of a page."""

    level: int
    text: str
    anchor: str


@dataclass(frozen=True)
class Link:
    """A link as its author wrote it."""

    href: str
    path: str
    """File that it is in."""
    line: int
    column: int


@dataclass(frozen=True)
class Page:
    """A page of the site, compiled."""

    route: str
    path: str
    """File that it comes from, from the site's folder."""
    title: str
    description: str
    locale: str
    version: str
    tags: Sequence[str]
    headings: Sequence[Heading]
    links: Sequence[Link]
    fields: Mapping[str, Any]
    """Front matter, as far as extensions have registered it."""


@dataclass(frozen=True)
class Site:
    """All pages of a site, for checks."""

    pages: Sequence[Page]
    inputs: Inputs = field(repr=False)


@dataclass(frozen=True)
class Published:
    """What has just been published."""

    out: Path
    """The published folder. Write elsewhere: the next build puts right what was changed in it."""
    site_dir: Path
    build_id: str
    url: str
    """Address of the site, with its base URL; ends in a slash."""
    routes: Sequence[str]


@dataclass(frozen=True)
class Command:
    """A call of `octavo run NAME ARGUMENTS`."""

    arguments: Sequence[str]
    site_dir: Path


# What is registered


@dataclass(frozen=True)
class Registered:
    """A function of an extension. Octavo reads these; extensions do not."""

    kind: str
    name: str
    function: Callable[..., Any] | None
    type: Any = None
    line: int = 1


_NAMES = dict.fromkeys(("directive", "fence", "field", "command"), r"[^\W\d_][\w.+-]*") | dict.fromkeys(
    ("documents", "transform", "check", "after_publish"), r".+"
)
"""Kind of a function → what its name can be: directives, languages, keys and commands must be written by authors."""


def _without_parentheses(decorator: F) -> F:
    """Let `@extension.check()` fail with a message that says what to write."""

    @functools.wraps(decorator)
    def register(self: Extension, *given: Any, **named: Any) -> Any:
        if not given and not named:
            raise TypeError(f"@extension.{decorator.__name__} is written above the function without parentheses")
        return decorator(self, *given, **named)

    return cast("F", register)


class Extension:
    """What a module adds to a site."""

    def __init__(self, name: str, *, inputs: Sequence[str] = (), api: int = 1) -> None:
        """Initialize; nothing is registered yet.

        Args:
            name: Name in messages and timings, such as `changelog`.
            inputs: Files that any of its functions may read by any means, as patterns from the site's folder:
                `data/*.csv`, `../src/**/*.py`. When one changes, everything the extension takes part in is made anew.
            api: The first number of the `API_VERSION` that it was written for.
        """
        if not isinstance(name, str):
            raise TypeError(f"the name of an extension is a text; it is {type(name).__name__} here")
        if isinstance(inputs, str) or not all(isinstance(one, str) for one in inputs):
            raise TypeError('inputs is a list of texts, such as ["data/*.csv"]')
        self.name = name
        self.inputs = tuple(inputs)
        self.api = api
        self.registered: list[Registered] = []

    def directive(self, name: str, *, attributes: type = dict) -> Callable[[F], F]:
        """Register the function of a directive: `(Directive) -> Output`.

        Args:
            name: The word behind the colons; it takes the place of an admonition of this name.
            attributes: A dataclass or msgspec struct that attributes are converted to; what does not fit is a finding.
        """
        return self._register("directive", name, attributes)

    def fence(self, name: str, *, attributes: type = dict) -> Callable[[F], F]:
        """Register the function of a block of code: `(Fence) -> Output`; `name` is the language behind the fence."""
        return self._register("fence", name, attributes)

    def front_matter(self, name: str, type_: Any = Any) -> None:
        """Register a field of the front matter; a value that does not fit the type is a finding, and left out.

        Args:
            name: The key.
            type_: Any type that msgspec converts to: `int`, `list[str]`, `datetime.date`, a dataclass…
        """
        caller = inspect.currentframe()
        caller = caller.f_back if caller is not None else None
        self._add(Registered("field", name, None, type_, caller.f_lineno if caller is not None else 1))

    @_without_parentheses
    def documents(self, function: F) -> F:
        """Register a function that makes documents: `(Documents) -> Iterable[NewDocument]`."""
        return self._register_named("documents", function)

    @_without_parentheses
    def transform(self, function: F) -> F:
        """Register a function that changes the text of each document before it is compiled: `(SourceText) -> str`."""
        return self._register_named("transform", function)

    @_without_parentheses
    def check(self, function: F) -> F:
        """Register a check of the whole site: `(Site) -> Iterable[Finding]`."""
        return self._register_named("check", function)

    @_without_parentheses
    def after_publish(self, function: F) -> F:
        """Register a function that is called when `octavo build` has published: `(Published) -> None`."""
        return self._register_named("after_publish", function)

    def command(self, name: str) -> Callable[[F], F]:
        """Register a command, `octavo run NAME`: `(Command) -> int | None`, its exit code."""
        return self._register("command", name)

    def _register_named(self, kind: str, function: F) -> F:
        if not callable(function):
            raise TypeError(f"@extension.{kind} takes no name; write it above the function without parentheses")
        return self._register(kind, getattr(function, "__name__", kind))(function)

    def _register(self, kind: str, name: str, type_: Any = None) -> Callable[[F], F]:
        if not isinstance(name, str):
            raise TypeError(f'a {kind} needs a name; write @extension.{kind}("name") above the function')

        def register(function: F) -> F:
            code = getattr(function, "__code__", None)
            line = code.co_firstlineno if code is not None else 1
            self._add(Registered(kind, name, function, type_, line))
            return function

        return register

    def _add(self, new: Registered) -> None:
        if not isinstance(new.name, str) or not re.fullmatch(_NAMES[new.kind], new.name):
            raise ValueError(f'"{new.name}" cannot be the name of a {new.kind}')
        if any((one.kind, one.name) == (new.kind, new.name) for one in self.registered):
            raise ValueError(f'the {new.kind} "{new.name}" is registered twice')
        self.registered.append(new)


def hash_bytes(content: bytes) -> str:
    """Hash what was read, in the form that dependencies of documents have."""
    return f"b:{hashlib.sha256(content).hexdigest()[:16]}"


def matching(site_dir: Path, patterns: Iterable[str]) -> list[Path]:
    """List the files that patterns name, sorted."""
    found = {
        site_dir / name
        for pattern in patterns
        for name in glob.glob(pattern, root_dir=site_dir, recursive=True)  # noqa: PTH207 - patterns may begin with ".."
        if (site_dir / name).is_file()
    }
    return sorted(found)
