"""Where the components of a site lie: found by the module that a page names, or by the component's name alone."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from octavo.lazy import regex as re
from octavo.site import is_inside

_ENDINGS = (".mdx", ".md", ".astro", ".vue", ".tsx", ".jsx", ".ts", ".js")
_REGISTRIES = ("MDXComponents", "mdx-components", "mdx")
_REGISTRY_PAGE = re.compile(r"/\[\[?\.\.\.\w+\]\]?/page$")
"""The page of Next.js that draws all documents."""
_REGISTRY_FOLDERS = (".vitepress/theme/index", ".vuepress/client", ".vuepress/enhanceApp")
"""Files, without their endings, in which a site names the components of all its pages."""
_IMPORTED = re.compile(r"""^[ \t]*import[ \t]+([A-Z]\w*)[ \t]+from[ \t]+["']([^"'\n]+)["']""", re.MULTILINE)
_IMPORTED_NAMES = re.compile(
    r"""^[ \t]*import[ \t]*(?:[A-Za-z_$][\w$]*[ \t]*,[ \t]*)?\{(?P<names>[^{}]*)\}[ \t\n]*from[ \t]*["'](?P<module>[^"'\n]+)["']""",
    re.MULTILINE,
)
_EXPORTED = re.compile(r"""\bexport[ \t]*\{(?P<names>[^{}]*)\}[ \t\n]*from[ \t]*["'](?P<module>[^"'\n]+)["']""")
_EXPORTED_OWN = re.compile(r"\bexport[ \t]*\{(?P<names>[^{}]*)\}(?![ \t\n]*from\b)")
_EXPORTED_COMPONENT = re.compile(r"^export[ \t]+(?:function|const)[ \t]+([A-Z]\w*)", re.MULTILINE)
_ALL_EXPORTED = re.compile(r"""\bexport[ \t]*\*[ \t]*from[ \t]*["'](\.[^"'\n]+)["']""")
_EXPORTED_NAME = re.compile(r"(?P<name>[A-Za-z_$][\w$]*)(?:\s+as\s+(?P<own>[A-Za-z_$][\w$]*))?")
_DEEPEST = 4
"""Modules that only hand on what others export, one behind the other."""
_NO_SOURCES = frozenset(["node_modules", ".git", ".octavo", "dist", "build", "public", "static"])
_MOST = 50_000
_LONGEST = 100_000


class ComponentSources:
    """The files of a site that may be components."""

    def __init__(self, site_dir: Path, home: Path, stubs: str) -> None:
        """Initialize; nothing is read yet.

        Args:
            site_dir: The site's folder.
            home: Folder of the old engine's configuration.
            stubs: Folder of this site's components, from the site's folder.
        """
        self._site_dir = site_dir
        self._home = home
        self._stubs = f"{stubs}/"
        self._texts: dict[str, str | None] = {}

    @cached_property
    def _by_stem(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for count, path in enumerate(self._walk()):
            if count >= _MOST:
                break
            stem, ending = posixpath.splitext(path)
            if ending in _ENDINGS and not path.startswith(self._stubs):
                name = posixpath.basename(stem)
                name = posixpath.basename(posixpath.dirname(stem)) if name == "index" else name
                found.setdefault(_plain(name), []).append(path)
        return found

    @cached_property
    def _registered(self) -> dict[str, tuple[str, str]]:
        """Name of a component of all pages → the module that it is imported from, and the file that does so."""
        found: dict[str, tuple[str, str]] = {}
        for path in self.registries:
            text = self.read(path) or ""
            found |= {name: (module, path) for name, module in _IMPORTED.findall(text)}
            for match in (*_IMPORTED_NAMES.finditer(text), *_EXPORTED.finditer(text)):
                names = (one["own"] or one["name"] for one in _EXPORTED_NAME.finditer(match["names"]))
                found |= {name: (match["module"], path) for name in names if name[0].isupper()}
            own = f"./{posixpath.basename(posixpath.splitext(path)[0])}"
            found |= dict.fromkeys(_EXPORTED_COMPONENT.findall(text), (own, path))
        return found

    @cached_property
    def registries(self) -> list[str]:
        """List the files in which a site names the components of all its pages."""
        stems = ((path, posixpath.splitext(path)[0]) for paths in self._by_stem.values() for path in paths)
        return [
            path
            for path, stem in stems
            if posixpath.basename(stem) in _REGISTRIES
            or _REGISTRY_PAGE.search(stem) is not None
            or stem.endswith(_REGISTRY_FOLDERS)
        ]

    def _walk(self) -> Iterator[str]:
        root = self._home if self._home.resolve().is_relative_to(self._site_dir.resolve()) else self._site_dir
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(name for name in folders if name not in _NO_SOURCES)
            where = Path(folder).resolve().relative_to(self._site_dir.resolve()).as_posix()
            yield from (name if where == "." else f"{where}/{name}" for name in sorted(files))

    def find(self, name: str, module: str, page: str) -> str | None:
        """Find the file of a component; None where there is none, or several that it may be.

        Args:
            name: Of the component.
            module: The module that a page imports it from; empty where it is registered for all pages.
            page: Path of a page that uses it.
        """
        found = self._module(name, module, page)
        for _ in range(_DEEPEST):
            handed = self._handed_on(name, found) if found else None
            inner = self._module(name, handed[1], found or "") if handed else None
            if handed is None or inner is None:
                break
            name, found = handed[0], inner
        return found

    def registered(self, name: str) -> tuple[str, str] | None:
        """Give the module from which a component of all pages is imported, and the file that does so; None for no such name."""
        return self._registered.get(name)

    def own(self, names: Iterable[str]) -> frozenset[str]:
        """Give those of some names under which all pages have a component that lies in a file of the site."""
        found = {name: self._registered[name] for name in names if name in self._registered}
        return frozenset(name for name, (module, page) in found.items() if self._module(name, module, page))

    def _handed_on(self, name: str, path: str) -> tuple[str, str] | None:
        """Give the name and the module of a component that a file only hands on: its own name, or the default export."""
        text = (self.read(path) if path.endswith((".ts", ".tsx", ".js", ".jsx")) else None) or ""
        for match in _EXPORTED.finditer(text):
            if exported := _exported_as(name, match["names"]):
                return exported, match["module"]
        if any(name in re.findall(r"\w+", match["names"]) for match in _EXPORTED_OWN.finditer(text)):
            for match in _IMPORTED_NAMES.finditer(text):
                if exported := _exported_as(name, match["names"]):
                    return exported, match["module"]
            return next((("default", str(module)) for own, module in _IMPORTED.findall(text) if own == name), None)
        for module in _ALL_EXPORTED.findall(text):
            inner = self._module(name, module, path)
            if inner and re.search(rf"\bexport\b[^\n;]*\b{re.escape(name)}\b", self.read(inner) or ""):
                return name, str(module)
        return None

    def _module(self, name: str, module: str, page: str) -> str | None:
        if not module and name in self._registered:
            module, page = self._registered[name]
        if module.startswith("."):
            base = posixpath.normpath(posixpath.join(posixpath.dirname(page), module))
            return next((one for one in self._names(base) if (self._site_dir / one).is_file()), None)
        if not module:
            found = [one for one in self._by_stem.get(_plain(name), []) if _is_component_folder(one)]
            return found[0] if len(found) == 1 else None
        if module.startswith("@site/") and self._home.resolve().is_relative_to(self._site_dir.resolve()):
            # A file in a folder that is not searched, such as that of static files, has this exact path.
            home = self._home.resolve().relative_to(self._site_dir.resolve()).as_posix()
            base = posixpath.normpath(posixpath.join(home, module.removeprefix("@site/")))
            exact = (one for one in self._names(base) if one.endswith(_ENDINGS) and (self._site_dir / one).is_file())
            if is_inside(self._site_dir, base) and (one := next(exact, None)) is not None:
                return one
        # What an alias stands for is not known here, but the file ends as the module does.
        tail = module.lstrip("@~/").partition("/")[2] if module[0] in "@~" else module.strip("/")
        # Below the alias `@` all of it is a path: a folder of the docs may have a file of the same name.
        tail = module[2:] if module.startswith(("@/", "~/")) else tail
        tail = "theme" if module == "@theme" else tail
        if not tail or (module[0] not in "@~/" and "/" not in module):
            return None
        stem = posixpath.splitext(tail)[0] if posixpath.splitext(tail)[1] in _ENDINGS else tail
        wanted = {tail, *self._names(stem)}
        found = [
            one
            for one in self._by_stem.get(_plain(posixpath.basename(stem)), [])
            if any(one == path or one.endswith(f"/{path}") for path in wanted)
        ]
        return found[0] if len(found) == 1 else None

    @staticmethod
    def _names(base: str) -> list[str]:
        return [base, *(f"{base}{ending}" for ending in _ENDINGS), *(f"{base}/index{ending}" for ending in _ENDINGS)]

    def read(self, path: str) -> str | None:
        """Read a file, once; None where it can't be, or is too long."""
        if path not in self._texts:
            self._texts[path] = self._read(path)
        return self._texts[path]

    def _read(self, path: str) -> str | None:
        if not is_inside(self._site_dir, path):
            return None
        try:
            text = (self._site_dir / path).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError):
            return None
        return text.replace("\r\n", "\n") if len(text) <= _LONGEST else None


def _exported_as(name: str, names: str) -> str:
    """Name under which another module exports a component, if that is its own or the default one; empty for none."""
    for one in _EXPORTED_NAME.finditer(names):
        if (one["own"] or one["name"]) == name and one["name"] in (name, "default"):
            return one["name"]
    return ""


def _plain(name: str) -> str:
    """Write `HeaderYields` and `_header-yields` the same way."""
    return re.sub(r"[\W_]+", "", name).lower()


def _is_component_folder(path: str) -> bool:
    """Whether components that all pages may use lie here: a page can have the name of one."""
    parts = path.split("/")[:-1]
    return any(part in ("components", "component", "theme", "snippets", "_components", "widgets") for part in parts)
