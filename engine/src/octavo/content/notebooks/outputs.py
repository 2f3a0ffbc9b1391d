"""What the cells of a notebook have shown, as Markdown."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from octavo.content.notebooks.cells import Cell, CellOutput
from octavo.content.notebooks.formulas import with_marks
from octavo.content.notebooks.pictures import FORMATS, address_of, decode, name_of, text_of
from octavo.content.notebooks.shown_html import shown_html
from octavo.content.source import normalize
from octavo.content.translate.output import fenced, label
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from collections.abc import Callable

    Report = Callable[[str, int, str, str], None]
    """Takes a message, the offset of what it is about, a remedy, and a code."""

_ANSI = re.compile(r"\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")
_OBJECT = re.compile(r"\s*<[^<>]*>\s*\Z")
"""What Python writes for an object that shows itself in a richer form."""
_MOST_TEXT = 100_000
"""Characters of an output that are shown."""
_MOST_HTML = 1_000_000
_WIDGETS = "application/vnd.jupyter.widget-view+json"
_OF_PROGRAMS = ("application/javascript", "text/javascript", "application/ecmascript")
_AS_CODE = {"application/json": "json", "text/csv": "csv", "application/xml": "xml", "text/xml": "xml", "text/x-python": "python"}  # fmt: skip
_DEFAULT_REMEDY = "Save a picture or a text of it in the notebook, or give the cell the tag remove-output."


class Outputs:
    """Writes the outputs of one notebook."""

    def __init__(self, path: str, title: str, report: Report) -> None:
        """Initialize.

        Args:
            path: Of the notebook, from the site's folder.
            title: Shown above texts.
            report: Takes findings.
        """
        self._path = path
        self._title = title.replace('"', "'")
        self._report = report

    def blocks(self, cell: Cell, alt: str) -> list[tuple[str, int]]:
        """Write the outputs of a cell: list of (Markdown, offset in the file).

        Args:
            cell: The cell.
            alt: Text of its pictures; empty where it gives none.
        """
        found: list[tuple[str, int]] = []
        stream = ""
        for number, output in enumerate(cell.outputs, start=1):
            kind = output.raw.get("output_type")
            if kind == "stream":
                name = str(output.raw.get("name"))
                if f"remove-{name}" in cell.tags:
                    continue
                text = text_of(output.raw.get("text"))
                if stream == name and found:
                    # Programs write in pieces; a page shows what they wrote as one text.
                    found[-1] = (found[-1][0] + text, found[-1][1])
                else:
                    found.append((text, output.offset))
                stream = name
                continue
            if stream:
                found[-1] = (self._text(*found[-1], cell), found[-1][1])
            stream = ""
            found.append((self._one(cell, number, output, alt), output.offset))
        if stream:
            found[-1] = (self._text(*found[-1], cell), found[-1][1])
        return [one for one in found if one[0]]

    def _one(self, cell: Cell, number: int, output: CellOutput, alt: str) -> str:
        kind, data = output.raw.get("output_type"), output.raw.get("data")
        if kind == "error":
            lines = output.raw.get("traceback")
            text = "\n".join(one for one in lines if isinstance(one, str)) if isinstance(lines, list) else ""
            named = f"{output.raw.get('ename') or 'Error'}: {output.raw.get('evalue') or ''}"
            return self._text(text or named, output.offset, cell)
        if not isinstance(data, dict):
            self._say(cell, output, f'shows something of the kind "{kind}", which is not known', _DEFAULT_REMEDY)
            return ""
        return self._shown(cell, number, output, data, alt)

    def _shown(self, cell: Cell, number: int, output: CellOutput, data: Mapping[str, Any], alt: str) -> str:
        """Write the best form of an output that a page can show."""
        failed = ""
        if _WIDGETS in data:
            failed = "shows a widget, which lives only while a program runs"
        left_out: list[str] = []
        if not failed and "text/html" in data:
            shown = shown_html(clean(text_of(data["text/html"])))
            left_out = shown.left_out
            if len(shown.html) > _MOST_HTML:
                failed = f"shows HTML of {len(shown.html)} characters, which is too much for a page"
            elif shown.html:
                if left_out:
                    names = ", ".join(f"<{name}>" for name in left_out)
                    self._say(cell, output, f"shows HTML of which this is left out: {names}", _DEFAULT_REMEDY)
                return f"<div>{shown.html}</div>"
        for kind, ending in FORMATS.items():
            if kind in data and not failed:
                if decode(kind, data[kind]) is not None:
                    return self._picture(cell, number, output, kind, ending, alt)
                self._say(cell, output, f"shows a picture that is damaged ({kind})", "Run the cell again, and save.")
        if (markdown := clean(text_of(data.get("text/markdown")))).strip() and not failed:
            return markdown
        if (latex := clean(text_of(data.get("text/latex"))).strip()) and not failed:
            return with_marks(latex) or fenced(latex, "latex")
        for kind, language in _AS_CODE.items():
            if kind in data and not failed:
                value = data[kind]
                text = text_of(value) or json.dumps(value, indent=2, ensure_ascii=False)
                return self._text(text, output.offset, cell, language)
        others = [kind for kind in data if kind not in ("text/plain", "text/html", *FORMATS)]
        if left_out:
            failed = f"shows what runs in a browser: {', '.join(f'<{name}>' for name in left_out)}"
        elif any(kind in _OF_PROGRAMS for kind in others):
            failed = "shows a script, which is not run"
        elif others and not failed:
            failed = f"shows data of a kind that no page can show: {', '.join(others)}"
        plain = text_of(data.get("text/plain"))
        if failed:
            self._say(cell, output, failed, _DEFAULT_REMEDY)
        if _WIDGETS in data or ((failed or "text/html" in data) and _OBJECT.match(plain)):
            return ""
        return self._text(plain, output.offset, cell)

    def _picture(self, cell: Cell, number: int, output: CellOutput, kind: str, ending: str, alt: str) -> str:
        name = name_of(self._path, cell, number, ending)
        metadata = output.raw.get("metadata")
        metadata = metadata if isinstance(metadata, dict) else {}
        own = metadata.get(kind)
        own = own if isinstance(own, dict) else metadata
        shown = next((one for one in (own.get("alt"), metadata.get("alt"), alt) if isinstance(one, str)), "")
        size = "".join(
            f' {side}="{round(value)}"'
            for side in ("width", "height")
            if isinstance(value := own.get(side), (int, float)) and 0 < value < 100_000
        )
        address = address_of(self._path, name)
        if not size or not shown.strip():
            return f"![{label(re.sub(r'[`*_{}$<>]', '', shown))}]({address})"
        return f'<img src="{html.escape(address)}" alt="{html.escape(" ".join(shown.split()))}"{size} />'

    def _text(self, text: str, offset: int, cell: Cell, language: str = "text") -> str:
        """Write a text as a block of code, as a terminal shows it."""
        shown = plain(text)
        if len(shown) > _MOST_TEXT:
            message = (
                f"Cell {cell.number} shows a text of {len(shown)} characters; the page has the first {_MOST_TEXT}."
            )
            self._report(message, offset, "Print less, or give the cell the tag remove-output.", "notebook")
            shown = shown[:_MOST_TEXT]
        return fenced(shown, f'{language} title="{self._title}"') if shown.strip() else ""

    def _say(self, cell: Cell, output: CellOutput, what: str, remedy: str) -> None:
        self._report(f"Cell {cell.number} {what}.", output.offset, remedy, "notebook")


def plain(text: str) -> str:
    """Give a text as a terminal shows it in the end: without colors, and without what was written over."""
    lines = _ANSI.sub("", text).split("\n")
    shown = (line.rstrip("\r").rpartition("\r")[2] for line in lines)
    return clean("\n".join(_typed_over(line) if "\x08" in line else line for line in shown)).rstrip()


def clean(text: str) -> str:
    """Replace what no page can show, as for all sources."""
    return normalize(text) if not text.isascii() or not text.isprintable() else text


def _typed_over(line: str) -> str:
    """Take out what backspaces have taken back."""
    left: list[str] = []
    for sign in line:
        if sign != "\x08":
            left.append(sign)
        elif left:
            left.pop()
    return "".join(left)
