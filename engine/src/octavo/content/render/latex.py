"""LaTeX as `latex2mathml` reads it: what it would draw as text is written in other words first.

The converter knows commands and a few environments. Spaces after the end of a row, environments within others, and
definitions of commands would be letters of the formula; commands that it does not know are drawn as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_ROW_SPACE = re.compile(r"\\\\\*?[ \t]*\[[ \t]*-?[\d.]+[ \t]*(?:[a-z]{2}|\\[a-z]+)[ \t]*\]|\\\\\*")
_ENVIRONMENT = re.compile(r"\\(?P<edge>begin|end)[ \t]*\{(?P<name>[a-zA-Z]+\*?)\}(?P<rest>(?:\[[tbc]\])?)")
_AS = {
    "aligned": "align*",
    "alignedat": "align*",
    "alignat": "align*",
    "alignat*": "align*",
    "eqnarray": "align*",
    "eqnarray*": "align*",
    "flalign": "align*",
    "flalign*": "align*",
    "gathered": "matrix",
    "gather": "matrix",
    "gather*": "matrix",
    "multline": "matrix",
    "multline*": "matrix",
    "dcases": "cases",
    "rcases": "cases",
    "darray": "array",
}
"""Environment → the one of the converter that looks most like it."""
_AROUND = frozenset(["equation", "equation*", "displaymath", "math"])
"""Environments that only say that there is a formula."""
_COLUMNS = frozenset(["alignat", "alignat*", "alignedat"])
"""Environments with a number of columns behind their name."""
_WITHOUT_EFFECT = re.compile(
    r"\\(?:label|ensuremath|allowbreak|nobreak|notag|nonumber|displaystyle(?=\s*\\begin))(?![a-zA-Z])(?P<label>(?<=label)\s*\{[^{}]*\})?"
)
_DEFINITION = re.compile(
    r"\\(?:re|provide)?(?:newcommand|def)\*?\s*(?:\{\s*(?P<braced>\\[a-zA-Z]+)\s*\}|(?P<bare>\\[a-zA-Z]+))\s*(?:\[(?P<count>\d)\]|(?P<marks>(?:#\d)+))?\s*(?=\{)"
)
_UNKNOWN = re.compile(r"<m[ion][^<>]*>(?P<name>\\[a-zA-Z]+)</m[ion]>")
_COMMAND = re.compile(r"\\[a-zA-Z]+")
_MOST_STEPS = 200
_LONGEST = 20_000


def prepare(formula: str, macros: Mapping[str, str]) -> str:
    """Write a formula in the words of the converter.

    Args:
        formula: LaTeX, without the dollar signs.
        macros: Command → what it stands for, with `#1` to `#9` for its arguments.
    """
    own, formula = _definitions(formula) if "\\newcommand" in formula or "\\def" in formula else ({}, formula)
    known = {**macros, **own}
    if known:
        formula = _expand(formula, known)
    if "\\\\" in formula:
        formula = _ROW_SPACE.sub(r"\\\\ ", formula)
    if "\\begin" in formula:
        formula = _environments(formula)
    return _WITHOUT_EFFECT.sub("", formula)


def unknown_commands(mathml: str) -> list[str]:
    """Name the commands that a drawn formula shows as they are written."""
    return list(dict.fromkeys(match["name"] for match in _UNKNOWN.finditer(mathml)))


def _environments(formula: str) -> str:
    def one(match: re.Match[str]) -> str:
        name = match["name"]
        if name in _AROUND:
            return ""
        return f"\\{match['edge']}{{{_AS.get(name, name)}}}"

    for name in _COLUMNS:
        if name in formula:
            formula = re.sub(rf"(\\begin\{{{re.escape(name)}\}})\s*\{{\d+\}}", r"\1", formula)
    return _ENVIRONMENT.sub(one, formula)


def _definitions(formula: str) -> tuple[dict[str, str], str]:
    """Take the definitions of commands out of a formula."""
    found: dict[str, str] = {}
    kept, at = [], 0
    for match in _DEFINITION.finditer(formula):
        if match.start() < at:
            continue
        body, end = _group(formula, match.end())
        found[match["braced"] or match["bare"]] = body
        kept.append(formula[at : match.start()])
        at = end
    return found, "".join([*kept, formula[at:]])


def _group(text: str, at: int) -> tuple[str, int]:
    """Read the group in braces at a position, or else the one command or character there: (text, end)."""
    while at < len(text) and text[at].isspace():
        at += 1
    if at >= len(text):
        return "", at
    if text[at] != "{":
        command = _COMMAND.match(text, at)
        end = command.end() if command else at + 1
        return text[at:end], end
    depth = 0
    for place in range(at, len(text)):
        if text[place] == "{" and text[place - 1 : place] != "\\":
            depth += 1
        elif text[place] == "}" and text[place - 1 : place] != "\\":
            depth -= 1
            if depth == 0:
                return text[at + 1 : place], place + 1
    return text[at + 1 :], len(text)


def _expand(formula: str, macros: Mapping[str, str]) -> str:
    """Put the text of commands into their places, also those within each other, up to a bound."""
    steps, at = 0, 0
    while (match := _COMMAND.search(formula, at)) and steps < _MOST_STEPS and len(formula) <= _LONGEST:
        body = macros.get(match[0])
        if body is None:
            at = match.end()
            continue
        steps += 1
        end = match.end()
        for number in range(1, max(map(int, re.findall(r"#([1-9])", body)), default=0) + 1):
            given, end = _group(formula, end)
            body = body.replace(f"#{number}", given)
        formula = f"{formula[: match.start()]}{{{body}}}{formula[end:]}"
        at = match.start()
    return formula
