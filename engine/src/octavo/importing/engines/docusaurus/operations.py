"""Pages that the plug-in docusaurus-openapi-docs wrote, or writes at each build: one for each operation of an API description."""

from __future__ import annotations

import base64
import binascii
import json
import posixpath
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from octavo.importing.apis.descriptions import Apis
from octavo.importing.apis.pages import OperationPages, PageOperations
from octavo.importing.common import as_dict, as_list, as_text, is_external, relative
from octavo.importing.model import Plan
from octavo.importing.tree import Tree
from octavo.lazy import regex as re
from octavo.site import is_inside

_METHODS = frozenset(["get", "put", "post", "delete", "options", "head", "patch", "trace"])
_LARGEST = 16 << 20
"""Bytes of an operation; one that unpacks to more is not read."""
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_OF_PAGE = ("method", "path", "servers", "securitySchemes", "jsonRequestBodyExample", "info", "postman")
"""What the plug-in adds to an operation."""


def operation_pages(
    plan: Plan, tree: Tree, home: Path, prefix: str, plugins: Iterable[tuple[str, dict[str, Any]]]
) -> OperationPages:
    """Find the pages of operations. They hold the operations themselves: where their description is not a file of the site, one is put together.

    Args:
        plan: Gets the references, and the descriptions that are put together.
        tree: The pages.
        home: Folder of the old engine's configuration.
        prefix: Beginning of the routes of documents, such as `/docs`.
        plugins: Names and options of the plug-ins.
    """
    given = dict(_descriptions(plan, home, plugins))
    operations = {file: found for file in tree.files if (found := _operation(tree.front(file).get("api")))}
    made: dict[str, dict[str, Any]] = {}
    names: dict[str, str] = {}
    for file, operation in operations.items():
        folder = posixpath.dirname(file)
        name = f"api-descriptions/{re.sub(r'[^a-z0-9]+', '-', folder.lower()).strip('-') or 'api'}.json"
        names[file] = name
        _add(made.setdefault(name, {}), operation)
    plan.files |= {name: json.dumps(root, indent=1, ensure_ascii=False) for name, root in made.items()}

    def read(file: str) -> PageOperations | None:
        operation = operations.get(file)
        if operation is None:
            return None
        path = tree.path(file)
        known = [description for folder, description in given.items() if path.startswith(f"{folder}/")]
        named = f"{operation['method'].upper()} {operation['path']}"
        return PageOperations([*known, names[file]], [named], posixpath.dirname(file))

    pages = OperationPages(plan, tree, prefix, read)
    used = {one["spec"] for one in plan.settings.get("openapi", [])}
    for name in made.keys() - used:
        del plan.files[name]
    if written := sorted(made.keys() & used):
        remedy = "They were put together from its pages. Name the description itself under [[openapi]], as spec or as url, if there is one."
        plan.note("API descriptions that the plug-in for OpenAPI has read from elsewhere", remedy, files=written)
    return pages


def unwritten_pages(
    plan: Plan, tree: Tree, home: Path, prefixes: tuple[str, str], plugins: Iterable[tuple[str, dict[str, Any]]]
) -> dict[str, str]:
    """Make references of descriptions whose pages are written at each build, and are not files of the repository.

    Args:
        plan: Gets the references, and an entry of a sidebar for each.
        tree: The pages.
        home: Folder of the old engine's configuration.
        prefixes: Beginnings of the routes of these documents, and of those among which a reference lies.
        plugins: Names and options of the plug-ins.

    Returns:
        Address of a page that would be written → route that takes its place.
    """
    apis, instead = Apis(plan, tree, []), dict[str, str]()
    old, new = prefixes
    taken = {tree.route(file, old) for file in tree.files} | set(_routes_of_categories(plan, old))
    for folder, spec in dict(_descriptions(plan, home, plugins)).items():
        own = relative(plan.site_dir / folder, plan.site_dir / tree.root)
        is_there = any(file.startswith(f"{own}/") for file in tree.files)
        if own.startswith("..") or is_there or any(one["spec"] == spec for one in plan.settings.get("openapi", [])):
            continue
        entries = apis.whole([{"source": spec, "directory": own}], "")
        found = {f"{old}/{own}/{slug}": f"{new}{route}" for name, route in apis.routes(spec) if (slug := _kebab(name))}
        instead |= {source: route for source, route in found.items() if source != route and source not in taken}
        if found and not any(_fill(sidebar["items"], f"/{own}/", entries) for sidebar in plan.settings["sidebars"]):
            for sidebar in plan.settings["sidebars"][:1]:
                sidebar["items"] += entries
    if written := apis.written():
        plan.settings.setdefault("openapi", []).extend(written)
    return instead


def _fill(items: list[dict[str, Any]], below: str, entries: list[dict[str, Any]]) -> bool:
    """Put entries into the group that has nothing but an address in the folder of a reference; returns whether there is one."""
    for one in items:
        if not one.get("items") and as_text(as_dict(one.get("link")).get("slug")).startswith(below):
            one["items"] = entries
            return True
        if _fill(one.get("items", []), below, entries):
            return True
    return False


def _routes_of_categories(plan: Plan, prefix: str) -> Iterable[str]:
    """List the addresses of the pages of groups in sidebars."""
    level = [one for sidebar in plan.settings["sidebars"] for one in sidebar["items"]]
    while level:
        yield from (f"{prefix}{slug}" for one in level if (slug := as_text(as_dict(one.get("link")).get("slug"))))
        level = [inner for one in level for inner in one.get("items", [])]


def _kebab(name: str) -> str:
    """Write a name as the plug-in does in addresses: `listKitesV2` is `list-kites-v-2`."""
    return "-".join(_WORD.findall(name)).lower()


def _descriptions(plan: Plan, home: Path, plugins: Iterable[tuple[str, dict[str, Any]]]) -> Iterable[tuple[str, str]]:
    """List the descriptions that are files of the site: (folder of their pages, file), from the site's folder."""
    for name, options in plugins:
        if "openapi-docs" not in name:
            continue
        for one in map(as_dict, as_dict(options.get("config")).values()):
            spec, folder = as_text(one.get("specPath")), as_text(one.get("outputDir"))
            if not spec or not folder or is_external(spec) or is_external(folder):
                continue
            base = "" if (base := relative(home, plan.site_dir)) == "." else base
            path = posixpath.normpath(posixpath.join(base, spec))
            if is_inside(plan.site_dir, path) and (plan.site_dir / path).is_file():
                yield posixpath.normpath(posixpath.join(base, folder)), path


def _operation(given: object) -> dict[str, Any] | None:
    """Read what a page says of its operation in its front matter: a table, or one that is packed."""
    if isinstance(given, str):
        try:
            unpacker = zlib.decompressobj()
            text = unpacker.decompress(base64.b64decode(given), _LARGEST)
            given = json.loads(text) if not unpacker.unconsumed_tail else None
        except (binascii.Error, zlib.error, ValueError, RecursionError):
            return None
    found = as_dict(given)
    is_whole = as_text(found.get("method")) in _METHODS and as_text(found.get("path")).startswith("/")
    return found if is_whole else None


def _add(root: dict[str, Any], operation: dict[str, Any]) -> None:
    """Add an operation to a description."""
    info = as_dict(operation.get("info"))
    root.setdefault("openapi", "3.1.0")
    root.setdefault(
        "info", {**info, "title": as_text(info.get("title"), "API"), "version": as_text(info.get("version"), "1")}
    )
    root.setdefault("servers", as_list(operation.get("servers")))
    schemes = as_dict(operation.get("securitySchemes"))
    if schemes:
        root.setdefault("components", {}).setdefault("securitySchemes", {}).update(schemes)
    own = {key: value for key, value in operation.items() if key not in _OF_PAGE}
    root.setdefault("paths", {}).setdefault(operation["path"], {})[operation["method"]] = own
