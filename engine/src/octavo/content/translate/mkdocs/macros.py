"""Templates of the plug-in mkdocs-macros: variables of the site and of the page's front matter, literal assignments, comments and raw stretches.

The plug-in draws a whole page as a template of Jinja, its code included. Values are put in, nothing is run: conditions and
loops over values that are known are drawn. The value of a macro without arguments may be known, under its name with `()`;
other calls of macros and any other statement stay as they are, with a finding.
"""

from __future__ import annotations

import contextlib
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from octavo.content.translate.jekyll.eleventy import as_liquid
from octavo.content.translate.jekyll.liquid import Evaluator, LiquidError, LiquidPiece, as_string, parse, write
from octavo.content.translate.output import USUAL_MARKS, CodeRanges, Output, matches_in
from octavo.content.translate.surroundings import Surroundings
from octavo.lazy import regex as re
from octavo.text_files import SyntaxMistakeError, parse_yaml

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment

_BLOCK = re.compile(r"\{%-?\s*(?:if|for)\s")
_EXTRA = re.compile(r"^extra:[ \t]*\n(?:[ \t#][^\n]*(?:\n|\Z)|[ \t]*\n)*", re.MULTILINE)
"""The part of `mkdocs.yml` with variables; other parts have tags that name programs."""


_NO_CHANGE = re.compile(r"(?:\s*\|\s*(?:safe|string|trim))*\s*-?")
"""Filters that leave a text as it is."""
_MOST_VALUES, _DEEPEST_VALUES = 2_000, 8
_EXTRA_NAME = re.compile(r"\A(?:config\.)?extra\.")
"""The plug-in gives the variables of `extra` to pages by their names, and under `extra` as well."""


@lru_cache(maxsize=16)
def _template(marks: tuple[str, ...], has_raw: bool, has_comments: bool) -> re.Pattern[str]:
    """Make the pattern of what templates hold, for the marks that a site has chosen."""
    before, after, opening, closing = map(re.escape, marks)
    is_usual = marks == USUAL_MARKS
    # Behind `$`, a brace belongs to a script; three braces are none of ours.
    start = rf"(?<![${{]){before}" if is_usual else before
    end = rf"{after}(?!\}})" if is_usual else after
    # The groups must be there in every case; `(?!)` matches nothing.
    tag, tag_end = rf"{opening}[-+]?\s*", rf"\s*[-+]?{closing}"
    raw = rf"{tag}raw{tag_end}(?P<raw>.*?){tag}endraw{tag_end}" if has_raw else "(?P<raw>(?!))"
    comments = r"\{#(?P<comment>.*?)#\}" if has_comments else "(?P<comment>(?!))"
    return re.compile(
        rf"{raw}|{comments}"
        rf"|{opening}-?\s*set\s+(?P<set>[A-Za-z_]\w*)\s*=\s*(?P<quote>[\"'])(?P<value>(?:(?!(?P=quote))[^\\\n])*)(?P=quote)\s*-?{closing}[ \t]*\n?"
        rf"|{opening}-?\s*set\s+(?P<computed>[A-Za-z_]\w*)\s*=[^{{}}\n]*?{closing}[ \t]*\n?"
        rf"|{start}-?\s*(?P<name>[A-Za-z_]\w*(?:\.\w+)*)(?:\s*\|\s*(?:safe|string|trim))*\s*-?{end}"
        rf"|{start}-?\s*(?P<call>[A-Za-z_]\w*(?:\.\w+)*)\s*\((?P<given>[^{{}}]*?)\)(?P<filters>[^{{}}]*?){end}",
        re.DOTALL,
    )


def translate_macros(fragment: Fragment, context: CompileContext) -> Fragment:
    """Put the values of variables into a page, and report the calls of macros in its code.

    Those in its text, and variables without a value, are reported with the other constructs that are shown as text.
    """
    text = fragment.text
    marks = fragment.source.dialect.macro_marks or USUAL_MARKS
    if marks[0] not in text and marks[2] not in text and "{#" not in text:
        return fragment
    if marks == USUAL_MARKS and _BLOCK.search(text):
        fragment = _with_blocks(fragment, context)
        text = fragment.text
    is_book = "gitbook" in fragment.source.dialect.extensions  # code of books is not a template
    variables = dict(fragment.source.dialect.variables)
    if not is_book:
        variables |= _front_values(Surroundings(fragment.source, context).front)
    output = Output(fragment)
    code = CodeRanges(text)
    position = 0

    def report(at: int, message: str, hint: str) -> None:
        context.report("warn", "foreign-syntax", message, fragment.source, fragment.origin(at), suggestion=hint)

    for match in matches_in(text, marks, _template):
        if is_book and match["raw"] is None and code.holds(match.start()):
            continue
        if (called := _value_of_call(match, variables)) is not None:
            output.copy(position, match.start())
            output.write(called, match.start())
            position = match.end()
            continue
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
        if value is None and marks[0] != "{{":
            message = f'"{match[0]}" is a variable of a template without a value here; it is shown as text.'
            report(match.start(), message, f'Name "{match["name"]}" among the variables of [markdown].')
        if value is None or (match["comment"] is not None and _is_attribute(match["comment"])):
            continue
        output.copy(position, match.start())
        output.write(value, match.start())
        position = match.end()
    if not position:
        return fragment
    output.copy(position, len(text))
    return output.fragment()


def _with_blocks(fragment: Fragment, context: CompileContext) -> Fragment:
    """Draw the conditions and loops of a page whose values are all known."""
    text = fragment.text
    evaluator = Evaluator(_names(fragment, context), is_strict=True)
    output, position = Output(fragment), 0
    code = CodeRanges(text) if "gitbook" in fragment.source.dialect.extensions else None
    for one in parse(text, as_liquid):
        if code is not None and code.holds(one.start):
            continue
        if one.kind == "assign":
            with contextlib.suppress(LiquidError):
                list(write([one], text, evaluator, _refuse))
        if one.kind not in ("if", "unless", "for") or one.start < position:
            continue
        end = re.compile(r"\{%-?\s*end\w+\s*-?%\}[ \t]*\n?").match(text, one.inner[1])
        if one.is_open or end is None:
            _report_open(one, text, fragment, context)
            continue
        try:
            written = as_string([one], text, evaluator, _refuse)
        except LiquidError as error:
            hint = "Write the text itself; what a program of the site computes is not known here."
            message = f'"{" ".join(text[one.start : one.end].split())}" cannot be drawn: {error}. It is shown as it is written.'
            context.report(
                "warn", "foreign-syntax", message, fragment.source, fragment.origin(one.start), suggestion=hint
            )
            continue
        output.copy(position, one.start)
        output.write(re.sub(r"\n[ \t]*(?:\n[ \t]*)+\n", "\n\n", written.lstrip("\n")), one.start)
        position = end.end()
    if not position:
        return fragment
    output.copy(position, len(text))
    return output.fragment()


def _report_open(one: LiquidPiece, text: str, fragment: Fragment, context: CompileContext) -> None:
    """Report a tag of a template whose end is missing."""
    message = f'"{" ".join(text[one.start : one.end].split())[:60]}" is never closed.'
    hint = f'Write "{{% end{one.kind} %}}" where its content ends.'
    context.report("warn", "unclosed", message, fragment.source, fragment.origin(one.start), suggestion=hint)


def _refuse(one: LiquidPiece, evaluator: Evaluator) -> str:
    del evaluator
    raise LiquidError(f'"{one.rest or one.kind}" is not known')


def _names(fragment: Fragment, context: CompileContext) -> dict[str, Any]:
    """Give the variables of the site and of the page as tables and lists."""
    found: dict[str, Any] = {}
    for name, value in fragment.source.dialect.variables.items():
        *path, last = name.split(".")
        inner = found
        for part in path:
            inner = inner.setdefault(part, {})
            if not isinstance(inner, dict):
                break
        else:
            # Of a macro, which may be a condition: every other value is a text.
            is_truth = last.endswith("()") and value in ("True", "False")
            inner[last] = value == "True" if is_truth else value
    around = Surroundings(fragment.source, context)
    settings = around.file("mkdocs.yml") or ""
    if match := _EXTRA.search(settings):
        with contextlib.suppress(SyntaxMistakeError):
            given = parse_yaml(match[0])
            extra = given.get("extra") if isinstance(given, dict) else None
            found |= extra if isinstance(extra, dict) else {}
    return {
        "extra": dict(found),
        "config": {"extra": dict(found)},
        **found,
        **around.front,
        "page": {"title": around.own_value("title"), "meta": around.front},
    }


def is_template(fragment: Fragment, context: CompileContext) -> bool:
    """Whether a page is a template: its front matter may say that it is none."""
    front = Surroundings(fragment.source, context).front
    return front.get("render_macros") is not False and front.get("ignore_macros") is not True


def _front_values(front: dict[str, Any]) -> dict[str, str]:
    """Give the texts and numbers of a front matter by their names: bare, and as `page.meta` has them.

    Only the first ones: a few references of YAML can make hundreds of thousands.
    """
    found: dict[str, str] = {}
    parts: list[tuple[str, dict[Any, Any]]] = [("", front)]
    while parts and len(found) < _MOST_VALUES:
        prefix, table = parts.pop(0)
        if prefix.count(".") > _DEEPEST_VALUES:
            continue
        for key, value in table.items():
            name = f"{prefix}{key}".lower()
            if isinstance(value, dict):
                parts.append((f"{name}.", value))
            elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
                found[name] = found[f"page.meta.{name}"] = str(value)
    if "title" in found:
        found["page.title"] = found["title"]
    return found


def _value(match: re.Match[str], variables: dict[str, str]) -> str | None:
    """Give the text that takes the place of a template; None where it has no value."""
    if match["set"] is not None:
        variables[match["set"].lower()] = match["value"]
        return ""
    if match["comment"] is not None:
        return ""
    if match["raw"] is not None:
        return match["raw"]
    name = match["name"].lower()
    return variables.get(name, variables.get(_EXTRA_NAME.sub("", name)))


def _value_of_call(match: re.Match[str], variables: dict[str, str]) -> str | None:
    """Give the value of a macro without arguments, `name()`; None where it has none."""
    if match["call"] is None or match["given"].strip() or not _NO_CHANGE.fullmatch(match["filters"]):
        return None
    return variables.get(f"{match['call']}()")


def _is_attribute(comment: str) -> bool:
    """Whether what looks like a comment, `{#…#}`, begins with one attribute list and ends within another."""
    return "}" in comment or not (comment[:1].isspace() or comment[:1] == "-")
