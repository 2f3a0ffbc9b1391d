"""Take out of a description what keeps it from being drawn, so that readers see the rest."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from octavo.reference.openapi.source.check import MOST, REFERENCE, UNDECLARED, check_description, form_problems
from octavo.reference.openapi.source.places import Pointer
from octavo.reference.openapi.source.problems import Problem, read_pointer
from octavo.reference.openapi.source.swagger import as_openapi_3, in_terms_of_swagger, is_swagger

_ROUNDS = 25
"""What is taken out can leave something else incomplete, such as a parameter without its name; this ends somewhere."""
_MOST = 10_000
_LIMITS = frozenset(
    (
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "multipleOf"),
        *("minItems", "maxItems", "uniqueItems", "contains", "minProperties", "maxProperties", "propertyNames"),
        *("pattern", "format", "not"),
    )
)
"""Keywords whose values have the right form, so that they can be drawn although OpenAPI does not allow them."""
_EMPTY: dict[str, Any] = {
    "description": "", "title": "", "version": "", "url": "", "info": {"title": "", "version": ""}, "paths": {}, "responses": {}, "scopes": {},
}  # fmt: skip
"""Required keys without which much would be taken out → what is put there."""


def read_what_is_right(given: dict[str, Any], *, is_strict: bool = False) -> tuple[dict[str, Any], list[Problem]]:
    """Make a description that can be drawn of one in which something is wrong.

    Args:
        given: A bundled description of Swagger 2.0 or OpenAPI 3, which is left as it is.
        is_strict: Whether what is left has no error at all; else it keeps what can be drawn although OpenAPI does not allow it.

    Returns:
        (a description of OpenAPI 3, what is wrong with the given one).

    Raises:
        Problem: it cannot be mended.
    """
    given = _unshared(given)
    if not is_swagger(given):
        return given, mend_description(given, is_strict=is_strict)
    # What files of the site were referred to is in `components`, which Swagger 2.0 does not know.
    files = {key: value for key, value in given.items() if key == "components"}
    own = {key: value for key, value in given.items() if key not in files}
    # All of it: the conversion takes nothing else.
    found = mend_description(own, form_problems, is_strict=True)
    root, without_counterpart = as_openapi_3({**own, **files})
    found += without_counterpart
    return root, found + [in_terms_of_swagger(one) for one in mend_description(root, is_strict=is_strict)]


def _unshared(value: Any) -> Any:
    """Copy a value so that no part is in two places, as aliases of YAML are: what is taken out of one stays in the other."""
    if isinstance(value, dict):
        return {key: _unshared(item) for key, item in value.items()}
    return [_unshared(item) for item in value] if isinstance(value, list) else value


def mend_description(
    root: dict[str, Any],
    check: Callable[[dict[str, Any], int], list[Problem]] = check_description,
    *,
    is_strict: bool = False,
) -> list[Problem]:
    """Take out what OpenAPI does not know, has another form, or leads nowhere.

    Args:
        root: The description, which is changed.
        check: Says what is wrong with it.
        is_strict: See `read_what_is_right`.

    Returns:
        What was wrong, with places in the description as it was, `MOST` of them at most; empty where nothing was.

    Raises:
        Problem: it cannot be mended.
    """
    places = _Places()
    found: dict[tuple[Pointer, str], Problem] = {}
    for _ in range(_ROUNDS):
        problems = [(one.pointer, one) for one in check(root, _MOST)]
        for _, problem in problems:
            placed = places.with_first_place(root, problem)
            if not places.have_caused(placed):
                found.setdefault((placed.pointer, placed.message), placed)
        harmful = [
            (pointer, problem)
            for pointer, problem in problems
            if problem.level == "error"
            and (is_strict or not (problem.keyword in _LIMITS or _is_only_a_name(pointer, problem)))
        ]
        if not harmful:
            return [*islice(found.values(), MOST)]
        # From the end: what is taken out of a list moves what comes after it.
        for pointer, problem in sorted(harmful, key=lambda one: _order(one[0]), reverse=True):
            places.mend(root, problem, pointer)
        places.take_out(root)
    raise next(iter(found.values()))


def _is_only_a_name(pointer: Pointer, problem: Problem) -> bool:
    """Whether parts have names with characters that OpenAPI does not allow in names, and nothing else is wrong with them."""
    return len(pointer) == 2 and pointer[0] == "components" and bool(problem.names)


def _order(pointer: Pointer) -> list[tuple[int, str]]:
    return [(key, "") if isinstance(key, int) else (0, key) for key in pointer]


class _Places:
    """Takes parts out, and knows where those that remain were."""

    def __init__(self) -> None:
        self._remaining: dict[int, list[int]] = {}
        """Identity of a list → first indexes of the items that it still has."""
        self._wrong: list[Pointer] = []
        """What is to be taken out, from the end."""
        self._taken: set[Pointer] = set()
        """Where parts were that have been taken out."""
        self._changed: set[Pointer] = set()
        """What had parts that have been taken out."""

    def have_caused(self, problem: Problem) -> bool:
        """Whether something is wrong only because another part, which has been reported, was taken out."""
        if problem.keyword == REFERENCE:
            return any(read_pointer(name) in self._taken for name in problem.names)
        return problem.pointer in self._changed

    def with_first_place(self, root: dict[str, Any], problem: Problem) -> Problem:
        """Give a problem the place that it had in the description before anything was taken out."""
        problem.pointer = self.first_place(root, problem.pointer)
        return problem

    def first_place(self, root: dict[str, Any], pointer: Pointer) -> Pointer:
        """Find the place that a part had in the description before anything was taken out."""
        value: Any = root
        first: list[str | int] = []
        for key in pointer:
            remaining = self._remaining.get(id(value)) if isinstance(value, list) else None
            first.append(
                remaining[key] if remaining and isinstance(key, int) else str(key) if isinstance(value, dict) else key
            )
            value = _child(value, key)
        return tuple(first)

    def mend(self, root: dict[str, Any], problem: Problem, pointer: Pointer) -> None:
        """Take out keys that must not be there, put in those that are missing, or note what is to be taken out as a whole."""
        value: Any = root
        for key in pointer:
            value = _child(value, key)
        if problem.keyword == UNDECLARED:
            value.setdefault("parameters", []).extend(
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in problem.names
            )
        elif (
            problem.keyword == "required" and isinstance(value, dict) and all(name in _EMPTY for name in problem.names)
        ):
            for name in problem.names:
                value.setdefault(name, _copy(_EMPTY[name]))
        elif problem.names and problem.keyword.endswith("Properties") and isinstance(value, dict):
            for name in problem.names:
                value.pop(name, None)
        elif pointer:
            self._wrong.append(pointer)
        else:
            raise problem

    def take_out(self, root: dict[str, Any]) -> None:
        """Take out the parts that were noted as wrong; several things may be wrong with one."""
        wrong = [*dict.fromkeys(self._wrong)]
        for first in [self.first_place(root, pointer) for pointer in wrong]:
            self._taken.add(first)
            self._changed.add(first[:-1])
        for pointer in wrong:
            self._take_out(root, pointer)
        self._wrong.clear()

    def _take_out(self, root: dict[str, Any], pointer: Pointer) -> None:
        holder: Any = root
        for key in pointer[:-1]:
            holder = _child(holder, key)
        last = pointer[-1]
        if isinstance(holder, dict):
            holder.pop(last if last in holder else str(last), None)
        elif isinstance(holder, list) and isinstance(last, int) and last < len(holder):
            remaining = self._remaining.setdefault(id(holder), [*range(len(holder))])
            del holder[last], remaining[last]


def _child(value: Any, key: str | int) -> Any:
    if isinstance(value, dict):
        return value.get(key, value.get(str(key)))
    return value[key] if isinstance(value, list) and isinstance(key, int) and key < len(value) else None


def _copy(value: Any) -> Any:
    return {**value} if isinstance(value, dict) else value
