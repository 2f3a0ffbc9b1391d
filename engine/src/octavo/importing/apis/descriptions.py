"""API descriptions that an old site names, in the navigation or in pages of operations: a reference of ours each."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import cached_property
from itertools import chain, count
from typing import TYPE_CHECKING, Any

import msgspec

from octavo.config import ApiReference
from octavo.content import FrontMatter
from octavo.documents import mend_api, read_api
from octavo.importing.common import as_dict, as_list, as_text, is_external
from octavo.importing.model import Plan
from octavo.importing.tree import Tree, split_front_matter
from octavo.lazy import regex as re
from octavo.site import document_id, is_inside

if TYPE_CHECKING:
    from octavo.reference.openapi import Description

_OPERATION = re.compile(
    r"(?:(?P<source>\S+)\s+)?(?P<method>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|WEBHOOK)\s+(?P<path>\S.*)",
    re.IGNORECASE,
)
_ENDINGS = (".json", ".yaml", ".yml")
_AT_AN_ADDRESS = "API descriptions at an address"
_REMEDY = "Save a description as a file of the site, name it under [[openapi]], with its address as url, and put its doc into a sidebar."


class _Api(msgspec.Struct):
    """A description that can be drawn."""

    config: ApiReference
    description: Description
    by_name: dict[str, str]
    """Method and path → id of the operation."""
    named: int = 0
    """Operations of it that the navigation names."""
    is_used: bool = False
    wanted: str = ""
    """Folder of its pages there; the reference makes room for a page that lies in it."""


def sources_of(raw: Any) -> list[tuple[str, str]]:
    """List the descriptions that a value of `openapi` names: (file or address, folder of their pages or nothing)."""
    found = []
    for one in as_list(raw):
        table = as_dict(one)
        source = as_text(table.get("source")) if table else as_text(one)
        if source:
            found.append((source, as_text(table.get("directory")).strip("/")))
    return found


def is_operation(name: str) -> bool:
    """Return whether an entry of the navigation is an operation, such as `GET /users`."""
    return _OPERATION.fullmatch(name) is not None


class Apis:
    """The descriptions of a site, read when they are named first."""

    def __init__(self, plan: Plan, tree: Tree, common: list[tuple[str, str]]) -> None:
        """Initialize.

        Args:
            plan: Gets notes.
            tree: The pages, whose addresses are taken.
            common: Descriptions of the whole site, in which operations are looked up that name none.
        """
        self._plan = plan
        self._tree = tree
        self._common = common
        self._known: dict[str, _Api | None] = {}
        self._routes = {tree.route(file).rstrip("/") for file in tree.files}
        self.instead: dict[str, str] = {}
        """File of a page that only shows an operation → route of the operation."""

    def named_in(self, raw: Any) -> int:
        """Count the operations of descriptions that were named so far."""
        found = [self._get(*one) for one in sources_of(raw)]
        return sum(api.named for api in found if api)

    def whole(self, raw: Any, label: str) -> list[dict[str, Any]]:
        """Give the entries of whole descriptions; a link to those that cannot be drawn.

        Args:
            raw: The value of `openapi`.
            label: Of the entry, if it is the only one; empty for the title of the description.
        """
        entries: list[dict[str, Any]] = []
        sources = sources_of(raw)
        for source, folder in sources:
            api = self._get(source, folder)
            own = label if len(sources) == 1 else ""
            if api:
                api.is_used = True
                entries.append({"doc": api.config.doc, **({"label": own} if own else {})})
            elif is_external(source) or self._is_file(source):
                href = source if is_external(source) else f"/{source.lstrip('./')}"
                entries.append({"href": href, "label": own or posixpath.basename(source)})
        return entries

    def operation(self, name: str, nearest: list[tuple[str, str]], label: str = "") -> dict[str, Any] | None:
        """Give the entry of an operation, such as `openapi.json GET /users`; None where no description has it."""
        found = self._find(name, nearest)
        if found is None:
            return None
        api, operation_id = found
        description = api.description
        operation = next(one for one in description.operations if one.id == operation_id)
        route = description.operation_route(description.group_of[operation.id], operation)
        api.named += 1
        api.is_used = True
        if description.group_of[operation.id].has_pages:
            doc = document_id(f"{route[1:]}.md", FrontMatter(), self._tree.config.routing)
            return {"doc": doc, **({"label": label} if label else {})}
        return {"href": description.operation_address(operation, ""), "label": label or operation.title}

    def group_route(self, name: str, nearest: list[tuple[str, str]]) -> str:
        """Give the route of the page of an operation's group, which lists its operations; empty where no description has it."""
        found = self._find(name, nearest)
        return found[0].description.group_route(found[0].description.group_of[found[1]]) if found else ""

    def page(self, file: str, nearest: list[tuple[str, str]], label: str) -> dict[str, Any] | None:
        """Give the entry of a page whose front matter names an operation; None for any other.

        A page without a text of its own makes room for the operation, to which its address leads.
        """
        name = as_text(self._tree.front(file).get("openapi"))
        if not name or not is_operation(name):
            return None
        entry = self.operation(name, nearest, label)
        if entry is None:
            self._plan.note(
                "Pages of operations without the operation: no description that is a file of the site has it",
                _REMEDY,
                files=[self._tree.path(file)],
            )
            return None
        if not split_front_matter(self._tree.text(file))[1].strip():
            self.instead[file] = entry["href"] if "href" in entry else f"/{entry['doc']}"
            return entry
        operation = {**entry, "label": " ".join(name.split()[-2:])}
        return {"category": label, "link": {"type": "doc", "id": self._tree.doc_id(file)}, "items": [operation]}

    def moved(self) -> Iterator[tuple[str, str]]:
        """List the addresses that operations had, and the new ones.

        There they are named by their title. And the reference makes room for pages that lie in its folder.
        """
        for one in filter(None, self._known.values()):
            for operation in one.description.operations if one.is_used else ():
                route = one.description.operation_route(one.description.group_of[operation.id], operation)
                if not route.startswith(f"/{one.config.doc}/"):
                    continue
                rest = route[len(one.config.doc) + 2 :]
                title = re.sub(r"[^a-z0-9]+", "-", operation.title.lower()).strip("-")
                for name in dict.fromkeys((rest, posixpath.join(posixpath.dirname(rest), title) if title else rest)):
                    if f"/{one.wanted}/{name}" != route:
                        yield f"/{one.wanted}/{name}", route

    def routes(self, source: str) -> Iterator[tuple[str, str]]:
        """List the pages of a description: (name of its operation or tag, or title of the whole, route)."""
        api = self._get(source, "")
        if api is None:
            return
        about = api.description
        yield about.title, about.route
        yield from ((group.name, about.group_route(group)) for group in about.groups)
        for one in about.operations:
            name = one.name or as_text(one.data.get("summary"))
            yield name, about.operation_route(about.group_of[one.id], one)

    def written(self) -> list[dict[str, Any]]:
        """Give the tables `[[openapi]]` of the descriptions that entries lead to."""
        return [
            {"id": one.config.id, "doc": one.config.doc, "spec": one.config.spec, "layout": one.config.layout}
            for one in self._known.values()
            if one and one.is_used
        ]

    def _find(self, name: str, nearest: list[tuple[str, str]]) -> tuple[_Api, str] | None:
        match = _OPERATION.fullmatch(name)
        if match is None:
            return None
        key = _key(match["method"], match["path"])
        named = [(match["source"], "")] if match["source"] else [*nearest, *self._common, *self._lying_about]
        for source, folder in named:
            api = self._get(source, folder)
            if api and key in api.by_name:
                return api, api.by_name[key]
        return None

    @cached_property
    def _lying_about(self) -> list[tuple[str, str]]:
        """Descriptions that nothing names: Mintlify finds them by itself."""
        site_dir = self._plan.site_dir
        found = sorted(
            self._plan.path(path)
            for path in site_dir.rglob("*openapi*")
            if path.suffix in _ENDINGS and path.is_file() and is_inside(site_dir, str(path.relative_to(site_dir)))
        )
        return [(path, "") for path in found if not {"node_modules", "build"} & set(path.split("/")) and path[0] != "."]

    def _get(self, source: str, folder: str) -> _Api | None:
        name = source if is_external(source) else posixpath.normpath(source.lstrip("/"))
        if not is_external(name) and not self._is_file(name):
            name = next((name + ending for ending in _ENDINGS if self._is_file(name + ending)), name)
        if name not in self._known:
            self._known[name] = self._read(name, folder)
        return self._known[name]

    def _read(self, name: str, folder: str) -> _Api | None:
        if is_external(name):
            self._plan.note(_AT_AN_ADDRESS, _REMEDY, files=[name])
            return None
        if not self._is_file(name):
            remedy = "Write the description before a build, and name it under [[openapi]]."
            self._plan.note("API descriptions that do not exist", remedy, files=[name])
            return None
        stem = re.sub(r"[^a-z0-9]+", "-", posixpath.splitext(posixpath.basename(name))[0].lower()).strip("-") or "api"
        known = [one.config for one in self._known.values() if one]
        number = 1
        while (api_id := stem if number == 1 else f"{stem}-{number}") in {one.id for one in known}:
            number += 1
        config = ApiReference(
            id=api_id, doc=self._place(folder, stem, {one.doc for one in known}), spec=name, layout="operations"
        )
        planned = self._plan.files.get(name)
        data = planned.encode() if planned is not None and not self._lies_there(name) else None
        description, problems = read_api(config, self._plan.site_dir, data)
        errors = [one.message for one in problems if one.level == "error"]
        if description is None or errors:
            config, description = self._mended(config, data) or (config, None)
        if description is None:
            why = errors[0] if errors else "it cannot be read"
            self._plan.note(
                "API descriptions that cannot be drawn",
                "Mend them, and import again; the sidebar links to the files.",
                files=[f"{name}: {why}"],
            )
            return None
        by_name = {_key(one.method, one.path): one.id for one in description.operations}
        return _Api(config, description, by_name, wanted=_folder(folder))

    def _mended(self, config: ApiReference, data: bytes | None) -> tuple[ApiReference, Description] | None:
        """Write a copy of a description without what is wrong with it; None where it has nothing right."""
        text, wrong = mend_api(config.spec, self._plan.site_dir, data)
        spec = f"api-descriptions/{config.id}.json"
        if not text or spec in self._plan.files or spec == config.spec:
            return None
        config = msgspec.structs.replace(config, spec=spec)
        description, _ = read_api(config, self._plan.site_dir, text.encode())
        if description is None:
            return None
        self._plan.files[spec] = text
        self._plan.note(
            "API descriptions that break rules of OpenAPI; a copy without what is wrong is drawn",
            "Correct the description, and name it under [[openapi]] in place of the copy.",
            count=len(wrong),
            files=[f"{posixpath.basename(spec)}: {place}" for place in wrong],
        )
        return config, description

    def _place(self, folder: str, stem: str, taken: set[str]) -> str:
        """Choose the document of a reference, below which no page and no other reference lies."""
        base = _folder(folder)
        others = {*(route.strip("/") for route in self._routes), *taken}

        def is_free(doc: str) -> bool:
            is_below = any(doc.startswith(f"{one}/") for one in taken)
            return not is_below and not any(one == doc or one.startswith(f"{doc}/") for one in others)

        names = chain((base, f"{base}/operations", f"{base}-{stem}"), (f"{base}-{number}" for number in count(2)))
        return next(filter(is_free, names))

    def _is_file(self, name: str) -> bool:
        return name in self._plan.files or self._lies_there(name)

    def _lies_there(self, name: str) -> bool:
        path = posixpath.normpath(name.lstrip("/"))
        return is_inside(self._plan.site_dir, path) and (self._plan.site_dir / path).is_file()


def _folder(name: str) -> str:
    """Write the folder of the pages of a description as a part of addresses."""
    parts = (re.sub(r"[^\w-]+", "-", one, flags=re.ASCII).strip("-") for one in name.split("/"))
    return "/".join(filter(None, parts)) or "api-reference"


def _key(method: str, path: str) -> str:
    """Write an operation in the way in which operations are compared: names of parameters do not count."""
    path = path.strip()
    if method.upper() == "WEBHOOK" or path.startswith("webhook:"):
        return f"WEBHOOK {path.removeprefix('webhook:').strip()}"
    return f"{method.upper()} {re.sub(r'{[^{}]*}', '{}', path).rstrip('/') or '/'}"
