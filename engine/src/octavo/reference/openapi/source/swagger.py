"""Swagger 2.0 as OpenAPI 3.0: bodies, answers, servers and security have other forms; the rest has other places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from octavo.lazy import regex as re
from octavo.reference.openapi.source.check import form_problems
from octavo.reference.openapi.source.methods import operations_of
from octavo.reference.openapi.source.places import Pointer
from octavo.reference.openapi.source.problems import Problem

_JSON = ["application/json"]
_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")
_MOVED = {
    "definitions": "schemas",
    "parameters": "parameters",
    "responses": "responses",
    "securityDefinitions": "securitySchemes",
}
"""Key at the root of Swagger 2.0 → its key in `components`."""
_HOMES = {after: before for before, after in _MOVED.items()}
_REFERENCE = re.compile(r"#/(definitions|parameters|responses)/(.*)\Z", re.DOTALL)
_BAD_IN_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_STYLES: dict[str, dict[str, Any]] = {
    "csv": {"explode": False},
    "multi": {"style": "form", "explode": True},
    "ssv": {"style": "spaceDelimited", "explode": False},
    "pipes": {"style": "pipeDelimited", "explode": False},
}
"""`collectionFormat` → how OpenAPI 3 writes lists of that form."""
_FLOWS = {"implicit": "implicit", "password": "password", "application": "clientCredentials", "accessCode": "authorizationCode"}  # fmt: skip
_OF_PARAMETERS = frozenset(("name", "in", "description", "required", "allowEmptyValue", "collectionFormat"))
"""Keys of a parameter that do not say which values it has."""
_DATA = frozenset(("example", "default", "enum"))


def is_swagger(root: dict[str, Any]) -> bool:
    """Whether a description is one of Swagger 2.0; earlier versions have nothing in common with it."""
    return str(root.get("swagger")) in ("2.0", "2")


def as_openapi_3(root: dict[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """Convert a description of Swagger 2.0, with what it refers to; others are given back.

    Args:
        root: The description, which is left as it is.

    Returns:
        (the description, what is wrong with its form or has no counterpart).
    """
    if not is_swagger(root):
        return root, []
    # What files of the site were referred to is in `components`, which Swagger 2.0 does not know.
    if problems := form_problems({key: value for key, value in root.items() if key != "components"}):
        return root, problems
    converter = _Converter(root)
    return converter.run(), converter.problems


def in_terms_of_swagger(problem: Problem) -> Problem:
    """Say what is wrong with a converted description by the places that its author knows."""
    problem.pointer = _place(problem.pointer)
    for after, before in _HOMES.items():
        problem.message = problem.message.replace(f"#/components/{after}/", f"#/{before}/")
        problem.suggestion = problem.suggestion.replace(f"#/components/{after}/", f"#/{before}/")
    return problem


def _place(pointer: Pointer) -> Pointer:
    """Find the place in Swagger 2.0 of what a pointer leads to in the converted description, or one around it."""
    if len(pointer) > 1 and pointer[0] == "components" and pointer[1] in _HOMES:
        return (_HOMES[str(pointer[1])], *_without_content(pointer[2:]))
    if "requestBody" in pointer:
        return (*pointer[: pointer.index("requestBody")], "parameters")
    if "parameters" in pointer[:4]:
        return pointer[: pointer.index("parameters") + 1]  # their numbers are others
    return _without_content(pointer)


def _without_content(pointer: Pointer) -> Pointer:
    if "content" in pointer and pointer[-1] != "content":
        at = pointer.index("content")
        return (*pointer[:at], *pointer[at + 2 :])
    return pointer


class _Converter:
    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self.problems: list[Problem] = []
        self._taken_in = dict((root.get("components") or {}).get("schemas") or {})
        self._names = {key: _names_of(root.get(key) or {}, {*self._taken_in}) for key in _MOVED}

    def run(self) -> dict[str, Any]:
        root = self._root
        left = (*_MOVED, "swagger", "host", "basePath", "schemes", "consumes", "produces", "paths", "components")
        made: dict[str, Any] = {"openapi": "3.0.3", **{key: value for key, value in root.items() if key not in left}}
        made["servers"] = self._servers(root.get("schemes") or [])
        made["paths"] = {
            path: self._path(item, ("paths", path)) if path.startswith("/") and isinstance(item, dict) else item
            for path, item in (root.get("paths") or {}).items()
        }
        schemas = self._taken_in | {
            self._names["definitions"][key]: one for key, one in (root.get("definitions") or {}).items()
        }
        components = {
            "schemas": {name: self._schema(schema) for name, schema in schemas.items()},
            "parameters": {
                self._names["parameters"][name]: self._parameter(one, ("parameters", name))
                for name, one in (root.get("parameters") or {}).items()
                if one.get("in") not in ("body", "formData")
            },
            "responses": {
                self._names["responses"][name]: self._response(one, self._produced({}))
                for name, one in (root.get("responses") or {}).items()
            },
            "securitySchemes": {
                name: self._scheme(one) for name, one in (root.get("securityDefinitions") or {}).items()
            },
        }
        made["components"] = {key: value for key, value in components.items() if value}
        return made

    # Paths

    def _servers(self, schemes: list[str]) -> list[dict[str, str]]:
        host, base = str(self._root.get("host") or ""), str(self._root.get("basePath") or "")
        if not host:
            return [{"url": base or "/"}]
        return [{"url": f"{scheme}://{host}{base.rstrip('/')}"} for scheme in schemes or ["https"]]

    def _path(self, item: dict[str, Any], pointer: Pointer) -> dict[str, Any]:
        shared = item.get("parameters") or []
        others = [(one, index) for index, one in enumerate(shared) if not self._is_body(one)]
        made: dict[str, Any] = {key: value for key, value in item.items() if key.startswith("x-") or key == "$ref"}
        if others:
            made["parameters"] = [self._parameter(one, (*pointer, "parameters", index)) for one, index in others]
        bodies = [one for one in shared if self._is_body(one)]
        for _, (method, *_), operation in operations_of(item):
            made[str(method)] = self._operation(operation, bodies, (*pointer, method))
        return made

    def _operation(self, given: dict[str, Any], shared: list[Any], pointer: Pointer) -> dict[str, Any]:
        left = ("consumes", "produces", "schemes", "parameters", "responses")
        made: dict[str, Any] = {key: value for key, value in given.items() if key not in left}
        if given.get("schemes"):
            made["servers"] = self._servers(given["schemes"])
        own = [(self._resolved(one), one, index) for index, one in enumerate(given.get("parameters") or [])]
        parameters = [
            self._parameter(one, (*pointer, "parameters", index)) for _, one, index in own if not self._is_body(one)
        ]
        if parameters:
            made["parameters"] = parameters
        bodies = [one for one, _, _ in own if one.get("in") in ("body", "formData")]
        # What an operation says of a parameter goes before what its path says.
        named = {(one.get("name"), one.get("in")) for one in bodies}
        bodies += [one for one in map(self._resolved, shared) if (one.get("name"), one.get("in")) not in named]
        if bodies:
            made["requestBody"] = self._body(bodies, given.get("consumes", self._root.get("consumes")), pointer)
        produced = self._produced(given)
        made["responses"] = {
            status: one if status.startswith("x-") else self._response(one, produced)
            for status, one in (given.get("responses") or {}).items()
        }
        return made

    def _produced(self, operation: dict[str, Any]) -> list[str]:
        return list(operation.get("produces", self._root.get("produces")) or _JSON)

    def _is_body(self, parameter: Any) -> bool:
        return self._resolved(parameter).get("in") in ("body", "formData")

    def _resolved(self, parameter: Any) -> dict[str, Any]:
        ref = parameter.get("$ref") if isinstance(parameter, dict) else None
        match = _REFERENCE.match(ref) if isinstance(ref, str) else None
        if match is None or match[1] != "parameters":
            return parameter if isinstance(parameter, dict) else {}
        name = match[2].replace("~1", "/").replace("~0", "~")
        found = (self._root.get("parameters") or {}).get(name)
        return found if isinstance(found, dict) else {}

    # Parameters and bodies

    def _parameter(self, given: dict[str, Any], pointer: Pointer) -> dict[str, Any]:
        if "$ref" in given:
            return {"$ref": self._reference(given["$ref"])}
        made = {
            key: value
            for key, value in given.items()
            if key in ("name", "in", "description", "required") or key.startswith("x-")
        }
        if given.get("in") == "query" and given.get("allowEmptyValue") is True:
            made["allowEmptyValue"] = True
        made["schema"] = self._values(given)
        return {**made, **self._style(given, pointer)}

    def _style(self, given: dict[str, Any], pointer: Pointer) -> dict[str, Any]:
        """Say how a list is written; in paths and headers its parts are always divided by commas."""
        if given.get("type") != "array":
            return {}
        form = given.get("collectionFormat", "csv")
        if form not in _STYLES or (given.get("in") not in ("query", "formData") and form != "csv"):
            message = (
                f'Lists in the form "{form}" have no counterpart in OpenAPI 3; commas are shown between their parts.'
            )
            hint = "Say in the description of the parameter how its parts are divided."
            self.problems.append(Problem(message, (*pointer, "collectionFormat"), suggestion=hint, level="warn"))
            form = "csv"
        return dict(_STYLES[form]) if given.get("in") in ("query", "formData") else {}

    def _values(self, given: dict[str, Any]) -> dict[str, Any]:
        """Make a schema of the keys that say which values a parameter, a header or a part of a list has."""
        values = {key: value for key, value in given.items() if key not in _OF_PARAMETERS and not key.startswith("x-")}
        if given.get("x-nullable") is True:
            values["nullable"] = True
        found = self._schema(values)
        return found if isinstance(found, dict) else {}

    def _body(self, bodies: list[dict[str, Any]], consumed: list[str] | None, pointer: Pointer) -> dict[str, Any]:
        body = next((one for one in bodies if one.get("in") == "body"), None)
        fields = [one for one in bodies if one.get("in") == "formData"]
        if body is not None:
            if fields or sum(one.get("in") == "body" for one in bodies) > 1:
                message = (
                    "An operation has one body; the other parameters that are bodies or fields of forms are left out."
                )
                self.problems.append(Problem(message, (*pointer, "parameters"), level="warn"))
            schema = self._schema(body.get("schema") or {})
            made = {key: value for key, value in body.items() if key == "description" or key.startswith("x-")}
            content = {one: {"schema": schema} for one in consumed or _JSON}
            return {**made, "required": body.get("required") is True, "content": content}
        has_files = any(one.get("type") == "file" for one in fields)
        usual = _FORMS[:1] if has_files else _FORMS[1:]
        types = [one for one in consumed or () if one in (_FORMS[:1] if has_files else _FORMS)] or list(usual)
        return {
            "required": any(one.get("required") is True for one in fields),
            "content": {one: self._form(fields, pointer) for one in types},
        }

    def _form(self, fields: list[dict[str, Any]], pointer: Pointer) -> dict[str, Any]:
        properties: dict[str, Any] = {}
        encoding: dict[str, Any] = {}
        for one in fields:
            name = str(one.get("name"))
            about = {"description": one["description"]} if "description" in one else {}
            properties[name] = {**self._values(one), **about}
            if style := self._style(one, (*pointer, "parameters")):
                encoding[name] = {"style": "form", **style}
        required = [str(one.get("name")) for one in fields if one.get("required") is True]
        schema = {"type": "object", "properties": properties, **({"required": required} if required else {})}
        return {"schema": schema, **({"encoding": encoding} if encoding else {})}

    # Answers

    def _response(self, given: Any, produced: list[str]) -> Any:
        if not isinstance(given, dict):
            return given
        if "$ref" in given:
            return {"$ref": self._reference(given["$ref"])}
        made: dict[str, Any] = {key: value for key, value in given.items() if key.startswith("x-")}
        made["description"] = given.get("description", "")
        if headers := given.get("headers"):
            made["headers"] = {name: self._header(one) for name, one in headers.items()}
        content: dict[str, dict[str, Any]] = {}
        if "schema" in given:
            is_file = given["schema"].get("type") == "file"
            types = ["application/octet-stream"] if is_file and produced == _JSON else produced
            content = {one: {"schema": self._schema(given["schema"])} for one in types}
        for kind, example in (given.get("examples") or {}).items():
            if "/" in kind:
                content.setdefault(kind, {})["example"] = example
        return {**made, **({"content": content} if content else {})}

    def _header(self, given: dict[str, Any]) -> dict[str, Any]:
        about = {"description": given["description"]} if "description" in given else {}
        return {**about, "schema": self._values(given)}

    # Schemas and security

    def _schema(self, given: Any) -> Any:
        if isinstance(given, list):
            return [self._schema(one) for one in given]
        if not isinstance(given, dict):
            return given
        if isinstance(given.get("$ref"), str):
            return {"$ref": self._reference(given["$ref"])}
        return dict(self._keywords(given))

    def _keywords(self, given: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        for key, value in given.items():
            if key == "type" and value == "file":
                yield from (("type", "string"), ("format", "binary"))
            elif key == "discriminator" and isinstance(value, str):
                yield key, {"propertyName": value}
            elif key == "x-nullable":
                yield "nullable", value is True
            elif key == "collectionFormat":
                pass  # that of a list in a list, which has no form of its own
            elif key == "properties" and isinstance(value, dict):
                yield key, {name: self._schema(one) for name, one in value.items()}
            elif key in _DATA or key.startswith("x-"):
                yield key, value
            else:
                yield key, self._schema(value)

    def _reference(self, ref: str) -> str:
        match = _REFERENCE.match(ref)
        if match is None:
            return ref
        name, slash, rest = match[2].partition("/")
        plain = name.replace("~1", "/").replace("~0", "~").replace("%20", " ")
        return f"#/components/{_MOVED[match[1]]}/{self._names[match[1]].get(plain, name)}{slash}{rest}"

    def _scheme(self, given: dict[str, Any]) -> dict[str, Any]:
        about = {key: value for key, value in given.items() if key == "description" or key.startswith("x-")}
        kind = given.get("type")
        if kind == "basic":
            return {"type": "http", "scheme": "basic", **about}
        if kind != "oauth2":
            return {key: value for key, value in given.items() if key in ("type", "name", "in")} | about
        addresses: dict[str, Any] = {key: given[key] for key in ("authorizationUrl", "tokenUrl") if key in given}
        flow: dict[str, Any] = {**addresses, "scopes": given.get("scopes") or {}}
        return {"type": "oauth2", "flows": {_FLOWS.get(str(given.get("flow")), "implicit"): flow}, **about}


def _names_of(given: dict[str, Any], taken: set[str]) -> dict[str, str]:
    """Give each part a name that OpenAPI 3 allows and that no other has: `Page«Kite»` is `Page-Kite`."""
    made = {name: name for name in given if not _BAD_IN_NAME.search(name) and name not in taken}
    taken = taken | {*made}
    for name in given:
        if name in made:
            continue
        stem = plain = _BAD_IN_NAME.sub("-", name).strip("-") or "part"
        number = 1
        while plain in taken:
            number += 1
            plain = f"{stem}-{number}"
        taken.add(plain)
        made[name] = plain
    return made
