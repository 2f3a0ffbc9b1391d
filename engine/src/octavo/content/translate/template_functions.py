"""Functions of Go's templates and of Hugo that shortcodes of a site use on texts and lists."""

from __future__ import annotations

import html
import operator
from collections.abc import Callable
from typing import Any


def _make_dict(*values: Any) -> dict[str, Any]:
    return {str(key): value for key, value in zip(values[::2], values[1::2], strict=True)}


def _index(value: Any, key: Any) -> Any:
    return value[int(key)] if isinstance(value, list) else value.get(str(key), "")


def _partial(name: Any, context: Any = None) -> str:
    """Draw a part of the theme that is known by its name: icons have no text, badges have one."""
    last = str(name).rpartition("/")[2].removesuffix(".html")
    if "icon" in last:
        return ""
    if last == "badge" and isinstance(context, dict) and isinstance(context.get("content"), str):
        return f'<span class="badge">{html.escape(context["content"])}</span>'
    raise LookupError(f"the partial {name} is not known")


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": lambda *values: sum(map(int, values)),
    "cond": lambda test, first, second: first if test else second,
    "delimit": lambda values, mark: str(mark).join(map(str, values)),
    "dict": _make_dict,
    "first": lambda count, values: values[: int(count)],
    "ge": operator.ge,
    "gt": operator.gt,
    "hasPrefix": lambda text, start: str(text).startswith(str(start)),
    "in": lambda values, one: one in values,
    "index": _index,
    "last": lambda count, values: values[-int(count) :],
    "le": operator.le,
    "len": len,
    "lt": operator.lt,
    "lower": lambda text: str(text).lower(),
    "partial": _partial,
    "replace": lambda text, old, new: str(text).replace(str(old), str(new)),
    "slice": lambda *values: list(values),
    "split": lambda text, mark: str(text).split(str(mark)),
    "sub": lambda first, second: int(first) - int(second),
    "strings.Contains": lambda text, part: str(part) in str(text),
    "strings.HasPrefix": lambda text, start: str(text).startswith(str(start)),
    "strings.HasSuffix": lambda text, end: str(text).endswith(str(end)),
    "strings.Replace": lambda text, old, new: str(text).replace(str(old), str(new)),
    "strings.Split": lambda text, mark: str(text).split(str(mark)),
    "strings.ToLower": lambda text: str(text).lower(),
    "strings.ToUpper": lambda text: str(text).upper(),
    "strings.TrimPrefix": lambda start, text: str(text).removeprefix(str(start)),
    "strings.TrimSuffix": lambda end, text: str(text).removesuffix(str(end)),
    "trim": lambda text, marks: str(text).strip(str(marks)),
    "upper": lambda text: str(text).upper(),
}
"""Name → function, with the arguments in the order in which templates give them."""
