"""Text and code that lie in other files of the site."""

from __future__ import annotations

import difflib
import posixpath
import textwrap

from octavo.content.translate.options import python_object
from octavo.content.translate.output import attribute, fenced
from octavo.content.translate.sphinx.directive import Directive, Report, Rewritten, Translate
from octavo.content.translate.surroundings import Surroundings
from octavo.lazy import regex as re

_NUMBER = re.compile(r"-?\d+")
_MOST_COMPARED = 5_000
"""Lines of a file that is compared with another one: the time grows faster than their number."""


def include(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    """Take in a file as a part of the page, or show it as code."""
    found = around.read(one.argument)
    if found is None:
        one.options.all_asked()
        report(around.missing(one.argument))
        return Rewritten(takes_body=True)
    text = found[1].replace("\r\n", "\n")
    if one.name == "literalinclude" and one.option("diff"):
        return _difference(one, text, around, report)
    text, number = _cut(text, one, report)
    if one.name == "literalinclude" or "literal" in one.options or "code" in one.options:
        language = one.option("language", "code", "lang") or posixpath.splitext(one.argument)[1].lstrip(".")
        shown = text.lstrip("\n")
        lines = [one.option("prepend"), shown.rstrip("\n"), one.option("append")]
        info = info_of(language, one, number + len(text) - len(shown))
        return Rewritten(fenced("\n".join(filter(None, lines)), info), takes_body=True)
    if "parser" not in one.options and one.argument.endswith(".rst"):
        if (written := around.from_rst(text, one.line)) is not None:
            return Rewritten(written, takes_body=True)
        report(f'The file "{one.argument}" is not Markdown and needs "octavo[rst]"; it is shown as text.')
        return Rewritten(fenced(text, "rst"), takes_body=True)
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    return Rewritten(translate(text).strip("\n"), takes_body=True)


def _difference(one: Directive, text: str, around: Surroundings, report: Report) -> Rewritten:
    """Show what a file has more and less than the one that `diff` names."""
    path = one.option("diff")
    found = around.read(path)
    if found is None:
        report(around.missing(path))
        return Rewritten(fenced(text, info_of("", one)), takes_body=True)
    old, new = found[1].splitlines(), text.splitlines()
    if max(len(old), len(new)) > _MOST_COMPARED:
        report(f'"{one.argument}" and "{path}" are too long to be compared; the file is shown as it is.')
        return Rewritten(fenced(text, info_of("", one)), takes_body=True)
    lines = difflib.unified_diff(old, new, path, one.argument, lineterm="")
    return Rewritten(fenced("\n".join(lines), info_of("diff", one)), takes_body=True)


def cut_lines(text: str, one: Directive, report: Report) -> str:
    """Cut the lines out of a file that the options of a directive name; what they name in vain is reported."""
    return _cut(text, one, report)[0]


def _cut(text: str, one: Directive, report: Report) -> tuple[str, int]:
    """Cut lines out of a file.

    Returns:
        (the lines, number in the file of the first of them).
    """
    lines = text.split("\n")
    first, last = 0, len(lines)
    for option, offset in (("start-after", 1), ("start-at", 0)):
        if mark := one.option(option):
            at = next((number for number, line in enumerate(lines) if mark in line), None)
            first = first if at is None else at + offset
            if at is None:
                report(f'No line of "{one.argument}" holds "{mark}", which "{option}" names; it has no effect.')
    for option, offset in (("end-before", 0), ("end-at", 1)):
        if mark := one.option(option):
            at = next((number for number in range(first, len(lines)) if mark in lines[number]), None)
            last = last if at is None else at + offset
            if at is None:
                report(f'No line of "{one.argument}" holds "{mark}", which "{option}" names; it has no effect.')
    if _NUMBER.fullmatch(line := one.option("start-line")):
        first = int(line)
    if _NUMBER.fullmatch(line := one.option("end-line")):
        last = int(line)
    kept = lines[first:last]
    number = 1 + range(len(lines))[first:last].start
    if wanted := one.option("lines"):
        chosen = _chosen(kept, wanted, one, report)
        number += chosen[0] - 1 if chosen else 0
        kept = [kept[each - 1] for each in chosen]
    if name := one.option("pyobject"):
        found = python_object(kept, name)
        if found is None:
            report(f'"{one.argument}" defines no "{name}"; the whole file is shown.')
        else:
            number += next(at for at in range(len(kept)) if kept[at : at + len(found)] == found)
            kept = found
    cut = one.option("dedent")
    if "dedent" in one.options:
        kept = [line[int(cut) :] for line in kept] if cut.isdecimal() else textwrap.dedent("\n".join(kept)).split("\n")
    return "\n".join(kept), number


def _chosen(lines: list[str], wanted: str, one: Directive, report: Report) -> list[int]:
    """Give the numbers, 1-based, of lines that are chosen by numbers and ranges such as `1,3-5,8-`."""
    count = len(lines) - 1 if lines and not lines[-1] else len(lines)
    numbers: list[int] = []
    for part in wanted.replace(" ", "").split(","):
        start, dash, stop = part.partition("-")
        begin = int(start) if start.isdecimal() else 1
        end = int(stop) if stop.isdecimal() else len(lines) if dash else begin
        if not part or not re.fullmatch(r"\d*-?\d*", part) or begin > count or (stop and end > count):
            report(f'"lines" names {part or "nothing"}, but "{one.argument}" has {count} lines to choose from.')
        numbers += range(begin, min(end, len(lines)) + 1)
    return [number for number in numbers if 0 < number <= len(lines)]


def info_of(language: str, one: Directive, number: int = 1) -> str:
    """Write the info string of a fenced block: the first word is its language.

    Args:
        language: Empty for none.
        one: Its options say what is marked and numbered.
        number: That of the first line in the file that the code is from.
    """
    marks = _code_marks(one, number)
    return f"{language or 'text'}{marks}" if marks else language


def _without_marks(text: str) -> str:
    """Leave out the marks around words of a caption, which is a title of plain text here: those of roles, code and emphasis."""
    return _MARKED.sub(r"\g<word>", re.sub(r":[\w:+.-]+:(?=`)", "", text))


_MARKED = re.compile(r"(?<!\w)(?P<mark>\*\*|\*|``|`)(?=\S)(?P<word>[^`*]*[^`*\s])(?P=mark)(?!\w)")


def _code_marks(one: Directive, number: int) -> str:
    caption, lines = one.option("caption", "filename"), one.option("emphasize-lines")
    marks = f" title={attribute(_without_marks(caption))}" if caption else ""
    marks += f" {{{lines.replace(' ', '')}}}" if re.fullmatch(r"[\d,\s-]+", lines) else ""
    first = one.option("lineno-start", "number-lines")
    if first.isdecimal():
        return f"{marks} showLineNumbers={first}"
    if "lineno-match" in one.options and number > 1:
        return f"{marks} showLineNumbers={number}"
    shows = [name for name in ("linenos", "lineno-start", "lineno-match", "number-lines") if name in one.options]
    return marks + (" showLineNumbers" if shows else "")
