"""Modules of authors: files in TypeScript and JavaScript with JSX, data, and style sheets, and what they import."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from octavo.components.children import NEVER, what_it_needs
from octavo.components.component import as_import, class_ending, file_address, stem
from octavo.components.conversation import ComponentError
from octavo.components.names import (
    ModuleNames,
    did_you_mean,
    export_of_name,
    imported_names_of,
    missing_members,
    missing_names,
    place_of_import,
    place_of_member,
    read_names,
)
from octavo.components.process import ComponentProcess
from octavo.components.react_features import HINT, MESSAGE, find_lacking
from octavo.content import nearest
from octavo.diagnostics import Diagnostic, Level, Span
from octavo.lazy import regex as re
from octavo.runtime import digest
from octavo.stylesheets import MODULE_ENDING, Composition, Reference, read_sheet, scope_sheet
from octavo.text_files import read_plain

SCRIPTS = (".tsx", ".ts", ".jsx", ".js")
PUBLIC_MODULES = ("react", "react/jsx-runtime", "react-dom", "octavo")
"""What a component may import beside the files of the site, and the packages in its folder `VENDOR`."""
VENDOR = "vendor"
"""Folder below that of the components for copies of packages; `octavo bundle` writes there."""
_PACKAGE = re.compile(r"(?:@[\w~-][\w.~-]*/)?[\w~-][\w.~-]*(?:/[\w.~-]+)*")
"""Name of a package as imports have it, with a path in it where one is written."""
_OF_ENGINE = re.compile(
    r"@(?:docusaurus|theme|theme-original|theme-init|site|generated|astrojs|rspress|nuxt|vuepress)/"
    r"|(?:next|nextra|nextra-theme-docs|gatsby|astro|vitepress|rspress|fumadocs-(?:core|ui|mdx)|@?vocs)(?:/|$)"
)
"""Modules that only the engine has for which a component was written."""
_ENDINGS = (*SCRIPTS, ".json")
FILES = (
    ".avif", ".gif", ".ico", ".jpeg", ".jpg", ".png", ".svg", ".webp",
    ".mp3", ".mp4", ".ogg", ".webm", ".pdf", ".ttf", ".woff", ".woff2",
)  # fmt: skip
"""Endings of files that are published as they are; an import gives their address."""
_TYPED = (".d.ts", ".d.mts", ".d.cts", ".ts", ".tsx", "/index.d.ts", "/index.ts", "/index.tsx")
_MOST_TYPES = 200
"""Files from which a component may have its types."""
_LONGEST = 2_000_000
"""Bytes of a file."""
CLASS_NAMES = "?names"
"""Ending of a module that is not a file: the names of the classes of a CSS module, whose path is in front."""
_SHEET = "sheet"
"""Name under which such a module needs its style sheet."""
_IMPORTED = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*(['"])(?P<name>[^'"\n]+)\1""")
_REQUIRED = re.compile(r"""\brequire\((['"])(?P<name>[^'"\n]+)\1\)""")
_COMMENT = re.compile(r"^[ \t]*(?:/\*.*?\*/|//[^\n]*)", re.MULTILINE | re.DOTALL)
"""Comments that begin a line: what they name is not a module that is needed."""
_PUBLISHED_ADDRESS = re.compile(r"/|#|data:|https?:|$", re.IGNORECASE)
"""Addresses that mean the same wherever a style sheet is."""
_ERROR_HEAD = re.compile(r"^Error transforming [^:]*: (?:SyntaxError: )?")
_ERROR_PLACE = re.compile(r" \(\d+:\d+\)$")
_DEFAULT_EXPORT = re.compile(r"^export\s+default\b|^export\s*\{[^}]*\bdefault\b", re.MULTILINE)


class Module(msgspec.Struct, frozen=True):
    """A compiled file."""

    path: str
    """From the site's folder."""
    key: str
    """Hash of its content, and of what compiled it."""
    code: str
    """Body of a function of CommonJS; the text of a style sheet."""
    mappings: str
    """Where the code comes from, as in a source map."""
    needs: dict[str, str]
    """What it imports of the site, as it is written → path."""
    problems: list[Diagnostic]
    line: int = 1
    """Where its default export is."""
    loads: list[Reference] = []
    """Of a style sheet: the addresses in it."""
    needs_children: str = NEVER
    """How its components want their children, see `octavo.components.children`."""
    types: list[str] = []
    """Names of modules that it imports or hands on, as they are written: what it takes its types from."""
    names: ModuleNames = ModuleNames()

    @property
    def is_style(self) -> bool:
        """It is a style sheet."""
        return self.path.endswith(".css")

    @property
    def is_authored(self) -> bool:
        """It is a file of the site that is not a style sheet, and no copy of a package."""
        return not (self.is_style or self.path.endswith(CLASS_NAMES) or f"/{VENDOR}/" in self.path)

    @property
    def is_file(self) -> bool:
        """It is a picture, a font or the like: the code gives its address."""
        return self.path.endswith(FILES)


class Modules:
    """Reads and compiles modules; what was compiled before is taken over."""

    def __init__(
        self, site_dir: Path, folder: str, process: ComponentProcess, tools_key: str, known: Mapping[str, Module]
    ) -> None:
        """Initialize.

        Args:
            site_dir: The site's folder.
            folder: That of its components, from there.
            process: Compiles.
            tools_key: Hash of what compiles.
            known: Modules by the key with which they were compiled.
        """
        self._site_dir = site_dir
        self._vendor = posixpath.join(folder, VENDOR)
        self._process = process
        self._tools_key = tools_key
        self._known = known
        self.all: dict[str, Module] = {}
        """Path → module, of all that were asked for and what they import."""
        self.typed: set[str] = set()
        """Files of which only types were read."""
        self._keys: dict[str, str] = {}

    def add(self, path: str) -> None:
        """Read a module, and what it imports; its key is that of these files from then on."""
        waiting = [path]
        while waiting:
            one = waiting.pop()
            if one not in self.all:
                self.all[one] = module = self._module(one)
                waiting += module.needs.values()

    def below(self, path: str) -> list[Module]:
        """List a module and all that it imports, each once, what is imported first in front."""
        found: dict[str, Module] = {}
        seen: set[str] = set()

        def visit(one: str) -> None:
            if one in seen:
                return
            seen.add(one)
            for needed in self.all[one].needs.values():
                visit(needed)
            found[one] = self.all[one]

        visit(path)
        return list(found.values())

    def key(self, path: str) -> str:
        """Hash a module with all that it imports."""
        if path not in self._keys:
            types = (f"{one} {digest(self._text(one))}" for one in self._types_of(path))
            modules = (f"{module.path} {module.key}" for module in self.below(path))
            self._keys[path] = digest(path, *sorted(modules), *sorted(types))
        return self._keys[path]

    def missing_names(self) -> list[Diagnostic]:
        """Find names that modules import and that nothing exports."""
        found: list[Diagnostic] = []
        for path, module in self.all.items():
            if not module.names.taken or self._is_copy(path):
                continue
            text = self._text(path)
            for written, name, hint in missing_names(module.names, self._finder(module), self._text):
                message = f'"{written}" exports no "{name}", so it is undefined here.'
                at = place_of_import(text, written, name)
                found.append(_finding("component-import", "error", path, text, at, message, hint))
            for written, name, hint in missing_members(module.names, self._finder(module)):
                message = f'"{written}" has no class "{name}", so it is undefined here.'
                at = place_of_member(text, written, name)
                found.append(_finding("component-import", "warn", path, text, at, message, hint))
        return found

    def _finder(self, module: Module) -> Callable[[str], tuple[str, ModuleNames] | None]:
        def find(written: str) -> tuple[str, ModuleNames] | None:
            path = module.needs.get(written)
            if path is None or not path.endswith((*SCRIPTS, CLASS_NAMES)) or self._is_copy(path):
                return None
            other = self.all[path]
            return None if other.problems else (path, other.names)

        return find

    def _is_copy(self, path: str) -> bool:
        return path.startswith(f"{self._vendor}/")

    def content(self, path: str) -> bytes:
        """Read a file that is published as it is; one that has gone since it was hashed is empty, until the next build."""
        try:
            return read_plain(self._site_dir / path)
        except OSError:
            return b""

    def find_types(self, path: str, name: str) -> tuple[str, str] | None:
        """Find the file that declares the types of a module which another file imports: its path, and its text."""
        base = self._base(path, name)
        if base is None:
            return None
        stem = re.sub(r"\.(?:d\.ts|[cm]?[jt]sx?)$", "", base)
        for one in (base if base.endswith((".ts", ".tsx")) else "", *(stem + ending for ending in _TYPED)):
            if one and (self._site_dir / one).is_file() and self._is_inside(one):
                self.typed.add(one)
                return one, self._text(one)
        return None

    def _types_of(self, path: str) -> set[str]:
        """List the files from which a module may have its types."""
        waiting = [(path, name) for name in self.all[path].types]
        found: set[str] = set()
        while waiting and len(found) < _MOST_TYPES:
            typed = self.find_types(*waiting.pop())
            if typed is not None and typed[0] not in found:
                found.add(typed[0])
                waiting += [(typed[0], match["name"]) for match in _IMPORTED.finditer(typed[1])]
        return found

    def _text(self, path: str) -> str:
        try:
            return read_plain(self._site_dir / path)[:_LONGEST].decode("utf-8", "replace")
        except OSError:
            return ""

    def _module(self, path: str) -> Module:
        if path.endswith(CLASS_NAMES):
            return self._class_names(path)
        try:
            content = read_plain(self._site_dir / path)
            if path.endswith(FILES):
                return _file(path, digest(self._tools_key, path, content))
            text = content.decode("utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            why = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else (error.strerror or str(error))
            return _failed(path, "", f'"{path}" cannot be read: {why}.')
        if len(content) > _LONGEST:
            return _failed(path, "", f'"{path}" is larger than {_LONGEST:,} bytes.')
        key = digest(self._tools_key, path, content)
        known = self._known.get(key)
        # Files that an import could mean may have come and gone since.
        if known is not None and not known.problems and self._is_resolved(known):
            return known
        if path.endswith(".css"):
            return self._style(path, key, text)
        if path.endswith(".json"):
            return _data(path, key, text)
        return self._compile(path, key, text)

    def _is_resolved(self, module: Module) -> bool:
        return all(self._find_module(module.path, name) == path for name, path in module.needs.items())

    def _compile(self, path: str, key: str, text: str) -> Module:
        try:
            compiled = self._process.compile(text, path)
        except ComponentError as error:
            return _failed(path, key, f'"{path}" cannot be compiled: {error}.')
        if "error" in compiled:
            message = _ERROR_PLACE.sub("", _ERROR_HEAD.sub("", compiled["error"]))
            return _failed(path, key, f"It cannot be compiled: {message}.", compiled["line"], compiled["column"], text)
        needs: dict[str, str] = {}
        problems: list[Diagnostic] = []
        stated = _COMMENT.sub(lambda match: " " * len(match[0]), text)
        written = {match["name"]: match.start("name") for match in _IMPORTED.finditer(stated)}
        # Copies of packages are written in CommonJS, and refer to each other.
        written |= {
            match["name"]: match.start("name") for match in _REQUIRED.finditer(stated) if match["name"].startswith(".")
        }
        for name in dict.fromkeys(match["name"] for match in _REQUIRED.finditer(compiled["code"])):
            if name in PUBLIC_MODULES or name not in written:
                continue
            found = self._find_module(path, name)
            if found is None:
                problems.append(_unresolved(path, text, written[name], name, self._vendor))
            else:
                needs[name] = found
        # The compiler leaves out an import without names of a style sheet, which it takes for one of types.
        for name in written:
            if name.endswith(".css") and name not in needs and (found := self._find(path, name)) is not None:
                needs[name] = found
        problems += [
            _finding("component-react", "warn", path, text, at, MESSAGE.format(feature=feature), HINT)
            for feature, at in find_lacking(text, compiled["code"])
        ]
        if not self._is_copy(path):
            problems += [_no_names(path, text, *one) for one in imported_names_of(stated, written)]
        default = _DEFAULT_EXPORT.search(text)
        code = compiled["code"]
        if default is None and (default := export_of_name(path, text)) is not None:
            code += f"\nexports.default = exports.{default['name']};"
        line = text.count("\n", 0, default.start()) + 1 if default else 1
        types = [
            name for name in written if name not in PUBLIC_MODULES and not name.endswith((".css", ".json", *FILES))
        ]
        children = what_it_needs(stated, is_package=f"/{VENDOR}/" in path)
        return Module(
            path,
            key,
            code,
            compiled["mappings"],
            needs,
            problems,
            line,
            needs_children=children,
            types=types,
            names=read_names(code),
        )

    def _style(self, path: str, key: str, text: str) -> Module:
        sheet = read_sheet(text)
        problems: list[Diagnostic] = []
        needs: dict[str, str] = {}
        for reference in sheet.references:
            if reference.kind != "import" and _PUBLISHED_ADDRESS.match(reference.address.strip()):
                continue
            name = as_import(reference.address)
            found = self._find(path, name)
            if reference.kind == "import":
                message = (
                    "A style sheet of a component cannot import another one: it is published elsewhere, by itself."
                )
                hint = "Import the other one in the component's file as well."
            elif found is not None and found.endswith(FILES):
                needs[name] = found
                continue
            else:
                message = f'"{reference.address}" is not a file of the site that a style sheet of a component can load.'
                hint = "Put it beside the style sheet, or into the static folder, and write its address with a slash in front."
            at = reference.line, reference.column
            problems.append(place_finding("component-import", "error", path, *at, message, text, hint))
        wrong = sheet.problems
        if path.endswith(MODULE_ENDING):
            scoped = scope_sheet(text, class_ending(path))
            wrong = [one for one in wrong if (one.line, one.column) not in scoped.understood] + scoped.problems
            for one in scoped.composed:
                if (missing := self._missing_in_composed(path, one)) is not None:
                    at = one.line, one.column
                    problems.append(place_finding("component-import", "error", path, *at, missing[0], text, missing[1]))
        # Of a copied package nobody would change a declaration for some old browser.
        if not self._is_copy(path):
            problems += [
                place_finding("style-sheet", "warn", path, one.line, one.column, one.message, text, one.suggestion)
                for one in wrong
            ]
        return Module(path, key, text, "", needs, problems, loads=sheet.references)

    def _missing_in_composed(self, path: str, composed: Composition) -> tuple[str, str] | None:
        """Find what a CSS module composes and no other one has; gives the message and the hint."""
        found = self._find(path, as_import(composed.address))
        if found is None or not found.endswith(MODULE_ENDING):
            message = f'"{composed.address}" is not a CSS module of the site whose classes can be composed.'
            return message, f"It can be a file ending in {MODULE_ENDING}, with a path that begins with ./ or ../."
        known = scope_sheet(self._text(found), "").names
        for other in composed.others:
            if other not in known:
                return f'"{composed.address}" has no class "{other}".', did_you_mean(other, known)
        return None

    def _class_names(self, path: str) -> Module:
        """Make the module with the names of a CSS module's classes; that the sheet cannot be read is its own finding."""
        sheet_path = path.removesuffix(CLASS_NAMES)
        text = self._text(sheet_path)
        scoped = scope_sheet(text, class_ending(sheet_path))
        needs: dict[str, str] = {}
        added = []
        for one in scoped.composed:
            found = self._find(sheet_path, as_import(one.address))
            if found is not None and found.endswith(MODULE_ENDING):
                needs[one.address] = found + CLASS_NAMES
                others = f"require({json.dumps(one.address)})"
                added += [
                    f'names[{json.dumps(one.name)}] += " " + {others}[{json.dumps(other)}];' for other in one.others
                ]
        # Behind what it composes: its own declarations win.
        needs[_SHEET] = sheet_path
        written = json.dumps(json.dumps(scoped.names))
        code = "\n".join([f"const names = JSON.parse({written});", *added, "module.exports = names;"])
        names = ModuleNames([*scoped.names, "default"], is_open=False)
        return Module(path, digest(self._tools_key, path, text), code, "", needs, [], names=names)

    def _find_module(self, path: str, name: str) -> str | None:
        """Find the module that an import with names means."""
        found = self._find(path, name)
        return found + CLASS_NAMES if found is not None and found.endswith(MODULE_ENDING) else found

    def _find(self, path: str, name: str) -> str | None:
        """Find the file that an import means."""
        base = self._base(path, name)
        if base is None:
            return None
        candidates = [base, *(base + ending for ending in _ENDINGS), *(f"{base}/index{ending}" for ending in _ENDINGS)]
        return next(
            (
                one
                for one in candidates
                if one.endswith((*_ENDINGS, ".css", *FILES))
                and (self._site_dir / one).is_file()
                and self._is_inside(one)
            ),
            None,
        )

    def _base(self, path: str, name: str) -> str | None:
        """Give the path that an import means, perhaps without an ending; None outside of the site's folder."""
        if name.startswith(("./", "../")):
            base = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        elif _PACKAGE.fullmatch(name):
            base = posixpath.normpath(posixpath.join(self._vendor, name))
        else:
            return None
        return None if base.startswith("..") else base

    def _is_inside(self, path: str) -> bool:
        """Return whether a file is in the site's folder, and no link leads out of it."""
        return (self._site_dir / path).resolve().is_relative_to(self._site_dir.resolve())


def _file(path: str, key: str) -> Module:
    address = json.dumps(f"/{file_address(path, key)}")
    return Module(path, key, f'module.exports = require("octavo").withBase({address});', "", {}, [])


def _data(path: str, key: str, text: str) -> Module:
    try:
        written = json.dumps(json.dumps(json.loads(text, parse_constant=_no_constant)))
    except RecursionError:
        return _failed(path, key, "Its lists and objects are too many within each other.")
    except ValueError as error:
        line, column = getattr(error, "lineno", 1), getattr(error, "colno", 1)
        return _failed(path, key, f"It is not valid JSON: {getattr(error, 'msg', error)}.", line, column, text)
    # Not as a literal of JavaScript: in one, the key `__proto__` means something.
    return Module(path, key, f"module.exports = JSON.parse({written});", "", {}, [])


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a value")


def _unresolved(path: str, text: str, offset: int, name: str, vendor: str) -> Diagnostic:
    if name.startswith((".", "/")):
        message = f'"{name}" is not a file of the site that a component can import.'
        hint = f"It can be a file ending in {', '.join(_ENDINGS)} or .css, a picture or a font, with a path that begins with ./ or ../."
    elif not _PACKAGE.fullmatch(name):
        message = f'"{name}" cannot be imported: it is neither a file of the site nor the name of a package.'
        hint = "Nothing is loaded from elsewhere. Put the file into the site, and import it with ./ or ../ in front."
    elif _OF_ENGINE.match(name):
        message = f'"{name}" cannot be imported: it is a part of another engine.'
        hint = 'Use elements of HTML, such as <a> and <img>, "react", and what "octavo" exports.'
    else:
        message = f'The package "{name}" cannot be imported: there is no copy of it in "{vendor}".'
        close = nearest(name, PUBLIC_MODULES)
        hint = (
            f'Did you mean "{close}"?'
            if close
            else f"Copy it: `octavo bundle {name}`, which needs Node, or put it there by hand as {name}.js, in one file."
        )
    return _finding("component-import", "error", path, text, offset, message, hint)


def _no_names(path: str, text: str, written: str, name: str, offset: int) -> Diagnostic:
    message = f'A style sheet gives no names: "{name}" is an empty object, and its classes are undefined.'
    hint = f'Call the file "{stem(written)}{MODULE_ENDING}", or import it without a name and write classes as texts.'
    return _finding("component-import", "error", path, text, offset, message, hint)


def _failed(path: str, key: str, message: str, line: int = 1, column: int = 1, text: str = "") -> Module:
    return Module(path, key, "", "", {}, [place_finding("component", "error", path, line, column, message, text)])


def _finding(code: str, level: Level, path: str, text: str, offset: int, message: str, hint: str) -> Diagnostic:
    line = text.count("\n", 0, offset) + 1
    column = offset - (text.rfind("\n", 0, offset) + 1) + 1
    return place_finding(code, level, path, line, column, message, text, hint)


def place_finding(
    code: str, level: Level, path: str, line: int, column: int, message: str, text: str = "", hint: str = ""
) -> Diagnostic:
    """Make a finding at a place of an author's file; `text` is the file's, for the excerpt."""
    lines = text.splitlines()
    excerpt = lines[line - 1] if 0 < line <= len(lines) else ""
    return Diagnostic(code, level, Span(path, line, column), message, hint, excerpt)
