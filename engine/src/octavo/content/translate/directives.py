"""The directives of MyST and of the extensions of Sphinx that documentation uses most."""

from __future__ import annotations

import csv
import posixpath
import re
import textwrap
from collections.abc import Callable

import msgspec

from octavo.content.translate.options import python_object, written_autodoc
from octavo.content.translate.output import attribute, fenced, label, marked_label
from octavo.content.translate.surroundings import Surroundings

Translate = Callable[[str], str]
Report = Callable[[str], None]


class Directive(msgspec.Struct):
    """A directive as it is written in a page."""

    name: str
    argument: str
    options: dict[str, str] = {}
    body: str = ""
    line: int = 1
    """Line of the file in which the body begins."""

    def option(self, *names: str) -> str:
        """Give the first of these options that is there."""
        return next((self.options[name] for name in names if name in self.options), "")

    @property
    def anchor(self) -> str:
        """Id by which references find it, made of its name as docutils does."""
        return re.sub(r"[^a-z0-9]+", "-", self.option("label", "name").lower()).strip("-")


class Rewritten(msgspec.Struct, frozen=True):
    """What takes the place of a directive."""

    opening: str = ""
    closing: str = ""
    takes_body: bool = False
    """`opening` stands for the body as well; else the body is Markdown between the two."""


_ADMONITIONS = {
    "note": "note",
    "warning": "warning",
    "tip": "tip",
    "hint": "hint",
    "important": "important",
    "caution": "caution",
    "attention": "attention",
    "danger": "danger",
    "error": "error",
    "todo": "todo",
    "example": "example",
    "question": "question",
}
_PROOFS = frozenset(["algorithm", "assumption", "axiom", "conjecture", "corollary", "criterion", "definition", "example", "lemma", "notation", "observation",
                     "proof", "property", "proposition", "remark", "theorem"])  # fmt: skip
"""Directives of sphinx-proof, behind `prf:`."""
_EXERCISES = {"exercise": "Exercise", "solution": "Solution"}
"""Directives of sphinx-exercise → their title; the argument of a solution is the label of its exercise."""
_TITLED = {"seealso": "See also", "deprecated": "Deprecated since version", "versionadded": "New in version",
           "versionchanged": "Changed in version", "versionremoved": "Removed in version", "version-deprecated": "Deprecated since version", "version-added": "New in version",
           "version-changed": "Changed in version", "version-removed": "Removed in version"}  # fmt: skip
_CODE = frozenset(["code-block", "code", "sourcecode", "code-cell", "parsed-literal", "prompt", "ipython", "doctest",
                   "testcode", "testoutput", "jupyter-execute", "myst", "graphviz", "plantuml", "console", "highlight-block", "uml"])  # fmt: skip
_DROPPED = frozenset(["contents", "tableofcontents", "index", "meta", "highlight", "currentmodule", "module", "py:module",
                      "py:currentmodule", "tags", "bibliography", "default-role", "only-settings", "autosummary-settings",
                      "list-of-figures", "toc", "program", "sectnum", "section-numbering", "testsetup", "testcleanup", "default-domain"])  # fmt: skip
_FRAMES = frozenset(["div", "container", "grid-item", "epigraph", "highlights", "pull-quote", "compound", "hlist", "only",
                     "centered", "class", "tab-set-code", "rst-class", "figure-md", "sub-figure", "ifconfig", "column"])  # fmt: skip
_DEEPEST_TITLE = 200


def draw_directive(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    """Draw a directive.

    Args:
        one: What is written.
        around: The page and its site.
        translate: Rewrites Markdown that comes from a file, or from the cell of a table.
        report: Takes a problem.
    """
    name = one.name
    if name in _ADMONITIONS or name in _TITLED or name in ("admonition", "topic", "sidebar", "margin", "aside"):
        return _admonition(one)
    if name in _EXERCISES or (name.startswith("prf:") and name[4:] in _PROOFS):
        return _proof(one, translate)
    if name in _CODE:
        return _code(one)
    if (draw := _DRAW.get(name)) is not None:
        return draw(one, around, translate, report)
    if name in _DROPPED:
        return Rewritten(takes_body=True)
    if name in _FRAMES:
        return Rewritten()
    if one.argument and (":" in name or name in _DESCRIBED):
        return _described(one, translate)
    report(f'The directive "{{{name}}}" is not known; its text is kept.')
    head = f"`{one.argument.replace('`', '')}`\n" if one.argument else ""
    if not one.body.strip() or name.startswith("auto"):
        return Rewritten(head.strip(), takes_body=True)
    return Rewritten(head)


_DESCRIBED = frozenset(["describe", "object", "option", "cmdoption", "envvar", "confval", "setting", "function", "class", "method", "data",
                        "attribute", "exception", "property", "staticmethod", "classmethod", "decorator", "type"])  # fmt: skip
_OF_INDEX = frozenset(["noindex", "no-index", "no-index-entry", "noindexentry", "no-contents-entry", "nocontentsentry", "no-typesetting",
                       "async", "abstractmethod", "classmethod", "staticmethod", "final", "canonical", "single-line-parameter-list"])  # fmt: skip
"""Options of descriptions that readers do not see."""


def _described(one: Directive, translate: Translate) -> Rewritten:
    """Write the name of what is described as code, with its properties, above the description."""
    shown = re.sub(r"\s+", " ", one.argument).strip("`")
    anchor = re.sub(r"[^\w.-]+", "-", re.split(r"[(\s,]", shown, maxsplit=1)[0]).strip("-")
    head = f'<a id="{anchor}"></a>\n\n' if anchor else ""
    lines = "".join(
        f"- {key}: {translate(value)}\n" for key, value in one.options.items() if value and key not in _OF_INDEX
    )
    return Rewritten(f"{head}**`{shown}`**\n\n{lines}".rstrip("\n") + "\n", "\n")


def _admonition(one: Directive) -> Rewritten:
    classes = one.option("class").split()
    anchor = f" {{#{name}}}" if (name := one.anchor) else ""
    if one.name in _TITLED:
        version, _, text = one.argument.partition(" ")
        if one.name == "seealso":
            version, text = "", one.argument
        title = f"{_TITLED[one.name]} {version}".strip()
        kind = (
            "warning"
            if one.name in ("deprecated", "versionremoved", "version-deprecated", "version-removed")
            else "info"
        )
    elif one.name in _ADMONITIONS:
        kind, title, text = _ADMONITIONS[one.name], "", one.argument
    else:
        kind = next((known for known in classes if known in _ADMONITIONS), "note")
        title, text = one.argument, ""
    if "dropdown" in classes:
        summary = title or one.name.capitalize()
        target = f'<a id="{name}"></a>\n\n' if name else ""
        head = f"{target}<details>\n<summary>{summary}</summary>\n"
        return Rewritten(f"{head}\n{text}" if text else head, "\n</details>")
    head = f":::{kind}[{marked_label(title)}]{anchor}" if title else f":::{kind}{anchor}"
    return Rewritten(f"{head}\n{text}" if text else head, ":::")


def _proof(one: Directive, translate: Translate) -> Rewritten:
    """Draw a theorem, an exercise and the like: a block whose title says what it is, and what it is called."""
    kind = one.name.removeprefix("prf:")
    title = _EXERCISES.get(kind) or kind.capitalize()
    if one.argument and kind != "solution":
        title = f"{title}: {translate(one.argument).strip()}"
    look = f"{one.option('class')} {'example' if kind in _EXERCISES else 'note'}"
    return _admonition(Directive("admonition", title, {"name": one.anchor, "class": look}))


def _code(one: Directive) -> Rewritten:
    language = one.argument or one.option("language")
    language = language or {"console": "console", "jupyter-execute": "python", "testcode": "python"}.get(one.name, "")
    return Rewritten(fenced(textwrap.dedent(one.body), _info(language, one)), takes_body=True)


def _info(language: str, one: Directive) -> str:
    """Write the info string of a fenced block: the first word is its language."""
    marks = _code_marks(one)
    return f"{language or 'text'}{marks}" if marks else language


def _code_marks(one: Directive) -> str:
    caption, lines = one.option("caption"), one.option("emphasize-lines")
    marks = f" title={attribute(caption)}" if caption else ""
    marks += f" {{{lines.replace(' ', '')}}}" if re.fullmatch(r"[\d,\s-]+", lines) else ""
    return marks + (" showLineNumbers" if "linenos" in one.options or "lineno-start" in one.options else "")


def _title(one: Directive, translate: Translate) -> str:
    """Title of a block, with its roles rewritten: many begin with an icon."""
    return translate(one.argument).strip() if "{" in one.argument else one.argument


def _details(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    is_open = " open" if "open" in one.options else ""
    title = _title(one, translate) or "Details"
    return Rewritten(f"<details{is_open}>\n<summary>{title}</summary>\n", "\n</details>")


def _frame(opening: str, closing: str) -> Callable[[Directive, Surroundings, Translate, Report], Rewritten]:
    def draw(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
        return Rewritten(opening, closing)

    return draw


def _tab(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    # What chooses a tab is a button: marks, and references to footnotes, have no place in it.
    title = attribute(re.sub(r"[`*]|\[\^[^\]\s]+\]", "", _title(one, translate)).strip() or "Tab")
    return Rewritten(f"<TabItem value={title} label={title}>\n", "\n</TabItem>")


def _card(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    href = one.option("link", "link-to")
    if href and (one.option("link-type") in ("doc", "ref") or "://" not in href):
        href = around.page(href.lower() if one.option("link-type") == "ref" else href)
    own = _title(one, translate)
    title = f"[{label(own)}]({href})" if href and own else own
    head = f"<Card title={attribute(title)}>\n" if title else "<Card>\n"
    more = "" if own or not href else f"\n[{href}]({href})\n"
    return Rewritten(f"{head}{more}", "\n</Card>")


def _article_info(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    """Draw the line below the title of an article: who wrote it, when, and how long reading takes."""
    parts = [translate(one.option(name).strip("\"'")).strip() for name in ("author", "date", "read-time")]
    return Rewritten(" · ".join(filter(None, parts)), takes_body=True)


def _figure(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    alt = one.option("alt") or " ".join(one.body.split()) or ""
    address = one.argument
    image = f"![{label(re.sub(r'[`*{}]', '', alt))}]({f'<{address}>' if ' ' in address else address})"
    if target := one.option("target"):
        image = f"[{image}]({around.page(target) if '://' not in target and '.' not in target else target})"
    if name := one.anchor:
        image = f'<a id="{name}"></a>\n\n{image}'
    if one.name == "image":
        return Rewritten(image, takes_body=True)
    return Rewritten(f"{image}\n\n{translate(textwrap.dedent(one.body))}".rstrip(), takes_body=True)


def _include(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    found = around.read(one.argument)
    if found is None:
        report(around.missing(one.argument))
        return Rewritten(takes_body=True)
    text = cut_lines(found[1].replace("\r\n", "\n"), one)
    if one.name == "literalinclude" or "literal" in one.options or "code" in one.options:
        language = one.option("language", "code", "lang") or posixpath.splitext(one.argument)[1].lstrip(".")
        return Rewritten(fenced(text, _info(language, one)), takes_body=True)
    if one.argument.endswith(".rst") and "parser" not in one.options:
        if (written := around.from_rst(text, one.line)) is not None:
            return Rewritten(written, takes_body=True)
        report(f'The file "{one.argument}" is no Markdown and needs "octavo[rst]"; it is shown as text.')
        return Rewritten(fenced(text, "rst"), takes_body=True)
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    return Rewritten(translate(text).strip("\n"), takes_body=True)


def cut_lines(text: str, one: Directive) -> str:
    """Cut the lines out of a file that the options of a directive name."""
    lines = text.split("\n")
    first, last = 0, len(lines)
    for option, offset in (("start-after", 1), ("start-at", 0)):
        if mark := one.option(option):
            first = next((number + offset for number, line in enumerate(lines) if mark in line), first)
    for option, offset in (("end-before", 0), ("end-at", 1)):
        if mark := one.option(option):
            last = next((number + offset for number in range(first, len(lines)) if mark in lines[number]), last)
    if (line := one.option("start-line")).isdecimal():
        first = int(line)
    if (line := one.option("end-line")).isdecimal():
        last = int(line)
    kept = lines[first:last]
    if wanted := one.option("lines"):
        numbers: list[int] = []
        for part in wanted.replace(" ", "").split(","):
            start, dash, stop = part.partition("-")
            begin = int(start) if start.isdecimal() else 1
            numbers += range(begin, (int(stop) if stop.isdecimal() else len(kept) if dash else begin) + 1)
        kept = [kept[number - 1] for number in numbers if 0 < number <= len(kept)]
    if name := one.option("pyobject"):
        kept = python_object(kept, name)
    cut = one.option("dedent")
    if "dedent" in one.options:
        kept = [line[int(cut) :] for line in kept] if cut.isdecimal() else textwrap.dedent("\n".join(kept)).split("\n")
    return "\n".join(kept)


_MADE_PAGES = {"genindex": "Index", "modindex": "Module Index", "py-modindex": "Module Index", "search": "Search Page"}
"""Pages that Sphinx makes itself → their titles."""


def words_of_path(path: str) -> str:
    """Make a title for a page in a table of contents whose own is not known: it may be that of a file which it takes in."""
    name = path.rstrip("/").rpartition("/")[2]
    words = re.sub(r"[-_]+", " ", name).strip()
    return path if "://" in path or not words else _MADE_PAGES.get(name) or words[0].upper() + words[1:]


def _toctree(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    """List the pages of a table of contents where it is shown."""
    if "hidden" in one.options:
        return Rewritten(takes_body=True)
    lines = []
    for entry in one.body.splitlines():
        match = re.match(r"\s*(?:(?P<title>.*?)\s*<(?P<path>[^<>]+)>|(?P<bare>[^\s:][^\n]*?))\s*$", entry)
        path = match and (match["path"] or match["bare"])
        if not match or not path or path == "self" or "*" in path:
            continue
        href = path if "://" in path else around.page(path)
        stem = re.sub(r"\.(?:md|rst)$", "", path)
        found = None if "://" in path else around.read(f"{stem}.md") or around.read(f"{stem}.rst")
        title = match["title"] or (around.title_of(found[0]) if found else "") or words_of_path(path)
        lines.append(f"- [{title}]({href})")
    caption = f"**{one.option('caption')}**\n\n" if one.option("caption") and lines else ""
    return Rewritten(f"{caption}{chr(10).join(lines)}", takes_body=True)


def _math(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    return Rewritten(f"$$\n{one.argument + chr(10) if one.argument else ''}{one.body.strip()}\n$$", takes_body=True)


def _mermaid(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    body = one.body
    if not body.strip() and one.argument and (found := around.read(one.argument)):
        body = found[1]
    del translate, report
    return Rewritten(fenced(textwrap.dedent(body), "mermaid"), takes_body=True)


def _raw(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    if one.argument.strip().lower() != "html":
        return Rewritten(takes_body=True)
    return Rewritten(re.sub(r"\n[ \t]*(?=\n)", "", textwrap.dedent(one.body).strip("\n")), takes_body=True)


def _list_table(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
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


def _csv_table(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    body = one.body
    if path := one.option("file"):
        found = around.read(path)
        if found is None:
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


def _captioned(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    return Rewritten(f"**{one.argument}**\n" if one.argument else "")


def _rubric(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    return Rewritten(f"**{one.argument}**", takes_body=True)


def _glossary(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    """Write terms in bold with their meaning below; the lines of a meaning are indented."""
    out: list[str] = []
    depth = 0
    for line in textwrap.dedent(one.body).splitlines():
        if line.strip() and not line[0].isspace():
            term = re.sub(r"[^A-Za-z0-9._]+", "-", line.strip()).strip("-")
            out.append(
                f'\n<a id="term-{term}"></a>**{line.strip()}**\n' if not line.startswith(":") else line.lstrip(": ")
            )
            depth = 0
        else:
            depth = depth or len(line) - len(line.lstrip())
            out.append(line[depth:] if not line[:depth].strip() else line.strip())
    return Rewritten(translate("\n".join(out)).strip("\n"), takes_body=True)


def _button(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    del translate, report
    # That of a button-link is an address, not the name of a document.
    href = around.page(one.argument.lower()) if one.name == "button-ref" else one.argument
    return Rewritten(f"[{' '.join(one.body.split()) or one.argument}]({href})", takes_body=True)


def _rst(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    del translate
    if (
        around.has_python_api
        and (found := written_autodoc(one.body, around.source.text, around.source.dialect.rst.autodoc)) is not None
    ):
        return Rewritten(found, takes_body=True)
    if (written := around.from_rst(textwrap.dedent(one.body), one.line)) is not None:
        return Rewritten(written, takes_body=True)
    report(
        f'The text of "{{{one.name}}}" is reStructuredText, which needs "octavo[rst]"; it is shown as it is written.'
    )
    return Rewritten(fenced(textwrap.dedent(one.body), "rst"), takes_body=True)


def _terminal(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    """Draw what was typed at a prompt, with what came out."""
    body = textwrap.dedent(one.body).strip("\n")
    given = one.option("input")
    if not given:
        given, _, body = body.partition("\n")
    where = ":".join(
        filter(None, ("@".join(filter(None, (one.option("user"), one.option("host")))), one.option("dir")))
    )
    return Rewritten(fenced(f"{where}$ {given}\n{body}".strip("\n"), "console"), takes_body=True)


def _media(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    if one.name == "youtube":
        address = f"https://www.youtube-nocookie.com/embed/{one.argument}"
        return Rewritten(f'<iframe src="{address}" title="Video on YouTube" allowfullscreen></iframe>', takes_body=True)
    if one.name == "iframe":
        return Rewritten(f'<iframe src={attribute(one.argument)} title="Embedded page"></iframe>', takes_body=True)
    return Rewritten(f"<video src={attribute(one.argument)} controls></video>", takes_body=True)


_Draw = Callable[[Directive, Surroundings, Translate, Report], Rewritten]
_DRAW: dict[str, _Draw] = {
    **dict.fromkeys(("dropdown", "toggle", "collapse", "spoiler"), _details),
    **dict.fromkeys(("tab-set", "tabs"), _frame("<Tabs>", "</Tabs>")),
    **dict.fromkeys(("tab-item", "tab", "group-tab", "code-tab"), _tab),
    **dict.fromkeys(("grid", "card-carousel"), _frame("<CardGrid>\n", "\n</CardGrid>")),
    **dict.fromkeys(("grid-item-card", "card"), _card),
    "article-info": _article_info,
    **dict.fromkeys(("figure", "image"), _figure),
    **dict.fromkeys(("include", "literalinclude"), _include),
    "toctree": _toctree,
    "math": _math,
    "mermaid": _mermaid,
    "raw": _raw,
    "list-table": _list_table,
    "csv-table": _csv_table,
    "table": _captioned,
    "rubric": _rubric,
    "glossary": _glossary,
    **dict.fromkeys(("button-link", "button-ref"), _button),
    "eval-rst": _rst,
    "terminal": _terminal,
    **dict.fromkeys(("youtube", "iframe", "video"), _media),
}
