"""What components may ask of a site's pages: lists of documents, and data loaders of VitePress, `name.data.ts`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from octavo.importing.common import as_text
from octavo.importing.components.unusable import UnusableError
from octavo.importing.navigation import shown_title
from octavo.importing.scripts import ScriptError, Scripts
from octavo.importing.tree import Tree, split_front_matter
from octavo.lazy import regex as re

Pages = Callable[[], list[dict[str, Any]]]
"""Gives the pages of a site: `path` from the folder of the documents, `url`, `src`, `frontmatter`, and the `document`."""

_NAME = re.compile(r"(?P<stem>.+\.data)(?:\.[cm]?[jt]s)?")
_IS_LOADER = re.compile(r"\b(?:createContentLoader|defineLoader)\s*[(<]|\bload\s*(?:\(|:)")
_LONGEST = 200_000


def find_loader(base: str, site_dir: Path) -> str | None:
    """Find the data loader that a module means; None where it is none.

    Args:
        base: The module, from the site's folder, with or without its ending.
        site_dir: The site's folder.
    """
    name = _NAME.fullmatch(base)
    for ending in (".ts", ".js", ".mts", ".mjs") if name else ():
        path = site_dir / f"{name['stem']}{ending}" if name else site_dir
        if path.is_file() and _IS_LOADER.search(path.read_text(encoding="utf-8", errors="replace")):
            return path.relative_to(site_dir).as_posix()
    return None


def load_data(path: str, site_dir: Path, pages: Pages) -> str:
    """Run a data loader, and write a module with what it gives.

    Raises:
        UnusableError: it fails, or asks for what is not there before pages are drawn.
    """
    script = (
        f"const found = require({json.dumps(f'./{path}')});\n"
        "const loader = found.default ?? found;\n"
        f"const pages = {json.dumps([_for_loaders(page) for page in pages() if page['path'].endswith('.md')])};\n"
        'module.exports = typeof loader === "function" ? loader(pages) : loader.load(pages.map((page) => page.path));\n'
    )
    try:
        data = Scripts(site_dir).run(script)
    except ScriptError as error:
        raise UnusableError(f'the data of "{path}" cannot be loaded ({str(error).rpartition(": ")[2]})') from error
    written = json.dumps(data)
    if data is None or len(written) > _LONGEST:
        raise UnusableError(f'the data of "{path}" are {"nothing" if data is None else "too many"}')
    return f"export const data = {written};\nexport default data;\n"


def list_documents(pages: Pages) -> str:
    """Write the documents of a site in JSON, as hooks of Docusaurus give them: `id`, `title`, `description` and `path`."""
    return json.dumps([page["document"] for page in pages()], ensure_ascii=False)


def pages_of(tree: Tree) -> list[dict[str, Any]]:
    """List the pages of a site in Markdown."""
    prefix = f"/{tree.config.routing.docs.strip('/')}".rstrip("/")
    return [
        {
            "path": file,
            "url": tree.route(file),
            "src": split_front_matter(tree.text(file))[1],
            "frontmatter": _as_json(tree.front(file)),
            "document": {
                "id": tree.doc_id(file),
                "title": shown_title(tree, file),
                "description": as_text(tree.front(file).get("description")),
                "path": tree.route(file, prefix),
            },
        }
        for file in tree.files
        if file.endswith((".md", ".mdx"))
    ]


def _for_loaders(page: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in page.items() if key != "document"}


def _as_json(front: dict[str, Any]) -> Any:
    try:
        return msgspec.to_builtins(front, str_keys=True)
    except (RecursionError, TypeError):
        # Values that hold themselves, or of types that JSON lacks: no loader can use them.
        return {}
