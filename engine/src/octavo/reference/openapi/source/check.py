"""Whether a description may be drawn: its version, its form, and what it names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from octavo.lazy import regex as re
from octavo.reference.openapi.source.contradictions import contradictions, contradictions_of_schema
from octavo.reference.openapi.source.explain import explain, explain_type, explain_type_name, is_choice, is_key
from octavo.reference.openapi.source.methods import operations_of
from octavo.reference.openapi.source.places import Pointer
from octavo.reference.openapi.source.problems import Problem
from octavo.reference.openapi.source.references import find, resolve

_TYPES = {"string", "number", "integer", "boolean", "array", "object", "null"}
MOST = 20
"""Most problems that are reported in one run."""
UNDECLARED = "undeclared"
"""`Problem.keyword` of a path with a name that no parameter explains."""
REFERENCE = "$ref"
"""`Problem.keyword` of a reference that leads nowhere; its name is where it leads."""
_SECOND = frozenset(["type", "enum", "const", "oneOf", "anyOf"])
"""What is wrong with most values of which something else is wrong as well."""
_FORMS: dict[str, tuple[tuple[str, ...], tuple[type, ...]]] = {
    **dict.fromkeys(("required", "enum", "allOf", "anyOf", "oneOf"), (("array",), (list,))),
    **dict.fromkeys(("items", "additionalProperties"), (("object", "boolean"), (dict, bool))),
    **dict.fromkeys(("title", "format"), (("string",), (str,))),
}
"""Keyword of a schema → types that its value may have; others are not shown."""
_LINK = re.compile(r"(?<!!)\[[^\[\]]*\]\((?!https?:|mailto:|#|\))<?([^\s)>]+)", re.IGNORECASE)
_DATA = {"example", "examples", "default", "enum", "const", "value", "x-"}


def check_description(root: dict[str, Any], most: int = MOST) -> list[Problem]:
    """Check a bundled description.

    The form is checked by the schemas that openapi-spec-validator keeps. What no schema can say is checked here, in one walk:
    the validator's walk takes 11 ms an operation, four times what all else costs.

    Args:
        root: The description.
        most: Most problems to report.

    Raises:
        Problem: the version is not one that is drawn.
    """
    if "swagger" in root:
        raise Problem(
            f"This is Swagger {root['swagger']}; Swagger 2.0 and OpenAPI 3.0 to 3.2 are drawn.",
            ("swagger",),
            suggestion="Convert it to OpenAPI 3 first.",
        )
    return form_problems(root, most) or [*islice(_Walk(root).problems(), most)]


def form_problems(root: dict[str, Any], most: int = MOST) -> list[Problem]:
    """Check the form of a description of Swagger 2.0 or OpenAPI 3 by the schema of its version.

    Raises:
        Problem: there is no schema for its version.
    """
    version = str(root.get("swagger") or root.get("openapi") or "")
    causes = (cause for error in _validator(root).iter_errors(root) for cause in _causes(error))
    return [_as_problem(cause, version) for cause in _without_consequences(list(islice(causes, most)))]


def _without_consequences(causes: list[Any]) -> Iterator[Any]:
    """Leave out what follows from another mistake.

    A value of the wrong type is not one of those that are possible either; and where an object has a mistake, the schemas
    of OpenAPI 3.1 do not know other parts of it.
    """
    seen: set[Pointer] = set()
    above = {tuple(path[:length]) for path in (cause.instance_path for cause in causes) for length in range(len(path))}
    mistaken = {tuple(cause.instance_path) for cause in causes if cause.kind.name != "unevaluatedProperties"}
    for cause in causes:
        place, name = tuple(cause.instance_path), cause.kind.name
        if name == "unevaluatedProperties":
            is_consequence = place in above or (place in mistaken and all(map(is_key, cause.kind.unexpected)))
        else:
            is_consequence = place in seen and name in _SECOND
        if not is_consequence:
            yield cause
        seen.add(place)


def _causes(error: Any) -> Iterator[Any]:
    """Follow a value that has none of several forms to what is wrong with the form that it comes closest to.

    Most values may be a reference instead. That is not the form that is meant, for the other errors say more.
    """
    branches = [branch for branch in getattr(error.kind, "context", ()) if branch]
    if error.kind.name in ("oneOf", "anyOf") and branches:
        depth = len(error.instance_path)
        chosen = [branch for branch in branches if not any(is_choice(cause, depth) for cause in branch)]
        choices = [cause for branch in branches for cause in branch if is_choice(cause, depth)]
        if choices and not any(depth < max(map(_depth, branch)) or len(branch) > 1 for branch in chosen):
            # No form has this `in` or `type`: of what else is wrong nothing is known.
            chosen = [choices[:1]]
        for cause in max(chosen, key=lambda branch: (max(map(_depth, branch)), not any(map(_lacks_reference, branch)))):
            yield from _causes(cause)
    elif not _is_in_callback_extension(error.instance_path):
        yield error


def _lacks_reference(error: Any) -> bool:
    return bool(error.kind.name == "required" and error.kind.property == "$ref")


def _depth(error: Any) -> int:
    inner = [cause for branch in getattr(error.kind, "context", ()) for cause in branch]
    return max(map(_depth, inner), default=len(error.instance_path))


def _as_problem(error: Any, version: str) -> Problem:
    kind = error.kind
    names = [kind.property] if kind.name == "required" else getattr(kind, "unexpected", ())
    message, remedy = explain(error, version)
    return Problem(message, tuple(error.instance_path), suggestion=remedy, keyword=kind.name, names=names)


def _is_in_callback_extension(path: Iterable[Any]) -> bool:
    """Whether a place is in an extension of a callback, which OpenAPI allows and its schema of 3.1 forgets."""
    names = list(path)
    return any(
        first == "callbacks" and str(third).startswith("x-") for first, third in zip(names, names[2:], strict=False)
    )


def _validator(root: dict[str, Any]) -> Any:
    """Make a validator in Rust, which takes a hundredth of the time of one in Python: 20 ms for 370 operations.

    Formats are not checked: a pattern that is not a regular expression of JavaScript can still be shown.
    """
    try:
        import jsonschema_rs
        from openapi_spec_validator import schemas
    except ModuleNotFoundError as missing:
        name = str(missing.name).partition(".")[0].replace("_", "-")
        raise Problem(
            f"API references need the package {name}, which is not installed.",
            suggestion='Install it with: pip install "octavo[openapi]"',
        ) from None
    version = str(root.get("openapi", ""))
    if "swagger" in root:
        schema = schemas.schema_v2
    elif version.startswith("3.2"):
        schema = schemas.schema_v32
    elif version.startswith("3.1"):
        schema = schemas.schema_v31
    elif version.startswith("3.0"):
        schema = schemas.schema_v30
    else:
        raise Problem(f'openapi is "{version}"; expected 3.0, 3.1 or 3.2.', ("openapi",) if version else ())
    return jsonschema_rs.validator_for({**schema}, validate_formats=False)


class _Walk:
    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self._good: set[str] = set()
        self._unlinked: list[tuple[str, Pointer]] = []
        """Links that lead to another page of some site."""

    def problems(self) -> Iterator[Problem]:
        yield from self._tags()
        yield from contradictions(self._root)
        yield from self._operations()
        yield from self._values(self._root, ())
        if self._unlinked:
            href, pointer = self._unlinked[0]
            number = f" and {len(self._unlinked) - 1:,} more" if len(self._unlinked) > 1 else ""
            yield Problem(
                f'The link "{href}"{number} in its texts {"are" if number else "is"} shown without an address: it names no site.',
                pointer,
                suggestion="Write whole addresses, such as https://…, or #… for a place of the page.",
                level="warn",
            )

    def _tags(self) -> Iterator[Problem]:
        """Find what OpenAPI 3.2 and Redoc say of tags and pages do not show."""
        tags = [tag if isinstance(tag, dict) else {} for tag in self._root.get("tags") or []]
        names = {tag.get("name") for tag in tags}
        for index, tag in enumerate(tags):
            parent, kind = tag.get("parent"), tag.get("kind")
            if isinstance(parent, str) and parent not in names:
                message = f'The tag "{tag.get("name")}" is part of "{parent}", which no tag declares.'
                hint = "Declare it in `tags`, or take `parent` out."
                yield Problem(message, ("tags", index, "parent"), suggestion=hint, level="warn")
            if isinstance(kind, str) and kind != "nav":
                message = f'The tag "{tag.get("name")}" is of the kind "{kind}"; it is drawn as one for navigation.'
                hint = "Name tags for navigation first in operations, for the first decides where one is shown."
                yield Problem(message, ("tags", index, "kind"), suggestion=hint, level="warn")
        yield from self._sections(names)

    def _sections(self, declared: set[Any]) -> Iterator[Problem]:
        """Find what is wrong with groups of tags, which Redoc introduced."""
        groups = self._root.get("x-tagGroups")
        if groups is None:
            return
        hint = 'Write a list of {"name": "…", "tags": ["…"]}.'
        if not isinstance(groups, list):
            yield Problem(
                "x-tagGroups is not a list: tags are shown without groups.",
                ("x-tagGroups",),
                suggestion=hint,
                level="warn",
            )
            return
        used = {
            tag
            for item in (self._root.get("paths") or {}).values()
            if isinstance(item, dict)
            for _, _, operation in operations_of(item)
            for tag in operation.get("tags") or []
            if isinstance(tag, str)
        }
        known = declared | used
        seen: dict[Any, Any] = {}
        for index, group in enumerate(groups):
            pointer: Pointer = ("x-tagGroups", index)
            name, tags = (group.get("name"), group.get("tags")) if isinstance(group, dict) else (None, None)
            if not (isinstance(name, str) and name.strip() and isinstance(tags, list)):
                yield Problem(
                    "This group of tags has no name, or no list of tags; it is left out.",
                    pointer,
                    suggestion=hint,
                    level="warn",
                )
                continue
            for place, tag in enumerate(tags):
                if isinstance(tag, str) and tag in known and seen.setdefault(tag, name) == name:
                    continue
                close: list[str] = []
                if isinstance(tag, str) and tag in known:
                    message = (
                        f'The group "{name}" has the tag "{tag}", which is in "{seen[tag]}" already, where it is shown.'
                    )
                else:
                    message = f'The group "{name}" has the tag "{tag}", which no operation has.'
                    close = difflib.get_close_matches(str(tag), [one for one in known if isinstance(one, str)], n=1)
                mend = f'Did you mean "{close[0]}"?' if close else "Take it out of this list."
                yield Problem(message, (*pointer, "tags", place), suggestion=mend, level="warn")

    def _operations(self) -> Iterator[Problem]:
        seen: dict[str, tuple[str, Pointer]] = {}
        for path, raw in (self._root.get("paths") or {}).items():
            item = raw if isinstance(raw, dict) else {}
            for method, place, operation in operations_of(item):
                pointer: Pointer = ("paths", path, *place)
                yield from self._path_parameters(path, item, operation, pointer)
                name = operation.get("operationId")
                if isinstance(name, str) and seen.setdefault(name, (f"{method} {path}", pointer))[1] != pointer:
                    first, _ = seen[name]
                    yield Problem(
                        f'operationId "{name}" is already that of {first}.',
                        (*pointer, "operationId"),
                        suggestion="Give each operation an id of its own; until then a number is added to its addresses.",
                        level="warn",
                    )

    def _path_parameters(
        self, path: str, item: dict[str, Any], operation: dict[str, Any], pointer: Pointer
    ) -> Iterator[Problem]:
        lists = [found for found in (item.get("parameters"), operation.get("parameters")) if isinstance(found, list)]
        given = [resolve(self._root, parameter) for found in lists for parameter in found]
        named = {one.get("name") for one in given if isinstance(one, dict) and one.get("in") == "path"}
        for name in re.findall(r"\{([^{}]+)\}", path):
            if name not in named:
                message = f'The path names "{name}", which no path parameter declares.'
                hint = f'Add {{"name": "{name}", "in": "path", "required": true, …}} to its parameters.'
                yield Problem(message, pointer, suggestion=hint, keyword=UNDECLARED, names=[name])

    def _values(self, value: Any, pointer: Pointer) -> Iterator[Problem]:
        if isinstance(value, list):
            for index, item in enumerate(value):
                yield from self._values(item, (*pointer, index))
        elif isinstance(value, dict):
            ref = value.get("$ref")
            if isinstance(ref, str) and not (pointer and pointer[-1] == "properties"):
                yield from self._reference(ref, pointer)
            yield from self._type(value, pointer)
            for key in ("summary", "description"):
                if isinstance(text := value.get(key), str) and "](" in text:
                    self._unlinked += [(link[1], (*pointer, key)) for link in _LINK.finditer(text)]
            for key, item in value.items():
                if isinstance(item, dict | list) and (key not in _DATA or (pointer and pointer[-1] == "properties")):
                    yield from self._values(item, (*pointer, key))

    def _reference(self, ref: str, pointer: Pointer) -> Iterator[Problem]:
        if ref in self._good:
            return
        if find(self._root, ref) is not None:
            self._good.add(ref)
            return
        known = [f"#/components/schemas/{name}" for name in (self._root.get("components") or {}).get("schemas") or {}]
        close = difflib.get_close_matches(ref, known[:2000], n=1)
        yield Problem(
            f'"$ref" "{ref}" leads nowhere.',
            (*pointer, "$ref"),
            suggestion=f'Did you mean "{close[0]}"?' if close else "",
            keyword=REFERENCE,
            names=[ref],
        )

    def _type(self, value: dict[str, Any], pointer: Pointer) -> Iterator[Problem]:
        if not _is_schema(pointer):
            return
        yield from contradictions_of_schema(self._root, value, pointer)
        # The schema of OpenAPI 3.1 leaves what is in a schema to JSON Schema, which nothing else checks.
        if not isinstance(value.get("properties", {}), dict):
            yield Problem(
                "properties is not a mapping of names to schemas.",
                (*pointer, "properties"),
                suggestion='Write it as {"name": {"type": "string"}}.',
            )
        for key in sorted(_FORMS.keys() & value.keys()):
            names, kinds = _FORMS[key]
            if not isinstance(value[key], kinds):
                message, hint = explain_type(value[key], names, (*pointer, key), str(self._root.get("openapi")))
                yield Problem(f"{message} It is not shown.", (*pointer, key), suggestion=hint, level="warn")
        if "type" not in value:
            return
        types = value["type"] if isinstance(value["type"], list) else [value["type"]]
        for name in types:
            if not isinstance(name, str) or name not in _TYPES:
                message, hint = explain_type_name(name, (*pointer, "type"), str(self._root.get("openapi")))
                yield Problem(message, (*pointer, "type"), suggestion=hint)


def _is_schema(pointer: Pointer) -> bool:
    if not pointer or pointer[-1] in ("properties", "patternProperties"):
        return False
    if pointer[-1] in ("schema", "items", "additionalProperties", "not"):
        return True
    return len(pointer) > 1 and pointer[-2] in ("properties", "schemas", "allOf", "anyOf", "oneOf", "patternProperties")
