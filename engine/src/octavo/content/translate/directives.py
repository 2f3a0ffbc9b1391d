"""The directives of MyST and of the extensions of Sphinx that documentation uses most."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

from octavo.content.notebooks.cells import kernel_language
from octavo.content.translate.options import written_autodoc
from octavo.content.translate.output import attribute, fenced, label, looks_like_code, marked_label
from octavo.content.translate.sphinx import (
    Directive,
    Draw,
    Options,
    Report,
    Rewritten,
    Translate,
    csv_table,
    include,
    info_of,
    list_table,
)
from octavo.content.translate.surroundings import Surroundings
from octavo.lazy import regex as re

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
    "nbinfo": "info",
    "nbwarning": "warning",
}
_PROOFS = frozenset(["algorithm", "assumption", "axiom", "conjecture", "corollary", "criterion", "definition", "example", "lemma", "notation", "observation",
                     "proof", "property", "proposition", "remark", "theorem"])  # fmt: skip
"""Directives of sphinx-proof, behind `prf:`."""
_EXERCISES = frozenset(["exercise", "solution"])
"""Directives of sphinx-exercise; the argument of a solution is the label of its exercise."""
_TITLED = {"seealso": "see-also", "deprecated": "deprecated", "versionadded": "added", "versionchanged": "changed", "versionremoved": "removed",
           "version-deprecated": "deprecated", "version-added": "added", "version-changed": "changed", "version-removed": "removed"}  # fmt: skip
"""Directives whose title is a word of the theme → the end of its key, behind `directive.`."""
_CODE = frozenset(["code-block", "code", "sourcecode", "parsed-literal", "prompt", "ipython", "doctest",
                   "testcode", "testoutput", "jupyter-execute", "myst", "graphviz", "plantuml", "console", "highlight-block", "uml", "productionlist", "digraph", "graph"])  # fmt: skip
_DROPPED = frozenset(["contents", "tableofcontents", "index", "meta", "highlight", "currentmodule", "module", "py:module",
                      "py:currentmodule", "default-role", "only-settings", "autosummary-settings",
                      "list-of-figures", "toc", "program", "sectnum", "section-numbering", "testsetup", "testcleanup", "default-domain"])  # fmt: skip
_FRAMES = frozenset(["div", "container", "grid-item", "epigraph", "highlights", "pull-quote", "compound", "hlist", "only",
                     "class", "tab-set-code", "rst-class", "figure-md", "acks", "sub-figure", "ifconfig", "column"])  # fmt: skip
_DEEPEST_TITLE = 200


def draw_directive(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    """Draw a directive.

    Args:
        one: What is written.
        around: The page and its site.
        translate: Rewrites Markdown that comes from a file, or from the cell of a table.
        report: Takes a problem.
    """
    name = one.name = around.source.dialect.rst.directives.get(one.name, one.name)
    if name in _ADMONITIONS or name in _TITLED or name in ("admonition", "topic", "sidebar", "margin", "aside"):
        return _admonition(one, around)
    if name in _EXERCISES or (name.startswith("prf:") and name[4:] in _PROOFS):
        return _proof(one, around, translate)
    if name in ("code-cell", "raw-cell"):
        return _cell(one, around, report)
    if name in _CODE:
        return _code(one)
    if (draw := _DRAW.get(name)) is not None:
        return draw(one, around, translate, report)
    if name == "bibliography":
        report(f'What "{{{name}}}" writes is made by an extension of Sphinx, which is not run; it is left out.')
        one.options.all_asked()
        return Rewritten(takes_body=True)
    if name in _DROPPED:
        if name == "toc" and one.option("context") not in ("", "page"):
            report(f'The list of pages that "{{toc}}" shows for "{one.option("context")}" is left out.')
        one.options.all_asked()
        return Rewritten(takes_body=True)
    if name in _FRAMES:
        return Rewritten()
    if one.argument and (":" in name or name in _DESCRIBED):
        return _described(one, translate)
    options = f" Its options are not: {', '.join(one.options)}." if one.options else ""
    one.options.all_asked()
    report(f'The directive "{{{name}}}" is not known; its text is kept.{options}')
    head = f"`{one.argument.replace('`', '')}`\n" if one.argument else ""
    if not one.body.strip() or name.startswith("auto"):
        return Rewritten(head.strip(), takes_body=True)
    if looks_like_code(one.body):
        return Rewritten(f"{head}\n{fenced(textwrap.dedent(one.body), '')}".strip(), takes_body=True)
    return Rewritten(head)


_DESCRIBED = frozenset(["describe", "object", "option", "cmdoption", "envvar", "confval", "setting", "function", "class", "method", "data",
                        "attribute", "exception", "property", "staticmethod", "classmethod", "decorator", "type"])  # fmt: skip
_OF_INDEX = frozenset(["noindex", "no-index", "no-index-entry", "noindexentry", "no-contents-entry", "nocontentsentry",
                       "canonical", "single-line-parameter-list"])  # fmt: skip
"""Options of descriptions that readers do not see."""
_KINDS = {"async": "async", "abstractmethod": "abstract", "abstract": "abstract", "classmethod": "classmethod", "staticmethod": "static",
          "static": "static", "final": "final"}  # fmt: skip
"""Option of a description → the word before the name that it stands for."""


def _described(one: Directive, translate: Translate) -> Rewritten:
    """Write the name of what is described as code, with its properties, above the description."""
    shown = re.sub(r"\s+", " ", one.argument).strip("`")
    words = kinds_of(one.options)
    given = one.options.copy()
    one.options.all_asked()
    anchor = re.sub(r"[^\w.-]+", "-", re.split(r"[(\s,]", shown, maxsplit=1)[0]).strip("-")
    head = f'<a id="{anchor}"></a>\n\n' if anchor else ""
    lines = "".join(f"- {key}: {translate(value)}\n" for key, value in given.items() if value and key not in _OF_INDEX)
    if "no-typesetting" in given:  # a place for references, of which readers see nothing
        return Rewritten(head.strip(), takes_body=True)
    return Rewritten(f"{head}**`{words}{shown}`**\n\n{lines}".rstrip("\n") + "\n", "\n")


def kinds_of(options: Options) -> str:
    """Give the words before the name of a described object that its options stand for, with a space behind each."""
    return "".join(f"{word} " for name, word in _KINDS.items() if name in options)


def _admonition(one: Directive, around: Surroundings) -> Rewritten:
    classes = one.option("class").split()
    anchor = f" {{#{name}}}" if (name := one.anchor) else ""
    subtitle = one.option("subtitle")
    has_title = bool(one.argument) and "mystmd" in around.source.dialect.extensions
    if has_title and (one.name in _ADMONITIONS or one.name == "seealso"):
        kind, title, text = _ADMONITIONS.get(one.name, "info"), one.argument, ""
    elif one.name in _TITLED:
        version, _, text = one.argument.partition(" ")
        if one.name == "seealso":
            version, text = "", one.argument
        title = around.word(f"directive.{_TITLED[one.name]}").replace("{version}", version).strip()
        kind = (
            "warning"
            if one.name in ("deprecated", "versionremoved", "version-deprecated", "version-removed")
            else "info"
        )
    elif one.name in _ADMONITIONS:
        kind, title, text = _ADMONITIONS[one.name], "", one.argument
    else:
        kind = next((known for known in classes if known in _ADMONITIONS), "note")
        title, text = one.argument, f"**{subtitle}**" if subtitle else ""
    is_open = one.option("collapsible") == "open" or one.options.get("open", "false") != "false"
    if is_open or "dropdown" in classes or "collapsible" in one.options:
        summary = title or one.name.capitalize()
        target = f'<a id="{name}"></a>\n\n' if name else ""
        head = f"{target}<details{' open' if is_open else ''}>\n<summary>{summary}</summary>\n"
        return Rewritten(f"{head}\n{text}" if text else head, "\n</details>")
    head = f":::{kind}[{marked_label(title)}]{anchor}" if title else f":::{kind}{anchor}"
    return Rewritten(f"{head}\n{text}" if text else head, ":::")


def _proof(one: Directive, around: Surroundings, translate: Translate) -> Rewritten:
    """Draw a theorem, an exercise and the like: a block whose title says what it is, and what it is called."""
    kind = one.name.removeprefix("prf:")
    if "hidden" in one.options:
        one.options.all_asked()
        return Rewritten(takes_body=True)
    title = around.word(f"directive.{kind}") if kind in _EXERCISES else kind.capitalize()
    if one.argument and kind != "solution":
        title = f"{title}: {translate(one.argument).strip()}"
    look = f"{one.option('class')} {'example' if kind in _EXERCISES else 'note'}"
    return _admonition(Directive("admonition", title, one.options.changed({"name": one.anchor, "class": look})), around)


def _code(one: Directive) -> Rewritten:
    if one.name in ("graph", "digraph"):
        body = f"{f'{one.name} {one.argument}'.strip()} {{\n{one.body.strip(chr(10))}\n}}"
        one = Directive("graphviz", "", one.options, body)
    language = one.argument or one.option("language")
    language = language or {
        "console": "console",
        "jupyter-execute": "python",
        "testcode": "python",
        "graphviz": "dot",
    }.get(one.name, "")
    return Rewritten(fenced(textwrap.dedent(one.body), info_of(language, one)), takes_body=True)


def _cell(one: Directive, around: Surroundings, report: Report) -> Rewritten:
    """Draw a cell of a notebook that is written as text: it has no outputs, since nothing is run."""
    tags = {tag.replace("_", "-") for tag in re.findall(r"[\w-]+", one.option("tags"))}
    if "remove-cell" in tags or (one.name == "code-cell" and "remove-input" in tags):
        one.options.all_asked()
        return Rewritten(takes_body=True)
    if one.name == "raw-cell":
        kind = one.option("format", "raw_mimetype").strip("\"'")
        if kind in ("text/html", "text/markdown", "html", "markdown"):
            return Rewritten(one.body, takes_body=True)
        if kind:
            one.options.all_asked()
            report(f'The "{{raw-cell}}" is text for {kind}, and no part of a web page; it is left out.')
            return Rewritten(takes_body=True)
    kernel = around.front.get("kernelspec") if not one.argument else None
    named = kernel.get("language") or kernel.get("name") if isinstance(kernel, dict) else None
    language = kernel_language(one.argument or str(named or "")) if one.name == "code-cell" else ""
    code = fenced(textwrap.dedent(one.body), info_of(language, one))
    word = "notebook.code" if "hide-input" in tags else "notebook.cell" if "hide-cell" in tags else ""
    if word:
        code = f"<details>\n<summary>{around.word(word)}</summary>\n\n{code}\n\n</details>"
    return Rewritten(code, takes_body=True)


def _title(one: Directive, translate: Translate) -> str:
    """Title of a block, with its roles rewritten: many begin with an icon."""
    return translate(one.argument).strip() if "{" in one.argument else one.argument


def _details(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    is_open = " open" if "open" in one.options or "show" in one.options else ""
    title = _title(one, translate) or around.word("directive.details")
    return Rewritten(f"<details{is_open}>\n<summary>{title}</summary>\n", "\n</details>")


def _frame(opening: str, closing: str) -> Callable[[Directive, Surroundings, Translate, Report], Rewritten]:
    def draw(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
        return Rewritten(opening, closing)

    return draw


def _tab(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    # What chooses a tab is a button: marks, and references to footnotes, have no place in it.
    title = attribute(re.sub(r"[`*]|\[\^[^\]\s]+\]", "", _title(one, translate)).strip() or "Tab")
    value = attribute(one.option("sync")) if one.option("sync") else title
    chosen = " default" if "selected" in one.options else ""
    return Rewritten(f"<TabItem value={value} label={title}{chosen}>\n", "\n</TabItem>")


def _tabs(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    """Draw a group of tabs; where they have keys, those with the same key in all groups of this name are chosen together."""
    group = one.option("sync-group")
    group = group or ("tab" if _IN_STEP.search(one.body) else "")
    return Rewritten(f"<Tabs groupId={attribute(group)}>" if group else "<Tabs>", "</Tabs>")


_IN_STEP = re.compile(r"^[ \t>]*(?::sync:[ \t]*\S|\.\.[ \t]+group-tab::|[`:]{3,}\{group-tab\})", re.MULTILINE)
"""A tab that is chosen together with those of the same key, or of the same title, in other groups."""


def _card(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    href = one.option("link", "link-to")
    if href and (one.option("link-type") in ("doc", "ref") or "://" not in href):
        href = around.page(href.lower() if one.option("link-type") == "ref" else href)
    own = _title(one, translate)
    title = f"[{label(own)}]({href})" if href and own else own
    head = f"<Card title={attribute(title)}>\n" if title else "<Card>\n"
    more = "" if own or not href else f"\n[{href}]({href})\n"
    alt = label(one.option("img-alt"))
    above, below = (f"![{alt}](<{path}>)" if (path := one.option(name)) else "" for name in ("img-top", "img-bottom"))
    before = [
        f"\n{text}\n" for text in (above or _background(one, alt), translate(one.option("header"))) if text.strip()
    ]
    after = [f"\n{text}\n" for text in (translate(one.option("footer")), below) if text.strip()]
    return Rewritten(f"{head}{more}{''.join(before)}", f"{''.join(after)}\n</Card>")


def _background(one: Directive, alt: str) -> str:
    """Write the picture that a card has behind its text: here it is above the text."""
    path = one.option("img-background")
    return f"![{alt}](<{path}>)" if path else ""


def _article_info(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    """Draw the line below the title of an article: who wrote it, when, and how long reading takes."""
    parts = [translate(one.option(name).strip("\"'")).strip() for name in ("author", "date", "read-time")]
    target = one.option("avatar-link")
    if target and parts[0] and "](" not in parts[0]:
        parts[0] = f"[{label(parts[0])}]({target})"
    return Rewritten(" · ".join(filter(None, parts)), takes_body=True)


def _figure(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    alt = one.option("alt") or " ".join(one.body.split()) or ""
    address = one.argument
    image = f"![{label(re.sub(r'[`*{}]', '', alt))}]({f'<{address}>' if ' ' in address else address})"
    size = re.fullmatch(r"(\d+)(?:px)?", one.option("width"))
    if size and "attr_list" in around.source.dialect.extensions:
        image += f'{{width="{size[1]}"}}'
    if target := one.option("target"):
        image = f"[{image}]({around.page(target) if '://' not in target and '.' not in target else target})"
    if name := one.anchor:
        image = f'<a id="{name}"></a>\n\n{image}'
    if one.name == "image":
        return Rewritten(image, takes_body=True)
    return Rewritten(f"{image}\n\n{translate(textwrap.dedent(one.body))}".rstrip(), takes_body=True)


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
        stem = re.sub(r"\.(?:md|rst|ipynb)$", "", path)
        found = None if "://" in path else around.read_page(stem)
        title = match["title"] or (around.title_of(found[0]) if found else "") or words_of_path(path)
        lines.append(f"- [{title}]({href})")
    caption = f"**{one.option('caption')}**\n\n" if one.option("caption") and lines else ""
    return Rewritten(f"{caption}{chr(10).join(lines)}", takes_body=True)


def _math(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    return Rewritten(f"$$\n{one.argument + chr(10) if one.argument else ''}{one.body.strip()}\n$$", takes_body=True)


_KIND_OF_DIAGRAM = re.compile(
    r"^[ \t]*(?:graph|flowchart|sequenceDiagram|classDiagram|stateDiagram(?:-v2)?|erDiagram|gantt|journey|pie)\b[^\n;]*$",
    re.MULTILINE,
)
"""First line of a diagram of a kind that may have a title for screen readers."""


def _mermaid(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    body = one.body
    if not body.strip() and one.argument and (found := around.read(one.argument)):
        body = found[1]
    del report
    body = textwrap.dedent(body)
    alt = " ".join(one.option("alt").split())
    if alt and "accTitle" not in body:
        body = _KIND_OF_DIAGRAM.sub(lambda match: f"{match[0]}\n  accTitle: {alt}", body, count=1)
    drawn = fenced(body, "mermaid")
    if caption := translate(one.option("caption")).strip():
        drawn = f"<figure>\n\n{drawn}\n\n<figcaption>\n\n{caption}\n\n</figcaption>\n\n</figure>"
    return Rewritten(drawn, takes_body=True)


def _raw(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    if one.argument.strip().lower() != "html":
        return Rewritten(takes_body=True)
    return Rewritten(re.sub(r"\n[ \t]*(?=\n)", "", textwrap.dedent(one.body).strip("\n")), takes_body=True)


def _captioned(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    return Rewritten(f"**{one.argument}**\n" if one.argument else "")


def _rubric(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    return Rewritten(f"**{one.argument}**", takes_body=True)


def _quotation(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    lines = translate(textwrap.dedent(one.body)).strip("\n").split("\n")
    return Rewritten("\n".join(f"> {line}".rstrip() for line in lines), takes_body=True)


def _tags(one: Directive, around: Surroundings, translate: Translate, report: Report) -> Rewritten:
    """Name what a page is about, as sphinx-tags does below its text."""
    names = [name for part in f"{one.argument},{one.body}".split(",") if (name := " ".join(part.split()))]
    return Rewritten(f"**Tags:** {', '.join(names)}" if names else "", takes_body=True)


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
    del report
    # That of a button-link is an address, not the name of a document.
    href = around.page(one.argument.lower()) if one.name == "button-ref" else one.argument
    title = f" {attribute(one.option('tooltip'))}" if one.option("tooltip") else ""
    return Rewritten(f"[{' '.join(translate(one.body).split()) or one.argument}]({href}{title})", takes_body=True)


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
    """Draw what was typed at a prompt, with what came out, or the latter alone."""
    body = textwrap.dedent(one.body).strip("\n")
    if "output-only" in one.options:
        one.options.all_asked()
        return Rewritten(fenced(body, "text"), takes_body=True)
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
        title = attribute(one.option("title", "alt") or " ".join(one.body.split()) or "Embedded page")
        caption = translate(textwrap.dedent(one.body)).strip()
        frame = f"<iframe src={attribute(one.argument)} title={title}></iframe>"
        return Rewritten(f"{frame}\n\n{caption}" if caption else frame, takes_body=True)
    name = f" aria-label={attribute(one.option('alt'))}" if one.option("alt") else ""
    caption = f"\n\n{translate(one.option('caption'))}" if one.option("caption") else ""
    return Rewritten(f"<video src={attribute(one.argument)}{name} controls></video>{caption}", takes_body=True)


_DRAW: dict[str, Draw] = {
    **dict.fromkeys(("dropdown", "toggle", "collapse", "spoiler", "details"), _details),
    **dict.fromkeys(("tab-set", "tabs"), _tabs),
    **dict.fromkeys(("tab-item", "tab", "group-tab", "code-tab"), _tab),
    **dict.fromkeys(("grid", "card-carousel"), _frame("<CardGrid>\n", "\n</CardGrid>")),
    **dict.fromkeys(("grid-item-card", "card"), _card),
    "article-info": _article_info,
    **dict.fromkeys(("figure", "image"), _figure),
    **dict.fromkeys(("include", "literalinclude"), include),
    **dict.fromkeys(("toctree", "nbgallery", "nblinkgallery"), _toctree),
    "math": _math,
    "mermaid": _mermaid,
    "raw": _raw,
    "list-table": list_table,
    "csv-table": csv_table,
    "table": _captioned,
    **dict.fromkeys(("rubric", "centered"), _rubric),
    "blockquote": _quotation,
    "tags": _tags,
    "glossary": _glossary,
    **dict.fromkeys(("button-link", "button-ref"), _button),
    "eval-rst": _rst,
    "terminal": _terminal,
    **dict.fromkeys(("youtube", "iframe", "video"), _media),
}
