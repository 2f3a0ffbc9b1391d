"""Components in React that use what components of ours may use: copied with what they import, and tried on real pages.

The copy is needed: a module of the old site names others by the aliases of its bundler, and classes of its style sheets
by objects. Names of modules that the old engine offers lead to small modules of our own in `shims/`.
"""

from __future__ import annotations

import hashlib
import json
import os
import posixpath
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from octavo.components import VENDOR
from octavo.documents import TAKEN_OVER, package_head
from octavo.importing.components.astro import as_react
from octavo.importing.components.data_loaders import Pages, find_loader, list_documents, load_data
from octavo.importing.components.icons import icons_module, is_package_of_icons
from octavo.importing.components.modules import MODULES
from octavo.importing.components.packages import package_module
from octavo.importing.components.paths import Paths
from octavo.importing.components.statements import (
    exported_name,
    statements_of,
    with_environment,
    with_globals,
    with_loaded,
    with_react,
    without_async,
    without_main,
    without_shown_imports,
)
from octavo.importing.components.taken_in import DATA, MEDIA, picture_module, plain_name, text_module, with_files
from octavo.importing.components.unusable import UnusableError
from octavo.importing.components.vue import as_react as vue_as_react
from octavo.lazy import regex as re
from octavo.runtime import digest
from octavo.site import is_inside

SOURCES = TAKEN_OVER
"""Folder below that of the components for the copies."""
_SHIMS = Path(__file__).parent / "shims"
_PUBLIC = frozenset(["react", "react-dom", "react/jsx-runtime"])
_SCRIPTS = (".tsx", ".ts", ".jsx", ".js")
_TYPES_ONLY = (".d.ts", "/index.d.ts")
"""Endings of files that declare types: nothing of them is there at run time."""
_SHEETS = (".css", ".scss", ".sass", ".less")
_PICTURE = ".picture"
"""Ending of modules with the address of a picture."""
_NAMED = re.compile(r"""(?P<head>(?:\bfrom|\bimport|\brequire)\s*\(?\s*)(?P<quote>["'])(?P<name>[^"'\n]+)(?P=quote)""")
_LIVE = re.compile(
    r"\b(?:onMounted|watch(?:Effect)?)\s*\(|\buse(?:State|Effect|LayoutEffect|Reducer|Ref|SyncExternalStore|IsBrowser|ColorMode)\s*[(<]|\son[A-Z]\w*=\{|BrowserOnly"
)
_CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
_RULE = re.compile(r"(?P<head>[^{}]*)\{")
_GLOBAL = re.compile(r":global\(([^()]*)\)")
_NAMES_FILE = r"""url\(\s*["']?(?!["']?(?:/|#|data:|https?:))"""
_ADDRESS = re.compile(rf"{_NAMES_FILE}|@import\b|\bcomposes\s*:")
_DECLARATION = re.compile(
    rf"""@import\b[^;{{}}]*;?|\bcomposes\s*:[^;{{}}]*;?|[\w-]+\s*:[^;{{}}"']*(?:"[^"\n]*"[^;{{}}"']*|'[^'\n]*'[^;{{}}"']*)*?{_NAMES_FILE}[^;{{}}]*;?"""
)
"""A declaration, or an import, that names another file."""
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_BESIDE = re.compile(r"""\bfrom\s+"\./([\w-]+)\"""")
_LISTING = ("docs-client", "global-data")
"""Modules of ours that give the list of all documents, which only those get that read it: it may be long."""
_DOCUMENTS = re.compile(r"(?:\.|[{,]\s*)docs\b")
_MOST_FILES = 60
_LONGEST = 200_000


CODE = (*_SCRIPTS, ".css", ".json")
"""Endings of the files that are written here."""
_MARK = "// Taken over from "
_DIGEST = re.compile(r" \[(?P<digest>[0-9a-f]{8})\](?= \*/\}$|$)", re.MULTILINE)


def with_digest(text: str, path: str) -> str:
    """Add to the comment that names the source of a file what the file is, so that a later import sees changes of it."""
    mark = f"Taken over from {path}"
    return text.replace(mark, f"{mark} [{digest(text)[:8]}]", 1)


def is_copy(path: Path) -> bool:
    """Return whether a file is one that an import wrote, and is as it was."""
    if SOURCES in path.parts:
        return True
    text = path.read_text(encoding="utf-8", errors="replace")
    place = text.find("Taken over from ")
    found = _DIGEST.search(text, place) if place >= 0 else None
    return found is not None and digest(text[: found.start()] + text[found.end() :])[:8] == found["digest"]


class Program(msgspec.Struct, frozen=True):
    """A component that can be taken over."""

    name: str
    path: str
    """Its file in the old site."""
    files: dict[str, str]
    """Path from the site's folder → text: the component, and copies of what it imports."""
    sheets: list[str] = []
    """Style sheets that were left out, in whole or in part, from the site's folder."""
    icons: list[str] = []
    """Modules from the site's folder, each with the names of its icons that have no counterpart."""
    moving: list[str] = []
    """Modules from the site's folder whose elements no longer move."""
    packages: list[str] = []
    """Modules from the site's folder, each with the components of a package of which only the content is shown."""
    scripts: list[str] = []
    """Components whose scripts for the browser were left out."""
    loaders: list[str] = []
    """Data loaders that were run, from the site's folder."""
    pictures: list[str] = []
    """Pictures that its modules import from where they lie, from the site's folder."""
    located: list[str] = []
    """Modules from the site's folder that ask for the address or the language of their page."""


def copy_program(
    name: str,
    path: str,
    site_dir: Path,
    folder: str,
    aliases: Mapping[str, str],
    static: str,
    settings: Mapping[str, Any],
    *,
    is_page: bool = False,
    given: str | None = None,
    pages: Pages = list,
    uses: str = "",
) -> Program:
    """Copy a component with all that it imports.

    Args:
        name: Of the component.
        path: Of its file, from the site's folder.
        site_dir: The site's folder.
        folder: That of the new components.
        aliases: Beginning of an imported path → folder from the site's folder.
        static: The folder of static files.
        settings: Title, tagline, address and base of the site, for components that ask for them.
        is_page: It is a whole page, laid out by the classes of Docusaurus' style sheet.
        given: Text of the module, where the old site has no file of it.
        pages: Gives the pages, for programs that gather data of them.
        uses: Text of the pages that use it.

    Raises:
        UnusableError: it imports what cannot be copied.
    """
    aliases = {"@site": "", **aliases}
    made = _Copy(
        site_dir, folder, {"@theme": posixpath.join(aliases["@site"], "src/theme"), **aliases}, static, settings, pages
    )
    made.uses = uses
    if given is not None:
        made.given[path] = given
    inner = made.add(path)
    text = made.text(path)
    exported, member = ("default", "") if given is not None else exported_name(name, path, text)
    live = 'export const client = "visible";\n' if made.is_live else ""
    target = "./" + posixpath.relpath(posixpath.splitext(inner)[0], folder)
    handed = f"export {{ {exported} as default }} from {json.dumps(target)};\n"
    if member:
        imported = "Whole" if exported == "default" else f"{{ {exported} as Whole }}"
        handed = f"import {imported} from {json.dumps(target)};\nexport default Whole.{member};\n"
    if is_page:
        sheet = "./" + posixpath.relpath(made.infima(), folder)
        imported = "Page" if exported == "default" else f"{{ {exported} as Page }}"
        handed = (
            f'import "{sheet}";\nimport {imported} from {json.dumps(target)};\n'
            'export default () => <div className="infima"><Page /></div>;\n'
        )
    made.files[f"{folder}/{name}.tsx"] = with_digest(f"{_MARK}{path}\n{live}{handed}", path)
    return Program(
        name,
        path,
        made.files,
        list(dict.fromkeys(made.sheets)),
        made.icons,
        made.moving,
        made.packages,
        made.scripts,
        made.loaders,
        made.pictures,
        made.located,
    )


class _Copy:
    """The copies of a component's files."""

    def __init__(
        self,
        site_dir: Path,
        folder: str,
        aliases: Mapping[str, str],
        static: str,
        settings: Mapping[str, Any],
        pages: Pages,
    ) -> None:
        self._site_dir = site_dir
        self._folder = folder
        self._aliases = aliases
        self._static = static
        self._settings = settings
        self._pages = pages
        self._paths = Paths(site_dir)
        self.files: dict[str, str] = {}
        self.given: dict[str, str] = {}
        """Texts of modules that are not files."""
        self.uses = ""
        """Text of the pages that use the component."""
        self.sheets: list[str] = []
        self.icons: list[str] = []
        self.moving: list[str] = []
        self.packages: list[str] = []
        self.scripts: list[str] = []
        self.loaders: list[str] = []
        self.pictures: list[str] = []
        self.located: list[str] = []
        self.is_live = False
        """Something in it happens in the browser."""

    def add(self, path: str) -> str:
        """Copy a module with all that it imports; give the path of the copy."""
        stem, ending = posixpath.splitext(path)
        is_astro, is_vue, is_page = ending == ".astro", ending == ".vue", ending in (".mdx", ".md")
        target = f"{self._folder}/{SOURCES}/{path}"
        if is_astro or is_vue or is_page:
            target = f"{self._folder}/{SOURCES}/{stem}-{ending[1:]}.tsx"
        if target in self.files:
            return target
        if sum(1 for one in self.files if not one.endswith(f"{_PICTURE}.jsx")) >= _MOST_FILES:
            raise UnusableError(f"it imports more than {_MOST_FILES} files")
        text = self.text(path)
        if is_astro:
            page = as_react(text)
            text = page.text
            self.sheets += [path] if page.has_style else []
            self.scripts += [path] if page.has_script else []
            self.located += [path] if page.asks_page else []
        if is_vue:
            written = vue_as_react(text)
            text = written.text
            self.sheets += [path] if written.has_style else []
        if is_page:
            text = statements_of(text)
        self.files[target] = text
        if path.endswith(".json"):
            return target
        text = with_files(without_async(with_loaded(without_main(text))), path, self._site_dir, self.uses)
        text = with_environment(with_react(with_globals(text) if "snippets" in path.split("/") else text))
        self.is_live = self.is_live or _LIVE.search(text) is not None
        code = without_shown_imports(text)
        pieces, position = [], 0
        for match in _NAMED.finditer(code):
            pieces += [text[position : match.start()], self._rewritten(match, path, target, code)]
            position = match.end()
        self.files[target] = "".join(pieces) + text[position:]
        return target

    def text(self, path: str) -> str:
        """Read a file."""
        if path in self.given:
            return self.given[path]
        if not is_inside(self._site_dir, path):
            raise UnusableError(f'"{path}" is a link that leads out of the site')
        try:
            text = (self._site_dir / path).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise UnusableError(f'"{path}" cannot be read') from error
        if len(text) > _LONGEST:
            raise UnusableError(f'"{path}" is larger than {_LONGEST} characters')
        return text.replace("\r\n", "\n")

    def _rewritten(self, match: re.Match[str], path: str, target: str, text: str) -> str:
        found = self._meant(match["name"], path, target, text)
        if found is None:
            return match[0]
        named = posixpath.relpath(found, posixpath.dirname(target))
        named = named if named.startswith(".") else f"./{named}"
        return f"{match['head']}{match['quote']}{named}{match['quote']}"

    def _meant(self, name: str, path: str, target: str, text: str) -> str | None:
        """Copy what an import means; None where its name stays."""
        if name in _PUBLIC:
            return None
        if (shim := MODULES.get(name)) is not None:
            self.moving += [path] if shim == "motion" else []
            # Tabs happen in the browser; what shows none of them need not be loaded there.
            has_tabs = shim == "starlight" and re.search(r"<Tabs\b|\bTabs as\b|\bas Tabs\b", text)
            return self._shim("starlight-tabs" if has_tabs else shim, has_documents=_DOCUMENTS.search(text) is not None)
        if name.startswith("vitepress/") and name.endswith(".vue"):
            return self._shim("vitepress-part")
        if is_package_of_icons(name):
            return self._icons(name, path, text)
        plain, is_text = plain_name(name)
        base = self._base(plain, path)
        if base is None:
            return self._package(name, path, target, text)
        if is_text or base.endswith(DATA):
            return self._text(base, plain, is_text=is_text)
        written, name = name, plain
        ending = posixpath.splitext(base)[1]
        if ending in _SHEETS:
            return self._sheet(base)
        if ending in MEDIA:
            return self._image(base, written, text)
        if (loader := find_loader(base, self._site_dir)) is not None:
            return self._loaded(loader)
        found = next((one for one in _candidates(base) if (self._site_dir / one).is_file()), None)
        if found is None and not name.startswith("."):
            base = self._paths.find(name, path) or base
            found = next((one for one in _candidates(base) if (self._site_dir / one).is_file()), None)
        if found is None and path.endswith(".vue") and re.fullmatch(r"\./[A-Z]\w*\.vue", name):
            return self._registered(name[2:-4], path, target)
        if found is None and any((self._site_dir / f"{base}{end}").is_file() for end in _TYPES_ONLY):
            return self._shim("nothing")
        if found is None:  # an alias of what lies outside of the site is a package to it
            return None if name.startswith(".") else self._package(name, path, target, text)
        if not found.endswith((*_SCRIPTS, ".json", ".astro", ".vue")):
            raise UnusableError(f'it imports "{name}"')
        return self.add(found)

    def _text(self, path: str, name: str, *, is_text: bool) -> str:
        """Write a module with what a file holds: its text, or its data."""
        target = f"{self._folder}/{SOURCES}/{path}.{'text' if is_text else 'data'}.js"
        if not is_inside(self._site_dir, path) or not (self._site_dir / path).is_file():
            raise UnusableError(f'it takes in "{name}", which does not exist')
        self.files[target] = text_module(self._site_dir / path, name, is_text=is_text)
        return target

    def _loaded(self, path: str) -> str:
        """Write the data that a program gathers, as they are now."""
        target = f"{self._folder}/{SOURCES}/{path}.loaded.js"
        if target not in self.files:
            self.files[target] = load_data(path, self._site_dir, self._pages)
            self.loaders.append(path)
        return target

    def _registered(self, name: str, path: str, target: str) -> str | None:
        """Copy a component that a template of Vue uses without an import: one of the site, else one of a package."""
        if name == "Icon":
            return self._shim("nothing")
        found = [one for one in self._vue_files if posixpath.basename(one) == f"{name}.vue"]
        if len(found) == 1:
            return self.add(found[0])
        return self._package(name, path, target, f'import {name} from "{name}";\n<{name} />\n')

    @cached_property
    def _vue_files(self) -> list[str]:
        hidden = ("node_modules", ".git", ".octavo")
        folders = ((folder, folders, files) for folder, folders, files in os.walk(self._site_dir))
        found: list[str] = []
        for folder, inner, files in folders:
            inner[:] = [one for one in inner if one not in hidden]
            where = Path(folder).relative_to(self._site_dir)
            found += [(where / one).as_posix() for one in files if one.endswith(".vue")]
        return found

    def _base(self, name: str, path: str) -> str | None:
        if name.startswith(("./", "../")) or name in (".", ".."):
            base = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        else:
            alias = max((one for one in self._aliases if name.startswith(f"{one.rstrip('/')}/")), key=len, default=None)
            if alias is None:
                return self._paths.find(name, path)
            base = posixpath.normpath(posixpath.join(self._aliases[alias], name[len(alias.rstrip("/")) + 1 :]))
        return None if base.startswith(("..", "/")) else base

    def _shim(self, name: str, *, has_documents: bool = False) -> str:
        listed = "-listed" if has_documents and name in _LISTING else ""
        target = f"{self._folder}/{SOURCES}/shims/{name}{listed}.tsx"
        if target not in self.files:
            text = (_SHIMS / f"{name}.tsx").read_text(encoding="utf-8")
            documents = list_documents(self._pages) if listed else "[]"
            written = text.replace('"DOCUMENTS"', documents).replace('"SETTINGS"', json.dumps(dict(self._settings)))
            self.files[target] = written.replace('"./docs-client"', f'"./docs-client{listed}"')
            self.is_live = self.is_live or _LIVE.search(text) is not None
            for other in _BESIDE.findall(text):
                self._shim(other, has_documents=has_documents)
        return target

    def _icons(self, name: str, path: str, text: str) -> str:
        mark = hashlib.sha256(f"{path} {name}".encode()).hexdigest()[:8]
        target = f"{self._folder}/{SOURCES}/shims/icons-{mark}.tsx"
        self.files[target], missing = icons_module(name, text)
        self.icons += [f"{path}: {', '.join(missing)}"] if missing else []
        return target

    def _package(self, name: str, path: str, target: str, text: str) -> str | None:
        """Write a replacement of a package; None where the package is vendored, or only types of it are used."""
        if name.endswith(_SHEETS):
            self.sheets.append(f"{path}: {name}")
            return self._shim("nothing")
        if (self._site_dir / self._folder / VENDOR / f"{name}.js").exists():
            return None
        module, components = package_module(name, text)
        if not components and re.search(rf"""^[ \t]*import\s*["']{re.escape(name)}["']""", text, re.MULTILINE):
            module, components = "export {};\n", ["all"]
        if not module:
            return None
        shim = f"{self._folder}/{SOURCES}/shims/package-{digest(path, name)[:8]}.jsx"
        what = f"{', '.join(components)} of {name}"
        head = package_head(what, posixpath.relpath(target, self._folder)) if components else ""
        self.files[shim] = f"{head}{module}"
        for other in _BESIDE.findall(module):
            self._shim(other)
        self.packages += [f"{path}: {what}"] if components else []
        return shim

    def infima(self) -> str:
        """Write the style sheet that stands for Docusaurus' own; give its path."""
        target = f"{self._folder}/{SOURCES}/shims/infima.css"
        self.files[target] = (_SHIMS / "infima.css").read_text(encoding="utf-8")
        return target

    def _sheet(self, path: str) -> str:
        """Copy a style sheet; classes of a module get names of their own, which a script gives back."""
        target = f"{self._folder}/{SOURCES}/{posixpath.splitext(path)[0]}"
        if not (self._site_dir / path).is_file():
            raise UnusableError(f'"{path}" does not exist')
        text = _COMMENT.sub("", self.text(path))
        kept = _without_addresses(text) if path.endswith(".css") else ""
        self.sheets += [path] if kept != text else []
        text = kept
        is_module = posixpath.splitext(path)[0].endswith(".module")
        names: dict[str, str] = {}
        if is_module:
            mark = hashlib.sha256(path.encode()).hexdigest()[:6]

            def named(match: re.Match[str]) -> str:
                names[match[1]] = f"{match[1]}-{mark}"
                return f".{names[match[1]]}"

            def head(match: re.Match[str]) -> str:
                kept = _GLOBAL.split(match["head"])
                written = [one if number % 2 else _CLASS.sub(named, one) for number, one in enumerate(kept)]
                return "".join(written) + "{"

            text = _RULE.sub(lambda match: match[0] if match["head"].lstrip().startswith("@") else head(match), text)
        self.files[f"{target}.css"] = text
        sheet = f"./{posixpath.basename(target)}.css"
        # Keys of a style sheet that are not there are empty, as in a bundle.
        self.files[f"{target}.sheet.js"] = f"import {json.dumps(sheet)};\nexport default {json.dumps(names)};\n"
        return f"{target}.sheet"

    def _image(self, path: str, name: str, text: str) -> str:
        """Write a module with the address of a picture."""
        target = f"{self._folder}/{SOURCES}/{path}{_PICTURE}"
        made = picture_module(path, name, text, target=f"{target}.jsx", static=self._static, site_dir=self._site_dir)
        self.files[f"{target}.jsx"] = made.text
        self.pictures += [path] if made.is_imported else []
        return target


def _without_addresses(sheet: str) -> str:
    """Leave out what names other files: a style sheet is published elsewhere, and its relative addresses lead nowhere."""
    return _DECLARATION.sub("", sheet) if _ADDRESS.search(sheet) else sheet


def _candidates(base: str) -> list[str]:
    endings = (*_SCRIPTS, ".json")
    return [base, *(f"{base}{ending}" for ending in endings), *(f"{base}/index{ending}" for ending in endings)]
