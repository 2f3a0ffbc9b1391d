"""Pages of Fumadocs that show operations of an API description."""

from __future__ import annotations

import posixpath
from functools import cache
from pathlib import Path

from octavo.importing.apis.pages import OperationPages, PageOperations
from octavo.importing.common import relative
from octavo.importing.model import Plan
from octavo.importing.tree import Tree, split_front_matter
from octavo.lazy import regex as re
from octavo.site import is_inside

_PAGE = re.compile(r"\s*(?:\{/\*.*?\*/\}\s*)*<APIPage\b(?P<given>[^<>]*)/>\s*", re.DOTALL)
_DOCUMENT = re.compile(r"""\bdocument=\{?\s*["'`](?P<path>[^"'`]+)["'`]""")
_OPERATION = re.compile(
    r"""\{(?=[^{}]*?\bpath["']?\s*:\s*["'](?P<path>(?:[^"'{}]|\{[^{}]*\})+)["'])(?=.*?\bmethod["']?\s*:\s*["'](?P<method>\w+)["'])"""
)


_DESCRIPTIONS = tuple(
    f"{folder}*.{end}" for folder in ("", "public/", "openapi/", "api/", "specs/") for end in ("json", "yaml", "yml")
)
"""Where descriptions are that a program makes others from."""
_LONGEST = 20_000_000


def operation_pages(plan: Plan, tree: Tree, home: Path, prefix: str) -> OperationPages:
    """Find the pages of operations.

    Args:
        plan: Gets the references, and notes.
        tree: The pages.
        home: Folder of the old engine's configuration, at which paths of descriptions begin.
        prefix: Beginning of the routes of documents, such as `/docs`.
    """
    folder = relative(home, plan.site_dir)
    base = "" if folder == "." else folder

    def read(file: str) -> PageOperations | None:
        text = tree.text(file)
        page = _PAGE.fullmatch(split_front_matter(text)[1]) if "<APIPage" in text else None
        document = _DOCUMENT.search(page["given"]) if page else None
        if page is None or document is None:
            return None
        path = posixpath.normpath(posixpath.join(base, document["path"]))
        found = list(_OPERATION.finditer(page["given"]))
        if not is_inside(plan.site_dir, path) or not (plan.site_dir / path).is_file():
            # It is written by a program before each build; what it is made from may be there.
            routes = [one["path"] for one in found]
            if "://" in document["path"]:
                return None
            others = [
                one for one, text in descriptions().items() if routes and all(f'{route}"' in text for route in routes)
            ]
            if len(others) != 1:
                return None
            path = others[0]
            used.setdefault(document["path"], path)
        return PageOperations([path], [f"{one['method'].upper()} {one['path']}" for one in found])

    @cache
    def descriptions() -> dict[str, str]:
        """Read the descriptions of the site: path → text, with routes in double quotes also where it is YAML."""
        texts: dict[str, str] = {}
        for one in (path for name in _DESCRIPTIONS for path in sorted(home.glob(name))):
            text = one.read_text(encoding="utf-8", errors="replace") if one.stat().st_size < _LONGEST else ""
            if re.search(r"""(?:^|[{,])\s*["']?(?:openapi|swagger)["']?\s*:""", text, re.MULTILINE):
                texts[relative(one, plan.site_dir)] = re.sub(r"^(\s+/[^\s:]+):", r'\1":', text, flags=re.MULTILINE)
        return texts

    used: dict[str, str] = {}
    pages = OperationPages(plan, tree, prefix, read)
    for missing, other in used.items():
        plan.note(
            f"{missing}, a description that does not exist",
            f"Operations are those of {other}; name the right file in [[openapi]].",
            files=[other],
        )
    return pages
