"""`translate_notebook`: a notebook as a fragment of Markdown."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from octavo.content.notebooks.cells import FRONT_MATTER, Cell, Damage, Notebook, head_of, read_notebook
from octavo.content.notebooks.formulas import bare_formulas
from octavo.content.notebooks.outputs import Outputs
from octavo.content.notebooks.pictures import FORMATS, address_of, attached, name_of
from octavo.content.notebooks.writer import CellWriter
from octavo.content.source import Fragment
from octavo.content.translate.output import CodeRanges, fences
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from collections.abc import Mapping

    from octavo.content.context import CompileContext

_OPTION = re.compile(r"#\|[ \t]*(?P<key>[\w-]+)[ \t]*:[ \t]*(?P<value>.*?)[ \t]*\Z")
_MAGIC = re.compile(r"\A%%(?P<name>bash|sh|html|javascript|js|latex|sql|R|perl|ruby|cython|svg|markdown)\b")
_OF_MAGICS = {"js": "javascript", "sh": "bash", "R": "r", "svg": "xml"}
_ATTACHMENT = re.compile(r"(?<=[(<\"'])attachment:(?P<name>[^\s)\"'<>]+)")
_CLOSING = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*\Z")
_COLONS = re.compile(r"^[ \t]*(?P<mark>:{3,})[ \t]*(?P<name>(?:\{[A-Za-z]|[A-Za-z])[^\n]*)?$", re.MULTILINE)
_WEB = ("text/html", "text/markdown", "text/x-markdown", "html", "markdown", "md")
_RST = ("text/restructuredtext", "text/x-rst", "rst", "restructuredtext")


def translate_notebook(fragment: Fragment, context: CompileContext) -> Fragment:
    """Write a notebook as Markdown; each piece of it knows its place in the JSON."""
    source = fragment.source
    notebook = read_notebook(source.text)
    if isinstance(notebook, Damage):
        context.report("error", "notebook", notebook.message, source, notebook.offset, suggestion=notebook.suggestion)
        return Fragment(source, "", [0], [0])
    pages = _Page(fragment, notebook, context)
    for cell in notebook.cells:
        pages.cell(cell)
    return pages.writer.fragment()


class _Page:
    def __init__(self, fragment: Fragment, notebook: Notebook, context: CompileContext) -> None:
        self.writer = CellWriter(fragment.source)
        self._source = fragment.source
        self._notebook = notebook
        self._context = context
        self._words: Mapping[str, str] = context.words
        self._outputs = Outputs(self._source.path, self._words["notebook.output"], self._report)

    def cell(self, cell: Cell) -> None:
        """Write a cell, as far as its tags show it."""
        tags = cell.tags
        if "remove-cell" in tags:
            return
        is_hidden = "hide-cell" in tags and cell.kind != "raw"
        if is_hidden:
            self._open("notebook.cell", cell)
        if cell.kind == "markdown":
            self._markdown(cell)
        elif cell.kind == "code":
            self._code(cell, tags, is_hidden=is_hidden)
        elif cell.kind == "raw":
            self._raw(cell)
        else:
            message = f'Cell {cell.number} is of the kind "{cell.kind}", which is not known; its text is shown.'
            self._report(message, cell.offset, "Make it a cell of code or Markdown.", "notebook")
            self._fenced(cell, "text")
        if is_hidden:
            self.writer.block("</details>", cell.offset)

    def _markdown(self, cell: Cell) -> None:
        text = cell.text
        start = match.end() if cell is head_of(self._notebook) and (match := FRONT_MATTER.match(text)) else 0
        edits = [(at.start(), at.end(), self._attached(cell, at["name"])) for at in _ATTACHMENT.finditer(text)]
        # MyST finds those of its pages itself.
        formulas = [] if "myst" in self._source.dialect.extensions else bare_formulas(text)
        if formulas:
            code = CodeRanges(text)
            edges = (edge for formula in formulas if not code.holds(formula[0]) for edge in formula)
            edits += [(edge, edge, "\n$$\n") for edge in edges]  # in lines of their own, whatever is beside them
        self._copy(cell, start, sorted(one for one in edits if one[0] >= start))
        self.writer.write("\n", cell.offset)
        if blocks := fences(text):
            last = text[blocks[-1][0] : blocks[-1][1]]
            mark = re.search(r"`{3,}|~{3,}", last)
            if mark and blocks[-1][1] >= len(text) and not _is_closed(last, mark[0]):
                message = f"The block of code that begins in cell {cell.number} is not closed in it."
                offset = self._place(cell, blocks[-1][0])
                self._report(message, offset, f"Write {mark[0]} in a line below it.", "unclosed-fence")
                self.writer.write(f"{mark[0]}\n", cell.offset)
        self._close_blocks(cell, text, blocks)
        self.writer.write("\n", cell.offset)

    def _close_blocks(self, cell: Cell, text: str, code: list[tuple[int, int]]) -> None:
        """Close the blocks of colons that a cell leaves open: they end with it."""
        open_marks: list[tuple[str, int]] = []
        position = 0
        for start, end in [*code, (len(text), len(text))]:
            for line in _COLONS.finditer(text, position, start):
                if line["name"]:
                    open_marks.append((line["mark"], line.start("mark")))
                elif any(mark == line["mark"] for mark, _ in open_marks):
                    while open_marks.pop()[0] != line["mark"]:
                        pass
            position = end
        for mark, at in reversed(open_marks):
            message = f"The block that begins in cell {cell.number} is not closed in it."
            self._report(message, self._place(cell, at), f"Write {mark} in a line below it.", "unclosed")
            self.writer.write(f"{mark}\n", cell.offset)

    def _copy(self, cell: Cell, start: int, edits: list[tuple[int, int, str]]) -> None:
        """Write the text of a cell from an offset on, with other text in the place of some of it."""
        position, resume, number = 0, start, 0
        for text, offset in cell.source:
            end = position + len(text)
            while number < len(edits) and edits[number][0] < end:
                first, last, new = edits[number]
                if first > resume:
                    at = max(resume - position, 0)
                    self.writer.write(text[at : first - position], offset + at)
                self.writer.write(new, offset + first - position)
                resume = max(resume, first, last)
                number += 1
            if resume < end:
                at = max(resume - position, 0)
                self.writer.write(text[at:], offset + at)
            position = end
        for _, _, new in edits[number:]:
            self.writer.write(new, cell.source[-1].offset if cell.source else cell.offset)

    def _place(self, cell: Cell, at: int) -> int:
        """Offset in the file of a character of a cell."""
        for text, offset in cell.source:
            if at < len(text):
                return offset + at
            at -= len(text)
        return cell.offset

    def _attached(self, cell: Cell, name: str) -> str:
        for number, own, kind, _ in attached(cell):
            if own == name or own == name.replace("%20", " "):
                return address_of(self._source.path, name_of(self._source.path, cell, number, FORMATS[kind], "a"))
        message = f'Cell {cell.number} has no attachment "{name}" that a page can show.'
        self._report(message, cell.offset, "Put the picture into the cell again.", "notebook")
        return f"attachment:{name}"

    def _code(self, cell: Cell, tags: frozenset[str], *, is_hidden: bool) -> None:
        options, lines = _options_of(cell)
        given = options.get("tags", "").strip("[]").replace("_", "-")
        tags |= frozenset(one.strip(" \"'") for one in given.split(",") if one.strip())
        if "remove-cell" in tags:
            return
        label = options.get("label") or _setting(cell, "figure", "name")
        if label:
            self.writer.block(f'<a id="{html.escape(label)}"></a>', cell.offset)
        if "remove-input" not in tags and cell.text.strip():
            is_folded = "hide-input" in tags and not is_hidden
            if is_folded:
                self._open("notebook.code", cell)
            magic = _MAGIC.match(cell.text)
            language = _OF_MAGICS.get(magic["name"], magic["name"]) if magic else self._notebook.language
            self._fenced(cell, language, lines)
            if is_folded:
                self.writer.block("</details>", cell.offset)
        if "remove-output" in tags:
            return
        blocks = self._outputs.blocks(cell, _alt_of(cell, options))
        if not blocks:
            return
        is_folded = "hide-output" in tags and not is_hidden
        if is_folded:
            self._open("notebook.show_output", cell)
        for text, offset in blocks:
            self.writer.block(text, offset)
        caption = options.get("caption") or options.get("fig-cap") or _setting(cell, "figure", "caption")
        if caption:
            self.writer.block(f"*{caption}*", cell.offset)
        if is_folded:
            self.writer.block("</details>", cell.offset)

    def _raw(self, cell: Cell) -> None:
        """Write a cell that is meant for one format: those of web pages are shown, of others it is said that they are not."""
        if cell is head_of(self._notebook):
            return
        kind = str(cell.metadata.get("format") or cell.metadata.get("raw_mimetype") or "").lower()
        if kind in _WEB:
            self._copy(cell, 0, [])
            self.writer.write("\n\n", cell.offset)
        elif kind in _RST:
            read = self._context.readers.get("rst")
            line = self._source.span(cell.offset).line
            written = read(cell.text, self._source, self._context, line) if read else None
            self.writer.block(written or "", cell.offset)
            if written is None:
                message = f"Cell {cell.number} is reStructuredText, which needs docutils; it is left out."
                self._report(message, cell.offset, 'Install it: pip install "octavo[rst]".', "notebook")
        elif kind:
            message = f"Cell {cell.number} is raw text for {kind}, and no part of a web page; it is left out."
            self._report(message, cell.offset, "Give it the tag remove-cell, or make it Markdown.", "notebook")
        elif cell.text.strip():
            self._fenced(cell, "text")

    def _fenced(self, cell: Cell, language: str, skipped: int = 0) -> None:
        """Write the text of a cell as a block of code, each line with its place."""
        text = cell.text
        mark = "```"
        while mark in text:
            mark += "`"
        start = 0
        for _ in range(skipped):
            start = text.find("\n", start) + 1
        start += len(text[start:]) - len(text[start:].lstrip("\n"))
        self.writer.write(f"{mark}{language}\n", cell.offset)
        self._copy(cell, start, [])
        self.writer.write("" if text.endswith("\n") else "\n", cell.offset)
        self.writer.write(f"{mark}\n\n", cell.offset)

    def _open(self, word: str, cell: Cell) -> None:
        own = cell.metadata.get("mystnb")
        given = own.get("code_prompt_show") if isinstance(own, dict) else None
        title = html.escape(given.replace("{type}", "")) if isinstance(given, str) else self._words[word]
        self.writer.block(f"<details>\n<summary>{title.strip()}</summary>\n", cell.offset)

    def _report(self, message: str, offset: int, remedy: str, code: str) -> None:
        self._context.report("warn", code, message, self._source, offset, suggestion=remedy)


def _is_closed(block: str, mark: str) -> bool:
    last = block.rstrip("\n").rpartition("\n")
    closing = _CLOSING.match(last[2])
    return bool(last[1]) and closing is not None and closing[1].startswith(mark)


def _options_of(cell: Cell) -> tuple[dict[str, str], int]:
    """Read the lines `#| key: value` at the head of code: the options, and the number of their lines."""
    options: dict[str, str] = {}
    lines = 0
    for line in cell.text.split("\n"):
        found = _OPTION.match(line)
        if found is None:
            break
        lines += 1
        options[found["key"]] = found["value"].strip("\"'")
    return options, lines


def _alt_of(cell: Cell, options: dict[str, str]) -> str:
    given = (options.get("alt"), options.get("fig-alt"), _setting(cell, "image", "alt"), cell.metadata.get("alt"))
    return next((one for one in given if isinstance(one, str)), "")


def _setting(cell: Cell, group: str, name: str) -> str | None:
    """Give a setting that MyST-NB reads from the metadata of a cell."""
    for key in ("mystnb", "render"):
        settings = cell.metadata.get(key)
        inner = settings.get(group) if isinstance(settings, dict) else None
        found = inner.get(name) if isinstance(inner, dict) else None
        if isinstance(found, str):
            return found
    return None
