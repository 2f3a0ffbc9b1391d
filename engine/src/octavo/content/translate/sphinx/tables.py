"""Tables that directives write as lists or as values with commas between them."""

from __future__ import annotations

import csv
import textwrap

from octavo.content.translate.output import fenced
from octavo.content.translate.sphinx.directive import Directive, Report, Rewritten, Translate
from octavo.content.translate.surroundings import Surroundings
from octavo.lazy import regex as re


def list_table(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    rows: list[list[str]] = []
    for line in textwrap.dedent(one.body).splitlines():
        if match := re.match(r"[*-][ \t]+[*-](?:[ \t]+|$)(.*)$", line):
            rows.append([match[1]])
        elif rows and (match := re.match(r"[ \t]{1,4}[*-](?:[ \t]+|$)(.*)$", line)):
            rows[-1].append(match[1])
        elif rows:
            rows[-1][-1] += "\n" + (line[4:] if line.startswith("    ") else line.strip())
    heads = one.option("header-rows")
    return _table(one, rows, int(heads) if heads.isdecimal() else 0, translate)


def csv_table(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    body = one.body
    if path := one.option("file"):
        found = around.read(path)
        if found is None:
            one.options.all_asked()
            report(around.missing(path))
            return Rewritten(takes_body=True)
        body = found[1]
    given = one.option("delim").strip("\"'") or ","
    mark = {"tab": "\t", "space": " "}.get(given, given)
    text = textwrap.dedent(body).strip()
    try:
        rows = [row for row in csv.reader(text.splitlines(), delimiter=mark, skipinitialspace=True) if row]
        head = next(csv.reader([one.option("header")], skipinitialspace=True), []) if one.option("header") else []
    except (csv.Error, TypeError) as error:
        report(f"This table cannot be read: {error}.")
        return Rewritten(fenced(text, ""), takes_body=True)
    given = one.option("header-rows")
    heads = 1 if head else int(given) if given.isdecimal() else 0
    return _table(one, [head, *rows] if head else rows, heads, translate)


def _table(one: Directive, rows: list[list[str]], heads: int, translate: Translate) -> Rewritten:
    """Write a table; where cells hold more than a paragraph, as HTML around their Markdown."""
    caption = f"**{one.argument}**\n\n" if one.argument else ""
    width = max(map(len, rows), default=0)
    if not width:
        return Rewritten(caption.strip(), takes_body=True)
    cells = [[translate(textwrap.dedent(cell).strip()) for cell in [*row, *[""] * (width - len(row))]] for row in rows]
    if any(
        re.search(r"^[ \t]*(?:```|:::|[-*+] |\d+[.)] |<)|\n[ \t]*\n", cell, re.MULTILINE)
        for row in cells
        for cell in row
    ):
        lines = []
        for number, row in enumerate(cells):
            tag = "th" if number < heads else "td"
            lines.append("<tr>" + "".join(f"\n<{tag}>\n\n{cell}\n\n</{tag}>" for cell in row) + "\n</tr>")
        return Rewritten(f"{caption}<table>\n" + "\n".join(lines) + "\n</table>", takes_body=True)
    written = [f"| {' | '.join(map(_cell, row))} |" for row in cells]
    if not heads:
        written.insert(0, "|" + "  |" * width)
    written.insert(1, "|" + " --- |" * width)
    return Rewritten(caption + "\n".join(written), takes_body=True)


def _cell(text: str) -> str:
    """Write a cell of a table in pipes on one line."""
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))
