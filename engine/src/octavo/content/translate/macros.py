"""Templates of the plug-in mkdocs-macros: variables of the site, literal assignments, comments and raw stretches.

The plug-in draws a whole page as a template of Jinja, its code included. Values are put in, nothing is run: a call of a
macro and any other statement stay as they are, with a finding.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from octavo.content.translate.output import CodeRanges, Output

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment

_USUAL = ("{{", "}}", "{%", "%}")


@lru_cache(maxsize=16)
def _template(marks: tuple[str, ...]) -> re.Pattern[str]:
    """Make the pattern of what templates hold, for the marks that a site has chosen."""
    before, after, opening, closing = map(re.escape, marks)
    is_usual = marks == _USUAL
    # Behind `$`, a brace belongs to a script; three braces are none of ours.
    start = rf"(?<![${{]){before}" if is_usual else before
    end = rf"{after}(?!\}})" if is_usual else after
    return re.compile(
        rf"{opening}-?\s*raw\s*-?{closing}(?P<raw>.*?){opening}-?\s*endraw\s*-?{closing}"
        r"|\{#(?P<comment>.*?)#\}"
        rf"|{opening}-?\s*set\s+(?P<set>[A-Za-z_]\w*)\s*=\s*(?P<quote>[\"'])(?P<value>[^\"'\n]*)(?P=quote)\s*-?{closing}[ \t]*\n?"
        rf"|{opening}-?\s*set\s+(?P<computed>[A-Za-z_]\w*)\s*=[^{{}}\n]*?{closing}[ \t]*\n?"
        rf"|{start}-?\s*(?P<name>[A-Za-z_]\w*(?:\.\w+)*)(?:\s*\|\s*(?:safe|string|trim))*\s*-?{end}"
        rf"|{start}-?\s*(?P<call>[A-Za-z_]\w*(?:\.\w+)*)\s*\([^{{}}]*?\)[^{{}}]*?{end}",
        re.DOTALL,
    )


def translate_macros(fragment: Fragment, context: CompileContext) -> Fragment:
    """Put the values of variables into a page, and report the calls of macros in its code.

    Those in its text, and variables without a value, are reported with the other constructs that are shown as text.
    """
    text = fragment.text
    marks = fragment.source.dialect.macro_marks or _USUAL
    if marks[0] not in text and marks[2] not in text and "{#" not in text:
        return fragment
    variables = dict(fragment.source.dialect.variables)
    output = Output(fragment)
    code = CodeRanges(text)
    position = 0

    def report(at: int, message: str, hint: str) -> None:
        context.report("warn", "foreign-syntax", message, fragment.source, fragment.origin(at), suggestion=hint)

    for match in _template(marks).finditer(text):
        if match["call"] is not None:
            if code.holds(match.start()) or marks[0] not in ("{{", "[["):
                message = (
                    f'"{match["call"]}(…)" calls a macro, which is a program of the site; it is shown as it is written.'
                )
                report(match.start(), message, "Write the text itself.")
            continue
        if match["computed"] is not None:
            message = f'The value of "{match["computed"]}" is computed by a template; it has none here.'
            report(match.start(), message, f'Name "{match["computed"]}" among the variables of [markdown].')
            output.copy(position, match.start())
            position = match.end()
            continue
        value = _value(match, variables)
        # `{#id}` and `{# id .class }` after a heading are attributes.
        if value is None or (match["comment"] is not None and _is_attribute(match["comment"])):
            continue
        output.copy(position, match.start())
        output.write(value, match.start())
        position = match.end()
    if not position:
        return fragment
    output.copy(position, len(text))
    return output.fragment()


def _value(match: re.Match[str], variables: dict[str, str]) -> str | None:
    """Give the text that takes the place of a template; None where it has no value."""
    if match["set"] is not None:
        variables[match["set"].lower()] = match["value"]
        return ""
    if match["comment"] is not None:
        return ""
    return match["raw"] if match["raw"] is not None else variables.get(match["name"].lower())


def _is_attribute(comment: str) -> bool:
    """Whether what looks like a comment, `{#…#}`, begins with one attribute list and ends within another."""
    return "}" in comment or not (comment[:1].isspace() or comment[:1] == "-")
