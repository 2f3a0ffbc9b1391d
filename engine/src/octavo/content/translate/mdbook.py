"""What the most used preprocessors of mdBook read: admonitions, tabs, variables and footnotes.

- a fence ` ```admonish warning title="Title" collapsible=true ` is an admonition (mdbook-admonish)
- `{{#tabs}}`, `{{#tab name="Name"}}`, `{{#endtab}}`, `{{#endtabs}}` (mdbook-tabs), and `{{#tab Name}}`, `{{#/tab}}`, `{{#/tabs}}` of the books of Kubernetes
- `{{ name }}` and `{{#NAME}}` are variables that `variables` of the dialect has; others stay as they are
- `{{footnote: text}}` (mdbook-footnote)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from octavo.content.context import nearest
from octavo.content.translate.output import CodeRanges, Edit, attribute, fences, label, replaced
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.context import CompileContext
    from octavo.content.source import Fragment

_PIECE = re.compile(
    r"^(?P<indent>[ \t]*)\{\{[ \t]*#(?P<tab>/?tabs?|endtabs|endtab)\b(?P<options>[^{}\n]*)\}\}[ \t]*$"
    r"|(?<![\\{$])\{\{[ \t]*footnote:[ \t]*(?P<note>[^{}]+?)[ \t]*\}\}"
    r"|(?<![\\{$])\{\{[ \t]*#?(?P<variable>[A-Za-z_][\w.-]*)[ \t]*\}\}",
    re.MULTILINE,
)
_ADMONISH = re.compile(
    r"(?P<indent>[ \t>]*)(?:`{3,}|~{3,})[ \t]*admonish\b[ \t]*(?P<kind>[A-Za-z][A-Za-z-]*(?=[ \t\n.]|$))?(?P<options>[^\n]*)\n"
)
_OPTION = re.compile(
    r"""(?P<key>[\w-]+)[ \t]*=[ \t]*(?:"(?P<double>(?:[^"\\]|\\.)*)"|'(?P<single>[^']*)'|(?P<bare>\w+))"""
)
_OLD_TITLE = re.compile(r'[ \t]*"(?P<title>[^"]*)"')
_KINDS = {
    "abstract": "info", "summary": "info", "tldr": "info", "todo": "info", "hint": "tip", "important": "important",
    "success": "tip", "check": "tip", "done": "tip", "question": "info", "help": "info", "faq": "info",
    "attention": "warning", "failure": "danger", "fail": "danger", "missing": "danger", "error": "danger",
    "bug": "danger", "example": "note", "quote": "note", "cite": "note",
}  # fmt: skip
"""Kind of mdbook-admonish → ours, where it has another name."""
_OWN = frozenset(["note", "info", "tip", "warning", "danger", "caution", "important"])
_CODE_FENCE = "````````"
_FENCE = "::::::::"
"""Longer than those of the blocks in it."""


def translate_mdbook(fragment: Fragment, context: CompileContext) -> Fragment:
    """Rewrite a page's syntax of preprocessors as that of Octavo."""
    text = fragment.text
    if "{{" not in text and "admonish" not in text:
        return fragment
    if "admonish" in text:
        found = [(_ADMONISH.match(text, start), end) for start, end in fences(text, with_comments=False)]
        for match, _ in found:
            kind = (match["kind"] or "note").lower() if match else ""
            if match and kind not in _OWN and kind not in _KINDS and kind not in fragment.source.dialect.containers:
                close = nearest(kind, {*_OWN, *_KINDS})
                message = (
                    f'The admonition kind "{kind}" is not known; it is drawn as "note" with this name as its title.'
                )
                hint = f'Did you mean "{close}"?' if close else f"Known kinds: {', '.join(sorted(_OWN))}."
                at = fragment.origin(match.start())
                context.report("warn", "unknown-admonition", message, fragment.source, at, suggestion=hint)
        fragment = replaced(fragment, (one for match, end in found if match for one in _admonition(match, text, end)))
    notes: list[str] = []
    pieces = list(_pieces(fragment.text, fragment.source.dialect.variables, notes))
    return replaced(fragment, pieces, "".join(f"\n\n[^mdbook-{n}]: {note}\n" for n, note in enumerate(notes, 1)))


def _pieces(text: str, variables: dict[str, str], notes: list[str]) -> Iterator[Edit]:
    """Find what is replaced, apart from admonitions; the texts of footnotes are added to `notes`."""
    code = CodeRanges(text)
    for match in _PIECE.finditer(text):
        if match["variable"]:
            value = variables.get(match["variable"].lower())
            if value is not None:  # in code as well, as the preprocessors do
                yield match.start(), match.end(), value
        elif code.holds(match.start()):
            continue
        elif match["note"]:
            notes.append(" ".join(match["note"].split()))
            yield match.start(), match.end(), f"[^mdbook-{len(notes)}]"
        else:
            yield match.start(), match.end(), _tab(match)


def _options(text: str) -> dict[str, str]:
    return {
        match["key"]: re.sub(r"\\(.)", r"\1", match["double"] or match["single"] or match["bare"] or "")
        for match in _OPTION.finditer(text)
    }


def _tab(match: re.Match[str]) -> str:
    """Write a line of mdbook-tabs as the tag of a component, between blank lines."""
    indent, options = match["indent"], _options(match["options"])
    if match["tab"] == "tabs":
        group = f" groupId={attribute(options['global'])}" if "global" in options else ""
        return f"\n{indent}<Tabs{group}>\n"
    if match["tab"] == "tab":
        name = attribute(options.get("name") or match["options"].strip() or "Tab")
        return f"\n{indent}<TabItem value={name} label={name}>\n"
    return f"\n{indent}</{'TabItem' if match['tab'] in ('endtab', '/tab') else 'Tabs'}>\n"


def _admonition(match: re.Match[str], text: str, end: int) -> list[Edit]:
    """Replace the two lines around an admonition: (start, end, what is written)."""
    indent, options = match["indent"], _options(match["options"])
    kind = (match["kind"] or options.get("type") or "note").lower()
    old = _OLD_TITLE.match(match["options"])
    title: str | None = options.get("title") or (old["title"] if old else options.get("title"))
    own = kind if kind in _OWN else _KINDS.get(kind, "note")
    last = text.rfind("\n", match.end() - 1, end) + 1
    closing = text[last:end].strip(" \t>")
    last = last if closing and not closing.strip("`~") else end
    if options.get("collapsible") == "true":
        summary = label(title or kind.capitalize())
        opened = f"{indent}<details>\n{indent}<summary>{summary}</summary>\n{indent}\n"
        closed = f"{indent.rstrip()}\n{indent}</details>"
    else:
        shown = title if title is not None else kind.capitalize() if own != kind else None
        opened = f"{indent}{_FENCE}{own}{f'[{label(shown)}]' if shown else ''}\n"
        closed = f"{indent}{_FENCE}"
    body = text[match.end() : last]
    if _is_all_code(body, indent):
        # Indentation means nothing within blocks of colons and elements.
        opened, closed = f"{opened}{indent}{_CODE_FENCE}\n", f"{indent}{_CODE_FENCE}\n{closed}"
    return [(match.start(), match.end(), opened), (last, end, closed)]


def _is_all_code(body: str, indent: str) -> bool:
    """Whether all lines of an admonition are indented as code is."""
    lines = [line for line in body.split("\n") if line.strip(" \t>")]
    return bool(lines) and all(line.startswith(f"{indent}    ") for line in lines)
