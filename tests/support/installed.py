"""What distributions installed here require, so that images can be made of this machine without a network."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import distribution

from packaging.requirements import Requirement


def with_requirements(requirements: Iterable[str]) -> set[str]:
    """Name the distributions of some requirements, extras included, and of all that those require here."""
    known: set[tuple[str, str]] = set()
    waiting = [(one.name, extra) for one in map(Requirement, requirements) for extra in ("", *one.extras)]
    while waiting:
        name, extra = waiting.pop()
        name = re.sub(r"[-_.]+", "-", name).lower()
        if (name, extra) in known:
            continue
        known.add((name, extra))
        for text in distribution(name).requires or []:
            one = Requirement(text)
            if one.marker is None or one.marker.evaluate({"extra": extra}):
                waiting += [(one.name, wanted) for wanted in ("", *one.extras)]
    return {name for name, _ in known}
