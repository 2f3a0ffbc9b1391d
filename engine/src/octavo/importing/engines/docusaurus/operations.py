"""Pages that the plug-in docusaurus-openapi-docs wrote: one for each operation of an API description."""

from __future__ import annotations

import base64
import binascii
import json
import posixpath
import re
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from octavo.importing.apis.pages import OperationPages, PageOperations
from octavo.importing.common import as_dict, as_list, as_text, is_external, relative
from octavo.importing.model import Plan
from octavo.importing.tree import Tree
from octavo.site import is_inside

_METHODS = frozenset(["get", "put", "post", "delete", "options", "head", "patch", "trace"])
_LARGEST = 16 << 20
"""Bytes of an operation; one that unpacks to more is not read."""
_OF_PAGE = ("method", "path", "servers", "securitySchemes", "jsonRequestBodyExample", "info", "postman")
"""What the plug-in adds to an operation."""


def operation_pages(
    plan: Plan, tree: Tree, home: Path, prefix: str, plugins: Iterable[tuple[str, dict[str, Any]]]
) -> OperationPages:
    """Find the pages of operations. They hold the operations themselves: where their description is no file of the site, one is put together.

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
