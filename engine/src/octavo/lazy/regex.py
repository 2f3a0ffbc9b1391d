"""The module `re`, but patterns of modules are compiled when they are first used: `from octavo.lazy import regex as re`.

Compiling all patterns of the engine takes 80 ms, a sixth of a build after one changed page, which uses an eighth of them.
Patterns that functions compile are compiled at once, so that a mistake in an author's pattern is raised where it is
expected. Mistakes in patterns of modules are found by a test that compiles all of them.

The attribute `re` of a match is the compiled pattern, not what the module has: compare names of groups instead.
"""

from __future__ import annotations

import re
import sys
from re import (
    ASCII,
    DOTALL,
    IGNORECASE,
    MULTILINE,
    VERBOSE,
    Match,
    Pattern,
    RegexFlag,
    error,
    escape,
    findall,
    finditer,
    fullmatch,
    match,
    search,
    split,
    sub,
    subn,
)
from typing import Any, AnyStr, cast

__all__ = [
    "ASCII",
    "DOTALL",
    "IGNORECASE",
    "MULTILINE",
    "VERBOSE",
    "Match",
    "Pattern",
    "RegexFlag",
    "compile",
    "error",
    "escape",
    "findall",
    "finditer",
    "fullmatch",
    "match",
    "search",
    "split",
    "sub",
    "subn",
]


class _CompiledPattern:
    """A pattern after its first use: all that a `re.Pattern` has, as attributes."""

    pattern: str | bytes
    flags: int

    def __reduce__(self) -> tuple[Any, ...]:
        return re.compile, (self.pattern, self.flags)


class LazyPattern(_CompiledPattern):
    """A pattern before its first use."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._wanted_flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # protocols of Python, such as copying, that a pattern does not have
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._wanted_flags)
        self.__dict__.update({part: getattr(compiled, part) for part in _PARTS})
        # From now on attributes are found without this method, which would make each use slower.
        self.__class__ = _CompiledPattern  # type: ignore[assignment] # mypy refuses any class here
        return getattr(compiled, name)


_PARTS = tuple(name for name in dir(Pattern) if not name.startswith("_"))


def compile(pattern: AnyStr, flags: int | RegexFlag = 0) -> Pattern[AnyStr]:  # noqa: A001 - its name in `re`
    """Make a pattern, which is compiled at its first use if a module calls this while it is imported.

    Raises:
        re.error: the pattern is wrong, and a function called this.
    """
    if sys._getframe(1).f_code.co_name != "<module>":  # noqa: SLF001 - the only way to know the caller
        return re.compile(pattern, flags)
    return cast("Pattern[AnyStr]", LazyPattern(pattern, int(flags)))
