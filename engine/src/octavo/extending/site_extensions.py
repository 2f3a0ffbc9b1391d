"""`SiteExtensions`: the extensions of a site. Describes them, calls their functions, and reports what fails."""

from __future__ import annotations

import os
import sys
import weakref
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from octavo.config import CONFIG_NAME, Config, line_of_text
from octavo.content import EXTENSION_INPUTS, Extended, is_setting
from octavo.diagnostics import Diagnostic, Level, Span
from octavo.extending.process import HostLostError, HostProcess
from octavo.extending.timing import Timings
from octavo.extension_host import Answer, Described, Failure, Function, Reported, Request
from octavo.extensions import hash_bytes, matching
from octavo.lazy import regex as re
from octavo.runtime import Cache, digest, documents_key, tool_versions

_TABLE = "extensions.msgpack"
_MADE = "extension-documents.msgpack"
_LOAD_S = 60.0
"""Time for importing one extension: libraries may be large, and the machine busy."""
_FILES_PER_LIMIT = 25
"""Each so many files that an extension declares as inputs add `extension_timeout_s` to the time that its calls may take."""
_NEVER = "never"
"""Hash that no file has: what failed because a process ended is tried again in the next build."""
_SHOWN = {
    "directive": "directive",
    "fence": "fence",
    "field": "front-matter field",
    "documents": "documents function",
    "transform": "transform",
    "check": "check",
    "after_publish": "function after publishing",
}


class _Known(msgspec.Struct, frozen=True):
    """Descriptions as they were when the files had these hashes."""

    key: str = ""
    described: list[Described] = []
    hashes: dict[str, str] = {}


class MadeDocument(msgspec.Struct, frozen=True):
    """A document that an extension has made."""

    path: str
    text: str
    made_from: str = ""
    origins: tuple[tuple[int, str, int], ...] = ()
    """See `Source`."""


class _Made(msgspec.Struct, frozen=True):
    key: str
    documents: list[MadeDocument]
    problems: list[Diagnostic]
    reads: dict[str, str]


class _Hosts:
    """Holds the process, apart from what is collected as garbage."""

    def __init__(self) -> None:
        self.process: HostProcess | None = None
        self.inherited: list[HostProcess] = []
        """Processes of the one that this was forked from."""

    def close(self) -> None:
        if self.process is not None:
            self.process.close()
            self.process = None


class SiteExtensions:
    """Used by one thread of each process: workers that are forked start a process of their own when they need one."""

    def __init__(self, site_dir: Path, config: Config, cache: Cache, *, is_audited: bool = False) -> None:
        """Describe the extensions; their process is started only where a file of theirs has changed.

        Args:
            site_dir: The site's folder.
            config: Its settings.
            cache: Holds what was known of them.
            is_audited: Find inputs that are not declared: functions are called twice.
        """
        self._site_dir = site_dir
        self._seconds = config.extension_timeout_s
        self._memory = config.extension_memory_mb * 1_000_000
        self._options = config.extension_options
        self._is_audited = is_audited
        self._cache = cache
        self._hosts = _Hosts()
        weakref.finalize(self, self._hosts.close)
        self._given_up: dict[tuple[str, str, str], Failure] = {}
        self.timings = Timings()
        self.problems: list[Diagnostic] = []
        settings = site_dir / CONFIG_NAME
        # Not there where a site is only examined, before it is imported.
        self._settings = settings.read_text(encoding="utf-8", errors="replace") if settings.is_file() else ""
        known = cache.load_table(_TABLE, _Known, _Known())
        own = digest(
            documents_key(), sys.version, sys.prefix, *config.extensions, msgspec.json.encode(config.extension_options)
        )
        if known.key != own or not self._is_as_known(known):
            described = list(self._describe(config.extensions))
            hashes = {path: _hash(Path(path)) for one in described for path in one.modules}
            known = _Known(own, described, hashes)
            if not any(one.failure for one in described):
                cache.save_table(_TABLE, known)
        self._described = [one for one in known.described if one.failure is None]
        self._has_failed = len(self._described) < len(known.described)
        self._of: dict[tuple[str, str], Described] = {}
        self._check(known.described)
        files = {one.spec: matching(site_dir, one.inputs) for one in self._described}
        # Without places: the same site elsewhere, with the same tools, has the same keys.
        tools = digest(documents_key(), sys.version, msgspec.json.encode(config.extension_options))
        self._code_key = {
            one.spec: digest(
                tools,
                msgspec.msgpack.encode(msgspec.structs.replace(one, path="", modules=[])),
                *sorted(known.hashes[path] for path in one.modules),
            )
            for one in self._described
        }
        self._inputs_key = {
            spec: digest(code, *(f"{os.path.relpath(path, site_dir)} {_hash(path)}" for path in files[spec]))
            for spec, code in self._code_key.items()
        }
        self._seconds_of = {spec: self._seconds * (1 + len(found) // _FILES_PER_LIMIT) for spec, found in files.items()}
        self.key = digest(str(is_audited), *self._code_key.values()) if self._described else ""
        """Hash of everything but their inputs, which only documents that call them depend on, see `inputs`."""

    # What there is

    @property
    def inputs(self) -> dict[str, str]:
        """What documents that call an extension depend on beside files: name → hash of the extension's inputs."""
        return {f"{EXTENSION_INPUTS}{spec}": key for spec, key in self._inputs_key.items()}

    @property
    def names(self) -> frozenset[str] | None:
        """Names of the extensions; None where one cannot be loaded, whose name is not known."""
        return None if self._has_failed else frozenset(one.name for one in self._described)

    @property
    def directives(self) -> frozenset[str]:
        """Names of the directives."""
        return self._names("directive")

    @property
    def fences(self) -> frozenset[str]:
        """Languages of the fences."""
        return self._names("fence")

    @property
    def fields(self) -> frozenset[str]:
        """Keys of the front matter."""
        return self._names("field")

    @property
    def has_transforms(self) -> bool:
        """Texts are changed before they are compiled."""
        return bool(self._names("transform"))

    def declares(self, path: str) -> bool:
        """Return whether more than single pages may depend on a file, given by its path from the site's folder."""
        file = (self._site_dir / path).resolve()
        return any(
            os.fspath(file) in one.modules
            or file in {found.resolve() for found in matching(self._site_dir, one.inputs)}
            for one in self._described
        )

    @property
    def folders(self) -> list[Path]:
        """Folders outside the site's whose files are inputs or modules, to be watched."""
        root = self._site_dir.resolve()
        files = [
            file.resolve()
            for one in self._described
            for file in (*map(Path, one.modules), *matching(self._site_dir, one.inputs))
        ]
        return sorted({file.parent for file in files if not file.is_relative_to(root)})

    def _names(self, kind: str) -> frozenset[str]:
        return frozenset(name for found, name in self._of if found == kind)

    def _functions(self, kind: str) -> list[tuple[Described, Function]]:
        return [(one, function) for one in self._described for function in one.functions if function.kind == kind]

    # Calls

    def call(self, kind: str, name: str, argument: dict[str, Any], span: Span) -> Extended:
        """See `Extender`."""
        described = self._of[kind, name]
        return self._compiled(described, Function(kind, name), argument, span)

    def transform(self, path: str, text: str, fields: Mapping[str, Any]) -> Extended:
        """See `Extender`."""
        problems: list[Diagnostic] = []
        reads: dict[str, str] = {}
        for described, function in self._functions("transform"):
            argument = {"path": path, "text": text, "fields": dict(fields)}
            given = self._compiled(described, function, argument, Span(path))
            problems += given.problems
            reads |= given.reads
            if given.value is not None:
                text = given.value
        return Extended(text, problems, reads)

    def make_documents(self, locale: str, folder: str) -> tuple[list[MadeDocument], list[Diagnostic]]:
        """Make the documents of all extensions; what was made of the same inputs before is taken over."""
        before = self._cache.load_table(_MADE, dict[str, _Made], {})
        now: dict[str, _Made] = {}
        for described, function in self._functions("documents"):
            name = f"{described.name}.{function.name}"
            key = digest(self._inputs_key[described.spec], locale, folder, str(self._is_audited))
            made = before.get(name)
            if made is None or made.key != key or not all(self._is_still(*read) for read in made.reads.items()):
                span = Span(described.path, function.line)
                given = self._extended(described, function, {"locale": locale, "folder": folder}, span)
                documents = [
                    msgspec.convert({**one, "made_from": one["made_from"] or described.path}, MadeDocument)
                    for one in given.value or ()
                ]
                made = _Made(key, documents, given.problems, given.reads)
            now[name] = made
        if now != before:
            self._cache.save_table(_MADE, now)
        documents = [one for made in now.values() for one in made.documents]
        return documents, [problem for made in now.values() for problem in made.problems]

    def check(self, pages: Sequence[Mapping[str, Any]]) -> Iterator[Diagnostic]:
        """Run the checks of the site; each page is given as the fields of `octavo.extensions.Page`."""
        for described, function in self._functions("check"):
            span = Span(described.path, function.line)
            yield from self._extended(described, function, {"pages": list(pages)}, span).problems

    @property
    def has_checks(self) -> bool:
        """There is a check of the site."""
        return bool(self._functions("check"))

    def after_publish(self, argument: dict[str, Any]) -> list[Diagnostic]:
        """Call what is to be called when a site has been published; the fields of `octavo.extensions.Published`."""
        return [
            problem
            for described, function in self._functions("after_publish")
            for problem in self._extended(described, function, argument, Span(described.path, function.line)).problems
        ]

    def close(self) -> None:
        """End the process."""
        self._hosts.close()

    def _compiled(self, described: Described, function: Function, argument: dict[str, Any], span: Span) -> Extended:
        """Call a function for a document, which depends on all inputs of the extension from now on."""
        given = self._extended(described, function, argument, span)
        name = f"{EXTENSION_INPUTS}{described.spec}"
        return msgspec.structs.replace(given, reads={**given.reads, name: self._inputs_key[described.spec]})

    def _extended(self, described: Described, function: Function, argument: dict[str, Any], span: Span) -> Extended:
        answer = self._answer(described, function, argument)
        self.timings.note(described.name, f"{function.kind} {function.name}", answer.seconds)
        problems = [self._finding(described, one, span) for one in answer.findings]
        reads = answer.reads
        own = next(
            (one.line for one in described.functions if (one.kind, one.name) == (function.kind, function.name)), 1
        )
        if answer.failure is not None:
            problems.append(_failed(described, function, answer.failure, span, own))
            if answer.failure.is_lost:
                reads = {**reads, described.path: _NEVER}
        problems += [
            Diagnostic(
                "extension-input",
                "warn",
                Span(described.path, own),
                f'The {_SHOWN[function.kind]} "{function.name}" of the extension "{described.name}" is not pure. {sentence}',
                "Read files by inputs.read_text, or name them in inputs of the extension.",
            )
            for sentence in answer.undeclared
        ]
        return Extended(answer.value, problems, reads)

    def _answer(self, described: Described, function: Function, argument: dict[str, Any]) -> Answer:
        key = (described.spec, function.kind, function.name)
        if (failure := self._given_up.get(key)) is not None:
            return Answer(failure=failure)
        request = Request(described.spec, function.kind, function.name, argument, is_audited=self._is_audited)
        try:
            seconds = self._seconds_of[described.spec]
            answer = self._host().call(request, seconds * (2 if self._is_audited else 1))
        except HostLostError as error:
            failure = Failure(str(error), is_lost=True)
            # Each page would take as long again.
            self._given_up[key] = msgspec.structs.replace(
                failure, message=f"{failure.message}; it is not called again in this build"
            )
            self._hosts.process = None
            return Answer(failure=failure)
        return answer

    def _finding(self, described: Described, one: Reported, span: Span) -> Diagnostic:
        """Make a finding of the build; `span` is its place where it names no file."""
        level: Level = "error" if one.level == "error" else "warn"
        if one.path:
            span = Span(one.path, max(one.line, 1), max(one.column, 1))
        return Diagnostic("extension-finding", level, span, f"{described.name}: {one.message}", one.suggestion)

    # Loading

    def _host(self) -> HostProcess:
        """Give the process, with everything loaded.

        Raises:
            HostLostError: it has ended while it loaded.
        """
        hosts = self._hosts
        if hosts.process is not None and hosts.process.owner != os.getpid():
            hosts.inherited.append(hosts.process)
            hosts.process = None
        if hosts.process is None:
            specs = [one.spec for one in self._described]
            process = HostProcess(self._site_dir, specs, self._memory, self._options)
            for _ in specs:
                if (failure := process.next_described(_LOAD_S).failure) is not None:
                    process.close()
                    raise HostLostError(f"it cannot be loaded any more: {failure.message}")
            hosts.process = process
        return hosts.process

    def _describe(self, specs: Sequence[str]) -> Iterator[Described]:
        """Load extensions to see what they register; one that hangs is ended, and the others are loaded without it."""
        left = list(specs)
        while left:
            process = HostProcess(self._site_dir, left, self._memory, self._options)
            try:
                while left:
                    yield process.next_described(max(self._seconds, _LOAD_S))
                    left.pop(0)
            except HostLostError as error:
                spec = left.pop(0)
                yield Described(spec, spec, spec, failure=Failure(f"while it was loaded, {error}"))
            finally:
                process.close()

    def _is_as_known(self, known: _Known) -> bool:
        if any(_hash(Path(path)) != noted for path, noted in known.hashes.items()):
            return False
        tools = {name: version for one in known.described for name, version in one.tools.items()}
        if not tools:
            return True
        normal = {name.lower().replace("_", "-").replace(".", "-"): version for name, version in tools.items()}
        return dict(tool_versions(normal, sys.path)) == normal

    def _is_still(self, path: str, noted: str) -> bool:
        return _hash(self._site_dir / path) == noted

    def _check(self, described: Sequence[Described]) -> None:
        names: dict[str, str] = {}
        for one in described:
            if one.failure is not None:
                at = f" ({one.failure.place})" if one.failure.place else ""
                message = f'The extension "{one.spec}" cannot be loaded: {one.failure.message}{at}.'
                self._report(one, message, _remedy(one.spec, one.failure.message), one.failure.place)
                continue
            if one.name in names:
                message = f'The extensions "{names[one.name]}" and "{one.spec}" are both named "{one.name}".'
                self._report(one, message, "Give one of them another name.")
            names[one.name] = one.spec
            for function in one.functions:
                if function.kind in ("check", "documents", "after_publish", "transform"):
                    self._of.setdefault((function.kind, f"{one.name}.{function.name}"), one)
                elif (other := self._of.setdefault((function.kind, function.name), one)) is not one:
                    shown = _SHOWN.get(function.kind, function.kind)
                    message = f'The {shown} "{function.name}" is registered by "{other.name}" and by "{one.name}".'
                    self._report(one, message, f'That of "{other.name}" is used; rename the other.', function=function)
                elif function.kind == "field" and is_setting(function.name):
                    message = f'The front-matter field "{function.name}" of "{one.name}" is a setting of Octavo\'s own.'
                    self._report(
                        one, message, "The extension gets no value of it; give it another name.", function=function
                    )

    def _report(
        self, one: Described, message: str, hint: str, place: str = "", function: Function | None = None
    ) -> None:
        span = Span(CONFIG_NAME, line_of_text(self._settings, one.spec))
        path, _, line = place.rpartition(":")
        if path and not Path(path).is_absolute():
            span = Span(path, int(line))
        elif function is not None:
            span = Span(one.path, function.line)
        self.problems.append(Diagnostic("extension", "error", span, message, hint))


def _failed(described: Described, function: Function, failure: Failure, span: Span, line: int) -> Diagnostic:
    """Say that a function has failed; `line` is that of the function, where the failure has no place in it."""
    what = f'{_SHOWN[function.kind]} "{function.name}" of the extension "{described.name}"'
    if failure.is_value:
        of = "Front matter" if function.kind == "field" else "Attributes"
        message = f"{of} that the {what} takes do not fit: {failure.message}."
        return Diagnostic("extension-finding", "warn", span, message)
    at = f" ({failure.place})" if failure.place else f" ({described.path}:{line})"
    hint = (
        "Let it do less, or raise extension_timeout_s." if failure.is_lost and "took longer" in failure.message else ""
    )
    return Diagnostic("extension", "error", span, f"The {what} failed: {failure.message}{at}.", hint)


_MISSING_MODULE = re.compile(r"ModuleNotFoundError: No module named '(?P<package>[^.']+)")


def _remedy(spec: str, message: str) -> str:
    """Say what to do about an extension that cannot be loaded."""
    missing = _MISSING_MODULE.match(message)
    if missing is None:
        return "Nothing of it is used until it can be loaded."
    if (spec, missing["package"]) == ("octavo.shipped.python_api", "griffe"):
        return 'Install what it needs: pip install "octavo[python-api]".'
    return f'Install the package that has the module "{missing["package"]}", or correct the import.'


def _hash(path: Path) -> str:
    try:
        # To open a pipe would wait until somebody writes to it.
        return hash_bytes(path.read_bytes()) if path.is_file() else ""
    except OSError:
        return ""
