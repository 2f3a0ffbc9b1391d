"""Operations of a description, with references followed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from octavo.lazy import regex as re
from octavo.reference.openapi.names import Unique, anchor_part, given_id, operation_id
from octavo.reference.openapi.source.methods import PathOperation, operations_of
from octavo.reference.openapi.source.references import resolve
from octavo.reference.openapi.text import plain_text

UNTAGGED = "Other operations"
_LONGEST_TITLE = 80
_SENTENCE = re.compile(r"(?<=[^\W\d_][.!?])\s+(?=\W*[^\W\d_a-z])|\s*[:;]\s")
"""The end of the first sentence, or the colon or semicolon before a list."""
_ID_PART = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z])(?=[0-9])")
_VERSION = re.compile(r"api|rest|v?\d+(?:\.\d+)*|\d{4}-\d{2}-\d{2}", re.IGNORECASE)
_MANY = 20
"""Operations from which on one group of all is not help."""


class Operation(msgspec.Struct, frozen=True):
    """An operation of the document, references to parameters, bodies and answers followed."""

    id: str
    """Unique in the document."""
    anchor: str
    """Unique in the document, as ids that differ only by white space would not be."""
    method: str
    """Upper case."""
    path: str
    """As in the document; `webhook: name` for a webhook."""
    pointer: tuple[str, ...]
    tags: list[str]
    data: dict[str, Any]
    parameters: list[dict[str, Any]]
    servers: list[str]
    about_path: list[str] = []
    """Summary and description of the path, which several operations share."""
    path_data: dict[str, Any] = {}
    """Object of the path, with all its operations; of a callback, with the callback's extensions."""
    callbacks: list[Operation] = []
    """Requests that the server makes in return; `path` holds the name and the expression of the address."""

    @property
    def name(self) -> str:
        """Its `operationId` as it is written; empty where it has none."""
        return given_id(self.data)

    @property
    def title(self) -> str:
        """What it is called: its summary, or the first sentence of a long one; else its id in words, else method and path."""
        return short_title(self._summary) or words_of_id(self.name) or f"{self.method} {self.path}"

    @property
    def about(self) -> str:
        """What the document says of it and of its path, in Markdown; a summary that is too long for a title goes first."""
        text = str(self.data.get("description") or "").strip()
        summary = self._summary.strip()
        is_whole = not summary or plain_text(summary).rstrip(".") == self.title
        parts = [] if is_whole or text.startswith(summary) else [summary]
        # Operations of one path often repeat what is said of it.
        parts += [text, *(one for one in self.about_path if one not in text and one.rstrip(".") != self.title)]
        return "\n\n".join(filter(None, parts))

    @property
    def _summary(self) -> str:
        return str(self.data.get("summary") or "")


def short_title(summary: str) -> str:
    """Make a title of a summary: its words without marks, of a long one the first sentence; empty where that is none."""
    words = plain_text(summary)
    if len(words) > _LONGEST_TITLE:
        words = _SENTENCE.split(words, maxsplit=1)[0]
        # "Deprecated." and "Starting a new project?" are words to the reader, before what the operation does.
        if " " not in words or words.endswith(("?", "!")):
            return ""
    if len(words) > _LONGEST_TITLE:
        return ""
    return words.removesuffix(".") if words.count(".") == 1 else words


def words_of_id(name: str) -> str:
    """Make a title of an `operationId`: `listKilns` is `List kilns`; empty where it is no words, such as a path or a number."""
    parts = [part for part in _ID_PART.split(name) if part]
    if len(parts) < 2 or not all(part.isalpha() for part in parts):
        return ""
    words = [part if part.isupper() and len(part) > 1 else part.lower() for part in parts]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])


def find_operations(root: dict[str, Any]) -> list[Operation]:
    """List the operations of a document, webhooks behind the paths."""
    names = _Names(Unique(), Unique())
    base = find_servers(root)
    found = [
        _operation(root, names, (group, name), item, described, base)
        for group in ("paths", "webhooks")
        for name, raw in (root.get(group) or {}).items()
        if isinstance(item := resolve(root, raw), dict)
        for described in operations_of(item)
    ]
    return _with_groups(found)


def _with_groups(operations: list[Operation]) -> list[Operation]:
    """Group the operations of a document that has no tags by the first part of their paths, where they are many."""
    if len(operations) < _MANY or any(one.tags != [UNTAGGED] for one in operations):
        return operations
    names = [_group_of(one.path) for one in operations]
    if not 2 <= len(set(names)) <= len(names) // 2:
        return operations
    return [msgspec.structs.replace(one, tags=[name or UNTAGGED]) for one, name in zip(operations, names, strict=True)]


def _group_of(path: str) -> str:
    parts = [part for part in path.split("/") if part and "{" not in part and not _VERSION.fullmatch(part)]
    words = _ID_PART.split(parts[0].lstrip("@")) if parts and path.startswith("/") else []
    name = " ".join(filter(None, words))
    return name[:1].upper() + name[1:]


def tag_name(text: str) -> str:
    """Give the name of a tag as readers see it: blanks around it, and how many are inside, make no other group."""
    return " ".join(text.split())


class _Names(NamedTuple):
    """Names that are given out already."""

    ids: Unique
    anchors: Unique


def _operation(
    root: dict[str, Any],
    names: _Names,
    place: tuple[str, str],
    item: dict[str, Any],
    described: PathOperation,
    base: list[str],
) -> Operation:
    group, name = place
    data = described.data
    tags = [tag_name(tag) for tag in data.get("tags") or [] if isinstance(tag, str) and tag.strip()]
    identity = names.ids.name(operation_id(described.method.lower(), name, data))
    anchor = names.anchors.name(f"operation/{anchor_part(identity)}")
    return Operation(
        id=identity,
        anchor=anchor,
        method=described.method,
        path=name if group == "paths" else f"webhook: {name}",
        pointer=(group, name, *described.place),
        tags=list(dict.fromkeys(tags)) or [UNTAGGED],
        data=data,
        parameters=_parameters(root, item, data),
        servers=find_servers(data) or find_servers(item) or base,
        about_path=_texts_of_path(item),
        path_data=item,
        callbacks=list(_callbacks(root, data, (group, name, *described.place), anchor)),
    )


def _parameters(root: dict[str, Any], item: dict[str, Any], data: dict[str, Any]) -> list[dict[str, Any]]:
    """List the parameters of an operation; its own take the place of those of its path."""
    merged: dict[tuple[str, str], dict[str, Any]] = {}
    for raw in (*(item.get("parameters") or []), *(data.get("parameters") or [])):
        parameter = resolve(root, raw)
        if isinstance(parameter, dict):
            merged[str(parameter.get("in")), str(parameter.get("name"))] = parameter
    return list(merged.values())


def _callbacks(
    root: dict[str, Any], data: dict[str, Any], pointer: tuple[str, ...], anchor: str
) -> Iterator[Operation]:
    unique = Unique()
    for name, raw in (data.get("callbacks") or {}).items():
        callback = resolve(root, raw)
        callback = callback if isinstance(callback, dict) else {}
        extensions = {key: value for key, value in callback.items() if key.startswith("x-")}
        for url in (url for url in callback if url not in extensions):
            item = resolve(root, callback[url])
            if not isinstance(item, dict):
                continue
            for method, place, inner in operations_of(item):
                yield Operation(
                    id=name,
                    anchor=unique.name(f"{anchor}/callback/{anchor_part(name)}"),
                    method=method,
                    path=url,
                    pointer=(*pointer, "callbacks", name, url, *place),
                    tags=[UNTAGGED],
                    data=inner,
                    parameters=_parameters(root, item, inner),
                    servers=find_servers(inner) or find_servers(item),
                    about_path=_texts_of_path(item),
                    path_data={**item, **extensions},
                )


def _texts_of_path(item: dict[str, Any]) -> list[str]:
    given = (item.get("summary"), item.get("description"))
    return list(dict.fromkeys(text.strip() for text in given if isinstance(text, str) and text.strip()))


def find_servers(holder: dict[str, Any]) -> list[str]:
    """List the servers that a document, a path or an operation names, variables at their defaults."""
    found = holder.get("servers")
    return [fill_server(server) for server in found if isinstance(server, dict)] if isinstance(found, list) else []


def fill_server(server: dict[str, Any]) -> str:
    """Write a server's address, its variables at their defaults."""
    url = str(server.get("url", ""))
    variables = server.get("variables")
    for name, variable in (variables if isinstance(variables, dict) else {}).items():
        if isinstance(variable, dict):
            url = url.replace(f"{{{name}}}", str(variable.get("default", "")))
    return url
