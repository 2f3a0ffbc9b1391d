"""Many cases in one test: what a case costs is then its own work, without the set-up and the report of a test.

    @each("text, html", [("*a*", "<em>a</em>"), …])
    def test_mark_is_an_element(text: str, html: str) -> None: …

is for cases that are many and small. All of them run, and a failure lists the ones that fail, each with its values.
Cases that need fixtures of their own, or that may be skipped, are for `pytest.mark.parametrize`: fixtures are shared here.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

_LONGEST = 200


def each(
    names: str | Sequence[str], cases: Iterable[Any], ids: Callable[[Any], object] | None = None
) -> Callable[[Any], Any]:
    """Run a test with each of many cases, in one test.

    Args:
        names: The arguments that a case gives, as of `pytest.mark.parametrize`.
        cases: The values; with several names, each is a sequence of them. They are asked for when the test runs.
        ids: Gives the name of a case from its value, or from each of its values.
    """
    wanted = [name.strip() for name in (names.split(",") if isinstance(names, str) else names)]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run(*instance: Any, **fixtures: Any) -> None:
            __tracebackhide__ = True
            failures: list[Exception] = []
            count = 0
            for case in cases:
                values, name = _read(case, len(wanted), ids)
                count += 1
                try:
                    test(*instance, **fixtures, **dict(zip(wanted, values, strict=True)))
                except pytest.skip.Exception as skipped:
                    raise AssertionError(f"a case cannot be skipped by itself: {name}") from skipped
                except Exception as error:  # noqa: BLE001  # the other cases run too
                    error.add_note(f"case: {name}")
                    failures.append(error)
            assert count, f"{test.__name__} has no cases"
            if failures:
                named = "\n".join(note for error in failures for note in error.__notes__)
                raise ExceptionGroup(f"{len(failures)} of {count} cases fail\n{named}", failures)

        signature = inspect.signature(test)
        rest = [one for name, one in signature.parameters.items() if name not in wanted]
        run.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]  # read by pytest for its fixtures
        return run

    return decorate


def _read(case: Any, count: int, ids: Callable[[Any], object] | None) -> tuple[Sequence[Any], str]:
    if isinstance(case, ParameterSet):
        values, name = case.values, str(case.id)
    else:
        values = case if count > 1 else (case,)
        name = ", ".join(str(ids(value)) if ids else repr(value) for value in values)
    return values, name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
