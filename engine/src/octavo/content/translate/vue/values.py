"""Values of a page's own script in Vue: its constants, and those of modules that it imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.content.plain import stretches
from octavo.content.scan.imports import take_values
from octavo.content.scan.jsx import IMPORTED, read_constants
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.scan.scope import Scope

_OF_VUE = frozenset(["vitepress", "vuepress"])
_SCRIPT = re.compile(r"^<script\b[^<>]*>", re.MULTILINE)
_SCRIPT_END = r"^[ \t]*</script\s*>"
_BOX = re.compile(
    r"=\s*(?:shallowRef|ref|shallowReactive|reactive|readonly)(?:<[^<>\n]*(?:<[^<>\n]*>)?[^<>\n]*>)?\((?=\s*[\[{\"'`\d])"
)
"""What makes of a value one that can change: a page shows it as it is at first."""
_PARTS = re.compile(
    r"^(?:const|let|var)\s*\{(?P<names>[\w$\s,:]{1,2000})\}\s*=\s*(?P<whole>[\w$]+)\s*;?[ \t]*$", re.MULTILINE
)
"""Members of a value, taken out of it."""


def take_script_values(scope: Scope, context: CompileContext) -> None:
    """Give a page the values that its own script names, as far as they are written out."""
    source = scope.source
    if source.dialect.extensions.isdisjoint(_OF_VUE) or "<script" not in source.text:
        return
    code = "\n".join(one.inner() for one in stretches(source.text, _SCRIPT, _SCRIPT_END))
    take_values(code, scope, context)
    known = {name.removeprefix(IMPORTED): value for name, value in scope.props.items()}
    constants = read_constants(_BOX.sub("= ", code))
    for match in _PARTS.finditer(code):
        whole = constants.get(match["whole"], known.get(match["whole"]))
        if not isinstance(whole, dict):
            continue
        for one in match["names"].split(","):
            name, _, own = (part.strip() for part in one.partition(":"))
            if name in whole:
                constants[own or name] = whole[name]
    scope.props = {**scope.props, **{f"{IMPORTED}{name}": value for name, value in constants.items()}}
