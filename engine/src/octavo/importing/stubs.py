"""Stubs for the components of a site that can't be taken over, and which pages use them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from octavo.config import Config
from octavo.content import STOCK_COMPONENTS, ContentOptions, unknown_components
from octavo.documents import Compiler
from octavo.importing.components import (
    ComponentSources,
    Program,
    TooComplexError,
    UnusableError,
    component_in,
    copy_program,
    definition_of,
    module_of,
    pages_of,
    read_component,
    statements_of,
    try_programs,
)
from octavo.importing.model import Plan
from octavo.importing.tree import Tree
from octavo.lazy import regex as re
from octavo.site import is_inside

_PARTIAL = re.compile(r"""\bimport\b[^'"\n]*["']([^"'\n]+\.mdx?)["']""")
_EXPORT = re.compile(r"^export\s", re.MULTILINE)
_OF_REACT = frozenset(["Fragment", "StrictMode", "Suspense"])
"""Components of React itself, which only show their content."""
_DEEPEST = 4
"""Components in Markdown, one in the other."""
_DIAGRAMS = frozenset(["Mermaid", "MermaidChart", "MermaidDiagram"])
"""Names under which sites draw diagrams of Mermaid; the package is none of a build's, which draws them itself."""
_DIAGRAM_OF = re.compile(
    r"<Mermaid\w*\s(?:[^<>{}]*?\s)?(?P<key>chart|value|code|definition|diagram|source|graph|children)="
)
FOLDER = "octavo-components"
"""Folder of the stubs, where the settings name none for components: a folder `components` often holds programs."""


class Stub(msgspec.Struct):
    """A component that is left out."""

    name: str
    origin: str = ""
    """The module that pages import it from; empty where it is registered for all pages."""
    files: list[str] = []
    """Pages that use it."""
    reason: str = ""
    """What keeps it from being taken over, where that is known."""
    imports: list[tuple[str, str]] = []
    """Pages that import it, each with the module; `files` has those, too, for which it is registered."""
    others: dict[str, list[str]] = {}
    """Other files from which pages import a component of this name → these pages, which show the wrong one."""


def find_missing(
    paths: Iterable[str], site_dir: Path, options: ContentOptions, own: frozenset[str] = frozenset()
) -> list[Stub]:
    """Find the components that pages use and that are not Markdown, those of most pages first.

    Args:
        paths: Of the pages and partials, from the site's folder.
        site_dir: The site's folder.
        options: Those of the site without stubs.
        own: Names of ours under which the site has components of its own for all pages.
    """
    found: dict[str, Stub] = {}
    written = options.components - options.stubs
    options = msgspec.structs.replace(options, components=written)
    for path in paths:
        text = (site_dir / path).read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
        for name, module in unknown_components(text, path, options, own).items():
            if name in written or (module and _is_markdown(module, path, site_dir, options)):
                continue
            stub = found.setdefault(name, Stub(name))
            stub.origin = stub.origin or module
            stub.files.append(path)
            if module:
                stub.imports.append((module, path))
    return sorted(found.values(), key=lambda one: (-len(one.files), one.name))


def with_partials(pages: Iterable[str], site_dir: Path, options: ContentOptions) -> list[str]:
    """Add the Markdown files that pages import, and those that these import, in the order in which they are found."""
    found = dict.fromkeys(pages)
    waiting = list(found)
    while waiting:
        path = waiting.pop()
        try:
            text = (site_dir / path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        for module in _PARTIAL.findall(text) if "import" in text else ():
            other = _path_of(module, path, options)
            if other is not None and other not in found and is_inside(site_dir, other) and (site_dir / other).is_file():
                found[other] = None
                waiting.append(other)
    return list(found)


def with_parts(pages: list[str], places: ComponentSources, site_dir: Path, options: ContentOptions) -> list[Stub]:
    """Find the components that pages use, and those that the ones of them in Markdown use."""
    own = places.own(STOCK_COMPONENTS)
    stubs = find_missing(with_partials(pages, site_dir, options), site_dir, options, own)
    for _ in range(_DEEPEST):
        sources = [find_source(stub, places) for stub in stubs]
        parts = [path for path in sources if path and path.endswith((".md", ".mdx")) and path not in pages]
        if not parts:
            break
        pages = [*pages, *dict.fromkeys(parts)]
        stubs = find_missing(with_partials(pages, site_dir, options), site_dir, options, own)
    for stub in stubs:
        _choose(stub, places)
    return stubs


def _choose(stub: Stub, sources: ComponentSources) -> None:
    """Of files from which pages import components of one name, choose the one of most pages: a name has one component."""
    groups: dict[str, list[tuple[str, str]]] = {}
    places: dict[tuple[str, str], str] = {}
    for module, page in stub.imports:
        key = module, posixpath.dirname(page) if module.startswith(".") else ""
        if key not in places:
            places[key] = sources.find(stub.name, module, page) or module
        groups.setdefault(places[key], []).append((module, page))
    if len(groups) < 2:
        return
    chosen = max(groups, key=lambda path: len(groups[path]))
    stub.origin, first = groups[chosen][0]
    stub.files = [first, *(page for page in stub.files if page != first)]
    stub.others = {path: [page for _, page in found] for path, found in groups.items() if path != chosen}


def take_over(stub: Stub, sources: ComponentSources, options: ContentOptions) -> str | None:
    """Write a component of the old site as Markdown; None where it is a program.

    Args:
        stub: The component.
        sources: The files of the site.
        options: Those of the site, with the components that are there already.
    """
    path = find_source(stub, sources)
    text = sources.read(path) if path else None
    if stub.name in _DIAGRAMS and (text is None or "mermaid" in text):
        given = (_DIAGRAM_OF.search(sources.read(page) or "") for page in stub.files)
        if (found := next(filter(None, given), None)) is not None:
            return f'<CodeBlock language="mermaid">{{props.{found["key"]}}}</CodeBlock>\n'
    if path is None and stub.origin in ("", "react") and stub.name in _OF_REACT:
        return "{props.children}\n"
    if path is None or text is None or "." in stub.name:
        return None  # a member of an object is a program, whatever its file
    ending = posixpath.splitext(path)[1]
    head = f"{{/* Taken over from {path} */}}\n\n"
    if ending in (".md", ".mdx"):
        definition = definition_of(stub.name, text)
        if definition is None:
            return (
                None if _EXPORT.search(statements_of(text)) else f"import Part from '@site/{path}';\n\n{head}<Part />\n"
            )
        text, ending = definition, ".jsx"
    try:
        written = read_component(text, ending, stub.name)
    except TooComplexError:
        return None
    # What it uses itself must be there as well.
    is_whole = not unknown_components(written, f"{FOLDER}/{stub.name}.mdx", options)
    return f"{head}{written}" if is_whole else None


def find_source(stub: Stub, sources: ComponentSources) -> str | None:
    """Find the file of a component: a page may export one for itself, and others the same."""
    definitions: dict[str, str] = {}
    name = stub.name.partition(".")[0]
    for page in stub.files if not stub.origin else ():
        if (definition := definition_of(name, sources.read(page) or "")) is not None:
            definitions.setdefault(" ".join(definition.split()), page)
    if len(definitions) > 1:
        stub.reason = "pages define several components of this name"
        return None
    return next(iter(definitions.values()), None) or sources.find(name, stub.origin, stub.files[0])


def _is_markdown(module: str, path: str, site_dir: Path, options: ContentOptions) -> bool:
    """Whether a module without an ending is a Markdown file."""
    base = _path_of(module, path, options)
    return base is not None and any((site_dir / f"{base}{ending}").is_file() for ending in (".mdx", ".md"))


def _path_of(module: str, path: str, options: ContentOptions) -> str | None:
    """Path, from the site's folder, that a module has in a page; None for a package."""
    aliases = {"@site": "", **options.dialect_of(path).aliases}
    alias = max((one for one in aliases if module.startswith(f"{one.rstrip('/')}/")), key=len, default=None)
    if alias is not None:
        base = posixpath.join(aliases[alias], module[len(alias.rstrip("/")) + 1 :])
    elif module.startswith("/"):
        base = module.lstrip("/")
    elif module.startswith("."):
        base = posixpath.join(posixpath.dirname(path), module)
    else:
        return None
    return posixpath.normpath(base)


def _given(stub: Stub, sources: ComponentSources) -> str | None:
    """Write the module of a component of a package, as a page imports it, or a file for all pages."""
    registered = sources.registered(stub.name.partition(".")[0])
    places = [(stub.origin, page) for page in stub.files] if stub.origin else []
    for module, page in [*places, *([registered] if registered else [])]:
        if (text := module_of(stub.name, module, sources.read(page) or "")) is not None:
            return text
    return None


def _within(stub: Stub, sources: ComponentSources) -> tuple[str, str] | None:
    """Find a component that a file for all pages holds itself: a path beside it, and the module of the component alone."""
    owner, _, member = stub.name.partition(".")
    for registry in sources.registries if not stub.origin else ():
        text = component_in(owner, sources.read(registry) or "")
        if text is not None:
            stem = posixpath.splitext(registry)[0]
            text = (
                text.replace("\nexport default ", "\nconst $whole = ") + f"export default $whole.{member};\n"
                if member
                else text
            )
            return f"{stem}-{owner}.tsx", text
    return None


def context_of(plan: Plan, config: Config) -> dict[str, Any]:
    """What components may ask for of the site's settings."""
    return {
        **plan.context,
        "title": config.title,
        "tagline": config.tagline or "",
        "url": config.url or "",
        "baseUrl": f"{config.base_url.rstrip('/')}/",
    }


def take_over_programs(
    stubs: list[Stub], sources: ComponentSources, plan: Plan, config: Config, compiler: Compiler, folder: str
) -> list[Program]:
    """Take over the components in React that use nothing but what components of ours may use.

    Those that are left over get the reason.
    """
    found: list[Program] = []
    documents = cache(lambda: pages_of(Tree(plan.site_dir, plan.settings, plan.settings.get("docs", "docs"))))
    for stub in stubs:
        path = find_source(stub, sources)
        given = None
        if path is None and (given := _given(stub, sources)) is not None:
            path = f"{stub.name}.tsx"
        if path is None and (within := _within(stub, sources)) is not None:
            path, given = within
        if path is None or not path.endswith((".tsx", ".jsx", ".ts", ".js", ".astro", ".vue", ".mdx", ".md")):
            continue
        aliases = compiler.options.dialect_of(stub.files[0]).aliases
        settings = context_of(plan, config)
        try:
            one = copy_program(
                stub.name,
                path,
                plan.site_dir,
                folder,
                aliases,
                config.static,
                settings,
                given=given,
                pages=documents,
                uses="\n".join(sources.read(page) or "" for page in stub.files),
            )
        except UnusableError as error:
            stub.reason = str(error)
        else:
            found.append(one)
    pages = {stub.name: stub.files for stub in stubs}
    failed = try_programs(found, pages, plan.site_dir, config, compiler).failed
    for stub in stubs:
        stub.reason = stub.reason or failed.get(stub.name, "")
    return [one for one in found if one.name not in failed]
